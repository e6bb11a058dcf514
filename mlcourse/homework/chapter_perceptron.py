"""Checks for the code exercises of the chapter on the perceptron."""

import itertools

import numpy as np

from mlcourse.data.synthetic import SeparableMargin
from mlcourse.homework.engine import Question, require
from mlcourse.models.linear_separation import margin, max_margin_separator, separator
from mlcourse.models.perceptron import perceptron
from mlcourse.theory.online import novikoff


@Question
def my_perceptron(answer):
    """``answer(X, y)`` returns separating weights and the number of updates of a perceptron started at zero."""
    for m in (1, 3, 8):
        w, n = answer(np.eye(m), np.ones(m, dtype=int))
        require(n > 0, f"on {m} orthonormal point(s) you made no update: what happens when w = 0 and the test is strict?")
        require(n == m, f"on {m} orthonormal points every order makes exactly {m} updates, you counted {n}.")
    rng = np.random.default_rng(0)
    for _ in range(20):
        d, m = int(rng.integers(2, 6)), int(rng.integers(2, 30))
        X, y = SeparableMargin(d=d, rho=0.1).sample(m, rng)
        w, n = answer(X.copy(), y.copy())
        require(np.shape(w) == (d,), f"the weights should have shape ({d},), got {np.shape(w)}.")
        wrong = int(np.sum(y * (X @ w) <= 0))
        require(wrong == 0, f"on a separable sample with m={m}, d={d} your weights leave {wrong} mistake(s).")
        bound = novikoff(np.linalg.norm(X, axis=1).max(), margin(max_margin_separator(X, y), X, y))
        require(n <= bound, f"you counted {n} updates where Novikoff allows {bound}: do you update on right examples?")
    return "the weights separate, and the number of updates obeys Novikoff's bound and attains it where it must."


@Question
def slow_sample(answer):
    """``answer`` is (X, y): two separable points of the plane on which the perceptron makes 1000 updates or more."""
    X, y = np.asarray(answer[0], dtype=float), np.asarray(answer[1])
    require(X.shape == (2, 2) and y.shape == (2,), f"two points in the plane are asked for: X has shape {X.shape}.")
    require(np.isin(y, (-1, 1)).all(), f"labels must be -1 or +1, got {y.tolist()}.")
    require(separator(X, y) is not None, "the sample is not separable by a line through the origin.")
    n = perceptron(X, y, itertools.repeat(None), max_iter=1_000_000, keep_path=False).n_steps
    require(n >= 1000, f"the perceptron stops after {n} updates; make its life harder.")
    return f"separable, and the perceptron makes {n} updates."
