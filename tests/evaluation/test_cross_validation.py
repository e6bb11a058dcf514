"""Folds are partitions, no predictor is tested on what it saw, and executors change nothing."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import distributed
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from mlcourse import GaussianDiscriminant, KNearestNeighbors, LinearRegression, Perceptron, Ridge
from mlcourse.data import Moons
from mlcourse.evaluation import (
    cross_validate,
    grid,
    grid_search,
    group_k_fold,
    hold_out,
    k_fold,
    learning_curve,
    leave_one_out,
    nested_cross_validation,
    repeated_k_fold,
    select,
    stratified_k_fold,
    validation_curve,
)
from mlcourse.evaluation.cross_validation import CrossValidation, standard_error
from mlcourse.losses import absolute


def assert_partition(folds, m):
    """Every example is tested once, and trains in all the other folds."""
    assert np.array_equal(np.sort(np.concatenate([test for _, test in folds])), np.arange(m))
    for train, test in folds:
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(m))


@pytest.mark.algorithm("alg-k-fold")
@settings(max_examples=60, deadline=None)
@given(st.integers(2, 60), st.data())
def test_folds_are_equal_parts_of_the_sample(m, data):
    n_folds, seed = data.draw(st.integers(2, m)), data.draw(st.integers(0, 99))
    folds = k_fold(m, n_folds, np.random.default_rng(seed))
    assert len(folds) == n_folds
    assert_partition(folds, m)
    sizes = [len(test) for _, test in folds]
    assert max(sizes) - min(sizes) <= 1
    again = k_fold(m, n_folds, np.random.default_rng(seed))
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(folds, again, strict=True))


def test_every_example_is_equally_likely_to_be_in_a_fold(rng):
    first = np.bincount(np.concatenate([k_fold(10, 5, rng)[0][1] for _ in range(2000)]), minlength=10)
    assert np.abs(first - 400).max() < 5 * np.sqrt(2000 * 0.2 * 0.8)


def test_the_other_divisions():
    rng = np.random.default_rng(1)
    assert_partition(leave_one_out(7), 7)
    [(train, test)] = hold_out(10, 3, rng)
    assert len(test) == 3 and np.array_equal(np.sort(np.append(train, test)), np.arange(10))
    drawn = np.bincount(np.concatenate([hold_out(10, 3, rng)[0][1] for _ in range(1000)]), minlength=10)
    assert np.abs(drawn - 300).max() < 5 * np.sqrt(1000 * 0.3 * 0.7)
    folds = repeated_k_fold(12, 3, 4, rng)
    assert len(folds) == 12 and len({tuple(np.sort(test)) for _, test in folds}) > 3
    for i in range(0, 12, 3):
        assert_partition(folds[i : i + 3], 12)
    assert_partition(stratified_k_fold(np.array(list("aabbbbcccc")), 4, rng), 10)


@pytest.mark.parametrize("seed", range(10))
def test_groups_stay_together(rng):
    groups = rng.integers(12, size=60)
    folds = group_k_fold(groups, 4, rng)
    assert_partition(folds, 60)
    assert not any(np.isin(groups[test], groups[train]).any() for train, test in folds)
    sizes = [len(test) for _, test in folds]
    assert max(sizes) - min(sizes) <= np.bincount(groups).max()


@pytest.mark.parametrize("seed", range(5))
def test_large_groups_are_placed_first(seed):
    groups = np.array([0, 1, 2, 3, 4, 5, 5, 5, 5, 5])  # the single examples fill the other fold
    folds = group_k_fold(groups, 2, np.random.default_rng(seed))
    assert sorted(tuple(np.sort(test)) for _, test in folds) == [(0, 1, 2, 3, 4), (5, 6, 7, 8, 9)]


class Spy:
    """Records the rows it is trained on and refuses to predict any of them."""

    seen = None

    def fit(self, X, y):
        assert self.seen is None, "a copy was used twice"
        self.seen = set(X[:, 0])
        self.mean = y.mean()
        return self

    def predict(self, X):
        assert not self.seen & set(X[:, 0]), "tested on a training example"
        return np.full(len(X), self.mean)


@pytest.mark.algorithm("alg-k-fold")
def test_the_estimate_is_the_average_of_honest_test_errors():
    rng = np.random.default_rng(2)
    X, y = np.arange(20.0)[:, None], rng.normal(size=20)
    model, folds = Spy(), k_fold(20, 6, rng)
    result = cross_validate(model, X, y, folds)
    assert model.seen is None  # the model itself is never fitted
    risks = [np.mean((y[test] - y[train].mean()) ** 2) for train, test in folds]
    assert np.allclose(result.risks, risks) and np.isclose(result.risk, np.mean(risks))
    assert np.isclose(result.standard_error, np.std(risks, ddof=1) / np.sqrt(6))
    losses, predictions = result.in_order(result.losses), result.in_order(result.predictions)
    assert np.allclose(losses, (y - predictions) ** 2)
    for train, test in folds:
        assert np.allclose(predictions[test], y[train].mean())


def test_hold_out_has_the_standard_error_of_its_losses_and_no_order():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    result = cross_validate(LinearRegression(), X, y, hold_out(30, 10, rng))
    assert np.isclose(result.standard_error, result.losses[0].std(ddof=1) / np.sqrt(10))
    with pytest.raises(ValueError, match="every example exactly once"):
        result.in_order(result.losses)
    front = cross_validate(LinearRegression(), X, y, [(np.arange(10, 30), np.arange(10))])  # tests the first ten only
    with pytest.raises(ValueError, match="every example exactly once"):
        front.in_order(front.losses)
    single = cross_validate(LinearRegression(), X, y, hold_out(30, 1, rng))
    assert single.standard_error == 0


def test_losses_are_zero_one_for_classifiers_square_for_regressors_or_given():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
    folds = k_fold(60, 5, rng)
    ours = cross_validate(Ridge(lam=0.1), X, y, folds)
    theirs = cross_val_predict(TheirRidge(alpha=0.1 * 48 / 2), X, y, cv=folds)
    assert np.allclose(ours.in_order(ours.predictions), theirs)
    assert np.allclose(ours.in_order(ours.losses), (y - theirs) ** 2)
    by_distance = cross_validate(Ridge(lam=0.1), X, y, folds, absolute)
    assert np.allclose(by_distance.in_order(by_distance.losses), np.abs(y - theirs))
    labels = np.where(y > 0, "yes", "no")
    ours = cross_validate(KNearestNeighbors(k=3), X, labels, folds)
    theirs = cross_validate(KNeighborsClassifier(3), X, labels, folds)  # scikit-learn's models work too
    assert set(np.concatenate(ours.losses)) <= {0.0, 1.0} and np.allclose(ours.risks, theirs.risks)


class Constant:
    """Predicts whatever it is told, for as many points as asked."""

    def __init__(self, value):
        self.value = value

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.repeat(self.value, len(X), axis=0)


@pytest.mark.parametrize(
    "value, y, loss, message",
    [
        ([[1.0]], np.zeros(6), None, "a prediction for each"),  # a column would be compared with every label
        ([np.nan], np.zeros(6), None, "the loss must be a number"),  # and would win every search
        ([1.0], np.zeros(6), lambda y, y_hat: 0.5, "the loss must be a number for each"),
        (["a"], np.array(list("aabbab")), None, "the square loss needs numbers"),
        ([True], np.array([True, False] * 3), None, "the square loss needs numbers"),
    ],
)
def test_losses_that_make_no_sense(value, y, loss, message):
    with pytest.raises(ValueError, match=message):
        cross_validate(Constant(value), np.zeros((6, 1)), y, k_fold(6, 2, np.random.default_rng(0)), loss)


def test_square_losses_of_unsigned_integers_do_not_wrap_around():
    y, folds = np.array([0, 20, 0, 20], dtype=np.uint8), k_fold(4, 2, np.random.default_rng(0))
    result = cross_validate(Constant(np.array([20], dtype=np.uint8)), np.zeros((4, 1)), y, folds)
    assert np.array_equal(result.in_order(result.losses), [400, 0, 400, 0])


def test_rows_may_be_anything_but_there_must_be_rows():
    words = np.array(["some", "words", "and", "more"])
    assert cross_validate(Constant([1.0]), words, np.ones(4), k_fold(4, 2)).risk == 0
    with pytest.raises(TypeError, match="toarray"):
        cross_validate(Constant([1.0]), csr_array(np.eye(4)), np.ones(4), k_fold(4, 2))
    with pytest.raises(ValueError, match="one row for each example"):
        cross_validate(Constant([1.0]), 3.0, np.ones(4), k_fold(4, 2))


def shuffled(random_state):
    """A model that draws random numbers when it is fitted."""
    return Perceptron(max_epochs=3, shuffle=True, random_state=random_state)


@pytest.fixture(scope="module")
def sample():
    X, y = Moons(noise=0.3).sample(60, np.random.default_rng(5))
    return X, y, k_fold(60, 4, np.random.default_rng(6))


def seeds():
    return [7, np.random.default_rng(8)]


def everything(sample, executor=None):
    """Each driver's numbers."""
    X, y, folds = sample
    model, candidates, random = KNearestNeighbors(), grid(k=[1, 3, 7]), grid(random_state=seeds())
    rng = np.random.default_rng(3)
    return [
        cross_validate(GaussianDiscriminant(), X, y, folds, executor=executor).risks,
        grid_search(model, candidates, X, y, folds, executor=executor).risks,
        nested_cross_validation(model, candidates, X, y, folds, 3, random_state=0, executor=executor).risks,
        *(cross_validate(shuffled(seed), X, y, folds, executor=executor).risks for seed in seeds()),
        nested_cross_validation(shuffled(None), random, X, y, folds, 3, random_state=rng, executor=executor).risks,
        *learning_curve(model, X, y, [10, 20, 40], folds, executor=executor),
        *validation_curve(model, candidates, X, y, folds, executor=executor),
    ]


