"""Separation: certificates for both answers, exhaustive search, and the optimality conditions of the widest margin."""

import itertools

import numpy as np
import pytest
import sklearn.svm
from scipy.optimize import linprog, nnls

from mlcourse.data import SeparableMargin, exponential_perceptron
from mlcourse.models.linear.linear_separation import (
    augmented,
    margin,
    max_margin_separator,
    min_disagreement,
    separating_direction,
    separator,
)


@pytest.mark.algorithm("alg-separator")
def test_separator_on_all_labellings_of_the_corners_of_a_square():
    corners = augmented(np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]))
    for labels in itertools.product((-1, 1), repeat=4):
        y = np.array(labels)
        w = separator(corners, y)
        is_xor = y[0] == y[3] != y[1] == y[2]
        assert (w is None) == is_xor
        assert is_xor or (y * (corners @ w) >= 1 - 1e-9).all()


@pytest.mark.parametrize("seed", range(20))
def test_widest_margin_satisfies_its_optimality_conditions(rng):
    X, y = SeparableMargin(d=3, rho=0.1).sample(25, rng)
    w = max_margin_separator(X, y)
    Z = y[:, None] * X
    tight = Z[Z @ w <= 1 + 1e-6]
    # w is a non-negative combination of the examples whose score is exactly one: the KKT conditions
    assert (Z @ w).min() >= 1 - 1e-7 and nnls(tight.T, w)[1] < 1e-6 * np.linalg.norm(w)


def test_widest_margin_agrees_with_a_hard_margin_svm():
    X, y = SeparableMargin(d=2, rho=0.2).sample(40, np.random.default_rng(0))
    w = max_margin_separator(augmented(X), y)
    svm = sklearn.svm.LinearSVC(C=1e6, loss="hinge", tol=1e-10, max_iter=10**7, intercept_scaling=1).fit(X, y)
    np.testing.assert_allclose(w, np.append(svm.coef_, svm.intercept_), rtol=1e-3)


@pytest.mark.parametrize("scale", [1e-100, 1e-9, 1.0, 1e16, 1e100])
def test_scale_of_the_data_does_not_matter(scale):
    X, y = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]]), np.ones(3)
    np.testing.assert_allclose(scale * max_margin_separator(scale * X, y), [0.5, 0.5], rtol=1e-6)
    np.testing.assert_allclose((scale * X @ separator(scale * X, y)).min(), 1)
    crowd = scale * np.random.default_rng(0).normal(size=(30, 3))
    assert separator(crowd, np.ones(30)) is None and max_margin_separator(crowd, np.ones(30)) is None


def test_a_margin_too_small_for_floating_point_is_an_error_not_a_wrong_answer():
    with pytest.raises(RuntimeError, match="too small"):
        max_margin_separator(*exponential_perceptron(28))


def test_nothing_is_widest_where_nothing_separates():
    assert max_margin_separator(np.array([[1.0], [2.0]]), np.array([1, -1])) is None


@pytest.mark.algorithm("alg-min-disagreement")
@pytest.mark.parametrize("seed", range(12))
def test_min_disagreement_against_a_sweep_of_all_directions_in_the_plane(rng):
    X, y = rng.normal(size=(9, 2)), rng.choice([-1, 1], size=9)
    dropped, w = min_disagreement(X, y)
    angles = np.arctan2(*(y[:, None] * X).T[::-1])
    critical = np.sort(np.concatenate([angles + np.pi / 2, angles - np.pi / 2]) % (2 * np.pi))
    between = (critical + np.roll(critical, -1)) / 2 + np.pi * (np.roll(critical, -1) < critical)
    candidates = np.column_stack([np.cos(between), np.sin(between)])
    least = (y * (candidates @ X.T) <= 0).sum(axis=1).min()
    assert len(dropped) == least == (y * (X @ w) <= 0).sum()
    assert set(np.flatnonzero(y * (X @ w) <= 0)) == set(dropped)


def test_min_disagreement_when_every_example_contradicts_itself():
    dropped, w = min_disagreement(np.zeros((2, 1)), np.array([1, -1]))
    assert dropped == [0, 1] and not w.any()


def positive_combination_vanishes(Z):
    """Stiemke's alternative: some positive combination of the rows is zero."""
    return linprog(np.zeros(len(Z)), A_eq=Z.T, b_eq=np.zeros(Z.shape[1]), bounds=(1, None)).status == 0


@pytest.mark.parametrize("seed", range(100))
def test_weak_separation_has_a_certificate_either_way(rng):
    m, d = int(rng.integers(1, 12)), int(rng.integers(1, 4))
    X, y = rng.integers(-2, 3, size=(m, d)).astype(float), rng.choice([-1, 1], size=m)
    Z, w = y[:, None] * X, separating_direction(X, y)
    assert (w is None) == positive_combination_vanishes(Z)
    assert w is None or ((Z @ w).min() >= -1e-9 and (Z @ w).max() > 0.1)
    assert separator(X, y) is None or w is not None  # what is separated is separated weakly


@pytest.mark.parametrize("scale", [1e-100, 1e-9, 1.0, 1e16, 1e100])
def test_scale_does_not_decide_weak_separation(scale):
    X, y = scale * np.array([[1.0, 0.0], [1.0, 0.0], [3.0, 0.0], [-1.0, 0.0]]), np.array([1, -1, 1, -1])
    w = separating_direction(augmented(X / scale) * scale, y)  # both labels at x = 1
    assert w is not None and (y * (augmented(X / scale) @ w)).max() * scale > 0.1
    for columns in ([1, scale], [scale, 1]):
        crowd = np.random.default_rng(0).normal(size=(30, 2)) * columns
        assert separating_direction(crowd, np.ones(30)) is None


@pytest.mark.parametrize("e", [1e-3, 1e-6, 1e-9, 1e-12])
def test_a_direction_is_never_claimed_that_puts_a_point_on_the_wrong_side(e):
    Z = np.array([[1.0, 0.0], [-1.0, e], [0.0, -1.0]])  # w1 >= 0, e w2 >= w1 and w2 <= 0: only w = 0
    try:
        assert separating_direction(Z, np.ones(3)) is None
    except RuntimeError as error:
        assert "floating-point" in str(error)


def test_points_at_the_origin_are_separated_by_nothing():
    assert separating_direction(np.zeros((3, 2)), np.array([1, -1, 1])) is None


def test_margin_is_negative_on_the_wrong_side_and_scale_free():
    X, y = np.array([[3.0, 0.0], [0.0, 2.0]]), np.array([1, -1])
    assert margin([1, -1], X, y) == pytest.approx(np.sqrt(2))
    assert margin([10, -10], X, y) == pytest.approx(np.sqrt(2))
    assert margin([-1, 1], X, y) == pytest.approx(-3 / np.sqrt(2))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: margin([0, 0], np.eye(2), [1, -1]), "zero vector"),
        (lambda: separator(np.eye(2), [0, 1]), "-1 or \\+1"),
        (lambda: separator(np.eye(2), [1, -1, 1]), "same length"),
        (lambda: separator([[np.nan, 1]], [1]), "NaN"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
