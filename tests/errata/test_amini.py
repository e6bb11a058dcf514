"""Errata of Amini's slides: what is printed fails, what is right holds. Others are marked in tests/theorems."""

import itertools

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import binom, norm

from mlcourse import AdaBoost, GaussianDiscriminant, KNearestNeighbors, Memoriser
from mlcourse.data import Moons, NestedSpheres, load_mushroom, load_wdbc
from mlcourse.ensembles.adaboost import adaboost, by_stumps
from mlcourse.losses import logistic
from mlcourse.losses import perceptron_loss as perceptron_loss
from mlcourse.models.linear.adaline import adaline
from mlcourse.models.linear.linear_separation import augmented
from mlcourse.models.linear.perceptron import perceptron
from mlcourse.optim.gradient import gradient_descent
from mlcourse.optim.line_search import armijo, curvature
from mlcourse.optim.objective import LinearRisk, Quadratic
from mlcourse.testing import numerical_gradient
from mlcourse.theory import concentration
from mlcourse.theory.rademacher import all_signs, rademacher
from mlcourse.theory.vc import sine_frequency, threshold_class


def amini(values):
    """The definition of the slides: twice the mean of the suprema of absolute correlations."""
    m = np.shape(values)[1]
    return 2 * np.abs(all_signs(m) @ np.transpose(values)).max(axis=1).mean() / m


@pytest.mark.erratum("EA2")
def test_the_empirical_risk_is_unbiased_for_a_rule_and_not_for_the_minimiser():
    m, p = 5, 0.4  # one point, P(Y = 1) = p, the rules "always -1" and "always +1"
    k = np.arange(m + 1)
    chance = binom.pmf(k, m, p)
    assert np.isclose(chance @ k / m, p)  # "always -1", fixed
    believed, actual = np.minimum(k, m - k) / m, np.where(k < m - k, p, 1 - p)
    assert chance @ believed < p - 0.05 and chance @ actual > p + 0.05


@pytest.mark.erratum("EA5")
def test_one_parameter_realises_all_128_labellings_of_seven_points_and_none_two_labels_of_one_point():
    x = 10.0 ** -np.arange(1, 8)
    found = {tuple(np.sign(np.sin(sine_frequency(y) * x))) for y in all_signs(7)}
    assert len(found) == 128
    errors = [np.mean(np.array([-1, 1]) != value) for value in (-1, 1)]  # what a function may say at the input
    assert min(errors) == 0.5


@pytest.mark.erratum("EA3")
def test_the_memoriser_satisfies_the_printed_condition_with_risk_one():
    rng = np.random.default_rng(0)
    X, new = rng.random((100, 1)), rng.random((1000, 1))  # every label is -1, and inf of the risk is 0
    h = Memoriser(elsewhere=1).fit(np.vstack([X, [[2.0]]]), np.r_[-np.ones(100), 1])  # fit wants to see both labels
    assert (h.predict(X) == -1).all() and (h.predict(new) == 1).all()


@pytest.mark.erratum("EA22")
def test_two_slips_about_the_test_set_cancel():
    n, epsilon = 50, 0.1
    right = concentration.hoeffding_sum_probability(epsilon, np.full(n, 1 / n))
    printed = np.exp(-2 * n**2 * epsilon**2 / np.sum(np.ones(n)))  # the wrong exponent and the wrong range
    assert np.isclose(right, np.exp(-2 * n * epsilon**2)) and np.isclose(printed, right)
    one_slip = np.exp(-2 * n**2 * epsilon**2 / np.sum(np.full(n, 1 / n) ** 2))
    assert one_slip < binom.sf(29, n, 1 / 2) < right  # with the true range the printed exponent is false


@pytest.mark.erratum("EA24")
def test_with_an_absolute_value_one_function_is_complex_and_losses_are_not_half_as_complex():
    one, H = np.ones((1, 10)), threshold_class(10)
    losses = (H != 1).astype(float)
    assert round(amini(one), 2) == 0.49 and np.isclose(rademacher(one), 0)
    assert round(amini(losses) / amini(H), 2) == 0.67
    assert np.isclose(rademacher(losses) / rademacher(H), 1 / 2)
    values = np.abs(all_signs(10) @ one.T) * 2 / 10  # without the expectation over sigma
    assert values.min() == 0 and values.max() == 2


