"""CART as it is told: a leaf finds its best test, and a tree is grown on either side of it.

The estimators grow all leaves of a level together, in ``growth``: the same tree, sooner.

Letters
    X, y      the examples of a leaf: points of R^d, labels 0..k-1
    j, theta  the test "x_j <= theta"
"""

import itertools
from collections.abc import Callable, Iterable

import numpy as np

from mlcourse.arguments.kinds import AnyFunction, Labels, Points, Size, checks_arguments
from mlcourse.base import last_argmax
from mlcourse.models.trees.criteria import gini
from mlcourse.models.trees.growth import SLACK
from mlcourse.models.trees.predictor import Leaf, Node, Threshold
from mlcourse.models.trees.stump import between


def best_split(
    X: np.ndarray, y: np.ndarray, criterion: Callable = gini, min_leaf: int = 1, features: Iterable[int] | None = None
) -> tuple[int, float] | None:
    """The first test (j, theta) whose two sides have the least criterion together; None if there is no test."""
    tests, scores = [], []
    for j in range(X.shape[1]) if features is None else features:
        for a, b in itertools.pairwise(np.unique(X[:, j])):
            theta = between(a, b)
            low = X[:, j] <= theta
            if min(low.sum(), (~low).sum()) >= min_leaf:
                tests.append((int(j), float(theta)))
                scores.append(impurity(y[low], criterion) + impurity(y[~low], criterion))
    as_good = min(scores, default=0.0) + SLACK * impurity(y, criterion)
    return next((test for test, score in zip(tests, scores, strict=True) if score <= as_good), None)


def impurity(y: np.ndarray, criterion: Callable) -> float:
    """The criterion of a leaf with the labels y: a function of how often each label occurs."""
    counts = np.unique(y, return_counts=True)[1]
    return criterion(counts[:, None])[0]


@checks_arguments
def cart(X: Points, y: Labels, split: AnyFunction = best_split, max_depth: Size | None = None) -> Node | Leaf:
    """The tree of ``DecisionTree``: find the best test of a leaf, then grow a tree on either side.

    ``split(X, y)`` finds the test; ``partial(best_split, criterion=entropy, min_leaf=5)`` is another.
    """
    classes, counts = np.unique(y, return_counts=True)
    test = None if max_depth == 0 or len(classes) == 1 else split(X, y)
    if test is None:
        return Leaf(int(classes[last_argmax(counts[None])[0]]), tuple(counts.tolist()))
    j, theta = test
    low = X[:, j] <= theta
    deeper = None if max_depth is None else max_depth - 1
    sides = [cart(X[side], y[side], split, deeper) for side in (low, ~low)]
    return Node(Threshold(j, theta), tuple(sides))
