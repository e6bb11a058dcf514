"""Shuffling a column raises the risk by what the model loses without it."""

import numpy as np
import pytest

from mlcourse import DecisionStump, LinearRegression, RandomForest
from mlcourse.evaluation import permutation_importance


def test_only_the_columns_that_a_rule_looks_at_matter(rng):
    X, y = rng.normal(size=(300, 4)), rng.choice([-1, 1], size=300)
    y = np.where(X[:, 2] > 0, 1, y)
    h, before = DecisionStump().fit(X, y), X.copy()
    increase = permutation_importance(h, X, y, n_repeats=20, rng=0)
    assert increase.shape == (4, 20) and (np.delete(increase, h.feature_, axis=0) == 0).all()
    votes = h.predict(X)  # a shuffled vote is right by chance: as often as two independent labels agree
    chance = np.mean(votes[:, None] != y)
    assert np.isclose(increase[h.feature_].mean(), chance - np.mean(votes != y), atol=0.02)
    assert np.array_equal(X, before)


def test_the_increase_of_the_square_loss_is_twice_the_variance_of_the_term():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 3)) * [1.0, 2.0, 3.0]
    y = X @ [1.0, 1.0, 0.0] + rng.normal(size=3000)
    h = LinearRegression().fit(X, y)
    increase = permutation_importance(h, X, y, n_repeats=10, rng=1).mean(axis=1)
    np.testing.assert_allclose(increase, 2 * (h.w_ * X.std(axis=0)) ** 2, rtol=0.1, atol=0.01)


def test_a_feature_with_many_values_looks_important_to_impurity_only():
    """Noise with many values against a useful feature with two: the bias of the decrease of the criterion."""
    rng = np.random.default_rng(2)
    useful, noise = rng.integers(2, size=1200), rng.normal(size=1200)
    y = np.where(rng.random(1200) < 0.3, 1 - useful, useful)
    X = np.column_stack([useful, noise])
    forest = RandomForest(50, random_state=0).fit(X[:600], y[:600])
    assert forest.importances_[1] > 0.5 > forest.importances_[0]
    first, second = permutation_importance(forest, X[600:], y[600:], rng=0).mean(axis=1)
    assert first > 0.1 > 3 * abs(second)


def test_bad_arguments_are_refused():
    X, y = np.eye(4), np.array([0, 1, 0, 1])
    h = DecisionStump().fit(X, y)
    with pytest.raises(ValueError, match="same length"):
        permutation_importance(h, X, y[:3])
    with pytest.raises(ValueError, match="n_repeats must be an integer"):
        permutation_importance(h, X, y, n_repeats=0)
