"""Checks of lists, folds and whatever else is run through entry by entry."""

import numbers
import reprlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from mlcourse.arguments.arrays import check_floats, check_indices
from mlcourse.arguments.numbers import check_number, check_positive


def check_list(name: str, values: Any) -> list:
    """``values`` as a list, which must not be empty."""
    if isinstance(values, (str, bytes)) or not np.iterable(values):
        raise ValueError(f"{name} must be a list, got {values!r}")
    values = list(values)
    if not values:
        raise ValueError(f"at least one of the {name} is needed, got none")
    return values


def check_risks(risks: Any) -> np.ndarray:
    """``risks`` as an (n_candidates, K) array of floats without NaN; infinite losses are possible."""
    risks = check_floats("risks", risks)
    if risks.ndim != 2 or not risks.size or np.isnan(risks).any() or (risks == -np.inf).any():
        raise ValueError(f"risks must be a matrix of numbers, candidates in rows and folds in columns, got {risks!r}")
    return risks


def check_folds(folds: Any, m: int) -> list[tuple[np.ndarray, ...]]:
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


def check_partition(folds: Any, m: int) -> list[tuple[np.ndarray, ...]]:
    """``folds`` checked, with test parts that hold each of the m examples once and train on all the others."""
    folds = check_folds(folds, m)
    tested = np.bincount(np.concatenate([test for _, test in folds]), minlength=m)
    if (tested != 1).any():
        i = (tested != 1).argmax()
        raise ValueError(f"every example must be tested in exactly one fold: example {i} is tested {tested[i]} times")
    if any(len(train) + len(test) != m for train, test in folds):
        raise ValueError("every fold must train on all the examples that it does not test")
    return folds


def check_function(name: str, value: Any) -> Callable:
    """``value``, which can be called."""
    if not callable(value):
        raise ValueError(f"{name} must be a function, got {reprlib.repr(value)}")
    return value


def check_having(*methods: str) -> Callable:
    """A check that ``value`` is an object with these methods."""

    def check(name, value):
        if isinstance(value, type) or not all(callable(getattr(value, method, None)) for method in methods):
            raise ValueError(f"{name} must have the methods {', '.join(methods)}, got {reprlib.repr(value)}")
        return value

    return check


def check_iterable(name: str, value: Any) -> Iterable:
    """``value``, which can be run through."""
    if not np.iterable(value):
        raise ValueError(f"{name} must be something to run through, such as a list, got {reprlib.repr(value)}")
    return value


def check_round(name: str, entry: Any, m: int | None) -> Any:
    """``entry``, a loss with a method ``gradient``."""
    return check_having("gradient")(f"every entry of {name}", entry)


def check_row(name: str, entry: Any, m: int | None) -> int:
    """``entry`` as the number of one of m examples, or of any if m is None."""
    return int(check_batch(name, [entry], m)[0])


def check_batch(name: str, entry: Any, m: int | None) -> np.ndarray:
    """``entry`` as an array of numbers of examples, below m if that is given."""
    rows = check_indices(f"every entry of {name}", entry)
    if m is not None and rows.max() >= m:
        raise ValueError(f"every entry of {name} must hold numbers of examples, 0 to {m - 1}, got {rows.max()}")
    return rows


def check_words(name: str, entry: Any, m: int | None) -> list[int]:
    """``entry`` as a list of word numbers, which may be empty."""
    words = list(check_iterable(f"every entry of {name}", entry))
    return check_batch(name, words, m).tolist() if words else words


def check_order(name: str, entry: Any, m: int | None) -> np.ndarray | None:
    """``entry`` as an array of numbers of examples, or None for the given order."""
    return None if entry is None else check_batch(name, entry, m)


def check_steps(name: str, value: Any) -> float | Iterator[float]:
    """``value``, a positive number or something that yields any numbers."""
    if isinstance(value, numbers.Real) or not np.iterable(value):
        return check_positive(name, value)
    return (check_number(f"every entry of {name}", step) for step in check_iterable(name, value))
