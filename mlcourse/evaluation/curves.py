"""Risk against the size of the training sample, and against a parameter, in each of K folds of the sample (X, y)."""

import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.collections import check_list
from mlcourse.arguments.kinds import AnyFunction, Learner, checks_arguments
from mlcourse.arguments.numbers import check_count
from mlcourse.base import map_tasks
from mlcourse.evaluation.cross_validation import checked_sample, losses_of
from mlcourse.evaluation.model_selection import Tunable, with_each


@checks_arguments
def learning_curve(
    model: Learner,
    X: ArrayLike,
    y: ArrayLike,
    sizes: list[int],
    folds: list,
    loss: AnyFunction | None = None,
    executor: Any = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Training and test errors, each (len(sizes), K), of the model trained on the first examples of each training part.

    The folds should be drawn at random (``k_fold`` and its like): a sorted training part begins with one class.
    """
    X, y, folds = checked_sample(X, y, folds)
    least = min(len(train) for train, _ in folds)
    sizes = check_list("sizes", sizes)
    for size in sizes:
        if check_count("size", size) > least:
            raise ValueError(f"a size must be at most {least}, the smallest training part, got {size}")
    parts = [(model, train[:size], test) for size in sizes for train, test in folds]
    return _both_risks(parts, len(folds), X, y, loss, executor)


@checks_arguments
def validation_curve(
    model: Tunable,
    candidates: list[dict],
    X: ArrayLike,
    y: ArrayLike,
    folds: list,
    loss: AnyFunction | None = None,
    executor: Any = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Training and test errors, each (n_candidates, K), of the model with each candidate's parameters."""
    X, y, folds = checked_sample(X, y, folds)
    parts = [(h, train, test) for h in with_each(model, candidates) for train, test in folds]
    return _both_risks(parts, len(folds), X, y, loss, executor)


def _both_risks(parts, n_folds, X, y, loss, executor):
    tasks = [(h, X, y, train, test, loss) for h, train, test in parts]
    risks = np.array(map_tasks(_training_and_test_risk, tasks, executor)).reshape(-1, n_folds, 2)
    return risks[:, :, 0], risks[:, :, 1]


def _training_and_test_risk(model, X, y, train, test, loss):
    """The average losses of a copy of the model trained on the training part: there, and on the test part."""
    h = copy.deepcopy(model).fit(X[train], y[train])
    return [losses_of(h, loss, y[part], h.predict(X[part])).mean() for part in (train, test)]
