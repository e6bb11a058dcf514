"""The door: arguments are checked where a call enters the package, and nowhere inside it.

The outermost call of a public function checks what it was given; the functions that it calls trust it. Estimators
check whatever reaches them, since an ensemble may hand them anything, but do not look through the same array twice.
A context variable remembers whether we are inside, and which arrays have been looked through.
"""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")
_seen: ContextVar[list[np.ndarray] | None] = ContextVar("arrays that passed the door", default=None)


@contextmanager
def entered() -> Iterator[None]:
    """Inside the door: what passes it is remembered until it is left."""
    token = _seen.set([*(_seen.get() or ())])
    try:
        yield
    finally:
        _seen.reset(token)


def at_the_door(method: Callable[P, R]) -> Callable[P, R]:
    """Decorator of a public method: what it reads is looked through once, and what it calls trusts it."""

    @functools.wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        with entered():
            return method(*args, **kwargs)

    return call


def is_inside() -> bool:
    """Whether the arguments of this call come from the package itself."""
    return _seen.get() is not None


def is_known(array: np.ndarray) -> bool:
    """Whether this very array, or one that it is a part of, has been looked through already."""
    whole = array if array.base is None else array.base
    return any(array is known or whole is known or whole is known.base for known in _seen.get() or ())


def remember(array: np.ndarray) -> np.ndarray:
    """The array, which has been looked through."""
    if (seen := _seen.get()) is not None:
        seen.append(array)
    return array


def compute(name: str, function: Callable, *args: Any, **kwargs: Any) -> Any:
    """The value of the function; numbers too large for it end in ``ValueError`` instead of a warning."""
    loud = np.geterr()["over"] == "warn"  # who has silenced NumPy gets infinities
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise") if loud else np.errstate():
            return function(*args, **kwargs)
    except ArithmeticError as error:
        raise ValueError(f"{name} cannot compute with such numbers ({error}): rescale them") from error
