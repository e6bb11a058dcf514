"""What happened: honest estimates of the risk, choices made by them, and curves that show them."""

from mlcourse.evaluation.cross_validation import (
    CrossValidation,
    cross_validate,
    group_k_fold,
    hold_out,
    k_fold,
    leave_one_out,
    repeated_k_fold,
    stratified_k_fold,
)
from mlcourse.evaluation.curves import learning_curve, validation_curve
from mlcourse.evaluation.importance import permutation_importance
from mlcourse.evaluation.metrics import confusion_matrix, error_rate, precision, recall
from mlcourse.evaluation.model_selection import Search, Tuned, grid, grid_search, least_risk, one_standard_error, select
from mlcourse.evaluation.nested import nested_cross_validation

__all__ = [
    "CrossValidation",
    "Search",
    "Tuned",
    "confusion_matrix",
    "cross_validate",
    "error_rate",
    "grid",
    "grid_search",
    "group_k_fold",
    "hold_out",
    "k_fold",
    "learning_curve",
    "least_risk",
    "leave_one_out",
    "nested_cross_validation",
    "one_standard_error",
    "permutation_importance",
    "precision",
    "recall",
    "repeated_k_fold",
    "select",
    "stratified_k_fold",
    "validation_curve",
]
