"""The contract of every estimator: ``fit`` and ``predict``.

A template method keeps the algorithms bare. The public ``fit`` checks the parameters and the arrays,
turns labels into {-1, +1} (``BinaryClassifier``) or 0..k-1 (``Classifier``) or leaves real targets
(``Regressor``), and calls ``_fit``; the public predictors check and call ``_score``, ``_proba``,
``_predict``. A model writes ``__init__`` (stores its arguments, nothing else) and those methods.
A failed ``fit`` leaves the estimator as it was.

Estimators follow scikit-learn's contract and work in its pipelines and searches; nothing here needs
scikit-learn (``__sklearn_tags__`` is called by scikit-learn alone).
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_labels, check_lengths, check_targets, check_weights, check_X, check_y
from mlcourse.arguments.door import at_the_door, compute
from mlcourse.arguments.errors import not_fitted
from mlcourse.parameters import Parametrised


def last_argmax(scores: np.ndarray) -> np.ndarray:
    """The column of the largest entry of each row, the last of several equals: the rule sgn 0 = +1 for many classes."""
    return scores.shape[1] - 1 - scores[:, ::-1].argmax(axis=1)


def map_tasks(function: Callable, tasks: list[tuple], executor: Any = None) -> list:
    """The results of the function for every task, a tuple of arguments, in order; by the executor if there is one."""
    return list((map if executor is None else executor.map)(function, *zip(*tasks, strict=True)))


class Estimator(Parametrised):
    """Parameters, checked at ``fit``, a safe ``fit``, and the descriptions that scikit-learn asks for."""

    _kind: str | None = None  # "classifier", "regressor" or "transformer"
    _multi_class = True
    _needs_y = True
    _fit: Callable[..., Any]
    _fit_sample: Callable[..., Any]
    n_features_in_: int

    @at_the_door
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn from the sample (X, y); returns ``self``."""
        self._check_params()
        return self._fit_sample(self._check_points(X), y)

    def _fit_safely(self, X, *args, **learned):
        """Run ``_fit`` from a clean slate; put everything back if it fails."""
        before = self.__dict__
        try:
            self.__dict__ = {name: value for name, value in before.items() if not name.endswith("_")}
            self.__dict__.update(learned, n_features_in_=X.shape[1])
            compute(type(self).__name__, self._fit, X, *args)
        except BaseException:
            self.__dict__ = before
            raise
        return self

    def _check_points(self, X: ArrayLike, n_features: int | None = None) -> np.ndarray:
        """``X`` as the model wants it, with ``n_features`` columns if given: here an (m, d) array of finite floats."""
        return check_X(X, n_features, type(self).__name__)

    def _new_points(self, X: ArrayLike) -> np.ndarray:
        """``X`` checked against what was seen at ``fit``."""
        self._require_fit()
        return self._check_points(X, self.n_features_in_)

    def _finite_answer(self, method: Callable, X: ArrayLike) -> np.ndarray:
        """``method(X)``, which must be numbers, if they are numbers at all."""
        answer = compute(type(self).__name__, method, X)
        if answer.dtype.kind == "f" and np.isnan(answer).any():
            raise ValueError(f"{type(self).__name__} cannot answer for such large X: rescale the features")
        return answer

    def _require_fit(self):
        if not self.__sklearn_is_fitted__():
            raise not_fitted(self)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "n_features_in_")

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None if self._kind == "transformer" else self._kind,
            target_tags=TargetTags(required=self._needs_y),
            classifier_tags=ClassifierTags(multi_class=self._multi_class) if self._kind == "classifier" else None,
            regressor_tags=RegressorTags() if self._kind == "regressor" else None,
            transformer_tags=TransformerTags() if self._kind == "transformer" else None,
            input_tags=InputTags(),
        )


