"""Votes are counted as defined; samples drawn from a sample have the distribution that they claim."""

import numpy as np
import pytest
from scipy.stats import chisquare

from mlcourse import DecisionStump, DecisionTree, KNearestNeighbors, Perceptron
from mlcourse.ensembles import resampling
from mlcourse.ensembles.resampling import bootstrap, rejection_sample, weighted_sample
from mlcourse.ensembles.voting import Constant, Vote, fitted_copy, strength_and_correlation


def three_class_sample(seed, m=60):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 2))
    return X, np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.5 * rng.normal(size=m), [-0.5, 0.5])]


# --- votes -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(5))
def test_the_class_with_most_weight_wins(seed):
    rng, (X, y) = np.random.default_rng(seed), three_class_sample(seed)
    rules = [DecisionTree(max_depth=depth).fit(X, y) for depth in (1, 2, 3)] + [KNearestNeighbors().fit(X, y)]
    alpha, new = rng.uniform(size=4), rng.normal(size=(50, 2))
    vote = Vote(rules, alpha)
    predictions = np.array([h.predict(new) for h in rules])
    for i, (shares, winner) in enumerate(zip(vote.shares(new), vote.predict(new), strict=True)):
        weight = {c: alpha[predictions[:, i] == c].sum() for c in "abc"}
        assert weight[winner] == max(weight.values())
        np.testing.assert_allclose(shares, [weight[c] / alpha.sum() for c in "abc"], atol=1e-12)


def test_two_classes_vote_by_the_sign_of_the_weighted_sum(rng):
    X, y = rng.normal(size=(60, 3)), rng.choice([-1, 1], size=60)
    rules = [DecisionStump().fit(X[i], y[i]) for i in rng.integers(60, size=(5, 60))]
    alpha = rng.uniform(size=5)
    f = alpha @ [h.predict(X) for h in rules]
    assert np.array_equal(Vote(rules, alpha).predict(X), np.where(f >= 0, 1, -1))
    np.testing.assert_allclose(Vote(rules, alpha).margins(X, y), y * f / alpha.sum(), atol=1e-12)


def test_a_tie_goes_to_the_last_class_and_rules_may_know_different_classes():
    X = np.zeros((2, 1))
    vote = Vote([Constant("a"), Constant("c")])
    assert np.array_equal(vote.classes_, ["a", "c"]) and np.array_equal(vote.predict(X), ["c", "c"])
    assert (Vote([Constant("a"), Constant("c")], [2, 1]).predict(X) == "a").all()
    three = Vote([Constant(c) for c in "aab"] + [Constant("c")] * 3)
    np.testing.assert_allclose(three.margins(X, ["a", "c"]), [2 / 6 - 3 / 6, 3 / 6 - 2 / 6])


@pytest.mark.parametrize(
    "rules, alpha, message",
    [
        ([], None, "at least one of the rules"),
        ([Constant(1)], [1.0, 2.0], "same length"),
        ([Constant(1)], [-1.0], "zero or positive"),
        ([Constant(1)], [0.0], "not all of them zero"),
        ([Constant(1)], [np.nan], "finite"),
    ],
)
def test_impossible_votes_are_refused(rules, alpha, message):
    with pytest.raises(ValueError, match=message):
        Vote(rules, alpha)


def test_equal_voters_are_fully_correlated_and_perfect_ones_have_no_spread():
    X, y = three_class_sample(0)
    h = DecisionTree(max_depth=1).fit(X, y)
    assert np.isclose(strength_and_correlation([h, h, h], X, y).correlation, 1)
    perfect = strength_and_correlation([DecisionTree().fit(X, y)] * 2, X, y)
    assert perfect == (1, 0)
    assert strength_and_correlation([Constant("a")] * 2, X, np.full(60, "b")).strength < 0


# --- training --------------------------------------------------------------------------------------
def test_training_copies_the_model_and_gives_it_a_new_seed():
    rng, base = np.random.default_rng(0), Perceptron(shuffle=True, random_state=3)
    X, y = np.random.default_rng(1).normal(size=(30, 2)), np.repeat([0, 1], 15)
    one, two = (fitted_copy(base, X, y, rng) for _ in range(2))
    assert one.random_state != two.random_state and base.random_state == 3 and not hasattr(base, "w_")


def test_one_class_gives_the_constant_rule():
    h = fitted_copy(DecisionTree(), np.zeros((3, 1)), np.array(["x"] * 3), np.random.default_rng(0))
    assert isinstance(h, Constant) and np.array_equal(h.predict(np.zeros((2, 1))), ["x", "x"])
    assert np.array_equal(h.predict_proba(np.zeros((2, 1))), np.ones((2, 1)))


# --- samples of samples ----------------------------------------------------------------------------
def test_bootstrap_draws_every_row_equally_often():
    rng = np.random.default_rng(1)
    counts = sum(np.bincount(bootstrap(20, rng), minlength=20) for _ in range(2000))
    assert chisquare(counts).pvalue > 1e-3


@pytest.mark.parametrize("D", [[0.1, 0.2, 0.3, 0.4], [0.0, 1.0, 0.0], [1.0], [1e-3, 0.999], [5.0, 5.0, 10.0]], ids=str)
@pytest.mark.parametrize("draw", [rejection_sample, weighted_sample])
def test_samples_have_the_distribution(D, draw, monkeypatch):
    monkeypatch.setattr(resampling, "MAX_PROPOSALS", 5000)
    D = np.array(D)
    rows = draw(D, 20_000, np.random.default_rng(2))
    counts = np.bincount(rows, minlength=len(D))
    assert len(rows) == 20_000 and (counts[D == 0] == 0).all()
    if (D > 0).sum() > 1:
        assert chisquare(counts[D > 0], 20_000 * D[D > 0] / D.sum()).pvalue > 1e-3


@pytest.mark.parametrize("draw", [rejection_sample, weighted_sample])
def test_what_is_no_distribution_is_refused(draw):
    for D, message in [([0.0, 0.0], "not all of them zero"), ([1.0, -1.0], "zero or positive"), ([np.nan], "finite")]:
        with pytest.raises(ValueError, match=message):
            draw(D, 5)
    with pytest.raises(ValueError, match="size must be an integer"):
        draw([1.0], 0)


def test_huge_weights_are_weights():
    h = DecisionStump().fit([[0.0], [1.0]], [0, 1])
    assert np.array_equal(Vote([h, h], [1e308, 1e308]).shares([[0.0]]), [[1, 0]])
