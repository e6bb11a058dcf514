"""The claims of the chapter on concentration."""

import itertools

import numpy as np
import pytest
from scipy.stats import binom

from mlcourse import DecisionStump
from mlcourse.data import FiniteLaw, NoisyThreshold
from mlcourse.losses import zero_one
from mlcourse.testing import assert_fails_at_most
from mlcourse.theory import concentration as theory
from mlcourse.theory import finite_class as finite

SEEDS = pytest.mark.parametrize("seed", range(10))
ROUNDING = 1 + 1e-9


def law_of_sum(values, chances):
    """Exact law of a sum of independent finite variables: values (m, r), chances (m, r) -> (sums, chances)."""
    places = np.array(list(itertools.product(range(values.shape[1]), repeat=len(values))))
    rows = np.arange(len(values))
    return values[rows, places].sum(axis=1), chances[rows, places].prod(axis=1)


def tails(sums, chances):
    """The points of a law in decreasing order, and the probability of at least each of them."""
    order = np.argsort(-sums)
    return sums[order], chances[order].cumsum()


# --- Markov, Chebyshev, Chernoff's method ---------------------------------------------------------
@pytest.mark.claim("lem-markov")
@SEEDS
def test_markov_on_random_laws_with_equality_on_two_points(rng):
    for _ in range(100):
        z, p = rng.exponential(size=6), rng.dirichlet(np.ones(6))
        for a in z:
            assert p[z >= a].sum() <= theory.markov_probability(p @ z, a) * ROUNDING
    a, chance = rng.uniform(0.1, 5), rng.uniform()
    assert np.isclose(chance, theory.markov_probability(a * chance, a))
    strict = np.array([0.0, a, 2 * a])  # a third value: no equality
    assert 0.5 < theory.markov_probability(strict @ [0.5, 0.3, 0.2], a) * 0.999


@pytest.mark.claim("prop-chebyshev")
@SEEDS
def test_chebyshev_on_random_laws_with_equality_on_three_points(rng):
    for _ in range(100):
        z, p = rng.normal(size=6), rng.dirichlet(np.ones(6))
        off = np.abs(z - p @ z)
        for epsilon in off[off > 1e-9]:
            assert p[off >= epsilon].sum() <= theory.chebyshev_probability(p @ off**2, epsilon) * ROUNDING
    epsilon = rng.uniform(0.1, 5)
    sigma = rng.uniform(0, epsilon)
    chances = np.array([sigma**2 / 2, epsilon**2 - sigma**2, sigma**2 / 2]) / epsilon**2
    z = np.array([-epsilon, 0, epsilon])
    assert np.isclose(chances @ z**2, sigma**2)
    assert np.isclose(chances[0] + chances[2], theory.chebyshev_probability(sigma**2, epsilon))


@pytest.mark.claim("prop-chebyshev")
@pytest.mark.parametrize("m", [1, 7, 100])
def test_chebyshev_for_averages_of_coins(m):
    k, p = np.arange(m + 1), 0.3
    for epsilon in np.linspace(0.01, 0.7, 50):
        exact = binom.pmf(k, m, p)[np.abs(k / m - p) >= epsilon].sum()
        assert exact <= theory.chebyshev_probability(p * (1 - p) / m, epsilon) * ROUNDING


@pytest.mark.claim("prop-chernoff")
@SEEDS
def test_chernoffs_method_for_every_s_and_sums_of_independent_variables(rng):
    values, chances = rng.normal(size=(5, 3)), rng.dirichlet(np.ones(3), size=5)
    points, tail = tails(*law_of_sum(values, chances))
    for s in (0.0, 0.3, 1.0, 3.0):
        moments = (chances * np.exp(s * values)).sum(axis=1)
        assert (tail <= np.exp(-s * points) * moments.prod() * ROUNDING).all()
    assert np.isclose(
        (law_of_sum(values, chances)[1] * np.exp(0.7 * law_of_sum(values, chances)[0])).sum(),
        (chances * np.exp(0.7 * values)).sum(axis=1).prod(),
    )


