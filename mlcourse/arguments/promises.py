"""What makes a formula a promise: its arguments are checked where it is called, its result is a number if it can be."""

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma

from mlcourse.arguments.kinds import argument_reader

R = TypeVar("R")
Result = np.ndarray | float

# A door of its own: a bound that a user's function calls from within an algorithm is still called from outside.
_inside: ContextVar[bool] = ContextVar("the call comes from another promise", default=False)


def checks_ranges(function: Callable[..., R]) -> Callable[..., R]:
    """Decorator: arguments from outside are checked by their kinds and become arrays.

    Promises trust each other. A result is a float if it is a single number, else an array; a bound too large for a
    float is infinite, without a warning: it promises nothing.
    """
    reader = functools.cache(lambda: argument_reader(function))  # the hints are read when they are first needed

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if _inside.get():
            return _single(function(*args, **kwargs))
        token = _inside.set(True)
        try:
            args, kwargs = reader()(args, kwargs)
            with np.errstate(over="ignore", divide="ignore"):
                return _single(function(*args, **kwargs))
        finally:
            _inside.reset(token)

    return call


def _single(result):
    return result[()] if isinstance(result, np.ndarray) and not result.ndim else result


def require(holds: ArrayLike, condition: str) -> None:
    """Raise ``ValueError`` with the condition, which ties several arguments together, unless it holds everywhere."""
    if not np.all(holds):
        raise ValueError(f"the promise holds for {condition} only")


def whole(size: Result) -> Result:
    """The least whole number from 1 on that is not below ``size``, but for rounding."""
    return np.maximum(np.ceil(size * (1 - 1e-12)), 1.0)


def whole_part(bound: Result) -> Result:
    """The largest whole number that is not above ``bound``, but for rounding."""
    return np.floor(bound * (1 + 1e-12))


def harmonic(T: Result) -> Result:
    """The sum 1 + 1/2 + ... + 1/T."""
    return digamma(T + 1) + np.euler_gamma


def first(holds: Callable[[int], Any], above: int = 0) -> int:
    """The smallest whole number above ``above`` from which on the condition holds: by doubling, then by halves."""
    low, high = above, above + 1
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
