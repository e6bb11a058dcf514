"""Homework: going downhill, from one step that is good enough to the best n steps, conjugate gradients and Newton."""

import itertools
from fractions import Fraction

import numpy as np

from mlcourse.losses import logistic
from mlcourse.optim.conjugate_gradient import BETA
from mlcourse.optim.objective import LinearRisk
from mlcourse_homework.engine.answers import Wrong, array, brief, for_all, number, require, requiring, show
from mlcourse_homework.engine.properties import agree, finite
from mlcourse_homework.engine.question import Homework

CALLS = 10_000  # evaluations that a descent may use
SLOW = (
    "What does your loop wait for, and can it happen? Does every step satisfy Armijo, with the square of |g|, and "
    "is none shorter than need be?"
)
NO_VALUES = (
    "You never asked for a value of f. Armijo compares values, and neither the length nor the sign of a slope "
    "will do instead."
)
homework = Homework(
    "optimization",
    "Going downhill",
    r"""Stand on a slope in the fog. You feel which way is down, and nothing else. Which step is good enough? How long
    may it be? How slow can the whole walk be made by somebody who chooses the landscape, and how fast by somebody who
    chooses the steps? In this homework you judge single steps, write a descent that no landscape can blow up, and then
    prove four exact answers: how often it halves, which $n$ steps are the best of all, which start is the worst, and
    how many steps conjugate gradients take. At the end stands Newton's step, which, without a penalty, does not care in
    which units you measure.

    It follows Amini's chapter on unconstrained optimisation and goes with {doc}`../convex-optimization`,
    {doc}`../logistic-regression` and {doc}`../linear-regression`. On the way a program of Amini's and a theorem and a
    loop of the Paris notes are repaired. Two or three hours are a good measure; questions 1 to 4 can be done without
    the rest.""",
)
progress = homework.progress


def parabola(least, value):
    """A function of the step and its slope, with its least value at the given step."""
    return lambda tau: ((tau - least) ** 2 + value, 2 * (tau - least))


def lines(rng):
    """Functions along a line with a step and Wolfe's constants: borders that are exact in floating point first."""
    for c1, c2 in ((0.25, 0.75), (0.125, 0.5)):
        for tau in (1.0, 1.625, 0.125, 0.25, 0.5, 1.5, 1.75, 2.0, 2.5):
            yield "phi(tau) = (tau - 1)^2 + 2", parabola(1, 2), tau, c1, c2
    for t in (0, 1, 3, 8):
        x = 2.0**-t
        yield f"w^2, step {t} of the example too long", parabola(1 + x, 0), 2 + 1.5 * x, 0.07, 0.9
        yield f"w^2, step {t} of the example too short", parabola(1 + x, 0), x / 2, 0.1, 0.85
    yield "phi(tau) = 3 - sin(tau)", lambda s: (3 - np.sin(s), -np.cos(s)), 2 * np.pi, 0.1, 0.5
    for a, k in np.round(rng.uniform((0.1, 1), (1, 5), (40, 2)), 1):
        yield (
            f"phi(tau) = 1 + tau^2/9 - {a:.2g} sin({k:.2g} tau)",
            lambda s, a=a, k=k: (1 + s**2 / 9 - a * np.sin(k * s), 2 * s / 9 - a * k * np.cos(k * s)),
            *rng.uniform((0.1, 0.01, 0.5), (6, 0.4, 0.95)),
        )


@homework.question(
    "Is this step good?",
    r"Ask `phi` twice: `phi(0)` gives $\phi(0)$ and $\phi'(0)$, `phi(tau)` the two numbers at the end of the step.",
    r"$\phi'(0)$ is negative, so $c_1\tau\,\phi'(0)$ is negative too: Armijo asks for a decrease that is proportional "
    r"to $\tau$.",
    r"Three comparisons, all with equality allowed. The strong one is about $|\phi'(\tau)|$ and $|\phi'(0)|$.",
    returns="armijo, curvature, strong",
)
def q1(answer):
    r"""You are at $w$ and go in a direction $p$ in which $f$ decreases. What you see is a function of one number,
    $\phi(\tau)=f(w+\tau p)$ with $\phi'(0)<0$. That a step $\tau>0$ decreases $f$ is not enough:
    {prf:ref}`prop-decrease-is-not-enough` has two walks on $f(w)=w^2$ that go downhill for ever and arrive nowhere, one
    with steps too long, one with steps too short. (In the slides both are misprinted, {ref}`EA15 <erratum-EA15>` and
    {ref}`EA16 <erratum-EA16>`; as printed, the second one arrives.) {prf:ref}`Wolfe's conditions <def-wolfe>` sort such
    steps out.

    Write `verdict(phi, tau, c1, c2)`. It returns three truth values, in this order: whether
    $\phi(\tau)\le\phi(0)+c_1\tau\,\phi'(0)$ (Armijo), whether $\phi'(\tau)\ge c_2\,\phi'(0)$ (curvature), and whether
    $|\phi'(\tau)|\le c_2\,|\phi'(0)|$ (strong curvature). Here $0<c_1<c_2<1$, and `phi(tau)` returns the pair of value
    and slope, $(\phi(\tau),\phi'(\tau))$. The check tries both walks, among others."""

    def holds(name, phi, tau, c1, c2):
        (start, slope0), (value, slope) = phi(0.0), phi(tau)
        line, least = start + c1 * tau * slope0, c2 * slope0
        conditions = [
            ("Armijo", value - line, f"phi(tau) = {value:.6g} and phi(0) + c1 tau phi'(0) = {line:.6g}"),
            ("curvature", least - slope, f"phi'(tau) = {slope:.6g} and c2 phi'(0) = {least:.6g}"),
            ("strong", abs(slope) + least, f"|phi'(tau)| = {abs(slope):.6g} and c2 |phi'(0)| = {-least:.6g}"),
        ]
        if any(0 < abs(gap) < 1e-9 for _, gap, _ in conditions):
            return  # too close to a border for floating point
        got = array(answer(phi, tau, c1, c2), (3,), "(armijo, curvature, strong)")
        require(np.isin(got, (0, 1)).all(), f"three times True or False is expected, got {brief(got)}.")
        tried = f"{name}, {show(tau=tau, c1=c1, c2=c2)}"
        for said, (kind, gap, numbers) in zip(got, conditions, strict=True):
            met, border = bool(gap <= 0), " Equality counts." * bool(gap == 0)
            words = f"the {kind} condition is{' not' * (not met)} met, you say that it is{' not' * met}.{border}"
            require(said == met, words, tried, bool(said), f"{met}, since {numbers}")

    for_all(lines(np.random.default_rng(1)), holds)
    return "right on the borders, on both examples that decrease and go nowhere, and on wavy functions."


