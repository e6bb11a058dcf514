"""Gradient descent on a quadratic: what the step does to the path and to the value."""

import numpy as np

from figures.drawing import Control, Interactive, Panel
from mlcourse.optim.gradient import gradient_descent
from mlcourse.optim.objective import Quadratic
from mlcourse.theory import convex_gap, quadratic_rate

L, MU, T = 1.0, 0.125, 30
BEST = 2 / (L + MU)
STEPS = [0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, BEST, 1.9, 1.96, 2.0, 2.04, 2.15]
TURN = np.array([[np.cos(0.4), -np.sin(0.4)], [np.sin(0.4), np.cos(0.4)]])
START = TURN @ [-3.2, 1.3]


def valley():
    """The quadratic: the largest eigenvalue of its matrix is L, the other one an eighth of it; the minimum is 0."""
    return Quadratic(TURN @ np.diag([MU, L]) @ TURN.T)


def behaviour(tau):
    """What the theorem says about a step, in words."""
    if tau > 2 / L:
        return "beyond 2/L: flies away"
    if tau == 2 / L:
        return "at 2/L: jumps to and fro for ever"
    if tau > 1 / L:
        return "between 1/L and 2/L: swings and converges"
    return "at most 1/L: converges without swinging"


def figure():
    """The figure: a control for the step."""
    f = valley()
    plane = Panel((-4, 2.5), (-2.7, 2.3), "*w*₁", "*w*₂", range(-4, 3), range(-2, 3), markers=13)
    curve = Panel(
        (-0.7, T + 0.7),
        (1e-6, 100),
        "*t*",
        "*f*(*w*ₜ) − *f*(*w*∗)",
        range(0, T + 1, 10),
        {1e-6: "10⁻⁶", 1e-4: "10⁻⁴", 1e-2: "0.01", 1: "1", 100: "100"},
        log="y",
        markers=11,
    )
    heights = [f(START) * 0.36**k for k in range(-2, 7)]
    rings = plane.contours(lambda W: np.einsum("ni,ij,nj->n", W, f.H, W) / 2, heights, "curve thin grey")
    centre = plane.points([(0, 0)], "ring")
    t = np.arange(1, T + 1)

    def frame(tau):
        path = np.array(gradient_descent(f.gradient, START, tau, max_iter=T).path)
        values = np.array([f(w) for w in path])
        bound = convex_gap(tau, t, np.linalg.norm(START)) if tau <= 1 / L else []
        rate = quadratic_rate(tau, MU, L)
        readout = (
            f"τ = {tau * L:.3g}/L, {behaviour(tau)}; factor {rate:.3g} a step at worst, "
            f"f(w₃₀) − f(w∗) = {scientific(values[-1])}"
        )
        inside = path[np.abs(path).max(axis=1) < 40]
        left = [rings, centre, plane.line(*inside.T, "curve thin blue"), plane.points(inside, "dot")]
        right = [
            curve.line(t[: len(bound)], bound, "curve orange dashed"),
            curve.line(np.arange(T + 1), values, "curve thin blue"),
            curve.points(np.column_stack([np.arange(T + 1), values]), "dot"),
            curve.text(T - 0.5, 12, "bound for τ ≤ 1/L" if len(bound) else "", "orange", "end"),
        ]
        return readout, left, right

    alt = (
        "Left, the level lines of a long tilted valley and the path of thirty steps of gradient descent from the upper "
        "left. Right, the height of the iterates above the minimum on a logarithmic scale."
    )
    control = Control("step *τL*", STEPS, STEPS.index(1.0), lambda tau: f"{tau * L:.3g}")
    return Interactive(alt, [control], [plane, curve], frame)


def scientific(value):
    """A number as people write it: 0.012 or 3 · 10⁻⁷."""
    if value >= 1e-3:
        return f"{value:.2g}" if value < 100 else f"{value:.0f}"
    digits, exponent = f"{value:.0e}".split("e")
    return f"{digits}·10" + str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
