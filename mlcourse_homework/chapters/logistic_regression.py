"""Checks for the code exercises of the chapter on logistic regression."""

import warnings

import numpy as np

from mlcourse.testing import numerical_gradient
from mlcourse_homework.engine.answers import array, close, number, pair, require
from mlcourse_homework.engine.exercise import because, exercise


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
        where, right = f"m = {m}, d = {d}, lam = {lam}", numerical_gradient(exact, w)
        close(value, exact(w), "the value", where)
        gradient, penalty = array(gradient, (d,), "the gradient"), lam * w
        own, loss, factors = gradient - penalty, right - penalty, (0, 1 / 2, 2) if lam else ()
        why = because(
            *((np.allclose(own, loss + (f - 1) * penalty, 1e-4), f"The penalty gives {f:g} lam w.") for f in factors),
            (np.allclose(own, m * loss, rtol=1e-4), "It seems that the 1/m is missing."),
            (np.allclose(own, -loss, rtol=1e-4), "It seems that the sign is turned."),
        )
        fits = np.allclose(gradient, right, rtol=1e-5, atol=1e-7)
        require(fits, f"finite differences give another gradient.{why}", where, gradient, right)
    return "value and gradient agree with the formula and with finite differences, with and without penalty."


@exercise
def runaway(answer):
    """``answer`` is a start from which the undamped Newton method w -> w - sinh(w) does not converge to 0."""
    path = [number(answer, "your start")]
    while abs(path[-1]) <= 30 and len(path) <= 60:
        path.append(path[-1] - np.sinh(path[-1]))
    start = f"the method goes {', '.join(f'{w:.3g}' for w in path[:4])}, ..."
    require(abs(path[-1]) > 1, f"from {path[0]:g} {start} to {path[-1]:.1g}.")
    return f"{start} {'and does not come back' if abs(path[-1]) > 30 else 'to and fro for ever'}."
