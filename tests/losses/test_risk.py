"""Risks: Bayes predictions against brute force, closed forms, and the identity of the excess risk."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlcourse.losses import (
    CostSensitive,
    Pinball,
    absolute,
    bayes_prediction,
    conditional_bayes_risk,
    conditional_risk,
    empirical_risk,
    excess_risk,
    exponential,
    hinge,
    log_loss,
    logistic,
    square,
    zero_one,
)

probabilities = st.floats(0, 1)
costs = st.floats(0.01, 100)
SIGNS = np.array([-1, 1])
REALS = np.linspace(-2, 2, 4001)
UNIT = np.linspace(0, 1, 2001)
WITH_BAYES = [zero_one, CostSensitive(2, 1), square, absolute, Pinball(0.2), log_loss]


# --- the empirical risk ---------------------------------------------------------------------------


def test_empirical_risk_is_the_average_loss():
    rng = np.random.default_rng(0)
    y, score = rng.choice(SIGNS, 30), rng.normal(size=30)
    assert empirical_risk(square, y, score) == pytest.approx(sum((y - score) ** 2) / 30)
    assert empirical_risk(zero_one, y, np.sign(score)) == pytest.approx(sum(y * score < 0) / 30)
    assert empirical_risk(hinge, y, score) == pytest.approx(sum(hinge(y * score)) / 30)
    assert empirical_risk(zero_one, ["a", "b"], ["a", "c"]) == 1 / 2
    assert empirical_risk(log_loss, [1, -1], [1, 1]) == np.inf
    assert type(empirical_risk(square, [1], [2])) is float


@pytest.mark.parametrize(
    ("y", "y_hat", "message"),
    [
        ([], [], "at least one example"),
        ([1, 1], [1], "same length.*y has 2, y_hat has 1"),
        ([1, 1], [[1], [1]], "one-dimensional, got shapes .2,. and .2, 1."),
        (1, 1, "one-dimensional"),
    ],
)
def test_empirical_risk_refuses_what_it_cannot_average(y, y_hat, message):
    with pytest.raises(ValueError, match=message):
        empirical_risk(square, y, y_hat)


# --- conditional risks and Bayes predictions ------------------------------------------------------


def assert_bayes(loss, eta, candidates):
    """No candidate has a smaller conditional risk than the Bayes prediction."""
    if eta in (0, 1):
        risks = loss(2 * eta - 1, candidates)  # the label is certain
    else:
        risks = eta * loss(1, candidates) + (1 - eta) * loss(-1, candidates)
    best = conditional_bayes_risk(loss, eta)
    assert best == conditional_risk(loss, bayes_prediction(loss, eta), eta)
    assert best <= risks.min() + 1e-12 * (1 + best)
    spacing = np.diff(candidates).max()
    assert risks.min() <= best + 2 * spacing * (spacing < 1)  # labels: attained; else up to the grid
    return candidates[np.argmin(risks)]


@given(eta=probabilities)
def test_bayes_prediction_of_the_zero_one_loss(eta):
    best = assert_bayes(zero_one, eta, SIGNS)
    assert best == bayes_prediction(zero_one, eta) or abs(2 * eta - 1) < 1e-12
    assert conditional_bayes_risk(zero_one, eta) == pytest.approx(min(eta, 1 - eta), abs=1e-15)


@given(eta=probabilities, c_fp=costs, c_fn=costs)
def test_bayes_prediction_with_costs(eta, c_fp, c_fn):
    loss = CostSensitive(c_fp, c_fn)
    best = assert_bayes(loss, eta, SIGNS)
    assert best == bayes_prediction(loss, eta) or eta == pytest.approx(c_fp / (c_fp + c_fn))
    assert conditional_bayes_risk(loss, eta) == pytest.approx(min(c_fn * eta, c_fp * (1 - eta)))


@given(eta=probabilities)
def test_bayes_prediction_of_the_square_loss(eta):
    best = assert_bayes(square, eta, REALS)
    assert best == pytest.approx(bayes_prediction(square, eta), abs=1.001e-3 / 2)
    assert conditional_bayes_risk(square, eta) == pytest.approx(4 * eta * (1 - eta), abs=1e-14)


@given(eta=probabilities)
def test_bayes_prediction_of_the_absolute_loss(eta):
    assert_bayes(absolute, eta, REALS)
    assert conditional_bayes_risk(absolute, eta) == pytest.approx(2 * min(eta, 1 - eta), abs=1e-15)


@given(eta=probabilities, q=st.floats(0.01, 0.99))
def test_bayes_prediction_of_the_pinball_loss(eta, q):
    assert_bayes(Pinball(q), eta, REALS)


@given(eta=probabilities)
def test_bayes_prediction_of_the_log_loss(eta):
    best = assert_bayes(log_loss, eta, UNIT)
    assert best == pytest.approx(bayes_prediction(log_loss, eta), abs=1e-3)
    entropy = sum(-p * np.log(p) for p in (eta, 1 - eta) if p > 0)
    assert conditional_bayes_risk(log_loss, eta) == pytest.approx(entropy, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("loss", [zero_one, CostSensitive(3, 3), absolute, Pinball()], ids=repr)
def test_an_even_posterior_is_predicted_positive(loss):
    assert bayes_prediction(loss, 1 / 2) == 1


def test_the_cost_threshold_is_attained():
    assert bayes_prediction(CostSensitive(3, 1), 0.75) == 1
    assert bayes_prediction(CostSensitive(3, 1), np.nextafter(0.75, 0)) == -1


def test_what_never_happens_costs_nothing():
    with np.errstate(all="raise"):
        assert conditional_risk(log_loss, 1, 1) == 0 == conditional_risk(log_loss, 0, 0)
        assert conditional_risk(log_loss, 1, 0.999) == np.inf
        np.testing.assert_array_equal(conditional_bayes_risk(log_loss, [0, 1]), [0, 0])


def test_conditional_risks_of_margin_losses_take_scores():
    score, eta = REALS, 0.8
    logits = conditional_risk(logistic, score, eta)
    assert score[np.argmin(logits)] == pytest.approx(np.log(4), abs=1e-3)
    assert score[np.argmin(conditional_risk(exponential, score, eta))] == pytest.approx(np.log(2), abs=1e-3)
    assert score[np.argmin(conditional_risk(hinge, score, eta))] == pytest.approx(1)


@pytest.mark.parametrize("loss", WITH_BAYES, ids=repr)
def test_risks_broadcast_and_scalars_stay_scalars(loss):
    eta = np.array([[0, 0.2, 0.5], [0.7, 0.9, 1]])
    for function in (bayes_prediction, conditional_bayes_risk):
        table = function(loss, eta)
        assert table.shape == eta.shape
        np.testing.assert_array_equal(table, [[function(loss, e) for e in row] for row in eta.tolist()])
        np.testing.assert_array_equal(table, function(loss, eta.tolist()))
        assert np.isscalar(function(loss, 0.3))
    assert conditional_risk(loss, np.ones((4, 1)), eta[0]).shape == (4, 3)


@pytest.mark.parametrize("eta", [-0.1, 1.5, np.nan, [0.5, 2]])
def test_a_posterior_is_a_probability(eta):
    for risk in (bayes_prediction, conditional_bayes_risk):
        with pytest.raises(ValueError, match="eta must hold probabilities"):
            risk(square, eta)
    with pytest.raises(ValueError, match="eta must hold probabilities"):
        conditional_risk(square, 0, eta)


def test_a_loss_whose_bayes_prediction_is_not_known_says_so():
    with pytest.raises(ValueError, match="not known"):
        bayes_prediction(hinge, 0.3)


# --- the excess risk ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_excess_risk_is_risk_minus_bayes_risk(seed):
    rng = np.random.default_rng(seed)
    eta, h = np.append(rng.uniform(size=40), 1 / 2), rng.choice(SIGNS, 41)
    for weights in (None, rng.exponential(size=41)):
        risk = np.average(conditional_risk(zero_one, h, eta), weights=weights)
        bayes_risk = np.average(np.minimum(eta, 1 - eta), weights=weights)
        assert excess_risk(h, eta, weights) == pytest.approx(risk - bayes_risk)
    assert excess_risk(bayes_prediction(zero_one, eta), eta) == 0
    assert excess_risk(-bayes_prediction(zero_one, eta), eta) == pytest.approx(np.abs(2 * eta - 1).mean())


@pytest.mark.parametrize(
    ("predictions", "eta", "weights", "message"),
    [
        ([0, 1], [0.5, 0.5], None, "predictions must hold labels -1 and [+]1 only, got 0"),
        ([1, 1], [0.5], None, "same length"),
        ([1], [1.5], None, "eta must hold probabilities"),
        ([], [], None, "non-empty"),
        (["a"], [0.5], None, "must hold numbers"),
        ([1, 1], [0.5, 0.5], [1], "weight"),
        ([1, 1], [0.5, 0.5], [1, -1], "weight"),
        ([1, 1], [0.5, 0.5], [0, 0], "weight"),
    ],
)
def test_excess_risk_refuses_bad_input(predictions, eta, weights, message):
    with pytest.raises(ValueError, match=message):
        excess_risk(predictions, eta, weights)
