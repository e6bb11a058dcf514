"""The stump is the exact minimiser over every feature, threshold and sign."""

import numpy as np
import pytest

from mlcourse import DecisionStump


def least_weighted_error(X, y, D):
    best = 1.0
    for x in X.T:
        for theta in [-np.inf, *x]:  # the middle of two values and the lower of them split the sample alike
            rule = np.where(x > theta, 1, -1)
            error = D[rule != y].sum()
            best = min(best, error, 1 - error)
    return best


@pytest.mark.claim("prop-stump-erm")
@pytest.mark.algorithm("alg-stump")
@pytest.mark.parametrize("seed", range(60))
def test_no_stump_has_a_smaller_weighted_error(seed, rng):
    m, d = int(rng.integers(2, 25)), int(rng.integers(1, 4))
    X = rng.integers(0, int(rng.integers(2, 9)), size=(m, d)).astype(float)  # many ties
    y = rng.choice([-1, 1], size=m)
    y[:2] = -1, 1
    D = rng.dirichlet(np.ones(m)) if seed % 2 else np.full(m, 1 / m)
    stump = DecisionStump().fit(X, y, D)
    assert np.isclose(stump.risk_, least_weighted_error(X, y, D))
    assert np.isclose(D[stump.predict(X) != y].sum(), stump.risk_)


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
