"""Boosting is descent on the exponential risk, one rule at a time; with a bounded sum of weights it has an optimum."""

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar

from mlcourse.ensembles.adaboost import adaboost, by_stumps
from mlcourse.ensembles.stagewise import coordinate_descent, regularised_boosting
from mlcourse.ensembles.voting import Vote


def noisy_sample(seed, m=40, d=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    y = np.where(X[:, 0] + X[:, -1] ** 2 + rng.normal(size=m) > 1, 1.0, -1.0)
    y[:2] = -1, 1
    return X, y


def all_stumps(X):
    """The (m, N) values of every stump of positive sign on the sample."""
    return np.column_stack([np.where(x > theta, 1.0, -1.0) for x in X.T for theta in np.unique(x)])


@pytest.mark.parametrize("seed", range(5))
def test_boosting_is_coordinate_descent_on_the_exponential_risk(seed):
    X, y = noisy_sample(seed)
    H = all_stumps(X)
    path = coordinate_descent(H, y, max_iter=15).path
    for before, after, boosted in zip(path, path[1:], adaboost(y, by_stumps(X, y), max_iter=15).path[1:], strict=False):
        risk = np.exp(-y * (H @ before)).mean()
        slopes = -(y * np.exp(-y * (H @ before))) @ H / len(y)
        (j,) = np.flatnonzero(after != before)
        assert np.isclose(np.abs(slopes[j]), np.abs(slopes).max())
        assert np.isclose(np.abs(slopes[j]), risk * (1 - 2 * boosted.epsilon))  # the steepest rule errs least
        assert np.isclose(np.abs(after[j] - before[j]), boosted.alpha)
        at = lambda tau, a=before, j=j: np.exp(-y * (H @ a + tau * H[:, j])).mean()  # noqa: E731
        assert np.isclose(minimize_scalar(at).fun, np.exp(-y * (H @ after)).mean(), rtol=1e-9)
        np.testing.assert_allclose(boosted.D, np.exp(-y * (H @ after)) / np.exp(-y * (H @ after)).sum(), rtol=1e-6)


def test_coordinate_descent_ends_at_a_stationary_point_or_where_there_is_no_minimum():
    assert coordinate_descent(np.array([[1.0], [-1.0]]), np.array([1, 1])).n_steps == 0
    run = coordinate_descent(np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]), np.array([1, 1, -1]))
    assert not run.converged and run.n_steps == 0  # the first rule is perfect
    run = coordinate_descent(np.array([[1.0], [1.0], [-1.0]]), np.array([1, 1, 1]))
    assert run.converged and np.isclose(run.last[0], np.log(2) / 2)


# --- with a bounded sum of weights -----------------------------------------------------------------
@pytest.mark.parametrize("lam", [0.3, 1.0, 2.0])
def test_regularised_boosting_reaches_the_best_combination(lam):
    X, y = noisy_sample(0, m=12, d=1)
    H = np.column_stack([all_stumps(X), -all_stumps(X)])
    run = regularised_boosting(y, by_stumps(X, y), lam, tol=2e-2, max_iter=500)

    def risk(a):
        return np.log(np.exp(-y * (H @ a)).mean())

    def slope(a):
        D = np.exp(-y * (H @ a))
        return -(D / D.sum() * y) @ H

    bounded = {"type": "ineq", "fun": lambda a: lam - a.sum(), "jac": lambda a: -np.ones(len(a))}
    start, positive = np.full(H.shape[1], lam / H.shape[1]), [(0, None)] * H.shape[1]
    best = minimize(risk, start, jac=slope, bounds=positive, constraints=bounded, method="SLSQP").fun
    found = np.log(np.exp(-y * run.last.f).mean())
    assert run.converged and run.last.gap <= 2e-2 and best - 1e-4 <= found <= best + run.last.gap + 1e-4


def test_the_gap_is_honest_in_every_step_and_the_weights_stay_bounded():
    X, y = noisy_sample(3)
    path = regularised_boosting(y, by_stumps(X, y), 1.0, tol=1e-2, max_iter=300).path
    risks = [np.log(np.exp(-y * state.f).mean()) for state in path]
    assert (np.diff(risks) <= 1e-9).all()
    for before, after, risk in zip(path, path[1:], risks, strict=False):
        assert risk - after.gap <= risks[-1] + 1e-9  # the gap belongs to the combination before the step
        assert after.alpha.sum() <= 1 + 1e-9 and (after.alpha >= 0).all() and len(after.alpha) == len(after.rules)
        assert before.gap > 1e-2
    last = path[-1]
    np.testing.assert_allclose(last.f, sum(a * h.predict(X) for a, h in zip(last.alpha, last.rules, strict=True)))
    clear = np.abs(last.f) > 1e-9
    assert np.array_equal(Vote(last.rules, last.alpha).predict(X)[clear], np.sign(last.f)[clear])


@pytest.mark.parametrize("lam", [0, -1.0, np.inf])
def test_the_sum_of_weights_must_be_positive(lam):
    X, y = noisy_sample(0)
    with pytest.raises(ValueError, match="lam must be"):
        regularised_boosting(y, by_stumps(X, y), lam)
