"""Homework: online learning and stability, from one step back into a ball to what one example of a sample can do."""

import itertools
import math
from fractions import Fraction

import numpy as np
from scipy.optimize import brentq

from mlcourse.losses import hinge
from mlcourse.models.linear.perceptron import perceptron
from mlcourse.optim.online import in_ball, online_gradient_descent, rounds
from mlcourse.theory import perceptron_oracle, perceptron_oracle_sharp, replacement_distance, strong_regret_exact
from mlcourse_homework.engine.answers import bounds, brief, close, for_all, number, require, show, two, two_numbers
from mlcourse_homework.engine.properties import finite, parts
from mlcourse_homework.engine.question import Homework

homework = Homework(__file__, "Online learning and stability")
progress = homework.progress
norm = np.linalg.norm


def at_most(value, limit, message, tried, what, name):
    """The value, which is called ``what``, should not exceed the limit with this name, up to rounding."""
    require(value <= limit * (1 + 1e-6), message, tried, f"{what} {value:.6g}", f"at most {name} = {limit:.6g}")


@homework.question()
def q1(answer):
    """``answer(w, U)`` is the point of the ball of radius U around zero that is nearest to w."""
    rng = np.random.default_rng(1)

    def point(w, U):
        tried, p = f"{show(w=w, U=U)}, a point of length {norm(w):.4g}", finite(answer(w, U), w.shape, "the point")
        at_most(norm(p), U, "your point is outside the ball.", tried, f"{brief(p)}, of length", "U")
        if norm(w) <= U:
            close(p, w, "this w is in the ball already and should stay; your point", tried)
        return p, tried

    def holds(w, v, U):
        (p, tried), (q, _), u = point(w, U), point(v, U), in_ball(w, U)
        apart = "the nearest points of a convex set are never farther from each other than the points were."
        near, both = norm(p - q) <= norm(w - v) + 1e-6 * U, f"{brief(p)} and {brief(q)}"
        require(near, f"two points moved apart: {apart}", show(w=w, v=v, U=U), both)
        closer = "on the way from it to another point of the ball you come closer to w."
        own, best = (f"{brief(x)}, at distance {norm(w - x):.6g}" for x in (p, u))
        obtuse = (w - p) @ (u - p) <= 1e-6 * (U + norm(w)) ** 2
        require(obtuse, f"this is not the nearest point: {closer}", tried, own, best)
        close(p, u, "the point", tried, atol=1e-6 * U)

    small = [([3], [0.5], 1.0), ([3, 4], [1, 0], 1.0), ([0, 0], [0, -4], 2.0), ([1, 1], [-1, 2], 2.0)]
    near = [([1.01 * U, 0], [0.99 * U, 0], U) for U in (1.0, 3.0)]
    drawn = [(*rng.normal(scale=r, size=(2, d)), U) for d in (1, 2, 5) for U in (1.0, 0.3, 4.0) for r in (0.5, 2, 9)]
    for_all([(np.array(w, float), np.array(v, float), U) for w, v, U in small + near + drawn], holds)
    return "in the ball, nearest to w (no angle to another point of the ball is acute), and no two points move apart."


