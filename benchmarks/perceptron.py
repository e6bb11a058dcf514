"""The perceptron against scikit-learn's: the same passes in the same order, hence the same mistakes and weights."""

import numpy as np
import sklearn.linear_model

from benchmarks.harness import compare
from mlcourse import Perceptron


def sample(noise, rng, m=10_000, d=30, gap=0.05):
    """Normal points at distance ``gap`` or more from a hyperplane, a fraction ``noise`` of the labels flipped."""
    u = rng.normal(size=d)
    X = rng.normal(size=(2 * m, d))
    X = X[np.abs(X @ u) >= gap * np.linalg.norm(u)][:m]
    y = np.where(X @ u > 0, 1, -1)
    y[rng.random(m) < noise] *= -1
    return X, y


def rows():
    """10^6 presentations of 10^4 points in dimension 30, with 0, 1 and 10 per cent of noise."""
    for noise, goal in [(0.0, 1.0), (0.01, 8.0), (0.1, 15.0)]:
        X, y = sample(noise, np.random.default_rng(0))
        ours = Perceptron(bias=False, max_epochs=100)
        theirs = sklearn.linear_model.Perceptron(max_iter=100, tol=None, shuffle=False, fit_intercept=False)
        assert np.allclose(ours.fit(X, y).w_, theirs.fit(X, y).coef_[0]), "not the same weights"
        name = f"perceptron, 100 passes, {noise:.0%} noise, {ours.n_updates_} updates"
        yield compare(name, lambda: ours.fit(X, y), lambda: theirs.fit(X, y), goal)  # noqa: B023
