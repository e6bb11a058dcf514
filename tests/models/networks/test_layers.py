"""Layers: what comes back is the derivative of what went forward, for every layer, activation and loss."""

import itertools
from functools import partial

import numpy as np
import pytest
from scipy import signal
from scipy.special import log_softmax

from mlcourse.models.networks import layers
from mlcourse.models.networks.convolution import convolution_matrix
from mlcourse.testing import numerical_gradient

TOLERANCE = {"rtol": 1e-6, "atol": 1e-8}


def normal(*shape):
    return lambda rng: rng.normal(size=shape)


def words(*shape):
    """Numbers of five words, -1 for none, at least one in each row."""

    def draw(rng):
        bags = rng.integers(-1, 5, size=shape)
        bags[:, 0] = rng.integers(5, size=shape[0])
        return bags

    return draw


IMAGE = normal(3, 6, 4, 2)
CANDIDATES = np.array([[0, 1, 1], [2, 2, 2], [4, 0, 3], [1, 2, 3]])
LAYERS = {  # layer, its input, its parameters
    "affine": (layers.affine, normal(5, 3), [normal(3, 4), normal(4)]),
    "word scores": (layers.word_scores, normal(4, 3), [normal(5, 3)]),
    "candidate scores": (partial(layers.candidate_scores, candidates=CANDIDATES), normal(4, 3), [normal(5, 3)]),
    **{name: (run, normal(5, 4), []) for name, run in layers.ACTIVATIONS.items()},
    "leaky-relu, slope 0.3": (partial(layers.leaky_relu, slope=0.3), normal(5, 4), []),
    "softmax": (layers.softmax, normal(5, 4), []),
    "dropout in tests": (partial(layers.dropout, p=0.3), normal(5, 4), []),
    "convolution": (layers.convolution, IMAGE, [normal(3, 2, 2, 4), normal(4)]),
    "convolution with one pixel": (layers.convolution, IMAGE, [normal(1, 1, 2, 3), normal(3)]),
    "convolution with the whole image": (layers.convolution, IMAGE, [normal(6, 4, 2, 3), normal(3)]),
    "padding": (partial(layers.padding, rows=1, columns=2), IMAGE, []),
    "no padding": (partial(layers.padding, rows=0, columns=0), IMAGE, []),
    "max pooling": (partial(layers.max_pooling, size=2), IMAGE, []),
    "mean pooling": (partial(layers.mean_pooling, size=2), IMAGE, []),
    "reshaping": (partial(layers.reshaping, shape=(48,)), IMAGE, []),
}


def assert_back(layer, x, parameters, rng, of_x=True):
    """What ``back`` returns and writes are the gradients of g.y with respect to x and to the parameters."""
    y, back = layer(x, *parameters)
    g = rng.normal(size=y.shape)
    slots = [np.full(p.shape, np.nan) for p in parameters]
    dx = back(g, *slots)
    if of_x:
        expected = numerical_gradient(lambda x: np.vdot(layer(x, *parameters)[0], g), x)
        np.testing.assert_allclose(dx, expected, **TOLERANCE)
    for k, (p, slot) in enumerate(zip(parameters, slots, strict=True)):

        def value(p, k=k):
            return np.vdot(layer(x, *parameters[:k], p, *parameters[k + 1 :])[0], g)

        np.testing.assert_allclose(slot, numerical_gradient(value, p), **TOLERANCE)


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("seed", range(3))
def test_the_way_back_is_the_derivative(name, rng):
    layer, x, parameters = LAYERS[name]
    assert_back(layer, x(rng), [p(rng) for p in parameters], rng)


@pytest.mark.parametrize("seed", range(3))
def test_the_way_back_of_embeddings_is_the_derivative(rng):
    assert_back(layers.embedding, words(6, 4)(rng), [rng.normal(size=(5, 3))], rng, of_x=False)


