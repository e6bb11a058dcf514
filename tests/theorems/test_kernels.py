"""The claims of the chapter on kernels."""

import itertools
import math

import numpy as np
import pytest
from numpy.polynomial.polynomial import polyval
from scipy.integrate import quad
from scipy.linalg import hadamard
from scipy.optimize import minimize
from scipy.stats import poisson

from mlcourse import GaussianKernel, KernelPerceptron, KernelRidge, LinearKernel, PolynomialKernel, Ridge
from mlcourse.models.kernels.alignment import align_kernels, alignment, alignment_weights, centred_gram
from mlcourse.models.kernels.feature_maps import gaussian_features, monomials, n_monomials, polynomial_features
from mlcourse.models.kernels.functions import CallableKernel, is_psd
from mlcourse.models.kernels.kernel_perceptron import kernel_perceptron
from mlcourse.models.kernels.kernel_ridge import by_cholesky, kernel_leave_one_out
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.theory import gaussian_degree, gaussian_truncation, kernel_perceptron_bound

seeds = pytest.mark.parametrize("seed", range(8))


def least_eigenvalue(k, X):
    return np.linalg.eigvalsh(CallableKernel(k)(np.asarray(X, dtype=float)))[0]


def zero_at(X, z, k):
    """The bump over z minus its interpolation at X: a function that vanishes at X."""
    return RKHSFunction(np.vstack([z, X]), np.append(1, -np.linalg.solve(k(X), k(X, z)[:, 0])), k)


