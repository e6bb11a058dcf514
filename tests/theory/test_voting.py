"""The promises about votes, by enumeration."""

import itertools

import numpy as np
import pytest

from mlcourse.theory import independent_events, majority_error, unique_fraction


@pytest.mark.parametrize("T", [1, 2, 3, 6])
@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 0.8, 1.0])
def test_the_error_of_a_majority_is_a_sum_over_all_votes(T, p):
    outcomes = np.array(list(itertools.product([0, 1], repeat=T)))  # 1: wrong
    chance = np.prod(np.where(outcomes == 1, p, 1 - p), axis=1)
    assert np.isclose(majority_error(T, p), chance[outcomes.sum(axis=1) >= T / 2].sum())


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
