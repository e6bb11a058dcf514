"""Sorting all distances for one point, and the fast search for many, find the same neighbours and the same votes."""

import numpy as np
import pytest

from mlcourse import KNearestNeighbors
from mlcourse.evaluation import k_fold, leave_one_out
from mlcourse.models.local.k_nearest import cross_validate_k, k_nearest, majority
from mlcourse.models.local.nearest_neighbors import NearestSearch, nearest, neighbors_cross_validation

RNG = np.random.default_rng(0)
POINTS = {
    "random": RNG.normal(size=(60, 3)),
    "many features": RNG.normal(size=(40, 12)),
    "ties": RNG.integers(0, 3, size=(50, 2)).astype(float),
    "duplicates": np.repeat(RNG.normal(size=(6, 2)), 6, axis=0),
    "constant": np.ones((9, 2)),
    "ties after the root": np.array([[1.0], [np.nextafter(1.0, 2)], [np.nextafter(1.0, 0)], [-1.0]]),
    "large offset": RNG.integers(0, 4, size=(30, 6)) + 1e8,
    "two points": np.array([[0.0], [2.0]]),
    "one point": np.array([[2.0, 3.0]]),
}


@pytest.mark.algorithm("alg-nearest-neighbors", "alg-nearest-blocks")
@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("method", ["auto", "tree", "blocks"])
def test_both_find_the_same_neighbours(name, method):
    X = POINTS[name]
    new = np.concatenate([X, X.mean(axis=0, keepdims=True), X[::-1] + 0.5, np.zeros((1, X.shape[1]))])
    for k in {1, (len(X) + 1) // 2, len(X)}:
        assert np.array_equal(NearestSearch(X, k, method)(new)[0], [k_nearest(X, x, k) for x in new])
        assert np.array_equal(nearest(X, new, k)[0], [k_nearest(X, x, k) for x in new])


@pytest.mark.algorithm("alg-nearest-neighbors")
@pytest.mark.parametrize("name", [name for name in POINTS if name != "one point"])
def test_the_first_k_vote_as_in_the_estimator(name):
    X = POINTS[name]
    y, new = np.arange(len(X)) % 3 % len(X), X[::-1] + 0.25
    for k in {1, 2, len(X)}:
        expected = [majority(y[k_nearest(X, x, k)]) for x in new]
        assert KNearestNeighbors(k=k).fit(X, y).predict(new).tolist() == expected


@pytest.mark.algorithm("alg-all-k")
@pytest.mark.parametrize("name", [name for name in POINTS if len(POINTS[name]) > 2])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_both_cross_validate_every_k_alike(name, n_classes):
    X = POINTS[name]
    y = np.random.default_rng(1).permutation(np.arange(len(X)) % n_classes)
    for folds in (k_fold(len(X), 3, 0), leave_one_out(len(X))):
        ks = [2, 1, min(len(train) for train, _ in folds)]
        assert np.array_equal(cross_validate_k(X, y, ks, folds), neighbors_cross_validation(X, y, ks, folds))


def test_two_points_judge_each_other():
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    assert cross_validate_k(X, y, [1], leave_one_out(2)).tolist() == [[1, 1]]
