"""What gradient methods promise, against direct recursion of the quantities described."""

import numpy as np
import pytest

from mlcourse.theory import (
    adaline_distance,
    adaline_errors,
    best_quadratic_rate,
    convex_gap,
    noise_floor,
    quadratic_rate,
    sgd_average,
    slow_steps,
    stationary_sum,
    zoutendijk_sum,
)

SEEDS = pytest.mark.parametrize("seed", range(10))


@SEEDS
def test_quadratic_rate_is_the_norm_of_one_step(seed):
    rng = np.random.default_rng(seed)
    curvatures = np.sort(rng.uniform(0.1, 5, size=6))
    for tau in rng.uniform(0, 1, size=20):
        step = np.diag(1 - tau * curvatures)
        assert quadratic_rate(tau, curvatures[0], curvatures[-1]) == pytest.approx(np.linalg.norm(step, 2))


@SEEDS
def test_the_best_rate_is_the_least_over_all_steps(seed):
    mu, L = np.sort(np.random.default_rng(seed).uniform(0.1, 5, size=2))
    best = best_quadratic_rate(mu, L)
    assert best == pytest.approx(quadratic_rate(2 / (mu + L), mu, L))
    assert (quadratic_rate(np.linspace(0, 2 / mu, 1001), mu, L) >= best - 1e-12).all()


@SEEDS
def test_stationary_sum_is_what_a_parabola_of_curvature_L_attains(seed):
    rng = np.random.default_rng(seed)
    L, w = rng.uniform(0.1, 5), rng.normal()
    tau = rng.uniform(0.05, 1.95) / L
    gradients = L * w * (1 - tau * L) ** np.arange(5000)  # of f(w) = L w^2 / 2
    assert (gradients**2).sum() == pytest.approx(stationary_sum(tau, L, L * w**2 / 2))


@SEEDS
def test_convex_gap_holds_on_parabolas_and_at_a_tight_case_within_a_factor_of_four(seed):
    rng = np.random.default_rng(seed)
    tau, t = 0.5, np.arange(1, 200)
    for mu in rng.uniform(0, 2, size=20):  # curvatures up to 1 / tau
        assert (mu / 2 * (1 - tau * mu) ** (2 * t) <= convex_gap(tau, t, 1.0) * (1 + 1e-12)).all()
    slowest = 1 / (tau * (2 * t + 1))  # the parabola that is worst after t steps
    gap = slowest / 2 * (1 - tau * slowest) ** (2 * t)
    assert (convex_gap(tau, t, 1.0) <= 8 * gap).all()
    np.testing.assert_allclose(convex_gap(tau, t, 3.0), 9 * convex_gap(tau, t, 1.0))


def test_zoutendijk_sum_is_decrease_over_the_least_decrease_of_a_step():
    # a step that satisfies Wolfe's conditions has length >= (1 - c2) |slope| / (L |p|^2) and gains c1 |slope| of it
    L, c1, c2, gradient, cosine = 3.0, 1e-2, 0.7, 2.0, 0.4
    slope = gradient * cosine  # along a direction of length one
    gain = c1 * (1 - c2) * slope / L * slope
    assert zoutendijk_sum(L, 5.0, c1, c2) == pytest.approx(5.0 / gain * slope**2)


@SEEDS
def test_sgd_average_bounds_the_exact_expectations_on_a_parabola(seed):
    rng = np.random.default_rng(seed)
    L, sigma, w0 = rng.uniform(0.2, 3, size=3)
    for tau in (np.full(300, 0.7 / L), 1 / (L * (1 + np.arange(300))), 1 / (L * np.sqrt(1 + np.arange(300)))):
        second, squares = w0**2, []
        for step in tau:
            squares.append(L**2 * second)  # E gradient^2 of f(w) = L w^2 / 2
            second = (1 - step * L) ** 2 * second + step**2 * sigma**2
        average = tau @ squares / tau.sum()
        bound = sgd_average(tau, L, L * w0**2 / 2, sigma)
        assert average <= bound
    assert sgd_average([0.5], 2.0, 3.0, 1.0) == pytest.approx((2 * 3 + 2 * 0.25) / 0.5)


@SEEDS
def test_noise_floor_is_the_fixed_point_of_the_variance(seed):
    rng = np.random.default_rng(seed)
    mu, sigma = rng.uniform(0.1, 3, size=2)
    tau = rng.uniform(0.1, 1.9) / mu
    second = rng.exponential()
    for _ in range(2000):
        second = (1 - tau * mu) ** 2 * second + tau**2 * sigma**2
    assert noise_floor(tau, mu, sigma) == pytest.approx(second)


