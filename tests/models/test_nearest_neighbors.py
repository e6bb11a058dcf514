"""Nearest neighbours against a search by hand and against scikit-learn."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from mlcourse import KNearestNeighbors
from mlcourse.models.nearest_neighbors import neighbors_cross_validation, winners


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


# --- cross-validation of every k ----------------------------------------------------------------


@pytest.mark.algorithm("alg-all-k")
@pytest.mark.parametrize("n_classes, d", [(2, 1), (2, 3), (3, 2), (7, 2)])
def test_every_k_agrees_with_a_refit(n_classes, d):
    rng = np.random.default_rng(n_classes * d)
    X, y = rng.normal(size=(70, d)), rng.permutation(np.arange(70) % n_classes)
    tests = np.array_split(rng.permutation(70), 6)
    folds, ks = [(np.setdiff1d(np.arange(70), test), test) for test in tests], [5, 1, 2, 3, 4, 30, 58]
    wrong = neighbors_cross_validation(X, np.array(list("abcdefg"))[y], ks, folds)
    for i, k in enumerate(ks):
        for train, test in folds:
            h = KNearestNeighbors(k=k).fit(X[train], y[train])
            assert np.array_equal(wrong[i, test], h.predict(X[test]) != y[test])


@pytest.mark.parametrize("seed", range(5))
def test_winners_are_majorities_with_ties_to_the_first_class(seed):
    labels = np.random.default_rng(seed).integers(4, size=(20, 9))
    found = winners(labels, 4)
    for row, won in zip(labels, found, strict=True):
        assert [np.bincount(row[:k], minlength=4).argmax() for k in range(1, 10)] == won.tolist()


@pytest.mark.parametrize("ks", [[0], [], [4], [1.5], 3, None, "12", [True]])
def test_impossible_numbers_of_neighbours(ks):
    X, y = np.arange(4.0)[:, None], np.array([0, 1, 0, 1])
    with pytest.raises(ValueError, match="k must be|ks of neighbours"):
        neighbors_cross_validation(X, y, ks, [([0, 1, 2], [3]), ([3, 0, 1], [2]), ([2, 3], [0, 1])])
