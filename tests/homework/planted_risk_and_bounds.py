"""Answers to the homework on risk and bounds, right and wrong."""

import itertools
import math
from collections import Counter

import numpy as np
from planting import in_float32, in_lists, told, with_faults
from scipy.stats import binom, norm

RNG = np.random.default_rng(0)


def excess(threshold=lambda fp, fn: fp / (fp + fn), strict=False, factor=lambda fp, fn: fp + fn, size=None):
    def answer(q, eta, eta_hat, c_fp, c_fn):
        t = threshold(c_fp, c_fn)
        differ = ((eta_hat > t) if strict else (eta_hat >= t)) != (eta >= t)
        return factor(c_fp, c_fn) * np.sum(q * (np.abs(eta - t) if size is None else size(eta)) * differ)

    return answer


def difference(threshold, best=True):
    """The difference of two risks, for any threshold of the two rules."""

    def answer(q, eta, eta_hat, c_fp, c_fn):
        t = threshold(c_fp, c_fn)
        risks = [q @ np.where(says >= t, c_fp * (1 - eta), c_fn * eta) for says in (eta_hat, eta)]
        return risks[0] - best * risks[1]

    return answer


@with_faults
def bells(mu, c_fp, c_fn, *, theta=lambda mu, fp, fn: math.log(fp / fn) / (2 * mu), half=0.5, costs=True, at=None):
    b = theta(mu, c_fp, c_fn)
    place, (a, c) = b if at is None else at, (c_fp, c_fn) if costs else (1, 1)
    return b, half * (a * norm.sf(place + mu) + c * norm.cdf(place - mu))


def brute_threshold(x, y, signs=(-1, 1), cuts=lambda x: [-np.inf, *x], above=np.greater, best=min):
    rules = [(theta, s) for theta in cuts(x) for s in signs]
    return best(rules, key=lambda rule: np.sum(np.where(above(x, rule[0]), rule[1], -rule[1]) != y))


def thresholds(**options):
    return lambda x, y: brute_threshold(x, y, **options)


def between_equals(x, y, sort_labels=True):
    """Sorting, but the cuts between equal points are not forbidden, and the labels may stay where they are."""
    order = np.argsort(x, kind="stable")
    below = np.cumsum(y[order] if sort_labels else y)
    agreement = below[-1] - 2 * np.append(0, below)
    i = np.abs(agreement).argmax()
    theta = -np.inf if i == 0 else x[order][i - 1] - (1e-9 if i < len(x) and x[order][i] == x[order][i - 1] else 0)
    return theta, 1 if agreement[i] >= 0 else -1


def sign_of_zero(x, y):
    """Sorting, with the sign of an agreement that may be zero."""
    theta, s = brute_threshold(x, y)
    return theta, s * np.sign(abs(np.sum(np.where(x > theta, 1, -1) * y)))


def size(tails=2, rate=2.0, rounding=math.ceil, more=0):
    return lambda epsilon, delta: rounding(math.log(tails / delta) / (rate * epsilon**2)) + more


def exact(n, epsilon, delta, p, near=lambda gap, epsilon: gap <= epsilon):
    return math.fsum(binom.pmf(k, n, p) for k in range(n + 1) if near(abs(k / n - p), epsilon))


def test_set_with(n=None, coverage=exact):
    return lambda epsilon, delta, p: (
        (n or size())(epsilon, delta),
        coverage(size()(epsilon, delta), epsilon, delta, p),
    )


def by_distribution(n, epsilon, delta, p):
    low, high = math.ceil(n * (p - epsilon)), math.floor(n * (p + epsilon))
    return np.float32(binom.cdf(high, n, p) - binom.cdf(low - 1, n, p))


def by_slice(n, epsilon, delta, p, first=math.ceil, above=1):
    chance = binom.pmf(np.arange(n + 1), n, p)
    return chance[first(n * (p - epsilon)) : math.floor(n * (p + epsilon)) + above].sum()


def training(
    m=lambda N, e, d: math.log(2 * N / d) / (2 * e**2),
    m0=lambda N, e, d: math.log(d / N) / math.log(1 - e),
    rounding=math.ceil,
):
    return lambda N, epsilon, delta: (rounding(m(N, epsilon, delta)), rounding(m0(N, epsilon, delta)))


def signs(m):
    return np.array(list(itertools.product((1, -1), repeat=m)))


def coins(reduce):
    """A function of the matrix of agreements, one row for each sign vector, and m."""
    return lambda values: reduce(signs(np.shape(values)[1]) @ np.transpose(values), np.shape(values)[1])


