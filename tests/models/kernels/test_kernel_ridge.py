"""Kernel ridge regression minimises its objective, is ridge regression on features, and leaves one out exactly."""

import numpy as np
import pytest
import sklearn.kernel_ridge
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcourse import GaussianKernel, KernelRidge, LinearKernel, LinearRegression, PolynomialKernel, Ridge
from mlcourse.models.kernels.alignment import align_kernels, alignment, alignment_weights, centred_gram
from mlcourse.models.kernels.kernel_ridge import by_cholesky, by_eigenvectors, kernel_leave_one_out

seeds = st.integers(0, 2**32 - 1)
both = pytest.mark.parametrize("bias", [False, True])


def sample(seed, m=30, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, 2 + X[:, 0] ** 2 + rng.normal(size=m)


@both
@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(1, 25), st.integers(1, 4), st.floats(1e-3, 10))
def test_no_other_function_has_a_smaller_objective(bias, seed, m, d, lam):
    X, y = sample(seed, m, d)
    k = GaussianKernel(0.5)
    model = KernelRidge(lam, k, bias).fit(X, y)
    K, a, b = k(X), model.f_.coefficients, model.b_

    def objective(a, b):
        return np.mean((y - K @ a - b) ** 2) + lam / 2 * (a @ K @ a)

    np.testing.assert_allclose(model.predict(X), K @ a + b, atol=1e-9)
    slope_f = -2 / m * (y - K @ a - b) + lam * a  # the gradient in a is K times this
    np.testing.assert_allclose(slope_f, 0, atol=1e-8)
    assert not bias or abs(a.sum()) <= 1e-8 * max(1, np.abs(a).sum())  # the derivative in b is lam sum_i a_i
    rng = np.random.default_rng(seed)
    for size in (1e-3, 1.0):
        other = objective(a + size * rng.normal(size=m), b + bias * size * rng.normal())
        assert objective(a, b) <= other + 1e-10


@both
@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(2, 30), st.integers(1, 6), st.sampled_from([0.0, 1e-3, 1.0]))
def test_with_the_linear_kernel_it_is_ridge_regression(bias, seed, m, d, lam):
    X, y = sample(seed, m, d)
    X = np.column_stack([X, X[:, 0]])  # dependent features: many minimisers if lam = 0
    ours, theirs = KernelRidge(lam, LinearKernel(), bias).fit(X, y), Ridge(lam, bias).fit(X, y)
    new = sample(seed + 1, 5, d)[0]
    new = np.column_stack([new, new[:, 0]])
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), rtol=1e-5, atol=1e-5)
    assert ours.f_.norm() == pytest.approx(np.linalg.norm(theirs.w_), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("m", [5, 200])
def test_the_same_coefficients_as_scikit_learn(m):
    X, y = sample(3, m)
    ours = KernelRidge(lam=2 * 0.7 / m, kernel=GaussianKernel(0.4)).fit(X, y)
    theirs = sklearn.kernel_ridge.KernelRidge(alpha=0.7, kernel="rbf", gamma=0.4).fit(X, y)
    np.testing.assert_allclose(ours.f_.coefficients, theirs.dual_coef_, rtol=1e-9, atol=1e-9)


@both
@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(2, 20), st.floats(1e-3, 10))
def test_both_solvers_agree_and_do_what_they_say(bias, seed, m, alpha):
    X, y = sample(seed, m)
    X = X[np.random.default_rng(seed).integers(m, size=m)]  # copies: K is singular
    K = GaussianKernel()(X)
    (a, b), (a2, b2) = by_cholesky(K.copy(), y, alpha, bias), by_eigenvectors(K, y, alpha, bias)
    np.testing.assert_allclose((K + alpha * np.eye(m)) @ a, y - b, atol=1e-9)
    np.testing.assert_allclose(K @ a, K @ a2, atol=1e-9)
    assert b == pytest.approx(b2, abs=1e-8)


