"""Checks for the code exercises of the chapter on stability and margins."""

import numpy as np

from mlcourse.theory import margin_deviation, replacement_distance
from mlcourse_homework.engine.answers import array, function, require
from mlcourse_homework.engine.exercise import exercise, things
from mlcourse_homework.engine.question import Question


def _hinge_minimiser(x, y, lam):
    """The w that minimises mean [1 - y w x]_+ + (lam/2) w^2: its slope grows with w, so bisect for the sign change."""
    v = x * y
    low, high = -np.abs(v).max() / lam - 1, np.abs(v).max() / lam + 1
    for _ in range(200):
        w = (low + high) / 2
        low, high = (low, w) if lam * w - np.mean(v * (v * w < 1)) > 0 else (w, high)
    return (low + high) / 2


@exercise
def tight(answer, rng):
    """``answer(m, lam, R)`` returns (x, y, i): flipping y_i moves the minimiser by 2 R / (lam m)."""
    for m in [1, 2, 3, 4, 7, 10, 25]:
        R = float(rng.uniform(0.5, 2))
        lam = float(2 * R**2 / m * rng.uniform(1, 3))
        x, y, i = things(answer(m, lam, R), 3, "(x, y, i)")
        x, y = array(x, (m,), "x"), array(y, (m,), "y")
        require(np.abs(x).max() <= R * (1 + 1e-12), f"|x_j| <= R = {R:.3g} is asked for, got {np.abs(x).max():.3g}.")
        require(np.isin(y, (-1, 1)).all(), f"labels are -1 and +1, got {y.tolist()}.")
        require(i in range(m), f"i should be an index from 0 to {m - 1}, got {i!r}.")
        flipped = np.where(np.arange(m) == i, -y, y)
        moved = abs(_hinge_minimiser(x, y, lam) - _hinge_minimiser(x, flipped, lam))
        bound = float(replacement_distance(m, lam, R))
        moves = f"the minimiser moves by {moved:.4g}, and {bound:.4g} is possible"
        hinges = "is every hinge active before and after the flip?"
        require(moved >= bound * (1 - 1e-6), f"{moves}: {hinges}", f"m = {m}, lam = {lam:.3g}, R = {R:.3g}")
    return "the bound 2 R / (lam m) was reached for seven sample sizes, even and odd."


@Question
def replaced(answer):
    """``answer(fit, loss, X, y, X_new, y_new)`` returns the mean of loss(h_S(i); s_i) - loss(h_S; s_i)."""
    answer, rng = function(answer, "replaced(fit, loss, X, y, X_new, y_new)"), np.random.default_rng(0)

    def fit(X, y):  # ridge regression
        w = np.linalg.solve(X.T @ X + np.eye(X.shape[1]), X.T @ y)
        return lambda X: X @ w

    def loss(y, y_hat):
        return (y - y_hat) ** 2

    for m, d in [(3, 1), (5, 2), (8, 3), (1, 2)]:
        given = X, y, X_new, y_new = (*(rng.normal(size=shape) for shape in ((m, d), m, (m, d), m)),)
        own = loss(y, fit(X, y)(X))
        swaps = np.eye(m, dtype=bool)
        changed = [fit(np.where(one[:, None], X_new, X), np.where(one, y_new, y)) for one in swaps]
        at_old = np.array([loss(y, h(X))[i] for i, h in enumerate(changed)])
        at_new = np.array([loss(y_new, h(X_new))[i] for i, h in enumerate(changed)])
        copies = [part.copy() for part in given]
        got = array(answer(fit, loss, *copies), (), "the answer")
        untouched = all(np.array_equal(*pair) for pair in zip(copies, given, strict=True))
        require(untouched, "your function changed the sample it was given: replace the example in a copy.")
        right = (at_old - own).mean()
        require(not np.isclose(got, -right), "the sign is reversed: the loss after the replacement comes first.")
        seen = np.isclose(got, (at_new - own).mean())
        require(not seen, "judge the new predictor at the old s_i, which it has not seen.")
        require(not np.isclose(got, m * right) or m == 1, "the mean over i is asked for, not the sum.")
        message = f"with m = {m} the mean change is {right:.4g}, not {got:.4g}; replace one, in a new copy, each time."
        require(np.isclose(got, right, rtol=1e-6, atol=1e-9), message)
    return "the mean change by a replacement, an unbiased estimate of the gap; the sample was left as it was."


@exercise
def ramp(answer, rng):
    """``answer(z, rho)`` returns the ramp loss of every entry of z."""
    for rho in (0.1, 0.5, 1.0, 3.0):
        z = np.sort(np.concatenate([rng.normal(scale=2 * rho, size=50), [0.0, rho / 2, rho]]))
        values = array(answer(z, rho), z.shape, "the answer")
        low = z[values < (z <= 0) - 1e-12]
        require(not len(low), f"below the zero-one loss at z = {low[:1]}, rho = {rho}: it should be 1 for z <= 0.")
        high = z[values > (z < rho) + 1e-12]
        require(not len(high), f"above 1{{z < rho}} at z = {high[:1]}, rho = {rho}: at most 1, and 0 from rho on.")
        steep = np.abs(np.diff(values)) > np.diff(z) / rho + 1e-9
        require(not steep.any(), f"not Lipschitz with constant 1/rho = {1 / rho:.3g} near z = {z[:-1][steep][:1]}.")
        scaled = array(answer(2 * z, 2 * rho), z.shape, "the answer")
        require(np.allclose(scaled, values), "ramp(2 z, 2 rho) should equal ramp(z, rho).")
    return "the sandwich, the Lipschitz constant and the scaling hold; no other function has them."


@exercise
def grid_deviation(answer, rng):
    """``answer(m, delta, rhos, B, R)`` returns the deviation at each of the margins, for all of them at once."""
    for n in (1, 2, 5, 10):
        m, delta, B, R = int(rng.integers(50, 5000)), rng.uniform(0.01, 0.3), *rng.uniform(0.5, 3, size=2)
        rhos = rng.uniform(0.05, 2, size=n)
        got = array(answer(m, delta, rhos, B, R), (n,), "the answer")
        single = margin_deviation(m, delta, rhos, B, R)
        right = margin_deviation(m, delta / n, rhos, B, R)
        if n > 1:
            same = np.allclose(got, single)
            require(not same, f"each bound fails with probability delta, so {n} of them with up to {n} delta.")
        message = f"for {n} margins the deviation at rho = {rhos[0]:.3g}, m = {m} is {right[0]:.4g}, not {got[0]:.4g}."
        require(np.allclose(got, right, rtol=1e-9), message)
    return "the union bound over the list, at the right price."
