"""Greedy growth of a tree, one level at a time: every open leaf finds its best test, then all of them split.

The statistics of a leaf are sums over its examples: their weight in each class, or (weight, weighted targets).
A criterion is a concave function of them, the leaf's weight times psi of its class fractions; a test is good if
it lowers the sum of the criterion over the leaves by much.

Letters
    Z       (k, m) statistics of the m examples; ``total`` (k, n) those of the n open leaves
    leaf    open leaf of each example, 0..n-1; -1 for an example that rests in a closed one
    cut     place between two neighbours in the examples of a leaf, sorted by a feature; what is before is left
    at      leaf of each cut
"""

from dataclasses import dataclass, fields

import numpy as np
from scipy.special import xlogy

from mlcourse.models.decision_stump import between

TINY = np.finfo(float).tiny


# --- criteria: the weight of a leaf times psi, from the class weights in the rows of s ------------


def gini(s):
    """Weight times 2a(1 - a); with more classes, times 1 minus the sum of the squared fractions."""
    weight = s.sum(axis=0)
    return (s * (weight - s)).sum(axis=0) / (weight + TINY)


def entropy(s):
    """Weight times half the entropy of the fractions, in bits."""
    weight = s.sum(axis=0)
    return (xlogy(weight, weight) - xlogy(s, s).sum(axis=0)) / (2 * np.log(2))


def sqrt(s):
    """Weight times sqrt(a(1 - a)); with more classes, times half the sum of these roots."""
    return np.sqrt(s * (s.sum(axis=0) - s)).sum(axis=0) / 2


def zero_one(s):
    """Weight times min(a, 1 - a); with more classes, times 1 minus the largest fraction."""
    return s.sum(axis=0) - s.max(axis=0)


def variance(s):
    """Weight times the variance of the targets, from the sums of weights, targets and squared targets."""
    return s[2] - s[1] ** 2 / (s[0] + TINY)


CRITERIA = {"gini": gini, "entropy": entropy, "sqrt": sqrt, "zero-one": zero_one}


# --- the best test of every open leaf --------------------------------------------------------------


@dataclass
class Level:
    """The leaves of a level, a closed one with size 0: their examples, statistics, sizes, least size of a child."""

    Z: np.ndarray
    inside: np.ndarray  # the examples of the open leaves
    leaf: np.ndarray  # their leaves
    total: np.ndarray
    size: np.ndarray
    impurity: np.ndarray
    min_leaf: int

    def __post_init__(self):
        self.end = np.cumsum(self.size)
        self.slack = 1e-10 * self.impurity  # scores that differ by less are equal: rounding shall not break ties
        self.at = np.repeat(np.arange(len(self.size)), self.size)  # the leaf at each position of a sorted feature
        self.before = np.cumsum(self.total, axis=1) - self.total  # the sum of the leaves before each leaf
        self.cuttable = self.admits(self.at, np.arange(1, len(self.at) + 1) - (self.end - self.size)[self.at])

    def admits(self, at, n_left):
        """Whether a cut of leaf ``at`` with that many examples on the left leaves enough on both sides."""
        return (n_left >= self.min_leaf) & (self.size[at] - n_left >= self.min_leaf)


class Numeric:
    """A feature with an order, its examples sorted once and kept sorted by leaf, then by value."""

    def __init__(self, x):
        self.x, self.order = x, np.argsort(x, kind="stable")

    def split(self, side):
        """Left children come first, in the order of their parents, then right children; side 2 drops out."""
        side = side[self.order]
        self.order = np.concatenate([self.order[side == 0], self.order[side == 1]])

    def cuts(self, level):
        """The leaf of each cut, the statistics left of it, and what to record of it."""
        x = self.x[self.order]
        cut = np.flatnonzero(level.cuttable[:-1] & (x[:-1] < x[1:]))
        at = level.at[cut]
        left = np.cumsum(level.Z[:, self.order], axis=1)[:, cut] - level.before[:, at]
        return at, left, lambda chosen: (between(x[cut[chosen]], x[cut[chosen] + 1]), False)


class Categorical:
    """A feature without an order, coded 0..n_values-1: in each leaf its values are sorted by their mean label."""

    def __init__(self, x, n_values, one_against_rest):
        self.x, self.n_values, self.one_against_rest = x.astype(int), n_values, one_against_rest

    def split(self, side):
        """Nothing is kept sorted."""

    def cuts(self, level):
        """The leaf of each cut, the statistics left of it, and what to record of it."""
        pairs, pair = np.unique(level.leaf * self.n_values + self.x[level.inside], return_inverse=True)
        at, value = np.divmod(pairs, self.n_values)
        s, count = sums(level.Z[:, level.inside], pair, len(pairs)), np.bincount(pair, minlength=len(pairs))
        if self.one_against_rest:
            left, n_left = level.total[:, at] - s, level.size[at] - count
        else:
            with np.errstate(divide="ignore"):  # the odds of the second class, which may be infinite, or the mean
                order = np.lexsort((value, s[1] / s[0], at))
            at, value, s, count = at[order], value[order], s[:, order], count[order]
            left = np.cumsum(s, axis=1) - level.before[:, at]
            n_left = np.cumsum(count) - (level.end - level.size)[at]
        cut = np.flatnonzero(level.admits(at, n_left))

        def record(chosen):
            member = np.zeros((len(chosen), self.n_values), dtype=bool)
            for row, c in zip(member, cut[chosen], strict=True):
                row[value[c] if self.one_against_rest else value[c + 1 : np.searchsorted(at, at[c], "right")]] = True
            return np.nan, member

        return at[cut], left[:, cut], record


