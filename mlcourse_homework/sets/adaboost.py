"""Homework: AdaBoost, from the price of one error to the training error after T rounds, and its two traps."""

import numpy as np

from mlcourse_homework.engine.answers import array, brief, close, for_all, number, pair, require, show, two_numbers
from mlcourse_homework.engine.question import Homework

homework = Homework("adaboost", "AdaBoost")
progress = homework.progress
TINY = 1e-30  # an edge below it may be followed by zeros: floating point has no smaller ones


@homework.question(
    "What an error costs",
    "What is the smallest value that $e^{-y\\,f(x)}$ can have on an error, that is if $y\\,f(x)\\le0$?",
    "The $m$ costs add up to $m$ times the risk. Errors cost at least $1$ each. What do the other examples cost?",
    "If $k<m$ examples are errors, $k$ is *strictly* less than $m$ times the risk. When can all $m$ be errors?",
)
def q1(answer):
    """``answer(m, risk)`` is the largest number of errors that m examples with this exponential risk can have."""

    def holds(m, risk):
        got, total = number(answer(m, risk), "the number of errors"), m * risk
        most = m if risk >= 1 else int(np.ceil(total)) - 1
        tried = f"{show(m=m, risk=risk)}, so the {m} costs exp(-y f) add up to {total:g}"
        require(
            got == int(got) >= 0,
            "the number of errors should be a whole number, not negative.",
            tried=tried,
            got=brief(got),
        )
        require(got <= m, f"there are only {m} examples.", tried=tried, got=brief(got))
        scores = (
            f"let every y f be -ln({risk:g}), which is not positive"
            if most == m
            else f"{most} scores of 0 cost 1 each, and the other examples cost the rest, {total - most:g} together"
        )
        require(got >= most, "more errors are possible.", tried=tried, got=brief(got), should=f"{most}: {scores}")
        require(
            got <= most or got != total,
            "so many errors alone would use up the whole cost, but the examples that are right cost something too.",
            tried=tried,
            got=brief(got),
            should="every exp(-y f) is positive",
        )
        require(
            got <= most,
            "so many errors cost too much.",
            tried=tried,
            got=brief(got),
            should=f"each error costs at least 1, so {got:g} of them cost at least {got:g}",
        )

    rng = np.random.default_rng(1)
    first = [(1, 0.5), (1, 1.0), (2, 0.75), (2, 0.5), (2, 1.0), (4, 0.5), (3, 1.5), (10, 0.25), (8, 0.25), (16, 0.0625)]
    shares = [(int(m), int(k)) for m in rng.integers(5, 2000, 8) for k in (*rng.integers(0, m, 2), m - 1)]
    drawn = [(m, (k + share) / m) for m, k in shares for share in (0.4, 0.05, 0.95)]
    for_all([*first, *drawn, (7, 40.0)], holds)
    return "never too many, never too few; in particular a risk of at most 1/m leaves no error, if m > 1."


@homework.question(
    "One round",
    "$y_ih(x_i)$ is $-1$ where the rule errs and $+1$ where it is right: which factor is larger than one?",
    "Multiply, `new = D * np.exp(-alpha * y * h)`. What does `new` sum up to?",
    "That sum is $Z$; divide by it.",
)
def q2(answer):
    """``answer(D, y, h, alpha)`` returns the new weights and the normaliser Z; h holds the values of the rule."""

    def holds(D, y, h, alpha):
        D = D / D.sum()
        tried = show(D=D, y=y, h=h, alpha=alpha)
        new, Z = pair(answer(D, y, h, alpha), "(D, Z)")
        new, want = array(new, D.shape, "the new weights"), D * np.exp(-alpha * y * h)
        want, Z_want, turned = want / want.sum(), want.sum(), D * np.exp(alpha * y * h)
        turned = turned / turned.sum()
        require(
            np.allclose(turned, want) or not np.allclose(new, turned, rtol=1e-4),
            "the sign is turned: your weights grow where the rule is right.",
            tried=tried,
            got=brief(new),
        )
        require(
            np.isclose(new.sum(), 1, rtol=1e-5),
            f"the new weights should sum up to one, not {new.sum():.4g}.",
            tried=tried,
            got=brief(new),
        )
        close(new, want, "the new D", tried=tried)
        close(Z, Z_want, "Z, the sum of the weights before it divides them,", tried=tried)

    rng = np.random.default_rng(2)
    drawn = [
        (_weights(rng.integers(1, 5, m) * (np.arange(m) >= zeros)), *rng.choice((-1, 1), (2, m)), alpha)
        for m, zeros in ((2, 0), (2, 0), (2, 0), (3, 0), (3, 0), (3, 1), (4, 1), (6, 0), (20, 5))
        for alpha in (1.0, 0.3, -0.7)
    ]

    def mixed(D, y, h, alpha):  # both errors and right answers
        return D.sum() > 0 and np.ptp((y * h)[D > 0]) > 0

    for_all(sorted(drawn, key=lambda case: not mixed(*case)), holds, mixed)

    m, product, f = 12, 1.0, np.zeros(12)
    D, y = np.full(m, 1 / m), rng.choice((-1, 1), m)
    for h in rng.choice((-1, 1), (6, m)):
        epsilon = D[h != y].sum()
        alpha = np.log((1 - epsilon) / epsilon) / 2
        D, Z = pair(answer(D, y, h, alpha), "(D, Z)")
        D, f, product = array(D, (m,), "the new weights"), f + alpha * h, product * number(Z, "Z")
        close(D[h != y].sum(), 0.5, "the error of the rule under the new weights", rtol=1e-5)
    close(product, np.exp(-y * f).mean(), "the product of the Z, against the exponential risk,", rtol=1e-5)
    return "the weights sum up to one, the rule just used has error 1/2, and the Z multiply to the exponential risk."


