"""The claims of the chapter on least squares, ridge regression and Adaline, each on random instances and where tight.

Expectations are computed exactly: the noise takes finitely many values, or all sequences of draws are run.
"""

import itertools

import numpy as np
import pytest

from mlcourse import LinearRegression, Ridge
from mlcourse.models.linear.adaline import adaline
from mlcourse.models.linear.linear_regression import leave_one_out_errors, ridge_path
from mlcourse.testing import assert_gradient
from mlcourse.theory import adaline_distance, adaline_errors

SEEDS = pytest.mark.parametrize("seed", range(20))
SHAPES = [(12, 4, 4), (5, 5, 5), (4, 7, 4), (10, 6, 3), (3, 5, 2), (6, 1, 1)]  # m, d, rank
shapes = pytest.mark.parametrize("m, d, rank", SHAPES)


def squares(X, y, w):
    """||y - Xw||^2 for every row w of an array, or for one."""
    return ((y - np.asarray(w) @ X.T) ** 2).sum(axis=-1)


def design(rng, m, d, rank=None):
    """A random X of the given rank, singular values between 0.3 and 3, and U, s, Vt with X = U diag(s) Vt."""
    r = min(m, d) if rank is None else rank
    U, V = np.linalg.qr(rng.normal(size=(m, r)))[0], np.linalg.qr(rng.normal(size=(d, r)))[0]
    s = np.sort(rng.uniform(0.3, 3, size=r))[::-1]
    return U * s @ V.T, U, s, V.T


def kernel(Vt, d):
    """An orthonormal basis, as rows, of the vectors orthogonal to the rows of Vt."""
    return np.linalg.svd(Vt)[2][len(Vt) :] if len(Vt) < d else np.zeros((0, d))


def least_squares(X, y):
    return LinearRegression(bias=False).fit(X, y).w_


def ridge(X, y, alpha):
    return Ridge(lam=2 * alpha / len(y), bias=False).fit(X, y).w_


def noises(m, sigma):
    """All values, equally probable, of a noise of mean zero and covariance sigma^2 I: two laws, one dependent."""
    signs = sigma * np.array(list(itertools.product([-1.0, 1.0], repeat=m)))
    spikes = sigma * np.sqrt(m) * np.vstack([np.eye(m), -np.eye(m)])
    return signs, spikes


# --- least squares --------------------------------------------------------------------------------------
@pytest.mark.claim("thm-normal-equations")
@shapes
def test_a_vector_minimises_iff_it_solves_the_normal_equations_and_alone_iff_the_points_span_the_space(m, d, rank):
    rng = np.random.default_rng(m * d)
    for scale in (1e-3, 1.0, 1e3):
        X, y = scale * design(rng, m, d, rank)[0], rng.normal(size=m)
        w = least_squares(X, y)  # a solution exists, whatever the rank
        np.testing.assert_allclose(X.T @ X @ w, X.T @ y, rtol=1e-9, atol=1e-9 * scale)
        rivals = w + rng.normal(size=(500, d)) * 10 ** rng.uniform(-4, 2, size=(500, 1)) / scale
        assert (squares(X, y, rivals) >= squares(X, y, w) * (1 - 1e-12)).all()
        # whatever does not solve them can be improved by a step along X^T (y - Xw)
        for other in w + rng.normal(size=(20, d)) / scale:
            r = X.T @ (y - X @ other)
            assert np.linalg.norm(r) > 1e-6 * scale
            step = r @ r / squares(X, np.zeros(m), r)
            for epsilon in step * np.array([1e-3, 1.0, 1.9]):
                assert squares(X, y, other + epsilon * r) < squares(X, y, other)
    rng = np.random.default_rng(m + d)
    X, _, s, Vt = design(rng, m, d, rank)
    y = rng.normal(size=m)
    w, least = least_squares(X, y), squares(X, y, least_squares(X, y))
    if rank == d:
        np.testing.assert_allclose(w, np.linalg.inv(X.T @ X) @ X.T @ y, rtol=1e-9)
        steps = rng.normal(size=(300, d)) * 10 ** rng.uniform(-3, 2, size=(300, 1))
        gain = squares(X, y, w + steps) - least
        assert (gain >= s[-1] ** 2 * (steps**2).sum(axis=1) * (1 - 1e-6)).all()
    else:
        others = w + rng.normal(size=(50, d - rank)) @ kernel(Vt, d)
        assert np.linalg.norm(others - w, axis=1).min() > 1e-3
        np.testing.assert_allclose(squares(X, y, others), least, rtol=1e-9, atol=1e-12)
        assert np.linalg.matrix_rank(X.T @ X, tol=1e-9) < d


