"""The checks of the chapter on stability and margins accept right answers and say what is wrong with planted ones."""

import numpy as np
from planting import in_lists, planted_tests, told, with_faults

from mlcourse.losses import RhoMargin
from mlcourse_homework.chapters import stability_and_margins as ex


def tight(m, lam, R):
    return np.full(m, R), np.where(np.arange(m) < (m + 1) // 2, 1, -1), 0


@with_faults
def replaced(fit, loss, X, y, X_new, y_new, *, at_the_new_one=False):
    before, after = loss(y, fit(X, y)(X)), []
    for i in range(len(y)):
        X_i, y_i = X.copy(), y.copy()
        X_i[i], y_i[i] = X_new[i], y_new[i]
        x, label = (X_i, y_i) if at_the_new_one else (X, y)
        after.append(loss(label[[i]], fit(X_i, y_i)(x[[i]]))[0])
    return np.mean(after) - np.mean(before)


def moved_to_the_end(fit, loss, X, y, X_new, y_new):
    total = 0.0
    for i, (x, v) in enumerate(zip(X, y, strict=True)):
        h = fit(np.vstack([np.delete(X, i, 0), X_new[i]]), np.append(np.delete(y, i), y_new[i]))
        total += float(loss(v, h(x)) - loss(v, fit(X, y)(x)))  # one point at a time
    return total / len(y)


def in_place(fit, loss, X, y, X_new, y_new):
    before, old, after = loss(y, fit(X, y)(X)), (X.copy(), y.copy()), []
    for i in range(len(y)):
        X[i], y[i] = X_new[i], y_new[i]
        after.append(loss(old[1], fit(X, y)(old[0]))[i])
    return np.mean(after) - np.mean(before)


def always_the_first(fit, loss, X, y, X_new, y_new):
    return replaced(fit, loss, X, y, X_new[[0] * len(y)], y_new[[0] * len(y)])


def gap_on_fresh_examples(fit, loss, X, y, X_new, y_new):
    h = fit(X, y)
    return loss(y_new, h(X_new)).mean() - loss(y, h(X)).mean()


def leave_out(fit, loss, X, y, X_new, y_new):
    after = [loss(y, fit(np.delete(X, i, 0), np.delete(y, i))(X))[i] for i in range(len(y))]
    return np.mean(after) - loss(y, fit(X, y)(X)).mean()


def grid_deviation(m, delta, rhos, B, R):
    return 2 * B * R / (rhos * np.sqrt(m)) + np.sqrt(np.log(len(rhos) / delta) / (2 * m))


RIGHT = {
    ex.tight: [
        tight,
        lambda m, lam, R: (np.full(m, -R), np.where(np.arange(m) < m // 2, 1, -1), m - 1),
        in_lists(tight),
    ],
    ex.replaced: [replaced, moved_to_the_end, lambda *given: np.array(replaced(*given))],
    ex.ramp: [
        lambda z, rho: RhoMargin(rho)(z),
        lambda z, rho: np.interp(z, [0, rho], [1, 0]),
        lambda z, rho: np.clip(1 - z * (1 / rho), 0, 1),
        lambda z, rho: (np.maximum(0, rho - z) - np.maximum(0, -z)) / rho,  # a difference of hinges
    ],
    ex.grid_deviation: [grid_deviation],
}
WRONG = {
    ex.tight: [
        (lambda m, lam, R: (np.full(m, R), np.ones(m), 0), "is possible"),  # hinges at rest
        (lambda m, lam, R: (np.full(m, R / 2), tight(m, lam, R)[1], 0), "is possible"),
        (lambda m, lam, R: (np.full(m, 2 * R), tight(m, lam, R)[1], 0), "|x_j| <= R"),
        (lambda m, lam, R: (np.full(m, R), np.zeros(m), 0), "labels"),
        (lambda m, lam, R: (np.full(m, R), tight(m, lam, R)[1], m), "index"),
        (lambda m, lam, R: tight(m, lam, R)[:2], "3 things"),
        (lambda m, lam, R: (R, 1, 0), "shape"),
    ],
    ex.replaced: [
        (in_place, "changed the sample"),
        (lambda fit, loss, *given: in_place(fit, loss, *(part.copy() for part in given)), "in a new copy"),
        (lambda *given: -replaced(*given), "sign"),
        (lambda *given: len(given[3]) * replaced(*given), "not the sum"),
        *told("mean change", always_the_first, gap_on_fresh_examples, leave_out, lambda *given: float("nan")),
        (replaced(at_the_new_one=True), "old s_i"),
        (lambda *given: [replaced(*given)] * 3, "shape"),
    ],
    ex.ramp: [
        (lambda z, rho: np.maximum(1 - z / rho, 0), "at most 1"),  # the hinge
        (lambda z, rho: (z <= 0).astype(float), "Lipschitz"),
        (lambda z, rho: np.clip(z / rho, 0, 1), "below the zero-one loss"),
        (lambda z, rho: np.clip(1 - z, 0, 1), "1{z < rho}"),  # forgets rho
        (lambda z, rho: np.clip(1 - z / min(rho, 3), 0, 1), "should equal"),  # right up to a margin of three
        (lambda z, rho: np.full(z.shape, np.nan), "should equal"),
        (lambda z, rho: 0.5, "shape"),
    ],
    ex.grid_deviation: [
        (lambda m, d, r, B, R: grid_deviation(m, d * len(r), r, B, R), "fails with probability delta"),
        (lambda m, d, r, B, R: grid_deviation(m, d, 2 * r, B, R), "the deviation at"),
        (lambda m, d, r, B, R: grid_deviation(m, d, r, B, R)[0], "shape"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
