"""Every question of every homework, tried as students would: stubs, right answers of all kinds, planted wrong ones.

``planted_<homework>.py`` lists for each question at least two right answers beside the model solution, and at least
five wrong ones with words of the message they must get. Some wrong answers are planted for every function. What is
made of a module, the book's pages and the student's copy, is complete and says no more than it should.
"""

import ast
import importlib
import inspect
import json
import re

import nbformat
import numpy as np
import pytest

from mlcourse_homework.engine import grader, pages, source
from mlcourse_homework.engine import question as engine

HOMEWORKS = {name: importlib.import_module(f"mlcourse_homework.sets.{name}").homework for name in grader.homeworks()}
PLANTED = {name: importlib.import_module(f"planted_{name}") for name in HOMEWORKS}
QUESTIONS = [question for homework in HOMEWORKS.values() for question in homework.questions.values()]
FUNCTIONS = [q for q in QUESTIONS if q.kind == "function"]
MARKUP = re.compile(r"\{[\w:]+\}`|^\([\w-]+\)=$|^`{3,}\{|^:{3,}|^:name:", re.MULTILINE)  # what only the book can show
LIST = re.compile(r"(?:[-+*>]|\d+[.)])\s|#+\s|\||={2,}$")  # the beginning of a line that starts a block


def planted(kind, question):
    """The planted answers of a question."""
    return getattr(PLANTED[question.homework.name], kind).get(question.name, [])


def each(kind):
    """Every (question, planted answer), named."""
    found = ((q, i, answer) for q in QUESTIONS for i, answer in enumerate(planted(kind, q)))
    return [pytest.param(q, answer, id=f"{q.label}-{i}") for q, i, answer in found]


def named(questions):
    return pytest.mark.parametrize("question", questions, ids=lambda question: question.label)


@pytest.mark.parametrize("name, homework", HOMEWORKS.items())
def test_the_questions_of_a_homework_are_numbered(name, homework):
    assert homework.name == name and len(homework.questions) >= 4
    assert [*homework.questions] == [f"q{i}" for i in range(1, len(homework.questions) + 1)]
    assert importlib.import_module(f"mlcourse_homework.sets.{name}").progress == homework.progress


@named(QUESTIONS)
def test_a_question_is_complete(question):
    assert question.title and len(question.hints) >= 2 and len(question.text.statement) > 60
    assert len(question.text.reasoning) > 60
    lines = question.text.code.splitlines()
    assert len(lines) <= 13 and max(map(len, lines)) <= 95, "with the check it must fit into a cell"
    assert len(planted("RIGHT", question)) >= 2 and len(planted("WRONG", question)) >= 5


@named(QUESTIONS)
def test_the_stub_asks_for_what_the_model_gives(question):
    *_, check = ast.parse(question.stub).body
    assert ast.unparse(check.value.func) == f"hw.{question.name}.check"
    if question.kind == "function":
        parameters = inspect.signature(question.model)
        assert question.stub.startswith(f"def {question.model.__name__}{parameters}:") and parameters.parameters
        assert question.parameters == f"{question.model.__name__}{parameters}"


@named(QUESTIONS)
def test_a_stub_is_not_scolded(question):
    def stub(*arguments):
        """To be written."""
        ...

    def raising(*arguments):
        raise NotImplementedError

    for answer in (None, ..., stub, raising, (..., ...)):
        verdict = question.check(answer)
        assert verdict.status == "not attempted yet" and "hint()" in verdict.message, verdict


@named(QUESTIONS)
def test_the_model_solution_is_right(question):
    verdict = question.check(question.model)
    assert verdict.right and not verdict.note, verdict
    if question.kind == "value":
        assert question.check(question.model()).right


@pytest.mark.parametrize("question, answer", each("RIGHT"))
def test_other_right_answers_are_right(question, answer):
    verdict = question.check(answer)
    assert verdict.right, verdict


@pytest.mark.parametrize("question, answer", each("WRONG"))
def test_wrong_answers_are_told_what_is_violated(question, answer, monkeypatch):
    answer, words = answer
    monkeypatch.setattr(engine, "TIME_LIMIT", 5.0)
    verdict = question.check(answer)
    assert verdict.status == "not yet" and words in str(verdict), verdict
    assert ("your code raised" in str(verdict)) == ("raised" in words), "the check itself failed"


def endless(*arguments):
    while True:
        pass


def remembering(model):
    """A function that answers as the model does on its first call, whatever it is asked."""
    first = []

    def answer(*arguments):
        first.extend([model(*arguments)] * (not first))
        return first[0]

    return answer


def overwriting(model):
    """A function that answers as the model does and changes its arguments."""

    def answer(*arguments):
        result = np.copy(r) if isinstance(r := model(*arguments), np.ndarray) else r
        for argument in arguments:
            if isinstance(argument, np.ndarray) and argument.flags.writeable and argument.size:
                argument[...] = np.roll(argument.ravel(), 1).reshape(argument.shape)
                argument.flat[0] = argument.dtype.type("7")
        return result

    return answer


