"""Checks for the code exercises of the chapter on concentration."""

import numpy as np
from scipy.stats import binom, norm

from mlcourse.theory import clopper_pearson_interval, mcdiarmid_deviation, risk_interval
from mlcourse_homework.engine.answers import number, require, two_numbers
from mlcourse_homework.engine.exercise import because, exercise


@exercise
def exact_upper(answer, rng):
    """``answer(k, n, delta)`` returns the risk p at which P(K <= k) = delta, K binomial (n, p); 1 for k = n."""
    for n in [1, 2, 5, 20, 100, 1000] * 5:
        k, delta = int(rng.integers(0, n + 1)), float(rng.choice([0.3, 0.1, 0.05, 0.01, 1e-4]))
        p = number(answer(k, n, delta), "the limit")
        case = f"for k = {k}, n = {n}, delta = {delta} you return {p:.6g}"
        require(0 <= p <= 1, f"{case}, which is no probability.")
        if k == n:
            require(p > 1 - 1e-6, f"{case}; when all examples are errors no risk can be excluded: the limit is 1.")
            continue
        chance = binom.cdf(k, n, p)
        why = because(
            (abs(chance - 1 + delta) < 1e-6, "You have found where the probability is 1 - delta."),
            (k and abs(binom.cdf(k - 1, n, p) - delta) < 1e-6, "Exactly k errors belong to the event, too."),
            (k and abs(binom.sf(k - 1, n, p) - delta) < 1e-6, "That is the lower limit."),
        )
        there = f"{case}; there P(K <= k) = {chance:.4g}, it should be {delta}."
        require(abs(chance - delta) <= 1e-4 * delta, there + why)
    return "P(K <= k) was delta at the limit, in 30 cases."


@exercise
def least_coverage(answer, rng):
    """``answer(low, high)`` returns the infimum over p in (0, 1) of the probability that [low_K, high_K] holds p."""
    for n, delta in [(1, 0.3), (5, 0.1), (20, 0.05), (60, 0.1)]:
        k = np.arange(n + 1)
        margin = norm.isf(delta / 2) * np.sqrt(k / n * (1 - k / n) / n)
        scattered = np.sort(rng.uniform(0, 1, size=(2, n + 1)), axis=1) + [[-0.3], [0.3]]
        for name, (low, high) in {
            "Clopper and Pearson's intervals": clopper_pearson_interval(k, n, delta),
            "Hoeffding's intervals": risk_interval(k / n, n, delta),
            "the normal intervals": (k / n - margin, k / n + margin),
            "intervals with random limits": scattered,
        }.items():
            least = number(answer(low, high), "the least coverage")
            truth, at = _least_coverage(low, high)
            case = f"for {name} with n = {n} you return {least:.6f}"
            require(least <= truth + 1e-6, f"{case}, but near p = {at:.6f} the coverage is only {truth:.6f}.")
            require(least >= truth - 1e-6, f"{case}, but no p has a coverage below {truth:.6f}.")
    return "the infimum was exact for four kinds of intervals and four sizes."


def _least_coverage(low, high):
    """The infimum and a point where it is approached: the coverage is unimodal between neighbouring limits."""
    n, k = len(low) - 1, np.arange(len(low))
    ends = np.unique(np.clip(np.concatenate([low, high, [0, 1]]), 0, 1))
    middle = (ends[1:] + ends[:-1])[:, None] / 2
    inside = (low <= middle) & (middle <= high)
    coverage = [(binom.pmf(k, n, p[:, None]) * inside).sum(axis=1) for p in (ends[:-1], ends[1:])]
    side, piece = np.unravel_index(np.argmin(coverage), (2, len(middle)))
    return coverage[side][piece], ends[piece + side]


@exercise
def empty_bins(answer, rng):
    """``answer(m, n_bins, delta)``: the expected number of empty bins, a deviation exceeded with chance <= delta."""
    for m, n_bins, delta in [(5, 5, 0.2), (20, 10, 0.05), (50, 60, 0.1), (200, 100, 0.01)]:
        mean, epsilon = two_numbers(answer(m, n_bins, delta), "(mean, epsilon)")
        empty = n_bins - np.array([len(np.unique(row)) for row in rng.integers(0, n_bins, size=(4000, m))])
        case, right = f"for m = {m}, n_bins = {n_bins}, delta = {delta}", n_bins * (1 - 1 / n_bins) ** m
        message = f"{case} you expect {mean:.4f} empty bins; in 4000 throws there were {empty.mean():.2f} on average."
        require(abs(mean - right) < 1e-6 * right, message)
        narrow, wide = mcdiarmid_deviation(delta, np.ones(m)), mcdiarmid_deviation(delta / 2, np.ones(m))
        share = np.mean(np.abs(empty - mean) > epsilon)
        message = f"{case} the deviation was above your {epsilon:.3f} in {share:.1%} of 4000 throws."
        require(share <= delta + 4 * np.sqrt(delta / 4000), message)
        tail = "is the one for a single tail; the number of empty bins may err on either side."
        require(abs(epsilon - narrow) > 1e-9, f"{case} your deviation {epsilon:.3f} {tail}")
        large = "is true but too large. By how much can one ball change the number of empty bins?"
        require(epsilon <= wide * (1 + 1e-9), f"your deviation {large}", case, epsilon, f"{wide:.3f} can be promised")
    return "the expectation was right, and the deviation as promised by bounded differences, in four cases."
