"""Linear models and Gaussian discriminants against scikit-learn's: the same answers first, then the times.

Letters
    X, y     sample: m points of R^d and labels in {-1, +1}, or real targets
    gap      (f(w) - f*) / f*, the relative excess of a penalised risk f over its minimum
"""

import numpy as np
import sklearn.discriminant_analysis
import sklearn.linear_model
from scipy.special import expit

from benchmarks.harness import compare
from mlcourse import GaussianDiscriminant, LinearRegression, LogisticRegression, Ridge
from mlcourse.losses import logistic
from mlcourse.models.linear_regression import leave_one_out
from mlcourse.models.logistic_regression import logistic_newton
from mlcourse.optim.objective import LinearRisk

TOLERANCES = 10.0 ** -np.arange(1.0, 12.0, 0.5)
GAP = 1e-6


def points(rng, m, d, condition):
    """Normal points whose covariance has eigenvalues from 1 down to 1 / condition^2, in random directions."""
    axes = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return rng.normal(size=(m, d)) * np.geomspace(1, 1 / condition, d) @ axes.T


def loosest(model, gap):
    """The model with the largest tolerance of the grid at which the fit comes within GAP of the minimum."""
    for tol in TOLERANCES:
        if gap(model.set_params(tol=tol)) <= GAP:
            return model
    raise AssertionError(f"{model} does not reach a gap of {GAP:g}")


def logistic_rows():
    """Logistic regression to the same relative gap, with well- and badly conditioned points."""
    m, d = 100_000, 50
    for condition, goal in [(1, 0.8), (1000, 0.6)]:
        rng = np.random.default_rng(0)
        X = points(rng, m, d, condition)
        score = X @ rng.normal(size=d)
        y = np.where(rng.random(m) < expit(2 * score / score.std()), 1, -1)
        risk = LinearRisk(logistic, X, y, lam=1 / m, bias=True)
        least = risk(logistic_newton(risk, tol=1e-11).last)

        def our_gap(model):
            model.fit(X, y)  # noqa: B023
            return risk(np.append(model.w_, model.b_)) / least - 1  # noqa: B023

        def their_gap(model):
            model.fit(X, y)  # noqa: B023
            return risk(np.append(model.coef_, model.intercept_)) / least - 1  # noqa: B023

        ours = loosest(LogisticRegression(lam=1 / m), our_gap)
        theirs = loosest(sklearn.linear_model.LogisticRegression(C=1.0, max_iter=10_000), their_gap)
        task = f"logistic regression, gap {GAP:g}, condition {condition}"
        yield compare(task, lambda: ours.fit(X, y), lambda: theirs.fit(X, y), goal)  # noqa: B023


def regression_rows():
    """Least squares, ridge regression and leave-one-out errors for twenty penalties."""
    rng = np.random.default_rng(1)
    m, d = 100_000, 50
    X = points(rng, m, d, condition=10)
    y = X @ rng.normal(size=d) + rng.normal(size=m)
    for task, ours, theirs, goal in [
        ("least squares", LinearRegression(), sklearn.linear_model.LinearRegression(), 0.5),
        ("ridge regression", Ridge(lam=2 / m), sklearn.linear_model.Ridge(alpha=1.0), 0.7),
    ]:
        assert np.allclose(ours.fit(X, y).w_, theirs.fit(X, y).coef_, rtol=1e-8), "not the same weights"
        yield compare(task, lambda: ours.fit(X, y), lambda: theirs.fit(X, y), goal)  # noqa: B023

    X, y, alphas = X[:20_000], y[:20_000], np.geomspace(1e-2, 1e4, 20)
    lam = 2 * alphas / len(y)
    theirs = sklearn.linear_model.RidgeCV(alphas, store_cv_results=True).fit(X, y)
    assert np.allclose(leave_one_out(X, y, lam) ** 2, theirs.cv_results_.T, rtol=1e-6), "not the same errors"
    task = "leave-one-out errors of 20 ridge fits"
    yield compare(task, lambda: leave_one_out(X, y, lam), lambda: theirs.fit(X, y), 0.2)


def discriminant_rows():
    """Gaussian discriminants: fit and predict, three classes."""
    rng = np.random.default_rng(2)
    m, d, k = 100_000, 20, 3
    y = rng.integers(k, size=m)
    X = np.einsum("ijk,ik->ij", rng.normal(size=(k, d, d))[y] / np.sqrt(d), rng.normal(size=(m, d)))
    X += rng.normal(size=(k, d))[y]
    for task, shared, theirs, goal in [
        ("quadratic discriminant", False, sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis(), 0.5),
        ("linear discriminant", True, sklearn.discriminant_analysis.LinearDiscriminantAnalysis(), 0.3),
    ]:
        ours = GaussianDiscriminant(shared_covariance=shared)
        assert np.array_equal(ours.fit(X, y).predict(X), theirs.fit(X, y).predict(X)), "not the same predictions"
        yield compare(task, lambda: ours.fit(X, y).predict(X), lambda: theirs.fit(X, y).predict(X), goal)  # noqa: B023


def rows():
    """Every comparison of this file, at 10^5 points in dimension 50 or 20."""
    yield from logistic_rows()
    yield from regression_rows()
    yield from discriminant_rows()
