"""Panels for figures; functions, images, tables and promises in them."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlcourse.plots.style import BLUE, GREY, INK, ORANGE, SKY


def panels(n_columns: int = 2, n_rows: int = 1, width: float = 8.4, height: float = 3.4, **kwargs: Any) -> tuple:
    """A figure of equal panels: (fig, axes)."""
    return plt.subplots(n_rows, n_columns, figsize=(width, height * n_rows), **kwargs)


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
