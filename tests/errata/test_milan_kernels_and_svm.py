"""Errata of the Milan notes on kernels, support vector machines and stability (lectures 18 to 22)."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

from mlcourse import SVM, GaussianKernel, KernelPerceptron, PolynomialKernel, theory
from mlcourse.losses import hinge, zero_one_margin
from mlcourse.models.kernels.feature_maps import gaussian_features, monomials, n_monomials, polynomial_features
from mlcourse.models.kernels.pegasos import pegasos
from mlcourse.models.linear.linear_separation import max_margin_separator
from mlcourse.testing import numerical_gradient
from mlcourse.theory.stability import coin_gap, expected_gap_bound, replacement_stability
from mlcourse.theory.svm import pegasos_excess, pegasos_sum


def F(w, X, y, lam):
    """The regularised hinge risk."""
    return hinge(y * (X @ w)).mean() + lam / 2 * (w @ w)


def sample(m=40, d=3, seed=0):
    """Points and noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.where(X[:, 0] - X[:, 1] + 0.8 * rng.normal(size=m) > 0, 1, -1)


def machine(X, y, lam):
    """The support vector machine without bias for this lam, nearly exact."""
    return SVM(1 / (lam * len(y)), bias=False, tol=1e-9).fit(X, y)


# --- kernels ----------------------------------------------------------------------------------------
@pytest.mark.erratum("M75")
def test_the_expansion_of_the_square_needs_all_its_terms():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(2, 50, 2))
    k = (1 + np.sum(X * Z, axis=1)) ** 2
    printed = 1 + (X**2 * Z**2).sum(axis=1) + 2 * X[:, 1] * Z[:, 1] + 2 * X.prod(axis=1) * Z.prod(axis=1)
    assert np.allclose(printed + 2 * X[:, 0] * Z[:, 0], k) and not np.allclose(printed, k)
    features = polynomial_features(X) * polynomial_features(Z)
    assert np.allclose(features.sum(axis=1), k)


@pytest.mark.erratum("M77")
def test_the_gaussian_kernel_is_a_series_of_powers_of_growing_degree():
    rng, gamma = np.random.default_rng(1), 0.8  # theirs, our 1 / (2 gamma)
    x, z = rng.normal(size=(2, 3))
    exact = np.exp(-np.sum((x - z) ** 2) / (2 * gamma))

    def series(power):
        terms = [(x @ z) ** power(n) / (math.factorial(n) * gamma**n) for n in range(60)]
        return np.exp(-(x @ x + z @ z) / (2 * gamma)) * sum(terms)

    assert np.isclose(series(lambda n: n), exact) and not np.isclose(series(lambda n: 2), exact, rtol=0.05)
    for degree in (1, 4, 9):  # each polynomial kernel has finitely many features
        assert len(list(monomials(3, degree))) == n_monomials(3, degree) == math.comb(degree + 3, degree)
    features = gaussian_features(np.array([x, z]), 1 / (2 * gamma), degree=25)
    assert np.isclose(features[0] @ features[1], exact)


@pytest.mark.erratum("M78")
def test_gaussian_bumps_approximate_a_constant_on_an_interval_and_not_on_the_line():
    centres, x = np.linspace(-3, 3, 40)[:, None], np.linspace(-3, 3, 500)[:, None]
    k = GaussianKernel(1 / 0.6)
    weights = np.linalg.lstsq(k(centres), np.ones(40), rcond=1e-10)[0]
    assert np.abs(k(x, centres) @ weights - 1).max() < 1e-3
    assert abs((k([[20.0]], centres) @ weights)[0]) < 1e-12  # the error is 1 there


@pytest.mark.erratum("M79")
def test_the_bound_of_the_kernel_perceptron():
    X = np.random.default_rng(2).normal(size=(200, 2))
    X = X[np.abs((X**2).sum(axis=1) - 1.5) > 0.3]
    y = np.where((X**2).sum(axis=1) > 1.5, 1, -1)
    k = PolynomialKernel(2)
    g = max_margin_separator(polynomial_features(X), y)  # y g >= 1, of least norm
    model = KernelPerceptron(k).fit(X, y)
    assert model.converged_ and model.n_updates_ <= np.sum(g**2) * k.diagonal(X).max()
    assert theory.kernel_perceptron_bound(np.linalg.norm(g), k.diagonal(X).max()) >= model.n_updates_ > 10


# --- support vector machines ------------------------------------------------------------------------
@pytest.mark.erratum("M71")
def test_the_widest_margin_is_a_maximum_of_minima_and_its_direction_over_the_margin_is_feasible():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 2))
    X = X[np.abs(X[:, 0]) > 0.3]
    y = np.sign(X[:, 0])
    w = max_margin_separator(X, y)
    gamma, u = 1 / np.linalg.norm(w), w / np.linalg.norm(w)
    angles = np.linspace(0, 2 * np.pi, 20_000)
    margins = y[:, None] * (X @ np.array([np.cos(angles), np.sin(angles)]))  # of all unit vectors
    assert gamma >= margins.min(axis=0).max() > gamma - 1e-3  # max min
    assert margins.max() > 2 * gamma  # without the minimum
    assert np.isclose((y * (X @ (u / gamma))).min(), 1)  # the theorem: u / gamma is the shortest with y w.x >= 1


