"""Autoencoders: linear ones are principal component analysis, denoising ones see less, codes have their shape."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from mlcourse import Autoencoder
from mlcourse.arguments.errors import NotFittedError
from mlcourse.models.networks.autoencoder import pretrained_layers
from mlcourse.models.networks.layers import square_loss, tanh
from mlcourse.models.networks.mlp import mlp_layers
from mlcourse.models.networks.network import Network, NetworkRisk
from mlcourse.optim.stochastic import adam, shuffled_passes


def sample(seed=0, m=80, d=6):
    """Points in general position with a mean far from zero and distinct variances."""
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return rng.normal(size=(m, d)) * np.linspace(2, 0.3, d) @ axes + rng.normal(size=d)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("hidden", [(1,), (2,), (3,), (4, 2)], ids=str)
def test_a_linear_autoencoder_spans_the_principal_components(seed, hidden):
    X = sample(seed)
    model = Autoencoder(hidden, "identity", solver="cg", max_epochs=5000, random_state=seed).fit(X)
    _, s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    k = hidden[-1]
    decoder = np.linalg.multi_dot([np.eye(k), *(W for W, _ in model.layers_[len(hidden) :])])
    assert subspace_angles(decoder.T, Vt[:k].T).max() < 1e-5
    loss = ((X - model.reconstruct(X)) ** 2).sum(axis=1).mean()
    assert loss == pytest.approx((s[k:] ** 2).sum() / len(X), rel=1e-8)  # the discarded part of the spectrum
    projected = (X - X.mean(axis=0)) @ Vt[:k].T @ Vt[:k] + X.mean(axis=0)
    np.testing.assert_allclose(model.reconstruct(X), projected, atol=1e-4)


def test_codes_and_reconstructions_are_the_two_halves_of_the_net():
    X = sample()
    model = Autoencoder((5, 2), "tanh", max_epochs=5, random_state=0).fit(X)
    (W1, b1), (W2, b2), (W3, b3), (W4, b4) = model.layers_
    assert [W.shape for W, _ in model.layers_] == [(6, 5), (5, 2), (2, 5), (5, 6)]
    codes = np.tanh(np.tanh(X @ W1 + b1) @ W2 + b2)
    np.testing.assert_allclose(model.transform(X), codes, rtol=1e-10)
    np.testing.assert_allclose(model.inverse_transform(codes), np.tanh(codes @ W3 + b3) @ W4 + b4, rtol=1e-10)
    np.testing.assert_allclose(model.reconstruct(X), model.inverse_transform(model.transform(X)), rtol=1e-10)
    np.testing.assert_allclose(Autoencoder((5, 2), "tanh", max_epochs=5, random_state=0).fit_transform(X), codes)


def test_the_decoder_has_the_layers_of_the_encoder_in_reverse_order():
    model = Autoencoder((5, 4, 2), max_epochs=1, random_state=0).fit(sample())
    assert [W.shape for W, _ in model.layers_] == [(6, 5), (5, 4), (4, 2), (2, 4), (4, 5), (5, 6)]
    assert model.transform(sample()).shape == (80, 2)


def test_the_weights_are_those_of_the_descent_on_clean_or_thinned_inputs():
    X = sample()
    for keep in (1.0, 0.6):
        model = Autoencoder(3, "tanh", lam=0.1, keep=keep, max_epochs=4, batch=16, random_state=2).fit(X)
        rng = np.random.default_rng(2)
        network = Network(mlp_layers((6, 3, 6), tanh))
        start = network.initial_weights(rng)
        risk = NetworkRisk(network, square_loss, X, X, 0.1)

        def gradient(w, rows, risk=risk, keep=keep, rng=rng):
            seen = X[rows] * (rng.random((len(rows), 6)) < keep) if keep < 1 else X[rows]
            return NetworkRisk(risk.network, square_loss, seen, X[rows], 0.1).batch_gradient(w)

        run = adam(gradient, start, 1e-3, shuffled_passes(80, 16, 4, rng))
        np.testing.assert_allclose(model.w_, run.last, rtol=1e-10)
        np.testing.assert_allclose(model.reconstruct(X), network(model.w_, X), rtol=1e-10)  # of whole points


def test_pretrained_layers_encode_the_codes_of_those_before():
    X = sample()
    settings = {"activation": "tanh", "max_epochs": 5, "random_state": 0}
    (W1, b1), (W2, b2) = pretrained_layers(X, (4, 2), **settings)
    first = Autoencoder(4, **settings).fit(X)
    assert np.array_equal(W1, first.layers_[0][0]) and np.array_equal(b1, first.layers_[0][1])
    second = Autoencoder(2, **settings).fit(np.tanh(X @ W1 + b1))
    np.testing.assert_allclose(W2, second.layers_[0][0], rtol=1e-9)
    np.testing.assert_allclose(b2, second.layers_[0][1], rtol=1e-9)


def test_a_step_that_is_too_long_is_named_and_leaves_nothing_behind():
    model = Autoencoder(tau=1e9, solver="sgd", activation="identity")
    with pytest.raises(ValueError, match="overflow in pass"):
        model.fit(sample())
    assert vars(model) == model.get_params()


def test_unfitted_use_and_wrong_shapes():
    for method in (Autoencoder().transform, Autoencoder().reconstruct, Autoencoder().inverse_transform):
        with pytest.raises(NotFittedError):
            method(sample())
    model = Autoencoder(max_epochs=1).fit(sample())
    with pytest.raises(ValueError, match="X has 6 features, but the decoder is expecting 2"):
        model.inverse_transform(sample())
    with pytest.raises(ValueError, match="X has 2 features"):
        model.reconstruct(sample()[:, :2])
    model.w_ = 100 * model.w_
    with pytest.raises(ValueError, match="outputs overflow"):
        model.inverse_transform(np.full((1, 2), 1.7e308))
