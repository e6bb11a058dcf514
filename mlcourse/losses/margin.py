"""Losses of the margin: how much a score costs, given how far it is on the right side.

z      margin y * score, with label y in {-1, +1}: positive when the score has the label's sign
rho    margin that is asked for
[a]_+  the positive part max(a, 0)
At a kink ``derivative`` returns one subgradient; each docstring says which.
"""

from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from mlcourse.arguments.arrays import check_floats
from mlcourse.arguments.numbers import check_positive
from mlcourse.losses._base import MarginLoss


class ZeroOneMargin(MarginLoss):
    """1{z <= 0}: one for an error, a score of zero (or NaN) included; derivative 0, at the jump too."""

    name = "zero-one"
    convex, lipschitz, smooth, dominates_zero_one = False, inf, inf, True

    def _value(self, z):
        return 1.0 - (z > 0)

    def _slope(self, z):
        return np.zeros_like(z)


class PerceptronLoss(MarginLoss):
    """[-z]_+; derivative -1 at the kink z = 0, so that a score of zero is corrected."""

    name = "perceptron"
    convex, lipschitz, smooth, dominates_zero_one = True, 1.0, inf, False

    def _value(self, z):
        return np.maximum(-z, 0.0)

    def _slope(self, z):
        return np.where(z <= 0, -1.0, 0.0)


class Hinge(MarginLoss):
    """[1 - z]_+; derivative 0 at the kink z = 1, where the margin is just reached."""

    name = "hinge"
    convex, lipschitz, smooth, dominates_zero_one = True, 1.0, inf, True

    def _value(self, z):
        return np.maximum(1 - z, 0.0)

    def _slope(self, z):
        return np.where(z < 1, -1.0, 0.0)


class Logistic(MarginLoss):
    """ln(1 + e^-z), never overflowing."""

    name = "logistic"
    convex, lipschitz, smooth, dominates_zero_one = True, 1.0, 1 / 4, False

    def _value(self, z):
        return np.log1p(np.exp(-np.abs(z))) + np.maximum(-z, 0.0)

    def _slope(self, z):
        return -expit(-z)

    def _curvature(self, z):
        return expit(z) * expit(-z)

    def with_derivative(self, z: ArrayLike) -> tuple[float | np.ndarray, float | np.ndarray]:
        z = check_floats("z", z)
        e = np.exp(-np.abs(z))
        losses = np.log1p(e) - np.minimum(z, 0.0)
        return losses, np.maximum(e, z < 0) / (-1 - e)  # -e / (1 + e) or -1 / (1 + e); np.where is slower


class Logistic2(MarginLoss):
    """log_2(1 + e^-z), which passes through 1 at z = 0 and so dominates the zero-one loss."""

    name = "logistic (base 2)"
    convex, lipschitz, smooth, dominates_zero_one = True, 1 / log(2), 1 / (4 * log(2)), True

    def _value(self, z):
        return logistic(z) / log(2)

    def _slope(self, z):
        return logistic.derivative(z) / log(2)

    def _curvature(self, z):
        return logistic.curvature(z) / log(2)


class Exponential(MarginLoss):
    """e^-z; where that overflows, below z = -709, it is inf without a warning."""

    name = "exponential"
    convex, lipschitz, smooth, dominates_zero_one = True, inf, inf, True

    def _value(self, z):
        return np.exp(-z)

    def _slope(self, z):
        return -np.exp(-z)

    _curvature = _value


class SquaredMargin(MarginLoss):
    """(1 - z)^2, the square loss of the score, since (y - score)^2 = (1 - z)^2 for labels -1 and +1."""

    name = "squared margin"
    convex, lipschitz, smooth, dominates_zero_one = True, inf, 2.0, True

    def _value(self, z):
        return (1 - z) ** 2

    def _slope(self, z):
        return 2 * (z - 1)

    def _curvature(self, z):
        return np.full_like(z, 2.0)


@dataclass(frozen=True)
class RhoMargin(MarginLoss):
    """min(1, [1 - z/rho]_+), a ramp from 1 at z = 0 to 0 at z = rho; derivative 0 at both kinks."""

    rho: float = 1.0
    name = "rho-margin"
    convex, smooth, dominates_zero_one = False, inf, True
    lipschitz = property(lambda self: 1 / self.rho)

    def __post_init__(self):
        check_positive("rho", self.rho)

    def _value(self, z):
        return np.clip(1 - z / self.rho, 0.0, 1.0)

    def _slope(self, z):
        return np.where((0 < z) & (z < self.rho), -self.lipschitz, 0.0)


zero_one_margin = ZeroOneMargin()
perceptron_loss = PerceptronLoss()
hinge = Hinge()
logistic = Logistic()
logistic_base2 = Logistic2()
exponential = Exponential()
squared_margin = SquaredMargin()
