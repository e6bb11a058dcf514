"""Two Gaussian classes, whose best classifier is linear.

Letters: m sample size, d dimension, X points (m, d), eta(x) = P(Y = 1 | x), h a predictor X -> {-1, +1},
w, b a hyperplane, Delta the Mahalanobis distance of the means, Phi the normal distribution function.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, ndtr

from mlcourse.arguments.arrays import check_array, check_finite, check_lengths, check_vector
from mlcourse.arguments.kinds import Fraction, Number, checks_arguments
from mlcourse.data.law import BinaryLaw, LineLaw


class GaussianPair(LineLaw):
    """Two Gaussian classes with a shared covariance: eta is logistic, the Bayes classifier linear.

    With Delta the Mahalanobis distance of the means and t = ln(prior / (1 - prior)) the Bayes risk is
    prior Phi(-Delta/2 - t/Delta) + (1 - prior) Phi(-Delta/2 + t/Delta), hence Phi(-Delta/2) for prior 1/2.

    `covariance`: a (d, d) matrix, or a number s for s times the identity. `prior`: P(Y = 1).
    Attributes: `w` (d,) and `b` with eta(x) = 1 / (1 + exp(-(w . x + b))), and `Delta`.
    """

    @checks_arguments
    def __init__(self, mu_plus: ArrayLike, mu_minus: ArrayLike, covariance: ArrayLike = 1.0, prior: Fraction = 0.5):
        self.mu_plus = check_vector("mu_plus", np.atleast_1d(check_array("mu_plus", mu_plus)))
        self.mu_minus = check_vector("mu_minus", np.atleast_1d(check_array("mu_minus", mu_minus)))
        check_lengths(mu_plus=self.mu_plus, mu_minus=self.mu_minus)
        self.d, self.prior = len(self.mu_plus), prior
        self.covariance = check_finite("covariance", covariance).copy()
        if self.covariance.ndim == 0:
            self.covariance = self.covariance * np.eye(self.d)
        given = self.covariance.tolist()
        if self.covariance.shape != (self.d, self.d) or not np.allclose(self.covariance, self.covariance.T):
            raise ValueError(f"covariance must be a number or a symmetric ({self.d}, {self.d}) matrix, got {given}")
        try:
            self._root = np.linalg.cholesky(self.covariance)
        except np.linalg.LinAlgError:
            raise ValueError(f"covariance must be positive definite, got {given}") from None
        gap = np.linalg.solve(self._root, self.mu_plus - self.mu_minus)
        self.Delta = float(np.linalg.norm(gap))
        self.log_odds = float(np.log(prior / (1 - prior)))
        self.w = np.linalg.solve(self._root.T, gap)
        self.b = float(self.log_odds - self.w @ (self.mu_plus + self.mu_minus) / 2)
        if self.d == 1:
            means, reach = (self.mu_plus[0], self.mu_minus[0]), 10 * self._root[0, 0]
            self.support = (min(means) - reach, max(means) + reach)

    @checks_arguments
    def eta(self, X: ArrayLike) -> np.ndarray:
        return expit(self._points(X) @ self.w + self.b)

    def risk(self, h: Callable) -> float:
        """The true 0-1 risk of h: exact on the line (see LineLaw), else by Monte Carlo (see BinaryLaw)."""
        return LineLaw.risk(self, h) if self.d == 1 else BinaryLaw.risk(self, h)

    @checks_arguments
    def risk_of_linear(self, w: ArrayLike, b: Number = 0.0) -> float:
        """The true risk of x -> sgn(w . x + b), in closed form."""
        w = np.atleast_1d(check_finite("w", w))
        if w.shape != (self.d,):
            raise ValueError(f"w must have shape ({self.d},), got {w.shape}")
        spread = np.linalg.norm(self._root.T @ w)
        if spread == 0:
            return 1 - self.prior if b >= 0 else self.prior
        z_plus, z_minus = (w @ self.mu_plus + b) / spread, (w @ self.mu_minus + b) / spread
        return float(self.prior * ndtr(-z_plus) + (1 - self.prior) * ndtr(z_minus))

    @property
    def bayes_risk(self) -> float:
        """The risk of the linear Bayes classifier sgn(w . x + b)."""
        if self.Delta == 0:
            return min(self.prior, 1 - self.prior)
        half, t = self.Delta / 2, self.log_odds / self.Delta
        return float(self.prior * ndtr(-half - t) + (1 - self.prior) * ndtr(-half + t))

    def _draw_x(self, m, rng):
        plus = rng.random((m, 1)) < self.prior
        return np.where(plus, self.mu_plus, self.mu_minus) + rng.normal(size=(m, self.d)) @ self._root.T

    def _cdf(self, t):
        sd = self._root[0, 0]
        return (self.prior * ndtr((t - self.mu_plus[0]) / sd), (1 - self.prior) * ndtr((t - self.mu_minus[0]) / sd))
