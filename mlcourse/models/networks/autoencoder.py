"""Autoencoders: networks that learn to repeat their input through a narrow layer. Letters as in ``mlp``."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_X
from mlcourse.arguments.numbers import check_counts
from mlcourse.base import Transformer
from mlcourse.models.networks.layers import ACTIVATIONS, dropout, square_loss
from mlcourse.models.networks.mlp import mlp_layers
from mlcourse.models.networks.network import Layer, Network
from mlcourse.models.networks.training import NetworkTraining, finite_outputs


class Autoencoder(NetworkTraining, Transformer):
    """An encoder and a decoder, decoder(encoder(x)) ~ x: minimises the mean of ||x - decoder(encoder(x))||^2
    + (lam/2) ||W||^2. The code of x, a vector of ``hidden[-1]`` numbers, is what ``transform`` returns.

    The decoder has the layers of the encoder in reverse order, and an affine last layer. With ``activation``
    "identity" both are affine, and the best of them project on the first principal components.

    Parameters: ``hidden`` units of the layers of the encoder, the last of them the code. ``keep`` below 1 makes a
    denoising autoencoder: in training it sees each feature with this probability, else 0, and must restore them
    all. The others as in ``MLPClassifier``.

    Learned: ``w_`` all parameters, ``layers_`` the pairs (W, b), ``n_epochs_``, ``converged_``.

    Book: deep-learning. Source: Paris.
    """

    def __init__(
        self, hidden=(2,), activation="tanh", lam=0.0, lam1=0.0, keep=1.0, solver="adam", tau=1e-3, batch=32,
        max_epochs=200, patience=None, validation=0.1, random_state=None,
    ):  # fmt: skip
        super().__init__(
            hidden, activation, lam, lam1, keep, solver, tau, batch, max_epochs, patience, validation, random_state
        )

    def _halves(self):
        """The layers of the encoder and those of the decoder."""
        hidden = check_counts("hidden", self.hidden)
        if not hidden:
            raise ValueError("an autoencoder needs at least one hidden layer, its code, got hidden=()")
        d = self.n_features_in_
        layers = mlp_layers((d, *hidden, *hidden[-2::-1], d), ACTIVATIONS[self.activation], first=self.keep == 1)
        return layers[: 2 * len(hidden)], layers[2 * len(hidden) :]

    def _network(self, rng=None):
        encoder, decoder = self._halves()
        noise = [] if rng is None or self.keep == 1 else [Layer(partial(dropout, p=float(self.keep), rng=rng))]
        return Network(noise + encoder + decoder)

    def _fit(self, X):
        self._train(square_loss, X, X)

    def _transform(self, X):
        encoder = Network(self._halves()[0])
        return finite_outputs(encoder, self.w_[: encoder.n_weights], X)

    def inverse_transform(self, codes: ArrayLike) -> np.ndarray:
        """The points that the decoder makes of codes, (n, ``hidden[-1]``)."""
        self._require_fit()
        codes = check_X(codes, check_counts("hidden", self.hidden)[-1], "the decoder")
        decoder = Network(self._halves()[1])
        return finite_outputs(decoder, self.w_[-decoder.n_weights :], codes)

    def reconstruct(self, X: ArrayLike) -> np.ndarray:
        """decoder(encoder(x)) for each row of X."""
        X = self._new_points(X)
        return finite_outputs(self._network(), self.w_, X)


def pretrained_layers(X: ArrayLike, hidden: tuple[int, ...], **training: Any) -> list[tuple]:
    """The pairs (W, b) of encoders trained one after another, each on the codes of the one before.

    ``training`` are parameters of ``Autoencoder``, of which each has one hidden layer. The pairs are a start for a
    network with these hidden layers, found without labels.
    """
    pairs = []
    for units in check_counts("hidden", hidden):
        single = Autoencoder(hidden=(units,), **training).fit(X)
        pairs.append(single.layers_[0])
        X = single.transform(X)
    return pairs
