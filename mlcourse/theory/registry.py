"""The register of promises: which function states which theorem of the book."""

from collections.abc import Callable

STATEMENTS: dict[str, Callable] = {}


def states(label: str) -> Callable:
    """Decorator: the function computes what the claim with this label promises."""

    def register(function):
        if label in STATEMENTS:
            raise ValueError(f"the claim {label!r} is already stated by {STATEMENTS[label].__qualname__}")
        STATEMENTS[label] = function
        return function

    return register
