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

homework = Homework(
    "risk_and_bounds",
    "Risk and bounds",
    r"""A rule made seven errors on two hundred examples. Could any rule have done better? What will it do on the next
    two hundred? And does the answer change if it was picked from a thousand rules *because* it made only seven? Nine
    questions take you through the first part of the book: the best that is possible, the best on a sample, what a
    sample can promise, how large a class really is, and what cross-validation measures. At the end you have nine small
    functions that answer such questions with numbers, and you know which of the numbers are exact, which are promises,
    and how much the promises give away.

    The homework follows the introductions of Amini, Kondor and Vayatis and lectures 6 to 8 of the Milan notes. It goes
    with {doc}`../erm`, {doc}`../concentration`, {doc}`../consistency` and {doc}`../cross-validation`, and starts from
    the costs of {doc}`../learning-from-data`. The questions can be done in any order, though each prepares the next;
    three or four hours are a good measure, and question 7 deserves an evening of its own.""",
    imports="import itertools\nimport math\n\nimport numpy as np\nfrom scipy.stats import binom, norm",
)
progress = homework.progress


def matrix(values):
    """All entries of a matrix, in one line."""
    text = np.array2string(values, precision=4, separator=", ", threshold=10**4, suppress_small=True)
    return f"values = {' '.join(text.split())}"


@homework.question(
    "The price of a wrong probability",
    r"Fix a point. Saying $+1$ costs $c_{\text{fp}}(1-\eta)$ on average, saying $-1$ costs $c_{\text{fn}}\,\eta$. For "
    r"which $\eta$ is the first at most the second?",
    "Where the two rules agree they cost the same. Where they differ, the costs differ by "
    r"$|(c_{\text{fp}}+c_{\text{fn}})\,\eta-c_{\text{fp}}|$.",
    r"With $t=c_{\text{fp}}/(c_{\text{fp}}+c_{\text{fn}})$ sum $q_j\,(c_{\text{fp}}+c_{\text{fn}})\,|\eta_j-t|$ over "
    r"the points where exactly one of $\eta_j$ and $\hat\eta_j$ is at least $t$.",
    proof=True,
)
def q1(answer):
    r"""A false alarm and a missed alarm seldom cost the same. Let saying $+1$ when the label is $-1$ (a false positive)
    cost $c_{\text{fp}}>0$, let saying $-1$ when the label is $+1$ (a false negative) cost $c_{\text{fn}}>0$, and let
    right answers be free. There are finitely many points; point $j$ has probability $q_j$, and there the label is $+1$
    with probability $\eta_j$. Show that a best rule $f^*$ says $+1$ exactly where $\eta_j\ge t$, with a number $t$ that
    depends on the costs alone.

    Nobody knows $\eta$. Somebody has an estimate $\hat\eta$ and trusts it: this rule says $+1$ where $\hat\eta_j\ge t$,
    with the same $t$, and $-1$ elsewhere. What does the trust cost? Write `excess(q, eta, eta_hat, c_fp, c_fn)`, the
    risk of this rule minus the risk of $f^*$, where the risk is the expected cost and `q`, `eta`, `eta_hat` are arrays
    of one length. Then show on paper that it is never more than
    $(c_{\text{fp}}+c_{\text{fn}})\sum_jq_j\,|\hat\eta_j-\eta_j|$: a good probability is enough for a good decision.
    (Take care with what you say at a point and what happens there. One of the notes exchanges the two conditional
    risks, {ref}`M18 <erratum-M18>`; another has a Bayes rule that answers $0$ where the labels are $\pm1$, {ref}`EV1
    <erratum-EV1>`.)"""
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


