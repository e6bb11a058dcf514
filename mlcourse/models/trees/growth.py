"""Greedy growth of a tree, one level at a time: every open leaf finds its best test, then all of them split.

Letters
    s, total   (k, n) statistics of n sets of examples, of n leaves
    inside     examples in the leaves of a level; ``leaf`` the leaf of each of them, numbered 0..n-1 within the level
    order      row j: the examples inside, sorted by leaf, then by feature j; ``x`` the values of j in that order
    cut        place between two neighbours in a sorted leaf; the examples before it go left
    piece      the examples between one cut and the next
"""

from collections.abc import Callable

import numpy as np

from mlcourse.models.trees.criteria import Sums
from mlcourse.models.trees.stump import between
from mlcourse.models.trees.tree_arrays import Tests, TreeArrays
from mlcourse.optim.moments import row_blocks

CELLS_AT_ONCE = 2**16  # examples times features that are searched together: their arrays stay in the cache
SLACK = 1e-10  # criteria that differ by less than this part of their leaf's are equal, lest rounding break ties


def grow(
    y: np.ndarray, features: "Features", stats: Sums, criterion: Callable, max_depth: float = np.inf, min_leaf: int = 1
) -> TreeArrays:
    """Split every impure leaf by its best test, level by level, until no leaf may be split."""
    level, levels = Level(np.arange(len(y)), np.zeros(len(y), dtype=int), n=1), []
    while level.n:
        level.measure(stats, criterion)
        is_open = level.impure(y) & (level.size >= 2 * min_leaf) & (level.depth < max_depth)
        level.close(~is_open, min_leaf)
        features.divide(level)
        best = best_splits(features, level, stats, criterion)
        levels.append(level.nodes(best))
        level = level.children(best, features.X)
    return TreeArrays(*map(np.concatenate, zip(*levels, strict=True)))


