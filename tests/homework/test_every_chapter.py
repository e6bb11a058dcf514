"""The exercises of the chapters run on the same engine: stubs, errors and endless loops, for each of them."""

import importlib
import pkgutil

import numpy as np
import pytest

from mlcourse_homework import chapters
from mlcourse_homework.engine import question as engine

MODULES = [info.name for info in pkgutil.iter_modules(chapters.__path__)]
QUESTIONS = [
    thing
    for name in MODULES
    for thing in vars(importlib.import_module(f"mlcourse_homework.chapters.{name}")).values()
    if isinstance(thing, engine.Question)
]
every_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.label)


def test_every_chapter_with_code_exercises_is_here():
    assert len(MODULES) == 20 and len(QUESTIONS) > 60


@every_question
def test_a_stub_is_not_attempted(question):
    def stub(*arguments):
        """To be written."""

    def unwritten(*arguments):
        raise NotImplementedError

    for answer in (None, ..., stub, (..., ...)):
        assert question.check(answer).status == "not attempted yet"
    assert question.check(unwritten).status in ("not attempted yet", "not yet")


def endless(*arguments):
    while True:
        pass


@every_question
def test_nonsense_is_refused_in_time(question, monkeypatch):
    monkeypatch.setattr(engine, "TIME_LIMIT", 0.5)
    nonsense = [endless, lambda *arguments: 1 / 0, lambda *arguments: "forty-two", "forty-two", [], {}, (1, 2, 3, 4, 5)]
    for answer in [*nonsense, np.zeros((0, 3)), float("nan"), object()]:
        verdict = question.check(answer)
        assert verdict.status == "not yet" and verdict.message, (answer, verdict)
