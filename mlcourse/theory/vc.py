"""Shattering, the growth function, the VC dimension, and the bounds that rest on it.

Letters
    V          VC dimension
    values     a finite class: values[h, i] = h(x_i) in {-1, +1}, shape (n_hypotheses, n_points)
    X          points (m, d)
    k          number of intervals
    omega      frequency of the rule x -> sgn(sin(omega x))
    y          labels -1, +1
"""

import itertools
import math
import reprlib

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog
from scipy.special import comb

from mlcourse.arguments.promises import Result, checks_ranges, first, require
from mlcourse.arguments.ranges import Confidences, Count, FromZero, Natural, Naturals, Positives, Sizes, floats, matrix
from mlcourse.theory.registry import states

MAX_SUBSETS = 200_000  # subsets looked at one by one
MAX_DIGITS = 300  # of omega, one for each label, so that it is a float
MAX_TERMS = 1100  # of a sum of binomial coefficients: if more of them are not zero, it is too large for a float
MAX_LABELLINGS = 2**12  # labellings put to a linear programme


@states("prop-sine-shatters")
def sine_frequency(y: ArrayLike) -> float:
    """An omega for which sgn(sin(omega x)) gives the points 10^-1, ..., 10^-m the labels y.

    It is pi times (1 + the sum of 10^i over the i with y_i = -1). A float holds its digits up to m = 15; for more
    labels the formula is right and the number is not.
    """
    y = _signs(y, 1, "y must be a list of labels -1 and +1")
    if len(y) > MAX_DIGITS:
        raise ValueError(f"y must have at most {MAX_DIGITS} labels, got {len(y)}")
    return math.pi * (1 + sum(10.0**i for i, label in enumerate(y, start=1) if label < 0))


# --- counting dichotomies --------------------------------------------------------------------------


def _signs(values: ArrayLike, ndim: int, expected: str) -> np.ndarray:
    """``values`` as a non-empty array of -1 and +1 with so many axes, or an error that says what is expected."""
    numbers = floats("values", values)
    if numbers.ndim != ndim or not len(numbers) or (np.abs(numbers) != 1).any():
        raise ValueError(f"{expected}, got {reprlib.repr(values)}")
    return np.asarray(values)


def dichotomies(values: ArrayLike) -> np.ndarray:
    """The different labellings that the class gives its points: the distinct rows."""
    expected = "values must be a matrix of -1 and +1 with a row for each hypothesis and a column for each point"
    return np.unique(_signs(values, 2, expected), axis=0)


def shatters(values: ArrayLike) -> bool:
    """Whether the class gives its points every labelling."""
    return len(dichotomies(values)) == 2 ** np.shape(values)[1]


@checks_ranges
def growth_function(values: ArrayLike, m: Count) -> int:
    """The most labellings that the class gives to m of its points, by looking at every choice of m points."""
    values = dichotomies(values)
    n = values.shape[1]
    if m > n:
        raise ValueError(f"m must lie between 1 and the number of points {n}, got {m}")
    if math.comb(n, m) > MAX_SUBSETS:
        raise ValueError(f"{n} points have {math.comb(n, m)} subsets of size {m}, at most {MAX_SUBSETS} are looked at")
    return max(len(dichotomies(values[:, list(chosen)])) for chosen in itertools.combinations(range(n), m))


def shattered_sets(values: ArrayLike) -> list[tuple[int, ...]]:
    """Every set of points that the class shatters, as tuples of columns, the empty set first."""
    values = dichotomies(values)
    n = values.shape[1]
    found: list[tuple[int, ...]] = [()]
    last = found
    while last:  # a set is shattered only if all of its subsets are
        larger = [(*chosen, i) for chosen in last for i in range(chosen[-1] + 1 if chosen else 0, n)]
        last = [chosen for chosen in larger if shatters(values[:, list(chosen)])]
        found += last
        if len(found) > MAX_SUBSETS:
            raise ValueError(f"the class shatters more than {MAX_SUBSETS} sets: use fewer points")
    return found


def vc_dimension(values: ArrayLike) -> int:
    """The size of the largest set of points that the class shatters."""
    return len(shattered_sets(values)[-1])


@checks_ranges
def threshold_class(m: Count) -> np.ndarray:
    """The rules "+1 above theta, else -1" on m points in increasing order: (m + 1, m)."""
    return np.where(np.arange(m) >= np.arange(m + 1)[:, None], 1, -1)


