"""Homework: what is the best possible risk, how near is a sample to the truth, and how large is a class of rules."""

import itertools
import math
import time

import numpy as np
from scipy.stats import binom, norm

from mlcourse import theory
from mlcourse_homework.engine.answers import Wrong, array, brief, close, for_all, number, require, show, two
from mlcourse_homework.engine.question import Homework

homework = Homework("risk_and_bounds", "Risk and bounds")
progress = homework.progress


def equals(got, want, name, *slips, **details):
    """``got`` is the number ``want``; if it is the value of slips (value, what gives it), say so."""
    got, scale = number(got, name), min(abs(want), abs(1 - want)) if 0 < want < 1 else abs(want)
    right, *same = np.isclose(got, [want, *(value for value, _ in slips)], rtol=1e-6, atol=1e-7)
    causes = [cause for (_, cause), match in zip(slips, same, strict=True) if match]
    near = "near, but not exact; an approximation, or a sum with a term too many or too few"
    causes = causes or [near] * bool(abs(got - want) < 0.05 * scale)
    require(
        right or not causes,
        f"{name} is not right: {'; or '.join(causes)}.",
        got=brief(got),
        should=brief(want),
        **details,
    )
    close(got, want, name, atol=1e-7, **details)


def matrix(values):
    """All entries of a matrix, in one line."""
    return " ".join(np.array2string(values, precision=4, separator=", ", threshold=10**4, suppress_small=True).split())


def smallest(got, want, bound, delta, name, *slips, **details):
    """``got`` is the smallest whole number at which a bound is at most delta, ``want``."""
    got = number(got, name)
    require(got == int(got) and got >= 1, f"{name} should be a whole number of at least 1.", got=brief(got), **details)
    causes = [cause for value, cause in slips if got == value != want]
    require(not causes, f"{name} is not right: {'; or '.join(causes)}.", got=f"{got:.0f}", **details)
    require(
        got >= want,
        f"{name} is too small: what can be promised there is not yet delta.",
        **details,
        got=f"{got:.0f}, where the bound on the probability is {bound(got):.6g}",
        should=f"at most {delta:g}",
    )
    require(
        got <= want,
        f"{name} is enough, but it is not the smallest number that is.",
        **details,
        got=f"{got:.0f}, and with one less the bound on the probability is {bound(got - 1):.6g}",
    )


@homework.question(
    "The price of a wrong probability",
    "Fix a point. Saying $+1$ costs $c_{\\text{fp}}(1-\\eta)$ on average, saying $-1$ costs $c_{\\text{fn}}\\,\\eta$. "
    "For which $\\eta$ is the first at most the second?",
    "Where the two rules agree they cost the same. Where they differ, the costs differ by "
    "$|(c_{\\text{fp}}+c_{\\text{fn}})\\,\\eta-c_{\\text{fp}}|$.",
    "With $t=c_{\\text{fp}}/(c_{\\text{fp}}+c_{\\text{fn}})$ sum $q_j\\,(c_{\\text{fp}}+c_{\\text{fn}})\\,|\\eta_j-t|$ "
    "over the points where exactly one of $\\eta_j$ and $\\hat\\eta_j$ is at least $t$.",
)
def q1(answer):
    """``answer(q, eta, eta_hat, c_fp, c_fn)`` is the excess risk of the rule that trusts eta_hat."""
    rng, one = np.random.default_rng(1), np.array([1])

    def holds(weight, eta, eta_hat, c_fp, c_fn):
        q, t, plus, minus = weight / weight.sum(), c_fp / (c_fp + c_fn), c_fp * (1 - eta), c_fn * eta
        least, differ = q @ np.minimum(plus, minus), (eta_hat >= t) != (eta >= t)

        def risk(says_plus):
            return q @ np.where(says_plus, plus, minus)

        want = risk(eta_hat >= t) - least
        equals(
            answer(q, eta, eta_hat, c_fp, c_fn),
            want,
            "the excess risk",
            (risk(eta_hat >= t), "that is the risk itself; subtract the risk of the best rule"),
            (risk(eta_hat >= 1 - t) - risk(eta >= 1 - t), "that is for the threshold 1 - t; exchange the costs"),
            (risk(eta_hat >= 0.5) - risk(eta >= 0.5), "that is for the threshold 1/2, right for equal costs only"),
            (q @ (np.abs(eta - t) * differ), "the factor c_fp + c_fn is missing"),
            (q @ (np.abs(2 * eta - 1) * differ), "|2 eta - 1| is for costs of one"),
            (risk(eta_hat > t) - least, "the rule says +1 also where eta_hat is exactly t"),
            (
                (c_fp + c_fn) * (q @ np.abs(eta_hat - eta)),
                "that is the bound to be shown on paper; the excess may be smaller",
            ),
            (2 * want, "that is twice as much; (c_fp + c_fn) |eta - t| is the whole difference of the two costs"),
            tried=show(q=q, eta=eta, eta_hat=eta_hat, c_fp=c_fp, c_fn=c_fn) + f", so t = {t:.4g}",
        )

    def valid(weight, eta, eta_hat, c_fp, c_fn):  # no ties but those that floats know
        return c_fp / (c_fp + c_fn) in (0.25, 0.5) or np.abs(eta_hat - c_fp / (c_fp + c_fn)).min() > 1e-6

    first = [
        (one, np.array([a]), np.array([b]), *costs)
        for costs in ((1, 1), (1, 3), (4, 1), (2, 3))
        for a, b in ((0.1, 0.65), (1.0, 0.0), (0.3, 0.3), (0.35, 0.7))
    ]
    ties = [(one, np.array([0.1]), np.array([0.5]), 1, 1), (one, np.array([0.0]), np.array([0.25]), 1, 3)]
    drawn = [
        (rng.integers(1, 6, n), rng.random(n), rng.random(n), *rng.integers(1, 9, 2).tolist())
        for n in (2, 3, 5, 10)
        for _ in range(5)
    ]
    for_all(first + ties + drawn, holds, valid)
    return "it is the risk of the plug-in rule minus the least risk of any rule, for many laws and costs."


