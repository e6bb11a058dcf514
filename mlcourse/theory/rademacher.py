"""Rademacher complexity: how well a class agrees with coin flips, and what follows for its risks.

Letters
    sigma      sign vectors, one in each row (n_draws, m)
    values     a finite class on the sample: values[h, i] = h(x_i), shape (n_hypotheses, m)
    x, X, K    points of the line (m,), points (m, d), Gram matrix (m, m)
    B          radius of a ball of weights
    r          largest length of a vector of a finite set, n_vectors their number
"""

from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import beta

from mlcourse.arguments.kinds import Kind
from mlcourse.arguments.promises import Result, checks_ranges, require
from mlcourse.arguments.ranges import Confidences, Count, Counts, FromZero, Sizes, floats, matrix
from mlcourse.theory.concentration import hoeffding_deviation
from mlcourse.theory.registry import states

MAX_ENUMERATED = 20  # 2^20 sign vectors


@checks_ranges
def all_signs(m: Count) -> np.ndarray:
    """Every vector of {-1, +1}^m, as the rows of a (2^m, m) array of floats."""
    if m > MAX_ENUMERATED:
        raise ValueError(f"m must lie between 1 and {MAX_ENUMERATED} for all 2^m sign vectors to be listed, got {m}")
    return 1.0 - 2 * (np.arange(2**m)[:, None] >> np.arange(m) & 1)


@checks_ranges
def random_signs(n_draws: Count, m: Count, rng: np.random.Generator) -> np.ndarray:
    """``n_draws`` independent vectors of m fair coin flips -1, +1, as floats."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, got {rng!r}")
    coins = np.frombuffer(rng.bytes(n_draws * m // 8 + 1), dtype=np.uint8)  # eight flips a byte
    return 2.0 * np.unpackbits(coins, count=n_draws * m).reshape(n_draws, m) - 1


def _rows(sigma: ArrayLike, m: int) -> np.ndarray:
    """Sign vectors of m floats each, in rows, or an error that says why not."""
    sigma = matrix("sigma", sigma, f"(n_draws, {m})")
    if sigma.shape[1] != m:
        raise ValueError(f"sigma must have shape (n_draws, {m}), one sign for each point, got {sigma.shape}")
    return sigma


def suprema(values: ArrayLike, sigma: ArrayLike) -> np.ndarray:
    """sup over the class of (1/m) sum_i sigma_i h(x_i), for each row of sigma."""
    agreements, m = _agreements(values, sigma)
    return agreements / m


def rademacher(values: ArrayLike, sigma: ArrayLike | None = None) -> float:
    """The empirical Rademacher complexity of a finite class: exact, or the mean over the rows of sigma if given."""
    agreements, m = _agreements(values, sigma)
    return float(agreements.mean() / m)  # a mean of whole numbers, for signs, is exact; then divide


def _agreements(values, sigma):
    """max over the class of sum_i sigma_i h(x_i), for each row of sigma or for all signs; and m."""
    values = matrix("values", values, "(n_hypotheses, m)")
    m = values.shape[1]
    return (_rows(all_signs(m) if sigma is None else sigma, m) @ values.T).max(axis=1), m


@checks_ranges
def linear_suprema(X: ArrayLike, sigma: ArrayLike, B: FromZero = 1.0) -> np.ndarray:
    """The suprema of the class x -> w.x, ||w|| <= B: (B/m) ||sum_i sigma_i x_i|| for each row of sigma."""
    X = matrix("X", X, "(m, d)")
    require(np.ndim(B) == 0, "a number B >= 0")
    return B / len(X) * np.linalg.norm(_rows(sigma, len(X)) @ X, axis=1)


@checks_ranges
def kernel_suprema(K: ArrayLike, sigma: ArrayLike, B: FromZero = 1.0) -> np.ndarray:
    """The suprema of the ball of radius B of a kernel's space: (B/m) sqrt(sigma^T K sigma) for each row of sigma."""
    K = matrix("K", K, "(m, m)")
    if len(K) != K.shape[1]:
        raise ValueError(f"K must have shape (m, m), got {K.shape}")
    sigma = _rows(sigma, len(K))
    require(np.ndim(B) == 0, "a number B >= 0")
    return B / len(K) * np.sqrt(np.maximum(np.einsum("ri,ri->r", sigma @ K, sigma), 0))


def _points(name, value):
    x = floats(name, value)
    if x.ndim != 1 or not x.size:
        raise ValueError(f"{name} must be a non-empty list of points of the line, got shape {x.shape}")
    return x


PointsOfLine = Annotated[np.ndarray, Kind(_points)]


@checks_ranges
def threshold_suprema(x: PointsOfLine, sigma: ArrayLike, both_signs: bool = False) -> np.ndarray:
    """The suprema of the rules "+1 if x > theta, else -1", and with ``both_signs`` their opposites, one per row."""
    order = np.argsort(x, kind="stable")
    ranked = x[order]
    below = np.take(_rows(sigma, len(ranked)), order, axis=1)
    np.cumsum(below, axis=1, out=below)  # the sum of the signs up to each place
    total = below[:, -1].copy()
    below[:, :-1][:, ranked[:-1] == ranked[1:]] = 0  # no cut between equal points
    best = total - 2 * np.minimum(below.min(axis=1), 0)  # 0: a cut below all points
    if both_signs:
        best = np.maximum(best, 2 * np.maximum(below.max(axis=1), 0) - total)
    return best / len(ranked)


# --- what is promised ------------------------------------------------------------------------------


@states("prop-rademacher-thresholds")
def threshold_complexity(m: Counts) -> Result:
    """The complexity of thresholds on m distinct points: (2/m) (E|s| - P(s != 0) / 2), s a sum of m fair signs."""
    tie = beta(m // 2 + 0.5, 0.5) / np.pi  # that 2 (m // 2) fair signs cancel; m of them do so only if m is even
    return 2 * tie - (1 - np.where(m % 2 == 0, tie, 0)) / m  # as E|s| = m tie


@states("prop-rademacher-balls")
def ball_complexity(m: Sizes, trace: FromZero, B: FromZero = 1.0) -> Result:
    """The largest complexity of a ball of radius B when the m squared lengths of the points sum to ``trace``."""
    return B * np.sqrt(trace) / m


@states("lem-massart")
def massart(m: Sizes, n_vectors: Sizes, r: FromZero) -> Result:
    """The largest complexity of ``n_vectors`` vectors of R^m of length at most r."""
    return r * np.sqrt(2 * np.log(n_vectors)) / m


@states("thm-rademacher-bound")
def rademacher_deviation(m: Sizes, delta: Confidences, complexity: FromZero) -> Result:
    """sup (true risk - empirical risk) is at most this with probability 1 - delta; complexity: that of the losses."""
    return 2 * complexity + hoeffding_deviation(m, delta)


@states("thm-rademacher-data")
def rademacher_data_deviation(m: Sizes, delta: Confidences, complexity: FromZero) -> Result:
    """The same with the complexity of the losses measured on the sample itself."""
    half = delta / 2
    return rademacher_deviation(m, half, complexity) + 2 * hoeffding_deviation(m, half)
