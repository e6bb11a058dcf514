"""The checks of the chapter on nearest neighbours accept right answers and say what is wrong with others."""

import numpy as np
from planting import planted_tests, told

from mlcourse_homework.chapters import nearest_neighbors as ex


def decision_points(x, y, k):
    order = np.argsort(x)
    x, y = x[order], y[order]
    votes = np.convolve(y, np.ones(k, dtype=int), "valid")
    i = np.flatnonzero(np.sign(votes[1:]) != np.sign(votes[:-1]))
    return (x[i] + x[i + k]) / 2


def all_midpoints(x, y, k):
    x, y = np.sort(x), y[np.argsort(x)]
    return ((x[:-k] + x[k:]) / 2)[y[:-k] != y[k:]]


def vote(X, y, new, k, tie=1, last=False, squared=True):
    answers = []
    for z in new:
        distance = ((X - z) ** 2).sum(axis=1) if squared else np.abs(X - z).sum(axis=1)
        order = sorted(range(len(y)), key=lambda i: (distance[i], -i if last else i))[:k]
        total = y[order].sum()
        answers.append(np.sign(total) if total else tie)
    return np.array(answers)


def exact_one_nn(p, eta, D, m):
    beyond = (D[:, None, :] >= D[:, :, None]) @ p
    chance = beyond**m - np.maximum(beyond - p, 0) ** m
    return p @ (chance * (np.outer(1 - eta, eta) + np.outer(eta, 1 - eta))).sum(axis=1)


def extremes(R):
    return ([2 * R, 1 - 2 * R], [0.5, 1.0]), ([1.0], [R])


def window(X, y, new, beta, shift=True):
    t = ((new[:, None] - X) ** 2).sum(axis=2) / (2 * beta**2)
    W = np.exp((t.min(axis=1, keepdims=True) if shift else 0) - t)
    return W @ (y == 1) / W.sum(axis=1)


X, y = np.array([[0, 0], [1, 0.1]]), np.array([-1, 1])
X_TEST, Y_TEST = np.array([[0, 0.1], [1, 0]]), np.array([-1, 1])


RIGHT = {
    ex.decision_points: [decision_points, lambda x, y, k: decision_points(x, y, k).tolist()],
    ex.my_neighbours: [vote],
    ex.units: [(X, y, X_TEST, Y_TEST, 100), (X.tolist(), [-1, 1], X_TEST.tolist(), [-1, 1], 25.0)],
    ex.exact_one_nn: [exact_one_nn],
    ex.extremes: [extremes, lambda R: (([R, R, 1 - 2 * R], [0.5, 0.5, 0.0]), ([0.5, 0.5], [R, 1 - R]))],
    ex.my_window: [window],
}
WRONG = {
    ex.decision_points: [
        *told("no change there", lambda x, y, k: decision_points(x, y, 1), all_midpoints),
        (lambda x, y, k: decision_points(x, y, k)[:-1], "the rule changes"),
        (lambda x, y, k: decision_points(x, y, k)[::-1], "should increase"),
        (lambda x, y, k: decision_points(x, y, k) + 1e-3, "the rule changes"),
        (lambda x, y, k: 0.5, "a list of places"),
        (lambda x, y, k: "none", "the list of places should be"),
    ],
    ex.my_neighbours: [
        (lambda *a: vote(*a, tie=-1), "a tie as +1"),
        (lambda *a: vote(*a, last=True), "taken by index"),
        *told("you predict", lambda *a: vote(*a, squared=False), lambda X, y, new, k: vote(X, y, new, 1)),
        (lambda X, y, new, k: np.zeros(5), "-1 or +1"),
        (lambda X, y, new, k: np.ones(3), "shape (3,)"),
    ],
    ex.units: [
        ((X, y, X_TEST, Y_TEST, 1.5), "should be 1"),
        ((X, y, X_TEST, -Y_TEST, 100), "should be 0"),
        ((X, y, X_TEST, Y_TEST, -100), "positive"),
        ((X, y, X_TEST, Y_TEST, 1e200), "overflow"),
        ((X, [0, 1], X_TEST, Y_TEST, 100), "one label"),
        ((X[:, :1], y, X_TEST, Y_TEST, 100), "two numbers"),
        ((np.zeros((2, 2)), y, X_TEST, Y_TEST, 100), "avoid ties"),
        ((X, y, 100), "5 things"),
    ],
    ex.exact_one_nn: [
        (lambda p, eta, D, m: 2 * p @ (eta * (1 - eta)), "the limit for large m"),
        (lambda p, eta, D, m: exact_one_nn(p, eta, D, m + 1), "sum over all samples"),
        (lambda p, eta, D, m: p, "a number"),
    ],
    ex.extremes: [
        (lambda R: extremes(R)[::-1], "first law"),
        (lambda R: (extremes(R)[0], ([1.0], [R / 2])), "Bayes risk"),
        (lambda R: (extremes(R)[0], extremes(R)[0]), "second law"),
        (lambda R: (([2.0, -1.0], [0.5, 1.0]), ([1.0], [R])), "no law"),
        (lambda R: ([2 * R, 1 - 2 * R], [0.5, 1.0], [1.0], [R]), "a pair"),
    ],
    ex.my_window: [
        (lambda *a: window(*a, shift=False), "0/0"),
        (lambda X, y, new, beta: np.nan_to_num(window(X, y, new, beta, shift=False), nan=0.5), "share"),
        (lambda X, y, new, beta: window(X, y, new, beta * 2**0.5), "share"),
        (lambda X, y, new, beta: window(X, y, new, beta)[:2], "shape (2,)"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
