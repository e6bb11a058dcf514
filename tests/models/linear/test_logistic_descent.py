"""Conjugate gradients written out for the logistic risk make the steps of the general ones, and end where they do."""

import numpy as np
import pytest

from mlcourse import LogisticRegression
from mlcourse.losses import logistic
from mlcourse.models.linear.logistic_descent import logistic_conjugate_gradient
from mlcourse.optim.conjugate_gradient import conjugate_gradient
from mlcourse.optim.objective import LinearRisk


def assert_same_steps(X, y, lam):
    plain = logistic_conjugate_gradient(X, y, lam)
    general = conjugate_gradient(LinearRisk(logistic, X, y, lam), np.zeros(X.shape[1]))
    assert (plain.n_steps, plain.converged) == (general.n_steps, True)
    np.testing.assert_allclose(plain.path, general.path, rtol=1e-7, atol=1e-9)


@pytest.mark.algorithm("alg-nonlinear-cg")
@pytest.mark.parametrize("lam", [1.0, 1e-2])
def test_both_make_the_same_steps_and_end_where_the_estimator_does(signs, lam):
    X, y = signs
    assert_same_steps(X, y, lam)
    plain = logistic_conjugate_gradient(X, y, lam, tol=1e-9)
    assert plain.converged
    np.testing.assert_allclose(plain.last, LogisticRegression(lam, bias=False, tol=1e-9).fit(X, y).w_, atol=1e-6)


def test_other_units_one_point_and_no_penalty_make_the_same_steps_and_a_zero_gradient_ends_them_at_once(rng):
    X, y = rng.normal(size=(50, 3)) * [0.5, 1, 3], rng.choice([-1, 1], size=50)
    for lam in (1.0, 1e-2, 0.0):
        assert_same_steps(X, y, lam)
    assert_same_steps(np.array([[2.0]]), np.array([-1]), 1e-2)
    still = logistic_conjugate_gradient([[1.0], [1.0]], [-1, 1])
    assert still.n_steps == 0 and still.converged
