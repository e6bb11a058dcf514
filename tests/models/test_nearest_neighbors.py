"""Nearest neighbours against a search by hand and against scikit-learn."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from mlcourse import KNearestNeighbors


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_probabilities_are_the_votes_of_the_k_closest(k):
    rng = np.random.default_rng(k)
    X, y, new = rng.normal(size=(60, 3)), rng.choice(["a", "b", "c"], size=60), rng.normal(size=(40, 3))
    ours = KNearestNeighbors(k=k).fit(X, y)
    closest = np.linalg.norm(new[:, None] - X, axis=2).argsort(axis=1)[:, :k]
    votes = np.array([[np.mean(y[i] == c) for c in "abc"] for i in closest])
    np.testing.assert_allclose(ours.predict_proba(new), votes)
    np.testing.assert_array_equal(ours.predict(new), KNeighborsClassifier(k).fit(X, y).predict(new))


def test_one_neighbour_memorises_and_all_neighbours_take_the_majority():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(31, 2)), rng.choice([-1, 1], size=31)
    assert KNearestNeighbors(k=1).fit(X, y).score(X, y) == 1
    assert (KNearestNeighbors(k=31).fit(X, y).predict(X) == np.sign(y.sum())).all()


def test_more_neighbours_than_points_is_an_error():
    with pytest.raises(ValueError, match="at most the number of training points"):
        KNearestNeighbors(k=4).fit(np.eye(3), [0, 1, 1])
