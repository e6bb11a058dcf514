"""Multi-layer perceptrons: fitted weights against the definition of each descent, early stopping, hostile input."""

import numpy as np
import pytest
from scipy.special import expit

from mlcourse import LogisticRegression, MLPClassifier, MLPRegressor
from mlcourse.models.networks.layers import ACTIVATIONS, cross_entropy, square_loss
from mlcourse.models.networks.mlp import mlp_layers
from mlcourse.models.networks.network import Network, NetworkRisk
from mlcourse.models.networks.training import GAIN
from mlcourse.optim.stochastic import adam, momentum, shuffled_passes, stochastic_gradient_descent

SMALL = {"hidden": (5, 4), "batch": 8, "max_epochs": 3}
each_solver = pytest.mark.parametrize("solver", ["sgd", "momentum", "adam"])
both = pytest.mark.parametrize("cls", [MLPClassifier, MLPRegressor])


def sample(m=50, d=3, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.argmax(X[:, :n_classes] + 0.3 * rng.normal(size=(m, n_classes)), axis=1)


def targets(cls, y):
    return y if cls is MLPClassifier else y.astype(float)


def risk_of(model, X, y):
    """The penalised risk that the model minimises, written with its own layers."""
    classifier = isinstance(model, MLPClassifier)
    widths = (X.shape[1], *model.hidden, len(np.unique(y)) if classifier else 1)
    network = Network(mlp_layers(widths, ACTIVATIONS[model.activation]))
    loss, labels = (cross_entropy, y) if classifier else (square_loss, y[:, None])
    return NetworkRisk(network, loss, X, labels, model.lam)


@both
@each_solver
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_the_weights_are_those_of_the_descent(cls, solver, activation):
    X, y = sample()
    y = targets(cls, y)
    model = cls(**SMALL, solver=solver, activation=activation, tau=0.01, lam=0.1, random_state=4).fit(X, y)
    risk, rng = risk_of(model, X, y), np.random.default_rng(4)
    start = risk.network.initial_weights(rng, GAIN.get(activation, 1.0))
    descent = {"sgd": stochastic_gradient_descent, "momentum": momentum, "adam": adam}[solver]
    run = descent(risk.batch_gradient, start, 0.01, shuffled_passes(50, 8, passes=3, rng=rng))
    assert np.array_equal(model.w_, run.last) and model.n_epochs_ == 3 and not model.converged_


@both
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_conjugate_gradients_end_where_the_gradient_vanishes(cls, activation):
    X, y = sample(m=30)
    y = targets(cls, y)
    smooth = activation not in ("relu", "leaky-relu")
    model = cls((3,), activation, lam=0.1, solver="cg", max_epochs=3000 if smooth else 50, random_state=0).fit(X, y)
    risk = risk_of(model, X, y)
    if smooth:
        assert model.converged_ and np.linalg.norm(risk.batch_gradient(model.w_)) < 1e-7
    assert risk(model.w_) < risk(risk.network.initial_weights(np.random.default_rng(0)))


def test_without_hidden_layers_it_is_logistic_regression():
    X, y = sample(n_classes=2)
    model = MLPClassifier((), lam=0.1, solver="cg", max_epochs=500).fit(X, y)
    ((W, b),) = model.layers_
    # the two weight vectors are opposite, so their penalties add up to that of a quarter of their difference
    exact = LogisticRegression(lam=0.05, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(W[:, 1] - W[:, 0], exact.w_, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(X @ exact.w_ + exact.b_), atol=1e-6)
    assert b[1] - b[0] == pytest.approx(exact.b_, abs=1e-6)


@both
def test_equal_seeds_give_equal_nets_and_others_do_not(cls):
    X, y = sample()
    y = targets(cls, y)
    a, b, c = (cls(**SMALL, keep=0.5, patience=2, random_state=seed).fit(X, y).w_ for seed in (1, 1, 2))
    assert np.array_equal(a, b) and not np.array_equal(a, c)


def test_predictions_are_the_formula():
    X, y = sample()
    model = MLPClassifier(**SMALL, activation="tanh", random_state=0).fit(X, y)
    (W1, b1), (W2, b2), (W3, b3) = model.layers_
    scores = np.tanh(np.tanh(X @ W1 + b1) @ W2 + b2) @ W3 + b3
    odds = np.exp(scores)
    np.testing.assert_allclose(model.predict_proba(X), odds / odds.sum(axis=1, keepdims=True), rtol=1e-10)
    assert np.array_equal(model.predict(X), scores.argmax(axis=1))


def test_dropout_scales_the_hidden_units_in_tests():
    X, y = sample()
    model = MLPClassifier(**SMALL, activation="tanh", keep=0.6, random_state=0).fit(X, y)
    (W1, b1), (W2, b2), (W3, b3) = model.layers_
    scores = (0.6 * np.tanh(0.6 * np.tanh(X @ W1 + b1) @ W2 + b2)) @ W3 + b3
    np.testing.assert_allclose(
        np.log(model.predict_proba(X)[:, 1:] / model.predict_proba(X)[:, :1]), scores[:, 1:] - scores[:, :1], rtol=1e-8
    )
    without = MLPClassifier(**SMALL, activation="tanh", random_state=0).fit(X, y)
    assert not np.allclose(model.w_, without.w_)


# --- early stopping -------------------------------------------------------------------------------------
@both
@pytest.mark.parametrize("patience", [1, 3])
@pytest.mark.parametrize("keep", [1.0, 0.7])
def test_early_stopping_returns_the_best_weights_on_the_held_out_part(cls, patience, keep):
    X, y = sample(m=60, seed=1)
    y = targets(cls, y)
    settings = {"hidden": (30,), "lam": 0.0, "tau": 0.02, "batch": 8, "keep": keep, "random_state": 3}
    model = cls(**settings, max_epochs=300, patience=patience, validation=0.25).fit(X, y)
    assert model.converged_ and model.n_epochs_ < 300

    rng = np.random.default_rng(3)
    n_outputs = 3 if cls is MLPClassifier else 1
    loss, labels = (cross_entropy, y) if cls is MLPClassifier else (square_loss, y[:, None])
    trained = Network(mlp_layers((3, 30, n_outputs), ACTIVATIONS["relu"], keep, rng))
    tested = Network(mlp_layers((3, 30, n_outputs), ACTIVATIONS["relu"], keep))
    start = trained.initial_weights(rng, 2.0)
    test, train = np.split(rng.permutation(60), [15])
    risk = NetworkRisk(trained, loss, X[train], labels[train])
    steps = adam.iterates(risk.batch_gradient, start, 0.02, shuffled_passes(45, 8, rng=rng))
    path = [w for t, w in zip(range(6 * model.n_epochs_ + 1), steps, strict=False) if t % 6 == 0]
    risks = [NetworkRisk(tested, loss, X[test], labels[test])(w) for w in path]
    best = int(np.argmin(risks))
    assert np.array_equal(model.w_, path[best])
    assert best == model.n_epochs_ - patience and best > 0  # it waited so long, and not in vain


def test_early_stopping_that_never_happens_keeps_the_best_of_all_passes():
    X, y = sample()
    model = MLPClassifier(**SMALL, tau=1e-5, patience=100, random_state=0).fit(X, y)
    assert model.n_epochs_ == 3 and not model.converged_


def test_early_stopping_needs_something_to_train_on():
    with pytest.raises(ValueError, match="1 of 1 are held out"):
        MLPRegressor(patience=1).fit([[1.0]], [2.0])
    MLPRegressor(patience=1, max_epochs=2).fit([[1.0], [2.0]], [2.0, 3.0])


# --- quality, and hostile input -------------------------------------------------------------------------
@both
@pytest.mark.parametrize("solver", ["sgd", "momentum"])
def test_steps_that_diverge_are_named(cls, solver):
    X, y = sample()
    with pytest.raises(ValueError, match="weights overflow in pass .*: scale the features or take a smaller tau"):
        cls(hidden=(8,), activation="identity", solver=solver, tau=1e6, lam=1.0).fit(1e3 * X, targets(cls, y))


@both
@pytest.mark.parametrize("scale", [1e-300, 1e-8, 1e4, 1e150])
def test_features_of_any_size_give_weights_or_a_clear_error(cls, scale):
    X, y = sample()
    model = cls(**SMALL)
    try:
        model.fit(scale * X, targets(cls, y))
    except ValueError as error:
        assert scale > 1e100 and "overflow" in str(error)
    else:
        assert np.isfinite(model.w_).all() and np.isfinite(model.predict(scale * X)).all()


@both
def test_points_too_large_for_the_net_are_refused(cls):
    X, y = sample()
    model = cls(**SMALL, activation="identity").fit(X, targets(cls, y))
    model.w_ = 100 * model.w_
    with pytest.raises(ValueError, match="outputs overflow"):
        model.predict(np.full((1, 3), 1.7e308) * [1, -1, 1])


@both
def test_a_batch_may_be_larger_than_the_sample(cls):
    X, y = sample()
    y = targets(cls, y)
    a, b = (cls(hidden=4, batch=size, max_epochs=5, random_state=0).fit(X, y).w_ for size in (50, 10**6))
    assert np.array_equal(a, b)
