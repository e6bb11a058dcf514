"""What a binary law is: a distribution of (X, Y), Y in {-1, +1}, that knows its posterior and true risks.

Letters: m sample size, d dimension, X points (m, d), y labels in {-1, +1}, rng a numpy Generator,
eta(x) = P(Y = 1 | x), h a predictor X -> {-1, +1}, t a point of the line.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_array, check_X
from mlcourse.arguments.collections import check_function
from mlcourse.arguments.numbers import check_count, check_rng


class BinaryLaw:
    """A law of (X, Y) with Y in {-1, +1}; a subclass gives `d`, `_draw_x(m, rng)` and `eta(X)`.

    `risk(h)` is E[eta 1{h = -1} + (1 - eta) 1{h = +1}], an average over x alone, so label noise adds no
    variance. Here it is taken over one fixed sample of `n_monte_carlo` points from the law's own generator
    (standard error at most 0.5 / sqrt(n_monte_carlo)); the laws on the line override it by an exact sum.
    """

    d = 1
    n_monte_carlo = 100_000
    _draw_x: Callable[..., np.ndarray]
    eta: Callable[..., np.ndarray]

    def sample(self, m: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """m independent pairs: X of shape (m, d), y of shape (m,) in {-1, +1}."""
        rng = check_rng(rng)
        X = self._draw_x(check_count("m", m), rng)
        return X, np.where(rng.random(m) < self.eta(X), 1, -1)

    def bayes_predict(self, X: ArrayLike) -> np.ndarray:
        """The Bayes classifier: +1 where eta(x) >= 1/2, else -1."""
        return np.where(self.eta(X) >= 1 / 2, 1, -1)

    @property
    def bayes_risk(self) -> float:
        """The smallest 0-1 risk any classifier can have, E min(eta, 1 - eta)."""
        return self.risk(self.bayes_predict)

    def risk(self, h: Callable) -> float:
        """The true 0-1 risk of the predictor h: X -> {-1, +1}."""
        X, eta = self._monte_carlo
        return float(np.mean(np.where(_votes(h, X) == 1, 1 - eta, eta)))

    @cached_property
    def _monte_carlo(self):
        X = self._draw_x(self.n_monte_carlo, np.random.default_rng(20_240_229))
        X.flags.writeable = False
        return X, self.eta(X)

    def _points(self, X: ArrayLike) -> np.ndarray:
        """X as a checked (m, d) array; on the line a plain vector of points is welcome too."""
        X = check_array("X", X)
        return check_X(X[:, None] if self.d == 1 and X.ndim == 1 else X, self.d, type(self).__name__)


def _votes(h: Callable, X: np.ndarray) -> np.ndarray:
    """h(X), checked to be one label in {-1, +1} for each row."""
    votes = np.asarray(check_function("h", h)(X))
    if votes.shape != (len(X),):
        raise ValueError(f"a predictor must return shape ({len(X)},) for {len(X)} points, got {votes.shape}")
    if (strange := votes[~np.isin(votes, (-1, 1))]).size:
        raise ValueError(f"a predictor must return labels -1 and +1 only, got also {np.unique(strange)[:3].tolist()}")
    return votes


class LineLaw(BinaryLaw):
    """A binary law on the line with exact risks; a subclass gives `_cdf(t)`, P(X <= t, Y = +1) and P(X <= t, Y = -1).

    `risk(h)` looks for the switches of h on a grid of 2**14 cells over `support`, bisects each to the last
    bit, and adds up the exact mass of the errors between switches. It is right to about 1e-12 if h switches
    at most once in a cell; a pair of switches that hides inside one cell costs at most that cell's mass.
    """

    support = (0.0, 1.0)
    _cdf: Callable[..., tuple[np.ndarray, np.ndarray]]

    def risk(self, h: Callable) -> float:
        grid = np.linspace(*self.support, 2**14 + 1)
        votes = _votes(h, grid[:, None])
        switch = np.flatnonzero(votes[1:] != votes[:-1])
        left, right = grid[switch], grid[switch + 1]
        for _ in range(52 if len(switch) else 0):
            middle = (left + right) / 2
            before = _votes(h, middle[:, None]) == votes[switch]
            left, right = np.where(before, middle, left), np.where(before, right, middle)
        ends = np.concatenate([self.support[:1], right, self.support[1:]])
        plus, minus = (np.diff(F) for F in self._cdf(ends))
        vote = votes[np.append(switch, -1)]
        return float(np.where(vote == 1, minus, plus).sum())


class UniformLaw(LineLaw):
    """X uniform on [0, 1]; a subclass gives eta and its integral from 0 to t."""

    _eta_integral: Callable[..., np.ndarray]

    def _draw_x(self, m, rng):
        return rng.random((m, 1))

    def _cdf(self, t):
        return self._eta_integral(t), t - self._eta_integral(t)
