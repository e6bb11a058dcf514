"""The support vector machine without bias: its dual has no equality, so one variable can move at a time.

Letters
    y        labels in {-1, +1}
    C        price of a unit of slack
    K        Gram matrix of the sample
    beta     beta_i = y_i alpha_i, between 0 and y_i C: the coefficients of the score
    g        gradient y - K beta of the dual
"""

import numpy as np

from mlcourse.arguments.kinds import Gram, Positive, Signs, Targets
from mlcourse.models.kernels.gram_rows import zero_distance
from mlcourse.trace import Iterates, returns_trace


def dual_box(y: np.ndarray, C: float) -> tuple[np.ndarray, np.ndarray]:
    """The bounds of beta_i = y_i alpha_i: from 0 to C for a positive example, from -C to 0 for a negative one."""
    return np.minimum(0, C * y), np.maximum(0, C * y)


@returns_trace
def dual_ascent(K: Gram, diagonal: Targets, y: Signs, C: Positive, tol: Positive = 1e-3) -> Iterates:
    """The coefficients beta after each step of coordinate ascent on the dual, which gains as much as one can.

    ``K[i]`` is the i-th row of the Gram matrix. It stops when no example violates its condition by more than ``tol``:
    the gradient is zero, or it pushes against the end of the box.
    """
    (low, high), length = dual_box(y, C), np.maximum(diagonal, zero_distance(diagonal))
    beta, g = np.zeros(len(y)), y.copy()
    yield beta
    while True:
        best = np.clip(beta + g / length, low, high)  # of each coordinate, the others fixed
        move = best - beta
        if np.abs(g[move != 0]).max(initial=0) <= tol:
            return True
        i = (move * (2 * g - length * move)).argmax()  # twice the gain
        g -= move[i] * K[i]
        beta = beta.copy()
        beta[i] = best[i]
        yield beta