@homework.question()
def q2(answer):
    """``answer(gradients, w, U, tau)`` is the array of the plays w_1, ..., w_T of projected online gradient descent."""
    rng = np.random.default_rng(2)

    def holds(X, y, w, U, c, a):
        (T, d), asked = X.shape, []

        def meet(t, v):
            asked.append((t, finite(v, (d,), "what you give to a gradient").copy()))
            return 2 * (X[t - 1] @ asked[-1][1] - y[t - 1]) * X[t - 1]

        def tau(t):
            require(np.all(np.asarray(t) >= 1), f"you asked for tau({brief(t)}), but rounds count from one.")
            return c / t**a

        got = answer([lambda v, t=t: meet(t, v) for t in range(1, T + 1)], w, U, tau)
        W = finite(got, (T, d), "the plays w_1, ..., w_T (the weights after round T are never played)")
        tried = f"{show(T=T, w_1=w, U=U)}, tau(t) = {c:g} / t^{a:g}, losses (y_t - w.x_t)^2 with {show(X=X, y=y)}"
        close(W[0], w, "w_1", f"{tried}; nothing is known before round 1")
        for t, v in asked:
            name, played = f"the point at which you asked for the gradient of round {t}", f"w_{t} = {brief(W[t - 1])}"
            close(v, W[t - 1], name, f"{tried}; the loss of a round is met where you played", played, atol=1e-6 * U)
        for t in range(1, T):
            require(t in dict(asked), f"you never asked for the gradient of round {t}.", tried)
            outside = f"in round {t + 1} you play outside the ball."
            at_most(norm(W[t]), U, outside, tried, f"{brief(W[t])}, of length", "U")
            g, late = meet(t, W[t - 1]), f" (your step looks like tau({t + 1}))"
            steps = {"": -tau(t), " (you walk uphill)": tau(t), late: -tau(t + 1)}
            leads = {name: in_ball(W[t - 1] + step * g, U) for name, step in steps.items()}
            why = next((name for name, v in leads.items() if np.allclose(W[t], v, atol=1e-6 * U)), "")
            now = f"{tried}; {show(w=W[t - 1], gradient=g)}, step tau({t}) = {tau(t):.4g}"
            close(W[t], leads[""], f"w_{t + 1}{why}", now, atol=1e-6 * U)

    small = [(np.ones((T, 1)), np.array([1.0, -1.0, 2.0])[:T], np.zeros(1), 1.0, 0.25, 0.5) for T in (1, 2, 3)]
    small += [(np.ones((2, 1)), np.array([1.0, -1.0]), np.zeros(1), U, 1.0, 0.5) for U in (0.5, 1.0, 1.5)]
    drawn = [
        (rng.normal(size=(T, d)), rng.normal(size=T), in_ball(rng.normal(size=d), U / 2), U, c, a)
        for T, d in ((4, 1), (5, 2), (9, 3), (40, 4))
        for U in (1.0, 3.0, 0.5)
        for c, a in ((0.3, 0.5), (1.0, 1.0), (0.1, 0.0))
    ]
    for_all(small + drawn, holds, lambda X, y, w, U, c, a: X.shape[1] == len(w) and norm(w) <= U)
    return "every play stays in the ball, was fixed before its loss was seen, and is where the steps tau_t lead."


@homework.question()
def q3(answer):
    """``answer(W, g, X, y, U)`` is the pair (u, regret): the best u of the ball, and the regret of the plays W."""
    rng = np.random.default_rng(3)

    def best(g, X, y, U):
        """The point of the ball at which the sum of g_t.u + (y_t - u.x_t)^2 is least."""
        s, V = np.linalg.eigh(2 * X.T @ X)
        s, b = np.maximum(s, 0), V.T @ (2 * X.T @ y - g.sum(axis=0))
        low, high = 1e-13 * norm(b) / U + 1e-300, 2 * norm(b) / U

        def excess(alpha):
            return norm(b / (s + alpha)) - U

        return V @ (b / (s + (brentq(excess, low, high, xtol=1e-15, rtol=1e-14) if excess(low) > 0 else low)))

    def holds(W, g, X, y, U):
        def pays(V):
            return float(np.sum(g * V) + np.sum((y - np.sum(X * V, axis=1)) ** 2))

        tried = f"{show(W=W, g=g, X=X, y=y, U=U)} (T = {len(W)}, d = {W.shape[1]})"
        u, regret = two(answer(W, g, X, y, U), "(u, regret)")
        u, v, A, b = finite(u, W.shape[1:], "u", tried), best(g, X, y, U), 2 * X.T @ X, 2 * X.T @ y - g.sum(axis=0)
        scale = U * norm(g, axis=1).sum() + y @ y + U**2 * np.sum(X**2) + abs(pays(W))
        at_most(norm(u), U, "u is not in the ball.", tried, f"{brief(u)}, of length", "U")
        free, why = np.linalg.pinv(A) @ b, ""
        if X.any() and np.allclose(u, in_ball(free, U), atol=1e-6 * U):
            why = " The point of the ball nearest to the least-squares weights is in general not the best one."
            if not np.allclose(A @ free, b):
                why = " Here A u = b has no solution: without the ball the sum of the losses would have no minimum."
        message = f"another comparator of the ball pays less than your u.{why}"
        own, least = f"u = {brief(u)} pays {pays(u):.6g}", f"{brief(v)} pays {pays(v):.6g}"
        require(pays(u) <= pays(v) + 1e-6 * scale, message, tried, own, least)
        right, got = pays(W) - pays(v), number(regret, "the regret")
        average = len(W) > 1 and np.isclose(got * len(W), right) and abs(right) > 1e-5 * scale
        require(not average, "the regret is a sum over the rounds, not an average.", tried, got)
        close(got, right, "the regret", f"{tried}; W pays {pays(W):.6g}, u {pays(v):.6g}", atol=1e-6 * scale)

    def drawn(T, d, linear, square, spread):
        W = np.array([in_ball(w, 1.0) for w in rng.normal(size=(T, d))])
        return W, linear * rng.normal(size=(T, d)), square * rng.normal(size=(T, d)), spread * rng.normal(size=T), 1.0

    def waiting(g, X, y, U=1.0):  # every play is zero
        return np.zeros(np.shape(g)), *(np.array(part, dtype=float) for part in (g, X, y)), U

    small = [waiting([[1]], [[0]], [0]), waiting([[-1]], [[0]], [0], 2.0)]
    small += [waiting([[3, 0], [0, 4]], [[0, 0], [0, 0]], [0, 0]), waiting([[0]], [[1]], [0.5])]
    small += [waiting([[0]], [[1]], [3]), waiting([[1], [-1]], [[0], [0]], [0, 0])]
    linear = [drawn(T, d, 1, 0, 0) for T, d in ((2, 1), (3, 2), (7, 3), (30, 4))]
    square = [drawn(T, d, 0, 1, s) for T, d in ((2, 2), (3, 2), (6, 3), (2, 4), (30, 4)) for s in (0.3, 3.0)]
    mixed = [drawn(T, d, 1, 1, 1) for T, d in ((2, 2), (2, 4), (30, 3))]
    for_all([*small, *linear, *square, waiting([[0, 1]], [[1, 0]], [0.5]), *mixed], holds)
    return "no comparator of the ball pays less, for linear, square and mixed losses, and the regret is the difference."


