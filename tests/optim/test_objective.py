"""Objectives: gradients and Hessians by finite differences, lines and changed bases against fresh evaluations."""

import numpy as np
import pytest

from mlcourse.losses import exponential, logistic, logistic_base2, squared_margin
from mlcourse.optim.moments import second_moments, weighted_moments
from mlcourse.optim.objective import ChangedBasis, Function, LinearRisk, Quadratic
from mlcourse.testing import assert_gradient, numerical_gradient

SMOOTH = [logistic, logistic_base2, exponential, squared_margin]
each_penalty = pytest.mark.parametrize("lam", [0.0, 0.7])
with_and_without_bias = pytest.mark.parametrize("bias", [False, True], ids=["homogeneous", "bias"])
each_loss = pytest.mark.parametrize("loss", SMOOTH, ids=lambda loss: loss.name)


def sample(seed, m=30, d=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(m, d)), rng.choice([-1, 1], size=m), rng


def some_risk(seed, loss=logistic, lam=0.3, bias=True):
    X, y, rng = sample(seed)
    f = LinearRisk(loss, X, y, lam, bias)
    return f, rng.normal(size=f.d), rng.normal(size=f.d)


def assert_hessian(gradient, hessian, w):
    """Row i of the Hessian is the gradient of the i-th partial derivative."""
    rows = [numerical_gradient(lambda v, i=i: gradient(v)[i], w) for i in range(len(w))]
    np.testing.assert_allclose(hessian, rows, rtol=1e-5, atol=1e-7)


def with_ones(X, bias):
    return np.column_stack([X, np.ones(len(X))]) if bias else X


# --- functions and quadratics ---------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(5))
def test_quadratic_by_finite_differences(rng):
    A, centre, w = rng.normal(size=(4, 4)), rng.normal(size=4), rng.normal(size=4)
    for f, at_centre in [(Quadratic(A + A.T, centre), centre), (Quadratic(A @ A.T), np.zeros(4))]:
        assert_gradient(f, f.gradient, w)
        assert_hessian(f.gradient, f.hessian(w), w)
        assert f(at_centre) == 0 and not f.gradient(at_centre).any()


def test_a_point_knows_the_function_there_and_computes_nothing_twice():
    asked = []

    def value(w):
        asked.append(w)
        return w @ w

    f = Function(value, lambda w: 2 * w, lambda w: 2 * np.eye(2))
    here = f.at([3, 4])
    assert asked == [] and f([3, 4] @ np.eye(2)) == here.value == here.value == 25 and len(asked) == 2
    assert here.gradient.tolist() == [6, 8] and here.hessian.tolist() == [[2, 0], [0, 2]]
    phi = here.along(np.array([-1.0, 0.0]))
    assert phi(0.0) == (25, -6) and phi(1.0) == (20, -4) and phi(1.0) == (20, -4) and len(asked) == 3
    assert phi.at(0) is here and phi.at(1.0) is phi.at(1.0) and phi.at(1.0).w.tolist() == [2, 4]


# --- linear risks ---------------------------------------------------------------------------------------
@each_loss
@with_and_without_bias
@each_penalty
def test_risk_is_its_definition_with_the_right_gradient_and_hessian(loss, bias, lam):
    f, w, _ = some_risk(0, loss, lam, bias)
    weights, b = (w[:-1], w[-1]) if bias else (w, 0.0)
    definition = np.mean([loss(y * (weights @ x + b)) for x, y in zip(f.X, f.y, strict=True)])
    assert f(w) == pytest.approx(definition + lam / 2 * weights @ weights)
    assert_gradient(f, f.gradient, w)
    assert_hessian(f.gradient, f.at(w).hessian, w)
    assert f(np.zeros(f.d)) == pytest.approx(loss(0.0))


