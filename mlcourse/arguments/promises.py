"""The arguments of a promise: arrays of floats, in the range in which it holds.

As type hints, ``Numbers`` is what goes in: a number, or an array or lists of numbers. ``Result`` is what comes out:
a float if it is a single number, else an array.
"""

import reprlib
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma

Numbers = Annotated[np.ndarray | float | Sequence[Any], "a number, or an array or lists of numbers"]
Result = np.ndarray | float


def arrays(*arguments: Numbers) -> tuple[np.ndarray, ...]:
    """The arguments as arrays of finite floats, so that a bound is vectorised in all of them."""
    return tuple(_floats(argument) for argument in arguments)


def _floats(argument):
    try:
        array = np.asarray(argument)
        numbers = array.dtype.kind in "biufO" and np.isfinite(array := np.asarray(array, dtype=float)).all()
    except (TypeError, ValueError, OverflowError):  # no number at all, rows of different lengths, too large for a float
        numbers = False
    if not numbers:
        raise ValueError(f"the promise holds for finite numbers only, got {reprlib.repr(argument)}")
    return array


def matrix(name: str, value: Numbers, shape: str) -> np.ndarray:
    """``value`` as a matrix of finite floats that is not empty; ``shape`` says in words what it should be."""
    (array,) = arrays(value)
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{name} must have shape {shape} and not be empty, got shape {array.shape}")
    return array


def count(name: str, value: int, least: int = 1) -> int:
    """``value`` as a single integer, not below ``least``."""
    (number,) = arrays(value)
    if number.ndim or isinstance(value, (bool, np.bool_)) or number < least or not are_whole(number):
        raise ValueError(f"{name} must be a whole number of at least {least}, got {reprlib.repr(value)}")
    return int(value)


def are_whole(numbers: Result) -> np.ndarray | np.bool_:
    """Which of the numbers are whole, and small enough for a float to tell them from their neighbours."""
    return (numbers == np.floor(numbers)) & (np.abs(numbers) <= 2.0**53)


def require(holds: ArrayLike, condition: str) -> None:
    """Raise ``ValueError`` with the condition unless it holds everywhere."""
    if not np.all(holds):
        raise ValueError(f"the promise holds for {condition} only")


def confidence(delta: Numbers) -> np.ndarray:
    """The failure probabilities delta as an array, each above 0 and at most 1."""
    (delta,) = arrays(delta)
    require((delta > 0) & (delta <= 1), "0 < delta <= 1")
    return delta


def whole(size: Result) -> Result:
    """The least whole number from 1 on that is not below ``size``, but for rounding."""
    return np.maximum(np.ceil(size * (1 - 1e-12)), 1.0)[()]


def harmonic(T: Result) -> Result:
    """The sum 1 + 1/2 + ... + 1/T."""
    return digamma(T + 1) + np.euler_gamma


def whole_part(bound: Result) -> Result:
    """The largest whole number that is not above ``bound``, but for rounding."""
    return np.floor(bound * (1 + 1e-12))[()]
