"""Errata of the Milan notes on ensembles and neural networks (lectures 22 to 24); more marks in tests/theorems."""

import itertools

import numpy as np
import pytest

from mlcourse import AdaBoost, DecisionStump
from mlcourse.ensembles.adaboost import adaboost, by_stumps
from mlcourse.models.networks.layers import relu
from mlcourse.optim.gradient import gradient_descent
from mlcourse.theory.boosting import edge_bound


@pytest.fixture
def corner():
    """The ten points of the chapter on boosting."""
    X = np.random.default_rng(624).random((10, 2)).round(2) * 10
    return X, np.where((X[:, 0] < 3) | ((X[:, 0] < 7) & (X[:, 1] > 6)), 1.0, -1.0)


@pytest.mark.erratum("M94")
def test_a_rule_errs_with_probability_one_half_tomorrow_which_is_not_independence():
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = np.where((X**2).sum(axis=1) < 1.2, 1.0, -1.0)
    path = adaboost(y, by_stumps(X, y), max_iter=40).path
    common = []
    for now, after in itertools.pairwise(path[1:]):
        wrong, next_wrong = (r.h.predict(X) != y for r in (now, after))
        assert np.isclose(now.D[wrong].sum(), 1 / 2)
        common.append(now.D[wrong & next_wrong].sum() / (after.epsilon / 2))  # 1 if they were independent
    assert max(common) > 1.2 or min(common) < 0.8


@pytest.mark.erratum("M95")
def test_the_training_error_needs_the_root_and_the_factor_two(corner):
    X, y = corner
    rounds = adaboost(y, by_stumps(X, y), max_iter=2).path[1:]
    score = sum(r.alpha * r.h.predict(X) for r in rounds)
    epsilon = np.array([r.epsilon for r in rounds])
    edges, risk = 1 / 2 - epsilon, np.mean(np.exp(-y * score))
    assert np.isclose(risk, np.prod(np.sqrt(4 * epsilon * (1 - epsilon))))
    assert risk > 1.5 * np.prod(4 * epsilon * (1 - epsilon))  # without the root
    assert risk <= np.exp(-2 * np.sum(edges**2)) and np.isclose(edge_bound(edges), np.exp(-2 * np.sum(edges**2)))


@pytest.mark.erratum("M96")
def test_with_the_printed_sign_of_the_vote_the_training_error_stays_at_08(corner):
    X, y = corner
    D, score, learn = np.full(10, 0.1), np.zeros(10), by_stumps(X, y)
    for _ in range(60):
        _, values = learn(D)
        epsilon = max(D[values != y].sum(), 1e-12)
        w = np.log(epsilon / (1 - epsilon)) / 2  # as printed
        score += w * values
        D = D * np.exp(-w * y * values)
        D /= D.sum()
        assert np.isclose(np.mean(np.sign(score) != y), 0.8)
    assert (AdaBoost(n_rounds=3).fit(X, y).predict(X) == y).all()  # the right sign: three rounds


@pytest.mark.erratum("M99")
def test_a_stump_with_the_other_sign_has_the_complementary_error(corner):
    X, y = corner
    h = DecisionStump().fit(X, y)
    rule = np.where(X[:, h.feature_] > h.threshold_, 1, -1)
    assert np.mean(rule != y) + np.mean(-rule != y) == 1
    x = np.arange(4.0)[:, None]
    for labels in ([1, 1, -1, -1], [-1, -1, 1, 1]):  # both polarities are found
        assert DecisionStump().fit(x, labels).score(x, labels) == 1


@pytest.mark.erratum("M102")
def test_the_relu_is_the_identity_on_the_positive_part():
    x = np.array([0.5, 3.0, 7.0])
    value, back = relu(x)
    derivative = back(np.ones(3))
    assert np.array_equal(value, x) and np.array_equal(np.ravel(derivative), np.ones(3))


@pytest.mark.erratum("M105")
def test_gradient_descent_may_end_in_the_best_point_and_may_not():
    def f(w):
        return (w**2 - 1) ** 2 + 0.3 * w

    def gradient(w):
        return 4 * w * (w**2 - 1) + 0.3

    ends = [gradient_descent(gradient, [start], 0.05, max_iter=500).last[0] for start in (-0.5, 0.5)]
    grid = np.linspace(-2, 2, 4001)
    assert np.isclose(ends[0], grid[f(grid).argmin()], atol=1e-3) and ends[1] > 0.9 and f(ends[1]) > f(ends[0]) + 0.5
