"""What a kernel is, and how kernels make new ones.

Letters
    X, Z    n and m points, in rows; K = k(X, Z) is the (n, m) matrix of all k(x, z)
    c       a number of at least 0 that is added to a kernel, or its factor
"""

import operator
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_X
from mlcourse.arguments.door import is_inside
from mlcourse.arguments.numbers import check_non_negative
from mlcourse.base import Parametrised


class Kernel(Parametrised):
    """A positive semidefinite function k(x, z): sums, products and non-negative multiples of kernels are kernels.

    ``k(X, Z)`` is the (n, m) Gram matrix, ``k(X)`` stands for ``k(X, X)``. A kernel writes ``_gram`` and, if there is
    a cheaper way than one by one, ``_diagonal``; it says in ``_check_points`` what its points are, here vectors.
    """

    _gram: Callable[..., np.ndarray]

    def __call__(self, X, Z=None):
        """The matrix of k(x, z) for the rows x of ``X`` and z of ``Z`` (of ``X`` if None)."""
        self._check_params()
        same, X = Z is None or Z is X, self._trusted(X)
        Z = X if same else self._trusted(Z)
        if X.shape[1] != Z.shape[1]:
            raise ValueError(f"the points have {X.shape[1]} and {Z.shape[1]} features: a kernel needs as many in both")
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
    if not np.isfinite(values.sum()) and not np.isfinite(values).all():  # the cheaper test first
        raise ValueError("the kernel overflows, or is not a number, at some of these points: rescale them")
    return values


class SumKernel(Kernel):
    """k(x, z) = first(x, z) + second(x, z): the features of both, side by side."""

    _sign, _joined = "+", staticmethod(operator.iadd)  # in place

    def __init__(self, first, second):
        self.first, self.second = first, second

    def _check_points(self, X):
        return self.second._check_points(self.first._check_points(X))

    def _gram(self, X, Z):
        return self._joined(self.first._gram(X, Z), self.second._gram(X, Z))

    def _diagonal(self, X):
        return self._joined(self.first._diagonal(X), self.second._diagonal(X))

    def __repr__(self):
        return f"({self.first!r} {self._sign} {self.second!r})"


class ProductKernel(SumKernel):
    """k(x, z) = first(x, z) second(x, z): all products of a feature of one and a feature of the other."""

    _sign, _joined = "*", staticmethod(operator.imul)


class ShiftedKernel(Kernel):
    """k(x, z) = kernel(x, z) + c for a number ``c`` >= 0: one more feature, constant, which serves as a bias."""

    _valid = {"c": check_non_negative}
    _changed = staticmethod(operator.iadd)

    def __init__(self, kernel, c=1.0):
        self.kernel, self.c = kernel, c
        self._check_params()

    def _check_points(self, X):
        return self.kernel._check_points(X)

    def _gram(self, X, Z):
        return self._changed(self.kernel._gram(X, Z), self.c)

    def _diagonal(self, X):
        return self._changed(self.kernel._diagonal(X), self.c)

    def __repr__(self):
        return f"({self.kernel!r} + {self.c!r})"


class ScaledKernel(ShiftedKernel):
    """k(x, z) = c kernel(x, z) for a number ``c`` >= 0: every feature times the root of c."""

    _changed = staticmethod(operator.imul)

    def __repr__(self):
        return f"{self.c!r} * {self.kernel!r}"