@homework.question(
    "Two bells",
    "Bayes' rule: $\\eta(x)=1/(1+e^{-2\\mu x})$, because the squares cancel in the quotient of the two densities.",
    "$+1$ is worth saying where $\\eta(x)\\ge c_{\\text{fp}}/(c_{\\text{fp}}+c_{\\text{fn}})$, that is where "
    "$e^{2\\mu x}\\ge c_{\\text{fp}}/c_{\\text{fn}}$. Solve for $x$.",
    "A false positive needs $Y=-1$ and $X\\ge\\theta$: probability $\\frac12\\Phi(-\\theta-\\mu)$. A false negative "
    "needs $Y=+1$ and $X<\\theta$: probability $\\frac12\\Phi(\\theta-\\mu)$.",
)
def q2(answer):
    """``answer(mu, c_fp, c_fn)`` is (theta, risk): where the Bayes predictor begins to say +1, and the Bayes risk."""
    step = 2e-4
    x = np.arange(-12, 12, step)

    def holds(mu, c_fp, c_fn):
        theta, risk = two(answer(mu, c_fp, c_fn), "(theta, risk)")
        want, tried = math.log(c_fp / c_fn) / (2 * mu), show(mu=mu, c_fp=c_fp, c_fn=c_fn)
        equals(
            theta,
            want,
            "theta",
            (-want, "dearer false positives should move it up, not down"),
            (2 * want, "at theta the odds e^(2 mu theta) should be c_fp / c_fn"),
            (c_fp / (c_fp + c_fn), "that is the threshold for eta(x); the one for x is asked for"),
            tried=tried,
        )
        least = np.minimum(c_fp * norm.pdf(x, -mu), c_fn * norm.pdf(x, mu)).sum() * step / 2
        equals(
            risk,
            least,
            "the Bayes risk",
            (2 * least, "each label has probability one half"),
            ((c_fp * norm.cdf(want - mu) + c_fn * norm.cdf(-want - mu)) / 2, "the two errors are exchanged"),
            ((c_fp + c_fn) * norm.cdf(-mu) / 2, "that is the risk of the threshold 0"),
            (norm.cdf(-mu), "that is a probability of error; the errors have costs"),
            tried=tried,
        )

    costs = ((1, 1), (2, 1), (1, 3), (10, 1), (1, 20))
    for_all([(mu, *both) for both in costs for mu in (1.0, 0.5, 2.0, 0.3)], holds)
    return "theta is where the two costs cross, and the risk is the area under the smaller of them."


