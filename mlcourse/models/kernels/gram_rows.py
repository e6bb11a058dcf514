"""Gram matrices and distances in feature space, whole or, if they are too large for that, row by row.

Letters
    K, D     Gram matrix K_ij = k(x_i, x_j) of the sample; squared distances D_ij = K_ii + K_jj - 2 K_ij
    beta     coefficients of the function sum_i beta_i k(x_i, .)
"""

import functools

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.kinds import Positive, RowsOnDemand, checks_arguments
from mlcourse.models.kernels.functions import Kernel, as_kernel
from mlcourse.models.kernels.rkhs import RKHSFunction


def gram_or_rows(kernel: Kernel, X: np.ndarray, cache_size: float) -> "np.ndarray | GramRows":
    """The Gram matrix, or its rows on demand if it does not fit into ``cache_size`` megabytes."""
    rows = GramRows(kernel, X, cache_size)
    return kernel(X, X) if rows.capacity >= len(X) else rows


@checks_arguments
def squared_distances(kernel: Kernel, X: ArrayLike, cache_size: Positive) -> "np.ndarray | DistanceRows":
    """The matrix of squared distances, or its rows on demand if it does not fit into ``cache_size`` megabytes."""
    kernel = as_kernel(kernel)
    return distance_matrix(kernel, kernel._check_points(X), cache_size)


def distance_matrix(kernel: Kernel, X: np.ndarray, cache_size: float) -> "np.ndarray | DistanceRows":
    """The same for points that have been read."""
    rows = DistanceRows(kernel, X, cache_size)
    if rows.capacity < len(X):
        return rows
    D = kernel(X, X)
    for i in range(0, len(D), 16):  # blocks that stay in the cache
        _from_gram(D[i : i + 16], rows.diagonal[i : i + 16, None], rows.diagonal)
    return D


class GramRows(RowsOnDemand):
    """``rows[i]`` is the i-th row of K; the rows that were used last, ``cache_size`` megabytes, are remembered."""

    def __init__(self, kernel, X, cache_size):
        self.kernel, self.X, self.diagonal = kernel, X, kernel.diagonal(X)
        self.capacity = max(2, int(cache_size * 1e6 / (8 * len(X))))
        row = functools.partial(self._row, kernel, X, self.diagonal)  # without self, the rows go as soon as it does
        self._remembered = functools.lru_cache(self.capacity)(row)

    def __getitem__(self, i):
        return self._remembered(i)

    @staticmethod
    def _row(kernel: Kernel, X: np.ndarray, diagonal: np.ndarray, i: int) -> np.ndarray:
        return kernel(X, X[i : i + 1])[:, 0]

    def dot(self, beta: np.ndarray) -> np.ndarray:
        """The product of the matrix with beta, from the kernel."""
        used = np.flatnonzero(beta) if beta.any() else [0]
        return RKHSFunction(self.X[used], beta[used], self.kernel)(self.X)


class DistanceRows(GramRows):
    """The same for the rows of D."""

    @staticmethod
    def _row(kernel: Kernel, X: np.ndarray, diagonal: np.ndarray, i: int) -> np.ndarray:
        return _from_gram(GramRows._row(kernel, X, diagonal, i), diagonal[i], diagonal)

    def dot(self, beta: np.ndarray) -> np.ndarray:
        return self.diagonal @ beta + self.diagonal * beta.sum() - 2 * super().dot(beta)


def zero_distance(diagonal: np.ndarray) -> float:
    """What stands for a squared length or distance of zero: a hair above it, so that it can divide."""
    return max(np.finfo(float).eps * diagonal.max(), 1e-290)


def _from_gram(K, here, there):
    """Turn K, in place, into here + there - 2 K, which is positive or, for the same features, a hair above zero."""
    floor = zero_distance(there)
    K *= -2
    K += there
    K += here
    if K.min() < -1e6 * floor:
        raise ValueError("the kernel is not positive semidefinite: two points have a negative squared distance")
    return np.maximum(K, floor, out=K)
