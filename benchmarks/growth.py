"""How the time of each algorithm grows with m at fixed d and with d at fixed m: slopes of log-log plots.

Letters
    m, d     examples and features; e the exponent that theory gives to the leading term
"""

import numpy as np

from benchmarks import kernels, linear_models, perceptron, svm, trees
from benchmarks.harness import Growth, benchmark, cpu_time
from mlcourse import (
    SVM,
    AdaBoost,
    DecisionTree,
    GaussianDiscriminant,
    GaussianKernel,
    KernelRidge,
    LogisticRegression,
    MLPClassifier,
    RandomForest,
    Ridge,
)
from mlcourse import Perceptron as OurPerceptron
from mlcourse.models.local.nearest_neighbors import NearestSearch


def slopes(task, prepare, m=None, d=None, theory=("", ""), repeats=3):
    """Growth in m with d fixed, and in d with m fixed: ``m`` and ``d`` are pairs (sizes, the other one's value)."""
    for variable, plan, expected in (("m", m, theory[0]), ("d", d, theory[1])):
        if plan is not None:
            sizes, other = plan
            runs = [prepare(size, other) if variable == "m" else prepare(other, size) for size in sizes]
            best = np.min([[cpu_time(run) for run in runs] for _ in range(repeats)], axis=0)
            yield Growth(task, variable, sizes, best.tolist(), expected)


@benchmark
def scanning(m=((20_000, 40_000, 80_000, 160_000), 50), d=((50, 100, 200, 400), 20_000)):
    """The perceptron on a sample that it has nearly learned: what is left is looking for mistakes."""

    def prepare(m, d):
        X, y = perceptron.sample(0.0, np.random.default_rng(0), m, d, gap=0.5)
        return lambda: OurPerceptron(bias=False, max_epochs=20).fit(X, y)

    theory = "1, if mistakes are few", "1, times the passes"
    yield from slopes("perceptron, until it separates", prepare, m, d, theory)


@benchmark
def ridge(m=((25_000, 50_000, 100_000, 200_000), 50), d=((256, 512, 1024, 2048), 8000)):
    """Ridge regression."""

    def prepare(m, d):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(m, d))
        y = X @ rng.normal(size=d) + rng.normal(size=m)
        return lambda: Ridge(lam=2 / m).fit(X, y)

    yield from slopes("ridge regression", prepare, m, d, ("1", "2"))


@benchmark
def logistic(m=((25_000, 50_000, 100_000, 200_000), 50), d=((50, 100, 200, 400), 20_000)):
    """Logistic regression."""

    def prepare(m, d):
        X, y = linear_models.labelled(np.random.default_rng(0), m, d)
        return lambda: LogisticRegression(lam=1 / m, tol=1e-3).fit(X, y)

    yield from slopes("logistic regression", prepare, m, d, ("1", "1 (steps) to 2 (second moments)"))


@benchmark
def discriminant(m=((50_000, 100_000, 200_000, 400_000), 20), d=((128, 256, 512, 1024), 6000)):
    """Gaussian discriminants with a covariance for each class."""

    def prepare(m, d):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(m, d)), rng.integers(3, size=m)
        return lambda: GaussianDiscriminant().fit(X, y)

    yield from slopes("quadratic discriminant", prepare, m, d, ("1", "2"))


@benchmark
def neighbors(n=2000, m=(5000, 10_000, 20_000, 40_000), d=(64, 128, 256, 512)):
    """Questions to a tree in the plane, and to the blocks of distances."""

    def prepare(method):
        def search(m, d):
            rng = np.random.default_rng(0)
            found, new = NearestSearch(rng.normal(size=(m, d)), 5, method), rng.normal(size=(n, d))
            return lambda: found(new)

        return search

    yield from slopes("nearest neighbours, tree, d = 2", prepare("tree"), (m, 2), None, ("0 (log m)", ""))
    yield from slopes("nearest neighbours, blocks", prepare("blocks"), (m, 50), (d, 10_000), ("1", "1"))


@benchmark
def tree(m=((10_000, 20_000, 40_000, 80_000), 20), d=((10, 20, 40, 80), 10_000)):
    """Decision trees, shallow and full."""

    def prepare(depth):
        def fit(m, d):
            X, y, _ = trees.noisy(m, d)
            return lambda: DecisionTree(max_depth=depth).fit(X, y)

        return fit

    yield from slopes("tree, depth 5", prepare(5), m, d, ("1 (m log m to sort)", "1"))
    yield from slopes("tree, full", prepare(None), m, d, ("1 to 2, with the depth", "1"))


@benchmark
def forest(m=((2000, 4000, 8000, 16_000), 20), n_trees=20):
    """A random forest."""

    def prepare(m, d):
        X, y, _ = trees.noisy(m, d)
        return lambda: RandomForest(n_trees, random_state=0).fit(X, y)

    yield from slopes("random forest", prepare, m, None, ("1 to 2, with the depth", ""), repeats=2)


@benchmark
def adaboost(m=((5000, 10_000, 20_000, 40_000), 20), d=((10, 20, 40, 80), 5000), n_rounds=20):
    """Rounds of AdaBoost with stumps."""

    def prepare(m, d):
        X, y, _ = trees.noisy(m, d)
        return lambda: AdaBoost(n_rounds=n_rounds).fit(X, y)

    yield from slopes("AdaBoost, stumps", prepare, m, d, ("1", "1"))


@benchmark
def machine(m=((1250, 2500, 5000, 10_000), 10)):
    """The dual of the support vector machine."""

    def prepare(m, d):
        X, y = svm.curved(m, np.random.default_rng(0), d)
        return lambda: SVM(10.0, GaussianKernel(0.1)).fit(X, y)

    theory = "1 (a step outweighs its rows) to 2 and more", ""
    yield from slopes("support vector machine", prepare, m, None, theory, repeats=2)


@benchmark
def kernel_ridge(m=((1500, 3000, 6000), 20)):
    """Kernel ridge regression."""

    def prepare(m, d):
        X, y = kernels.sample(m, d)
        return lambda: KernelRidge(lam=2 / m, kernel=GaussianKernel(0.05)).fit(X, y)

    yield from slopes("kernel ridge regression", prepare, m, None, ("2 (matrix) to 3 (factor)", ""))


@benchmark
def network(m=((2000, 4000, 8000, 16_000), 64), d=((256, 512, 1024, 2048), 2000)):
    """A network with one hidden layer, a fixed number of passes."""

    def prepare(m, d):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(m, d)), rng.integers(10, size=m)
        return lambda: MLPClassifier(64, batch=100, max_epochs=5, random_state=0).fit(X, y)

    yield from slopes("network, 64 hidden units", prepare, m, d, ("1", "1"))
