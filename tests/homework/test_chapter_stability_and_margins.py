"""The checks of the chapter on stability and margins accept right answers and say what is wrong with planted ones."""

import numpy as np
import pytest

from mlcourse.homework import chapter_stability_and_margins as ex
from mlcourse.losses import RhoMargin


def tight(m, lam, R):
    return np.full(m, R), np.where(np.arange(m) < (m + 1) // 2, 1, -1), 0


def mirrored(m, lam, R):
    return np.full(m, -R), np.where(np.arange(m) < m // 2, 1, -1), m - 1


def as_lists(m, lam, R):
    return [v.tolist() for v in tight(m, lam, R)[:2]] + [0]


@pytest.mark.parametrize("answer", [tight, mirrored, as_lists])
def test_tight_right(answer):
    assert ex.tight.check(answer), ex.tight.check(answer)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda m, lam, R: (np.full(m, R), np.ones(m), 0), "is possible"),  # hinges at rest
        (lambda m, lam, R: (np.full(m, R / 2), tight(m, lam, R)[1], 0), "is possible"),
        (lambda m, lam, R: (np.full(m, 2 * R), tight(m, lam, R)[1], 0), "|x_j| <= R"),
        (lambda m, lam, R: (np.full(m, R), np.zeros(m), 0), "labels"),
        (lambda m, lam, R: (np.full(m, R), tight(m, lam, R)[1], m), "index"),
        (lambda m, lam, R: tight(m, lam, R)[:2], "triple"),
        (lambda m, lam, R: (R, 1, 0), "shape"),
    ],
)
def test_tight_wrong(answer, message):
    verdict = ex.tight.check(answer)
    assert not verdict and message in verdict.message, verdict


def moves(fit, X, y, x_new, y_new):
    w, distances = fit(X, y), []
    for i in range(len(y)):
        X_i, y_i = X.copy(), y.copy()
        X_i[i], y_i[i] = x_new, y_new
        distances.append(np.linalg.norm(fit(X_i, y_i) - w))
    return distances


def in_place(fit, X, y, x_new, y_new):
    w, distances = fit(X, y), []
    for i in range(len(y)):
        X[i], y[i] = x_new, y_new
        distances.append(np.linalg.norm(fit(X, y) - w))
    return distances


def leave_out(fit, X, y, x_new, y_new):
    return [np.linalg.norm(fit(np.delete(X, i, 0), np.delete(y, i)) - fit(X, y)) for i in range(len(y))]


def test_moves_right():
    assert ex.moves.check(moves)


@pytest.mark.parametrize(
    "answer, message",
    [
        (in_place, "changed the sample"),
        (lambda f, X, y, x, v: in_place(f, X.copy(), y.copy(), x, v), "fresh copy"),
        (lambda f, X, y, x, v: np.square(moves(f, X, y, x, v)), "moves the weights by"),
        (lambda f, X, y, x, v: moves(f, X, y, x, v)[0], "shape"),
        (leave_out, "moves the weights by"),
    ],
)
def test_moves_wrong(answer, message):
    verdict = ex.moves.check(answer)
    assert not verdict and message in verdict.message, verdict


@pytest.mark.parametrize("answer", [lambda z, rho: RhoMargin(rho)(z), lambda z, r: np.interp(z, [0, r], [1, 0])])
def test_ramp_right(answer):
    assert ex.ramp.check(answer)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda z, rho: np.maximum(1 - z / rho, 0), "at most 1"),  # the hinge
        (lambda z, rho: (z <= 0).astype(float), "Lipschitz"),
        (lambda z, rho: np.clip(z / rho, 0, 1), "below the zero-one loss"),
        (lambda z, rho: np.clip(1 - z, 0, 1), "1{z < rho}"),  # forgets rho
        (lambda z, rho: 0.5, "shape"),
    ],
)
def test_ramp_wrong(answer, message):
    verdict = ex.ramp.check(answer)
    assert not verdict and message in verdict.message, verdict


def grid_deviation(m, delta, rhos, B, R):
    return 2 * B * R / (rhos * np.sqrt(m)) + np.sqrt(np.log(len(rhos) / delta) / (2 * m))


def test_grid_deviation_right():
    assert ex.grid_deviation.check(grid_deviation)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda m, d, r, B, R: grid_deviation(m, d * len(r), r, B, R), "fails with probability delta"),
        (lambda m, d, r, B, R: grid_deviation(m, d, 2 * r, B, R), "the deviation at"),
        (lambda m, d, r, B, R: grid_deviation(m, d, r, B, R)[0], "shape"),
    ],
)
def test_grid_deviation_wrong(answer, message):
    verdict = ex.grid_deviation.check(answer)
    assert not verdict and message in verdict.message, verdict