# --- features ------------------------------------------------------------------------------------
@pytest.mark.claim("prop-monomials")
@pytest.mark.parametrize("d, q", [(1, 0), (1, 5), (2, 3), (3, 4), (4, 2), (5, 3)])
def test_monomials_are_as_many_as_said(d, q):
    tuples = [v for s in range(q + 1) for v in itertools.product(range(d), repeat=s)]
    powers = {tuple(v.count(j) for j in range(d)) for v in tuples}
    assert len(tuples) == n_monomials(d, q, ordered=True) == ((d ** (q + 1) - 1) // (d - 1) if d > 1 else q + 1)
    assert len(powers) == n_monomials(d, q) == math.comb(q + d, q)
    assert {tuple(v.count(j) for j in range(d)) for v in monomials(d, q)} == powers


@pytest.mark.claim("prop-polynomial-kernel")
@pytest.mark.parametrize("d, q, c", [(1, 3, 1.0), (2, 2, 0.0), (2, 4, 0.3), (3, 3, 2.0), (4, 2, 1.0)])
def test_the_polynomial_kernel_is_the_inner_product_of_weighted_monomials(d, q, c):
    rng = np.random.default_rng(q)
    x, z = rng.normal(size=(2, d))
    total, squares = 0.0, 0.0
    for n in itertools.product(range(q + 1), repeat=d):
        s = sum(n)
        if s <= q:
            orders = math.factorial(s) / math.prod(map(math.factorial, n))
            weight = math.comb(q, s) * c ** (q - s) * orders
            total += weight * np.prod(x**n) * np.prod(z**n)
            squares += weight
    assert total == pytest.approx((x @ z + c) ** q) and squares == pytest.approx((d + c) ** q)
    phi = polynomial_features([x, z], q, c)
    assert phi[0] @ phi[1] == pytest.approx(total)


# --- kernels -------------------------------------------------------------------------------------
@pytest.mark.claim("prop-kernel-features")
@seeds
def test_inner_products_are_kernels_and_gram_matrices_inner_products(rng):
    phi = rng.normal(size=(9, 4))[rng.integers(9, size=9)]  # repetitions
    K = phi @ phi.T
    a = rng.normal(size=(200, 9))
    assert is_psd(K) and (np.einsum("ri,ij,rj->r", a, K, a) >= -1e-9).all()
    s, V = np.linalg.eigh(K)
    found = V * np.sqrt(np.maximum(s, 0))
    np.testing.assert_allclose(found @ found.T, K, atol=1e-9)
    assert (K**2 <= np.outer(np.diag(K), np.diag(K)) + 1e-9).all()
    broken = K.copy()
    broken[0, 1] = broken[1, 0] = 1.01 * np.sqrt(K[0, 0] * K[1, 1])  # against Cauchy-Schwarz
    assert not is_psd(broken)


@pytest.mark.claim("prop-kernel-closure")
@seeds
def test_combinations_of_kernels_are_kernels(rng):
    A, B = rng.normal(size=(2, 15, 3))
    K, L, f = A @ A.T, B @ B.T, rng.normal(size=15)  # two kernels of low rank: nothing is left to luck
    rows = rng.integers(15, size=15)
    for made in (K + L, 0.3 * K, K * L, f[:, None] * K * f, K[np.ix_(rows, rows)], K**3 + 2 * K, np.exp(K / 9)):
        assert is_psd(made, tol=1e-9)
    scale = 1.01 * np.abs(K).max()
    partial = sum((K / scale) ** n for n in range(1, 400))
    assert is_psd(partial) and is_psd(1 / (1 - K / scale))  # a power series that converges, and its limit
    assert not is_psd(K - 2 * L) and not is_psd(np.sqrt(np.abs(K)) * np.sign(K) - 0.5 * np.diag(np.diag(K)))
    products = (A[:, :, None] * B[:, None, :]).reshape(15, -1)
    np.testing.assert_allclose(products @ products.T, K * L, atol=1e-9)
    np.testing.assert_allclose(np.hstack([A, B]) @ np.hstack([A, B]).T, K + L, atol=1e-9)


def differences(k, n, h):
    """a^T K a for the n-th difference at the points 0, h, ..., nh."""
    x = h * np.arange(n + 1)
    a = np.array([(-1) ** j * math.comb(n, j) for j in range(n + 1)])
    return a @ k(x[:, None] * x) @ a


@pytest.mark.claim("prop-not-kernels")
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_one_negative_coefficient_of_a_power_series_is_enough(n):
    c = np.ones(6)
    c[n] = -0.5
    h, x = 0.05, 0.05 * np.arange(n + 1)[:, None]
    first_term = c[n] * h ** (2 * n) * math.factorial(n) ** 2
    assert differences(lambda t: polyval(t, c), n, h) == pytest.approx(first_term, rel=0.5)
    assert least_eigenvalue(lambda s, t: polyval(s @ t, c), x) < 0
    c[n] = 0.0
    assert is_psd(polyval(x @ x.T, c))


@pytest.mark.claim("prop-not-kernels")
@pytest.mark.erratum("P30", "EV4")
@pytest.mark.parametrize("q", [-1.0, 0.5, 1.3, 2.5, 3.5])
def test_no_kernel_without_a_whole_degree_and_the_other_suspects_convicted_by_the_points_of_the_proof(q):
    n = 1 if q < 0 else math.floor(q) + 2
    assert differences(lambda t: (t + 1) ** q, n, 0.2) < 0
    assert least_eigenvalue(lambda x, z: (x @ z + 1) ** q, 0.2 * np.arange(n + 1.0)[:, None]) < 0
    for c, n in ((-0.7, 0), (0.0, 3), (0.4, 2), (2.0, 2)):
        assert differences(lambda t, c=c: np.tanh(t + c), n, 0.1) < 0
    for q, c in itertools.product((1, 2, 3, 4), (-0.2, -3.0)):
        z = np.array([[0.0, 0.0], [np.sqrt(-c), 0.0]])
        assert least_eigenvalue(lambda x, z, q=q, c=c: (x @ z + c) ** q, z) < 0
    for gamma, r in itertools.product((0.1, 2.0), (1e-2, 1.5)):
        X = [[0.0], [r]]
        assert least_eigenvalue(lambda x, z, g=gamma: np.exp(g * (x - z) @ (x - z)), X) < 0
        assert least_eigenvalue(lambda x, z, g=gamma: 1 + g * (x - z) @ (x - z), X) == pytest.approx(-gamma * r**2)


# --- the Gaussian kernel -------------------------------------------------------------------------
@pytest.mark.claim("prop-gaussian-expansion")
@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("gamma", [0.2, 1.0])
def test_the_error_of_truncated_features_is_a_poisson_tail_and_the_degree_the_least_that_suffices(d, gamma):
    rng, R = np.random.default_rng(d), 1.4
    X = rng.normal(size=(40, d))
    X *= R * rng.random((40, 1)) / np.linalg.norm(X, axis=1, keepdims=True)
    for q in range(8):
        phi = gaussian_features(X, gamma, q)
        error, bound = np.abs(phi @ phi.T - GaussianKernel(gamma)(X)), gaussian_truncation(q, gamma, R)
        assert (error <= bound + 1e-12).all() and bound == pytest.approx(poisson.sf(q, 2 * gamma * R**2))
        edge = gaussian_features([[R] + [0.0] * (d - 1)], gamma, q)[0]
        assert 1 - edge @ edge == pytest.approx(bound, abs=1e-12)  # equality
    epsilon, R = np.array([0.9, 0.3, 1e-3, 1e-12, 1e-200]), 2.5
    degree = gaussian_degree(epsilon, 0.7, R)
    assert (gaussian_truncation(degree, 0.7, R) <= epsilon).all()
    assert (gaussian_truncation(degree[1:] - 1, 0.7, R) > epsilon[1:]).all()
    assert gaussian_degree(0.1, 1.0, 0.0) == 0 and gaussian_truncation(0, 1.0, 0.0) == 0


@pytest.mark.claim("prop-gaussian-expansion")
@seeds
def test_distinct_points_have_a_positive_definite_gram_matrix(rng):
    X = rng.uniform(-2, 2, size=(8, 2))
    K = GaussianKernel(2.0)(X)
    assert np.linalg.eigvalsh(K)[0] > 0
    y = rng.choice([-1.0, 1.0], size=8)
    np.testing.assert_allclose(RKHSFunction(X, np.linalg.solve(K, y), GaussianKernel(2.0))(X), y, atol=1e-6)
    X[0] = X[1]
    assert np.linalg.eigvalsh(GaussianKernel(2.0)(X))[0] == pytest.approx(0, abs=1e-12)  # not so with repetitions
    assert np.linalg.matrix_rank(PolynomialKernel(1)(X)) == 3  # nor for kernels with few features


# --- the space -----------------------------------------------------------------------------------
@pytest.mark.claim("thm-moore-aronszajn")
@pytest.mark.erratum("EV5")
@seeds
def test_inner_products_do_not_depend_on_how_functions_are_written(seed):
    rng, k = np.random.default_rng(seed), PolynomialKernel(2)
    X, Z, x = rng.normal(size=(9, 2)), rng.normal(size=(5, 2)), rng.normal(size=(1, 2))
    relations = np.linalg.svd(polynomial_features(X, 2).T)[2][6:]  # nine bumps, six features
    a, b = rng.normal(size=9), rng.normal(size=5)
    f, g = RKHSFunction(X, a, k), RKHSFunction(Z, b, k)
    same = RKHSFunction(X, a + rng.normal(size=3) @ relations, k)
    np.testing.assert_allclose(same(Z), f(Z), atol=1e-8)
    assert same.inner(g) == pytest.approx(f.inner(g)) and same.norm() == pytest.approx(f.norm())
    assert f.inner(g) == pytest.approx(a @ k(X, Z) @ b) == pytest.approx(a @ g(X)) == pytest.approx(b @ f(Z))
    assert f.inner(RKHSFunction(x, [1.0], k)) == pytest.approx(f(x)[0])
    assert RKHSFunction(X, relations[0], k).norm() == pytest.approx(0, abs=1e-6)  # the zero function


@pytest.mark.claim("thm-moore-aronszajn")
def test_a_cauchy_sequence_of_bumps_has_a_limit_that_is_no_combination_of_bumps():
    k = CallableKernel(lambda s, t: min(s[0], t[0]))

    def near_square(n):  # broken lines through t^2 at n points: combinations of bumps
        x = np.arange(1, n + 1)[:, None] / n
        return RKHSFunction(x, np.linalg.solve(k(x), x[:, 0] ** 2), k)

    parts = [near_square(n) for n in (4, 8, 16, 32)]
    gaps = [(f - parts[-1]).norm() for f in parts[:-1]]
    assert gaps[0] > 1.9 * gaps[1] > 3.5 * gaps[2]  # Cauchy
    t = np.linspace(0, 1, 57)[:, None]
    assert np.abs(parts[-1](t) - t[:, 0] ** 2).max() < 1e-3  # the pointwise limit, t^2, is curved
    assert parts[-1].norm() ** 2 == pytest.approx(quad(lambda u: (2 * u) ** 2, 0, 1)[0], rel=1e-3)


@pytest.mark.claim("prop-reproducing")
@pytest.mark.erratum("P33")
@seeds
def test_the_norm_controls_values_and_differences_and_the_interpolant_of_bumps_is_the_shortest(rng, seed):
    for k in (GaussianKernel(0.7), PolynomialKernel(3), LinearKernel()):
        f = RKHSFunction(rng.normal(size=(6, 2)), rng.normal(size=6), k)
        X = rng.normal(size=(30, 2))
        values, K = f(X), k(X)
        distance = np.sqrt(np.maximum(np.diag(K)[:, None] - 2 * K + np.diag(K), 0))
        assert (np.abs(values) <= f.norm() * np.sqrt(np.diag(K)) + 1e-9).all()
        assert (np.abs(values[:, None] - values) <= f.norm() * distance + 1e-6).all()
        assert f.norm() ** 2 == pytest.approx(f.coefficients @ k(f.points) @ f.coefficients)
        bump = RKHSFunction(X[:1], [1.0], k)
        assert bump(X[:1])[0] == pytest.approx(bump.norm() * np.sqrt(K[0, 0]))  # equality for the bump itself
    rng, k = np.random.default_rng(seed), GaussianKernel(1.5)
    X, y = rng.normal(size=(6, 2)), rng.normal(size=6)
    a = np.linalg.solve(k(X), y)
    shortest = RKHSFunction(X, a, k)
    assert shortest.norm() ** 2 == pytest.approx(a @ y)
    extra = rng.normal() * zero_at(X, rng.normal(size=(1, 2)), k)
    other = shortest + extra
    np.testing.assert_allclose(other(X), y, atol=1e-6)
    assert other.norm() ** 2 == pytest.approx(shortest.norm() ** 2 + extra.norm() ** 2, rel=1e-6)
    phi = polynomial_features(X, 1)  # three features: values outside the range of K cannot be taken
    K = PolynomialKernel(1)(X)
    residual = y - K @ np.linalg.lstsq(K, y, rcond=None)[0]
    np.testing.assert_allclose(residual, y - phi @ np.linalg.lstsq(phi, y, rcond=None)[0], atol=1e-9)
    assert np.linalg.norm(residual) > 1e-3


@pytest.mark.claim("prop-min-kernel")
@seeds
def test_the_shortest_function_for_min_is_the_broken_line(seed):
    rng, m = np.random.default_rng(seed), 6
    x, y = np.sort(rng.uniform(0.05, 1, size=m)), rng.normal(size=m)
    k = CallableKernel(lambda s, t: min(s[0], t[0]))
    f = RKHSFunction(x[:, None], np.linalg.solve(k(x[:, None]), y), k)
    t = np.linspace(0, 1, 333)
    np.testing.assert_allclose(f(t[:, None]), np.interp(t, [0, *x, 1.1], [0, *y, y[-1]]), atol=1e-6)
    slopes = np.diff(y, prepend=0) / np.diff(x, prepend=0)
    assert f.norm() ** 2 == pytest.approx(slopes**2 @ np.diff(x, prepend=0), rel=1e-6)
    g = RKHSFunction(rng.uniform(size=(4, 1)), rng.normal(size=4), k)  # the inner product is the integral of f' g'
    fine = np.unique([*np.linspace(0, 1, 2), *x, *g.points[:, 0]])[:, None]
    slope_f, slope_g = (np.diff(h(fine)) / np.diff(fine[:, 0]) for h in (f, g))
    assert f.inner(g) == pytest.approx(np.sum(slope_f * slope_g * np.diff(fine[:, 0])), rel=1e-6)


# --- learning ------------------------------------------------------------------------------------
@pytest.mark.claim("thm-representer")
@seeds
def test_what_vanishes_at_the_sample_only_costs(seed):
    rng, k = np.random.default_rng(seed), GaussianKernel(1.0)
    X, y = rng.normal(size=(7, 2)), rng.choice([-1, 1], size=7)
    losses = [lambda v: np.mean(v * y <= 0), lambda v: np.abs(v - y).max(), lambda v: np.sin(v).sum()]
    f, g = RKHSFunction(X, rng.normal(size=7), k), zero_at(X, rng.normal(size=(1, 2)), k)
    for loss, penalty in itertools.product(losses, (lambda r: r, lambda r: r**4, lambda r: 0.0)):
        objective = [loss(np.round((f + t * g)(X), 9)) + penalty((f + t * g).norm()) for t in (-1, 0, 0.3)]
        strictly = penalty(1.0) > 0
        assert objective[1] <= min(objective) + 1e-9
        assert not strictly or objective[1] < min(objective[0], objective[2]) - 1e-9
        assert strictly or np.allclose(objective, objective[1])  # not strictly increasing: others are as good


@pytest.mark.claim("thm-representer")
def test_bumps_elsewhere_do_not_help_a_minimiser():
    rng, k = np.random.default_rng(1), GaussianKernel(0.5)
    X, y, more = rng.normal(size=(5, 2)), rng.choice([-1, 1], size=5), rng.normal(size=(4, 2))

    def least(points):
        K, A = k(points), k(X, points)

        def J(a):
            return np.logaddexp(0, -y * (A @ a)).mean() + 0.1 * a @ K @ a

        return minimize(J, np.zeros(len(points)), tol=1e-12).fun

    assert least(np.vstack([X, more])) == pytest.approx(least(X), abs=1e-7)
    assert least(more) > least(X) + 1e-3


@pytest.mark.claim("thm-kernel-perceptron")
@pytest.mark.erratum("M79")
@seeds
def test_mistakes_stay_below_the_bound_in_every_order(rng):
    X, y = rng.normal(size=(12, 2)), np.append([1, -1], rng.choice([-1, 1], size=10))
    k = 3 * GaussianKernel(rng.choice([3.0, 10.0]))
    a = np.linalg.solve(k(X), y)
    bound = kernel_perceptron_bound(RKHSFunction(X, a, k).norm(), k.diagonal(X).max())
    for order in range(10):
        model = KernelPerceptron(k, max_epochs=2000, shuffle=True, random_state=order).fit(X, y)
        assert model.converged_ and model.n_updates_ <= bound
        assert model.f_.norm() ** 2 <= model.n_updates_ * 3 * (1 + 1e-9)  # the second half of the proof


@pytest.mark.claim("thm-kernel-perceptron")
@pytest.mark.parametrize("m", [1, 2, 7, 40])
def test_the_bound_is_attained_by_orthogonal_features(m):
    y = np.resize([1, -1, -1], m)
    path = kernel_perceptron(lambda i: np.eye(m)[i], y, itertools.repeat(None, 3)).path
    assert len(path) - 1 == m == kernel_perceptron_bound(math.sqrt(m), 1.0)


@pytest.mark.claim("prop-kernel-ridge")
@pytest.mark.algorithm("alg-kernel-ridge")
@seeds
def test_both_formulas_of_ridge_regression_agree(seed, rng):
    m, N, alpha = 8, 5 + seed, rng.uniform(0.1, 2)
    A, y = rng.normal(size=(m, N)), rng.normal(size=m)
    left = np.linalg.solve(A.T @ A + alpha * np.eye(N), A.T)
    np.testing.assert_allclose(left, A.T @ np.linalg.inv(A @ A.T + alpha * np.eye(m)), atol=1e-9)
    a, b = by_cholesky(A @ A.T, y, alpha, bias=False)
    np.testing.assert_allclose(A.T @ a, left @ y, atol=1e-9)
    assert b == 0
    a, b = by_cholesky(A @ A.T, y, alpha, bias=True)
    ridge = Ridge(2 * alpha / m).fit(A, y)
    np.testing.assert_allclose(A.T @ a, ridge.w_, atol=1e-9)
    assert b == pytest.approx(ridge.b_) and a.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.claim("prop-kernel-ridge")
@seeds
def test_kernel_ridge_is_the_only_minimiser_and_leave_one_out_needs_no_refit(seed):
    rng, lam, k = np.random.default_rng(seed), 0.3, GaussianKernel(0.8)
    X, y = rng.normal(size=(9, 2)), rng.normal(size=9)
    f = KernelRidge(lam, k).fit(X, y).f_
    g = RKHSFunction(rng.normal(size=(4, 2)), rng.normal(size=4), k)  # any direction, not only at the sample

    def J(h):
        return np.mean((y - h(X)) ** 2) + lam / 2 * h.norm() ** 2

    assert J(f + g) - J(f) == pytest.approx(np.mean(g(X) ** 2) + lam / 2 * g.norm() ** 2)
    rng, m, k = np.random.default_rng(seed), 9, GaussianKernel(0.8)
    X, y, lam = rng.normal(size=(m, 2)), rng.normal(size=m), rng.uniform(0.01, 1)
    P = np.linalg.inv(k(X) + lam * m / 2 * np.eye(m))
    errors = kernel_leave_one_out(k(X), y, lam)[0]
    np.testing.assert_allclose(errors, P @ y / np.diag(P))
    for i in range(m):
        rest = np.arange(m) != i
        refit = KernelRidge(lam * m / (m - 1), k).fit(X[rest], y[rest])
        assert y[i] - refit.predict(X[i : i + 1])[0] == pytest.approx(errors[i])


@pytest.mark.claim("thm-universal")
@pytest.mark.erratum("M78")
@pytest.mark.parametrize("gamma", [0.5, 2.0, 8.0])
@pytest.mark.parametrize("h", [np.cos, lambda t: np.exp(t) - t**3, np.ones_like], ids=["cos", "mixed", "one"])
def test_bumps_approach_a_function_on_an_interval_and_none_everywhere_by_the_algebra_of_exponentials(gamma, h):
    t = np.linspace(-1, 1, 801)[:, None]
    k, errors = GaussianKernel(gamma), []
    for n in (2, 4, 12):
        centres = np.linspace(-1, 1, n)[:, None]
        f = RKHSFunction(centres, np.linalg.lstsq(k(t, centres), h(t[:, 0]), rcond=1e-13)[0], k)
        errors.append(np.abs(f(t) - h(t[:, 0])).max())
        assert np.abs(f([[40.0], [-40.0]])).max() < 1e-12  # far away nothing is left
    assert errors[0] > errors[1] > errors[2] and errors[2] < 0.05
    rng, gamma = np.random.default_rng(0), 0.6
    X, z, w = rng.normal(size=(20, 2)), rng.normal(size=(1, 2)), rng.normal(size=(1, 2))
    bump = GaussianKernel(gamma)

    def exponential(v):
        return np.exp(2 * gamma * (X @ v.T))[:, 0]

    np.testing.assert_allclose(exponential(z) * exponential(w), exponential(z + w))
    damped = exponential(z) * np.exp(-gamma * (X**2).sum(axis=1))
    np.testing.assert_allclose(damped, np.exp(gamma * (z @ z.T)[0, 0]) * bump(X, z)[:, 0])


# --- combinations --------------------------------------------------------------------------------
@pytest.mark.claim("prop-alignment")
@pytest.mark.algorithm("alg-align-kernels")
@seeds
def test_no_weights_have_a_better_alignment(rng):
    X, y = rng.normal(size=(20, 3)), rng.choice([-1, 1], size=20)
    kernels = [LinearKernel(), PolynomialKernel(2), GaussianKernel(0.1), GaussianKernel(3.0)]
    grams = [k(X) for k in kernels]
    v, Y = alignment_weights(grams, y), np.outer(y - y.mean(), y - y.mean())
    best = alignment(np.tensordot(v, grams, 1), Y)
    for w in [*np.eye(4), *rng.dirichlet(np.ones(4), 300), *(v * rng.uniform(0.9, 1.1, (100, 4)))]:
        assert alignment(np.tensordot(w, grams, 1), Y) <= best + 1e-9
    nearest = np.linalg.norm(np.tensordot(v, [centred_gram(K) for K in grams], 1) - Y)
    assert nearest == pytest.approx(np.linalg.norm(Y) * np.sqrt(1 - best**2))  # the identity of the proof
    assert alignment(align_kernels(kernels, X, y)(X), Y) == pytest.approx(best)


@pytest.mark.claim("prop-alignment")
def test_the_ideal_kernel_gets_all_the_weight():
    y = hadamard(8)[1]
    ideal, other = np.outer(y, y), np.outer(hadamard(8)[2], hadamard(8)[2])
    v = alignment_weights([other, ideal], y)
    np.testing.assert_allclose(v, [0, 1], atol=1e-9)
    assert alignment(ideal, np.outer(y, y)) == pytest.approx(1) and alignment(other, ideal) == pytest.approx(0)


# --- an exercise ------------------------------------------------------------------------------
@pytest.mark.parametrize("s", [-1.3, 0.0, 0.8])
def test_exercise_on_the_space_of_a_double_exponential(s):
    def f(u):
        return np.exp(-(u**2)) * (1 + np.sin(3 * u))

    def slope(u):
        return np.exp(-(u**2)) * (3 * np.cos(3 * u) - 2 * u * (1 + np.sin(3 * u)))

    def integrand(u):
        return (f(u) - np.sign(u - s) * slope(u)) * np.exp(-abs(u - s)) / 2

    sides = [quad(integrand, -20, s, limit=200)[0], quad(integrand, s, 20, limit=200)[0]]
    assert np.isclose(sum(sides), f(s))  # <f, k(s, .)> = f(s)
    t = 0.4
    overlap = 2 * quad(lambda u: np.exp(2 * u - s - t), -40, min(s, t), limit=200)[0]
    assert np.isclose(overlap, np.exp(-abs(s - t)))
