"""Homework: going downhill, from one step that is good enough to the best n steps, conjugate gradients and Newton."""

from fractions import Fraction

import numpy as np

from mlcourse.losses import logistic
from mlcourse.optim.conjugate_gradient import BETA
from mlcourse.optim.objective import LinearRisk
from mlcourse_homework.engine.answers import Wrong, array, brief, close, for_all, number, require, show
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
homework = Homework("optimization", "Going downhill")
progress = homework.progress


def along(w, p):
    """The function w^2 on the line, seen from w in direction p: value and slope."""
    return lambda tau: ((w + tau * p) ** 2, 2 * p * (w + tau * p))


def lines(rng):
    """Functions along a line with a step and Wolfe's constants: borders that are exact in floating point first."""
    for c1, c2 in ((0.25, 0.75), (0.125, 0.5)):
        for tau in (1.0, 1.625, 0.125, 0.25, 0.5, 1.5, 1.75, 2.0, 2.5):
            yield "phi(tau) = (tau - 1)^2 + 2", lambda s: ((s - 1) ** 2 + 2, 2 * (s - 1)), tau, c1, c2
    for t in (0, 1, 3, 8):
        x, sign = 2.0**-t, (-1) ** t
        yield f"w^2, step {t} of the example too long", along(sign * (1 + x), -sign), 2 + 1.5 * x, 0.07, 0.9
        yield f"w^2, step {t} of the example too short", along(1 + x, -1), x / 2, 0.1, 0.85
    yield "phi(tau) = 3 - sin(tau)", lambda s: (3 - np.sin(s), -np.cos(s)), 2 * np.pi, 0.1, 0.5
    for _ in range(40):
        a, k = np.round(rng.uniform(0.1, 1), 1), np.round(rng.uniform(1, 5), 1)
        yield (
            f"phi(tau) = 1 + tau^2/9 - {a:.2g} sin({k:.2g} tau)",
            lambda s, a=a, k=k: (1 + s**2 / 9 - a * np.sin(k * s), 2 * s / 9 - a * k * np.cos(k * s)),
            rng.uniform(0.1, 6),
            rng.uniform(0.01, 0.4),
            rng.uniform(0.5, 0.95),
        )


@homework.question(
    "Is this step good?",
    "Ask `phi` twice: `phi(0)` gives $\\phi(0)$ and $\\phi'(0)$, `phi(tau)` the two numbers at the end of the step.",
    "$\\phi'(0)$ is negative, so $c_1\\tau\\,\\phi'(0)$ is negative too: Armijo asks for a decrease that is "
    "proportional to $\\tau$.",
    "Three comparisons, all with equality allowed. The strong one is about $|\\phi'(\\tau)|$ and $|\\phi'(0)|$.",
)
def q1(answer):
    """``answer(phi, tau, c1, c2)`` says whether the step satisfies Armijo, curvature and strong curvature."""

    def holds(name, phi, tau, c1, c2):
        (start, slope0), (value, slope) = phi(0.0), phi(tau)
        line, least = start + c1 * tau * slope0, c2 * slope0
        if any(0 < abs(gap) < 1e-9 for gap in (value - line, slope - least, slope + least)):
            return  # too close to a border for floating point
        got = array(answer(phi, tau, c1, c2), (3,), "(armijo, curvature, strong)")
        require(np.isin(got, (0, 1)).all(), f"three times True or False is expected, got {brief(got)}.")
        conditions = [
            ("Armijo", value - line, f"phi(tau) = {value:.6g} and phi(0) + c1 tau phi'(0) = {line:.6g}"),
            ("curvature", least - slope, f"phi'(tau) = {slope:.6g} and c2 phi'(0) = {least:.6g}"),
            ("strong", abs(slope) + least, f"|phi'(tau)| = {abs(slope):.6g} and c2 |phi'(0)| = {-least:.6g}"),
        ]
        for said, (kind, gap, numbers) in zip(got, conditions, strict=True):
            met, border = bool(gap <= 0), " Equality counts." if gap == 0 else ""
            require(
                bool(said) == met,
                f"the {kind} condition is {'met' if met else 'not met'}, you say that it is{' not' * met}.{border}",
                tried=f"{name}, {show(tau=tau, c1=c1, c2=c2)}",
                got=bool(said),
                should=f"{met}, since {numbers}",
            )

    for_all(lines(np.random.default_rng(1)), holds)
    return "right on the borders, on both examples that decrease and go nowhere, and on wavy functions."


