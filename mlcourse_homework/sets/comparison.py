"""Homework: four classifiers on three data sets, from an honest split to what the numbers allow one to say."""

import itertools

import numpy as np

from mlcourse.data import Standardiser, load_mushroom
from mlcourse_homework.engine.answers import (
    Wrong,
    array,
    brief,
    close,
    for_all,
    number,
    pair,
    require,
    requiring,
    show,
    slip,
    two,
)
from mlcourse_homework.engine.question import Homework
from mlcourse_homework.engine.spies import ScriptedLearner, SpyModel, watched_sample

homework = Homework(__file__, "Comparing classifiers")
progress = homework.progress


@homework.question()
def q1(answer):
    """``answer(m, rng)`` returns (train, test): index arrays that divide 0, ..., m - 1 at random, 60 to 40."""
    for m in (2, 3, 5, 10, 351, 569, 8124):
        _split(answer, m, np.random.default_rng(m))
    first, again, other = (_split(answer, 50, np.random.default_rng(seed)) for seed in (1, 1, 2))
    nobody = "the same seed gave two different splits, so nobody can repeat your experiment"
    require(first == again, f"{nobody}: take every random number from rng.")
    require(first != other, "two generators gave the same split: draw it with rng. The file may be sorted by label.")
    rng = np.random.default_rng(3)
    twice = "one generator gave the same split twice: the second call should go on drawing from rng, not start anew."
    require(_split(answer, 50, rng) != _split(answer, 50, rng), twice)
    tested = np.array([np.isin(np.arange(10), [*_split(answer, 10, rng)[1]]) for _ in range(3000)])
    often, tried = tested.mean(axis=0), "m = 10, 3000 splits"
    i = int(abs(often - 0.4).argmax())
    got = f"index {i} was tested in {often[i]:.0%} of them"
    require(abs(often[i] - 0.4) < 0.06, "every index should be tested equally often.", tried, got, "40%")
    counts = np.unique(tested, axis=0, return_counts=True)[1]
    got = f"{len(counts)} different test parts, one of them {counts.max()} times"
    likely = "every split should be equally likely: permute all the indices."
    should = "all of the 210 possible ones, each about 14 times"
    require(len(counts) > 195 and counts.max() < 50, likely, tried, got, should)
    i, j = np.triu_indices(10, 1)
    together = (tested[:, i] & tested[:, j]).mean(axis=0)
    k = int(abs(together - 2 / 15).argmax())
    got = f"the indices {i[k]} and {j[k]} were tested together in {together[k]:.0%} of them"
    require(abs(together[k] - 2 / 15) < 0.04, likely, tried, got, "4/10 times 3/9, that is 13%")
    return "right sizes, no row lost or used twice, every split equally likely, and the same seed gives the same split."


