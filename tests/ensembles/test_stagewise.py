"""Boosting with a bounded sum of weights, step by step; that it finds the optimum is a theorem's test."""

import numpy as np
import pytest

from mlcourse.ensembles.adaboost import by_stumps
from mlcourse.ensembles.stagewise import regularised_boosting
from mlcourse.ensembles.voting import Vote


def noisy_sample(seed, m=40, d=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    y = np.where(X[:, 0] + X[:, -1] ** 2 + rng.normal(size=m) > 1, 1.0, -1.0)
    y[:2] = -1, 1
    return X, y


def test_the_gap_is_honest_in_every_step_and_the_weights_stay_bounded():
    X, y = noisy_sample(3)
    path = regularised_boosting(y, by_stumps(X, y), 1.0, tol=1e-2, max_iter=300).path
    risks = [np.log(np.exp(-y * state.f).mean()) for state in path]
    assert (np.diff(risks) <= 1e-9).all()
    for before, after, risk in zip(path, path[1:], risks, strict=False):
        assert risk - after.gap <= risks[-1] + 1e-9  # the gap belongs to the combination before the step
        assert after.alpha.sum() <= 1 + 1e-9 and (after.alpha >= 0).all() and len(after.alpha) == len(after.rules)
        assert before.gap > 1e-2
    last = path[-1]
    np.testing.assert_allclose(last.f, sum(a * h.predict(X) for a, h in zip(last.alpha, last.rules, strict=True)))
    clear = np.abs(last.f) > 1e-9
    assert np.array_equal(Vote(last.rules, last.alpha).predict(X)[clear], np.sign(last.f)[clear])


@pytest.mark.parametrize("lam", [0, -1.0, np.inf])
def test_the_sum_of_weights_must_be_positive(lam):
    X, y = noisy_sample(0)
    with pytest.raises(ValueError, match="lam must be"):
        regularised_boosting(y, by_stumps(X, y), lam)
