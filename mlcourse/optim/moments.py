"""First and second moments of a sample, with care for rounding and overflow.

Letters
    X    m points of R^d
    H    a positive semidefinite matrix
"""

import numpy as np


def centred(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean point, and the points minus it; a constant feature becomes exactly zero."""
    mean = np.ones(len(X)) @ X / len(X)  # faster than X.mean(axis=0)
    constant = X[0] == X[-1]  # a look at two rows spares most features the next line
    constant[constant] = (X[:, constant] == X[0, constant]).all(axis=0)
    mean[constant] = X[0, constant]
    return mean, X - mean


def row_blocks(m: int, rows: int = 1024) -> list[slice]:
    """Slices that cut m rows into blocks of at most ``rows``, and of one row if that is less: what is used together."""
    rows = max(1, rows)
    return [slice(i, i + rows) for i in range(0, m, rows)]


def second_moments(X: np.ndarray, bias: bool = False) -> np.ndarray:
    """sum_i x_i x_i^T, of the points with a constant feature appended if ``bias``."""
    d = X.shape[1]
    total = np.zeros((d + bias, d + bias))
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in row_blocks(len(X)):
            total[:d, :d] += X[rows].T @ X[rows]
            if bias:
                total[d, :d] += np.ones(len(X[rows])) @ X[rows]
    if bias:
        total[:d, d], total[d, d] = total[d, :d], len(X)
    return check_squares(X, total)


def check_squares(X: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """``squares``, computed from X, all of which are finite."""
    if not np.isfinite(squares).all():
        raise ValueError(f"the features reach {np.abs(X).max():.1e}: their squares overflow; rescale them")
    return squares


def unit_diagonal(H: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """H in units in which its diagonal is one, and the old units; a zero on the diagonal stays."""
    scale = np.sqrt(np.diag(H))
    scale[scale == 0] = 1.0
    return H / scale / scale[:, None], scale


def weighted_moments(X: np.ndarray, weights: np.ndarray, bias: bool = False, rows: int = 1024) -> np.ndarray:
    """sum_i weights_i x_i x_i^T for weights >= 0, of the points with a constant feature appended if ``bias``."""
    d = X.shape[1]
    total = np.zeros((d + bias, d + bias))
    root = np.sqrt(weights)[:, None]
    for block in row_blocks(len(X), rows):
        total[:d, :d] += second_moments(root[block] * X[block])
    if bias:
        total[d, :d] = total[:d, d] = weights @ X
        total[d, d] = weights.sum()
    return total
