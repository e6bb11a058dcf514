"""The claims of the chapter on stability and margins."""

import itertools

import numpy as np
import pytest
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.stats import binom, multinomial

from mlcourse import SVM, GaussianKernel, theory
from mlcourse.data import FiniteLaw, Moons
from mlcourse.losses import RhoMargin, hinge, logistic, square, zero_one, zero_one_margin
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.testing import assert_fails_at_most


def random_law(rng, n=3):
    return FiniteLaw(rng.dirichlet(np.ones(2 * n)).reshape(n, 2))


def by_enumeration(law, rule, loss, m):
    """Exact means over all samples: true risk, loss at each example, and its change by a replacement."""
    cells = list(np.ndindex(law.P.shape))
    losses = {S: loss(law.labels, np.asarray(rule(S))[:, None]) for S in itertools.product(cells, repeat=m)}
    risk, own, change = 0.0, np.zeros(m), np.zeros(m)
    for S, at in losses.items():
        chance = np.prod([law.P[s] for s in S])
        risk += chance * (law.P * at).sum()
        own += chance * np.array([at[s] for s in S])
        for i, new in itertools.product(range(m), cells):
            change[i] += chance * law.P[new] * (losses[(*S[:i], new, *S[i + 1 :])][S[i]] - at[S[i]])
    return risk, own, change


# --- stability ---------------------------------------------------------------------------------------
@pytest.mark.claim("thm-stability")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("loss", [zero_one, square])
def test_the_expected_gap_is_the_mean_change_by_a_replacement(rng, loss):
    law, m = random_law(rng), 3
    table = {}

    def any_algorithm(S):  # an arbitrary map from samples to predictors, not even symmetric in the examples
        return table.setdefault(S, rng.choice([-1.0, 1.0], size=3))

    def by_heart(S):
        return [np.sign(sum(law.labels[y] for x, y in S if x == point) + 0.5) for point in range(3)]

    for rule in (any_algorithm, by_heart, lambda S: [1.0, -1.0, 1.0]):
        risk, own, change = by_enumeration(law, rule, loss, m)
        np.testing.assert_allclose(risk - own, change, rtol=0, atol=1e-12)  # for every i, not only on average
    assert np.allclose(change, 0)  # a rule that ignores the sample


@pytest.mark.claim("cor-stability-oracle")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("slack", [0.0, 0.2])
def test_stable_and_nearly_optimal_on_the_sample_competes_with_the_best_penalised_rule(rng, slack):
    law, rules = random_law(rng), theory.all_signs(3)
    omega = rng.random(8) * 0.3

    def nearly_optimal(S):
        x, y = np.transpose(S)
        objective = (rules[:, x] != law.labels[y]).mean(axis=1) + omega
        allowed = np.flatnonzero(objective <= objective.min() + slack)
        return rules[allowed[-1]]  # the last that is good enough

    risk, own, change = by_enumeration(law, nearly_optimal, zero_one, 3)
    oracle = min(law.risk(h, zero_one) + price for h, price in zip(rules, omega, strict=True))
    assert risk <= oracle + change.max() + slack + 1e-12
    assert own.mean() <= oracle + slack + 1e-12


def minimiser(X, y, lam, loss):
    """argmin mean loss(y w.x) + (lam/2) |w|^2 for a smooth loss."""

    def objective(w):
        z = y * (X @ w)
        return loss(z).mean() + lam / 2 * w @ w, X.T @ (y * loss.derivative(z)) / len(y) + lam * w

    return minimize(objective, np.zeros(X.shape[1]), jac=True, tol=1e-12).x


@pytest.mark.claim("thm-rerm-stable")
@pytest.mark.parametrize("seed", range(20))
def test_a_replacement_moves_the_minimiser_of_a_smooth_loss_by_at_most_the_bound(rng):
    m, d, lam = int(rng.integers(1, 12)), int(rng.integers(1, 4)), float(10 ** rng.uniform(-2, 1))
    X, y = rng.normal(size=(m + 1, d)), rng.choice([-1, 1], size=m + 1)
    X /= np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1)  # so that G = 1
    w, v = minimiser(X[:m], y[:m], lam, logistic), minimiser(X[1:], y[1:], lam, logistic)  # the first for the last
    assert np.linalg.norm(w - v) <= theory.replacement_distance(m, lam, 1) + 1e-5
    assert np.linalg.norm(w) <= 1 / lam + 1e-6
    change = np.abs(logistic(y * (X @ w)) - logistic(y * (X @ v))).max()
    assert change <= theory.replacement_stability(m, lam, 1) + 1e-5


