"""Features that make a kernel an inner product: k(x, z) = phi(x).phi(z).

Letters
    X       m points of R^d
    d       their dimension; degree the largest total power of a monomial
    c       constant of the polynomial kernel (x.z + c)^degree
    gamma   width of the Gaussian kernel exp(-gamma |x - z|^2)
"""

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from mlcourse.arguments.kinds import Count, Flag, NonNegative, Points, Positive, Size, checks_arguments


@checks_arguments
def monomials(d: Count, degree: Size, ordered: Flag = False) -> Iterator[tuple[int, ...]]:
    """The monomials of degree at most ``degree`` in d variables, each a tuple of indices; the empty one is 1.

    ``ordered``: x1 x2 and x2 x1 count as two.
    """
    for size in range(degree + 1):
        if ordered:
            yield from itertools.product(range(d), repeat=size)
        else:
            yield from itertools.combinations_with_replacement(range(d), size)


@checks_arguments
def n_monomials(d: Count, degree: Size, ordered: Flag = False) -> int:
    """How many they are: (d^(degree+1) - 1) / (d - 1) ordered ones, binomial(degree + d, degree) distinct ones."""
    return sum(d**size for size in range(degree + 1)) if ordered else math.comb(degree + d, degree)


def orderings(monomial: tuple[int, ...]) -> int:
    """In how many orders the factors of a monomial can be written: the multinomial coefficient."""
    counts = [monomial.count(j) for j in set(monomial)]
    return math.factorial(len(monomial)) // math.prod(map(math.factorial, counts))


def weighted_monomials(X: np.ndarray, degree: int, weight: Callable, ordered: bool) -> np.ndarray:
    """The (m, N) matrix of sqrt(weight(monomial)) times each monomial at each point."""
    columns = [math.sqrt(weight(v)) * X[:, v].prod(axis=1) for v in monomials(X.shape[1], degree, ordered)]
    return np.column_stack(columns)


@checks_arguments
def polynomial_features(X: Points, degree: Count = 2, c: NonNegative = 1.0, ordered: Flag = False) -> np.ndarray:
    """phi(X), one monomial a column, with phi(x).phi(z) = (x.z + c)^degree.

    An ordered monomial of size s has the weight binomial(degree, s) c^(degree - s), and a distinct one that times
    the number of its orderings; the root of the weight stands before it.
    """

    def weight(v):
        return math.comb(degree, len(v)) * c ** (degree - len(v)) * (1 if ordered else orderings(v))

    return weighted_monomials(X, degree, weight, ordered)


@checks_arguments
def gaussian_features(X: Points, gamma: Positive = 1.0, degree: Size = 10) -> np.ndarray:
    """The features of degree at most ``degree`` of the Gaussian kernel: phi(x).phi(z) tends to exp(-gamma |x - z|^2).

    For d = 1 they are exp(-gamma x^2) sqrt((2 gamma)^n / n!) x^n. What is left out of k(x, z) is
    exp(-gamma |x|^2 - gamma |z|^2) times the rest of the exponential series of 2 gamma x.z after n = degree.
    """
    scaled = math.sqrt(2 * gamma) * X
    powers = weighted_monomials(scaled, degree, lambda v: orderings(v) / math.factorial(len(v)), ordered=False)
    return np.exp(-(scaled**2).sum(axis=1, keepdims=True) / 2) * powers