@q1.solved_by
def excess(q, eta, eta_hat, c_fp, c_fn):
    r"""Fix a point. Saying $+1$ costs $c_{\text{fp}}(1-\eta)$ on average, saying $-1$ costs $c_{\text{fn}}\,\eta$, and

    $$
    c_{\text{fn}}\,\eta-c_{\text{fp}}(1-\eta)=(c_{\text{fp}}+c_{\text{fn}})(\eta-t),\qquad
    t=\frac{c_{\text{fp}}}{c_{\text{fp}}+c_{\text{fn}}} .
    $$

    So $+1$ is no dearer than $-1$ if and only if $\eta\ge t$, which gives the rule $f^*$. Where $h=f^*$ the costs
    agree; where $h\ne f^*$ they differ by $(c_{\text{fp}}+c_{\text{fn}})|\eta-t|$, in favour of $f^*$. Take the mean
    over the points:

    $$
    \ell_{\mathcal{D}}(h)-\ell_{\mathcal{D}}(f^*)=(c_{\text{fp}}+c_{\text{fn}})\;
    \mathbb{E}\,|\eta(X)-t|\,\mathbf{1}\{h(X)\ne f^*(X)\} .
    $$

    If $h$ says $+1$ where $\hat\eta\ge t$, then $h\ne f^*$ means that $t$ lies between $\eta$ and $\hat\eta$, and
    there $|\eta-t|\le|\hat\eta-\eta|$. So the excess is at most
    $(c_{\text{fp}}+c_{\text{fn}})\,\mathbb{E}|\hat\eta-\eta|$, with equality if $\hat\eta=t>\eta$ everywhere. Costs of
    one give {prf:ref}`thm-excess-risk` and {prf:ref}`cor-plug-in`, since then $2|\eta-\frac12|=|2\eta-1|$."""
    t = c_fp / (c_fp + c_fn)
    differ = (eta_hat >= t) != (eta >= t)
    return (c_fp + c_fn) * (q @ (np.abs(eta - t) * differ))


@homework.question(
    "Two bells",
    r"Bayes' rule: $\eta(x)=1/(1+e^{-2\mu x})$, because the squares cancel in the quotient of the two densities.",
    r"$+1$ is worth saying where $\eta(x)\ge c_{\text{fp}}/(c_{\text{fp}}+c_{\text{fn}})$, that is where $e^{2\mu "
    r"x}\ge c_{\text{fp}}/c_{\text{fn}}$. Solve for $x$.",
    r"A false positive needs $Y=-1$ and $X\ge\theta$: probability $\frac12\Phi(-\theta-\mu)$. A false negative needs "
    r"$Y=+1$ and $X<\theta$: probability $\frac12\Phi(\theta-\mu)$.",
    returns="theta, risk",
    proof=True,
)
def q2(answer):
    r"""What is the least risk that anybody can have? For most laws nobody can tell. Here is one where a formula can.
    The label is $Y=+1$ or $-1$ with probability one half each, and given $Y$ the point $X$ is normal with mean $\mu Y$,
    $\mu>0$, and variance one: two bells that overlap. Errors cost what they cost in question 1. Show that the Bayes
    predictor says $+1$ exactly for $x\ge\theta$, and write `gaussian_pair(mu, c_fp, c_fn)`, which returns $\theta$ and
    the Bayes risk. The normal distribution function $\Phi$ is `norm.cdf`. (With costs of one this is {ref}`an exercise
    of the chapter <ex-erm-gaussians>`. Before you compute: which way does $\theta$ move when false positives become
    dearer?)"""
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


