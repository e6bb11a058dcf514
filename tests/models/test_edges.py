"""Edges of the models: the values at which a rule changes, and the cases that seldom happen."""

import numpy as np
import pytest

from mlcourse import (
    SVM,
    Autoencoder,
    DecisionTree,
    GaussianDiscriminant,
    GaussianKernel,
    LinearKernel,
    LogisticRegression,
    MLPRegressor,
    Pegasos,
    PolynomialKernel,
    RegressionTree,
)
from mlcourse.models.kernels.dual_ascent import dual_ascent
from mlcourse.models.kernels.feature_maps import gaussian_features, polynomial_features
from mlcourse.models.kernels.pegasos import kernel_pegasos, pegasos
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.models.kernels.structured import IntersectionKernel, SpectrumKernel
from mlcourse.models.linear.perceptron import multiclass_perceptron
from mlcourse.models.networks.training import GAIN
from mlcourse.models.networks.word2vec import Word2Vec

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = np.where(X[:, 0] + 0.5 * RNG.normal(size=40) > 0, 1, -1)


# --- networks ------------------------------------------------------------------------------------


def test_half_of_the_units_are_silent_after_a_rectifier_and_none_after_a_sigmoid():
    assert GAIN == {"relu": 2.0, "leaky-relu": 2.0}


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


def test_dual_ascent_ends_only_when_every_move_is_small():
    K = X @ X.T
    run = dual_ascent(K, np.diag(K), Y, 1.0, tol=1e-6, max_iter=100_000, keep_path=False)
    beta = run.last
    free = (np.abs(beta) > 1e-9) & (np.abs(beta) < 1 - 1e-9)
    assert run.converged and np.abs((1 - Y * (K @ beta))[free]).max() <= 1e-6


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


def test_the_kernel_of_parts_refuses_points_of_another_kind():
    assert SpectrumKernel(p=2)(["abab"], ["ab"]).tolist() == [[2.0]]
    with pytest.raises(ValueError, match="must be of type str, got 3"):
        SpectrumKernel()(["abc", 3], ["abc"])
    assert IntersectionKernel()([{1, 2}], [{2, 3}]).tolist() == [[1.0]]


def test_pegasos_ends_by_its_own_rule_and_a_perceptron_without_success_does_not():
    batches = [np.array([0]), np.array([1, 2])]
    for run in (pegasos(X, Y, 0.5, batches), kernel_pegasos(X @ X.T, Y, 0.5, batches)):
        assert run.converged is True and run.n_steps == 2
    same, labels = np.ones((2, 1)), np.array([0, 1])  # one point with two labels
    assert multiclass_perceptron(same, labels, 2, [None] * 3).converged is False
    assert multiclass_perceptron(X[:1], labels[:1], 2, [None] * 3).converged is True
    assert Pegasos(n_steps=7, random_state=0).fit(X, Y).n_steps == 7


@pytest.mark.parametrize("shared", [False, True])
def test_a_shrunk_covariance_lies_between_its_own_and_a_multiple_of_the_identity(shared):
    own = GaussianDiscriminant(shared_covariance=shared).fit(X, Y).covariance_
    shrunk = GaussianDiscriminant(shared_covariance=shared, shrinkage=0.25).fit(X, Y).covariance_
    for Sigma, less in zip([own] if shared else own, [shrunk] if shared else shrunk, strict=True):
        assert less == pytest.approx(0.75 * Sigma + 0.25 * np.trace(Sigma) / 3 * np.eye(3))


def test_an_svm_with_any_kernel_and_bias_has_its_free_examples_on_the_margin():
    for kernel in (None, GaussianKernel(0.5), PolynomialKernel(2)):
        for bias in (True, False):
            model = SVM(C=1.0, kernel=kernel, bias=bias, tol=1e-9).fit(X + 5.0 * bias, Y)
            free = (model.alpha_ > 1e-6) & (model.alpha_ < 1 - 1e-6)
            margins = Y * model.decision_function(X + 5.0 * bias)
            assert free.any() and margins[free] == pytest.approx(1.0, abs=1e-5)
            assert (margins[model.alpha_ == 0] >= 1 - 1e-5).all() and (margins[model.alpha_ == 1] <= 1 + 1e-5).all()