@pytest.mark.claim("thm-rerm-stable")
@pytest.mark.parametrize("seed", range(10))
def test_a_replacement_moves_the_svm_in_the_gaussian_space_by_at_most_the_bound_and_the_objective_grows(rng):
    m, lam = 20, float(10 ** rng.uniform(-2, 0.5))
    X, y = Moons(0.3).sample(m + 1, rng)
    y[:4] = 1, -1, 1, -1  # both classes in either sample

    def fit(rows):
        return SVM(C=1 / (lam * m), kernel=GaussianKernel(1.0), bias=False, tol=1e-8).fit(X[rows], y[rows])

    first, second = fit(np.arange(m)), fit(np.arange(1, m + 1))
    accuracy = sum(np.sqrt(2 * max(machine.gap_, 0)) for machine in (first, second))
    moved = (first.f_ - second.f_).norm()
    assert moved <= theory.replacement_distance(m, lam, 1) + accuracy + 1e-9
    assert first.f_.norm() <= min(1 / lam, 1 / np.sqrt(lam)) + accuracy
    X, y, lam = rng.normal(size=(15, 3)), rng.choice([-1, 1], size=15), 0.3
    w = SVM(C=1 / (lam * 15), bias=False, tol=1e-10).fit(X, y).w_

    def objective(v):
        return hinge(y * (X @ v)).mean() + lam / 2 * v @ v

    for v in w + rng.normal(size=(300, 3)) * 10 ** rng.uniform(-3, 1, size=(300, 1)):
        assert objective(v) - objective(w) >= lam / 2 * np.sum((v - w) ** 2) - 1e-8


def one_point_minimiser(y, R, lam):
    """The SVM at one point, by a general search."""
    objective = lambda w: hinge(y * w * R).mean() + lam / 2 * w**2  # noqa: E731
    return minimize_scalar(objective, bounds=(-2 * R / lam, 2 * R / lam), method="bounded", options={"xatol": 1e-12}).x


