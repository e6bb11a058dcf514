"""Homework: four classifiers on three data sets, from an honest split to what the numbers allow one to say."""

import numpy as np

from mlcourse.data import Standardiser, load_mushroom
from mlcourse_homework.engine.answers import Wrong, array, brief, close, for_all, number, pair, require, show, two
from mlcourse_homework.engine.question import Homework
from mlcourse_homework.engine.spies import ScriptedLearner, SpyModel, watched_sample

homework = Homework("comparison", "Comparing classifiers")
progress = homework.progress


@homework.question(
    "Sixty to forty",
    "Put the $m$ indices in a random order, then cut.",
    "`rng.permutation(m)` is a random order of $0,\\dots,m-1$. Where should the cut be?",
    "The first $\\lfloor3m/5\\rfloor$ of the permuted indices train, the others test.",
)
def q1(answer):
    """``answer(m, rng)`` returns (train, test): index arrays that divide 0, ..., m - 1 at random, 60 to 40."""
    for m in (2, 3, 5, 10, 351, 569, 8124):
        _split(answer, m, np.random.default_rng(m))
    first, again, other = (_split(answer, 50, np.random.default_rng(seed)) for seed in (1, 1, 2))
    require(
        first == again,
        "the same seed gave two different splits, so nobody can repeat your experiment: take "
        "every random number from rng.",
    )
    require(first != other, "two generators gave the same split: draw it with rng. The file may be sorted by label.")
    rng = np.random.default_rng(3)
    require(
        _split(answer, 50, rng) != _split(answer, 50, rng),
        "one generator gave the same split twice: the second call should go on drawing from rng, not start anew.",
    )
    tested = np.array([np.isin(np.arange(10), [*_split(answer, 10, rng)[1]]) for _ in range(3000)])
    often, tried = tested.mean(axis=0), "m = 10, 3000 splits"
    i = int(abs(often - 0.4).argmax())
    require(
        abs(often[i] - 0.4) < 0.06,
        "every index should be tested equally often.",
        tried=tried,
        got=f"index {i} was tested in {often[i]:.0%} of them",
        should="40%",
    )
    counts = np.unique(tested, axis=0, return_counts=True)[1]
    require(
        len(counts) > 195 and counts.max() < 50,
        "every split should be equally likely: permute all the indices.",
        tried=tried,
        got=f"{len(counts)} different test parts, one of them {counts.max()} times",
        should="all of the 210 possible ones, each about 14 times",
    )
    i, j = np.triu_indices(10, 1)
    together = (tested[:, i] & tested[:, j]).mean(axis=0)
    k = int(abs(together - 2 / 15).argmax())
    require(
        abs(together[k] - 2 / 15) < 0.04,
        "every split should be equally likely: permute all the indices.",
        tried=tried,
        got=f"the indices {i[k]} and {j[k]} were tested together in {together[k]:.0%} of them",
        should="4/10 times 3/9, that is 13%",
    )
    return "right sizes, no row lost or used twice, every split equally likely, and the same seed gives the same split."


def _split(answer, m, rng):
    """The training and the test part of an answer, two sets of indices."""
    parts = [np.asarray(part) for part in two(answer(m, rng), "(train, test)")]

    def need(condition, message):
        if not condition:
            raise Wrong(message, tried=f"m = {m}", got=brief(parts))

    need(
        all(part.ndim == 1 and part.dtype.kind in "iu" for part in parts),
        "train and test should be one-dimensional arrays of whole numbers, the indices of the rows.",
    )
    train, test = ({*part.tolist()} for part in parts)
    need(
        len(train) + len(test) == sum(map(len, parts)),
        "an index occurs twice in the same part: draw without replacement.",
    )
    need(
        not train & test,
        f"{len(train & test)} of the rows are in both parts: a model would be tested on what it was trained on.",
    )
    need(train | test == {*range(m)}, f"the two parts together should hold every index from 0 to {m - 1}.")
    require(
        len(train) == 3 * m // 5,
        f"the training part should have floor(3m/5) = {3 * m // 5} rows.",
        tried=f"m = {m}",
        got=f"{len(train)} to train, {len(test)} to test",
    )
    return train, test


