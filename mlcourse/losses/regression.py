"""Losses of a real prediction.

y      label, any real number
y_hat  prediction, a real number
eta    posterior P(Y = +1 | x) when the label happens to be -1 or +1
q      level of a quantile
Of several best predictions of a label -1 or +1, a median or quantile, ``bayes`` gives +1.
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from mlcourse.arguments.numbers import check_number
from mlcourse.losses._base import Loss


class Square(Loss):
    """(y - y_hat)^2, minimised on average by the mean."""

    name = "square"
    convex, lipschitz, smooth, dominates_zero_one = True, inf, 2.0, True

    def _value(self, y, y_hat):
        return (y - y_hat) ** 2

    def _slope(self, y, y_hat):
        return 2 * (y_hat - y)

    def _bayes(self, eta):
        return 2 * eta - 1


class Absolute(Loss):
    """|y - y_hat|, minimised on average by the median; derivative 0 at the kink y_hat = y."""

    name = "absolute"
    convex, lipschitz, smooth, dominates_zero_one = True, 1.0, inf, True

    def _value(self, y, y_hat):
        return np.abs(y - y_hat)

    def _slope(self, y, y_hat):
        return np.sign(y_hat - y)

    def _bayes(self, eta):
        return np.where(eta >= 1 / 2, 1.0, -1.0)


@dataclass(frozen=True)
class Pinball(Loss):
    """q [y - y_hat]_+ + (1-q) [y_hat - y]_+, minimised by the q-quantile; derivative 0 at y_hat = y."""

    q: float = 1 / 2
    name = "pinball"
    convex, smooth, dominates_zero_one = True, inf, False
    lipschitz = property(lambda self: max(self.q, 1 - self.q))

    def __post_init__(self):
        if not 0 < check_number("q", self.q) < 1:
            raise ValueError(f"q must lie strictly between 0 and 1, got {self.q!r}")

    def _value(self, y, y_hat):
        return np.maximum(self.q * (y - y_hat), (1 - self.q) * (y_hat - y))

    def _slope(self, y, y_hat):
        return (1 - self.q) * (y_hat > y) - self.q * (y_hat < y)

    def _bayes(self, eta):
        return np.where(eta >= 1 - self.q, 1.0, -1.0)


square = Square()
absolute = Absolute()
