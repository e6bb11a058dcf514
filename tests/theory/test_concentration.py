"""The faces of the concentration bounds agree with one another, with SciPy, and refuse what they do not promise."""

import numpy as np
import pytest
from scipy.special import rel_entr
from scipy.stats import binomtest

from mlcourse.theory import concentration as theory
from mlcourse.theory import finite_class as finite

SEEDS = pytest.mark.parametrize("seed", range(10))


@SEEDS
def test_probability_deviation_and_sample_size_are_inverses(seed):
    rng = np.random.default_rng(seed)
    m, delta, width = rng.integers(1, 10_000, size=50), rng.uniform(1e-9, 1, size=50), rng.uniform(0.1, 5, size=50)
    epsilon = theory.hoeffding_deviation(m, delta, width)
    np.testing.assert_allclose(theory.hoeffding_probability(m, epsilon, width), delta)
    np.testing.assert_allclose(theory.hoeffding_sample_size(epsilon, delta, width), m)
    np.testing.assert_allclose(theory.risk_probability(m, theory.risk_deviation(m, delta)), delta)
    np.testing.assert_allclose(theory.risk_sample_size(theory.risk_deviation(m, delta), delta), m)
    c = rng.uniform(0.1, 2, size=(50, 7))
    np.testing.assert_allclose(theory.mcdiarmid_probability(theory.mcdiarmid_deviation(delta, c), c), delta)


@SEEDS
def test_the_faces_of_the_finite_class_are_inverses(seed):
    rng = np.random.default_rng(seed)
    m, N, delta = rng.integers(1, 10_000, size=50), rng.integers(1, 10**6, size=50), rng.uniform(1e-9, 1, size=50)
    epsilon = finite.uniform_deviation(m, N, delta)
    np.testing.assert_allclose(finite.uniform_probability(m, N, epsilon), delta)
    np.testing.assert_allclose(finite.uniform_sample_size(N, epsilon, delta), m)
    np.testing.assert_allclose(finite.erm_sample_size(N, finite.erm_excess(m, N, delta), delta), m)
    np.testing.assert_allclose(finite.erm_excess(m, N, delta), np.sqrt(2 / m * np.log(2 * N / delta)))
    risk = finite.realisable_risk(m, N, delta)
    positive = risk > 0
    np.testing.assert_allclose(finite.realisable_probability(m, N, risk)[positive], delta[positive])
    np.testing.assert_allclose(finite.realisable_sample_size(N, risk, delta)[positive], m[positive])


def test_the_sample_size_is_the_least_whole_number_that_suffices():
    for epsilon, delta in [(0.05, 0.05), (0.1, 0.01), (0.013, 0.2)]:
        n = theory.risk_sample_size(epsilon, delta)
        assert theory.risk_probability(n, epsilon) <= delta < theory.risk_probability(n - 1, epsilon)
        m = finite.realisable_sample_size(100, epsilon, delta)
        assert finite.realisable_probability(m, 100, epsilon) <= delta
        assert delta < finite.realisable_probability(m - 1, 100, epsilon)
    assert theory.hoeffding_sample_size(0.1, 1) == 1 and finite.realisable_sample_size(1, 0.1, 1) == 1
    assert theory.risk_sample_size(0.05, 0.05) == 738 and theory.hoeffding_sample_size(0.05, 0.05) == 600


def test_the_sum_the_average_and_bounded_differences_agree():
    m, epsilon = 40, np.linspace(0.01, 0.5, 20)
    average = theory.hoeffding_probability(m, epsilon)
    np.testing.assert_allclose(theory.hoeffding_sum_probability(m * epsilon, np.ones(m)), average)
    np.testing.assert_allclose(theory.hoeffding_sum_probability(epsilon, np.full(m, 1 / m)), average)
    np.testing.assert_allclose(theory.mcdiarmid_probability(epsilon, np.full(m, 1 / m)), average)
    c = np.random.default_rng(1).uniform(0.1, 2, size=(5, 7))  # five functions of seven variables
    np.testing.assert_allclose(theory.mcdiarmid_deviation(0.1, c), [theory.mcdiarmid_deviation(0.1, row) for row in c])


def test_relative_entropy_is_scipys_and_keeps_its_digits_near_zero():
    q, p = np.random.default_rng(0).uniform(0.01, 0.99, size=(2, 500))
    np.testing.assert_allclose(theory.kl(q, p), rel_entr(q, p) + rel_entr(1 - q, 1 - p), rtol=1e-9, atol=1e-14)
    np.testing.assert_array_equal(theory.kl([0, 1, 0, 1, 0.3], [0, 1, 1, 0, 0.3]), [0, 0, np.inf, np.inf, 0])
    np.testing.assert_allclose(theory.kl([0, 1], [0.2, 0.2]), [-np.log(0.8), -np.log(0.2)])
    assert theory.kl(0.5 + 1e-8, 0.5) == pytest.approx(2e-16, rel=1e-6)
    assert (theory.kl(np.nextafter(p, 1), p) >= 0).all()  # no rounding below zero
    assert np.isscalar(theory.kl(0.1, 0.2))


