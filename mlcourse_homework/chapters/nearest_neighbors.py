"""Checks for the code exercises of the chapter on nearest neighbours."""

import itertools

import numpy as np

from mlcourse_homework.engine.answers import array, close, number, pair, require
from mlcourse_homework.engine.exercise import because, exercise, things


def _vote(x, y, z, k):
    """The answer at z of the k nearest numbers of x; no ties here."""
    return 1 if y[np.argsort(np.abs(x - z))[:k]].sum() > 0 else -1


@exercise
def decision_points(answer, rng):
    """``answer(x, y, k)`` returns all places, increasing, where the k-nearest-neighbour rule on the line changes."""
    for m, k in [(2, 1), (5, 1), (8, 1), (6, 3), (9, 3), (12, 5), (15, 7)] * 6:
        x, y = rng.choice(np.arange(60), size=m, replace=False) / 4, rng.choice([-1, 1], size=m)
        sample = f"x = {x.tolist()}, y = {y.tolist()}, k = {k}"
        got = answer(x, y, k)
        places = array(got, np.shape(got), "the list of places")
        require(places.ndim == 1, f"a list of places is expected, got shape {places.shape}.")
        require((np.diff(places) > 0).all(), f"on {sample} the places should increase, got {places.tolist()}.")
        step = 1 / 64  # midpoints are multiples of 1/8
        grid = np.arange(-1, 16, 1 / 16) + step
        votes = np.array([_vote(x, y, z, k) for z in grid])
        truth = grid[1:][votes[1:] != votes[:-1]] - step  # the border is the grid point before the change
        for place in places:
            left, right = _vote(x, y, place - step, k), _vote(x, y, place + step, k)
            require(left != right, f"on {sample} the rule says {left:+d} on both sides of {place:g}: no change there.")
        message = f"on {sample} the rule changes {len(truth)} times, at {truth.tolist()}; you return {places.tolist()}."
        require(len(places) == len(truth) and np.allclose(places, truth, atol=1e-9), message)
    return "the changes were the right ones on 42 samples, for one neighbour and for several."


