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

from benchmarks.harness import Row, compare
from benchmarks.trees import noisy
from mlcourse import AdaBoost, Bagging, RandomForest, RandomForestRegressor


def elapsed(forest, X, y, executor):
    """The seconds that a fit takes by the clock, with all its workers."""
    start = time.perf_counter()
    forest.fit(X, y, executor=executor)
    return time.perf_counter() - start


def errors(models, X, y):
    """The errors of ours and theirs on (X, y): fractions of wrong labels."""
    return [np.mean(model.predict(X) != y) for model in models]


def two_workers(X, y, n_trees, goal, repeats=3):
    """The time of a forest with two processes against one."""
    forest = RandomForest(n_trees, random_state=0)
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(abs, range(4)))  # they have started
        runs = [[elapsed(forest, X, y, executor) for executor in (pool, None)] for _ in range(repeats)]
    return Row(f"forest, two workers against one, {n_trees} trees, by the clock", *np.min(runs, axis=0), goal)


def rows():
    """Every comparison of this file."""
    X, y, _ = noisy(10_000, d=30)
    ours, theirs = AdaBoost(n_rounds=100), AdaBoostClassifier(n_estimators=100)
    found = errors([ours.fit(X, y), theirs.fit(X, y)], X, y)
    assert found[0] <= found[1], f"more training errors: {found}"
    name = "m = 10000, d = 30, T = 100"
    yield compare(f"AdaBoost, stumps, {name}", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), 0.15, repeats=3)
    yield compare(f"AdaBoost, predict, {name}", lambda: ours.predict(X), lambda: theirs.predict(X), 0.3)

    X, y, score = noisy(30_000)
    (X, X_test), (y, y_test), score = np.split(X, [10_000]), np.split(y, [10_000]), score[:10_000]
    ours, theirs = RandomForest(100, random_state=0), RandomForestClassifier(100, random_state=0)
    found = errors([ours.fit(X, y), theirs.fit(X, y)], X_test, y_test)
    assert found[0] <= found[1] + 0.005, f"more test errors: {found}"
    name = "100 trees, m = 10000, d = 20"
    yield compare(f"forest, {name}", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), 1.6, repeats=2)
    yield compare(f"forest, predict, {name}", lambda: ours.predict(X), lambda: theirs.predict(X), 4.0, repeats=3)
    yield two_workers(X, y, 100, 1 / 1.7)
    ours, theirs = RandomForestRegressor(20, 6), SklearnForestRegressor(20, max_features=6)
    name = "forest, regression, 20 trees, m = 10000, d = 20"
    yield compare(name, lambda: ours.fit(X, score), lambda: theirs.fit(X, score), 2.5, repeats=2)
    ours, theirs = Bagging(n_estimators=10), BaggingClassifier(DecisionTreeClassifier(), 10)
    name = "bagging, 10 full trees, m = 10000, d = 20"
    yield compare(name, lambda: ours.fit(X, y), lambda: theirs.fit(X, y), 1.2, repeats=2)
