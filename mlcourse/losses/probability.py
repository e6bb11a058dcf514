"""Losses of a predicted probability.

y      label in {-1, +1}
p      prediction in [0, 1]: the probability given to y = +1
eta    posterior P(Y = +1 | x), the truth that p estimates
"""

from math import inf

import numpy as np

from mlcourse.arguments.arrays import check_each_sign, check_probabilities
from mlcourse.losses._base import Loss


class LogLoss(Loss):
    """ln(1/p) if y = +1, ln(1/(1-p)) if y = -1; inf, without a warning, for a wrong certainty; eta is the best p."""

    name = "log"
    convex, lipschitz, smooth, dominates_zero_one = True, inf, inf, False

    def _value(self, y, p):
        y, p = check_each_sign("y", y), check_probabilities("p", p)
        return np.abs(np.where(y > 0, np.log(p), np.log1p(-p)))

    def _slope(self, y, p):
        y, p = check_each_sign("y", y), check_probabilities("p", p)
        return -y / np.where(y > 0, p, 1 - p)

    def _bayes(self, eta):
        return eta


log_loss = LogLoss()
