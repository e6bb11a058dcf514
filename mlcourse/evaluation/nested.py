"""Cross-validation of an algorithm that tunes itself by cross-validation on the sample (X, y)."""

from typing import Any

from numpy.typing import ArrayLike

from mlcourse.arguments.kinds import AnyFunction, Count, Tunable, checks_arguments
from mlcourse.evaluation.cross_validation import CrossValidation, cross_validate
from mlcourse.evaluation.model_selection import Tuned, least_risk


@checks_arguments
def nested_cross_validation(
    model: Tunable,
    candidates: list[dict],
    X: ArrayLike,
    y: ArrayLike,
    folds: list,
    n_inner: Count = 5,
    rule: AnyFunction = least_risk,
    loss: AnyFunction | None = None,
    random_state: Any = None,
    executor: Any = None,
) -> CrossValidation:
    """The outer ``CrossValidation`` on ``folds`` of the model tuned by ``n_inner`` folds of each training part.

    Guarantee: prop-nested. Book: cross-validation. Source: Milan 8.3.
    """
    tuned = Tuned(model, candidates, n_inner, rule, loss, random_state)
    return cross_validate(tuned, X, y, folds, loss, executor)
