"""Answers to the homework on optimisation, right and wrong."""

import math

import numpy as np
from planting import in_lists, told


def verdict(
    armijo=lambda v, line: v <= line,
    curvature=lambda s, c, s0: s >= c * s0,
    strong=lambda s, c, s0: abs(s) <= c * abs(s0),
    line=lambda v0, c1, tau, s0: v0 + c1 * tau * s0,
):
    def answer(phi, tau, c1, c2):
        (v0, s0), (v, s) = phi(0.0), phi(tau)
        return armijo(v, line(v0, c1, tau, s0)), curvature(s, c2, s0), strong(s, c2, s0)

    return answer


def interval(low, high, strong):
    return lambda a, b, c1, c2: [end(c1, c2) * -a / b for end in (low, high, strong)]


def low(c1, c2):
    return 1 - c2


def high(c1, c2):
    return 2 * (1 - c1)


def both(c1, c2):
    return min(high(c1, c2), 1 + c2)


def descend(
    step=None, stop=None, accept=lambda new, old, decrease: new <= old - 1e-4 * decrease, length=np.linalg.norm
):
    """Gradient descent with halved or given steps, until the gradient is short or ``stop(f(w), tol)``."""

    def answer(f, gradient, w, tol):
        for t in range(10**7):
            g = gradient(w)
            if stop(f(w), tol) if stop else length(g) <= tol:
                return w
            tau = step(t) if step else 1.0
            while not step and not accept(f(w - tau * g), f(w), tau * (g @ g)):
                tau /= 2
            w = w - tau * g

    return answer


def descend_by_slopes(good):
    """Halves until ``good(new gradient, gradient)``, without a value of f."""

    def answer(f, gradient, w, tol):
        while np.linalg.norm(g := gradient(w)) > tol:
            tau = 1.0
            while not good(gradient(w - tau * g), g):
                tau /= 2
            w = w - tau * g
        return w

    return answer


def descend_not_squared(f, gradient, w, tol):
    while (length := np.linalg.norm(g := gradient(w))) > tol:
        tau = 1.0
        while not f(w - tau * g) <= f(w) - 1e-4 * tau * length:
            tau /= 2
        w = w - tau * g
    return w


def descend_with_memory(f, gradient, w, tol):
    """Keeps the last step, doubled, as the next first trial; lists and float32 at the end."""
    value, g, tau = f(w), gradient(w), 0.5
    while g @ g > tol**2:
        tau *= 2
        while True:
            trial = w - tau * g
            new = f(trial)
            if new <= value - 0.1 * tau * g @ g:
                break
            tau /= 3
        w, value = trial, new
        g = gradient(w)
    return [float(np.float32(part)) for part in w]


def descend_as_printed(f, gradient, w, tol):
    """The loop of the C program, with a line search that is right."""
    new = f(w)
    old = new + 2 * tol
    while abs(old - new) > abs(old) * tol:
        w = descend_once(f, gradient, w)
        old, new = new, f(w)
    return w


def descend_once(f, gradient, w):
    g, tau = gradient(w), 1.0
    while not f(w - tau * g) <= f(w) - 1e-4 * tau * (g @ g):
        tau /= 2
    return w - tau * g


def descend_by_change(f, gradient, w, tol):
    while True:
        new = descend_once(f, gradient, w)
        if f(w) - f(new) <= tol:
            return new
        w = new


def descend_in_place(f, gradient, w, tol):
    while np.linalg.norm(gradient(w)) > tol:
        w += descend_once(f, gradient, w) - w
    return w


def chebyshev(n):
    return np.cos((np.arange(n) + 0.5) * np.pi / n)


def steps(roots):
    return lambda mu, L, n: [1 / ((L + mu) / 2 + (L - mu) / 2 * x) for x in roots(n)]


def extremes(combine):
    """A start made from the eigenvalues and eigenvectors of H."""

    def answer(H):
        lam, V = np.linalg.eigh(H)
        return combine(lam, V)

    return answer


def worst_by_solving(H):
    V = np.linalg.svd(H)[0]
    return np.linalg.solve(H, V[:, 0] - V[:, -1]).astype(np.float32)


def worst_as_list(H):
    lam, V = np.linalg.eig(H)
    i, j = int(np.argmin(lam.real)), int(np.argmax(lam.real))
    return [-7 * (lam[j] * V[k, i] + lam[i] * V[k, j]).real for k in range(len(H))]


