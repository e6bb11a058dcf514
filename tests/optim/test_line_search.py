"""Every line search on every function returns a step that satisfies its conditions, by definition."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import expit

from mlcourse.losses import exponential, logistic
from mlcourse.optim.line_search import (
    armijo,
    backtracking,
    curvature,
    parabola_step,
    strong_curvature,
    strong_wolfe,
    wolfe,
)
from mlcourse.optim.objective import LinearRisk
from mlcourse.testing import assert_wolfe

SEARCHES = {  # name -> search, its constants, and whether the curvature condition is the strong one
    "wolfe": (wolfe, {"c1": 1e-4, "c2": 0.9}, False),
    "wolfe, narrow": (wolfe, {"c1": 0.4, "c2": 0.5}, False),
    "strong": (strong_wolfe, {"c1": 1e-4, "c2": 0.1}, True),
    "strong, wide": (strong_wolfe, {"c1": 0.1, "c2": 0.9}, True),
    "strong, narrow": (strong_wolfe, {"c1": 0.01, "c2": 0.02}, True),
}
each_search = pytest.mark.parametrize("search, constants, strong", SEARCHES.values(), ids=SEARCHES)


# --- functions of a step, each returning (value, slope), with slope < 0 at 0 --------------------------------
def parabola(rng):
    a, c, bottom = 10 ** rng.uniform(-2, 2), rng.uniform(0.1, 5), rng.choice([0.0, 1.0, -10.0])
    return lambda t: (a * (t - c) ** 2 + bottom, 2 * a * (t - c))


def waves(rng):
    """Cosines on a parabola: many local minima."""
    A, W, P = rng.normal(size=5), rng.uniform(0.2, 6, size=5), rng.uniform(0, 7, size=5)
    side = 1 if (A * W * np.sin(P)).sum() > 0 else -1

    def phi(t):
        u = W * side * t + P
        return float((A * np.cos(u)).sum() + 0.1 * t * t), float(-side * (A * W * np.sin(u)).sum() + 0.2 * t)

    return phi


def quartic(rng):
    c = rng.uniform(0.1, 5)
    return lambda t: ((t - c) ** 4, 4 * (t - c) ** 3)


def decay(rng):
    """Falls for ever: no minimum at all, but steps that satisfy every condition."""
    return lambda t: (math.exp(-t), -math.exp(-t))


def far_minimum(rng):
    far = 10 ** rng.uniform(1, 5)
    return lambda t: (math.exp(-t) + 1e-3 * (t / far) ** 2, -math.exp(-t) + 2e-3 * t / far**2)


def rational(rng):
    return lambda t: (-t / (t * t + 2), (t * t - 2) / (t * t + 2) ** 2)


def corner(rng):
    """Slope -1 that turns into K within a short distance s of c."""
    K, s, c = 10 ** rng.uniform(2, 5), 10 ** rng.uniform(-4, -2), rng.uniform(0.5, 2)
    return lambda t: (-t + K * s * float(np.logaddexp(0, (t - c) / s)), -1 + K * float(expit((t - c) / s)))


def barrier(rng):
    """A wall of infinite height."""
    c = rng.uniform(1.1, 3)
    return lambda t: (-2 * t - math.log(c - t), -2 + 1 / (c - t)) if t < c else (math.inf, math.nan)


def logistic_risk(rng):
    X, y = rng.normal(size=(20, 3)), rng.choice([-1, 1], size=20)
    here = LinearRisk(logistic, X, y, lam=rng.choice([0, 0.1])).at(rng.normal(size=3))
    return here.along(-here.gradient)


FUNCTIONS = [parabola, waves, quartic, decay, far_minimum, rational, corner, barrier, logistic_risk]
each_function = pytest.mark.parametrize("family", FUNCTIONS, ids=lambda family: family.__name__)


def scaled(phi, value, step):
    """The same function in other units of value and of step."""

    def psi(t):
        v, slope = phi(t / step)
        return value * v, value * slope / step

    return psi


def instances(family):
    """(phi, first trial) for random functions of a family, in units from 1e-12 to 1e12, with good and bad trials."""
    for seed in range(6):
        phi = family(np.random.default_rng(seed))
        for value, step in itertools.product([1e-12, 1.0, 1e12], repeat=2):
            for trial in (1e-6, 1e-2, 1.0, 1e3, 1e6):
                yield scaled(phi, value, step), trial * step


@pytest.mark.algorithm("alg-wolfe")
@pytest.mark.algorithm("alg-strong-wolfe")
@each_function
@each_search
def test_the_step_satisfies_the_conditions_of_wolfe(family, search, constants, strong):
    for phi, trial in instances(family):
        assert_wolfe(phi, search(phi, trial, **constants), strong=strong, **constants)


@each_function
@pytest.mark.parametrize("c1", [1e-4, 0.3])
def test_backtracking_takes_the_first_half_of_a_half_that_decreases_enough(family, c1):
    for phi, trial in instances(family):
        tau = backtracking(phi, trial, c1)
        assert armijo(phi, tau, c1)
        while tau < trial:
            tau = 2 * tau
            assert not armijo(phi, tau, c1)
        assert tau == trial


@pytest.mark.parametrize("name", ["wolfe", "strong", "strong, wide"])
def test_a_start_near_zero_and_a_deep_valley(name):
    search, constants, strong = SEARCHES[name]

    def phi(t):  # Moré and Thuente's second function: phi(0) = -5e-10, the minimum -2.6
        return (t + 0.004) ** 5 - 2 * (t + 0.004) ** 4, 5 * (t + 0.004) ** 4 - 8 * (t + 0.004) ** 3

    for value, trial in itertools.product([1e-12, 1.0, 1e12], [1e-3, 0.1, 1.0, 10.0, 1e3]):
        psi = scaled(phi, value, 1.0)
        assert_wolfe(psi, search(psi, trial, **constants), strong=strong, **constants)


@each_search
def test_trials_that_overflow_are_steps_too_long(search, constants, strong):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        here = LinearRisk(exponential, 1e3 * rng.normal(size=(30, 3)), rng.choice([-1, 1], size=30)).at(np.zeros(3))
        phi = here.along(-here.gradient)
        assert_wolfe(phi, search(phi, 1.0, **constants), strong=strong, **constants)


@pytest.mark.parametrize("search", [backtracking, wolfe, strong_wolfe])
def test_none_where_no_step_will_do(search):
    assert search(lambda tau: (tau, -1.0)) is None  # a slope that lies: downhill, yet every step goes up
    assert search(lambda tau: (0.0 if tau == 0 else math.nan, -1.0)) is None


@pytest.mark.parametrize("seed", range(20))
def test_the_predicates_are_their_formulas(rng):
    (v0, s0), (v1, s1) = points = rng.normal(size=(2, 2)) * [1, 3]
    s0, tau = -abs(s0), rng.exponential()
    c1, c2 = np.sort(rng.random(2))

    def phi(t):
        return (v0, s0) if t == 0 else tuple(points[1])

    assert armijo(phi, tau, c1) == (v1 <= v0 + c1 * tau * s0)
    assert curvature(phi, tau, c2) == (s1 >= c2 * s0)
    assert strong_curvature(phi, tau, c2) == (abs(s1) <= c2 * abs(s0))


@pytest.mark.parametrize("seed", range(20))
def test_parabola_step_is_the_minimiser_of_a_parabola(rng):
    a, c = 10 ** rng.uniform(-8, 8), 10 ** rng.uniform(-5, 5)
    assert parabola_step(lambda t: (a * (t - c) ** 2, 2 * a * (t - c))) == pytest.approx(c, rel=1e-10)