@pytest.mark.parametrize("name", LAYERS)
def test_nothing_is_written_to(name, rng):
    layer, x, parameters = LAYERS[name]
    x, parameters = x(rng), [p(rng) for p in parameters]
    before = [a.copy() for a in (x, *parameters)]
    y, back = layer(x, *parameters)
    kept, g = y.copy(), rng.normal(size=y.shape)
    g_before = g.copy()
    back(g, *[np.empty(p.shape) for p in parameters])
    again = back(g, *[np.empty(p.shape) for p in parameters])
    assert np.array_equal(g, g_before) and np.array_equal(y, kept) and again is not None
    assert all(np.array_equal(a, b) for a, b in zip((x, *parameters), before, strict=True))


def test_the_first_layer_returns_no_gradient_but_writes_the_same(rng):
    x, W, b, g = rng.normal(size=(5, 3)), rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=(5, 4))
    pairs = [(np.empty((3, 4)), np.empty(4)) for _ in range(2)]
    assert layers.affine(x, W, b, first=True)[1](g, *pairs[0]) is None
    layers.affine(x, W, b)[1](g, *pairs[1])
    assert all(np.array_equal(*slots) for slots in zip(*pairs, strict=True))


# --- activations ----------------------------------------------------------------------------------------
def test_formulas_of_the_activations():
    x = np.linspace(-6, 6, 25)
    value = {name: run(x)[0] for name, run in layers.ACTIVATIONS.items()}
    np.testing.assert_allclose(value["sigmoid"], 1 / (1 + np.exp(-x)))
    np.testing.assert_allclose(value["half-sigmoid"], 1 / (1 + np.exp(-x / 2)))
    np.testing.assert_allclose(value["half-sigmoid"], (1 + np.tanh(x / 4)) / 2)
    np.testing.assert_allclose(value["tanh"], 2 / (1 + np.exp(-2 * x)) - 1, atol=1e-15)
    assert np.array_equal(value["relu"], np.where(x > 0, x, 0))
    assert np.array_equal(value["leaky-relu"], np.where(x > 0, x, 0.01 * x))
    assert np.array_equal(value["identity"], x)
    assert np.array_equal(layers.leaky_relu(x, slope=0.3)[0], np.where(x > 0, x, 0.3 * x))


def test_the_sign_of_zero_is_plus_one_and_nothing_comes_back():
    y, back = layers.sign(np.array([-1e-300, 0.0, -0.0, 3.0]))
    assert y.tolist() == [-1, 1, 1, 1] and not back(np.ones(4)).any()


def test_at_zero_the_derivative_is_that_of_the_left():
    zero, one = np.zeros(1), np.ones(1)
    assert layers.relu(zero)[1](one) == 0 and layers.leaky_relu(zero)[1](one) == 0.01
    assert layers.leaky_relu(zero, slope=0.3)[1](one) == 0.3


@pytest.mark.parametrize("name", layers.ACTIVATIONS)
def test_no_activation_overflows(name):
    x = np.array([[-1e4, -1e300, 1e4, 1e300, 0.0]])
    with np.errstate(all="raise", under="ignore"):
        y, back = layers.ACTIVATIONS[name](x)
        assert np.isfinite(y).all() and np.isfinite(back(np.ones_like(x))).all()


# --- softmax and losses ---------------------------------------------------------------------------------
@pytest.mark.parametrize("shift", [-1e4, -3.0, 1e4, 1e8])
def test_softmax_and_cross_entropy_do_not_feel_a_shift(shift, rng):
    x, y = rng.integers(-5, 5, size=(6, 4)).astype(float), rng.integers(4, size=6)
    np.testing.assert_allclose(layers.softmax(x + shift)[0], layers.softmax(x)[0], rtol=1e-12)
    for moved, still in zip(layers.cross_entropy(x + shift, y), layers.cross_entropy(x, y), strict=True):
        np.testing.assert_allclose(moved, still, rtol=1e-12, atol=1e-15)


