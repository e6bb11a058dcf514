"""A tree grown alone and the trees grown together are the same, if the same examples and features are drawn."""

import numpy as np
import pytest

from mlcourse import RandomForest
from mlcourse.ensembles import forest_growth
from mlcourse.ensembles.random_tree import random_tree
from mlcourse.models.trees.criteria import CRITERIA
from mlcourse.models.trees.predictor import Node, nodes

RNG = np.random.default_rng(0)
SAMPLES = {
    "random": (RNG.normal(size=(40, 4)), RNG.integers(0, 3, size=40)),
    "ties": (RNG.integers(0, 3, size=(40, 4)).astype(float), RNG.integers(0, 2, size=40)),
    "duplicates": (np.repeat(RNG.normal(size=(5, 4)), 6, axis=0), RNG.integers(0, 2, size=30)),
    "constant features": (np.column_stack([np.ones((20, 3)), RNG.integers(0, 4, size=20)]), np.arange(20) % 2),
    "constant": (np.ones((12, 4)), np.arange(12) % 2),
    "two points": (np.eye(2, 4), np.array([1, 0])),
}


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
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("n_chosen", [1, 2, 4])
def test_both_grow_the_same_trees(name, criterion, n_chosen, monkeypatch):
    (X, y), order = SAMPLES[name], np.random.default_rng(n_chosen).permutation(4)
    monkeypatch.setattr(forest_growth, "shuffled_features", lambda n, d, n_chosen, rng: np.tile(order, (n, 1)))
    forest = RandomForest(5, n_chosen, criterion, random_state=0).fit(X, y)
    for h, count in zip(forest.members_, forest.counts_, strict=True):
        draws = Replay(np.repeat(np.arange(len(y)), count), order)
        assert random_tree(X, y, n_chosen, draws, CRITERIA[criterion]) == h.nested()


def test_every_leaf_draws_its_features_anew():
    tree = random_tree(*SAMPLES["random"], 1, rng=0)
    assert len({node.test.feature for node in nodes(tree) if isinstance(node, Node)}) > 1