@q1.solved_by
def verdict(phi, tau, c1, c2):
    r"""Two calls of `phi` give all four numbers. On a descent direction $\phi'(0)<0$, so the right side of the Armijo
    condition lies below $\phi(0)$, and the further below the longer the step. The curvature condition compares two
    slopes that are usually both negative: $\phi'(\tau)\ge c_2\phi'(0)$ says that at the end of the step the function
    falls less steeply. The strong form bounds the slope from above too, so it implies the curvature condition."""
    (start, slope0), (value, slope) = phi(0.0), phi(tau)
    armijo = value <= start + c1 * tau * slope0
    return armijo, slope >= c2 * slope0, abs(slope) <= c2 * abs(slope0)


@homework.question(
    "The good steps on a parabola",
    r"Write everything in units of the best step $\tau^*=-a/b$: $\phi(\tau)-\phi(0)=a\tau\,(1-\frac{\tau}{2\tau^*})$ "
    r"and $\phi'(\tau)=a\,(1-\frac\tau{\tau^*})$.",
    r"Divide each inequality by $a<0$, which turns it round, and solve for $\tau$.",
    r"Armijo is an upper limit, $1-\frac\tau{2\tau^*}\ge c_1$; curvature is a lower limit, $1-\frac\tau{\tau^*}\le "
    r"c_2$. The strong form adds $\frac\tau{\tau^*}-1\le c_2$.",
    returns="low, high, strong_high",
    proof=True,
)
def q2(answer):
    r"""Near a minimum with positive curvature every smooth $\phi$ looks like a parabola. Which steps are good there?
    Let $\phi(\tau)=\phi(0)+a\tau+\frac b2\tau^2$ with $a<0<b$, and $0<c_1<c_2<1$. Show that the steps that satisfy
    Armijo and curvature form an interval, from `low` to `high`, and those that satisfy Armijo and strong curvature an
    interval from the same `low` to `strong_high`. Return the three numbers. The check looks for a step inside that is
    not good, and for a good step outside.

    Then look at your formula and answer for yourself: can the interval be empty? When does it contain the minimiser?"""

    def holds(a, b, c1, c2):
        ends, best = finite(answer(a, b, c1, c2), (3,), "(low, high, strong_high)"), -a / b
        probes = np.concatenate([best * np.linspace(0.01, 3, 300), ends * (1 + 1e-4), ends * (1 - 1e-4)])
        for tau in probes[probes > 0]:
            slope = 1 - tau / best
            gaps = np.array([(1 + slope) / 2 - c1, c2 - slope, c2 - abs(slope)])  # not negative where a condition holds
            if np.abs(gaps).min() < 1e-6:
                continue
            tried = show(a=a, b=b, c1=c1, c2=c2, tau=tau)
            for name, end, good in (("Wolfe", ends[1], gaps[:2]), ("strong Wolfe", ends[2], gaps)):
                inside, interval = ends[0] <= tau <= end, f"an interval from {ends[0]:.6g} to {end:.6g}"
                failing = f"the {('Armijo', 'curvature', 'strong curvature')[good.argmin()]} condition fails."
                bad = f"a step between your ends is no {name} step: {failing}"
                require(not inside or good.min() > 0, bad, tried, interval)
                require(inside or good.min() < 0, f"a {name} step is left out.", tried, interval)

    constants = [(0.25, 0.5), (0.125, 0.875), (1e-4, 0.9), (0.1, 0.15), (0.6, 0.7), (0.4, 0.95)]
    for_all([(a, b, c1, c2) for a, b in ((-1.0, 1.0), (-2.0, 1.0), (-0.3, 7.0)) for c1, c2 in constants], holds)
    return "every step inside is a good one and every good step is inside, also in the strong form."


@q2.solved_by
def good_steps(a, b, c1, c2):
    r"""Let $\tau^*=-a/b$, the minimiser. Then

    $$
    \phi(\tau)-\phi(0)=a\tau\Big(1-\frac\tau{2\tau^*}\Big),\qquad\phi'(\tau)=a\Big(1-\frac\tau{\tau^*}\Big) .
    $$

    Divide by $a\tau<0$ and by $a<0$; both inequalities turn round. Armijo becomes $1-\frac\tau{2\tau^*}\ge c_1$, that
    is $\tau\le2(1-c_1)\,\tau^*$. Curvature becomes $1-\frac\tau{\tau^*}\le c_2$, that is $\tau\ge(1-c_2)\,\tau^*$. The
    strong form is $|1-\frac\tau{\tau^*}|\le c_2$, that is $(1-c_2)\,\tau^*\le\tau\le(1+c_2)\,\tau^*$. So the Wolfe
    steps are those between $(1-c_2)\,\tau^*$ and $2(1-c_1)\,\tau^*$, and for the strong ones the upper end is the
    smaller of $2(1-c_1)\,\tau^*$ and $(1+c_2)\,\tau^*$. Since $c_1<c_2<1$, $1-c_2<2(1-c_1)$: the interval is never
    empty. It contains $\tau^*$ if and only if $c_1\le\frac12$, as {prf:ref}`prop-exact-armijo` says."""
    best = -a / b
    return (1 - c2) * best, 2 * (1 - c1) * best, min(2 * (1 - c1), 1 + c2) * best


def power(a, exponent=2, center=0, lift=0):
    """The function a (w - center)^exponent + lift and its derivative."""
    return lambda w: a * (w - center) ** exponent + lift, lambda w: exponent * a * (w - center) ** (exponent - 1)


def inside(w, value):
    """The value where 0 < w < 1, nan elsewhere."""
    return np.where((0 < w) & (w < 1), value, np.nan)