@homework.question(
    "The good steps on a parabola",
    "Write everything in units of the best step $\\tau^*=-a/b$: $\\phi(\\tau)-\\phi(0)=a\\tau\\,"
    "(1-\\frac{\\tau}{2\\tau^*})$ and $\\phi'(\\tau)=a\\,(1-\\frac\\tau{\\tau^*})$.",
    "Divide each inequality by $a<0$, which turns it round, and solve for $\\tau$.",
    "Armijo is an upper limit, $1-\\frac\\tau{2\\tau^*}\\ge c_1$; curvature is a lower limit, "
    "$1-\\frac\\tau{\\tau^*}\\le c_2$. The strong form adds $\\frac\\tau{\\tau^*}-1\\le c_2$.",
)
def q2(answer):
    """``answer(a, b, c1, c2)`` is (low, high, strong_high) for phi(tau) = phi(0) + a tau + b tau^2 / 2."""

    def holds(a, b, c1, c2):
        ends = array(answer(a, b, c1, c2), (3,), "(low, high, strong_high)")
        require(np.isfinite(ends).all(), "the ends should be finite numbers.", got=brief(ends))
        probes = np.concatenate([-a / b * np.linspace(0.01, 3, 300), ends * (1 + 1e-4), ends * (1 - 1e-4)])
        for tau in probes[probes > 0]:
            left = np.array([1 - tau * b / (-2 * a), 1 + b * tau / a, abs(1 + b * tau / a)])
            gaps = np.array([left[0] - c1, c2 - left[1], c2 - left[2]])  # not negative where a condition holds
            if np.abs(gaps).min() < 1e-6:
                continue
            tried = show(a=a, b=b, c1=c1, c2=c2, tau=tau)
            for name, end, good in (("Wolfe", ends[1], gaps[:2]), ("strong Wolfe", ends[2], gaps)):
                inside = ends[0] <= tau <= end
                failing = ("Armijo", "curvature", "strong curvature")[int(good.argmin())]
                require(
                    not inside or good.min() > 0,
                    f"a step between your ends is no {name} step: the {failing} condition fails.",
                    tried=tried,
                    got=f"an interval from {ends[0]:.6g} to {end:.6g}",
                )
                require(
                    inside or good.min() < 0,
                    f"a {name} step is left out.",
                    tried=tried,
                    got=f"an interval from {ends[0]:.6g} to {end:.6g}",
                )

    constants = [(0.25, 0.5), (0.125, 0.875), (1e-4, 0.9), (0.1, 0.15), (0.6, 0.7), (0.4, 0.95)]
    for_all([(a, b, c1, c2) for a, b in ((-1.0, 1.0), (-2.0, 1.0), (-0.3, 7.0)) for c1, c2 in constants], holds)
    return "every step inside is a good one and every good step is inside, also in the strong form."


def counted(function, f, calls, tried):
    """The function, f or its gradient, which notes its calls; there may not be too many, nor at points far away."""

    def call(w):
        calls.append(function)
        if len(calls) > CALLS:
            raise Wrong(f"{CALLS} evaluations were not enough. " + (SLOW if f in calls else NO_VALUES), tried=tried)
        require(
            np.all(np.abs(w) < 1e9),
            "the iterates flew away: a step was taken although f did not become smaller, or was not a number.",
            tried=tried,
            got=f"w = {brief(w)}",
        )
        return function(w)

    return call


