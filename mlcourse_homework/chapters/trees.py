"""Checks for the code exercises of the chapter on decision trees.

A tree on features that are 0 or 1 is -1, +1 or a tuple (j, low, high).
"""

import itertools
import math
import reprlib

import numpy as np

from mlcourse.theory import catalan, encode_tree, is_prefix_free, tree_bits, tree_deviation
from mlcourse_homework.engine.answers import close, function, number, pair, require
from mlcourse_homework.engine.exercise import exercise

CONCAVE = {
    "min(a, 1 - a)": lambda a: np.minimum(a, 1 - a),
    "2 a (1 - a)": lambda a: 2 * a * (1 - a),
    "sqrt(a (1 - a))": lambda a: np.sqrt(a * (1 - a)),
    "ln(1 + a)": lambda a: np.log1p(a),
}


@exercise
def gain(answer, rng):
    """``answer(psi, alpha, q, r)`` returns psi(p) - alpha psi(q) - (1 - alpha) psi(r), p = alpha q + (1 - alpha) r."""
    for name, psi in CONCAVE.items():
        for alpha, q, r in [(0.5, 0.6, 1.0), *rng.random((30, 3)).tolist()]:
            got = number(answer(psi, alpha, q, r), "the gain")
            right = max(0.0, psi(alpha * q + (1 - alpha) * r) - alpha * psi(q) - (1 - alpha) * psi(r))  # not -1e-17
            where = f"psi(a) = {name}, alpha = {alpha:.3g}, q = {q:.3g}, r = {r:.3g}"
            concave = "a concave psi has no negative gain: is q weighted by alpha and r by 1 - alpha?"
            require(got >= -1e-9, concave, where, got, right)
            close(got, right, "the gain psi(p) - alpha psi(q) - (1 - alpha) psi(r)", where, rtol=1e-5)
    return "right for four concave functions, and never negative."


@exercise
def rebuild(answer, rng):
    """``answer(boxes)``, boxes (a1, b1, a2, b2, label), returns nested (j, theta, low, high) with the same labels."""
    for n_boxes in [1, 2, 3, 5, 8, 13] * 5:
        boxes = _guillotine(n_boxes, rng)
        tree = answer([tuple(box) for box in boxes])
        for a1, b1, a2, b2, label in boxes:
            for x in ((a1 + b1) / 2, (a2 + b2) / 2), (b1, b2), (b1, a2 + 1e-6), (a1 + 1e-6, b2):
                got, where = _route(tree, x), f"with the boxes {boxes} the point {x} lies in a box with label {label}"
                require(got == label, f"{where}, your tree says {got}.")
    return "the labels agree on 30 pictures, inside the boxes and at their edges."


def _guillotine(n_boxes, rng):
    """The boxes of a random tree with that many leaves on the square (0, 16] x (0, 16], edges at multiples of 1/4."""
    boxes = [[0.0, 16.0, 0.0, 16.0]]
    while len(boxes) < n_boxes:
        box, j = boxes.pop(int(rng.integers(len(boxes)))), 2 * int(rng.integers(2))
        cuts = np.arange(box[j] + 0.25, box[j + 1], 0.25)
        if not len(cuts):
            boxes.append(box)
            continue
        theta = float(rng.choice(cuts))
        low, high = box.copy(), box.copy()
        low[j + 1] = high[j] = theta
        boxes += [low, high]
    return [(*boxes[i], int(rng.choice([-1, 1]))) for i in rng.permutation(n_boxes)]


def _route(tree, x):
    """The label that nested tuples (j, theta, low, high) give to the point x."""
    while isinstance(tree, (tuple, list)):
        require(len(tree) == 4, f"an inner node is (j, theta, low, high), got {reprlib.repr(tree)}.")
        j, theta, low, high = tree
        require(j in (0, 1), f"the attribute j of a node is 0 or 1, got {j!r}.")
        tree = low if x[int(j)] <= theta else high
    return tree


@exercise
def below(answer):
    """A number a, not 1/2, at which the entropy with natural logarithms is below min(a, 1 - a)."""
    a = number(answer, "a")
    require(0 < a < 1, f"a should lie between 0 and 1, got {a:g}.")
    require(abs(a - 0.5) > 1e-9, "one half is the example of the text: find another.")
    value, least = -(a * math.log(a) + (1 - a) * math.log(1 - a)) / 2, min(a, 1 - a)
    entropy = f"at a = {a:g} the entropy with ln is {value:.4f}"
    require(value < least, f"{entropy}, not below min(a, 1 - a) = {least:.4f}: go closer to one half.")
    return f"{entropy}, below {least:.4f}."