# --- Hoeffding ------------------------------------------------------------------------------------
@pytest.mark.claim("lem-hoeffding")
@SEEDS
def test_hoeffdings_lemma_on_random_bounded_laws_and_conditionally(rng):
    a, width = rng.normal(), rng.uniform(0.1, 3)
    z, p = a + width * rng.beta(0.3, 0.3, size=(300, 5)), rng.dirichlet(np.full(5, 0.5), size=300)
    s = rng.normal(scale=5, size=(300, 1))
    centred = z - (p * z).sum(axis=1, keepdims=True)
    assert ((p * np.exp(s * centred)).sum(axis=1) <= theory.hoeffding_moment(s[:, 0], width) * ROUNDING).all()
    c, s = 0.7, rng.normal(scale=4)
    left, inside = rng.normal(scale=10, size=20), rng.random((20, 4))  # given W = w: [left_w, left_w + c]
    z, p = left[:, None] + c * inside, rng.dirichlet(np.ones(4), size=20)
    centred = z - (p * z).sum(axis=1, keepdims=True)
    assert ((p * np.exp(s * centred)).sum(axis=1) <= theory.hoeffding_moment(s, c) * ROUNDING).all()


@pytest.mark.claim("lem-hoeffding")
def test_one_eighth_is_the_best_constant_and_two_point_laws_are_the_worst(rng):
    s = 1e-2
    assert np.log(np.cosh(s / 2)) == pytest.approx(np.log(theory.hoeffding_moment(s)), rel=1e-4)
    p, s = np.linspace(0, 1, 301)[:, None], np.linspace(-20, 20, 401)
    assert (np.log1p(p * np.expm1(s)) - p * s <= s**2 / 8 + 1e-12).all()
    for _ in range(200):
        z, weights, t = rng.random(4), rng.dirichlet(np.ones(4)), rng.normal(scale=4)
        mean = weights @ z
        assert weights @ np.exp(t * z) <= (1 - mean + mean * np.exp(t)) * ROUNDING


@pytest.mark.claim("thm-hoeffding")
@pytest.mark.erratum("EA21")
@SEEDS
def test_hoeffding_for_sums_by_enumeration_on_both_sides_and_not_with_the_exponent_of_averages(rng):
    values, chances = rng.normal(size=(7, 3)) * rng.uniform(0.1, 3, size=(7, 1)), rng.dirichlet(np.ones(3), size=7)
    widths = np.ptp(values, axis=1)
    sums, p = law_of_sum(values, chances)
    centred = sums - (values * chances).sum()
    for sign in (1, -1):
        epsilon, tail = tails(sign * centred, p)
        far = epsilon > 1e-9
        assert (tail[far] <= theory.hoeffding_sum_probability(epsilon[far], widths) * ROUNDING).all()
        two_sided = [p[np.abs(centred) >= e - 1e-12].sum() for e in epsilon[far]]
        assert (two_sided <= 2 * theory.hoeffding_sum_probability(epsilon[far], widths) * ROUNDING).all()
    exact = binom.sf(50, 100, 0.5)  # one head more than expected, or more
    assert exact == pytest.approx(0.4602, abs=1e-4) and exact <= theory.hoeffding_sum_probability(1, np.ones(100))
    assert np.exp(-2 * 100**2 / 100) < 1e-86  # the exponent of the average, wrongly used for the sum


@pytest.mark.claim("cor-hoeffding-mean")
@pytest.mark.parametrize("m", [1, 2, 5, 10, 50, 200, 1000])
def test_hoeffding_for_averages_against_exact_binomials(m):
    k, p = np.arange(m + 1), np.linspace(0.01, 0.99, 25)[:, None]
    bound = np.exp(-2 * m * (k / m - p) ** 2)
    above, below = k / m > p + 1e-9, k / m < p - 1e-9
    assert (binom.sf(k - 1, m, p)[above] <= bound[above] * ROUNDING).all()
    assert (binom.cdf(k, m, p)[below] <= bound[below] * ROUNDING).all()
    np.testing.assert_allclose(theory.hoeffding_probability(m, np.abs(k / m - p)[above]), bound[above])


@pytest.mark.claim("cor-hoeffding-mean")
def test_the_average_exceeds_its_deviation_with_probability_at_most_delta_and_two_cannot_be_raised():
    rng, m = np.random.default_rng(0), 30
    for delta in (0.3, 0.1, 0.01):
        averages = rng.beta(0.1, 0.1, size=(20_000, m)).mean(axis=1)
        assert_fails_at_most((averages > 0.5 + theory.hoeffding_deviation(m, delta)).sum(), 20_000, delta)
        assert_fails_at_most((averages < 0.5 - theory.hoeffding_deviation(m, delta)).sum(), 20_000, delta)
    epsilon, m = 0.05, np.array([1000, 10_000, 100_000])
    rate = -binom.logsf(np.round(m * (0.5 + epsilon)) - 1, m, 0.5) / (m * epsilon**2)
    assert (rate >= 2).all() and (np.diff(rate) < 0).all() and rate[-1] < 2.03


