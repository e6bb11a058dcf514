"""Trees as nested tuples: what is no tree and what is no word is refused; values against a loop."""

import itertools

import numpy as np
import pytest

from mlcourse.theory import boolean_trees, decode_tree, encode_tree, tree_values


@pytest.mark.parametrize("word", ["", "0", "1", "10", "0101", "00" + "0", "1" * 5000, "2", 3, None, "10 00", "1110101"])
def test_what_is_not_the_word_of_one_tree_is_refused(word):
    with pytest.raises(ValueError, match="the word must be that of one tree on 2 features"):
        decode_tree(word, 2)


def test_a_word_that_names_a_feature_too_many_is_refused():
    assert decode_tree("1100001", 4) == (2, -1, 1) == decode_tree("1100001", 3)
    with pytest.raises(ValueError, match="0 <= j < 3"):
        decode_tree("1110001", 3)


NO_LABEL, NO_NODE = [0, 2, True, 1.0, "1"], [(0, 1), (0, 1, 1, 1), (0, 1, None), [0, 1, 1]]
NO_FEATURE = [(2, 1, 1), (-1, 1, 1), (0.0, 1, 1), (True, 1, 1)]


@pytest.mark.parametrize("tree", NO_LABEL + NO_NODE + NO_FEATURE)
def test_what_is_no_tree_is_refused(tree):
    for use in (lambda: encode_tree(tree, 2), lambda: tree_values(tree, [[0, 1]])):
        with pytest.raises(ValueError, match="a tree must be"):
            use()


def test_values_follow_the_tests():
    X = np.array([*itertools.product((0, 1), repeat=2)])
    for tree in boolean_trees(2, 2):
        for x, value in zip(X, tree_values(tree, X), strict=True):
            node = tree
            while isinstance(node, tuple):
                node = node[1 + x[node[0]]]
            assert value == node
    with pytest.raises(ValueError, match="0 or 1"):
        tree_values(1, [[0, 2]])


def test_too_many_trees_are_not_listed():
    with pytest.raises(ValueError, match="more than"):
        boolean_trees(6, 10)


def test_deep_trees_are_written_and_evaluated_and_reading_them_says_what_is_wrong():
    tree = 1
    for _ in range(5000):
        tree = (0, tree, -1)
    assert tree_values(tree, [[0], [1]]).tolist() == [1, -1]
    word = encode_tree(tree, 1)
    assert len(word) == 3 * 5000 + 2
    with pytest.raises(ValueError, match="too deep for Python's recursion"):
        decode_tree(word, 1)
