"""What is left of an average when the examples are not independent draws from one law.

Letters
    P, Q     two laws on the same finitely many outcomes, as arrays of probabilities
    n        number of losses that are averaged
    c        correlation of any two of them
    sigma    standard deviation of each
"""

import numpy as np

from mlcourse.arguments.promises import Result, require
from mlcourse.arguments.ranges import Array, FromZero, Numbers, Sizes
from mlcourse.theory.registry import states


@states("prop-shift")
def total_variation(P: Array, Q: Array) -> float:
    """The most that the risk of a predictor can change from P to Q, for losses in [0, 1]: half of sum |P - Q|."""
    if P.shape != Q.shape:
        raise ValueError(f"P and Q must give probabilities to the same outcomes, got shapes {P.shape} and {Q.shape}")
    ones = np.isclose([P.sum(), Q.sum()], 1, rtol=0, atol=1e-9).all()
    require((P >= 0).all() and (Q >= 0).all() and ones, "non-negative probabilities that sum to 1")
    return float(np.abs(P - Q).sum() / 2)


@states("prop-dependence")
def variance_of_mean(n: Sizes, c: Numbers, sigma: FromZero = 1.0) -> Result:
    """The variance of the mean of n losses: sigma^2 (1/n + (1 - 1/n) c), which tends to sigma^2 c."""
    require((np.abs(c) <= 1) & (1 + (n - 1) * c >= 0), "|c| <= 1 and 1 + (n - 1) c >= 0")
    return sigma**2 * (1 / n + (1 - 1 / n) * c)


@states("prop-dependence")
def effective_size(n: Sizes, c: Numbers) -> Result:
    """The number of independent losses whose mean has that variance: n / (1 + (n - 1) c), for c > 0 below 1/c."""
    require((np.abs(c) <= 1) & (1 + (n - 1) * c > 0), "|c| <= 1 and 1 + (n - 1) c > 0")
    return n / (1 + (n - 1) * c)
