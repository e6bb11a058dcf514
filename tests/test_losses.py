"""Every loss keeps what it declares: derivative, convexity, Lipschitz and smoothness constants, domination.

A loss is looked at through its curves: the loss as a function t -> value(t) of one real number, the
margin, or the prediction for a few fixed labels. The constants are checked from both sides: no pair
of points exceeds a declared constant and some pair almost attains it; where none is declared (inf),
pairs exceed constants as large as you like.
"""

import pickle
from collections import namedtuple
from dataclasses import FrozenInstanceError
from functools import partial

import numpy as np
import pytest

from mlcourse.losses import (
    CostSensitive,
    MarginLoss,
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
MARGIN += [RhoMargin(), RhoMargin(0.2), RhoMargin(3)]
REGRESSION = [square, absolute, Pinball(), Pinball(0.1), Pinball(0.75)]
LABEL = [zero_one, CostSensitive(2, 1), CostSensitive(0.5, 3), CostSensitive(1, 1)]
REAL = [*MARGIN, *REGRESSION, log_loss]
TWICE = [logistic, logistic_base2, exponential, squared_margin]


class Curve(namedtuple("Curve", "value slope points label domain")):
    """The loss as a function of one real number in an open domain, and points of it that matter."""

    def inside(self, h):
        """Which points t, of moderate size, have t - h and t + h in the domain."""
        low, high = self.domain
        return (low < self.points - h) & (self.points + h < high) & (np.abs(self.points) <= 100)


each_real_loss = pytest.mark.parametrize("loss", REAL, ids=repr)
each_loss = pytest.mark.parametrize("loss", REAL + LABEL, ids=repr)


def curves(loss):
    """The loss as functions of one real number, each with points that matter (kinks, random, extreme)."""
    rng = np.random.default_rng(0)
    if loss is log_loss:
        points = np.concatenate([rng.uniform(0.01, 0.99, 100), [0.5, 1e-6, 1e-4, 1 - 1e-4, 1 - 1e-6]])
    else:
        kinks = [0, 1, -1, 0.25, getattr(loss, "rho", 1)]
        points = np.concatenate([rng.uniform(-3, 3, 100), kinks, [-30, 30, -1e6, 1e6]])
        points = points[points > -100] if loss is exponential else points
    if isinstance(loss, MarginLoss):
        return [Curve(loss, loss.derivative, points, None, (-np.inf, np.inf))]
    labels, domain = ([-1, 1], (0, 1)) if loss is log_loss else ([-1, 1, 0.25], (-np.inf, np.inf))
    return [Curve(partial(loss, y), partial(loss.derivative, y), points, y, domain) for y in labels]


def excess(change, *values):
    """The size of a change beyond what rounding of the values may have added to it."""
    return np.abs(change) - 8 * np.finfo(float).eps * sum(map(np.abs, values))


def steepest(curve):
    """The largest slope of a chord of the curve, between its points or at one of them."""
    a = curve.points
    fa, slopes = curve.value(a), []
    for b in [a[:, None], np.where(curve.inside(2.0**-20), a + 2.0**-20, a)]:
        fb, gap = curve.value(b), np.abs(b - a)
        slopes.append(np.max(excess(fb - fa, fa, fb)[gap > 0] / gap[gap > 0]))
    return max(slopes)


def most_curved(curve):
    """The largest |f(t+h) - 2 f(t) + f(t-h)| / h^2, which the smoothness constant bounds exactly."""
    ratios = []
    for h in [2.0**-20, 2.0**-8]:
        t = curve.points[curve.inside(h)]
        low, mid, high = curve.value(t - h), curve.value(t), curve.value(t + h)
        ratios.append(np.max(excess(low - 2 * mid + high, low, 2 * mid, high) / h**2))
    return max(ratios)


def assert_constant(declared, seen):
    if np.isinf(declared):
        for constant in [1e1, 1e3, 1e5]:
            assert seen > constant, f"declared unbounded, but {constant:g} was never exceeded"
    else:
        assert seen <= declared * (1 + 1e-9), "the declared constant is too small"
        assert seen >= declared * 0.99, "the declared constant is larger than it need be"


@each_real_loss
def test_derivative_is_the_slope(loss):
    for curve in curves(loss):
        t = curve.points[:100]  # random, so off the kinks
        h = 1e-6
        numeric = (curve.value(t + h) - curve.value(t - h)) / (2 * h)
        np.testing.assert_allclose(curve.slope(t), numeric, rtol=1e-5, atol=1e-8)


@each_real_loss
def test_convex_exactly_if_declared(loss):
    violated = False
    for curve in curves(loss):
        t = curve.points[:105]
        a, b = t, t[:, None]
        fa, fb, middle = curve.value(a), curve.value(b), curve.value((a + b) / 2)
        violated |= bool(np.any(excess(middle - (fa + fb) / 2, fa, fb) * (middle > (fa + fb) / 2) > 0))
    assert violated != loss.convex


@pytest.mark.parametrize("loss", [loss for loss in REAL if loss.convex], ids=repr)
def test_derivative_is_a_subgradient_everywhere_kinks_included(loss):
    for curve in curves(loss):
        a = b = curve.points[:105]
        tangent = curve.value(a) + curve.slope(a) * (b[:, None] - a)
        assert np.all(curve.value(b)[:, None] >= tangent - 1e-9 * (1 + np.abs(tangent)))


@each_real_loss
def test_lipschitz_constant(loss):
    assert_constant(loss.lipschitz, max(map(steepest, curves(loss))))


@each_real_loss
def test_derivative_never_exceeds_the_lipschitz_constant(loss):
    for curve in curves(loss):
        assert np.all(np.abs(curve.slope(curve.points)) <= loss.lipschitz)


@each_real_loss
def test_smoothness_constant(loss):
    assert_constant(loss.smooth, max(map(most_curved, curves(loss))))


@pytest.mark.parametrize("loss", TWICE, ids=repr)
def test_curvature_is_the_slope_of_the_derivative(loss):
    z, h = np.concatenate([np.random.default_rng(0).uniform(-6, 6, 200), [0, -30, 30]]), 1e-6
    numeric = (loss.derivative(z + h) - loss.derivative(z - h)) / (2 * h)
    np.testing.assert_allclose(loss.curvature(z), numeric, rtol=1e-5, atol=1e-9)
    assert loss.curvature(0.5).shape == () and loss.curvature([[1, 2, 3]]).shape == (1, 3)


@pytest.mark.parametrize("loss", TWICE, ids=repr)
def test_curvature_is_positive_bounded_by_the_smoothness_and_attains_it(loss):
    z = np.concatenate([np.linspace(-700, 700, 1401), [0.0]])
    assert (loss.curvature(z) > 0).all()
    assert loss.curvature(z).max() == loss.smooth or np.isinf(loss.smooth)


@pytest.mark.parametrize("loss", [loss for loss in MARGIN if loss not in TWICE], ids=repr)
def test_losses_with_kinks_have_no_curvature(loss):
    with pytest.raises((AttributeError, ValueError)):
        loss.curvature(0.5)


@pytest.mark.parametrize("loss", MARGIN, ids=repr)
@pytest.mark.parametrize("z", [0.5, -2, [1.0, -1.0, 0.0], np.linspace(-50, 50, 101), [[1, 2], [0, -3]]], ids=np.shape)
def test_with_derivative_is_the_pair(loss, z):
    value, slope = loss.with_derivative(z)
    np.testing.assert_allclose(value, loss(z), rtol=1e-14)
    np.testing.assert_allclose(slope, loss.derivative(z), rtol=1e-14)
    assert np.shape(value) == np.shape(slope) == np.shape(z)


EXTREMES = np.array([s * 10.0**e for e in (3, 10, 100, 300) for s in (-1, 1)])
WRONG = EXTREMES < 0
LIMITS = {  # loss -> value, derivative and curvature far out
    logistic: (WRONG * -EXTREMES, -1.0 * WRONG, 0.0),
    logistic_base2: (WRONG * -EXTREMES / np.log(2), -1 / np.log(2) * WRONG, 0.0),
    exponential: (np.where(WRONG, np.inf, 0), np.where(WRONG, -np.inf, 0), np.where(WRONG, np.inf, 0)),
    squared_margin: (
        np.array([float(e) if e < 1e308 else np.inf for e in [(1 - int(z)) ** 2 for z in EXTREMES]]),
        2 * EXTREMES - 2,
        2.0,
    ),
}


@pytest.mark.parametrize("loss", TWICE, ids=repr)
def test_extreme_margins_reach_their_limits_in_silence(loss):
    value, slope, curvature = LIMITS[loss]
    np.testing.assert_allclose(loss(EXTREMES), value, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(loss.derivative(EXTREMES), slope, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(loss.curvature(EXTREMES), curvature, rtol=1e-12, atol=1e-300)
    for got, limit in zip(loss.with_derivative(EXTREMES), (value, slope), strict=True):
        np.testing.assert_allclose(got, limit, rtol=1e-12, atol=1e-300)


def zero_one_of(loss, curve):
    """The zero-one loss of the label that t stands for, an undecided t counting as an error."""
    score = 2 * curve.points - 1 if loss is log_loss else curve.points
    return zero_one_margin(score if curve.label is None else curve.label * score)


@each_real_loss
def test_dominates_zero_one_exactly_if_declared(loss):
    gaps = [
        np.min(curve.value(curve.points) - zero_one_of(loss, curve))
        for curve in curves(loss)
        if curve.label in (None, -1, 1)
    ]
    assert (min(gaps) >= 0) == loss.dominates_zero_one


@pytest.mark.parametrize("loss", LABEL, ids=repr)
def test_label_losses_dominate_zero_one_exactly_if_declared(loss):
    y, y_hat = np.array([-1, 1]), np.array([[-1], [1]])
    assert np.all(loss(y, y_hat) >= zero_one(y, y_hat)) == loss.dominates_zero_one


@pytest.mark.parametrize("loss", LABEL, ids=repr)
def test_label_losses_have_no_derivative_and_promise_nothing(loss):
    with pytest.raises(ValueError, match="no derivative"):
        loss.derivative(1, -1)
    assert (loss.convex, loss.lipschitz, loss.smooth) == (False, np.inf, np.inf)


@each_real_loss
def test_losses_are_never_negative(loss):
    for curve in curves(loss):
        assert np.all(curve.value(curve.points) >= 0)


@each_loss
def test_a_loss_is_a_named_documented_value(loss):
    assert isinstance(loss.name, str)
    assert len(type(loss).__doc__.splitlines()) == 1
    assert (type(loss.convex), type(loss.dominates_zero_one)) == (bool, bool)
    assert (type(loss.lipschitz), type(loss.smooth)) == (float, float)
    copy = pickle.loads(pickle.dumps(loss))
    assert copy == loss and hash(copy) == hash(loss)
    assert sum(loss == other for other in REAL + LABEL) == 1


@pytest.mark.parametrize(("loss", "parameter"), [(RhoMargin(), "rho"), (Pinball(), "q"), (CostSensitive(1, 1), "c_fp")])
def test_parameters_of_a_loss_are_fixed(loss, parameter):
    with pytest.raises(FrozenInstanceError):
        setattr(loss, parameter, 0.5)
