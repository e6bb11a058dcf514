"""What was promised: bounds and identities as pure functions of numbers, registered by the book's label.

Nothing here imports the rest of the package. Values are never clipped: a bound above 1 says nothing,
and that is worth seeing.
"""

from mlcourse.theory.online import multiclass_perceptron_bound, novikoff, novikoff_with_bias, slow_perceptron
from mlcourse.theory.registry import STATEMENTS, states

__all__ = [
    "STATEMENTS",
    "multiclass_perceptron_bound",
    "novikoff",
    "novikoff_with_bias",
    "slow_perceptron",
    "states",
]
