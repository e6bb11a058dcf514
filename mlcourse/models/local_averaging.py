"""Local averages: the vote of the training points near x, where "near" is a cell or a window of fixed size.

Letters
    X, y   sample of m points of R^d and their labels 0..k-1
    side   side of the cubic cells, bandwidth: radius of the window
    W      (n, m) weights of the training points at n new points
"""

import numpy as np
from scipy.spatial.distance import cdist

from mlcourse._checks import check_one_of, check_positive
from mlcourse.base import ProbabilisticClassifier

BLOCK = 2**20  # pairs of points that are looked at together

KERNELS = {  # functions of t = |z|^2
    "box": lambda t: (t <= 1).astype(float),
    "epanechnikov": lambda t: np.maximum(1 - t, 0),
    "gaussian": lambda t: np.exp(-t / 2),
}


def cells(X, side):
    """One key for each row of X: rows with the same key lie in the same cube floor(x / side)."""
    with np.errstate(over="ignore"):
        corner = np.floor(X / side) + 0.0  # no minus zero
    if not np.isfinite(corner).all():
        raise ValueError(f"x / side overflows: choose a side larger than {side}")
    return np.ascontiguousarray(corner).view(np.dtype((np.void, corner.itemsize * X.shape[1]))).ravel()


def shares(votes, otherwise):
    """The rows of votes as fractions; a row without votes becomes ``otherwise``."""
    total = votes.sum(axis=1, keepdims=True)
    return np.where(total > 0, votes / np.where(total > 0, total, 1), otherwise)


class HistogramRule(ProbabilisticClassifier):
    """Majority vote of the training points in the cell of x: space is cut into cubes floor(x / side).

    An empty cell is answered by the whole sample. A tie goes to the first class of ``classes_``.

    Parameters: ``side`` > 0 of the cubes; 0 is a corner of one.

    Learned: ``cells_``, the keys of the occupied cells, sorted; ``shares_`` (number of cells, k), the fractions of
    the classes in each of them; ``prior_`` (k,), those in the sample.

    Book: nearest-neighbors.
    """

    _valid = {"side": check_positive}

    def __init__(self, side=1.0):
        self.side = side

    def _fit(self, X, y):
        counts = np.bincount(y)
        self.prior_ = counts / len(y)
        self.cells_, cell = np.unique(cells(X, self.side), return_inverse=True)
        votes = np.zeros((len(self.cells_), len(counts)))
        np.add.at(votes, (cell, y), 1)
        self.shares_ = shares(votes, self.prior_)

    def _proba(self, X):
        new = cells(X, self.side)
        place = np.minimum(np.searchsorted(self.cells_, new), len(self.cells_) - 1)
        return np.where((self.cells_[place] == new)[:, None], self.shares_[place], self.prior_)


class KernelRule(ProbabilisticClassifier):
    """Vote of all training points with weights K((x - x_i) / bandwidth).

    K(z) is 1 if |z| <= 1, else 0 ("box", the moving window); max(0, 1 - |z|^2) ("epanechnikov"); exp(-|z|^2 / 2)
    ("gaussian"). Where all weights are zero the whole sample answers; a Gaussian weight never is, since it is computed
    relative to that of the nearest point. A tie goes to the first class of ``classes_``.

    Learned: ``X_``, ``y_``, the sample, and ``prior_`` (k,), the fractions of the classes in it.

    Book: nearest-neighbors.
    """

    _valid = {"bandwidth": check_positive, "kernel": check_one_of(*KERNELS)}

    def __init__(self, bandwidth=1.0, kernel="box"):
        self.bandwidth = bandwidth
        self.kernel = kernel

    def _fit(self, X, y):
        self.X_, self.y_ = X.copy(), y
        self.prior_ = np.bincount(y) / len(y)

    def _proba(self, X):
        one_hot = np.eye(len(self.classes_))[self.y_]
        n_rows = max(1, BLOCK // len(self.X_))
        votes = [self._weights(X[i : i + n_rows]) @ one_hot for i in range(0, len(X), n_rows)]
        return shares(np.concatenate(votes), self.prior_)

    def _weights(self, X):
        t = (cdist(X, self.X_) / self.bandwidth) ** 2  # (n, m)
        if self.kernel == "gaussian":
            t -= t.min(axis=1, keepdims=True)
        return KERNELS[self.kernel](t)