@homework.question()
def q4(answer):
    """``answer(tau, U, G)`` is an upper bound on the regret with the steps tau[0] >= ... >= tau[T - 1] > 0."""
    rng = np.random.default_rng(4)

    def patient(tau, U, G):
        """The largest regret found on the line from w_1 = U, its slopes, and n: waver at U, then cross in n rounds."""
        T, found = len(tau), []
        crossings = {math.ceil(2 * U / (G * step) - 1e-9) + more for step in tau[-2:] for more in (0, 1)}
        for n in sorted({min(T, n) for n in crossings | {T - 1, T} if n > 0}):
            g, t = np.full(T, float(G)), np.arange(0, T - n - 1, 2)
            g[t], g[t + 1], w, paid = G * tau[t + 1] / tau[t], -G, U, 0.0
            for slope, step in zip(g.tolist(), tau.tolist(), strict=True):
                paid += slope * w
                w = min(U, max(-U, w - step * slope))
            found.append((paid + U * abs(g.sum()), g, T - 2 * len(t)))
        return max(found, key=lambda triple: triple[0])

    def holds(tau, U, G, tried=None):
        tried = tried or f"{show(tau=tau, U=U, G=G)} (T = {len(tau)})"
        got, (regret, g, n) = number(answer(tau, U, G), "the bound"), patient(tau, U, G)
        slopes = brief(g) if len(g) <= 12 else f"that keep the player near U for {len(g) - n} rounds and then are G"
        bounds(got, regret, tried, why=f"on the line, start at w_1 = U against the slopes {slopes}")
        enough, found = 2 * U**2 / tau[-1] + G**2 / 2 * tau.sum(), f"we found no regret above {regret:.6g}"
        require(got <= enough * (1 + 1e-6), "larger than need be; your proof can give less.", tried, got, found)

    def slow(T, c, U, G):
        tried = f"tau_t = {c:.6g} / sqrt(t) for t = 1, ..., T, {show(T=T, U=U, G=G)}"
        holds(c / np.sqrt(np.arange(1, T + 1)), U, G, tried)

    attained = []  # the player wavers at U, in pairs of equal steps, then crosses in n; the last step leads nowhere
    for n, pairs, (U, G) in itertools.product((1, 2, 5), (0, 1, 10), ((1.0, 1.0), (2.0, 1.0), (1.0, 3.0), (0.5, 0.1))):
        for first in (1, n):
            waver = np.repeat(np.linspace(first, 1, pairs, endpoint=False), 2)
            tau = np.append(waver, np.ones(n)) * 2 * U / (n * G)
            attained += [(tau, U, G), (np.append(tau[:-1], tau[-1] / 1000), U, G)]
    drawn = [(np.sort(rng.exponential(U / G, T))[::-1], U, G) for T in (2, 3, 10) for U, G in ((1, 1), (3, 0.2))]
    by_length = sorted(attained + drawn, key=lambda instance: len(instance[0]))
    for_all(by_length, holds, lambda tau, U, G: (tau > 0).all() and (np.diff(tau) <= 0).all())
    scales = [(c * U / G, U, G) for c in (0.3, np.sqrt(2), 4) for U, G in ((1, 1), (0.5, 3))]
    for_all([(T, *scale) for T in (2, 3, 10, 100, 2000) for scale in scales], slow)
    return "no opponent took more, and against suitable steps a patient one takes exactly what you promise."