ANYWHERE = {  # what would be wrong for every function, and what is said about it
    "raises": (lambda model: lambda *arguments: 1 / 0, "your code raised ZeroDivisionError: division by zero (line"),
    "is no function": (lambda model: 3.0, "give the function, not its result"),
    "returns nothing": (lambda model: lambda *arguments: None, ""),
    "returns a word": (lambda model: lambda *arguments: "forty-two", ""),
    "never ends": (lambda model: endless, "was stopped after 0.5 s (line"),
    "always says the same": (remembering, ""),
    "has no parameters": (lambda model: lambda: 1.0, "your function should take"),
}


@named(FUNCTIONS)
@pytest.mark.parametrize("fault", ANYWHERE)
def test_what_is_wrong_everywhere(question, fault, monkeypatch):
    if fault in getattr(PLANTED[question.homework.name], "ALLOWED", {}).get(question.name, ()):
        return
    make, words = ANYWHERE[fault]
    monkeypatch.setattr(engine, "TIME_LIMIT", 0.5 if fault == "never ends" else 20.0)
    verdict = question.check(make(question.model))
    assert verdict.status == "not yet" and words in verdict.message, verdict
    assert ("your code raised" in verdict.message) == ("raised" in words), f"the check itself failed: {verdict}"


def takes_an_array(question):
    """Whether the model solution is ever given an array it could change."""
    seen = []

    def spy(*arguments):
        seen.extend(isinstance(argument, np.ndarray) for argument in arguments)
        return question.model(*arguments)

    question.check(spy)
    return any(seen)


@named(FUNCTIONS)
def test_arguments_may_not_be_changed(question):
    verdict = question.check(overwriting(question.model))
    assert ("changes its argument" in verdict.message) == takes_an_array(question), verdict


@named(QUESTIONS)
def test_a_check_repeats_and_leaves_the_answer_alone(question):
    """The same verdict twice; arrays that are given to a check are not changed by it."""
    answer = question.model() if question.kind == "value" else question.model
    arrays = [part for part in (answer if isinstance(answer, tuple) else [answer]) if isinstance(part, np.ndarray)]
    before = [part.copy() for part in arrays]
    assert str(question.check(answer)) == str(question.check(answer))
    assert all(np.array_equal(a, b) for a, b in zip(arrays, before, strict=True))


# --- what is made of a module --------------------------------------------------------------------


def texts(cells):
    """The markdown cells."""
    return [cell["source"] for cell in cells if cell["cell_type"] == "markdown"]


def words(question):
    """The words of a statement, up to the first cell in it."""
    return source.cells(question.text.statement)[0][0].strip()


def codes(cells):
    """The code cells."""
    return [cell["source"] for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.parametrize("homework", HOMEWORKS.values(), ids=HOMEWORKS)
def test_the_page_folds_hints_and_solutions_and_the_other_page_shows_them(homework):
    page, solutions = pages.page(homework), pages.solutions(homework)
    whole, shown = "\n\n".join(texts(page)), "\n\n".join(texts(solutions))
    for question in homework.questions.values():
        label = f"{homework.page}-{question.name}"
        assert f"(hw-{label})=\n## Question {question.name[1:]}. {question.title}\n\n{words(question)}" in whole
        assert f"(hw-{label}-solution)=" in shown and f"**Answer.** {question.text.reasoning}" in shown
        hints, solution = (
            whole.split(f":name: {kind}-{label}\n")[1].split("`````")[0] for kind in ("hints", "solution")
        )
        assert all(f"\n{i}. {hint}" in hints for i, hint in enumerate(question.hints, 1))
        assert question.text.reasoning in solution and f"```python\n{question.text.code}\n```" in solution
        assert question.stub in codes(page)
        answered = f"{question.text.code}\n\nhw.{question.name}.check({question.model.__name__})"
        assert answered in codes(solutions) and not any(hint in shown for hint in question.hints if len(hint) > 60)
    assert "dropdown" not in shown and "hw.progress()" in codes(page) and "hw.progress()" not in codes(solutions)


@pytest.mark.parametrize("homework", HOMEWORKS.values(), ids=HOMEWORKS)
def test_the_students_copy_gives_nothing_away_and_stands_outside_the_book(homework):
    notebook = json.loads(pages.own_copy(homework))
    nbformat.validate(notebook)
    cells = [cell | {"source": "".join(cell["source"])} for cell in notebook["cells"]]
    assert codes(cells) == codes(pages.page(homework)) and not any(cell.get("outputs") for cell in cells)
    whole = "\n\n".join(texts(cells))
    assert not MARKUP.search(whole) and "{doc}" not in whole and "{eq}" not in whole
    for question in homework.questions.values():
        assert f"## Question {question.name[1:]}. {question.title}\n\n" in whole
        assert pages.in_words(words(question)) in whole
        secrets = (*question.hints, question.text.reasoning, question.text.code)
        assert not any(secret in whole or pages.in_words(secret) in whole for secret in secrets)


@pytest.mark.parametrize("homework", HOMEWORKS.values(), ids=HOMEWORKS)
def test_a_wrapped_line_starts_no_list(homework):
    own = [text for q in homework.questions.values() for text in (q.text.statement, q.text.reasoning)]
    own += [homework.source.introduction, *homework.source.parts]
    for paragraph in "\n\n".join(own).split("\n\n"):
        first, *wrapped = paragraph.splitlines()
        if not first.startswith("$$") and not LIST.match(first):
            assert not [line for line in wrapped if LIST.match(line)], paragraph
