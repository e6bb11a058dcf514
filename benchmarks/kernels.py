"""Kernels and kernel ridge regression against scikit-learn's: the same numbers first, then the times."""

import numpy as np
import sklearn.kernel_ridge
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from benchmarks.harness import benchmark, race
from mlcourse import GaussianKernel, KernelPerceptron, KernelRidge, Perceptron, PolynomialKernel
from mlcourse.models.kernels.feature_maps import polynomial_features
from mlcourse.models.kernels.kernel_ridge import kernel_leave_one_out


def sample(m, d=20, seed=0):
    """Normal points and a smooth function of them with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=m)


@benchmark
def gram_matrices(m=3000):
    """Gram matrices of two kernels."""
    X, _ = sample(m)
    for key, ours, theirs in [
        ("gram-gaussian", GaussianKernel(0.05), lambda X: rbf_kernel(X, gamma=0.05)),
        ("gram-polynomial", PolynomialKernel(3, 1.0), lambda X: polynomial_kernel(X, gamma=1.0)),
    ]:
        assert np.allclose(ours(X), theirs(X), rtol=1e-9, atol=1e-12), "not the same matrix"
        yield race(key, lambda: ours(X), lambda: theirs(X), "same matrix to 10⁻⁹")  # noqa: B023


@benchmark
def ridge(sizes=(1000, 2000, 5000)):
    """Kernel ridge regression with the Gaussian kernel."""
    for name, m in zip((1000, 2000, 5000), sizes, strict=True):
        X, y = sample(m)
        ours = KernelRidge(lam=2 / m, kernel=GaussianKernel(0.05))
        theirs = sklearn.kernel_ridge.KernelRidge(alpha=1.0, kernel="rbf", gamma=0.05)
        assert np.allclose(ours.fit(X, y).f_.coefficients, theirs.fit(X, y).dual_coef_), "not the same coefficients"
        quality = "same coefficients to 10⁻⁵"
        yield race(f"kernel-ridge-{name}", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality)  # noqa: B023


@benchmark
def leave_one_out(m=200):
    """The leave-one-out errors of kernel ridge regression for ten penalties, against refits."""
    X, y = sample(m)
    lam = np.geomspace(1e-4, 1.0, 10)

    def refits():
        errors = np.empty((len(lam), m))
        for row, value in zip(errors, lam, strict=True):
            for i in range(m):
                rest = np.delete(np.arange(m), i)
                theirs = sklearn.kernel_ridge.KernelRidge(alpha=value * m / 2, kernel="rbf", gamma=0.05)
                row[i] = y[i] - theirs.fit(X[rest], y[rest]).predict(X[i : i + 1])[0]
        return errors

    def ours():
        return kernel_leave_one_out(GaussianKernel(0.05)(X), y, lam)

    assert np.allclose(ours(), refits(), rtol=1e-6, atol=1e-8), "not the same errors"
    yield race("kernel-loo", ours, refits, "same errors to 10⁻⁶", repeats=1)


@benchmark
def perceptron(m=2000, d=20):
    """The kernel perceptron against our own perceptron on the explicit features, 20 passes: the same mistakes."""
    X, y = sample(m, d)  # 1771 features for d = 20
    y, phi = np.sign(y), polynomial_features(X, 3)
    ours, theirs = KernelPerceptron(PolynomialKernel(3), max_epochs=20), Perceptron(bias=False, max_epochs=20)
    assert ours.fit(X, y).n_updates_ == theirs.fit(phi, y).n_updates_, "not the same mistakes"
    quality = f"same mistakes, {ours.n_updates_} of them"
    yield race("kernel-perceptron", lambda: ours.fit(X, y), lambda: theirs.fit(polynomial_features(X, 3), y), quality)
