"""Adaline: a linear neuron trained on the square loss, before the threshold.

Letters
    X, y   sample: m points of R^d, labels in {-1, +1} (any real targets will do)
    w, b   weights and bias
    tau    step size
"""

import numpy as np

from mlcourse.arguments.kinds import Draws, Points, Steps, Targets
from mlcourse.arguments.numbers import check_flag, check_positive
from mlcourse.base import BinaryClassifier
from mlcourse.models.linear.linear_separation import weights_and_bias
from mlcourse.models.linear.perceptron import PassesOverTheSample
from mlcourse.optim.gradient import step_sizes
from mlcourse.optim.moments import check_squares
from mlcourse.trace import Iterates, returns_trace, trace_of


@returns_trace
def adaline(X: Points, y: Targets, draws: Draws, tau: Steps) -> Iterates:
    """Widrow and Hoff's rule: for each drawn example i add tau (y_i - w.x_i) x_i to w, starting from zero."""
    w = np.zeros(X.shape[1])
    yield w
    for i, tau_t in zip(draws, step_sizes(tau), strict=False):
        w = w + tau_t * (y[i] - w @ X[i]) * X[i]
        yield w
    return True


class Adaline(PassesOverTheSample, BinaryClassifier):
    """Widrow and Hoff's adaptive linear neuron: follows the square loss (y - w.x - b)^2 one example at a time.

    Parameters: ``tau`` is the step, None for 1 / (2 max ||x_i||^2), constant feature included. From 2 / max ||x_i||^2
    on, a step overshoots the longest example; weights that overflow are an error. With ``decay`` the step of pass
    k = 0, 1, ... is tau / (1 + k)^(2/3): given passes enough, the weights approach those of least squares;
    otherwise they keep wandering about them. The other parameters are those of ``Perceptron``.

    Learned: ``w_`` (d,), ``b_``, ``tau_`` (the first step).

    Guarantee: thm-adaline, thm-adaline-floor. Book: linear-regression. Source: Amini (step condition added).
    """

    _valid = PassesOverTheSample._valid | {
        "tau": lambda name, value: value is None or check_positive(name, value),
        "decay": check_flag,
    }

    def __init__(self, tau=None, decay=True, bias=True, max_epochs=50, shuffle=False, random_state=None):
        super().__init__(bias, max_epochs, shuffle, random_state)
        self.tau, self.decay = tau, decay

    def _fit(self, X, y):
        points, m = self._points(X), len(y)
        with np.errstate(over="ignore"):
            square = check_squares(points, (points**2).sum(axis=1).max())
        longest = max(float(square), float(np.finfo(float).tiny))
        self.tau_ = float(self.tau or 0.5 / longest)
        draws = (i for order in self._passes(m) for i in (range(m) if order is None else order))
        steps = (self.tau_ / (1 + self.decay * k) ** (2 / 3) for k in range(self.max_epochs) for _ in range(m))
        with np.errstate(over="ignore", invalid="ignore"):
            w = trace_of(adaline.iterates(points, y, draws, steps), keep_path=False).last
        if not np.isfinite(w).all():
            raise ValueError(f"the weights overflow: tau = {self.tau_:g} is too large, stay below {2 / longest:.2g}")
        self.w_, self.b_ = weights_and_bias(w, self.bias)

    def _score(self, X):
        return X @ self.w_ + self.b_
