"""Homework: neural networks, from the forward pass and its way back to copies, dropout and Boolean functions."""

import itertools
import math

import numpy as np
from scipy.special import expit, softmax

from mlcourse.models.networks.constructed import cube
from mlcourse.testing import numerical_gradient
from mlcourse.theory import cover_labellings
from mlcourse_homework.engine.answers import Wrong, array, brief, for_all, number, require, requiring, show, two
from mlcourse_homework.engine.properties import agree, parts, same, shape_of, single
from mlcourse_homework.engine.question import Homework
from mlcourse_homework.sets import _networks as known
from mlcourse_homework.sets._networks import quietly, sgn, units

homework = Homework(__file__, "Neural networks")
progress = homework.progress


@homework.question()
def q1(answer):
    """``answer(X, W, b, v, c)`` returns the m outputs of a network with one hidden layer of tanh units."""

    def holds(X, theta, c):
        W, b, v = units(theta)
        want = [c + sum(v[j] * math.tanh(b[j] + sum(x * W[:, j])) for j in range(len(v))) for x in X]
        a = X @ W + b
        mistakes = {
            "the hidden biases b are missing": np.tanh(a - b) @ v + c,
            "the output bias c is missing": np.tanh(a) @ v,
            "all biases are missing": np.tanh(a - b) @ v,
            "the output unit is linear, without tanh": np.tanh(np.tanh(a) @ v + c),
            "the hidden units have no activation": a @ v + c,
            "the hidden units are tanh, not sigmoids": expit(a) @ v + c,
            "the bias belongs inside the tanh": (np.tanh(a - b) + b) @ v + c,
        }
        if len(W) == len(b):
            mistakes["W has a row for each input: X W, not X W^T"] = np.tanh(X @ W.T + b) @ v + c
        agree(quietly(answer, X, W, b, v, c), want, "the output", mistakes, show(X=X, W=W, b=b, v=v, c=c))

    rng = np.random.default_rng(1)
    far = (np.array([[1e3, 2.0], [-1e3, 1.0]]), np.array([[1.0, 2.0, 3.0, 4.0], [2.0, -1.0, 1.0, 1.0]]), 0.5)
    for_all([*known.networks(rng), *known.networks(rng), far], holds)
    return "the outputs of networks with one unit to four, also where the scores are in the thousands."


@homework.question()
def q2(answer):
    """``answer(z, low, high, r)`` is g'(a) where g(a) = z, for the unit g(a) = low + (high - low) sigma(r a)."""
    names = {(0.0, 1.0, 1.0): "the sigmoid", (0.0, 1.0, 0.5): "the slides' sigma(a/2)", (-1.0, 1.0, 2.0): "tanh"}
    rng = np.random.default_rng(2)

    def holds(a, low, high, r):
        def g(a):
            return low + (high - low) * expit(r * a)

        def quotient(a):
            return (g(a + 1e-5) - g(a - 1e-5)) / 2e-5

        z, right, rise = g(a), quotient(a), high - low
        mistakes = {
            "1 - z^2 is the slope of tanh and of no other of these units": 1 - z**2,
            "z (1 - z) belongs to the sigmoid, where r = 1; the chain rule adds a factor r": z * (1 - z),
            "r z (1 - z) is for units between 0 and 1": r * z * (1 - z),
            "it is high - low times too large": right * rise,
            "it is (high - low)^2 times too large": right * rise**2,
            "it is high - low times too small": right / rise,
            "the chain rule adds a factor r": right / r,
            "the factor r occurs once": right * r,
            "you took the derivative at z; z is the value of the unit, its score is a": quotient(z),
        }
        unit = f"{names.get((low, high, r), 'the unit')} with {show(low=low, high=high, r=r)}"
        tried = f"{unit} at a = {brief(a)}, where z = {brief(z)}"
        agree(quietly(answer, z, low, high, r), right, "the slope", mistakes, tried)

    ends = [np.sort(rng.choice(9, 2, replace=False)) - 4.0 for _ in range(12)]
    drawn = [(rng.uniform(-2, 2, 5), float(low), float(high), 0.25 * float(rng.integers(1, 9))) for low, high in ends]
    for_all([*((np.array([0.0, 1.0, -2.0]), *unit) for unit in names), *drawn], holds)
    return "the derivative of tanh, of both sigmoids and of a dozen other units, computed from the value alone."


