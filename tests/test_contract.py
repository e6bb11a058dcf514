"""Every estimator keeps the contract: scikit-learn's checks, safe refits, seeds, and clear errors on bad input."""

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import mlcourse
from mlcourse._checks import NotFittedError
from mlcourse.base import BinaryClassifier, Estimator
from mlcourse.data import OneHot, Standardiser

pytestmark = [  # what the models say of small samples, rightly
    pytest.mark.filterwarnings("ignore::mlcourse._checks.SeparableWarning"),
    pytest.mark.filterwarnings("ignore::mlcourse._checks.SingularCovarianceWarning"),
]

ESTIMATORS = [getattr(mlcourse, name) for name in mlcourse.__all__]
CLASSIFIERS = [cls for cls in ESTIMATORS if cls._kind == "classifier"]
each = pytest.mark.parametrize("cls", CLASSIFIERS, ids=lambda cls: cls.__name__)


def binary_sample(seed=0, m=40, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.where(X[:, 0] + 0.3 * rng.normal(size=m) > 0, 1, -1)


def scikit_learn_checks():
    """Every estimator with every check of scikit-learn, except the one for arrays of other libraries."""
    models = [*(cls() for cls in ESTIMATORS), Standardiser(), OneHot(unknown="zeros")]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Estimator .* does not inherit", category=UserWarning)
        pairs = [pair for model in models for pair in estimator_checks_generator(model)]
    named = [(estimator, check, getattr(check, "func", check).__name__) for estimator, check in pairs]
    return [
        pytest.param(estimator, check, id=f"{type(estimator).__name__}-{name}")
        for estimator, check, name in named
        if name != "check_array_api_input"
    ]


@pytest.mark.filterwarnings("always:A column-vector y was passed", "ignore:Can't check dok sparse matrix")
@pytest.mark.parametrize(("estimator", "check"), scikit_learn_checks())
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_everything_public_is_an_estimator():
    assert all(issubclass(cls, Estimator) for cls in ESTIMATORS)


@each
def test_refit_equals_fresh_fit(cls):
    X, y = binary_sample(1)
    used = cls().fit(*binary_sample(2, m=25, d=5)).fit(X, y)
    fresh = cls().fit(X, y)
    assert vars(used).keys() == vars(fresh).keys()
    assert np.array_equal(used.predict(X), fresh.predict(X))


@each
def test_same_seed_same_model_and_inputs_untouched(cls):
    X, y = binary_sample(3)
    before = X.copy(), y.copy()
    settings_ = {"random_state": 5, "shuffle": True} if hasattr(cls(), "shuffle") else {}
    predictions = [cls(**settings_).fit(X, y).predict(X) for _ in range(2)]
    assert np.array_equal(*predictions)
    assert np.array_equal(X, before[0]) and np.array_equal(y, before[1])


@each
@pytest.mark.parametrize("labels", [(-1, 1), (0, 1), (False, True), ("no", "yes"), (3.0, 7.0)], ids=str)
def test_any_two_labels_will_do(cls, labels):
    X, y = binary_sample(4)
    reference = cls().fit(X, y).predict(X)
    renamed = np.array(labels)[(y + 1) // 2]
    predicted = cls().fit(X, renamed).predict(X)
    assert predicted.dtype == renamed.dtype
    assert np.array_equal(predicted, np.array(labels)[(reference + 1) // 2])


def spoiled(X, y):
    """Inputs that must be refused, with a word that must be in the message."""
    nan, inf = X.copy(), X.copy()
    nan[3, 1], inf[2, 0] = np.nan, np.inf
    return {
        "NaN": (nan, y),
        "infinity": (inf, y),
        "2D": (X[:, 0], y),
        "0 sample": (X[:0], y[:0]),
        "0 feature": (X[:, :0], y),
        "same length": (X, y[:-1]),
        "one class": (X, np.ones_like(y)),
        "Unknown label type": (X, y + 0.5),
        "1d array": (X, np.column_stack([y, y])),
        "Complex": (X + 1j, y),
        "hold numbers": (np.where(X > 0, "1", "2"), y),
    }


@each
@pytest.mark.parametrize("message", list(spoiled(*binary_sample())))
def test_bad_input_is_refused_and_leaves_the_model_as_it_was(cls, message):
    X, y = binary_sample(5)
    model = cls().fit(X, y)
    before = pickle.dumps(vars(model))
    with pytest.raises((ValueError, TypeError), match=message):
        model.fit(*spoiled(X, y)[message])
    assert pickle.dumps(vars(model)) == before
    with pytest.raises((ValueError, TypeError), match=message):
        fresh = cls()
        fresh.fit(*spoiled(X, y)[message])
    assert vars(fresh) == vars(cls())


@each
def test_a_fit_that_fails_half_way_leaves_nothing_behind(cls, monkeypatch):
    X, y = binary_sample(6)
    model = cls().fit(X, y)
    before = pickle.dumps(vars(model))

    def interrupted(self, *args):
        self.half_done_ = True
        raise KeyboardInterrupt

    monkeypatch.setattr(cls, "_fit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert pickle.dumps(vars(model)) == before


@each
def test_unfitted_and_mismatched_use(cls):
    X, y = binary_sample(7)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        cls().predict(X)
    with pytest.raises(ValueError, match="X has 2 features, but .* is expecting 3"):
        cls().fit(X, y).predict(X[:, :2])


@pytest.mark.parametrize(
    "model, message",
    [
        (mlcourse.Perceptron(max_epochs=0), "max_epochs must be an integer of at least 1, got 0"),
        (mlcourse.Perceptron(max_epochs=2.5), "max_epochs must be an integer"),
        (mlcourse.Perceptron(bias="yes"), "bias must be True or False"),
        (mlcourse.Perceptron(shuffle=True, random_state="a"), "random_state must be"),
        (mlcourse.MulticlassPerceptron(max_epochs=-1), "max_epochs must be an integer"),
        (mlcourse.KNearestNeighbors(k=0), "k must be an integer of at least 1"),
        (mlcourse.KNearestNeighbors(k=True), "k must be an integer"),
    ],
    ids=str,
)
def test_bad_parameters_are_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(*binary_sample())


@each
@settings(max_examples=25, deadline=None)
@given(
    m=st.integers(1, 12), d=st.integers(0, 3), n_classes=st.integers(1, 3), copies=st.booleans(),
    constant=st.booleans(), dtype=st.sampled_from([int, float, np.float32, bool]), seed=st.integers(0, 999),
)
def test_any_shape_gives_an_error_or_predictions(cls, m, d, n_classes, copies, constant, dtype, seed):
    rng = np.random.default_rng(seed)
    X = (np.ones((m, d)) if constant else rng.integers(-3, 4, size=(m, d))).astype(dtype)
    if copies and m:
        X[:] = X[:1]
    y = rng.integers(n_classes, size=m)
    model = cls().set_params(**{"max_epochs": 20} if hasattr(cls(), "max_epochs") else {})
    try:
        model.fit(X, y)
    except ValueError as error:
        assert d == 0 or len(np.unique(y)) == 1 or "binary" in str(error)
        assert "feature" in str(error) or "class" in str(error)
    else:
        assert model.predict(X).shape == (m,) and np.isin(model.predict(X), y).all()


@each
def test_works_inside_scikit_learn(cls):
    X, y = binary_sample(8, m=60)
    pipeline = make_pipeline(StandardScaler(), cls())
    assert cross_val_score(pipeline, X, y, cv=3).shape == (3,)
    search = GridSearchCV(mlcourse.KNearestNeighbors(), {"k": [1, 5]}, cv=3).fit(X, y)
    assert search.best_params_["k"] in (1, 5)
    assert repr(clone(cls())) == f"{cls.__name__}()"


@each
def test_score_needs_a_label_for_every_row(cls):
    X, y = binary_sample(9)
    with pytest.raises(ValueError, match="same length"):
        cls().fit(X, y).score(X, y[:1])


def test_parameters_are_listed_set_and_shown():
    model = mlcourse.Perceptron(bias=False)
    assert repr(model) == "Perceptron(bias=False)"
    assert model.set_params(max_epochs=7).get_params()["max_epochs"] == 7
    with pytest.raises(ValueError, match="has no parameter 'tau'"):
        model.set_params(max_epochs=9, tau=1)
    assert model.max_epochs == 7


# --- regressors, and what the base classes do for any model ---------------------------------------------


def test_score_is_the_coefficient_of_determination():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2))
    y = X @ [1.0, -2.0] + rng.normal(size=50)
    model = mlcourse.LinearRegression().fit(X, y)
    assert model.score(X, y) == pytest.approx(r2_score(y, model.predict(X)))
    assert model.score(X, np.ones(50)) == 0.0  # nothing to explain, and the prediction is not exact


def test_parameters_and_targets_are_checked():
    X, y = np.eye(3), np.arange(3.0)
    with pytest.raises(ValueError, match="lam must be zero or positive, got -1"):
        mlcourse.Ridge(lam=-1).fit(X, y)
    with pytest.raises(ValueError, match="y must be finite"):
        mlcourse.LinearRegression().fit(X, [0, np.nan, 1])
    with pytest.raises(ValueError, match="X has 2"):
        mlcourse.LinearRegression().fit(X, y).predict(X[:, :2])


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
