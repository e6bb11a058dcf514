"""Edges of the ensembles: one try too many, a rule at exactly one half, draws that are refused."""

import numpy as np
import pytest

from mlcourse import AdaBoost, Bagging, DecisionStump, RandomForest, RandomForestRegressor
from mlcourse.ensembles import adaboost as boosting
from mlcourse.ensembles import random_forest
from mlcourse.ensembles.adaboost import adaboost, by_resampling
from mlcourse.ensembles.resampling import rejection_sample, weighted_sample
from mlcourse.ensembles.stagewise import coordinate_descent, least, regularised_boosting
from mlcourse.ensembles.voting import Constant, fitted_copy

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 2))
Y = np.where(X[:, 0] + RNG.normal(size=30) > 0, 1, -1)


def test_an_unlucky_draw_is_repeated_up_to_ten_times_in_all():
    draws = []

    def draw(D, size, rng):
        draws.append(size)
        return np.arange(size)

    class Wrong(DecisionStump):
        def predict(self, points):
            return -Y

    learn = by_resampling(Wrong(), X, Y, np.random.default_rng(0), draw)
    learn(np.full(30, 1 / 30))
    assert boosting.TRIES == 10 and draws == [30] * 10


def test_a_lucky_draw_is_not_repeated():
    draws = []

    def draw(D, size, rng):
        draws.append(size)
        return np.arange(size)

    by_resampling(DecisionStump(), X, Y, np.random.default_rng(0), draw)(np.full(30, 1 / 30))
    assert len(draws) == 1


def test_adaboost_stops_at_a_rule_no_better_than_a_coin_and_after_a_rule_without_a_mistake():
    y = np.array([1, 1, -1, -1])
    coin = adaboost(y, lambda D: ("h", np.array([1, -1, 1, -1])), max_iter=9)
    assert coin.converged is False and coin.n_steps == 0
    perfect = adaboost(y, lambda D: ("h", y), max_iter=9)
    assert perfect.converged is True and perfect.n_steps == 1
    assert (perfect.last.epsilon, perfect.last.alpha, perfect.last.Z) == (0.0, np.inf, 0.0)


def test_one_round_of_adaboost_by_hand():
    y = np.array([1, 1, 1, -1])
    run = adaboost(y, lambda D: ("h", np.array([1, 1, 1, 1])), max_iter=1)
    start, after = run.path
    assert start.D == pytest.approx([1 / 4] * 4) and (start.epsilon, start.alpha, start.Z) == (0.5, 0.0, 1.0)
    assert after.epsilon == pytest.approx(1 / 4) and after.alpha == pytest.approx(np.log(3) / 2)
    assert after.Z == pytest.approx(2 * np.sqrt(3 / 16))
    assert after.D == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2])


def test_margins_are_scores_over_the_sum_of_the_votes():
    model = AdaBoost(n_rounds=5).fit(X, Y)
    votes = sum(a * h.predict(X) for a, h in zip(model.alpha_, model.rules_, strict=True))
    margins = model.margins(X, Y)
    assert margins == pytest.approx(Y * votes / model.alpha_.sum())
    assert np.abs(margins).max() <= 1 + 1e-12


def test_a_rule_without_a_mistake_decides_alone():
    model = AdaBoost(n_rounds=9).fit([[0.0], [1.0], [2.0]], [-1, 1, 1])
    assert model.converged_ and (model.epsilon_, model.alpha_, model.Z_) == ([0.0], [1.0], [0.0])


def test_without_a_round_every_margin_is_zero():
    points, labels = np.zeros((4, 1)), np.array([1, -1, 1, -1])  # no stump is better than a coin
    model = AdaBoost(n_rounds=3).fit(points, labels)
    assert len(model.alpha_) == 0 and model.margins(points, labels).tolist() == [0.0] * 4


def test_coordinate_descent_by_hand():
    H, y = np.array([[1.0], [1.0], [1.0], [1.0]]), np.array([1, 1, 1, -1])
    run = coordinate_descent(H, y, max_iter=5)  # the first step is exact: the second finds no slope
    assert run.converged is True and run.n_steps == 1 and run.last == pytest.approx([np.log(3) / 2])
    perfect = coordinate_descent(y[:, None] * 1.0, y, max_iter=5)
    assert perfect.converged is False and perfect.n_steps == 0
    opposite = coordinate_descent(-y[:, None] * 1.0, y, max_iter=5)
    assert opposite.converged is False and opposite.n_steps == 0