@homework.question()
def q3(answer):
    """``answer(X, y, W, b, v, c)`` returns the gradients dW, db, dv, dc of the mean logistic loss."""
    rng = np.random.default_rng(3)

    def asked(X, y, theta, c):
        given = dict(zip(("dW", "db", "dv", "dc"), (*units(theta), c), strict=True))
        got = parts(quietly(answer, X, y, *given.values()), *given)
        return given, got | {"dc": single(got["dc"])}

    def holds(X, y, theta, c):
        given, got = asked(X, y, theta, c)
        mistakes = known.gradient_mistakes(X, y, *given.values())
        tried = show(X=X, y=y, **{name[1]: part for name, part in given.items()})
        for name in reversed(given):

            def loss(part, name=name):
                W, b, v, c = (given | {name: part}).values()
                return np.logaddexp(0, -y * (np.tanh(X @ W + b) @ v + c)).mean()

            known_here = {text: wrong[name] for text, wrong in mistakes.items()}
            agree(got[name], numerical_gradient(loss, given[name]), name, known_here, tried)

    drawn = [(X, rng.choice((-1, 1), len(X)), theta, c) for _ in range(2) for X, theta, c in known.networks(rng)]
    far = np.array([[1.0], [-1.0], [2.0]]), np.array([-1, -1, 1]), np.array([[1.0, 0.0, 2000.0], [2.0, 1.0, -1.0]]), 0.5
    given, got = asked(*drawn[5])  # m = 5, d = 3 and N = 4 cannot be confused
    for name in reversed(given):
        known.require_shape(got[name], np.shape(given[name]), 5, name)
    for_all([*drawn, far], holds, valid=lambda X, y, theta, c: len(X) == len(y))
    return "all four gradients agree with difference quotients, also where the outputs are in the thousands."


@homework.question()
def q4(answer):
    """``answer(a, g)`` returns the softmax p of each row of a and the gradient of sum(g * p) with respect to a."""
    rng = np.random.default_rng(4)

    def holds(a, g):
        p, back = two(quietly(answer, a, g), "(p, gradient)")
        p, tried, want, e = array(p, a.shape, "p"), show(a=a, g=g), softmax(a, axis=1), np.exp(np.clip(a, -50, 50))
        overflow = "subtract from each row its own largest score before you take exponentials."
        require(np.isfinite(p).all(), f"p has entries that are not finite: {overflow}", tried, p, want)
        mistakes = {
            "each row for itself should sum to one, not the whole table": e / e.sum(),
            "the rows should sum to one, not the columns": e / e.sum(axis=0),
            "that is the sigmoid of each score": expit(a),
        }
        agree(p, want, "p", mistakes, tried)
        mean, total, plain = ((part * g).sum(axis=1, keepdims=True) for part in (want, 1, 1 / a.shape[1]))
        right, diagonal = want * (g - mean), want * (1 - want) * g
        if np.abs(a).max() < 50:
            right = numerical_gradient(lambda a: (g * softmax(a, axis=1)).sum(), a)
        mistakes = {
            "p (1 - p) g is the diagonal only; a score changes the probabilities of the other classes too": diagonal,
            "the sum over the classes is missing: g_j is compared with the mean of g under p": want * g,
            "the mean of g should be taken with the weights p": want * (g - plain),
            "from g the mean under p is subtracted, not the sum": want * (g - total),
            "the factor p is missing": g - mean,
            "the sum over the classes is one for each row, not one for the table": want * (g - mean.sum()),
            "that is the gradient of a cross-entropy": want - g,
        }
        agree(back, right, "the gradient", mistakes, tried)

    small = [tuple(rng.integers(-2, 3, (2, *shape)) + 0.0) for shape in ((1, 2), (1, 2), (1, 3), (2, 2), (2, 3))]
    large = [
        (rng.integers(-8, 9, (3, 4)) / 4 * scale + shift, rng.normal(size=(3, 4)))
        for scale, shift in ((1, 0), (3, 5), (1, 1e4), (1, -1e4), (5e3, 0), (1, [[1e4], [-1e4], [0]]))
    ]
    for_all(small + large, holds, valid=lambda a, g: len(a) == len(g))
    return "probabilities and way back are right, for scores up to ten thousand of both signs."


