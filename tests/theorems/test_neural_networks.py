"""The claims of the chapter on neural networks."""

import functools
import itertools
import math

import numpy as np
import pytest
from scipy.special import expit

from mlcourse import theory
from mlcourse.models.networks import constructed, layers
from mlcourse.models.networks.constructed import boolean_network, cube, interpolating_network, sawtooth_network
from mlcourse.models.networks.layers import ACTIVATIONS, cross_entropy, identity, logistic_loss, square_loss, tanh
from mlcourse.models.networks.mlp import mlp_layers
from mlcourse.models.networks.network import Layer, Network, NetworkRisk, backpropagation
from mlcourse.optim.gradient import gradient_descent
from mlcourse.optim.stochastic import adam, early_stopping, momentum, shuffled_passes, stochastic_gradient_descent
from mlcourse.testing import numerical_gradient

CLOSE = {"rtol": 1e-6, "atol": 1e-8}
SLOPES = {  # of an activation where it has the value y, and the largest of them
    "identity": (np.ones_like, 1),
    "sigmoid": (lambda y: y * (1 - y), 1 / 4),
    "half-sigmoid": (lambda y: y * (1 - y) / 2, 1 / 8),
    "tanh": (lambda y: 1 - y**2, 1),
    "relu": (lambda y: (y > 0).astype(float), 1),
    "leaky-relu": (lambda y: np.where(y > 0, 1, 0.01), 1),
}


def table(network, w, d):
    return network(w, cube(d))[:, 0]


def two_layer(activation, d=2, N=4, outputs=1, seed=0):
    """A network with one hidden layer and weights that are not special."""
    network = Network(mlp_layers((d, N, outputs), activation))
    return network, np.random.default_rng(seed).normal(size=network.n_weights)


# --- units and graphs ------------------------------------------------------------------------------
@pytest.mark.claim("prop-activations")
@pytest.mark.erratum("P05")
def test_the_derivatives_are_the_stated_functions_of_the_values():
    a = np.linspace(-8, 8, 2000)
    assert 0 not in a
    for name, (derivative, largest) in SLOPES.items():
        activation = ACTIVATIONS[name]
        y, back = activation(a)
        slope = (activation(a + 1e-5)[0] - activation(a - 1e-5)[0]) / 2e-5
        np.testing.assert_allclose(back(np.ones_like(a)), derivative(y), rtol=1e-12)
        np.testing.assert_allclose(slope, derivative(y), atol=1e-9)
        assert slope.max() == pytest.approx(largest, abs=1e-4)
    np.testing.assert_allclose(np.tanh(a / 2), 2 * expit(a) - 1, atol=1e-14)
    np.testing.assert_allclose(layers.half_sigmoid(a)[0], (1 + np.tanh(a / 4)) / 2, atol=1e-14)


@pytest.mark.algorithm("alg-graph-values")
def test_values_of_a_random_graph_satisfy_its_equations_and_the_layered_ones_those_of_the_matrices(rng):
    graph = {k: {int(p): rng.normal() for p in rng.permutation(k)[: rng.integers(1, k + 1)]} for k in range(3, 12)}
    inputs = dict(enumerate(rng.normal(size=(3, 6))))
    values = constructed.graph_values(dict(sorted(graph.items(), reverse=True)), inputs, tanh)
    for node, parents in graph.items():
        np.testing.assert_allclose(values[node], np.tanh(sum(w * values[p] for p, w in parents.items())), rtol=1e-12)
    W, b = rng.normal(size=(3, 4)), rng.normal(size=4)
    network, w = constructed.constructed(tanh, [(W, b)], output=tanh)
    layer = {f"h{j}": {**dict(enumerate(W[:, j])), "one": b[j]} for j in range(4)}
    values = constructed.graph_values(layer, {**inputs, "one": 1.0}, tanh)
    X = np.column_stack(list(inputs.values()))
    np.testing.assert_allclose(np.column_stack([values[f"h{j}"] for j in range(4)]), network(w, X), rtol=1e-12)


@pytest.mark.claim("prop-linear-network")
@pytest.mark.parametrize("widths", [(3, 5, 4), (4, 1, 6, 2), (2, 7, 7, 3, 5)], ids=str)
def test_linear_units_are_one_affine_map_of_small_rank(widths, rng):
    network = Network(mlp_layers(widths, identity))
    w, X = rng.normal(size=network.n_weights), rng.normal(size=(30, widths[0]))
    W = np.linalg.multi_dot([p[0] for p in network.parameters(w) if p])
    b = network(w, np.zeros((1, widths[0])))
    np.testing.assert_allclose(network(w, X), X @ W + b, rtol=1e-9, atol=1e-9)
    assert np.linalg.matrix_rank(W) == min(widths)
    bent = Network(mlp_layers(widths, tanh))  # with an activation it is not affine
    assert not np.allclose(bent(w, X[:2].mean(axis=0, keepdims=True)), bent(w, X[:2]).mean(axis=0), atol=1e-6)


