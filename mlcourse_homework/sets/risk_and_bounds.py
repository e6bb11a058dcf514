"""Homework: what is the best possible risk, how near is a sample to the truth, and how large is a class of rules."""

import itertools
import math
import time

import numpy as np
from scipy.stats import binom, norm

from mlcourse import theory
from mlcourse_homework.engine.answers import Wrong, array, for_all, number, require, show, two
from mlcourse_homework.engine.properties import equals, smallest
from mlcourse_homework.engine.question import Homework

homework = Homework(__file__, "Risk and bounds")
progress = homework.progress


def matrix(values):
    """All entries of a matrix, in one line."""
    text = np.array2string(values, precision=4, separator=", ", threshold=10**4, suppress_small=True)
    return f"values = {' '.join(text.split())}"


@homework.question()
def q1(answer):
    """``answer(q, eta, eta_hat, c_fp, c_fn)`` is the excess risk of the rule that trusts eta_hat."""
    rng = np.random.default_rng(1)

    def holds(weight, eta, eta_hat, c_fp, c_fn):
        q, both, plus, minus = weight / weight.sum(), c_fp + c_fn, c_fp * (1 - eta), c_fn * eta
        t, least = c_fp / both, q @ np.minimum(plus, minus)
        differ = (eta_hat >= t) != (eta >= t)

        def risk(says_plus):
            return q @ np.where(says_plus, plus, minus)

        want = risk(eta_hat >= t) - least
        mistakes = {
            "that is the risk itself; subtract the risk of the best rule": risk(eta_hat >= t),
            "that is for the threshold 1 - t; exchange the costs": risk(eta_hat >= 1 - t) - risk(eta >= 1 - t),
            "that is for the threshold 1/2, right for equal costs only": risk(eta_hat >= 0.5) - risk(eta >= 0.5),
            "the factor c_fp + c_fn is missing": q @ (np.abs(eta - t) * differ),
            "|2 eta - 1| is for costs of one": q @ (np.abs(2 * eta - 1) * differ),
            "the rule says +1 also where eta_hat is exactly t": risk(eta_hat > t) - least,
            "that is the bound to be shown on paper; the excess may be smaller": both * (q @ np.abs(eta_hat - eta)),
            "that is twice as much; (c_fp + c_fn) |eta - t| is the whole difference of the two costs": 2 * want,
        }
        tried = show(q=q, eta=eta, eta_hat=eta_hat, c_fp=c_fp, c_fn=c_fn) + f", so t = {t:.4g}"
        equals(answer(q, eta, eta_hat, c_fp, c_fn), want, "the excess risk", mistakes, tried)

    def valid(weight, eta, eta_hat, c_fp, c_fn):  # no ties but those that floats know
        return c_fp / (c_fp + c_fn) in (0.25, 0.5) or np.abs(eta_hat - c_fp / (c_fp + c_fn)).min() > 1e-6

    points = ((0.1, 0.65), (1.0, 0.0), (0.3, 0.3), (0.35, 0.7))
    first = [(*point, *costs) for costs in ((1, 1), (1, 3), (4, 1), (2, 3)) for point in points]
    ties = [(0.1, 0.5, 1, 1), (0.0, 0.25, 1, 3)]
    small = [(np.ones(1), np.array([a]), np.array([b]), *costs) for a, b, *costs in first + ties]
    sizes = sorted((2, 3, 5, 10) * 5)
    drawn = [(rng.integers(1, 6, n), *rng.random((2, n)), *rng.integers(1, 9, 2).tolist()) for n in sizes]
    for_all(small + drawn, holds, valid)
    return "it is the risk of the plug-in rule minus the least risk of any rule, for many laws and costs."