LANDSCAPES = {  # f(w) is the sum of u(w_i): u, its derivative, starts, tolerance
    "|w|^2/2": (*power(1 / 2), [[1.0]], 1e-5),
    "the sum of (w_i - 1)^2/2 + 5, whose minimum is not 0": (*power(1 / 2, center=1, lift=5), [[4.0, -2.0]], 1e-4),
    "w^4/4": (*power(1 / 4, exponent=4), [[10.0]], 1e-3),
    "(w_1^2 + 5 w_2^2 + 20 w_3^2)/2": (*power(np.array([0.5, 2.5, 10.0])), [[50.0, -20.0, 10.0]], 1e-4),
    "-ln w - ln(1 - w), nan outside 0 < w < 1": (
        lambda w: -np.log(inside(w, w - w**2)),
        lambda w: inside(w, 1 / (1 - w) - 1 / w),
        [[0.001]],
        1e-4,
    ),
    "the sum of w_i^2/4 + cos(2 w_i)": (
        lambda w: w**2 / 4 + np.cos(2 * w),
        lambda w: w / 2 - 2 * np.sin(2 * w),
        [[0.1], [3.0, -2.0, 0.1]],
        1e-4,
    ),
    "ln(1 + e^-w), which has no minimum": (
        lambda w: np.logaddexp(0, -w),
        lambda w: -np.exp(-np.logaddexp(0, w)),
        [[-3.0]],
        3e-3,
    ),
    "0.75 |w|^2": (*power(0.75), [[1.0]], 1e-6),
    "0.05 |w|^2": (*power(0.05), [[3.0] * 5], 1e-4),
    "0.999999 |w|^2, on which the step 1 decreases f, but hardly": (*power(0.999999), [[1.0, -2.0]], 1e-4),
}


@homework.question(
    "A descent that cannot explode",
    r"An outer loop that goes on while $\|\nabla f(w)\|$ exceeds the tolerance, an inner loop that halves the step.",
    r"Start each inner loop with $\tau=1$. Halve while $f(w-\tau g)\le f(w)-c_1\tau\|g\|^2$ does *not* hold, with "
    r"$g=\nabla f(w)$ and $c_1=10^{-4}$, say.",
    "A comparison with nan is false. So `while not new <= bound` halves on, and `while new > bound` accepts nan.",
)
def q3(answer):
    r"""The notes that this homework follows contain three ways to go wrong. A theorem says that steps with
    $\sum\tau_t=\infty$ and $\sum\tau_t^2<\infty$, such as $\frac1{1+t}$, lead to a local minimum; from $w_0=10$ on
    $w^4/4$ these lead to infinity ({ref}`P10 <erratum-P10>`). A loop runs until the loss is below $\varepsilon$; most
    losses never are ({ref}`P11 <erratum-P11>`). A program runs as long as the loss changes by more than a fraction of
    itself, and prepares the first round so that, if the loss at the start is 2 or more, there is none ({ref}`EA20
    <erratum-EA20>`).

    Write one that works. `descend(f, gradient, w, tol)` starts at the array `w` of shape $(d,)$, goes along the
    negative gradient, and returns a point where $\|\nabla f\|\le$ `tol`. In each step try $\tau=1$ first and halve
    until the Armijo condition holds; the constant $c_1=10^{-4}$ will do, and so will any larger one below $\frac12$.
    `f` returns a number and `gradient` an array. Outside its domain $f$ is `nan`, and that is no decrease; the start is
    inside. The check tries ten landscapes, with large and small curvature, with a minimum that is not zero, with
    several, and with none, and one on which a step that only decreases $f$ gets nowhere. It counts the evaluations: 10
    000 for each landscape are many more than you need."""
    asked = []

    def holds(name, start, tol):
        u, gradient = LANDSCAPES[name][:2]
        calls, tried = [], f"{name}, {show(start=start, tol=tol)}"

        def f(w):
            return u(w).sum()

        def counted(function):
            def call(w):
                calls.append(function)
                if len(calls) > CALLS:
                    raise Wrong(f"{CALLS} evaluations were not enough. {SLOW if f in calls else NO_VALUES}", tried)
                fault = "a step was taken although f did not become smaller, or was not a number."
                require(np.all(np.abs(w) < 1e9), f"the iterates flew away: {fault}", tried, f"w = {brief(w)}")
                return function(w)

            return call

        with np.errstate(all="ignore"):
            w = array(answer(counted(f), counted(gradient), start, tol), start.shape, "w")
            asked.append(f in calls)
            calls.clear()
            value, least, slope = counted(f)(w), f(start), np.linalg.norm(gradient(w))
        require(np.isfinite(value), "f is no finite number at your point.", tried, w)
        stayed = f"you returned the start. Is your loop entered whatever f is there? f(start) = {least:.6g}."
        require(slope <= 1.01 * tol or not np.array_equal(w, start), stayed, tried)
        stop = "Stop by its length |g|, the root of the sum of squares, not by f or its change."
        far = f"|g| = {slope:.3g} at {brief(w)}", f"at most {tol:g}"
        require(slope <= 1.01 * tol, f"the gradient at your point is too long. {stop}", tried, *far)
        require(value <= least, "f is larger than at the start.", tried, value, f"at most {least:.6g}")

    def valid(name, start, tol):
        return np.isfinite(LANDSCAPES[name][0](start)).all()

    for_all([(name, np.array(w), tol) for name, (*_, starts, tol) in LANDSCAPES.items() for w in starts], holds, valid)
    require(all(asked), NO_VALUES)
    count = len(LANDSCAPES)
    return f"{count} landscapes; none made it explode, hang or stop too early, and no constant was tuned to them."


@q3.solved_by
def descend(f, gradient, w, tol):
    r"""The inner loop ends: for small $\tau$ the decrease is nearly $\tau\|g\|^2$, and Armijo asks only for a part
    $c_1<1$ of it. Every step decreases $f$, so nothing explodes. The outer loop asks about the gradient. So it is
    entered whatever the value of $f$ is, and it does not wait for a value that $f$ never takes. If $f$ is $L$-smooth
    and bounded below it ends: each step decreases $f$ by at least $c_1\tau\|g\|^2$, the next question shows that
    $\tau$ does not become arbitrarily small, and so the squares $\|g\|^2$ have a finite sum. Mere decrease would not
    do: on $0.999999\,\|w\|^2$ the step $1$ turns $w$ into $-w$ but for a millionth or two, and decreases $f$. Mind
    `not ... <= ...`: where $f$ is nan every comparison is false, so the step is refused and halved."""
    g = gradient(w)
    while np.linalg.norm(g) > tol:
        tau = 1.0
        while not f(w - tau * g) <= f(w) - 1e-4 * tau * (g @ g):
            tau = tau / 2
        w = w - tau * g
        g = gradient(w)
    return w