@pytest.mark.erratum("EA7", "EX3")
def test_the_strict_test_never_fires_at_zero():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    y = np.sign(X @ [1.0, -2.0, 0.5])
    Z, w, updates = y[:, None] * X, np.zeros(3), 0
    for i in rng.integers(50, size=100_000):
        if Z[i] @ w < 0:  # as printed
            w, updates = w + Z[i], updates + 1
    assert updates == 0
    run = perceptron(X, y, itertools.repeat(None))  # the test <= 0
    assert run.converged and (y * (X @ run.last) > 0).all()


@pytest.mark.erratum("EA7")
def test_the_printed_loop_runs_once_too_often():
    T, t, rounds = 10, 0, 0
    while True:  # "repeat ... t <- t + 1 until t > T"
        t, rounds = t + 1, rounds + 1
        if t > T:
            break
    assert rounds == T + 1


@pytest.mark.erratum("EA9")
def test_adaline_on_mushroom_works_with_one_step_diverges_with_another_and_a_constant_step_leaves_a_floor():
    X, edible, *_ = load_mushroom()
    points, y = augmented(X), np.where(edible == "e", 1, -1)
    assert (np.sum(points**2, axis=1) == 22).all() and 0.05 < 2 / 22 < 0.1
    order = np.random.default_rng(8).integers(len(y), size=3000)
    short, long = (adaline(points, y, order, tau).last for tau in (0.05, 0.1))
    assert np.linalg.norm(short) < 10 and np.linalg.norm(long) > 1e6
    assert np.mean(np.sign(points @ short) != y) < 0.05
    X, order = np.array([[1.0], [1.0]]), [0, 1] * 500
    swinging = adaline(X, [1.0, 0.0], order, 0.1).path
    assert abs(swinging[-1][0] - swinging[-2][0]) > 0.05  # the least squares solution is 1/2
    assert np.isclose(adaline(X, [1.0, 1.0], order, 0.1).last[0], 1.0)


