"""Answers to the homework on the perceptron, right and wrong."""

import math

import numpy as np
from planting import in_float32, told, with_faults
from scipy.optimize import linprog, nnls


def two_passes(X, y):
    w, n = np.zeros(X.shape[1]), 0
    for x_i, y_i in 2 * list(zip(X, y, strict=True)):
        if y_i * (w @ x_i) <= 0:
            w, n = w + y_i * x_i, n + 1
    return w, n


def if_it_separates(w, X, y):
    return w if (y * (X @ w) > 0).all() else None


def update_by_loop(w, x, y, tau):
    score = sum(a * b for a, b in zip(w, x, strict=True))
    return [a + tau * y * b for a, b in zip(w, x, strict=True)] if score * y <= 0 else list(w)


def step(test, move=1.0):
    return lambda w, x, y, tau: w + move * tau * y * x if test(y * (w @ x)) else w


def careless(w, x, y, tau):
    if y * (w @ x) <= 0:
        w += tau * y * x
    return w


@with_faults
def train_with(X, y, *, test=lambda z: z <= 0, update=1.0, count=1, passes=10**6, start=0.0):
    w, n = np.full(X.shape[1], start), 0
    for _ in range(passes):
        clean = True
        for x_i, y_i in zip(X, y, strict=True):
            if test(y_i * (w @ x_i)):
                w, n, clean = w + update * y_i * x_i, n + count, False
        if clean:
            break
    return w, n


def slow_with_signs(d):
    y = np.where(np.arange(d) % 2 == 0, 1, -1)
    return (y[:, None] * (np.eye(d) - np.tri(d, k=-1))).astype(int), y


@with_faults
def by_program(X, y, *, target=1.0, bounds=(None, None)):
    A, b = -y[:, None] * X, np.full(len(y), -target)
    program = linprog(np.zeros(X.shape[1]), A_ub=A, b_ub=b, bounds=bounds)
    return program.x if program.status == 0 else None


def by_slack(X, y):
    """The largest margin in the box |w_j| <= 1, as a list."""
    m, d = X.shape
    A = np.column_stack([-y[:, None] * X, np.ones(m)])
    program = linprog(-np.eye(d + 1)[-1], A_ub=A, b_ub=np.zeros(m), bounds=[(-1, 1)] * d + [(None, 1)])
    return list(program.x[:-1]) if program.x[-1] > 1e-7 else None


def by_hull(X, y):
    """Gordan: separable exactly if zero is not in the convex hull of the points y x."""
    Z = y[:, None] * X
    A = np.vstack([Z.T, np.ones(len(Z))])
    e = np.append(np.zeros(X.shape[1]), 1.0)
    residual = A @ nnls(A, e)[0] - e
    return residual[:-1].astype(np.float32) * 1e3 if np.linalg.norm(residual) > 1e-7 else None


def by_passes(X, y):
    w = train_with(passes=1000)(X, y)[0]
    return w if (y * (X @ w) > 0).all() else w


