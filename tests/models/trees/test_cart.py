"""The recursion and the growth by levels give the same tree: tests, labels and counts."""

from functools import partial

import numpy as np
import pytest

from mlcourse import DecisionTree
from mlcourse.models.trees.cart import best_split, cart
from mlcourse.models.trees.criteria import CRITERIA, gini
from mlcourse.models.trees.predictor import Leaf, Node, Threshold, leaves


@pytest.mark.algorithm("alg-best-split", "alg-greedy-tree")
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("max_depth, min_leaf", [(None, 1), (2, 1), (None, 4)])
def test_both_grow_the_same_tree(awkward, criterion, max_depth, min_leaf):
    X, y = awkward
    fast = DecisionTree(criterion, max_depth, min_leaf=min_leaf).fit(X, y)
    plain = cart(X, y, partial(best_split, criterion=CRITERIA[criterion], min_leaf=min_leaf), max_depth)
    assert plain == fast.nested()
    counts = [tuple(n for n in leaf.counts if n) for leaf in leaves(fast.nested())]
    assert [leaf.counts for leaf in leaves(plain)] == counts


@pytest.mark.algorithm("alg-greedy-tree")
@pytest.mark.parametrize("seed", range(60))
def test_both_grow_the_same_tree_on_small_samples(rng):
    m, d = rng.integers(2, 12), rng.integers(1, 4)
    X, y = rng.integers(0, 4, size=(m, d)).astype(float), rng.permutation(np.arange(m) % 3)
    assert cart(X, y) == DecisionTree().fit(X, y).nested()


def test_the_first_of_equally_good_tests_is_taken_and_a_useless_one_too():
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    assert best_split(X, y, gini) == (0, 0.5) and best_split(X, y, gini, features=[1, 0]) == (1, 0.5)
    assert best_split(X, y, gini, min_leaf=3) is None
    low, high = (Node(Threshold(1, 0.5), (Leaf(a), Leaf(1 - a))) for a in (0, 1))
    assert cart(X, y) == Node(Threshold(0, 0.5), (low, high))


@pytest.mark.parametrize("m", [1, 2, 5])
def test_one_label_is_a_leaf(m, rng):
    assert cart(rng.normal(size=(m, 2)), np.full(m, 3)) == Leaf(3)


def test_a_tie_between_labels_goes_to_the_last():
    assert cart(np.ones((4, 1)), np.array([2, 0, 0, 2])) == Leaf(2)
