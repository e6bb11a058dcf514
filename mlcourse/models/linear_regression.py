"""Least squares and ridge regression.

Letters
    X, y        sample: m points of R^d, the rows of the design matrix, and real targets
    w, b        weights and bias of the prediction w.x + b
    lam, alpha  strength of the penalty (lam/2) ||w||^2; alpha = lam m / 2 is what it adds to X^T X
    U, s, Vt    singular value decomposition U diag(s) Vt of the centred design matrix
"""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, cholesky, solve_triangular

from mlcourse._checks import check_flag, check_lengths, check_non_negative, check_targets, check_X
from mlcourse.base import Regressor
from mlcourse.optim.objective import gram


def means(X, y, bias):
    """The mean point and the mean target, which a free bias subtracts; zeros without a bias."""
    m, d = X.shape
    return (np.ones(m) @ X / m, y.mean()) if bias else (np.zeros(d), 0.0)  # faster than X.mean(axis=0)


def thin_svd(X):
    """U (m, r), s (r,), Vt (r, d) with X = U diag(s) Vt and r the numerical rank.

    A tall, well-conditioned X is first made square, X = QR, by Cholesky's factorisation of X^T X, done twice.
    """
    m, d = X.shape
    try:
        if m < 4 * d:
            raise LinAlgError
        R = cholesky(gram(X))
        Q = X @ solve_triangular(R, np.eye(d))
        again = cholesky(gram(Q))  # the identity, up to what rounding did to Q
        if np.abs(again - np.eye(d)).max() > 0.1:
            raise LinAlgError
        W, s, Vt = np.linalg.svd(again @ R)
        U = Q @ solve_triangular(again, W)
    except LinAlgError:
        U, s, Vt = np.linalg.svd(X, full_matrices=False)
    rank = int((s > max(m, d) * np.finfo(float).eps * s[0]).sum())
    return U[:, :rank], s[:rank], Vt[:rank]


def by_normal_equations(X, y, alpha, x_mean, y_mean):
    """The solution of (X^T X + alpha I) w = X^T y for centred data, refined; None if rounding spoils it."""
    m, d = X.shape
    try:
        factor = cho_factor(gram(X) - m * np.outer(x_mean, x_mean) + alpha * np.eye(d))
    except LinAlgError:
        return None
    w = cho_solve(factor, X.T @ (y - y_mean))
    for _ in range(4):
        residual = y - y_mean - X @ w + x_mean @ w
        step = cho_solve(factor, X.T @ residual - residual.sum() * x_mean - alpha * w)
        w = w + step
        if np.linalg.norm(step) <= 1e-10 * np.linalg.norm(w):
            return w
    return None


def by_svd(X, y, alpha, x_mean, y_mean):
    """The same w from the singular value decomposition; for alpha = 0 the shortest least-squares solution."""
    U, s, Vt = thin_svd(X - x_mean)
    return Vt.T @ (s / (s**2 + alpha) * (U.T @ (y - y_mean)))


class Ridge(Regressor):
    """Ridge regression: minimises the mean of (y_i - w.x_i - b)^2 plus (lam/2) ||w||^2; the bias is not penalised.

    Learned: ``w_`` (d,), ``b_``. If many w minimise (lam = 0, dependent features), the shortest is taken.

    Guarantee: thm-ridge, thm-minimum-norm. Book: linear-regression.
    Source: Milan 14.1.2 (positive definite, not semidefinite; limits added).
    """

    _valid = {"lam": check_non_negative, "bias": check_flag}

    def __init__(self, lam=1.0, bias=True):
        self.lam = lam
        self.bias = bias

    def _fit(self, X, y):
        alpha = self.lam * len(y) / 2
        x_mean, y_mean = means(X, y, self.bias)
        w = by_normal_equations(X, y, alpha, x_mean, y_mean)
        self.w_ = by_svd(X, y, alpha, x_mean, y_mean) if w is None else w
        self.b_ = y_mean - x_mean @ self.w_

    def _predict(self, X):
        return X @ self.w_ + self.b_


class LinearRegression(Ridge):
    """Least squares: minimises the mean of (y_i - w.x_i - b)^2; if many w do, the shortest of them.

    Learned: ``w_`` (d,), ``b_``.

    Guarantee: thm-normal-equations, thm-minimum-norm. Book: linear-regression. Source: Milan 14.1.1.
    """

    _valid = {"bias": check_flag}
    lam = 0.0

    def __init__(self, bias=True):
        self.bias = bias


def ridge_path(X, y, lam, bias=True):
    """The ridge weights (k, d) and biases (k,) for k values of lam, from one decomposition."""
    X, y, lam = _path_arguments(X, y, lam)
    x_mean, y_mean = means(X, y, bias)
    U, s, Vt = thin_svd(X - x_mean)
    shrunk = s / (s**2 + lam[:, None] * len(y) / 2)  # (k, r)
    W = (shrunk * (U.T @ (y - y_mean))) @ Vt
    return W, y_mean - W @ x_mean


def leave_one_out(X, y, lam, bias=True):
    """The (k, m) errors y_i - prediction of the ridge fit without example i, for k values of lam: one decomposition.

    What is held fixed when an example leaves is alpha = lam m / 2, the number added to X^T X.
    """
    X, y, lam = _path_arguments(X, y, lam)
    x_mean, y_mean = means(X, y, bias)
    U, s, _ = thin_svd(X - x_mean)
    kept = s**2 / (s**2 + lam[:, None] * len(y) / 2)  # (k, r)
    residual = y - y_mean - (kept * (U.T @ (y - y_mean))) @ U.T
    leverage = kept @ (U**2).T + (1 / len(y) if bias else 0.0)
    if leverage.max() > 1 - 1e-10:
        raise ValueError("without one of the examples the weights are not determined: use a larger lam")
    return residual / (1 - leverage)


def _path_arguments(X, y, lam):
    X, y, lam = check_X(X), check_targets(y), np.atleast_1d(np.asarray(lam, dtype=float))
    check_lengths(X=X, y=y)
    for value in lam:
        check_non_negative("lam", value)
    return X, y, lam
