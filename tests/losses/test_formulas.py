"""The formulas of the losses: definitions, identities between them, shapes, extremes and bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit

from mlcourse.losses import (
    CostSensitive,
    Pinball,
    RhoMargin,
    absolute,
    exponential,
    hinge,
    log_loss,
    logistic,
    logistic_base2,
    perceptron_loss,
    square,
    squared_margin,
    zero_one,
    zero_one_margin,
)

MARGIN = [zero_one_margin, perceptron_loss, hinge, logistic, logistic_base2, exponential, squared_margin]
MARGIN += [RhoMargin(2)]
PAIRS = [square, absolute, Pinball(0.3), log_loss, zero_one, CostSensitive(2, 1)]
z = np.random.default_rng(1).normal(scale=3, size=200)
margins = st.floats(-1e4, 1e4)
shapes = st.sampled_from([(), (0,), (1,), (5,), (2, 3)])


def same(a, b, rtol=1e-14):
    np.testing.assert_allclose(a, b, rtol=rtol)


# --- definitions and identities -------------------------------------------------------------------


def test_margin_losses_by_their_definition():
    same(zero_one_margin(z), [1 if t <= 0 else 0 for t in z])
    same(perceptron_loss(z), [max(-t, 0) for t in z])
    same(hinge(z), [max(1 - t, 0) for t in z])
    same(logistic(z), np.logaddexp(0, -z), rtol=1e-13)
    same(logistic_base2(z), np.logaddexp2(0, -z / np.log(2)), rtol=1e-13)
    same(exponential(z), np.e**-z, rtol=1e-13)
    same(squared_margin(z), [(1 - t) ** 2 for t in z])
    same(RhoMargin(2)(z), [1 if t <= 0 else 0 if t >= 2 else 1 - t / 2 for t in z])


def test_a_margin_of_zero_counts_as_an_error_and_so_does_nan():
    assert zero_one_margin(0.0) == 1 == zero_one_margin(-0.0)
    assert zero_one_margin(np.nan) == 1
    assert zero_one_margin(5e-324) == 0


def test_the_promised_subgradients_at_the_kinks():
    assert perceptron_loss.derivative(0) == -1
    assert hinge.derivative(1) == 0
    assert absolute.derivative(3, 3) == 0 == Pinball(0.9).derivative(3, 3)
    assert RhoMargin(2).derivative(0) == 0 == RhoMargin(2).derivative(2)
    assert zero_one_margin.derivative(0) == 0


def test_the_ramp_shrinks_to_the_zero_one_loss_and_lies_below_the_hinge_of_the_scaled_margin():
    same(RhoMargin(1e-12)(z), zero_one_margin(z))
    for rho in [0.1, 1, 5]:
        assert np.all(zero_one_margin(z) <= RhoMargin(rho)(z))
        assert np.all(RhoMargin(rho)(z) <= np.minimum(zero_one_margin(z - rho), hinge(z / rho)))


def test_margin_losses_of_a_label_and_a_score():
    y, score = np.sign(z[::-1]), z
    same(squared_margin.of(y, score), square(y, score), rtol=1e-12)
    same(hinge.of(y, score), hinge(y * score))
    same(logistic.of(y, score), log_loss(y, expit(score)), rtol=1e-9)


def test_regression_losses_by_their_definition():
    y, y_hat = z, z[::-1]
    same(square(y, y_hat), (y - y_hat) ** 2)
    same(absolute(y, y_hat), np.abs(y - y_hat))
    same(Pinball(0.3)(y, y_hat), np.where(y >= y_hat, 0.3, 0.7) * np.abs(y - y_hat), rtol=1e-13)
    same(2 * Pinball(0.5)(y, y_hat), absolute(y, y_hat))


@pytest.mark.parametrize("q", [0.1, 0.5, 0.8])
def test_constants_of_least_average_loss_are_mean_and_quantiles(q):
    y = z[:51]  # 51 q is no integer for these q, so the quantile is one sample point
    candidates = np.sort(np.append(y, y.mean()))[:, None]
    assert candidates[np.argmin(square(y, candidates).mean(axis=1))] == y.mean()
    assert candidates[np.argmin(Pinball(q)(y, candidates).mean(axis=1))] == np.sort(y)[int(np.floor(51 * q))]


def test_log_loss_by_its_definition():
    p = expit(z)
    same(log_loss(1, p), np.log(1 / p), rtol=1e-11)
    same(log_loss(-1, p), np.log(1 / (1 - p)), rtol=1e-11)
    same(log_loss(-1, 1e-20), 1e-20)  # 1 - p would round to 1
    assert log_loss(1, 0.5) == np.log(2) == log_loss(-1, 0.5)


def test_log_loss_at_certainty():
    with np.errstate(all="raise"):
        assert log_loss(1, 1) == 0 == log_loss(-1, 0)
        assert log_loss(1, 0) == np.inf == log_loss(-1, 1)
        assert log_loss.derivative(1, 0) == -np.inf
        assert log_loss.derivative(-1, 1) == np.inf
        assert not np.signbit([log_loss(1, 1), log_loss(-1, 0)]).any()


@given(p=st.floats(0, 1, exclude_min=True, exclude_max=True), y=st.sampled_from([-1, 1]))
def test_log_loss_is_finite_inside(p, y):
    with np.errstate(all="raise"):
        assert 0 <= log_loss(y, p) < np.inf
        log_loss.derivative(y, p)


def test_zero_one_takes_labels_of_any_kind():
    assert zero_one("cat", "dog") == 1 and zero_one("cat", "cat") == 0
    same(zero_one(["a", "b", "a"], ["a", "a", "b"]), [0, 1, 1])
    same(zero_one([True, False], [True, True]), [0, 1])
    same(zero_one([0, 1, 2], 1), [1, 0, 1])
    same(zero_one(np.array([None, "x", 3], dtype=object), np.array(["x", "x", 3], dtype=object)), [1, 0, 0])
    assert zero_one(1.0, np.nan) == 1


def test_cost_sensitive_charges_each_kind_of_error():
    loss = CostSensitive(c_fp=2, c_fn=7)
    assert loss(-1, 1) == 2 and loss(1, -1) == 7
    assert loss(1, 1) == 0 == loss(-1, -1)
    y, y_hat = np.sign(z), np.sign(z[::-1])
    same(CostSensitive(1, 1)(y, y_hat), zero_one(y, y_hat))


# --- extremes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", MARGIN, ids=repr)
@given(margin=margins)
def test_no_floating_point_complaint_and_a_finite_value(loss, margin):
    with np.errstate(all="raise"):
        value, slope = loss(margin), loss.derivative(margin)
    overflows = loss is exponential and margin < -709
    assert overflows or (np.isfinite(value) and np.isfinite(slope))


def test_logistic_keeps_its_digits_far_out():
    assert logistic(40) == pytest.approx(np.exp(-40), rel=1e-14)
    assert logistic(-1e4) == 1e4
    assert logistic(np.inf) == 0 and logistic(-np.inf) == np.inf
    assert logistic.derivative(-np.inf) == -1 and logistic.derivative(40) == pytest.approx(-np.exp(-40))


@pytest.mark.parametrize("loss", MARGIN[1:], ids=repr)
def test_margin_losses_pass_nan_on(loss):
    assert np.isnan(loss(np.nan))


# --- shapes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", MARGIN, ids=repr)
@given(data=st.data(), shape=shapes)
def test_margin_losses_act_entry_by_entry(loss, data, shape):
    margin = data.draw(arrays(float, shape, elements=st.floats(-50, 50)))
    before = margin.copy()
    for function in (loss, loss.derivative):
        value = function(margin)
        assert np.shape(value) == shape and np.asarray(value).dtype == float
        same(np.ravel(value), [function(t) for t in margin.ravel().tolist()])
        same(value, function(margin.tolist()))
    np.testing.assert_array_equal(margin, before)


@pytest.mark.parametrize("loss", PAIRS, ids=repr)
def test_losses_of_pairs_broadcast(loss):
    y, y_hat = np.array([-1, 1, 1]), np.array([[1.0], [0.25]] if loss is log_loss else [[1], [-1]])
    functions = [loss] if loss.name in ("zero-one", "cost-sensitive") else [loss, loss.derivative]
    for function in functions:
        table = function(y, y_hat)
        assert table.shape == (2, 3) and table.dtype == float
        same(table, [[function(a, b) for a in y.tolist()] for b in y_hat.ravel().tolist()])
        same(table, function(y.tolist(), y_hat.tolist()))
        assert function(y[:0], y_hat[:0, 0]).shape == (0,)


@pytest.mark.parametrize("loss", MARGIN + PAIRS, ids=repr)
@pytest.mark.parametrize("kind", [int, float, np.float32, np.int64, np.array])
def test_scalars_in_scalar_out(loss, kind):
    arguments = (kind(1),) if loss in MARGIN else (kind(1), kind(1))
    assert type(loss(*arguments)) is np.float64
    if loss.name != "cost-sensitive" and loss is not zero_one:
        assert type(loss.derivative(*arguments)) is np.float64


@pytest.mark.parametrize("loss", PAIRS, ids=repr)
def test_shapes_that_do_not_fit_are_refused(loss):
    with pytest.raises(ValueError, match="broadcast|shape"):
        loss([1, 1, 1], [1, 1])


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rho", [0, -1, np.nan, np.inf, "1", None])
def test_a_margin_to_ask_for_must_be_positive(rho):
    with pytest.raises(ValueError, match="rho must be"):
        RhoMargin(rho)


@pytest.mark.parametrize("q", [0, 1, -0.1, 1.1, np.nan, "half"])
def test_a_quantile_level_lies_inside_the_unit_interval(q):
    with pytest.raises(ValueError, match="q must"):
        Pinball(q)


@pytest.mark.parametrize("cost", [0, -1, np.nan, np.inf, None])
def test_costs_must_be_positive(cost):
    with pytest.raises(ValueError, match="c_fp must be"):
        CostSensitive(cost, 1)
    with pytest.raises(ValueError, match="c_fn must be"):
        CostSensitive(1, cost)


@pytest.mark.parametrize("label", [0, 2, 0.5, np.nan])
def test_labels_other_than_signs_are_refused(label):
    with pytest.raises(ValueError, match="labels -1 and [+]1 only, got"):
        log_loss([1, label], 0.5)
    with pytest.raises(ValueError, match="labels -1 and [+]1 only, got"):
        log_loss.derivative([1, label], 0.5)
    with pytest.raises(ValueError, match="^y must hold"):
        CostSensitive(1, 2)([1, label], 1)
    with pytest.raises(ValueError, match="^y_hat must hold"):
        CostSensitive(1, 2)(1, [1, label])
    with pytest.raises(ValueError, match="^y must hold"):
        hinge.of([1, label], 0.5)


@pytest.mark.parametrize("p", [-0.1, 1.1, np.nan, np.inf])
def test_predictions_of_the_log_loss_are_probabilities(p):
    with pytest.raises(ValueError, match="p must hold probabilities in .0, 1., got"):
        log_loss(1, [0.5, p])
    with pytest.raises(ValueError, match="p must hold probabilities in .0, 1., got"):
        log_loss.derivative(1, [0.5, p])
