"""Ridge regression in the space of a kernel.

Letters
    X, y        sample: m points and real targets
    K           their Gram matrix
    lam, alpha  strength of the penalty (lam/2) ||f||^2; alpha = lam m / 2 is what it adds to the diagonal of K
    a, b        coefficients and bias of the prediction sum_i a_i k(x_i, x) + b
    s, V        eigenvalues and eigenvectors of K
"""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from mlcourse.arguments.kinds import Flag, Gram, Penalties, Targets, checks_arguments
from mlcourse.arguments.numbers import check_flag, check_non_negative
from mlcourse.base import Regressor
from mlcourse.models.kernels.functions import InKernelSpace, as_kernel
from mlcourse.models.kernels.rkhs import RKHSFunction


def by_cholesky(K: np.ndarray, y: np.ndarray, alpha: float, bias: bool) -> tuple[np.ndarray, float]:
    """a, b with (K + alpha I) a = y - b, and with sum_i a_i = 0 if ``bias``; fails if rounding might spoil them.

    K is overwritten.
    """
    L = shifted_factor(K, alpha)
    a, r = solve(L, np.column_stack([y, np.ones(len(y))])).T
    b = a.sum() / r.sum() if bias else 0.0
    return a - b * r, b


def shifted_factor(K: np.ndarray, alpha: float) -> np.ndarray:
    """The lower triangular L with L L^T = K + alpha I, made in place of K; refused if the matrix is nearly singular."""
    K.flat[:: len(K) + 1] += alpha
    least = 1e-9 * K.diagonal().max()
    L = cho_factor(K.T, lower=True, overwrite_a=True, check_finite=False)[0]  # K.T is K, in the order LAPACK wants
    if L.diagonal().min() ** 2 <= least:
        raise LinAlgError("the matrix is nearly singular")
    return L


def solve(L: np.ndarray, B: np.ndarray) -> np.ndarray:
    """The solution A of L L^T A = B: two triangular systems."""
    return cho_solve((L, True), B, check_finite=False)


def by_eigenvectors(K: np.ndarray, y: np.ndarray, alpha: float, bias: bool) -> tuple[np.ndarray, float]:
    """The same function and bias from the eigenvalues of K, in the limit alpha -> 0 if that is zero.

    Parts of the coefficients that K sends to zero, and that change no value of the function, are left out.
    """
    s, V = gram_eigen(K)
    kept = s > len(K) * np.finfo(float).eps * s[-1]
    s = np.where(kept, s, 0.0) + alpha
    inverse = np.where(kept, 1 / np.where(kept, s, 1.0), 0.0)
    y, ones = V.T @ y, V.T @ np.ones(len(y))
    b = 0.0
    if bias:
        missed = ~kept * ones  # the part of the bias that no f can imitate decides if nothing is penalised
        unseen = missed @ missed > 1e-10 * len(K)
        weights = ones / s if alpha > 0 else missed if unseen else inverse * ones
        b = weights @ y / (weights @ ones)
    return V @ (inverse * (y - b * ones)), b


def gram_eigen(K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues, ascending, and eigenvectors of a Gram matrix, which has no negative ones beyond rounding."""
    if not np.allclose(K, K.T, rtol=1e-9, atol=1e-9 * np.abs(K).max()):
        raise ValueError("the Gram matrix is not symmetric, so this is no kernel")
    s, V = np.linalg.eigh(K)
    if s[0] < -1e-8 * np.abs(s).max():
        raise ValueError(f"the kernel is not positive semidefinite: its Gram matrix has the eigenvalue {s[0]:.3g}")
    return np.maximum(s, 0.0), V


class KernelRidge(InKernelSpace, Regressor):
    """Kernel ridge regression: minimises the mean of (y_i - f(x_i) - b)^2 plus (lam/2) ||f||^2 over the space of k.

    With the linear kernel it is ``Ridge(lam, bias)``: f = w.x with ||f|| = ||w||. There is no b unless ``bias``, and
    it is not penalised; a penalised one is a feature of the kernel k + 1. If many f minimise (lam = 0), the one
    of least norm is taken.

    Parameters: ``kernel``, a kernel or a function k(x, z) of two points (None: ``GaussianKernel()``).

    Learned: ``f_``, an ``RKHSFunction`` of all examples, whose ``coefficients`` solve (K + (lam m / 2) I) a = y - b
    (if that is nearly singular, only up to parts that change no value of f); ``b_``.

    Guarantee: prop-kernel-ridge. Book: kernels. Source: Milan 19.
    """

    _valid = {"lam": check_non_negative, "bias": check_flag}

    def __init__(self, lam=1e-3, kernel=None, bias=False):
        self.lam, self.kernel, self.bias = lam, kernel, bias

    def _fit(self, X, y):
        k, alpha = as_kernel(self.kernel), float(self.lam) * len(y) / 2
        try:
            a, self.b_ = by_cholesky(k(X), y, alpha, self.bias)
        except LinAlgError:
            a, self.b_ = by_eigenvectors(k(X), y, alpha, self.bias)
        self.f_ = RKHSFunction(X, a, k)

    def _predict(self, X):
        return self.f_(X) + self.b_


@checks_arguments
def kernel_leave_one_out(K: Gram, y: Targets, lam: Penalties, bias: Flag = False) -> np.ndarray:
    """The (k, m) errors y_i - prediction of the fit without example i, for k values of lam: one decomposition of K.

    Each is a_i / P_ii, where P is the matrix that makes the coefficients a = P y of the targets. What is held fixed
    when an example leaves is alpha = lam m / 2, the number added to the diagonal of K.
    """
    if bias and len(y) == 1:
        raise ValueError("with a bias at least two examples are needed: without one of them something must be left")
    s, V = gram_eigen(K)
    shifted = s + lam[:, None] * len(y) / 2  # (k, m)
    if shifted.min() <= len(K) * np.finfo(float).eps * s[-1]:
        raise ValueError("K + (lam m / 2) I is singular: use a larger lam")
    a, P = (V.T @ y / shifted) @ V.T, (V**2 @ (1 / shifted).T).T  # (k, m) both; the diagonal of P
    if bias:
        ones = (V.sum(axis=0) / shifted) @ V.T
        total = ones.sum(axis=1, keepdims=True)
        a, P = a - ones * a.sum(axis=1, keepdims=True) / total, P - ones**2 / total
    return a / P
