"""The perceptron in the space of a kernel: it remembers its mistakes instead of a weight vector.

Letters
    X, y     sample: m points, labels in {-1, +1}
    alpha    how many mistakes were made at each example; f = sum_i alpha_i y_i k(x_i, .)
    z        the signed scores y_i f(x_i): a mistake is made where they are not positive
"""

import functools

import numpy as np

from mlcourse.arguments.kinds import AnyFunction, Orders, Signs
from mlcourse.arguments.numbers import check_count, check_flag
from mlcourse.base import BinaryClassifier
from mlcourse.models.kernels.functions import InKernelSpace, as_kernel
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.models.linear.perceptron import PassesOverTheSample
from mlcourse.trace import Iterates, returns_trace, trace_of


def next_mistake(z: np.ndarray, order: np.ndarray, start: int) -> int:
    """The first place in ``order``, from ``start`` on, of a z that is not positive; the length if there is none."""
    ahead = 64
    while start < len(order):
        right = z[order[start : start + ahead]] > 0
        first = right.argmin()
        if not right[first]:
            return start + first
        start, ahead = start + ahead, 2 * ahead
    return len(order)


@returns_trace
def kernel_perceptron(row: AnyFunction, y: Signs, passes: Orders) -> Iterates:
    """Numbers of mistakes at each example after each mistake; ends at the first pass without one.

    ``row(i)`` is the vector of all k(x_i, x_j); ``passes`` is an iterable of index arrays (None: the given order).
    """
    m = len(y)
    alpha, z = np.zeros(m, dtype=int), np.zeros(m)
    yield alpha
    for order in passes:
        order = np.arange(m) if order is None else order
        before, place = alpha, -1
        while (place := next_mistake(z, order, place + 1)) < len(order):
            i = order[place]
            z += y[i] * (y * row(i))
            alpha = alpha.copy()
            alpha[i] += 1
            yield alpha
        if alpha is before:
            return True
    return False


class KernelPerceptron(PassesOverTheSample, InKernelSpace, BinaryClassifier):
    """Rosenblatt's perceptron on the features of a kernel: add y k(x, .) to f whenever y f(x) <= 0.

    Finds some f in the space of the kernel with y_i f(x_i) > 0 for all i if there is one; otherwise it never settles,
    and the function after ``max_epochs`` passes is kept. There is no bias: the kernel k + 1 has one.

    Parameters: ``kernel``, a kernel or a function k(x, z) of two points (None: ``GaussianKernel()``); ``shuffle``
    presents the sample in a new random order at each pass instead of the given one.

    Learned: ``f_``, an ``RKHSFunction`` of the examples with mistakes; ``alpha_`` (m,), the number of mistakes at each
    example; ``n_updates_``, their sum; ``converged_`` (a pass had no mistake).

    Guarantee: thm-kernel-perceptron, at most max_i k(x_i, x_i) times the least squared norm of a g with
    y_i g(x_i) >= 1 for all i mistakes. Book: kernels. Source: Milan 18.1.2, 19 (bound added).
    """

    _valid = {"max_epochs": check_count, "shuffle": check_flag}

    def __init__(self, kernel=None, max_epochs=1000, shuffle=False, random_state=None):
        self.kernel, self.max_epochs = kernel, max_epochs
        self.shuffle, self.random_state = shuffle, random_state

    def _fit(self, X, y):
        k = as_kernel(self.kernel)
        row = functools.cache(lambda i: k(X[i : i + 1], X)[0])
        run = trace_of(kernel_perceptron.iterates(row, y.astype(float), self._passes(len(y))), keep_path=False)
        self.alpha_, self.n_updates_, self.converged_ = run.last, run.n_steps, run.converged
        seen = np.flatnonzero(self.alpha_)
        self.f_ = RKHSFunction(X[seen], (self.alpha_ * y)[seen], k)

    def _score(self, X):
        return self.f_(X)
