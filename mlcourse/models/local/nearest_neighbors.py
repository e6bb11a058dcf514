"""Nearest neighbours: let the closest training points vote.

Letters
    X, y   sample of m points of R^d and their labels
    new    n points to be predicted
    k      number of neighbours that vote
    W      (n, k) weights of their votes
    A, B   two tables of points, their rows counted by i, j
    D      squared distances
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from mlcourse.arguments.arrays import check_labels, check_lengths, check_X
from mlcourse.arguments.collections import check_list, check_partition
from mlcourse.arguments.numbers import check_count, check_one_of
from mlcourse.base import Estimator, ProbabilisticClassifier, Regressor
from mlcourse.models.local.distance_screen import DistanceScreen
from mlcourse.optim.moments import row_blocks

DISTANCES_AT_ONCE = 2**20  # distances that are looked at together: bounds the memory
CACHE = 2**15  # numbers that stay in the processor's cache
MAX_CANDIDATES = 4  # times k: more candidates than this, and the screen was too coarse
TREE_DIMENSION = 5  # up to here a k-d tree beats the matrix product


def nearest(X: ArrayLike, new: ArrayLike, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The (n, k) indices of the k points of X nearest to each new point, nearest first, and their (n, k) distances.

    Of several points at the same distance the one with the smaller index counts as nearer, whatever its label.
    """
    return NearestSearch(X, k)(new)


