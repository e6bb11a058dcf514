"""Boosting as descent on the exponential risk (1/m) sum_i exp(-y_i f(x_i)) of a combination f of rules.

Letters
    X, y      sample of m examples, labels in {-1, +1}
    H         (m, N) the values of N rules on the sample
    f         (m,) the values of the combination on the sample; z = y f the signed scores
    D         distribution over the examples, proportional to exp(-z)
    alpha     weights of the rules; tau the step
    lam       the largest sum of the weights
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, softmax

from mlcourse.arguments.kinds import AnyFunction, Positive, RuleValues, Signs
from mlcourse.ensembles.adaboost import ROUNDING
from mlcourse.trace import Iterates, returns_trace


@returns_trace
def coordinate_descent(H: RuleValues, y: Signs) -> Iterates:
    """The weights (N,) of all rules after each step; their steepest coordinate is minimised exactly.

    Ends at a stationary point, or gives up at a rule without a mistake: the risk then has no minimum.
    """
    alpha, z = np.zeros(H.shape[1]), np.zeros(len(y))
    yield alpha
    while True:
        D = softmax(-z)
        edge = (D * y) @ H / 2  # the slopes are -2 edge times the risk
        j = np.abs(edge).argmax()
        if np.abs(edge[j]) <= ROUNDING:
            return True
        if np.abs(edge[j]) >= 1 / 2 - ROUNDING:
            return False
        tau = np.log((1 / 2 + edge[j]) / (1 / 2 - edge[j])) / 2
        alpha, z = alpha + tau * (np.arange(len(alpha)) == j), z + tau * y * H[:, j]
        yield alpha


class Combination(NamedTuple):
    """A combination of rules: its values on the sample, the rules and their weights, how far it is from the best.

    ``gap``: no combination whose weights sum to at most lam has a smaller logarithm of the risk than this minus it.
    """

    f: np.ndarray
    rules: list
    alpha: np.ndarray
    gap: float = np.inf


def least(phi: Callable[[float], float]) -> float:
    """Where the convex function phi is smallest on [0, 1]."""
    return minimize_scalar(phi, bounds=(0, 1), method="bounded", options={"xatol": 1e-12}).x


@returns_trace
def regularised_boosting(y: Signs, weak_learner: AnyFunction, lam: Positive, tol: Positive = 1e-3) -> Iterates:
    """Combinations with weights of sum at most lam, by conditional gradients: a step goes towards lam times a rule.

    ``weak_learner(D)`` returns the best rule under D and its values on the sample. Ends at a gap of at most ``tol``.
    """
    f, alpha = np.zeros(len(y)), np.zeros(0)
    rules: list = []
    yield Combination(f, rules, alpha)
    while True:
        D = softmax(-y * f)
        h, vote = weak_learner(D)
        p = lam * vote - f
        gap = (D * y) @ p
        if gap <= tol:
            yield Combination(f, rules, alpha, gap)
            return True
        tau = least(lambda tau: logsumexp(-y * (f + tau * p)))  # noqa: B023 it is called at once
        f, rules, alpha = f + tau * p, [*rules, h], np.append((1 - tau) * alpha, tau * lam)
        yield Combination(f, rules, alpha, gap)
