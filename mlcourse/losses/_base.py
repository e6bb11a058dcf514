"""What all losses share: the call, the derivative and the facts they declare.

A loss writes its formula in ``_value`` and its derivative in ``_slope``; the public ``__call__`` and
``derivative`` turn numbers and lists into arrays, broadcast them, and give back a scalar for scalars.
Every loss declares four facts, about its value as a function of the prediction (or of the margin):

convex               bool
lipschitz            smallest Lipschitz constant, inf if there is none
smooth               smallest Lipschitz constant of the derivative, inf if there is none
dominates_zero_one   bool: nowhere below the zero-one loss of the label it predicts, an undecided
                     prediction (margin 0, value 0, probability 1/2) counting as an error
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_broadcast, check_each_sign, check_floats, check_probabilities


def evaluated(formula: Callable, *arguments: ArrayLike) -> float | np.ndarray:
    """``formula`` of the arguments as float arrays, with limits such as e^1000 = inf reached in silence."""
    floats = [check_floats(f"argument {i}", argument) for i, argument in enumerate(arguments, 1)]
    if len({array.shape for array in floats}) > 1:
        check_broadcast(*floats)
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        value = formula(*floats)
    return np.asarray(value, dtype=float)[()]  # [()] makes a scalar of a 0-d array


@dataclass(frozen=True)
class Facts:
    """The name of a loss and the facts it declares."""

    name: ClassVar[str]
    convex: ClassVar[bool]
    lipschitz: ClassVar[float]
    smooth: ClassVar[float]
    dominates_zero_one: ClassVar[bool]
    _value: ClassVar[Callable]
    _slope: ClassVar[Callable]


class Loss(Facts):
    """A loss ell(y, y_hat) of a label and its prediction; ``_bayes`` is the best prediction given the posterior."""

    _bayes: ClassVar[Callable]

    def __call__(self, y, y_hat):
        """The loss of predicting ``y_hat`` when the label is ``y``."""
        return evaluated(self._value, y, y_hat)

    def derivative(self, y: ArrayLike, y_hat: ArrayLike) -> float | np.ndarray:
        """The derivative of the loss in the prediction ``y_hat``."""
        return evaluated(self._slope, y, y_hat)

    def bayes(self, eta: ArrayLike) -> float | np.ndarray:
        """The prediction of least expected loss where the label is +1 with probability ``eta``, and otherwise -1."""
        return self._bayes(check_probabilities("eta", eta))[()]


class MarginLoss(Facts):
    """A loss of the margin z = y * score, for labels -1 and +1."""

    _curvature: ClassVar[Callable]

    def __call__(self, z):
        """The loss of the margin ``z``."""
        return evaluated(self._value, z)

    def derivative(self, z: ArrayLike) -> float | np.ndarray:
        """The derivative of the loss in the margin ``z``."""
        return evaluated(self._slope, z)

    def with_derivative(self, z: ArrayLike) -> tuple[float | np.ndarray, float | np.ndarray]:
        """The loss and its derivative together, for less than the price of two."""
        return self(z), self.derivative(z)

    def curvature(self, z: ArrayLike) -> float | np.ndarray:
        """The second derivative of the loss in the margin ``z``, for the losses that have one everywhere."""
        return evaluated(self._curvature, z)

    def of(self, y: ArrayLike, score: ArrayLike) -> float | np.ndarray:
        """The loss of a real ``score`` when the label is ``y``."""
        y, score = check_each_sign("y", y), check_floats("score", score)
        check_broadcast(y, score)
        return self(y * score)
