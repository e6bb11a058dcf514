"""What gradient methods promise.

Letters
    tau, t       step and number of steps
    L, mu        largest and smallest curvature (eigenvalue of the Hessian)
    decrease     f(w_0) minus a lower bound of f
    distance     ||w_0 - w*||
    c1, c2       Wolfe's constants
    R            bound on the length of the points
    sigma        bound on the root mean square of the noise of a gradient
    gamma        the steps gamma / (1 + t)
"""

import numpy as np
from scipy.special import gammaln, gammasgn

from mlcourse.theory.registry import states


@states("thm-gd-quadratic")
def quadratic_rate(tau, mu, L):
    """The factor per step of gradient descent on a quadratic: max(|1 - tau mu|, |1 - tau L|)."""
    return np.maximum(np.abs(1 - np.multiply(tau, mu)), np.abs(1 - np.multiply(tau, L)))


@states("cor-gd-best-step")
def best_quadratic_rate(mu, L):
    """The smallest such factor, at tau = 2 / (mu + L): (L - mu) / (L + mu)."""
    return (np.asarray(L) - mu) / (np.asarray(L) + mu)


@states("thm-gd-stationary")
def stationary_sum(tau, L, decrease):
    """The most that the squared gradient lengths of gradient descent can sum to, for 0 < tau < 2 / L."""
    return decrease / (tau * (1 - tau * np.asarray(L) / 2))


@states("thm-gd-convex")
def convex_gap(tau, t, distance):
    """The largest f(w_t) - f(w*) of gradient descent on a smooth convex function, for 0 < tau <= 1 / L."""
    return np.square(distance) / (2 * tau * np.asarray(t, dtype=float))


@states("thm-zoutendijk")
def zoutendijk_sum(L, decrease, c1, c2):
    """The most that cos^2(theta_t) ||gradient_t||^2 can sum to under Wolfe's conditions."""
    return np.asarray(L) * decrease / (c1 * (1 - c2))


@states("thm-sgd")
def sgd_average(tau, L, decrease, sigma):
    """The largest tau-weighted mean of E ||gradient||^2 over steps tau_0, tau_1, ..., each at most 1 / L."""
    tau = np.asarray(tau, dtype=float)
    return (2 * decrease + L * sigma**2 * (tau**2).sum()) / tau.sum()


@states("prop-noise-floor")
def noise_floor(tau, mu, sigma):
    """The limit of E (w - w*)^2 for a constant step on a parabola of curvature mu."""
    return tau * np.square(sigma) / (mu * (2 - np.multiply(tau, mu)))


@states("prop-slow-steps")
def slow_steps(t, gamma, mu):
    """w_t / w_0 for the steps gamma / (1 + t) on a parabola of curvature mu.

    With a = gamma mu this is the product of 1 - a/s over s = 1, ..., t, that is Gamma(t+1-a) / (Gamma(1-a) t!).
    """
    t, a = np.asarray(t, dtype=float), gamma * mu
    sign = gammasgn(t + 1 - a) * gammasgn(1 - a)
    return sign * np.exp(gammaln(t + 1 - a) - gammaln(1 - a) - gammaln(t + 1))


@states("thm-adaline")
def adaline_errors(tau, R, distance):
    """The most that the squared errors of Adaline can sum to on targets w*.x, for 0 < tau < 2 / R^2."""
    return np.square(distance) / (tau * (2 - np.multiply(tau, np.square(R))))


@states("thm-adaline-floor")
def adaline_distance(tau, t, mu, R, noise, distance):
    """The largest E ||w_t - w*||^2 of Adaline on random draws, for tau < 1 / R^2; ``noise`` is E e*^2 ||x||^2."""
    slack = 1 - np.multiply(tau, np.square(R))
    return (1 - 2 * np.multiply(tau, mu) * slack) ** t * np.square(distance) + tau * noise / (mu * slack)
