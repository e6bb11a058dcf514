"""The engine of the homework: what a student sees, in every place where it is used."""

import codecs
import subprocess
import sys
import tempfile
import threading
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from mlcourse_homework import perceptron as hw
from mlcourse_homework.chapters import perceptron as chapter_perceptron
from mlcourse_homework.engine import answers, pages, progress
from mlcourse_homework.engine import question as engine
from mlcourse_homework.engine.answers import Wrong, array, brief, close, for_all, number, pair, require, show
from mlcourse_homework.engine.limits import OutOfTime, time_limit
from mlcourse_homework.engine.pages import in_words
from mlcourse_homework.engine.question import Homework, Question, is_stub


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    """An empty working directory and no progress."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "FOLDER", tmp_path)
    monkeypatch.delenv("MLCOURSE_PROGRESS", raising=False)
    progress.forget()
    yield tmp_path
    progress.forget()


SUMS = """# sums

Adding up.

```python
import math
```
{}
## What you have done

```{{code-cell}}
hw.progress()
```
"""
QUESTION = """
## Question 1. A question

Add.

```{code-cell}
:metadata: {"tags": ["hide-input"]}
1 + 1
```

### Hints

1. First.
2. Second.

### Model proof

It adds:

```python
def added(a, b):
    return math.fsum([a, b])
```

### Start

```python
def added(a, b):
    ...
```

That was easy.
"""


def sums(folder=None):
    """A homework with one question in its text."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(folder or scratch, "sums.md")
        path.write_text(SUMS.format(QUESTION))
        return Homework(path.with_suffix(".py"), "Sums")


def asked(examine, kind="function"):
    """A question with the given check."""
    homework = sums()
    question = Question(examine, homework, kind, homework.source.questions["q1"])
    homework.questions[question.name] = question
    return question


@asked
def doubled(answer):
    """``answer(x)`` is 2 x."""
    for_all([(np.arange(1.0, n + 1),) for n in (1, 4)], lambda x: close(answer(x), 2 * x, "the double", show(x=x)))
    return "it doubles."


# --- stubs ---------------------------------------------------------------------------------------


def with_docstring(x):
    """To do."""


def with_pass(x):
    pass


def with_dots_returned(x):
    return ...


def with_dots_assigned(x):
    y = ...
    return y


def with_two_dots(x):
    a, b = ..., ...
    return a, b


def unwritten(x):
    raise NotImplementedError("to do")


class Unwritten:
    def fit(self, X, y): ...

    def predict(self, X):
        """To do."""


def endless(x):
    while True:
        pass


FUNCTIONS = [with_docstring, with_pass, with_dots_returned, with_dots_assigned, with_two_dots, unwritten, Unwritten]
STUBS = [None, ..., (..., 1), (np.sin, with_pass), [None, None], *FUNCTIONS]


@pytest.mark.parametrize("answer", STUBS, ids=lambda answer: getattr(answer, "__name__", type(answer).__name__))
def test_a_stub_is_not_attempted_and_no_try(answer):
    verdict = doubled.check(answer)
    assert verdict.status == "not attempted yet" and not verdict
    assert str(verdict) == "not attempted yet: there is no answer yet. hw.doubled.hint() gives a hint."
    assert progress.entry("sums.doubled")["tries"] == 0


@pytest.mark.parametrize(
    "answer", [lambda x: None, lambda x: 0, np.zeros(2), (1, None), 0, "", [], np.sin, type("E", (), {})]
)
def test_an_attempt_is_no_stub(answer):
    assert not is_stub(answer)


# --- functions -----------------------------------------------------------------------------------


def test_a_wrong_answer_is_shown_on_the_smallest_instance():
    verdict = doubled.check(lambda x: -2 * x)
    assert str(verdict) == (
        "not yet: the double is not right: the sign is turned.\n  tried: x = [1.]\n"
        "  came out: [-2.]\n  should hold: [2.]"
    )
    assert doubled.check(lambda x: 2 * x).right and str(doubled.check(lambda x: 2 * x)) == "right: it doubles."


