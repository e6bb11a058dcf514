"""Where Amini, Kondor and Vayatis disagree: who is right."""

import numpy as np
import pytest

from mlcourse import Perceptron
from mlcourse.evaluation.model_selection import least_risk
from mlcourse.losses import hinge
from mlcourse.theory.rademacher import all_signs, rademacher


@pytest.mark.erratum("EX1")
def test_three_definitions_of_one_complexity():
    rng, sigma = np.random.default_rng(0), all_signs(8)
    for _ in range(20):
        values = rng.normal(size=(5, 8))
        agreements = sigma @ values.T
        amini = 2 * np.abs(agreements).max(axis=1).mean() / 8
        vayatis = agreements.max(axis=1).mean()
        assert amini >= 2 * rademacher(values) and np.isclose(vayatis, 8 * rademacher(values))
    symmetric = np.vstack([values, -values])  # then the absolute value changes nothing
    assert np.isclose(2 * np.abs(sigma @ symmetric.T).max(axis=1).mean() / 8, 2 * rademacher(symmetric))


@pytest.mark.erratum("EX2")
def test_norm_and_squared_norm_with_the_same_factor_have_different_minimisers():
    w = np.linspace(0, 3, 30_001)
    losses = hinge(w)  # one example, x = y = 1
    book, squared, plain = (w[np.argmin(losses + p)] for p in (0.8 / 2 * w**2, 0.8 * w**2, 0.8 * w))
    assert np.allclose([book, squared, plain], [1, 1 / 1.6, 1], atol=1e-3)
    assert np.isclose(w[np.argmin(losses + 1.6 / 2 * w**2)], squared)  # half of lambda is the conversion


@pytest.mark.erratum("EX3")
def test_a_zero_score_is_predicted_positive_and_corrected_in_either_case():
    for label in (-1, 1):
        X, y = np.array([[1.0], [-1.0]]), np.array([label, -label])
        model = Perceptron(bias=False).fit(X, y)
        assert np.sign(model.w_[0]) == label and (model.predict(X) == y).all()  # it left 0, although sgn 0 = +1
        assert model.predict(np.zeros((1, 1)))[0] == 1


@pytest.mark.erratum("EX4")
def test_the_best_fold_and_the_best_average_can_choose_differently():
    risks = np.array([[0.0, 0.5, 0.5], [0.1, 0.1, 0.1]])  # two candidates, three folds
    assert risks.min(axis=1).argmin() == 0 and least_risk(risks) == 1
