"""The decision stump: the best rule that looks at one feature once.

Letters
    D      distribution over the m examples
    j      feature, theta threshold, s = +1 or -1 polarity: the rule is s if x_j > theta, else -s
    h      a rule; its agreement with the labels is the sum of D y h(x) = 1 - 2 (weighted error)
"""

import itertools

import numpy as np

from mlcourse.arguments.kinds import Points, Signs, Targets, checks_arguments
from mlcourse.base import BinaryClassifier, WeightedFit


def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The middle of a < b, moved if rounding makes it necessary so that a <= middle < b; arrays go by entries."""
    return np.clip(a / 2 + b / 2, a, np.nextafter(b, -np.inf))


@checks_arguments
def best_stump(X: Points, y: Signs, D: Targets) -> tuple[float, int, float, int]:
    """The weighted error, feature, threshold and sign of the best stump, by trying all; the first of several."""
    best = np.inf, 0, -np.inf, 1
    for j, x in enumerate(X.T):
        middles = map(float, itertools.starmap(between, itertools.pairwise(np.unique(x))))
        for theta, s in itertools.product([-np.inf, *middles], (1, -1)):
            error = D[np.where(x > theta, s, -s) != y].sum()
            if error < best[0]:
                best = float(error), j, theta, s
    return best


class DecisionStump(WeightedFit, BinaryClassifier):
    """The rule "s if x_j > theta, else -s" of least weighted training error over all features, thresholds, signs.

    Exact empirical risk minimisation in O(d m log m): sort a feature once, and the error of every
    threshold is a cumulative sum.

    Learned: ``feature_``, ``threshold_`` (-inf: a constant rule), ``polarity_``, ``risk_`` (its weighted error).

    Guarantee: prop-stump-erm. Book: erm.
    """

    def _fit(self, X, y, D):
        order = X.argsort(axis=0, kind="stable")
        x = np.take_along_axis(X, order, axis=0)  # (m, d), each column sorted
        below = np.cumsum((D * y)[order], axis=0)  # the sum of D y up to row i
        agreement = D @ y - 2 * below  # of the rule +1 above a cut after row i, -1 below
        agreement[-1] = D @ y  # a cut below everything instead of above: the constant rule
        agreement[:-1][x[:-1] == x[1:]] = 0  # no cut between equal values
        i, j = np.unravel_index(np.abs(agreement).argmax(), agreement.shape)
        self.feature_ = int(j)
        self.threshold_ = float(between(x[i, j], x[i + 1, j])) if i < len(x) - 1 else -np.inf
        self.polarity_ = 1 if agreement[i, j] >= 0 else -1
        self.risk_ = max(0.0, float(1 - np.abs(agreement[i, j])) / 2)

    def _score(self, X):
        return np.where(X[:, self.feature_] > self.threshold_, self.polarity_, -self.polarity_).astype(float)
