"""Checks for the code exercises of the chapter on the perceptron."""

import itertools

import numpy as np

from mlcourse.data.synthetic import SeparableMargin
from mlcourse.models.linear.linear_separation import margin, max_margin_separator, separator
from mlcourse.models.linear.perceptron import perceptron
from mlcourse.theory.online import novikoff
from mlcourse_homework.engine.answers import pair, require
from mlcourse_homework.engine.exercise import exercise


@exercise
def my_perceptron(answer, rng):
    """``answer(X, y)`` returns separating weights and the number of updates of a perceptron started at zero."""
    for m in (1, 3, 8):
        w, n = pair(answer(np.eye(m), np.ones(m, dtype=int)), "(w, number of updates)")
        zero = "at w = 0 every score is 0 and must count as a mistake, but you made no update"
        require(n != 0, f"{zero}: do you start at 0, and is your test y * score <= 0?")
        require(n == m, f"on {m} orthonormal points every order makes exactly {m} updates, you counted {n}.")
        require((np.asarray(w) > 0).all(), f"on the {m} unit vectors with labels +1 your weights {w} leave mistakes.")
    for _ in range(20):
        d, m = int(rng.integers(2, 6)), int(rng.integers(2, 30))
        X, y = SeparableMargin(d=d, rho=0.1).sample(m, rng)
        w, n = pair(answer(X, y), "(w, number of updates)")
        require(n >= 1, f"the number of updates should be a positive integer, got {n!r}.")
        require(np.shape(w) == (d,), f"the weights should have shape ({d},), got {np.shape(w)}.")
        wrong = int(np.sum(~(y * (X @ w) > 0)))
        require(wrong == 0, f"on a separable sample with m={m}, d={d} your weights leave {wrong} mistake(s).")
        bound = novikoff(np.linalg.norm(X, axis=1).max(), margin(max_margin_separator(X, y), X, y))
        require(n <= bound, f"you counted {n} updates where Novikoff allows {bound}: do you update on right examples?")
    return "the weights separate, and the number of updates obeys Novikoff's bound and attains it where it must."


@exercise
def slow_sample(answer):
    """``answer`` is (X, y): two separable points of the plane on which the perceptron makes 1000 updates or more."""
    X, y = (np.asarray(part, dtype=float) for part in pair(answer, "(X, y)"))
    require(X.shape == (2, 2) and y.shape == (2,), f"two points in the plane are asked for: X has shape {X.shape}.")
    require(np.isin(y, (-1, 1)).all(), f"labels must be -1 or +1, got {y.tolist()}.")
    require(separator(X, y) is not None, "the sample is not separable by a line through the origin.")
    n = perceptron(X, y, itertools.repeat(None), max_iter=1_000_000, keep_path=False).n_steps
    bound = novikoff(np.linalg.norm(X, axis=1).max(), margin(max_margin_separator(X, y), X, y))
    stops = f"Novikoff would allow {bound} updates, but the perceptron stops after {n}"
    require(n >= 1000, f"{stops}: follow the first five by hand.")
    return f"separable, and the perceptron makes {n} updates."