def assert_same(one, other):
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


def test_threads_and_processes_give_the_same_numbers(sample):
    with ThreadPoolExecutor(2) as executor:
        assert_same(everything(sample, executor), everything(sample))
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        assert_same(everything(sample, executor), everything(sample))


def test_a_generator_in_the_model_or_a_candidate_is_not_advanced(sample):
    X, y, folds = sample
    rng = np.random.default_rng(4)
    once, again = (cross_validate(shuffled(rng), X, y, folds).risks for _ in range(2))
    assert np.array_equal(once, again)
    select(shuffled(None), grid(random_state=[rng]), X, y, folds)
    assert rng.random() == np.random.default_rng(4).random()
    others = {tuple(cross_validate(shuffled(seed), X, y, folds).risks) for seed in range(5)}
    assert len(others) > 1  # the seed does matter


def test_a_dask_cluster_gives_the_same_numbers(sample):
    web = dict.fromkeys(("dashboard_address", "worker_dashboard_address"), "127.0.0.1:0")  # any free port, loopback
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, **web)
    with cluster, distributed.Client(cluster) as client:
        assert_same(everything(sample, client.get_executor()), everything(sample))


@pytest.mark.parametrize(
    "folds, message",
    [
        ([], "at least one of the folds"),
        (3, "folds must be a list"),
        ("folds", "folds must be a list"),
        (None, "folds must be a list"),
        ([([0, 1], [1, 2])], "example 1 twice"),
        ([([0, 0], [1])], "example 0 twice"),
        ([([0, 1], [])], "non-empty"),
        ([([0, 1], [9])], "from 0 to 3"),
        ([([0, 1], [-1])], "from 0 to 3"),
        ([([True, False], [2])], "integer"),
        ([([0.0, 1.0], [2])], "integer"),
        ([np.arange(4)], "a pair"),
    ],
)
def test_bad_folds(folds, message):
    with pytest.raises(ValueError, match=message):
        cross_validate(LinearRegression(), np.zeros((4, 1)), np.zeros(4), folds)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: k_fold(5, 6), "at most the number of examples"),
        (lambda: k_fold(5, 1), "n_folds must be an integer of at least 2"),
        (lambda: k_fold(1, 2), "the number of examples must be"),
        (lambda: group_k_fold(["a", "a"], 2), "the number of groups must be"),
        (lambda: hold_out(5, 5), "something to train on"),
        (lambda: hold_out(5, 0), "n must be"),
        (lambda: leave_one_out(1), "m must be"),
        (lambda: repeated_k_fold(5, 2, 0), "n_repeats"),
        (lambda: group_k_fold([1, 1, 2], 3), "at most the number of groups"),
        (lambda: k_fold(5, 2, "seed"), "rng"),
        (lambda: k_fold(5, 2, True), "rng"),
        (lambda: stratified_k_fold(np.array([1, "a", None], dtype=object), 2), "mixes"),
        (lambda: stratified_k_fold([1.0, np.nan, 1.0], 2), "finite"),
        (lambda: stratified_k_fold([[1], [1, 2]], 2), "rows of the same length"),
        (lambda: group_k_fold([np.nan, np.nan, 1.0], 2), "finite"),
        (lambda: group_k_fold(np.array([1, "a", 2], dtype=object), 2), "mixes"),
        (lambda: cross_validate(LinearRegression(), [[1], [1, 2]], np.zeros(2), k_fold(2, 2)), "same length"),
        (lambda: cross_validate(LinearRegression(), np.zeros((4, 1)), np.zeros(3), k_fold(4, 2)), "same length"),
    ],
)
def test_bad_arguments(make, message):
    with pytest.raises(ValueError, match=message):
        make()


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