@SEEDS
def test_kl_upper_solves_its_equation(seed):
    rng = np.random.default_rng(seed)
    error, n, delta = rng.uniform(0, 1, size=50), rng.integers(1, 2000, size=50), rng.uniform(1e-6, 1, size=50)
    p = theory.kl_upper(error, n, delta)
    assert (p >= error).all()
    inside = p < 1 - 1e-9
    np.testing.assert_allclose(theory.kl(error, p)[inside], (np.log(1 / delta) / n)[inside], rtol=1e-6)
    assert theory.kl_upper(1, 10, 0.1) == 1
    assert theory.kl_upper(0.3, 10, 1e-300) == 1  # rounded up: the limit is 1 - 1e-43
    assert theory.kl_upper(0.3, 10, 1) == pytest.approx(0.3)
    assert theory.kl_upper(0, 1e9, 0.05) == pytest.approx(np.log(20) / 1e9, rel=1e-8, abs=0)
    assert theory.kl_upper(0, 10, 0.1) == pytest.approx(1 - 0.1 ** (1 / 10))  # where (1 - p)^n = delta


@pytest.mark.algorithm("alg-clopper-pearson")
def test_clopper_pearson_is_scipys():
    for errors, n in [(0, 10), (3, 10), (10, 10), (230, 1000), (999, 1000)]:
        for delta in (0.3, 0.05, 1e-4):
            one = binomtest(errors, n, alternative="less").proportion_ci(1 - delta, "exact")
            two = binomtest(errors, n).proportion_ci(1 - delta, "exact")
            assert theory.clopper_pearson_upper(errors, n, delta) == pytest.approx(one.high, abs=1e-9)
            np.testing.assert_allclose(theory.clopper_pearson_interval(errors, n, delta), two, atol=1e-9)


def test_bounds_are_not_clipped():
    assert theory.risk_upper(0.9, 10, 0.01) > 1 and theory.risk_interval(0, 10, 0.1)[0] < 0
    assert finite.uniform_probability(1, 1000, 0.01) > 1000 and theory.chebyshev_probability(4, 1) == 4


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: theory.hoeffding_deviation(0, 0.1), "m >= 1"),
        (lambda: theory.hoeffding_deviation(10, 0.0), "0 < delta <= 1"),
        (lambda: theory.hoeffding_deviation([10, 20], [0.5, 1.5]), "0 < delta <= 1"),
        (lambda: theory.hoeffding_probability(10, -0.1), "epsilon > 0"),
        (lambda: theory.hoeffding_probability(10, 0.1, width=0), "width > 0"),
        (lambda: theory.hoeffding_probability(10, np.nan), "finite numbers"),
        (lambda: theory.hoeffding_moment(1, -1), "width >= 0"),
        (lambda: theory.risk_deviation(10, 1.5), "0 < delta <= 1"),
        (lambda: theory.risk_sample_size(0.1, 1.5), "0 < delta <= 1"),
        (lambda: theory.risk_upper(1.2, 10, 0.1), "0 <= error <= 1"),
        (lambda: theory.risk_interval(np.nan, 10, 0.1), "finite numbers"),
        (lambda: theory.kl_upper(1.2, 10, 0.1), "0 <= error <= 1"),
        (lambda: theory.clopper_pearson_interval(2, 10, 1.5), "0 < delta <= 1"),
        (lambda: theory.clopper_pearson_upper(2, 10.5, 0.1), "whole n"),
        (lambda: theory.chernoff_probability(0, 0.5, 0.5), "m >= 1"),
        (lambda: theory.kl(1.2, 0.5), "0 <= q <= 1"),
        (lambda: theory.clopper_pearson_upper(11, 10, 0.1), "whole errors"),
        (lambda: theory.clopper_pearson_upper(2.5, 10, 0.1), "whole errors"),
        (lambda: theory.mcdiarmid_probability(0.1, [0, 0]), "not all zero"),
        (lambda: theory.mcdiarmid_probability(0.1, [-1, 1]), "c >= 0"),
        (lambda: theory.markov_probability(-1, 1), "mean >= 0"),
        (lambda: theory.wald_coverage_limit(10, 0), "0 < p < 1"),
        (lambda: finite.uniform_deviation(10, 0, 0.1), "n_hypotheses >= 1"),
        (lambda: finite.realisable_risk(10, 5, 2), "0 < delta <= 1"),
        (lambda: finite.realisable_risk(0, 5, 0.1), "m >= 1"),
        (lambda: finite.realisable_probability(10, 5, 0), "epsilon > 0"),
        (lambda: finite.realisable_sample_size(5, -0.1, 0.1), "epsilon > 0"),
    ],
)
def test_what_is_not_promised_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
