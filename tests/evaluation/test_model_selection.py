"""Choices: the stated candidate wins, nothing is seen that should not be, and the model is trained on everything."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.metrics import confusion_matrix as their_confusion
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from mlcourse import KNearestNeighbors, LogisticRegression, Ridge
from mlcourse.arguments.errors import NotFittedError
from mlcourse.data import Moons
from mlcourse.evaluation import (
    Tuned,
    confusion_matrix,
    cross_validate,
    error_rate,
    grid,
    grid_search,
    group_k_fold,
    hold_out,
    k_fold,
    learning_curve,
    least_risk,
    nested_cross_validation,
    one_standard_error,
    precision,
    recall,
    select,
    stratified_k_fold,
    validation_curve,
)
from mlcourse.losses import absolute

LOG = []  # what every copy of the spy did: ("fit" or "predict", theta, rows)


class Spy:
    """Predicts its parameter; logs the rows it sees."""

    def __init__(self, theta=0.0):
        self.theta = theta

    def set_params(self, theta):
        self.theta = theta
        return self

    def fit(self, X, y):
        LOG.append(("fit", self.theta, {*X[:, 0]}))
        return self

    def predict(self, X):
        LOG.append(("predict", self.theta, {*X[:, 0]}))
        return np.full(len(X), self.theta)


@pytest.fixture(autouse=True)
def empty_log():
    LOG.clear()


@pytest.mark.algorithm("alg-validation")
def test_validation_trains_compares_and_trains_again_on_everything():
    X, y = np.arange(12.0)[:, None], np.full(12, 2.2)
    [(train, develop)] = hold_out(12, 4, np.random.default_rng(0))
    thetas = [0.0, 1.0, 2.0, 3.0]
    h, search = select(Spy(), grid(theta=thetas), X, y, [(train, develop)])
    assert search.best == {"theta": 2.0} and h.theta == 2.0
    assert np.allclose(search.risk, (np.array(thetas) - 2.2) ** 2)
    expected = [
        (what, theta, set(map(float, rows)))
        for theta in thetas
        for what, rows in (("fit", train), ("predict", develop))
    ]
    assert LOG == [*expected, ("fit", 2.0, set(map(float, range(12))))]


@pytest.mark.algorithm("alg-nested")
def test_inner_folds_never_see_the_outer_test_fold():
    X, y = np.arange(30.0)[:, None], np.random.default_rng(1).normal(size=30)
    folds = k_fold(30, 5, np.random.default_rng(2))
    nested_cross_validation(Spy(), grid(theta=[0.0, 1.0, 2.0]), X, y, folds, n_inner=4, random_state=3)
    calls = iter(LOG)
    for train, test in folds:
        train, test = set(map(float, train)), set(map(float, test))
        for _ in range(3 * 4):
            (fit, theta, rows), (predict, same, tested) = next(calls), next(calls)
            assert (fit, predict, theta) == ("fit", "predict", same)
            assert rows | tested == train and not rows & tested
        (_, theta, rows), (_, same, tested) = next(calls), next(calls)
        assert rows == train and tested == test and theta == same
    assert next(calls, None) is None


def test_nested_is_the_cross_validation_of_the_tuned_algorithm():
    X, y = Moons(noise=0.3).sample(60, np.random.default_rng(3))
    folds, candidates = k_fold(60, 3, np.random.default_rng(4)), grid(k=[1, 5, 15])
    tuned = Tuned(KNearestNeighbors(), candidates, n_folds=4, random_state=5)
    nested = nested_cross_validation(KNearestNeighbors(), candidates, X, y, folds, 4, random_state=5)
    assert np.array_equal(nested.risks, cross_validate(tuned, X, y, folds).risks)
    for (train, test), risk in zip(folds, nested.risks, strict=True):
        inner = k_fold(len(train), 4, np.random.default_rng(5))
        best = grid_search(KNearestNeighbors(), candidates, X[train], y[train], inner).best
        h = KNearestNeighbors(**best).fit(X[train], y[train])
        assert np.isclose(risk, error_rate(y[test], h.predict(X[test])))


def test_loss_and_rule_reach_the_inner_and_the_outer_folds():
    # the absolute loss prefers the median, the square loss the mean
    X, y, candidates = np.zeros((12, 1)), np.repeat([0.0, 10.0], [8, 4]), grid(theta=[3.3, 0.0])
    folds = [(np.delete(np.arange(12), part), part) for part in np.arange(12).reshape(4, 3).T]
    assert Tuned(Spy(), candidates, 4, random_state=0).fit(X, y).model_.theta == 3.3
    assert Tuned(Spy(), candidates, 4, loss=absolute, random_state=0).fit(X, y).model_.theta == 0.0
    by_median = nested_cross_validation(Spy(), candidates, X, y, folds, 4, loss=absolute, random_state=0)
    assert np.allclose(by_median.in_order(by_median.losses), y)
    worst = nested_cross_validation(Spy(), candidates, X, y, folds, 4, lambda risks: risks.mean(axis=1).argmax())
    assert np.allclose(worst.in_order(worst.predictions), 0.0)


def test_tuned_is_an_estimator():
    rng = np.random.default_rng(6)
    X, y = Moons(noise=0.3).sample(80, rng)
    tuned = Tuned(KNearestNeighbors(), grid(k=[1, 9]), n_folds=4, random_state=0)
    assert not hasattr(tuned, "classes_") and not hasattr(tuned, "predict_proba")
    for call in (tuned.predict, lambda X: tuned.score(X, y), lambda X: tuned.predict_proba(X)):
        with pytest.raises(NotFittedError):
            call(X)
    assert tuned.fit(X, y) is tuned and tuned.get_params()["model__k"] == 1
    assert np.array_equal(tuned.predict(X), KNearestNeighbors(**tuned.search_.best).fit(X, y).predict(X))
    assert tuned.classes_.tolist() == [-1, 1] and tuned.n_features_in_ == 2
    simplest = Tuned(Ridge(), grid(lam=[1e3, 1.0]), rule=lambda risks: 0, random_state=0).fit(X, y * 1.0)
    assert simplest.model_.lam == 1e3 and not hasattr(simplest, "classes_")


def test_a_failed_fit_leaves_the_tuned_model_as_it_was():
    X, y = Moons(noise=0.3).sample(40, np.random.default_rng(7))
    tuned = Tuned(KNearestNeighbors(), grid(k=[3]), random_state=0).fit(X, y)
    before = dict(vars(tuned))
    with pytest.raises(ValueError, match="n_folds"):
        tuned.fit(X[:3], y[:3])
    assert vars(tuned) == before
    tuned.rule = lambda risks: len(risks)  # out of range: the search succeeds, the choice fails
    with pytest.raises(IndexError):
        tuned.fit(X + 1, y)
    assert {**vars(tuned), "rule": before["rule"]} == before
    first = Tuned(KNearestNeighbors(), grid(k=[90]), random_state=0)
    with pytest.raises(ValueError, match="at most the number of training points"):
        first.fit(X, y)
    assert not hasattr(first, "model_") and not hasattr(first, "classes_")


OURS_AND_THEIRS = pytest.mark.parametrize(
    "model, candidates, method",
    [
        (KNearestNeighbors(), grid(k=[1, 9]), "predict_proba"),
        (LogisticRegression(), grid(lam=[0.01, 1.0]), "predict_proba"),
        (KNeighborsClassifier(), grid(n_neighbors=[1, 9]), "predict_proba"),
        (make_pipeline(StandardScaler(), TheirLogistic()), grid(logisticregression__C=[0.1, 1.0]), "decision_function"),
        (Ridge(), grid(lam=[0.01, 1.0]), None),
        (TheirRidge(), grid(alpha=[0.1, 10.0]), None),
    ],
)


@OURS_AND_THEIRS
def test_tuned_works_with_our_models_and_theirs_in_their_tools(model, candidates, method):
    X, y = Moons(noise=0.3).sample(90, np.random.default_rng(11))
    tuned = Tuned(model, candidates, n_folds=3, random_state=0)
    assert is_classifier(tuned) == is_classifier(model) and is_regressor(tuned) == is_regressor(model)
    folds = k_fold(90, 4, np.random.default_rng(12))
    scores = cross_val_score(tuned, X, y, cv=folds)
    piped = cross_val_score(make_pipeline(StandardScaler(), tuned), X, y, cv=folds, error_score="raise")
    assert scores.shape == piped.shape == (4,) and np.isfinite(piped).all()
    for (train, test), score in zip(folds, scores, strict=True):
        h = clone(tuned).fit(X[train], y[train])
        y_hat = h.predict(X[test])
        right = np.mean(y_hat == y[test])
        determined = 1 - np.sum((y[test] - y_hat) ** 2) / np.sum((y[test] - y[test].mean()) ** 2)
        assert np.isclose(score, right if is_classifier(model) else determined)
    for name in ("predict_proba", "decision_function"):
        assert hasattr(h, name) == hasattr(h.model_, name)
    if method is not None:
        assert np.array_equal(getattr(h, method)(X), getattr(h.model_, method)(X))
        assert np.array_equal(h.classes_, [-1, 1])
    for twin in (copy.deepcopy(h), pickle.loads(pickle.dumps(h))):
        assert np.array_equal(twin.predict(X), h.predict(X))
    search = GridSearchCV(tuned, {"n_folds": [2, 3]}, cv=folds).fit(X, y)
    assert search.best_params_["n_folds"] in (2, 3)


def test_candidates_may_be_models_and_stay_unfitted():
    X, y = Moons(noise=0.3).sample(60, np.random.default_rng(13))
    choices = [KNearestNeighbors(k=1), LogisticRegression()]
    pipe = make_pipeline(StandardScaler(), KNearestNeighbors())
    h, search = select(pipe, grid(knearestneighbors=choices), X, y, k_fold(60, 3, np.random.default_rng(14)))
    assert search.best["knearestneighbors"] in choices and h.score(X, y) > 0.8
    assert not any(hasattr(model, "classes_") for model in choices)


def test_grid_search_agrees_with_scikit_learn():
    X, y = Moons(noise=0.35).sample(90, np.random.default_rng(8))
    folds, ks = k_fold(90, 6, np.random.default_rng(9)), [1, 3, 5, 11]
    ours = grid_search(KNearestNeighbors(), grid(k=ks), X, y, folds)
    theirs = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": ks}, cv=folds).fit(X, y)
    assert np.allclose(1 - ours.risk, theirs.cv_results_["mean_test_score"])
    assert ours.best["k"] == theirs.best_params_["n_neighbors"]
    pipe = make_pipeline(StandardScaler(), TheirLogistic())
    found = grid_search(pipe, grid(logisticregression__C=[0.1, 1.0]), X, y, folds)  # their pipelines work too
    assert found.risks.shape == (2, 6)


def test_grids():
    by_two = grid(a=[1, 2], b=["x", "y"])
    assert by_two == [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"}]
    assert grid() == [{}]
    assert grid(a=iter([1, 2])) == [{"a": 1}, {"a": 2}]
    for nothing in ([], 3, "newton"):  # a string is one value, not a list of letters
        with pytest.raises(ValueError, match="values of b"):
            grid(a=[1], b=nothing)
    for call in (grid_search, validation_curve):
        with pytest.raises(ValueError, match="at least one of the candidates"):
            call(Ridge(), [], np.zeros((4, 1)), np.zeros(4), k_fold(4, 2))
        with pytest.raises(ValueError, match="candidates must be a list"):
            call(Ridge(), None, np.zeros((4, 1)), np.zeros(4), k_fold(4, 2))
        with pytest.raises(ValueError, match="a dictionary of parameters"):
            call(Ridge(), {"lam": [1.0]}, np.zeros((4, 1)), np.zeros(4), k_fold(4, 2))


@pytest.mark.algorithm("alg-one-standard-error")
@pytest.mark.parametrize("seed", range(30))
def test_one_standard_error_takes_the_first_candidate_in_the_band(rng):
    risks = rng.random((12, 6)) + rng.random((12, 1))
    chosen, best, mean = one_standard_error(risks), least_risk(risks), risks.mean(axis=1)
    error = risks[best].std(ddof=1) / np.sqrt(6)
    assert mean[best] == mean.min() and chosen <= best
    assert mean[chosen] <= mean[best] + error and (mean[:chosen] > mean[best] + error).all()


def test_ties_go_to_the_first_and_one_fold_has_no_band():
    assert least_risk(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])) == 0
    assert one_standard_error(np.array([[0.3], [0.2], [0.2]])) == 1


def test_curves_are_errors_of_models_trained_on_the_first_examples():
    rng = np.random.default_rng(10)
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    folds = k_fold(40, 4, rng)
    train, test = learning_curve(Ridge(lam=0.1), X, y, [5, 30], folds)
    assert train.shape == test.shape == (2, 4)
    for (rows, tested), a, b in zip(folds, train[0], test[0], strict=True):
        h = Ridge(lam=0.1).fit(X[rows[:5]], y[rows[:5]])
        assert np.isclose(a, np.mean((y[rows[:5]] - h.predict(X[rows[:5]])) ** 2))
        assert np.isclose(b, np.mean((y[tested] - h.predict(X[tested])) ** 2))
    by_parameter = validation_curve(Ridge(), grid(lam=[0.1, 5.0]), X, y, folds)
    assert np.allclose(by_parameter[0][0], train[1]) and np.allclose(by_parameter[1][0], test[1])
    for sizes, message in [
        ([31], "at most 30"),
        ([0], "size must be"),
        ([], "at least one of the sizes"),
        (3, "sizes must be a list"),
    ]:
        with pytest.raises(ValueError, match=message):
            learning_curve(Ridge(), X, y, sizes, folds)


def test_learning_curves_on_sorted_samples():
    # the first examples of a training part are a sample of it, also where the labels are sorted
    X, y = np.random.default_rng(15).normal(size=(90, 2)), np.repeat([0, 1, 2], 30)
    for folds in (
        k_fold(90, 3, np.random.default_rng(16)),
        stratified_k_fold(y, 3, np.random.default_rng(16)),
        group_k_fold(np.arange(90) // 2, 3, np.random.default_rng(16)),
    ):
        assert all(len(np.unique(y[train[:20]])) == 3 for train, _ in folds)
        learning_curve(KNearestNeighbors(k=1), X, y, [20], folds)


def test_metrics_count_errors():
    y, y_hat = np.array([1, 1, 1, -1, -1, -1, -1]), np.array([1, 1, -1, -1, -1, 1, 1])
    assert np.array_equal(confusion_matrix(y, y_hat), [[2, 2], [1, 2]])
    assert np.isclose(error_rate(y, y_hat), 3 / 7)
    assert np.isclose(recall(y, y_hat), 2 / 3) and np.isclose(precision(y, y_hat), 2 / 4)
    assert np.isclose(recall(y, y_hat, positive=-1), 2 / 4) and np.isclose(precision(y, y_hat, positive=-1), 2 / 3)
    assert precision(y, -np.ones(7), positive=1) == 1 and recall(y[:3], y[:3], positive=7) == 1
    table = confusion_matrix(np.array(list("abca")), np.array(list("bbcc")), classes=list("cab"))
    assert np.array_equal(table, [[1, 0, 0], [1, 0, 1], [0, 0, 1]]) and table.sum() == 4
    with pytest.raises(ValueError, match="one of the classes"):
        confusion_matrix(y, y_hat, classes=[1])
    with pytest.raises(ValueError, match="same length"):
        error_rate(y, y_hat[:2])
    with pytest.raises(ValueError, match="at least one"):
        error_rate([], [])
    for seed in range(10):
        rng = np.random.default_rng(seed)
        y, y_hat = rng.choice(["c", "a", "b"], size=(2, 30))
        order = rng.permutation(["a", "b", "c", "d"])  # also a class that does not occur
        assert np.array_equal(confusion_matrix(y, y_hat, order), their_confusion(y, y_hat, labels=order))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: error_rate(["a", "b"], [0, 1]), "strings are compared"),  # all wrong, or all right but encoded?
        (lambda: error_rate([np.nan, 1.0], [1.0, 1.0]), "finite"),
        (lambda: error_rate(1, 1), "1d array"),
        (lambda: precision(["a", "b"], ["a", "a"]), "strings are compared"),  # positive=1 never occurs
        (lambda: recall([0, 1], [0, 1], positive=[0, 1]), "a label must be"),
        (lambda: precision(np.array([1, "a"], dtype=object), [1, 1]), "mixes"),
        (lambda: confusion_matrix([0, 1], [0, 1], classes=[0, 1, 1]), "different"),
        (lambda: confusion_matrix([0, 1], [0, 1], classes=[]), "one of the classes"),
        (lambda: confusion_matrix([0, 1], [0, 1], classes=[[0, 1]]), "a label must be"),
        (lambda: confusion_matrix([0, 1], [0, 1], classes=["0", "1"]), "strings are compared"),
    ],
)
def test_labels_that_cannot_be_compared(call, message):
    with pytest.raises(ValueError, match=message):
        call()


NOT_NUMBERS = [[[np.nan, 1.0]], [[0.1, 0.2], [np.nan, 0.0]], [[1], [1, 2]], [["a"]], None]
NO_MATRIX = [[], [0.1, 0.2], 3.0, np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((1, 2, 2))]


@pytest.mark.parametrize("risks", NOT_NUMBERS + NO_MATRIX)
def test_risks_must_be_a_matrix_of_numbers(risks):
    for rule in (least_risk, one_standard_error):
        with pytest.raises(ValueError, match="risks must be"):
            rule(risks)


@pytest.mark.filterwarnings("error")
def test_infinite_risks_are_never_preferred_and_have_an_infinite_error():
    assert least_risk([[np.inf, 0.0], [1.0, 2.0]]) == one_standard_error([[np.inf, 0.0], [1.0, 2.0]]) == 1
    assert one_standard_error(np.full((3, 2), np.inf)) == 0


@pytest.mark.parametrize("measure", [error_rate, confusion_matrix, precision, recall])
def test_strings_are_not_compared_with_numbers_even_in_samples_of_one(measure):
    for y, y_hat in ((["a"], [1]), ([1], ["a"]), (["a", "b"], [1, 2]), ([1, 2], ["a", "b"])):
        with pytest.raises(ValueError, match="strings"):
            measure(y, y_hat)


def test_one_standard_error_is_allowed_with_equality():
    risks = np.array([[0.75, 0.75], [0.5, 0.5], [0.25, 0.75], [0.0, 0.5]])  # the last: 1/4, and its standard error 1/4
    assert one_standard_error(risks) == 1
    assert one_standard_error(risks[[0, 3]]) == 1
