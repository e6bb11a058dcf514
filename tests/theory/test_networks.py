"""What networks can represent: counts by enumeration, and bounds that the counts respect."""

import itertools
import math

import numpy as np
import pytest

from mlcourse.theory import (
    boolean_nodes_floor,
    boolean_units,
    boolean_weights_floor,
    cover_labellings,
    growth_bits,
    half_space_class,
    interpolation_error,
    network_bits,
    network_vc,
    relu_pieces,
    symmetric_copies,
    threshold_bits,
)


def cube(d):
    return np.array(list(itertools.product((-1.0, 1.0), repeat=d)))


def threshold_functions(d, largest=3):
    """All functions sgn(w.x + b) on the cube with small whole weights: for d <= 4 these are all there are."""
    values = cube(d) @ np.array(list(itertools.product(range(-largest, largest + 1), repeat=d))).T  # (2^d, rules)
    biases = np.arange(-d * largest, d * largest + 2) - 0.5
    signs = values[:, :, None] + biases > 0
    return len(np.unique(np.packbits(signs.reshape(2**d, -1), axis=0), axis=1).T)


@pytest.mark.parametrize("d, number", [(1, 4), (2, 14), (3, 104), (4, 1882)])
def test_there_are_fewer_threshold_functions_than_the_bounds_say(d, number):
    assert threshold_functions(d) == number <= cover_labellings(2**d, d)
    assert d == 1 or math.log2(number) <= threshold_bits(d)
    if d <= 2:
        assert len(half_space_class(cube(d))) == number


@pytest.mark.parametrize("m, d", [(1, 1), (2, 1), (5, 1), (4, 2), (5, 2), (6, 2), (5, 3), (3, 5)])
def test_covers_count_is_that_of_points_in_general_position(m, d):
    X = np.random.default_rng(m).normal(size=(m, d))
    assert len(half_space_class(X)) == cover_labellings(m, d)
    assert m > d + 1 or cover_labellings(m, d) == 2**m


def test_covers_count_is_below_the_bits_of_a_threshold_function():
    assert all(cover_labellings(2**d, d) <= 2 ** int(threshold_bits(d)) for d in range(2, 40))


def test_the_floors_are_where_counting_puts_them():
    d = np.arange(1, 40)
    np.testing.assert_allclose(network_bits(np.arange(2, 50)), np.arange(2, 50) ** 3)
    assert boolean_units([1, 2, 3, 10]).tolist() == [1, 2, 4, 512]  # half of the points at most
    np.testing.assert_allclose(boolean_nodes_floor(d) ** 3, 2.0**d)  # 2^d bits are needed, V^3 are there
    np.testing.assert_allclose(growth_bits(2.0**d, 7) / 7 * boolean_weights_floor(d), 2.0**d)
    construction = (d + 1) * boolean_units(d) + boolean_units(d) + 1  # weights and biases of one hidden layer
    assert (construction >= boolean_weights_floor(d)).all()
    assert (boolean_units(d) + d + 1 >= boolean_nodes_floor(d)).all()


def test_no_graph_with_fewer_nodes_than_the_floor_has_functions_enough():
    for d in range(3, 30):
        V = math.ceil(boolean_nodes_floor(d)) - 1
        assert V < 2 or network_bits(V) < 2**d


@pytest.mark.parametrize("n_weights", [1, 2, 3, 10, 1000, 10**6])
def test_the_vc_bound_is_the_last_m_that_the_growth_allows(n_weights):
    V = network_vc(n_weights)
    assert V <= growth_bits(V, n_weights) and V + 1 > growth_bits(V + 1, n_weights)


def test_the_vc_bound_is_above_the_vc_dimension_of_one_unit():
    n_weights = np.arange(1, 100)
    assert (network_vc(n_weights) >= n_weights).all()  # half-spaces of R^(n-1) shatter n points
    assert network_vc(2**50) > 2**50


@pytest.mark.parametrize("N", [0, 1, 2, 3])
def test_copies_of_a_hidden_layer_are_counted_and_compute_the_same(N):
    rng = np.random.default_rng(N)
    W, b, v, X = rng.normal(size=(2, N)), rng.normal(size=N), rng.normal(size=N), rng.normal(size=(6, 2))
    copies = set()
    for order in itertools.permutations(range(N)):
        for signs in itertools.product((-1, 1), repeat=N):
            s, p = np.array(signs, dtype=float), list(order)
            np.testing.assert_allclose(np.tanh(X @ (W[:, p] * s) + b[p] * s) @ (v[p] * s), np.tanh(X @ W + b) @ v)
            copies.add((*(W[:, p] * s).ravel(), *(b[p] * s), *(v[p] * s)))
    assert len(copies) == symmetric_copies(N)


@pytest.mark.parametrize("N, L", [(1, 1), (3, 1), (2, 2), (3, 2), (2, 3)])
def test_relu_networks_have_no_more_pieces(N, L):
    rng = np.random.default_rng(0)
    x = np.linspace(-20, 20, 40001)
    most = 0
    for _ in range(100):
        y = x[:, None]
        for _ in range(L):
            y = np.maximum(y @ rng.normal(size=(y.shape[1], N)) + rng.normal(size=N), 0)
        bends = np.abs(np.diff(y @ rng.normal(size=N), 2)) > 1e-7
        most = max(most, 1 + (bends & ~np.r_[False, bends[:-1]]).sum())  # a bend between two points shows twice
    assert 2 <= most <= relu_pieces(N, L)
    assert L > 1 or most == N + 1


def test_more_units_are_nearer_and_steeper_functions_farther():
    assert interpolation_error(10, 1.0, 2.0) == 0.1
    assert interpolation_error(20, 1.0, 2.0) == interpolation_error(10, 1.0, 2.0) / 2 == 0.05
    assert interpolation_error(10, 3.0, 2.0) == pytest.approx(0.3)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: threshold_bits(1), "d >= 2"),
        (lambda: network_bits(1), "V >= 2"),
        (lambda: network_vc(0), "n_weights >= 1"),
        (lambda: boolean_units(2.5), "whole d"),
        (lambda: cover_labellings(2**40, 2**40), "at most 10000 terms"),
        (lambda: symmetric_copies(10**6), "at most 10000"),
        (lambda: symmetric_copies(-1), "must be"),
        (lambda: interpolation_error(3, -1, 1), "G >= 0"),
    ],
)
def test_what_is_out_of_range_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
