"""Conjugate gradients: conjugacy and optimality over growing spaces on quadratics, SciPy's minimisers elsewhere."""

import numpy as np
import pytest
from scipy.optimize import minimize, rosen, rosen_der

from mlcourse.losses import logistic
from mlcourse.optim.conjugate_gradient import BETA, conjugate_gradient, linear_conjugate_gradient
from mlcourse.optim.line_search import parabola_step, strong_wolfe
from mlcourse.optim.objective import Function, LinearRisk, Quadratic
from mlcourse.testing import assert_gradient, assert_wolfe

each_beta = pytest.mark.parametrize("beta", BETA)


def definite(rng, eigenvalues):
    Q = np.linalg.qr(rng.normal(size=(len(eigenvalues),) * 2))[0]
    return (Q * eigenvalues) @ Q.T


def exact(phi, tau):
    """The exact minimiser along a line, for quadratics."""
    return parabola_step(phi)


# --- quadratics -----------------------------------------------------------------------------------------
@pytest.mark.algorithm("alg-linear-cg")
@pytest.mark.parametrize("seed", range(20))
def test_linear_cg_solves_the_system_like_elimination(rng):
    d, scale = int(rng.integers(1, 15)), 10 ** rng.uniform(-6, 6)
    H, b = scale * definite(rng, rng.uniform(0.1, 10, size=d)), rng.normal(size=d)
    run = linear_conjugate_gradient(H, b, rng.normal(size=d), tol=1e-9)
    assert run.converged and np.linalg.norm(H @ run.last - b) <= 1e-8 * max(1, scale)
    np.testing.assert_allclose(run.last, np.linalg.solve(H, b), rtol=1e-6, atol=1e-6 / scale)


@pytest.mark.algorithm("alg-nonlinear-cg")
@each_beta
@pytest.mark.parametrize("seed", range(10))
def test_with_exact_steps_every_beta_makes_the_iterates_of_linear_cg(beta, rng):
    d = int(rng.integers(1, 9))
    H, centre, w0 = definite(rng, rng.uniform(0.5, 20, size=d)), rng.normal(size=d), rng.normal(size=d)
    run = conjugate_gradient(Quadratic(H, centre), w0, beta, search=exact, tol=1e-8)
    assert run.converged and run.n_steps <= d + 1
    linear = linear_conjugate_gradient(H, H @ centre, w0, tol=1e-8)
    for w, v in zip(run.path, linear.path, strict=False):
        np.testing.assert_allclose(w, v, atol=1e-6)


# --- other functions ------------------------------------------------------------------------------------
def beale(w):
    x, y = w
    return (1.5 - x + x * y) ** 2 + (2.25 - x + x * y**2) ** 2 + (2.625 - x + x * y**3) ** 2


def beale_gradient(w):
    x, y = w
    r = np.array([1.5 - x + x * y, 2.25 - x + x * y**2, 2.625 - x + x * y**3])
    return 2 * np.array([r @ [y - 1, y**2 - 1, y**3 - 1], r @ [x, 2 * x * y, 3 * x * y**2]])


def himmelblau(w):
    return (w[0] ** 2 + w[1] - 11) ** 2 + (w[0] + w[1] ** 2 - 7) ** 2


def himmelblau_gradient(w):
    a, b = w[0] ** 2 + w[1] - 11, w[0] + w[1] ** 2 - 7
    return np.array([4 * w[0] * a + 2 * b, 2 * a + 4 * w[1] * b])


def quartic(w):
    return np.arange(1, len(w) + 1) @ (w - 1) ** 2 + ((w - 1) ** 4).sum()


def quartic_gradient(w):
    return 2 * np.arange(1, len(w) + 1) * (w - 1) + 4 * (w - 1) ** 3


def logistic_risk(seed):
    rng = np.random.default_rng(seed)
    return LinearRisk(logistic, rng.normal(size=(50, 6)), rng.choice([-1, 1], size=50), lam=0.01, bias=True)


ROSENBROCK, CORNER = Function(rosen, rosen_der), [1.3, 0.7, 0.8, 1.9, 1.2]
FUNCTIONS = {
    "Rosenbrock 2": (ROSENBROCK, [-1.2, 1.0]),
    "Rosenbrock 5": (ROSENBROCK, CORNER),
    "Rosenbrock 10": (ROSENBROCK, CORNER * 2),
    "Beale": (Function(beale, beale_gradient), [1.0, 1.0]),
    "Himmelblau": (Function(himmelblau, himmelblau_gradient), [0.0, 0.0]),
    "quartic": (Function(quartic, quartic_gradient), [3.0, -2.0, 5.0, 0.0]),
    "logistic": (logistic_risk(0), np.zeros(7)),
}
each_function = pytest.mark.parametrize("name", FUNCTIONS)


@each_function
def test_the_gradients_used_here_are_right(name):
    f, start = FUNCTIONS[name]
    assert_gradient(f, f.gradient, np.asarray(start) + 0.1)


@pytest.mark.algorithm("alg-nonlinear-cg")
@each_beta
@each_function
def test_the_minimiser_is_that_of_scipy(name, beta):
    f, start = FUNCTIONS[name]
    run = conjugate_gradient(f, start, beta, tol=1e-7, max_iter=2000)
    theirs = minimize(f, start, jac=f.gradient, method="BFGS", options={"gtol": 1e-9})
    assert run.converged and np.linalg.norm(f.gradient(run.last)) <= 1e-7
    np.testing.assert_allclose(run.last, theirs.x, atol=1e-5)


@each_beta
@each_function
def test_every_step_goes_downhill_and_satisfies_the_strong_conditions_of_wolfe(name, beta):
    f, start = FUNCTIONS[name]

    def checked(phi, tau):
        step = strong_wolfe(phi, tau)
        assert_wolfe(phi, step, 1e-4, 0.1, strong=True)  # which includes a negative slope at the start
        return step

    run = conjugate_gradient(f, start, beta, search=checked, max_iter=100)
    values = [f(w) for w in run.path]
    assert (np.diff(values) <= 1e-15 * np.abs(values[:-1])).all()


def test_an_unknown_beta_is_named():
    with pytest.raises(ValueError, match="beta must be 'FR' or 'PR'"):
        conjugate_gradient(ROSENBROCK, [0.0, 0.0], beta="DY")
