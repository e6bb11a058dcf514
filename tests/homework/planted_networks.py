"""Answers to the homework on neural networks, right and wrong."""

import itertools
import math

import numpy as np
from planting import in_lists, told, with_faults
from scipy.optimize import linprog
from scipy.special import expit

# --- q1 to q4 --------------------------------------------------------------------------------------


def exp_tanh(a):
    return (np.exp(a) - np.exp(-a)) / (np.exp(a) + np.exp(-a))


def back_with(error=lambda s, y: -y * expit(-y * s), slope=lambda z: 1 - z**2, mean=True, through=True, form=None):
    def answer(X, y, W, b, v, c):
        z = np.tanh(X @ W + b)
        delta = error(z @ v + c, y) / (len(y) if mean else 1)
        back = np.outer(delta, v if through else np.ones_like(v)) * slope(z)
        parts = X.T @ back, back.sum(axis=0), z.T @ delta, delta.sum()
        return form(parts, back, delta) if form else parts

    return answer


def softmax_with(p=None, back=None):
    def answer(a, g):
        e = np.exp(a - a.max(axis=1, keepdims=True))
        q = e / e.sum(axis=1, keepdims=True)
        return p(a) if p else q, back(q, g) if back else q * (g - (g * q).sum(axis=1, keepdims=True))

    return answer


# --- q5 --------------------------------------------------------------------------------------------


def form_with(turn, sort=lambda theta: np.lexsort(theta[::-1])):
    """The form of units whose sign is chosen by ``turn`` and whose order by ``sort``."""

    def answer(W, b, v):
        theta = np.vstack([W, b, v])
        theta = theta * np.array([-1.0 if turn(unit) else 1.0 for unit in theta.T])
        theta = theta[:, sort(theta)]
        return theta[:-2], theta[-2], theta[-1]

    return answer


def last_negative(unit):
    return next((entry for entry in unit[::-1] if entry), 0) < 0


def first_negative(unit):
    return next((entry for entry in unit if entry), 0) < 0


def seen(*rows):
    """A rule for the sign that looks at some rows only."""
    return lambda unit: first_negative(unit[list(rows)])


def sorted_by(keys):
    return lambda theta: sorted(range(len(theta.T)), key=lambda j: keys(theta[:, j]))


def without_silent_units(W, b, v):
    W, b, v = map(np.array, form_by_tuples(W, b, v))
    return W[:, v != 0], b[v != 0], v[v != 0]


def merged(W, b, v):
    """Units with equal W and b become one, and the others nothing; all shapes are kept."""
    theta = np.vstack([W, b, v]) + 0.0
    theta *= [-1.0 if first_negative(unit[:-1]) else 1.0 for unit in theta.T]
    for i, j in itertools.combinations(range(len(b)), 2):
        if (theta[:-1, i] == theta[:-1, j]).all():
            theta[-1, j] += theta[-1, i]
            theta[:, i] = 0
    theta[:, ~theta[:-1].any(axis=0)] = 0
    theta = theta[:, np.lexsort(theta)]
    return theta[:-2], theta[-2], theta[-1]


def form_by_tuples(W, b, v):
    units = [(*map(float, W[:, j]), float(b[j]), float(v[j])) for j in range(len(b))]
    units = sorted(max(unit, tuple(0.0 - entry for entry in unit)) for unit in units)
    return [[unit[i] for unit in units] for i in range(len(W))], [u[-2] for u in units], [u[-1] for u in units]


# --- q7 to q9 --------------------------------------------------------------------------------------


def fit_by_masks(X, y, p):
    rows, targets = [], []
    for mask in itertools.product((0, 1), repeat=X.shape[1]):
        root = math.sqrt(p ** sum(mask) * (1 - p) ** (len(mask) - sum(mask)))
        rows.append(root * X * mask / p)
        targets.append(root * y)
    return np.linalg.lstsq(np.vstack(rows), np.concatenate(targets), rcond=None)[0]


def fit_with(strength, penalty=lambda X: np.diag((X**2).mean(axis=0)), factor=1.0):
    def answer(X, y, p):
        m = len(X)
        return np.linalg.solve(X.T @ X / m + strength(p, m) * penalty(X), X.T @ y / m) * factor

    return answer


def fit_by_rows(X, y, p):
    """Least squares with one more row for each feature."""
    extra = np.diag(np.sqrt((1 - p) / p * (X**2).sum(axis=0)))
    return list(np.linalg.lstsq(np.vstack([X, extra]), np.append(y, 0 * extra[0]), rcond=None)[0].astype(np.float32))


