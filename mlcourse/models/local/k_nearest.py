"""Nearest neighbours as they are told: sort all distances, and let the first k vote.

The estimators search many points at once, in ``nearest_neighbors``: the same neighbours, sooner.

Letters
    X, y   sample of m points of R^d and their labels, x a new point
    k      number of neighbours that vote; ks several such numbers
"""

from collections.abc import Sequence

import numpy as np

from mlcourse.arguments.kinds import Count, Labels, Points, Vector, checks_arguments
from mlcourse.base import last_argmax


@checks_arguments
def k_nearest(X: Points, x: Vector, k: Count) -> np.ndarray:
    """The indices of the k points of X nearest to x, nearest first; at equal distance the smaller index comes first."""
    squared = ((X - x) ** 2).sum(axis=1)  # roots of different squares may round to the same distance
    return squared.argsort(kind="stable")[:k]


@checks_arguments
def majority(labels: Labels) -> int:
    """The most frequent label, of several the largest."""
    classes, votes = np.unique(labels, return_counts=True)
    return int(classes[last_argmax(votes[None])[0]])


@checks_arguments
def cross_validate_k(X: Points, y: Labels, ks: Sequence[int], folds: list[tuple]) -> np.ndarray:
    """The (len(ks), m) zero-one losses of the k-nearest-neighbour rules, each example predicted without its fold."""
    wrong = np.empty((len(ks), len(y)))
    for train, test in folds:
        for i in test:
            labels = y[train][k_nearest(X[train], X[i], max(ks))]
            for row, k in enumerate(ks):
                wrong[row, i] = majority(labels[:k]) != y[i]
    return wrong
