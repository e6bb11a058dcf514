"""Least squares and ridge: the normal equations hold, the shortest solution is taken, awkward features do no harm."""

import numpy as np
import pytest
import sklearn.linear_model
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mlcourse import LinearRegression, Ridge
from mlcourse.models.linear import linear_regression
from mlcourse.models.linear.linear_regression import leave_one_out_errors, ridge_cross_validation, ridge_path, thin_svd

with_and_without_bias = pytest.mark.parametrize("bias", [True, False], ids=["bias", "homogeneous"])
each_penalty = pytest.mark.parametrize("lam", [0.0, 1e-3, 1.0])


def sample(seed, m=30, d=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, X @ rng.normal(size=d) + rng.normal(size=m), rng


def centred(X, y, bias):
    return (X - X.mean(axis=0), y - y.mean()) if bias else (X, y)


def assert_optimal(model, X, y, lam, bias):
    """The gradient vanishes, by each weight and by the bias, up to the rounding of its own terms."""
    w, residual = model.w_, y - model.predict(X)
    A, _ = centred(X, y, bias)
    gradient = A.T @ residual - lam * len(y) / 2 * w
    size = np.linalg.norm(y) + np.linalg.norm(np.abs(X) @ np.abs(w))  # of what is added up in the residual
    rounding = 1e-15 * (np.linalg.norm(A, axis=0) * size + np.linalg.norm(X, axis=0) * np.linalg.norm(y))
    bound = 1e-12 * (np.linalg.norm(A, axis=0) * np.linalg.norm(y) + lam * len(y) * np.abs(w)) + rounding
    assert (np.abs(gradient) <= bound).all(), np.abs(gradient) / bound
    assert not bias or abs(residual.sum()) <= 1e-15 * len(y) * size


def shortest(X, y, bias):
    """The shortest least-squares weights, by LAPACK, and the bias that goes with them."""
    A, t = centred(X, y, bias)
    w = np.linalg.lstsq(A, t, rcond=1e-10)[0]
    return w, (y - X @ w).mean() if bias else 0.0


AWKWARD = {
    "plain": lambda X, rng: X,
    "mean 1e6": lambda X, rng: X + 1e6,
    "means around 1e4": lambda X, rng: X + 1e4 * rng.normal(size=X.shape[1]),
    "scales 1e-3 to 1e3": lambda X, rng: X * 10.0 ** rng.permutation(np.linspace(-3, 3, X.shape[1])),
    "all tiny": lambda X, rng: 1e-100 * X,
    "all huge": lambda X, rng: 1e100 * X,
    "nearly collinear": lambda X, rng: np.column_stack([X, X[:, 0] + 1e-6 * rng.normal(size=len(X))]),
    "duplicate": lambda X, rng: np.column_stack([X, X[:, 0]]),
    "collinear": lambda X, rng: np.column_stack([X, X @ rng.normal(size=(X.shape[1], 2))]),
    "constant": lambda X, rng: np.column_stack([X, np.full(len(X), 0.1)]),
    "zero": lambda X, rng: np.column_stack([X, np.zeros(len(X))]),
    "fewer points than features": lambda X, rng: X @ rng.normal(size=(X.shape[1], 40)) + rng.normal(size=(len(X), 40)),
}
EXTREME = {
    "scales 1e-8 to 1e8": lambda X, rng: X * 10.0 ** rng.permutation(np.linspace(-8, 8, X.shape[1])),
    "mean 1e9": lambda X, rng: X + 1e9,
}


@pytest.mark.algorithm("alg-ridge")
@pytest.mark.parametrize("spoil", (AWKWARD | EXTREME).values(), ids=AWKWARD | EXTREME)
@with_and_without_bias
@each_penalty
def test_the_gradient_vanishes(spoil, bias, lam):
    for seed in range(10):
        X, y, rng = sample(seed)
        X = spoil(X, rng)
        assert_optimal(Ridge(lam, bias).fit(X, y), X, y, lam, bias)


@with_and_without_bias
@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 12), st.booleans())
def test_of_all_minimisers_the_shortest_is_taken(bias, seed, m, d, duplicates):
    X, y, rng = sample(seed, m, d)
    if duplicates:
        X = X[:, rng.integers(d, size=d)]
    model = LinearRegression(bias).fit(X, y)
    A, _ = centred(X, y, bias)
    s = np.linalg.svd(A)[1]
    assume(not ((1e-10 * s[0] < s) & (s < 1e-4 * s[0])).any())  # else the weights have fewer digits than compared
    w, b = shortest(X, y, bias)
    np.testing.assert_allclose(model.w_, w, rtol=1e-7, atol=1e-7)
    assert model.b_ == pytest.approx(b, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 2.0, 1e6 / 3, -1e-3])
