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
homework = Homework(
    "neighbors_and_trees",
    "Nearest neighbours and trees",
    r"""Two ways to predict without a formula. One remembers everything and asks the closest examples; the other asks a
    few questions and forgets the rest. Both look harmless, and both have corners: equal distances, equal points,
    equally good questions, a first question that leads astray. In this homework you work through the corners one by
    one. You find out what one neighbour costs with any number of classes, what a question is worth, and how many
    questions a sample can pay for. On the way you will meet the same quantity, the chance that two draws disagree, in
    three different places.

    It follows lectures 3 to 5 and 9 to 11 of the Milan notes, with a question of Kondor's at the beginning and an
    example of Vayatis's in the middle, and goes with {doc}`../nearest-neighbors` and {doc}`../trees`. Two or three
    hours are a good measure.""",
    imports="import math\n\nimport numpy as np",
)
progress = homework.progress


def voted(X, y, z, k, toward=1):
    """The label that the k nearest points give to z, and their indices: ties by index, or against it."""
    near = sorted(range(len(X)), key=lambda i: (((X[i] - z) ** 2).sum(), toward * i))[:k]
    labels = y[near].tolist()
    return max(labels, key=lambda c: (labels.count(c), c)), near


@homework.question(
    "The vote, ties included",
    "Compute all squared distances of the points of `new` from the points of `X`, an array of shape $(n,m)$; the "
    "root is not needed.",
    '`argsort(axis=1, kind="stable")` leaves equal values in the order of their indices.',
    "Count the votes for each of the labels `np.unique(y)`, which come in increasing order. Take the *last* of those "
    "with the most votes. `argmax` finds the first of the largest values: turn the order round.",
)
def q1(answer):
    r"""What is the effect of $k$, asks Kondor. One end is clear: if all $m$ examples vote, the answer is the same
    everywhere. To see anything else you need the rule itself, and a rule is only a rule if it also says what happens
    when things are equal.

    The sample has $m$ points, the rows of `X`, of shape $(m,d)$, and their labels `y`, which are any integers: there
    may be two classes or more. At a new point the $k$ nearest points of the sample vote, in Euclidean distance. Of
    points at the same distance the one with the smaller index counts as nearer. The answer is the label with the most
    votes; if several labels have the most votes, it is the *largest* of them. Write `vote(X, y, new, k)`, which returns
    the $n$ answers at the rows of `new`, of shape $(n,d)$. The check uses points on a grid, so equal distances are
    frequent."""
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


@q1.solved_by
def vote(X, y, new, k):
    r"""A stable sort by the squared distance leaves equidistant points in the order of their indices. Then the votes
    are counted for each class. The classes are listed from the largest to the smallest, and `argmax` returns the first
    of the largest counts: the largest of the tied labels. For $k=m$ everybody votes and the answer does not depend on
    the place. Turning and moving all points leaves their distances as they are, and so the answers; changing the unit
    of *one* feature does not."""
    D = ((new[:, None] - X) ** 2).sum(axis=2)
    near = D.argsort(axis=1, kind="stable")[:, :k]
    classes = np.unique(y)[::-1]
    votes = (y[near][:, :, None] == classes).sum(axis=1)
    return classes[votes.argmax(axis=1)]


def floats(value, name):
    """The value as an array of finite numbers."""
    try:
        value = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise Wrong(f"{name} should be an array of numbers.") from None
    require(np.isfinite(value).all(), f"{name} should hold finite numbers.")
    return value


@homework.question(
    "Borders to order",
    r"Two points $x<x'$ with different labels and nothing between them make one border, at $\frac12(x+x')$.",
    r"Place two points symmetrically around each $\theta_i$, with the labels that belong to its two sides.",
    "All the pairs may have the same width. How small must it be, so that the pairs do not get in each other's way? "
    "And if there is only one border?",
    returns="x, y",
)
def q2(answer):
    r"""Now one neighbour on the line, with labels $\pm1$. {prf:ref}`prop-knn-line` says where such a rule changes its
    answer. Turn the question round: somebody prescribes the borders $\theta_1<\theta_2<\dots<\theta_n$, $n\ge1$. Can
    one neighbour obey?

    Write `with_borders(theta)` for an increasing array of $n$ numbers. It returns `x` and `y`, at most $2n$ numbers and
    their labels, such that the 1-NN rule of this sample says $-1$ to the left of $\theta_1$, changes its answer at each
    $\theta_i$, and nowhere else. (What it says exactly at a border does not matter.) Some of the gaps will be wide and
    some very narrow, down to $10^{-17}$."""
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