@homework.question()
def q5(answer):
    """``answer(T, mu, G)`` is an array of T points on which the regret is G^2 / (2 mu) (1 + 1/2 + ... + 1/T)."""

    def holds(T, mu, G):
        p, w, plays, tried = finite(answer(T, mu, G), (T,), "the points"), 0.0, [], show(T=T, mu=mu, G=G)
        at_most(np.abs(p).max(), G / mu, "a point is outside the interval.", tried, "|p_t| =", "G / mu")
        for t in range(1, T + 1):
            plays.append(w)
            slope, now = abs(mu * (w - p[t - 1])), f"{tried}; w_{t} = {w:.6g}, p_{t} = {p[t - 1]:.6g}"
            at_most(slope, G, f"the slope of round {t} is too steep.", now, "mu |w - p| =", "G")
            w = w - (w - p[t - 1]) / t
        regret = mu / 2 * (np.sum((np.array(plays) - p) ** 2) - np.sum((p - p.mean()) ** 2))
        want, printed = float(strong_regret_exact(T, G, mu)), G**2 / (2 * mu) * np.log(T + 1)
        where = "not even above the printed bound" if regret <= printed else "above the printed bound, but not the most"
        steeper, most = "is every slope as steep as it may be?", f"{want:.6g}; printed: {printed:.6g}"
        require(regret >= want * (1 - 1e-6), f"the regret is {where}: {steeper}", tried, regret, most)

    for_all([(T, mu, G) for T in (1, 2, 3, 4, 10, 100, 1000) for mu, G in ((1.0, 1.0), (0.5, 2.0), (3.0, 0.7))], holds)
    return "the regret is G^2 / (2 mu) times the harmonic sum: above the printed bound for every T that was tried."


@homework.question()
def q6(answer):
    """``answer(X, y, comparators)`` is the smallest of the bounds on the number of mistakes by these comparators."""
    rng = np.random.default_rng(6)

    def holds(X, y, comparators):
        got, tried = number(answer(X, y, comparators), "the bound"), show(X=X, y=y, comparators=comparators)
        M, R, norms = perceptron(X, y, [None]).n_steps, norm(X, axis=1).max(), norm(comparators, axis=1)
        few = f"you promise less than the mistakes of the perceptron on this sequence, {M}."
        require(got >= M * (1 - 1e-6), few, tried, got)
        H = np.maximum(0, 1 - y * (comparators @ X.T)).sum(axis=1)
        sharp, split = perceptron_oracle_sharp(H, norms, R), perceptron_oracle(H, norms, R)
        k = np.argmin(sharp)
        known = {
            "true, but another comparator promises less: take the smallest bound": sharp,
            "true, but not the best: solve the quadratic inequality, without splitting its root": split.min(),
            "H is a sum over rounds, not a mean": perceptron_oracle_sharp(H / len(y), norms, R).min(),
            "the largest real M is asked for: do not round it": np.floor(sharp[k]),
        }
        why = next((name for name, value in known.items() if np.isclose(got, value).any()), "the bound is not right")
        best = f"{sharp[k]:.6g}, the largest M with M <= H + b sqrt(M) for the comparator {brief(comparators[k])}, "
        best += f"where H = {H[k]:.6g} and b = {norms[k] * R:.6g}"
        require(abs(got - sharp[k]) <= 1e-6 * sharp[k] + 1e-9, f"{why}.", tried, got, best)

    small = [(np.eye(n), np.ones(n), np.ones((1, n))) for n in (1, 2, 4)]
    liars = [(np.ones((T, 1)), np.where(np.arange(T) % 2 == 0, 1, -1), np.zeros((1, 1))) for T in (1, 2, 7)]
    choices = [(np.ones((9, 1)), np.ones(9), np.array([[0.0], [1.0]]))]
    choices += [(np.array([[1, 0.25, 0.25, 0.25, 0.25]]).T, np.ones(5), np.array([[0.125], [1.0]]))]
    drawn = []
    for T, d, k in ((2, 1, 1), (3, 2, 1), (5, 2, 2), (12, 3, 5), (60, 4, 9)):
        X, u = rng.normal(size=(T, d)), rng.normal(size=d)
        y = np.where(X @ u >= 0, 1, -1) * np.where(rng.random(T) < 0.15, -1, 1)
        drawn.append((X, y, rng.uniform(0, 3, size=(k, 1)) * u + 0.2 * rng.normal(size=(k, d))))
    drawn.append((np.array([[2.0, 2.0]]), np.ones(1), np.array([[0.5, 1.0], [-0.5, -0.5]])))  # bounds 10 and 9
    for_all(small + liars + choices + drawn, holds)
    return "it held on every sequence, with equality on orthogonal points and on labels that alternate."


