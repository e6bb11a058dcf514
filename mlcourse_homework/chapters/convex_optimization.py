"""Checks for the code exercises of the chapter on optimisation."""

import numpy as np

from mlcourse.testing import assert_wolfe
from mlcourse_homework.engine.answers import Wrong, array, function, number, pair, require
from mlcourse_homework.engine.exercise import exercise


@exercise
def my_steps(answer, rng):
    """``answer(lam, tau, epsilon)``: the least t with |1 - tau lam_i|^t <= epsilon for all i, None if there is none."""
    for case in range(60):
        lam = 10 ** rng.uniform(-2, 1, size=rng.integers(1, 5))
        tau = float(rng.uniform(0.1, 2.4) / lam.max()) if case % 10 else float(1 / lam[0])
        epsilon = float(10 ** rng.uniform(-8, -0.1))
        lam = lam[:1] if case % 10 == 0 else lam
        t = answer(lam, tau, epsilon)
        factor = np.abs(1 - tau * lam).max()
        where = f"for lam = {np.round(lam, 4).tolist()}, tau = {tau:.4g}, epsilon = {epsilon:.3g}"
        if factor >= 1:
            require(t is None, f"{where} a coordinate never shrinks (factor {factor:.3g}): expected None, got {t!r}.")
            continue
        whole = isinstance(t, (int, float, np.integer, np.floating)) and t >= 0 and float(t).is_integer()
        require(whole, f"{where} a whole number of steps is expected, got {t!r}.")
        require(factor**t <= epsilon * (1 + 1e-6), f"{where} after {t} steps a coordinate is still {factor**t:.3g}.")
        early = t == 0 or factor ** (t - 1) > epsilon * (1 - 1e-6)
        require(early, f"{where} {t - 1} steps would have been enough.")
    return "the number of steps was exact in 60 cases, divergence and one-step convergence among them."


@exercise
def my_wolfe(answer, rng):
    """``answer(phi, c1, c2)`` returns a step that satisfies Wolfe's conditions; phi(tau) is (value, slope)."""
    for case in range(60):
        scale, a, k = 10 ** rng.uniform(-4, 4), rng.normal(size=2), rng.uniform(1, 4, size=2)
        a *= -np.sign(a @ k)
        trials, wave = [], float(case % 3 != 0)

        def phi(tau, scale=scale, a=a, k=k, wave=wave, trials=trials):
            trials.append(tau)
            if len(trials) > 2000:
                raise Wrong("2000 trial steps were not enough; does your interval shrink?")
            s = tau / scale
            value = (s - 2) ** 2 / 8 + wave * np.sin(k * s) @ a
            return value, ((s - 2) / 4 + wave * (k * np.cos(k * s)) @ a) / scale

        c1 = float(rng.uniform(1e-4, 0.3))
        c2 = float(rng.uniform(c1 + 0.05, 0.95))
        tau = number(answer(phi, c1, c2), "the step")
        trials.clear()
        kind = "a parabola" if wave == 0 else "a wavy function"
        try:
            assert_wolfe(phi, tau, c1, c2)
        except AssertionError as error:
            raise Wrong(f"on {kind} whose scale is {scale:.1e}, with c1 = {c1:.2g}, c2 = {c2:.2g}: {error}.") from None
    return "both conditions held on 60 functions, with scales from 0.0001 to 10000."


@exercise
def counter_example(answer):
    """``answer`` is (gradient, w0) on which gradient descent with steps 1/(1+t) does not find a local minimum."""
    gradient, w0 = pair(answer, "(gradient, w0)")
    function(gradient, "gradient(w)")
    w = float(array(w0, (), "w0"))
    require(abs(w) <= 1000, f"start between -1000 and 1000, not at {w:g}.")
    with np.errstate(all="ignore"):
        for t in range(100):
            g = _slope(gradient, w)
            require(not np.isnan(g), f"the gradient at w = {w:.6g} is not a number.")
            w = w - g / (1 + t)
            if abs(w) > 1e6:
                where, grows = f"after {t + 1} steps w = {w:.3g}", "but there your gradient grows no faster than w"
                back = "when 1/(1+t) has become small, the iterates come back."
                require(_escapes(gradient, w), f"{where}, {grows}: {back}")
                return f"{where}: the iterates fly away."
    require(abs(_slope(gradient, w)) < 1e-9, f"after 100 steps w = {w:.6g}, neither far away nor a critical point.")
    left, right = _slope(gradient, w - 1e-3), _slope(gradient, w + 1e-3)
    require(left > 0 or right < 0, f"w = {w:.6g} looks like a local minimum: the function decreases to neither side.")
    return f"gradient descent stays at w = {w:.3g}, a critical point that is no minimum."


def _slope(gradient, w):
    try:
        return float(gradient(w))
    except OverflowError:
        return np.inf


def _escapes(gradient, w):
    """Far out at w, does the gradient push outwards or grow faster than w, so that no later step tames it?"""
    g = 0.0 if np.isinf(w) else _slope(gradient, w)
    return np.isinf(w) or np.isinf(g) or g * w < 0 or abs(_slope(gradient, 2 * w)) > 3 * abs(g)


class _Counted:
    """A symmetric matrix that counts its products with vectors and offers nothing else."""

    __array_ufunc__ = None  # makes p @ H call __rmatmul__

    def __init__(self, H):
        self._H, self.n_products, self.shape = H, 0, H.shape

    def __len__(self):
        return len(self._H)

    def __matmul__(self, v):
        self.n_products += 1
        require(np.ndim(v) == 1, f"multiply H by vectors only, not by an array of shape {np.shape(v)}.")
        require(self.n_products <= 1000, "1000 products were not enough; does your loop end?")
        return self._H @ v

    __rmatmul__ = __matmul__


@exercise
def my_cg(answer, rng):
    """``answer(H, b)`` solves H w = b with at most k + 2 products H @ p, where H has k different eigenvalues."""
    for d, k in [(1, 1), (2, 2), (5, 5), (12, 12), (30, 3)]:
        Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
        H = Q @ np.diag(np.resize(rng.uniform(1, 20, size=k), d)) @ Q.T
        b, counted = rng.normal(size=d), _Counted(H)
        w = array(answer(counted, b), (d,), "the solution")
        error, n = np.linalg.norm(H @ w - b) / np.linalg.norm(b), counted.n_products
        message = f"in dimension {d}, after {n} products, H w differs from b by {error:.1e} of its length."
        require(error <= 1e-6, message + " Are your directions conjugate?")
        require(n <= k + 2, f"with {k} eigenvalues {k + 2} products are allowed, you used {n}.")
    return "solved in at most k + 2 products, with k = 1 to 12 eigenvalues in dimensions 1 to 30."