def counting(bias=lambda d, n: d + 1 - 2 * n, weight=1.0, c=lambda F: (F[0] + F[-1]) / 2, every=False, inputs=np.ones):
    def answer(F):
        d = len(F) - 1
        n = np.arange(1, d + 1) if every else np.flatnonzero(F[1:] != F[:-1]) + 1
        return np.outer(inputs(d), np.ones(len(n))), bias(d, n), weight * (F[n] - F[n - 1]) / 2, c(F)

    return answer


def counting_down(F):
    """Units that are +1 for few inputs, lists, and one silent unit for a constant."""
    d = len(F) - 1
    n = [k for k in range(1, d + 1) if F[k] != F[k - 1]]
    if not n:
        return [[0]] * d, [-1], [0], [F[0]]
    return [[-1] * len(n)] * d, [2 * k - 1 - d for k in n], [-int(F[k]) for k in n], [(F[0] + F[-1]) / 2]


def counting_with(v):
    """The right hidden units, with other output weights."""
    return lambda F: (*counting()(F)[:2], v(F, counting()(F)[2]), counting()(F)[3])


def tiny_network(F):
    W, b, v, c = counting(lambda d, n: (d - 2.0 * n) / 7, inputs=lambda d: np.ones(d) / 7)(F)
    return W * 1e-10, b * 1e-10, v * 1e-10, c * 1e-10


def by_corners(F):
    """The network of the truth table: a unit for each corner of the rarer value."""
    X = np.array(list(itertools.product((-1, 1), repeat=len(F) - 1)))
    y = F[(X > 0).sum(axis=1)]
    rare = 1 if 2 * (y > 0).sum() <= len(y) else -1
    W = X[y == rare].T
    N = W.shape[1]
    return W, np.full(N, 2 - len(F)), np.full(N, rare), rare * (N - 1)


@with_faults
def count_with(X, *, margin=1.0, bias=True, bounds=(None, None), keep=lambda y: True, half=False):
    Z, count = np.column_stack([X, np.ones(len(X))]) if bias else X, 0
    for y in itertools.product((1, -1), repeat=len(X)):
        A = np.array(y)[:, None] * Z
        done = linprog(np.zeros(Z.shape[1]), A_ub=-A, b_ub=-margin * np.ones(len(X)), bounds=bounds).success
        count += done and keep(y) and (y[0] > 0 or not half)
    return count


def count_by_chance(X):
    """The labellings that two thousand random hyperplanes find."""
    rng = np.random.default_rng(0)
    points = (X - X.mean(axis=0)) / max(X.std(), 1e-9)
    W, b = rng.normal(size=(X.shape[1], 2000)), 2 * rng.normal(size=2000)
    return len({tuple(labels) for labels in (points @ W + b > 0).T})


def cover(X):
    m, d = X.shape
    return 2 * sum(math.comb(m - 1, i) for i in range(d + 1))


