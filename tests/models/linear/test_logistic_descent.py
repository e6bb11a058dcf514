"""Conjugate gradients written out for the logistic risk make the steps of the general ones, and end where they do."""

import numpy as np
import pytest

from mlcourse import LogisticRegression
from mlcourse.losses import logistic
from mlcourse.models.linear.logistic_descent import logistic_conjugate_gradient
from mlcourse.optim.conjugate_gradient import conjugate_gradient
from mlcourse.optim.objective import LinearRisk

RNG = np.random.default_rng(0)
SAMPLES = {
    "random": (RNG.normal(size=(60, 4)), RNG.choice([-1, 1], size=60)),
    "separable": (X := RNG.normal(size=(40, 2)), np.where(X[:, 0] > 0.1, 1, -1)),
    "other units": (RNG.normal(size=(50, 3)) * [0.5, 1, 3], RNG.choice([-1, 1], size=50)),
    "ties": (RNG.integers(-1, 2, size=(50, 3)).astype(float), RNG.choice([-1, 1], size=50)),
    "duplicates": (np.repeat(RNG.normal(size=(4, 2)), 6, axis=0), np.tile([-1, 1], 12)),
    "constant": (np.ones((9, 2)), np.array([1, 1, -1, 1, -1, 1, 1, 1, -1])),
    "two points": (np.array([[1.0, 0], [1, 2]]), np.array([1, -1])),
    "one point": (np.array([[2.0]]), np.array([-1])),
}


@pytest.mark.algorithm("alg-nonlinear-cg")
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("lam", [1.0, 1e-2])
def test_both_make_the_same_steps(name, lam):
    X, y = SAMPLES[name]
    plain = logistic_conjugate_gradient(X, y, lam)
    general = conjugate_gradient(LinearRisk(logistic, X, y, lam), np.zeros(X.shape[1]))
    assert plain.converged and (plain.n_steps, True) == (general.n_steps, general.converged)
    np.testing.assert_allclose(plain.path, general.path, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("lam", [1.0, 1e-2])
def test_it_ends_where_the_estimator_does(name, lam):
    X, y = SAMPLES[name]
    plain = logistic_conjugate_gradient(X, y, lam, tol=1e-9)
    assert plain.converged
    if len(set(y)) > 1:
        model = LogisticRegression(lam, bias=False, tol=1e-9).fit(X, y)
        np.testing.assert_allclose(plain.last, model.w_, atol=1e-6)


def test_without_a_penalty_the_path_is_the_same_and_a_zero_gradient_ends_it_at_once():
    X, y = SAMPLES["random"]
    plain = logistic_conjugate_gradient(X, y)
    general = conjugate_gradient(LinearRisk(logistic, X, y), np.zeros(4))
    np.testing.assert_allclose(plain.path, general.path, rtol=1e-7, atol=1e-9)
    still = logistic_conjugate_gradient([[1.0], [1.0]], [-1, 1])
    assert still.n_steps == 0 and still.converged
