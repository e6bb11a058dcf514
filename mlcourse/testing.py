"""Definitions as assertions, shared by the tests, the chapters and the homework.

Letters
    f, gradient   a real function and its claimed gradient
    phi, tau      a function of one number, phi(tau) returning (value, slope), and a step
    c1, c2        Wolfe's constants, 0 < c1 < c2 < 1
    delta         the failure probability that a bound allows
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtrc


def numerical_gradient(f: Callable, x: ArrayLike, step: float = 1e-6) -> np.ndarray:
    """The gradient of f at x by central differences."""
    x = np.asarray(x, dtype=float)
    shifts = step * np.eye(x.size).reshape(x.size, *x.shape)
    return np.array([(f(x + e) - f(x - e)) / (2 * step) for e in shifts]).reshape(x.shape)


def assert_gradient(f: Callable, gradient: Callable, x: ArrayLike, rtol: float = 1e-5, atol: float = 1e-7) -> None:
    """The claimed gradient is that of f at x."""
    np.testing.assert_allclose(gradient(x), numerical_gradient(f, x), rtol=rtol, atol=atol)


def assert_subgradient(f: Callable, g: ArrayLike, x: ArrayLike, others: Iterable) -> None:
    """f(u) >= f(x) + g.(u - x) for every u among ``others``."""
    for u in others:
        gap = f(u) - f(x) - np.vdot(g, u - x)
        assert gap >= -1e-9 * (1 + abs(f(x))), f"not a subgradient at {x!r}: f({u}) lies {-gap:.3g} below the plane"


def assert_convex(f: Callable, pairs: Iterable[tuple], weights: Iterable[float] = (0.25, 0.5, 0.75)) -> None:
    """f(a u + (1 - a) v) <= a f(u) + (1 - a) f(v) for every pair (u, v)."""
    for u, v in pairs:
        for a in weights:
            chord, value = a * f(u) + (1 - a) * f(v), f(a * u + (1 - a) * v)
            assert value <= chord + 1e-9 * (1 + abs(chord)), f"not convex between {u} and {v}: {value} > {chord}"


def assert_wolfe(phi: Callable, tau: float, c1: float, c2: float, strong: bool = False) -> None:
    """phi(tau) <= phi(0) + c1 tau phi'(0) and phi'(tau) >= c2 phi'(0); |phi'(tau)| <= c2 |phi'(0)| if ``strong``."""
    (start, slope0), (value, slope) = phi(0.0), phi(tau)
    assert slope0 < 0 < tau, f"the slope at 0 is {slope0:.3g} and the step {tau:.3g}: not a step downhill"
    line = start + c1 * tau * slope0
    assert value <= line + 1e-15 * abs(start), f"too little decrease: phi({tau:.3g}) = {value:.6g} > {line:.6g}"
    assert slope >= c2 * slope0, f"too short a step: phi'({tau:.3g}) = {slope:.3g} < {c2:g} * {slope0:.3g}"
    assert not strong or slope <= -c2 * slope0, f"too far: phi'({tau:.3g}) = {slope:.3g} > {-c2 * slope0:.3g}"


def assert_separates(w: np.ndarray, X: np.ndarray, y: np.ndarray) -> None:
    """y_i w.x_i > 0 for every example."""
    worst = (y * (X @ w)).min()
    assert worst > 0, f"example {int((y * (X @ w)).argmin())} is on the wrong side: y w.x = {worst:.3g}"


def assert_fails_at_most(violations: int, trials: int, delta: float, alarm: float = 1e-6) -> None:
    """That many violations are compatible with a failure probability of at most delta."""
    chance = bdtrc(violations - 1, trials, delta)
    assert chance > alarm, (
        f"{violations} violations in {trials} draws: at most {delta:g} each is promised, "
        f"and so many would then have probability {chance:.1e}"
    )