@q2.solved_by
def gaussian_pair(mu, c_fp, c_fn):
    r"""The priors are equal, so by Bayes' rule

    $$
    \frac{\eta(x)}{1-\eta(x)}=\frac{e^{-(x-\mu)^2/2}}{e^{-(x+\mu)^2/2}}=e^{2\mu x} .
    $$

    By question 1 the Bayes predictor says $+1$ where $c_{\text{fn}}\,\eta\ge c_{\text{fp}}(1-\eta)$, that is where
    $e^{2\mu x}\ge c_{\text{fp}}/c_{\text{fn}}$, that is for
    $x\ge\theta=\frac1{2\mu}\ln\frac{c_{\text{fp}}}{c_{\text{fn}}}$.

    Given $Y=-1$, $X+\mu$ is standard normal, and $X\ge\theta$ has probability $\Phi(-\theta-\mu)$. Given $Y=+1$,
    $X-\mu$ is standard normal, and $X<\theta$ has probability $\Phi(\theta-\mu)$. Each label has probability
    $\frac12$:

    $$
    \ell_{\mathcal{D}}(f^*)=\tfrac12c_{\text{fp}}\,\Phi(-\theta-\mu)+\tfrac12c_{\text{fn}}\,\Phi(\theta-\mu) .
    $$

    With costs of one, $\theta=0$ and the risk is $\Phi(-\mu)$. If one cost is much larger than the other, $\theta$ is
    far out and the risk is nearly half of the *smaller* cost: the best rule almost never makes the dear error."""
    theta = np.log(c_fp / c_fn) / (2 * mu)
    risk = (c_fp * norm.cdf(-theta - mu) + c_fn * norm.cdf(theta - mu)) / 2
    return theta, risk


@homework.question(
    "Sort, then minimise",
    r"Sort the points with their labels. When $\theta$ moves up past a point, the prediction changes only there.",
    r"Let $T=\sum_iy_i$ and let $B$ be the sum of the labels at or below $\theta$. The rule with $s=1$ agrees with "
    r"the labels to the extent $\sum_iy_ih(x_i)=T-2B$; the larger, the fewer errors.",
    r"Take the place with the largest $|T-2B|$, among $\theta=-\infty$ and the places where the next point is larger; "
    r"$s$ is the sign of $T-2B$ (if it is 0, either sign). As the rule asks for $x>\theta$, a point of the sample "
    r"will do as $\theta$.",
    returns="theta, s",
)
def q3(answer):
    r"""Now the law is unknown, and there is a sample: numbers $x_1,\dots,x_m$, some of them perhaps equal, with labels
    $y_i=\pm1$. The class consists of the rules "$s$ if $x>\theta$, else $-s$", with a threshold $\theta$, which may be
    $-\infty$ or $+\infty$, and a sign $s=\pm1$. Write `best_threshold(x, y)`, which returns a pair $(\theta,s)$ with as
    few errors on the sample as any rule of the class. If there are several, any will do. Trying every rule on every
    example takes of the order of $m^2$ steps; sort first and you need no more than $m\log m$. Equal points are where
    this goes wrong: a threshold cannot part them."""
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


@q3.solved_by
def best_threshold(x, y):
    r"""For labels $\pm1$ the number of errors is $\frac12(m-a)$, where $a=\sum_iy_ih(x_i)$ is the agreement. With $T$
    the sum of all labels and $B$ the sum of those at or below $\theta$, the rule with $s=1$ has $a=(T-B)-B=T-2B$, and
    the rule with $s=-1$ has $-a$. So the best rule has the largest $|T-2B|$, and $s$ is the sign of $T-2B$ (if it
    is $0$, either sign).

    On the sample a rule is given by the set of points above $\theta$. These sets are: all points ($\theta=-\infty$,
    $B=0$), and the points above $x_{(i)}$ for each place $i$ of the sorted sample whose next point is larger. (No
    point above $\theta$ is the first case with the other sign.) At a place between equal points there is no cut; its
    cumulative sum is not the $B$ of any rule, so it is put to $0$, which beats no rule (and if it is the largest,
    every rule errs on half of the sample). All $B$ are one cumulative sum, so sorting is the dearest step:
    $O(m\log m)$ instead of the $O(m^2)$ of trying every rule."""
    order = np.argsort(x)
    x, below = x[order], np.cumsum(y[order])
    agreement = below[-1] - 2 * below  # of the rule with s = 1 that cuts after each place
    agreement[-1] = below[-1]  # instead of a cut after the last place, one below everything
    agreement[:-1][x[:-1] == x[1:]] = 0  # no cut between equal points
    i = np.abs(agreement).argmax()
    theta = x[i] if i < len(x) - 1 else -np.inf
    return theta, 1 if agreement[i] >= 0 else -1


