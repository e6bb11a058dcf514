"""Each formula of the book once, with numbers put in by hand.

The numbers are chosen so that every constant, sign and exponent shows; the right-hand side is the statement in the
book, simplified as far as one can do it in the head.
"""

import sys
from fractions import Fraction
from itertools import combinations
from math import e, exp, factorial, inf, log, log2, pi, sqrt

import numpy as np
import pytest

from mlcourse import theory
from mlcourse.arguments import promises, ranges
from mlcourse.theory import networks, trees, vc

LN2, LN20 = log(2), log(20)  # delta = 1/10: ln(1/delta) = ln 10, ln(2/delta) = ln 20
VALUES = [
    # nearest neighbours
    ("missed_mass", (4, 3), 3 / (4 * e)),
    ("rare_mass", (9, 3, 5), 1.5),
    ("nearest_distance", (8, 2), 2 * sqrt(2)),  # 8^(-1/3) = 1/2
    ("nearest_distance_sharp", (7, 1), 0.5),
    ("nearest_distance_sharp", (4, 2), 8 * sqrt(2) / (2 * sqrt(e))),
    ("nearest_distance_sharp", (8, 3), 6 * sqrt(3) / (2 * e ** (1 / 3))),
    ("nearest_distance_floor", (4, 1), 1 / 8),  # half of 2 / (m * 2), the ball of the line being of length 2
    ("nearest_distance_floor", (4, 2), 2 / (3 * sqrt(pi))),
    ("cover_hart", (0.1,), 0.18),
    ("one_nn_accuracy", (8, 2, 3), 6 * sqrt(2)),
    ("one_nn_risk", (8, 2, 3, 0.1), 0.18 + 6 * sqrt(2)),
    ("one_nn_sample_size", (2, 4, 1), 1024),  # (4 * 2 / 2)^5
    ("majority_factor", (16,), 1.5),
    ("knn_risk", (27, 16, 2, 0.5, 0.2), 1.5 * 0.2 + (6 * sqrt(2) + 16) / 3),
    ("knn_excess", (36, 4, 1, 0.5), 0.5 + 4 / 10),  # n = 9: the sharp distance 4 / 10
    ("knn_excess", (35, 4, 1, 0.5), 0.5 + 4 / 9),  # n is rounded down
    ("knn_rate", (16, 2, 0.5), (1 + 10 * sqrt(2)) / 2),
    ("linear_k_risk", (50, 0.5, 0.15), 0.15 * (1 - exp(-1))),
    ("histogram_excess", (36, 2, 0.5, 3), 2 * sqrt(2) / 3 + 1.8 * 3 / 6),
    ("histogram_rate", (16, 2, 0.5), (4 * sqrt(2) + 1.8) / 2),
    # boosting
    ("exponential_risk", ([0.1, 0.2],), 0.6 * 0.8),
    ("edge_bound", ([0.3, 0.4],), exp(-0.5)),
    ("edge_bound", (0.5,), exp(-0.5)),
    ("enough_rounds", (e**2, 0.5), 5),
    ("enough_rounds", (1, 0.3), 1),
    ("margin_error", (0.2, 0.0), 0.8),
    ("margin_error", (0.2, 1.0), 1.6),
    ("margin_error", ([0.2, 0.5], 0.5), 2 * 0.2**0.25 * 0.8**0.75),
    ("margin_limit", (0.25,), -log(3 / 4) / log(3)),
    ("hull_deviation", (2 * e, 2, 0.5, 0.1), 4 * sqrt(4 * 2 / (2 * e)) + sqrt(log(10) / (4 * e))),
    ("hull_uniform_deviation", (2 * e, 2, 0.5, 0.1),
     8 * sqrt(4 * 2 / (2 * e)) + sqrt(LN2 / (2 * e)) + sqrt(LN20 / (4 * e))),
    ("exponential_calibration", (0.6,), 0.2),
    ("exponential_deviation", (2 * e, 2, 0.5, 0.1), sqrt(e) * (2 * sqrt(4 * 2 / (2 * e)) + sqrt(log(10) / (4 * e)))),
    ("consistency_term", (e**2, 0.5), 0.5 * sqrt(e) * sqrt(2) / e),
    # concentration
    ("markov_probability", (1, 4), 0.25),
    ("chebyshev_probability", (3, 2), 0.75),
    ("hoeffding_moment", (3, 2), exp(4.5)),
    ("hoeffding_sum_probability", (5, [3, 4]), exp(-2)),
    ("hoeffding_probability", (8, 0.5, 2), exp(-1)),
    ("hoeffding_deviation", (8, exp(-4), 3), 1.5),
    ("hoeffding_sample_size", (0.5, exp(-4), 3), 72),
    ("hoeffding_sample_size", (0.5, exp(-4.01), 3), 73),
    ("kl", (0.5, 0.25), LN2 / 2 + log(2 / 3) / 2),
    ("kl", (0.0, 0.5), LN2),
    ("kl", (0.5, 0.0), inf),
    ("chernoff_probability", (4, 0.0, 0.5), 1 / 16),
    ("chernoff_floor", (4, 0.0, 0.5), 1 / 80),
    ("kl_upper", (0.0, 1, 0.25), 0.75),  # kl(0, p) = -ln(1 - p)
    ("kl_upper", (0.0, 2, 0.25), 0.5),
    ("risk_upper", (0.25, 8, exp(-4)), 0.75),
    ("risk_interval", (0.25, 8, 2 * exp(-4)), (-0.25, 0.75)),
    ("risk_deviation", (8, 2 * exp(-4)), 0.5),
    ("risk_probability", (8, 0.5), 2 * exp(-4)),
    ("risk_sample_size", (0.5, 2 * exp(-4)), 8),
    ("clopper_pearson_upper", (0, 2, 0.25), 0.5),  # (1 - p)^2 = 1/4
    ("clopper_pearson_upper", (1, 2, 0.75), 0.5),  # 1 - p^2 = 3/4
    ("clopper_pearson_upper", (2, 2, 0.25), 1.0),
    ("clopper_pearson_interval", (0, 2, 0.5), (0.0, 0.5)),
    ("clopper_pearson_interval", (2, 2, 0.5), (0.5, 1.0)),
    ("wald_coverage_limit", (3, 0.5), 7 / 8),
    ("mcdiarmid_probability", (5, [3, 4]), exp(-2)),
    ("mcdiarmid_deviation", (exp(-2), [3, 4]), 5),
    # finite classes
    ("uniform_deviation", (8, 5, 10 * exp(-4)), 0.5),
    ("uniform_probability", (8, 5, 0.5), 10 * exp(-4)),
    ("uniform_sample_size", (5, 0.5, 10 * exp(-4)), 8),
    ("erm_excess", (8, 5, 10 * exp(-4)), 1.0),
    ("erm_probability", (8, 5, 1.0), 10 * exp(-4)),
    ("erm_sample_size", (5, 1.0, 10 * exp(-4)), 8),
    ("realisable_risk", (8, 5, 5 * exp(-4)), 0.5),
    ("realisable_probability", (8, 5, 0.5), 5 * exp(-4)),
    ("realisable_sample_size", (5, 0.5, 5 * exp(-4)), 8),
    # deep networks, dependence, interpolation
    ("gradient_factor", ([0.25, 0.5], [2, 3]), 0.75),
    ("relu_gradient", (3, 4, 5), 40),
    ("two_layer_complexity", (16, 3, 5), 7.5),
    ("two_layer_deviation", (8, exp(-4), 2, 3, 5), 30 / sqrt(8) + 0.5),
    ("two_layer_probability", (64, 8.0, 2, 3, 5), exp(-128 * 4.25**2)),
    ("two_layer_sample_size", (30.5, exp(-1 / 2), 2, 3, 5), 1),
    ("total_variation", ([0.5, 0.5, 0], [0.25, 0.25, 0.5]), 0.5),
    ("variance_of_mean", (4, 0.2, 3), 9 * (0.25 + 0.15)),
    ("effective_size", (5, 0.25), 2.5),
    ("magnified_noise", (3,), 16 / (16 * 16 * 5)),
    ("magnified_noise", (2,), 4 / (16 * 3)),
    # kernels
    ("gaussian_truncation", (0, 2, 0.5), 1 - exp(-1)),
    ("gaussian_truncation", (1, 2, 0.5), 1 - 2 * exp(-1)),
    ("gaussian_degree", (0.27, 2, 0.5), 1),
    ("gaussian_degree", (0.64, 2, 0.5), 0),
    ("gaussian_degree", (0.26, 2, 0.5), 2),  # P(Poisson of mean 1 > 1) = 0.264
    ("kernel_perceptron_bound", (2.5, 3), 18),
    # margins
    ("margin_deviation", (16, exp(-8), 2, 3, 5), 15 / 4 + 0.5),
    ("margin_probability", (16, 4.25, 2, 3, 5), exp(-8)),
    ("margin_probability", (16, 3, 2, 3, 5), 1),
    ("margin_sample_size", (4.0, exp(-2), 2, 3, 5), 16),
    ("margin_data_deviation", (8, 2 * exp(-4), 2, 3, 16), 12 / 8 + 1.5),
    ("margin_uniform_deviation", (16, 2 * exp(-8), 0.125, 3, 5), 120 + sqrt(log(4)) / 4 + 0.5),
    ("margin_uniform_data_deviation", (8, 4 * exp(-4), 0.125, 3, 16),
     4 * 12 / (0.125 * 8) + 3 * sqrt(log(4) / 8) + 1.5),
    ("margin_norm_deviation", (16, 2 * exp(-8), 8, 5), 40 + sqrt(log(4)) / 4 + 0.5),
    # selection
    ("hold_out_variance", (3, 4), 2.25),
    ("selection_optimism", (2, exp(4)), 1.0),
    ("expected_least_error", (1, 3, 0.5), 1 / 8),
    ("expected_least_error", (2, 1, 0.3), 0.3),
    ("expected_least_error", (2, 2, 0.5), (9 / 16 + 1 / 16) / 2),
    ("k_fold_variance", (6, 2, 7, 3, 2), (7 + 2 * 3 + 3 * 2) / 6),
    ("k_fold_variance", (4, 4, 5, 3, 2), (5 + 3 * 2) / 4),
    # networks
    ("cover_labellings", (4, 2), 14),
    ("cover_labellings", (3, 5), 8),
    ("threshold_bits", (3,), 9),
    ("network_bits", (3,), 27),
    ("boolean_nodes_floor", (6,), 4),
    ("boolean_weights_floor", (3,), 8 / (3 + log2(e))),
    ("boolean_units", (4,), 8),
    ("growth_bits", (4, 3), 3 * (2 + log2(e))),
    ("symmetric_copies", (3,), 48),
    ("symmetric_copies", (0,), 1),
    ("relu_pieces", (3, 2), 16),
    ("interpolation_error", (4, 3, 2), 0.75),
    ("no_free_lunch", (2, 4), 9 / 32),
    ("block_risk", (2, [0.5, 0.25], [1, 2]), (0.5 / 4 + 0.25 * (7 / 8) ** 2) / 2),
    # Occam and trees
    ("occam_deviation", (8, 0.25, 2 * exp(-4)), sqrt((2 * LN2 + 4) / 16)),
    ("description_deviation", (8, 3, 2 * exp(-4)), sqrt((3 * LN2 + 4) / 16)),
    ("kraft_sum", ([1, 3, 3],), Fraction(3, 4)),
    ("tree_bits", (2, 5), 14),
    ("tree_bits", (2, 4), 12),
    ("tree_kraft_sum", (3,), (1 - 0.5) / 0.75),
    ("tree_kraft_sum", (4,), 1),
    ("tree_deviation", (8, 2, 5, 2 * exp(-4)), sqrt((14 * LN2 + 4) / 16)),
    ("catalan", (4,), 14),
    ("count_trees", (2, 3), 2 * 9 * 8),
    ("boolean_excess", (8, 2, 2 * exp(-4)), sqrt((4 * LN2 + 4) / 4)),
    ("tree_excess", (8, 2, 0.125 * e * 8, 2 * exp(-4)), sqrt((2 * log(8 * e) + LN2 + 4) / 4)),
    ("tree_sample_size", (2, e, 0.5, 2 * exp(-4)), np.ceil(8 * (2 * log(8 * e) + LN2 + 4))),
    ("tree_excess_nodes", (8, 3, e / 2, 2 * exp(-4)), sqrt((6 + 4) / 4)),
    # perceptrons and descent
    ("novikoff", (5, 2), 6),
    ("novikoff", (0.3, 0.1), 9),
    ("novikoff_with_bias", (2, 1, 3), 50),
    ("multiclass_perceptron_bound", (5, 2), 12),
    ("slow_perceptron", (3,), 21),
    ("quadratic_rate", (0.5, 1, 3), 0.5),
    ("quadratic_rate", (0.5, 1, 3.5), 0.75),
    ("best_quadratic_rate", (1, 3), 0.5),
    ("stationary_sum", (0.5, 2, 3), 12),
    ("convex_gap", (0.5, 4, 6), 9),
    ("zoutendijk_sum", (2, 3, 0.25, 0.5), 48),
    ("sgd_average", ([0.1, 0.3], 2, 3, 5), (6 + 2 * 25 * 0.1) / 0.4),
    ("noise_floor", (0.5, 2, 3), 0.5 * 9 / (2 * 1)),
    ("slow_steps", (2, 0.25, 2), 0.5 * 0.75),
    ("slow_steps", (3, 0.25, 2), 0.5 * 0.75 * 2.5 / 3),
    ("adaline_errors", (0.25, 2, 3), 9 / (0.25 * 1)),
    ("adaline_distance", (0.125, 2, 3, 2, 5, 4), (1 - 0.375) ** 2 * 16 + 0.625 / 1.5),
    ("adaline_distance", (0.125, inf, 3, 2, 5, 4), 0.625 / 1.5),
    # Rademacher complexity
    ("threshold_complexity", (1,), 1),
    ("threshold_complexity", (2,), 0.75),
    ("threshold_complexity", (3,), 2 * (3 / 2 - 1 / 2) / 3),
    ("ball_complexity", (5, 16, 3), 2.4),
    ("massart", (5, exp(8), 3), 2.4),
    ("rademacher_deviation", (8, exp(-4), 0.2), 0.9),
    ("rademacher_data_deviation", (8, 2 * exp(-4), 0.2), 1.9),
    # regret
    ("ogd_regret_of_step", (9, 3, 5, 2), (9 + 50) * 3),
    ("ogd_regret", (2, 3, 5), 60),
    ("minimax_regret", (4, 3, 5), 30),
    ("regret_floor", (8, 3, 5), 30),
    ("walk_distance", (1,), 1),
    ("walk_distance", (2,), 1),
    ("walk_distance", (3,), 1.5),
    ("walk_distance", (4,), 1.5),
    ("square_gradient", (3, 5), 300),
    ("square_regret", (2, 3, 5), 8 * 225 * 2),
    ("perceptron_oracle", (4, 3, 2), 4 + 36 + 12),
    ("perceptron_oracle_sharp", (7, 3, 2), 7 + 18 + 24),
    ("strong_regret", (e, 4, 2), 8),
    ("strong_regret_exact", (3, 4, 2), 4 * (1 + 1 / 2 + 1 / 3)),
    ("azuma_probability", (5, [3, 4]), exp(-2)),
    ("batch_excess", (8, exp(-4), 2, 3), 0.25 + 1.5),
    ("square_batch_excess", (8, exp(-4), 3, 0.5), 4 * sqrt(2) * 2.25 * 4 / sqrt(8)),
    ("square_batch_floor", (4, 3, 0.5), 2.25 / 4),
    # stability and the SVM
    ("replacement_distance", (4, 0.5, 3), 3),
    ("replacement_stability", (4, 0.5, 3), 9),
    ("expected_gap_bound", (3, 0.5, 2), sqrt(4 / 3) * 4 / 1.5),
    ("coin_gap", (5, 8, 2), 0.1),
    ("svm_penalty", (4, 0.5, 2, 3), 1 + 9),
    ("svm_best_lam", (4, 2, 3), 1.5),
    ("svm_best_penalty", (4, 2, 3), 6),
    ("smo_gap", (4, 3, 0.5), 6),
    ("weights_distance", (8,), 4),
    ("pegasos_sum", (2, 0.5, 3), 18 * (1.5 - 0.75)),
    ("pegasos_excess", (2, 0.5, 3), 18 * log(3)),
    # VC theory
    ("sine_frequency", ([1, -1, -1],), pi * 1101),
    ("sauer", (4, 2), 11),
    ("sauer", (2, 5), 4),
    ("sauer_power", (4, 2), (2 * e) ** 2),
    ("vc_complexity", (2 * e, 2), sqrt(4 * 2 / (2 * e))),
    ("halves_probability", (2.75, 2), exp(-8)),
    ("vc_deviation", (4 * e, 2, 4 * exp(-4)), sqrt((2 * (log(4) + 2) + 4) / (4 * e))),
    ("vc_probability", (4, 2, 0.5), 4 * (4 * e) ** 2 * exp(-1)),
    # votes
    ("majority_error", (3, 0.5), 0.5),
    ("majority_error", (2, 0.5), 0.75),
    ("majority_error", (3, 0.2), 3 * 0.04 * 0.8 + 0.008),
    ("independent_vote", (8, 0.25), exp(-1)),
    ("independent_vote_sharp", (4, 0.25), 9 / 16),
    ("enough_votes", (0.25, exp(-1)), 8),
    ("independent_events", (12,), 3),
    ("independent_events", (49,), 2),
    ("independent_events", (13,), 1),
    ("independent_events", (1,), 0),
    ("product_identity_error", (3, 0.5), (3 - 0.25) / 4),
    ("strength_bound", (0.5, 0.2), 0.6),
    ("strength_bound_sharp", (0.5, 0.2), 0.15 / 0.4),
    ("unique_fraction", (2,), 0.75),
    ("unique_fraction", (1,), 1),
    ("out_of_bag_fraction", (2, 3), 1 - 27 / 64),
    ("maximum_errors", (1,), [2 / 6] * 3),
    ("maximum_errors", (2,), [2 / 12, (25 / 16 + 17 / 16) / 12, (0.25 * 6 + 0.75 * 2) / 12]),
]  # fmt: skip


