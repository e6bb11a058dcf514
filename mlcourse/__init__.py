"""Statistical learning in readable NumPy: the package of the course *Statistical Learning, Executed*."""

from mlcourse.ensembles.adaboost import AdaBoost
from mlcourse.ensembles.bagging import Bagging, BaggingRegressor
from mlcourse.ensembles.one_vs_rest import OneVsRest
from mlcourse.ensembles.random_forest import RandomForest, RandomForestRegressor
from mlcourse.models.kernels.functions import GaussianKernel, LinearKernel, PolynomialKernel
from mlcourse.models.kernels.kernel_perceptron import KernelPerceptron
from mlcourse.models.kernels.kernel_ridge import KernelRidge
from mlcourse.models.kernels.pegasos import Pegasos
from mlcourse.models.kernels.svm import SVM
from mlcourse.models.linear.adaline import Adaline
from mlcourse.models.linear.gaussian_discriminant import GaussianDiscriminant
from mlcourse.models.linear.linear_regression import LinearRegression, Ridge
from mlcourse.models.linear.logistic_regression import LogisticRegression
from mlcourse.models.linear.perceptron import MulticlassPerceptron, Perceptron
from mlcourse.models.local.local_averaging import HistogramRule, KernelRule
from mlcourse.models.local.memoriser import Memoriser
from mlcourse.models.local.nearest_neighbors import KNearestNeighbors, KNearestNeighborsRegressor
from mlcourse.models.networks.autoencoder import Autoencoder
from mlcourse.models.networks.mlp import MLPClassifier, MLPRegressor
from mlcourse.models.trees.decision_tree import DecisionTree, RegressionTree
from mlcourse.models.trees.stump import DecisionStump

__version__ = "0.1.0"

__all__ = [
    "AdaBoost",
    "Adaline",
    "Autoencoder",
    "Bagging",
    "BaggingRegressor",
    "DecisionStump",
    "DecisionTree",
    "GaussianDiscriminant",
    "GaussianKernel",
    "HistogramRule",
    "KNearestNeighbors",
    "KNearestNeighborsRegressor",
    "KernelPerceptron",
    "KernelRidge",
    "KernelRule",
    "LinearKernel",
    "LinearRegression",
    "LogisticRegression",
    "MLPClassifier",
    "MLPRegressor",
    "Memoriser",
    "MulticlassPerceptron",
    "OneVsRest",
    "Pegasos",
    "Perceptron",
    "RandomForest",
    "RandomForestRegressor",
    "PolynomialKernel",
    "RegressionTree",
    "Ridge",
    "SVM",
]