def landscapes():
    """Functions to descend: by name f, its gradient, starts and the tolerance."""
    bowl, nan = np.array([1.0, 5.0, 20.0]), np.array([np.nan])

    def parabola(a):
        return lambda w: a * (w @ w), lambda w: 2 * a * w

    return {
        "|w|^2/2": (*parabola(0.5), [[1.0]], 1e-5),
        "|w - 1|^2/2 + 5, whose minimum is 5": (
            lambda w: (w - 1) @ (w - 1) / 2 + 5,
            lambda w: w - 1,
            [[4.0, -2.0]],
            1e-4,
        ),
        "w^4/4": (lambda w: float(np.sum(w**4)) / 4, lambda w: w**3, [[10.0]], 1e-3),
        "(w_1^2 + 5 w_2^2 + 20 w_3^2)/2": (lambda w: bowl @ w**2 / 2, lambda w: bowl * w, [[50.0, -20.0, 10.0]], 1e-4),
        "-ln w - ln(1 - w), nan outside 0 < w < 1": (
            lambda w: float(-np.log(w[0] * (1 - w[0]))) if 0 < w[0] < 1 else np.nan,
            lambda w: 1 / (1 - w) - 1 / w if 0 < w[0] < 1 else nan,
            [[0.001]],
            1e-4,
        ),
        "the sum of w_i^2/4 + cos(2 w_i)": (
            lambda w: float(np.sum(w**2 / 4 + np.cos(2 * w))),
            lambda w: w / 2 - 2 * np.sin(2 * w),
            [[0.1], [3.0, -2.0, 0.1]],
            1e-4,
        ),
        "ln(1 + e^-w), which has no minimum": (
            lambda w: float(np.logaddexp(0, -w[0])),
            lambda w: -np.exp(-np.logaddexp(0, w)),
            [[-3.0]],
            3e-3,
        ),
        "0.75 |w|^2": (*parabola(0.75), [[1.0]], 1e-6),
        "0.05 |w|^2": (*parabola(0.05), [[3.0, 3.0, 3.0, 3.0, 3.0]], 1e-4),
        "0.999999 |w|^2, on which the step 1 decreases f, but hardly": (*parabola(0.999999), [[1.0, -2.0]], 1e-4),
    }


@homework.question(
    "A descent that cannot explode",
    "An outer loop that goes on while $\\|\\nabla f(w)\\|$ exceeds the tolerance, an inner loop that halves the step.",
    "Start each inner loop with $\\tau=1$. Halve while $f(w-\\tau g)\\le f(w)-c_1\\tau\\|g\\|^2$ does *not* hold, with "
    "$g=\\nabla f(w)$ and $c_1=10^{-4}$, say.",
    "A comparison with nan is false. So `while not new <= bound` halves on, and `while new > bound` accepts nan.",
)
def q3(answer):
    """``answer(f, gradient, w, tol)`` is a point with a gradient no longer than tol, reached downhill from w."""
    known, asked = landscapes(), []

    def holds(landscape, start, tol):
        (f, gradient, *_), calls, tried = known[landscape], [], f"{landscape}, {show(start=start, tol=tol)}"
        with np.errstate(all="ignore"):
            w = answer(counted(f, f, calls, tried), counted(gradient, f, calls, tried), start, tol)
            w = array(w, start.shape, "w")
            value, slope = counted(f, f, [], tried)(w), float(np.linalg.norm(gradient(w)))
        require(np.isfinite(value), "f is no finite number at your point.", tried=tried, got=brief(w))
        require(
            slope <= 1.01 * tol or not np.array_equal(w, start),
            f"you returned the start. Is your loop entered whatever f is there? f(start) = {f(start):.6g}.",
            tried=tried,
        )
        require(
            slope <= 1.01 * tol,
            "the gradient at your point is too long. Stop by its length |g|, the root of the "
            "sum of squares, not by f or its change.",
            tried=tried,
            got=f"|g| = {slope:.3g} at {brief(w)}",
            should=f"at most {tol:g}",
        )
        require(
            value <= f(start),
            "f is larger than at the start.",
            tried=tried,
            got=f"{value:.6g}",
            should=f"at most {f(start):.6g}",
        )
        asked.append(f in calls)

    def valid(landscape, start, tol):
        return np.isfinite(known[landscape][0](start))

    for_all([(name, np.array(w), tol) for name, (*_, starts, tol) in known.items() for w in starts], holds, valid)
    require(all(asked), NO_VALUES)
    return f"{len(known)} landscapes; none made it explode, hang or stop too early, and no constant was tuned to them."


