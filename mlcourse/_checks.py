"""The customs desk: every array and every parameter is inspected once, here, with a clear error.

A check returns the value it was given, ready for use, or raises ``ValueError`` saying what was
wrong, what was expected and what was got.
"""

import functools
import math
import numbers
import reprlib
import sys
import warnings

import numpy as np


class NotFittedError(ValueError, AttributeError):
    """Raised when a model is asked to predict before it was fitted."""


class DataConversionWarning(UserWarning):
    """Given when an input had to be reshaped to be understood."""


class SeparableWarning(UserWarning):
    """Given when a hyperplane separates the classes, so that no weights have the largest likelihood."""


class SingularCovarianceWarning(UserWarning):
    """Given when the points of a class lie in a hyperplane, so that the likelihood is unbounded."""


def not_fitted(model):
    """The error to raise for an unfitted model; also scikit-learn's own kind if that is loaded."""
    kind = NotFittedError
    if "sklearn.exceptions" in sys.modules:
        kind = _also(sys.modules["sklearn.exceptions"].NotFittedError)
    return kind(f"this {type(model).__name__} is not fitted yet: call fit before using it")


@functools.cache
def _also(other):
    """Our ``NotFittedError`` that is an ``other`` too."""
    return type("NotFittedError", (NotFittedError, other), {})


# --- arrays ------------------------------------------------------------------------------------


def check_array(name, value):
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


def _finite_floats(name, array, copy=True):
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


