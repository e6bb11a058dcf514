"""Logistic regression: zero gradient at the solution, scikit-learn's weights, and the truth about separable samples."""

import warnings

import numpy as np
import pytest
import sklearn.linear_model
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.special import expit

from mlcourse import LogisticRegression
from mlcourse.arguments.errors import SeparableWarning
from mlcourse.losses import logistic
from mlcourse.models.linear.linear_separation import separating_direction
from mlcourse.models.linear.logistic_regression import (
    likelihood_has_maximum,
    logistic_cg,
    logistic_newton,
    logistic_sgd,
    whitening,
)
from mlcourse.optim.objective import LinearRisk

with_and_without_bias = pytest.mark.parametrize("bias", [True, False], ids=["bias", "homogeneous"])
each_solver = pytest.mark.parametrize("solver", ["cg", "newton"])


def sample(seed, m=120, d=4):
    """Labels drawn with logistic probabilities: not separable, unless by a miracle."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.where(rng.random(m) < expit(X @ rng.normal(size=d) + 0.3), 1, -1), rng


def weights(model):
    return np.append(model.w_, model.b_) if model.bias else model.w_


def design(X, bias):
    return np.column_stack([X, np.ones(len(X))]) if bias else np.asarray(X, dtype=float)


def gradient(model, X, y):
    """The gradient of the objective, each entry in units of its feature's root mean square."""
    A, w = design(X, model.bias), weights(model)
    penalty = model.lam * np.append(model.w_, [0.0] * model.bias)
    g = penalty - A.T @ (y * expit(-y * (A @ w))) / len(y)
    size = np.sqrt((A**2).mean(axis=0) + model.lam)
    return g / np.where(size == 0, 1, size)


# --- the minimiser --------------------------------------------------------------------------------------


AWKWARD = {
    "plain": lambda X, rng: X,
    "scales 1e-6 to 1e6": lambda X, rng: X * 10.0 ** rng.permutation(np.linspace(-6, 6, X.shape[1])),
    "duplicate": lambda X, rng: np.column_stack([X, X[:, 0]]),
    "collinear": lambda X, rng: np.column_stack([X, X @ rng.normal(size=(X.shape[1], 2))]),
    "constant": lambda X, rng: np.column_stack([X, np.full(len(X), 0.1)]),
    "zero": lambda X, rng: np.column_stack([X, np.zeros(len(X))]),
    "mean 1e4": lambda X, rng: X + 1e4,
    "all tiny": lambda X, rng: 1e-100 * X,
    "all huge": lambda X, rng: 1e100 * X,
}


@pytest.mark.parametrize("spoil", AWKWARD.values(), ids=AWKWARD)
@each_solver
@with_and_without_bias
@pytest.mark.parametrize("lam", [0.0, 0.01, 1.0])
def test_the_gradient_vanishes_at_the_solution(spoil, solver, bias, lam):
    for seed in range(3):
        X, y, rng = sample(seed)
        X = spoil(X, rng)
        model = LogisticRegression(lam, solver, bias, tol=1e-8).fit(X, y)
        assert model.converged_ and not model.separable_
        assert np.abs(gradient(model, X, y)).max() <= 1e-7


@each_solver
@with_and_without_bias
@pytest.mark.parametrize("lam", [0.0, 1e-4, 0.1, 10.0])
def test_the_weights_are_those_of_scikit_learn(solver, bias, lam):
    for seed in range(3):
        X, y, _ = sample(seed)
        ours = LogisticRegression(lam, solver, bias, tol=1e-9).fit(X, y)
        C = 1 / (lam * len(y)) if lam else np.inf
        theirs = sklearn.linear_model.LogisticRegression(C=C, fit_intercept=bias, tol=1e-12, solver="newton-cholesky")
        theirs.fit(X, y)
        np.testing.assert_allclose(ours.w_, theirs.coef_[0], atol=1e-6)
        assert ours.b_ == pytest.approx(theirs.intercept_[0] if bias else 0, abs=1e-6)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("solve", [logistic_cg, logistic_newton])
