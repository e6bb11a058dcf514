"""Learning a kernel: the non-negative combination of given kernels that looks most like the labels.

Letters
    K, y     a Gram matrix; labels or real targets
    v        the weights of the kernels
    M, a     inner products of the centred Gram matrices with each other, and with y y^T
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from mlcourse.arguments.arrays import check_lengths, check_square
from mlcourse.arguments.collections import check_list
from mlcourse.arguments.kinds import AnyIterable, Gram, Targets, checks_arguments
from mlcourse.models.kernels.functions import Kernel, as_kernel


def centred_gram(K: ArrayLike) -> np.ndarray:
    """The Gram matrix of the features minus their mean: rows and columns of it sum to zero."""
    K = check_square("K", K)
    mean = K.mean(axis=0)
    centred = K - mean - mean[:, None] + mean.mean()
    rounding = len(K) * np.finfo(float).eps * np.abs(K).max()
    return centred if np.abs(centred).max() > rounding else np.zeros_like(K)


def unit_gram(K: ArrayLike) -> tuple[np.ndarray, float]:
    """The centred Gram matrix divided by its Frobenius norm, and that norm; zeros, and 1, if K is constant."""
    K = centred_gram(K)
    largest = np.abs(K).max() or 1.0  # whose square might overflow
    norm = np.linalg.norm(K / largest) or 1.0
    return K / largest / norm, float(largest * norm)


@checks_arguments
def alignment(K: Gram, L: Gram) -> float:
    """The cosine of two centred Gram matrices, in [0, 1]: 1 if they are proportional; 0 if one of them vanishes."""
    return float((unit_gram(K)[0] * unit_gram(L)[0]).sum())


@checks_arguments
def alignment_weights(grams: AnyIterable, y: Targets) -> np.ndarray:
    """The weights v >= 0 that minimise the Frobenius norm of sum_j v_j K_j - y y^T, all matrices centred.

    A combination in this direction has the largest alignment with y y^T that non-negative weights can reach.
    """
    units, norms = zip(*map(unit_gram, check_list("grams", grams)), strict=True)
    check_lengths(y=y, **{f"Gram matrix {j}": K for j, K in enumerate(units)})
    y = y - y.mean()
    M = np.array([[(K * L).sum() for L in units] for K in units])
    a = np.array([y @ K @ y for K in units])
    Q, b = as_least_squares(M, a)
    return nnls(Q, b)[0] / norms


def as_least_squares(M: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Q and b with Q^T Q = M and Q^T b = a, for a positive semidefinite M and an a in its range."""
    s, V = np.linalg.eigh(M)
    root = np.sqrt(np.maximum(s, 0.0))
    inverse = np.where(s > 1e-12 * s[-1], 1 / np.where(root > 0, root, 1.0), 0.0)
    return root[:, None] * V.T, inverse * (V.T @ a)


@checks_arguments
def align_kernels(kernels: list, X: ArrayLike, y: Targets) -> Kernel:
    """The kernel sum_j v_j k_j with the weights of ``alignment_weights``, scaled to sum to one.

    Guarantee: prop-alignment. Book: kernels. Source: Paris (learning the kernel: no rule given).
    """
    kernels = [as_kernel(kernel) for kernel in check_list("kernels", kernels)]
    v = alignment_weights([kernel(kernel._check_points(X)) for kernel in kernels], y)
    if not v.any() or np.ptp(y) == 0:
        raise ValueError("no kernel sees anything of the labels: the alignment of each with y is zero")
    terms = [float(weight) * kernel for weight, kernel in zip(v / v.sum(), kernels, strict=True) if weight > 0]
    return sum(terms[1:], start=terms[0])