@homework.question(
    "How often must it halve?",
    r"With $p=-g$ and $g=\nabla f(w)$, the descent lemma says $\phi(\tau)\le\phi(0)-\tau(1-\frac{L\tau}2)\|g\|^2$, "
    r"and Armijo asks for $\phi(\tau)\le\phi(0)-c_1\tau\|g\|^2$.",
    r"So every $\tau\le2(1-c_1)/L$ is accepted. Which is the first of $1,\frac12,\frac14,\dots$ below that?",
    r"The least whole number $n\ge0$ with $2^{-n}\le2(1-c_1)/L$. A whole number, and never negative.",
    doc="The largest number of halvings that an L-smooth function can make necessary.",
    proof=True,
)
def q4(answer):
    r"""Did you notice that `descend` was never told how curved its landscape is? It pays with halvings. How many can
    one step cost?

    Let $f$ be $L$-smooth, that is $\|\nabla f(w)-\nabla f(v)\|\le L\|w-v\|$ for all $w,v$. At some $w$ with $\nabla
    f(w)\ne0$ go along $p=-\nabla f(w)$, try $\tau=1,\frac12,\frac14,\dots$ and stop at the first that satisfies the
    Armijo condition with the constant $c_1$, $0<c_1<1$. State the largest number of halvings that can be necessary, as
    a function of $L$ and $c_1$: a whole number, $0$ if $\tau=1$ is always accepted. The check knows a function that
    needs as many as possible, and tells you if your bound is true but too large."""

    def holds(L, c1):
        limit = 2 * (1 - Fraction(c1)) / Fraction(L)
        most = next(n for n in itertools.count() if Fraction(1, 2**n) <= limit)
        got = number(answer(L, c1), "the number of halvings")
        tried = f"{show(L=L, c1=c1)}, so 2(1 - c1)/L = {float(limit):.6g}"
        require(got == int(got) and got >= 0, "a number of halvings is a whole number, not negative.", tried, got)
        example = "take f(w) = L w^2/2, where Armijo holds up to tau = 2(1 - c1)/L only"
        require(got >= most, "some function needs more halvings.", tried, got, f"at least {most}: {example}")
        require(got <= most, "true, but not the best bound: no L-smooth function needs so many.", tried, got)

    exact = [(k, c1) for c1 in (0.5, 0.75) for k in (0, 1, 2, 3)]
    between = np.random.default_rng(4).uniform(0.1, 0.9, 7) + (-5, -1, 0, 1, 2, 4, 9)
    pairs = exact + [(k, c1) for k in between for c1 in (1e-4, 0.1, 0.3, 0.9)]
    for_all([(2 * (1 - c1) * 2.0**k, c1) for k, c1 in pairs], holds)
    return "no L-smooth function needs more, and a parabola needs that many."


@q4.solved_by
def most_halvings(L, c1):
    r"""Let $g=\nabla f(w)\ne0$ and $p=-g$, so $\phi'(0)=-\|g\|^2$. By {prf:ref}`lem-descent`

    $$
    \phi(\tau)\le\phi(0)-\tau\Big(1-\frac{L\tau}2\Big)\|g\|^2 ,
    $$

    and the right side is at most $\phi(0)-c_1\tau\|g\|^2$ as soon as $1-\frac{L\tau}2\ge c_1$, that is
    $\tau\le\frac{2(1-c_1)}L$. So at the latest the first of the numbers $1,\frac12,\frac14,\dots$ that is not above
    this limit is accepted: $n$ halvings suffice if $2^{-n}\le\frac{2(1-c_1)}L$, and the least such $n\ge0$ is

    $$
    \max\Big(0,\Big\lceil\log_2\frac L{2(1-c_1)}\Big\rceil\Big) .
    $$

    It is attained. For $f(w)=\frac L2w^2$ the descent lemma is an equality, so Armijo holds if *and only if*
    $\tau\le\frac{2(1-c_1)}L$, and every longer trial is refused. So one never needs to know $L$: a halving costs one
    value of $f$, and their number grows like $\log_2L$ only. The accepted step is $1$, or it exceeds half the limit."""
    return max(0, int(np.ceil(np.log2(L / (2 * (1 - c1))))))