def walk(x, group=True, scale=2.0, start=None, keep=True):
    """The law of the pair (sum, minimum), point after point."""
    counts = np.unique(x, return_counts=True)[1] if group else np.ones(len(x), int)
    law = {(0, 0 if start is None else start): 1.0}
    for g in counts.tolist():
        following = Counter()
        for (s, low), chance in law.items():
            for heads in range(g + 1):
                after = s + 2 * heads - g
                following[after, min(low, after) if keep else after] += chance * math.comb(g, heads) / 2**g
        law = following
    return -scale * math.fsum(low * chance for (_, low), chance in law.items()) / len(x)


def heights(x):
    """The law of the height alone, with a matrix for each group."""
    law, fall = np.array([1.0]), 0.0
    for g in Counter(np.asarray(x).tolist()).values() if len(set(x)) == 1 else np.unique(x, return_counts=True)[1]:
        d = np.arange(len(law))[:, None] + np.arange(-g, g + 1, 2)
        chance = law[:, None] * binom.pmf(np.arange(g + 1), g, 0.5)
        fall -= (chance * np.minimum(d, 0)).sum()
        law = np.bincount(np.maximum(d, 0).ravel(), chance.ravel(), minlength=len(law) + g)
    return np.float32(2 * fall / len(x))


def enumerated(x, both=False, absolute=False, total=False):
    rules = np.where(np.asarray(x) > np.append(x, -np.inf)[:, None], 1, -1)
    agreements = signs(len(x)) @ (np.vstack([rules, -rules]) if both else rules).T
    return (np.abs(agreements) if absolute else agreements).max(axis=1).mean() / (1 if total else len(x))


def all_thresholds(reduce=lambda agreements, m: agreements.max(axis=1).mean() / m):
    return lambda x: reduce(
        RNG.choice((-1, 1), (500, len(x))) @ np.where(np.asarray(x) > np.append(x, -np.inf)[:, None], 1, -1).T, len(x)
    )


def dimension(values, sets=itertools.combinations, enough=lambda k: 2**k):
    m = values.shape[1]
    shown = ((k, len(np.unique(values[:, list(c)], axis=0))) for k in range(1, m + 1) for c in sets(range(m), k))
    return max([0, *(k for k, n in shown if n >= enough(k))])


@with_faults
def shattering(values, *, V=dimension, most=lambda m, V, values: sum(math.comb(m, i) for i in range(V + 1))):
    right = dimension(values)
    return V(values), most(values.shape[1], right, values)


def sauer_by_recursion(m, V, values=None):
    return 1 if V == 0 or m == 0 else sauer_by_recursion(m - 1, V) + sauer_by_recursion(m - 1, V - 1)


def greedy(values):
    """The largest set found by adding columns as long as it stays shattered, from every start."""
    m, best = values.shape[1], 0
    for start in range(m):
        chosen = []
        for j in (np.arange(m) + start) % m:
            if len(np.unique(values[:, [*chosen, j]], axis=0)) == 2 ** (len(chosen) + 1):
                chosen.append(j)
        best = max(best, len(chosen))
    return best


def neighbours_only(items, k):
    return [items[i : i + k] for i in range(len(items) - k + 1)]


def folds(
    test=lambda i, K, m: i % K,
    train=lambda fold, j: fold != j,
    labels=lambda y, used: y[used],
    mean=np.mean,
    t=lambda m, K: m * (1 - 1 / K),
    fresh=True,
):
    def answer(learn, X, y, n_folds):
        m, errors, h = len(y), [], None
        fold = np.array([test(i, n_folds, m) for i in range(m)])
        for j in range(n_folds):
            used = train(fold, j)
            h = learn(X[used], labels(y, used)) if fresh or h is None else h
            errors.append(np.mean(h(X[fold == j]) != y[fold == j]))
        return mean(errors), t(m, n_folds)

    return answer


def one_by_one(learn, X, y, n_folds):
    wrong = [[] for _ in range(n_folds)]
    for i in range(len(y)):
        train = [k for k in range(len(y)) if k % n_folds != i % n_folds]
        wrong[i % n_folds].append(learn(X[train], y[train])(X[[i]])[0] != y[i])
    sizes = [len(y) - len(part) for part in wrong]
    return [sum(map(np.mean, wrong)) / n_folds, np.float32(np.mean(sizes))]


def all_asked(learn, X, y, n_folds, judge=lambda wrong, test: wrong[test].mean(), more=0):
    """Each predictor is asked about the whole sample, and judged afterwards."""
    fold, errors = np.arange(len(y)) % n_folds, []
    for j in range(n_folds):
        test = fold == j
        h = learn(X[~test], y[~test])
        training_error = [np.mean(h(X[~test]) != y[~test]) for _ in range(more)]
        assert len(training_error) == more
        errors.append(judge(h(X) != y, test))
    return np.mean(errors), len(y) * (1 - 1 / n_folds)