def _shape(value):
    """The shape of a value; that of a number if it has none."""
    try:
        return np.shape(value)
    except ValueError:
        return ()


@homework.question(
    "Letters into numbers",
    "One attribute at a time: `np.unique(train[:, j])` are its levels, sorted.",
    "Comparing a column of `table`, as an $(n,1)$ array, with the array of levels gives the whole block at once.",
    "Skip an attribute with one level, put the other blocks side by side with `np.hstack`, turn them into numbers.",
)
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
        known = {
            "every level gets a column, the first one too": (len(kept) - len({j for j, _ in kept}),),
            "an attribute with one level in train gets no column": (sum(map(len, levels)),),
            "the levels are those of train, not those of table": [
                sum(len(column) for column in part if len(column) >= least) for part in (seen, both) for least in (1, 2)
            ],
        }
        reasons = ", or ".join(text for text, widths in known.items() if width in widths)
        require(
            width == len(kept),
            f"{len(kept)} columns are expected, one for each level of each attribute that "
            f"varies in train, got {width}{reasons and ': '}{reasons}.",
            tried=small
            or f"attributes with so many levels in train: {[*map(len, levels)]}, so many in table: {[*map(len, seen)]}",
        )
        got = array(got, want.shape, "the encoded table")
        if not np.array_equal(got, want):
            i, k = np.argwhere(got != want)[0]
            j, level = kept[k]
            unseen = "" if table[i, j] in levels[j] else " That level does not occur in train: zeros, please."
            raise Wrong(
                f"the column of level {level!r} of attribute {j} is not right in row {i}, which has the level "
                f"{table[i, j].item()!r}.{unseen}",
                tried=small or f"train[:, {j}] = {train[:, j].tolist()}, table[{i}, {j}] = {table[i, j].item()!r}",
                got=brief(got[i, k]),
                should=brief(want[i, k]),
            )

    for order in map(np.array, ([[1, 5], [2, 4], [0, 4], [1, 4]], [["b", "y"], ["c", "x"], ["a", "x"], ["b", "x"]])):
        got, want = answer(order, order.copy()), np.hstack([column[:, None] == np.unique(column) for column in order.T])
        require(_shape(got) != want.T.shape, "the encoded table is transposed: one row for each row of table.")
        if _shape(got) == want.shape and not np.array_equal(got, want):
            require(
                sorted(np.transpose(got).tolist()) != sorted(want.T.tolist()),
                "the right columns, but in another order: attributes from left to right, levels sorted.",
                tried=f"train = table = {order.tolist()}",
            )
    rng, letters = np.random.default_rng(2), load_mushroom(one_hot=False).X
    whole = [(rng.integers(0, 3, (m, d)), rng.integers(0, 3, (n, d))) for m, n, d in ((3, 1, 1), (3, 2, 2), (4, 3, 2))]
    drawn = [(rng.choice(list("ab?"), (m, d)), rng.choice(list("abc?"), (n, d))) for m, n, d in ((5, 4, 3), (30, 9, 4))]
    still = [(np.column_stack([a, a[0, 0].repeat(len(a))]), np.column_stack([b, b[:, :1]])) for a, b in whole + drawn]
    some = rng.permutation(len(letters))[:300]
    for_all(
        [*whole, *drawn, *still, (letters[some[:180]], letters[some[180:]])],
        holds,
        valid=lambda train, table: (train != train[0]).any(),
    )
    return "every entry says whether the row has the level, for numbers, letters and 300 mushrooms; '?' is a level."