@pytest.mark.parametrize("a", [0.1, 0.5, 0.9, 1.0, 1.5, 2.0, 2.7, 3.0, 5.0, 10.5])
@pytest.mark.parametrize("gamma", [0.5, 1.0, 4.0])
def test_slow_steps_is_the_product_of_the_factors(a, gamma):
    t = np.arange(60)
    product = np.cumprod(np.append(1.0, 1 - a / np.arange(1, 60)))
    np.testing.assert_allclose(slow_steps(t, gamma, a / gamma), product, rtol=1e-9, atol=1e-12)
    for s in (0, 1, 2, 7):
        assert slow_steps(s, gamma, a / gamma) == pytest.approx(product[s], rel=1e-9, abs=1e-12)


def test_slow_steps_fall_like_a_power():
    for a in (0.1, 0.5, 0.9):
        assert slow_steps(4e8, 1.0, a) / slow_steps(1e8, 1.0, a) == pytest.approx(4.0**-a, rel=1e-6)


@SEEDS
def test_adaline_errors_are_what_the_longest_point_over_and_over_attains(seed):
    rng = np.random.default_rng(seed)
    R, distance = rng.uniform(0.2, 4, size=2)
    tau = rng.uniform(0.05, 1.95) / R**2
    v, total = distance, 0.0  # w* - w along a single point of length R
    for _ in range(5000):
        error = v * R
        total, v = total + error**2, v - tau * error * R
    assert adaline_errors(tau, R, distance) == pytest.approx(total)


@SEEDS
def test_adaline_distance_bounds_the_exact_second_moment(seed):
    rng = np.random.default_rng(seed)
    X, noise = rng.normal(size=(6, 2)), rng.normal(size=6)
    w = np.linalg.lstsq(X, X @ [1.0, -2.0] + noise, rcond=None)[0]
    error = X @ [1.0, -2.0] + noise - X @ w  # at the minimiser
    R2, mu = (X**2).sum(axis=1).max(), np.linalg.eigvalsh(X.T @ X / 6)[0]
    for tau in np.array([0.05, 0.3, 0.8]) / R2:
        mean, second = -w, np.outer(w, w)  # of v = w_t - w*, exactly, over a uniform draw of the example
        for t in range(1, 200):
            B = [np.eye(2) - tau * np.outer(x, x) for x in X]
            second, mean = (
                sum(
                    b @ second @ b.T
                    + tau * e * (np.outer(b @ mean, x) + np.outer(x, b @ mean))
                    + tau**2 * e**2 * np.outer(x, x)
                    for b, e, x in zip(B, error, X, strict=True)
                )
                / 6,
                sum(b @ mean + tau * e * x for b, e, x in zip(B, error, X, strict=True)) / 6,
            )
            spread = (error**2 * (X**2).sum(axis=1)).mean()
            bound = adaline_distance(tau, t, mu, np.sqrt(R2), spread, np.linalg.norm(w))
            assert np.trace(second) <= bound * (1 + 1e-12)


ARGUMENTS = {
    quadratic_rate: {"tau": 0.3, "mu": 0.5, "L": 2.0},
    best_quadratic_rate: {"mu": 0.5, "L": 2.0},
    stationary_sum: {"tau": 0.3, "L": 2.0, "decrease": 1.5},
    convex_gap: {"tau": 0.3, "t": 7, "distance": 1.5},
    zoutendijk_sum: {"L": 2.0, "decrease": 1.5, "c1": 0.1, "c2": 0.4},
    sgd_average: {"L": 2.0, "decrease": 1.5, "sigma": 0.7},
    noise_floor: {"tau": 0.3, "mu": 0.5, "sigma": 0.7},
    slow_steps: {"t": 7, "gamma": 0.6, "mu": 0.5},
    adaline_errors: {"tau": 0.3, "R": 0.8, "distance": 1.5},
    adaline_distance: {"tau": 0.3, "t": 7, "mu": 0.5, "R": 0.8, "noise": 0.4, "distance": 1.5},
}


@pytest.mark.parametrize("kind", [np.array, list])
@pytest.mark.parametrize("bound, name", [(bound, name) for bound in ARGUMENTS for name in ARGUMENTS[bound]])
def test_every_argument_may_be_an_array_or_a_list(bound, name, kind):
    arguments = ARGUMENTS[bound] | ({"tau": [0.1, 0.2]} if bound is sgd_average else {})
    values = [arguments[name], arguments[name] * 2]
    one_by_one = [bound(**arguments | {name: value}) for value in values]
    np.testing.assert_allclose(bound(**arguments | {name: kind(values)}), one_by_one, rtol=1e-12)


def test_at_the_end_of_its_range_of_steps_a_bound_is_vacuous():
    almost = 1 - 1e-9
    assert stationary_sum(2 * almost, 1.0, 1.0) > 1e8 and noise_floor(2 * almost, 1.0, 1.0) > 1e8
    assert adaline_errors(2 * almost, 1.0, 1.0) > 1e8
    assert adaline_distance(almost, 10, 0.5, 1.0, 1.0, 1.0) > 1e8
    assert best_quadratic_rate(1.0, 1.0) == 0 and quadratic_rate(2.0, 0.1, 1.0) == 1
