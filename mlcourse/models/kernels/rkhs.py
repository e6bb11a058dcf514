"""The space of a kernel: functions that are combinations of kernel bumps.

Letters
    x_i, a_i   points and coefficients of the function f = sum_i a_i k(x_i, .)
    k          the kernel
"""

import copy
import numbers

import numpy as np

from mlcourse.arguments.arrays import check_lengths, check_vector
from mlcourse.arguments.numbers import check_number
from mlcourse.models.kernels.functions import as_kernel

VALUES_AT_ONCE = 1 << 22  # kernel values held at once


class RKHSFunction:
    """The function f = sum_i a_i k(x_i, .) of the reproducing kernel Hilbert space of k.

    <f, g> = sum_ij a_i b_j k(x_i, z_j), so that <f, k(x, .)> = f(x). Functions of one kernel can be added, subtracted
    and multiplied by numbers. ``kernel`` may be a function of two points.

    Book: kernels. Source: Milan 19, Paris, Vayatis.
    """

    __array_ufunc__ = None  # NumPy's numbers leave products to the function

    def __init__(self, points, coefficients, kernel):
        self.kernel = copy.deepcopy(as_kernel(kernel))  # which may be changed later
        self.points = self.kernel._trusted(points).copy()
        self.coefficients = check_vector("coefficients", coefficients)
        check_lengths(points=self.points, coefficients=self.coefficients)

    def __call__(self, X):
        """The values of the function at the rows of ``X``."""
        X = self.kernel._trusted(X)
        rows = max(1, VALUES_AT_ONCE // len(self.points))
        parts = [X[i : i + rows] for i in range(0, len(X), rows)]
        return np.concatenate([self.kernel(part, self.points) @ self.coefficients for part in parts])

    def inner(self, other: "RKHSFunction") -> float:
        """The inner product <f, g> with another function of the same kernel."""
        self._same_space(other)
        return float(self.coefficients @ other(self.points))

    def norm(self) -> float:
        """The norm sqrt(<f, f>)."""
        return max(self.inner(self), 0.0) ** 0.5

    def _same_space(self, other):
        if not isinstance(other, RKHSFunction) or self.kernel != other.kernel:
            raise ValueError(f"a function of the same kernel {self.kernel!r} is needed, got {other!r}")

    def __add__(self, other):
        self._same_space(other)
        points = np.concatenate([self.points, other.points])
        return RKHSFunction(points, np.concatenate([self.coefficients, other.coefficients]), self.kernel)

    def __mul__(self, number):
        if not isinstance(number, numbers.Real):
            return NotImplemented
        with np.errstate(over="ignore"):
            coefficients = check_number("factor", number) * self.coefficients
        return RKHSFunction(self.points, coefficients, self.kernel)

    __rmul__ = __mul__

    def __neg__(self):
        return -1 * self

    def __sub__(self, other):
        self._same_space(other)
        return self + -other

    def __repr__(self):
        return f"RKHSFunction of {len(self.points)} points, {self.kernel!r}"