def beta_by_solving(g_new, g, p):
    """The zero of an affine function of beta, from its values at 0 and 1."""
    zero, one = (g_new @ (b * p - g_new) - b * (g @ p) for b in (0.0, 1.0))
    return np.float32(zero / (zero - one))


def newton(by_m=(1, 1), lam_in=(1, 1), sign=-1.0, finish=np.linalg.solve, weight=lambda s: s * (1 - s), label=True):
    """Newton's step with parts that can be spoilt: by_m and lam_in are about the gradient and the Hessian."""

    def answer(w, X, y, lam):
        s = 1 / (1 + np.exp(y * (X @ w)))
        slope, curve = -X.T @ ((y if label else 1) * s), (X.T * weight(s)) @ X
        g = slope / (len(y) if by_m[0] else 1) + lam_in[0] * lam * w
        H = curve / (len(y) if by_m[1] else 1) + lam_in[1] * lam * np.eye(len(w))
        return sign * finish(H, g)

    return answer


RIGHT = {
    "q1": [
        verdict(),
        lambda *given: [*map(int, verdict()(*given))],
        lambda phi, tau, c1, c2: np.array(verdict()(phi, tau, c1, c2)),
    ],
    "q2": [
        interval(low, high, both),
        lambda a, b, c1, c2: np.float32(
            [(c2 - 1) * a / b, 2 * (c1 - 1) * a / b, np.minimum(2 - 2 * c1, 1 + c2) * -a / b]
        ),
    ],
    "q3": [
        descend(),
        descend_with_memory,
        descend(accept=lambda new, old, decrease: new <= old - 0.4 * decrease),
        descend(accept=lambda new, old, decrease: new <= old - 1e-5 * decrease),
        descend(length=lambda g: np.abs(g).sum()),
    ],
    "q4": [
        lambda L, c1: np.maximum(0.0, np.ceil(np.log(L / (2 - 2 * c1)) / np.log(2))),
        lambda L, c1: next(n for n in range(99) if 2.0**-n <= 2 * (1 - c1) / L),
    ],
    "q5": [
        steps(chebyshev),
        lambda mu, L, n: (2 / (L + mu - (L - mu) * chebyshev(n))).astype(np.float32),
        lambda mu, L, n: 2 / (mu + L) if n == 1 else steps(chebyshev)(mu, L, n)[::-1],
    ],
    "q6": [worst_by_solving, worst_as_list, extremes(lambda lam, V: 1e6 * (V[:, -1] / lam[-1] - V[:, 0] / lam[0]))],
    "q7": [
        lambda lam, b: len(np.unique(lam[b != 0])),
        lambda lam, b: np.float64(len(set(lam[np.abs(b) > 0]))),
        lambda lam, b: np.linalg.matrix_rank(np.array([b * lam**k for k in range(len(b))])),
    ],
    "q8": [lambda g_new, g, p: sum(g_new**2) / (np.dot(g_new, p) - np.dot(g, p)), beta_by_solving],
    "q9": [newton(), in_lists(newton()), lambda *a: newton()(*a).astype(np.float32)],
}
WRONG = {
    "q1": [
        (verdict(armijo=lambda v, line: v < line), "Armijo condition is met, you say that it is not. Equality counts"),
        (verdict(curvature=lambda s, c, s0: s > c * s0), "you say that it is not. Equality counts"),
        (verdict(strong=lambda s, c, s0: abs(s) < c * abs(s0)), "you say that it is not. Equality counts"),
        (verdict(curvature=lambda s, c, s0: s <= c * s0), "the curvature condition is met"),
        (verdict(strong=lambda s, c, s0: s <= c * abs(s0)), "the strong condition is not met"),
        (verdict(strong=lambda s, c, s0: abs(s) <= c * s0), "the strong condition is met"),
        (verdict(line=lambda v0, c1, tau, s0: v0 + c1 * s0), "the Armijo condition"),
        (verdict(line=lambda v0, c1, tau, s0: v0 - c1 * tau * s0), "the Armijo condition is not met"),
        (verdict(line=lambda v0, c1, tau, s0: v0), "the Armijo condition is not met"),
        (verdict(line=lambda v0, c1, tau, s0: c1 * tau * s0), "the Armijo condition is met"),
        (lambda phi, tau, c1, c2: verdict()(phi, tau, c2, c1), "condition"),
        (lambda phi, tau, c1, c2: verdict()(phi, tau, c1, c2)[:2], "shape (2,)"),
        (lambda phi, tau, c1, c2: phi(tau) + (0.5,), "True or False"),
    ],
    "q2": [
        (interval(low, lambda c1, c2: 1 - c1, both), "a Wolfe step is left out"),
        (interval(low, lambda c1, c2: 2 - c1, both), "the Armijo condition fails"),
        (interval(low, high, lambda c1, c2: 1 + c2), "the Armijo condition fails"),
        (interval(low, high, high), "the strong curvature condition fails"),
        *told("Wolfe step", interval(lambda c1, c2: c2, high, both), lambda a, b, c1, c2: (0.5, 1.5, 1.5)),
        (interval(lambda c1, c2: 0.0, high, both), "the curvature condition fails"),
        (interval(lambda c1, c2: 1.0, high, both), "a Wolfe step is left out"),
        (interval(lambda c1, c2: 1 - c1, high, both), "a Wolfe step is left out"),
        (lambda a, b, c1, c2: ((1 - c2) * a / b, 2 * (1 - c1) * a / b, both(c1, c2) * a / b), "left out"),
        (lambda a, b, c1, c2: (1 - c2, 2 * (1 - c1), both(c1, c2)), "Wolfe step"),
        (lambda a, b, c1, c2: ((1 - c2) * -a / b, math.inf, math.inf), "finite"),
    ],
    "q3": [
        *told("flew away", descend(step=lambda t: 1 / (1 + t)), descend(accept=lambda new, old, decrease: True)),
        (descend(step=lambda t: 0.1), "flew away"),
        (descend(step=lambda t: 1e-3), "never asked for a value of f"),
        (descend(accept=lambda new, old, decrease: not new > old - 1e-4 * decrease), "flew away"),
        (descend(stop=lambda value, tol: value <= tol), "evaluations were not enough"),
        *told("you returned the start", descend_as_printed, lambda f, gradient, w, tol: w),
        (descend_by_change, "Stop by its length"),
        (descend(accept=lambda new, old, decrease: new <= old), "Does every step satisfy Armijo"),
        (descend(accept=lambda new, old, decrease: new < old), "Does every step satisfy Armijo"),
        (descend(accept=lambda new, old, decrease: new <= old + 1e-4 * decrease), "Does every step satisfy Armijo"),
        (descend_not_squared, "with the square of |g|"),
        (descend(length=lambda g: np.abs(g).max()), "the root of the sum of squares"),
        (descend(length=lambda g: np.sqrt(np.mean(g**2))), "the root of the sum of squares"),
        (descend_by_slopes(lambda new, old: np.linalg.norm(new) < np.linalg.norm(old)), "never asked for a value of f"),
        (descend_by_slopes(lambda new, old: new @ old >= 0), "never asked for a value of f"),
        (descend_in_place, "changes its argument w"),
        (lambda f, gradient, w, tol: descend_once(f, gradient, w), "the gradient at your point is too long"),
        (lambda f, gradient, w, tol: 0 * w, "the gradient at your point is too long"),
        (lambda f, gradient, w, tol: f(descend()(f, gradient, w, tol)), "shape"),
    ],
    "q4": [
        (lambda L, c1: math.floor(math.log2(L / (2 * (1 - c1)))) + 1, "not the best bound"),
        (lambda L, c1: math.ceil(math.log2(L / (2 * (1 - c1)))), "not negative"),
        (lambda L, c1: max(0, math.ceil(math.log2(L / (1 - c1)))), "not the best bound"),
        (lambda L, c1: max(0, math.floor(math.log2(L / (2 * (1 - c1))))), "some function needs more"),
        (lambda L, c1: max(0, math.ceil(math.log2(L / 2))), "some function needs more"),
        (lambda L, c1: max(0, math.ceil(math.log(L / (2 * (1 - c1))))), "some function needs more"),
        (lambda L, c1: max(0, math.log2(L / (2 * (1 - c1)))), "whole number"),
        (lambda L, c1: math.ceil(L / (2 * (1 - c1))), "not the best bound"),
        (lambda L, c1: max(0, math.ceil(math.log2(L / (2 * c1)))), "some function needs more"),
    ],
    "q5": [
        (lambda mu, L, n: np.full(n, 2 / (mu + L)), "no better than 2 times the best constant step"),
        *told("other steps do better", lambda mu, L, n: np.full(n, 1 / (2 * L)), lambda mu, L, n: np.full(n, 1 / L)),
        *told("may be as large as before", lambda mu, L, n: np.full(n, 2 / L), lambda mu, L, n: np.full(n, 1 / mu)),
        (lambda mu, L, n: 1 / np.linspace(mu, L, n + 2)[1:-1], "other steps do better"),
        (steps(lambda n: np.cos(np.arange(1, n + 1) * np.pi / (n + 1))), "other steps do better"),
        (lambda mu, L, n: 1.01 * np.array(steps(chebyshev)(mu, L, n)), "other steps do better"),
        (lambda mu, L, n: -2 / (mu + L - (L - mu) * chebyshev(n)), "may be as large as before"),
        (lambda mu, L, n: (L + mu) / 2 + (L - mu) / 2 * chebyshev(n), "may be as large as before"),
        (lambda mu, L, n: 2 / (mu + L), "shape"),
        (lambda mu, L, n: np.full(n, math.nan), "finite"),
    ],
    "q6": [
        *told("there are worse starts", extremes(lambda lam, V: V[:, 0] + V[:, -1]), lambda H: np.ones(len(H))),
        *told("an eigenvector", extremes(lambda lam, V: V[:, 0]), extremes(lambda lam, V: V[:, -1])),
        *told("there are worse starts", extremes(lambda lam, V: V[0] / lam[0] + V[-1] / lam[-1]), lambda H: np.ones(2)),
        (extremes(lambda lam, V: V @ (1 / lam)), "there are worse starts"),
        (extremes(lambda lam, V: lam[0] * V[:, 0] + lam[-1] * V[:, -1]), "there are worse starts"),
        (extremes(lambda lam, V: V[:, 0] / np.sqrt(lam[0]) + V[:, -1] / np.sqrt(lam[-1])), "there are worse starts"),
        (extremes(lambda lam, V: 0 * lam), "not zero"),
        (extremes(lambda lam, V: np.r_[1 / lam[0], np.zeros(len(lam) - 2), 1 / lam[-1]]), "worse starts"),
    ],
    "q7": [
        *told("the number of steps is not right", lambda lam, b: len(lam), lambda lam, b: len(set(lam[b > 0]))),
        (lambda lam, b: len(set(lam)), "never seen"),
        (lambda lam, b: np.count_nonzero(b), "share one zero"),
        *told("the number of steps is not right", lambda lam, b: len(set(lam[b != 0])) + 1, lambda lam, b: len(set(b))),
        (lambda lam, b: len(set(lam * b)), "the number of steps is not right"),
        (lambda lam, b: set(lam[b != 0]), "should be a number"),
        (lambda lam, b: len(set(lam.astype(int)[b != 0])), "the number of steps is not right"),
        (lambda lam, b: len(set(lam[np.abs(b) >= 1])), "the number of steps is not right"),
    ],
    "q8": [
        (lambda g_new, g, p: g_new @ g_new / (g @ g), "Fletcher and Reeves'"),
        (lambda g_new, g, p: g_new @ (g_new - g) / (g @ g), "Polak and Ribière's"),
        (lambda g_new, g, p: g_new @ (g_new - g) / (p @ (g_new - g)), "Hestenes and Stiefel's"),
        (lambda g_new, g, p: g_new @ g_new / (p @ (g - g_new)), "does not even descend"),
        (lambda g_new, g, p: g_new @ g_new / (p @ (g_new + g)), "not beta times"),
        (lambda g_new, g, p: -(g_new @ g_new) / (g @ p), "not beta times"),
        *told("not beta times", lambda g_new, g, p: np.linalg.norm(g_new) / (p @ (g_new - g)), lambda g_new, g, p: 0.0),
        (lambda g_new, g, p: g_new / p, "should be a number"),
    ],
    "q9": [
        *told("the sign is turned", newton(sign=1.0), newton(label=False)),
        (newton(by_m=(1, 0)), "1/m is missing in the Hessian"),
        (newton(by_m=(0, 1)), "1/m is missing in the gradient"),
        (newton(by_m=(0, 0)), "1/m is missing; with a penalty"),
        (newton(lam_in=(1, 0)), "lam is missing in the Hessian"),
        (newton(lam_in=(0, 1)), "lam w is missing in the gradient"),
        (newton(lam_in=(0, 0)), "is missing"),
        *told("the step is not right", newton(lam_in=(2, 2)), newton(weight=lambda s: s)),
        (newton(finish=lambda H, g: g), "negative gradient"),
        *told("the step is not right", newton(finish=lambda H, g: g / np.diag(H)), newton(finish=lambda H, g: H @ g)),
        (lambda w, X, y, lam: w + newton()(w, X, y, lam), "the new point"),
    ],
}
