"""Trees against scikit-learn's: the same total impurity first, then the times.

Letters
    X, y     sample: m points of R^d and labels, or real targets
"""

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.harness import benchmark, race
from mlcourse import DecisionTree, RegressionTree
from mlcourse.data import load_digits

DEPTHS = ((5, 5), ("full", None))


def noisy(m, d=20):
    """Points with d normal features; a score of five of them plus noise, and whether it is positive."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(m, d))
    score = X[:, 0] * X[:, 1] + X[:, 2] - X[:, 3] ** 2 + np.sin(3 * X[:, 4])
    score = score - np.median(score) + rng.normal(size=m)
    return X, (score > 0).astype(int), score


def blurred_digits(m):
    """Digits drawn again with noise in every pixel: ten classes, 64 features with the values 0 to 16."""
    rng, (X, y, *_) = np.random.default_rng(0), load_digits()
    i = rng.integers(len(y), size=m)
    return np.clip(X[i] + rng.integers(-2, 3, size=(m, 64)), 0, 16), y[i]


def tree_race(key, ours, theirs, X, y, repeats):
    """The row of one comparison, after checking that both trees have the same total impurity."""
    tree, reference = ours.fit(X, y).tree_, theirs.fit(X, y).tree_
    weight = reference.weighted_n_node_samples
    total = (weight * reference.impurity)[reference.children_left < 0].sum() / weight[0]
    assert np.isclose(tree.impurity[tree.left < 0].sum(), total, rtol=1e-6, atol=1e-9), "not the same impurity"
    return race(key, lambda: ours.fit(X, y), lambda: theirs.fit(X, y), "same impurity to 10⁻⁶", repeats)


@benchmark
def normal_features(sizes=(10_000, 100_000)):
    """Classification and regression, shallow and full."""
    for e, m in zip((4, 5), sizes, strict=True):
        X, y, score = noisy(m)
        repeats = 3 if m < 50_000 else 2
        for name, depth in DEPTHS:
            ours, theirs = DecisionTree(max_depth=depth), DecisionTreeClassifier(max_depth=depth, random_state=0)
            yield tree_race(f"tree-{name}-{e}", ours, theirs, X, y, repeats)
            ours, theirs = RegressionTree(max_depth=depth), DecisionTreeRegressor(max_depth=depth, random_state=0)
            yield tree_race(f"regression-tree-{name}-{e}", ours, theirs, X, score, repeats)


@benchmark
def tied_features(m=10_000):
    """Ten classes and features with few values: scikit-learn's good case."""
    X, y = blurred_digits(m)
    for name, depth in DEPTHS:
        ours, theirs = DecisionTree(max_depth=depth), DecisionTreeClassifier(max_depth=depth, random_state=0)
        yield tree_race(f"tied-tree-{name}", ours, theirs, X, y, repeats=3)
