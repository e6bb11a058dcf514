"""Homework: nearest neighbours and trees, from a vote with ties to the length that a sentence may have."""

import itertools
import math
from fractions import Fraction

import numpy as np

from mlcourse import DecisionTree
from mlcourse.models.trees.criteria import CRITERIA
from mlcourse_homework.engine import answers
from mlcourse_homework.engine.answers import Wrong, array, brief, close, for_all, number, require, show, two
from mlcourse_homework.engine.limits import OutOfTime, time_limit
from mlcourse_homework.engine.properties import equals
from mlcourse_homework.engine.question import Homework, is_stub

PATIENCE = 2.0  # seconds for a formula
GAINS = {"zero-one": "the training error", "gini": "Gini", "entropy": "the entropy", "sqrt": "the square root"}
homework = Homework(__file__, "Nearest neighbours and trees")
progress = homework.progress


def voted(X, y, z, k, toward=1):
    """The label that the k nearest points give to z, and their indices: ties by index, or against it."""
    near = sorted(range(len(X)), key=lambda i: (((X[i] - z) ** 2).sum(), toward * i))[:k]
    labels = y[near].tolist()
    return max(labels, key=lambda c: (labels.count(c), c)), near


@homework.question()
def q1(answer):
    """``answer(X, y, new, k)`` returns the labels that the k nearest points of X give to the rows of new."""
    rng = np.random.default_rng(1)

    def drawn(m, d, k):
        kinds = [(-1, 1), (0, 1, 2), (2, 5, 9), (-7, -2, 4)][int(rng.integers(4))]
        return rng.integers(0, 3, (m, d)).astype(float), rng.choice(kinds, m), rng.integers(0, 4, (5, d)) / 1.0, k

    def holds(X, y, new, k):
        got = array(answer(X, y, new, k), (len(new),), "the predictions")
        for z, label in zip(new, got, strict=True):
            right, near = voted(X, y, z, k)
            what = "the vote is not right."
            if label not in y:
                what = "a prediction should be one of the labels of the sample."
            elif (y[near] == label).sum() == (y[near] == right).sum():
                what = "the votes tie, and a tie goes to the largest of the labels with the most votes."
            elif label == voted(X, y, z, k, -1)[0]:
                what = "of equidistant points the one with the smaller index counts as nearer."
            elif k == len(X):
                what = "with k = m everybody votes, so the answer is the most frequent label, everywhere."
            voters = f"{right}: the neighbours have the indices {near} and the labels {y[near].tolist()}"
            require(label == right, what, f"{show(X=X, y=y, k=k)}, at the new point {brief(z)}", label, voters)

    def fits(X, y, new, k):
        return k <= len(X)

    for_all([drawn(m, 1, k) for m in (1, 2, 3, 4) for k in range(1, m + 1) for _ in range(6)], holds, fits)
    (X, new), y, turn = rng.normal(size=(2, 30, 2)), rng.choice((0, 1, 2), 30), np.array([[0.6, 0.8], [-0.8, 0.6]])
    same = [array(answer(A, y, B, 3), (30,), "the predictions") for A, B in ((X, new), (X @ turn + 2, new @ turn + 2))]
    turned = "your answers change if all points are turned and moved together: are these Euclidean distances?"
    require(np.array_equal(*same), turned, "30 points of the plane, k = 3")
    sizes = [(2, 2), (3, 2), (5, 2), (7, 2), (12, 1), (12, 2), (40, 2), (60, 3)]
    for_all([drawn(m, d, k) for m, d in sizes for k in sorted({1, 2, m // 2 + 1, m}) for _ in range(3)], holds, fits)
    return "every vote was right, with ties of distances and of votes, from k = 1 to k = m."


def floats(value, name):
    """The value as an array of finite numbers."""
    try:
        value = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise Wrong(f"{name} should be an array of numbers.") from None
    require(np.isfinite(value).all(), f"{name} should hold finite numbers.")
    return value


@homework.question()
def q2(answer):
    """``answer(theta)`` is (x, y): numbers, labels -1 or +1, whose one-neighbour rule changes at theta only."""
    rng = np.random.default_rng(2)

    def holds(theta):
        x, y = (np.atleast_1d(np.squeeze(floats(part, "x or y"))) for part in two(answer(theta), "(x, y)"))
        lengths = f"x and y should be two lists of one length, got shapes {x.shape} and {y.shape}."
        require(x.ndim == 1 and x.shape == y.shape and x.size, lengths)
        require(np.isin(y, (-1, 1)).all(), f"labels must be -1 or +1, got {brief(y)}.")
        values, first = np.unique(x, return_index=True)  # of several copies the first decides
        largest = np.abs(theta).max() or 1.0
        unit = 1.0 if largest > 0.01 else 10.0 ** np.floor(np.log10(largest))  # to show very small numbers
        with np.errstate(over="ignore"):
            places = ((values[1:] + values[:-1]) / 2)[y[first][1:] != y[first][:-1]] / unit
            sample, borders = show(x=x / unit, y=y), theta / unit
        in_units = f", places in units of {unit:g}" if unit < 1 else ""
        tried, count = f"{show(theta=borders)}; your sample {sample}{in_units}", len(theta)
        changes = f"the rule of your sample changes {len(places)} times, not {count}."
        require(len(places) == count, changes, tried, f"changes at {brief(places)}{in_units}")
        gap = np.diff(borders).min(initial=largest / unit)
        close(places, borders, "a place where the rule changes", tried, rtol=2e-7, atol=1e-6 * gap)
        require(y[first[0]] == -1, "left of the first border the rule should say -1.", tried)
        require(len(x) <= 2 * count, f"right, but {2 * count} points are enough, not {len(x)}.", tried)

    small = [[0.0], [3.0], [0, 1.0], [0, 3.0], [0, 1.0, 10.0], [0, 10.0, 11.0], [-5.0, 0, 0.01, 7.0]]
    drawn = [rng.exponential(size=n).cumsum() - 3 for n in (3, 5, 8, 20)]
    narrow = [np.array(theta) * unit for unit in (1e-5, 1e-15) for theta in (small + drawn)[2:]]

    def increasing(theta):  # and no single border so close to zero that rounding hides it
        return (np.diff(theta) > 0).all() and (len(theta) > 1 or not 0 < abs(theta[0]) < 0.01)

    for_all([(np.array(theta),) for theta in small + drawn + narrow], holds, increasing)
    return "the rule changes where it was told to and nowhere else, with two examples for each border."


@homework.question()
def q3(answer):
    """``answer(X, y)`` is (training, left_out): mean errors of one neighbour over all orders of the sample."""
    rng = np.random.default_rng(3)

    def means(X, y):
        same, other, wrong = (X[:, None] == X).all(axis=2), y[:, None] != y, np.zeros(2)
        if len(y) > 6:
            copies, disagree = same.sum(axis=1), (same & other).sum(axis=1)
            return (disagree / copies).mean(), (disagree / (copies - 1)).mean()
        for order in itertools.permutations(range(len(y))):
            for i in order:
                copies = [j for j in order if same[i, j]]
                wrong += other[i, copies[0]], other[i, copies[1 if copies[0] == i else 0]]
        return wrong / math.factorial(len(y)) / len(y)

    def soon(X, y):
        try:
            with time_limit(PATIENCE):
                return answer(X, y)
        except OutOfTime:
            orders = f"{len(y)} examples have {len(y)}! = {math.factorial(len(y)):.2g} orders"
            fault = f"this takes too long: {orders}. Find the means by a formula, without trying them."
            raise Wrong(fault, show(X=X, y=y)) from None

    def holds(X, y):
        tried, (training, left_out) = show(X=X, y=y), means(X, y)
        got = answers.two_numbers((answer if len(y) <= 6 else soon)(X, y), "(training, left_out)")
        one = "it is not always zero: of two equal points with different labels one is wrong, whatever the order"
        equals(got[0], training, "the mean training error", {one: 0}, tried)
        own = "that is the mean training error; an example that is left out cannot be its own neighbour"
        equals(got[1], left_out, "the mean leave-one-out error", {own: training}, tried)

    def drawn(copies, d, labels):
        places = np.array([*itertools.product(range(4), repeat=d)])[rng.permutation(4**d)[: len(copies)]]
        X = np.repeat(places, copies, axis=0)[rng.permutation(sum(copies))]
        return X.astype(float), rng.choice(labels, sum(copies))

    def twice(X, y):
        return ((X[:, None] == X).all(axis=2).sum(axis=1) > 1).all()

    sizes = [(2,), (2,), (3,), (4,), (2, 2), (3, 2), (2, 2), (5,), (2, 2, 2), (4, 2), (6,), (3, 3)]
    kinds = [(1, (-1, 1)), (2, (0, 1, 2))]
    for_all([drawn(copies, d, labels) for copies in sizes for d, labels in kinds], holds, twice)
    large = [drawn((4, 3, 3), 1, (-1, 1)), drawn((12, 9, 6, 3), 2, (0, 1, 2))]
    for_all(large, holds, valid=lambda X, y: False)
    return "equal to the means over all orders, for two classes and for three, with up to 30 examples."


@homework.question()
def q4(answer):
    """``answer(R, kappa)`` is (least, largest): the range of the limit risk for Bayes risk R and kappa classes."""
    rng = np.random.default_rng(4)

    def asked(R, kappa):
        return answers.two_numbers(answer(R, kappa), "(least, largest)")

    def attained(R, kappa):
        (low, high), tried = asked(R, kappa), show(R=R, kappa=kappa)
        share = R * kappa / (kappa - 1)  # of a fair die with kappa faces; elsewhere the label is certain
        least, largest = share * (1 - 1 / kappa), 1 - (1 - R) ** 2 - R**2 / (kappa - 1)
        die = f"at most {least:.6g}: labels by a fair die with probability {share:.4g}, else certain"
        one = f"at least {largest:.6g}: one class has probability {1 - R:.4g}, the others share the rest"
        require(low <= least + 1e-6, "this is not a lower bound.", tried, low, die)
        require(low >= least - 1e-6, "true, but not the best lower bound.", tried, low)
        require(high >= largest - 1e-6, "this is not an upper bound.", tried, high, one)
        require(high <= largest + 1e-6, "true, but not the best upper bound.", tried, high)

    shares = itertools.product((2, 3, 4, 10), (0.5, 0.0, 0.2, 0.8, 1.0))
    for_all([(share * (1 - 1 / kappa), kappa) for kappa, share in shares], attained)
    for n, kappa, a in itertools.product((1, 2, 4), (2, 3, 6), (0.2, 0.2, 1.0, 5.0)):
        p, eta = rng.dirichlet(np.ones(n)), rng.dirichlet(np.full(kappa, a), n)
        R, risk = float(p @ (1 - eta.max(axis=1))), float(p @ (1 - (eta**2).sum(axis=1)))
        (low, high), tried = asked(R, kappa), show(R=R, kappa=kappa, p=p, eta=eta)
        inside, yours = low - 1e-6 <= risk <= high + 1e-6, f"{low:.6g} to {high:.6g}"
        require(inside, "a law is outside of your range.", tried, yours, f"it has to contain {risk:.6g}")
    return "no law was outside of your range, and both ends are attained, up to 1e-6."


@homework.question()
def q5(answer):
    """``answer(left, right)`` returns the four gains of a split; left and right count (negatives, positives)."""
    rng = np.random.default_rng(5)

    def holds(left, right):
        tried, s = show(left=left, right=right), np.array([left + right, left, right], dtype=float).T
        share = s[:, 1].sum() / s[:, 0].sum()
        got = array(answer(left, right), (4,), "the gains")
        absent = "a gain is not a number: where a class is absent, 0 log 0 counts as 0."
        require(np.isfinite(got).all(), absent, tried, got)
        negative = "a concave psi has no negative gain: is each child weighted by its share of the examples?"
        require((got >= -1e-6).all(), negative, tried, got)
        for (name, words), gain in zip(GAINS.items(), got, strict=True):
            psi = CRITERIA[name](s) / s.sum(axis=0)
            want, equal = max(0.0, psi @ (1, -share, share - 1)), psi @ (1, -0.5, -0.5)
            mistakes = {"the children do not count equally: each is weighted by its share of the examples": equal}
            if name == "entropy":
                half = "At a = 1/2 it is 0.347, less than the training error 1/2; log2 is asked for"
                mistakes[f"this is the entropy with natural logarithms. {half}"] = want * math.log(2)
            equals(gain, want, f"the gain for {words}", mistakes, tried)

    small = [([1, 0], [0, 1]), ([1, 1], [1, 1]), ([0, 1], [1, 1]), ([1, 2], [3, 1])]
    small += [([20, 30], [0, 50]), ([300, 100], [100, 300]), ([200, 400], [200, 0])]
    drawn = [rng.integers(0, 30, (2, 2)) + np.eye(2, dtype=int)[rng.integers(2)] for _ in range(30)]
    for_all([tuple(map(np.array, both)) for both in small + drawn], holds, lambda left, right: len(left) == 2)
    return "right for all four; on (20, 30) and (0, 50) the training error sees nothing and the others do."


def psi_of(name):
    """The criterion of this name as a function of the fraction a of positives."""

    def psi(a):
        a = np.asarray(a, dtype=float)
        return CRITERIA[name](np.stack([1 - a.ravel(), a.ravel()])).reshape(a.shape)

    psi.__name__ = GAINS[name]
    return psi


@homework.question()
def q6(answer):
    """``answer(x, y, psi)`` is (theta, gain): a test x <= theta of largest gain, and this gain."""
    rng = np.random.default_rng(6)

    def gain_of(theta, x, y, psi):
        low, up = x <= theta, y > 0
        after = low.mean() * psi(up[low].mean()) + (1 - low.mean()) * psi(up[~low].mean())
        return max(0.0, float(psi(up.mean()) - after))

    def holds(x, y, psi, best=None):
        theta, gain = two(answer(x, y, psi), "(theta, gain)")
        theta, gain, tried = number(theta, "theta"), number(gain, "the gain"), show(x=x, y=y, psi=psi)
        cut, both = f"theta = {theta:.6g}", "there should be values x <= theta and values above."
        empty = f"one child is empty: {both} Between equal values there is no cut."
        require(x.min() <= theta < x.max(), empty, tried, cut)
        real, best = gain_of(theta, x, y, psi), best or max((gain_of(t, x, y, psi), t) for t in np.unique(x)[:-1])
        copies = " Are equal values on the same side?" * (len(np.unique(x)) < len(x))
        other, should = f"{cut}, gain = {gain:.6g}", f"the test x <= {theta:.6g} has the gain {real:.6g}"
        honest = np.isclose(gain, real, rtol=1e-6, atol=1e-6)
        require(honest, f"the gain that you report is not that of your theta.{copies}", tried, other, should)
        got, should = f"{cut} with the gain {real:.6g}", f"x <= {best[1]:.6g} has the gain {best[0]:.6g}"
        require(real >= best[0] - 1e-6, "another question is better.", tried, got, should)

    sizes = [(2, 2), (2, 9), (3, 9), (4, 3), (5, 4), (8, 5), (12, 30), (30, 8), (60, 200)]
    kinds = [(m, n, psi_of(name)) for m, n in sizes for name in GAINS for _ in range(4)]
    drawn = [(rng.integers(-n, n, m) / 2.0, rng.choice((-1, 1), m), psi) for m, n, psi in kinds]
    for_all((case for case in drawn if np.ptp(case[0])), holds, valid=lambda x, y, psi: np.ptp(x) > 0)
    for name in GAINS:
        x = (rng.permutation(5000) - 2000) / 1024
        y = np.where(rng.random(5000) < 0.5 + 0.3 * (x > 0.4), 1, -1)
        tree = DecisionTree(name, max_depth=1).fit(x[:, None], y)
        holds(x, y, psi_of(name), (tree.tree_.decrease[0], tree.nested().test.theta))
    return "no threshold does better, for any of the four criteria, with equal values and with 5000 examples."


def halves(n, j):
    """The examples with feature j equal to 0, and equal to 1; n[a, b, c] = (negatives, positives) at (a, b, c)."""
    return np.take(n, [0], axis=j), np.take(n, [1], axis=j)


def tests(n):
    """The features that have both values among the examples n, and the Gini criterion that is left after each test."""
    parts = {j: [half.reshape(-1, 2).sum(axis=0).tolist() for half in halves(n, j)] for j in range(3) if n.shape[j] > 1}
    return {j: sum(Fraction(2 * a * b, a + b) for a, b in both) for j, both in parts.items() if all(map(sum, both))}


def least_errors(n, depth, choose):
    """The least number of errors of a tree of this depth whose tests are among those that ``choose`` allows."""
    here = int(n.reshape(-1, 2).sum(axis=0).min())
    chosen = choose(tests(n)) if depth and here else []
    return min((sum(least_errors(half, depth - 1, choose) for half in halves(n, j)) for j in chosen), default=here)


@homework.question()
def q7(answer):
    """``answer(epsilon)`` is (X, y): three bits each, depth 2 is perfect, greedy errs on 1/2 - epsilon or more."""
    for epsilon in (0.3, 0.25, 0.1, 0.03, 0.01, 1e-3, 1e-4):
        X, y = (floats(part, "X or y") for part in two(answer(epsilon), "(X, y)"))
        tried, fits = show(epsilon=epsilon), X.ndim == 2 and X.shape[1] == 3 and y.shape == (len(X),) and len(X)
        rows = f"X should have three columns and one row for each label of y, got shapes {X.shape} and {y.shape}."
        require(fits, rows, tried)
        m, most = len(y), f"at most {100 / epsilon:.0f}"
        fewer = "at most 100/epsilon examples are allowed; fewer will do."
        require(m * epsilon <= 100, fewer, tried, f"{m} examples", most)
        require(np.isin(X, (0, 1)).all(), "every feature should be 0 or 1.", tried)
        require(np.isin(y, (-1, 1)).all(), "labels must be -1 or +1.", tried)
        n = np.zeros((2, 2, 2, 2), dtype=int)
        np.add.at(n, (*X.T.astype(int), (y > 0).astype(int)), 1)
        best = least_errors(n, 2, list)
        errors = f"the best one makes {best} errors on {m} examples"
        require(best == 0, "no tree of depth two is without error here.", tried, errors)
        greedy = least_errors(n, 2, lambda left: [j for j in left if left[j] == min(left.values())])
        before = Fraction(2 * int((y > 0).sum()) * int((y < 0).sum()), m)
        gains = ", ".join(f"{float(before - left) / m:.4g} of x_{j + 1}" for j, left in tests(n).items())
        got = f"{greedy} errors on {m} examples; gains at the root: {gains or 'none'}"
        wrong = f"at least {0.5 - epsilon:.6g} of the examples wrong, whichever of equally good tests is taken"
        require(greedy / m >= 0.5 - epsilon - 1e-9, "greedy growth does too well.", tried, got, wrong)
    return f"a perfect tree of depth two exists, and greedy growth is wrong on {greedy} of {m} examples."


def shapes(M):
    """All trees with M inner nodes: () is a leaf, (low, high) an inner node."""
    return [(low, high) for i in range(M) for low in shapes(i) for high in shapes(M - 1 - i)] if M else [()]


def random_shape(M, rng):
    """A random tree with M inner nodes."""
    i = int(rng.integers(M)) if M else 0
    return (random_shape(i, rng), random_shape(M - 1 - i, rng)) if M else ()


def as_tuples(tree):
    """A tree with tuples in place of lists."""
    return tuple(map(as_tuples, tree)) if isinstance(tree, (tuple, list)) else tree


def short(tree):
    """A tree in at most sixty letters."""
    text = str(tree).replace(" ", "")
    return text if len(text) <= 60 else f"{text[:57]}..."


@homework.question(kind="value")
def q8(answer):
    """``answer`` is (encode, decode): a prefix code for shapes, at most one bit a node; decode reads several words."""
    encode, decode = answers.pair(answer, "(encode, decode)")
    if is_stub(encode) or is_stub(decode):
        raise answers.NotAttempted
    require(callable(encode) and callable(decode), "two functions, encode(tree) and decode(word), are expected.")
    rng, words = np.random.default_rng(8), {}
    trees = [tree for M in range(6) for tree in shapes(M)] + [random_shape(M, rng) for M in (8, 12, 20, 40, 60)]
    for tree in trees:
        word, nodes, tried = encode(tree), str(tree).count("("), f"encode({short(tree)})"
        bits = isinstance(word, str) and not set(word) - {"0", "1"}
        require(bits, f"a word is a string of 0 and 1, got {word!r}.", tried)
        got = f"{word}, {len(word)} bits"
        long = "this word is too long: at most one bit a node is allowed."
        require(len(word) <= nodes, long, tried, got, f"at most {nodes} bits")
        both = f"{short(words.get(word))} and {short(tree)}"
        require(word not in words, f"two trees have the same word {word!r}.", both)
        words[word] = tree
    for word, longer in itertools.pairwise(sorted(words)):  # in this order only neighbours can begin each other
        stop = "a reader who has read the first cannot know whether to stop."
        both = f"{short(words[word])} and {short(words[longer])}"
        require(not longer.startswith(word), f"the word {word!r} begins the word {longer!r}: {stop}", both)
    glued = [[trees[int(i)] for i in rng.integers(len(trees), size=3)] for _ in range(20)]
    for some in [[tree] for tree in trees] + glued:
        word = "".join(map(encode, some))
        back, tried = decode(word), f"the word of {', then that of '.join(map(short, some))}: {word}"
        require(isinstance(back, (tuple, list)), f"decode should return a list of trees, got {back!r}.", tried)
        same = [as_tuples(tree) for tree in back] == some
        require(same, "what was written does not come back.", tried, short(back), short(some))
    weight = sum(0.5 ** len(word) for word in words)
    return f"all trees came back, also glued together. The Kraft sum of these {len(words)} words is {weight:.3f}."


def occam_bounds(errors, m, d, delta, factor=1):
    """The bounds for the sizes 0, 1, ... of trees if size M has C_(factor M) shapes."""
    M = np.arange(len(errors))
    shapes = [math.log(math.comb(2 * i, i) // (i + 1)) for i in (factor * M).tolist()]
    price = shapes + M * np.log(d) + (M + 1) * np.log(2) + np.log((M + 1) * (M + 2))
    return errors / m + np.sqrt((price + np.log(2 / delta)) / (2 * m))


@homework.question()
def q9(answer):
    """``answer(errors, m, d, delta)`` is (M, bound): the size with the best guarantee, and the guarantee."""
    rng = np.random.default_rng(9)

    def holds(errors, m, d, delta):
        M, bound = two(answer(errors, m, d, delta), "(M, bound)")
        M, bound, tried = number(M, "M"), number(bound, "the bound"), show(errors=errors, m=m, d=d, delta=delta)
        require(M in range(len(errors)), f"M should be one of 0, ..., {len(errors) - 1}.", tried, M)
        M, bounds = int(M), occam_bounds(errors, m, d, delta)
        all_nodes = M and np.isclose(bound, occam_bounds(errors, m, d, delta, 2)[M], rtol=1e-6)
        many = "true, but you count C_(N-1) shapes with N nodes. Each inner node has two children: there are fewer."
        require(not all_nodes, many, f"{tried}; M = {M}, so N = {2 * M + 1}", bound, bounds[M])
        price = 2 * m * (bounds[M] - errors[M] / m) ** 2 - math.log(2 / delta)
        close(bound, bounds[M], f"the bound for M = {M}", tried, f"{bounds[M]:.6g}, with ln(1/w) = {price:.6g}")
        better = "another size has a better guarantee." + " Do the large counts overflow?" * (len(errors) > 100)
        got, should = f"M = {M} with the bound {bounds[M]:.6g}", f"M = {bounds.argmin()} has {bounds.min():.6g}"
        require(bounds[M] <= bounds.min() + 1e-6, better, tried, got, should)

    small = [([3], 10, 1, 0.05), ([1], 4, 8, 0.5), ([100, 0], 200, 1, 0.05), ([90, 0], 200, 5, 0.1)]
    small += [([400, 200, 0], 1000, 3, 0.05), ([2, 1, 1], 20, 2, 0.05)]
    sizes = itertools.product(((50, 4), (1000, 8), (10**5, 20), (10**6, 300)), ((1, 0.5), (8, 0.05), (100, 0.01)))
    drawn = [(np.sort(rng.integers(0, m // 2 + 1, size))[::-1], m, d, delta) for (m, size), (d, delta) in sizes]
    for_all([(np.array(errors), m, d, delta) for errors, m, d, delta in small + drawn], holds)
    return "the size and its guarantee are right, from a single leaf to three hundred sizes."