@homework.question(
    "Standardise, and do not peek",
    "Means and standard deviations are computed along `axis=0` of `train`, and used for `table`.",
    "What happens to a column whose standard deviation is zero? Which number may you divide by instead?",
    "`(train == train[0]).all(axis=0)` finds the constant columns, rounding or not; there divide by 1.",
)
def q3(answer):
    """``answer(train, table)`` returns table with each column shifted and scaled by the mean and spread in train."""

    def holds(train, table):
        tried, constant = show(train=train, table=table), (train == train[0]).all(axis=0)
        got = array(answer(train, table), table.shape, "the standardised table")
        want, own, both = (Standardiser().fit(part).transform(table) for part in (train, table, [*train, *table]))
        if np.allclose(got, want, rtol=1e-5, atol=1e-6):
            return
        j, spread = int(constant.argmax()), np.where(constant, 1.0, train.std(axis=0))
        require(
            not constant[j] or np.isfinite(got[:, j]).all(),
            f"column {j} is constant in train, and has entries "
            "that are not finite numbers: shift it, and do not divide.",
            tried=tried,
        )
        for other, fault in (
            (own, "you used mean and spread of table: a test part must not set its own scale"),
            (both, "train and table were measured together: use mean and spread of train alone"),
            (want * spread, "the columns are centred, but not divided by the standard deviation"),
            (want / spread, "you divide by the variance: take its root"),
            (want * np.sqrt(1 - 1 / len(train)), "your standard deviation divides by m - 1, not m"),
            (want + train.mean(axis=0) / spread, "the columns are divided, but not centred"),
        ):
            require(not np.allclose(got, other, rtol=1e-5, atol=1e-6), f"{fault}.", tried=tried)
        for i in np.flatnonzero(~constant):
            left = np.allclose(got[:, i], want[:, i] * spread[i], rtol=1e-5, atol=1e-3 * spread[i])
            require(
                not left or np.allclose(got[:, i], want[:, i], rtol=1e-5, atol=1e-6),
                f"column {i} is small in "
                f"train, but it is not constant: divide by its standard deviation, {spread[i]:.2g}, too.",
                tried=f"train[:, {i}] = {train[:, i].tolist()}",
                got=brief(got[:, i]),
                should=brief(want[:, i]),
            )
        require(
            not constant[j] or np.allclose(got[:, j], want[:, j], rtol=1e-5, atol=1e-6),
            f"column {j} is constant "
            "in train: shift it by its mean, and do not divide. (A standard deviation of 1e-17 is a rounding "
            "error. Compare the entries with the first one.)",
            tried=tried,
            got=brief(got[:, j]),
            should=brief(want[:, j]),
        )
        close(got, want, "the standardised table", rtol=1e-5, atol=1e-6, tried=tried)

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
    tiny = [
        (a * units, b * units)
        for a, b in ((rng.normal(3, 2, (5, 3)), rng.normal(9, 2, (3, 3))) for _ in range(2))
        for units in ([1, 1, 1e-3], [1, 1e-3, 1e-9])
    ]
    for_all(plain + drawn + still + tiny, holds, valid=lambda train, table: (train != train[0]).any())
    return "the scale is that of the training part, wherever the test part lies, and constant columns stay finite."


