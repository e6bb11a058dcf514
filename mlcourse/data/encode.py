"""Turning raw columns and texts into numbers; every encoder learns from the training sample alone.

Letters: m rows, d columns, X a table (m, d), N documents, df the number of documents that hold a word,
tf a word's share of a document, idf = ln(N / df).
"""

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_array
from mlcourse.arguments.collections import check_iterable
from mlcourse.arguments.numbers import check_one_of
from mlcourse.base import Transformer


class Standardiser(Transformer):
    """Columns shifted to mean 0 and scaled to standard deviation 1, as measured on the training sample.

    A column that is constant in training is only shifted (its scale is 1).
    Learned: `mean_` (d,), `scale_` (d,), standard deviations with divisor m.
    """

    def _fit(self, X):
        constant = (X == X[0]).all(axis=0)
        unit = np.where(constant, 1.0, np.abs(X).max(axis=0))  # so that squares neither overflow nor vanish
        self.mean_ = np.where(constant, X[0], unit * (X / unit).mean(axis=0))
        self.scale_ = np.where(constant, 1.0, unit * (X / unit).std(axis=0))

    def _transform(self, X):
        return (X - self.mean_) / self.scale_

    def inverse_transform(self, X: ArrayLike) -> np.ndarray:
        """The raw rows whose standardised form is X."""
        return self._finite_answer(lambda X: X * self.scale_ + self.mean_, self._new_points(X))


class OneHot(Transformer):
    """Each column of categories becomes one 0/1 column for each category seen in training.

    `unknown`: what to do at `transform` with a category not seen in training, "error" or "zeros" (an all-zero
    block). Learned: `categories_`, for each column the sorted array of its categories.

    Guarantee: prop-one-hot. Book: learning-from-data.
    """

    _valid = {"unknown": check_one_of("error", "zeros")}

    def __init__(self, unknown: str = "error"):
        self.unknown = unknown

    def _check_points(self, X, n_features=None):
        """X as a non-empty (m, d) array of categories: all strings, or all finite numbers."""
        table = check_array("X", X)
        strings = [isinstance(entry, str) for entry in table.flat] if table.dtype.kind == "O" else []
        if any(strings) and not all(strings):
            raise ValueError("the categories in X must be all strings or all numbers, got a mixture")
        if table.dtype.kind in "US" or any(strings):
            super()._check_points(np.zeros(table.shape), n_features)  # the shape alone
            return table.astype(str)
        numbers = super()._check_points(X, n_features)
        return table if table.dtype.kind in "biu" else numbers

    def _fit(self, X):
        self.categories_ = [np.unique(column) for column in X.T]

    def _transform(self, X):
        return np.hstack([self._block(j, column) for j, column in enumerate(X.T)])

    def _block(self, j, column):
        hot = column[:, None] == self.categories_[j]
        lost = ~hot.any(axis=1)
        if lost.any() and self.unknown == "error":
            raise ValueError(
                f"column {j} holds {column[lost].tolist()[0]!r}, not seen in training: "
                f"known are {self.categories_[j].tolist()}; unknown='zeros' would let it pass"
            )
        return hot.astype(float)

    def feature_names(self, names: Iterable[str] | None = None) -> list[str]:
        """The names "column=category" of the columns of the 0/1 matrix."""
        self._require_fit()
        numbered = [f"x{j}" for j in range(self.n_features_in_)]
        names = numbered if names is None else list(check_iterable("names", names))
        if len(names) != self.n_features_in_:
            raise ValueError(f"names must name {self.n_features_in_} columns, got {len(names)}")
        pairs = zip(names, self.categories_, strict=True)
        return [f"{name}={category}" for name, categories in pairs for category in categories]


class TfEncoder(Transformer):
    """Documents as vectors of term frequencies: tf = count of the word / number of words of the document.

    Words are maximal runs of letters, digits and underscores, in lower case. Words not seen in training
    have no column, but count in the length; a document without words becomes the zero vector.
    Learned: `vocabulary_`, the sorted array of words, one for each column.
    """

    def _check_points(self, documents, n_features=None):
        """The documents (strings) as a table of one column, whose entries are lists of words."""
        if isinstance(documents, str):
            raise ValueError("documents must be a list of strings, got one string: put it in a list")
        documents = list(check_iterable("documents", documents))
        if not documents:
            raise ValueError("documents must hold at least one string, got none")
        table = np.empty((len(documents), 1), dtype=object)
        for i, document in enumerate(documents):
            if not isinstance(document, str):
                raise ValueError(f"documents must be strings, but number {i} has type {type(document).__name__}")
            table[i, 0] = re.findall(r"\w+", document.lower())
        return table

    def _fit(self, X):
        self.vocabulary_ = np.array(sorted(set().union(*X[:, 0])))
        if not len(self.vocabulary_):
            raise ValueError("there is not one word in the documents, so there is no vocabulary to learn")

    def _transform(self, X):
        column = {word: j for j, word in enumerate(self.vocabulary_.tolist())}
        tf = np.zeros((len(X), len(column)))
        for row, words in zip(tf, X[:, 0], strict=True):
            for word in words:
                if word in column:
                    row[column[word]] += 1
            row /= max(len(words), 1)
        return tf


class TfIdfEncoder(TfEncoder):
    """Term frequencies times idf = ln(N / df): a word of every training document weighs nothing.

    Learned: `vocabulary_` as in TfEncoder, and `idf_`, one weight for each word.

    Guarantee: prop-tf-idf. Book: learning-from-data. Source: Milan (idf added).
    """

    def _fit(self, X):
        super()._fit(X)
        tf = super()._transform(X)
        self.idf_ = np.log(len(tf) / (tf > 0).sum(axis=0))

    def _transform(self, X):
        return super()._transform(X) * self.idf_
