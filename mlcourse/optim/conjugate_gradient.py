"""Conjugate gradients: directions that do not undo one another's work.

Letters
    f, w         the function and its argument
    H, b         the quadratic w^T H w / 2 - b.w, with H symmetric and positive definite
    g, g_new     gradients before and after a step
    p, tau       direction and step; beta the part of the last direction that is kept
    tol          stop when the gradient is at most this long
"""

import numpy as np

from mlcourse.arguments.kinds import AnyFunction, NonNegative, Objective, SquareMatrix, Vector
from mlcourse.arguments.numbers import check_one_of
from mlcourse.optim.line_search import strong_wolfe
from mlcourse.trace import Iterates, returns_trace


@returns_trace
def linear_conjugate_gradient(H: SquareMatrix, b: Vector, w: Vector, tol: NonNegative = 1e-10) -> Iterates:
    """Minimisers of w^T H w / 2 - b.w over growing spaces: at most d steps in exact arithmetic."""
    w = np.array(w, dtype=float)
    g = H @ w - b
    p = -g
    yield w
    while np.linalg.norm(g) > tol:
        Hp = H @ p
        tau = g @ g / (p @ Hp)
        w = w + tau * p
        g_new = g + tau * Hp
        p = (g_new @ g_new) / (g @ g) * p - g_new
        g = g_new
        yield w
    return True


def fletcher_reeves(g_new: np.ndarray, g: np.ndarray, p: np.ndarray) -> float:
    """|g_new|^2 / |g|^2."""
    return g_new @ g_new / (g @ g)


def polak_ribiere(g_new: np.ndarray, g: np.ndarray, p: np.ndarray) -> float:
    """g_new.(g_new - g) / |g|^2."""
    return g_new @ (g_new - g) / (g @ g)


def polak_ribiere_plus(g_new: np.ndarray, g: np.ndarray, p: np.ndarray) -> float:
    """Polak and Ribiere's number, or 0 if that is negative."""
    return max(polak_ribiere(g_new, g, p), 0.0)


def hestenes_stiefel(g_new: np.ndarray, g: np.ndarray, p: np.ndarray) -> float:
    """g_new.(g_new - g) / p.(g_new - g)."""
    return g_new @ (g_new - g) / (p @ (g_new - g))


BETA = {"FR": fletcher_reeves, "PR": polak_ribiere, "PR+": polak_ribiere_plus, "HS": hestenes_stiefel}


@returns_trace
def conjugate_gradient(
    f: Objective, w: Vector, beta: str = "PR+", search: AnyFunction = strong_wolfe, tol: NonNegative = 1e-6
) -> Iterates:
    """Descent along p = beta p - gradient, with beta by FR, PR, PR+ or HS; straight down if p does not descend."""
    kept = BETA[check_one_of(*BETA)("beta", beta)]
    here, tau = f.at(w), 1.0
    p = -here.gradient
    yield here.w
    while np.linalg.norm(here.gradient) > tol:
        if not here.gradient @ p < 0:
            p = -here.gradient
        phi = here.along(p)
        tau = search(phi, tau)
        if tau is None:
            return False
        there = phi.at(tau)
        p = kept(there.gradient, here.gradient, p) * p - there.gradient
        here = there
        yield here.w
    return True
