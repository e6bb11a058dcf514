"""Errata of Kondor's slides: what is printed fails, what is right holds. Others are marked in tests/theorems."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom, hypergeom

from mlcourse import GaussianDiscriminant
from mlcourse.data import GaussianPair, load_ionosphere
from mlcourse.losses import logistic
from mlcourse.models.linear.linear_separation import augmented, separating_direction
from mlcourse.testing import numerical_gradient
from mlcourse.theory import online, vc
from mlcourse.theory.model_selection import expected_least_error
from mlcourse.theory.rademacher import all_signs


def mistakes(X, y, passes=1):
    """Kondor's perceptron, which predicts +1 at score 0: the weights after each mistake."""
    w, found = np.zeros(X.shape[1]), []
    for x, label in list(zip(X, y, strict=True)) * passes:
        if (1 if w @ x >= 0 else -1) != label:
            w = w + label * x
            found.append(w)
    return found


@pytest.mark.erratum("EK1")
def test_the_rule_with_estimated_parameters_is_not_optimal():
    law, rng = GaussianPair(mu_plus=[2, 0, 0, 0, 0], mu_minus=np.zeros(5)), np.random.default_rng(0)
    risks = []
    for _ in range(100):
        model = GaussianDiscriminant(shared_covariance=True).fit(*law.sample(20, rng))
        risks.append(law.risk_of_linear(model.w_[1] - model.w_[0], model.b_[1] - model.b_[0]))
    assert np.isclose(np.mean(risks), 0.230, atol=1e-3) and round(law.bayes_risk, 3) == 0.159
    assert min(risks) > law.bayes_risk
    assert np.isclose(law.risk_of_linear(law.mu_plus - law.mu_minus, -2.0), law.bayes_risk)  # the true law


@pytest.mark.erratum("EK6")
def test_on_separable_data_and_on_ionosphere_the_likelihood_has_no_maximiser():
    X = np.random.default_rng(0).normal(size=(40, 2))
    y, w = np.where(X @ [1.0, -2.0] > 0, 1, -1), np.array([1.0, -2.0])
    losses = [logistic(y * (X @ (c * w))).sum() for c in (1, 10, 100, 10_000)]
    assert (np.diff(losses) < 0).all() and 0 <= losses[-1] < 1e-3
    assert separating_direction(X, np.where(np.arange(40) % 2, 1, -1)) is None  # then there is one
    X, y, *_ = load_ionosphere()
    points, y = augmented(X), np.where(y == "g", 1, -1)
    v = separating_direction(points, y)
    z = y * (points @ v)
    assert z.min() > -1e-9 and (z > 1e-6).any() and (np.abs(z) < 1e-9).any()
    w = np.zeros(len(v))
    for scale in (1.0, 10.0, 100.0):
        assert logistic(y * (points @ (w + scale * v))).sum() < logistic(y * (points @ w)).sum()
        w = w + scale * v


@pytest.mark.erratum("EK7")
def test_the_squared_norm_equals_the_number_of_mistakes_on_orthonormal_points():
    for M, w in enumerate(mistakes(np.eye(6), -np.ones(6)), start=1):
        assert w @ w == M  # printed: less than M
    rng, v = np.random.default_rng(0), np.array([1.0, 0, 0])
    X = rng.normal(size=(300, 3))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X = X[np.abs(X @ v) > 0.1]
    path = mistakes(X, np.sign(X @ v), passes=20)
    assert np.isclose(path[0] @ path[0], 1) and all(w @ w <= M + 1e-9 for M, w in enumerate(path, start=1))
    assert len(path) <= online.novikoff(1.0, np.abs(X @ v).min())


@pytest.mark.erratum("EK10")
def test_the_true_error_of_erm_may_lie_below_its_training_error():
    m, p = 5, 0.4  # one point, P(Y = 1) = p, the rules "always -1" and "always +1"
    k = np.arange(m + 1)
    chance, believed, actual = binom.pmf(k, m, p), np.minimum(k, m - k) / m, np.where(2 * k < m, p, 1 - p)
    assert chance @ actual > chance @ believed  # in expectation
    assert chance[actual <= believed + 1e-12].sum() > 1 / 3  # not always


@pytest.mark.erratum("EK11")
def test_without_d_at_most_2m_the_radicand_is_negative_and_the_usual_step_fails_exactly_up_to_m_3():
    d, m, delta = 1000, 100, 0.05
    assert d * (np.log(2 * m / d) + 1) + np.log(4 / delta) < 0
    with pytest.raises(ValueError):
        vc.vc_deviation(m, d, delta)
    for m in range(1, 61):
        worst, corrected = 0.0, 0.0
        for ones in range(1, 2 * m + 1):
            K = np.arange(ones // 2 + 1, min(ones, m) + 1)  # in one half: more than in the other
            epsilon, tail = (2 * K - ones) / m, hypergeom.sf(K - 1, 2 * m, ones, m)
            worst = max(worst, np.max(tail * np.exp(m * epsilon**2), initial=0))
            corrected = max(corrected, np.max(tail / vc.halves_probability(m, epsilon), initial=0))
        assert (worst > 1 + 1e-9) == (m <= 3) and corrected <= 1 + 1e-9


@pytest.mark.erratum("EK12")
def test_cross_validation_estimates_the_risk_of_a_shorter_sample_and_the_least_of_many_errors_is_optimistic():
    signs, m, K = all_signs(4), 4, 2  # the mean as predictor, square loss, variance 1, true mean 0
    halves = signs[:, :2], signs[:, 2:]
    folds = [np.mean((test - train.mean(axis=1, keepdims=True)) ** 2) for train, test in (halves, halves[::-1])]
    assert np.isclose(np.mean(folds), 1 + 1 / (m * (1 - 1 / K))) and not np.isclose(np.mean(folds), 1 + 1 / m)
    assert np.isclose(expected_least_error(50, 1), 0.5) and round(float(expected_least_error(50, 20)), 2) == 0.37


@pytest.mark.erratum("EK5")
def test_a_loop_over_j_that_uses_i_fits_one_example_only():
    rng = np.random.default_rng(0)
    X = augmented(rng.normal(size=(200, 2)))
    u = (rng.random(200) < expit(X @ [1.0, -2.0, 0.3])).astype(float)

    def loss(w, rows=slice(None)):
        return logistic((2 * u[rows] - 1) * (X[rows] @ w)).mean()

    def run(index):
        w = np.zeros(3)
        for j in range(2000):
            i = index(j)
            w = w - 0.1 * (expit(X[i] @ w) - u[i]) * X[i]
        return w

    w = rng.normal(size=3)
    gradient = numerical_gradient(lambda w: loss(w, slice(7, 8)), w)
    assert np.allclose(gradient, (expit(X[7] @ w) - u[7]) * X[7], atol=1e-6)  # the gradient is right
    right, literal = run(lambda j: rng.integers(200)), run(lambda j: 199)
    assert loss(right) < 0.7 * loss(np.zeros(3)) < loss(np.zeros(3)) < loss(literal)
