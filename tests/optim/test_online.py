"""Online gradient descent follows its rules; the best comparator cannot be improved."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit

from mlcourse.losses import absolute, hinge, logistic, square
from mlcourse.losses import perceptron_loss as perceptron_loss
from mlcourse.models.linear.perceptron import perceptron
from mlcourse.optim.online import (
    Reply,
    best_comparator,
    constant_step_ogd,
    in_ball,
    online_gradient_descent,
    online_to_batch,
    regret,
    rounds,
    strongly_convex_ogd,
)
from mlcourse.testing import assert_gradient

seeds = st.integers(0, 2**32 - 1)


def examples(seed, T=40, d=3, R=1.0):
    """Points of norm at most R, and labels -1, +1 that a hyperplane explains in part."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(T, d))
    X *= R * rng.random((T, 1)) / np.linalg.norm(X, axis=1, keepdims=True)
    return X, np.where(X[:, 0] + 0.2 * rng.normal(size=T) > 0, 1.0, -1.0)


def test_the_start_is_brought_into_the_ball_and_kept_as_it_was():
    w = np.array([3.0, 4.0])
    run = online_gradient_descent([], w, 1.0, 1.0)
    assert np.array_equal(w, [3.0, 4.0])
    np.testing.assert_allclose(run.path, [[0.6, 0.8]])


@pytest.mark.parametrize("loss", [hinge, square, logistic, absolute])
@pytest.mark.parametrize("mu", [0.0, 0.5])
def test_gradients_are_those_of_the_losses(loss, mu):
    X, y = examples(1, T=10)
    w = np.random.default_rng(2).normal(size=3)
    for play, x, label in zip(rounds(loss, X, y, mu), X, y, strict=True):
        assert_gradient(play, play.gradient, w)
        score = x @ w
        value = loss(label, score) if loss in (square, absolute) else loss(label * score)
        assert play(w) == pytest.approx(value + mu / 2 * w @ w)


@pytest.mark.parametrize("tau", [0.25, 1.0, 8.0])
def test_constant_steps_on_the_perceptron_loss_are_the_perceptron(tau):
    X, y = examples(4, T=200)
    path = constant_step_ogd(rounds(perceptron_loss, X, y), np.zeros(3), tau).path
    moved = [w for before, w in itertools.pairwise(path) if (w != before).any()]
    assert np.array_equal(moved, perceptron(X, y, [None], tau=tau).path[1:])


def test_a_reply_is_chosen_once_when_the_weights_are_seen():
    asked = []
    loss = Reply(lambda w: asked.append(w) or 2 * w, mu=0.5)
    w, u = np.array([1.0, -1.0]), np.array([0.0, 3.0])
    np.testing.assert_allclose(loss.gradient(w), 2 * w + 0.5 * w)
    np.testing.assert_allclose(loss.gradient(u), 2 * w + 0.5 * u)
    assert len(asked) == 1 and loss(u) == pytest.approx(2 * w @ u + 0.25 * u @ u)
    with pytest.raises(ValueError, match="the reply must be finite"):
        Reply(lambda w: w * np.nan).gradient(w)


def test_regret_is_a_running_sum_over_the_played_weights():
    X, y = examples(3, T=5)
    losses, path, u = rounds(square, X, y), list(np.random.default_rng(0).normal(size=(6, 3))), np.ones(3)
    by_hand = [sum(losses[s](path[s]) - losses[s](u) for s in range(t + 1)) for t in range(5)]
    np.testing.assert_allclose(regret(path, losses, u), by_hand)
    np.testing.assert_allclose(online_to_batch(path), sum(path[:5]) / 5)


# --- the best in hindsight -----------------------------------------------------------------------
@pytest.mark.parametrize("loss", [hinge, square])
@settings(max_examples=20, deadline=None)
@given(seeds, st.sampled_from([0.05, 1.0, 50.0]), st.integers(1, 25), st.integers(1, 3))
def test_the_best_comparator_cannot_be_improved(loss, seed, U, T, d):
    X, y = examples(seed, T, d)
    losses = rounds(loss, X, y)

    def total(u):
        return sum(play(u) for play in losses)

    u = best_comparator(loss, X, y, U)
    assert np.linalg.norm(u) <= U * (1 + 1e-9)
    rng = np.random.default_rng(seed)
    for scale in (1e-2, 0.3, 3.0):
        for step in rng.normal(size=(20, d)):
            assert total(u) <= total(in_ball(u + scale * U * step, U)) + 1e-4


