"""What estimates of the risk promise when they are used to choose.

Letters
    n            size of the development set on which N = ``n_candidates`` predictors are compared
    m            size of the sample that is cut into K = ``n_folds`` folds
    p            risk of each candidate
"""

import numpy as np
from scipy.special import betainc

from mlcourse.arguments.promises import Numbers, Result, are_whole, arrays, require
from mlcourse.theory.registry import states

MAX_SIZE = 10**6  # of a set whose error counts are looked at one by one


@states("prop-hold-out")
def hold_out_variance(sigma: Numbers, n: Numbers) -> Result:
    """The variance of the average of n losses of standard deviation sigma on a fresh sample."""
    sigma, n = arrays(sigma, n)
    require((n >= 1) & (sigma >= 0), "n >= 1 and sigma >= 0")
    return sigma**2 / n


@states("prop-selection-bias")
def selection_optimism(n: Numbers, n_candidates: Numbers) -> Result:
    """The most by which the least of N average losses, each in [0, 1], can lie below the least risk, on average."""
    n, n_candidates = arrays(n, n_candidates)
    require((n >= 1) & (n_candidates >= 1), "n >= 1 and n_candidates >= 1")
    return np.sqrt(np.log(n_candidates) / (2 * n))


@states("prop-selection-bias")
def expected_least_error(n: Numbers, n_candidates: Numbers, p: Numbers = 0.5) -> Result:
    """The expected least error on n examples of N independent classifiers of risk p each, exactly."""
    n, n_candidates, p = arrays(n, n_candidates, p)
    require(are_whole(n) & (1 <= n) & (n <= MAX_SIZE), f"whole n from 1 to {MAX_SIZE}")
    require(n_candidates >= 1, "n_candidates >= 1")
    require((0 <= p) & (p <= 1), "0 <= p <= 1")
    k = np.arange(1, n.max(initial=0) + 1)
    last = np.maximum(n[..., None] - k + 1, 1)
    reaches = np.where(k <= n[..., None], betainc(k, last, p[..., None]), 0.0)  # P(a binomial count >= k)
    return (reaches ** n_candidates[..., None]).sum(axis=-1) / n  # E min = sum over k of P(all counts >= k)


@states("prop-k-fold-variance")
def k_fold_variance(m: Numbers, n_folds: Numbers, variance: Numbers, within: Numbers, between: Numbers) -> Result:
    """The variance of the K-fold estimate: of one loss, and covariances within a fold and between folds."""
    m, n_folds, variance, within, between = arrays(m, n_folds, variance, within, between)
    require(are_whole(n_folds) & (2 <= n_folds) & (n_folds <= m), "whole n_folds with 2 <= n_folds <= m")
    require(are_whole(m) & (m % n_folds == 0), "m divisible by n_folds")
    n = m / n_folds
    most = variance * (1 + 1e-9)  # but for rounding
    require((variance >= 0) & (np.abs(within) <= most) & (np.abs(between) <= most), "covariances up to the variance")
    return (variance + (n - 1) * within + (m - n) * between) / m