@homework.question(
    "All rounds at once",
    "Write $D_2$ with $D_1$, then $D_3$ with $D_2$. What happens to the exponents, what to the denominators?",
    "$D_{T+1}(i)=e^{-y_if_T(x_i)}\\big/(m\\,Z_1\\cdots Z_T)$, where $f_T=\\sum_t\\alpha_th_t$.",
    "The left side sums up to one. So $m\\,Z_1\\cdots Z_T$ is the sum of the $e^{-y_if_T(x_i)}$.",
)
def q3(answer):
    """``answer(y, H, alpha)`` returns D_{T+1} and Z_1 ... Z_T; H[i, t] is the value of rule t on example i."""

    def holds(y, H, alpha):
        D, product, tried = np.full(len(y), 1 / len(y)), 1.0, show(y=y, H=H, alpha=alpha)
        for h, vote in zip(H.T, alpha, strict=True):
            D = D * np.exp(-vote * y * h)
            D, product = D / D.sum(), product * D.sum()
        got, Z = pair(answer(y, H, alpha), "(D, Z)")
        got = array(got, y.shape, "D")
        require(np.isclose(got.sum(), 1, rtol=1e-5), f"D should sum up to one, not {got.sum():.4g}.", tried=tried)
        turned = (1 / D) / (1 / D).sum()
        require(
            np.allclose(D, turned) or not np.allclose(got, turned, rtol=1e-4),
            "the sign is turned: your weights are small where y f is negative.",
            tried=tried,
            got=brief(got),
            should=brief(D),
        )
        close(got, D, f"D for T = {len(alpha)}", tried=tried)
        close(Z, product, f"the product of the Z_t for T = {len(alpha)}", tried=tried)

    rng = np.random.default_rng(3)
    sizes = [(m, T, least) for m, T in ((2, 1), (2, 3), (3, 2), (3, 3), (4, 4), (10, 6), (30, 20)) for least in (0, -3)]
    drawn = [
        (rng.choice((-1, 1), m), rng.choice((-1, 1), (m, T)), rng.integers(least, 5, T) / 4)
        for m, T, least in sizes
        for _ in range(3)
    ]
    for_all(drawn, holds, valid=lambda y, H, alpha: H.shape == (len(y), len(alpha)) and len(y) > 1)
    return "the same weights and the same product as round by round: they depend on the rules through the score alone."


