"""Pegasos: the linear support vector machine by stochastic subgradients.

Letters
    X, y    sample: m points of R^d, labels in {-1, +1}
    lam     strength of the penalty; F(w) = mean_i [1 - y_i w.x_i]_+ + (lam/2) ||w||^2, an SVM with C = 1 / (lam m)
    w       weights w_1 = 0, w_2, ...; T steps are made
    v       step t's mean, over the drawn examples, of y x where the hinge is positive: lam w - v is a subgradient of F
    K       Gram matrix; beta the coefficients of w = sum_i beta_i phi(x_i)
"""

from collections.abc import Iterator

import numpy as np

from mlcourse.arguments.kinds import Batches, Count, Gram, Points, Positive, Seed, Signs, Size, checks_arguments
from mlcourse.arguments.numbers import check_count, check_flag, check_positive, check_rng
from mlcourse.base import BinaryClassifier
from mlcourse.models.kernels.functions import InKernelSpace, as_kernel
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.models.linear.linear_separation import augmented, weights_and_bias
from mlcourse.trace import Iterates, returns_trace


@returns_trace
def pegasos(X: Points, y: Signs, lam: Positive, batches: Batches) -> Iterates:
    """The weights w_1 = 0 and w_{t+1} = (1 - 1/t) w_t + v_t / (lam t) for each batch of rows of the sample."""
    w = np.zeros(X.shape[1])
    yield w
    for t, rows in enumerate(batches, start=1):
        X_t, y_t = X.take(rows, axis=0), y.take(rows)
        hinge_is_positive = y_t * X_t.dot(w) < 1
        v = (y_t * hinge_is_positive).dot(X_t) / len(rows)
        w = (1 - 1 / t) * w + v / (lam * t)
        yield w
    return True


@returns_trace
def kernel_pegasos(K: Gram, y: Signs, lam: Positive, batches: Batches) -> Iterates:
    """The coefficients beta of w_1, w_2, ...: w_{t+1} = sum_i beta_i phi(x_i), beta_i = y_i counts_i / (lam t n).

    ``counts_i`` is how often example i was drawn, in batches of n, with a positive hinge.
    """
    beta = np.zeros(len(y))
    yield beta
    for t, rows in enumerate(batches, start=1):
        hit = rows[y[rows] * (K[rows] @ beta) < 1]
        beta = (1 - 1 / t) * beta
        np.add.at(beta, hit, y[hit] / (lam * t * len(rows)))
        yield beta
    return True


def average(iterates: Iterator[np.ndarray]) -> np.ndarray:
    """The mean of the iterates."""
    total, number = np.array(next(iterates)), 1
    for w in iterates:
        total += w
        number += 1
    return total / number


@checks_arguments
def drawn_batches(m: Count, batch: Count, number: Size, rng: Seed) -> Iterator[np.ndarray]:
    """A ``number`` of batches of ``batch`` of m examples, drawn independently and uniformly."""
    for made in range(0, number, 1024):
        yield from check_rng(rng).integers(m, size=(min(1024, number - made), batch))


class Pegasos(InKernelSpace, BinaryClassifier):
    """The weights of least regularised hinge risk, by stochastic subgradients with step 1 / (lam t):
    minimises F(w) = mean_i [1 - y_i w.x_i]_+ + (lam/2) ||w||^2, the SVM without bias with C = 1 / (lam m).

    The answer is the average of w_1 = 0, w_2, ..., w_T over the ``n_steps`` = T steps, not the last of them.

    Parameters: every step draws ``batch`` examples, independently and uniformly. ``bias`` appends the constant
    feature 1, so that the bias is penalised like a weight (with a ``kernel``: adds 1 to it); without it the
    theorem's R is that of the points. ``kernel`` None: linear.

    Learned: ``w_`` (d,) or, with a kernel, the ``RKHSFunction`` ``f_`` of the examples that ever counted; ``b_``.

    Guarantee: thm-pegasos: E F(average) - min F <= 2 R^2 ln(T + 1) / (lam T).
    Book: svm. Source: Milan 20.2, 21.1 (proof repaired).
    """

    _valid = {"lam": check_positive, "n_steps": check_count, "batch": check_count, "bias": check_flag}

    def __init__(self, lam=0.01, n_steps=10_000, batch=1, kernel=None, bias=True, random_state=None):
        self.lam, self.kernel, self.bias = lam, kernel, bias
        self.n_steps, self.batch, self.random_state = n_steps, batch, random_state

    def _fit(self, X, y):
        y, lam = y.astype(float), float(self.lam)
        batches = drawn_batches(len(y), self.batch, self.n_steps - 1, check_rng(self.random_state))
        if self.kernel is None:
            run = pegasos.iterates(augmented(X) if self.bias else X, y, lam, batches)
            self.w_, self.b_ = weights_and_bias(average(run), self.bias)
        else:
            k = as_kernel(self.kernel)
            beta = average(kernel_pegasos.iterates(k(X) + self.bias, y, lam, batches))
            used = np.flatnonzero(beta) if beta.any() else [0]
            self.f_, self.b_ = RKHSFunction(X[used], beta[used], k), beta.sum() if self.bias else 0.0

    def _score(self, X):
        return (X @ self.w_ if self.kernel is None else self.f_(X)) + self.b_
