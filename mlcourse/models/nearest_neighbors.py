"""Nearest neighbours: let the closest training points vote.

Letters
    X, y   sample of m points of R^d and their labels
    new    n points to be predicted
    k      number of neighbours that vote
    W      (n, k) weights of their votes
"""

import numpy as np

from mlcourse._checks import (
    check_count,
    check_labels,
    check_lengths,
    check_list,
    check_one_of,
    check_partition,
    check_X,
)
from mlcourse.base import ProbabilisticClassifier, Regressor

BLOCK = 2**18  # pairs of points that are looked at together


def squares(A, B):
    """The squared distance of each row of A to the same row of B: what "distance" means in this file."""
    return ((A - B) ** 2).sum(axis=-1)


def nearest_by_blocks(X, new, k):
    """The (n, k) indices of the k points of X nearest to each new point, nearest first, and their distances."""
    indices, distance = np.empty((len(new), k), dtype=int), np.empty((len(new), k))
    n_rows = max(1, BLOCK // len(X))
    for start in range(0, len(new), n_rows):
        block = slice(start, start + n_rows)
        D = np.stack([squares(x, X) for x in new[block]])
        indices[block] = D.argsort(axis=1, kind="stable")[:, :k]
        distance[block] = np.sqrt(np.take_along_axis(D, indices[block], axis=1))
    if np.isinf(distance).any():
        raise ValueError("squared distances overflow: rescale the features")
    return indices, distance


def nearest(X, new, k):
    """The (n, k) indices of the k points of X nearest to each new point, nearest first, and their distances.

    Of several points at the same distance the one with the smaller index counts as nearer, whatever its label.
    """
    return nearest_by_blocks(X, new, k)


class _Neighbors:
    """What the two estimators share: the search at ``fit`` and the weights of the votes."""

    _valid = {"k": check_count, "weights": check_one_of("uniform", "distance")}

    def __init__(self, k=1, weights="uniform"):
        self.k = k
        self.weights = weights

    def _fit(self, X, y):
        if self.k > len(y):
            raise ValueError(f"k must be at most the number of training points: k={self.k} with {len(y)} points")
        self.X_, self.y_ = X.copy(), y

    def _votes(self, X):
        indices, distance = nearest(self.X_, X, self.k)
        return self.y_[indices], vote_weights(distance, self.weights)


def vote_weights(distance, weights):
    """The (n, k) weights of the neighbours: 1, or 1 / distance relative to the nearest; an exact hit takes all."""
    if weights == "uniform":
        return np.ones_like(distance)
    hit = distance[:, :1] == 0
    return np.where(hit, distance == 0, distance[:, :1] / np.where(distance == 0, 1, distance))


def vote_shares(labels, W, n_classes):
    """The (n, n_classes) fractions of the weight W that each class gets, labels and weights in the rows."""
    votes = np.stack([np.where(labels == c, W, 0).sum(axis=1) for c in range(n_classes)], axis=1)
    return votes / votes.sum(axis=1, keepdims=True)


class KNearestNeighbors(_Neighbors, ProbabilisticClassifier):
    """Majority vote of the k training points nearest to x in Euclidean distance.

    Of equidistant points the one with the smaller index counts as nearer, whatever its label. A tie between classes
    goes to the first of them in the order of ``classes_``.

    Parameters: ``weights`` "uniform": one vote each; "distance": votes of weight 1 / distance, and points at
    distance zero, if there are any, share the decision.

    Learned: ``X_``, ``y_``, the sample.

    Book: nearest-neighbors.
    """

    def _proba(self, X):
        labels, W = self._votes(X)
        return vote_shares(labels, W, len(self.classes_))


class KNearestNeighborsRegressor(_Neighbors, Regressor):
    """Mean target of the k training points nearest to x in Euclidean distance, ties as in ``KNearestNeighbors``.

    Parameters: ``weights`` "uniform" or "distance": the mean is weighted by 1 / distance.

    Learned: ``X_``, ``y_``, the sample.

    Book: nearest-neighbors.
    """

    def _predict(self, X):
        y, W = self._votes(X)
        return (W * y).sum(axis=1) / W.sum(axis=1)


def neighbors_cross_validation(X, y, ks, folds):
    """The (len(ks), m) zero-one losses of the k-nearest-neighbour rules, each example predicted without its fold.

    Equal to refitting ``KNearestNeighbors`` for every k. ``folds`` are pairs (train, test) that test every example
    once; every training part must have max(ks) points.
    """
    X, (classes, y) = check_X(X), check_labels(y)
    folds = check_partition(folds, check_lengths(X=X, y=y))
    ks = _check_ks(ks, min(len(train) for train, _ in folds))
    wrong = np.empty((len(ks), len(y)))
    for train, test in folds:
        labels = y[train][nearest(X[train], X[test], ks.max())[0]]  # (n, max k)
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
