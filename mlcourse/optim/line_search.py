"""How far to go: step lengths along a line, phi(tau) = f(w + tau p).

A search is a function of phi, where phi(tau) returns the pair (value, slope) and phi'(0) < 0; it returns a
step tau > 0, or None if floating-point arithmetic leaves none to be found.

Letters
    phi, tau  the function along the line, and a step
    c1, c2    Wolfe's constants, 0 < c1 < c2 < 1
"""

import math
from collections.abc import Callable

from mlcourse.arguments.kinds import AnyFunction, Fraction, Positive, checks_arguments

MAX_TRIALS = 100
EPSILON = 2.0**-51  # a relative difference of values that rounding can produce


def armijo(phi: Callable, tau: float, c1: float = 1e-4) -> bool:
    """Sufficient decrease: phi(tau) <= phi(0) + c1 tau phi'(0), up to the rounding of phi(0)."""
    (start, slope), (value, _) = phi(0.0), phi(tau)
    return value <= start + c1 * tau * slope + EPSILON * abs(start)


def curvature(phi: Callable, tau: float, c2: float = 0.9) -> bool:
    """Not too short: phi'(tau) >= c2 phi'(0)."""
    return phi(tau)[1] >= c2 * phi(0.0)[1]


def strong_curvature(phi: Callable, tau: float, c2: float = 0.9) -> bool:
    """Neither too short nor far beyond: |phi'(tau)| <= c2 |phi'(0)|."""
    return abs(phi(tau)[1]) <= c2 * abs(phi(0.0)[1])


@checks_arguments
def backtracking(phi: AnyFunction, tau: Positive = 1.0, c1: Fraction = 1e-4) -> float | None:
    """The first of tau, tau/2, tau/4, ... with sufficient decrease."""
    for _ in range(MAX_TRIALS):
        if armijo(phi, tau, c1):
            return tau
        tau = tau / 2
    return None


@checks_arguments
def wolfe(phi: AnyFunction, tau: Positive = 1.0, c1: Fraction = 1e-4, c2: Fraction = 0.9) -> float | None:
    """A step with sufficient decrease and phi'(tau) >= c2 phi'(0), by doubling and bisection."""
    low, high = 0.0, math.inf
    for _ in range(MAX_TRIALS):
        if not armijo(phi, tau, c1):
            high = tau
        elif not curvature(phi, tau, c2):
            low = tau
        else:
            return tau
        tau = 2 * low if high == math.inf else (low + high) / 2
    return None


@checks_arguments
def strong_wolfe(phi: AnyFunction, tau: Positive = 1.0, c1: Fraction = 1e-4, c2: Fraction = 0.1) -> float | None:
    """A step with sufficient decrease and |phi'(tau)| <= c2 |phi'(0)|, by bracketing and zooming.

    ``low`` is the best step so far with sufficient decrease; good steps lie between it and ``high``.
    """
    start, slope0 = map(float, phi(0.0))
    low, high = (0.0, start, slope0), (math.inf, math.inf, math.inf)
    for _ in range(MAX_TRIALS):
        value, slope = map(float, phi(tau))
        enough = value <= start + c1 * tau * slope0 + EPSILON * abs(start)
        if not enough or value > low[1] + EPSILON * max(abs(start), abs(low[1])):
            high = tau, value, slope
        elif abs(slope) <= c2 * abs(slope0):
            return tau
        else:
            if slope * (high[0] - low[0]) >= 0:
                high = low
            low = tau, value, slope
        tau = _beyond(tau, slope, slope0) if high[0] == math.inf else _between(low, high)
    return None


def _beyond(tau, slope, slope0):
    """Where a parabola with these slopes at 0 and tau has its minimum, at least 2 tau and at most 10 tau."""
    return tau * min(max(slope0 / (slope0 - slope), 2), 10) if slope > slope0 else 10 * tau


def _between(low, high):
    """The minimiser of the cubic with the values and slopes of both ends, kept off the ends; else the middle."""
    (a, value_a, slope_a), (b, value_b, slope_b) = low, high
    h = b - a
    s = slope_a + slope_b - 3 * (value_b - value_a) / h
    radicand = s * s - slope_a * slope_b
    if not (0 <= radicand < math.inf and abs(value_b) < math.inf):
        return a + h / 2
    root = math.copysign(math.sqrt(radicand), h)
    bottom = slope_b - slope_a + 2 * root
    fraction = 1 - (slope_b + root - s) / bottom if bottom else 0.5
    return a + h * min(max(fraction, 0.1), 0.9)


@checks_arguments
def parabola_step(phi: AnyFunction) -> float:
    """The minimiser of phi if phi is a parabola: where the line through its slopes at 0 and 1 vanishes."""
    slope0, slope1 = phi(0.0)[1], phi(1.0)[1]
    return slope0 / (slope0 - slope1)
