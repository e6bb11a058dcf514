"""The promises about votes and boosting as functions of numbers: exact cases, limits, how they imply one another."""

import itertools

import numpy as np
import pytest

from mlcourse.theory import (
    consistency_term,
    edge_bound,
    enough_rounds,
    exponential_deviation,
    exponential_risk,
    hull_deviation,
    independent_events,
    independent_vote,
    majority_error,
    margin_error,
    margin_limit,
    unique_fraction,
)

# --- votes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("T", [1, 2, 3, 6])
@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 0.8, 1.0])
def test_the_error_of_a_majority_is_a_sum_over_all_votes(T, p):
    outcomes = np.array(list(itertools.product([0, 1], repeat=T)))  # 1: wrong
    chance = np.prod(np.where(outcomes == 1, p, 1 - p), axis=1)
    assert np.isclose(majority_error(T, p), chance[outcomes.sum(axis=1) >= T / 2].sum())


def test_good_voters_get_better_together_and_bad_ones_worse():
    assert np.allclose(majority_error(101, [0.4, 0.6]), [0.021, 0.979], atol=5e-4)
    T = np.arange(1, 400, 2)
    assert (np.diff(majority_error(T, 0.4)) < 0).all() and (np.diff(majority_error(T, 0.6)) > 0).all()


def test_the_bound_for_independent_votes_holds_and_has_the_right_exponent_near_one_half():
    T, edge = np.meshgrid(np.arange(1, 200), np.linspace(0, 0.5, 26))
    assert (majority_error(T, 0.5 - edge) <= independent_vote(T, edge) + 1e-12).all()
    T, edge = 10**6 + 1, 0.01
    assert np.isclose(np.log(majority_error(T, 0.5 - edge)) / np.log(independent_vote(T, edge)), 1, atol=0.05)


def test_independent_events_are_as_many_as_prime_factors():
    """All families of independent events on m points."""
    for m in (2, 3, 4, 5, 6):
        events = [frozenset(e) for size in range(1, m) for e in itertools.combinations(range(m), size)]
        largest = 0
        for T in (1, 2, 3):
            for family in itertools.combinations(events, T):
                subfamilies = (f for r in range(2, T + 1) for f in itertools.combinations(family, r))
                if all(
                    len(frozenset.intersection(*f)) * m ** (len(f) - 1) == np.prod([len(e) for e in f])
                    for f in subfamilies
                ):
                    largest = max(largest, T)
        assert largest == independent_events(m) <= np.log2(m)
    assert [independent_events(m) for m in (1, 569, 1000, 1023, 1024, 10**12)] == [0, 1, 6, 3, 10, 24]


def test_the_unique_fraction_falls_to_its_limit():
    m = np.array([1, 2, 3, 10, 1000, 10**8])
    fraction = unique_fraction(m)
    np.testing.assert_allclose(fraction[:5], 1 - (1 - 1 / m[:5]) ** m[:5])
    assert (np.diff(fraction) < 0).all() and np.isclose(fraction[-1], 1 - np.exp(-1), atol=1e-8)


# --- boosting --------------------------------------------------------------------------------------


def test_the_chain_of_bounds():
    rng = np.random.default_rng(0)
    epsilon = rng.uniform(0, 0.5, size=(50, 8))
    np.testing.assert_allclose(exponential_risk(epsilon), np.prod(np.sqrt(1 - 4 * (0.5 - epsilon) ** 2), axis=1))
    assert (exponential_risk(epsilon) <= edge_bound(0.5 - epsilon)).all()
    assert exponential_risk(0.5) == 1 == edge_bound(0.0) and exponential_risk([0.2, 0.0]) == 0


def test_enough_rounds_make_the_bound_smaller_than_one_example():
    m, edge = np.meshgrid([2, 10, 1000, 10**6], [0.01, 0.1, 0.3, 0.5])
    T = enough_rounds(m, edge)
    assert (np.exp(-2 * T * edge**2) < 1 / m).all() and (np.exp(-2 * (T - 1) * edge**2) >= (1 - 1e-9) / m).all()


def test_the_margin_bound_is_that_of_the_training_error_at_zero_and_grows_with_the_margin():
    epsilon, rho = np.array([0.1, 0.3, 0.4]), np.linspace(0, 1, 11)
    bound = margin_error(epsilon, rho)
    assert bound[0] == exponential_risk(epsilon) and (np.diff(bound) > 0).all()


@pytest.mark.parametrize("edge", [1e-6, 0.01, 0.1, 0.3, 0.49])
def test_margins_below_the_limit_die_out_and_above_it_they_need_not(edge):
    limit = margin_limit(edge)
    assert edge <= limit < 2 * edge
    assert margin_error(0.5 - edge, 0.99 * limit) < 1 < margin_error(0.5 - edge, min(1, 1.01 * limit))
    assert np.isclose(margin_error(0.5 - edge, limit), 1)


def test_the_deviation_of_convex_combinations():
    assert np.isclose(hull_deviation(1000, 3, 0.2, 1.0), 2.02, atol=0.01)  # the complexity alone
    assert np.isclose(hull_deviation(10**5, 3, 0.2, 1.0), 0.26, atol=0.01)
    assert np.isclose(hull_deviation(200, 5, 1.0, 0.1) - hull_deviation(200, 5, 1.0, 1.0), np.sqrt(np.log(10) / 400))
    with pytest.raises(ValueError, match="m >= V >= 1"):
        hull_deviation(3, 10, 0.5, 0.1)


def test_logarithmic_weights_are_consistent_below_one_half_only():
    m = 10.0 ** np.array([2, 4, 6, 12, 24, 100])
    assert np.allclose(consistency_term(m, 0.4 * np.log(m))[:5], [2.5, 4.5, 5.2, 3.7, 0.65], rtol=0.05)
    assert consistency_term(m, 0.4 * np.log(m))[-1] < 1e-6 and (np.diff(consistency_term(m, 0.6 * np.log(m))) > 0).all()


def test_values_of_the_bounds_on_paper():
    assert enough_rounds(1, 0.1) == 1
    expected = 4 * 2 * np.exp(2) * np.sqrt(2 * 3 * np.log(np.e * 100 / 3) / 100) + np.exp(2) * np.sqrt(np.log(20) / 200)
    assert np.isclose(exponential_deviation(100, 3, 2.0, 0.05), expected)
