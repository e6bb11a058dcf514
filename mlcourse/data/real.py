"""Five classical data sets of the UCI Machine Learning Repository, read from the files beside this one.

Each loader returns a `Dataset`, a named tuple: `X, y, feature_names, class_names = load_iris()`. The text is
read once; every call hands out fresh arrays, so a caller may change them. Labels y are the classes' original
names; models turn them into numbers themselves. Provenance and quirks: the page `datasets` of the book.
"""

import csv
import gzip
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from mlcourse.arguments.numbers import check_flag
from mlcourse.data.encode import OneHot


class Dataset(NamedTuple):
    """A labelled table: X (m, d), y (m,), the names of the d columns, the distinct values of y in order."""

    X: np.ndarray
    y: np.ndarray
    feature_names: tuple
    class_names: tuple


def load_wdbc() -> Dataset:
    """Breast cancer Wisconsin (diagnostic): 569 tumours, 30 measurements, B benign or M malignant."""
    return _numeric("wdbc", label="diagnosis", drop=("id",))


def load_ionosphere() -> Dataset:
    """Ionosphere: 351 radar returns, 34 numbers in [-1, 1], g good or b bad; the column a02 is constant."""
    return _numeric("ionosphere", label="class")


def load_iris() -> Dataset:
    """Iris: 150 flowers of the species setosa, versicolor and virginica, 4 lengths in centimetres."""
    X, y, feature_names, _ = _numeric("iris", label="species")
    y = np.char.replace(y, "Iris-", "")
    return Dataset(X, y, feature_names, tuple(np.unique(y).tolist()))


def load_digits() -> Dataset:
    """Digits: 1797 handwritten digits as 8 x 8 images with grey values 0 to 16, y an integer 0 to 9."""
    X, y, feature_names, _ = _numeric("digits", label="digit")
    return Dataset(X, y.astype(int), feature_names, tuple(range(10)))


def load_mushroom(one_hot: bool = True) -> Dataset:
    """Mushroom: 8124 descriptions of mushrooms by 22 letters, e edible or p poisonous.

    With `one_hot` X has a 0/1 column "odor=n" for each value of each attribute that is not constant, "?"
    (missing) being a value like any other: 116 columns. Without, X holds the 22 letters.
    """
    check_flag("one_hot", one_hot)
    X, y, names, class_names = _raw("mushroom", label="class")
    if one_hot:
        varies = (X != X[0]).any(axis=0)
        encoder = OneHot().fit(X[:, varies])
        names = tuple(encoder.feature_names([name for name, v in zip(names, varies, strict=True) if v]))
        X = encoder.transform(X[:, varies])
    return Dataset(X, y, names, class_names)


@cache
def _rows(name):
    """The header and the rows of a file, as tuples of strings."""
    packed = files("mlcourse.data").joinpath(f"{name}.csv.gz").read_bytes()
    header, *rows = map(tuple, csv.reader(gzip.decompress(packed).decode().splitlines()))
    return header, rows


def _raw(name, label, drop=()):
    """The file as a Dataset of strings, the column `label` as y."""
    header, rows = _rows(name)
    keep = [j for j, column in enumerate(header) if column != label and column not in drop]
    y = np.array([row[header.index(label)] for row in rows])
    return Dataset(np.array(rows)[:, keep], y, tuple(header[j] for j in keep), tuple(np.unique(y).tolist()))


def _numeric(name, label, drop=()):
    """The file as a Dataset with a matrix of floats."""
    X, *rest = _raw(name, label, drop)
    return Dataset(X.astype(float), *rest)