@homework.question()
def q2(answer):
    """``answer(mu, c_fp, c_fn)`` is (theta, risk): where the Bayes predictor begins to say +1, and the Bayes risk."""
    step = 2e-4
    x = np.arange(-12, 12, step)

    def holds(mu, c_fp, c_fn):
        theta, risk = two(answer(mu, c_fp, c_fn), "(theta, risk)")
        want, tried = math.log(c_fp / c_fn) / (2 * mu), show(mu=mu, c_fp=c_fp, c_fn=c_fn)
        mistakes = {
            "dearer false positives should move it up, not down": -want,
            "at theta the odds e^(2 mu theta) should be c_fp / c_fn": 2 * want,
            "that is the threshold for eta(x); the one for x is asked for": c_fp / (c_fp + c_fn),
        }
        equals(theta, want, "theta", mistakes, tried)
        least = np.minimum(c_fp * norm.pdf(x, -mu), c_fn * norm.pdf(x, mu)).sum() * step / 2
        mistakes = {
            "each label has probability one half": 2 * least,
            "the two errors are exchanged": (c_fp * norm.cdf(want - mu) + c_fn * norm.cdf(-want - mu)) / 2,
            "that is the risk of the threshold 0": (c_fp + c_fn) * norm.cdf(-mu) / 2,
            "that is a probability of error; the errors have costs": norm.cdf(-mu),
        }
        equals(risk, least, "the Bayes risk", mistakes, tried)

    costs = ((1, 1), (2, 1), (1, 3), (10, 1), (1, 20))
    for_all([(mu, *both) for both in costs for mu in (1.0, 0.5, 2.0, 0.3)], holds)
    return "theta is where the two costs cross, and the risk is the area under the smaller of them."


@homework.question()
def q3(answer):
    """``answer(x, y)`` is (theta, s) of the rule "s if x > theta, else -s" with the fewest errors on the sample."""
    rng = np.random.default_rng(3)

    def holds(x, y):
        theta, s = two(answer(x, y), "(theta, s)")
        theta, s, tried = float(array(theta, (), "theta")), number(s, "s"), show(x=x, y=y)
        kinds = "theta should be a number (or infinite) and s be -1 or +1, also where both signs are equally good."
        got = f"theta = {theta:g}, s = {s:g}"
        require(s in (-1, 1) and not math.isnan(theta), kinds, tried, got)
        up = [np.sum(np.where(x > cut, 1, -1) != y) for cut in (-np.inf, *x)]  # errors with s = 1
        least, errors = min(*up, len(y) - max(up)), np.sum(np.where(x > theta, s, -s) != y)
        hints = (
            (min(up) if s < 0 else len(y) - max(up), f" A rule with s = {-s:+.0f} is better."),
            (np.sum(np.where(x >= theta, s, -s) != y), " Mind that the rule says s where x > theta, not >=."),
            (min(up[0], len(y) - up[0]), " A constant rule is among the best; theta = -inf is allowed."),
        )
        words = "another rule makes fewer errors." + "".join(hint for count, hint in hints if count == least)
        require(errors == least, words, tried, f"{got}; errors: {errors}", f"errors: {least}")

    first = [(np.arange(1.0, m + 1), np.array(y)) for m in (1, 2, 3) for y in itertools.product((-1, 1), repeat=m)]
    first += [(np.ones(2), np.array([1, -1])), (np.ones(4), np.array([1, -1, -1, 1]))]
    drawn = [(rng.permutation(m) / 2, rng.choice((-1, 1), m)) for m in (4, 5, 8, 30)]
    equal = [(rng.integers(0, 4, m) / 2 - 1, rng.choice((-1, 1), m)) for m in (2, 3, 5, 8, 12) for _ in range(4)]
    long = rng.normal(size=2000)
    for_all([*first, *drawn, *equal, (long, np.where(long + rng.normal(size=2000) > 0.5, -1, 1))], holds)
    return "no rule makes fewer errors: all were tried, with both signs, also on equal points."