class Level:
    """The leaves 0..n-1 of one depth, and the examples inside; ``first`` is the number of leaf 0 in the tree."""

    tree: np.ndarray  # of each leaf, where several trees grow together

    def __init__(self, inside, leaf, n, depth=0, first=0):
        self.inside, self.leaf, self.n, self.depth, self.first = inside, leaf, n, depth, first

    def measure(self, stats: Sums, criterion: Callable) -> None:
        """Add up what the leaves hold: their sizes, statistics and criteria."""
        stats.centre(self.inside, self.leaf, self.n)
        self.size, self.total = np.bincount(self.leaf, minlength=self.n), stats.sums(self.inside, self.leaf, self.n)
        self.impurity = criterion(self.total)
        self.slack = SLACK * self.impurity

    def impure(self, y: np.ndarray) -> np.ndarray:
        """Whether each leaf holds two different targets."""
        y, some = y[self.inside], np.zeros(self.n, dtype=y.dtype)
        some[self.leaf] = y
        return np.bincount(self.leaf, y != some[self.leaf], self.n) > 0

    def close(self, is_closed: np.ndarray, min_leaf: int) -> None:
        """Let the examples of closed leaves go; see where the others may be cut if both sides keep ``min_leaf``."""
        self.keep(~is_closed)
        self.open_size, self.open_total = np.where(is_closed, 0, self.size), np.where(is_closed, 0, self.total)
        self.end, self.min_leaf = np.cumsum(self.open_size), min_leaf  # where a leaf ends in a sorted order
        at = np.repeat(np.arange(self.n), self.open_size)
        self.cuttable = self.admits(at, np.arange(1, len(at) + 1) - (self.end - self.open_size)[at])

    def keep(self, wanted: np.ndarray) -> None:
        """Keep the examples of the wanted leaves."""
        stays = wanted[self.leaf]
        self.inside, self.leaf = self.inside[stays], self.leaf[stays]

    def admits(self, leaf: np.ndarray, n_left: np.ndarray) -> np.ndarray:
        """Whether ``min_leaf`` examples are on both sides of a cut of the leaf with ``n_left`` on the left."""
        return (n_left >= self.min_leaf) & (self.size[leaf] - n_left >= self.min_leaf)

    def sides(self, pieces: np.ndarray, n_cuts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The statistics left and right of every cut, from those of the pieces; n_cuts of each feature and leaf."""
        total = np.tile(self.open_total, len(n_cuts))
        before = np.cumsum(total, axis=1) - total
        left = np.cumsum(pieces, axis=1)[:, :-1] - np.repeat(before, n_cuts.ravel(), axis=1)
        return left, np.repeat(total, n_cuts.ravel(), axis=1) - left

    def children(self, best: "Splits", X: np.ndarray) -> "Level":
        """The next level: the left children of the leaves with a test, in their order, then the right ones."""
        found = best.feature >= 0
        self.keep(found)
        side = best.goes_right(self.leaf, X, self.inside % len(X))  # trees that grow together share the rows of X
        leaf = (np.cumsum(found) - 1)[self.leaf] + side * found.sum()
        return Level(self.inside, leaf, 2 * int(found.sum()), self.depth + 1, self.first + self.n)

    def nodes(self, best: "Splits") -> tuple[np.ndarray, ...]:
        """The rows of this level in the arrays of the tree, in the order of the fields of ``TreeArrays``."""
        found = best.feature >= 0
        left = np.where(found, self.first + self.n + np.cumsum(found) - 1, -1)
        right, depth = np.where(found, left + found.sum(), -1), np.full(self.n, self.depth)
        decrease = np.maximum(self.impurity - np.where(found, best.score, self.impurity), 0)
        test = best.feature, best.threshold, best.member
        return *test, left, right, self.total.T, self.size, self.impurity, decrease, depth


class Features:
    """The columns of X: those whose values have an order are sorted once, and stay sorted within the leaves."""

    def __init__(self, X, named, n_values):
        self.X, self.named, self.n_values = np.ascontiguousarray(X), named, n_values
        self.ordered = np.setdiff1d(np.arange(X.shape[1]), named)
        self.x = X.T[self.ordered]
        self.order = self.x.argsort(axis=1)

    def divide(self, level: Level) -> None:
        """Sort the examples inside by leaf, then by value: left children come first, in the order of their parents."""
        side, is_right = np.full(len(self.X), 2, dtype=np.int8), level.leaf >= (level.n + 1) // 2
        side[level.inside] = is_right
        order, side = self.order.ravel(), side[self.order].ravel()
        sizes = np.bincount(is_right, minlength=2)
        halves = [order.compress(side == child).reshape(len(self.ordered), sizes[child]) for child in (0, 1)]
        self.order = np.concatenate(halves, axis=1)

    def sorted_values(self, block: slice) -> np.ndarray:
        """The values of the features of a block, each in its order."""
        row = np.arange(len(self.ordered))[block, None]
        return self.x.take(self.order[block] + row * self.x.shape[1])  # much faster than take_along_axis

    def blocks(self) -> list[slice]:
        """Slices of as many ordered features as fit into the cache together."""
        return row_blocks(len(self.ordered), CELLS_AT_ONCE // max(1, self.order.shape[1]))


def best_splits(features: Features, level: Level, stats: Sums, criterion: Callable) -> "Splits":
    """The best test of every open leaf; ties go to the lowest feature and cut."""
    best = Splits(level.n, features.n_values)
    for block in features.blocks():
        cuts = Cuts(features.sorted_values(block), level)
        pieces = stats.sums(features.order[block].ravel(), cuts.piece, cuts.n_pieces)
        left, right = level.sides(pieces, cuts.number)
        score = criterion(stats.clean(left)) + criterion(stats.clean(right))
        best.improve(features.ordered[block], score, cuts, level.slack)
    for j in features.named:
        sets = Subsets(j, features, level, stats)
        score = criterion(stats.clean(sets.left)) + criterion(stats.clean(sets.right))
        best.improve(np.array([j]), score, sets, level.slack)
    return best


class Cuts:
    """The cuts of a block of sorted features: the places in a leaf between two different values.

    ``number`` (features, leaves): how many there are; ``piece``: the number of the piece at each place of the orders.
    """

    def __init__(self, x, level):
        is_cut = level.cuttable & np.pad(x[:, :-1] < x[:, 1:], ((0, 0), (0, 1)))  # after this place
        self.x, self.passed = x.ravel(), np.append(0, np.cumsum(is_cut))  # the cuts before each place
        end = level.end + np.arange(len(x))[:, None] * x.shape[1]
        self.number = self.passed[end] - self.passed[end - level.open_size]
        self.piece, self.n_pieces = self.passed[:-1], int(self.passed[-1]) + 1

    def tests(self, cuts: np.ndarray) -> tuple[np.ndarray, bool]:
        """The thresholds midway between the neighbours of these cuts; no set of values goes right."""
        after = np.searchsorted(self.passed, cuts + 1)
        return between(self.x[after - 1], self.x[after]), False


class Subsets:
    """The sets of values, of a feature whose numbers are names, that the tests "x_j in a set" may send right.

    With two classes or real targets the values in a leaf are sorted by their odds or means, the largest first, then
    cut like numbers: no set is better if ``min_leaf`` is 1. With more classes a set has one value.
    """

    def __init__(self, j, features, level, stats):
        x, n_values = features.X[level.inside, j].astype(int), features.n_values
        pairs, pair = np.unique(level.leaf * n_values + x, return_inverse=True)
        leaf, value = np.divmod(pairs, n_values)
        right, n_right = stats.sums(level.inside, pair, len(pairs)), np.bincount(pair, minlength=len(pairs))
        self.n_values, self.first = n_values, np.arange(len(pairs))  # the first value of each set
        if stats.sorts_values:
            with np.errstate(divide="ignore"):
                rank = np.lexsort((-right[1] / right[0], leaf))
            before = np.cumsum(level.open_total, axis=1) - level.open_total
            value, right = value[rank], np.cumsum(right[:, rank], axis=1) - before[:, leaf]
            n_right = np.cumsum(n_right[rank]) - (level.end - level.open_size)[leaf]
            self.first = np.searchsorted(leaf, leaf)
        self.value, self.last = value, np.flatnonzero(level.admits(leaf, n_right))  # the last value of each set
        self.right, self.left = right[:, self.last], (level.total[:, leaf] - right)[:, self.last]
        self.number = np.bincount(leaf[self.last], minlength=level.n)[None]

    def tests(self, sets: np.ndarray) -> tuple[float, np.ndarray]:
        """No threshold, and the members of these sets."""
        member = np.zeros((len(sets), self.n_values), dtype=bool)
        for row, last in zip(member, self.last[sets], strict=True):
            row[self.value[self.first[last] : last + 1]] = True
        return np.nan, member


class Splits(Tests):
    """The best test of each of n leaves, as far as they have been searched."""

    def __init__(self, n, n_values):
        self.score = np.full(n, np.inf)  # the criterion of the two children together
        super().__init__(np.full(n, -1), np.full(n, np.nan), np.zeros((n, n_values), dtype=bool))

    def improve(self, features: np.ndarray, score: np.ndarray, cuts: Cuts | Subsets, slack: np.ndarray) -> None:
        """Take over the cuts (or sets) of the features with a lower score; of equals the lowest feature, first cut."""
        least, first = lowest(score, cuts.number, slack)
        row = np.argmax(least <= least.min(axis=0) + slack, axis=0)  # the first feature of equals
        score, equal = least[row, np.arange(len(row))], features[row] < self.feature
        better = np.flatnonzero((score < self.score - slack) | equal & (score <= self.score + slack))
        row = row[better]
        self.score[better], self.feature[better] = least[row, better], features[row]
        self.threshold[better], self.member[better] = cuts.tests(first[row, better])


def lowest(score: np.ndarray, n_cuts: np.ndarray, slack: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least score among the cuts of each feature and leaf, and the first cut that has it, up to the slack."""
    least, first, some = np.full(n_cuts.shape, np.inf), np.zeros(n_cuts.shape, dtype=int), n_cuts > 0
    if some.any():
        count = n_cuts[some]
        head = np.cumsum(count) - count
        least[some] = np.minimum.reduceat(score, head)
        hits = np.flatnonzero(score <= np.repeat((least + slack)[some], count))
        first[some] = hits[np.searchsorted(hits, head)]
    return least, first
