"""Questions that check themselves: they test the mathematics and say what is wrong.

A question is a function of the student's answer that raises ``Wrong`` with a sentence the student can
act on, and returns a sentence of praise that says what was verified.
"""

import functools
import traceback
from dataclasses import dataclass


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
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            message = f"your code raised {type(error).__name__}: {error} (line {where.lineno}: {where.line})"
            return Verdict(False, message)


def require(condition, message):
    """Raise ``Wrong`` with the message unless the condition holds."""
    if not condition:
        raise Wrong(message)