@pytest.mark.parametrize("others", [0, 2])
@each_penalty
def test_a_constant_feature_gets_no_weight_beside_a_bias(value, others, lam):
    for m in range(2, 25):
        X, y, _ = sample(m, m + 3, others + 1)
        X[:, 0] = value
        model = Ridge(lam).fit(X, y)
        W, _ = ridge_path(X, y, lam)
        assert abs(model.w_[0] * value) < 1e-9 and abs(W[0, 0] * value) < 1e-9


@with_and_without_bias
@pytest.mark.parametrize("seed", range(10))
def test_the_weights_are_those_of_scikit_learn(bias, seed):
    X, y, rng = sample(seed, m=int(np.random.default_rng(seed).integers(2, 40)), d=6)
    theirs = sklearn.linear_model.LinearRegression(fit_intercept=bias).fit(X, y)
    ours = LinearRegression(bias).fit(X, y)
    np.testing.assert_allclose(np.append(ours.w_, ours.b_), np.append(theirs.coef_, theirs.intercept_), atol=1e-8)
    for lam in (1e-3, 1.0, 100.0):
        theirs = sklearn.linear_model.Ridge(alpha=lam * len(y) / 2, fit_intercept=bias).fit(X, y)
        ours = Ridge(lam, bias).fit(X, y)
        np.testing.assert_allclose(np.append(ours.w_, ours.b_), np.append(theirs.coef_, theirs.intercept_), atol=1e-8)


def test_squares_that_overflow_are_named_and_leave_the_model_as_it_was():
    X, y, _ = sample(0)
    model = LinearRegression().fit(X, y)
    w = model.w_.copy()
    with pytest.raises(ValueError, match="overflow"):
        model.fit(1e200 * X, y)
    assert np.array_equal(model.w_, w)


# --- many penalties at once -----------------------------------------------------------------------------
@pytest.mark.parametrize("spoil", AWKWARD.values(), ids=AWKWARD)
@with_and_without_bias
def test_the_path_passes_through_the_separate_fits(spoil, bias):
    lams = [0.0, 1e-6, 1e-3, 1.0, 100.0]
    for seed in range(5):
        X, y, rng = sample(seed)
        X = spoil(X, rng)
        W, b = ridge_path(X, y, lams, bias)
        assert W.shape == (5, X.shape[1]) and b.shape == (5,)
        for lam, w_k, b_k in zip(lams, W, b, strict=True):
            fitted = Ridge(lam, bias).fit(X, y).predict(X)
            np.testing.assert_allclose(X @ w_k + b_k, fitted, atol=1e-7 * np.abs(y).max())


@pytest.mark.algorithm("alg-leave-one-out")
@with_and_without_bias
@pytest.mark.parametrize("seed", range(5))
def test_leave_one_out_errors_are_those_of_m_refits(bias, seed):
    m = 12
    X, y, _ = sample(seed, m, d=3)
    lams = np.array([0.0, 0.1, 3.0])
    errors = leave_one_out_errors(X, y, lams, bias)
    assert errors.shape == (3, m)
    for k, lam in enumerate(lams):
        for i in range(m):
            rest = np.arange(m) != i
            refit = Ridge(lam * m / (m - 1), bias).fit(X[rest], y[rest])  # the same alpha = lam m / 2
            assert errors[k, i] == pytest.approx(y[i] - refit.predict(X[i : i + 1])[0], rel=1e-8, abs=1e-10)


