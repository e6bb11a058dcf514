"""Random forests: bagged trees, every leaf of which may be split by a few random features only.

Letters
    X, y     sample: m points of R^d, and labels 0..k-1 or real targets
    count    (n_trees, m) how often each tree holds each row
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mlcourse.arguments.numbers import check_count, check_flag, check_one_of, check_optional_count, check_rng
from mlcourse.base import map_tasks
from mlcourse.ensembles.bagging import AveragingEnsemble, Ensemble, VotingEnsemble, parts
from mlcourse.ensembles.forest_growth import Presorted, grow_together
from mlcourse.ensembles.resampling import bootstrap
from mlcourse.models.trees.criteria import CRITERIA, ClassWeights, Moments, variance
from mlcourse.models.trees.decision_tree import DecisionTree, RegressionTree

TOGETHER = 2**15  # rows that are worked on together, in trees of m rows each: they stay in the cache


def grown(forest: Any, X: np.ndarray, y: np.ndarray, order: np.ndarray, tasks: list[tuple]) -> tuple[list, list]:
    """The trees of all tasks (how many trees, their generator), and how often each of them holds each row."""
    np.empty(2**21)  # freed at once: the C library then keeps freed arrays up to this size for the next ones
    presorted, members, counts = Presorted(X, order), [], []
    for n_trees, rng in tasks:
        count = np.ones((n_trees, len(y)), dtype=int)
        if forest.bootstrap:
            count = np.array([np.bincount(bootstrap(len(y), rng), minlength=len(y)) for _ in range(n_trees)])
        trees = forest._grow(presorted, np.tile(y, n_trees), count, rng)
        members += [forest._member(tree, row, X, y) for tree, row in zip(trees, count, strict=True)]
        counts.append(count)
    return members, counts


class _Forest(Ensemble):
    """A forest of either kind: its trees are grown in groups, and read."""

    _default_features: Callable[[int], int]
    _measures: Callable[..., tuple]  # the statistics of leaves, and the criterion
    _valid = {
        "n_trees": check_count,
        "max_features": check_optional_count,
        "max_depth": check_optional_count,
        "min_leaf": check_count,
        "bootstrap": check_flag,
    }

    def __init__(self, n_trees=100, max_features=None, max_depth=None, min_leaf=1, bootstrap=True, random_state=None):
        self.n_trees = n_trees
        self.max_features = max_features
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.bootstrap = bootstrap
        self.random_state = random_state

    def _fit(self, X, y, executor=None):
        d, group = X.shape[1], max(1, TOGETHER // len(y))
        if self.max_features is not None and self.max_features > d:
            raise ValueError(f"max_features must be at most the number of features, {d}, got {self.max_features}")
        sizes = [min(group, self.n_trees - first) for first in range(0, self.n_trees, group)]
        groups = list(zip(sizes, check_rng(self.random_state).spawn(len(sizes)), strict=True))
        order = X.T.argsort(axis=1)  # every feature is sorted once, for all trees
        results = map_tasks(grown, [(self, X, y, order, part) for part in parts(groups, executor)], executor)
        self.members_ = [h for members, _ in results for h in members]
        self.counts_ = np.concatenate([count for _, counts in results for count in counts])

    def _grow(self, presorted, y, count, rng):
        """The trees, with the repeated examples counted as often as they are drawn."""
        stats, criterion = self._measures(y, count.ravel().astype(float))
        d, depth = presorted.X.shape[1], np.inf if self.max_depth is None else self.max_depth
        n_chosen = self.max_features or self._default_features(d)
        return grow_together(y, count, presorted, stats, criterion, n_chosen, rng, depth, self.min_leaf)

    @property
    def importances_(self):
        """The (d,) share of each feature in the decrease of the criterion, averaged over the trees that split."""
        self._require_fit()
        trees, d = [h.tree_ for h in self.members_], self.n_features_in_
        shares = np.array([np.bincount(t.feature + 1, t.decrease, d + 1)[1:] for t in trees])
        totals = shares.sum(axis=1, keepdims=True)
        grown = totals[:, 0] > 0  # a tree of one leaf says nothing
        return (shares[grown] / totals[grown]).mean(axis=0) if grown.any() else np.zeros(d)


class RandomForest(_Forest, VotingEnsemble):
    """Full decision trees on bootstrap samples, whose leaves are split by the best of a few random features.

    Every leaf draws ``max_features`` features; if none of them can split it, the others are searched too. The shares
    of the classes in the leaves that a point reaches are averaged over the trees: a vote, if the leaves are pure.

    Parameters: ``max_features`` (None: sqrt(d), rounded); ``criterion``, ``max_depth``, ``min_leaf`` of the trees
    (``min_leaf`` counts different examples); ``bootstrap``: False gives every tree the whole sample.
    Learned: ``members_``, decision trees; ``counts_`` (n_trees, m), how often each tree drew each example;
    ``importances_`` (d,).

    Guarantee: prop-strength-correlation. Book: bagging-and-forests. Source: Paris ("small depth" corrected), Milan 22.
    """

    _valid = {"criterion": check_one_of(*CRITERIA)} | _Forest._valid

    def __init__(
        self,
        n_trees=100,
        max_features=None,
        criterion="gini",
        max_depth=None,
        min_leaf=1,
        bootstrap=True,
        random_state=None,
    ):
        super().__init__(n_trees, max_features, max_depth, min_leaf, bootstrap, random_state)
        self.criterion = criterion

    def _default_features(self, d):
        return max(1, round(np.sqrt(d)))

    def _measures(self, y, weight):
        return ClassWeights(y, len(self.classes_), weight, exact=True), CRITERIA[self.criterion]

    def _member(self, tree, count, X, y):
        h = DecisionTree(self.criterion, max_depth=self.max_depth, min_leaf=self.min_leaf)
        h.classes_, h.n_features_in_, h.values_ = self.classes_, self.n_features_in_, {}
        tree.count = np.rint(tree.total.sum(axis=1)).astype(int)
        tree.impurity, tree.decrease = tree.impurity / len(y), tree.decrease / len(y)
        h._set_tree(tree)
        return h

    def _output(self, h, X):
        return h._proba(X)


class RandomForestRegressor(_Forest, AveragingEnsemble):
    """Full regression trees on bootstrap samples, whose leaves are split by the best of a few random features.

    Parameters and learned as for ``RandomForest``; ``max_features`` None: a third of the features.

    Guarantee: prop-bagging-variance. Book: bagging-and-forests. Source: Paris, Milan 22.
    """

    def _default_features(self, d):
        return max(1, d // 3)

    def _measures(self, y, weight):
        return Moments(y, weight), variance

    def _member(self, tree, count, X, y):
        h, drawn = RegressionTree(max_depth=self.max_depth, min_leaf=self.min_leaf), np.repeat(np.arange(len(y)), count)
        h.n_features_in_, h.values_ = self.n_features_in_, {}
        tree.count = np.rint(tree.total[:, 0]).astype(int)
        h._measure(tree, tree.apply(X)[drawn], y[drawn])
        h._set_tree(tree)
        return h

    def _output(self, h, X):
        return h._predict(X)
