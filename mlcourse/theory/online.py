"""Mistake bounds of the perceptron family.

Letters
    R      radius of the data: the largest ||x_i||
    rho    margin of a separating vector: the smallest y_i w.x_i / ||w||
    b      bias of a separating hyperplane {x : w.x + b = 0} with ||w|| = 1
    gamma  multiclass margin: the smallest (W_y - W_c).x with ||W|| = 1
"""

import math

import numpy as np

from mlcourse.theory.registry import states


@states("thm-novikoff")
def novikoff(R, rho):
    """The most updates a perceptron without bias can make: the integer part of (R / rho)^2."""
    return _whole((np.asarray(R) / rho) ** 2)


@states("cor-novikoff-bias")
def novikoff_with_bias(R, rho, b):
    """The most updates with a bias learned as the weight of a constant feature 1."""
    return _whole((1 + np.square(R)) * (1 + np.square(b)) / np.square(rho))


@states("thm-multiclass-perceptron")
def multiclass_perceptron_bound(R, gamma):
    """The most updates of the multiclass perceptron: the integer part of 2 (R / gamma)^2."""
    return _whole(2 * (np.asarray(R) / gamma) ** 2)


@states("thm-slow-perceptron")
def slow_perceptron(d):
    """The number of updates on the hard sample in dimension d, whatever the order: (4^d - 1) / 3."""
    return (4**d - 1) // 3


def _whole(bound):
    # (R / rho)^2 is often a whole number in theory and a hair below it in floating point
    floor = np.floor(bound * (1 + 1e-12))
    return floor if floor.ndim else (math.inf if math.isinf(floor) else int(floor))