@pytest.mark.erratum("M72")
def test_a_problem_without_multiplier():
    def gradients(x):  # minimise f = x subject to g = x^2 <= 0; the only feasible point is 0
        return numerical_gradient(lambda v: v[0], x)[0], numerical_gradient(lambda v: v[0] ** 2, x)[0]

    f, g = gradients(np.zeros(1))
    assert all(abs(f + alpha * g) > 0.99 for alpha in np.linspace(-1e6, 1e6, 101))  # no KKT multiplier
    assert np.isclose(0 * f + 1 * g, 0)  # Fritz John: (0, 1)
    slope, constraint = -1.0, -1.0  # minimise -x subject to -x <= 0, at the worst feasible point 0
    assert slope + -1 * constraint == 0  # alpha = -1: the printed condition holds there, KKT excludes it


@pytest.mark.erratum("M80")
def test_the_minimiser_depends_on_lambda_and_most_slacks_are_zero():
    X, y = sample()
    lengths = [np.linalg.norm(machine(X, y, lam).w_) for lam in (0.01, 0.1, 10.0)]
    assert lengths[0] > 1.5 * lengths[1] > 10 * lengths[2]
    w = machine(X, y, 0.01).w_
    assert np.mean(y * (X @ w) > 1) > 1 / 2  # xi > 0 would exclude them
    rng = np.random.default_rng(4)
    for lam in (0.01, 0.1, 10.0):  # lambda/2 and 1/m: no other w is better
        best = machine(X, y, lam).w_
        assert all(F(best, X, y, lam) <= F(best + rng.normal(size=3) / 10, X, y, lam) for _ in range(100))


@pytest.mark.erratum("M81")
def test_a_support_vector_may_have_no_loss():
    X, y = sample()
    lam = 0.1
    model = machine(X, y, lam)
    z, C = y * (X @ model.w_), 1 / (lam * len(y))
    assert np.allclose(model.alpha_[z < 1 - 1e-6], C)  # positive loss
    assert (z[model.alpha_ > 0] <= 1 + 1e-6).all()
    on_the_margin = (np.abs(z - 1) < 1e-6) & (model.alpha_ > 1e-6) & (model.alpha_ < C - 1e-6)
    assert on_the_margin.any()  # alpha != 0, loss 0


@pytest.mark.erratum("M83")
def test_a_small_excess_bounds_the_square_of_the_distance():
    X, y = sample(30, 2)
    lam, rng = 0.2, np.random.default_rng(5)
    best, violations = machine(X, y, lam).w_, 0
    for scale in np.repeat([0.01, 0.1, 1.0], 100):
        w = best + scale * rng.normal(size=2)
        excess = F(w, X, y, lam) - F(best, X, y, lam)
        assert lam / 2 * np.sum((w - best) ** 2) <= excess + 1e-9
        violations += np.linalg.norm(w - best) > abs(excess)
    assert violations > 150


@pytest.mark.erratum("M84")
def test_the_pegasos_bound_survives_the_wrong_harmonic_sum():
    T = np.arange(1, 10**5 + 1)
    H = np.cumsum(1 / T)
    assert (H > np.log(T + 1)).all() and (H - 3 / 4 < np.log(T + 1)).all()
    assert (np.diff(H - np.log(T + 1)) > 0).all() and np.euler_gamma < 3 / 4  # increases to this limit
    X, y = sample()
    lam, R = 0.1, np.linalg.norm(X, axis=1).max()
    least, rng = F(machine(X, y, lam).w_, X, y, lam), np.random.default_rng(6)
    for T in (1, 2, 5, 20, 100):
        excess = []
        for _ in range(40):
            rows = rng.integers(len(y), size=(T - 1, 1))
            path = np.array(pegasos(X, y, lam, list(rows)).path)  # w_1 = 0, ..., w_T
            excess.append(F(path.mean(axis=0), X, y, lam) - least)
            steps = [lam * w - y[i] * X[i] * (y[i] * (X[i] @ w) < 1) for w, (i,) in zip(path, rows, strict=False)]
            lengths = np.linalg.norm(np.reshape(steps, (-1, 3)), axis=1)
            assert (lengths[:1] <= R).all() and (lengths <= 2 * R).all()
        assert np.mean(excess) <= pegasos_sum(T, lam, R) < pegasos_excess(T, lam, R)


@pytest.mark.erratum("M85")
def test_the_printed_loss_is_zero_on_every_mistake():
    z = np.linspace(-2, 2, 401)
    printed = np.maximum(z, 0)
    assert (printed[z <= 0] == 0).all() and (hinge(z) >= zero_one_margin(z)).all()


