"""Logistic regression: probabilities from a linear score.

Letters
    X, y    sample: m points of R^d, labels in {-1, +1}
    w, b    weights and bias: P(y = 1 | x) = sigma(w.x + b) with sigma(z) = 1 / (1 + e^-z)
    z       margins y_i (w.x_i + b)
    lam     strength of the penalty (lam/2) ||w||^2; the bias is not penalised
    H, A    the Hessian at zero, and axes in which it is the identity
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lstsq
from scipy.special import expit

from mlcourse.arguments.door import at_the_door
from mlcourse.arguments.errors import SeparableWarning, warn_user
from mlcourse.arguments.kinds import Count, Positive, Seed, SquareMatrix, StochasticRisk, checks_arguments
from mlcourse.arguments.numbers import check_count, check_flag, check_non_negative, check_one_of, check_positive
from mlcourse.base import BinaryClassifier
from mlcourse.losses.margin import logistic
from mlcourse.models.linear.linear_separation import augmented, separating_direction, weights_and_bias
from mlcourse.optim.conjugate_gradient import conjugate_gradient
from mlcourse.optim.gradient import line_search_descent, newton
from mlcourse.optim.line_search import backtracking
from mlcourse.optim.moments import centred, second_moments, unit_diagonal, weighted_moments
from mlcourse.optim.objective import ChangedBasis, LinearRisk
from mlcourse.optim.stochastic import shuffled_passes, stochastic_gradient_descent
from mlcourse.trace import Trace, trace_of


def far_means(X: np.ndarray) -> np.ndarray:
    """The means of the features that lie far from zero compared with their spread, zero for the others."""
    mean, rest = centred(X[:: 1 + len(X) // 1000])
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(np.abs(mean) > 100 * np.sqrt((rest**2).mean(axis=0)), mean, 0.0)


@checks_arguments
def whitening(H: SquareMatrix, floor: Positive = 1e-12) -> np.ndarray:
    """Axes A (d, r) with A^T H A = I, where r is the numerical rank of H: its null space has no axis."""
    H, scale = unit_diagonal(H)
    eigenvalues, V = np.linalg.eigh(H)
    kept = eigenvalues > floor * eigenvalues[-1]
    return V[:, kept] / scale[:, None] / np.sqrt(eigenvalues[kept])


def minimise(risk: LinearRisk, method: Callable, tol: float, max_iter: int) -> Trace:
    """Run CG or Newton's method on a logistic risk in coordinates that make its Hessian at zero the identity."""
    A = whitening(second_moments(risk.X, risk.bias) / (4 * len(risk.y)) + np.diag(risk.penalty))
    run = trace_of(method(ChangedBasis(risk, A), np.zeros(A.shape[1]), tol=tol), max_iter, keep_path=False)
    return Trace([A @ run.last], run.n_steps, run.converged)


def logistic_cg(risk: LinearRisk, tol: float = 1e-6, max_iter: int = 1000) -> Trace:
    """The minimiser of a logistic risk by conjugate gradients."""
    return minimise(risk, conjugate_gradient.iterates, tol, max_iter)


def logistic_newton(risk: LinearRisk, tol: float = 1e-6, max_iter: int = 100) -> Trace:
    """The minimiser of a logistic risk by Newton's method with backtracking."""
    method = partial(line_search_descent.iterates, direction=newton, search=backtracking)
    return minimise(risk, method, tol, max_iter)


@checks_arguments
def logistic_sgd(risk: StochasticRisk, tau: Positive, passes: Count, rng: Seed) -> Trace:
    """Shuffled passes over the sample, one example a step; in pass k = 0, 1, ... the step is tau / (1 + k)."""
    m = len(risk.y)
    steps = (tau / (1 + k) for k in range(passes) for _ in range(m))
    batches = shuffled_passes(m, passes=passes, rng=rng)
    return stochastic_gradient_descent(risk.batch_gradient, np.zeros(risk.d), steps, batches, keep_path=False)


def check_step_size(risk: LinearRisk, tau: float) -> None:
    """Refuse features whose squares overflow, and steps with which the penalty alone diverges."""
    second_moments(risk.X)
    if float(tau) * risk.penalty.max() >= 2:
        raise ValueError(f"the steps diverge: tau = {tau:g} must be below 2 / lam = {2 / risk.penalty.max():g}")


