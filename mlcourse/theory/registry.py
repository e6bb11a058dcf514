"""The register of promises: which functions state which theorem of the book."""

from collections.abc import Callable

STATEMENTS: dict[str, list[Callable]] = {}


def states(label: str) -> Callable:
    """Decorator: the function computes what the claim with this label promises, or one of its faces."""

    def register(function):
        STATEMENTS.setdefault(label, []).append(function)
        return function

    return register
