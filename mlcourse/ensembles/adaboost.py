"""AdaBoost: every round looks for a rule that does well on the examples that the vote so far gets wrong.

Letters
    X, y      sample: m points of R^d, labels in {-1, +1}
    D         distribution over the m examples
    h         weak rule with values -1, +1; epsilon its error under D
    alpha     its weight in the vote
    Z         what normalises the new weights
"""

import inspect
from collections.abc import Callable, Iterator
from itertools import accumulate, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_lengths
from mlcourse.arguments.kinds import AnyFunction, Points, Signs, checks_arguments
from mlcourse.arguments.numbers import check_count, check_flag, check_rng
from mlcourse.base import BinaryClassifier
from mlcourse.ensembles.resampling import weighted_sample
from mlcourse.ensembles.voting import check_model, fitted_copy, known_labels
from mlcourse.models.trees.criteria import TINY
from mlcourse.models.trees.stump import DecisionStump, between
from mlcourse.trace import Iterates, returns_trace

ROUNDING, TRIES = 1e-12, 10


class Round(NamedTuple):
    """What a round leaves behind: the next distribution, the rule, its error and vote, and the normaliser."""

    D: np.ndarray
    h: Any = None
    epsilon: float = 0.5
    alpha: float = 0.0
    Z: float = 1.0


@returns_trace
def adaboost(y: Signs, weak_learner: AnyFunction) -> Iterates:
    """The rounds; ``weak_learner(D)`` returns a rule and its values on the sample.

    Ends with a rule that makes no mistake, whose vote is infinite, or where the next rule is no better than a coin.
    """
    D = np.full(len(y), 1 / len(y))
    yield Round(D)
    while True:
        h, vote = weak_learner(D)
        wrong = vote != y
        epsilon = D[wrong].sum()
        if not wrong.any():
            yield Round(D, h, 0.0, np.inf, 0.0)
            return True
        if epsilon >= 1 / 2 - ROUNDING:
            return False
        alpha = np.log((1 - epsilon) / epsilon) / 2
        D = D * np.exp(-alpha * y * vote)
        Z = D.sum()
        D = np.maximum(D / Z, TINY)  # no example is forgotten
        yield Round(D, h, epsilon, alpha, Z)


