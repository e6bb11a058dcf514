"""Support vector machines against scikit-learn: the same tolerance and dual value, or at least as small a risk."""

import numpy as np
import sklearn.linear_model
import sklearn.svm

from benchmarks.harness import Row, benchmark, peak_memory, race
from mlcourse import SVM, GaussianKernel, Pegasos
from mlcourse.models.kernels.svm_dual import dual_objective


def curved(m, rng, d=10):
    """Normal points on the two sides of a curved surface, with noise near it."""
    X = rng.normal(size=(m, d))
    return X, np.where(np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=m) > 0, 1, -1)


def flat(m, rng, d=30):
    """Normal points on the two sides of a hyperplane, with noise near it."""
    X, u = rng.normal(size=(m, d)), rng.normal(size=d)
    return X, np.where(X @ u / np.linalg.norm(u) + 0.5 * rng.normal(size=m) > 0, 1, -1)


def dual_value(support, alpha, K, y):
    """The dual objective at the variables ``alpha`` of the support vectors."""
    full = np.zeros(len(y))
    full[support] = alpha
    return dual_objective(full, K, y)


@benchmark
def gaussian_kernel(sizes=(2000, 5000)):
    """The same dual problem at the same tolerance, soft and hard."""
    for name, m in zip((2000, 5000), sizes, strict=True):
        X, y = curved(m, np.random.default_rng(0))
        K = GaussianKernel(0.1)(X)
        for C in (1, 100):
            ours = SVM(C, GaussianKernel(0.1)).fit(X, y)
            theirs = sklearn.svm.SVC(C=C, gamma=0.1, cache_size=1000).fit(X, y)
            value = dual_value(ours.support_, ours.alpha_[ours.support_], K, y)
            best = dual_value(theirs.support_, np.abs(theirs.dual_coef_[0]), K, y)
            assert abs(value / best - 1) < 1e-7, f"not the same dual value: {value / best - 1:.1e}"
            quality = f"same dual value to 10⁻⁷, {ours.n_iter_} steps"
            yield race(f"svm-{name}-{C}", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality)  # noqa: B023


@benchmark
def memory(m=20_000):
    """The most memory of a process that fits a sample whose Gram matrix would need 3.2 GB."""
    X, y = curved(m, np.random.default_rng(0))
    model = SVM(1.0, GaussianKernel(0.1), cache_size=1000).fit(X, y)
    assert model.converged_, "not converged"
    yield Row("svm-memory", peak_memory(), None, f"converged, {model.n_iter_} steps")


@benchmark
def pegasos(m=100_000, lam=0.01, slack=0.0):
    """The linear machine by stochastic subgradients: no larger objective than theirs in no more time."""
    X, y = flat(m, np.random.default_rng(0))

    def risk(w):
        return np.maximum(1 - y * (X @ w), 0).mean() + lam / 2 * w @ w

    exact = sklearn.svm.LinearSVC(C=1 / (lam * m), loss="hinge", fit_intercept=False, tol=1e-6, max_iter=100_000)
    least = risk(exact.fit(X, y).coef_[0])
    for passes, batch, epochs in [(3, 128, 2), (8, 128, 5)]:
        ours = Pegasos(lam, passes * m // batch, batch, bias=False, random_state=0).fit(X, y)
        theirs = sklearn.linear_model.SGDClassifier(
            alpha=lam, max_iter=epochs, tol=None, fit_intercept=False, random_state=0
        ).fit(X, y)
        gap, their_gap = risk(ours.w_) / least - 1, risk(theirs.coef_[0]) / least - 1
        assert gap <= their_gap + slack, f"a larger risk than theirs: {gap:.2%}, {their_gap:.2%}"
        quality = f"objective {gap:.2%} above its minimum; theirs {their_gap:.2%} after {epochs} passes"
        yield race(f"pegasos-{passes}", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality)  # noqa: B023
        yield Row(f"pegasos-{passes}-gap", 100 * gap, None, f"{passes} passes, {batch} examples a step")