@q2.solved_by
def with_borders(theta):
    r"""On the line the rule changes exactly at the midpoints of neighbouring points with different labels
    ({prf:ref}`prop-knn-line`). So put $\theta_i-g$ and $\theta_i+g$ around each border. If $g$ is less than half of the
    smallest gap, then $\theta_i+g<\theta_{i+1}-g$: the points come in the order in which we think of them. The two
    points of a pair have different labels and their midpoint is $\theta_i$. The right point of one pair and the left
    point of the next have the same label, so nothing changes between them.

    With $2n$ examples one neighbour can have any $n$ borders. No finite number of parameters describes such rules:
    this is what "non-parametric" means."""
    g = np.diff(theta, prepend=theta[0] - 1).min() / 3
    left = np.where(np.arange(len(theta)) % 2 == 0, -1, 1)
    return np.concatenate([theta - g, theta + g]), np.concatenate([left, -left])


@homework.question(
    "The same place twice",
    "Look at one example. It sits at a place with $n$ copies, itself among them. In a random order each of the $n$ "
    "is the first with the same probability.",
    "So it is a training error with probability (number of copies with another label)$/n$.",
    "If it is left out, $n-1$ copies remain, and those with another label are still among them.",
    returns="training, left_out",
)
def q3(answer):
    r"""Every training point is its own nearest neighbour. So one neighbour makes no training error, says one of the
    notes, for every sample ({ref}`M09 <erratum-M09>`; in one place it even says so for $k=0$, {ref}`M10
    <erratum-M10>`). It forgets that the same point may occur several times, with different labels: two patients with
    the same record, one ill and one not.

    Take a sample in which *every point occurs at least twice*; the labels are integers. Put it into a random order, all
    $m!$ orders being equally likely, and let ties go by the index in this order, as in question 1. The training error
    is the fraction of the examples that the 1-NN rule gets wrong when it knows all of them. The leave-one-out error is
    the fraction that it gets wrong when, for each example, it knows the other $m-1$ only. Write `over_orders(X, y)`,
    which returns the means of the two errors over all orders, the training error first. The check goes up to $30$
    examples, which have more orders than any computer can try: look for a formula. Then write it in terms of the
    fractions $p_c$ of the classes $c$ at one place: have you seen it before?"""
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


@q3.solved_by
def over_orders(X, y):
    r"""Take an example at a place with $n$ copies, $w$ of which carry another label than its own. Its neighbour is the
    first copy in the order. In a random order each of the $n$ is the first with probability $\frac1n$, so the example
    is a training error with probability $\frac wn$. If it is left out, each of the other $n-1$ copies is the first
    of them with probability $\frac1{n-1}$, and all $w$ are still there: $\frac w{n-1}$. Averages of averages: take the
    mean over the examples.

    Now collect the examples of one place, where class $c$ has the fraction $p_c$. The first sum is

    $$
    \sum_cnp_c\,\frac{n-np_c}n=n\Bigl(1-\sum_cp_c^2\Bigr),
    $$

    $n$ times the Gini criterion; with two classes, $2p(1-p)$. Leaving out multiplies it by $\frac n{n-1}$, and this
    is the factor that makes it honest. If the labels at a place are drawn with probabilities $\eta_c$, two different
    copies disagree with probability $1-\sum_c\eta_c^2$: this is exactly the expected leave-one-out error there. The
    training error compares each example with itself in one case of $n$, and is too small by the factor
    $1-\frac1n$. It vanishes only if no two equal points disagree."""
    same = (X[:, None] == X).all(axis=2)
    n, w = same.sum(axis=1), (same & (y[:, None] != y)).sum(axis=1)
    return np.mean(w / n), np.mean(w / (n - 1))


