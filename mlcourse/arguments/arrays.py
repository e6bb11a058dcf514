"""Checks of arrays: each returns the array ready for use, or raises an error that says what was wrong and expected.

Letters
    m, d    number of examples, dimension
"""

import numbers
from typing import Any

import numpy as np

from mlcourse.arguments.door import is_known, remember
from mlcourse.arguments.errors import DataConversionWarning, warn_user


def check_array(name: str, value: Any) -> np.ndarray:
    """``value`` as an array of anything but complex numbers."""
    if "sparse" in type(value).__module__ and hasattr(value, "toarray"):
        raise TypeError(f"sparse input is not supported: {name} is a sparse matrix; pass {name}.toarray()")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be an array, with rows of the same length: {error}") from error
    if np.iscomplexobj(array):
        raise ValueError(f"Complex data not supported: {name} has dtype {array.dtype}")
    return array


def _finite_floats(name: str, array: np.ndarray, copy: bool = True) -> np.ndarray:
    if array.dtype.kind not in "biufO":
        raise ValueError(f"{name} must hold numbers, got an array of dtype {array.dtype}")
    try:
        array = array.astype(float, copy=copy)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must hold numbers: {error}") from error
    flat = array.ravel(order="K")
    with np.errstate(over="ignore", invalid="ignore"):
        surely = np.isfinite(np.dot(flat, flat))  # the cheaper test
    if not surely and not np.isfinite(array).all():
        bad = "NaN" if np.isnan(array).any() else "inf"
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite: it contains {bad} or infinity, first at index {where}")
    return array


def check_X(X: Any, n_features: int | None = None, model: str = "the model") -> np.ndarray:
    """``X`` as an (m, d) array of finite floats, with ``d == n_features`` if given; not a copy if it is one already."""
    X = check_array("X", X)
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array X of shape (m, d), got {X.ndim}D array of shape {X.shape}. Reshape your data "
            "either using X.reshape(-1, 1) if it has a single feature or X.reshape(1, -1) if it is a single point"
        )
    if X.size == 0:
        missing = "feature(s)" if len(X) else "sample(s)"
        raise ValueError(f"Found array X with 0 {missing} (shape={X.shape}) while a minimum of 1 is required.")
    if n_features is not None and X.shape[1] != n_features:
        raise ValueError(f"X has {X.shape[1]} features, but {model} is expecting {n_features} features as input")
    return X if is_known(X) else remember(_finite_floats("X", X, copy=False))


def check_rows(X: Any) -> np.ndarray:
    """``X`` as an array with one example in each row, of any kind: what a row means is the model's business."""
    X = check_array("X", X)
    if X.ndim == 0:
        raise ValueError(f"X must have one row for each example, got {X!r}")
    return X


def check_things(X: Any) -> np.ndarray:
    """``X``, a list of points of any kind (strings, sets, ...) or a column of them, as an (m, 1) array of objects."""
    if isinstance(X, (str, bytes)) or not np.iterable(X):
        raise ValueError(f"X must be a list of points, got {X!r}")
    things = X.ravel().tolist() if isinstance(X, np.ndarray) and X.shape[1:] in ((), (1,)) else list(X)
    if not things:
        raise ValueError("Found array X with 0 sample(s) while a minimum of 1 is required.")
    column = np.empty((len(things), 1), dtype=object)
    for row, thing in zip(column, things, strict=True):
        row[0] = thing
    return column


def check_floats(name: str, value: Any) -> np.ndarray:
    """``value`` as an array of floats of any shape, not all of which need be finite."""
    try:
        array = np.asarray(value)
        objects = array.flat if array.dtype.kind == "O" else ()
        if array.dtype.kind not in "biufO" or not all(isinstance(entry, numbers.Real) for entry in objects):
            raise TypeError(f"not numbers, but an array of dtype {array.dtype}")
        return np.asarray(array, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be an array of numbers: {error}") from error


def check_finite(name: str, value: Any) -> np.ndarray:
    """``value`` as an array of finite floats of any shape."""
    return _finite_floats(name, check_array(name, value), copy=False)


def check_broadcast(*arrays: np.ndarray) -> None:
    """Refuse arrays whose shapes do not fit one another."""
    try:
        np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays)
        raise ValueError(f"labels and predictions must have shapes that fit, got {shapes}") from None


def check_matrix(name: str, value: Any) -> np.ndarray:
    """``value`` as a matrix of finite floats that has rows; not a copy if it is one already."""
    matrix = check_array(name, value)
    if matrix.ndim != 2 or not len(matrix):
        raise ValueError(f"{name} must be a matrix that is not empty, got shape {matrix.shape}")
    return _finite_floats(name, matrix, copy=False)


