"""The checks of this chapter's exercises accept right answers and say what is wrong with planted wrong ones."""

import numpy as np
from planting import planted_tests, told

from mlcourse_homework.chapters import learning_from_data as ex


def tf_idf(documents, idf=lambda N, df: np.log(N / df), length=len, reverse=False):
    words = sorted(set().union(*documents), reverse=reverse)
    df = np.array([sum(word in document for document in documents) for word in words])
    counts = np.array([[document.count(word) for word in words] for document in documents])
    lengths = np.array([length(document) for document in documents])
    return words, counts / lengths[:, None] * idf(len(documents), df)


def pair_first(categories, a, b):
    others = [c for c in categories if c not in (a, b)]
    return {a: 0, b: 1} | {c: 3 + i for i, c in enumerate(others)}


def binary(y, base=2.0):
    return np.pi * (1 + sum(base**i for i, label in enumerate(y, start=1) if label < 0))


def confusion(y, y_hat, n_classes):
    C = np.zeros((n_classes, n_classes), dtype=int)
    np.add.at(C, (y, y_hat), 1)
    return C


def overwriting(y, y_hat, n_classes):
    C = np.zeros((n_classes, n_classes), dtype=int)
    C[y, y_hat] += 1  # repeated pairs count once
    return C


RIGHT = {
    ex.tf_idf: [tf_idf, lambda documents: tf_idf(documents, reverse=True)],
    ex.codes: [pair_first, lambda categories, a, b: {c: -7 * v for c, v in pair_first(categories, a, b).items()}],
    ex.frequency: [binary, lambda y: binary(y) + 2 * np.pi * 2.0 ** len(y)],
    ex.worst_loss: [lambda P, Q: P > Q, lambda P, Q: (P <= Q).astype(float)],
    ex.confusion: [confusion],
}
WRONG = {
    ex.tf_idf: [
        (lambda documents: tf_idf(documents, idf=lambda N, df: 1 + np.log(N / df)), "'the' stands in every document"),
        (lambda documents: tf_idf(documents, idf=lambda N, df: np.log10(N / df)), "does not weigh"),
        (lambda documents: tf_idf(documents, length=lambda document: len(set(document))), "length of the document"),
        (lambda documents: (tf_idf(documents)[0], tf_idf(documents)[1][::-1]), "does not weigh"),
        (lambda documents: tf_idf(documents)[1], "a pair"),
        (lambda documents: (["the"], np.zeros((len(documents), 1))), "each word"),
        (lambda documents: (tf_idf(documents)[0], tf_idf(documents)[1].T), "shape"),
    ],
    ex.codes: [
        (lambda categories, a, b: {c: i for i, c in enumerate(sorted(categories))}, "should be nearer"),
        (lambda categories, a, b: pair_first(categories, a, b) | {b: 2}, "should be nearer"),
        (lambda categories, a, b: pair_first(categories, a, b) | {a: -1}, "should be nearer"),  # a tie, 2 and 2
        (lambda categories, a, b: dict.fromkeys(categories, 1), "different codes"),
        (lambda categories, a, b: {c: v / 2 for c, v in pair_first(categories, a, b).items()}, "integers"),
        (lambda categories, a, b: {a: 0, b: 1, "new": 2}, "keys"),
        (lambda categories, a, b: [0, 1], "dict"),
    ],
    ex.frequency: [
        *told("wrong sign", lambda y: binary(y, base=10.0), lambda y: binary(-y)),
        *told("too close to zero", lambda y: binary(y) - np.pi, lambda y: 0.0),
        (lambda y: np.nan, "finite"),
        *told("a number", lambda y: y, lambda y: None),
    ],
    ex.worst_loss: [
        *told("is possible", lambda P, Q: np.ones_like(P), lambda P, Q: np.abs(P - Q), lambda P, Q: 0.9 * (P > Q)),
        (lambda P, Q: np.sign(P - Q), "between 0 and 1"),
        (lambda P, Q: np.abs(P - Q).sum() / 2, "shape"),
    ],
    ex.confusion: [
        (overwriting, "repeats too"),
        (lambda y, y_hat, k: confusion(y, y_hat, k).T, "transposed"),
        (lambda y, y_hat, k: confusion(y, y_hat, k) / len(y), "add up"),
        (lambda y, y_hat, k: confusion(y, (y_hat + 1) % k, k), "are predicted as"),
        (lambda y, y_hat, k: confusion(y, y_hat, k + 1), "shape"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