@homework.question(
    "How large a test set?",
    r"Hoeffding for both tails: the test error is off by $\epsilon$ or more with probability at most "
    r"$2e^{-2n\epsilon^2}$. Solve for $n$, and round in the safe direction.",
    "The number of errors $k$ is binomial with parameters $n$ and $p$. Which values of $k$ keep the promise?",
    r"Add up the binomial probabilities of those $k=0,\dots,n$ with $|k/n-p|\le\epsilon$.",
    returns="n, coverage",
)
def q4(answer):
    r"""A finished predictor, of true risk $p$ for the zero-one loss, meets a test set of $n$ independent examples. You
    want its test error to be within $\epsilon$ of $p$, except with probability $\delta$, and you do not know $p$. What
    is the smallest $n$ for which Hoeffding's inequality promises this?

    A promise is a bound, and it may give a lot away. How much it gives away can be computed: for a given $p$ the
    probability that $|\text{test error}-p|\le\epsilon$ is a finite sum. Write `test_set(epsilon, delta, p)`, which
    returns that smallest whole number $n$ and the exact probability at this $n$. The famous number for
    $\epsilon=\delta=0.05$ is $738$. (Is your inequality about a sum or about an average? The slides print a mixture of
    the two, {ref}`EA21 <erratum-EA21>`, and make up for it by a second slip, {ref}`EA22 <erratum-EA22>`.)"""

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


@q4.solved_by
def test_set(epsilon, delta, p):
    r"""The losses on the test set are independent, lie in $[0,1]$ and have mean $p$. By Hoeffding's inequality for
    averages ({prf:ref}`cor-hoeffding-mean`), once for each tail,

    $$
    \mathbb{P}\bigl(|\hat\ell_{S'}(h)-p|\ge\epsilon\bigr)\le2e^{-2n\epsilon^2} .
    $$

    This is at most $\delta$ if and only if $n\ge\frac1{2\epsilon^2}\ln\frac2\delta$. For $\epsilon=\delta=0.05$ the
    right side is $737.8$, so $n=738$: a promise is rounded in the direction in which it still holds.

    The number of errors is binomial with parameters $n$ and $p$. So the probability that the promise is kept needs no
    inequality at all, it is the sum of $\binom nkp^k(1-p)^{n-k}$ over the $k$ with $|\frac kn-p|\le\epsilon$. It is
    larger than promised. For $\epsilon=\delta=0.05$ and $p=\frac12$ a miss has probability $0.7\,\%$, not $5\,\%$; for
    small $p$, where the variance $p(1-p)$ of a loss is far below the $\frac14$ that Hoeffding has in mind, a miss is
    rarer still by orders of magnitude."""
    n = math.ceil(math.log(2 / delta) / (2 * epsilon**2))
    k = np.arange(n + 1)
    kept = np.abs(k / n - p) <= epsilon
    return n, binom.pmf(k, n, p)[kept].sum()


