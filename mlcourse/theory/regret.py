"""What online gradient descent promises, on any sequence of losses and on random ones.

Letters
    T, m       number of rounds; of independent examples
    U, G       radius of the ball of comparators; bound on the gradients at the played weights
    R          radius of the data: labels of the square loss are at most U R
    tau        factor of the steps tau / sqrt(t)
    mu         strong convexity of the losses
    H, norm    sum of the hinge losses of a comparator, and its length
    c          length of the interval in which a difference of losses lies, given the past
"""

import numpy as np
from scipy.special import beta

from mlcourse.arguments.promises import Result, harmonic
from mlcourse.arguments.ranges import Confidences, FromZero, Numbers, Positives, Sizes
from mlcourse.theory.concentration import hoeffding_deviation, mcdiarmid_probability
from mlcourse.theory.registry import states


@states("thm-ogd")
def ogd_regret_of_step(T: Sizes, U: Positives, G: Positives, tau: Positives) -> Result:
    """The largest regret of online gradient descent with the steps tau / sqrt(t): (2 U^2 / tau + tau G^2) sqrt(T)."""
    return (2 * U * (U / tau) + tau * G * G) * np.sqrt(T)


@states("thm-ogd")
def ogd_regret(T: Sizes, U: Positives, G: Positives) -> Result:
    """The same for the best factor, tau = sqrt(2) U / G: U G sqrt(8 T)."""
    return U * G * np.sqrt(8 * T)


@states("prop-ogd-known")
def minimax_regret(T: Sizes, U: Positives, G: Positives) -> Result:
    """The largest regret of the constant step U / (G sqrt(T)), from dimension 2 on the least possible: U G sqrt(T)."""
    return U * G * np.sqrt(T)


@states("prop-ogd-lower")
def regret_floor(T: Sizes, U: Positives, G: Positives) -> Result:
    """What no algorithm can go below on all sequences, in any dimension: U G sqrt(T / 2)."""
    return U * G * np.sqrt(T / 2)


@states("prop-ogd-lower")
def walk_distance(T: Sizes) -> Result:
    """The mean distance from its start of a fair walk of T steps: 2n (2n choose n) / 4^n for n = ceil(T / 2)."""
    n = np.ceil(T / 2)
    return 2 * n * beta(n + 0.5, 0.5) / np.pi


@states("prop-ogd-square")
def square_gradient(U: Positives, R: Positives) -> Result:
    """The largest gradient of the square loss in the ball: 4 U R^2."""
    return 4 * U * R * R


@states("prop-ogd-square")
def square_regret(T: Sizes, U: Positives, R: Positives) -> Result:
    """The largest regret for the square loss: 8 (U R)^2 sqrt(2 T)."""
    return 8 * (U * R) ** 2 * np.sqrt(2 * T)


@states("thm-perceptron-oracle")
def perceptron_oracle(H: FromZero, norm: FromZero, R: FromZero) -> Result:
    """The most mistakes of the perceptron, from one comparator: H + b^2 + b sqrt(H) with b = norm * R."""
    b = norm * R
    return H + b * b + b * np.sqrt(H)


@states("thm-perceptron-oracle")
def perceptron_oracle_sharp(H: FromZero, norm: FromZero, R: FromZero) -> Result:
    """The root of M = H + b sqrt(M): H + b^2 / 2 + b sqrt(H + b^2 / 4)."""
    b = norm * R
    return H + b * b / 2 + b * np.sqrt(H + b * b / 4)


@states("thm-ogd-strong")
def strong_regret(T: Sizes, G: Positives, mu: Positives) -> Result:
    """The largest regret on mu-strongly convex losses with the steps 1 / (mu t): G^2 / (2 mu) (1 + ln T)."""
    return G * (G / (2 * mu)) * (1 + np.log(T))


@states("prop-log-regret-exact")
def strong_regret_exact(T: Sizes, G: Positives, mu: Positives) -> Result:
    """The regret on parabolas with gradients of length G at the played weights: G^2 / (2 mu) (1 + 1/2 + ... + 1/T)."""
    return G * (G / (2 * mu)) * harmonic(T)


@states("thm-azuma")
def azuma_probability(epsilon: Positives, c: FromZero) -> Result:
    """The bound exp(-2 epsilon^2 / sum c_t^2) on P(sum of Z_t - E[Z_t | past] >= epsilon)."""
    return mcdiarmid_probability(epsilon, c)


@states("thm-online-to-batch")
def batch_excess(m: Sizes, delta: Confidences, regret: Numbers, c: FromZero) -> Result:
    """The most by which the average weights are worse than the comparator: regret / m + c sqrt(ln(1/delta) / (2m))."""
    return regret / m + c * hoeffding_deviation(m, delta)


@states("cor-square-batch")
def square_batch_excess(m: Sizes, delta: Confidences, U: Positives, R: Positives) -> Result:
    """The same for online gradient descent on the square loss: 4 sqrt(2) (U R)^2 (2 + sqrt(ln(1/delta))) / sqrt(m)."""
    return batch_excess(m, delta, square_regret(m, U, R), 8 * (U * R) ** 2)


@states("prop-square-batch-lower")
def square_batch_floor(m: Sizes, U: Positives, R: Positives) -> Result:
    """The mean excess that no learner of weights in the ball avoids in 4m dimensions: (U R)^2 / (2 sqrt(m))."""
    return (U * R) ** 2 / (2 * np.sqrt(m))
