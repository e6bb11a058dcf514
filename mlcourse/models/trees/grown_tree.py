"""What classification and regression trees share: growing, cutting back, and reading a tree.

Letters
    lam      price of a leaf in cost-complexity pruning
    j        column, a feature
    t, x     node, point
"""

import reprlib
from collections.abc import Callable, Sequence
from copy import copy
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_rows
from mlcourse.arguments.numbers import check_count, check_non_negative, check_optional_count
from mlcourse.base import Estimator
from mlcourse.models.trees import predictor as tree_predictor
from mlcourse.models.trees.conditions import Member, Threshold
from mlcourse.models.trees.growth import Features, grow
from mlcourse.models.trees.predictor import Leaf, Node
from mlcourse.models.trees.pruning import best_prunings, branches, greedy_ranks, pruned_to, weakest_links


def _columns(name, value):
    if isinstance(value, str) or not np.iterable(value):
        raise ValueError(f"{name} must be a list of column numbers, got {value!r}")
    return [check_count(name, j, 0) for j in value]


def category_column(X: np.ndarray, j: int, like: np.ndarray | None = None) -> np.ndarray:
    """Column j of X: all strings or all numbers, and the same kind as ``like``."""
    entries = X[:, j].tolist() if X.dtype == object else X[:, j]
    column = np.asarray(entries)
    strings = {isinstance(entry, str) for entry in entries} if X.dtype == object else {False}
    if like is not None:
        strings.add(like.dtype.kind == "U")
    if len(strings) > 1 or column.dtype.kind not in "Ubiuf" or (column != column).any():
        raise ValueError(
            f"categorical column {j} must hold all strings or all numbers, in training and later, "
            f"got {reprlib.repr(X[:, j].tolist())}"
        )
    return column


class PruningPath(NamedTuple):
    """The smallest prunings of least cost: from ``lam[i]`` on, up to the next lam, one with ``n_leaves[i]`` leaves."""

    lam: np.ndarray
    n_leaves: np.ndarray
    risk: np.ndarray


