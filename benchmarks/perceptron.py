"""The perceptron against scikit-learn's: the same passes in the same order, hence the same mistakes and weights."""

import numpy as np
import sklearn.linear_model

from benchmarks.harness import benchmark, race
from mlcourse import Perceptron


def sample(noise, rng, m=10_000, d=30, gap=0.05):
    """Normal points at distance ``gap`` or more from a hyperplane, a fraction ``noise`` of the labels flipped."""
    u = rng.normal(size=d)
    X = rng.normal(size=(2 * m, d))
    X = X[np.abs(X @ u) >= gap * np.linalg.norm(u)][:m]
    y = np.where(X @ u > 0, 1, -1)
    y[rng.random(m) < noise] *= -1
    return X, y


@benchmark
def passes(m=10_000, n_passes=100):
    """A hundred passes over the points, with 0, 1 and 10 per cent of noise."""
    for percent in (0, 1, 10):
        X, y = sample(percent / 100, np.random.default_rng(0), m)
        ours = Perceptron(bias=False, max_epochs=n_passes)
        theirs = sklearn.linear_model.Perceptron(max_iter=n_passes, tol=None, shuffle=False, fit_intercept=False)
        assert np.allclose(ours.fit(X, y).w_, theirs.fit(X, y).coef_[0]), "not the same weights"
        quality = f"same weights, {ours.n_updates_} updates"
        yield race(f"perceptron-{percent}", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality)  # noqa: B023