@homework.question(
    "Twice as wrong, for any number of classes",
    r"At one place let $r=1-\max_c\eta_c$, its share of the Bayes risk. Bound $\sum_c\eta_c^2$ from above and from "
    "below by functions of $r$.",
    r"Above: every $\eta_c$ is at most $1-r$, so $\eta_c^2\le(1-r)\,\eta_c$. Below: one $\eta_c$ is $1-r$, the other "
    r"$\kappa-1$ sum to $r$, and their squares are smallest if they are equal.",
    r"So $r\le1-\sum_c\eta_c^2\le2r-\frac\kappa{\kappa-1}r^2$. Take expectations: the function on the right is "
    "concave (Jensen). Then look for laws with equality.",
    returns="least, largest",
    doc="The least and the largest limit of the risk of one neighbour.",
    proof=True,
)
def q4(answer):
    r"""Let the sample become so large that the nearest neighbour is practically at the new point itself. There are
    $\kappa\ge2$ classes, and at the point $x$ the label is $c$ with probability $\eta_c(x)$. The label of the neighbour
    and the label to be predicted are then two independent draws from the same probabilities. They differ with
    probability $1-\sum_c\eta_c(x)^2$, so the risk of one neighbour tends to

    $$
    \mathbb{E}\Bigl[1-\sum_{c=1}^\kappa\eta_c(X)^2\Bigr].
    $$

    (For two classes this is $2\,\mathbb{E}[\eta(1-\eta)]$. One of the notes prints a minus where the product is,
    {ref}`M39 <erratum-M39>`.) The best possible rule has the Bayes risk $R^*=\mathbb{E}\bigl[1-\max_c\eta_c(X)\bigr]$.
    How much worse is one neighbour? The chapter answers for two classes. Answer for $\kappa$: among all laws with
    $\kappa$ classes and Bayes risk $R$, where $0\le R\le1-\frac1\kappa$, what is the least value of the limit, and what
    is the largest? Prove both bounds, find laws that attain them, and state them as a function. The check looks for
    laws outside of your range, and tells you if the range is too wide."""
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


@q4.solved_by
def limit_range(R, kappa):
    r"""At a place with posteriors $\eta_1,\dots,\eta_\kappa$ let $r=1-\max_c\eta_c$, so that $R^*=\mathbb{E}\,r$.

    *Least.* Since $\eta_c\le1-r$ for all $c$, $\sum_c\eta_c^2\le(1-r)\sum_c\eta_c=1-r$, so $1-\sum_c\eta_c^2\ge r$.
    Take expectations. Equality: with probability $\frac\kappa{\kappa-1}R$ (at most $1$) the label is drawn by a fair
    die with $\kappa$ faces, where $r=1-\frac1\kappa=1-\sum_c\eta_c^2$; elsewhere it is certain, and both are $0$.

    *Largest.* One $\eta_c$ is $1-r$, and the other $\kappa-1$ sum to $r$. By Cauchy and Schwarz
    $r^2\le(\kappa-1)\sum\eta_c^2$ over these others, so

    $$
    1-\sum_c\eta_c^2\le1-(1-r)^2-\frac{r^2}{\kappa-1}=2r-\frac\kappa{\kappa-1}\,r^2 .
    $$

    The right side is concave in $r$; by Jensen its expectation is at most $2R^*-\frac\kappa{\kappa-1}(R^*)^2$.
    Equality: everywhere the same noise, one class with probability $1-R$ and the others $\frac R{\kappa-1}$ each.

    For $\kappa=2$ this is $R^*\le2\,\mathbb{E}[\eta(1-\eta)]\le2R^*(1-R^*)$, {prf:ref}`prop-cover-hart`. With more
    classes the worst case is worse, but never as bad as $2R^*$."""
    return R, 2 * R - kappa / (kappa - 1) * R**2


