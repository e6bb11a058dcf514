"""Every public callable, given nonsense for any of its arguments: a clear error or a right answer, never a warning.

Public is what a reader would call: the front door, what the rooms list in ``__all__``, and every name that a page
imports. Each of them has a recipe below, a call that is right; whatever else the package defines is a building
block, listed with the reason why nobody checks its arguments twice. A new name in neither list fails the test.

An error is clear if the package raised it itself, as ``ValueError`` or ``TypeError``: then somebody has
written its message. What NumPy says of shapes that do not fit is not a message to a reader.
"""

import ast
import copy
import functools
import importlib
import inspect
import itertools
import json
import linecache
import pickle
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import mlcourse
from mlcourse import data, evaluation, losses
from mlcourse.base import Estimator
from mlcourse.data import FiniteLaw, GaussianPair, NoisyFunction, StepPosterior
from mlcourse.models.kernels import functions as kernels
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.models.kernels.structured import IntersectionKernel, SpectrumKernel
from mlcourse.models.networks import layers
from mlcourse.models.networks.convolution import ConvolutionalClassifier
from mlcourse.models.networks.word2vec import Word2Vec
from mlcourse.models.trees import predictor as tree_predictor
from mlcourse.models.trees.optimal_tree import OptimalTree
from mlcourse.optim.objective import LinearRisk, Quadratic

ROOT = Path(__file__).parents[1]
pytestmark = [
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore::mlcourse.arguments.errors.SeparableWarning"),  # what the models say, rightly,
    pytest.mark.filterwarnings("ignore::mlcourse.arguments.errors.SingularCovarianceWarning"),  # of strange samples
    pytest.mark.filterwarnings("ignore::mlcourse.arguments.errors.DataConversionWarning"),
]

# --- right calls -----------------------------------------------------------------------------------
# Whole numbers throughout: they are the same as floats of any size, as integers, in lists and in tables.

X = np.array([[0, 0], [1, 0], [0, 1], [2, 1], [1, 3], [3, 2], [2, 4], [4, 1]], dtype=float)
y = np.array([-1, -1, -1, 1, -1, 1, 1, 1])
t = np.array([0.0, 1, 3, 2, 5, 4, 7, 6])
K = X @ X.T + np.eye(8)
FOLDS = [(np.arange(0, 8, 2), np.arange(1, 8, 2)), (np.arange(1, 8, 2), np.arange(0, 8, 2))]
TEXTS = ["the cat sat", "the dog sat down", "a cat and a dog"]
TREE = tree_predictor.Node(tree_predictor.Threshold(0, 0.5), (tree_predictor.Leaf(-1), tree_predictor.Leaf(1)))


def knn():
    return mlcourse.KNearestNeighbors(k=1)


def fitted_rules():
    return [mlcourse.DecisionStump().fit(X, y), mlcourse.KNearestNeighbors(k=3).fit(X, y)]


def bowl(w):
    return 2 * w


def batch_bowl(w, rows):
    return 2 * w


def parabola(tau):
    return (tau - 1.0) ** 2, 2 * (tau - 1.0)


def stump_learner(D):
    vote = np.where(X[:, 0] > 1.5, 1, -1)
    return "stump", vote


def squared(a, b):
    return (np.asarray(a, dtype=float) - b) ** 2


def some_batches():
    return [np.array([0, 1]), np.array([2])]


def rng():
    return np.random.default_rng(0)


def risk():
    return LinearRisk(losses.logistic, X, y, 0.5, True)


