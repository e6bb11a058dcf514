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

homework = Homework(
    "comparison",
    "Comparing classifiers",
    r"""Four classifiers, three data sets, one table of accuracies. It is the practical at the end of Amini's course:
    the perceptron, Adaline, logistic regression and AdaBoost with the perceptron, on tumours (WDBC), radar returns
    (Ionosphere) and mushrooms, sixty per cent of each to train and forty to test. The table takes an afternoon. The
    question at its foot takes longer: *may one now say which classifier is best?*

    You will build everything that stands between the file and the table, each piece with the mistake that is usually
    made in it: a split, two encoders that do not peek, a step that does not explode, boosting that survives a perfect
    rule, a baseline. Then you will find out what the table is worth. In twenty splits out of twenty one method will
    beat another, and even that proves less than it seems. The homework goes with {doc}`../perceptron`,
    {doc}`../linear-regression`, {doc}`../logistic-regression`, {doc}`../boosting` and above all
    {doc}`../cross-validation`; two or three hours are a good measure.""",
    imports="""import numpy as np
from scipy.stats import t as student

from mlcourse import AdaBoost, Adaline, LogisticRegression, Perceptron
from mlcourse.data import Standardiser, load_ionosphere, load_mushroom, load_wdbc
from mlcourse.evaluation import hold_out
from mlcourse.models.linear.adaline import adaline
from mlcourse.models.linear.linear_separation import augmented""",
    heading="which classifier is best?",
)
progress = homework.progress


@homework.question(
    "Sixty to forty",
    "Put the $m$ indices in a random order, then cut.",
    r"`rng.permutation(m)` is a random order of $0,\dots,m-1$. Where should the cut be?",
    r"The first $\lfloor3m/5\rfloor$ of the permuted indices train, the others test.",
    returns="train, test",
)
def q1(answer):
    r"""Files are often sorted: all of one class first, or all patients of one year. So the split is drawn at random.
    And it is drawn from a generator that somebody hands you, because an experiment that cannot be repeated cannot be
    checked.

    Write `split(m, rng)`. It returns a pair `(train, test)` of index arrays that divide $0,\dots,m-1$: no index twice,
    none missing, $\lfloor3m/5\rfloor$ of them in `train`, and every such split equally likely. All random numbers come
    from the generator `rng` (NumPy's, as made by `np.random.default_rng`): the same seed gives the same split, and a
    second call with the same generator another one."""
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