@homework.question(
    "How small must Adaline's step be?",
    "One example: the error is multiplied by $1-\\tau\\|\\tilde x\\|^2$. So how long can a row be?",
    "A standardised column has $\\sum_iz_i=0$ and $\\sum_iz_i^2=m$. Use Cauchy and Schwarz on $z_1=-(z_2+\\dots+z_m)$.",
    "All examples at once: what matters is the largest eigenvalue of $\\frac1m\\tilde X^\\top\\tilde X$. The constant "
    "feature is orthogonal to the other columns, and the trace of their block is at most $d$.",
    "One sample attains both limits: before it is standardised, its columns are 1 in the first row and 0 elsewhere.",
)
def q4(answer):
    """``answer(m, d)`` is (one, batch): below these steps Adaline is safe on every standardised m x d sample."""

    def holds(m, d):
        limits = two(answer(m, d), "(one, batch)")
        rare = np.append(Standardiser().fit_transform(np.eye(m)[:, :1] * np.ones(d)), np.ones((m, 1)), axis=1)
        worst = (rare**2).sum(axis=1).max(), np.linalg.eigvalsh(rare.T @ rare / m)[-1]
        names = "one example at a time", "all examples at once"
        moved = "its error on the first row", "a part of its distance to the least-squares solution"
        for name, limit, size, what in zip(names, limits, worst, moved, strict=True):
            limit, tried = number(limit, f"{name}: the limit"), show(m=m, d=d)
            require(limit > 0, f"{name}: a limit for the steps is a positive number.", tried=tried, got=brief(limit))
            factor = 1 - 0.999 * limit * size
            hints = {
                2 / d / m: " The update takes the mean over the examples, not the sum.",
                2 / (d + 1): " The constant feature has an eigenvalue of its own.",
                0.5 / d: " The slides print 1 / (2 lambda_max); what does |1 - tau lambda| < 1 say?",
            }
            hints = hints if size == worst[1] else {2 / (d * (m - 1)): " Did you forget the constant feature?"}
            hint = next((text for value, text in hints.items() if np.isclose(limit, value)), "")
            require(
                factor > -1,
                f"{name}: not safe.{hint}",
                got=f"{limit:.6g}: a step of 0.999 times this multiplies {what} by {factor:.4g}",
                tried=f"{tried}; columns 1 in the first row, 0 elsewhere, standardised",
            )
            require(
                1 - 1.001 * limit * size < -1,
                f"{name}: no sample is in danger, but larger steps are safe too.{hint}",
                tried=tried,
                got=brief(limit),
            )
            close(limit, 2 / size, f"{name}: the limit", rtol=1e-5, tried=tried)

    for_all([(3, 2), (2, 1), (3, 1), (4, 3), (2, 3), (3, 5), (10, 2), (341, 30), (97, 8)], holds)
    return "no standardised sample needs a smaller step, and one rare value in every column needs this one."


@homework.question(
    "Boosted perceptrons",
    "Keep three things from round to round: the weights $D$, the rules, the votes.",
    "`rng.choice(m, m, p=D)` draws the rows. The error of the rule is measured on the sample, with the weights $D$.",
    "If no example is wrong, return this rule alone. If $\\varepsilon_t\\ge\\frac12$, leave everything as it is.",
    "The new weights are $D/(2\\varepsilon_t)$ where the rule is wrong, $D/(2(1-\\varepsilon_t))$ where it is right.",
)
def q5(answer):
    """``answer(X, y, learn, T, rng)`` returns (rules, alpha): AdaBoost with rules learned from rows drawn from D."""
    rng = np.random.default_rng(5)
    small = [
        (4, [[0]]),
        (4, [[]]),
        (5, [[0], [1]]),
        (5, [[0], [1], [0, 2]]),
        (4, [[1], []]),
        (6, [[5], [2], [], [0]]),
        (5, [[0, 1, 2], [3]]),
        (5, [[0], [0, 1], [1]]),
        (3, [[0, 1], [1, 2]]),
        (20, [[3], [7]]),
        (200, [[5], [9]]),
        (9, [[0, 1, 2, 3, 4], [5]]),
        (11, [[0, 1, 2, 3, 4], [0]]),
        (4, [[0, 1], [2]]),
    ]
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
    got = f"rules of the rounds {[t + 1 for t in voting]}, votes {brief(alpha)}"
    if learn.perfect is not None:
        require(
            voting == [learn.perfect] and np.allclose(alpha, 1),
            f"the rule of round {learn.perfect + 1} makes no "
            "mistake and its vote would be infinite: return it alone, with vote 1.",
            tried=learn.case,
            got=got,
        )
        return learn.drawn
    require(
        len(learn.rules) == len(learn.script),
        f"learn should be called once a round: {len(learn.rules)} calls in {len(learn.script)} rounds.",
        tried=learn.case,
    )
    idle = " Leave out the others, do not list them with vote 0." if 0 in alpha else ""
    require(
        voting == [*learn.votes],
        f"a rule votes if its epsilon_t is below 1/2, and only then.{idle}",
        tried=learn.case,
        got=got,
        should=f"rules of the rounds {[t + 1 for t in learn.votes]}",
    )
    votes = np.array([*learn.votes.values()])
    errors = f"the errors under D_t on the whole sample are {brief(1 / (1 + np.exp(2 * votes)))}"
    close(alpha, votes, "alpha", tried=learn.case, should=f"{brief(votes)}: {errors}")
    return learn.drawn