def test_leave_one_out_takes_one_lam_and_more_features_than_points():
    X, y, _ = sample(0, m=8, d=20)
    assert leave_one_out_errors(X, y, 0.5).shape == (1, 8)
    theirs = sklearn.linear_model.RidgeCV(alphas=[0.5 * 8 / 2], store_cv_results=True).fit(X, y)
    np.testing.assert_allclose(leave_one_out_errors(X, y, 0.5)[0] ** 2, theirs.cv_results_[:, 0], rtol=1e-8)


def test_weights_that_one_example_determines_alone_are_refused():
    X = np.array([[0.0], [0.0], [1.0]])
    for bias in (True, False):
        with pytest.raises(ValueError, match="larger lam"):
            leave_one_out_errors(X, [1.0, 2.0, 3.0], 0.0, bias)
        assert np.isfinite(leave_one_out_errors(X, [1.0, 2.0, 3.0], 0.1, bias)).all()


@pytest.mark.parametrize("function", [ridge_path, leave_one_out_errors])
@pytest.mark.parametrize(
    "X, y, lam, message",
    [
        (np.eye(3), [1, 2, 3], -1.0, "lam must be zero or positive"),
        (np.eye(3), [1, 2, 3], [1, np.nan], "lam must be finite"),
        (np.eye(3), [1, 2, 3], [], "lam must be a non-empty"),
        (np.eye(3), [1, 2, 3], [[1.0]], "lam must be a non-empty one-dimensional"),
        (np.eye(3), [1, 2, 3], "a", "lam must hold numbers"),
        (np.eye(3), [1, 2, 3], 10**400, "lam must hold numbers"),
        (np.eye(3), [1, 2], 1.0, "same length"),
        ([[np.nan]], [1], 1.0, "NaN"),
        (np.eye(3), [1, 2, np.inf], 1.0, "finite"),
    ],
)
def test_bad_input_is_named(function, X, y, lam, message):
    with pytest.raises(ValueError, match=message):
        function(X, y, lam)


# --- the decomposition ----------------------------------------------------------------------------------
def with_condition(rng, m, d, condition):
    U, V = (np.linalg.qr(rng.normal(size=(n, d)))[0] for n in (m, d))
    return (U * np.geomspace(1, 1 / condition, d)) @ V.T


MATRICES = {
    "tall": lambda rng: rng.normal(size=(80, 6)),
    "wide": lambda rng: rng.normal(size=(5, 9)),
    "square": lambda rng: rng.normal(size=(7, 7)),
    "one column": lambda rng: rng.normal(size=(40, 1)),
    "condition 1e4": lambda rng: with_condition(rng, 100, 6, 1e4),
    "condition 1e7": lambda rng: with_condition(rng, 100, 6, 1e7),
    "condition 1e8": lambda rng: with_condition(rng, 100, 6, 1e8),
    "condition 1e12": lambda rng: with_condition(rng, 100, 6, 1e12),
    "graded columns": lambda rng: rng.normal(size=(80, 5)) * 10.0 ** np.arange(-8, 2, 2),
    "rank 3": lambda rng: rng.normal(size=(80, 3)) @ rng.normal(size=(3, 6)),
    "copies": lambda rng: rng.normal(size=(80, 2))[:, [0, 1, 1, 0]],
    "integers of rank 2": lambda rng: rng.integers(-2, 3, size=(60, 2)) @ np.array([[1.0, 0, 2], [0, 1, -1]]),
    "ones": lambda rng: np.ones((50, 3)),
    "zero": lambda rng: np.zeros((50, 3)),
}