@exercise
def my_neighbours(answer, rng):
    """``answer(X, y, new, k)`` returns the votes of the k nearest points; ties of distance by index, of votes +1."""
    for m, d in [(1, 1), (2, 1), (4, 2), (7, 2), (12, 1), (12, 2), (40, 2), (60, 3)] * 4:
        X, y = rng.integers(0, 3, size=(m, d)).astype(float), rng.choice([-1, 1], size=m)
        new = rng.integers(-1, 4, size=(5, d)) / 1.0
        for k in sorted({1, 2, m // 2 + 1, m} & {*range(1, m + 1)}):
            got = array(answer(X, y, new, k), (5,), "the predictions")
            require(np.isin(got, (-1, 1)).all(), f"predictions should be -1 or +1, got {got.tolist()}.")
            for z, label in zip(new, got, strict=True):
                order = sorted(range(m), key=lambda i: (((X[i] - z) ** 2).sum(), i))
                votes = sum(int(y[i]) for i in order[:k])
                where = f"X = {X.tolist()}, y = {y.tolist()}, new point {z.tolist()}, k = {k}"
                near = f"the neighbours have the indices {order[:k]} and their labels add up to {votes}"
                message = f"you predict {label:+.0f}: are equidistant points taken by index, and a tie as +1?"
                require(label == (1 if votes >= 0 else -1), message, where, f"{label:+.0f}", near)
    return "every vote was right, with ties of distances and of votes, for k from 1 to m."


@exercise
def units(answer):
    """``answer`` is (X, y, X_test, y_test, s): one neighbour is right on all test points, and on none after * s."""
    *sample, s = things(answer, 5, "(X, y, X_test, y_test, s)")
    X, y, X_test, y_test = (np.asarray(part, dtype=float) for part in sample)
    for name, points, labels in (("the training sample", X, y), ("the test sample", X_test, y_test)):
        shape = f"the points of {name} should be rows of two numbers, got shape {points.shape}."
        require(points.ndim == 2 and points.shape[1] == 2 and len(points) > 0, shape)
        labelled = labels.shape == (len(points),) and np.isin(labels, (-1, 1)).all()
        require(labelled, f"{name} should have one label -1 or +1 for each point, got {labels.tolist()}.")
        require(np.isfinite(points).all(), f"the points of {name} should be finite.")
    s = number(s, "s")
    require(s > 0, f"the factor s should be positive, got {s}.")

    def error(unit):
        scale = np.array([1.0, unit])
        with np.errstate(over="ignore", invalid="ignore"):
            D = ((X_test[:, None] * scale - X * scale) ** 2).sum(axis=2)
        require(np.isfinite(D).all(), f"with the factor {unit:g} the distances overflow: choose smaller numbers.")
        nearest_two = np.sort(D, axis=1)[:, :2]
        tie = (len(X) > 1) and (nearest_two[:, 0] == nearest_two[:, -1]).any()
        require(not tie, "a test point has two nearest training points at the same distance: avoid ties.")
        return np.mean(y[D.argmin(axis=1)] != y_test)

    before, after = error(1.0), error(s)
    require(before == 0, f"before the change of unit the test error should be 0, it is {before:.2f}.")
    require(after == 1, f"after multiplying the second feature by {s:g} the test error should be 1, it is {after:.2f}.")
    return f"no test error as given, and nothing but errors once the second feature is multiplied by {s:g}."


@exercise
def exact_one_nn(answer, rng):
    """``answer(p, eta, D, m)`` returns the expected risk of one neighbour on a finite law, ties excluded."""
    for n, m in [(1, 2), (2, 1), (2, 4), (3, 1), (3, 2), (3, 3), (4, 3)] * 3:
        x, p, eta = rng.normal(size=(n, 2)), rng.dirichlet(np.ones(n)), rng.random(n)
        D = np.linalg.norm(x[:, None] - x, axis=2)
        got = number(answer(p, eta, D, m), "the expected risk")
        risk = 0.0
        for sample in itertools.product(range(n), repeat=m):
            for i in range(n):
                j = min(sample, key=lambda s, i=i: D[i, s])
                risk += p[list(sample)].prod() * p[i] * (eta[j] * (1 - eta[i]) + (1 - eta[j]) * eta[i])
        case = f"{n} points with p = {p.round(3).tolist()}, eta = {eta.round(3).tolist()}, m = {m}"
        limit = "It is the limit for large m, when the neighbour is at the point itself."
        why = because((n > 1 and np.isclose(got, 2 * p @ (eta * (1 - eta))), limit))
        right = np.isclose(got, risk, rtol=1e-8, atol=1e-10)
        require(right, f"it is not the sum over all samples.{why}", case, got, risk)
    return "equal to the sum over all samples on 21 laws."


@exercise
def extremes(answer):
    """``answer(R)`` returns two laws ((p, eta), (p, eta)) of Bayes risk R, one at each end of Cover and Hart."""
    for R in (0.01, 0.1, 0.25, 0.37, 0.49):
        laws = pair(answer(R), "((p, eta), (p, eta))")
        for law, end, name in zip(laws, (R, 2 * R * (1 - R)), ("first", "second"), strict=True):
            p, eta = (np.atleast_1d(np.asarray(part, dtype=float)) for part in pair(law, "(p, eta)"))
            require(p.shape == eta.shape and p.ndim == 1, f"R = {R}: the {name} law needs one eta for each point.")
            proper = (p >= 0).all() and np.isclose(p.sum(), 1) and ((eta >= 0) & (eta <= 1)).all()
            require(proper, f"R = {R}: p = {p.tolist()}, eta = {eta.tolist()} is no law: probabilities, please.")
            bayes, limit = p @ np.minimum(eta, 1 - eta), 2 * p @ (eta * (1 - eta))
            require(np.isclose(bayes, R), f"R = {R}: the {name} law has Bayes risk {bayes:.4f}, not {R}.")
            message = f"R = {R}: for the {name} law 2 E eta (1 - eta) is {limit:.4f}, it should be {end:.4f}."
            require(np.isclose(limit, end), message)
    return "both ends are attained, for five values of R."


@exercise
def my_window(answer, rng):
    """``answer(X, y, new, beta)`` returns eta-hat of the Gaussian kernel rule, also where all weights underflow."""
    for m, d, reach in [(1, 1, 1), (5, 1, 1), (20, 2, 1), (50, 3, 1), (20, 2, 1e3), (5, 1, 1e5)] * 3:
        X, y = rng.normal(size=(m, d)), rng.choice([-1, 1], size=m)
        new, beta = reach * rng.normal(size=(4, d)), float(rng.exponential() + 0.2)
        with np.errstate(all="ignore"):
            got = array(answer(X, y, new, beta), (4,), "the estimates")
        for z, value in zip(new, got, strict=True):
            t = np.array([((z - x) ** 2).sum() / (2 * beta**2) for x in X])
            W = np.exp(t.min() - t)
            right = W[y == 1].sum() / W.sum()
            case = f"{m} points, beta = {beta:.2f}, nearest point {np.sqrt(2 * t.min()):.0f} bandwidths away"
            require(np.isfinite(value), f"with {case} you return {value}: all weights are zero, and 0/0 is no answer.")
            close(value, right, "the share of the positive labels", case)
    return "right near the sample and a hundred thousand bandwidths away."
