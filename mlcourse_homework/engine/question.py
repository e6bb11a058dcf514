"""Questions that check themselves: they test the mathematics and say what is wrong.

A question is a function of the student's answer that raises ``Wrong`` with a sentence the student can
act on, and returns a sentence of praise that says what was verified.
"""

import ast
import contextlib
import dis
import functools
import inspect
import linecache
import os
import re
import sysconfig
import traceback
import types
from pathlib import Path

import numpy as np

import mlcourse
from mlcourse_homework.engine import pages, progress, source
from mlcourse_homework.engine.answers import NotAttempted, Wrong, copied, estimator, function, show
from mlcourse_homework.engine.feedback import LABELS, NOT_ATTEMPTED, NOT_YET, RIGHT, Table, Text, Verdict
from mlcourse_homework.engine.limits import OutOfTime, time_limit

OURS = (Path(__file__).parents[1], Path(mlcourse.__file__).parent)
LIBRARIES = tuple(str(folder) + os.sep for folder in (*OURS, sysconfig.get_path("stdlib")))
LONGEST = 2000  # letters of a message
TIME_LIMIT = 20.0  # seconds for one check
UNLIMITED = "no time limit can be set here: interrupt a check that does not end"
listeners = []  # functions of (question, verdict) that are told of every check


class Question:
    """A question whose ``check(answer)`` returns a ``Verdict``; an error in the answer is reported, not raised.

    ``kind`` is what a homework asks for: a "function", which may not change its arguments; an "estimator", of which
    the check gets a function that makes fresh ones; or a "value", such as arrays or a number, which a function
    without arguments may return. The ``text`` of a question of a homework is what there is to read about it.
    """

    def __init__(self, examine, homework=None, kind="function", text=None):
        functools.update_wrapper(self, examine)
        self.name, self.homework, self.kind, self.text, self._examine = examine.__name__, homework, kind, text, examine
        self.title, self.hints = (text.title, text.hints) if text else ("", ())

    @property
    def label(self):
        """The name of the question with that of its homework or chapter: "perceptron.q1"."""
        return f"{self.homework.name if self.homework else self.__module__.rpartition('.')[2]}.{self.name}"

    def __repr__(self):
        return f"{self.label}: {self.title or self.parameters}. Methods: check(answer), hint(), solution()."

    def check(self, *answer) -> Verdict:
        """What is right or wrong about the answer; several arguments are one answer with several parts."""
        answer = answer[0] if len(answer) == 1 else answer or None
        limited, details = True, {}
        try:
            with time_limit(TIME_LIMIT) as limited:
                status, message = RIGHT, self._examine(self._prepared(answer))
        except KeyboardInterrupt:
            raise
        except Wrong as wrong:
            status, message, details = NOT_YET, str(wrong), wrong.details
        except OutOfTime as late:
            status, details = NOT_YET, {"tried": getattr(late, "tried", "")}
            message = f"your code was stopped after {TIME_LIMIT:g} s{_students_line(late)}: does it end, or is it slow?"
        except BaseException as error:
            status, details = NOT_YET, {"tried": getattr(error, "tried", "")}
            message = f"your code raised {_described(error)}{_students_line(error)}"
            if _is_unwritten(error):
                status, message, details = NOT_ATTEMPTED, "there is no answer yet." + self._nudge(), {}
        shown = tuple((label, _short(details[key])) for key, label in LABELS.items() if str(details.get(key, "")))
        verdict = Verdict(status, _short(message), shown, "" if limited else UNLIMITED)
        for listen in listeners:
            listen(self, verdict)
        return verdict

    def hint(self) -> Text:
        """One hint more with each call."""
        if not self.hints:
            return Text(f"The hint is on the page of the chapter, {self._page}.")
        given = min(progress.entry(self.label)["hints"] + 1, len(self.hints))
        progress.record(self.label, hints=given)
        left = len(self.hints) - given
        last = f"That was the last one; `hw.{self.name}.solution()` shows an answer."
        texts = [f"**Hint {i}.** {pages.in_words(text)}" for i, text in enumerate(self.hints[:given], 1)]
        return Text("\n\n".join([*texts, f"*{left} more to come.*" if left else f"*{last}*"]))

    def solution(self) -> Text:
        """A model answer: reasoning and code."""
        if not self.homework:
            return Text(f"The solution is on the page of the chapter, {self._page}.")
        progress.record(self.label, solution=True)
        return Text(f"{pages.in_words(self.text.reasoning)}\n\n```python\n{self.text.code}\n```")

    @property
    def model(self):
        """The model solution, a function or a class; for a value, a function without arguments that returns it."""
        return self.homework.answers[self.name]

    @property
    def stub(self):
        """What the student starts from, and the check."""
        return pages.stub(self.name, self.text.start)

    @property
    def _page(self):
        return self.__module__.rpartition(".")[2].replace("_", "-")

    def _nudge(self):
        return f" hw.{self.name}.hint() gives a hint." if self.hints else ""

    def _prepared(self, answer):
        """The answer as the check gets it."""
        if self.kind != "function" and self.homework and inspect.isroutine(answer):
            answer = answer()
        if is_stub(answer):
            raise NotAttempted
        if not self.homework:
            return answer
        if self.kind == "function":
            return watched(function(answer, f"like {self.parameters}"), self.parameters)
        return estimator(answer) if self.kind == "estimator" else copied(answer)

    @property
    def parameters(self):
        """What the answer looks like: the call that the stub defines, or that at the beginning of the docstring."""
        call = r"^def (.*):$" if self.text else r"\A``(.*?)``"
        found = re.search(call, self.text.start if self.text else self.__doc__ or "", re.MULTILINE)
        return found[1] if found else "answer"


