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
    "models.adaline.Adaline": dict(decay=True, bias=True, max_epochs=50, shuffle=False),
    "models.autoencoder.Autoencoder": NETWORK | dict(hidden=(2,), activation="tanh", lam=0.0),
    "models.convolution.ConvolutionalClassifier": NETWORK
    | dict(shape=(8, 8), filters=(16, 32), size=3, pool=2, hidden=(), tau=0.002, max_epochs=20),
    "models.decision_tree.DecisionTree": dict(criterion="gini", min_leaf=1, lam=0.0, categorical=()),
    "models.decision_tree.RegressionTree": dict(min_leaf=1, lam=0.0, categorical=()),
    "models.dual_ascent.dual_ascent": dict(tol=1e-3),
    "models.feature_maps.monomials": dict(ordered=False),
    "models.feature_maps.n_monomials": dict(ordered=False),
    "models.feature_maps.polynomial_features": dict(degree=2, c=1.0, ordered=False),
    "models.feature_maps.gaussian_features": dict(gamma=1.0, degree=10),
    "models.gaussian_discriminant.GaussianDiscriminant": dict(shared_covariance=False, shrinkage=0.0),
    "models.kernel_perceptron.KernelPerceptron": dict(max_epochs=1000, shuffle=False),
    "models.kernel_ridge.KernelRidge": dict(lam=1e-3, bias=False),
    "models.kernel_ridge.kernel_leave_one_out": dict(bias=False),
    "models.kernels.PolynomialKernel": dict(degree=2, c=1.0),
    "models.kernels.GaussianKernel": dict(gamma=1.0),
    "models.kernels.ShiftedKernel": dict(c=1.0),
    "models.kernels.ScaledKernel": dict(c=1.0),
    "models.kernels.is_psd": dict(tol=1e-10),
    "models.layers.affine": dict(first=False),
    "models.layers.leaky_relu": dict(slope=0.01),
    "models.linear_regression.Ridge": dict(lam=1.0, bias=True),
    "models.linear_regression.LinearRegression": dict(bias=True),
    "models.linear_regression.ridge_path": dict(bias=True),
    "models.linear_regression.leave_one_out": dict(bias=True),
    "models.linear_regression.ridge_cross_validation": dict(bias=True),
    "models.local_averaging.HistogramRule": dict(side=1.0, origin=0.0),
    "models.local_averaging.KernelRule": dict(bandwidth=1.0, kernel="box"),
    "models.logistic_regression.logistic_cg": dict(tol=1e-6, max_iter=1000),
    "models.logistic_regression.logistic_newton": dict(tol=1e-6, max_iter=100),
    "models.logistic_regression.LogisticRegression": dict(
        lam=0.0, solver="cg", bias=True, tol=1e-6, max_iter=1000, tau=0.1
    ),
    "models.memoriser.Memoriser": dict(elsewhere=1),
    "models.mlp.mlp_layers": dict(keep=1.0, first=True),
    "models.word2vec.Word2Vec.similar": dict(n=5, without=()),
    "models.mlp.MLPClassifier": NETWORK | dict(hidden=(64,)),
    "models.mlp.MLPRegressor": NETWORK | dict(hidden=(64,)),
    "models.nearest_neighbors.KNearestNeighbors": dict(k=1, weights="uniform"),
    "models.nearest_neighbors.KNearestNeighborsRegressor": dict(k=1, weights="uniform"),
    "models.network.NetworkRisk": dict(lam=0.0, lam1=0.0),
    "models.pegasos.Pegasos": dict(lam=0.01, n_steps=10_000, batch=1, bias=True),
    "models.perceptron.perceptron": dict(tau=1.0),
    "models.perceptron.Perceptron": PASSES,
    "models.perceptron.MulticlassPerceptron": PASSES,
    "models.structured_kernels.SpectrumKernel": dict(p=3),
    "models.svm.smo": dict(tol=1e-3),
    "models.svm.SVM": dict(C=1.0, bias=True, tol=1e-3, cache_size=1000, max_iter=10_000_000),
    "models.tree_growth.grow": dict(max_depth=inf, min_leaf=1),
    "models.tree_predictor.dnf": dict(label=1),
    "models.word2vec.Word2Vec": dict(
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
    room, module, function = name.split(".", 2)
    parameters = inspect.signature(attrgetter(function)(import_module(f"mlcourse.{room}.{module}"))).parameters
    numbers = {p.name: p.default for p in parameters.values() if isinstance(p.default, (int, float, str, tuple))}
    assert numbers == DEFAULTS[name]
    assert all(type(numbers[key]) is type(value) for key, value in DEFAULTS[name].items())  # True is not 1