# --- Boolean functions and counting ----------------------------------------------------------------
@pytest.mark.claim("thm-boolean-network")
@pytest.mark.algorithm("alg-boolean-network")
@pytest.mark.erratum("M100")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_every_boolean_function_has_a_network_and_all_share_one_graph(d):
    enough = int(theory.boolean_units(d))
    assert enough == 2 ** (d - 1)
    for y in itertools.product((-1, 1), repeat=2**d):
        network, w = boolean_network(y)
        rarer = min(y.count(1), y.count(-1))
        assert network.layers[0].shapes[0] == (d, rarer) and rarer <= enough
        assert np.array_equal(table(network, w, d), y)
        shared, v = boolean_network(y, enough)
        assert shared.layers[0].shapes[0] == (d, enough) and np.array_equal(table(shared, v, d), y)
        (W, b), _, (out, bias), _ = shared.parameters(v)
        sums = layers.sign(cube(d) @ W + b)[0].sum(axis=1)
        assert set(sums) <= {-enough, 2 - enough}
        assert (np.abs(sums * out[0] + bias) == 1).all()  # no score is near zero


@pytest.mark.claim("thm-boolean-network")
@pytest.mark.algorithm("alg-boolean-network")
def test_all_functions_of_four_inputs_from_one_graph_and_parity_needs_it_all():
    for code in range(0, 2**16, 7):  # the others are run with fewest units in tests/models
        y = 2 * ((code >> np.arange(16)) & 1) - 1
        assert np.array_equal(table(*boolean_network(y, 8), 4), y)
    with pytest.raises(ValueError, match="at least 8"):
        boolean_network(cube(4).prod(axis=1), 7)


@pytest.mark.claim("lem-cover")
@pytest.mark.parametrize("m, d", [(1, 1), (4, 1), (6, 1), (5, 2), (7, 2), (6, 3), (5, 4)])
def test_covers_count_is_exact_in_general_position_and_a_bound_for_all_points(m, d):
    rng = np.random.default_rng(m + d)
    assert len(theory.half_space_class(rng.normal(size=(m, d)))) == theory.cover_labellings(m, d)
    special = rng.integers(2, size=(m, d)).astype(float)  # many points coincide or share a line
    assert len(theory.half_space_class(special)) <= theory.cover_labellings(m, d)
    line = np.outer(np.arange(m), np.ones(d))  # all on a line: as on the line itself
    assert len(theory.half_space_class(line)) == theory.cover_labellings(m, 1)
    assert theory.cover_labellings(m + 1, d + 1) == theory.cover_labellings(m, d + 1) + theory.cover_labellings(m, d)


@pytest.mark.claim("lem-cover")
@pytest.mark.erratum("M101")
def test_threshold_functions_are_counted_and_below_their_bound():
    assert [len(theory.half_space_class(cube(k))) for k in (1, 2, 3)] == [4, 14, 104]
    assert all(theory.cover_labellings(2**k, k) <= 2 ** int(theory.threshold_bits(k)) == 2**k**2 for k in range(2, 30))
    assert theory.cover_labellings(2, 1) > 2**1  # which is why k must be at least two


@functools.cache
def threshold_functions(k):
    """Their values at the rows of ``cube(k)``; without inputs there are two constants."""
    return theory.half_space_class(cube(k)) if k else np.array([[1], [-1]])


def sign_units(values):
    """All sign units whose parents have these values, a parent in each column: their values in rows."""
    k = values.shape[1]
    return threshold_functions(k)[:, (values > 0) @ 2 ** np.arange(k)[::-1]]


def subsets(n):
    return [list(some) for size in range(n + 1) for some in itertools.combinations(range(n), size)]