@homework.question(
    "What a question is worth",
    "Let $N'$, $N''$ be the sizes of the children and $N=N'+N''$. The gain is "
    r"$\psi(p)-\frac{N'}N\psi(q)-\frac{N''}N\psi(r)$.",
    r"All four functions are $\frac12$ at $a=\frac12$: a way to check your formulas.",
    r"$0\log_20=0$, but `0 * np.log2(0)` is not a number. Leave the term out, or put $1$ for the $0$ in the "
    "logarithm.",
)
def q5(answer):
    r"""From here on, trees, and labels $\pm1$. A leaf holds $N$ examples, a fraction $p$ of them positive. A test sends
    a share $\alpha$ of them to one child, where a fraction $q$ is positive, and the rest to another, with a fraction
    $r$ of positives. For a function $\psi$ that measures how mixed a leaf is, the gain of the test is
    $\psi(p)-\alpha\,\psi(q)-(1-\alpha)\,\psi(r)$. Four functions are in use, for the training error, Gini, the entropy
    and the square root:

    $$
    \min(a,1-a),\qquad2a(1-a),\qquad-\tfrac12\bigl(a\log_2a+(1-a)\log_2(1-a)\bigr),\qquad\sqrt{a(1-a)},
    $$

    with $0\log_20=0$. Write `gains(left, right)`, which returns the four gains in this order. The arguments are arrays
    of two counts, the negative and the positive examples in each child; no child is empty, but it may be pure.

    Try it on `left = np.array([20, 30])` and `right = np.array([0, 50])`: the test has found fifty sure cases. This is
    the example that one of the notes wants to show; what it prints, $q=r=1$, cannot have $p=0.8$ ({ref}`M13
    <erratum-M13>`). Which of the gains is zero, and why? Then compare Vayatis's two tests of $800$ examples,
    $(300,100)$ and $(100,300)$ against $(200,400)$ and $(200,0)$. The note also prints the entropy with $\ln$, and says
    that it is at least the training error; at which $a$ does that fail ({ref}`M14 <erratum-M14>`)?"""
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


@q5.solved_by
def gains(left, right):
    r"""The gain is $\psi(p)$ minus the average of $\psi$ over the children, weighted by their shares of the examples.
    In the logarithm a $0$ may be replaced by $1$: the term is $0\cdot\log_21=0$, as it should be.

    In the example $p=0.8$, $q=0.6$, $r=1$, and the gains are $0$, $0.08$, $0.1182$ and $0.1551$. The minimum is linear
    on $[\frac12,1]$, where $p,q,r$ lie, so $\psi(p)$ *is* the average of $\psi(q)$ and $\psi(r)$; in terms of votes,
    both children still say $+1$. The other three functions are strictly concave, and see every split with $q\ne r$.

    Of Vayatis's two tests the first has the gains $0.25$, $0.125$, $0.0944$, $0.0670$ and the second $0.25$, $0.1667$,
    $0.1556$, $0.1464$. Either leaves $200$ errors of $800$, so for the training error they tie. The other three prefer
    the second, which has made one child pure: only the other still needs a question.

    With $\ln$ in place of $\log_2$ the third function is $\frac12\ln2\approx0.347$ at $\frac12$, below the minimum, so
    it is no bound on the training error. A constant factor does not change which split is best."""

    def psi(n):
        a = n / n.sum()
        H = -(a * np.log2(np.where(a > 0, a, 1))).sum()
        return np.array([a.min(), 2 * a.prod(), H / 2, np.sqrt(a.prod())])

    share = left.sum() / (left + right).sum()
    return psi(left + right) - share * psi(left) - (1 - share) * psi(right)


def psi_of(name):
    """The criterion of this name as a function of the fraction a of positives."""

    def psi(a):
        a = np.asarray(a, dtype=float)
        return CRITERIA[name](np.stack([1 - a.ravel(), a.ravel()])).reshape(a.shape)

    psi.__name__ = GAINS[name]
    return psi


@homework.question(
    "The best question, in one pass",
    r"Sort the examples by $x$. A cut leaves the first $n$ on the left, for some $1\le n<m$.",
    "`np.cumsum(y > 0)` counts the positives among the first $n$, for all $n$ at once. The others are on the right.",
    r"Between two equal values there is no cut: no $\theta$ separates them. Take these $n$ out before you look for "
    "the largest gain.",
    returns="theta, gain",
)
def q6(answer):
    r"""Which question about one number should a leaf ask? A test "$x\le\theta$" can divide $m$ examples in at most
    $m-1$ ways, and counting anew for each of them takes about $m^2$ steps. A forest asks this question a million times,
    so it had better be quick. After sorting, all counts come from one pass.

    Write `best_split(x, y, psi)`. Here `x` is an array of $m$ numbers, not sorted, with at least two different values,
    some perhaps several times; `y` are the labels $\pm1$; and `psi` is a concave function that takes an array of
    fractions of positives (or a single one). Return `theta`, such that the test "$x\le\theta$" has two non-empty
    children and the largest possible gain, and this gain. If several tests are equally good, any of them will do, and
    any $\theta$ that makes the same children. The largest samples of the check have 5000 examples."""
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