@homework.question(
    "Sort, then minimise",
    "Sort the points with their labels. When $\\theta$ moves up past a point, the prediction changes only there.",
    "Let $T=\\sum_iy_i$ and let $B$ be the sum of the labels at or below $\\theta$. The rule with $s=1$ agrees with "
    "the labels to the extent $\\sum_iy_ih(x_i)=T-2B$; the larger, the fewer errors.",
    "Take the place with the largest $|T-2B|$, among $\\theta=-\\infty$ and the places where the next point is larger; "
    "$s$ is the sign of $T-2B$ (if it is 0, either sign). As the rule asks for $x>\\theta$, a point of the sample "
    "will do as $\\theta$.",
)
def q3(answer):
    """``answer(x, y)`` is (theta, s) of the rule "s if x > theta, else -s" with the fewest errors on the sample."""
    rng = np.random.default_rng(3)

    def holds(x, y):
        theta, s = two(answer(x, y), "(theta, s)")
        theta, s, tried = float(array(theta, (), "theta")), number(s, "s"), show(x=x, y=y)
        require(
            s in (-1, 1) and not math.isnan(theta),
            "theta should be a number (or infinite) and s be -1 or +1, also where both signs are equally good.",
            tried=tried,
            got=f"theta = {theta:g}, s = {s:g}",
        )
        up = [np.sum(np.where(x > cut, 1, -1) != y) for cut in (-np.inf, *x)]  # errors with s = 1
        least, errors = min(*up, len(y) - max(up)), np.sum(np.where(x > theta, s, -s) != y)
        hints = (
            (min(up) if s < 0 else len(y) - max(up), f" A rule with s = {-s:+.0f} is better."),
            (np.sum(np.where(x >= theta, s, -s) != y), " Mind that the rule says s where x > theta, not >=."),
            (min(up[0], len(y) - up[0]), " A constant rule is among the best; theta = -inf is allowed."),
        )
        hint = "".join(text for count, text in hints if count == least)
        require(
            errors == least,
            f"another rule makes fewer errors.{hint}",
            tried=tried,
            got=f"theta = {theta:g}, s = {s:g}; errors: {errors}",
            should=f"errors: {least}",
        )

    first = [(np.arange(1.0, m + 1), np.array(y)) for m in (1, 2, 3) for y in itertools.product((-1, 1), repeat=m)]
    first += [(np.ones(2), np.array([1, -1])), (np.ones(4), np.array([1, -1, -1, 1]))]
    drawn = [(rng.permutation(m) / 2, rng.choice((-1, 1), m)) for m in (4, 5, 8, 30)]
    equal = [(rng.integers(0, 4, m) / 2 - 1, rng.choice((-1, 1), m)) for m in (2, 3, 5, 8, 12) for _ in range(4)]
    long = rng.normal(size=2000)
    for_all([*first, *drawn, *equal, (long, np.where(long + rng.normal(size=2000) > 0.5, -1, 1))], holds)
    return "no rule makes fewer errors: all were tried, with both signs, also on equal points."


