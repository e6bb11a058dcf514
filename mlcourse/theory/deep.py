"""What is promised of deep networks: of their gradients, and of their risk by the size of their weights.

Letters
    L            number of hidden layers
    B            bound on the sum of |v_j| ||u_j|| over the units of a hidden layer
    R            bound on the lengths of the points
    rho          margin
"""

import numpy as np

from mlcourse.arguments.promises import Result
from mlcourse.arguments.ranges import Confidences, FromZero, Naturals, Numbers, Positives, Sizes
from mlcourse.theory.margin import margin_deviation, margin_probability, margin_sample_size
from mlcourse.theory.rademacher import ball_complexity
from mlcourse.theory.registry import states


@states("prop-vanishing")
def gradient_factor(slopes: FromZero, norms: FromZero) -> Result:
    """The product of slope times norm over the layers: a gradient is at most so many times longer below than above."""
    return np.prod(np.atleast_1d(slopes * norms), axis=-1)


@states("prop-relu-gradient")
def relu_gradient(L: Naturals, gain: FromZero, gain_out: FromZero = 1.0) -> Result:
    """The mean of ||gradient at x||^2 for L layers of relu units with random weights: gain_out (gain / 2)^L."""
    with np.errstate(invalid="ignore"):
        return np.where(gain_out == 0, 0.0, gain_out * (gain / 2) ** L)


@states("thm-two-layer-rademacher")
def two_layer_complexity(m: Sizes, B: FromZero, R: FromZero) -> Result:
    """2 B R / sqrt m: the Rademacher complexity of sum_j v_j [u_j.x]_+ with any number of units is at most this."""
    return 2 * R * ball_complexity(m, m, B)


@states("thm-two-layer-rademacher")
def two_layer_deviation(m: Sizes, delta: Confidences, rho: Positives, B: FromZero, R: FromZero) -> Result:
    """4 B R / (rho sqrt m) + sqrt(ln(1/delta) / (2m))."""
    return margin_deviation(m, delta, rho / 2, B, R)


@states("thm-two-layer-rademacher")
def two_layer_probability(m: Sizes, epsilon: Numbers, rho: Positives, B: FromZero, R: FromZero) -> Result:
    """The probability that some network of the class has a deviation above epsilon: at most this."""
    return margin_probability(m, epsilon, rho / 2, B, R)


@states("thm-two-layer-rademacher")
def two_layer_sample_size(epsilon: Positives, delta: Confidences, rho: Positives, B: FromZero, R: FromZero) -> Result:
    """The least m at which the deviation is at most epsilon."""
    return margin_sample_size(epsilon, delta, rho / 2, B, R)
