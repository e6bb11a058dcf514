"""Forests are bags of trees whose leaves see a few random features; without randomness they are the tree itself."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare
from sklearn.ensemble import RandomForestClassifier
from sklearn.ensemble import RandomForestRegressor as SklearnRegressor

from mlcourse import AdaBoost, DecisionTree, RandomForest, RandomForestRegressor, RegressionTree
from mlcourse.ensembles import forest_growth, random_forest
from mlcourse.models.trees.criteria import CRITERIA


def sample(seed, m=60, d=4, values=None, k=2):
    """Points, labels 0..k-1 and targets; few values make many ties."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d)) if values is None else rng.integers(values, size=(m, d)).astype(float)
    score = X[:, 0] - X[:, -1] + rng.normal(size=m)
    return X, (np.argsort(np.argsort(score)) * k // m), score


def same_trees(one, two):
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(two, field.name)
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12, err_msg=field.name)


# --- without randomness ----------------------------------------------------------------------------
@settings(max_examples=60, deadline=None)
@given(
    m=st.integers(2, 40),
    d=st.integers(1, 4),
    values=st.sampled_from([None, 2, 5]),
    k=st.integers(2, 4),
    criterion=st.sampled_from(sorted(CRITERIA)),
    max_depth=st.sampled_from([None, 1, 3]),
    min_leaf=st.sampled_from([1, 4]),
    seed=st.integers(0, 999),
)
def test_with_all_features_and_no_bootstrap_every_tree_is_the_tree(
    m, d, values, k, criterion, max_depth, min_leaf, seed
):
    X, y, score = sample(seed, m, d, values, min(k, m))
    grow = {"max_depth": max_depth, "min_leaf": min_leaf}
    forest = RandomForest(3, d, criterion, bootstrap=False, **grow).fit(X, y)
    tree = DecisionTree(criterion, **grow).fit(X, y)
    real = RandomForestRegressor(3, d, bootstrap=False, **grow).fit(X, score)
    reference = RegressionTree(**grow).fit(X, score)
    for h, g in zip(forest.members_, real.members_, strict=True):
        same_trees(h.tree_, tree.tree_)
        same_trees(g.tree_, reference.tree_)
    assert np.array_equal(forest.predict(X), tree.predict(X))
    np.testing.assert_allclose(real.predict(X), reference.predict(X))


@pytest.mark.parametrize("values", [None, 3])
@pytest.mark.parametrize("seed", range(4))
def test_with_all_features_a_tree_of_the_forest_is_the_tree_of_its_bootstrap_sample(seed, values):
    X, y, score = sample(seed, values=values)
    forest, real = (cls(4, 4, random_state=seed) for cls in (RandomForest, RandomForestRegressor))
    for h, count in zip(forest.fit(X, y).members_, forest.counts_, strict=True):
        rows = np.repeat(np.arange(60), count)
        same_trees(h.tree_, DecisionTree().fit(X[rows], y[rows]).tree_)
    for h, count in zip(real.fit(X, score).members_, real.counts_, strict=True):
        rows = np.repeat(np.arange(60), count)
        same_trees(h.tree_, RegressionTree().fit(X[rows], score[rows]).tree_)


@pytest.mark.parametrize("together", [1, 60, 180, 10**6])
def test_it_does_not_matter_how_many_trees_grow_together_if_nothing_is_random(together, monkeypatch):
    monkeypatch.setattr(random_forest, "TOGETHER", together)
    X, y, _ = sample(5)
    for h in RandomForest(7, 4, bootstrap=False).fit(X, y).members_:
        same_trees(h.tree_, DecisionTree().fit(X, y).tree_)


