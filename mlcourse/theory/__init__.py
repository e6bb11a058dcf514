"""What was promised: bounds and identities as pure functions of numbers, registered by the book's label.

Nothing here imports the rest of the package. Values are never clipped: a bound above 1 says nothing,
and that is worth seeing.
"""

from mlcourse.theory.iid import effective_size, total_variation, variance_of_mean
from mlcourse.theory.interpolation import magnified_noise
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
    "effective_size",
    "magnified_noise",
    "multiclass_perceptron_bound",
    "noise_floor",
    "novikoff",
    "novikoff_with_bias",
    "quadratic_rate",
    "sgd_average",
    "slow_perceptron",
    "slow_steps",
    "states",
    "stationary_sum",
    "total_variation",
    "variance_of_mean",
    "zoutendijk_sum",
]
