"""The support vector machine: the widest margin, softened, found in its dual.

Letters
    X, y     sample: m points, labels in {-1, +1}
    C        price of a unit of slack; C = 1 / (lam m) turns the problem into the regularised hinge risk
    alpha    dual variables in [0, C], one for each example; beta_i = y_i alpha_i are the coefficients of the score
    K, D     Gram matrix K_ij = k(x_i, x_j); squared distances D_ij = K_ii + K_jj - 2 K_ij in feature space
    w, b     weights and bias of the score h(x) = sum_j beta_j k(x_j, x) + b (w only for the linear kernel)
"""

import numpy as np

from mlcourse.arguments.kinds import Gram, Positive, Signs, Targets
from mlcourse.arguments.numbers import check_count, check_flag, check_positive, check_tolerance
from mlcourse.base import BinaryClassifier
from mlcourse.losses import hinge
from mlcourse.models.kernels.dual_ascent import dual_ascent, dual_box
from mlcourse.models.kernels.functions import InKernelSpace, Kernel, LinearKernel, as_kernel
from mlcourse.models.kernels.gram_rows import distance_matrix, gram_or_rows
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.models.kernels.svm_dual import optimal_bias
from mlcourse.optim.moments import centred
from mlcourse.trace import Iterates, returns_trace, trace_of


@returns_trace
def smo(
    D: Gram, y: Signs, C: Positive, tol: Positive = 1e-3, beta: Targets | None = None, g: Targets | None = None
) -> Iterates:
    """The coefficients beta = y alpha after each step of sequential minimal optimisation.

    It starts from zero, or from ``beta`` where the gradient is ``g``. Each step moves the most violating i and the
    j with which the dual gains most, and stops when no pair violates optimality by more than ``tol``.
    ``D[i]`` is the i-th row of squared distances in feature space. Since the coefficients sum to zero, these determine
    the gradient g = y - K beta of the dual up to a constant, which no step can see. ``rise`` is g where beta can
    grow and ``fall`` is g where it can shrink; at a solution no entry of ``rise`` exceeds one of ``fall``.
    """
    low, high = dual_box(y, C)
    beta, g = (np.zeros(len(y)), y) if beta is None or g is None else (beta, g)
    g = np.where([beta < high, beta > low], g, [[-np.inf], [np.inf]])
    rise, fall = g
    yield beta
    while True:
        i = rise.argmax()
        violation = rise[i] - fall
        gain = violation * np.abs(violation) / D[i]  # twice what the dual gains
        j = gain.argmax()
        if violation[j] <= tol and violation.max() <= tol:
            return True
        step = min(high[i] - beta[i], beta[j] - low[j], violation[j] / D[i][j])
        beta = beta.copy()
        beta[i] = min(beta[i] + step, high[i])
        beta[j] = max(beta[j] - step, low[j])
        g += step / 2 * (D[i] - D[j])
        fall[i], rise[j] = rise[i], fall[j]  # i has moved up, so it can fall, and j can rise
        rise[i] = rise[i] if beta[i] < high[i] else -np.inf
        fall[j] = fall[j] if beta[j] > low[j] else np.inf
        yield beta


def shrinking_smo(
    kernel: Kernel, X: np.ndarray, y: np.ndarray, C: float, tol: float, cache_size: float, max_iter: int
) -> tuple[np.ndarray, np.ndarray, int, bool]:
    """Coefficients, scores K beta, steps made, and whether they were enough; most steps are on few examples.

    After 2m steps on all examples, only those that a step could move are kept until none of them violates the
    conditions any more; then all are looked at again.
    """
    D, beta, g, n_steps = distance_matrix(kernel, X, cache_size), np.zeros(len(y)), y, 0
    while True:
        run = trace_of(smo.iterates(D, y, C, tol, beta, g), min(2 * len(y), max_iter - n_steps), keep_path=False)
        beta, n_steps = run.last.copy(), n_steps + run.n_steps
        g = y + D.dot(beta) / 2  # y - K beta, up to a constant, since the coefficients sum to zero
        if run.converged or n_steps >= max_iter:
            return beta, y - g + beta @ kernel.diagonal(X) / 2, n_steps, run.converged
        some = movable(beta, g, y, C)
        D_some = distance_matrix(kernel, X[some], cache_size)
        limit = max_iter - n_steps
        run = trace_of(smo.iterates(D_some, y[some], C, tol, beta[some], g[some]), limit, keep_path=False)
        beta[some], n_steps = run.last, n_steps + run.n_steps
        g = y + D.dot(beta) / 2


