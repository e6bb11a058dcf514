"""The assertions accept what is true and refuse what is planted."""

import numpy as np
import pytest
from scipy.optimize import check_grad

from mlcourse.testing import (
    assert_convex,
    assert_fails_at_most,
    assert_gradient,
    assert_separates,
    assert_subgradient,
    assert_wolfe,
    numerical_gradient,
)

PAIRS = np.random.default_rng(0).normal(size=(50, 2, 3))


def test_gradient():
    def f(x):
        return np.sum(np.sin(x)) + x.flat[0] * x.flat[1]

    def gradient(x):
        g = np.cos(x)
        g.flat[0] += x.flat[1]
        g.flat[1] += x.flat[0]
        return g

    x = np.array([0.3, -1.2, 2.0])
    assert_gradient(f, gradient, x)
    assert_gradient(f, gradient, x.reshape(3, 1))
    assert check_grad(f, lambda v: numerical_gradient(f, v), x) < 1e-6
    with pytest.raises(AssertionError):
        assert_gradient(f, lambda v: gradient(v) + [0, 0, 1e-3], x)


def test_convex():
    assert_convex(np.linalg.norm, PAIRS)
    with pytest.raises(AssertionError, match="not convex"):
        assert_convex(lambda x: -np.linalg.norm(x), PAIRS)


def test_subgradient():
    others = np.linspace(-2, 2, 41)
    for slope in (-1, 0.3, 1):
        assert_subgradient(abs, slope, 0.0, others)
    with pytest.raises(AssertionError, match="not a subgradient"):
        assert_subgradient(abs, 1.1, 0.0, others)


def test_separates():
    X, y = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1, -1])
    assert_separates(np.array([1.0, -1.0]), X, y)
    with pytest.raises(AssertionError, match="example 1 is on the wrong side"):
        assert_separates(np.array([1.0, 0.0]), X, y)  # a tie is a mistake


def test_wolfe():
    def phi(tau):
        return (tau - 1) ** 2, 2 * (tau - 1)

    for tau in (0.1, 1.0, 1.5, 1.9):  # decrease up to 2 (1 - c1), slope above -2 c2
        assert_wolfe(phi, tau, 1e-4, 0.9)
    for tau in (0.9, 1.0, 1.1):
        assert_wolfe(phi, tau, 1e-4, 0.11, strong=True)
    for tau, strong, message in [
        (0.09, False, "too short"),
        (2.0, False, "too little decrease"),
        (-0.1, False, "not a step downhill"),
        (0.0, False, "not a step downhill"),
        (1.91, True, "too far"),
    ]:
        with pytest.raises(AssertionError, match=message):
            assert_wolfe(phi, tau, 1e-4, 0.9, strong)
    with pytest.raises(AssertionError, match="not a step downhill"):
        assert_wolfe(lambda tau: (tau, 1.0), 1.0, 1e-4, 0.9)
    with pytest.raises(AssertionError, match="too little decrease"):
        assert_wolfe(phi, 1.5, 0.3, 0.9)  # the line to be under depends on c1


def test_number_of_violations():
    rng = np.random.default_rng(1)
    for delta in (0.01, 0.1):
        assert_fails_at_most(int(rng.binomial(1000, delta)), 1000, delta)
        assert_fails_at_most(0, 1000, delta)
        with pytest.raises(AssertionError, match="violations in 1000 draws"):
            assert_fails_at_most(int(1000 * delta * 2) + 20, 1000, delta)