class Homework:
    """A homework: its questions, what there is to read about them, and what was done of them.

    It is named after its module; its text stands beside the module, in a file that ends with .md (see ``source``).
    """

    def __init__(self, module, title):
        self.name, self.title, self.questions = Path(module).stem, title, {}
        self.page, self.source = self.name.replace("_", "-"), source.read(Path(module).with_suffix(".md"))

    def question(self, kind="function"):
        """Make a check a question of this homework; see ``Question``."""

        def register(examine):
            question = Question(examine, self, kind, self.source.questions[examine.__name__])
            self.questions[question.name] = question
            return question

        return register

    @functools.cached_property
    def answers(self):
        """The model solutions by question: the last thing that the code of each defines, after the imports."""
        names, found = {}, {}
        exec(self.source.imports, names)
        for name, text in self.source.questions.items():
            exec(text.code, names)
            found[name] = names[ast.parse(text.code).body[-1].name]
        return found

    def progress(self) -> Table:
        """What was done: right or not, how many tries and hints, and whether the solution was seen."""
        known, trouble = progress.entries()
        rows = []
        for question in self.questions.values():
            done = known.get(question.label, progress.FRESH)
            state = RIGHT if done["right"] else NOT_YET if done["tries"] else NOT_ATTEMPTED
            hints, seen = f"{done['hints']}/{len(question.hints)}", "seen" if done["solution"] else ""
            rows.append((question.name, question.title, state, done["tries"], hints, seen))
        right = sum(row[2] == RIGHT for row in rows)
        header = ("question", "about", "state", "tries", "hints", "solution")
        caption = f"{self.title}: {right} of {len(rows)} right"
        return Table(caption, header, tuple(rows), (trouble,) if trouble else ())


def remember(question, verdict):
    """Keep the outcome of a check of a homework; a stub is no try."""
    if question.homework and verdict.status != NOT_ATTEMPTED:
        done = progress.entry(question.label)
        progress.record(question.label, tries=done["tries"] + 1, right=done["right"] or verdict.right)


listeners.append(remember)


