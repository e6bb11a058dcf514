"""Homework: the perceptron, from one update to Novikoff's bound and to samples that make it slow."""

import itertools

import numpy as np

from mlcourse.data.synthetic import SeparableMargin
from mlcourse.models.linear import linear_separation
from mlcourse.models.linear.linear_separation import augmented, max_margin_separator
from mlcourse.models.linear.perceptron import perceptron
from mlcourse_homework.engine.answers import Wrong, array, brief, close, for_all, number, pair, require, show
from mlcourse_homework.engine.question import Homework

homework = Homework("perceptron", "The perceptron")
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


@homework.question(
    "One step",
    "An example is right if its label and the score $w\\cdot x$ have the same sign.",
    "The test for a mistake is one inequality between $0$ and $y\\,w\\cdot x$. What must happen at $w=0$, where every "
    "score is zero?",
    "If $y\\,w\\cdot x\\le0$ return $w+\\tau y\\,x$, otherwise return $w$.",
)
def q1(answer):
    """``answer(w, x, y, tau)`` returns the weights after the perceptron has seen the example (x, y)."""
    rng = np.random.default_rng(1)
    drawn = [
        (rng.integers(-2, 3, d) * scale, rng.integers(-2, 3, d) * scale, y, tau)
        for scale in (1.0, 0.25)
        for d in (1, 2, 3)
        for y in (1, -1)
        for tau in (1.0, 0.5, 3.0)
        for _ in range(5)
    ]
    first = [(np.zeros(2), np.array([1.0, 2.0]), 1, 1.0), (np.zeros(1), np.ones(1), -1, 1.0)]

    def holds(w, x, y, tau):
        margin = y * (w @ x)
        got, tried = array(answer(w, x, y, tau), w.shape, "the new w"), show(w=w, x=x, y=y, tau=tau)
        if margin > 0:
            require(
                np.array_equal(got, w),
                "the example was right, so w should stay as it is.",
                tried=f"{tried}, so y w.x = {margin:g} > 0",
                got=brief(got),
                should=f"w = {brief(w)}",
            )
        else:
            require(
                not x.any() or not np.array_equal(got, w),
                "the example counts as a mistake, since y w.x <= 0, but w did not change.",
                tried=f"{tried}, so y w.x = {margin:g}",
                got=brief(got),
            )
            close(got, w + tau * y * x, "the new w", tried=f"{tried}, so y w.x = {margin:g}")

    for_all(first + drawn, holds)
    return "right examples change nothing, mistakes (and scores of zero) move w by tau y x."


@homework.question(
    "It cannot grow fast",
    "Square: $\\|w+yx\\|^2=\\|w\\|^2+2y\\,w\\cdot x+\\|x\\|^2$.",
    "An update happens only if $y\\,w\\cdot x\\le0$. What does that say about the term in the middle?",
    "Each update adds at most $R^2$ to $\\|w\\|^2$, and $\\|w_0\\|^2=0$.",
)
def q2(answer):
    """``answer(t, R)`` is the best upper bound on ||w_t||^2 after t updates on points no longer than R."""
    rng = np.random.default_rng(2)

    def attained(t, R):  # t orthogonal points of length R
        bound, tried = number(answer(t, R), "the bound"), show(t=t, R=R)
        require(
            bound >= t * R**2 * (1 - 1e-6),
            "this is not an upper bound.",
            tried=tried,
            got=brief(bound),
            should=f"at least {t * R**2:g}: on t orthogonal points of length R with labels +1 each is a mistake",
        )
        require(
            bound <= t * R**2 * (1 + 1e-6),
            "true, but not the best bound: each update adds less than you allow.",
            tried=tried,
            got=brief(bound),
        )

    def valid(X, y):
        R = np.linalg.norm(X, axis=1).max()
        for t, w in enumerate(weights(X, y)):
            bound = number(answer(t, R), "the bound")
            require(
                w @ w <= bound * (1 + 1e-6) + 1e-12,
                "this is not an upper bound.",
                tried=f"a run on {len(X)} points, {show(t=t, R=R)}",
                got=brief(bound),
                should=f"at least {w @ w:.6g}",
            )

    for_all([(t, R) for t in (1, 2, 5, 0) for R in (1.0, 2.0, 0.5, 3.3)], attained)
    for_all([*samples(rng), slow(4)], valid, separable)
    return "no run exceeded your bound, and on orthogonal points it is attained."


