"""Errata of the Milan notes on kernels, support vector machines and stability (lectures 18 to 22)."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

from mlcourse import SVM, GaussianKernel, theory
from mlcourse.losses import hinge, zero_one_margin
from mlcourse.models.kernels.feature_maps import gaussian_features, monomials, n_monomials, polynomial_features
from mlcourse.models.linear.linear_separation import max_margin_separator
from mlcourse.testing import numerical_gradient
from mlcourse.theory.stability import coin_gap, expected_gap_bound


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


@pytest.mark.erratum("M85")
def test_the_printed_loss_is_zero_on_every_mistake():
    z = np.linspace(-2, 2, 401)
    printed = np.maximum(z, 0)
    assert (printed[z <= 0] == 0).all() and (hinge(z) >= zero_one_margin(z)).all()


def one_point(m, lam):
    """The weights at the one point x = 1, for each number k = 0, ..., m of positive labels."""
    return np.clip((2 * np.arange(m + 1) / m - 1) / lam, -1, 1)


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
