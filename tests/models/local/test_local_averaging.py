"""Histogram and kernel rules against loops over the definition, and at the edges: empty cells, no weight, underflow."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcourse import HistogramRule, KernelRule, KNearestNeighbors
from mlcourse.models.local import local_averaging

CLASSES = np.array(list("abcd"))


def sample(rng, m, d, n_classes, scale=3.0):
    X, y = scale * rng.normal(size=(m, d)), rng.permutation(np.arange(m) % n_classes)
    return X, y


def fractions(labels, n_classes):
    return np.bincount(labels, minlength=n_classes) / len(labels)


def winner(shares):
    """The class with the largest share, the last of several."""
    return max(zip(shares, CLASSES[: len(shares)], strict=True))[1]


# --- histogram ----------------------------------------------------------------------------------
@pytest.mark.algorithm("alg-histogram")
@settings(max_examples=60, deadline=None)
@given(
    m=st.integers(4, 40),
    d=st.integers(1, 4),
    n_classes=st.integers(2, 4),
    side=st.sampled_from([0.3, 1.0, 2.5, 100.0]),
    origin=st.sampled_from([0.0, -1.0, 0.7]),
    seed=st.integers(0, 9999),
)
def test_a_cell_answers_with_its_fractions_and_an_empty_one_with_those_of_all(m, d, n_classes, side, origin, seed):
    rng = np.random.default_rng(seed)
    X, y = sample(rng, m, d, n_classes)
    new = np.concatenate([X, 4 * rng.normal(size=(30, d)), np.zeros((1, d)), -np.zeros((1, d))])
    members = {}
    for x, label in zip(X, y, strict=True):
        members.setdefault(tuple(math.floor((t - origin) / side) for t in x), []).append(label)
    found = [members.get(tuple(math.floor((t - origin) / side) for t in x), y) for x in new]
    expected = np.array([fractions(labels, n_classes) for labels in found])
    model = HistogramRule(side=side, origin=origin).fit(X, CLASSES[y])
    np.testing.assert_allclose(model.predict_proba(new), expected, rtol=1e-15)
    assert model.predict(new).tolist() == [winner(row) for row in expected]
    assert len(model.cells_) == len(members)


def test_zero_is_a_corner_and_minus_zero_is_zero():
    X, y = np.array([[-1e-9], [0.0], [0.999], [1.0]]), ["left", "middle", "middle", "right"]
    model = HistogramRule(side=1).fit(X, y)
    assert model.predict([[-0.5], [-0.0], [0.5], [1.5]]).tolist() == ["left", "middle", "middle", "right"]
    assert model.predict([[7.5]]).tolist() == ["middle"]  # empty: the majority of the sample


def test_a_side_that_is_too_small_is_an_error():
    model = HistogramRule(side=1e-300)
    with pytest.raises(ValueError, match=r"\(x - origin\) / side overflows: choose a side larger than 1e-300"):
        model.fit([[0.0], [1e200]], [0, 1])
    assert vars(model) == {"side": 1e-300, "origin": 0.0}
    with pytest.raises(ValueError, match="side overflows"):
        model.fit([[0.0], [1.0]], [0, 1]).predict([[1e200]])


def test_numbers_beyond_the_integers_have_cells_too():
    model = HistogramRule(side=1e-3).fit([[1e30, 0], [-1e30, 0], [1.0, 0]], [0, 1, 1])
    assert model.predict([[1e30, 0.0001], [-1e30, 0], [1.0004, 0]]).tolist() == [0, 1, 1]


# --- kernels ------------------------------------------------------------------------------------

FORMULAS = {
    "box": lambda z: 1.0 if z <= 1 else 0.0,
    "epanechnikov": lambda z: max(0.0, 1 - z * z),
    "gaussian": lambda z: math.exp(-z * z / 2),
}


@pytest.mark.algorithm("alg-kernel-rule")
@pytest.mark.parametrize("kernel", FORMULAS)
@pytest.mark.parametrize(
    "m, d, n_classes, bandwidth", [(4, 1, 2, 0.7), (30, 2, 3, 1.5), (50, 3, 4, 4.0), (40, 2, 2, 0.1)]
)
def test_votes_are_weighted_by_the_kernel(kernel, m, d, n_classes, bandwidth):
    rng = np.random.default_rng(m)
    X, y = sample(rng, m, d, n_classes, scale=1.0)
    new = 2 * rng.normal(size=(40, d))
    expected = np.empty((len(new), n_classes))
    for i, x in enumerate(new):
        weights = [FORMULAS[kernel](math.dist(x, point) / bandwidth) for point in X]
        votes = np.array([sum(w for w, label in zip(weights, y, strict=True) if label == c) for c in range(n_classes)])
        expected[i] = votes / votes.sum() if votes.any() else fractions(y, n_classes)
    model = KernelRule(bandwidth=bandwidth, kernel=kernel).fit(X, CLASSES[y])
    np.testing.assert_allclose(model.predict_proba(new), expected, rtol=1e-9, atol=1e-12)
    assert model.predict(new).tolist() == [winner(row) for row in expected]


def test_the_window_is_closed_and_counts_every_point_in_it():
    grid = np.stack(np.meshgrid(np.arange(-6, 7), np.arange(-6, 7)), axis=-1).reshape(-1, 2)
    y = (grid.sum(axis=1) % 2 == 0).astype(int)
    for radius in (1, 2, 5):  # 3^2 + 4^2 = 5^2 lies on the border
        inside = (grid**2).sum(axis=1) <= radius**2
        shares = KernelRule(bandwidth=radius).fit(grid, y).predict_proba(np.zeros((1, 2)))
        np.testing.assert_allclose(shares[0], fractions(y[inside], 2))
    edge = KernelRule(bandwidth=0.1).fit([[0.1], [0.35], [0.36]], [0, 1, 1])
    assert edge.predict_proba([[0.0]]).tolist() == [[1.0, 0.0]]  # 0.1 is within 0.1 of 0


def test_a_wide_window_takes_the_majority_and_nothing_near_takes_it_too():
    X, y = np.arange(5.0)[:, None], np.array([1, 0, 0, 1, 1])
    for kernel in ("box", "epanechnikov"):
        assert KernelRule(100, kernel).fit(X, y).predict([[-3.0], [2.0]]).tolist() == [1, 1]
        np.testing.assert_allclose(KernelRule(0.1, kernel).fit(X, y).predict_proba([[-3.0], [2.5]]), [[0.4, 0.6]] * 2)
    assert KernelRule(1).fit(X[:4], y[:4]).predict([[99.0]]).tolist() == [1]  # two against two: the last class


def test_gaussian_weights_that_underflow_leave_the_vote_to_the_nearest():
    rng = np.random.default_rng(3)
    X, y, new = rng.normal(size=(60, 2)), rng.integers(3, size=60), 50 * rng.normal(size=(80, 2))
    narrow = KernelRule(bandwidth=1e-4, kernel="gaussian").fit(X, y)
    assert (narrow.predict(new) == KNearestNeighbors().fit(X, y).predict(new)).all()
    assert np.isfinite(narrow.predict_proba(new)).all()
    both = KernelRule(bandwidth=1e-9, kernel="gaussian").fit([[-1.0], [1.0], [1.0], [3.0]], [0, 1, 1, 0])
    np.testing.assert_allclose(both.predict_proba([[0.0], [2.0]]), [[1 / 3, 2 / 3], [1 / 3, 2 / 3]])


def test_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(4)
    X, y, new = rng.normal(size=(50, 2)), rng.integers(3, size=50), rng.normal(size=(33, 2))
    whole = KernelRule(0.5).fit(X, y).predict_proba(new)
    for size in (1, 50, 120, 49):
        monkeypatch.setattr(local_averaging, "DISTANCES_AT_ONCE", size)
        assert np.array_equal(KernelRule(0.5).fit(X, y).predict_proba(new), whole)


@pytest.mark.parametrize("kernel", FORMULAS)
def test_a_bandwidth_that_is_too_small_is_an_error(kernel):
    model = KernelRule(1e-200, kernel).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="distance / bandwidth overflows: choose a bandwidth larger than 1e-200"):
        model.predict([[0.5]])
    assert KernelRule(1e200, kernel).fit([[0.0], [1.0]], [0, 1]).predict([[0.2]]).tolist() == [1]  # equal weights
    with pytest.raises(ValueError, match="overflows"):
        KernelRule(1, kernel).fit([[1e200], [-1e200]], [0, 1]).predict([[0.0]])