def test_the_run_stops_when_the_gradient_is_short_in_whitened_axes(solve):
    X, y, _ = sample(0)
    risk = LinearRisk(logistic, X, y, lam=0.1, bias=True)
    A = whitening(risk.at(np.zeros(5)).hessian)
    for tol in (1e-2, 1e-5):
        run = solve(risk, tol)
        assert run.converged and np.linalg.norm(A.T @ risk.gradient(run.last)) <= tol
        before = solve(risk, tol, max_iter=run.n_steps - 1)
        assert not before.converged and np.linalg.norm(A.T @ risk.gradient(before.last)) > tol


@pytest.mark.parametrize("seed", range(5))
def test_whitened_axes_make_the_matrix_the_identity(rng):
    B = rng.normal(size=(5, 5)) * 10.0 ** rng.uniform(-6, 6, size=5)
    A = whitening(B.T @ B)
    np.testing.assert_allclose(A.T @ B.T @ B @ A, np.eye(5), atol=1e-6)
    B[:, 2], B[:, 4] = 0, B[:, 3]
    assert np.isfinite(whitening(B.T @ B)).all()


@pytest.mark.parametrize("seed", range(3))
def test_sgd_approaches_the_minimiser(seed):
    X, y, _ = sample(seed, m=60, d=2)
    best = LogisticRegression(lam=0.1, tol=1e-10).fit(X, y)

    def distance(passes):
        model = LogisticRegression(lam=0.1, solver="sgd", tau=1.0, max_iter=passes, random_state=0).fit(X, y)
        assert model.n_iter_ == passes * 60 and model.converged_ and not model.separable_
        return np.linalg.norm(weights(model) - weights(best))

    assert distance(300) < distance(10) / 10


@pytest.mark.algorithm("alg-logistic-sgd")
def test_sgd_goes_through_the_sample_in_shuffled_passes_with_step_tau_over_pass():
    X, y, _ = sample(0, m=10, d=2)
    risk = LinearRisk(logistic, X, y, lam=0.1, bias=True)
    w, rng = np.zeros(3), np.random.default_rng(7)
    for k in range(3):
        for i in rng.permutation(10):
            w = w - 0.5 / (1 + k) * LinearRisk(logistic, X[[i]], y[[i]], lam=0.1, bias=True).gradient(w)
    np.testing.assert_allclose(logistic_sgd(risk, 0.5, 3, np.random.default_rng(7)).last, w, rtol=1e-12)


# --- probabilities --------------------------------------------------------------------------------------
@each_solver
def test_probabilities_sum_to_one_and_are_the_sigmoid_of_the_score_however_large(solver):
    X, y, _ = sample(1)
    model = LogisticRegression(solver=solver).fit(X, y)
    far = np.vstack([X, 1e4 * X, 1e300 * X])
    P, score = model.predict_proba(far), model.decision_function(far)
    assert np.abs(score).max() > 1e4 and ((0 <= P) & (P <= 1)).all()
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-15)
    near = np.abs(score) < 30
    np.testing.assert_allclose(P[near, 1], 1 / (1 + np.exp(-score[near])), rtol=1e-14)
    np.testing.assert_array_equal(P[:, 1] >= 0.5, model.predict(far) == 1)


# --- separable samples ----------------------------------------------------------------------------------
def weakly_separable(X, y, bias):
    """The opposite of Stiemke's alternative: no positive combination of the points y_i x_i is zero."""
    Z = y[:, None] * design(X, bias)
    program = linprog(np.zeros(len(y)), A_eq=Z.T, b_eq=np.zeros(Z.shape[1]), bounds=(1, None))
    assert program.status in (0, 2)
    return program.status == 2


def integer_sample(rng, m, d, k):
    X, y = rng.integers(-k, k + 1, size=(m, d)).astype(float), rng.choice([-1, 1], size=m)
    y[:2] = 1, -1
    return X, y