@homework.question(
    "The best vote",
    "Split $Z=\\sum_iD(i)\\,e^{-\\alpha y_ih(x_i)}$ into the examples that are right and those that are wrong.",
    "$Z(\\alpha)=(1-\\varepsilon)\\,e^{-\\alpha}+\\varepsilon\\,e^{\\alpha}$ is convex: set its derivative to zero.",
    "$e^{2\\alpha}=(1-\\varepsilon)/\\varepsilon$. Insert $e^\\alpha=\\sqrt{(1-\\varepsilon)/\\varepsilon}$ into $Z$.",
)
def q4(answer):
    """``answer(epsilon)`` returns the vote alpha that makes Z smallest, and this smallest Z."""

    def normaliser(epsilon, alpha):  # two examples: right with weight 1 - epsilon, wrong with weight epsilon
        return float(np.array([1 - epsilon, epsilon]) @ np.exp(-alpha * np.array([1, -1])))

    def holds(epsilon):
        alpha, Z = two_numbers(answer(epsilon), "(alpha, Z)")
        best, tried = np.log((1 - epsilon) / epsilon) / 2, show(epsilon=epsilon)
        require(abs(alpha) < 50, "this vote is far too large.", tried=tried, got=show(alpha=alpha))
        there = normaliser(epsilon, alpha)
        found = f"alpha = {alpha:.6g}, and D = ({1 - epsilon:g}, {epsilon:g}) gives Z = {there:.6g}"
        least = f"alpha = {best:.6g} gives Z = {normaliser(epsilon, best):.6g}"
        clue = (
            ": the sign is turned; a rule with an error below 1/2 deserves a positive vote"
            if np.isclose(alpha, -best)
            else ": with twice the best vote Z is one again, the round gains nothing"
            if np.isclose(alpha, 2 * best)
            else ""
        )
        require(
            abs(alpha - best) < 1e-6 * (1 + abs(best)),
            f"another vote makes Z smaller{clue}.",
            tried=tried,
            got=found,
            should=least,
        )
        close(Z, there, "the smallest Z", tried=f"{tried}, alpha = {alpha:.6g}")

    rng = np.random.default_rng(4)
    for_all([(e,) for e in (0.25, 0.1, 0.5, 0.8, 0.01, 0.499, 1e-6, *rng.uniform(0.02, 0.98, 10))], holds)
    return "no other vote makes Z smaller, for errors below, at and above 1/2."


@homework.question(
    "What the edges promise",
    "Put $\\varepsilon=\\frac12-\\gamma$ into the smallest $Z$ of Question 4, and multiply over the rounds.",
    "$4\\,(\\frac12-\\gamma)(\\frac12+\\gamma)=1-4\\gamma^2$.",
    "$1-a\\le e^{-a}$ with $a=4\\gamma^2$. Then take the root. To see that $c$ cannot be larger let $\\gamma\\to0$.",
)
def q5(answer):
    """``answer(edges)`` returns the exponential risk after rounds with these edges, and the bound e^(-c S)."""

    def holds(edges):
        S, tried = float((edges**2).sum()), show(edges=edges)
        risk, bound = two_numbers(answer(edges), "(risk, bound)")
        exact = np.prod(2 * np.sqrt((0.5 - edges) * (0.5 + edges)))
        close(risk, exact, "the exponential risk", tried=tried)
        got = f"{bound:.6g}" + (f" = e^(-c S) with S = {S:.4g}, c = {0 - np.log(bound) / S:.4g}" if bound > 0 else "")
        require(
            bound >= exact * (1 - 1e-6),
            "the second number is not an upper bound on the first.",
            tried=tried,
            got=got,
            should=f"at least {exact:.6g}",
        )
        require(
            bound <= np.exp(-2 * S) * (1 + 1e-6), "true, but not the best bound: c can be larger.", tried=tried, got=got
        )
        require(
            bound >= np.exp(-2 * S) * (1 - 1e-6),
            "for these edges it is a bound, but it is not e^(-c S) with a c "
            "that serves all edges: for small ones this c is too large.",
            tried=tried,
            got=got,
        )

    rng = np.random.default_rng(5)
    first = [np.array(edges) for edges in ([0.25], [0.4], [0.1, 0.3], [0.3, 0.1, 0.2])]
    drawn = [rng.uniform(0.05, 0.45, T) for T in (2, 3, 5, 8)] + [np.full(400, 0.05), np.full(4000, 0.01)]
    for_all([(edges,) for edges in first + drawn], holds, valid=lambda edges: ((edges > 0) & (edges < 0.5)).all())
    return "the first number is exact, the second is never below it, and no larger constant would do."


