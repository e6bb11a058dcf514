"""AdaBoost keeps its identities in every round; its stumps are the best ones; awkward samples have defined answers."""

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression as SklearnLogisticRegression
from sklearn.tree import DecisionTreeClassifier

from mlcourse import AdaBoost, Bagging, DecisionStump, DecisionTree, Perceptron
from mlcourse.base import BinaryClassifier
from mlcourse.ensembles.adaboost import adaboost, by_resampling, by_stumps
from mlcourse.ensembles.resampling import rejection_sample, weighted_sample

LEARNERS = {"stumps": None, "trees": DecisionTree(max_depth=2), "one stump class": DecisionStump()}


def noisy_sample(seed, m=80, d=3, values=None):
    """Labels that no vote of few stumps fits: a score of two features with a tenth of the labels turned."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d)) if values is None else rng.integers(values, size=(m, d)).astype(float)
    y = np.where(X[:, 0] + X[:, -1] ** 2 + rng.normal(size=m) > 1, 1, -1)
    y[:2] = -1, 1
    return X, y


def test_the_same_rules_as_scikit_learn_give_the_same_vote():
    X, y = noisy_sample(4, m=300)
    ours = AdaBoost(DecisionTreeClassifier(max_depth=2, random_state=0), n_rounds=10, random_state=0).fit(X, y)
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=10).fit(X, y)
    np.testing.assert_allclose(2 * ours.alpha_, theirs.estimator_weights_)
    np.testing.assert_allclose(ours.epsilon_, theirs.estimator_errors_)
    assert np.array_equal(ours.predict(X), theirs.predict(X))


def test_thresholds_lie_between_their_neighbours_and_rules_generalise_to_new_points():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1]
    model = AdaBoost().fit(X, y)
    assert model.rules_[0].threshold_ == 1.5 and np.array_equal(model.predict([[1.4], [1.6]]), [-1, 1])


# --- the estimator ---------------------------------------------------------------------------------
@pytest.mark.parametrize("name", LEARNERS)
def test_scores_stages_and_margins_agree(name):
    X, y = noisy_sample(5)
    model = AdaBoost(LEARNERS[name], n_rounds=12).fit(X, np.where(y > 0, "yes", "no"))
    votes = np.array([h.predict(X) for h in model.rules_])
    stages = list(model.staged_scores(X))
    np.testing.assert_allclose(stages, np.cumsum(model.alpha_[:, None] * votes, axis=0), atol=1e-12)
    np.testing.assert_allclose(stages[-1], model.decision_function(X))
    for score, predicted in zip(stages, model.staged_predict(X), strict=True):
        assert np.array_equal(predicted, np.where(score >= 0, "yes", "no"))
    margins = model.margins(X, np.where(y > 0, "yes", "no"))
    np.testing.assert_allclose(margins, y * stages[-1] / model.alpha_.sum())
    assert np.isclose(np.prod(model.Z_), np.exp(-y * stages[-1]).mean())
    np.testing.assert_allclose(model.D_, np.exp(-y * stages[-1]) / np.exp(-y * stages[-1]).sum(), rtol=1e-8)


@pytest.mark.parametrize(
    "base, resample",
    [(Perceptron(max_epochs=5), True), (DecisionTree(max_depth=3), True), (DecisionTree(max_depth=3), False),
     (SklearnLogisticRegression(), False), (Bagging(n_estimators=3), True)],
    ids=str,
)  # fmt: skip
def test_any_classifier_may_be_the_weak_learner(base, resample):
    X, y = noisy_sample(7, m=60)
    models = [AdaBoost(base, n_rounds=5, resample=resample, random_state=3).fit(X, y) for _ in range(2)]
    assert np.array_equal(*(model.decision_function(X) for model in models))
    assert not hasattr(base, "n_features_in_"), "the weak learner itself was fitted"
    errors = [np.mean(predicted != y) for predicted in models[0].staged_predict(X)]
    assert len(errors) == len(models[0].rules_) and errors[-1] <= np.prod(models[0].Z_) + 1e-12


@pytest.mark.parametrize("draw", [rejection_sample, weighted_sample])
def test_resampling_and_weighting_agree_in_distribution(draw, rng):
    """The error of the rule trained on a sample from D approaches that of the rule trained with D."""
    X, y = noisy_sample(8, m=2000, d=1)
    D = adaboost(y, by_stumps(X, y), max_iter=5).last.D
    best = by_stumps(X, y)(D)[0].risk_
    learn = by_resampling(DecisionStump(), X, y, rng, draw)
    errors = np.array([D[learn(D)[1] != y].sum() for _ in range(30)])
    elsewhere = [D[learn(np.full(len(y), 1 / len(y)))[1] != y].sum() for _ in range(30)]
    assert (errors >= best - 1e-12).all() and errors.mean() - best < (np.mean(elsewhere) - best) / 3


# --- awkward samples -------------------------------------------------------------------------------
def test_a_perfect_first_rule_ends_the_run_and_decides_alone():
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    model = AdaBoost().fit(X, y)
    assert model.converged_ and len(model.rules_) == 1 and model.epsilon_[0] == 0 and np.isfinite(model.alpha_).all()
    assert np.array_equal(model.predict(X), y) and np.array_equal(model.margins(X, y), np.ones(6))
    assert len(list(model.staged_predict(X))) == 1


def test_a_perfect_later_rule_decides_alone():
    y = np.array([-1, 1, -1])
    answers = iter([np.array([-1, 1, 1]), y])
    run = adaboost(y, lambda D: (None, next(answers)), max_iter=50)
    assert run.converged and run.n_steps == 2 and run.last.alpha == np.inf and run.last.Z == 0
    assert np.isclose(run.last.D[2], 1 / 2) and np.isclose(run.last.D.sum(), 1)


class SecondTimeRight(BinaryClassifier):
    """Predicts -1 if all weights are equal; knows the labels, x_0 > 0, otherwise."""

    def fit(self, X, y, sample_weight):
        self.constant = np.ptp(sample_weight) == 0
        return super().fit(X, y)

    def _fit(self, X, y):
        pass

    def _score(self, X):
        return np.where((X[:, 0] > 0) & (not self.constant), 1.0, -1.0)


def test_a_vote_drops_its_rules_for_a_perfect_one():
    X, y = np.array([[-1.0], [-2.0], [-3.0], [1.0]]), np.array([-1, -1, -1, 1])
    model = AdaBoost(SecondTimeRight(), n_rounds=9).fit(X, y)
    assert model.converged_ and len(model.rules_) == 1 and not model.rules_[0].constant
    assert np.array_equal(model.predict(X), y) and np.array_equal(model.margins(X, y), np.ones(4))


def test_xor_has_no_stump_better_than_a_coin():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float), np.array([1, -1, -1, 1])
    for copies in (1, 3, 7, 25):  # weights 1/m that are not exact
        model = AdaBoost().fit(np.tile(X, (copies, 1)), np.tile(y, copies))
        assert model.rules_ == [] and model.alpha_.shape == (0,) and not model.converged_
        assert (model.predict(X) == 1).all() and list(model.staged_predict(X)) == []
        assert np.array_equal(model.margins(X, y), np.zeros(4))
    assert AdaBoost(DecisionTree(max_depth=2)).fit(X, y).score(X, y) == 1


def test_constant_features_and_contradictory_labels():
    X, y = np.ones((5, 2)), np.array([1, 1, -1, 1, -1])
    model = AdaBoost().fit(X, y)
    assert len(model.rules_) == 1 and np.isclose(model.epsilon_[0], 0.4) and (model.predict(X) == 1).all()
    contradictory = AdaBoost(n_rounds=300).fit([[0.0], [0.0], [1.0], [2.0]], [1, -1, 1, -1])
    assert np.isclose(contradictory.score([[0.0], [0.0], [1.0], [2.0]], [1, -1, 1, -1]), 0.75)


def test_no_weight_dies_of_underflow():
    y = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    votes = [np.where(np.arange(6) == i, -y, y) for i in range(3)]  # three hard examples, three that are always right
    turn = iter(range(10**6))
    run = adaboost(y, lambda D: (None, votes[next(turn) % 3]), max_iter=6000)
    assert run.n_steps == 6000 and (run.last.D > 0).all() and np.isclose(run.last.D.sum(), 1)
    assert run.last.D.min() < 1e-300, "this run was meant to make weights vanish"
    assert np.isfinite(run.last.alpha) and 0 < run.last.epsilon < 1 / 2
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    model = DecisionTree(max_depth=1).fit(X, y, run.last.D)
    assert np.isfinite(model.predict_proba(X)).all()


def test_errors_of_tiny_weight_give_a_finite_vote():
    D, y = np.array([1.0, 1e-300]), np.array([1.0, -1.0])
    votes = iter([np.array([1.0, 1.0])] * 2)
    with np.errstate(all="raise", under="ignore"):
        path = adaboost(y, lambda _: (None, next(votes)), max_iter=1).path
    assert path[0].D.sum() == 1 and len(path) == 1  # an error of 1/2: nothing was gained
    assert by_stumps(np.array([[0.0], [1.0]]), y)(D)[0].risk_ == 0


class Drawn(DecisionStump):
    """A stump that says how many different rows it was given, and counts how often it was trained."""

    seen = []

    def fit(self, X, y, sample_weight=None):
        assert sample_weight is None
        Drawn.seen.append(len(np.unique(X, axis=0)))
        return super().fit(X, y)


def test_resampling_draws_even_if_the_base_takes_weights():
    X, y = noisy_sample(0)
    Drawn.seen.clear()
    vote = AdaBoost(Drawn(), n_rounds=5, resample=True, random_state=0).fit(X, y)
    assert len(vote.rules_) == 5 <= len(Drawn.seen)
    assert max(Drawn.seen) < len(np.unique(X, axis=0))


def test_an_unlucky_draw_does_not_end_the_run(rng):
    """A coin as the weak learner: half of its rules are useless, and yet the run goes on."""
    X, y = rng.normal(size=(40, 2)), np.tile([-1, 1], 20)
    for seed in range(10):
        vote = AdaBoost(Perceptron(max_epochs=1), n_rounds=10, resample=True, random_state=seed)
        assert len(vote.fit(X, y).rules_) == 10


def test_a_tied_stage_predicts_the_last_class():
    vote = AdaBoost(n_rounds=2).fit([[0.0], [1.0], [2.0]], [1, -1, 1])
    vote.alpha_[1] = vote.alpha_[0]
    points = np.linspace(-1, 3, 41)[:, None]
    score, predicted = list(vote.staged_scores(points))[1], list(vote.staged_predict(points))[1]
    assert (score == 0).any() and (predicted[score == 0] == 1).all()


@pytest.mark.parametrize("ensemble", [AdaBoost(n_rounds=3), Bagging(n_estimators=3, random_state=0)])
def test_margins_need_known_labels(ensemble):
    X, y = noisy_sample(0)
    with pytest.raises(ValueError, match="labels among"):
        ensemble.fit(X, y).margins(X, np.where(y == 1, 1, 0))