@with_and_without_bias
@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(2, 14), st.integers(1, 4), st.integers(1, 4), st.floats(0, 60))
def test_likelihood_has_a_maximum_iff_no_hyperplane_separates_weakly(bias, seed, m, d, k, length):
    rng = np.random.default_rng(seed)
    X, y = integer_sample(rng, m, d, k)
    risk = LinearRisk(logistic, X, y, bias=bias)
    direction = separating_direction(design(X, bias), y)
    assert (direction is not None) == weakly_separable(X, y, bias)
    starts = [np.zeros(risk.d), length * rng.normal(size=risk.d), logistic_newton(risk).last, logistic_cg(risk).last]
    if direction is not None:  # far out on the ray along which the risk falls for ever, and a little beside it
        starts += [starts[2] + t * direction + 1e-4 * rng.normal(size=risk.d) for t in (length, 3 * length, 100.0)]
    for w in starts:
        assert likelihood_has_maximum(risk, w) == (direction is None)


@each_solver
@with_and_without_bias
@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.integers(2, 14), st.integers(1, 4), st.integers(1, 4))
def test_fit_says_whether_the_sample_is_separable_and_always_stops(solver, bias, seed, m, d, k):
    rng = np.random.default_rng(seed)
    X, y = integer_sample(rng, m, d, k)
    assume(bias or X.any())
    model = LogisticRegression(solver=solver, bias=bias, max_iter=200)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    expected = weakly_separable(X, y, bias)
    assert model.separable_ == expected
    assert [warning.category for warning in caught] == [SeparableWarning] * expected
    assert np.isfinite(weights(model)).all() and model.n_iter_ <= 200
    assert expected or np.abs(gradient(model, X, y)).max() <= 1e-5


@each_solver
@pytest.mark.parametrize("offset", [0.0, 1e4, 1e6, 1e7])
def test_noise_is_never_called_separable(solver, offset):
    for seed in range(25):
        X, y, _ = sample(seed, m=100)
        assert not weakly_separable(X, y, True)
        assert not LogisticRegression(solver=solver, max_iter=100).fit(X + offset, y).separable_


def test_the_certificate_is_found_on_a_large_sample_without_a_linear_program(monkeypatch):
    X, y, _ = sample(0, m=5000, d=10)
    monkeypatch.setattr("mlcourse.models.linear.logistic_regression.separating_direction", lambda X, y: 1 / 0)
    for solver in ("cg", "newton"):
        assert not LogisticRegression(solver=solver).fit(X, y).separable_


# --- bad input ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("solver", ["cg", "newton", "sgd"])
@pytest.mark.parametrize("lam", [0.0, 1.0])
def test_features_whose_squares_overflow_are_named_and_leave_the_model_as_it_was(solver, lam):
    X, y, _ = sample(0, m=30)
    model = LogisticRegression(lam, solver, max_iter=50).fit(X, y)
    before = weights(model)
    with pytest.raises(ValueError, match="overflow"):
        model.fit(1e200 * X, y)
    assert np.array_equal(weights(model), before)


@pytest.mark.parametrize("solver", ["cg", "newton", "sgd"])
def test_points_at_the_origin_say_nothing(solver):
    y = np.array([1, -1, -1, -1])
    model = LogisticRegression(solver=solver, bias=False, max_iter=50).fit(np.zeros((4, 2)), y)
    assert not model.w_.any() and not model.separable_
    with_bias = LogisticRegression(bias=True).fit(np.zeros((4, 2)), y)
    np.testing.assert_allclose(with_bias.predict_proba(np.zeros((1, 2))), [[0.75, 0.25]], atol=1e-6)


def test_the_warning_points_at_the_line_that_called_fit():
    with pytest.warns(SeparableWarning) as caught:
        LogisticRegression().fit([[0.0], [1.0], [3.0]], [0, 0, 1])
    assert caught[0].filename == __file__
