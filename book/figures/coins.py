"""How well thresholds agree with coin flips: the suprema of many draws, their mean, and Massart's bound."""

import numpy as np

from figures.drawing import Control, Interactive, Panel
from mlcourse.theory import massart
from mlcourse.theory.rademacher import random_signs, threshold_complexity, threshold_suprema

SIZES, DRAWS = [5, 10, 20, 40, 80, 160, 320, 640, 1280], 4000


def suprema(m):
    """For many draws of m coins, how well the best threshold agrees with them."""
    return threshold_suprema(np.arange(m), random_signs(DRAWS, m, np.random.default_rng(m)))


def bound(m):
    """Massart's bound for the m + 1 labellings of m points by thresholds."""
    return massart(m, m + 1, np.sqrt(m))


def figure():
    """The figure: a control for the sample size."""
    drawn = {m: suprema(m) for m in SIZES}
    sizes = np.array(SIZES)
    bars = Panel(
        (-0.02, 1.12),
        (0, 0.6),
        "agreement of the best threshold",
        "share of the 4000 draws",
        {0: "0", 0.25: "0.25", 0.5: "0.5", 0.75: "0.75", 1: "1"},
        [0, 0.2, 0.4, 0.6],
    )
    curves = Panel(
        (4, 1700),
        (0.03, 1.2),
        "sample size *m*",
        "complexity",
        [5, 20, 80, 320, 1280],
        {0.03: "0.03", 0.1: "0.1", 0.3: "0.3", 1: "1"},
        log="xy",
    )
    fixed = [
        curves.line(sizes, bound(sizes), "curve orange dashed"),
        curves.line(sizes, threshold_complexity(sizes), "curve blue"),
        curves.text(60, 0.46, "Massart’s bound", "orange"),
        curves.text(30, 0.12, "exact", "blue", "end"),
    ]

    def frame(m):
        values, mean = drawn[m], drawn[m].mean()
        edges = 0.025 * np.arange(-0.5, 42)
        shares = np.histogram(values, edges)[0] / DRAWS
        boxes = [(a, b, 0, share) for a, b, share in zip(edges, edges[1:], shares, strict=False) if share > 0]
        left = [
            bars.boxes(boxes, "pos bars"),
            bars.upright(mean, "mean"),
            bars.upright(bound(m), "limit"),
            bars.text(mean + 0.02, 0.55, "mean"),
            bars.text(bound(m) + 0.02, 0.48, "bound", "orange"),
        ]
        readout = (
            f"m = {m}: mean of {DRAWS} draws {mean:.3f}, exactly {threshold_complexity(m):.3f}, "
            f"Massart’s bound {bound(m):.3f}"
        )
        return readout, left, [*fixed, *curves.here(m, mean, bound(m))]

    alt = (
        "Left, a histogram over four thousand draws of coins of how well the best threshold agrees with them, with "
        "the mean and Massart's bound. Right, both against the sample size on logarithmic axes, falling together."
    )
    return Interactive(alt, [Control("sample size *m*", SIZES, 3)], [bars, curves], frame)