@pytest.mark.claim("prop-stability-tight")
@pytest.mark.erratum("M86")
@pytest.mark.parametrize("m", [1, 2, 5, 8])
@pytest.mark.parametrize("R", [0.5, 2.0])
def test_one_flip_reaches_the_bound(m, R):
    lam, y = 2.1 * R**2 / m, np.where(np.arange(m) < (m + 1) // 2, 1, -1)
    w = one_point_minimiser(y, R, lam)
    assert np.isclose(w, R * y.sum() / (lam * m), atol=1e-6)
    flipped = one_point_minimiser(np.where(np.arange(m) == 0, -y, y), R, lam)
    assert np.isclose(w - flipped, theory.replacement_distance(m, lam, R), atol=1e-6)
    assert np.isclose(hinge(flipped * R) - hinge(w * R), theory.replacement_stability(m, lam, R), atol=1e-6)
    assert w - flipped < 0.6 * 2 * theory.replacement_distance(m, lam, R)  # the notes' constant is not reached


@pytest.mark.claim("prop-stability-tight", "thm-stability")
@pytest.mark.parametrize("m", [1, 2, 4])
def test_the_expected_gap_with_coins_is_half_the_promise(m):
    R, lam = 1.5, 3.0
    gap = 0.0
    for labels in itertools.product((-1, 1), repeat=m):
        y = np.array(labels)
        w = one_point_minimiser(y, R, lam)
        gap += 2.0**-m * ((hinge(w * R) + hinge(-w * R)) / 2 - hinge(y * w * R).mean())
    assert np.isclose(gap, theory.coin_gap(m, lam, R), atol=1e-6)
    assert np.isclose(2 * theory.coin_gap(m, lam, R), theory.replacement_stability(m, lam, R))
    with pytest.raises(ValueError, match="lam"):
        theory.coin_gap(m, 2.0, R)


def plane_gap(V, chance, lam, m, loss):
    """E (true - empirical risk) over all samples of m when the flipped point takes the values V, for a smooth loss."""
    gap = 0.0
    for S in itertools.combinations_with_replacement(range(len(V)), m):
        share = np.bincount(S, minlength=len(V)) / m
        times = multinomial.pmf(share * m, m, chance)
        w = minimiser(V[list(S)], np.ones(m), lam, loss)
        gap += times * loss(V @ w) @ (chance - share)
    return gap


@pytest.mark.claim("prop-expected-gap")
@pytest.mark.parametrize("m", [1, 2, 3])
def test_the_expected_gap_in_the_plane_keeps_the_halved_promise(m):
    rng, largest = np.random.default_rng(m), 0.0
    for angles in [np.arange(3) * 2 * np.pi / 3, np.arange(4) * np.pi / 2, rng.uniform(0, 2 * np.pi, 4)]:
        V, chance = np.transpose([np.cos(angles), np.sin(angles)]), np.full(len(angles), 1 / len(angles))
        for lam in np.array([0.3, 0.8, 1.0, 3.0]) / m:
            ratio = plane_gap(V, chance, lam, m, SmoothHinge(0.02)) * lam * m
            largest = max(largest, ratio)
            assert ratio <= theory.expected_gap_bound(m, lam, 1) * lam * m + 1e-6
    assert largest > 0.8  # not far from it


class SmoothHinge:
    """The hinge with its corner rounded off over a length a: convex, Lipschitz with constant one."""

    def __init__(self, a):
        self.a = a

    def __call__(self, z):
        t = np.clip((1 - z) / self.a, 0, 1)
        return self.a * t**2 / 2 + np.maximum(1 - z - self.a, 0)

    def derivative(self, z):
        return -np.clip((1 - z) / self.a, 0, 1)


def hull_distance(w, j, c, m):
    """The distance from w to {u : u_j = c, 0 <= u_k <= c, the other u_k sum to (m - 1) c}, the hull of the proof."""
    others = np.delete(w, j)
    shift = brentq(lambda t: np.clip(others - t, 0, c).sum() - (m - 1) * c, others.min() - c, others.max())
    return np.sqrt((w[j] - c) ** 2 + np.sum((others - np.clip(others - shift, 0, c)) ** 2))


@pytest.mark.claim("prop-expected-gap")
@pytest.mark.parametrize("m", [1, 2, 4])
def test_the_losses_for_which_the_halved_promise_is_sharp(m):
    rng, d, G, lam = np.random.default_rng(m), 9, 1.3, 0.7
    c = G / (lam * m)
    w_A = c * (np.arange(d) < m)

    def objective(w):
        return G * np.mean([hull_distance(w, j, c, m) for j in range(m)]) + lam / 2 * w @ w

    for v in w_A + c * rng.normal(size=(200, d)) * 10 ** rng.uniform(-3, 0.5, size=(200, 1)):  # w_A is the minimiser
        assert objective(v) - objective(w_A) >= lam / 2 * np.sum((v - w_A) ** 2) - 1e-9
    assert np.isclose(objective(w_A), lam / 2 * w_A @ w_A)  # and its empirical risk is zero
    assert np.isclose(G * hull_distance(w_A, d - 1, c, m), theory.expected_gap_bound(m, lam, G))


@pytest.mark.claim("cor-svm-risk")
def test_the_best_lambda_balances_the_two_terms():
    m, U, R = np.array([10, 100, 1000]), 3.0, 2.0
    lam = theory.svm_best_lam(m, U, R)
    np.testing.assert_allclose(theory.svm_penalty(m, lam, U, R), theory.svm_best_penalty(m, U, R))
    for factor in (0.5, 0.9, 1.1, 2):
        assert (theory.svm_penalty(m, factor * lam, U, R) > theory.svm_best_penalty(m, U, R)).all()
    stability = theory.replacement_stability(m, lam, R)
    np.testing.assert_allclose(theory.svm_penalty(m, lam, U, R) - lam * U**2 / 2, stability)


@pytest.mark.claim("cor-svm-risk")
@pytest.mark.parametrize("lam", [0.05, 0.3, 1.0])
def test_the_svm_competes_with_every_vector_in_expectation(lam):
    # a law on three points of the unit ball: all samples that hold both labels, weighted, and the others by search
    rng, m = np.random.default_rng(3), 4
    points = np.array([[1.0, 0.0], [-0.6, 0.8], [0.2, -0.9]])
    law = random_law(rng)
    cells, hinge_risk, zero_one_risk = list(np.ndindex(law.P.shape)), 0.0, 0.0

    def risks(w):
        z = law.labels * (points @ w)[:, None]
        return (law.P * hinge(z)).sum(), (law.P * zero_one_margin(z)).sum()

    found = {}
    for S in itertools.product(cells, repeat=m):
        key = tuple(sorted(S))
        if key not in found:
            x, y = np.transpose(key)
            X = points[x] * law.labels[y][:, None]  # flipped: a label +1 for all, and -x with label -1 is the same
            machine = SVM(C=1 / (lam * m), bias=False, tol=1e-8)
            signs = np.where(np.arange(m) == 0, -1, 1)
            found[key] = machine.fit(X * signs[:, None], signs).w_  # the same problem with both labels present
            assert np.linalg.norm(found[key]) <= 1 / np.sqrt(lam) + 1e-6
        chance = np.prod([law.P[s] for s in S])
        risk = risks(found[key])
        hinge_risk, zero_one_risk = hinge_risk + chance * risk[0], zero_one_risk + chance * risk[1]
    grid = np.array(list(itertools.product(np.linspace(-3, 3, 61), repeat=2)))
    oracle = min(risks(u)[0] + lam / 2 * u @ u for u in grid)
    assert zero_one_risk <= hinge_risk <= oracle + theory.replacement_stability(m, lam, 1.0)


# --- complexity and the ramp -------------------------------------------------------------------------
@pytest.mark.claim("prop-rkhs-rademacher")
@pytest.mark.parametrize("seed", range(8))
def test_the_complexity_of_a_ball_lies_between_its_bounds_which_are_attained(rng):
    m, B = int(rng.integers(1, 11)), float(rng.uniform(0.2, 4))
    X = rng.normal(size=(m, 2))
    K = GaussianKernel(10 ** rng.uniform(-3, 3))(X) * np.outer(*[rng.uniform(0.2, 2, size=m)] * 2)
    exact = theory.kernel_suprema(K, theory.all_signs(m), B).mean()
    upper = theory.ball_complexity(m, np.trace(K), B)
    R = np.sqrt(K.diagonal().max())
    assert upper / np.sqrt(2) - 1e-12 <= exact <= upper + 1e-12 and upper <= B * R / np.sqrt(m) + 1e-12
    for K, part in ((np.ones((2, 2)), 1 / np.sqrt(2)), (np.eye(7), 1)):
        exact, upper = theory.kernel_suprema(K, theory.all_signs(len(K))).mean(), theory.ball_complexity(len(K), len(K))
        assert np.isclose(exact, part * upper)


@pytest.mark.claim("prop-rkhs-rademacher")
def test_the_supremum_is_attained_in_the_ball_and_not_exceeded():
    rng, k, B = np.random.default_rng(5), GaussianKernel(1.0), 1.7
    X = rng.normal(size=(6, 2))
    for sigma in theory.all_signs(6)[::7]:
        best = theory.kernel_suprema(k(X), sigma[None], B)[0]
        f = RKHSFunction(X, sigma, k)
        f = f * (B / f.norm())
        assert np.isclose(sigma @ f(X) / 6, best)
        for _ in range(20):
            g = RKHSFunction(rng.normal(size=(9, 2)), rng.normal(size=9), k)
            assert sigma @ (g * (B / g.norm()))(X) / 6 <= best + 1e-12


@pytest.mark.claim("prop-ramp")
@pytest.mark.parametrize("rho", [0.1, 1.0, 4.0])
def test_the_four_properties_of_the_ramp(rho):
    rng = np.random.default_rng(1)
    z = np.concatenate([rng.normal(scale=3, size=500), [0, rho, rho / 2, 1e-12, -1e-12]])
    ramp = RhoMargin(rho)
    assert ((z <= 0) <= ramp(z)).all() and (ramp(z) <= (z < rho)).all() and (ramp(z) <= hinge(z / rho)).all()
    v = rng.permutation(z)
    assert (np.abs(ramp(z) - ramp(v)) <= np.abs(z - v) / rho + 1e-12).all() and ramp.lipschitz == 1 / rho
    assert np.isclose(ramp(0.2 * rho) - ramp(0.7 * rho), 0.5)  # the constant is reached
    for other in (0.3 * rho, rho, 5 * rho):
        assert (RhoMargin(min(rho, other))(z) <= RhoMargin(max(rho, other))(z)).all()
        np.testing.assert_allclose(RhoMargin(other)(z * other / rho), ramp(z), atol=1e-12)
    np.testing.assert_array_equal(RhoMargin(1e-300)(z), z <= 0)


# --- margin bounds -----------------------------------------------------------------------------------
ANGLES = np.linspace(0, np.pi, 25)
DIRECTIONS = np.array([np.cos(ANGLES), np.sin(ANGLES)])
TRUE = 0.2 + 0.6 * ANGLES / np.pi  # of the sign of w.x, for labels sgn(x_1) with twenty per cent noise


def disc(m, rng):
    r, a = np.sqrt(rng.random(m)), rng.random(m) * 2 * np.pi
    X = (r * [np.cos(a), np.sin(a)]).T
    return y_signed(X, rng), float((r**2).sum())


def y_signed(X, rng):
    y = np.where((X[:, 0] > 0) ^ (rng.random(len(X)) < 0.2), 1, -1)
    return y[:, None] * (X @ DIRECTIONS)


@pytest.mark.claim("thm-margin-fixed", "thm-margin-uniform", "cor-margin-norm")
def test_violations_on_the_disc():
    rng, m, delta = np.random.default_rng(0), 400, 0.2
    rhos, norms = np.array([0.05, 0.2, 0.5, 1.0]), np.array([1.0, 2.0, 5.0])
    failures = np.zeros(5, dtype=int)
    fixed, uniform = theory.margin_deviation(m, delta, 0.2, 1, 1), theory.margin_uniform_deviation(m, delta, rhos, 1, 1)
    by_norm = theory.margin_norm_deviation(m, delta, norms, 1)
    for _ in range(1000):
        Z, trace = disc(m, rng)
        excess = np.array([(TRUE - RhoMargin(rho)(Z).mean(axis=0)).max() for rho in rhos])
        scaled = np.array([(TRUE - RhoMargin(1.0)(c * Z).mean(axis=0)).max() for c in norms])
        data = theory.margin_data_deviation(m, delta, 0.2, 1, trace)
        uniform_data = theory.margin_uniform_data_deviation(m, delta, rhos, 1, trace)
        broken = excess[1] > fixed, excess[1] > data, excess > uniform, excess > uniform_data, scaled > by_norm
        failures += [np.any(some) for some in broken]
    for count in failures:
        assert_fails_at_most(int(count), 1000, delta)


@pytest.mark.claim("thm-margin-fixed", "thm-margin-uniform")
@pytest.mark.parametrize("share", [0.05, 0.2, 0.45])
def test_with_orthogonal_points_half_of_the_complexity_term_is_needed(share):
    # k(x, x') = 1{x = x'}: the scores vanish on new points, where a zero score is an error
    m, rho = 5000, 0.5
    B = share * rho * np.sqrt(m)
    scores = np.full(m, B / np.sqrt(m))  # y_i f(x_i); the norm of f is B
    assert np.isclose(np.sqrt((scores**2).sum()), B)
    excess = 1 - RhoMargin(rho)(scores).mean()
    assert np.isclose(excess, share)
    assert excess <= theory.margin_deviation(m, 0.5, rho, B, 1) <= 2 * excess + 0.01
    assert excess > theory.margin_deviation(m, 0.9999, rho, B, 1) / 2 - 0.01  # a constant below 1 would be violated
    assert excess <= theory.margin_uniform_deviation(m, 0.5, rho, B, 1) <= 4 * excess + 0.025


@pytest.mark.claim("thm-margin-fixed")
def test_the_three_faces_are_inverses():
    delta, rho, B, R = 0.07, 0.3, 1.5, 2.0
    m = np.array([10, 500, 80_000])
    epsilon = theory.margin_deviation(m, delta, rho, B, R)
    np.testing.assert_allclose(theory.margin_probability(m, epsilon, rho, B, R), delta)
    np.testing.assert_array_equal(theory.margin_sample_size(epsilon, delta, rho, B, R), m)
    assert theory.margin_probability(10, 0.1, rho, B, R) == 1  # below the complexity term nothing is promised
    n = theory.margin_sample_size(0.05, delta, rho, B, R)
    assert theory.margin_deviation(n, delta, rho, B, R) <= 0.05 < theory.margin_deviation(n - 1, delta, rho, B, R)


OUTSIDE = [("rho", 0.0, "rho > 0"), ("rho", -1.0, "rho > 0"), ("B", -1.0, "B >= 0"), ("R", -1.0, "R >= 0")]


@pytest.mark.claim("thm-margin-fixed", "thm-margin-uniform")
@pytest.mark.parametrize("name, value, words", [*OUTSIDE, ("m", 0, "m >= 1"), ("delta", 0, "delta")])
def test_nothing_is_promised_outside_the_conditions(name, value, words):
    sensible = {"m": 100, "delta": 0.1, "rho": 0.5, "B": 1.0, "R": 1.0}
    assert theory.margin_deviation(**sensible) > 0
    with pytest.raises(ValueError, match=words):
        theory.margin_deviation(**sensible | {name: value})
    with pytest.raises(ValueError, match="rho <= 1"):
        theory.margin_uniform_deviation(**sensible | {"rho": 1.5})
    with pytest.raises(ValueError, match="epsilon > 0"):
        theory.margin_sample_size(0.0, 0.1, 0.5, 1.0, 1.0)


@pytest.mark.claim("prop-scale-free")
@pytest.mark.parametrize("seed", range(3))
def test_a_short_function_has_the_signs_of_any_labels(seed):
    rng, k, B, m = np.random.default_rng(seed), GaussianKernel(1.0), 1e-3, 100
    X, y = rng.normal(size=(m, 4)), rng.choice([-1, 1], size=m)
    f = RKHSFunction(X, np.linalg.solve(k(X), y), k)
    f = f * (B / f.norm())
    assert np.isclose(f.norm(), B) and (np.sign(f(X)) == y).all()
    promised = theory.margin_deviation(m, 0.1, 1.0, B, 1)
    printed, right = (RhoMargin(1.0)(y * values).mean() + promised for values in (np.sign(f(X)), f(X)))
    errors = int(np.sum(rng.choice([-1, 1], size=2000) * f(rng.normal(size=(2000, 4))) <= 0))
    assert printed < 0.2 and binom.cdf(errors, 2000, 0.4) > 0.999  # not the 0.2 that is printed, nor 0.4
    assert right > 1


@pytest.mark.claim("thm-margin-uniform")
def test_the_levels_of_the_grid_use_up_no_more_than_delta():
    m, delta, j = 200, 0.1, np.arange(1, 200_001)
    epsilon = np.sqrt(np.log(2 / delta) / (2 * m)) + np.sqrt(np.log(j) / m)
    assert np.exp(-2 * m * epsilon**2).sum() <= delta
    for rho in np.random.default_rng(0).random(200):  # the level that the proof chooses
        level = np.floor(np.log2(1 / rho)) + 1
        assert rho / 2 <= 2.0**-level < rho and level <= np.log2(2 / rho)
        at_level = 2 / 2.0**-level / np.sqrt(m) + epsilon[int(level) - 1]
        assert at_level <= theory.margin_uniform_deviation(m, delta, rho, 1, 1) + 1e-12


@pytest.mark.claim("cor-margin-norm")
@pytest.mark.parametrize("norm", [1.0, 3.0, 40.0])
def test_the_bound_by_the_norm_is_the_uniform_bound_for_the_normalised_function(norm):
    rng, m = np.random.default_rng(1), 500
    z = rng.normal(size=m)
    np.testing.assert_allclose(RhoMargin(1.0)(z), RhoMargin(1 / norm)(z / norm), atol=1e-12)
    uniform = theory.margin_uniform_deviation(m, 0.1, 1 / norm, 1.0, 2.0)
    assert np.isclose(theory.margin_norm_deviation(m, 0.1, norm, R=2.0), uniform)
    with pytest.raises(ValueError, match="at least 1"):
        theory.margin_norm_deviation(m, 0.1, 0.5, 2.0)