@homework.question(
    "How often must it halve?",
    "With $p=-g$ and $g=\\nabla f(w)$, the descent lemma says $\\phi(\\tau)\\le\\phi(0)-\\tau(1-\\frac{L\\tau}2)"
    "\\|g\\|^2$, and Armijo asks for $\\phi(\\tau)\\le\\phi(0)-c_1\\tau\\|g\\|^2$.",
    "So every $\\tau\\le2(1-c_1)/L$ is accepted. Which is the first of $1,\\frac12,\\frac14,\\dots$ below that?",
    "The least whole number $n\\ge0$ with $2^{-n}\\le2(1-c_1)/L$. A whole number, and never negative.",
)
def q4(answer):
    """``answer(L, c1)`` is the largest number of halvings that an L-smooth function can make necessary."""

    def holds(L, c1):
        most, tau = 0, Fraction(1)
        while tau > 2 * (1 - Fraction(c1)) / Fraction(L):
            most, tau = most + 1, tau / 2
        got = number(answer(L, c1), "the number of halvings")
        tried = f"{show(L=L, c1=c1)}, so 2(1 - c1)/L = {2 * (1 - c1) / L:.6g}"
        require(
            got == int(got) and got >= 0,
            "a number of halvings is a whole number, not negative.",
            tried=tried,
            got=brief(got),
        )
        require(
            got >= most,
            "some function needs more halvings.",
            tried=tried,
            got=brief(got),
            should=f"at least {most}: take f(w) = L w^2/2, where Armijo holds up to tau = 2(1 - c1)/L only",
        )
        require(
            got <= most,
            "true, but not the best bound: no L-smooth function needs so many.",
            tried=tried,
            got=brief(got),
        )

    rng = np.random.default_rng(4)
    exact = [(2 * (1 - c1) * 2.0**k, c1) for c1 in (0.5, 0.75) for k in (0, 1, 2, 3)]
    between = [
        (2 * (1 - c1) * 2 ** (k + rng.uniform(0.1, 0.9)), c1)
        for k in (-5, -1, 0, 1, 2, 4, 9)
        for c1 in (1e-4, 0.1, 0.3, 0.9)
    ]
    for_all(exact + between, holds)
    return "no L-smooth function needs more, and a parabola needs that many."


def worst_factor(tau, mu, L):
    """The largest |(1 - tau_1 lam)...(1 - tau_n lam)| for lam between mu and L, and such a lam."""
    lam = (L + mu) / 2 - (L - mu) / 2 * np.cos(np.linspace(0, np.pi, 8401))
    factors = np.abs(np.prod(1 - np.outer(lam, tau), axis=1))
    return float(factors.max()), float(lam[factors.argmax()])


