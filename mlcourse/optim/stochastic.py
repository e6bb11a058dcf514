"""Stochastic gradients: many cheap, noisy steps instead of few exact ones.

Letters
    w, tau   argument and step
    m        number of examples; rows the indices of a batch of them
    gamma, a the steps gamma / (1 + t)^a
"""

import itertools

import numpy as np

from mlcourse._checks import check_count, check_in_range, check_positive, check_rng
from mlcourse.optim.gradient import step_sizes
from mlcourse.trace import traced


def decreasing_steps(gamma, a=1.0):
    """gamma / (1 + t)^a for t = 0, 1, ...; Robbins and Monro's conditions hold iff 1/2 < a <= 1."""
    check_positive("gamma", gamma)
    check_in_range("a", a, 0, np.inf)
    return (gamma / (1 + t) ** a for t in itertools.count())


def uniform_draws(m, size=1, rng=None):
    """For ever: ``size`` of m examples, drawn independently and uniformly."""
    check_count("m", m), check_count("size", size)
    rng = check_rng(rng)
    while True:
        yield rng.integers(m, size=size)


def shuffled_passes(m, size=1, passes=None, rng=None):
    """Every example once a pass, in a new random order each time, in batches of ``size``; for ever if no ``passes``."""
    check_count("m", m), check_count("size", size)
    rng = check_rng(rng)
    for _ in itertools.count() if passes is None else range(check_count("passes", passes)):
        order = rng.permutation(m)
        yield from (order[i : i + size] for i in range(0, m, size))


@traced
def stochastic_gradient_descent(gradient, w, tau, batches):
    """w - tau gradient(w, rows) for every batch of rows; ends with the batches or the steps."""
    w = np.array(w, dtype=float)
    yield w
    for rows, tau_t in zip(batches, step_sizes(tau), strict=False):
        w = w - tau_t * gradient(w, rows)
        yield w
    return True
