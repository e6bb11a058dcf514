"""The stump at the ends of the floats, under monotone maps and without a feature that varies."""

import numpy as np
import pytest

from mlcourse import DecisionStump


@pytest.mark.parametrize("scale", [np.exp, np.arctan, lambda x: x**3])
def test_predictions_do_not_change_under_monotone_maps_of_the_feature(scale, rng):
    X, y = rng.normal(size=(50, 1)), rng.choice([-1, 1], size=50)
    assert np.array_equal(DecisionStump().fit(X, y).predict(X), DecisionStump().fit(scale(X), y).predict(scale(X)))


@pytest.mark.parametrize("low, high", [(1 + 2**-52, 1 + 2**-51), (1e308, 1.7e308), (5e-324, 1e-323), (-1e308, 1e308)])
def test_the_cut_separates_its_neighbours_also_where_their_middle_rounds(low, high):
    stump = DecisionStump().fit([[low], [high]], [-1, 1])
    assert stump.risk_ == 0 and low <= stump.threshold_ < high
    assert np.array_equal(stump.predict([[low], [high]]), [-1, 1])


def test_constant_features_give_the_constant_rule():
    stump = DecisionStump().fit(np.ones((5, 2)), [1, 1, -1, 1, -1])
    assert stump.threshold_ == -np.inf and (stump.predict(np.ones((3, 2))) == 1).all()
