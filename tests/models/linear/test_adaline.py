"""Adaline: every step is Widrow and Hoff's, the weights go where least squares goes, and divergence is an error."""

import itertools

import numpy as np
import pytest

from mlcourse import Adaline, LinearRegression
from mlcourse.models.linear.adaline import adaline
from mlcourse.models.linear.linear_separation import augmented


def sample(seed, m=20, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.where(X[:, 0] + rng.normal(size=m) > 0, 1, -1)


@pytest.mark.algorithm("alg-adaline")
@pytest.mark.parametrize("tau", [0.1, [0.5, 0.2, 0.1, 0.05, 0.3, 0.2]])
def test_each_step_adds_tau_times_the_error_times_the_point(tau):
    X, y = sample(0)
    draws = [3, 1, 4, 1, 5, 9]
    steps = tau if isinstance(tau, list) else [tau] * 6
    run = adaline(X, y, draws, tau)
    assert not run.path[0].any() and run.n_steps == 6
    for (w, after), i, step in zip(itertools.pairwise(run.path), draws, steps, strict=True):
        np.testing.assert_allclose(after, w + step * (y[i] - w @ X[i]) * X[i], rtol=1e-14)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("decay", [True, False])
@pytest.mark.parametrize("tau", [None, 0.01])
def test_the_estimator_is_the_algorithm_in_passes(bias, decay, tau):
    X, y = sample(2)
    points = augmented(X) if bias else X
    model = Adaline(tau=tau, decay=decay, bias=bias, max_epochs=4).fit(X, y)
    assert np.isclose(model.tau_, tau or 1 / (2 * (points**2).sum(axis=1).max()), rtol=1e-14)
    w = np.zeros(points.shape[1])
    for k in range(4):
        for x, label in zip(points, y, strict=True):
            w = w + model.tau_ / (1 + decay * k) ** (2 / 3) * (label - w @ x) * x
    np.testing.assert_allclose(np.append(model.w_, model.b_) if bias else model.w_, w, rtol=1e-12)
    np.testing.assert_allclose(model.decision_function(X), points @ w, rtol=1e-10, atol=1e-12)
    assert bias or model.b_ == 0


def test_a_shuffled_pass_is_a_permutation_that_depends_on_the_seed_alone():
    X, y = sample(3)
    model = Adaline(shuffle=True, random_state=5, max_epochs=3, decay=False).fit(X, y)
    draws = np.concatenate(list(model._passes(20)))
    np.testing.assert_allclose(np.append(model.w_, model.b_), adaline(augmented(X), y, draws, model.tau_).last)
    assert not np.allclose(model.w_, Adaline(max_epochs=3, decay=False).fit(X, y).w_)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shuffle", [True, False])
def test_with_decay_the_weights_approach_those_of_least_squares(seed, shuffle):
    X, y = sample(seed, m=150)
    best = LinearRegression().fit(X, y)

    def distance(max_epochs, **settings):
        model = Adaline(max_epochs=max_epochs, shuffle=shuffle, random_state=0, **settings).fit(X, y)
        return np.linalg.norm(np.append(model.w_, model.b_) - np.append(best.w_, best.b_))

    early, late, wandering = distance(20), distance(400), distance(400, decay=False)
    assert late < early / 7 and late < wandering / 20  # the last steps are 1/20 and 1/400 of the constant one


def test_without_noise_the_default_step_needs_no_decay():
    X, _ = sample(4)
    y = np.array([1, -1])
    points = X[:2]  # two points in three dimensions: some weights have no error at all
    model = Adaline(decay=False, bias=False, max_epochs=3000).fit(points, y)
    np.testing.assert_allclose(points @ model.w_, y, atol=1e-9)


def test_weights_that_overflow_are_an_error_and_leave_the_model_as_it_was():
    X, y = sample(5)
    model = Adaline().fit(X, y)
    before = model.w_.copy(), model.b_, model.tau_
    longest = (augmented(X) ** 2).sum(axis=1).max()
    model.set_params(tau=100 / longest, decay=False, max_epochs=300)
    with pytest.raises(ValueError, match="weights overflow.*stay below") as error:
        model.fit(X, y)
    assert float(str(error.value).split()[-1]) == pytest.approx(2 / longest, rel=0.05)
    assert np.array_equal(model.w_, before[0]) and (model.b_, model.tau_) == before[1:]


@pytest.mark.parametrize("scale", [1e-200, 1e-100, 1e100, 1e150])
def test_the_default_step_fits_any_scale(scale):
    X, y = sample(6)
    reference = Adaline(bias=False).fit(X, y)
    scores = Adaline(bias=False).fit(scale * X, y).decision_function(scale * X)
    assert np.isfinite(scores).all()
    if (scale * X**2 * scale).max() > 1e-300:  # squares that do not underflow
        np.testing.assert_allclose(scores, reference.decision_function(X), rtol=1e-9)


def test_squares_that_overflow_are_an_error():
    X, y = sample(7)
    with pytest.raises(ValueError, match="overflow"):
        Adaline().fit(1e200 * X, y)


def test_points_at_the_origin_leave_the_weights_at_zero():
    model = Adaline(bias=False).fit(np.zeros((4, 2)), [0, 1, 0, 1])
    assert not model.w_.any()
