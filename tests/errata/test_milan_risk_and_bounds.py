"""Errata of the Milan notes on losses, Bayes predictors, bounds and cross-validation (lectures 1 to 8, and 12)."""

import itertools

import numpy as np
import pytest
from scipy.stats import binom

from mlcourse import theory
from mlcourse.data import FiniteLaw
from mlcourse.data.encode import TfEncoder, TfIdfEncoder
from mlcourse.evaluation.cross_validation import k_fold
from mlcourse.evaluation.model_selection import grid
from mlcourse.losses import absolute, log_loss, square, zero_one
from mlcourse.models.linear.linear_regression import ridge_cross_validation
from mlcourse.testing import numerical_gradient


@pytest.mark.erratum("M01")
def test_losses_are_not_negative_and_a_mistake_costs_more_than_zero():
    y, y_hat = np.array([-1, 1, 1]), np.array([1, -1, 1])
    for loss in (zero_one, absolute, square):
        assert (loss(y, y_hat) >= 0).all() and not (loss(y, y_hat) <= 0).all()


@pytest.mark.erratum("M02")
def test_the_absolute_loss_falls_while_the_prediction_is_too_small():
    for y, y_hat in ((1.3, 0.4), (-2.0, 1.5)):
        slope = numerical_gradient(lambda p, y=y: absolute(y, p[0]), np.array([y_hat]))[0]
        assert np.isclose(slope, -np.sign(y - y_hat)) and np.isclose(slope, absolute.derivative(y, y_hat))


@pytest.mark.erratum("M03")
def test_the_log_loss_explodes_for_rain_that_had_a_vanishing_probability():
    small = 1e-9  # it rains: y = 1
    assert log_loss(1, small) > 20  # the probability of rain vanished
    assert log_loss(1, 1 - small) < 1e-8  # that of no rain vanished


@pytest.mark.erratum("M04")
def test_term_frequency_is_that_in_the_document():
    documents = ["rain rain snow", "snow sun"]
    assert np.allclose(TfEncoder().fit(documents).transform(documents)[0], [2 / 3, 1 / 3, 0])  # rain, snow, sun
    idf = np.log(2 / np.array([1, 2, 1]))  # snow is in every document
    assert np.allclose(TfIdfEncoder().fit(documents).transform(documents)[0], np.array([2 / 3, 1 / 3, 0]) * idf)


@pytest.mark.erratum("M06", "M08")
def test_five_points_without_noise_are_overfitted_from_three():
    classifiers = list(itertools.product([0, 1], repeat=5))
    truth = (0, 1, 0, 1, 1)  # a function: no noise
    consistent = [f for f in classifiers if f[:3] == truth[:3]]  # training error 0
    assert sorted(np.mean([f[3] != 1, f[4] != 1]) for f in consistent) == [0, 1 / 2, 1 / 2, 1]
    assert np.log2(len(classifiers)) == 5 and round(np.log(len(classifiers)), 2) == 3.47  # bits; not bits


@pytest.mark.erratum("M17")
def test_the_printed_sign_puts_the_minimiser_at_minus_the_mean():
    y, p = np.array([1.0, 4.0]), np.array([0.25, 0.75])
    t = np.linspace(-5, 5, 1001)
    risk = p @ square(y[:, None], t)
    assert np.allclose(risk, p @ y**2 + t**2 - 2 * t * (p @ y)) and np.isclose(t[risk.argmin()], p @ y)
    assert np.isclose(t[(p @ y**2 + t**2 + 2 * t * (p @ y)).argmin()], -(p @ y))


@pytest.mark.erratum("M19")
def test_the_bayes_risk_is_zero_iff_the_label_is_determined():
    determined, noisy = FiniteLaw([[0.5, 0], [0, 0.5]]), FiniteLaw([[0.5, 0], [0.1, 0.4]])
    assert determined.bayes_risk(zero_one, [-1, 1]) == 0
    assert np.isclose(noisy.bayes_risk(zero_one, [-1, 1]), 0.1)


@pytest.mark.erratum("M24")
def test_a_class_without_the_bayes_predictor_may_contain_another_optimal_one():
    law = FiniteLaw([[0.05, 0.45], [0.25, 0.25]])  # eta = 0.9 and 1/2
    bayes, other = law.risk([1, 1], zero_one), law.risk([1, -1], zero_one)
    assert np.isclose(bayes, 0.3) and np.isclose(other, bayes) and np.isclose(law.bayes_risk(zero_one, [-1, 1]), bayes)


