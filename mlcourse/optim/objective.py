"""Functions to minimise, as an algorithm sees them from where it stands.

``f.at(w)`` is a point: it knows w, the value and the gradient (and the Hessian) of f there, and the function
along a line, phi = f.at(w).along(p) with phi(tau) = f(w + tau p). Line searches are about phi alone.
A linear model gets its phi from shared margins: a trial step costs no product with the data.

Letters
    f, w    a differentiable function and its argument
    p, tau  a direction and a step along it; phi(tau) returns the pair (value, slope)
    X, y    sample: m points of R^d, labels in {-1, +1}; z the margins y_i (w.x_i + b)
    A, v    a matrix whose columns are new coordinate axes, and coordinates in them: w = A v
    H       a symmetric matrix, the Hessian of a quadratic
    lam     strength of the penalty
"""

from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.kinds import AnyFunction as FunctionOf
from mlcourse.arguments.kinds import (
    Flag,
    Matrix,
    NonNegative,
    Objective,
    Points,
    Signs,
    SmoothLoss,
    SquareMatrix,
    Vector,
    checks_arguments,
)
from mlcourse.optim.moments import weighted_moments


class Line:
    """phi(tau) = f(w + tau p); calling it gives the value and the slope, ``at`` the point itself."""

    def __init__(self, start, p):
        self.start, self.p = start, np.asarray(p, dtype=float)
        self._last = 0.0, start

    def __call__(self, tau):
        there = self.at(tau)
        return there.value, there.gradient @ self.p

    def at(self, tau: float) -> Any:
        """The point w + tau p; the start and the last point asked for are remembered."""
        if tau == 0:
            return self.start
        if self._last[0] != tau:
            self._last = tau, self._point(tau)
        return self._last[1]

    def _point(self, tau):
        return self.start.f.at(self.start.w + tau * self.p)


class Function:
    """A function of a vector, given by its value, its gradient and, if needed, its Hessian."""

    @checks_arguments
    def __init__(self, value: FunctionOf, gradient: FunctionOf, hessian: FunctionOf | None = None):
        self.value, self.gradient, self.hessian = value, gradient, hessian

    def __call__(self, w):
        return self.value(w)

    def at(self, w: ArrayLike) -> "FunctionPoint":
        """The function seen from w."""
        return FunctionPoint(self, np.array(w, dtype=float))


class FunctionPoint:
    """A function seen from one point; every quantity is computed when first asked for."""

    line: type[Line] = Line

    def __init__(self, f, w):
        self.f, self.w = f, w

    value = cached_property(lambda self: self.f.value(self.w))
    gradient = cached_property(lambda self: self.f.gradient(self.w))
    hessian = cached_property(lambda self: self.f.hessian(self.w))

    def along(self, p: ArrayLike) -> Line:
        """The function on the line through w in direction p."""
        return self.line(self, p)


class Quadratic(Function):
    """f(w) = (w - centre)^T H (w - centre) / 2 for a symmetric matrix H."""

    @checks_arguments
    def __init__(self, H: SquareMatrix, centre: Vector | None = None):
        self.H, self.centre = H, np.zeros(len(H)) if centre is None else centre
        super().__init__(lambda w: self._off(w) @ H @ self._off(w) / 2, lambda w: H @ self._off(w), lambda w: H)

    def _off(self, w):
        if np.shape(w) != self.centre.shape:
            raise ValueError(f"w must have {len(self.centre)} coordinates, got shape {np.shape(w)}")
        return w - self.centre


