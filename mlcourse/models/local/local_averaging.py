"""Local averages: the vote of the training points near x, where "near" is a cell or a window of fixed size.

Letters
    X, y   sample of m points of R^d and their labels 0..k-1
    side   side of the cubic cells, bandwidth: radius of the window
    W      (n, m) weights of the training points at n new points
"""

import numpy as np
from scipy.spatial.distance import cdist

from mlcourse.arguments.numbers import check_number, check_one_of, check_positive
from mlcourse.base import ProbabilisticClassifier
from mlcourse.models.local.nearest_neighbors import DISTANCES_AT_ONCE, row_keys
from mlcourse.optim.moments import row_blocks


def gaussian(distance: np.ndarray) -> np.ndarray:
    """exp(-distance^2 / 2) over its value for the nearest point of the row, so that not all of them underflow."""
    least = distance.min(axis=1, keepdims=True)
    return np.exp(-(distance - least) * (distance + least) / 2)


KERNELS = {
    "box": lambda distance: (distance <= 1).astype(float),
    "epanechnikov": lambda distance: np.maximum(1 - np.minimum(distance, 1) ** 2, 0),
    "gaussian": gaussian,
}


def cells(X: np.ndarray, side: float, origin: float) -> np.ndarray:
    """The cube floor((x - origin) / side) of each row of X, as a key: equal keys, the same cube."""
    with np.errstate(over="ignore"):
        corners = np.floor((X - origin) / side)
    if not np.isfinite(corners).all():
        raise ValueError(f"(x - origin) / side overflows: choose a side larger than {side}")
    return row_keys(corners)


class HistogramRule(ProbabilisticClassifier):
    """Majority vote of the training points in the cell of x: space is cut into cubes floor((x - origin) / side).

    An empty cell is answered by the whole sample. A tie goes to the last of the tied classes in ``classes_``.

    Parameters: ``side`` > 0 of the cubes; ``origin``, a number: the point with all coordinates equal to it is a corner.
    Learned: ``cells_``, the keys of the occupied cells, sorted; ``shares_`` (number of cells, k), the fractions of
    the classes in each of them; ``prior_`` (k,), those in the sample.

    Book: nearest-neighbors.
    """

    _valid = {"side": check_positive, "origin": check_number}

    def __init__(self, side=1.0, origin=0.0):
        self.side = side
        self.origin = origin

    def _fit(self, X, y):
        counts = np.bincount(y)
        self.prior_ = counts / len(y)
        self.cells_, cell = np.unique(cells(X, self.side, self.origin), return_inverse=True)
        votes = np.zeros((len(self.cells_), len(counts)))
        np.add.at(votes, (cell, y), 1)
        self.shares_ = votes / votes.sum(axis=1, keepdims=True)

    def _proba(self, X):
        new = cells(X, self.side, self.origin)
        place = np.minimum(np.searchsorted(self.cells_, new), len(self.cells_) - 1)
        return np.where((self.cells_[place] == new)[:, None], self.shares_[place], self.prior_)


class KernelRule(ProbabilisticClassifier):
    """Vote of all training points with weights K((x - x_i) / bandwidth).

    K(z) is 1 if |z| <= 1, else 0 ("box", the moving window); max(0, 1 - |z|^2) ("epanechnikov"); exp(-|z|^2 / 2)
    ("gaussian"). Where all weights are zero the whole sample answers; a Gaussian weight never is, since it is computed
    relative to that of the nearest point. A tie goes to the last of the tied classes in ``classes_``.

    Learned: ``X_`` (m, d), the points, ``votes_`` (m, k), their labels one-hot, and ``prior_`` (k,), the mean vote.

    Book: nearest-neighbors.
    """

    _valid = {"bandwidth": check_positive, "kernel": check_one_of(*KERNELS)}

    def __init__(self, bandwidth=1.0, kernel="box"):
        self.bandwidth = bandwidth
        self.kernel = kernel

    def _fit(self, X, y):
        self.X_, self.votes_ = X.copy(), np.eye(len(self.classes_))[y]  # (m, d), (m, k)
        self.prior_ = self.votes_.mean(axis=0)

    def _proba(self, X):
        parts = row_blocks(len(X), DISTANCES_AT_ONCE // len(self.X_))
        votes = np.concatenate([self._weights(X[part]) @ self.votes_ for part in parts])  # (n, k)
        total = votes.sum(axis=1, keepdims=True)
        return np.where(total > 0, votes / np.where(total > 0, total, 1), self.prior_)

    def _weights(self, X):
        with np.errstate(over="ignore"):
            distance = cdist(X, self.X_) / self.bandwidth  # (n, m)
            if not np.isfinite(distance.max() ** 2):
                raise ValueError(f"distance / bandwidth overflows: choose a bandwidth larger than {self.bandwidth}")
        return KERNELS[self.kernel](distance)
