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

from mlcourse.arguments.promises import Numbers, Result, arrays, require, whole
from mlcourse.theory.registry import states

# --- how far away, how much is missed ---------------------------------------------------------


@states("lem-missed-mass")
def missed_mass(m: Numbers, r: Numbers) -> Result:
    """The largest expected probability of the cells, r of them, that no example of a sample of size m meets."""
    m, r = arrays(m, r)
    require((m >= 1) & (r >= 1), "m >= 1 and r >= 1")
    return r / (math.e * m)


@states("lem-rare-cells")
def rare_mass(m: Numbers, k: Numbers, r: Numbers) -> Result:
    """The largest expected probability of those of r cells that fewer than k of m examples meet."""
    m, k, r = arrays(m, k, r)
    require((m >= 1) & (k >= 1) & (r >= 1), "m >= 1, k >= 1 and r >= 1")
    return r / (m + 1) * k


@states("lem-nn-distance")
def nearest_distance(m: Numbers, d: Numbers) -> Result:
    """The largest expected distance to the nearest of m points in the cube, by the cells of one size."""
    m, d = _cube(m, d)
    return 4 * np.sqrt(d) * m ** (-1 / (d + 1))


@states("prop-nn-distance-sharp")
def nearest_distance_sharp(m: Numbers, d: Numbers) -> Result:
    """The same by cells of all sizes: 4 / (m + 1) on the line, of the order m^(-1/d) for d >= 2."""
    m, d = _cube(m, d)
    require((d == 1) | (d >= 2), "d = 1 or d >= 2")
    beyond = np.maximum(d, 2)
    return np.where(d == 1, 4 / (m + 1), 4 * np.sqrt(d) * beyond / (beyond - 1) * (math.e * m) ** (-1 / d))[()]


@states("prop-curse")
def nearest_distance_floor(m: Numbers, d: Numbers) -> Result:
    """The least expected distance to the nearest of m points if the points are uniform on the cube."""
    m, d = _cube(m, d)
    log_ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)  # the volume of the unit ball
    return d / (d + 1) * np.exp(np.log(2) - (np.log(m) + log_ball) / d)


# --- one neighbour ----------------------------------------------------------------------------


@states("prop-cover-hart")
def cover_hart(bayes_risk: Numbers) -> Result:
    """The largest value of 2 E eta (1 - eta), the limit of the risk of one neighbour: 2 R (1 - R)."""
    bayes_risk = _bayes(bayes_risk)
    return 2 * bayes_risk * (1 - bayes_risk)


@states("thm-one-nn")
def one_nn_accuracy(m: Numbers, d: Numbers, c: Numbers) -> Result:
    """How far the expected risk of one neighbour may be from 2 E eta (1 - eta): 4 c sqrt(d) m^(-1/(d+1))."""
    return _lipschitz(c) * nearest_distance(m, d)


@states("thm-one-nn")
def one_nn_risk(m: Numbers, d: Numbers, c: Numbers, bayes_risk: Numbers) -> Result:
    """The largest expected risk of one neighbour: 2 R (1 - R) plus the accuracy."""
    return cover_hart(bayes_risk) + one_nn_accuracy(m, d, c)


@states("thm-one-nn")
def one_nn_sample_size(epsilon: Numbers, d: Numbers, c: Numbers) -> Result:
    """The least m with one_nn_accuracy(m, d, c) <= epsilon: (4 c sqrt(d) / epsilon)^(d+1)."""
    (epsilon, d), c = arrays(epsilon, d), _lipschitz(c)
    require((epsilon > 0) & (d >= 1), "epsilon > 0 and d >= 1")
    return whole((4 * c * np.sqrt(d) / epsilon) ** (d + 1))


# --- many neighbours --------------------------------------------------------------------------


@states("lem-majority-of-k")
def majority_factor(k: Numbers) -> Result:
    """How many times the error of the majority of k noisy labels may exceed the least one: 1 + 2 / sqrt(k)."""
    (k,) = arrays(k)
    require(k >= 7, "k >= 7")
    return 1 + 2 / np.sqrt(k)