def test_softmax_and_losses_do_not_overflow():
    x = np.array([[1e4, -1e4, 0.0], [-1e4, -1e4, -1e4], [0.0, 1e4, 1e4 - 1]])
    with np.errstate(all="raise", under="ignore"):
        y, back = layers.softmax(x)
        np.testing.assert_allclose(y[1], 1 / 3)
        assert np.isfinite(back(x)).all() and np.allclose(y.sum(axis=1), 1)
        for label, expected in [(0, 0.0), (1, 2e4), (2, 1e4)]:
            value, g = layers.cross_entropy(x[:1], np.array([label]))
            assert value == expected and np.isfinite(g).all()
        value, g = layers.logistic_loss(x, np.where(x > 0, -1.0, 1.0))
        assert np.isfinite(value) and np.isfinite(g).all()


LOSSES = {
    "cross-entropy": (layers.cross_entropy, lambda rng: rng.integers(4, size=6),
                      lambda x, y: -log_softmax(x, axis=1)[np.arange(6), y].mean()),
    "square": (layers.square_loss, lambda rng: rng.normal(size=(6, 4)),
               lambda x, y: ((x - y) ** 2).sum(axis=1).mean()),
    "logistic": (layers.logistic_loss, lambda rng: rng.choice([-1.0, 1.0], size=(6, 4)),
                 lambda x, y: np.logaddexp(0, -y * x).sum(axis=1).mean()),
}  # fmt: skip


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("seed", range(3))
def test_losses_have_their_value_and_its_gradient(name, rng):
    loss, labels, formula = LOSSES[name]
    x, y = 3 * rng.normal(size=(6, 4)), labels(rng)
    value, g = loss(x, y)
    assert value == pytest.approx(formula(x, y), rel=1e-12)
    np.testing.assert_allclose(g, numerical_gradient(lambda x: loss(x, y)[0], x), **TOLERANCE)


# --- dropout: the 2^n masks -----------------------------------------------------------------------------
def masks(n, p):
    """All masks of n units, and their probabilities."""
    for mask in itertools.product((0.0, 1.0), repeat=n):
        yield np.array(mask), p ** sum(mask) * (1 - p) ** (n - sum(mask))


@pytest.mark.parametrize("p", [0.2, 0.5, 0.9, 1.0])
def test_a_linear_unit_after_dropout_has_the_output_of_the_test_on_average(p, rng):
    x, W, b = rng.normal(size=(2, 6)), rng.normal(size=(6, 3)), rng.normal(size=3)
    average = sum(chance * layers.affine(x * mask, W, b)[0] for mask, chance in masks(6, p))
    np.testing.assert_allclose(layers.affine(layers.dropout(x, p)[0], W, b)[0], average, rtol=1e-12)
    bent = sum(chance * np.tanh(layers.affine(x * mask, W, b)[0]) for mask, chance in masks(6, p))
    exact = np.allclose(np.tanh(layers.affine(layers.dropout(x, p)[0], W, b)[0]), bent, atol=1e-3)
    assert exact == (p == 1)  # not so for a unit that is not linear


def test_at_one_half_the_test_is_the_geometric_mean_of_the_softmax_of_all_thinned_nets():
    rng = np.random.default_rng(1)
    x, W, b = rng.normal(size=(2, 6)), rng.normal(size=(6, 4)), rng.normal(size=4)
    logs = sum(chance * log_softmax(layers.affine(x * mask, W, b)[0], axis=1) for mask, chance in masks(6, 0.5))
    geometric = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
    at_test = layers.softmax(layers.affine(layers.dropout(x, 0.5)[0], W, b)[0])[0]
    np.testing.assert_allclose(at_test, geometric, rtol=1e-12)
    arithmetic = sum(chance * layers.softmax(layers.affine(x * mask, W, b)[0])[0] for mask, chance in masks(6, 0.5))
    assert not np.allclose(at_test, arithmetic, atol=1e-3)


def test_dropout_keeps_units_with_its_probability_and_sends_back_to_those_alone():
    x = np.ones((400, 250))
    y, back = layers.dropout(x, 0.3, np.random.default_rng(0))
    assert set(np.unique(y)) == {0.0, 1.0} and abs(y.mean() - 0.3) < 5 * np.sqrt(0.21 / x.size)
    assert np.array_equal(back(2 * x), 2 * y)
    assert np.array_equal(layers.dropout(x, 1.0, np.random.default_rng(0))[0], x)


