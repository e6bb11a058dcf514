"""The checks of the chapter on concentration accept right answers and say what is wrong with planted wrong ones."""

from functools import partial

import numpy as np
from planting import planted_tests
from scipy.optimize import brentq
from scipy.stats import beta, binom

from mlcourse_homework.chapters import concentration as ex


def by_root(k, n, delta):
    return 1.0 if k == n else brentq(lambda p: binom.cdf(k, n, p) - delta, 0, 1, xtol=1e-15)


def by_beta(k, n, delta):
    return 1.0 if k == n else beta.isf(delta, k + 1, n - k)


def coverage_on(points):
    def answer(low, high):
        n, k = len(low) - 1, np.arange(len(low))
        p = points(low, high)[:, None]
        return (binom.pmf(k, n, p) * ((low <= p) & (p <= high))).sum(axis=1).min()

    return answer


def beside_the_limits(low, high):
    ends = np.concatenate([low, high, [0, 1]])
    p = np.concatenate([ends - 1e-11, ends + 1e-11])
    return p[(p > 0) & (p < 1)]


def empty_bins(m, n_bins, delta, mean=lambda m, n: n * (1 - 1 / n) ** m, factor=1.0, tails=2):
    return mean(m, n_bins), factor * np.sqrt(m * np.log(tails / delta) / 2)


RIGHT = {
    ex.exact_upper: [by_root, by_beta],
    ex.least_coverage: [coverage_on(beside_the_limits)],
    ex.empty_bins: [empty_bins],
}
WRONG = {
    ex.exact_upper: [
        (lambda k, n, delta: by_root(k, n, 1 - delta), "1 - delta"),
        (lambda k, n, delta: by_root(k - 1, n, delta) if 0 < k < n else by_beta(k, n, delta), "Exactly k errors"),
        (lambda k, n, delta: beta.ppf(delta, k, n - k + 1) if 0 < k < n else by_beta(k, n, delta), "lower limit"),
        (lambda k, n, delta: k / n + np.sqrt(np.log(1 / delta) / (2 * n)), "no probability"),
        (lambda k, n, delta: min(1, k / n + np.sqrt(np.log(1 / delta) / (2 * n))), "it should be"),
        (lambda k, n, delta: 0.5 if k == n else by_beta(k, n, delta), "the limit is 1"),
        (lambda k, n, delta: by_root(k, n, delta / 2), "it should be"),
        (lambda k, n, delta: None, "a number"),
    ],
    ex.least_coverage: [
        (coverage_on(lambda low, high: np.linspace(0.01, 0.99, 99)), "the coverage is only"),
        (coverage_on(lambda low, high: np.unique(np.clip(np.concatenate([low, high]), 0, 1))), "the coverage is only"),
        (lambda low, high: 0.0, "no p has a coverage below"),
        (lambda low, high: np.zeros(3), "a number"),
    ],
    ex.empty_bins: [
        (partial(empty_bins, mean=lambda m, n: n * np.exp(-m / n)), "empty bins; in 4000 throws"),
        (partial(empty_bins, tails=1), "single tail"),
        (partial(empty_bins, factor=2.0), "too large"),
        (partial(empty_bins, factor=0.1), "the deviation was above"),
        (lambda m, n_bins, delta: 3.0, "a pair"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