@homework.question(
    "How large a test set?",
    "Hoeffding for both tails: the test error is off by $\\epsilon$ or more with probability at most "
    "$2e^{-2n\\epsilon^2}$. Solve for $n$, and round in the safe direction.",
    "The number of errors $k$ is binomial with parameters $n$ and $p$. Which values of $k$ keep the promise?",
    "Add up the binomial probabilities of those $k=0,\\dots,n$ with $|k/n-p|\\le\\epsilon$.",
)
def q4(answer):
    """``answer(epsilon, delta, p)`` is (n, coverage): the least n by Hoeffding, and P(|test error - p| <= epsilon)."""

    def holds(epsilon, delta, p):
        n, coverage = two(answer(epsilon, delta, p), "(n, coverage)")
        tried = show(epsilon=epsilon, delta=delta, p=p)
        want, one = (math.ceil(math.log(tails / delta) / (2 * epsilon**2)) for tails in (2, 1))
        smallest(
            n,
            want,
            lambda n: 2 * math.exp(-2 * n * epsilon**2),
            delta,
            "n",
            (one, "that is for one tail; the test error may be too large or too small"),
            tried=tried,
        )
        k, tried = np.arange(want + 1), f"{tried}, n = {want}"
        off, chance = np.abs(k / want - p), binom.pmf(k, want, p)
        exact = chance[off <= epsilon].sum()
        ends = np.flatnonzero(off <= epsilon)[[0, -1]]
        slips = [(exact - chance[k], f"the term of k = {k} is missing, which is within epsilon") for k in ends]
        slips += [(0, "k starts at 0, not at n(p - epsilon), which is negative here")] * (p < epsilon)
        equals(
            coverage,
            exact,
            "the coverage",
            (1 - exact, "that is the probability of a miss"),
            *slips,
            (chance[off < epsilon].sum(), "a test error that is off by exactly epsilon keeps the promise too"),
            (1 - delta, "that is what is promised; the exact probability is asked for"),
            (1 - 2 * math.exp(-2 * want * epsilon**2), "that is Hoeffding's bound, not exact"),
            tried=tried,
        )
        return exact

    for_all(
        [
            (0.3, 0.2, 0.5),
            (0.2, 0.3, 0.4),
            (0.25, 0.3, 0.5),
            (0.1, 0.1, 0.47),
            (0.1, 0.1, 0.15),
            (0.1, 0.1, 0.05),
            (0.1, 0.1, 0.97),
            (0.12, 0.5, 0.33),
            (0.07, 0.01, 0.5),
            (0.05, 0.05, 0.3),
            (0.01, 0.05, 0.45),
            (0.02, 0.3, 0.5),
        ],
        holds,
    )  # off by exactly 0.25 in the third, which floats know; nowhere else a tie
    return f"738 examples for 0.05 and 0.05. At p = 1/2 the promised 95 % are in fact {holds(0.05, 0.05, 0.5):.2%}."


@homework.question(
    "How large a training set?",
    "Each rule alone: Hoeffding gives $2e^{-2m\\epsilon^2}$ for both tails. For all $N$ at once, add up.",
    "A rule of risk $\\epsilon$ or more is right on one example with probability at most $1-\\epsilon$. And on $m$ "
    "independent examples? Then add up over all $N$ rules, as if each could be bad.",
    "Solve $2Ne^{-2m\\epsilon^2}\\le\\delta$ and $N(1-\\epsilon)^m\\le\\delta$ for $m$, and round up.",
)
def q5(answer):
    """``answer(N, epsilon, delta)`` is (m, m0): enough examples for N rules, and enough if a perfect rule exists."""

    def holds(N, epsilon, delta):
        def size(c, rate):
            return math.ceil(math.log(c / delta) / rate)

        m, m0 = two(answer(N, epsilon, delta), "(m, m0)")
        tried, rate, lucky = show(N=N, epsilon=epsilon, delta=delta), 2 * epsilon**2, -math.log1p(-epsilon)
        smallest(
            m,
            size(2 * N, rate),
            lambda m: 2 * N * math.exp(-rate * m),
            delta,
            "m",
            (size(2, rate), "that is for one rule; all N deviations must be small at once"),
            (size(N, rate), "an empirical risk may be too large or too small, so both tails count"),
            (size(2 * N, rate / 4), "that is for deviations below epsilon / 2"),
            tried=tried,
        )
        smallest(
            m0,
            size(N, lucky),
            lambda m: N * (1 - epsilon) ** m,
            delta,
            "m0",
            (size(1, lucky), "that is for one rule; any of N bad rules might survive"),
            (
                size(max(N - 1, 1), lucky),
                "at most N - 1 rules can be bad, that is true, but the sum is asked for "
                "over all N, as if each could be",
            ),
            (size(2 * N, lucky), "only one thing can go wrong, a bad rule without an error: no second tail"),
            (size(N, epsilon), "1 - epsilon <= e^(-epsilon) gave something away, fewer are enough"),
            tried=tried,
        )

    for_all(
        [
            (N, epsilon, delta)
            for N in (3, 1, 10, 1000, 10**6)
            for epsilon, delta in ((0.3, 0.2), (0.1, 0.1), (0.05, 0.01), (0.02, 0.5))
        ],
        holds,
    )
    return "the smallest numbers that the union bound gives: like 1/epsilon^2, and like 1/epsilon with a perfect rule."


