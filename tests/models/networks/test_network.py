"""Networks: one vector of parameters, and backpropagation against central differences on whole nets."""

from functools import partial

import numpy as np
import pytest

from mlcourse.models.networks.convolution import convolutional_layers
from mlcourse.models.networks.layers import ACTIVATIONS, cross_entropy, dropout, logistic_loss, relu, square_loss, tanh
from mlcourse.models.networks.mlp import mlp_layers
from mlcourse.models.networks.network import Layer, Network, NetworkRisk, backpropagation
from mlcourse.optim.conjugate_gradient import conjugate_gradient
from mlcourse.testing import numerical_gradient

TOLERANCE = {"rtol": 1e-6, "atol": 1e-8}


def risk_of(activation, widths=(3, 5, 4, 2), lam=0.3, seed=0, loss=square_loss, lam1=0.0):
    rng = np.random.default_rng(seed)
    network = Network(mlp_layers(widths, activation))
    y = rng.integers(widths[-1], size=7) if loss is cross_entropy else rng.normal(size=(7, widths[-1]))
    w = network.initial_weights(rng) + 0.1 * rng.normal(size=network.n_weights)
    return NetworkRisk(network, loss, rng.normal(size=(7, widths[0])), y, lam, lam1), w


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("loss", [square_loss, cross_entropy], ids=["square", "cross-entropy"])
@pytest.mark.parametrize("widths", [(3, 2), (3, 5, 2), (3, 5, 4, 3, 2)], ids=str)
@pytest.mark.parametrize(("lam", "lam1"), [(0.0, 0.0), (0.3, 0.0), (0.3, 0.2)])
def test_the_gradient_of_a_whole_net_is_that_of_its_risk(name, loss, widths, lam, lam1):
    risk, w = risk_of(ACTIVATIONS[name], widths, lam, loss=loss, lam1=lam1)
    np.testing.assert_allclose(risk.batch_gradient(w), numerical_gradient(risk, w), **TOLERANCE)
    part = np.array([5, 0, 2])
    smaller = NetworkRisk(risk.network, loss, risk.X[part], risk.y[part], lam, lam1)
    np.testing.assert_allclose(risk.batch_gradient(w, part), numerical_gradient(smaller, w), **TOLERANCE)


@pytest.mark.parametrize("activation", [tanh, relu])
def test_the_gradient_of_a_convolutional_net_is_that_of_its_risk(activation, rng):
    layers, d = convolutional_layers((4, 8, 2), (3, 2), 3, 2, activation)
    network = Network(layers + mlp_layers((d, 5, 3), activation, first=False))
    risk = NetworkRisk(network, cross_entropy, rng.normal(size=(4, 64)), rng.integers(3, size=4), 0.1)
    w = network.initial_weights(rng, 2.0)
    np.testing.assert_allclose(risk.batch_gradient(w), numerical_gradient(risk, w), **TOLERANCE)


def test_the_gradient_with_dropout_is_that_of_the_thinned_net(rng):
    x, y = rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    w = Network(mlp_layers((3, 8, 2), tanh)).initial_weights(rng)

    def thinned():  # the same masks each time
        return Network(mlp_layers((3, 8, 2), tanh, keep=0.5, rng=np.random.default_rng(3)))

    value, gradient = backpropagation(thinned(), w, x, lambda out: square_loss(out, y))
    expected = numerical_gradient(lambda w: square_loss(thinned()(w, x), y)[0], w)
    np.testing.assert_allclose(gradient, expected, **TOLERANCE)
    assert value == square_loss(thinned()(w, x), y)[0]
    (W1, b1), _, _, (W2, b2) = thinned().parameters(w)
    mask = np.random.default_rng(3).random((6, 8)) < 0.5
    np.testing.assert_allclose(thinned()(w, x), mask * np.tanh(x @ W1 + b1) @ W2 + b2, rtol=1e-12)
    full = backpropagation(Network(mlp_layers((3, 8, 2), tanh)), w, x, lambda out: square_loss(out, y))[1]
    assert not np.allclose(gradient, full, atol=1e-3)


