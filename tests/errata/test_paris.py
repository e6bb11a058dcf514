"""Errata of the Paris slides: what is printed fails, what is right holds. Others are marked in tests/theorems."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import softmax

from mlcourse import SVM, AdaBoost, DecisionTree, GaussianKernel, LinearKernel, PolynomialKernel, RandomForest
from mlcourse.data import XOR, NestedSpheres
from mlcourse.losses import hinge
from mlcourse.models.kernels.functions import is_psd
from mlcourse.models.kernels.svm_dual import kkt_residuals, primal_objective
from mlcourse.models.networks import layers
from mlcourse.optim.gradient import gradient_descent
from mlcourse.testing import numerical_gradient


def half_sigmoid(a):
    return layers.half_sigmoid(np.asarray(a, dtype=float))[0]


@pytest.mark.erratum("P03")
def test_a_tanh_network_follows_the_sine_on_a_compact_set_and_not_on_the_line():
    rng, near = np.random.default_rng(0), np.linspace(-10, 10, 800)
    a, knots = 2 * rng.normal(size=200), rng.uniform(-10, 10, size=200)

    def features(x):
        return np.c_[np.tanh(a * (x[:, None] - knots)), np.ones(len(x))]

    v = np.linalg.lstsq(features(near), np.sin(near), rcond=1e-10)[0]
    far = np.linspace(1e6, 1e6 + 10, 2000)
    assert np.abs(features(near) @ v - np.sin(near)).max() < 1e-3
    limit = features(far) @ v
    assert np.ptp(limit) < 1e-9 and np.abs(limit - np.sin(far)).max() >= 1 - 1e-4  # constant against a sine


@pytest.mark.erratum("P08")
def test_a_zero_gradient_can_be_an_inflection_or_a_saddle():
    assert abs(numerical_gradient(lambda t: t[0] ** 3, np.zeros(1))[0]) < 1e-9 and (-0.1) ** 3 < 0 < 0.1**3

    def saddle(w):
        return w[0] ** 2 - w[1] ** 2

    assert np.allclose(numerical_gradient(saddle, np.zeros(2)), 0)
    assert saddle([0, 0.1]) < saddle([0, 0]) < saddle([0.1, 0])


@pytest.mark.erratum("P09")
def test_strict_convexity_needs_a_minimiser_and_a_step():
    path = gradient_descent(lambda w: -np.exp(-w), [0.0], 1.0, max_iter=10_000).path
    assert path[-1][0] > path[5000][0] + 0.5 > 8  # still moving: exp(-w) has no minimiser
    ends = [abs(gradient_descent(lambda w: w, [1.0], tau, max_iter=100).last[0]) for tau in (1.9, 2.1)]
    assert ends[0] < 1e-4 and ends[1] > 1e3


@pytest.mark.erratum("P10")
def test_the_two_series_do_not_make_gradient_descent_converge_to_a_minimum():
    steps = (1 / k for k in itertools.count(1))
    assert abs(gradient_descent(lambda w: w**3, [10.0], steps, max_iter=4).last[0]) > 1e20
    top = gradient_descent(lambda w: w**3 - w, [0.0], (1 / k for k in itertools.count(1)), max_iter=100)
    assert top.last[0] == 0  # the local maximum of w^4/4 - w^2/2
    slow = gradient_descent(lambda w: w, [3.0], (1 / np.sqrt(k) for k in itertools.count(2)), max_iter=500)
    assert abs(slow.last[0]) < 1e-6  # steps that tend to 0, the sum of their squares infinite


@pytest.mark.erratum("P11")
def test_a_loop_until_the_loss_is_small_never_ends():
    x, y = np.array([1.0, 1.0]), np.array([0.0, 1.0])
    run = gradient_descent(lambda w: np.array([np.sum(w[0] * x - y)]), [5.0], 0.3, tol=1e-10)
    assert run.converged and np.sum((run.last[0] * x - y) ** 2) >= 1 / 2 - 1e-12  # above every small epsilon


def all_sign_vectors(n):
    return np.array(list(itertools.product([-1.0, 1.0], repeat=n)))


@pytest.mark.erratum("P16")
def test_scaled_weights_average_the_thinned_nets_in_two_cases_only():
    rng, p = np.random.default_rng(0), 0.6
    h, w, W = 3 * rng.normal(size=6), rng.normal(size=6), rng.normal(size=(6, 3))
    masks = (all_sign_vectors(6) + 1) / 2
    chance = np.prod(np.where(masks == 1, p, 1 - p), axis=1)
    assert np.isclose(chance @ ((masks * h) @ w), p * h @ w)
    assert abs(chance @ np.tanh((masks * h) @ w) - np.tanh(p * h @ w)) > 0.01
    outputs, scaled = softmax((masks * h) @ W, axis=1), softmax(p * h @ W)
    geometric = np.exp(chance @ np.log(outputs))
    assert np.allclose(geometric / geometric.sum(), scaled)
    assert np.abs(chance @ outputs - scaled).max() > 0.01  # the arithmetic mean is another


@pytest.mark.erratum("P04")
def test_boosted_stumps_guess_on_xor_and_trees_of_depth_two_do_not():
    law, rng = XOR(), np.random.default_rng(6)
    (X, y), (new, labels) = law.sample(500, rng), law.sample(5000, rng)
    stumps = AdaBoost(n_rounds=200).fit(X, y)
    trees = AdaBoost(DecisionTree(max_depth=2), n_rounds=200).fit(X, y)
    errors = [1 - vote.score(new, labels) for vote in (stumps, trees)]
    assert np.allclose(errors, [0.5, 0.02], atol=0.01)


@pytest.mark.erratum("P20")
def test_without_normalisation_the_logarithm_meets_a_negative_number():
    rng = np.random.default_rng(0)
    y, h = rng.choice([-1, 1], size=40), rng.choice([-1, 1], size=40)
    weights = np.exp(-y * (rng.normal(size=40) - y))  # of a poor score
    error = weights[h != y].sum()
    assert (1 - error) / error < 0  # as printed
    a, share = np.linspace(-3, 3, 6001), error / weights.sum()
    risks = (weights[:, None] * np.exp(-np.outer(y * h, a))).sum(axis=0)
    assert np.isclose(a[np.argmin(risks)], np.log((1 - share) / share) / 2, atol=1e-3)


@pytest.mark.erratum("P22")
def test_adaboost_overfits_reversed_labels():
    curves = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X, reversed_ = rng.normal(size=(200, 5)), rng.random(200) < 1 / 4
        new = rng.normal(size=(2000, 5))
        side, y_new = (np.where(P[:, 0] + P[:, 1] > 0, 1.0, -1.0) for P in (X, new))
        vote = AdaBoost(n_rounds=600).fit(X, np.where(reversed_, -side, side))
        curves.append([np.mean(p != y_new) for p in vote.staged_predict(new)])
    errors = np.mean(curves, axis=0)
    assert np.isclose(errors.min(), 0.2, atol=0.01) and errors.argmin() < 20 and errors[-1] > 0.3


@pytest.mark.erratum("P23")
def test_the_error_of_one_tree_on_the_spheres_depends_on_the_sample_size():
    law, rng = NestedSpheres(), np.random.default_rng(0)
    new = law.sample(4000, rng)
    small = np.mean([1 - DecisionTree().fit(*law.sample(50, rng)).score(*new) for _ in range(10)])
    large = 1 - DecisionTree().fit(*law.sample(2000, rng)).score(*new)
    assert 0.38 < small < 0.47 and 0.24 < large < 0.3


@pytest.mark.erratum("P24")
def test_a_forest_of_deep_trees_beats_one_of_shallow_trees():
    law, rng = NestedSpheres(), np.random.default_rng(11)
    sample, new = law.sample(2000, rng), law.sample(4000, rng)
    forests = [RandomForest(60, max_depth=depth, random_state=0).fit(*sample) for depth in (2, None)]
    assert np.allclose([1 - forest.score(*new) for forest in forests], [0.35, 0.15], atol=0.01)


def noisy_line(m=60):
    """Two classes that overlap, and a machine on them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(m, 2))
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=m) > 0, 1, -1)
    return X, y, SVM(C=1.0, tol=1e-9).fit(X, y)


