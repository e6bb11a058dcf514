"""The checks of the exercises on kernels accept right answers and say what is wrong with planted wrong ones."""

import time

import numpy as np
from planting import planted_tests, told

from mlcourse_homework.chapters import kernels as ex

WITNESSES = {"cubic": [0.0], "root": [0.0, 1.0, 2.0], "cosine": None, "distance": [0.0, 1.0],
             "sigmoid": [0.0], "maximum": [-1.0], "minimum": None}  # fmt: skip


def distances(K):
    return np.sqrt(np.maximum(np.diag(K) - 2 * K.mean(axis=1) + K.mean(), 0))


def centred(K):
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


def ridge_with(factor):
    return lambda K, y, lam: np.linalg.solve(K + factor(lam, len(y)) * np.eye(len(y)), y)


def substrings(s, t):
    total, above = 0, [0] * (len(t) + 1)
    for letter in s:
        row = [0] + [above[j] + 1 if letter == t[j] else 0 for j in range(len(t))]
        total, above = total + sum(row), row
    return total


def parts(string):
    return [string[i:j] for i in range(len(string)) for j in range(i + 1, len(string) + 1)]


def test_the_count_for_long_strings():
    for s in ("ababababa", "abababab"):
        assert ex._of_alternating(len(s)) == sum(u == v for u in parts(s) for v in parts(s))


RIGHT = {
    ex.all_substrings: [substrings],
    ex.which_are_kernels: [WITNESSES, WITNESSES | {"distance": [3, 5, 8], "maximum": np.array([-2.0, 4.0])}],
    ex.distances_to_mean: [distances, lambda K: np.sqrt(np.maximum(np.diag(centred(K)), 0)).tolist()],
    ex.kernel_ridge: [ridge_with(lambda lam, m: lam * m / 2)],
}
WRONG = {
    ex.which_are_kernels: [
        (WITNESSES | {"root": None}, "root is no kernel"),
        (WITNESSES | {"sigmoid": [3.0]}, "sigmoid: the Gram matrix at [3.0] has the smallest eigenvalue 1"),
        (WITNESSES | {"cosine": [0.0, 1.0, 2.0]}, "Can you find features"),
        (WITNESSES | {"minimum": [0.0, 1.0]}, "not negative"),
        (WITNESSES | {"cubic": "ab"}, "should be an array"),
        (WITNESSES | {"cubic": []}, "1 to 100 numbers"),
        (WITNESSES | {"cubic": [np.inf]}, "finite"),
        ({"cubic": [0.0]}, "nothing is said about root, cosine"),
        ([0.0], "a dictionary"),
    ],
    ex.distances_to_mean: [
        (lambda K: distances(K) ** 2, "take the root"),
        (lambda K: np.sqrt(np.diag(K)), "three terms"),
        (lambda K: np.sqrt(np.maximum(np.diag(K) - K.mean(axis=1), 0)), "three terms"),
        (lambda K: distances(K)[:, None], "shape"),
        (lambda K: K @ undefined, "raised NameError"),  # noqa: F821
    ],
    ex.kernel_ridge: [
        (ridge_with(lambda lam, m: lam * m), "It seems that you add lam m to"),
        (ridge_with(lambda lam, m: lam), "It seems that you add lam to"),
        *told("not zero", ridge_with(lambda lam, m: 0.0), lambda K, y, lam: K @ y),
        (lambda K, y, lam: (y, 0.0), "should be an array"),
        (lambda K, y: y, "raised TypeError"),
    ],
    ex.all_substrings: [
        (lambda s, t: len(set(parts(s)) & set(parts(t))), "Each pair of positions counts"),
        *told("pairs", lambda s, t: sum(x == z for x in s for z in t), lambda s, t: substrings(s, t) + 1),
        (lambda s, t: substrings(s, t) if len(s) < 100 else 0, "120 letters the count"),
        (lambda s, t: substrings(s, t) if len(s) < 500 else 0, "600 letters"),
        (lambda s, t: [substrings(s, t), time.sleep(2.1 * (len(s) == 120))][0], "over two seconds"),
        (lambda s, t: [1, 2], "a number"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
