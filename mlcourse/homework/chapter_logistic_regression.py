"""Checks for the code exercises of the chapter on logistic regression."""

import warnings

import numpy as np

from mlcourse.homework.engine import Question, pair, require
from mlcourse.testing import numerical_gradient


@Question
def my_loss(answer):
    """``answer(z)`` returns ln(1 + e^-z), accurate and without a warning for any score."""
    z = np.concatenate([np.linspace(-40, 40, 161), [-1e4, -800.0, 800.0, 1e4]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            value = np.asarray(answer(z.copy()), dtype=float)
        except RuntimeWarning as warning:
            require(False, f"for scores between -10000 and 10000 your code gives a warning: {warning}.")
    require(value.shape == z.shape, f"one loss for each of {len(z)} scores is expected, got shape {value.shape}.")
    right = np.logaddexp(0, -z)
    wrong = ~np.isclose(value, right, rtol=1e-12, atol=1e-300)
    first = int(wrong.argmax())
    require(not wrong.any(), f"at z = {z[first]:g} the loss is {right[first]:.15g}, you have {value[first]:.15g}.")
    return "twelve digits are right between -10000 and 10000, without overflow."


@Question
def my_risk(answer):
    """``answer(w, X, y, lam)`` returns the value and the gradient of the penalised logistic risk."""
    rng = np.random.default_rng(0)
    for m, d, lam in [(10, 3, 0.0), (25, 2, 0.5), (7, 5, 2.0)]:
        X, y, w = rng.normal(size=(m, d)), rng.choice([-1, 1], size=m), rng.normal(size=d)

        def exact(v, X=X, y=y, lam=lam):
            return np.mean(np.logaddexp(0, -y * (X @ v))) + lam / 2 * v @ v

        value, gradient = pair(answer(w.copy(), X.copy(), y.copy(), lam), "(value, gradient)")
        gradient = np.asarray(gradient, dtype=float)
        where = f"with m = {m}, d = {d}, lam = {lam}"
        require(np.isclose(value, exact(w)), f"{where} the value is {exact(w):.6g}, you have {value:.6g}.")
        require(gradient.shape == (d,), f"{where} the gradient should have shape {(d,)}, got {gradient.shape}.")
        right = numerical_gradient(exact, w)
        hint = ""
        for factor, reason in [(-1, "the sign is turned"), (m, "the 1/m is missing")]:
            if np.allclose(gradient, factor * right, rtol=1e-4):
                hint = f" It seems that {reason}."
        message = f"{where} finite differences give the gradient {np.round(right, 5)}, you have {np.round(gradient, 5)}."
        require(np.allclose(gradient, right, rtol=1e-5, atol=1e-7), message + hint)
    return "value and gradient agree with the formula and with finite differences, with and without penalty."


@Question
def runaway(answer):
    """``answer`` is a start from which the undamped Newton method w -> w - sinh(w) does not converge to 0."""
    require(np.ndim(answer) == 0 and np.isfinite(float(answer)), f"one number is expected, got {answer!r}.")
    w, path = float(answer), []
    for _ in range(60):
        path.append(w)
        if abs(w) > 30:
            return f"the method goes {', '.join(f'{v:.3g}' for v in path[:4])}, ... and does not come back."
        w = w - np.sinh(w)
    require(False, f"from {answer:g} the method goes {', '.join(f'{v:.3g}' for v in path[:4])}, ... to {w:.1g}.")
