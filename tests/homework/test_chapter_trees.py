"""The checks of the exercises on trees accept right answers and say what is wrong with planted wrong ones."""

import functools
import math

import numpy as np
import pytest

from mlcourse.theory import decode_tree, encode_tree, tree_deviation
from mlcourse_homework.chapters import trees as ex


def gain(psi, alpha, q, r):
    return psi(alpha * q + (1 - alpha) * r) - alpha * psi(q) - (1 - alpha) * psi(r)


def test_gain_right_answers():
    assert ex.gain.check(gain)
    assert ex.gain.check(lambda psi, alpha, q, r: np.float64(gain(psi, alpha, q, r)))


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda psi, alpha, q, r: gain(psi, alpha, r, q), "you get"),
        (lambda psi, alpha, q, r: -gain(psi, alpha, q, r), "no negative gain"),
        (lambda psi, alpha, q, r: psi((q + r) / 2) - psi(q) / 2 - psi(r) / 2, "you get"),
        (lambda psi, alpha, q, r: psi(alpha * q + (1 - alpha) * r), "you get"),
        (lambda psi, alpha, q, r: np.array([gain(psi, alpha, q, r)] * 2), "a number"),
        (lambda psi, alpha, q, r: math.nan, "came out"),
        (0.08, "a function"),
        (None, "no answer"),
    ],
)
def test_gain_wrong_answers(answer, message):
    verdict = ex.gain.check(answer)
    assert not verdict and message in verdict.message


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


def test_rebuild_right_answers():
    assert ex.rebuild.check(rebuild)
    assert ex.rebuild.check(functools.partial(rebuild, upper=False))
    assert ex.rebuild.check(recited)
    assert ex.rebuild.check(lambda boxes: list(rebuild(boxes)) if len(boxes) > 1 else rebuild(boxes))


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda boxes: 1, "your tree says"),
        (lambda boxes: boxes[0][4] if len(boxes) == 1 else (0, 1.0), "(j, theta, low, high)"),
        (lambda boxes: boxes[0][4] if len(boxes) == 1 else (2, 1.0, 1, 1), "0 or 1"),
        (lambda boxes: None, "your tree says None"),
        (lambda boxes: rebuild([(*box[:4], -box[4]) for box in boxes]), "your tree says"),
        (lambda boxes: boxes[0], "(j, theta, low, high)"),
        (lambda boxes: moved(rebuild(boxes), 0, 0.1), "your tree says"),
        (lambda boxes: moved(rebuild(boxes), 1, 0.1), "your tree says"),
        (lambda boxes: moved(rebuild(boxes), 0, -0.1), "your tree says"),
    ],
)
def test_rebuild_wrong_answers(answer, message):
    verdict = ex.rebuild.check(answer)
    assert not verdict and message in verdict.message


@pytest.mark.parametrize("a", [0.4, 0.31, 0.69, 0.6, np.float64(0.45), np.array(0.45)])
def test_below_right_answers(a):
    assert ex.below.check(a)


@pytest.mark.parametrize(
    "answer, message",
    [
        (0.5, "another"),
        (0.3, "closer"),
        (0.7, "closer"),
        (0.0, "between"),
        (1.5, "between"),
        ("x", "a number"),
        ([0.4, 0.45], "a number"),
    ],
)
def test_below_wrong_answers(answer, message):
    assert message in ex.below.check(answer).message and not ex.below.check(answer)


def parity(d, j=0, odd=-1):
    return odd if j == d else (j, parity(d, j + 1, odd), parity(d, j + 1, -odd))


def test_parity_right_answers():
    assert ex.parity.check(parity)
    assert ex.parity.check(lambda d: decode_tree(encode_tree(parity(d), d), d))


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda d: parity(d, odd=1), "the parity is"),
        (lambda d: (0, -1, 1), "the parity is"),
        (lambda d: (1, -1, 1) if d == 1 else parity(d), "one of 0, ..., 0"),
        (lambda d: parity(d, j=1), "the parity is"),
        (lambda d: (0, 0, 1), "a leaf is"),
        (lambda d: (0, 1), "(j, low, high)"),
        (parity(3), "a function"),
    ],
)
def test_parity_wrong_answers(answer, message):
    verdict = ex.parity.check(answer)
    assert not verdict and message in verdict.message


