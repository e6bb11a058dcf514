"""The checks of the exercises on neural networks accept right answers and say what is wrong with planted wrong ones."""

import itertools

import numpy as np
from planting import in_lists, planted_tests, told, with_faults
from scipy.optimize import linprog
from scipy.special import expit, log_softmax, logsumexp, softmax

from mlcourse.models.networks.constructed import boolean_network, cube
from mlcourse.models.networks.layers import ACTIVATIONS, affine, square_loss
from mlcourse.models.networks.network import Layer, Network, backpropagation
from mlcourse.optim.stochastic import momentum
from mlcourse_homework.chapters import neural_networks as ex


@with_faults
def table(y, *, output=lambda N: N - 1, hidden=lambda d: 1 - d, rarer=True, flip=True, bias_flip=True):
    """A network for a truth table with planted mistakes: biases, the wrong value, signs."""
    d = len(y).bit_length() - 1
    rare = 1 if 2 * (y > 0).sum() <= len(y) or not rarer else -1
    points = cube(d)[y == rare]
    N = len(points)
    sign = rare if flip else 1
    return (points.T, np.full(N, hidden(d))), (np.full(N, sign), (sign if bias_flip else 1) * output(N))


def from_package(y):
    network, w = boolean_network(y)
    parameters = network.parameters(w)
    return parameters[0], parameters[2]


def parity_by_counting(y):
    """Parity from d nested thresholds of the sum, everything else by the ordinary construction."""
    d = len(y).bit_length() - 1
    if d < 3 or not (y == cube(d).prod(axis=1)).all():
        return table(y)
    signs = (-1.0) ** np.arange(d + 1) * (-1) ** d  # parity for 0, 1, ... positive inputs
    steps = np.diff(signs) / 2
    return (np.ones((d, d)), d - 1.0 - 2 * np.arange(d)), (steps, signs[0] + steps.sum())


def larger(y):
    """Other weights, as lists, and an output layer of two dimensions."""
    (W1, b1), (W2, b2) = table(y)
    return [[(4 * W1).tolist() if W1.size else W1, 4 * b1], [3 * W2[:, None], [3 * b2]]]


PAIR = np.array([[1.0, 0, 0], [-1, 1, -1]])  # max(a, b) = [a - b]_+ + [b]_+ - [-b]_+
OUT = np.array([1.0, 1, -1])


def four(first=PAIR, out=OUT, shift=0.0, last=OUT):
    """The maximum of four numbers, two and two, with planted mistakes."""
    W1 = np.block([[first, np.zeros((2, first.shape[1]))], [np.zeros((2, first.shape[1])), first]])
    join = np.column_stack([np.append(out, 0 * out), np.append(0 * out, out)])
    return [(W1, np.zeros(W1.shape[1])), (join @ first, np.zeros(first.shape[1])), (last, shift)]


ABS = np.array([[1.0, -1, 1, -1], [1, -1, -1, 1]])  # (a + b)/2 and |a - b|/2
SPLIT = np.array([0.5, -0.5, 0.5, 0.5])
CARELESS = np.array([[1.0, 0], [-1, 1]])  # [a - b]_+ + [b]_+


@with_faults
def separable(y, *, margin=1.0, bias=True, bounds=(None, None)):
    """By a linear programme, with planted mistakes."""
    X = cube(len(y).bit_length() - 1)
    X = np.column_stack([X, np.ones(len(X))]) if bias else X
    c, least = np.zeros(X.shape[1]), np.full(len(y), margin)
    return linprog(c, A_ub=-y[:, None] * X, b_ub=-least, bounds=[bounds]).success


def test_tables_of_threshold_functions():
    """The four corners and the linear programme agree; the counts are 4, 14, 104."""
    for d, count in ((1, 4), (2, 14), (3, 104)):
        tables = [np.array(y) for y in itertools.product((-1.0, 1.0), repeat=2**d)]
        found = [ex.balanced_corners(y) is None for y in tables]
        assert found == [separable(y) for y in tables] and sum(found) == count


