"""Kernels: inner products in a space of features that nobody has to write down.

Letters
    X, Z    n and m points, in rows; K = k(X, Z) is the (n, m) matrix of all k(x, z)
    c       a number of at least 0: what a polynomial kernel adds to the inner product, or the factor of a kernel
    gamma   how fast a Gaussian kernel decreases: exp(-gamma |x - z|^2)
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mlcourse.arguments.arrays import check_things, check_X
from mlcourse.arguments.kinds import NonNegative, SquareMatrix, checks_arguments
from mlcourse.arguments.numbers import check_count, check_non_negative, check_positive
from mlcourse.base import Estimator
from mlcourse.models.kernels.kernel import Kernel


class LinearKernel(Kernel):
    """k(x, z) = x.z. Book: kernels."""

    def _gram(self, X, Z):
        return X @ Z.T

    def _diagonal(self, X):
        return np.einsum("ij,ij->i", X, X)


class PolynomialKernel(Kernel):
    """k(x, z) = (x.z + c)^degree, for a whole ``degree`` of at least 1 and ``c`` >= 0; otherwise it is no kernel.

    Its features are monomials: ``feature_maps.polynomial_features``.
    Book: kernels. Source: Milan 18.1, Paris (conditions on c and degree added).
    """

    _valid = {"degree": check_count, "c": check_non_negative}

    def __init__(self, degree=2, c=1.0):
        self.degree, self.c = degree, c
        self._check_params()

    def _gram(self, X, Z):
        return self._power(X @ Z.T)

    def _diagonal(self, X):
        return self._power(np.einsum("ij,ij->i", X, X))

    def _power(self, K):
        K += self.c
        bits = format(self.degree, "b")[1:]
        base = K.copy() if "1" in bits else K
        for bit in bits:  # squarings are faster than powers
            K *= K
            if bit == "1":
                K *= base
        return K


class GaussianKernel(Kernel):
    """k(x, z) = exp(-gamma |x - z|^2) with ``gamma`` > 0.

    Its features are infinitely many: ``feature_maps.gaussian_features`` gives the first of them.
    Book: kernels. Source: Milan 18.2 (where gamma is our 1 / (2 gamma)), Paris (gamma > 0 added).
    """

    _valid = {"gamma": check_positive}

    def __init__(self, gamma=1.0):
        self.gamma = gamma
        self._check_params()

    def _gram(self, X, Z):
        origin, scale = Z.mean(axis=0), np.sqrt(2 * self.gamma)  # near the points: |x|^2 - 2 x.z + |z|^2 cancels less
        A = (X - origin) * scale
        B = A if X is Z else (Z - origin) * scale
        K = A @ B.T
        a, b = (0.5 * np.diag(K),) * 2 if X is Z else (0.5 * np.einsum("ij,ij->i", V, V) for V in (A, B))
        rows = max(1, (1 << 16) // len(Z))  # so many numbers stay in the cache
        for i in range(0, len(X), rows):
            block = K[i : i + rows]
            block -= a[i : i + rows, None] + b
            np.minimum(block, 0.0, out=block)
            np.exp(block, out=block)
        return K

    def _diagonal(self, X):
        return np.ones(len(X))


class CallableKernel(Kernel):
    """k(x, z) = ``function(x, z)``, called for two points at a time: rows of numbers, or things of any other kind.

    Whether the function is positive semidefinite nobody checks here: see ``is_psd``.
    """

    def __init__(self, function):
        self.function = function

    def _check_points(self, X):
        try:
            table = np.asarray(X)
        except ValueError:  # rows of different lengths: points of another kind
            return check_things(X)
        return check_X(X) if table.ndim == 2 and table.dtype.kind in "biuf" else check_things(X)

    def _gram(self, X, Z):
        X, Z = (V if V.dtype.kind == "f" else V[:, 0] for V in (X, Z))
        return np.array([[self.function(x, z) for z in Z] for x in X], dtype=float)


def as_kernel(kernel: Kernel | Callable | None) -> Kernel:
    """``kernel`` itself; a function k(x, z) of two points as a kernel; the Gaussian kernel with gamma = 1 for None."""
    if isinstance(kernel, Kernel):
        return kernel
    if kernel is None:
        return GaussianKernel()
    if isinstance(kernel, type) or not callable(kernel):
        raise ValueError(f"kernel must be a kernel such as GaussianKernel(), or a function k(x, z), got {kernel!r}")
    return CallableKernel(kernel)


@checks_arguments
def is_psd(K: SquareMatrix, tol: NonNegative = 1e-10) -> bool:
    """Whether K is symmetric and has no negative eigenvalue, up to ``tol`` times its largest entry or eigenvalue."""
    if np.abs(K - K.T).max() > tol * np.abs(K).max():
        return False
    eigenvalues = np.linalg.eigvalsh(K)
    return bool(eigenvalues[0] >= -tol * np.abs(eigenvalues).max())


class InKernelSpace(Estimator):
    """An estimator with a ``kernel``: its points are whatever the kernel takes."""

    kernel: Any

    def _check_points(self, X, n_features=None):
        X = as_kernel(self.kernel)._check_points(X)
        return super()._check_points(X, n_features) if X.dtype.kind == "f" else X
