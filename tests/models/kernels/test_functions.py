"""Kernels are what their formulas say, positive semidefinite, closed under their algebra, and refuse what is none."""

import itertools
import math
import warnings
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from mlcourse import GaussianKernel, KernelRidge, LinearKernel, PolynomialKernel
from mlcourse.evaluation.model_selection import Tuned
from mlcourse.models.kernels.feature_maps import (
    gaussian_features,
    monomials,
    n_monomials,
    orderings,
    polynomial_features,
)
from mlcourse.models.kernels.functions import CallableKernel, as_kernel, is_psd
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.models.kernels.structured import IntersectionKernel, SpectrumKernel

seeds = st.integers(0, 2**32 - 1)
FORMULAS = [  # a kernel, and its value at two points
    (LinearKernel(), lambda x, z: x @ z),
    (PolynomialKernel(1, 0.0), lambda x, z: x @ z),
    (PolynomialKernel(2, 0.0), lambda x, z: (x @ z) ** 2),
    (PolynomialKernel(7, 0.5), lambda x, z: (x @ z + 0.5) ** 7),
    (PolynomialKernel(12, 1.0), lambda x, z: (x @ z + 1) ** 12),
    (GaussianKernel(0.3), lambda x, z: np.exp(-0.3 * (x - z) @ (x - z))),
    (CallableKernel(lambda x, z: np.exp(x @ z)), lambda x, z: np.exp(x @ z)),
    (LinearKernel() + GaussianKernel(2.0), lambda x, z: x @ z + np.exp(-2 * (x - z) @ (x - z))),
    (PolynomialKernel(3) * GaussianKernel(0.1), lambda x, z: (x @ z + 1) ** 3 * np.exp(-0.1 * (x - z) @ (x - z))),
    (2 * LinearKernel() + 3, lambda x, z: 2 * (x @ z) + 3),
    (0 * LinearKernel() + LinearKernel() * 0.5, lambda x, z: (x @ z) / 2),
]
IDS = [f"{i}-{type(k).__name__}" for i, (k, _) in enumerate(FORMULAS)]
each = pytest.mark.parametrize("k, formula", FORMULAS, ids=IDS)