@homework.question(
    "Rounds until nothing is wrong",
    "With edges of at least $\\gamma$ the exponential risk after $T$ rounds is at most $(1-4\\gamma^2)^{T/2}$.",
    "By Question 1 no error is left as soon as the exponential risk is at most $1/m$.",
    "Take logarithms in $(1-4\\gamma^2)^{T/2}\\le1/m$; note that $\\ln(1-4\\gamma^2)<0$. Round up.",
)
def q6(answer):
    """``answer(m, edge)`` is the smallest number of rounds after which the product shows that there is no error."""

    def risk(T, edge):
        return float(np.exp(T * np.log1p(-4 * edge**2) / 2))

    def holds(m, edge):
        T, tried = number(answer(m, edge), "the number of rounds"), f"{show(m=m, edge=edge)}, so 1/m = {1 / m:.4g}"
        require(T == int(T) >= 0, "the rounds should be a whole number, not negative.", tried=tried, got=brief(T))
        require(
            risk(T, edge) <= 1 / m,
            "this is not enough: the risk may still be above 1/m, which leaves room for an error.",
            tried=tried,
            got=f"T = {T:.0f}, risk up to {risk(T, edge):.4g}",
        )
        weaker = T in (np.ceil(np.log(m) / edge**2 / 2), np.floor(np.log(m) / edge**2 / 2) + 1)
        clue = " Did you use e^(-2 T edge^2)? The product of Question 5 is smaller." if weaker else ""
        require(
            risk(T - 1, edge) > 1 / m,
            f"true, but a smaller number of rounds is enough.{clue}",
            tried=tried,
            got=f"T = {T:.0f}, and after {T - 1:.0f} rounds the risk is at most {risk(T - 1, edge):.4g}",
        )

    rng = np.random.default_rng(6)
    first = [(2, 0.25), (2, 0.49), (3, 0.45), (10, 0.1), (100, 0.3), (1000, 0.05), (10**6, 0.01), (50, 0.4)]
    drawn = [
        (int(m), round(float(edge), 3))
        for m, edge in zip(rng.integers(2, 5000, 20), rng.uniform(0.02, 0.45, 20), strict=True)
    ]
    exact = [2 * np.log(m) / -np.log1p(-4 * edge**2) for m, edge in first + drawn]
    for_all([case for case, T in zip(first + drawn, exact, strict=True) if abs(T - round(T)) > 1e-6], holds)
    return "enough rounds, and one less would not be: right for every m and edge that was tried."


@homework.question(
    "Edges that fade",
    "The bound $e^{-2\\sum\\gamma_t^2}$ goes to zero exactly if the sum is infinite. Which sums of squares are finite?",
    "Try $\\gamma_t=c/t$ with a small $c$, or a geometric sequence.",
    "With $4\\gamma_t^2=1/(t+1)^2$ the product can be computed: $1-\\frac1{(t+1)^2}=\\frac{t\\,(t+2)}{(t+1)^2}$.",
)
def q7(answer):
    """``answer(T)`` returns the first T edges of a sequence whose product stays above 1/2 for ever."""
    before = np.empty(0)
    for T in (1, 2, 10, 1000, 10**5):
        edges = array(answer(T), (T,), f"the answer for T = {T}")
        require(
            ((edges >= 0) & (edges < 0.5)).all(),
            f"for T = {T}: every edge should be above 0 and below 1/2.",
            got=brief(edges),
        )
        end = int(np.append(edges > 0, False).argmin())  # the first zero: it may stand for an edge too small to write
        last = edges[end - 1] if end else 1.0
        require(
            end == T or max(last, edges[end:].max()) < TINY,
            f"for T = {T}: every edge should be above 0, but that of round {end + 1} is 0.",
            got=f"{last:.4g} in the round before" if end else brief(edges),
        )
        require(
            np.allclose(edges[: len(before)], before, rtol=1e-5, atol=0),
            f"for T = {T} the first {len(before)} "
            f"edges are others than for T = {len(before)}: one sequence is asked for.",
            got=brief(edges),
        )
        product = float(np.exp(np.log1p(-4 * edges**2).sum() / 2))
        require(
            product >= 0.5 - 1e-9,
            f"for T = {T} the product is below 1/2.",
            got=f"{product:.4g}",
            should="at least 1/2 for every T",
        )
        before = edges
    tail = edges[1000:] / (edges[1000:].max() or 1.0)  # the square of a small edge would be zero
    late, later = (tail[:9000] ** 2).sum(), (tail[9000:] ** 2).sum()
    times = later / late if late else np.inf
    require(
        later < late * (1 - 1e-6) or later == 0,
        f"after {T} rounds the product is still {product:.4g}, but it "
        "does not look as if it would stay above 1/2: the sum of the squared edges does not slow down.",
        got=f"rounds 10000 to 100000 add {times:.4g} times as much to it as rounds 1000 to 10000",
        should="the series of the squared edges should converge",
    )
    return f"every edge is positive, and after {T} rounds the product is still {product:.4f}."