@q6.solved_by
def best_split(x, y, psi):
    r"""Sorted, a test sends the first $n$ examples to the left, and the cumulative sum of the labels gives the
    fractions of positives on both sides for all $n$ at once. After the sort everything takes a number of steps
    proportional to $m$. Where two neighbours in the sorted order have the same value there is no cut. The middle of the
    two values is a choice; every $\theta$ between them divides the sample alike ({prf:ref}`prop-midpoints`). But if
    the two are neighbours among the floating-point numbers, their middle may be rounded to the larger one, which would
    then go to the left. In that case we take the smaller one."""
    order = np.argsort(x)
    x, positive, m = x[order], np.cumsum(y[order] > 0), len(x)
    n, total = np.arange(1, m), positive[-1]
    q, r = positive[:-1] / n, (total - positive[:-1]) / (m - n)
    gain = psi(total / m) - n / m * psi(q) - (1 - n / m) * psi(r)
    gain[x[1:] == x[:-1]] = -np.inf
    i = gain.argmax()
    middle = (x[i] + x[i + 1]) / 2
    return middle if middle < x[i + 1] else x[i], gain[i]


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


@homework.question(
    "A question that misleads",
    "Let $y$ be the exclusive-or of $x_1$ and $x_2$, all four corners equally often: neither of the two has any gain.",
    "So any third feature with a gain, however small, is asked first. Let it agree with the label a little more "
    "often than not, at every corner alike.",
    "At each corner put $2n+1$ examples; let $x_3$ tell the label right for $n+1$ of them and wrong for $n$.",
    returns="X, y",
)
def q7(answer):
    r"""Greedy growth takes the question of largest gain and never looks back. If the label is the exclusive-or of two
    bits, it stalls: at the root no question has any gain, although two questions in a row settle everything
    ({prf:ref}`prop-xor`). A cautious reader says: then ask anyway, and all will be well. So let us make it worse. Add a
    third bit that has a little gain, so that it is asked first, and is worth nothing afterwards.

    A greedy tree of depth two is grown as follows. At the root take a feature of largest Gini gain, among those that
    have both values there. In each of the two children do the same once more, unless it is pure or all its examples are
    equal. Each leaf predicts its majority. Write `misleading(epsilon)`, $0<\epsilon<\frac12$, which returns `X`, of
    shape $(m,3)$ with entries $0$ and $1$, and labels `y`, $\pm1$, such that some tree of depth two makes no error on
    this sample, and every greedy tree of depth two errs on a fraction of at least $\frac12-\epsilon$, however ties
    between features are broken. You choose $m$, up to $100/\epsilon$. The check goes down to $\epsilon=10^{-4}$."""
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


@q7.solved_by
def misleading(epsilon):
    r"""The label is $+1$ where $x_1\ne x_2$. At each of the four corners there are $2n+1$ examples; $x_3$ tells the
    label, $1$ for $+1$ and $0$ for $-1$: right for $n+1$ of them, and wrong for $n$.

    *Depth two is enough.* Ask for $x_1$, then for $x_2$ on both sides.

    *The root.* Half of the labels are positive, also given $x_1$ and given $x_2$, so these two tests have no gain
    (compare {prf:ref}`prop-xor`). Given $x_3$ the fraction of positives is $\frac{n+1}{2n+1}$ or $\frac n{2n+1}$, not
    $\frac12$. Gini sees the difference, and greedy growth takes $x_3$.

    *The second level.* Where $x_3=1$ there are $n+1$ examples at each positive corner and $n$ at each negative one.
    Given $x_1$ one corner of each kind remains, and the fraction of positives is $\frac{n+1}{2n+1}$ as before; so it is
    given $x_2$. Both tests leave $n$ errors of $2n+1$ in every leaf. For $x_3=0$ it is the same with the signs
    exchanged. So the greedy tree of depth two errs on

    $$
    \frac n{2n+1}=\frac12-\frac1{2(2n+1)}\ge\frac12-\epsilon\qquad\text{if}\quad2n+1\ge\frac1{2\epsilon} .
    $$

    One level more repairs it: under each leaf the missing bit is the only question left."""
    n = int(np.ceil(1 / (4 * epsilon)))
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]).repeat(2 * n + 1, axis=0)
    odd = corners[:, 0] != corners[:, 1]
    right = np.arange(len(odd)) % (2 * n + 1) <= n
    return np.column_stack([corners, odd == right]), np.where(odd, 1, -1)


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