@homework.question(
    "How large a training set?",
    r"Each rule alone: Hoeffding gives $2e^{-2m\epsilon^2}$ for both tails. For all $N$ at once, add up.",
    r"A rule of risk $\epsilon$ or more is right on one example with probability at most $1-\epsilon$. And on $m$ "
    "independent examples? Then add up over all $N$ rules, as if each could be bad.",
    r"Solve $2Ne^{-2m\epsilon^2}\le\delta$ and $N(1-\epsilon)^m\le\delta$ for $m$, and round up.",
    returns="m, m0",
    proof=True,
)
def q5(answer):
    r"""One test set serves one rule. If the rule is chosen by its performance on the sample, *all* candidates must be
    under control before the choice. Let there be $N$ rules, fixed before the sample is drawn, with losses in $[0,1]$;
    $0<\epsilon<1$ and $0<\delta<1$. Find two numbers.

    First, in general: the smallest $m$ for which Hoeffding's inequality and the union bound promise that, with
    probability at least $1-\delta$, the empirical risk of *every* rule differs from its true risk by less than
    $\epsilon$. (The Milan notes print a deviation that is twice as wide as necessary, {ref}`M26 <erratum-M26>`. How
    many times too many examples is that?)

    Second, for the zero-one loss and a class with a perfect rule, of risk zero: ERM will return some rule without an
    error on the sample, and the danger is that a bad one is among them. Bound the probability that a single rule of
    risk $\epsilon$ or more makes no error on $m$ examples as well as can be done, add up over all $N$ rules, as if each
    could be bad, and find the smallest number $m_0$ of examples for which the result is at most $\delta$. Write
    `sizes(N, epsilon, delta)`, which returns $m$ and $m_0$, both whole numbers."""

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


@q5.solved_by
def sizes(N, epsilon, delta):
    r"""*In general.* For one fixed rule, Hoeffding's inequality gives
    $\mathbb{P}(|\hat\ell_S(h)-\ell_{\mathcal{D}}(h)|\ge\epsilon)\le2e^{-2m\epsilon^2}$. The union bound adds this up
    over the class: some rule deviates by $\epsilon$ or more with probability at most $2Ne^{-2m\epsilon^2}$. This is at
    most $\delta$ if and only if $m\ge\frac1{2\epsilon^2}\ln\frac{2N}\delta$. With $N=1$ it is the size of a test set.
    Whoever works with a deviation twice as wide as necessary has to ask for $\frac\epsilon2$ in place of $\epsilon$,
    and for four times as many examples.

    *If a perfect rule exists,* ERM returns a rule without an error on the sample. A fixed rule of risk $r\ge\epsilon$
    is right on all $m$ independent examples with probability $(1-r)^m\le(1-\epsilon)^m$. Count all $N$ rules as if each
    could be bad: by the union bound some bad rule survives with probability at most $N(1-\epsilon)^m$, which is at most
    $\delta$ if and only if $m\ge\ln\frac N\delta\,/\ln\frac1{1-\epsilon}$. (One rule is perfect, so at most
    $N-1$ are bad, and $N-1$ in place of $N$ would do; it makes hardly a difference.)

    As $1-\epsilon\le e^{-\epsilon}$, the last probability is at most $Ne^{-\epsilon m}$, and
    $m\ge\frac1\epsilon\ln\frac N\delta$ is enough: the usual form ({prf:ref}`thm-realisable`), a little larger, and
    easier to remember. For one bad rule of risk exactly $\epsilon$ the probability *is* $(1-\epsilon)^m$: there nothing
    better is true."""
    m = math.log(2 * N / delta) / (2 * epsilon**2)
    m0 = math.log(N / delta) / -math.log1p(-epsilon)
    return math.ceil(m), math.ceil(m0)


@homework.question(
    "Following coins",
    r"For one sign vector $\sigma$ the $N$ numbers $\sum_i\sigma_ih(x_i)$ are the matrix times the vector.",
    "`itertools.product((-1, 1), repeat=m)` lists all sign vectors.",
    r"For each $\sigma$ take the maximum over the rules; then the mean over all $\sigma$; then divide by $m$.",
)
def q6(answer):
    r"""Counting rules is a crude measure: a thousand rules that always agree are one rule. A better one asks how well
    the class can follow pure chance. On points $x_1,\dots,x_m$ let a class of $N$ functions be given by the matrix of
    its values, `values[h, i]` $=h(x_i)$, any real numbers. Toss fair and independent signs $\sigma_i=\pm1$. The
    empirical Rademacher complexity of the class is

    $$
    \hat{\mathfrak{R}}_S=\mathbb{E}_\sigma\max_h\frac1m\sum_{i=1}^m\sigma_i\,h(x_i) .
    $$

    For small $m$ it can be computed exactly, since there are only $2^m$ sign vectors. Write `complexity(values)`. What
    should come out for a single function, and what for all $2^m$ rules with values $\pm1$? (In the notes there are
    three definitions, {ref}`EX1 <erratum-EX1>`: one has an absolute value and a factor two, {ref}`EA24 <erratum-EA24>`,
    one lacks the $\frac1m$, {ref}`EV7 <erratum-EV7>`. The check can tell which one you have used.)"""
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


