"""Risks: averages of losses over a sample, over a label given its posterior, over points.

loss   any loss(y, y_hat), or a margin loss, whose predictions y_hat are scores
eta    posterior P(Y = +1 | x) of labels -1 and +1, one number or one for each point
y_hat  prediction; the best one given eta is the Bayes prediction ``loss.bayes(eta)``
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments import arrays
from mlcourse.arguments.collections import check_function
from mlcourse.losses._base import Loss
from mlcourse.losses.classification import zero_one


def empirical_risk(loss: Callable, y: ArrayLike, y_hat: ArrayLike) -> float:
    """The average loss of the predictions ``y_hat`` on the labels ``y``."""
    loss, y, y_hat = _of_labels(loss), arrays.check_array("y", y), arrays.check_array("y_hat", y_hat)
    if y.ndim != 1 or y_hat.ndim != 1:
        raise ValueError(f"y and y_hat must be one-dimensional, got shapes {y.shape} and {y_hat.shape}")
    if arrays.check_lengths(y=y, y_hat=y_hat) == 0:
        raise ValueError("the empirical risk needs at least one example, got an empty sample")
    risk = float(np.mean(loss(y, y_hat)))
    if risk != risk:
        raise ValueError("the empirical risk is not a number: y or y_hat holds NaN, or infinities that cancel")
    return risk


def conditional_risk(loss: Callable, y_hat: ArrayLike, eta: ArrayLike) -> float | np.ndarray:
    """The expected loss of predicting ``y_hat`` where the label is +1 with probability ``eta``."""
    loss, eta, y_hat = _of_labels(loss), arrays.check_probabilities("eta", eta), arrays.check_floats("y_hat", y_hat)
    arrays.check_broadcast(y_hat, eta)
    return _times(eta, loss(1, y_hat)) + _times(1 - eta, loss(-1, y_hat))


def _of_labels(loss):
    """``loss`` as a function of label and prediction, also when it is one of the margin."""
    return check_function("loss", getattr(loss, "of", loss))


@np.errstate(invalid="ignore")
def _times(probability, value):
    """Their product, with 0 * inf = 0: what never happens costs nothing."""
    return np.where(probability > 0, probability * value, 0.0)[()]


def bayes_prediction(loss: Loss, eta: ArrayLike) -> float | np.ndarray:
    """The prediction of least conditional risk where the label is +1 with probability ``eta``."""
    if not hasattr(loss, "bayes"):
        raise ValueError(f"the Bayes prediction of {loss!r} is not known: it has no method bayes(eta)")
    return loss.bayes(arrays.check_probabilities("eta", eta)[()])


def conditional_bayes_risk(loss: Loss, eta: ArrayLike) -> float | np.ndarray:
    """The least conditional risk any prediction can have where the label is +1 with probability ``eta``."""
    return conditional_risk(loss, bayes_prediction(loss, eta), eta)


def excess_risk(predictions: ArrayLike, eta: ArrayLike, weights: ArrayLike | None = None) -> float:
    """The zero-one risk of ``predictions`` above the Bayes risk, as the average of |2 eta - 1| 1{wrong}.

    ``predictions`` (labels -1 and +1) and ``eta`` are given at the same points, which count equally or
    in proportion to ``weights``; a prediction is wrong where it is not the Bayes prediction.
    """
    predictions = arrays.check_each_sign("predictions", arrays.check_vector("predictions", predictions))
    eta = arrays.check_probabilities("eta", arrays.check_vector("eta", eta))
    weights = arrays.check_weights(weights, arrays.check_lengths(predictions=predictions, eta=eta))
    return float(weights @ (np.abs(2 * eta - 1) * zero_one(bayes_prediction(zero_one, eta), predictions)))
