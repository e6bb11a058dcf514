"""Losses of the signed score: what each charges for one example, and how hard it pulls."""

import numpy as np

from figures.drawing import Control, Interactive, Panel, minus
from mlcourse.losses import (
    exponential,
    hinge,
    logistic,
    logistic_base2,
    perceptron_loss,
    squared_margin,
    zero_one_margin,
)

LOSSES = [zero_one_margin, squared_margin, hinge, exponential, logistic_base2, logistic, perceptron_loss]
LOOKS = ["ink", "purple", "blue", "orange", "green", "green dashed", "grey dashed"]
ROWS = range(6, -1, -1)  # the heights of their rows in the table
SCORES = [round(z, 1) for z in np.linspace(-2, 2.5, 46)]


def figure():
    """The figure: a control for the signed score z."""
    curves = Panel((-2.1, 2.6), (0, 4), "signed score *z*", "loss", range(-2, 3), range(5))
    bars = Panel((0, 1), (-0.5, 7.2))
    left, right = np.linspace(-2.2, 0, 89), np.linspace(1e-9, 2.7, 109)  # the step is between them
    fixed = [
        curves.lines([np.column_stack([z, loss(z)]) for z in (left, right)], f"curve {look}")
        for loss, look in zip(LOSSES, LOOKS, strict=True)
    ]
    head = [
        bars.text(0.13, 6.75, "loss", "grey"),
        bars.text(0.74, 6.75, "value", "grey", "end"),
        bars.text(0.96, 6.75, "slope", "grey", "end"),
    ]
    swatches = [bars.line([0.02, 0.1], [row, row], f"curve {look}") for row, look in zip(ROWS, LOOKS, strict=True)]
    names = [
        bars.text(0.13, row - 0.12, loss.name.replace("logistic (base 2)", "logistic, base 2"))
        for loss, row in zip(LOSSES, ROWS, strict=True)
    ]

    def frame(z):
        values = [float(loss(z)) for loss in LOSSES]
        slopes = [float(loss.derivative(z)) + 0.0 if loss.convex else 0.0 for loss in LOSSES]
        numbers = [
            mark
            for loss, row, value, slope in zip(LOSSES, ROWS, values, slopes, strict=True)
            for mark in (
                bars.text(0.74, row - 0.12, f"{value:.2f}", "", "end"),
                bars.text(0.96, row - 0.12, minus(f"{slope:.2f}") if loss.convex else "–", "", "end"),
            )
        ]
        below = [loss.name for loss, value in zip(LOSSES[1:], values[1:], strict=True) if value < values[0]]
        readout = (
            f"z = {minus(f'{z:g}')}: hinge {values[2]:.2f}, logistic {values[5]:.2f}, exponential "
            f"{values[3]:.2f}; below the zero-one loss {values[0]:.0f}: {' and '.join(below) or 'none'}"
        )
        return readout, [*fixed, *curves.here(z, *values)], [*head, *swatches, *names, *numbers]

    alt = (
        "Left, six losses as functions of the signed score, with the zero-one step. Right, a table of the value and "
        "the slope of each at the chosen score."
    )
    control = Control("signed score *z*", SCORES, SCORES.index(-0.3))
    return Interactive(alt, [control], [curves, bars], frame)
