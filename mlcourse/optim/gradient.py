"""Descent: go downhill, by steps fixed beforehand or found by a line search.

Letters
    f, w    the function and its argument; gradient(w) its gradient
    p, tau  direction and step
    tol     stop when the gradient is at most this long
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from scipy.linalg import lstsq

from mlcourse.arguments.kinds import AnyFunction, NonNegative, Objective, Steps, Vector
from mlcourse.arguments.numbers import check_positive
from mlcourse.optim.line_search import wolfe
from mlcourse.trace import Iterates, returns_trace


def step_sizes(tau: float | Iterable[float]) -> Iterator[float]:
    """The steps as an iterator: a number stands for itself for ever, anything else is run through."""
    if isinstance(tau, Iterable):
        return iter(tau)
    return itertools.repeat(check_positive("tau", tau))


@returns_trace
def gradient_descent(gradient: AnyFunction, w: Vector, tau: Steps, tol: NonNegative = 0.0) -> Iterates:
    """w - tau gradient(w), again and again; ``tau`` is a number or an iterable of steps."""
    w = np.array(w, dtype=float)
    yield w
    for tau_t in step_sizes(tau):
        g = gradient(w)
        if np.linalg.norm(g) <= tol:
            return True
        w = w - tau_t * g
        yield w
    return False


def steepest(here: Any) -> np.ndarray:
    """Straight down: minus the gradient."""
    return -here.gradient


def newton(here: Any) -> np.ndarray:
    """To the minimiser of the second-order expansion, the shortest solution of H p = -gradient, if that is downhill."""
    p = -lstsq(here.hessian, here.gradient, cond=1e-13)[0]
    return p if p @ here.gradient < 0 else -here.gradient


@returns_trace
def line_search_descent(
    f: Objective, w: Vector, direction: AnyFunction = steepest, search: AnyFunction = wolfe, tol: NonNegative = 1e-6
) -> Iterates:
    """w + tau p with p = direction(here) and tau = search(phi) until the gradient is short."""
    here = f.at(w)
    yield here.w
    while np.linalg.norm(here.gradient) > tol:
        phi = here.along(direction(here))
        tau = search(phi)
        if tau is None:
            return False
        here = phi.at(tau)
        yield here.w
    return True
