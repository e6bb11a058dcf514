"""Laws on the line [0, 1], of labels and of real targets, with their Bayes risks.

Letters: m sample size, X points (m, 1), y labels in {-1, +1} or targets, eta(x) = P(Y = 1 | x), h a predictor,
f a function of the line, theta a threshold, sigma a standard deviation, c a Lipschitz constant, k a frequency,
a an amplitude, t points up to which a law is integrated.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_array, check_finite, check_floats, check_X
from mlcourse.arguments.collections import check_function
from mlcourse.arguments.kinds import checks_arguments
from mlcourse.arguments.numbers import check_count, check_in_range, check_non_negative, check_number, check_rng
from mlcourse.data.law import UniformLaw


class StepPosterior(UniformLaw):
    """X uniform on [0, 1], eta constant between the breaks: levels[0] left of breaks[0], and so on."""

    def __init__(self, breaks, levels):
        self.breaks, self.levels = check_floats("breaks", breaks).copy(), check_floats("levels", levels).copy()
        if self.breaks.ndim != 1 or self.levels.shape != (len(self.breaks) + 1,):
            raise ValueError(
                "levels must be one longer than breaks, both one-dimensional: got shapes "
                f"{self.levels.shape} and {self.breaks.shape}"
            )
        self._edges = np.concatenate([[0.0], self.breaks, [1.0]])
        if not (np.diff(self._edges) > 0).all():
            raise ValueError(f"breaks must increase strictly inside (0, 1), got {self.breaks.tolist()}")
        if not ((self.levels >= 0) & (self.levels <= 1)).all():
            raise ValueError(f"levels are probabilities in [0, 1], got {self.levels.tolist()}")

    def eta(self, X: ArrayLike) -> np.ndarray:
        x = self._points(X)[:, 0]
        return self.levels[np.searchsorted(self.breaks, x, side="right")]

    @property
    def bayes_risk(self) -> float:
        """Each step's width times its smaller label probability, summed."""
        return float(np.diff(self._edges) @ np.minimum(self.levels, 1 - self.levels))

    def _eta_integral(self, t):
        at_edges = np.append(0.0, np.cumsum(np.diff(self._edges) * self.levels))
        return np.interp(t, self._edges, at_edges)


class NoisyThreshold(StepPosterior):
    """X uniform on [0, 1], Y = sgn(x - theta) flipped with probability noise, which is the Bayes risk."""

    def __init__(self, theta: float = 0.5, noise: float = 0.3):
        self.noise, self.theta = check_in_range("noise", noise, 0, 0.5), check_number("theta", theta)
        super().__init__([self.theta], [self.noise, 1 - self.noise])

    def risk_of_threshold(self, theta: ArrayLike) -> float | np.ndarray:
        """The true risk of the rule +1 above theta: noise + (1 - 2 noise) |theta - self.theta| on [0, 1]."""
        theta = check_finite("theta", np.clip(check_floats("theta", theta), 0, 1))  # it may be infinite
        return (self.noise + (1 - 2 * self.noise) * np.abs(theta - self.theta))[()]


class LipschitzPosterior(UniformLaw):
    """X uniform on [0, 1], eta(x) = 1/2 + a sin(2 pi k x) with a = c / (2 pi k): its Lipschitz constant is c.

    Since eta must stay in [0, 1], c is at most pi k. The Bayes risk is 1/2 - 2a / pi.
    """

    def __init__(self, c: float = 3.0, k: int = 1):
        self.k = check_count("k", k)
        self.lipschitz = check_in_range("c", c, 0, np.pi * k)
        self.a = self.lipschitz / (2 * np.pi * k)

    @checks_arguments
    def eta(self, X: ArrayLike) -> np.ndarray:
        x = self._points(X)[:, 0]
        return np.clip(1 / 2 + self.a * np.sin(2 * np.pi * self.k * x), 0, 1)

    @property
    def bayes_risk(self) -> float:
        """1/2 - 2a / pi, because |sin| is 2 / pi on average."""
        return 1 / 2 - 2 * self.a / np.pi

    def _eta_integral(self, t):
        return t / 2 + self.a * (1 - np.cos(2 * np.pi * self.k * t)) / (2 * np.pi * self.k)


class NoisyFunction:
    """X uniform on [0, 1], Y = f(X) + sigma times a standard normal; f takes and returns a vector.

    For the square loss the Bayes predictor is f and the Bayes risk sigma^2. `risk(h)` adds the integral of
    (h - f)^2, by two-point Gauss quadrature on 2**13 cells: exact to rounding for smooth h - f, and wrong by
    less than 2**-13 times the jump of (h - f)^2 for each jump.
    """

    def __init__(self, f: Callable, sigma: float = 0.3):
        if not callable(f):
            raise ValueError(f"f must be a function of a vector of points, got {f!r}")
        self.f, self.sigma = f, check_non_negative("sigma", sigma)

    def sample(self, m: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """m independent pairs: X of shape (m, 1), y of shape (m,)."""
        rng = check_rng(rng)
        X = rng.random((check_count("m", m), 1))
        return X, self.regression_function(X) + self.sigma * rng.normal(size=m)

    def regression_function(self, X: ArrayLike) -> np.ndarray:
        """E[Y | x] = f(x) for each row of X."""
        X = check_array("X", X)
        X = check_X(X[:, None] if X.ndim == 1 else X)
        if X.shape[1] != 1:
            raise ValueError(f"X must have one column, got {X.shape[1]}")
        values = np.asarray(self.f(X[:, 0]), float)
        if values.shape not in ((), (len(X),)):
            raise ValueError(f"f must map {len(X)} points to {len(X)} numbers, got shape {values.shape}")
        return values + np.zeros(len(X))  # a constant f may return one number

    @property
    def bayes_risk(self) -> float:
        """sigma^2, the least square risk of any predictor."""
        return self.sigma**2

    def risk(self, h: Callable) -> float:
        """The true square risk E (Y - h(X))^2 of the predictor h: X of shape (m, 1) -> (m,)."""
        cells = 2**13
        centres, offset = (np.arange(cells) + 1 / 2) / cells, 1 / (2 * np.sqrt(3) * cells)
        X = np.sort(np.concatenate([centres - offset, centres + offset]))[:, None]
        prediction = np.asarray(check_function("h", h)(X), float)
        if prediction.shape != (len(X),):
            raise ValueError(f"a predictor must return shape ({len(X)},), got {prediction.shape}")
        return self.bayes_risk + float(np.mean((prediction - self.regression_function(X)) ** 2))