def _split(answer, m, rng):
    """The training and the test part of an answer, two sets of indices."""
    parts = [np.asarray(part) for part in two(answer(m, rng), "(train, test)")]
    need, indices = requiring(f"m = {m}", parts), all(part.ndim == 1 and part.dtype.kind in "iu" for part in parts)
    need(indices, "train and test should be one-dimensional arrays of whole numbers, the indices of the rows.")
    train, test = ({*part.tolist()} for part in parts)
    once = len(train) + len(test) == sum(map(len, parts))
    need(once, "an index occurs twice in the same part: draw without replacement.")
    both = f"{len(train & test)} of the rows are in both parts"
    need(not train & test, f"{both}: a model would be tested on what it was trained on.")
    need(train | test == {*range(m)}, f"the two parts together should hold every index from 0 to {m - 1}.")
    need = requiring(f"m = {m}", f"{len(train)} to train, {len(test)} to test")
    need(len(train) == 3 * m // 5, f"the training part should have floor(3m/5) = {3 * m // 5} rows.")
    return train, test


def _shape(value):
    """The shape of a value; that of a number if it has none."""
    try:
        return np.shape(value)
    except ValueError:
        return ()


def _varies(train, table):
    """Whether a training part has a column that is not constant."""
    return (train != train[0]).any()


@homework.question()
def q2(answer):
    """``answer(train, table)`` returns the rows of table one-hot encoded, with the levels that occur in train."""

    def holds(train, table):
        levels, seen = ([sorted({*column.tolist()}) for column in part.T] for part in (train, table))
        kept = [(j, level) for j, column in enumerate(levels) if len(column) > 1 for level in column]
        want = np.array([[float(row[j] == level) for j, level in kept] for row in table.tolist()])
        small = f"train = {train.tolist()}, table = {table.tolist()}" * (train.size + table.size <= 24)
        got = answer(train, table)
        width = _shape(got)[1] if len(_shape(got)) == 2 else len(kept)
        both = [sorted({*a, *b}) for a, b in zip(levels, seen, strict=True)]
        several = [sum(len(c) for c in part if len(c) >= least) for part in (seen, both) for least in (1, 2)]
        known = {
            "every level gets a column, the first one too": (len(kept) - len({j for j, _ in kept}),),
            "an attribute with one level in train gets no column": (sum(map(len, levels)),),
            "the levels are those of train, not those of table": several,
        }
        reasons = ", or ".join(text for text, widths in known.items() if width in widths)
        columns = f"{len(kept)} columns are expected, one for each level of each attribute that varies in train"
        numbers = f"so many levels in train: {[*map(len, levels)]}, so many in table: {[*map(len, seen)]}"
        message = f"{columns}, got {width}{reasons and ': '}{reasons}."
        require(width == len(kept), message, small or f"attributes with {numbers}")
        got = array(got, want.shape, "the encoded table")
        if not np.array_equal(got, want):
            i, k = np.argwhere(got != want)[0]
            j, level = kept[k]
            own = table[i, j].item()
            unseen = "" if own in levels[j] else " That level does not occur in train: zeros, please."
            place = f"the column of level {level!r} of attribute {j} is not right in row {i}"
            tried = small or f"train[:, {j}] = {train[:, j].tolist()}, table[{i}, {j}] = {own!r}"
            raise Wrong(f"{place}, which has the level {own!r}.{unseen}", tried, got[i, k], want[i, k])

    for order in map(np.array, ([[1, 5], [2, 4], [0, 4], [1, 4]], [["b", "y"], ["c", "x"], ["a", "x"], ["b", "x"]])):
        got, want = answer(order, order.copy()), np.hstack([column[:, None] == np.unique(column) for column in order.T])
        require(_shape(got) != want.T.shape, "the encoded table is transposed: one row for each row of table.")
        if _shape(got) == want.shape and not np.array_equal(got, want):
            same = sorted(np.transpose(got).tolist()) == sorted(want.T.tolist())
            message = "the right columns, but in another order: attributes from left to right, levels sorted."
            require(not same, message, f"train = table = {order.tolist()}")
    rng, letters = np.random.default_rng(2), load_mushroom(one_hot=False).X
    whole = [(rng.integers(0, 3, (m, d)), rng.integers(0, 3, (n, d))) for m, n, d in ((3, 1, 1), (3, 2, 2), (4, 3, 2))]
    drawn = [(rng.choice(list("ab?"), (m, d)), rng.choice(list("abc?"), (n, d))) for m, n, d in ((5, 4, 3), (30, 9, 4))]
    still = [(np.column_stack([a, a[0, 0].repeat(len(a))]), np.column_stack([b, b[:, :1]])) for a, b in whole + drawn]
    some = rng.permutation(len(letters))[:300]
    for_all([*whole, *drawn, *still, (letters[some[:180]], letters[some[180:]])], holds, _varies)
    return "every entry says whether the row has the level, for numbers, letters and 300 mushrooms; '?' is a level."


@homework.question()
def q3(answer):
    """``answer(train, table)`` returns table with each column shifted and scaled by the mean and spread in train."""

    def same(got, want):
        return np.allclose(got, want, rtol=1e-5, atol=1e-6)

    def holds(train, table):
        tried, constant = show(train=train, table=table), (train == train[0]).all(axis=0)
        got = array(answer(train, table), table.shape, "the standardised table")
        want, own, both = (Standardiser().fit(part).transform(table) for part in (train, table, [*train, *table]))
        if same(got, want):
            return
        j, spread = int(constant.argmax()), np.where(constant, 1.0, train.std(axis=0))
        finite = not constant[j] or np.isfinite(got[:, j]).all()
        infinite = f"column {j} is constant in train, and has entries that are not finite numbers"
        require(finite, f"{infinite}: shift it, and do not divide.", tried)
        for other, fault in (
            (own, "you used mean and spread of table: a test part must not set its own scale"),
            (both, "train and table were measured together: use mean and spread of train alone"),
            (want * spread, "the columns are centred, but not divided by the standard deviation"),
            (want / spread, "you divide by the variance: take its root"),
            (want * np.sqrt(1 - 1 / len(train)), "your standard deviation divides by m - 1, not m"),
            (want + train.mean(axis=0) / spread, "the columns are divided, but not centred"),
        ):
            require(not same(got, other), f"{fault}.", tried)
        for i in np.flatnonzero(~constant):
            left = np.allclose(got[:, i], want[:, i] * spread[i], rtol=1e-5, atol=1e-3 * spread[i])
            right, column = same(got[:, i], want[:, i]), f"train[:, {i}] = {train[:, i].tolist()}"
            fault = f"column {i} is small in train, but it is not constant"
            divide = f"divide by its standard deviation, {spread[i]:.2g}, too."
            require(right or not left, f"{fault}: {divide}", column, got[:, i], want[:, i])
        fault = f"column {j} is constant in train: shift it by its mean, and do not divide."
        rounding = "(A standard deviation of 1e-17 is a rounding error. Compare the entries with the first one.)"
        right = not constant[j] or same(got[:, j], want[:, j])
        require(right, f"{fault} {rounding}", tried, got[:, j], want[:, j])
        close(got, want, "the standardised table", tried, rtol=1e-5, atol=1e-6)

    rng = np.random.default_rng(3)
    plain = [
        (rng.integers(0, 9, (m, d)) + np.arange(m)[:, None] * 2.0, rng.integers(0, 9, (n, d)) * 1.0)
        for m, n, d in ((2, 2, 1), (3, 2, 2), (4, 1, 3), (5, 6, 2))
    ]
    drawn = [(rng.normal(3, 2, (m, d)), rng.normal(50, 9, (n, d))) for m, n, d in ((10, 4, 2), (40, 25, 5))]
    still = [
        (np.column_stack([a, np.full(len(a), v)]), np.column_stack([b, np.linspace(0, 2, len(b))]))
        for (a, b), v in zip(plain + drawn, (0.0, 0.1, -1.0, 7.0, 0.1, 0.1), strict=True)
    ]
    pairs = [(rng.normal(3, 2, (5, 3)), rng.normal(9, 2, (3, 3))) for _ in range(2)]
    tiny = [(a * units, b * units) for a, b in pairs for units in ([1, 1, 1e-3], [1, 1e-3, 1e-9])]
    for_all(plain + drawn + still + tiny, holds, _varies)
    return "the scale is that of the training part, wherever the test part lies, and constant columns stay finite."


@homework.question()
def q4(answer):
    """``answer(m, d)`` is (one, batch): below these steps Adaline is safe on every standardised m x d sample."""

    def holds(m, d):
        limits, tried = two(answer(m, d), "(one, batch)"), show(m=m, d=d)
        rare = np.append(Standardiser().fit_transform(np.eye(m)[:, :1] * np.ones(d)), np.ones((m, 1)), axis=1)
        worst = (rare**2).sum(axis=1).max(), np.linalg.eigvalsh(rare.T @ rare / m)[-1]
        names = "one example at a time", "all examples at once"
        moved = "its error on the first row", "a part of its distance to the least-squares solution"
        known = (
            {" Did you forget the constant feature?": 2 / (d * (m - 1))},
            {
                " The update takes the mean over the examples, not the sum.": 2 / d / m,
                " The constant feature has an eigenvalue of its own.": 2 / (d + 1),
                " The slides print 1 / (2 lambda_max); what does |1 - tau lambda| < 1 say?": 0.5 / d,
            },
        )
        for name, limit, size, what, slips in zip(names, limits, worst, moved, known, strict=True):
            limit = number(limit, f"{name}: the limit")
            require(limit > 0, f"{name}: a limit for the steps is a positive number.", tried, limit)
            factor, hint = 1 - 0.999 * limit * size, slip(limit, slips)[1:]
            got = f"{limit:.6g}: a step of 0.999 times this multiplies {what} by {factor:.4g}"
            sample = f"{tried}; columns 1 in the first row, 0 elsewhere, standardised"
            require(factor > -1, f"{name}: not safe.{hint}", sample, got)
            larger = f"{name}: no sample is in danger, but larger steps are safe too.{hint}"
            require(1 - 1.001 * limit * size < -1, larger, tried, limit)
            close(limit, 2 / size, f"{name}: the limit", tried, rtol=1e-5)

    for_all([(3, 2), (2, 1), (3, 1), (4, 3), (2, 3), (3, 5), (10, 2), (341, 30), (97, 8)], holds)
    return "no standardised sample needs a smaller step, and one rare value in every column needs this one."


@homework.question()
def q5(answer):
    """``answer(X, y, learn, T, rng)`` returns (rules, alpha): AdaBoost with rules learned from rows drawn from D."""
    rng = np.random.default_rng(5)
    small = [(4, [[0]]), (4, [[]]), (5, [[0], [1]]), (5, [[0], [1], [0, 2]]), (4, [[1], []]), (3, [[0, 1], [1, 2]])]
    small += [(6, [[5], [2], [], [0]]), (5, [[0, 1, 2], [3]]), (5, [[0], [0, 1], [1]]), (4, [[0, 1], [2]])]
    small += [(20, [[3], [7]]), (200, [[5], [9]]), (9, [[0, 1, 2, 3, 4], [5]]), (11, [[0, 1, 2, 3, 4], [0]])]
    large = [(400, [rng.choice(400, n, replace=False).tolist() for n in (60, 250, 60, 250, 60, 60)]) for _ in range(2)]
    for m, script in small + large:
        _boosting(answer, ScriptedLearner(m, script, rng), rng)
    first, again, other = (
        _boosting(answer, ScriptedLearner(*large[0], np.random.default_rng(1)), np.random.default_rng(seed))
        for seed in (1, 1, 2)
    )
    require(first == again, "the same seed gave two different draws: take every random number from rng.")
    require(first != other, "two generators gave the same draws: draw the rows with rng.")
    return "rows are drawn from D, every vote is right, a lost round changes nothing, and a perfect rule decides alone."


def _boosting(answer, learn, rng):
    """The rows that an answer drew, round by round; its rules and votes are right."""
    rules, alpha = pair(answer(learn.X, learn.y, learn, len(learn.script), rng), "(rules, alpha)")
    require(isinstance(rules, (list, tuple)) and all(map(callable, rules)), "rules should be a list of rules.")
    alpha = array(alpha, (len(rules),), "alpha, one vote for each rule,")
    voting = [learn.round_of(rule) for rule in rules]
    need = requiring(learn.case, f"rules of the rounds {[t + 1 for t in voting]}, votes {brief(alpha)}")
    if learn.perfect is not None:
        perfect = f"the rule of round {learn.perfect + 1} makes no mistake and its vote would be infinite"
        need(voting == [learn.perfect] and np.allclose(alpha, 1), f"{perfect}: return it alone, with vote 1.")
        return learn.drawn
    calls, T = len(learn.rules), len(learn.script)
    require(calls == T, f"learn should be called once a round: {calls} calls in {T} rounds.", learn.case)
    idle = " Leave out the others, do not list them with vote 0." if 0 in alpha else ""
    only = f"a rule votes if its epsilon_t is below 1/2, and only then.{idle}"
    need(voting == [*learn.votes], only, f"rules of the rounds {[t + 1 for t in learn.votes]}")
    votes = np.array([*learn.votes.values()])
    errors = f"the errors under D_t on the whole sample are {brief(1 / (1 + np.exp(2 * votes)))}"
    close(alpha, votes, "alpha", learn.case, f"{brief(votes)}: {errors}")
    return learn.drawn


@homework.question(kind="estimator")
def q6(answer):
    """``answer`` is a class with fit(X, y) and predict(X), which predicts the most frequent training label."""
    rng = np.random.default_rng(6)
    samples = [["B", "B", "M"], ["B", "M", "M"], [-1, -1, 1], [1, 1, -1, 1], [7], [3, 5, 5, 4], [*"gbbgb"]]
    samples += [rng.permutation(np.repeat(["e", "p", "?"], counts)) for counts in ((9, 5, 3), (4, 2, 11))]
    samples += map(list, ("aaabbcc", "bbaaacc", "bbccaaa", "abacabc", "cabacab", "bbbcaca"))
    samples += [rng.permutation(np.repeat([1, 2, 3], counts)) for counts in ((3, 2, 2), (2, 3, 2), (2, 2, 3))]
    model = answer()
    for y in map(np.array, samples):
        labels, counts = np.unique(y, return_counts=True)
        most, n = labels[counts.argmax()].item(), int(rng.integers(1, 9))
        for h in (answer(), model):
            h.fit(rng.normal(size=(len(y), 2)), y)
            got, tried = np.asarray(h.predict(rng.normal(size=(n, 2)))), f"y = {y.tolist()}"
            each = f"predict should return one label for each of the {n} rows it is given, got shape {got.shape}."
            require(got.shape == (n,), each, tried)
            again = " It was fitted before, to other labels: fit should forget them." if h is model else ""
            message = f"the most frequent label should be predicted for every row.{again}"
            require(got.tolist() == [most] * n, message, tried, got, f"{most!r}, {n} times")
    return "the most frequent training label, for names and numbers, for every row."


@homework.question()
def q7(answer):
    """``answer(models, X, y, n_splits, rng)`` returns the (n_splits, n_models) accuracies on the test parts."""
    rng, runs = np.random.default_rng(7), []
    for n_models, n_splits, seed in ((1, 1, 1), (2, 3, 2), (3, 4, 3), (3, 4, 3), (3, 4, 4)):
        (X, y), log = watched_sample(np.random.default_rng(seed)), []
        models = [SpyModel(f"model {k}", X, y, rng.random(len(y)) < 0.8 - 0.2 * k, log) for k in range(n_models)]
        tried = f"{n_models} models, {n_splits} splits"
        got = answer(models, X, y, n_splits, np.random.default_rng(seed))
        fits = [[fit for fit in log if fit["name"] == model.name] for model in models]
        for model, own in zip(models, fits, strict=True):
            once = f"{model.name} should be fitted once for each split."
            require(len(own) == n_splits, once, tried, f"{len(own)} fits")
        parts, size = [[fit["train"] for fit in own] for own in fits], 3 * len(y) // 5
        apart = "the models were not compared on the same splits: draw a split once, then use it for every model."
        require(all(own == parts[0] for own in parts), apart, tried)
        ordered = f"the split is not random: the first {size} rows train, the others test."
        require(frozenset(range(size)) not in parts[0], f"{ordered} The file may be sorted by label.", tried)
        require(len({*parts[0]}) == n_splits, "the same split was used twice: draw a new one each time.", tried)
        want = np.array([[model.accuracy(fit) for fit in own] for model, own in zip(models, fits, strict=True)]).T
        turned = "the table is transposed: one row for each split and one column for each model"
        require(_shape(got) != want.T.shape or n_splits == n_models, f"{turned}, shape {want.shape}.")
        got = array(got, want.shape, "the table")
        require(not np.allclose(got, 1 - want), "these are error rates, 1 minus the accuracies.", tried)
        if not np.allclose(got, want, rtol=1e-6, atol=1e-9):
            _explain(log, len(y), tried)
        close(got, want, "the table of accuracies", tried)
        runs.append(parts[0])
    require(runs[2] == runs[3], "the same seed gave different splits: take every random number from rng.")
    require(runs[3] != runs[4], "two generators gave the same splits: draw them with rng.")
    return "every model met the same splits, trained on the training rows alone, in their units, and was fitted anew."


def _explain(log, m, tried):
    """Why accuracies are wrong, if it is for the rows that the models were asked about."""
    for fit in log:
        left, known = {*range(m)} - fit["train"], len(fit["asked"] & fit["train"])
        asked, also = len(fit["asked"] & left), f", and on {known} rows that it was trained on" if known else ""
        tested = f"{fit['name']} was fitted, but it was tested on {asked} of the {len(left)} rows left out{also}."
        require(asked == len(left), tested, tried)
        tested = f"{fit['name']} was tested on {known} rows that it was trained on, besides those left out"
        require(not known, f"{tested}; these must not count.", tried)


@homework.question()
def q8(answer):
    """``answer(a, b, c)`` is (mean, error): mean difference of a and b, and its standard error if splits correlate."""

    def parts(a, b, c):
        mean, error = two(answer(a, b, c), "(mean, error)")
        for value, name in ((mean, "the mean difference"), (error, "the standard error")):
            is_finite = np.isfinite(array(value, (), name))
            require(is_finite, f"{name} should be a finite number, got {value}.", show(a=a, b=b, c=c))
        return float(mean), float(error)

    def honest(K, c):  # a quadratic form in the differences, so its mean is the sum over the columns of a root
        rng, covariance = np.random.default_rng(K), np.full((K, K), c) + (1 - c) * np.eye(K)
        turned = np.linalg.qr(rng.normal(size=(K, K)))[0]  # so that no column is constant
        pairs = [parts(column + 0.5, np.full(K, 0.5), c) for column in (np.linalg.cholesky(covariance) @ turned).T]
        mean, want = sum(error**2 for _, error in pairs), covariance.mean()
        slips = {
            "it forgets that the splits are correlated": (1 - c) / K,
            "divide the squares by K - 1, not by K": want * (1 - 1 / K),
            "on average s^2 is (1 - c) sigma^2, not sigma^2": (1 - c) * want,
        }
        need = requiring(f"{show(K=K, c=c)}, differences of variance 1", f"its mean is {mean:.4g}")
        message = f"the square of your standard error is not right on average{slip(mean, slips)}."
        need(np.isclose(mean, want, rtol=1e-5), message, f"the variance of the mean difference, {want:.4g}")

    def holds(a, b, c):
        tried, (mean, error) = show(a=a, b=b, c=c), parts(a, b, c)
        close(mean, (a - b).mean(), "the mean difference", tried, rtol=1e-5)
        K, factor = len(a), 1 / len(a) + c / (1 - c)
        want = np.sqrt((a - b).var(ddof=1) * factor)
        faults = {
            "that is the square: take the root of the variance.": want**2,
            "s^2 divides the sum of the squares by K - 1, not by K.": want * np.sqrt(1 - 1 / K),
            "you add the variances of a and b, as if each had met other splits. They met the same: use the "
            "differences.": np.sqrt((a.var(ddof=1) + b.var(ddof=1)) * factor),
        }
        for message, value in faults.items():
            told = np.isclose(error, value, rtol=1e-5) and not np.isclose(value, want) and want >= 1e-9
            require(not told, message, tried, error, want)
        close(error, want, "the standard error", tried, rtol=1e-5)

    rng = np.random.default_rng(8)
    pairs = [(rng.random(K).round(2), rng.random(K).round(2)) for K in (2, 3, 5, 20)]
    pairs += [(a + 5 * np.arange(len(a)), b + 5 * np.arange(len(a))) for a, b in pairs]
    for_all([(a, b, 0.0) for a, b in pairs], holds, lambda a, b, c: len(a) > 1)
    for_all(itertools.product((2, 3, 10), (0.4, 0.1, 0.75)), honest)
    for_all([(a, b, c) for a, b in pairs for c in (0.4, 0.25)], holds, lambda a, b, c: len(a) > 1)
    return "with c = 0 it is the textbook's, and for correlated splits its square is right on average."


@homework.question()
def q9(answer):
    """``answer(n, N, delta)`` is how far N differences of test errors may stray, with probability 1 - delta."""

    def holds(n, N, delta):
        got, tried = number(answer(n, N, delta), "the width"), show(n=n, N=N, delta=delta)
        both, one, single, apart = np.log(np.array([2 * N, N, 2, 4 * N]) / delta) / n
        slips = {
            "this is Hoeffding for an interval of length 1, but differences lie between -1 and 1": both / 2,
            "this guards one side only, but a difference may stray up and down": 2 * one,
            "this holds for one pair, but all N are to hold together": 2 * single,
            "one interval for each of the two errors is wider than one for their difference": 2 * apart,
            "take the root": 4 * both**2,
        }
        fault = slip(got**2, slips)
        require(got > 0, "the width should be positive.", tried, got)
        failure = 2 * N * np.exp(-n * got**2 / 2)
        bound = f"a probability of failing, by Hoeffding and the union bound, of {min(failure, 1.0):.3g}"
        need = requiring(tried, f"{got:.6g}, with {bound}")
        need(failure <= delta * (1 + 1e-4), f"too narrow{fault}.", f"{delta:g}")
        need(failure >= delta * (1 - 1e-4), f"true, but a smaller width will do{fault}.", f"{delta:g}")

    rng = np.random.default_rng(9)  # all widths are below 2, which no difference can exceed
    drawn = [(int(rng.integers(20, 9000)), int(rng.integers(2, 30)), float(rng.uniform(0.001, 0.5))) for _ in range(20)]
    first = [(20, 1, 0.1), (25, 1, 0.5), (20, 29, 0.001), (228, 1, 0.05), (228, 6, 0.05), (141, 6, 0.05)]
    for_all([*first, (3250, 6, 0.01), *drawn], holds)
    return "with this width all N differences are right together, and Hoeffding's inequality gives no smaller one."
