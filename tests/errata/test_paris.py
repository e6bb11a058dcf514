"""Errata of the Paris slides: what is printed fails, what is right holds."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import expit, softmax

from mlcourse import SVM, AdaBoost, DecisionTree, GaussianKernel, LinearKernel, PolynomialKernel, RandomForest
from mlcourse.data import XOR, NestedSpheres
from mlcourse.ensembles.adaboost import adaboost, by_stumps
from mlcourse.losses import hinge
from mlcourse.models.kernels.functions import is_psd
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.models.kernels.svm_dual import kkt_residuals, primal_objective
from mlcourse.models.networks import layers
from mlcourse.optim.gradient import gradient_descent
from mlcourse.testing import numerical_gradient
from mlcourse.theory import networks, voting
from mlcourse.theory.optimisation import slow_steps


def half_sigmoid(a):
    return layers.half_sigmoid(np.asarray(a, dtype=float))[0]


# --- neural networks --------------------------------------------------------------------------------
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


@pytest.mark.erratum("P05")
def test_the_derivative_of_the_sigmoid_of_half_the_argument():
    a, h = np.linspace(-4, 4, 81), 1e-6
    g = half_sigmoid(a)
    slope = (half_sigmoid(a + h) - half_sigmoid(a - h)) / (2 * h)
    assert np.allclose(slope, g * (1 - g) / 2, atol=1e-8)
    assert np.abs(slope - (1 - g**2)).max() > 0.9 and np.abs(slope - g * (1 - g)).max() > 0.1
    assert np.allclose((expit(a + h) - expit(a - h)) / (2 * h), expit(a) * (1 - expit(a)), atol=1e-8)
    assert np.allclose(np.tanh(a / 2), 2 * expit(a) - 1)


@pytest.mark.erratum("P06")
def test_the_softmax_sums_over_all_classes():
    z = np.array([0.3, -1.0, 2.0])
    s = layers.softmax(z[None])[0][0]
    assert np.allclose(s, np.exp(z) / np.exp(z).sum()) and np.isclose(s.sum(), 1)


@pytest.mark.erratum("P07")
def test_with_independent_sigmoids_every_class_is_certain():
    p, grid = np.array([0.5, 0.3, 0.2]), np.linspace(0.02, 0.98, 49)  # the chances of three classes
    f = np.array(list(itertools.product(grid, repeat=3)))
    best = f[np.argmin(-np.log(f) @ p)]
    assert np.allclose(best, 0.98)  # the corner of the grid: as near to 1 as allowed, in each class
    on_simplex = f[np.isclose(f.sum(axis=1), 1)]
    assert np.allclose(on_simplex[np.argmin(-np.log(on_simplex) @ p)], p)
    bernoulli = -np.log(f) @ p - np.log(1 - f) @ (1 - p)
    assert np.allclose(f[np.argmin(bernoulli)], p)


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


@pytest.mark.erratum("P10d")
def test_half_a_million_steps_to_halve_the_error():
    assert slow_steps(500_000, 0.05, 1.0) > 1 / 2 > slow_steps(600_000, 0.05, 1.0)
    ratio = slow_steps(10_000, 0.05, 1.0) / slow_steps(1_000_000, 0.05, 1.0)
    assert np.isclose(ratio, 100**0.05, rtol=1e-3)
    run = gradient_descent(lambda w: w, [1.0], (2 / (1 + t) for t in itertools.count()), max_iter=2)
    assert run.last[0] == 0  # a positive integer


@pytest.mark.erratum("P11")
def test_a_loop_until_the_loss_is_small_never_ends():
    x, y = np.array([1.0, 1.0]), np.array([0.0, 1.0])
    run = gradient_descent(lambda w: np.array([np.sum(w[0] * x - y)]), [5.0], 0.3, tol=1e-10)
    assert run.converged and np.sum((run.last[0] * x - y) ** 2) >= 1 / 2 - 1e-12  # above every small epsilon


@pytest.mark.erratum("P11b")
def test_the_batch_gradient_needs_a_factor():
    g, n = np.random.default_rng(0).normal(size=(6, 2)), 2
    batches = np.array([g[list(B)].sum(axis=0) for B in itertools.combinations(range(6), n)])
    assert np.allclose(6 / n * batches.mean(axis=0), g.sum(axis=0))
    assert np.allclose(batches.mean(axis=0) / n, g.mean(axis=0))
    assert not np.allclose(batches.mean(axis=0), g.sum(axis=0))


@pytest.mark.erratum("P12", "P12b")
def test_the_printed_backpropagation_is_that_of_tanh():
    rng, x, y = np.random.default_rng(0), np.r_[1, np.random.default_rng(1).normal(size=3)], 0.7
    W, v = rng.normal(size=(4, 4)), rng.normal(size=5)

    def output(W, g, out):
        z = g(W @ x)
        return out(v[0] + v[1:] @ z), z

    def numerical(g, out):
        return numerical_gradient(lambda W: (output(W.reshape(4, 4), g, out)[0] - y) ** 2 / 2, W.ravel())

    def formula(slopes, g, out, factor=lambda h: 1.0):
        h, z = output(W, g, out)
        return ((h - y) * factor(h) * v[1:] * slopes(z))[:, None].dot(x[None]).ravel()

    def tanh_slope(z):
        return 1 - z**2

    def half_slope(z):
        return z * (1 - z) / 2

    def linear(h):
        return h

    assert np.allclose(numerical(np.tanh, linear), formula(tanh_slope, np.tanh, linear), atol=1e-6)
    assert np.allclose(numerical(half_sigmoid, linear), formula(half_slope, half_sigmoid, linear), atol=1e-6)
    assert not np.allclose(numerical(half_sigmoid, linear), formula(tanh_slope, half_sigmoid, linear), atol=0.1)
    both = numerical(half_sigmoid, half_sigmoid)
    assert np.allclose(both, formula(half_slope, half_sigmoid, half_sigmoid, half_slope), atol=1e-6)
    assert not np.allclose(both, formula(half_slope, half_sigmoid, half_sigmoid), atol=1e-3)
    square = numerical_gradient(lambda h: (h[0] - y) ** 2, np.array([2.0]))
    assert np.isclose(square[0], 2 * (2.0 - y))  # without the half: twice (13)


@pytest.mark.erratum("P14")
def test_the_weights_of_a_tanh_network_have_2_to_the_m_times_m_factorial_copies():
    rng, M = np.random.default_rng(0), 3
    W, v, x = rng.normal(size=(M, 2)), rng.normal(size=M), rng.normal(size=(9, 2))
    copies = set()
    for order in itertools.permutations(range(M)):
        for signs in all_sign_vectors(M):
            U, u = signs[:, None] * W[list(order)], signs * v[list(order)]
            assert np.allclose(np.tanh(x @ U.T) @ u, np.tanh(x @ W.T) @ v)
            copies.add((*U.ravel(), *u))
    assert len(copies) == 2**M * math.factorial(M) == networks.symmetric_copies(M)


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


# --- ensembles --------------------------------------------------------------------------------------
@pytest.mark.erratum("P04")
def test_no_sum_of_functions_of_one_feature_represents_xor():
    indicators = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]])  # at 00, 11, 01, 10
    y = np.array([1, 1, -1, -1])
    assert np.array_equal(indicators[0] + indicators[1], indicators[2] + indicators[3])
    A = -y[:, None] * indicators
    assert linprog(np.zeros(4), A_ub=A, b_ub=-np.ones(4), bounds=(None, None)).status == 2  # infeasible


@pytest.mark.erratum("P04")
def test_boosted_stumps_guess_on_xor_and_trees_of_depth_two_do_not():
    law, rng = XOR(), np.random.default_rng(6)
    (X, y), (new, labels) = law.sample(500, rng), law.sample(5000, rng)
    stumps = AdaBoost(n_rounds=200).fit(X, y)
    trees = AdaBoost(DecisionTree(max_depth=2), n_rounds=200).fit(X, y)
    errors = [1 - vote.score(new, labels) for vote in (stumps, trees)]
    assert np.allclose(errors, [0.5, 0.02], atol=0.01)


@pytest.mark.erratum("P18")
def test_bagging_the_maximum_of_ten_uniform_numbers_makes_it_worse():
    original, bagged, replicate = voting.maximum_errors(10)
    assert round(original, 4) == 0.0152 and round(bagged, 4) == 0.0254
    assert original < bagged < replicate  # better than one replicate, and that is all
    rng = np.random.default_rng(0)
    x = rng.random((4000, 10))
    means = x[:, rng.integers(10, size=(300, 10))].max(axis=2).mean(axis=1)
    assert np.isclose(np.mean((1 - means) ** 2), bagged, rtol=0.1)


@pytest.mark.erratum("P19")
def test_a_vote_improves_good_members_and_spoils_bad_ones():
    assert round(float(voting.majority_error(101, 0.4)), 3) == 0.021
    assert round(float(voting.majority_error(101, 0.6)), 3) == 0.979


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


@pytest.mark.erratum("P20")
def test_both_forms_of_the_vote_give_the_same_weights():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 2)), rng.choice([-1.0, 1.0], size=40)
    D = np.full(40, 1 / 40)
    for r in adaboost(y, by_stumps(X, y), max_iter=10).path[1:]:  # alpha with one half, both signs in the exponent
        wrong = r.h.predict(X) != y
        a = np.log((1 - D[wrong].sum()) / D[wrong].sum())  # without the half, only the mistakes grow
        D = D * np.exp(a * wrong)
        D = D / D.sum()
        assert np.isclose(a, 2 * r.alpha) and np.allclose(D, r.D)


@pytest.mark.erratum("P21")
def test_the_optimal_score_of_the_exponential_loss():
    f = np.linspace(-3, 3, 60_001)
    for eta in (0.1, 0.5, 0.73):
        best = f[np.argmin(eta * np.exp(-f) + (1 - eta) * np.exp(f))]
        assert np.isclose(best, np.log(eta / (1 - eta)) / 2, atol=1e-4)


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


# --- support vector machines and kernels ------------------------------------------------------------
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


@pytest.mark.erratum("P27b")
def test_support_vectors_inside_the_street_and_points_on_its_edge_without_weight():
    X, y, model = noisy_line()
    z = y * model.decision_function(X)
    assert (z[model.alpha_ > 0] < 0.9).any()  # support vectors far from both edges
    slack = hinge(z)
    assert np.array_equal(slack > 1, z < 0) and (slack > 1).any()
    points, labels = np.array([[-1.0, 0], [1, 0], [1, 1]]), np.array([-1, 1, 1])
    alpha = np.array([0.5, 0.5, 0.0])  # optimal, the third point lies on the edge
    assert kkt_residuals(alpha, 0.0, points @ points.T, labels, 1e6).max() < 1e-12
    assert np.isclose(labels[2] * (alpha * labels @ points @ points[2]), 1)


@pytest.mark.erratum("P28")
def test_the_penalty_of_the_slides_is_one_over_c_and_that_of_milan_a_share_of_it():
    X, y, model = noisy_line()
    w, b, m, lam = model.w_, model.b_, len(y), 1 / model.C  # the slides' penalty

    def paris(w):
        return hinge(y * (X @ w + b)).sum() + lam / 2 * w @ w

    def milan(w):
        return hinge(y * (X @ w + b)).mean() + lam / m / 2 * w @ w

    for p in np.random.default_rng(1).normal(size=(50, 2)):
        assert paris(w) <= paris(w + 0.1 * p) + 1e-6 and np.isclose(m * milan(w + p), paris(w + p))


@pytest.mark.erratum("P29")
def test_inner_product_and_cosine_agree_for_unit_vectors_only():
    x, z = np.array([1.0, 0.0]), np.array([6.0, 8.0])
    cosine = x @ z / np.linalg.norm(z)
    assert x @ z == 6 and np.isclose(cosine, 0.6) and np.isclose(x @ (z / 10), cosine)


@pytest.mark.erratum("P30")
def test_the_parameters_of_the_kernels_are_not_free():
    X = np.random.default_rng(0).normal(size=(20, 2))
    x = np.linspace(-0.9, 0.9, 30)
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    assert is_psd(PolynomialKernel(3, 1.0)(X)) and is_psd(GaussianKernel(0.3)(X))
    for K in ((X @ X.T - 0.5) ** 2, (1 + np.outer(x, x)) ** 2.5, (1 + np.outer(x, x)) ** 0.5, np.exp(0.3 * squares)):
        assert not is_psd(K)  # c < 0, degrees 2.5 and 1/2, gamma < 0


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


@pytest.mark.erratum("P33")
def test_the_part_orthogonal_to_the_sample_costs_and_is_not_seen():
    rng, k = np.random.default_rng(0), GaussianKernel(0.5)
    X, new = rng.normal(size=(6, 2)), np.array([[3.0, -2.0]])
    inside = RKHSFunction(X, rng.normal(size=6), k)
    projection = np.linalg.solve(k(X), k(X, new)[:, 0])
    across = RKHSFunction(new, [1.0], k) - RKHSFunction(X, projection, k)
    assert np.allclose((inside + across)(X), inside(X)) and across.norm() > 0.1
    assert np.isclose((inside + across).norm() ** 2, inside.norm() ** 2 + across.norm() ** 2)
