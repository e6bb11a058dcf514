"""The five data sets are the UCI files, byte for byte, and have the properties that the book tells of."""

import gzip
import hashlib
from importlib.resources import files

import numpy as np
import pytest

from mlcourse.data import TfIdfEncoder, load_corpus, load_digits, load_ionosphere, load_iris, load_mushroom, load_wdbc
from mlcourse.models.linear.linear_separation import augmented, separator

SHA256 = {
    "wdbc": "1beebcb6fe65e01dc93a1aafd43bee201723dc5bbd2479e5f7ed8c634e788202",
    "ionosphere": "c3c36b692d178f83a1dc212112fa2c703a8b236a60b7146bf969e43b19efd3e1",
    "mushroom": "7204d38399e2c7c84d85e7a2019081724bb943613e82be5d3523156cfbcf9f64",
    "iris": "20f7ef9ad6e85c0752a0cda4c9d1edfcad39c04114a822496a15c20eb1df2cda",
    "digits": "1a8c0ce573804cf39bc6fdc9a6cc8f23d15cbf27a72575c1ca5fac15163717d0",
}
CASES = [
    (load_wdbc, (569, 30), {"B": 357, "M": 212}),
    (load_ionosphere, (351, 34), {"b": 126, "g": 225}),
    (load_mushroom, (8124, 116), {"e": 4208, "p": 3916}),
    (load_iris, (150, 4), {"setosa": 50, "versicolor": 50, "virginica": 50}),
    (load_digits, (1797, 64), dict(enumerate([178, 182, 177, 183, 181, 182, 181, 179, 174, 180]))),
]


def separable(X, y):
    """Whether a hyperplane with a bias separates the labels y in {-1, +1}."""
    return separator(augmented(X), y) is not None


def duplicates(X):
    return len(X) - len(np.unique(X, axis=0))


@pytest.mark.parametrize("name", SHA256)
def test_checksum(name):
    packed = files("mlcourse.data").joinpath(f"{name}.csv.gz").read_bytes()
    assert hashlib.sha256(gzip.decompress(packed)).hexdigest() == SHA256[name]
    assert packed[4:8] == bytes(4)  # no time stamp, so that packing again gives the same bytes


@pytest.mark.parametrize("load, shape, counts", CASES)
def test_shapes_names_and_counts(load, shape, counts):
    X, y, feature_names, class_names = load()
    assert X.shape == shape and X.dtype == float and np.isfinite(X).all()
    assert len(set(feature_names)) == shape[1]
    values, count = np.unique(y, return_counts=True)
    assert dict(zip(values.tolist(), count.tolist(), strict=True)) == counts
    assert class_names == tuple(counts)


@pytest.mark.parametrize("load", [case[0] for case in CASES])
def test_a_caller_cannot_spoil_the_next_call(load):
    first, second = load(), load()
    first.X[:], first.y[:] = 0, first.y[0]
    third = load()
    np.testing.assert_array_equal(second.X, third.X)
    np.testing.assert_array_equal(second.y, third.y)


def test_wdbc_is_separable_and_agrees_with_scikit_learn():
    from sklearn.datasets import load_breast_cancer

    X, y, names, _ = load_wdbc()
    theirs = load_breast_cancer()
    np.testing.assert_allclose(X, theirs.data)
    np.testing.assert_array_equal(y, np.where(theirs.target == 1, "B", "M"))
    assert names[0] == "radius_mean" and "id" not in names
    assert X.std(axis=0).max() > 200_000 * X.std(axis=0).min() and duplicates(X) == 0
    assert separable(X, np.where(y == "M", 1, -1))


def test_ionosphere_has_a_constant_column_and_a_duplicate_and_is_not_separable():
    X, y, names, _ = load_ionosphere()
    assert [name for name, column in zip(names, X.T, strict=True) if np.ptp(column) == 0] == ["a02"]
    assert duplicates(X) == 1 and np.abs(X).max() == 1
    assert not separable(X, np.where(y == "g", 1, -1))


def test_iris_differs_from_scikit_learn_in_three_cells():
    from sklearn.datasets import load_iris as theirs

    X, y, *_ = load_iris()
    rows, columns = np.nonzero(X != theirs().data)
    assert (rows + 1).tolist() == [35, 38, 38] and columns.tolist() == [3, 1, 2]
    assert duplicates(X) == 3
    assert separable(X, np.where(y == "setosa", 1, -1))
    others = y != "setosa"
    assert not separable(X[others], np.where(y[others] == "virginica", 1, -1))


def test_digits_agree_with_scikit_learn():
    from sklearn.datasets import load_digits as theirs

    X, y, names, _ = load_digits()
    np.testing.assert_array_equal(X, theirs().data)
    np.testing.assert_array_equal(y, theirs().target)
    constant = [name for name, column in zip(names, X.T, strict=True) if np.ptp(column) == 0]
    assert constant == ["p00", "p40", "p47"]
    assert [digit for digit in range(10) if not separable(X, np.where(y == digit, 1, -1))] == [8, 9]


def test_mushroom_one_hot():
    letters, y, attributes, _ = load_mushroom(one_hot=False)
    X, _, names, _ = load_mushroom()
    assert letters.shape == (8124, 22) and set(np.char.str_len(letters).ravel()) == {1}
    missing = {name: int((column == "?").sum()) for name, column in zip(attributes, letters.T, strict=True)}
    assert {name: n for name, n in missing.items() if n} == {"stalk-root": 2480}
    assert X[:, names.index("stalk-root=?")].sum() == 2480
    assert not any(name.startswith("veil-type=") for name in names)
    np.testing.assert_array_equal(X.sum(axis=1), 21)
    assert (np.ptp(X, axis=0) == 1).all()
    for name, column in zip(names, X.T, strict=True):
        attribute, value = name.split("=")
        np.testing.assert_array_equal(column == 1, letters[:, attributes.index(attribute)] == value)
    assert duplicates(letters) == 0
    assert separable(X, np.where(y == "p", 1, -1))


def test_mushroom_flag():
    with pytest.raises(ValueError, match="one_hot must be True or False"):
        load_mushroom(one_hot="yes")


def test_corpus_documents_are_nearest_to_their_own_topic():
    documents, topics = load_corpus()
    assert len(documents) == len(topics) and 3 <= len(set(topics)) <= 4
    encoder = TfIdfEncoder().fit(documents)
    assert encoder.idf_[encoder.vocabulary_ == "the"] == 0
    X = encoder.transform(documents)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    alike = topics[:, None] == topics[None, :]
    off = ~np.eye(len(topics), dtype=bool)
    assert (X @ X.T)[alike & off].mean() > (X @ X.T)[~alike].mean()
