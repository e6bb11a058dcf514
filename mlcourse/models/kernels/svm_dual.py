"""The two problems of the support vector machine and what ties them together.

Letters
    y, K     labels in {-1, +1} and Gram matrix of the sample
    C        price of a unit of slack
    alpha    dual variables in [0, C] with sum_i alpha_i y_i = 0; beta_i = y_i alpha_i
    b        bias of the score h(x) = sum_j beta_j k(x_j, x) + b
"""

import numpy as np

from mlcourse.arguments.kinds import Gram, Number, Positive, Signs, Targets, checks_arguments
from mlcourse.losses import hinge


@checks_arguments
def dual_objective(alpha: Targets, K: Gram, y: Signs) -> float:
    """sum_i alpha_i - (1/2) sum_ij alpha_i alpha_j y_i y_j K_ij, to be maximised."""
    beta = alpha * y
    return float(alpha.sum() - beta @ K @ beta / 2)


@checks_arguments
def primal_objective(alpha: Targets, b: Number, K: Gram, y: Signs, C: Positive) -> float:
    """(1/2) ||w||^2 + C sum_i [1 - y_i h(x_i)]_+ for the score h with coefficients y_i alpha_i and bias b."""
    beta = alpha * y
    return float(beta @ K @ beta / 2 + C * hinge(y * (K @ beta + b)).sum())


@checks_arguments
def duality_gap(alpha: Targets, b: Number, K: Gram, y: Signs, C: Positive) -> float:
    """Primal minus dual objective: neither is further than this from its optimum, if alpha is feasible."""
    return primal_objective(alpha, b, K, y, C) - dual_objective(alpha, K, y)


@checks_arguments
def kkt_residuals(alpha: Targets, b: Number, K: Gram, y: Signs, C: Positive) -> np.ndarray:
    """By how much each example violates the optimality conditions on its signed score z = y h(x).

    z >= 1 where alpha = 0, z = 1 where 0 < alpha < C, z <= 1 where alpha = C; alpha outside [0, C] counts too.
    With sum_i alpha_i y_i = 0 they are all zero iff alpha and b are optimal.
    """
    z = y * (K @ (alpha * y) + b)
    score = np.select([alpha <= 0, alpha >= C], [1 - z, z - 1], np.abs(1 - z))
    return np.maximum.reduce([score, -alpha, alpha - C, np.zeros(len(z))])


def optimal_bias(alpha: np.ndarray, scores: np.ndarray, y: np.ndarray, C: float) -> float:
    """The bias for scores without one: right for free support vectors on average, else amid all that are optimal."""
    g = y - scores
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return float(g[free].mean())
    rises = (alpha == 0) == (y > 0)
    return float((g[rises].max() + g[~rises].min()) / 2)