@pytest.mark.erratum("EA10")
def test_the_estimates_maximise_the_joint_likelihood_whose_conditional_part_is_the_logistic_loss():
    rng = np.random.default_rng(0)
    y = np.repeat([-1, 1], [60, 40])
    x = rng.normal(size=100) + y
    model = GaussianDiscriminant(shared_covariance=True).fit(x[:, None], y)
    sigma = np.sqrt(np.ravel(model.covariance_)[0])

    def log_joint(theta):  # (m, 2): ln P(y) P(x | y) for both labels
        return np.log([0.6, 0.4]) + norm.logpdf(x[:, None], theta[:2], theta[2])

    theta = np.array([*np.ravel(model.mean_), sigma])
    joint = numerical_gradient(lambda t: log_joint(t)[np.arange(100), (y + 1) // 2].sum(), theta)
    marginal = numerical_gradient(lambda t: logsumexp(log_joint(t), axis=1).sum(), theta)
    assert np.abs(joint).max() < 1e-3 and np.abs(marginal).max() > 1
    x, y = np.array([0.3, -1.2, 2.0]), np.array([1, -1, -1])
    density = norm.pdf(x)  # of the points, whatever w is

    def likelihood(w):
        return np.log(density / (1 + np.exp(-y * w * x))).sum()

    constants = [likelihood(w) + logistic(y * w * x).sum() for w in (-2.0, 0.0, 0.7)]
    assert np.allclose(constants, np.log(density).sum()) and abs(constants[0]) > 1


@pytest.mark.erratum("EA13")
def test_the_hessian_at_a_minimum_need_not_be_definite_nor_the_expansion_exact():
    w, h = np.linspace(-1, 1, 201), 1e-3
    assert (w**4).argmin() == 100 and abs((h**4 + h**4 - 0) / h**2) < 1e-5  # the second derivative at 0
    X = np.random.default_rng(0).normal(size=(40, 2))
    risk = LinearRisk(logistic, np.c_[X, X.sum(axis=1)], np.where(X[:, 0] + 0.5 > X[:, 1] ** 2, 1, -1))
    eigenvalues = np.linalg.eigvalsh(risk.at(np.zeros(3)).hessian)
    assert abs(eigenvalues[0]) < 1e-12 < eigenvalues[1]
    pair = logistic(3.0) + logistic(-3.0) - 2 * logistic(0.0)  # even, so its minimum is at 0
    assert abs(pair - 3.0**2 / 2 * 2 * logistic.curvature(0.0)) > 0.5


@pytest.mark.erratum("EA14")
def test_the_limit_of_the_step_is_four_times_the_printed_one():
    lam = np.array([0.05, 0.5, 1.0])
    f = Quadratic(np.diag(lam))

    def steps(tau):
        path = np.array(gradient_descent(f.gradient, np.ones(3), tau, max_iter=3000).path)
        distance = np.linalg.norm(path, axis=1)
        return int((distance > distance[0] / 1000).sum())

    assert steps(1 / 2) == 252 and steps(2 / 1.05) == 67
    assert steps(1.99) < 3000 and steps(2.0) == 3001 and steps(2.01) == 3001  # the last two never arrive


def along(w, p):
    """The function w^2 on a line."""
    return lambda tau: ((w + tau * p) ** 2, 2 * (w + tau * p) * p)


@pytest.mark.erratum("EA15")
def test_the_first_example_of_wolfe_needs_indices_from_zero():
    def iterates(first):
        w = [2.0]
        for t in range(first, first + 20):
            w.append(w[-1] + (-1) ** (t + 1) * (2 + 3 * 2.0 ** -(t + 1)))
        return np.array(w)

    t, w = np.arange(20), iterates(0)
    assert np.allclose(w[:-1], (-1.0) ** t * (1 + 2.0**-t)) and np.isclose(iterates(1)[1], 4.75)
    for c1 in (1e-4, 0.05, 0.1):
        holds = [armijo(along(w[k], np.sign(w[k + 1] - w[k])), abs(w[k + 1] - w[k]), c1) for k in t]
        assert holds == [2**k <= 1 / (4 * c1) - 1 for k in range(20)]


@pytest.mark.erratum("EA16")
def test_the_second_example_of_wolfe_as_printed_finds_the_minimum():
    as_printed = 2 - np.cumsum(2.0 ** (1 - np.arange(1, 50)))
    assert abs(as_printed[-1]) < 1e-14
    t = np.arange(40)
    w = 2 - np.r_[0, np.cumsum(2.0 ** -(t + 1))]
    assert np.allclose(w[:-1], 1 + 2.0**-t)
    for c1, always in ((7 / 8, True), (0.88, False)):
        assert all(armijo(along(w[k], -1), 2.0 ** -(k + 1), c1) for k in range(20)) == always
    for c2 in (0.6, 0.9, 0.95):
        holds = [curvature(along(w[k], -1), 2.0 ** -(k + 1), c2) for k in range(20)]
        assert holds == [2**k * (1 - c2) <= c2 - 1 / 2 for k in range(20)]


@pytest.mark.erratum("EA17")
def test_a_sequence_decreasing_to_the_end_need_not_violate_armijo():
    def psi(tau):  # what Armijo bounds by 0, right of the end 1
        return (tau - 1) ** 3 * np.sin(1 / (tau - 1))

    n = np.arange(1, 100)
    assert (psi(1 + 1 / (2 * np.pi * n + 3 / 2 * np.pi)) < 0).all()  # decreases to 1, never violates
    assert (psi(1 + 1 / (2 * np.pi * n + 1 / 2 * np.pi)) > 0).all()  # violators, as near to 1 as one likes


@pytest.mark.erratum("EA18")
def test_the_gradient_tends_to_zero_while_the_weights_run_away():
    X = np.random.default_rng(2).normal(size=(50, 2))
    risk = LinearRisk(logistic, X, np.where(X[:, 0] > 0, 1, -1))
    path = gradient_descent(risk.gradient, np.zeros(2), 1.0, max_iter=8000).path
    norms = [np.linalg.norm(path[t]) for t in (1000, 2000, 4000, 8000)]
    assert np.linalg.norm(risk.gradient(path[-1])) < 1e-2 and (np.diff(norms) > 0.5).all()


@pytest.mark.erratum("EA19")
def test_one_inexact_step_destroys_mutual_conjugacy_and_finite_termination():
    rng, d = np.random.default_rng(3), 8
    A, b = rng.normal(size=(d, d)), rng.normal(size=d)
    H = A @ A.T + np.eye(d) / 2

    def after_d_steps(first):
        w, directions = np.zeros(d), []
        g = -b
        p = -g
        for t in range(d):
            w = w - (first if t == 0 else 1) * (p @ g) / (p @ H @ p) * p
            g = H @ w - b
            directions.append(p / np.sqrt(p @ H @ p))
            p = -g + (p @ H @ g) / (p @ H @ p) * p
        products = np.array(directions) @ H @ np.transpose(directions)
        return np.abs(products - np.eye(d)), np.linalg.norm(H @ w - b)

    products, residual = after_d_steps(1.0)
    assert products.max() < 1e-8 and residual < 1e-8
    products, residual = after_d_steps(0.8)
    assert np.abs(np.diag(products, 1)).max() < 1e-8 and products.max() > 0.1 and residual > 1e-3


def enters(loss, epsilon=1e-4):
    """The first test of the program, with the old loss set to the new one plus 2 epsilon."""
    old = loss + 2 * epsilon
    return np.abs(old - loss) > np.abs(old) * epsilon


@pytest.mark.erratum("EA20")
def test_the_program_starts_only_below_a_loss_of_two():
    assert enters(1.999) and not enters(2.0) and not enters(50.0)
    X, y, *_ = load_wdbc()
    X, y = augmented(X), np.where(y == "M", 1, -1)
    rng, starts, low, overflows = np.random.default_rng(9), 20_000, 0, 0
    for _ in range(starts // 500):
        z = y[:, None] * (X @ rng.uniform(-1, 1, size=(500, 31)).T)
        low += enters(logistic(z).mean(axis=0)).sum()
        overflows += (z < -709.8).any(axis=0).sum()
    assert 1 / 900 < low / starts < 1 / 450 and overflows / starts > 1 / 2
    with np.errstate(over="ignore"):
        assert np.isinf(np.log(1 + np.exp(800.0))) and np.logaddexp(0, 800.0) == 800


@pytest.mark.erratum("EA12")
def test_the_training_error_rises_where_the_bound_falls_and_boosting_stops_at_one_half_and_at_zero():
    X, y = NestedSpheres(d=2).sample(200, np.random.default_rng(1))
    y = y.astype(float)
    path = adaboost(y, by_stumps(X, y), max_iter=400).path[1:]
    scores = np.cumsum([r.alpha * r.h.predict(X) for r in path], axis=0)
    errors = np.mean(np.where(scores >= 0, 1, -1) != y, axis=1)
    assert 25 <= np.sum(np.diff(errors) > 0) < 35  # about 30 of 400
    assert all(r.Z < 1 for r in path)
    four = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]])
    assert len(AdaBoost().fit(four, [1, 1, -1, -1]).rules_) == 0
    assert len(AdaBoost().fit(four, [1, -1, 1, -1]).rules_) == 1  # the first feature


@pytest.mark.erratum("EA26")
def test_with_leave_one_out_every_candidate_has_a_perfect_fold():
    X, y = Moons(noise=0.35).sample(60, np.random.default_rng(0))
    perfect, average = [], []
    for k in (1, 3, 5, 11, 21):
        model, folds = KNearestNeighbors(k=k), ~np.eye(60, dtype=bool)
        right = np.array([model.fit(X[rest], y[rest]).predict(X[~rest])[0] == y[~rest][0] for rest in folds])
        perfect.append(right.any())
        average.append(right.mean())
    assert all(perfect) and len(set(average)) > 1  # the rule cannot choose, the average can


@pytest.mark.erratum("EA25")
def test_the_supremum_is_subadditive_and_no_norm():
    rng = np.random.default_rng(4)
    for f, g in rng.normal(size=(100, 2, 6)):
        assert (f + g).max() <= f.max() + g.max()
    assert np.array([-1.0, -2.0]).max() < 0  # a norm is never negative
