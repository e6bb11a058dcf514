"""One look for every figure: the only file that imports matplotlib.

Every function takes an ``ax`` and data, draws, and returns the ``ax``. Colours are Okabe and Ito's,
told apart by readers with any colour vision; the two classes also differ in marker. Figures have a
white ground, so they read the same on a light and on a dark page.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy.spatial import Voronoi

BLUE, ORANGE, GREEN, RED = "#0072B2", "#D55E00", "#009E73", "#A3123A"
PURPLE, SKY, YELLOW, GREY, INK = "#AA4499", "#56B4E9", "#E69F00", "#6B7280", "#1F2937"
CYCLE = [BLUE, ORANGE, GREEN, PURPLE, YELLOW, SKY, RED, GREY]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*", "<", ">"]

STYLE: dict[Any, Any] = {
    "figure.figsize": (6.4, 3.8),
    "figure.dpi": 130,
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "axes.prop_cycle": plt.cycler(color=CYCLE),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.labelsize": 10.5,
    "axes.axisbelow": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "cm",
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "lines.linewidth": 1.9,
    "lines.markersize": 5,
}


def use_style() -> None:
    """Make the course's look the default for every figure drawn from now on."""
    plt.rcParams.update(STYLE)


def panels(n_columns: int = 2, n_rows: int = 1, width: float = 8.4, height: float = 3.4, **kwargs: Any) -> tuple:
    """A figure of equal panels: (fig, axes)."""
    return plt.subplots(n_rows, n_columns, figsize=(width, height * n_rows), **kwargs)


def _shades(n_classes):
    """The colours of the classes, in their order."""
    return [ORANGE, BLUE] if n_classes == 2 else [CYCLE[c % len(CYCLE)] for c in range(n_classes)]


def points(
    ax: Axes,
    X: np.ndarray,
    y: ArrayLike,
    classes: ArrayLike | None = None,
    size: float = 28,
    labels: list[str] | None = None,
    **kwargs: Any,
) -> Axes:
    """Scatter the rows of X (m, 2), one colour and marker per class of y."""
    classes = np.unique(y) if classes is None else np.asarray(classes)
    for c, (cls, shade) in enumerate(zip(classes, _shades(len(classes)), strict=True)):
        style = {"c": shade, "marker": MARKERS[c % len(MARKERS)], "s": size, "zorder": 3} | kwargs
        label = labels[c] if labels else cls
        ax.scatter(*X[np.asarray(y) == cls].T, edgecolor="white", linewidth=0.6, label=label, **style)
    return ax


def line(ax: Axes, w: ArrayLike, b: float = 0.0, color: str = INK, **kwargs: Any) -> Axes:
    """The line {x : w.x + b = 0} across ax."""
    w = np.asarray(w, dtype=float)
    foot = -b * w / (w @ w)
    ax.axline(foot, foot + [-w[1], w[0]], color=color, **kwargs)
    return ax


def _on_grid(f, xlim, ylim, resolution):
    """The coordinates of a grid, and the values of ``f`` at its points in the same shape."""
    gx, gy = np.meshgrid(*(np.linspace(low, high, resolution) for low, high in (xlim, ylim)))
    return gx, gy, np.reshape(f(np.column_stack([gx.ravel(), gy.ravel()])), gx.shape)


def street(
    ax: Axes, score: Callable, xlim: tuple[float, float], ylim: tuple[float, float], resolution: int = 160
) -> Axes:
    """Where ``score`` is 0 (solid) and -1 or +1 (dashed), the plane shaded by its sign."""
    gx, gy, values = _on_grid(score, xlim, ylim, resolution)
    ax.contourf(gx, gy, values, levels=[-np.inf, 0, np.inf], colors=_shades(2), alpha=0.16, zorder=0)
    ax.contour(gx, gy, values, levels=[-1, 0, 1], colors=INK, linewidths=[1.0, 1.6, 1.0], linestyles=["--", "-", "--"])
    return ax


