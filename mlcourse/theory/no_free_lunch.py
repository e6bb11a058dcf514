"""What no algorithm can promise.

Letters
    m        sample size
    N        number of points of the domain
    a        a sequence a(1) >= a(2) >= ... that tends to 0
    q, n     masses of the blocks of a law and the numbers of points they are spread over
"""

import math
from collections.abc import Callable

import numpy as np

from mlcourse.arguments.promises import Result, first, require
from mlcourse.arguments.ranges import Array, FromZero, Sizes, count, floats
from mlcourse.theory.registry import states

MAX_BITS = 1000  # of a sample size


@states("thm-no-free-lunch")
def no_free_lunch(m: FromZero, N: Sizes) -> Result:
    """The least average risk over all labellings of N equally likely points: (1/2) (1 - 1/N)^m."""
    return (1 - 1 / N) ** m / 2


@states("thm-slow-rates")
def block_risk(m: FromZero, q: Array, n: Array) -> Result:
    """The same when block j of mass q_j is spread evenly over n_j points: (1/2) sum_j q_j (1 - q_j / n_j)^m."""
    if q.ndim != 1 or q.shape != n.shape:
        raise ValueError(f"q and n must list a mass and a size for each block, got shapes {q.shape} and {n.shape}")
    require((q >= 0) & (q < n) & (q.sum() <= 1 + 1e-9), "0 <= q < n, masses q that sum to at most 1")
    return np.exp(np.expand_dims(m, -1) * np.log1p(-q / n)) @ q / 2


def slow_rate_law(a: Callable, n_blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Masses q and sizes n of blocks with block_risk(m, q, n) >= a(m) as long as a(m) > 2^-n_blocks a(1).

    Block j has the mass 2^-j, and the last block all that is left. Each has so many points that until a falls to
    2^-j a(1) the chance to see a given one stays below 1 - 2 a(1).
    """
    n_blocks, a_1 = count("n_blocks", n_blocks), _level(a, 1)
    require(0 < a_1 < 1 / 2, "0 < a(1) < 1/2")
    levels = 2.0 ** -np.arange(1, n_blocks + 1)
    sizes = [_size_below(a, level) for level in levels * a_1]  # the M_j of the proof
    q = np.append(levels[:-1], 2.0 ** (1 - n_blocks))
    n = [math.ceil(M * mass / (1 - 2 * a_1)) for M, mass in zip(sizes, q.tolist(), strict=True)]
    return q, np.array(n, dtype=float)


def _size_below(a, level):
    return first(lambda m: _level(a, m) <= level)


def _level(a, m):
    if not callable(a):
        raise ValueError(f"a must be a function of the sample size, got {a!r}")
    if m.bit_length() > MAX_BITS:
        raise ValueError(f"a falls too slowly: not below the level of a block before m = 2^{MAX_BITS}")
    level = floats("a", a(m))
    if level.ndim:
        raise ValueError(f"a({m}) must be a number, got an array of shape {level.shape}")
    return level