@pytest.mark.parametrize("U, R", [(0.5, 1.0), (5.0, 1.0), (1e-6, 1.0), (1e4, 1.0), (1e-3, 1e3), (1e3, 1e-3)])
def test_the_best_hinge_comparator_is_that_of_sequential_quadratic_programming(U, R):
    X, y = examples(7, T=30, R=1.0)
    T, d = X.shape
    A, cost = np.hstack([y[:, None] * X, np.eye(T)]), np.append(np.zeros(d), np.ones(T))
    ball = {"type": "ineq", "fun": lambda v: (U * R) ** 2 - v[:d] @ v[:d]}
    slack = {"type": "ineq", "fun": lambda v: A @ v - 1, "jac": lambda v: A}
    program = minimize(lambda v: cost @ v, cost, jac=lambda v: cost, bounds=[(None, None)] * d + [(0, None)] * T,
                       constraints=[slack, ball], method="SLSQP", options={"maxiter": 500, "ftol": 1e-12})  # fmt: skip
    u = best_comparator(hinge, R * X, y, U)
    assert sum(play(u) for play in rounds(hinge, R * X, y)) == pytest.approx(program.fun, abs=1e-4)


def test_the_best_hinge_comparator_of_many_rounds_has_no_duality_gap():
    X, y = examples(8, T=3000, d=5)
    u = best_comparator(hinge, X, y, 4.0)
    z = y * (X @ u)
    a = expit(1e5 * (1 - z))  # in [0, 1], so that by weak duality no u of length 4 has less than
    lower = a.sum() - 4.0 * np.linalg.norm(X.T @ (a * y))
    assert np.linalg.norm(u) == pytest.approx(4.0)
    assert lower <= np.maximum(1 - z, 0).sum() <= lower * (1 + 1e-6)


def test_the_best_square_comparator_is_a_ridge_solution_or_least_squares():
    X, y = examples(5)
    w = np.linalg.lstsq(X, y, rcond=None)[0]
    np.testing.assert_allclose(best_comparator(square, X, y, 100.0), w)
    for U in (0.3, 0.999 * np.linalg.norm(w)):
        u = best_comparator(square, X, y, U)
        assert np.linalg.norm(u) == pytest.approx(U)
        downhill = X.T @ (y - X @ u)
        assert downhill @ u == pytest.approx(np.linalg.norm(downhill) * U)  # outwards, nothing else
    assert np.array_equal(best_comparator(square, np.zeros((3, 2)), np.ones(3), 1.0), [0, 0])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda X, y: online_gradient_descent([], [0.0], 0.0, 1.0), "U must be positive"),
        (lambda X, y: online_gradient_descent([], [0.0], 1.0, -1.0), "tau must be positive"),
        (lambda X, y: constant_step_ogd([], [0.0], 0.0), "tau must be positive"),
        (lambda X, y: strongly_convex_ogd([], [0.0], 0.0), "mu must be positive"),
        (lambda X, y: strongly_convex_ogd([], [np.nan], 1.0), "w must be finite"),
        (lambda X, y: best_comparator(logistic, X, y, 1.0), "loss must be square or hinge"),
        (lambda X, y: rounds(square, X, y[1:]), "same length"),
        (lambda X, y: rounds(square, X, y, mu=-1.0), "mu must be"),
        (lambda X, y: regret(X[:-1], rounds(square, X, y), np.zeros(3)), "as many weights or one more, got 39"),
        (lambda X, y: regret(X, rounds(square, X[2:], y[2:]), np.zeros(3)), "as many weights or one more, got 40"),
        (lambda X, y: regret(X, rounds(square, X, y), [np.nan] * 3), "u must be finite"),
        (lambda X, y: Reply(np.sign)(X[0]), "must reply before"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(*examples(6))
