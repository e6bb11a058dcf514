"""Checks for the code exercises of the chapter on logistic regression."""

import warnings

import numpy as np

from mlcourse.testing import numerical_gradient
from mlcourse_homework.engine.answers import array, pair, require
from mlcourse_homework.engine.exercise import exercise


@exercise
def my_loss(answer):
    """``answer(z)`` returns ln(1 + e^-z), accurate and without a warning for any score."""
    z = np.concatenate([np.linspace(-40, 40, 161), [-1e4, -800.0, 800.0, 1e4]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            value = array(answer(z), z.shape, "the losses")
        except RuntimeWarning as warning:
            require(False, f"for scores between -10000 and 10000 your code gives a warning: {warning}.")
    right = np.logaddexp(0, -z)
    wrong = ~np.isclose(value, right, rtol=1e-12, atol=1e-300)
    first = int(wrong.argmax())
    require(not wrong.any(), f"at z = {z[first]:g} the loss is {right[first]:.15g}, you have {value[first]:.15g}.")
    return "twelve digits are right between -10000 and 10000, without overflow."


@exercise
def my_risk(answer, rng):
    """``answer(w, X, y, lam)`` returns the value and the gradient of the penalised logistic risk."""
    for m, d, lam in [(10, 3, 0.0), (25, 2, 0.5), (7, 5, 2.0)]:
        X, y, w = rng.normal(size=(m, d)), rng.choice([-1, 1], size=m), rng.normal(size=d)

        def exact(v, X=X, y=y, lam=lam):
            return np.mean(np.logaddexp(0, -y * (X @ v))) + lam / 2 * v @ v

        value, gradient = pair(answer(w, X, y, lam), "(value, gradient)")
        value, gradient = array(value, (), "the value"), array(gradient, (d,), "the gradient")
        where = f"with m = {m}, d = {d}, lam = {lam}"
        require(np.isclose(value, exact(w)), f"{where} the value is {exact(w):.6g}, you have {value:.6g}.")
        right = numerical_gradient(exact, w)
        hint = ""
        for factor, reason in [(-1, "the sign is turned"), (m, "the 1/m is missing")]:
            if np.allclose(gradient - lam * w, factor * (right - lam * w), rtol=1e-4):
                hint = f" It seems that {reason}."
        for factor in (0, 1 / 2, 2):
            if lam and np.allclose(gradient, right + (factor - 1) * lam * w, rtol=1e-4):
                hint = f" Your penalty contributes {factor:g} lam w, it should be lam w."
        message = f"{where} finite differences give the gradient {right.round(5)}, you have {gradient.round(5)}."
        require(np.allclose(gradient, right, rtol=1e-5, atol=1e-7), message + hint)
    return "value and gradient agree with the formula and with finite differences, with and without penalty."


@exercise
def runaway(answer):
    """``answer`` is a start from which the undamped Newton method w -> w - sinh(w) does not converge to 0."""
    w, path = float(array(answer, (), "your start")), []
    require(np.isfinite(w), f"a finite number is expected, got {answer!r}.")
    for _ in range(60):
        path.append(w)
        if abs(w) > 30:
            return f"the method goes {', '.join(f'{v:.3g}' for v in path[:4])}, ... and does not come back."
        w = w - np.sinh(w)
    if abs(w) > 1:
        return f"the method goes {', '.join(f'{v:.3g}' for v in path[:4])}, ... to and fro for ever."
    require(False, f"from {path[0]:g} the method goes {', '.join(f'{v:.3g}' for v in path[:4])}, ... to {w:.1g}.")