def test_an_instance_is_shrunk():
    def holds(X, y):
        require(X.min() > -5, "a number below -5.", show(X=X, y=y))

    X = np.random.default_rng(0).normal(size=(40, 2))
    X[17, 1] = -7.3
    with pytest.raises(Wrong) as wrong:
        for_all([(X, np.arange(40))], holds)
    tried = wrong.value.details["tried"]
    assert tried.startswith("X = [[") and "-7." in tried and tried.endswith("y = [17]")
    with pytest.raises(Wrong) as wrong:
        for_all([(X, np.arange(40))], holds, valid=lambda X, y: len(X) >= 3)
    assert wrong.value.details["tried"].count("],") == 3


def test_an_instance_is_shrunk_only_for_the_same_reason():
    def holds(x):
        require(len(x) > 2, "too short.")
        require(x.max() < 5, f"{x.max():g} is too large.", tried=show(x=x))

    with pytest.raises(Wrong, match="7 is too large") as wrong:
        for_all([(np.arange(8.0),)], holds)
    assert wrong.value.details["tried"].count(",") == 2


def test_an_error_is_told_the_instance(monkeypatch):
    verdict = doubled.check(lambda x: x[3])
    assert "IndexError" in verdict.message and verdict.details == (("tried", "x = [1.]"),)
    monkeypatch.setattr(engine, "TIME_LIMIT", 0.1)
    assert doubled.check(endless).details == (("tried", "x = [1.]"),)


def test_shrinking_survives_a_property_that_raises_on_small_instances():
    def holds(x):
        require(x[2] < 0, f"{len(x)} numbers.")

    with pytest.raises(Wrong, match="3 numbers"):
        for_all([(np.ones(9),)], holds)


def test_arguments_are_watched():
    def in_place(x):
        x *= 2
        return x

    def sorting(values):
        values.sort()
        return 2 * values

    assert "changes its argument x" in doubled.check(in_place).message
    question = asked(lambda answer: str(answer([3, 1], {"a": np.zeros(2)}, np.arange(3.0))))
    question.__doc__ = "``answer(a, b, c)``"
    for name, spoil in (
        ("a", lambda a, b, c: a.append(1) or 1),
        ("b", lambda a, b, c: b["a"].fill(1) or 1),
        ("b", lambda a, b, c: b.clear() or 1),
        ("number 3", lambda *everything: everything[2].fill(np.nan) or 1),
    ):
        assert f"argument {name}" in question.check(spoil).message
    assert question.check(lambda a, b, c: len(a)).right
    assert doubled.check(sorting).right  # sorted already: nothing changed


def test_the_students_values_are_left_alone():
    def spoil(answer):
        """``answer`` is a list of two arrays."""
        answer[0][...] = 7
        answer.append(1)
        return "well."

    mine = [np.zeros(2), np.ones(2)]
    assert asked(spoil, "value").check(mine).right
    assert len(mine) == 2 and not mine[0].any()
    assert asked(spoil, "value").check(lambda: mine).right and len(mine) == 2


def test_an_estimator_is_fresh_each_time():
    class Memory:
        def fit(self, X, y):
            assert not hasattr(self, "seen")
            self.seen = X
            return self

        def predict(self, X):
            return X

    def examine(make):
        """``answer`` is an estimator."""
        for _ in range(2):
            make().fit(1, 2).predict(3)
        return "fresh."

    question, mine = asked(examine, "estimator"), Memory()
    assert question.check(Memory).right and question.check(mine).right and not hasattr(mine, "seen")
    assert "lacks ['fit', 'predict']" in question.check(3.0).message
    assert answers.estimator(mine)() is not mine


# --- errors and time -----------------------------------------------------------------------------


def test_errors_are_shown_at_the_students_line():
    def fails(x):
        y = x
        return y.no_such_thing

    def deep(x):
        return np.linalg.inv(np.zeros((2, 2)))

    def divides(x):
        return Fraction(1, 0)

    def leaves(x):
        sys.exit(3)

    def recursion(x):
        return recursion(x)

    for answer, error, line in (
        (fails, "AttributeError", "return y.no_such_thing)"),
        (deep, "LinAlgError", "np.linalg.inv(np.zeros((2, 2))))"),
        (divides, "ZeroDivisionError", "return Fraction(1, 0))"),  # the student's own line, not the library's
        (leaves, "SystemExit", "sys.exit(3))"),
        (recursion, "RecursionError", "return recursion(x))"),
    ):
        said = doubled.check(answer).message
        assert error in said and "(line" in said and line in said


