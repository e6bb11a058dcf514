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
from scipy.special import binom

from mlcourse.arguments.promises import Result, require
from mlcourse.arguments.ranges import Numbers, Positives, Sizes
from mlcourse.theory.registry import states


@states("thm-gd-quadratic")
def quadratic_rate(tau: Numbers, mu: Numbers, L: Numbers) -> Result:
    """The factor per step of gradient descent on a quadratic: max(|1 - tau mu|, |1 - tau L|)."""
    return np.maximum(np.abs(1 - tau * mu), np.abs(1 - tau * L))


@states("cor-gd-best-step")
def best_quadratic_rate(mu: Positives, L: Numbers) -> Result:
    """The smallest such factor, at tau = 2 / (mu + L): (L - mu) / (L + mu)."""
    require(mu <= L, "0 < mu <= L")
    return (L - mu) / (L + mu)


@states("thm-gd-stationary")
def stationary_sum(tau: Positives, L: Numbers, decrease: Numbers) -> Result:
    """The most that the squared gradient lengths of gradient descent can sum to, for 0 < tau < 2 / L."""
    require(tau * L < 2, "0 < tau < 2 / L")
    return decrease / (tau * (1 - tau * L / 2))


@states("thm-gd-convex")
def convex_gap(tau: Positives, t: Sizes, distance: Numbers) -> Result:
    """The largest f(w_t) - f(w*) of gradient descent on a smooth convex function, for 0 < tau <= 1 / L and t >= 1."""
    return distance**2 / (2 * tau * t)


@states("thm-zoutendijk")
def zoutendijk_sum(L: Numbers, decrease: Numbers, c1: Positives, c2: Numbers) -> Result:
    """The most that cos^2(theta_t) ||gradient_t||^2 can sum to under Wolfe's conditions."""
    require((c1 < c2) & (c2 < 1), "0 < c1 < c2 < 1")
    return L * decrease / (c1 * (1 - c2))


@states("thm-sgd")
def sgd_average(tau: Positives, L: Numbers, decrease: Numbers, sigma: Numbers) -> Result:
    """The largest tau-weighted mean of E ||gradient||^2 over the steps tau_0, tau_1, ..., each at most 1 / L."""
    require(tau * L <= 1 + 1e-12, "0 < tau <= 1 / L")
    return (2 * decrease + L * sigma**2 * np.sum(tau**2)) / np.sum(tau)


@states("prop-noise-floor")
def noise_floor(tau: Positives, mu: Positives, sigma: Numbers) -> Result:
    """The limit of E (w - w*)^2 for a constant step on a parabola of curvature mu, for 0 < tau < 2 / mu."""
    require(tau * mu < 2, "0 < tau < 2 / mu")
    return tau * sigma**2 / (mu * (2 - tau * mu))


@states("prop-slow-steps")
def slow_steps(t: Numbers, gamma: Numbers, mu: Numbers) -> Result:
    """w_t / w_0 for the steps gamma / (1 + t) on a parabola of curvature mu.

    With a = gamma mu this is the product of 1 - a/s over s = 1, ..., t, or (-1)^t times a - 1 choose t.
    """
    return (-1.0) ** t * binom(gamma * mu - 1, t)


@states("thm-adaline")
def adaline_errors(tau: Positives, R: Numbers, distance: Numbers) -> Result:
    """The most that the squared errors of Adaline can sum to on targets w*.x, for 0 < tau < 2 / R^2."""
    require(tau * R**2 < 2, "0 < tau < 2 / R^2")
    return distance**2 / (tau * (2 - tau * R**2))


@states("thm-adaline-floor")
def adaline_distance(tau: Positives, t: Result, mu: Positives, R: Numbers, noise: Numbers, distance: Numbers) -> Result:
    """The largest E ||w_t - w*||^2 of Adaline on random draws, for 0 < tau < 1 / R^2; noise: mean of e*^2 ||x||^2."""
    t = np.asarray(t, dtype=float)  # may be infinite
    require(tau * R**2 < 1, "0 < tau < 1 / R^2")
    slack = 1 - tau * R**2
    return (1 - 2 * tau * mu * slack) ** t * distance**2 + tau * noise / (mu * slack)