def by_weights(base: Any, X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> Callable:
    """The weak learner that hands D to the base as weights."""

    def learn(D):
        h = fitted_copy(base, X, y, rng, sample_weight=D)
        return h, h.predict(X)

    return learn


def by_resampling(
    base: Any, X: np.ndarray, y: np.ndarray, rng: np.random.Generator, draw: Callable = weighted_sample
) -> Callable:
    """The weak learner that trains the base on m examples drawn from D; ``rejection_sample`` may draw them too.

    A draw may be unlucky: if the rule is no better than a coin, others are drawn, up to ``TRIES`` in all.
    """

    def learn(D):
        for _ in range(TRIES):
            rows = draw(D, len(y), rng)
            h = fitted_copy(base, X[rows], y[rows], rng)
            vote = h.predict(X)
            if D[vote != y].sum() < 1 / 2 - ROUNDING:
                break
        return h, vote

    return learn


@checks_arguments
def by_stumps(X: Points, y: Signs) -> Callable:
    """The weak learner that returns the best stump; the features are sorted once for all rounds."""
    x = np.ascontiguousarray(X.T)
    order = x.argsort(axis=1, kind="stable")
    x = np.take_along_axis(x, order, axis=1)  # (d, m), each row sorted
    is_cut = np.pad(x[:, :-1] < x[:, 1:], ((0, 0), (0, 1))).astype(float)  # 1 between different values
    below = np.empty(x.shape)  # written anew in every round

    def learn(D):
        (D * y).take(order, out=below, mode="clip")
        np.cumsum(below, axis=1, out=below)  # the sum of D y up to each place
        np.multiply(below, is_cut, out=below)  # no cut: 0, for the constant rule
        extremes = below.argmin(), below.argmax()
        agreement = [D @ y - 2 * below.flat[i] for i in extremes]  # of +1 above, -1 below
        best = int(np.abs(agreement).argmax())
        j, i = np.unravel_index(extremes[best], x.shape)
        threshold = between(x[j, i], x[j, i + 1]) if is_cut[j, i] else -np.inf
        h = stump(X.shape[1], int(j), float(threshold), 1 if agreement[best] >= 0 else -1)
        h.risk_ = max(0.0, float(1 - np.abs(agreement[best])) / 2)
        return h, h._score(X)

    return learn


def stump(d: int, feature: int, threshold: float, polarity: int) -> DecisionStump:
    """The rule "polarity if x_j > threshold, else -polarity" on points of R^d."""
    h = DecisionStump()
    h.n_features_in_, h.classes_ = d, np.array([-1, 1])
    h.feature_, h.threshold_, h.polarity_ = feature, threshold, polarity
    return h


class AdaBoost(BinaryClassifier):
    """The weighted vote sgn(sum_t alpha_t h_t(x)) of rules, each trained where those before it err.

    Descends the exponential risk (1/m) sum_i exp(-y_i f(x_i)), one rule at a time. A rule without a mistake ends the
    run and decides alone; a rule no better than a coin ends it too and is not used: if it is the first, the vote is
    empty and predicts +1.

    Parameters: ``weak_learner``, a classifier that takes ``sample_weight`` (None: the best decision stump);
    ``resample``: train it on m examples drawn from D_t instead, with any classifier.
    Learned: ``rules_``; ``alpha_``, ``epsilon_``, ``Z_`` (T,), one entry for each rule; ``D_`` (m,), the last weights;
    ``converged_``: a rule made no mistake.

    Guarantee: thm-adaboost, thm-adaboost-margins. Book: boosting.
    Source: Amini, Milan 23, Paris, Vayatis (sign of the vote, epsilon = 0 and epsilon >= 1/2 corrected).
    """

    _valid = {"weak_learner": check_model, "n_rounds": check_count, "resample": check_flag}

    def __init__(self, weak_learner=None, n_rounds=50, resample=False, random_state=None):
        self.weak_learner = weak_learner
        self.n_rounds = n_rounds
        self.resample = resample
        self.random_state = random_state

    def _fit(self, X, y):
        y = y.astype(float)
        rounds = []
        for last in islice(adaboost.iterates(y, self._learner(X, y)), self.n_rounds + 1):
            rounds.append(last[1:])  # all but D
        self.D_, self.converged_ = last.D, last.alpha == np.inf
        rounds = [(last.h, 0.0, 1.0, 0.0)] if self.converged_ else rounds[1:]  # an infinite vote decides alone
        self.rules_ = [h for h, *_ in rounds]
        self.epsilon_, self.alpha_, self.Z_ = np.array([numbers for _, *numbers in rounds]).reshape(-1, 3).T

    def _learner(self, X, y):
        base, rng = DecisionStump() if self.weak_learner is None else self.weak_learner, check_rng(self.random_state)
        if self.resample:
            return by_resampling(base, X, y, rng)
        if type(base) is DecisionStump:
            return by_stumps(X, y)
        if "sample_weight" not in inspect.signature(base.fit).parameters:
            raise ValueError(f"{base!r} takes no sample_weight: use resample=True")
        return by_weights(base, X, y, rng)

    def _terms(self, X):
        for h, alpha in zip(self.rules_, self.alpha_, strict=True):
            yield alpha * (h._score(X) if type(h) is DecisionStump else h.predict(X))

    def _score(self, X):
        return sum(self._terms(X), np.zeros(len(X)))

    def staged_scores(self, X: ArrayLike) -> Iterator[np.ndarray]:
        """The scores of the vote after each round, one array (n,) for each."""
        return accumulate(self._terms(self._new_points(X)))

    def staged_predict(self, X: ArrayLike) -> Iterator[np.ndarray]:
        """The predictions of the vote after each round."""
        return (self.classes_[(score >= 0).astype(int)] for score in self.staged_scores(X))

    def margins(self, X: ArrayLike, y: ArrayLike) -> np.ndarray:
        """y f(x) / (alpha_1 + ... + alpha_T) for each row of X: in [-1, 1]."""
        score, y = self.decision_function(X), known_labels(y, self.classes_)
        check_lengths(X=score, y=y)
        return np.where(y == self.classes_[1], score, -score) / (self.alpha_.sum() or 1.0)
