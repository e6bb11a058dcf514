"""The claims and algorithms of the chapter on deep learning."""

import itertools

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from scipy.optimize import minimize
from scipy.signal import convolve2d, correlate2d
from scipy.special import expit, log_softmax, softmax

from mlcourse import Autoencoder, theory
from mlcourse.models.networks import layers
from mlcourse.models.networks.autoencoder import pretrained_layers
from mlcourse.models.networks.constructed import interpolating_network
from mlcourse.models.networks.convolution import convolution_matrix
from mlcourse.models.networks.mlp import mlp_layers
from mlcourse.models.networks.network import Layer, Network, backpropagation
from mlcourse.models.networks.word2vec import WordRisk
from mlcourse.testing import assert_fails_at_most, numerical_gradient


def masks_of(n, p):
    """All 2^n masks and their probabilities."""
    masks = (theory.all_signs(n) + 1) / 2
    kept = masks.sum(axis=1)
    return masks, p**kept * (1 - p) ** (n - kept)


# --- gradients -------------------------------------------------------------------------------------
def probed_gradients(widths, activation, w, x, g):
    """The gradients at the input and behind each activation, in this order, if g is the gradient at the output."""
    seen = []

    def probe(x):
        return x, lambda g: (seen.append(g), g)[1]

    parts = [Layer(probe)]
    for layer in mlp_layers(widths, activation, first=False):
        parts += [layer, Layer(probe)] if layer.run is activation else [layer]
    network = Network(parts)
    backpropagation(network, w, x, lambda y: (0.0, g * np.ones_like(y)))
    return network, seen[::-1]


@pytest.mark.claim("prop-vanishing")
@pytest.mark.parametrize("name, slope", [("sigmoid", 1 / 4), ("tanh", 1.0), ("half-sigmoid", 1 / 8)])
@pytest.mark.parametrize("seed", range(5))
def test_a_gradient_grows_by_at_most_slope_times_norm_in_each_layer(name, slope, rng):
    widths = (4, *rng.integers(1, 8, size=5), 3)
    size = sum((a + 1) * b for a, b in itertools.pairwise(widths))
    w, x = rng.normal(size=size) * rng.choice([0.3, 1.0, 3.0]), rng.normal(size=(1, 4))
    network, g = probed_gradients(widths, layers.ACTIVATIONS[name], w, x, rng.normal(size=3))
    norms = [np.linalg.norm(pair[0], 2) for pair in network.parameters(w) if pair]
    for i in range(6):  # g[i] belongs to the output of layer i
        bound = np.linalg.norm(g[5]) * theory.gradient_factor(slope, norms[i:5])
        assert np.linalg.norm(g[i]) <= bound * (1 + 1e-9)


@pytest.mark.claim("prop-vanishing")
def test_the_factor_of_one_layer_is_attained_and_the_gradient_of_the_weights_bounded_by_signal_and_slope():
    W = np.random.default_rng(0).normal(size=(3, 3))
    direction = np.linalg.svd(W)[2][0]  # W times it is longest
    y, back = layers.sigmoid(np.zeros((1, 3)))
    _, through = layers.affine(np.ones((1, 3)), W, np.zeros(3))
    g = through(back(direction[None]), np.empty((3, 3)), np.empty(3))
    assert np.linalg.norm(g) == pytest.approx(theory.gradient_factor(0.25, np.linalg.norm(W, 2)))
    assert theory.gradient_factor([0.25, 0.25, 0.25], 2.0) == pytest.approx(1 / 8)
    rng = np.random.default_rng(1)
    for _ in range(50):
        x, W, b, g = rng.normal(size=(1, 3)), rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=(1, 4))
        z, back = layers.affine(x, W, b)
        dW = np.empty((3, 4))
        back(layers.sigmoid(z)[1](g), dW, np.empty(4))
        assert np.linalg.norm(dW) <= np.linalg.norm(x) * np.linalg.norm(g) / 4


