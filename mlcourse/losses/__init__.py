"""Losses and risks: what a prediction costs, at one example and on average."""

import types

from mlcourse.losses._base import Loss, MarginLoss
from mlcourse.losses.classification import CostSensitive, zero_one
from mlcourse.losses.margin import (
    RhoMargin,
    exponential,
    hinge,
    logistic,
    logistic_base2,
    perceptron_loss,
    squared_margin,
    zero_one_margin,
)
from mlcourse.losses.probability import log_loss
from mlcourse.losses.regression import Pinball, absolute, square
from mlcourse.losses.risk import bayes_prediction, conditional_bayes_risk, conditional_risk, empirical_risk, excess_risk

__all__ = [name for name, thing in sorted(vars().items()) if name[0] != "_" and not isinstance(thing, types.ModuleType)]