@homework.question(
    "The best n steps",
    "$n=1$: the line $1-\\tau\\lambda$ should be as high at $\\mu$ as it is low at $L$. $n=2$: the parabola should "
    "be $r$ at $\\mu$, $-r$ in the middle and $r$ at $L$.",
    "Move the spectrum to $[-1,1]$: $x=\\frac{2\\lambda-L-\\mu}{L-\\mu}$. Which polynomial of degree $n$ swings "
    "between $-1$ and $1$ on it as often as possible? $\\cos n\\theta$ is a polynomial in $x=\\cos\\theta$.",
    "It is zero where $n\\theta$ is an odd multiple of $\\frac\\pi2$, at $x_j=\\cos\\frac{(2j-1)\\pi}{2n}$, "
    "$j=1,\\dots,n$. A step $\\tau$ makes a zero at $\\lambda=1/\\tau$.",
)
def q5(answer):
    """``answer(mu, L, n)`` are the n steps with the smallest factor, for eigenvalues anywhere in [mu, L]."""

    def holds(mu, L, n):
        value = answer(mu, L, n)
        tau = array([value] if n == 1 and value is not None and np.ndim(value) == 0 else value, (n,), "the steps")
        require(np.isfinite(tau).all(), "the steps should be finite numbers.", got=brief(tau))
        (factor, lam), kappa = worst_factor(tau, mu, L), L / mu
        least = 1 / np.cosh(n * np.arccosh((kappa + 1) / (kappa - 1)))
        details = {
            "tried": show(mu=mu, L=L, n=n),
            "got": f"steps {brief(tau)}: at the eigenvalue {lam:.4g} they multiply the coordinate by {factor:.6g}",
            "should": f"at most {least:.6g} at every eigenvalue",
        }
        require(factor < 1, "after your steps the distance from the minimum may be as large as before.", **details)
        repeated = n > 1 and np.isclose(factor, ((kappa - 1) / (kappa + 1)) ** n, rtol=1e-4)
        require(
            not repeated, f"this is no better than {n} times the best constant step. Let the steps differ.", **details
        )
        require(factor <= least * (1 + 1e-5), "it converges, but other steps do better.", **details)

    pairs = [(1.0, 3.0), (1.0, 9.0), (0.5, 2.0), (0.1, 7.0)]
    for_all([(mu, L, n) for n in (1, 2, 3, 5, 8) for mu, L in pairs], holds)
    return "no other steps have a smaller factor; for n >= 2 some are longer than 2/L, which alone would diverge."


def exact_steps(H, w, n):
    """By which factors f(w) = w^T H w / 2 is multiplied in n steps of steepest descent with exact line search."""
    factors = []
    for _ in range(n):
        g = H @ w
        new = w - (g @ g) / (g @ H @ g) * g
        factors.append((new @ H @ new) / (w @ g))
        if factors[-1] < 1e-12:
            break
        w = new
    return factors


@homework.question(
    "The worst start",
    "Only two eigenvectors matter, those of the smallest and of the largest eigenvalue. Work in their plane.",
    "It is the *gradient* that should have equal parts along both: then the exact step is $2/(\\lambda_1+\\lambda_d)$.",
    "$g=v_1+v_d$, and $g=Hw$.",
)
def q6(answer):
    """``answer(H)`` is a start from which every exact step multiplies f by ((kappa-1)/(kappa+1))^2."""

    def holds(H):
        lam = np.linalg.eigvalsh(H)
        worst = ((lam[-1] - lam[0]) / (lam[-1] + lam[0])) ** 2
        w = array(answer(H), H.shape[:1], "the start")
        require(np.isfinite(w).all() and w.any(), "the start should be a finite vector, not zero.", got=brief(w))
        w = w / np.abs(w).max()
        for t, factor in enumerate(exact_steps(H, w, 6), 1):
            details = {
                "tried": show(H=H),
                "got": f"from w = {brief(w)} step {t} multiplies f by {factor:.6g}",
                "should": f"({lam[-1]:.4g} - {lam[0]:.4g})^2/({lam[-1]:.4g} + {lam[0]:.4g})^2 = {worst:.6g}",
            }
            require(
                factor >= 1e-12, "from here one step reaches the minimum: the gradient is an eigenvector.", **details
            )
            require(factor >= worst * (1 - 1e-4), "there are worse starts.", **details)

    rng = np.random.default_rng(6)
    small = [np.diag([1.0, 4.0]), np.diag([3.0, 1.0]), np.diag([1.0, 2.0, 5.0]), np.array([[2.0, 1.0], [1.0, 2.0]])]
    roots = [rng.integers(-2, 3, (d, d)) for d in (2, 3, 3, 5, 8)]
    drawn = [B @ B.T + np.eye(len(B)) + np.diag(np.arange(len(B))) for B in roots]
    for_all([(H,) for H in small + drawn], holds, lambda H: H.shape == H.T.shape)
    return "six steps in a row, each as bad as Kantorovich's inequality allows."


