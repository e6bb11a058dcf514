"""Arguments of a promise are read where a call enters it: once, wherever the call comes from."""

import numpy as np
import pytest

from mlcourse import theory
from mlcourse.arguments.kinds import Count, checks_arguments
from mlcourse.arguments.promises import Result, checks_ranges, first
from mlcourse.arguments.ranges import Positives, Sizes


@checks_ranges
def inner(m: Sizes) -> Result:
    return 1 / m


@checks_ranges
def outer(m: Sizes, a: Positives = 1.0) -> Result:
    return a * inner(m / 4)  # which may be below 1: promises trust each other


def test_lists_become_arrays_and_single_numbers_stay_numbers():
    assert type(outer(2)) is type(outer(np.array(2))) is np.float64
    np.testing.assert_array_equal(outer([1, 2], a=[[1], [3]]), [[4, 2], [12, 6]])


def test_a_call_from_outside_is_checked_also_after_one_that_failed():
    for _ in range(2):
        with pytest.raises(ValueError, match="^the promise holds for m >= 1 only$"):
            inner(0.5)
    assert outer(2) == 2
    with pytest.raises(ValueError, match="a > 0"):
        outer(2, a=0)
    with pytest.raises(TypeError, match="missing"):
        outer()


def test_a_bound_within_an_algorithm_is_still_called_from_outside():
    @checks_arguments
    def algorithm(n: Count, bound):
        return bound(n)

    assert algorithm(4, lambda n: theory.hoeffding_deviation([n, n], 1.0)).tolist() == [0, 0]
    with pytest.raises(ValueError, match="0 < delta <= 1"):
        algorithm(4, lambda n: theory.hoeffding_deviation(n, 2.0))


def test_the_first_number_that_is_enough():
    for enough in range(1, 40):
        assert [first(lambda m, enough=enough: m >= enough, above) for above in (0, 3)] == [enough, max(enough, 4)]
