"""What boosting promises: of the training error, of margins, of the risk.

Letters
    epsilon    weighted errors of the rules, one for each round along the last axis
    edge       1/2 minus such an error: a single one, or one for each round along the last axis
    rho        margin
    V          VC dimension of the class of the rules
    lam        sum of the weights in the vote
    excess     risk of a classifier minus the Bayes risk
"""

import numpy as np

from mlcourse.arguments.promises import Result, require
from mlcourse.arguments.ranges import Chances, Confidences, Edges, FromZero, Halves, Numbers, Positives, Shares, Sizes
from mlcourse.theory.concentration import hoeffding_deviation
from mlcourse.theory.margin import all_margins_deviation
from mlcourse.theory.rademacher import rademacher_deviation
from mlcourse.theory.registry import states
from mlcourse.theory.vc import vc_complexity


@states("thm-adaboost")
def exponential_risk(epsilon: Halves) -> Result:
    """The exponential risk of the vote, a bound on its training error: the product of 2 sqrt(epsilon (1 - epsilon))."""
    return margin_error(epsilon, 0.0)


@states("thm-adaboost")
def edge_bound(edge: Numbers) -> Result:
    """A bound on the exponential risk: e^(-2 S), S the sum of the squared edges."""
    require((edge >= -1 / 2) & (edge <= 1 / 2), "-1/2 <= edge <= 1/2")
    return np.exp(-2 * np.sum(np.atleast_1d(edge) ** 2, axis=-1))


@states("cor-adaboost-zero")
def enough_rounds(m: Sizes, edge: Edges) -> Result:
    """The least number of rounds above ln(m) / (2 edge^2): the training error is then 0 if no edge is smaller."""
    return np.floor(np.log(m) / 2 / edge / edge) + 1


@states("thm-adaboost-margins")
def margin_error(epsilon: Halves, rho: Chances) -> Result:
    """A bound on the share of margins up to rho: the product of 2 sqrt(epsilon^(1 - rho) (1 - epsilon)^(1 + rho))."""
    epsilon, rho = np.atleast_1d(epsilon), np.expand_dims(rho, -1)
    return np.prod(2 * np.sqrt(epsilon ** (1 - rho) * (1 - epsilon) ** (1 + rho)), axis=-1)


@states("thm-adaboost-margins")
def margin_limit(edge: Numbers) -> Result:
    """The rho below which ``margin_error`` tends to 0 if every edge is at least this one; between edge and 2 edge."""
    require((edge > 0) & (edge < 1 / 2), "0 < edge < 1/2")
    return -np.log1p(-4 * edge**2) / (2 * np.arctanh(2 * edge))


@states("thm-hull-margin")
def hull_deviation(m: Sizes, V: Sizes, rho: Positives, delta: Confidences) -> Result:
    """2/rho sqrt(2 V ln(em/V) / m) + sqrt(ln(1/delta) / (2m)), to be added to the mean ramp loss at margin rho."""
    return rademacher_deviation(m, delta, vc_complexity(m, V) / rho)


@states("thm-hull-margin")
def hull_uniform_deviation(m: Sizes, V: Sizes, rho: Shares, delta: Confidences) -> Result:
    """The same for all 0 < rho <= 1 at once: 4/rho times the complexity, the price of choosing rho, and delta / 2."""
    return all_margins_deviation(m, delta, rho, vc_complexity(m, V))


@states("prop-exp-calibration")
def exponential_calibration(excess: Chances) -> Result:
    """The least excess exponential risk of a score whose classifier has this excess risk: 1 - sqrt(1 - excess^2)."""
    return excess**2 / (1 + np.sqrt(1 - excess**2))


@states("thm-boosting-consistent")
def exponential_deviation(m: Sizes, V: Sizes, lam: FromZero, delta: Confidences) -> Result:
    """How far true and empirical exponential risk are apart, at most, for all combinations of total weight lam."""
    return np.exp(lam) * (4 * lam * vc_complexity(m, V) + hoeffding_deviation(m, delta))


@states("thm-boosting-consistent")
def consistency_term(m: Sizes, lam: FromZero) -> Result:
    """lam e^lam sqrt(ln(m) / m): regularised boosting is consistent if it tends to 0 while lam grows without limit."""
    return lam * np.exp(lam) * np.sqrt(np.log(m) / m)
