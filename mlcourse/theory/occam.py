"""Weights on hypotheses, prefix codes, and the bounds that prefer short descriptions.

Letters
    w        weight w(h) of a hypothesis, given before the data; all weights sum to at most one
    bits     length of the code word of a hypothesis, so that w = 2^-bits
    M, d     inner nodes of a decision tree, number of its features, which are 0 or 1

A decision tree is -1, +1 or a tuple (j, low, high): the tree ``low`` if feature j is 0, the tree ``high`` if it is 1.
"""

import math
import reprlib
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from mlcourse.arguments.promises import Result
from mlcourse.arguments.ranges import Confidences, Counts, FromZero, Naturals, Shares, Sizes, are_whole, count, floats
from mlcourse.theory.registry import states

BooleanTree = int | tuple  # -1, +1 or (j, low, high)


@states("thm-occam")
def occam_deviation(m: Sizes, w: Shares, delta: Confidences) -> Result:
    """|true risk - empirical risk| is at most this for every h of a countable class, with probability 1 - delta."""
    return description_deviation(m, -np.log2(w), delta)


@states("thm-occam")
def description_deviation(m: Sizes, bits: FromZero, delta: Confidences) -> Result:
    """The same for a hypothesis described by a word of that many bits of a prefix code."""
    return np.sqrt((bits * math.log(2) + np.log(2 / delta)) / (2 * m))


@states("lem-kraft")
def kraft_sum(lengths: Iterable[int]) -> Fraction:
    """The sum of 2^-length over the words of a code, as an exact fraction."""
    return sum((Fraction(2) ** -length for length in _whole(lengths)), Fraction(0))


def kraft_code(lengths: Iterable[int]) -> list[str]:
    """Words of 0 and 1 with the given lengths, in the given order, of which none begins another."""
    sizes = _admissible(lengths)
    words = [""] * len(sizes)
    counter, before = 0, 0
    for i in sorted(range(len(sizes)), key=sizes.__getitem__):
        counter <<= sizes[i] - before
        words[i] = _digits(counter, sizes[i])
        counter, before = counter + 1, sizes[i]
    return words


def _whole(lengths):
    """The lengths as a list of integers, or an error if one is not whole."""
    numbers = floats("lengths", [*lengths] if np.iterable(lengths) else lengths)
    if numbers.ndim != 1 or not are_whole(numbers).all():
        raise ValueError(f"the lengths of words must be a list of whole numbers, got {reprlib.repr(lengths)}")
    return [int(length) for length in numbers]


def _admissible(lengths):
    """The same, or an error if no prefix code has these lengths."""
    lengths = _whole(lengths)
    if min(lengths, default=0) < 0 or kraft_sum(lengths) > 1:
        raise ValueError(
            f"a prefix code needs lengths >= 0 with a Kraft sum of at most 1, got {lengths[:8]} with "
            f"the sum {float(kraft_sum(lengths)):.4g}"
        )
    return lengths


def is_prefix_free(words: Iterable[str]) -> bool:
    """Whether no word begins another (or equals another); in alphabetical order only neighbours can."""
    ranked: list[Any] = [*words] if np.iterable(words) and not isinstance(words, str) else [None]
    if not all(isinstance(word, str) for word in ranked):
        raise ValueError(f"words must be a list of strings, got {reprlib.repr(ranked)}")
    ranked.sort()
    return not any(longer.startswith(word) for word, longer in zip(ranked, ranked[1:], strict=False))


# --- decision trees ------------------------------------------------------------------------------


def encode_tree(tree: BooleanTree, d: int) -> str:
    """The word of a decision tree on d features, its nodes in the order parent, low, high."""
    word, to_write = "", [checked_tree(tree, d)]
    while to_write:
        node = to_write.pop()
        if isinstance(node, tuple):
            j, low, high = node
            word += "1" + _digits(j, index_bits(d))
            to_write += [high, low]
        else:
            word += "01" if node == 1 else "00"
    return word


def decode_tree(word: str, d: int) -> BooleanTree:
    """The decision tree on d features whose word this is."""
    width = index_bits(d)
    wrong = ValueError(f"the word must be that of one tree on {d} features, got {reprlib.repr(word)}")
    if not isinstance(word, str) or set(word) - {"0", "1"}:
        raise wrong
    try:
        tree, rest = read_tree(word, width)
    except IndexError:
        raise wrong from None
    except RecursionError:
        raise ValueError(f"{wrong}: if it is a tree, it is too deep for Python's recursion") from None
    if rest:
        raise wrong
    return checked_tree(tree, d)


def read_tree(word: str, width: int) -> tuple[BooleanTree, str]:
    """The tree at the beginning of the word, features written in ``width`` bits, and the rest of the word."""
    if word[0] == "0":
        return (1 if word[1] == "1" else -1), word[2:]
    j, rest = int(word[1 : 1 + width] or "0", 2), word[1 + width :]
    low, rest = read_tree(rest, width)
    high, rest = read_tree(rest, width)
    return (j, low, high), rest


def _digits(j: int, width: int) -> str:
    """The number j < 2^width in binary, with ``width`` digits; none if there is nothing to say."""
    return format(j, "b").zfill(width) if width else ""


def index_bits(d: int) -> int:
    """How many bits it takes to name one of d features: the least k with 2^k >= d."""
    return (count("d", d) - 1).bit_length()


@states("prop-tree-code")
def tree_bits(M: Naturals, d: Counts) -> Result:
    """The length of the word of a tree with M inner nodes: 3M + 2 + M ceil(log2 d)."""
    return 3 * M + 2 + M * np.ceil(np.log2(d))


@states("prop-tree-code")
def tree_kraft_sum(d: Counts) -> Result:
    """The Kraft sum of the words of all trees on d features: (1 - sqrt(1 - r)) / r with r = d / 2^ceil(log2 d)."""
    share = d / 2 ** np.ceil(np.log2(d))
    return (1 - np.sqrt(1 - share)) / share


@states("thm-tree-occam")
def tree_deviation(m: Sizes, M: Naturals, d: Counts, delta: Confidences) -> Result:
    """|true risk - empirical risk| is at most this for every tree, M its inner nodes, with probability 1 - delta."""
    return description_deviation(m, tree_bits(M, d), delta)


def checked_tree(tree: BooleanTree, d: int) -> BooleanTree:
    """The tree, or an error if it is not one on d features."""
    d, to_read = count("d", d), [tree]
    while to_read:
        node = to_read.pop()
        if isinstance(node, tuple) and len(node) == 3 and _is_integer(node[0]) and 0 <= node[0] < d:
            to_read += node[1:]
        elif not _is_integer(node) or node not in (-1, 1):
            raise ValueError(
                "a tree must be -1, +1 or a tuple (j, low, high) of a feature and two trees, "
                f"0 <= j < {d}, got {reprlib.repr(node)}"
            )
    return tree


def _is_integer(value):
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))
