"""The checks of the chapter on consistency accept right answers and say what is wrong with planted wrong ones."""

import math

import numpy as np
from planting import planted_tests, told

from mlcourse.theory import interval_class, kraft_code, suprema, vc_sample_size
from mlcourse_homework.chapters import consistency as ex


def interval_suprema(x, sigma):
    walk = np.cumsum(sigma[:, np.argsort(x)], axis=1)
    before = np.minimum.accumulate(np.pad(walk, ((0, 0), (1, 0))), axis=1)[:, :-1]
    inside = np.maximum((walk - before).max(axis=1), 0)
    return (2 * inside - walk[:, -1]) / len(x)


def brute_force(x, sigma):
    return suprema(interval_class(len(x))[:, x.argsort().argsort()], sigma)


def words_for_weights(w):
    return kraft_code([1 - math.frexp(weight)[1] for weight in w])


def points_needed(a):
    m = np.arange(1, len(a) + 1)
    return math.ceil(np.max(1 / (1 - (2 * a) ** (1 / m))) - 1e-9)


RIGHT = {
    ex.interval_suprema: [interval_suprema, brute_force],
    ex.sample_size: [vc_sample_size],
    ex.words_for_weights: [words_for_weights, lambda w: kraft_code(np.ceil(-np.log2(w)))],
    ex.points_needed: [points_needed],
}
WRONG = {
    ex.interval_suprema: [
        (lambda x, s: len(x) * interval_suprema(x, s), "1/m missing"),
        (lambda x, s: interval_suprema(np.sort(x), s), "the supremum is"),  # forgets to sort the signs
        (lambda x, s: np.abs(interval_suprema(x, s)) + 0.1, "No interval agrees so well"),
        (lambda x, s: s, "shape"),
        (lambda x, s: None, "should be"),
    ],
    ex.sample_size: [
        (lambda V, e, d: vc_sample_size(V, e, d) - 1, "above epsilon"),
        (lambda V, e, d: vc_sample_size(V, e, d) + 1, "is enough already"),
        (lambda V, e, d: vc_sample_size(V, e, d) + 0.5, "whole number"),
        (lambda V, e, d: 1 if V > 2 else vc_sample_size(V, e, d), "at least V/2"),
        (lambda V, e, d: [1, 2], "a number"),
    ],
    ex.words_for_weights: [
        (lambda w: kraft_code([len(w)] * len(w)), "fewer than"),
        (lambda w: kraft_code([1 + math.floor(math.log2(1 / weight)) for weight in w]), "fewer than"),
        (lambda w: ["1" * (i + 1) for i in range(len(w))] if len(w) > 1 else [""], "begins"),
        (lambda w: words_for_weights(w)[:-1], "words are expected"),
        (lambda w: [0] * len(w), "strings"),
        (lambda w: kraft_code([math.floor(math.log2(1 / weight)) for weight in w]), "raised ValueError: "),
    ],
    ex.points_needed: [
        (lambda a: 10**6, "are enough"),
        *told("too small", lambda a: 1, lambda a: points_needed(a[:1])),
        (lambda a: 2.5, "whole number"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