# --- the random features ---------------------------------------------------------------------------
def test_every_node_splits_by_the_best_of_its_features():
    """With one feature to choose from, each node's cut is the best one of that feature on its examples."""
    X, y, _ = sample(6, m=80)
    for h, count in zip((forest := RandomForest(5, 1, random_state=1).fit(X, y)).members_, forest.counts_, strict=True):
        rows = np.repeat(np.arange(80), count)
        tree, at = h.tree_, {0: rows}
        for t in range(len(tree)):
            i, j = at[t], tree.feature[t]
            assert np.array_equal(tree.total[t], np.bincount(y[i], minlength=2)) and tree.count[t] == len(i)
            if j < 0:
                assert len(np.unique(y[i])) == 1
                continue
            best = DecisionTree(max_depth=1).fit(X[i][:, [j]], y[i]).tree_
            assert np.isclose(tree.threshold[t], best.threshold[0])
            assert np.isclose(tree.decrease[t] * 80, best.decrease[0] * len(i))
            right = X[i, j] > tree.threshold[t]
            at[tree.left[t]], at[tree.right[t]] = i[~right], i[right]


def test_features_are_drawn_equally_often_and_ties_favour_none(rng):
    """Copies of one feature: each is as likely as any other to split the root, whatever the number drawn."""
    X, y = np.tile(rng.normal(size=(30, 1)), (1, 5)), rng.integers(2, size=30)
    for n_chosen in (1, 2, 4):
        forest = RandomForest(1000, n_chosen, max_depth=1, random_state=n_chosen).fit(X, y)
        assert chisquare(np.bincount([h.tree_.feature[0] for h in forest.members_], minlength=5)).pvalue > 1e-3


@pytest.mark.parametrize("d, root, third", [(1, 1, 1), (2, 1, 1), (5, 2, 1), (9, 3, 3), (13, 4, 4)])
def test_by_default_a_leaf_draws_the_root_of_d_or_a_third_of_the_features(d, root, third):
    X, y, score = sample(0, m=40, d=d)
    for cls, target, n in [(RandomForest, y, root), (RandomForestRegressor, score, third)]:
        models = [cls(5, n_chosen, random_state=0).fit(X, target) for n_chosen in (None, n)]
        assert np.array_equal(*(model.predict(X) for model in models))
        for one, two in zip(*(model.members_ for model in models), strict=True):
            same_trees(one.tree_, two.tree_)


def test_leaves_draw_independently():
    """Two leaves of a level choose the same feature as often as chance would have it."""
    rng = np.random.default_rng(1)
    X = np.column_stack([np.repeat([0.0, 1.0], 20), np.zeros((40, 3)) + rng.normal(size=(40, 1))])  # copies
    y = rng.integers(2, size=40)
    forest = RandomForest(500, 1, max_depth=2, random_state=0).fit(X, y)
    pairs = [h.tree_.feature[[h.tree_.left[0], h.tree_.right[0]]] for h in forest.members_ if h.tree_.feature[0] == 0]
    pairs = np.array([pair for pair in pairs if (pair > 0).all()])
    assert binomtest(int((pairs[:, 0] == pairs[:, 1]).sum()), len(pairs), 1 / 3).pvalue > 1e-3


def test_if_no_feature_drawn_can_split_a_leaf_others_are_tried(rng):
    X = np.column_stack([np.ones((50, 9)), rng.normal(size=50)])
    y = rng.integers(2, size=50)
    forest = RandomForest(20, 1, bootstrap=False, random_state=0).fit(X, y)
    assert forest.score(X, y) == 1
    tree = DecisionTree().fit(X, y).tree_
    for h in forest.members_:
        same_trees(h.tree_, tree)


def test_depth_and_leaf_size_are_kept():
    X, y, score = sample(8, m=300)
    for forest, target in [(RandomForest, y), (RandomForestRegressor, score)]:
        assert max(h.depth_ for h in forest(5, max_depth=3, random_state=0).fit(X, target).members_) == 3
        model = forest(5, min_leaf=20, random_state=0).fit(X, target)
        for h, count in zip(model.members_, model.counts_, strict=True):
            assert np.bincount(h.apply(X), count > 0)[h.tree_.left < 0].min() >= 20


