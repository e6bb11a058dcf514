"""Checks for the code exercises of the chapter on stability and margins."""

import numpy as np

from mlcourse.homework.engine import Question, array, require
from mlcourse.theory import margin_deviation, replacement_distance


def _hinge_minimiser(x, y, lam):
    """The w that minimises mean [1 - y w x]_+ + (lam/2) w^2: its slope grows with w, so bisect for the sign change."""
    v = x * y
    low, high = -np.abs(v).max() / lam - 1, np.abs(v).max() / lam + 1
    for _ in range(200):
        w = (low + high) / 2
        low, high = (low, w) if lam * w - np.mean(v * (v * w < 1)) > 0 else (w, high)
    return (low + high) / 2


@Question
def tight(answer):
    """``answer(m, lam, R)`` returns (x, y, i): flipping y_i moves the minimiser by 2 R / (lam m)."""
    rng = np.random.default_rng(0)
    for m in [1, 2, 3, 4, 7, 10, 25]:
        R = float(rng.uniform(0.5, 2))
        lam = float(2 * R**2 / m * rng.uniform(1, 3))
        got = answer(m, lam, R)
        require(isinstance(got, (tuple, list)) and len(got) == 3, f"a triple (x, y, i) is expected, got {got!r}.")
        x, y = array(got[0], (m,), "x"), array(got[1], (m,), "y")
        require(np.abs(x).max() <= R * (1 + 1e-12), f"|x_j| <= R = {R:.3g} is asked for, got {np.abs(x).max():.3g}.")
        require(np.isin(y, (-1, 1)).all(), f"labels are -1 and +1, got {y.tolist()}.")
        require(got[2] in range(m), f"i should be an index from 0 to {m - 1}, got {got[2]!r}.")
        flipped = np.where(np.arange(m) == got[2], -y, y)
        moved = abs(_hinge_minimiser(x, y, lam) - _hinge_minimiser(x, flipped, lam))
        bound = float(replacement_distance(m, lam, R))
        message = (f"for m = {m}, lam = {lam:.3g}, R = {R:.3g} the minimiser moves by {moved:.4g}, "
                   f"and {bound:.4g} is possible: is every hinge active before and after the flip?")
        require(moved >= bound * (1 - 1e-6), message)
    return "the bound 2 R / (lam m) was reached for seven sample sizes, even and odd."


@Question
def moves(answer):
    """``answer(fit, X, y, x_new, y_new)`` returns the m distances between fit(S) and fit(S with example i replaced)."""
    rng = np.random.default_rng(1)
    for m, d in [(3, 1), (5, 2), (8, 3), (1, 2)]:
        X, y = rng.normal(size=(m, d)), rng.choice([-1.0, 1.0], size=m)
        x_new, y_new = rng.normal(size=d), 1.0

        def fit(X, y, d=d):
            return np.linalg.solve(X.T @ X + len(y) * np.eye(d), X.T @ y)

        expected = []
        for i in range(m):
            keep = np.arange(m) != i
            changed = fit(np.vstack([X[keep], x_new]), np.append(y[keep], y_new))
            expected.append(np.linalg.norm(changed - fit(X, y)))
        X_given, y_given = X.copy(), y.copy()
        got = array(answer(fit, X_given, y_given, x_new.copy(), y_new), (m,), "the answer")
        untouched = np.array_equal(X_given, X) and np.array_equal(y_given, y)
        require(untouched, "your function changed the sample it was given: replace the example in a copy.")
        wrong = np.flatnonzero(~np.isclose(got, expected, rtol=1e-6, atol=1e-9))
        if len(wrong):
            i = int(wrong[0])
            hint = "replace only example i, in a fresh copy of the sample" if i else "compare with fit(X, y)"
            require(False, f"with m = {m}, replacing example {i} moves the weights by {expected[i]:.4g}, "
                           f"you returned {got[i]:.4g}: {hint}.")
    return "all distances agree, and the sample was left as it was."


@Question
def ramp(answer):
    """``answer(z, rho)`` returns the ramp loss of every entry of z."""
    rng = np.random.default_rng(2)
    for rho in (0.1, 0.5, 1.0, 3.0):
        z = np.sort(np.concatenate([rng.normal(scale=2 * rho, size=50), [0.0, rho / 2, rho]]))
        values = array(answer(z.copy(), rho), z.shape, "the answer")
        low = z[values < (z <= 0)]
        require(not len(low), f"below the zero-one loss at z = {low[:1]}, rho = {rho}: it should be 1 for z <= 0.")
        high = z[values > (z < rho)]
        require(not len(high), f"above 1{{z < rho}} at z = {high[:1]}, rho = {rho}: at most 1, and 0 from rho on.")
        steep = np.abs(np.diff(values)) > np.diff(z) / rho + 1e-9
        require(not steep.any(), f"not Lipschitz with constant 1/rho = {1 / rho:.3g} near z = {z[:-1][steep][:1]}.")
        scaled = array(answer(2 * z, 2 * rho), z.shape, "the answer")
        require(np.allclose(scaled, values), "ramp(2 z, 2 rho) should equal ramp(z, rho).")
    return "the sandwich, the Lipschitz constant and the scaling hold; no other function has them."


@Question
def grid_deviation(answer):
    """``answer(m, delta, rhos, B, R)`` returns the deviation at each of the margins, for all of them at once."""
    rng = np.random.default_rng(3)
    for n in (1, 2, 5, 10):
        m, delta, B, R = int(rng.integers(50, 5000)), rng.uniform(0.01, 0.3), *rng.uniform(0.5, 3, size=2)
        rhos = rng.uniform(0.05, 2, size=n)
        got = array(answer(m, delta, rhos.copy(), B, R), (n,), "the answer")
        single = margin_deviation(m, delta, rhos, B, R)
        right = margin_deviation(m, delta / n, rhos, B, R)
        if n > 1:
            same = np.allclose(got, single)
            require(not same, f"each bound fails with probability delta, so {n} of them with up to {n} delta.")
        message = f"for {n} margins the deviation at rho = {rhos[0]:.3g}, m = {m} is {right[0]:.4g}, not {got[0]:.4g}."
        require(np.allclose(got, right, rtol=1e-9), message)
    return "the union bound over the list, at the right price."