@checks_ranges
def interval_class(m: Count, k: Natural = 1) -> np.ndarray:
    """The rules "+1 on a union of at most k intervals, else -1" on m points in increasing order.

    Each is given by an even number of cuts among the m + 1 gaps; the label changes at every cut.
    """
    k = min(k, 20)  # with m < 40 there is no more to list, and otherwise it is too much
    if sum(math.comb(m + 1, 2 * j) for j in range(k + 1)) > MAX_SUBSETS:
        raise ValueError(f"{m} points have more than {MAX_SUBSETS} labellings by {k} intervals: use fewer points")
    choices = [cuts for j in range(k + 1) for cuts in itertools.combinations(range(m + 1), 2 * j)]
    return 2 * np.array([np.searchsorted(cuts, np.arange(m), side="right") % 2 for cuts in choices]) - 1


def half_space_class(X: ArrayLike, bias: bool = True) -> np.ndarray:
    """Every labelling of the points by the rules "+1 if w.x + b >= 0, else -1", found by linear programming.

    Without ``bias``, b = 0. A labelling is realised if some (w, b) has w.x + b >= 0 on its positive and <= -1 on its
    negative points; scaling (w, b) up shows that -1 is as good as any negative number.
    """
    X = matrix("X", X, "(m, d)")
    if 2 ** len(X) > MAX_LABELLINGS:
        raise ValueError(f"X must have so few points that 2^m is at most {MAX_LABELLINGS}, got {len(X)}")
    X = np.column_stack([X, np.ones(len(X))]) if bias else X
    labellings = 1.0 - 2 * np.array(list(itertools.product((0, 1), repeat=len(X))))
    return np.array([y for y in labellings if _feasible(-y[:, None] * X, np.minimum(y, 0))])


def _feasible(A, b):
    """Whether some z has A z <= b."""
    status = linprog(np.zeros(A.shape[1]), A_ub=A, b_ub=b, bounds=(None, None)).status
    if status not in (0, 2):  # solved, infeasible
        raise ValueError("the linear programme failed: rescale the points")
    return status == 0


# --- what is promised ------------------------------------------------------------------------------


@states("lem-sauer")
def sauer(m: Naturals, V: Natural) -> Result:
    """The most labellings of m points by a class of VC dimension V: the number of subsets of at most V points."""
    return sum(comb(m, i) for i in range(min(V, MAX_TERMS) + 1))


@states("lem-sauer")
def sauer_power(m: Sizes, V: Sizes) -> Result:
    """The closed form (e m / V)^V above it, for m >= V >= 1."""
    require(m >= V, "m >= V >= 1")
    return (math.e * m / V) ** V


@states("cor-vc-rademacher")
def vc_complexity(m: Sizes, V: Sizes) -> Result:
    """The largest Rademacher complexity of a class of classifiers of VC dimension V, for m >= V >= 1."""
    require(m >= V, "m >= V >= 1")
    return np.sqrt(2 * V * np.log(math.e * m / V) / m)


@states("lem-without-replacement")
def halves_probability(m: Sizes, epsilon: FromZero) -> Result:
    """The largest chance that a random half of 2m zeros and ones has a mean epsilon above that of the other half."""
    return np.exp(-(m - 3 / 4) * epsilon**2)


@states("thm-vc-bound")
def vc_deviation(m: Positives, V: Sizes, delta: Confidences) -> Result:
    """sup (true risk - empirical risk) is at most this with probability 1 - delta, zero-one loss, 1 <= V <= 2m."""
    require(V <= 2 * m, "1 <= V <= 2m")
    return np.sqrt((V * (np.log(2 * m / V) + 1) + np.log(4 / delta)) / m)


@states("thm-vc-bound")
def vc_probability(m: Positives, V: Sizes, epsilon: FromZero) -> Result:
    """The largest chance that sup (true risk - empirical risk) exceeds epsilon: 4 (2em/V)^V exp(-m epsilon^2)."""
    require(V <= 2 * m, "1 <= V <= 2m")
    return 4 * np.exp(V * (np.log(2 * m / V) + 1) - m * epsilon**2)


@states("thm-vc-bound")
def vc_sample_size(V: Count, epsilon: Positives, delta: Confidences) -> int:
    """The smallest m >= V/2 with vc_deviation(m, V, delta) <= epsilon; found by bisection, as it decreases in m."""
    require(np.ndim(epsilon) == np.ndim(delta) == 0, "one number epsilon > 0 and one delta")
    return first(lambda m: vc_deviation(floats("m", m), V, delta) <= epsilon, above=math.ceil(V / 2) - 1)