LINE = np.array([[1.0], [-1.0]])
RIGHT = {
    "q1": [
        update_by_loop,
        lambda w, x, y, tau: np.where(y * np.dot(w, x) > 0, w, w + tau * (y * x)),
        lambda w, x, y, tau: (w + tau * y * x * (y * (x @ w) <= 0)).astype(np.float32),
    ],
    "q2": [
        lambda t, R: R * t * R,
        lambda t, R: np.float64(sum(R * R for _ in range(t))),
        lambda t, R: np.array((math.sqrt(t) * R) ** 2),
        lambda t, R: np.float32(t) * np.float32(R) ** 2,
    ],
    "q3": [lambda t, rho: sum([rho] * t), lambda t, rho: np.array(rho * t), lambda t, rho: np.float32(t * rho)],
    "q4": [
        lambda R, rho: (R / rho) ** 2 // 1,
        lambda R, rho: np.floor(R * R / rho / rho),
        lambda R, rho: max(t for t in range(2000) if t * rho**2 <= R**2),
    ],
    "q5": [
        lambda w, X, y: min(b * np.dot(w, x) for x, b in zip(X, y, strict=True)) / math.sqrt(np.dot(w, w)),
        lambda w, X, y: np.min((X * y[:, None]) @ (w / np.linalg.norm(w))),
        lambda w, X, y: np.float32(np.sort(y * (X @ w))[0] / (w @ w) ** 0.5),
    ],
    "q6": [
        train_with,
        in_float32(train_with),
        lambda X, y: [list(part) if np.ndim(part) else float(part) for part in train_with(X, y)],
    ],
    "q7": [(0.5 * LINE, [1, -1]), ([[-1], [1]], np.array([1.0, -1.0])), lambda: (LINE[::-1], [-1, 1])],
    "q8": [slow_with_signs, lambda d: ((np.eye(d) - np.tri(d, k=-1)).tolist(), [1] * d)],
    "q9": [by_slack, by_hull, by_program(target=1e-3)],
}
WRONG = {
    "q1": [
        *told("counts as a mistake", step(lambda z: z < 0), step(lambda z: z > 0)),
        (step(lambda z: z <= 0, -1.0), "sign is turned"),
        *told("the example was right", step(lambda z: True), lambda w, x, y, tau: w + tau * y * x if w @ x <= 0 else w),
        (step(lambda z: z < 1), "the example was right"),
        (lambda w, x, y, tau: update_by_loop(w, x, y, min(tau, 1.0)), "the new w is not right"),
        (lambda w, x, y, tau: np.array(update_by_loop(w, x, y, tau)) + 1j, "the new w should be an array"),
        (step(lambda z: z <= 0, 2.0), "the new w is not right"),
        (lambda w, x, y, tau: w + y * x if y * (w @ x) <= 0 else w, "the new w is not right"),
        (lambda w, x, y, tau: w + tau * x if y * (w @ x) <= 0 else w, "sign is turned"),
        (careless, "changes its argument w"),
        (lambda w, x, y, tau: np.array([1.0, 2.0]), "shape"),
        (lambda w, x, y, tau: w + tau * y * x if y * (w @ x) <= 0 else None, "Is a return missing?"),
    ],
    "q2": [
        (lambda t, R: t * R, "bound"),
        *told("not the best bound", lambda t, R: 2 * t * R**2, lambda t, R: (t + 1) * R**2, lambda t, R: t**2 * R**2),
        *told("not an upper bound", lambda t, R: (t - 1) * R**2, lambda t, R: math.sqrt(t) * R, lambda t, R: -t * R**2),
        (lambda t, R: math.inf, "finite number"),
    ],
    "q3": [
        *told("not the best bound", lambda t, rho: rho, lambda t, rho: t * rho / 2, lambda t, rho: 0.0),
        (lambda t, rho: 2 * t * rho, "not a lower bound"),
        *told("not the best bound", lambda t, rho: (t - 1) * rho, lambda t, rho: math.sqrt(t) * rho),
        (lambda t, rho: t * rho**2, "bound"),
    ],
    "q4": [
        *told("a smaller whole number", lambda R, rho: math.ceil((R / rho) ** 2), lambda R, rho: round((R / rho) ** 2)),
        (lambda R, rho: (R / rho) ** 2, "a whole number"),
        (lambda R, rho: math.floor(R / rho), "can make 4 updates"),
        (lambda R, rho: math.floor((R / rho) ** 2) + 1, "a smaller whole number"),
        *told("updates", lambda R, rho: math.floor((rho / R) ** 2), lambda R, rho: math.floor(R**2 / rho)),
        (lambda R, rho: 2 * math.floor((R / rho) ** 2), "a smaller whole number"),
    ],
    "q5": [
        (lambda w, X, y: (y * (X @ w)).min(), "is it divided by the length of w?"),
        (lambda w, X, y: np.abs(X @ w).min() / np.linalg.norm(w), "do the labels give"),
        (lambda w, X, y: (X @ w).min() / np.linalg.norm(w), "this is not the margin"),
        (lambda w, X, y: (y * (X @ w)).max() / np.linalg.norm(w), "not the largest"),
        (lambda w, X, y: (y * (X @ w)).mean() / np.linalg.norm(w), "not the mean"),
        (lambda w, X, y: (y * (w @ X)).min() / np.linalg.norm(w), "raised ValueError"),
        (lambda w, X, y: (y * (X @ w)).min() / (w @ w), "this is not the margin"),
        (lambda w, X, y: y * (X @ w) / np.linalg.norm(w), "should be a number"),
        (lambda w, X, y: 2 * (y * (X @ w)).min() / np.linalg.norm(w), "this is not the margin"),
    ],
    "q6": [
        (train_with(test=lambda z: z < 0), "you made no update at all"),
        (train_with(count=2), "the number of updates is not right"),
        *told("still wrong", train_with(passes=1), train_with(passes=100), lambda X, y: (np.zeros(X.shape[1]), len(y))),
        (two_passes, "still wrong"),
        (train_with(update=2.0), "w is not right"),
        *told("the number of updates is not right", train_with(start=1.0), lambda X, y: (y @ X, len(y))),
        (lambda X, y: train_with(X[::-1], y[::-1]), "is not right"),
        (lambda X, y: (train_with(X, y)[0], train_with(X, y)[1] + 1), "the number of updates is not right"),
        (lambda X, y: (train_with(X, y)[0], train_with(X, y)[1] - 1), "the number of updates is not right"),
        (lambda X, y: train_with(X, y)[0], "a pair"),
        (lambda X, y: train_with(X, y)[::-1], "the weights come first"),
    ],
    "q7": [
        ((LINE, np.array([1, 1])), "both labels"),
        ((np.array([[1.0], [-1.0], [2.0]]), np.array([1, -1, -1])), "no threshold separates"),
        ((np.array([[5.0], [4.0]]), np.array([1, -1])), "still holds"),
        ((np.eye(2), np.array([1, -1])), "one column"),
        ((LINE, np.array([1, 0])), "labels must be"),
        ((LINE, np.array([1, -1, 1])), "one row for each label"),
        (np.array([1.0, 2.0, 3.0]), "a pair"),
        ((np.array([1.0, -1.0]), np.array([1, -1])), "a column for each coordinate"),
    ],
    "q8": [
        (lambda d: (np.eye(d), np.ones(d)), "stops too early"),
        (lambda d: (np.eye(d) - np.eye(d, k=-1), np.ones(d)), "for d = 8 the perceptron stops too early"),
        (lambda d: (np.eye(d) + np.tril(np.ones((d, d)), -1), np.ones(d)), "stops too early"),
        (lambda d: (np.eye(d) - 0.5 * np.tri(d, k=-1), np.ones(d)), "-1, 0 or 1"),
        (lambda d: (np.eye(d) - np.tri(d, k=-1) - np.tri(d, k=-1).T, np.ones(d)), "not separable"),
        (lambda d: (np.eye(d)[:, :1], np.ones(d)), "shape (2, 2)"),
        (lambda d: (np.eye(2) - np.tri(2, k=-1), np.ones(2)), "shape (1, 1)"),
        (lambda d: (np.eye(d) - np.tri(d, k=-1), np.zeros(d)), "labels must be"),
    ],
    "q9": [
        *told("or on the hyperplane", by_program(target=0.0), lambda X, y: by_program(-X, y)),
        (by_program(bounds=(0, None)), "you found no separating weights"),
        *told("None was asked for", by_passes, lambda X, y: np.linalg.lstsq(X, y.astype(float), rcond=None)[0]),
        (lambda X, y: if_it_separates(np.linalg.lstsq(X, y * 1.0, rcond=None)[0], X, y), "but there are some"),
        (lambda X, y: if_it_separates(train_with(passes=1000)(X, y)[0], X, y), "but there are some"),
        *told("None was asked for", lambda X, y: y @ X, lambda X, y: by_program(X, np.ones(len(y)))),
        (lambda X, y: by_program(np.column_stack([X, np.ones(len(X))]), y), "got shape (2,)"),
        (lambda X, y: by_program(X, y) is not None, "got shape ()"),
    ],
}