@pytest.mark.claim("prop-relu-gradient")
@pytest.mark.parametrize("widths", [(3, 1), (2, 1, 1), (3, 2, 4, 1), (2, 5, 5, 5)], ids=str)
@pytest.mark.parametrize("gain", [0.5, 2.0, 3.0])
@pytest.mark.parametrize("law", ["normal", "uniform"])
def test_mean_squared_gradient_and_signal_of_random_relu_networks(widths, gain, law):
    rng, draws, L = np.random.default_rng(7), 40_000, len(widths) - 1
    x = np.zeros((draws, widths[0])) + rng.normal(size=widths[0])
    signal, jacobian = x, np.eye(widths[0])[None].repeat(draws, axis=0)  # (draws, units, inputs)
    for inputs, units in itertools.pairwise(widths):
        size = (draws, units, inputs)
        W = rng.normal(size=size) if law == "normal" else rng.uniform(-np.sqrt(3), np.sqrt(3), size=size)
        W *= np.sqrt(gain / inputs)
        z = np.einsum("kui,ki->ku", W, signal)
        signal, jacobian = np.maximum(z, 0), (z > 0)[:, :, None] * (W @ jacobian)
    v = rng.normal(size=(draws, widths[-1])) * np.sqrt(1.5 / widths[-1])
    squares = (np.einsum("ku,kui->ki", v, jacobian) ** 2).sum(axis=1)
    signals, mean_signal = (signal**2).mean(axis=1), (gain / 2) ** L * (x[0] ** 2).mean()
    for values, mean in ((squares, theory.relu_gradient(L, gain, 1.5)), (signals, mean_signal)):
        assert abs(values.mean() - mean) < 5 * values.std() / np.sqrt(draws)


@pytest.mark.claim("prop-relu-gradient")
def test_networks_of_the_package_have_the_promised_gradient():
    rng, squares = np.random.default_rng(0), []
    widths = (3, 8, 8, 1)
    network = Network(mlp_layers(widths, layers.relu))
    for _ in range(3000):
        _, g = probed_gradients(widths, layers.relu, network.initial_weights(rng, 2.0), np.array([[1.0, 2, -1]]), 1.0)
        squares.append((g[0] ** 2).sum())
    assert abs(np.mean(squares) - theory.relu_gradient(2, 2.0, 2.0)) < 5 * np.std(squares) / np.sqrt(3000)


# --- dropout ---------------------------------------------------------------------------------------
@pytest.mark.algorithm("alg-dropout")
@pytest.mark.parametrize("p", [0.2, 0.5, 0.9])
def test_dropout_keeps_units_with_probability_p_and_blocks_the_gradient_of_the_others(p, rng):
    x = rng.uniform(1, 2, size=(400, 50))
    y, back = layers.dropout(x, p, rng)
    kept = y != 0
    assert np.array_equal(y[kept], x[kept])
    assert_fails_at_most(int((~kept).sum()), kept.size, 1 - p)
    assert_fails_at_most(int(kept.sum()), kept.size, p)
    assert np.array_equal(back(x), y)  # the same mask on the way back
    y, back = layers.dropout(x, p)
    assert np.allclose(y, p * x) and np.allclose(back(x), p * x)


@pytest.mark.claim("prop-dropout-linear")
@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("seed", range(3))
def test_dropout_before_a_linear_unit_by_enumeration(p, rng):
    X, y, w = rng.normal(size=(7, 4)) * [1, 3, 0.2, 1], rng.normal(size=7), rng.normal(size=4)
    masks, chance = masks_of(4, p)
    values = (masks[:, None] * X) @ w
    assert np.allclose(chance @ values, p * X @ w)
    assert np.allclose(chance @ (values - p * X @ w) ** 2, p * (1 - p) * X**2 @ w**2)
    v, s = p * w, (X**2).mean(axis=0)
    expected = np.mean((y - X @ v) ** 2) + (1 - p) / p * s @ v**2
    assert np.isclose((chance @ (y - values) ** 2).mean(), expected)
    best = minimize(lambda w: (chance @ (y - (masks[:, None] * X) @ w) ** 2).mean(), w).x
    ridge = np.linalg.solve(X.T @ X / 7 + (1 - p) / p * np.diag(s), X.T @ y / 7)
    assert np.allclose(p * best, ridge, atol=1e-4)


