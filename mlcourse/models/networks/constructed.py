"""Networks whose weights are written down, not learned: what networks can represent.

A constructed network is a pair (network, w): ``network(w, X)`` is its output for the rows of X.

Letters
    X       points, one in each row; y the values wanted at them
    x       points of the line, increasing
    d       dimension, number of inputs
    N       number of hidden units
    L       number of hidden layers
    W, b    weights and biases of a layer; w all of them in one vector
"""

import itertools
from collections.abc import Callable, Mapping
from graphlib import TopologicalSorter
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_finite, check_vector
from mlcourse.arguments.kinds import AnyFunction, Kind, Positive, checks_arguments
from mlcourse.arguments.numbers import check_count
from mlcourse.models.networks.layers import affine, relu, sigmoid, sign
from mlcourse.models.networks.network import Layer, Network


def constructed(activation: Callable, pairs: list, output: Callable | None = None) -> tuple[Network, np.ndarray]:
    """The network of the pairs (W, b) with the activation between them, and ``output`` after the last of them."""
    layers = []
    for W, b in pairs:
        layers += [Layer(affine, (np.shape(W), np.shape(b))), Layer(activation)]
    layers[-1:] = [] if output is None else [Layer(output)]
    return Network(layers), np.concatenate([np.ravel(part).astype(float) for pair in pairs for part in pair])


def cube(d: int) -> np.ndarray:
    """The 2^d points of {-1, +1}^d, one in each row."""
    return np.array(list(itertools.product((-1, 1), repeat=check_count("d", d))))


def boolean_network(y: ArrayLike, N: int | None = None) -> tuple[Network, np.ndarray]:
    """A network of sign units with one hidden layer whose value at row i of ``cube(d)`` is y_i, -1 or +1.

    A unit is +1 at its point u alone: x.u is d there and at most d - 2 elsewhere. With N units the sum of their
    values is 2 - N at these points and -N elsewhere; adding N - 1 leaves the sign. The rarer value of y gets the units.
    With ``N`` given, the units that are left over are silent: always -1.
    """
    y, d = check_truth_table(y)
    rare = 1 if 2 * (y > 0).sum() <= len(y) else -1
    points = cube(d)[y == rare]
    n_silent = spare_units(N, len(points))
    W = np.vstack([points, np.zeros((n_silent, d))]).T
    b = np.append(np.full(len(points), 1 - d), np.full(n_silent, -1))
    N = len(b)
    return constructed(sign, [(W, b), (np.full((N, 1), rare), [rare * (N - 1)])], output=sign)


def spare_units(N: int | None, n_needed: int) -> int:
    """How many of N units are not needed; none if no N is given."""
    if N is not None and check_count("N", N) < n_needed:
        raise ValueError(f"N must be at least {n_needed}, the units that this function needs, got {N}")
    return 0 if N is None else N - n_needed


def check_truth_table(y: ArrayLike) -> tuple[np.ndarray, int]:
    """``y`` as 2^d values of -1 and +1, and d >= 1."""
    y = check_vector("y", y)
    d = len(y).bit_length() - 1
    if d < 1 or len(y) != 2**d or (np.abs(y) != 1).any():
        raise ValueError(f"y must hold 2^d values -1 and +1 for some d >= 1, got {len(y)} values")
    return y, d


def sawtooth_network(L: int) -> tuple[Network, np.ndarray]:
    """The L-fold composition of the tent 1 - |2x - 1| on [0, 1]: 2^L linear pieces from L layers of two relu units."""
    check_count("L", L)
    first = ([[1, 1]], [0, -1 / 2])  # x and x - 1/2: twice the first minus four times the second is the tent
    deeper = ([[2, 2], [-4, -4]], [0, -1 / 2])
    return constructed(relu, [first] + [deeper] * (L - 1) + [([[2], [-4]], [0])])


def interpolating_network(x: ArrayLike, y: ArrayLike) -> tuple[Network, np.ndarray]:
    """One hidden layer of relu units that joins the points (x_i, y_i), x increasing, by straight lines."""
    x, y = check_knots(x, y)
    with np.errstate(over="ignore", invalid="ignore"):
        width, slopes = np.diff(x), np.diff(y) / np.diff(x)
    if np.isinf(width).any() or not (np.abs(slopes) <= np.finfo(float).max / 2).all():  # half: bends are differences
        raise ValueError("the lines from point to point must have finite slopes: scale x or y")
    bends = np.diff(slopes, prepend=0)  # unit i adds its bend from x_i on
    return constructed(relu, [(np.ones((1, len(bends))), -x[:-1]), (bends[:, None], y[:1])])


@checks_arguments
def staircase_network(x: ArrayLike, y: ArrayLike, steepness: Positive) -> tuple[Network, np.ndarray]:
    """One hidden layer of sigmoids: near y_i around x_i, with a step halfway from each of the x to the next."""
    x, y = check_knots(x, y)
    halfway = (x[1:] + x[:-1]) / 2
    hidden = np.full((1, len(halfway)), steepness), -steepness * halfway
    return constructed(sigmoid, [hidden, (np.diff(y)[:, None], y[:1])])


def check_knots(x: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Two or more increasing numbers x, and as many y."""
    x, y = check_vector("x", x), check_vector("y", y)
    if len(x) != len(y) or len(x) < 2 or (x[1:] <= x[:-1]).any():
        raise ValueError(f"x must hold two or more increasing numbers and y as many, got {len(x)} and {len(y)}")
    return x, y


def check_inputs(name: str, value: Mapping) -> Mapping:
    """``value``, which maps nodes to numbers or arrays of them."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} must be a dictionary, got {value!r}")
    return {node: check_finite(f"the value of node {node!r}", number) for node, number in value.items()}


def check_graph(name: str, value: Mapping) -> Mapping:
    """``value``, which maps nodes to dictionaries of parents and weights."""
    if not isinstance(value, Mapping) or not all(isinstance(parents, Mapping) for parents in value.values()):
        raise ValueError(f"{name} must map a node to a dictionary of its parents and their weights, got {value!r}")
    return {node: check_inputs(name, parents) for node, parents in value.items()}


Inputs = Annotated[Mapping, Kind(check_inputs)]
Graph = Annotated[Mapping, Kind(check_graph)]


@checks_arguments
def graph_values(graph: Graph, inputs: Inputs, activation: AnyFunction) -> dict:
    """The value of every node of a directed graph without cycles: activation of the weighted sum of its parents.

    ``graph`` maps a node to its parents and their weights, {node: {parent: weight}}; ``inputs`` maps every node
    without parents to its value, a number or an array.
    """
    values = dict(inputs)
    for node in parents_first(graph, inputs):
        score = sum(weight * values[parent] for parent, weight in graph[node].items())
        values[node], _ = activation(score)
    return values


def parents_first(graph: Mapping, inputs: Mapping) -> list:
    """The nodes that are no inputs, each after all its parents."""
    order = list(TopologicalSorter(graph).static_order())
    for node in order:
        if node in inputs and graph.get(node):
            raise ValueError(f"node {node!r} has parents, so inputs must not give its value")
        if node not in inputs and not graph.get(node):
            raise ValueError(f"node {node!r} has no parents, so inputs must give its value")
    return [node for node in order if node not in inputs]
