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

from mlcourse.arguments.kinds import Points, Signs, Vector, checks_arguments


@checks_arguments
def augmented(X: Points) -> np.ndarray:
    """The points with a last coordinate 1, so that a bias becomes one more weight."""
    return np.column_stack([X, np.ones(len(X))])


def weights_and_bias(w: np.ndarray, bias: bool) -> tuple[np.ndarray, float]:
    """The weights of the points, and the bias: the last weight if the points were augmented, else zero."""
    return (w[:-1], w[-1]) if bias else (w, 0.0)


@checks_arguments
def flipped(X: Points, y: Signs) -> np.ndarray:
    """The points y_i x_i: a vector w separates the sample iff its product with each of them is positive."""
    return y[:, None] * X


@checks_arguments
def margin(w: Vector, X: Points, y: Signs) -> float:
    """The geometric margin min_i y_i w.x_i / ||w||: negative if some example is on the wrong side."""
    if not w.any():
        raise ValueError("the zero vector defines no hyperplane, hence no margin")
    return float((flipped(X, y) @ (w / np.linalg.norm(w))).min())


@checks_arguments
def separator(X: Points, y: Signs) -> np.ndarray | None:
    """Some w with y_i w.x_i >= 1 for all i, found by linear programming; None if there is none."""
    Z = flipped(X, y)
    U, scale = _balanced(Z)
    m, d = U.shape
    program = linprog(np.zeros(d), A_ub=-U, b_ub=-np.ones(m), bounds=(None, None))
    if program.status == 2:
        return None
    return _normalised(program.x / scale, Z)


@checks_arguments
def max_margin_separator(X: Points, y: Signs) -> np.ndarray | None:
    """The shortest w with y_i w.x_i >= 1 for all i, whose margin 1/||w|| is the largest; None if there is none.

    Lawson and Hanson's least-distance programming: the residual of the non-negative least-squares
    problem min ||A u - e|| with A = [Z^T; 1^T], e = (0, ..., 0, 1) is proportional to (w, -1).
    """
    some = separator(X, y)
    if some is None:
        return None
    c = np.linalg.norm(some)  # in units of c the shortest vector has length at most one
    Z = flipped(X, y)
    A = np.vstack([c * Z.T, np.ones(len(Z))])
    e = np.append(np.zeros(Z.shape[1]), 1.0)
    residual = A @ nnls(A, e)[0] - e
    return _normalised(c * residual[:-1] / -residual[-1], Z)


def _balanced(Z):
    """Z with columns, then rows, divided by their largest entries in absolute value; the column scales."""
    scale = np.abs(Z).max(axis=0)
    scale[scale == 0] = 1
    rows = np.abs(Z / scale).max(axis=1, keepdims=True)
    return Z / scale / np.where(rows == 0, 1, rows), scale


def _normalised(w, Z):
    """w with its smallest score set to one; an error if rounding has spoilt it."""
    least = (Z @ w).min() if w is not None else 0
    if not least > 0:
        raise RuntimeError("separability cannot be decided in floating-point arithmetic: the margin is too small")
    return w / least


@checks_arguments
def min_disagreement(X: Points, y: Signs) -> tuple[list[int], np.ndarray]:
    """A smallest set of examples without which the sample is separable, and a w that gets the others right.

    Drops no example, then every single one, every pair, ... until a linear programme is feasible: the work
    grows exponentially with the number of mistakes.
    """
    Z = flipped(X, y)
    m, d = Z.shape
    for k in range(m):
        for dropped in itertools.combinations(range(m), k):
            w = separator(np.delete(Z, dropped, axis=0), np.ones(m - k))
            if w is not None:
                return list(dropped), w
    return list(range(m)), np.zeros(d)


@checks_arguments
def separating_direction(X: Points, y: Signs) -> np.ndarray | None:
    """Some w with y_i w.x_i >= 0 for all i, and > 0 for some i, found by linear programming; None if there is none."""
    Z = flipped(X, y)
    U, scale = _balanced(Z)
    program = linprog(-U.sum(axis=0), A_ub=-U, b_ub=np.zeros(len(U)), bounds=(-1, 1))
    scores = U @ program.x
    return program.x / scale if scores.max() > 1e-7 and scores.min() > -1e-13 else None