def test_gradients_are_those_of_backpropagation():
    for X, y, W1, b1, W2, b2, activation in ex.instances(np.random.default_rng(0)):
        d, N = W1.shape
        first, second = Layer(affine, ((d, N), (N,))), Layer(affine, ((N, 1), (1,)))
        network = Network([first, Layer(ACTIVATIONS[activation]), second])
        w = np.concatenate([W1.ravel(), b1, W2, [b2]])
        _, gradient = backpropagation(network, w, X, lambda f, y=y: square_loss(f, y[:, None]))
        ours = np.concatenate([np.ravel(part) for part in ex.gradients(X, y, W1, b1, W2, b2, activation)])
        assert np.allclose(ours, gradient)


def gradients(slope=None, factor=1.0, forward=None, hidden_bias=1.0, output_bias=1.0, parts=lambda *g: g, W2=None):
    """The gradients with planted mistakes."""
    right = {"tanh": lambda z: 1 - z**2, "sigmoid": lambda z: z * (1 - z), "half-sigmoid": lambda z: z * (1 - z) / 2}

    def answer(X, y, W1, b1, W2_, b2, activation):
        g = {"tanh": np.tanh, "sigmoid": expit, "half-sigmoid": lambda a: expit(a / 2)}[forward or activation]
        z = g(X @ W1 + hidden_bias * b1)
        error = factor * 2 * (z @ W2_ + output_bias * b2 - y) / len(y)
        back = error[:, None] * (W2 or np.copy)(W2_) * (slope or right[activation])(z)
        return parts(X.T @ back, back.sum(axis=0), z.T @ error, error.sum())

    return answer


def naive_tanh(X, y, W1, b1, W2, b2, activation):
    a = np.exp(X @ W1 + b1)
    z = (a - 1 / a) / (a + 1 / a) if activation == "tanh" else expit(X @ W1 + b1)
    error = 2 * (z @ W2 + b2 - y) / len(y)
    right = ex.gradients(X, y, W1, b1, W2, b2, activation)
    return right if activation != "tanh" else (*right[:2], z.T @ error, error.sum())


def only(activation, wrong):
    """Right except for one activation."""
    return lambda *given: (wrong if given[-1] == activation else gradients())(*given)


def summed(*given):
    return [len(given[1]) * part for part in gradients()(*given)]


def at_the_value(*given):
    z = ex.VALUES[given[-1]](given[0] @ given[2] + given[3])
    return gradients(slope=lambda _: ex.SLOPES[ex.SLOPE[given[-1]]](ex.VALUES[given[-1]](z)))(*given)


@with_faults
def stepping(X, y, W1, b1, W2, b2, activation, tau, *, tau_factor=1.0, order="together", biases=True):
    """A step of gradient descent with planted mistakes in the order of the updates."""
    tau, given = tau * tau_factor, gradients()
    g = given(X, y, W1, b1, W2, b2, activation)
    if order == "output first":
        W2, b2 = W2 - tau * g[2], b2 - tau * g[3]
        g = (*given(X, y, W1, b1, W2, b2, activation)[:2], 0, 0)
    if order == "hidden first":
        W1, b1 = W1 - tau * g[0], b1 - tau * g[1]
        g = (0, 0, *given(X, y, W1, b1, W2, b2, activation)[2:])
    if order == "in place":  # the error is the old one, W2 is not
        new = W2 - tau * g[2]
        z = ex.VALUES[activation](X @ W1 + b1)
        error = 2 * (z @ W2 + b2 - y) / len(y)
        back = error[:, None] * new * ex.SLOPES[ex.SLOPE[activation]](z)
        g = (X.T @ back, back.sum(axis=0), g[2], g[3])
    return W1 - tau * g[0], b1 - biases * tau * g[1], W2 - tau * g[2], b2 - biases * tau * g[3]


