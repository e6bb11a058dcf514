"""The checks of the exercises on deep networks accept right answers and say what is wrong with planted wrong ones."""

import itertools

import numpy as np
import pytest
from planting import in_lists, planted_tests, told
from scipy.linalg import convolution_matrix as scipy_convolution_matrix
from scipy.linalg import toeplitz
from scipy.sparse import csr_array
from scipy.special import expit

from mlcourse.models.networks.autoencoder import Autoencoder
from mlcourse_homework.chapters import deep_learning as ex

# --- dropout ---------------------------------------------------------------------------------------


def masks(weigh=lambda p, j, n: p**j * (1 - p) ** (n - j), keep=lambda p: 1.0, scaled=lambda f, x, p: f(p * x), skip=0):
    """The mean over masks with planted mistakes: the weights, the factor of kept units, the scaled value."""

    def answer(f, x, p):
        n = len(x)
        listed = [np.array(mask) for mask in itertools.product((0, 1), repeat=n)][skip:]
        return sum(weigh(p, mask.sum(), n) * f(keep(p) * mask * x) for mask in listed), scaled(f, x, p)

    return answer


def drawn(f, x, p, rng=np.random.default_rng(0)):  # noqa: B008
    return np.mean([f((rng.random(len(x)) < p) * x) for _ in range(200)]), f(p * x)


# --- linear autoencoder ----------------------------------------------------------------------------


def by_svd(X, k, centre=True, last=False, M=None, undo=True, bias=True):
    """The autoencoder by the singular vectors, with codes changed by M, and planted mistakes."""
    mean = X.mean(axis=0)
    Vt = np.linalg.svd(X - mean if centre else X)[2]
    V = (Vt[::-1] if last else Vt)[:k].T
    M = np.eye(k) if M is None else M(k)
    W1, W2 = V @ M, (np.linalg.inv(M) if undo else M.T) @ V.T
    return (W1, -mean @ W1 if bias else np.zeros(k)), (W2, mean if bias else np.zeros(len(mean)))


def shear(k):
    return np.triu(np.full((k, k), 3.0))


def projecting(V, X):
    """Codes by the columns of V, and the mean added at the end."""
    return (V, np.zeros(V.shape[1])), (V.T, X.mean(axis=0))


def elsewhere(X, k):
    """The encoder without bias, the decoder with all of it; codes turned."""
    (W1, _), (W2, _) = by_svd(X, k, M=shear)
    mean = X.mean(axis=0)
    return [[W1.tolist(), [0.0] * k], [W2, mean - mean @ W1 @ W2]]


def test_a_trained_autoencoder_passes_where_it_has_converged():
    X = np.random.default_rng(0).normal(size=(30, 4)) * [4.0, 3.0, 1.0, 0.5] + 1
    model = Autoencoder(hidden=(2,), activation="identity", solver="cg", max_epochs=2000, random_state=0).fit(X)
    (W1, b1), (W2, b2) = model.layers_
    best = by_svd(X, 2)
    rest = [np.sum((X - (X @ U1 + c1) @ U2 - c2) ** 2) for (U1, c1), (U2, c2) in (best, ((W1, b1), (W2, b2)))]
    assert np.isclose(*rest, rtol=1e-6)  # the same order of rows and columns as in the package


# --- convolution -----------------------------------------------------------------------------------


def by_toeplitz(F, d):
    return toeplitz(np.r_[F[0], np.zeros(d - len(F))], np.r_[F, np.zeros(d - len(F))])


# --- word vectors ----------------------------------------------------------------------------------


def sampled(sign=(1.0, -1.0), slope=1.0, add=True, over=False, mean=False, unique=False, skip=False, stable=True):
    """Loss and gradients of negative sampling, with planted mistakes."""

    def answer(v, E, target, negatives):
        negatives = np.unique(negatives) if unique else negatives
        negatives = negatives[negatives != target] if skip else negatives
        words, y = np.append(target, negatives), np.array([sign[0]] + [sign[1]] * len(negatives))
        z = y * (E[words] @ v)
        losses = np.logaddexp(0, -z) if stable else np.log(1 + np.exp(-z))
        slopes, dE = -slope * y * expit(-z), np.zeros_like(E)
        if add:
            np.add.at(dE, words, slopes[:, None] * v)
        elif over:
            dE[words] = slopes[:, None] * v
        else:
            dE[words] += slopes[:, None] * v
        share = len(words) if mean else 1
        return losses.sum() / share, slopes @ E[words] / share, dE / share

    return answer


def changed(part, change):
    """The right answer with one of its three parts changed."""

    def answer(*case):
        got = list(sampled()(*case))
        got[part] = change(got[part], *case)
        return got

    return answer


