"""The defaults are promises too: a reader who writes ``SVM()`` gets what the book says, and so does a stored output.

Each line is the call with everything written out.
"""

import inspect
from importlib import import_module
from math import inf
from operator import attrgetter

import pytest

NETWORK = dict(activation="relu", lam=1e-4, lam1=0.0, keep=1.0, solver="adam", tau=1e-3, batch=32, max_epochs=200,
               validation=0.1)  # fmt: skip
PASSES = dict(bias=True, max_epochs=1000, shuffle=False)
DEFAULTS = {
    "losses.margin.RhoMargin": dict(rho=1.0),
    "losses.regression.Pinball": dict(q=0.5),
    "optim.conjugate_gradient.linear_conjugate_gradient": dict(tol=1e-10),
    "optim.conjugate_gradient.conjugate_gradient": dict(beta="PR+", tol=1e-6),
    "optim.gradient.gradient_descent": dict(tol=0.0),
    "optim.gradient.line_search_descent": dict(tol=1e-6),
    "optim.line_search.armijo": dict(c1=1e-4),
    "optim.line_search.curvature": dict(c2=0.9),
    "optim.line_search.strong_curvature": dict(c2=0.9),
    "optim.line_search.backtracking": dict(tau=1.0, c1=1e-4),
    "optim.line_search.wolfe": dict(tau=1.0, c1=1e-4, c2=0.9),
    "optim.line_search.strong_wolfe": dict(tau=1.0, c1=1e-4, c2=0.1),
    "optim.objective.LinearRisk": dict(lam=0.0, bias=False),
    "optim.online.Reply": dict(mu=0.0),
    "optim.online.LinearRound": dict(mu=0.0),
    "optim.online.rounds": dict(mu=0.0),
    "optim.stochastic.decreasing_steps": dict(a=1.0),
    "optim.stochastic.uniform_draws": dict(size=1),
    "optim.stochastic.shuffled_passes": dict(size=1),
    "optim.stochastic.momentum": dict(beta=0.9),
    "optim.stochastic.adam": dict(beta=(0.9, 0.999), floor=1e-8),
    "models.linear.adaline.Adaline": dict(decay=True, bias=True, max_epochs=50, shuffle=False),
    "models.networks.autoencoder.Autoencoder": NETWORK | dict(hidden=(2,), activation="tanh", lam=0.0),
    "models.networks.convolution.ConvolutionalClassifier": NETWORK
    | dict(shape=(8, 8), filters=(16, 32), size=3, pool=2, hidden=(), tau=0.002, max_epochs=20),
    "models.trees.decision_tree.DecisionTree": dict(criterion="gini", min_leaf=1, lam=0.0, categorical=()),
    "models.trees.decision_tree.RegressionTree": dict(min_leaf=1, lam=0.0, categorical=()),
    "models.kernels.dual_ascent.dual_ascent": dict(tol=1e-3),
    "models.kernels.feature_maps.monomials": dict(ordered=False),
    "models.kernels.feature_maps.n_monomials": dict(ordered=False),
    "models.kernels.feature_maps.polynomial_features": dict(degree=2, c=1.0, ordered=False),
    "models.kernels.feature_maps.gaussian_features": dict(gamma=1.0, degree=10),
    "models.linear.gaussian_discriminant.GaussianDiscriminant": dict(shared_covariance=False, shrinkage=0.0),
    "models.kernels.kernel_perceptron.KernelPerceptron": dict(max_epochs=1000, shuffle=False),
    "models.kernels.kernel_ridge.KernelRidge": dict(lam=1e-3, bias=False),
    "models.kernels.kernel_ridge.kernel_leave_one_out": dict(bias=False),
    "models.kernels.functions.PolynomialKernel": dict(degree=2, c=1.0),
    "models.kernels.functions.GaussianKernel": dict(gamma=1.0),
    "models.kernels.kernel.ShiftedKernel": dict(c=1.0),
    "models.kernels.kernel.ScaledKernel": dict(c=1.0),
    "models.kernels.functions.is_psd": dict(tol=1e-10),
    "models.networks.layers.affine": dict(first=False),
    "models.networks.layers.leaky_relu": dict(slope=0.01),
    "models.linear.linear_regression.Ridge": dict(lam=1.0, bias=True),
    "models.linear.linear_regression.LinearRegression": dict(bias=True),
    "models.linear.linear_regression.ridge_path": dict(bias=True),
    "models.linear.linear_regression.leave_one_out_errors": dict(bias=True),
    "models.linear.linear_regression.ridge_cross_validation": dict(bias=True),
    "models.local.local_averaging.HistogramRule": dict(side=1.0, origin=0.0),
    "models.local.local_averaging.KernelRule": dict(bandwidth=1.0, kernel="box"),
    "models.linear.logistic_regression.logistic_cg": dict(tol=1e-6, max_iter=1000),
    "models.linear.logistic_regression.logistic_newton": dict(tol=1e-6, max_iter=100),
    "models.linear.logistic_regression.LogisticRegression": dict(
        lam=0.0, solver="cg", bias=True, tol=1e-6, max_iter=1000, tau=0.1
    ),
    "models.local.memoriser.Memoriser": dict(elsewhere=1),
    "models.networks.mlp.mlp_layers": dict(keep=1.0, first=True),
    "models.networks.word2vec.Word2Vec.similar": dict(n=5, without=()),
    "models.networks.mlp.MLPClassifier": NETWORK | dict(hidden=(64,)),
    "models.networks.mlp.MLPRegressor": NETWORK | dict(hidden=(64,)),
    "models.local.nearest_neighbors.KNearestNeighbors": dict(k=1, weights="uniform"),
    "models.local.nearest_neighbors.KNearestNeighborsRegressor": dict(k=1, weights="uniform"),
    "models.networks.network.NetworkRisk": dict(lam=0.0, lam1=0.0),
    "models.kernels.pegasos.Pegasos": dict(lam=0.01, n_steps=10_000, batch=1, bias=True),
    "models.linear.perceptron.perceptron": dict(tau=1.0),
    "models.linear.perceptron.scanning_perceptron": dict(tau=1.0),
    "models.linear.perceptron.Perceptron": PASSES,
    "models.linear.perceptron.MulticlassPerceptron": PASSES,
    "models.kernels.structured.SpectrumKernel": dict(p=3),
    "models.kernels.svm.smo": dict(tol=1e-3),
    "models.kernels.svm.SVM": dict(C=1.0, bias=True, tol=1e-3, cache_size=1000, max_iter=10_000_000),
    "models.trees.growth.grow": dict(max_depth=inf, min_leaf=1),
    "models.trees.predictor.dnf": dict(label=1),
    "models.networks.word2vec.Word2Vec": dict(
        d=8, window=3, model="skip-gram", negatives=5, tau=0.01, batch=128, max_epochs=10
    ),
    "ensembles.adaboost.Round": dict(epsilon=0.5, alpha=0.0, Z=1.0),
    "ensembles.adaboost.AdaBoost": dict(n_rounds=50, resample=False),
    "ensembles.bagging.Bagging": dict(n_estimators=50, average=False),
    "ensembles.bagging.BaggingRegressor": dict(n_estimators=50),
    "ensembles.forest_growth.grow_together": dict(max_depth=inf, min_leaf=1),
    "ensembles.random_forest.RandomForest": dict(n_trees=100, criterion="gini", min_leaf=1, bootstrap=True),
    "ensembles.random_forest.RandomForestRegressor": dict(n_trees=100, min_leaf=1, bootstrap=True),
    "ensembles.stagewise.Combination": dict(gap=inf),
    "ensembles.stagewise.regularised_boosting": dict(tol=1e-3),
    "evaluation.importance.permutation_importance": dict(n_repeats=5),
    "evaluation.metrics.precision": dict(positive=1),
    "evaluation.metrics.recall": dict(positive=1),
    "evaluation.model_selection.Tuned": dict(n_folds=5),
    "evaluation.nested.nested_cross_validation": dict(n_inner=5),
    "theory.concentration.hoeffding_moment": dict(width=1.0),
    "theory.concentration.hoeffding_probability": dict(width=1.0),
    "theory.concentration.hoeffding_deviation": dict(width=1.0),
    "theory.concentration.hoeffding_sample_size": dict(width=1.0),
    "theory.deep.relu_gradient": dict(gain_out=1.0),
    "theory.iid.variance_of_mean": dict(sigma=1.0),
    "theory.model_selection.expected_least_error": dict(p=0.5),
    "theory.rademacher.linear_suprema": dict(B=1.0),
    "theory.rademacher.kernel_suprema": dict(B=1.0),
    "theory.rademacher.threshold_suprema": dict(both_signs=False),
    "theory.rademacher.ball_complexity": dict(B=1.0),
    "theory.vc.interval_class": dict(k=1),
    "theory.vc.half_space_class": dict(bias=True),
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults(name):
    depth = 3 if name.startswith("models.") else 2
    module, function = ".".join(name.split(".")[:depth]), ".".join(name.split(".")[depth:])
    parameters = inspect.signature(attrgetter(function)(import_module(f"mlcourse.{module}"))).parameters
    numbers = {p.name: p.default for p in parameters.values() if isinstance(p.default, (int, float, str, tuple))}
    assert numbers == DEFAULTS[name]
    assert all(type(numbers[key]) is type(value) for key, value in DEFAULTS[name].items())  # True is not 1
