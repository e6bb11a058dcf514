"""Nearest neighbours: let the closest training points vote.

Letters
    k      number of neighbours that vote
    X, y   sample of m points and their labels
"""

import numpy as np
from scipy.spatial import cKDTree

from mlcourse._checks import check_count, check_labels, check_lengths, check_list, check_partition, check_X
from mlcourse.base import ProbabilisticClassifier


def nearest(tree, X, k):
    """The (n, k) indices of the k points of the tree nearest to each row of X, nearest first."""
    distance, indices = tree.query(X, k=[*range(1, k + 1)])
    if np.isinf(distance).any():
        raise ValueError("squared distances overflow: rescale the features")
    return indices


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
        votes = self.y_[nearest(self.tree_, X, self.k)]
        return np.stack([(votes == c).mean(axis=1) for c in range(len(self.classes_))], axis=1)


def neighbors_cross_validation(X, y, ks, folds):
    """The (len(ks), m) zero-one losses of the k-nearest-neighbour rules, each example predicted without its fold.

    Equal to refitting ``KNearestNeighbors`` for every k, if no two distances from a point are equal. ``folds`` are
    pairs (train, test) that test every example once; every training part must have max(ks) points.
    """
    X, (classes, y) = check_X(X), check_labels(y)
    folds = check_partition(folds, check_lengths(X=X, y=y))
    ks = _check_ks(ks, min(len(train) for train, _ in folds))
    wrong = np.empty((len(ks), len(y)))
    for train, test in folds:
        labels = y[train][nearest(cKDTree(X[train]), X[test], ks.max())]  # (n, max k)
        wrong[:, test] = (winners(labels, len(classes))[:, ks - 1] != y[test, None]).T
    return wrong


def _check_ks(ks, most):
    ks = np.array([check_count("k", k) for k in check_list("numbers ks of neighbours", ks)])
    if ks.max() > most:
        raise ValueError(f"k must be from 1 to {most}, the size of the smallest training part, got {ks.tolist()}")
    return ks


def winners(labels, n_classes):
    """The class with the most votes among the first k entries of each row, for every k; the first class wins a tie."""
    winner, most = np.zeros_like(labels), np.cumsum(labels == 0, axis=1)
    for c in range(1, n_classes):
        votes = np.cumsum(labels == c, axis=1)
        winner[votes > most] = c
        most = np.maximum(most, votes)
    return winner