def conjugate_steps(lam, b):
    """The number of steps of conjugate gradients from zero on diag(lam) w = b, in exact fractions."""
    lam, g = [Fraction(v) for v in lam], [-Fraction(v) for v in b]
    p, n = [-v for v in g], 0
    while any(g):
        squared = sum(v * v for v in g)
        tau = squared / sum(v * u * u for v, u in zip(lam, p, strict=True))
        g = [a + tau * v * u for a, v, u in zip(g, lam, p, strict=True)]
        beta, n = sum(v * v for v in g) / squared, n + 1
        p = [beta * u - a for u, a in zip(p, g, strict=True)]
    return n


@homework.question(
    "How long do conjugate gradients take?",
    "After $t$ steps $w_t$ is the best point of the form $q(H)\\,b$ with a polynomial $q$ of degree below $t$, and "
    "$b-Hw_t=P(H)\\,b$ with $P(\\lambda)=1-\\lambda q(\\lambda)$.",
    "Coordinate $i$ of the gradient is $-P(\\lambda_i)\\,b_i$. Where must $P$ vanish, and which degree does that take?",
    "Equal eigenvalues need one zero together. What if $b_i=0$?",
)
def q7(answer):
    """``answer(lam, b)`` is the number of steps that conjugate gradients take from zero on diag(lam) w = b."""

    def holds(lam, b):
        n, tried = conjugate_steps(lam, b), show(lam=lam, b=b)
        got = number(answer(lam, b), "the number of steps")
        known = {
            len(lam): " The dimension is only an upper bound.",
            np.count_nonzero(b): " Equal eigenvalues share one zero of the polynomial.",
            len(set(lam)): " An eigenvalue at which b has no part is never seen.",
        }
        require(
            got == n,
            f"the number of steps is not right.{known.get(got, '')}",
            tried=tried,
            got=brief(got),
            should=f"{n}, counted by running conjugate gradients in exact fractions",
        )

    rng = np.random.default_rng(7)
    first = [
        ([1], [1]),
        ([3], [0]),
        ([2, 2], [1, 3]),
        ([1, 2], [1, 1]),
        ([1, 2], [0, 1]),
        ([2, 2, 5], [1, 0, 2]),
        ([0.25, 0.5], [0.125, -0.5]),
        ([0.5, 0.75, 0.5], [0.25, -0.5, 0.125]),
    ]
    drawn = [(rng.integers(1, 6, d), rng.integers(-1, 3, d)) for d in (3, 4, 5, 5, 6, 6, 7) for _ in range(6)]
    for_all([(np.array(lam, dtype=float), np.array(b, dtype=float)) for lam, b in first + drawn], holds)
    return "the same number as conjugate gradients in exact fractions, with equal eigenvalues and unseen ones."