@homework.question(
    "The number to beat",
    "`np.unique(y, return_counts=True)` returns the labels and how often each occurs.",
    "`fit` keeps the most frequent label, `predict` repeats it once for each row: `np.full(len(X), label)`.",
    kind="estimator",
)
def q6(fresh):
    """``answer`` is a class with fit(X, y) and predict(X), which predicts the most frequent training label."""
    rng = np.random.default_rng(6)
    samples = [
        np.array(labels)
        for labels in (
            ["B", "B", "M"],
            ["B", "M", "M"],
            [-1, -1, 1],
            [1, 1, -1, 1],
            [7],
            [3, 5, 5, 4],
            ["g", "b", "b", "g", "b"],
        )
    ]
    samples += [rng.permutation(np.repeat(["e", "p", "?"], counts)) for counts in ((9, 5, 3), (4, 2, 11))]
    samples += [np.array([*labels]) for labels in ("aaabbcc", "bbaaacc", "bbccaaa", "abacabc", "cabacab", "bbbcaca")]
    samples += [rng.permutation(np.repeat([1, 2, 3], counts)) for counts in ((3, 2, 2), (2, 3, 2), (2, 2, 3))]
    model = fresh()
    for y in samples:
        labels, counts = np.unique(y, return_counts=True)
        most, n = labels[counts.argmax()].item(), int(rng.integers(1, 9))
        for h in (fresh(), model):
            h.fit(rng.normal(size=(len(y), 2)), y)
            got, tried = np.asarray(h.predict(rng.normal(size=(n, 2)))), f"y = {y.tolist()}"
            require(
                got.shape == (n,),
                f"predict should return one label for each of the {n} rows it is given, got shape {got.shape}.",
                tried=tried,
            )
            wrong = [label for label in got.tolist() if label != most]
            again = " It was fitted before, to other labels: fit should forget them." if h is model else ""
            require(
                not wrong,
                f"the most frequent label should be predicted for every row.{again}",
                tried=tried,
                got=brief(got),
                should=f"{most!r}, {n} times",
            )
    return "the most frequent training label, for names and numbers, for every row."


@homework.question(
    "The table",
    "For each split: call your `split`, then your `standardise` for the training and for the test part.",
    "Then, in the same split, fit every model and compare its predictions with `y[test]`.",
    "Two loops: the outer one over the splits, the inner one over the models. `np.mean(predicted == y[test])`.",
)
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
            require(
                len(own) == n_splits,
                f"{model.name} should be fitted once for each split.",
                tried=tried,
                got=f"{len(own)} fits",
            )
        parts = [[fit["train"] for fit in own] for own in fits]
        require(
            all(own == parts[0] for own in parts),
            "the models were not compared on the same splits: draw a split once, then use it for every model.",
            tried=tried,
        )
        size = 3 * len(y) // 5
        require(
            frozenset(range(size)) not in parts[0],
            f"the split is not random: the first {size} rows train, the others test. The file may be sorted by label.",
            tried=tried,
        )
        require(len({*parts[0]}) == n_splits, "the same split was used twice: draw a new one each time.", tried=tried)
        want = np.array([[model.accuracy(fit) for fit in own] for model, own in zip(models, fits, strict=True)]).T
        require(
            _shape(got) != want.T.shape or n_splits == n_models,
            f"the table is transposed: one row for each split and one column for each model, shape {want.shape}.",
        )
        got = array(got, want.shape, "the table")
        require(not np.allclose(got, 1 - want), "these are error rates, 1 minus the accuracies.", tried=tried)
        if not np.allclose(got, want, rtol=1e-6, atol=1e-9):
            _explain(log, len(y), tried)
        close(got, want, "the table of accuracies", tried=tried)
        runs.append(parts[0])
    require(runs[2] == runs[3], "the same seed gave different splits: take every random number from rng.")
    require(runs[3] != runs[4], "two generators gave the same splits: draw them with rng.")
    return "every model met the same splits, trained on the training rows alone, in their units, and was fitted anew."


