"""Trees against scikit-learn's: the same total impurity first, then the times, and how ours grow with m.

Letters
    X, y     sample: m points of R^d and labels, or real targets
"""

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.harness import Row, compare
from mlcourse import DecisionTree, RegressionTree
from mlcourse.data import load_digits


class Exponents(Row):
    """The powers of m by which our time and theirs grow, and their ratio."""

    def __str__(self):
        return super().__str__().replace(" s ", "   ")


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


def race(task, ours, theirs, X, y, goal, repeats):
    """The row of one comparison, after checking that both trees have the same total impurity."""
    tree, reference = ours.fit(X, y).tree_, theirs.fit(X, y).tree_
    weight = reference.weighted_n_node_samples
    total = (weight * reference.impurity)[reference.children_left < 0].sum() / weight[0]
    assert np.isclose(tree.impurity[tree.left < 0].sum(), total, rtol=1e-6, atol=1e-9), "not the same impurity"
    return compare(task, lambda: ours.fit(X, y), lambda: theirs.fit(X, y), goal, repeats)


def rows():
    """Every comparison of this file."""
    times = {}
    for m, repeats in [(10_000, 5), (100_000, 1)]:
        X, y, score = noisy(m)
        for name, depth in [("depth 5", 5), ("full", None)]:
            ours, theirs = DecisionTree(max_depth=depth), DecisionTreeClassifier(max_depth=depth, random_state=0)
            row = race(f"tree, two classes, {name}, m = {m}, d = 20", ours, theirs, X, y, 1.0, repeats)
            times[name, m] = row
            yield row
            ours, theirs = RegressionTree(max_depth=depth), DecisionTreeRegressor(max_depth=depth, random_state=0)
            yield race(f"tree, regression, {name}, m = {m}, d = 20", ours, theirs, X, score, 1.8, repeats)
    for name in ("depth 5", "full"):
        low, high = times[name, 10_000], times[name, 100_000]
        exponents = [np.log10(getattr(high, side) / getattr(low, side)) for side in ("ours", "theirs")]
        yield Exponents(f"tree, {name}: growth exponent in m, 10^4 to 10^5", *exponents, 1.1)
    X, y = blurred_digits(10_000)
    for name, depth in [("depth 5", 5), ("full", None)]:
        ours, theirs = DecisionTree(max_depth=depth), DecisionTreeClassifier(max_depth=depth, random_state=0)
        yield race(f"tree, ten classes, values 0 to 16, {name}, m = 10000", ours, theirs, X, y, 2.0, repeats=3)
