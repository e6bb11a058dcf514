"""Kernels: inner products of points in a feature space (stand-in until the branch of the kernels is merged)."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LinearKernel:
    """k(x, z) = x.z"""

    def __call__(self, X, Z):
        return X @ Z.T

    def diagonal(self, X):
        """k(x, x) for every row of X."""
        return np.einsum("ij,ij->i", X, X)


@dataclass(frozen=True)
class PolynomialKernel:
    """k(x, z) = (x.z + c)^degree"""

    degree: int = 2
    c: float = 1.0

    def __call__(self, X, Z):
        return (X @ Z.T + self.c) ** self.degree

    def diagonal(self, X):
        """k(x, x) for every row of X."""
        return (np.einsum("ij,ij->i", X, X) + self.c) ** self.degree


@dataclass(frozen=True)
class GaussianKernel:
    """k(x, z) = exp(-gamma ||x - z||^2)"""

    gamma: float = 1.0

    def __call__(self, X, Z):
        K = X @ Z.T
        K *= 2 * self.gamma
        K -= self.gamma * np.einsum("ij,ij->i", X, X)[:, None]
        K -= self.gamma * np.einsum("ij,ij->i", Z, Z)
        np.minimum(K, 0, out=K)
        return np.exp(K, out=K)

    def diagonal(self, X):
        """k(x, x) for every row of X."""
        return np.ones(len(X))
