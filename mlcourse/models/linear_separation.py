"""Is a sample linearly separable, by which hyperplane, with what margin?

Letters
    X, y   sample: m points of R^d, labels in {-1, +1}
    Z      the flipped points y_i x_i
    w      weights of a homogeneous linear classifier (append the constant feature for a bias)
    rho    margin: the smallest y_i w.x_i / ||w||
"""

import itertools

import numpy as np
from scipy.optimize import linprog, nnls

from mlcourse._checks import check_lengths, check_vector, check_X


def _flipped(X, y):
    X, y = check_X(X), check_vector("y", y)
    check_lengths(X=X, y=y)
    if not np.isin(y, (-1, 1)).all():
        raise ValueError(f"labels must be -1 or +1, got {np.unique(y)[:5].tolist()}")
    return y[:, None] * X


def margin(w, X, y) -> float:
    """The geometric margin min_i y_i w.x_i / ||w||: negative if some example is on the wrong side."""
    w = check_vector("w", w)
    if not w.any():
        raise ValueError("the zero vector defines no hyperplane, hence no margin")
    return float((_flipped(X, y) @ (w / np.linalg.norm(w))).min())


def separator(X, y) -> np.ndarray | None:
    """Some w with y_i w.x_i >= 1 for all i, found by linear programming; None if there is none."""
    Z = _flipped(X, y)
    program = linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=(None, None))
    return program.x if program.status == 0 else None


def max_margin_separator(X, y) -> np.ndarray | None:
    """The shortest w with y_i w.x_i >= 1 for all i, whose margin 1/||w|| is the largest; None if none.

    Lawson and Hanson's least-distance programming: the residual of the non-negative least-squares
    problem min ||A u - e|| with A = [Z^T; 1^T], e = (0, ..., 0, 1) is proportional to (w, -1).
    """
    Z = _flipped(X, y)
    A = np.vstack([Z.T, np.ones(len(Z))])
    e = np.append(np.zeros(Z.shape[1]), 1.0)
    u, distance = nnls(A, e)
    if distance < 1e-9:
        return None
    residual = A @ u - e
    return residual[:-1] / -residual[-1]


def min_disagreement(X, y) -> tuple[list[int], np.ndarray]:
    """A smallest set of examples without which the sample is separable, and a w that gets the others right.

    Drops no example, then every single one, every pair, ... until a linear program is feasible:
    exponential in the number of mistakes, as far as anyone knows unavoidably.
    """
    Z = _flipped(X, y)
    m, d = Z.shape
    for k in range(m):
        for dropped in itertools.combinations(range(m), k):
            w = separator(np.delete(Z, dropped, axis=0), np.ones(m - k))
            if w is not None:
                return list(dropped), w
    return list(range(m)), np.zeros(d)
