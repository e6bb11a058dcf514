"""Greedy growth of a tree, one level at a time: every open leaf finds its best test, then all of them split.

Letters
    s, total   (k, n) statistics of n sets of examples, of n leaves
    inside     examples in open leaves; ``leaf`` the leaf of an example, numbered 0..n-1 within its level
    order      row j: the examples inside, sorted by leaf, then by feature j; ``x`` the values of j in that order
    cut        place between two neighbours in a sorted leaf; the examples before it go left
"""

from dataclasses import dataclass, fields
from functools import partial

import numpy as np

from mlcourse.models.decision_stump import between

BLOCK = 2**16  # examples times features that are searched together: their arrays stay in the cache


# --- the best test of every open leaf --------------------------------------------------------------


class Level:
    """The n leaves of a level: sizes (0 if closed), statistics, and the examples inside with their leaves."""

    def __init__(self, inside, leaf, size, total, impurity, min_leaf):
        self.inside, self.leaf, self.size, self.total, self.min_leaf = inside, leaf, size, total, min_leaf
        self.slack = 1e-10 * impurity  # criteria that differ by less are equal, lest rounding break ties
        self.end = np.cumsum(size)
        at = np.repeat(np.arange(len(size)), size)
        self.cuttable = self.admits(at, np.arange(1, len(at) + 1) - (self.end - size)[at])  # after each position

    def admits(self, leaf, n_left):
        """Whether ``min_leaf`` examples are on both sides of a cut of the leaf with ``n_left`` on the left."""
        return (n_left >= self.min_leaf) & (self.size[leaf] - n_left >= self.min_leaf)

    def sides(self, s, n_cuts):
        """The statistics left and right of every cut, from those between one cut and the next."""
        total = np.tile(self.total, len(n_cuts))
        before = np.cumsum(total, axis=1) - total
        left = np.cumsum(s, axis=1)[:, :-1] - np.repeat(before, n_cuts.ravel(), axis=1)
        return left, np.repeat(total, n_cuts.ravel(), axis=1) - left