# --- stability --------------------------------------------------------------------------------------
def one_point(m, lam):
    """The weights at the one point x = 1, for each number k = 0, ..., m of positive labels."""
    return np.clip((2 * np.arange(m + 1) / m - 1) / lam, -1, 1)


@pytest.mark.erratum("M86")
def test_the_stability_of_the_svm_is_half_of_the_printed_one_and_attained():
    m, lam, G = 10, 1.5, 1.0
    w = one_point(m, lam)
    labels = np.repeat([1, -1], [5, 5])
    assert np.isclose(machine(np.ones((m, 1)), labels, lam).w_[0], w[5])
    change = np.abs(hinge(w[5]) - hinge(w[6]))  # the loss at y = 1 when one label is replaced
    assert np.isclose(change, 2 * G**2 / (lam * m)) and np.isclose(change, replacement_stability(m, lam, G))
    assert (2 * G) ** 2 / (lam * m) == 4 * G**2 / (lam * m) == 2 * replacement_stability(m, lam, G)


@pytest.mark.erratum("M86")
def test_on_average_half_of_that_is_enough():
    for m, lam, p in itertools.product((1, 2, 5, 20), (0.2, 1.0, 3.0), (0.1, 0.5, 0.8)):
        w, k = one_point(m, lam), np.arange(m + 1)
        true = p * hinge(w) + (1 - p) * hinge(-w)
        empirical = k / m * hinge(w) + (1 - k / m) * hinge(-w)
        gap = binom.pmf(k, m, p) @ (true - empirical)
        assert gap <= expected_gap_bound(m, lam, 1.0) + 1e-12
        assert p != 0.5 or lam < 1 or np.isclose(gap, coin_gap(m, lam, 1.0))


@pytest.mark.erratum("M87")
def test_the_convexity_inequality_needs_the_gradient_at_w_and_the_label():
    rng, failures = np.random.default_rng(7), 0

    def gradient(w, x, y):
        return -y * x * (y * (w @ x) <= 1)

    for w, v, x in 2 * rng.normal(size=(1000, 3, 3)):
        y = rng.choice([-1, 1])
        difference = hinge(y * (w @ x)) - hinge(y * (v @ x))
        assert difference <= gradient(w, x, y) @ (w - v) + 1e-9
        failures += difference > gradient(v, x, y) @ (w - v) + 1e-9  # as printed
    assert failures > 100
    w, x, y = np.array([2.0]), np.array([1.0]), -1
    slope = numerical_gradient(lambda v: float(hinge(y * (v @ x))), w)
    assert np.isclose(slope, gradient(w, x, y)) and -y * x * (w @ x <= 1) == 0  # the printed indicator


@pytest.mark.erratum("M88")
def test_the_risk_bound_of_the_svm_holds_with_half_lambda_and_not_with_one_half():
    u, p = np.linspace(-2, 2, 2001), 0.9
    risk_of_u = p * hinge(u) + (1 - p) * hinge(-u)
    for m, lam in itertools.product((2, 10, 100), (0.05, 0.5, 10.0)):
        w, k = one_point(m, lam), np.arange(m + 1)
        risk = binom.pmf(k, m, p) @ (p * hinge(w) + (1 - p) * hinge(-w))
        assert risk <= (risk_of_u + lam / 2 * u**2).min() + 2 / (lam * m)
    assert risk > (risk_of_u + 1 / 2 * u**2).min() + 4 / (lam * m)  # m = 100, lam = 10


@pytest.mark.erratum("M89")
def test_with_a_minus_the_kernel_objective_is_unbounded_below():
    x = np.linspace(-2, 2, 6)[:, None]
    K, y, lam = GaussianKernel(4.0)(x), np.array([1, -1, -1, 1, 1, -1]), 0.1
    g = np.linalg.solve(K, y)  # interpolates the labels

    def objective(c, sign):
        return hinge(y * (K @ (c * g))).mean() + sign * lam / 2 * c**2 * (g @ K @ g)

    assert objective(1, -1) > objective(100, -1) > objective(10_000, -1) < -1e6
    assert objective(1, 1) < objective(100, 1) < objective(10_000, 1)


@pytest.mark.erratum("M90")
def test_the_penalty_vanishes_without_the_stronger_condition():
    m = 10.0 ** np.arange(2, 40)
    lam = m**-0.75  # tends to 0, and m lam to infinity; but not above m^(-1/2)
    penalty = theory.svm_penalty(m, lam, 5.0, 1.0)
    assert (np.diff(lam * np.sqrt(m)) < 0).all() and lam[-1] * np.sqrt(m[-1]) < 1e-9
    assert penalty[-1] < 1e-8 < penalty[0]
    assert (theory.svm_penalty(m, np.ones(len(m)), 5.0, 1.0) > 12).all()  # lam constant
    assert theory.svm_penalty(m, 1 / m**2, 5.0, 1.0)[-1] > 1e30  # lam too small
