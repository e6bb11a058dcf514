"""The claims of the chapter on optimisation, each on random instances and at its tight case."""

import itertools
import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import gamma as gamma_function

from mlcourse import theory
from mlcourse.losses import logistic
from mlcourse.optim.conjugate_gradient import BETA, conjugate_gradient, linear_conjugate_gradient
from mlcourse.optim.gradient import gradient_descent, line_search_descent, newton
from mlcourse.optim.line_search import armijo, backtracking, curvature, parabola_step, strong_wolfe, wolfe
from mlcourse.optim.objective import Function, LinearRisk, Quadratic
from mlcourse.optim.stochastic import decreasing_steps, shuffled_passes, stochastic_gradient_descent, uniform_draws
from mlcourse.testing import assert_gradient, assert_wolfe

SEEDS = range(20)


def norm(v):
    return np.linalg.norm(v)


def rotation(rng, d):
    return np.linalg.qr(rng.normal(size=(d, d)))[0]


def random_quadratic(rng, d, condition=30.0):
    """A quadratic with eigenvalues of H between 1 and ``condition`` times a random scale; also (lam, V)."""
    lam = np.sort(10 ** rng.uniform(-1, 1) * np.concatenate([[1, condition], condition ** rng.random(d)])[:d])
    V = rotation(rng, d)
    return Quadratic(V @ np.diag(lam) @ V.T, centre=rng.normal(size=d)), lam, V


def logistic_risk(rng, m=40, d=3):
    """A logistic risk with a minimiser, and the Lipschitz constant of its gradient."""
    X = rng.normal(size=(m, d)) * 2 ** rng.uniform(-1, 1, size=d)
    y = np.where(rng.random(m) < 1 / (1 + np.exp(-X @ rng.normal(size=d))), 1, -1)
    y[:2], X[1] = (1, -1), X[0]  # contradictory: certainly no separation by a positive margin
    return LinearRisk(logistic, X, y), np.linalg.eigvalsh(X.T @ X)[-1] / (4 * m)


def minimiser(f, d):
    return line_search_descent(f, np.zeros(d), newton, backtracking, tol=1e-13, max_iter=100).last


def bumpy(rng, d=3):
    """A smooth function with many critical points, its L, and a lower bound."""
    a, k = rng.uniform(0.2, 1, size=d), rng.uniform(1, 3, size=d)
    f = Function(lambda w: np.sum(w**2 / 4 + a * np.cos(k * w)), lambda w: w / 2 - a * k * np.sin(k * w))
    return f, (0.5 + a * k**2).max(), -a.sum()


def wave(rng):
    """A random phi, continuously differentiable, bounded below, falling at zero; many local minima."""
    a, k, scale = rng.normal(size=4), rng.uniform(0.5, 5, size=4), 10 ** rng.uniform(-3, 3)
    a *= -np.sign(a @ k)

    def phi(tau):
        s = tau / scale
        return np.sin(k * s) @ a + s**2 / 9, ((k * np.cos(k * s)) @ a + 2 * s / 9) / scale

    return phi, scale


def constants(rng):
    return np.sort(rng.uniform(0.001, 0.999, size=2))


# --- the landscape ---------------------------------------------------------------------------------------
@pytest.mark.claim("prop-steepest")
@pytest.mark.parametrize("seed", SEEDS)
def test_gradient_is_the_direction_of_largest_slope_and_its_opposite_of_the_smallest(seed, rng):
    d = int(rng.integers(1, 5))
    f, w = logistic_risk(rng, d=d)[0] if seed % 2 else random_quadratic(rng, d)[0], rng.normal(size=d)
    g = f.gradient(w)
    P = rng.normal(size=(2000, d))
    P /= np.linalg.norm(P, axis=1, keepdims=True)
    slopes = np.array([(f(w + 1e-5 * p) - f(w - 1e-5 * p)) / 2e-5 for p in [*P[:50], g / norm(g), -g / norm(g)]])
    np.testing.assert_allclose(slopes[:50], P[:50] @ g, atol=1e-6 * (1 + norm(g)))
    np.testing.assert_allclose(slopes[50:], [norm(g), -norm(g)], atol=1e-6 * (1 + norm(g)))
    assert (np.abs(P @ g) <= norm(g) * (1 + 1e-12)).all()


