"""The errors and warnings of the package, and where a warning points: at the line of the user's that caused it."""

import functools
import sys
import warnings
from pathlib import Path

PACKAGE = str(Path(__file__).parents[1])


class NotFittedError(ValueError, AttributeError):
    """Raised when a model is asked to predict before it was fitted."""


class DataConversionWarning(UserWarning):
    """Given when an input had to be reshaped to be understood."""


class SeparableWarning(UserWarning):
    """Given when a hyperplane separates the classes, so that no weights have the largest likelihood."""


class SingularCovarianceWarning(UserWarning):
    """Given when the points of a class lie in a hyperplane, so that the likelihood is unbounded."""


def not_fitted(model: object) -> NotFittedError:
    """The error to raise for an unfitted model; also scikit-learn's own kind if that is loaded."""
    kind = NotFittedError
    if "sklearn.exceptions" in sys.modules:
        kind = _also(sys.modules["sklearn.exceptions"].NotFittedError)
    return kind(f"this {type(model).__name__} is not fitted yet: call fit before using it")


@functools.cache
def _also(other):
    """Our ``NotFittedError`` that is an ``other`` too."""
    return type("NotFittedError", (NotFittedError, other), {})


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn of the line outside the package that led here."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
