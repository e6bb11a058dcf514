"""What empirical risk minimisation promises for a class of finitely many hypotheses, losses in [0, 1].

Letters
    n_hypotheses     number of hypotheses of the class, chosen before the sample
"""

import numpy as np

from mlcourse.arguments.promises import Result, whole
from mlcourse.arguments.ranges import Confidences, Positives, Sizes
from mlcourse.theory.concentration import hoeffding_deviation, hoeffding_probability, hoeffding_sample_size
from mlcourse.theory.registry import states


@states("thm-uniform-finite")
def uniform_deviation(m: Sizes, n_hypotheses: Sizes, delta: Confidences) -> Result:
    """How far any empirical risk of the class is from its true risk: sqrt(ln(2 n_hypotheses / delta) / (2m))."""
    return hoeffding_deviation(m, delta / (2 * n_hypotheses))  # two tails of each hypothesis


@states("thm-uniform-finite")
def uniform_probability(m: Sizes, n_hypotheses: Sizes, epsilon: Positives) -> Result:
    """The bound on the probability that some hypothesis is off by epsilon: 2 n_hypotheses exp(-2 m epsilon^2)."""
    return 2 * n_hypotheses * hoeffding_probability(m, epsilon)


@states("thm-uniform-finite")
def uniform_sample_size(n_hypotheses: Sizes, epsilon: Positives, delta: Confidences) -> Result:
    """The least m for which all empirical risks are within epsilon with probability at least 1 - delta."""
    return hoeffding_sample_size(epsilon, delta / (2 * n_hypotheses))


@states("thm-finite-class", "thm-selection")
def erm_excess(m: Sizes, n_hypotheses: Sizes, delta: Confidences) -> Result:
    """How far above the least risk of the class ERM may end: sqrt(2 ln(2 n_hypotheses / delta) / m)."""
    return 2 * uniform_deviation(m, n_hypotheses, delta)


@states("thm-finite-class", "thm-selection")
def erm_probability(m: Sizes, n_hypotheses: Sizes, epsilon: Positives) -> Result:
    """The bound 2 n_hypotheses exp(-m epsilon^2 / 2) on P(ERM ends more than epsilon above the least risk)."""
    return uniform_probability(m, n_hypotheses, epsilon / 2)


@states("thm-finite-class", "thm-selection")
def erm_sample_size(n_hypotheses: Sizes, epsilon: Positives, delta: Confidences) -> Result:
    """The least m for which ERM is within epsilon of the best of the class with probability at least 1 - delta."""
    return uniform_sample_size(n_hypotheses, epsilon / 2, delta)


@states("thm-realisable")
def realisable_risk(m: Sizes, n_hypotheses: Sizes, delta: Confidences) -> Result:
    """The largest true risk of a hypothesis without training error: ln(n_hypotheses / delta) / m."""
    return np.log(n_hypotheses / delta) / m


@states("thm-realisable")
def realisable_probability(m: Sizes, n_hypotheses: Sizes, epsilon: Positives) -> Result:
    """The bound n_hypotheses exp(-m epsilon) on P(one of risk above epsilon makes no training error)."""
    return n_hypotheses * np.exp(-m * epsilon)


@states("thm-realisable")
def realisable_sample_size(n_hypotheses: Sizes, epsilon: Positives, delta: Confidences) -> Result:
    """The least m for which that probability is at most delta."""
    return whole(np.log(n_hypotheses / delta) / epsilon)