# --- the exact exponent ---------------------------------------------------------------------------
@pytest.mark.claim("thm-chernoff-kl")
@pytest.mark.parametrize("m", [1, 2, 5, 30, 200, 1000])
def test_chernoff_against_exact_binomials_and_at_the_ends(m):
    k, p = np.arange(m + 1), np.linspace(0.005, 0.995, 67)[:, None]
    bound = theory.chernoff_probability(m, k / m, p)
    assert (binom.sf(k - 1, m, p) <= bound * ROUNDING)[k / m >= p].all()
    assert (binom.cdf(k, m, p) <= bound * ROUNDING)[k / m <= p].all()
    assert (bound <= np.exp(-2 * m * (k / m - p) ** 2) * ROUNDING).all()  # never worse than Hoeffding
    assert theory.chernoff_probability(5, 1, 0.3) == pytest.approx(0.3**5)
    assert theory.chernoff_probability(5, 0, 0.3) == pytest.approx(0.7**5)
    assert theory.chernoff_probability(5, 0.5, 0) == 0 and theory.chernoff_probability(5, 0, 0) == 1


@pytest.mark.claim("thm-chernoff-kl")
@SEEDS
def test_chernoff_for_variables_with_different_laws(rng):
    values, chances = rng.random((7, 3)), rng.dirichlet(np.ones(3), size=7)
    p = (values * chances).sum() / 7
    q, tail = tails(*law_of_sum(values / 7, chances))
    far = q >= p
    assert (tail[far] <= theory.chernoff_probability(7, np.minimum(q[far], 1), p) * ROUNDING).all()
    q, tail = tails(*law_of_sum((1 - values) / 7, chances))  # the lower tail
    far = q >= 1 - p
    assert (tail[far] <= theory.chernoff_probability(7, np.maximum(1 - q[far], 0), p) * ROUNDING).all()


@pytest.mark.claim("lem-pinsker")
def test_pinsker_and_its_limit():
    q, p = np.meshgrid(np.linspace(0, 1, 501), np.linspace(0, 1, 501))
    assert (theory.kl(q, p) >= 2 * (q - p) ** 2 - 1e-15).all()
    for mean in (0.5, 0.2, 0.03):
        assert theory.kl(mean + 1e-6, mean) / 1e-12 == pytest.approx(1 / (2 * mean * (1 - mean)), rel=1e-4)


@pytest.mark.claim("prop-chernoff-exponent")
@pytest.mark.parametrize("m", [1, 2, 9, 50, 400])
def test_the_probability_of_one_value_is_the_exponential_up_to_m_plus_one_and_the_exponent_is_kl(m):
    k, p = np.arange(m + 1), np.linspace(0.02, 0.98, 49)[:, None]
    chance, bound = binom.pmf(k, m, p), theory.chernoff_probability(m, k / m, p)
    assert (theory.chernoff_floor(m, k / m, p) <= chance * ROUNDING).all() and (chance <= bound * ROUNDING).all()
    assert theory.chernoff_floor(m, 0.5, 0.5) == pytest.approx(1 / (m + 1))
    m = np.array([100, 1000, 10_000])
    for p, q in [(0.05, 0.1), (0.5, 0.6), (0.8, 0.84)]:
        rate = -binom.logsf(np.round(q * m) - 1, m, p) / m
        assert (theory.kl(q, p) <= rate).all() and (rate <= theory.kl(q, p) + np.log(m + 1) / m).all()


# --- the test set ---------------------------------------------------------------------------------
@pytest.mark.claim("thm-test-set")
def test_the_test_error_of_a_learned_rule_over_the_draw_of_both_samples():
    law, rng, n, delta = NoisyThreshold(noise=0.3), np.random.default_rng(1), 50, 0.1
    upper = both = 0
    for _ in range(2000):
        stump = DecisionStump().fit(*law.sample(20, rng))
        X, y = law.sample(n, rng)
        risk = law.risk_of_threshold(stump.threshold_)
        risk, error = risk if stump.polarity_ == 1 else 1 - risk, np.mean(stump.predict(X) != y)
        low, high = theory.risk_interval(error, n, delta)
        upper += risk > theory.risk_upper(error, n, delta)
        both += not low <= risk <= high
    assert_fails_at_most(upper, 2000, delta)
    assert_fails_at_most(both, 2000, delta)


