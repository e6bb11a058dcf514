"""Edges of the ensembles: one try too many, a rule at exactly one half, draws that are refused."""

import numpy as np
import pytest

from mlcourse import Bagging, DecisionStump, RandomForest
from mlcourse.ensembles import random_forest
from mlcourse.ensembles.adaboost import adaboost, by_resampling
from mlcourse.ensembles.stagewise import coordinate_descent, least

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 2))
Y = np.where(X[:, 0] + RNG.normal(size=30) > 0, 1, -1)


class Wrong(DecisionStump):
    """Errs on every example."""

    def predict(self, points):
        return -Y


@pytest.mark.parametrize("base, tries", [(DecisionStump(), 1), (Wrong(), 10)])
def test_an_unlucky_draw_is_repeated_up_to_ten_times_in_all_and_a_lucky_one_is_not(base, tries):
    draws = []

    def draw(D, size, rng):
        draws.append(size)
        return np.arange(size)

    by_resampling(base, X, Y, np.random.default_rng(0), draw)(np.full(30, 1 / 30))
    assert draws == [30] * tries


def test_adaboost_stops_at_a_rule_no_better_than_a_coin_and_after_a_rule_without_a_mistake():
    y = np.array([1, 1, -1, -1])
    coin = adaboost(y, lambda D: ("h", np.array([1, -1, 1, -1])), max_iter=9)
    assert coin.converged is False and coin.n_steps == 0
    perfect = adaboost(y, lambda D: ("h", y), max_iter=9)
    assert perfect.converged is True and perfect.n_steps == 1
    assert (perfect.last.epsilon, perfect.last.alpha, perfect.last.Z) == (0.0, np.inf, 0.0)


def test_coordinate_descent_by_hand():
    H, y = np.array([[1.0], [1.0], [1.0], [1.0]]), np.array([1, 1, 1, -1])
    run = coordinate_descent(H, y, max_iter=5)  # the first step is exact: the second finds no slope
    assert run.converged is True and run.n_steps == 1 and run.last == pytest.approx([np.log(3) / 2])
    perfect = coordinate_descent(y[:, None] * 1.0, y, max_iter=5)
    assert perfect.converged is False and perfect.n_steps == 0
    opposite = coordinate_descent(-y[:, None] * 1.0, y, max_iter=5)
    assert opposite.converged is False and opposite.n_steps == 0


def test_out_of_bag_with_a_single_member():
    model = Bagging(DecisionStump(), n_estimators=1, random_state=0).fit(X, Y)
    unseen = model.counts_[0] == 0
    out = model.out_of_bag(X)
    assert np.isnan(out[~unseen]).all() and not np.isnan(out[unseen]).any()
    error = np.mean(model.members_[0].predict(X[unseen]) != Y[unseen])
    assert model.out_of_bag_error(X, Y) == pytest.approx(error)


def test_a_forest_has_as_many_trees_as_asked_for_however_they_are_grown(monkeypatch):
    whole = RandomForest(n_trees=5, random_state=0).fit(X, Y)
    monkeypatch.setattr(random_forest, "TOGETHER", 60)  # two trees of thirty rows at a time
    parts = RandomForest(n_trees=5, random_state=0).fit(X, Y)
    assert len(whole.members_) == len(parts.members_) == 5 and parts.counts_.shape == (5, 30)
    assert (parts.counts_.sum(axis=1) == 30).all()


def test_the_least_point_of_a_convex_function_on_the_unit_interval():
    for c, expected in ((-0.5, 0.0), (0.25, 0.25), (1.5, 1.0)):
        assert least(lambda t, c=c: (t - c) ** 2) == pytest.approx(expected, abs=1e-5)