def test_strange_errors_are_reported():
    class Speechless(Exception):
        def __str__(self):
            raise RuntimeError

    def raising(error):
        def answer(x):
            raise error

        return answer

    assert "your code raised Speechless (line" in doubled.check(raising(Speechless())).message
    assert "your code raised GeneratorExit" in doubled.check(raising(GeneratorExit())).message
    assert len(doubled.check(raising(ValueError("x" * 10**6))).message) < 3000
    str(doubled.check(raising(ValueError("\ud800")))).encode("utf8")


def test_the_line_of_a_loop_that_jumps_back_is_shown(monkeypatch):
    def jumps(x):
        n = 0
        while True:
            for a in x:
                if a > 0:
                    n += 1

    monkeypatch.setattr(engine, "TIME_LIMIT", 0.2)
    said = doubled.check(jumps).message
    assert any(f": {line}" in said for line in ("while True", "for a in x", "if a > 0", "n += 1")), said


def test_what_a_library_did_not_implement_is_an_error():
    def uses_a_library(x):
        return codecs.IncrementalEncoder().encode("x")  # it raises NotImplementedError

    verdict = doubled.check(uses_a_library)
    assert verdict.status == "not yet" and "NotImplementedError" in verdict.message


def test_a_wrong_answer_that_is_endless_on_smaller_instances_is_told_what_is_wrong(monkeypatch):
    monkeypatch.setattr(engine, "TIME_LIMIT", 0.5)

    def examine(answer):
        """``answer(x)`` is the sum."""
        for_all([(np.arange(6.0),)], lambda x: close(answer(x), x.sum(), "the sum"))

    def answer(x):
        while len(x) < 6:
            pass
        return 0.0

    assert "the sum is not right" in asked(examine).check(answer).message


def test_functions_with_other_parameters_are_told_so():
    assert "your function should take 1 arguments, like added(a, b)." == doubled.check(lambda: 1).message
    assert "should take 1" in doubled.check(lambda x, y: 1).message
    assert doubled.check(lambda x, factor=2: factor * x).right and doubled.check(lambda *values: 2 * values[0]).right
    assert "a power is written **" in doubled.check(lambda x: 1.0 ^ 2).message


def test_an_answer_in_several_parts_and_a_question_by_itself():
    question = asked(lambda answer: f"{len(answer)} parts", "value")
    assert str(question.check(1, 2)) == "right: 2 parts" and question.check().status == "not attempted yet"
    assert repr(hw.q1) == "perceptron.q1: One step. Methods: check(answer), hint(), solution()."


def test_what_came_out_is_shown_even_if_it_is_false():
    def examine(answer):
        """``answer(x)``"""
        raise Wrong("no.", got=False, should=0)

    assert asked(examine).check(lambda x: 1).details == (("came out", "False"), ("should hold", "0"))


def test_an_interrupt_is_not_swallowed():
    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        doubled.check(interrupted)


def test_an_endless_loop_is_stopped_even_if_it_catches_everything(monkeypatch):
    def stubborn(x):
        while True:
            try:
                endless(x)
            except Exception:
                pass

    class Swallowed(Exception):
        pass

    def more_stubborn(x):
        for _ in range(3):
            try:
                endless(x)
            except BaseException as error:
                late = error
        raise Swallowed from late

    monkeypatch.setattr(engine, "TIME_LIMIT", 0.2)
    started = time.monotonic()
    verdict = doubled.check(stubborn)
    assert "was stopped after 0.2 s (line" in verdict.message and time.monotonic() - started < 2
    assert "Swallowed" in doubled.check(more_stubborn).message  # the limit strikes again and again
    assert doubled.check(lambda x: 2 * x).right
    time.sleep(0.5)  # nothing strikes afterwards


def test_without_signals_the_check_goes_on_and_says_so():
    seen = []
    thread = threading.Thread(target=lambda: seen.append(doubled.check(lambda x: 2 * x)))
    thread.start()
    thread.join()
    assert seen[0].right and seen[0].note.startswith("no time limit") and "no time limit" in str(seen[0])
    assert "no time limit" in seen[0]._repr_html_()