@homework.question(
    "Following coins",
    "For one sign vector $\\sigma$ the $N$ numbers $\\sum_i\\sigma_ih(x_i)$ are the matrix times the vector.",
    "`itertools.product((-1, 1), repeat=m)` lists all sign vectors.",
    "For each $\\sigma$ take the maximum over the rules; then the mean over all $\\sigma$; then divide by $m$.",
)
def q6(answer):
    """``answer(values)`` is the empirical Rademacher complexity of a finite class, values[h, i] = h(x_i), exactly."""
    rng = np.random.default_rng(6)

    def holds(values):
        m, agreements = values.shape[1], theory.all_signs(values.shape[1]) @ values.T
        want, absolute = agreements.max(axis=1).mean() / m, np.abs(agreements).max(axis=1).mean() / m
        equals(
            answer(values),
            want,
            "the complexity",
            (m * want, "it should be divided by m"),
            (2 * want, "the factor is 1/m, not 2/m"),
            (absolute, "there is no absolute value in the definition; with it, even one rule is not simple"),
            (2 * absolute, "that is the definition with 2/m and an absolute value"),
            (agreements.max() / m, "that is the largest agreement; the mean over all sign vectors is asked for"),
            (0, "the maximum comes first, then the mean: each rule alone has mean zero"),
            tried=f"values = {matrix(values)}",
        )

    known = [
        np.ones((1, 4)),
        np.array([[1.0, -1, 1]]),
        np.array([[1.0, 1, 1], [-1, -1, -1], [1, -1, 1]]),
        np.array([[1.0], [-1]]),
        *map(theory.all_signs, (2, 3, 5)),
    ]
    drawn = [rng.choice((-1.0, 1.0), shape) for shape in ((2, 2), (3, 4), (5, 6), (20, 8))]
    real = [scale * rng.normal(size=(N, m)) for scale, N, m in ((1, 3, 2), (5, 4, 5), (0.1, 7, 9))]
    for_all([(values,) for values in (*known, *drawn, *real)], holds)
    return "0 for one rule, 1 for all of them, and exact in between, for real values too."


@homework.question(
    "Three hundred coins, exactly",
    "Sort. If $s_k$ is the sum of the $k$ lowest signs, the rule that cuts after them agrees to the extent $s_m-2s_k$. "
    "As $\\mathbb{E}s_m=0$, all you need is the mean of $-\\min_ks_k$, over the places $k$ where a cut is possible.",
    "Walk along the points and keep the law of the height $d=s_k-\\min_{j\\le k}s_j\\ge0$, at most $m+1$ numbers. "
    "What happens at $d=0$ when the next sign is $-1$?",
    "A group of $g$ equal points is one step: $d$ becomes $d+2B-g$, $B$ binomial with parameters $g$, $\\frac12$. If "
    "that is negative, the minimum falls by just so much, and $d$ is $0$ again. Add up the mean falls; the complexity "
    "is $\\frac2m$ times their sum.",
)
def q7(answer):
    """``answer(x)`` is the empirical Rademacher complexity of the rules "+1 if x > theta, else -1", exactly."""
    rng = np.random.default_rng(7)

    def holds(x):
        m, counts = len(x), np.unique(x, return_counts=True)[1]
        want = theory.threshold_complexity(m) if len(counts) == m else 2 * _mean_fall(counts) / m
        slips = [(theory.threshold_complexity(m), "no threshold has equal points on different sides")]
        if m <= 10:
            rules = np.where(x > np.append(x, -np.inf)[:, None], 1, -1)
            want, both = theory.rademacher(rules), theory.rademacher(np.vstack([rules, -rules]))
            slips.append((both, "that is for thresholds of both signs, or with an absolute value"))
        equals(answer(x), want, "the complexity", *slips, tried=f"{show(x=x)} (m = {m})")

    few = [np.zeros(1), np.arange(2.0), np.zeros(2), np.array([1.0, 0.0, 1.0]), np.arange(3.0), np.zeros(5)]
    few += [rng.integers(0, n, m) / 2 for n, m in ((2, 4), (3, 6), (4, 8), (20, 9), (5, 10))]
    for_all([(x,) for x in few], holds)
    start = time.perf_counter()
    answer(np.arange(20.0))
    require(
        time.perf_counter() - start < 0.5,
        "right for few points, but 20 take too long, and 300 would take for "
        "ever: there are 2^m sign vectors. Do not go through them; keep the law of one number instead.",
    )
    many = [np.zeros(100), np.sort(rng.integers(0, 15, 40)) / 2, rng.integers(0, 30, 60) / 4, rng.permutation(300) / 2]
    for_all([(x,) for x in many], holds)
    return "exact, for equal points too, and for 300 points, which have 2^300 sign vectors."


