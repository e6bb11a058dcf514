"""Encoders learn from the training sample alone and do what their formulas say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mlcourse.arguments.errors import NotFittedError
from mlcourse.data import OneHot, Standardiser, TfEncoder, TfIdfEncoder, load_corpus, load_ionosphere

few = settings(deadline=None, max_examples=30)
shapes = st.tuples(st.integers(1, 8), st.integers(1, 4))
tables = arrays(float, shapes, elements=st.floats(-100, 100, width=32))
letters = arrays("<U1", st.tuples(st.integers(2, 10), st.integers(1, 4)), elements=st.sampled_from("abc?"))
words = st.lists(st.sampled_from(["a", "rose", "is", "not", "A", "Rose"]), min_size=1, max_size=8)
corpora = st.lists(words.map(" ".join), min_size=1, max_size=6)


# --- standardise ---
@given(tables)
@few
def test_standardiser_inverse(X):
    model = Standardiser().fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-9)
    np.testing.assert_allclose(model.transform(model.inverse_transform(X)), X, atol=1e-6, rtol=1e-6)


def test_standardiser_uses_the_training_sample_only(rng):
    train, test = rng.normal(2, 3, size=(20, 3)), rng.normal(size=(5, 3))
    model = Standardiser().fit(train)
    expected = (test - train.mean(axis=0)) / train.std(axis=0)
    np.testing.assert_allclose(model.transform(test), expected)
    np.testing.assert_allclose(model.transform(test[:1]), expected[:1])


def test_standardiser_agrees_with_scikit_learn():
    from sklearn.preprocessing import StandardScaler

    X = load_ionosphere().X
    np.testing.assert_allclose(Standardiser().fit_transform(X), StandardScaler().fit_transform(X), atol=1e-12)


# --- one-hot ---
@given(letters)
@few
def test_one_hot_marks_the_category(X):
    encoder = OneHot().fit(X)
    Z, names = encoder.transform(X), encoder.feature_names([f"c{j}" for j in range(X.shape[1])])
    assert set(np.unique(Z)) <= {0, 1} and Z.shape == (len(X), len(names))
    np.testing.assert_array_equal(Z.sum(axis=1), X.shape[1])
    for i, row in enumerate(Z):
        marked = [name for name, z in zip(names, row, strict=True) if z]
        assert marked == [f"c{j}={value}" for j, value in enumerate(X[i])]


@given(letters)
@few
def test_one_hot_agrees_with_scikit_learn(X):
    from sklearn.preprocessing import OneHotEncoder

    theirs = OneHotEncoder(sparse_output=False).fit_transform(X)
    np.testing.assert_array_equal(OneHot().fit_transform(X), theirs)


def test_one_hot_unknown_category():
    train, test = [["a", "x"], ["b", "y"]], [["a", "z"]]
    with pytest.raises(ValueError, match="column 1 holds 'z', not seen in training.*'x', 'y'"):
        OneHot().fit(train).transform(test)
    np.testing.assert_array_equal(OneHot(unknown="zeros").fit(train).transform(test), [[1, 0, 0, 0]])


def test_one_hot_takes_numbers_and_objects():
    encoder = OneHot().fit([[3], [1], [3]])
    np.testing.assert_array_equal(encoder.transform([[1], [3]]), [[1, 0], [0, 1]])
    assert encoder.feature_names() == ["x0=1", "x0=3"]
    objects = np.array([["a"], ["b"]], dtype=object)
    np.testing.assert_array_equal(OneHot().fit_transform(objects), np.eye(2))


# --- words ---
@given(corpora)
@few
def test_term_frequencies_are_shares(documents):
    encoder = TfEncoder()
    tf = encoder.fit_transform(documents)
    np.testing.assert_allclose(tf.sum(axis=1), 1)
    assert encoder.vocabulary_.tolist() == sorted(set(" ".join(documents).lower().split()))
    for i, document in enumerate(documents):
        tokens = document.lower().split()
        shares = [tokens.count(word) / len(tokens) for word in encoder.vocabulary_]
        np.testing.assert_allclose(tf[i], shares)


def test_tf_idf_by_hand():
    encoder = TfIdfEncoder().fit(["Red, red rose!", "a rose", "a pear", ""])
    assert encoder.vocabulary_.tolist() == ["a", "pear", "red", "rose"]
    weights = encoder.transform(["Red, red rose!", "", "blue pear"])
    expected = [[0, 0, 2 / 3 * np.log(4), 1 / 3 * np.log(2)], [0] * 4, [0, np.log(4) / 2, 0, 0]]
    np.testing.assert_allclose(weights, expected)


def test_words_agree_with_scikit_learn():
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

    documents, _ = load_corpus()
    counter = CountVectorizer(token_pattern=r"\w+")
    counts = counter.fit_transform(documents).toarray()
    ours = TfIdfEncoder().fit(documents)
    assert ours.vocabulary_.tolist() == counter.get_feature_names_out().tolist()
    tf = counts / counts.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(TfEncoder().fit_transform(documents), tf)
    idf = TfidfTransformer(smooth_idf=False).fit(counts).idf_ - 1  # theirs adds 1
    np.testing.assert_allclose(ours.idf_, idf, atol=1e-12)
    np.testing.assert_allclose(ours.transform(documents), tf * idf, atol=1e-12)


# --- all of them ---
def test_encoders_work_in_pipelines():
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    documents, topics = load_corpus()
    text = make_pipeline(TfIdfEncoder(), LogisticRegression(C=100)).fit(documents, topics)
    assert text.score(documents, topics) == 1
    table = [["a", "x"], ["b", "x"], ["a", "y"], ["b", "y"]] * 5
    search = GridSearchCV(
        make_pipeline(OneHot(), Standardiser(), LogisticRegression()), {"onehot__unknown": ["error", "zeros"]}, cv=2
    )
    assert search.fit(table, ["p", "q", "p", "q"] * 5).best_score_ == 1
    assert clone(OneHot(unknown="zeros")).get_params() == {"unknown": "zeros"}


@pytest.mark.parametrize(
    "use, message",
    [
        (lambda: OneHot(unknown="skip").fit([["a"]]), "unknown must be 'error' or 'zeros', got 'skip'"),
        (lambda: OneHot().fit(["a", "b"]), "2D array"),
        (lambda: OneHot().fit(np.empty((0, 2), dtype=str)), "0 sample"),
        (lambda: OneHot().fit([[np.nan]]), "NaN"),
        (lambda: OneHot().fit(np.array([["a", 1]], dtype=object)), "a mixture"),
        (lambda: OneHot().fit([["a"]]).transform([["a", "b"]]), "2 features.*expecting 1"),
        (lambda: OneHot().fit([["a"]]).feature_names(["p", "q"]), "name 1 columns, got 2"),
        (lambda: Standardiser().fit([[1.0], [np.inf]]), "finite"),
        (lambda: Standardiser().fit([[1.0]]).inverse_transform([[1.0, 2.0]]), "2 features"),
        (lambda: TfEncoder().fit("one string"), "got one string"),
        (lambda: TfEncoder().fit([]), "got none"),
        (lambda: TfEncoder().fit(["a", 3]), "number 1 has type int"),
        (lambda: TfEncoder().fit(["...", ""]), "not one word"),
    ],
)
def test_bad_input_is_refused(use, message):
    with pytest.raises(ValueError, match=message):
        use()


@pytest.mark.parametrize(
    "use",
    [
        lambda: OneHot().transform([["a"]]),
        lambda: OneHot().feature_names(),
        lambda: Standardiser().transform([[1.0]]),
        lambda: Standardiser().inverse_transform([[1.0]]),
        lambda: TfEncoder().transform(["a"]),
        lambda: TfIdfEncoder().transform(["a"]),
    ],
)
def test_unfitted_use_is_refused(use):
    with pytest.raises(NotFittedError, match="not fitted"):
        use()


def test_documents_may_come_from_a_generator_and_a_failed_fit_changes_nothing():
    documents = ["a rose", "a pear", "pear and rose"]
    for encoder in (TfEncoder(), TfIdfEncoder()):
        np.testing.assert_array_equal(encoder.fit_transform(d for d in documents), encoder.transform(documents))
        before = dict(vars(encoder))
        with pytest.raises(ValueError, match="not one word"):
            encoder.fit(["...", ""])
        assert vars(encoder) == before
