"""The claims of the chapter on consistency: uniform convergence, complexity, and what no algorithm can promise."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import comb
from scipy.stats import binom, hypergeom

from mlcourse import KNearestNeighbors, theory
from mlcourse.data import FiniteLaw, NoisyThreshold
from mlcourse.losses import zero_one
from mlcourse.testing import assert_fails_at_most
from mlcourse.theory import all_signs, dichotomies, half_space_class, interval_class, rademacher, threshold_complexity


def random_law(rng, n=3):
    return FiniteLaw(rng.dirichlet(np.ones(2 * n)).reshape(n, 2))


def random_rules(rng):
    """Some of the eight rules on three points."""
    return rng.permutation(np.array(list(itertools.product((-1, 1), repeat=3))))[: rng.integers(1, 9)]


def all_samples(law, m):
    """Every sample of size m of a finite law as (points, labels, probability)."""
    for chosen in itertools.product(np.ndindex(law.P.shape), repeat=m):
        x, y = np.array(chosen).T
        yield x, law.labels[y], np.prod(law.P[x, y])


def risks(law, rules):
    return np.array([law.risk(h, zero_one) for h in rules])


def threshold_samples(law, n_draws, m, rng):
    """Sorted points and their labels, one sample in each row."""
    x = np.sort(rng.random((n_draws, m)), axis=1)
    return x, np.where(rng.random((n_draws, m)) < law.eta(x.ravel()).reshape(x.shape), 1, -1)


def threshold_deviation(law, x, y):
    """sup over theta of true minus empirical risk of "+1 above theta", for sorted samples in the rows of x.

    Between two sample points the empirical risk is constant and the true risk convex, so the ends are enough.
    """
    ends = np.pad(x, ((0, 0), (1, 1)), constant_values=((0, 0), (0, 1)))
    wrong_above, wrong_below = (y == -1).sum(axis=1)[:, None], np.cumsum(y == 1, axis=1) - np.cumsum(y == -1, axis=1)
    empirical = np.pad(wrong_below, ((0, 0), (1, 0))) + wrong_above
    true = law.risk_of_threshold(ends)
    return (np.maximum(true[:, :-1], true[:, 1:]) - empirical / x.shape[1]).max(axis=1)


def test_the_supremum_over_thresholds_is_that_over_a_fine_grid():
    law, rng = NoisyThreshold(theta=0.4, noise=0.2), np.random.default_rng(0)
    x, y = threshold_samples(law, 20, 15, rng)
    grid = np.linspace(0, 1, 20_001)
    for row, labels, sup in zip(x, y, threshold_deviation(law, x, y), strict=True):
        empirical = (np.where(row > grid[:, None], 1, -1) != labels).mean(axis=1)
        assert 0 <= sup - (law.risk_of_threshold(grid) - empirical).max() < 1e-4


# --- consistency -----------------------------------------------------------------------------------
@pytest.mark.claim("prop-uniform-consistency")
@pytest.mark.parametrize("seed", range(8))
def test_erm_is_caught_between_the_best_rule_and_the_one_sided_supremum(rng):
    law, rules, m = random_law(rng), random_rules(rng), 3
    true = risks(law, rules)
    tail = {epsilon: [0.0, 0.0, 0.0] for epsilon in (0.05, 0.2, 0.4)}
    for x, y, p in all_samples(law, m):
        empirical = (rules[:, x] != y).mean(axis=1)
        erm, best, sup = empirical.argmin(), true.argmin(), (true - empirical).max()
        assert true[best] <= true[erm] <= empirical[best] + sup + 1e-12
        assert true[best] - sup - 1e-12 <= empirical[erm] <= empirical[best]
        for epsilon, chances in tail.items():
            events = (true[erm] - true[best] > 2 * epsilon, sup > epsilon, empirical[best] - true[best] > epsilon)
            chances[:] = np.add(chances, p * np.array(events))
    for excess, one_sided, single in tail.values():
        assert excess <= one_sided + single + 1e-12


@pytest.mark.claim("prop-uniform-consistency")
def test_thresholds_converge_uniformly_and_erm_with_them():
    law, rng = NoisyThreshold(noise=0.2), np.random.default_rng(1)
    small, large = (threshold_deviation(law, *threshold_samples(law, 400, m, rng)).mean() for m in (100, 1600))
    assert 3 < small / large < 5  # like 1 / sqrt(m): a factor 4


def trivial_class(m, n_draws, rng):
    """Empirical risk of f_0, least empirical risk of the g_B, supremum of true minus empirical risk."""
    left = (rng.random((n_draws, m)) <= 0.5).mean(axis=1)
    return np.zeros(n_draws), left, np.maximum(1 - left, 0)  # f_0 has true risk 0, every g_B true risk 1


@pytest.mark.claim("prop-trivial-consistency", "thm-key")
@pytest.mark.erratum("EA4")
def test_erm_is_consistent_while_the_supremum_stays_at_one_half():
    rng = np.random.default_rng(2)
    for m in (4, 50, 1000):
        f_0, g_B, sup = trivial_class(m, 20_000, rng)
        assert abs(np.mean(g_B == 0) - 0.5**m) < 5 * np.sqrt(0.5**m / 20_000) + 1e-12  # else f_0 is the only minimiser
        assert abs(sup.mean() - 0.5) < 0.01 and (f_0 <= g_B).all()
    # strict consistency fails, as the key theorem says: among the rules of true risk >= 1/2 the least
    # empirical risk tends to 1/2, the least true risk is 1
    assert g_B.mean() < 0.55


@pytest.mark.claim("thm-key")
def test_strict_consistency_goes_with_one_sided_uniform_convergence_for_thresholds():
    law, rng, m = NoisyThreshold(noise=0.2), np.random.default_rng(3), 4000
    x, y = threshold_samples(law, 50, m, rng)
    assert threshold_deviation(law, x, y).mean() < 0.03
    for c in (0.2, 0.3, 0.45):  # the thresholds of true risk at least c
        grid = np.linspace(0, 1, 201)
        grid = grid[law.risk_of_threshold(grid) >= c - 1e-12]
        errors = (np.where(x[:10, None] > grid[:, None], 1, -1) != y[:10, None]).mean(axis=2)
        assert abs(errors.min(axis=1).mean() - c) < 0.03


# --- Rademacher complexity -------------------------------------------------------------------------
@pytest.mark.claim("prop-rademacher-rules")
@pytest.mark.parametrize("seed", range(15))
def test_rules_of_calculation_which_absolute_values_break(rng):
    m, c = int(rng.integers(1, 7)), rng.normal()
    H, G, f = rng.normal(size=(5, m)), rng.normal(size=(3, m)), rng.normal(size=m)
    R = rademacher(H)
    assert R >= -1e-15 and rademacher(H[:2]) <= R + 1e-12 and np.isclose(rademacher(f[None]), 0)
    assert np.isclose(rademacher(c * H), abs(c) * R) and np.isclose(rademacher(H + f), R)
    assert np.isclose(rademacher((H[:, None] + G).reshape(-1, m)), R + rademacher(G))
    mixtures = rng.dirichlet(np.ones(5), size=50) @ H
    assert np.isclose(rademacher(np.vstack([H, mixtures])), R)
    signs, y = rng.choice([-1, 1], size=(5, m)), rng.choice([-1, 1], size=m)
    assert np.isclose(rademacher(signs != y), rademacher(signs) / 2)
    sigma = all_signs(10)
    assert np.isclose(np.abs(sigma.mean(axis=1)).mean(), 126 / 512)
    H, y = theory.threshold_class(10), np.ones(10)
    absolute = [np.abs(sigma @ v.T).max(axis=1).mean() for v in ((H != y).astype(float), H)]
    assert not np.isclose(absolute[0] / absolute[1], 0.5, atol=0.02)


@pytest.mark.claim("prop-rademacher-balls")
@pytest.mark.parametrize("seed", range(15))
def test_ball_is_between_its_bounds_which_are_attained(rng):
    m, d, B = int(rng.integers(1, 11)), int(rng.integers(1, 5)), rng.uniform(0.1, 3)
    X = rng.normal(size=(m, d)) * rng.exponential(size=(m, 1))
    K = X @ X.T
    exact, upper = theory.linear_suprema(X, all_signs(m), B).mean(), theory.ball_complexity(m, np.trace(K), B)
    assert upper / np.sqrt(2) - 1e-12 <= exact <= upper + 1e-12
    assert np.isclose(theory.kernel_suprema(K, all_signs(m), B).mean(), exact)
    # orthogonal points; one point, twice
    for points, part in [(np.eye(6), 1), (np.ones((2, 1)), 1 / np.sqrt(2))]:
        m = len(points)
        assert np.isclose(theory.linear_suprema(points, all_signs(m)).mean(), part * theory.ball_complexity(m, m))


@pytest.mark.claim("prop-rademacher-thresholds")
def test_thresholds_in_closed_form():
    for m in range(1, 15):
        assert np.isclose(threshold_complexity(m), rademacher(theory.threshold_class(m)))
    m = np.array([10**4, 10**5, 10**6])
    np.testing.assert_allclose(threshold_complexity(m) * np.sqrt(m), 2 * np.sqrt(2 / np.pi), rtol=0.01)
    sigma = theory.random_signs(4000, 300, np.random.default_rng(0))
    drawn = theory.threshold_suprema(np.random.default_rng(1).random(300), sigma)
    assert abs(drawn.mean() - threshold_complexity(300)) < 5 * drawn.std() / np.sqrt(4000)


@pytest.mark.claim("lem-massart")
@pytest.mark.parametrize("seed", range(15))
def test_finite_sets_are_simple_and_the_whole_cube_comes_close(rng):
    A = rng.normal(size=(rng.integers(1, 40), rng.integers(1, 8))) * rng.exponential()
    m = A.shape[1]
    assert rademacher(A) <= theory.massart(m, len(A), np.linalg.norm(A, axis=1).max()) + 1e-12
    for m in (2, 6, 10):
        assert np.isclose(theory.massart(m, 2**m, np.sqrt(m)) / rademacher(all_signs(m)), np.sqrt(2 * np.log(2)))
    assert rademacher(np.ones((1, 4))) == theory.massart(4, 1, 2) == 0


def exact_symmetrisation(law, rules, m):
    """E sup (true - empirical risk) and the expected complexity of the losses, over every sample."""
    true = risks(law, rules)
    sup = complexity = 0.0
    for x, y, p in all_samples(law, m):
        losses = (rules[:, x] != y).astype(float)
        sup += p * (true - losses.mean(axis=1)).max()
        complexity += p * rademacher(losses)
    return sup, complexity


@pytest.mark.claim("lem-symmetrisation")
@pytest.mark.parametrize("seed", range(8))
def test_expected_supremum_is_at_most_twice_the_complexity_and_two_cannot_be_lowered(rng):
    sup, complexity = exact_symmetrisation(random_law(rng), random_rules(rng), 3)
    assert -1e-12 <= sup <= 2 * complexity + 1e-12
    m, n = 3, 300  # n equally likely points, all negative; a rule is negative on at most m points
    distinct = np.array([len(set(x)) == m for x in rng.integers(0, n, size=(2000, m))]).mean()
    sup = 1 - m / n  # such a rule errs everywhere else, and nowhere on the sample
    twice = 2 * rademacher(all_signs(m) > 0)  # on distinct points every pattern of losses occurs
    assert distinct > 0.98 and twice == 1 and sup / twice > 0.98


@pytest.mark.claim("thm-rademacher-bound")
@pytest.mark.parametrize("m", [20, 100])
def test_rademacher_bound_for_thresholds_and_for_one_rule_where_it_does_fail_sometimes(m):
    law, rng, delta = NoisyThreshold(noise=0.3), np.random.default_rng(4), 0.1
    sup = threshold_deviation(law, *threshold_samples(law, 3000, m, rng))
    bound = theory.rademacher_deviation(m, delta, threshold_complexity(m) / 2)
    assert_fails_at_most(int((sup > bound).sum()), 3000, delta)
    assert sup.mean() <= threshold_complexity(m)  # lem-symmetrisation
    assert np.quantile(sup, 1 - delta) > bound / 4  # loose, but not by an order
    too_few = math.ceil(200 * (0.5 - theory.rademacher_deviation(200, delta, 0))) - 1
    assert 0.01 < binom.cdf(too_few, 200, 0.5) <= delta


@pytest.mark.claim("thm-rademacher-data")
@pytest.mark.parametrize("m", [4, 5])
def test_data_dependent_bound_by_enumeration(m):
    law = random_law(np.random.default_rng(m), n=2)
    rules = np.array(list(itertools.product((-1, 1), repeat=2)))
    true = risks(law, rules)
    for delta in (0.9, 1.0):
        failing = 0.0
        for x, y, p in all_samples(law, m):
            losses = (rules[:, x] != y).astype(float)
            sup = (true - losses.mean(axis=1)).max()
            failing += p * (sup > theory.rademacher_data_deviation(m, delta, rademacher(losses)))
        assert failing <= delta


@pytest.mark.claim("thm-rademacher-data")
def test_the_data_dependent_bound_pays_for_two_events_and_its_complexity_has_bounded_differences():
    single = theory.rademacher_deviation(200, 0.05, 0)  # one rule: Hoeffding's deviation at delta / 2
    both = theory.rademacher_deviation(200, 0.05, 0.2 + single)
    assert np.isclose(theory.rademacher_data_deviation(200, 0.1, 0.2), both)
    rng = np.random.default_rng(5)
    for _ in range(200):
        m = int(rng.integers(1, 7))
        losses = rng.random((6, m))
        other = losses.copy()
        other[:, rng.integers(m)] = rng.random(6)
        assert abs(rademacher(losses) - rademacher(other)) <= 1 / m + 1e-12


@pytest.mark.claim("lem-contraction")
@pytest.mark.erratum("EV8")
@pytest.mark.parametrize("seed", range(20))
def test_contractions_do_not_raise_the_complexity_but_may_with_absolute_values(rng):
    m, L = int(rng.integers(1, 7)), rng.uniform(0.2, 3)
    A = 3 * rng.normal(size=(5, m))
    for psi in (lambda t: np.clip(1 - t, 0, 1), np.abs, np.sin, lambda t: np.maximum(t, 0) + 7):
        assert rademacher(L * psi(A)) <= L * rademacher(A) + 1e-12
    mixed = np.where(np.arange(m) % 2, np.abs(A), A)  # another function for each coordinate
    assert rademacher(mixed) <= rademacher(A) + 1e-12
    assert np.isclose(rademacher(L * A), L * rademacher(A))  # the constant is attained
    A, psi_A = np.array([[1, 1], [-1, -1]]), np.array([[1, 1], [-1, 1]])  # psi_1 = identity, psi_2 = | |
    with_absolute = [np.abs(all_signs(2) @ v.T).max(axis=1).mean() for v in (A, psi_A)]
    assert with_absolute == [1, 2] and rademacher(psi_A) <= rademacher(A)


# --- VC dimension ----------------------------------------------------------------------------------
@pytest.mark.claim("lem-pajor", "lem-sauer")
@pytest.mark.parametrize("seed", range(60))
def test_a_class_shatters_at_least_as_many_sets_as_it_has_members(rng):
    m = int(rng.integers(1, 8))
    values = rng.choice([-1, 1], p=[0.7, 0.3], size=(rng.integers(1, 60), m))
    members, V = len(dichotomies(values)), theory.vc_dimension(values)
    assert members <= len(theory.shattered_sets(values)) <= theory.sauer(m, V)
    if V >= 1:
        assert theory.sauer(m, V) <= theory.sauer_power(m, V)


@pytest.mark.claim("lem-sauer")
def test_sauer_is_attained_and_its_closed_form_holds():
    for m, k in itertools.product(range(4, 9), (1, 2)):
        assert len(dichotomies(interval_class(m, k))) == theory.sauer(m, 2 * k)
    for V in range(1, 20):
        m = np.arange(V, 300)
        assert (theory.sauer(m, V) <= theory.sauer_power(m, V)).all()


@pytest.mark.claim("lem-radon")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_radon_point(d):
    rng = np.random.default_rng(d)
    for _ in range(50):
        X = rng.normal(size=(d + 2, d))
        lam = np.linalg.svd(np.vstack([X.T, np.ones(d + 2)]))[2][-1]
        plus = lam > 0
        point = lam[plus] @ X[plus] / lam[plus].sum()
        np.testing.assert_allclose(point, lam[~plus] @ X[~plus] / lam[~plus].sum(), atol=1e-8)
        assert not (half_space_class(X) == np.where(plus, 1, -1)).all(axis=1).any()


@pytest.mark.claim("thm-vc-halfspaces")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_half_spaces_shatter_as_many_points_as_they_have_weights(d):
    simplex = np.vstack([np.zeros(d), np.eye(d)])
    assert theory.shatters(half_space_class(simplex)) and theory.shatters(half_space_class(np.eye(d), bias=False))
    rng = np.random.default_rng(d)
    for _ in range(4):
        assert not theory.shatters(half_space_class(rng.normal(size=(d + 2, d))))
        assert not theory.shatters(half_space_class(rng.normal(size=(d + 1, d)), bias=False))
    cover = 2 * sum(comb(5, i) for i in range(d + 1))  # points in general position
    assert len(half_space_class(rng.normal(size=(6, d)))) == cover <= theory.sauer(6, d + 1)


@pytest.mark.claim("prop-vc-intervals")
def test_classes_on_the_line_and_rectangles_which_shatter_four_points_and_never_five(rng):
    for m in range(1, 8):
        up = theory.threshold_class(m)
        both = np.vstack([up, -up])
        assert len(dichotomies(up)) == m + 1 and len(dichotomies(both)) == 2 * m
        assert len(dichotomies(interval_class(m))) == 1 + m * (m + 1) // 2
        for k in (1, 2, 3):
            assert len(dichotomies(interval_class(m, k))) == theory.sauer(m, 2 * k)
            assert theory.vc_dimension(interval_class(m, k)) == min(m, 2 * k)
        assert theory.vc_dimension(up) == 1 and theory.vc_dimension(both) == min(m, 2)
        assert theory.growth_function(both, m) == 2 * m
    diamond = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    assert theory.shatters(rectangle_class(diamond))
    for _ in range(20):
        assert not theory.shatters(rectangle_class(rng.integers(0, 5, size=(5, 2)).astype(float)))


def rectangle_class(X):
    """Every labelling of points of the plane by axis-parallel rectangles, +1 inside."""
    rows = [-np.ones(len(X))]
    for ends in itertools.product(*(itertools.combinations_with_replacement(np.sort(x), 2) for x in X.T)):
        low, high = np.transpose(ends)
        rows.append(np.where(((low <= X) & (X <= high)).all(axis=1), 1.0, -1.0))
    return np.array(rows)


@pytest.mark.claim("cor-vc-rademacher")
def test_vc_dimension_bounds_the_complexity():
    for m, k in itertools.product((4, 7, 10), (1, 2)):
        by_massart = theory.massart(m, theory.sauer(m, 2 * k), np.sqrt(m))
        assert rademacher(interval_class(m, k)) <= by_massart <= theory.vc_complexity(m, 2 * k)
    m = np.arange(1, 3000)
    assert (threshold_complexity(m) <= theory.vc_complexity(m, 1)).all()
    assert rademacher(all_signs(6)) <= theory.vc_complexity(6, 6) == np.sqrt(2)


@pytest.mark.claim("lem-binomial-quarter")
def test_a_binomial_reaches_its_mean_with_probability_a_quarter():
    for m in range(2, 400):
        k = np.arange(1, m)  # for p in (k/m, (k+1)/m] the chance is least as p falls to k/m
        chance = binom.sf(k, m, k / m)
        assert (chance >= 1 / 4 - 1e-12).all() and (m == 2 or (chance > 0.25).all())
    assert binom.sf(1, 2, 1 / 2) == pytest.approx(1 / 4)  # the constant cannot be raised
    assert binom.sf(0, 100, 0.001) < 1 / 4  # and p > 1/m is needed


@pytest.mark.claim("lem-without-replacement")
def test_random_halves_by_the_exact_hypergeometric_law():
    nearest = 0.0
    for m in (1, 2, 3, 5, 10, 30, 60):
        for r in range(2 * m + 1):
            k = np.arange(max(0, r - m), min(r, m) + 1)
            epsilon = (2 * k - r) / m
            chance, bound = hypergeom.sf(k - 1, 2 * m, r, m), theory.halves_probability(m, np.maximum(epsilon, 0))
            assert (chance <= bound * (1 + 1e-9)).all()
            nearest = max(nearest, (chance / bound)[epsilon > 0].max(initial=0))
    assert nearest > 0.55 and theory.halves_probability(1, 1) < 0.8  # not far from the truth, which is 1/2 for m = 1
    m = np.arange(1, 2000)
    sums = np.array([np.sum(1.0 / np.arange(size, 2 * size) ** 2) for size in m])
    assert (1 / (2 * sums) >= m - 3 / 4).all()


@pytest.mark.claim("thm-vc-bound")
def test_the_steps_of_the_vc_bound_which_holds_for_thresholds_and_is_loose():
    for V in range(1, 40):  # step 4: Sauer leaves room for exp(-3/4)
        n = np.arange(math.ceil(5.35 * V), 40 * V)
        assert (theory.sauer(n, V) <= math.exp(-3 / 4) * theory.sauer_power(n, V)).all()
    assert theory.sauer(6, 6) > math.exp(-3 / 4) * theory.sauer_power(6, 6) / 5  # for n near V there is little
    m, epsilon = np.arange(1, 500), np.linspace(0, 1, 50)[:, None]
    paid = theory.halves_probability(m, epsilon) * np.exp(m * epsilon**2)  # step 3: at most exp(3/4) over exp(-m eps^2)
    assert (paid <= math.exp(3 / 4) * (1 + 1e-9)).all()
    x = np.linspace(0.5, 2.678, 1000)
    assert (x < 1 + np.log(2 * x)).all()  # step 1: below 2.678 V examples the bound exceeds one
    for V, m in itertools.product((1, 2, 5), (3, 10, 40)):  # the whole chain, exactly
        for epsilon in np.linspace(0.05, 0.99, 30):
            promised = theory.vc_probability(m, V, epsilon)
            if promised < 1:
                tails = [hypergeom.sf(math.ceil((r + m * epsilon) / 2) - 1, 2 * m, r, m) for r in range(2 * m + 1)]
                assert 4 * theory.sauer(2 * m, V) * max(tails) <= promised
    law, rng, m, delta = NoisyThreshold(noise=0.3), np.random.default_rng(6), 60, 0.1
    sup = threshold_deviation(law, *threshold_samples(law, 2000, m, rng))
    bound = theory.vc_deviation(m, 1, delta)
    assert_fails_at_most(int((sup > bound).sum()), 2000, delta)
    assert np.isclose(bound, 0.397, atol=5e-4) and 0.13 < np.quantile(sup, 0.9) < 0.17


# --- structure, descriptions -----------------------------------------------------------------------
def histogram_risks(x, y, k, eta):
    """Empirical and true risk of the majority vote in k equal cells, X uniform, eta constant on 64 equal cells."""
    cell = np.minimum((x * k).astype(int), k - 1)
    h = np.where(np.bincount(cell, weights=y, minlength=k) >= 0, 1, -1)
    return np.mean(h[cell] != y), np.where(np.repeat(h, 64 // k) == 1, 1 - eta, eta).mean()


@pytest.mark.claim("thm-srm")
def test_structural_risk_minimisation_keeps_its_two_promises_with_the_complexity_of_histograms():
    rng, m, delta, sizes = np.random.default_rng(7), 300, 0.2, 2 ** np.arange(7)
    eta = np.repeat([0.9, 0.15, 0.8, 0.3], 16)
    w = 1 / ((np.arange(7) + 1) * (np.arange(7) + 2))
    penalty = theory.rademacher_deviation(m, delta * w, np.sqrt(sizes / m) / 2)
    best = [np.minimum(e := eta.reshape(k, -1).mean(axis=1), 1 - e).mean() for k in sizes]
    oracle = best + penalty + np.sqrt(np.log(1 / (delta * w)) / (2 * m))
    broken = np.zeros(3, dtype=int)
    for _ in range(1000):
        x = rng.random(m)
        y = np.where(rng.random(m) < eta[(x * 64).astype(int)], 1, -1)
        empirical, true = np.array([histogram_risks(x, y, k, eta) for k in sizes]).T
        chosen = (empirical + penalty).argmin()
        upper = empirical + penalty
        broken += [(true > upper).any(), true[chosen] > upper.min(), true[chosen] > oracle.min()]
        assert (np.diff(empirical) <= 1e-12).all() and (np.diff(penalty) > 0).all()
    assert_fails_at_most(broken[0], 1000, delta)
    assert_fails_at_most(broken[2], 1000, 2 * delta)
    assert broken[1] <= broken[0]
    rng = np.random.default_rng(8)
    for k in (1, 2, 4):
        assert rademacher(all_signs(k)[:, rng.integers(0, k, size=9)]) <= np.sqrt(k / 9) + 1e-12


@pytest.mark.claim("lem-kraft")
@pytest.mark.parametrize("seed", range(30))
def test_prefix_codes_satisfy_kraft_and_kraft_suffices_and_none_has_a_sum_above_one(rng):
    leaves = [""]
    for _ in range(rng.integers(1, 15)):  # a random binary tree: its leaves are a complete prefix code
        leaf = leaves.pop(rng.integers(len(leaves)))
        leaves += [leaf + "0", leaf + "1"]
    words = [word for word in leaves if rng.random() < 0.8] or leaves
    lengths = [len(word) for word in words]
    assert theory.is_prefix_free(words) and theory.kraft_sum(lengths) <= 1 == theory.kraft_sum(map(len, leaves))
    again = theory.kraft_code(lengths)
    assert theory.is_prefix_free(again) and [len(word) for word in again] == lengths
    every = ["".join(bits) for length in (1, 2, 3) for bits in itertools.product("01", repeat=length)]
    for words in itertools.combinations(every, 4):
        assert not theory.is_prefix_free(words) or theory.kraft_sum(map(len, words)) <= 1


def dyadic_thresholds(depth):
    """The numbers j / 2^p in (0, 1), j odd, p <= depth, with the lengths 2p - 1 of their words."""
    theta = np.concatenate([(2 * np.arange(2 ** (p - 1)) + 1) / 2**p for p in range(1, depth + 1)])
    bits = np.concatenate([np.full(2 ** (p - 1), 2 * p - 1) for p in range(1, depth + 1)])
    return theta, bits


@pytest.mark.claim("thm-occam")
def test_occam_bound_for_dyadic_thresholds():
    law, rng, m, delta = NoisyThreshold(theta=1 / 3, noise=0.2), np.random.default_rng(9), 100, 0.2
    theta, bits = dyadic_thresholds(8)
    assert theory.kraft_sum(bits) == 1 - 2**-8 * theory.kraft_sum([0])
    allowed, true, broken = theory.occam_deviation(m, 2.0**-bits, delta), law.risk_of_threshold(theta), 0
    for _ in range(1000):
        X, y = law.sample(m, rng)
        empirical = (np.where(X[:, 0] > theta[:, None], 1, -1) != y).mean(axis=1)
        broken += (np.abs(true - empirical) > allowed).any()
    assert_fails_at_most(int(broken), 1000, delta)


@pytest.mark.claim("thm-occam")
def test_the_logarithm_of_the_weight_is_needed_and_one_rule_has_hoeffdings_bound_on_both_sides():
    m, delta, k = 200, 0.1, np.arange(201)

    def some_rule_strays(epsilon, n_rules):
        """Rules that guess by coins of their own, all of the same weight."""
        return 1 - (1 - binom.pmf(k, m, 0.5)[np.abs(k / m - 0.5) > epsilon].sum()) ** n_rules

    many, one = theory.occam_deviation(m, 1 / 1024, delta), theory.occam_deviation(m, 1, delta)
    assert 0.005 < some_rule_strays(many, 1024) <= delta < some_rule_strays(0.85 * many, 1024)
    assert np.isclose(2 * np.exp(-2 * m * one**2), delta) and delta / 10 < some_rule_strays(one, 1) <= delta


# --- what cannot be promised -----------------------------------------------------------------------
def memoriser(x, y, N):
    return np.array([y[list(x).index(i)] if i in x else 1 for i in range(N)])


def majority(x, y, N):
    return np.full(N, 1 if sum(y) >= 0 else -1)


def neighbour(x, y, N):
    if len({*y}) == 1:
        return np.full(N, y[0])
    return KNearestNeighbors(k=1).fit(np.array(x)[:, None], np.array(y)).predict(np.arange(N)[:, None])


def arbitrary(x, y, N):
    return np.random.default_rng(abs(hash((*x, *y)))).choice([-1, 1], size=N)


@pytest.mark.claim("thm-no-free-lunch")
@pytest.mark.parametrize("learn", [memoriser, majority, neighbour, arbitrary])
@pytest.mark.parametrize("N, m", [(4, 2), (3, 3)])
def test_all_algorithms_average_one_half_off_the_sample(learn, N, m):
    off_sample, total = [], []
    for labels in itertools.product((-1, 1), repeat=N):
        labels = np.array(labels)
        for x in itertools.product(range(N), repeat=m):
            wrong = learn(x, tuple(labels[list(x)].tolist()), N) != labels
            off_sample.append(wrong[np.setdiff1d(np.arange(N), x)].sum() / N)
            total.append(wrong.mean())
    promised = theory.no_free_lunch(m, N)
    assert np.isclose(np.mean(off_sample), promised) and np.mean(total) >= promised - 1e-12
    assert learn is majority or learn is arbitrary or np.isclose(np.mean(total), promised)


@pytest.mark.claim("thm-no-free-lunch")
def test_twice_as_many_points_as_examples_give_a_quarter_and_a_seventh():
    m = np.arange(1, 5000)
    assert (theory.no_free_lunch(m, 2 * m) >= 1 / 4).all() and theory.no_free_lunch(1, 2) == 1 / 4

    def often_bad(labels):
        samples = itertools.product(range(4), repeat=2)  # N = 4, m = 2
        return np.mean([np.mean(memoriser(x, labels[list(x)], 4) != labels) >= 1 / 8 for x in samples])

    assert max(map(often_bad, all_signs(4))) >= 1 / 7


SLOW_RATES = [
    (lambda m: 0.4 / np.log2(m + 1.0), 8),
    (lambda m: 0.49 * np.asarray(m, dtype=float) ** -0.1, 12),
    (lambda m: 0.25 / np.asarray(m, dtype=float), 30),
    (lambda m: 0.3 * (np.asarray(m) < 50), 5),
    (lambda m: 0.49 * (np.asarray(m) < 2000), 1),  # nothing to spare until it falls to zero
    (lambda m: 0.4 * 2.0 ** -np.floor(np.log10(m)), 3),  # stairs of exact halves, long and few
    (lambda m: 0.499999 * 2.0 ** -np.floor(np.log2(m) / 7), 4),
]


@pytest.mark.claim("thm-slow-rates")
@pytest.mark.parametrize("a, n_blocks", SLOW_RATES)
def test_some_law_is_learned_as_slowly_as_you_like(a, n_blocks):
    q, n = theory.slow_rate_law(a, n_blocks)
    assert np.isclose(q.sum(), 1) and (n == np.floor(n)).all() and (n >= 1).all()
    m = np.unique(np.concatenate([np.arange(1, 3000), 2 ** np.arange(12, 40)]))
    reached = a(m) > 2.0**-n_blocks * a(1)
    assert (theory.block_risk(m, q, n) >= a(m))[reached].all() and reached.sum() > 20
    assert len(q) == len(n) == n_blocks and np.isclose(q[-1], 2.0 ** (1 - n_blocks))


@pytest.mark.claim("thm-slow-rates")
def test_the_risk_of_a_memoriser_on_such_a_law():
    q, n = theory.slow_rate_law(lambda m: 0.4 / np.log2(m + 1.0), 4)
    p, rng, m = np.repeat(q / n, n.astype(int)), np.random.default_rng(10), 30
    risk = []
    for _ in range(1500):
        labels, seen = rng.random(len(p)) < 0.5, np.zeros(len(p), dtype=bool)
        seen[rng.choice(len(p), size=m, p=p)] = True
        risk.append(p[~seen & ~labels].sum())
    assert abs(np.mean(risk) - theory.block_risk(m, q, n)) < 5 * np.std(risk) / np.sqrt(1500)