@homework.question()
def q4(answer):
    """``answer(epsilon, delta, p)`` is (n, coverage): the least n by Hoeffding, and P(|test error - p| <= epsilon)."""

    def holds(epsilon, delta, p):
        def miss(n):
            return 2 * math.exp(-2 * n * epsilon**2)

        n, coverage = two(answer(epsilon, delta, p), "(n, coverage)")
        tried = show(epsilon=epsilon, delta=delta, p=p)
        want, one = (math.ceil(math.log(tails / delta) / (2 * epsilon**2)) for tails in (2, 1))
        mistakes = {"that is for one tail; the test error may be too large or too small": one}
        smallest(n, want, miss, delta, "n", mistakes, tried)
        k = np.arange(want + 1)
        off, chance = np.abs(k / want - p), binom.pmf(k, want, p)
        kept = off <= epsilon
        exact = chance[kept].sum()
        mistakes = {
            "that is the probability of a miss": 1 - exact,
            "a test error that is off by exactly epsilon keeps the promise too": chance[off < epsilon].sum(),
            "that is what is promised; the exact probability is asked for": 1 - delta,
            "that is Hoeffding's bound, not exact": 1 - miss(want),
        }
        for end in k[kept][[0, -1]]:
            mistakes[f"the term of k = {end} is missing, which is within epsilon"] = exact - chance[end]
        if p < epsilon:
            mistakes["k starts at 0, not at n(p - epsilon), which is negative here"] = 0
        equals(coverage, exact, "the coverage", mistakes, f"{tried}, n = {want}")
        return exact

    cases = [(0.3, 0.2, 0.5), (0.2, 0.3, 0.4), (0.25, 0.3, 0.5)]  # off by exactly 0.25 in the third, which floats know
    cases += [(0.1, 0.1, p) for p in (0.47, 0.15, 0.05, 0.97)]  # nowhere else a tie
    cases += [(0.12, 0.5, 0.33), (0.07, 0.01, 0.5), (0.05, 0.05, 0.3), (0.01, 0.05, 0.45), (0.02, 0.3, 0.5)]
    for_all(cases, holds)
    return f"738 examples for 0.05 and 0.05. At p = 1/2 the promised 95 % are in fact {holds(0.05, 0.05, 0.5):.2%}."


@homework.question()
def q5(answer):
    """``answer(N, epsilon, delta)`` is (m, m0): enough examples for N rules, and enough if a perfect rule exists."""

    def holds(N, epsilon, delta):
        def size(c, rate):
            return math.ceil(math.log(c / delta) / rate)

        m, m0 = two(answer(N, epsilon, delta), "(m, m0)")
        tried, rate, lucky = show(N=N, epsilon=epsilon, delta=delta), 2 * epsilon**2, -math.log1p(-epsilon)
        mistakes = {
            "that is for one rule; all N deviations must be small at once": size(2, rate),
            "an empirical risk may be too large or too small, so both tails count": size(N, rate),
            "that is for deviations below epsilon / 2": size(2 * N, rate / 4),
        }
        smallest(m, size(2 * N, rate), lambda m: 2 * N * math.exp(-rate * m), delta, "m", mistakes, tried)
        fewer = "at most N - 1 rules can be bad, that is true, but the sum is asked for over all N, as if each could be"
        mistakes = {
            "that is for one rule; any of N bad rules might survive": size(1, lucky),
            fewer: size(max(N - 1, 1), lucky),
            "only one thing can go wrong, a bad rule without an error: no second tail": size(2 * N, lucky),
            "1 - epsilon <= e^(-epsilon) gave something away, fewer are enough": size(N, epsilon),
        }
        smallest(m0, size(N, lucky), lambda m: N * (1 - epsilon) ** m, delta, "m0", mistakes, tried)

    promises = ((0.3, 0.2), (0.1, 0.1), (0.05, 0.01), (0.02, 0.5))
    for_all([(N, *promise) for N in (3, 1, 10, 1000, 10**6) for promise in promises], holds)
    return "the smallest numbers that the union bound gives: like 1/epsilon^2, and like 1/epsilon with a perfect rule."


