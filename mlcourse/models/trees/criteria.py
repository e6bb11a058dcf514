"""What a leaf is measured by: sums over its examples, and criteria, which are concave functions of these sums.

Letters
    s      (k, n) statistics of n sets of examples: their weight in each class, or the moments of their targets
    psi    concave function of the fractions of the classes; a criterion is the weight of the leaf times psi
    a      fraction of the second of two classes
    D      distribution over the examples
"""

import numpy as np
from scipy.special import xlogy

TINY = np.finfo(float).tiny


def gini(s: np.ndarray) -> np.ndarray:
    """Weight times 2a(1 - a); with more classes, times 1 minus the sum of the squared fractions."""
    weight = s.sum(axis=0)
    return weight - np.einsum("kn,kn->n", s, s) / (weight + TINY)


def entropy(s: np.ndarray) -> np.ndarray:
    """Weight times half the entropy of the fractions, in bits."""
    weight = s.sum(axis=0)
    return (xlogy(weight, weight) - xlogy(s, s).sum(axis=0)) / (2 * np.log(2))


def sqrt(s: np.ndarray) -> np.ndarray:
    """Weight times sqrt(a(1 - a)); with more classes, times half the sum of these roots."""
    return np.sqrt(s * (s.sum(axis=0) - s)).sum(axis=0) / 2


def misclassification(s: np.ndarray) -> np.ndarray:
    """Weight times min(a, 1 - a); with more classes, times 1 minus the largest fraction."""
    return s.sum(axis=0) - s.max(axis=0)


def variance(s: np.ndarray) -> np.ndarray:
    """Weight times the variance of the targets, from the sums of weights, targets and squared targets."""
    return s[2] - s[1] ** 2 / (s[0] + TINY)


CRITERIA = {"gini": gini, "entropy": entropy, "sqrt": sqrt, "zero-one": misclassification}


def whole_weights(D: np.ndarray) -> np.ndarray:
    """The weights D times a number: whole, if they are multiples of the smallest, since sums are then exact."""
    repeats = D / max(D.min(), 1e-12 * D.max())
    whole = np.allclose(repeats, np.rint(repeats), rtol=1e-12, atol=0)
    return np.rint(repeats) if whole else D * len(D)


class ClassWeights:
    """The weight of each class 0..k-1 in a set of examples; ``weight`` None counts them; whole ones are ``exact``."""

    def __init__(self, y, k, weight=None, exact=False):
        self.y, self.k, self.weight, self.exact = y, k, weight, exact or weight is None
        self.sorts_values = k == 2  # whether the best set of values is found by sorting them

    def centre(self, examples: np.ndarray, group: np.ndarray, n: int) -> None:
        """Weights need no centre."""

    def clean(self, s: np.ndarray) -> np.ndarray:
        """Differences of cumulated weights without what is rounding: a root would make it large."""
        return s if self.exact else np.where(s > 1e-13 * self.weight.sum(), s, 0.0)

    def sums(self, examples: np.ndarray, group: np.ndarray, n: int) -> np.ndarray:
        """The (k, n) statistics of the groups 0..n-1 of these examples."""
        weight = None if self.weight is None else self.weight[examples]
        return np.bincount(self.y[examples] * n + group, weight, self.k * n).reshape(self.k, n)


class Moments:
    """The weight of a set of examples, the sum of their targets and of the squares, from a centre in each leaf."""

    def __init__(self, y, weight=None):
        size = np.abs(y).max()
        if size > 1e150:
            raise ValueError(f"targets must be at most 1e150 in size, got {size:g}: their squares overflow")
        self.y = y / (size or 1.0)  # the scale changes no split
        self.weight, self.sorts_values = weight, True

    def centre(self, examples: np.ndarray, group: np.ndarray, n: int) -> None:
        """Measure the targets from the means of their groups, so that nothing cancels in later sums."""
        weight, y = self._weighted(examples)
        self.y[examples] -= (np.bincount(group, y, n) / np.bincount(group, weight, n))[group]

    def clean(self, s: np.ndarray) -> np.ndarray:
        """Differences of cumulated moments: centred, they need no care."""
        return s

    def sums(self, examples: np.ndarray, group: np.ndarray, n: int) -> np.ndarray:
        """The (3, n) statistics of the groups 0..n-1 of these examples."""
        weight, y = self._weighted(examples)
        return np.stack([np.bincount(group, z, n) for z in (weight, y, y * self.y[examples])])

    def _weighted(self, examples):
        """The weights of the examples (None: one each), and their weighted targets."""
        y, weight = self.y[examples], None if self.weight is None else self.weight[examples]
        return weight, y if weight is None else weight * y


Sums = ClassWeights | Moments