class Classifier(Estimator):
    """``_fit(X, y)`` gets labels 0..k-1; ``_predict(X)`` returns such labels."""

    _kind = "classifier"
    _predict: Callable[..., np.ndarray]
    classes_: np.ndarray

    def _fit_sample(self, X, y, *more):
        classes, y = check_labels(y)
        check_lengths(X=X, y=y)
        return self._fit_safely(X, self._encode(y, classes), *more, classes_=classes)

    def _encode(self, y, classes):
        return y

    @at_the_door
    def predict(self, X: ArrayLike) -> np.ndarray:
        """The predicted class of each row of ``X``."""
        labels = self._finite_answer(self._predict, self._new_points(X))
        return self.classes_[labels]

    @at_the_door
    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """The fraction of rows of ``X`` whose class is predicted right."""
        predicted, y = self.predict(X), check_y(y)
        check_lengths(X=predicted, y=y)
        return float(np.mean(predicted == y))


class ProbabilisticClassifier(Classifier):
    """``_proba(X)`` returns (n, k) class probabilities; the most probable class is predicted, of several the last."""

    _proba: Callable[..., np.ndarray]

    @at_the_door
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """The (n, k) matrix of class probabilities, columns in the order of ``classes_``."""
        return self._finite_answer(self._proba, self._new_points(X))

    def _predict(self, X):
        return last_argmax(self._proba(X))


class BinaryClassifier(Classifier):
    """``_fit(X, y)`` gets labels -1, +1; ``_score(X)`` returns reals, and a score of 0 predicts +1."""

    _multi_class = False
    _score: Callable[..., np.ndarray]

    def _encode(self, y, classes):
        if len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"{len(classes)} classes, starting with {classes[:3].tolist()}"
            )
        return 2 * y - 1

    @at_the_door
    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """The real score of each row of ``X``: its sign is the prediction."""
        return self._finite_answer(self._score, self._new_points(X))

    def _predict(self, X):
        return (self._score(X) >= 0).astype(int)


class WeightedFit(Estimator):
    """Mix-in for classifiers whose ``_fit(X, y, D)`` takes a distribution D over the examples."""

    @at_the_door
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from (X, y), example i counting ``sample_weight[i]`` times; returns ``self``."""
        self._check_params()
        X = self._check_points(X)
        D = check_weights(sample_weight, len(X))
        y = check_y(y)
        check_lengths(X=X, y=y, sample_weight=D)
        return self._fit_sample(X[D > 0], y[D > 0], D[D > 0])


class Regressor(Estimator):
    """``_fit(X, y)`` gets real targets; ``_predict(X)`` returns reals."""

    _kind = "regressor"
    _predict: Callable[..., np.ndarray]

    def _fit_sample(self, X, y, *more):
        y = check_targets(y)
        check_lengths(X=X, y=y)
        return self._fit_safely(X, y, *more)

    @at_the_door
    def predict(self, X: ArrayLike) -> np.ndarray:
        """The predicted value for each row of ``X``."""
        return self._finite_answer(self._predict, self._new_points(X))

    @at_the_door
    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """The coefficient of determination: 1 minus the square loss over that of the mean of ``y``."""
        predicted, y = self.predict(X), check_targets(y)
        check_lengths(X=predicted, y=y)
        return compute("score", _determination, y, predicted)


def _determination(y, predicted):
    residual, total = np.sum((y - predicted) ** 2), np.sum((y - y.mean()) ** 2)
    return float(1 - residual / total) if total > 0 else float(residual == 0)


class Transformer(Estimator):
    """``_fit(X)`` learns an encoding, ``_transform(X)`` applies it."""

    _kind = "transformer"
    _needs_y = False
    _transform: Callable[..., np.ndarray]

    @at_the_door
    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn the encoding from ``X`` alone; returns ``self``."""
        self._check_params()
        return self._fit_safely(self._check_points(X))

    @at_the_door
    def transform(self, X: ArrayLike) -> np.ndarray:
        """The encoded rows of ``X``."""
        return self._finite_answer(self._transform, self._new_points(X))

    @at_the_door
    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None) -> np.ndarray:
        """Learn the encoding from ``X`` and return the encoded rows."""
        self._check_params()
        X = self._check_points(X)
        return self._fit_safely(X)._transform(X)