@pytest.mark.claim("thm-test-set")
@pytest.mark.erratum("EA23")
@pytest.mark.parametrize("n, delta", [(10, 0.2), (200, 0.05), (1000, 0.01)])
def test_exact_failure_probability_of_the_test_set_bound_and_the_numbers_of_the_lecture(n, delta):
    k, p = np.arange(n + 1), np.linspace(0.001, 0.999, 200)[:, None]
    chance = binom.pmf(k, n, p)
    assert ((chance * (p > theory.risk_upper(k / n, n, delta))).sum(axis=1) <= delta).all()
    low, high = theory.risk_interval(k / n, n, delta)
    assert ((chance * ((p < low) | (p > high))).sum(axis=1) <= delta).all()
    assert theory.risk_upper(0.23, 1000, 0.01) == pytest.approx(0.277985, abs=1e-6)
    assert theory.hoeffding_probability(1000, 0.047) == pytest.approx(0.01206, abs=1e-5)


@pytest.mark.claim("cor-kl-limit")
@pytest.mark.parametrize("n, delta", [(5, 0.3), (60, 0.1), (500, 0.01)])
def test_exact_coverage_of_the_limit_from_relative_entropy_also_for_losses_between_zero_and_one(n, delta):
    k, p = np.arange(n + 1), np.linspace(0.001, 0.999, 500)[:, None]
    limit = theory.kl_upper(k / n, n, delta)
    assert ((binom.pmf(k, n, p) * (p > limit)).sum(axis=1) <= delta).all()
    assert (limit <= theory.risk_upper(k / n, n, delta) + 1e-12).all()
    assert (theory.clopper_pearson_upper(k, n, delta) <= limit + 1e-9).all()  # an exercise
    rng, delta = np.random.default_rng(2), 0.1
    for a, b in [(0.3, 3.0), (2.0, 2.0), (5.0, 0.5)]:
        averages = rng.beta(a, b, size=(5000, 40)).mean(axis=1)
        assert_fails_at_most((theory.kl_upper(averages, 40, delta) < a / (a + b)).sum(), 5000, delta)


@pytest.mark.claim("cor-kl-limit")
@pytest.mark.parametrize("n", [1, 2, 30])
@pytest.mark.parametrize("delta", [1e-9, 0.1, 0.9])
def test_the_limit_from_relative_entropy_at_the_ends_and_where_its_coverage_jumps(n, delta):
    k = np.arange(n + 1)
    limit = theory.kl_upper(k / n, n, delta)
    assert (limit >= k / n).all() and (limit[:-1] <= 1).all() and limit[-1] == 1
    assert limit[0] == pytest.approx(1 - delta ** (1 / n), abs=1e-12)  # no errors: nothing is lost
    for p in [0.0, 1.0, *np.minimum(limit + 1e-9, 1)]:
        assert binom.pmf(k, n, p)[p > limit].sum() <= delta * ROUNDING


@pytest.mark.claim("thm-clopper-pearson")
@pytest.mark.parametrize("n, delta", [(1, 0.3), (10, 0.1), (100, 0.05), (400, 0.01)])
def test_exact_coverage_of_clopper_pearson(n, delta):
    k = np.arange(n + 1)
    limit = theory.clopper_pearson_upper(k, n, delta)
    np.testing.assert_allclose(binom.cdf(k[:-1], n, limit[:-1]), delta, rtol=1e-8)
    assert limit[-1] == 1 and (np.diff(limit) > 0).all()
    just_above = np.minimum(limit[:-1] + 1e-9, 1)  # where the coverage has just jumped down
    p = np.concatenate([np.linspace(0.001, 0.999, 500), just_above])[:, None]
    failure = (binom.pmf(k, n, p) * (p > limit)).sum(axis=1)
    assert (failure <= delta).all() and failure.max() > delta * 0.999
    low, high = theory.clopper_pearson_interval(k, n, delta)
    assert ((binom.pmf(k, n, p) * ((p < low) | (p > high))).sum(axis=1) <= delta * ROUNDING).all()


