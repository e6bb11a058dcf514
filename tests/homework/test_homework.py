"""Every question of every homework, tried as students would: stubs, right answers of all kinds, planted wrong ones.

``planted_<homework>.py`` lists for each question at least two right answers beside the model solution, and at least
five wrong ones with words of the message they must get. Some wrong answers are planted for every function.
"""

import importlib
import inspect
import itertools

import numpy as np
import pytest

from mlcourse_homework.engine import grader
from mlcourse_homework.engine import question as engine

HOMEWORKS = {name: importlib.import_module(f"mlcourse_homework.sets.{name}").homework for name in grader.homeworks()}
PLANTED = {name: importlib.import_module(f"planted_{name}") for name in HOMEWORKS}
QUESTIONS = [question for homework in HOMEWORKS.values() for question in homework.questions.values()]
FUNCTIONS = [q for q in QUESTIONS if q.kind == "function"]


def planted(kind, question):
    """The planted answers of a question."""
    return getattr(PLANTED[question.homework.name], kind).get(question.name, [])


def each(kind):
    """Every (question, planted answer), named."""
    found = ((q, i, answer) for q in QUESTIONS for i, answer in enumerate(planted(kind, q)))
    return [pytest.param(q, answer, id=f"{q.label}-{i}") for q, i, answer in found]


def named(questions):
    return pytest.mark.parametrize("question", questions, ids=lambda question: question.label)


def test_there_are_homeworks():
    assert len(HOMEWORKS) >= 1 and all(len(homework.questions) >= 4 for homework in HOMEWORKS.values())


@named(QUESTIONS)
def test_a_question_is_complete(question):
    assert question.title and len(question.hints) >= 2 and question.parameters.startswith("answer")
    assert len(question.reasoning) > 60
    lines = question.code.splitlines()
    assert len(lines) <= 13 and max(map(len, lines)) <= 95, "with the check it must fit into a cell"
    assert len(planted("RIGHT", question)) >= 2 and len(planted("WRONG", question)) >= 5


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


@pytest.mark.parametrize("name", HOMEWORKS)
def test_solutions_and_questions_match(name):
    module = importlib.import_module(f"mlcourse_homework.solutions.{name}")
    solved = [thing.solves for thing in vars(module).values() if hasattr(thing, "solves")]
    questions = HOMEWORKS[name].questions
    assert sorted(solved) == sorted(questions) == sorted(f"q{i}" for i in range(1, len(questions) + 1))
    assert inspect.getmodule(next(iter(questions.values()))._examine).progress == HOMEWORKS[name].progress


def test_labels_are_different():
    labels = [question.label for question in QUESTIONS]
    assert all(a != b for a, b in itertools.combinations(labels, 2))
