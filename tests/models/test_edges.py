"""Edges of the models: the values at which a rule changes, and the cases that seldom happen."""

import numpy as np
import pytest

from mlcourse import SVM, Autoencoder, DecisionTree, GaussianKernel, LogisticRegression, MLPRegressor, Pegasos
from mlcourse.models.kernels.feature_maps import gaussian_features, polynomial_features
from mlcourse.models.kernels.pegasos import kernel_pegasos, pegasos
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.models.linear.perceptron import multiclass_perceptron
from mlcourse.models.networks.word2vec import Word2Vec

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = np.where(X[:, 0] + 0.5 * RNG.normal(size=40) > 0, 1, -1)


# --- networks ------------------------------------------------------------------------------------
@pytest.mark.parametrize("activation, gain", [("relu", 2), ("leaky-relu", 2), ("tanh", 1), ("sigmoid", 1)])
def test_the_first_weights_have_the_variance_gain_over_inputs(activation, gain):
    many = RNG.normal(size=(20, 50))
    model = MLPRegressor(hidden=(400,), activation=activation, tau=1e-12, lam=0.0, max_epochs=1, random_state=0)
    W, b = model.fit(many, many[:, 0]).layers_[0]
    assert W.var() == pytest.approx(gain / 50, rel=0.03)  # 20000 numbers
    assert np.abs(b).max() < 1e-6


def test_early_stopping_holds_out_the_fraction_rounded_up():
    with pytest.raises(ValueError, match="4 of 4 are held out"):
        MLPRegressor(patience=1, validation=0.76).fit(X[:4], X[:4, 0])
    MLPRegressor(patience=1, validation=0.75, max_epochs=1).fit(X[:4], X[:4, 0])


def test_an_autoencoder_of_one_pass_says_so():
    assert Autoencoder(max_epochs=1, random_state=0).fit(X).n_epochs_ == 1


# --- linear models and kernels ---------------------------------------------------------------------
def test_steps_up_to_two_over_lam_are_allowed():
    model = LogisticRegression(lam=1.0, solver="sgd", tau=1.5, max_iter=50, random_state=0)
    assert np.isfinite(model.fit(X, Y).w_).all()
    with pytest.raises(ValueError, match="must be below 2 / lam = 2"):
        LogisticRegression(lam=1.0, solver="sgd", tau=2.0, max_iter=50, random_state=0).fit(X, Y)


@pytest.mark.parametrize("limit", [1, 5, 17, 60, 90, 130])
def test_the_svm_counts_all_its_steps_and_never_makes_more_than_allowed(limit):
    m = 60
    points = np.random.default_rng(1).normal(size=(m, 2))
    labels = np.where(points[:, 0] * points[:, 1] + 0.2 > 0, 1, -1)
    model = SVM(C=1e4, kernel=GaussianKernel(2.0), tol=1e-10, max_iter=limit)
    model.fit(points, labels)
    assert model.n_iter_ == limit and not model.converged_


def test_the_svm_needs_the_steps_that_it_says_it_made():
    points = np.random.default_rng(1).normal(size=(60, 2))
    labels = np.where(points[:, 0] * points[:, 1] + 0.2 > 0, 1, -1)
    n_iter = SVM(C=100.0, kernel=GaussianKernel(2.0), tol=1e-8).fit(points, labels).n_iter_
    assert n_iter > 2 * 60  # so that some steps were on all examples and some on a few
    again = SVM(C=100.0, kernel=GaussianKernel(2.0), tol=1e-8, max_iter=n_iter + 1).fit(points, labels)
    assert again.converged_ and again.n_iter_ == n_iter
    short = SVM(C=100.0, kernel=GaussianKernel(2.0), tol=1e-8, max_iter=n_iter - 1).fit(points, labels)
    assert not short.converged_ and short.n_iter_ == n_iter - 1


def test_features_of_degree_zero_are_a_constant_and_there_are_none_below():
    assert gaussian_features(X, gamma=0.5, degree=0) == pytest.approx(np.exp(-0.5 * (X**2).sum(axis=1))[:, None])
    for features, degree in ((polynomial_features, 0), (gaussian_features, -1)):
        with pytest.raises(ValueError, match="degree"):
            features(X, degree=degree)


def test_the_norm_of_a_function_is_a_real_number_even_if_rounding_makes_its_square_negative():
    rng, negative = np.random.default_rng(2), 0
    for _ in range(300):
        points = rng.normal(size=(4, 2))
        a = rng.normal(size=4)
        f = RKHSFunction(np.vstack([points, points[::-1]]), np.concatenate([a, -a[::-1]]), GaussianKernel(0.3))
        negative += f.inner(f) < 0
        assert isinstance(f.norm(), float) and 0 <= f.norm() < 1e-6
    assert negative > 0  # the case does happen


def test_pegasos_ends_by_its_own_rule_and_a_perceptron_without_success_does_not():
    batches = [np.array([0]), np.array([1, 2])]
    for run in (pegasos(X, Y, 0.5, batches), kernel_pegasos(X @ X.T, Y, 0.5, batches)):
        assert run.converged is True and run.n_steps == 2
    same, labels = np.ones((2, 1)), np.array([0, 1])  # one point with two labels
    assert multiclass_perceptron(same, labels, 2, [None] * 3).converged is False
    assert multiclass_perceptron(X[:1], labels[:1], 2, [None] * 3).converged is True
    assert Pegasos(n_steps=7, random_state=0).fit(X, Y).n_steps == 7


def test_the_leaves_of_a_pruned_tree_ask_nothing():
    for model in (DecisionTree(max_leaves=3), DecisionTree(lam=0.05), DecisionTree(max_leaves=3, categorical=(0,))):
        table = np.column_stack([np.arange(40) % 5, X[:, 0]])
        tree = model.fit(table, Y).tree_
        leaf = tree.left < 0
        assert leaf.any() and (tree.right[leaf] == -1).all() and (tree.feature[leaf] == -1).all()
        assert np.isnan(tree.threshold[leaf]).all() and (tree.decrease[leaf] == 0).all()
        assert not tree.member[leaf].any()


# --- words -----------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def words():
    text = ["the cat sat on the mat", "the dog sat on the rug", "a cat and a dog met on a mat"] * 5
    return Word2Vec(d=4, max_epochs=2, random_state=0).fit(text)


def test_five_words_are_similar_if_nothing_is_said_and_a_word_is_not_similar_to_itself(words):
    assert len(words.similar("cat")) == 5 and "cat" not in words.similar("cat", n=100)
    assert len(words.similar("cat", n=2, without=("dog",))) == 2
    assert words.similar(words.vector("cat"), n=1) == ["cat"]