@pytest.mark.claim("prop-dropout-softmax")
@pytest.mark.parametrize("p", [0.2, 0.5, 0.7])
@pytest.mark.parametrize("n", [1, 3, 8])
def test_the_factor_p_is_the_geometric_mean_of_all_thinned_networks(p, n):
    rng = np.random.default_rng(n)
    x, W, b = rng.normal(size=n), 3 * rng.normal(size=(n, 4)), rng.normal(size=4)
    masks, chance = masks_of(n, p)
    logs = log_softmax((masks * x) @ W + b, axis=1)
    geometric = np.exp(chance @ logs)
    q = layers.softmax(layers.dropout(x[None], p)[0] @ W + b)[0][0]
    assert np.allclose(q, geometric / geometric.sum())
    assert (-np.log(q) <= -chance @ logs + 1e-12).all()
    assert np.abs(q - chance @ np.exp(logs)).max() > 1e-3  # not the arithmetic mean


# --- autoencoders ----------------------------------------------------------------------------------
def sample(rng, m, d):
    axes = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return rng.normal(size=(m, d)) * np.linspace(2, 0.3, d) @ axes + rng.normal(size=d)


def spectrum(X):
    _, s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return s**2 / len(X), Vt


@pytest.mark.claim("thm-linear-autoencoder")
@pytest.mark.parametrize("seed", range(4))
def test_no_affine_autoencoder_loses_less_than_the_discarded_spectrum(rng):
    X, k = sample(rng, 40, 5), int(rng.integers(1, 5))
    lam, Vt = spectrum(X)
    least, mean = lam[k:].sum(), X.mean(axis=0)
    for _ in range(300):  # random encoders with the best decoder for each, and perturbed optimal ones
        E = rng.normal(size=(5, k)) if rng.random() < 0.5 else Vt[:k].T + 0.05 * rng.normal(size=(5, k))
        codes = np.column_stack([X @ E, np.ones(40)])
        rest = X - codes @ np.linalg.lstsq(codes, X, rcond=None)[0]
        assert (rest**2).sum() / 40 > least
    N, r = rng.normal(size=(k, k)), rng.normal(size=k)  # the codes may be changed by any invertible affine map
    codes = (X - mean) @ Vt[:k].T @ N + r
    restored = mean + (codes - r) @ np.linalg.inv(N) @ Vt[:k]
    assert ((X - restored) ** 2).sum() / 40 == pytest.approx(least)


@pytest.mark.claim("thm-linear-autoencoder")
@pytest.mark.parametrize("k", [1, 2, 3])
def test_training_finds_the_principal_subspace_and_codes_up_to_an_affine_map(k):
    X = sample(np.random.default_rng(k), 60, 5)
    lam, Vt = spectrum(X)
    model = Autoencoder(k, "identity", solver="cg", max_epochs=4000, random_state=k).fit(X)
    (_, _), (decoder, _) = model.layers_
    assert ((X - model.reconstruct(X)) ** 2).sum() / 60 == pytest.approx(lam[k:].sum(), rel=1e-8)
    assert subspace_angles(decoder.T, Vt[:k].T).max() < 1e-4
    elsewhere = 5 * np.random.default_rng(0).normal(size=(4, 5))  # the same map on the whole space
    projected = X.mean(axis=0) + (elsewhere - X.mean(axis=0)) @ Vt[:k].T @ Vt[:k]
    assert np.allclose(model.reconstruct(elsewhere), projected, atol=1e-3)


def affine_fit(codes, others):
    """The matrix of the affine map that best takes codes to others, and the largest error that is left."""
    A = np.column_stack([codes, np.ones(len(codes))])
    N = np.linalg.lstsq(A, others, rcond=None)[0]
    return N[:-1], np.abs(A @ N - others).max()


