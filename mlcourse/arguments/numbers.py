"""Checks of parameters: numbers, counts, choices, generators of random numbers."""

import math
import numbers
import reprlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np


def check_number(name: str, value: Any) -> float:
    """``value`` as a finite float."""
    is_real = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
    try:
        number = float(value) if is_real else math.nan
    except OverflowError:  # an integer too large for a float
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {reprlib.repr(value)}")
    return number


def number_check(obeys: Callable[[float], bool], rule: str) -> Callable[[str, Any], float]:
    """A check that ``value`` is a finite number that obeys the rule; it returns the number as a float."""

    def check(name: str, value: Any) -> float:
        if not obeys(check_number(name, value)):
            raise ValueError(f"{name} must {rule}, got {value!r}")
        return float(value)

    return check


check_positive = number_check(lambda value: value > 0, "be positive")
check_non_negative = number_check(lambda value: value >= 0, "be zero or positive")
check_fraction = number_check(lambda value: 0 < value < 1, "lie strictly between 0 and 1")
check_decay = number_check(lambda value: 0 <= value < 1, "be at least 0 and below 1")


def check_in_range(name: str, value: Any, low: float, high: float) -> float:
    """``value`` as a float in [low, high]."""
    if not low <= check_number(name, value) <= high:
        raise ValueError(f"{name} must lie between {low} and {high}, got {value!r}")
    return float(value)


def check_tolerance(name: str, value: Any) -> float:
    """``value`` as a float in ]0, 1]."""
    return check_in_range(name, check_positive(name, value), 0, 1)


def check_image(name: str, value: Any) -> tuple[int, int, int]:
    """``value``, the height, width and, if not 1, channels of an image, as three integers."""
    shape = check_counts(name, value)
    if len(shape) not in (2, 3):
        raise ValueError(f"{name} must be (height, width) or (height, width, channels), got {value!r}")
    height, width, channels = (*shape, 1)[:3]
    return height, width, channels


def check_odd(name: str, value: Any) -> int:
    """``value`` as an odd integer >= 1."""
    if check_count(name, value) % 2 == 0:
        raise ValueError(f"{name} must be odd, so that a filter has a central pixel, got {value!r}")
    return int(value)


def check_count(name: str, value: Any, minimum: int = 1) -> int:
    """``value`` as an integer >= minimum."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or int(value) < minimum:
        raise ValueError(f"{name} must be an integer of at least {minimum}, got {reprlib.repr(value)}")
    if int(value) > sys.maxsize:
        raise ValueError(f"{name} must be an integer that an index can hold, got {reprlib.repr(value)}")
    return int(value)


def check_optional_count(name: str, value: Any) -> int | None:
    """``value`` as an integer >= 1, or None."""
    return value if value is None else check_count(name, value)


def check_counts(name: str, value: Any) -> tuple[int, ...]:
    """``value``, an integer >= 1 or a tuple of such, as a tuple of integers."""
    if isinstance(value, numbers.Integral) or isinstance(value, (str, bytes)) or not np.iterable(value):
        value = (value,)
    return tuple(check_count(f"every entry of {name}", width) for width in value)


def check_decays(name: str, value: Any) -> tuple[float, ...]:
    """``value`` as a pair of floats in [0, 1[."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ValueError(f"{name} must be a pair of numbers, got {value!r}")
    return tuple(check_decay(f"every entry of {name}", part) for part in value)


def check_flag(name: str, value: Any) -> bool:
    """``value`` as a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def check_one_of(*choices: Any) -> Callable:
    """A check that ``value`` is one of the choices."""

    def check(name, value):
        if not isinstance(value, (str, int, np.integer)) or isinstance(value, bool) or value not in choices:
            raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, got {reprlib.repr(value)}")
        return value

    return check


def check_binary(name: str, value: Any) -> Any:
    """``value``, which is None or a classifier with a real score."""
    if value is not None and not (hasattr(value, "fit") and hasattr(value, "decision_function")):
        raise ValueError(f"{name} must be None or a classifier with a decision_function such as SVM(), got {value!r}")
    return value


def check_rng(rng: Any) -> np.random.Generator:
    """A ``numpy.random.Generator``: ``rng`` itself, or a new one seeded by None, an integer or a RandomState."""
    if isinstance(rng, np.random.RandomState):  # what scikit-learn's tools hand over
        rng = int(rng.randint(2**31))
    try:
        if isinstance(rng, (bool, np.bool_)):
            raise TypeError
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        message = f"rng or random_state must be None, an integer >= 0 or a numpy.random.Generator, got {rng!r}"
        raise ValueError(message) from error
