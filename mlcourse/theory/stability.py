"""Stability: what a learner that hardly listens to any one example is promised.

Letters
    lam    regularisation, of the mean loss + (lam/2) ||w||^2
    G      Lipschitz constant of the losses in w
    R      bound on the length of the points, sqrt(k(x, x)) for a kernel
    U      length of the comparator u
"""

import numpy as np

from mlcourse.arguments.promises import Result, require
from mlcourse.arguments.ranges import FromZero, Positives, Sizes
from mlcourse.theory.registry import states


@states("thm-rerm-stable")
def replacement_distance(m: Sizes, lam: Positives, G: FromZero) -> Result:
    """The furthest that the minimiser can move when one of m examples is replaced: 2 G / (lam m)."""
    return 2 * G / (lam * m)


@states("thm-rerm-stable")
def replacement_stability(m: Sizes, lam: Positives, G: FromZero) -> Result:
    """The most that the loss on any example can change then: 2 G^2 / (lam m)."""
    return G * replacement_distance(m, lam, G)


@states("prop-expected-gap")
def expected_gap_bound(m: Sizes, lam: Positives, G: FromZero) -> Result:
    """What E (true - empirical risk) of the minimiser is at most, for every law: sqrt(1 + 1/m) G^2 / (lam m)."""
    return replacement_stability(m, lam, G) / 2 * np.sqrt(1 + 1 / m)


@states("prop-stability-tight")
def coin_gap(m: Sizes, lam: Positives, R: FromZero) -> Result:
    """E (true - empirical hinge risk) of the SVM at one point of length R with fair labels, for lam >= R^2."""
    require(lam >= R**2, "0 <= R^2 <= lam")
    return R**2 / (lam * m)


@states("cor-svm-risk")
def svm_penalty(m: Sizes, lam: Positives, U: FromZero, R: FromZero) -> Result:
    """What the SVM's expected hinge risk can exceed that of any u of length U by: (lam/2) U^2 + 2 R^2 / (lam m)."""
    return replacement_stability(m, lam, R) + lam * U**2 / 2


@states("cor-svm-risk")
def svm_best_lam(m: Sizes, U: Positives, R: Positives) -> Result:
    """The lam of least penalty for comparators of length U: 2 R / (U sqrt m)."""
    return 2 * R / U / np.sqrt(m)


@states("cor-svm-risk")
def svm_best_penalty(m: Sizes, U: FromZero, R: FromZero) -> Result:
    """That least penalty: 2 R U / sqrt m."""
    return 2 * R * U / np.sqrt(m)
