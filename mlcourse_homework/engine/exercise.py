"""What the exercises of the chapters share: how a check gets its function, and how it names a known mistake."""

import copy
import functools
import inspect

import numpy as np

from mlcourse_homework.engine.answers import function, require
from mlcourse_homework.engine.question import Question


def exercise(examine):
    """A question of a chapter; its check gets the answer and, if it takes a second argument, random numbers.

    If the docstring begins with a call, the answer is a function; the check may hand it its own arrays, of which it
    gets copies.
    """
    call = Question(examine).parameters
    chance = len(inspect.signature(examine).parameters) == 2

    @functools.wraps(examine)
    def check(answer):
        if call.startswith("answer("):
            answer = on_copies(function(answer, call.replace("answer", examine.__name__, 1)))
        return examine(answer, *[np.random.default_rng(0)] * chance)

    return Question(check)


def on_copies(answer):
    """The function, which gets copies of the arrays and lists that it is called with."""

    def call(*arguments):
        return answer(*(copy.deepcopy(part) if isinstance(part, (np.ndarray, list)) else part for part in arguments))

    return call


def things(answer, n, form):
    """The n parts of an answer that should have the given form."""
    fits = isinstance(answer, (tuple, list)) and len(answer) == n
    require(fits, f"{n} things {form} are expected, got {answer!r}." + " Is a return missing?" * (answer is None))
    return answer


def because(*reasons):
    """The first sentence whose condition holds, to end a message with; reasons are pairs (condition, sentence)."""
    return next((f" {sentence}" for holds, sentence in reasons if holds), "")


def known(got, *mistakes, rtol=1e-7, atol=1e-12):
    """The sentence about the first known mistake that gives this result; mistakes are pairs (result, sentence)."""
    return because(*((np.allclose(got, wrong, rtol=rtol, atol=atol), sentence) for wrong, sentence in mistakes))