def right_calls():
    """For each public function or method: the callable and arguments that are right, made anew."""
    P = np.array([[0.25, 0.25], [0.125, 0.375]])
    finite, pair, noisy = FiniteLaw(P), GaussianPair([1.0, 0.0], [-1.0, 0.0]), NoisyFunction(np.sin)
    step = StepPosterior([0.5], [0.25, 0.75])
    f = RKHSFunction(X, t, kernels.GaussianKernel(0.5))
    quadratic = Quadratic(np.array([[2.0, 1], [1, 2]]), np.array([1.0, 0]))
    cv = evaluation.cross_validate(knn(), X, y, FOLDS)
    line = {"phi": parabola, "tau": 1.0}
    descent = {"w": np.array([1.0, 2]), "max_iter": 5}
    tests = tree_predictor
    return {
        # --- data
        "data.FiniteLaw": {"P": P, "labels": np.array([-1, 1]), "points": np.array([[0.0], [1]])},
        finite.sample: {"m": 3, "rng": 0},
        finite.risk: {"h_values": np.array([1, -1]), "loss": losses.zero_one},
        finite.bayes_predictor: {"loss": losses.zero_one, "predictions": np.array([-1, 1])},
        finite.bayes_risk: {"loss": losses.zero_one, "predictions": np.array([-1, 1])},
        "data.GaussianPair": {
            "mu_plus": np.array([1.0, 0]),
            "mu_minus": np.array([-1.0, 0]),
            "covariance": np.eye(2),
            "prior": 0.5,
        },
        pair.sample: {"m": 3, "rng": 0},
        pair.eta: {"X": X},
        pair.bayes_predict: {"X": X},
        pair.risk: {"h": pair.bayes_predict},
        pair.risk_of_linear: {"w": np.array([1.0, 0]), "b": 1.0},
        "data.StepPosterior": {"breaks": np.array([0.5]), "levels": np.array([0.25, 0.75])},
        step.sample: {"m": 3, "rng": 0},
        step.eta: {"X": np.array([[0.0], [1]])},
        step.bayes_predict: {"X": np.array([[0.0], [1]])},
        step.risk: {"h": step.bayes_predict},
        "data.NoisyThreshold": {"theta": 0.5, "noise": 0.25},
        data.NoisyThreshold().risk_of_threshold: {"theta": 0.25},
        "data.LipschitzPosterior": {"c": 2.0, "k": 1},
        data.LipschitzPosterior().eta: {"X": np.array([[0.0], [1]])},
        "data.SeparableMargin": {"d": 2, "rho": 0.25, "R": 1.0, "w": np.array([1.0, 1]), "bias": 0.25},
        data.SeparableMargin(2, 0.25).eta: {"X": X},
        "data.XOR": {"noise": 0.25, "d": 2},
        data.XOR().eta: {"X": X},
        "data.NestedSpheres": {"d": 2},
        data.NestedSpheres(2).eta: {"X": X},
        "data.Moons": {"noise": 0.5},
        data.Moons().eta: {"X": X},
        "data.NoisyFunction": {"f": np.sin, "sigma": 0.5},
        noisy.sample: {"m": 3, "rng": 0},
        noisy.regression_function: {"X": np.array([[0.0], [1]])},
        noisy.risk: {"h": lambda X: X[:, 0]},
        "data.exponential_perceptron": {"d": 3},
        "data.toy_sentences": {"n": 2, "rng": 0},
        "data.load_mushroom": {"one_hot": False},
        # --- losses
        "losses.CostSensitive": {"c_fp": 1.0, "c_fn": 2.0},
        "losses.Pinball": {"q": 0.25},
        "losses.RhoMargin": {"rho": 0.5},
        "losses.bayes_prediction": {"loss": losses.square, "eta": np.array([0.25, 0.5])},
        "losses.conditional_bayes_risk": {"loss": losses.square, "eta": np.array([0.25, 0.5])},
        "losses.conditional_risk": {"loss": losses.hinge, "y_hat": np.array([1.0, 2]), "eta": np.array([0.25, 0.5])},
        "losses.empirical_risk": {"loss": losses.square, "y": t, "y_hat": t + 1},
        "losses.excess_risk": {"predictions": y, "eta": np.full(8, 0.25), "weights": t + 1},
        # --- evaluation
        cv.in_order: {"parts": cv.predictions},
        "evaluation.confusion_matrix": {"y": y, "y_hat": -y, "classes": np.array([-1, 1])},
        "evaluation.cross_validate": {"model": knn(), "X": X, "y": y, "folds": FOLDS, "loss": losses.zero_one},
        "evaluation.error_rate": {"y": y, "y_hat": -y},
        "evaluation.grid": {"k": [1, 2]},
        "evaluation.grid_search": {
            "model": knn(),
            "candidates": [{"k": 1}, {"k": 2}],
            "X": X,
            "y": y,
            "folds": FOLDS,
            "loss": losses.zero_one,
        },
        "evaluation.group_k_fold": {"groups": np.array([0, 0, 1, 1, 2, 2, 3, 3]), "n_folds": 2, "rng": 0},
        "evaluation.hold_out": {"m": 8, "n": 2, "rng": 0},
        "evaluation.k_fold": {"m": 8, "n_folds": 2, "rng": 0},
        "evaluation.learning_curve": {
            "model": knn(),
            "X": X,
            "y": y,
            "sizes": [4],
            "folds": FOLDS,
            "loss": losses.zero_one,
        },
        "evaluation.least_risk": {"risks": np.array([[1.0, 2], [0, 1]])},
        "evaluation.leave_one_out": {"m": 3},
        "evaluation.nested_cross_validation": {
            "model": knn(),
            "candidates": [{"k": 1}, {"k": 2}],
            "X": X,
            "y": y,
            "folds": evaluation.k_fold(8, 2, 3),
            "n_inner": 2,
            "rule": evaluation.least_risk,
            "loss": losses.zero_one,
            "random_state": 0,
        },
        "evaluation.one_standard_error": {"risks": np.array([[1.0, 2], [0, 1]])},
        "evaluation.permutation_importance": {
            "h": knn().fit(X, y),
            "X": X,
            "y": y,
            "n_repeats": 2,
            "rng": 0,
            "loss": losses.zero_one,
        },
        "evaluation.precision": {"y": y, "y_hat": -y, "positive": 1},
        "evaluation.recall": {"y": y, "y_hat": -y, "positive": 1},
        "evaluation.repeated_k_fold": {"m": 8, "n_folds": 2, "n_repeats": 2, "rng": 0},
        "evaluation.select": {
            "model": knn(),
            "candidates": [{"k": 1}, {"k": 2}],
            "X": X,
            "y": y,
            "folds": FOLDS,
            "rule": evaluation.least_risk,
            "loss": losses.zero_one,
        },
        "evaluation.stratified_k_fold": {"y": y, "n_folds": 2, "rng": 0},
        "evaluation.validation_curve": {
            "model": knn(),
            "candidates": [{"k": 1}, {"k": 2}],
            "X": X,
            "y": y,
            "folds": FOLDS,
            "loss": losses.zero_one,
        },
        # --- optim
        "optim.conjugate_gradient.conjugate_gradient": {"f": quadratic, "beta": "PR+", "tol": 0.5, **descent},
        "optim.conjugate_gradient.linear_conjugate_gradient": {
            "H": np.array([[2.0, 1], [1, 2]]),
            "b": np.array([1.0, 0]),
            "tol": 0.5,
            **descent,
        },
        "optim.gradient.gradient_descent": {"gradient": bowl, "tau": 0.25, "tol": 0.5, **descent},
        "optim.gradient.line_search_descent": {"f": quadratic, "tol": 0.5, **descent},
        "optim.line_search.backtracking": {**line, "c1": 0.25},
        "optim.line_search.parabola_step": {"phi": parabola},
        "optim.line_search.strong_wolfe": {**line, "c1": 0.25, "c2": 0.5},
        "optim.line_search.wolfe": {**line, "c1": 0.25, "c2": 0.5},
        "optim.objective.ChangedBasis": {"f": quadratic, "A": np.eye(2)},
        "optim.objective.Function": {"value": lambda w: w @ w, "gradient": bowl},
        "optim.objective.LinearRisk": {"loss": losses.logistic, "X": X, "y": y, "lam": 0.5, "bias": True},
        "optim.objective.Quadratic": {"H": np.array([[2.0, 1], [1, 2]]), "centre": np.array([1.0, 0])},
        "optim.online.Reply": {"reply": bowl, "mu": 0.5},
        "optim.online.best_comparator": {"loss": losses.square, "X": X, "y": y, "U": 2.0},
        "optim.online.online_gradient_descent": {"losses": [quadratic, quadratic], "U": 2.0, "tau": 0.5, **descent},
        "optim.online.constant_step_ogd": {"losses": [quadratic, quadratic], "tau": 0.5, **descent},
        "optim.online.strongly_convex_ogd": {"losses": [quadratic, quadratic], "mu": 0.5, **descent},
        "optim.online.online_to_batch": {"path": [np.array([1.0, 2]), np.array([3.0, 4]), np.array([5.0, 6])]},
        "optim.online.regret": {
            "path": [np.array([1.0, 2]), np.array([3.0, 4])],
            "losses": [quadratic, quadratic],
            "u": np.array([1.0, 0]),
        },
        "optim.online.rounds": {"loss": losses.square, "X": X, "y": y, "mu": 0.5},
        "optim.stochastic.adam": {
            "gradient": batch_bowl,
            "tau": 0.5,
            "batches": some_batches(),
            "beta": (0.5, 0.75),
            "floor": 0.5,
            **descent,
        },
        "optim.stochastic.decreasing_steps": {"gamma": 1.0, "a": 0.5},
        "optim.stochastic.early_stopping": {
            "iterates": [np.array([1.0]), np.array([2.0])],
            "risk": np.sum,
            "patience": 1,
        },
        "optim.stochastic.momentum": {
            "gradient": batch_bowl,
            "tau": 0.5,
            "batches": some_batches(),
            "beta": 0.5,
            **descent,
        },
        "optim.stochastic.shuffled_passes": {"m": 5, "size": 2, "passes": 1, "rng": 0},
        "optim.stochastic.stochastic_gradient_descent": {
            "gradient": batch_bowl,
            "tau": 0.5,
            "batches": some_batches(),
            **descent,
        },
        "optim.stochastic.uniform_draws": {"m": 5, "size": 2, "rng": 0},
        # --- models
        "models.linear.adaline.adaline": {"X": X, "y": y, "draws": [0, 3, 1], "tau": 0.25},
        "models.networks.autoencoder.pretrained_layers": {"X": X, "hidden": (2,), "max_epochs": 1, "random_state": 0},
        "models.networks.backpropagate.backpropagate": {
            "graph": {"c": {"a": 1.0, "b": 2.0}},
            "inputs": {"a": 1.0, "b": 2.0},
            "activation": layers.relu,
            "loss": parabola,
        },
        "models.networks.constructed.boolean_network": {"y": np.array([-1, 1, 1, -1]), "N": 3},
        "models.networks.constructed.cube": {"d": 2},
        "models.networks.constructed.graph_values": {
            "graph": {"c": {"a": 1.0, "b": 2.0}},
            "inputs": {"a": 1.0, "b": 2.0},
            "activation": layers.relu,
        },
        "models.networks.constructed.interpolating_network": {"x": np.array([0.0, 1, 3]), "y": np.array([1.0, 2, 0])},
        "models.networks.constructed.sawtooth_network": {"L": 2},
        "models.networks.constructed.staircase_network": {
            "x": np.array([0.0, 1, 3]),
            "y": np.array([1.0, 2, 0]),
            "steepness": 2.0,
        },
        "models.networks.convolution.convolution_matrix": {"F": np.array([[1.0, 2], [3, 4]]), "shape": (3, 4)},
        "models.kernels.dual_ascent.dual_ascent": {
            "K": K,
            "diagonal": np.diag(K),
            "y": y,
            "C": 1.0,
            "tol": 0.5,
            "max_iter": 5,
        },
        "models.kernels.feature_maps.gaussian_features": {"X": X, "gamma": 0.5, "degree": 3},
        "models.kernels.feature_maps.monomials": {"d": 2, "degree": 2, "ordered": True},
        "models.kernels.feature_maps.n_monomials": {"d": 2, "degree": 2, "ordered": True},
        "models.kernels.feature_maps.polynomial_features": {"X": X, "degree": 2, "c": 1.0, "ordered": True},
        "models.linear.gaussian_discriminant.gaussian_log_density": {
            "X": X,
            "mu": np.array([1.0, 1]),
            "L": np.array([[1.0, 0], [1, 2]]),
        },
        "models.kernels.gram_rows.squared_distances": {"kernel": mlcourse.LinearKernel(), "X": X, "cache_size": 1},
        "models.kernels.alignment.align_kernels": {
            "kernels": [mlcourse.LinearKernel(), mlcourse.GaussianKernel(0.5)],
            "X": X,
            "y": y,
        },
        "models.kernels.alignment.alignment": {"K": K, "L": K + np.eye(8)},
        "models.kernels.alignment.alignment_weights": {"grams": [K, K + np.eye(8)], "y": y},
        "models.kernels.kernel_ridge.kernel_leave_one_out": {"K": K, "y": t, "lam": np.array([0.5, 1]), "bias": True},
        "models.kernels.functions.is_psd": {"K": K, "tol": 0.5},
        "models.linear.linear_regression.leave_one_out_errors": {
            "X": X,
            "y": t,
            "lam": np.array([0.5, 1]),
            "bias": True,
        },
        "models.linear.linear_regression.ridge_cross_validation": {
            "X": X,
            "y": t,
            "lam": np.array([0.5, 1]),
            "folds": FOLDS,
            "bias": True,
        },
        "models.linear.linear_regression.ridge_path": {"X": X, "y": t, "lam": np.array([0.5, 1]), "bias": True},
        "models.linear.linear_separation.augmented": {"X": X},
        "models.linear.linear_separation.margin": {"w": np.array([1.0, 1]), "X": X, "y": y},
        "models.linear.linear_separation.max_margin_separator": {"X": X, "y": y},
        "models.linear.linear_separation.min_disagreement": {"X": X, "y": y},
        "models.linear.linear_separation.separating_direction": {"X": X, "y": y},
        "models.linear.linear_separation.separator": {"X": X, "y": y},
        "models.linear.logistic_descent.logistic_conjugate_gradient": {"X": X, "y": y, "lam": 0.5, "max_iter": 5},
        "models.linear.logistic_regression.logistic_sgd": {"risk": risk(), "tau": 0.25, "passes": 2, "rng": 0},
        "models.linear.logistic_regression.whitening": {"H": np.array([[2.0, 1], [1, 2]])},
        "models.local.nearest_neighbors.nearest": {"X": X, "new": X + 1, "k": 2},
        "models.local.nearest_neighbors.neighbors_cross_validation": {"X": X, "y": y, "ks": [1, 2], "folds": FOLDS},
        "models.trees.cart.cart": {"X": X, "y": (y + 1) // 2, "max_depth": 2, "min_leaf": 1},
        "models.trees.stump.best_stump": {"X": X, "y": y, "D": t + 1},
        "models.trees.optimal_tree.OptimalTree": {"X": X > 1, "y": y, "M": 1},
        OptimalTree(X > 1, y, 1).tree: {"M": 1},
        "models.kernels.pegasos.drawn_batches": {"m": 5, "batch": 2, "number": 3, "rng": 0},
        "models.kernels.pegasos.kernel_pegasos": {"K": K, "y": y, "lam": 0.5, "batches": some_batches()},
        "models.kernels.pegasos.pegasos": {"X": X, "y": y, "lam": 0.5, "batches": some_batches()},
        "models.linear.perceptron.multiclass_perceptron": {
            "X": X,
            "y": (y + 1) // 2,
            "n_classes": 2,
            "passes": [None, None],
        },
        "models.linear.perceptron.perceptron": {"X": X, "y": y, "passes": [None, None], "tau": 1.0},
        "models.linear.perceptron.scanning_perceptron": {"X": X, "y": y, "passes": [None, None], "tau": 1.0},
        "models.kernels.rkhs.RKHSFunction": {"points": X, "coefficients": t, "kernel": mlcourse.GaussianKernel(0.5)},
        f.__call__: {"X": X},
        f.inner: {"other": f},
        f.__add__: {"other": f},
        f.__mul__: {"number": 2.0},
        "models.kernels.svm.smo": {
            "D": kernels.GaussianKernel(0.5)(X) * -2 + 2 + np.eye(8),
            "y": y,
            "C": 1.0,
            "tol": 0.5,
            "max_iter": 5,
        },
        "models.kernels.svm_dual.dual_objective": {"alpha": np.full(8, 0.5), "K": K, "y": y},
        "models.kernels.svm_dual.duality_gap": {"alpha": np.full(8, 0.5), "b": 1.0, "K": K, "y": y, "C": 1.0},
        "models.kernels.svm_dual.kkt_residuals": {"alpha": np.full(8, 0.5), "b": 1.0, "K": K, "y": y, "C": 1.0},
        "models.kernels.svm_dual.primal_objective": {"alpha": np.full(8, 0.5), "b": 1.0, "K": K, "y": y, "C": 1.0},
        "models.trees.conditions.Interval": {"feature": 0, "low": 0.0, "high": 1.0},
        "models.trees.conditions.Threshold": {"feature": 0, "theta": 0.5},
        "models.trees.conditions.Values": {"feature": 0, "values": (1, 2)},
        "models.trees.predictor.Node": {"test": tests.Threshold(0, 0.5), "children": (tests.Leaf(1), tests.Leaf(-1))},
        "models.trees.predictor.boolean": {"tree": TREE},
        "models.trees.predictor.dnf": {"tree": TREE, "label": 1, "names": ["a", "b"]},
        "models.trees.predictor.from_boolean": {"nested": (0, -1, 1)},
        "models.trees.predictor.leaves": {"tree": TREE},
        "models.trees.predictor.path": {"tree": TREE, "x": np.array([1.0, 0])},
        "models.trees.predictor.predict": {"tree": TREE, "X": X},
        "models.trees.predictor.text": {"tree": TREE, "names": ["a", "b"]},
        "models.networks.word2vec.cbow_examples": {"sentences": [[0, 1, 2], [1, 2]], "window": 1},
        "models.networks.word2vec.skip_gram_examples": {"sentences": [[0, 1, 2], [1, 2]], "window": 1},
        # --- ensembles
        "ensembles.adaboost.adaboost": {"y": y, "weak_learner": stump_learner, "max_iter": 3},
        "ensembles.adaboost.by_stumps": {"X": X, "y": y},
        "ensembles.resampling.bootstrap": {"m": 5, "rng": 0},
        "ensembles.resampling.rejection_sample": {"D": np.array([1.0, 2, 1]), "size": 3, "rng": 0},
        "ensembles.resampling.weighted_sample": {"D": np.array([1.0, 2, 1]), "size": 3, "rng": 0},
        "ensembles.stagewise.coordinate_descent": {
            "H": np.column_stack([y, -y, np.ones(8)])[:, 1:],
            "y": -y,
            "max_iter": 3,
        },
        "ensembles.stagewise.regularised_boosting": {
            "y": y,
            "weak_learner": stump_learner,
            "lam": 2.0,
            "tol": 0.5,
            "max_iter": 3,
        },
        "ensembles.voting.Vote": {"rules": fitted_rules(), "alpha": np.array([1.0, 2])},
        "ensembles.voting.strength_and_correlation": {"rules": fitted_rules(), "X": X, "y": y},
    }


# --- estimators, kernels and losses: their calls follow from what they are ----------------------------

QUICK = {
    "max_epochs": 2,
    "n_trees": 3,
    "n_estimators": 3,
    "n_rounds": 3,
    "n_steps": 20,
    "max_iter": 20,
    "k": 1,
    "hidden": (2,),
    "filters": (2,),
    "shape": (2, 1),
    "size": 1,
    "pool": 1,
    "batch": 4,
    "d": 2,
    "random_state": 0,
    "model": "cbow",
    "side": 1.0,
    "bandwidth": 2.0,
}
ESTIMATORS = [getattr(mlcourse, name) for name in mlcourse.__all__ if issubclass(getattr(mlcourse, name), Estimator)]
ESTIMATORS += [
    data.Standardiser,
    data.OneHot,
    data.TfEncoder,
    data.TfIdfEncoder,
    evaluation.Tuned,
    ConvolutionalClassifier,
    Word2Vec,
]
ARGUMENTS = {
    "X": X,
    "y": y,
    "sample_weight": t + 1,
    "codes": np.array([[0.0, 1], [1, 0]]),
    "word": "cat",
    "v": np.array([1.0, 2]),
    "n": 2,
    "without": ("cat",),
    "a": "cat",
    "b": "dog",
    "c": "sat",
    "names": ["first", "second"],
    "categorical": (),
    "deep": True,
}


def estimator(cls):
    """The estimator with parameters that make it quick."""
    parameters = [name for name in inspect.signature(cls).parameters if name in QUICK]
    if cls is evaluation.Tuned:
        return cls(knn(), [{"k": 1}, {"k": 2}], n_folds=2, random_state=0)
    return cls(**{name: QUICK[name] for name in parameters})


def arguments(method, cls):
    """Right arguments for a method of an estimator."""
    known = ARGUMENTS | ({"X": TEXTS} if issubclass(cls, data.TfEncoder) else {})
    names = inspect.signature(method).parameters
    return {name: known[name] for name in names if name in known}


METHODS = sorted(
    {
        (cls, name)
        for cls in ESTIMATORS
        for name in dir(cls)
        if not name.startswith("_") and callable(getattr(cls, name)) and name not in ("set_params", "get_params")
    },
    key=lambda pair: (pair[0].__name__, pair[1]),
)
LOSSES = [
    losses.absolute,
    losses.exponential,
    losses.hinge,
    losses.log_loss,
    losses.logistic,
    losses.logistic_base2,
    losses.perceptron_loss,
    losses.square,
    losses.squared_margin,
    losses.zero_one,
    losses.zero_one_margin,
    losses.CostSensitive(1.0, 2.0),
    losses.Pinball(0.25),
    losses.RhoMargin(0.5),
]
KERNELS = [
    mlcourse.LinearKernel(),
    mlcourse.PolynomialKernel(2, 1.0),
    mlcourse.GaussianKernel(0.5),
    kernels.CallableKernel(np.dot),
    mlcourse.LinearKernel() + mlcourse.GaussianKernel(),
    mlcourse.LinearKernel() * 2.0 + 1.0,
]
THINGS = [(SpectrumKernel(2), TEXTS), (IntersectionKernel(), [{1, 2}, {2, 3}])]


def of_losses():
    for loss in LOSSES:
        margin = isinstance(loss, losses.MarginLoss)
        guess = (t > 2).astype(float) if loss is losses.log_loss else -y
        right = {"z": t - 3} if margin else {"y": y, "y_hat": guess}
        for name in ("__call__", "derivative", "with_derivative", "curvature"):
            if name == "derivative" and not hasattr(loss, "_slope"):
                continue  # labels have no derivative, and say so
            if hasattr(loss, name) and (name != "curvature" or hasattr(loss, "_curvature")):
                yield f"{type(loss).__name__}.{name}", getattr(loss, name), right
        if margin:
            yield f"{type(loss).__name__}.of", loss.of, {"y": y, "score": t}
        if hasattr(loss, "bayes"):
            yield f"{type(loss).__name__}.bayes", loss.bayes, {"eta": np.array([0.25, 0.5])}


def of_kernels():
    for kernel in KERNELS:
        yield f"{type(kernel).__name__}.__call__", kernel.__call__, {"X": X, "Z": X + 1}
        yield f"{type(kernel).__name__}.diagonal", kernel.diagonal, {"X": X}
        yield f"{type(kernel).__name__}.__add__", kernel.__add__, {"other": mlcourse.LinearKernel()}
        yield f"{type(kernel).__name__}.__mul__", kernel.__mul__, {"other": 2.0}
    for kernel, points in THINGS:
        yield f"{type(kernel).__name__}.__call__", kernel.__call__, {"X": points}


# --- nonsense ----------------------------------------------------------------------------------------

ANYTHING = [
    None,
    "abc",
    "",
    b"x",
    object(),
    {},
    [],
    (),
    np.nan,
    np.inf,
    -np.inf,
    1j,
    True,
    -1,
    0,
    1,
    2.5,
    -0.5,
    1e308,
    1e-320,
    10**400,
    -(10**400),
    [[1], [1, 2]],
    ["a", "b"],
    [None],
    [np.nan, 1.0],
    np.array(3.0),
    np.array(["2020"], dtype="M8[Y]"),
    np.zeros(0),
    np.zeros((0, 2)),
    np.zeros((2, 0)),
    np.full((3, 3), np.nan),
    np.zeros((2, 2, 2)),
    np.array([None, 1.0]),
    pd.DataFrame(),
    {"a": np.nan},
    {1, 2},
    range(3),
    iter([1, 2]),
]


def spoiled(value):
    """The array with something wrong: entries, shape, kind."""
    if not isinstance(value, np.ndarray) or not value.size:
        return
    for bad in (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e200, 1e-320, 0.5, 7, -7):
        changed = value.astype(float)
        changed.flat[value.size // 2] = bad
        yield changed
    for factor in (0.0, -1.0, 1e200, 1e-200, 1e308):
        with np.errstate(over="ignore"):
            product = value.astype(float) * factor
        yield np.clip(product, -1.7e308, 1.7e308)
    place = np.arange(value.size).reshape(value.shape)
    yield from (
        value[:-1],
        value[:1],
        value[:0],
        value[None],
        value[..., None],
        value[..., :-1],
        value.T,
        value.ravel(),
        np.concatenate([value, value[-1:]]),
        np.repeat(value[:1], len(value), axis=0),
        value.astype(str),
        value + 1j,
        value.astype(object),
        np.where(place == 1, None, value),
        value.astype("M8[s]"),
        value > 0,
        value.astype(np.int8),
        value.astype(np.uint8),
        value.tolist() + [0],
        value * 1.5,
    )


def nonsense(value):
    yield from copy.deepcopy(ANYTHING[:-1])
    yield iter([1, 2])
    yield from spoiled(value)
    if isinstance(value, (list, tuple)) and value:
        for part in (*ANYTHING[:30], *spoiled(value[0])):
            yield [*value[:-1], part]
            yield [part]
    if isinstance(value, str):
        yield from ("abc", value.upper() + "x")


def others(value):
    """The same in other clothes."""
    if isinstance(value, np.ndarray) and value.ndim:
        wide = np.repeat(value, 2, axis=0)[::2]
        frozen = value.copy()
        frozen.flags.writeable = False
        yield from (wide, frozen, np.asfortranarray(value), value.tolist(), value[::-1][::-1])
        if value.dtype.kind == "f":
            for kind in (np.float32, np.int64, np.int8, ">f8", np.longdouble, object):
                if (value.astype(kind) == value).all():
                    yield value.astype(kind)
        if value.dtype.kind == "i":
            yield from (value.astype(np.int8), value.astype(np.int32), value.astype(">i8"))
        yield pd.Series(value, index=np.arange(len(value)) + 5) if value.ndim == 1 else pd.DataFrame(value)
    elif isinstance(value, bool):
        yield np.bool_(value)
    elif isinstance(value, int):
        yield from (np.int64(value), np.int8(value))
    elif isinstance(value, float):
        yield from (np.float64(value), np.float32(value), np.longdouble(value))
        if value == int(value):
            yield int(value)
    elif isinstance(value, list):
        yield tuple(value)
    elif isinstance(value, tuple):
        yield list(value)


# --- what came out --------------------------------------------------------------------------------------


def content(thing, depth=0):
    """What an answer consists of, in lists: arrays, numbers, strings."""
    if isinstance(thing, (np.ndarray, np.generic)):
        return np.asarray(thing)
    if isinstance(thing, (str, bytes, int, float, complex, type(None), type, range)) or depth > 8:
        return thing
    if isinstance(thing, (pd.DataFrame, pd.Series)):
        return np.asarray(thing)
    if isinstance(thing, types.GeneratorType):
        return [content(part, depth + 1) for part in itertools.islice(thing, 5)]
    if isinstance(thing, (list, tuple)):
        return [content(part, depth + 1) for part in thing]
    if isinstance(thing, (set, frozenset)):
        return sorted(map(repr, thing))
    if isinstance(thing, dict):
        return [[str(key), content(part, depth + 1)] for key, part in thing.items()]
    if hasattr(thing, "__dict__") and not isinstance(thing, (types.FunctionType, types.MethodType, functools.partial)):
        return content(vars(thing), depth + 1)
    return None


def leaves(content):
    if isinstance(content, list):
        for part in content:
            yield from leaves(part)
    else:
        yield content


def has_nan(answer):
    return any(
        np.asarray(leaf).dtype.kind == "f" and np.isnan(leaf).any()
        for leaf in leaves(content(answer))
        if leaf is not None
    )


def same(one, other):
    one, other = list(leaves(content(one))), list(leaves(content(other)))
    if len(one) != len(other):
        return False
    for a, b in zip(one, other, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape:
            return False
        if a.dtype.kind in "biuf" and b.dtype.kind in "biuf":
            if not np.allclose(a.astype(float), b.astype(float), rtol=1e-9, atol=1e-12, equal_nan=True):
                return False
        elif a.dtype.kind not in "O" and not np.array_equal(a, b):
            return False
    return True


def ours(error):
    """Whether a statement ``raise`` of the package made the error: then somebody has written its message."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    file = Path(trace.tb_frame.f_code.co_filename)
    line = linecache.getline(str(file), trace.tb_lineno).strip()
    return Path(mlcourse.__file__).parent in file.parents and line.startswith("raise ")


# --- what is tried -------------------------------------------------------------------------------------


def resolved(name):
    """The public object with this dotted name."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(["mlcourse", *parts[:size]]))
        except ImportError:
            continue
        return functools.reduce(getattr, parts[size:], found)
    raise AssertionError(name)


def all_calls():
    """Every (name, callable, right arguments)."""
    for key, right in right_calls().items():
        if isinstance(key, str):
            yield key, resolved(key), right
        else:
            yield f"{type(key.__self__).__name__}.{key.__name__}", key, right
    yield from of_losses()
    yield from of_kernels()


CALLS = {name: (function, right) for name, function, right in all_calls()}
every_call = pytest.mark.parametrize("name", CALLS)
PASSED_ON = {  # arguments that are handed on as they are, and why their nonsense is not ours
    "optim.stochastic.early_stopping": {"iterates"},  # whatever the given risk can judge
    "evaluation.grid": {"k"},  # values of any kind
    "data.FiniteLaw": {"points"},  # names of points, of any kind
    "ensembles.adaboost.adaboost": {"y"},  # its length is right or wrong for the votes that the weak learner returns
    "ensembles.stagewise.regularised_boosting": {"y"},
    "CrossValidation.in_order": {"parts"},  # predictions may be NaN
}
POINTWISE = {type(loss).__name__ for loss in LOSSES} | {"losses"}  # the loss of a prediction NaN is NaN


def verdict(name, function, given, argument, bad):
    """What is wrong with the answer to nonsense; None if it is refused clearly, or answered."""
    if argument in PASSED_ON.get(name, ()) or (name.startswith("CallableKernel") and argument in ("X", "Z")):
        return None
    given = copy.deepcopy(given)
    before = content(given)
    try:
        answer = content(function(**given | {argument: bad}))
    except (ValueError, TypeError) as error:
        return None if ours(error) else f"{argument}={bad!r}: NumPy or Python says {type(error).__name__}: {error}"
    except Exception as error:
        return f"{argument}={bad!r}: {type(error).__name__}: {error}"
    if has_nan(answer) and name.split(".")[0] not in POINTWISE:
        return f"{argument}={bad!r} gives {answer!r}"
    return None if same(before, content(given)) else f"{argument}={bad!r} changes an argument"


@every_call
def test_the_recipe_is_right(name):
    function, given = CALLS[name]
    given = copy.deepcopy(given)
    assert not has_nan(function(**given))


@every_call
def test_nonsense_is_refused_clearly_or_answered(name):
    function, given = CALLS[name]
    pairs = [(argument, bad) for argument in given for bad in nonsense(given[argument])]
    problems = [verdict(name, function, given, argument, bad) for argument, bad in pairs]
    assert not any(problems), "\n".join(filter(None, problems))


SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
KINDS = st.sampled_from([np.float64, np.float32, np.int64, np.uint8, np.bool_, np.dtype("U2"), np.dtype("O")])
ARRAYS = st.tuples(KINDS, SHAPES).flatmap(
    lambda pair: arrays.arrays(pair[0], pair[1], elements=st.floats() if pair[0] == np.dtype("O") else None)
)


@every_call
@settings(max_examples=8, deadline=None, derandomize=True, database=None)
@given(chosen=st.data(), bad=ARRAYS)
def test_any_array_is_refused_clearly_or_answered(name, chosen, bad):
    function, right = CALLS[name]
    argument = chosen.draw(st.sampled_from(sorted(right)))
    problem = verdict(name, function, right, argument, bad)
    assert problem is None, problem


@every_call
def test_the_same_in_other_clothes_gives_the_same_answer(name):
    function, given = CALLS[name]
    expected = content(function(**copy.deepcopy(given)))
    for argument in given:
        for other in others(given[argument]):
            if name.startswith("CallableKernel") and getattr(getattr(other, "dtype", None), "kind", "") == "O":
                continue  # points of another kind
            if name == "models.trees.predictor.from_boolean":
                continue  # a node is a tuple
            answer = function(**copy.deepcopy(given) | {argument: other})
            assert same(expected, answer), (argument, type(other), getattr(other, "dtype", ""))


# --- estimators ----------------------------------------------------------------------------------------

every_estimator = pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)


def refused(call, model):
    """Whether the call was refused, in our words, with the model left as it was; else what it returned."""
    before = pickle.dumps(vars(model))
    try:
        answer = call()
    except (ValueError, TypeError) as error:
        assert ours(error), f"NumPy or Python says {type(error).__name__}: {error}"
        assert pickle.dumps(vars(model)) == before, "the refusal left something behind"
        return True, None
    return False, answer


@every_estimator
def test_nonsense_for_a_parameter_is_refused_or_learned_with(cls):
    sample = arguments(cls.fit, cls)
    for name in inspect.signature(cls).parameters:
        for bad in copy.deepcopy(ANYTHING[:-1]):
            model = estimator(cls)
            setattr(model, name, bad)
            no, fitted = refused(lambda model=model: model.fit(**sample), model)
            if not no and hasattr(fitted, "predict"):
                no, predicted = refused(lambda model=model: model.predict(sample["X"]), model)
                assert no or not has_nan(predicted), (name, bad)


@pytest.mark.parametrize("cls, method", METHODS, ids=lambda part: getattr(part, "__name__", part))
def test_nonsense_for_a_fitted_model_is_refused_or_answered(cls, method):
    model = estimator(cls).fit(**arguments(cls.fit, cls))
    right = arguments(getattr(model, method), cls)
    right |= {"X": model.transform(right["X"])} if (cls, method) == (data.Standardiser, "inverse_transform") else {}
    for argument in right:
        for bad in nonsense(right[argument]):
            used = copy.deepcopy(model)
            call = functools.partial(getattr(used, method), **copy.deepcopy(right) | {argument: bad})
            no, answer = refused(lambda call=call: call(), used)
            if no or method in ("fit", "out_of_bag"):  # a model has NaN inside; what every member saw has no answer
                continue
            assert not has_nan(answer), (argument, bad)


@every_estimator
def test_a_refused_sample_leaves_an_unfitted_model_unfitted(cls):
    sample = arguments(cls.fit, cls)
    for bad in (None, [], np.full((8, 2), np.nan), "abc", 3):
        model = estimator(cls)
        assert refused(lambda model=model, bad=bad: model.fit(**sample | {"X": bad}), model)[0]
        assert not any(name.endswith("_") for name in vars(model))


# --- nothing is forgotten ------------------------------------------------------------------------------

ROOMS = (mlcourse, data, losses, evaluation)
BUILDING_BLOCKS = {  # imported by pages, and not checked at every call
    "a layer or a network runs for every batch of every pass; the estimators check": [
        "models.networks.layers.affine",
        "models.networks.layers.convolution",
        "models.networks.layers.cross_entropy",
        "models.networks.layers.identity",
        "models.networks.layers.half_sigmoid",
        "models.networks.layers.logistic_loss",
        "models.networks.layers.max_pooling",
        "models.networks.layers.relu",
        "models.networks.layers.sigmoid",
        "models.networks.layers.sign",
        "models.networks.layers.softmax",
        "models.networks.layers.square_loss",
        "models.networks.layers.tanh",
        "models.networks.network.Layer",
        "models.networks.network.Network",
        "models.networks.network.NetworkRisk",
        "models.networks.network.backpropagation",
        "models.networks.training.epochs",
        "models.networks.mlp.mlp_layers",
        "models.networks.convolution.convolutional_layers",
        "models.networks.word2vec.WordRisk",
        "models.networks.constructed.constructed",
    ],
    "asked at every step of a descent, with what the descent made": [
        "optim.gradient.newton",
        "optim.line_search.armijo",
        "optim.line_search.curvature",
        "optim.online.in_ball",
        "models.kernels.dual_ascent.dual_box",
    ],
    "works on counts and labels that a rule has encoded": [
        "models.trees.criteria.gini",
        "models.local.nearest_neighbors.winners",
    ],
    "an assertion, which fails by AssertionError": [
        "testing.assert_convex",
        "testing.assert_fails_at_most",
        "testing.assert_gradient",
        "testing.assert_wolfe",
        "testing.numerical_gradient",
    ],
    "a base class, or a record without checks": [
        "base.BinaryClassifier",
        "data.BinaryLaw",
        "data.Dataset",
        "evaluation.CrossValidation",
        "evaluation.Search",
        "losses.Loss",
        "losses.MarginLoss",
        "models.trees.predictor.Leaf",
    ],
    "takes no arguments": [
        "data.load_corpus",
        "data.load_digits",
        "data.load_ionosphere",
        "data.load_iris",
        "data.load_wdbc",
    ],
}


def imported_by_pages():
    """Every (module, name) that a page imports from the package."""
    for page in sorted((ROOT / "book").rglob("*.ipynb")):
        for cell in json.loads(page.read_text("utf8"))["cells"]:
            if cell["cell_type"] == "code":
                lines = "".join(cell["source"]).splitlines()
                for node in ast.walk(ast.parse("\n".join(line for line in lines if line[:1] not in "%!"))):
                    if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mlcourse"):
                        yield from ((node.module, alias.name) for alias in node.names)


def public_names():
    """The dotted names of all public callables but theory's, which has a test of its own, homework and plots."""
    pairs = {(room.__name__, name) for room in ROOMS for name in room.__all__} | set(imported_by_pages())
    for module, name in pairs:
        thing = getattr(importlib.import_module(module), name, None)
        if callable(thing) and not module.startswith(("mlcourse.theory", "mlcourse.plots")):
            home = getattr(thing, "__module__", module)
            room = next(
                (room.__name__ for room in ROOMS[1:] if name in room.__all__ and home.startswith(room.__name__)), home
            )
            yield f"{room}.{name}".removeprefix("mlcourse.")


def test_every_public_callable_is_tried_or_a_building_block():
    tried = set(CALLS) | {f"losses.{name}" for name in vars(losses) if getattr(losses, name) in LOSSES}
    tried |= {f"{cls.__module__}.{cls.__name__}".removeprefix("mlcourse.") for cls in ESTIMATORS}
    tried |= {f"{cls.__module__.split('.')[1]}.{cls.__name__}" for cls in ESTIMATORS}
    tried |= {f"{type(kernel).__module__}.{type(kernel).__name__}".removeprefix("mlcourse.") for kernel in KERNELS}
    tried |= {f"{type(kernel).__module__}.{type(kernel).__name__}".removeprefix("mlcourse.") for kernel, _ in THINGS}
    known = tried | {name for names in BUILDING_BLOCKS.values() for name in names}
    assert set(public_names()) - known == set()


def test_every_building_block_is_one():
    blocks = [name for names in BUILDING_BLOCKS.values() for name in names]
    assert len(blocks) == len(set(blocks)) and not set(blocks) & set(CALLS)
    assert all(callable(resolved(name)) for name in blocks)