@homework.question()
def q7(answer):
    """``answer(X, y, U, R)`` is the triple (w_bar, paid, promise) of one pass of online gradient descent."""
    rng = np.random.default_rng(7)

    def path(X, y, U, c):  # the weights w_1, ..., w_{m+1} with the steps c / sqrt(t)
        return np.array(online_gradient_descent(rounds(hinge, X, y), np.zeros(X.shape[1]), U, c).path)

    def triple(X, y, U, R):
        w, paid, promise = parts(answer(X, y, U, R), "w_bar", "paid", "promise").values()
        return finite(w, X.shape[1:], "w_bar"), number(paid, "paid"), number(promise, "the promise")

    def honest(X, y, U, R):  # over all samples of three from the law that is uniform on the rows
        got = [triple(X[S], y[S], U, R) for S in map(list, itertools.product(range(len(X)), repeat=3))]
        risk, paid = np.mean([hinge(y * (X @ w)).mean() for w, *_ in got]), np.mean([paid for _, paid, _ in got])
        less = "in the mean over all samples you paid less than the risk of your average. That cannot be, if you pay "
        less += "the hinge loss of every example, predicted before it is used."
        law = f"the law that draws one of the rows of {show(X=X, y=y)}, samples of m = 3, {show(U=U, R=R)}"
        require(paid >= risk - 1e-6, less, law, f"paid {paid:.6g}, risk {risk:.6g}")

    def holds(X, y, U, R):
        W, tried = path(X, y, U, np.sqrt(2) * U / R), f"{show(X=X, y=y, U=U, R=R)} (m = {len(y)})"
        (w, paid, promise), right = triple(X, y, U, R), W[:-1].mean(axis=0)
        others = [path(X, y, r, c * U / R)[:-1].mean(axis=0) for r, c in ((U, 1), (U, 2), (1e9, np.sqrt(2)))]
        averages = [W.mean(axis=0), W[1:].mean(axis=0), W[-1], W[-2]]
        known = {
            "": [right],
            " (are the steps those of the best c, and do they end in the ball?)": others,
            " (the mean of w_1, ..., w_m is asked for, without w_{m+1}, which is never played)": averages,
        }
        why = next((name for name, vs in known.items() if any(np.allclose(w, v, atol=1e-6 * U) for v in vs)), "")
        close(w, right, f"w_bar{why}", tried, atol=1e-6 * U)
        close(paid, hinge(y * np.sum(X * W[:-1], axis=1)).mean(), "paid", tried)
        close(promise, U * R * np.sqrt(8 / len(y)), "the promise", tried)

    def drawn(m, d, R):
        X = rng.normal(size=(m, d))
        X *= R * rng.uniform(0.3, 1, size=(m, 1)) / norm(X, axis=1, keepdims=True)
        return X, np.where(X[:, 0] + R / 2 * rng.normal(size=m) >= 0, 1, -1)

    for_all([(*drawn(4, d, 1.0), 2.0, 1.0) for d in (1, 2)], honest)
    first = [(np.ones((m, 1)), np.ones(m), U, 1.0) for m, U in ((1, 1.0), (2, 0.5), (3, 0.5))]
    sizes = itertools.product(((1, 2), (2, 2), (3, 2), (10, 3), (50, 4)), ((1.0, 1.0), (4.0, 0.5)))
    for_all(first + [(*drawn(m, d, R), U, R) for (m, d), (U, R) in sizes], holds)
    return "each example was predicted before it was used, and the average is promised a risk within U R sqrt(8 / m)."