@pytest.mark.claim("thm-minimum-norm")
@shapes
@pytest.mark.parametrize("seed", range(4))
def test_the_minimisers_are_the_shortest_one_plus_the_kernel(m, d, rank, rng):
    X, U, s, Vt = design(rng, m, d, rank)
    y = rng.normal(size=m)
    shortest = sum((u @ y) / s_i * v for u, s_i, v in zip(U.T, s, Vt, strict=True))
    np.testing.assert_allclose(least_squares(X, y), shortest, rtol=1e-9, atol=1e-12)
    least = squares(X, y, shortest)
    in_kernel = rng.normal(size=(100, d - rank)) @ kernel(Vt, d)
    np.testing.assert_allclose(squares(X, y, shortest + in_kernel), least, rtol=1e-9, atol=1e-12)
    longer = (shortest + in_kernel) ** 2 - shortest**2
    np.testing.assert_allclose(longer.sum(axis=1), (in_kernel**2).sum(axis=1), atol=1e-9)  # strictly, unless v = 0
    # any minimiser, found without the decomposition from a few independent columns, is of this form
    for columns in itertools.combinations(range(d), rank):
        other = np.zeros(d)
        other[list(columns)] = np.linalg.pinv(X[:, columns]) @ y
        np.testing.assert_allclose(squares(X, y, other), least, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(X @ (other - shortest), 0, atol=1e-7)
        if rank < d:
            assert np.linalg.norm(other) > np.linalg.norm(shortest) * (1 + 1e-9)
    outside = shortest + rng.normal(size=(50, rank)) @ Vt
    assert (squares(X, y, outside) > least + 1e-9).all()


@pytest.mark.claim("thm-ols-noise")
@SEEDS
def test_a_change_of_the_targets_is_magnified_by_at_most_one_over_the_least_singular_value_and_noise_on_average(rng):
    X, U, s, _ = design(rng, 9, 4)
    y = rng.normal(size=9)
    w = least_squares(X, y)
    for delta in np.vstack([rng.normal(size=(20, 9)), U.T]):
        moved = np.linalg.norm(least_squares(X, y + delta) - w)
        assert moved <= np.linalg.norm(delta) / s[-1] * (1 + 1e-9)
    assert np.isclose(moved, 1 / s[-1], rtol=1e-9)  # the last change was u_d, of length one
    d = int(rng.integers(1, 5))
    X, _, s, _ = design(rng, 6, d)
    w_star, sigma = rng.normal(size=d), rng.uniform(0.1, 2)
    for noise in noises(6, sigma):
        np.testing.assert_allclose(noise.T @ noise / len(noise), sigma**2 * np.eye(6), atol=1e-12)
        W = np.array([least_squares(X, X @ w_star + xi) for xi in noise])
        np.testing.assert_allclose(W.mean(axis=0), w_star, rtol=1e-8, atol=1e-10)
        assert np.isclose(((W - w_star) ** 2).sum(axis=1).mean(), sigma**2 * (1 / s**2).sum(), rtol=1e-9)
        assert np.isclose((((W - w_star) @ X.T) ** 2).sum(axis=1).mean(), sigma**2 * d, rtol=1e-9)


# --- ridge regression -----------------------------------------------------------------------------------
@pytest.mark.claim("thm-ridge")
@shapes
@pytest.mark.parametrize("alpha", [1e-3, 0.3, 50.0])
def test_ridge_has_one_minimiser_and_shrinks_along_the_singular_vectors(m, d, rank, alpha):
    rng = np.random.default_rng(m + 10 * d)
    X, U, s, Vt = design(rng, m, d, rank)
    y, A = rng.normal(size=m), X.T @ X + alpha * np.eye(d)
    spectrum = np.append(s**2, np.zeros(d - rank)) + alpha
    np.testing.assert_allclose(np.sort(np.linalg.eigvalsh(A)), np.sort(spectrum), rtol=1e-9)
    w = ridge(X, y, alpha)
    np.testing.assert_allclose(w, np.linalg.inv(A) @ X.T @ y, rtol=1e-8, atol=1e-11)
    np.testing.assert_allclose(w, Vt.T @ (s / (s**2 + alpha) * (U.T @ y)), rtol=1e-8, atol=1e-11)
    shortest = np.linalg.pinv(X, rcond=1e-10) @ y
    np.testing.assert_allclose(Vt @ w, s**2 / (s**2 + alpha) * (Vt @ shortest), rtol=1e-8, atol=1e-11)

    def penalised(v):
        return squares(X, y, v) / m + (2 * alpha / m) / 2 * (v**2).sum(axis=-1)  # with lam = 2 alpha / m

    steps = rng.normal(size=(300, d)) * 10 ** rng.uniform(-3, 2, size=(300, 1))
    worse = penalised(w + steps) - penalised(w)
    assert (worse >= alpha / m * (steps**2).sum(axis=1) * (1 - 1e-6)).all()


@pytest.mark.claim("thm-ridge")
@pytest.mark.erratum("M60")
@shapes
@pytest.mark.parametrize("seed", range(3))
def test_the_ridge_path_shrinks_strictly_from_the_shortest_solution_to_zero(m, d, rank, rng):
    X, U, s, Vt = design(rng, m, d, rank)
    y, alphas = rng.normal(size=m), np.logspace(-8, 8, 50)
    W, b = ridge_path(X, y, 2 * alphas / m, bias=False)
    np.testing.assert_allclose(W[20], ridge(X, y, alphas[20]), rtol=1e-8)
    assert (np.diff(np.linalg.norm(W, axis=1)) < 0).all() and not b.any()
    shortest = Vt.T @ ((U.T @ y) / s)
    np.testing.assert_allclose(W[0], shortest, atol=1.1e-8 / s[-1] ** 2 * np.linalg.norm(shortest))
    assert np.linalg.norm(W[-1]) <= 1e-8 * np.linalg.norm(X.T @ y)
    np.testing.assert_allclose(alphas[-1] * W[-1], X.T @ y, rtol=1e-6)
    if m > rank:  # targets orthogonal to the columns: nothing to shrink
        orthogonal = y - U @ (U.T @ y)
        np.testing.assert_allclose(ridge_path(X, orthogonal, 2 * alphas / m, bias=False)[0], 0, atol=1e-14 / s[-1])


@pytest.mark.claim("thm-ridge")
@SEEDS
def test_ridge_magnifies_a_change_by_at_most_half_over_the_root_of_alpha(rng):
    X, U, s, _ = design(rng, 9, 5, int(rng.integers(1, 6)))
    X = X * 10 ** rng.uniform(-3, 3)  # nearly or quite dependent features make no difference
    y = rng.normal(size=9)
    for alpha in 10 ** rng.uniform(-3, 3, size=5):
        for delta in rng.normal(size=(5, 9)):
            moved = np.linalg.norm(ridge(X, y + delta, alpha) - ridge(X, y, alpha))
            assert moved <= np.linalg.norm(delta) / (2 * np.sqrt(alpha)) * (1 + 1e-9)
    scale = np.linalg.norm(X.T @ U[:, 0])  # attained where s_i^2 = alpha
    moved = np.linalg.norm(ridge(X, y + U[:, 0], scale**2) - ridge(X, y, scale**2))
    assert np.isclose(moved, 1 / (2 * scale), rtol=1e-6)


@pytest.mark.algorithm("alg-ridge")
@pytest.mark.parametrize("lam", [0.0, 1e-4, 1.0])
@shapes
def test_ridge_with_a_free_bias_is_the_penalised_system_of_the_augmented_points(m, d, rank, lam):
    rng = np.random.default_rng(m * d + 1)
    X = design(rng, m, d, rank)[0] + 10 * rng.normal(size=d)
    y, alpha = rng.normal(size=m) + 5, lam * m / 2
    model = Ridge(lam=lam).fit(X, y)
    Xc, yc = X - X.mean(axis=0), y - y.mean()
    np.testing.assert_allclose(Xc.T @ (yc - Xc @ model.w_), alpha * model.w_, rtol=1e-7, atol=1e-8)
    assert np.isclose(model.b_, y.mean() - model.w_ @ X.mean(axis=0))
    assert np.isclose((y - model.predict(X)).sum(), 0, atol=1e-8)


@pytest.mark.claim("thm-minimum-norm")
@pytest.mark.algorithm("alg-ridge")
@shapes
@pytest.mark.parametrize("shift", [1.0, 10.0])
def test_with_a_free_bias_too_the_shortest_weights_are_taken(m, d, rank, shift):
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, y = design(rng, m, d, rank)[0] + shift * rng.normal(size=d), rng.normal(size=m)
        Xc, yc = X - X.mean(axis=0), y - y.mean()  # of rank at most m - 1: five points in five dimensions are too few
        w = LinearRegression().fit(X, y).w_
        np.testing.assert_allclose(w, np.linalg.pinv(Xc, rcond=1e-10) @ yc, rtol=1e-6, atol=1e-9)


@pytest.mark.algorithm("alg-ridge")
@pytest.mark.parametrize("smallest", [0.1, 1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("seed", range(5))
def test_refinement_undoes_the_squared_condition_number_or_gives_way_to_the_decomposition(rng, smallest, monkeypatch):
    _, U, _, Vt = design(rng, 30, 4)
    X, w_star = U * np.array([1.0, 0.5, 0.2, smallest]) @ Vt, rng.normal(size=4)
    y = X @ w_star
    # what an orthogonal factorisation loses, not the square of it
    np.testing.assert_allclose(least_squares(X, y), w_star, atol=1e-14 / smallest)

    def forbidden(*args):
        raise AssertionError("the decomposition is used")

    monkeypatch.setattr("mlcourse.models.linear.linear_regression.by_svd", forbidden)
    if smallest >= 1e-3:  # between the two either way will do
        np.testing.assert_allclose(least_squares(X, y), w_star, atol=1e-14 / smallest)
    if smallest <= 1e-9:
        with pytest.raises(AssertionError, match="decomposition"):
            least_squares(X, y)


@pytest.mark.claim("thm-ridge-bias-variance")
@SEEDS
def test_bias_and_variance_of_ridge(rng):
    d = int(rng.integers(1, 5))
    X, _, s, Vt = design(rng, 6, d)
    w_star, sigma, alpha = rng.normal(size=d), rng.uniform(0.1, 2), 10 ** rng.uniform(-2, 2)
    bias = (alpha**2 * (Vt @ w_star) ** 2 / (s**2 + alpha) ** 2).sum()
    variance = (sigma**2 * s**2 / (s**2 + alpha) ** 2).sum()
    for noise in noises(6, sigma):
        W = np.array([ridge(X, X @ w_star + xi, alpha) for xi in noise])
        mean = W.mean(axis=0)
        parts = [((v - u) ** 2).sum(axis=-1).mean() for v, u in ((mean, w_star), (W, mean), (W, w_star))]
        np.testing.assert_allclose(parts, [bias, variance, bias + variance], rtol=1e-8)


def mean_errors(X, w_star, sigma, alphas):
    """E ||w_alpha - w*||^2 for each alpha, exactly, over the noise that hits one target at a time."""
    targets = X @ w_star + noises(len(X), sigma)[1]
    return [np.mean([((ridge(X, y, alpha) - w_star) ** 2).sum() for y in targets]) for alpha in alphas]


@pytest.mark.claim("cor-ridge-beats-ols")
@SEEDS
def test_every_small_penalty_beats_least_squares_strictly_and_its_limit_cannot_be_raised(rng):
    d = int(rng.integers(1, 5))
    X = design(rng, 6, d)[0] * 10 ** rng.uniform(-1, 1.5)
    w_star, sigma = rng.normal(size=d), rng.uniform(0.1, 2)
    limit = 2 * sigma**2 / (w_star @ w_star)
    least, *shrunk = mean_errors(X, w_star, sigma, limit * np.array([0, 1e-2, 0.1, 0.5, 0.9, 1]))
    assert np.isclose(least, sigma**2 * np.trace(np.linalg.inv(X.T @ X)))
    assert (np.array(shrunk) < least).all()
    w_star, sigma = np.array([0.7]), 0.5
    X = 100 * np.ones((4, 1))  # one long feature: s = 200
    limit = 2 * sigma**2 / (w_star @ w_star)
    least, at_limit, beyond = mean_errors(X, w_star, sigma, [0, limit, 1.001 * limit])
    assert at_limit < least < beyond
    without_noise = mean_errors(X, w_star, 0.0, [0, 1e-3])
    assert without_noise[0] < 1e-25 < without_noise[1]


# --- leave-one-out --------------------------------------------------------------------------------------
@pytest.mark.claim("thm-leave-one-out")
@SEEDS
def test_leave_one_out_error_is_the_error_over_one_minus_the_leverage_which_may_be_one_without_a_penalty(rng):
    m, d = int(rng.integers(3, 12)), int(rng.integers(1, 6))
    X, y = rng.normal(size=(m, d)), rng.normal(size=m)
    B = rng.normal(size=(d, int(rng.integers(1, d + 1))))
    for P in (np.zeros((d, d)), B @ B.T, np.diag(np.append(np.ones(d - 1), 0.0)), 1e-3 * np.eye(d)):
        A = X.T @ X + P
        if np.linalg.cond(A) > 1e8:
            continue
        w, h = np.linalg.solve(A, X.T @ y), np.einsum("ij,ji->i", X, np.linalg.solve(A, X.T))
        assert (h <= 1 + 1e-9).all()
        for i in np.flatnonzero(h < 1 - 1e-6):
            rest = np.arange(m) != i
            system = X[rest].T @ X[rest] + P
            assert np.linalg.eigvalsh(system)[0] > 0  # the fit is unique
            without = np.linalg.solve(system, X[rest].T @ y[rest])
            assert np.isclose(y[i] - without @ X[i], (y[i] - w @ X[i]) / (1 - h[i]), rtol=1e-5, atol=1e-8)
    for alpha in (1e-6, 1.0, 1e3):
        X = rng.normal(size=(6, 4)) * 10 ** rng.uniform(-2, 2, size=(6, 1))
        h = np.einsum("ij,ji->i", X, np.linalg.solve(X.T @ X + alpha * np.eye(4), X.T))
        assert (h < 1).all()
    # an example that alone sees a direction has leverage one, and without it the fit is not unique
    X = np.column_stack([np.append(np.zeros(5), 2.0), rng.normal(size=6)])
    assert np.isclose(X[-1] @ np.linalg.solve(X.T @ X, X[-1]), 1)
    assert np.linalg.matrix_rank(X[:-1]) == 1
    with pytest.raises(ValueError, match="larger lam"):
        leave_one_out_errors(X, rng.normal(size=6), 0.0, bias=False)


@pytest.mark.claim("thm-leave-one-out")
@pytest.mark.algorithm("alg-leave-one-out")
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "homogeneous"])
@SEEDS
def test_one_decomposition_gives_all_leave_one_out_errors(bias, rng):
    m, d = int(rng.integers(4, 20)), int(rng.integers(1, 8))
    X, y, lams = rng.normal(size=(m, d)) + 2, rng.normal(size=m) + 3, 10 ** rng.uniform(-3, 2, size=4)
    points = np.column_stack([X, np.ones(m)]) if bias else X
    penalised = np.append(np.ones(d), 0.0) if bias else np.ones(d)
    fast = leave_one_out_errors(X, y, lams, bias=bias)
    assert fast.shape == (4, m)
    for lam, errors in zip(lams, fast, strict=True):
        P = lam * m / 2 * np.diag(penalised)  # alpha of the whole sample, the bias free
        for i, rest in enumerate(~np.eye(m, dtype=bool)):
            w = np.linalg.solve(points[rest].T @ points[rest] + P, points[rest].T @ y[rest])
            assert np.isclose(errors[i], y[i] - w @ points[i], rtol=1e-6, atol=1e-9)
    # a free bias adds 1/m to every leverage
    if bias:
        Xc, A = X - X.mean(axis=0), points.T @ points + P
        centred = np.einsum("ij,ji->i", Xc, np.linalg.solve(Xc.T @ Xc + lam * m / 2 * np.eye(d), Xc.T))
        np.testing.assert_allclose(np.einsum("ij,ji->i", points, np.linalg.solve(A, points.T)), centred + 1 / m)


# --- Adaline --------------------------------------------------------------------------------------------
@pytest.mark.claim("prop-widrow-hoff")
@pytest.mark.algorithm("alg-adaline")
@SEEDS
def test_one_step_multiplies_its_own_error_by_one_minus_tau_times_the_squared_length(rng):
    d = int(rng.integers(1, 6))
    X, y = rng.normal(size=(8, d)), rng.choice([-1, 1], size=8)
    for i, (x, target) in enumerate(zip(X, y, strict=True)):
        for factor in (0.01, 0.5, 1.0, 1.5, 1.99, 2.0, 2.01, 4.0):
            tau = factor / (x @ x)
            w, after = adaline(X, y, [*range(3), i], [0.1, 0.2, 0.3, tau]).path[-2:]
            error = target - w @ x
            assert_gradient(lambda v, x=x, t=target: (t - v @ x) ** 2 / 2, lambda v, x=x, t=target: -(t - v @ x) * x, w)
            np.testing.assert_allclose(after, w + tau * error * x, rtol=1e-12)  # against that gradient
            assert np.isclose(target - after @ x, (1 - factor) * error, rtol=1e-9, atol=1e-12)
            assert factor == 2 or (abs(target - after @ x) < abs(error)) == (factor < 2)
        backwards = w - 0.1 * (target - w @ x) * x  # a negative step
        assert abs(target - backwards @ x) > abs(target - w @ x)


@pytest.mark.algorithm("alg-adaline")
@pytest.mark.erratum("EA9")
def test_bias_and_weights_use_the_same_old_error():
    w, b = adaline(np.array([[2.0, 1.0]]), np.array([1.0]), [0], 0.1).last
    assert np.isclose(w, 0.2) and np.isclose(b, 0.1)
    assert np.isclose(0.1 * (1 - b) * 2, 0.18)  # what the error after the step of the bias would give


def run_from(w_0, X, y, draws, tau):
    """Adaline's iterates from w_0: it starts from zero, so the targets are moved by w_0.x."""
    return np.array(adaline(X, y - X @ w_0, draws, tau).path) + w_0


@pytest.mark.claim("thm-adaline")
@SEEDS
def test_adaline_on_exact_targets_makes_a_bounded_total_error_in_any_order_and_the_bound_is_attained(rng):
    m, d = int(rng.integers(1, 12)), int(rng.integers(1, 6))
    X, w_star, w_0 = rng.normal(size=(m, d)), rng.normal(size=d), rng.normal(size=d)
    y, R = X @ w_star, np.linalg.norm(X, axis=1).max()
    bound = np.linalg.norm(w_0 - w_star)
    for factor in (0.01, 0.5, 1.0, 1.9):
        tau = factor / R**2
        worst, w = [], w_0.copy()  # an adversary that always asks for the largest error
        for _ in range(300):
            worst.append(np.abs(y - X @ w).argmax())
            w = w + tau * (y[worst[-1]] - w @ X[worst[-1]]) * X[worst[-1]]
        for draws in (worst, rng.integers(m, size=300), np.repeat(rng.permutation(m), 20)):
            path = run_from(w_0, X, y, draws, tau)
            errors = y[draws] - (path[:-1] * X[draws]).sum(axis=1)
            assert (errors**2).sum() <= adaline_errors(tau, R, bound) * (1 + 1e-9)
            assert (np.diff(np.linalg.norm(path - w_star, axis=1)) <= 1e-12).all()
    x = rng.normal(size=3)
    R, w_star = np.linalg.norm(x), rng.choice([-1, 1]) * rng.uniform(0.5, 3) * x
    w_0 = -0.4 * x
    distance = np.linalg.norm(w_0 - w_star)
    best = adaline_errors(1 / R**2, R, distance)
    for factor in (0.1, 0.7, 0.999, 1.001, 1.6, 1.95):
        tau = factor / R**2
        path = run_from(w_0, x[None], np.array([w_star @ x]), np.zeros(600, int), tau)
        total = ((w_star @ x - path[:-1] @ x) ** 2).sum()
        assert np.isclose(total, adaline_errors(tau, R, distance), rtol=1e-9) and best < total
    # from tau = 2 / R^2 on there is no bound: the error never becomes smaller
    path = run_from(w_0, x[None], np.array([w_star @ x]), np.zeros(50, int), 2 / R**2)
    assert np.allclose(np.abs(w_star @ x - path @ x), distance * R)


def second_moments(X, y, tau, T):
    """E ||w_t - w*||^2 for t = 0..T, from zero, exactly: the mean and second moment of v = w_t - w* obey recursions."""
    w_star = np.linalg.lstsq(X, y)[0]
    e, B = y - X @ w_star, np.eye(X.shape[1]) - tau * X[:, :, None] * X[:, None, :]  # v becomes B_i v + tau e_i x_i
    mean, second, values = -w_star, np.outer(w_star, w_star), []
    noise = tau**2 * (X.T * e**2) @ X / len(y)
    for _ in range(T + 1):
        values.append(np.trace(second))
        cross = tau * np.einsum("i,ij,ik->jk", e, B @ mean, X) / len(y)
        second = (B @ second @ B).mean(axis=0) + cross + cross.T + noise
        mean = (B @ mean).mean(axis=0)  # the mean of e_i x_i is zero
    return np.array(values)


def constants(X, y):
    """R, mu, nu and ||w*|| of the theorem."""
    w_star = np.linalg.lstsq(X, y)[0]
    nu = np.mean((y - X @ w_star) ** 2 * (X**2).sum(axis=1))
    mu = np.linalg.eigvalsh(X.T @ X / len(y))[0]
    return np.linalg.norm(X, axis=1).max(), mu, nu, np.linalg.norm(w_star)


@pytest.mark.claim("thm-adaline-floor")
@pytest.mark.parametrize("seed", range(5))
def test_the_mean_over_all_sequences_of_draws_stays_below_the_noise_floor_bound(rng):
    X, y = rng.normal(size=(4, 2)), rng.choice([-1.0, 1.0], size=4)
    R, mu, nu, distance = constants(X, y)
    w_star = np.linalg.lstsq(X, y)[0]
    for factor in (0.05, 0.5, 0.95):
        tau = factor / R**2
        paths = np.array([adaline(X, y, draws, tau).path for draws in itertools.product(range(4), repeat=4)])
        exact = ((paths - w_star) ** 2).sum(axis=2).mean(axis=0)
        np.testing.assert_allclose(exact, second_moments(X, y, tau, 4), rtol=1e-9)
        assert (exact <= adaline_distance(tau, np.arange(5), mu, R, nu, distance) * (1 + 1e-12)).all()


@pytest.mark.claim("thm-adaline-floor")
@SEEDS
def test_the_exact_mean_distance_stays_below_the_bound_for_hundreds_of_steps(rng):
    m, d = int(rng.integers(3, 10)), int(rng.integers(1, 4))
    X, y, t = rng.normal(size=(m, d)), rng.choice([-1.0, 1.0], size=m), np.arange(401)
    R, mu, nu, distance = constants(X, y)
    for factor in (0.02, 0.3, 0.9):
        tau = factor / R**2
        assert 0.5 <= 1 - 2 * tau * mu * (1 - tau * R**2) < 1  # the rate
        bound = adaline_distance(tau, t, mu, R, nu, distance)
        assert (second_moments(X, y, tau, 400) <= bound * (1 + 1e-12)).all()


@pytest.mark.claim("thm-adaline-floor")
def test_floor_and_rate_are_within_a_factor_two_and_a_square_of_the_truth():
    X, y = np.array([[2.0], [2.0], [-2.0]]), np.array([1.0, -1.0, 1.0])  # all points as long as R: mu = R^2
    R, mu, nu, distance = constants(X, y)
    assert np.isclose(mu, R**2)
    for factor in (0.01, 0.1, 0.5):
        tau = factor / R**2
        limit, floor = second_moments(X, y, tau, 2000)[-1], adaline_distance(tau, np.inf, mu, R, nu, distance)
        assert np.isclose(limit / floor, (1 - factor) / (2 - factor), rtol=1e-6)  # one half for small steps
    exact = np.array([[2.0], [-2.0]]), np.array([1.0, -1.0])  # nu = 0: only the rate is left
    R, mu, nu, distance = constants(*exact)
    for factor in (0.01, 0.3):
        ratio = second_moments(*exact, factor / R**2, 1)[1] / distance**2
        assert nu < 1e-25 and 1 - 2 * factor < ratio <= 1 - 2 * factor * (1 - factor)
