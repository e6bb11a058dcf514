"""Kinds of arguments of promises: numbers or arrays of numbers, in the range in which the promise holds.

Each is a type hint and, under ``@checks_ranges``, a check: ``def f(m: Sizes, delta: Confidences) -> Result``. From
outside come numbers, arrays or lists; the function gets arrays of finite floats: it is vectorised in all of them.
"""

import functools
import reprlib
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from mlcourse.arguments.kinds import Kind
from mlcourse.arguments.promises import Result


def are_whole(numbers: Result) -> np.ndarray | np.bool_:
    """Which of the numbers are whole, and small enough for a float to tell them from their neighbours."""
    return (numbers == np.floor(numbers)) & (np.abs(numbers) <= 2.0**53)


def floats(name: str, value: Any) -> np.ndarray:
    """``value`` as an array of finite floats."""
    try:
        array = np.asarray(value)
        numbers = array.dtype.kind in "biufO" and np.isfinite(array := np.asarray(array, dtype=float)).all()
    except (TypeError, ValueError, OverflowError):  # no number at all, rows of different lengths, too large for a float
        numbers = False
    if not numbers:
        raise ValueError(f"the promise holds for finite numbers only, got {reprlib.repr(value)}")
    return array


def where(condition: str, holds: Callable[[np.ndarray], Any]) -> Kind:
    """The kind of numbers for which a condition holds; in its words, {} is the name of the argument."""

    def read(name: str, value: Any) -> np.ndarray:
        array = floats(name, value)
        if not holds(array).all():
            raise ValueError(f"the promise holds for {condition.format(name)} only")
        return array

    return Kind(read)


def matrix(name: str, value: Any, shape: str) -> np.ndarray:
    """``value`` as a matrix of finite floats that is not empty; ``shape`` says in words what it should be."""
    array = floats(name, value)
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{name} must have shape {shape} and not be empty, got shape {array.shape}")
    return array


def count(name: str, value: int, least: int = 1) -> int:
    """``value`` as a single integer, not below ``least``."""
    number = floats(name, value)
    if number.ndim or isinstance(value, (bool, np.bool_)) or number < least or not are_whole(number):
        raise ValueError(f"{name} must be a whole number of at least {least}, got {reprlib.repr(value)}")
    return int(value)


Numbers = Annotated[Result, Kind(floats)]
Array = Annotated[np.ndarray, Kind(floats)]  # not a single number
Positives = Annotated[Result, where("{} > 0", lambda x: x > 0)]
FromZero = Annotated[Result, where("{} >= 0", lambda x: x >= 0)]
Sizes = Annotated[Result, where("{} >= 1", lambda x: x >= 1)]
Counts = Annotated[Result, where("whole {} >= 1", lambda x: (x >= 1) & are_whole(x))]
CountsFromTwo = Annotated[Result, where("whole {} >= 2", lambda x: (x >= 2) & are_whole(x))]
Naturals = Annotated[Result, where("whole {} >= 0", lambda x: (x >= 0) & are_whole(x))]
Confidences = Annotated[Result, where("0 < {} <= 1", lambda x: (x > 0) & (x <= 1))]
Shares = Annotated[Result, where("0 < {} <= 1", lambda x: (x > 0) & (x <= 1))]
Chances = Annotated[Result, where("0 <= {} <= 1", lambda x: (x >= 0) & (x <= 1))]
Edges = Annotated[Result, where("0 < {} <= 1/2", lambda x: (x > 0) & (x <= 1 / 2))]
Halves = Annotated[Result, where("0 <= {} <= 1/2", lambda x: (x >= 0) & (x <= 1 / 2))]
Count = Annotated[int, Kind(count)]  # a single one, exact
Natural = Annotated[int, Kind(functools.partial(count, least=0))]