@pytest.mark.claim("thm-linear-autoencoder")
@pytest.mark.parametrize("rank, k", [(5, 2), (3, 2), (3, 3), (2, 1)])
@pytest.mark.parametrize("seed", range(3))
def test_two_optimal_pairs_give_the_sample_codes_related_by_an_invertible_affine_map(rank, k, rng):
    """Also if the points fill a part of the space only: then the codes of other points need not be related."""
    X = sample(rng, 40, rank) @ np.linalg.qr(rng.normal(size=(5, rank)))[0].T + rng.normal(size=5)
    lam, _ = spectrum(X)
    assert lam[k - 1] > 1.05 * lam[k] and (rank == 5 or lam[4] < 1e-12)
    a, b = (Autoencoder(k, "identity", solver="cg", max_epochs=4000, random_state=s).fit(X) for s in (1, 2))
    for model in (a, b):
        assert ((X - model.reconstruct(X)) ** 2).sum() / 40 == pytest.approx(lam[k:].sum(), rel=1e-8, abs=1e-10)
    N, error = affine_fit(a.transform(X), b.transform(X))
    assert error < 1e-3 and np.linalg.cond(N) < 100
    elsewhere = rng.normal(size=(40, 5))
    related = affine_fit(a.transform(elsewhere), b.transform(elsewhere))[1] < 1e-2
    assert related == (rank == 5)