@homework.question()
def q5(answer):
    """``answer(W, b, v)`` returns W, b, v of the same shapes and the same outputs, the same for all copies."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(20, 3))

    def told(theta):
        return "units (W_j, b_j, v_j) = " + ", ".join(map(brief, theta))

    def form(theta):
        given, N = dict(zip("Wbv", units(theta), strict=True)), len(theta)
        got = parts(quietly(answer, *given.values()), *given)
        own = shape_of(got["b"]) or (0,)
        fewer = f"the network has {N} hidden units, your form has {own[0]}: W, b and v should keep their shapes, "
        require(own == (N,) or own != shape_of(got["v"]), f"{fewer}even where fewer units would do.", told(theta))
        got = {name: array(got[name], part.shape, name) for name, part in given.items()}
        outputs = [np.tanh(X[:, : len(W)] @ W + b) @ v for W, b, v in (given.values(), got.values())]
        sizes = [[np.sort(np.abs(part), axis=None) for part in those.values()] for those in (given, got)]
        why = " The numbers agree up to signs and order: a unit moves and turns with all its weights."
        why *= all(map(same, *sizes))
        require(same(*outputs), f"what you return computes another function.{why}", told(theta), show(**got))
        return got

    def holds(theta):
        first, N = form(theta), len(theta)
        orders, signs = itertools.permutations(range(N)), itertools.product((1, -1), repeat=N)
        ways = sorted(itertools.product(signs, orders), key=lambda way: (-1 in way[0]) + (way[1] != tuple(range(N))))
        for turn, order in ways[:: 1 + N // 4 * 6]:
            copy = np.array(turn)[:, None] * theta[list(order)] + 0.0
            other = form(copy)
            how = [word for word, yes in (("places", order != tuple(range(N))), ("signs", -1 in turn)) if yes]
            need = requiring(f"{told(theta)}; its copy {told(copy)}", f"{show(**first)}; {show(**other)}")
            unlike = f"units that change their {' and '.join(how)} should not matter."
            need(all(same(other[name], first[name]) for name in first), f"two copies get different forms: {unlike}")

    ones = [[1, 0, 1], [-1, 2, 0], [0, 1, 2], [0, 0, 3], [0, 0, 0], [0, 1, 0, 0], [0, -1, 0, 2]]
    pairs = [[[1, 2, 3], [-1, -2, 3]], [[1, 1, 2], [1, -1, 2]], [[0, 1, 1], [0, 1, -2]], [[2, 1, 1], [2, 1, 1]]]
    pairs += [[[1, 2, 1, 1], [1, -2, 1, 1]], [[1, 2, 3, 1, 1], [1, 3, 2, 1, 1]]]
    drawn = [rng.integers(-1, 2, (N, d + 2)) for N, d in ((2, 1), (2, 1), (3, 1), (3, 1), (3, 2), (4, 1))]
    drawn += [rng.normal(size=(N, d + 2)) for N, d in ((2, 2), (3, 3), (4, 2))]
    for_all([(np.array(theta, dtype=float),) for theta in (*([unit] for unit in ones), *pairs, *drawn)], holds)
    return "the same function, and one form for all copies, also where units agree in some of their weights."


@homework.question()
def q6(answer):
    """``answer(n, N, activation, way)`` is the variance of the weights that keeps the mean square on its way."""

    def holds(n, N, activation, way):
        got, half = number(quietly(answer, n, N, activation, way), "the variance"), activation == "relu"
        right, other = (1 / known.growth(*sizes, activation, way) for sizes in ((n, N), (N, n)))
        ends = "gradients at the inputs", "gradients at the units"
        ends = ends if way == "back" else ("values of the units", "inputs")
        lost = "a relu unit is off for half of the weights, which halves the mean square"
        mistakes = {
            lost if half else "nothing is lost here, only relu needs the factor 2": right / 2 if half else 2 * right,
            "on the way forward the inputs of a unit count, on the way back the units that an input feeds": other,
            "that is a standard deviation, the variance is asked for": np.sqrt(right),
            "a compromise between the two ways keeps neither": 2 / (1 / right + 1 / other),
            "you give one over it": 1 / right,
        }
        should = f"{right:.6g}. With yours, over all {2 ** (n * N)} choices of weights -s and +s, the mean square of "
        should += f"the {ends[0]} is {got / right:.4g} times that of the {ends[1]}"
        agree(got, right, "the variance", mistakes, show(n=n, N=N, activation=activation, way=way), should)

    sizes = ((5, 2), (3, 1), (1, 3), (1, 1), (2, 2), (3, 2), (2, 3), (5, 1), (4, 2), (2, 4))
    settings = itertools.product(sizes, known.SHAPES, ("forward", "back"))
    for_all([(*size, activation, way) for size, activation, way in settings], holds)
    return "averaged over all choices of the signs of the weights, the mean square is kept exactly, in both directions."


@homework.question()
def q7(answer):
    """``answer(X, y, p)`` returns the weights with the least expected square loss under inverted dropout."""
    rng = np.random.default_rng(7)

    def holds(X, y, p):
        (m, d), masks = X.shape, (cube(X.shape[1]) + 1) / 2
        chance = p ** masks.sum(axis=1) * (1 - p) ** (d - masks.sum(axis=1))
        Z, targets, share = (masks[:, None] * X).reshape(-1, d) / p, np.tile(y, 2**d), chance.repeat(m) / m
        got = array(quietly(answer, X, y, p), (d,), "w")
        right = np.linalg.lstsq(np.sqrt(share)[:, None] * Z, np.sqrt(share) * targets, rcond=None)[0]
        loss, least = (share @ (targets - Z @ w) ** 2 for w in (got, right))
        if not loss <= least + 1e-9 * (1 + y @ y):
            should = f"{brief(right)}, whose loss, averaged over all {2**d} masks, is {least:.6g}; yours has {loss:.6g}"
            agree(got, right, "w", known.dropout_mistakes(X, y, p, right), show(X=X, y=y, p=p), should)

    drawn = [
        (rng.integers(1, 4, (m, d)) * rng.choice((-1.0, 1.0), (m, d)), rng.integers(-3, 4, m) + 0.5, p)
        for m, d in ((3, 2), (3, 2), (4, 3))
        for p in (0.6, 0.8, 0.3)
    ]
    drawn += [
        (rng.normal(size=(m, d)) * np.arange(1, d + 1), rng.normal(size=m), p)
        for m, d, p in ((5, 3, 0.4), (10, 3, 0.9), (4, 5, 0.3), (20, 4, 0.7), (3, 1, 0.6))
    ]
    for_all(drawn, holds, valid=lambda X, y, p: len(X) == len(y) > 2 and X.any(axis=0).all())
    return "no weights have a smaller loss: it was averaged over all masks, one by one."


@homework.question()
def q8(answer):
    """``answer(F)`` returns W, b, v, c of sign units with the output F[k] where k of the d inputs are +1."""
    rng = np.random.default_rng(8)

    def holds(F):
        d, changes = len(F) - 1, np.flatnonzero(np.diff(F)) + 1
        X, tried, got = cube(d), f"d = {d}, F = {brief(F)}", parts(quietly(answer, F), "W", "b", "v", "c")
        got |= {"W": np.empty((d, 0)) if shape_of(got["W"]) == (0,) else got["W"], "c": single(got["c"])}
        N = (*(shape_of(got["b"]) or ()), *(shape_of(got["W"]) or ())[1:], 0)[0]
        shapes = {"W": (d, N), "b": (N,), "v": (N,), "c": ()}
        W, b, v, c = given = [array(got[name], shape, f"{name}, for {tried},") for name, shape in shapes.items()]
        for name, part in zip(shapes, given, strict=True):
            require(np.isfinite(part).all(), f"{name} should consist of finite numbers.", tried, part)
        k, hidden = (X > 0).sum(axis=1), sgn(X @ W + b, np.abs(b) + np.abs(W).sum(axis=0))
        score, size, want = hidden @ v + c, np.abs(c) + np.abs(v).sum(), F[k]
        output = sgn(score, size)
        i = int(np.argmax(output != want))
        if output[i] != want[i]:
            why = known.why_not_counting(k, hidden, score, size, want, c, changes)
            wrong = f"the network is wrong at a corner with {k[i]} of {d} inputs +1. {why}"
            raise Wrong(wrong, f"{tried}, x = {brief(X[i])}", f"{output[i]:+d}", f"{want[i]:+d}")
        enough = f"The number of changes of F is {len(changes)}; as many units are enough."
        require(N <= max(1, len(changes)), f"the network is right, but it has {N} hidden units. {enough}", tried)

    tables = [F for d in (1, 2, 3) for F in itertools.product((-1, 1), repeat=d + 1)]
    tables.sort(key=lambda F: (len(set(F)) == 1, len(F)))  # the constants last: they teach least
    tables += [[s * (-1) ** k for k in range(d + 1)] for d in (4, 5, 8) for s in (1, -1)]
    tables += [2 * rng.integers(2, size=d + 1) - 1 for d in (5, 6, 7)]
    for_all([(np.array(F),) for F in tables], holds, valid=lambda F: len(set(F)) > 1)
    return "tried at every corner, with one unit for each change: eight units for the parity of eight inputs, not 128."


@homework.question()
def q9(answer):
    """``answer(X)`` is the number of labellings of the rows of X by rules sgn(w.x + b)."""

    def holds(X):
        Z = np.column_stack([X, np.ones(len(X))]).astype(int)
        got, right, all_of_them = number(quietly(answer, X), "the number"), known.n_labellings(Z), 2 ** len(X)
        cover, few = cover_labellings(*X.shape), min(got, right - 1) if np.ptp(X) > 100 else np.inf
        zero = "If you ask for y (w.x + b) >= 0, zero weights satisfy it; ask for >= 1"
        mistakes = {
            "some are missing: hyperplanes drawn at random, for example, seldom pass between two close points": few,
            "that is half of it: a labelling and its opposite are two": right / 2,
            "the two constant labellings count too": right - 2,
            "a unit has a bias": known.n_labellings(Z[:, :-1]),
            "that is Cover's number, for general position; here too many points share a line or a plane": cover,
            f"all labellings are counted. {zero}": all_of_them,
            "there are no more than 2^m labellings": max(got, all_of_them + 1),
        }
        agree(got, right, "the number", mistakes, show(X=X))

    line, plane = np.array([[0], [1], [3], [7]]), np.array([[1, 5], [4, 1], [0, 0], [6, 6], [3, 0]])
    points = [line[:3], plane[:3], line[1:], line, np.c_[line, 2 * line - 1], cube(2), plane[:4], plane]
    close_pairs = np.array([[0], [1], [1000], [1001]])
    points += [np.r_[cube(2), [[0, 0]]], line[:2], cube(1), np.array([[2, 5, 1]]), cube(3), close_pairs]
    for_all([(X.astype(float),) for X in points], holds, valid=lambda X: len(np.unique(X, axis=0)) == len(X) > 2)
    return "on the line, in the plane and in space; one unit computes 4, 14 and 104 functions of 1, 2 and 3 inputs."
