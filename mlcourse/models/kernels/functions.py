"""Kernels: inner products in a space of features that nobody has to write down.

Letters
    X, Z    n and m points, in rows; K = k(X, Z) is the (n, m) matrix of all k(x, z)
    c       a number of at least 0: what a polynomial kernel adds to the inner product, or the factor of a kernel
    gamma   how fast a Gaussian kernel decreases: exp(-gamma |x - z|^2)
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_things, check_X
from mlcourse.arguments.door import is_inside
from mlcourse.arguments.kinds import NonNegative, SquareMatrix, checks_arguments
from mlcourse.arguments.numbers import check_count, check_non_negative, check_positive
from mlcourse.base import Estimator, Parametrised

IN_CACHE = 1 << 16  # numbers that stay in the cache


class Kernel(Parametrised):
    """A positive semidefinite function k(x, z): sums, products and non-negative multiples of kernels are kernels.

    ``k(X, Z)`` is the (n, m) Gram matrix, ``k(X)`` stands for ``k(X, X)``. A kernel writes ``_gram`` and, if there is
    a cheaper way than one by one, ``_diagonal``; it says in ``_check_points`` what its points are, here vectors.
    """

    _gram: Callable[..., np.ndarray]

    def __call__(self, X, Z=None):
        """The matrix of k(x, z) for the rows x of ``X`` and z of ``Z`` (of ``X`` if None)."""
        self._check_params()
        X, Z = self._pair(X, X if Z is None else Z)
        with np.errstate(over="ignore", invalid="ignore"):
            return _finite(self._gram(X, Z))

    def diagonal(self, X: ArrayLike) -> np.ndarray:
        """The vector of all k(x, x)."""
        self._check_params()
        with np.errstate(over="ignore", invalid="ignore"):
            return _finite(self._diagonal(self._trusted(X)))

    def _diagonal(self, X):
        return np.array([self._gram(x, x)[0, 0] for x in np.split(X, len(X))])

    def _check_points(self, X):
        """The points as an array with a row for each."""
        return check_X(X)

    def _trusted(self, X):
        """The points, which need no reading if a model of this package hands them over."""
        return X if is_inside() and isinstance(X, np.ndarray) and X.ndim == 2 else self._check_points(X)

    def _pair(self, X, Z):
        """Both read, once if they are the same, and with as many columns."""
        same, X = X is Z, self._trusted(X)
        Z = X if same else self._trusted(Z)
        if X.shape[1] != Z.shape[1]:
            raise ValueError(f"the points have {X.shape[1]} and {Z.shape[1]} features: a kernel needs as many in both")
        return X, Z

    def set_params(self, **params: Any) -> Self:
        """Change parameters by name; returns ``self``. A bad value leaves the kernel as it was."""
        before = dict(vars(self))
        try:
            super().set_params(**params)._check_params()
        except ValueError:
            vars(self).update(before)
            raise
        return self

    def __repr__(self):
        params = ", ".join(f"{name}={value!r}" for name, value in self.get_params(deep=False).items())
        return f"{type(self).__name__}({params})"

    def __eq__(self, other):
        return type(self) is type(other) and self.get_params(deep=False) == other.get_params(deep=False)

    __hash__ = None  # type: ignore[assignment]  # the parameters can be changed
    __array_ufunc__ = None  # NumPy's numbers leave sums and products to the kernel

    def __add__(self, other):
        return SumKernel(self, other) if isinstance(other, Kernel) else ShiftedKernel(self, other)

    def __mul__(self, other):
        return ProductKernel(self, other) if isinstance(other, Kernel) else ScaledKernel(self, other)

    __radd__, __rmul__ = __add__, __mul__


def _finite(values):
    """``values``, which must be finite."""
    if not np.isfinite(values.sum()) and not np.isfinite(values).all():  # the cheaper test first
        raise ValueError("the kernel overflows, or is not a number, at some of these points: rescale them")
    return values


# --- kernels of vectors --------------------------------------------------------------------------


class LinearKernel(Kernel):
    """k(x, z) = x.z. Book: kernels."""

    def _gram(self, X, Z):
        return X @ Z.T

    def _diagonal(self, X):
        return np.einsum("ij,ij->i", X, X)


class PolynomialKernel(Kernel):
    """k(x, z) = (x.z + c)^degree, for a whole ``degree`` of at least 1 and ``c`` >= 0; otherwise it is no kernel.

    Its features are monomials: ``mlcourse.models.kernels.feature_maps.polynomial_features``.

    Book: kernels. Source: Milan 18.1, Paris (conditions on c and degree added).
    """

    _valid = {"degree": check_count, "c": check_non_negative}

    def __init__(self, degree=2, c=1.0):
        self.degree = degree
        self.c = c
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
        rows = max(1, IN_CACHE // len(Z))
        for i in range(0, len(X), rows):
            block = K[i : i + rows]
            block -= a[i : i + rows, None] + b
            np.minimum(block, 0.0, out=block)
            np.exp(block, out=block)
        return K

    def _diagonal(self, X):
        return np.ones(len(X))


# --- kernels of anything -------------------------------------------------------------------------


class CallableKernel(Kernel):
    """k(x, z) = ``function(x, z)``, called for two points at a time: rows of numbers, or things of any other kind.

    Whether the function is positive semidefinite nobody checks here: see ``is_psd``.
    """

    def __init__(self, function):
        self.function = function

    def _check_points(self, X):
        return check_X(X) if _is_table(X) else check_things(X)

    def _gram(self, X, Z):
        X, Z = (V if V.dtype.kind == "f" else V[:, 0] for V in (X, Z))
        return np.array([[self.function(x, z) for z in Z] for x in X], dtype=float)


def _is_table(X):
    """Whether X is a matrix of numbers."""
    try:
        X = np.asarray(X)
    except ValueError:  # rows of different lengths: points of another kind
        return False
    return X.ndim == 2 and X.dtype.kind in "biuf"


# --- combinations --------------------------------------------------------------------------------


class SumKernel(Kernel):
    """k(x, z) = first(x, z) + second(x, z): the features of both, side by side."""

    def __init__(self, first, second):
        self.first = first
        self.second = second

    def _check_points(self, X):
        return self.second._check_points(self.first._check_points(X))

    def _gram(self, X, Z):
        return self._joined(self.first._gram(X, Z), self.second._gram(X, Z))

    def _diagonal(self, X):
        return self._joined(self.first._diagonal(X), self.second._diagonal(X))

    def _joined(self, K, L):
        K += L
        return K

    def __repr__(self):
        return f"({self.first!r} + {self.second!r})"


class ProductKernel(SumKernel):
    """k(x, z) = first(x, z) second(x, z): all products of a feature of one and a feature of the other."""

    def _joined(self, K, L):
        K *= L
        return K

    def __repr__(self):
        return f"({self.first!r} * {self.second!r})"


class ShiftedKernel(Kernel):
    """k(x, z) = kernel(x, z) + c for a number ``c`` >= 0: one more feature, constant, which serves as a bias."""

    _valid = {"c": check_non_negative}

    def __init__(self, kernel, c=1.0):
        self.kernel = kernel
        self.c = c
        self._check_params()

    def _check_points(self, X):
        return self.kernel._check_points(X)

    def _gram(self, X, Z):
        return self._changed(self.kernel._gram(X, Z))

    def _diagonal(self, X):
        return self._changed(self.kernel._diagonal(X))

    def _changed(self, K):
        K += self.c
        return K

    def __repr__(self):
        return f"({self.kernel!r} + {self.c!r})"


class ScaledKernel(ShiftedKernel):
    """k(x, z) = c kernel(x, z) for a number ``c`` >= 0: every feature times the root of c."""

    def _changed(self, K):
        K *= self.c
        return K

    def __repr__(self):
        return f"{self.c!r} * {self.kernel!r}"


# --- for those who use kernels -------------------------------------------------------------------


def as_kernel(kernel: Kernel | Callable | None) -> Kernel:
    """``kernel`` itself; a function k(x, z) of two points as a kernel; the Gaussian kernel with gamma = 1 for None."""
    if isinstance(kernel, Kernel):
        return kernel
    if kernel is None:
        return GaussianKernel()
    if isinstance(kernel, type) or not callable(kernel):
        raise ValueError(f"kernel must be a kernel such as GaussianKernel(), or a function k(x, z), got {kernel!r}")
    return CallableKernel(kernel)


def check_kernel(name: str, kernel: Kernel | Callable | None) -> Kernel:
    """``kernel`` as a kernel, in the form of a check of a parameter."""
    return as_kernel(kernel)


@checks_arguments
def is_psd(K: SquareMatrix, tol: NonNegative = 1e-10) -> bool:
    """Whether K is symmetric and has no negative eigenvalue, up to ``tol`` times its largest entry or eigenvalue."""
    if np.abs(K - K.T).max() > tol * np.abs(K).max():
        return False
    eigenvalues = np.linalg.eigvalsh(K)
    return bool(eigenvalues[0] >= -tol * np.abs(eigenvalues).max())


class InKernelSpace(Estimator):
    """What estimators with a ``kernel`` share: their points are whatever the kernel takes."""

    kernel: Any

    def _check_points(self, X, n_features=None):
        X = as_kernel(self.kernel)._check_points(X)
        return super()._check_points(X, n_features) if X.dtype.kind == "f" else X