def test_the_leaves_of_a_pruned_tree_ask_nothing():
    for model in (DecisionTree(max_leaves=3), DecisionTree(lam=0.05), DecisionTree(max_leaves=3, categorical=(0,))):
        table = np.column_stack([np.arange(40) % 5, X[:, 0]])
        tree = model.fit(table, Y).tree_
        leaf = tree.left < 0
        assert leaf.any() and (tree.right[leaf] == -1).all() and (tree.feature[leaf] == -1).all()
        assert np.isnan(tree.threshold[leaf]).all() and (tree.decrease[leaf] == 0).all()
        assert not tree.member[leaf].any()


# --- trees -----------------------------------------------------------------------------------------


def test_a_leaf_needs_its_share_of_examples_on_both_sides():
    x, y = np.arange(6.0)[:, None], np.array([0, 1, 1, 1, 1, 1])
    assert DecisionTree(min_leaf=1).fit(x, y).n_leaves_ == 2
    tree = DecisionTree(min_leaf=3).fit(x, y)
    assert tree.n_leaves_ == 2 and tree.tree_.count.min() == 3
    assert DecisionTree(min_leaf=4).fit(x, y).n_leaves_ == 1


def test_a_split_that_is_just_worth_its_price_is_pruned():
    x, y = np.arange(4.0)[:, None], np.array([0, 0, 1, 1])  # one split takes the error from 1/2 to 0
    assert DecisionTree(lam=0.5).fit(x, y).n_leaves_ == 1
    assert DecisionTree(lam=0.499).fit(x, y).n_leaves_ == 2


def test_a_regression_tree_of_equal_targets_is_a_leaf_with_that_value():
    for value in (0.0, -3.5, 1e140):
        tree = RegressionTree().fit(X, np.full(40, value))
        assert tree.n_leaves_ == 1 and tree.depth_ == 0 and tree.value_.tolist() == [value]


def test_a_table_with_names_and_numbers_is_read_by_columns():
    table = np.array([["red", 1.0], ["red", 2.0], ["blue", 3.0], ["blue", 4.0]], dtype=object)
    tree = DecisionTree(categorical=(0,)).fit(table, [0, 0, 1, 1])
    assert tree.predict(table).tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError):
        DecisionTree().fit(table, [0, 0, 1, 1])  # names in a column that was not declared
    with pytest.raises(ValueError, match="column 2"):
        DecisionTree(categorical=(2,)).fit(table[:, 1:].astype(float).repeat(2, axis=1), [0, 0, 1, 1])


def test_the_weights_of_a_tree_are_compared_with_their_sum():
    x, y = np.arange(4.0)[:, None], np.array([0, 0, 1, 1])
    for scale in (1e-9, 1.0, 1e9):
        tree = DecisionTree().fit(x, y, sample_weight=scale * np.array([1.0, 2.0, 3.0, 4.0]))
        assert tree.n_leaves_ == 2 and tree.predict(x).tolist() == y.tolist()


# --- words -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def words():
    text = ["the cat sat on the mat", "the dog sat on the rug", "a cat and a dog met on a mat"] * 5
    return Word2Vec(d=4, max_epochs=2, random_state=0).fit(text)


def test_five_words_are_similar_if_nothing_is_said_and_a_word_is_not_similar_to_itself(words):
    assert len(words.similar("cat")) == 5 and "cat" not in words.similar("cat", n=100)
    assert len(words.similar("cat", n=2, without=("dog",))) == 2
    assert words.similar(words.vector("cat"), n=1) == ["cat"]


def test_an_analogy_is_the_nearest_word_that_is_none_of_the_three(words):
    target = words.vector("dog") - words.vector("cat") + words.vector("mat")
    cosines = {word: words.vector(word) @ target for word in words.vocabulary_ if word not in ("cat", "dog", "mat")}
    assert words.analogy("cat", "dog", "mat") == max(cosines, key=cosines.get)


def test_a_linear_kernel_is_the_inner_product():
    assert LinearKernel()(X[:2], X[2:5]) == pytest.approx(X[:2] @ X[2:5].T)