def check_square(name: str, value: Any) -> np.ndarray:
    """``value`` as a non-empty square matrix of finite floats; not a copy if it is one already."""
    matrix = check_array(name, value)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ValueError(f"{name} must be a square matrix, got shape {matrix.shape}")
    return _finite_floats(name, matrix, copy=False)


def check_vector(name: str, value: Any) -> np.ndarray:
    """``value`` as a fresh one-dimensional, non-empty array of finite floats."""
    array = check_array(name, value)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a non-empty one-dimensional array, got shape {array.shape}")
    return _finite_floats(name, array)


def check_signs(name: str, value: Any) -> np.ndarray:
    """``value`` as a vector of labels -1.0 and +1.0."""
    signs = check_vector(name, value)
    if (np.abs(signs) != 1).any():
        raise ValueError(f"{name} must hold labels -1 or +1 only, got {np.unique(signs)[:5].tolist()}")
    return signs


def check_indices(name: str, value: Any) -> np.ndarray:
    """``value`` as a vector of integers from 0 on."""
    numbers = check_vector(name, value)
    if (numbers < 0).any() or (numbers != np.floor(numbers)).any() or numbers.max() > 2**53:
        raise ValueError(f"{name} must hold whole numbers from 0 on, got {np.unique(numbers)[:5].tolist()}")
    return numbers.astype(int)


def check_y(y: Any) -> np.ndarray:
    """``y`` as a one-dimensional array; a single column is flattened with a warning."""
    if y is None:
        raise ValueError("y is missing: this model requires y to be passed, but the target y is None")
    y = check_array("y", y)
    if y.ndim == 2 and y.shape[1] == 1:
        message = f"A column-vector y was passed when a 1d array was expected: shape {y.shape} was flattened"
        warn_user(message, DataConversionWarning)
        y = y.ravel()
    if y.ndim != 1:
        raise ValueError(f"y must be a 1d array with one entry per row of X, got shape {y.shape}")
    return y


def check_targets(y: Any) -> np.ndarray:
    """``y`` as a fresh (m,) array of finite floats."""
    return _finite_floats("y", check_y(y))


def check_names(y: Any) -> np.ndarray:
    """``y`` as a one-dimensional array of names that can be compared: all of one kind, none of them NaN."""
    y = check_y(y)
    if y.dtype.kind not in "biufOUS":
        raise ValueError(f"Unknown label type: y has dtype {y.dtype}; labels must be numbers, booleans or strings")
    if y.dtype.kind == "f":
        _finite_floats("y", y)
    if y.dtype.kind == "O":
        kinds = sorted({type(label).__name__ for label in y})
        if len(kinds) > 1:
            raise ValueError(f"Unknown label type: y mixes {', '.join(kinds)}; use labels of one type")
    return y


def check_labels(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Sorted class labels and the index of each entry of ``y`` among them."""
    y = check_names(y)
    if y.dtype.kind == "f" and (y != np.floor(y)).any():
        raise ValueError("Unknown label type: continuous. Class labels must be integers, booleans or strings")
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(f"at least two classes are needed to learn a classifier, got one class: {classes.tolist()}")
    return classes, np.searchsorted(classes, y)


def check_lengths(**arrays: Any) -> int:
    """The common length of the named arrays."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"inputs must have the same length (inconsistent numbers of samples): {listed}")
    return next(iter(lengths.values()))


def check_weights(weights: Any, m: int) -> np.ndarray:
    """``weights`` as m non-negative numbers that sum to one; uniform if None."""
    if weights is None:
        return np.full(m, 1 / m)
    weights = check_vector("sample_weight", np.full(m, weights) if np.isscalar(weights) else weights)
    if len(weights) != m:
        raise ValueError(f"sample_weight must have shape ({m},) like y, got {weights.shape}")
    if (weights < 0).any() or not weights.any():
        raise ValueError("every sample_weight must be zero or positive, and not all of them zero")
    weights = weights / weights.max()
    return weights / weights.sum()


def check_probabilities(name: str, values: Any) -> np.ndarray:
    """``values`` as an array of any shape of numbers that lie in [0, 1]."""
    values = check_floats(name, values)
    wrong = values[~((0 <= values) & (values <= 1))]
    if wrong.size:
        raise ValueError(f"{name} must hold probabilities in [0, 1], got {wrong[0]:g}")
    return values


def check_each_sign(name: str, labels: Any) -> np.ndarray:
    """``labels`` as an array of floats of any shape, all of which are -1 or +1."""
    labels = check_floats(name, labels)
    wrong = labels[np.abs(labels) != 1]
    if wrong.size:
        raise ValueError(f"{name} must hold labels -1 and +1 only, got {wrong[0]:g}")
    return labels