@each_loss
@with_and_without_bias
@each_penalty
def test_the_line_is_the_risk_evaluated_afresh(loss, bias, lam):
    f, w, p = some_risk(1, loss, lam, bias)
    phi = f.at(w).along(p)
    for tau in (0.0, 1e-3, 0.5, -1.0, 2.0, 0.5):
        fresh = f.at(w + tau * p)
        np.testing.assert_allclose(phi(tau), [fresh.value, fresh.gradient @ p], rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(phi.at(tau).z, f.y * (with_ones(f.X, bias) @ (w + tau * p)), rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(phi.at(tau).w, w + tau * p)
        np.testing.assert_allclose(phi.at(tau).gradient, fresh.gradient, rtol=1e-12, atol=1e-13)
    assert phi(0.5)[1] == pytest.approx(numerical_gradient(lambda tau: phi(tau[0])[0], [0.5])[0], rel=1e-6)


def test_a_trial_step_costs_no_product_with_the_data():
    class Counting(LinearRisk):
        products = 0

        def scores(self, w):
            self.products += 1
            return super().scores(w)

        def combined(self, weights):
            self.products += 1
            return super().combined(weights)

    X, y, rng = sample(2)
    f = Counting(logistic, X, y)
    phi = f.at(rng.normal(size=4)).along(rng.normal(size=4))
    before = f.products
    for tau in np.linspace(0, 3, 20):
        phi(tau)
    assert f.products == before


@with_and_without_bias
def test_the_mean_of_the_gradients_of_equal_batches_is_the_gradient(bias):
    f, w, _ = some_risk(3, bias=bias)
    order = np.random.default_rng(0).permutation(30)
    parts = [f.batch_gradient(w, rows) for rows in np.split(order, 6)]
    np.testing.assert_allclose(np.mean(parts, axis=0), f.gradient(w), rtol=1e-12, atol=1e-14)
    single = [f.batch_gradient(w, [i]) for i in range(30)]
    np.testing.assert_allclose(np.mean(single, axis=0), f.gradient(w), rtol=1e-12, atol=1e-14)
    assert len(f.X) == 30  # the whole is left whole


# --- changed bases --------------------------------------------------------------------------------------
@pytest.mark.parametrize("columns", [5, 3])
def test_changed_basis_is_the_composed_function(columns):
    f, _, _ = some_risk(4)
    rng = np.random.default_rng(5)
    A, v, p = rng.normal(size=(5, columns)), rng.normal(size=columns), rng.normal(size=columns)
    changed, here = ChangedBasis(f, A), ChangedBasis(f, A).at(v)

    def composed(u):
        return f(A @ u)

    assert here.value == composed(v)
    np.testing.assert_allclose(here.gradient, numerical_gradient(composed, v), rtol=1e-5, atol=1e-7)
    assert_hessian(lambda u: changed.at(u).gradient, here.hessian, v)
    phi = here.along(p)
    for tau in (0.0, 0.3, 2.0):
        there = changed.at(v + tau * p)
        np.testing.assert_allclose(phi(tau), [there.value, there.gradient @ p], rtol=1e-12)
        np.testing.assert_allclose(phi.at(tau).w, v + tau * p)
        np.testing.assert_allclose(phi.at(tau).gradient, there.gradient, rtol=1e-11, atol=1e-13)


# --- Gram matrices --------------------------------------------------------------------------------------
@with_and_without_bias
@pytest.mark.parametrize("m", [1, 7, 1023, 1024, 1025, 2500])
def test_gram_matrices_are_sums_of_outer_products(bias, m):
    X, _, rng = sample(m, m, 3)
    weights = rng.random(m)
    weights[: m // 3] = 0
    A = with_ones(X, bias)
    np.testing.assert_allclose(second_moments(X, bias), np.einsum("ij,ik->jk", A, A), rtol=1e-12, atol=1e-11)
    direct = np.einsum("i,ij,ik->jk", weights, A, A)
    np.testing.assert_allclose(weighted_moments(X, weights, bias), direct, rtol=1e-12, atol=1e-11)
    np.testing.assert_allclose(weighted_moments(X, weights, bias, rows=2), direct, rtol=1e-12, atol=1e-11)


@with_and_without_bias
@pytest.mark.parametrize("scale", [1e155, 1e200, 1e308])
def test_squares_that_overflow_are_named(bias, scale):
    X = scale * np.array([[1.0, -0.5], [0.25, 1.0]])
    for call in (lambda: second_moments(X, bias), lambda: weighted_moments(X, np.ones(2), bias)):
        with pytest.raises(ValueError, match="overflow"):
            call()