@functools.cache
def shapes(M):
    return sum(shapes(i) * shapes(M - 1 - i) for i in range(M)) if M else 1


def test_count_shapes_right_answers():
    assert ex.count_shapes.check(lambda N: shapes(N // 2) if N % 2 else 0)
    assert ex.count_shapes.check(lambda N: N % 2 * math.comb(N - 1, N // 2) // (N // 2 + 1))


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda N: math.comb(2 * N - 2, N - 1) // N if N % 2 else 0, "inner nodes"),
        (lambda N: shapes(N // 2), "odd number of nodes"),
        (lambda N: math.comb(N - 1, N // 2) / (N // 2 + 1) if N % 2 else 0, "exact integer"),
        (lambda N: 4 ** (N // 2), "there are"),
    ],
)
def test_count_shapes_wrong_answers(answer, message):
    verdict = ex.count_shapes.check(answer)
    assert not verdict and message in verdict.message


def test_code_right_answers():
    verdict = ex.code.check((encode_tree, decode_tree))
    assert verdict and "shorter" not in verdict.message
    flip = str.maketrans("01", "10")
    encode = lambda tree, d: encode_tree(tree, d).translate(flip)  # noqa: E731
    assert ex.code.check((encode, lambda word, d: decode_tree(word.translate(flip), d)))


def shape_only(tree, d):
    return "".join(letter for letter in encode_tree(tree, d))[:-1]


@pytest.mark.parametrize(
    "answer, message",
    [
        ((lambda tree, d: str((tree,)), lambda word, d: None), "string of 0 and 1"),
        ((lambda tree, d: encode_tree(tree, d) + "0", lambda word, d: decode_tree(word[:-1], d)), "at most"),
        ((shape_only, lambda word, d: decode_tree(word + "1", d)), "comes back as"),
        ((encode_tree, lambda word, d: 1), "comes back as"),
        (encode_tree, "a pair"),
        ((encode_tree, None), "a function"),
    ],
)
def test_code_wrong_answers(answer, message):
    verdict = ex.code.check(answer)
    assert not verdict and message in verdict.message


def test_a_code_that_is_short_and_invertible_but_not_prefix_free_is_refused():
    def encode(tree, d):  # the last leaf needs no mark if one may look where the word ends
        word = encode_tree(tree, d)
        return word[:-2] + word[-1]

    verdict = ex.code.check((encode, lambda word, d: decode_tree(word[:-1] + "0" + word[-1], d)))
    assert not verdict and "begins the word" in verdict.message


def occam(errors, m, d, delta, bits=lambda M, d: 3 * M + 2 + M * np.ceil(np.log2(d)), factor=2):
    M = np.arange(len(errors))
    bound = errors / m + np.sqrt((bits(M, d) * math.log(2) + math.log(2 / delta)) / (factor * m))
    return int(bound.argmin()), float(bound.min())


def test_occam_right_answers():
    assert ex.occam.check(occam)
    assert ex.occam.check(
        lambda errors, m, d, delta: min((e / m + tree_deviation(m, M, d, delta), M) for M, e in enumerate(errors))[::-1]
    )


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda errors, m, d, delta: (int(np.argmin(errors)), 0.1), "you choose"),
        (lambda errors, m, d, delta: (0, 1.0), "you choose"),
        (functools.partial(occam, factor=1), "bound"),
        (functools.partial(occam, bits=lambda M, d: 2 * M + 1), "bound"),
        (lambda errors, m, d, delta: (occam(errors, m, d, delta)[0], 0.0), "you say"),
        (lambda errors, m, d, delta: occam(errors, m, d, delta)[0], "a pair"),
        (lambda errors, m, d, delta: (99, 0.0), "one of 0"),
        (lambda errors, m, d, delta: (occam(errors, m, d, delta)[0], "low"), "a number"),
    ],
)
def test_occam_wrong_answers(answer, message):
    verdict = ex.occam.check(answer)
    assert not verdict and message in verdict.message