@homework.question(
    "The best n steps",
    r"$n=1$: the line $1-\tau\lambda$ should be as high at $\mu$ as it is low at $L$. $n=2$: the parabola should be "
    r"$r$ at $\mu$, $-r$ in the middle and $r$ at $L$.",
    r"Move the spectrum to $[-1,1]$: $x=\frac{2\lambda-L-\mu}{L-\mu}$. Which polynomial of degree $n$ swings between "
    r"$-1$ and $1$ on it as often as possible? $\cos n\theta$ is a polynomial in $x=\cos\theta$.",
    r"It is zero where $n\theta$ is an odd multiple of $\frac\pi2$, at $x_j=\cos\frac{(2j-1)\pi}{2n}$, $j=1,\dots,n$. "
    r"A step $\tau$ makes a zero at $\lambda=1/\tau$.",
    doc="The n best steps, in any order, for eigenvalues anywhere in [mu, L].",
    proof=True,
)
def q5(answer):
    r"""Now turn the question round. Suppose you know that $f$ is a quadratic whose Hessian has all its eigenvalues in
    $[\mu,L]$, $0<\mu<L$, and that you may choose the steps beforehand. For a single step, {prf:ref}`cor-gd-best-step`
    gives the best choice and the factor $\frac{\kappa-1}{\kappa+1}$ with $\kappa=L/\mu$. (The slides ask for steps
    below $\frac1{2L}$, a quarter of what is possible, {ref}`EA14 <erratum-EA14>`.) For $n$ steps it is tempting to
    repeat that one. Is there anything better?

    There is. After gradient steps $\tau_1,\dots,\tau_n$ the coordinate along an eigenvector with eigenvalue $\lambda$
    has been multiplied by

    $$
    P(\lambda)=(1-\tau_1\lambda)(1-\tau_2\lambda)\cdots(1-\tau_n\lambda) .
    $$

    Find the $n$ steps for which the largest $|P(\lambda)|$ over all $\mu\le\lambda\le L$ is as small as possible, and
    write `best_steps(mu, L, n)`, which returns them as an array of shape $(n,)$, in any order. Do $n=1$ and $n=2$ by
    hand before you look for the pattern. If $n\ge2$ and $\kappa$ is large you will find steps longer than $\frac2L$
    among them. On their own these would diverge."""

    def holds(mu, L, n):
        value, kappa = answer(mu, L, n), L / mu
        tau = finite([value] if n == 1 and value is not None and np.ndim(value) == 0 else value, (n,), "the steps")
        spectrum = (L + mu) / 2 - (L - mu) / 2 * np.cos(np.linspace(0, np.pi, 8401))
        factors = np.abs(np.prod(1 - np.outer(spectrum, tau), axis=1))
        factor, lam = factors.max(), spectrum[factors.argmax()]
        least = 1 / np.cosh(n * np.arccosh((kappa + 1) / (kappa - 1)))
        got = f"steps {brief(tau)}: at the eigenvalue {lam:.4g} they multiply the coordinate by {factor:.6g}"
        need, should = requiring(show(mu=mu, L=L, n=n), got), f"at most {least:.6g} at every eigenvalue"
        need(factor < 1, "after your steps the distance from the minimum may be as large as before.", should)
        repeated = n > 1 and np.isclose(factor, ((kappa - 1) / (kappa + 1)) ** n, rtol=1e-4)
        need(not repeated, f"this is no better than {n} times the best constant step. Let the steps differ.", should)
        need(factor <= least * (1 + 1e-5), "it converges, but other steps do better.", should)

    pairs = [(1.0, 3.0), (1.0, 9.0), (0.5, 2.0), (0.1, 7.0)]
    for_all([(mu, L, n) for n in (1, 2, 3, 5, 8) for mu, L in pairs], holds)
    return "no other steps have a smaller factor; for n >= 2 some are longer than 2/L, which alone would diverge."


@q5.solved_by
def best_steps(mu, L, n):
    r"""Let $P(\lambda)=\prod_j(1-\tau_j\lambda)$: the polynomials of degree at most $n$ with real zeros and $P(0)=1$.
    Put $x(\lambda)=\frac{2\lambda-L-\mu}{L-\mu}$, which maps $[\mu,L]$ to $[-1,1]$, and let $T_n(\cos\theta)=\cos
    n\theta$ be Chebyshev's polynomial. On $[-1,1]$ it takes the values $\pm1$ in turn at the $n+1$ points
    $\cos\frac{k\pi}n$, and never larger ones. So for

    $$
    P(\lambda)=\frac{T_n(x(\lambda))}{T_n(x(0))}\quad\text{the largest}\quad|P|\quad\text{on }[\mu,L]\text{ is}\quad
    \frac1{|T_n(x(0))|},\qquad|x(0)|=\frac{\kappa+1}{\kappa-1} .
    $$

    *No polynomial is better.* If $Q(0)=1$, the degree is at most $n$, and $|Q|$ stays below that number on $[\mu,L]$,
    then $P-Q$ has the sign of $P$ at those $n+1$ points. The signs alternate, so $P-Q$ has $n$ zeros between them,
    and one more at $0$: too many for its degree.

    The zeros of $P$ are $\lambda_j=\frac{L+\mu}2+\frac{L-\mu}2\cos\frac{(2j-1)\pi}{2n}$, inside $(\mu,L)$, and
    $\tau_j=1/\lambda_j$. For $n=1$ this is $\frac2{\mu+L}$. Since $T_n(x)\ge\frac12(x+\sqrt{x^2-1})^n$ for $x\ge1$,
    the factor is at most $2\big(\frac{\sqrt\kappa-1}{\sqrt\kappa+1}\big)^n$: the root of the condition number. And as
    conjugate gradients minimise $f$ over a space that contains the result of these $n$ steps, their gap
    $f(w_n)-f(w^*)=\frac12\sum_i\lambda_iq_i^2$, where the $q_i$ are the coordinates of $w_n-w^*$ along the
    eigenvectors, is at most the square of this factor times the first gap."""
    x = np.cos((2 * np.arange(1, n + 1) - 1) * np.pi / (2 * n))
    return 1 / ((L + mu) / 2 + (L - mu) / 2 * x)


@homework.question(
    "The worst start",
    "Only two eigenvectors matter, those of the smallest and of the largest eigenvalue. Work in their plane.",
    r"It is the *gradient* that should have equal parts along both: then the exact step is $2/(\lambda_1+\lambda_d)$.",
    "$g=v_1+v_d$, and $g=Hw$.",
    proof=True,
)
def q6(answer):
    r"""If you do not know $\mu$ and $L$, you can still take the best step along each gradient: for $f(w)=\frac12w^\top
    Hw$ that is $\tau=\frac{g\cdot g}{g^\top Hg}$ with $g=Hw$. Surely the best step each time beats a constant one?
    Prove that each such step multiplies $f$ by at most $\big(\frac{\kappa-1}{\kappa+1}\big)^2$, where
    $\kappa=\lambda_d/\lambda_1$ is the largest eigenvalue of $H$ divided by the smallest. This is what the best
    *constant* step guarantees as well.

    Then show that nothing better is true. Write `worst_start(H)` for a symmetric positive definite matrix $H$ with
    $\kappa>1$. It returns a start $w\ne0$, an array of shape $(d,)$, from which *every* exact step multiplies $f$ by
    exactly $\big(\frac{\kappa-1}{\kappa+1}\big)^2$. You may use `np.linalg.eigh`. The check takes six steps from your
    start."""

    def holds(H):
        low, high = np.linalg.eigvalsh(H)[[0, -1]]
        worst = ((high - low) / (high + low)) ** 2
        should = f"({high:.4g} - {low:.4g})^2/({high:.4g} + {low:.4g})^2 = {worst:.6g}"
        start = finite(answer(H), H.shape[:1], "the start")
        require(start.any(), "the start should be a finite vector, not zero.", got=start)
        w = start = start / np.abs(start).max()
        for t in range(1, 7):  # steepest descent on f(w) = w^T H w / 2 with exact line search
            g = H @ w
            new = w - (g @ g) / (g @ H @ g) * g
            factor = (new @ H @ new) / (w @ g)
            need = requiring(show(H=H), f"from w = {brief(start)} step {t} multiplies f by {factor:.6g}")
            need(factor >= 1e-12, "from here one step reaches the minimum: the gradient is an eigenvector.", should)
            need(factor >= worst * (1 - 1e-4), "there are worse starts.", should)
            w = new

    rng = np.random.default_rng(6)
    small = [np.diag([1.0, 4.0]), np.diag([3.0, 1.0]), np.diag([1.0, 2.0, 5.0]), np.array([[2.0, 1.0], [1.0, 2.0]])]
    roots = [rng.integers(-2, 3, (d, d)) for d in (2, 3, 3, 5, 8)]
    drawn = [B @ B.T + np.eye(len(B)) + np.diag(np.arange(len(B))) for B in roots]
    for_all([(H,) for H in small + drawn], holds, lambda H: H.shape == H.T.shape)
    return "six steps in a row, each as bad as Kantorovich's inequality allows."