class LinearRisk:
    """The penalised empirical risk of a linear score: mean of loss(y_i (w.x_i + b)) + (lam/2) ||w||^2.

    Its argument is w, followed by b if ``bias``; the bias is not penalised.
    """

    @checks_arguments
    def __init__(self, loss: SmoothLoss, X: Points, y: Signs, lam: NonNegative = 0.0, bias: Flag = False):
        self.loss, self.X, self.y, self.bias = loss, X, y, bias
        self.d = X.shape[1] + bias
        self.penalty = np.full(self.d, float(lam))
        self.penalty[X.shape[1] :] = 0.0

    def __call__(self, w):
        return self.at(w).value

    def at(self, w: ArrayLike) -> "RiskPoint":
        """The risk seen from w."""
        w = np.array(w, dtype=float)
        return RiskPoint(self, w, self.y * self.scores(w) if w.any() else np.zeros(len(self.y)))

    def gradient(self, w: ArrayLike) -> np.ndarray:
        """The gradient at w."""
        return self.at(w).gradient

    def scores(self, w: np.ndarray) -> np.ndarray:
        """w.x_i + b for every example."""
        return self.X @ w[:-1] + w[-1] if self.bias else self.X @ w

    def combined(self, weights: np.ndarray) -> np.ndarray:
        """The sum of the weighted points, followed by the sum of the weights if there is a bias."""
        total = self.X.T @ weights
        return np.append(total, weights.sum()) if self.bias else total

    def batch_gradient(self, w: ArrayLike, rows: np.ndarray) -> np.ndarray:
        """The gradient at w of the risk on a part of the sample."""
        return self.part(rows).at(w).gradient

    def part(self, rows: np.ndarray) -> "LinearRisk":
        """The same risk on a part of the sample."""
        part = copy(self)
        part.X, part.y = self.X[rows], self.y[rows]
        return part


class RiskLine(Line):
    """phi(tau) from the margins z + tau y_i (p.x_i + p_b): no product with the data."""

    def __init__(self, start, p):
        super().__init__(start, p)
        self.rise = start.f.y * start.f.scores(self.p)

    def __call__(self, tau):
        there = self.at(tau)
        with np.errstate(over="ignore", invalid="ignore"):  # far out the exponential loss is infinite
            slope = there.losses_and_slopes[1] @ self.rise / len(there.z) + (there.f.penalty * there.w) @ self.p
        return there.value, slope

    def _point(self, tau):
        here = self.start
        return RiskPoint(here.f, here.w + tau * self.p, here.z + tau * self.rise)


class RiskPoint(FunctionPoint):
    """A linear risk seen from w, where the margins are z."""

    line = RiskLine  # one product with the data serves every trial step

    def __init__(self, f, w, z):
        self.f, self.w, self.z = f, w, z

    losses_and_slopes = cached_property(lambda self: self.f.loss.with_derivative(self.z))
    value = cached_property(lambda self: self.losses_and_slopes[0].mean() + self.f.penalty @ self.w**2 / 2)

    @cached_property
    def gradient(self) -> np.ndarray:
        """The gradient of the risk: one product with the data."""
        return self.f.combined(self.f.y * self.losses_and_slopes[1]) / len(self.z) + self.f.penalty * self.w

    @cached_property
    def hessian(self) -> np.ndarray:
        """The Hessian of the risk."""
        f = self.f
        return weighted_moments(f.X, f.loss.curvature(self.z), f.bias) / len(self.z) + np.diag(f.penalty)


class ChangedBasis:
    """v -> f(A v): the same function in the coordinates of the columns of A."""

    @checks_arguments
    def __init__(self, f: Objective, A: Matrix):
        self.f, self.A = f, A

    def at(self, v: ArrayLike) -> "BasisPoint":
        """The function seen from A v."""
        return BasisPoint(self.f.at(self.A @ v), self.A, np.asarray(v, dtype=float))


class BasisLine(Line):
    """A line of another objective, in new coordinates."""

    def __init__(self, start, p):
        super().__init__(start, p)
        self.phi = start.inner.along(start.A @ self.p)

    def __call__(self, tau):
        return self.phi(tau)

    def _point(self, tau):
        return BasisPoint(self.phi.at(tau), self.start.A, self.start.w + tau * self.p)


class BasisPoint(FunctionPoint):
    """A point of another objective, in new coordinates; values and slopes along a line do not depend on them."""

    line = BasisLine

    def __init__(self, inner, A, w):
        self.inner, self.A, self.w = inner, A, w

    value = cached_property(lambda self: self.inner.value)
    gradient = cached_property(lambda self: self.A.T @ self.inner.gradient)
    hessian = cached_property(lambda self: self.A.T @ self.inner.hessian @ self.A)
