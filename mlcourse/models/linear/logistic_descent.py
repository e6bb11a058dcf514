"""Logistic regression by conjugate gradients, written out: the risk, its gradient, a direction and a step.

The estimator runs the same algorithm for any smooth risk, in better coordinates: ``logistic_regression``.

Letters
    X, y     sample: m points of R^d, labels in {-1, +1}; Z the flipped points y_i x_i
    w, z     weights, and the margins Z w
    g, p     gradient and direction; rise = Z p is what the margins gain along p
    tau      step along p; phi(tau) the risk at w + tau p and its slope there
    lam      strength of the penalty (lam/2) ||w||^2
"""

import numpy as np
from scipy.special import expit

from mlcourse.arguments.kinds import NonNegative, Points, Signs
from mlcourse.optim.line_search import strong_wolfe
from mlcourse.trace import Iterates, returns_trace


@returns_trace
def logistic_conjugate_gradient(X: Points, y: Signs, lam: NonNegative = 0.0, tol: NonNegative = 1e-6) -> Iterates:
    """Weights on the way to the minimum of mean ln(1 + e^{-y w.x}) + (lam/2) ||w||^2, starting from zero."""
    Z, w, tau = y[:, None] * X, np.zeros(X.shape[1]), 1.0
    z = Z @ w

    def gradient():
        return lam * w - Z.T @ expit(-z) / len(y)

    def phi(tau):
        w_there, z_there = w + tau * p, z + tau * rise
        risk = np.logaddexp(0.0, -z_there).mean() + lam / 2 * (w_there @ w_there)
        return risk, lam * (w_there @ p) - expit(-z_there) @ rise / len(y)

    g = gradient()
    p = -g
    yield w
    while np.linalg.norm(g) > tol:
        if not g @ p < 0:
            p = -g
        rise = Z @ p
        step = strong_wolfe(phi, tau)
        if step is None:
            return False
        tau = step
        w, z, g_before = w + tau * p, z + tau * rise, g
        g = gradient()
        beta = g @ (g - g_before) / (g_before @ g_before)
        p = max(beta, 0.0) * p - g
        yield w
    return True
