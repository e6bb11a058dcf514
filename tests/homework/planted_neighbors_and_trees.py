"""Answers to the homework on nearest neighbours and trees, right and wrong."""

import collections
import itertools
import math
from fractions import Fraction

import numpy as np
from planting import in_float32, in_lists, told, with_faults

# --- q1: votes -------------------------------------------------------------------------------------


def vote_by_counts(X, y, new, k):
    """For labels of at least -1."""
    near = ((new[:, None] - X) ** 2).sum(axis=2).argsort(axis=1, kind="stable")[:, :k]
    return [max(enumerate(np.bincount(y[row] + 1)), key=lambda c: (c[1], c[0]))[0] - 1 for row in near]


def vote_from_minus_one(X, y, new, k):
    """For labels from -1 to 9."""
    near = ((new[:, None] - X) ** 2).sum(axis=2).argsort(axis=1, kind="stable")[:, :k]
    return [max(range(-1, 10), key=lambda c: ((y[row] == c).sum(), c)) for row in near]


@with_faults
def vote_with(X, y, new, k, *, power=2, backwards=False, last=True, change=lambda D: D, shift=0):
    """The model with one thing changed."""
    D = change((np.abs(new[:, None] - X) ** power).sum(axis=2))
    order = D[:, ::-1].argsort(axis=1, kind="stable")
    order = len(X) - 1 - order if backwards else D.argsort(axis=1, kind="stable")
    near, classes = order[:, shift : k + shift], np.unique(y)[:: -1 if last else 1]
    return classes[(y[near][:, :, None] == classes).sum(axis=1).argmax(axis=1)]


# --- q2: borders -----------------------------------------------------------------------------------


def borders_with(width, first=-1, turn=True, more=0, shift=lambda theta: 0.0):
    """Pairs of points around the borders, of a width that is a function of the borders."""

    def answer(theta):
        g = width(theta)
        labels = first * (-1) ** np.arange(len(theta)) if turn else np.full(len(theta), first)
        extra = theta[:1].repeat(more) - g - 1
        theta = theta + shift(theta)
        return np.concatenate([theta - g, theta + g, extra]), np.concatenate([labels, -labels, first + 0 * extra])

    return answer


def borders_by_loop(theta):
    gaps = [b - a for a, b in zip(theta[:-1], theta[1:], strict=True)]
    g, x, y, label = min(gaps, default=1.0) / 4, [], [], -1
    for t in theta:
        x, y, label = [*x, t + g, t - g], [*y, -label, label], -label
    return x, y


def borders_float32(theta):
    x, y = borders_by_loop(theta)
    return np.array(x, dtype=np.float32)[:, None], np.array(y, dtype=np.float32)


def narrow(theta):
    return np.diff(theta, append=theta[-1] + 1).min() / 3


# --- q3: copies ------------------------------------------------------------------------------------


def copies_by_place(X, y):
    places = collections.defaultdict(collections.Counter)
    for x, label in zip(X.tolist(), y.tolist(), strict=True):
        places[tuple(x)][label] += 1
    training = left_out = Fraction(0)
    for counts in places.values():
        n = sum(counts.values())
        disagree = n * n - sum(c * c for c in counts.values())
        training, left_out = training + Fraction(disagree, n), left_out + Fraction(disagree, n - 1)
    return float(training / len(y)), float(left_out / len(y))


def first_copy(X, y):
    """For the given order only."""
    same = (X[:, None] == X).all(axis=2)
    wrong = y[same.argmax(axis=1)] != y
    np.fill_diagonal(same, False)
    return wrong.mean(), (y[same.argmax(axis=1)] != y).mean()


def all_orders(X, y):
    """What is asked for, without a thought."""
    errors = []
    for order in itertools.permutations(range(len(y))):
        errors.append(first_copy(X[list(order)], y[list(order)]))
    return np.mean(errors, axis=0)