@homework.question(
    "A formula that always descends",
    "Insert $p'=-g'+\\beta p$ into $g'\\cdot p'=\\beta\\,g\\cdot p$. What is unknown appears linearly.",
    "$-\\|g'\\|^2+\\beta\\,g'\\cdot p=\\beta\\,g\\cdot p$.",
)
def q8(answer):
    """``answer(g_new, g, p)`` is the beta for which g_new . p_new = beta g . p, where p_new = beta p - g_new."""

    def holds(g_new, g, p):
        beta = number(answer(g_new, g, p), "beta")
        slope, wanted = g_new @ (beta * p - g_new), beta * (g @ p)
        scale = g_new @ g_new + abs(beta) * (abs(g_new @ p) + abs(g @ p))
        known = [name for name in ("FR", "PR", "HS") if beta and np.isclose(beta, BETA[name](g_new, g, p), rtol=1e-6)]
        names = {"FR": "Fletcher and Reeves'", "PR": "Polak and Ribière's", "HS": "Hestenes and Stiefel's"}
        hint = f" This is {names[known[0]]} formula, which agrees after exact steps on quadratics." if known else ""
        climbs = " The new direction does not even descend." if slope >= 0 else ""
        require(
            abs(slope - wanted) <= 1e-6 * scale,
            f"g_new . p_new is not beta times g . p.{hint}{climbs}",
            tried=show(g_new=g_new, g=g, p=p),
            got=f"beta = {beta:.6g}, g_new . p_new = {slope:.6g}, beta g . p = {wanted:.6g}",
        )

    def valid(g_new, g, p):
        return g @ p <= -0.1 and (g_new - g) @ p >= 0.1 and g_new.any()

    rng = np.random.default_rng(8)
    drawn = [tuple(np.round(rng.normal(size=(3, d)) * 4) / 2) for d in (1, 2, 2, 3, 3, 5, 8) for _ in range(20)]
    for_all([instance for instance in drawn if valid(*instance)], holds, valid)
    return "the slope at the new point is beta times the old one, so the new direction descends after a Wolfe step."


def mistakes(w, g, H, m, lam):
    """What a Newton step becomes when something is forgotten, and what to say about it."""
    one, slope = np.eye(len(w)), g - lam * w
    bare = H - lam * one
    yield w - np.linalg.pinv(H) @ g, "this is the new point w + s. The step s is asked for."
    for matrix, vector, words in [
        (one, g, "this is the negative gradient. It has still to be multiplied by the inverse Hessian."),
        (bare, g, "lam is missing in the Hessian."),
        (H, slope, "lam w is missing in the gradient."),
        (bare, slope, "the penalty is missing."),
        (H + (m - 1) * bare, g, "the 1/m is missing in the Hessian."),
        (H, g + (m - 1) * slope, "the 1/m is missing in the gradient."),
        (H + (m - 1) * bare, g + (m - 1) * slope, "the 1/m is missing; with a penalty it does not cancel."),
    ]:
        yield -np.linalg.pinv(matrix) @ vector, words


@homework.question(
    "Newton's step",
    "The gradient is $-\\frac1m\\sum_iy_i\\,\\sigma(-z_i)\\,x_i+\\lambda w$ with $z_i=y_i\\,w\\cdot x_i$ and "
    "$\\sigma(z)=1/(1+e^{-z})$. Differentiate once more.",
    "$\\sigma'=\\sigma(1-\\sigma)$ is even and $y_i^2=1$: the Hessian is "
    "$\\frac1m\\sum_i\\sigma'(z_i)\\,x_ix_i^\\top+\\lambda I$.",
    "The step solves $Hs=-g$: `np.linalg.solve`. With weights $a_i=\\sigma'(z_i)$ the sum is `(X * a[:, None]).T @ X`.",
)
def q9(answer):
    """``answer(w, X, y, lam)`` is Newton's step at w for the penalised logistic risk."""

    def holds(w, X, y, lam):
        here = LinearRisk(logistic, X, y, lam=lam).at(w)
        g, H = here.gradient, here.hessian
        s, want = array(answer(w, X, y, lam), w.shape, "the step"), -np.linalg.solve(H, g)
        tried = show(w=w, X=X, y=y, lam=lam)
        if not np.allclose(s, want, rtol=1e-5, atol=1e-9):
            for wrong, words in mistakes(w, g, H, len(y), lam):
                require(
                    not np.allclose(s, wrong, rtol=1e-5, atol=1e-9) or np.allclose(wrong, want, rtol=1e-3),
                    words,
                    tried=tried,
                    got=brief(s),
                    should=brief(want),
                )
        close(s, want, "the step", rtol=1e-5, tried=tried)

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