def test_time_limits_nest():
    with time_limit(5) as limited:
        assert limited
        with pytest.raises(OutOfTime), time_limit(0.05):
            endless(0)
    started = time.monotonic()
    with pytest.raises(OutOfTime), time_limit(0.1), time_limit(5):
        while time.monotonic() < started + 3:
            pass
    assert time.monotonic() < started + 2
    with pytest.raises(OutOfTime), time_limit(0.3):
        with time_limit(5):
            pass
        end = time.monotonic() + 2
        while time.monotonic() < end:
            pass


# --- what is shown -------------------------------------------------------------------------------


def test_html_is_escaped():
    def examine(answer):
        """``answer(x)``"""
        raise Wrong("a < b & <script>", tried="<x>", got="1", should="2")

    html = asked(examine).check(lambda x: 1)._repr_html_()
    assert "&lt;script&gt;" in html and "<script>" not in html and "<x>" not in html
    assert html.count("<tr>") == 3 and "came out" in html and "should hold" in html


def test_hints_come_one_at_a_time_and_survive_a_restart():
    assert "First." in str(doubled.hint()) and "Second." in str(doubled.hint())
    progress.forget()
    assert "Second." in str(doubled.hint()) and "That was the last one" in str(doubled.hint())
    question = hw.q4
    first, second = str(question.hint()), str(question.hint())
    assert first.startswith("**Hint 1.**") and "2 more to come" in first
    assert "**Hint 1.**" in second and "**Hint 2.**" in second and question.hint()._repr_markdown_()


def test_solutions_show_reasons_and_code():
    text = str(hw.q8.solution())
    assert "the theorem *slow perceptron* counts exactly" in text and "{prf:ref}" not in text
    assert text.rstrip().endswith("```") and "```python\ndef slow_sample(d):\n    return" in text
    assert progress.entry("perceptron.q8")["solution"]


def test_chapters_lead_to_their_page():
    question = chapter_perceptron.my_perceptron
    assert "the chapter, perceptron" in str(question.hint()) and "perceptron" in str(question.solution())
    assert question.label == "perceptron.my_perceptron"
    question.check(lambda X, y: 1)
    assert progress.entries() == ({}, None)


def test_progress_is_a_table():
    question = asked(doubled._examine)
    homework = question.homework
    question.check(lambda x: x)
    question.check(None)
    question.hint()
    text = str(homework.progress())
    assert text.splitlines()[0] == "Sums: 0 of 1 right" and "not yet" in text and "1/2" in text
    question.check(lambda x: 2 * x)
    question.check(lambda x: x)
    question.solution = lambda: progress.record(question.label, solution=True)
    question.solution()
    row = str(homework.progress()).splitlines()[-1].split()
    assert row == ["doubled", "A", "question", "right", "3", "1/2", "seen"]  # what was right once stays right
    html = homework.progress()._repr_html_()
    assert "<table class='report' tabindex='0'>" in html and "<caption>Sums: 1 of 1 right" in html


@pytest.mark.parametrize(
    "text, words",
    [
        ("(a-label)=\n# Title", "# Title"),
        ("see {doc}`../linear-regression`.", "see the chapter *linear regression*."),
        ("It ends. {doc}`adaboost` goes on", "It ends. The homework *adaboost* goes on"),
        ("({prf:ref}`prop-one-hot`, {ref}`trees-depth`)", "(the proposition *one hot*, the section *trees depth*)"),
        ("{prf:ref}`These <thm-a>` are {ref}`M9 <erratum-M9>`", "These are erratum M9"),
        ("The erratum is {ref}`M9 <erratum-M9>`; {cite:t}`novikoff1962`", "The erratum is M9; Novikoff (1962)"),
    ],
)
def test_references_become_words(text, words):
    assert in_words(text) == words