def _mean_fall(counts):
    """E max(0, -s) over the group ends of a walk with so many fair signs a group: the sum of P(fall >= level)."""
    m, mean = counts.sum(), 0.0
    for level in range(1, m + 1):
        alive = np.arange(-m, m + 1) == 0.0  # the law of s while s > -level
        for g in counts:
            alive = np.convolve(alive, np.insert(binom.pmf(np.arange(g + 1), g, 0.5), range(1, g + 1), 0))[g:-g]
            alive[: m - level + 1] = 0
        mean += 1 - alive.sum()
    return mean


@homework.question(
    "All or almost nothing",
    "A set of $k$ columns is shattered if these columns alone form a matrix with $2^k$ different rows.",
    "`itertools.combinations(range(m), k)` lists the sets of $k$ columns, `np.unique(..., axis=0)` the different rows. "
    "The empty set is always shattered.",
    "Sauer's bound is $\\binom m0+\\binom m1+\\dots+\\binom mV$.",
)
def q8(answer):
    """``answer(values)`` is (V, most): the VC dimension of a class, and the most labellings that m and V allow."""
    rng = np.random.default_rng(8)

    def holds(values):
        V, most = two(answer(values), "(V, most)")
        m, rows, sets = values.shape[1], len(np.unique(values, axis=0)), theory.shattered_sets(values)
        V, right = number(V, "V"), len(sets[-1])
        tried = f"values = {matrix(values)}: {m} points, {rows} different rows"
        require(V <= right, "V is too large: no set of so many columns is shattered.", tried=tried, got=f"V = {V:g}")
        require(
            V == right,
            "V is too small: a larger set of columns is shattered.",
            tried=tried,
            got=f"V = {V:g}",
            should=f"the columns {sets[-1]}, counted from 0, have all {2**right} labellings",
        )
        equals(
            most,
            theory.sauer(m, right),
            "Sauer's bound",
            (rows, "that is the number of rows here; it should bound all classes with this m and V"),
            (2**right, "that is the number of labellings of V points"),
            (2**m, "that is the number of all labellings, which only V = m allows"),
            ((math.e * m / max(right, 1)) ** right, "that is (em/V)^V, a bound that is easy to write but larger"),
            (math.comb(m, right), "that is one binomial coefficient; smaller sets of columns count as well"),
            tried=f"{tried}, V = {right}",
        )

    up, cube = theory.threshold_class(5), theory.all_signs(5).astype(int)
    known = [
        np.ones((1, 1), int),
        np.ones((3, 2), int),
        np.array([[1], [-1]]),
        up[1:4, 1:],
        up[[0, 5], :2],
        *(theory.all_signs(m).astype(int) for m in (2, 3)),
        cube,
        up,
        np.vstack([up, -up]),
        *(theory.interval_class(*mk) for mk in ((4, 1), (6, 1), (6, 2))),
        *(cube[(cube > 0).sum(axis=1) <= V] for V in (1, 2, 3)),
    ]
    drawn = [rng.choice((-1, 1), shape) for shape in ((2, 3), (5, 4), (9, 5), (12, 5), (30, 6), (40, 7))]
    a, b, c = free = theory.all_signs(3).astype(int).T
    most = np.sign(sum(free))  # with it no column makes a shattered three: whoever takes it too early is lost
    trap = np.column_stack([most, a, most, b, most, c, most])
    for_all([*((rng.permutation(values, axis=1),) for values in known + drawn), (trap,)], holds)
    return "V is right, and your bound is attained: by intervals, and by all the rows with at most V times +1."


