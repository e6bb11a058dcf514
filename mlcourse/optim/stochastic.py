"""Stochastic gradients: many cheap, noisy steps instead of few exact ones.

Letters
    w, tau   argument and step
    m        number of examples; rows the indices of a batch of them
    gamma, a the steps gamma / (1 + t)^a
    v, beta  velocity of a step with momentum; the part of a running mean that is kept at each step
"""

import itertools
from collections.abc import Iterator

import numpy as np

from mlcourse.arguments.kinds import (
    AnyFunction,
    AnyIterable,
    Count,
    Decay,
    Decays,
    NonNegative,
    Positive,
    Seed,
    Steps,
    Vector,
    checks_arguments,
)
from mlcourse.arguments.numbers import check_in_range, check_rng
from mlcourse.optim.gradient import step_sizes
from mlcourse.trace import Iterates, returns_trace


@checks_arguments
def decreasing_steps(gamma: Positive, a: float = 1.0) -> Iterator[float]:
    """gamma / (1 + t)^a for t = 0, 1, ...; Robbins and Monro's conditions hold iff 1/2 < a <= 1."""
    a = check_in_range("a", a, 0, 10)
    return (gamma / (1 + t) ** a for t in itertools.count())


@checks_arguments
def uniform_draws(m: Count, size: Count = 1, rng: Seed = None) -> Iterator[np.ndarray]:
    """For ever: ``size`` of m examples, drawn independently and uniformly."""
    rng = check_rng(rng)
    while True:
        yield rng.integers(m, size=size)


@checks_arguments
def shuffled_passes(m: Count, size: Count = 1, passes: Count | None = None, rng: Seed = None) -> Iterator[np.ndarray]:
    """Every example once a pass, in a new random order each time, in batches of ``size``; for ever if no ``passes``."""
    rng = check_rng(rng)
    for _ in itertools.count() if passes is None else range(passes):
        order = rng.permutation(m)
        yield from (order[i : i + size] for i in range(0, m, size))


@returns_trace
def stochastic_gradient_descent(gradient: AnyFunction, w: Vector, tau: Steps, batches: AnyIterable) -> Iterates:
    """w - tau gradient(w, rows) for every batch of rows; ends with the batches or the steps."""
    w = np.array(w, dtype=float)
    yield w
    for rows, tau_t in zip(batches, step_sizes(tau), strict=False):
        w = w - tau_t * gradient(w, rows)
        yield w
    return True


@returns_trace
def momentum(gradient: AnyFunction, w: Vector, tau: Steps, batches: AnyIterable, beta: Decay = 0.9) -> Iterates:
    """w + v with v = beta v - tau gradient(w, rows) for every batch of rows: a ball that rolls with friction."""
    w = np.array(w, dtype=float)
    v = np.zeros_like(w)
    yield w
    for rows, tau_t in zip(batches, step_sizes(tau), strict=False):
        v = beta * v - tau_t * gradient(w, rows)
        w = w + v
        yield w
    return True


@returns_trace
def adam(
    gradient: AnyFunction,
    w: Vector,
    tau: Steps,
    batches: AnyIterable,
    beta: Decays = (0.9, 0.999),
    floor: NonNegative = 1e-8,
) -> Iterates:
    """Steps of about tau in every coordinate: running means of the gradient over the root of those of its square.

    The means start at zero; dividing by 1 - beta^t, the sum of their weights, makes up for it.
    """
    w = np.array(w, dtype=float)
    mean, square = np.zeros_like(w), np.zeros_like(w)
    yield w
    for t, (rows, tau_t) in enumerate(zip(batches, step_sizes(tau), strict=False), start=1):
        g = gradient(w, rows)
        mean += (1 - beta[0]) * (g - mean)
        square += (1 - beta[1]) * (g * g - square)
        root = np.sqrt(square / (1 - beta[1] ** t))
        w = w - tau_t / (1 - beta[0] ** t) * mean / (root + floor)
        yield w
    return True


@returns_trace
def early_stopping(iterates: AnyIterable, risk: AnyFunction, patience: Count) -> Iterates:
    """The best of the iterates so far, by ``risk``; ends when ``patience`` of them in a row were no better.

    A risk that is not a number counts as infinite.
    """
    best, least, waited = None, np.inf, 0
    for w in iterates:
        value, waited = risk(w), waited + 1
        if best is None or value < least:
            best, least, waited = w, np.fmin(value, least), 0
        yield best
        if waited >= patience:
            return True
    return False
