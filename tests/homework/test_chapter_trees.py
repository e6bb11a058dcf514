"""The checks of the exercises on trees accept right answers and say what is wrong with planted wrong ones."""

import functools
import math

import numpy as np
from planting import planted_tests, told

from mlcourse.theory import decode_tree, encode_tree, tree_deviation
from mlcourse_homework.chapters import trees as ex


def gain(psi, alpha, q, r):
    return psi(alpha * q + (1 - alpha) * r) - alpha * psi(q) - (1 - alpha) * psi(r)


def rebuild(boxes, upper=True):
    if len(boxes) == 1:
        return boxes[0][4]
    for j in (1, 0):
        for theta in sorted({box[2 * j + upper] for box in boxes}):
            low = [box for box in boxes if box[2 * j + 1] <= theta]
            high = [box for box in boxes if box[2 * j] >= theta]
            if low and high and len(low) + len(high) == len(boxes):
                return j, theta, rebuild(low), rebuild(high)
    raise AssertionError


def moved(tree, j, by):
    """The tree with the thresholds of attribute j moved."""
    if not isinstance(tree, tuple):
        return tree
    i, theta, low, high = tree
    return i, theta + by * (i == j), moved(low, j, by), moved(high, j, by)


def recited(boxes):
    """Not recursive guillotine cuts but a chain of tests that isolates one box after the other."""
    tree = boxes[-1][4]
    for a1, b1, a2, b2, label in boxes[:-1]:
        for j, low, high in ((1, a2, b2), (0, a1, b1)):
            label = (j, low, tree, (j, high, label, tree))
        tree = label
    return tree


def parity(d, j=0, odd=-1):
    return odd if j == d else (j, parity(d, j + 1, odd), parity(d, j + 1, -odd))


@functools.cache
def shapes(M):
    return sum(shapes(i) * shapes(M - 1 - i) for i in range(M)) if M else 1


FLIP = str.maketrans("01", "10")


def without_last_mark(tree, d):
    """Short and invertible: the last leaf needs no mark if one may look where the word ends; but not prefix-free."""
    word = encode_tree(tree, d)
    return word[:-2] + word[-1]


def test_a_code_is_praised_only_if_it_is_shorter():
    assert "shorter" not in ex.code.check((encode_tree, decode_tree)).message


def occam(errors, m, d, delta, bits=lambda M, d: 3 * M + 2 + M * np.ceil(np.log2(d)), factor=2):
    M = np.arange(len(errors))
    bound = errors / m + np.sqrt((bits(M, d) * math.log(2) + math.log(2 / delta)) / (factor * m))
    return int(bound.argmin()), float(bound.min())


