"""Linear models and Gaussian discriminants against scikit-learn's: the same answers first, then the times.

Letters
    X, y     sample: m points of R^d and labels in {-1, +1}, or real targets
    gap      (f(w) - f*) / f*, the relative excess of a penalised risk f over its minimum
"""

import numpy as np
import sklearn.discriminant_analysis
import sklearn.linear_model
from scipy.special import expit

from benchmarks.harness import benchmark, race
from mlcourse import GaussianDiscriminant, LinearRegression, LogisticRegression, Ridge
from mlcourse.losses import logistic
from mlcourse.models.linear.linear_regression import leave_one_out_errors
from mlcourse.models.linear.logistic_regression import logistic_newton
from mlcourse.optim.objective import LinearRisk

TOLERANCES = 10.0 ** -np.arange(1.0, 12.0, 0.5)
GAP = 1e-6


def points(rng, m, d, condition):
    """Normal points whose covariance has eigenvalues from 1 down to 1 / condition^2, in random directions."""
    axes = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return rng.normal(size=(m, d)) * np.geomspace(1, 1 / condition, d) @ axes.T


def labelled(rng, m, d, condition=1):
    """Such points with labels from a logistic model."""
    X = points(rng, m, d, condition)
    score = X @ rng.normal(size=d)
    return X, np.where(rng.random(m) < expit(2 * score / score.std()), 1, -1)


def loosest(model, gap):
    """The model with the largest tolerance of the grid at which the fit comes within GAP of the minimum; its gap."""
    for tol in TOLERANCES:
        found = gap(model.set_params(tol=tol))
        if found <= GAP:
            return model, found
    raise AssertionError(f"{model} does not reach a gap of {GAP:g}")


@benchmark
def logistic_regression(m=100_000, d=50):
    """Logistic regression to the same relative gap, with well- and badly conditioned points."""
    for condition in (1, 1000):
        X, y = labelled(np.random.default_rng(0), m, d, condition)
        risk = LinearRisk(logistic, X, y, lam=1 / m, bias=True)
        least = risk(logistic_newton(risk, tol=1e-11).last)

        def our_gap(model):
            model.fit(X, y)  # noqa: B023
            return risk(np.append(model.w_, model.b_)) / least - 1  # noqa: B023

        def their_gap(model):
            model.fit(X, y)  # noqa: B023
            return risk(np.append(model.coef_, model.intercept_)) / least - 1  # noqa: B023

        ours, our_excess = loosest(LogisticRegression(lam=1 / m), our_gap)
        theirs, their_excess = loosest(sklearn.linear_model.LogisticRegression(C=1.0, max_iter=10_000), their_gap)
        quality = f"risk within {max(our_excess, 0):.0e} of its minimum, theirs within {max(their_excess, 0):.0e}"
        yield race(f"logistic-{condition}", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality)  # noqa: B023


@benchmark
def regression(m=100_000, d=50):
    """Least squares, ridge regression and leave-one-out errors for twenty penalties."""
    rng = np.random.default_rng(1)
    X = points(rng, m, d, condition=10)
    y = X @ rng.normal(size=d) + rng.normal(size=m)
    for key, ours, theirs in [
        ("least-squares", LinearRegression(), sklearn.linear_model.LinearRegression()),
        ("ridge", Ridge(lam=2 / m), sklearn.linear_model.Ridge(alpha=1.0)),
    ]:
        assert np.allclose(ours.fit(X, y).w_, theirs.fit(X, y).coef_, rtol=1e-8), "not the same weights"
        yield race(key, lambda: ours.fit(X, y), lambda: theirs.fit(X, y), "same weights to 10⁻⁸")  # noqa: B023

    X, y, alphas = X[: m // 5], y[: m // 5], np.geomspace(1e-2, 1e4, 20)
    lam = 2 * alphas / len(y)
    theirs = sklearn.linear_model.RidgeCV(alphas, store_cv_results=True).fit(X, y)
    assert np.allclose(leave_one_out_errors(X, y, lam) ** 2, theirs.cv_results_.T, rtol=1e-6), "not the same errors"
    yield race(
        "leave-one-out", lambda: leave_one_out_errors(X, y, lam), lambda: theirs.fit(X, y), "same errors to 10⁻⁶"
    )


@benchmark
def discriminants(m=100_000, d=20, k=3, slack=0.0):
    """Gaussian discriminants: fit and predict, three classes."""
    rng = np.random.default_rng(2)
    y = rng.integers(k, size=m)
    X = np.einsum("ijk,ik->ij", rng.normal(size=(k, d, d))[y] / np.sqrt(d), rng.normal(size=(m, d)))
    X += rng.normal(size=(k, d))[y]
    for key, shared, theirs in [
        ("qda", False, sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis()),
        ("lda", True, sklearn.discriminant_analysis.LinearDiscriminantAnalysis()),
    ]:
        ours = GaussianDiscriminant(shared_covariance=shared)
        different = np.mean(ours.fit(X, y).predict(X) != theirs.fit(X, y).predict(X))
        assert different <= slack, f"not the same predictions: {different:.2%}"
        yield race(
            key,
            lambda: ours.fit(X, y).predict(X),  # noqa: B023
            lambda: theirs.fit(X, y).predict(X),  # noqa: B023
            "same predictions",
        )
