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

homework = Homework(
    "online_and_stability",
    "Online learning and stability",
    r"""What can one example do? An enemy chooses it after seeing your weights: how much can it make you pay, in the
    long run, beyond what the best fixed rule pays? Or chance draws it, among $m$ others, and you replace it by another
    one: how far can that move what you have learned? The two questions have the same kind of answer. Small steps, or a
    penalty that holds the weights back, keep the power of a single example small, and whoever is not at the mercy of
    single examples generalises.

    In this homework you write a player for the game against the enemy, prove what can be promised on *every* sequence,
    meet the opponent who takes all of it, refute a printed logarithm, and turn the player into a learner with a
    guarantee in expectation. Then you show exactly how far one label can move a regularised minimiser, and how many
    examples are enough. It follows lectures 14 to 17, 21 and 22 of the Milan notes and goes with
    {doc}`../online-learning` and {doc}`../stability-and-margins`. Three or four hours are a good measure; Questions 1
    to 5 and Questions 6 to 9 make two evenings.""",
    imports="import numpy as np",
)
progress = homework.progress
norm = np.linalg.norm


def at_most(value, limit, message, tried, what, name):
    """The value, which is called ``what``, should not exceed the limit with this name, up to rounding."""
    require(value <= limit * (1 + 1e-6), message, tried, f"{what} {value:.6g}", f"at most {name} = {limit:.6g}")


@homework.question(
    "Back into the ball",
    "A point of the ball is its own nearest point. What is the nearest point of a disc to a point outside it?",
    "Outside, shrink $w$ along the line to the origin until its length is $U$.",
    r"If $\|w\|\le U$ return $w$, otherwise $\frac U{\|w\|}\,w$.",
)
def q1(answer):
    r"""The player may only use weights in the ball $\{v\in\mathbb{R}^d:\|v\|\le U\}$, where $\|\cdot\|$ is the
    Euclidean length and $U>0$. A step may lead out of it; then the player goes back to the nearest point. Write
    `project(w, U)`, which returns the point $p$ of the ball that is nearest to a given vector `w`.

    Is it a pity to undo part of a step? No. Prove that $(w-p)\cdot(v-p)\le0$ for every $v$ of the ball, and conclude
    that $p$ is at least as close to each such $v$ as $w$ was. Question 4 needs it."""
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


@q1.solved_by
def project(w, U):
    r"""If $\|w\|\le U$ then $p=w$ is nearest, and $(w-p)\cdot(v-p)=0$ for every $v$; there is nothing to show. Let
    $\|w\|>U$ and $p=\frac U{\|w\|}w$. Every $v$ of the ball has $w\cdot v\le\|w\|\,U=w\cdot p$ and
    $p\cdot v\le U^2=p\cdot p$. As $w-p=(\frac{\|w\|}U-1)\,p$ is a positive multiple of $p$,

    $$
    (w-p)\cdot(v-p)\le0 ,
    $$

    so $\|w-v\|^2=\|w-p\|^2+\|p-v\|^2-2(w-p)\cdot(v-p)\ge\|w-p\|^2+\|p-v\|^2$. The point $p$ is nearest, and it is at
    least as close to every $v$ of the ball as $w$ was: that is all that the proofs below need. For two points $w,w'$
    with nearest points $p,p'$ add $(w-p)\cdot(p'-p)\le0$ and $(w'-p')\cdot(p-p')\le0$: this gives
    $\|p-p'\|^2\le(w-w')\cdot(p-p')\le\|w-w'\|\,\|p-p'\|$. Nothing moves apart."""
    norm = np.linalg.norm(w)
    return w if norm <= U else w * (U / norm)


