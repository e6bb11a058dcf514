"""Samples drawn from a sample.

Letters
    m      size of the sample; rows are numbered 0..m-1
    D      distribution over the rows
"""

import numpy as np

from mlcourse.arguments.arrays import check_weights
from mlcourse.arguments.kinds import Count, Seed, Targets, checks_arguments
from mlcourse.arguments.numbers import check_rng

MAX_PROPOSALS = 2**20  # made at once


@checks_arguments
def bootstrap(m: Count, rng: Seed = None) -> np.ndarray:
    """The rows of a bootstrap sample: m draws with replacement from m rows."""
    return check_rng(rng).integers(m, size=m)


@checks_arguments
def rejection_sample(D: Targets, size: Count, rng: Seed = None) -> np.ndarray:
    """That many rows drawn from D: propose a row and a height, both uniform; accept it if D is above the height.

    A proposal is accepted with probability 1 / (m max D): slow if one row has most of the weight.
    """
    D, rng = check_weights(D, len(D)), check_rng(rng)
    rows = np.empty(0, dtype=int)
    while len(rows) < size:
        needed = 1.1 * (size - len(rows)) * len(D) * D.max() + 10
        n = int(min(needed, MAX_PROPOSALS))
        row, height = rng.integers(len(D), size=n), rng.uniform(0, D.max(), size=n)
        rows = np.append(rows, row[D[row] > height])
    return rows[:size]


@checks_arguments
def weighted_sample(D: Targets, size: Count, rng: Seed = None) -> np.ndarray:
    """That many rows drawn from D, always fast: the first row where the cumulated weights exceed a uniform number."""
    total = np.cumsum(check_weights(D, len(D)))
    return np.searchsorted(total[:-1], check_rng(rng).random(size) * total[-1], side="right")
