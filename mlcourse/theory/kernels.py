"""What learning in the space of a kernel promises.

Letters
    degree     how many degrees of the features of a Gaussian kernel are kept: 0, 1, ..., degree
    gamma, R   its width, exp(-gamma |x - z|^2), and a bound on the length of the points
    epsilon    an error that may remain
"""

import numpy as np
from scipy.special import gammainc

from mlcourse.arguments.promises import Result, require, whole_part
from mlcourse.arguments.ranges import FromZero, Naturals, Numbers, Positives
from mlcourse.theory.registry import states


@states("prop-gaussian-expansion")
def gaussian_truncation(degree: Naturals, gamma: Positives, R: FromZero) -> Result:
    """The largest error of the features of degree at most ``degree`` of a Gaussian kernel on the ball of radius R.

    It is the probability that a Poisson variable of mean 2 gamma R^2 exceeds ``degree``.
    """
    return gammainc(degree + 1, _mean(gamma, R))


@states("prop-gaussian-expansion")
def gaussian_degree(epsilon: Numbers, gamma: Positives, R: FromZero) -> Result:
    """The least degree for which that error is at most ``epsilon``, for 1e-300 <= epsilon < 1."""
    epsilon, gamma, R = np.broadcast_arrays(epsilon, gamma, R)
    require((1e-300 <= epsilon) & (epsilon < 1), "1e-300 <= epsilon < 1")
    low, high = np.full(epsilon.shape, -1.0), np.ceil(2 * _mean(gamma, R) - 4 * np.log(epsilon)) + 1  # Chernoff's
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        enough = gaussian_truncation(np.maximum(middle, 0), gamma, R) <= epsilon
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high


def _mean(gamma, R):
    mean = 2 * gamma * R**2
    require(mean <= 1e12, "2 gamma R^2 <= 1e12")
    return mean


@states("thm-kernel-perceptron")
def kernel_perceptron_bound(norm: FromZero, diagonal: FromZero) -> Result:
    """The most mistakes of a kernel perceptron: ||g||^2 times the largest k(x, x), rounded down.

    ``norm`` is that of a g with y g(x) >= 1 at all examples, ``diagonal`` the largest k(x, x) or a bound on it.
    """
    return whole_part(norm**2 * diagonal)