def in_place(X, y, W1, b1, W2, b2, activation, tau):
    """Writes into the arrays that it was given, after all gradients are known."""
    g = gradients()(X, y, W1, b1, W2, b2, activation)
    W1 -= tau * g[0]
    b1 -= tau * g[1]
    W2 -= tau * g[2]
    return W1, b1, W2, b2 - tau * g[3]


@with_faults
def loss(x, y, *, value=lambda each: each.mean(), gradient=lambda p, e, n: (p - e) / n, scores=lambda x: x, log=None):
    """The loss of softmax with planted mistakes."""
    own, n = (np.arange(len(y)), y), len(y)
    each = -log_softmax(scores(x), axis=1)[own] if log is None else log(x)[own]
    return value(each), gradient(softmax(x, axis=1), np.eye(x.shape[1])[y], n)


def rows_together(x):
    odds = np.exp(x - x.max())
    return np.log(odds.sum(axis=1, keepdims=True)) - (x - x.max())


def fastest(mu, L):
    root = np.sqrt(L / mu)
    return 4 / (np.sqrt(L) + np.sqrt(mu)) ** 2, ((root - 1) / (root + 1)) ** 2


def off(in_tau, in_beta, worst_only=False):
    """Both are wrong by a small share, or only where the condition number is large."""

    def answer(mu, L):
        tau, beta = fastest(mu, L)
        return (tau, beta) if worst_only and L / mu <= 1e3 else (tau * (1 + in_tau), beta * (1 + in_beta))

    return answer


def test_factor_of_momentum():
    """The factor is what the package's momentum shows on a parabola, and below one exactly in the stated range."""
    rng = np.random.default_rng(0)
    for _ in range(500):
        tau, beta, curvature = rng.uniform(0, 5), rng.uniform(0, 1), rng.uniform(0.1, 3)
        assert (ex.momentum_factor(tau, beta, curvature) < 1) == (tau * curvature < 2 * (1 + beta))
    for tau, beta in ((0.3, 0.5), (1.2, 0.2), (0.05, 0.9)):
        w = [momentum(lambda w, rows: w, [1.0], tau, range(t), beta=beta).last[0] for t in range(280, 300)]
        assert np.isclose(np.abs(w).max() ** (1 / 280), ex.momentum_factor(tau, beta, 1.0), atol=0.02)
    for mu, L in ((1.0, 9.0), (0.5, 0.7)):  # no pair of a fine grid does better
        best = (np.sqrt(L / mu) - 1) / (np.sqrt(L / mu) + 1)
        for tau, beta in itertools.product(np.linspace(0.01, 4 / L, 60), np.linspace(-0.5, 0.99, 60)):
            assert max(ex.momentum_factor(tau, beta, curvature) for curvature in (mu, L)) >= best - 1e-9


