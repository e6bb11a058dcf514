"""The register of promises: which functions state which theorem of the book."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from mlcourse.arguments.promises import Numbers, arrays

Promised = TypeVar("Promised")
STATEMENTS: dict[str, list[Callable]] = {}


def states(label: str) -> Callable[[Callable[..., Promised]], Callable[..., Promised]]:
    """Decorator: the function computes what the claim with this label promises, or one of its faces.

    Its ``Numbers`` come as arrays of finite floats, so that it is vectorised in all of them. A bound too large for a
    float is infinite, without a warning: it promises nothing.
    """

    def register(function: Callable[..., Promised]) -> Callable[..., Promised]:
        signature = inspect.signature(function)
        numbers = [name for name, parameter in signature.parameters.items() if parameter.annotation == Numbers]

        @functools.wraps(function)
        def promise(*args: Any, **kwargs: Any) -> Promised:
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            given.arguments.update(zip(numbers, arrays(*(given.arguments[name] for name in numbers)), strict=True))
            with np.errstate(over="ignore", divide="ignore"):
                return function(*given.args, **given.kwargs)

        STATEMENTS.setdefault(label, []).append(promise)
        return promise

    return register
