"""The best tree of every size on features that are 0 or 1, by dynamic programming over subcubes.

Letters
    d      number of features; a subcube is an index of d numbers: 0 or 1 where a feature is fixed, 2 where it is free
    M, j   number of inner nodes allowed, number of a feature
    E      E[M][cube], the fewest errors on the examples in the cube of a tree with at most M inner nodes
    X, y   the m examples, y in {-1, +1}
"""

import numpy as np

from mlcourse.arguments.arrays import check_lengths, check_X, check_y
from mlcourse.arguments.numbers import check_count


class OptimalTree:
    """For each number of inner nodes up to ``M``, a tree of least training error among all trees on the features.

    ``errors`` (M + 1,): the least number of errors with at most 0, 1, ..., M inner nodes.
    ``tree(k)``: a tree that attains ``errors[k]`` with as few inner nodes as possible, as nested tuples
    (j, low, high) with leaves -1 and +1. The cost grows like 3^d, so d is at most 12.

    Guarantee: prop-optimal-tree. Book: trees.
    """

    def __init__(self, X, y, M):
        X, y = check_X(X), check_y(y)
        check_lengths(X=X, y=y)
        if not np.isin(X, (0, 1)).all() or not np.isin(y, (-1, 1)).all():
            raise ValueError("the features must be 0 or 1 and the labels -1 or +1")
        if X.shape[1] > 12:
            raise ValueError(f"at most 12 features are possible, got {X.shape[1]}")
        self.counts = subcube_counts(X.astype(int), y)
        self.E = least_errors(self.counts, check_count("M", M, 0))
        self.errors = self.E.reshape(len(self.E), -1)[:, -1]  # the last subcube: every feature is free

    def tree(self, M: int) -> tuple | int:
        """A smallest tree among those of least training error with at most M inner nodes."""
        if check_count("M", M, 0) >= len(self.E):
            raise ValueError(f"M must be at most {len(self.E) - 1}, got {M}")
        return self._tree((2,) * (self.E.ndim - 1), M)

    def _tree(self, cube, M):
        M = int((self.E[: M + 1, *cube] == self.E[M, *cube]).argmax())  # more inner nodes would not help
        if M == 0:
            negative, positive = self.counts[:, *cube]
            return 1 if positive >= negative else -1
        for j in np.flatnonzero(np.array(cube) == 2):
            low, high = ((*cube[:j], value, *cube[j + 1 :]) for value in (0, 1))
            sums = self.E[:M, *low] + self.E[:M, *high][::-1]
            if sums.min() == self.E[M, *cube]:
                k = int(sums.argmin())
                return int(j), self._tree(low, k), self._tree(high, M - 1 - k)
        raise AssertionError("the table of least errors contradicts itself")


def subcube_counts(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How many negative and positive examples each subcube holds, shape (2, 3, ..., 3)."""
    d = X.shape[1]
    counts = np.zeros((2, *[3] * d), dtype=int)
    np.add.at(counts, (np.where(y == 1, 1, 0), *X.T), 1)
    for j in range(d):
        low, high, free = faces(j)
        counts[:, *free] = counts[:, *low] + counts[:, *high]
    return counts


def least_errors(counts: np.ndarray, M: int) -> np.ndarray:
    """The table E, shape (M + 1, 3, ..., 3)."""
    d = counts.ndim - 1
    E = [counts.min(axis=0)]
    for n_inner in range(1, M + 1):
        best = E[-1].copy()
        for j in range(d):
            low, high, free = faces(j)
            for k in range(n_inner):
                split = E[k][low] + E[n_inner - 1 - k][high]
                best[free] = np.minimum(best[free], split)
        E.append(best)
    return np.array(E)


def faces(j: int) -> list[tuple]:
    """The indices of all subcubes in which feature j is 0, is 1, is free."""
    return [(*[slice(None)] * j, value, ...) for value in (0, 1, 2)]
