"""Pegasos: the sum behind the weights, the length of the subgradients, the bound on average, and its kernel form."""

import numpy as np
import pytest
import sklearn.svm

from mlcourse import GaussianKernel, LinearKernel, Pegasos
from mlcourse.models.kernels.pegasos import drawn_batches, pegasos
from mlcourse.models.linear.linear_separation import augmented


def sample(seed, m=50, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=m) > 0, 1.0, -1.0), rng


def objective(X, y, lam):
    return lambda w: np.maximum(1 - y * (X @ w), 0).mean() + lam / 2 * w @ w


def least(X, y, lam):
    """The least value of the objective, by liblinear."""
    C = 1 / (lam * len(y))
    exact = sklearn.svm.LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=10**6).fit(X, y)
    return objective(X, y, lam)(exact.coef_[0])


def test_the_answer_is_the_average_of_the_first_T_weights():
    X, y, _ = sample(2)
    for T in (1, 2, 7, 2000):
        model = Pegasos(0.1, T, batch=3, bias=False, random_state=4).fit(X, y)
        path = pegasos(X, y, 0.1, drawn_batches(50, 3, T - 1, np.random.default_rng(4))).path
        assert len(path) == T and not path[0].any()
        np.testing.assert_allclose(model.w_, np.mean(path, axis=0), atol=1e-12)
        assert model.b_ == 0


def test_draws_are_uniform_and_as_many_as_asked():
    rows = np.array(list(drawn_batches(7, 3, 5000, np.random.default_rng(0))))
    assert rows.shape == (5000, 3) and set(rows.ravel()) == set(range(7))
    counts = np.bincount(rows.ravel())
    assert ((counts - 15000 / 7) ** 2 / (15000 / 7)).sum() < 22.5  # chi-squared, 6 degrees of freedom, 0.001
    assert list(drawn_batches(7, 3, 0, np.random.default_rng(0))) == []


# --- kernels ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("bias", [True, False])
def test_with_the_linear_kernel_it_learns_the_same_scores(bias):
    X, y, _ = sample(4)
    linear, dual = (Pegasos(0.05, 500, 2, kernel, bias, random_state=1).fit(X, y) for kernel in (None, LinearKernel()))
    np.testing.assert_allclose(linear.decision_function(X), dual.decision_function(X), atol=1e-9)
    assert linear.b_ == pytest.approx(dual.b_, abs=1e-9)


def test_one_step_learns_nothing():
    X, y, _ = sample(7)
    for kernel in (None, GaussianKernel()):
        assert not Pegasos(n_steps=1, kernel=kernel).fit(X, y).decision_function(X).any()


# --- against liblinear --------------------------------------------------------------------------------------
def test_ten_passes_come_within_one_per_cent_of_liblinear():
    X, y, _ = sample(8, m=5000, d=10)
    lam = 0.01
    F, best = objective(X, y, lam), least(X, y, lam)
    for batch in (1, 32):
        model = Pegasos(lam, 50_000 // batch, batch, bias=False, random_state=0).fit(X, y)
        assert F(model.w_) <= 1.01 * best


def test_the_bias_is_the_weight_of_a_constant_feature():
    X, y, _ = sample(9)
    one = Pegasos(0.1, 300, random_state=0).fit(X + 0.5, y)
    two = Pegasos(0.1, 300, bias=False, random_state=0).fit(augmented(X + 0.5), y)
    np.testing.assert_allclose(np.append(one.w_, one.b_), two.w_)
