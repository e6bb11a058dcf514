"""The register of promises: which functions state which theorem of the book."""

from collections.abc import Callable

import numpy as np

STATEMENTS: dict[str, list[Callable]] = {}


def states(label: str) -> Callable:
    """Decorator: the function computes what the claim with this label promises, or one of its faces.

    A bound too large for a float is infinite, without a warning: it promises nothing.
    """

    def register(function):
        promise = np.errstate(over="ignore", divide="ignore")(function)
        STATEMENTS.setdefault(label, []).append(promise)
        return promise

    return register