@homework.question(
    "Play, then look",
    "One loop over the rounds. Note down $w_t$ before you touch the gradient of round $t$.",
    r"The loss of round $t$ is met at the point that was played, $w_t$. Its step is $\tau_t$; rounds count from one.",
    "`for t, gradient in enumerate(gradients, start=1)`: append `w`, then `w = project(w - tau(t) * gradient(w), U)`.",
)
def q2(answer):
    r"""The game has $T$ rounds. In round $t$ the player plays $w_t$, then the opponent reveals a convex loss $\ell_t$,
    and the player pays $\ell_t(w_t)$. **Projected online gradient descent** starts at a given $w_1$ in the ball, and
    after round $t$ it moves to

    $$
    w_{t+1}=\Pi\big(w_t-\tau_t\,g_t\big),\qquad g_t=\nabla\ell_t(w_t),
    $$

    where $\Pi$ is the projection of Question 1 and $\tau_t>0$ is the step of round $t$. The step goes *down*; a note
    has it go up ({ref}`M62 <erratum-M62>`), and then what the player loses to the best fixed vector grows in proportion
    to $T$.

    Write `ogd(gradients, w, U, tau)`. Here `gradients` is a list of $T$ functions, one for each round in their order:
    the first one, `gradients[0]`, maps a vector $v$ to $\nabla\ell_1(v)$, and so on. `w` is $w_1$. `tau` is a function,
    and `tau(t)` is $\tau_t$ for $t=1,2,\dots,T$. Return the array of shape `(T, d)` whose rows are the plays
    $w_1,\dots,w_T$. The check watches where you ask for gradients: the loss of a round is met at the point that was
    played, and nowhere else."""
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


@q2.solved_by
def ogd(gradients, w, U, tau):
    r"""The order of the two lines in the loop is the game: first the play is noted down, then the loss may be looked
    at, and only at the point that was played. The step is against the gradient (a note has a plus here,
    {ref}`M62 <erratum-M62>`) and has the length of this round, $\tau_t$. The weights after the last round are never
    played, so they are not returned."""
    plays = []
    for t, gradient in enumerate(gradients, start=1):
        plays.append(w)
        w = project(w - tau(t) * gradient(w), U)
    return np.array(plays)


@homework.question(
    "The best rule in hindsight",
    r"Add up: $\sum_t\ell_t(u)=\frac12\,u\cdot Au-b\cdot u$ plus a constant. What are $A$ and $b$? If $X=0$ the sum "
    "is linear; which point of the ball is farthest in the direction $b$?",
    "Without the ball there is a minimum only if $Au=b$ can be solved, and then the shortest solution is one. If it "
    "is in the ball, take it. Otherwise the best $u$ lies on the sphere, and the descent direction $b-Au$ points "
    r"straight out of the ball: $b-Au=\alpha u$ with some $\alpha\ge0$.",
    r"So $u=(A+\alpha I)^{-1}b$. Its length falls as $\alpha$ grows; at $\alpha=\|b\|/U$ it is at most $U$: bisect.",
    returns="u, regret",
)
def q3(answer):
    r"""How well did the player do? Against an enemy no absolute standard makes sense, so we compare with the fixed
    vectors $u$ of the ball. The **regret** against $u$ is a sum over the rounds, not an average
    ({ref}`M61 <erratum-M61>`):

    $$
    R_T(u)=\sum_{t=1}^T\ell_t(w_t)-\sum_{t=1}^T\ell_t(u) .
    $$

    To know the largest regret one must know the $u$ that pays least. For two kinds of losses it can be computed: linear
    ones, $g_t\cdot w$, and the square losses of regression, $(y_t-w\cdot x_t)^2$. Treat both at once:

    $$
    \ell_t(w)=g_t\cdot w+(y_t-w\cdot x_t)^2 .
    $$

    Write `hindsight(W, g, X, y, U)`, which returns the pair `(u, regret)`: a point $u$ of the ball with the least
    $\sum_t\ell_t(u)$ (any, if there are several), and $R_T(u)$ for the plays in the rows of `W`. The arrays `W`, `g`
    and `X` have shape `(T, d)`, and `y` has shape `(T,)`. The first tests have $X=0$ and $y=0$. That is the linear
    case, in which $u$ has a formula; find it first."""
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