def test_gradients_reach_the_inputs_through_the_first_layer(rng):
    layers = mlp_layers((3, 4, 2), tanh, first=False)
    noise = Layer(partial(dropout, p=0.5))
    network, y = Network([noise, *layers]), rng.normal(size=(5, 2))
    x, w = rng.normal(size=(5, 3)), Network(layers).initial_weights(rng)
    gradient = backpropagation(network, w, x, lambda out: square_loss(out, y))[1]
    np.testing.assert_allclose(gradient, numerical_gradient(lambda w: square_loss(network(w, x), y)[0], w), **TOLERANCE)


def test_the_net_is_its_formula():
    risk, w = risk_of(tanh)
    (W1, b1), _, (W2, b2), _, (W3, b3) = risk.network.parameters(w)
    x = risk.X
    expected = np.tanh(np.tanh(x @ W1 + b1) @ W2 + b2) @ W3 + b3
    np.testing.assert_allclose(risk.network(w, x), expected, rtol=1e-12)
    penalty = 0.3 / 2 * sum((W**2).sum() for W in (W1, W2, W3))
    assert risk(w) == pytest.approx(((expected - risk.y) ** 2).sum(axis=1).mean() + penalty, rel=1e-12)


def test_parameters_are_views_of_the_flat_vector_in_order():
    network = Network(mlp_layers((3, 5, 2), relu))
    w = np.arange(network.n_weights, dtype=float)
    views = [view for pair in network.parameters(w) for view in pair]
    assert network.n_weights == 3 * 5 + 5 + 5 * 2 + 2 == sum(view.size for view in views)
    assert np.array_equal(np.concatenate([view.ravel() for view in views]), w)
    assert all(np.shares_memory(view, w) for view in views)
    views[0][0, 0] = -7
    assert w[0] == -7


def test_biases_are_not_penalised():
    risk, w = risk_of(tanh, lam=2.0)
    free = NetworkRisk(risk.network, risk.loss, risk.X, risk.y)
    penalty = (risk.batch_gradient(w) - free.batch_gradient(w)) / 2.0
    for pair, expected in zip(risk.network.parameters(penalty), risk.network.parameters(w), strict=True):
        if pair:
            np.testing.assert_allclose(pair[0], expected[0], rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(pair[1], 0, atol=1e-12)


def test_where_a_weight_is_zero_the_gradient_of_its_absolute_value_is_zero():
    risk, w = risk_of(tanh, lam=0.0, lam1=0.2)
    free = NetworkRisk(risk.network, risk.loss, risk.X, risk.y)
    w[::2] = 0
    change = risk.batch_gradient(w) - free.batch_gradient(w)
    np.testing.assert_allclose(change, 0.2 * np.sign(w) * risk.network.penalised, atol=1e-12)
    assert not change[::2].any()


@pytest.mark.parametrize("loss", [square_loss, logistic_loss])
def test_targets_need_one_number_for_each_output(loss):
    network, X, y = Network(mlp_layers((3, 4, 2), tanh)), np.ones((5, 3)), np.ones((5, 2))
    NetworkRisk(network, loss, X, y)
    for wrong in (y[:, 0], y[:, :1], y[:1], y[:3], y[:, :, None]):
        with pytest.raises(ValueError, match=r"y must have shape \(5, 2\), one number for each output, got"):
            NetworkRisk(network, loss, X, wrong)


def test_looking_at_the_targets_draws_nothing_from_the_generator_of_dropout():
    rng, untouched = np.random.default_rng(0), np.random.default_rng(0)
    NetworkRisk(Network(mlp_layers((3, 4, 1), tanh, 0.5, rng)), square_loss, np.ones((5, 3)), np.ones((5, 1)))
    assert rng.random() == untouched.random()


def test_any_descent_on_functions_takes_a_network():
    risk, w = risk_of(tanh, lam=0.1)
    run = conjugate_gradient(risk, w, tol=1e-7, max_iter=2000)
    assert run.converged and np.linalg.norm(numerical_gradient(risk, run.last)) < 1e-5 and risk(run.last) < risk(w)
