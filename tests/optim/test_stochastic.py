"""Stochastic gradients: batches that partition or draw the sample, steps by their formula, updates by theirs."""

import itertools

import numpy as np
import pytest
from scipy.stats import chi2

from mlcourse.losses import logistic
from mlcourse.optim.objective import LinearRisk
from mlcourse.optim.stochastic import (
    decreasing_steps,
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


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: next(uniform_draws(5, 3, rng))[1],
        lambda rng: next(shuffled_passes(5, 1, rng=rng))[0],
    ],
    ids=["draws", "passes"],
)
def test_every_example_is_equally_likely(draw):
    rng = np.random.default_rng(0)
    counts = np.bincount([draw(rng) for _ in range(5000)], minlength=5)
    assert ((counts - 1000) ** 2 / 1000).sum() < chi2.isf(1e-6, df=4)


def test_draws_have_their_size_and_repeat_examples():
    batches = list(itertools.islice(uniform_draws(3, 7, rng=0), 20))
    assert all(len(rows) == 7 and set(rows) <= {0, 1, 2} for rows in batches)  # 7 of 3: some come back


@pytest.mark.parametrize("gamma, a", [(1, 1), (0.3, 0.6), (2.5, 0.5), (1.0, 0.0), (1, 2)])
def test_decreasing_steps_are_gamma_over_a_power(gamma, a):
    steps = list(itertools.islice(decreasing_steps(gamma, a), 100))
    np.testing.assert_allclose(steps, [gamma * (1 + t) ** -a for t in range(100)], rtol=1e-12)


@pytest.mark.algorithm("alg-sgd")
@pytest.mark.parametrize("size", [1, 4, 10])
def test_each_step_is_minus_tau_times_the_gradient_of_its_batch(size):
    rng = np.random.default_rng(0)
    f = LinearRisk(logistic, rng.normal(size=(20, 3)), rng.choice([-1, 1], size=20), lam=0.1, bias=True)
    batches = list(shuffled_passes(20, size, passes=2, rng=1))
    run = stochastic_gradient_descent(f.batch_gradient, np.ones(4), decreasing_steps(0.5, 0.7), batches)
    assert run.n_steps == len(batches) and run.converged
    for t, ((w, after), rows) in enumerate(zip(itertools.pairwise(run.path), batches, strict=True)):
        part = LinearRisk(logistic, f.X[rows], f.y[rows], lam=0.1, bias=True)
        np.testing.assert_allclose(after, w - 0.5 / (1 + t) ** 0.7 * part.gradient(w), rtol=1e-12)


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
    ],
)
def test_bad_parameters_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
