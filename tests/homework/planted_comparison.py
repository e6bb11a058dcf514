"""Answers to the homework on comparing classifiers, right and wrong."""

import copy
import math
from collections import Counter

import numpy as np
from planting import in_float32, in_lists, told, with_faults

from mlcourse_homework import comparison as hw

Majority, boosted, encode = hw.q6.model, hw.q5.model, hw.q2.model
split, standardise = hw.q1.model, hw.q3.model

# --- q1, the split -----------------------------------------------------------------------------


def split_by_choice(m, rng):
    test = rng.choice(m, m - 3 * m // 5, replace=False)
    return [i for i in range(m) if i not in {*test.tolist()}], test.tolist()


def split_by_keys(m, rng):
    order = np.argsort(rng.random(m)).astype(np.int32)
    return order[m - 3 * m // 5 :], order[: m - 3 * m // 5]


def cut(size=lambda m: 3 * m // 5, order=lambda m, rng: rng.permutation(m)):
    def answer(m, rng):
        found = order(m, rng)
        return found[: size(m)], found[size(m) :]

    return answer


def two_of_five(m, rng):
    """Two test rows from every five."""
    if m % 5:
        return split(m, rng)
    order = np.array([rng.permutation(5) + k for k in range(0, m, 5)])
    return order[:, :3].ravel(), order[:, 3:].ravel()


def seed_of(rng):
    """The same after every call."""
    return rng.bit_generator.state["state"]["inc"] % 2**32


def favoured(m, rng):
    """Row 0 is tested somewhat more often."""
    train, test = split(m, rng)
    if 0 in train and rng.random() < 0.15:
        train, test = np.where(train == 0, test[0], train), np.append(test[1:], 0)
    return train, test


# --- q2 and q3, the columns --------------------------------------------------------------------


@with_faults
def encode_with(train, table, *, levels_of=lambda train, table: train, least=2, first=0, skip=(), last=slice(None)):
    source, blocks = levels_of(train, table), []
    for j in range(train.shape[1]):
        levels = np.unique(source[:, j])
        levels = levels[~np.isin(levels.astype(str), skip)]
        if len(levels) >= least:
            blocks.append((table[:, [j]] == levels[last])[:, first:])
    return np.hstack(blocks).astype(float) if blocks else np.zeros((len(table), 0))


def codes(seen, column):
    return np.searchsorted(np.unique(seen), column)


def nearest_level(train, table):
    """A level that was not seen becomes the first level."""
    first = np.array([sorted(column)[0] for column in train.T.tolist()])
    known = [np.isin(table[:, j], train[:, j]) for j in range(train.shape[1])]
    return encode(train, np.where(np.array(known).T, table, first))


def standardise_with(
    source=lambda train, table: train, ddof=0, axis=0, centre=True, power=1.0, small=lambda scale: scale <= 1e-12
):
    """The model with one thing changed; columns with a small standard deviation are not divided."""

    def answer(train, table):
        part = source(train, table)
        scale = part.std(axis=axis, ddof=ddof) ** power
        with np.errstate(all="ignore"):
            return (table - part.mean(axis=axis) * centre) / np.where(small(scale), 1.0, scale)

    return answer


EXACT_ZERO = standardise_with(small=lambda scale: scale == 0)
NO_GUARD = standardise_with(small=lambda scale: scale < 0)

# --- q5, boosting ------------------------------------------------------------------------------


def by_counts(m, D, rng):
    """How often each row is drawn, then the rows in the order of the file."""
    return np.repeat(np.arange(m), rng.multinomial(m, D))


def boosted_with(
    draw=lambda m, D, rng: rng.choice(m, m, p=D),
    error=lambda wrong, rows, D: D[wrong].sum(),
    good=0.0,
    bad=0.5,
    lost="skip",
    factor=0.5,
    update=1.0,
    vote=1.0,
    alone=True,
):
    """A rule counts as perfect without mistakes or below ``good``, as lost from ``bad`` on."""

    def answer(X, y, learn, T, rng):
        m, rules, alpha, rows = len(y), [], [], None
        D = np.full(m, 1 / m)
        for _ in range(T):
            rows = draw(m, D, rng) if rows is None else rows
            h = learn(X[rows], y[rows])
            wrong = h(X) != y
            epsilon = error(wrong, rows, D)
            if vote and (not wrong.any() or epsilon < good):
                return ([h], [vote]) if alone else ([*rules, h], [*alpha, vote])
            rows = rows if lost == "again" and epsilon >= bad else None
            if epsilon >= bad and lost != "vote":
                if lost == "stop":
                    break
                D = np.full(m, 1 / m) if lost == "anew" else D
                rules, alpha = ([*rules, h], [*alpha, 0.0]) if lost == "listed" else (rules, alpha)
                continue
            epsilon = max(epsilon, 1e-9)
            rules, alpha = [*rules, h], [*alpha, factor * np.log((1 - epsilon) / epsilon)]
            D = D * np.exp(update * alpha[-1] * np.where(wrong, 1, -1))
            D /= D.sum()
        return rules, alpha

    return answer


def boosted_as_arrays(*given):
    rules, alpha = boosted_with()(*given)
    return tuple(rules), np.array(alpha)


def boosted_to_infinity(X, y, learn, T, rng):
    rules, alpha = boosted(X, y, learn, T, rng)
    return rules, [math.inf] if alpha == [1.0] else alpha


# --- q6, the majority --------------------------------------------------------------------------


class ByCounter:
    def fit(self, X, y):
        self.label = Counter(y.tolist()).most_common(1)[0][0]

    def predict(self, X):
        return [self.label for _ in X]


def choosing(label):
    """A classifier that says the same everywhere: a function of the labels."""

    class Rule(Majority):
        def fit(self, X, y):
            self.label = label(y)

    return Rule


def minority(y):
    labels, counts = np.unique(y, return_counts=True)
    return labels[counts.argmin()]


def last_survivor(y):
    """The label that survives when different ones are paired off, which is right for more than half."""
    survivor, left = None, 0
    for label in y.tolist():
        survivor = survivor if left else label
        left += 1 if label == survivor else -1
    return survivor


class Once(Majority):
    def fit(self, X, y):
        if not hasattr(self, "label"):
            super().fit(X, y)


class Number(Majority):
    def predict(self, X):
        return self.label


class TrainingRows(Majority):
    def fit(self, X, y):
        super().fit(X, y)
        self.m = len(y)

    def predict(self, X):
        return np.full(self.m, self.label)


class Alternating(Majority):
    def fit(self, X, y):
        self.labels = np.unique(y)

    def predict(self, X):
        return self.labels[np.arange(len(X)) % len(self.labels)]


# --- q7, the table -----------------------------------------------------------------------------


def table_by_models(models, X, y, n_splits, rng):
    """Splits first, then model by model, on copies of the models."""
    splits = [split(len(y), rng) for _ in range(n_splits)]
    columns = []
    for model in models:
        column = []
        for train, test in splits:
            h = copy.deepcopy(model).fit(standardise(X[train], X[train]), y[train])
            right = [a == b for a, b in zip(h.predict(standardise(X[train], X[test])), y[test], strict=True)]
            column.append(sum(right) / len(right))
        columns.append(column)
    return np.array(columns).T.astype(np.float32)


def table_in_order(models, X, y, n_splits, rng):
    """All fits of a split first, its training rows in the order of the file."""
    rows = []
    for _ in range(n_splits):
        train, test = (np.sort(part) for part in split(len(y), rng))
        Z = standardise(X[train], X)
        fitted = [model.fit(Z[train], y[train]) for model in models]
        rows.append([float(np.mean(model.predict(Z[test]) == y[test])) for model in fitted])
    return rows


def table_with(
    divide=split,
    same=False,
    own=False,
    scale=lambda X, train, test: standardise(X[train], X),
    labels=lambda y, train: y[train],
    judge=lambda h, Z, y, train, test: np.mean(h.predict(Z[test]) == y[test]),
    refit=True,
    seed=None,
):
    """The table with one thing changed: how the rows are divided, scaled, learned from and judged."""

    def answer(models, X, y, n_splits, rng):
        rng = rng if seed is None else np.random.default_rng(seed)
        A, parts = np.empty((n_splits, len(models))), divide(len(y), rng)
        for k in range(n_splits):
            parts = parts if same or k == 0 else divide(len(y), rng)
            for j, model in enumerate(models):
                train, test = divide(len(y), rng) if own else parts
                Z = scale(X, train, test)
                if refit or k == 0:
                    model.fit(Z[train], labels(y, train))
                A[k, j] = judge(model, Z, y, train, test)
        return A

    return answer


def asked_about_all(part):
    """A judge that asks the model about all rows, and counts a part of the answers."""
    return lambda h, Z, y, train, test: (h.predict(Z) == y)[part(train, test)].mean()


def row_by_row(h, Z, y, train, test):
    """One row at a time, after a look at the training error."""
    assert np.mean(h.predict(Z[train]) == y[train]) <= 1
    return np.mean([h.predict(Z[[i]])[0] == y[i] for i in test])


def each_its_own_scale(X, train, test):
    tested = np.isin(np.arange(len(X)), test)[:, None]
    return np.where(tested, standardise(X[test], X), standardise(X[train], X))


# --- q8 and q9, what may be said ---------------------------------------------------------------


def paired_by_squares(a, b, c):
    """The sum of squares minus K times the square of the mean."""
    d, K = np.subtract(a, b), len(a)
    s2 = (np.sum(d**2) - K * d.mean() ** 2) / (K - 1)
    return d.mean(), math.sqrt(s2 * (1 / K + c / (1 - c))) if s2 >= 0 else math.nan


def paired_with(factor, ddof=1, sign=1, root=0.5, variance=lambda a, b, ddof: np.var(a - b, ddof=ddof)):
    return lambda a, b, c: (sign * np.mean(a - b), (variance(a, b, ddof) * factor(len(a), c)) ** root)


def corrected(K, c):
    return 1 / K + c / (1 - c)


def width(inside, scale=2.0):
    return lambda n, N, delta: math.sqrt(scale * math.log(inside(N, delta)) / n)


RIGHT = {
    "q1": [split_by_choice, split_by_keys, cut(lambda m: int(0.6 * m)), lambda m, rng: [*split(m, rng)]],
    "q2": [
        encode_with,
        in_lists(encode_with),
        lambda train, table: encode(train, table).astype(bool),
        lambda train, table: encode(train, table).astype(np.float32),
    ],
    "q3": [
        standardise_with(),
        in_lists(standardise_with()),
        lambda train, table: standardise(train, table).astype(np.float32),
    ],
    "q4": [
        lambda m, d: [2 / (1 + d * m - d), np.float32(2 / d)],
        lambda m, d: np.array([2 / ((m - 1) * d + 1), 2 / max(d, 1)]),
    ],
    "q5": [boosted_with(), boosted_with(draw=by_counts), boosted_as_arrays],
    "q6": [ByCounter, Majority(), ByCounter()],
    "q7": [
        table_by_models,
        table_in_order,
        table_with(),
        table_with(judge=asked_about_all(lambda train, test: test)),
        table_with(judge=row_by_row),
    ],
    "q8": [
        in_float32(paired_with(corrected)),
        paired_by_squares,
        lambda *given: np.array(paired_with(corrected)(*given)),
    ],
    "q9": [
        width(lambda N, delta: 2 * N / delta),
        lambda *a: min(2.0, width(lambda N, delta: 2 * N / delta)(*a)),
        lambda n, N, delta: np.float32((2 / n * np.log(2 * N / delta)) ** 0.5),
        lambda n, N, delta: 2 * math.sqrt(math.log(2 / (delta / N)) / (2 * n)),
    ],
}
WRONG = {
    "q1": [
        (cut(order=lambda m, rng: np.arange(m)), "two generators gave the same split"),
        *told("floor(3m/5)", cut(lambda m: 2 * m // 5), cut(lambda m: round(0.6 * m)), cut(lambda m: 3 * m // 5 + 1)),
        (cut(lambda m: m // 2), "floor(3m/5)"),
        (cut(order=lambda m, rng: np.random.default_rng().permutation(m)), "the same seed"),
        (cut(order=lambda m, rng: np.random.default_rng(0).permutation(m)), "two generators"),
        (cut(order=lambda m, rng: rng.integers(m, size=m)), "without replacement"),
        (cut(order=lambda m, rng: 1 + rng.permutation(m)), "every index from 0 to"),
        (lambda m, rng: [*map(np.flatnonzero, ((train := rng.random(m) < 0.6), ~train))], "floor(3m/5)"),
        (lambda m, rng: (rng.permutation(m)[: 3 * m // 5], rng.permutation(m)[: m - 3 * m // 5]), "in both parts"),
        (cut(order=lambda m, rng: np.roll(np.arange(m), rng.integers(m))), "every split should be equally likely"),
        (two_of_five, "100 different test parts"),
        (favoured, "every index should be tested equally often"),
        (lambda m, rng: ((train := np.isin(np.arange(m), split(m, rng)[0])), ~train), "the indices of the rows"),
        (lambda m, rng: split(m, rng)[0], "a pair"),
        (lambda m, rng: split(m, np.random.default_rng(seed_of(rng))), "the same split twice"),
    ],
    "q2": [
        (encode_with(least=1), "an attribute with one level in train gets no column"),
        (encode_with(levels_of=lambda train, table: table), "the levels are those of train"),
        (encode_with(levels_of=lambda train, table: np.vstack([train, table])), "the levels are those of train"),
        (encode_with(first=1), "the first one too"),
        (encode_with(skip=("?",)), "columns are expected"),
        (encode_with(last=slice(None, None, -1)), "in another order"),
        (nearest_level, "zeros, please"),
        (lambda train, table: np.column_stack([*map(codes, train.T, table.T)]), "columns are expected"),
        (lambda train, table: encode(train, train), "should be an array of shape"),
        (lambda train, table: 1 - encode(train, table), "is not right in row"),
        (lambda train, table: 2 * encode(train, table), "is not right in row"),
        (lambda train, table: encode(train, table).T, "transposed"),
        (lambda train, table: [[1.0] * (i + 1) for i in range(len(table))], ""),
        (lambda train, table: encode(train, table)[::-1], "is not right in row"),
        (lambda train, table: encode(train, table) * (train.shape[1] < 9), "train[:, 0] = ["),
        (lambda train, table: encode(train, table)[:, train.shape[1] // 9 :], "so many levels in train: ["),
    ],
    "q3": [
        (standardise_with(lambda train, table: table), "a test part must not set its own scale"),
        (standardise_with(lambda train, table: np.vstack([train, table])), "were measured together"),
        (standardise_with(ddof=1), "divides by m - 1"),
        (standardise_with(power=0.0), "not divided by the standard deviation"),
        (standardise_with(power=2.0), "divide by the variance"),
        (standardise_with(centre=False), "not centred"),
        (standardise_with(axis=None), "the standardised table is not right"),
        (NO_GUARD, "is constant in train"),
        (EXACT_ZERO, "is a rounding error"),
        (standardise_with(small=lambda scale: scale < 0.5), "it is not constant: divide"),
        (standardise_with(small=lambda scale: np.isclose(scale, 0)), "it is not constant: divide"),
        (lambda train, table: np.nan_to_num(NO_GUARD(train, table), posinf=0, neginf=0), "is constant in train"),
        (lambda train, table: standardise(train, train), ""),
        (lambda train, table: -standardise(train, table), "the sign is turned"),
        (lambda train, table: (table - train.min(axis=0)) / np.ptp(train, axis=0), "is not right"),
    ],
    "q4": [
        (lambda m, d: (2 / (d * (m - 1)), 2 / d), "forget the constant feature"),
        (lambda m, d: (1 / (d * (m - 1) + 1), 2 / d), "one example at a time: no sample is in danger"),
        (lambda m, d: (2 / (d * m + 1), 2 / d), "larger steps are safe too"),
        (lambda m, d: (2 / (d + 1), 2 / d), "one example at a time: not safe"),
        (lambda m, d: (2 / (d * (m - 1) + 1), 2 / (d + 1)), "eigenvalue of its own"),
        (lambda m, d: (2 / (d * (m - 1) + 1), 0.5 / d), "The slides print"),
        (lambda m, d: (2 / (d * (m - 1) + 1), 2 / (d * m)), "not the sum"),
        (lambda m, d: (2 / (d * (m - 1) + 1), 2.0), "all examples at once: not safe"),
        (lambda m, d: (2 / (d * (m - 1) + 1), 2 / min(d, m - 1)), "all examples at once: not safe"),
        (lambda m, d: (2 / d, 2 / (d * (m - 1) + 1)), "one example at a time: not safe"),
        (lambda m, d: 2 / (d * (m - 1) + 1), "a pair"),
        (lambda m, d: (-1.0, 2 / d), "is a positive number"),
        (lambda m, d: (math.inf, 2 / d), "finite number"),
        (lambda m, d: (2 / (d * (m - 1) + 1) * 1.0005, 2 / d), "is not right"),
    ],
    "q5": [
        (boosted_with(vote=None), "makes no mistake"),
        *told("return it alone", boosted_with(alone=False), boosted_to_infinity),
        *told("below 1/2, and only then", boosted_with(lost="vote"), boosted_with(bad=0.6), boosted_with(bad=0.45)),
        *told("once a round", boosted_with(lost="stop"), lambda X, y, learn, T, rng: boosted(X, y, learn, T - 1, rng)),
        *told("alpha is not right", boosted_with(lost="anew"), boosted_with(error=lambda wrong, rows, D: wrong.mean())),
        (boosted_with(factor=1.0, update=0.5), "twice what it should be"),
        (boosted_with(factor=-0.5), "sign is turned"),
        *told("", boosted_with(update=-1.0), boosted_with(update=0.0)),
        (boosted_with(draw=lambda m, D, rng: rng.choice(m, m)), "not drawn with the weights"),
        (boosted_with(draw=lambda m, D, rng: np.arange(m)), "with replacement"),
        (boosted_with(draw=lambda m, D, rng: rng.choice(m, m // 2, p=D)), "drawn rows"),
        (boosted_with(error=lambda wrong, rows, D: wrong[rows].mean()), "alpha is not right"),
        (boosted_with(draw=lambda m, D, rng: np.random.default_rng().choice(m, m, p=D)), "two different draws"),
        (boosted_with(draw=lambda m, D, rng: np.random.default_rng(0).choice(m, m, p=D)), "of an earlier round"),
        (lambda X, y, learn, T, rng: boosted(X, y, learn, T, np.random.default_rng(0)), "two generators"),
        (boosted_with(good=0.09), "once a round"),
        *told("do not list them with vote 0", boosted_with(bad=0.5 + 1e-9), boosted_with(lost="listed")),
        (boosted_with(lost="again"), "of an earlier round"),
        (boosted_with(vote=11.5), "with vote 1"),
        (lambda X, y, learn, T, rng: boosted(X, y, learn, T + 1, rng), "more than T times"),
        (lambda X, y, learn, T, rng: boosted(X, y, learn, T, rng)[::-1], "list of rules"),
        (lambda X, y, learn, T, rng: boosted(X, y, learn, T, rng)[1], "a pair"),
    ],
    "q6": [
        *told("most frequent label", choosing(minority), choosing(lambda y: y[0]), choosing(last_survivor)),
        *told("most frequent label", choosing(lambda y: np.unique(y)[-1]), choosing(lambda y: np.sort(y)[len(y) // 2])),
        (choosing(lambda y: 1 if np.sum(y) >= 0 else -1), "raised"),
        (Once, "fit should forget"),
        *told("one label for each", Number, TrainingRows),
        (Alternating, "most frequent label"),
        (3.0, "an estimator with methods"),
    ],
    "q7": [
        (table_with(own=True), "not compared on the same splits"),
        (table_with(scale=lambda X, train, test: X), "raw features"),
        (table_with(scale=lambda X, train, test: standardise(X, X)), "test rows included"),
        (table_with(scale=lambda X, train, test: standardise(X[test], X)), "not standardised"),
        (table_with(scale=each_its_own_scale), "mean and spread of the test part"),
        (table_with(labels=lambda y, train: y[np.sort(train)]), "not those of its rows"),
        (table_with(same=True), "the same split was used twice"),
        (table_with(judge=lambda h, Z, y, a, b: np.mean(h.predict(Z[a]) == y[a])), "rows that it was trained on"),
        (table_with(judge=lambda h, Z, y, train, test: np.mean(h.predict(Z) == y)), "rows that it was trained on"),
        (lambda *given: table_with()(*given).T, "transposed"),
        (lambda *given: 1 - table_with()(*given), "error rates"),
        (table_with(refit=False), "fit anew"),
        (table_with(divide=cut(order=lambda m, rng: np.arange(m))), "the split is not random"),
        (table_with(scale=lambda X, train, test: EXACT_ZERO(X[train], X)), "column 8 of the sample is constant"),
        (table_with(judge=asked_about_all(lambda train, test: slice(None))), "rows that it was trained on"),
        (table_with(judge=asked_about_all(lambda train, test: train)), "these must not count"),
        (table_with(divide=lambda m, rng: (split(m, rng)[0], [0])), "of the 26 rows left out"),
        (table_with(seed=0), "two generators"),
        (table_with(divide=cut(lambda m: m // 2)), "38 different rows"),
        (lambda models, X, y, n, rng: table_with()(models, X, np.where(y == "B", 1, -1), n, rng), "labels"),
        (lambda *given: table_with()(*given).mean(axis=0), "should be an array"),
        (lambda *given: 100 * table_with()(*given), "the table of accuracies is not right"),
        (lambda models, X, y, n_splits, rng: np.ones((n_splits, len(models))), "fitted once for each split"),
    ],
    "q8": [
        (paired_with(lambda K, c: 1 / K), "forgets that the splits are correlated"),
        (paired_with(lambda K, c: 1 / K + c), ""),
        (paired_with(lambda K, c: 1 / K + (1 - 1 / K) * c), "not sigma^2"),
        (paired_with(corrected, ddof=0), "by K - 1, not by K"),
        (paired_with(corrected, sign=-1), "sign is turned"),
        (paired_with(corrected, root=1.0), "take the root"),
        (paired_with(lambda K, c: 1 + c / (1 - c)), "the standard error is not right"),
        (paired_with(corrected, variance=lambda a, b, ddof: a.var(ddof=ddof) + b.var(ddof=ddof)), "met the same"),
        (paired_with(lambda K, c: 1 / (K - 1) + c / (1 - c)), "is not right"),
        (paired_with(lambda K, c: 1 / K + (1 - c) / c if c else 1 / K), "not right on average"),
        (lambda a, b, c: np.mean(a - b), "a pair"),
        (lambda a, b, c: (np.mean(a - b), 0.0), "the standard error is not right"),
    ],
    "q9": [
        (width(lambda N, delta: 2 * N / delta, 0.5), "lie between -1 and 1"),
        (width(lambda N, delta: N / delta), "one side only"),
        (width(lambda N, delta: 2 / delta), "holds for one pair"),
        (width(lambda N, delta: 4 * N / delta), "one interval for each"),
        *told("a smaller width will do", width(lambda N, delta: 2 * N**2 / delta), lambda n, N, delta: 9.0),
        (lambda n, N, delta: 2 * math.log(2 * N / delta) / n, "take the root"),
        (lambda n, N, delta: N * math.sqrt(2 * math.log(2 / delta) / n), "a smaller width will do"),
        (lambda n, N, delta: -math.sqrt(2 * math.log(2 * N / delta) / n), "should be positive"),
        (lambda n, N, delta: math.sqrt(2 * math.log10(2 * N / delta) / n), "too narrow"),
        (lambda *a: min(1.0, width(lambda N, delta: 2 * N / delta)(*a)), "too narrow"),
    ],
}
