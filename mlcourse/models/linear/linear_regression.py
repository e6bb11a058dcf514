"""Least squares and ridge regression.

Letters
    X, y        sample: m points of R^d, the rows of the design matrix, and real targets
    w, b        weights and bias of the prediction w.x + b
    lam, alpha  strength of the penalty (lam/2) ||w||^2; alpha = lam m / 2 is what it adds to X^T X
    U, s, Vt    singular value decomposition U diag(s) Vt of the centred design matrix
    M           moments: the sum of z z^T over the rows z = (x, y, 1)
"""

from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, cholesky, solve_triangular
from scipy.linalg.lapack import dpocon

from mlcourse.arguments.collections import check_partition
from mlcourse.arguments.kinds import Flag, Penalties, Points, Targets, checks_arguments
from mlcourse.arguments.numbers import check_flag, check_non_negative
from mlcourse.base import Regressor
from mlcourse.optim.moments import centred, second_moments


def thin_svd(X: np.ndarray, size: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """U (m, r), s (r,), Vt (r, d) with X = U diag(s) Vt and r the rank, up to the rounding of numbers of this size.

    A tall, well-conditioned X is first made square, X = QR, by Cholesky's factorisation of X^T X, done twice.
    """
    m, d = X.shape
    try:
        if m < 4 * d:
            raise LinAlgError
        R = cholesky(second_moments(X))
        Q = X @ solve_triangular(R, np.eye(d))
        again = cholesky(second_moments(Q))  # the identity, up to what rounding did to Q
        if np.abs(again - np.eye(d)).max() > 0.1:
            raise LinAlgError
        W, s, Vt = np.linalg.svd(again @ R)
        U = Q @ solve_triangular(again, W)
    except LinAlgError:
        U, s, Vt = np.linalg.svd(X, full_matrices=False)
    rank = int((s > max(m, d) * np.finfo(float).eps * max(s[0], size)).sum())
    return U[:, :rank], s[:rank], Vt[:rank]


def trusted_factor(squares: np.ndarray, offset: np.ndarray, alpha: float) -> tuple[tuple, float]:
    """Cholesky's factor of squares - offset + alpha I, and about how much rounding changes a solution, relatively."""
    G = squares - offset + alpha * np.eye(len(squares))
    if (np.diag(squares - offset) <= 1e-9 * np.diag(squares)).any():
        raise LinAlgError("the mean hides the spread")
    factor = cho_factor(G)
    if (np.diag(factor[0]) ** 2 <= 1e-10 * np.diag(G)).any():
        raise LinAlgError("the matrix is nearly singular")
    inverse_condition = dpocon(factor[0], np.abs(squares).sum(axis=0).max() + alpha)[0]
    return factor, len(G) * np.finfo(float).eps / max(inverse_condition, np.finfo(float).tiny)


def by_normal_equations(X: np.ndarray, y: np.ndarray, alpha: float, bias: bool) -> tuple[np.ndarray, float]:
    """w, b with (X^T X + alpha I) w = X^T y for centred data, refined; fails if rounding might spoil them."""
    m, d = X.shape
    if alpha == 0 and m - bias < d:
        raise LinAlgError("many weights solve the equations")
    squares = second_moments(X, bias)
    x_mean, y_mean = (squares[-1, :d] / m, y.mean()) if bias else (np.zeros(d), 0.0)
    factor, error = trusted_factor(squares[:d, :d], m * np.outer(x_mean, x_mean), alpha)
    w = cho_solve(factor, X.T @ (y - y_mean))
    for _ in range(5):
        if error <= 1e-10:
            return w, y_mean - x_mean @ w
        residual = y - y_mean - X @ w + x_mean @ w
        step = cho_solve(factor, X.T @ residual - residual.sum() * x_mean - alpha * w)
        w = w + step
        error = float(np.linalg.norm(step) / max(np.linalg.norm(w), np.finfo(float).tiny))
    raise LinAlgError("the refinement does not settle")


def by_svd(X: np.ndarray, y: np.ndarray, alpha: float, bias: bool) -> tuple[np.ndarray, float]:
    """The same from the singular value decomposition; for alpha = 0 the shortest least-squares solution."""
    x_mean, y_mean, U, s, Vt = centred_svd(X, y, bias)
    w = Vt.T @ (s / (s**2 + alpha) * (U.T @ (y - y_mean)))
    return w, y_mean - x_mean.dot(w)


def centred_svd(X: np.ndarray, y: np.ndarray, bias: bool) -> tuple[Any, ...]:
    """The means, which a free bias subtracts (zeros without a bias), and U, s, Vt of the centred points."""
    if not bias:
        return np.zeros(X.shape[1]), 0.0, *thin_svd(X)
    x_mean, points = centred(X)
    return x_mean, y.mean(), *thin_svd(points, size=float(np.linalg.norm(X)))


class Ridge(Regressor):
    """Ridge regression: minimises the mean of (y_i - w.x_i - b)^2 plus (lam/2) ||w||^2; the bias is not penalised.

    Learned: ``w_`` (d,), ``b_``. If many w minimise (lam = 0, dependent features), the shortest is taken.

    Guarantee: thm-ridge, thm-minimum-norm. Book: linear-regression.
    Source: Milan 14.1.2 (positive definite, not semidefinite; limits added).
    """

    _valid = {"lam": check_non_negative, "bias": check_flag}

    def __init__(self, lam=1.0, bias=True):
        self.lam, self.bias = lam, bias

    def _fit(self, X, y):
        alpha = float(self.lam) * len(y) / 2
        try:
            self.w_, self.b_ = by_normal_equations(X, y, alpha, self.bias)
        except LinAlgError:
            self.w_, self.b_ = by_svd(X, y, alpha, self.bias)

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


@checks_arguments
def ridge_path(X: Points, y: Targets, lam: Penalties, bias: Flag = True) -> tuple[np.ndarray, np.ndarray]:
    """The ridge weights (k, d) and biases (k,) for k values of lam, from one decomposition."""
    x_mean, y_mean, U, s, Vt = centred_svd(X, y, bias)
    shrunk = s / (s**2 + lam[:, None] * len(y) / 2)  # (k, r)
    W = (shrunk * (U.T @ (y - y_mean))) @ Vt
    return W, y_mean - W @ x_mean


@checks_arguments
def leave_one_out_errors(X: Points, y: Targets, lam: Penalties, bias: Flag = True) -> np.ndarray:
    """The (k, m) errors y_i - prediction of the ridge fit without example i, for k values of lam: one decomposition.

    What is held fixed when an example leaves is alpha = lam m / 2, the number added to X^T X.
    """
    _, y_mean, U, s, _ = centred_svd(X, y, bias)
    kept = s**2 / (s**2 + lam[:, None] * len(y) / 2)  # (k, r)
    residual = y - y_mean - (kept * (U.T @ (y - y_mean))) @ U.T
    leverage = kept @ (U**2).T + (1 / len(y) if bias else 0.0)
    if leverage.max() > 1 - 1e-10:
        raise ValueError("an example alone determines some weight: use a larger lam")
    return residual / (1 - leverage)


@checks_arguments
def ridge_cross_validation(X: Points, y: Targets, lam: Penalties, folds: list, bias: Flag = True) -> np.ndarray:
    """The (k, m) errors y_i - prediction of the ridge fit without the fold of example i, for k values of lam.

    The moments of a training part are those of the sample minus those of the fold. ``folds`` are pairs (train, test)
    that test every example once. As in a refit, a training part of m' examples has alpha = lam m' / 2. If rounding
    might spoil a fold (d >= m', dependent features and tiny lam) one decomposition of its training part replaces them.
    """
    folds = check_partition(folds, len(y))
    x_mean, y_mean = (X.mean(axis=0), y.mean()) if bias else (0.0, 0.0)
    Z = np.column_stack([X - x_mean, y - y_mean])
    moments = [second_moments(Z[test], bias=True) for _, test in folds]
    total = np.sum(moments, axis=0)
    errors = np.empty((len(lam), len(y)))
    for (train, test), M in zip(folds, moments, strict=True):
        path = path_from_moments(total - M, lam, bias)
        W, b = path or ridge_path(Z[train, :-1], Z[train, -1], lam, bias)
        errors[:, test] = Z[test, -1] - b[:, None] - W @ Z[test, :-1].T
    return errors


def path_from_moments(M: np.ndarray, lam: np.ndarray, bias: bool) -> tuple[np.ndarray, np.ndarray] | None:
    """The ridge weights (k, d) and biases (k,) from the moments alone; None if rounding might spoil them."""
    m, mean = M[-1, -1], M[-1, :-1] / M[-1, -1] * bias
    C = M[:-1, :-1] - m * np.outer(mean, mean)  # of the centred points and targets
    squares, V = np.linalg.eigh(C[:-1, :-1])
    shifted = squares + lam[:, None] * m / 2  # (k, d)
    if shifted.min() <= 1e-7 * max(squares.max(), np.diag(M)[:-2].max()):
        return None
    W = (C[-1, :-1] @ V / shifted) @ V.T
    return W, mean[-1] - W @ mean[:-1]