@q3.solved_by
def hindsight(W, g, X, y, U):
    r"""Up to a constant the sum of the losses is $\frac12\,u\cdot Au-b\cdot u$ with $A=2X^\top X$ and
    $b=2X^\top y-\sum_tg_t$. Suppose that $u$ in the ball and $\alpha\ge0$ satisfy $(A+\alpha I)\,u=b$, and that
    $\alpha=0$ or $\|u\|=U$. Then $u$ is best: the gradient there is $Au-b=-\alpha u$, and for every $v$ of the ball

    $$
    \sum_t\ell_t(v)-\sum_t\ell_t(u)\ge-\alpha\,u\cdot(v-u)=\alpha\,(\|u\|^2-u\cdot v)\ge0 .
    $$

    In the eigenvectors of $A$ the length of $(A+\alpha I)^{-1}b$ is seen to fall with $\alpha$, and at $\alpha=\|b\|/U$
    it is at most $U$. Bisection finds the $\alpha$ with length $U$; if there is none it goes down to zero, where the
    limit is the shortest solution of $Au=b$. (If $Au=b$ cannot be solved, the lengths grow beyond every bound as
    $\alpha\to0$, so then there is one, even if the least-squares solution of $Au=b$ is in the ball.) If all losses are
    linear and $b\ne0$ then $A=0$ and $u=b/\alpha=Ub/\|b\|$: the best comparator is $-U$ times the direction of
    $\sum_tg_t$, and it pays $-U\|\sum_tg_t\|$. To project the least-squares weights is not enough: nearest in distance
    is not best in loss."""
    s, V = np.linalg.eigh(2 * X.T @ X)
    b = V.T @ (2 * X.T @ y - g.sum(axis=0))
    low, high = 0.0, np.linalg.norm(b) / U + 1e-12
    for _ in range(100):
        alpha = (low + high) / 2
        longer = np.linalg.norm(b / (np.maximum(s, 0) + alpha)) > U
        low, high = (alpha, high) if longer else (low, alpha)
    u = V @ (b / (np.maximum(s, 0) + high))
    paid = np.sum(g * W) + np.sum((y - np.sum(X * W, axis=1)) ** 2)
    return u, paid - np.sum(g @ u) - np.sum((y - X @ u) ** 2)


@homework.question(
    "A promise for every sequence",
    r"Follow $a_t=\|w_t-u\|^2$. Expand $\|w_t-\tau_tg_t-u\|^2$; the projection only brings you closer to $u$.",
    r"$g_t\cdot(w_t-u)\le\frac{a_t-a_{t+1}}{2\tau_t}+\frac{\tau_t}2G^2$. Sum, and collect what multiplies each $a_t$.",
    r"How large can $a_t$ be, if both points are in the ball? The factors $\frac1{\tau_t}-\frac1{\tau_{t-1}}$ are not "
    "negative, so replace every $a_t$ by that number: the sum telescopes.",
    doc="An upper bound on the regret against every u of the ball.",
    proof=True,
)
def q4(answer):
    r"""Now the theorem. The player of Question 2 starts anywhere in the ball and takes steps that do not grow,
    $\tau_1\ge\tau_2\ge\dots\ge\tau_T>0$. The losses are convex, chosen in any way, also in answer to the plays, and the
    gradients that the player meets have length $\|g_t\|\le G$. Prove an upper bound on $R_T(u)$ that holds for every
    $u$ of the ball and depends on the steps, on $U$ and on $G$ only. State it as `promise(tau, U, G)`, where `tau` is
    the array of the $T$ steps.

    The check has an opponent with patience. Against suitable steps, such as constant ones of the right length, it takes
    exactly what the proof allows, so a promise that is too small is refuted. One that is too generous is told so.

    Afterwards put $\tau_t=c/\sqrt t$, use $\sum_{t\le T}\frac1{\sqrt t}\le2\sqrt T$, and choose $c$: this is the
    $UG\sqrt{8T}$ of {prf:ref}`thm-ogd`. You will need the $c$ in Question 7."""
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


