"""What estimates of the risk promise when they are used to choose.

Letters
    n            size of the development set on which N = ``n_candidates`` predictors are compared
    m            size of the sample that is cut into K = ``n_folds`` folds
    p            risk of each candidate
"""

import numpy as np
from scipy.special import betainc

from mlcourse.arguments.promises import Result, require
from mlcourse.arguments.ranges import Chances, Counts, CountsFromTwo, FromZero, Numbers, Sizes
from mlcourse.theory.registry import states

MAX_SIZE = 10**6  # of a set whose error counts are looked at one by one


@states("prop-hold-out")
def hold_out_variance(sigma: FromZero, n: Sizes) -> Result:
    """The variance of the average of n losses of standard deviation sigma on a fresh sample."""
    return sigma**2 / n


@states("prop-selection-bias")
def selection_optimism(n: Sizes, n_candidates: Sizes) -> Result:
    """The most by which the least of N average losses, each in [0, 1], can lie below the least risk, on average."""
    return np.sqrt(np.log(n_candidates) / (2 * n))


@states("prop-selection-bias")
def expected_least_error(n: Counts, n_candidates: Sizes, p: Chances = 0.5) -> Result:
    """The expected least error on n examples of N independent classifiers of risk p each, exactly."""
    require(n <= MAX_SIZE, f"whole n from 1 to {MAX_SIZE}")
    sizes, k = np.expand_dims(n, -1), np.arange(1, np.max(n, initial=0) + 1)
    reaches = betainc(k, np.maximum(sizes - k + 1, 1), np.expand_dims(p, -1)) * (k <= sizes)  # P(a binomial count >= k)
    return (reaches ** np.expand_dims(n_candidates, -1)).sum(axis=-1) / n  # E min = sum over k of P(all counts >= k)


@states("prop-k-fold-variance")
def k_fold_variance(m: Counts, n_folds: CountsFromTwo, variance: FromZero, within: Numbers, between: Numbers) -> Result:
    """The variance of the K-fold estimate: of one loss, and covariances within a fold and between folds."""
    require((n_folds <= m) & (m % n_folds == 0), "n_folds <= m and m divisible by n_folds")
    n = m / n_folds
    most = variance * (1 + 1e-9)  # but for rounding
    require((np.abs(within) <= most) & (np.abs(between) <= most), "covariances up to the variance")
    return (variance + (n - 1) * within + (m - n) * between) / m