def copies_changed(change):
    return lambda X, y: change(*copies_by_place(X, y), X, y)


def least_errors(X, y):
    """Of the best function, and the same for those left out."""
    same = (X[:, None] == X).all(axis=2)
    most = np.array([collections.Counter(y[row].tolist()).most_common(1)[0][1] for row in same])
    return np.mean(1 - most / same.sum(axis=1)), np.mean(1 - most / same.sum(axis=1))


# --- q5: gains -------------------------------------------------------------------------------------


def criteria(a, log=math.log2):
    H = -sum(b * log(b) for b in (a, 1 - a) if b > 0)
    return np.array([min(a, 1 - a), 2 * a * (1 - a), H / 2, math.sqrt(a * (1 - a))])


@with_faults
def gains_with(left, right, *, psi=criteria, share=None, scale=1.0, order=(0, 1, 2, 3)):
    """The gains with one thing changed."""
    (n, p), (n1, p1), (n2, p2) = ((int(s[0] + s[1]), int(s[1])) for s in (left + right, left, right))
    t = n1 / n if share is None else share
    rows = zip(psi(p / n), psi(p1 / n1), psi(p2 / n2), strict=True)
    found = [scale * (a - t * b - (1 - t) * c) for a, b, c in rows]
    return [found[i] for i in order]


def gains_not_a_number(left, right):
    with np.errstate(all="ignore"):
        parts = []
        for n in (left + right, left, right):
            a = n / n.sum()
            H = -(a * np.log2(a)).sum() / 2
            parts.append(n.sum() * np.array([a.min(), 2 * a.prod(), H, math.sqrt(a.prod())]))
    return (parts[0] - parts[1] - parts[2]) / (left + right).sum()


# --- q6: the best split ------------------------------------------------------------------------------


def split_last(x, y, psi):
    """The last of several best cuts, from groups of equal values, in float32."""
    values, code = np.unique(x, return_inverse=True)
    n, s = np.bincount(code).cumsum()[:-1], np.bincount(code, y == 1).cumsum()[:-1]
    m, total = len(x), (y == 1).sum()
    gain = psi(total / m) - n / m * psi(s / n) - (m - n) / m * psi((total - s) / (m - n))
    i = len(gain) - 1 - gain[::-1].argmax()
    return np.float32(values[i]), np.float32(gain[i])


def split_with(cut=lambda x: x[1:] == x[:-1], middle=0.5, sort=True, pick=np.argmax, weighted=True, score=None):
    """The model with one thing changed."""

    def answer(x, y, psi):
        order = np.argsort(x, kind="stable") if sort else np.arange(len(x))
        x, positive, m = x[order], np.cumsum(y[order] > 0), len(x)
        n = np.arange(1, m)
        q, r, t = positive[:-1] / n, (positive[-1] - positive[:-1]) / (m - n), n / m if weighted else 0.5
        gain = psi(positive[-1] / m) - t * psi(q) - (1 - t) * psi(r)
        gain[cut(x)] = -1
        i = int(pick(gain))
        return (1 - middle) * x[i] + middle * x[i + 1], gain[i] if score is None else score(gain[i])

    return answer


def at_the_median(x, y, psi):
    theta = np.sort(x)[(len(x) - 1) // 2]
    theta = theta if theta < x.max() else x[x < theta].max()
    low, up = x <= theta, y > 0
    return theta, psi(up.mean()) - low.mean() * psi(up[low].mean()) - (1 - low.mean()) * psi(up[~low].mean())


# --- q7: a misleading sample -------------------------------------------------------------------------


def mislead(n, copies=None, swap=False):
    """2n + 1 examples at each corner, the third bit tells the label right for ``copies`` of them."""
    right = n + 1 if copies is None else copies
    rows = [
        ((a, b, (a ^ b) if i < right else 1 - (a ^ b)), 1 if a ^ b else -1)
        for a in (0, 1)
        for b in (0, 1)
        for i in range(2 * n + 1)
    ]
    X, y = [row for row, _ in rows], [label for _, label in rows]
    return ([row[::-1] for row in X], y) if swap else (X, y)


CORNERS = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])