class GrownTree(Estimator):
    """A tree of either kind: it is grown, cut back, and read."""

    _risks: Callable[..., np.ndarray]  # of each node as a leaf, in units in which the sample weighs ``_weight``
    _weight: Callable[..., float]
    _leaf: Callable[[int], Leaf]
    _valid = {
        "max_depth": check_optional_count,
        "max_leaves": check_optional_count,
        "min_leaf": check_count,
        "lam": check_non_negative,
        "categorical": _columns,
    }

    def __init__(self, max_depth=None, max_leaves=None, min_leaf=1, lam=0.0, categorical=()):
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_leaf = min_leaf
        self.lam = lam
        self.categorical = categorical

    def _check_points(self, X, n_features=None):
        """X as floats, or as a table of objects if its categorical columns hold names."""
        table = check_rows(X)
        if len(self.categorical) == 0 or table.dtype.kind in "biuf" or table.ndim != 2:
            return super()._check_points(X, n_features)
        table = np.array(X, dtype=object)
        named = np.isin(np.arange(table.shape[1]), [*self.categorical])
        table[:, ~named] = super()._check_points(np.where(named, 0, table), n_features)[:, ~named]
        return table

    def _grow(self, X, y, stats, criterion):
        """The tree grown as deep as it may be."""
        if max(self.categorical, default=0) >= X.shape[1]:
            raise ValueError(f"categorical names column {max(self.categorical)}, but X has {X.shape[1]} columns")
        self.values_ = {int(j): np.unique(category_column(X, j)) for j in sorted(set(self.categorical))}
        n_values = max(map(len, self.values_.values()), default=0) + 1
        features = Features(self._coded(X), [*self.values_], n_values)
        depth = len(y) if self.max_depth is None else self.max_depth
        depth = depth if self.max_leaves is None else min(depth, self.max_leaves - 1)
        return grow(y, features, stats, criterion, depth, self.min_leaf)

    def _cut_back(self, tree):
        """The tree within ``max_leaves`` and pruned at the price ``lam``."""
        if self.max_leaves is not None:
            tree = tree.subtree(greedy_ranks(tree) < self.max_leaves - 1)
        return tree if self.lam == 0 else tree.subtree(self._links(tree) > self.lam)

    def _set_tree(self, tree):
        self.tree_ = tree
        self.n_leaves_, self.depth_ = int((tree.left < 0).sum()), int(tree.depth.max())

    def _coded(self, X):
        """X with every categorical column replaced by the numbers of its values; a new value has the last number."""
        if not self.values_:
            return X
        X, unseen = X.copy(), max(map(len, self.values_.values()))
        for j, values in self.values_.items():
            column = category_column(X, j, like=values)
            code = np.searchsorted(values, column)
            known = values[np.minimum(code, len(values) - 1)] == column
            X[:, j] = np.where(known, code, unseen)
        return X.astype(float, copy=False)

    def _with(self, inner):
        """A copy of this estimator that holds the pruning with those inner nodes."""
        other = copy(self)
        other._set_tree(self.tree_.subtree(inner))
        return other

    @property
    def rank_(self) -> np.ndarray:
        """The place of each inner node in greedy growth, which splits the leaf of largest decrease first."""
        return greedy_ranks(self.tree_)

    def truncated(self, n_leaves: int) -> Self:
        """The tree when it had that many leaves in greedy growth (all its leaves, if they are fewer)."""
        self._require_fit()
        return self._with(self.rank_ < check_count("n_leaves", n_leaves) - 1)

    def pruned(self, lam: float | None = None, n_leaves: int | None = None) -> Self:
        """The smallest pruning of least training risk + lam * leaves, or a pruning of least risk with n_leaves."""
        self._require_fit()
        if (lam is None) == (n_leaves is None):
            raise ValueError(f"pruned needs either lam or n_leaves, got lam={lam!r} and n_leaves={n_leaves!r}")
        if lam is not None:
            return self._with(self._links(self.tree_) > check_non_negative("lam", lam))
        return self._with(pruned_to(self.tree_, self._risks(self.tree_), check_count("n_leaves", n_leaves)))

    def pruning_path(self) -> PruningPath:
        """Every lam at which the smallest pruning of least cost changes, with its number of leaves and risk."""
        self._require_fit()
        tree, risk = self.tree_, self._risks(self.tree_)
        inner = np.flatnonzero(tree.left >= 0)
        link = self._links(tree)[inner]
        order = np.argsort(-link)  # the nodes that stay longest first
        gain = (risk[inner] - risk[tree.left[inner]] - risk[tree.right[inner]])[order]
        lam = np.unique(np.append(0.0, link))
        n_kept = np.searchsorted(-link[order], -lam)
        return PruningPath(lam, 1 + n_kept, (risk[0] - np.append(0, np.cumsum(gain))[n_kept]) / self._weight(tree))

    def best_prunings(self) -> np.ndarray:
        """Entry i is the least training risk of a pruning with i + 1 leaves."""
        self._require_fit()
        return best_prunings(self.tree_, self._risks(self.tree_))[0] / self._weight(self.tree_)

    def _links(self, tree):
        return weakest_links(tree, self._risks(tree)) / self._weight(tree)

    def apply(self, X: ArrayLike) -> np.ndarray:
        """The number of the leaf that each row of X reaches."""
        X = self._new_points(X)
        return self.tree_.apply(self._coded(X))

    def decision_path(self, x: Sequence) -> list[int]:
        """The numbers of the nodes that the point x meets, from the root to its leaf."""
        path, parent = [int(self.apply([x])[0])], branches(self.tree_, self.tree_.impurity)[2]
        while path[-1]:
            path.append(int(parent[path[-1]]))
        return path[::-1]

    def nested(self) -> Node | Leaf:
        """The tree as ``Node`` and ``Leaf``, to be read, drawn or turned into a formula."""
        self._require_fit()
        tree = self.tree_
        built: dict[int, Node | Leaf] = {}
        for t in reversed(range(len(tree))):
            pair = int(tree.left[t]), int(tree.right[t])
            built[t] = self._leaf(t) if pair[0] < 0 else Node(self._test(t), tuple(map(built.pop, pair)))
        return built[0]

    def _test(self, t):
        j, tree = int(self.tree_.feature[t]), self.tree_
        if j not in self.values_:
            return Threshold(j, float(tree.threshold[t]))
        return Member(j, tuple(self.values_[j][np.flatnonzero(tree.member[t])].tolist()))

    def text(self, names: list[str] | None = None) -> str:
        """The tree as indented lines."""
        return tree_predictor.text(self.nested(), names)
