"""The base classes that no public estimator uses yet keep the contract too, shown on a minimal model."""

import warnings

import numpy as np
import pytest
from sklearn.metrics import r2_score
from sklearn.utils.estimator_checks import estimator_checks_generator

from mlcourse._checks import check_non_negative
from mlcourse.base import BinaryClassifier, Regressor


class LeastSquares(Regressor):
    """A linear function of least square loss, for these tests."""

    _valid = {"lam": check_non_negative}

    def __init__(self, lam=0.0):
        self.lam = lam

    def _fit(self, X, y):
        self.mean_ = X.mean(axis=0)
        self.b_ = y.mean()
        d = X.shape[1]
        rows = np.vstack([X - self.mean_, np.sqrt(self.lam) * np.eye(d)])
        self.w_ = np.linalg.lstsq(rows, np.append(y - self.b_, np.zeros(d)), rcond=None)[0]

    def _predict(self, X):
        return (X - self.mean_) @ self.w_ + self.b_


def regression_checks():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Estimator .* does not inherit", category=UserWarning)
        pairs = list(estimator_checks_generator(LeastSquares()))
    return [check for _, check in pairs if getattr(check, "func", check).__name__ != "check_array_api_input"]


@pytest.mark.filterwarnings("always:A column-vector y was passed", "ignore:Can't check dok sparse matrix")
@pytest.mark.parametrize("check", regression_checks(), ids=lambda check: getattr(check, "func", check).__name__)
def test_a_regressor_passes_scikit_learns_checks(check):
    check(LeastSquares())


def test_score_is_the_coefficient_of_determination():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2))
    y = X @ [1.0, -2.0] + rng.normal(size=50)
    model = LeastSquares().fit(X, y)
    assert model.score(X, y) == pytest.approx(r2_score(y, model.predict(X)))
    assert model.score(X, np.ones(50)) == 0.0  # nothing to explain, and the prediction is not exact


def test_parameters_and_targets_are_checked():
    X, y = np.eye(3), np.arange(3.0)
    with pytest.raises(ValueError, match="lam must be zero or positive, got -1"):
        LeastSquares(lam=-1).fit(X, y)
    with pytest.raises(ValueError, match="y must be finite"):
        LeastSquares().fit(X, [0, np.nan, 1])
    with pytest.raises(ValueError, match="X has 2"):
        LeastSquares().fit(X, y).predict(X[:, :2])


class Sometimes(BinaryClassifier):
    """Learns an attribute only if there are many examples; its score is zero everywhere."""

    def _fit(self, X, y):
        if len(y) > 5:
            self.extra_ = len(y)

    def _score(self, X):
        return np.zeros(len(X))


def test_a_refit_forgets_what_the_first_fit_learned():
    X, y = np.arange(8.0)[:, None], np.arange(8) % 2
    model = Sometimes().fit(X, y)
    assert model.extra_ == 8
    assert not hasattr(model.fit(X[:4], y[:4]), "extra_")


def test_score_zero_predicts_the_upper_class():
    X, y = np.arange(4.0)[:, None], np.array(["a", "b", "a", "b"])
    assert (Sometimes().fit(X, y).predict(X) == "b").all()