@pytest.mark.erratum("P25", "P26")
def test_the_optimality_conditions_hold_with_the_other_sign_and_one_equation():
    X, y, model = noisy_line()
    z = y * model.decision_function(X)
    slack = hinge(z)
    residual = z - 1 + slack
    assert residual.min() > -1e-9 and residual.max() > 0.5  # printed: at most 0
    assert kkt_residuals(model.alpha_, model.b_, X @ X.T, y, 1.0).max() < 1e-6
    assert abs(model.alpha_ @ y) < 1e-9 and np.abs(model.alpha_ * y).max() > 0.5  # a sum, not each term


@pytest.mark.erratum("P27")
def test_two_points_without_a_free_support_vector_leave_an_interval_of_biases():
    X, y, C = np.array([[-1.0], [1.0]]), np.array([-1, 1]), 0.1
    model = SVM(C).fit(X, y)
    assert np.allclose(model.alpha_, C)
    biases = np.linspace(-1.2, 1.2, 241)
    values = np.array([primal_objective(model.alpha_, b, X @ X.T, y, C) for b in biases])
    assert np.array_equal(values < values.min() + 1e-9, np.abs(biases) <= 0.8 + 1e-9)


@pytest.mark.erratum("P29")
def test_inner_product_and_cosine_agree_for_unit_vectors_only():
    x, z = np.array([1.0, 0.0]), np.array([6.0, 8.0])
    cosine = x @ z / np.linalg.norm(z)
    assert x @ z == 6 and np.isclose(cosine, 0.6) and np.isclose(x @ (z / 10), cosine)


@pytest.mark.erratum("P31")
def test_sums_products_multiples_and_limits_of_kernels_are_kernels():
    X = np.random.default_rng(0).normal(size=(15, 2))
    first, second = PolynomialKernel(2, 1.0), GaussianKernel(1.0)
    A, B = first(X), second(X)
    assert np.allclose((first + second)(X), A + B) and np.allclose((first * second)(X), A * B)
    for K in (A + B, A * B, 3 * A):
        assert is_psd(K)
    parts = [LinearKernel()(X) ** n / math.factorial(n) for n in range(60)]
    assert np.allclose(sum(parts), np.exp(X @ X.T)) and is_psd(np.exp(X @ X.T))
