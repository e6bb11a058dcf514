"""The arguments of a promise: arrays of floats, in the range in which it holds."""

import numpy as np


def arrays(*arguments):
    """The arguments as arrays of floats, so that a bound is vectorised in all of them."""
    return (np.asarray(argument, dtype=float) for argument in arguments)


def require(holds, condition):
    """Raise ``ValueError`` with the condition unless it holds everywhere."""
    if not np.all(holds):
        raise ValueError(f"the promise holds for {condition} only")
