"""The claims of the chapter on estimating risk and choosing models."""

import itertools
from math import comb

import numpy as np
import pytest

from mlcourse import Ridge, evaluation, theory
from mlcourse.data import FiniteLaw
from mlcourse.evaluation import cross_validate, k_fold
from mlcourse.losses import square, zero_one
from mlcourse.models.linear.linear_regression import path_from_moments, ridge_cross_validation
from mlcourse.testing import assert_fails_at_most


class Table:
    """The sum of the labels seen at a point, times a, clipped to [-1, 1]: an algorithm that does improve with m."""

    def __init__(self, a=0.6):
        self.a = a

    def set_params(self, a):
        self.a = a
        return self

    def fit(self, X, y):
        self.sums = np.bincount(X[:, 0], weights=y, minlength=4)
        return self

    def predict(self, X):
        return np.clip(self.a * self.sums[X[:, 0]], -1, 1)


def random_law(seed, n=2):
    return FiniteLaw(np.random.default_rng(seed).dirichlet(np.ones(2 * n)).reshape(n, 2))


def all_samples(law, m):
    """Every sample of size m as (X, y, probability)."""
    for chosen in itertools.product(np.ndindex(law.P.shape), repeat=m):
        x, y = np.array(chosen).T
        yield x[:, None], law.labels[y], np.prod(law.P[x, y])


def average_risk(law, algorithm, t):
    """The risk of the algorithm on average over samples of size t, exactly."""
    points = np.arange(len(law.P))[:, None]
    return sum(p * law.risk(algorithm.fit(X, y).predict(points), square) for X, y, p in all_samples(law, t))


def folds_of_sizes(*sizes):
    m, ends = sum(sizes), np.cumsum(sizes)
    tests = np.split(np.arange(m), ends[:-1])
    return [(np.delete(np.arange(m), test), test) for test in tests]


@pytest.mark.claim("prop-hold-out")
def test_hold_out_is_unbiased_with_variance_over_n_and_losses_between_zero_and_one_vary_little():
    law, n = random_law(0), 2
    for X, y, _ in all_samples(law, 2):
        values = Table().fit(X, y).predict(np.arange(2)[:, None])
        risks, chances = np.array([(np.mean(square(v, values[u[:, 0]])), p) for u, v, p in all_samples(law, n)]).T
        losses = square(law.labels, values[:, None])
        mean = (law.P * losses).sum()
        sigma = np.sqrt((law.P * losses**2).sum() - mean**2)
        assert np.isclose(chances @ risks, mean) and np.isclose(mean, law.risk(values, square))
        assert np.isclose(chances @ (risks - mean) ** 2, theory.hold_out_variance(sigma, n))
    rng = np.random.default_rng(1)
    for _ in range(200):
        chances, losses = rng.dirichlet(np.ones(5)), rng.random(5)
        mean = chances @ losses
        assert chances @ losses**2 - mean**2 <= mean * (1 - mean) <= 1 / 4
        wrong = (losses > 0.5).astype(float)
        assert np.isclose(chances @ wrong**2 - (chances @ wrong) ** 2, chances @ wrong * (1 - chances @ wrong))
    with pytest.raises(ValueError, match="n >= 1"):
        theory.hold_out_variance(1.0, 0)


@pytest.mark.claim("prop-selection-bias")
@pytest.mark.parametrize("seed", range(5))
def test_the_least_of_many_estimates_is_optimistic_by_enumeration(seed):
    law, n = random_law(seed, n=3), 4
    candidates = [np.array(h) for h in itertools.product((-1, 1), repeat=3)][: seed + 3]
    risks = [law.risk(h, zero_one) for h in candidates]
    least = sum(p * min(np.mean(h[X[:, 0]] != y) for h in candidates) for X, y, p in all_samples(law, n))
    assert min(risks) - theory.selection_optimism(n, len(candidates)) <= least < min(risks)


@pytest.mark.claim("prop-selection-bias")
@pytest.mark.parametrize("n, N, p", [(1, 2, 0.5), (3, 2, 0.3), (4, 3, 0.5), (2, 4, 0.9), (5, 1, 0.2)])
def test_expected_least_error_of_independent_classifiers_by_enumeration(n, N, p):
    counts = np.array([comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])
    truth = sum(np.prod(counts[list(ks)]) * min(ks) / n for ks in itertools.product(range(n + 1), repeat=N))
    assert np.isclose(theory.expected_least_error(n, N, p), truth)
    assert np.isclose(truth, p) if N == 1 else truth < p


