"""Shattering and the growth function.

Letters
    omega    frequency of the rule x -> sgn(sin(omega x))
    y        labels -1, +1
"""

import math

import numpy as np

from mlcourse.theory.registry import states


@states("prop-sine-shatters")
def sine_frequency(y):
    """An omega for which sgn(sin(omega x)) gives the points 10^-1, ..., 10^-m the labels y.

    It is pi times (1 + the sum of 10^i over the i with y_i = -1).
    """
    y = np.asarray(y)
    return math.pi * (1 + sum(10.0**i for i, label in enumerate(y, start=1) if label < 0))
