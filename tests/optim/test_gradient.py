"""Descent: the path is the formula, every step satisfies its search's conditions, the end is a stationary point."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize, rosen, rosen_der, rosen_hess

from mlcourse.losses import logistic, squared_margin
from mlcourse.optim.gradient import line_search_descent, newton, steepest, step_sizes
from mlcourse.optim.line_search import backtracking, strong_wolfe, wolfe
from mlcourse.optim.objective import Function, LinearRisk, Quadratic
from mlcourse.testing import assert_wolfe

ROSENBROCK = Function(rosen, rosen_der, rosen_hess)


def risk(seed, loss=logistic, lam=0.1, scale=1.0):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 4)) * scale, rng.choice([-1, 1], size=60)
    return LinearRisk(loss, X, y, lam, bias=True)


def definite(rng, d=5):
    A = rng.normal(size=(d, d))
    return A @ A.T + 0.1 * np.eye(d)


@pytest.mark.parametrize("tau", [0, -1.0, np.nan, np.inf, True])
def test_a_step_must_be_positive(tau):
    with pytest.raises(ValueError, match="tau must be"):
        step_sizes(tau)


def test_steps_may_be_any_numbers_in_turn():
    assert list(itertools.islice(step_sizes(2), 3)) == [2, 2, 2]
    assert list(step_sizes((0.1, 0.2))) == [0.1, 0.2] and next(iter(step_sizes(np.float32(0.25)))) == 0.25


# --- directions -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(10))
def test_newton_goes_to_the_minimiser_of_a_quadratic_in_one_step(rng):
    f, w = Quadratic(definite(rng), rng.normal(size=5)), rng.normal(size=5)
    np.testing.assert_allclose(w + newton(f.at(w)), f.centre, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(steepest(f.at(w)), -f.gradient(w))


@pytest.mark.parametrize("seed", range(10))
def test_newton_takes_the_shortest_solution_for_a_singular_hessian(rng):
    B = rng.normal(size=(5, 3))
    f, w = Quadratic(B @ B.T), rng.normal(size=5)
    p = newton(f.at(w))
    np.testing.assert_allclose(f.H @ p, -f.gradient(w), atol=1e-9)
    np.testing.assert_allclose(p, -np.linalg.pinv(f.H, rcond=1e-10) @ f.gradient(w), atol=1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_newton_goes_downhill_where_the_hessian_is_indefinite(rng):
    A = rng.normal(size=(5, 5))
    for H in (A + A.T, -A @ A.T):
        here = Quadratic(H).at(rng.normal(size=5))
        assert newton(here) @ here.gradient < 0


# --- descent with a line search -------------------------------------------------------------------------


RISKS = {"logistic": risk(0), "square": risk(1, squared_margin, lam=0.0), "rosenbrock": ROSENBROCK}


@pytest.mark.algorithm("alg-newton")
@pytest.mark.parametrize("direction", [steepest, newton])
@pytest.mark.parametrize("search, c2, strong", [(wolfe, 0.9, False), (strong_wolfe, 0.1, True)])
@pytest.mark.parametrize("f", RISKS.values(), ids=RISKS)
def test_every_step_goes_in_the_direction_and_satisfies_the_conditions_of_wolfe(direction, search, c2, strong, f):
    steps = []

    def checked(phi):
        steps.append(search(phi))
        assert_wolfe(phi, steps[-1], 1e-4, c2, strong)
        return steps[-1]

    run = line_search_descent(f, np.full(getattr(f, "d", 2), -0.5), direction, checked, tol=1e-4, max_iter=100)
    assert run.n_steps == len(steps) > 0
    for (w, after), tau in zip(itertools.pairwise(run.path), steps, strict=True):
        np.testing.assert_allclose(after, w + tau * direction(f.at(w)), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("direction, search", [(newton, backtracking), (newton, wolfe), (steepest, wolfe)])
def test_the_minimiser_of_a_logistic_risk_is_that_of_scipy(seed, direction, search):
    f = risk(seed)
    run = line_search_descent(f, np.zeros(5), direction, search, tol=1e-9, max_iter=2000)
    theirs = minimize(f, np.zeros(5), jac=f.gradient, method="BFGS", options={"gtol": 1e-9}).x
    assert run.converged and np.linalg.norm(f.gradient(run.last)) <= 1e-9
    np.testing.assert_allclose(run.last, theirs, atol=1e-7)


@pytest.mark.algorithm("alg-newton")
@pytest.mark.parametrize("start", [(-1.2, 1.0), (0.0, 0.0), (2.0, -3.0)])
@pytest.mark.parametrize("search", [backtracking, wolfe, strong_wolfe])
def test_newton_finds_the_bottom_of_rosenbrocks_valley(start, search):
    run = line_search_descent(ROSENBROCK, start, newton, search, tol=1e-8, max_iter=200)
    assert run.converged
    np.testing.assert_allclose(run.last, [1, 1], atol=1e-7)
