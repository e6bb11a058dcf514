"""Networks written down: every Boolean function for d <= 4, teeth, interpolation, and graphs equal to layers."""

import itertools

import numpy as np
import pytest

from mlcourse.models.networks.constructed import (
    boolean_network,
    constructed,
    cube,
    graph_values,
    interpolating_network,
    sawtooth_network,
    staircase_network,
)
from mlcourse.models.networks.layers import sigmoid, sign, tanh
from mlcourse.theory import boolean_units, interpolation_error, relu_pieces


def hidden_units(network):
    return network.layers[0].shapes[0][1]


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_every_boolean_function_is_represented(d):
    points, enough = cube(d), boolean_units(d)
    for y in itertools.product((-1, 1), repeat=2**d):
        network, w = boolean_network(y)
        assert np.array_equal(network(w, points)[:, 0], y) and hidden_units(network) <= enough


@pytest.mark.parametrize("d", [1, 3, 5])
def test_no_sum_is_near_zero_so_the_sign_of_zero_does_not_matter(d):
    network, w = boolean_network(cube(d).prod(axis=1))
    (W1, b1), _, (W2, b2), _ = network.parameters(w)
    hidden = cube(d) @ W1 + b1
    assert np.abs(hidden).min() == 1 and (np.abs(np.sign(hidden) @ W2 + b2) == 1).all()


def test_parity_needs_all_the_units_and_constants_none():
    for d in range(1, 7):
        network, w = boolean_network(cube(d).prod(axis=1))
        assert hidden_units(network) == boolean_units(d)
        for constant in (-1, 1):
            network, w = boolean_network(np.full(2**d, constant))
            assert hidden_units(network) == 0 and (network(w, cube(d)) == constant).all()


def test_the_cube_lists_its_corners():
    for d in range(1, 6):
        assert cube(d).shape == (2**d, d) and len(np.unique(cube(d), axis=0)) == 2**d
        assert set(cube(d).ravel().tolist()) == {-1, 1}


@pytest.mark.parametrize("L", [1, 2, 3, 6, 10])
def test_the_sawtooth_is_the_tent_again_and_again_with_as_many_pieces(L):
    network, w = sawtooth_network(L)
    x = np.arange(4 * 2**L + 1) / (4 * 2**L)
    y = x
    for _ in range(L):
        y = 1 - np.abs(2 * y - 1)
    out = network(w, x[:, None])[:, 0]
    assert np.array_equal(out, y)  # these numbers are exact in binary
    slopes = np.diff(out) * 4 * 2**L
    assert set(np.abs(slopes)) == {2.0**L} and 1 + (np.diff(slopes) != 0).sum() == 2**L
    assert sum(layer.shapes[0][1] for layer in network.layers if layer.shapes) == 2 * L + 1
    assert 2**L <= relu_pieces(2, L) and (L == 1 or 2**L >= relu_pieces(L, 1))


@pytest.mark.parametrize("seed", range(5))
def test_interpolation_joins_the_points_by_straight_lines(rng):
    x, y = np.sort(rng.normal(size=9)), rng.normal(size=9)
    network, w = interpolating_network(x, y)
    between = np.linspace(x[0], x[-1], 200)
    np.testing.assert_allclose(network(w, between[:, None])[:, 0], np.interp(between, x, y), atol=1e-9)
    assert hidden_units(network) == 8


@pytest.mark.parametrize("N", [1, 4, 50])
def test_a_lipschitz_function_is_approximated_as_promised_and_a_tent_no_better(N):
    knots, fine = np.linspace(-2, 3, N + 1), np.linspace(-2, 3, 10 * N + 1)
    for f, G in [(np.sin, 1.0), (np.abs, 1.0), (lambda x: np.cos(3 * x), 3.0)]:
        network, w = interpolating_network(knots, f(knots))
        assert np.abs(network(w, fine[:, None])[:, 0] - f(fine)).max() <= interpolation_error(N, G, 5.0) + 1e-12
    tent = np.abs((fine + 2) / (5 / N) % 1 - np.round((fine + 2) / (5 / N) % 1)) * 5 / N  # slope one, zero at the knots
    assert np.abs(tent).max() == pytest.approx(interpolation_error(N, 1.0, 5.0))


