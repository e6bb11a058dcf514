"""The claims and algorithms of the chapter on bagging and random forests."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from mlcourse import DecisionStump, DecisionTree, KNearestNeighbors, LinearRegression, RegressionTree, theory
from mlcourse.data import NestedSpheres
from mlcourse.ensembles.bagging import Bagging, BaggingRegressor, fit_bags
from mlcourse.ensembles.random_forest import RandomForest, RandomForestRegressor
from mlcourse.ensembles.resampling import bootstrap
from mlcourse.ensembles.voting import Constant, Vote, strength_and_correlation
from mlcourse.evaluation import permutation_importance
from mlcourse.models.trees.criteria import gini, variance
from mlcourse.testing import assert_fails_at_most
from mlcourse.theory import independent_vote_sharp, majority_error, maximum_errors, unique_fraction


def law_of_wrong(errors):
    """The law of the number of errors of independent voters."""
    law = np.ones(1)
    for p in errors:
        law = np.convolve(law, [1 - p, p])
    return law


# --- votes -----------------------------------------------------------------------------------------
@pytest.mark.claim("prop-vote")
@pytest.mark.parametrize("seed", range(30))
def test_the_bounds_hold_for_unequal_voters_and_mirror_for_bad_ones(rng):
    T = int(rng.integers(1, 60))
    errors = rng.uniform(0, 0.9, size=T)
    errors *= min(1, 0.5 / errors.mean()) * rng.uniform(0.3, 1)
    edge, half = 0.5 - errors.mean(), np.arange(T + 1) >= T / 2
    assert law_of_wrong(errors)[half].sum() <= independent_vote_sharp(T, edge) * (1 + 1e-9)
    assert independent_vote_sharp(T, edge) <= theory.independent_vote(T, edge)
    more = np.arange(T + 1) > T / 2
    assert law_of_wrong(1 - errors)[more].sum() >= 1 - independent_vote_sharp(T, edge) - 1e-12


@pytest.mark.claim("prop-vote")
@pytest.mark.parametrize("edge", [0.01, 0.1, 0.37, 0.5])
@pytest.mark.parametrize("delta", [1.0, 0.3, 1e-4])
def test_enough_votes_are_the_least_number_and_the_exponent_is_that_of_chernoff(edge, delta):
    T = theory.enough_votes(edge, delta)
    assert theory.independent_vote(T, edge) <= delta * (1 + 1e-9)
    assert T == 1 or theory.independent_vote(T - 1, edge) > delta
    T, edge = np.array([[100], [101], [1000], [1001]]), np.array([0.05, 0.2, 0.3, 0.4])
    p, even = 0.5 - edge, T - T % 2
    np.testing.assert_allclose(independent_vote_sharp(T, edge), np.exp(-T * theory.kl(0.5, p)), rtol=1e-8)
    floor = np.where(T % 2 == 1, p, 1) * np.exp(-even * theory.kl(0.5, p)) / (even + 1)
    assert (majority_error(T, p) >= floor * (1 - 1e-9)).all()
    exponent = -np.log(majority_error(T, p)) / T
    assert (np.abs(exponent[2:] + np.log(1 - 4 * edge**2) / 2) < 0.008).all()


@pytest.mark.claim("prop-vote")
def test_a_vote_errs_only_if_half_of_its_voters_do_and_bits_are_voters_with_independent_errors(rng):
    """On a sample, with any number of classes; with two classes also if more than half do."""
    for k, T in itertools.product((2, 3, 4), (1, 2, 5, 8)):
        X, y = rng.normal(size=(80, 3)), rng.integers(k, size=80)
        rules = [KNearestNeighbors(k=3).fit(X[rows], y[rows]) for rows in rng.integers(80, size=(T, 25))]
        wrong = np.sum([h.predict(X) != y for h in rules], axis=0)
        errs = Vote(rules).predict(X) != y
        assert (wrong[errs] >= T / 2).all() and (k > 2 or errs[wrong > T / 2].all())
    # 2^T examples, the t-th voter errs where two bits of its own are both one: the fraction of errors is exact.
    T = 5
    bits = np.array([*itertools.product((0, 1), repeat=2 * T)])
    wrong = bits[:, :T] & bits[:, T:]  # (4^T, T), independent with probability 1/4
    fraction = np.mean(wrong.sum(axis=1) >= T / 2)
    assert np.isclose(fraction, majority_error(T, 0.25)) and fraction <= independent_vote_sharp(T, 0.25)


def extensions(family, events, m):
    """The events with which the independent family is still independent."""
    subfamilies = [some for r in range(1, len(family) + 1) for some in itertools.combinations(family, r)]

    def independent(e):
        parts = (len(e) * math.prod(map(len, some)) for some in subfamilies)
        return all(m ** len(s) * len(e.intersection(*s)) == n for s, n in zip(subfamilies, parts, strict=True))

    return filter(independent, events)


@pytest.mark.claim("prop-independent-events")
@pytest.mark.erratum("M92")
@pytest.mark.parametrize("m", range(2, 9))
def test_no_family_of_events_is_larger_and_primes_have_no_pair(m):
    """All families, up to complements: every event may be taken to contain the point 0."""
    events = [frozenset((0, *e)) for k in range(m - 1) for e in itertools.combinations(range(1, m), k)]
    families, most = [(e,) for e in events], 1
    while families:
        most = len(families[0])
        families = [(*f, e) for f in families for e in extensions(f, events[events.index(f[-1]) + 1 :], m)]
    assert most == theory.independent_events(m)
    assert all(theory.independent_events(n) <= np.log2(n) for n in range(2, 500))


@pytest.mark.claim("prop-product-identity")
@pytest.mark.erratum("M91")
@pytest.mark.parametrize("T", [3, 5, 7, 9])
@pytest.mark.parametrize("p", [Fraction(1, 100), Fraction(1, 4), Fraction(49, 100)])
def test_a_law_with_the_product_identity_whose_vote_is_worse_than_a_voter_and_beats_the_bound_for_independent_ones(
    T, p
):
    j, b = (T + 1) // 2, Fraction(2 * T, T + 1) * (p - p**T)
    chance = {0: 1 - p**T - b, j: b / math.comb(T, j), T: p**T}
    law = {e: chance.get(sum(e), 0) for e in itertools.product((0, 1), repeat=T)}
    assert sum(law.values()) == 1 and min(law.values()) >= 0 and law[(1,) * T] == p**T
    assert {sum(q for e, q in law.items() if e[t]) for t in range(T)} == {p}
    vote = sum(q for e, q in law.items() if sum(e) > T / 2)
    assert p < vote < 2 * p and np.isclose(float(vote), theory.product_identity_error(T, float(p)))
    assert theory.product_identity_error(7, 0.1) > theory.independent_vote(7, 0.4)
    assert np.isclose(theory.product_identity_error(51, 0.3), 0.59, atol=0.005)
    assert np.isclose(theory.independent_vote(51, 0.2), 0.017, atol=5e-4)
    assert np.allclose(theory.product_identity_error(10**6 + 1, [0.1, 0.3, 0.5]), [0.2, 0.6, 1.0], atol=1e-5)
    assert (np.diff(theory.product_identity_error(np.arange(1, 99, 2), 0.3)) > 0).all()


# --- bootstrap samples -----------------------------------------------------------------------------
@pytest.mark.claim("prop-unique-fraction")
@pytest.mark.erratum("M93")
def test_the_fraction_of_different_examples_by_enumeration_and_a_draw_changes_their_number_by_at_most_one():
    for m in range(1, 7):
        share = np.mean([len(set(rows)) for rows in itertools.product(range(m), repeat=m)]) / m
        assert np.isclose(share, unique_fraction(m))
    m = np.arange(1, 5000)
    assert (np.diff(unique_fraction(m)) < 0).all()
    assert unique_fraction(1) == 1 and (unique_fraction(m) > 1 - 1 / math.e).all()
    assert np.isclose(unique_fraction(10**9), 1 - 1 / math.e)
    changes = set()
    for rows in itertools.product(range(4), repeat=4):
        for i, new in itertools.product(range(4), range(4)):
            changes.add(len({*rows[:i], new, *rows[i + 1 :]}) - len(set(rows)))
    assert changes == {-1, 0, 1}


@pytest.mark.claim("prop-unique-fraction")
@pytest.mark.parametrize("m, epsilon", [(20, 0.15), (100, 0.08), (500, 0.03)])
def test_the_fraction_concentrates(m, epsilon):
    rng = np.random.default_rng(m)
    error = np.array([len(np.unique(bootstrap(m, rng))) for _ in range(2000)]) / m - unique_fraction(m)
    promised = theory.mcdiarmid_probability(epsilon, np.full(m, 1 / m))
    for side in (error, -error):
        assert_fails_at_most(int((side >= epsilon).sum()), 2000, promised)
    assert abs(error.mean()) < 5 * error.std() / np.sqrt(2000)


# --- bagging ---------------------------------------------------------------------------------------
@pytest.mark.algorithm("alg-bagging")
def test_bag_trains_on_what_it_says_it_drew_uniformly_and_independently(rng):
    X, y = rng.normal(size=(40, 2)), rng.integers(3, size=40)
    members, counts = fit_bags(DecisionTree(), X, y, np.random.default_rng(1).spawn(8))
    assert len(members) == 8 and all(count.sum() == 40 for count in counts)
    for h, count in zip(members, counts, strict=True):
        rows = np.repeat(np.arange(40), count)
        assert np.array_equal(h.predict(X), DecisionTree().fit(X[rows], y[rows]).predict(X))
    singly = [fit_bags(DecisionTree(), X, y, [child])[0][0] for child in np.random.default_rng(1).spawn(8)]
    assert all(np.array_equal(h.predict(X), g.predict(X)) for h, g in zip(members, singly, strict=True))
    model = Bagging(n_estimators=8, random_state=1).fit(X, y)
    assert np.array_equal(model.predict(X), Vote(model.members_).predict(X))
    # All 27 bootstrap samples of three rows are equally likely.
    X, y = np.arange(3.0)[:, None], np.array([0, 1, 2])
    _, counts = fit_bags(KNearestNeighbors(k=1), X, y, np.random.default_rng(2).spawn(1500))
    seen = Counter(map(tuple, counts))
    ways = {c: 6 / math.prod(map(math.factorial, c)) / 27 for c in itertools.product(range(4), repeat=3) if sum(c) == 3}
    assert set(seen) == set(ways)
    for count, chance in ways.items():
        assert abs(seen[count] / 1500 - chance) < 5 * math.sqrt(chance / 1500)


@pytest.mark.claim("prop-ideal-vote")
@pytest.mark.parametrize("B", [1, 3, 5, 21])
def test_the_step_from_one_odd_number_to_the_next(B):
    w = np.linspace(0, 1, 101)
    k = (B + 1) // 2
    step = majority_error(B + 2, w) - majority_error(B, w)
    np.testing.assert_allclose(step, (2 * w - 1) * math.comb(B, k) * (w * (1 - w)) ** k, atol=1e-12)
    assert (majority_error(B, w) <= 2 * w + 1e-12).all() and np.isclose(majority_error(B, 0.5), 0.5)


@pytest.mark.claim("prop-ideal-vote")
@pytest.mark.erratum("P19")
def test_votes_of_a_bag_are_binomial_given_the_sample_with_the_limits_and_the_factor_two():
    """The share w of all 27 bootstrap samples on which 1-NN errs, and bags of three of them, enumerated."""
    X, y = np.array([[0.0], [1.0], [3.0]]), np.array([-1, 1, -1])
    points, labels = np.array([[0.2], [0.9], [1.7], [2.2], [3.5]]), np.array([1, 1, 1, -1, 1])
    rules = []
    for rows in map(list, itertools.product(range(3), repeat=3)):
        one_class = len(set(y[rows])) == 1
        rules.append(Constant(y[rows[0]]) if one_class else KNearestNeighbors(k=1).fit(X[rows], y[rows]))
    wrong = np.array([h.predict(points) != labels for h in rules])
    w = wrong.mean(axis=0)
    votes = np.array([wrong[list(three)].sum(axis=0) > 1.5 for three in itertools.product(range(27), repeat=3)])
    np.testing.assert_allclose(votes.mean(axis=0), majority_error(3, w), atol=1e-12)
    bags = [Bagging(KNearestNeighbors(k=1), 3, random_state=seed).fit(X, y) for seed in range(400)]
    errors = [h.predict(points) != labels for h in bags]
    assert (np.abs(np.mean(errors, axis=0) - majority_error(3, w)) < 5 * 0.5 / np.sqrt(400)).all()
    assert np.allclose(majority_error(101, [0.4, 0.6]), [0.021, 0.979], atol=5e-4)
    assert np.allclose(majority_error(100_001, [0.49, 0.5, 0.51]), [0, 0.5, 1], atol=1e-6)
    assert majority_error(10**7 + 1, 0.501) / 0.501 > 1.99


# --- averages --------------------------------------------------------------------------------------
@pytest.mark.claim("prop-average-variance")
@pytest.mark.parametrize("B", [1, 2, 5, 30])
@pytest.mark.parametrize("c", [-1.0, -0.2, 0.0, 0.3, 1.0])
def test_variance_of_an_average_and_the_least_correlation(B, c):
    covariance = 4 * (c * np.ones((B, B)) + (1 - c) * np.eye(B))
    direct = covariance.sum() / B**2
    if B > 1 and c < -1 / (B - 1) - 1e-12:
        assert np.linalg.eigvalsh(covariance).min() < 0  # there are no such variables
        return
    assert np.isclose(direct, c * 4 + (1 - c) * 4 / B) and np.isclose(direct, theory.variance_of_mean(B, c, 2.0))


@pytest.mark.claim("prop-average-variance")
def test_the_correlation_is_the_share_of_variance_due_to_the_sample(rng):
    """Exactly, for a random finite law: V_1, V_2 independent given S."""
    for _ in range(20):
        chance, given = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(5), size=4)  # of S, of V given S
        values = rng.normal(size=5)
        joint = np.einsum("s,sa,sb->ab", chance, given, given)
        mean = chance @ given @ values
        variance_ = chance @ given @ values**2 - mean**2
        covariance = values @ joint @ values - mean**2
        g = given @ values
        assert np.isclose(covariance, chance @ g**2 - mean**2) and covariance >= 0
        assert np.isclose(variance_ - covariance, chance @ (given @ values**2 - g**2))


@pytest.mark.claim("prop-bagging-variance")
@pytest.mark.parametrize("seed", range(10))
def test_the_identity_over_all_bootstrap_samples(rng):
    """Three examples, 27 bootstrap samples, and all pairs of them."""
    X, y, new, target = rng.normal(size=(3, 1)), rng.normal(size=3), rng.normal(size=(6, 1)), rng.normal(size=6)
    samples = map(list, itertools.product(range(3), repeat=3))
    P = np.array([RegressionTree().fit(X[rows], y[rows]).predict(new) for rows in samples])
    ideal, v = ((target - P.mean(axis=0)) ** 2).mean(), P.var(axis=0).mean()
    assert np.isclose(((target - P) ** 2).mean(), ideal + v)
    pairs = (P[:, None] + P) / 2
    assert np.isclose(((target - pairs) ** 2).mean(), ideal + v / 2)


@pytest.mark.claim("prop-bagging-variance")
def test_bagging_regressor_follows_the_hyperbola_but_not_at_a_training_label_by_the_cross_term():
    rng = np.random.default_rng(2)
    X, y, new, target = rng.normal(size=(20, 2)), rng.normal(size=20), rng.normal(size=(50, 2)), rng.normal(size=50)
    P = np.array([h.predict(new) for h in RandomForestRegressor(1500, 2, random_state=0).fit(X, y).members_])
    ideal, v = ((target - P.mean(axis=0)) ** 2).mean(), P.var(axis=0).mean()
    bags = [BaggingRegressor(n_estimators=5, random_state=seed).fit(X, y) for seed in range(60)]
    errors = [((target - bag.predict(new)) ** 2).mean() for bag in bags]
    assert abs(np.mean(errors) - (ideal + v / 5)) < 5 * np.std(errors) / np.sqrt(60)
    # The mean of m labels, over all samples of labels from {0, 1}, exactly.
    m = 4
    labels = np.array([*itertools.product((0.0, 1.0), repeat=m + 1)])
    h = labels[:, :m].mean(axis=1)
    right = ((labels[:, 0] - 0.5) ** 2).mean() + h.var()
    assert np.isclose(((labels[:, m] - h) ** 2).mean(), right)  # a new label
    assert np.isclose(((labels[:, 0] - h) ** 2).mean(), right - 2 * 0.25 / m)


def exact_maximum_errors(m):
    """From the moments E X_(j) X_(k) = j (k + 1) / ((m + 1)(m + 2)), j <= k, and all bootstrap samples."""
    k = np.arange(1, m + 1)
    second = np.minimum.outer(k, k) * (np.maximum.outer(k, k) + 1) / ((m + 1) * (m + 2))
    first = k / (m + 1)
    maxima = [max(rows) for rows in itertools.product(range(m), repeat=m)]
    chance = np.bincount(maxima, minlength=m) / len(maxima)
    one = chance @ (1 - 2 * first + np.diag(second))
    return [1 - 2 * first[-1] + second[-1, -1], 1 - 2 * chance @ first + chance @ second @ chance, one]


@pytest.mark.claim("prop-bagging-maximum")
@pytest.mark.parametrize("m", range(1, 7))
def test_errors_of_the_maximum_from_moments_and_all_bootstrap_samples(m):
    np.testing.assert_allclose(maximum_errors(m), exact_maximum_errors(m), rtol=1e-10)


@pytest.mark.claim("prop-bagging-maximum")
@pytest.mark.erratum("P18")
def test_bagging_the_maximum_hurts_at_every_size_and_the_ratio_has_a_limit():
    for m in [*range(2, 200), 10**5]:
        original, bagged, one = maximum_errors(m)
        assert np.isclose(original, 2 / ((m + 1) * (m + 2))) and original < bagged < one
    assert np.allclose(maximum_errors(10)[:2], [0.0152, 0.0254], atol=5e-5)
    e = math.e
    limit = (e**2 / (e - 1) ** 2 + e**2 / (e**2 - 1)) / 2
    assert np.isclose(bagged / original, limit, rtol=1e-3) and round(limit, 3) == 1.83


# --- out of bag ------------------------------------------------------------------------------------
@pytest.mark.claim("thm-out-of-bag")
@pytest.mark.parametrize("learn", ["majority", "nearest"])
def test_out_of_bag_is_the_risk_at_a_new_example_by_enumeration(learn):
    """x in {0, 1}, m = 3, B = 2: all samples and all pairs of bootstrap samples, against samples of m - 1."""
    chance = {(0, -1): 0.3, (0, 1): 0.2, (1, -1): 0.1, (1, 1): 0.4}

    def vote_of(sample, rows, x):
        drawn = [sample[i] for i in rows]
        if learn == "nearest":  # the labels at the nearest points, all if none is equal
            drawn = [s for s in drawn if s[0] == x] or drawn
        return 1 if sum(s[1] for s in drawn) >= 0 else -1

    def losses(sample, ways, x, y):
        """The probability of an error of one member and of the vote of two."""
        votes = np.array([vote_of(sample, rows, x) for rows in ways])
        return np.array([np.mean(votes != y), np.mean(np.where(votes[:, None] + votes >= 0, 1, -1) != y)])

    all_ways = [*itertools.product(range(3), repeat=3)]
    missed = [rows for rows in all_ways if 0 not in rows]
    q = len(missed) / len(all_ways)
    assert np.isclose(1 - (1 - q) ** 2, theory.out_of_bag_fraction(3, 2))
    estimate, risk = np.zeros(2), np.zeros(2)
    for sample in itertools.product(chance, repeat=3):
        weight = math.prod(chance[s] for s in sample)
        judged = [[], []]
        for a, b in itertools.product(all_ways, repeat=2):
            votes = [vote_of(sample, rows, sample[0][0]) for rows in (a, b) if 0 not in rows]
            if votes:
                judged[len(votes) - 1].append((1 if sum(votes) >= 0 else -1) != sample[0][1])
        estimate += weight * np.mean(judged[0]), weight * np.mean(judged[1])
    for sample in itertools.product(chance, repeat=2):
        weight = math.prod(chance[s] for s in sample)
        ways = [*itertools.product(range(2), repeat=3)]  # m draws from m - 1 examples
        risk += weight * sum(p * losses(sample, ways, x, y) for (x, y), p in chance.items())
    np.testing.assert_allclose(estimate, risk, atol=1e-12)


@pytest.mark.claim("thm-out-of-bag")
def test_the_number_of_judges_is_binomial(rng):
    m, B = 8, 5
    counts = rng.multinomial(m, np.full(m, 1 / m), size=(4000, B))
    K = (counts[:, :, 0] == 0).sum(axis=1)
    law = binom.pmf(np.arange(B + 1), B, (1 - 1 / m) ** m)
    observed = np.bincount(K, minlength=B + 1) / 4000
    assert (np.abs(observed - law) < 5 * np.sqrt(law / 4000)).all()
    assert np.isclose(1 - law[0], theory.out_of_bag_fraction(m, B))
    assert np.isclose(theory.out_of_bag_fraction(10**6, 10), 1 - (1 - math.exp(-1)) ** 10, rtol=1e-5)


@pytest.mark.claim("thm-out-of-bag")
def test_the_average_of_the_package_agrees_with_the_theorem():
    """Bags of stumps: the out-of-bag losses against votes of K members on m draws from m - 1 fresh examples."""
    law, rng, m, B = NestedSpheres(1), np.random.default_rng(3), 12, 3
    q, out, fresh = (1 - 1 / m) ** m, [], []  # q is the chance not to be drawn
    for seed in range(250):
        X, y = law.sample(m, rng)
        if abs(y.sum()) == m:
            continue
        model = Bagging(DecisionStump(), B, random_state=seed).fit(X, y)
        tested = (model.counts_ == 0).any(axis=0)
        out += [*(model.classes_[model.out_of_bag(X)[tested].argmax(axis=1)] != y[tested])]
    for _ in range(1500):
        X, y = law.sample(m - 1, rng)
        K = 0
        while K == 0:
            K = rng.binomial(B, q)
        rules = []
        for rows in rng.integers(m - 1, size=(K, m)):
            one_class = abs(y[rows].sum()) == m
            rules.append(Constant(y[rows[0]]) if one_class else DecisionStump().fit(X[rows], y[rows]))
        X, y = law.sample(10, rng)
        shares = np.mean([h.predict(X) == 1 for h in rules], axis=0)
        fresh += [np.mean(np.where(shares > 0.5, 1, -1) != y)]
    assert abs(np.mean(out) - np.mean(fresh)) < 0.05


# --- forests ---------------------------------------------------------------------------------------
@pytest.mark.algorithm("alg-random-forest")
@pytest.mark.parametrize("n_chosen", [1, 2, 4])
def test_with_copies_of_one_feature_a_forest_is_a_bag(n_chosen):
    """Which of equal columns a leaf draws does not matter: every tree is the full tree of its bootstrap sample."""
    rng = np.random.default_rng(n_chosen)
    X, y = np.tile(rng.normal(size=(50, 1)), (1, 4)), rng.integers(2, size=50)
    forest = RandomForest(10, n_chosen, random_state=0).fit(X, y)
    new = np.tile(rng.normal(size=(200, 1)), (1, 4))
    for h, count in zip(forest.members_, forest.counts_, strict=True):
        rows = np.repeat(np.arange(50), count)
        assert np.array_equal(h.predict(new), DecisionTree().fit(X[rows], y[rows]).predict(new))
    np.testing.assert_allclose(forest.predict_proba(new), Vote(forest.members_).shares(new))


@pytest.mark.algorithm("alg-random-forest")
def test_a_useful_feature_splits_the_root_as_often_as_it_is_drawn(rng):
    X = rng.normal(size=(100, 6))
    y = (X[:, 3] > 0).astype(int)
    for n_chosen in (1, 3, 6):
        forest = RandomForest(400, n_chosen, random_state=1).fit(X, y)
        share = np.mean([h.tree_.feature[0] == 3 for h in forest.members_])
        assert abs(share - n_chosen / 6) < 5 * 0.5 / np.sqrt(400)
        members = zip(forest.members_, forest.counts_ > 0, strict=True)
        assert all(h.score(X[drawn], y[drawn]) == 1 for h, drawn in members)


class Table:
    """A fitted rule given by its predictions for the points 0, 1, 2, ..."""

    def __init__(self, votes, classes):
        self.votes, self.classes_ = np.asarray(votes), np.asarray(classes)

    def predict(self, X):
        return self.votes[np.asarray(X)[:, 0].astype(int)]


@pytest.mark.claim("prop-strength-correlation")
@pytest.mark.parametrize("k", [2, 3, 4])
def test_the_bounds_hold_for_random_voters(k):
    rng, X, found = np.random.default_rng(k), np.arange(60.0)[:, None], 0
    for _ in range(150):
        T, y = int(rng.integers(1, 12)), rng.integers(k, size=60)
        good = rng.random((T, 60)) < rng.uniform(0.4, 1, size=(T, 1)) * rng.uniform(0.5, 1, size=60)
        rules = [Table(votes, range(k)) for votes in np.where(good, y, rng.integers(k, size=(T, 60)))]
        s, c = strength_and_correlation(rules, X, y)
        if s <= 0:
            continue
        found += 1
        vote, sharp = Vote(rules), theory.strength_bound_sharp(s, c)
        assert np.mean(vote.predict(X) != y) <= sharp + 1e-12 and sharp <= theory.strength_bound(s, c) + 1e-12
        r = []
        for i in range(60):
            shares = {a: sum(h.votes[i] == a for h in rules) for a in vote.classes_ if a != y[i]}
            most = max(shares.values())
            rival = min(a for a in shares if shares[a] == most)  # any of them
            r.append([1 if h.votes[i] == y[i] else -1 if h.votes[i] == rival else 0 for h in rules])
        r = np.array(r).T
        assert np.isclose(s, r.mean())
        if k == 2 and (r.std(axis=1) > 0).all():  # the weighted mean of the correlations of all pairs
            weights = np.outer(r.std(axis=1), r.std(axis=1))
            corr = np.atleast_2d(np.corrcoef(r))
            assert np.isclose(c, (corr * weights).sum() / weights.sum())
    assert found > 100


@pytest.mark.claim("prop-strength-correlation")
@pytest.mark.parametrize("errors", [2, 10, 30])
def test_two_voters_attain_the_bound(errors):
    """They err on disjoint sets, on examples of the class that loses ties."""
    y = np.where(np.arange(100) < errors, 0, 1)
    wrong = np.array([np.arange(100) < errors // 2, (np.arange(100) >= errors // 2) & (np.arange(100) < errors)])
    rules = [Table(np.where(w, 1 - y, y), [0, 1]) for w in wrong]
    X = np.arange(100.0)[:, None]
    s, c = strength_and_correlation(rules, X, y)
    assert np.isclose(np.mean(Vote(rules).predict(X) != y), errors / 100)
    assert np.isclose(theory.strength_bound_sharp(s, c), errors / 100)
    assert np.isclose(theory.strength_bound(s, c), errors / (100 - errors))


# --- importance ------------------------------------------------------------------------------------
def gains(labels, a, criterion=gini):
    """The gain, as a share of the impurity, of the cut that sends the first a examples to the left."""
    left, whole = labels[:a].sum(axis=0), labels.sum(axis=0)
    split, before = criterion(np.array([left, whole - left]).T).sum(), criterion(whole[:, None])[0]
    return float(1 - split / before)


def over_all_orders(labels, criterion=gini):
    """The gains of all cuts, a column for each, after all permutations of the examples."""
    orders = map(list, itertools.permutations(range(len(labels))))
    return np.array([[gains(labels[order], a, criterion) for a in range(1, len(labels))] for order in orders])


@pytest.mark.claim("prop-importance-bias")
@pytest.mark.parametrize("y", [(0, 1), (0, 0, 1), (0, 1, 0, 1, 1), (0, 1, 2, 1, 0), (0, 0, 0, 0, 1), (0, 1, 2, 3, 1)])
def test_every_cut_gains_the_same_on_average_over_all_permutations(y):
    assert np.allclose(over_all_orders(np.eye(4)[list(y)]).mean(axis=0), 1 / (len(y) - 1))


@pytest.mark.claim("prop-importance-bias")
def test_every_cut_gains_the_same_variance_of_real_targets_on_average_and_more_cuts_gain_more():
    target = np.random.default_rng(0).normal(size=6)
    moments = np.column_stack([np.ones(6), target, target**2])
    assert np.allclose(over_all_orders(moments, variance).mean(axis=0), 1 / 5)
    table = over_all_orders(np.eye(2)[[0, 1, 0, 1, 1, 0]])
    best = [table[:, :n].max(axis=1) for n in range(1, 6)]
    assert np.isclose(best[0].mean(), 1 / 5) and best[-1].mean() > 2 / 5
    for n in range(1, 5):  # the next cut raises the mean if and only if it wins sometimes
        wins = (table[:, n] > best[n - 1] + 1e-12).any()
        assert wins == (best[n].mean() > best[n - 1].mean() + 1e-12)


@pytest.mark.algorithm("alg-permutation-importance")
def test_importance_is_the_mean_over_permutations_of_what_shuffling_costs(rng):
    """Four examples, 24 permutations: the average over many repetitions, and every value is one of the 24."""
    X, y = rng.normal(size=(4, 2)), rng.normal(size=4)
    h = LinearRegression().fit(rng.normal(size=(10, 2)), rng.normal(size=10))
    increase = permutation_importance(h, X, y, n_repeats=3000, rng=1)
    for j in range(2):
        costs = []
        for order in itertools.permutations(range(4)):
            Z = X.copy()
            Z[:, j] = X[list(order), j]
            costs.append(((h.predict(Z) - y) ** 2).mean() - ((h.predict(X) - y) ** 2).mean())
        assert np.abs(increase[j][:, None] - costs).min(axis=1).max() < 1e-12
        assert abs(increase[j].mean() - np.mean(costs)) < 5 * np.std(costs) / np.sqrt(3000) + 1e-12


@pytest.mark.claim("prop-permutation-importance")
def test_the_expected_importance_is_exact_on_a_finite_law():
    """x in {0, 1}^2 with dependent coordinates, n = 3: all samples and all permutations."""
    rng = np.random.default_rng(2)
    atoms = [*itertools.product((0, 1), (0, 1), (0, 1))]  # x1, x2, y
    for independent in (False, True):
        chance = rng.dirichlet(np.ones(8)).reshape(2, 2, 2)
        if independent:  # x1 independent of (x2, y)
            chance = chance.sum(axis=(1, 2))[:, None, None] * chance.sum(axis=0)
        h = rng.integers(2, size=(2, 2))  # any rule
        risk = sum(chance[a] * (h[a[:2]] != a[2]) for a in atoms)
        first = chance.sum(axis=(1, 2))
        broken = sum(chance[a] * first[z] * (h[z, a[1]] != a[2]) for a in atoms for z in (0, 1))
        n, expected = 3, 0.0
        for sample in itertools.product(atoms, repeat=n):
            weight = math.prod(chance[a] for a in sample)
            before = np.mean([h[a[:2]] != a[2] for a in sample])
            shuffled = itertools.permutations(a[0] for a in sample)
            after = np.mean([[h[z, a[1]] != a[2] for z, a in zip(zs, sample, strict=True)] for zs in shuffled])
            expected += weight * (after - before)
        assert np.isclose(expected, (1 - 1 / n) * (broken - risk))
        assert not independent or np.isclose(expected, 0)


@pytest.mark.claim("prop-permutation-importance")
def test_what_a_rule_does_not_use_has_no_importance_and_noise_has_none_on_average():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 4)), rng.integers(2, size=60)
    h = DecisionStump().fit(X, y)
    new, labels = rng.normal(size=(100, 4)), rng.integers(2, size=100)
    assert (np.delete(permutation_importance(h, new, labels, rng=0), h.feature_, axis=0) == 0).all()
    values = []
    for seed in range(300):  # features that are independent of the rest, on fresh samples
        new, labels = rng.normal(size=(40, 4)), rng.integers(2, size=40)
        values.append(permutation_importance(h, new, labels, 1, rng=seed)[h.feature_, 0])
    assert abs(np.mean(values)) < 5 * np.std(values) / np.sqrt(300)
