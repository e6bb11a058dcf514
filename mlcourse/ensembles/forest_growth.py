"""Growth of several randomised trees at once: a level holds the open leaves of all of them.

Letters
    X           m points of R^d, shared by the trees; ``count[b, i]`` how often tree b holds row i
    example     number b m + i: row i in tree b; it belongs to the tree if its count is positive
    chosen      (k, n) the k features that may split each of n leaves, drawn anew for every leaf
    place       position of a row in the order of a feature
"""

from collections.abc import Callable
from copy import copy

import numpy as np
from numpy.random import Generator

from mlcourse.models.trees.criteria import Sums
from mlcourse.models.trees.growth import Features, Level, Splits, best_splits
from mlcourse.models.trees.tree_arrays import TreeArrays

SMALL = 2**31  # numbers below it are sorted in half the time


def grow_together(
    y: np.ndarray,
    count: np.ndarray,
    presorted: "Presorted",
    stats: Sums,
    criterion: Callable,
    n_chosen: int,
    rng: Generator,
    max_depth: float = np.inf,
    min_leaf: int = 1,
) -> list[TreeArrays]:
    """One tree for each row of counts: every impure leaf is split by its best test on a few random features."""
    n_trees, m = count.shape
    example = np.flatnonzero(count)
    level, levels, tree = Level(example, example // m, n_trees), [], np.arange(n_trees)
    while level.n:
        level.tree = tree
        level.measure(stats, criterion)
        is_open = level.impure(y) & (level.size >= 2 * min_leaf) & (level.depth < max_depth)
        level.close(~is_open, min_leaf)
        best = random_splits(presorted, level, stats, criterion, n_chosen, rng)
        levels.append((*level.nodes(best), tree))
        level, tree = level.children(best, presorted.X), np.tile(tree[best.feature >= 0], 2)
    *nodes, tree = map(np.concatenate, zip(*levels, strict=True))
    return separated(TreeArrays(*nodes), tree)


def random_splits(
    presorted: "Presorted", level: Level, stats: Sums, criterion: Callable, n_chosen: int, rng: Generator
) -> Splits:
    """The best test of every open leaf on n_chosen random features; on the others, if none of these can split it."""
    shuffled = shuffled_features(level.n, len(presorted.order), n_chosen, rng)
    best = splits_on(shuffled[:, :n_chosen], presorted, level, stats, criterion)
    stuck = (best.feature < 0) & (level.open_size > 0)
    if stuck.any() and n_chosen < shuffled.shape[1]:
        level = copy(level)
        level.close(~stuck, level.min_leaf)
        others = splits_on(shuffled[:, n_chosen:], presorted, level, stats, criterion)
        for name, values in vars(best).items():
            values[stuck] = getattr(others, name)[stuck]
    return best


def shuffled_features(n: int, d: int, n_chosen: int, rng: Generator) -> np.ndarray:
    """The features 0..d-1 in a random order for each of n leaves; in their own order if all of them are chosen."""
    if n_chosen == d:
        return np.tile(np.arange(d), (n, 1))
    return rng.random((n, d), dtype=np.float32).argsort(axis=1)


def splits_on(chosen: np.ndarray, presorted: "Presorted", level: Level, stats: Sums, criterion: Callable) -> Splits:
    """The best test of every open leaf on the features in its row of ``chosen``; a tie goes to the first of them."""
    chosen = chosen.T
    best = best_splits(ChosenFeatures(chosen, presorted, level), level, stats, criterion)
    found = best.feature >= 0
    best.feature[found] = chosen[best.feature[found], np.flatnonzero(found)]
    return best


class Presorted:
    """The columns of X in their orders: row j of ``order``, ``x`` and ``place`` belongs to feature j."""

    def __init__(self, X, order):
        self.X, self.order = np.ascontiguousarray(X), order
        self.x = np.take_along_axis(X.T, self.order, axis=1)
        self.place = np.empty(self.order.shape, dtype=np.int32)
        np.put_along_axis(self.place, self.order, np.arange(len(X), dtype=np.int32)[None], axis=1)


class ChosenFeatures(Features):
    """In the place of features, the slots 0..k-1: slot s of a leaf is the feature ``chosen[s, leaf]``."""

    named, n_values = (), 1

    def __init__(self, chosen, presorted, level):
        m = len(presorted.X)
        small = np.int32 if level.n * m < SMALL else np.int64
        row = level.inside - level.tree[level.leaf] * m
        key = presorted.place.take(chosen[:, level.leaf] * m + row)
        key = key.astype(small, copy=False) + (level.leaf * m).astype(small)
        key.sort(axis=1)  # by leaf, then by place
        leaf = np.repeat(np.arange(level.n), level.open_size)
        place = key + (chosen * m - np.arange(level.n) * m)[:, leaf]
        self.x, self.order = presorted.x.take(place), presorted.order.take(place) + (level.tree * m)[leaf]
        self.ordered = np.arange(len(chosen))

    def sorted_values(self, block: slice) -> np.ndarray:
        return self.x[block]


def separated(nodes: TreeArrays, tree: np.ndarray) -> list[TreeArrays]:
    """The trees one by one, given the arrays over all their nodes and the tree of each node."""
    number, trees = np.empty(len(nodes), dtype=int), []
    for b in range(tree.max() + 1):
        mine = np.flatnonzero(tree == b)
        number[mine] = np.arange(len(mine))
        one = nodes.rows(mine)
        one.left, one.right = (np.where(child < 0, -1, number[child]) for child in (one.left, one.right))
        trees.append(one)
    return trees
