"""Homework: the perceptron, from one update to Novikoff's bound and to samples that make it slow."""

import itertools

import numpy as np
from scipy.optimize import linprog

from mlcourse.data.synthetic import SeparableMargin
from mlcourse.models.linear import linear_separation
from mlcourse.models.linear.linear_separation import augmented, max_margin_separator
from mlcourse.models.linear.perceptron import perceptron
from mlcourse_homework.engine.answers import (
    Wrong,
    array,
    bounds,
    brief,
    close,
    for_all,
    number,
    pair,
    require,
    requiring,
    sharp_bound,
    show,
    slip,
)
from mlcourse_homework.engine.question import Homework

homework = Homework(
    "perceptron",
    "The perceptron",
    r"""A machine that changes its mind only when it is wrong, and by the smallest step that could help: how often can
    it be wrong? Albert Novikoff's answer of 1962 fits on half a page. In this homework you take the perceptron apart,
    prove his theorem in three steps, and then look for its limits: what a bias does to it, how slow a perceptron can be
    made, and how to tell that it would never stop. It follows Amini's homework and goes with {doc}`../perceptron`; an
    hour or two is a good measure.""",
    imports="import numpy as np\nfrom scipy.optimize import linprog",
)
progress = homework.progress


def samples(rng, sizes=(1, 2, 3, 3, 5, 10, 20)):
    """Samples that a hyperplane through the origin separates, small ones with integer coordinates first."""
    for m in sizes:
        X, y = SeparableMargin(d=1 + m // 3, rho=0.02).sample(m, rng)
        if m <= 3:
            X = np.append(rng.integers(-3, 4, (m, 1)), np.ones((m, 1)), axis=1)
            y = np.where(X @ (2, -1) >= 0, 1, -1)
        yield X, y


def slow(d):
    """The sample of d points that takes a perceptron (4^d - 1)/3 updates."""
    return np.eye(d) - np.tri(d, k=-1), np.ones(d)


def weights(X, y):
    """The weights of the perceptron after each update, the first is zero."""
    return np.array(perceptron(X, y, itertools.repeat(None)).path)


def separable(X, y):
    """Whether a hyperplane through the origin separates the sample."""
    return linear_separation.separator(X, y) is not None


def n_updates(X, y):
    """The number of updates of the perceptron."""
    return perceptron(X, y, itertools.repeat(None), max_iter=10**6, keep_path=False).n_steps


@homework.question(
    "One step",
    r"An example is right if its label and the score $w\cdot x$ have the same sign.",
    r"The test for a mistake is one inequality between $0$ and $y\,w\cdot x$. What must happen at $w=0$, where every "
    "score is zero?",
    r"If $y\,w\cdot x\le0$ return $w+\tau y\,x$, otherwise return $w$.",
)
def q1(answer):
    r"""The perceptron sees an example: a point $x\in\mathbb{R}^d$ and its label $y\in\{-1,+1\}$. If the example is a
    mistake, that is if $y\,w\cdot x\le0$, it moves its weights to $w+\tau y\,x$, where $\tau>0$ is the step. Otherwise
    it does nothing. Write `update(w, x, y, tau)`, which returns the weights after the example."""

    def holds(w, x, y, tau):
        margin, got = y * (w @ x), array(answer(w, x, y, tau), w.shape, "the new w")
        tried = f"{show(w=w, x=x, y=y, tau=tau)}, so y w.x = {margin:g}"
        need, same = requiring(tried, got), np.array_equal(got, w)
        if margin > 0:
            return need(same, "the example was right, so w should stay as it is.", f"w = {brief(w)}")
        need(not x.any() or not same, "the example counts as a mistake, since y w.x <= 0, but w did not change.")
        close(got, w + tau * y * x, "the new w", tried)

    rng = np.random.default_rng(1)
    cases = itertools.product((1.0, 0.25), (1, 2, 3), (1, -1), (1.0, 0.5, 3.0), range(5))
    drawn = [(*rng.integers(-2, 3, (2, d)) * scale, y, tau) for scale, d, y, tau, _ in cases]
    for_all([(np.zeros(2), np.array([1.0, 2.0]), 1, 1.0), (np.zeros(1), np.ones(1), -1, 1.0), *drawn], holds)
    return "right examples change nothing, mistakes (and scores of zero) move w by tau y x."


@q1.solved_by
def update(w, x, y, tau):
    r"""The example is a mistake if $y\,w\cdot x\le0$. Zero counts as a mistake: otherwise a perceptron that starts at
    $w=0$ would never move. Note that `w + tau * y * x` is a new array; `w += ...` would change the caller's."""
    return w + tau * y * x if y * (w @ x) <= 0 else w


@homework.question(
    "It cannot grow fast",
    r"Square: $\|w+yx\|^2=\|w\|^2+2y\,w\cdot x+\|x\|^2$.",
    r"An update happens only if $y\,w\cdot x\le0$. What does that say about the term in the middle?",
    r"Each update adds at most $R^2$ to $\|w\|^2$, and $\|w_0\|^2=0$.",
    proof=True,
    doc="An upper bound on the squared length of w_t.",
)
def q2(answer):
    r"""From here on $\tau=1$, the weights start at $w_0=0$, and $w_t$ are the weights after $t$ *updates*; examples
    that were right do not count. No point is longer than $R$. Prove an upper bound on $\|w_t\|^2$ that depends on $t$
    and $R$ alone, and state it as a function. The check looks for a run that exceeds your bound, and for one that
    attains it: a bound that is true but not the best one possible is told so."""

    def attained(t, R):
        why = "on t orthogonal points of length R with labels +1 each is a mistake"
        bound = number(answer(t, R), "the bound")
        sharp_bound(bound, t * R**2, show(t=t, R=R), why, "each update adds less than you allow.")

    def valid(X, y):
        R = np.linalg.norm(X, axis=1).max()
        for t, w in enumerate(weights(X, y)):
            bounds(number(answer(t, R), "the bound"), w @ w, f"a run on {len(X)} points, {show(t=t, R=R)}")

    for_all(itertools.product((1, 2, 5, 0), (1.0, 2.0, 0.5, 3.3)), attained)
    for_all([*samples(np.random.default_rng(2)), slow(4)], valid, separable)
    return "no run exceeded your bound, and on orthogonal points it is attained."


@q2.solved_by
def longest(t, R):
    r"""An update on $(x,y)$ is made only if $y\,w\cdot x\le0$. Then

    $$
    \|w+yx\|^2=\|w\|^2+2\,y\,w\cdot x+\|x\|^2\le\|w\|^2+\|x\|^2\le\|w\|^2+R^2 .
    $$

    Since $w_0=0$, after $t$ updates $\|w_t\|^2\le tR^2$. The bound is attained: on $t$ orthogonal points of length
    $R$ with labels $+1$ each point is a mistake when it is first seen, its score being zero, and
    $\|w_t\|^2=\sum_i\|x_i\|^2=tR^2$."""
    return t * R**2


@homework.question(
    "It must turn towards the separator",
    r"Follow the number $u\cdot w_t$. By how much does one update change it?",
    r"$u\cdot(w+yx)=u\cdot w+y\,u\cdot x$, and $y\,u\cdot x\ge\rho$ for every example.",
    proof=True,
    doc="A lower bound on u.w_t.",
)
def q3(answer):
    r"""Suppose that a unit vector $u$ separates the sample with margin $\rho>0$: $y_i\,u\cdot x_i\ge\rho$ for every
    example. Prove a lower bound on $u\cdot w_t$ that depends on $t$ and $\rho$ alone, the best there is."""

    def attained(t, rho):
        bound, slack = number(answer(t, rho), "the bound"), "each update gains more than you say."
        sharp_bound(bound, t * rho, show(t=t, rho=rho), "let every example have y u.x exactly rho", slack, "lower")

    def valid(X, y):
        u = max_margin_separator(X, y)
        u = u / np.linalg.norm(u)
        rho = (y * (X @ u)).min()
        for t, w in enumerate(weights(X, y)):
            tried = f"a run on {len(X)} points, {show(t=t, rho=rho)}"
            bounds(number(answer(t, rho), "the bound"), u @ w, tried, "lower")

    for_all(itertools.product((1, 2, 7, 0), (1.0, 0.5, 0.1, 2.5)), attained)
    for_all([*samples(np.random.default_rng(3)), slow(4)], valid, separable)
    return "no run stayed below your bound, and it is attained where every example has margin exactly rho."


@q3.solved_by
def alignment(t, rho):
    r"""Let $u$ be the unit vector with $y_i\,u\cdot x_i\ge\rho$ for all $i$. An update on $(x,y)$ gives

    $$
    u\cdot(w+yx)=u\cdot w+y\,u\cdot x\ge u\cdot w+\rho ,
    $$

    and $u\cdot w_0=0$, so $u\cdot w_t\ge t\rho$. If every example has $y\,u\cdot x=\rho$, each update gains
    exactly $\rho$: so it is on orthogonal points of equal length with labels $+1$, where $u$ points along their sum."""
    return t * rho


@homework.question(
    "Novikoff's theorem",
    r"Put the two bounds together: by Cauchy and Schwarz $u\cdot w_t\le\|u\|\,\|w_t\|$.",
    r"$t\rho\le\|w_t\|\le\sqrt t\,R$. Solve for $t$.",
    r"$t\le(R/\rho)^2$, and $t$ is a whole number: which whole number is the largest possible?",
    proof=True,
    doc="The largest possible number of updates.",
)
def q4(answer):
    r"""A vector that grows slowly but must go far in one direction: the two cannot go on for long. How many updates can
    a perceptron make on points no longer than $R$ that some unit vector separates with margin $\rho$? Give the largest
    *whole* number that is possible. (The slides that this homework follows print two answers that differ by one for
    most $R$ and $\rho$; {ref}`EA8 <erratum-EA8>` tells which is which.)"""

    def holds(R, rho, most):
        got = number(answer(R, rho), "the number of updates")
        need = requiring(f"{show(R=R, rho=rho)}, so (R/rho)^2 = {(R / rho) ** 2:g}", got)
        need(got == int(got), "the number of updates is a whole number.")
        why = f"{most}: on {most} orthogonal points of length R, whose best margin is R / sqrt({most})"
        need(got >= most, f"a perceptron can make {most} update{'s' * (most > 1)}.", why)
        why = "a whole number t with t <= (R/rho)^2, the largest one"
        need(got <= most, "true, but a smaller whole number is a bound too.", why)

    exact = [(1.0, 1.0, 1), (2.0, 1.0, 4), (1.0, 0.25, 16), (4.0, 0.125, 1024)]
    between = [(R, R / np.sqrt(n + share), n) for n in (1, 2, 3, 10, 99) for share in (0.3, 0.7) for R in (1.0, 2.5)]
    for_all(exact + between, holds)
    return "right on every pair, and never more than what orthogonal points attain."


@q4.solved_by
def most_updates(R, rho):
    r"""By the two bounds and the inequality of Cauchy and Schwarz

    $$
    t\rho\le u\cdot w_t\le\|u\|\,\|w_t\|=\|w_t\|\le\sqrt t\,R ,
    $$

    so $\sqrt t\le R/\rho$ and $t\le(R/\rho)^2$. As $t$ is a whole number, $t\le\lfloor(R/\rho)^2\rfloor$. The ceiling
    would be true as well, but weaker. It is attained: $n$ orthogonal points of length $R$ need $n$ updates, and their
    best margin is $\rho=R/\sqrt n$, with $u$ along their sum.

    Three remarks. A step $\tau$ multiplies both $u\cdot w_t$ and $\|w_t\|$ by $\tau$, so the bound does not depend on
    it. The margin is that of *any* separating $u$; the best one gives the best bound. And the theorem counts updates,
    not passes."""
    return int(np.floor((R / rho) ** 2))


@homework.question(
    "The margin of a hyperplane",
    r"The distance of $x$ from the hyperplane $\{w\cdot x=0\}$ is $|w\cdot x|/\|w\|$; the label gives it a sign.",
    r"The margin is the smallest of the $m$ numbers $y_i\,w\cdot x_i/\|w\|$.",
)
def q5(answer):
    r"""To use the theorem on data you need the margin of a given $w\ne0$, of any length: the largest number $\rho$ with
    $y_i\,w\cdot x_i/\|w\|\ge\rho$ for every example. It is negative if $w$ gets an example wrong. Write
    `margin(w, X, y)`, with the points as the rows of `X` and the labels in `y`."""

    def holds(w, X, y):
        z, length, got = y * (X @ w), np.linalg.norm(w), number(answer(w, X, y), "the margin")
        slips = {
            "is it divided by the length of w?": z.min(),
            "the smallest, not the mean, is the margin": z.mean() / length,
            "the smallest, not the largest, is the margin": z.max() / length,
            "do the labels give the distances their signs?": np.abs(z).min() / length,
        }
        right, should = z.min() / length, f"the smallest of y_i w.x_i / |w| = {brief(z / length)}"
        message = f"this is not the margin{slip(got, slips) or '.'}"
        require(np.isclose(got, right, rtol=1e-6), message, show(w=w, X=X, y=y), got, should)

    rng = np.random.default_rng(5)
    drawn = [
        (rng.integers(-3, 4, d) + 0.5, rng.integers(-3, 4, (m, d)) + 0.25, rng.choice((-1, 1), m))
        for m, d in ((1, 1), (1, 2), (2, 2), (3, 2), (8, 3), (20, 4))
        for _ in range(4)
    ]
    apart = (3.0 * np.eye(2)[0], np.array([[2.0, 1.0], [-1.5, 5.0], [4.0, 0.0]]), np.array([1, -1, 1]))
    for_all([apart, *drawn], holds, valid=lambda w, X, y: w.any())
    return "it agrees with the definition, does not depend on the length of w, and is negative where w fails."


@q5.solved_by
def margin(w, X, y):
    r"""The signed distance of $x_i$ from the hyperplane is $y_i\,w\cdot x_i/\|w\|$: positive on the right side. The
    margin is the smallest of them. Without the division by $\|w\|$ one could make it as large as one likes by
    multiplying $w$."""
    return (y * (X @ w)).min() / np.linalg.norm(w)


@homework.question(
    "Train and count",
    "Two nested loops: passes over the sample, and the examples of a pass in the given order.",
    "Remember whether a pass had a mistake. Stop after the first pass without one.",
    r"Use your `update`, or its two lines. Count a mistake each time $y\,w\cdot x\le0$.",
    returns="w, n_updates",
)
def q6(answer):
    r"""Now the whole algorithm. Write `train(X, y)` for a separable sample: start at zero, go through the examples in
    the given order with step $1$, again and again, until a pass has no mistake. Return the weights and the number of
    updates."""
    for m in (1, 3):
        w, n = pair(answer(np.eye(m), np.ones(m)), "(w, number of updates)")
        require(np.ndim(w) or not np.ndim(n), "the weights come first, then the number of updates.")
        require(np.any(w) or n != 0, "you made no update at all: at w = 0 every score is 0 and counts as a mistake.")
        close(n, m, "the number of updates", f"{m} orthogonal points of length one with labels +1")

    def holds(X, y):
        path, (w, n) = weights(X, y), pair(answer(X, y), "(w, number of updates)")
        w, tried = array(w, X.shape[1:], "w"), f"{show(X=X, y=y)} (m = {len(X)}, d = {X.shape[1]})"
        wrong = int((~(y * (X @ w) > 0)).sum())
        require(wrong == 0, f"{wrong} of {len(X)} examples are still wrong.", tried, f"w = {brief(w)}")
        close(n, len(path) - 1, "the number of updates", tried)
        close(w, path[-1], "w", f"{tried}: in the given order, from zero, with step 1")

    drawn = samples(np.random.default_rng(6), (1, 2, 3, 3, 3, 5, 10, 20, 40))
    for_all([*drawn, *map(slow, (3, 4, 5, 6))], holds, separable)
    return "the same weights and the same number of updates as the perceptron of the course, on every sample."


@q6.solved_by
def train(X, y):
    r"""Two nested loops and a flag. Novikoff's theorem says that they end on every separable sample."""
    w, n_updates, clean = np.zeros(X.shape[1]), 0, False
    while not clean:
        clean = True
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i) <= 0:
                w, n_updates, clean = w + y_i * x_i, n_updates + 1, False
    return w, n_updates


