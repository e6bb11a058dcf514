"""The tests at the inner nodes of a tree: each looks at one attribute of x and says to which child x goes.

Letters
    x        a row of attributes
    theta    threshold
"""

import numbers
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from mlcourse.arguments.collections import check_iterable
from mlcourse.arguments.numbers import check_count


class Condition:
    """In words: the attribute that is looked at, what each child says of it, and both together."""

    feature: int
    answers: Callable[[], list[str]]  # what each child says of the attribute

    def __post_init__(self):
        check_count("feature", self.feature, minimum=0)
        for name in ("theta", "low", "high"):  # they may be infinite
            value = getattr(self, name, 0.0)
            if not isinstance(value, numbers.Real) or isinstance(value, bool) or value != value:
                raise ValueError(f"{name} must be a number, got {value!r}")

    def _number(self, x):
        value = x[self.feature]
        if not isinstance(value, (numbers.Real, np.bool_)):
            raise ValueError(f"attribute {self.feature} must be a number to be compared, got {value!r}")
        return value

    def describe(self, names: Sequence[str] | None = None) -> str:
        """The name of the attribute."""
        if names is not None and self.feature >= len(names):
            raise ValueError(f"names must name more than {self.feature} attributes, got {len(names)}")
        return f"x{self.feature + 1}" if names is None else str(names[self.feature])

    def branches(self, names: Sequence[str] | None = None) -> list[str]:
        """The condition under which x goes to each child."""
        return [f"{self.describe(names)} {answer}" for answer in self.answers()]


@dataclass(frozen=True)
class Threshold(Condition):
    """The test that sends x to child 0 if x[feature] <= theta, to child 1 otherwise."""

    feature: int
    theta: float

    def __call__(self, x: Sequence) -> int:
        return int(not self._number(x) <= self.theta)

    def answers(self) -> list[str]:
        return [f"<= {in_words(self.theta)}", f"> {in_words(self.theta)}"]


@dataclass(frozen=True)
class Interval(Condition):
    """The test that sends x to child 1 if low <= x[feature] <= high, to child 0 otherwise."""

    feature: int
    low: float
    high: float

    def __call__(self, x: Sequence) -> int:
        return int(self.low <= self._number(x) <= self.high)

    def answers(self) -> list[str]:
        return [f"{word} [{in_words(self.low)}, {in_words(self.high)}]" for word in ("not in", "in")]


@dataclass(frozen=True)
class _Listed(Condition):
    """A test that knows some values of the attribute."""

    feature: int
    values: tuple

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "values", tuple(check_iterable("values", self.values)))
        if not all(isinstance(value, Hashable) and value == value for value in self.values):
            raise ValueError(f"a test needs values that can be compared, got {self.values!r}")
        if not self.values or len(set(self.values)) < len(self.values):
            raise ValueError(f"a test needs distinct values, at least one, got {self.values!r}")


class Values(_Listed):
    """The test with one child for each of the values, in their order; any other value is an error."""

    def __call__(self, x: Sequence) -> int:
        if x[self.feature] not in self.values:
            raise ValueError(f"{self.describe()} must be one of {list(self.values)}, got {x[self.feature]!r}")
        return self.values.index(x[self.feature])

    def answers(self) -> list[str]:
        return [f"= {in_words(value)}" for value in self.values]


class Member(_Listed):
    """The test that sends x to child 1 if x[feature] is one of the values, to child 0 otherwise."""

    def __call__(self, x: Sequence) -> int:
        return int(x[self.feature] in self.values)

    def answers(self) -> list[str]:
        if len(self.values) == 1:
            return [f"{sign} {in_words(self.values[0])}" for sign in ("!=", "=")]
        return [f"{word} {{{', '.join(map(in_words, self.values))}}}" for word in ("not in", "in")]


def in_words(value: object) -> str:
    """A value to be read: numbers with four digits."""
    return f"{value:.4g}" if isinstance(value, (float, np.floating)) else str(value)
