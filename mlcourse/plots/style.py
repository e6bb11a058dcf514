"""The look of every figure: colours, markers, fonts."""

from typing import Any

import matplotlib.pyplot as plt

BLUE, ORANGE, GREEN, RED = "#0072B2", "#D55E00", "#009E73", "#A3123A"
PURPLE, SKY, YELLOW, GREY, INK = "#AA4499", "#56B4E9", "#E69F00", "#6B7280", "#1F2937"
CYCLE = [BLUE, ORANGE, GREEN, PURPLE, YELLOW, SKY, RED, GREY]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*", "<", ">"]
STYLE: list[tuple[Any, dict[str, Any]]] = [
    ("figure", {"figsize": (6.4, 3.8), "dpi": 130, "facecolor": "white", "constrained_layout.use": True}),
    ("axes", {"prop_cycle": plt.cycler(color=CYCLE), "spines.top": False, "spines.right": False, "axisbelow": True}),
    ("axes", {"edgecolor": INK, "labelcolor": INK, "titlesize": 11, "titlelocation": "left", "labelsize": 10.5}),
    ("xtick", {"color": INK, "labelsize": 9.5}),
    ("ytick", {"color": INK, "labelsize": 9.5}),
    ("font", {"family": "DejaVu Sans"}),
    ("mathtext", {"fontset": "cm"}),
    ("legend", {"frameon": False, "fontsize": 9.5}),
    ("lines", {"linewidth": 1.9, "markersize": 5}),
]


def use_style() -> None:
    """Make the course's look the default for every figure drawn from now on."""
    for group, settings in STYLE:
        plt.rc(group, **settings)


def shades_of(n_classes: int) -> list[str]:
    """The colours of the classes, in their order."""
    return [ORANGE, BLUE] if n_classes == 2 else [CYCLE[c % len(CYCLE)] for c in range(n_classes)]
