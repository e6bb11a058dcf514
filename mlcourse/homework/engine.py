"""Questions that check themselves: they test the mathematics and say what is wrong.

A question is a function of the student's answer that raises ``Wrong`` with a sentence the student can
act on, and returns a sentence of praise that says what was verified.
"""

import functools
import traceback
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PACKAGE = str(Path(__file__).parents[1])


class Wrong(Exception):
    """The answer violates what should hold; the message says on which input, what came out and what should."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of a check: right or not, and why."""

    right: bool
    message: str

    def __str__(self):
        return f"{'right' if self.right else 'not yet'}: {self.message}"

    __repr__ = __str__

    def __bool__(self):
        return self.right


class Question:
    """A question whose ``check(answer)`` returns a ``Verdict``; an error in the answer is reported, not raised."""

    def __init__(self, examine):
        functools.update_wrapper(self, examine)
        self._examine = examine

    def check(self, answer) -> Verdict:
        """What is right or wrong about the answer."""
        if answer is None or answer is Ellipsis:
            return Verdict(False, "no answer was given.")
        try:
            return Verdict(True, self._examine(answer))
        except Wrong as wrong:
            return Verdict(False, str(wrong))
        except (Exception, SystemExit) as error:
            return Verdict(False, f"your code raised {type(error).__name__}: {error}{_students_line(error)}")


def _students_line(error):
    """Where in the student's own code the error arose: the last frame outside this package and the libraries."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not f.filename.startswith(PACKAGE) and "site-packages" not in f.filename]
    return f" (line {own[-1].lineno}: {own[-1].line})" if own else ""


def pair(answer, form):
    """The two parts of an answer that should have the given form."""
    require(isinstance(answer, (tuple, list)) and len(answer) == 2, f"a pair {form} is expected, got {answer!r}.")
    return answer


def function(answer, form):
    """The answer, which should be a function of the given form."""
    require(callable(answer), f"a function {form} is expected, got {answer!r}; give the function, not its result.")
    return answer


def array(value, shape, name):
    """The value as an array of floats, which should have the given shape; () is a number."""
    kind = f"an array of shape {shape}" if shape else "a number"
    try:
        got = None if value is None else np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        got = None
    require(got is not None, f"{name} should be {kind}, got {value!r}.")
    require(got.shape == shape, f"{name} should be {kind}, got shape {got.shape}.")
    return got


def require(condition, message):
    """Raise ``Wrong`` with the message unless the condition holds."""
    if not condition:
        raise Wrong(message)
