"""A law on finitely many points and labels, where every risk is a finite sum.

Letters: P joint probabilities (n, k) of n points and k labels, m sample size, rng a numpy Generator,
eta = P(Y = second label | x), h_values the values of a predictor at the n points, loss(y, y_hat) label first.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_array, check_floats, check_names, check_rows
from mlcourse.arguments.collections import check_function
from mlcourse.arguments.numbers import check_count, check_rng


class FiniteLaw:
    """A law on finitely many points and labels, P[x, y] = P(X = points[x], Y = labels[y]): all risks exact.

    A predictor is a vector `h_values` with one prediction for each point; a loss is any vectorised
    loss(y, y_hat). Attributes: `marginal` (n,) = P(X = x), `conditional` (n, k) = P(Y = y | X = x).
    """

    def __init__(self, P, labels=(-1, 1), points=None):
        self.P, self.labels = check_floats("P", P).copy(), check_names(labels).copy()
        if self.P.ndim != 2 or self.labels.shape != self.P.shape[1:]:
            raise ValueError(
                "P must have a row for each point and a column for each label: got shape "
                f"{self.P.shape} and {self.labels.size} labels"
            )
        if not (self.P >= 0).all() or not np.isclose(self.P.sum(), 1, rtol=0, atol=1e-9):
            raise ValueError(f"P must hold non-negative probabilities that sum to 1, got sum {self.P.sum()}")
        self.marginal = self.P.sum(axis=1)
        if not self.marginal.all():
            point = self.marginal.argmin()
            raise ValueError(f"every point needs positive probability, point {point} has 0: leave it out")
        self.conditional = self.P / self.marginal[:, None]
        points = np.arange(len(self.P)) if points is None else np.array(check_rows(points))
        if len(points) != len(self.P):
            raise ValueError(f"P has {len(self.P)} rows, but there are {len(points)} points")
        self.points = points[:, None] if points.ndim == 1 else points

    @property
    def eta(self) -> np.ndarray:
        """P(Y = labels[1] | x) for each point, the posterior of a law with two labels."""
        if len(self.labels) != 2:
            raise ValueError(f"eta is defined for two labels, this law has {len(self.labels)}")
        return self.conditional[:, 1]

    def sample(self, m: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """m independent pairs: X of shape (m, d) from `points`, y of shape (m,) from `labels`."""
        cell = check_rng(rng).choice(self.P.size, size=check_count("m", m), p=self.P.ravel() / self.P.sum())
        x, y = np.unravel_index(cell, self.P.shape)
        return self.points[x], self.labels[y]

    def risk(self, h_values: ArrayLike, loss: Callable) -> float:
        """E loss(Y, h(X)) of the predictor that answers h_values[x] at point x."""
        h_values, loss = check_array("h_values", h_values), check_function("loss", loss)
        if h_values.shape != (len(self.P),):
            raise ValueError(
                f"h_values must have shape ({len(self.P)},), one prediction for each point, got {h_values.shape}"
            )
        n, k = self.P.shape
        losses = np.reshape(loss(np.tile(self.labels, n), np.repeat(h_values, k)), (n, k))
        risk = float(losses[self.P > 0] @ self.P[self.P > 0])  # what never happens costs nothing, even if infinite
        if risk != risk:
            raise ValueError("the risk is not a number: the loss of some prediction is not")
        return risk

    def bayes_predictor(self, loss: Callable, predictions: ArrayLike) -> np.ndarray:
        """For each point the one of `predictions` of least conditional risk, the first if tied."""
        return check_array("predictions", predictions)[self._conditional_risks(loss, predictions).argmin(axis=1)]

    def bayes_risk(self, loss: Callable, predictions: ArrayLike) -> float:
        """The least risk of any predictor with values among `predictions`."""
        return float(self.marginal @ self._conditional_risks(loss, predictions).min(axis=1))

    def _conditional_risks(self, loss, predictions):
        """E[loss(Y, p) | X = x] for each point x and prediction p, shape (n, number of predictions)."""
        predictions, loss = check_array("predictions", predictions), check_function("loss", loss)
        if predictions.ndim != 1 or not len(predictions):
            raise ValueError(f"predictions must be a non-empty vector, got shape {predictions.shape}")
        y, p = np.repeat(self.labels, len(predictions)), np.tile(predictions, len(self.labels))
        losses = np.reshape(loss(y, p), (len(self.labels), len(predictions)))
        chances, nothing = self.conditional[:, :, None], np.zeros((*self.P.shape, len(predictions)))
        return np.multiply(chances, losses, where=chances > 0, out=nothing).sum(axis=1)
