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

from mlcourse.arguments.promises import Numbers, Result, are_whole, arrays, harmonic, require
from mlcourse.theory.registry import states


@states("thm-smo-gap")
def smo_gap(m: Numbers, C: Numbers, tol: Numbers) -> Result:
    """The largest duality gap when no pair violates optimality by more than tol; half of it for the middle bias."""
    m, C, tol = arrays(m, C, tol)
    require((m >= 1) & (C > 0) & (tol >= 0), "m >= 1, C > 0 and tol >= 0")
    return C * m * tol


@states("thm-smo-gap")
def weights_distance(gap: Numbers) -> Result:
    """The largest distance ||w - w*|| of the weights to the optimal ones, given the duality gap."""
    (gap,) = arrays(gap)
    require(gap >= 0, "a gap that is not negative")
    return np.sqrt(2) * np.sqrt(gap)


@states("thm-pegasos")
def pegasos_sum(T: Numbers, lam: Numbers, R: Numbers) -> Result:
    """The largest E F(average of w_1, ..., w_T) - min F: (2 R^2 / (lam T)) (1 + 1/2 + ... + 1/T - 3/4)."""
    T, scale = _rounds_and_scale(T, lam, R)
    return scale * (harmonic(T) - 3 / 4)


@states("thm-pegasos")
def pegasos_excess(T: Numbers, lam: Numbers, R: Numbers) -> Result:
    """The simpler and slightly larger bound (2 R^2 / (lam T)) ln(T + 1)."""
    T, scale = _rounds_and_scale(T, lam, R)
    return scale * np.log1p(T)


def _rounds_and_scale(T, lam, R) -> tuple[np.ndarray, ...]:
    """T and 2 R^2 / (lam T)."""
    T, lam, R = arrays(T, lam, R)
    require((T >= 1) & are_whole(T) & (lam > 0) & (R >= 0), "whole T >= 1, lam > 0 and R >= 0")
    return T, 2 * R**2 / lam / T
