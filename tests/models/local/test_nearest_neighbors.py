"""Nearest neighbours: fast search and votes against sorting all distances, with real ties, and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from mlcourse import KNearestNeighbors, KNearestNeighborsRegressor
from mlcourse.evaluation import k_fold, leave_one_out
from mlcourse.models.local import nearest_neighbors
from mlcourse.models.local.k_nearest import cross_validate_k, k_nearest, majority
from mlcourse.models.local.nearest_neighbors import (
    NearestSearch,
    first_copies,
    nearest,
    neighbors_cross_validation,
    squares,
)

METHODS = ("tree", "blocks", "auto")
each_method = pytest.mark.parametrize("method", METHODS)


def by_sorting(X, new, k):
    """The plain search, point by point, and the distances."""
    X, new = np.asarray(X, float), np.asarray(new, float)
    indices = np.array([k_nearest(X, x, k) for x in new])
    return indices, np.sqrt(((new[:, None] - X[indices]) ** 2).sum(axis=2))


def assert_exact(X, new, k, method):
    """Same neighbours in the same order, and the same distances to the last bit."""
    found, expected = NearestSearch(X, k, method)(new), by_sorting(X, new, k)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])


# --- the search ---------------------------------------------------------------------------------
@pytest.mark.algorithm("alg-nearest-blocks")
@each_method
@settings(max_examples=60, deadline=None)
@given(
    m=st.integers(1, 30),
    d=st.integers(1, 9),
    values=st.integers(1, 5),
    constant=st.booleans(),
    scale=st.sampled_from([1.0, 0.1, 1e100, 1e-140, -3.0]),
    offset=st.sampled_from([0.0, 1e8, -7.0]),
    seed=st.integers(0, 9999),
)
def test_every_k_on_small_grids(method, m, d, values, constant, scale, offset, seed):
    rng = np.random.default_rng(seed)
    X, new = rng.integers(values, size=(m, d)), rng.integers(-1, values + 1, size=(12, d))
    if constant:
        X[:, 0], new[:, 0] = 2, rng.integers(3)
    X, new = scale * (X + offset), scale * (new + offset)
    for k in range(1, m + 1):
        assert_exact(X, new, k, method)


@each_method
@pytest.mark.parametrize("m, d, k", [(1, 1, 1), (700, 1, 3), (900, 2, 1), (2000, 3, 10), (1500, 8, 4), (3000, 40, 7)])
@pytest.mark.parametrize(
    "scale, offset", [(1, 0), (1, 1e8), (1e-3, 1e8), (1e150, 0), (1e-150, 0), (1e18, 0), (1e-18, 0), (1, 1e15)]
)
def test_large_samples_of_every_scale_and_far_from_the_origin(method, m, d, k, scale, offset):
    rng = np.random.default_rng(m + d)
    X, new = offset + scale * rng.normal(size=(m, d)), offset + scale * rng.normal(size=(60, d))
    assert_exact(X, np.concatenate([new, X[:5]]), k, method)


@each_method
@pytest.mark.parametrize("d, values, k", [(1, 50, 5), (2, 12, 9), (3, 4, 20), (12, 2, 6), (30, 3, 5)])
def test_many_copies_and_many_points_at_one_distance(method, d, values, k):
    rng = np.random.default_rng(d)
    X, new = rng.integers(values, size=(2500, d)), rng.integers(2 * values, size=(80, d)) / 2
    assert_exact(X, new, k, method)


@each_method
@pytest.mark.parametrize("k", [1, 3, 200, 1999, 2000])
def test_copies_of_one_point_come_in_their_order(method, k):
    X = np.tile([0.1, -0.2, 0.3], (2000, 1))
    X[1000] = [5.0, 5.0, 5.0]
    assert_exact(X, np.array([[0.1, -0.2, 0.3], [0.0, 0.0, 0.0], [9.0, 9.0, 9.0]]), k, method)


@each_method
def test_distances_that_differ_by_rounding_alone(method):
    X = 1 + np.random.default_rng(1).integers(-3, 4, size=(1500, 3)) * 2.0**-52
    assert_exact(X, np.concatenate([X[:20], np.full((3, 3), 7 / 3)]), 6, method)


@each_method
@pytest.mark.parametrize("exponent", [-157, -158, -159, -160, -161, -162])
def test_squares_of_a_few_bits_are_compared_as_they_are(method, exponent):
    rng = np.random.default_rng(-exponent)
    X, new = rng.normal(size=(1000, 5)) * 10.0**exponent, rng.normal(size=(60, 5)) * 10.0**exponent
    for k in (1, 4, 30):
        assert_exact(X, new, k, method)


@each_method
@pytest.mark.parametrize("outlier", [1e2, 1e4, 1e9, 1e150])
def test_an_outlier_spoils_nothing(method, outlier):
    rng = np.random.default_rng(3)
    X, new = rng.normal(size=(800, 6)), rng.normal(size=(50, 6))
    X[17, 2], new[3, 1] = outlier, -outlier
    assert_exact(X, new, 5, method)


@each_method
@pytest.mark.parametrize("kind", [np.float32, np.int8, np.uint16, bool, object])
def test_other_kinds_of_numbers_and_layouts(method, kind):
    rng = np.random.default_rng(4)
    X, new = (rng.integers(0, 2 if kind is bool else 90, size=(300, 4)).astype(kind) for _ in range(2))
    assert_exact(X, new, 7, method)
    assert_exact(np.asfortranarray(X), np.asfortranarray(new), 7, method)
    assert_exact(X[::2, ::-1], new[::3, ::-1], 7, method)


@each_method
def test_blocks_of_any_size_give_the_same_answer(method, monkeypatch):
    rng = np.random.default_rng(5)
    X, new = rng.integers(6, size=(300, 3)), rng.integers(6, size=(45, 3))
    for size in (1, 299, 301, 2000, 10**9):
        monkeypatch.setattr(nearest_neighbors, "DISTANCES_AT_ONCE", size)
        monkeypatch.setattr(nearest_neighbors, "CACHE", size)
        assert_exact(X, new, 4, method)


@pytest.mark.parametrize("offset, outlier", [(0, 0), (1e8, 0), (0, 1e6), (1e8, 1e6)])
def test_few_candidates_are_compared_by_their_differences(offset, outlier, monkeypatch):
    rng, pairs, k = np.random.default_rng(7), [], 5
    X, new = offset + rng.normal(size=(4000, 10)), offset + rng.normal(size=(100, 10))
    X[8] += outlier

    def counted(A, B, i, j):
        pairs.append(len(i))
        return squares(A[i], B[j])

    monkeypatch.setattr(nearest_neighbors, "pair_squares", counted)
    NearestSearch(X, k, "blocks")(new)
    assert 100 * k <= sum(pairs) <= 2 * 100 * k, sum(pairs)


def test_the_tree_serves_low_dimension_and_few_neighbours():
    X = np.random.default_rng(6).normal(size=(500, 20))
    assert NearestSearch(X[:, :2], 5).tree is not None
    assert NearestSearch(X, 5).tree is None and NearestSearch(X[:, :2], 400).tree is None


@pytest.mark.parametrize("k", [1, 2, 5])
def test_first_copies(k):
    X = np.random.default_rng(k).integers(3, size=(60, 2)) * 1.0
    X[X == 0] *= np.random.default_rng(k).choice([-1, 1], size=(X == 0).sum())  # minus zero is zero
    rows = [tuple(map(int, x)) for x in X]
    assert first_copies(X, k).tolist() == [i for i, row in enumerate(rows) if rows[:i].count(row) < k]


def test_memory_stays_bounded_with_copies_in_high_dimension():
    X = np.zeros((3000, 200))
    X[:, 0] = np.arange(3000) % 2
    found, distance = nearest(X, np.full((50, 200), 0.5), 4)
    assert (found == [0, 1, 2, 3]).all() and (distance == np.sqrt(50)).all()


@each_method
def test_overflow_is_an_error(method):
    message = "squared distances overflow: rescale the features"
    with pytest.raises(ValueError, match=message):
        NearestSearch([[1e200], [-1e200]], 1, method)([[0.0]])
    with pytest.raises(ValueError, match=message):
        NearestSearch([[1.7e308, 0], [-1.7e308, 1]], 2, method)([[0.0, 0.0]])
    with pytest.raises(ValueError, match=message):
        NearestSearch([[0.0], [1.0]], 1, method)([[1e160]])
    with pytest.raises(ValueError, match=message):  # no square overflows, their sum does
        NearestSearch(np.zeros((2, 400)), 1, method)(np.full((1, 400), 1e153))


def test_bad_arguments_are_named():
    X = np.eye(3)
    for k in (0, 1.5, True, None):
        with pytest.raises(ValueError, match="k must be an integer"):
            nearest(X, X, k)
    with pytest.raises(ValueError, match="k must be at most the number of training points: k=4 with 3 points"):
        nearest(X, X, 4)
    with pytest.raises(ValueError, match="X has 2 features, but the search is expecting 3"):
        nearest(X, X[:, :2], 1)
    with pytest.raises(ValueError, match="method must be 'auto' or 'tree' or 'blocks', got 'ball'"):
        NearestSearch(X, 1, "ball")
    with pytest.raises(ValueError, match="finite"):
        nearest(X, X * np.nan, 1)


# --- votes --------------------------------------------------------------------------------------
@pytest.mark.algorithm("alg-nearest-neighbors")
@pytest.mark.parametrize("k", [1, 2, 5, 30])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("d", [1, 3, 9])
def test_probabilities_are_the_votes_of_the_k_closest(k, weights, d):
    rng = np.random.default_rng(k)
    X, y = rng.normal(size=(60, d)), rng.choice(["a", "b", "c"], size=60)
    new = np.concatenate([rng.normal(size=(40, d)), X[:10]])
    ours, theirs = KNearestNeighbors(k, weights).fit(X, y), KNeighborsClassifier(k, weights=weights)
    closest = by_sorting(X, new, k)[0]
    if weights == "uniform":
        votes = np.array([[np.mean(y[i] == c) for c in "abc"] for i in closest])
        np.testing.assert_allclose(ours.predict_proba(new), votes)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.fit(X, y).predict_proba(new), atol=1e-9)
    # with the classes in the reverse order scikit-learn's first is our last
    names = np.array(["c", "b", "a"])
    codes = theirs.fit(X, (y[:, None] == names).argmax(axis=1)).predict(new)
    np.testing.assert_array_equal(ours.predict(new), names[codes])


def test_exact_hits_take_all_the_weight():
    X, y = [[0.0], [0.0], [0.0], [1e-160], [1.0]], np.array([0, 1, 1, 0, 0])
    shares = KNearestNeighbors(5, "distance").fit(X, y).predict_proba([[0.0], [0.5]])
    np.testing.assert_allclose(shares, [[1 / 3, 2 / 3], [3 / 5, 2 / 5]])
    assert KNearestNeighborsRegressor(5, "distance").fit(X, y).predict([[0.0]]) == pytest.approx(2 / 3)


def test_a_tie_of_votes_goes_to_the_last_class_however_many_vote():
    for half in range(1, 40):
        X, y = np.zeros((2 * half, 1)), np.random.default_rng(half).permutation([1, 2] * half)
        for weights in ("uniform", "distance"):
            model = KNearestNeighbors(2 * half, weights).fit(X, y)
            assert model.predict([[0.0], [0.3]]).tolist() == [2, 2]
            assert np.array_equal(model.predict_proba([[0.0], [0.3]]), np.full((2, 2), 0.5))


@pytest.mark.parametrize("k", [1, 2, 5, 60])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_regression_agrees_with_scikit_learn(k, weights):
    rng = np.random.default_rng(k)
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
    new = np.concatenate([rng.normal(size=(40, 2)), X[:10]])
    theirs = KNeighborsRegressor(k, weights=weights).fit(X, y).predict(new)
    np.testing.assert_allclose(KNearestNeighborsRegressor(k, weights).fit(X, y).predict(new), theirs, rtol=1e-9)


def test_more_neighbours_than_points_is_an_error():
    for cls in (KNearestNeighbors, KNearestNeighborsRegressor):
        with pytest.raises(ValueError, match="at most the number of training points"):
            cls(k=4).fit(np.eye(3), [0, 1, 1])


# --- cross-validation of every k ----------------------------------------------------------------
@pytest.mark.algorithm("alg-nearest-neighbors")
def test_the_first_k_vote_as_in_the_estimator(awkward):
    X, y = awkward
    new = X[::-1] + 0.25
    for k in {1, 2, len(X)}:
        expected = [majority(y[k_nearest(X, x, k)]) for x in new]
        assert KNearestNeighbors(k=k).fit(X, y).predict(new).tolist() == expected


@pytest.mark.algorithm("alg-all-k")
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_both_cross_validate_every_k_alike(awkward, n_classes, rng):
    X, m = awkward[0], len(awkward[0])
    y, names = rng.permutation(np.arange(m) % n_classes), np.array(list("abcdefg"))
    for folds in (k_fold(m, 2, 0), leave_one_out(m)):
        ks = rng.permutation(min(len(train) for train, _ in folds)) + 1
        assert np.array_equal(cross_validate_k(X, y, ks, folds), neighbors_cross_validation(X, names[y], ks, folds))


def test_two_points_judge_each_other():
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    assert cross_validate_k(X, y, [1], leave_one_out(2)).tolist() == [[1, 1]]


@pytest.mark.parametrize("ks", [[0], [], [4], [1.5], 3, None, "12", [True]])
def test_impossible_numbers_of_neighbours(ks):
    X, y = np.arange(4.0)[:, None], np.array([0, 1, 0, 1])
    with pytest.raises(ValueError, match="k must be|ks of neighbours"):
        neighbors_cross_validation(X, y, ks, [([0, 1, 2], [3]), ([3, 0, 1], [2]), ([2, 3], [0, 1])])
