"""Trees and graphs."""

import itertools
from collections.abc import Iterable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlcourse.plots.in_plane import arrow
from mlcourse.plots.style import CYCLE, GREY, INK, shades_of


def tree(
    ax: Axes, root: Any, names: list[str] | None = None, classes: ArrayLike | None = None, size: float = 9.5
) -> Axes:
    """A tree of nodes with ``test`` and ``children`` and of leaves with ``label``, coloured by class."""
    spots, edges = _tree_layout(root)
    labels = [node.label for node, _, _ in spots if hasattr(node, "label")]
    classes = sorted(set(labels)) if classes is None else np.asarray(classes).tolist()
    shades = shades_of(len(classes)) if len(classes) <= len(CYCLE) else [GREY] * len(classes)
    text: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size, "color": INK}
    for (x0, y0), (x1, y1), answer in edges:
        ax.plot([x0, x1], [y0, y1], color=GREY, lw=1.2, zorder=1)
        place = {"ha": "right" if x1 < x0 else "left" if x1 > x0 else "center", "fontsize": size - 1}
        words, x = answer.replace("<=", "≤").replace("!=", "≠"), x0 + 0.55 * (x1 - x0) + 0.05 * np.sign(x1 - x0)
        ax.text(x, y0 + 0.55 * (y1 - y0), words, bbox={"fc": "white", "ec": "none", "pad": 0.8}, **text | place)
    for node, x, y in spots:
        if hasattr(node, "label"):
            words = f"{node.label:.3g}" if isinstance(node.label, float) else str(node.label)
            words += "" if node.counts is None else "\n" + " : ".join(f"{count:.4g}" for count in node.counts)
            edge = shades[classes.index(node.label)]
            face: Any = [0.84 + 0.16 * channel for channel in plt.matplotlib.colors.to_rgb(edge)]
        else:
            words, edge, face = node.test.describe(names), INK, "white"
        shape = "square,pad=0.35" if hasattr(node, "label") else "round,pad=0.35"
        ax.text(x, y, words, zorder=3, bbox={"boxstyle": shape, "fc": face, "ec": edge, "lw": 1.3}, **text)
    ax.set(xlim=(-0.6, len(labels) - 0.4), ylim=(min(y for _, _, y in spots) - 0.45, 0.4))
    ax.axis("off")
    return ax


def _tree_layout(root):
    """The (node, x, y) of every node and the (from, to, answer) of every edge; leaves are one apart."""
    spots: list[tuple] = []
    edges: list[tuple] = []
    leaves = itertools.count()

    def place(node, depth):
        if hasattr(node, "label"):
            x = next(leaves)
        else:
            below = [place(child, depth + 1) for child in node.children]
            x = (below[0] + below[-1]) / 2
            edges.extend(((x, -depth), (b, -depth - 1), a) for b, a in zip(below, node.test.answers(), strict=True))
        spots.append((node, x, -depth))
        return x

    place(root, 0)
    return spots, edges


def graph(
    ax: Axes, places: dict, edges: Iterable[tuple], names: dict | None = None, color: str = INK, radius: float = 0.2
) -> Axes:
    """Nodes {node: (x, y)} as circles with their names, and an arrow along each edge (parent, child)."""
    for parent, child in edges:
        start, end = np.array(places[parent], dtype=float), np.array(places[child], dtype=float)
        gap = radius * (end - start) / np.linalg.norm(end - start)
        arrow(ax, start + gap, end - gap, color=GREY, lw=1.1, mutation_scale=9)
    for node, place in places.items():
        ax.add_patch(plt.Circle(place, radius, fc="white", ec=color, lw=1.4, zorder=3))
        x, y = place
        ax.text(x, y, names[node] if names else node, ha="center", va="center", fontsize=10, color=INK, zorder=5)
    ax.set_aspect("equal")
    ax.autoscale_view()
    ax.axis("off")
    return ax
