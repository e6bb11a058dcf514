"""Cross-validation of an algorithm that tunes itself by cross-validation.

Letters
    X, y    sample
"""

from mlcourse.evaluation.cross_validation import cross_validate
from mlcourse.evaluation.model_selection import Tuned, least_risk


def nested_cross_validation(
    model, candidates, X, y, folds, n_inner=5, rule=least_risk, loss=None,
    random_state=None, executor=None,
):
    """The outer ``CrossValidation`` on ``folds`` of the model tuned by ``n_inner`` folds of each training part.

    Guarantee: prop-nested. Book: cross-validation. Source: Milan 8.3.
    """
    tuned = Tuned(model, candidates, n_inner, rule, loss, random_state)
    return cross_validate(tuned, X, y, folds, loss, executor)
