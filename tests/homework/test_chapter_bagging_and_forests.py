"""The checks of the exercises on bagging and forests accept right answers and say what is wrong with planted ones."""

import math

import numpy as np
from planting import in_lists, planted_tests, told

from mlcourse_homework.chapters import bagging_and_forests as ex


def unique_law(m, draws=None):
    law = np.eye(m + 1)[0]
    u = np.arange(m + 1)
    for _ in range(m if draws is None else draws):
        law = law * u / m + np.roll(law * (m - u) / m, 1)
    return law[1:]


def narrow(m):
    """The right mean and no spread."""
    if m < 10:
        return unique_law(m)
    mean, law = m * (1 - (1 - 1 / m) ** m), np.zeros(m)
    low = math.floor(mean)
    law[low - 1], law[low] = low + 1 - mean, mean - low
    return law


def product_law(T, p, all_=None, j=None):
    all_, j = p**T if all_ is None else all_, (T + 1) // 2 if j is None else j
    b = (p - all_) * T / j
    P = np.zeros((2,) * T)
    for e in np.ndindex(P.shape):
        P[e] = b / math.comb(T, j) if sum(e) == j else 0.0
    P[(1,) * T], P[(0,) * T] = all_, 1 - all_ - b
    return P


def independent(T, p):
    P = np.ones(())
    for _ in range(T):
        P = np.multiply.outer(P, [1 - p, p])
    return P


def vote(votes):
    return np.where(votes.sum(axis=0) >= 0, 1, -1)


def out_of_bag_error(votes, counts, y, tie=1):
    unseen = counts == 0
    tested = unseen.any(axis=0)
    totals = (votes * unseen).sum(axis=0)
    return np.mean(np.where(totals == 0, tie, np.sign(totals))[tested] != y[tested])


LAWS = [product_law(7, 0.1), product_law(9, 0.2), product_law(13, 0.3), product_law(11, 0.2, j=7)]
RIGHT = {
    ex.product_law: [
        form(product_law(T, p, j=j))
        for T, p, j in [(7, 0.1, None), (9, 0.2, None), (13, 0.3, None), (11, 0.2, 7)]
        for form in (np.array, np.ndarray.tolist)
    ],
    ex.unique_law: [unique_law, in_lists(unique_law)],
    ex.vote_weights: [
        lambda p: np.log((1 - p) / p),
        lambda p: 0.5 * np.log(1 / p - 1),
        lambda p: [math.log((1 - q) / q) for q in p],
    ],
    ex.out_of_bag_error: [out_of_bag_error, lambda votes, counts, y: float(out_of_bag_error(votes, counts, y))],
}
WRONG = {
    ex.unique_law: [
        (lambda m: unique_law(m, draws=m - 1), "different rows"),
        (lambda m: np.append(0, unique_law(m)), "shape"),
        (lambda m: unique_law(m) if m < 10 else np.full(m, 1 / m), "the mean of your law"),
        (lambda m: unique_law(m) if m < 10 else 2 * unique_law(m), "sum to 1"),
        (lambda m: unique_law(m) if m < 10 else unique_law(m)[::-1], "the mean of your law"),
        (lambda m: np.full(m, 1 / m), "bootstrap samples"),
        (narrow, "variance"),
    ],
    ex.product_law: [
        *told("not above", independent(7, 0.1), product_law(3, 0.1)),
        (product_law(7, 0.1, all_=0.01), "occur together"),
        (product_law(7, 0.6 - 0.1, all_=0.5**7) * 1.1, "sum to 1"),
        (independent(7, 0.6), "below 1/2"),
        (np.moveaxis(np.multiply.outer(independent(6, 0.1), [0.7, 0.3]), -1, 0), "equally likely"),
        *told("odd number of axes", np.full((2, 2), 0.25), np.ones(128) / 128, 0.1),
        (lambda T: T, "raised"),
        (-product_law(7, 0.1), "not negative"),
    ],
    ex.vote_weights: [
        *told("is possible", lambda p: np.ones(len(p)), lambda p: 1 - p, lambda p: 0.5 - p),
        *told("is possible", lambda p: np.log(p / (1 - p)), lambda p: np.maximum(np.log((1 - p) / p), 0)),
        (lambda p: np.log((1 - p) / p)[:-1], "shape"),
    ],
    ex.out_of_bag_error: [
        (lambda votes, counts, y: np.mean(vote(votes) != y), "the error is not right"),
        (lambda votes, counts, y: np.mean(vote(votes * (counts > 0)) != y), "the error is not right"),
        (lambda votes, counts, y: np.mean(vote(votes * (counts == 0)) != y), "left out"),
        (lambda *given: out_of_bag_error(*given, tie=-1), "ties"),
        (lambda votes, counts, y: np.mean((votes != y)[counts == 0]), "the error is not right"),
        (lambda votes, counts, y: votes[0], "a number"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
