"""Finite laws: exact risks against enumeration of every predictor and against samples."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcourse.data.finite import FiniteLaw
from mlcourse.losses import log_loss


def zero_one(y, y_hat):
    return (y != y_hat).astype(float)


def costly(y, y_hat):
    return np.where(y == y_hat, 0.0, np.where(y > y_hat, 5.0, 1.0))


def square(y, y_hat):
    return (y - y_hat) ** 2.0


def absolute(y, y_hat):
    return np.abs(y - y_hat)


def random_law(seed, n, k):
    P = np.random.default_rng(seed).exponential(size=(n, k))
    return FiniteLaw(P / P.sum(), labels=np.arange(k) - 1)


@pytest.mark.parametrize("loss", [zero_one, costly, square, absolute])
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 4), k=st.integers(2, 4))
@settings(deadline=None, max_examples=15)
def test_bayes_is_the_best_of_all_predictors(loss, seed, n, k):
    law = random_law(seed, n, k)
    offered = np.array([-1.0, 0.0, 0.5, 1.0])
    risks = {}
    for h in itertools.product(offered, repeat=n):
        cells = itertools.product(range(n), range(k))
        risks[h] = sum(law.P[x, y] * loss(law.labels[y], np.float64(h[x])) for x, y in cells)
        assert law.risk(h, loss) == pytest.approx(risks[h])
    assert law.bayes_risk(loss, offered) == pytest.approx(min(risks.values()))
    assert risks[tuple(law.bayes_predictor(loss, offered))] == pytest.approx(min(risks.values()))


@given(seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=15)
def test_square_loss_is_minimised_by_the_conditional_mean(seed):
    law = random_law(seed, 5, 3)
    mean = law.conditional @ law.labels
    np.testing.assert_allclose(law.bayes_predictor(square, mean), mean)
    assert law.risk(mean, square) == pytest.approx(law.marginal @ (law.conditional @ law.labels**2 - mean**2))


def test_posterior_and_zero_one_loss():
    law = FiniteLaw([[0.1, 0.3], [0.2, 0.05], [0.175, 0.175]])
    np.testing.assert_allclose(law.marginal, [0.4, 0.25, 0.35])
    np.testing.assert_allclose(law.eta, [0.75, 0.2, 0.5])
    np.testing.assert_allclose(law.conditional.sum(axis=1), 1)
    assert law.bayes_risk(zero_one, [-1, 1]) == pytest.approx(law.marginal @ np.minimum(law.eta, 1 - law.eta))
    np.testing.assert_array_equal(law.bayes_predictor(zero_one, [1, -1]), [1, -1, 1])


def test_samples_follow_the_law():
    law = FiniteLaw([[0.1, 0.0, 0.3], [0.2, 0.3, 0.1]], labels=["a", "b", "c"], points=[[0, 1], [5, 6]])
    m = 20_000
    X, y = law.sample(m, np.random.default_rng(0))
    assert X.shape == (m, 2) and y.shape == (m,)
    for i, j in itertools.product(range(2), range(3)):
        share = np.mean((X == law.points[i]).all(axis=1) & (y == law.labels[j]))
        assert abs(share - law.P[i, j]) <= 5 * np.sqrt(law.P[i, j] / m)
    X, _ = FiniteLaw([[0.5, 0.5]], points=[3.0]).sample(4, np.random.default_rng(0))
    np.testing.assert_array_equal(X, np.full((4, 1), 3.0))


@pytest.mark.parametrize(
    "build, message",
    [
        (lambda: FiniteLaw([0.5, 0.5]), "a row for each point"),
        (lambda: FiniteLaw([[0.5, 0.2, 0.3]]), "2 labels"),
        (lambda: FiniteLaw([[0.5, 0.6]]), "sum to 1"),
        (lambda: FiniteLaw([[1.5, -0.5]]), "non-negative"),
        (lambda: FiniteLaw([[np.nan, 0.5]]), "non-negative"),
        (lambda: FiniteLaw([[0.5, 0.5], [0, 0]]), "point 1 has 0"),
        (lambda: FiniteLaw([[0.5, 0.5]], points=[1, 2]), "2 points"),
        (lambda: random_law(0, 2, 3).eta, "two labels"),
        (lambda: random_law(0, 2, 3).risk([1], square), "one prediction for each point"),
        (lambda: random_law(0, 2, 3).bayes_risk(square, []), "non-empty"),
    ],
)
def test_bad_input_is_refused(build, message):
    with pytest.raises(ValueError, match=message):
        build()


def test_what_never_happens_costs_nothing_even_if_infinite():
    law = FiniteLaw([[0.5, 0.0], [0.0, 0.5]])
    assert law.risk([0.0, 1.0], log_loss) == 0 == law.bayes_risk(log_loss, [0.0, 0.5, 1.0])