@homework.question(
    "One bit a node",
    "Walk through the tree: first the node itself, then all of the low subtree, then all of the high one. What must "
    "you write at a node so that a reader can follow?",
    "Write $1$ at an inner node and $0$ at a leaf.",
    "Let a helper `read(word)` return the tree at the beginning of the word *and the rest of the word*. For an inner "
    "node it reads twice. `decode` calls it until nothing is left.",
    kind="value",
    stub="def encode(tree):\n    ...\n\ndef decode(word):\n    ...",
)
def q8(answer):
    r"""How long a tree may be depends on how many bits it takes to write it down, in such a way that a reader knows
    where it ends: no word may begin another. One of the notes claims one bit for each node, and the reason is missing
    ({ref}`M36 <erratum-M36>`). For a tree with its tests and labels the claim is wrong. For the *shape* of the tree it
    is right. Show it.

    A shape is `()`, a single leaf, or a tuple `(low, high)` of two shapes, so that `((), ((), ()))` has two inner nodes
    and three leaves. Write `encode(tree)`, which returns a string of the characters `0` and `1`, no longer than the
    tree has nodes, leaves included; no word may begin the word of another tree. And write `decode(word)`, which returns
    the *list* of the trees whose words were glued together to make the string: of one tree, if it is a single word. Any
    code with these properties is accepted."""
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


@q8.solved_by
def code():
    r"""Write $1$ at an inner node, followed by the words of its two subtrees, and $0$ at a leaf. That is one bit a
    node, $2M+1$ bits for $M$ inner nodes.

    *It is a prefix code.* A reader of a text that begins with the word of $T$ finds $T$ and what comes after: for a
    leaf this is clear, and for an inner node it follows by induction for the two subtrees, one after the other. He
    never looks at what comes later. If the word of $T$ began that of $T'$, reading the latter would return both $T$
    and $T'$; hence $T=T'$. For the same reason several words may be glued together. `decode` reads from the end: what
    follows a bit is already a list of trees, and if the bit is $1$, the first two of them are its subtrees.

    *Nothing is wasted.* There are $C_M$ shapes, so the Kraft sum is $\sum_MC_M2^{-(2M+1)}=\frac12\sum_MC_M4^{-M}=1$
    ({prf:ref}`prop-tree-code`). No prefix code has a shorter word for one tree unless it has a longer one for
    another. So the slip of the note is to forget what is *in* the nodes: the tests and the labels take
    $M\lceil\log_2d\rceil+M+1$ bits more in {prf:ref}`alg-encode-tree`."""

    def encode(tree):
        return "1" + encode(tree[0]) + encode(tree[1]) if tree else "0"

    def decode(word):
        trees = []
        for bit in reversed(word):
            trees = [tuple(trees[:2]), *trees[2:]] if bit == "1" else [(), *trees]
        return trees

    return encode, decode


