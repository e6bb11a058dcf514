"""How far an average, or another function of independent variables, is from its expectation.

Letters
    m          number of independent variables; n if they are the losses on a test set
    epsilon    a deviation: the average exceeds its expectation by at least epsilon
    s          the factor in the exponent of Chernoff's method
    a          a threshold
    p, q       an expectation in [0, 1], and a value of the average
    c          bounded differences: how much a function changes with its i-th variable, last axis
"""

import numpy as np
from scipy.special import betainccinv, xlog1py

from mlcourse.arguments.promises import Result, checks_ranges, require, whole
from mlcourse.arguments.ranges import Chances, Confidences, Counts, FromZero, Naturals, Numbers, Positives, Sizes
from mlcourse.theory.registry import states


@states("lem-markov")
def markov_probability(mean: FromZero, a: Positives) -> Result:
    """The largest P(Z >= a) of a variable Z >= 0 with this mean: mean / a."""
    return mean / a


@states("prop-chebyshev")
def chebyshev_probability(variance: FromZero, epsilon: Positives) -> Result:
    """The largest P(|Z - E Z| >= epsilon) of a variable with this variance: variance / epsilon^2."""
    return variance / epsilon / epsilon


@states("lem-hoeffding")
def hoeffding_moment(s: Numbers, width: FromZero = 1.0) -> Result:
    """The bound exp(s^2 width^2 / 8) on E exp(s (Z - E Z)) for Z in an interval of this width."""
    return np.exp((s * width) ** 2 / 8)


@states("thm-hoeffding")
def hoeffding_sum_probability(epsilon: Positives, widths: FromZero) -> Result:
    """The bound on P(sum - E sum >= epsilon), variable i in an interval of width widths[i] (last axis)."""
    return mcdiarmid_probability(epsilon, widths)


@states("cor-hoeffding-mean")
def hoeffding_probability(m: Sizes, epsilon: Positives, width: Positives = 1.0) -> Result:
    """The bound exp(-2 m epsilon^2 / width^2) on P(average - E average >= epsilon), and on the lower tail."""
    return np.exp(-2 * m * (epsilon / width) ** 2)


@states("cor-hoeffding-mean")
def hoeffding_deviation(m: Sizes, delta: Confidences, width: Positives = 1.0) -> Result:
    """The epsilon for which that probability is delta: width sqrt(ln(1/delta) / (2m))."""
    return width * np.sqrt(np.log(1 / delta) / (2 * m))


@states("cor-hoeffding-mean")
def hoeffding_sample_size(epsilon: Positives, delta: Confidences, width: Positives = 1.0) -> Result:
    """The least whole m for which that probability is at most delta."""
    return whole(np.log(1 / delta) / (2 * (epsilon / width) ** 2))


@checks_ranges
def kl(q: Chances, p: Chances) -> Result:
    """The relative entropy q ln(q/p) + (1 - q) ln((1 - q)/(1 - p)) of two coins; inf if p is 0 or 1 and q is not."""
    with np.errstate(invalid="ignore"):
        entropy = xlog1py(q, (q - p) / p) + xlog1py(1 - q, (p - q) / (1 - p))
    return np.where(q == p, 0.0, np.maximum(entropy, 0.0))


@states("thm-chernoff-kl")
def chernoff_probability(m: Sizes, q: Chances, p: Chances) -> Result:
    """The bound exp(-m kl(q, p)) on P(average >= q) for q >= p, and on P(average <= q) for q <= p."""
    return np.exp(-m * kl(q, p))


@states("prop-chernoff-exponent")
def chernoff_floor(m: Sizes, q: Chances, p: Chances) -> Result:
    """What P(m q heads in m tosses of a coin p) is at least, if m q is whole: exp(-m kl(q, p)) / (m + 1)."""
    return chernoff_probability(m, q, p) / (m + 1)


