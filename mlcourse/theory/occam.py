"""Weights on hypotheses, prefix codes, and the bounds that prefer short descriptions.

Letters
    m        sample size
    w        weight w(h) of a hypothesis, given before the data; all weights sum to at most one
    bits     length of the code word of a hypothesis, so that w = 2^-bits
    delta    failure probability
"""

import math
import reprlib
from fractions import Fraction

import numpy as np

from mlcourse.theory._numbers import are_whole, arrays, confidence, require
from mlcourse.theory.registry import states


@states("thm-occam")
def occam_deviation(m, w, delta):
    """|true risk - empirical risk| is at most this for every h of a countable class, with probability 1 - delta."""
    (w,) = arrays(w)
    require((0 < w) & (w <= 1), "0 < w <= 1")
    return description_deviation(m, -np.log2(w), delta)


@states("thm-occam")
def description_deviation(m, bits, delta):
    """The same for a hypothesis described by a word of that many bits of a prefix code."""
    m, bits = arrays(m, bits)
    require((m >= 1) & (bits >= 0), "m >= 1 and bits >= 0")
    return np.sqrt((bits * math.log(2) + np.log(2 / confidence(delta))) / (2 * m))


@states("lem-kraft")
def kraft_sum(lengths):
    """The sum of 2^-length over the words of a code, as an exact fraction."""
    return sum((Fraction(2) ** -length for length in _whole(lengths)), Fraction(0))


def kraft_code(lengths):
    """Words of 0 and 1 with the given lengths, in the given order, of which none begins another."""
    lengths = _admissible(lengths)
    words = [""] * len(lengths)
    counter, before = 0, 0
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        counter <<= lengths[i] - before
        words[i] = format(counter, "b").zfill(lengths[i]) if lengths[i] else ""
        counter, before = counter + 1, lengths[i]
    return words


def _whole(lengths):
    """The lengths as a list of integers, or an error if one is not whole."""
    (numbers,) = arrays([*lengths] if np.iterable(lengths) else lengths)
    if numbers.ndim != 1 or not are_whole(numbers).all():
        raise ValueError(f"the lengths of words must be a list of whole numbers, got {reprlib.repr(lengths)}")
    return [int(length) for length in numbers]


def _admissible(lengths):
    """The same, or an error if no prefix code has these lengths."""
    lengths = _whole(lengths)
    if min(lengths, default=0) < 0 or kraft_sum(lengths) > 1:
        raise ValueError(f"a prefix code needs lengths >= 0 with a Kraft sum of at most 1, got {lengths[:8]} with "
                         f"the sum {float(kraft_sum(lengths)):.4g}")
    return lengths


def is_prefix_free(words):
    """Whether no word begins another (or equals another); in alphabetical order only neighbours can."""
    words = [*words] if np.iterable(words) and not isinstance(words, str) else [None]
    if not all(isinstance(word, str) for word in words):
        raise ValueError(f"words must be a list of strings, got {reprlib.repr(words)}")
    words.sort()
    return not any(longer.startswith(word) for word, longer in zip(words, words[1:], strict=False))