@q6.solved_by
def complexity(values):
    r"""The definition, word for word: for each of the $2^m$ sign vectors the largest agreement, then their mean. The
    order matters. For one rule the mean is $\frac1m\sum_ih(x_i)\,\mathbb{E}\sigma_i=0$; the maximum may follow the
    coins, a fixed rule cannot. All $2^m$ rules with values $\pm1$ reach the agreement $m$ for every $\sigma$, hence
    the value $1$. Multiplying all values by $c$ multiplies the complexity by $|c|$, because $-\sigma$ has the law of
    $\sigma$.

    For rules with values $\pm1$ there is another way to read it. If $\sigma$ are taken as labels, the agreement of $h$
    is $m-2\cdot$(number of errors), so the complexity is $1-2\,\mathbb{E}_\sigma\hat\ell_\sigma$, where
    $\hat\ell_\sigma$ is the training error of ERM on labels that are coin flips. A class that can fit noise is a class
    that can overfit."""
    m = values.shape[1]
    sigma = np.array(list(itertools.product((-1, 1), repeat=m)))
    return (sigma @ values.T).max(axis=1).mean() / m


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


@homework.question(
    "Three hundred coins, exactly",
    "Sort. If $s_k$ is the sum of the $k$ lowest signs, the rule that cuts after them agrees to the extent "
    r"$s_m-2s_k$. As $\mathbb{E}s_m=0$, all you need is the mean of $-\min_ks_k$, over the places $k$ where a cut is "
    "possible.",
    r"Walk along the points and keep the law of the height $d=s_k-\min_{j\le k}s_j\ge0$, at most $m+1$ numbers. What "
    "happens at $d=0$ when the next sign is $-1$?",
    r"A group of $g$ equal points is one step: $d$ becomes $d+2B-g$, $B$ binomial with parameters $g$, $\frac12$. If "
    "that is negative, the minimum falls by just so much, and $d$ is $0$ again. Add up the mean falls; the "
    r"complexity is $\frac2m$ times their sum.",
)
def q7(answer):
    r"""With three hundred points there are $2^{300}$ sign vectors, more than there are atoms in the visible universe.
    One could draw some at random and live with the noise. For thresholds one need not. Let the class consist of the
    rules "$+1$ if $x>\theta$, else $-1$", with $\theta$ a number or $\pm\infty$, and let the points `x` be an array of
    $m$ numbers, in any order, some of them perhaps equal. Write `threshold_complexity(x)`, which returns the empirical
    Rademacher complexity of this class *exactly*, in a number of steps that grows like a power of $m$. Write the
    enumeration of question 6 first, for few points; then you have something to compare with."""
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


