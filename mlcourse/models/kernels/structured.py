"""Kernels of things that are not vectors: strings, sets, whatever can be taken to parts and counted.

Letters
    p       length of the substrings that are compared
    u       a part: a substring of a string, an element of a set
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from mlcourse.arguments.arrays import check_things
from mlcourse.arguments.numbers import check_count
from mlcourse.models.kernels.functions import Kernel


class PartsKernel(Kernel):
    """k(x, z) = sum over parts u of the number of u in x times the number of u in z: ``_parts(x)`` lists them."""

    _kinds: tuple[type, ...] = (object,)
    _parts: Callable[[Any], Iterable]

    def _check_points(self, X):
        X = check_things(X)
        for x in X[:, 0]:
            if not isinstance(x, self._kinds):
                kind = self._kinds[0].__name__
                raise ValueError(f"points of a {type(self).__name__} must be of type {kind}, got {x!r}")
        return X

    def _gram(self, X, Z):
        vocabulary: dict[Any, int] = {}
        A, B = self._counts(X, vocabulary), self._counts(Z, vocabulary)
        A.resize(len(X), len(vocabulary))
        return (A @ B.T).toarray()

    def _diagonal(self, X):
        return self._counts(X, {}).power(2).sum(axis=1)

    def _counts(self, X, vocabulary):
        """The sparse matrix of the number of each part in each point; new parts enter the vocabulary."""
        parts = [[vocabulary.setdefault(u, len(vocabulary)) for u in self._parts(x)] for x in X[:, 0]]
        starts = np.cumsum([0, *map(len, parts)])
        columns = np.concatenate([*parts, []]).astype(int)
        counts = csr_array((np.ones(len(columns)), columns, starts), shape=(len(X), len(vocabulary)))
        counts.sum_duplicates()
        return counts


class SpectrumKernel(PartsKernel):
    """k(s, t) = the number of pairs of equal substrings of length ``p``, one of the string s and one of t."""

    _kinds = (str,)
    _valid = {"p": check_count}

    def __init__(self, p=3):
        self.p = p
        self._check_params()

    def _parts(self, string):
        return [string[i : i + self.p] for i in range(len(string) - self.p + 1)]


class IntersectionKernel(PartsKernel):
    """k(A, B) = the number of elements that the sets A and B have in common."""

    _kinds = (set, frozenset)

    def _parts(self, members):
        return members