@pytest.mark.parametrize("name, arguments, value", VALUES, ids=[f"{name}{args}" for name, args, _ in VALUES])
def test_the_formula_with_numbers_put_in(name, arguments, value):
    np.testing.assert_allclose(
        np.asarray(getattr(theory, name)(*arguments), dtype=float),
        np.asarray(value, dtype=float),
        rtol=1e-9,
        atol=1e-300,
    )


def test_the_largest_network_vc_dimension_is_the_last_m_that_the_growth_bound_allows():
    for n_weights in (1, 2, 3, 5, 40, 1000, 10**6):
        m = int(theory.network_vc(n_weights))
        assert m <= theory.growth_bits(m, n_weights)
        assert m + 1 > theory.growth_bits(m + 1, n_weights)


@pytest.mark.parametrize("V, epsilon, delta", [(1, 0.5, 0.1), (2, 0.3, 0.05), (5, 3.0, 1.0), (7, 0.11, 0.2)])
def test_the_vc_sample_size_is_the_first_that_is_enough(V, epsilon, delta):
    m = theory.vc_sample_size(V, epsilon, delta)
    assert isinstance(m, int) and m >= V / 2
    assert theory.vc_deviation(m, V, delta) <= epsilon
    assert m - 1 < V / 2 or theory.vc_deviation(m - 1, V, delta) > epsilon
    for size in (m, 3 * m):
        assert theory.vc_probability(size, V, theory.vc_deviation(size, V, delta)) == pytest.approx(delta)