@q4.solved_by
def promise(tau, U, G):
    r"""Let $a_t=\|w_t-u\|^2$, at most $4U^2$, as both points are in the ball. By Question 1 the projection brings the
    player closer to $u$, so $a_{t+1}\le\|w_t-\tau_tg_t-u\|^2=a_t-2\tau_t\,g_t\cdot(w_t-u)+\tau_t^2\|g_t\|^2$. Convexity
    gives $\ell_t(w_t)-\ell_t(u)\le g_t\cdot(w_t-u)$. Solve for this product and sum:

    $$
    R_T(u)\le\sum_{t=1}^T\frac{a_t-a_{t+1}}{2\tau_t}+\frac{G^2}2\sum_{t=1}^T\tau_t .
    $$

    The first sum is
    $\frac{a_1}{2\tau_1}+\sum_{t=2}^T\frac{a_t}2(\frac1{\tau_t}-\frac1{\tau_{t-1}}) -\frac{a_{T+1}}{2\tau_T}$. The steps
    do not grow, so the brackets are not negative; replace each $a_t$ by $4U^2$ and drop the last term: what remains
    telescopes to $\frac{2U^2}{\tau_T}$. Together

    $$
    R_T(u)\le\frac{2U^2}{\tau_T}+\frac{G^2}2\sum_{t=1}^T\tau_t .
    $$

    For suitable steps it is attained. On the line let $\tau$ be constant, $n=\frac{2U}{\tau G}$ a whole number,
    $T\ge n$, $T-n$ even and $w_1=U$. Slopes $G,-G$ in turn keep the player at $U$, and each pair costs $\tau G^2$ more
    than $u=-U$ pays. Then $n$ slopes $G$ lead it to $-U$, at the price
    $G\sum_{k<n}(2U-k\tau G)=UG(n+1)=\frac{2U^2}\tau+\frac{G^2}2n\tau$. (For other steps a little can be gained: after
    the last one nothing is played, so in the bound $\tau_T$ may be replaced by the smaller of $\tau_{T-1}$ and $2U/G$.)
    """
    return 2 * U**2 / tau[-1] + G**2 / 2 * np.sum(tau)


@homework.question(
    "A logarithm too small",
    r"For these losses the algorithm follows the leader: $w_{t+1}$ is the mean of $p_1,\dots,p_t$.",
    r"Show that the regret against the best $u$ is $\sum_t\frac{g_t^2}{2\mu t}$ with the slopes $g_t=\mu(w_t-p_t)$. "
    "How steep may they be?",
    r"Put $p_t$ at the distance $G/\mu$ from $w_t$, on the side on which it stays in the interval.",
    proof=True,
)
def q5(answer):
    r"""Curved losses say more about where their minimum is, and the player may slow down sooner. Take
    $\ell_t(w)=\frac\mu2(w-p_t)^2$ on the line, with $\mu>0$ and points $p_t$, steps $\tau_t=\frac1{\mu t}$, the start
    $w_1=0$, and no projection. If no slope that the player meets is steeper than $G$, that is $|\mu(w_t-p_t)|\le G$ for
    all $t$, then for every $u$

    $$
    R_T(u)\le\frac{G^2}{2\mu}\sum_{t=1}^T\frac1t\le\frac{G^2}{2\mu}\,(1+\ln T).
    $$

    A note prints $\frac{G^2}{2\mu}\ln(T+1)$ instead ({ref}`M73 <erratum-M73>`). Refute it, for every $T$. Write
    `hard_points(T, mu, G)`, which returns $T$ numbers $p_1,\dots,p_T$ on which no slope is steeper than $G$ and the
    regret against the best $u$ is *exactly* $\frac{G^2}{2\mu}\sum_{t\le T}\frac1t$. So that nobody can say you had run
    away to infinity, all of them must lie in the interval from $-\frac G\mu$ to $\frac G\mu$."""

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


@q5.solved_by
def hard_points(T, mu, G):
    r"""*No more is possible.* Let $a_t=(w_t-u)^2$ and $g_t=\mu(w_t-p_t)$. For a parabola
    $\ell_t(w_t)-\ell_t(u)=g_t(w_t-u)-\frac\mu2a_t$, and the step $\frac1{\mu t}$ gives
    $g_t(w_t-u)=\frac{\mu t}2(a_t-a_{t+1})+\frac{g_t^2}{2\mu t}$. Add up: $\frac\mu2((t-1)a_t-t\,a_{t+1})$ telescopes,
    and

    $$
    R_T(u)=\sum_{t=1}^T\frac{g_t^2}{2\mu t}-\frac{\mu T}2\,(w_{T+1}-u)^2 .
    $$

    With $|g_t|\le G$ this is at most $\frac{G^2}{2\mu}\sum_{t\le T}\frac1t$, for the best $u$, which is $w_{T+1}$.

    *It is attained* if every slope has length $G$, that is if $|w_t-p_t|=\frac G\mu$. On the side towards zero $p_t$
    stays in the interval: if $|w_t|\le\frac G\mu$ then $|p_t|\le\frac G\mu$, and so is $w_{t+1}=\frac{(t-1)w_t+p_t}t$,
    a mean of such numbers.

    Since $\frac1t>\int_t^{t+1}\frac{dx}x$, the harmonic sum is above $\ln(T+1)$: on these points the printed bound
    ({ref}`M73 <erratum-M73>`) fails for *every* $T$. Since $\frac1t\le\int_{t-1}^t\frac{dx}x$ for $t\ge2$, it is at
    most $1+\ln T$, which is the right bound."""
    w, points = 0.0, []
    for t in range(1, T + 1):
        points.append(w - G / mu if w > 0 else w + G / mu)
        w = w - (w - points[-1]) / t
    return np.array(points)