RIGHT = {
    ex.code: [
        (encode_tree, decode_tree),
        (lambda tree, d: encode_tree(tree, d).translate(FLIP), lambda word, d: decode_tree(word.translate(FLIP), d)),
    ],
    ex.gain: [gain, lambda psi, alpha, q, r: np.float64(gain(psi, alpha, q, r))],
    ex.rebuild: [
        rebuild,
        functools.partial(rebuild, upper=False),
        recited,
        lambda boxes: list(rebuild(boxes)) if len(boxes) > 1 else rebuild(boxes),
    ],
    ex.below: [0.4, 0.31, 0.69, 0.6, np.float64(0.45), np.array(0.45)],
    ex.parity: [parity, lambda d: decode_tree(encode_tree(parity(d), d), d)],
    ex.count_shapes: [
        lambda N: shapes(N // 2) if N % 2 else 0,
        lambda N: N % 2 * math.comb(N - 1, N // 2) // (N // 2 + 1),
    ],
    ex.occam: [
        occam,
        lambda errors, m, d, delta: min((e / m + tree_deviation(m, M, d, delta), M) for M, e in enumerate(errors))[
            ::-1
        ],
    ],
}
WRONG = {
    ex.gain: [
        (lambda psi, alpha, q, r: gain(psi, alpha, r, q), "is not right"),
        (lambda psi, alpha, q, r: -gain(psi, alpha, q, r), "no negative gain"),
        (lambda psi, alpha, q, r: psi((q + r) / 2) - psi(q) / 2 - psi(r) / 2, "is not right"),
        (lambda psi, alpha, q, r: psi(alpha * q + (1 - alpha) * r), "is not right"),
        (lambda psi, alpha, q, r: np.array([gain(psi, alpha, q, r)] * 2), "a number"),
        (lambda psi, alpha, q, r: math.nan, "finite"),
    ],
    ex.rebuild: [
        *told("your tree says", lambda boxes: 1, lambda boxes: rebuild([(*box[:4], -box[4]) for box in boxes])),
        (lambda boxes: boxes[0][4] if len(boxes) == 1 else (0, 1.0), "(j, theta, low, high)"),
        (lambda boxes: boxes[0][4] if len(boxes) == 1 else (2, 1.0, 1, 1), "0 or 1"),
        (lambda boxes: None, "your tree says None"),
        (lambda boxes: boxes[0], "(j, theta, low, high)"),
        (lambda boxes: moved(rebuild(boxes), 0, 0.1), "your tree says"),
        (lambda boxes: moved(rebuild(boxes), 1, 0.1), "your tree says"),
        (lambda boxes: moved(rebuild(boxes), 0, -0.1), "your tree says"),
    ],
    ex.below: [
        (0.5, "another"),
        *told("closer", 0.3, 0.7),
        *told("between", 0.0, 1.5),
        *told("a number", "x", [0.4, 0.45]),
    ],
    ex.parity: [
        *told("the parity is", lambda d: parity(d, odd=1), lambda d: (0, -1, 1), lambda d: parity(d, j=1)),
        (lambda d: (1, -1, 1) if d == 1 else parity(d), "one of 0, ..., 0"),
        (lambda d: (0, 0, 1), "a leaf is"),
        (lambda d: (0, 1), "(j, low, high)"),
    ],
    ex.count_shapes: [
        (lambda N: math.comb(2 * N - 2, N - 1) // N if N % 2 else 0, "inner nodes"),
        (lambda N: shapes(N // 2), "odd number of nodes"),
        (lambda N: math.comb(N - 1, N // 2) / (N // 2 + 1) if N % 2 else 0, "exact integer"),
        (lambda N: 4 ** (N // 2), "there are"),
    ],
    ex.code: [
        ((lambda tree, d: str((tree,)), lambda word, d: None), "string of 0 and 1"),
        ((lambda tree, d: encode_tree(tree, d) + "0", lambda word, d: decode_tree(word[:-1], d)), "at most"),
        ((lambda tree, d: encode_tree(tree, d)[:-1], lambda word, d: decode_tree(word + "1", d)), "comes back as"),
        ((encode_tree, lambda word, d: 1), "comes back as"),
        ((without_last_mark, lambda word, d: decode_tree(word[:-1] + "0" + word[-1], d)), "begins the word"),
        (encode_tree, "a pair"),
        ((encode_tree, None), "a function"),
    ],
    ex.occam: [
        (lambda errors, m, d, delta: (int(np.argmin(errors)), 0.1), "the bound"),
        (lambda errors, m, d, delta: (0, 1.0), "you choose"),
        *told("bound", functools.partial(occam, factor=1), functools.partial(occam, bits=lambda M, d: 2 * M + 1)),
        (lambda errors, m, d, delta: (occam(errors, m, d, delta)[0], 0.0), "is not right"),
        (lambda errors, m, d, delta: occam(errors, m, d, delta)[0], "a pair"),
        (lambda errors, m, d, delta: (99, 0.0), "one of 0"),
        (lambda errors, m, d, delta: (occam(errors, m, d, delta)[0], "low"), "a number"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
