"""What happened: honest estimates of the risk, choices made by them, and curves that show them."""

import types

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

__all__ = [name for name, thing in sorted(vars().items()) if name[0] != "_" and not isinstance(thing, types.ModuleType)]