def _explain(log, m, tried):
    """Why accuracies are wrong, if it is for the rows that the models were asked about."""
    for fit in log:
        left, known = {*range(m)} - fit["train"], len(fit["asked"] & fit["train"])
        asked = len(fit["asked"] & left)
        require(
            asked == len(left),
            f"{fit['name']} was fitted, but it was tested on {asked} of the {len(left)} rows "
            f"left out{f', and on {known} rows that it was trained on' if known else ''}.",
            tried=tried,
        )
        require(
            not known,
            f"{fit['name']} was tested on {known} rows that it was trained on, besides those left out; "
            "these must not count.",
            tried=tried,
        )


@homework.question(
    "Twenty splits are not twenty experiments",
    "Let $d_k=a_k-b_k$. The variance of the mean $\\bar d$ is $\\frac1{K^2}$ times the sum of all covariances.",
    "$\\sum_k(d_k-\\bar d)^2=\\sum_kd_k^2-K\\bar d^2$. What is its expectation, if the $d_k$ have correlation $c$?",
    "$\\operatorname{Var}\\bar d=\\sigma^2\\big(\\frac1K+(1-\\frac1K)c\\big)$ and $\\mathbb{E}s^2=(1-c)\\sigma^2$. "
    "By which number must $s^2$ be multiplied?",
)
def q8(answer):
    """``answer(a, b, c)`` is (mean, error): mean difference of a and b, and its standard error if splits correlate."""

    def parts(a, b, c):
        mean, error = two(answer(a, b, c), "(mean, error)")
        for value, name in ((mean, "the mean difference"), (error, "the standard error")):
            require(
                np.isfinite(array(value, (), name)),
                f"{name} should be a finite number, got {value}.",
                tried=show(a=a, b=b, c=c),
            )
        return float(mean), float(error)

    def honest(K, c):  # a quadratic form in the differences, so its mean is the sum over the columns of a root
        rng, covariance = np.random.default_rng(K), np.full((K, K), c) + (1 - c) * np.eye(K)
        turned = np.linalg.qr(rng.normal(size=(K, K)))[0]  # so that no column is constant
        pairs = [parts(column + 0.5, np.full(K, 0.5), c) for column in (np.linalg.cholesky(covariance) @ turned).T]
        mean = sum(error**2 for _, error in pairs)
        want = covariance.mean()
        known = {
            (1 - c) / K: "it forgets that the splits are correlated",
            want * (1 - 1 / K): "divide the squares by K - 1, not by K",
            (1 - c) * want: "on average s^2 is (1 - c) sigma^2, not sigma^2",
        }
        fault = next((text for value, text in known.items() if np.isclose(mean, value, rtol=1e-6)), "")
        require(
            np.isclose(mean, want, rtol=1e-5),
            "the square of your standard error is not right on average" + f": {fault}" * bool(fault) + ".",
            tried=f"{show(K=K, c=c)}, differences of variance 1",
            got=f"its mean is {mean:.4g}",
            should=f"the variance of the mean difference, {want:.4g}",
        )

    def holds(a, b, c):
        tried = show(a=a, b=b, c=c)
        mean, error = parts(a, b, c)
        close(mean, (a - b).mean(), "the mean difference", rtol=1e-5, tried=tried)
        s2, K = (a - b).var(ddof=1), len(a)
        want = np.sqrt(s2 * (1 / K + c / (1 - c)))
        require(
            not np.isclose(error, want**2, rtol=1e-5) or want < 1e-9,
            "that is the square: take the root of the variance.",
            tried=tried,
            got=brief(error),
        )
        require(
            not np.isclose(error, want * np.sqrt(1 - 1 / K), rtol=1e-5) or want < 1e-9,
            "s^2 divides the sum of the squares by K - 1, not by K.",
            tried=tried,
            got=brief(error),
            should=brief(want),
        )
        apart = np.sqrt((a.var(ddof=1) + b.var(ddof=1)) * (1 / K + c / (1 - c)))
        require(
            not np.isclose(error, apart, rtol=1e-5) or np.isclose(apart, want),
            "you add the variances of a and b, "
            "as if each had met other splits. They met the same: use the differences.",
            tried=tried,
        )
        close(error, want, "the standard error", rtol=1e-5, tried=tried)

    rng = np.random.default_rng(8)
    pairs = [(rng.random(K).round(2), rng.random(K).round(2)) for K in (2, 3, 5, 20)]
    pairs += [(a + 5 * np.arange(len(a)), b + 5 * np.arange(len(a))) for a, b in pairs]
    for_all([(a, b, 0.0) for a, b in pairs], holds, lambda a, b, c: len(a) > 1)
    for_all([(K, c) for K in (2, 3, 10) for c in (0.4, 0.1, 0.75)], honest)
    for_all([(a, b, c) for a, b in pairs for c in (0.4, 0.25)], holds, lambda a, b, c: len(a) > 1)
    return "with c = 0 it is the textbook's, and for correlated splits its square is right on average."


