"""Checks for the code exercises of the chapter on support vector machines."""

import numpy as np
from scipy.optimize import linprog

from mlcourse.models.kernels.functions import GaussianKernel
from mlcourse.models.kernels.svm import SVM, dual_box
from mlcourse.models.linear.linear_separation import augmented, separator
from mlcourse_homework.engine.answers import array, number, require
from mlcourse_homework.engine.exercise import exercise, things


def _sample(rng, m):
    """Points of the plane and labels that overlap, both of them present."""
    y = rng.permutation(np.repeat([-1.0, 1.0], [m // 2, m - m // 2]))
    return rng.normal(size=(m, 2)) + 0.7 * y[:, None], y


@exercise
def residuals(answer, rng):
    """``answer(alpha, b, K, y, C)`` returns by how much each example violates its condition: zero iff it holds."""
    for C in (1.0, 0.05, 20.0):
        X, y = _sample(rng, 30)
        kernel = GaussianKernel(0.5)
        K, model = kernel(X), SVM(C, kernel, tol=1e-9).fit(X, y)
        solved = array(answer(model.alpha_, model.b_, K, y, C), (30,), "the answer")
        require((solved >= -1e-12).all(), f"residuals should not be negative, got {solved.min():.3g}.")
        i = solved.argmax()
        z = y * (K @ (model.alpha_ * y) + model.b_)
        has = f"at a solution for C = {C} example {i} has alpha = {model.alpha_[i]:.3g} and signed score {z[i]:.3g}"
        require(solved[i] < 1e-6, f"{has}, which is allowed, but your residual is {solved[i]:.3g}.")
        for kind, name in enumerate(["alpha = 0", "0 < alpha < C", "alpha = C", "alpha < 0", "alpha > C"]):
            alpha = model.alpha_.copy()
            i = rng.integers(30)
            alpha[i] = [0.0, C / 2, C, -C / 3, 1.5 * C][kind]
            for target in (-0.5, 1.0, 2.0):  # the bias that gives example i this signed score
                b = y[i] * target - K[i] @ (alpha * y)
                got = array(answer(alpha, b, K, y, C), (30,), "the answer")[i]
                fine = {0: target >= 1, 1: target == 1, 2: target <= 1}.get(kind, False)
                word = "satisfies" if fine else "violates"
                message = f"{name} with signed score {target} {word} the conditions, but your residual is {got:.3g}."
                require((abs(got) < 1e-9) == fine, message)
    return "zero at three solutions, and positive exactly where one of the conditions is violated."


@exercise
def step(answer, rng):
    """``answer(beta, i, j, K, y, C)`` returns beta after the best step of the violating pair i, j."""
    for trial in range(60):
        X, y = _sample(rng, 8)
        if trial % 5 == 0:
            X[1], y[0], y[1] = X[0], 1.0, -1.0  # two equal points
        K, C = GaussianKernel(0.5)(X), 10 ** rng.uniform(-1, 1)
        low, high = dual_box(y, C)
        beta = np.zeros(8) if trial % 5 == 0 else low + (high - low) * rng.choice([0, 0.3, 1.0], size=8)
        g = y - K @ beta
        pairs = [(i, j) for i in range(8) for j in range(8) if beta[i] < high[i] and beta[j] > low[j] and g[i] > g[j]]
        if not pairs:
            continue
        i, j = (0, 1) if trial % 5 == 0 else pairs[rng.integers(len(pairs))]
        new = array(answer(beta, i, j, K, y, C), (8,), "beta")
        change = new - beta
        others = np.abs(np.delete(change, [i, j])).max()
        require(others < 1e-12, f"only entries {i} and {j} may change, another one changed by {others:.3g}.")
        require(abs(change.sum()) < 1e-9, f"the sum of beta must not change, it changed by {change.sum():.3g}.")
        inside = (new >= low - 1e-9).all() and (new <= high + 1e-9).all()
        labels = f"y_i = {y[i]:.0f}, y_j = {y[j]:.0f}, C = {C:.3g}"
        require(inside, "the new beta_i or beta_j is outside its interval [0, C] or [-C, 0].", labels, new[[i, j]])
        room, D = min(high[i] - beta[i], beta[j] - low[j]), K[i, i] + K[j, j] - 2 * K[i, j]
        best = min(room, (g[i] - g[j]) / D if D > 1e-12 else np.inf)
        given = f"with g_i - g_j = {g[i] - g[j]:.3g}, squared distance {D:.3g} and room {room:.3g} the best step is"
        require(abs(change[i] - best) < 1e-7 * (1 + best), f"{given} {best:.4g}, yours is {change[i]:.4g}.")
    return "the best feasible step for random pairs, equal points among them."


@exercise
def my_pegasos(answer, rng):
    """``answer(X, y, lam, draws)`` returns the weights w_1 = 0, w_2, ... of Pegasos for the drawn indices."""
    for lam in (0.01, 0.3, 5.0):
        X, y = _sample(rng, 20)
        draws = rng.integers(20, size=40)
        path = array(answer(X, y, lam, draws.tolist()), (41, 2), "the list of weights")
        require(not path[0].any(), f"w_1 should be zero, got {path[0]}.")
        total = np.zeros(2)
        for t, (w, i, after) in enumerate(zip(path, draws, path[1:], strict=False), start=1):
            z = y[i] * (X[i] @ w)
            total += y[i] * X[i] * (z < 1)
            expected = total / (lam * t)
            right = np.allclose(after, expected, atol=1e-8 * (1 + np.abs(expected).max()))
            step = f"after step t = {t} with lam = {lam} and a signed score of {z:.3g}"
            require(right, f"{step}, lam t w_(t+1) should be the sum of all v_s.", "", lam * t * after, total)
    return "w_{t+1} is the sum of all v_s divided by lam t, at each of 120 steps."


@exercise
def nobody_free(answer):
    """``answer`` is (X, y, C): not separable, with a dual solution without free example and an interval of biases."""
    X, y, C = things(answer, 3, "(X, y, C)")
    X, y, C = np.asarray(X, dtype=float), np.asarray(y, dtype=float), number(C, "C")
    require(X.ndim == 2 and X.shape[1] == 2 and len(X) >= 4, f"X should have shape (m, 2), m >= 4, got {X.shape}.")
    require(y.shape == (len(X),), f"y should have one label for each of the {len(X)} points, got shape {y.shape}.")
    require(set(y.tolist()) == {-1.0, 1.0}, "the labels should be -1 and +1, both of them present.")
    require(len(np.unique(X, axis=0)) == len(X), "the points should be different.")
    require(C > 0, f"C should be positive, got {C}.")
    require(separator(augmented(X), y) is None, "a line separates your sample: put it across.")
    model = SVM(C, tol=1e-10, max_iter=100_000).fit(X, y)
    require(model.converged_, f"with C = {C:g} the dual is too hard to solve here: try a smaller C.")
    free = (model.alpha_ > 1e-7 * C) & (model.alpha_ < C - 1e-7 * C)
    i = int(free.argmax())
    require(not free.any(), f"example {i} is free: alpha = {model.alpha_[i]:.4g} lies between 0 and C = {C}.")
    low, high = _bias_interval(X @ model.w_, y)
    require(high - low > 0.1, f"the optimal biases lie between {low:.4f} and {high:.4f}: not longer than 0.1.")
    return f"no example is free, and every b from {low:.2f} to {high:.2f} is optimal."


def _bias_interval(scores, y):
    """The ends of the interval of b with the least total slack at the given scores, by linear programming."""
    m = len(y)
    A, limit = -np.column_stack([y, np.eye(m)]), y * scores - 1  # y (score + b) + xi >= 1
    bounds = [(None, None)] + [(0, None)] * m
    least = linprog([0] + [1] * m, A_ub=A, b_ub=limit, bounds=bounds).fun
    A, limit = np.vstack([A, [0] + [1] * m]), np.append(limit, least + 1e-9)
    return tuple(linprog([sign] + [0] * m, A_ub=A, b_ub=limit, bounds=bounds).x[0] for sign in (1, -1))
