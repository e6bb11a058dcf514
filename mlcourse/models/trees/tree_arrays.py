"""A tree as arrays over its nodes.

Letters
    t    node, numbered from 0, the root, on; parents before their children
    X    points, in rows
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class Tests:
    """The tests of some nodes: a feature each (-1: none) with a threshold, or with the values that go right."""

    feature: np.ndarray
    threshold: np.ndarray  # NaN if the feature is categorical
    member: np.ndarray  # (n_nodes, n_values), the values of a categorical feature that go right

    def goes_right(self, at: np.ndarray, X: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Whether each of the rows of X goes right by the test of the node where it stands."""
        x, threshold = X.take(rows * X.shape[1] + self.feature.take(at)), self.threshold.take(at)
        right = x > threshold
        if self.member.shape[1] > 1:  # some features are named
            named = np.flatnonzero(np.isnan(threshold))
            right[named] = self.member[at[named], x[named].astype(int)]
        return right


@dataclass
class TreeArrays(Tests):
    """Arrays over the nodes, the root first, parents before their children; -1 and NaN where a leaf has nothing."""

    left: np.ndarray
    right: np.ndarray
    total: np.ndarray  # (n_nodes, k) statistics
    count: np.ndarray  # examples
    impurity: np.ndarray  # the criterion
    decrease: np.ndarray  # what the test takes from it
    depth: np.ndarray

    def __len__(self):
        return len(self.left)

    def inner_by_depth(self) -> list[np.ndarray]:
        """The inner nodes of each depth, from the root down."""
        t = np.flatnonzero(self.left >= 0)
        t = t[np.argsort(self.depth[t], kind="stable")]
        return np.split(t, np.flatnonzero(np.diff(self.depth[t])) + 1)

    def apply(self, X: np.ndarray) -> np.ndarray:
        """The leaf that each row of X reaches."""
        X, child = np.ascontiguousarray(X), np.stack([self.left, self.right], axis=1)
        at, here, moving = np.zeros(len(X), dtype=int), np.zeros(len(X), dtype=int), np.arange(len(X))
        while len(moving):
            inner = self.left.take(here) >= 0
            here, moving = here[inner], moving[inner]
            here = child.take(2 * here + self.goes_right(here, X, moving))
            at[moving] = here
        return at

    def rows(self, t: np.ndarray) -> "TreeArrays":
        """The arrays over the nodes t."""
        return TreeArrays(*(values[t] for values in vars(self).values()))

    def subtree(self, inner: np.ndarray) -> "TreeArrays":
        """The tree in which only the nodes with ``inner`` keep their children; nodes are numbered anew."""
        kept, inner = np.zeros(len(self), dtype=bool), inner & (self.left >= 0)
        kept[0] = True
        for t in self.inner_by_depth():
            inner[t] &= kept[t]
            kept[self.left[t]] = kept[self.right[t]] = inner[t]
        old, number = np.flatnonzero(kept), np.append(np.cumsum(kept) - 1, -1)
        new, cut = self.rows(old), ~inner[old]
        new.left[cut] = new.right[cut] = new.feature[cut] = -1
        new.threshold[cut], new.member[cut], new.decrease[cut] = np.nan, False, 0
        new.left, new.right = number[new.left], number[new.right]
        return new