@q6.solved_by
def worst_start(H):
    r"""The exact step is $\tau=\frac{g\cdot g}{g^\top Hg}$, and $f(w)=\frac12g^\top H^{-1}g$. So one step gives

    $$
    \frac{f(w')}{f(w)}=1-\frac{(g\cdot g)^2}{(g^\top Hg)(g^\top H^{-1}g)} .
    $$

    *Kantorovich's inequality.* For every eigenvalue $(\lambda-\lambda_1)(\lambda_d-\lambda)\ge0$, that is
    $\lambda+\frac{\lambda_1\lambda_d}\lambda\le\lambda_1+\lambda_d$. In an orthonormal basis of eigenvectors this says
    $g^\top Hg+\lambda_1\lambda_d\,g^\top H^{-1}g\le(\lambda_1+\lambda_d)\,g\cdot g$. The product of two numbers is at
    most the square of half their sum, so

    $$
    (g^\top Hg)(g^\top H^{-1}g)\le\frac{(\lambda_1+\lambda_d)^2}{4\lambda_1\lambda_d}(g\cdot g)^2,\qquad
    \frac{f(w')}{f(w)}\le1-\frac{4\lambda_1\lambda_d}{(\lambda_1+\lambda_d)^2}=\Big(\frac{\kappa-1}{\kappa+1}\Big)^2 .
    $$

    *Attained.* For $g=v_1+v_d$ both inequalities are equalities. The step is $\frac2{\lambda_1+\lambda_d}$, and the new
    gradient $g-\tau Hg=r\,(v_1-v_d)$ with $r=\frac{\kappa-1}{\kappa+1}$ has equal parts again: every step is as bad.
    The start is $w=H^{-1}g=\frac{v_1}{\lambda_1}+\frac{v_d}{\lambda_d}$."""
    lam, V = np.linalg.eigh(H)
    return V[:, 0] / lam[0] + V[:, -1] / lam[-1]


def conjugate_steps(lam, b):
    """The number of steps of conjugate gradients from zero on diag(lam) w = b, in exact fractions."""
    lam, p = (np.array([Fraction(v) for v in part]) for part in (lam, b))
    g, n = -p, 0
    while any(g):
        new = g + g @ g / (p @ (lam * p)) * lam * p
        g, p, n = new, new @ new / (g @ g) * p - new, n + 1
    return n


@homework.question(
    "How long do conjugate gradients take?",
    r"After $t$ steps $w_t$ is the best point of the form $q(H)\,b$ with a polynomial $q$ of degree below $t$, and "
    r"$b-Hw_t=P(H)\,b$ with $P(\lambda)=1-\lambda q(\lambda)$.",
    r"Coordinate $i$ of the gradient is $-P(\lambda_i)\,b_i$. Where must $P$ vanish, and which degree does that take?",
    "Equal eigenvalues need one zero together. What if $b_i=0$?",
    doc="The number of steps of conjugate gradients, from zero and in exact arithmetic.",
    proof=True,
)
def q7(answer):
    r"""From the same worst start {prf:ref}`conjugate gradients <alg-linear-cg>` need two steps. {prf:ref}`thm-cg` says
    that in exact arithmetic they stop after at most as many steps as $H$ has distinct eigenvalues. At most: but how
    many exactly?

    In the basis of the eigenvectors $H$ is diagonal. So let $H=\operatorname{diag}(\lambda_1,\dots,\lambda_d)$ with all
    $\lambda_i>0$, in any order and perhaps with repetitions, and let conjugate gradients minimise $f(w)=\frac12w^\top
    Hw-b\cdot w$ from $w=0$. Write `cg_steps(lam, b)`, which returns the number of steps after which the gradient is
    zero for the first time; `lam` and `b` are arrays of shape $(d,)$. Do not run the algorithm: prove a formula. The
    check runs it, in exact fractions. (Least squares is such an $f$: {doc}`../linear-regression` has $H=\frac2mX^\top
    X$, whose eigenvalues are the squared singular values of $X$ times $\frac2m$.)"""

    def holds(lam, b):
        n, got = conjugate_steps(lam, b), number(answer(lam, b), "the number of steps")
        known = {
            len(lam): " The dimension is only an upper bound.",
            np.count_nonzero(b): " Equal eigenvalues share one zero of the polynomial.",
            len(set(lam)): " An eigenvalue at which b has no part is never seen.",
        }
        counted = f"{n}, counted by running conjugate gradients in exact fractions"
        require(got == n, f"the number of steps is not right.{known.get(got, '')}", show(lam=lam, b=b), got, counted)

    rng = np.random.default_rng(7)
    first = [([1], [1]), ([3], [0]), ([2, 2], [1, 3]), ([1, 2], [1, 1]), ([1, 2], [0, 1]), ([2, 2, 5], [1, 0, 2])]
    first += [([0.25, 0.5], [0.125, -0.5]), ([0.5, 0.75, 0.5], [0.25, -0.5, 0.125])]
    drawn = [(rng.integers(1, 6, d), rng.integers(-1, 3, d)) for d in (3, 4, 5, 5, 6, 6, 7) for _ in range(6)]
    for_all([(np.array(lam, dtype=float), np.array(b, dtype=float)) for lam, b in first + drawn], holds)
    return "the same number as conjugate gradients in exact fractions, with equal eigenvalues and unseen ones."


