"""The decision stump: the best rule that looks at one feature once.

Letters
    D      distribution over the m examples
    j      feature, theta threshold, s = +1 or -1 polarity: the rule is s if x_j > theta, else -s
"""

import numpy as np

from mlcourse.base import BinaryClassifier, WeightedFit


class DecisionStump(WeightedFit, BinaryClassifier):
    """The rule s sgn(x_j - theta) of least weighted training error, over all features, thresholds and signs.

    Exact empirical risk minimisation in O(d m log m): sort a feature once, and the error of every
    threshold is a cumulative sum.

    Learned: ``feature_``, ``threshold_`` (-inf: a constant rule), ``polarity_``, ``risk_`` (its weighted error).

    Guarantee: prop-stump-erm. Book: erm.
    """

    def _fit(self, X, y, D):
        order = X.argsort(axis=0, kind="stable")
        x = np.take_along_axis(X, order, axis=0)  # (m, d), each column sorted
        below = np.cumsum((D * y)[order], axis=0)  # the sum of D y up to row i
        edge = D @ y - 2 * below  # the sum of D y h(x) for the rule +1 above a cut after row i, -1 below
        edge[-1] = D @ y  # instead of a cut above everything: one below everything, the constant rule
        edge[:-1][x[:-1] == x[1:]] = 0  # no cut between equal values
        i, j = np.unravel_index(np.abs(edge).argmax(), edge.shape)
        cut = (x[i, j] + x[i + 1, j]) / 2 if i < len(x) - 1 else -np.inf
        self.feature_, self.threshold_ = int(j), float(cut)
        self.polarity_ = 1 if edge[i, j] >= 0 else -1
        self.risk_ = float((1 - np.abs(edge[i, j])) / 2)

    def _score(self, X):
        return np.where(X[:, self.feature_] > self.threshold_, self.polarity_, -self.polarity_).astype(float)
