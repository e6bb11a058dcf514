"""What the solvers of support vector machines promise.

Letters
    m, C    sample size and price of a unit of slack
    tol     the largest violation of the optimality conditions that is left
    gap     primal minus dual objective
    T       number of weights that are averaged
    lam     strength of the penalty
    R       radius of the data: the largest ||x_i||
"""

import numpy as np

from mlcourse.arguments.promises import Result, harmonic
from mlcourse.arguments.ranges import Counts, FromZero, Positives, Sizes
from mlcourse.theory.registry import states


@states("thm-smo-gap")
def smo_gap(m: Sizes, C: Positives, tol: FromZero) -> Result:
    """The largest duality gap when no pair violates optimality by more than tol; half of it for the middle bias."""
    return C * m * tol


@states("thm-smo-gap")
def weights_distance(gap: FromZero) -> Result:
    """The largest distance ||w - w*|| of the weights to the optimal ones, given the duality gap."""
    return np.sqrt(2) * np.sqrt(gap)


@states("thm-pegasos")
def pegasos_sum(T: Counts, lam: Positives, R: FromZero) -> Result:
    """The largest E F(average of w_1, ..., w_T) - min F: (2 R^2 / (lam T)) (1 + 1/2 + ... + 1/T - 3/4)."""
    return 2 * R**2 / lam / T * (harmonic(T) - 3 / 4)


@states("thm-pegasos")
def pegasos_excess(T: Counts, lam: Positives, R: FromZero) -> Result:
    """The simpler and slightly larger bound (2 R^2 / (lam T)) ln(T + 1)."""
    return 2 * R**2 / lam / T * np.log1p(T)
