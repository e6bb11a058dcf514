"""The perceptron: mistakes drive the weights.

Letters
    X, y   sample: m points of R^d, labels in {-1, +1} (in 0..k-1 for the multiclass rule)
    Z      the flipped points y_i x_i: a weight vector separates the sample iff Z @ w > 0
    w, b   weights and bias; W has one weight vector per class
    tau    step size
"""

from collections.abc import Generator

import numpy as np

from mlcourse.arguments.kinds import Count, Labels, Orders, Points, Positive, Signs
from mlcourse.arguments.numbers import check_count, check_flag, check_rng
from mlcourse.base import BinaryClassifier, Classifier, Estimator, last_argmax
from mlcourse.models.linear.linear_separation import augmented, flipped, weights_and_bias
from mlcourse.trace import Iterates, returns_trace, trace_of


@returns_trace
def perceptron(X: Points, y: Signs, passes: Orders, tau: Positive = 1.0) -> Iterates:
    """Weights after each update, starting from zero; ends at the first pass without a mistake.

    ``passes`` is an iterable of index arrays, one for each pass over the sample (None: the given order).
    """
    w = np.zeros(X.shape[1])
    yield w
    for order in passes:
        before = w
        for i in range(len(y)) if order is None else order:
            if y[i] * (w @ X[i]) <= 0:
                w = w + tau * y[i] * X[i]
                yield w
        if w is before:
            return True
    return False


@returns_trace
def scanning_perceptron(X: Points, y: Signs, passes: Orders, tau: Positive = 1.0) -> Iterates:
    """The same weights as ``perceptron``, faster: nothing changes before the next mistake, so it is searched for."""
    Z = tau * flipped(X, y)
    w = np.zeros(Z.shape[1])
    yield w
    for order in passes:
        before = w
        w = yield from one_pass(Z if order is None else Z[order], w)
        if w is before:
            return True
    return False


def one_pass(Z: np.ndarray, w: np.ndarray) -> Generator[np.ndarray, None, np.ndarray]:
    """The weights after each update of one pass over the flipped points; returns the last of them."""
    m, i, ahead = len(Z), 0, 16
    while i < m:
        right = Z[i : i + ahead].dot(w) > 0.0  # a score that is not a number is a mistake
        first = right.argmin()
        if not right[first]:
            w = w + Z[i + first]
            yield w
            i, ahead = i + first + 1, 16
        else:
            i, ahead = i + ahead, 2 * ahead
    return w


class PassesOverTheSample(Estimator):
    """An estimator that passes over the sample: with a bias or not, how often, and in which order."""

    _valid = {"bias": check_flag, "max_epochs": check_count, "shuffle": check_flag}

    def __init__(self, bias=True, max_epochs=1000, shuffle=False, random_state=None):
        self.bias, self.max_epochs = bias, max_epochs
        self.shuffle, self.random_state = shuffle, random_state

    def _points(self, X):
        return augmented(X) if self.bias else X

    def _passes(self, m):
        rng = check_rng(self.random_state)
        return (rng.permutation(m) if self.shuffle else None for _ in range(self.max_epochs))


class Perceptron(PassesOverTheSample, BinaryClassifier):
    """Rosenblatt's perceptron: add y x to the weights whenever y (w.x + b) <= 0.

    Finds some w, b with y_i (w.x_i + b) > 0 for all i if there is one; otherwise it never settles,
    and the weights after ``max_epochs`` passes are kept.

    Parameters: ``bias`` appends the constant feature; ``shuffle`` presents the sample in a new random
    order at each pass instead of the given one.

    Learned: ``w_`` (d,), ``b_``, ``n_updates_`` (mistakes made), ``converged_`` (a pass had no mistake).

    Guarantee: thm-novikoff, cor-novikoff-bias.
    Book: perceptron. Source: Amini, Kondor, Milan 13 (strict test, ceiling and bias corrected).
    """

    def _fit(self, X, y):
        with np.errstate(over="ignore", invalid="ignore"):  # a score that is not a number is a mistake
            run = trace_of(scanning_perceptron.iterates(self._points(X), y, self._passes(len(y))), keep_path=False)
        self.w_, self.b_ = weights_and_bias(run.last, self.bias)
        self.n_updates_, self.converged_ = run.n_steps, run.converged

    def _score(self, X):
        return X @ self.w_ + self.b_


@returns_trace
def multiclass_perceptron(X: Points, y: Labels, n_classes: Count, passes: Orders) -> Iterates:
    """Weight matrices (k, d) after each update, starting from zero; a tie with a wrong class is a mistake."""
    if y.max() >= n_classes:
        raise ValueError(f"y must hold classes below n_classes, {n_classes}, got {y.max()}")
    W = np.zeros((n_classes, X.shape[1]))
    yield W
    for order in passes:
        before = W
        for i in range(len(y)) if order is None else order:
            scores = W @ X[i]
            right = scores[y[i]]
            scores[y[i]] = -np.inf
            rival = scores.argmax()
            if not right > scores[rival]:
                W = W.copy()
                W[y[i]] += X[i] / 2
                W[rival] -= X[i] / 2
                yield W
        if W is before:
            return True
    return False


class MulticlassPerceptron(PassesOverTheSample, Classifier):
    """One weight vector per class; a mistake moves half of x from the rival's vector to the right one's.

    Finds W with W_y.x > W_c.x for every example and every c != y if there is one.

    Parameters as for ``Perceptron``. Learned: ``W_`` (k, d), ``b_`` (k,), ``n_updates_``, ``converged_``.

    Guarantee: thm-multiclass-perceptron. Book: perceptron. Source: Kondor (sign restored, bound added).
    """

    def _fit(self, X, y):
        steps = multiclass_perceptron.iterates(self._points(X), y, len(self.classes_), self._passes(len(y)))
        with np.errstate(over="ignore", invalid="ignore"):
            run = trace_of(steps, keep_path=False)
        W = run.last if self.bias else np.pad(run.last, ((0, 0), (0, 1)))
        self.W_, self.b_ = W[:, :-1], W[:, -1]
        self.n_updates_, self.converged_ = run.n_steps, run.converged

    def _predict(self, X):
        return last_argmax(X @ self.W_.T + self.b_)
