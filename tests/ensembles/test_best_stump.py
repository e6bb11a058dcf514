"""Trying all stumps, sorting for one distribution and sorting once for many find the same least weighted error."""

import numpy as np
import pytest

from mlcourse import DecisionStump
from mlcourse.ensembles.adaboost import by_stumps
from mlcourse.models.trees.stump import best_stump


def errors(X, y, D):
    """The weighted error of every stump on the sample."""
    cuts = [x > theta for x in np.transpose(X) for theta in [-np.inf, *np.unique(x)[:-1]]]
    return np.array([D[(y == 1) != (cut == (s == 1))].sum() for cut in cuts for s in (1, -1)])


def assert_all_find_the_best(X, y, rng):
    learn, m = by_stumps(X, y), len(y)
    for D in [np.full(m, 1 / m), *rng.dirichlet(np.ones(m), size=5)]:  # the rounds share a buffer
        error, j, theta, s = best_stump(X, y, D)
        every, (again, vote) = errors(X, y, D), learn(D)
        assert np.isclose(error, every.min(), atol=1e-14)
        assert np.isclose(D[np.where(X[:, j] > theta, s, -s) != y].sum(), error, atol=1e-14)
        assert np.array_equal(again.predict(X), vote)
        for fast in (DecisionStump().fit(X, y, D), again):
            assert np.isclose(fast.risk_, error, atol=1e-14)
            assert np.isclose(D[fast.predict(X) != y].sum(), error, atol=1e-14)
            if (every <= error + 1e-12).sum() == 1:
                assert (j, theta, s) == (fast.feature_, fast.threshold_, fast.polarity_)


@pytest.mark.claim("prop-stump-erm")
@pytest.mark.algorithm("alg-stump", "alg-boosted-stumps")
def test_all_find_the_least_error_and_the_same_rule_if_only_one_has_it(signs, rng):
    assert_all_find_the_best(*signs, rng)


@pytest.mark.claim("prop-stump-erm")
@pytest.mark.parametrize("seed", range(60))
def test_all_find_the_least_error_on_small_samples_with_many_ties(rng):
    m, d, values = rng.integers([2, 1, 1], [25, 5, 9])
    X, y = rng.integers(0, values, size=(m, d)).astype(float), rng.choice([-1, 1], size=m)
    y[:2] = -1, 1
    assert_all_find_the_best(X, y, rng)


def test_one_point_is_a_constant_rule():
    assert best_stump([[3.0]], [-1], [1.0]) == (0.0, 0, -np.inf, -1)
