"""The register of promises: which functions state which theorem of the book."""

from collections.abc import Callable
from typing import TypeVar

from mlcourse.arguments.promises import checks_ranges

R = TypeVar("R")
STATEMENTS: dict[str, list[Callable]] = {}


def states(*labels: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Decorator: the function computes what the claims with these labels promise, or one of their faces."""

    def register(function: Callable[..., R]) -> Callable[..., R]:
        stated = checks_ranges(function)
        for label in labels:
            STATEMENTS.setdefault(label, []).append(stated)
        return stated

    return register