def check_X(X, n_features=None, model="the model"):
    """``X`` as an (m, d) array of finite floats, with ``d == n_features`` if given; not a copy if it is one already."""
    X = check_array("X", X)
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array X of shape (m, d), got {X.ndim}D array of shape {X.shape}. Reshape your data "
            "either using X.reshape(-1, 1) if it has a single feature or X.reshape(1, -1) if it is a single point"
        )
    m, d = X.shape
    if m == 0:
        raise ValueError(f"Found array X with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
    if d == 0:
        raise ValueError(f"Found array X with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    if n_features is not None and d != n_features:
        raise ValueError(f"X has {d} features, but {model} is expecting {n_features} features as input")
    return _finite_floats("X", X, copy=False)


def check_rows(X):
    """``X`` as an array with one example in each row, of any kind: what a row means is the model's business."""
    X = check_array("X", X)
    if X.ndim == 0:
        raise ValueError(f"X must have one row for each example, got {X!r}")
    return X


def check_things(X):
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


def check_floats(name, value):
    """``value`` as an array of floats of any shape, not all of which need be finite."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "biufO" or not _all_numbers(array):
            raise TypeError(f"not numbers, but an array of dtype {array.dtype}")
        return np.asarray(array, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be an array of numbers: {error}") from error


def _all_numbers(array):
    return array.dtype.kind != "O" or all(isinstance(entry, numbers.Real) for entry in array.flat)


def check_finite(name, value):
    """``value`` as an array of finite floats of any shape."""
    return _finite_floats(name, check_array(name, value), copy=False)


def check_broadcast(*arrays):
    """Refuse arrays whose shapes do not fit one another."""
    try:
        np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays)
        raise ValueError(f"labels and predictions must have shapes that fit, got {shapes}") from None


def check_matrix(name, value):
    """``value`` as a matrix of finite floats that has rows; not a copy if it is one already."""
    matrix = check_array(name, value)
    if matrix.ndim != 2 or not len(matrix):
        raise ValueError(f"{name} must be a matrix that is not empty, got shape {matrix.shape}")
    return _finite_floats(name, matrix, copy=False)


def check_square(name, value):
    """``value`` as a non-empty square matrix of finite floats; not a copy if it is one already."""
    matrix = check_array(name, value)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ValueError(f"{name} must be a square matrix, got shape {matrix.shape}")
    return _finite_floats(name, matrix, copy=False)


def check_gram(name, value):
    """``value`` as a square matrix, or something that computes its rows when they are asked for."""
    return value if hasattr(value, "capacity") else check_square(name, value)


def check_vector(name, value):
    """``value`` as a fresh one-dimensional, non-empty array of finite floats."""
    array = check_array(name, value)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a non-empty one-dimensional array, got shape {array.shape}")
    return _finite_floats(name, array)


def check_signs(name, value):
    """``value`` as a vector of labels -1.0 and +1.0."""
    signs = check_vector(name, value)
    if (np.abs(signs) != 1).any():
        raise ValueError(f"{name} must hold labels -1 or +1 only, got {np.unique(signs)[:5].tolist()}")
    return signs


def check_indices(name, value):
    """``value`` as a vector of integers from 0 on."""
    numbers = check_vector(name, value)
    if (numbers < 0).any() or (numbers != np.floor(numbers)).any() or numbers.max() > 2**53:
        raise ValueError(f"{name} must hold whole numbers from 0 on, got {np.unique(numbers)[:5].tolist()}")
    return numbers.astype(int)


def check_y(y):
    """``y`` as a one-dimensional array; a single column is flattened with a warning."""
    if y is None:
        raise ValueError("y is missing: this model requires y to be passed, but the target y is None")
    y = check_array("y", y)
    if y.ndim == 2 and y.shape[1] == 1:
        message = f"A column-vector y was passed when a 1d array was expected: shape {y.shape} was flattened"
        warnings.warn(DataConversionWarning(message), stacklevel=4)
        y = y.ravel()
    if y.ndim != 1:
        raise ValueError(f"y must be a 1d array with one entry per row of X, got shape {y.shape}")
    return y


def check_targets(y):
    """``y`` as a fresh (m,) array of finite floats."""
    return _finite_floats("y", check_y(y))


def check_names(y):
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


def check_labels(y):
    """Sorted class labels and the index of each entry of ``y`` among them."""
    y = check_names(y)
    if y.dtype.kind == "f" and (y != np.floor(y)).any():
        raise ValueError("Unknown label type: continuous. Class labels must be integers, booleans or strings")
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(f"at least two classes are needed to learn a classifier, got one class: {classes.tolist()}")
    return classes, np.searchsorted(classes, y)


def check_lengths(**arrays):
    """The common length of the named arrays."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"inputs must have the same length (inconsistent numbers of samples): {listed}")
    return next(iter(lengths.values()))


def check_weights(weights, m):
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


def check_list(name, values):
    """``values`` as a list, which must not be empty."""
    if isinstance(values, (str, bytes)) or not np.iterable(values):
        raise ValueError(f"{name} must be a list, got {values!r}")
    values = list(values)
    if not values:
        raise ValueError(f"at least one of the {name} is needed, got none")
    return values


def check_risks(risks):
    """``risks`` as an (n_candidates, K) array of floats without NaN; infinite losses are possible."""
    risks = check_floats("risks", risks)
    if risks.ndim != 2 or not risks.size or np.isnan(risks).any() or (risks == -np.inf).any():
        raise ValueError(f"risks must be a matrix of numbers, candidates in rows and folds in columns, got {risks!r}")
    return risks


def check_folds(folds, m):
    """``folds`` as a list of pairs (train, test) of disjoint, non-empty index arrays below m, without repetition."""
    pairs = []
    for number, fold in enumerate(check_list("folds", folds)):
        if not isinstance(fold, (tuple, list)) or len(fold) != 2:
            raise ValueError(f"every fold must be a pair (train, test) of index arrays, got {fold!r}")
        pair = tuple(np.asarray(part) for part in fold)
        for name, part in zip(("training", "test"), pair, strict=True):
            where = f"the {name} part of fold {number}"
            if part.ndim != 1 or part.size == 0 or part.dtype.kind not in "iu":
                raise ValueError(f"{where} must be a non-empty list of integer indices, got {part!r}")
            if part.min() < 0 or part.max() >= m:
                raise ValueError(f"{where} must hold indices from 0 to {m - 1}, got {part.min()} to {part.max()}")
        both = np.bincount(np.concatenate(pair), minlength=m)
        if both.max() > 1:
            raise ValueError(f"fold {number} uses example {both.argmax()} twice: it may train or test, not both")
        pairs.append(pair)
    return pairs


def check_partition(folds, m):
    """``folds`` checked, with test parts that hold each of the m examples once and train on all the others."""
    folds = check_folds(folds, m)
    tested = np.bincount(np.concatenate([test for _, test in folds]), minlength=m)
    if (tested != 1).any():
        i = (tested != 1).argmax()
        raise ValueError(f"every example must be tested in exactly one fold: example {i} is tested {tested[i]} times")
    if any(len(train) + len(test) != m for train, test in folds):
        raise ValueError("every fold must train on all the examples that it does not test")
    return folds


# --- things to call and to run through ---------------------------------------------------------


def check_function(name, value):
    """``value``, which can be called."""
    if not callable(value):
        raise ValueError(f"{name} must be a function, got {reprlib.repr(value)}")
    return value


def check_having(*methods):
    """A check that ``value`` is an object with these methods."""

    def check(name, value):
        if isinstance(value, type) or not all(callable(getattr(value, method, None)) for method in methods):
            raise ValueError(f"{name} must have the methods {', '.join(methods)}, got {reprlib.repr(value)}")
        return value

    return check


def check_iterable(name, value):
    """``value``, which can be run through."""
    if not np.iterable(value):
        raise ValueError(f"{name} must be something to run through, such as a list, got {reprlib.repr(value)}")
    return value


def check_round(name, entry, m):
    """``entry``, a loss with a method ``gradient``."""
    return check_having("gradient")(f"every entry of {name}", entry)


def check_row(name, entry, m):
    """``entry`` as the number of one of m examples, or of any if m is None."""
    return int(check_batch(name, [entry], m)[0])


def check_batch(name, entry, m):
    """``entry`` as an array of numbers of examples, below m if that is given."""
    rows = check_indices(f"every entry of {name}", entry)
    if m is not None and rows.max() >= m:
        raise ValueError(f"every entry of {name} must hold numbers of examples, 0 to {m - 1}, got {rows.max()}")
    return rows


def check_words(name, entry, m):
    """``entry`` as a list of word numbers, which may be empty."""
    words = list(check_iterable(f"every entry of {name}", entry))
    return check_batch(name, words, m).tolist() if words else words


def check_order(name, entry, m):
    """``entry`` as an array of numbers of examples, or None for the given order."""
    return None if entry is None else check_batch(name, entry, m)


def check_steps(name, value):
    """``value``, a positive number or something that yields any numbers."""
    if isinstance(value, numbers.Real) or not np.iterable(value):
        return check_positive(name, value)
    return (check_number(f"every entry of {name}", step) for step in check_iterable(name, value))


# --- parameters --------------------------------------------------------------------------------


def check_number(name, value):
    """``value`` as a finite float."""
    real = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
    if not real or not _is_finite(value):
        raise ValueError(f"{name} must be a finite number, got {reprlib.repr(value)}")
    return float(value)


def _is_finite(number):
    try:
        return math.isfinite(float(number))
    except OverflowError:  # an integer too large for a float
        return False


def check_positive(name, value):
    """``value`` as a float > 0."""
    if check_number(name, value) <= 0:
        raise ValueError(f"{name} must be positive, got {value!r}")
    return float(value)


def check_non_negative(name, value):
    """``value`` as a float >= 0."""
    if check_number(name, value) < 0:
        raise ValueError(f"{name} must be zero or positive, got {value!r}")
    return float(value)


def check_in_range(name, value, low, high):
    """``value`` as a float in [low, high]."""
    if not low <= check_number(name, value) <= high:
        raise ValueError(f"{name} must lie between {low} and {high}, got {value!r}")
    return float(value)


def check_tolerance(name, value):
    """``value`` as a float in ]0, 1]."""
    return check_in_range(name, check_positive(name, value), 0, 1)


def check_image(name, value):
    """``value``, the height, width and, if not 1, channels of an image, as three integers."""
    shape = check_counts(name, value)
    if len(shape) not in (2, 3):
        raise ValueError(f"{name} must be (height, width) or (height, width, channels), got {value!r}")
    return (*shape, 1)[:3]


def check_odd(name, value):
    """``value`` as an odd integer >= 1."""
    if check_count(name, value) % 2 == 0:
        raise ValueError(f"{name} must be odd, so that a filter has a central pixel, got {value!r}")
    return int(value)


check_probability = check_tolerance  # of something that may be certain, but not impossible


def check_count(name, value, minimum=1):
    """``value`` as an integer >= minimum."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or value < minimum:
        raise ValueError(f"{name} must be an integer of at least {minimum}, got {reprlib.repr(value)}")
    if value > sys.maxsize:
        raise ValueError(f"{name} must be an integer that an index can hold, got {reprlib.repr(value)}")
    return int(value)


def check_counts(name, value):
    """``value``, an integer >= 1 or a tuple of such, as a tuple of integers."""
    if isinstance(value, numbers.Integral) or isinstance(value, (str, bytes)) or not np.iterable(value):
        value = (value,)
    return tuple(check_count(f"every entry of {name}", width) for width in value)


def check_fraction(name, value):
    """``value`` as a float in ]0, 1[."""
    if not 0 < check_number(name, value) < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {value!r}")
    return float(value)


def check_decay(name, value):
    """``value`` as a float in [0, 1[."""
    if not 0 <= check_number(name, value) < 1:
        raise ValueError(f"{name} must be at least 0 and below 1, got {value!r}")
    return float(value)


def check_decays(name, value):
    """``value`` as a pair of floats in [0, 1[."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ValueError(f"{name} must be a pair of numbers, got {value!r}")
    return tuple(check_decay(f"every entry of {name}", part) for part in value)


def check_optional(check):
    """The same check for a value that may also be None."""
    return lambda name, value: None if value is None else check(name, value)


def check_flag(name, value):
    """``value`` as a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def check_one_of(*choices):
    """A check that ``value`` is one of the choices."""

    def check(name, value):
        if not isinstance(value, (str, int, np.integer)) or isinstance(value, bool) or value not in choices:
            raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, got {reprlib.repr(value)}")
        return value

    return check


def check_binary(name, value):
    """``value``, which is None or a classifier with a real score."""
    if value is not None and not (hasattr(value, "fit") and hasattr(value, "decision_function")):
        raise ValueError(f"{name} must be None or a classifier with a decision_function such as SVM(), got {value!r}")
    return value


def check_rng(rng):
    """A ``numpy.random.Generator``: ``rng`` itself, or a new one seeded by None, an integer or a RandomState."""
    if isinstance(rng, np.random.RandomState):  # what scikit-learn's tools hand over
        rng = int(rng.randint(2**31))
    try:
        if isinstance(rng, (bool, np.bool_)):
            raise TypeError
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        message = f"rng or random_state must be None, an integer >= 0 or a numpy.random.Generator, got {rng!r}"
        raise ValueError(message) from error