@homework.question()
def q8(answer):
    """``answer(m, lam, R)`` is (x, y, y_new, w, w_new): one label changes, the minimiser moves by 2 R / (lam m)."""

    def minimiser(x, y, lam):
        """The w that minimises mean |y - w x| + (lam/2) w^2: its slope grows with w, so bisect for the sign change."""
        low, high = -np.abs(x).max() / lam - 1, np.abs(x).max() / lam + 1
        for _ in range(100):
            w = (low + high) / 2
            low, high = (low, w) if lam * w - np.mean(x * np.sign(y - w * x)) > 0 else (w, high)
        return (low + high) / 2

    def holds(m, lam, R):
        got = parts(answer(m, lam, R), "x", "y", "y_new", "w", "w_new")
        x, y, y_new = (finite(got[name], (m,), name) for name in ("x", "y", "y_new"))
        tried, bound = show(m=m, lam=lam, R=R), float(replacement_distance(m, lam, R))
        at_most(np.abs(x).max(), R, "a point is too long.", tried, "|x_i| =", "R")
        changed = int(np.sum(y != y_new))
        require(changed == 1, f"y and y_new should differ in exactly one place, they differ in {changed}.", tried)
        for name, labels in (("w", y), ("w_new", y_new)):
            got[name], best = number(got[name], name), minimiser(x, labels, lam)
            F = {w: np.mean(np.abs(labels - w * x)) + lam / 2 * w**2 for w in (got[name], best)}
            own, least = (f"F({w:.6g}) = {F[w]:.8g}" for w in (got[name], best))
            message, case = f"{name} is not the minimiser for its labels.", f"{tried}; {show(x=x, labels=labels)}"
            require(abs(got[name] - best) <= 1e-5 * bound, message, case, own, least)
        moved, case = abs(got["w"] - got["w_new"]), f"{tried}; {show(x=x, y=y, y_new=y_new)}"
        farther = "the minimiser can move farther: are the points as long as they may be, and the losses linear all "
        farther += "the way from w to w_new?"
        most = f"2 R / (lam m) = {bound:.6g}"
        require(moved >= bound * (1 - 1e-4), farther, case, f"it moves by {moved:.6g}", most)

    for_all([(m, lam, R) for m in (1, 2, 3, 4, 9, 25) for lam, R in ((1.0, 1.0), (0.1, 2.0), (5.0, 0.5))], holds)
    return "both are minimisers, and they are 2 R / (lam m) apart: the constant 2 cannot be improved."


@homework.question()
def q9(answer):
    """``answer(U, G, epsilon)`` is the pair (m, lam): the smallest m that can do with the price epsilon, and a lam."""

    def holds(U, G, epsilon):
        (m, lam), tried = two_numbers(answer(U, G, epsilon), "(m, lam)"), show(U=U, G=G, epsilon=epsilon)
        exact = (2 * Fraction(G) * Fraction(U) / Fraction(epsilon)) ** 2
        least, bias, change = max(1, math.ceil(exact)), lam * U**2 / 2, 2 * G**2 / (lam * m) if lam * m > 0 else 0
        require(m == int(m) and m >= 1, "m should be a whole number, at least 1.", tried, m)
        require(lam > 0, "lam should be positive.", tried, lam)
        best, fewer = (2 * G * U / np.sqrt(n) for n in (m, max(m - 1, 1)))
        own = f"m = {m:g}, where the best lam has the price {best:.6g}"
        require(m >= least, "with so few examples no lam makes the price as small as epsilon.", tried, own)
        own = f"lam = {lam:.6g} costs {bias:.6g} + {change:.6g} = {bias + change:.6g}"
        cheap = bias + change <= epsilon * (1 + 1e-6)
        require(cheap, "with this lam the price is above epsilon.", f"{tried}, m = {m:g}", own)
        note = " This is what the constant 4 of the note asks for." if abs(m - 2 * exact) <= 1 < exact else ""
        own = f"m = {m:g}; with one less the best lam has the price {fewer:.6g}"
        require(m == least, f"true, but fewer examples are enough.{note}", tried, own)

    exact = [(1.0, 1.0, 1.0), (1.0, 1.0, 0.5), (2.0, 1.0, 0.5), (1.0, 4.0, 0.25), (1.0, 1.0, 4.0)]
    cases = itertools.product((1, 2, 9, 500), (0.3, 0.7), ((1.0, 1.0), (3.0, 0.5), (0.2, 2.0)))
    for_all(exact + [(U, G, 2 * G * U / np.sqrt(n + share)) for n, share, (U, G) in cases], holds)
    return "so many examples are enough, and with one less no lam would do."
