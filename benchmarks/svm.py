"""Support vector machines against scikit-learn: the same tolerance and dual value, or at least as small a risk."""

import numpy as np
import sklearn.linear_model
import sklearn.svm

from benchmarks.harness import compare
from mlcourse import SVM, GaussianKernel, Pegasos
from mlcourse.models.svm_dual import dual_objective


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


def rows():
    """Gaussian kernel, m = 2000 and 5000, C = 1 and 100; then linear, 10^5 points, by stochastic subgradients."""
    for m in (2000, 5000):
        X, y = curved(m, np.random.default_rng(0))
        for C, goal in [(1.0, 1.3), (100.0, 2.6)]:
            ours = SVM(C, GaussianKernel(0.1)).fit(X, y)
            theirs = sklearn.svm.SVC(C=C, gamma=0.1, cache_size=1000).fit(X, y)
            K = GaussianKernel(0.1)(X)
            value = dual_value(ours.support_, ours.alpha_[ours.support_], K, y)
            best = dual_value(theirs.support_, np.abs(theirs.dual_coef_[0]), K, y)
            assert abs(value / best - 1) < 1e-7, "not the same dual value"
            name = f"SVM, Gaussian kernel, m={m}, C={C:g}, {ours.n_iter_} steps"
            yield compare(name, lambda: ours.fit(X, y), lambda: theirs.fit(X, y), goal, repeats=3)  # noqa: B023

    X, y = flat(100_000, np.random.default_rng(0))
    lam = 0.01

    def risk(w):
        return np.maximum(1 - y * (X @ w), 0).mean() + lam / 2 * w @ w

    exact = sklearn.svm.LinearSVC(C=1 / (lam * len(y)), loss="hinge", fit_intercept=False, tol=1e-6).fit(X, y)
    least = risk(exact.coef_[0])
    for passes, batch, epochs in [(3, 128, 2), (8, 128, 5)]:
        ours = Pegasos(lam, passes * len(y) // batch, batch, bias=False, random_state=0).fit(X, y)
        theirs = sklearn.linear_model.SGDClassifier(
            alpha=lam, max_iter=epochs, tol=None, fit_intercept=False, random_state=0
        ).fit(X, y)
        gap = risk(ours.w_) / least - 1
        assert gap <= risk(theirs.coef_[0]) / least - 1, "a larger risk than theirs"
        name = f"Pegasos, m=100000, {passes} passes in batches, gap {gap:.2%}"
        yield compare(name, lambda: ours.fit(X, y), lambda: theirs.fit(X, y), 1.0)  # noqa: B023
