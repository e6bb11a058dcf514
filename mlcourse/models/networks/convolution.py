"""Convolutional networks: the same small filters at every place of an image.

Letters as in ``mlp``, and F a filter (r, s); a row of X is an image, h w c numbers (height, width, channels).
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from mlcourse.arguments.kinds import Matrix, checks_arguments
from mlcourse.arguments.numbers import check_count, check_counts, check_image, check_odd
from mlcourse.models.networks.layers import ACTIVATIONS, convolution, max_pooling, padding, reshaping
from mlcourse.models.networks.mlp import MLPClassifier, mlp_layers
from mlcourse.models.networks.network import Layer, Network


@checks_arguments
def convolution_matrix(F: Matrix, shape: tuple[int, int]) -> np.ndarray:
    """The matrix (h' w', h w) that maps an image of this shape to its products with F at every place where F fits.

    It is a sum over the pixels (i, j) of F of shifts by i rows and j columns: Toeplitz blocks in Toeplitz position.
    """
    (r, s), (h, w, _) = F.shape, check_image("shape", shape)
    if r > h or s > w:
        raise ValueError(f"a filter of shape {F.shape} does not fit into an image of shape {shape}")
    return sum(F[i, j] * np.kron(np.eye(h - r + 1, h, i), np.eye(w - s + 1, w, j)) for i, j in np.ndindex(r, s))


def convolutional_layers(
    shape: tuple[int, int, int], filters: tuple[int, ...], size: int, pool: int, activation: Callable
) -> tuple[list[Layer], int]:
    """For each number of filters: padding, that many filters of size x size, activation, the largest of each tile."""
    height, width, channels = shape
    layers = [Layer(partial(reshaping, shape=shape))]
    for k in filters:
        layers += [
            Layer(partial(padding, rows=size // 2, columns=size // 2)),
            Layer(convolution, ((size, size, channels, k), (k,))),
            Layer(activation),
            Layer(partial(max_pooling, size=pool)),
        ]
        height, width, channels = height // pool, width // pool, k
    d = height * width * channels
    return [*layers, Layer(partial(reshaping, shape=(d,)))], d


class ConvolutionalClassifier(MLPClassifier):
    """Convolutions, then a multi-layer perceptron on what they found: minimises the mean of -ln p_y + (lam/2) ||W||^2.

    A convolutional layer looks for the same small patterns everywhere: its units share their weights, and a shifted
    image gives shifted outputs. Pooling keeps the largest of neighbouring outputs, so a small shift matters little.

    Parameters: ``shape`` of the images, (height, width) or (height, width, channels); a row of X is an image, read
    row by row. ``filters``: how many in each convolutional layer, each ``size`` x ``size`` pixels, followed by
    pooling in tiles of ``pool`` x ``pool``, which must divide the image. ``hidden`` units of the layers after that;
    ``keep`` is dropout there. The others as in ``MLPClassifier``.

    Learned: ``w_`` all parameters, ``layers_`` the pairs (F, b) and (W, b), ``n_epochs_``, ``converged_``.

    Book: deep-learning. Source: Paris, Milan 24.2.
    """

    _valid = MLPClassifier._valid | dict(shape=check_image, filters=check_counts, size=check_odd, pool=check_count)

    def __init__(
        self, shape=(8, 8), filters=(16, 32), size=3, pool=2, hidden=(), activation="relu", lam=1e-4, lam1=0.0,
        keep=1.0, solver="adam", tau=2e-3, batch=32, max_epochs=20, patience=None, validation=0.1, random_state=None,
    ):  # fmt: skip
        super().__init__(
            hidden, activation, lam, lam1, keep, solver, tau, batch, max_epochs, patience, validation, random_state
        )
        self.shape, self.filters, self.size, self.pool = shape, filters, size, pool

    def _network(self, rng=None):
        shape, filters, activation = check_image("shape", self.shape), self.filters, ACTIVATIONS[self.activation]
        layers, d = convolutional_layers(shape, check_counts("filters", filters), self.size, self.pool, activation)
        widths = (d, *check_counts("hidden", self.hidden), self._n_outputs)
        return Network(layers + mlp_layers(widths, activation, float(self.keep), rng, first=False))

    def _fit(self, X, y):
        (height, width, channels), d = check_image("shape", self.shape), X.shape[1]
        if height * width * channels != d:
            raise ValueError(f"X has {d} features, but an image of shape {self.shape} has {height * width * channels}")
        tile = self.pool ** len(check_counts("filters", self.filters))
        if height % tile or width % tile:
            raise ValueError(f"pooling in tiles of {self.pool} needs sides divisible by {tile}, got {self.shape}")
        super()._fit(X, y)