# --- q8: words ---------------------------------------------------------------------------------------


def encode(tree):
    return "1" + encode(tree[0]) + encode(tree[1]) if tree else "0"


def read(word):
    if word[0] == "0":
        return (), word[1:]
    low, rest = read(word[1:])
    high, rest = read(rest)
    return (low, high), rest


def decode(word):
    trees = []
    while word:
        tree, word = read(word)
        trees.append(tree)
    return trees


def flipped(word):
    return word.translate(str.maketrans("01", "10"))


def encode_levels(tree):
    word, level = "", [tree]
    while level:
        word += "".join("1" if node else "0" for node in level)
        level = [child for node in level for child in node]
    return word


def decode_levels(word):
    trees = []
    while word:
        levels, width = [], 1
        while width:
            levels, word = [*levels, word[:width]], word[width:]
            width = 2 * levels[-1].count("1")
        below = []
        for level in reversed(levels):
            ready = iter(below)
            below = [[next(ready), next(ready)] if bit == "1" else [] for bit in level]
        trees.append(below[0])
    return tuple(trees)


def encode_brackets(tree):
    return "1" + "".join(map(encode_brackets, tree)) + "0"


# --- q9: Occam ---------------------------------------------------------------------------------------


def occam_with(
    shapes=lambda M: math.comb(2 * M, M) // (M + 1),
    size=lambda M: (M + 1) * (M + 2),
    leaves=1,
    log=math.log,
    two=2,
    half=2,
    pick=np.argmin,
    root=math.sqrt,
    divide=True,
):
    """The choice of the size with one thing changed."""

    def answer(errors, m, d, delta):
        price = [log(shapes(M) * d**M * 2 ** (M + leaves) * size(M)) for M in range(len(errors))]
        penalty = [root((p + log(two / delta)) / (half * m)) for p in price]
        bound = [e / (m if divide else 1) + p for e, p in zip(errors, penalty, strict=True)]
        M = int(pick(np.array(bound)))
        return M, bound[M]

    return answer