def is_stub(answer):
    """Whether an answer is none: None, ..., a collection of them, a function or a class that does nothing."""
    if answer is None or answer is Ellipsis:
        return True
    if isinstance(answer, (tuple, list)):
        empty = [part is Ellipsis or isinstance(part, types.FunctionType) and is_stub(part) for part in answer]
        return any(empty) or (len(answer) > 0 and all(part is None for part in answer))
    if isinstance(answer, type):
        methods = [part for part in vars(answer).values() if isinstance(part, types.FunctionType)]
        return bool(methods) and all(map(is_stub, methods))
    if not isinstance(answer, types.FunctionType) or answer.__name__ == "<lambda>":
        return False
    steps = [step for step in dis.get_instructions(answer) if step.opname not in ("RESUME", "NOP", "COPY_FREE_VARS")]
    constants = all(step.opname in ("LOAD_CONST", "RETURN_CONST", "RETURN_VALUE") for step in steps)
    return constants and any(step.argval in (None, Ellipsis) for step in steps if "CONST" in step.opname)


def watched(answer, form):
    """The function, which must take the arguments of the form and not change them; ``...`` is the result of a stub."""

    try:
        known = inspect.signature(answer)
    except (TypeError, ValueError):  # a built-in that does not say
        known = inspect.signature(lambda *arguments: None)
    own = [part.name for part in known.parameters.values() if part.kind <= part.POSITIONAL_OR_KEYWORD]
    names = own + [f"number {i}" for i in range(len(own) + 1, 20)]

    @functools.wraps(answer)
    def call(*arguments):
        try:
            known.bind(*arguments)
        except TypeError:
            raise Wrong(f"your function should take {len(arguments)} arguments, like {form}.") from None
        before = copied(arguments)
        try:
            result = answer(*arguments)
        except BaseException as error:
            with contextlib.suppress(Exception):
                error.tried = show(**dict(zip(names, before, strict=False)))
            raise
        if result is Ellipsis or (isinstance(result, tuple) and any(part is Ellipsis for part in result)):
            raise NotAttempted
        for name, old, new in zip(names, before, arguments, strict=False):
            if not _same(old, new):
                raise Wrong(
                    f"your function changes its argument {name}; the caller still needs it. Work on a copy: "
                    f"{name} = {name} + v makes a new array, {name} += v changes the old one."
                )
        return result

    return call


def _same(old, new):
    """Whether an argument is what it was, as far as arrays, lists and dictionaries go."""
    if isinstance(old, np.ndarray):
        return np.array_equal(old, new, equal_nan=old.dtype.kind in "fc")
    if isinstance(old, (tuple, list)):
        return len(old) == len(new) and all(map(_same, old, new))
    if isinstance(old, dict):
        return old.keys() == new.keys() and all(_same(old[key], new[key]) for key in old)
    return True


def _described(error):
    """The kind of an error and what it says, if it can."""
    try:
        clue = " (a power is written ** in Python)" if "for ^:" in str(error) else ""
        return f"{type(error).__name__}: {error}{clue}"
    except Exception:
        return type(error).__name__


def _short(text):
    """A text that a page and a terminal can take."""
    text = str(text).encode("utf8", "replace").decode("utf8")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def _is_unwritten(error):
    """Whether a stub was called: it says so, and it says so itself, not a library that it uses."""
    innermost = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][-1]
    own = isinstance(error, NotImplementedError) and _is_own(innermost.f_code.co_filename)
    return own or isinstance(error, NotAttempted)


def _is_own(filename):
    """Whether a file is the student's: not of this package, nor of Python or its libraries."""
    return not filename.startswith((*LIBRARIES, "<frozen")) and "site-packages" not in filename


def _students_line(error):
    """Where in the student's own code the error arose."""
    place, step = None, error.__traceback__
    while step:
        place, step = step if _is_own(step.tb_frame.f_code.co_filename) else place, step.tb_next
    if not place:
        return ""
    code = place.tb_frame.f_code  # a jump back may have no line of its own: take that of the instruction before
    line = place.tb_lineno or max((n for at, n in dis.findlinestarts(code) if at <= place.tb_lasti and n), default=1)
    return f" (line {line}: {linecache.getline(code.co_filename, line).strip()})"