@states("thm-knn")
def knn_risk(m: Numbers, k: Numbers, d: Numbers, c: Numbers, bayes_risk: Numbers) -> Result:
    """The largest expected risk of k neighbours: a factor times R, plus (12 c sqrt(d) + k) m^(-1/(d+1))."""
    (m, d), (k,), c = _cube(m, d), arrays(k), _lipschitz(c)
    require(k <= m, "7 <= k <= m")
    return majority_factor(k) * _bayes(bayes_risk) + (12 * c * np.sqrt(d) + k) * m ** (-1 / (d + 1))


@states("thm-knn-excess")
def knn_excess(m: Numbers, k: Numbers, d: Numbers, c: Numbers) -> Result:
    """The largest expected excess risk of k neighbours: 1 / sqrt(k) + 2 c times a distance at size m / k."""
    (m, d), (k,), c = _cube(m, d), arrays(k), _lipschitz(c)
    require((1 <= k) & (k <= m), "1 <= k <= m")
    n = np.floor(m / k)
    return 1 / np.sqrt(k) + 2 * c * np.minimum(nearest_distance(n, d), nearest_distance_sharp(n, d))


@states("cor-knn-rate")
def knn_rate(m: Numbers, d: Numbers, c: Numbers) -> Result:
    """The largest expected excess risk of ceil(m^(2/(d+2))) neighbours: (1 + 20 c sqrt(d)) m^(-1/(d+2))."""
    (m, d), c = _cube(m, d), _lipschitz(c)
    return (1 + 20 * c * np.sqrt(d)) * m ** (-1 / (d + 2))


@states("prop-k-linear")
def linear_k_risk(m: Numbers, a: Numbers, q: Numbers) -> Result:
    """The least expected risk of ceil(a m) neighbours on two points, the lighter of mass q; the Bayes risk is 0."""
    m, a, q = arrays(m, a, q)
    require((m >= 1) & (0 < q) & (2 * q < a) & (a < 1), "m >= 1 and 0 < 2q < a < 1")
    return q * (1 - np.exp(-2 * m * (a / 2 - q) ** 2))


# --- histograms -------------------------------------------------------------------------------


@states("thm-histogram-rate")
def histogram_excess(m: Numbers, d: Numbers, c: Numbers, K: Numbers) -> Result:
    """The largest expected excess risk of a histogram with K^d cells: 4 c sqrt(d) / K + 1.8 sqrt(K^d / m)."""
    (m, d), (K,), c = _cube(m, d), arrays(K), _lipschitz(c)
    require(K >= 1, "K >= 1")
    return 4 * c * np.sqrt(d) / K + 1.8 * K ** (d / 2) / np.sqrt(m)


@states("thm-histogram-rate")
def histogram_rate(m: Numbers, d: Numbers, c: Numbers) -> Result:
    """The same with K = floor(m^(1/(d+2))) cells a side: (8 c sqrt(d) + 1.8) m^(-1/(d+2))."""
    (m, d), c = _cube(m, d), _lipschitz(c)
    return (8 * c * np.sqrt(d) + 1.8) * m ** (-1 / (d + 2))


# --- the ranges -------------------------------------------------------------------------------


def _cube(m, d) -> tuple[np.ndarray, ...]:
    m, d = arrays(m, d)
    require((m >= 1) & (d >= 1), "m >= 1 and d >= 1")
    return m, d


def _lipschitz(c) -> np.ndarray:
    (c,) = arrays(c)
    require(c >= 0, "c >= 0")
    return c


def _bayes(bayes_risk) -> np.ndarray:
    (bayes_risk,) = arrays(bayes_risk)
    require((bayes_risk >= 0) & (bayes_risk <= 1 / 2), "0 <= bayes_risk <= 1/2")
    return bayes_risk
