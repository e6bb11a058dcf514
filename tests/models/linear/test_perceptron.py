"""The perceptron does what its pseudo-code says, mistake by mistake, and agrees with scikit-learn."""

import itertools

import numpy as np
import pytest
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcourse import MulticlassPerceptron, Perceptron
from mlcourse.data import SeparableMargin, load_iris
from mlcourse.models.linear.linear_separation import augmented
from mlcourse.models.linear.perceptron import multiclass_perceptron, perceptron, scanning_perceptron


def assert_same_updates(X, y, passes, tau=1.0):
    plain, fast = perceptron(X, y, passes, tau), scanning_perceptron(X, y, passes, tau)
    assert (plain.n_steps, plain.converged) == (fast.n_steps, fast.converged)
    np.testing.assert_allclose(plain.path, fast.path, rtol=1e-12, atol=1e-12)


@pytest.mark.algorithm("alg-perceptron")
@pytest.mark.parametrize("tau", [1.0, 0.25])
@pytest.mark.parametrize("shuffled", [False, True])
def test_the_plain_loop_and_the_scan_for_the_next_mistake_make_the_same_updates(signs, tau, shuffled, rng):
    X, y = signs
    assert_same_updates(X, y, [rng.permutation(len(y)) for _ in range(6)] if shuffled else [None] * 6, tau)


@pytest.mark.algorithm("alg-perceptron")
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 80), st.integers(1, 5), st.integers(1, 6))
def test_looking_ahead_makes_the_same_updates_where_scores_tie(seed, m, d, n_passes):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(m, d)).astype(float)  # integers: every score is exact, ties are common
    y = rng.choice([-1, 1], size=m)
    assert_same_updates(X, y, [rng.permutation(m) for _ in range(n_passes)])


def test_long_clean_stretches_are_skipped_without_missing_the_mistake_behind_them():
    X = np.ones((1000, 1))
    y = np.ones(1000, dtype=int)
    y[777] = -1
    assert_same_updates(X, y, [None])


@pytest.mark.parametrize("bias", [True, False])
def test_same_weights_as_scikit_learn_after_the_same_passes(bias, rng):
    X, y = rng.normal(size=(200, 5)), rng.choice([-1, 1], size=200)
    ours = Perceptron(bias=bias, max_epochs=7).fit(X, y)
    theirs = sklearn.linear_model.Perceptron(max_iter=7, tol=None, shuffle=False, fit_intercept=bias).fit(X, y)
    np.testing.assert_allclose(ours.w_, theirs.coef_[0], atol=1e-9)
    np.testing.assert_allclose(ours.b_, theirs.intercept_[0] if bias else 0, atol=1e-9)


def test_estimator_is_the_algorithm_on_augmented_points():
    X, y = SeparableMargin(d=3, rho=0.05, bias=0.3).sample(100, np.random.default_rng(1))
    model = Perceptron().fit(X, y)
    run = perceptron(augmented(X), y, itertools.repeat(None))
    assert np.array_equal(np.append(model.w_, model.b_), run.last)
    assert model.n_updates_ == run.n_steps and model.converged_
    np.testing.assert_allclose(model.decision_function(X), X @ model.w_ + model.b_)
    assert (y * model.decision_function(X) > 0).all()


def test_a_run_out_of_passes_is_not_converged():
    X, y = np.array([[1.0], [-1.0], [0.5]]), np.array([1, 1, -1])
    assert not Perceptron(bias=False, max_epochs=5).fit(X, y).converged_


@pytest.mark.parametrize(
    "X, y, message", [([[np.nan]], [1], "NaN"), ([[1.0]], [0], "-1 or \\+1"), ([[1.0], [2.0]], [1], "same length")]
)
def test_the_bare_algorithm_refuses_bad_input_too(X, y, message):
    with pytest.raises(ValueError, match=message):
        perceptron(np.array(X), np.array(y), [None])


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_scores_that_are_not_numbers_are_mistakes():
    rng = np.random.default_rng(1)
    X, y = 1e160 * rng.normal(size=(20, 3)), rng.choice([-1, 1], size=20)
    assert not Perceptron(max_epochs=20).fit(X, y).converged_


def test_shuffled_passes_are_permutations_and_depend_on_the_seed_alone():
    model = Perceptron(max_epochs=4, shuffle=True, random_state=7)
    first, again = (list(model._passes(20)) for _ in range(2))
    assert np.array_equal(first, again) and all((np.sort(order) == np.arange(20)).all() for order in first)
    assert not np.array_equal(first[0], first[1])
    assert list(Perceptron(max_epochs=2)._passes(20)) == [None, None]


@pytest.mark.algorithm("alg-multiclass-perceptron")
def test_multiclass_path_obeys_its_definition():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(50, 3)), rng.integers(4, size=50)
    path = multiclass_perceptron(X, y, 4, itertools.repeat(None), max_iter=200).path
    for W, after in itertools.pairwise(path):
        changed = np.flatnonzero((after != W).any(axis=1))
        assert len(changed) == 2
        i = next(i for i in range(50) if np.isclose(np.abs(after - W)[changed], np.abs(X[i]) / 2).all())
        rival = changed[changed != y[i]][0]
        assert np.isclose(W[rival] @ X[i], np.delete(W @ X[i], y[i]).max())
        assert W[y[i]] @ X[i] <= W[rival] @ X[i]
        np.testing.assert_allclose(after[y[i]] - W[y[i]], X[i] / 2)
        np.testing.assert_allclose(after[rival] - W[rival], -X[i] / 2)


def test_multiclass_estimator_separates_setosa_from_the_two_others_taken_as_one():
    X, y, *_ = load_iris()
    model = MulticlassPerceptron(max_epochs=200).fit(X, y == y[0])
    assert model.converged_ and model.score(X, y == y[0]) == 1
    assert model.W_.shape == (2, 4) and model.b_.shape == (2,)
