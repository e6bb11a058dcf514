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
from mlcourse.arguments.errors import NotFittedError
from mlcourse.base import BinaryClassifier, Estimator
from mlcourse.data import OneHot, Standardiser
from mlcourse.models.kernels.functions import Kernel, LinearKernel
from mlcourse.models.networks.convolution import ConvolutionalClassifier
from mlcourse.models.networks.word2vec import Word2Vec

pytestmark = [  # what the models say of small samples, rightly
    pytest.mark.filterwarnings("ignore::mlcourse.arguments.errors.SeparableWarning"),
    pytest.mark.filterwarnings("ignore::mlcourse.arguments.errors.SingularCovarianceWarning"),
]

PUBLIC = [getattr(mlcourse, name) for name in mlcourse.__all__]
ESTIMATORS = [cls for cls in PUBLIC if not issubclass(cls, Kernel)]
CLASSIFIERS = [cls for cls in ESTIMATORS if cls._kind == "classifier"]
REGRESSORS = [cls for cls in ESTIMATORS if cls._kind == "regressor"]
each = pytest.mark.parametrize("cls", CLASSIFIERS, ids=lambda cls: cls.__name__)
each_predictor = pytest.mark.parametrize("cls", CLASSIFIERS + REGRESSORS, ids=lambda cls: cls.__name__)


