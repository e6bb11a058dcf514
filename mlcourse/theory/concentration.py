"""How far an average, or another function of independent variables, is from its expectation.

Letters
    m          number of independent variables; n when they are the losses on a test set
    epsilon    a deviation: the average exceeds its expectation by at least epsilon
    delta      the probability with which the promise may fail
    s          the factor in the exponent of Chernoff's method
    a          a threshold
    p, q       an expectation in [0, 1], and a value of the average
    c          bounded differences: how much a function changes with its i-th variable, last axis
"""

import numpy as np
from scipy.special import betainccinv, xlog1py

from mlcourse.arguments.promises import Numbers, Result, are_whole, arrays, confidence, require, whole
from mlcourse.theory.registry import states

# --- three inequalities ---------------------------------------------------------------------------


@states("lem-markov")
def markov_probability(mean: Numbers, a: Numbers) -> Result:
    """The largest P(Z >= a) of a variable Z >= 0 with this mean: mean / a."""
    mean, a = arrays(mean, a)
    require((mean >= 0) & (a > 0), "mean >= 0 and a > 0")
    return mean / a


@states("prop-chebyshev")
def chebyshev_probability(variance: Numbers, epsilon: Numbers) -> Result:
    """The largest P(|Z - E Z| >= epsilon) of a variable with this variance: variance / epsilon^2."""
    variance, epsilon = arrays(variance, epsilon)
    require((variance >= 0) & (epsilon > 0), "variance >= 0 and epsilon > 0")
    return variance / epsilon / epsilon


@states("lem-hoeffding")
def hoeffding_moment(s: Numbers, width: Numbers = 1.0) -> Result:
    """The bound exp(s^2 width^2 / 8) on E exp(s (Z - E Z)) for Z in an interval of this width."""
    s, width = arrays(s, width)
    require(width >= 0, "width >= 0")
    return np.exp((s * width) ** 2 / 8)


# --- Hoeffding ------------------------------------------------------------------------------------


@states("thm-hoeffding")
def hoeffding_sum_probability(epsilon: Numbers, widths: Numbers) -> Result:
    """The bound on P(sum - E sum >= epsilon), variable i in an interval of width widths[i] (last axis)."""
    return mcdiarmid_probability(epsilon, widths)


@states("cor-hoeffding-mean")
def hoeffding_probability(m: Numbers, epsilon: Numbers, width: Numbers = 1.0) -> Result:
    """The bound exp(-2 m epsilon^2 / width^2) on P(average - E average >= epsilon), and on the lower tail."""
    m, epsilon, width = arrays(m, epsilon, width)
    _require_numbers(m, epsilon=epsilon, width=width)
    return np.exp(-2 * m * (epsilon / width) ** 2)


@states("cor-hoeffding-mean")
def hoeffding_deviation(m: Numbers, delta: Numbers, width: Numbers = 1.0) -> Result:
    """The epsilon for which that probability is delta: width sqrt(ln(1/delta) / (2m))."""
    m, delta, width = arrays(m, delta, width)
    _require_numbers(m, delta, width=width)
    return width * np.sqrt(np.log(1 / delta) / (2 * m))


@states("cor-hoeffding-mean")
def hoeffding_sample_size(epsilon: Numbers, delta: Numbers, width: Numbers = 1.0) -> Result:
    """The least whole m for which that probability is at most delta."""
    epsilon, delta, width = arrays(epsilon, delta, width)
    _require_numbers(1, delta, epsilon=epsilon, width=width)
    return whole(np.log(1 / delta) / (2 * (epsilon / width) ** 2))


# --- Chernoff, with the exact exponent ------------------------------------------------------------


def kl(q: Numbers, p: Numbers) -> Result:
    """The relative entropy q ln(q/p) + (1 - q) ln((1 - q)/(1 - p)) of two coins; inf if p is 0 or 1 and q is not."""
    q, p = arrays(q, p)
    require((0 <= q) & (q <= 1) & (0 <= p) & (p <= 1), "probabilities q and p")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        entropy = xlog1py(q, (q - p) / p) + xlog1py(1 - q, (p - q) / (1 - p))
    return np.where(q == p, 0.0, np.maximum(entropy, 0.0))[()]


@states("thm-chernoff-kl")
def chernoff_probability(m: Numbers, q: Numbers, p: Numbers) -> Result:
    """The bound exp(-m kl(q, p)) on P(average >= q) for q >= p, and on P(average <= q) for q <= p."""
    (m,) = arrays(m)
    _require_numbers(m)
    return np.exp(-m * kl(q, p))


@states("prop-chernoff-exponent")
def chernoff_floor(m: Numbers, q: Numbers, p: Numbers) -> Result:
    """What P(m q heads in m tosses of a coin p) is at least, if m q is whole: exp(-m kl(q, p)) / (m + 1)."""
    return chernoff_probability(m, q, p) / (arrays(m)[0] + 1)