@both
@pytest.mark.parametrize("lam", [1e-18, 1e-14, 1e-12, 1e-10, 1e-8])
def test_a_tiny_penalty_on_a_singular_matrix_costs_no_digits(lam, bias):
    X, y = sample(11, 200, 3)
    ours, theirs = KernelRidge(lam, LinearKernel(), bias).fit(X, y), LinearRegression(bias).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-5)


def test_the_order_of_the_entries_in_memory_does_not_matter():
    X, y = sample(12)
    K = GaussianKernel()(X)
    for same in (np.asfortranarray(K), np.kron(K, np.ones((2, 2)))[::2, ::2]):
        np.testing.assert_allclose(by_cholesky(same.copy("K"), y, 0.5, True)[0], by_cholesky(K.copy(), y, 0.5, True)[0])


def test_a_matrix_too_close_to_singular_is_refused():
    for K in (np.ones((4, 4)), -np.eye(4)):
        with pytest.raises(np.linalg.LinAlgError):
            by_cholesky(K, np.arange(4.0), 1e-10, False)


# --- singular Gram matrices ----------------------------------------------------------------------
@both
def test_without_a_penalty_copies_are_averaged_and_other_points_interpolated(bias):
    X, y = np.array([[0.0], [0.0], [1.0], [3.0]]), np.array([1.0, 3.0, 5.0, -2.0])
    model = KernelRidge(0.0, GaussianKernel(0.5), bias).fit(X, y)
    np.testing.assert_allclose(model.predict(X), [2, 2, 5, -2], atol=1e-7)
    limit = KernelRidge(1e-9, GaussianKernel(0.5), bias).fit(X, y)
    np.testing.assert_allclose(model.predict([[2.0], [-1.0]]), limit.predict([[2.0], [-1.0]]), atol=1e-6)
    assert model.f_.norm() == pytest.approx(limit.f_.norm(), rel=1e-6)


@both
def test_the_zero_kernel_predicts_the_mean_or_nothing(bias):
    X, y = sample(6)
    for lam in (0.0, 1.0):
        model = KernelRidge(lam, 0 * LinearKernel(), bias).fit(X, y)
        np.testing.assert_allclose(model.predict(X), y.mean() if bias else 0.0, atol=1e-12)


def test_a_function_that_is_no_kernel_is_found_out():
    X, y = sample(7)
    with pytest.raises(ValueError, match="not positive semidefinite: its Gram matrix has the eigenvalue -"):
        KernelRidge(1e-3, lambda x, z: 1 + (x - z) @ (x - z)).fit(X, y)


# --- leave-one-out -------------------------------------------------------------------------------
@both
@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(3, 15))
def test_leave_one_out_errors_are_those_of_the_refits(bias, seed, m):
    X, y = sample(seed, m)
    k, lam = GaussianKernel(0.5), np.array([1e-2, 0.3, 5.0])
    errors = kernel_leave_one_out(k(X), y, lam, bias)
    assert errors.shape == (3, m)
    for row, value in zip(errors, lam, strict=True):
        for i in range(m):
            rest = np.arange(m) != i
            same_alpha = value * m / (m - 1)
            model = KernelRidge(same_alpha, k, bias).fit(X[rest], y[rest])
            assert row[i] == pytest.approx(y[i] - model.predict(X[i : i + 1])[0], rel=1e-6, abs=1e-7)


def test_leave_one_out_needs_a_regular_matrix():
    X, y = sample(9)
    with pytest.raises(ValueError, match="larger lam"):
        kernel_leave_one_out(LinearKernel()(X), y, 0.0)
    with pytest.raises(ValueError, match="lam must be zero or positive"):
        kernel_leave_one_out(LinearKernel()(X), y, -1.0)
    with pytest.raises(ValueError, match="not positive semidefinite"):
        kernel_leave_one_out(-np.eye(30), y, 1.0)
    with pytest.raises(ValueError, match="same length"):
        kernel_leave_one_out(np.eye(29), y, 1.0)
    with pytest.raises(ValueError, match="not symmetric"):
        kernel_leave_one_out(np.triu(np.ones((30, 30))), y, 1.0)


