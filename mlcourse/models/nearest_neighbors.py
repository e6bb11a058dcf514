"""Nearest neighbours: let the closest training points vote.

Letters
    k      number of neighbours that vote
"""

import numpy as np
from scipy.spatial import cKDTree

from mlcourse._checks import check_count
from mlcourse.base import ProbabilisticClassifier


class KNearestNeighbors(ProbabilisticClassifier):
    """Majority vote of the k training points nearest to x in Euclidean distance.

    A tie between classes goes to the first of them in the order of ``classes_``; which of several
    equidistant points are the nearest is arbitrary.

    Learned: ``tree_``, a k-d tree of the training points, and ``y_``, their labels.

    Book: erm.
    """

    _valid = {"k": check_count}

    def __init__(self, k=1):
        self.k = k

    def _fit(self, X, y):
        if self.k > len(y):
            raise ValueError(f"k must be at most the number of training points: k={self.k} with {len(y)} points")
        self.tree_, self.y_ = cKDTree(X, copy_data=True), y

    def _proba(self, X):
        distance, nearest = self.tree_.query(X, k=[*range(1, self.k + 1)])  # (n, k) each
        if np.isinf(distance).any():
            raise ValueError("squared distances overflow: rescale the features")
        votes = self.y_[nearest]
        return np.stack([(votes == c).mean(axis=1) for c in range(len(self.classes_))], axis=1)