@q7.solved_by
def cg_steps(lam, b):
    r"""The answer is the number $k$ of *different* eigenvalues $\lambda_i$ with $b_i\ne0$.

    Let $K_t$ be the span of $b,Hb,\dots,H^{t-1}b$. As long as the gradients are not zero, the $t$ directions
    $p_0,\dots,p_{t-1}$ lie in $K_t$ and are independent, so they span it, and by {prf:ref}`thm-cg` and
    {prf:ref}`thm-conjugate-directions` $w_t$ minimises $f$ over $K_t$. A point of $K_t$ is $q(H)\,b$ with a polynomial
    $q$ of degree below $t$, and the gradient there is $-P(H)\,b$ with $P(\lambda)=1-\lambda q(\lambda)$. These $P$ are
    all polynomials of degree at most $t$ with $P(0)=1$. Coordinate $i$ of the gradient is $-P(\lambda_i)\,b_i$.

    *At most $k$ steps.* The polynomial $P(\lambda)=\prod(1-\lambda/\lambda_j)$ over the $k$ eigenvalues in question
    has degree $k$, is $1$ at zero, and makes all coordinates vanish. So $K_k$ contains a point with gradient zero, the
    minimiser of $f$; if the method has not stopped before, $w_k$ is this point.

    *At least $k$.* If the gradient at $w_t$ is zero, its $P$ vanishes at $k$ different numbers. Since $P(0)=1$, $P$ is
    not the zero polynomial, and so its degree is at least $k$; it is at most $t$.

    What holds for a diagonal matrix holds for every symmetric one, in the basis of its eigenvectors."""
    return len({value for value, part in zip(lam, b, strict=True) if part != 0})


@homework.question(
    "A formula that always descends",
    r"Insert $p'=-g'+\beta p$ into $g'\cdot p'=\beta\,g\cdot p$. What is unknown appears linearly.",
    r"$-\|g'\|^2+\beta\,g'\cdot p=\beta\,g\cdot p$.",
    doc="The factor beta by which the last direction is kept.",
    proof=True,
)
def q8(answer):
    r"""Beyond quadratics little of that structure survives; even on them it needs exact steps from the first one on,
    which the slides forget to say ({ref}`EA19 <erratum-EA19>`). The formulas of {prf:ref}`prop-betas` then give
    different numbers, and after an inexact step the direction that they make need not descend.
    {prf:ref}`alg-nonlinear-cg` has a line that starts again when it does not. Can one do without it?

    Let $g$ and $g'$ be the gradients before and after a step along $p$. Let $p$ descend, $g\cdot p<0$, and let the step
    satisfy the curvature condition, $g'\cdot p\ge c_2\,g\cdot p$ with $0<c_2<1$. The next direction is $p'=-g'+\beta
    p$. Find the number $\beta$ for which

    $$
    g'\cdot p'=\beta\;g\cdot p .
    $$

    Write `kept(g_new, g, p)`, which returns it. Then prove that $p'$ descends if $g'\ne0$, whatever $f$ and $c_2$ are,
    and that on a quadratic with exact steps your $\beta$ is one more name for the number of {prf:ref}`prop-betas`."""
    names = {"FR": "Fletcher and Reeves'", "PR": "Polak and Ribière's", "HS": "Hestenes and Stiefel's"}

    def holds(g_new, g, p):
        beta = number(answer(g_new, g, p), "beta")
        slope, wanted = g_new @ (beta * p - g_new), beta * (g @ p)
        scale = g_new @ g_new + abs(beta) * (abs(g_new @ p) + abs(g @ p))
        known = [name for key, name in names.items() if beta and np.isclose(beta, BETA[key](g_new, g, p), rtol=1e-6)]
        hint = f" This is {known[0]} formula, which agrees after exact steps on quadratics." if known else ""
        climbs = " The new direction does not even descend." * bool(slope >= 0)
        words = f"g_new . p_new is not beta times g . p.{hint}{climbs}"
        got = f"beta = {beta:.6g}, g_new . p_new = {slope:.6g}, beta g . p = {wanted:.6g}"
        require(abs(slope - wanted) <= 1e-6 * scale, words, show(g_new=g_new, g=g, p=p), got)

    def valid(g_new, g, p):
        return g @ p <= -0.1 and (g_new - g) @ p >= 0.1 and g_new.any()

    rng = np.random.default_rng(8)
    drawn = [tuple(np.round(rng.normal(size=(3, d)) * 4) / 2) for d in (1, 2, 2, 3, 3, 5, 8) for _ in range(20)]
    for_all([instance for instance in drawn if valid(*instance)], holds, valid)
    return "the slope at the new point is beta times the old one, so the new direction descends after a Wolfe step."


@q8.solved_by
def kept(g_new, g, p):
    r"""The condition reads $-\|g'\|^2+\beta\,g'\cdot p=\beta\,g\cdot p$, a linear equation for $\beta$:

    $$
    \beta=\frac{\|g'\|^2}{p\cdot(g'-g)} .
    $$

    Let $p$ descend, $g\cdot p<0$, and let the step satisfy the curvature condition, $g'\cdot p\ge c_2\,g\cdot p$. Then
    $p\cdot(g'-g)\ge(c_2-1)\,g\cdot p>0$. So $\beta>0$ if $g'\ne0$, and $g'\cdot p'=\beta\,g\cdot p<0$: the new
    direction descends. By induction all of them do, starting from $p_0=-g_0$, without any safeguard and whatever the
    function is. None of the other formulas promises this for every Wolfe step.

    On a quadratic with exact steps $g'\cdot p=0$ and $g\cdot p=-\|g\|^2$ ({prf:ref}`thm-cg`), so the denominator is
    $\|g\|^2$ and $\beta$ is Fletcher and Reeves' number, like the others of {prf:ref}`prop-betas`. The formula is due
    to Dai and Yuan (1999)."""
    return g_new @ g_new / (p @ (g_new - g))