@pytest.mark.claim("prop-selection-bias")
def test_certain_classifiers_leave_nothing_to_chance_and_coins_nearly_attain_the_bound_on_the_optimism():
    assert theory.expected_least_error(5, 3, 0.0) == 0 and np.isclose(theory.expected_least_error(5, 3, 1.0), 1)
    for arguments in [(0, 2, 0.5), (2.5, 2, 0.5), (5, 0, 0.5), (5, 2, -0.1), (5, 2, 1.1)]:
        with pytest.raises(ValueError, match="holds for"):
            theory.expected_least_error(*arguments)
    n, N = np.array([100, 1000, 10_000])[:, None], np.array([10, 1000, 10**6])
    gap, bound = 1 / 2 - theory.expected_least_error(n, N), theory.selection_optimism(n, N)
    assert gap.shape == (3, 3) and (gap <= bound).all()
    assert (gap[:, 1:] > 0.85 * bound[:, 1:]).all()
    assert theory.selection_optimism(50, 1) == 0


@pytest.mark.claim("thm-selection")
@pytest.mark.parametrize("n, N", [(20, 5), (100, 50)])
def test_the_chosen_candidate_is_nearly_the_best(n, N):
    rng, delta, trials = np.random.default_rng(n), 0.2, 2000
    risks = rng.uniform(0.2, 0.6, size=N)
    errors = rng.binomial(n, risks, size=(trials, N)) / n
    excess = risks[errors.argmin(axis=1)] - risks.min()
    assert_fails_at_most((excess > theory.erm_excess(n, N, delta)).sum(), trials, delta)


@pytest.mark.claim("thm-selection")
def test_no_bound_a_third_as_large_can_hold_and_the_three_faces_of_the_selection_bound_agree():
    # one good candidate and very many that are worse by epsilon: some of these will look better
    n, N, delta, trials = 100, 20_000, 0.5, 300
    epsilon = theory.erm_excess(n, N, delta) / 3
    rng = np.random.default_rng(2)
    best = rng.binomial(n, 0.5 - epsilon, size=trials)
    lucky = rng.binomial(n, 0.5, size=(trials, N)).min(axis=1)
    assert np.mean(lucky < best) > delta
    n, N = np.array([10, 100, 1000]), 7
    for delta in (0.01, 0.3, 1.0):
        epsilon = theory.erm_excess(n, N, delta)
        assert np.allclose(theory.erm_probability(n, N, epsilon), delta)
        assert np.allclose(theory.erm_sample_size(N, epsilon, delta), n)
    assert theory.erm_excess(1, 10**6, 0.01) > 1  # not clipped
    outside = {"erm_excess": (10, 0, 0.1), "erm_probability": (10, 5, 0.0), "erm_sample_size": (5, 0.0, 0.1)}
    for face, arguments in [*outside.items(), ("erm_excess", (10, 5, 0.0))]:
        with pytest.raises(ValueError, match="holds for"):
            getattr(theory, face)(*arguments)


@pytest.mark.claim("thm-k-fold")
@pytest.mark.parametrize("sizes", [(2, 2), (1, 1, 1, 1), (3, 1), (1, 1, 2)])
def test_k_fold_estimates_the_risk_at_the_sizes_of_the_training_parts_also_with_folds_drawn_at_random(sizes):
    law, folds = random_law(3), folds_of_sizes(*sizes)
    m = sum(sizes)
    mean = sum(p * cross_validate(Table(), X, y, folds, square).risk for X, y, p in all_samples(law, m))
    assert np.isclose(mean, np.mean([average_risk(law, Table(), m - n) for n in sizes]))
    assert not np.isclose(mean, average_risk(law, Table(), m))  # and not the risk at the full size
    law, rng = random_law(4), np.random.default_rng(5)
    for _ in range(3):
        folds = k_fold(4, 2, rng)
        mean = sum(p * cross_validate(Table(), X, y, folds, square).risk for X, y, p in all_samples(law, 4))
        assert np.isclose(mean, average_risk(law, Table(), 2))


@pytest.mark.claim("prop-k-fold-variance")
@pytest.mark.parametrize("K", [2, 4])
def test_variance_of_the_k_fold_estimate_by_enumeration_and_for_independent_losses(K):
    law, m = random_law(6), 4
    n, folds, found = m // K, folds_of_sizes(*[m // K] * K), []
    for X, y, p in all_samples(law, m):
        result = cross_validate(Table(), X, y, folds, square)
        found.append((p, result.in_order(result.losses), result.risk, result.standard_error**2))
    chances, losses, estimates, customary = (np.array(column) for column in zip(*found, strict=True))
    deviations = losses - chances @ losses
    C = deviations.T @ (chances[:, None] * deviations)
    fold = np.arange(m) // n
    same = (fold[:, None] == fold) & ~np.eye(m, dtype=bool)
    between = C[fold[:, None] != fold]
    assert np.allclose(np.diag(C), C[0, 0]) and np.allclose(between, between[0])
    assert np.allclose(C[same], C[same][:1])
    within = C[same][0] if n > 1 else 0.0
    variance = chances @ (estimates - chances @ estimates) ** 2
    assert np.isclose(variance, theory.k_fold_variance(m, K, C[0, 0], within, between[0]))
    assert np.isclose(chances @ customary, variance - between[0])
    assert abs(between[0]) > 1e-4  # the customary estimate is biased here
    assert np.isclose(theory.k_fold_variance(20, 5, 3.0, 0.0, 0.0), 3 / 20)
    assert np.isclose(theory.k_fold_variance(20, 5, 1.0, 1.0, 1.0), 1.0)  # all losses equal
    for n_folds in (1, 3, 21):
        with pytest.raises(ValueError, match="n_folds"):
            theory.k_fold_variance(20, n_folds, 1.0, 0.0, 0.0)


