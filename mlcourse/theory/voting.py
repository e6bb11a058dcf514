"""Votes, bootstrap samples and bags: what they promise.

Letters
    T       number of votes
    p       probability that a single vote is wrong
    edge    1/2 minus the error of a rule; for several rules, the mean of these
    m       size of the sample
    B       number of members of a bag
    s, c    strength of voters (the mean margin of one of them), correlation of their margins
"""

import numpy as np
from scipy.special import betainc

from mlcourse.arguments.promises import Result, require, whole
from mlcourse.arguments.ranges import Chances, Confidences, Count, Counts, Edges, Halves, Shares, Sizes
from mlcourse.theory.registry import states


@states("prop-vote")
def majority_error(T: Counts, p: Chances) -> Result:
    """The probability that at least half of T independent votes are wrong, each with probability p."""
    half = np.ceil(T / 2)
    return betainc(half, T - half + 1, p)  # the distribution function of the half-th of T uniform numbers, at p


@states("prop-vote")
def independent_vote(T: Sizes, edge: Halves) -> Result:
    """A bound on the fraction of errors of a vote of T rules whose errors are mutually independent: e^(-2 T edge^2)."""
    return np.exp(-2 * (T * edge**2))


@states("prop-vote")
def independent_vote_sharp(T: Sizes, edge: Halves) -> Result:
    """The same with Chernoff's exponent, which is exact for equal errors: (1 - 4 edge^2)^(T/2)."""
    return (1 - 4 * edge**2) ** (T / 2)


@states("prop-vote")
def enough_votes(edge: Edges, delta: Confidences) -> Result:
    """The least number of votes for which e^(-2 T edge^2) is at most delta."""
    return whole(np.log(1 / delta) / 2 / edge**2)


@states("prop-independent-events")
def independent_events(m: Count) -> int:
    """The most mutually independent events, none of probability 0 or 1, on m equally likely points.

    It is the number of prime factors of m, each counted as often as it occurs: at most log2 m.
    """
    p, factors = 2, 0
    require(m <= 10**12, "m <= 10^12")  # the search for factors takes sqrt(m) steps
    while p * p <= m:
        if m % p == 0:
            m, factors = m // p, factors + 1
        else:
            p += 1
    return factors + (m > 1)


@states("prop-product-identity")
def product_identity_error(T: Counts, p: Halves) -> Result:
    """The error of an odd vote that satisfies the product identity only: (2 T p - (T - 1) p^T) / (T + 1)."""
    require(T % 2 == 1, "odd T >= 1")
    return (2 * T * p - (T - 1) * p**T) / (T + 1)


@states("prop-strength-correlation")
def strength_bound(s: Shares, c: Chances) -> Result:
    """The error that a vote of strength s and correlation c does not exceed, by Chebyshev: c (1 - s^2) / s^2."""
    return c * (1 - s**2) / s**2


@states("prop-strength-correlation")
def strength_bound_sharp(s: Shares, c: Chances) -> Result:
    """The same by Cantelli: v / (v + s^2) with v = c (1 - s^2), never above 1."""
    v = c * (1 - s**2)
    return v / (v + s**2)


@states("prop-unique-fraction")
def unique_fraction(m: Counts) -> Result:
    """The expected fraction of the m examples in a bootstrap sample: 1 - (1 - 1/m)^m, which falls to 1 - 1/e."""
    return -np.expm1(m * np.log1p(-1 / m))


@states("thm-out-of-bag")
def out_of_bag_fraction(m: Counts, B: Counts) -> Result:
    """The expected fraction of the m examples that at least one of B members did not see."""
    return 1 - unique_fraction(m) ** B


@states("prop-bagging-maximum")
def maximum_errors(m: Count) -> np.ndarray:
    """Mean square errors of three estimates of 1 from m uniform numbers on [0, 1].

    They are: the maximum; the mean of the maxima of all bootstrap samples; the maximum of one bootstrap sample.
    """
    below = (np.arange(1, m + 1) / m) ** m  # the chance that the k smallest numbers hold the whole bootstrap sample
    chance, gaps = np.diff(below, prepend=0), np.arange(m, 0, -1)  # from the k-th smallest number up to 1
    moments = np.array([2, below.sum() ** 2 + (below**2).sum(), chance @ (gaps * (gaps + 1))])
    return moments / ((m + 1) * (m + 2))
