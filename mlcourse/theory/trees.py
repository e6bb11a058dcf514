"""How many decision trees there are on features that are 0 or 1, and what their number promises.

Letters
    d                number of features
    M, N             inner nodes and nodes of a binary tree, N = 2M + 1

A tree is -1, +1 or a tuple (j, low, high), as in ``mlcourse.theory.occam``.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.promises import Result, checks_ranges, whole
from mlcourse.arguments.ranges import Confidences, Count, FromZero, Natural, Naturals, Positives, Sizes, matrix
from mlcourse.theory.occam import BooleanTree, checked_tree
from mlcourse.theory.registry import states

MOST_TREES = 1_000_000  # trees in one list


@states("prop-catalan")
def catalan(M: Natural) -> int:
    """The number of shapes of a binary tree with M inner nodes, exactly: binomial(2M, M) / (M + 1)."""
    return math.comb(2 * M, M) // (M + 1)


@states("prop-count-trees")
def count_trees(M: Natural, d: Count) -> int:
    """The number of trees with M inner nodes on d features, exactly: catalan(M) d^M 2^(M + 1)."""
    return catalan(M) * d**M * 2 ** (M + 1)


@checks_ranges
def boolean_trees(M: Natural, d: Count) -> list[BooleanTree]:
    """A list of all trees with M inner nodes on d features."""
    if (number := count_trees(M, d)) > MOST_TREES:
        raise ValueError(f"at most {MOST_TREES} trees fit a list, M = {M} and d = {d} give more than {number - 1:.3g}")
    of_size: list[list[BooleanTree]] = [[-1, 1]]
    for size in range(1, M + 1):
        pairs = [(low, high) for i in range(size) for low in of_size[i] for high in of_size[size - 1 - i]]
        of_size.append([(j, low, high) for j in range(d) for low, high in pairs])
    return of_size[M]


def tree_values(tree: BooleanTree, X: ArrayLike) -> np.ndarray:
    """The label that the tree gives to each row of X, a matrix of 0 and 1."""
    X = matrix("X", X, "(n, d)")
    if not np.isin(X, (0, 1)).all():
        raise ValueError("the entries of X must be 0 or 1")
    values, waiting = np.empty(len(X), dtype=int), [(checked_tree(tree, X.shape[1]), np.arange(len(X)))]
    while waiting:
        node, rows = waiting.pop()
        if isinstance(node, tuple):
            j, low, high = node
            is_one = X[rows, j] == 1
            waiting += [(low, rows[~is_one]), (high, rows[is_one])]
        else:
            values[rows] = node
    return values


@states("cor-boolean-erm")
def boolean_excess(m: Sizes, d: FromZero, delta: Confidences) -> Result:
    """How far above the Bayes risk ERM over all functions of d bits may end: sqrt(2 (2^d ln 2 + ln(2/delta)) / m)."""
    return _excess(m, 2**d * math.log(2), delta)


@states("cor-tree-erm")
def tree_excess(m: Sizes, M: Naturals, d: Sizes, delta: Confidences) -> Result:
    """How far above the best tree with M inner nodes ERM may end: sqrt(2 (M ln(8d) + ln(4/delta)) / m)."""
    return _excess(m, _log_trees(M, d), delta)


@states("cor-tree-erm")
def tree_sample_size(M: Naturals, d: Sizes, epsilon: Positives, delta: Confidences) -> Result:
    """The least m for which that is at most epsilon."""
    return whole(2 * (_log_trees(M, d) + np.log(2 / delta)) / epsilon**2)


@states("cor-tree-erm")
def tree_excess_nodes(m: Sizes, N: Sizes, d: Sizes, delta: Confidences) -> Result:
    """The weaker bound in the number N of nodes: sqrt(2 (N (1 + ln(2d)) + ln(2/delta)) / m)."""
    return _excess(m, N * (1 + np.log(2 * d)), delta)


def _log_trees(M, d):
    """The logarithm of 2 (8d)^M, which is at least the number of trees with M inner nodes."""
    return M * np.log(8 * d) + math.log(2)


def _excess(m, log_size, delta):
    """``erm_excess`` for a class so large that only the logarithm of its size is a float."""
    return np.sqrt(2 / m * (log_size + np.log(2 / delta)))
