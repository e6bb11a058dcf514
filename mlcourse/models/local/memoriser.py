"""The look-up table: empirical risk minimisation over all functions."""

import numpy as np

from mlcourse.arguments.numbers import check_one_of
from mlcourse.base import BinaryClassifier


class Memoriser(BinaryClassifier):
    """Answers with the majority label of the training points equal to x, and with ``elsewhere`` off the sample.

    Minimises the empirical 0-1 risk over *all* functions, so its training error is the least possible.

    Parameters: ``elsewhere``, -1 or +1 (the lower or the upper class), said wherever x was never seen.
    Learned: ``table_``, a dictionary from points to the sum of their labels.

    Guarantee: prop-least-training-error, and prop-memoriser for what it is worth. Book: erm. Source: Amini.
    """

    _valid = {"elsewhere": check_one_of(-1, 1)}

    def __init__(self, elsewhere=1):
        self.elsewhere = elsewhere

    def _fit(self, X, y):
        points, index = np.unique(X, axis=0, return_inverse=True)
        votes = np.bincount(index.ravel(), weights=y)
        self.table_ = dict(zip(map(tuple, points.tolist()), votes.tolist(), strict=True))

    def _score(self, X):
        return np.array([self.table_.get(tuple(x), self.elsewhere) for x in X.tolist()], dtype=float)