def test_a_homework_is_told_in_markdown():
    homework = sums()

    @homework.question()
    def q1(answer):
        """``answer(a, b)`` is the sum."""
        require(answer(1, 2) == 3, "no sum.")
        return "it adds."

    told = q1.text
    assert (told.title, told.hints, told.proof, told.reasoning) == (
        "A question",
        ["First.", "Second."],
        True,
        "It adds:",
    )
    assert q1.check(q1.model) and q1.parameters == "added(a, b)"
    assert q1.stub == "def added(a, b):\n    ...\n\nhw.q1.check(added)"
    cells = [
        (cell["cell_type"], cell["source"].splitlines()[0], cell["metadata"]) for cell in pages.solutions(homework)
    ]
    assert cells[1:] == [
        ("code", "import math", {}),
        ("markdown", "(hw-sums-q1-solution)=", {}),
        ("code", "1 + 1", {"tags": ["hide-input"]}),
        ("markdown", "**Answer.** It adds:", {}),
        ("code", "def added(a, b):", {}),
        ("markdown", "That was easy.", {}),
        ("markdown", "## What you have done", {}),
    ]


@pytest.mark.parametrize(
    "start, answer",
    [("X, y = ..., ...", "(X, y)"), ("def f(x):\n    ...\n\ndef g(x):\n    ...", "(f, g)"), ("class A:\n    ...", "A")],
)
def test_what_the_start_defines_is_the_answer(start, answer):
    assert pages.stub("q1", start) == f"{start}\n\nhw.q1.check({answer})"


# --- helpers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "got, want, words",
    [
        ([-1.0, -2.0], [1.0, 2.0], "sign"),
        ([2.0, 4.0], [1.0, 2.0], "twice"),
        ([1.00001, 2.00002], [1.0, 2.0], "close, but"),
        ([0.5, 1.0], [1.0, 2.0], "half"),
        ([3.0, 6.0], [1.0, 2.0], "3 times"),
        ([2.0, 3.0], [1.0, 2.0], "1 too large"),
        ([0.0, 1.0], [1.0, 2.0], "1 too small"),
        ([[1.0, 3.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]], "transposed"),
        ([np.nan, 1.0], [1.0, 2.0], "not finite"),
        ([5.0, 1.0], [1.0, 2.0], ""),
        ([3.7], [1.0], ""),
        ([-1.0], [1.0], "sign"),
        ([5.0], [4.0], "1 too large"),
        ([2.0], [1.0], ""),
        ([-0.5], [0.5], "sign"),
        ([1.0, 1.0], [0.0, 0.0], "1 too large"),
    ],
)
def test_wrong_results_are_compared_with_the_right_one(got, want, words):
    said = answers.resemblance(np.array(got), np.array(want))
    assert words in said and bool(words) == bool(said)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: array(None, (2,), "w"), "w should be an array of shape (2,), got None. Is a return missing?"),
        (lambda: array("x", (), "w"), "w should be a number, got 'x'."),
        (lambda: array([[1]], (1,), "w"), "got shape (1, 1)"),
        (lambda: array([[1], [1, 2]], (2,), "w"), "should be an array"),
        (lambda: array(1j, (), "w"), "w should be a number, got 1j"),
        (lambda: array("3", (), "w"), "w should be a number, got '3'"),
        (lambda: array(10**400, (), "w"), "w should be a number"),
        (lambda: pair(None, "(a, b)"), "Is a return missing?"),
        (lambda: number(np.inf, "w"), "w should be a finite number, got inf."),
        (lambda: pair(1, "(a, b)"), "a pair (a, b) is expected, got 1."),
        (lambda: close([1, 2], [1, 2, 3], "w"), "got shape (2,)"),
    ],
)
def test_helpers_refuse(call, words):
    with pytest.raises(Wrong) as wrong:
        call()
    assert words in str(wrong.value)


@pytest.mark.parametrize("side, sign, least", [("upper", 1, "at least 2: why"), ("lower", -1, "at most -2: why")])
def test_a_bound_is_held_from_both_sides(side, sign, least):
    def told(bound):
        try:
            return answers.sharp_bound(sign * bound, sign * 2.0, "t = 1", "why", "slack.", side)
        except Wrong as wrong:
            return str(wrong), wrong.details["should"]

    assert told(2.0) == sign * 2.0 and told(3.0) == ("true, but not the best bound: slack.", "")
    assert told(1.0) == (f"this is not a{'n' * (sign > 0)} {side} bound.", least)


def test_a_known_mistake_is_named():
    assert answers.slip(0.5, {"twice": 2.0, "half": 0.5}) == ": half" and answers.slip(3.0, {"half": 0.5}) == ""
    with pytest.raises(Wrong, match="no.") as wrong:
        answers.requiring("x = 1", np.zeros(1))(False, "no.", "yes")
    assert wrong.value.details == {"tried": "x = 1", "got": "[0.]", "should": "yes"}