def solve_without_bias(
    kernel: Kernel, X: np.ndarray, y: np.ndarray, C: float, tol: float, cache_size: float, max_iter: int
) -> tuple[np.ndarray, np.ndarray, int, bool]:
    """Coefficients, scores K beta, steps made, and whether they were enough, for the problem without bias."""
    K = gram_or_rows(kernel, X, cache_size)
    run = trace_of(dual_ascent.iterates(K, kernel.diagonal(X), y, C, tol), max_iter, keep_path=False)
    return run.last, K.dot(run.last), run.n_steps, run.converged


def movable(beta: np.ndarray, g: np.ndarray, y: np.ndarray, C: float) -> np.ndarray:
    """The examples that form a violating pair with some other."""
    low, high = dual_box(y, C)
    rises, falls = beta < high, beta > low
    return np.flatnonzero((rises & (g > g[falls].min())) | (falls & (g < g[rises].max())))


class SVM(InKernelSpace, BinaryClassifier):
    """The soft-margin hyperplane in the feature space of a kernel: minimises (1/2) ||w||^2 + C sum_i xi_i
    subject to y_i (w.phi(x_i) + b) >= 1 - xi_i, xi_i >= 0.

    The same as mean hinge + (lam/2) ||w||^2 with C = 1 / (lam m). Solved in the dual by ``smo``:
    maximise sum_i alpha_i - (1/2) sum_ij alpha_i alpha_j y_i y_j k(x_i, x_j), 0 <= alpha_i <= C, sum_i alpha_i y_i = 0.
    Without ``bias``, b = 0 and the last condition is dropped: ``dual_ascent``.

    Parameters: ``kernel``, a kernel or a function k(x, z) of two points (None: linear). The solver stops when no
    pair of examples (no example, without bias) violates the optimality conditions by more than ``tol``, which makes
    the duality gap at most C m tol, or after ``max_iter`` steps. ``cache_size`` is the memory for the Gram matrix, in
    megabytes; if that is too small, rows of it are computed when needed and the latest are kept.

    Learned: ``alpha_`` (m,), ``support_`` (indices with alpha > 0), ``f_`` (the score without its bias, an
    ``RKHSFunction`` of the support vectors), ``b_`` (the mean over free support vectors, or the middle of the optimal
    interval), ``w_`` (d,) for the linear kernel, ``gap_`` (primal minus dual objective: neither is further from its
    optimum), ``n_iter_``, ``converged_``.

    Guarantee: thm-svm-kkt, thm-smo-gap. Book: svm. Source: Paris (sign of a KKT condition, no free vector).
    """

    _valid = {
        "C": check_positive,
        "bias": check_flag,
        "tol": check_tolerance,
        "cache_size": check_positive,
        "max_iter": check_count,
    }

    def __init__(self, C=1.0, kernel=None, bias=True, tol=1e-3, cache_size=1000, max_iter=10_000_000):
        self.C, self.kernel, self.bias = C, kernel, bias
        self.tol, self.cache_size, self.max_iter = tol, cache_size, max_iter

    def _fit(self, X, y):
        kernel, y = LinearKernel() if self.kernel is None else as_kernel(self.kernel), y.astype(float)
        linear = isinstance(kernel, LinearKernel)
        mean, Z = centred(X) if linear and self.bias else (0.0, X)  # moves the bias only, and rounds less
        solve = shrinking_smo if self.bias else solve_without_bias
        limits = float(self.C), self.tol, self.cache_size, self.max_iter
        beta, scores, self.n_iter_, self.converged_ = solve(kernel, Z, y, *limits)
        self.alpha_, self.support_ = np.abs(beta), np.flatnonzero(beta)
        self.b_ = optimal_bias(self.alpha_, scores, y, self.C) if self.bias else 0.0
        self.gap_ = float(beta @ scores + self.C * hinge(y * (scores + self.b_)).sum() - self.alpha_.sum())
        self.f_ = RKHSFunction(X[self.support_], beta[self.support_], kernel)
        if linear:
            self.w_ = beta @ Z
            self.b_ -= float(self.w_ @ mean) if self.bias else 0.0

    def _score(self, X):
        return (X @ self.w_ if hasattr(self, "w_") else self.f_(X)) + self.b_
