"""Boosting and forests against scikit-learn's: no more errors first, then the times; and what a second worker brings.

Letters
    X, y     sample: m points of R^d and labels, or real targets
"""

import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
from sklearn.ensemble import RandomForestRegressor as SklearnForestRegressor
from sklearn.tree import DecisionTreeClassifier

from benchmarks.harness import Row, benchmark, race
from benchmarks.trees import noisy
from mlcourse import AdaBoost, Bagging, RandomForest, RandomForestRegressor

SLACK = 0.005  # more wrong labels than this, as a fraction, would be a difference


def elapsed(forest, X, y, executor):
    """The seconds that a fit takes by the clock, with all its workers."""
    start = time.perf_counter()
    forest.fit(X, y, executor=executor)
    return time.perf_counter() - start


def errors(models, X, y):
    """The errors of ours and theirs on (X, y): fractions of wrong labels."""
    return [np.mean(model.predict(X) != y) for model in models]


def parts(m):
    """A training part of m points, labels and scores, and a test part twice as large."""
    X, y, score = noisy(3 * m)
    return X[:m], y[:m], score[:m], X[m:], y[m:], score[m:]


@benchmark
def adaboost(m=10_000, n_rounds=100):
    """Stumps: ours are the best ones, so the training error is no higher."""
    X, y, _ = noisy(m, d=30)
    ours, theirs = AdaBoost(n_rounds=n_rounds), AdaBoostClassifier(n_estimators=n_rounds)
    found = errors([ours.fit(X, y), theirs.fit(X, y)], X, y)
    assert found[0] <= found[1], f"more training errors: {found}"
    quality = f"training error {found[0]:.2%}, theirs {found[1]:.2%}"
    yield race("adaboost", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality, repeats=2)
    yield race("adaboost-predict", lambda: ours.predict(X), lambda: theirs.predict(X), quality)


@benchmark
def forest(m=10_000, n_trees=100, slack=SLACK):
    """A forest of full trees."""
    X, y, _, X_test, y_test, _ = parts(m)
    ours, theirs = RandomForest(n_trees, random_state=0), RandomForestClassifier(n_trees, random_state=0)
    found = errors([ours.fit(X, y), theirs.fit(X, y)], X_test, y_test)
    assert found[0] <= found[1] + slack, f"more test errors: {found}"
    quality = f"test error {found[0]:.2%}, theirs {found[1]:.2%}"
    yield race("forest", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality, repeats=2)
    yield race("forest-predict", lambda: ours.predict(X), lambda: theirs.predict(X), quality)


@benchmark
def two_workers(m=10_000, n_trees=100, repeats=3):
    """How many times faster a forest grows with two processes, by the clock: the same trees."""
    X, y, *_ = parts(m)
    forest = RandomForest(n_trees, random_state=0)
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(abs, range(4)))  # they have started
        runs = [[elapsed(forest, X, y, executor) for executor in (pool, None)] for _ in range(repeats)]
        same = np.array_equal(forest.fit(X, y, executor=pool).counts_, forest.fit(X, y).counts_)
    assert same, "not the same trees"
    two, one = np.min(runs, axis=0)
    yield Row("forest-workers", one / two, None, f"same trees; {two:.2f} s and {one:.2f} s")


@benchmark
def regression_forest(m=10_000, n_trees=20, slack=0.02):
    """A forest of regression trees."""
    X, _, score, X_test, _, test_score = parts(m)
    ours = RandomForestRegressor(n_trees, 6, random_state=0)
    theirs = SklearnForestRegressor(n_trees, max_features=6, random_state=0)
    found = [np.mean((model.fit(X, score).predict(X_test) - test_score) ** 2) for model in (ours, theirs)]
    assert found[0] <= (1 + slack) * found[1], f"a larger test error: {found}"
    quality = f"mean squared test error {found[0]:.2f}, theirs {found[1]:.2f}"
    yield race("regression-forest", lambda: ours.fit(X, score), lambda: theirs.fit(X, score), quality, repeats=2)


@benchmark
def bagging(m=10_000, n_trees=10, slack=2 * SLACK):
    """Full trees on bootstrap samples."""
    X, y, _, X_test, y_test, _ = parts(m)
    ours = Bagging(n_estimators=n_trees, random_state=0)
    theirs = BaggingClassifier(DecisionTreeClassifier(), n_trees, random_state=0)
    found = errors([ours.fit(X, y), theirs.fit(X, y)], X_test, y_test)
    assert found[0] <= found[1] + slack, f"more test errors: {found}"
    quality = f"test error {found[0]:.2%}, theirs {found[1]:.2%}"
    yield race("bagging", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality, repeats=2)