@homework.question(
    "It must turn towards the separator",
    "Follow the number $u\\cdot w_t$. By how much does one update change it?",
    "$u\\cdot(w+yx)=u\\cdot w+y\\,u\\cdot x$, and $y\\,u\\cdot x\\ge\\rho$ for every example.",
)
def q3(answer):
    """``answer(t, rho)`` is the best lower bound on u.w_t after t updates, for a unit vector u with margin rho."""

    def attained(t, rho):
        bound, tried = number(answer(t, rho), "the bound"), show(t=t, rho=rho)
        require(
            bound <= t * rho * (1 + 1e-6),
            "this is not a lower bound.",
            tried=tried,
            got=brief(bound),
            should=f"at most {t * rho:g}: let every example have y u.x exactly rho",
        )
        require(
            bound >= t * rho * (1 - 1e-6),
            "true, but not the best bound: each update gains more than you say.",
            tried=tried,
            got=brief(bound),
        )

    def valid(X, y):
        u = max_margin_separator(X, y)
        u = u / np.linalg.norm(u)
        rho = (y * (X @ u)).min()
        for t, w in enumerate(weights(X, y)):
            bound = number(answer(t, rho), "the bound")
            require(
                u @ w >= bound * (1 - 1e-6) - 1e-9,
                "this is not a lower bound.",
                tried=f"a run on {len(X)} points, {show(t=t, rho=rho)}",
                got=brief(bound),
                should=f"at most {u @ w:.6g}",
            )

    for_all([(t, rho) for t in (1, 2, 7, 0) for rho in (1.0, 0.5, 0.1, 2.5)], attained)
    for_all([*samples(np.random.default_rng(3)), slow(4)], valid, separable)
    return "no run stayed below your bound, and it is attained where every example has margin exactly rho."


@homework.question(
    "Novikoff's theorem",
    "Put the two bounds together: by Cauchy and Schwarz $u\\cdot w_t\\le\\|u\\|\\,\\|w_t\\|$.",
    "$t\\rho\\le\\|w_t\\|\\le\\sqrt t\\,R$. Solve for $t$.",
    "$t\\le(R/\\rho)^2$, and $t$ is a whole number: which whole number is the largest possible?",
)
def q4(answer):
    """``answer(R, rho)`` is the largest number of updates possible, a whole number."""

    def holds(R, rho, most):
        got = number(answer(R, rho), "the number of updates")
        tried = f"{show(R=R, rho=rho)}, so (R/rho)^2 = {(R / rho) ** 2:g}"
        require(got == int(got), "the number of updates is a whole number.", tried=tried, got=brief(got))
        require(
            got >= most,
            f"a perceptron can make {most} update{'s' * (most > 1)}.",
            tried=tried,
            got=brief(got),
            should=f"{most}: on {most} orthogonal points of length R, whose best margin is R / sqrt({most})",
        )
        require(
            got <= most,
            "true, but a smaller whole number is a bound too.",
            tried=tried,
            got=brief(got),
            should="a whole number t with t <= (R/rho)^2, the largest one",
        )

    exact = [(1.0, 1.0, 1), (2.0, 1.0, 4), (1.0, 0.25, 16), (4.0, 0.125, 1024)]
    between = [(R, R / np.sqrt(n + share), n) for n in (1, 2, 3, 10, 99) for share in (0.3, 0.7) for R in (1.0, 2.5)]
    for_all(exact + between, holds)
    return "right on every pair, and never more than what orthogonal points attain."


@homework.question(
    "The margin of a hyperplane",
    "The distance of $x$ from the hyperplane $\\{w\\cdot x=0\\}$ is $|w\\cdot x|/\\|w\\|$; the label gives it a sign.",
    "The margin is the smallest of the $m$ numbers $y_i\\,w\\cdot x_i/\\|w\\|$.",
)
def q5(answer):
    """``answer(w, X, y)`` is the margin with which w separates the sample; negative if it does not."""
    rng = np.random.default_rng(5)

    def holds(w, X, y):
        z, length, got = y * (X @ w), np.linalg.norm(w), number(answer(w, X, y), "the margin")
        slips = {
            "is it divided by the length of w?": z.min(),
            "the smallest, not the mean, is the margin": z.mean() / length,
            "the smallest, not the largest, is the margin": z.max() / length,
            "do the labels give the distances their signs?": np.abs(z).min() / length,
        }
        slip = next((f": {clue}" for clue, value in slips.items() if np.isclose(got, value)), ".")
        require(
            np.isclose(got, z.min() / length, rtol=1e-6),
            f"this is not the margin{slip}",
            tried=show(w=w, X=X, y=y),
            got=brief(got),
            should=f"the smallest of y_i w.x_i / |w| = {brief(z / length)}",
        )

    drawn = [
        (rng.integers(-3, 4, d) + 0.5, rng.integers(-3, 4, (m, d)) + 0.25, rng.choice((-1, 1), m))
        for m, d in ((1, 1), (1, 2), (2, 2), (3, 2), (8, 3), (20, 4))
        for _ in range(4)
    ]
    apart = [(3.0 * np.eye(2)[0], np.array([[2.0, 1.0], [-1.5, 5.0], [4.0, 0.0]]), np.array([1, -1, 1]))]
    for_all(apart + drawn, holds, valid=lambda w, X, y: w.any())
    return "it agrees with the definition, does not depend on the length of w, and is negative where w fails."