@pytest.mark.claim("prop-second-order")
@pytest.mark.parametrize("collinear", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_expansion_at_a_minimum_has_a_remainder_of_smaller_order_and_none_for_a_quadratic(rng, collinear):
    f, _ = logistic_risk(rng)
    if collinear:
        f.X[:, 2] = f.X[:, 0] - f.X[:, 1]
    best = minimiser(f, 3)
    H = f.at(best).hessian
    lam, V = np.linalg.eigh(H)
    assert norm(f.gradient(best)) < 1e-9 and np.array_equal(H, H.T)
    assert lam[0] > -1e-12 and (lam[0] < 1e-12) == collinear  # semidefinite, and no more than that
    M = np.linalg.norm(f.X, axis=1).max() ** 3 / (6 * np.sqrt(3))  # bounds the third derivatives
    for u in rng.normal(size=(5, 3)):
        for h in (1, 0.1, 0.01, 0.001):
            q = V.T @ (h * u)
            remainder = abs(f(best + h * u) - f(best) - lam @ q**2 / 2)
            assert remainder / norm(q) ** 2 <= M * norm(q) / 6 + 1e-9
    for d in (1, 2, 5):
        f, lam, V = random_quadratic(rng, d)
        for w in 10 * rng.normal(size=(20, d)):
            assert f(w) == pytest.approx(lam @ (V.T @ (w - f.centre)) ** 2 / 2, rel=1e-10)


@pytest.mark.claim("prop-level-sets")
@pytest.mark.parametrize("d", [1, 2, 4])
def test_level_set_is_the_ellipsoid_with_these_half_axes(d):
    rng = np.random.default_rng(d)
    f, lam, V = random_quadratic(rng, d)
    for c in (1e-3, 1.0, 50.0):
        axes = np.sqrt(2 * c / lam)
        for u in [*np.eye(d), *rng.normal(size=(50, d))]:
            assert f(f.centre + V @ (axes * u / norm(u))) == pytest.approx(c, rel=1e-9)
            on_level = u * np.sqrt(c / f(f.centre + u))
            assert np.sum((V.T @ on_level / axes) ** 2) == pytest.approx(1, rel=1e-9)


# --- gradient descent ------------------------------------------------------------------------------------
@pytest.mark.algorithm("alg-gradient-descent")
@pytest.mark.parametrize("seed", range(5))
def test_gradient_descent_step_by_step_until_the_gradient_is_short(rng):
    f, L = logistic_risk(rng)
    taus = rng.uniform(0.1, 1.5, size=400) / L
    run = gradient_descent(f.gradient, np.ones(3), taus, tol=1e-3)
    w = np.ones(3)
    for tau, visited in zip(taus, run.path, strict=False):
        assert np.array_equal(visited, w)
        w = w - tau * f.gradient(w)
    norms = [norm(f.gradient(v)) for v in run.path]
    assert run.converged and norms[-1] <= 1e-3 < min(norms[:-1])
    constant = gradient_descent(f.gradient, np.ones(3), 1 / L, max_iter=3).path
    assert np.array_equal(constant[1], np.ones(3) - f.gradient(np.ones(3)) / L) and len(constant) == 4


@pytest.mark.claim("thm-gd-quadratic")
@pytest.mark.parametrize("seed", SEEDS)
def test_coordinates_of_gradient_descent_on_a_quadratic_shrink_each_by_its_factor(rng):
    d = int(rng.integers(1, 6))
    f, lam, V = random_quadratic(rng, d)
    tau = rng.uniform(0.05, 2.4) / lam[-1]
    start = f.centre + rng.normal(size=d)
    q = (np.array(gradient_descent(f.gradient, start, tau, max_iter=30).path) - f.centre) @ V
    exact = (1 - tau * lam) ** np.arange(31)[:, None] * q[0]
    np.testing.assert_allclose(q, exact, atol=1e-9 * np.abs(q).max())
    r = max(abs(1 - tau * lam[0]), abs(1 - tau * lam[-1]))
    assert theory.quadratic_rate(tau, lam[0], lam[-1]) == pytest.approx(r, rel=1e-12)
    distances = np.linalg.norm(exact, axis=1)
    assert (distances[1:] <= r * distances[:-1] * (1 + 1e-12)).all()
    worst = V[:, 0] if abs(1 - tau * lam[0]) == r else V[:, -1]  # and from some starts by no more
    path = gradient_descent(f.gradient, f.centre + worst, tau, max_iter=5).path
    assert [norm(w - f.centre) for w in path] == pytest.approx(r ** np.arange(6), rel=1e-6, abs=1e-9)


@pytest.mark.claim("thm-gd-quadratic")
@pytest.mark.parametrize("seed", range(5))
def test_gradient_descent_on_a_quadratic_converges_from_every_start_iff_the_step_is_below_two_over_the_largest(rng):
    f, lam, V = random_quadratic(rng, 3, condition=5.0)
    starts = f.centre + np.vstack([V.T, rng.normal(size=(2, 3))])

    def farthest(part):
        """The largest distance after many steps of ``part`` / lam_max, over the starts."""
        steps = [part / lam[-1]] * 1000
        return max(norm(gradient_descent(f.gradient, w, steps, keep_path=False).last - f.centre) for w in starts)

    assert max(farthest(part) for part in (0.1, rng.uniform(0.1, 1.9), 1.98)) < 1e-6
    assert farthest(2.0) > 0.99 and farthest(0.0) > 0.99  # neither end of the interval belongs to it
    assert min(farthest(2.02), farthest(-0.1)) > 1e6


@pytest.mark.claim("cor-gd-best-step")
@pytest.mark.parametrize("seed", range(21))
def test_best_constant_step_and_its_rate_which_is_zero_when_the_condition_number_is_one(seed, rng):
    f, lam, V = random_quadratic(rng, 4, condition=10 ** rng.uniform(0, 3) if seed else 1.0)
    best, kappa = 2 / (lam[0] + lam[-1]), lam[-1] / lam[0]
    r = (kappa - 1) / (kappa + 1)
    assert theory.best_quadratic_rate(lam[0], lam[-1]) == pytest.approx(r, abs=1e-12)
    assert theory.quadratic_rate(best, lam[0], lam[-1]) == pytest.approx(r, abs=1e-12)
    others = best * np.concatenate([rng.uniform(0.01, 3, size=500), 1 + np.array([-1e-3, 1e-3])])
    assert (np.maximum(np.abs(1 - others * lam[0]), np.abs(1 - others * lam[-1])) > r).all()
    path = np.array(gradient_descent(f.gradient, f.centre + V[:, 0] + V[:, -1], best, max_iter=4).path)
    expected = np.sqrt(2) * r ** np.arange(len(path))
    assert len(path) == 5 or r < 1e-9
    assert np.linalg.norm(path - f.centre, axis=1) == pytest.approx(expected, rel=1e-6)


@pytest.mark.claim("lem-descent")
@pytest.mark.parametrize("seed", SEEDS)
def test_descent_lemma_is_an_equality_for_the_round_parabola(seed, rng):
    f, L = bumpy(rng)[:2] if seed % 2 else logistic_risk(rng)
    for w, v in 10 ** rng.uniform(-2, 1) * rng.normal(size=(100, 2, 3)):
        tau = rng.uniform(0, 3) / L
        for h, largest in [(f, np.inf), (Quadratic(L * np.eye(3)), 1e-9)]:
            g = h.gradient(w)
            gap = h(w) + g @ (v - w) + L / 2 * norm(v - w) ** 2 - h(v)
            gap_of_a_step = h(w) - tau * (1 - L * tau / 2) * norm(g) ** 2 - h(w - tau * g)
            assert -1e-9 <= min(gap, gap_of_a_step) and max(gap, gap_of_a_step) <= largest


@pytest.mark.claim("thm-gd-stationary")
@pytest.mark.parametrize("seed", range(10))
def test_squared_gradients_sum_to_at_most_the_bound_and_tend_to_zero(rng):
    (f, L, low), start = bumpy(rng), 3 * rng.normal(size=3)
    assert_gradient(f, f.gradient, start)
    for part in (0.3, rng.uniform(0.3, 1.9), 1.95):
        path = gradient_descent(f.gradient, start, part / L, max_iter=1500).path
        squares = np.array([norm(f.gradient(w)) ** 2 for w in path])
        assert squares.sum() <= theory.stationary_sum(part / L, L, f(start) - low)
        assert squares[-500:].sum() < 1e-3 * squares.sum()  # the series converges


@pytest.mark.claim("thm-gd-stationary")
@pytest.mark.parametrize("part", [0.1, 1.0, 1.7])
def test_the_bound_on_the_sum_is_attained_by_the_parabola(part):
    L, tau, f = 3.0, part / 3.0, Quadratic([[3.0]])
    squares = [w[0] ** 2 * L**2 for w in gradient_descent(f.gradient, [2.0], tau, max_iter=400).path]
    assert sum(squares) == pytest.approx(theory.stationary_sum(tau, L, f(np.array([2.0]))), rel=1e-9)
    stuck = gradient_descent(f.gradient, [2.0], 2 / L, max_iter=100).path  # at 2/L nothing is gained
    assert all(abs(w[0]) == pytest.approx(2) for w in stuck)


@pytest.mark.claim("thm-gd-stationary")
@pytest.mark.parametrize("a, big", [(0.25, 1.0), (0.5, 6.0), (1.0, 6.0), (1.0, 30.0)])
def test_steps_that_vanish_with_a_divergent_sum_drive_the_gradient_to_zero_but_not_those_with_a_finite_one(a, big):
    """Their squares need not be summable (a = 1/4, 1/2), and the first steps may exceed 2/L (big > 2)."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        f, L, _ = bumpy(rng)
        run = gradient_descent(f.gradient, 3 * rng.normal(size=3), decreasing_steps(big / L, a), max_iter=5000)
        norms = np.array([norm(f.gradient(w)) for w in run.path])
        assert norms[-1000:].max() < 0.02 < norms[:10].max()
    run = gradient_descent(lambda w: w, [1.0], (0.5**t / 4 for t in range(60)))  # the parabola, L = 1
    assert run.last[0] > 0.5


@pytest.mark.claim("thm-gd-convex")
@pytest.mark.parametrize("seed", SEEDS)
def test_gap_of_gradient_descent_on_a_convex_function(seed, rng):
    if seed % 2:
        f, L = logistic_risk(rng)
        best = minimiser(f, 3)
    else:
        f, lam, _ = random_quadratic(rng, 3, condition=1e4)
        L, best = lam[-1], f.centre
    start, tau = best + 3 * rng.normal(size=3), rng.choice([1.0, rng.uniform(0.05, 1)]) / L
    path = gradient_descent(f.gradient, start, tau, max_iter=200).path
    gaps, t = np.array([f(w) - f(best) for w in path[1:]]), np.arange(1, 201)
    distances = [norm(w - best) for w in path]
    assert (gaps <= theory.convex_gap(tau, t, distances[0])).all() and (np.diff(distances) <= 1e-9).all()


@pytest.mark.claim("thm-gd-convex")
@pytest.mark.parametrize("t", [1, 3, 30, 300])
def test_the_gap_is_half_the_bound_for_a_parabola_with_straight_arms(t):
    delta = 1 / (2 * t + 1)  # quadratic up to delta, linear beyond
    (w,) = gradient_descent(lambda w: np.clip(w, -delta, delta), [1.0], 1.0, max_iter=t).last
    gap = delta * w - delta**2 / 2
    assert w > delta and gap == pytest.approx(1 / (4 * t + 2), rel=1e-9)
    assert theory.convex_gap(1.0, t, 1.0) / 3 - 1e-12 <= gap <= theory.convex_gap(1.0, t, 1.0) / 2


# --- line searches ---------------------------------------------------------------------------------------
@pytest.mark.claim("prop-decrease-is-not-enough", "prop-wolfe-rejects")
@pytest.mark.parametrize("seed", range(30))
def test_steps_too_long_and_too_short_in_exact_arithmetic(rng):
    c1, c2 = (Fraction(int(k), 1000) for k in 1 + np.sort(rng.choice(998, size=2, replace=False)))
    tiny, rejected = c1 / 100, []
    long = short = Fraction(2)
    for t in range(25):
        assert long == (-1) ** t * (1 + Fraction(1, 2**t)) and short == 1 + Fraction(1, 2**t)
        p, tau = (-1) ** (t + 1), 2 + Fraction(3, 2 ** (t + 1))
        after = long + tau * p
        assert p * 2 * long < 0 and 1 < after**2 < long**2
        for c in (c1, tiny):
            assert (after**2 <= long**2 + c * tau * p * 2 * long) == (2**t <= 1 / (4 * c) - 1)
        long = after
        after = short - Fraction(1, 2 ** (t + 1))
        assert 1 < after**2 < short**2
        for c, always in [(min(c1, Fraction(7, 8)), True), (Fraction(7, 8), True), (Fraction(876, 1000), t > 0)]:
            assert (after**2 <= short**2 - c * Fraction(1, 2 ** (t + 1)) * 2 * short) == always
        far = -2 * after >= c2 * (-2 * short)
        assert far == (2**t * (1 - c2) <= c2 - Fraction(1, 2))
        rejected.append(not far and 2**t > 1 / (4 * tiny) - 1)
        short = after
    assert all(rejected[-5:])  # from some step on, both
    assert float(long**2) == pytest.approx(1, abs=1e-6) and float(short**2) == pytest.approx(1, abs=1e-6)


@pytest.mark.claim("prop-wolfe-rejects")
def test_seven_eighths_is_the_border_and_the_package_refuses_the_steps():
    def along(w, p):
        return lambda tau: ((w + tau * p) ** 2, 2 * (w + tau * p) * p)

    first = along(2.0, -1.0)
    assert armijo(first, 0.5, 7 / 8) and not armijo(first, 0.5, 0.876)
    for t in range(12):
        w = 1 + 2.0**-t
        assert armijo(along((-1) ** t * w, (-1) ** (t + 1)), 2 + 1.5 * 2.0**-t, 0.01) == (2**t <= 24)
        assert armijo(along(w, -1.0), 2.0 ** -(t + 1), 0.01)
        assert curvature(along(w, -1.0), 2.0 ** -(t + 1), 0.9) == (4 >= 2**t)


@pytest.mark.claim("thm-wolfe-exists")
@pytest.mark.erratum("EA17")
@pytest.mark.parametrize("seed", SEEDS)
def test_minimum_of_phi_minus_the_line_is_a_strong_wolfe_step(rng):
    phi, scale = wave(rng)
    c1, c2 = constants(rng)
    (start, slope0), grid = phi(0.0), scale * np.linspace(0, 80, 4001)
    psi = np.array([phi(tau)[0] for tau in grid]) - start - c1 * grid * slope0
    i = psi.argmin()
    assert 0 < i < len(grid) - 1
    tau = brentq(lambda s: phi(s)[1] - c1 * slope0, grid[i - 1], grid[i + 1])  # where psi' vanishes
    assert_wolfe(phi, tau, c1, c2, strong=True)


@pytest.mark.claim("thm-wolfe-exists")
def test_the_derivative_need_not_be_continuous_but_the_lower_bound_and_the_order_of_the_constants_are_needed():
    def phi(tau):  # x^2 sin(1/x) around tau = 1: differentiable, with a derivative that jumps about without end
        x = tau - 1
        waves = (x * x * math.sin(1 / x), 2 * x * math.sin(1 / x) - math.cos(1 / x)) if x else (0.0, 0.0)
        return tau * tau / 2 - tau + waves[0] / 5, tau - 1 + waves[1] / 5

    (start, slope0), grid = phi(0.0), np.linspace(0, 3, 30_001)[1:]
    assert slope0 < 0
    values, slopes = np.array([phi(tau) for tau in grid]).T
    for c1, c2 in [(0.001, 0.2), (0.4, 0.5), (0.9, 0.95)]:
        assert ((values <= start + c1 * grid * slope0) & (np.abs(slopes) <= c2 * abs(slope0))).any()
    grid = np.linspace(0, 50, 5001)[1:]
    assert not any(curvature(lambda tau: (-tau, -1.0), tau, 0.9) for tau in grid)

    def parabola(tau):
        return tau * tau / 2 - tau, tau - 1

    assert not any(armijo(parabola, tau, 0.9) and curvature(parabola, tau, 0.5) for tau in grid)
    assert any(armijo(parabola, tau, 0.5) and curvature(parabola, tau, 0.9) for tau in grid)


def recorded(phi):
    """phi, and the list of the trial steps at which it will be asked."""
    trials = []

    def asked(tau):
        if tau != 0 and (not trials or trials[-1] != tau):
            trials.append(tau)
        return phi(tau)

    return asked, trials


@pytest.mark.claim("prop-bisection")
@pytest.mark.algorithm("alg-wolfe")
@pytest.mark.parametrize("seed", range(60))
def test_bisection_returns_a_wolfe_step_by_its_own_rule(rng):
    phi, scale = wave(rng)
    c1, c2 = constants(rng)
    first = scale * 10 ** rng.uniform(-3, 3)
    asked, trials = recorded(phi)
    tau = wolfe(asked, first, c1, c2)
    assert_wolfe(phi, tau, c1, c2)
    (start, slope0), a, b, expected = phi(0.0), 0.0, math.inf, [first]
    while True:
        value, slope = phi(expected[-1])
        if value > start + c1 * expected[-1] * slope0:
            b = expected[-1]
        elif slope < c2 * slope0:
            a = expected[-1]
        else:
            break
        expected.append(2 * a if b == math.inf else (a + b) / 2)
    assert trials == expected and tau == expected[-1]


@pytest.mark.claim("prop-bisection")
@pytest.mark.parametrize("steepness", [1e2, 1e6, 1e12])
def test_bisection_ends_however_narrow_the_window_but_not_for_an_unbounded_function(steepness, rng):
    """A straight slope down to a wall: the good steps are those at its foot, and steps just before it are too short."""
    for _ in range(30):
        foot, (c1, c2) = rng.uniform(0.1, 10), constants(rng)

        def phi(tau, foot=foot):
            up = max(tau - foot, 0.0)
            return -tau + steepness * up**2, -1 + 2 * steepness * up

        tau = wolfe(phi, 10 ** rng.uniform(-3, 3), c1, c2)
        assert_wolfe(phi, tau, c1, c2)
        assert foot < tau < foot + np.sqrt(2 * tau / steepness)
    assert wolfe(lambda tau: (-tau, -1.0)) is None  # the driver's patience ends instead


@pytest.mark.algorithm("alg-strong-wolfe")
@pytest.mark.parametrize("seed", range(60))
def test_zoom_returns_a_strong_wolfe_step_and_keeps_its_interval(rng):
    phi, scale = wave(rng)
    c1, c2 = np.sort(rng.uniform(0.001, 0.5, size=2))
    first = scale * 10 ** rng.uniform(-3, 3)
    asked, trials = recorded(phi)
    tau = strong_wolfe(asked, first, c1, c2)
    assert_wolfe(phi, tau, c1, c2, strong=True)
    assert trials[0] == first and trials[-1] == tau
    (start, slope0), low, high = phi(0.0), 0.0, math.inf
    for here, then in itertools.pairwise(trials):
        value, slope = phi(here)
        if value > start + c1 * here * slope0 or value > phi(low)[0]:
            high = here
        else:
            assert abs(slope) > c2 * abs(slope0)  # else it would have returned
            low, high = here, low if slope * (high - low) >= 0 else high
        assert then > here if high == math.inf else min(low, high) < then < max(low, high)


@pytest.mark.claim("prop-exact-armijo")
@pytest.mark.parametrize("seed", range(30))
def test_exact_step_on_a_parabola_satisfies_armijo_iff_c1_is_at_most_one_half(rng):
    a, b = -Fraction(int(rng.integers(1, 1000)), 7), Fraction(int(rng.integers(1, 1000)), 13)
    tau = -a / b
    for c1 in (Fraction(1, 1000), Fraction(499, 1000), Fraction(1, 2), Fraction(501, 1000), Fraction(999, 1000)):
        assert (a * tau + b / 2 * tau**2 <= c1 * tau * a) == (c1 <= Fraction(1, 2))

    def phi(s):
        return 1.0 + float(a) * s + float(b) / 2 * s * s, float(a) + float(b) * s

    step = parabola_step(phi)
    assert step == pytest.approx(float(tau), rel=1e-9)
    for c2 in (1e-6, 0.1, 0.9):
        assert curvature(phi, step, c2)
    assert armijo(phi, step, 0.499) and not armijo(phi, step, 0.501)


# --- Zoutendijk ------------------------------------------------------------------------------------------
def tilted(rng, angles, cosines):
    """Directions of random length at the given angles from the negative gradient; their cosines are noted."""

    def direction(here):
        down = -here.gradient / norm(here.gradient)
        side = rng.normal(size=len(down))
        side -= side @ down * down
        theta = next(angles)
        cosines.append(np.cos(theta))
        return 10 ** rng.uniform(-2, 2) * (np.cos(theta) * down + np.sin(theta) * side / norm(side))

    return direction


@pytest.mark.claim("thm-zoutendijk", "cor-zoutendijk")
@pytest.mark.parametrize("seed", SEEDS)
def test_zoutendijk_in_every_step_and_in_the_sum_and_the_gradient_vanishes(seed, rng):
    (f, L), low = logistic_risk(rng), 0.0
    if seed % 2:
        f, L, low = bumpy(rng)
    c1, c2 = np.sort(rng.uniform(0.01, 0.95, size=2))
    cosines, angles = [], (rng.uniform(0, np.deg2rad(75)) for _ in itertools.count())
    direction, start = tilted(rng, angles, cosines), rng.normal(size=3)
    run = line_search_descent(f, start, direction, partial(wolfe, c1=c1, c2=c2), tol=1e-6, max_iter=3000)
    norms = np.array([norm(f.gradient(w)) for w in run.path])
    terms = np.array(cosines) ** 2 * norms[:-1] ** 2
    falls = -np.diff([f(w) for w in run.path])
    assert (falls >= c1 * (1 - c2) / L * terms - 1e-13).all()
    assert terms.sum() <= theory.zoutendijk_sum(L, f(start) - low, c1, c2)
    assert run.converged and norms[-1] <= 1e-6  # the corollary: all cosines are above cos 75 degrees


@pytest.mark.claim("thm-zoutendijk")
def test_the_bound_of_zoutendijk_is_nearly_attained_and_neither_condition_alone_is_enough():
    L, c1, c2, f = 2.0, 0.98, 0.99, Quadratic([[2.0]])

    def shortest(phi):
        tau = (1 - c2) / L * (1 + 1e-9)
        assert_wolfe(phi, tau, c1, c2)
        return tau

    run = line_search_descent(f, [3.0], search=shortest, tol=1e-6, max_iter=5000)
    total = sum((L * w[0]) ** 2 for w in run.path)
    assert 0.98 < total / theory.zoutendijk_sum(L, f(np.array([3.0])), c1, c2) <= 1
    # The two sequences on w^2 (L = 2, from w = 2): each satisfies one condition, and the sum grows past any bound.
    w = 1 + 2.0 ** -np.arange(10_000)
    assert (4 * w**2).sum() > 10 * theory.zoutendijk_sum(2.0, 4.0, 0.1, 0.9)
    for t in range(10):
        p, here = (-1) ** (t + 1), (-1) ** t * w[t]
        assert curvature(lambda tau, p=p, h=here: ((h + tau * p) ** 2, 2 * (h + tau * p) * p), 2 + 1.5 * 2.0**-t, 0.9)
        assert armijo(lambda tau, h=w[t]: ((h - tau) ** 2, -2 * (h - tau)), 2.0 ** -(t + 1), 0.1)


@pytest.mark.claim("cor-zoutendijk")
@pytest.mark.erratum("EA18")
def test_directions_that_are_never_orthogonal_but_become_so_leave_a_gradient(rng):
    """On |w|^2 / 2 an exact step, a Wolfe step, shortens the gradient by sin(theta): let the cosines be 2^-t-like."""
    cosines, angles = [], (np.arccos(0.5 / (1 + t)) for t in itertools.count())

    def exact(phi):
        tau = parabola_step(phi)
        assert_wolfe(phi, tau, 0.1, 0.9)
        return tau

    f, direction = Quadratic(np.eye(3)), tilted(rng, angles, cosines)
    left = norm(line_search_descent(f, [1.0, 0, 0], direction, exact, tol=0, max_iter=500).last)
    assert min(cosines) > 0 and np.isclose(left, np.prod(np.sqrt(1 - np.array(cosines) ** 2))) and left > 0.7


# --- conjugate directions --------------------------------------------------------------------------------
@pytest.mark.claim("prop-zigzag")
@pytest.mark.parametrize("seed", SEEDS)
def test_after_an_exact_step_the_gradient_is_orthogonal_to_the_direction(seed, rng):
    f = random_quadratic(rng, 3)[0] if seed % 2 else logistic_risk(rng)[0]
    for steepest in (False, True):
        w, directions = rng.normal(size=3), []
        for _ in range(4):
            g = f.gradient(w)
            p = -g if steepest else -rotation(rng, 3) @ np.diag([1, 2, 3]) @ rng.normal(size=3)
            p = p if g @ p < 0 else -p
            far = next(2.0**k for k in range(60) if f.gradient(w + 2.0**k * p) @ p > 0)
            tau = brentq(lambda s, w=w, p=p: f.gradient(w + s * p) @ p, 0, far, xtol=1e-15, rtol=1e-14)
            assert all(f(w + s * p) >= f(w + tau * p) - 1e-12 for s in np.linspace(0, 2 * tau, 20))
            w, directions = w + tau * p, [*directions, p]
            assert abs(f.gradient(w) @ p) <= 1e-9 * norm(p) * norm(g)
        if steepest:
            assert all(abs(p @ q) <= 1e-6 * norm(p) * norm(q) for p, q in itertools.pairwise(directions))


@pytest.mark.claim("prop-zigzag")
@pytest.mark.parametrize("search, right_angles", [(parabola_step, True), (lambda phi: 0.03, False)])
def test_steepest_descent_of_the_package_zigzags_and_fixed_steps_do_not(search, right_angles):
    f = Quadratic(np.diag([1.0, 5.0, 25.0]))
    steps = np.diff(line_search_descent(f, [5.0, 1.0, 1.0], search=search, max_iter=10).path, axis=0)
    cosines = [abs(p @ q) / norm(p) / norm(q) for p, q in itertools.pairwise(steps)]
    assert (max(cosines) < 1e-8) == right_angles


def gram_schmidt(H, vectors):
    directions = []
    for v in vectors:
        directions.append(v - sum((v @ H @ p) / (p @ H @ p) * p for p in directions))
    return np.array(directions)


@pytest.mark.claim("thm-conjugate-directions")
@pytest.mark.parametrize("seed", SEEDS)
def test_conjugate_directions_reach_the_minimum_in_d_steps(seed, rng):
    d = int(rng.integers(1, 7))
    f, lam, V = random_quadratic(rng, d)
    root = V @ np.diag(lam**-0.5)
    P = [gram_schmidt(f.H, rng.normal(size=(d, d))), V.T, (root @ rotation(rng, d)).T][seed % 3]
    P = rng.choice([-3.0, 0.2, 1.0], size=(d, 1)) * P
    C = P @ f.H @ P.T
    assert np.abs(C - np.diag(np.diag(C))).max() < 1e-8 * np.diag(C).max() and np.linalg.matrix_rank(P) == d
    w0 = w = rng.normal(size=d)
    size = norm(f.gradient(w0))
    for t, p in enumerate(P):
        tau = -(f.gradient(w) @ p) / (p @ f.H @ p)
        assert tau == pytest.approx(parabola_step(f.at(w).along(p)), rel=1e-5, abs=1e-9)
        w = w + tau * p
        assert all(abs(f.gradient(w) @ s) < 1e-8 * size * norm(s) for s in P[: t + 1])
        others = w0 + 3 * rng.normal(size=(50, t + 1)) @ P[: t + 1]
        assert all(f(v) >= f(w) - 1e-9 for v in others)
    assert norm(w - f.centre) < 1e-9 * (1 + norm(w0))


@pytest.mark.algorithm("alg-linear-cg")
@pytest.mark.parametrize("seed", range(10))
def test_linear_cg_step_by_step(rng):
    d = int(rng.integers(1, 8))
    f, _, _ = random_quadratic(rng, d)
    H, b, w = f.H, f.H @ f.centre, rng.normal(size=d)
    run = linear_conjugate_gradient(H, b, w, tol=1e-9, max_iter=50)
    g = H @ w - b
    p = -g
    for visited in run.path:
        np.testing.assert_allclose(visited, w, rtol=1e-9, atol=1e-11)
        tau = (g @ g) / (p @ H @ p)
        w, after = w + tau * p, g + tau * (H @ p)
        p, g = -after + (after @ after) / (g @ g) * p, after
    assert run.converged and norm(H @ run.last - b) <= 1e-8
    assert linear_conjugate_gradient(H, b, np.linalg.solve(H, b), tol=1e-9).n_steps == 0  # nothing to do


@pytest.mark.claim("thm-cg")
@pytest.mark.parametrize("seed", SEEDS)
def test_conjugate_gradients_are_orthogonal_their_directions_conjugate_and_their_steps_exact(rng):
    d = int(rng.integers(2, 7))
    f, _, _ = random_quadratic(rng, d)
    run = linear_conjugate_gradient(f.H, f.H @ f.centre, rng.normal(size=d), tol=1e-8, max_iter=50)
    assert run.n_steps <= d
    G = np.array([f.gradient(w) for w in run.path])
    P = np.diff(run.path, axis=0)
    for M in (P @ f.H @ P.T, G[:-1] @ G[:-1].T):
        scale = np.sqrt(np.diag(M))
        assert np.abs(np.triu(M / scale / scale[:, None], 1)).max() < 1e-6
    assert all(abs(g @ p) < 1e-9 * norm(G[0]) * norm(p) for g, p in zip(G[1:], P, strict=True))  # exact
    assert -G[0] @ P[0] == pytest.approx(norm(G[0]) * norm(P[0]), rel=1e-12)


@pytest.mark.claim("thm-cg")
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_number_of_steps_is_the_number_of_distinct_eigenvalues_that_the_start_sees(k):
    rng = np.random.default_rng(k)
    lam = np.repeat([1.0, 2.5, 4.0, 7.0, 9.0][:k], 3)
    V = rotation(rng, 3 * k)
    H, centre = V @ np.diag(lam) @ V.T, rng.normal(size=3 * k)
    run = linear_conjugate_gradient(H, H @ centre, rng.normal(size=3 * k), tol=1e-9, max_iter=50)
    assert run.n_steps == k and norm(run.path[-2] - centre) > 1e-4  # no fewer
    seen = max(1, k - 1)  # a start without a part in the last eigenspace needs a step less
    start = centre + V[:, : 3 * seen] @ rng.normal(size=3 * seen)
    assert linear_conjugate_gradient(H, H @ centre, start, tol=1e-9, max_iter=50).n_steps == seen


@pytest.mark.claim("thm-cg")
def test_another_first_direction_breaks_it(rng):
    """Not -g_0 but a descent direction nearby, and the same recursion with exact steps: d steps do not suffice."""
    f, _, _ = random_quadratic(rng, 6)
    for spoilt in (False, True):
        w = np.zeros(6)
        g = f.gradient(w)
        p = -g * (1 + spoilt * rng.uniform(-0.5, 0.5, size=6))
        for _ in range(6):
            w = w - (g @ p) / (p @ f.H @ p) * p
            g = f.gradient(w)
            p = -g + (p @ f.H @ g) / (p @ f.H @ p) * p
        assert (norm(w - f.centre) < 1e-8) != spoilt


@pytest.mark.claim("prop-betas")
@pytest.mark.parametrize("seed", SEEDS)
def test_four_formulas_for_beta_are_one_number_on_quadratics_and_no_others(rng):
    f, _, _ = random_quadratic(rng, 5, condition=8.0)
    w = rng.normal(size=5)
    g = f.gradient(w)
    p = -g
    for _ in range(4):
        w = w + (g @ g) / (p @ f.H @ p) * p
        after = f.gradient(w)
        conjugate = (p @ f.H @ after) / (p @ f.H @ p)
        np.testing.assert_allclose([beta(after, g, p) for beta in BETA.values()], conjugate, rtol=1e-5)
        p, g = -after + conjugate * p, after
    rng = np.random.default_rng(1)
    f, _ = logistic_risk(rng)
    g = f.gradient(np.zeros(3))
    after = f.gradient(-strong_wolfe(f.at(np.zeros(3)).along(-g)) * g)
    FR, PR, HS = (BETA[name](after, g, -g) for name in ("FR", "PR", "HS"))
    assert min(abs(FR - PR), abs(PR - HS), abs(FR - HS)) > 1e-4


BETA_BY_HAND = {
    "FR": lambda h, g, p: (h @ h) / (g @ g),
    "PR": lambda h, g, p: h @ (h - g) / (g @ g),
    "PR+": lambda h, g, p: max(0, h @ (h - g) / (g @ g)),
    "HS": lambda h, g, p: h @ (h - g) / (p @ (h - g)),
}


@pytest.mark.algorithm("alg-nonlinear-cg")
@pytest.mark.parametrize("name", BETA)
@pytest.mark.parametrize("seed", range(5))
def test_nonlinear_cg_step_by_step_with_a_restart_when_the_direction_does_not_descend(name, rng):
    f, _ = logistic_risk(rng, d=4)
    run = conjugate_gradient(f, 2 * rng.normal(size=4), beta=name, tol=1e-8, max_iter=500)
    norms = [norm(f.gradient(w)) for w in run.path]
    assert run.converged and norms[-1] <= 1e-8 * (1 + 1e-6) and min(norms[:-1]) > 1e-8 * (1 - 1e-6)
    p = -f.gradient(run.path[0])
    for w, after in itertools.pairwise(run.path[:8]):
        g, h = f.gradient(w), f.gradient(after)
        if g @ p >= 0:
            p = -g
        tau = (after - w) @ p / (p @ p)
        np.testing.assert_allclose(after, w + tau * p, rtol=1e-6, atol=1e-9)
        assert_wolfe(f.at(w).along(p), tau, 1e-4, 0.1 + 1e-6, strong=True)
        p = -h + BETA_BY_HAND[name](h, g, p) * p
    f = Quadratic(np.diag([1.0, 10.0]))
    path = conjugate_gradient(f, [1.0, 1.0], beta="FR", search=lambda phi, tau: 0.25, max_iter=2).path  # far too long
    g, after = f.gradient(path[0]), f.gradient(path[1])
    assert after @ (-after - (after @ after) / (g @ g) * g) >= 0  # uphill
    np.testing.assert_allclose(path[2] - path[1], -0.25 * after, rtol=1e-12)


# --- noisy gradients -------------------------------------------------------------------------------------
@pytest.mark.claim("prop-unbiased-batch")
@pytest.mark.erratum("P11b")
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_batches_of_every_kind_average_to_the_gradient_with_these_variances(n):
    rng, m = np.random.default_rng(n), 5
    X, y, w = rng.normal(size=(m, 3)), rng.choice([-1, 1], size=m), rng.normal(size=3)
    f = LinearRisk(logistic, X, y)
    single = -(y / (1 + np.exp(y * (X @ w))))[:, None] * X  # the gradients of the f_i, by hand
    full = single.mean(axis=0)
    np.testing.assert_allclose(f.gradient(w), full, rtol=1e-12)
    V = np.mean(np.sum((single - full) ** 2, axis=1))
    for batches, expected in [
        (list(itertools.product(range(m), repeat=n)), V / n),
        (list(itertools.combinations(range(m), n)), V / n * (m - n) / (m - 1)),
    ]:
        G = np.array([f.batch_gradient(w, list(batch)) for batch in batches])
        np.testing.assert_allclose(G, [single[list(batch)].mean(axis=0) for batch in batches], atol=1e-12)
        np.testing.assert_allclose(G.mean(axis=0), full, atol=1e-12)
        assert np.mean(np.sum((G - full) ** 2, axis=1)) == pytest.approx(expected, rel=1e-9, abs=1e-15)


@pytest.mark.claim("prop-unbiased-batch")
def test_the_streams_of_the_package_draw_every_example_equally_often():
    rng, m = np.random.default_rng(0), 6
    drawn = np.array(list(itertools.islice(uniform_draws(m, size=2, rng=rng), 6000)))
    first = np.array([next(shuffled_passes(m, size=2, rng=rng)) for _ in range(6000)])
    for batches in (drawn, first):
        counts = np.bincount(batches.ravel(), minlength=m)
        assert (np.abs(counts - 2000) < 5 * np.sqrt(2000)).all()
    assert (drawn[:, 0] == drawn[:, 1]).any() and (first[:, 0] != first[:, 1]).all()  # with and without replacement


@pytest.mark.algorithm("alg-sgd")
@pytest.mark.parametrize("size", [1, 3])
def test_sgd_step_by_step(size):
    rng = np.random.default_rng(size)
    X, y = rng.normal(size=(10, 3)), rng.choice([-1, 1], size=10)
    f, batches = LinearRisk(logistic, X, y), [rng.integers(10, size=size) for _ in range(40)]
    run = stochastic_gradient_descent(f.batch_gradient, np.ones(3), decreasing_steps(0.8, 0.7), batches)
    w = np.ones(3)
    for t, (rows, visited) in enumerate(zip(batches, run.path, strict=False)):
        np.testing.assert_allclose(visited, w, rtol=1e-12)
        g = sum(-y[j] * X[j] / (1 + np.exp(y[j] * (X[j] @ w))) for j in rows) / size
        w = w - 0.8 / (1 + t) ** 0.7 * g
    np.testing.assert_allclose(run.last, w, rtol=1e-12)
    assert run.n_steps == 40  # it ends with the batches, or with the steps
    assert stochastic_gradient_descent(f.batch_gradient, w, [0.1] * 7, batches).n_steps == 7


@pytest.mark.claim("thm-sgd")
@pytest.mark.parametrize("seed", range(4))
def test_sgd_bound_by_enumeration_of_all_draws(seed):
    rng, m, T = np.random.default_rng(seed), 3, 5
    X, y = 2 * rng.normal(size=(m, 2)), rng.choice([-1, 1], size=m)
    f, start = LinearRisk(logistic, X, y), rng.normal(size=2)
    L = np.linalg.eigvalsh(X.T @ X)[-1] / (4 * m)
    sigma = np.sqrt(np.mean(np.sum(X**2, axis=1)))
    taus = rng.uniform(0.1, 1, size=T) / L
    squares = np.zeros(T)
    for draws in itertools.product(range(m), repeat=T):
        path = stochastic_gradient_descent(f.batch_gradient, start, taus, ([i] for i in draws)).path
        squares += [norm(f.gradient(w)) ** 2 / m**T for w in path[:-1]]
    average = taus @ squares / taus.sum()
    assert squares.min() <= average <= theory.sgd_average(taus, L, f(start), sigma)  # the risk is positive


@pytest.mark.claim("thm-sgd")
@pytest.mark.parametrize("T", [1, 10, 1000])
def test_sgd_bound_is_nearly_attained_by_the_longest_steps_on_a_parabola(T):
    """f = L w^2 / 2, tau = 1/L: after the first step w is pure noise and E gradient^2 = sigma^2."""
    L, sigma, w0, rng = 2.0, 3.0, 5.0, np.random.default_rng(T)
    runs = np.full(4000, w0)  # as many runs at once

    def noisy(w, rows):
        return L * w + sigma * rng.choice([-1, 1], size=w.size)

    path = stochastic_gradient_descent(noisy, runs, [1 / L] * T, itertools.repeat(None)).path[:T]
    average, exact = np.mean([(L * w) ** 2 for w in path]), (L**2 * w0**2 + (T - 1) * sigma**2) / T
    assert average == pytest.approx(exact, rel=1e-9)  # with noise of two values the squares do not vary
    bound = theory.sgd_average([1 / L] * T, L, L * w0**2 / 2, sigma)
    assert exact == pytest.approx(bound - sigma**2 / T, rel=1e-9) and exact < bound


@pytest.mark.claim("thm-sgd")
@pytest.mark.parametrize("a", [0.0, 0.6, 1.0])
def test_sgd_bound_tends_to_zero_for_robbins_monro_steps_and_not_for_constant_ones(a):
    L, decrease, sigma = 1.0, 2.0, 1.5
    taus = np.fromiter(decreasing_steps(1.0, a), float, count=200_000)
    bounds = [theory.sgd_average(taus[:T], L, decrease, sigma) for T in (100, 2000, 200_000)]
    if a == 0:
        assert bounds[-1] == pytest.approx(L * sigma**2, rel=1e-3)
    else:
        limit = 2 * decrease + L * sigma**2 * sum(1 / k ** (2 * a) for k in range(1, 10**6))
        assert bounds[0] > bounds[1] > bounds[2] and bounds[2] <= 1.01 * limit / taus.sum()
        assert taus.sum() > np.log(200_000)  # without end


@pytest.mark.claim("prop-noise-floor")
@pytest.mark.parametrize("seed", range(10))
def test_mean_square_of_sgd_with_a_constant_step_tends_to_the_floor_and_beyond_two_over_mu_there_is_none(rng):
    mu, sigma, w0 = rng.uniform(0.2, 3), rng.uniform(0.1, 4), 5 * rng.normal()
    for part in (0.1, 1.0, 1.9, 2.1):
        tau, square = part / mu, w0**2
        for _ in range(400):
            square = (1 - tau * mu) ** 2 * square + tau**2 * sigma**2
        assert square > 1e20 if part > 2 else theory.noise_floor(tau, mu, sigma) == pytest.approx(square, rel=1e-9)


@pytest.mark.claim("prop-noise-floor")
@pytest.mark.parametrize("noise", ["normal", "signs"])
def test_noise_floor_is_what_runs_show(noise):
    tau, mu, sigma, n, rng = 0.6, 1.3, 2.0, 40_000, np.random.default_rng(5)

    def noisy(w, rows):
        xi = rng.normal(size=n) if noise == "normal" else rng.choice([-1.0, 1.0], size=n)
        return mu * w + sigma * xi

    w = stochastic_gradient_descent(noisy, np.full(n, 4.0), [tau] * 60, itertools.repeat(None), keep_path=False).last
    error = np.std(w**2) / np.sqrt(n)
    assert abs(np.mean(w**2) - theory.noise_floor(tau, mu, sigma)) < 5 * error < 0.1


@pytest.mark.claim("prop-slow-steps")
@pytest.mark.erratum("P10d")
@pytest.mark.parametrize("a", [0.05, 0.5, 0.93, 1.4, 2.5])
def test_steps_gamma_over_t_shrink_the_error_like_a_power(a):
    mu, w0, T = 3.0, -2.0, 20_000
    path = gradient_descent(lambda w: mu * w, [w0], decreasing_steps(a / mu), max_iter=T).path
    w, product = np.ravel(path), np.cumprod(1 - a / np.arange(1, T + 1))
    np.testing.assert_allclose(w[1:], w0 * product, rtol=1e-9)
    t = np.array([0, 1, 2, 10, 1000, T])
    np.testing.assert_allclose(theory.slow_steps(t, a / mu, mu), w[t] / w0, rtol=1e-7)
    limit = 1 / gamma_function(1 - a)
    errors = [abs(w[s] / w0 * s**a - limit) for s in (200, 2000, 20_000)]
    assert theory.slow_steps(500_000, 0.05, 1.0) > 1 / 2 > theory.slow_steps(600_000, 0.05, 1.0)
    assert limit != 0 and errors[2] < 1e-3 * abs(limit) and errors[1] < errors[0] / 5 and errors[2] < errors[1] / 5


@pytest.mark.claim("prop-slow-steps")
@pytest.mark.parametrize("a", [1, 2, 5])
def test_with_a_whole_number_the_minimum_is_reached_at_that_step(a):
    run = gradient_descent(lambda w: w, [3.0], decreasing_steps(float(a)), max_iter=50)
    path = np.ravel(run.path)
    assert run.converged and run.n_steps == a and (path[:a] != 0).all() and path[a] == 0
    np.testing.assert_allclose(
        theory.slow_steps(np.arange(a + 6), float(a), 1.0), [*path / 3, 0, 0, 0, 0, 0], atol=1e-12
    )


# --- an exercise ------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(5))
def test_exercise_on_the_square_root_of_the_condition_number(seed):
    rng, d = np.random.default_rng(seed), 20
    lam = np.exp(rng.uniform(0, 6, size=d))
    V, e = rotation(rng, d), rng.normal(size=d)
    H = V @ np.diag(lam) @ V.T
    path = linear_conjugate_gradient(H, np.zeros(d), e, tol=1e-9, max_iter=15).path
    root = np.sqrt(lam.max() / lam.min())
    errors = np.sqrt([w @ H @ w / (e @ H @ e) for w in path])
    assert (errors <= 2 * ((root - 1) / (root + 1)) ** np.arange(len(path)) * (1 + 1e-9)).all()


@pytest.mark.parametrize("t", [1, 3, 8])
def test_exercise_on_the_square_root_of_the_condition_number_at_its_worst_start(t):
    """Eigenvalues where the Chebyshev polynomial is +1 or -1, and the start for which no polynomial does better."""
    lam = 1 + 49 * (1 - np.cos(np.pi * np.arange(t + 1) / t)) / 2  # condition number 50
    others = [np.delete(lam, j) for j in range(t + 1)]
    at_zero = [np.prod(rest / (rest - x)) for x, rest in zip(lam, others, strict=True)]  # Lagrange's polynomials
    e, H = np.sqrt(np.abs(at_zero) / lam), np.diag(lam)
    w = linear_conjugate_gradient(H, np.zeros(t + 1), e, max_iter=t).last
    rate = (np.sqrt(50) - 1) / (np.sqrt(50) + 1)
    assert np.isclose(np.sqrt(w @ H @ w / (e @ H @ e)), 2 * rate**t / (1 + rate ** (2 * t)))
