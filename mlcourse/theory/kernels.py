"""What learning in the space of a kernel promises.

Letters
    degree     how many degrees of the features of a Gaussian kernel are kept: 0, 1, ..., degree
    gamma, R   its width, exp(-gamma |x - z|^2), and a bound on the length of the points
    epsilon    an error that may remain
"""

import numpy as np
from scipy.special import gammainc

from mlcourse.arguments.promises import Numbers, Result, are_whole, arrays, require, whole_part
from mlcourse.theory.registry import states


@states("prop-gaussian-expansion")
def gaussian_truncation(degree: Numbers, gamma: Numbers, R: Numbers) -> Result:
    """The largest error of the features of degree at most ``degree`` of a Gaussian kernel on the ball of radius R.

    It is the probability that a Poisson variable of mean 2 gamma R^2 exceeds ``degree``.
    """
    degree, gamma, R = arrays(degree, gamma, R)
    require((degree >= 0) & are_whole(degree), "a whole degree >= 0")
    return gammainc(degree + 1, _mean(gamma, R))[()]


@states("prop-gaussian-expansion")
def gaussian_degree(epsilon: Numbers, gamma: Numbers, R: Numbers) -> Result:
    """The least degree for which that error is at most ``epsilon``, for 1e-300 <= epsilon < 1."""
    epsilon, gamma, R = np.broadcast_arrays(*arrays(epsilon, gamma, R))
    require((1e-300 <= epsilon) & (epsilon < 1), "1e-300 <= epsilon < 1")
    low, high = np.full(epsilon.shape, -1.0), np.ceil(2 * _mean(gamma, R) - 4 * np.log(epsilon)) + 1  # Chernoff's
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        enough = gaussian_truncation(np.maximum(middle, 0), gamma, R) <= epsilon
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high[()]


def _mean(gamma, R):
    require((gamma > 0) & (R >= 0), "gamma > 0 and R >= 0")
    with np.errstate(over="ignore", under="ignore"):
        mean = 2 * gamma * R**2
    require(mean <= 1e12, "2 gamma R^2 <= 1e12")
    return mean


@states("thm-kernel-perceptron")
def kernel_perceptron_bound(norm: Numbers, diagonal: Numbers) -> Result:
    """The most mistakes of a kernel perceptron: ||g||^2 times the largest k(x, x), rounded down.

    ``norm`` is that of a g with y g(x) >= 1 at all examples, ``diagonal`` the largest k(x, x) or a bound on it.
    """
    norm, diagonal = arrays(norm, diagonal)
    require((norm >= 0) & (diagonal >= 0), "norm >= 0 and diagonal >= 0")
    with np.errstate(over="ignore", under="ignore"):
        return whole_part(norm**2 * diagonal)
