"""Statistical learning in readable NumPy: the package of the course *Statistical Learning, Executed*."""

from mlcourse.models.decision_stump import DecisionStump
from mlcourse.models.memoriser import Memoriser
from mlcourse.models.nearest_neighbors import KNearestNeighbors
from mlcourse.models.perceptron import MulticlassPerceptron, Perceptron

__version__ = "0.1.0"

__all__ = [
    "DecisionStump",
    "KNearestNeighbors",
    "Memoriser",
    "MulticlassPerceptron",
    "Perceptron",
]
