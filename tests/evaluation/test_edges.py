"""Edges of the evaluation: labels of two kinds, empty denominators, one fold, one value, ties."""

import numpy as np
import pytest

from mlcourse.evaluation import confusion_matrix, error_rate, precision, recall
from mlcourse.evaluation.cross_validation import CrossValidation, hold_out, standard_error
from mlcourse.evaluation.model_selection import one_standard_error


@pytest.mark.parametrize("measure", [error_rate, confusion_matrix, precision, recall])
def test_strings_are_not_compared_with_numbers_even_in_samples_of_one(measure):
    for y, y_hat in ((["a"], [1]), ([1], ["a"]), (["a", "b"], [1, 2]), ([1, 2], ["a", "b"])):
        with pytest.raises(ValueError, match="strings"):
            measure(y, y_hat)


def test_the_standard_error_of_a_mean():
    assert standard_error([1.0, 3.0]) == pytest.approx(1.0)  # sqrt(2) / sqrt(2)
    assert standard_error([2.0, 4.0, 6.0]) == pytest.approx(2 / np.sqrt(3))
    assert standard_error([5.0]) == 0.0 and standard_error([1.0, np.inf]) == np.inf


def test_the_standard_error_of_folds_and_of_one_fold():
    halves = [(np.array([0, 1]), np.array([2, 3])), (np.array([2, 3]), np.array([0, 1]))]
    two = CrossValidation(halves, [None] * 2, [np.array([1.0, 3.0]), np.array([4.0, 4.0])])
    assert two.risks.tolist() == [2.0, 4.0] and two.risk == 3.0 and two.standard_error == pytest.approx(1.0)
    one = CrossValidation(halves[:1], [None], [np.array([1.0, 3.0])])
    assert one.standard_error == pytest.approx(1.0)


def test_two_examples_are_enough_to_hold_one_out():
    [(train, test)] = hold_out(2, 1, np.random.default_rng(0))
    assert sorted([*train, *test]) == [0, 1]
    for m, n in ((1, 1), (2, 2), (2, 3)):
        with pytest.raises(ValueError):
            hold_out(m, n, np.random.default_rng(0))


def test_one_standard_error_is_allowed_with_equality():
    risks = np.array([[0.75, 0.75], [0.5, 0.5], [0.25, 0.75], [0.0, 0.5]])  # the last: 1/4, and its standard error 1/4
    assert one_standard_error(risks) == 1
    assert one_standard_error(risks[[0, 3]]) == 1
