"""Checks for the code exercises of the chapter on empirical risk minimisation."""

import itertools

import numpy as np

from mlcourse.data.finite import FiniteLaw
from mlcourse.losses import CostSensitive, absolute, square, zero_one
from mlcourse_homework.engine.answers import pair, require
from mlcourse_homework.engine.exercise import exercise


@exercise
def best_interval(answer, rng):
    """``answer(x, y)`` returns (a, b): the rule +1 for a <= x <= b, -1 elsewhere, of least training error."""
    for m in [1, 2, 3, 5, 8, 13] * 10:
        x, y = rng.integers(0, 8, size=m) / 2, rng.choice([-1, 1], size=m)
        a, b = pair(answer(x, y), "(a, b)")
        require(np.ndim(a) == np.ndim(b) == 0, "a and b should be two numbers.")
        error = np.mean(np.where((a <= x) & (x <= b), 1, -1) != y)
        rules = [np.where((u <= x) & (x <= v), 1, -1) for u in x for v in x] + [-np.ones(m)]  # or the empty interval
        least = min(np.mean(rule != y) for rule in rules)
        message = f"the interval [{a}, {b}] errs on {error:.2f} of the examples, {least:.2f} is possible."
        require(error <= least + 1e-12, message, f"x = {x.tolist()}, y = {y.tolist()}")
    return "the training error was the least possible on 60 samples, with equal values among them."


@exercise
def bayes(answer, rng):
    """``answer(P, labels, loss, predictions)`` returns the prediction of least conditional risk for each row."""
    losses = [(zero_one, (-1, 1)), (CostSensitive(3, 1), (-1, 1)), (square, (-1, 0, 0.5, 1)), (absolute, (-1, 0, 1))]
    for (loss, predictions), _ in itertools.product(losses, range(5)):
        law = FiniteLaw(rng.dirichlet(np.ones(8)).reshape(4, 2))
        h = np.asarray(answer(law.P, law.labels, loss, predictions))
        require(h.shape == (4,), f"one prediction for each of the 4 points is expected, got shape {h.shape}.")
        allowed = f"only {predictions} are allowed, got {h.tolist()}: did you return positions instead of predictions?"
        require(np.isin(h, predictions).all(), allowed)
        risk, least = law.risk(h, loss), law.bayes_risk(loss, predictions)
        message = f"your predictor has risk {risk:.4f}, but {least:.4f} is possible: is it loss(label, prediction)?"
        require(risk <= least + 1e-12, f"for the loss {type(loss).__name__} {message}")
    return "no predictor has a smaller risk, for four losses on random laws."