def test_helpers_accept_what_is_equal():
    assert close(np.float32([0.1, 0.2]), [0.1, 0.2], "w").dtype == float
    assert number(np.array(3), "n") == 3 and array([True, False], (2,), "h").tolist() == [1, 0]


def test_values_in_one_line():
    assert show(w=np.zeros(2), y=-1, tau=0.5, X=np.ones((40, 3))) == (
        "w = [0., 0.], y = -1, tau = 0.5, X = an array of shape (40, 3)"
    )
    assert "\n" not in brief(np.ones((3, 3))) and brief((1, np.float64(1 / 3))) == "(1, 0.333333)"
    assert brief(test_values_in_one_line) == "test_values_in_one_line" and brief(list(range(9))) == "9 things"


# --- progress ------------------------------------------------------------------------------------


def test_progress_is_kept_over_a_restart_and_never_lost(fresh):
    hw.q1.check(hw.q1.model)
    progress.forget()
    assert progress.entry("perceptron.q1") == {"right": True, "tries": 1, "hints": 0, "solution": False}
    hw.q1.check(lambda *arguments: 0)
    progress.forget()
    assert progress.entry("perceptron.q1") == {"right": True, "tries": 2, "hints": 0, "solution": False}
    assert [path.name for path in fresh.iterdir()] == [progress.FILE]


OTHER = ['{"format": "other"}', '{"done": {}}', '{"format": "mlcourse progress 1", "done": []}']


@pytest.mark.parametrize("content", ["", "{", "[]", "\x00\xff", *OTHER])
def test_a_foreign_file_is_left_alone(fresh, content):
    file = fresh / progress.FILE
    file.write_text(content, "latin1")
    before = file.read_bytes()
    assert hw.q1.check(hw.q1.model).right
    assert file.read_bytes() == before
    text = str(hw.progress())
    assert "1 of 9 right" in text and "it is left alone, and progress is not kept" in text


def test_damaged_entries_are_read_as_far_as_possible(fresh):
    done = '{"perceptron.q1": 3, "perceptron.q2": {"tries": 4, "hints": "x"}}'
    (fresh / progress.FILE).write_text(f'{{"format": "{progress.FORMAT}", "done": {done}}}')
    assert progress.entry("perceptron.q1") == progress.FRESH and progress.entry("perceptron.q2")["tries"] == 4
    assert progress.entry("perceptron.q2")["hints"] == 0


def test_a_folder_that_cannot_be_written_to(fresh, monkeypatch):
    def refuse(*arguments, **more):
        raise PermissionError

    monkeypatch.setattr(progress.tempfile, "mkstemp", refuse)
    assert hw.q1.check(hw.q1.model).right and "1 of 9 right" in str(hw.progress())
    assert list(fresh.iterdir()) == []


def test_an_interrupted_write_leaves_the_old_file(fresh, monkeypatch):
    hw.q1.check(hw.q1.model)
    before = (fresh / progress.FILE).read_text()

    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(progress.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        hw.q2.check(hw.q2.model)
    assert (fresh / progress.FILE).read_text() == before and len(list(fresh.iterdir())) == 1


def test_progress_may_be_switched_off_or_kept_elsewhere(fresh, monkeypatch):
    monkeypatch.setenv("MLCOURSE_PROGRESS", "off")
    hw.q1.check(hw.q1.model)
    assert list(fresh.iterdir()) == [] and progress.entry("perceptron.q1")["right"]
    monkeypatch.setenv("MLCOURSE_PROGRESS", str(fresh / "mine.json"))
    hw.q2.check(hw.q2.model)
    assert [path.name for path in fresh.iterdir()] == ["mine.json"]


def test_a_stub_in_a_fresh_interpreter(fresh):
    """In a plain script, without Jupyter."""
    code = "from mlcourse_homework import perceptron as hw\ndef update(w, x, y, tau):\n    ...\n"
    code += "print(hw.q1.check(update))\nprint(hw.progress())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=fresh)
    assert done.stdout.startswith("not attempted yet") and "0 of 9 right" in done.stdout, done.stderr