def occam_bounds(errors, m, d, delta, factor=1):
    """The bounds for the sizes 0, 1, ... of trees if size M has C_(factor M) shapes."""
    M = np.arange(len(errors))
    shapes = [math.log(math.comb(2 * i, i) // (i + 1)) for i in (factor * M).tolist()]
    price = shapes + M * np.log(d) + (M + 1) * np.log(2) + np.log((M + 1) * (M + 2))
    return errors / m + np.sqrt((price + np.log(2 / delta)) / (2 * m))


@homework.question(
    "How long may the sentence be?",
    "A tree with $M$ inner nodes has $M+1$ leaves. Count shapes, attributes and labels, and multiply.",
    "The shapes: how many are there with one inner node, with two, with three? The chapter on trees has a formula.",
    r"$\ln\frac1{w(T)}=\ln C_M+M\ln d+(M+1)\ln2+\ln\bigl((M+1)(M+2)\bigr)$. For large $M$ the numbers are huge: add "
    "logarithms. `math.log` takes Python integers of any size, and `math.comb` makes them.",
    returns="M, bound",
)
def q9(answer):
    r"""A larger tree makes fewer training errors, and is believed less. {prf:ref}`thm-occam` says how much less. Give
    each tree $T$ a weight $w(T)$ before you see the data, so that all weights sum to at most one. Then with probability
    at least $1-\delta$ over the sample of $m$ examples, for all trees at once,

    $$
    \ell_{\mathcal{D}}(h_T)\le\hat\ell_S(h_T)+\sqrt{\frac{\ln\frac1{w(T)}+\ln\frac2\delta}{2m}} .
    $$

    The chapter takes its weights from a prefix code. Counting does as well. The attributes are $d$ bits; a tree with
    $M$ inner nodes tests one of them at each inner node and has a label $\pm1$ at each leaf. Give the size
    $M=0,1,2,\dots$ the weight $\frac1{(M+1)(M+2)}$, and share it equally among all trees with $M$ inner nodes: trees
    that differ in shape, in a test or in a label count as different trees. Check that the weights sum to one. How many
    trees of size $M$ are there? (One of the notes counts the shapes by $\frac1N\binom{2N-2}{N-1}$, where $N$ is the
    number of nodes, {ref}`M33 <erratum-M33>`. Draw those with three nodes.)

    Let `errors[M]` be the number of errors on the sample of the best tree with $M$ inner nodes that you have found,
    $M=0,1,\dots$, `errors` being an array. Write `choose_size(errors, m, d, delta)`, which returns the $M$ of the tree
    with the smallest guarantee, the right-hand side above, and this guarantee. There may be three hundred sizes."""
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


@q9.solved_by
def choose_size(errors, m, d, delta):
    r"""There are $C_M$ shapes with $M$ inner nodes, $d^M$ ways to choose their attributes and $2^{M+1}$ ways to label
    the leaves. With the weights of the question

    $$
    \ln\frac1{w(T)}=\ln C_M+M\ln d+(M+1)\ln2+\ln\bigl((M+1)(M+2)\bigr),\qquad C_M=\frac1{M+1}\binom{2M}M .
    $$

    The weights sum to $\sum_M\bigl(\frac1{M+1}-\frac1{M+2}\bigr)=1$, so {prf:ref}`thm-occam` applies to all trees at
    once. Hence also to the one that was chosen with the sample: that is why we may look for the best bound.

    The note counts $\frac1N\binom{2N-2}{N-1}=C_{N-1}$ shapes with $N=2M+1$ nodes. For $N=3$ that is $2$, and there is
    one. In the bound this is harmless, as it is too many. But with one bit a node, as in the question before, $C_{N-1}$
    words of $N$ bits for $N=1,3,5$ would have the Kraft sum $\frac12+\frac28+\frac{14}{32}>1$, and no prefix code has.

    The prefix code of {prf:ref}`thm-tree-occam` is another choice of weights. If $d$ is a power of two, its price
    $(3M+2+M\log_2d)\ln2$ is below ours by about $\frac12\ln M-1.3$ for large $M$: it hardly matters which one is used.
    """
    trees = [math.comb(2 * M, M) // (M + 1) * d**M * 2 ** (M + 1) for M in range(len(errors))]
    price = [math.log(n * (M + 1) * (M + 2)) for M, n in enumerate(trees)]
    bound = errors / m + np.sqrt((np.array(price) + math.log(2 / delta)) / (2 * m))
    return bound.argmin(), bound.min()


homework.closing(r"""The chance that two draws disagree, $1-\sum_cp_c^2$, was the mean training error of one neighbour
at a crowded place, the limit of its risk, and the Gini criterion of a leaf. You have seen that one neighbour can have
any borders and in the limit costs at most a factor of two, that the training error is a poor guide for choosing
questions, that greedy growth can be misled, and that a tree has to pay for every question it asks.
{doc}`../nearest-neighbors` goes on to many neighbours and to the curse of dimensionality, {doc}`../trees` to pruning;
and the cure for misled trees, to ask many of them, is in {doc}`../bagging-and-forests`.""")
