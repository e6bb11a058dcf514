"""The plain loop and the scan for the next mistake make the same updates in the same order."""

import itertools

import numpy as np
import pytest

from mlcourse.models.linear.perceptron import perceptron, scanning_perceptron

RNG = np.random.default_rng(0)
SAMPLES = {
    "separable": (X := RNG.normal(size=(60, 3)), np.where(X[:, 0] > 0.1, 1, -1)),
    "noisy": (RNG.normal(size=(50, 4)), RNG.choice([-1, 1], size=50)),
    "ties": (RNG.integers(-2, 3, size=(80, 3)), RNG.choice([-1, 1], size=80)),
    "duplicates": (np.repeat(RNG.normal(size=(5, 2)), 8, axis=0), np.tile([-1, 1], 20)),
    "constant": (np.ones((40, 2)), RNG.choice([-1, 1], size=40)),
    "zero": (np.zeros((3, 2)), np.array([1, -1, 1])),
    "one point": (np.array([[2.0]]), np.array([-1])),
}


@pytest.mark.algorithm("alg-perceptron")
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("tau", [1.0, 0.25])
@pytest.mark.parametrize("shuffled", [False, True])
def test_both_make_the_same_updates(name, tau, shuffled):
    X, y = SAMPLES[name]
    rng = np.random.default_rng(1)
    passes = [rng.permutation(len(y)) for _ in range(6)] if shuffled else list(itertools.repeat(None, 6))
    plain, fast = perceptron(X, y, passes, tau), scanning_perceptron(X, y, passes, tau)
    assert (plain.n_steps, plain.converged) == (fast.n_steps, fast.converged)
    np.testing.assert_allclose(plain.path, fast.path, rtol=1e-12, atol=1e-12)
