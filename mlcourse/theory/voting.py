"""Votes of independent rules, and what a bootstrap sample holds.

Letters
    T       number of votes
    p       probability that a single vote is wrong
    edge    1/2 minus the error of a rule; for several rules, the mean of these
    m       size of the sample
"""

import numpy as np
from scipy.stats import binom

from mlcourse.theory._numbers import are_whole, arrays, require


def majority_error(T, p):
    """The probability that at least half of T independent votes are wrong, each with probability p."""
    T, p = arrays(T, p)
    require((T >= 1) & are_whole(T), "whole T >= 1")
    require((p >= 0) & (p <= 1), "0 <= p <= 1")
    return binom.sf(np.ceil(T / 2) - 1, T, p)[()]


def independent_vote(T, edge):
    """A bound on the fraction of errors of a vote of T rules whose errors are mutually independent: e^(-2 T edge^2)."""
    T, edge = arrays(T, edge)
    require((T >= 1) & (edge >= 0) & (edge <= 1 / 2), "T >= 1 and 0 <= edge <= 1/2")
    return np.exp(-2 * (T * edge**2))


def independent_events(m):
    """The most mutually independent events, none of probability 0 or 1, on m equally likely points: at most log2 m."""
    (m,) = arrays(m)
    require((m >= 1) & are_whole(m), "whole m >= 1")
    return (np.frexp(m)[1] - 1)[()]  # the integer part of log2 m, exactly


def unique_fraction(m):
    """The expected fraction of the m examples in a bootstrap sample: 1 - (1 - 1/m)^m, which falls to 1 - 1/e."""
    (m,) = arrays(m)
    require((m >= 1) & are_whole(m), "whole m >= 1")
    with np.errstate(divide="ignore"):
        return -np.expm1(m * np.log1p(-1 / m))
