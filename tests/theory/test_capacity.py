"""Complexities, growth functions, codes: against definitions, enumeration and nonsense."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from mlcourse import theory


def test_all_signs_are_all_different():
    for m in (1, 2, 5, 10):
        signs = theory.all_signs(m)
        assert signs.shape == (2**m, m) and len(np.unique(signs, axis=0)) == 2**m and set(signs.ravel()) == {-1, 1}
    with pytest.raises(ValueError, match="between 1 and 20"):
        theory.all_signs(21)


def test_random_signs_are_fair_and_independent_of_each_other():
    sigma = theory.random_signs(4000, 6, np.random.default_rng(0))
    correlation = sigma.T @ sigma / 4000
    assert np.abs(correlation - np.eye(6)).max() < 5 / np.sqrt(4000) and np.abs(sigma.mean(axis=0)).max() < 0.08


@pytest.mark.parametrize("seed", range(10))
def test_complexity_of_a_finite_class_is_the_mean_of_the_suprema(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(rng.integers(1, 6), rng.integers(1, 7)))
    m = values.shape[1]
    by_hand = np.mean([max(np.dot(s, v) / m for v in values) for s in itertools.product((-1, 1), repeat=m)])
    assert np.isclose(theory.rademacher(values), by_hand)
    drawn = theory.random_signs(20_000, m, rng)
    assert (
        abs(theory.rademacher(values, drawn) - by_hand)
        < 5 * theory.suprema(values, drawn).std() / np.sqrt(20_000) + 1e-12
    )


@pytest.mark.parametrize("values", [[], [1, 2], np.zeros((0, 3))])
def test_a_class_must_be_a_matrix(values):
    with pytest.raises(ValueError, match="n_hypotheses"):
        theory.rademacher(values)


@pytest.mark.parametrize("both_signs", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_thresholds_agree_with_brute_force_also_with_equal_points(seed, both_signs):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 9))
    x, sigma = rng.integers(0, 5, size=m) / 2, theory.random_signs(30, m, rng)
    before, kept = sigma.copy(), x.copy()
    rules = np.array([np.where(x > theta, 1, -1) for theta in [-1, *x]])
    rules = np.vstack([rules, -rules]) if both_signs else rules
    np.testing.assert_allclose(theory.threshold_suprema(x, sigma, both_signs), theory.suprema(rules, sigma))
    assert (sigma == before).all() and (x == kept).all()


@pytest.mark.parametrize("seed", range(5))
def test_balls_agree_with_many_directions_and_kernels_with_features(seed):
    rng = np.random.default_rng(seed)
    X, sigma = rng.normal(size=(7, 2)), theory.random_signs(20, 7, rng)
    angle = np.linspace(0, 2 * np.pi, 20_001)
    ball = 3 * np.column_stack([np.cos(angle), np.sin(angle)])
    np.testing.assert_allclose(theory.linear_suprema(X, sigma, B=3), theory.suprema(ball @ X.T, sigma), rtol=1e-6)
    np.testing.assert_allclose(
        theory.kernel_suprema(X @ X.T, sigma, B=3), theory.linear_suprema(X, sigma, B=3), rtol=1e-9
    )


def test_small_integer_types_do_not_overflow():
    m = 300
    ones, x = np.ones((1, m), dtype=np.int8), np.arange(m)
    assert (
        theory.suprema(ones, ones)
        == theory.threshold_suprema(x, ones)
        == theory.threshold_suprema(x, ones, both_signs=True)
        == 1
    )
    assert (
        theory.linear_suprema(np.ones((m, 1), dtype=np.int8), ones)
        == 1
        == theory.kernel_suprema(np.ones((m, m), np.int8), ones)
    )


@pytest.mark.parametrize("sigma", [np.ones((3, 4)), np.ones((3, 6)), np.ones(5), 1.0])
def test_signs_must_be_rows_of_one_sign_for_each_point(sigma):
    X = np.arange(5.0)[:, None]
    calls = [
        lambda: theory.suprema(X.T, sigma),
        lambda: theory.rademacher(X.T, sigma),
        lambda: theory.linear_suprema(X, sigma),
        lambda: theory.kernel_suprema(X @ X.T, sigma),
        lambda: theory.threshold_suprema(X[:, 0], sigma),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="n_draws, 5"):
            call()


def test_half_spaces_on_the_line_and_by_hand():
    x = np.array([[0.0], [1.0], [3.0]])
    assert {tuple(row) for row in theory.half_space_class(x)} == {
        tuple(row) for row in np.vstack([theory.threshold_class(3), -theory.threshold_class(3)])
    }
    assert len(theory.half_space_class(np.array([[1.0], [-1.0]]), bias=False)) == 3  # w = 0 says + +
    square = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    assert len(theory.half_space_class(square)) == 14  # all but the two of XOR


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: theory.dichotomies([[0, 1]]), "-1 and .1"),
        (lambda: theory.growth_function(theory.threshold_class(3), 4), "between 1 and"),
        (lambda: theory.growth_function(theory.threshold_class(40), 20), "subsets"),
        (lambda: theory.half_space_class(np.zeros((13, 2))), "at most 4096"),
        (lambda: theory.interval_class(60, 4), "labellings by 4 intervals"),
        (lambda: theory.kraft_code([1.5, 2]), "whole numbers"),
        (lambda: theory.kraft_sum([0.5]), "whole numbers"),
        (lambda: theory.slow_rate_law(lambda m: 0.3 / m, 0), "n_blocks must be a whole number of at least 1"),
        (lambda: theory.kraft_code([1, 1, 2]), "Kraft sum"),
        (lambda: theory.kraft_code([-1]), "lengths >= 0"),
        (lambda: theory.slow_rate_law(lambda m: 0.6, 3), "a.1. < 1/2"),
        (lambda: theory.slow_rate_law(lambda m: 0.3, 3), "too slowly"),
    ],
)
def test_nonsense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.algorithm("alg-threshold-suprema")
def test_the_complexity_of_stumps_by_sorting_once():
    x = np.random.default_rng(0).normal(size=9)
    rank = x.argsort().argsort()
    exact = theory.rademacher(np.vstack([theory.threshold_class(9)[:, rank], -theory.threshold_class(9)[:, rank]]))
    assert np.isclose(theory.threshold_suprema(x, theory.all_signs(9), both_signs=True).mean(), exact)


@pytest.mark.algorithm("alg-kraft")
@pytest.mark.parametrize("seed", range(50))
def test_kraft_code_has_the_lengths_and_is_prefix_free(seed):
    rng = np.random.default_rng(seed)
    lengths = []
    for length in rng.integers(1, 12, size=60):
        if theory.kraft_sum([*lengths, length]) <= 1:
            lengths.append(int(length))
    words = theory.kraft_code(lengths)
    assert [len(word) for word in words] == lengths and theory.is_prefix_free(words)
    assert not any(b.startswith(a) for a, b in itertools.permutations(words, 2))
    assert theory.kraft_code([0]) == [""] and theory.kraft_code([]) == [] and theory.kraft_sum([1, 2, 2]) == Fraction(1)


def test_prefix_free_means_what_it_says():
    assert theory.is_prefix_free(["0", "10", "11"]) and theory.is_prefix_free([""]) and theory.is_prefix_free([])
    assert (
        not theory.is_prefix_free(["0", "01"])
        and not theory.is_prefix_free(["1", "1"])
        and not theory.is_prefix_free(["", "1"])
    )
    rng = np.random.default_rng(0)
    for _ in range(300):
        words = ["".join(rng.choice(["0", "1"], size=rng.integers(1, 5))) for _ in range(4)]
        assert theory.is_prefix_free(words) == (not any(b.startswith(a) for a, b in itertools.permutations(words, 2)))


def test_unseen_mass_of_blocks_is_that_of_its_points():
    q, n = np.array([0.5, 0.25, 0.25]), np.array([3, 2, 1])
    p = np.repeat(q / n, n)
    for m in (0, 1, 5):
        assert np.isclose(theory.block_risk(m, q, n), (p * (1 - p) ** m).sum() / 2)
    assert np.isclose(theory.block_risk(4, [1], [6]), theory.no_free_lunch(4, 6)) and theory.block_risk(
        [1, 2, 3], q, n
    ).shape == (3,)
    assert binom.pmf(0, 4, 1 / 6) / 2 == pytest.approx(theory.no_free_lunch(4, 6))


@pytest.mark.parametrize("y", [[], 0, 1, [0, 1], [1, np.nan], [[1, -1]], [[]], ["a"], None, [2, -2], np.ones(301)])
def test_the_sine_rule_needs_labels(y):
    with pytest.raises(ValueError, match="labels -1 and|at most 300 labels|finite numbers"):
        theory.sine_frequency(y)
