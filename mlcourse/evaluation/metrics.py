"""Counting the kinds of errors of a classifier: labels y against predicted labels y_hat."""

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_array, check_lengths, check_names


def _labels(y, y_hat, others=()):
    """Labels and predictions as arrays; they and the other labels must all be strings, or none of them."""
    y, y_hat = check_names(y), check_names(y_hat)
    if check_lengths(y=y, y_hat=y_hat) == 0:
        raise ValueError("at least one example is needed, got none")
    if check_array("labels", others).ndim != 1:
        raise ValueError(f"a label must be a number or a string, got {others!r}")
    if len({isinstance(label, str) for label in (y[0], y_hat[0], *others)}) > 1:
        raise ValueError(f"strings are compared with other labels: {y[0]!r}, {y_hat[0]!r}, {[*others]}")
    return y, y_hat


def error_rate(y: ArrayLike, y_hat: ArrayLike) -> float:
    """The fraction of examples whose label is predicted wrong."""
    y, y_hat = _labels(y, y_hat)
    return float(np.mean(y != y_hat))


def confusion_matrix(y: ArrayLike, y_hat: ArrayLike, classes: ArrayLike | None = None) -> np.ndarray:
    """How often class a (row) was predicted to be class b (column), in sorted order or that of ``classes``."""
    y, y_hat = _labels(y, y_hat, () if classes is None else classes)
    both = np.concatenate([y, y_hat])
    classes = np.unique(both) if classes is None else check_names(classes)
    order = np.argsort(classes)
    if (classes[order][1:] == classes[order][:-1]).any():
        raise ValueError(f"the classes must be different, got {classes.tolist()}")
    strange = np.setdiff1d(both, classes)
    if strange.size:
        raise ValueError(f"every label must be one of the classes {classes.tolist()}, got also {strange[0]!r}")
    row, column = order[np.searchsorted(classes, both, sorter=order)].reshape(2, -1)
    k = len(classes)
    return np.bincount(k * row + column, minlength=k * k).reshape(k, k)


def precision(y: ArrayLike, y_hat: ArrayLike, positive: int | str = 1) -> float:
    """Of the examples predicted positive, the fraction that are; 1 if none is predicted positive."""
    y, y_hat = _labels(y, y_hat, [positive])
    return _fraction((y == positive) & (y_hat == positive), y_hat == positive)


def recall(y: ArrayLike, y_hat: ArrayLike, positive: int | str = 1) -> float:
    """Of the positive examples, the fraction that are predicted so; 1 if there is none."""
    y, y_hat = _labels(y, y_hat, [positive])
    return _fraction((y == positive) & (y_hat == positive), y == positive)


def _fraction(hits, all_):
    return float(hits.sum() / all_.sum()) if all_.any() else 1.0
