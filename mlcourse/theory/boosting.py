"""What boosting promises: of the training error, of margins, of the risk.

Letters
    epsilon    weighted errors of the rules, one for each round along the last axis
    edge       1/2 minus such an error: a single one, or one for each round along the last axis
    rho        margin
    m          size of the sample
    V          VC dimension of the class of the rules
    delta      failure probability
    lam        sum of the weights in the vote
"""

import numpy as np

from mlcourse.theory._numbers import arrays, confidence, require

never_warns = np.errstate(over="ignore", divide="ignore")  # a bound too large for a float is infinite


def exponential_risk(epsilon):
    """The exponential risk of the vote, a bound on its training error: the product of 2 sqrt(epsilon (1 - epsilon))."""
    return margin_error(epsilon, 0.0)


def edge_bound(edge):
    """A bound on the exponential risk: e^(-2 S), S the sum of the squared edges."""
    (edge,) = arrays(edge)
    require((edge >= -1 / 2) & (edge <= 1 / 2), "-1/2 <= edge <= 1/2")
    return np.exp(-2 * np.sum(np.atleast_1d(edge) ** 2, axis=-1))


@never_warns
def enough_rounds(m, edge):
    """The least number of rounds above ln(m) / (2 edge^2): the training error is then 0 if no edge is smaller."""
    m, edge = arrays(m, edge)
    require((m >= 1) & (edge > 0) & (edge <= 1 / 2), "m >= 1 and 0 < edge <= 1/2")
    return np.floor(np.log(m) / 2 / edge / edge) + 1


def margin_error(epsilon, rho):
    """A bound on the share of margins up to rho: the product of 2 sqrt(epsilon^(1 - rho) (1 - epsilon)^(1 + rho))."""
    epsilon, rho = arrays(epsilon, rho)
    require((epsilon >= 0) & (epsilon <= 1 / 2), "0 <= epsilon <= 1/2")
    require((rho >= 0) & (rho <= 1), "0 <= rho <= 1")
    epsilon, rho = np.atleast_1d(epsilon), rho[..., None]
    return np.prod(2 * np.sqrt(epsilon ** (1 - rho) * (1 - epsilon) ** (1 + rho)), axis=-1)


def margin_limit(edge):
    """The rho below which ``margin_error`` tends to 0 if every edge is at least this one; between edge and 2 edge."""
    (edge,) = arrays(edge)
    require((edge > 0) & (edge < 1 / 2), "0 < edge < 1/2")
    return -np.log1p(-4 * edge**2) / (2 * np.arctanh(2 * edge))


@never_warns
def hull_deviation(m, V, rho, delta):
    """What the risk of a convex combination exceeds its fraction of margins below rho by, at most."""
    m, V, rho, delta = *arrays(m, V, rho), confidence(delta)
    require((V >= 1) & (m >= V), "m >= V >= 1")
    require((rho > 0) & (rho <= 1), "0 < rho <= 1")
    return 2 / rho * np.sqrt(2 * V * (1 + np.log(m / V)) / m) + np.sqrt(np.log(1 / delta) / (2 * m))


@never_warns
def consistency_term(m, lam):
    """lam e^lam sqrt(ln(m) / m): regularised boosting is consistent if it tends to 0 while lam grows without limit."""
    m, lam = arrays(m, lam)
    require((m >= 1) & (lam >= 0), "m >= 1 and lam >= 0")
    return lam * np.exp(lam) * np.sqrt(np.log(m) / m)
