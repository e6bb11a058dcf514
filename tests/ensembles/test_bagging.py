"""Bags are votes of models trained on bootstrap samples; out-of-bag errors are what a direct count gives."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

from mlcourse import (
    Bagging,
    BaggingRegressor,
    DecisionTree,
    KNearestNeighbors,
    LinearRegression,
    Perceptron,
    RandomForest,
    RandomForestRegressor,
)
from mlcourse.base import last_argmax
from mlcourse.data import load_mushroom
from mlcourse.ensembles.bagging import parts
from mlcourse.ensembles.voting import Constant, Vote


def sample(seed, m=50, d=3, k=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    score = X[:, 0] + 0.5 * rng.normal(size=m)
    return X, np.array(["a", "b", "c", "d"])[np.digitize(score, np.linspace(-0.5, 0.5, k - 1))], score


ENSEMBLES = [
    Bagging(n_estimators=12, random_state=0),
    Bagging(KNearestNeighbors(3), n_estimators=12, average=True, random_state=0),
    RandomForest(12, random_state=0),
    RandomForest(12, max_depth=2, random_state=0),
    BaggingRegressor(n_estimators=12, random_state=0),
    BaggingRegressor(LinearRegression(), n_estimators=12, random_state=0),
    RandomForestRegressor(12, random_state=0),
]
each = pytest.mark.parametrize("model", ENSEMBLES, ids=str)


def fitted(model, seed=1):
    X, labels, score = sample(seed)
    y = score if model._kind == "regressor" else labels
    return model.fit(X, y), X, y


@each
def test_each_member_is_the_base_on_its_bootstrap_sample(model):
    model, X, y = fitted(model)
    assert model.counts_.shape == (12, 50) and (model.counts_.sum(axis=1) == 50).all()
    assert len({tuple(count) for count in model.counts_}) == 12
    if isinstance(model, Bagging) and not model.average or isinstance(model, BaggingRegressor):
        base = model._model()
        for h, count in zip(model.members_, model.counts_, strict=True):
            rows = np.repeat(np.arange(50), count)
            other = type(base)().fit(X[rows], y[rows]).predict(X)
            assert np.allclose(h.predict(X), other) if model._kind == "regressor" else (h.predict(X) == other).all()


def test_a_bag_votes_and_averages():
    model, X, _ = fitted(ENSEMBLES[0])
    new = np.random.default_rng(9).normal(size=(100, 3))
    np.testing.assert_allclose(model.predict_proba(new), Vote(model.members_).shares(new))
    assert np.array_equal(model.predict(new), Vote(model.members_).predict(new))
    soft, X, _ = fitted(ENSEMBLES[1])
    np.testing.assert_allclose(soft.predict_proba(new), np.mean([h.predict_proba(new) for h in soft.members_], axis=0))
    real, X, _ = fitted(ENSEMBLES[5])
    np.testing.assert_allclose(real.predict(new), np.mean([h.predict(new) for h in real.members_], axis=0))


@pytest.mark.algorithm("alg-out-of-bag")
@each
def test_out_of_bag_is_what_a_direct_count_gives(model):
    model, X, y = fitted(model)
    output = model.out_of_bag(X)
    losses = []
    for i in range(50):
        outside = [h for h, count in zip(model.members_, model.counts_, strict=True) if count[i] == 0]
        if not outside:
            assert np.isnan(output[i]).all()
            continue
        if model._kind == "regressor":
            expected = np.mean([h.predict(X[i : i + 1])[0] for h in outside])
            losses.append((expected - y[i]) ** 2)
        elif isinstance(model, Bagging) and not model.average:
            expected = np.mean([h.predict(X[i : i + 1]) == model.classes_ for h in outside], axis=0)
        else:
            expected = np.mean([h.predict_proba(X[i : i + 1])[0] for h in outside], axis=0)
        np.testing.assert_allclose(output[i], expected, atol=1e-12)
        if model._kind == "classifier":
            losses.append(model.classes_[last_argmax(output[i : i + 1])[0]] != y[i])
    assert np.isclose(model.out_of_bag_error(X, y), np.mean(losses))


def test_out_of_bag_needs_the_training_sample_and_examples_left_out():
    model, X, y = fitted(ENSEMBLES[0])
    with pytest.raises(ValueError, match="must be the training sample of 50 rows, got 49"):
        model.out_of_bag(X[1:])
    with pytest.raises(ValueError, match="same length"):
        model.out_of_bag_error(X, y[1:])
    with pytest.raises(ValueError, match="there is no out-of-bag error"):
        RandomForest(2, bootstrap=False).fit(X, y).out_of_bag_error(X, y)
    assert np.isnan(RandomForest(2, bootstrap=False).fit(X, y).out_of_bag(X)).all()


def test_every_executor_gives_the_same_ensemble():
    X, labels, score = sample(2)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        for model in ENSEMBLES:
            y = score if model._kind == "regressor" else labels
            alone = [model.fit(X, y).counts_, model.predict(X)]
            with ThreadPoolExecutor(2) as threads:
                for executor in (threads, processes):
                    other = [model.fit(X, y, executor=executor).counts_, model.predict(X)]
                    assert all(map(np.array_equal, alone, other))
    with pytest.raises(ValueError, match="executor must have a method map"):
        model.fit(X, y, executor=2)


def test_tasks_are_divided_without_loss():
    for n in (1, 3, 16, 17, 100):
        divided = parts(list(range(n)), executor=True)
        assert sum(divided, []) == list(range(n)) == parts(list(range(n)), None)[0] and len(divided) == min(n, 16)


def test_members_differ_by_their_seeds_too():
    X, labels, _ = sample(3, k=2)
    model = Bagging(Perceptron(shuffle=True, max_epochs=2), 6, random_state=0).fit(X, labels)
    assert len({h.random_state for h in model.members_}) == 6


def test_bootstrap_samples_of_one_class_and_missing_classes():
    X, y = np.arange(4.0)[:, None], np.array([0, 0, 0, 1])
    for average in (False, True):
        model = Bagging(n_estimators=60, average=average, random_state=0).fit(X, y)
        assert any(isinstance(h, Constant) for h in model.members_)
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
        assert np.array_equal(model.predict(X)[:2], [0, 0])
    three = Bagging(n_estimators=40, average=True, random_state=0).fit(X, [0, 1, 1, 2])
    assert {len(h.classes_) for h in three.members_} == {1, 2, 3}
    votes = [h.predict(X)[:, None] == [0, 1, 2] for h in three.members_]  # full trees are sure of what they say
    np.testing.assert_allclose(three.predict_proba(X), np.mean(votes, axis=0))


def test_tables_with_names_are_read_by_the_base():
    X, y, *_ = load_mushroom()
    X, y = np.asarray(X, dtype=object)[:300], np.asarray(y)[:300]
    model = Bagging(DecisionTree(categorical=range(X.shape[1])), 5, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95 and np.isfinite(model.out_of_bag_error(X, y))