@q7.solved_by
def threshold_complexity(x):
    r"""Number the points in increasing order and let $s_k=\sigma_1+\dots+\sigma_k$. The rule that is $-1$ on the $k$
    lowest points agrees with the signs to the extent $(s_m-s_k)-s_k$. As $\mathbb{E}s_m=0$,

    $$
    \hat{\mathfrak{R}}_S=\frac1m\,\mathbb{E}\max_k(s_m-2s_k)=\frac2m\,\mathbb{E}\bigl(-\min_ks_k\bigr),
    $$

    where $k$ runs over $0$, $m$ and the places between two different points: the ends of the groups of equal points.

    The sums are a random walk. Let $d$ be its height above the lowest place so far, at the end of a group; at the
    start $d=0$. A group of $g$ points moves $d$ to $d+2B-g$, with $B$ binomial. If this is negative, the minimum falls
    by $g-2B-d$ and the new height is $0$; otherwise the minimum stays. So the law of $d$, at most $m+1$ numbers,
    determines the law of the next $d$ and the mean fall, and $\mathbb{E}(-\min)$ is the sum of the mean falls. There
    are $O(m^2)$ steps in place of $2^m$. For distinct points {prf:ref}`prop-rademacher-thresholds` has a closed form;
    equal points make the class smaller, down to $\mathbb{E}|s_m|/m$ when all are equal."""
    law, fall = np.ones(1), 0.0  # law[d] is the probability of the height d
    for g in np.unique(x, return_counts=True)[1]:
        following = np.zeros(len(law) + g)
        for heads, chance in enumerate(binom.pmf(np.arange(g + 1), g, 0.5)):
            d = np.arange(len(law)) + 2 * heads - g
            fall += chance * (law @ np.maximum(-d, 0))
            np.add.at(following, np.maximum(d, 0), chance * law)
        law = following
    return 2 * fall / len(x)


@homework.question(
    "All or almost nothing",
    "A set of $k$ columns is shattered if these columns alone form a matrix with $2^k$ different rows.",
    "`itertools.combinations(range(m), k)` lists the sets of $k$ columns, `np.unique(..., axis=0)` the different "
    "rows. The empty set is always shattered.",
    r"Sauer's bound is $\binom m0+\binom m1+\dots+\binom mV$.",
    returns="V, most",
    proof=True,
)
def q8(answer):
    r"""There is a third measure, the one that holds for every law. Let `values` be a matrix of $-1$ and $+1$, one row
    for each rule and one column for each of $m$ points; rows may be repeated. A set of $k$ columns is *shattered* if
    the rows show all $2^k$ labellings on it. The VC dimension $V$ of the class on these points is the size of the
    largest shattered set; the empty set counts as shattered. How many *different* rows can a matrix with $m$ columns
    and VC dimension $V$ have? One would guess that a class which fails on a single set of columns may still be nearly
    as rich as all $2^m$ labellings. For small $V$ the truth, Sauer's lemma, is quite different.

    Write `vc(values)`, which returns $V$ and `most`, the largest number of different rows that any matrix with the same
    $m$ and $V$ can have. Going through all sets of columns is fine here. Prove that your bound holds, and find for
    every $m$ and $V$ a matrix that attains it."""
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


@q8.solved_by
def vc(values):
    r"""A set of columns is shattered if the rows, restricted to it, show all $2^k$ labellings. Every subset of a
    shattered set is shattered, so the largest $k$ for which some set of $k$ columns is shattered is found by trying.

    *Sauer's bound.* A set $A$ of different rows shatters at least $|A|$ sets of columns, the empty set included. This
    is shown by induction. One row shatters the empty set. If there are more, two rows differ in some column $i$; split
    $A$ by the entry there into $A_+$ and $A_-$, which by induction shatter at least $|A_+|$ and $|A_-|$ sets, none of
    which contains $i$. All of these are shattered by $A$; and a set $B$ that is shattered by both counts twice for $A$
    too, as $B$ and as $B\cup\{i\}$. So $A$ shatters at least $|A_+|+|A_-|=|A|$ sets. If no set of more than $V$
    columns is shattered, there are at most $\sum_{i\le V}\binom mi$ of them, hence at most that many different rows.

    *It is attained* by the rows with at most $V$ entries $+1$: there are $\sum_{i\le V}\binom mi$ of them, $V$ columns
    show every labelling, and $V+1$ columns never show $+1$ everywhere. Intervals attain it too, with $V=2$."""
    m, V = values.shape[1], 0
    for k in range(1, m + 1):
        for columns in itertools.combinations(range(m), k):
            if len(np.unique(values[:, columns], axis=0)) == 2**k:
                V = k
    return V, sum(math.comb(m, i) for i in range(V + 1))


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


