"""Cross-validation of many candidates against scikit-learn's refits: the same errors first, then the times.

Letters
    X, y     sample: m points of R^d and real targets, or labels
    alpha    what a ridge penalty adds to the diagonal of X^T X
"""

import numpy as np
import sklearn.linear_model
import sklearn.neighbors

from benchmarks.harness import benchmark, race
from mlcourse.evaluation import k_fold
from mlcourse.models.linear.linear_regression import ridge_cross_validation
from mlcourse.models.local.nearest_neighbors import neighbors_cross_validation


def refits(models, X, y, folds):
    """The (len(models), m) predictions of every model refitted without each fold."""
    predictions = np.empty((len(models), len(y)))
    for model, row in zip(models, predictions, strict=True):
        for train, test in folds:
            row[test] = model.fit(X[train], y[train]).predict(X[test])
    return predictions


@benchmark
def ridge(sizes=(10_000, 100_000), d=50):
    """Ten folds and twenty penalties."""
    rng, lam = np.random.default_rng(0), np.geomspace(1e-4, 10, 20)
    for key, m in zip(("ridge-folds-4", "ridge-folds-5"), sizes, strict=True):
        X = rng.normal(size=(m, d)) * np.geomspace(1, 0.1, d) + 1
        y, folds = X @ rng.normal(size=d) + rng.normal(size=m), k_fold(m, 10, rng)
        models = [sklearn.linear_model.Ridge(alpha=value * 0.9 * m / 2) for value in lam]
        ours, theirs = ridge_cross_validation(X, y, lam, folds), y - refits(models, X, y, folds)
        assert np.allclose(ours, theirs, rtol=1e-6, atol=1e-8), "not the same errors"
        yield race(
            key,
            lambda: ridge_cross_validation(X, y, lam, folds),  # noqa: B023
            lambda: refits(models, X, y, folds),  # noqa: B023
            "same errors to 10⁻⁶",
            repeats=2 if m < 50_000 else 1,
        )


@benchmark
def neighbors(sizes=(5000, 2000), most=50):
    """Ten folds and every k from 1 to 50, two classes."""
    rng, ks = np.random.default_rng(1), range(1, most + 1)
    for m, d in zip(sizes, (2, 10), strict=True):
        X = rng.normal(size=(m, d))
        y, folds = (X[:, 0] + rng.normal(size=m) > 0).astype(int), k_fold(m, 10, rng)
        models = [sklearn.neighbors.KNeighborsClassifier(k) for k in ks]
        ours, theirs = neighbors_cross_validation(X, y, ks, folds), refits(models, X, -y, folds) != -y  # ties to y = 1
        assert np.array_equal(ours, theirs), "not the same errors"
        yield race(
            f"neighbors-folds-{d}",
            lambda: neighbors_cross_validation(X, y, ks, folds),  # noqa: B023
            lambda: refits(models, X, y, folds),  # noqa: B023
            "same errors",
            repeats=1,
        )
