"""The layers of a network: what each computes, and beside it the way back.

A layer is a function ``layer(x, *parameters)`` that returns its output y and a function ``back``. Given the gradient
g of the loss with respect to y, ``back(g, *slots)`` writes the gradients with respect to the parameters into the
slots, arrays of their shapes, and returns the gradient with respect to x. A loss returns its value and g.

Letters
    x, y    input and output of a layer, one example in each row: (n, d), or (n, h, w, c) for images with c channels;
            for a loss, y are the labels
    W, b    weights (d, k) and biases (k,) of an affine layer
    F       filters (r, s, c, k): k of them, r pixels high and s wide, on c channels
    E       embeddings (number of words, d): one row for each word
    g       gradient of the loss with respect to y
    p       probability with which dropout keeps a unit
"""

from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.special import expit

from mlcourse.losses.margin import logistic


def affine(x: np.ndarray, W: np.ndarray, b: np.ndarray, first: bool = False) -> tuple[np.ndarray, Callable]:
    """x W + b. Nobody asks the ``first`` layer of a network for the gradient with respect to its x, the data."""
    y = x.dot(W)
    y += b

    def back(g, dW, db):
        np.dot(x.T, g, out=dW)
        g.sum(axis=0, out=db)
        return None if first else g.dot(W.T)

    return y, back


def embedding(x: np.ndarray, E: np.ndarray) -> tuple[np.ndarray, Callable]:
    """The mean of the rows of E named by each row of x, a bag of word numbers; -1 stands for no word."""
    present = (x >= 0)[:, :, None]  # (n, c, 1)
    share = present / present.sum(axis=1, keepdims=True)

    def back(g, dE):
        dE[...] = 0
        np.add.at(dE, x, share * g[:, None])

    return (share * E[x]).sum(axis=1), back


def word_scores(x: np.ndarray, E: np.ndarray) -> tuple[np.ndarray, Callable]:
    """The inner products of each row of x with every row of E."""

    def back(g, dE):
        np.dot(g.T, x, out=dE)
        return g.dot(E)

    return x.dot(E.T), back


def candidate_scores(x: np.ndarray, E: np.ndarray, candidates: np.ndarray) -> tuple[np.ndarray, Callable]:
    """The inner products of row i of x with the rows of E named by row i of ``candidates``, (n, c)."""
    rows = E[candidates]  # (n, c, d)

    def back(g, dE):
        dE[...] = 0
        np.add.at(dE, candidates, g[:, :, None] * x[:, None])
        return np.einsum("nc,ncd->nd", g, rows)

    return np.einsum("nd,ncd->nc", x, rows), back


def identity(x: np.ndarray) -> tuple[np.ndarray, Callable]:
    """x itself: a linear unit."""
    return x, lambda g: g


def sign(x: np.ndarray) -> tuple[np.ndarray, Callable]:
    """+1 from zero on, else -1. Its derivative is zero wherever there is one: nothing comes back."""
    return np.where(x >= 0, 1.0, -1.0), lambda g: np.zeros_like(g)


def sigmoid(x: np.ndarray) -> tuple[np.ndarray, Callable]:
    """1 / (1 + e^-x), between 0 and 1."""
    y = expit(x)
    return y, lambda g: g * y * (1 - y)


def half_sigmoid(x: np.ndarray) -> tuple[np.ndarray, Callable]:
    """The sigmoid of x/2, whose derivative is y (1 - y) / 2."""
    y = expit(x / 2)
    return y, lambda g: g * y * (1 - y) / 2


def tanh(x: np.ndarray) -> tuple[np.ndarray, Callable]:
    """(e^x - e^-x) / (e^x + e^-x) = 2 sigmoid(2x) - 1, between -1 and 1."""
    y = np.tanh(x)
    return y, lambda g: g * (1 - y * y)


def relu(x: np.ndarray) -> tuple[np.ndarray, Callable]:
    """The positive part of x; at zero we take the derivative 0."""
    y = np.maximum(x, 0.0)
    return y, lambda g: g * (y > 0)


def leaky_relu(x: np.ndarray, slope: float = 0.01) -> tuple[np.ndarray, Callable]:
    """x where it is positive, ``slope`` times x elsewhere."""
    steep = np.where(x > 0, 1.0, slope)
    return steep * x, lambda g: g * steep


_NAMED = (identity, sigmoid, half_sigmoid, tanh, relu, leaky_relu)
ACTIVATIONS = {activation.__name__.replace("_", "-"): activation for activation in _NAMED}


