"""Homework: the perceptron, from one update to Novikoff's bound and to samples that make it slow."""

import itertools

import numpy as np

from mlcourse.data.synthetic import SeparableMargin
from mlcourse.models.linear import linear_separation
from mlcourse.models.linear.linear_separation import augmented, max_margin_separator
from mlcourse.models.linear.perceptron import perceptron
from mlcourse_homework.engine.answers import (
    Wrong,
    array,
    bounds,
    brief,
    close,
    for_all,
    number,
    pair,
    require,
    requiring,
    sharp_bound,
    show,
    slip,
)
from mlcourse_homework.engine.question import Homework

homework = Homework(__file__, "The perceptron")
progress = homework.progress


def samples(rng, sizes=(1, 2, 3, 3, 5, 10, 20)):
    """Samples that a hyperplane through the origin separates, small ones with integer coordinates first."""
    for m in sizes:
        X, y = SeparableMargin(d=1 + m // 3, rho=0.02).sample(m, rng)
        if m <= 3:
            X = np.append(rng.integers(-3, 4, (m, 1)), np.ones((m, 1)), axis=1)
            y = np.where(X @ (2, -1) >= 0, 1, -1)
        yield X, y


def slow(d):
    """The sample of d points that takes a perceptron (4^d - 1)/3 updates."""
    return np.eye(d) - np.tri(d, k=-1), np.ones(d)


def weights(X, y):
    """The weights of the perceptron after each update, the first is zero."""
    return np.array(perceptron(X, y, itertools.repeat(None)).path)


def separable(X, y):
    """Whether a hyperplane through the origin separates the sample."""
    return linear_separation.separator(X, y) is not None


def n_updates(X, y):
    """The number of updates of the perceptron."""
    return perceptron(X, y, itertools.repeat(None), max_iter=10**6, keep_path=False).n_steps


@homework.question()
def q1(answer):
    """``answer(w, x, y, tau)`` returns the weights after the perceptron has seen the example (x, y)."""

    def holds(w, x, y, tau):
        margin, got = y * (w @ x), array(answer(w, x, y, tau), w.shape, "the new w")
        tried = f"{show(w=w, x=x, y=y, tau=tau)}, so y w.x = {margin:g}"
        need, same = requiring(tried, got), np.array_equal(got, w)
        if margin > 0:
            return need(same, "the example was right, so w should stay as it is.", f"w = {brief(w)}")
        need(not x.any() or not same, "the example counts as a mistake, since y w.x <= 0, but w did not change.")
        close(got, w + tau * y * x, "the new w", tried)

    rng = np.random.default_rng(1)
    cases = itertools.product((1.0, 0.25), (1, 2, 3), (1, -1), (1.0, 0.5, 3.0), range(5))
    drawn = [(*rng.integers(-2, 3, (2, d)) * scale, y, tau) for scale, d, y, tau, _ in cases]
    for_all([(np.zeros(2), np.array([1.0, 2.0]), 1, 1.0), (np.zeros(1), np.ones(1), -1, 1.0), *drawn], holds)
    return "right examples change nothing, mistakes (and scores of zero) move w by tau y x."


@homework.question()
def q2(answer):
    """``answer(t, R)`` is the best upper bound on ||w_t||^2 after t updates on points no longer than R."""

    def attained(t, R):
        why = "on t orthogonal points of length R with labels +1 each is a mistake"
        bound = number(answer(t, R), "the bound")
        sharp_bound(bound, t * R**2, show(t=t, R=R), why, "each update adds less than you allow.")

    def valid(X, y):
        R = np.linalg.norm(X, axis=1).max()
        for t, w in enumerate(weights(X, y)):
            bounds(number(answer(t, R), "the bound"), w @ w, f"a run on {len(X)} points, {show(t=t, R=R)}")

    for_all(itertools.product((1, 2, 5, 0), (1.0, 2.0, 0.5, 3.3)), attained)
    for_all([*samples(np.random.default_rng(2)), slow(4)], valid, separable)
    return "no run exceeded your bound, and on orthogonal points it is attained."


@homework.question()
def q3(answer):
    """``answer(t, rho)`` is the best lower bound on u.w_t after t updates, for a unit vector u with margin rho."""

    def attained(t, rho):
        bound, slack = number(answer(t, rho), "the bound"), "each update gains more than you say."
        sharp_bound(bound, t * rho, show(t=t, rho=rho), "let every example have y u.x exactly rho", slack, "lower")

    def valid(X, y):
        u = max_margin_separator(X, y)
        u = u / np.linalg.norm(u)
        rho = (y * (X @ u)).min()
        for t, w in enumerate(weights(X, y)):
            tried = f"a run on {len(X)} points, {show(t=t, rho=rho)}"
            bounds(number(answer(t, rho), "the bound"), u @ w, tried, "lower")

    for_all(itertools.product((1, 2, 7, 0), (1.0, 0.5, 0.1, 2.5)), attained)
    for_all([*samples(np.random.default_rng(3)), slow(4)], valid, separable)
    return "no run stayed below your bound, and it is attained where every example has margin exactly rho."


@homework.question()
def q4(answer):
    """``answer(R, rho)`` is the largest number of updates possible, a whole number."""

    def holds(R, rho, most):
        got = number(answer(R, rho), "the number of updates")
        need = requiring(f"{show(R=R, rho=rho)}, so (R/rho)^2 = {(R / rho) ** 2:g}", got)
        need(got == int(got), "the number of updates is a whole number.")
        why = f"{most}: on {most} orthogonal points of length R, whose best margin is R / sqrt({most})"
        need(got >= most, f"a perceptron can make {most} update{'s' * (most > 1)}.", why)
        why = "a whole number t with t <= (R/rho)^2, the largest one"
        need(got <= most, "true, but a smaller whole number is a bound too.", why)

    exact = [(1.0, 1.0, 1), (2.0, 1.0, 4), (1.0, 0.25, 16), (4.0, 0.125, 1024)]
    between = [(R, R / np.sqrt(n + share), n) for n in (1, 2, 3, 10, 99) for share in (0.3, 0.7) for R in (1.0, 2.5)]
    for_all(exact + between, holds)
    return "right on every pair, and never more than what orthogonal points attain."


@homework.question()
def q5(answer):
    """``answer(w, X, y)`` is the margin with which w separates the sample; negative if it does not."""

    def holds(w, X, y):
        z, length, got = y * (X @ w), np.linalg.norm(w), number(answer(w, X, y), "the margin")
        slips = {
            "is it divided by the length of w?": z.min(),
            "the smallest, not the mean, is the margin": z.mean() / length,
            "the smallest, not the largest, is the margin": z.max() / length,
            "do the labels give the distances their signs?": np.abs(z).min() / length,
        }
        right, should = z.min() / length, f"the smallest of y_i w.x_i / |w| = {brief(z / length)}"
        message = f"this is not the margin{slip(got, slips) or '.'}"
        require(np.isclose(got, right, rtol=1e-6), message, show(w=w, X=X, y=y), got, should)

    rng = np.random.default_rng(5)
    drawn = [
        (rng.integers(-3, 4, d) + 0.5, rng.integers(-3, 4, (m, d)) + 0.25, rng.choice((-1, 1), m))
        for m, d in ((1, 1), (1, 2), (2, 2), (3, 2), (8, 3), (20, 4))
        for _ in range(4)
    ]
    apart = (3.0 * np.eye(2)[0], np.array([[2.0, 1.0], [-1.5, 5.0], [4.0, 0.0]]), np.array([1, -1, 1]))
    for_all([apart, *drawn], holds, valid=lambda w, X, y: w.any())
    return "it agrees with the definition, does not depend on the length of w, and is negative where w fails."


@homework.question()
def q6(answer):
    """``answer(X, y)`` returns the final weights and the number of updates: in order, from zero, with step 1."""
    for m in (1, 3):
        w, n = pair(answer(np.eye(m), np.ones(m)), "(w, number of updates)")
        require(np.ndim(w) or not np.ndim(n), "the weights come first, then the number of updates.")
        require(np.any(w) or n != 0, "you made no update at all: at w = 0 every score is 0 and counts as a mistake.")
        close(n, m, "the number of updates", f"{m} orthogonal points of length one with labels +1")

    def holds(X, y):
        path, (w, n) = weights(X, y), pair(answer(X, y), "(w, number of updates)")
        w, tried = array(w, X.shape[1:], "w"), f"{show(X=X, y=y)} (m = {len(X)}, d = {X.shape[1]})"
        wrong = int((~(y * (X @ w) > 0)).sum())
        require(wrong == 0, f"{wrong} of {len(X)} examples are still wrong.", tried, f"w = {brief(w)}")
        close(n, len(path) - 1, "the number of updates", tried)
        close(w, path[-1], "w", f"{tried}: in the given order, from zero, with step 1")

    drawn = samples(np.random.default_rng(6), (1, 2, 3, 3, 3, 5, 10, 20, 40))
    for_all([*drawn, *map(slow, (3, 4, 5, 6))], holds, separable)
    return "the same weights and the same number of updates as the perceptron of the course, on every sample."


@homework.question(kind="value")
def q7(answer):
    """``answer`` is (X, y), on the line, on which the perceptron with bias makes more than floor((R/rho)^2) updates."""
    X, y = _sample(answer)
    require(X.shape[1] == 1, f"points on the line are asked for: X should have one column, got {X.shape[1]}.")
    require(len(np.unique(y)) == 2, "both labels should occur.", show(X=X, y=y))
    plus, minus = X[y > 0], X[y < 0]
    rho, R = max(plus.min() - minus.max(), minus.min() - plus.max()) / 2, np.abs(X).max()
    require(rho > 0, "no threshold separates these points.", show(X=X, y=y))
    n, most = n_updates(augmented(X), y), int(np.floor((R / rho) ** 2 * (1 + 1e-9)))
    got = f"{n} update{'s' * (n > 1)}; R = {R:.4g} and the best margin with a bias is {rho:.4g}"
    more = f"more than floor((R/rho)^2) = {most} updates"
    require(n > most, "here the bound of the theorem without bias still holds.", show(X=X, y=y), got, more)
    return f"{n} updates, although floor((R/rho)^2) = {most}: with a bias the theorem is about (x, 1), not about x."


@homework.question()
def q8(answer):
    """``answer(d)`` is (X, y): d points of R^d, entries -1, 0 or 1, that take a perceptron 2^d - 1 updates or more."""
    for d in range(1, 9):
        X, y = _sample(answer(d))
        require(X.shape == (d, d), f"for d = {d} the points should form an array of shape ({d}, {d}), got {X.shape}.")
        require(np.isin(X, (-1, 0, 1)).all(), f"for d = {d}: every entry should be -1, 0 or 1.", got=X)
        never = "the sample is not separable by a hyperplane through the origin: the perceptron would never stop."
        require(separable(X, y), f"for d = {d} {never}", show(X=X, y=y))
        n, need = n_updates(X, y), f"at least 2^d - 1 = {2**d - 1}"
        require(n >= 2**d - 1, f"for d = {d} the perceptron stops too early.", show(X=X, y=y), f"{n} updates", need)
    return f"separable, and exponentially slow: {n} updates for d = {d}."


@homework.question()
def q9(answer):
    """``answer(X, y)`` returns weights that separate the sample, through the origin, or None if there are none."""

    def holds(X, y):
        got, tried, known = answer(X, y), show(X=X, y=y), linear_separation.separator(X, y)
        if known is None:
            none = "no hyperplane through the origin separates this sample: None was asked for."
            return require(got is None, none, tried, got)
        there = f"for example w = {brief(known)}"
        require(got is not None, "you found no separating weights, but there are some.", tried, should=there)
        w = array(got, X.shape[1:], "w")
        z = y * (X @ w)
        wrong = f"your weights leave {(~(z > 0)).sum()} of {len(X)} examples wrong, or on the hyperplane."
        require((z > 0).all(), wrong, tried, f"w = {brief(w)}, y w.x = {brief(z)}")

    xor = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]])
    points = [[[-1.0]], [[1.0], [2.0]], [[0.0, 0.0]], xor[:3], xor, augmented(xor), augmented(xor)]
    labels = [[1], [1, -1], [1], [1, 1, -1], [1, 1, -1, -1], [1, 1, -1, -1], [1, -1, -1, -1]]
    narrow = [(np.array([[1.0, 2], [-1, -2 - gap]]), np.array([1, 1])) for gap in (0.1, 0.001)]
    rng = np.random.default_rng(9)
    noise = [(rng.normal(size=(m, 3)).round(1), rng.choice((-1, 1), m)) for m in (4, 6, 8, 30)]
    skewed = np.array([[-2.0, 1], [-1, 1], [1, 1], [100, 1]]), np.array([-1, -1, 1, 1])  # no job for least squares
    first = [*zip(map(np.array, points), map(np.array, labels), strict=True), narrow[0]]
    for_all([*first, *samples(rng), *noise, skewed, narrow[1], slow(8)], holds)
    return "every separable sample was separated, and on the others you said so: no perceptron needed."


def _sample(answer):
    """The points and labels of an answer (X, y)."""
    X, y = pair(answer, "(X, y)")
    try:
        X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    except (TypeError, ValueError):
        raise Wrong("X and y should be arrays of numbers.") from None
    require(X.ndim == 2, f"X should have a row for each point and a column for each coordinate, got shape {X.shape}.")
    shapes = f"got shapes {X.shape} and {y.shape}."
    require(y.shape == (len(X),) and X.size, f"X should have one row for each label of y, {shapes}")
    require(np.isfinite(X).all(), "the points should be finite.")
    require(np.isin(y, (-1, 1)).all(), f"labels must be -1 or +1, got {brief(y)}.")
    return X, y
