"""The claims of the chapter on nearest neighbours, and its algorithms."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import binom

from mlcourse import HistogramRule, KNearestNeighbors, theory
from mlcourse.data import FiniteLaw, LipschitzPosterior, NestedSpheres, StepPosterior
from mlcourse.losses import excess_risk
from mlcourse.models.local.nearest_neighbors import nearest


def random_law(rng, n=3, points=None):
    return FiniteLaw(rng.dirichlet(np.ones(2 * n)).reshape(n, 2), points=points)


def one_neighbour(eta, X, new):
    """Mean risk and limit given the points, and the distances, of one neighbour."""
    i, distance = nearest(X, new, 1)
    a, b = eta(new), eta(X[i[:, 0]])
    return np.mean(b * (1 - a) + (1 - b) * a), np.mean(2 * a * (1 - a)), distance[:, 0].mean()


def wave(c):
    """A c-Lipschitz posterior in the first coordinate, with values between 0 and 1."""
    return lambda X: 1 / 2 + np.sin(2 * c * X[:, 0] + 0.3) / 2


# --- the rule ---------------------------------------------------------------------------------
@pytest.mark.claim("prop-voronoi")
@pytest.mark.parametrize("d", [1, 2, 4])
def test_a_cell_is_the_intersection_of_half_spaces_and_may_be_bounded(d):
    rng = np.random.default_rng(d)
    X, new = rng.normal(size=(12, d)), rng.normal(size=(500, d))
    owner = nearest(X, new, 1)[0][:, 0]
    for x, i in zip(new, owner, strict=True):
        A, b = 2 * (X - X[i]), (X**2).sum(axis=1) - (X[i] ** 2).sum()
        assert (A @ x <= b + 1e-12).all()
        for j in range(12):  # and in no other cell: some half-space of j excludes x
            if j != i:
                assert (2 * (X - X[j]) @ x > (X**2).sum(axis=1) - (X[j] ** 2).sum() - 1e-12).any()
    rule = KNearestNeighbors(k=1).fit([[0.0], [1.0], [4.0]], [-1, 1, -1])
    assert rule.predict([[0.5 - 1e-9], [0.5 + 1e-9], [2.5 - 1e-9], [2.5 + 1e-9]]).tolist() == [-1, 1, 1, -1]
    X = np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])  # the cell of the first is the square |x|, |y| <= 1/2
    A, b = 2 * (X[1:] - X[0]), (X[1:] ** 2).sum(axis=1)
    assert [round(-linprog(-g, A_ub=A, b_ub=b, bounds=(None, None)).fun, 9) for g in np.eye(2)] == [0.5, 0.5]


@pytest.mark.claim("prop-one-nn-training")
@pytest.mark.parametrize("seed", range(30))
def test_one_neighbour_errs_where_the_first_copy_disagrees(rng):
    X, y = rng.integers(0, 3, size=(15, 2)), rng.choice([-1, 1], size=15)
    y[:2] = -1, 1
    first = [min(j for j in range(15) if (X[j] == x).all()) for x in X]
    error = 1 - KNearestNeighbors(k=1).fit(X, y).score(X, y)
    assert np.isclose(error, np.mean(y != y[first]))
    conflict = any((X[i] == X[j]).all() and y[i] != y[j] for i, j in itertools.combinations(range(15), 2))
    assert (error > 0) == conflict


@pytest.mark.claim("prop-knn-line")
@pytest.mark.parametrize("k", [1, 3, 5, 9])
def test_on_a_line_the_answer_changes_at_promised_midpoints_only_and_as_often_as_possible(k):
    rng = np.random.default_rng(k)
    for _ in range(40):
        m = int(rng.integers(k + 1, 25))
        x, y = np.sort(rng.choice(200, size=m, replace=False)) / 8, rng.choice([-1, 1], size=m)
        y[:2] = -1, 1
        grid = np.arange(-1, 27, 1 / 16) + 1 / 64  # midpoints are multiples of 1/16
        answer = KNearestNeighbors(k=k).fit(x[:, None], y).predict(grid[:, None])
        changes = grid[1:][answer[1:] != answer[:-1]] - 1 / 64
        allowed = ((x[:-k] + x[k:]) / 2)[y[:-k] != y[k:]]
        assert np.isin(changes, allowed).all() and len(changes) <= m - k
        if k == 1:
            np.testing.assert_array_equal(changes, allowed)
    x, y = np.arange(20.0), np.tile([-1, 1], 10)
    grid = np.arange(-1, 21, 0.1)[:, None] + 0.03
    for k in (1, 3, 7):
        answer = KNearestNeighbors(k=k).fit(x[:, None], y).predict(grid)
        assert (answer[1:] != answer[:-1]).sum() == 20 - k


# --- algorithms -------------------------------------------------------------------------------
@pytest.mark.algorithm("alg-histogram")
@pytest.mark.claim("prop-histogram-erm")
@pytest.mark.parametrize("seed", range(20))
def test_histogram_is_the_best_rule_constant_on_cells(rng):
    X, y = rng.uniform(-1.5, 1.5, size=(20, 2)), rng.choice([-1, 1], size=20)
    y[:2] = -1, 1
    cell = [tuple(c) for c in np.floor(X / 1.5).astype(int)]
    names = sorted(set(cell))
    rule = HistogramRule(side=1.5).fit(X, y)
    error = 1 - rule.score(X, y)
    rules = (dict(zip(names, h, strict=True)) for h in itertools.product((-1, 1), repeat=len(names)))
    assert np.isclose(error, min(np.mean([h[c] != label for c, label in zip(cell, y, strict=True)]) for h in rules))
    counts = Counter(zip(cell, y.tolist(), strict=True))
    assert np.isclose(error, sum(min(counts[n, -1], counts[n, 1]) for n in names) / 20)
    far = rule.predict_proba([[99.0, 99.0]])[0]  # an empty cell: the whole sample
    np.testing.assert_allclose(far, [np.mean(y == -1), np.mean(y == 1)])


# --- cells ------------------------------------------------------------------------------------
@pytest.mark.claim("lem-missed-mass")
def test_missed_mass_for_random_cells_and_its_near_tight_case():
    rng = np.random.default_rng(4)
    for _ in range(500):
        m, r = int(rng.integers(1, 300)), int(rng.integers(1, 30))
        p = rng.dirichlet(np.full(r, rng.exponential() + 1e-2))
        assert p @ (1 - p) ** m <= theory.missed_mass(m, r) * (1 + 1e-12)
    m = np.array([10, 100, 1000])
    ratio = (1 - 1 / m) ** m / theory.missed_mass(m, m)  # m equal cells
    assert (ratio > [0.94, 0.99, 0.999]).all() and (ratio <= 1).all()
    p = np.linspace(0, 1, 10_001)
    curvature = np.diff(p * np.exp(-10 * p), 2)
    assert (curvature[p[1:-1] > 0.2001] > 0).all()  # not concave beyond 2/m


@pytest.mark.claim("lem-rare-cells")
def test_rare_cells_exactly_by_enumeration_and_near_tight():
    rng = np.random.default_rng(5)
    for _ in range(500):
        m, r = int(rng.integers(1, 200)), int(rng.integers(1, 20))
        k, p = int(rng.integers(1, m + 1)), rng.dirichlet(np.full(r, rng.exponential() + 1e-2))
        assert p @ binom.cdf(k - 1, m, p) <= theory.rare_mass(m, k, r) * (1 + 1e-12)
    k = np.arange(1, 1001)
    assert 0.9 < (binom.cdf(k - 1, 1000, 1 / 2) / theory.rare_mass(1000, k, 2)).max() <= 1
    p, m, k, rare = np.array([0.1, 0.3, 0.6]), 5, 2, 0.0
    for sample in itertools.product(range(3), repeat=m):
        counts = np.bincount(sample, minlength=3)
        rare += p[list(sample)].prod() * p[counts < k].sum()
    assert np.isclose(rare, p @ binom.cdf(k - 1, m, p)) and rare <= theory.rare_mass(m, k, 3)


# --- distances --------------------------------------------------------------------------------
LAWS = {
    "uniform": lambda n, d, rng: rng.uniform(-1, 1, size=(n, d)),
    "corner": lambda n, d, rng: 1 - 2 * rng.random((n, d)) ** 5,
    "two points": lambda n, d, rng: np.repeat(rng.choice([-1.0, 1.0], size=(n, 1), p=[0.1, 0.9]), d, axis=1),
    "corners": lambda n, d, rng: rng.choice([-1.0, 1.0], size=(n, d)),
}


@pytest.mark.claim("lem-nn-distance", "prop-nn-distance-sharp")
@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("d", [1, 2, 3, 8])
def test_distance_to_the_nearest_neighbour(name, d):
    rng = np.random.default_rng(d)
    for m in (1, 2, 5, 30, 200):
        measured = [nearest(LAWS[name](m, d, rng), LAWS[name](40, d, rng), 1)[1].mean() for _ in range(20)]
        assert np.mean(measured) <= min(theory.nearest_distance(m, d), theory.nearest_distance_sharp(m, d))


@pytest.mark.claim("lem-nn-distance")
def test_the_arithmetic_of_the_constant_four_also_for_roots_that_are_no_integers():
    m = np.arange(1, 20_000)
    for d in range(1, 13):
        root = m ** (1 / (d + 1))
        K = np.floor(root + 1e-9)
        cells = np.where(K == 1, 2.0, 2 / K + 2 * K**d / (math.e * m)) * np.sqrt(d)
        assert (cells <= theory.nearest_distance(m, d) * (1 + 1e-12)).all()
        assert (cells <= 3 / 4 * theory.nearest_distance(m, d))[m >= 8 ** (d + 1)].all()  # the exercise
        whole = (K ** (d + 1) == m) & (K >= 2)
        np.testing.assert_allclose((cells / theory.nearest_distance(m, d))[whole], (2 + 2 / math.e) / 4)


@pytest.mark.claim("prop-nn-distance-sharp")
def test_on_a_line_the_mean_distance_of_a_point_to_the_others_is_at_most_the_bound_which_is_attained():
    def mean_distance(x):
        return (np.abs(x[:, None] - x) + np.diag(np.full(len(x), np.inf))).min(axis=1).mean()

    rng = np.random.default_rng(6)
    for _ in range(200):
        x = np.concatenate([rng.uniform(-1, 1, size=rng.integers(2, 30)), rng.choice([-1, 1], size=2)])
        assert mean_distance(x) <= theory.nearest_distance_sharp(len(x) - 1, 1) + 1e-12
    assert mean_distance(np.array([-1.0, 1.0])) == theory.nearest_distance_sharp(1, 1)


@pytest.mark.claim("prop-curse")
@pytest.mark.parametrize("d", [1, 2, 5, 10])
def test_uniform_points_are_as_far_away_as_promised_and_the_floor_in_closed_form(d):
    rng = np.random.default_rng(d)
    for m in (1, 10, 100, 1000):
        measured = [nearest(rng.uniform(-1, 1, (m, d)), rng.uniform(-1, 1, (30, d)), 1)[1].mean() for _ in range(40)]
        floor = theory.nearest_distance_floor(m, d)
        assert floor - 3 * np.std(measured) / 40**0.5 <= np.mean(measured) <= 2.2 * floor
    for n, ball in [(1, 2), (2, np.pi), (3, 4 / 3 * np.pi)]:  # the volumes of the unit balls
        assert np.isclose(theory.nearest_distance_floor(7, n), n / (n + 1) * 2 / (7 * ball) ** (1 / n))
    ratio = theory.nearest_distance_sharp(50, np.arange(1, 40)) / theory.nearest_distance_floor(50, np.arange(1, 40))
    assert (1 < ratio).all() and (ratio < 10).all()


# --- one neighbour ----------------------------------------------------------------------------
def enumerate_risk(law, m, choose):
    """Exact expected risk and the formula of the lemma, by summing over all samples."""
    risk = formula = 0.0
    for sample in itertools.product(np.ndindex(*law.P.shape), repeat=m):
        x, label = np.array(sample).T
        chance = law.P[x, label].prod()
        for new, mass in enumerate(law.marginal):
            i = choose(x, label, new)
            a, b = law.eta[new], law.eta[x[i]]
            risk += chance * mass * (1 - a if label[i] == 1 else a)
            formula += chance * mass * (b * (1 - a) + (1 - b) * a)
    return risk, formula


@pytest.mark.claim("lem-one-nn-risk")
@pytest.mark.erratum("M38")
@pytest.mark.parametrize("seed", range(5))
def test_risk_of_one_neighbour_by_enumeration_and_ties_broken_by_labels_break_the_lemma(seed):
    law = random_law(np.random.default_rng(seed), points=[0.0, 1.0, 2.0])

    def by_package(x, label, new):
        return nearest(law.points[x], law.points[[new]], 1)[0][0, 0]

    assert np.isclose(*enumerate_risk(law, 3, by_package))
    law = FiniteLaw([[0.25, 0.10], [0.20, 0.10], [0.30, 0.05]])
    risk, formula = enumerate_risk(law, 4, lambda x, label, new: np.lexsort((-label, np.abs(x - new)))[0])
    assert round(risk, 3) == 0.436 and round(formula, 3) == 0.369


@pytest.mark.claim("prop-one-nn-lipschitz", "thm-one-nn")
@pytest.mark.parametrize("d", [1, 2, 4])
@pytest.mark.parametrize("c", [0.5, 2.0, 8.0])
def test_the_risk_of_one_neighbour_is_near_its_limit(d, c):
    rng = np.random.default_rng(d)
    for m in (1, 10, 200):
        runs = [one_neighbour(wave(c), rng.uniform(-1, 1, (m, d)), rng.uniform(-1, 1, (60, d))) for _ in range(20)]
        risk, limit, distance = np.mean(runs, axis=0)
        assert abs(risk - limit) <= c * distance <= theory.one_nn_accuracy(m, d, c)
        eta = wave(c)(rng.uniform(-1, 1, (20_000, d)))
        bayes = np.minimum(eta, 1 - eta).mean()
        assert risk <= theory.one_nn_risk(m, d, c, bayes) + 0.02


@pytest.mark.claim("prop-one-nn-lipschitz")
def test_the_constant_of_the_lipschitz_bound_is_attained():
    # eta is 0 on the left and 1 on the right end of a line of slope c, one example, no noise
    law = FiniteLaw([[0.5, 0.0], [0.0, 0.5]], points=[0.0, 1.0])  # c = 1
    risk, _ = enumerate_risk(law, 1, lambda x, label, new: 0)
    assert np.isclose(risk, 1 * 0.5)  # limit 0, distance 1 with probability one half


@pytest.mark.claim("thm-one-nn")
@pytest.mark.erratum("M45")
def test_faces_of_the_theorem_are_inverse():
    for d, c, epsilon in itertools.product((1, 2, 5), (0.3, 1.0, 4.0), (0.5, 0.1)):
        m = theory.one_nn_sample_size(epsilon, d, c)
        assert theory.one_nn_accuracy(m, d, c) <= epsilon * (1 + 1e-9)
        assert m == 1 or theory.one_nn_accuracy(m - 1, d, c) > epsilon * (1 - 1e-9)
    assert theory.one_nn_sample_size(0.1, 5, 1 / (4 * 5**0.5)) == 10**6  # and not 10^5 + 1
    assert round(float(theory.one_nn_accuracy(10**5 + 1, 5, 1 / (4 * 5**0.5))), 3) == 0.147
    assert np.isclose(theory.one_nn_risk(100, 2, 1.0, 0.2), 0.32 + theory.one_nn_accuracy(100, 2, 1.0))


@pytest.mark.claim("prop-cover-hart")
def test_cover_and_hart_on_random_laws_and_at_both_ends():
    rng = np.random.default_rng(7)
    for _ in range(2000):
        n = int(rng.integers(1, 8))
        p, eta = rng.dirichlet(np.ones(n)), rng.beta(0.5, 0.5, size=n)
        bayes, limit = p @ np.minimum(eta, 1 - eta), 2 * p @ (eta * (1 - eta))
        assert bayes - 1e-12 <= limit <= theory.cover_hart(bayes) + 1e-12
    for R in np.linspace(0, 0.5, 11):
        p, eta = np.array([0.3, 0.7]), np.array([R, 1 - R])  # the same noise everywhere
        assert np.isclose(2 * p @ (eta * (1 - eta)), theory.cover_hart(p @ np.minimum(eta, 1 - eta)))
        p, eta = np.array([2 * R, 1 - 2 * R]), np.array([0.5, 1.0])
        assert np.isclose(2 * p @ (eta * (1 - eta)), R) and np.isclose(p @ np.minimum(eta, 1 - eta), R)


@pytest.mark.claim("prop-cover-hart", "thm-one-nn")
def test_one_neighbour_with_constant_noise_has_twice_the_bayes_risk():
    rng, noise = np.random.default_rng(8), 0.1
    law = StepPosterior([0.5], [noise, 1 - noise])
    (X, y), (new, _) = law.sample(20_000, rng), law.sample(20_000, rng)
    answer, eta = y[nearest(X, new, 1)[0][:, 0]], law.eta(new)
    assert abs(np.where(answer == 1, 1 - eta, eta).mean() - theory.cover_hart(noise)) < 0.01


# --- many neighbours --------------------------------------------------------------------------
@pytest.mark.claim("lem-majority-of-k")
@pytest.mark.parametrize("k", [7, 8, 11, 12, 25, 60])
def test_majority_of_unequal_voters_by_convolution(k):
    rng = np.random.default_rng(k)
    for _ in range(300):
        voters, law = rng.beta(*rng.exponential(2.0, size=2) + 0.05, size=k), np.ones(1)
        for p in voters:
            law = np.convolve(law, [1 - p, p])
        p = voters.mean()
        q = law[math.ceil(k / 2) :].sum() if p <= 1 / 2 else law[k // 2 + 1 :].sum()  # ties are wrong
        assert p * (1 - q) + (1 - p) * q <= theory.majority_factor(k) * min(p, 1 - p) + 1e-12


@pytest.mark.claim("lem-majority-of-k")
def test_the_steps_of_the_majority_lemma_and_what_cannot_be_promised():
    v = np.linspace(0, 1, 100_001)
    for k in [*range(7, 200), 1000, 10_000]:
        assert (2 * v * (1 + v) * (1 - v**2) ** (k / 2 - 1)).max() <= 2 / np.sqrt(k)
        excess = ((1 - 2 * (p := np.linspace(1e-3, 0.5, 500))) * binom.sf(math.ceil(k / 2) - 1, k, p) / p).max()
        assert 0.3 / np.sqrt(k) <= excess <= theory.majority_factor(k) - 1
    assert theory.majority_factor(16) == 1.5 < 1 + np.sqrt(8 / 16)  # sharper than the factor in the notes
    p = 1e-6  # two voters, ties to the wrong side: the error is 3 p, more than 1 + 2 / sqrt(2) times the least
    assert (p + (1 - 2 * p) * binom.sf(0, 2, p)) / p > 1 + 2 / np.sqrt(2)
    v = (1 + np.sqrt(1 + 4 * 7)) / (2 * 7)  # where the proof needs k = 7
    assert v < 0.457 and np.log(1.457) / 2 - np.log(0.543) - 1.457 / 2 * (1 + 0.457**2 / 2) < -0.005


def knn_excess_by_simulation(eta, m, ks, d, rng, runs=25, n=60):
    """Mean excess risk for every k, from samples uniform on the cube; no noise from test labels."""
    excess = np.empty((runs, len(ks)))
    for r in range(runs):
        X, new = rng.uniform(-1, 1, (m, d)), rng.uniform(-1, 1, (n, d))
        y = np.where(rng.random(m) < eta(X), 1, -1)
        votes = np.cumsum(y[nearest(X, new, max(ks))[0]], axis=1)[:, np.array(ks) - 1]
        excess[r] = [excess_risk(np.where(v >= 0, 1, -1), eta(new)) for v in votes.T]
    return excess.mean(axis=0)


@pytest.mark.claim("thm-knn", "thm-knn-excess")
@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("c", [0.05, 1.0])
def test_many_neighbours_keep_both_promises(d, c):
    rng, ks = np.random.default_rng(d), [1, 2, 7, 10, 40, 300]
    sample = wave(c)(rng.uniform(-1, 1, (20_000, d)))
    bayes = np.minimum(sample, 1 - sample).mean()
    for m in (300, 2000):
        excess = knn_excess_by_simulation(wave(c), m, ks, d, rng)
        assert (excess <= theory.knn_excess(m, np.array(ks), d, c) + 1e-12).all()
        assert (bayes + excess[2:] <= theory.knn_risk(m, np.array(ks[2:]), d, c, bayes) + 1e-12).all()


@pytest.mark.claim("thm-knn-excess")
@pytest.mark.parametrize("seed", range(10))
def test_the_k_nearest_are_closer_than_the_nearest_of_k_blocks_and_the_noise_term_has_the_right_order(rng):
    m, d, k = int(rng.integers(20, 200)), int(rng.integers(1, 4)), int(rng.integers(1, 10))
    X, x = rng.normal(size=(m, d)), rng.normal(size=d)
    distance, n = np.linalg.norm(X - x, axis=1), m // k
    assert np.sort(distance)[:k].sum() <= distance[: k * n].reshape(k, n).min(axis=1).sum() + 1e-12
    # constant eta = 1/2 + v / 2 with v = 1 / sqrt(k): the vote errs with a constant probability
    for k in (11, 101, 1001):
        v = 1 / np.sqrt(k)
        excess, bound = v * binom.cdf(k // 2, k, (1 + v) / 2), theory.knn_excess(10 * k, k, 1, 0.0)
        assert 0.1 / np.sqrt(k) <= excess <= bound and np.isclose(bound, 1 / np.sqrt(k))


@pytest.mark.claim("cor-knn-rate")
def test_the_best_rate_follows_from_the_theorem_for_all_sizes():
    m = np.unique(np.logspace(0, 12, 500).round())
    for d, c in itertools.product((1, 2, 3, 5, 10), (0.0, 0.1, 1.0, 30.0)):
        k = np.minimum(np.ceil(m ** (2 / (d + 2)) - 1e-9), m)
        assert (theory.knn_excess(m, k, d, c) <= theory.knn_rate(m, d, c) * (1 + 1e-9)).all()


@pytest.mark.claim("thm-histogram-rate")
@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("c", [0.3, 3.0])
def test_histogram_keeps_its_promise(d, c):
    rng, eta = np.random.default_rng(d), wave(c)
    for m, K in [(50, 1), (50, 3), (500, 2), (500, 5), (2000, 8)]:
        runs = []
        for _ in range(15):
            X, new = rng.uniform(-1, 1, (m, d)), rng.uniform(-1, 1, (500, d))
            y = np.where(rng.random(m) < eta(X), 1, -1)
            rule = HistogramRule(side=2 / K, origin=-1).fit(X, y)
            runs.append(excess_risk(rule.predict(new), eta(new)))
        assert np.mean(runs) <= theory.histogram_excess(m, d, c, K)


@pytest.mark.claim("thm-histogram-rate")
def test_the_steps_of_the_histogram_rate():
    for m in (1, 5, 50, 400):
        p, N = np.linspace(1e-3, 1, 200)[:, None], np.arange(1, m + 1)
        chance = binom.pmf(N, m, p)
        assert ((chance / np.sqrt(N)).sum(axis=1) <= np.sqrt(2 / (m * p[:, 0])) + 1e-12).all()
    rng = np.random.default_rng(9)
    for _ in range(300):
        r, m = int(rng.integers(1, 60)), int(rng.integers(60, 400))
        p, N = rng.dirichlet(np.full(r, rng.exponential() + 1e-2))[:, None], np.arange(1, m + 1)
        noise = (p * (binom.pmf(N, m, p) / np.sqrt(N))).sum() + (p * (1 - p) ** m).sum()
        assert noise <= theory.histogram_excess(m, 1, 0.0, r)  # r cells, no bias
    m = np.unique(np.logspace(0, 9, 300).round())
    for d, c in itertools.product((1, 2, 5), (0.0, 1.0, 10.0)):
        K = np.floor(m ** (1 / (d + 2)) + 1e-9)
        assert (theory.histogram_excess(m, d, c, K) <= theory.histogram_rate(m, d, c) * (1 + 1e-9)).all()


# --- how many ---------------------------------------------------------------------------------
@pytest.mark.claim("cor-knn-consistent")
def test_the_promise_and_the_excess_vanish_when_k_grows_more_slowly_than_m():
    m = 10.0 ** np.arange(2, 30, 3)
    for d, power in itertools.product((1, 2, 4), (0.3, 0.5, 0.8)):
        promise = theory.knn_excess(m, np.floor(m**power), d, 2.0)
        assert (np.diff(promise) < 0).all() and promise[-1] < 0.6 * promise[0]
    law, rng = LipschitzPosterior(c=5.0, k=2), np.random.default_rng(10)
    gaps, new = [], np.linspace(0, 1, 500)[:, None]
    for size in (50, 500, 5000):
        rule = KNearestNeighbors(k=math.ceil(size**0.5))
        answers = (rule.fit(*law.sample(size, rng)).predict(new) for _ in range(10))
        gaps.append(np.mean([excess_risk(answer, law.eta(new)) for answer in answers]))
    assert gaps[0] > 3 * gaps[1] > 3 * gaps[2] and gaps[2] < 0.01


@pytest.mark.claim("thm-stone")
def test_the_risk_falls_for_a_law_without_lipschitz_posterior_and_stays_with_a_fixed_k():
    rng, spheres = np.random.default_rng(11), NestedSpheres(d=3)
    new, truth = spheres.sample(1000, rng)
    rules = [KNearestNeighbors(k=math.ceil(m**0.5)).fit(*spheres.sample(m, rng)) for m in (50, 500, 5000)]
    risks = [np.mean(rule.predict(new) != truth) for rule in rules]
    assert risks[0] > risks[1] > risks[2] and risks[2] < 0.12
    noisy = StepPosterior([0.3], [0.2, 0.8])
    (X, y), (new, _) = noisy.sample(10_000, rng), noisy.sample(5000, rng)
    votes, eta = np.cumsum(y[nearest(X, new, 101)[0]], axis=1), noisy.eta(new)
    one, many = (excess_risk(np.where(votes[:, k - 1] > 0, 1, -1), eta) for k in (1, 101))
    assert one > 0.1 and many < 0.01  # 2 R (1 - R) - R = 0.12 with one neighbour


@pytest.mark.claim("prop-k-linear")
@pytest.mark.parametrize("a, q", [(0.9, 0.4), (0.5, 0.2), (0.3, 0.01), (0.99, 0.49)])
def test_a_fixed_share_of_the_sample_errs_for_ever(a, q):
    for m in (5, 40, 1000):
        k = math.ceil(a * m)
        exact = q * binom.cdf(math.ceil(k / 2) - 1, m, q)  # N < k/2, at the point 0
        assert exact >= theory.linear_k_risk(m, a, q) - 1e-12
    assert theory.linear_k_risk(1e9, a, q) > q - 1e-3
    k = math.ceil(400 * a)
    for n_zeros, at_zero in [(math.ceil(k / 2) - 1, -1), (math.ceil(k / 2), 1)]:  # fewer than k/2, and not
        X = (np.arange(400) >= n_zeros).astype(float)[:, None]
        rule = KNearestNeighbors(k=k).fit(X, np.where(X[:, 0] == 0, 1, -1))
        assert rule.predict([[0.0]])[0] == at_zero and (rule.predict([[1.0]])[0] == -1) == (400 - n_zeros > k / 2)


# --- the exercises ----------------------------------------------------------------------------
def test_exercise_on_duplicates_by_enumeration_of_orders():
    for plus, minus in [(1, 1), (2, 1), (3, 1), (3, 2), (2, 2)]:
        labels = [1] * plus + [-1] * minus
        errors = [sum(label != order[0] for label in order) for order in itertools.permutations(labels)]
        assert np.isclose(np.mean(errors), 2 * plus * minus / (plus + minus))
        assert min(plus, minus) <= np.mean(errors) <= 2 * min(plus, minus)
