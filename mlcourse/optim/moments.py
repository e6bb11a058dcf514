"""First and second moments of a sample, with care for rounding and overflow.

Letters
    X    m points of R^d
    H    a positive semidefinite matrix
"""

import numpy as np


def centred(X):
    """The mean point, and the points minus it; a constant feature becomes exactly zero."""
    mean = np.ones(len(X)) @ X / len(X)  # faster than X.mean(axis=0)
    constant = (X == X[0]).all(axis=0)
    mean[constant] = X[0, constant]
    return mean, X - mean


def gram(X, bias=False):
    """sum_i x_i x_i^T, of the points with a constant feature appended if ``bias``."""
    d = X.shape[1]
    total = np.empty((d + bias, d + bias))
    with np.errstate(over="ignore", invalid="ignore"):
        total[:d, :d] = X.T @ X
        if bias:
            total[d, :d] = total[:d, d] = np.ones(len(X)) @ X
            total[d, d] = len(X)
    return check_squares(X, total)


def check_squares(X, squares):
    """``squares``, computed from X, all of which are finite."""
    if not np.isfinite(squares).all():
        raise ValueError(f"the features reach {np.abs(X).max():.1e}: their squares overflow; rescale them")
    return squares


def unit_diagonal(H):
    """H in units in which its diagonal is one, and the old units; a zero on the diagonal stays."""
    scale = np.sqrt(np.diag(H))
    scale[scale == 0] = 1.0
    return H / scale / scale[:, None], scale


def weighted_gram(X, weights, bias=False, rows=1024):
    """sum_i weights_i x_i x_i^T for weights >= 0, of the points with a constant feature appended if ``bias``."""
    d = X.shape[1]
    total = np.zeros((d + bias, d + bias))
    root = np.sqrt(weights)[:, None]
    for i in range(0, len(X), rows):  # blocks that stay in the cache
        total[:d, :d] += gram(root[i : i + rows] * X[i : i + rows])
    if bias:
        total[d, :d] = total[:d, d] = weights @ X
        total[d, d] = weights.sum()
    return total
