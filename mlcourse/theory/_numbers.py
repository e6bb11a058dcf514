"""The arguments of a promise: arrays of floats, in the range in which it holds."""

import numpy as np


def arrays(*arguments):
    """The arguments as arrays of floats, so that a bound is vectorised in all of them."""
    return (np.asarray(argument, dtype=float) for argument in arguments)


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