SMALL = itertools.product((-1e-9, 0, 1e-9), repeat=2)
LARGE = [(1e-3, 0), (-1e-2, 0), (0, 1e-3), (0, -1e-3), (-0.5, 0)]
RIGHT = {
    ex.threshold: [separable, lambda y: int(separable(margin=0.01)(y))],
    ex.truth_table: [
        table,
        from_package,
        parity_by_counting,
        table(hidden=lambda d: -d),  # sgn 0 = +1
        larger,
    ],
    ex.max_of_four: [
        four(),
        tuple(four()),
        four(ABS, SPLIT, last=SPLIT),
        [*four()[:2], (OUT[:, None], [0.0])],
        [(4 * four()[0][0], four()[0][1]), (four()[1][0] / 4, four()[1][1]), four()[2]],
    ],
    ex.two_layer_gradients: [gradients(), gradients(parts=lambda a, b, c, e: [a.tolist(), b, c, np.array([e])])],
    ex.gradient_step: [stepping, in_place],
    ex.softmax_loss: [loss, in_lists(loss), loss(log=lambda x: logsumexp(x, axis=1, keepdims=True) - x, value=np.mean)],
    ex.fastest_momentum: [
        fastest,
        lambda mu, L: [np.array(part) for part in fastest(mu, L)],
        *itertools.starmap(off, SMALL),
    ],
}
WRONG = {
    ex.truth_table: [
        (table(output=lambda N: N), "at least -1 and less than 1, yours is 1"),
        (lambda y: table(output=lambda N: N - 1 if N else 0)(y), "must be less than 0, yours is 0"),
        (table(output=lambda N: N), "output bias is not"),  # the printed one
        (table(output=lambda N: N - 2), "output bias is not"),  # zero where y = -1 is rarer, and sgn 0 = +1
        *told("output bias is not", table(output=lambda N: 0 * N), table(output=lambda N: 1 - N)),
        (table(bias_flip=False), "output bias is not"),
        (table(flip=False), "change sign"),
        (table(rarer=False), "rarer"),
        *told("put the bias between", table(hidden=lambda d: 2 - d), table(hidden=lambda d: 0)),
        (lambda y: (lambda first, second: ((first[0].T, first[1]), second))(*table(y)), "W1 should have shape"),
        (lambda y: table(np.roll(y, 1)), "have all these corners the same y"),
        (lambda y: table(y)[0], "pair"),
        (lambda y: table(y)[:1], "2 things"),
        (lambda y: ((np.zeros((2, 1)), np.zeros(2)), (np.ones(1), 0)), "b1 should be"),
    ],
    ex.max_of_four: [
        (four(CARELESS, np.ones(2), last=np.ones(2)), "carry a number"),
        (four(shift=1.0), "up to a constant"),
        *told("the maximum is", four(last=np.array([-1.0, 1, -1])), four(out=np.array([-1.0, 1, -1]))),
        ([(-four()[0][0], four()[0][1]), four()[1], (-OUT, 0)], "smallest"),
        ([four()[0], (np.kron(np.eye(2), OUT[:, None]), np.zeros(2)), (np.ones(2), 0)], "the maximum is"),
        ([four()[0], (np.tile(OUT, 2)[:, None] * [1, -1], np.zeros(2)), ([1, -1], 0)], "sum of two maxima"),
        ([(four()[0][0].T, np.zeros(4)), *four()[1:]], "W1 should have shape"),
        (four()[1:], "3 things"),
        ([*four()[:2], (OUT, np.nan)], "finite"),
        (lambda: four(), "not a function"),
    ],
    ex.threshold: [
        (separable(margin=0.0), "ask for >= 1"),
        (separable(bias=False), "There is a bias"),
        (separable(bounds=(0, None)), "linprog takes unknowns >= 0"),
        (lambda y: True, "[-1, 1] + [1, -1] = [-1, -1] + [1, 1]"),
        (lambda y: False, "you count 0 threshold functions, there are 4"),
        (lambda y: len(y) < 16 and separable(y), "d = 4: you refuse"),
        (lambda y: len(y) > 8 or separable(y), "d = 4: you accept"),
        *told("True or False", lambda y: 14, lambda y: None),
    ],
    ex.two_layer_gradients: [
        (gradients(slope=lambda z: 1 - z**2), "sigmoid, 5 examples, 3 inputs, 4 units: your gradient of b1 is made"),
        (gradients(slope=lambda z: z * (1 - z)), "4 units: your gradient of b1 is made with z (1 - z)"),
        (gradients(slope=lambda z: z * 0 + 1), "without the derivative"),
        (gradients(factor=0.5), "half the right one: it belongs to the loss (f(x) - y)^2 / 2"),
        (gradients(factor=-1.0), "other sign"),
        (gradients(factor=2.0), "twice the right one"),
        (gradients(hidden_bias=0.0), "without hidden biases"),
        (gradients(output_bias=0.0), "without output bias"),
        (gradients(parts=lambda a, b, c, e: (a, 0 * b, c, e)), "b1 is zero"),
        (gradients(parts=lambda a, b, c, e: (a, b, c, 0.0)), "b2 is zero"),
        (gradients(parts=lambda a, b, c, e: (a, -b, c, e)), "b1 is the right one with the other sign"),
        (gradients(parts=lambda a, b, c, e: (a + 1e-3, b, c, e)), "W1 is off by up to 0.001"),
        (gradients(W2=np.ones_like), "made without W2"),
        (gradients(forward="tanh"), "a network of tanh units"),
        (gradients(parts=lambda a, b, c, e: (a.T, b, c, e)), "the gradient of W1 should be"),
        (gradients(parts=lambda a, b, c, e: (a, c)), "4 things"),
        (gradients(parts=lambda a, b, c, e: (a, b, c, None)), "the gradient of b2 should be a number"),
        (naive_tanh, "not all gradients are finite"),
        (only("half-sigmoid", gradients(slope=lambda z: z * (1 - z))), "twice too large: g' of sigma(a/2)"),
        (only("sigmoid", gradients(slope=lambda z: z * (1 - z) / 2)), "the factor 1/2 belongs to sigma(a/2)"),
        (only("half-sigmoid", gradients(slope=lambda z: 1 - z**2)), "made with 1 - z^2. The derivative of half"),
        (only("half-sigmoid", gradients(forward="sigmoid")), "a network of sigmoid units"),
        (summed, "5 times the right one: the risk is a mean"),
        (lambda *given: [part / 2 for part in summed(*given)], "half the sum"),
        (at_the_value, "at z = g(a) instead of at a"),
    ],
    ex.gradient_step: [
        (stepping(order="in place"), "made with the new W2. All gradients belong to the old weights"),
        (stepping(order="output first"), "at the new output weights"),
        (stepping(order="hidden first"), "at the new hidden weights"),
        (stepping(tau_factor=-1.0), "uphill"),
        (stepping(tau_factor=0.5), "half the right one"),
        (stepping(tau_factor=0.0), "the old ones"),
        (stepping(biases=False), "biases did not move"),
        (lambda *given: stepping(*given[:-1], 1.0), "without the factor tau"),
        (stepping(tau_factor=1.1), "the new b2 is off"),
        (lambda *given: gradients()(*given[:-1])[:3], "4 things"),
    ],
    ex.softmax_loss: [
        (loss(log=lambda x: -np.log(np.exp(x) / np.exp(x).sum(axis=1, keepdims=True))), "own largest score"),
        (loss(log=rows_together), "own largest score"),
        (loss(log=lambda x: -np.log(softmax(x, axis=1))), "rounded to 0"),
        (loss(log=lambda x: -np.log(softmax(x, axis=1) + 1e-300)), "no probability is needed"),
        (loss(log=lambda x: -np.log(np.maximum(softmax(x, axis=1), 1e-15))), "no probability is needed"),
        (loss(value=np.sum), "the mean is asked for"),
        (loss(value=lambda each: -each.mean()), "The sign"),
        (loss(value=lambda each: each), "the value should be a number"),
        (loss(gradient=lambda p, e, n: p - e), "n times too large"),
        (loss(gradient=lambda p, e, n: (e - p) / n), "of the wrong sign"),
        (loss(gradient=lambda p, e, n: p / n), "softmax / n; the 1"),
        (loss(gradient=lambda p, e, n: p), "softmax; the 1"),
        (loss(gradient=lambda p, e, n: (p - e) * e / n), "zero in the other classes"),
        (loss(gradient=lambda p, e, n: (p - e) * p / n), "off by up to"),
        (loss(gradient=lambda p, e, n: (p - e)[0] / n), "the gradient should be"),
        (lambda x, y: 0.0, "a pair"),
    ],
    ex.fastest_momentum: [
        *((off(*share, worst_only=True), "mu = 0.001, L = 10") for share in LARGE),
        (lambda mu, L: (2 / (mu + L), 0.0), "Without momentum"),
        (lambda mu, L: (1 / L, 0.9), "is possible for all curvatures"),
        (lambda mu, L: (fastest(mu, L)[0], np.sqrt(fastest(mu, L)[1])), "the root of beta"),
        *told("Stable are", lambda mu, L: (4 / L, 0.5), lambda mu, L: (1 / L, 1.0)),
        (lambda mu, L: fastest(L, mu)[0], "a pair"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
