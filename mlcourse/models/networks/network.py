"""Networks: layers one after another, their parameters in one flat vector.

Letters
    w       all parameters of a network in one vector; the parameters of its layers are views of it
    x, X    a batch of inputs, the sample of m of them; y the labels
    g       gradient of the loss with respect to the output of a layer
    lam     strength of the penalty (lam/2) ||W||^2 on the weights; lam1 that of lam1 ||W||_1. Biases are not penalised
"""

import copy
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlcourse.models.networks.layers import logistic_loss, square_loss
from mlcourse.optim.objective import Function


@dataclass(frozen=True)
class Layer:
    """A function of ``mlcourse.models.networks.layers`` and the shapes of its parameters."""

    run: Callable  # run(x, *parameters) returns y and back
    shapes: tuple = ()


class Network:
    """The composition of layers, as a function of all their parameters w and of the inputs x.

    Attributes: ``n_weights``, the length of w; ``penalised`` (n_weights,), 1 for a weight and 0 for a bias.
    """

    def __init__(self, layers):
        self.layers = list(layers)
        shapes = [shape for layer in self.layers for shape in layer.shapes]
        sizes = [math.prod(shape) for shape in shapes]
        self.n_weights = sum(sizes)
        self.penalised = np.repeat([float(len(shape) > 1) for shape in shapes], sizes)
        places = iter(itertools.pairwise(itertools.accumulate(sizes, initial=0)))
        self.places = [[(*next(places), shape) for shape in layer.shapes] for layer in self.layers]

    def parameters(self, w: np.ndarray) -> list[list[np.ndarray]]:
        """For each layer the list of its parameters, views of the flat vector w."""
        return [[w[start:end].reshape(shape) for start, end, shape in places] for places in self.places]

    def __call__(self, w, x):
        for layer, parameters in zip(self.layers, self.parameters(w), strict=True):
            x, _ = layer.run(x, *parameters)
        return x

    def initial_weights(self, rng: np.random.Generator, gain: float = 1.0) -> np.ndarray:
        """Normal weights of variance gain / (inputs of the unit), so that scores keep their size; biases zero."""
        w = np.zeros(self.n_weights)
        for view in (view for views in self.parameters(w) for view in views if view.ndim > 1):
            view[...] = rng.normal(size=view.shape) * math.sqrt(gain / math.prod(view.shape[:-1]))
        return w


def backpropagation(network: Network, w: np.ndarray, x: np.ndarray, loss: Callable) -> tuple[float, np.ndarray]:
    """The value of loss(network(w, x)) and its gradient with respect to w: once forward, once back."""
    backs = []
    for layer, parameters in zip(network.layers, network.parameters(w), strict=True):
        x, back = layer.run(x, *parameters)
        backs.append(back)
    value, g = loss(x)
    gradient = np.empty_like(w)
    slots = network.parameters(gradient)
    for back, own in zip(reversed(backs), reversed(slots), strict=True):
        g = back(g, *own)
    return value, gradient


def check_outputs(network: Network, X: np.ndarray, y: np.ndarray) -> None:
    """Refuse targets y that have not one number for each output: numpy would stretch them without a word."""
    network = copy.deepcopy(network)  # so that dropout does not draw from its generator here
    expected = (len(X), *network(np.zeros(network.n_weights), X[:1]).shape[1:])
    if np.shape(y) != expected:
        raise ValueError(f"y must have shape {expected}, one number for each output, got {np.shape(y)}")


class NetworkRisk(Function):
    """The penalised empirical risk w -> mean of loss(network(w, x_i), y_i) + (lam/2) ||W||^2 + lam1 ||W||_1.

    W are the weights without the biases. Where a weight is zero, the gradient of its absolute value is taken as 0.
    """

    def __init__(self, network, loss, X, y, lam=0.0, lam1=0.0):
        if loss in (square_loss, logistic_loss):
            check_outputs(network, X, y)
        self.network, self.loss, self.X, self.y = network, loss, X, y
        self.lam, self.lam1 = lam * network.penalised, lam1 * network.penalised
        super().__init__(self.risk, self.batch_gradient)

    def risk(self, w: np.ndarray) -> float:
        """The value at w."""
        return self.loss(self.network(w, self.X), self.y)[0] + self.lam @ w**2 / 2 + self.lam1 @ np.abs(w)

    def batch_gradient(self, w: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """The gradient at w of the risk on the given rows of the sample, on all if none are given."""
        y = self.y[rows]
        gradient = backpropagation(self.network, w, self.X[rows], lambda x: self.loss(x, y))[1]
        gradient += self.lam * w
        if self.lam1.any():
            gradient += self.lam1 * np.sign(w)
        return gradient
