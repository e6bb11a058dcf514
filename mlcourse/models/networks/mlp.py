"""Multi-layer perceptrons: affine maps with an activation between them.

Letters
    X, y    sample: m points of R^d; labels 0..k-1, or real targets
    w       all weights and biases in one vector; W, b those of one layer
    lam     strength of the penalty (lam/2) ||W||^2, biases left out
    tau     step
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mlcourse.arguments.numbers import check_counts
from mlcourse.base import ProbabilisticClassifier, Regressor
from mlcourse.models.networks.layers import ACTIVATIONS, affine, cross_entropy, dropout, softmax, square_loss
from mlcourse.models.networks.network import Layer, Network
from mlcourse.models.networks.training import NetworkTraining, finite_outputs


def mlp_layers(
    widths: tuple, activation: Callable, keep: float = 1.0, rng: np.random.Generator | None = None, first: bool = True
) -> list[Layer]:
    """Affine maps from each width to the next, with an activation and dropout after each of them but the last.

    Without ``first`` the gradient with respect to the inputs is computed too.
    """
    layers = []
    for k, (inputs, units) in enumerate(zip(widths, widths[1:], strict=False)):
        if k > 0:
            layers.append(Layer(activation))
            if keep < 1:
                layers.append(Layer(partial(dropout, p=keep, rng=rng)))
        layers.append(Layer(partial(affine, first=first and k == 0), ((inputs, units), (units,))))
    return layers


class MultiLayerPerceptron(NetworkTraining):
    """A multilayer perceptron, classifier or regressor: the network and its training."""

    _n_outputs: Any
    _loss: Callable

    def _network(self, rng=None):
        widths = (self.n_features_in_, *check_counts("hidden", self.hidden), self._n_outputs)
        return Network(mlp_layers(widths, ACTIVATIONS[self.activation], float(self.keep), rng))

    def _fit(self, X, y):
        self._train(self._loss, X, y)


class MLPClassifier(MultiLayerPerceptron, ProbabilisticClassifier):
    """Probabilities softmax(W_L a(... a(W_1 x + b_1) ...) + b_L): minimises the mean of -ln p_y + (lam/2) ||W||^2.

    The risk is not convex, so another ``random_state`` gives another local solution. Scale the features first.

    Parameters: ``hidden`` units of each hidden layer (a number, a tuple, or () for none); ``activation`` a of
    ``mlcourse.models.networks.layers``; ``lam1`` adds lam1 ||W||_1 to the penalty; ``keep`` below 1 is dropout: the
    probability that a hidden unit stays. ``solver`` "sgd", "momentum" or "adam" makes steps ``tau`` with ``batch``
    examples each, for ``max_epochs`` shuffled passes; "cg" makes as many steps with all examples and a line search.
    With ``patience``, a share ``validation`` of the sample is held out, the run ends after so many passes without a
    smaller risk there, and the best weights are kept.

    Learned: ``w_`` all parameters, ``layers_`` the pairs (W, b), ``n_epochs_``, ``converged_`` (not by the cap).

    Book: neural-networks. Source: Paris, Milan 24 (softmax, stopping rule and derivative of the sigmoid corrected).
    """

    _loss = staticmethod(cross_entropy)
    _n_outputs = property(lambda self: len(self.classes_))

    def _proba(self, X):
        return softmax(finite_outputs(self._network(), self.w_, X))[0]


class MLPRegressor(MultiLayerPerceptron, Regressor):
    """The prediction h(x) = W_L a(... a(W_1 x + b_1) ...) + b_L: minimises the mean of (y - h)^2 + (lam/2) ||W||^2.

    Parameters and learned attributes as for ``MLPClassifier``. Scale features and targets first.

    Book: neural-networks. Source: Paris (linear output, penalty without biases).
    """

    _loss = staticmethod(square_loss)
    _n_outputs = 1

    def _fit(self, X, y):
        super()._fit(X, y[:, None])

    def _predict(self, X):
        return np.ravel(finite_outputs(self._network(), self.w_, X))