@pytest.mark.claim("thm-clopper-pearson")
@SEEDS
def test_no_smaller_monotone_limit_keeps_the_promise(seed):
    rng, n, delta = np.random.default_rng(seed), 30, 0.05
    k = np.arange(n + 1)
    limit = theory.clopper_pearson_upper(k, n, delta)
    i = rng.integers(0, n + 1)
    lower = np.minimum.accumulate(np.where(k == i, limit - 0.002, limit)[::-1])[::-1]  # still non-decreasing
    p = limit[i] - 0.001
    assert (np.diff(lower) >= 0).all() and binom.pmf(k, n, p)[p > lower].sum() > delta


@pytest.mark.claim("thm-clopper-pearson")
@pytest.mark.parametrize("n", [1, 2, 7])
@pytest.mark.parametrize("delta", [1e-6, 0.05, 0.5, 0.99])
def test_every_single_limit_is_the_least_possible(n, delta):
    k = np.arange(n + 1)
    limit = theory.clopper_pearson_upper(k, n, delta)
    for i in k:
        for lower in (limit[i] * (1 - 1e-4), limit[i] / 2, 0.0, -1.0):
            smaller = np.where(k < i, np.minimum(limit, lower), np.where(k == i, lower, limit))
            p = (max(lower, 0) + limit[i]) / 2
            assert (np.diff(smaller) >= 0).all() and binom.pmf(k, n, p)[p > smaller].sum() > delta
    for p in (0.0, 1.0):
        assert binom.pmf(k, n, p)[p > limit].sum() == 0


@pytest.mark.claim("thm-clopper-pearson")
def test_the_lower_limit_is_the_mirror_image_and_the_derivative_in_the_proof_telescopes():
    n, delta, k = 12, 0.1, np.arange(13)
    low, high = theory.clopper_pearson_interval(k, n, delta)
    assert low[0] == 0 and high[-1] == 1
    np.testing.assert_allclose(binom.sf(k[1:] - 1, n, low[1:]), delta / 2)
    for i in k:
        p = low[i] + 0.0005
        assert binom.pmf(k, n, p)[p < np.where(k >= i, np.maximum(low, low[i] + 0.001), low)].sum() > delta / 2
    n, p, step = 12, 0.37, 1e-6
    for k in range(n):
        slope = (binom.cdf(k, n, p + step) - binom.cdf(k, n, p - step)) / (2 * step)
        assert slope == pytest.approx(-n * binom.pmf(k, n - 1, p), rel=1e-6)


@pytest.mark.claim("prop-wald")
@pytest.mark.parametrize("n", [5, 50, 1000])
@pytest.mark.parametrize("z", [1.0, 1.96, 5.0])
def test_the_normal_interval_loses_small_risks(n, z):
    k, p = np.arange(n + 1), np.logspace(-5, -0.01, 200)[:, None]
    margin = z * np.sqrt(k / n * (1 - k / n) / n)
    covered = ((k / n - margin <= p) & (p <= k / n + margin)) * binom.pmf(k, n, p)
    limit = theory.wald_coverage_limit(n, p[:, 0])
    assert (covered.sum(axis=1) <= limit * ROUNDING).all() and limit[0] < 0.011
    reached = covered.sum(axis=1)[p[:, 0] < 0.1 / n]  # the bound is attained: k = 1 covers small risks if z is large
    assert z < 4 or np.allclose(reached, limit[p[:, 0] < 0.1 / n], rtol=0.01)


def test_the_training_error_is_not_covered_by_the_interval_of_the_test_set():
    rng, m, delta = np.random.default_rng(3), 100, 0.05
    margin, covered = theory.risk_deviation(m, delta), 0
    for _ in range(100):
        covered += abs(DecisionStump().fit(rng.normal(size=(m, 100)), rng.choice([-1, 1], m)).risk_ - 0.5) <= margin
    assert covered < 20  # every rule has risk 1/2


# --- many rules -----------------------------------------------------------------------------------
@pytest.mark.claim("lem-union")
@SEEDS
def test_union_bound_with_equality_only_for_disjoint_events(rng):
    for _ in range(100):
        chances, events = rng.dirichlet(np.ones(8)), rng.random((3, 8)) < 0.25
        union, total = chances[events.any(axis=0)].sum(), (events @ chances).sum()
        assert union <= total + 1e-12
        assert (events.sum(axis=0) <= 1).all() == np.isclose(union, total, rtol=0, atol=1e-12)


