"""Edges of the evaluation: labels of two kinds, empty denominators, one fold, one value, ties."""

import numpy as np
import pytest

from mlcourse.evaluation import confusion_matrix, cross_validate, error_rate, precision, recall
from mlcourse.evaluation.cross_validation import CrossValidation, group_k_fold, hold_out, k_fold, standard_error
from mlcourse.evaluation.model_selection import Search, grid, least_risk, one_standard_error


@pytest.mark.parametrize("measure", [error_rate, confusion_matrix, precision, recall])
def test_strings_are_not_compared_with_numbers_even_in_samples_of_one(measure):
    for y, y_hat in ((["a"], [1]), ([1], ["a"]), (["a", "b"], [1, 2]), ([1, 2], ["a", "b"])):
        with pytest.raises(ValueError, match="strings"):
            measure(y, y_hat)


def test_precision_and_recall_by_hand():
    y, y_hat = [1, 1, 1, 0, 0], [1, 0, 1, 1, 0]
    assert precision(y, y_hat) == recall(y, y_hat) == pytest.approx(2 / 3)
    assert precision(y, [1, 0, 0, 0, 0]) == 1.0 and recall(y, [1, 0, 0, 0, 0]) == pytest.approx(1 / 3)
    assert precision(y, y_hat, positive=0) == pytest.approx(1 / 2) and recall(y, y_hat, positive=0) == 0.5
    assert precision([0, 0], [0, 0]) == 1.0 and recall([0, 0], [0, 1]) == 1.0
    assert precision([0, 0], [0, 1]) == 0.0 and recall([0, 1], [0, 0]) == 0.0
    with pytest.raises(ValueError, match="strings"):
        precision([0, 1], [0, 1], positive="a")


def test_confusion_in_the_order_of_the_classes():
    y, y_hat = ["b", "a", "c", "b"], ["a", "a", "c", "b"]
    assert confusion_matrix(y, y_hat).tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 1]]
    assert confusion_matrix(y, y_hat, ["c", "b", "a"]).tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
    assert confusion_matrix([1], [1], [0, 1, 2]).tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    with pytest.raises(ValueError, match="different"):
        confusion_matrix(y, y_hat, ["a", "b", "c", "a"])
    with pytest.raises(ValueError, match="one of the classes"):
        confusion_matrix(y, y_hat, ["a", "b"])


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


def test_results_in_the_order_of_the_sample_need_every_example_once():
    halves = [(np.array([0, 1]), np.array([3, 2])), (np.array([2, 3]), np.array([0, 1]))]
    result = CrossValidation(halves, [np.array([30, 20]), np.array([0, 10])], [])
    assert result.in_order(result.predictions).tolist() == [0, 10, 20, 30]
    with pytest.raises(ValueError, match="exactly once"):
        CrossValidation(halves[:1], [np.array([30, 20])], []).in_order([np.array([30, 20])])


def test_folds_of_all_sizes():
    for m in range(2, 9):
        for n_folds in range(2, m + 1):
            folds = k_fold(m, n_folds, np.random.default_rng(m))
            sizes = sorted(len(test) for _, test in folds)
            assert len(folds) == n_folds and sum(sizes) == m and sizes[-1] - sizes[0] <= 1
            assert all(sorted([*train, *test]) == list(range(m)) for train, test in folds)
        with pytest.raises(ValueError, match="at most the number of examples"):
            k_fold(m, m + 1)
        with pytest.raises(ValueError, match="n_folds"):
            k_fold(m, 1)


def test_two_examples_are_enough_to_hold_one_out():
    [(train, test)] = hold_out(2, 1, np.random.default_rng(0))
    assert sorted([*train, *test]) == [0, 1]
    for m, n in ((1, 1), (2, 2), (2, 3)):
        with pytest.raises(ValueError):
            hold_out(m, n, np.random.default_rng(0))


def test_large_groups_are_dealt_first_and_the_folds_are_balanced():
    groups = np.repeat([0, 1, 2, 3], [5, 1, 3, 3])
    for seed in range(10):
        folds = group_k_fold(groups, 2, np.random.default_rng(seed))
        assert sorted(len(test) for _, test in folds) == [6, 6]
        assert all(not set(groups[train]) & set(groups[test]) for train, test in folds)


def test_ties_go_to_the_first_candidate():
    risks = np.array([[0.75, 0.75], [0.25, 0.5], [0.375, 0.375], [0.5, 0.25]])
    assert least_risk(risks) == 1 and Search(list("abcd"), risks).best == "b"
    assert Search(list("abcd"), risks).risk.tolist() == [0.75, 0.375, 0.375, 0.375]


def test_one_standard_error_is_allowed_with_equality():
    risks = np.array([[0.75, 0.75], [0.5, 0.5], [0.25, 0.75], [0.0, 0.5]])  # the last: 1/4, and its standard error 1/4
    assert one_standard_error(risks) == 1
    assert one_standard_error(risks[[0, 3]]) == 1


def test_a_grid_changes_its_last_parameter_fastest():
    assert grid(a=[1, 2], b=[3, 4]) == [dict(a=1, b=3), dict(a=1, b=4), dict(a=2, b=3), dict(a=2, b=4)]


class Mean:
    def fit(self, X, y):
        self.mean = y.mean()
        return self

    def predict(self, X):
        return np.full(len(X), self.mean)


def test_a_model_without_classes_has_the_square_loss():
    y = np.array([1, 2, 3, 6])
    result = cross_validate(Mean(), np.zeros((4, 1)), y, [([0, 1], [2, 3])])
    assert result.losses[0].tolist() == [1.5**2, 4.5**2]
    with pytest.raises(ValueError, match="square loss needs numbers"):
        cross_validate(Constant("a"), np.zeros((4, 1)), np.array(["a", "b", "a", "b"]), [([0, 1], [2, 3])])
    for model, labels in ((Constant("a"), y), (Constant(1.0), np.array(["a", "b", "a", "b"]))):
        with pytest.raises(ValueError, match="square loss needs numbers"):
            cross_validate(model, np.zeros((4, 1)), labels, [([0, 1], [2, 3])])


class Constant:
    def __init__(self, value):
        self.value = value

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), self.value)
