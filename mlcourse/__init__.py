"""Statistical learning in readable NumPy: the package of the course *Statistical Learning, Executed*."""

from mlcourse.ensembles.adaboost import AdaBoost
from mlcourse.ensembles.bagging import Bagging, BaggingRegressor
from mlcourse.ensembles.random_forest import RandomForest, RandomForestRegressor
from mlcourse.models.adaline import Adaline
from mlcourse.models.autoencoder import Autoencoder
from mlcourse.models.decision_stump import DecisionStump
from mlcourse.models.decision_tree import DecisionTree, RegressionTree
from mlcourse.models.gaussian_discriminant import GaussianDiscriminant
from mlcourse.models.kernel_perceptron import KernelPerceptron
from mlcourse.models.kernel_ridge import KernelRidge
from mlcourse.models.kernels import GaussianKernel, LinearKernel, PolynomialKernel
from mlcourse.models.linear_regression import LinearRegression, Ridge
from mlcourse.models.local_averaging import HistogramRule, KernelRule
from mlcourse.models.logistic_regression import LogisticRegression
from mlcourse.models.memoriser import Memoriser
from mlcourse.models.mlp import MLPClassifier, MLPRegressor
from mlcourse.models.nearest_neighbors import KNearestNeighbors, KNearestNeighborsRegressor
from mlcourse.models.one_vs_rest import OneVsRest
from mlcourse.models.pegasos import Pegasos
from mlcourse.models.perceptron import MulticlassPerceptron, Perceptron
from mlcourse.models.svm import SVM

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