@pytest.mark.claim("thm-boolean-lower")
def test_all_graphs_together_compute_what_the_one_with_all_edges_computes():
    """For d = 2 and V = 3, 4. The bounds 2^27 and 2^64 are far above the counts: what is tested is the reduction."""
    x = cube(2)
    one = {tuple(out) for some in subsets(2) for out in sign_units(x[:, some])}
    assert one == {tuple(out) for out in sign_units(x)} and len(one) == 14 <= 2 ** theory.network_bits(3)
    two = set()
    for some in subsets(2):
        for nodes in (np.c_[x, h] for h in sign_units(x[:, some])):
            two |= {tuple(out) for others in subsets(3) for out in sign_units(nodes[:, others])}
    full = {tuple(out) for h in sign_units(x) for out in sign_units(np.c_[x, h])}
    assert two == full and len(full) == 16 <= 2 ** theory.network_bits(4) and theory.boolean_nodes_floor(2) <= 4
    for d in range(1, 60):
        floor = theory.boolean_nodes_floor(d)
        assert floor <= d + theory.boolean_units(d) + 1
        V = math.ceil(floor) - 1  # one node less than the floor has too few functions
        assert V < 2 or theory.network_bits(V) < 2**d
        assert d % 3 or theory.network_bits(2 ** (d // 3)) == 2**d


@pytest.mark.claim("prop-network-vc")
def test_labellings_of_a_small_graph_are_fewer_than_the_product_and_the_construction_has_few_weights():
    """Two units on the line and one that sees both: at most two changes of sign, up to the sign of all."""
    m, outputs = 60, theory.half_space_class(cube(2))
    right = np.arange(m) >= np.arange(m)[:, None]
    units = np.vstack([right, ~right])  # all labellings of the line by thresholds
    assert len(units) == theory.cover_labellings(m, 1) == 120
    found = {row.tobytes() for g in units for h in units for row in outputs[:, 2 * g + h]}
    assert len(found) == 2 * (1 + (m - 1) + math.comb(m - 1, 2)) == 3542
    assert math.log2(len(found)) <= theory.growth_bits(m, 7) < m  # so the bound says something here
    assert theory.network_vc(7) < m
    for n in (1, 2, 5, 100, 10**6):
        V = theory.network_vc(n)
        assert n <= V <= theory.growth_bits(V, n) and V + 1 > theory.growth_bits(V + 1, n)
    d = np.arange(1, 40)
    weights = (d + 2) * theory.boolean_units(d) + 1
    for k in range(1, 6):
        assert len(boolean_network(np.ones(2**k), int(theory.boolean_units(k)))[1]) == weights[k - 1]
    ratio = weights / theory.boolean_weights_floor(d)
    assert (ratio >= 1).all()
    np.testing.assert_allclose(ratio[4:], ((d + 2) * (d + np.log2(np.e)) / 2)[4:], rtol=0.02)  # d >= 5
    assert ratio[-1] == pytest.approx(d[-1] ** 2 / 2, rel=0.1)


# --- depth and approximation -----------------------------------------------------------------------
@pytest.mark.claim("thm-depth")
@pytest.mark.erratum("M103")
@pytest.mark.parametrize("L", [1, 2, 3, 5])
def test_the_sawtooth_alternates_and_fewer_pieces_stay_half_away(L):
    network, w = sawtooth_network(L)
    teeth = np.arange(2**L + 1) / 2**L
    assert np.array_equal(network(w, teeth[:, None])[:, 0], np.arange(2**L + 1) % 2)
    assert [layer.shapes[0][1] for layer in network.layers if layer.shapes] == [2] * L + [1]
    fine = np.arange(2 ** (L + 3) + 1) / 2 ** (L + 3)
    slopes = np.diff(network(w, fine[:, None])[:, 0]) * 2 ** (L + 3)
    assert set(np.abs(slopes)) == {2.0**L} and np.count_nonzero(np.diff(slopes)) == 2**L - 1
    rng = np.random.default_rng(L)
    if L > 1:
        for _ in range(200):
            knots = np.r_[0, np.sort(rng.random(2**L - 2)), 1]  # 2^L - 1 pieces
            flat, v = interpolating_network(knots, rng.normal(0.5, 1, size=2**L))
            assert np.abs(flat(v, teeth[:, None])[:, 0] - np.arange(2**L + 1) % 2).max() >= 1 / 2
    flat, v = interpolating_network(teeth, np.arange(2**L + 1) % 2)  # one piece more is enough
    np.testing.assert_allclose(flat(v, fine[:, None]), network(w, fine[:, None]), atol=1e-9)


@pytest.mark.claim("thm-depth")
@pytest.mark.parametrize("L", [1, 2, 3, 5])
@pytest.mark.parametrize("t", [0.01, 0.5, 0.99])
def test_flat_teeth_are_nearer_than_half_until_one_corner_is_missing(L, t):
    """With all 2^L pieces even the flattest teeth beat the constant 1/2; with one piece less nothing does."""
    knots = np.arange(2**L + 1) / 2**L
    teeth, fine = np.arange(2**L + 1) % 2, np.arange(2 ** (L + 3) + 1)[:, None] / 2 ** (L + 3)
    network, w = sawtooth_network(L)

    def distance(corners):
        flat, v = interpolating_network(knots[corners], 0.5 + t * (teeth[corners] - 0.5))
        return np.abs(flat(v, fine) - network(w, fine)).max()

    every = np.arange(2**L + 1)
    assert distance(every) == pytest.approx((1 - t) / 2) and distance(every) < 1 / 2
    for corner in range(1, 2**L):
        assert distance(np.delete(every, corner)) >= 1 / 2


@pytest.mark.claim("thm-depth")
@pytest.mark.parametrize("N, L", [(1, 1), (4, 1), (2, 2), (3, 3)])
def test_relu_networks_on_the_line_have_at_most_so_many_patterns(N, L):
    """Between two changes of the set of active units the output is affine: count these sets along the line."""
    rng, x, most = np.random.default_rng(1), np.linspace(-30, 30, 20001)[:, None], 0
    for _ in range(60):
        y, active = x, []
        for _ in range(L):
            y, _ = layers.relu(layers.affine(y, rng.normal(size=(y.shape[1], N)), rng.normal(size=N))[0])
            active.append(y > 0)
        changes = (np.diff(np.hstack(active).astype(int), axis=0) != 0).any(axis=1).sum()
        most = max(most, 1 + changes)
    assert most <= theory.relu_pieces(N, L)
    assert L > 1 or most == N + 1 == theory.relu_pieces(N, 1)  # attained with one layer


@pytest.mark.claim("prop-relu-interpolation")
@pytest.mark.parametrize("N", [1, 5, 40])
def test_interpolation_is_as_near_as_promised_and_no_nearer_for_the_worst_function(N):
    a, b = -1.0, 2.5
    knots, fine = np.linspace(a, b, N + 1), np.linspace(a, b, 40 * N + 1)[:, None]
    functions = {np.sin: 1.0, np.abs: 1.0, lambda x: np.cos(5 * x): 5.0, lambda x: np.abs(2 * x - 1.3): 2.0}
    for f, G in functions.items():
        network, w = interpolating_network(knots, f(knots))
        assert network.layers[0].shapes[0] == (1, N)
        assert np.abs(network(w, fine) - f(fine)).max() <= theory.interpolation_error(N, G, b - a) + 1e-12

    def worst(x):
        return 3 * np.abs(x - knots[:, None]).min(axis=0)

    network, w = interpolating_network(knots, worst(knots))
    error = np.abs(network(w, fine)[:, 0] - worst(fine[:, 0])).max()
    assert error == pytest.approx(theory.interpolation_error(N, 3.0, b - a))


@pytest.mark.claim("thm-universal-network")
@pytest.mark.parametrize(
    "build, unit", [(interpolating_network, layers.relu), (constructed.staircase_network, layers.sigmoid)]
)
def test_a_sum_of_waves_becomes_one_hidden_layer_as_near_as_wanted(build, unit):
    rng = np.random.default_rng(3)
    U, beta, alpha = rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=4)
    X = rng.uniform(-1, 1, size=(400, 3))
    f, errors = np.cos(X @ U.T + beta) @ alpha, []
    for n in (20, 80, 320):
        W, b, v, c = [], [], [], 0.0
        for u, shift, factor in zip(U, beta, alpha, strict=True):
            end = np.abs(u).sum() + abs(shift)
            knots = np.linspace(-end, end, n + 1)
            steep = () if build is interpolating_network else (100.0 * n,)
            part, w = build(knots, np.cos(knots), *steep)
            (r, bias), _, (out, start) = part.parameters(w)
            W.append(np.outer(u, r[0]))
            b.append(r[0] * shift + bias)
            v.append(factor * out)
            c += factor * start
        pairs = [(np.hstack(W), np.hstack(b)), (np.vstack(v), c)]
        network, w = constructed.constructed(unit, pairs)
        errors.append(np.abs(network(w, X)[:, 0] - f).max())
    assert errors[2] < errors[1] < errors[0] and errors[2] < 0.05
    assert network.layers[0].shapes[0] == (3, 4 * 320)


@pytest.mark.claim("prop-universal-limits")
@pytest.mark.erratum("M104")
def test_no_sigmoidal_network_follows_the_sine_and_none_a_jump(rng):
    peaks = np.pi / 2 + np.pi * np.arange(10**6, 10**6 + 4)[:, None]  # far out, where the units have their limits
    for activation in (tanh, layers.sigmoid):
        for seed in range(20):
            network, w = two_layer(activation, d=1, N=8, seed=seed)
            assert np.abs(network(w, peaks)[:, 0] - np.sin(peaks[:, 0])).max() >= 1 - 1e-3
    for N in (3, 9, 65):  # knots on both sides of the jump
        knots = np.linspace(-1, 1, N + 1)
        network, w = interpolating_network(knots, np.sign(knots))
        near = np.array([[-1e-10], [1e-10]])
        assert np.abs(network(w, near)[:, 0] - np.sign(near[:, 0])).max() >= 1 - 1e-6
    x = np.linspace(-1, 1, 400)[:, None]  # squares of affine functions: parabolas, however many
    a = x @ rng.normal(size=(1, 50)) + rng.normal(size=50)
    assert np.linalg.matrix_rank(np.column_stack([a**2, np.ones(400)])) == 3
    residual = np.linalg.lstsq(np.c_[np.ones(400), x, x**2], np.abs(x[:, 0]), rcond=None)[1]
    assert residual[0] > 0.1


# --- losses and gradients --------------------------------------------------------------------------
@pytest.mark.claim("prop-softmax")
@pytest.mark.erratum("P06")
def test_softmax_forgets_a_shift_and_nothing_else(rng):
    a = rng.normal(size=(6, 5)) * 3
    p, back = layers.softmax(a)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(layers.softmax(a + rng.normal(size=(6, 1)) * 1e3)[0], p, rtol=1e-9)
    rest = np.log(p) - a
    np.testing.assert_allclose(rest, rest[:, :1] * np.ones(5), atol=1e-12)
    g = rng.normal(size=(6, 5))
    for q, h, row in zip(p, g, back(g), strict=True):
        np.testing.assert_allclose(row, (np.diag(q) - np.outer(q, q)) @ h, rtol=1e-9, atol=1e-12)
    y = rng.integers(5, size=6)
    value, g = cross_entropy(a, y)
    np.testing.assert_allclose(g, (p - np.eye(5)[y]) / 6, rtol=1e-9, atol=1e-15)
    assert value == pytest.approx(-np.log(p[np.arange(6), y]).mean())
    for huge in (1e4, -1e4, 1e300):
        value, g = cross_entropy(np.array([[huge, 0.0]]), np.array([1]))
        assert (
            np.isfinite(value)
            and np.isfinite(g).all()
            and np.isfinite(layers.softmax(np.array([[huge, -huge]]))[0]).all()
        )


@pytest.mark.claim("prop-cross-entropy")
@pytest.mark.erratum("P07")
@pytest.mark.parametrize("seed", range(5))
def test_cross_entropy_asks_for_the_truth_of_softmax_and_for_ones_of_sigmoids(rng):
    p = rng.dirichlet(np.ones(4))
    least = -(p * np.log(p)).sum()
    for f in rng.dirichlet(np.ones(4), size=200):
        excess = (p * np.log(p / f)).sum()
        assert excess > 0 and -(p * np.log(f)).sum() - least == pytest.approx(excess)
    ones = np.full(4, 1 - 1e-9)
    assert -(p * np.log(ones)).sum() < 1e-8 < least  # better than the truth

    def bernoulli(a):
        """The mean loss of four sigmoids, and its gradient."""
        values, gradients = zip(*(logistic_loss(a[None], 2 * np.eye(4)[[c]] - 1) for c in range(4)), strict=True)
        return p @ values, p @ np.vstack(gradients)

    a = np.log(p / (1 - p))
    np.testing.assert_allclose(bernoulli(a)[1], 0, atol=1e-12)
    assert all(bernoulli(a + step)[0] > bernoulli(a)[0] for step in rng.normal(size=(100, 4)))


@pytest.mark.claim("prop-two-layer-gradients")
@pytest.mark.erratum("P12", "P12b")
@pytest.mark.parametrize("hidden", ["tanh", "sigmoid", "half-sigmoid", "identity"])
@pytest.mark.parametrize("output", ["identity", "half-sigmoid", "tanh"])
def test_the_two_layer_formulas_are_the_derivatives_and_the_printed_forms_are_not(hidden, output, rng):
    x, y, w = rng.normal(size=3), rng.normal(), rng.normal(size=3 * 4 + 4 + 4 + 1)

    def forward(w):
        W, b, v, c = w[:12].reshape(3, 4), w[12:16], w[16:20], w[20]
        z = ACTIVATIONS[hidden](x @ W + b)[0]
        return z, v, ACTIVATIONS[output](np.atleast_1d(z @ v + c))[0][0]

    z, v, h = forward(w)
    delta = (h - y) * SLOPES[output][0](np.array(h))
    delta_j = delta * v * SLOPES[hidden][0](z)
    formula = np.concatenate([np.outer(x, delta_j).ravel(), delta_j, delta * z, [delta]])
    np.testing.assert_allclose(formula, numerical_gradient(lambda w: (forward(w)[2] - y) ** 2 / 2, w), **CLOSE)
    network = Network([*mlp_layers((3, 4, 1), ACTIVATIONS[hidden]), Layer(ACTIVATIONS[output])])
    gradient = backpropagation(network, w, x[None], lambda out: square_loss(out, np.array([[y]])))[1]
    np.testing.assert_allclose(gradient, 2 * formula, rtol=1e-9, atol=1e-12)  # the loss without the factor 1/2
    a = np.linspace(-2, 2, 9)
    z, back = layers.half_sigmoid(a)
    assert np.abs(back(1.0) - (1 - z**2)).min() > 0.05  # not even at one of these points


@pytest.mark.claim("thm-backpropagation")
@pytest.mark.algorithm("alg-backpropagation")
@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("loss", [square_loss, cross_entropy, logistic_loss])
def test_backpropagation_is_the_gradient_of_any_composition(name, loss):
    rng = np.random.default_rng(1)
    network = Network([*mlp_layers((3, 6, 5, 4, 3), ACTIVATIONS[name]), Layer(layers.softmax), Layer(identity)])
    x = rng.normal(size=(6, 3))
    y = {square_loss: rng.normal(size=(6, 3)), cross_entropy: rng.integers(3, size=6)}
    y = y.get(loss, rng.choice([-1, 1], size=(6, 3)))
    w = rng.normal(size=network.n_weights)
    value, gradient = backpropagation(network, w, x, lambda out: loss(out, y))
    assert value == loss(network(w, x), y)[0]
    np.testing.assert_allclose(gradient, numerical_gradient(lambda w: loss(network(w, x), y)[0], w), **CLOSE)


class Counted(np.ndarray):
    """An array that counts the multiplications and additions of its matrix products."""

    operations = 0

    def dot(self, other):
        Counted.operations += 2 * self.size * other.shape[1]
        return super().dot(other)

    def __array_function__(self, function, types, args, kwargs):
        if function is np.dot:
            Counted.operations += 2 * args[0].size * args[1].shape[1]
        return super().__array_function__(function, types, args, kwargs)


@pytest.mark.claim("thm-backpropagation")
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("widths", [(5, 3), (4, 7, 2), (6, 50, 50, 1)], ids=str)
def test_a_gradient_costs_three_evaluations_whatever_the_number_of_weights(widths, first):
    n, rng = 9, np.random.default_rng(0)
    network = Network(mlp_layers(widths, tanh, first=first))
    w, x = network.initial_weights(rng), rng.normal(size=(n, widths[0])).view(Counted)
    Counted.operations = 0
    network(w, x)
    forward, Counted.operations = Counted.operations, 0
    assert forward == sum(2 * n * d * k for d, k in itertools.pairwise(widths))
    backpropagation(network, w, x, lambda out: square_loss(out, np.zeros((n, widths[-1]))))
    saved = 2 * n * widths[0] * widths[1] if first else 0
    assert Counted.operations == 3 * forward - saved


# --- descent ---------------------------------------------------------------------------------------
def parabola(seed=0, m=12, d=3):
    """Gradients of the means of (x_i.w - y_i)^2 / 2 over rows."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(m, d)), rng.normal(size=m)
    return (lambda w, rows: X[rows].T @ (X[rows] @ w - y[rows]) / len(rows)), rng.normal(size=d)


def draws(m, size, passes):
    """The same batches every time."""
    return list(shuffled_passes(m, size, passes, rng=np.random.default_rng(5)))


@pytest.mark.algorithm("alg-momentum")
def test_momentum_is_its_recursion_and_without_friction_plain_descent():
    gradient, w = parabola()
    batches = draws(12, 4, 10)
    path = momentum(gradient, w, 0.05, batches, beta=0.8).path
    for t in range(1, len(batches)):
        step, before = path[t + 1] - path[t], path[t] - path[t - 1]
        np.testing.assert_allclose(step, 0.8 * before - 0.05 * gradient(path[t], batches[t]), atol=1e-12)
    plain = stochastic_gradient_descent(gradient, w, 0.05, batches)
    np.testing.assert_allclose(momentum(gradient, w, 0.05, batches, beta=0.0).last, plain.last, rtol=1e-12)


@pytest.mark.algorithm("alg-adam")
def test_adam_divides_weighted_means_of_all_gradients_so_far():
    gradient, w = parabola(1)
    batches, b1, b2 = draws(12, 4, 5), 0.9, 0.99
    path = adam(gradient, w, 0.05, batches, beta=(b1, b2), floor=1e-300).path
    np.testing.assert_allclose(np.abs(path[1] - path[0]), 0.05)  # the first step has size tau in every coordinate
    for t in range(1, len(path)):
        g = np.array([gradient(path[s], batches[s]) for s in range(t)])
        ages = np.arange(t)[::-1]
        mean = np.average(g, axis=0, weights=b1**ages)
        square = np.average(g**2, axis=0, weights=b2**ages)
        np.testing.assert_allclose(path[t] - path[t - 1], -0.05 * mean / np.sqrt(square), rtol=1e-7)
    scaled = adam(lambda w, rows: 1e6 * gradient(w, rows), w, 0.05, batches, beta=(b1, b2), floor=1e-300)
    np.testing.assert_allclose(scaled.last, path[-1], rtol=1e-7)  # the scale of the risk does not matter


@pytest.mark.algorithm("alg-early-stopping")
@pytest.mark.parametrize("patience", [1, 3, 50])
def test_early_stopping_returns_the_best_that_was_visited(patience):
    for seed in range(50):
        risks = np.random.default_rng(seed).integers(8, size=30).astype(float)
        run = early_stopping(iter(range(30)), lambda i, risks=risks: risks[i], patience)
        seen = risks[: run.n_steps + 1]
        assert run.last == seen.argmin()  # the first of the smallest
        waited = run.n_steps - run.last
        assert waited == patience if run.converged else (len(seen) == 30 and waited < patience)
        records = [i for i in range(len(seen)) if risks[i] < risks[:i].min(initial=np.inf)]
        assert max(np.diff([*records, len(seen)])) <= patience + 1  # and it did not stop too late


# --- landscape and start ---------------------------------------------------------------------------
@pytest.mark.claim("prop-symmetries")
@pytest.mark.erratum("P14")
@pytest.mark.parametrize("N", [1, 2, 3])
def test_copies_compute_the_same_and_are_different(N):
    rng = np.random.default_rng(N)
    X, (network, w) = rng.normal(size=(7, 2)), two_layer(tanh, N=N, seed=N)
    (W, b), _, (v, c) = network.parameters(w)
    copies = set()
    for order in itertools.permutations(range(N)):
        for signs in itertools.product((-1, 1), repeat=N):
            s, o = np.array(signs), list(order)
            copy = np.concatenate([(W[:, o] * s).ravel(), b[o] * s, (v[o, 0] * s), c])
            np.testing.assert_allclose(network(copy, X), network(w, X), rtol=1e-9)
            copies.add(tuple(copy))
    assert len(copies) == theory.symmetric_copies(N) == 2**N * math.factorial(N)
    changed = w.copy()
    changed[0] *= -1  # one sign alone changes the function
    assert not np.allclose(network(changed, X), network(w, X), atol=1e-3)


@pytest.mark.claim("prop-non-convex")
@pytest.mark.parametrize("lam", [0.0, 1e-3])
def test_midway_to_the_mirror_image_lies_a_constant(lam, rng):
    X = rng.normal(size=(40, 2))
    network, w = two_layer(tanh)
    y = network(w, X) + 0.01 * rng.normal(size=(40, 1))
    risk = NetworkRisk(network, square_loss, X, y, lam=lam)
    mirror = np.append(-w[:-1], w[-1])
    middle = (w + mirror) / 2
    assert np.ptp(network(middle, X)) == 0 and risk(mirror) == pytest.approx(risk(w))
    assert risk(w) < y.var() <= risk(middle)  # better than every constant: so the risk is not convex
    pure = NetworkRisk(network, square_loss, X, rng.normal(size=(40, 1)), lam=100.0)
    assert pure(middle) < pure(w)  # with a crushing penalty constants win, and nothing follows


@pytest.mark.claim("prop-zero-start")
@pytest.mark.parametrize("name", ["tanh", "relu", "sigmoid"])
def test_equal_units_stay_equal_under_every_descent(name, rng):
    X, y = rng.normal(size=(30, 2)), rng.integers(3, size=30)
    network, w = two_layer(ACTIVATIONS[name], N=5, outputs=3)
    (W, b), _, (v, c) = network.parameters(w)
    W[:, 3], b[3], v[3] = W[:, 1], b[1], v[1]
    risk = NetworkRisk(network, cross_entropy, X, y, lam=0.01)
    for descent in (stochastic_gradient_descent, momentum, adam):
        end = descent(risk.batch_gradient, w, 0.05, draws(30, 7, 20)).last
        (W, b), _, (v, c) = network.parameters(end)
        np.testing.assert_allclose(W[:, 3], W[:, 1], rtol=1e-8)
        np.testing.assert_allclose(v[3], v[1], rtol=1e-8)
        assert not np.allclose(W[:, 2], W[:, 1], atol=1e-2) and not np.allclose(end, w, atol=1e-2)


@pytest.mark.claim("prop-zero-start")
def test_zero_is_stationary_but_for_the_output_bias_and_a_saddle():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=(30, 1))
    network = Network(mlp_layers((2, 3, 1), tanh))
    zero = np.zeros(network.n_weights)
    for loss, targets, c in [(square_loss, y, 0.7), (logistic_loss, np.sign(y), -0.3)]:
        zero[-1] = c
        gradient = NetworkRisk(network, loss, X, targets).gradient(zero)
        assert not gradient[:-1].any() and gradient[-1] != 0
    zero[-1] = y.mean()
    risk = NetworkRisk(network, square_loss, X, y)
    np.testing.assert_allclose(risk.gradient(zero), 0, atol=1e-12)
    r = ((y - y.mean()) * X).mean(axis=0)
    for epsilon in (0.1, 0.03, 0.01):
        for direction in (1, -1):
            w = zero.copy()
            (W, _), _, (v, _) = network.parameters(w)
            W[:, 0], v[0] = epsilon * r, direction * epsilon
            change = (risk(w) - risk(zero)) / epsilon**2
            assert change == pytest.approx(-2 * direction * r @ r, rel=0.1)
    end = gradient_descent(risk.gradient, np.zeros(network.n_weights), 0.1, max_iter=100).last
    assert not end[:-1].any() and end[-1] == pytest.approx(y.mean())


@pytest.mark.claim("prop-initial-variance")
@pytest.mark.parametrize("name, gamma, factor", [("identity", 1.0, 1.0), ("relu", 2.0, 1.0), ("relu", 1.0, 0.5)])
def test_squared_scores_keep_their_size_on_average_and_those_of_tanh_do_not_grow(name, gamma, factor):
    rng, x, trials = np.random.default_rng(2), np.random.default_rng(3).normal(size=(1, 30)), 1500
    network = Network(mlp_layers((30, 40, 20, 10), ACTIVATIONS[name]))
    squares = np.zeros((trials, 3))
    for i in range(trials):
        y, scores = x, []
        for layer, parts in zip(network.layers, network.parameters(network.initial_weights(rng, gamma)), strict=True):
            y, _ = layer.run(y, *parts)
            scores += [np.mean(y**2)] if parts else []
        squares[i] = scores
    q, spread = squares.mean(axis=0), squares.std(axis=0) / np.sqrt(trials)
    expected = gamma * np.mean(x**2) * factor ** np.arange(3)
    assert (np.abs(q - expected) < 5 * spread).all() and (spread < 0.05 * expected).all()
    rng, x = np.random.default_rng(4), np.random.default_rng(5).normal(size=(1, 30))
    network = Network(mlp_layers((30, 40, 40, 10), tanh))
    q = np.zeros(3)
    for _ in range(300):
        (W1, _), _, (W2, _), _, (W3, _) = network.parameters(network.initial_weights(rng))
        a = x @ W1
        b = np.tanh(a) @ W2
        q += [np.mean(a**2), np.mean(b**2), np.mean((np.tanh(b) @ W3) ** 2)]
    assert q[0] > q[1] > q[2] > 0.1 * q[0]


@pytest.mark.claim("prop-weight-decay")
def test_a_minimiser_exists_within_the_stated_ball_when_all_is_penalised():
    rng, lam = np.random.default_rng(0), 0.5
    X, y = rng.normal(size=(20, 2)), rng.normal(size=(20, 1)) + 2
    network, w = two_layer(tanh)
    free = NetworkRisk(network, square_loss, X, y)
    radius = np.sqrt(2 * free(np.zeros_like(w)) / lam)

    def total(w):
        return free(w) + lam / 2 * w @ w

    for start in rng.normal(size=(5, len(w))) * 3:
        end = gradient_descent(lambda w: free.gradient(w) + lam * w, start, 0.05, tol=1e-8, max_iter=20_000)
        assert end.converged and np.linalg.norm(end.last) <= radius
        assert total(end.last) <= total(np.zeros_like(w))
    for direction in rng.normal(size=(50, len(w))):  # outside the ball nothing is better than zero
        outside = direction / np.linalg.norm(direction) * radius * rng.uniform(1, 5)
        assert total(outside) >= total(np.zeros_like(w))


@pytest.mark.claim("prop-weight-decay")
def test_weights_shrink_before_the_step_and_predictions_follow_a_shift():
    rng, lam, tau, t = np.random.default_rng(1), 0.3, 0.1, 273.15
    X, y = rng.normal(size=(20, 2)), rng.normal(size=(20, 1))
    network, w = two_layer(tanh)
    free, decayed = (NetworkRisk(network, square_loss, X, y, lam=c) for c in (0.0, lam))
    weights = network.penalised.astype(bool)
    step = w - tau * decayed.gradient(w)
    np.testing.assert_allclose(step[weights], ((1 - tau * lam) * w - tau * free.gradient(w))[weights], rtol=1e-9)
    np.testing.assert_allclose(step[~weights], (w - tau * free.gradient(w))[~weights], rtol=1e-9)
    assert (~weights).sum() == 4 + 1  # two kinds of biases: of the hidden units and of the output
    shifted, moved = NetworkRisk(network, square_loss, X, y + t, lam=lam), t * np.eye(len(w))[-1]
    for v in rng.normal(size=(20, len(w))):
        assert shifted(v + moved) == pytest.approx(decayed(v))
        np.testing.assert_allclose(shifted.gradient(v + moved), decayed.gradient(v), atol=1e-9)
    penalised = y.mean() / (1 + lam / 2), (y + t).mean() / (1 + lam / 2)  # best constants if the bias is penalised
    assert penalised[1] - penalised[0] < 0.9 * t
