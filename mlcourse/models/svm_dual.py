"""The two problems of the support vector machine and what ties them together.

Letters
    y, K     labels in {-1, +1} and Gram matrix of the sample
    C        price of a unit of slack
    alpha    dual variables in [0, C] with sum_i alpha_i y_i = 0; beta_i = y_i alpha_i
    b        bias of the score h(x) = sum_j beta_j k(x_j, x) + b
    D        squared distances K_ii + K_jj - 2 K_ij of the sample in feature space
"""

from collections import OrderedDict

import numpy as np

from mlcourse.losses import hinge
from mlcourse.models.rkhs import RKHSFunction


def dual_objective(alpha, K, y) -> float:
    """sum_i alpha_i - (1/2) sum_ij alpha_i alpha_j y_i y_j K_ij, to be maximised."""
    beta = alpha * y
    return float(alpha.sum() - beta @ K @ beta / 2)


def primal_objective(alpha, b, K, y, C) -> float:
    """(1/2) ||w||^2 + C sum_i [1 - y_i h(x_i)]_+ for the score h with coefficients y_i alpha_i and bias b."""
    beta = alpha * y
    return float(beta @ K @ beta / 2 + C * hinge(y * (K @ beta + b)).sum())


def duality_gap(alpha, b, K, y, C) -> float:
    """Primal minus dual objective: neither is further than this from its optimum, if alpha is feasible."""
    return primal_objective(alpha, b, K, y, C) - dual_objective(alpha, K, y)


def kkt_residuals(alpha, b, K, y, C) -> np.ndarray:
    """By how much each example violates the optimality conditions on its signed score z = y h(x).

    z >= 1 where alpha = 0, z = 1 where 0 < alpha < C, z <= 1 where alpha = C; alpha outside [0, C] counts too.
    With sum_i alpha_i y_i = 0 they are all zero iff alpha and b are optimal.
    """
    z = y * (K @ (alpha * y) + b)
    score = np.select([alpha <= 0, alpha >= C], [1 - z, z - 1], np.abs(1 - z))
    return np.maximum.reduce([score, -alpha, alpha - C, np.zeros(len(z))])


def optimal_bias(alpha, scores, y, C) -> float:
    """The bias for scores without one: right for free support vectors on average, else amid all that are optimal."""
    g = y - scores
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return float(g[free].mean())
    rises = (alpha == 0) == (y > 0)
    return float((g[rises].max() + g[~rises].min()) / 2)


# --- distances in feature space --------------------------------------------------------------------------


def squared_distances(kernel, X, cache_size):
    """The matrix D of squared distances, or its rows on demand if it does not fit into ``cache_size`` megabytes."""
    diagonal, m = kernel.diagonal(X), len(X)
    if 8 * m * m > cache_size * 1e6:
        return DistanceRows(kernel, X, diagonal, max(2, int(cache_size * 1e6 / (8 * m))))
    D = kernel(X, X)
    for i in range(0, m, 16):  # blocks that stay in the cache
        _from_gram(D[i : i + 16], diagonal[i : i + 16, None], diagonal)
    return D


class DistanceRows:
    """``rows[i]`` is the i-th row of D; the ``capacity`` rows that were used last are remembered."""

    def __init__(self, kernel, X, diagonal, capacity):
        self.kernel, self.X, self.diagonal, self.capacity = kernel, X, diagonal, capacity
        self.rows = OrderedDict()

    def __getitem__(self, i):
        row = self.rows.get(i)
        if row is None:
            if len(self.rows) >= self.capacity:
                self.rows.popitem(last=False)
            row = self.rows[i] = self.kernel(self.X, self.X[i : i + 1])[:, 0]
            _from_gram(row, self.diagonal[i], self.diagonal)
        self.rows.move_to_end(i)
        return row

    def dot(self, beta):
        """The product D beta, from the kernel."""
        used = np.flatnonzero(beta) if beta.any() else [0]
        scores = RKHSFunction(self.X[used], beta[used], self.kernel)(self.X)
        return self.diagonal @ beta + self.diagonal * beta.sum() - 2 * scores


def _from_gram(K, here, there):
    """Turn K, in place, into here + there - 2 K, which is positive or, for the same features, a hair above zero."""
    floor = max(np.finfo(float).eps * there.max(), 1e-290)
    K *= -2
    K += there
    K += here
    if K.min() < -1e6 * floor:
        raise ValueError("the kernel is not positive semidefinite: two points have a negative squared distance")
    np.maximum(K, floor, out=K)