@homework.question(
    "A bias breaks the bound",
    "With a bias the perceptron works on $(x,1)$: longer points. Try it by hand on two points of the line.",
    r"Take one positive and one negative point, placed symmetrically, so that $R=\rho$.",
    kind="value",
    stub="X, y = ..., ...",
)
def q7(answer):
    r"""In practice a perceptron has a bias, which it updates together with the weights: it works on the augmented
    points $(x,1)$ with weights $(w,b)$. Is the number of updates still at most $\lfloor(R/\rho)^2\rfloor$, where now
    $\rho$ is the best margin with a bias, the largest for which some $b$ and some unit vector $w$ have
    $y_i(w\cdot x_i+b)\ge\rho$ for all $i$? No. Find points on the line, with labels, that show it: `X` has one column.
    Go through the updates by hand first."""
    X, y = _sample(answer)
    require(X.shape[1] == 1, f"points on the line are asked for: X should have one column, got {X.shape[1]}.")
    require(len(np.unique(y)) == 2, "both labels should occur.", show(X=X, y=y))
    plus, minus = X[y > 0], X[y < 0]
    rho, R = max(plus.min() - minus.max(), minus.min() - plus.max()) / 2, np.abs(X).max()
    require(rho > 0, "no threshold separates these points.", show(X=X, y=y))
    n, most = n_updates(augmented(X), y), int(np.floor((R / rho) ** 2 * (1 + 1e-9)))
    got = f"{n} update{'s' * (n > 1)}; R = {R:.4g} and the best margin with a bias is {rho:.4g}"
    more = f"more than floor((R/rho)^2) = {most} updates"
    require(n > most, "here the bound of the theorem without bias still holds.", show(X=X, y=y), got, more)
    return f"{n} updates, although floor((R/rho)^2) = {most}: with a bias the theorem is about (x, 1), not about x."