def test_the_degree_of_gaussian_features_is_the_first_that_is_enough():
    for epsilon in (1e-300, 1e-9, 0.01, 0.5, 0.999):
        for mean in (0.02, 1.0, 30.0):
            degree = theory.gaussian_degree(epsilon, mean / 2, 1.0)
            assert theory.gaussian_truncation(degree, mean / 2, 1.0) <= epsilon
            assert degree == 0 or theory.gaussian_truncation(degree - 1, mean / 2, 1.0) > epsilon


def test_threshold_complexity_from_all_sign_vectors():
    for m in range(1, 8):
        best = [max(2 * sum(signs[j:]) - sum(signs) for j in range(m + 1)) for signs in theory.all_signs(m)]
        assert theory.threshold_complexity(m) == pytest.approx(np.mean(best) / m)


def test_bounds_are_not_clipped_and_do_not_overflow():
    assert theory.vc_deviation(10, 10, 0.05) > 1 and theory.vc_probability(100, 50, 0.01) > 1e9
    assert theory.vc_probability(10**6, 10**6, 0.0) == inf and np.isfinite(theory.description_deviation(100, 5000, 0.1))
    assert theory.network_vc(2**50) > 2**50


@pytest.mark.parametrize("a", [0.1, 0.5, 0.9, 1.0, 1.5, 2.0, 2.7, 3.0, 5.0, 10.5])
@pytest.mark.parametrize("gamma", [0.5, 1.0, 4.0])
def test_slow_steps_is_the_product_of_the_factors(a, gamma):
    product = np.cumprod(np.append(1.0, 1 - a / np.arange(1, 60)))
    np.testing.assert_allclose(theory.slow_steps(np.arange(60), gamma, a / gamma), product, rtol=1e-9, atol=1e-12)


