"""Bounds as functions of numbers: whole, vectorised, not clipped, and clear about nonsense."""

import numpy as np
import pytest

from mlcourse.theory import (
    STATEMENTS,
    multiclass_perceptron_bound,
    novikoff,
    novikoff_with_bias,
    slow_perceptron,
    states,
)


def test_whole_numbers_survive_rounding():
    for m in range(1, 2000):
        assert novikoff(1, 1 / np.sqrt(m)) == m
        assert novikoff(np.sqrt(m) - 1e-6, 1) == m - 1


def test_vectorised_and_never_clipped():
    np.testing.assert_array_equal(novikoff([1, 2, 3], 1), [1, 4, 9])
    np.testing.assert_array_equal(multiclass_perceptron_bound(3, [1, 2]), [18, 4])
    assert novikoff_with_bias(10**10, 1, 0) == pytest.approx(10**20) and novikoff(np.inf, 1) == np.inf
    assert slow_perceptron(40) == (4**40 - 1) // 3 == slow_perceptron(np.int64(40))
    assert slow_perceptron(np.arange(1, 4)).tolist() == [1, 5, 21]


def test_with_bias_zero_the_constant_feature_still_costs():
    assert novikoff_with_bias(1, 1, 0) == 2 * novikoff(1, 1)


@pytest.mark.parametrize("rho", [0, -1, [1, 0]])
def test_a_margin_must_be_positive(rho):
    with pytest.raises(ValueError, match="rho must be positive"):
        novikoff(1, rho)


def test_a_claim_may_be_stated_in_several_faces():
    assert STATEMENTS["thm-novikoff"] == [novikoff]
    try:
        another = states("thm-novikoff")(len)
        assert STATEMENTS["thm-novikoff"] == [novikoff, another] and another("abc") == 3
    finally:
        del STATEMENTS["thm-novikoff"][1:]
