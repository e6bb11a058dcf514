"""The arguments of a promise: arrays of floats, in the range in which it holds."""

import reprlib

import numpy as np
from scipy.special import digamma


def arrays(*arguments):
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


def matrix(name, value, shape):
    """``value`` as a matrix of finite floats that is not empty; ``shape`` says in words what it should be."""
    (array,) = arrays(value)
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{name} must have shape {shape} and not be empty, got shape {array.shape}")
    return array


def count(name, value, least=1):
    """``value`` as a single integer, not below ``least``."""
    (number,) = arrays(value)
    if number.ndim or isinstance(value, (bool, np.bool_)) or number < least or not are_whole(number):
        raise ValueError(f"{name} must be a whole number of at least {least}, got {reprlib.repr(value)}")
    return int(value)


def are_whole(numbers):
    """Which of the numbers are whole, and small enough for a float to tell them from their neighbours."""
    return (numbers == np.floor(numbers)) & (np.abs(numbers) <= 2.0**53)


def require(holds, condition):
    """Raise ``ValueError`` with the condition unless it holds everywhere."""
    if not np.all(holds):
        raise ValueError(f"the promise holds for {condition} only")


def confidence(delta):
    """The failure probabilities delta as an array, each above 0 and at most 1."""
    (delta,) = arrays(delta)
    require((delta > 0) & (delta <= 1), "0 < delta <= 1")
    return delta


def whole(size):
    """The least whole number from 1 on that is not below ``size``, but for rounding."""
    return np.maximum(np.ceil(size * (1 - 1e-12)), 1.0)[()]


def harmonic(T):
    """The sum 1 + 1/2 + ... + 1/T."""
    return digamma(T + 1) + np.euler_gamma


def whole_part(bound):
    """The largest whole number that is not above ``bound``, but for rounding."""
    return np.floor(bound * (1 + 1e-12))[()]
