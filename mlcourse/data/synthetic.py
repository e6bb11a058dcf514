"""Laws of (X, Y) whose posterior and Bayes risk are known, so that a learner can be compared with the truth.

Letters: m sample size, d dimension, X points (m, d), y labels in {-1, +1}, rng a numpy Generator,
eta(x) = P(Y = 1 | x), h a predictor X -> {-1, +1}, f a function of the line, rho margin, R radius,
w a direction, theta a threshold, sigma a standard deviation, Delta the
Mahalanobis distance of two means, Phi the normal distribution function.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, gammaincinv, ndtr

from mlcourse.arguments.arrays import check_array, check_finite, check_floats, check_lengths, check_vector, check_X
from mlcourse.arguments.collections import check_function
from mlcourse.arguments.kinds import Fraction, Number, checks_arguments
from mlcourse.arguments.numbers import (
    check_count,
    check_in_range,
    check_non_negative,
    check_number,
    check_positive,
    check_rng,
)
from mlcourse.data.finite import FiniteLaw
from mlcourse.data.law import BinaryLaw, LineLaw, UniformLaw

__all__ = [
    "BinaryLaw",
    "FiniteLaw",
    "GaussianPair",
    "LipschitzPosterior",
    "Moons",
    "NestedSpheres",
    "NoisyFunction",
    "NoisyThreshold",
    "SeparableMargin",
    "StepPosterior",
    "XOR",
    "exponential_perceptron",
]

# --- on the line ----------------------------------------------------------------------------------


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
        check_in_range("noise", noise, 0, 0.5)
        self.theta, self.noise = check_number("theta", theta), float(noise)
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
        check_count("k", k, 1)
        c = check_in_range("c", c, 0, np.pi * k)
        self.lipschitz, self.k = c, k
        self.a = c / (2 * np.pi * k)

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


# --- Gaussian classes -----------------------------------------------------------------------------


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
        self._root = _cholesky(self.covariance, self.d)
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


def _cholesky(covariance, d):
    """The lower triangular root of a (d, d) covariance matrix, or a ValueError that says why not."""
    if covariance.shape != (d, d) or not np.allclose(covariance, covariance.T):
        raise ValueError(f"covariance must be a number or a symmetric ({d}, {d}) matrix, got {covariance.tolist()}")
    try:
        return np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        raise ValueError(f"covariance must be positive definite, got {covariance.tolist()}") from None


# --- shapes in space ------------------------------------------------------------------------------


class SeparableMargin(BinaryLaw):
    """Points in the ball of radius R with y (w . x + b) >= rho for a unit vector w: Bayes risk 0.

    Both labels are equally likely; given the label the distance to the hyperplane is uniform over what the
    ball allows, and the rest of x is uniform in its slice of the ball. `w` is scaled to unit length
    (default: all coordinates equal); rho < R - |bias| leaves room for both classes.
    """

    def __init__(self, d: int, rho: float, R: float = 1.0, w: ArrayLike | None = None, bias: float = 0.0):
        check_count("d", d, 1)
        check_positive("rho", rho)
        check_positive("R", R)
        check_number("bias", bias)
        if not rho < R - abs(bias):
            raise ValueError(f"rho must be below R - |bias| = {R - abs(bias)}, to leave both classes room, got {rho}")
        w = np.ones(d) if w is None else check_vector("w", w)
        if w.shape != (d,) or not np.isfinite(w).all() or not w.any():
            raise ValueError(f"w must be a non-zero vector of shape ({d},), got {w.tolist()}")
        self.d, self.rho, self.R, self.bias = d, rho, R, bias
        w = w / np.abs(w).max()  # so that squares do not overflow
        self.w = w / np.linalg.norm(w)

    @checks_arguments
    def eta(self, X: ArrayLike) -> np.ndarray:
        return np.where(self._points(X) @ self.w + self.bias >= 0, 1.0, 0.0)

    @property
    def bayes_risk(self) -> float:
        """0: the label is a function of x."""
        return 0.0

    def _draw_x(self, m, rng):
        side = np.where(rng.random(m) < 1 / 2, 1, -1)
        u = rng.uniform(1e-9, 1 - 1e-9, size=m)  # off the ends, so that rounding cannot break the promise
        distance = self.rho + (self.R + side * self.bias - self.rho) * u
        along = side * distance - self.bias
        across = rng.normal(size=(m, self.d))
        across -= np.outer(across @ self.w, self.w)
        if self.d == 1:
            return along[:, None] * self.w
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        reach = np.sqrt(self.R**2 - along**2) * rng.random(m) ** (1 / (self.d - 1))
        return along[:, None] * self.w + (1 - 1e-9) * reach[:, None] * across


class XOR(BinaryLaw):
    """X uniform on [-1, 1]^d, Y = +1 iff an odd number of its coordinates is positive, flipped with
    probability noise: the Bayes risk.
    """

    def __init__(self, noise: float = 0.0, d: int = 2):
        check_in_range("noise", noise, 0, 0.5)
        check_count("d", d, 1)
        self.noise, self.d = noise, d

    def eta(self, X: ArrayLike) -> np.ndarray:
        odd = (self._points(X) > 0).sum(axis=1) % 2 == 1
        return np.where(odd, 1 - self.noise, self.noise)

    @property
    def bayes_risk(self) -> float:
        """The probability of a flip."""
        return float(self.noise)

    def _draw_x(self, m, rng):
        return rng.uniform(-1, 1, size=(m, self.d))


class NestedSpheres(BinaryLaw):
    """X standard normal in R^d, Y = +1 iff |x|^2 exceeds the median of chi^2_d: balanced, Bayes risk 0."""

    def __init__(self, d: int = 10):
        check_count("d", d, 1)
        self.d = d
        self.median = float(2 * gammaincinv(d / 2, 1 / 2))

    @checks_arguments
    def eta(self, X: ArrayLike) -> np.ndarray:
        return np.where((self._points(X) ** 2).sum(axis=1) > self.median, 1.0, 0.0)

    @property
    def bayes_risk(self) -> float:
        """0: the label is a function of x."""
        return 0.0

    def _draw_x(self, m, rng):
        return rng.normal(size=(m, self.d))


class Moons(BinaryLaw):
    """Two interleaved half circles, each seen through Gaussian noise of standard deviation `noise`.

    Label -1: (cos t, sin t); label +1: (1 - cos t, 1/2 - sin t); t uniform on [0, pi], classes balanced.
    eta is the ratio of the two noisy-arc densities, integrals along the arc by Gauss-Legendre quadrature;
    the Bayes risk is half the integral of the smaller density, on a grid in the plane.
    """

    d = 2

    def __init__(self, noise: float = 0.2):
        if check_positive("noise", noise) < 0.01:
            raise ValueError(f"noise must be at least 0.01 for the quadrature to be affordable, got {noise}")
        self.noise = noise
        nodes, weights = np.polynomial.legendre.leggauss(32 + int(np.ceil(12 / noise)))
        angle = np.pi * (nodes + 1) / 2
        self._arc = np.c_[np.cos(angle), np.sin(angle)]  # (nodes, 2)
        self._arc_weights = weights / 2

    @checks_arguments
    def eta(self, X: ArrayLike) -> np.ndarray:
        X = self._points(X)
        return expit(self._log_density(np.array([1, 0.5]) - X) - self._log_density(X))

    @cached_property
    def bayes_risk(self) -> float:
        """Half the integral over the plane of the smaller of the two class densities."""
        step, reach = max(self.noise / 32, 1 / 200), 7 * self.noise
        x, y = (np.arange(1, side / step + 1) * step for side in (1.5 + reach, 0.75 + reach))
        x, y = (np.concatenate([-half[::-1], [0], half]) for half in (x, y))
        plane = np.stack(np.meshgrid(0.5 + x, 0.25 + y), axis=-1).reshape(-1, 2)
        minus = np.exp(self._log_density(plane))
        plus = minus[::-1]  # the grid is symmetric about (1/2, 1/4), which swaps the arcs
        return float(np.minimum(minus, plus).sum() * step**2 / 2)

    def _log_density(self, X):
        """The log density of the noisy upper arc; the lower arc is its image under x -> (1, 1/2) - x."""
        blocks = np.array_split(X, len(X) // 4096 + 1)
        return np.concatenate([self._log_density_block(block) for block in blocks])

    def _log_density_block(self, X):
        variance = self.noise**2
        exponent = X @ (self._arc.T / variance)  # (m, nodes): the cross term of the squared distances
        peak = exponent.max(axis=1)
        integral = np.log(np.exp(exponent - peak[:, None]) @ self._arc_weights) + peak
        return integral - ((X**2).sum(axis=1) + 1) / (2 * variance) - np.log(2 * np.pi * variance)

    def _draw_x(self, m, rng):
        angle = rng.uniform(0, np.pi, size=m)
        arc = np.c_[np.cos(angle), np.sin(angle)]
        lower = rng.random((m, 1)) < 1 / 2
        return np.where(lower, np.array([1, 0.5]) - arc, arc) + self.noise * rng.normal(size=(m, 2))


# --- a regression law, a hard sample ----------------- ---------------------------------


class NoisyFunction:
    """X uniform on [0, 1], Y = f(X) + sigma times a standard normal; f takes and returns a vector.

    For the square loss the Bayes predictor is f and the Bayes risk sigma^2. `risk(h)` adds the integral of
    (h - f)^2, by two-point Gauss quadrature on 2**13 cells: exact to rounding for smooth h - f, and wrong by
    less than 2**-13 times the jump of (h - f)^2 for each jump.
    """

    def __init__(self, f: Callable, sigma: float = 0.3):
        if not callable(f):
            raise ValueError(f"f must be a function of a vector of points, got {f!r}")
        check_non_negative("sigma", sigma)
        self.f, self.sigma = f, sigma

    def sample(self, m: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """m independent pairs: X of shape (m, 1), y of shape (m,)."""
        check_count("m", m, 1)
        rng = check_rng(rng)
        X = rng.random((m, 1))
        return X, self.regression_function(X) + self.sigma * rng.normal(size=m)

    def regression_function(self, X: ArrayLike) -> np.ndarray:
        """E[Y | x] = f(x) for each row of X."""
        X = check_array("X", X)
        x = check_X(X[:, None] if X.ndim == 1 else X)
        if x.shape[1] != 1:
            raise ValueError(f"X must have one column, got {x.shape[1]}")
        values = np.asarray(self.f(x[:, 0]), float)
        if values.shape not in ((), (len(x),)):
            raise ValueError(f"f must map {len(x)} points to {len(x)} numbers, got shape {values.shape}")
        return values + np.zeros(len(x))  # a constant f may return one number

    @property
    def bayes_risk(self) -> float:
        """sigma^2, the least square risk of any predictor."""
        return float(self.sigma**2)

    def risk(self, h: Callable) -> float:
        """The true square risk E (Y - h(X))^2 of the predictor h: X of shape (m, 1) -> (m,)."""
        cells = 2**13
        centres, offset = (np.arange(cells) + 1 / 2) / cells, 1 / (2 * np.sqrt(3) * cells)
        X = np.sort(np.concatenate([centres - offset, centres + offset]))[:, None]
        prediction = np.asarray(check_function("h", h)(X), float)
        if prediction.shape != (len(X),):
            raise ValueError(f"a predictor must return shape ({len(X)},), got {prediction.shape}")
        return self.bayes_risk + float(np.mean((prediction - self.regression_function(X)) ** 2))


def exponential_perceptron(d: int) -> tuple[np.ndarray, np.ndarray]:
    """A separable sample of d points in R^d on which the perceptron needs exponentially many updates in d.

    With labels +1, -1, +1, ... the signed points y_i x_i are (-1, ..., -1, +1, 0, ..., 0),
    the +1 at place i: any separating w must about double from each coordinate to the next.
    """
    check_count("d", d, 1)
    y = np.where(np.arange(d) % 2 == 0, 1, -1)
    return y[:, None] * (np.eye(d) - np.tri(d, k=-1)), y