def test_the_gradients_of_the_check_are_those_of_its_loss():
    rng, answer = np.random.default_rng(1), sampled()
    v, E, words = rng.normal(size=3), rng.normal(size=(5, 3)), (2, np.array([1, 4, 1, 2]))
    _, dv, dE = answer(v, E, *words)
    h = 1e-6
    steps = h * np.eye(3)
    assert np.allclose(dv, [(answer(v + e, E, *words)[0] - answer(v - e, E, *words)[0]) / (2 * h) for e in steps])
    for c, e in itertools.product(range(5), steps):
        move = np.eye(5)[:, [c]] * e
        slope = (answer(v, E + move, *words)[0] - answer(v, E - move, *words)[0]) / (2 * h)
        assert np.isclose(dE[c] @ e / h, slope, atol=1e-7)


# --- gain ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("s", [0.0, 0.3, -1.0])
def test_the_gain_keeps_the_mean_squared_gradient_of_one_layer(s):
    rng, n, draws = np.random.default_rng(3), 4, 200_000
    x, u = rng.normal(size=(2, n))
    w = rng.uniform(-1, 1, size=(draws, n)) * np.sqrt(3 * 2 / (1 + s**2) / n)  # symmetric, variance gain/n
    passed = (np.where(w @ x > 0, 1, s) * (w @ u)) ** 2
    assert abs(n * passed.mean() - u @ u) < 5 * n * passed.std() / np.sqrt(draws)


# --- receptive field -------------------------------------------------------------------------------


def by_the_formula(layers):
    width, step = 1, 1
    for size, stride in layers:
        width, step = width + (size - 1) * step, step * stride
    return width


def with_steps(layers, before=True, own=False, sizes=False):
    sequence = layers if before else layers[::-1]
    width, step = 0 if sizes else 1, 1
    for size, stride in sequence:
        width += (size - (not sizes)) * step * (stride if own else 1)
        step *= stride
    return width


def mean_of_negatives(v, E, target, negatives):
    (own, *_), (loss, *gradients) = sampled()(v, E, target, negatives[:0]), sampled()(v, E, target, negatives)
    return own + (loss - own) / max(len(negatives), 1), *gradients


