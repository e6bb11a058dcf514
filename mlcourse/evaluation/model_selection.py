"""Choosing among candidates by their estimated risk.

Letters
    X, y       sample
    K          number of folds, ``n_folds``
    risks      (n_candidates, K) matrix: test error of each candidate in each fold
"""

import copy
import itertools
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_y
from mlcourse.arguments.collections import check_list, check_risks
from mlcourse.arguments.kinds import AnyFunction, Tunable, checks_arguments
from mlcourse.arguments.numbers import check_rng
from mlcourse.base import Estimator, map_tasks
from mlcourse.evaluation.cross_validation import checked_sample, k_fold, run_fold, standard_error


def grid(**values: list) -> list[dict]:
    """Every combination of the listed values as a dictionary of parameters; the last parameter changes fastest."""
    lists = {name: check_list(f"values of {name}", choices) for name, choices in values.items()}
    return [dict(zip(lists, choice, strict=True)) for choice in itertools.product(*lists.values())]


def with_parameters(model: Any, parameters: dict) -> Any:
    """A copy of the model with copies of these parameters, of which some may be models themselves."""
    return copy.deepcopy(model).set_params(**copy.deepcopy(parameters))


def with_each(model: Any, candidates: list[dict]) -> list:
    """A copy of the model for every candidate, of which there must be one."""
    candidates = check_list("candidates", candidates)
    for parameters in candidates:
        if not isinstance(parameters, dict):
            raise ValueError(f"every candidate must be a dictionary of parameters (see grid), got {parameters!r}")
    return [with_parameters(model, parameters) for parameters in candidates]


@dataclass(frozen=True)
class Search:
    """The test error of every candidate in every fold, ``risks`` (n_candidates, K)."""

    candidates: list
    risks: np.ndarray

    @property
    def risk(self) -> np.ndarray:
        """The (n_candidates,) cross-validation estimates."""
        return self.risks.mean(axis=1)

    @property
    def best(self) -> dict:
        """The candidate of least estimated risk, the first of several."""
        return self.candidates[least_risk(self.risks)]


@checks_arguments
def grid_search(
    model: Tunable,
    candidates: list[dict],
    X: ArrayLike,
    y: ArrayLike,
    folds: list,
    loss: AnyFunction | None = None,
    executor: Any = None,
) -> Search:
    """The risks of the model with each candidate's parameters, all on the same folds; returns a ``Search``."""
    X, y, folds = checked_sample(X, y, folds)
    candidates = check_list("candidates", candidates)
    tasks = [(h, X, y, train, test, loss) for h in with_each(model, candidates) for train, test in folds]
    means = [losses.mean() for _, losses in map_tasks(run_fold, tasks, executor)]
    return Search(candidates, np.reshape(means, (len(candidates), len(folds))))


@checks_arguments
def least_risk(risks: ArrayLike) -> int:
    """The index of the candidate with the least average over the folds; the first of several."""
    return int(np.argmin(np.mean(check_risks(risks), axis=1)))


@checks_arguments
def one_standard_error(risks: ArrayLike) -> int:
    """The first candidate whose average is within one standard error of the least; list the simplest first."""
    risks = check_risks(risks)
    best, risk = least_risk(risks), np.mean(risks, axis=1)
    allowed = risk[best] + standard_error(risks[best])
    return int(np.flatnonzero(risk <= allowed)[0])


@checks_arguments
def select(
    model: Tunable,
    candidates: list[dict],
    X: ArrayLike,
    y: ArrayLike,
    folds: list,
    rule: AnyFunction = least_risk,
    loss: AnyFunction | None = None,
    executor: Any = None,
) -> tuple[Any, Search]:
    """The model that the rule prefers, trained again on the whole sample, and the ``Search`` that chose it."""
    search = grid_search(model, candidates, X, y, folds, loss, executor)
    theta = search.candidates[rule(search.risks)]
    return with_parameters(model, theta).fit(X, y), search


def _of_the_chosen(name):
    """An attribute that ``Tuned`` has after ``fit`` if its chosen model has it."""

    def get(self):
        self._require_fit()
        return getattr(self.model_, name)

    return property(get)


class Tuned(Estimator):
    """A learning algorithm with its tuning: choose the candidate by cross-validation, then train on everything.

    Parameters: ``candidates``, a list of dictionaries (see ``grid``); ``rule``, a function of the (n_candidates, K)
    risks that returns the index of the chosen one; ``loss`` as for ``cross_validate``; ``random_state`` of the folds.

    Learned: ``model_``, the chosen model trained on the whole sample, and ``search_``. Of the chosen model it also has
    ``score`` and, if there are any, ``classes_``, ``n_features_in_``, ``predict_proba`` and ``decision_function``.

    Guarantee: prop-nested. Book: cross-validation. Source: Milan 8.3.
    """

    def __init__(self, model, candidates, n_folds=5, rule=least_risk, loss=None, random_state=None):
        self.model, self.candidates, self.n_folds = model, candidates, n_folds
        self.rule, self.loss, self.random_state = rule, loss, random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Choose, then train on all of (X, y); returns ``self``."""
        folds = k_fold(len(check_y(y)), self.n_folds, check_rng(self.random_state))
        chosen = select(self.model, self.candidates, X, y, folds, self.rule, self.loss)
        self.model_, self.search_ = chosen
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """The predictions of the chosen model."""
        self._require_fit()
        return self.model_.predict(X)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """The score of the chosen model: the fraction right of a classifier, R^2 of a regressor."""
        self._require_fit()
        return self.model_.score(X, y)

    classes_ = _of_the_chosen("classes_")
    n_features_in_ = _of_the_chosen("n_features_in_")
    predict_proba = _of_the_chosen("predict_proba")
    decision_function = _of_the_chosen("decision_function")

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def __sklearn_tags__(self):
        return self.model.__sklearn_tags__()