def test_a_staircase_of_sigmoids_approximates_between_its_steps():
    x = np.linspace(0, 2 * np.pi, 100)
    network, w = staircase_network(x, np.sin(x), 2000.0)
    fine = np.linspace(0, 2 * np.pi, 1001)
    assert np.abs(network(w, fine[:, None])[:, 0] - np.sin(fine)).max() < 0.04
    np.testing.assert_allclose(network(w, x[:, None])[:, 0], np.sin(x), atol=1e-9)


def test_a_layered_network_is_a_graph(rng):
    W1, b1, W2, b2 = rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=(4, 2)), rng.normal(size=2)
    X = rng.normal(size=(10, 3))
    for activation in (sign, tanh, sigmoid):
        graph = {f"h{j}": {**{f"x{i}": W1[i, j] for i in range(3)}, "one": b1[j]} for j in range(4)}
        graph |= {f"y{k}": {**{f"h{j}": W2[j, k] for j in range(4)}, "one": b2[k]} for k in range(2)}
        values = graph_values(graph, {"one": 1.0, **{f"x{i}": X[:, i] for i in range(3)}}, activation)
        network, w = constructed(activation, [(W1, b1), (W2, b2)], output=activation)
        np.testing.assert_allclose(np.column_stack([values["y0"], values["y1"]]), network(w, X), rtol=1e-12)


def test_a_graph_may_skip_layers_and_has_no_cycle():
    values = graph_values({"c": {"a": 2.0, "b": 1.0}, "b": {"a": -1.0}}, {"a": 3.0}, lambda x: (x, None))
    assert values == {"a": 3.0, "b": -3.0, "c": 3.0}
    with pytest.raises(ValueError, match="cycle"):
        graph_values({"a": {"b": 1.0}, "b": {"a": 1.0}}, {}, sign)
    with pytest.raises(ValueError, match="'a' has no parents"):
        graph_values({"b": {"a": 1.0}}, {}, sign)
    with pytest.raises(ValueError, match="'b' has parents, so inputs must not give its value"):
        graph_values({"b": {"a": 1.0}, "c": {"b": 1.0}}, {"a": 1.0, "b": 2.0}, sign)
    assert graph_values({"a": {}, "b": {"a": 1.0}}, {"a": -1.0}, sign) == {"a": -1.0, "b": -1.0}


def test_steep_lines_have_finite_weights():
    network, w = interpolating_network([0, 1, 2], [0, 8e307, 0])
    assert np.isfinite(w).all() and np.array_equal(network(w, np.array([[0.0], [1.0]]))[:, 0], [0, 8e307])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: boolean_network([1, -1, 1]), "2\\^d values"),
        (lambda: boolean_network([1]), "2\\^d values"),
        (lambda: boolean_network([0, 1]), "2\\^d values"),
        (lambda: boolean_network([]), "y must be"),
        (lambda: boolean_network([np.nan, 1]), "finite"),
        (lambda: cube(0), "d must be"),
        (lambda: sawtooth_network(0), "L must be"),
        (lambda: interpolating_network([0, 0, 1], [1, 2, 3]), "increasing"),
        (lambda: interpolating_network([0], [1]), "two or more"),
        (lambda: interpolating_network([0, 1], [1, 2, 3]), "as many"),
        (lambda: interpolating_network([0, 1e-320], [0, 1]), "finite slopes"),
        (lambda: interpolating_network([0, 1, 2], [0, 1e308, -1e308]), "finite slopes"),
        (lambda: interpolating_network([0, 1, 2], [0, 9e307, 0]), "finite slopes"),
        (lambda: interpolating_network([-1e308, 1e308], [0, 1]), "finite slopes"),
        (lambda: staircase_network([0, 1], [1, 2], 0), "steepness must be positive"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
