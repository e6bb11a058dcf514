"""Stochastic gradients: batches that partition or draw the sample, steps by their formula, updates by theirs."""

import itertools

import numpy as np
import pytest

from mlcourse.losses import logistic
from mlcourse.optim.objective import LinearRisk
from mlcourse.optim.stochastic import (
    adam,
    decreasing_steps,
    early_stopping,
    momentum,
    shuffled_passes,
    stochastic_gradient_descent,
    uniform_draws,
)


@pytest.mark.parametrize("m, size", [(1, 1), (10, 1), (10, 3), (10, 5), (10, 10), (10, 99)])
def test_batches_partition_the_sample_in_each_pass(m, size):
    batches = list(shuffled_passes(m, size, passes=4, rng=0))
    per_pass = -(-m // size)
    assert len(batches) == 4 * per_pass and max(map(len, batches)) == min(size, m)
    for k in range(4):
        parts = batches[k * per_pass : (k + 1) * per_pass]
        assert sorted(np.concatenate(parts)) == list(range(m))
        assert all(len(part) == size for part in parts[:-1])


def test_passes_differ_depend_on_the_seed_alone_and_go_on_for_ever():
    first, again = (list(itertools.islice(shuffled_passes(20, 20, rng=3), 50)) for _ in range(2))
    assert np.array_equal(first, again) and len(np.unique(first, axis=0)) == 50
    assert not np.array_equal(first[0], next(shuffled_passes(20, 20, rng=4)))


def test_draws_have_their_size_and_repeat_examples():
    batches = list(itertools.islice(uniform_draws(3, 7, rng=0), 20))
    assert all(len(rows) == 7 and set(rows) <= {0, 1, 2} for rows in batches)  # 7 of 3: some come back


@pytest.mark.parametrize("gamma, a", [(1, 1), (0.3, 0.6), (2.5, 0.5), (1.0, 0.0), (1, 2)])
def test_decreasing_steps_are_gamma_over_a_power(gamma, a):
    steps = list(itertools.islice(decreasing_steps(gamma, a), 100))
    np.testing.assert_allclose(steps, [gamma * (1 + t) ** -a for t in range(100)], rtol=1e-12)


@pytest.mark.parametrize("bias", [False, True])
def test_the_gradient_of_a_uniform_draw_is_right_on_average(bias):
    rng = np.random.default_rng(2)
    f = LinearRisk(logistic, rng.normal(size=(12, 3)), rng.choice([-1, 1], size=12), lam=0.2, bias=bias)
    w = rng.normal(size=f.d)
    pairs = [f.batch_gradient(w, np.array(rows)) for rows in itertools.product(range(12), repeat=2)]
    np.testing.assert_allclose(np.mean(pairs, axis=0), f.gradient(w), rtol=1e-12, atol=1e-14)


def test_the_run_ends_with_the_batches_or_with_the_steps():
    def gradient(w, rows):
        return w

    start = np.ones(1)
    assert stochastic_gradient_descent(gradient, start, 0.5, [[0]] * 3).last == pytest.approx(1 / 8)
    assert stochastic_gradient_descent(gradient, start, [0.5, 0.5], uniform_draws(4)).last == pytest.approx(1 / 4)
    assert start == 1  # the starting point is not written to


# --- momentum, Adam, early stopping ---------------------------------------------------------------------
def gradients(n=30, d=4, seed=0):
    """A gradient that is the same list of vectors whatever w: the steps depend on the history alone."""
    G = np.random.default_rng(seed).normal(size=(n, d))
    return G, lambda w, rows: G[rows]


@pytest.mark.parametrize("beta", [0.0, 0.5, 0.9])
def test_momentum_adds_up_past_gradients_with_decaying_weights(beta):
    G, gradient = gradients()
    steps = [0.1 / (1 + t) for t in range(30)]
    path = momentum(gradient, np.ones(4), steps, range(30), beta=beta).path
    for t in range(30):
        velocity = -sum(beta ** (t - s) * steps[s] * G[s] for s in range(t + 1))
        np.testing.assert_allclose(path[t + 1] - path[t], velocity, rtol=1e-9, atol=1e-12)


def test_momentum_without_friction_is_gradient_descent():
    f = LinearRisk(logistic, np.random.default_rng(0).normal(size=(20, 3)), np.ones(20), lam=0.1)
    batches = list(shuffled_passes(20, 4, passes=2, rng=1))
    runs = [
        method(f.batch_gradient, np.ones(3), 0.3, batches, **more).path
        for method, more in [(momentum, {"beta": 0.0}), (stochastic_gradient_descent, {})]
    ]
    np.testing.assert_allclose(*runs, rtol=1e-12)


@pytest.mark.parametrize("beta", [(0.9, 0.999), (0.5, 0.8), (0.0, 0.0)], ids=str)
def test_adam_divides_the_mean_of_gradients_by_the_root_of_that_of_their_squares(beta):
    G, gradient = gradients()
    steps = [0.1 / (1 + t) for t in range(30)]
    path = adam(gradient, np.ones(4), steps, range(30), beta=beta, floor=1e-3).path
    for t in range(30):
        weights = [np.array([b ** (t - s) for s in range(t + 1)]) for b in beta]
        mean, square = (np.average(V[: t + 1], axis=0, weights=a) for V, a in zip((G, G**2), weights, strict=True))
        expected = -steps[t] * mean / (np.sqrt(square) + 1e-3)
        np.testing.assert_allclose(path[t + 1] - path[t], expected, rtol=1e-9, atol=1e-12)


def test_the_first_step_of_adam_is_tau_in_every_coordinate_and_scales_do_not_matter():
    scale = np.array([1e-3, 1.0, 1e6])
    G, _ = gradients(d=3)
    runs = [adam(lambda w, rows, s=s: s * G[rows], np.zeros(3), 0.2, range(30), floor=1e-20).path for s in (1, scale)]
    np.testing.assert_allclose(runs[0][1], -0.2 * np.sign(G[0]), rtol=1e-12)
    np.testing.assert_allclose(*runs, rtol=1e-9)


def test_a_gradient_that_is_always_zero_moves_nothing():
    for method in (momentum, adam):
        assert np.array_equal(method(lambda w, rows: 0 * w, [3.0], 0.1, range(9)).last, [3.0])


@pytest.mark.parametrize("method", [momentum, adam])
def test_iterates_are_fresh_arrays_and_the_start_is_not_written_to(method):
    _, gradient = gradients()
    start = np.ones(4)
    run = method(gradient, start, 0.1, range(30))
    assert run.n_steps == 30 and run.converged and (start == 1).all()
    assert len({id(w) for w in run.path}) == 31 and len(np.unique(run.path, axis=0)) == 31
    assert method(gradient, start, [0.1, 0.1], range(30)).n_steps == 2
    with pytest.raises(ValueError, match="tau must be positive"):
        method(gradient, start, 0, range(30))


@pytest.mark.parametrize("patience", [1, 2, 3, 10])
@pytest.mark.parametrize("seed", range(5))
def test_early_stopping_gives_the_best_so_far_until_patience_ends(patience, seed):
    risks = np.random.default_rng(seed).integers(5, size=20).tolist()
    run = early_stopping(range(20), risks.__getitem__, patience)
    best = [int(np.argmin(risks[: t + 1])) for t in range(20)]  # the first of equals
    stop = next((t for t in range(20) if t - best[t] >= patience), None)
    assert run.converged == (stop is not None) and run.path == best[: 20 if stop is None else stop + 1]


def test_early_stopping_survives_risks_that_are_infinite_or_not_numbers():
    assert early_stopping("abc", dict(a=np.inf, b=2.0, c=np.nan).get, 5).last == "b"
    assert early_stopping("ab", dict(a=np.nan, b=np.nan).get, 5).last == "a"
    assert early_stopping(iter("abcd"), dict(a=1.0, b=np.nan, c=np.inf, d=0.0).get, 2).last == "a"
    assert early_stopping("abc", dict(a=np.nan, b=3.0, c=2.0).get, 5).path == ["a", "b", "c"]
    assert early_stopping("abc", dict(a=np.nan, b=np.inf, c=2.0).get, 5).path == ["a", "a", "c"]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: decreasing_steps(0), "gamma must be positive"),
        (lambda: decreasing_steps(1, -0.1), "a must lie"),
        (lambda: next(uniform_draws(0)), "m must be"),
        (lambda: next(uniform_draws(5, 0)), "size must be"),
        (lambda: next(shuffled_passes(5, 1.5)), "size must be"),
        (lambda: next(shuffled_passes(5, passes=0)), "passes must be"),
        (lambda: next(shuffled_passes(5, rng="a")), "rng"),
        (lambda: stochastic_gradient_descent(lambda w, rows: w, [1.0], -1, [[0]]), "tau must be positive"),
        *(
            (lambda beta=beta: momentum(lambda w, rows: w, [1.0], 0.1, [[0]], beta=beta), "beta must be")
            for beta in (2, 1, -0.1, np.nan, "a", (0.9, 0.9))
        ),
        *(
            (lambda beta=beta: adam(lambda w, rows: w, [1.0], 0.1, [[0]], beta=beta), "beta must be")
            for beta in ((1.0, 1.0), (0.9, 1), (-0.1, 0.9), (0.9, np.nan), (0.9,), 0.9)
        ),
        *(
            (lambda patience=patience: early_stopping([1, 2], abs, patience), "patience must be an integer")
            for patience in (0, -1, 1.5, None)
        ),
        (lambda: early_stopping([], abs, 1), "early_stopping has no iterates"),
    ],
)
def test_bad_parameters_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
