"""Online learning: one loss after another, none of them known before the step is made.

Letters
    w, u    the played weights, and a fixed comparator
    T       number of rounds
    U, G    radius of the ball of comparators; bound on the gradients
    tau     factor of the steps
    mu      strong convexity of the losses
    X, y    points and labels of the rounds; x one of the points
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq, minimize
from scipy.special import expit

from mlcourse.arguments.arrays import check_vector
from mlcourse.arguments.collections import check_function, check_list
from mlcourse.arguments.kinds import (
    AnyFunction,
    AnyIterable,
    NonNegative,
    Points,
    Positive,
    Rounds,
    Targets,
    Vector,
    checks_arguments,
)
from mlcourse.arguments.numbers import check_number
from mlcourse.losses import Loss, MarginLoss, hinge, square
from mlcourse.trace import Iterates, returns_trace


def in_ball(w: np.ndarray, U: float) -> np.ndarray:
    """The point of the ball {|w| <= U} nearest to w."""
    norm = np.linalg.norm(w)
    return w if norm <= U else w * (U / norm)


@returns_trace
def online_gradient_descent(losses: Rounds, w: Vector, U: Positive, tau: Positive) -> Iterates:
    """The weights w_1, ..., w_{T+1}: a step tau / sqrt(t) down the gradient of loss t, then back into the ball.

    Every loss is an object with a method ``gradient(w)``, asked after w_t was played.
    """
    w = in_ball(w, U)
    yield w
    for t, loss in enumerate(losses, start=1):
        w = in_ball(w - tau / np.sqrt(t) * loss.gradient(w), U)
        yield w
    return True


@returns_trace
def strongly_convex_ogd(losses: Rounds, w: Vector, mu: Positive) -> Iterates:
    """The weights w_1, ..., w_{T+1}: a step 1 / (mu t) down the gradient of loss t, without projection."""
    yield w
    for t, loss in enumerate(losses, start=1):
        w = w - loss.gradient(w) / (mu * t)
        yield w
    return True


@returns_trace
def constant_step_ogd(losses: Rounds, w: Vector, tau: Positive) -> Iterates:
    """The weights w_1, ..., w_{T+1}: a step tau down the gradient of loss t, without projection."""
    yield w
    for loss in losses:
        w = w - tau * loss.gradient(w)
        yield w
    return True


class Reply:
    """The loss g.w + (mu/2) |w|^2 of an adversary: g = ``reply(w_t)`` is chosen when w_t is seen, and then kept.

    It is seen when the gradient is first asked for; until then the loss has no value.
    """

    @checks_arguments
    def __init__(self, reply: AnyFunction, mu: NonNegative = 0.0):
        self.reply, self.mu = reply, mu
        self.g: np.ndarray | None = None

    def __call__(self, w):
        if self.g is None:
            raise ValueError("the opponent must reply before the loss has a value: ask for a gradient first")
        return float(self.g @ w + self.mu / 2 * (w @ w))

    def gradient(self, w: np.ndarray) -> np.ndarray:
        """The gradient at ``w``."""
        if self.g is None:
            self.g = check_vector("the reply", self.reply(w))
        return self.g + self.mu * w


@dataclass(frozen=True, eq=False)
class LinearRound:
    """The loss of the score w.x at one example, as a function of w, plus (mu/2) |w|^2."""

    loss: Any  # a Loss or a MarginLoss
    x: np.ndarray
    y: float
    mu: float = 0.0

    def __call__(self, w):
        score = self.x @ w
        value = self.loss(self.y * score) if isinstance(self.loss, MarginLoss) else self.loss(self.y, score)
        return float(value + self.mu / 2 * (w @ w))

    def gradient(self, w: np.ndarray) -> np.ndarray:
        """The gradient at ``w``, or a subgradient."""
        score = self.x @ w
        if isinstance(self.loss, MarginLoss):
            return self.y * self.loss.derivative(self.y * score) * self.x + self.mu * w
        return self.loss.derivative(self.y, score) * self.x + self.mu * w


@checks_arguments
def rounds(loss: AnyFunction, X: Points, y: Targets, mu: NonNegative = 0.0) -> list[LinearRound]:
    """The losses of the T examples (X, y), in their order: a list of ``LinearRound``."""
    return [LinearRound(loss, x, label, mu) for x, label in zip(X, y.tolist(), strict=True)]


@checks_arguments
def regret(path: AnyIterable, losses: AnyIterable, u: Vector) -> np.ndarray:
    """The regrets R_1(u), ..., R_T(u): what was lost on the path up to each round, minus what u would have lost.

    The path has T weights, or T + 1, of which the last one was never played.
    """
    played, losses = _weights(path, least=1), [check_function("every entry of losses", loss) for loss in losses]
    if len(played) - len(losses) not in (0, 1):
        raise ValueError(f"for {len(losses)} losses the path must have as many weights or one more, got {len(played)}")
    if len(u) != len(played[0]):
        raise ValueError(f"u must be as long as the weights of the path, {len(played[0])}, got {len(u)}")
    return np.cumsum([loss(w) - loss(u) for w, loss in zip(played, losses, strict=False)])


def online_to_batch(path: Iterable) -> np.ndarray:
    """The average of the played weights w_1, ..., w_T of a path of T + 1 of them."""
    return np.mean(_weights(path)[:-1], axis=0)


def _weights(path: Iterable, least: int = 2) -> list[np.ndarray]:
    """The path as a list of weights, all of one length."""
    path = [check_vector("every entry of path", w) for w in check_list("path", path)]
    if len(path) < least or len({w.size for w in path}) > 1:
        raise ValueError(f"path must have at least {least} weight vectors of one length, got {len(path)}")
    return path


@checks_arguments
def best_comparator(loss: Loss | MarginLoss, X: Points, y: Targets, U: Positive) -> np.ndarray:
    """The u in the ball of radius U with the least sum of losses, for the square or the hinge loss."""
    if type(loss) is type(square):
        return _least_squares_in_ball(X, y, U)
    if type(loss) is type(hinge):
        return _least_hinge_in_ball(X, y, U)
    raise ValueError(f"loss must be square or hinge, got {loss!r}")


def _least_squares_in_ball(X, y, U):
    """The least-squares u, the shortest one, if it is in the ball; otherwise a ridge solution of norm U."""
    W, s, Vt = np.linalg.svd(X, full_matrices=False)
    keep = s > max(X.shape) * np.finfo(float).eps * s[0]
    s, c, Vt = s[keep], W.T[keep] @ y, Vt[keep]

    def excess(alpha):
        return np.linalg.norm(s * c / (s**2 + alpha)) - U

    most = check_number("the length of X^T y over U", np.linalg.norm(s * c) / U)
    is_outside = s.size and excess(0) > 0
    alpha = brentq(excess, 0.0, most, xtol=1e-14, rtol=1e-14, maxiter=2000) if is_outside else 0.0
    return Vt.T @ (s * c / (s**2 + alpha))


def _least_hinge_in_ball(X, y, U):
    """The minimum of the mean of ln(1 + e^{t r_i}) / t, r_i = 1 - y_i u.x_i, for growing t, in units of U.

    This lies above the mean hinge loss by at most ln(2) / t.
    """
    Z, v = U * y[:, None] * X, np.zeros(X.shape[1])
    ball = {"type": "ineq", "fun": lambda v: 1 - v @ v, "jac": lambda v: -2 * v}
    for t in 10.0 ** np.arange(6):
        found = minimize(lambda v, t=t: np.logaddexp(0, t * (1 - Z @ v)).mean() / t, v,
                         jac=lambda v, t=t: -Z.T @ expit(t * (1 - Z @ v)) / len(Z), constraints=ball,
                         method="SLSQP", options={"ftol": 1e-12, "maxiter": 300})  # fmt: skip
        v = in_ball(found.x, 1.0)
    return U * v
