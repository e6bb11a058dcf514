"""Learning a kernel: the non-negative combination of given kernels that looks most like the labels.

Letters
    K, y     a Gram matrix; labels or real targets
    v        the weights of the kernels
    M, a     inner products of the centred Gram matrices with each other, and with y y^T
"""

import numpy as np
from scipy.optimize import nnls

from mlcourse._checks import check_lengths, check_list, check_square, check_targets
from mlcourse.models.kernels import as_kernel


def centred_gram(K):
    """The Gram matrix of the features minus their mean: rows and columns of it sum to zero."""
    K = check_square("K", K)
    mean = K.mean(axis=0)
    return K - mean - mean[:, None] + mean.mean()


def alignment(K, L):
    """The cosine of two centred Gram matrices, in [0, 1]: 1 if they are proportional; 0 if one of them vanishes."""
    K, L = centred_gram(K), centred_gram(L)
    check_lengths(K=K, L=L)
    norms = np.linalg.norm(K) * np.linalg.norm(L)
    return float((K * L).sum() / norms) if norms > 0 else 0.0


def alignment_weights(grams, y):
    """The weights v >= 0 that minimise the Frobenius norm of sum_j v_j K_j - y y^T, all matrices centred.

    A combination in this direction has the largest alignment with y y^T that non-negative weights can reach.
    """
    y = check_targets(y)
    grams = [centred_gram(K) for K in check_list("grams", grams)]
    check_lengths(y=y, **{f"Gram matrix {j}": K for j, K in enumerate(grams)})
    scale = np.array([np.linalg.norm(K) or 1.0 for K in grams])
    M = np.array([[(K * L).sum() for L in grams] for K in grams]) / scale / scale[:, None]
    a = np.array([y @ K @ y for K in grams]) / scale
    s, V = np.linalg.eigh(M)
    root = np.sqrt(np.maximum(s, 0.0))  # |root V^T v|^2 = v.Mv
    inverse = np.where(s > 1e-12 * s[-1], 1 / np.where(root > 0, root, 1.0), 0.0)
    return nnls(root[:, None] * V.T, inverse * (V.T @ a))[0] / scale


def align_kernels(kernels, X, y):
    """The kernel sum_j v_j k_j with the weights of ``alignment_weights``, scaled to sum to one.

    Guarantee: prop-alignment. Book: kernels. Source: Paris (learning the kernel: no rule given).
    """
    kernels = [as_kernel(kernel) for kernel in check_list("kernels", kernels)]
    v = alignment_weights([kernel(X) for kernel in kernels], y)
    if not v.any():
        raise ValueError("no kernel sees anything of the labels: the alignment of each with y is zero")
    terms = [float(weight) * kernel for weight, kernel in zip(v / v.sum(), kernels, strict=True) if weight > 0]
    return sum(terms[1:], start=terms[0])


