"""What networks can represent, and how many functions there are to choose from.

Letters
    m          number of points; d number of inputs of a network, or dimension
    V          number of nodes of a network, inputs included
    N          units of a hidden layer
    L          number of hidden layers
    G          Lipschitz constant of a function on an interval of the given width
"""

import math

import numpy as np
from scipy.special import lambertw

from mlcourse.arguments.promises import Result, whole_part
from mlcourse.arguments.ranges import Count, Counts, CountsFromTwo, FromZero, Natural
from mlcourse.theory.registry import states

MOST_TERMS = 10_000  # terms of an exact sum


@states("lem-cover")
def cover_labellings(m: Count, d: Count) -> int:
    """The number of labellings of m points of R^d in general position by half-spaces, exactly; of any points, a bound.

    Cover's count: 2 times the sum of binomial(m - 1, i) for i = 0, ..., d.
    """
    if min(d, m - 1) > MOST_TERMS:
        raise ValueError(f"at most {MOST_TERMS} terms can be summed, m = {m} and d = {d} have more")
    return 2 * sum(math.comb(m - 1, i) for i in range(min(d, m - 1) + 1))


@states("lem-cover")
def threshold_bits(d: CountsFromTwo) -> Result:
    """d^2: of d >= 2 inputs that are -1 or +1 there are at most 2^(d^2) threshold functions sgn(w.x + b)."""
    return d**2


@states("thm-boolean-lower")
def network_bits(V: CountsFromTwo) -> Result:
    """V^3: a graph with V >= 2 nodes, inputs and sign units, computes at most 2^(V^3) Boolean functions."""
    return V**3


@states("thm-boolean-lower")
def boolean_nodes_floor(d: Counts) -> Result:
    """2^(d/3): a graph of sign units that computes every Boolean function of d inputs has at least so many nodes."""
    return 2 ** (d / 3)


@states("prop-network-vc")
def boolean_weights_floor(d: Counts) -> Result:
    """2^d / (d + log2 e): at least so many weights and biases has such a graph, since it shatters 2^d points."""
    return 2**d / (d + np.log2(np.e))


@states("thm-boolean-network")
def boolean_units(d: Counts) -> Result:
    """2^(d-1): so many hidden units in one layer are enough for any Boolean function of d inputs."""
    return 2 ** (d - 1)


@states("prop-network-vc")
def growth_bits(m: Counts, n_weights: Counts) -> Result:
    """n_weights log2(e m): of m points a graph of sign units with so many weights and biases has at most two to the
    power of this number of labellings, a product of one bound of Sauer for each unit.
    """
    return n_weights * (np.log2(np.e) + np.log2(m))


@states("prop-network-vc")
def network_vc(n_weights: Counts) -> Result:
    """The largest m with m <= ``growth_bits(m, n_weights)``: no more points are shattered."""
    return whole_part(-n_weights / np.log(2) * lambertw(-np.log(2) / (np.e * n_weights), k=-1).real)


@states("prop-symmetries")
def symmetric_copies(N: Natural) -> int:
    """2^N N!, exactly: so many weights of a hidden layer of N tanh units compute the same function.

    The units can be permuted, and the signs of all weights into and out of a unit changed together.
    """
    if N > MOST_TERMS:
        raise ValueError(f"N must be at most {MOST_TERMS}, got {N}")
    return 2**N * math.factorial(N)


@states("thm-depth")
def relu_pieces(N: Counts, L: Counts) -> Result:
    """(N + 1)^L: on the line a network of L hidden layers of N relu units has at most so many linear pieces.

    Each unit bends at most once within each of the pieces that the layer before has left.
    """
    return (N + 1) ** L


@states("prop-relu-interpolation")
def interpolation_error(N: Counts, G: FromZero, width: FromZero) -> Result:
    """G width / (2 N): so near does a relu network with N units in one layer come to a function with slopes up to G."""
    return (G / 2) * (width / N)