def binary_sample(seed=0, m=40, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.where(X[:, 0] + 0.3 * rng.normal(size=m) > 0, 1, -1)


def scikit_learn_checks():
    """Every estimator with every check of scikit-learn, except the one for arrays of other libraries."""
    # large cells: scikit-learn expects a tie to go to the first class, ours goes to the last
    models = [mlcourse.HistogramRule(side=5.0) if cls is mlcourse.HistogramRule else cls() for cls in ESTIMATORS]
    models += [Standardiser(), OneHot(unknown="zeros")]
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


def test_everything_public_is_an_estimator_or_a_kernel():
    assert all(issubclass(cls, Estimator) for cls in ESTIMATORS)


def seeded(cls):
    """The estimator as it comes, with a seed if it takes one."""
    return cls(**{"random_state": 5} if "random_state" in cls().get_params() else {})


@each_predictor
def test_refit_equals_fresh_fit(cls):
    X, y = binary_sample(1)
    used = seeded(cls).fit(*binary_sample(2, m=25, d=5)).fit(X, y)
    fresh = seeded(cls).fit(X, y)
    assert vars(used).keys() == vars(fresh).keys()
    assert np.array_equal(used.predict(X), fresh.predict(X))


def randomly(cls):
    """The estimator with whatever randomness it has switched on, and a seed."""
    wanted = {"random_state": 5, "shuffle": True, "solver": "sgd", "max_iter": 20, "max_epochs": 20}
    return cls(**{name: value for name, value in wanted.items() if name in cls().get_params()})


@each_predictor
def test_same_seed_same_model_and_inputs_untouched(cls):
    X, y = binary_sample(3)
    before = X.copy(), y.copy()
    models = [randomly(cls).fit(X, y) for _ in range(2)]
    assert np.array_equal(*(model.predict(X) for model in models))
    assert np.array_equal(X, before[0]) and np.array_equal(y, before[1])


@each_predictor
def test_a_sample_changed_after_fit_changes_no_prediction(cls):
    (X, y), (new, _) = binary_sample(3), binary_sample(4)
    for model in (cls(), randomly(cls)):
        X_used, y_used = np.array(X), np.array(y)
        model.fit(X_used, y_used)
        learned, before = pickle.dumps(vars(model)), model.predict(new)
        X_used[:], y_used[:] = 7.0, 1
        assert np.array_equal(model.predict(new), before) and pickle.dumps(vars(model)) == learned


@each_predictor
def test_predictions_are_not_views_of_what_was_learned(cls):
    X, y = binary_sample(3)
    model = cls().fit(X, y)
    before = pickle.dumps(vars(model))
    model.predict(X)[:] = y[0]
    for name in ("predict_proba", "decision_function"):
        if hasattr(model, name):
            getattr(model, name)(X)[:] = 0
    assert pickle.dumps(vars(model)) == before


@each
@pytest.mark.parametrize("labels", [(-1, 1), (0, 1), (False, True), ("no", "yes"), (3.0, 7.0)], ids=str)
def test_any_two_labels_will_do(cls, labels):
    X, y = binary_sample(4)
    reference = seeded(cls).fit(X, y).predict(X)
    renamed = np.array(labels)[(y + 1) // 2]
    predicted = seeded(cls).fit(X, renamed).predict(X)
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


def refusals(cls):
    """What the estimator must refuse: a regressor takes any real targets, one value of them too."""
    messages = set(spoiled(*binary_sample())) - ({"one class", "Unknown label type"} if cls in REGRESSORS else set())
    return [pytest.param(cls, message, id=f"{cls.__name__}-{message}") for message in sorted(messages)]


@pytest.mark.parametrize("cls, message", [case for cls in CLASSIFIERS + REGRESSORS for case in refusals(cls)])
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


@each_predictor
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


@each_predictor
def test_unfitted_and_mismatched_use(cls):
    X, y = binary_sample(7)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        cls().predict(X)
    with pytest.raises(ValueError, match="X has 2 features, but .* is expecting 3"):
        cls().fit(X, y).predict(X[:, :2])


COUNT = [0, -1, 2.5, True, "3", None], "must be an integer of at least 1"
COUNT_OR_NONE = [0, -1, 2.5, True, "3"], "must be an integer of at least 1"
FLAG = [1, 0.0, "yes", None], "must be True or False"
POSITIVE = [0, -1.0, np.inf, np.nan, "wide", None], "must be (positive|a finite number)"
NOT_NEGATIVE = [-1, -1e-9, np.nan, np.inf, "1", None], "must be (zero or positive|positive|a finite number)"
COUNTS = ["k", "n_estimators", "n_trees", "n_rounds", "n_steps", "batch", "max_iter", "max_epochs", "min_leaf"]
COUNTS += ["size", "pool", "d", "window"]
FLAGS = ["bias", "shuffle", "decay", "resample", "average", "bootstrap", "shared_covariance"]
REFUSED = {  # parameter -> (values that no estimator takes, what is said of them)
    **dict.fromkeys(COUNTS, COUNT),
    **dict.fromkeys(["max_depth", "max_leaves", "patience", "max_features"], COUNT_OR_NONE),
    **dict.fromkeys(FLAGS, FLAG),
    **dict.fromkeys(["C", "side", "bandwidth", "cache_size"], POSITIVE),
    "tau": ([0, -1.0, np.inf, np.nan, "wide"], "must be (positive|a finite number)"),
    **dict.fromkeys(["lam", "lam1"], NOT_NEGATIVE),
    "tol": ([0, -1, np.nan], "must be (positive|a finite number)"),
    "keep": ([0, 1.5, "a"], "must (be positive|lie between 0 and 1|be a finite number)"),
    "shrinkage": ([1.5, -0.1, 1 + 1e-9], "must lie between 0 and 1"),
    "validation": ([0, 1.0, -0.5], "must lie strictly between 0 and 1"),
    "origin": ([np.nan, "a"], "must be a finite number"),
    "negatives": ([-1, 1.5], "must be an integer of at least 0"),
    "hidden": ([0, (5, 2.5), (2, 0), "64", None, True, -1], "must be an integer of at least 1"),
    "filters": ([(2, 0), 0, 1.5], "must be an integer of at least 1"),
    "shape": ([64, (2, 4, 4, 2), (8.0, 8)], "must be (.height, width.|an integer)"),
    "categorical": ([3, "ab", [-1]], "must be (a list of column numbers|an integer of at least 0)"),
    "criterion": (["mse"], "must be 'gini' or 'entropy' or 'sqrt' or 'zero-one', got 'mse'"),
    "weights": (["linear", None], "must be 'uniform' or 'distance'"),
    "activation": (["sign", None], "must be 'identity' or"),
    "solver": (
        ["lbfgs"],
        "must be 'cg' or 'newton' or 'sgd'|must be 'sgd' or 'momentum' or 'adam' or 'cg', got 'lbfgs'",
    ),
    "kernel": (
        ["rbf", 3, LinearKernel],
        "must be (a kernel such as GaussianKernel|'box' or 'epanechnikov' or 'gaussian')",
    ),
    "model": (["glove", 3], "must be 'skip-gram' or 'cbow'"),
    "elsewhere": ([0, None], "must be -1 or 1"),
    **dict.fromkeys(
        ["base", "weak_learner"], ([3, "stump", object(), mlcourse.Perceptron], "must be a model with fit")
    ),
    "binary": (["svm", 3], "must be None or a classifier with a decision_function"),
}
CHECKED = [*ESTIMATORS, ConvolutionalClassifier, Word2Vec]


@pytest.mark.parametrize("cls", CHECKED, ids=lambda cls: cls.__name__)
def test_bad_parameters_are_named_and_leave_nothing_behind(cls):
    X, y = (["a b", "b c"], None) if cls is Word2Vec else binary_sample()
    for name in cls().get_params().keys() - {"random_state"}:
        values, message = REFUSED[name]
        for value in values:
            model = cls(**{name: value})
            with pytest.raises(ValueError, match=f"{name} {message}"):
                model.fit(X, y)
            assert vars(model) == model.get_params(deep=False)


@pytest.mark.parametrize(
    "model, message",
    [
        (mlcourse.Perceptron(shuffle=True, random_state="a"), "random_state must be"),
        (mlcourse.LogisticRegression(solver="sgd", random_state="a"), "random_state must be"),
        (mlcourse.MLPClassifier(random_state="a"), "random_state must be"),
        (mlcourse.Bagging(random_state=-1), "random_state must be"),
        (mlcourse.KNearestNeighbors(k=41), "k must be at most the number of training points: k=41 with 40 points"),
        (mlcourse.RegressionTree(categorical=[3]), "categorical names column 3, but X has 3 columns"),
        (mlcourse.Bagging(mlcourse.Perceptron(), average=True), "average needs a base with predict_proba"),
        (mlcourse.RandomForest(max_features=4), "max_features must be at most the number of features, 3, got 4"),
        (mlcourse.AdaBoost(mlcourse.Perceptron()), "Perceptron.. takes no sample_weight: use resample=True"),
        (mlcourse.Pegasos(lam=0), "lam must be positive, got 0"),
        (mlcourse.MLPRegressor(solver="cg", keep=0.999), "solver 'cg' needs a smooth objective .* no dropout"),
        (mlcourse.MLPClassifier(solver="cg", lam1=1e-6), "solver 'cg' needs a smooth objective .* no lam1"),
        (mlcourse.Autoencoder(hidden=()), "at least one hidden layer"),
    ],
    ids=str,
)
def test_parameters_that_do_not_fit_the_sample_or_each_other_are_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(*binary_sample())
    assert vars(model) == model.get_params(deep=False)


@pytest.mark.parametrize("number", [np.float32, np.float16, np.float64, np.longdouble])
def test_a_parameter_may_be_any_kind_of_number(number):
    X, y = binary_sample()
    for model, name in [(mlcourse.Ridge, "lam"), (mlcourse.LogisticRegression, "lam"), (mlcourse.Adaline, "tau")]:
        w = model(**{name: number(0.25)}).fit(X, y).w_
        np.testing.assert_allclose(w, model(**{name: 0.25}).fit(X, y).w_)


@each
@settings(max_examples=25, deadline=None)
@given(
    m=st.integers(1, 12),
    d=st.integers(0, 3),
    n_classes=st.integers(1, 3),
    copies=st.booleans(),
    constant=st.booleans(),
    dtype=st.sampled_from([int, float, np.float32, bool]),
    seed=st.integers(0, 999),
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


@pytest.mark.parametrize("cls", REGRESSORS)
@pytest.mark.parametrize(
    "y, message",
    [
        ([0, np.nan, 1], "y must be finite"),
        ([0, 1, np.inf], "y must be finite"),
        (["a", "b", "c"], "y must hold numbers"),
        (None, "y is missing"),
    ],
)
def test_targets_are_checked_and_a_refusal_leaves_the_model_as_it_was(cls, y, message):
    model = cls().fit(np.eye(3), np.arange(3.0))
    before = pickle.dumps(vars(model))
    with pytest.raises(ValueError, match=message):
        model.fit(np.eye(3), y)
    assert pickle.dumps(vars(model)) == before
    with pytest.raises(ValueError, match="same length"):
        model.score(np.eye(3), [1.0])


@pytest.mark.parametrize("cls", REGRESSORS)
def test_regressors_work_inside_scikit_learn(cls):
    X, y = binary_sample(8, m=60)
    scores = cross_val_score(make_pipeline(StandardScaler(), cls()), X, X[:, 0] + y, cv=3, scoring="r2")
    assert scores.shape == (3,) and repr(clone(cls())) == f"{cls.__name__}()"


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
