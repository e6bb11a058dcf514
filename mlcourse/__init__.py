"""Statistical learning in readable NumPy: the package of the course *Statistical Learning, Executed*."""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_HOMES = {  # a model is imported when it is first asked for: SciPy takes a while
    "ensembles.adaboost": ["AdaBoost"],
    "ensembles.bagging": ["Bagging", "BaggingRegressor"],
    "ensembles.one_vs_rest": ["OneVsRest"],
    "ensembles.random_forest": ["RandomForest", "RandomForestRegressor"],
    "models.kernels.functions": ["GaussianKernel", "LinearKernel", "PolynomialKernel"],
    "models.kernels.kernel_perceptron": ["KernelPerceptron"],
    "models.kernels.kernel_ridge": ["KernelRidge"],
    "models.kernels.pegasos": ["Pegasos"],
    "models.kernels.svm": ["SVM"],
    "models.linear.adaline": ["Adaline"],
    "models.linear.gaussian_discriminant": ["GaussianDiscriminant"],
    "models.linear.linear_regression": ["LinearRegression", "Ridge"],
    "models.linear.logistic_regression": ["LogisticRegression"],
    "models.linear.perceptron": ["MulticlassPerceptron", "Perceptron"],
    "models.local.local_averaging": ["HistogramRule", "KernelRule"],
    "models.local.memoriser": ["Memoriser"],
    "models.local.nearest_neighbors": ["KNearestNeighbors", "KNearestNeighborsRegressor"],
    "models.networks.autoencoder": ["Autoencoder"],
    "models.networks.mlp": ["MLPClassifier", "MLPRegressor"],
    "models.trees.decision_tree": ["DecisionTree", "RegressionTree"],
    "models.trees.stump": ["DecisionStump"],
}
_ROOMS = ["data", "ensembles", "evaluation", "losses", "models", "optim", "plots", "testing", "theory"]
__all__ = sorted(name for names in _HOMES.values() for name in names)

if TYPE_CHECKING:  # checkers and editors read the imports
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
else:

    def __getattr__(name: str) -> object:
        if name in _ROOMS:
            return import_module(f"{__name__}.{name}")
        for home, names in _HOMES.items():
            if name in names:
                return globals().setdefault(name, getattr(import_module(f"{__name__}.{home}"), name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return [*globals(), *__all__, *_ROOMS]