@homework.question(
    "Mistakes on any sequence",
    r"Let $w$ be the weights after $M$ mistakes, the sum of $y_tx_t$ over the mistaken rounds. Bound $\|w\|$ from "
    r"above, as for Novikoff's theorem, and $u\cdot w$ from below by $M-H_T(u)$.",
    r"$M\le H+b\sqrt M$ is a quadratic inequality for $\sqrt M$: it says $\sqrt M\le\frac b2+\sqrt{\frac{b^2}4+H}$.",
    "Each comparator gives a bound; all of them are true, so take the smallest.",
    proof=True,
)
def q6(answer):
    r"""Novikoff's theorem needs data that a hyperplane separates. Regret does not, and it leads to a theorem about the
    perceptron on *any* sequence $(x_1,y_1),\dots,(x_T,y_T)$ with $y_t\in\{-1,+1\}$. The perceptron starts at $w_1=0$
    and sees each example once, in order; if $y_t\,w_t\cdot x_t\le0$ it has made a mistake and moves to
    $w_{t+1}=w_t+y_tx_t$, otherwise it stays. Let $R=\max_t\|x_t\|$ be the radius of the data (from here on $R$ alone is
    a radius; only with an index, as in $R_T(u)$, is it the regret), and for a comparator $u$ let

    $$
    H_T(u)=\sum_{t=1}^T[1-y_t\,u\cdot x_t]_+,\qquad [z]_+=\max(0,z).
    $$

    Prove that the number $M$ of mistakes satisfies $M\le H_T(u)+\|u\|R\sqrt M$ for every $u\in\mathbb{R}^d$. It takes
    four lines, and no gradient.

    The unknown stands on both sides. Write `promised(X, y, comparators)`, where the rows of `comparators` are vectors
    $u$. Each of them promises that $M$ is at most the largest real number that satisfies the inequality. Return the
    smallest of these promises. (The explicit formula of the notes, $H+b^2+b\sqrt H$ with $b=\|u\|R$, is true in spite
    of some lost squares, {ref}`M68 <erratum-M68>`. You can do better.)"""
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


@q6.solved_by
def promised(X, y, comparators):
    r"""Let $M\ge1$ and let $w$ be the weights after all mistakes, the sum of $y_tx_t$ over the mistaken rounds. An
    update adds $2y_t\,w_t\cdot x_t+\|x_t\|^2\le R^2$ to the squared length, so $\|w\|\le R\sqrt M$. And
    $y_t\,u\cdot x_t\ge1-[1-y_t\,u\cdot x_t]_+$, so $u\cdot w\ge M-H_T(u)$: the rounds without a mistake only make
    $H_T(u)$ larger. By Cauchy and Schwarz

    $$
    M-H_T(u)\le u\cdot w\le\|u\|\,R\sqrt M=b\sqrt M .
    $$

    This is a quadratic inequality for $\sqrt M$. It holds exactly for $\sqrt M\le\frac b2+\sqrt{\frac{b^2}4+H_T(u)}$.
    The theorem holds for every $u$, so the smallest of the bounds holds. Two cases in which nothing is lost: orthogonal
    points of length one with labels $+1$, where $u=(1,\dots,1)$ has $H=0$ and $b^2=T$; and the point $1$ with labels
    that alternate, where $u=0$ has $H=T$, and the perceptron, thrown to and fro, is wrong every time."""
    R = np.linalg.norm(X, axis=1).max()
    H = np.maximum(0, 1 - y * (comparators @ X.T)).sum(axis=1)
    b = np.linalg.norm(comparators, axis=1) * R
    return ((b / 2 + np.sqrt(b**2 / 4 + H)) ** 2).min()


