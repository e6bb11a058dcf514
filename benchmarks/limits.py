"""How close the algorithms come to what the machine can do: operations against its matrix product, bytes against its
memory. The limit is measured in the same process, in turns with the task.

Letters
    X, y     sample: m points of R^d
"""

import numpy as np

from benchmarks import kernels, linear_models, perceptron, trees
from benchmarks.harness import Limit, benchmark, interleaved
from benchmarks.networks import digits
from mlcourse import AdaBoost, GaussianKernel, KernelRidge, LogisticRegression, MLPClassifier, Ridge
from mlcourse import Perceptron as OurPerceptron
from mlcourse.models.local.nearest_neighbors import nearest


def product(n=1200):
    """A product of two matrices, and the operations it needs, in thousand millions."""
    A, B = np.random.default_rng(0).normal(size=(2, n, n))
    return (lambda: A @ B), 2 * n**3 / 1e9


def reading(n=2**25):
    """A scalar product of two long vectors, and the bytes it reads, in thousand millions."""
    a, b = np.ones(n), np.ones(n)
    return (lambda: a @ b), 16 * n / 1e9


def reached(task, run, work, count, kind="GFLOP/s", repeats=3, reference=None):
    """The row of one task with so much work (operations or bytes)."""
    yardstick, amount = reference or (product() if kind == "GFLOP/s" else reading())
    yardstick()
    seconds, other = interleaved(run, yardstick, repeats=repeats)
    return Limit(task, kind, count, work / 1e9, seconds, amount / other)


@benchmark
def second_moments(cases=((100_000, 50), (20_000, 500))):
    """Ridge regression: the Gram matrix is nearly all the work."""
    for m, d in cases:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(m, d))
        y = X @ rng.normal(size=d) + rng.normal(size=m)
        model = Ridge(lam=2 / m)
        task = f"ridge regression, m = {m}, d = {d}"
        yield reached(task, lambda: model.fit(X, y), m * d**2, "m d², half of XᵀX")  # noqa: B023


@benchmark
def kernel_ridge(m=5000, d=20):
    """The Gram matrix and its factorisation."""
    X, y = kernels.sample(m, d)
    model = KernelRidge(lam=2 / m, kernel=GaussianKernel(0.05))
    task = f"kernel ridge regression, m = {m}"
    yield reached(task, lambda: model.fit(X, y), m**3 / 3 + m**2 * d, "m³/3 + m² d")


@benchmark
def neighbors(m=20_000, n=10_000, d=50):
    """All distances."""
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(m, d)), rng.normal(size=(n, d))
    task = f"{n} nearest neighbours among {m}, d = {d}"
    yield reached(task, lambda: nearest(X, new, 5), 2 * m * n * d, "2 m n d, all distances")


@benchmark
def network(epochs=50):
    """Products of a network with 64 hidden units: forward, back, and to the weights."""
    X, y, *_ = digits()
    pairs = 64 * 64 + 64 * 10
    work = epochs * len(y) * 2 * (2 * pairs + 64 * 10)
    for batch in (32, 200):
        model = MLPClassifier(64, batch=batch, max_epochs=epochs, random_state=0)
        task = f"network 64-64-10, digits, batches of {batch}"
        yield reached(task, lambda: model.fit(X, y), work, "products with the weights")  # noqa: B023


@benchmark
def scan(m=200_000, d=50, passes=100):
    """The perceptron, whose passes read the sample from end to end."""
    X, y = perceptron.sample(0.0, np.random.default_rng(0), m, d, gap=0.2)
    model = OurPerceptron(bias=False, max_epochs=passes).fit(X, y)
    assert model.converged_
    epochs = epochs_of(X, y, passes)
    task = f"perceptron, m = {m}, d = {d}, {epochs} passes"
    yield reached(task, lambda: model.fit(X, y), epochs * X.nbytes, "each pass reads X", "GB/s")


def epochs_of(X, y, most):
    """The passes after which the perceptron has separated the sample."""
    return next(k for k in range(1, most + 1) if OurPerceptron(bias=False, max_epochs=k).fit(X, y).converged_)


@benchmark
def logistic(m=100_000, d=50):
    """Conjugate gradients: two products with the sample a step, and one for its second moments."""
    X, y = linear_models.labelled(np.random.default_rng(0), m, d)
    model = LogisticRegression(lam=1 / m, tol=1e-3).fit(X, y)
    task = f"logistic regression, m = {m}, d = {d}, {model.n_iter_} steps"
    reads = 2 * model.n_iter_ + 2
    yield reached(task, lambda: model.fit(X, y), reads * X.nbytes, "two readings of X a step, and two", "GB/s")


@benchmark
def boosting(m=20_000, d=30, rounds=200):
    """AdaBoost: every round reads the order of every feature."""
    X, y, _ = trees.noisy(m, d)
    model = AdaBoost(n_rounds=rounds)
    task = f"AdaBoost, m = {m}, d = {d}, {rounds} rounds"
    work = rounds * X.nbytes * 3
    yield reached(task, lambda: model.fit(X, y), work, "a round reads order and cuts, writes sums: 3 m d", "GB/s")
