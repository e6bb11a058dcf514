"""Turning raw columns and texts into numbers; every encoder learns from the training sample alone.

Letters: m rows, d columns, X a table (m, d), N documents, df the number of documents that hold a word,
tf a word's share of a document, idf = ln(N / df).
"""

import re

import numpy as np

from mlcourse._checks import check_X, not_fitted
from mlcourse.base import Estimator, Transformer


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

    def inverse_transform(self, X) -> np.ndarray:
        """The raw rows whose standardised form is X."""
        return self._new_points(X) * self.scale_ + self.mean_


class OneHot(Estimator):
    """Each column of categories becomes one 0/1 column for each category seen in training.

    `unknown`: what to do at `transform` with a category not seen in training, "error" or "zeros" (an all-zero
    block). Learned: `categories_`, for each column the sorted array of its categories.
    """

    _kind = "transformer"
    _needs_y = False

    def __init__(self, unknown: str = "error"):
        self.unknown = unknown

    def fit(self, X, y=None):
        """Learn the categories of each column of X; returns `self`."""
        if self.unknown not in ("error", "zeros"):
            raise ValueError(f"unknown must be 'error' or 'zeros', got {self.unknown!r}")
        return self._fit_safely(_table(X))

    def _fit(self, X):
        self.categories_ = [np.unique(column) for column in X.T]

    def transform(self, X) -> np.ndarray:
        """The 0/1 matrix of X, the blocks in the order of the columns."""
        if not hasattr(self, "categories_"):
            raise not_fitted(self)
        columns = _table(X, self.n_features_in_).T
        return np.hstack([self._block(j, column) for j, column in enumerate(columns)])

    def fit_transform(self, X, y=None) -> np.ndarray:
        """Learn the categories of X and return its 0/1 matrix."""
        return self.fit(X).transform(X)

    def feature_names(self, names=None) -> list[str]:
        """The names "column=category" of the columns of the 0/1 matrix."""
        if not hasattr(self, "categories_"):
            raise not_fitted(self)
        names = [f"x{j}" for j in range(self.n_features_in_)] if names is None else names
        if len(names) != self.n_features_in_:
            raise ValueError(f"names must name {self.n_features_in_} columns, got {len(names)}")
        pairs = zip(names, self.categories_, strict=True)
        return [f"{name}={category}" for name, categories in pairs for category in categories]

    def _block(self, j, column):
        hot = column[:, None] == self.categories_[j]
        lost = ~hot.any(axis=1)
        if lost.any() and self.unknown == "error":
            raise ValueError(f"column {j} holds {column[lost].tolist()[0]!r}, not seen in training: "
                             f"known are {self.categories_[j].tolist()}; unknown='zeros' would let it pass")
        return hot.astype(float)


def _table(X, n_features=None) -> np.ndarray:
    """X as a non-empty (m, d) array of categories: all strings, or all finite numbers."""
    table = np.asarray(X)
    strings = [isinstance(entry, str) for entry in table.flat] if table.dtype.kind == "O" else []
    if any(strings) and not all(strings):
        raise ValueError("the categories in X must be all strings or all numbers, got a mixture")
    if table.dtype.kind in "US" or any(strings):
        check_X(np.zeros(table.shape), n_features, "OneHot")  # the shape alone
        return table.astype(str)
    numbers = check_X(X, n_features, "OneHot")
    return table if table.dtype.kind in "biu" else numbers


class TfEncoder(Estimator):
    """Documents as vectors of term frequencies: tf = count of the word / number of words of the document.

    Words are maximal runs of letters, digits and underscores, in lower case. Words not seen in training
    have no column, but count in the length; a document without words becomes the zero vector.
    Learned: `vocabulary_`, the sorted array of words, one for each column.
    """

    _kind = "transformer"
    _needs_y = False

    def fit(self, documents, y=None):
        """Learn the vocabulary of the documents (strings); returns `self`."""
        vocabulary = sorted(set().union(*_words(documents)))
        if not vocabulary:
            raise ValueError("there is not one word in the documents, so there is no vocabulary to learn")
        self.vocabulary_ = np.array(vocabulary)
        return self

    def transform(self, documents) -> np.ndarray:
        """The matrix of term frequencies, shape (number of documents, number of words)."""
        if not hasattr(self, "vocabulary_"):
            raise not_fitted(self)
        column = {word: j for j, word in enumerate(self.vocabulary_.tolist())}
        documents = _words(documents)
        tf = np.zeros((len(documents), len(column)))
        for row, words in zip(tf, documents, strict=True):
            for word in words:
                if word in column:
                    row[column[word]] += 1
            row /= max(len(words), 1)
        return tf

    def fit_transform(self, documents, y=None) -> np.ndarray:
        """Learn from the documents and return their matrix."""
        return self.fit(documents).transform(documents)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "vocabulary_")


class TfIdfEncoder(TfEncoder):
    """Term frequencies times idf = ln(N / df): a word of every training document weighs nothing.

    Learned: `vocabulary_` as in TfEncoder, and `idf_`, one weight for each word.
    """

    def fit(self, documents, y=None):
        """Learn the vocabulary and the weights of its words; returns `self`."""
        documents = documents if isinstance(documents, str) else list(documents)
        super().fit(documents)
        tf = super().transform(documents)
        self.idf_ = np.log(len(tf) / (tf > 0).sum(axis=0))
        return self

    def transform(self, documents) -> np.ndarray:
        """The matrix of tf-idf weights, shape (number of documents, number of words)."""
        tf = super().transform(documents)
        return tf * self.idf_


def _words(documents) -> list[list[str]]:
    """The words of each document, in lower case."""
    if isinstance(documents, str):
        raise ValueError("documents must be a list of strings, got one string: put it in a list")
    documents = list(documents)
    if not documents:
        raise ValueError("documents must hold at least one string, got none")
    for i, document in enumerate(documents):
        if not isinstance(document, str):
            raise ValueError(f"documents must be strings, but number {i} has type {type(document).__name__}")
    return [re.findall(r"\w+", document.lower()) for document in documents]