class Features:
    """The columns of X: those whose values have an order are sorted once, and stay sorted within the leaves."""

    def __init__(self, X, named, n_values):
        self.X, self.named, self.n_values = X, named, n_values
        self.ordered = np.setdiff1d(np.arange(X.shape[1]), named)
        self.x = X.T[self.ordered]
        self.order = self.x.argsort(axis=1)

    def split(self, inside, right):
        """Put left children first, in the order of their parents, then right children; keep the examples inside."""
        side = np.full(len(right), 2, dtype=np.int8)
        side[inside] = right[inside]
        n_right = np.count_nonzero(right[inside])
        order, side = self.order.ravel(), side[self.order].ravel()
        halves = [
            order.compress(side == child).reshape(len(self.ordered), size)
            for child, size in [(0, len(inside) - n_right), (1, n_right)]
        ]
        self.order = np.concatenate(halves, axis=1)

    def values(self, j):
        """The values of the features of a slice, in their order."""
        row = np.arange(len(self.ordered))[j, None]
        return self.x.take(self.order[j] + row * self.x.shape[1])  # much faster than take_along_axis

    def blocks(self):
        """Slices of as many ordered features as fit into the cache together."""
        step = max(1, BLOCK // max(1, self.order.shape[1]))
        return [slice(j, j + step) for j in range(0, len(self.ordered), step)]


@dataclass
class Splits:
    """The best test of each of n leaves: a feature (-1: none) with a threshold, or with the values that go right."""

    score: np.ndarray  # the criterion of the two children together
    feature: np.ndarray
    threshold: np.ndarray  # NaN if the feature is categorical
    member: np.ndarray  # (n, n_values)

    @classmethod
    def none(cls, n, n_values):
        """No test at any of n leaves."""
        return cls(np.full(n, np.inf), np.full(n, -1), np.full(n, np.nan), np.zeros((n, n_values), dtype=bool))

    def improve(self, features, score, n_cuts, slack, test):
        """Take over the better cuts, of the ``n_cuts`` of each feature and leaf; ``test(cuts)`` is what they ask."""
        least, first = lowest(score, n_cuts, slack)
        row = np.argmax(least <= least.min(axis=0) + slack, axis=0)  # the first feature of equals
        score, equal = least[row, np.arange(len(row))], features[row] < self.feature
        better = np.flatnonzero((score < self.score - slack) | equal & (score <= self.score + slack))
        row = row[better]
        self.score[better], self.feature[better] = least[row, better], features[row]
        self.threshold[better], self.member[better] = test(first[row, better])


def lowest(score, n_cuts, slack):
    """The least score among the cuts of each feature and leaf, and the first cut that has it, up to the slack."""
    least, first, some = np.full(n_cuts.shape, np.inf), np.zeros(n_cuts.shape, dtype=int), n_cuts > 0
    if some.any():
        count = n_cuts[some]
        head = np.cumsum(count) - count
        least[some] = np.minimum.reduceat(score, head)
        hits = np.flatnonzero(score <= np.repeat((least + slack)[some], count))
        first[some] = hits[np.searchsorted(hits, head)]
    return least, first


def best_splits(features, level, stats, criterion, best):
    """Improve the best test of every leaf by the tests "x_j <= theta"; ties go to the lowest feature and cut."""
    for j in features.blocks():
        order = features.order[j]
        x = features.values(j)
        is_cut = level.cuttable & np.pad(x[:, :-1] < x[:, 1:], ((0, 0), (0, 1)))
        passed = np.append(0, np.cumsum(is_cut))  # the cuts before each position
        end = level.end + np.arange(len(order))[:, None] * order.shape[1]
        n_cuts = passed[end] - passed[end - level.size]  # of each feature and leaf
        left, right = level.sides(stats.sums(order.ravel(), passed[:-1], passed[-1] + 1), n_cuts)
        score = criterion(stats.clean(left)) + criterion(stats.clean(right))
        best.improve(features.ordered[j], score, n_cuts, level.slack, partial(thresholds, x.ravel(), passed))


def thresholds(x, passed, cuts):
    """The thresholds midway between the neighbours of these cuts; no set of values goes right."""
    after = np.searchsorted(passed, cuts + 1)
    return between(x[after - 1], x[after]), False


def best_subsets(j, features, level, stats, criterion, best):
    """Improve the best test of every leaf by the tests "x_j in a set" on a feature whose numbers are names.

    With two classes or real targets the values in a leaf are sorted by their odds or means, the largest first, then
    cut like numbers: no set is better if ``min_leaf`` is 1. With more classes a set has one value.
    """
    x = features.X[level.inside, j].astype(int)
    pairs, pair = np.unique(level.leaf * features.n_values + x, return_inverse=True)
    leaf, value = np.divmod(pairs, features.n_values)
    right, n_right = stats.sums(level.inside, pair, len(pairs)), np.bincount(pair, minlength=len(pairs))
    if stats.sorts_values:
        with np.errstate(divide="ignore"):
            rank = np.lexsort((-value, -right[1] / right[0], leaf))
        before = np.cumsum(level.total, axis=1) - level.total
        value, right = value[rank], np.cumsum(right[:, rank], axis=1) - before[:, leaf]
        n_right = np.cumsum(n_right[rank]) - (level.end - level.size)[leaf]
    cut = np.flatnonzero(level.admits(leaf, n_right))
    right, left = right[:, cut], (level.total[:, leaf] - right)[:, cut]
    score = criterion(stats.clean(left)) + criterion(stats.clean(right))

    def members(cuts):
        c, member = cut[cuts], np.zeros((len(cuts), features.n_values), dtype=bool)
        head = np.searchsorted(leaf, leaf[c]) if stats.sorts_values else c
        for row, first, last in zip(member, head, c, strict=True):
            row[value[first : last + 1]] = True
        return np.nan, member

    n_cuts = np.bincount(leaf[cut], minlength=len(level.size))
    best.improve(np.array([j]), score, n_cuts[None], level.slack, members)


def goes_right(tests, at, X, rows):
    """Whether each of the rows of X goes right by the test of the node where it stands."""
    x, threshold = X[rows, tests.feature[at]], tests.threshold[at]
    right = x > threshold
    named = np.flatnonzero(np.isnan(threshold))
    right[named] = tests.member[at[named], x[named].astype(int)]
    return right


# --- growth ----------------------------------------------------------------------------------------


@dataclass
class Tree:
    """Arrays over the nodes, the root first, parents before their children; -1 and NaN where a leaf has nothing."""

    feature: np.ndarray
    threshold: np.ndarray  # NaN if the feature is categorical
    member: np.ndarray  # (n_nodes, n_values), the values of a categorical feature that go right
    left: np.ndarray
    right: np.ndarray
    total: np.ndarray  # (n_nodes, k) statistics
    count: np.ndarray  # examples
    impurity: np.ndarray  # the criterion
    decrease: np.ndarray  # what the test takes from it
    depth: np.ndarray

    def __len__(self):
        return len(self.left)

    def inner_by_depth(self):
        """The inner nodes of each depth, from the root down."""
        t = np.flatnonzero(self.left >= 0)
        t = t[np.argsort(self.depth[t], kind="stable")]
        return np.split(t, np.flatnonzero(np.diff(self.depth[t])) + 1)

    def apply(self, X):
        """The leaf that each row of X reaches."""
        at, moving = np.zeros(len(X), dtype=int), np.arange(len(X))
        while len(moving := moving[self.left[at[moving]] >= 0]):
            here = at[moving]
            at[moving] = np.where(goes_right(self, here, X, moving), self.right[here], self.left[here])
        return at

    def subtree(self, inner):
        """The tree in which only the nodes with ``inner`` keep their children; nodes are numbered anew."""
        kept, inner = np.zeros(len(self), dtype=bool), inner & (self.left >= 0)
        kept[0] = True
        for t in self.inner_by_depth():
            inner[t] &= kept[t]
            kept[self.left[t]] = kept[self.right[t]] = inner[t]
        old, number = np.flatnonzero(kept), np.append(np.cumsum(kept) - 1, -1)
        new = {field.name: getattr(self, field.name)[old] for field in fields(self)}
        for name, nothing in {"left": -1, "right": -1, "feature": -1, "threshold": np.nan, "decrease": 0}.items():
            new[name][~inner[old]] = nothing
        new["member"][~inner[old]] = False
        new["left"], new["right"] = number[new["left"]], number[new["right"]]
        return Tree(**new)


def grow(y, features, stats, criterion, max_depth=np.inf, min_leaf=1):
    """Split every impure leaf by its best test, level by level, until no leaf may be split."""
    inside, leaf, right = np.arange(len(y)), np.zeros(len(y), dtype=int), np.zeros(len(y), dtype=np.int8)
    levels, first, n, depth = [], 0, 1, 0
    while n:
        here = leaf[inside]
        stats.centre(inside, here, n)
        size, total = np.bincount(here, minlength=n), stats.sums(inside, here, n)
        impurity, best = criterion(total), Splits.none(n, features.n_values)
        is_open = impure(y[inside], here, n) & (size >= 2 * min_leaf) & (depth < max_depth)
        inside = inside[is_open[here]]
        if len(inside):
            features.split(inside, right)
            level = Level(inside, leaf[inside], size * is_open, total * is_open, impurity, min_leaf)
            best_splits(features, level, stats, criterion, best)
            for j in features.named:
                best_subsets(j, features, level, stats, criterion, best)
        found = best.feature >= 0
        inside = inside[found[leaf[inside]]]
        right[inside] = goes_right(best, leaf[inside], features.X, inside)
        child = np.cumsum(found) - 1  # the number of the left one; right children come after all left ones
        leaf[inside] = child[leaf[inside]] + right[inside] * found.sum()
        levels.append(nodes(best, first + n + child, total, size, impurity, depth))
        first, n, depth = first + n, 2 * found.sum(), depth + 1
    return Tree(*map(np.concatenate, zip(*levels, strict=True)))


def impure(y, leaf, n):
    """Whether each of n leaves holds two different targets."""
    some = np.zeros(n, dtype=y.dtype)
    some[leaf] = y
    return np.bincount(leaf, y != some[leaf], n) > 0


def nodes(best, child, total, size, impurity, depth):
    """The rows of a level in the arrays of the tree, in the order of the fields of ``Tree``."""
    found = best.feature >= 0
    left, right = np.where(found, child, -1), np.where(found, child + found.sum(), -1)
    decrease = np.maximum(impurity - np.where(found, best.score, impurity), 0)
    depth = np.full(len(size), depth)
    return best.feature, best.threshold, best.member, left, right, total.T, size, impurity, decrease, depth