@q7.solved_by
def beyond():
    r"""On the line take $x_1=1$ with label $+1$ and $x_2=-1$ with label $-1$. Then $R=1$ and the best margin is
    $\rho=1$, so the bound would be $1$. But the perceptron with a bias works on $(1,1)$ and $-(-1,1)=(1,-1)$: after
    the first update $w=(1,1)$, the second example has score $(1,1)\cdot(1,-1)=0$ and is a mistake. Two updates. The
    theorem holds for the *augmented* points: their length is at most $\sqrt{1+R^2}=\sqrt2$, their margin is $1$ with
    $u=(1,0)$, and $(\sqrt2/1)^2=2$ is attained."""
    return np.array([[1.0], [-1.0]]), np.array([1, -1])


@homework.question(
    "Slow on purpose",
    r"Make every separator have weights that grow like $1,2,4,\dots$: steps of size one take long to reach them.",
    r"Let example $i$ force $w_i>w_1+\dots+w_{i-1}$.",
    r"$x_i=e_i-e_1-\dots-e_{i-1}$ with label $+1$.",
    returns="X, y",
)
def q8(answer):
    r"""If the margin is tiny, Novikoff promises little. Is the perceptron really slow then? Write `slow_sample(d)`,
    which returns $d$ points of $\mathbb{R}^d$ with coordinates $-1$, $0$ and $1$ and their labels, separable by a
    hyperplane through the origin, on which the perceptron makes at least $2^d-1$ updates."""
    for d in range(1, 9):
        X, y = _sample(answer(d))
        require(X.shape == (d, d), f"for d = {d} the points should form an array of shape ({d}, {d}), got {X.shape}.")
        require(np.isin(X, (-1, 0, 1)).all(), f"for d = {d}: every entry should be -1, 0 or 1.", got=X)
        never = "the sample is not separable by a hyperplane through the origin: the perceptron would never stop."
        require(separable(X, y), f"for d = {d} {never}", show(X=X, y=y))
        n, need = n_updates(X, y), f"at least 2^d - 1 = {2**d - 1}"
        require(n >= 2**d - 1, f"for d = {d} the perceptron stops too early.", show(X=X, y=y), f"{n} updates", need)
    return f"separable, and exponentially slow: {n} updates for d = {d}."