def test_regularised_boosting_is_within_its_tolerance_of_the_best():
    H, y = np.array([[1.0, -1.0], [1.0, 1.0], [1.0, 1.0], [1.0, -1.0]]), np.array([1, 1, 1, -1])

    def weak_learner(D):
        edges = (D * y) @ H
        j = int(np.abs(edges).argmax())
        return j, np.sign(edges[j]) * H[:, j]

    run = regularised_boosting(y, weak_learner, 0.3, max_iter=10_000)
    assert run.converged and run.last.gap <= 1e-3
    grid = [(a, s * (0.3 - abs(a))) for a in np.linspace(-0.3, 0.3, 601) for s in (-1, 1)]
    best = min(np.log(np.mean(np.exp(-y * (H @ np.array(alpha))))) for alpha in grid)
    assert np.log(np.mean(np.exp(-y * run.last.f))) <= best + 1e-3


@pytest.mark.parametrize("draw", [rejection_sample, weighted_sample])
def test_draws_follow_the_weights_whatever_their_number(draw):
    D = np.array([0.0, 0.7, 0.1, 0.2])
    for size in (1, 7, 20_000):
        rows = draw(D, size, np.random.default_rng(size))
        assert len(rows) == size and not (rows == 0).any()
    shares = np.bincount(rows, minlength=4) / size
    assert np.abs(shares - D).max() < 0.015  # four standard errors


def test_a_sample_of_one_class_is_learned_as_a_constant():
    h = fitted_copy(DecisionStump(), X[:3], np.array([7, 7, 7]), np.random.default_rng(0))
    assert isinstance(h, Constant) and h.predict(X).tolist() == [7] * 30 and h.predict_proba(X).tolist() == [[1.0]] * 30
    assert h.classes_.tolist() == [7]
    assert fitted_copy(DecisionStump(), X[:1], np.array([7]), np.random.default_rng(0)).classes_.tolist() == [7]


def test_out_of_bag_with_a_single_member():
    model = Bagging(DecisionStump(), n_estimators=1, random_state=0).fit(X, Y)
    unseen = model.counts_[0] == 0
    out = model.out_of_bag(X)
    assert np.isnan(out[~unseen]).all() and not np.isnan(out[unseen]).any()
    error = np.mean(model.members_[0].predict(X[unseen]) != Y[unseen])
    assert model.out_of_bag_error(X, Y) == pytest.approx(error)


def test_a_forest_that_looks_at_one_feature_at_a_time_uses_them_all():
    wide = RNG.normal(size=(30, 9))
    forest = RandomForest(n_trees=60, max_features=1, random_state=0).fit(wide, Y)
    assert {int(h.tree_.feature[0]) for h in forest.members_} == set(range(9))


def test_a_forest_has_as_many_trees_as_asked_for_however_they_are_grown(monkeypatch):
    whole = RandomForest(n_trees=5, random_state=0).fit(X, Y)
    monkeypatch.setattr(random_forest, "TOGETHER", 60)  # two trees of thirty rows at a time
    parts = RandomForest(n_trees=5, random_state=0).fit(X, Y)
    assert len(whole.members_) == len(parts.members_) == 5 and parts.counts_.shape == (5, 30)
    assert (parts.counts_.sum(axis=1) == 30).all()


def test_a_forest_looks_at_the_root_of_the_number_of_features_a_regression_forest_at_a_third():
    assert [RandomForest()._default_features(d) for d in (1, 2, 3, 4, 9, 12, 13)] == [1, 1, 2, 2, 3, 3, 4]
    assert [RandomForestRegressor()._default_features(d) for d in (1, 2, 3, 5, 6, 9)] == [1, 1, 1, 1, 2, 3]


def test_the_least_point_of_a_convex_function_on_the_unit_interval():
    for c, expected in ((-0.5, 0.0), (0.25, 0.25), (1.5, 1.0)):
        assert least(lambda t, c=c: (t - c) ** 2) == pytest.approx(expected, abs=1e-5)


def test_a_tree_of_a_forest_sees_a_few_features_and_never_more_than_there_are():
    for model in (RandomForest, RandomForestRegressor):
        wide = np.random.default_rng(3).normal(size=(100, 9))
        roots = [h.tree_.feature[0] for h in model(n_trees=200, random_state=0).fit(wide, np.sign(wide[:, 0])).members_]
        assert 0.2 < np.mean(np.equal(roots, 0)) < 0.5  # it is one of three out of nine
        model(n_trees=2, max_features=9).fit(wide, np.sign(wide[:, 0]))
        with pytest.raises(ValueError, match="max_features"):
            model(n_trees=2, max_features=10).fit(wide, np.sign(wide[:, 0]))


def test_a_leaf_that_its_features_cannot_split_looks_at_the_others():
    useful = np.column_stack([np.zeros(30), X[:, 0]])  # the first column is constant
    forest = RandomForest(n_trees=20, max_features=1, random_state=0).fit(useful, np.sign(X[:, 0]))
    assert all(h.tree_.feature[0] == 1 for h in forest.members_)