@pytest.mark.erratum("M27")
def test_a_larger_class_can_have_a_larger_bias_if_it_is_not_nested():
    law = FiniteLaw([[0.1, 0.4], [0.4, 0.1]])

    def bias(H):
        return min(law.risk(h, zero_one) for h in H) - law.bayes_risk(zero_one, [-1, 1])

    small, large = [(1, -1)], [(1, 1), (-1, -1), (-1, 1)]
    assert bias(large) > bias(small) and np.isclose(bias(small + large), bias(small))  # nested: not larger


@pytest.mark.erratum("M21")
def test_the_printed_lower_tail_is_an_event_of_probability_094():
    bound = theory.hoeffding_probability(20, 0.2)  # 20 fair coins
    assert binom.cdf(5, 20, 1 / 2) <= bound  # average < 0.3
    assert round(binom.cdf(13, 20, 1 / 2), 2) == 0.94 > bound  # average < 0.7


@pytest.mark.erratum("M22")
def test_the_deviation_on_a_test_set_has_probability_at_most_delta():
    n, delta = 200, 0.05
    k, epsilon = np.arange(n + 1), theory.risk_deviation(n, delta)
    for p in (0.01, 0.2, 0.5, 0.9):
        assert binom.pmf(k, n, p)[np.abs(k / n - p) > epsilon].sum() < delta / 5  # far from "at least delta"


@pytest.mark.erratum("M51")
def test_no_rate_is_guaranteed_though_the_risk_converges():
    def promise(m):
        return 0.45 / np.log2(m + 1.0)

    m = 2.0 ** np.arange(30)
    q, n = theory.slow_rate_law(promise, 8)
    assert promise(1) > 1 / 16  # a_1 below 1/2 is enough for this theorem
    assert (theory.block_risk(m, q, n) >= promise(m)).all()
    assert theory.block_risk(1e300, q, n) < 1e-6  # the memoriser is consistent on this law


@pytest.mark.erratum("M28")
def test_a_grid_has_the_power_of_the_number_of_parameters():
    for n_parameters in (1, 2, 3, 4):
        values = {f"theta_{j}": range(5) for j in range(n_parameters)}
        assert len(list(grid(**values))) == 5**n_parameters  # quadratic for two only


@pytest.mark.erratum("M29")
def test_two_folds_of_twenty_estimate_the_risk_at_size_ten():
    rng, m, d, runs = np.random.default_rng(0), 20, 4, 1500
    risk = {size: 1 + d / (size - d - 1) for size in (10, 20)}  # of least squares with unit noise
    assert np.isclose(risk[10], 1.8) and round(risk[20], 2) == 1.27
    folds = [(np.arange(10, 20), np.arange(10)), (np.arange(10), np.arange(10, 20))]
    estimates = np.empty(runs)
    for r in range(runs):
        X = rng.normal(size=(m, d))
        y = X @ np.full(d, 0.5) + rng.normal(size=m)
        estimates[r] = np.mean(ridge_cross_validation(X, y, [0.0], folds, bias=False) ** 2)
    error = estimates.std() / np.sqrt(runs)
    assert abs(estimates.mean() - risk[10]) < 4 * error and abs(estimates.mean() - risk[20]) > 15 * error


@pytest.mark.erratum("M30")
def test_the_inner_minimum_is_optimistic_on_pure_noise_and_the_outer_loop_is_not():
    rng, inner, outer = np.random.default_rng(1), [], []
    for _ in range(300):
        X, y = rng.choice([-1, 1], size=(40, 30)), rng.choice([-1, 1], size=40)
        wrong = X != y[:, None]
        inner.append(wrong.mean(axis=0).min())  # thirty fixed rules: nothing is learned in a fold
        outer.append([wrong[test, wrong[train].mean(axis=0).argmin()].mean() for train, test in k_fold(40, 5, rng)])
    assert abs(np.mean(inner) - theory.expected_least_error(40, 30)) < 0.01
    assert theory.expected_least_error(40, 30) < 0.35  # the truth is 1/2
    assert abs(np.mean(outer) - 1 / 2) < 4 * np.std(outer) / np.sqrt(np.size(outer))
