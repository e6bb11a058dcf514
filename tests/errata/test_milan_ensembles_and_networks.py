"""Errata of the Milan notes on ensembles and neural networks (lectures 22 to 24)."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import expit

from mlcourse import AdaBoost, DecisionStump, theory
from mlcourse.ensembles.adaboost import adaboost, by_stumps
from mlcourse.models.networks.constructed import boolean_network, cube, interpolating_network, sawtooth_network
from mlcourse.models.networks.layers import relu
from mlcourse.optim.gradient import gradient_descent
from mlcourse.theory.boosting import edge_bound
from mlcourse.theory.networks import boolean_units, cover_labellings, network_bits, relu_pieces, threshold_bits
from mlcourse.theory.vc import half_space_class
from mlcourse.theory.voting import independent_events, independent_vote, product_identity_error, unique_fraction


# --- votes and bootstrap samples --------------------------------------------------------------------
@pytest.mark.erratum("M91")
def test_the_product_identity_alone_allows_a_vote_that_errs_with_probability_059():
    T, p = 51, 0.3
    all_wrong = p**T  # the identity
    just_enough = (p - all_wrong) * T / 26  # a random set of 26 voters errs
    assert np.isclose(all_wrong + just_enough * 26 / T, p) and all_wrong + just_enough < 1  # each voter errs with p
    vote = all_wrong + just_enough
    assert np.isclose(vote, product_identity_error(T, p)) and round(vote, 2) == 0.59
    bound = independent_vote(T, 1 / 2 - p)
    assert round(float(bound), 3) == 0.017 and theory.majority_error(T, p) <= bound


@pytest.mark.erratum("M92")
def test_few_events_on_m_points_are_mutually_independent():
    def most(m):
        events = [set(c) for size in range(1, m) for c in itertools.combinations(range(m), size)]

        def independent(chosen):  # all subsets with the last event
            for size in range(1, len(chosen)):
                for some in itertools.combinations(chosen[:-1], size):
                    group = [*some, chosen[-1]]
                    if len(set.intersection(*group)) * m ** (len(group) - 1) != math.prod(map(len, group)):
                        return False
            return True

        def extend(chosen, start):
            best = len(chosen)
            for i in range(start, len(events)):
                if independent([*chosen, events[i]]):
                    best = max(best, extend([*chosen, events[i]], i + 1))
            return best

        return extend([], 0)

    found = [most(m) for m in range(2, 8)]
    assert found == [1, 1, 2, 1, 2, 1] == [independent_events(m) for m in range(2, 8)]
    assert all(independent_events(m) <= np.log2(m) for m in range(2, 500)) and independent_events(8) == 3


@pytest.mark.erratum("M93")
def test_a_bootstrap_sample_misses_an_example_less_often_than_printed_and_may_hold_more_than_two_thirds():
    for m in (2, 3, 4, 5):
        draws = list(itertools.product(range(m), repeat=m))
        assert np.isclose(np.mean([0 not in draw for draw in draws]), (1 - 1 / m) ** m)
        assert np.isclose(np.mean([len(set(draw)) / m for draw in draws]), unique_fraction(m))
        assert (1 - 1 / m) ** m < 1 - 1 / m
        assert max(len(set(draw)) for draw in draws) == m  # "at most 2/3" is no bound
    shares = unique_fraction(np.arange(1, 10**4))
    assert (np.diff(shares) < 0).all() and round(shares[-1], 3) == 0.632 and shares[-1] > 1 - 1 / np.e


# --- boosting ---------------------------------------------------------------------------------------
@pytest.fixture
def corner():
    """The ten points of the chapter on boosting."""
    X = np.random.default_rng(624).random((10, 2)).round(2) * 10
    return X, np.where((X[:, 0] < 3) | ((X[:, 0] < 7) & (X[:, 1] > 6)), 1.0, -1.0)


@pytest.mark.erratum("M94")
def test_a_rule_errs_with_probability_one_half_tomorrow_which_is_not_independence():
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = np.where((X**2).sum(axis=1) < 1.2, 1.0, -1.0)
    path = adaboost(y, by_stumps(X, y), max_iter=40).path
    common = []
    for now, after in itertools.pairwise(path[1:]):
        wrong, next_wrong = (r.h.predict(X) != y for r in (now, after))
        assert np.isclose(now.D[wrong].sum(), 1 / 2)
        common.append(now.D[wrong & next_wrong].sum() / (after.epsilon / 2))  # 1 if they were independent
    assert max(common) > 1.2 or min(common) < 0.8


@pytest.mark.erratum("M95")
def test_the_vote_minimises_a_sum_of_two_exponentials():
    w = np.linspace(-2, 3, 5001)
    for epsilon in (0.1, 0.3, 0.45, 0.8):
        right, printed = (np.exp(-w) * (1 - epsilon) + np.exp(s * w) * epsilon for s in (1, -1))
        assert np.isclose(w[right.argmin()], np.log((1 - epsilon) / epsilon) / 2, atol=1e-3)
        assert np.isclose(right.min(), np.sqrt(4 * epsilon * (1 - epsilon)), atol=1e-6)
        assert printed.argmin() == len(w) - 1  # falls for ever


@pytest.mark.erratum("M95")
def test_the_training_error_needs_the_root_and_the_factor_two(corner):
    X, y = corner
    rounds = adaboost(y, by_stumps(X, y), max_iter=2).path[1:]
    score = sum(r.alpha * r.h.predict(X) for r in rounds)
    epsilon = np.array([r.epsilon for r in rounds])
    edges, risk = 1 / 2 - epsilon, np.mean(np.exp(-y * score))
    assert np.isclose(risk, np.prod(np.sqrt(4 * epsilon * (1 - epsilon))))
    assert risk > 1.5 * np.prod(4 * epsilon * (1 - epsilon))  # without the root
    assert risk <= np.exp(-2 * np.sum(edges**2)) and np.isclose(edge_bound(edges), np.exp(-2 * np.sum(edges**2)))


@pytest.mark.erratum("M96")
def test_with_the_printed_sign_of_the_vote_the_training_error_stays_at_08(corner):
    X, y = corner
    D, score, learn = np.full(10, 0.1), np.zeros(10), by_stumps(X, y)
    for _ in range(60):
        _, values = learn(D)
        epsilon = max(D[values != y].sum(), 1e-12)
        w = np.log(epsilon / (1 - epsilon)) / 2  # as printed
        score += w * values
        D = D * np.exp(-w * y * values)
        D /= D.sum()
        assert np.isclose(np.mean(np.sign(score) != y), 0.8)
    assert (AdaBoost(n_rounds=3).fit(X, y).predict(X) == y).all()  # the right sign: three rounds


@pytest.mark.erratum("M99")
def test_a_stump_with_the_other_sign_has_the_complementary_error(corner):
    X, y = corner
    h = DecisionStump().fit(X, y)
    rule = np.where(X[:, h.feature_] > h.threshold_, 1, -1)
    assert np.mean(rule != y) + np.mean(-rule != y) == 1
    x = np.arange(4.0)[:, None]
    for labels in ([1, 1, -1, -1], [-1, -1, 1, 1]):  # both polarities are found
        assert DecisionStump().fit(x, labels).score(x, labels) == 1


# --- networks ---------------------------------------------------------------------------------------
@pytest.mark.erratum("M100")
def test_the_sum_of_the_hidden_units_is_never_one_above_its_minimum():
    for d in (1, 2, 3):
        points, sums = cube(d), set()
        for y in itertools.product((-1, 1), repeat=2**d):
            positive = points[np.array(y) == 1]
            N = len(positive)
            hidden = np.where(points @ positive.T - d + 1 > 0, 1, -1).sum(axis=1)  # all N units, at all points
            sums |= set((hidden + N).tolist())
            assert np.array_equal(np.where(hidden + N - 1 > 0, 1, -1), y)
            network, w = boolean_network(y)
            assert np.array_equal(np.ravel(network(w, points)), y)
            assert min(N, 2**d - N) <= boolean_units(d) == 2 ** (d - 1)  # the rarer value gets the units
        assert sums == {0, 2}  # the printed value would be 1


@pytest.mark.erratum("M101")
def test_there_are_few_threshold_functions():
    assert [len(half_space_class(cube(d))) for d in (1, 2, 3)] == [4, 14, 104]
    for d in range(2, 12):
        assert cover_labellings(2**d, d) <= 2 ** int(threshold_bits(d)) == 2 ** (d * d)
    for d in (6, 9, 30):  # fewer than 2^(d/3) nodes do not reach 2^(2^d) functions
        assert network_bits(2 ** (d // 3) - 1) < 2**d == network_bits(2 ** (d // 3))


@pytest.mark.erratum("M102")
def test_the_relu_is_the_identity_on_the_positive_part():
    x = np.array([0.5, 3.0, 7.0])
    value, back = relu(x)
    derivative = back(np.ones(3))
    assert np.array_equal(value, x) and np.array_equal(np.ravel(derivative), np.ones(3))


@pytest.mark.erratum("M103")
def test_depth_makes_pieces():
    for L in (1, 2, 4, 8):
        network, w = sawtooth_network(L)
        x = np.linspace(0, 1, 2**L * 4 + 1)
        slopes = np.diff(np.ravel(network(w, x[:, None])))
        pieces = 1 + np.sum(~np.isclose(slopes[1:], slopes[:-1]))
        assert pieces == 2**L and relu_pieces(2 * L, 1) == 2 * L + 1  # 2L units, deep and in one layer
    x, y = np.arange(6.0), np.array([0.0, 1, 0, 1, 0, 1])
    network, w = interpolating_network(x, y)  # 5 units in one layer: 5 pieces right of 0, and one left of it
    fine = np.linspace(-1, 6, 701)
    slopes = np.diff(np.ravel(network(w, fine[:, None])))
    assert 1 + np.sum(~np.isclose(slopes[1:], slopes[:-1])) == 6 == relu_pieces(5, 1)


@pytest.mark.erratum("M104")
def test_no_continuous_network_is_near_a_jump():
    for steepness in (10.0, 1e3, 1e6):

        def network(x, s=steepness):
            return 2 * expit(s * x) - 1

        near = 1e-3 / steepness
        errors = [abs(network(x) - np.sign(x)) for x in (-near, near)]
        assert max(errors) > 0.999  # half of the jump, whatever the weights


@pytest.mark.erratum("M105")
def test_gradient_descent_may_end_in_the_best_point_and_may_not():
    def f(w):
        return (w**2 - 1) ** 2 + 0.3 * w

    ends = [
        gradient_descent(lambda w: 4 * w * (w**2 - 1) + 0.3, [start], 0.05, max_iter=500).last[0]
        for start in (-0.5, 0.5)
    ]
    grid = np.linspace(-2, 2, 4001)
    assert np.isclose(ends[0], grid[f(grid).argmin()], atol=1e-3) and ends[1] > 0.9 and f(ends[1]) > f(ends[0]) + 0.5