@dataclass
class Splits:
    """The best test of each of n leaves: a feature (-1: none) with a threshold, or with the values that go right."""

    score: np.ndarray  # the criterion of the two children together
    feature: np.ndarray
    threshold: np.ndarray  # NaN if the feature is categorical
    member: np.ndarray  # (n, n_values)


def best_splits(features, level, criterion, n_values):
    """The test of each open leaf whose children have the least criterion; ties go to the lowest feature and cut."""
    n = len(level.size)
    best = Splits(np.full(n, np.inf), np.full(n, -1), np.full(n, np.nan), np.zeros((n, n_values), dtype=bool))
    for j, feature in enumerate(features):
        at, left, record = feature.cuts(level)
        score = criterion(left) + criterion(level.total[:, at] - left)
        leaves, chosen = lowest(score, at, level.slack)
        better = score[chosen] < best.score[leaves] - level.slack[leaves]
        leaves, chosen = leaves[better], chosen[better]
        best.score[leaves], best.feature[leaves] = score[chosen], j
        best.threshold[leaves], best.member[leaves] = record(chosen)
    return best


def lowest(score, at, slack):
    """The leaves that have a cut, and for each the first of its cuts with the least score, up to its slack."""
    head = np.flatnonzero(np.diff(at, prepend=-1))
    if not len(head):
        return head, head
    least = np.minimum.reduceat(score, head) + slack[at[head]]
    hits = np.flatnonzero(score <= np.repeat(least, np.diff(head, append=len(at))))
    return at[head], hits[np.flatnonzero(np.diff(at[hits], prepend=-1))]


def sums(Z, group, n):
    """The (k, n) sums of the statistics over groups 0..n-1 of examples."""
    return np.stack([np.bincount(group, z, n) for z in Z])


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
        for t in np.flatnonzero(inner):
            kept[[self.left[t], self.right[t]]] = inner[t] = kept[t]
        old, number = np.flatnonzero(kept), np.append(np.cumsum(kept) - 1, -1)
        new = {field.name: getattr(self, field.name)[old] for field in fields(self)}
        for name, nothing in {"left": -1, "right": -1, "feature": -1, "threshold": np.nan, "decrease": 0}.items():
            new[name][~inner[old]] = nothing
        new["member"][~inner[old]] = False
        new["left"], new["right"] = number[new["left"]], number[new["right"]]
        return Tree(**new)


def grow(X, y, Z, features, criterion, n_values=1, max_depth=np.inf, min_leaf=1):
    """Split every impure leaf by its best test, level by level, until no leaf may be split."""
    inside, leaf, right = np.arange(len(y)), np.zeros(len(y), dtype=int), np.zeros(len(y), dtype=np.int8)
    levels, first, n, depth = [], 0, 1, 0
    while n:
        here = leaf[inside]
        size, total = np.bincount(here, minlength=n), sums(Z[:, inside], here, n)
        if criterion is variance:  # small sums: the targets of a leaf are measured from their mean
            Z[1, inside] -= (total[1] / total[0])[here]
            Z[2] = Z[1] ** 2
            total = sums(Z[:, inside], here, n)
        is_open = impure(y[inside], here, n) & (size >= 2 * min_leaf) & (depth < max_depth)
        inside = inside[is_open[here]]
        side = np.full(len(y), 2, dtype=np.int8)
        side[inside] = right[inside]
        for feature in features:
            feature.split(side)
        impurity = criterion(total)
        level = Level(Z, inside, leaf[inside], total * is_open, size * is_open, impurity, min_leaf)
        best = best_splits(features, level, criterion, n_values)
        found = best.feature >= 0
        inside = inside[found[leaf[inside]]]
        right[inside] = goes_right(best, leaf[inside], X, inside)
        child = np.where(found, np.cumsum(found) - 1, 0)  # the left one; the right ones come after all left ones
        leaf[inside] = child[leaf[inside]] + right[inside] * found.sum()
        levels.append(nodes(best, found, first + n + child, total, size, impurity, depth))
        first, n, depth = first + n, 2 * found.sum(), depth + 1
    return Tree(*map(np.concatenate, zip(*levels, strict=True)))


def impure(y, leaf, n):
    """Whether each of n leaves holds two different targets."""
    some = np.zeros(n, dtype=y.dtype)
    some[leaf] = y
    return np.bincount(leaf, y != some[leaf], n) > 0


def nodes(best, found, child, total, size, impurity, depth):
    """The rows of a level in the arrays of the tree, in the order of the fields of ``Tree``."""
    left, right = np.where(found, child, -1), np.where(found, child + found.sum(), -1)
    decrease = np.where(found, np.maximum(impurity - np.where(found, best.score, 0), 0), 0)
    n = len(size)
    return best.feature, best.threshold, best.member, left, right, total.T, size, impurity, decrease, np.full(n, depth)
