"""A tree grown alone and the trees grown together are the same, if the same examples and features are drawn."""

import numpy as np
import pytest

from mlcourse import RandomForest
from mlcourse.ensembles import forest_growth
from mlcourse.ensembles.random_tree import random_tree
from mlcourse.models.trees.criteria import CRITERIA
from mlcourse.models.trees.predictor import Node, nodes


class Replay(np.random.Generator):
    """A generator that draws these examples, and the features always in this order."""

    def __init__(self, drawn, order):
        super().__init__(np.random.PCG64(0))
        self.drawn, self.order = drawn, order

    def integers(self, low, size):
        return self.drawn

    def permutation(self, x):
        return self.order


@pytest.mark.algorithm("alg-random-forest")
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("n_chosen", [1, 2, 4])
def test_both_grow_the_same_trees(awkward, criterion, n_chosen, monkeypatch):
    X, y = awkward
    n_chosen, order = min(n_chosen, X.shape[1]), np.random.default_rng(n_chosen).permutation(X.shape[1])
    monkeypatch.setattr(forest_growth, "shuffled_features", lambda n, d, n_chosen, rng: np.tile(order, (n, 1)))
    forest = RandomForest(5, n_chosen, criterion, random_state=0).fit(X, y)
    for h, count in zip(forest.members_, forest.counts_, strict=True):
        draws = Replay(np.repeat(np.arange(len(y)), count), order)
        assert random_tree(X, y, n_chosen, draws, CRITERIA[criterion]) == h.nested()


def test_every_leaf_draws_its_features_anew(rng):
    tree = random_tree(rng.normal(size=(40, 4)), rng.integers(0, 3, size=40), 1, rng=0)
    assert len({node.test.feature for node in nodes(tree) if isinstance(node, Node)}) > 1