def squares(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """The squared distance of each row of A to the same row of B: what "distance" means in this file, to the bit."""
    return ((A - B) ** 2).sum(axis=-1)


class NearestSearch:
    """The k points of X nearest to new points, exactly: called with (n, d) points it returns what ``nearest`` does.

    Parameters: ``method`` "tree" asks a k-d tree, "blocks" compares with all points; both give the same answer, and
    "auto" takes the tree in low dimension. Copies of a point after its k-th are left out: they are never needed.
    """

    def __init__(self, X, k, method="auto"):
        X, self.k = check_X(X), check_count("k", k)
        if k > len(X):
            raise ValueError(f"k must be at most the number of training points: k={k} with {len(X)} points")
        check_one_of("auto", "tree", "blocks")("method", method)
        self.kept = first_copies(X, k)
        self.X = X.take(self.kept, axis=0)
        tree = method == "tree" or method == "auto" and X.shape[1] <= TREE_DIMENSION and 8 * k <= len(self.X)
        self.tree = cKDTree(self.X, balanced_tree=False, compact_nodes=False) if tree else None

    def __call__(self, new):
        new = np.ascontiguousarray(check_X(new, self.X.shape[1], "the search"))
        with np.errstate(over="ignore"):
            spread = max(self.X.max(), new.max()) - min(self.X.min(), new.min())
            if not np.isfinite(4 * self.X.shape[1] * spread**2):
                raise ValueError("squared distances overflow: rescale the features")
        found = nearest_by_tree(self.tree, new, self.k) if self.tree else nearest_by_blocks(self.X, new, self.k)
        return self.kept[found[0]], found[1]


def row_keys(X: np.ndarray) -> np.ndarray:
    """One key for each row of X, equal for equal rows: its bytes."""
    X = np.ascontiguousarray(X + 0.0)  # minus zero becomes zero
    return X.view(np.dtype((np.void, X.itemsize * X.shape[1]))).ravel()


def first_copies(X: np.ndarray, k: int) -> np.ndarray:
    """The increasing indices of the rows of X, without the copies of a row after its k-th."""
    values = np.sort(X[:, 0])
    if (values[1:] > values[:-1]).all():  # no two rows are equal: the first feature tells
        return np.arange(len(X))
    point = np.unique(row_keys(X), return_inverse=True)[1]
    order = point.argsort(kind="stable")
    copy = np.arange(len(X)) - np.searchsorted(point[order], point[order])  # 0 for the first copy of each row
    return np.sort(order[copy < k])


def nearest_by_blocks(X: np.ndarray, new: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The indices of the k points of X nearest to each new point, nearest first, and their distances."""
    indices, distances = np.empty((len(new), k), dtype=int), np.empty((len(new), k))
    coarse, fine = DistanceScreen(X, new, np.float32), DistanceScreen(X, new, np.float64)
    for block in row_blocks(len(new), DISTANCES_AT_ONCE // len(X)):
        n, (row, j) = len(new[block]), coarse.candidates(block, k)
        if len(j) > MAX_CANDIDATES * k * n:
            row, j = fine.candidates(block, k)
        D = pair_squares(new[block], X, row, j)
        order = np.lexsort((D, row))  # stable: at equal distance the smaller index first
        best = order[np.searchsorted(row, np.arange(n))[:, None] + np.arange(k)]
        indices[block], distances[block] = j[best], np.sqrt(D[best])
    return indices, distances


def pair_squares(A: np.ndarray, B: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """The squared distances of the rows i of A to the rows j of B."""
    parts = row_blocks(len(i), DISTANCES_AT_ONCE // A.shape[1])
    return np.concatenate([squares(A[i[part]], B[j[part]]) for part in parts])


def nearest_by_tree(tree: cKDTree, new: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """What ``nearest_by_blocks`` returns, from a k-d tree: it is asked for more than k, until the last is too far."""
    indices, distances = np.empty((len(new), k), dtype=int), np.empty((len(new), k))
    todo = np.arange(len(new))
    for asked in (min(k + 1, tree.n), min(4 * k + 12, tree.n)):
        sure = np.empty(len(todo), dtype=bool)
        for block in row_blocks(len(todo), CACHE // (asked * tree.m)):
            rows = todo[block]
            indices[rows], distances[rows], sure[block] = ask(tree, new[rows], k, asked)
        todo = todo[~sure]
    if len(todo):  # too many points at one distance
        indices[todo], distances[todo] = nearest_by_blocks(tree.data, new[todo], k)
    return indices, distances


def ask(tree: cKDTree, new: np.ndarray, k: int, asked: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The k nearest of the ``asked`` points that the tree finds, their distances, and where no other can be nearer."""
    reach, found = tree.query(new, k=[*range(1, asked + 1)])
    D = squares(new[:, None], tree.data.take(found, axis=0))
    if (D[:, 1:] <= D[:, :-1]).any():  # points at one distance: the smaller index first
        order = np.lexsort((found, D))
        found, D = np.take_along_axis(found, order, axis=1), np.take_along_axis(D, order, axis=1)
    unit = np.finfo(float)
    least = (1 - (2 * tree.m + 10) * unit.eps) * reach[:, -1] ** 2 - unit.tiny  # of the points that were not found
    return found[:, :k], np.sqrt(D[:, :k]), (D[:, k - 1] < least) | (asked == tree.n)


class _Neighbors(Estimator):
    """Neighbours that vote or are averaged: the search for them, and their weights."""

    _valid = {"k": check_count, "weights": check_one_of("uniform", "distance")}

    def __init__(self, k=1, weights="uniform"):
        self.k = k
        self.weights = weights

    def _fit(self, X, y):
        self.search_, self.y_ = NearestSearch(X, self.k), y

    def _votes(self, X):
        """The (n, k) labels or targets of the neighbours, and their weights: 1, or nearest distance / distance."""
        indices, distance = self.search_(X)
        W = np.ones_like(distance)
        if self.weights == "distance":
            hit = distance[:, :1] == 0  # it takes all
            W = np.where(hit, distance == 0, distance[:, :1] / np.where(distance == 0, 1, distance))
        return self.y_[indices], W


def vote_shares(labels: np.ndarray, W: np.ndarray, n_classes: int) -> np.ndarray:
    """The (n, n_classes) fractions of the weight W that each class gets, labels and weights in the rows."""
    votes = np.stack([np.where(labels == c, W, 0).sum(axis=1) for c in range(n_classes)], axis=1)
    return votes / votes.sum(axis=1, keepdims=True)


class KNearestNeighbors(_Neighbors, ProbabilisticClassifier):
    """Majority vote of the k training points nearest to x in Euclidean distance.

    Of equidistant points the one with the smaller index counts as nearer, whatever its label. A tie between classes
    goes to the last of them in the order of ``classes_``, for labels -1, +1 to +1.

    Parameters: ``weights`` "uniform": one vote each; "distance": votes of weight 1 / distance, and points at
    distance zero, if there are any, share the decision.
    Learned: ``search_``, a ``NearestSearch`` among the training points, and ``y_``, their labels.

    Book: nearest-neighbors.
    """

    def _proba(self, X):
        labels, W = self._votes(X)
        return vote_shares(labels, W, len(self.classes_))


class KNearestNeighborsRegressor(_Neighbors, Regressor):
    """Mean target of the k training points nearest to x in Euclidean distance, ties as in ``KNearestNeighbors``.

    Parameters and learned as there: the mean is weighted as votes are, and ``y_`` holds the targets.

    Book: nearest-neighbors.
    """

    def _predict(self, X):
        y, W = self._votes(X)
        return (W * y).sum(axis=1) / W.sum(axis=1)


def neighbors_cross_validation(X: ArrayLike, y: ArrayLike, ks: list[int], folds: list) -> np.ndarray:
    """The (len(ks), m) zero-one losses of the k-nearest-neighbour rules, each example predicted without its fold.

    Equal to refitting ``KNearestNeighbors`` for every k. ``folds`` are pairs (train, test) that test every example
    once; every training part must have max(ks) points.
    """
    X, (classes, y) = check_X(X), check_labels(y)
    folds = check_partition(folds, check_lengths(X=X, y=y))
    numbers = _check_ks(ks, min(len(train) for train, _ in folds))
    wrong = np.empty((len(numbers), len(y)))
    for train, test in folds:
        labels = y[train][nearest(X[train], X[test], numbers.max())[0]]  # (n, max k)
        wrong[:, test] = (winners(labels, len(classes))[:, numbers - 1] != y[test, None]).T
    return wrong


def _check_ks(ks, most):
    ks = np.array([check_count("k", k) for k in check_list("numbers ks of neighbours", ks)])
    if ks.max() > most:
        raise ValueError(f"k must be from 1 to {most}, the size of the smallest training part, got {ks.tolist()}")
    return ks


def winners(labels: np.ndarray, n_classes: int) -> np.ndarray:
    """The class with the most votes among the first k entries of each row, for every k; the last class wins a tie."""
    winner, most = np.zeros_like(labels), np.cumsum(labels == 0, axis=1)
    for c in range(1, n_classes):
        votes = np.cumsum(labels == c, axis=1)
        winner[votes >= most] = c
        most = np.maximum(most, votes)
    return winner
