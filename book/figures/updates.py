"""The perceptron update by update: the line in the plane, and the race of Novikoff's proof."""

import itertools

import numpy as np

from figures.drawing import Control, Interactive, Panel
from mlcourse.data import SeparableMargin
from mlcourse.models.linear.linear_separation import flipped, margin, max_margin_separator
from mlcourse.models.linear.perceptron import perceptron


def sample():
    """Sixty points of the unit disc that a line through its centre separates."""
    return SeparableMargin(d=2, rho=0.08, w=[1, 2]).sample(60, np.random.default_rng(283))


def race(X, y):
    """The weights after each update, the best direction u, its margin and the radius of the data."""
    path = np.array(perceptron(X, y, itertools.repeat(None)).path)
    u = max_margin_separator(X, y)
    return path, u / np.linalg.norm(u), margin(u, X, y), np.linalg.norm(X, axis=1).max()


def figure():
    """The figure: a control for the number of updates."""
    X, y = sample()
    path, u, rho, R = race(X, y)
    T = len(path) - 1
    plane = Panel((-1.35, 1.35), (-1.0, 1.0), "*x*₁", "*x*₂", range(-1, 2), range(-1, 2), markers=15)
    curves = Panel((0, T + 0.8), (0, 4), "updates *t*", "length", range(0, T + 1, 2), range(5))
    ahead, t = np.linspace(0, T + 1, 60), np.arange(T + 1)
    fixed = [
        curves.line(ahead, R * np.sqrt(ahead), "curve orange dashed"),
        curves.line(ahead, rho * ahead, "curve green dashed"),
        curves.line(t, np.linalg.norm(path, axis=1), "curve blue"),
        curves.line(t, path @ u, "curve purple"),
        curves.text(7, 2.9, "*R*√*t*", "orange", "end"),
        curves.text(9.8, 2.2, "‖*w*ₜ‖", "blue", "end"),
        curves.text(9, 1.42, "*u*·*w*ₜ", "purple"),
        curves.text(9.5, 0.72, "*ρt*", "green"),
    ]
    ground, points = plane.ground("neg area"), plane.classes(X, y)

    def frame(k):
        w, step = path[k], path[k] - path[k - 1]
        cause = np.abs(flipped(X, y) - step).sum(axis=1).argmin()
        wrong = int((y * (X @ w) <= 0).sum())
        length, along = np.linalg.norm(w), w @ u
        readout = (
            f"update {k}: {wrong} of 60 wrong; ρt = {rho * k:.2f} ≤ u·w = {along:.2f} ≤ ‖w‖ = {length:.2f} "
            f"≤ R√t = {R * np.sqrt(k):.2f}"
        )
        left = [
            ground,
            plane.region(lambda places: places @ w, "pos region", step=6),
            *points,
            plane.lines([[(0, 0), 0.7 * w / length]], "stump"),
            plane.points(X[[cause]], "ring", "big"),
        ]
        return readout, left, [*fixed, *curves.here(k, length, along)]

    alt = (
        "Left, sixty points of two classes in a disc, the half-planes of the perceptron, its weight vector as a thick "
        "line from the centre, and a ring around the example that caused the update. Right, the length of the weights "
        "and their part along the best direction, above a straight line and below a square root."
    )
    return Interactive(alt, [Control("updates *t*", list(range(1, T + 1)), 2)], [plane, curves], frame)
