"""The memoriser is empirical risk minimisation over all functions."""

import numpy as np
import pytest

from mlcourse import Memoriser


@pytest.mark.claim("prop-least-training-error")
@pytest.mark.algorithm("alg-memoriser")
@pytest.mark.parametrize("seed", range(40))
def test_training_error_is_the_least_of_any_function(rng):
    X = rng.integers(0, 4, size=(12, 2)).astype(float)
    y = np.append(rng.choice([-1, 1], size=10), [-1, 1])
    places = [np.flatnonzero((X == x).all(axis=1)) for x in np.unique(X, axis=0)]
    least = sum(min((y[i] == 1).sum(), (y[i] == -1).sum()) for i in places) / 12
    assert np.isclose(np.mean(Memoriser().fit(X, y).predict(X) != y), least)


@pytest.mark.claim("prop-memoriser")
@pytest.mark.parametrize("elsewhere", [-1, 1])
def test_off_the_sample_it_says_the_same_everywhere(elsewhere, rng):
    X, y = rng.uniform(size=(50, 1)), rng.choice([-1, 1], size=50)
    model = Memoriser(elsewhere=elsewhere).fit(X, y)
    assert np.mean(model.predict(X) != y) == 0
    assert (model.predict(rng.uniform(size=(10_000, 1))) == elsewhere).all()


def test_elsewhere_must_be_a_label():
    with pytest.raises(ValueError, match="elsewhere must be -1 or"):
        Memoriser(elsewhere=0).fit([[0.0], [1.0]], [-1, 1])
