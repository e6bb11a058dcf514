"""The best Boolean tree of every size: counts, nonsense, and size; that it is best is a theorem's test."""

import itertools

import numpy as np
import pytest

from mlcourse.models.trees.optimal_tree import OptimalTree, subcube_counts
from mlcourse.theory import tree_values


def test_subcubes_hold_the_examples_that_agree_with_them(rng):
    X, y = rng.integers(0, 2, size=(50, 3)), rng.choice([-1, 1], size=50)
    counts = subcube_counts(X, y)
    for cube in itertools.product((0, 1, 2), repeat=3):
        inside = ((X == cube) | (np.array(cube) == 2)).all(axis=1)
        assert counts[:, *cube].tolist() == [np.sum(inside & (y == -1)), np.sum(inside & (y == 1))]


def test_errors_never_increase_and_enough_nodes_leave_the_conflicts_only():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, size=(300, 5)), rng.choice([-1, 1], size=300)
    best = OptimalTree(X, y, 31)
    _, point = np.unique(X, axis=0, return_inverse=True)
    least = np.minimum(np.bincount(point, y == 1), np.bincount(point, y == -1)).sum()
    assert (np.diff(best.errors) <= 0).all() and best.errors[-1] == least
    assert (tree_values(best.tree(31), X) != y).sum() == least


def test_a_single_leaf_and_ties():
    best = OptimalTree([[0], [1]], [1, -1], 0)
    assert best.errors.tolist() == [1] and best.tree(0) == 1
    assert OptimalTree([[0], [0]], [-1, -1], 2).tree(2) == -1
    assert OptimalTree([[0.0], [1.0]], [1, -1], 1).tree(1) == (0, 1, -1)


@pytest.mark.parametrize(
    "X, y, M, message",
    [
        ([[0, 2]], [1], 1, "0 or 1"),
        ([[0, 1]], [0], 1, "-1 or"),
        ([[0, 1]], [1, 1], 1, "same length"),
        (np.zeros((2, 13)), [1, -1], 1, "at most 12"),
        ([[0, 1]], [1], -1, "M must be"),
        ([[0, 1]], [1], 1.5, "M must be"),
        ([[0, np.nan]], [1], 1, "finite"),
        ([0, 1], [1, 1], 1, "2D"),
    ],
)
def test_nonsense_is_refused(X, y, M, message):
    with pytest.raises(ValueError, match=message):
        OptimalTree(X, y, M)


def test_a_size_that_was_not_computed_is_refused():
    best = OptimalTree([[0], [1]], [1, -1], 1)
    with pytest.raises(ValueError, match="at most 1"):
        best.tree(2)