@homework.question(
    "The best stump",
    "Only the order of the values of a column matters: try one threshold below all values, and each value.",
    "Sort a column and cumulate $D(i)\\,y_i$ in this order. If $B$ is the sum up to $\\theta$, then "
    "$\\sum_iD(i)\\,y_i-2B$ is twice the edge of the stump with sign $+1$.",
    "The largest absolute value wins; if it was negative, the sign is $-1$. No threshold separates equal values.",
)
def q8(answer):
    """``answer(X, y, D)`` returns (j, theta, s): the stump "s if x_j > theta, else -s" of least error under D."""

    def holds(X, y, D):
        D = D / D.sum()
        tried = show(X=X, y=y, D=D)
        stump = _stump(answer(X, y, D), X.shape[1])
        wrong, least, best = _values(X, stump) != y, *_least(X, y, D)
        (j, theta, s), error = stump, D @ wrong
        uniform = wrong.mean() <= _least(X, y, np.full(len(y), 1 / len(y)))[0] + 1e-12
        clue = (
            " With x_j >= theta yours would be best, but the rule asks for x_j > theta."
            if D @ (np.where(X[:, j] >= theta, s, -s) != y) <= least + 1e-9
            else " The opposite sign is better."
            if 1 - error < error - 1e-9
            else " Points with different labels have x_j = theta: no threshold fits between them."
            if len(set(y[X[:, j] == theta])) > 1
            else " Yours is the best one if all examples have the same weight."
            if uniform
            else f" Look at column {best[0]}."
            if _least(X[:, [j]], y, D)[0] > least + 1e-9
            else f" Yours is the best one with s = {s}."
            if error <= _least(X, y, D, (s,))[0] + 1e-9
            else ""
        )
        require(
            error <= least + 1e-9,
            f"there is a better stump.{clue}",
            tried=tried,
            got=f"(j, theta, s) = {brief(stump)} with error {error:.4g}",
            should=f"an error of {least:.4g}, for example with {brief(best)}",
        )

    rng = np.random.default_rng(8)
    shapes = [(1, 1), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (6, 2), (10, 3), (25, 3)]
    drawn = [
        (
            rng.integers(0, 4, (m, d)).astype(float),
            rng.choice((-1, 1), m),
            _weights(rng.integers(0, 5, m) + (np.arange(m) < 1)),
        )
        for m, d in shapes
        for _ in range(8)
    ]
    apart = [
        (rng.normal(size=(m, 2)).round(2), rng.choice((-1, 1), m), _weights(rng.exponential(size=m)))
        for m in (5, 20, 60)
    ]
    for_all(drawn + apart, holds, valid=lambda X, y, D: D.sum() > 0)
    return "no stump has a smaller error under D; equal values and weights of zero were among the cases."