@homework.question(
    "Train and count",
    "Two nested loops: passes over the sample, and the examples of a pass in the given order.",
    "Remember whether a pass had a mistake. Stop after the first pass without one.",
    "Use your `update`, or its two lines. Count a mistake each time $y\\,w\\cdot x\\le0$.",
)
def q6(answer):
    """``answer(X, y)`` returns the final weights and the number of updates: in order, from zero, with step 1."""
    for m in (1, 3):
        w, n = pair(answer(np.eye(m), np.ones(m)), "(w, number of updates)")
        require(np.ndim(w) or not np.ndim(n), "the weights come first, then the number of updates.")
        require(np.any(w) or n != 0, "you made no update at all: at w = 0 every score is 0 and counts as a mistake.")
        close(n, m, "the number of updates", tried=f"{m} orthogonal points of length one with labels +1")

    def holds(X, y):
        path = weights(X, y)
        w, n = pair(answer(X, y), "(w, number of updates)")
        w, tried = array(w, X.shape[1:], "w"), f"{show(X=X, y=y)} (m = {len(X)}, d = {X.shape[1]})"
        require(
            (y * (X @ w) > 0).all(),
            f"{int((y * (X @ w) <= 0).sum())} of {len(X)} examples are still wrong.",
            tried=tried,
            got=f"w = {brief(w)}",
        )
        close(n, len(path) - 1, "the number of updates", tried=tried)
        close(w, path[-1], "w", tried=f"{tried}: in the given order, from zero, with step 1")

    drawn = samples(np.random.default_rng(6), (1, 2, 3, 3, 3, 5, 10, 20, 40))
    for_all([*drawn, *map(slow, (3, 4, 5, 6))], holds, separable)
    return "the same weights and the same number of updates as the perceptron of the course, on every sample."


@homework.question(
    "A bias breaks the bound",
    "With a bias the perceptron works on $(x,1)$: longer points. Try it by hand on two points of the line.",
    "Take one positive and one negative point, placed symmetrically, so that $R=\\rho$.",
    kind="value",
)
def q7(answer):
    """``answer`` is (X, y), on the line, on which the perceptron with bias makes more than floor((R/rho)^2) updates."""
    X, y = _sample(answer)
    require(X.shape[1] == 1, f"points on the line are asked for: X should have one column, got {X.shape[1]}.")
    require(len(np.unique(y)) == 2, "both labels should occur.", tried=show(X=X, y=y))
    plus, minus = X[y > 0], X[y < 0]
    rho, R = max(plus.min() - minus.max(), minus.min() - plus.max()) / 2, np.abs(X).max()
    require(rho > 0, "no threshold separates these points.", tried=show(X=X, y=y))
    n = perceptron(augmented(X), y, itertools.repeat(None), max_iter=10**6, keep_path=False).n_steps
    most = int(np.floor((R / rho) ** 2 * (1 + 1e-9)))
    require(
        n > most,
        "here the bound of the theorem without bias still holds.",
        tried=show(X=X, y=y),
        got=f"{n} update{'s' * (n > 1)}; R = {R:.4g} and the best margin with a bias is {rho:.4g}",
        should=f"more than floor((R/rho)^2) = {most} updates",
    )
    return f"{n} updates, although floor((R/rho)^2) = {most}: with a bias the theorem is about (x, 1), not about x."


