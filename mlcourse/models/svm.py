"""The support vector machine: the widest margin, softened, found in its dual.

Letters
    X, y     sample: m points, labels in {-1, +1}
    C        price of a unit of slack; C = 1 / (lam m) turns the problem into the regularised hinge risk
    alpha    dual variables in [0, C], one for each example; beta_i = y_i alpha_i are the coefficients of the score
    K, D     Gram matrix K_ij = k(x_i, x_j); squared distances D_ij = K_ii + K_jj - 2 K_ij in feature space
    w, b     weights and bias of the score h(x) = sum_j beta_j k(x_j, x) + b (w only for the linear kernel)
"""

import numpy as np

from mlcourse._checks import check_count, check_kernel, check_positive
from mlcourse.base import BinaryClassifier
from mlcourse.losses import hinge
from mlcourse.models.kernels import LinearKernel
from mlcourse.models.svm_dual import optimal_bias, squared_distances
from mlcourse.trace import traced


@traced
def smo(D, y, C, tol=1e-3):
    """The coefficients beta = y alpha after each step of sequential minimal optimisation, starting from zero.

    ``D[i]`` is the i-th row of squared distances in feature space. Since the coefficients sum to zero, these determine
    the gradient g = y - K beta of the dual up to a constant, which no step can see. ``rise`` is g where beta can
    grow and ``fall`` is g where it can shrink; at a solution no entry of ``rise`` exceeds one of ``fall``.
    """
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    beta = np.zeros(len(y))
    g = np.where([beta < high, beta > low], y, [[-np.inf], [np.inf]])
    rise, fall = g
    violation, gain, change = np.empty((3, len(y)))
    yield beta
    while True:
        i = rise.argmax()
        D_i = D[i]
        np.subtract(rise[i], fall, out=violation)
        np.abs(violation, out=gain)  # of the dual: violation^2 / (2 D_i), with the sign of the violation
        gain *= violation
        gain /= D_i
        j = gain.argmax()
        if violation[j] <= tol and violation.max() <= tol:
            return True
        step = min(high[i] - beta[i], beta[j] - low[j], violation[j] / D_i[j])
        beta = beta.copy()
        beta[i] += step
        beta[j] -= step
        np.subtract(D_i, D[j], out=change)
        change *= step / 2
        g += change
        fall[i], rise[j] = rise[i], fall[j]
        if beta[i] >= high[i]:
            rise[i] = -np.inf
        if beta[j] <= low[j]:
            fall[j] = np.inf
        yield beta


class SVM(BinaryClassifier):
    """The soft-margin hyperplane in the feature space of a kernel: minimises (1/2) ||w||^2 + C sum_i xi_i
    subject to y_i (w.phi(x_i) + b) >= 1 - xi_i, xi_i >= 0.

    The same as mean hinge + (lam/2) ||w||^2 with C = 1 / (lam m). Solved in the dual by ``smo``:
    maximise sum_i alpha_i - (1/2) sum_ij alpha_i alpha_j y_i y_j k(x_i, x_j), 0 <= alpha_i <= C, sum_i alpha_i y_i = 0.

    Parameters: ``kernel`` is linear unless given. The solver stops when no pair of examples violates the
    optimality conditions by more than ``tol``, or after ``max_iter`` steps. ``cache_size`` is the memory for the Gram
    matrix, in megabytes; if that is too small, rows of it are computed when needed and the latest are kept.

    Learned: ``alpha_`` (m,), ``support_`` (indices with alpha > 0), ``support_vectors_``, ``b_`` (the mean over free
    support vectors, or the middle of the optimal interval), ``w_`` (d,) for the linear kernel, ``gap_`` (primal minus
    dual objective: the distance to both optima is at most this), ``n_iter_``, ``converged_``.

    Guarantee: thm-svm-duality, thm-svm-kkt. Book: svm. Source: Paris (sign of a KKT condition, no free vector).
    """

    _valid = {
        "C": check_positive,
        "kernel": check_kernel,
        "tol": check_positive,
        "cache_size": check_positive,
        "max_iter": check_count,
    }

    def __init__(self, C=1.0, kernel=None, tol=1e-3, cache_size=1000, max_iter=10_000_000):
        self.C = C
        self.kernel = kernel
        self.tol = tol
        self.cache_size = cache_size
        self.max_iter = max_iter

    def _fit(self, X, y):
        kernel = self.kernel or LinearKernel()
        D = squared_distances(kernel, X, self.cache_size)
        run = smo(D, y.astype(float), self.C, self.tol, max_iter=self.max_iter, keep_path=False)
        beta = run.last
        self.alpha_, self.support_ = np.abs(beta), np.flatnonzero(beta)
        self.n_iter_, self.converged_ = max(1, run.n_steps), run.converged
        scores = (beta @ kernel.diagonal(X) - sum(beta[j] * D[j] for j in self.support_)) / 2  # K beta
        self.b_ = optimal_bias(self.alpha_, scores, y, self.C)
        self.gap_ = float(beta @ scores + self.C * hinge(y * (scores + self.b_)).sum() - self.alpha_.sum())
        self.support_vectors_, self.coefficients_ = X[self.support_], beta[self.support_]
        if isinstance(kernel, LinearKernel):
            self.w_ = self.coefficients_ @ self.support_vectors_

    def _score(self, X):
        if hasattr(self, "w_"):
            return X @ self.w_ + self.b_
        return self.kernel(X, self.support_vectors_) @ self.coefficients_ + self.b_
