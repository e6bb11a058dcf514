"""Bagging: the same algorithm on many bootstrap samples, then a vote or an average.

Letters
    X, y     sample of m examples
    h        a member of the ensemble
    k        number of classes
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_lengths, check_targets
from mlcourse.arguments.door import at_the_door, compute
from mlcourse.arguments.numbers import check_count, check_flag, check_rng
from mlcourse.base import Estimator, ProbabilisticClassifier, Regressor, last_argmax, map_tasks
from mlcourse.ensembles.resampling import bootstrap
from mlcourse.ensembles.voting import ballots, check_model, fitted_copy, known_labels, share_margins
from mlcourse.models.trees.decision_tree import DecisionTree, RegressionTree


class Ensemble(Estimator):
    """Members trained on parts of the sample, in parallel if wanted; the average of their outputs; out-of-bag error."""

    _output: Callable[..., np.ndarray]  # of a member at X: class shares (n, k), or real predictions (n,)
    _known: Callable[..., np.ndarray]
    _losses: Callable[..., np.ndarray]
    members_: list
    counts_: np.ndarray  # (n_members, m): how often a member saw an example

    @at_the_door
    def fit(self, X: ArrayLike, y: ArrayLike, *, executor: Any = None) -> Self:
        """Learn from (X, y); an executor of ``concurrent.futures`` or its like trains members in parallel."""
        self._check_params()
        if executor is not None and not hasattr(executor, "map"):
            raise ValueError(f"executor must have a method map, as those of concurrent.futures do, got {executor!r}")
        return self._fit_sample(self._check_points(X), y, executor)

    def _average(self, X):
        return sum(self._output(h, X) for h in self.members_) / len(self.members_)

    def out_of_bag(self, X: ArrayLike) -> np.ndarray:
        """For each row of the training X, the average over the members that did not see it; NaN if all of them did."""
        X, unseen = self._training_points(X), self.counts_ == 0
        total = 0 * self._output(self.members_[0], X)
        for h, out in zip(self.members_, unseen, strict=True):
            if out.any():
                total[out] += self._output(h, X[out])
        with np.errstate(invalid="ignore"):
            return (total.T / unseen.sum(axis=0)).T

    def _training_points(self, X: ArrayLike) -> np.ndarray:
        X, m = self._new_points(X), self.counts_.shape[1]
        if len(X) != m:
            raise ValueError(f"X must be the training sample of {m} rows, got {len(X)} rows")
        return X

    def out_of_bag_error(self, X: ArrayLike, y: ArrayLike) -> float:
        """The error on the training sample when only members that did not see an example may predict it.

        Zero-one loss of classifiers, square loss of others, averaged over the examples that some member did not see.
        """
        output, y = self.out_of_bag(X), self._known(y)
        check_lengths(X=output, y=y)
        tested = (self.counts_ == 0).any(axis=0)
        if not tested.any():
            raise ValueError("every member saw every example: there is no out-of-bag error")
        return float(compute("out_of_bag_error", self._losses, output[tested], y[tested]).mean())


class VotingEnsemble(Ensemble, ProbabilisticClassifier):
    """An ensemble of classifiers: the class of the largest share is predicted, of several the last."""

    _proba = Ensemble._average

    def margins(self, X: ArrayLike, y: ArrayLike) -> np.ndarray:
        """The share of the right class minus the largest share of another, for each row of X."""
        return share_margins(self.predict_proba(X), self.classes_, self._known(y))

    def _known(self, y):
        return known_labels(y, self.classes_)

    def _losses(self, shares, y):
        return self.classes_[last_argmax(shares)] != y


class AveragingEnsemble(Ensemble, Regressor):
    """An ensemble of regressors: the average is predicted."""

    _predict = Ensemble._average
    _known = staticmethod(check_targets)

    def _output(self, h, X):
        return h.predict(X).astype(float)

    def _losses(self, y_hat, y):
        return (y_hat - y) ** 2


def fit_bags(base: Any, X: np.ndarray, y: np.ndarray, generators: list) -> tuple[list, list[np.ndarray]]:
    """A copy of the base trained on a bootstrap sample for each generator, and how often each row was drawn."""
    samples = [(bootstrap(len(y), rng), rng) for rng in generators]
    members = [fitted_copy(base, X[rows], y[rows], rng) for rows, rng in samples]
    return members, [np.bincount(rows, minlength=len(y)) for rows, _ in samples]


def parts(tasks: list, executor: Any) -> list[list]:
    """All the tasks together, or divided into at most 16 parts for an executor."""
    n = 1 if executor is None else min(16, len(tasks))
    return [tasks[i * len(tasks) // n : (i + 1) * len(tasks) // n] for i in range(n)]


class _Bagging(Ensemble):
    """Copies of a base model, a classifier or a regressor, on bootstrap samples."""

    _default: Callable[[], Any]  # the base, if none is given
    _valid = {"base": check_model, "n_estimators": check_count}

    def __init__(self, base=None, n_estimators=50, random_state=None):
        self.base = base
        self.n_estimators = n_estimators
        self.random_state = random_state

    def _model(self):
        return self._default() if self.base is None else self.base

    def _check_points(self, X, n_features=None):
        return getattr(self._model(), "_check_points", super()._check_points)(X, n_features)

    def _fit(self, X, y, executor=None):
        generators = check_rng(self.random_state).spawn(self.n_estimators)
        tasks = [(self._model(), X, y, part) for part in parts(generators, executor)]
        members, counts = zip(*map_tasks(fit_bags, tasks, executor), strict=True)
        self.members_, self.counts_ = sum(members, []), np.array(sum(counts, []))


class Bagging(_Bagging, VotingEnsemble):
    """The majority vote of copies of a classifier, each trained on a bootstrap sample: m draws with replacement.

    A bootstrap sample with one class gives a constant rule. Seeds of the base are replaced by new ones in each copy.

    Parameters: ``base``, any classifier with ``fit`` and ``predict`` (None: a full decision tree); ``average``: the
    average of the members' ``predict_proba`` instead of the shares of their votes.
    Learned: ``members_``; ``counts_`` (n_estimators, m), how often each member drew each example.

    Guarantee: prop-ideal-vote. Book: bagging-and-forests. Source: Paris, Milan 22.
    """

    _default = DecisionTree
    _valid = _Bagging._valid | {"average": check_flag}

    def __init__(self, base=None, n_estimators=50, average=False, random_state=None):
        super().__init__(base, n_estimators, random_state)
        self.average = average

    def _fit(self, X, y, executor=None):
        if self.average and not hasattr(self._model(), "predict_proba"):
            raise ValueError(f"average needs a base with predict_proba, which {self.base!r} has not")
        super()._fit(X, self.classes_[y], executor)

    def _output(self, h, X):
        if not self.average:
            return ballots(h, X, self.classes_)
        shares = np.zeros((len(X), len(self.classes_)))
        shares[:, np.searchsorted(self.classes_, h.classes_)] = h.predict_proba(X)
        return shares


class BaggingRegressor(_Bagging, AveragingEnsemble):
    """The average of copies of a regressor, each trained on a bootstrap sample: m draws with replacement.

    Parameters: ``base``, any regressor with ``fit`` and ``predict`` (None: a full regression tree).
    Learned: ``members_``; ``counts_`` (n_estimators, m), how often each member drew each example.

    Guarantee: prop-bagging-variance. Book: bagging-and-forests. Source: Paris (what the identity compares corrected).
    """

    _default = RegressionTree