@homework.question(
    "One pass",
    "$w_t$ is a function of the first $t-1$ examples. Which loss of $w_t$ is an honest estimate of its risk?",
    r"Average $w_1,\dots,w_m$, not $w_{m+1}$, and note the hinge loss of $w_t$ on example $t$ *before* the step.",
    r"$\frac{2U^2}c+cG^2$ is least where its two terms are equal, at $c=\sqrt2\,U/G$; here $G=R$. Divide by $m$.",
    returns="w_bar, paid, promise",
)
def q7(answer):
    r"""A player who survives an enemy should do well against chance. Let the examples $(x_1,y_1),\dots,(x_m,y_m)$ be
    independent draws from a law $\mathcal{D}$ with $\|x\|\le R$ and labels $\pm1$. Run the player of Question 2 through
    them *once*, from $w_1=0$, with the hinge losses $\ell_t(w)=[1-y_t\,w\cdot x_t]_+$. As their gradient take $-y_tx_t$
    if $y_t\,w\cdot x_t<1$, and zero if it is larger than $1$. (Exactly at the kink either will do: both are
    subgradients, and convexity asks for no more.) The steps are $\tau_t=c/\sqrt t$ with the $c$ for which
    $\frac{2U^2}c+cR^2$ is least, because $R$ bounds the gradients.

    Write `one_pass(X, y, U, R)`, which returns three things. The first is $\bar w=\frac1m\sum_{t\le m}w_t$, the average
    of the plays. The second is what was paid per round, $\frac1m\sum_{t\le m}\ell_t(w_t)$. The third is the promise:
    the number $\epsilon$, a formula in $U$, $R$ and $m$, for which Question 4 and
    $\sum_{t\le m}\frac1{\sqrt t}\le2\sqrt m$ give, in expectation over the sample,

    $$
    \mathbb{E}\,\ell_{\mathcal{D}}(\bar w)\le\ell_{\mathcal{D}}(u)+\epsilon
    \qquad\text{for every fixed }u\text{ with }\|u\|\le U ,
    $$

    where $\ell_{\mathcal{D}}(w)=\mathbb{E}\,[1-y\,w\cdot x]_+$ is the true risk. Prove it: why is what was paid, in
    expectation, never below the risk of $\bar w$? In one place a note has a square too many in this $\epsilon$
    ({ref}`M66 <erratum-M66>`); measure $x$ in other units to see which exponent is right."""
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


@q7.solved_by
def one_pass(X, y, U, R):
    r"""Given the first $t-1$ examples, $w_t$ is fixed and example $t$ is a fresh draw:
    $\mathbb{E}\,\ell_t(w_t)=\mathbb{E}\,\ell_{\mathcal{D}}(w_t)$. So what is paid is an unbiased estimate of the mean
    risk of the plays, and as the risk is convex, Jensen's inequality says
    $\ell_{\mathcal{D}}(\bar w)\le\frac1m\sum_t\ell_{\mathcal{D}}(w_t)$. For a fixed $u$ of the ball
    $\mathbb{E}\,\ell_t(u)=\ell_{\mathcal{D}}(u)$, so

    $$
    \mathbb{E}\,\ell_{\mathcal{D}}(\bar w)\le\mathbb{E}\,\frac1m\sum_{t=1}^m\ell_t(w_t)
    =\ell_{\mathcal{D}}(u)+\frac1m\,\mathbb{E}\,\big[\text{regret against }u\big] .
    $$

    (We write the regret in words: $R$ is the radius of the data here.) The gradients have length at most $R$. With
    $\sum_{t\le m}\frac1{\sqrt t}\le2\sqrt m$ the promise of Question 4 is at most $(\frac{2U^2}c+cR^2)\sqrt m$, least
    at $c=\sqrt2\,U/R$, and then it is $UR\sqrt{8m}$. Divide by $m$. The note's $UR^2\sqrt{8/m}$
    ({ref}`M66 <erratum-M66>`) cannot be right: in other units of $x$, with $U$ in the inverse units, scores and losses
    stay what they were, and so must the promise."""
    w, plays, paid = np.zeros(X.shape[1]), [], []
    for t in range(1, len(y) + 1):
        plays.append(w)
        z = y[t - 1] * (w @ X[t - 1])
        paid.append(max(0.0, 1 - z))
        g = -y[t - 1] * X[t - 1] * (z < 1)
        w = project(w - np.sqrt(2) * U / (R * np.sqrt(t)) * g, U)
    return np.mean(plays, axis=0), np.mean(paid), U * R * np.sqrt(8 / len(y))