MISPLACED = "a place where the rule changes is not right"
RIGHT = {
    "q1": [vote_with, in_lists(vote_with), in_float32(vote_with), vote_with(change=np.sqrt)],
    "q2": [
        borders_by_loop,
        borders_float32,
        borders_with(narrow),
        lambda theta: [np.float32(part) for part in borders_with(narrow)(theta)],
        lambda theta: [np.float32(part) for part in borders_with(lambda theta: narrow(theta) / 1000)(theta)],
        borders_with(lambda theta: np.diff(theta, append=theta[-1] + 1).min() / 2),
    ],
    "q3": [copies_by_place, in_float32(copies_by_place), lambda X, y: np.array(copies_by_place(X, y))],
    "q4": [
        lambda R, kappa: (R, 1 - (1 - R) ** 2 - R**2 / (kappa - 1)),
        lambda R, kappa: np.array([R, R * (2 - kappa * R / (kappa - 1))], dtype=np.float32),
        lambda R, kappa: [np.float64(R), np.array(R + R * (1 - kappa / (kappa - 1) * R))],
    ],
    "q5": [
        gains_with,
        lambda left, right: np.array(gains_with(left, right), dtype=np.float32),
        lambda left, right: tuple(gains_with(right, left)),
    ],
    "q6": [
        split_last,
        split_with(),
        split_with(middle=0.0),
        lambda x, y, psi: np.array(split_with(middle=0.9)(x, y, psi)),
    ],
    "q7": [
        lambda epsilon: mislead(math.ceil(1 / (4 * epsilon))),
        lambda epsilon: mislead(math.ceil(1 / epsilon), swap=True),
        lambda epsilon: tuple(np.array(part, dtype=np.float32) for part in mislead(9 + math.ceil(1 / epsilon))),
        lambda epsilon: mislead(n := math.ceil(1 / epsilon), copies=n),
    ],
    "q8": [
        (encode, decode),
        [lambda tree: flipped(encode(tree)), lambda word: decode(flipped(word))],
        (encode_levels, decode_levels),
        lambda: (encode, decode),
    ],
    "q9": [occam_with(), in_float32(occam_with()), lambda *case: np.array(occam_with()(*case))],
}
WRONG = {
    "q1": [
        (vote_with(last=False), "a tie goes to the largest"),
        (vote_with(backwards=True), "smaller index counts as nearer"),
        (vote_with(power=1), "are these Euclidean distances"),
        *told("the vote is not right", vote_with(change=lambda D: -D), vote_with(shift=1)),
        (lambda X, y, new, k: vote_with(X, y, new, 1), "the labels"),
        (lambda X, y, new, k: vote_with(X, y, new, len(X)), "the labels"),
        (lambda X, y, new, k: vote_with(X, y, new, min(k + 1, len(X))), "the labels"),
        (lambda X, y, new, k: np.sign(vote_with(X, y, new, k)), "one of the labels of the sample"),
        (lambda X, y, new, k: np.mean(y) * np.ones(len(new)), "one of the labels of the sample"),
        (lambda X, y, new, k: vote_with(X, y, new, k)[:, None], "got shape (1, 1)"),
        (lambda X, y, new, k: vote_with(X, y, X, k), "shape"),
        (lambda X, y, new, k: np.unique(y)[[0] * len(new)], "the labels"),
        (vote_by_counts, "raised ValueError"),
        (vote_from_minus_one, "one of the labels of the sample"),
    ],
    "q2": [
        (lambda theta: (theta, -((-1.0) ** np.arange(len(theta)))), "changes 0 times, not 1"),
        (borders_with(narrow, first=1), "left of the first border the rule should say -1"),
        (borders_with(lambda theta: 0.5), "changes"),
        (borders_with(lambda theta: 0.9 * np.diff(theta, append=theta[-1] + 1).min()), "changes"),
        (borders_with(narrow, turn=False), "times, not"),
        (borders_with(narrow, more=1), "2 points are enough, not 3"),
        (lambda theta: (np.append(theta - 1, theta[-1] + 1), -((-1) ** np.arange(len(theta) + 1))), MISPLACED),
        (lambda theta: (borders_by_loop(theta)[0], [0] * 2 * len(theta)), "labels must be -1 or +1"),
        (lambda theta: (borders_by_loop(theta)[0], [1, -1]), "two lists of one length"),
        (lambda theta: borders_by_loop(theta)[0], "labels must be -1 or +1"),
        (lambda theta: (["a", "b"], [1, -1]), "array of numbers"),
        *((borders_with(lambda theta, g=g: g), MISPLACED) for g in (4e-3, 1e-3, 1e-7, 1e-9, 1e-12)),
        (borders_with(lambda theta: 1e-16), "changes 0 times, not 1"),
        (borders_with(lambda theta: max(narrow(theta), 1e-12)), "in units of 1e-15"),
        (borders_with(narrow, shift=lambda theta: 1e-3 * narrow(theta)), MISPLACED),
        (borders_with(narrow, shift=lambda theta: 1e-12), MISPLACED),
    ],
    "q3": [
        (lambda X, y: (0.0, copies_by_place(X, y)[1]), "not always zero"),
        *told("the mean training error is not right", first_copy, copies_changed(lambda t, left, X, y: (left, left))),
        *told("cannot be its own neighbour", copies_changed(lambda t, left, X, y: (t, t)), least_errors),
        (copies_changed(lambda t, left, X, y: (left, t)), "the mean training error is not right: it is twice"),
        (copies_changed(lambda t, left, X, y: (t * len(y), left * len(y))), "it is twice"),
        (copies_changed(lambda t, left, X, y: (t / 2, left / 2)), "it is half"),
        (copies_changed(lambda t, left, X, y: (1 - t, 1 - left)), "the mean training error is not right"),
        (copies_changed(lambda t, left, X, y: (t, 0.0)), "the mean leave-one-out error is not right"),
        (copies_changed(lambda t, left, X, y: t), "a pair"),
        (all_orders, "10 examples have 10! = 3.6e+06 orders"),
        (copies_changed(lambda t, left, X, y: (t, left) if len(y) < 12 else (t, t)), "cannot be its own neighbour"),
        (copies_changed(lambda t, left, X, y: (t, left * (len(y) - 1) / len(y))), "error"),
    ],
    "q4": [
        *told("this is not an upper bound", lambda R, kappa: (R, 2 * R * (1 - R)), lambda R, kappa: (R, R * (1 - R))),
        *told("true, but not the best upper bound", lambda R, kappa: (R, 2 * R), lambda R, kappa: (R, 1.0)),
        (lambda R, kappa: (0.0, 2 * R - kappa / (kappa - 1) * R**2), "true, but not the best lower bound"),
        (lambda R, kappa: (2 * R * (1 - R), 2 * R - kappa / (kappa - 1) * R**2), "this is not a lower bound"),
        (lambda R, kappa: (2 * R - kappa / (kappa - 1) * R**2, R), "this is not a lower bound"),
        (lambda R, kappa: (R, 2 * R - (kappa - 1) / kappa * R**2), "true, but not the best upper bound"),
        (lambda R, kappa: (R, R), "this is not an upper bound"),
        (lambda R, kappa: (R / 2, 2 * R - kappa / (kappa - 1) * R**2), "true, but not the best lower bound"),
        (lambda R, kappa: 2 * R, "a pair"),
    ],
    "q5": [
        (gains_with(psi=lambda a: criteria(a, math.log)), "natural logarithms"),
        (gains_not_a_number, "0 log 0 counts as 0"),
        (gains_with(share=0.5), "weighted by its share"),
        (gains_with(scale=-1.0), "no negative gain"),
        (gains_with(scale=2.0), "the gain for the training error is not right: it is twice"),
        (gains_with(psi=lambda a: criteria(a) * [1, 1, 2, 1]), "the gain for the entropy is not right: it is twice"),
        (gains_with(psi=lambda a: criteria(a) * [1, 0.5, 1, 1]), "the gain for Gini is not right: it is half"),
        (gains_with(psi=lambda a: [*criteria(a)[:3], a * (1 - a)]), "the square root is not right: it is half"),
        (gains_with(psi=lambda a: [a, *criteria(a)[1:]]), "the gain for the training error is not right"),
        (gains_with(order=(0, 2, 1, 3)), "the gain for Gini is not right"),
        (gains_with(order=(0, 1, 2)), "shape (3,)"),
        (lambda left, right: (left + right).sum() * np.array(gains_with(left, right)), "it is twice"),
    ],
    "q6": [
        (split_with(cut=lambda x: np.zeros(len(x) - 1, dtype=bool)), "Between equal values there is no cut"),
        *told("gain", split_with(sort=False), split_with(pick=np.argmin)),
        (split_with(weighted=False), "the gain that you report is not that of your theta"),
        (split_with(score=lambda gain: 2 * gain), "the gain that you report is not that of your theta"),
        (split_with(score=lambda gain: -gain), "the gain that you report is not that of your theta"),
        (split_with(middle=1.0), "one child is empty"),
        (at_the_median, "another question is better"),
        *told("one child is empty", lambda x, y, psi: (x.max(), 0.0), lambda x, y, psi: (x.min() - 1, 0.0)),
        (lambda x, y, psi: split_with()(x, y, lambda a: 2 * a * (1 - a)), "the gain that you report"),
        (lambda x, y, psi: split_with()(x, y, psi)[0], "a pair"),
        (lambda x, y, psi: split_with()(x, y, psi)[::-1], "theta"),
    ],
    "q7": [
        *told("greedy growth does too well", lambda epsilon: (CORNERS, [-1, 1, 1, -1]), lambda epsilon: mislead(20)),
        *told("greedy growth does too well", lambda epsilon: mislead(1), lambda epsilon: mislead(40, swap=True)),
        (lambda epsilon: mislead(math.ceil(1 / (8 * epsilon)) - 1), "greedy growth does too well"),
        *told("greedy growth does too well", lambda epsilon: mislead(20, copies=41), lambda epsilon: mislead(25)),
        (lambda epsilon: (np.array(mislead(20)[0]), np.where(np.arange(164) % 2, 1, -1)), "no tree of depth two"),
        (lambda epsilon: (np.array(mislead(20)[0])[:, :2], mislead(20)[1]), "three columns"),
        (lambda epsilon: (2 * np.array(mislead(20)[0]) - 1, mislead(20)[1]), "0 or 1"),
        (lambda epsilon: (mislead(20)[0], np.maximum(mislead(20)[1], 0)), "labels must be"),
        (lambda epsilon: (mislead(20)[0], mislead(20)[1][:-1]), "one row for each label"),
        (lambda epsilon: ([[0, 0, 0], [0, 0, 1]], [1, 1]), "greedy growth does too well"),
        (lambda epsilon: ([["a"]], [1]), "array of numbers"),
        (lambda epsilon: mislead(30, copies=30), "greedy growth does too well"),
        (lambda epsilon: mislead(min(math.ceil(1 / epsilon), 1000)), "greedy growth does too well"),
        *told("at most 100/epsilon", lambda epsilon: mislead(200), lambda epsilon: mislead(math.ceil(1 / epsilon**2))),
    ],
    "q8": [
        ((encode_brackets, decode), "too long"),
        *told("begins the word", (lambda tree: encode(tree)[:-1], decode), (lambda tree: encode(tree)[::-1], decode)),
        ((lambda tree: "1" * str(tree).count("("), decode), "two trees have the same word"),
        ((lambda tree: [1, 0], decode), "a string of 0 and 1"),
        *told("does not come back", (encode, lambda word: read(word)[0]), (encode, lambda word: [read(word)[0]])),
        ((encode, lambda word: "tree"), "a list of trees"),
        ((encode, lambda word: [tree[::-1] for tree in decode(word)]), "does not come back"),
        *told("does not come back", (encode, lambda word: decode(word)[::-1]), (encode, lambda word: decode(word[1:]))),
        ((encode, 3), "two functions"),
        ((encode, decode, read), "a pair"),
        (encode, "raised TypeError"),
    ],
    "q9": [
        (occam_with(shapes=lambda M: math.comb(4 * M, 2 * M) // (2 * M + 1)), "you count C_(N-1) shapes"),
        (occam_with(shapes=lambda M: 4**M), "the bound for M = 1 is not right"),
        (occam_with(shapes=lambda M: 1), "the bound for M = 2 is not right"),
        *told("the bound for M = 0 is not right", occam_with(log=math.log2), occam_with(divide=False)),
        *told("the bound for M = 0 is not right", occam_with(two=1), occam_with(half=1), occam_with(leaves=0)),
        *told("the bound for M = 0 is not right", occam_with(size=lambda M: 1), occam_with(root=lambda t: t)),
        (occam_with(pick=np.argmax), "another size has a better guarantee"),
        (occam_with(pick=lambda bound: len(bound) - 1), "another size has a better guarantee"),
        (lambda errors, m, d, delta: (occam_with()(errors, m, d, delta)[0] + 1, 0.5), "M should be one of"),
        (lambda errors, m, d, delta: occam_with()(errors, m, d, delta)[1], "a pair"),
    ],
}