@pytest.mark.claim("prop-denoising")
@pytest.mark.parametrize("p", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("seed", range(3))
def test_the_linear_denoiser_by_enumeration_of_the_masks_is_the_identity_on_uncorrelated_features(p, rng):
    X = sample(rng, 12, 4)
    C = X.T @ X / 12
    M = p * C @ np.linalg.inv(p**2 * C + p * (1 - p) * np.diag(np.diag(C)))
    assert np.allclose(M, C @ np.linalg.inv(p * C + (1 - p) * np.diag(np.diag(C))))
    masks, chance = masks_of(4, p)

    def loss(M):
        return sum(q * ((X - (mask * X) @ M.T) ** 2).sum() / 12 for mask, q in zip(masks, chance, strict=True))

    slope = numerical_gradient(lambda flat: loss(flat.reshape(4, 4)), M.ravel())
    assert np.abs(slope).max() < 1e-6
    assert all(loss(M + 0.1 * rng.normal(size=(4, 4))) > loss(M) for _ in range(50))
    assert loss(M) < loss(np.eye(4))
    Z = X / np.sqrt(np.diag(C))
    R = Z.T @ Z / 12
    rho = np.linalg.eigvalsh(R)
    soft = R @ np.linalg.inv(p * R + (1 - p) * np.eye(4))
    assert np.allclose(np.linalg.eigvalsh((soft + soft.T) / 2), rho / (p * rho + 1 - p))
    assert np.array_equal(rho / (p * rho + 1 - p) > 1, rho > 1)
    X = 2 * theory.all_signs(3)  # every second moment off the diagonal is zero
    C = X.T @ X / 8
    assert np.allclose(C @ np.linalg.inv(0.3 * C + 0.7 * np.diag(np.diag(C))), np.eye(3))


@pytest.mark.algorithm("alg-pretraining")
def test_pretrained_layers_are_the_encoders_of_autoencoders_trained_on_codes():
    X, training = sample(np.random.default_rng(0), 30, 4), {"solver": "cg", "max_epochs": 5, "random_state": 5}
    pairs = pretrained_layers(X, (3, 2), activation="sigmoid", **training)
    first = Autoencoder((3,), "sigmoid", **training).fit(X)
    second = Autoencoder((2,), "sigmoid", **training).fit(expit(X @ pairs[0][0] + pairs[0][1]))
    assert [W.shape for W, _ in pairs] == [(4, 3), (3, 2)]
    for (W, b), model in zip(pairs, (first, second), strict=True):
        assert np.allclose(W, model.layers_[0][0]) and np.allclose(b, model.layers_[0][1])


# --- convolution -----------------------------------------------------------------------------------
@pytest.mark.claim("prop-convolution-matrix")
@pytest.mark.algorithm("alg-convolution")
@pytest.mark.parametrize("shape, size", [((5, 6), (2, 3)), ((4, 4), (4, 1)), ((3, 7), (1, 7)), ((6, 5), (3, 3))])
def test_convolution_is_a_product_with_toeplitz_blocks(shape, size, rng):
    (h, w), (r, s) = shape, size
    x, F = rng.normal(size=shape), rng.normal(size=size)
    T = convolution_matrix(F, shape)
    blocks = T.reshape(h - r + 1, w - s + 1, h, w)
    for i, j, i2, j2 in np.ndindex(blocks.shape):
        a, b = i2 - i, j2 - j
        assert blocks[i, j, i2, j2] == (F[a, b] if 0 <= a < r and 0 <= b < s else 0)
    assert np.count_nonzero(T) == (h - r + 1) * (w - s + 1) * r * s
    y, back = layers.convolution(x[None, :, :, None], F[:, :, None, None], np.zeros(1))
    for by_other_means in (T @ x.ravel(), correlate2d(x, F, "valid"), convolve2d(x, F[::-1, ::-1], "valid")):
        assert np.allclose(y.ravel(), by_other_means.ravel())
    g, dF, db = rng.normal(size=y.shape), np.empty((r, s, 1, 1)), np.empty(1)
    dx, slope = back(g, dF, db)[0, :, :, 0], g[0, :, :, 0]
    assert np.allclose(dx.ravel(), T.T @ g.ravel()) and np.allclose(dx, convolve2d(slope, F))
    assert np.allclose(dF[:, :, 0, 0], correlate2d(x, slope, mode="valid")) and np.allclose(db, g.sum())


@pytest.mark.algorithm("alg-convolution")
def test_channels_add_up_and_filters_stand_side_by_side(rng):
    x, F, b = rng.normal(size=(2, 5, 6, 3)), rng.normal(size=(2, 3, 3, 4)), rng.normal(size=4)
    y, _ = layers.convolution(x, F, b)
    for n, k in np.ndindex(2, 4):
        sums = sum(correlate2d(x[n, :, :, c], F[:, :, c, k], mode="valid") for c in range(3))
        assert np.allclose(y[n, :, :, k], sums + b[k])


def in_frame(rng, size=12, side=4):
    frame = np.zeros((size, size))
    frame[4 : 4 + side, 4 : 4 + side] = rng.normal(size=(side, side))
    return frame


@pytest.mark.claim("thm-equivariance")
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_the_maps_that_commute_with_shifts_are_the_convolutions_also_with_bias_and_activation(n, rng):
    rng = np.random.default_rng(n)
    shift = np.roll(np.eye(n), 1, axis=0)
    # the matrices A with A shift = shift A are a space of dimension n: as many as there are filters
    equations = np.kron(shift.T, np.eye(n)) - np.kron(np.eye(n), shift)  # of vec(A), columns stacked
    assert n * n - np.linalg.matrix_rank(equations) == n
    F, x = rng.normal(size=n), rng.normal(size=n)
    A = np.array([[F[(j - i) % n] for j in range(n)] for i in range(n)])
    assert np.allclose(A @ shift, shift @ A)
    assert np.allclose(A @ x, [sum(F[a] * x[(i + a) % n] for a in range(n)) for i in range(n)])
    x, F = in_frame(rng), rng.normal(size=(3, 3))

    def layer(image):
        return np.tanh(correlate2d(image, F, mode="same") + 0.7)

    for v in itertools.product(range(-2, 3), repeat=2):
        assert np.allclose(layer(np.roll(x, v, (0, 1))), np.roll(layer(x), v, (0, 1)))


@pytest.mark.claim("prop-pooling")
@pytest.mark.parametrize("q", [2, 3])
def test_pooling_commutes_with_shifts_by_whole_tiles_and_no_others(q):
    def pooled(image):
        return layers.max_pooling(image[None, :, :, None], q)[0][0, :, :, 0]

    x = in_frame(np.random.default_rng(q))
    for u in itertools.product((-1, 0, 1), repeat=2):
        v = (q * u[0], q * u[1])
        assert np.array_equal(pooled(np.roll(x, v, (0, 1))), np.roll(pooled(x), u, (0, 1)))
    pair = np.zeros((12, 12))
    pair[0, 0] = pair[q - 1, 0] = 1  # the image of the proof
    assert pooled(pair).sum() == 1
    for v in range(12):
        assert pooled(np.roll(pair, v, axis=0)).sum() == (1 if v % q == 0 else 2)
        assert np.roll(x, (v, 5), (0, 1)).max() == x.max()


# --- words -----------------------------------------------------------------------------------------
def negative_sampling_loss(s, P, q, k):
    return (P * np.logaddexp(0, -s) + k * P.sum(axis=1, keepdims=True) * q * np.logaddexp(0, s)).sum()


@pytest.mark.claim("thm-negative-sampling")
@pytest.mark.parametrize("k", [0.5, 1, 7])
@pytest.mark.parametrize("seed", range(3))
def test_negative_sampling_is_minimised_by_shifted_mutual_information(rng, k):
    P, q = rng.dirichlet(np.ones(12)).reshape(3, 4) + 1e-3, rng.dirichlet(np.ones(4)) + 1e-3
    P, q = P / P.sum(), q / q.sum()
    stated = np.log(P / (P.sum(axis=1, keepdims=True) * q)) - np.log(k)
    found = minimize(lambda s: negative_sampling_loss(s.reshape(3, 4), P, q, k), np.zeros(12), options={"gtol": 1e-9})
    assert np.allclose(found.x.reshape(3, 4), stated, atol=1e-3)
    least = negative_sampling_loss(stated, P, q, k)
    assert all(negative_sampling_loss(stated + 0.1 * rng.normal(size=(3, 4)), P, q, k) > least for _ in range(50))


@pytest.mark.claim("thm-negative-sampling")
def test_unseen_pairs_have_no_best_score_and_the_softmax_wants_log_conditional_frequencies(rng):
    P, q = np.array([[0.5, 0.0], [0.2, 0.3]]), np.array([0.4, 0.6])
    s = np.log(np.where(P > 0, P, 1) / (2 * P.sum(axis=1, keepdims=True) * q))
    values = []
    for score in (-1.0, -5.0, -25.0, -125.0):
        s[0, 1] = score
        values.append(negative_sampling_loss(s, P, q, 2))
    assert (np.diff(values) < 0).all()
    P = rng.dirichlet(np.ones(12)).reshape(3, 4)
    conditional = P / P.sum(axis=1, keepdims=True)
    s = np.log(conditional) + rng.normal(size=(3, 1))
    least = -(P * log_softmax(s, axis=1)).sum()
    assert np.allclose(softmax(s, axis=1), conditional)
    for _ in range(100):
        assert -(P * log_softmax(s + 0.1 * rng.normal(size=(3, 4)), axis=1)).sum() > least


@pytest.mark.claim("thm-negative-sampling")
@pytest.mark.algorithm("alg-word2vec")
@pytest.mark.parametrize("negatives", [0, 3])
def test_the_gradient_of_word2vec_vanishes_on_average_at_the_stated_scores(negatives):
    rng, n, m = np.random.default_rng(0), 3, 400
    bags, targets = rng.integers(n, size=(m, 1)), rng.integers(n, size=m)
    risk = WordRisk(bags, targets, n, n, negatives, rng)
    P = np.zeros((n, n))
    np.add.at(P, (bags[:, 0], targets), 1 / m)
    q = np.diff(risk.noise, prepend=0) if negatives else np.ones(n)
    scores = np.log(P / (max(negatives, 1) * P.sum(axis=1, keepdims=True) * q))
    w = np.concatenate([np.eye(n).ravel(), scores.T.ravel()])  # v_w the unit vectors: u_c.v_w is the score
    draws = np.array([risk.gradient(w, np.arange(m)) for _ in range(400 if negatives else 2)])
    error = draws.std(axis=0) / np.sqrt(len(draws))
    assert (np.abs(draws.mean(axis=0)) <= 5 * error + 1e-12).all()
    elsewhere = np.concatenate([np.eye(n).ravel(), (scores + 1.0 * np.eye(n)).T.ravel()])
    assert np.abs(risk.gradient(elsewhere, np.arange(m))).max() > 0.01


# --- theory ----------------------------------------------------------------------------------------
def two_layer_suprema(X, signs):
    """sup over ||u|| <= 1 of |sum_i sigma_i [u.x_i]_+| for points of the plane, on a fine grid of directions."""
    angles = np.linspace(0, 2 * np.pi, 2000)
    values = np.maximum(X @ np.array([np.cos(angles), np.sin(angles)]), 0)  # (m, 2000)
    return np.abs(signs @ values).max(axis=1)


@pytest.mark.claim("thm-two-layer-rademacher")
@pytest.mark.parametrize("seed", range(4))
def test_the_complexity_of_two_layer_networks_is_below_its_bound(rng):
    m = int(rng.integers(1, 11))
    X = rng.normal(size=(m, 2))
    R = np.linalg.norm(X, axis=1).max()
    complexity = two_layer_suprema(X, theory.all_signs(m)).mean() / m  # all signs, B = 1
    data, bound = 2 * np.sqrt((X**2).sum()) / m, theory.two_layer_complexity(m, 1.0, R)
    assert complexity <= data * (1 + 1e-12) and data <= bound * (1 + 1e-12)
    assert np.isclose(theory.two_layer_complexity(m, 3.0, R), 3 * bound)


@pytest.mark.claim("thm-two-layer-rademacher")
def test_no_wide_network_follows_the_signs_better_than_one_unit_and_the_rate_and_constant_are_right(rng):
    X, signs = rng.normal(size=(8, 2)), theory.all_signs(8)
    best = two_layer_suprema(X, signs)
    for _ in range(200):
        N = int(rng.integers(1, 30))
        U, v = rng.normal(size=(N, 2)), rng.normal(size=N)
        v /= np.abs(v) @ np.linalg.norm(U, axis=1)  # B = 1
        assert (signs @ (np.maximum(X @ U.T, 0) @ v) <= best * (1 + 1e-4)).all()
    # On unit vectors at right angles one unit follows all signs of one kind: (1/m) E sqrt(number of them).
    m = 16
    plus = (theory.all_signs(m) > 0).sum(axis=1)
    complexity = np.sqrt(np.maximum(plus, m - plus)).mean() / m
    bound = theory.two_layer_complexity(m, 1.0, 1.0)
    assert bound / 3 < complexity < bound


@pytest.mark.claim("thm-two-layer-rademacher")
def test_the_margin_bound_fails_no_more_often_than_promised_and_its_three_faces_are_inverse():
    rng, m, delta, rho, draws = np.random.default_rng(0), 50, 0.2, 1.0, 1000
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    U = np.array([np.cos(angles), np.sin(angles)])
    law = rng.normal(size=(3000, 2))
    law /= np.maximum(np.linalg.norm(law, axis=1, keepdims=True), 1)
    labels = np.where(rng.random(3000) < 0.2, -1, 1) * np.where(law[:, 0] > 0.2, 1, -1)
    f = np.column_stack([s * np.maximum(law @ U, 0) for s in (2.0, -2.0)])  # networks with B = 2
    wrong, ramp = (labels[:, None] * np.where(f >= 0, 1, -1)) < 0, np.clip(1 - labels[:, None] * f / rho, 0, 1)
    risk, violations = wrong.mean(axis=0), 0
    promised = theory.two_layer_deviation(m, delta, rho, 2.0, 1.0)
    for _ in range(draws):
        rows = rng.integers(3000, size=m)
        violations += bool((risk > ramp[rows].mean(axis=0) + promised).any())
    assert_fails_at_most(violations, draws, delta)
    m = np.array([100, 5000, 10**6])
    deviation = theory.two_layer_deviation(m, 0.05, 0.5, 3.0, 2.0)
    assert np.allclose(deviation, 2 * theory.two_layer_complexity(m, 3.0, 2.0) / 0.5 + np.sqrt(np.log(20) / (2 * m)))
    assert np.allclose(theory.two_layer_probability(m, deviation, 0.5, 3.0, 2.0), 0.05)
    assert np.array_equal(theory.two_layer_sample_size(deviation, 0.05, 0.5, 3.0, 2.0), m)


@pytest.mark.claim("prop-memorise")
@pytest.mark.parametrize("m, d", [(2, 1), (10, 1), (50, 3), (200, 20)])
def test_a_network_with_one_unit_less_than_points_fits_any_labels(m, d):
    rng = np.random.default_rng(m)
    X, y, u = rng.normal(size=(m, d)), rng.normal(size=m), rng.normal(size=d)
    t = X @ u
    order = np.argsort(t)
    network, w = interpolating_network(t[order], y[order])
    (weights, thresholds), (bends, bias) = (pair for pair in network.parameters(w) if pair)
    assert weights.shape == (1, m - 1) and (weights == 1).all()
    assert d + thresholds.size + bends.size + bias.size == 2 * m + d - 1
    hidden = np.maximum(X @ (u[:, None] * weights) + thresholds, 0)  # the network on R^d
    assert np.allclose((hidden @ bends)[:, 0] + bias, y, atol=1e-6)