@q1.solved_by
def split(m, rng):
    r"""A permutation of the indices makes every split equally likely, and cutting it makes the parts disjoint. All
    randomness comes from the generator: whoever has the seed has the split, and the next call gives another. The sizes
    are 341 and 228 for WDBC, 210 and 141 for Ionosphere, 4874 and 3250 for Mushroom."""
    order = rng.permutation(m)
    return order[: 3 * m // 5], order[3 * m // 5 :]


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


@homework.question(
    "Letters into numbers",
    "One attribute at a time: `np.unique(train[:, j])` are its levels, sorted.",
    "Comparing a column of `table`, as an $(n,1)$ array, with the array of levels gives the whole block at once.",
    "Skip an attribute with one level, put the other blocks side by side with `np.hstack`, turn them into numbers.",
)
def q2(answer):
    r"""A mushroom is a row of 22 letters, and letters have no arithmetic. {prf:ref}`One-hot encoding <prop-one-hot>`
    gives each *level* of an attribute, each letter that occurs in its column, a column of zeros and ones. In 2480 rows
    the root is missing and marked `?`. That is a letter like any other: a level of its own.

    Write `encode(train, table)`. Both arguments are two-dimensional arrays of categories with the same attributes;
    `table` is what you encode, `train` is where you learn the levels. (So `encode(train, train)` encodes the training
    part, and `encode(train, test)` the test part, with the same columns.) The result has one column for each level that
    occurs in `train`, attributes from left to right and the levels of an attribute in sorted order; its entry is 1
    where the row of `table` has this level, otherwise 0. An attribute that has a single level in `train` gets no
    column. A level of `table` that does not occur in `train` gets none either: it is a block of zeros."""

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


@q2.solved_by
def encode(train, table):
    r"""A column of $n$ letters, as an $(n,1)$ array, compared with the $k$ levels of its attribute gives the $(n,k)$
    block. Each row of it holds a single 1, or none if its letter was never seen in training. The levels come from
    `train`, so that both parts get the same columns, and so that nothing is known about the test part. On all 8124
    mushrooms there are 116 columns; in a training part a rare level may be missing. Giving '?' a column of its own is
    a decision: that somebody did not write down the root of a mushroom may tell something about it."""
    blocks = [np.empty((len(table), 0))]  # if no attribute varies, there are no columns
    for j in range(train.shape[1]):
        levels = np.unique(train[:, j])
        if len(levels) > 1:
            blocks.append(table[:, [j]] == levels)
    return np.hstack(blocks)


@homework.question(
    "Standardise, and do not peek",
    "Means and standard deviations are computed along `axis=0` of `train`, and used for `table`.",
    "What happens to a column whose standard deviation is zero? Which number may you divide by instead?",
    "`(train == train[0]).all(axis=0)` finds the constant columns, rounding or not; there divide by 1.",
)
def q3(answer):
    r"""The columns of WDBC are areas in the hundreds beside smoothnesses of a tenth. Standardising puts every column on
    one scale: mean zero, standard deviation one. But means and standard deviations are *learned*, and what is learned
    is learned from the training part ({ref}`cross-validation-leakage`).

    Write `standardise(train, table)` for two matrices with the same columns. It returns `table` with the mean of
    `train` subtracted from each column and the result divided by the standard deviation of that column in `train` (the
    root of the mean squared deviation, with divisor $m$). A column whose entries in `train` are all equal is shifted
    only. Beware of rounding there: in floating point the mean of three times 0.1 is not 0.1, and the standard deviation
    does not come out as zero."""

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


@q3.solved_by
def standardise(train, table):
    r"""Mean and spread are learned, so they are learned from the training part. In the units of the training part a
    test row may lie anywhere; that is information, and standardising the test part by itself would destroy it. A
    constant column cannot be scaled. Its standard deviation should be zero, but need not come out as zero: the mean of
    three times 0.1 is not 0.1 in floating point. Dividing one rounding error by another gives $\pm1$ in training, and
    something like $10^{16}$ for the first test row that differs."""
    constant = (train == train[0]).all(axis=0)
    scale = np.where(constant, 1.0, train.std(axis=0))
    return (table - train.mean(axis=0)) / scale


homework.text(r"""Is it worth the trouble? Here is the perceptron on twenty splits of the raw and of the standardised
tumours. The second number is about the program for logistic regression on Amini's slides. It starts at random weights
between $-1$ and $1$, and its loop is entered only if the mean logistic loss there is below 2; otherwise it returns
whatever the memory held ({ref}`EA20 <erratum-EA20>`). The cell counts the starts from which it would do anything at
all. (On the raw tumours it is about two in a thousand. So it is no contradiction that
{ref}`the chapter <convex-optimization-program>`, with 200 other starts, met none.)""")

homework.code(r"""
X, diagnosis, *_ = load_wdbc()
y, rng = np.where(diagnosis == "M", 1, -1), np.random.default_rng(0)
folds = [hold_out(569, 228, rng)[0] for _ in range(20)]
starts = rng.uniform(-1, 1, (2000, 31))
for name in ("raw", "standardised"):
    found = []
    for train, test in folds:
        Z = X if name == "raw" else Standardiser().fit(X[train]).transform(X)
        found.append(Perceptron(max_epochs=20).fit(Z[train], y[train]).score(Z[test], y[test]))
    z = y[train] * (starts @ augmented(Z[train]).T)
    runs = np.sum(np.logaddexp(0, -z).mean(axis=1) < 2)
    print(f"{name:12s} perceptron {np.mean(found):.2f} ± {np.std(found, ddof=1):.2f};"
          f" the program runs from {runs} of 2000 starts")
""")


@homework.question(
    "How small must Adaline's step be?",
    r"One example: the error is multiplied by $1-\tau\|\tilde x\|^2$. So how long can a row be?",
    r"A standardised column has $\sum_iz_i=0$ and $\sum_iz_i^2=m$. Use Cauchy and Schwarz on $z_1=-(z_2+\dots+z_m)$.",
    r"All examples at once: what matters is the largest eigenvalue of $\frac1m\tilde X^\top\tilde X$. The constant "
    "feature is orthogonal to the other columns, and the trace of their block is at most $d$.",
    "One sample attains both limits: before it is standardised, its columns are 1 in the first row and 0 elsewhere.",
    proof=True,
    returns="one, batch",
)
def q4(answer):
    r"""Standardising is not harmless either. Amini's slides give Adaline without a condition on its step
    ({ref}`EA9 <erratum-EA9>`), and on the standardised mushrooms the innocent step $\tau=0.001$ makes it explode. Why?

    Let $X$ be a *standardised* sample of $m\ge2$ rows and $d\ge1$ columns: each column has mean zero, and standard
    deviation one or (a constant column) zero. Append the constant feature, $\tilde x_i=(x_i,1)$. Adaline comes in two
    forms. One example at a time,

    $$
    \tilde w\leftarrow\tilde w+\tau\,(y_i-\tilde w\cdot\tilde x_i)\,\tilde x_i ;
    $$

    a step $\tau$ is *safe* for the sample if this makes $|y_i-\tilde w\cdot\tilde x_i|$ smaller for every $i$ and every
    $\tilde w$ for which it is not zero. And all examples at once,

    $$
    \tilde w\leftarrow\tilde w+\frac\tau m\sum_{i=1}^m(y_i-\tilde w\cdot\tilde x_i)\,\tilde x_i ;
    $$

    here $\tau$ is safe if the weights converge from every start, whatever the labels.

    Which steps are safe for *every* standardised sample of this size? Write `steps(m, d)`, which returns two numbers:
    the largest `one` such that all $0<\tau<$ `one` are safe for the first form, and the largest `batch` such that all
    $0<\tau<$ `batch` are safe for the second. Prove it. (For the second form the slides print a limit that is four
    times too small, {ref}`EA14 <erratum-EA14>`.)"""

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


@q4.solved_by
def steps(m, d):
    r"""**One example.** A step multiplies the error on its example by $1-\tau\|\tilde x\|^2$
    ({prf:ref}`prop-widrow-hoff`), so it shrinks if and only if $\tau<2/\|\tilde x\|^2$. How long can a row be? Let
    $z_1,\dots,z_m$ be a standardised column that is not constant: $\sum_iz_i=0$ and $\sum_iz_i^2=m$. By Cauchy and
    Schwarz

    $$
    z_1^2=(z_2+\dots+z_m)^2\le(m-1)(z_2^2+\dots+z_m^2)=(m-1)(m-z_1^2),
    $$

    so $mz_1^2\le m(m-1)$, that is $z_1^2\le m-1$, and the same for every row. A constant column is zero. Hence
    $\|\tilde x_i\|^2\le d(m-1)+1$. A column that is 1 in the first row and 0 in the others has mean $\frac1m$ and
    variance $\frac{m-1}{m^2}$, so $z_1=\sqrt{m-1}$: the bound is attained if all columns are like that.

    **All examples.** Let $H=\frac1m\tilde X^\top\tilde X$. If $v$ is the difference of the weights from a least-squares
    solution, the update is $v\mapsto(I-\tau H)v$. Parts of $v$ with $Hv=0$ stay, the others vanish from every start if
    and only if $|1-\tau\lambda|<1$ for each eigenvalue $\lambda>0$, that is $\tau<2/\lambda_{\max}$. The columns are
    centred, so the constant feature is orthogonal to them: the eigenvalues of $H$ are 1 and those of the matrix $C$ of
    the correlations, which are not negative and have the sum $\operatorname{tr}C\le d$. So
    $\lambda_{\max}\le\max(d,1)=d$, and if all columns are equal, as in the sample above, $C$ has the eigenvalue $d$."""
    return 2 / (d * (m - 1) + 1), 2 / d


homework.text(r"""The two limits are worlds apart, and the mushrooms show it. Below are the longest row of a
standardised training part, the largest eigenvalue of $\frac1m\tilde X^\top\tilde X$, and the two limits *for this
sample*. Then five passes' worth of random draws with a step on either side of the first.""")

homework.code(r"""
X, edible, *_ = load_mushroom()
y, rng = np.where(edible == "e", 1, -1), np.random.default_rng(0)
train, test = hold_out(8124, 3250, rng)[0]
points = augmented(Standardiser().fit(X[train]).transform(X))
squares = np.sum(points[train] ** 2, axis=1)
top = np.linalg.eigvalsh(points[train].T @ points[train] / len(train))[-1]
print(f"squared length of a row: mean {squares.mean():.0f}, largest {squares.max():.0f};"
      f" one example: tau < {2 / squares.max():.1e}")
print(f"largest eigenvalue {top:.1f}; all examples: tau < {2 / top:.2f}")
for tau in (3e-4, 1e-3):
    order = rng.integers(len(train), size=5 * len(train))
    w = adaline(points[train], y[train], order, tau, keep_path=False).last
    right = np.mean(np.where(points[test] @ w >= 0, 1, -1) == y[test])
    print(f"tau = {tau:.0e}: length of w {np.linalg.norm(w):.1e}, test accuracy {right:.2f}")
""")

homework.text(r"""Here is the reason. A level of frequency $p$ becomes a column with the entry $\sqrt{(1-p)/p}$ where
the level occurs. The longest row has three levels that occur in only three of the 4874 rows: three entries of 40, whose
squares make up most of the 5651. With $\tau=0.001$ the error on this row is multiplied by $-4.7$ each time it is drawn,
and what the other rows repair in between is not enough. The classifier becomes a coin. The raw one-hot columns have no
such rows: there $\|\tilde x\|^2=22$ for every mushroom ({ref}`linear-regression-adaline`).""")


@homework.question(
    "Boosted perceptrons",
    "Keep three things from round to round: the weights $D$, the rules, the votes.",
    "`rng.choice(m, m, p=D)` draws the rows. The error of the rule is measured on the sample, with the weights $D$.",
    r"If no example is wrong, return this rule alone. If $\varepsilon_t\ge\frac12$, leave everything as it is.",
    r"The new weights are $D/(2\varepsilon_t)$ where the rule is wrong, $D/(2(1-\varepsilon_t))$ where it is right.",
    returns="rules, alpha",
)
def q5(answer):
    r"""The perceptron does not take weights, so AdaBoost *draws* examples for it ({ref}`boosting-sampling`). In the
    practical this meets a case for which the slides have no rule ({ref}`EA12 <erratum-EA12>`): mushrooms are separable,
    sooner or later a perceptron makes no mistake at all, its vote is $\frac12\ln\frac10$, and the new weights are
    $\frac00$.

    Write `boosted(X, y, learn, T, rng)` for $m$ points, the rows of `X`, with labels $y_i\in\{-1,+1\}$. The learner is
    given: `learn(X_drawn, y_drawn)` returns a rule `h`, a function such that `h(X)` is the array of its predictions.
    Start with $D_1(i)=\frac1m$. In each of $T$ rounds draw $m$ rows independently, with replacement, row $i$ with
    probability $D_t(i)$, all of it from the generator `rng`; call `learn` once on the drawn rows to get $h_t$; and let
    $\varepsilon_t$ be the sum of $D_t(i)$ over the examples *of the sample* on which $h_t$ errs. Then:

    - If $h_t$ makes no mistake on the sample, an infinite vote would outweigh all others. Stop, and return this rule
      alone, with the vote 1: `[h], [1.0]`.
    - If $\varepsilon_t\ge\frac12$, the draw was unlucky. The rule gets no vote, and $D_{t+1}=D_t$.
    - Otherwise its vote is $\alpha_t=\frac12\ln\frac{1-\varepsilon_t}{\varepsilon_t}$, and $D_{t+1}(i)$ is proportional
      to $D_t(i)\,e^{-\alpha_ty_ih_t(x_i)}$.

    Return the list of the rules that vote, and only of these, and the list of their votes, in the order of the rounds.
    """
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


@q5.solved_by
def boosted(X, y, learn, T, rng):
    r"""A rule without a mistake would get the vote $\frac12\ln\frac10=\infty$, and new weights $\frac00$. An infinite
    vote outweighs all others, so the rule is returned alone. A rule with $\varepsilon_t\ge\frac12$ would get a vote
    that is zero or negative. A deterministic learner would return it again and again, but here the rows were drawn, and
    the next draw may be luckier. Note where $\varepsilon_t$ is measured: with $D_t$ on the whole sample. On the drawn
    rows the rule was trained, and its error there is too small. The new weights are those of AdaBoost, since
    $e^{\alpha_t}/Z_t=\frac1{2\varepsilon_t}$ and $e^{-\alpha_t}/Z_t=\frac1{2(1-\varepsilon_t)}$: half of the weight
    goes to the mistakes."""
    m, D, rules, alpha = len(y), np.full(len(y), 1 / len(y)), [], []
    for _ in range(T):
        rows = rng.choice(m, m, p=D)
        h = learn(X[rows], y[rows])
        wrong = h(X) != y
        epsilon = D[wrong].sum()
        if not wrong.any():
            return [h], [1.0]
        if epsilon < 1 / 2:
            rules, alpha = [*rules, h], [*alpha, np.log(1 / epsilon - 1) / 2]
            D = np.where(wrong, D / (2 * epsilon), D / (2 * (1 - epsilon)))
    return rules, alpha


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


@homework.question(
    "The number to beat",
    "`np.unique(y, return_counts=True)` returns the labels and how often each occurs.",
    "`fit` keeps the most frequent label, `predict` repeats it once for each row: `np.full(len(X), label)`.",
    kind="estimator",
    stub="""
class Majority:
    def fit(self, X, y):
        ...

    def predict(self, X):
        ...""",
)
def q6(answer):
    r"""An accuracy of 0.64 on Ionosphere: good or bad? It is what one gets by calling every return good. No table is
    complete without this line.

    Write a class `Majority` with two methods. `fit(self, X, y)` finds the most frequent label of `y` (names or numbers,
    two classes or more; if several are equally frequent, any of them). `predict(self, X)` returns an array with that
    label once for each row of `X`."""
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


@q6.solved_by
class Majority:
    r"""`np.unique` sorts out the labels and counts them, whatever they are; the sign of a sum would need $\pm1$. The
    points are not looked at, and that is the purpose: what this rule achieves is what the labels alone are worth."""

    def fit(self, X, y):
        """Count the labels."""
        labels, counts = np.unique(y, return_counts=True)
        self.label = labels[counts.argmax()]
        return self

    def predict(self, X):
        """The same label for every row."""
        return np.full(len(X), self.label)


@homework.question(
    "The table",
    "For each split: call your `split`, then your `standardise` for the training and for the test part.",
    "Then, in the same split, fit every model and compare its predictions with `y[test]`.",
    "Two loops: the outer one over the splits, the inner one over the models. `np.mean(predicted == y[test])`.",
)
def q7(answer):
    r"""Now the experiment. `models` is a list of objects with `fit(X, y)` and `predict(X)`; `fit` forgets what was
    learned before. Write `accuracies(models, X, y, n_splits, rng)`, which returns an array of shape
    `(n_splits, n_models)`: in row $k$ the accuracies of all models, the share of right predictions, on the test part of
    split $k$. Draw each split with `rng` as in Question 1, $\lfloor3m/5\rfloor$ rows to train. All models meet the same
    split. Standardise as in Question 3, both parts with the statistics of the training part. Labels are handed on as
    they are; they may be names.

    The check uses models that keep a record of everything they are shown."""
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


@q7.solved_by
def accuracies(models, X, y, n_splits, rng):
    r"""The split is drawn in the outer loop, so all models meet the same one: then an unlucky test part is unlucky for
    all of them, and cancels in the differences. Both parts are put in the units of the training part. `fit` starts
    anew each time."""
    A = np.empty((n_splits, len(models)))
    for k in range(n_splits):
        train, test = split(len(y), rng)
        X_train, X_test = standardise(X[train], X[train]), standardise(X[train], X[test])
        for j, model in enumerate(models):
            model.fit(X_train, y[train])
            A[k, j] = np.mean(model.predict(X_test) == y[test])
    return A


def _explain(log, m, tried):
    """Why accuracies are wrong, if it is for the rows that the models were asked about."""
    for fit in log:
        left, known = {*range(m)} - fit["train"], len(fit["asked"] & fit["train"])
        asked, also = len(fit["asked"] & left), f", and on {known} rows that it was trained on" if known else ""
        tested = f"{fit['name']} was fitted, but it was tested on {asked} of the {len(left)} rows left out{also}."
        require(asked == len(left), tested, tried)
        tested = f"{fit['name']} was tested on {known} rows that it was trained on, besides those left out"
        require(not known, f"{tested}; these must not count.", tried)


homework.text(r"""This is the table for the models of the package, twenty splits for the first two sets and two for the
third: mean accuracy and standard deviation over the splits. (In your own copy, put your `Majority` and these models
into your `accuracies`.)""")

homework.code(r"""
models = {"perceptron": Perceptron(max_epochs=20), "Adaline": Adaline(max_epochs=20),
          "logistic": LogisticRegression(lam=0.01),
          "boosted": AdaBoost(Perceptron(max_epochs=1), 30, resample=True, random_state=0)}

def measured(data, n_splits):
    X, y, rng, rows = *data[:2], np.random.default_rng(0), []
    for _ in range(n_splits):
        train, test = hold_out(len(y), len(y) - 3 * len(y) // 5, rng)[0]
        Z = Standardiser().fit(X[train]).transform(X)
        most = max(data.class_names, key=y[train].tolist().count)
        fitted = [model.fit(Z[train], y[train]) for model in models.values()]
        scores = [model.score(Z[test], y[test]) for model in fitted]
        rows.append([np.mean(y[test] == most), *scores])
    return np.array(rows)
""")

homework.code(r"""
sets = {"WDBC": (load_wdbc(), 20), "Ionosphere": (load_ionosphere(), 20)}
sets["Mushroom"] = load_mushroom(), 2
tables = {name: measured(*arguments) for name, arguments in sets.items()}
print(f"{'':10s}", *(f"{name:>13s}" for name in ("majority", *models)))
for name, A in tables.items():
    columns = zip(A.mean(axis=0), A.std(axis=0, ddof=1), strict=True)
    print(f"{name:10s}", *(f"{mean:.3f} ± {spread:.3f}" for mean, spread in columns))
assert models["boosted"].converged_ and models["perceptron"].converged_     # on mushrooms
""")

homework.text(r"""Every method beats the majority by far. On the mushrooms hardly anything is left to compare: they are
linearly separable, the perceptron finds a separator, and boosting ends with a rule that makes no mistake. On the other
two sets the methods differ by up to four hundredths, about as much as one split differs from the next. And yet logistic
regression has the largest mean on both.""")


@homework.question(
    "Twenty splits are not twenty experiments",
    r"Let $d_k=a_k-b_k$. The variance of the mean $\bar d$ is $\frac1{K^2}$ times the sum of all covariances.",
    r"$\sum_k(d_k-\bar d)^2=\sum_kd_k^2-K\bar d^2$. What is its expectation, if the $d_k$ have correlation $c$?",
    r"$\operatorname{Var}\bar d=\sigma^2\big(\frac1K+(1-\frac1K)c\big)$ and $\mathbb{E}s^2=(1-c)\sigma^2$. By which "
    "number must $s^2$ be multiplied?",
    proof=True,
    returns="mean, error",
)
def q8(answer):
    r"""All models met the same splits, so compare them split by split. Let $a_k$ and $b_k$ be the accuracies of two
    models on split $k=1,\dots,K$, with $K\ge2$, and $d_k=a_k-b_k$. The textbook's standard error of the mean difference
    $\bar d$ is $s/\sqrt K$ with $s^2=\frac1{K-1}\sum_k(d_k-\bar d)^2$. It shrinks to nothing as $K$ grows, and splits
    are cheap: with enough of them every mean difference becomes "significant", unless it is exactly zero. Something
    must be wrong. The $d_k$ are not independent. Two test parts usually have rows in common, and two training parts of
    sixty per cent always have.

    Suppose that the $d_k$ have the same unknown mean and the same unknown variance $\sigma^2$, and that any two of them
    have the same known correlation $c$, where $0\le c<1$. Find the variance of $\bar d$. Find the expectation of $s^2$.
    So find the number by which $s^2$ must be multiplied for its expectation to be the variance of $\bar d$. Write
    `paired(a, b, c)` for arrays `a` and `b` of length $K$. It returns $\bar d$ and the root of that corrected estimate.
    And prove one thing more: for two rules that do not learn, independent examples, and random splits with $n$ of $m$
    rows in the test part, the correlation is exactly $c=\frac nm$."""

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


@q8.solved_by
def paired(a, b, c):
    r"""Let the $d_k$ have mean $\mu$, variance $\sigma^2$ and correlation $c$. Of the $K^2$ covariances $K$ are
    $\sigma^2$, the others $c\sigma^2$, so

    $$
    \operatorname{Var}\bar d=\frac{K\sigma^2+K(K-1)c\,\sigma^2}{K^2}=\sigma^2\Big(\frac{1-c}K+c\Big) .
    $$

    From $\sum_k(d_k-\bar d)^2=\sum_k(d_k-\mu)^2-K(\bar d-\mu)^2$ we get
    $(K-1)\,\mathbb{E}s^2=K\sigma^2-K\operatorname{Var}\bar d=(K-1)(1-c)\sigma^2$, so $\mathbb{E}s^2=(1-c)\sigma^2$: the
    splits resemble each other, and their spread shows too little. The quotient of the two is $\frac1K+\frac c{1-c}$,
    and $s^2$ times this number has the expectation $\operatorname{Var}\bar d$.

    **Why $c=n/m$?** Take two rules that do not learn. Example $i$ contributes a number $Z_i\in\{-1,0,1\}$, and $d_k$ is
    the mean of the $Z_i$ over the test part of split $k$. The $Z_i$ are independent, of one variance $v$, so
    $\operatorname{Var}d_k=\frac vn$. A row is in two given test parts with probability $\frac{n^2}{m^2}$, so they have
    $\frac{n^2}m$ rows in common on average, and their $d_k$ have the covariance
    $\frac v{n^2}\cdot\frac{n^2}m=\frac vm$. So $c=\frac vm/\frac vn=\frac nm$ and $\frac c{1-c}=\frac n{m-n}$. As $K$
    grows, $\bar d$ becomes the mean over all $m$ examples, whose variance is $\frac vm$ and not zero. For rules that
    learn, $\frac nm$ is a proposal and not a theorem."""
    K, difference = len(a), a - b
    variance = difference.var(ddof=1) * (1 / K + c / (1 - c))
    return difference.mean(), np.sqrt(variance)


homework.text(r"""With $c=\frac nm$ this is the *corrected resampled t-test* of {cite:t}`nadeau2003`. For rules that
learn it is a proposal and no theorem, since $c$ then also depends on how much a rule changes with its training part.
(For folds one can even prove that no estimate from a single cross-validation is right for every law, see
{ref}`cross-validation-variance`.) So it should be tested where the truth is known. Here two rules look at one feature
each, and the features are equally good by symmetry: there is no difference. A hundred examples are drawn, 300 times,
and each time the two rules are compared at the level of 5 %.""")

homework.code(
    r'''
def difference(X, y, rng):
    """Accuracy of the mean rule on the first feature, minus that on the second, for one split."""
    train, test = hold_out(100, 40, rng)[0]
    plus, minus = (X[train][y[train] == label].mean(axis=0) for label in (1, -1))
    right = np.where((X[test] - (plus + minus) / 2) * (plus - minus) >= 0, 1, -1) == y[test][:, None]
    return right[:, 0].mean() - right[:, 1].mean()

rng = np.random.default_rng(0)
for K in (10, 30):
    alarms = np.zeros(2)
    for _ in range(300):
        y = rng.choice([-1, 1], 100)
        X = rng.normal(size=(100, 2)) + 0.7 * y[:, None]
        d = np.array([difference(X, y, rng) for _ in range(K)])
        errors = d.std(ddof=1) * np.sqrt([1 / K, 1 / K + 40 / 60])
        alarms += abs(d.mean()) > student.isf(0.025, K - 1) * errors
    print(f"{K} splits: a difference is reported in {alarms[0] / 300:.0%} of the data sets by the textbook, "
          f"in {alarms[1] / 300:.0%} corrected")
''',
    tags=["hide-input"],
)

homework.text(r"""The textbook's test finds what is not there in nearly half of the data sets, and more often with more
splits. The corrected one keeps its promise here. Now the table again: logistic regression minus each of the others, the
number of splits in which it was ahead and behind, and $\bar d$ divided by the two standard errors; then the corrected
quotients of all four against the majority. For a single comparison at the level of 5 % a quotient counts if it exceeds
2.09, a quantile of Student's distribution with 19 degrees of freedom.""")

homework.code(
    r"""
for name, m in (("WDBC", 569), ("Ionosphere", 351)):
    n, K = m - 3 * m // 5, 20
    for j, other in ((0, "majority"), (1, "perceptron"), (2, "Adaline"), (4, "boosted")):
        d = tables[name][:, 3] - tables[name][:, j]
        textbook, corrected = d.mean() / d.std(ddof=1) / np.sqrt([1 / K, 1 / K + n / (m - n)])
        print(f"{name:10s} logistic minus {other:10s} {d.mean():+.3f}, ahead {np.sum(d > 0):2d}, "
              f"behind {np.sum(d < 0)}; textbook {textbook:4.1f}, corrected {corrected:4.1f}")
    ahead = tables[name][:, 1:] - tables[name][:, :1]
    quotients = ahead.mean(axis=0) / ahead.std(axis=0, ddof=1) / np.sqrt(1 / K + n / (m - n))
    shown = (f"{model} {value:.1f}" for model, value in zip(models, quotients, strict=True))
    print(f"{name:10s} each minus majority, corrected:", ", ".join(shown))
print(f"quantiles: one comparison {student.isf(0.025, 19):.2f}, twelve {student.isf(0.025 / 12, 19):.2f}")""",
    tags=["hide-input"],
)

homework.text(r"""Twenty splits out of twenty, against Adaline on the tumours. What does that say? It says that on
*these 569 tumours* the result of one more split is foreseeable. It does not say what another 569 tumours would show;
for that there is one sample, not twenty. The corrected quotient of this pair exceeds 2.09. But four models on two sets
are twelve comparisons, and the best of twelve has to pass a higher bar: 3.25, if each gets a twelfth of the 5 %. Only
the lead over the majority clears it, but it does so for each of the four models on both sets.""")


@homework.question(
    "What one test set can see",
    "On one example the difference of the two errors is $-1$, $0$ or $1$: which interval does Hoeffding need?",
    r"For one pair the mean of $n$ such differences strays by more than $\epsilon$ with probability at most "
    r"$2e^{-n\epsilon^2/2}$.",
    r"Give each of the $N$ pairs the probability $\delta/N$ of failing, and solve for $\epsilon$.",
    proof=True,
)
def q9(answer):
    r"""The corrected test rests on a proposal. What holds for certain? Go back to a single split. For one rule
    {prf:ref}`thm-test-set` bounds how far the error on $n$ test examples may stray from the risk, with probability at
    least $1-\delta$: by $\sqrt{\ln(2/\delta)/(2n)}$, which at $\delta=0.05$ is 0.090 for 228 tumours, 0.114 for 141
    radar returns and 0.024 for 3250 mushrooms. But we want differences, and several of them.

    Take $N$ pairs of rules, all learned from the training part. For each pair there is the difference of the two errors
    on the $n$ test examples, and the difference of the two risks. Write `visible(n, N, delta)`: the smallest $\epsilon$
    for which Hoeffding's inequality and the union bound promise that, with probability at least $1-\delta$ over the
    test set, *all* $N$ observed differences are within $\epsilon$ of the true ones. Apply Hoeffding to the differences,
    example by example. (Take the inequality from {ref}`concentration-hoeffding`; the slides print it for a mean that is
    a sum, {ref}`EA21 <erratum-EA21>`.)"""

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


@q9.solved_by
def visible(n, N, delta):
    r"""Fix a pair of rules, learned before the test set was opened. On test example $i$ let $Z_i$ be the zero-one loss
    of the first rule minus that of the second, a number in $[-1,1]$. The $Z_i$ are independent, and their mean is the
    difference of the two test errors. By {prf:ref}`thm-hoeffding`, for an interval of length 2, it strays from its
    expectation, the difference of the two risks, by more than $\epsilon$ with probability at most
    $2e^{-2n\epsilon^2/2^2}=2e^{-n\epsilon^2/2}$. By the union bound ({prf:ref}`lem-union`) one of $N$ pairs strays with
    probability at most $2Ne^{-n\epsilon^2/2}$. This is $\delta$ for

    $$
    \epsilon=\sqrt{\frac2n\ln\frac{2N}\delta} .
    $$

    One interval for each of the two errors, at half the $\delta$, would let their difference stray by
    $2\sqrt{\frac1{2n}\ln\frac{4N}\delta}=\sqrt{\frac2n\ln\frac{4N}\delta}$, which is more. An observed difference above
    $\epsilon$ shows which rule is better. A smaller one does not, by this inequality."""
    return np.sqrt(2 * np.log(2 * N / delta) / n)


homework.text(r"""For the six pairs of four models at $\delta=0.05$ your function gives 0.22 for WDBC, 0.28 for
Ionosphere and 0.06 for Mushroom. The largest difference among the four in the table is 0.017, 0.039 and 0.0008:
thirteen, seven and seventy times smaller. Hoeffding's inequality knows nothing about the rules and is generous: two
rules that rarely disagree have differences that are mostly zero, and their mean strays much less. But no inequality
lets a few hundred test examples see one hundredth: of 228 tumours that is two.

So, which classifier is best? **What may be said.** All four beat the majority. On WDBC and Mushroom they do so by 0.3
and 0.5, more than `visible` leaves to chance; on Ionosphere by 0.2, which Hoeffding's inequality is too coarse to
certify, but the corrected test reports it for each of the four: the smallest of their quotients is 4.4. On the
mushrooms all four are right on about 99.9 % of the test rows or more. And preparing the columns matters more than
choosing among the four: on the raw tumours the perceptron loses nine hundredths, and on the standardised mushrooms a
careless step loses everything. **What may not be said.** That logistic regression is better than Adaline on tumours, or
that boosting helps the perceptron on radar returns. The data do not speak against it, but they do not show it. To
certify a difference of one hundredth at $\delta=0.05$, `visible` asks for 73 778 test examples for a single pair, and
for 109 613 if there are six. If two rules disagree on one example in twenty only, the normal approximation is content
with $1.96^2\cdot0.05/0.01^2$, about two thousand; that is still far more than a few hundred. More splits of the same
sample will not do.

There is one more reason for modesty. The penalty $\lambda=0.01$ of logistic regression is not innocent.
{ref}`Its chapter <logistic-regression-versus>` tried five values on other splits of the same tumours, and this was the
best of them. So the test parts above had helped to choose it, and the best column of the table may be a little too good
({prf:ref}`prop-selection-bias`). The honest way chooses $\lambda$ inside each training part
({ref}`cross-validation-nested`).""")


homework.closing(r"""You have an experiment that can be repeated, encoders that learn from the training part alone, a
step with a reason, boosting that does not fall over a perfect rule, and a number to beat. And you know how to read the
table: twenty splits of one sample are not twenty samples, a correction by the share of the test part repairs the worst
of it, and a test set of a few hundred sees differences of several hundredths at best. The three data sets tell more
than an accuracy, too. WDBC is separable, so that logistic regression without a penalty has no solution
({prf:ref}`thm-mle-exists`); Ionosphere is not, and on a training part that is not separable either the perceptron never
settles and its last weights are an accident ({ref}`perceptron-not-separable`). {doc}`../cross-validation` goes on with
choosing a model, and with estimating the risk of what was chosen.""")
