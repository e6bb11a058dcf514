"""Checks for the code exercises of the chapter on least squares, ridge regression and Adaline."""

import numpy as np

from mlcourse_homework.engine.answers import array, require
from mlcourse_homework.engine.exercise import because, exercise, things


def _samples(seed):
    """Random samples: tall, square, wide, and one with two equal columns."""
    rng = np.random.default_rng(seed)
    for m, d in [(12, 3), (6, 6), (4, 7), (30, 5)]:
        X = rng.normal(size=(m, d))
        if m == 30:
            X[:, 1] = X[:, 0]
        yield X, rng.normal(size=m), float(10 ** rng.uniform(-1.5, 1))


@exercise
def my_ridge(answer):
    """``answer(X, y, alpha)`` returns the minimiser of ||y - Xw||^2 + alpha ||w||^2."""
    for X, y, alpha in _samples(0):
        w = array(answer(X, y, alpha), (X.shape[1],), "w")
        right, other = (np.linalg.norm(2 * (a * w - X.T @ (y - X @ w))) for a in (alpha, alpha**2))
        sample = f"on a sample with {X.shape[0]} examples, {X.shape[1]} features and alpha = {alpha:.3g}"
        enough = 1e-6 * np.linalg.norm(X.T @ y)
        why = because((other <= enough, "Did you use alpha where its square root belongs?"))
        require(right <= enough, f"{sample} the gradient at your w has length {right:.2g}, not zero.{why}")
    return "the gradient of the penalised square loss vanishes at your weights, on tall, square and wide samples."


@exercise
def my_leave_one_out(answer):
    """``answer(X, y, alpha)`` returns the leave-one-out errors of ridge regression without a bias."""
    for X, y, alpha in _samples(1):
        m, d = X.shape
        errors = array(answer(X, y, alpha), (m,), "the vector of errors")
        for i in range(m):
            rest = np.arange(m) != i
            w = np.linalg.solve(X[rest].T @ X[rest] + alpha * np.eye(d), X[rest].T @ y[rest])
            right = y[i] - X[i] @ w
            why = because((np.isclose(errors[i], -right), "The sign is turned: an error is y minus the prediction."))
            message = f"without example {i} of {m} the error is {right:.4g}, you have {errors[i]:.4g}.{why}"
            require(np.isclose(errors[i], right, rtol=1e-6, atol=1e-9), message)
    return "every error is that of a fit without the example."


@exercise
def calmer(answer):
    """``answer`` is (X, y, delta): ridge with alpha = 1 moves at least 100 times less than least squares."""
    X, y, delta = (np.asarray(part, dtype=float) for part in things(answer, 3, "(X, y, delta)"))
    require(all(np.isfinite(part).all() for part in (X, y, delta)), "the arrays should hold finite numbers.")
    shapes = "(X, y, delta) should be of shapes (m, d), (m,) and (m,)."
    require(X.ndim == 2 and y.shape == delta.shape == X.shape[:1], shapes)
    require(delta.any(), "delta must not be zero.")
    full_rank = not X.size or np.linalg.matrix_rank(X) == X.shape[1]
    require(full_rank, "least squares has many solutions for your X: make its rank full.")
    change = np.linalg.lstsq(X, delta, rcond=None)[0]
    least, seen = np.linalg.norm(change), np.linalg.norm(X @ change)
    require(seen > 1e-6 * np.linalg.norm(delta), "delta is orthogonal to the columns of X: nothing moves.")
    ridge = np.linalg.norm(np.linalg.solve(X.T @ X + np.eye(X.shape[1]), X.T @ delta))
    message = f"least squares moves by {least:.3g}, ridge by {ridge:.3g}: a factor of {least / max(ridge, 1e-300):.3g}."
    require(least >= 100 * ridge, f"{message} Make one singular value of X tiny and let delta point in its direction.")
    return message
