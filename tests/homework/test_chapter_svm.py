"""The checks of the exercises on support vector machines accept right answers and explain planted wrong ones."""

import numpy as np
from planting import planted_tests, told, with_faults

from mlcourse.losses import hinge
from mlcourse.models.kernels.pegasos import pegasos
from mlcourse.models.kernels.svm_dual import kkt_residuals
from mlcourse_homework.chapters import svm as ex

CROSS = np.array([[0, 0], [1, 1], [0, 1], [1, 0.5]])


def signed(alpha, b, K, y):
    return y * (K @ (alpha * y) + b)


def as_printed(alpha, b, K, y, C):
    """The list with y f - 1 + xi <= 0."""
    z = signed(alpha, b, K, y)
    return np.maximum.reduce([z - 1 + hinge(z), alpha * np.abs(z - 1 + hinge(z)), -alpha, alpha - C])


def milan(alpha, b, K, y, C):
    """alpha != 0 iff the loss is positive."""
    return ((alpha > 0) != (hinge(signed(alpha, b, K, y)) > 1e-9)).astype(float)


def no_box(alpha, b, K, y, C):
    z = signed(alpha, b, K, y)
    return np.where(alpha < C, np.maximum(1 - z, 0), 0) + np.where(alpha > 0, np.maximum(z - 1, 0), 0)


@with_faults
def stepper(beta, i, j, K, y, C, *, clip=True, factor=1.0, own_box=True):
    g = y - K @ beta
    above = (max(0, C * y[i]) if own_box else C) - beta[i]
    below = beta[j] - (min(0, C * y[j]) if own_box else -C)
    D = K[i, i] + K[j, j] - 2 * K[i, j]
    s = factor * (g[i] - g[j]) / D if D > 0 else 1e9
    s = min(above, below, s) if clip else s
    beta = beta.copy()
    beta[i] += s
    beta[j] -= s
    return beta


@with_faults
def my_pegasos(X, y, lam, draws, *, first=1, kink=1.0, sign=1):
    path = [np.zeros(X.shape[1])]
    for t, i in enumerate(draws, start=first):
        w = path[-1]
        v = sign * y[i] * X[i] * (y[i] * (X[i] @ w) < kink)
        path.append((1 - 1 / t) * w + v / (lam * t))
    return path


RIGHT = {
    ex.residuals: [kkt_residuals, lambda *a: 7 * kkt_residuals(*a)],
    ex.step: [stepper],
    ex.my_pegasos: [my_pegasos, lambda X, y, lam, draws: pegasos(X, y, lam, [[i] for i in draws]).path],
    ex.nobody_free: [
        (CROSS, [1, 1, -1, -1], 0.1),
        (10 * CROSS.repeat(2, axis=0) + np.tile([[0, 0], [0.1, 0]], (4, 1)), np.repeat([1, 1, -1, -1], 2), 1e-4),
    ],
}
WRONG = {
    ex.residuals: [
        *told("which is allowed", as_printed, milan),
        (no_box, "alpha < 0"),
        *told("negative", lambda *a: -kkt_residuals(*a), lambda *a: kkt_residuals(*a) - 1),
        (lambda *a: np.zeros(30), "violates"),
        (lambda *a: kkt_residuals(*a).max(), "shape (30,)"),
        (lambda alpha, b: alpha, "raised TypeError"),
    ],
    ex.step: [
        *told("outside its interval", stepper(clip=False), stepper(own_box=False)),
        *told("the best step is", stepper(factor=0.5), stepper(factor=2.0), lambda beta, i, j, K, y, C: beta),
        (lambda beta, i, j, K, y, C: beta + 0.01, "only entries"),
        (lambda beta, i, j, K, y, C: beta + 1e-3 * np.eye(8)[i], "the sum of beta"),
        (lambda beta, i, j, K, y, C: (beta[i], beta[j]), "shape (8,)"),
    ],
    ex.my_pegasos: [
        *told("after step t = 1", my_pegasos(first=2), lambda X, y, lam, draws: my_pegasos(X, y, 2 * lam, draws)),
        (my_pegasos(kink=0.0), "signed score"),
        (my_pegasos(sign=-1), "after step t = 1"),
        (lambda X, y, lam, draws: my_pegasos(X, y, lam, draws)[1:], "shape (41, 2)"),
        (lambda X, y, lam, draws: [w + 1 for w in my_pegasos(X, y, lam, draws)], "w_1 should be zero"),
    ],
    ex.nobody_free: [
        ((CROSS, [1, 1, -1, -1], 100.0), "is free"),
        ((CROSS[:3], [1, 1, -1], 0.1), "m >= 4"),
        ((CROSS, [1, 1, 0, 0], 0.1), "labels"),
        ((CROSS, [1, 1, -1], 0.1), "one label for each"),
        ((CROSS[[0, 1, 2, 2]], [1, 1, -1, -1], 0.1), "different"),
        ((CROSS, [1, -1, 1, -1], 0.1), "separates"),
        ((CROSS, [1, 1, -1, -1], -1.0), "positive"),
        ((CROSS, [1, 1, -1, -1], "small"), "C should be a number"),
        ((CROSS, [1, 1, -1, -1], 1e10), "smaller C"),
        ((CROSS, [1, 1, -1, -1]), "3 things"),
        (([[0, 0], [1, 1], [0, 1], [1, 0.5], [3, 3]], [1, 1, -1, -1, 1], 0.1), "free"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
