"""Points, lines, regions and curves in the plane."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy.spatial import Voronoi

from mlcourse.plots.style import GREY, INK, MARKERS, shades_of

Limits = tuple[float, float]


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
    for c, (cls, shade) in enumerate(zip(classes, shades_of(len(classes)), strict=True)):
        style: dict[str, Any] = {"c": shade, "marker": MARKERS[c % len(MARKERS)], "s": size, "zorder": 3} | kwargs
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


def street(ax: Axes, score: Callable, xlim: Limits, ylim: Limits, resolution: int = 160) -> Axes:
    """Where ``score`` is 0 (solid) and -1 or +1 (dashed), the plane shaded by its sign."""
    gx, gy, values = _on_grid(score, xlim, ylim, resolution)
    ax.contourf(gx, gy, values, levels=[-np.inf, 0, np.inf], colors=shades_of(2), alpha=0.16, zorder=0)
    ax.contour(gx, gy, values, levels=[-1, 0, 1], colors=INK, linewidths=[1.0, 1.6, 1.0], linestyles=["--", "-", "--"])
    return ax


def rings(ax: Axes, X: np.ndarray, size: float = 90) -> Axes:
    """A ring around each row of X (m, 2)."""
    ax.scatter(X[:, 0], X[:, 1], s=size, facecolor="none", edgecolor=INK, linewidth=1.1, zorder=4)
    return ax


def arrow(ax: Axes, start: ArrayLike, end: ArrayLike, color: str = INK, label: str = "", **kwargs: Any) -> Axes:
    """An arrow from start to end."""
    style = {"arrowstyle": "-|>", "color": color, "lw": 2, "shrinkA": 0, "shrinkB": 0} | kwargs
    ax.annotate("", xy=tuple(np.asarray(end)), xytext=tuple(np.asarray(start)), arrowprops=style, zorder=4)
    if label:
        ax.plot([], [], color=color, lw=2, label=label)
    return ax


def regions(
    ax: Axes, predict: Callable, xlim: Limits, ylim: Limits, resolution: int = 240, classes: ArrayLike | None = None
) -> Axes:
    """Shade the plane by the class that ``predict`` gives."""
    gx, gy, labels = _on_grid(predict, xlim, ylim, resolution)
    classes = np.unique(labels) if classes is None else np.asarray(classes)
    index = np.searchsorted(classes, labels)
    levels = np.arange(len(classes) + 1) - 0.5
    ax.contourf(gx, gy, index, levels=levels, colors=shades_of(len(classes)), alpha=0.16, zorder=0)
    if len(classes) > 1:
        ax.contour(gx, gy, index, levels=levels[1:-1], colors=INK, linewidths=1.0, zorder=1)
    return ax


def voronoi(ax: Axes, X: np.ndarray, y: ArrayLike, xlim: Limits, ylim: Limits) -> Axes:
    """Shade the cell of each row of X, the places nearer to it than to any other row, by its class."""
    centre, far = np.array([np.mean(xlim), np.mean(ylim)]), 20 * max(np.ptp(xlim), np.ptp(ylim))
    frame = centre + far * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])  # so that no cell of X is unbounded
    diagram = Voronoi(np.vstack([X, frame]))
    classes = np.unique(y)
    shades = shades_of(len(classes))
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
