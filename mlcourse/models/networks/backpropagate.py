"""Backpropagation as it is told: one walk through a graph, and one walk back that hands every node its derivative.

Networks in layers get the same gradient from matrix products, in ``network.backpropagation``.

Letters
    g       derivative of the loss with respect to the value of each node
    delta   derivative of the loss with respect to the score of a node
"""

from collections.abc import Hashable, Mapping

import numpy as np

from mlcourse.arguments.kinds import AnyFunction, checks_arguments
from mlcourse.models.networks.constructed import Graph, Inputs, parents_first


@checks_arguments
def backpropagate(graph: Graph, inputs: Inputs, activation: AnyFunction, loss: AnyFunction) -> tuple[float, dict]:
    """The loss of the output, the one node without children, and its derivatives, {node: {parent: derivative}}.

    Graph and inputs are those of ``graph_values``; the inputs may be arrays over a sample. ``loss(value)`` returns
    the loss of the output's value and its derivative there, as the losses of ``layers`` do.
    """
    values, back, gradient, order = dict(inputs), {}, {}, parents_first(graph, inputs)
    for node in order:
        score = sum(weight * values[parent] for parent, weight in graph[node].items())
        values[node], back[node] = activation(score)
    g, output = dict.fromkeys(values, 0.0), output_node(graph)
    total, g[output] = loss(values[output])
    for node in reversed(order):
        delta = back[node](g[node])
        gradient[node] = {parent: float(np.sum(delta * values[parent])) for parent in graph[node]}
        for parent, weight in graph[node].items():
            g[parent] = g[parent] + delta * weight
    return float(total), gradient


def output_node(graph: Mapping) -> Hashable:
    """The only node without children."""
    outputs = [node for node in graph if not any(node in parents for parents in graph.values())]
    if len(outputs) != 1:
        raise ValueError(f"graph must have one output, a node without children, got {outputs}")
    return outputs[0]
