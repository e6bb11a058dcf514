"""Margin bounds: what the margins on the sample promise for new points, in the ball ||f|| <= B of a kernel's space.

Letters
    rho      margin that is asked for
    B        radius of the ball, fixed before the data
    R        bound on sqrt(k(x, x))
    trace    sum of k(x_i, x_i) over the sample
    epsilon  deviation: zero-one risk minus mean ramp loss on the sample

Each deviation is to be added to the mean ramp loss at margin rho.
"""

import numpy as np

from mlcourse.arguments.promises import Result, require, whole
from mlcourse.arguments.ranges import Confidences, FromZero, Numbers, Positives, Shares, Sizes
from mlcourse.theory.concentration import hoeffding_deviation
from mlcourse.theory.rademacher import ball_complexity, rademacher_data_deviation, rademacher_deviation
from mlcourse.theory.registry import states


def all_margins_deviation(m: Sizes, delta: Confidences, rho: Shares, complexity: Result) -> Result:
    """For all 0 < rho <= 1 at once: 4 complexity / rho, the price of choosing rho, and a deviation at delta / 2."""
    return 4 * complexity / rho + _price(m, rho) + hoeffding_deviation(m, delta / 2)


def _ball(m, B, R):
    """B R / sqrt m, the largest complexity of the ball when all points have length at most R."""
    return R * ball_complexity(m, m, B)


@states("thm-margin-fixed")
def margin_deviation(m: Sizes, delta: Confidences, rho: Positives, B: FromZero, R: FromZero) -> Result:
    """2 B R / (rho sqrt m) + sqrt(ln(1/delta) / (2m))."""
    return rademacher_deviation(m, delta, _ball(m, B, R) / rho)


@states("thm-margin-fixed")
def margin_probability(m: Sizes, epsilon: Numbers, rho: Positives, B: FromZero, R: FromZero) -> Result:
    """The probability that some f of the ball has a deviation above epsilon: at most this."""
    return np.exp(-2 * m * np.maximum(epsilon - 2 * _ball(m, B, R) / rho, 0) ** 2)


@states("thm-margin-fixed")
def margin_sample_size(epsilon: Positives, delta: Confidences, rho: Positives, B: FromZero, R: FromZero) -> Result:
    """The least m at which the deviation is at most epsilon."""
    return whole((margin_deviation(1, delta, rho, B, R) / epsilon) ** 2)


@states("thm-margin-fixed")
def margin_data_deviation(m: Sizes, delta: Confidences, rho: Positives, B: FromZero, trace: FromZero) -> Result:
    """The same computed from the sample: 2 B sqrt(trace) / (rho m) + 3 sqrt(ln(2/delta) / (2m))."""
    return rademacher_data_deviation(m, delta, ball_complexity(m, trace, B) / rho)


@states("thm-margin-uniform")
def margin_uniform_deviation(m: Sizes, delta: Confidences, rho: Shares, B: FromZero, R: FromZero) -> Result:
    """For all 0 < rho <= 1 at once: 4 B R / (rho sqrt m) + sqrt(ln log2(2/rho) / m) + sqrt(ln(2/delta) / (2m))."""
    return all_margins_deviation(m, delta, rho, _ball(m, B, R))


@states("thm-margin-uniform")
def margin_uniform_data_deviation(m: Sizes, delta: Confidences, rho: Shares, B: FromZero, trace: FromZero) -> Result:
    """4 B sqrt(trace) / (rho m) + 3 sqrt(ln log2(2/rho) / m) + 3 sqrt(ln(4/delta) / (2m))."""
    deviation = _price(m, rho) + hoeffding_deviation(m, delta / 4)
    return 4 * ball_complexity(m, trace, B) / rho + 3 * deviation


@states("cor-margin-norm")
def margin_norm_deviation(m: Sizes, delta: Confidences, norm: Numbers, R: FromZero) -> Result:
    """For all f of norm at least 1 at once, at margin 1: the uniform deviation for f / ||f|| at rho = 1 / ||f||."""
    require(norm >= 1, "a norm of at least 1")
    return margin_uniform_deviation(m, delta, 1 / norm, 1.0, R)


def _price(m, rho):
    """sqrt(ln log2(2/rho) / m), the price of choosing rho after seeing the data."""
    return np.sqrt(np.log(1 - np.log2(rho)) / m)