@states("cor-kl-limit")
def kl_upper(error: Numbers, n: Numbers, delta: Numbers) -> Result:
    """The largest risk p in [error, 1] with kl(error, p) <= ln(1/delta) / n, by bisection, rounded up."""
    error, n, delta = np.broadcast_arrays(*arrays(error, n, delta))
    _require_numbers(n, delta)
    allowed, low, high = np.log(1 / delta) / n, error.copy(), np.ones_like(error)
    for _ in range(60):
        middle = (low + high) / 2
        inside = kl(error, middle) <= allowed
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return high[()]


# --- the test set ---------------------------------------------------------------------------------


@states("thm-test-set")
def risk_upper(error: Numbers, n: Numbers, delta: Numbers) -> Result:
    """The limit above the true risk with probability at least 1 - delta: error + sqrt(ln(1/delta) / (2n))."""
    return _average_loss(error) + hoeffding_deviation(n, delta)


@states("thm-test-set")
def risk_interval(error: Numbers, n: Numbers, delta: Numbers) -> tuple[Result, Result]:
    """Lower and upper limit (low, high) around the true risk with probability at least 1 - delta."""
    error, margin = _average_loss(error), risk_deviation(n, delta)
    return error - margin, error + margin


@states("thm-test-set")
def risk_deviation(n: Numbers, delta: Numbers) -> Result:
    """Half the width of that interval: sqrt(ln(2/delta) / (2n))."""
    return hoeffding_deviation(n, confidence(delta) / 2)


@states("thm-test-set")
def risk_probability(n: Numbers, epsilon: Numbers) -> Result:
    """The bound 2 exp(-2 n epsilon^2) on P(|test error - true risk| >= epsilon)."""
    return 2 * hoeffding_probability(n, epsilon)


@states("thm-test-set")
def risk_sample_size(epsilon: Numbers, delta: Numbers) -> Result:
    """The least n for which the test error is within epsilon of the risk with probability at least 1 - delta."""
    return hoeffding_sample_size(epsilon, confidence(delta) / 2)


@states("thm-clopper-pearson")
def clopper_pearson_upper(errors: Numbers, n: Numbers, delta: Numbers) -> Result:
    """The risk p at which ``errors`` or fewer of n zero-one losses have probability delta; 1 if all n are errors."""
    k, n, delta = _counts(errors, n, delta)
    p = betainccinv(k + 1, n - k, delta)  # P(at most k errors) = delta at this p; nan if k = n
    return np.where(k == n, 1.0, p)[()]


@states("thm-clopper-pearson")
def clopper_pearson_interval(errors: Numbers, n: Numbers, delta: Numbers) -> tuple[Result, Result]:
    """Exact limits (low, high) on both sides, each of which fails with probability at most delta / 2."""
    errors, n, delta = _counts(errors, n, delta)
    return 1 - clopper_pearson_upper(n - errors, n, delta / 2), clopper_pearson_upper(errors, n, delta / 2)


@states("prop-wald")
def wald_coverage_limit(n: Numbers, p: Numbers) -> Result:
    """What the coverage of the interval error -+ z sqrt(error (1 - error) / n) is at most: 1 - (1 - p)^n."""
    n, p = arrays(n, p)
    _require_numbers(n)
    require((0 < p) & (p < 1), "0 < p < 1")
    return -np.expm1(n * np.log1p(-p))


# --- McDiarmid ------------------------------------------------------------------------------------


@states("thm-mcdiarmid")
def mcdiarmid_probability(epsilon: Numbers, c: Numbers) -> Result:
    """The bound exp(-2 epsilon^2 / sum c_i^2) on P(Phi - E Phi >= epsilon), and on the lower tail."""
    epsilon, squares = *arrays(epsilon), _sum_of_squares(c)
    _require_numbers(1, epsilon=epsilon)
    return np.exp(-2 * epsilon**2 / squares)


@states("thm-mcdiarmid")
def mcdiarmid_deviation(delta: Numbers, c: Numbers) -> Result:
    """The epsilon for which that probability is delta: sqrt(ln(1/delta) sum c_i^2 / 2)."""
    delta, squares = confidence(delta), _sum_of_squares(c)
    return np.sqrt(np.log(1 / delta) * squares / 2)


# --- arguments ------------------------------------------------------------------------------------


def _require_numbers(m, delta=1.0, **positive):
    require(np.asarray(m) >= 1, "at least one variable")
    confidence(delta)
    for name, value in positive.items():
        require(np.asarray(value) > 0, f"{name} > 0")


def _counts(errors, n, delta) -> tuple[np.ndarray, ...]:
    errors, n, delta = arrays(errors, n, delta)
    _require_numbers(n, delta)
    require(are_whole(errors) & (0 <= errors) & (errors <= n), "whole errors between 0 and n")
    require(are_whole(n) & (delta >= 1e-100), "a whole number n and delta >= 1e-100")  # SciPy's beta law fails below
    return errors, n, delta


def _average_loss(error):
    (error,) = arrays(error)
    require((error >= 0) & (error <= 1), "a test error between 0 and 1")
    return error


def _sum_of_squares(c):
    c = np.atleast_1d(*arrays(c))
    require(c >= 0, "differences c >= 0")
    squares = (c**2).sum(axis=-1)
    require(squares > 0, "differences that are not all zero")
    return squares
