"""Decision trees: estimators that grow a tree greedily, and may prune it.

Letters
    D        distribution over the m examples
    lam      price of a leaf in cost-complexity pruning
    j        column, a feature
"""

import numpy as np

from mlcourse.arguments.numbers import check_one_of
from mlcourse.base import ProbabilisticClassifier, Regressor, WeightedFit, last_argmax
from mlcourse.models.trees.criteria import CRITERIA, ClassWeights, Moments, variance, whole_weights
from mlcourse.models.trees.grown_tree import GrownTree
from mlcourse.models.trees.predictor import Leaf


class DecisionTree(GrownTree, WeightedFit, ProbabilisticClassifier):
    """A tree of tests "x_j <= theta" grown greedily; a leaf answers with its majority class.

    Every leaf that holds two classes is split by the test that lowers (weight of the leaf) * psi(class fractions)
    most, even if by nothing, as at the root of XOR. A tie between tests goes to the lowest feature and threshold,
    a tie between classes to the last of them in ``classes_``.

    Parameters: ``criterion``, which names psi: "gini", "entropy", "sqrt" or "zero-one"; ``max_depth``;
    ``max_leaves``, reached by splitting the leaf of largest decrease first; ``min_leaf``, the least number of examples
    in a leaf; ``lam``, price of a leaf for the zero-one training risk (0: no pruning); ``categorical``, the columns
    that hold names (strings or numbers), tested by "x_j in a set": the best set if there are two classes, else the
    best value; a name not seen in training counts as not in the set.
    Learned: ``tree_``, arrays over the nodes; ``value_`` (n_nodes, k) class fractions; ``rank_``, the place of each
    inner node in greedy growth; ``n_leaves_``, ``depth_``.

    Guarantee: thm-ordered-categories, thm-weakest-link. Book: trees. Source: Milan 4, 5; Vayatis.
    """

    _valid = {"criterion": check_one_of(*CRITERIA)} | GrownTree._valid

    def __init__(self, criterion="gini", max_depth=None, max_leaves=None, min_leaf=1, lam=0.0, categorical=()):
        super().__init__(max_depth, max_leaves, min_leaf, lam, categorical)
        self.criterion = criterion

    def _fit(self, X, y, D):
        weight = whole_weights(D)
        counts = ClassWeights(y, len(self.classes_), None if (weight == 1).all() else weight)
        tree = self._grow(X, y, counts, CRITERIA[self.criterion])
        tree.impurity, tree.decrease = tree.impurity / weight.sum(), tree.decrease / weight.sum()
        self._set_tree(self._cut_back(tree))

    def _set_tree(self, tree):
        super()._set_tree(tree)
        self.value_ = tree.total / tree.total.sum(axis=1, keepdims=True)
        self.label_ = last_argmax(tree.total)

    def _risks(self, tree):
        return tree.total.sum(axis=1) - tree.total.max(axis=1)

    def _weight(self, tree):
        return tree.total[0].sum()

    def _leaf(self, t):
        counts = tuple(int(c) if c == int(c) else float(c) for c in self.tree_.total[t])
        return Leaf(self.classes_.tolist()[self.label_[t]], counts)

    def _proba(self, X):
        return self.value_[self.tree_.apply(self._coded(X))]

    def _predict(self, X):
        return self.label_[self.tree_.apply(self._coded(X))]


class RegressionTree(GrownTree, Regressor):
    """A tree of tests "x_j <= theta" grown greedily for the square loss; a leaf answers with its mean target.

    Every leaf with two different targets is split by the test that lowers its sum of squares most.

    Parameters: as for ``DecisionTree``; ``lam`` is the price of a leaf for the mean square training loss.
    Learned: as for ``DecisionTree``; ``value_`` (n_nodes,) holds the mean targets.

    Guarantee: prop-regression-split, thm-ordered-categories. Book: trees. Source: Milan 5.3.
    """

    def _fit(self, X, y):
        tree = self._grow(X, y, Moments(y), variance)
        self._measure(tree, tree.apply(self._coded(X)), y)
        self._set_tree(self._cut_back(tree))

    def _measure(self, tree, leaf, y):
        """Mean and mean square of the targets in every node, from the leaves up, so that nothing cancels."""
        mean, n = np.zeros(len(tree)), np.maximum(tree.count, 1)
        for _ in range(2):  # the second round mends the rounding of the first
            mean += np.bincount(leaf, y - mean[leaf], len(tree)) / n
        squares = np.bincount(leaf, (y - mean[leaf]) ** 2, len(tree))
        for t in tree.inner_by_depth()[::-1]:
            a, b = tree.left[t], tree.right[t]
            step = (mean[b] - mean[a]) * n[b] / n[t]
            mean[t], tree.decrease[t] = mean[a] + step, step**2 * n[a] * n[t] / n[b]
            squares[t] = squares[a] + squares[b] + tree.decrease[t]
        tree.impurity, tree.decrease, tree.total = squares / len(y), tree.decrease / len(y), mean[:, None]

    def _set_tree(self, tree):
        super()._set_tree(tree)
        self.value_ = tree.total[:, 0]

    def _risks(self, tree):
        return tree.impurity

    def _weight(self, tree):
        return 1.0

    def _leaf(self, t):
        return Leaf(float(self.value_[t]), (int(self.tree_.count[t]),))

    def _predict(self, X):
        return self.value_[self.tree_.apply(self._coded(X))]
