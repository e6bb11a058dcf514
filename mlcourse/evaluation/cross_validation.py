"""Folds, and the risk estimated from them: train on one part of the sample, test on the other, average.

Letters
    X, y    sample of m examples
    m, n    size of the sample, of a test part
    K       number of folds, ``n_folds``
    h       predictor learned from the training part of a fold

A fold is a pair (train, test) of index arrays; every function that makes folds returns a list of them. Where a
generator draws the folds, their training parts are in random order too, so that their first examples are a sample.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_lengths, check_names, check_rows, check_y
from mlcourse.arguments.collections import check_folds, check_list
from mlcourse.arguments.kinds import AnyFunction, Learner, checks_arguments
from mlcourse.arguments.numbers import check_count, check_rng
from mlcourse.base import map_tasks


def k_fold(m: int, n_folds: int, rng: np.random.Generator | int | None = None) -> list[tuple]:
    """K folds whose test parts divide the m examples, shuffled by ``rng``, into parts equal up to one example."""
    m, n_folds = _check_sizes(m, n_folds)
    parts = np.array_split(check_rng(rng).permutation(m), n_folds)
    return [(np.concatenate(parts[:j] + parts[j + 1 :]), parts[j]) for j in range(n_folds)]


def leave_one_out(m: int) -> list[tuple]:
    """m folds, each with a single test example."""
    check_count("m", m, 2)
    return [(np.delete(np.arange(m), i), np.array([i])) for i in range(m)]


def hold_out(m: int, n: int, rng: np.random.Generator | int | None = None) -> list[tuple]:
    """A single fold: n examples drawn by ``rng`` for the test, the other m - n for training."""
    check_count("n", n)
    if n >= check_count("m", m, 2):
        raise ValueError(f"n must be smaller than the sample, to leave something to train on: n={n} with m={m}")
    order = check_rng(rng).permutation(m)
    return [(order[n:], order[:n])]


def repeated_k_fold(m: int, n_folds: int, n_repeats: int, rng: np.random.Generator | int | None = None) -> list[tuple]:
    """The folds of several independent divisions into K parts: K n_repeats folds."""
    rng = check_rng(rng)
    return [fold for _ in range(check_count("n_repeats", n_repeats)) for fold in k_fold(m, n_folds, rng)]


def stratified_k_fold(y: ArrayLike, n_folds: int, rng: np.random.Generator | int | None = None) -> list[tuple]:
    """K folds in which the number of test examples of any class differs by at most one between folds.

    The examples are sorted by class, shuffled within a class, and dealt out like cards, one to each fold in turn.
    """
    y = check_names(y)
    m, n_folds = _check_sizes(len(y), n_folds)
    shuffled = check_rng(rng).permutation(m)
    fold_of = np.empty(m, dtype=int)
    fold_of[shuffled[np.argsort(y[shuffled], kind="stable")]] = np.arange(m) % n_folds
    return _folds_of(fold_of, n_folds, shuffled)


def group_k_fold(groups: ArrayLike, n_folds: int, rng: np.random.Generator | int | None = None) -> list[tuple]:
    """K folds that never divide a group: examples i and j with groups[i] == groups[j] are tested together.

    The groups, in random order and the large ones first, go one by one to the fold that has the fewest examples.
    """
    names, group = np.unique(check_names(groups), return_inverse=True)
    _, n_folds = _check_sizes(len(names), n_folds, what="groups")
    sizes, rng = np.bincount(group), check_rng(rng)
    fold_of, filled = np.empty(len(names), dtype=int), np.zeros(n_folds, dtype=int)
    shuffled = rng.permutation(len(names))
    for g in shuffled[np.argsort(-sizes[shuffled], kind="stable")]:
        fold_of[g] = filled.argmin()
        filled[fold_of[g]] += sizes[g]
    return _folds_of(fold_of[group], n_folds, rng.permutation(len(group)))


def _folds_of(fold_of, n_folds, order):
    """The folds, given the fold of each example, with their examples in this order."""
    return [(order[fold_of[order] != j], order[fold_of[order] == j]) for j in range(n_folds)]


def _check_sizes(m, n_folds, what="examples"):
    m, n_folds = check_count(f"the number of {what}", m, 2), check_count("n_folds", n_folds, 2)
    if n_folds > m:
        raise ValueError(f"n_folds must be at most the number of {what}: n_folds={n_folds} with {m} {what}")
    return m, n_folds


@dataclass(frozen=True)
class CrossValidation:
    """What happened in each fold: the folds themselves, and the predictions and losses on their test parts."""

    folds: list
    predictions: list
    losses: list

    @property
    def risks(self) -> np.ndarray:
        """The (K,) test errors, one for each fold."""
        return np.array([losses.mean() for losses in self.losses])

    @property
    def risk(self) -> float:
        """The cross-validation estimate: the average of the test errors of the folds."""
        return float(self.risks.mean())

    @property
    def standard_error(self) -> float:
        """The spread of the folds' test errors over sqrt(K), as if independent; with one fold, that of its losses.

        With repeated folds it means nothing: it can be made as small as one likes by repeating.
        """
        return standard_error(self.risks if len(self.folds) > 1 else self.losses[0])

    def in_order(self, parts: list) -> np.ndarray:
        """``predictions`` or ``losses`` in the order of the sample, if every example was tested exactly once."""
        tested = np.concatenate([test for _, test in self.folds])
        m = 1 + max(part.max() for fold in self.folds for part in fold)
        if not np.array_equal(np.sort(tested), np.arange(m)):
            raise ValueError("only folds that test every example exactly once can be put in the order of the sample")
        parts = [check_y(part) for part in check_list("parts", parts)]
        if [len(part) for part in parts] != [len(test) for _, test in self.folds]:
            raise ValueError("parts must have one entry for each test example of each fold, like losses")
        return np.concatenate(parts)[np.argsort(tested)]


def standard_error(values: ArrayLike) -> float:
    """The standard error of the mean of independent values; zero if there is only one, infinite if one is."""
    values = np.asarray(values, dtype=float)
    if np.isinf(values).any():
        return np.inf
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


@checks_arguments
def cross_validate(
    model: Learner, X: ArrayLike, y: ArrayLike, folds: list, loss: AnyFunction | None = None, executor: Any = None
) -> CrossValidation:
    """Train a copy of the model on each training part and test it on the test part; returns a ``CrossValidation``.

    The model is anything with ``fit`` and ``predict``; it is copied, never fitted itself. ``loss(y, y_hat)`` is
    by default the zero-one loss of classifiers (models with ``classes_`` after a fit) and the square loss of others.

    ``executor``, of ``concurrent.futures`` or its like, runs the folds in parallel. A seed or a generator in the model
    is copied with it, in its present state: every fold draws the same random numbers, whoever runs it, and the result
    is the same with every executor and without one. A model that draws from elsewhere (a seed of None, NumPy's global
    state) has no such guarantee; neither run can then be repeated.
    """
    X, y, folds = checked_sample(X, y, folds)
    tasks = [(model, X, y, train, test, loss) for train, test in folds]
    predictions, losses = zip(*map_tasks(run_fold, tasks, executor), strict=True)
    return CrossValidation(folds, list(predictions), list(losses))


def run_fold(
    model: Any, X: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray, loss: Callable | None
) -> tuple[np.ndarray, np.ndarray]:
    """The predictions and losses on the test part of a copy of the model that saw the training part only."""
    h = copy.deepcopy(model).fit(X[train], y[train])
    y_hat = h.predict(X[test])
    return y_hat, losses_of(h, loss, y[test], y_hat)


def losses_of(h: Any, loss: Callable | None, y: np.ndarray, y_hat: ArrayLike) -> np.ndarray:
    """The loss of each prediction of the fitted model h: one number for each example."""
    y_hat = np.asarray(y_hat)
    if y_hat.shape != y.shape:
        raise ValueError(f"a prediction for each of {len(y)} examples is needed, got an array of shape {y_hat.shape}")
    if loss is None and not hasattr(h, "classes_") and (y.dtype.kind not in "iuf" or y_hat.dtype.kind not in "iuf"):
        raise ValueError("the model has no classes_, and the square loss needs numbers: give a loss, e.g. zero_one")
    loss = loss or (np.not_equal if hasattr(h, "classes_") else _square)
    losses = np.asarray(loss(y, y_hat), dtype=float)
    if losses.shape != y.shape or np.isnan(losses).any():
        raise ValueError(f"the loss must be a number for each of {len(y)} examples, got {losses!r}")
    return losses


def _square(y, y_hat):
    return (y.astype(float) - y_hat) ** 2


def checked_sample(X: ArrayLike, y: ArrayLike, folds: list) -> tuple[np.ndarray, np.ndarray, list]:
    """The sample as arrays of equal length, and folds that fit it."""
    X, y = check_rows(X), check_y(y)
    return X, y, check_folds(folds, check_lengths(X=X, y=y))