class Majority:
    def fit(self, X, y):
        self.label = 1 if y.sum() >= 0 else -1
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


@pytest.mark.claim("prop-leave-one-out-majority")
@pytest.mark.parametrize("m", [2, 4, 8])
def test_leave_one_out_of_the_majority_rule_and_its_lower_bound_on_a_balanced_draw(m):
    values, X = [], np.zeros((m, 1))
    for y in itertools.product((-1, 1), repeat=m):
        q = y.count(1)
        values.append(cross_validate(Majority(), X, np.array(y), evaluation.leave_one_out(m), zero_one).risk)
        assert np.isclose(values[-1], 1.0 if q == m / 2 else min(q, m - q) / m)
    assert np.isclose(np.mean(values), 1 / 2)
    assert np.isclose(np.mean(np.array(values) == 1), comb(m, m // 2) / 2**m)
    ratios = [comb(m, m // 2) / 2**m * np.sqrt(2 * m) for m in range(2, 400, 2)]
    assert np.isclose(ratios[0], 1) and min(ratios) >= 1 - 1e-12
    assert abs(ratios[-1] - 2 / np.sqrt(np.pi)) < 0.01


@pytest.mark.claim("prop-stratified")
@pytest.mark.parametrize("seed", range(20))
def test_stratified_folds_share_out_every_class(rng):
    m, K = int(rng.integers(8, 60)), int(rng.integers(2, 8))
    y = rng.integers(4, size=m)
    folds = evaluation.stratified_k_fold(y, K, rng)
    assert np.array_equal(np.sort(np.concatenate([test for _, test in folds])), np.arange(m))
    assert {len(test) for _, test in folds} <= {m // K, -(-m // K)}
    for c in np.unique(y):
        share = (y == c).sum() / K
        assert {(y[test] == c).sum() for _, test in folds} <= {np.floor(share), np.ceil(share)}


@pytest.mark.claim("prop-nested")
@pytest.mark.algorithm("alg-nested")
def test_nested_cross_validation_is_unbiased_for_the_tuned_algorithm_by_enumeration():
    law, m = random_law(7), 4
    candidates = evaluation.grid(a=[-0.5, 0.2, 1.0])
    tuned = evaluation.Tuned(Table(), candidates, n_folds=2, loss=square, random_state=0)
    folds, nested, least, chances = folds_of_sizes(2, 2), [], [], []
    for X, y, p in all_samples(law, m):
        result = evaluation.nested_cross_validation(Table(), candidates, X, y, folds, 2, loss=square, random_state=0)
        nested.append(result.risk)
        least.append(evaluation.grid_search(Table(), candidates, X, y, folds, square).risk.min())
        chances.append(p)
    truth = average_risk(law, tuned, 2)
    assert np.isclose(np.dot(chances, nested), truth)
    assert np.dot(chances, least) < truth - 0.01  # the inner minimum is optimistic


@pytest.mark.claim("prop-ridge-folds")
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_moments_of_the_rest_give_the_ridge_fit_of_the_rest(rng, bias):
    X, y = rng.normal(size=(40, 6)) @ rng.normal(size=(6, 6)) + 2, rng.normal(size=40) + 3
    Z = np.column_stack([X, y, np.ones(40)])
    train, fold = np.split(rng.permutation(40), [29])
    lam = np.geomspace(1e-3, 10, 5)
    W, b = path_from_moments(Z.T @ Z - Z[fold].T @ Z[fold], lam, bias)
    for i in range(5):
        model = Ridge(lam=lam[i], bias=bias).fit(X[train], y[train])
        assert np.allclose(W[i], model.w_, rtol=1e-7) and np.isclose(b[i], model.b_, rtol=1e-7)
        residual = y[train] - X[train] @ W[i] - b[i]  # the gradient vanishes
        assert np.allclose(X[train].T @ residual, lam[i] * 29 / 2 * W[i], atol=1e-8)
        assert not bias or abs(residual.sum()) < 1e-8


@pytest.mark.claim("prop-ridge-folds")
def test_refits_agree_with_the_errors_without_a_fold():
    rng = np.random.default_rng(8)
    X, y, folds = rng.normal(size=(50, 4)) - 7, rng.normal(size=50), k_fold(50, 7, rng)
    fast = ridge_cross_validation(X, y, [0.3], folds)[0]
    for train, test in folds:
        assert np.allclose(fast[test], y[test] - Ridge(lam=0.3).fit(X[train], y[train]).predict(X[test]), rtol=1e-8)