@states("cor-kl-limit")
def kl_upper(error: Chances, n: Sizes, delta: Confidences) -> Result:
    """The largest risk p in [error, 1] with kl(error, p) <= ln(1/delta) / n, by bisection, rounded up."""
    error, n, delta = np.broadcast_arrays(error, n, delta)
    allowed, low, high = np.log(1 / delta) / n, error.copy(), np.ones_like(error)
    for _ in range(60):
        middle = (low + high) / 2
        inside = kl(error, middle) <= allowed
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return high


@states("thm-test-set")
def risk_upper(error: Chances, n: Sizes, delta: Confidences) -> Result:
    """The limit above the true risk with probability at least 1 - delta: error + sqrt(ln(1/delta) / (2n))."""
    return error + hoeffding_deviation(n, delta)


@states("thm-test-set")
def risk_interval(error: Chances, n: Sizes, delta: Confidences) -> tuple[Result, Result]:
    """Lower and upper limit (low, high) around the true risk with probability at least 1 - delta."""
    margin = risk_deviation(n, delta)
    return error - margin, error + margin


@states("thm-test-set")
def risk_deviation(n: Sizes, delta: Confidences) -> Result:
    """Half the width of that interval: sqrt(ln(2/delta) / (2n))."""
    return hoeffding_deviation(n, delta / 2)


@states("thm-test-set")
def risk_probability(n: Sizes, epsilon: Positives) -> Result:
    """The bound 2 exp(-2 n epsilon^2) on P(|test error - true risk| >= epsilon)."""
    return 2 * hoeffding_probability(n, epsilon)


@states("thm-test-set")
def risk_sample_size(epsilon: Positives, delta: Confidences) -> Result:
    """The least n for which the test error is within epsilon of the risk with probability at least 1 - delta."""
    return hoeffding_sample_size(epsilon, delta / 2)


@states("thm-clopper-pearson")
def clopper_pearson_upper(errors: Naturals, n: Counts, delta: Confidences) -> Result:
    """The risk p at which ``errors`` or fewer of n zero-one losses have probability delta; 1 if all n are errors."""
    require(errors <= n, "whole errors between 0 and n")
    require(delta >= 1e-100, "delta >= 1e-100")  # SciPy's beta law fails below
    p = betainccinv(errors + 1, n - errors, delta)  # P(at most so many errors) = delta at this p; nan if all are
    return np.where(errors == n, 1.0, p)


@states("thm-clopper-pearson")
def clopper_pearson_interval(errors: Naturals, n: Counts, delta: Confidences) -> tuple[Result, Result]:
    """Exact limits (low, high) on both sides, each of which fails with probability at most delta / 2."""
    return 1 - clopper_pearson_upper(n - errors, n, delta / 2), clopper_pearson_upper(errors, n, delta / 2)


@states("prop-wald")
def wald_coverage_limit(n: Sizes, p: Numbers) -> Result:
    """What the coverage of the interval error -+ z sqrt(error (1 - error) / n) is at most: 1 - (1 - p)^n."""
    require((0 < p) & (p < 1), "0 < p < 1")
    return -np.expm1(n * np.log1p(-p))


@states("thm-mcdiarmid")
def mcdiarmid_probability(epsilon: Positives, c: FromZero) -> Result:
    """The bound exp(-2 epsilon^2 / sum c_i^2) on P(Phi - E Phi >= epsilon), and on the lower tail."""
    return np.exp(-2 * epsilon**2 / _sum_of_squares(c))


@states("thm-mcdiarmid")
def mcdiarmid_deviation(delta: Confidences, c: FromZero) -> Result:
    """The epsilon for which that probability is delta: sqrt(ln(1/delta) sum c_i^2 / 2)."""
    return np.sqrt(np.log(1 / delta) * _sum_of_squares(c) / 2)


def _sum_of_squares(c):
    squares = (np.atleast_1d(c) ** 2).sum(axis=-1)
    require(squares > 0, "differences that are not all zero")
    return squares
