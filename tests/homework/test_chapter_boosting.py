"""The checks of the exercises on boosting accept right answers and say what is wrong with planted wrong ones."""

import numpy as np
from planting import planted_tests, told, with_faults
from scipy.optimize import linprog

from mlcourse.ensembles.resampling import rejection_sample, weighted_sample
from mlcourse_homework.chapters import boosting as ex


@with_faults
def boosting(
    y, weak_learner, n_rounds, *, vote=1.0, grow=1.0, normalise=True, start=1.0, once=True, factor=0.5, forget=False
):
    """AdaBoost with planted mistakes: signs, no normalisation, a first D that is not uniform, another vote."""
    first = np.full(len(y), 1 / len(y)) if start == 1.0 else np.arange(1, len(y) + 1) / np.arange(1, len(y) + 1).sum()
    D, votes = first, []
    for _ in range(n_rounds):
        values = weak_learner(D)
        values = values if once else weak_learner(D)
        base = first if forget else D
        alpha, move = (
            factor * np.log(weights[values == y].sum() / weights[values != y].sum()) for weights in (D, base)
        )
        votes.append(vote * alpha)
        D = base * np.exp(-grow * move * y * values)
        D = D / D.sum() if normalise else D
    return np.array(votes)


def systematic(D, n, rng):
    """Every row as often as it is expected, in random order."""
    return rng.permutation(np.repeat(np.arange(len(D)), np.diff(np.rint(np.cumsum([0, *D]) * n)).astype(int)))


def worst(M, sign=1.0):
    m, N = M.shape
    c, A, total = (
        np.append(np.zeros(m), sign),
        np.column_stack([sign * M.T, -sign * np.ones(N)]),
        np.append(np.ones(m), 0),
    )
    best = linprog(c, A, np.zeros(N), [total], [1], bounds=[(0, None)] * m + [(-2, 2)])
    return best.x[:m]


RIGHT = {
    ex.my_adaboost: [boosting, lambda *given: boosting(*given).tolist()],
    ex.draw: [rejection_sample, weighted_sample, lambda D, n, rng: rng.choice(len(D), n, p=D)],
    ex.worst: [worst],
}
WRONG = {
    ex.my_adaboost: [
        (boosting(vote=-1.0, grow=-1.0), "grow where the rule was right"),  # the printed sign
        (boosting(vote=-1.0), "negative"),
        (boosting(grow=-1.0), "should be exactly 1/2"),
        (boosting(normalise=False), "divide by the sum"),
        (boosting(start=2.0), "uniform"),
        (boosting(factor=1.0), "1/2"),
        (boosting(vote=2.0), "product of the Z_t"),
        *told("once a round", boosting(once=False), lambda y, weak_learner, n_rounds: np.ones(n_rounds)),
        (boosting(forget=True), "the round before"),
        (lambda y, weak_learner, n_rounds: None, "the votes should be"),
        (lambda y, weak_learner, n_rounds: weak_learner(1 / len(y)), "hand to the weak learner"),
    ],
    ex.draw: [
        (lambda D, n, rng: rng.integers(len(D), size=n), "too far apart"),
        (lambda D, n, rng: np.sort(rejection_sample(D, n, rng)), "the one before it"),
        (lambda D, n, rng: rejection_sample(np.sqrt(D) / np.sqrt(D).sum(), n, rng), "too far apart"),
        (lambda D, n, rng: rejection_sample(D, n, rng) + 1, "whole numbers from 0"),
        (lambda D, n, rng: rejection_sample(0.99 * D + 0.01 / len(D), n, rng), "weight 0"),
        (lambda D, n, rng: (lambda i: i[rng.random(n) * D.max() < D[i]])(rng.integers(len(D), size=n)), "shape"),
        (lambda D, n, rng: rejection_sample(D, n, np.random.default_rng(5)), "two generators gave the same"),
        (lambda D, n, rng: rng.permutation(np.tile(rejection_sample(D, n // 2, rng), 2)), "times as much as"),
        (systematic, "varies 0.0 times"),
    ],
    ex.worst: [
        *told("exists", lambda M: np.full(len(M), 1 / len(M)), lambda M: np.eye(len(M))[0]),
        (lambda M: np.ones(len(M)), "a distribution"),
        (lambda M: worst(M.T), "should be an array of shape"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