@homework.question()
def q6(answer):
    """``answer(values)`` is the empirical Rademacher complexity of a finite class, values[h, i] = h(x_i), exactly."""
    rng = np.random.default_rng(6)

    def holds(values):
        m, agreements = values.shape[1], theory.all_signs(values.shape[1]) @ values.T
        want, absolute = agreements.max(axis=1).mean() / m, np.abs(agreements).max(axis=1).mean() / m
        mistakes = {
            "it should be divided by m": m * want,
            "the factor is 1/m, not 2/m": 2 * want,
            "there is no absolute value in the definition; with it, even one rule is not simple": absolute,
            "that is the definition with 2/m and an absolute value": 2 * absolute,
            "that is the largest agreement; the mean over all sign vectors is asked for": agreements.max() / m,
            "the maximum comes first, then the mean: each rule alone has mean zero": 0,
        }
        equals(answer(values), want, "the complexity", mistakes, matrix(values))

    few = [np.ones((1, 4)), *map(np.array, ([[1.0, -1, 1]], [[1.0, 1, 1], [-1, -1, -1], [1, -1, 1]], [[1.0], [-1]]))]
    drawn = [rng.choice((-1.0, 1.0), shape) for shape in ((2, 2), (3, 4), (5, 6), (20, 8))]
    real = [scale * rng.normal(size=(N, m)) for scale, N, m in ((1, 3, 2), (5, 4, 5), (0.1, 7, 9))]
    for_all([(values,) for values in (*few, *map(theory.all_signs, (2, 3, 5)), *drawn, *real)], holds)
    return "0 for one rule, 1 for all of them, and exact in between, for real values too."


def mean_fall(counts):
    """E max(0, -s) over the group ends of a walk with so many fair signs a group: the sum of P(fall >= level)."""
    m, mean = counts.sum(), 0.0
    for level in range(1, m + 1):
        alive = np.arange(-m, m + 1) == 0.0  # the law of s while s > -level
        for g in counts:
            alive = np.convolve(alive, np.insert(binom.pmf(np.arange(g + 1), g, 0.5), range(1, g + 1), 0))[g:-g]
            alive[: m - level + 1] = 0
        mean += 1 - alive.sum()
    return mean


@homework.question()
def q7(answer):
    """``answer(x)`` is the empirical Rademacher complexity of the rules "+1 if x > theta, else -1", exactly."""
    rng = np.random.default_rng(7)

    def holds(x):
        m, counts = len(x), np.unique(x, return_counts=True)[1]
        want = theory.threshold_complexity(m) if len(counts) == m else 2 * mean_fall(counts) / m
        mistakes = {"no threshold has equal points on different sides": theory.threshold_complexity(m)}
        if m <= 10:
            rules = np.where(x > np.append(x, -np.inf)[:, None], 1, -1)
            want, both = theory.rademacher(rules), theory.rademacher(np.vstack([rules, -rules]))
            mistakes["that is for thresholds of both signs, or with an absolute value"] = both
        equals(answer(x), want, "the complexity", mistakes, f"{show(x=x)} (m = {m})")

    few = [np.zeros(1), np.arange(2.0), np.zeros(2), np.array([1.0, 0.0, 1.0]), np.arange(3.0), np.zeros(5)]
    few += [rng.integers(0, n, m) / 2 for n, m in ((2, 4), (3, 6), (4, 8), (20, 9), (5, 10))]
    for_all([(x,) for x in few], holds)
    start = time.perf_counter()
    answer(np.arange(20.0))
    require(
        time.perf_counter() - start < 0.5,
        "right for few points, but 20 take too long, and 300 would take for ever: there are 2^m sign vectors. Do not "
        "go through them; keep the law of one number instead.",
    )
    many = [np.zeros(100), np.sort(rng.integers(0, 15, 40)) / 2, rng.integers(0, 30, 60) / 4, rng.permutation(300) / 2]
    for_all([(x,) for x in many], holds)
    return "exact, for equal points too, and for 300 points, which have 2^300 sign vectors."


