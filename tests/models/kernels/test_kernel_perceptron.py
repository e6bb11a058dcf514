"""The kernel perceptron is the perceptron on the kernel's features, mistake by mistake."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcourse import GaussianKernel, KernelPerceptron, LinearKernel, Perceptron, PolynomialKernel
from mlcourse.models.kernels.feature_maps import polynomial_features
from mlcourse.models.kernels.kernel_perceptron import kernel_perceptron
from mlcourse.models.linear.perceptron import perceptron


def one_example_at_a_time(K, y, orders):
    """The pseudo-code, read aloud."""
    alpha = np.zeros(len(y), dtype=int)
    path = [alpha.copy()]
    for order in orders:
        mistakes = 0
        for i in order:
            if y[i] * ((alpha * y) @ K[:, i]) <= 0:
                alpha[i] += 1
                path.append(alpha.copy())
                mistakes += 1
        if mistakes == 0:
            break
    return path


@pytest.mark.algorithm("alg-kernel-perceptron")
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 4), st.integers(1, 6))
def test_the_mistakes_are_those_of_the_pseudo_code_and_of_the_perceptron(seed, m, d, n_passes):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(m, d)).astype(float)  # integers: every score is exact, ties are common
    y = rng.choice([-1, 1], size=m)
    orders = [rng.permutation(m) for _ in range(n_passes)]
    K = X @ X.T
    run = kernel_perceptron(lambda i: K[i], y, orders)
    assert np.array_equal(run.path, one_example_at_a_time(K, y, orders))
    linear = perceptron(X, y, orders)
    assert np.array_equal([(alpha * y) @ X for alpha in run.path], linear.path)
    assert run.converged == linear.converged and run.n_steps == linear.n_steps


@pytest.mark.parametrize("place", [63, 64, 65, 191, 192, 193, 777, 999])
def test_long_clean_stretches_are_skipped_without_missing_the_mistake_behind_them(place):
    y = np.ones(1000, dtype=int)
    y[place] = -1
    K = np.ones((1000, 1000))
    path = kernel_perceptron(lambda i: K[i], y, [None]).path
    assert np.array_equal(path, one_example_at_a_time(K, y, [range(1000)]))


def test_a_pass_may_visit_some_examples_only_or_some_twice():
    K, y = np.eye(4), np.array([1, -1, 1, 1])
    orders = [np.array([2, 0]), np.array([1, 0, 1, 2]), np.array([3])]
    path = kernel_perceptron(lambda i: K[i], y, orders).path
    assert np.array_equal(path, one_example_at_a_time(K, y, orders)) and path[-1].tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("bias", [False, True])
def test_the_linear_kernel_plus_one_is_the_perceptron_with_a_bias(bias):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(80, 3)), rng.choice([-1, 1], size=80)
    ours = KernelPerceptron(LinearKernel() + 1 if bias else LinearKernel(), max_epochs=15).fit(X, y)
    theirs = Perceptron(bias=bias, max_epochs=15).fit(X, y)
    assert ours.n_updates_ == theirs.n_updates_ == ours.alpha_.sum()
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-9)


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("degree, c", [(2, 1.0), (3, 0.5)])
def test_explicit_features_make_the_same_mistakes(degree, c, shuffle):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 2))
    y = np.where((X**2).sum(axis=1) < 1.2, "in", "out")
    settings = {"max_epochs": 30, "shuffle": shuffle, "random_state": 3}
    ours = KernelPerceptron(PolynomialKernel(degree, c), **settings).fit(X, y)
    phi = polynomial_features(X, degree, c)
    theirs = Perceptron(bias=False, **settings).fit(phi, y)
    assert ours.n_updates_ == theirs.n_updates_ and ours.converged_ == theirs.converged_
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(phi), rtol=1e-9, atol=1e-9)
    assert ours.f_.norm() == pytest.approx(np.linalg.norm(theirs.w_))


def test_the_function_is_the_signed_sum_of_the_mistakes():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(50, 2)), rng.choice([-1, 1], size=50)
    k = GaussianKernel(0.3)
    model = KernelPerceptron(k, max_epochs=7).fit(X, y)
    new = rng.normal(size=(9, 2))
    np.testing.assert_allclose(model.decision_function(new), k(new, X) @ (model.alpha_ * y), atol=1e-12)
    assert len(model.f_.points) == (model.alpha_ > 0).sum() < 50 and not model.converged_
    run = kernel_perceptron(lambda i: k(X)[i], y, itertools.repeat(None, 7))
    assert np.array_equal(run.last, model.alpha_)


def test_any_function_of_two_points_will_do():
    X, y = ["aab", "abb", "ab", "bba"], [1, 0, 0, 0]
    model = KernelPerceptron(lambda s, t: s.count("aa") * t.count("aa") + 1.0).fit(X, y)
    assert model.converged_ and model.predict(["caa", "cab"]).tolist() == [1, 0]


def test_kernels_are_checked_at_fit():
    with pytest.raises(ValueError, match="kernel must be a kernel"):
        KernelPerceptron("rbf").fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="rescale"):
        KernelPerceptron(LinearKernel()).fit([[1e200], [-1e200]], [0, 1])