@homework.question(
    "AdaBoost",
    "A loop over the rounds: `best_stump`, its error under $D$, the vote of Question 4, `reweight`.",
    "If $\\varepsilon_1=0$ the vote would be infinite: return this stump alone, with the vote $1$.",
    "If $\\varepsilon_t\\ge\\frac12$ (allow for rounding) leave the loop before the stump is added.",
)
def q9(answer):
    """``answer(X, y, T)`` returns the votes and the stumps (j, theta, s) of at most T rounds."""

    def holds(X, y, T):
        votes, stumps, tried = *_votes(answer(X, y, T), X.shape[1]), show(X=X, y=y, T=T)
        D, said = np.full(len(y), 1 / len(y)), {"tried": tried, "got": f"{len(votes)} rounds, votes {brief(votes)}"}
        least, best = _least(X, y, D)
        if least < 1e-12:
            require(
                len(stumps) == 1 and (_values(X, stumps[0]) == y).all(),
                f"the stump {brief(best)} makes no mistake: it should be returned alone.",
                **said,
            )
            return require(
                0 < votes[0] < np.inf,
                "a stump without a mistake decides alone; its vote should be 1, or any other positive finite number.",
                **said,
            )
        require(len(stumps) <= T, f"at most T = {T} rounds were asked for.", **said)
        before = None
        for t, (alpha, stump) in enumerate(zip(votes, stumps, strict=True), 1):
            least, best = _least(X, y, D)
            require(
                least < 0.5 - 1e-9,
                f"round {t}: under D_{t} no stump is better than a coin. Stop, and leave this one out.",
                **said,
            )
            h = _values(X, stump)
            epsilon = D @ (h != y)
            again = " Yours is that of the round before: were the weights changed?" * np.array_equal(h, before)
            require(
                epsilon <= least + 1e-9,
                f"round {t}: another stump is better under D_{t}.{again}",
                tried=tried,
                got=f"{brief(stump)} with error {epsilon:.4g}",
                should=f"error {least:.4g}, as of {brief(best)}",
            )
            alpha_t = np.log((1 - epsilon) / epsilon) / 2
            close(
                alpha,
                alpha_t,
                f"the vote of round {t}",
                tried=f"{tried}; under D_{t}, which sums up to one, the stump has error {epsilon:.4g}",
            )
            D, before = D * np.exp(-alpha_t * y * h), h
            D = D / D.sum()
        least, best = _least(X, y, D)
        require(
            len(stumps) == T or least > 0.5 - 1e-9,
            f"you stopped after {len(stumps)} of {T} rounds, although a stump with error {least:.4g} is left.",
            **said,
        )

    rng, line = np.random.default_rng(9), np.arange(4.0)[:, None]
    xor = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]])
    first = [(line[:3], np.array([1, -1, 1]), T) for T in (1, 2, 3)]
    traps = [
        (line, np.array([-1, -1, 1, 1]), 5),
        (line[:2], np.array([1, 1]), 2),
        (xor, np.array([1, 1, -1, -1]), 3),
        (np.vstack([xor, xor]), np.tile([-1, -1, 1, 1], 2), 10),
    ]
    nearly_coin = (np.array([[0.0], [0], [1], [1], [1]]), np.array([1, -1, 1, 1, -1]), 8)  # its last edge is 2e-6
    contradiction = [(np.array([[0.0], [0], [0], [1], [1]]), np.array([1, 1, -1, -1, -1]), T) for T in (10, 60)]
    flipped = (np.arange(200.0)[:, None], np.where((np.arange(200) > 99) | (np.arange(200) == 30), 1, -1), 3)
    drawn = [
        (rng.integers(0, 6, (m, d)).astype(float), rng.choice((-1, 1), m), T)
        for m, d, T in ((4, 1, 2), (5, 2, 3), (6, 2, 5), (8, 2, 10), (12, 3, 10), (25, 3, 20), (40, 2, 12))
    ]
    for_all(first + traps, holds, valid=lambda *case: False)
    for_all([case for case in [*contradiction, *drawn, flipped] if _decided(*case)], holds, _decided)
    for_all([nearly_coin], holds, valid=lambda *case: False)
    return "the best stump and the best vote in every round, and it stops where one stump is enough or none can help."


def _weights(sizes):
    """Weights in the proportion of these sizes, which sum up to one."""
    return sizes / sizes.sum()


def _stump(answer, d):
    """The three parts of a stump for points with d coordinates."""
    answer = list(answer) if isinstance(answer, np.ndarray) and answer.ndim else answer
    triple = isinstance(answer, (tuple, list)) and len(answer) == 3
    require(triple, f"a stump is a triple (j, theta, s), got {answer!r}.")
    j, theta, s = (float(array(part, (), name)) for part, name in zip(answer, ("j", "theta", "s"), strict=True))
    require(j in range(d), f"j should be a column of X, one of 0 to {d - 1}, got {j:g}.")
    require(not np.isnan(theta), "theta should be a number, got nan.")
    require(s in (-1, 1), f"the sign s should be -1 or +1, got {s:g}.")
    return int(j), theta, int(s)


def _votes(answer, d):
    """The votes and the stumps of an answer."""
    votes, stumps = pair(answer, "(votes, stumps)")
    require(np.iterable(stumps), f"the stumps should be a list of triples (j, theta, s), got {stumps!r}.")
    stumps = [_stump(stump, d) for stump in stumps]
    return array(votes, (len(stumps),), "the votes, one for each stump,"), stumps


def _values(X, stump):
    """The values of a stump on the rows of X."""
    j, theta, s = stump
    return np.where(X[:, j] > theta, s, -s)


def _least(X, y, D, signs=(1, -1)):
    """The least error under D of a stump, and a stump that has it, by trying all of them."""
    tried = [(j, theta, s) for j in range(X.shape[1]) for theta in (-np.inf, *np.unique(X[:, j])) for s in signs]
    errors = [D @ (_values(X, stump) != y) for stump in tried]
    return min(errors), tried[int(np.argmin(errors))]


def _decided(X, y, T):
    """Whether T rounds can be made and rounding cannot end them: no best error is 0 or close to 1/2."""
    D = np.full(len(y), 1 / len(y))
    for _ in range(T + 1):
        error, stump = _least(X, y, D)
        if error < 1e-12 or error > 0.5 - 1e-6:
            return False
        D = np.where(_values(X, stump) == y, D / (1 - error), D / error) / 2
    return True
