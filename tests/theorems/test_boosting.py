"""The claims and algorithms of the chapter on boosting."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog, minimize, minimize_scalar
from scipy.stats import chi2

from mlcourse import AdaBoost, DecisionStump, DecisionTree, theory
from mlcourse.data import XOR, NestedSpheres
from mlcourse.ensembles.adaboost import adaboost, by_stumps
from mlcourse.ensembles.resampling import rejection_sample
from mlcourse.ensembles.stagewise import coordinate_descent, regularised_boosting
from mlcourse.losses import RhoMargin
from mlcourse.testing import assert_fails_at_most, numerical_gradient


def random_rules(rng, m, T, errs=(0.05, 0.45)):
    """A weak learner of fresh random rules, each with an edge: their values on the m examples, and the labels."""
    y = rng.choice([-1.0, 1.0], size=m)

    def learn(D):
        for _ in range(10_000):
            values = rng.choice([-1.0, 1.0], size=m)
            values = values if D[values != y].sum() < 1 / 2 else -values
            if errs[0] < D[values != y].sum() < errs[1]:
                return values, values
        pytest.fail("no rule has such an error: nearly all of the weight is on few examples")

    return y, learn


def all_stumps(X):
    """The (m, N) values of all stumps, both signs."""
    signs = [np.where(x > theta, 1.0, -1.0) for x in X.T for theta in [-np.inf, *np.unique(x)]]
    return np.column_stack([*signs, *(-s for s in signs)])


def best_margin(M):
    """The largest least margin of a mixture of the columns, and its weights."""
    m, N = M.shape
    total, bounds = [np.append(np.ones(N), 0)], [(0, None)] * N + [(None, None)]
    best = linprog(-np.eye(N + 1)[N], np.column_stack([-M, np.ones(m)]), np.zeros(m), total, [1], bounds)
    return -best.fun, best.x[:-1]


def least_edge(M):
    """The smallest largest edge that a distribution over the rows leaves, and the distribution: the dual problem."""
    margin, D = best_margin(-M.T)
    return -margin / 2, D


def expected_exponential(f, eta):
    """The mean of exp(-y f) where y = 1 has probability eta."""
    return eta * np.exp(-f) + (1 - eta) * np.exp(f)


def noisy_stumps_sample(rng, m):
    """Points of the plane with both labels, which the first feature predicts with noise."""
    X = rng.normal(size=(m, 2))
    y = np.where(X[:, 0] + rng.normal(size=m) > 0, 1.0, -1.0)
    y[:2] = -1, 1
    return X, y


# --- training error --------------------------------------------------------------------------------
@pytest.mark.claim("thm-adaboost", "prop-adaboost-half")
@pytest.mark.algorithm("alg-adaboost")
@pytest.mark.erratum("M95")
@pytest.mark.parametrize("seed", range(20))
def test_identities_of_adaboost_with_any_rules(rng):
    m, T = int(rng.integers(5, 60)), 12
    y, learn = random_rules(rng, m, T)
    path = adaboost(y, learn, max_iter=T).path
    D, f, product = np.full(m, 1 / m), np.zeros(m), 1.0
    np.testing.assert_array_equal(path[0].D, D)
    for state in path[1:]:
        wrong = state.h != y
        assert np.isclose(state.epsilon, D[wrong].sum())
        best = minimize_scalar(lambda a, D=D, h=state.h: D @ np.exp(-a * y * h))
        assert np.isclose(best.x, state.alpha, atol=1e-5) and np.isclose(best.fun, state.Z)
        assert np.isclose(state.Z, theory.exponential_risk(state.epsilon))
        f, product, D = f + state.alpha * state.h, product * state.Z, state.D
        np.testing.assert_allclose(D, np.exp(-y * f) / (m * product), rtol=1e-9)
        assert np.isclose(D[wrong].sum(), 1 / 2)
        assert np.isclose(np.exp(-y * f).mean(), product)
    epsilon = np.array([state.epsilon for state in path[1:]])
    error = np.mean(np.where(f >= 0, 1, -1) != y)
    assert len(path) == T + 1 and error <= theory.exponential_risk(epsilon) <= theory.edge_bound(1 / 2 - epsilon)
    assert np.isclose(theory.exponential_risk(epsilon), product)


@pytest.mark.claim("thm-adaboost")
def test_the_bound_cannot_be_improved_and_the_training_error_may_rise_although_it_falls():
    """With votes shared so that a fraction epsilon is wrong, T identical errors: the risk is the product exactly."""
    for m, wrong in ((10, 1), (10, 4), (1000, 499)):
        y = np.ones(m)
        h = np.where(np.arange(m) < wrong, -1.0, 1.0)
        last = adaboost(y, lambda D, h=h: (h, h), max_iter=1).last
        assert np.isclose(np.exp(-last.alpha * h).mean(), last.Z) and np.isclose(last.epsilon, wrong / m)
    edge = np.array([1e-2, 1e-3])
    sharp, bound = theory.exponential_risk(1 / 2 - edge)[..., None], theory.edge_bound(edge)
    assert np.allclose(np.log(sharp) / np.log(bound), 1, rtol=1e-3)
    X, y = NestedSpheres(d=2).sample(200, np.random.default_rng(1))
    model = AdaBoost(n_rounds=200).fit(X, y)
    errors = [np.mean(p != y) for p in model.staged_predict(X)]
    assert (np.diff(errors) > 0).sum() > 10 and (model.Z_ < 1).all()


@pytest.mark.claim("prop-adaboost-half")
def test_a_rule_with_an_edge_is_never_bought_twice_in_a_row():
    X, y = NestedSpheres(d=2).sample(100, np.random.default_rng(0))
    rules = [(h.feature_, h.threshold_, h.polarity_) for h in AdaBoost(n_rounds=150).fit(X, y).rules_]
    assert len(rules) == 150 and all(a != b for a, b in itertools.pairwise(rules))


@pytest.mark.claim("cor-adaboost-zero")
@pytest.mark.erratum("EA12")
@pytest.mark.parametrize("seed", range(10))
def test_zero_training_error_after_enough_rounds_unless_labels_contradict(rng):
    m = int(rng.integers(4, 40))
    y, learn = random_rules(rng, m, 10, errs=(0.02, 0.4))
    T = int(theory.enough_rounds(m, 0.1))
    path = adaboost(y, learn, max_iter=T).path
    f = sum(state.alpha * state.h for state in path[1:])
    assert all(1 / 2 - state.epsilon >= 0.1 for state in path[1:]) and (y * f > 0).all()
    X, y = np.array([[0.0], [0], [0], [1], [1]]), np.array([1, 1, -1, -1, -1])
    model = AdaBoost(n_rounds=1000).fit(X, y)
    edge = 1 / 2 - model.epsilon_
    assert np.isclose(1 - model.score(X, y), 0.2) and edge[-1] < 1e-3
    assert np.isclose((edge**2).sum(), 0.251, atol=1e-3)
    least = minimize(lambda s: np.exp(-y * np.where(X[:, 0] > 0, s[1], s[0])).mean(), np.zeros(2)).fun
    assert np.isclose(np.prod(model.Z_), least, atol=1e-3)  # the least exponential risk of all functions: not 0


@pytest.mark.algorithm("alg-adaboost")
def test_the_printed_sign_of_the_vote_buys_the_same_rule_for_ever(rng):
    X = rng.normal(size=(30, 2))
    y = np.where(X.sum(axis=1) + rng.normal(size=30) / 2 > 0, 1.0, -1.0)
    learn, D, bought = by_stumps(X, y), np.full(30, 1 / 30), set()
    for _ in range(10):
        h, values = learn(D)
        epsilon = max(D[values != y].sum(), 1e-12)
        D = D * np.exp(-np.log(epsilon / (1 - epsilon)) / 2 * y * values)
        D /= D.sum()
        bought.add((h.feature_, h.threshold_))
    assert len(bought) == 1


@pytest.mark.algorithm("alg-boosted-stumps")
@pytest.mark.parametrize("seed", range(30))
def test_one_sort_gives_the_best_stump_for_every_distribution(rng):
    X, y = rng.integers(5, size=(12, 3)).astype(float), rng.choice([-1.0, 1.0], size=12)
    y[:2] = -1, 1
    learn, edges = by_stumps(X, y), all_stumps(X)
    for D in rng.dirichlet(np.ones(12), size=3):
        h, values = learn(D)
        assert np.isclose(D @ (y * values), ((D * y) @ edges).max())
        assert np.isclose(h.risk_, DecisionStump().fit(X, y, D).risk_)


# --- sampling --------------------------------------------------------------------------------------
@pytest.mark.claim("prop-rejection")
@pytest.mark.algorithm("alg-rejection")
@pytest.mark.parametrize("D", [np.full(5, 0.2), np.array([0.9, 0.05, 0.05, 0.0]), np.arange(1.0, 8) / 28], ids=len)
def test_rejection_draws_from_the_distribution(D):
    rng, n = np.random.default_rng(0), 40_000
    rows = rejection_sample(D, n, rng)
    counts, possible = np.bincount(rows, minlength=len(D)), D > 0
    assert counts[~possible].sum() == 0
    statistic = ((counts - n * D)[possible] ** 2 / (n * D[possible])).sum()
    assert statistic < chi2.isf(1e-6, possible.sum() - 1)
    pairs = np.bincount(rows[:-1:2] * len(D) + rows[1::2], minlength=len(D) ** 2)  # independent draws
    expected = n / 2 * np.outer(D, D).ravel()
    seen = expected > 0
    assert ((pairs - expected)[seen] ** 2 / expected[seen]).sum() < chi2.isf(1e-6, seen.sum() - 1)
    wrong = np.arange(len(D)) % 2 == 0  # the error of a fixed rule on n draws: mean and variance
    means = wrong[rejection_sample(D, 2000 * 50, rng)].reshape(2000, 50).mean(axis=1)
    epsilon = D[wrong].sum()
    assert abs(means.mean() - epsilon) < 5 * np.sqrt(epsilon * (1 - epsilon) / 100_000)
    assert np.isclose(means.var(), epsilon * (1 - epsilon) / 50, rtol=0.2)


@pytest.mark.claim("prop-rejection")
def test_the_mean_number_of_proposals():
    rng, D = np.random.default_rng(1), np.array([0.5, 0.3, 0.1, 0.1])
    n = 200_000
    row, height = rng.integers(4, size=n), rng.uniform(0, D.max(), size=n)
    accepted = np.flatnonzero(height < D[row])
    waits = np.diff(np.append(-1, accepted))
    assert np.isclose(waits.mean(), 4 * D.max(), rtol=0.02) and np.isclose(len(accepted) / n, 1 / 2, atol=0.01)
    p = 1 / (4 * D.max())
    assert np.isclose(waits.var(), (1 - p) / p**2, rtol=0.05)  # geometric


# --- the exponential risk --------------------------------------------------------------------------
@pytest.mark.claim("prop-stagewise")
@pytest.mark.erratum("P20")
@pytest.mark.parametrize("seed", range(20))
def test_no_rule_with_any_vote_beats_that_of_least_normalised_error(rng):
    m, H = 15, rng.choice([-1.0, 1.0], size=(15, 9))
    y, f = rng.choice([-1.0, 1.0], size=m), rng.normal(size=m)
    D = np.exp(-y * f) / np.exp(-y * f).sum()
    errors = np.array([D[h != y].sum() for h in H.T])
    least = errors.min()
    if not 0 < least < 1 / 2:
        pytest.skip("no rule with an edge, or a perfect one")
    risks = [lambda a, h=h: np.exp(-y * (f + a * h)).mean() for h in H.T]
    found = [minimize_scalar(risk, bounds=(0, 20), method="bounded") for risk in risks]
    assert np.argmin([r.fun for r in found]) == errors.argmin()
    best = min(found, key=lambda r: r.fun)
    assert np.isclose(best.x, np.log((1 - least) / least) / 2, atol=1e-3)
    assert np.isclose(best.fun, np.exp(-y * f).mean() * theory.exponential_risk(least))
    h, a = H[:, errors.argmin()], np.log((1 - least) / least)  # the other convention: a = 2 alpha
    updates = D * np.exp(a * (h != y)), D * np.exp(-a / 2 * y * h)
    np.testing.assert_allclose(*(u / u.sum() for u in updates))


@pytest.mark.claim("prop-coordinate-descent")
@pytest.mark.algorithm("alg-coordinate-descent")
@pytest.mark.erratum("EV14")
@pytest.mark.parametrize("seed", range(10))
def test_slopes_and_steps_of_coordinate_descent(rng):
    X, y = noisy_stumps_sample(rng, 25)
    H = np.unique(all_stumps(X), axis=1)
    H = H[:, H[0] == 1]  # one of each pair of opposite rules

    def risk(a):
        return np.exp(-y * (H @ a)).mean()

    path = coordinate_descent(H, y, max_iter=12).path
    for before, after in itertools.pairwise(path):
        D = np.exp(-y * (H @ before))
        edges = (D / D.sum() * y) @ H / 2
        np.testing.assert_allclose(numerical_gradient(risk, before), -2 * risk(before) * edges, atol=1e-6)
        (j,) = np.flatnonzero(after - before)
        assert np.isclose(np.abs(edges[j]), np.abs(edges).max())
        line = minimize_scalar(lambda tau, before=before, j=j: risk(before + tau * (np.arange(len(before)) == j)))
        assert np.isclose(line.fun, risk(after)) and np.isclose(line.x, (after - before)[j], atol=1e-4)
        epsilon = by_stumps(X, y)(D / D.sum())[0].risk_  # AdaBoost buys a rule of this error and makes this progress
        assert np.isclose(theory.exponential_risk(epsilon), risk(after) / risk(before))


@pytest.mark.claim("prop-exp-minimiser")
@pytest.mark.erratum("P21")
def test_the_best_score_is_half_the_log_odds():
    eta, s = np.linspace(0.01, 0.99, 33), np.linspace(-6, 6, 4001)[:, None]
    risks, best = expected_exponential(s, eta), np.log(eta / (1 - eta)) / 2
    value = expected_exponential(best, eta)
    assert np.allclose(value, 2 * np.sqrt(eta * (1 - eta))) and (value <= risks + 1e-12).all()
    assert np.allclose(s[risks.argmin(axis=0), 0], best, atol=2e-3)
    for certain, sign in ((0.0, -1), (1.0, 1)):  # the infimum is approached by finite scores
        clipped = expected_exponential(sign * np.arange(1.0, 30), certain)
        assert (np.diff(clipped) < 0).all() and clipped[-1] < 1e-12


# --- margins ---------------------------------------------------------------------------------------
@pytest.mark.claim("thm-weak-margin")
@pytest.mark.parametrize("seed", range(60))
def test_the_least_best_edge_is_half_the_best_margin(rng):
    M = rng.choice([-1.0, 1.0], size=rng.integers(1, 9, size=2))
    edge, D = least_edge(M)
    margin, a = best_margin(M)
    assert np.isclose(2 * edge, margin, atol=1e-9)
    assert np.isclose((D @ M).max(), margin, atol=1e-7) and np.isclose((M @ a).min(), margin, atol=1e-7)
    for other in rng.dirichlet(np.ones(len(M)), size=50):  # every distribution leaves an edge
        assert (other @ M).max() >= margin - 1e-9


@pytest.mark.claim("thm-weak-margin")
def test_edges_of_boosting_are_never_below_half_the_best_margin():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.random((12, 2))
        y = np.where((X[:, 0] < 0.3) | ((X[:, 0] < 0.7) & (X[:, 1] > 0.6)), 1.0, -1.0)
        margin, _ = best_margin(y[:, None] * all_stumps(X))
        model = AdaBoost(n_rounds=300).fit(X, y)
        assert margin > 0 and (1 / 2 - model.epsilon_).min() >= margin / 2 - 1e-9
        assert model.margins(X, y).min() <= margin + 1e-9


@pytest.mark.claim("thm-adaboost-margins")
@pytest.mark.erratum("EV12")
@pytest.mark.parametrize("seed", range(20))
def test_the_share_of_small_margins(rng):
    y, learn = random_rules(rng, 40, 30)
    f, total, epsilons = np.zeros(40), 0.0, []
    for state in adaboost(y, learn, max_iter=30).path[1:]:
        f, total, epsilons = f + state.alpha * state.h, total + state.alpha, [*epsilons, state.epsilon]
        for rho in np.linspace(0, 1, 21):
            assert np.mean(y * f <= rho * total + 1e-12) <= theory.margin_error(epsilons, rho) + 1e-9


@pytest.mark.claim("thm-adaboost-margins")
def test_below_the_limit_all_margins_are_reached_and_the_limit_lies_between_one_and_two_edges():
    edge = np.linspace(1e-3, 0.499, 200)
    limit = theory.margin_limit(edge)
    assert (edge < limit).all() and (limit < 2 * edge).all()
    for g, r in zip(edge, limit, strict=True):
        assert np.isclose(theory.margin_error(1 / 2 - g, r), 1)  # and increasing edges only help
        assert theory.margin_error(1 / 2 - min(g * 1.2, 0.4999), 0.9 * r) <= theory.margin_error(1 / 2 - g, 0.9 * r) < 1
    y, m = np.ones(12), 12  # rules that err on one example in turn: edges of at least 5/12 while the weights are even
    turn = itertools.count()

    def learn(D):
        h = np.where(np.arange(m) == next(turn) % m, -1.0, 1.0)
        return h, h

    path = adaboost(y, learn, max_iter=600).path[1:]
    least = min(1 / 2 - state.epsilon for state in path)
    f, total = sum(s.alpha * s.h for s in path), sum(s.alpha for s in path)
    assert least > 0 and (f / total).min() >= 0.95 * theory.margin_limit(least)


# --- convex hulls ----------------------------------------------------------------------------------
@pytest.mark.claim("prop-hull-rademacher")
@pytest.mark.parametrize("seed", range(10))
def test_mixtures_do_not_raise_the_complexity(rng):
    rules = rng.choice([-1.0, 1.0], size=(rng.integers(1, 7), 8))
    mixtures = rng.dirichlet(np.full(len(rules), 0.3), size=200) @ rules
    lam = rng.exponential()
    assert np.isclose(theory.rademacher(lam * np.vstack([rules, mixtures])), lam * theory.rademacher(rules))
    assert theory.rademacher(mixtures) <= theory.rademacher(rules) + 1e-12


def noisy_middle(m, rng):
    x = rng.random((m, 1))
    return x, np.where((np.abs(x[:, 0] - 1 / 2) < 1 / 6) ^ (rng.random(m) < 0.1), 1.0, -1.0)


GRID = (np.arange(3000)[:, None] + 0.5) / 3000
INSIDE = np.where(np.abs(GRID[:, 0] - 1 / 2) < 1 / 6, 1.0, -1.0)


def noisy_risk(scores):
    """The true risk of the rule with these scores on the grid."""
    return 0.1 + 0.8 * np.mean(np.where(scores >= 0, 1, -1) != INSIDE)


def regularised(x, y, lam, tol, max_iter, grid=GRID):
    """The last state of regularised boosting of stumps, and its scores on the grid."""
    last = regularised_boosting(y, by_stumps(x, y), lam, tol=tol, max_iter=max_iter, keep_path=False).last
    scored = (a * h._score(grid) for a, h in zip(last.alpha, last.rules, strict=True))
    return last, sum(scored, np.zeros(len(grid)))


@pytest.mark.claim("thm-hull-margin")
def test_the_margin_bound_fails_no_more_often_than_promised_and_is_not_vacuous_on_a_large_sample():
    """Over draws, the worst of the stages of boosting: all are members of the hull."""
    rng, m, delta, trials = np.random.default_rng(0), 60, 0.2, 1000
    gaps = []
    for _ in range(trials):
        x, y = noisy_middle(m, rng)
        vote = AdaBoost(n_rounds=6).fit(x, y)
        stages = zip(vote.staged_scores(GRID), vote.staged_scores(x), np.cumsum(vote.alpha_), strict=True)
        gaps.append(max(noisy_risk(new) - RhoMargin(0.3)(y * old / total).mean() for new, old, total in stages))
    assert_fails_at_most(sum(gap > theory.hull_deviation(m, 2, 0.3, delta) for gap in gaps), trials, delta)
    assert max(gaps) > np.sqrt(np.log(1 / delta) / (2 * m)) / 2  # the deviation alone is needed
    x, y = noisy_middle(20_000, np.random.default_rng(1))
    vote = AdaBoost(n_rounds=15).fit(x, y)
    ramp = RhoMargin(0.3)(vote.margins(x, y)).mean()
    assert noisy_risk(vote.predict(GRID)) < 0.11 < ramp + theory.hull_deviation(20_000, 2, 0.3, 0.05) < 0.45
    m, rho = np.array([100, 10_000])[:, None], np.array([0.1, 0.5, 1.0])
    one, all_at_once = theory.hull_deviation(m, 3, rho, 0.1), theory.hull_uniform_deviation(m, 3, rho, 0.1)
    assert (one < all_at_once).all() and (all_at_once < 2.5 * one).all()


# --- limits ----------------------------------------------------------------------------------------
@pytest.mark.claim("prop-stumps-additive")
@pytest.mark.erratum("P04")
def test_votes_of_stumps_are_additive_and_miss_xor(rng):
    for _ in range(50):
        (u, u2), (v, v2) = rng.normal(size=(2, 2))
        X = np.array([[u, v], [u2, v2], [u, v2], [u2, v]])
        H = all_stumps(np.vstack([X, rng.normal(size=(9, 2))]))[:4]
        f = H @ rng.normal(size=H.shape[1])
        assert np.isclose(f[0] + f[1], f[2] + f[3])
        y = np.array([1.0, 1, -1, -1])
        assert not (y @ all_stumps(X)).any() and np.isclose(best_margin(y[:, None] * all_stumps(X))[0], 0)
        assert AdaBoost().fit(X, y).rules_ == [] and DecisionTree(max_depth=2).fit(X, y).score(X, y) == 1


@pytest.mark.claim("prop-stumps-additive")
@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_no_combination_of_stumps_has_less_exponential_risk_than_zero_on_xor(noise):
    side = np.linspace(-0.9, 0.9, 6)  # a balanced grid in place of the uniform law
    X = np.array([[u, v] for u in side for v in side])
    eta, H = XOR(noise=noise).eta(X), all_stumps(X)

    def risk(a):
        return expected_exponential(H @ a, eta).mean()

    for a in np.random.default_rng(0).normal(size=(200, H.shape[1])):
        assert risk(a / 10) >= 1 and risk(a / 1000) >= 1
    np.testing.assert_allclose(numerical_gradient(risk, np.zeros(H.shape[1])), 0, atol=1e-9)  # 0 minimises it
    assert 2 * np.sqrt(noise * (1 - noise)) < 1


# --- consistency -----------------------------------------------------------------------------------
@pytest.mark.claim("prop-exp-calibration")
def test_excess_risk_is_controlled_by_the_exponential_risk_and_the_constant_is_reached(rng):
    for k in (1, 2, 6):
        mass, eta = rng.dirichlet(np.ones(k), size=5000), rng.random((5000, k))
        f = rng.normal(size=(5000, k)) * rng.exponential(size=(5000, 1))
        excess = (mass * np.abs(2 * eta - 1) * ((f >= 0) != (eta >= 1 / 2))).sum(axis=1)
        gap = (mass * (expected_exponential(f, eta) - 2 * np.sqrt(eta * (1 - eta)))).sum(axis=1)
        assert (theory.exponential_calibration(excess) <= gap + 1e-12).all()
    delta = np.linspace(0, 1, 101)
    assert (delta**2 / 2 <= theory.exponential_calibration(delta)).all()
    eta = (1 - delta) / 2  # and f = 0, which says +1
    assert np.allclose(1 - 2 * np.sqrt(eta * (1 - eta)), theory.exponential_calibration(delta))


def chains(X):
    """The (m, N) values of the trees with d tests x_j > b_j in a row, +1 where none holds: b among the rows' values."""
    cuts = itertools.product(*([*np.unique(x)] for x in X.T))
    return np.column_stack([np.where((X <= np.array(b)).all(axis=1), 1.0, -1.0) for b in cuts])