def points(seed, m=12, d=3):
    """Points with copies among them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X[rng.integers(m, size=m)]


@each
@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(1, 20), st.integers(1, 20), st.integers(1, 5))
def test_the_gram_matrix_is_the_formula_at_all_pairs(k, formula, seed, n, m, d):
    X, Z = points(seed, n, d), points(seed + 1, m, d)
    before = X.copy(), Z.copy()
    K = k(X, Z)
    np.testing.assert_allclose(K, [[formula(x, z) for z in Z] for x in X], rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(k.diagonal(X), [formula(x, x) for x in X], rtol=1e-10, atol=1e-12)
    assert np.array_equal(X, before[0]) and np.array_equal(Z, before[1])


@each
@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(1, 20), st.integers(1, 5))
def test_gram_matrices_are_symmetric_and_positive_semidefinite(k, formula, seed, m, d):
    X = points(seed, m, d)
    K = k(X)
    assert np.array_equal(K, K.T) and is_psd(K)
    np.testing.assert_allclose(K, k(X, X.copy()), rtol=1e-10, atol=1e-12)  # one matrix, two ways to it


@pytest.mark.parametrize("m", [1, 300, 2000])
def test_blocks_do_not_show(m):
    X = np.random.default_rng(0).normal(size=(m, 2))
    K = GaussianKernel(0.7)(X)
    rows = [0, m // 2, m - 1]
    np.testing.assert_allclose(K[rows], np.exp(-0.7 * ((X[rows, None] - X) ** 2).sum(axis=2)), rtol=1e-12)
    assert (np.diag(K) == 1).all() and K.max() == 1


def test_a_gaussian_kernel_far_from_the_origin_loses_no_digits():
    X = np.random.default_rng(1).normal(size=(30, 4))
    np.testing.assert_allclose(GaussianKernel()(X + 2.0**20), GaussianKernel()(X), rtol=1e-8)


def test_a_gaussian_kernel_is_nowhere_above_one_whatever_the_rounding():
    X = np.random.default_rng(2).normal(size=(500, 7))
    K = GaussianKernel(1e6)(X, X.copy())
    assert K.max() <= 1 and np.diag(K).min() > 1 - 1e-7


def test_values_too_large_are_refused_without_warnings():
    X = np.array([[1e200], [-1e200], [0.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for k in (LinearKernel(), PolynomialKernel(), GaussianKernel(), GaussianKernel() * LinearKernel()):
            with pytest.raises(ValueError, match="rescale"):
                k(X)
        with pytest.raises(ValueError, match="rescale"):
            PolynomialKernel(300).diagonal([[1e3]])
        with pytest.raises(ValueError, match="rescale"):
            CallableKernel(lambda x, z: np.nan)([[1.0]])
        assert np.array_equal(GaussianKernel(1e300)([[0.0], [1.0]]), np.eye(2))


# --- parameters ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: PolynomialKernel(2, -0.5), "c must be zero or positive, got -0.5"),
        (lambda: PolynomialKernel(2.5), "degree must be an integer of at least 1, got 2.5"),
        (lambda: PolynomialKernel(0), "degree must be an integer of at least 1"),
        (lambda: GaussianKernel(0), "gamma must be positive, got 0"),
        (lambda: GaussianKernel(-1.0), "gamma must be positive"),
        (lambda: GaussianKernel("scale"), "gamma must be a finite number"),
        (lambda: -1 * LinearKernel(), "c must be zero or positive, got -1"),
        (lambda: LinearKernel() + -1, "c must be zero or positive, got -1"),
        (lambda: LinearKernel() * "a", "c must be a finite number"),
        (lambda: np.ones(2) * LinearKernel(), "c must be a finite number"),
        (lambda: SpectrumKernel(0), "p must be an integer of at least 1"),
        (lambda: as_kernel("rbf"), "kernel must be a kernel such as .*, got 'rbf'"),
        (lambda: as_kernel(GaussianKernel), "kernel must be a kernel"),
        (lambda: LinearKernel()([[1.0]], [[1.0, 2.0]]), "1 and 2 features"),
        (lambda: LinearKernel()([1.0]), "Expected 2D array"),
        (lambda: GaussianKernel()([[np.nan]]), "NaN"),
        (lambda: SpectrumKernel()("abc"), "a list of points"),
        (lambda: SpectrumKernel()([]), "0 sample"),
        (lambda: SpectrumKernel()(["a", 5]), "points of a SpectrumKernel must be of type str, got 5"),
        (lambda: IntersectionKernel()(["ab"]), "must be of type set, got 'ab'"),
        (lambda: (SpectrumKernel() + LinearKernel())(["ab"]), "X must hold numbers"),
        (lambda: (LinearKernel() + SpectrumKernel())([[1.0]]), "must be of type str, got 1.0"),
    ],
)
def test_what_is_no_kernel_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_refused_change_leaves_the_kernel_as_it_was():
    k = PolynomialKernel(3, 2.0)
    with pytest.raises(ValueError, match="degree"):
        k.set_params(c=5.0, degree=-1)
    assert k == PolynomialKernel(3, 2.0) and k != PolynomialKernel(3, 1.0) and k != LinearKernel()
    with pytest.raises(ValueError, match="no parameter 'gamma'"):
        k.set_params(gamma=1)


def test_kernels_are_readable():
    assert repr(GaussianKernel()) == "GaussianKernel(gamma=1.0)"
    k = 2 * GaussianKernel(0.5) + PolynomialKernel(3, 1) * LinearKernel()
    assert repr(k) == "(2 * GaussianKernel(gamma=0.5) + (PolynomialKernel(degree=3, c=1) * LinearKernel()))"
    assert eval(repr(k)) == k


def test_numbers_may_be_of_any_kind():
    X = points(0)
    for number in (2, 2.0, np.float64(2), np.int64(2), np.float32(2)):
        for k in (number * LinearKernel(), LinearKernel() * number):
            np.testing.assert_allclose(k(X), 2 * X @ X.T)
        np.testing.assert_allclose((number + LinearKernel())(X), 2 + X @ X.T)
        f = RKHSFunction(X, np.ones(12), LinearKernel())
        np.testing.assert_allclose((number * f)(X), 2 * f(X))
    np.testing.assert_allclose(sum([LinearKernel(), GaussianKernel()])(X), X @ X.T + GaussianKernel()(X))


def test_parameters_are_reached_through_a_model_a_copy_and_a_grid(rng):
    X = rng.uniform(-3, 3, size=(60, 1))
    y = np.sin(3 * X[:, 0])
    model = KernelRidge(1e-4, GaussianKernel(1e-3) + LinearKernel())
    copy = clone(model).set_params(kernel__first__gamma=3.0)
    assert model.kernel.first.gamma == 1e-3 and copy.kernel.first.gamma == 3.0
    search = GridSearchCV(model, {"kernel__first__gamma": [1e-3, 3.0]}, cv=3).fit(X, y)
    assert search.best_params_ == {"kernel__first__gamma": 3.0}
    candidates = [{"kernel": GaussianKernel(gamma)} for gamma in (1e-3, 3.0)]
    assert Tuned(model, candidates).fit(X, y).model_.kernel == GaussianKernel(3.0)


# --- is it a kernel? -----------------------------------------------------------------------------
def test_functions_that_look_like_kernels_are_found_out():
    X = np.random.default_rng(3).normal(size=(25, 2))
    for k in (
        lambda x, z: (x @ z - 0.5) ** 2,  # c < 0
        lambda x, z: abs(x @ z + 1) ** 2.5,  # no whole degree
        lambda x, z: np.exp((x - z) @ (x - z)),  # gamma < 0
        lambda x, z: 1 + (x - z) @ (x - z),  # positive everywhere, and not positive semidefinite
        lambda x, z: x[0] - z[0],  # not symmetric
    ):
        assert not is_psd(CallableKernel(k)(X))
    assert is_psd(CallableKernel(lambda x, z: x[0] * z[0])(X))  # negative somewhere, and a kernel


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_is_psd_does_not_depend_on_units(scale):
    assert is_psd(scale * np.ones((4, 4))) and is_psd(np.zeros((2, 2)))
    assert not is_psd(scale * np.array([[1.0, 0.0], [0.0, -1e-3]]))
    assert not is_psd(scale * np.array([[1.0, 2.0], [2.0, 1.0]]))
    assert not is_psd(scale * np.array([[1.0, 0.5], [0.0, 1.0]]))  # not symmetric
    assert is_psd(np.diag([1.0, -1e-3]), tol=1e-2)
    with pytest.raises(ValueError, match="square"):
        is_psd(np.ones((2, 3)))


# --- strings and sets ----------------------------------------------------------------------------
@settings(max_examples=50, deadline=None)
@given(st.lists(st.text("ab", max_size=6), min_size=1, max_size=6), st.lists(st.text("ab", max_size=6), min_size=1),
       st.integers(1, 3))  # fmt: skip
def test_the_spectrum_kernel_counts_common_substrings(X, Z, p):
    words = ["".join(word) for word in itertools.product("ab", repeat=p)]

    def phi(string):
        count = Counter(string[i : i + p] for i in range(len(string)))
        return [count[word] for word in words]

    k = SpectrumKernel(p)
    assert np.array_equal(k(X, Z), [[np.dot(phi(x), phi(z)) for z in Z] for x in X])
    assert np.array_equal(k.diagonal(X), np.diag(k(X))) and is_psd(k(X))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sets(st.integers(0, 5)), min_size=1, max_size=6), st.lists(st.sets(st.integers(0, 5)), min_size=1))
def test_the_intersection_kernel_counts_common_elements(X, Z):
    assert np.array_equal(IntersectionKernel()(X, Z), [[len(x & z) for z in Z] for x in X])
    assert np.array_equal(IntersectionKernel().diagonal(X), [len(x) for x in X])


def test_things_of_any_kind_have_kernels_and_their_combinations():
    X = ["abba", "baab", "b"]
    k = 2 * SpectrumKernel(1) * CallableKernel(lambda s, t: float(len(s) == len(t))) + 1
    assert np.array_equal(k(X), [[17, 17, 1], [17, 17, 1], [1, 1, 3]])
    for same in (np.array(X), np.array(X)[:, None], np.array(X, dtype=object)):
        assert np.array_equal(k(X), k(same))
    model = KernelRidge(0.0, SpectrumKernel(2)).fit(X[:2], [1.0, -1.0])
    np.testing.assert_allclose(model.predict(X), [1.0, -1.0, 0.0], atol=1e-12)


# --- features ------------------------------------------------------------------------------------
@pytest.mark.parametrize("ordered", [False, True])
@settings(max_examples=25, deadline=None)
@given(seeds, st.integers(1, 4), st.integers(1, 4), st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_polynomial_features_give_the_polynomial_kernel(ordered, seed, d, degree, c):
    X, Z = points(seed, 6, d), points(seed + 1, 5, d)
    phi_X, phi_Z = (polynomial_features(V, degree, c, ordered) for V in (X, Z))
    assert phi_X.shape == (6, n_monomials(d, degree, ordered))
    np.testing.assert_allclose(phi_X @ phi_Z.T, PolynomialKernel(degree, c)(X, Z), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("d, degree", [(1, 3), (2, 2), (3, 4), (4, 1)])
def test_monomials_are_counted(d, degree):
    every = list(monomials(d, degree, ordered=True))
    distinct = list(monomials(d, degree))
    assert len(set(every)) == len(every) == n_monomials(d, degree, True)
    assert len(set(distinct)) == len(distinct) == n_monomials(d, degree) == len({tuple(sorted(v)) for v in every})
    assert Counter(tuple(sorted(v)) for v in every) == {v: orderings(v) for v in distinct}
    assert (n_monomials(3, 4, True), n_monomials(3, 4)) == ((3**5 - 1) // 2, 35)


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(1, 3), st.sampled_from([0.2, 0.5, 1.0]), st.integers(0, 8))
def test_what_gaussian_features_leave_out_is_the_rest_of_the_series(seed, d, gamma, degree):
    X, Z = points(seed, 6, d), points(seed + 1, 5, d)
    got = gaussian_features(X, gamma, degree) @ gaussian_features(Z, gamma, degree).T
    a = 2 * gamma * X @ Z.T
    series = sum(a**n / math.factorial(n) for n in range(degree + 1))
    outside = np.exp(-gamma * ((X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1)))
    np.testing.assert_allclose(got, outside * series, rtol=1e-9, atol=1e-12)
    largest = np.abs(a).max()
    rest = largest ** (degree + 1) / math.factorial(degree + 1) * math.exp(largest)
    assert (np.abs(GaussianKernel(gamma)(X, Z) - got) <= outside * rest + 1e-12).all()


# --- the space -----------------------------------------------------------------------------------
def function(seed, k, m=5, d=2):
    rng = np.random.default_rng(seed)
    return RKHSFunction(rng.normal(size=(m, d)), rng.normal(size=m), k)


@pytest.mark.parametrize("k", [LinearKernel(), PolynomialKernel(3), GaussianKernel(0.5), 2 * GaussianKernel() + 1])
@settings(max_examples=20, deadline=None)
@given(seeds)
def test_the_space_of_a_kernel(k, seed):
    f, g = function(seed, k), function(seed + 1, k, m=3)
    x = np.random.default_rng(seed).normal(size=(1, 2))
    bump = RKHSFunction(x, [1.0], k)
    assert f.inner(bump) == pytest.approx(f(x)[0])  # the reproducing property
    assert bump.norm() ** 2 == pytest.approx(k(x)[0, 0])
    assert f.inner(g) == pytest.approx(g.inner(f)) and abs(f.inner(g)) <= f.norm() * g.norm() + 1e-9
    assert abs(f(x)[0]) <= f.norm() * math.sqrt(k.diagonal(x)[0]) + 1e-9
    h = 2 * f - g * 3
    np.testing.assert_allclose(h(x), 2 * f(x) - 3 * g(x), atol=1e-9)
    square = 4 * f.norm() ** 2 - 12 * f.inner(g) + 9 * g.norm() ** 2
    assert h.norm() ** 2 == pytest.approx(square, abs=1e-9)
    assert (f - f).norm() == pytest.approx(0, abs=1e-5) and (-f)(x) == -f(x)


def test_the_norm_is_that_of_the_weights_and_of_the_features():
    f = function(4, LinearKernel())
    assert f.norm() == pytest.approx(np.linalg.norm(f.points.T @ f.coefficients))
    f = function(4, PolynomialKernel(2, 0.5))
    assert f.norm() == pytest.approx(np.linalg.norm(polynomial_features(f.points, 2, 0.5).T @ f.coefficients))


def test_functions_of_different_spaces_do_not_mix():
    f, g = function(1, GaussianKernel(1.0)), function(2, GaussianKernel(2.0))
    for mix in (lambda: f + g, lambda: f - g, lambda: f.inner(g), lambda: f + 1):
        with pytest.raises(ValueError, match="same kernel"):
            mix()
    with pytest.raises(TypeError):
        f * g
    with pytest.raises(TypeError):
        np.ones(2) * f
    with pytest.raises(ValueError, match="same length"):
        RKHSFunction([[1.0]], [1.0, 2.0], LinearKernel())


def test_a_kernel_changed_afterwards_changes_no_function_and_no_model():
    X, y, k = points(1), np.arange(12.0), GaussianKernel(0.5)
    f, model = RKHSFunction(X, y, k), KernelRidge(0.1, k).fit(X, y)
    before = f(X), model.predict(X)
    k.set_params(gamma=9.0)
    assert np.array_equal(f(X), before[0]) and np.array_equal(model.predict(X), before[1])


def test_many_points_are_evaluated_in_parts(monkeypatch):
    f = function(5, GaussianKernel(), m=7)
    X = np.random.default_rng(0).normal(size=(20, 2))
    whole = f(X)
    monkeypatch.setattr("mlcourse.models.kernels.rkhs.VALUES_AT_ONCE", 21)
    np.testing.assert_allclose(f(X), whole, rtol=1e-12)