def likelihood_has_maximum(risk: LinearRisk, w: np.ndarray) -> bool:
    """Do finite weights minimise an unpenalised logistic risk? Proved by a Newton step at w, else a linear programme.

    The step is taken with the Hessian of some of the examples first, then of all that are not certain; they must
    span the same space as all examples do.
    """
    here, m = risk.at(w), len(risk.y)
    gradient = here.gradient
    uncertain = np.flatnonzero(here.z < 30)
    for rows in (uncertain[:: 1 + m // (100 * risk.d)], uncertain):
        some, z = risk.part(rows), here.z[rows]
        H = weighted_moments(some.X, np.asarray(logistic.curvature(z)), risk.bias) / m
        s, rank = newton_step(H, gradient)
        spanning = rank == risk.d or rank == newton_step(second_moments(risk.X, risk.bias), gradient)[1]
        if spanning and (expit(z) * some.y * some.scores(s) < 0.9).all():  # not by rounding
            return True
    points = augmented(centred(risk.X)[1]) if risk.bias else risk.X
    return separating_direction(points, risk.y) is None


def newton_step(H: np.ndarray, gradient: np.ndarray) -> tuple[np.ndarray, int]:
    """The shortest s with H s = -gradient, and the rank of H, in units in which H has a unit diagonal."""
    H, scale = unit_diagonal(H)
    s, _, rank, _ = lstsq(H, -gradient / scale, cond=1e-10)
    return s / scale, rank


class LogisticRegression(BinaryClassifier):
    """The linear log-odds of least logistic risk: minimises mean ln(1 + e^{-y (w.x + b)}) + (lam/2) ||w||^2.

    With lam = 0 these are the weights of maximum likelihood. They do not exist if some hyperplane separates the
    classes, even weakly; ``fit`` then gives a ``SeparableWarning``, ``separable_`` is True, and the weights are
    those at which the solver stopped.

    Parameters: ``solver`` is "cg", "newton" or "sgd". The first two stop after ``max_iter`` steps or when the
    gradient, in axes that make the Hessian at zero the identity, is at most ``tol`` long. "sgd" makes ``max_iter``
    shuffled passes with step ``tau`` / (1 + number of passes made).

    Learned: ``w_`` (d,), ``b_``, ``n_iter_``, ``converged_``, ``separable_``.

    Guarantee: thm-mle-exists, thm-certificate. Book: logistic-regression.
    Source: Amini, Kondor (separable case, index of the loop and intercept added).
    """

    _valid = {
        "lam": check_non_negative,
        "solver": check_one_of("cg", "newton", "sgd"),
        "bias": check_flag,
        "tol": check_positive,
        "max_iter": check_count,
        "tau": check_positive,
    }

    def __init__(self, lam=0.0, solver="cg", bias=True, tol=1e-6, max_iter=1000, tau=0.1, random_state=None):
        self.lam, self.solver, self.bias = lam, solver, bias
        self.tol, self.max_iter = tol, max_iter
        self.tau, self.random_state = tau, random_state

    def _fit(self, X, y):
        shift = far_means(X) if self.bias else 0.0
        risk = LinearRisk(logistic, X - shift if np.any(shift) else X, y, self.lam, self.bias)
        if self.solver == "sgd":
            check_step_size(risk, self.tau)
            run = logistic_sgd(risk, float(self.tau), self.max_iter, self.random_state)
        else:
            solve = logistic_cg if self.solver == "cg" else logistic_newton
            run = solve(risk, self.tol, self.max_iter)
        self.w_, b = weights_and_bias(run.last, self.bias)
        self.b_ = b - np.sum(shift * self.w_)
        self.n_iter_, self.converged_ = run.n_steps, run.converged
        self.separable_ = self.lam == 0 and not likelihood_has_maximum(risk, run.last)
        if self.separable_:
            message = "some hyperplane separates the classes: no weights maximise the likelihood; use lam > 0"
            warn_user(message, SeparableWarning)

    def _score(self, X):
        return X @ self.w_ + self.b_

    @at_the_door
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """The (n, 2) matrix of class probabilities, columns in the order of ``classes_``."""
        score = self.decision_function(X)
        return np.column_stack([expit(-score), expit(score)])
