"""Trying all stumps, sorting for one distribution and sorting once for many find the same least weighted error."""

import numpy as np
import pytest

from mlcourse import DecisionStump
from mlcourse.ensembles.adaboost import by_stumps
from mlcourse.models.trees.stump import best_stump

RNG = np.random.default_rng(0)
SAMPLES = {
    "random": (RNG.normal(size=(30, 3)), RNG.choice([-1, 1], size=30)),
    "separable": (X := RNG.normal(size=(20, 2)), np.where(X[:, 1] > 0.3, -1, 1)),
    "ties": (RNG.integers(0, 3, size=(30, 3)), RNG.choice([-1, 1], size=30)),
    "duplicates": (np.repeat(RNG.normal(size=(4, 2)), 5, axis=0), np.tile([-1, 1], 10)),
    "constant": (np.ones((7, 2)), np.array([1, 1, -1, 1, -1, -1, -1])),
    "neighbours in floating point": (np.nextafter(1.0, [[0.0], [1.0], [2.0]]), np.array([-1, 1, 1])),
    "two points": (np.array([[0.0, 1], [1, 1]]), np.array([1, -1])),
}


def errors(X, y, D):
    """The weighted error of every stump on the sample."""
    cuts = [x > theta for x in np.transpose(X) for theta in [-np.inf, *np.unique(x)[:-1]]]
    return np.array([D[(y == 1) != (cut == (s == 1))].sum() for cut in cuts for s in (1, -1)])


@pytest.mark.algorithm("alg-boosted-stumps")
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("seed", range(6))
def test_all_find_the_least_error_and_the_same_rule_if_only_one_has_it(name, seed):
    X, y = SAMPLES[name]
    D = np.full(len(y), 1 / len(y)) if seed == 0 else np.random.default_rng(seed).dirichlet(np.ones(len(y)))
    error, *rule = best_stump(X, y, D)
    alone, again = DecisionStump().fit(X, y, D), by_stumps(X, y)(D)[0]
    every = errors(X, y, D)
    assert np.isclose(error, every.min(), atol=1e-14)
    for fast in (alone, again):
        assert np.isclose(error, fast.risk_, atol=1e-14)
        if (every <= error + 1e-12).sum() == 1:
            assert rule == [fast.feature_, fast.threshold_, fast.polarity_]


def test_the_rule_makes_the_errors_that_it_says():
    X, y = SAMPLES["random"]
    D = RNG.dirichlet(np.ones(len(y)))
    error, j, theta, s = best_stump(X, y, D)
    assert np.isclose(D[np.where(X[:, j] > theta, s, -s) != y].sum(), error)


def test_one_point_is_a_constant_rule():
    assert best_stump([[3.0]], [-1], [1.0]) == (0.0, 0, -np.inf, -1)
