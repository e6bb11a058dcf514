"""Checks for the code exercises of the chapter on optimisation."""

import numpy as np

from mlcourse.homework.engine import Question, Wrong, pair, require
from mlcourse.testing import assert_wolfe


@Question
def my_steps(answer):
    """``answer(lam, tau, epsilon)``: the least t with |1 - tau lam_i|^t <= epsilon for all i, None if there is none."""
    rng = np.random.default_rng(0)
    for case in range(60):
        lam = 10 ** rng.uniform(-2, 1, size=rng.integers(1, 5))
        tau = float(rng.uniform(0.1, 2.4) / lam.max()) if case % 10 else float(1 / lam[0])
        epsilon = float(10 ** rng.uniform(-8, -0.1))
        lam = lam[:1] if case % 10 == 0 else lam
        t = answer(lam.copy(), tau, epsilon)
        factor = np.abs(1 - tau * lam).max()
        where = f"for lam = {np.round(lam, 4).tolist()}, tau = {tau:.4g}, epsilon = {epsilon:.3g}"
        if factor >= 1:
            require(t is None, f"{where} a coordinate never shrinks (factor {factor:.3g}): None is expected, got {t!r}.")
            continue
        require(isinstance(t, (int, np.integer)), f"{where} a whole number of steps is expected, got {t!r}.")
        require(factor**t <= epsilon * (1 + 1e-6), f"{where} after {t} steps a coordinate is still {factor**t:.3g}.")
        early = t == 0 or factor ** (t - 1) > epsilon * (1 - 1e-6)
        require(early, f"{where} {t - 1} steps would have been enough.")
    return "the number of steps was exact in 60 cases, divergence and one-step convergence among them."


@Question
def my_wolfe(answer):
    """``answer(phi, c1, c2)`` returns a step that satisfies Wolfe's conditions; phi(tau) is (value, slope)."""
    rng = np.random.default_rng(1)
    for case in range(60):
        scale, a, k = 10 ** rng.uniform(-4, 4), rng.normal(size=2), rng.uniform(1, 4, size=2)
        a *= -np.sign(a @ k)
        wave = 0.0 if case % 3 == 0 else 1.0
        trials = []

        def phi(tau, scale=scale, a=a, k=k, wave=wave, trials=trials):
            trials.append(tau)
            if len(trials) > 2000:
                raise Wrong("2000 trial steps were not enough; does your interval shrink?")
            s = tau / scale
            value = (s - 2) ** 2 / 8 + wave * np.sin(k * s) @ a
            return value, ((s - 2) / 4 + wave * (k * np.cos(k * s)) @ a) / scale

        c1 = float(rng.uniform(1e-4, 0.3))
        c2 = float(rng.uniform(c1 + 0.05, 0.95))
        tau = answer(phi, c1, c2)
        require(tau is not None and np.isfinite(tau), f"a step is expected, got {tau!r}.")
        trials.clear()
        kind = "a parabola" if wave == 0 else "a wavy function"
        try:
            assert_wolfe(phi, tau, c1, c2)
        except AssertionError as error:
            raise Wrong(f"on {kind} whose scale is {scale:.1e}, with c1 = {c1:.2g}, c2 = {c2:.2g}: {error}.") from None
    return "both conditions held on 60 functions, with scales from 0.0001 to 10000."


@Question
def counter_example(answer):
    """``answer`` is (gradient, w0) on which gradient descent with steps 1/(1+t) does not find a local minimum."""
    gradient, w0 = pair(answer, "(gradient, w0)")
    w = float(w0)
    with np.errstate(all="ignore"):
        for t in range(100):
            w = w - float(gradient(w)) / (1 + t)
            if not abs(w) <= 1e6:
                return f"after {t + 1} steps w = {w:.3g}: the iterates fly away."
    require(abs(float(gradient(w))) < 1e-9, f"after 100 steps w = {w:.6g}, neither far away nor a critical point.")
    left, right = float(gradient(w - 1e-3)), float(gradient(w + 1e-3))
    require(left > 0 or right < 0, f"w = {w:.6g} looks like a local minimum: the gradient is negative to its left "
                                   "and positive to its right.")
    return f"gradient descent stays at w = {w:.3g}, a critical point that is no minimum."


class _Counted:
    """A matrix that counts its products and offers nothing else."""

    def __init__(self, H):
        self._H, self.n_products, self.shape = H, 0, H.shape

    def __len__(self):
        return len(self._H)

    def __matmul__(self, v):
        self.n_products += 1
        return self._H @ v


@Question
def my_cg(answer):
    """``answer(H, b)`` solves H w = b with at most d + 2 products H @ p."""
    rng = np.random.default_rng(2)
    for d in (1, 2, 5, 12):
        Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
        H = Q @ np.diag(rng.uniform(1, 20, size=d)) @ Q.T
        b, counted = rng.normal(size=d), _Counted(H)
        w = np.asarray(answer(counted, b.copy()), dtype=float)
        require(w.shape == (d,), f"a vector of length {d} is expected, got shape {w.shape}.")
        error = np.linalg.norm(H @ w - b) / np.linalg.norm(b)
        message = f"in dimension {d}, after {counted.n_products} products, H w differs from b by {error:.1e} of its length."
        require(error <= 1e-6, message + " Are your directions conjugate?")
        require(counted.n_products <= d + 2, f"in dimension {d} you used {counted.n_products} products, {d + 2} allowed.")
    return "solved in at most d + 2 products, in dimensions 1 to 12."