RIGHT = {
    "q1": [
        lambda X, W, b, v, c: ((np.tanh(b + np.dot(X, W)) * v).sum(axis=1) + c).tolist(),
        lambda X, W, b, v, c: (c + (2 * expit(2 * (X @ W + b)) - 1) @ v).astype(np.float32),
    ],
    "q2": [
        lambda z, low, high, r: [r * (u - low) * (1 - (u - low) / (high - low)) for u in z],
        lambda z, low, high, r: r * (high - low) / 4 - r / (high - low) * (z - (low + high) / 2) ** 2,
    ],
    "q3": [
        back_with(form=lambda parts, back, delta: [*map(np.ndarray.tolist, parts[:3]), parts[3:]]),
        back_with(lambda s, y: expit(s) - (1 + y) / 2),
        back_with(form=lambda parts, back, delta: [np.float32(part) for part in parts]),
    ],
    "q4": [
        in_lists(softmax_with()),
        softmax_with(back=lambda p, g: p * g - p * np.einsum("ij,ij->i", p, g)[:, None]),
        lambda a, g: [part.astype(np.float32) for part in softmax_with()(a, g)],
        lambda a, g: np.stack(softmax_with()(a, g)),
    ],
    "q5": [
        form_with(last_negative),
        form_by_tuples,
        merged,
        form_with(last_negative, lambda theta: sorted(range(len(theta.T)), key=lambda j: tuple(theta[:, j]))),
    ],
    "q6": [
        lambda n, N, activation, way: (1 + (activation == "relu")) / (n, N)[way == "back"],
        lambda n, N, activation, way: np.float32(
            {"linear": 1, "relu": 2, "abs": 1}[activation] / {"forward": n, "back": N}[way]
        ),
    ],
    "q7": [fit_by_masks, fit_by_rows, fit_with(lambda p, m: 1 / p - 1)],
    "q8": [
        counting(),
        counting_down,
        counting(lambda d, n: d - 2.0 * n, 7.0, lambda F: 3.5 * (F[0] + F[-1])),
        counting(lambda d, n: (d - 2.0 * n) / 7, inputs=lambda d: np.ones(d) / 7),
        tiny_network,
        lambda F: counting(lambda d, n: d + 2 - 2 * n - 1e-9)(F),  # thresholds a hair below an attained score
    ],
    "q9": [count_with, lambda X: float(count_with(margin=1e-2)(X))],
}
WRONG = {
    "q1": [
        (lambda X, W, b, v, c: np.tanh(X @ W) @ v + c, "hidden biases b are missing"),
        (lambda X, W, b, v, c: np.tanh(X @ W + b) @ v, "output bias c is missing"),
        (lambda X, W, b, v, c: np.tanh(X @ W) @ v, "all biases are missing"),
        (lambda X, W, b, v, c: np.tanh(np.tanh(X @ W + b) @ v + c), "linear, without tanh"),
        (lambda X, W, b, v, c: (X @ W + b) @ v + c, "no activation"),
        (lambda X, W, b, v, c: expit(X @ W + b) @ v + c, "not sigmoids"),
        (lambda X, W, b, v, c: np.tanh(X @ W + b) * v + c, "should be an array of shape"),
        (lambda X, W, b, v, c: np.tanh(X @ W + b) @ v[:, None] + c, "should be an array of shape"),
        (lambda X, W, b, v, c: (np.tanh(X @ W) + b) @ v + c, "inside the tanh"),
        (lambda X, W, b, v, c: exp_tanh(X @ W + b) @ v + c, "not finite"),
        (lambda X, W, b, v, c: np.tanh(X @ W + b).sum(axis=1) + c, "the output is not right"),
        (lambda X, W, b, v, c: np.tanh(X @ W - b) @ v + c, "the output is not right"),
    ],
    "q2": [
        (lambda z, low, high, r: 1 - z**2, "slope of tanh and of no other"),
        (lambda z, low, high, r: z * (1 - z), "belongs to the sigmoid"),
        (lambda z, low, high, r: r * z * (1 - z), "between 0 and 1"),
        (lambda z, low, high, r: (z - low) * (high - z) / (high - low), "adds a factor r"),
        (lambda z, low, high, r: r * (z - low) * (high - z), "high - low times too large"),
        (lambda z, low, high, r: r * (z - low) * (high - z) / (high - low) ** 2, "high - low times too small"),
        (lambda z, low, high, r: -r * (z - low) * (high - z) / (high - low), "sign is turned"),
        (lambda z, low, high, r: r * (high - low) * expit(r * z) * (1 - expit(r * z)), "derivative at z"),
        (lambda z, low, high, r: r * (z - low) * (z - high) / (high - low), "sign is turned"),
        (lambda z, low, high, r: r * (high - low) / 4, "should be an array"),
        (lambda z, low, high, r: np.full(len(z), r * (high - low) / 4), "the slope is not right"),
    ],
    "q3": [
        (back_with(mean=False), "the risk is a mean"),
        (back_with(lambda s, y: y * expit(-y * s)), "sign is turned"),
        (back_with(lambda s, y: -y * expit(y * s)), "sigma(+y s)"),
        (back_with(lambda s, y: expit(s) - y), "labels u = 0, 1"),
        (back_with(lambda s, y: s - y), "square loss"),
        (back_with(slope=np.ones_like), "db is not right: the slope 1 - z^2"),
        (back_with(slope=lambda z: z * (1 - z)), "slope of the sigmoid"),
        (back_with(slope=lambda z: z * (1 - z) / 2), "slope of sigma(a/2)"),
        (back_with(slope=lambda z: 1 - np.tanh(z) ** 2), "at z instead of at the score"),
        (back_with(through=False), "db is not right: the error returns through v"),
        (back_with(form=lambda p, b, d: (p[0], b, *p[2:])), "(4,): add over the examples"),
        (back_with(form=lambda p, b, d: (p[0].T, *p[1:])), "dW has shape (4, 3)"),
        (back_with(form=lambda p, b, d: (p[0], b.sum(axis=0, keepdims=True), *p[2:])), "db has shape (1, 4)"),
        (back_with(form=lambda p, b, d: (*p[:2], p[2][:, None], p[3])), "dv has shape (4, 1)"),
        (back_with(form=lambda p, b, d: (*p[:3], [[p[3]]])), "drop the extra axis"),
        (back_with(form=lambda p, b, d: (p[0], b.mean(axis=0), *p[2:])), "db is not right: it is 1/m"),
        (back_with(form=lambda p, b, d: (*p[:3], d)), "(): add over the examples"),
        (back_with(form=lambda p, b, d: p[::-1]), "dc should be"),
        (back_with(form=lambda p, b, d: p[:3]), "4 things, dW, db, dv, dc, are expected, got 3"),
        (back_with(form=lambda p, b, d: (p[0], 0 * p[1], *p[2:])), "db is not right: it is zero"),
        (back_with(lambda s, y: -y * np.exp(-y * s) / (1 + np.exp(-y * s))), "not finite"),
    ],
    "q4": [
        (softmax_with(lambda a: np.exp(a) / np.exp(a).sum(axis=1, keepdims=True)), "its own largest score"),
        (softmax_with(lambda a: (e := np.exp(a - a.max())) / e.sum(axis=1, keepdims=True)), "its own largest score"),
        (softmax_with(lambda a: np.exp(a - a.max()) / np.exp(a - a.max()).sum()), "not the whole table"),
        (softmax_with(lambda a: np.exp(a - a.max(axis=0)) / np.exp(a - a.max(axis=0)).sum(axis=0)), "not the columns"),
        (softmax_with(expit), "the sigmoid of each score"),
        (softmax_with(lambda a: a / a.sum(axis=1, keepdims=True)), "p "),
        (softmax_with(back=lambda p, g: p * (1 - p) * g), "diagonal only"),
        (softmax_with(back=lambda p, g: p * g), "the sum over the classes is missing"),
        (softmax_with(back=lambda p, g: p * (g - g.mean(axis=1, keepdims=True))), "with the weights p"),
        (softmax_with(back=lambda p, g: p * (g - g.sum(axis=1, keepdims=True))), "not the sum"),
        (softmax_with(back=lambda p, g: g - (p * g).sum(axis=1, keepdims=True)), "the factor p is missing"),
        (softmax_with(back=lambda p, g: p * ((p * g).sum(axis=1, keepdims=True) - g)), "sign is turned"),
        (softmax_with(back=lambda p, g: p - g), "cross-entropy"),
        (softmax_with(back=lambda p, g: p * (g - (p * g).sum())), "not one for the table"),
        (lambda a, g: softmax_with()(a, g)[0], "a pair"),
    ],
    "q5": [
        *told("change their signs should not matter", lambda W, b, v: (W, b, v), form_with(lambda unit: unit[0] < 0)),
        *told("change their signs should not matter", form_with(lambda unit: unit[-1] < 0), form_with(seen(0, -2, -1))),
        (form_with(lambda unit: unit.sum() < 0), "change their signs should not matter"),
        (form_with(last_negative, lambda theta: range(len(theta.T))), "change their places should not matter"),
        (form_with(last_negative, lambda theta: np.argsort(theta[-1])), "change their places"),
        (lambda W, b, v: tuple(map(np.sort, form_by_tuples(W, b, v))), "moves and turns with all its weights"),
        (lambda W, b, v: (np.sort(W), np.sort(b), np.sort(v)), "change their signs should not matter"),
        *told("another function", lambda W, b, v: (np.abs(W), b, v), lambda W, b, v: (0 * W, 0 * b, 0 * v)),
        (lambda W, b, v: (W * np.sign(v), b, np.abs(v)), "change their signs"),
        (lambda *given: [*map(np.transpose, form_by_tuples(*given))], "W should be an array of shape"),
        (lambda W, b, v: np.vstack([W, b, v]), "3 things, W, b, v"),
        (form_with(first_negative, sorted_by(lambda unit: (unit[0], unit[-2], unit[-1]))), "change their places"),
        (form_with(first_negative, sorted_by(lambda u: (u[-1], u[-2], sum(u[:-2])))), "change their places"),
        (without_silent_units, "your form has 0: W, b and v should keep their shapes"),
    ],
    "q6": [
        (lambda n, N, act, way: 1 / (n, N)[way == "back"], "off for half of the weights"),
        (lambda n, N, act, way: 2 / (n, N)[way == "back"], "only relu needs the factor 2"),
        (lambda n, N, act, way: (1 if act == "linear" else 2) / (n, N)[way == "back"], "only relu needs the factor 2"),
        (lambda n, N, act, way: (1 + (act == "relu")) / n, "the units that an input feeds"),
        (lambda n, N, act, way: (1 + (act == "relu")) / N, "the inputs of a unit count"),
        (lambda n, N, act, way: math.sqrt((1 + (act == "relu")) / (n, N)[way == "back"]), "standard deviation"),
        (lambda n, N, act, way: (2 + 2 * (act == "relu")) / (n + N), "compromise"),
        (lambda n, N, act, way: 2 / (n + N), "keeps neither"),
        (lambda n, N, act, way: n if way == "forward" else N, "the variance"),
        (lambda n, N, act, way: math.inf, "finite number"),
        (lambda n, N, act, way: (1 + (act == "relu")) / (n * N), "n = 5, N = 2, activation = linear"),
    ],
    "q7": [
        (fit_with(lambda p, m: 0), "the variance of the prediction is missing"),
        (fit_with(lambda p, m: p / (1 - p)), "exchanged"),
        (fit_with(lambda p, m: p * (1 - p)), "without the division by p"),
        (fit_with(lambda p, m: 1 - p), "not 1 - p"),
        (fit_with(lambda p, m: (1 - p) / p**2), "not (1 - p)/p^2"),
        (fit_with(lambda p, m: (1 - p) / p, lambda X: np.eye(X.shape[1])), "its own strength"),
        (fit_with(lambda p, m: (1 - p) / p * m), "the penalty is a sum"),
        (fit_with(lambda p, m: (1 - p) / p / m), "the first term is a sum"),
        (fit_with(lambda p, m: (1 - p) / p, lambda X: X.T @ X / len(X)), "only the diagonal"),
        (lambda X, y, p: fit_by_masks(X, y, p) / p, "without the division by p"),
        (lambda X, y, p: fit_by_masks(X, y, p) * p, "p times the right ones"),
        (lambda X, y, p: -fit_by_masks(X, y, p), "sign is turned"),
        (lambda X, y, p: fit_by_masks(X, y, p)[:, None], "shape"),
    ],
    "q8": [
        *told("c is not: it must be", counting(c=lambda F: 0), counting(c=lambda F: F[0])),
        (counting(weight=-1.0, c=lambda F: -(F[0] + F[-1]) / 2), "-F everywhere"),
        (counting(lambda d, n: d - 1 - 2 * n), "your hidden units change at k ="),
        (counting(lambda d, n: d + 2 - 2 * n), "your hidden units change at k ="),
        *told("as many units are enough", counting(every=True), by_corners),
        (lambda F: (np.eye(len(F) - 1), np.zeros(len(F) - 1), np.ones(len(F) - 1), 0), "wrong at a corner"),
        (lambda F: counting()(F)[:3], "4 things, W, b, v, c"),
        (lambda F: (counting()(F)[0].T, *counting()(F)[1:]), "W, for d = "),
        (lambda F: (np.swapaxes(counting()(F)[0], 0, 1), *counting()(F)[1:]), "shape (2, 1), got shape (1, 2)"),
        (counting_with(lambda F, v: np.ones(len(v))), "for this F, turn the signs of v and c"),
        (counting_with(lambda F, v: v[::-1] * np.arange(1, len(v) + 1)), "the output weights v are not"),
        (counting_with(lambda F, v: np.cumsum(v)), "The hidden units are right, the output weights v are not"),
        (counting_with(lambda F, v: v * np.nan), "v should consist of finite numbers"),
        (counting(c=lambda F: np.inf), "c should consist of finite numbers"),
        (counting(inputs=lambda d: np.arange(1, d + 1)), "give all inputs the same weight"),
    ],
    "q9": [
        (cover, "Cover's number"),
        *told("all labellings are counted", lambda X: 2 ** len(X), count_with(margin=0.0)),
        (count_with(half=True), "that is half of it"),
        (count_with(keep=lambda y: len(set(y)) > 1), "two constant labellings"),
        (count_with(bias=False), "a unit has a bias"),
        *told("the number is not right", count_with(bounds=(0, None)), lambda X: 2 * len(X)),
        (lambda X: 3 ** len(X), "no more than 2^m"),
        (lambda X: [count_with(X)], "a number"),
        (count_by_chance, "drawn at random, for example, seldom pass between two close points"),
    ],
}
