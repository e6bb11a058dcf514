"""The weighted vote of fitted rules, and how an ensemble trains them.

Letters
    h        a fitted rule
    alpha    weights of the rules in the vote
    n, k     number of points to predict, of classes
"""

import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_lengths, check_vector, check_y
from mlcourse.arguments.collections import check_having, check_list
from mlcourse.arguments.door import at_the_door
from mlcourse.arguments.kinds import checks_arguments
from mlcourse.base import last_argmax


def ballots(h: Any, X: ArrayLike, classes: np.ndarray) -> np.ndarray:
    """The (n, k) ballots of a rule: 1 in the column of the class that it predicts for a row, 0 elsewhere."""
    return (h.predict(X)[:, None] == classes).astype(float)


@dataclass(frozen=True)
class Vote:
    """The weighted vote of fitted classifiers: the class with most of the weight, of several the last.

    Parameters: ``rules``, classifiers that are fitted; ``alpha``, their weights (equal ones if None): none negative,
    not all zero. With two classes -1, +1 the vote is sgn(sum_t alpha_t h_t(x)).

    Book: bagging-and-forests.
    """

    rules: list
    alpha: np.ndarray | None = None

    def __post_init__(self):
        rules = [check_having("predict")("every rule", h) for h in check_list("rules", self.rules)]
        if not all(hasattr(h, "classes_") for h in rules):
            raise ValueError("every rule must be a classifier that is fitted: it has no classes_")
        alpha = np.ones(len(rules)) if self.alpha is None else check_vector("alpha", self.alpha)
        check_lengths(rules=rules, alpha=alpha)
        if (alpha < 0).any() or not alpha.any():
            raise ValueError("every weight alpha must be zero or positive, and not all of them zero")
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "alpha", alpha)

    @property
    def classes_(self) -> np.ndarray:
        """The labels that some rule may predict, sorted."""
        return np.unique(np.concatenate([h.classes_ for h in self.rules]))

    def shares(self, X: ArrayLike) -> np.ndarray:
        """The (n, k) shares of the weight that each class gets."""
        alpha = np.asarray(self.alpha)
        alpha = alpha / alpha.max()
        return sum(a * ballots(h, X, self.classes_) for h, a in zip(self.rules, alpha, strict=True)) / alpha.sum()

    @at_the_door
    def predict(self, X: ArrayLike) -> np.ndarray:
        """The winner for each row of X."""
        return self.classes_[last_argmax(self.shares(X))]

    def margins(self, X: ArrayLike, y: ArrayLike) -> np.ndarray:
        """The share of the right class minus the largest other one: with two classes y f(x) over the sum of alpha."""
        return share_margins(self.shares(X), self.classes_, y)


def known_labels(y: ArrayLike, classes: np.ndarray) -> np.ndarray:
    """``y`` as an array of labels, all of them among the classes."""
    y = check_y(y)
    if not np.isin(y, classes).all():
        raise ValueError(f"y must have labels among {classes.tolist()}")
    return y


def share_margins(shares: np.ndarray, classes: np.ndarray, y: ArrayLike) -> np.ndarray:
    """The share of each row's class in y minus the largest share of another class."""
    y = check_y(y)
    check_lengths(X=shares, y=y)
    right = y[:, None] == classes
    return np.where(right, shares, 0).sum(axis=1) - np.where(right, 0, shares).max(axis=1)


class Strength(NamedTuple):
    """How good voters are, and how alike: the mean margin of one of them, and the correlation of their margins."""

    strength: float
    correlation: float


@checks_arguments
def strength_and_correlation(rules: list, X: ArrayLike, y: ArrayLike) -> Strength:
    """Breiman's two numbers for the equal vote of fitted classifiers, measured on (X, y).

    The margin of a voter at (x, y) is 1 if it votes for y, -1 if it votes for the strongest rival of y, else 0.
    """
    vote, y = Vote(rules), check_y(y)
    shares, right = vote.shares(X), y[:, None] == vote.classes_
    check_lengths(X=shares, y=y)
    rival = vote.classes_[np.where(right, -1, shares).argmax(axis=1)]
    predictions = np.array([h.predict(X) for h in vote.rules])
    margins = (predictions == y).astype(float) - ((predictions == rival) & (predictions != y))  # (T, n)
    spread = margins.std(axis=1).mean()
    correlation = min(1.0, margins.mean(axis=0).var() / spread**2) if spread > 0 else 0.0  # 1 but for rounding
    return Strength(float(margins.mean()), float(correlation))


class Constant:
    """The rule with one answer; what a classifier learns from examples of a single class."""

    def __init__(self, value):
        self.classes_ = np.array([value])

    @at_the_door
    def predict(self, X: ArrayLike) -> np.ndarray:
        """The answer for each row of X."""
        return np.repeat(self.classes_, np.shape(X)[0])

    @at_the_door
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Ones: no other class is possible."""
        return np.ones((np.shape(X)[0], 1))


def fitted_copy(base: Any, X: np.ndarray, y: np.ndarray, rng: np.random.Generator, **weights: np.ndarray) -> Any:
    """A copy of the model ``base`` fitted to the sample, with seeds from ``rng``; constant if all of y is equal."""
    if (y == y[0]).all():
        return Constant(y[0])
    h = copy.deepcopy(base)
    seeds = [name for name in h.get_params() if name.rpartition("__")[2] == "random_state"]
    return h.set_params(**{name: int(rng.integers(2**31)) for name in seeds}).fit(X, y, **weights)


def check_model(name: str, value: Any) -> Any:
    """``value`` as something with ``fit``, ``predict`` and parameters; None stands for a default."""
    missing = [method for method in ("fit", "predict", "get_params", "set_params") if not hasattr(value, method)]
    if value is not None and (missing or isinstance(value, type)):
        raise ValueError(f"{name} must be a model with fit, predict and parameters, got {value!r}")
    return value