def by_examples(learn, X, y, n_folds, ask=lambda h, X, i: h(X[[i]])[0]):
    fold = np.arange(len(y)) % n_folds
    h = [learn(X[fold != j], y[fold != j]) for j in range(n_folds)]
    return np.mean([ask(h[fold[i]], X, i) != y[i] for i in range(len(y))]), len(y) * (1 - 1 / n_folds)


FRACTION = lambda fp, fn: fp / (fp + fn)  # noqa: E731
RIGHT = {
    "q1": [excess(), difference(FRACTION), lambda *a: np.float32(excess()(*a))],
    "q2": [bells, in_lists(bells), lambda mu, a, b: tuple(np.float32(v) for v in bells(mu, a, b))],
    "q3": [
        thresholds(),
        thresholds(cuts=lambda x: [-np.inf, *np.convolve(np.unique(x), [0.5, 0.5], "valid"), np.inf]),
        lambda x, y: list(brute_threshold(x, y)),
        thresholds(cuts=lambda x: [*x, np.inf]),
    ],
    "q4": [
        test_set_with(),
        test_set_with(coverage=by_distribution),
        lambda *a: [float(v) for v in test_set_with()(*a)],
    ],
    "q5": [training(), in_float32(training()), lambda N, e, d: np.array(training()(N, e, d), dtype=float).tolist()],
    "q6": [
        coins(lambda a, m: a.max(axis=1).mean() / m),
        coins(lambda a, m: np.float32(-np.min(a, axis=1).sum() / 2**m / m)),
    ],
    "q7": [heights, lambda x: walk(x) if len(x) <= 60 or len(set(x)) == 1 else heights(x)],
    "q8": [shattering, shattering(most=sauer_by_recursion), lambda v: [float(r) for r in shattering(v)]],
    "q9": [folds(), one_by_one, folds(t=lambda m, K: (K - 1) * m / K), all_asked, lambda *a: all_asked(*a, more=2)],
}
WRONG = {
    "q1": [
        (difference(lambda fp, fn: 0.5), "threshold 1/2"),
        (difference(lambda fp, fn: fn / (fp + fn)), "threshold 1 - t"),
        (difference(FRACTION, best=False), "subtract the risk of the best rule"),
        (excess(strict=True), "exactly t"),
        (excess(factor=lambda fp, fn: 1), "c_fp + c_fn is missing"),
        (excess(factor=lambda fp, fn: 1, size=lambda eta: np.abs(2 * eta - 1)), "costs of one"),
        (excess(factor=lambda fp, fn: -fp - fn), "sign is turned"),
        (excess(factor=lambda fp, fn: 2 * (fp + fn)), "that is twice as much"),
        (lambda q, eta, eta_hat, a, b: (a + b) * np.sum(q * np.abs(eta_hat - eta)), "the bound to be shown"),
        (lambda q, *rest: excess()(np.full(len(q), 1 / len(q)), *rest), "the excess risk is not right"),
        (lambda q, eta, eta_hat, a, b: excess()(q, eta_hat, eta, a, b), "the excess risk is not right"),
        (lambda q, *rest: q * excess()(q, *rest), "should be a number"),
    ],
    "q2": [
        (bells(theta=lambda mu, a, b: math.log(b / a) / (2 * mu)), "up, not down"),
        (bells(theta=lambda mu, a, b: math.log(a / b) / mu), "the odds e^(2 mu theta)"),
        (bells(theta=lambda mu, a, b: a / (a + b)), "the threshold for eta(x)"),
        (bells(theta=lambda mu, a, b: 0.0), "theta is not right"),
        (bells(theta=lambda mu, a, b: mu * math.log(a / b) / 2), "theta is not right"),
        (bells(at=0.0), "the threshold 0"),
        (bells(half=1.0), "one half"),
        (bells(costs=False), "the Bayes risk is not right"),
        (lambda *given: (t := bells(*given)[0], bells(*given, at=-t)[1]), "the two errors are exchanged"),
        (lambda mu, a, b: (bells(mu, a, b)[0], norm.cdf(-mu)), "the errors have costs"),
        (lambda mu, a, b: (bells(mu, a, b)[0], norm.cdf(-2 * mu)), "the Bayes risk is not right"),
        (lambda mu, a, b: bells(mu, a, b)[1], "a pair"),
        (lambda mu, a, b: (math.nan, 0.3), "finite number"),
    ],
    "q3": [
        (thresholds(signs=(1,)), "with s = -1 is better"),
        (thresholds(above=np.greater_equal), "x > theta"),
        *told("fewer errors", thresholds(best=max), thresholds(cuts=lambda x: [np.mean(x)])),
        (lambda x, y: brute_threshold(x, y, cuts=lambda x: np.sort(x)[:-1] if len(x) > 1 else x), "constant rule"),
        *told("fewer errors", between_equals, lambda x, y: between_equals(x, y, sort_labels=False)),
        (lambda x, y: brute_threshold(x, y)[0], "a pair"),
        (lambda x, y: (brute_threshold(x, y)[0], 0), "-1 or +1"),
        (lambda x, y: (math.nan, 1), "theta should be a number"),
        (sign_of_zero, "also where both signs are equally good"),
        (lambda x, y: (x[y > 0].mean() / 2 + x[y < 0].mean() / 2 if len({*y}) > 1 else 0.0, 1), "fewer errors"),
    ],
    "q4": [
        (test_set_with(size(tails=1)), "one tail"),
        *told("n is too small", test_set_with(size(rounding=math.floor)), test_set_with(size(rounding=round))),
        *told("not the smallest", test_set_with(size(more=1)), test_set_with(size(rate=1.0))),
        (test_set_with(size(rate=4.0)), "n is too small"),
        (test_set_with(size(rounding=float)), "a whole number"),
        (test_set_with(lambda e, d: math.ceil(1 / (4 * d * e**2))), "not the smallest"),  # Chebyshev
        (test_set_with(None, lambda n, e, d, p: 1 - d), "promised"),
        (test_set_with(None, lambda n, e, d, p: 1 - 2 * math.exp(-2 * n * e**2)), "Hoeffding's bound"),
        (test_set_with(None, lambda n, e, d, p: 1 - by_distribution(n, e, d, p)), "a miss"),
        (test_set_with(None, lambda n, e, d, p: binom.cdf(math.floor(n * (p + e)), n, p)), "the coverage is not right"),
        (test_set_with(None, lambda n, e, d, p: 1 - 2 * norm.sf(e * (n / p / (1 - p)) ** 0.5)), "is not right"),
        (test_set_with(None, lambda n, e, d, p: np.mean(abs(RNG.binomial(n, p, 10**5) / n - p) <= e)), "is not right"),
        (test_set_with(None, lambda *a: exact(*a, near=lambda gap, epsilon: gap < epsilon)), "off by exactly epsilon"),
        (test_set_with(None, by_slice), "k starts at 0"),
        (test_set_with(None, lambda *a: by_slice(*a, lambda k: max(math.ceil(k), 0), 0)), "term of k = 10 is missing"),
    ],
    "q5": [
        (training(lambda N, e, d: math.log(2 / d) / (2 * e**2)), "for one rule"),
        (training(lambda N, e, d: math.log(N / d) / (2 * e**2)), "both tails"),
        (training(lambda N, e, d: 2 * math.log(2 * N / d) / e**2), "epsilon / 2"),
        (training(lambda N, e, d: N * math.log(2 / d) / (2 * e**2)), "not the smallest"),
        (training(m0=lambda N, e, d: math.log(N / d) / e), "gave something away"),
        (training(m0=lambda N, e, d: math.log(d) / math.log(1 - e)), "bad rules might survive"),
        (training(m0=lambda N, e, d: math.log(d / max(N - 1, 1)) / math.log(1 - e)), "as if each could be"),
        (training(m0=lambda N, e, d: math.log(d / 2 / N) / math.log(1 - e)), "no second tail"),
        (training(m0=lambda N, e, d: math.log(N / d) / (2 * e**2)), "m0 is enough, but"),
        *told("m is too small", training(rounding=math.floor), lambda N, e, d: training()(N, e, d)[::-1]),
        (training(rounding=float), "a whole number"),
        (lambda N, e, d: training()(N, e, d)[0], "a pair"),
    ],
    "q6": [
        (coins(lambda a, m: np.abs(a).max(axis=1).mean() / m), "no absolute value"),
        (coins(lambda a, m: 2 * np.abs(a).max(axis=1).mean() / m), "2/m"),
        (coins(lambda a, m: 2 * a.max(axis=1).mean() / m), "is not right: the factor is 1/m, not 2/m.\n"),
        (lambda v: coins(lambda a, m: a.max(axis=1).mean() / m)(v) + (v.size > 24), "values = [["),
        (coins(lambda a, m: a.max(axis=1).mean()), "divided by m"),
        (coins(lambda a, m: a.mean(axis=0).max() / m), "maximum comes first"),
        (coins(lambda a, m: a.max() / m), "the largest agreement"),
        (coins(lambda a, m: a.max(axis=0).mean() / m), "the complexity is not right"),
        (coins(lambda a, m: a.max(axis=1).sum() / m), "the complexity is not right"),
        (coins(lambda a, m: a.max(axis=1).mean() / a.shape[1]), "the complexity is not right"),
        (
            lambda v: (RNG.choice((-1, 1), (300, len(v.T))) @ v.T).max(axis=1).mean() / len(v.T),
            "complexity is not right",
        ),
        (coins(lambda a, m: a.max(axis=1) / m), "should be a number"),
        (lambda v: math.sqrt(2 * math.log(len(v)) / v.shape[1]), "the complexity is not right"),  # Massart
    ],
    "q7": [
        (lambda x: walk(x, group=False), "equal points"),
        (lambda x: walk(x, scale=1.0), "half what it should be"),
        (lambda x: walk(x, scale=2.0 * len(x)), "what it should be"),
        *told("the complexity is not right", lambda x: walk(x, keep=False), lambda x: 2 / math.sqrt(len(x))),
        (lambda x: walk(x, scale=-2.0), "sign is turned"),
        (lambda x: enumerated(x, both=True), "both signs"),
        (lambda x: enumerated(x, absolute=True), "absolute value"),
        (lambda x: enumerated(x) if len(x) <= 12 else sum(1 for _ in itertools.product((0, 1), repeat=24)), "too long"),
        (all_thresholds(), "the complexity is not right"),
        (lambda x: walk(x) if len(x) < 30 else math.sqrt(8 / math.pi / len(x)), "the complexity is not right"),
    ],
    "q8": [
        (shattering(V=lambda v: math.floor(math.log2(len(np.unique(v, axis=0))))), "V is too large"),
        *told("V is too large", shattering(V=lambda v: v.shape[1]), shattering(V=lambda v: dimension(v) + 1)),
        (shattering(V=lambda v: dimension(v, neighbours_only)), "V is too small"),
        (shattering(V=lambda v: dimension(v, enough=lambda k: k + 1)), "V is too large"),
        (shattering(V=lambda v: max(dimension(v) - 1, 0)), "V is too small"),
        (shattering(V=lambda v: dimension(v.T)), "V is too"),
        (shattering(V=greedy), "have all 8 labellings"),
        (shattering(V=lambda v: dimension(v) - (v.size > 24)), "values = [["),
        (shattering(most=lambda m, V, v: 2**V), "labellings of V points"),
        (shattering(most=lambda m, V, v: 2**m), "all labellings"),
        (shattering(most=lambda m, V, v: math.comb(m, V)), "one binomial coefficient"),
        (shattering(most=lambda m, V, v: len({*map(tuple, v)})), "number of rows"),
        (shattering(most=lambda m, V, v: sum(math.comb(m, i) for i in range(V))), "Sauer's bound is not right"),
        (shattering(most=lambda m, V, v: m**V), "Sauer's bound is not right"),
        (shattering(most=lambda m, V, v: (math.e * m / max(V, 1)) ** V), "easy to write but larger"),
        (lambda v: dimension(v), "a pair"),
    ],
    "q9": [
        (folds(train=lambda fold, j: fold >= 0), "is tested on [0] but trained on [0, 1]"),
        (folds(test=lambda i, K, m: i * K // m), "are tested together"),
        *told("but trained on", folds(train=lambda fold, j: fold == j), folds(fresh=False)),
        (folds(train=lambda fold, j: fold == (j + 1) % (max(fold) + 1)), "all the examples of the other folds"),
        (folds(t=lambda m, K: m), "none of the predictors has seen"),
        (folds(t=lambda m, K: m / K), "the size of a fold"),
        (folds(t=lambda m, K: m - K), "t is not right"),
        *told("the estimate is not right", folds(mean=np.sum), folds(mean=np.min)),
        (folds(mean=lambda errors: 1 - np.mean(errors)), "right answers"),
        (by_examples, "over the folds"),
        (lambda *a: by_examples(*a, ask=lambda h, X, i: h(X[i])), "X[[i]]"),
        (folds(labels=lambda y, used: y), "not the labels of these"),
        (lambda learn, X, y, K: (0.5, len(y) * (1 - 1 / K)), "should be tested; number 0"),
        (lambda *a: all_asked(*a, judge=lambda wrong, test: wrong.mean()), "own fold alone"),
        (lambda learn, X, y, K: folds()(learn, X, y, K)[0], "a pair"),
    ],
}