def softmax(x: np.ndarray) -> tuple[np.ndarray, Callable]:
    """e^x_c over the sum of the e^x_j, for each row; adding a number to a row changes nothing."""
    y = np.exp(x - row_maxima(x))
    y /= y.sum(axis=1, keepdims=True)
    return y, lambda g: y * (g - (g * y).sum(axis=1, keepdims=True))


def row_maxima(x: np.ndarray) -> np.ndarray:
    """The largest entry of each row, (n, 1). Columns are fewer than rows: going along them is several times faster."""
    return np.ascontiguousarray(x.T).max(axis=0)[:, None]


def dropout(x: np.ndarray, p: float, rng: np.random.Generator | None = None) -> tuple[np.ndarray, Callable]:
    """Each unit with probability p, else 0. Without ``rng``, as in tests, every unit times p: its expectation."""
    mask = p if rng is None else rng.random(x.shape) < p
    return x * mask, lambda g: g * mask


def convolution(x: np.ndarray, F: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, Callable]:
    """b_k plus the inner product of filter k with the window at (i, j), for every window that fits into the image."""
    r, s, _, k = F.shape
    windows = sliding_window_view(x, (r, s), axis=(1, 2))  # (n, i, j, c, r, s)
    windows = windows.transpose(0, 1, 2, 4, 5, 3)
    columns, W = windows.reshape(-1, r * s * x.shape[3]), F.reshape(-1, k)
    y = (columns.dot(W) + b).reshape(*windows.shape[:3], k)

    def back(g, dF, db):
        g = g.reshape(-1, k)
        np.dot(columns.T, g, out=dF.reshape(-1, k))
        g.sum(axis=0, out=db)
        return spread(g.dot(W.T).reshape(windows.shape), x.shape)

    return y, back


def spread(windows: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The image of this shape to which every window (n, i, j, r, s, c) has been added where it came from."""
    _, height, width, r, s, _ = windows.shape
    x = np.zeros(shape)
    for i, j in np.ndindex(r, s):
        x[:, i : i + height, j : j + width] += windows[:, :, :, i, j]
    return x


def padding(x: np.ndarray, rows: int, columns: int) -> tuple[np.ndarray, Callable]:
    """The image with so many rows of zeros above and below, and columns of zeros on the left and on the right."""
    _, h, w, _ = x.shape
    y = np.pad(x, [(0, 0), (rows, rows), (columns, columns), (0, 0)])
    return y, lambda g: g[:, rows : rows + h, columns : columns + w]


def max_pooling(x: np.ndarray, size: int) -> tuple[np.ndarray, Callable]:
    """The largest entry of each tile of size x size pixels; equal ones share the gradient."""
    n, h, w, c = x.shape
    tiles = x.reshape(n, h // size, size, w // size, size, c)
    y = tiles.max(axis=(2, 4), keepdims=True)

    def back(g):
        largest = tiles == y
        return (largest * (g.reshape(y.shape) / largest.sum(axis=(2, 4), keepdims=True))).reshape(x.shape)

    return y[:, :, 0, :, 0], back


def mean_pooling(x: np.ndarray, size: int) -> tuple[np.ndarray, Callable]:
    """The mean of each tile of size x size pixels."""
    n, h, w, c = x.shape
    tiles = x.reshape(n, h // size, size, w // size, size, c)
    return tiles.mean(axis=(2, 4)), lambda g: g.repeat(size, axis=1).repeat(size, axis=2) / size**2


def reshaping(x: np.ndarray, shape: tuple[int, ...]) -> tuple[np.ndarray, Callable]:
    """Each row of x in another shape: an image becomes a vector, or a vector an image."""
    return x.reshape(len(x), *shape), lambda g: g.reshape(x.shape)


def cross_entropy(x: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """The mean of -ln softmax(x)_y over the examples, and its gradient: (softmax - indicator of y) / n."""
    own = np.arange(len(y)), y
    shifted = x - row_maxima(x)
    odds = np.exp(shifted)
    total = odds.sum(axis=1, keepdims=True)
    g = odds / (len(y) * total)
    g[own] -= 1 / len(y)
    return (np.log(total[:, 0]) - shifted[own]).sum() / len(y), g


def square_loss(x: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """The mean over the examples of ||y - x||^2, and its gradient."""
    rest = x - y
    return np.vdot(rest, rest) / len(y), rest * (2 / len(y))


def logistic_loss(x: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """The mean over the examples of the sum of ln(1 + e^{-y x}) for labels y of -1 and +1, and its gradient."""
    losses, slopes = logistic.with_derivative(y * x)
    return np.sum(losses) / len(x), y * slopes / len(x)