@pytest.mark.parametrize("matrix", MATRICES.values(), ids=MATRICES)
@pytest.mark.parametrize("scale", [1e-100, 1.0, 1e100])
def test_thin_svd_is_a_singular_value_decomposition_of_full_numerical_rank(matrix, scale):
    for seed in range(5):
        X = scale * matrix(np.random.default_rng(seed))
        U, s, Vt = thin_svd(X)
        r = np.linalg.matrix_rank(X)
        assert U.shape == (len(X), r) and s.shape == (r,) and Vt.shape == (r, X.shape[1])
        np.testing.assert_allclose(U.T @ U, np.eye(r), atol=1e-13)
        np.testing.assert_allclose(Vt @ Vt.T, np.eye(r), atol=1e-13)
        np.testing.assert_allclose((U * s) @ Vt, X, atol=1e-13 * np.abs(X).max())
        assert (np.diff(s) <= 0).all() and (s > 0).all()
        np.testing.assert_allclose(s, np.linalg.svd(X)[1][:r], atol=1e-13 * np.abs(X).max())


# --- cross-validation of many penalties ---------------------------------------------------------
def folds_of(m, n_folds, rng):
    parts = np.array_split(rng.permutation(m), n_folds)
    return [(np.setdiff1d(np.arange(m), test), test) for test in parts]


@pytest.mark.algorithm("alg-ridge-folds")
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("m, d, offset", [(60, 5, 0.0), (61, 7, 3.0), (40, 3, 1e5), (30, 30, 1.0), (20, 60, 1.0)])
def test_errors_without_a_fold_are_those_of_refits(m, d, offset, bias):
    rng = np.random.default_rng(m + d)
    X, y = rng.normal(size=(m, d)) + offset, rng.normal(size=m) + offset
    lam, folds = np.geomspace(1e-3, 100, 7), folds_of(m, 6, rng)
    fast = ridge_cross_validation(X, y, lam, folds, bias)
    assert fast.shape == (7, m)
    for i in range(7):
        for train, test in folds:
            slow = y[test] - Ridge(lam=lam[i], bias=bias).fit(X[train], y[train]).predict(X[test])
            np.testing.assert_allclose(fast[i, test], slow, rtol=1e-7, atol=1e-8 * (1 + np.abs(slow).max()))


def test_a_distant_origin_costs_neither_digits_nor_a_decomposition(monkeypatch):
    rng = np.random.default_rng(2)
    X, y, folds = rng.normal(size=(60, 4)), rng.normal(size=60), folds_of(60, 5, rng)
    near = ridge_cross_validation(X, y, [1e-3], folds)
    monkeypatch.setattr(linear_regression, "ridge_path", None)  # not to be called
    np.testing.assert_allclose(ridge_cross_validation(X + 2**20, y - 2**20, [1e-3], folds), near, atol=1e-8)


@pytest.mark.parametrize("case", ["duplicate", "constant", "no penalty", "constant in training"])
def test_degenerate_samples_are_left_to_the_decomposition(case, rng):
    X, y, lam = rng.normal(size=(30, 4)), rng.normal(size=30), [0.0, 0.5]
    folds = folds_of(30, 5, rng)
    if case == "duplicate":
        X[:, 3] = X[:, 2]
    elif case == "constant":
        X[:, 3] = 7.0
    elif case == "constant in training":
        X[:, 3] = 0.0
        X[folds[0][1], 3] = rng.normal(size=len(folds[0][1]))
    fast = ridge_cross_validation(X, y, lam, folds)
    for i, train_test in np.ndindex(2, 5):
        train, test = folds[train_test]
        slow = y[test] - Ridge(lam=lam[i]).fit(X[train], y[train]).predict(X[test])
        np.testing.assert_allclose(fast[i, test], slow, rtol=1e-7, atol=1e-8)


def test_folds_must_test_everything_once():
    X, y = np.zeros((4, 1)), np.zeros(4)
    with pytest.raises(ValueError, match="exactly one fold"):
        ridge_cross_validation(X, y, [1.0], [([0, 1], [2, 3])])
    with pytest.raises(ValueError, match="train on all"):
        ridge_cross_validation(X, y, [1.0], [([0], [2, 3]), ([2, 3], [0, 1])])
    with pytest.raises(ValueError, match="zero or positive"):
        ridge_cross_validation(X, y, [-1.0], [([0, 1], [2, 3]), ([2, 3], [0, 1])])
