"""Losses of a predicted label: not real predictions, so there is nothing to differentiate.

y      label
y_hat  predicted label
eta    posterior P(Y = +1 | x) when the labels are -1 and +1
c_fp   cost of a false positive, y_hat = +1 when y = -1
c_fn   cost of a false negative, y_hat = -1 when y = +1
"""

from dataclasses import dataclass
from math import inf
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_array, check_broadcast, check_each_sign
from mlcourse.arguments.numbers import check_positive
from mlcourse.losses._base import Loss


class LabelLoss(Loss):
    """A loss of a predicted label."""

    convex, lipschitz, smooth = False, inf, inf

    def derivative(self, y: ArrayLike, y_hat: ArrayLike) -> NoReturn:
        """Nothing: raises ``ValueError``, since labels cannot be moved a little."""
        raise ValueError(f"the {self.name} loss of a label has no derivative: take a margin loss of a score")


class ZeroOne(LabelLoss):
    """1{y != y_hat}, for labels of any kind; of two labels as probable as each other, +1 is best."""

    name = "zero-one"
    dominates_zero_one = True

    def __call__(self, y, y_hat):
        """One where the predicted label is wrong, zero where it is right."""
        y, y_hat = np.asarray(check_array("y", y)), np.asarray(check_array("y_hat", y_hat))
        check_broadcast(y, y_hat)
        return np.asarray(y != y_hat, dtype=float)[()]

    def _bayes(self, eta):
        return np.where(eta >= 1 / 2, 1, -1)


@dataclass(frozen=True)
class CostSensitive(LabelLoss):
    """c_fp 1{y_hat > y} + c_fn 1{y_hat < y}, for labels -1 and +1; +1 is best from eta = c_fp / (c_fp + c_fn) on."""

    c_fp: float
    c_fn: float
    name = "cost-sensitive"
    dominates_zero_one = property(lambda self: min(self.c_fp, self.c_fn) >= 1)

    def __post_init__(self):
        check_positive("c_fp", self.c_fp)
        check_positive("c_fn", self.c_fn)

    def _value(self, y, y_hat):
        y, y_hat = check_each_sign("y", y), check_each_sign("y_hat", y_hat)
        return self.c_fp * (y_hat > y) + self.c_fn * (y_hat < y)

    def _bayes(self, eta):
        return np.where(eta >= self.c_fp / (self.c_fp + self.c_fn), 1, -1)


zero_one = ZeroOne()