def rings(ax: Axes, X: np.ndarray, size: float = 90) -> Axes:
    """A ring around each row of X (m, 2)."""
    ax.scatter(X[:, 0], X[:, 1], s=size, facecolor="none", edgecolor=INK, linewidth=1.1, zorder=4)
    return ax


def arrow(
    ax: Axes, start: ArrayLike, end: ArrayLike, color: str = INK, label: str | None = None, **kwargs: Any
) -> Axes:
    """An arrow from start to end."""
    style = {"arrowstyle": "-|>", "color": color, "lw": 2, "shrinkA": 0, "shrinkB": 0} | kwargs
    ax.annotate("", xy=tuple(np.asarray(end)), xytext=tuple(np.asarray(start)), arrowprops=style, zorder=4)
    if label:
        ax.plot([], [], color=color, lw=2, label=label)
    return ax


def regions(
    ax: Axes,
    predict: Callable,
    xlim: tuple[float, float],
    ylim: tuple[float, float],
    resolution: int = 240,
    classes: ArrayLike | None = None,
) -> Axes:
    """Shade the plane by the class that ``predict`` gives."""
    gx, gy, labels = _on_grid(predict, xlim, ylim, resolution)
    classes = np.unique(labels) if classes is None else np.asarray(classes)
    index = np.searchsorted(classes, labels)
    levels = np.arange(len(classes) + 1) - 0.5
    ax.contourf(gx, gy, index, levels=levels, colors=_shades(len(classes)), alpha=0.16, zorder=0)
    if len(classes) > 1:
        ax.contour(gx, gy, index, levels=levels[1:-1], colors=INK, linewidths=1.0, zorder=1)
    return ax


def voronoi(ax: Axes, X: np.ndarray, y: ArrayLike, xlim: tuple[float, float], ylim: tuple[float, float]) -> Axes:
    """Shade the cell of each row of X, the places nearer to it than to any other row, by its class."""
    centre, far = np.array([np.mean(xlim), np.mean(ylim)]), 20 * max(np.ptp(xlim), np.ptp(ylim))
    frame = centre + far * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])  # so that no cell of X is unbounded
    diagram = Voronoi(np.vstack([X, frame]))
    classes = np.unique(y)
    shades = _shades(len(classes))
    for cell, c in zip(diagram.point_region, np.searchsorted(classes, y), strict=False):
        corners = diagram.vertices[diagram.regions[cell]]
        ax.fill(*corners.T, facecolor=shades[c], alpha=0.16, zorder=0, linewidth=0)
        ax.fill(*corners.T, facecolor="none", edgecolor=GREY, linewidth=0.6, zorder=1)
    ax.set(xlim=xlim, ylim=ylim)
    return ax


def ellipse(
    ax: Axes, mean: ArrayLike, covariance: ArrayLike, radius: float = 1.0, color: str = INK, **kwargs: Any
) -> Axes:
    """The points x of the plane with (x - mean)^T covariance^-1 (x - mean) = radius^2."""
    angle = np.linspace(0, 2 * np.pi, 181)
    circle = radius * np.array([np.cos(angle), np.sin(angle)])
    ax.plot(*(np.asarray(mean)[:, None] + np.linalg.cholesky(np.asarray(covariance)) @ circle), color=color, **kwargs)
    return ax


def steps(ax: Axes, x: ArrayLike, values: ArrayLike, **kwargs: Any) -> Axes:
    """A function on the line drawn as steps."""
    ax.plot(x, values, drawstyle="steps-mid", **kwargs)
    return ax


def image(ax: Axes, x: ArrayLike, shape: tuple[int, int] = (8, 8), title: str | None = None) -> Axes:
    """The vector x as a grey image of the given shape, large values dark."""
    ax.imshow(np.reshape(x, shape), cmap="Greys", interpolation="nearest")
    ax.set(xticks=[], yticks=[])
    ax.set_title(title or "", loc="center")
    ax.spines[:].set(visible=True, color=GREY, linewidth=0.6)
    return ax


