"""Counting the kinds of errors of a classifier.

y      labels
y_hat  predicted labels
"""

import numpy as np

from mlcourse._checks import check_lengths, check_y


def _labels(y, y_hat):
    y, y_hat = check_y(y), check_y(y_hat)
    if check_lengths(y=y, y_hat=y_hat) == 0:
        raise ValueError("at least one example is needed, got none")
    return y, y_hat


def error_rate(y, y_hat) -> float:
    """The fraction of examples whose label is predicted wrong."""
    y, y_hat = _labels(y, y_hat)
    return float(np.mean(y != y_hat))


def confusion_matrix(y, y_hat, classes=None) -> np.ndarray:
    """How often class a (row) was predicted to be class b (column), in sorted order or that of ``classes``."""
    y, y_hat = _labels(y, y_hat)
    classes = np.unique(np.concatenate([y, y_hat])) if classes is None else np.asarray(classes)
    strange = np.setdiff1d(np.concatenate([y, y_hat]), classes)
    if strange.size:
        raise ValueError(f"every label must be one of the classes {classes.tolist()}, got also {strange[0]!r}")
    return np.sum((y[:, None, None] == classes[:, None]) & (y_hat[:, None, None] == classes), axis=0)


def precision(y, y_hat, positive=1) -> float:
    """Of the examples predicted positive, the fraction that are; 1 if none is predicted positive."""
    y, y_hat = _labels(y, y_hat)
    return _fraction((y == positive) & (y_hat == positive), y_hat == positive)


def recall(y, y_hat, positive=1) -> float:
    """Of the positive examples, the fraction that are predicted so; 1 if there is none."""
    y, y_hat = _labels(y, y_hat)
    return _fraction((y == positive) & (y_hat == positive), y == positive)


def _fraction(hits, all_):
    return float(hits.sum() / all_.sum()) if all_.any() else 1.0