@homework.question(
    "What does cross-validation estimate?",
    "One pass of a loop for each fold: `test = np.arange(m) % n_folds == j` marks its examples, `~test` all others.",
    "Train a new predictor on the others and take its fraction of errors on the fold; average the $K$ fractions.",
    r"Every example is left out of exactly one of the $K$ training sets; on average they have $m-\frac mK$ examples.",
    returns="estimate, t",
)
def q9(answer):
    r"""When there is no test set, the sample can be asked to judge itself. The examples, counted from $0$, are divided
    into $K\ge2$ folds: example $i$ belongs to fold $i\bmod K$. For each fold train a new predictor on all the other
    folds and take its fraction of errors on the fold. The $K$-fold estimate is the average of these $K$ fractions, each
    fold counting the same, whatever its size.

    Write `k_fold(learn, X, y, n_folds)`. The points are the rows of the matrix `X` with $m\ge K$ rows, `y` are their
    labels, `n_folds` is $K$. A call `h = learn(X_train, y_train)` returns a predictor, and `h(points)` the array of its
    labels for the rows of a matrix. Return the estimate, and the sample size $t$ it speaks about: the average size of
    the sets that were trained on. It is not the risk of the predictor that you will use in the end, as one of the notes
    has it ({ref}`M29 <erratum-M29>`); that one is trained on the whole sample, a step which another leaves out
    ({ref}`EK12 <erratum-EK12>`). Before you run the check, work out by hand what $K=m$ gives for the rule that always
    predicts the majority of its training labels, when exactly half of the labels are $+1$."""
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


@q9.solved_by
def k_fold(learn, X, y, n_folds):
    r"""*What it estimates.* Let $\bar\ell(n)$ be the risk of the algorithm after $n$ examples, averaged over samples.
    Fold $j$ has $n_j$ examples; the predictor $h_j$ is trained on the other $m-n_j$, which are a sample of that size.
    The fold is independent of $h_j$, so its mean error, given $h_j$, is the risk of $h_j$, and on average over samples
    it is $\bar\ell(m-n_j)$. Hence $\mathbb{E}\,\hat\ell_{\text{cv}}=\frac1K\sum_j\bar\ell(m-n_j)$. The sizes add up to
    $\sum_j(m-n_j)=Km-m$, so on average they are $t=m(1-\frac1K)$; if $K$ divides $m$ they all are $t$, and the
    estimate is unbiased for the risk after $t$ examples. It is not the risk of the predictor you will use, which is
    trained on all $m$.

    *The majority rule.* Let $m$ be even, half of the labels positive, and $K=m$. Without its test example a training
    set has $\frac m2-1$ labels like it and $\frac m2$ unlike it: the majority is always wrong, and the estimate is
    $1$. If the labels are fair coin flips, the mean of the estimate is $\frac12$ all the same, as it must be; steady
    it is not ({prf:ref}`prop-leave-one-out-majority`)."""
    m, errors = len(y), []
    for j in range(n_folds):
        test = np.arange(m) % n_folds == j
        h = learn(X[~test], y[~test])
        errors.append(np.mean(h(X[test]) != y[test]))
    return np.mean(errors), m * (1 - 1 / n_folds)


homework.closing(r"""You can say what the best rule would risk and what it costs to trust a wrong probability; you can
find the best threshold of a sample, and you know how many examples make its error believable:
$\frac1{2\epsilon^2}\ln\frac{2N}\delta$ in general, about $\frac1\epsilon\ln\frac N\delta$ if a perfect rule exists. You
have measured a class in three ways, by its number of rules, by coins, and by the sets it shatters.
{doc}`../consistency` turns the second and the third into bounds that hold for all rules at once, and infinite classes
too ({prf:ref}`thm-rademacher-bound`, {prf:ref}`thm-vc-bound`); {doc}`../cross-validation` goes on to choosing with the
estimate of question 9, and to how little its error bars can be trusted.""")