@exercise
def parity(answer):
    """``answer(d)`` returns a tree that is +1 on the points of {0, 1}^d with an odd number of ones, -1 elsewhere."""
    for d in (2, 3, 1, 5):
        tree = answer(d)
        for x in itertools.product((0, 1), repeat=d):
            got, right = _value(tree, x, d), 1 if sum(x) % 2 else -1
            require(got == right, f"for d = {d} your tree says {got} at {x}, the parity is {right}.")
    return "the truth tables agree for d = 1, 2, 3 and 5."


def _value(tree, x, d):
    """The label that a tree (j, low, high) gives to the bits x."""
    while isinstance(tree, (tuple, list)):
        require(len(tree) == 3, f"an inner node is (j, low, high), got {reprlib.repr(tree)}.")
        require(tree[0] in range(d), f"the attribute j of a node is one of 0, ..., {d - 1}, got {tree[0]!r}.")
        tree = tree[2] if x[int(tree[0])] else tree[1]
    require(tree in (-1, 1), f"a leaf is -1 or +1, got {reprlib.repr(tree)}.")
    return tree


@exercise
def count_shapes(answer):
    """``answer(N)`` returns the number of ordered binary trees with N nodes, each inner node with two children."""
    for N in [1, 2, 3, 4, 5, 7, 9, 10, 21, 31, 201]:
        got, right = answer(N), catalan(N // 2) if N % 2 else 0
        why = "a full binary tree has an odd number of nodes" if N % 2 == 0 else f"it has {N // 2} inner nodes"
        require(got == right, f"with {N} nodes you count {got}, there are {right}: {why}.")
        require(not isinstance(got, float), f"for {N} nodes the count should be an exact integer, got the float {got}.")
    return "right up to 201 nodes."


@exercise
def code(answer, rng):
    """``answer`` = (encode, decode), a prefix code for trees on d features of at most 3M + 2 + M ceil(log2 d) bits."""
    encode, decode = pair(answer, "(encode, decode)")
    function(encode, "encode(tree, d)")
    function(decode, "decode(word, d)")
    saved = 0
    for d in (1, 2, 3, 5, 8, 100):
        drawn = [_random_tree(M, d, rng) for M in [0, 0, 1, 2, 3, 4, 7] * 8]
        trees = list({encode_tree(tree, d): tree for tree in drawn}.values())  # each of them once
        words = []
        for tree in trees:
            word, limit = encode(tree, d), int(tree_bits(str(tree).count("("), d))
            binary = isinstance(word, str) and not set(word) - {"0", "1"}
            require(binary, f"a word is a string of 0 and 1, got {word!r} for {tree}.")
            bits = f"the word of {tree} on d = {d} features has {len(word)} bits"
            require(len(word) <= limit, f"{bits}, at most {limit} are allowed.")
            back = decode(word, d)
            require(back == tree, f"for d = {d}, {tree} becomes {word} and comes back as {back!r}.")
            words.append(word)
            saved += limit - len(word)
        if not is_prefix_free(words):
            pairs = itertools.permutations(zip(words, trees, strict=True), 2)
            (begin, one), (word, two) = next(both for both in pairs if both[1][0].startswith(both[0][0]))
            require(False, f"for d = {d} the word {begin} of {one} begins the word {word} of {two}.")
    shorter = f" In all your words are {saved} bits shorter than those of the chapter." if saved else ""
    return f"every tree came back, no word began another, none was too long.{shorter}"


def _random_tree(M, d, rng):
    """A random tree with M inner nodes."""
    if M == 0:
        return int(rng.choice([-1, 1]))
    k = int(rng.integers(M))
    return int(rng.integers(d)), _random_tree(k, d, rng), _random_tree(M - 1 - k, d, rng)


@exercise
def occam(answer, rng):
    """``answer(errors, m, d, delta)`` returns (M, bound): the size with the best guarantee and the guarantee."""
    for m, d, delta in itertools.product((20, 300, 5000, 10**6), (1, 8, 100), (0.05, 0.5)):
        errors = np.sort(rng.integers(0, m // 2 + 1, size=12))[::-1].copy()
        M, bound = pair(answer(errors, m, d, delta), "(M, bound)")
        bounds = errors / m + tree_deviation(m, np.arange(12), d, delta)
        what = f"for errors = {errors.tolist()}, m = {m}, d = {d}, delta = {delta}"
        require(np.ndim(M) == 0 and M in range(12), f"{what} M should be one of 0, ..., 11, got {M!r}.")
        best = f"M = {bounds.argmin()} has {bounds.min():.4f}"
        chosen = f"{what} you choose M = {M} with the bound {bounds[int(M)]:.4f}; {best}."
        require(np.isclose(bounds[int(M)], bounds.min(), rtol=0, atol=1e-12), chosen)
        close(bound, bounds.min(), f"the bound at M = {M}", what)
    return "the size and the bound are right for 24 settings."