def confusion(ax: Axes, counts: ArrayLike, classes: ArrayLike) -> Axes:
    """A confusion matrix: rows are labels, columns predictions; errors are shaded, zeros left out."""
    counts, classes = np.asarray(counts), np.asarray(classes)
    errors = counts * (1 - np.eye(len(counts)))
    ax.imshow(errors, cmap="Oranges", vmin=0, vmax=max(1.6 * errors.max(), 1))
    for i, j in np.argwhere(counts):
        ax.text(j, i, counts[i, j], ha="center", va="center", color=GREY if i == j else INK, fontsize=9)
    ax.set(xticks=range(len(classes)), yticks=range(len(classes)), xticklabels=classes, yticklabels=classes)
    ax.set(xlabel=r"prediction $\hat y$", ylabel="label $y$")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def promise(
    ax: Axes,
    x: ArrayLike,
    bound: ArrayLike,
    observed: ArrayLike,
    bound_label: str = "promised",
    observed_label: str = "observed",
    log: bool = False,
) -> Axes:
    """What a theorem promises (dashed) against what was observed (solid)."""
    ax.plot(x, observed, color=BLUE, marker="o", label=observed_label)
    ax.plot(x, bound, color=ORANGE, ls="--", label=bound_label)
    if log:
        ax.set_yscale("log")
    ax.legend()
    return ax


def folds(ax: Axes, roles: ArrayLike, rows: list[str]) -> Axes:
    """Each row is a division of the sample; the role of an example is 0 train, 1 develop, 2 test or 3 not used."""
    roles = np.asarray(roles)
    shades, hatches = [SKY, ORANGE, INK, "#E5E7EB"], ["", "//", "", ""]
    for role, name in enumerate(["train", "develop", "test", "not used"]):
        r, i = np.nonzero(roles == role)
        if len(r):
            style: dict[str, Any] = {"facecolor": shades[role], "hatch": hatches[role]}
            ax.barh(r, 1, left=i, height=0.82, label=name, edgecolor="white", linewidth=0.8, **style)
    ax.set(xlim=(0, roles.shape[1]), ylim=(len(roles) - 0.5, -0.5), xticks=[])
    ax.set_yticks(range(len(roles)), rows)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.5, 0.0))
    return ax


def tree(
    ax: Axes, root: Any, names: list[str] | None = None, classes: ArrayLike | None = None, size: float = 9.5
) -> Axes:
    """A tree of nodes with ``test`` and ``children`` and of leaves with ``label``, coloured by class."""
    spots, edges = _tree_layout(root)
    labels = [node.label for node, _, _ in spots if hasattr(node, "label")]
    classes = sorted(set(labels)) if classes is None else np.asarray(classes).tolist()
    shades = _shades(len(classes)) if len(classes) <= len(CYCLE) else [GREY] * len(classes)
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
    n_leaves = 0

    def place(node, depth):
        nonlocal n_leaves
        if hasattr(node, "label"):
            x, n_leaves = n_leaves, n_leaves + 1
        else:
            below = [place(child, depth + 1) for child in node.children]
            x = (below[0] + below[-1]) / 2
            edges.extend(((x, -depth), (b, -depth - 1), a) for b, a in zip(below, node.test.answers(), strict=True))
        spots.append((node, x, -depth))
        return x

    place(root, 0)
    return spots, edges


def plane(ax: Axes, radius: float | None = None, aspect: float | Literal["auto", "equal"] = "equal") -> Axes:
    """Prepare ax as a plane with axes through the origin and named coordinates."""
    ax.axhline(0, color=GREY, lw=0.6, zorder=0)
    ax.axvline(0, color=GREY, lw=0.6, zorder=0)
    if radius is not None:
        ax.set(xlim=(-radius, radius), ylim=(-radius, radius))
    ax.set_aspect(aspect)
    ax.locator_params(nbins=5)
    ax.set(xlabel="$x_1$", ylabel="$x_2$")
    return ax


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