@q8.solved_by
def slow_sample(d):
    r"""Let $x_i=e_i-e_1-\dots-e_{i-1}$, with label $+1$. Then $w\cdot x_i>0$ means $w_i>w_1+\dots+w_{i-1}$. The weights
    of a perceptron with step $1$ are integers, so $w_1\ge1$ and $w_i\ge1+w_1+\dots+w_{i-1}$, hence $w_i\ge2^{i-1}$.
    An update on $x_i$ raises $w_i$ by one and only updates on $x_i$ raise it, so at least $2^{i-1}$ of them are
    needed for each $i$, together $2^d-1$. Since the updates on later points take away from $w_i$ there are in fact
    many more: {prf:ref}`thm-slow-perceptron` counts exactly $(4^d-1)/3$, in every order."""
    return np.eye(d) - np.tril(np.ones((d, d)), -1), np.ones(d)


@homework.question(
    "Separable or not",
    r"$y_i\,w\cdot x_i>0$ for all $i$ are $m$ linear inequalities in $w$. Linear programmes solve such systems, but "
    "they do not know strict ones.",
    r"If $w$ separates, so does every multiple of it. So one may ask for $y_i\,w\cdot x_i\ge1$ instead.",
    r"`linprog` minimises $c\cdot w$ over $Aw\le b$: take $c=0$, the rows of $A$ as $-y_ix_i$ and $b=-1$. Mind its "
    r"default bounds $w\ge0$, and look at `status`: 0 is solved, 2 is infeasible.",
)
def q9(answer):
    r"""On a sample that no hyperplane separates, the perceptron never stops, and as long as it runs you cannot know
    whether it ever will. Another algorithm can tell. Write `separator(X, y)`, which returns weights with
    $y_i\,w\cdot x_i>0$ for every example, or `None` if there are none (through the origin, without bias). You may use
    `linprog`, SciPy's solver for linear programmes."""

    def holds(X, y):
        got, tried, known = answer(X, y), show(X=X, y=y), linear_separation.separator(X, y)
        if known is None:
            none = "no hyperplane through the origin separates this sample: None was asked for."
            return require(got is None, none, tried, got)
        there = f"for example w = {brief(known)}"
        require(got is not None, "you found no separating weights, but there are some.", tried, should=there)
        w = array(got, X.shape[1:], "w")
        z = y * (X @ w)
        wrong = f"your weights leave {(~(z > 0)).sum()} of {len(X)} examples wrong, or on the hyperplane."
        require((z > 0).all(), wrong, tried, f"w = {brief(w)}, y w.x = {brief(z)}")

    xor = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]])
    points = [[[-1.0]], [[1.0], [2.0]], [[0.0, 0.0]], xor[:3], xor, augmented(xor), augmented(xor)]
    labels = [[1], [1, -1], [1], [1, 1, -1], [1, 1, -1, -1], [1, 1, -1, -1], [1, -1, -1, -1]]
    narrow = [(np.array([[1.0, 2], [-1, -2 - gap]]), np.array([1, 1])) for gap in (0.1, 0.001)]
    rng = np.random.default_rng(9)
    noise = [(rng.normal(size=(m, 3)).round(1), rng.choice((-1, 1), m)) for m in (4, 6, 8, 30)]
    skewed = np.array([[-2.0, 1], [-1, 1], [1, 1], [100, 1]]), np.array([-1, -1, 1, 1])  # no job for least squares
    first = [*zip(map(np.array, points), map(np.array, labels), strict=True), narrow[0]]
    for_all([*first, *samples(rng), *noise, skewed, narrow[1], slow(8)], holds)
    return "every separable sample was separated, and on the others you said so: no perceptron needed."


