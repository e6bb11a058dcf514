"""What local rules promise: nearest neighbours and histograms on the cube [-1, 1]^d.

Letters
    m, d          size of the sample, dimension
    c             Lipschitz constant of eta(x) = P(Y = 1 | x)
    k             number of neighbours that vote
    K, r          cells along each side of the cube, and all cells (r = K^d)
    bayes_risk    the least zero-one risk of any classifier
    a, q          the share k / m of the sample that votes, and the mass of a point
"""

import math

import numpy as np
from scipy.special import gammaln

from mlcourse.arguments.promises import Result, require, whole
from mlcourse.arguments.ranges import FromZero, Halves, Numbers, Positives, Sizes
from mlcourse.theory.registry import states


@states("lem-missed-mass")
def missed_mass(m: Sizes, r: Sizes) -> Result:
    """The largest expected probability of the cells, r of them, that no example of a sample of size m meets."""
    return r / (math.e * m)


@states("lem-rare-cells")
def rare_mass(m: Sizes, k: Sizes, r: Sizes) -> Result:
    """The largest expected probability of those of r cells that fewer than k of m examples meet."""
    return r / (m + 1) * k


@states("lem-nn-distance")
def nearest_distance(m: Sizes, d: Sizes) -> Result:
    """The largest expected distance to the nearest of m points in the cube, by the cells of one size."""
    return 4 * np.sqrt(d) * m ** (-1 / (d + 1))


@states("prop-nn-distance-sharp")
def nearest_distance_sharp(m: Sizes, d: Sizes) -> Result:
    """The same by cells of all sizes: 4 / (m + 1) on the line, of the order m^(-1/d) for d >= 2."""
    require((d == 1) | (d >= 2), "d = 1 or d >= 2")
    beyond = np.maximum(d, 2)
    return np.where(d == 1, 4 / (m + 1), 4 * np.sqrt(d) * beyond / (beyond - 1) * (math.e * m) ** (-1 / d))


@states("prop-curse")
def nearest_distance_floor(m: Sizes, d: Sizes) -> Result:
    """The least expected distance to the nearest of m points if the points are uniform on the cube."""
    log_ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)  # the volume of the unit ball
    return d / (d + 1) * np.exp(np.log(2) - (np.log(m) + log_ball) / d)


@states("prop-cover-hart")
def cover_hart(bayes_risk: Halves) -> Result:
    """The largest value of 2 E eta (1 - eta), the limit of the risk of one neighbour: 2 R (1 - R)."""
    return 2 * bayes_risk * (1 - bayes_risk)


@states("thm-one-nn")
def one_nn_accuracy(m: Sizes, d: Sizes, c: FromZero) -> Result:
    """How far the expected risk of one neighbour may be from 2 E eta (1 - eta): 4 c sqrt(d) m^(-1/(d+1))."""
    return c * nearest_distance(m, d)


@states("thm-one-nn")
def one_nn_risk(m: Sizes, d: Sizes, c: FromZero, bayes_risk: Halves) -> Result:
    """The largest expected risk of one neighbour: 2 R (1 - R) plus the accuracy."""
    return cover_hart(bayes_risk) + one_nn_accuracy(m, d, c)


@states("thm-one-nn")
def one_nn_sample_size(epsilon: Positives, d: Sizes, c: FromZero) -> Result:
    """The least m with one_nn_accuracy(m, d, c) <= epsilon: (4 c sqrt(d) / epsilon)^(d+1)."""
    return whole((4 * c * np.sqrt(d) / epsilon) ** (d + 1))


@states("lem-majority-of-k")
def majority_factor(k: Numbers) -> Result:
    """How many times the error of the majority of k noisy labels may exceed the least one: 1 + 2 / sqrt(k)."""
    require(k >= 7, "k >= 7")
    return 1 + 2 / np.sqrt(k)


@states("thm-knn")
def knn_risk(m: Sizes, k: Numbers, d: Sizes, c: FromZero, bayes_risk: Halves) -> Result:
    """The largest expected risk of k neighbours: a factor times R, plus (12 c sqrt(d) + k) m^(-1/(d+1))."""
    require(k <= m, "7 <= k <= m")
    return majority_factor(k) * bayes_risk + (12 * c * np.sqrt(d) + k) * m ** (-1 / (d + 1))


@states("thm-knn-excess")
def knn_excess(m: Sizes, k: Sizes, d: Sizes, c: FromZero) -> Result:
    """The largest expected excess risk of k neighbours: 1 / sqrt(k) + 2 c times a distance at size m / k."""
    require(k <= m, "1 <= k <= m")
    n = np.floor(m / k)
    return 1 / np.sqrt(k) + 2 * c * np.minimum(nearest_distance(n, d), nearest_distance_sharp(n, d))


@states("cor-knn-rate")
def knn_rate(m: Sizes, d: Sizes, c: FromZero) -> Result:
    """The largest expected excess risk of ceil(m^(2/(d+2))) neighbours: (1 + 20 c sqrt(d)) m^(-1/(d+2))."""
    return (1 + 20 * c * np.sqrt(d)) * m ** (-1 / (d + 2))


@states("prop-k-linear")
def linear_k_risk(m: Sizes, a: Numbers, q: Positives) -> Result:
    """The least expected risk of ceil(a m) neighbours on two points, the lighter of mass q; the Bayes risk is 0."""
    require((2 * q < a) & (a < 1), "0 < 2q < a < 1")
    return q * (1 - np.exp(-2 * m * (a / 2 - q) ** 2))


@states("thm-histogram-rate")
def histogram_excess(m: Sizes, d: Sizes, c: FromZero, K: Sizes) -> Result:
    """The largest expected excess risk of a histogram with K^d cells: 4 c sqrt(d) / K + 1.8 sqrt(K^d / m)."""
    return 4 * c * np.sqrt(d) / K + 1.8 * K ** (d / 2) / np.sqrt(m)


@states("thm-histogram-rate")
def histogram_rate(m: Sizes, d: Sizes, c: FromZero) -> Result:
    """The same with K = floor(m^(1/(d+2))) cells a side: (8 c sqrt(d) + 1.8) m^(-1/(d+2))."""
    return (8 * c * np.sqrt(d) + 1.8) * m ** (-1 / (d + 2))
