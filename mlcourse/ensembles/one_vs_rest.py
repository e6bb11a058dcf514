"""Several classes by several binary questions: is it this class, or one of the rest?"""

import copy

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.numbers import check_binary
from mlcourse.base import Classifier, last_argmax
from mlcourse.models.kernels.svm import SVM


class OneVsRest(Classifier):
    """One copy of a binary classifier for each class, trained to tell it from the rest; the highest score wins.

    Parameters: ``binary`` is a classifier with a ``decision_function``, a linear ``SVM()`` if None.
    Learned: ``classifiers_``, one for each of ``classes_`` (one in all if there are two classes).
    Book: svm.
    """

    _valid = {"binary": check_binary}

    def __init__(self, binary=None):
        self.binary = binary

    def _fit(self, X, y):
        binary = SVM() if self.binary is None else self.binary
        k = len(self.classes_)
        self.classifiers_ = [copy.deepcopy(binary).fit(X, y == c) for c in range(k == 2, k)]

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """The (n, k) scores of the classes; with two classes the score of the second, (n,)."""
        return self._scores(self._new_points(X))

    def _scores(self, X):
        scores = np.column_stack([classifier.decision_function(X) for classifier in self.classifiers_])
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def _predict(self, X):
        scores = self._scores(X)
        return (scores >= 0).astype(int) if scores.ndim == 1 else last_argmax(scores)