@pytest.mark.claim("prop-dense-trees")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_every_function_on_a_grid_is_a_combination_of_trees_with_one_leaf_more_than_dimensions(d):
    side = np.arange(3.0)
    X = np.array(list(itertools.product(side, repeat=d)))
    H = chains(X)
    assert H.shape == (3**d, 3**d) and np.linalg.matrix_rank(H) == 3**d  # the constant 1 among them
    low, high = np.zeros(d), np.ones(d)
    signs = {corner: (-1) ** sum(corner) for corner in itertools.product((0, 1), repeat=d)}
    box = sum(s * ((X <= np.where(c, low, high)).all(axis=1)) for c, s in signs.items())
    assert np.array_equal(box, ((X > low) & (X <= high)).all(axis=1))


@pytest.mark.claim("prop-dense-trees")
def test_trees_learn_xor_where_stumps_cannot_and_stumps_on_the_line_reach_the_least_exponential_risk():
    side = np.linspace(-0.75, 0.75, 4)
    X = np.array([[u, v] for u in side for v in side])
    y = np.where((X > 0).sum(axis=1) % 2 == 1, 1.0, -1.0)
    rich = coordinate_descent(chains(X), y, max_iter=400, keep_path=False).last
    assert np.exp(-y * (chains(X) @ rich)).mean() < 0.01
    assert coordinate_descent(all_stumps(X), y).n_steps == 0
    x = (np.arange(200) + 0.5) / 200
    eta = np.clip(0.5 + 0.45 * np.sin(9 * x), 0.05, 0.95)
    target = np.log(eta / (1 - eta)) / 2
    least = (2 * np.sqrt(eta * (1 - eta))).mean()
    gaps = []
    for n in (4, 16, 64, 200):  # a step function with n steps is a combination of stumps: its jumps are the weights
        steps = target[(np.floor(x * n) * (200 // n) + 100 // n).astype(int).clip(0, 199)]
        gaps.append(expected_exponential(steps, eta).mean() - least)
        rebuilt = np.where(x[:, None] > x[:-1], 1.0, -1.0) @ np.diff(steps) / 2 + (steps[0] + steps[-1]) / 2
        np.testing.assert_allclose(rebuilt, steps, atol=1e-12)
    assert gaps[0] > gaps[1] > gaps[2] > 0 and gaps[3] < 1e-10


@pytest.mark.algorithm("alg-regularised-boosting")
@pytest.mark.parametrize("lam", [0.3, 1.0, 3.0])
def test_regularised_boosting_is_within_its_gap_of_the_optimum(lam, rng):
    X, y = noisy_stumps_sample(rng, 14)
    H = all_stumps(X)
    run = regularised_boosting(y, by_stumps(X, y), lam, tol=0.03, max_iter=3000, keep_path=False)
    found = np.log(np.exp(-y * run.last.f).mean())

    def log_risk(a):
        z = -y * (H @ a)
        weights = np.exp(z - z.max())
        return np.log(weights.mean()) + z.max(), -(weights / weights.sum() * y) @ H

    N, total = H.shape[1], {"type": "ineq", "fun": lambda a: lam - a.sum(), "jac": lambda a: -np.ones(len(a))}
    solver = {"method": "SLSQP", "bounds": [(0, None)] * N, "constraints": total, "options": {"maxiter": 300}}
    best = minimize(log_risk, np.full(N, lam / N), jac=True, **solver).fun
    assert run.converged and run.last.alpha.sum() <= lam + 1e-9 and (run.last.alpha >= 0).all()
    assert best - 1e-5 <= found <= best + run.last.gap + 1e-5


@pytest.mark.claim("thm-boosting-consistent")
def test_the_deviation_of_the_exponential_risk_is_rarely_exceeded_also_by_what_boosting_finds():
    """All combinations of two opposite stumps on the line at a fixed place, total weight lam: the sup is explicit."""
    rng, m, lam, delta, trials = np.random.default_rng(0), 40, 1.0, 0.1, 2000
    p = 0.7  # of the label agreeing with the stump; f = s h with |s| <= lam
    agree = rng.binomial(m, p, size=trials) / m
    sup = np.abs(agree - p) * (np.exp(lam) - np.exp(-lam))  # |(p - q)(e^-s - e^s)| at s = lam
    bound = theory.exponential_deviation(m, 1, lam, delta)
    assert_fails_at_most((sup > bound).sum(), trials, delta)
    alone = np.exp(lam) * np.sqrt(np.log(1 / delta) / (2 * m))  # without the complexity: near the quantile
    assert 0.3 < np.quantile(sup, 1 - delta) / alone < 1
    rng, m, lam, delta, trials, violations = np.random.default_rng(3), 50, 0.7, 0.2, 1000, 0
    for _ in range(trials):
        x, y = noisy_middle(m, rng)
        last, f = regularised(x, y, lam, 0.5, 4, GRID[::10])
        true = expected_exponential(INSIDE[::10] * f, 0.9).mean()
        violations += abs(true - np.exp(-y * last.f).mean()) > theory.exponential_deviation(m, 2, lam, delta)
    assert_fails_at_most(violations, trials, delta)


@pytest.mark.claim("thm-boosting-consistent")
@pytest.mark.erratum("EV15")
def test_the_deviation_vanishes_exactly_under_the_condition_and_boosting_approaches_the_bayes_risk():
    m = 10.0 ** np.array([10, 50, 100, 150])
    slow, fast = 0.4 * np.log(m), 0.5 * np.log(m)
    assert (np.diff(theory.consistency_term(m, slow)) < 0).all() and theory.consistency_term(m, slow)[-1] < 1e-10
    assert (np.diff(theory.consistency_term(m, fast)) > 0).all()
    for lam in (slow, 0.1 * np.log(m)):  # the constant of the proof
        for V in (1, 5):
            bound = theory.exponential_deviation(m, V, lam, 1 / m**2)
            assert (bound <= (8 * np.sqrt(V) + 1) * theory.consistency_term(m, lam) * (1 + 1e-9)).all()
    rng, excess = np.random.default_rng(0), []
    for m in (50, 500, 5000):
        x, y = noisy_middle(m, rng)
        _, f = regularised(x, y, 0.25 * np.log(m), 0.02, 200)
        excess.append(expected_exponential(INSIDE * f, 0.9).mean() - 0.6)
    assert excess[0] > excess[1] > excess[2] > 0 and noisy_risk(f) < 0.11