def test_numbers_a_hair_from_whole_are_taken_as_whole():
    assert promises.whole(3 * (1 + 1e-13)) == 3 and promises.whole(3 * (1 + 1e-9)) == 4 and promises.whole(-5.0) == 1
    assert promises.whole_part(3 * (1 - 1e-13)) == 3 and promises.whole_part(3 * (1 - 1e-9)) == 2
    assert ranges.are_whole(np.array([2.0**53, 2.0**54, 1.5, -3.0])).tolist() == [True, False, False, True]
    assert [promises.harmonic(T) for T in (1, 2, 4)] == pytest.approx([1, 1.5, 25 / 12])


def test_copies_of_a_network_are_counted_exactly():
    assert theory.symmetric_copies(30) == 2**30 * factorial(30)


@pytest.mark.parametrize("m", range(1, 7))
@pytest.mark.parametrize("k", range(4))
def test_unions_of_intervals_by_brute_force(m, k):
    rows = {tuple(row) for row in theory.interval_class(m, k)}
    every = theory.all_signs(m).astype(int)
    runs = [sum(a == 1 and b != 1 for a, b in zip(row, [*row[1:], -1], strict=True)) for row in every]
    assert rows == {tuple(row) for row, n in zip(every, runs, strict=True) if n <= k}
    assert len(theory.interval_class(m, k)) == len(rows)