@homework.question(
    "One example replaced",
    "If every loss is linear where it matters, $F_S$ is a parabola there. Where is its minimum?",
    "All $x_i=R$. While $|wR|$ is below all $|y_i|$, the slope of loss $i$ is $-R$ if $y_i>0$ and $+R$ if $y_i<0$.",
    r"Labels $\pm B$ with $B\ge R^2/\lambda$; one of them changes from $B$ to $-B$. Then $w$ is $\frac R{\lambda m}$ "
    "times the number of positive minus the number of negative labels.",
    returns="x, y, y_new, w, w_new",
    proof=True,
)
def q8(answer):
    r"""The other way to keep one example from having too much power is a penalty. A learner returns the $w$ that
    minimises

    $$
    F_S(w)=\frac1m\sum_{i=1}^m\ell(w;s_i)+\frac\lambda2\|w\|^2,\qquad\lambda>0,
    $$

    where the losses are convex in $w$ and Lipschitz with constant $G$: $|\ell(w;s)-\ell(v;s)|\le G\|w-v\|$. Replace one
    of the $m$ examples. Prove that the minimiser moves by at most $\frac{2G}{\lambda m}$, and hence no loss by more
    than $\frac{2G^2}{\lambda m}$. The notes have twice as much ({ref}`M86 <erratum-M86>`), which is true as well. If
    the $4$ can be a $2$, can the $2$ be something smaller still?

    No: show that $2$ cannot be improved, whatever $m\ge1$, $\lambda>0$ and $R>0$ are. Work on the line, with the
    absolute loss of regression, $\ell(w;(x,y))=|y-wx|$, where $|x|\le R$ and $y$ may be any real number; so $G=R$.
    Write `tight(m, lam, R)`, which returns five things, `x, y, y_new, w, w_new`: the points $x_1,\dots,x_m$; two arrays
    of $m$ labels that differ in exactly one place; and the minimisers of $F_S$ for these points with the labels `y` and
    with the labels `y_new`. They must be $\frac{2R}{\lambda m}$ apart."""

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


@q8.solved_by
def tight(m, lam, R):
    r"""*The bound.* Let $w$ minimise $F_S$, a convex function plus $\frac\lambda2\|w\|^2$. For every $v$ and $0<a<1$ we
    have $F_S(w)\le F_S(w+a(v-w))\le(1-a)F_S(w)+aF_S(v)-\frac\lambda2a(1-a)\|v-w\|^2$. Subtract $(1-a)F_S(w)$, divide by
    $a$ and let $a\to0$: $F_S(v)-F_S(w)\ge\frac\lambda2\|v-w\|^2$. Let $w'$ be the minimiser for the other sample and
    $r=\|w-w'\|$. Use this twice, for each sample with the minimiser of the other one as $v$, and add. All losses cancel
    but those of the changed example:

    $$
    \lambda r^2\le\frac{\ell(w';s_i)-\ell(w;s_i)}m+\frac{\ell(w;s_i')-\ell(w';s_i')}m\le\frac{2Gr}m .
    $$

    So $r\le\frac{2G}{\lambda m}$, and a loss changes by at most $G$ times that. The note ({ref}`M86 <erratum-M86>`)
    uses the inequality for one of the samples only and gets $\frac{4G}{\lambda m}$.

    *It is attained.* Let all $x_i=R$ and the labels $\pm B$ with $B\ge R^2/\lambda$. Let $k$ be the number of positive
    minus that of negative labels. $F_S(w)$ is at least $B-\frac{wRk}m+\frac\lambda2w^2$, and equal to it where
    $|w|\le\frac R\lambda$, since there no $y_i-wR$ has the wrong sign. This parabola is least at
    $w=\frac{Rk}{\lambda m}$, which is in that range, so there $F_S$ is least too. Changing $B$ into $-B$ lowers $k$ by
    two. Both numerators above are then equal to $Gr$: the loss on the changed example moves by
    $\frac{2G^2}{\lambda m}$. The hinge, whose labels cannot be made large, attains it for large $\lambda m$
    ({prf:ref}`prop-stability-tight`)."""
    B = R**2 / lam + 1
    y = np.where(np.arange(m) % 2 == 0, B, -B)
    y_new = np.where(np.arange(m) == 0, -B, y)
    w, w_new = (R * np.sign(labels).sum() / (lam * m) for labels in (y, y_new))
    return np.full(m, R), y, y_new, w, w_new


