"""Checks for the code exercises of the chapter on Gaussian discriminant analysis."""

import numpy as np
from scipy.stats import multivariate_normal

from mlcourse.homework.engine import Question, require


def _log_likelihood(X, y, prior, mu_plus, mu_minus, Sigma):
    parts = [(1, prior, mu_plus), (-1, 1 - prior, mu_minus)]
    return sum(
        np.sum(y == c) * np.log(p) + np.sum(multivariate_normal(mu, Sigma).logpdf(X[y == c])) for c, p, mu in parts
    )


@Question
def my_fit(answer):
    """``answer(X, y)`` returns (prior, mu_plus, mu_minus, Sigma) of largest joint likelihood, Sigma shared."""
    rng = np.random.default_rng(0)
    for m, d in [(20, 2), (40, 3), (15, 1)]:
        y = np.where(np.arange(m) < m // 3, 1, -1)
        X = rng.normal(size=(m, d)) @ rng.normal(size=(d, d)) + (y[:, None] == 1)
        got = answer(X.copy(), y.copy())
        form = "(prior, mu_plus, mu_minus, Sigma)"
        require(isinstance(got, (tuple, list)) and len(got) == 4, f"four things {form} are expected, got {got!r}.")
        prior, *means, Sigma = (np.asarray(part, dtype=float) for part in got)
        shapes = [prior.shape, means[0].shape, means[1].shape, Sigma.shape]
        expected = [(), (d,), (d,), (d, d)]
        require(shapes == expected, f"the shapes of {form} should be {expected}, got {shapes}.")
        require(0 < prior < 1, f"the prior should lie between 0 and 1, got {prior}.")
        require(np.allclose(Sigma, Sigma.T) and np.linalg.eigvalsh(Sigma)[0] > 0, "Sigma is not positive definite.")
        best = _log_likelihood(X, y, prior, *means, Sigma)
        for name, other in [
            ("another Sigma", (prior, *means, _scatter(X, y, means) / m)),
            ("another prior", (np.mean(y == 1), *means, Sigma)),
            ("other means", (prior, X[y == 1].mean(axis=0), X[y == -1].mean(axis=0), Sigma)),
        ]:
            gain = _log_likelihood(X, y, *other) - best
            require(gain <= 1e-8 * abs(best), f"on {m} points in dimension {d}, {name} has a log-likelihood "
                                              f"larger by {gain:.3g} than yours.")
    return "no prior, no means and no shared covariance have a larger likelihood."


def _scatter(X, y, means):
    centred = X - np.where(y[:, None] == 1, *means)
    return centred.T @ centred


@Question
def my_posterior(answer):
    """``answer(log_joint)`` returns the posteriors, safe against underflow and overflow."""
    rng = np.random.default_rng(1)
    for n, n_classes, shift in [(4, 2, 0.0), (3, 5, 0.0), (4, 2, -2000.0), (4, 3, 2000.0), (2, 2, -1e6)]:
        log_joint = 3 * rng.normal(size=(n, n_classes))
        with np.errstate(all="ignore"):
            P = np.asarray(answer(log_joint + shift), dtype=float)
        require(P.shape == (n, n_classes), f"an array of shape {(n, n_classes)} is expected, got {P.shape}.")
        where = f"with all logarithms near {shift:g}"
        require(np.isfinite(P).all(), f"{where} your first row of posteriors is {P[0]}.")
        require(np.allclose(P.sum(axis=1), 1), f"{where} a row of posteriors sums to {P.sum(axis=1)[0]:.4g}, not 1.")
        odds = np.log(P[:, :1] / P)
        right = log_joint[:, :1] - log_joint
        require(np.allclose(odds, right, atol=1e-6), f"{where} the log-odds of two classes are {odds[0, 1]:.4g}, "
                                                     f"they should be {right[0, 1]:.4g}.")
    return "the posteriors sum to one and have the right odds, also a million units away."