@homework.question(
    "What one test set can see",
    "On one example the difference of the two errors is $-1$, $0$ or $1$: which interval does Hoeffding need?",
    "For one pair the mean of $n$ such differences strays by more than $\\epsilon$ with probability at most "
    "$2e^{-n\\epsilon^2/2}$.",
    "Give each of the $N$ pairs the probability $\\delta/N$ of failing, and solve for $\\epsilon$.",
)
def q9(answer):
    """``answer(n, N, delta)`` is how far N differences of test errors may stray, with probability 1 - delta."""

    def holds(n, N, delta):
        got, tried = number(answer(n, N, delta), "the width"), show(n=n, N=N, delta=delta)
        logs = np.log(np.array([2 * N, N, 2, 4 * N]) / delta)
        known = [
            (logs[0] / 2, "this is Hoeffding for an interval of length 1, but differences lie between -1 and 1"),
            (2 * logs[1], "this guards one side only, but a difference may stray up and down"),
            (2 * logs[2], "this holds for one pair, but all N are to hold together"),
            (2 * logs[3], "one interval for each of the two errors is wider than one for their difference"),
            (4 * logs[0] ** 2 / n, "take the root"),
        ]
        fault = next((f": {text}" for value, text in known if np.isclose(got**2, value / n)), "")
        require(got > 0, "the width should be positive.", tried=tried, got=brief(got))
        failure = 2 * N * np.exp(-n * got**2 / 2)
        bound = "a probability of failing, by Hoeffding and the union bound, of"
        require(
            failure <= delta * (1 + 1e-4),
            f"too narrow{fault}.",
            tried=tried,
            got=f"{got:.6g}, with {bound} {min(failure, 1.0):.3g}",
            should=f"{delta:g}",
        )
        require(
            failure >= delta * (1 - 1e-4),
            f"true, but a smaller width will do{fault}.",
            tried=tried,
            got=f"{got:.6g}, with {bound} {failure:.3g}",
            should=f"{delta:g}",
        )

    rng = np.random.default_rng(9)
    drawn = [(int(rng.integers(20, 9000)), int(rng.integers(2, 30)), float(rng.uniform(0.001, 0.5))) for _ in range(20)]
    for_all(
        [
            (20, 1, 0.1),
            (25, 1, 0.5),
            (20, 29, 0.001),
            (228, 1, 0.05),
            (228, 6, 0.05),
            (141, 6, 0.05),
            (3250, 6, 0.01),
            *drawn,
        ],
        holds,
    )  # all widths are below 2, which no difference can exceed
    return "with this width all N differences are right together, and Hoeffding's inequality gives no smaller one."
