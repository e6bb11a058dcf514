"""Convolutional classifier: the formula, the descent, digits, and images that do not fit."""

import numpy as np
import pytest
from scipy.signal import correlate2d
from scipy.special import softmax

from mlcourse.arguments.errors import NotFittedError
from mlcourse.data import load_digits
from mlcourse.models.networks.convolution import ConvolutionalClassifier

SMALL = {"filters": (2, 3), "max_epochs": 2, "random_state": 0}


def sample(shape=(8, 8), m=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, int(np.prod(shape))))
    return X, np.where(X[:, 0] > 0, "b", "a")


def test_the_prediction_is_the_formula():
    X, y = sample((4, 4, 2))
    model = ConvolutionalClassifier((4, 4, 2), filters=(3,), hidden=(5,), activation="tanh", max_epochs=2).fit(X, y)
    (F, b), (W1, b1), (W2, b2) = model.layers_
    image = X[0].reshape(4, 4, 2)
    maps = [sum(correlate2d(image[:, :, c], F[:, :, c, k], mode="same") for c in range(2)) + b[k] for k in range(3)]
    pooled = [
        [[np.tanh(maps[k][2 * i : 2 * i + 2, 2 * j : 2 * j + 2]).max() for k in range(3)] for j in range(2)]
        for i in range(2)
    ]
    scores = np.tanh(np.ravel(pooled) @ W1 + b1) @ W2 + b2
    np.testing.assert_allclose(model.predict_proba(X[:1])[0], softmax(scores), rtol=1e-10)


def test_equal_seeds_give_equal_nets():
    X, y = sample()
    a, b = (ConvolutionalClassifier(**SMALL, hidden=(4,), keep=0.5).fit(X, y).w_ for _ in range(2))
    c = ConvolutionalClassifier(**SMALL | {"random_state": 1}, hidden=(4,), keep=0.5).fit(X, y).w_
    assert np.array_equal(a, b) and not np.array_equal(a, c)


def test_dropout_changes_the_weights_and_scales_the_hidden_units_in_tests():
    X, y = sample()
    settings = SMALL | {"hidden": (4,), "activation": "tanh"}
    whole, thinned = (ConvolutionalClassifier(**settings, keep=keep).fit(X, y) for keep in (1.0, 0.5))
    assert not np.allclose(whole.w_, thinned.w_)
    whole.w_ = thinned.w_.copy()
    whole.layers_[-1][0][...] *= 0.5
    np.testing.assert_allclose(thinned.predict_proba(X), whole.predict_proba(X), rtol=1e-10)


def test_digits_are_recognised():
    X, y, *_ = load_digits()
    X = X / 16
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:1347], order[1347:]
    model = ConvolutionalClassifier(random_state=0).fit(X[train], y[train])
    assert model.score(X[test], y[test]) >= 0.98


def test_a_pattern_is_found_wherever_it_is(rng):
    """A cross or a square somewhere in the image: seen in the upper half in training, in the lower half in the test."""
    shapes = np.array([[[0, 1, 0], [1, 1, 1], [0, 1, 0]], [[1, 1, 1], [1, 0, 1], [1, 1, 1]]])

    def images(m, rows):
        X, y = 0.1 * rng.normal(size=(m, 16, 16)), rng.integers(2, size=m)
        for image, label, i, j in zip(X, y, rng.choice(rows, size=m), rng.integers(13, size=m), strict=True):
            image[i : i + 3, j : j + 3] += shapes[label]
        return X.reshape(m, -1), y

    model = ConvolutionalClassifier((16, 16), filters=(4,), pool=16, max_epochs=20, tau=0.01, random_state=0)
    model.fit(*images(300, range(6)))
    assert model.score(*images(300, range(8, 13))) > 0.97


def test_early_stopping_and_conjugate_gradients_work_here_too():
    X, y = sample()
    assert ConvolutionalClassifier(**SMALL | {"max_epochs": 200}, patience=1).fit(X, y).converged_
    assert ConvolutionalClassifier(**SMALL, solver="cg", activation="tanh").fit(X, y).n_epochs_ == 2


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"shape": (7, 8)}, "X has 64 features, but an image of shape \\(7, 8\\) has 56"),
        ({"shape": (8, 8, 2)}, "X has 64 features, but an image of shape \\(8, 8, 2\\) has 128"),
        ({"pool": 3}, "sides divisible by 9"),
        ({"filters": (2, 2, 2, 2)}, "sides divisible by 16"),
        ({"size": 2}, "size must be odd"),
        ({"tau": 1e200, "solver": "sgd"}, "overflow in pass"),
    ],
)
def test_bad_parameters_are_named_and_leave_nothing_behind(parameters, message):
    X, y = sample()
    model = ConvolutionalClassifier(**{"max_epochs": 5} | parameters)
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)
    assert vars(model) == model.get_params()


@pytest.mark.parametrize("shape", [(8, 6), (6, 8)])
def test_both_sides_must_be_divisible_by_the_tiles_of_all_poolings(shape):
    X, y = sample(shape)
    with pytest.raises(ValueError, match="sides divisible by 4"):
        ConvolutionalClassifier(shape, **SMALL).fit(X, y)
    assert ConvolutionalClassifier(shape, filters=(2,), max_epochs=1).fit(X, y).predict(X).shape == (40,)


def test_filters_may_be_larger_than_the_image_and_pooling_may_be_absent():
    X, y = sample((2, 2))
    model = ConvolutionalClassifier((2, 2), filters=(3,), size=5, pool=1, max_epochs=1).fit(X, y)
    assert model.predict_proba(X).shape == (40, 2)


def test_unfitted_use_and_bad_arrays():
    X, y = sample()
    with pytest.raises(NotFittedError):
        ConvolutionalClassifier().predict(X)
    model = ConvolutionalClassifier(**SMALL).fit(X, y)
    with pytest.raises(ValueError, match="X has 60 features"):
        model.predict(X[:, :60])
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        model.predict(X)
    assert set(model.predict(X[1:])) <= {"a", "b"}
