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
homework = Homework(__file__, "Going downhill")
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


@homework.question()
def q1(answer):
    """``answer(phi, tau, c1, c2)`` says whether the step satisfies Armijo, curvature and strong curvature."""

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


@homework.question()
def q2(answer):
    """``answer(a, b, c1, c2)`` is (low, high, strong_high) for phi(tau) = phi(0) + a tau + b tau^2 / 2."""

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


@homework.question()
def q3(answer):
    """``answer(f, gradient, w, tol)`` is a point with a gradient no longer than tol, reached downhill from w."""
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


@homework.question()
def q4(answer):
    """``answer(L, c1)`` is the largest number of halvings that an L-smooth function can make necessary."""

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


@homework.question()
def q5(answer):
    """``answer(mu, L, n)`` are the n steps with the smallest factor, for eigenvalues anywhere in [mu, L]."""

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


@homework.question()
def q6(answer):
    """``answer(H)`` is a start from which every exact step multiplies f by ((kappa-1)/(kappa+1))^2."""

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


def conjugate_steps(lam, b):
    """The number of steps of conjugate gradients from zero on diag(lam) w = b, in exact fractions."""
    lam, p = (np.array([Fraction(v) for v in part]) for part in (lam, b))
    g, n = -p, 0
    while any(g):
        new = g + g @ g / (p @ (lam * p)) * lam * p
        g, p, n = new, new @ new / (g @ g) * p - new, n + 1
    return n


@homework.question()
def q7(answer):
    """``answer(lam, b)`` is the number of steps that conjugate gradients take from zero on diag(lam) w = b."""

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


@homework.question()
def q8(answer):
    """``answer(g_new, g, p)`` is the beta for which g_new . p_new = beta g . p, where p_new = beta p - g_new."""
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


@homework.question()
def q9(answer):
    """``answer(w, X, y, lam)`` is Newton's step at w for the penalised logistic risk."""

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
