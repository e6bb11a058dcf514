"""Checks for the code exercises of the chapter on Gaussian discriminant analysis."""

import numpy as np
from scipy.special import softmax
from scipy.stats import multivariate_normal

from mlcourse_homework.engine.answers import array, require
from mlcourse_homework.engine.exercise import exercise, things


def _log_likelihood(X, y, prior, mu_plus, mu_minus, Sigma):
    parts = [(X[y == 1], prior, mu_plus), (X[y == -1], 1 - prior, mu_minus)]
    return sum(len(own) * np.log(p) + multivariate_normal(mu, Sigma).logpdf(own).sum() for own, p, mu in parts)


@exercise
def my_fit(answer, rng):
    """``answer(X, y)`` returns (prior, mu_plus, mu_minus, Sigma) of largest joint likelihood, Sigma shared."""
    for m, d in [(20, 2), (40, 3), (15, 1)]:
        y = rng.permutation(np.where(np.arange(m) < m // 3, 1, -1))
        X = rng.normal(size=(m, d)) @ rng.normal(size=(d, d)) + (y[:, None] == 1)
        got = things(answer(X, y), 4, "(prior, mu_plus, mu_minus, Sigma)")
        parts = zip(got, [(), (d,), (d,), (d, d)], ["prior", "mu_plus", "mu_minus", "Sigma"], strict=True)
        prior, *means, Sigma = (array(*part) for part in parts)
        require(np.isfinite(means).all(), "the means should be finite numbers.")
        require(0 < prior < 1, f"the prior should lie between 0 and 1, got {prior}.")
        definite = np.allclose(Sigma, Sigma.T) and np.linalg.cond(Sigma) < 1e10 and np.linalg.eigvalsh(Sigma)[0] > 0
        require(definite, "Sigma is not positive definite.")
        best, centred = _log_likelihood(X, y, prior, *means, Sigma), X - np.where(y[:, None] == 1, *means)
        for name, other in [
            ("with your means and Sigma, another prior", (np.mean(y == 1), *means, Sigma)),
            ("with your Sigma, another mu_plus", (prior, X[y == 1].mean(axis=0), means[1], Sigma)),
            ("with your Sigma, another mu_minus", (prior, means[0], X[y == -1].mean(axis=0), Sigma)),
            ("with your means, another Sigma", (prior, *means, centred.T @ centred / m)),
        ]:
            gain = _log_likelihood(X, y, *other) - best
            larger = f"{name} has a log-likelihood larger by {gain:.3g} than yours."
            require(gain <= 1e-8 * abs(best), f"on {m} points in dimension {d}, {larger}")
    return "no prior, no means and no shared covariance have a larger likelihood."


@exercise
def my_posterior(answer, rng):
    """``answer(log_joint)`` returns the posteriors, safe against underflow and overflow."""
    cases = [(4, 2, 0, 3), (3, 5, 0, 3), (4, 2, -2e3, 3), (4, 3, 2e3, 3), (2, 2, -1e6, 3), (8, 3, 0, 1e4)]
    for n, n_classes, shift, spread in cases:
        log_joint = shift + spread * rng.normal(size=(n, n_classes))
        log_joint[-1] -= 5000  # a point much farther away than the others
        with np.errstate(all="ignore"):
            P = array(answer(log_joint), (n, n_classes), "the posteriors")
        right = softmax(log_joint, axis=1)
        wrong = ~np.isclose(P, right, rtol=1e-6, atol=1e-300).all(axis=1)
        i = int(wrong.argmax())
        require(not wrong.any(), "the posteriors are not right.", f"logarithms {log_joint[i].round(2)}", P[i], right[i])
    return "the posteriors are right, also a million units away and where points are at very different distances."