def test_lists_that_would_be_too_long_are_refused_and_those_at_the_limit_are_not(monkeypatch):
    monkeypatch.setattr(vc, "MAX_SUBSETS", 16)
    assert len(theory.interval_class(5, 1)) == 16  # 1 + 6 * 5 / 2
    assert len(theory.shattered_sets(theory.all_signs(4))) == 16
    assert theory.growth_function(np.ones((1, 16)), 1) == theory.growth_function(np.ones((1, 16)), 15) == 1
    for call in (
        lambda: theory.interval_class(6, 1),
        lambda: theory.interval_class(5, 2),
        lambda: theory.shattered_sets(theory.all_signs(5)),
        lambda: theory.growth_function(np.ones((1, 17)), 1),
    ):
        with pytest.raises(ValueError, match="use fewer points|at most 16"):
            call()
    monkeypatch.setattr(vc, "MAX_LABELLINGS", 8)
    assert len(theory.half_space_class([[0.0], [1.0], [2.0]])) == 6
    with pytest.raises(ValueError, match="at most 8, got 4"):
        theory.half_space_class([[0.0], [1.0], [2.0], [3.0]])
    monkeypatch.setattr(networks, "MOST_TERMS", 5)
    assert theory.symmetric_copies(5) == 2**5 * 120 and theory.cover_labellings(6, 5) == theory.cover_labellings(6, 9)
    for call in (lambda: theory.symmetric_copies(6), lambda: theory.cover_labellings(7, 6)):
        with pytest.raises(ValueError, match="at most 5"):
            call()
    monkeypatch.setattr(sys.modules["mlcourse.theory.rademacher"], "MAX_ENUMERATED", 3)
    assert len(theory.all_signs(3)) == 8
    with pytest.raises(ValueError, match="between 1 and 3"):
        theory.all_signs(4)
    monkeypatch.setattr(trees, "MOST_TREES", 16)
    assert len(theory.boolean_trees(1, 4)) == 16
    with pytest.raises(ValueError, match="at most 16"):
        theory.boolean_trees(1, 5)
    assert theory.sine_frequency([1] * 300) == pi
    with pytest.raises(ValueError, match="at most 300"):
        theory.sine_frequency([1] * 301)


