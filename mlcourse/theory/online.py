"""Mistake bounds of the perceptron family.

Letters
    R      radius of the data: the largest ||x_i||
    rho    margin of a separating vector: the smallest y_i w.x_i / ||w||; with several classes, of a
           matrix W with ||W|| = 1: the smallest (W_y - W_c).x
    b      bias of a separating hyperplane {x : w.x + b = 0} with ||w|| = 1
"""

import math

import numpy as np

from mlcourse.arguments.promises import Result, whole_part
from mlcourse.theory.registry import states


@states("thm-novikoff")
def novikoff(R: Result, rho: Result) -> Result | int:
    """The most updates a perceptron without bias can make: the integer part of (R / rho)^2."""
    return _whole(_squared_ratio(R, rho))


@states("cor-novikoff-bias")
def novikoff_with_bias(R: Result, rho: Result, b: Result) -> Result | int:
    """The most updates with a bias learned as the weight of a constant feature 1."""
    return _whole(_squared_ratio(np.hypot(1, R), rho) * (1 + np.square(b, dtype=float)))


@states("thm-multiclass-perceptron")
def multiclass_perceptron_bound(R: Result, rho: Result) -> Result | int:
    """The most updates of the multiclass perceptron: the integer part of 2 (R / rho)^2."""
    return _whole(2 * _squared_ratio(R, rho))


@states("thm-slow-perceptron")
def slow_perceptron(d: Result) -> np.ndarray | int:
    """The number of updates on the hard sample in dimension d, whatever the order: (4^d - 1) / 3."""
    return np.vectorize(lambda dimension: (4 ** int(dimension) - 1) // 3, otypes=[object])(d)


def _squared_ratio(R, rho):
    R, rho = np.asarray(R, dtype=float), np.asarray(rho, dtype=float)
    if not (rho > 0).all():
        raise ValueError(f"the margin rho must be positive, got {rho.min()}")
    return (R / rho) ** 2


def _whole(bound):
    floor = whole_part(bound)  # (R / rho)^2 is often whole in theory and a hair below it in floating point
    return floor if np.ndim(floor) else (math.inf if math.isinf(floor) else int(floor))