def deviations(seed, m=30, n_rules=20):
    """True and empirical risks of random rules on a finite law, for many samples: (rules,), (samples, rules)."""
    rng = np.random.default_rng(seed)
    law = FiniteLaw(rng.dirichlet(np.ones(20)).reshape(10, 2))
    rules = rng.choice([-1, 1], size=(n_rules, 10))
    true = np.array([law.risk(h, zero_one) for h in rules])
    x, y = law.sample(1000 * m, rng)
    wrong = rules[:, x[:, 0].astype(int)] != y
    return true, wrong.reshape(n_rules, 1000, m).mean(axis=2).T


@pytest.mark.claim("thm-uniform-finite", "lem-erm-deviation", "thm-finite-class")
@pytest.mark.erratum("M25", "M26")
@pytest.mark.parametrize("seed", range(5))
def test_all_rules_of_a_finite_class_and_the_empirical_risk_minimiser(seed):
    true, empirical = deviations(seed)
    worst = np.abs(empirical - true).max(axis=1)
    excess = true[empirical.argmin(axis=1)] - true.min()
    assert (excess <= 2 * worst + 1e-12).all()
    for delta in (0.5, 0.1, 0.02):
        assert_fails_at_most((worst > finite.uniform_deviation(30, 20, delta)).sum(), 1000, delta)
        assert_fails_at_most((excess > finite.erm_excess(30, 20, delta)).sum(), 1000, delta)
    for epsilon in (0.2, 0.25, 0.3):
        assert_fails_at_most((worst >= epsilon).sum(), 1000, min(1, finite.uniform_probability(30, 20, epsilon)))


@pytest.mark.claim("lem-erm-deviation")
def test_the_factor_two_is_attained():
    true, empirical = np.array([0.6, 0.4]), np.array([0.5, 0.5])
    assert np.isclose(true[empirical.argmin()] - true.min(), 2 * np.abs(true - empirical).max())


@pytest.mark.claim("thm-finite-class")
def test_the_repaired_bound_of_the_exercise_holds_and_the_exact_excess_is_above_half_of_the_theorem():
    m, delta, k = 200, 0.1, np.arange(201)
    for N in (10, 1000, 10**6):
        gaps = np.linspace(0.01, 0.4, 400)
        wrong = binom.pmf(k, m, 0.5 - gaps[:, None]) @ (1 - binom.sf(k, m, 0.5) ** N)
        lost = gaps[wrong > delta].max()  # ERM loses this much with probability above delta
        repaired = theory.hoeffding_deviation(m, delta / (2 * N)) + theory.hoeffding_deviation(m, delta / 2)
        assert 0.45 * finite.erm_excess(m, N + 1, delta) < lost <= repaired < finite.erm_excess(m, N + 1, delta)


