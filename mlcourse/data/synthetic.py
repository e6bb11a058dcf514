"""Laws of (X, Y) in space whose posterior and Bayes risk are known; and a sample that is hard for the perceptron.

Letters: m sample size, d dimension, X points (m, d), y labels in {-1, +1}, rng a numpy Generator,
eta(x) = P(Y = 1 | x), rho margin, R radius, w a direction.
"""

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, gammaincinv

from mlcourse.arguments.kinds import Count, Number, Positive, Vector, checks_arguments
from mlcourse.arguments.numbers import check_in_range
from mlcourse.data.law import BinaryLaw


class SeparableMargin(BinaryLaw):
    """Points in the ball of radius R with y (w . x + b) >= rho for a unit vector w: Bayes risk 0.

    Both labels are equally likely; given the label the distance to the hyperplane is uniform over what the
    ball allows, and the rest of x is uniform in its slice of the ball. `w` is scaled to unit length
    (default: all coordinates equal); rho < R - |bias| leaves room for both classes.
    """

    bayes_risk = 0.0  # the label is a function of x

    @checks_arguments
    def __init__(self, d: Count, rho: Positive, R: Positive = 1.0, w: Vector | None = None, bias: Number = 0.0):
        if not rho < R - abs(bias):
            raise ValueError(f"rho must be below R - |bias| = {R - abs(bias)}, to leave both classes room, got {rho}")
        w = np.ones(d) if w is None else w
        if w.shape != (d,) or not w.any():
            raise ValueError(f"w must be a non-zero vector of shape ({d},), got {w.tolist()}")
        self.d, self.rho, self.R, self.bias = d, rho, R, bias
        direction = w / np.abs(w).max()  # so that squares do not overflow
        self.w = direction / np.linalg.norm(direction)

    @checks_arguments
    def eta(self, X: ArrayLike) -> np.ndarray:
        return np.where(self._points(X) @ self.w + self.bias >= 0, 1.0, 0.0)

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

    @checks_arguments
    def __init__(self, noise: float = 0.0, d: Count = 2):
        self.noise, self.d = check_in_range("noise", noise, 0, 0.5), d

    def eta(self, X: ArrayLike) -> np.ndarray:
        odd = (self._points(X) > 0).sum(axis=1) % 2 == 1
        return np.where(odd, 1 - self.noise, self.noise)

    @property
    def bayes_risk(self) -> float:
        """The probability of a flip."""
        return self.noise

    def _draw_x(self, m, rng):
        return rng.uniform(-1, 1, size=(m, self.d))


class NestedSpheres(BinaryLaw):
    """X standard normal in R^d, Y = +1 iff |x|^2 exceeds the median of chi^2_d: balanced, Bayes risk 0."""

    bayes_risk = 0.0  # the label is a function of x

    @checks_arguments
    def __init__(self, d: Count = 10):
        self.d, self.median = d, float(2 * gammaincinv(d / 2, 1 / 2))

    @checks_arguments
    def eta(self, X: ArrayLike) -> np.ndarray:
        return np.where((self._points(X) ** 2).sum(axis=1) > self.median, 1.0, 0.0)

    def _draw_x(self, m, rng):
        return rng.normal(size=(m, self.d))


class Moons(BinaryLaw):
    """Two interleaved half circles, each seen through Gaussian noise of standard deviation `noise`.

    Label -1: (cos t, sin t); label +1: (1 - cos t, 1/2 - sin t); t uniform on [0, pi], classes balanced.
    eta is the ratio of the two noisy-arc densities, integrals along the arc by Gauss-Legendre quadrature;
    the Bayes risk is half the integral of the smaller density, on a grid in the plane.
    """

    d = 2

    @checks_arguments
    def __init__(self, noise: Positive = 0.2):
        if noise < 0.01:
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
        if len(X) >= 4096:  # the matrix of exponents is large: part by part
            return np.concatenate([self._log_density(part) for part in np.array_split(X, len(X) // 4096 + 1)])
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


@checks_arguments
def exponential_perceptron(d: Count) -> tuple[np.ndarray, np.ndarray]:
    """A separable sample of d points in R^d on which the perceptron needs exponentially many updates in d.

    With labels +1, -1, +1, ... the signed points y_i x_i are (-1, ..., -1, +1, 0, ..., 0),
    the +1 at place i: any separating w must about double from each coordinate to the next.
    """
    y = np.where(np.arange(d) % 2 == 0, 1, -1)
    return y[:, None] * (np.eye(d) - np.tri(d, k=-1)), y