@q9.solved_by
def separator(X, y):
    r"""If $w$ separates, let $\gamma=\min_iy_i\,w\cdot x_i>0$; then $w/\gamma$ has $y_i\,w\cdot x_i\ge1$ for all $i$,
    and conversely such a $w$ separates. So the sample is separable exactly if the linear programme "minimise $0$
    subject to $-y_ix_i\cdot w\le-1$ for all $i$" has a feasible point ({prf:ref}`prop-separability-lp`). The
    perceptron runs for ever on a sample that is not separable; the program says so. `linprog` assumes $w\ge0$
    unless it is told otherwise."""
    A = -y[:, None] * X
    program = linprog(np.zeros(X.shape[1]), A_ub=A, b_ub=-np.ones(len(y)), bounds=(None, None))
    return program.x if program.status == 0 else None


def _sample(answer):
    """The points and labels of an answer (X, y)."""
    X, y = pair(answer, "(X, y)")
    try:
        X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    except (TypeError, ValueError):
        raise Wrong("X and y should be arrays of numbers.") from None
    require(X.ndim == 2, f"X should have a row for each point and a column for each coordinate, got shape {X.shape}.")
    shapes = f"got shapes {X.shape} and {y.shape}."
    require(y.shape == (len(X),) and X.size, f"X should have one row for each label of y, {shapes}")
    require(np.isfinite(X).all(), "the points should be finite.")
    require(np.isin(y, (-1, 1)).all(), f"labels must be -1 or +1, got {brief(y)}.")
    return X, y


homework.closing(r"""You have proved that a perceptron on separable data makes at most $\lfloor(R/\rho)^2\rfloor$
mistakes, whatever the dimension and the order, and found where the theorem ends: with a bias it is about other points,
and a small margin can make it useless and the perceptron slow. And you have an algorithm that recognises samples on
which the perceptron would run for ever; {doc}`../perceptron` shows what to do with those.""")