def test_leave_one_out_of_one_or_two_examples():
    K, y = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([3.0, -1.0])
    np.testing.assert_allclose(kernel_leave_one_out(K[:1, :1], y[:1], 0.1), [[3.0]])  # nothing left: the prediction 0
    np.testing.assert_allclose(kernel_leave_one_out(K, y, 0.1, bias=True), [[4.0, -4.0]])  # the other one decides
    with pytest.raises(ValueError, match="at least two examples"):
        kernel_leave_one_out(K[:1, :1], y[:1], 0.1, bias=True)


# --- learning the kernel -------------------------------------------------------------------------
def grams(seed, m=20):
    X, y = sample(seed, m)
    return [k(X) for k in (LinearKernel(), PolynomialKernel(2), GaussianKernel(0.1), GaussianKernel(5.0))], y


def test_a_centred_gram_matrix_is_that_of_the_centred_features():
    X, _ = sample(1)
    np.testing.assert_allclose(centred_gram(X @ X.T), (X - X.mean(axis=0)) @ (X - X.mean(axis=0)).T, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_alignment_weights_satisfy_their_optimality_conditions(seed):
    Ks, y = grams(seed)
    Ks.append(2 * Ks[0])  # the same direction twice
    v = alignment_weights(Ks, y)
    target = np.outer(y - y.mean(), y - y.mean())
    residual = sum(weight * centred_gram(K) for weight, K in zip(v, Ks, strict=True)) - target
    slope = np.array([(centred_gram(K) * residual).sum() / np.linalg.norm(centred_gram(K)) for K in Ks])
    size = np.linalg.norm(target)
    assert (v >= 0).all() and (slope >= -1e-7 * size).all() and (np.abs(slope[v > 0]) <= 1e-7 * size).all()


def test_alignment_is_a_cosine():
    X, y = sample(3)
    K = GaussianKernel()(X)
    assert alignment(K, 3 * K + 7) == pytest.approx(1) and 0 <= alignment(K, np.outer(y, y)) <= 1
    assert alignment(K, np.ones((30, 30))) == 0


def test_alignment_does_not_depend_on_units():
    X, y = sample(3)
    K, target = GaussianKernel()(X), np.outer(y, y)
    for unit in (1e-200, 1e200):
        assert alignment(unit * K, target) == pytest.approx(alignment(K, target))
        v, scaled = alignment_weights([K, X @ X.T], y), alignment_weights([unit * K, X @ X.T], y)
        np.testing.assert_allclose(scaled * [unit, 1], v)
    np.testing.assert_allclose(alignment_weights([K, X @ X.T], y + 1e6), v, rtol=1e-6)  # nor on a shift of the targets
    assert alignment(np.full((30, 30), 0.1), target) == 0  # a constant, centred, leaves nothing but rounding


def test_the_learned_kernel_is_the_combination_with_these_weights():
    X, _ = sample(4, 60)
    y = np.sign(X[:, 0] * X[:, 1])
    kernels = [LinearKernel(), PolynomialKernel(2, 0.0), lambda x, z: 1.0]
    k, v = align_kernels(kernels, X, y), alignment_weights([X @ X.T, (X @ X.T) ** 2, np.ones((60, 60))], y)
    np.testing.assert_allclose(k(X) * v.sum(), v[0] * X @ X.T + v[1] * (X @ X.T) ** 2, atol=1e-9)
    assert v[1] > v[0] and v[2] == 0  # a constant kernel sees nothing


def test_kernels_that_see_nothing_cannot_be_aligned():
    X, y = sample(4)
    with pytest.raises(ValueError, match="no kernel sees"):
        align_kernels([LinearKernel()], X, np.ones(30))
    for constant in (0.1, 0.3, 0.7, 1 / 3, 2.3):  # whose mean is not exact
        with pytest.raises(ValueError, match="no kernel sees"):
            align_kernels([PolynomialKernel(3), GaussianKernel(), LinearKernel() + 1], X, np.full(30, constant))
    with pytest.raises(ValueError, match="at least one"):
        align_kernels([], X, y)
    with pytest.raises(ValueError, match="same length"):
        alignment_weights([np.eye(3)], y)