# --- reading ---------------------------------------------------------------------------------------
def test_shares_are_averaged_and_members_answer_in_the_labels_of_the_sample():
    X, y, score = sample(9, k=3)
    names = np.array(["x", "y", "z"])[y]
    forest = RandomForest(8, max_depth=3, random_state=0).fit(X, names)
    np.testing.assert_allclose(forest.predict_proba(X), np.mean([h.predict_proba(X) for h in forest.members_], axis=0))
    assert set(forest.members_[0].predict(X)) <= {"x", "y", "z"} and "x1 <= " in forest.members_[0].text()
    real = RandomForestRegressor(8, random_state=0).fit(X, score)
    np.testing.assert_allclose(real.predict(X), np.mean([h.predict(X) for h in real.members_], axis=0))


def test_leaves_of_regression_hold_the_mean_of_their_examples():
    X, _, score = sample(10, m=100)
    forest = RandomForestRegressor(5, min_leaf=10, random_state=0).fit(X, score)
    for h, count in zip(forest.members_, forest.counts_, strict=True):
        rows = np.repeat(np.arange(100), count)
        leaf = h.apply(X)
        for v in np.unique(leaf):
            assert np.isclose(h.value_[v], score[rows[leaf[rows] == v]].mean())
    shifted = RandomForestRegressor(5, min_leaf=10, random_state=0).fit(X, 1e9 + score)
    np.testing.assert_allclose(shifted.predict(X) - 1e9, forest.predict(X), atol=1e-5)


def test_importances_are_shares_of_the_decrease():
    X, y, score = sample(11, m=300, d=5)
    for forest, target, other in [
        (RandomForest(60, 2, random_state=0), y, RandomForestClassifier(60, max_features=2, random_state=0)),
        (RandomForestRegressor(60, 2, random_state=0), score, SklearnRegressor(60, max_features=2, random_state=0)),
    ]:
        importances = forest.fit(X, target).importances_
        assert np.isclose(importances.sum(), 1) and (importances >= 0).all()
        np.testing.assert_allclose(importances, other.fit(X, target).feature_importances_, atol=0.02)
    assert np.array_equal(RandomForestRegressor(3).fit(X, np.ones(300)).importances_, np.zeros(5))


def test_large_targets_are_refused_and_sizes_are_told():
    with pytest.raises(ValueError, match="at most 1e150"):
        RandomForestRegressor(2).fit([[0.0], [1.0]], [0.0, 1e200])
    with pytest.raises(ValueError, match="not fitted yet"):
        _ = RandomForest().importances_


@pytest.mark.parametrize("X, y", [([[0.0], [1.0]], [0, 1]), (np.ones((6, 3)), [0, 1, 0, 1, 1, 1])], ids=str)
def test_small_and_constant_samples(X, y):
    forest = RandomForest(30, random_state=0).fit(X, y)
    np.testing.assert_allclose(forest.predict_proba(X).sum(axis=1), 1)
    assert np.isfinite(RandomForestRegressor(30, random_state=0).fit(X, y).predict(X)).all()


def test_places_are_sorted_alike_as_large_and_as_small_numbers(monkeypatch):
    X, y, _ = sample(12, m=40)
    small = RandomForest(4, random_state=0).fit(X, y)
    monkeypatch.setattr(forest_growth, "SMALL", 0)
    for one, two in zip(small.members_, RandomForest(4, random_state=0).fit(X, y).members_, strict=True):
        same_trees(one.tree_, two.tree_)


# --- beside others ---------------------------------------------------------------------------------
def test_a_forest_may_be_boosted():
    X, y, _ = sample(13, m=100)
    model = AdaBoost(RandomForest(5, max_depth=1), n_rounds=5, resample=True, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.7


def test_importances_leave_out_trees_without_a_split(rng):
    """Shares in each tree that splits, then their mean: recomputed from the nodes of the trees."""
    assert RandomForest(200, random_state=0).fit([[0.0], [1.0]], [0, 1]).importances_ == 1
    X, y = rng.normal(size=(20, 3)), np.arange(20) == 0
    forest, shares = RandomForest(100, random_state=0).fit(X, y), []
    for h in forest.members_:
        gain = np.array([h.tree_.decrease[h.tree_.feature == j].sum() for j in range(3)])
        shares += [gain / gain.sum()] if gain.sum() > 0 else []
    assert 0 < len(shares) < 100
    assert np.allclose(forest.importances_, np.mean(shares, axis=0))