RIGHT = {
    ex.mask_mean: [masks(), in_lists(masks()), lambda f, x, p: masks()(lambda z: f(list(z)), x, p)],
    ex.linear_autoencoder: [by_svd, lambda X, k: by_svd(X, k, M=shear), elsewhere],
    ex.filter_matrix: [by_toeplitz, in_lists(by_toeplitz), lambda F, d: csr_array(by_toeplitz(F, d))],
    ex.filter_back: [
        lambda F, g: np.convolve(F, g),
        lambda F, g: by_toeplitz(F, len(F) + len(g) - 1).T @ g,
        lambda F, g: np.correlate(np.pad(g, len(F) - 1), F[::-1]).tolist(),
    ],
    ex.negative_sampling: [sampled(), in_lists(sampled())],
    ex.leaky_gain: [lambda s: 2 / (1 + s * s), lambda s: np.float64(1 / np.mean([1, s**2]))],
    ex.receptive_field: [
        by_the_formula,
        lambda layers: np.int64(by_the_formula(layers)),
        lambda layers: float(by_the_formula(layers)),
    ],
}
WRONG = {
    ex.mask_mean: [
        (masks(weigh=lambda p, j, n: 0.5**n), "same weight"),
        (masks(weigh=lambda p, j, n: p ** (n - j) * (1 - p) ** j), "is kept"),
        (masks(keep=lambda p: 1 / max(p, 1e-3)), "divided the kept units"),
        (masks(skip=1), "missing"),
        (lambda f, x, p: (f(p * x), f(p * x)), "only sometimes the mean"),
        (drawn, "do not draw them"),
        (masks(scaled=lambda f, x, p: p * f(x)), "multiplied the output"),
        (masks(scaled=lambda f, x, p: f(x)), "without the factor"),
        (masks(scaled=lambda f, x, p: f((1 - p) * x)), "1 - p"),
        (masks(scaled=lambda f, x, p: masks()(f, x, p)[0]), "over the masks again"),
        (lambda f, x, p: f(np.ones((2, len(x)))), "one vector of units at a time"),
        (lambda f, x, p: masks()(f, x, p)[0], "a pair"),
    ],
    ex.linear_autoencoder: [
        (lambda X, k: by_svd(X, k, bias=False), "the biases are not"),
        (lambda X, k: by_svd(X, k, centre=False, bias=False), "subtract the mean first"),
        (lambda X, k: by_svd(X, k, last=True), "least variance"),
        (lambda X, k: by_svd(X, k, M=shear, undo=False), "must undo"),
        (lambda X, k: (lambda e, d: (e, (0.999 * d[0], d[1])))(*by_svd(X, k)), "m = 30, d = 5"),
        (lambda X, k: (lambda e, d: (e, (0.999 * d[0], d[1])))(*by_svd(X, k)), "not a projection"),
        (lambda X, k: tuple((np.transpose(W), b) for W, b in by_svd(X, k)), "W1 should be"),
        (lambda X, k: by_svd(X, X.shape[1]), "W1 should be"),
        (lambda X, k: projecting(np.linalg.svd(X - X.mean(0))[2][:, :k], X), "Eigenvectors are the columns"),
        (lambda X, k: projecting(np.linalg.eigh(np.cov(X.T))[1][-k:].T, X), "Eigenvectors are the columns"),
        (lambda X, k: by_svd(X, k)[0], "of the encoder"),
        (lambda X, k: by_svd(X, k) + (0,), "a pair"),
        (lambda X, k: by_svd(X * [1.0] * X.shape[1], k, M=lambda k: np.full((k, k), np.nan), undo=False), "your loss"),
    ],
    ex.filter_matrix: [
        (lambda F, d: by_toeplitz(F[::-1], d), "flipped"),
        (lambda F, d: scipy_convolution_matrix(F, d, mode="valid"), "flipped"),
        (lambda F, d: by_toeplitz(F, d).T, "transpose"),
        (lambda F, d: scipy_convolution_matrix(F, d, mode="full"), "7 at 5 places"),
        (lambda F, d: scipy_convolution_matrix(F, d, mode="same"), "7 at 5 places"),
        (lambda F, d: np.tile(by_toeplitz(F, d)[0], (d - len(F) + 1, 1)), "does not move"),
        (lambda F, d: by_toeplitz(F, d)[::-1], "wrong way"),
        *told("is not right", lambda F, d: 2 * by_toeplitz(F, d), lambda F, d: by_toeplitz(F, d) * np.nan),
    ],
    ex.filter_back: [
        *told("wrong way round", lambda F, g: np.correlate(g, F, mode="full"), lambda F, g: np.convolve(F[::-1], g)),
        (lambda F, g: np.convolve(F, g)[::-1], "backwards"),
        (lambda F, g: np.convolve(F, g, mode="valid"), "shape"),
        (lambda F, g: np.zeros(len(F) + len(g) - 1), "is not right"),
    ],
    ex.negative_sampling: [
        (sampled(sign=(-1.0, 1.0)), "exchanged"),
        (sampled(sign=(1.0, 1.0)), "with the sign of the target"),
        (sampled(mean=True), "the loss is a sum"),
        (sampled(unique=True), "counts twice"),
        (sampled(skip=True), "every draw counts"),
        (sampled(stable=False), "np.logaddexp"),
        *told("step of descent", sampled(slope=-1.0), changed(2, lambda dE, *case: -dE)),
        (sampled(slope=2.0), "off by"),
        (sampled(add=False), "np.add.at"),
        (sampled(add=False, over=True), "counted once"),
        (mean_of_negatives, "mean over the negatives"),
        (changed(2, lambda dE, v, E, t, n: dE / (1 + len(n))), "gradient of a mean"),
        (changed(1, lambda dv, v, E, t, n: -expit(-E[t] @ v) * E[t]), "the negatives push"),
        (changed(1, lambda dv, v, E, t, n: dv / (1 + len(n))), "gradient of a mean"),
        (changed(1, lambda dv, v, E, t, n: -expit(-E[t] @ v) * E[t] - expit(E[n] @ v) @ E[n]), "+sigma(z)"),
        (changed(1, lambda dv, v, E, t, n: -expit(E[t] @ v) * E[t] + expit(-E[n] @ v) @ E[n]), "1 - sigma(z)"),
        (changed(2, lambda dE, v, E, t, n: -np.eye(len(E))[:, [t]] * expit(-E[t] @ v) * v), "Only the row"),
        (changed(2, lambda dE, v, E, t, n: dE[np.append(t, n)]), "one row for each word"),
        (changed(2, lambda dE, v, E, t, n: np.nan * dE), "inf or nan"),
        (lambda *case: sampled()(*case)[:2], "3 things"),
    ],
    ex.leaky_gain: [
        (lambda s: 2, "gain of the relu"),
        (lambda s: 2 / (1 + s) ** 2, "before they are added"),
        (lambda s: 2 / (1 + s), "must be squared"),
        (lambda s: (1 + s**2) / 2, "its inverse"),
        (lambda s: 1 / (1 + s**2), "probability 1/2"),
        (lambda s: np.sqrt(2 / (1 + s**2)), "standard deviation"),
        (lambda s: 2 / (1 - s**2) if abs(s) != 1 else 1.0, "not by 1"),
        (lambda s: [1, s], "a number"),
    ],
    ex.receptive_field: [
        (lambda layers: 1 + sum(size - 1 for size, _ in layers), "forgot the strides"),
        (lambda layers: sum(size for size, _ in layers), "added the sizes"),
        (lambda layers: with_steps(layers, sizes=True), "size - 1 steps"),
        (lambda layers: with_steps(layers, own=True), "own stride"),
        (lambda layers: with_steps(layers, before=False), "of the layers before"),
        (lambda layers: int(np.prod([size for size, _ in layers])), "product"),
        (lambda layers: by_the_formula(layers) ** 2, "pixels in a row"),
        (lambda layers: None, "a number"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
