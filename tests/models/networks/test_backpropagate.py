"""The walk back through a graph gives the gradient of the layers, and that of difference quotients."""

from functools import partial

import numpy as np
import pytest

from mlcourse.models.networks.backpropagate import backpropagate
from mlcourse.models.networks.constructed import constructed, graph_values
from mlcourse.models.networks.layers import ACTIVATIONS, square_loss, tanh
from mlcourse.models.networks.network import backpropagation
from mlcourse.testing import numerical_gradient

SAMPLES = {
    "random": np.random.default_rng(0).normal(size=(7, 2)),
    "duplicates": np.repeat([[0.3, -1.2]], 5, axis=0),
    "constant": np.ones((4, 2)),
    "two points": np.array([[1.0, -2.0], [0.5, 0.0]]),
    "one point": np.array([[0.4, 0.9]]),
}


def as_graph(layers, widths):
    """The layered network as a graph: node (l, j) is unit j of layer l, and (0, "one") the constant."""
    return {
        (level, j): {(level - 1, i): W[i, j] for i in range(widths[level - 1])} | {(0, "one"): b[j]}
        for level, (W, b) in enumerate(layers, 1)
        for j in range(widths[level])
    }


@pytest.mark.algorithm("alg-graph-backpropagation", "alg-backpropagation")
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("widths", [(2, 1), (2, 3, 1), (2, 3, 4, 1)])
def test_graph_and_layers_have_the_same_gradient(name, activation, widths):
    X, rng, phi = SAMPLES[name], np.random.default_rng(1), ACTIVATIONS[activation]
    layers = [(rng.normal(size=(a, b)), rng.normal(size=b)) for a, b in zip(widths, widths[1:], strict=False)]
    network, w = constructed(phi, layers, output=phi)
    y = rng.normal(size=(len(X), 1))
    expected, by_layers = backpropagation(network, w, X, partial(square_loss, y=y))

    inputs = {(0, "one"): 1.0, (0, 0): X[:, 0], (0, 1): X[:, 1]}
    value, gradient = backpropagate(as_graph(layers, widths), inputs, phi, partial(square_loss, y=y[:, 0]))
    assert np.isclose(value, expected)
    slots = [pair for pair in network.parameters(by_layers) if pair]
    for node, derivatives in as_graph(slots, widths).items():
        assert gradient[node] == pytest.approx(derivatives, rel=1e-10, abs=1e-13)


@pytest.mark.algorithm("alg-graph-backpropagation")
@pytest.mark.parametrize("seed", range(10))
def test_a_graph_with_edges_that_skip_layers_has_the_gradient_of_differences(rng):
    nodes = ["x", "one", "a", "b", "c", "out"]
    parents = {node: [p for p in nodes[:i] if p == nodes[i - 1] or rng.random() < 0.6] for i, node in enumerate(nodes)}
    del parents["x"], parents["one"]
    inputs, size = {"x": rng.normal(size=3), "one": 1.0}, sum(map(len, parents.values()))
    loss, w = partial(square_loss, y=rng.normal(size=3)), rng.normal(size=size)

    def graph(w):
        weight = iter(w)
        return {node: {parent: float(next(weight)) for parent in parents[node]} for node in reversed(parents)}

    value, gradient = backpropagate(graph(w), inputs, tanh, loss)
    assert value == loss(graph_values(graph(w), inputs, tanh)["out"])[0]
    flat = [gradient[node][parent] for node in reversed(parents) for parent in parents[node]]
    expected = numerical_gradient(lambda w: loss(graph_values(graph(w), inputs, tanh)["out"])[0], w)
    np.testing.assert_allclose(flat, expected, atol=1e-7)


def test_a_graph_with_two_outputs_is_refused():
    with pytest.raises(ValueError, match="one output"):
        backpropagate({"a": {"x": 1.0}, "b": {"x": 2.0}}, {"x": 1.0}, tanh, square_loss)