@pytest.mark.claim("prop-log-needed")
@pytest.mark.parametrize("m, N", [(20, 50), (100, 1000), (1000, 10**9)])
def test_the_largest_of_independent_deviations_is_as_large_as_promised_and_so_is_its_law_by_simulation(m, N):
    k = np.arange(m // 2)
    tail = binom.cdf(k, m, 0.5)
    some = -np.expm1(N * np.log1p(-tail))  # exact
    assert (some >= -np.expm1(-N * theory.chernoff_floor(m, k / m, 0.5)) - 1e-12).all()
    delta = 0.1
    enough = np.log(N) >= m * theory.kl(k / m, 0.5) + np.log(m + 1) + np.log(np.log(1 / delta))
    assert (some[enough] >= 1 - delta).all()
    exact = 0.5 - k[np.argmax(some > delta)] / m
    assert exact <= finite.uniform_deviation(m, N, delta) <= exact * (1.6 if m < 100 else 1.3) + 1 / m
    rng, m, N = np.random.default_rng(4), 20, 50
    largest = 0.5 - rng.binomial(m, 0.5, size=(20_000, N)).min(axis=1) / m
    exact = 1 - (1 - binom.cdf(5, m, 0.5)) ** N
    assert np.mean(largest >= 0.25) == pytest.approx(exact, abs=5 * np.sqrt(0.25 / 20_000))


@pytest.mark.claim("thm-realisable")
def test_consistent_rules_of_a_finite_class_have_small_risk():
    law, rng, m, delta = NoisyThreshold(noise=0.0), np.random.default_rng(5), 40, 0.1
    thetas = np.linspace(0, 1, 21)
    true, failures = law.risk_of_threshold(thetas), 0
    for _ in range(2000):
        X, y = law.sample(m, rng)
        consistent = (np.where(X > thetas, 1, -1) == y[:, None]).all(axis=0)
        assert consistent[10]  # the perfect rule
        failures += true[consistent].max() > finite.realisable_risk(m, 21, delta)
    assert_fails_at_most(failures, 2000, delta)


@pytest.mark.claim("thm-realisable")
@pytest.mark.parametrize("m, N, epsilon", [(20, 10, 0.2), (100, 1000, 0.08), (1000, 50, 0.01)])
def test_the_realisable_bound_is_nearly_attained_by_independent_rules(m, N, epsilon):
    exact = -np.expm1(N * np.log1p(-((1 - epsilon) ** m)))  # some of N rules of risk epsilon makes no error
    bound = finite.realisable_probability(m, N, epsilon)
    assert exact <= bound and exact >= (1 - 1 / np.e) * min(1, N * (1 - epsilon) ** m)
    assert bound < 1 and exact > bound / 2


# --- bounded differences --------------------------------------------------------------------------
@pytest.mark.claim("thm-mcdiarmid")
@SEEDS
def test_mcdiarmid_by_enumeration_for_arbitrary_functions_and_the_steps_of_its_proof(seed):
    """A random table Phi on {0, 1, 2}^6 with different laws of the variables: both tails, exactly."""
    rng, m = np.random.default_rng(seed), 6
    Phi = rng.normal(size=(3,) * m).cumsum(axis=seed % m)
    c = np.array([(Phi.max(axis=i) - Phi.min(axis=i)).max() for i in range(m)])
    p = np.ones(())
    for law in rng.dirichlet(np.ones(3), size=m):
        p = np.multiply.outer(p, law)
    for sign in (1, -1):
        epsilon, tail = tails((sign * (Phi - (Phi * p).sum())).ravel(), p.ravel())
        far = epsilon > 1e-9
        assert (tail[far] <= theory.mcdiarmid_probability(epsilon[far], c) * ROUNDING).all()
    rng, m = np.random.default_rng(seed), 5
    Phi, laws = rng.normal(size=(3,) * m), rng.dirichlet(np.ones(3), size=m)
    g = [Phi]
    for law in laws[::-1]:
        g.insert(0, g[0] @ law)  # average over the last variable that is still open
    for i in range(m):
        V = g[i + 1] - g[i][..., None]  # (3,) * (i + 1)
        c = (Phi.max(axis=i) - Phi.min(axis=i)).max()
        np.testing.assert_allclose(V @ laws[i], 0, atol=1e-12)
        assert np.ptp(V, axis=-1).max() <= c + 1e-12


@pytest.mark.claim("thm-mcdiarmid")
def test_mcdiarmid_for_the_number_of_empty_bins_and_the_tight_case_of_coins():
    rng, m, n_bins = np.random.default_rng(6), 60, 40
    balls = rng.integers(0, n_bins, size=(5000, m))
    empty = n_bins - np.array([len(np.unique(row)) for row in balls])
    mean = n_bins * (1 - 1 / n_bins) ** m
    assert empty.mean() == pytest.approx(mean, abs=0.2)
    for delta in (0.3, 0.05):
        epsilon = theory.mcdiarmid_deviation(delta, np.ones(m))
        assert_fails_at_most((empty - mean >= epsilon).sum(), 5000, delta)
        assert_fails_at_most((empty - mean <= -epsilon).sum(), 5000, delta)
    rate = -binom.logsf(51_999, 100_000, 0.5) / -np.log(theory.mcdiarmid_probability(2000, np.ones(100_000)))
    assert 1 <= rate < 1.06  # the number of heads: the exponent is right


def test_without_independence_the_bound_is_broken():
    m, size, epsilon = 1000, 10, 0.05  # coins glued together in groups: as good as m / size coins
    glued = 2 * binom.cdf(45, m // size, 0.5)
    assert glued > 20 * 2 * theory.hoeffding_probability(m, epsilon)
    assert glued <= 2 * theory.hoeffding_probability(m // size, epsilon)