@homework.question(
    "Newton's step",
    r"The gradient is $-\frac1m\sum_iy_i\,\sigma(-z_i)\,x_i+\lambda w$ with $z_i=y_i\,w\cdot x_i$ and "
    r"$\sigma(z)=1/(1+e^{-z})$. Differentiate once more.",
    r"$\sigma'=\sigma(1-\sigma)$ is even and $y_i^2=1$: the Hessian is "
    r"$\frac1m\sum_i\sigma'(z_i)\,x_ix_i^\top+\lambda I$.",
    r"The step solves $Hs=-g$: `np.linalg.solve`. With weights $a_i=\sigma'(z_i)$ the sum is `(X * a[:, None]).T @ "
    "X`.",
)
def q9(answer):
    r"""All methods so far depend on the units. Measure one feature in grams instead of kilograms, and $\kappa$ may grow
    a millionfold. Newton's method, without a penalty, does not notice. Its step $s$ goes to the minimum of the
    second-order expansion at $w$: $\nabla^2F(w)\,s=-\nabla F(w)$.

    Write `newton_step(w, X, y, lam)`, which returns $s$ for the penalised logistic risk

    $$
    F(w)=\frac1m\sum_{i=1}^m\ln\big(1+e^{-y_i\,w\cdot x_i}\big)+\frac\lambda2\|w\|^2 .
    $$

    The points $x_i$ are the rows of `X`, of shape $(m,d)$; the labels `y` are $\pm1$; `lam` is $\lambda\ge0$. There is
    no bias. The Hessian is invertible in all cases of the check. In some of them the features have very different
    units. Show also: if $\lambda=0$, $A$ is invertible and $X$ is replaced by $XA$, then the step at $A^{-1}w$ is
    $A^{-1}s$, so Newton's method takes the same path in all coordinates. What becomes of a gradient step?"""

    def holds(w, X, y, lam):
        def step(matrix, vector):
            return -np.linalg.pinv(matrix) @ vector

        here, m = LinearRisk(logistic, X, y, lam=lam).at(w), len(y)
        g, H, want = here.gradient, here.hessian, -np.linalg.solve(here.hessian, here.gradient)
        slope, bare = g - lam * w, H - lam * np.eye(len(w))  # without the penalty
        summed, all_curves = g + (m - 1) * slope, H + (m - 1) * bare
        mistakes = {
            "this is the new point w + s. The step s is asked for": w + want,
            "this is the negative gradient. It has still to be multiplied by the inverse Hessian": -g,
            "lam is missing in the Hessian": step(bare, g),
            "lam w is missing in the gradient": step(H, slope),
            "the penalty is missing": step(bare, slope),
            "the 1/m is missing in the Hessian": step(all_curves, g),
            "the 1/m is missing in the gradient": step(H, summed),
            "the 1/m is missing; with a penalty it does not cancel": step(all_curves, summed),
        }
        agree(answer(w, X, y, lam), want, "the step", mistakes, show(w=w, X=X, y=y, lam=lam))

    def valid(w, X, y, lam):
        fits = X.ndim == 2 and X.shape == (len(y), len(w))
        return fits and (lam > 0 or np.linalg.matrix_rank(X) == len(w))

    rng = np.random.default_rng(9)
    first = [(np.zeros(1), np.ones((1, 1)), np.array([y]), lam) for y in (1, -1) for lam in (0.0, 1.0)]
    drawn = [
        (rng.integers(-1, 2, d) / 2 / u[:d], rng.integers(-2, 3, (m, d)) * u[:d], rng.choice((-1, 1), m), lam)
        for m, d in ((2, 1), (3, 2), (4, 2), (8, 3), (20, 4), (50, 2))
        for lam in (0.0, 0.5, 2.0)
        for u in (np.ones(4), np.array([1.0, 300.0, 0.05, 1.0]))
    ]
    for_all([instance for instance in first + drawn if valid(*instance)], holds, valid)
    return "Newton's step on every sample, in every system of units."


@q9.solved_by
def newton_step(w, X, y, lam):
    r"""With $z_i=y_i\,w\cdot x_i$ the derivative of $\ln(1+e^{-z})$ is $-\sigma(-z)$, and its derivative is
    $\sigma(-z)\,(1-\sigma(-z))=\sigma'(z)$. By the chain rule, with $y_i^2=1$,

    $$
    g=-\frac1m\sum_iy_i\,\sigma(-z_i)\,x_i+\lambda w,\qquad H=\frac1m\sum_i\sigma'(z_i)\,x_ix_i^\top+\lambda I,
    \qquad s=-H^{-1}g .
    $$

    *Without a penalty units do not matter.* Let $A$ be invertible and $w=Av$. As a function of $v$ the risk is
    $F(Av)$, and for $\lambda=0$ this is the risk of the data matrix $XA$. Its gradient is $A^\top g$ and its Hessian
    $A^\top HA$, so its Newton step is $-(A^\top HA)^{-1}A^\top g=A^{-1}s$: the same step, written in the new
    coordinates. A gradient step becomes $-\tau A^\top g$, which in the old coordinates is $-\tau AA^\top g$: another
    direction altogether. With $\lambda>0$ the penalty must be carried along, as $\frac\lambda2\|Av\|^2$; to penalise
    $\|v\|^2$ is another problem."""
    sigma = 1 / (1 + np.exp(y * (X @ w)))
    g = -X.T @ (y * sigma) / len(y) + lam * w
    H = (X * (sigma * (1 - sigma))[:, None]).T @ X / len(y) + lam * np.eye(len(w))
    return -np.linalg.solve(H, g)


homework.closing(r"""You can tell a good step from a bad one, and you have a descent that needs no constant: its price
is about $\log_2L$ halvings a step. You know the best steps and the worst start. Question 5 has a consequence that
{doc}`../convex-optimization` only mentions: the best $n$ steps multiply the distance by at most
$2\big(\frac{\sqrt\kappa-1}{\sqrt\kappa+1}\big)^n$, with the *root* of the condition number, and conjugate gradients do
at least as well on $f$ without being told $\mu$ or $L$; this is behind their victory in the race at the end of that
chapter. On a quadratic Newton's step arrives at once, whatever $\kappa$ is, and pays with a linear system;
{doc}`../logistic-regression` shows how it doubles its digits, and how it can fly off if nobody checks Armijo. What
remains is the case where even the gradient is too dear, and a few noisy examples must do:
{ref}`convex-optimization-stochastic`.""")
