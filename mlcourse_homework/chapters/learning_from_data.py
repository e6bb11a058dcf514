"""Checks for the code exercises of the chapter on learning from data."""

import itertools

import numpy as np

from mlcourse.theory.iid import total_variation
from mlcourse_homework.engine.answers import array, number, pair, require
from mlcourse_homework.engine.exercise import exercise


@exercise
def tf_idf(answer, rng):
    """``answer(documents)``, of lists of words, returns (words, W): W[i, j] is the tf-idf of words[j] in document i."""
    for N in [1, 2, 3, 5, 8] * 4:
        documents = [["the", *rng.choice(list("abcdef"), size=rng.integers(1, 9)).tolist()] for _ in range(N)]
        words, W = pair(answer(documents), "(words, W)")
        words, held = [str(word) for word in words], sorted(set().union(*documents))
        require(sorted(words) == held, f"words should list each word of {held} once, got {words}.")
        W = array(W, (N, len(words)), "W")
        message = "'the' stands in every document and should weigh 0: is your idf ln(N / df), without adding one?"
        require(np.allclose(W[:, words.index("the")], 0), message)
        df = np.array([sum(word in document for document in documents) for word in words])
        tf = np.array([[document.count(word) / len(document) for word in words] for document in documents])
        right = tf * np.log(N / df)
        i, j = np.unravel_index(np.abs(W - right).argmax(), W.shape)
        weight = "tf is the count divided by the length of the document, df the number of documents that hold the word."
        message = f"the word {words[j]!r} of document {i} does not weigh what it should: {weight}"
        require(np.allclose(W, right), message, str(documents), W[i, j], right[i, j])
    return "it agreed with the definition on 20 random corpora."


@exercise
def codes(answer, rng):
    """``answer(categories, a, b)`` returns a dict of distinct integers in which a and b are nearest to each other."""
    for k in [2, 3, 5, 9] * 5:
        categories = [f"c{i}" for i in rng.permutation(20)[:k]]
        a, b = rng.permutation(categories)[:2].tolist()
        code = answer(list(categories), a, b)
        message = f"a dict with the keys {categories} is expected, got {code!r}."
        require(isinstance(code, dict) and set(code) == set(categories), message)
        values = list(code.values())
        whole = all(isinstance(value, (int, np.integer)) and not isinstance(value, bool) for value in values)
        require(whole, f"the codes should be integers, got {values}.")
        require(len(set(values)) == k, f"different categories need different codes, got {code}.")
        for one, other in ((a, b), (b, a)):
            rivals = {c: abs(code[c] - code[one]) for c in categories if c not in (a, b)}
            distance = abs(code[a] - code[b])
            message = f"{other} should be nearer to {one} than anything else, but its distance is {distance} in {code}."
            require(all(distance < rival for rival in rivals.values()), message)
    return "the chosen pair came out nearest, for 20 sets of categories."


@exercise
def frequency(answer):
    """``answer(y)`` returns an omega such that sgn(sin(omega 2^-i)) = y_i for i = 1, ..., m."""
    for m in range(1, 11):
        x = 0.5 ** np.arange(1, m + 1)
        for y in itertools.product((-1, 1), repeat=m):
            omega = number(answer(np.array(y)), "omega")
            wrong = [i + 1 for i in range(m) if not np.sin(omega * x[i]) * y[i] > 1e-6]
            sign = f"the points number {wrong} get the wrong sign, or one too close to zero to be trusted."
            require(not wrong, sign, str(y), f"omega = {omega:.6g}")
    return "all 2046 labellings of 1 to 10 points were realised."


@exercise
def worst_loss(answer, rng):
    """``answer(P, Q)`` returns losses in [0, 1] for each outcome whose means under P and Q differ the most."""
    for shape in [(2, 2), (3, 2), (5, 2), (4, 3)] * 5:
        P, Q = rng.dirichlet(np.ones(np.prod(shape)), size=2).reshape(2, *shape)
        loss = array(answer(P, Q), shape, "the table of losses")
        message = f"losses should lie between 0 and 1, got values from {loss.min():.3g} to {loss.max():.3g}."
        require((loss >= 0).all() and (loss <= 1).all(), message)
        gap, most = abs(((P - Q) * loss).sum()), total_variation(P, Q)
        message = f"under P and Q your mean losses differ by {gap:.4f}, but {most:.4f} is possible: where is P > Q?"
        require(gap >= most - 1e-9, message)
    return "no loss in [0, 1] tells the two laws further apart, on 20 random pairs."


@exercise
def confusion(answer, rng):
    """``answer(y, y_hat, n_classes)`` returns C: C[i, j] counts the examples of class i that are predicted as j."""
    for k, n in itertools.product((2, 3, 5), (1, 4, 30, 200)):
        y, y_hat = rng.integers(0, k, size=(2, n))
        y_hat = np.where(rng.random(n) < 0.5, y, y_hat)
        C = array(answer(y, y_hat, k), (k, k), "C")
        total = f"the entries should add up to the {n} examples, got {C.sum():g}: does each example count, repeats too?"
        require(C.sum() == n, total)
        right = np.array([[np.sum((y == i) & (y_hat == j)) for j in range(k)] for i in range(k)])
        i, j = np.unravel_index(np.argmax(right != C), C.shape)
        message = f"{right[i, j]} examples of class {i} are predicted as {j}, got {C[i, j]:g}."
        message = "rows are labels, columns predictions: yours is transposed." if (C.T == right).all() else message
        require((C == right).all(), message, f"y = {y.tolist()}, y_hat = {y_hat.tolist()}")
    return "rows, columns and diagonal were right on 12 random sets of predictions."