# --- images ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 4), (5, 1), (6, 7)])
@pytest.mark.parametrize("seed", range(2))
def test_convolution_is_that_of_scipy(shape, rng):
    x, F, b = rng.normal(size=(2, 6, 7, 3)), rng.normal(size=(*shape, 3, 4)), rng.normal(size=4)
    y, _ = layers.convolution(x, F, b)
    for image, k in itertools.product(range(2), range(4)):
        channels = [signal.correlate2d(x[image, :, :, c], F[:, :, c, k], mode="valid") for c in range(3)]
        np.testing.assert_allclose(y[image, :, :, k], b[k] + sum(channels), rtol=1e-10, atol=1e-12)
        flipped = [signal.convolve2d(x[image, :, :, c], F[::-1, ::-1, c, k], mode="valid") for c in range(3)]
        np.testing.assert_allclose(y[image, :, :, k], b[k] + sum(flipped), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 4), (6, 7)])
def test_convolution_is_a_product_with_a_matrix_of_toeplitz_blocks(shape, rng):
    x, F = rng.normal(size=(6, 7)), rng.normal(size=shape)
    A = convolution_matrix(F, (6, 7))
    y, back = layers.convolution(x[None, :, :, None], F[:, :, None, None], np.zeros(1))
    np.testing.assert_allclose(A @ x.ravel(), y.ravel(), rtol=1e-10, atol=1e-12)
    g = rng.normal(size=y.shape)
    dx = back(g, np.empty((*shape, 1, 1)), np.empty(1))
    np.testing.assert_allclose(A.T @ g.ravel(), dx.ravel(), rtol=1e-10, atol=1e-12)  # the way back is its transpose
    blocks = A.reshape(y.shape[1], y.shape[2], 6, 7)
    assert np.array_equal(blocks[1:, :, 1:], blocks[:-1, :, :-1])
    assert np.array_equal(blocks[:, 1:, :, 1:], blocks[:, :-1, :, :-1])


@pytest.mark.parametrize("shape", [(7, 7), (6, 8), (7, 1)])
def test_a_filter_larger_than_the_image_is_refused(shape):
    with pytest.raises(ValueError, match="does not fit into an image of shape \\(6, 7\\)"):
        convolution_matrix(np.ones(shape), (6, 7))


def test_pooling_takes_the_largest_and_the_mean_of_each_tile(rng):
    x = rng.normal(size=(2, 6, 9, 3))
    largest, mean = layers.max_pooling(x, 3)[0], layers.mean_pooling(x, 3)[0]
    for i, j in np.ndindex(2, 3):
        tile = x[:, 3 * i : 3 * i + 3, 3 * j : 3 * j + 3]
        np.testing.assert_allclose(largest[:, i, j], tile.max(axis=(1, 2)))
        np.testing.assert_allclose(mean[:, i, j], tile.mean(axis=(1, 2)))


def test_equal_entries_of_a_tile_share_the_gradient():
    x = np.array([[1.0, 1.0], [0.0, 1.0]])[None, :, :, None]
    dx = layers.max_pooling(x, 2)[1](np.full((1, 1, 1, 1), 6.0))
    assert dx[0, :, :, 0].tolist() == [[2, 2], [0, 2]]


# --- words ----------------------------------------------------------------------------------------------
def test_embedding_is_the_mean_of_the_words_that_are_there():
    E = np.arange(10.0).reshape(5, 2)
    y, _ = layers.embedding(np.array([[0, 2, -1], [4, -1, -1], [1, 1, 3]]), E)
    np.testing.assert_allclose(y, [(E[0] + E[2]) / 2, E[4], (2 * E[1] + E[3]) / 3])


def test_candidate_scores_are_some_of_all_scores(rng):
    x, E = rng.normal(size=(4, 3)), rng.normal(size=(5, 3))
    some, every = layers.candidate_scores(x, E, CANDIDATES)[0], layers.word_scores(x, E)[0]
    np.testing.assert_allclose(some, np.take_along_axis(every, CANDIDATES, axis=1))
