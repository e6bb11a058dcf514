"""What was promised: bounds and identities as pure functions of numbers, registered by the book's label.

Nothing here imports the rest of the package. Values are never clipped: a bound above 1 says nothing,
and that is worth seeing.
"""

from mlcourse.theory.model_selection import (
    expected_least_error,
    hold_out_variance,
    k_fold_variance,
    selection_excess,
    selection_optimism,
    selection_probability,
    selection_sample_size,
)
from mlcourse.theory.online import multiclass_perceptron_bound, novikoff, novikoff_with_bias, slow_perceptron
from mlcourse.theory.optimisation import (
    adaline_distance,
    adaline_errors,
    best_quadratic_rate,
    convex_gap,
    noise_floor,
    quadratic_rate,
    sgd_average,
    slow_steps,
    stationary_sum,
    zoutendijk_sum,
)
from mlcourse.theory.registry import STATEMENTS, states

__all__ = [
    "STATEMENTS",
    "adaline_distance",
    "adaline_errors",
    "best_quadratic_rate",
    "convex_gap",
    "expected_least_error",
    "hold_out_variance",
    "k_fold_variance",
    "multiclass_perceptron_bound",
    "noise_floor",
    "novikoff",
    "novikoff_with_bias",
    "quadratic_rate",
    "selection_excess",
    "selection_optimism",
    "selection_probability",
    "selection_sample_size",
    "sgd_average",
    "slow_perceptron",
    "slow_steps",
    "states",
    "stationary_sum",
    "zoutendijk_sum",
]
