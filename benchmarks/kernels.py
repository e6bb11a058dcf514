"""Kernels and kernel ridge regression against scikit-learn's: the same numbers first, then the times."""

import numpy as np
import sklearn.kernel_ridge
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from benchmarks.harness import compare
from mlcourse import GaussianKernel, KernelPerceptron, KernelRidge, Perceptron, PolynomialKernel
from mlcourse.models.feature_maps import polynomial_features
from mlcourse.models.kernel_ridge import kernel_leave_one_out


def sample(m, d=20, seed=0):
    """Normal points and a smooth function of them with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=m)


def gram_rows():
    """Gram matrices of 3000 points."""
    X, _ = sample(3000)
    for name, ours, theirs, goal in [
        ("Gaussian", GaussianKernel(0.05), lambda X: rbf_kernel(X, gamma=0.05), 1.0),
        ("polynomial", PolynomialKernel(3, 1.0), lambda X: polynomial_kernel(X, gamma=1.0), 0.2),
    ]:
        assert np.allclose(ours(X), theirs(X), rtol=1e-9, atol=1e-12), "not the same matrix"
        yield compare(f"Gram matrix, {name} kernel, m=3000", lambda: ours(X), lambda: theirs(X), goal)  # noqa: B023


def ridge_rows():
    """Kernel ridge regression with the Gaussian kernel, and its leave-one-out errors."""
    for m in (1000, 2000, 5000):
        X, y = sample(m)
        ours = KernelRidge(lam=2 / m, kernel=GaussianKernel(0.05))
        theirs = sklearn.kernel_ridge.KernelRidge(alpha=1.0, kernel="rbf", gamma=0.05)
        assert np.allclose(ours.fit(X, y).f_.coefficients, theirs.fit(X, y).dual_coef_), "not the same coefficients"
        repeats = 3 if m == 5000 else 5
        yield compare(f"kernel ridge, m={m}", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), 0.7, repeats)  # noqa: B023

    X, y = sample(200)
    lam = np.geomspace(1e-4, 1.0, 10)

    def refits():
        for value in lam:
            for i in range(200):
                rest = np.delete(np.arange(200), i)
                theirs = sklearn.kernel_ridge.KernelRidge(alpha=value * 100, kernel="rbf", gamma=0.05)
                theirs.fit(X[rest], y[rest]).predict(X[i : i + 1])

    task = "kernel ridge, leave-one-out for 10 penalties, m=200"
    yield compare(task, lambda: kernel_leave_one_out(GaussianKernel(0.05)(X), y, lam), refits, 0.05, repeats=1)


def perceptron_rows():
    """The kernel perceptron against our own perceptron on the explicit features, 20 passes: the same mistakes."""
    X, y = sample(2000, d=20)  # 1771 features
    y, phi = np.sign(y), polynomial_features(X, 3)
    ours, theirs = KernelPerceptron(PolynomialKernel(3), max_epochs=20), Perceptron(bias=False, max_epochs=20)
    assert ours.fit(X, y).n_updates_ == theirs.fit(phi, y).n_updates_, "not the same mistakes"
    task = f"kernel perceptron / explicit features, {ours.n_updates_} updates"
    yield compare(task, lambda: ours.fit(X, y), lambda: theirs.fit(polynomial_features(X, 3), y), 0.8)


def rows():
    """Every comparison of this file."""
    yield from gram_rows()
    yield from ridge_rows()
    yield from perceptron_rows()