@homework.question()
def q8(answer):
    """``answer(values)`` is (V, most): the VC dimension of a class, and the most labellings that m and V allow."""
    rng = np.random.default_rng(8)

    def signs(m):
        return theory.all_signs(m).astype(int)

    def holds(values):
        V, most = two(answer(values), "(V, most)")
        m, rows, columns = values.shape[1], len(np.unique(values, axis=0)), theory.shattered_sets(values)[-1]
        V, right = number(V, "V"), len(columns)
        tried, got = f"{matrix(values)}: {m} points, {rows} different rows", f"V = {V:g}"
        require(V <= right, "V is too large: no set of so many columns is shattered.", tried, got)
        larger = f"the columns {columns}, counted from 0, have all {2**right} labellings"
        require(V == right, "V is too small: a larger set of columns is shattered.", tried, got, larger)
        mistakes = {
            "that is the number of rows here; it should bound all classes with this m and V": rows,
            "that is the number of labellings of V points": 2**right,
            "that is the number of all labellings, which only V = m allows": 2**m,
            "that is (em/V)^V, a bound that is easy to write but larger": (math.e * m / max(right, 1)) ** right,
            "that is one binomial coefficient; smaller sets of columns count as well": math.comb(m, right),
        }
        equals(most, theory.sauer(m, right), "Sauer's bound", mistakes, f"{tried}, V = {right}")

    up, cube = theory.threshold_class(5), signs(5)
    known = [np.ones((1, 1), int), np.ones((3, 2), int), signs(1), up[1:4, 1:], up[[0, 5], :2]]
    known += [signs(2), signs(3), cube, up, np.vstack([up, -up])]
    known += [theory.interval_class(m, k) for m, k in ((4, 1), (6, 1), (6, 2))]
    known += [cube[(cube > 0).sum(axis=1) <= V] for V in (1, 2, 3)]
    drawn = [rng.choice((-1, 1), shape) for shape in ((2, 3), (5, 4), (9, 5), (12, 5), (30, 6), (40, 7))]
    a, b, c = free = signs(3).T
    most = np.sign(sum(free))  # with it no column makes a shattered three: whoever takes it too early is lost
    trap = np.column_stack([most, a, most, b, most, c, most])
    for_all([*((rng.permutation(values, axis=1),) for values in known + drawn), (trap,)], holds)
    return "V is right, and your bound is attained: by intervals, and by all the rows with at most V times +1."


def majority(X, y):
    """The rule that always gives the more frequent label, +1 if they are equally frequent."""
    label = 1 if np.sum(y) >= 0 else -1
    return lambda points: np.full(len(points), label)


def nearest(X, y):
    """The rule that gives the label of the nearest point, by the second coordinate."""
    return lambda points: np.asarray(y)[np.abs(np.asarray(points)[:, 1:] - np.asarray(X)[:, 1]).argmin(axis=1)]


def fickle(X, y):
    """A rule that changes with every training example."""
    total = int(np.sum(np.asarray(X)[:, 1] * (np.asarray(y) + 4)))
    return lambda points: (np.asarray(points)[:, 1] + total) * 7919 % 1009 % 2 * 2 - 1


def spied(learn, sample, labels, log):
    """``learn``, which logs what each predictor was trained and tested on; the first coordinate is the index."""

    def indices(points, whose):
        points = np.asarray(points)
        shape = f"got shape {points.shape}: X[i] is one point, X[[i]] is a matrix with one row."
        rows = points.ndim == 2 and np.isin(points, sample).all()
        require(rows, f"{whose} needs a matrix of rows of X, {shape}")
        return points[:, 0].astype(int).tolist()

    def learn_and_log(X, y):
        train = indices(X, "learn")
        require(np.array_equal(labels[train], y), f"learn was given the examples {train}, but not the labels of these.")
        h = learn(X, y)

        def predict(points):
            log.append((sorted(train), indices(points, "a predictor")))
            return h(points)

        return predict

    return learn_and_log