@homework.question(
    "Slow on purpose",
    "Make every separator have weights that grow like $1,2,4,\\dots$: steps of size one take long to reach them.",
    "Let example $i$ force $w_i>w_1+\\dots+w_{i-1}$.",
    "$x_i=e_i-e_1-\\dots-e_{i-1}$ with label $+1$.",
)
def q8(answer):
    """``answer(d)`` is (X, y): d points of R^d, entries -1, 0 or 1, that take a perceptron 2^d - 1 updates or more."""
    for d in range(1, 9):
        X, y = _sample(answer(d))
        require(X.shape == (d, d), f"for d = {d} the points should form an array of shape ({d}, {d}), got {X.shape}.")
        require(np.isin(X, (-1, 0, 1)).all(), f"for d = {d}: every entry should be -1, 0 or 1.", got=brief(X))
        require(
            separable(X, y),
            f"for d = {d} the sample is not separable by a hyperplane "
            "through the origin: the perceptron would never stop.",
            tried=show(X=X, y=y),
        )
        n = perceptron(X, y, itertools.repeat(None), max_iter=10**6, keep_path=False).n_steps
        require(
            n >= 2**d - 1,
            f"for d = {d} the perceptron stops too early.",
            tried=show(X=X, y=y),
            got=f"{n} updates",
            should=f"at least 2^d - 1 = {2**d - 1}",
        )
    return f"separable, and exponentially slow: {n} updates for d = {d}."


@homework.question(
    "Separable or not",
    "$y_i\\,w\\cdot x_i>0$ for all $i$ are $m$ linear inequalities in $w$. Linear programmes solve such systems, but "
    "they do not know strict ones.",
    "If $w$ separates, so does every multiple of it. So one may ask for $y_i\\,w\\cdot x_i\\ge1$ instead.",
    "`linprog` minimises $c\\cdot w$ over $Aw\\le b$: take $c=0$, the rows of $A$ as $-y_ix_i$ and $b=-1$. Mind its "
    "default bounds $w\\ge0$, and look at `status`: 0 is solved, 2 is infeasible.",
)
def q9(answer):
    """``answer(X, y)`` returns weights that separate the sample, through the origin, or None if there are none."""

    def holds(X, y):
        got, tried = answer(X, y), show(X=X, y=y)
        if not separable(X, y):
            require(
                got is None,
                "no hyperplane through the origin separates this sample: None was asked for.",
                tried=tried,
                got=brief(got),
            )
            return
        require(
            got is not None,
            "you found no separating weights, but there are some.",
            tried=tried,
            should=f"for example w = {brief(linear_separation.separator(X, y))}",
        )
        w = array(got, X.shape[1:], "w")
        wrong = int((~(y * (X @ w) > 0)).sum())
        require(
            wrong == 0,
            f"your weights leave {wrong} of {len(X)} examples wrong, or on the hyperplane.",
            tried=tried,
            got=f"w = {brief(w)}, y w.x = {brief(y * (X @ w))}",
        )

    xor = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]])
    first = [
        (np.array([[-1.0]]), np.array([1])),
        (np.array([[1.0], [2.0]]), np.array([1, -1])),
        (np.array([[0.0, 0.0]]), np.array([1])),
        (xor[:3], np.array([1, 1, -1])),
        (xor, np.array([1, 1, -1, -1])),
        (augmented(xor), np.array([1, 1, -1, -1])),
        (augmented(xor), np.array([1, -1, -1, -1])),
        (np.array([[1.0, 2], [-1, -2.1]]), np.array([1, 1])),
    ]
    rng = np.random.default_rng(9)
    noise = [(rng.normal(size=(m, 3)).round(1), rng.choice((-1, 1), m)) for m in (4, 6, 8, 30)]
    skewed = np.array([[-2.0, 1], [-1, 1], [1, 1], [100, 1]]), np.array([-1, -1, 1, 1])  # no job for least squares
    narrow = np.array([[1.0, 2], [-1, -2.001]]), np.array([1, 1])
    for_all([*first, *samples(rng), *noise, skewed, narrow, slow(8)], holds)
    return "every separable sample was separated, and on the others you said so: no perceptron needed."


def _sample(answer):
    """The points and labels of an answer (X, y)."""
    X, y = pair(answer, "(X, y)")
    try:
        X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    except (TypeError, ValueError):
        raise Wrong("X and y should be arrays of numbers.") from None
    require(X.ndim == 2, f"X should have a row for each point and a column for each coordinate, got shape {X.shape}.")
    require(
        y.shape == (len(X),) and X.size,
        f"X should have one row for each label of y, got shapes {X.shape} and {y.shape}.",
    )
    require(np.isfinite(X).all(), "the points should be finite.")
    require(np.isin(y, (-1, 1)).all(), f"labels must be -1 or +1, got {brief(y)}.")
    return X, y