@homework.question(
    "What does cross-validation estimate?",
    "One pass of a loop for each fold: `test = np.arange(m) % n_folds == j` marks its examples, `~test` all others.",
    "Train a new predictor on the others and take its fraction of errors on the fold; average the $K$ fractions.",
    "Every example is left out of exactly one of the $K$ training sets; on average they have $m-\\frac mK$ examples.",
)
def q9(answer):
    """``answer(learn, X, y, n_folds)`` is (estimate, t): the K-fold estimate, and the sample size it speaks about."""
    rng = np.random.default_rng(9)

    def holds(learn, m, n_folds):
        X = np.column_stack([np.arange(m), rng.choice(10**6, m, replace=False)])
        y = rng.permutation(np.arange(m) % 2 * 2 - 1)
        fold, log, tried = np.arange(m) % n_folds, [], f"the rule {learn.__name__}, {show(n_folds=n_folds, y=y)}"
        estimate, t = two(answer(_spied(learn, X, y, log), X, y, n_folds), "(estimate, t)")
        wrong = np.array([learn(X[fold != j], y[fold != j])(X) != y for j in range(n_folds)])
        mean = np.mean([wrong[j, fold == j].mean() for j in range(n_folds)])
        if not np.isclose(number(estimate, "the estimate"), mean, rtol=1e-6, atol=1e-7):
            _explain(log, fold, tried)
        equals(
            estimate,
            mean,
            "the estimate",
            (wrong[fold, range(m)].mean(), "average over the folds, not over the examples"),
            (1 - mean, "that is the fraction of right answers"),
            (wrong.mean(), "a predictor is judged on its own fold alone, not on what it was trained on"),
            tried=tried,
        )
        equals(
            t,
            m * (1 - 1 / n_folds),
            "t",
            (m, "none of the predictors has seen all m examples"),
            (m / n_folds, "that is the size of a fold, on which one only tests"),
            tried=f"m = {m}, {tried}",
        )

    sizes = ((2, 2), (4, 4), (4, 2), (5, 2), (6, 6), (7, 3), (11, 4), (12, 5), (20, 5))
    for_all([(learn, m, n_folds) for m, n_folds in sizes for learn in (majority, nearest, fickle)], holds)
    labels = [np.array(y) for y in itertools.product((-1, 1), repeat=6)]
    mean = sum(0.7 ** (y > 0).sum() * 0.3 ** (y < 0).sum() * answer(majority, y[:, None], y, 3)[0] for y in labels)
    at = [0.3 + 0.4 * binom.cdf(size // 2 - 1, size, 0.7) for size in (4, 6)]
    return (
        "each example is tested once, unseen. Over all samples of 6 coins, P(+1) = 0.7, the 3-fold estimate of the "
        f"majority rule is {mean:.5f} on average; its risk after 4 examples is {at[0]:.5f}, after 6 {at[1]:.5f}."
    )


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


def _explain(log, fold, tried):
    """Why an estimate is wrong, if it is for what the predictors were trained and tested on."""
    for train, test in log:
        if any(train == np.flatnonzero(fold != j).tolist() for j in fold):
            continue  # then it may be asked about anything
        require(not {*train} & {*test}, f"a predictor is tested on {test} but trained on {train}.", tried=tried)
        require(
            len({*fold[test]}) == 1,
            f"the examples {test} are tested together.",
            tried=tried,
            should="example i, counted from 0, belongs to fold i mod n_folds",
        )
        raise Wrong(
            f"a predictor is trained on {train} and tested on {test}.",
            tried=tried,
            should="train on all the examples of the other folds, once each",
        )
    tested = {i for train, test in log for i in test if i not in train}
    for i in {*range(len(fold))} - tested:
        seen = next((f"a predictor is tested on {test} but trained on {train}" for train, test in log if i in test), "")
        raise Wrong(f"{seen or f'every example should be tested; number {i}, counted from 0, never is'}.", tried=tried)


def _spied(learn, sample, labels, log):
    """``learn``, which logs what each predictor was trained and tested on; the first coordinate is the index."""

    def indices(points, whose):
        points = np.asarray(points)
        require(
            points.ndim == 2 and np.isin(points, sample).all(),
            f"{whose} needs a matrix of rows of X, got shape "
            f"{points.shape}: X[i] is one point, X[[i]] is a matrix with one row.",
        )
        return points[:, 0].astype(int).tolist()

    def spied(X, y):
        train = indices(X, "learn")
        require(np.array_equal(labels[train], y), f"learn was given the examples {train}, but not the labels of these.")
        h = learn(X, y)

        def predict(points):
            log.append((sorted(train), indices(points, "a predictor")))
            return h(points)

        return predict

    return spied