def test_a_tree_may_ask_for_any_column_and_for_no_other():
    assert theory.tree_values((2, -1, 1), [[0, 0, 1]]).tolist() == [1]
    assert theory.tree_values((0, -1, 1), [[0], [1], [0]]).tolist() == [-1, 1, -1]
    with pytest.raises(ValueError, match="0 <= j < 1"):
        theory.tree_values((2, -1, 1), [[0], [1], [0]])


def test_all_trees_of_a_size_are_listed_once():
    for M, d in ((0, 3), (1, 2), (2, 2), (3, 1)):
        trees = theory.boolean_trees(M, d)
        assert len(set(trees)) == len(trees) == theory.count_trees(M, d)


def test_shattered_sets_and_the_growth_function_by_brute_force():
    rng = np.random.default_rng(0)
    for _ in range(20):
        values = np.unique(rng.choice([-1, 1], size=(6, 4)), axis=0)
        sets = [c for n in range(5) for c in combinations(range(4), n)]
        shattered = [c for c in sets if len({tuple(row[list(c)]) for row in values}) == 2 ** len(c)]
        assert theory.shattered_sets(values) == shattered
        assert theory.vc_dimension(values) == max(map(len, shattered))
        for m in (1, 2, 3, 4):
            most = max(len({tuple(row[list(c)]) for row in values}) for c in combinations(range(4), m))
            assert theory.growth_function(values, m) == most


def test_blocks_of_a_slow_rate_keep_the_risk_above_it():
    for a in (lambda m: 0.4 / m, lambda m: 0.45 / np.log2(m + 1)):
        q, n = theory.slow_rate_law(a, 5)
        assert q.sum() == pytest.approx(1) and q[:-1] == pytest.approx([1 / 2, 1 / 4, 1 / 8, 1 / 16]) and len(n) == 5
        for m in range(1, 200):
            if a(m) > a(1) / 32:
                assert theory.block_risk(m, q, n) >= a(m)
        M = next(m for m in range(1, 10_000) if a(m) <= a(1) / 2)
        assert n[0] == np.ceil(M * 0.5 / (1 - 2 * a(1)))