def explain(log, fold, tried):
    """Why an estimate is wrong, if it is for what the predictors were trained and tested on."""
    for train, test in log:
        if any(train == np.flatnonzero(fold != j).tolist() for j in fold):
            continue  # then it may be asked about anything
        require(not {*train} & {*test}, f"a predictor is tested on {test} but trained on {train}.", tried)
        mine = "example i, counted from 0, belongs to fold i mod n_folds"
        require(len({*fold[test]}) == 1, f"the examples {test} are tested together.", tried, should=mine)
        others = "train on all the examples of the other folds, once each"
        raise Wrong(f"a predictor is trained on {train} and tested on {test}.", tried, should=others)
    tested = {i for train, test in log for i in test if i not in train}
    for i in {*range(len(fold))} - tested:
        seen = next((f"a predictor is tested on {test} but trained on {train}" for train, test in log if i in test), "")
        raise Wrong(f"{seen or f'every example should be tested; number {i}, counted from 0, never is'}.", tried)


@homework.question()
def q9(answer):
    """``answer(learn, X, y, n_folds)`` is (estimate, t): the K-fold estimate, and the sample size it speaks about."""
    rng = np.random.default_rng(9)

    def holds(learn, m, n_folds):
        X = np.column_stack([np.arange(m), rng.choice(10**6, m, replace=False)])
        y = rng.permutation(np.arange(m) % 2 * 2 - 1)
        fold, log, tried = np.arange(m) % n_folds, [], f"the rule {learn.__name__}, {show(n_folds=n_folds, y=y)}"
        estimate, t = two(answer(spied(learn, X, y, log), X, y, n_folds), "(estimate, t)")
        wrong = np.array([learn(X[fold != j], y[fold != j])(X) != y for j in range(n_folds)])
        mean = np.mean([wrong[j, fold == j].mean() for j in range(n_folds)])
        if not np.isclose(number(estimate, "the estimate"), mean, rtol=1e-6, atol=1e-7):
            explain(log, fold, tried)
        mistakes = {
            "average over the folds, not over the examples": wrong[fold, range(m)].mean(),
            "that is the fraction of right answers": 1 - mean,
            "a predictor is judged on its own fold alone, not on what it was trained on": wrong.mean(),
        }
        equals(estimate, mean, "the estimate", mistakes, tried)
        mistakes = {
            "none of the predictors has seen all m examples": m,
            "that is the size of a fold, on which one only tests": m / n_folds,
        }
        equals(t, m * (1 - 1 / n_folds), "t", mistakes, f"m = {m}, {tried}")

    sizes = ((2, 2), (4, 4), (4, 2), (5, 2), (6, 6), (7, 3), (11, 4), (12, 5), (20, 5))
    for_all([(learn, m, n_folds) for m, n_folds in sizes for learn in (majority, nearest, fickle)], holds)
    labels = [np.array(y) for y in itertools.product((-1, 1), repeat=6)]
    mean = sum(0.7 ** (y > 0).sum() * 0.3 ** (y < 0).sum() * answer(majority, y[:, None], y, 3)[0] for y in labels)
    at = [0.3 + 0.4 * binom.cdf(size // 2 - 1, size, 0.7) for size in (4, 6)]
    return (
        "each example is tested once, unseen. Over all samples of 6 coins, P(+1) = 0.7, the 3-fold estimate of the "
        f"majority rule is {mean:.5f} on average; its risk after 4 examples is {at[0]:.5f}, after 6 {at[1]:.5f}."
    )