@homework.question(
    "How many examples are enough?",
    r"The two terms have a product that does not depend on $\lambda$. When is the sum of two such numbers least?",
    r"They are equal at $\lambda=\frac{2G}{U\sqrt m}$, and the sum is then $\frac{2GU}{\sqrt m}$.",
    r"$\frac{2GU}{\sqrt m}\le\epsilon$ means $m\ge(2GU/\epsilon)^2$; round up.",
    returns="m, lam",
    proof=True,
)
def q9(answer):
    r"""Stability is generalisation: the minimiser $w_S$ of Question 8 has an expected risk of at most
    $\ell_{\mathcal{D}}(u)+\frac\lambda2\|u\|^2+\frac{2G^2}{\lambda m}$ for every fixed $u$
    ({prf:ref}`cor-stability-oracle` with {prf:ref}`thm-rerm-stable`). A large $\lambda$ makes the learner deaf, a small
    one makes it nervous. If we compete with all $u$ of length at most $U$, the price of both together is

    $$
    \frac\lambda2U^2+\frac{2G^2}{\lambda m} .
    $$

    You want to pay at most $\epsilon>0$. Write `enough(U, G, epsilon)`, which returns the pair `(m, lam)`: the smallest
    number $m\ge1$ of examples for which *some* $\lambda>0$ makes the price at most $\epsilon$, and such a $\lambda$ for
    that $m$."""

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


@q9.solved_by
def enough(U, G, epsilon):
    r"""The product of the two terms is $\frac{G^2U^2}m$, whatever $\lambda$. The sum of two positive numbers with a
    given product is least if they are equal, here to $\frac{GU}{\sqrt m}$:

    $$
    \frac\lambda2U^2+\frac{2G^2}{\lambda m}\ge\frac{2GU}{\sqrt m},\qquad\text{with equality at }
    \lambda=\frac{2G}{U\sqrt m} .
    $$

    So $\epsilon$ can be reached if and only if $m\ge(2GU/\epsilon)^2$. With the constant $4$ of the note in place of
    $2$ ({ref}`M86 <erratum-M86>`; the passage with $\lambda$ has a misprint besides, {ref}`M88 <erratum-M88>`) it would
    be $8\,(GU/\epsilon)^2$, twice as many, and that is also what one pass needs by Question 7. In the mean over samples
    even half of $2G^2/(\lambda m)$ is enough, up to a factor that tends to one ({prf:ref}`prop-expected-gap`)."""
    m = max(1, int(np.ceil((2 * G * U / epsilon) ** 2 - 1e-9)))
    return m, 2 * G / (U * np.sqrt(m))


homework.closing(
    r"""You have a player with a promise for every sequence, an opponent who takes all of it where the steps allow that,
    and losses on which the harmonic sum is the regret to the last digit. Averaged over one pass, the player needs
    $8\,(UG/\epsilon)^2$ examples for an excess of $\epsilon$ in expectation. The regularised minimiser, which may look
    at all examples as often as it likes, needs half as many by the bound of Question 9; you proved the half of it that
    is about stability, and the chapter turns stability into risk. Neither number depends on the dimension, and neither
    needed a class of functions to be small. {doc}`../online-learning` goes on to what nobody can promise, and to
    guarantees with high probability; {doc}`../stability-and-margins` shows that stability *is* generalisation, with an
    equality, and gives the second reason why large classes learn: the margin."""
)
