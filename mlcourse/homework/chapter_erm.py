"""Checks for the code exercises of the chapter on empirical risk minimisation."""

import itertools

import numpy as np

from mlcourse.data.finite import FiniteLaw
from mlcourse.homework.engine import Question, require
from mlcourse.losses import CostSensitive, absolute, square, zero_one


@Question
def best_threshold(answer):
    """``answer(x, y)`` returns (theta, s): the rule s above theta, -s at or below it, of least training error."""
    rng = np.random.default_rng(0)
    for m in [1, 2, 3, 5, 8, 13] * 10:
        x, y = rng.integers(0, 6, size=m) / 2, rng.choice([-1, 1], size=m)
        theta, s = answer(x.copy(), y.copy())
        require(s in (-1, 1), f"the sign s should be -1 or +1, got {s!r}.")
        error = np.mean(np.where(x > theta, s, -s) != y)
        least = min(np.mean(np.where(x > t, p, -p) != y) for t in [-np.inf, *x] for p in (-1, 1))
        sample = f"x = {x.tolist()}, y = {y.tolist()}"
        require(error <= least + 1e-12, f"on {sample} your rule errs on {error:.2f} of the examples, {least:.2f} is possible.")
    return "the training error was the least possible on 60 samples, with equal values among them."


@Question
def bayes(answer):
    """``answer(P, labels, loss, predictions)`` returns the prediction of least conditional risk for each row."""
    rng = np.random.default_rng(1)
    losses = [(zero_one, (-1, 1)), (CostSensitive(3, 1), (-1, 1)), (square, (-1, 0, 0.5, 1)), (absolute, (-1, 0, 1))]
    for (loss, predictions), _ in itertools.product(losses, range(5)):
        law = FiniteLaw(rng.dirichlet(np.ones(8)).reshape(4, 2))
        h = np.asarray(answer(law.P.copy(), law.labels.copy(), loss, predictions))
        require(h.shape == (4,), f"one prediction for each of the 4 points is expected, got shape {h.shape}.")
        require(np.isin(h, predictions).all(), f"only {predictions} are allowed predictions, got {h.tolist()}.")
        risk, least = law.risk(h, loss), law.bayes_risk(loss, predictions)
        name = type(loss).__name__
        require(risk <= least + 1e-12, f"for the loss {name} your predictor has risk {risk:.4f}, the Bayes risk is {least:.4f}.")
    return "no predictor has a smaller risk, for four losses on random laws."
