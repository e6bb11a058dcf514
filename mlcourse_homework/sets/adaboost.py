"""Homework: AdaBoost, from the price of one error to the training error after T rounds, and its two traps."""

import numpy as np

from mlcourse_homework.engine.answers import (
    array,
    brief,
    close,
    for_all,
    number,
    pair,
    require,
    requiring,
    show,
    slip,
    two_numbers,
)
from mlcourse_homework.engine.question import Homework

homework = Homework(__file__, "AdaBoost")
progress = homework.progress


TINY = 1e-30  # an edge below it may be followed by zeros: floating point has no smaller ones


@homework.question()
def q1(answer):
    """``answer(m, risk)`` is the largest number of errors that m examples with this exponential risk can have."""

    def holds(m, risk):
        got, total = number(answer(m, risk), "the number of errors"), m * risk
        most = m if risk >= 1 else int(np.ceil(total)) - 1
        need = requiring(f"{show(m=m, risk=risk)}, so the {m} costs exp(-y f) add up to {total:g}", got)
        need(got == int(got) >= 0, "the number of errors should be a whole number, not negative.")
        need(got <= m, f"there are only {m} examples.")
        scores = f"{most} scores of 0 cost 1 each, and the other examples cost the rest, {total - most:g} together"
        scores = f"let every y f be -ln({risk:g}), which is not positive" if most == m else scores
        need(got >= most, "more errors are possible.", f"{most}: {scores}")
        alone = "so many errors alone would use up the whole cost, but the examples that are right cost something too."
        need(got <= most or got != total, alone, "every exp(-y f) is positive")
        cost = f"each error costs at least 1, so {got:g} of them cost at least {got:g}"
        need(got <= most, "so many errors cost too much.", cost)

    rng = np.random.default_rng(1)
    first = [(1, 0.5), (1, 1.0), (2, 0.75), (2, 0.5), (2, 1.0), (4, 0.5), (3, 1.5), (10, 0.25), (8, 0.25), (16, 0.0625)]
    shares = [(int(m), int(k)) for m in rng.integers(5, 2000, 8) for k in (*rng.integers(0, m, 2), m - 1)]
    drawn = [(m, (k + share) / m) for m, k in shares for share in (0.4, 0.05, 0.95)]
    for_all([*first, *drawn, (7, 40.0)], holds)
    return "never too many, never too few; in particular a risk of at most 1/m leaves no error, if m > 1."


@homework.question()
def q2(answer):
    """``answer(D, y, h, alpha)`` returns the new weights and the normaliser Z; h holds the values of the rule."""

    def holds(D, y, h, alpha):
        D = D / D.sum()
        tried = show(D=D, y=y, h=h, alpha=alpha)
        new, Z = pair(answer(D, y, h, alpha), "(D, Z)")
        new, need = array(new, D.shape, "the new weights"), requiring(tried, new)
        want, turned = (_weights(D * np.exp(-vote * y * h)) for vote in (alpha, -alpha))
        is_turned = np.allclose(new, turned, rtol=1e-4) and not np.allclose(turned, want)
        need(not is_turned, "the sign is turned: your weights grow where the rule is right.")
        total = new.sum()
        need(np.isclose(total, 1, rtol=1e-5), f"the new weights should sum up to one, not {total:.4g}.")
        close(new, want, "the new D", tried)
        close(Z, D @ np.exp(-alpha * y * h), "Z, the sum of the weights before it divides them,", tried)

    def mixed(D, y, h, alpha):  # both errors and right answers
        return D.sum() > 0 and np.ptp((y * h)[D > 0]) > 0

    rng = np.random.default_rng(2)
    drawn = [
        (_weights(rng.integers(1, 5, m) * (np.arange(m) >= zeros)), *rng.choice((-1, 1), (2, m)), alpha)
        for m, zeros in ((2, 0), (2, 0), (2, 0), (3, 0), (3, 0), (3, 1), (4, 1), (6, 0), (20, 5))
        for alpha in (1.0, 0.3, -0.7)
    ]
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


@homework.question()
def q3(answer):
    """``answer(y, H, alpha)`` returns D_{T+1} and Z_1 ... Z_T; H[i, t] is the value of rule t on example i."""

    def holds(y, H, alpha):
        D, product, tried = np.full(len(y), 1 / len(y)), 1.0, show(y=y, H=H, alpha=alpha)
        for h, a in zip(H.T, alpha, strict=True):
            D = D * np.exp(-a * y * h)
            D, product = D / D.sum(), product * D.sum()
        got, Z = pair(answer(y, H, alpha), "(D, Z)")
        got, turned = array(got, y.shape, "D"), _weights(1 / D)
        require(np.isclose(got.sum(), 1, rtol=1e-5), f"D should sum up to one, not {got.sum():.4g}.", tried)
        is_turned = np.allclose(got, turned, rtol=1e-4) and not np.allclose(D, turned)
        require(not is_turned, "the sign is turned: your weights are small where y f is negative.", tried, got, D)
        close(got, D, f"D for T = {len(alpha)}", tried)
        close(Z, product, f"the product of the Z_t for T = {len(alpha)}", tried)

    rng = np.random.default_rng(3)
    drawn = [
        (rng.choice((-1, 1), m), rng.choice((-1, 1), (m, T)), rng.integers(least, 5, T) / 4)
        for m, T in ((2, 1), (2, 3), (3, 2), (3, 3), (4, 4), (10, 6), (30, 20))
        for least in (0, -3)
        for _ in range(3)
    ]
    for_all(drawn, holds, valid=lambda y, H, alpha: H.shape == (len(y), len(alpha)) and len(y) > 1)
    return "the same weights and the same product as round by round: they depend on the rules through the score alone."


@homework.question()
def q4(answer):
    """``answer(epsilon)`` returns the vote alpha that makes Z smallest, and this smallest Z."""

    def normaliser(epsilon, alpha):  # two examples: right with weight 1 - epsilon, wrong with weight epsilon
        return float(np.array([1 - epsilon, epsilon]) @ np.exp(-alpha * np.array([1, -1])))

    def holds(epsilon):
        alpha, Z = two_numbers(answer(epsilon), "(alpha, Z)")
        best, tried = np.log((1 - epsilon) / epsilon) / 2, show(epsilon=epsilon)
        require(abs(alpha) < 50, "this vote is far too large.", tried, show(alpha=alpha))
        there = normaliser(epsilon, alpha)
        found = f"alpha = {alpha:.6g}, and D = ({1 - epsilon:g}, {epsilon:g}) gives Z = {there:.6g}"
        least = f"alpha = {best:.6g} gives Z = {normaliser(epsilon, best):.6g}"
        slips = {
            "the sign is turned; a rule with an error below 1/2 deserves a positive vote": -best,
            "with twice the best vote Z is one again, the round gains nothing": 2 * best,
        }
        message = f"another vote makes Z smaller{slip(alpha, slips)}."
        require(abs(alpha - best) < 1e-6 * (1 + abs(best)), message, tried, found, least)
        close(Z, there, "the smallest Z", f"{tried}, alpha = {alpha:.6g}")

    rng = np.random.default_rng(4)
    for_all([(e,) for e in (0.25, 0.1, 0.5, 0.8, 0.01, 0.499, 1e-6, *rng.uniform(0.02, 0.98, 10))], holds)
    return "no other vote makes Z smaller, for errors below, at and above 1/2."


@homework.question()
def q5(answer):
    """``answer(edges)`` returns the exponential risk after rounds with these edges, and the bound e^(-c S)."""

    def holds(edges):
        S, tried = float((edges**2).sum()), show(edges=edges)
        risk, bound = two_numbers(answer(edges), "(risk, bound)")
        exact = np.prod(2 * np.sqrt((0.5 - edges) * (0.5 + edges)))
        close(risk, exact, "the exponential risk", tried)
        got = f"{bound:.6g}" + (f" = e^(-c S) with S = {S:.4g}, c = {0 - np.log(bound) / S:.4g}" if bound > 0 else "")
        need, best = requiring(tried, got), np.exp(-2 * S)
        true = bound >= exact * (1 - 1e-6)
        need(true, "the second number is not an upper bound on the first.", f"at least {exact:.6g}")
        need(bound <= best * (1 + 1e-6), "true, but not the best bound: c can be larger.")
        serves = "for these edges it is a bound, but it is not e^(-c S) with a c that serves all edges"
        need(bound >= best * (1 - 1e-6), f"{serves}: for small ones this c is too large.")

    rng = np.random.default_rng(5)
    first = [np.array(edges) for edges in ([0.25], [0.4], [0.1, 0.3], [0.3, 0.1, 0.2])]
    drawn = [rng.uniform(0.05, 0.45, T) for T in (2, 3, 5, 8)] + [np.full(400, 0.05), np.full(4000, 0.01)]
    for_all([(edges,) for edges in first + drawn], holds, valid=lambda edges: ((edges > 0) & (edges < 0.5)).all())
    return "the first number is exact, the second is never below it, and no larger constant would do."


@homework.question()
def q6(answer):
    """``answer(m, edge)`` is the smallest number of rounds after which the product shows that there is no error."""

    def risk(T, edge):
        return float(np.exp(T * np.log1p(-4 * edge**2) / 2))

    def holds(m, edge):
        T, tried = number(answer(m, edge), "the number of rounds"), f"{show(m=m, edge=edge)}, so 1/m = {1 / m:.4g}"
        require(T == int(T) >= 0, "the rounds should be a whole number, not negative.", tried, T)
        room = "this is not enough: the risk may still be above 1/m, which leaves room for an error."
        require(risk(T, edge) <= 1 / m, room, tried, f"T = {T:.0f}, risk up to {risk(T, edge):.4g}")
        weaker = T in (np.ceil(np.log(m) / edge**2 / 2), np.floor(np.log(m) / edge**2 / 2) + 1)
        clue = " Did you use e^(-2 T edge^2)? The product of Question 5 is smaller." if weaker else ""
        less = f"T = {T:.0f}, and after {T - 1:.0f} rounds the risk is at most {risk(T - 1, edge):.4g}"
        require(risk(T - 1, edge) > 1 / m, f"true, but a smaller number of rounds is enough.{clue}", tried, less)

    rng = np.random.default_rng(6)
    first = [(2, 0.25), (2, 0.49), (3, 0.45), (10, 0.1), (100, 0.3), (1000, 0.05), (10**6, 0.01), (50, 0.4)]
    drawn = zip(rng.integers(2, 5000, 20).tolist(), rng.uniform(0.02, 0.45, 20).round(3).tolist(), strict=True)

    def apart(m, edge):  # the exact number is not nearly whole: rounding does not decide
        T = 2 * np.log(m) / -np.log1p(-4 * edge**2)
        return abs(T - round(T)) > 1e-6

    for_all([case for case in (*first, *drawn) if apart(*case)], holds)
    return "enough rounds, and one less would not be: right for every m and edge that was tried."


@homework.question()
def q7(answer):
    """``answer(T)`` returns the first T edges of a sequence whose product stays above 1/2 for ever."""
    before = np.empty(0)
    for T in (1, 2, 10, 1000, 10**5):
        edges = array(answer(T), (T,), f"the answer for T = {T}")
        inside = ((edges >= 0) & (edges < 0.5)).all()
        require(inside, f"for T = {T}: every edge should be above 0 and below 1/2.", got=edges)
        end = int(np.append(edges > 0, False).argmin())  # the first zero: it may stand for an edge too small to write
        last = edges[end - 1] if end else 1.0
        zero = f"for T = {T}: every edge should be above 0, but that of round {end + 1} is 0."
        said = f"{last:.4g} in the round before" if end else edges
        require(end == T or max(last, edges[end:].max()) < TINY, zero, got=said)
        same = np.allclose(edges[: len(before)], before, rtol=1e-5, atol=0)
        other = f"for T = {T} the first {len(before)} edges are others than for T = {len(before)}"
        require(same, f"{other}: one sequence is asked for.", got=edges)
        product, always = float(np.exp(np.log1p(-4 * edges**2).sum() / 2)), "at least 1/2 for every T"
        require(product >= 0.5 - 1e-9, f"for T = {T} the product is below 1/2.", "", f"{product:.4g}", always)
        before = edges
    tail = edges[1000:] / (edges[1000:].max() or 1.0)  # the square of a small edge would be zero
    late, later = (tail[:9000] ** 2).sum(), (tail[9000:] ** 2).sum()
    still = f"after {T} rounds the product is still {product:.4g}, but it does not look as if it would stay above 1/2"
    times, slower = later / late if late else np.inf, later < late * (1 - 1e-6) or later == 0
    need = requiring("", f"rounds 10000 to 100000 add {times:.4g} times as much to it as rounds 1000 to 10000")
    converge = "the series of the squared edges should converge"
    need(slower, f"{still}: the sum of the squared edges does not slow down.", converge)
    return f"every edge is positive, and after {T} rounds the product is still {product:.4f}."


@homework.question()
def q8(answer):
    """``answer(X, y, D)`` returns (j, theta, s): the stump "s if x_j > theta, else -s" of least error under D."""

    def holds(X, y, D):
        D = D / D.sum()
        stump, (least, best) = _stump(answer(X, y, D), X.shape[1]), _least(X, y, D)
        (j, theta, s), wrong = stump, _values(X, stump) != y
        error, uniform = D @ wrong, np.full(len(y), 1 / len(y))
        clues = {
            " With x_j >= theta yours would be best, but the rule asks for x_j > theta.": (
                D @ (np.where(X[:, j] >= theta, s, -s) != y) <= least + 1e-9
            ),
            " The opposite sign is better.": 1 - error < error - 1e-9,
            " Points with different labels have x_j = theta: no threshold fits between them.": (
                len(set(y[X[:, j] == theta])) > 1
            ),
            " Yours is the best one if all examples have the same weight.": (
                wrong.mean() <= _least(X, y, uniform)[0] + 1e-12
            ),
            f" Look at column {best[0]}.": _least(X[:, [j]], y, D)[0] > least + 1e-9,
            f" Yours is the best one with s = {s}.": error <= _least(X, y, D, (s,))[0] + 1e-9,
        }
        clue = next((text for text, fits in clues.items() if fits), "")
        need = requiring(show(X=X, y=y, D=D), f"(j, theta, s) = {brief(stump)} with error {error:.4g}")
        better = f"an error of {least:.4g}, for example with {brief(best)}"
        need(error <= least + 1e-9, f"there is a better stump.{clue}", better)

    rng = np.random.default_rng(8)
    shapes = [(1, 1), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (6, 2), (10, 3), (25, 3)]
    drawn = []
    for m, d in np.repeat(shapes, 8, axis=0).tolist():
        X, y = rng.integers(0, 4, (m, d)).astype(float), rng.choice((-1, 1), m)
        drawn.append((X, y, _weights(rng.integers(0, 5, m) + (np.arange(m) < 1))))
    for m in (5, 20, 60):
        X, y = rng.normal(size=(m, 2)).round(2), rng.choice((-1, 1), m)
        drawn.append((X, y, _weights(rng.exponential(size=m))))
    for_all(drawn, holds, valid=lambda X, y, D: D.sum() > 0)
    return "no stump has a smaller error under D; equal values and weights of zero were among the cases."


@homework.question()
def q9(answer):
    """``answer(X, y, T)`` returns the votes and the stumps (j, theta, s) of at most T rounds."""

    def holds(X, y, T):
        votes, stumps, tried = *_votes(answer(X, y, T), X.shape[1]), show(X=X, y=y, T=T)
        D, need = np.full(len(y), 1 / len(y)), requiring(tried, f"{len(votes)} rounds, votes {brief(votes)}")
        least, best = _least(X, y, D)
        if least < 1e-12:
            alone = len(stumps) == 1 and (_values(X, stumps[0]) == y).all()
            need(alone, f"the stump {brief(best)} makes no mistake: it should be returned alone.")
            any_vote = "its vote should be 1, or any other positive finite number."
            return need(0 < votes[0] < np.inf, f"a stump without a mistake decides alone; {any_vote}")
        need(len(stumps) <= T, f"at most T = {T} rounds were asked for.")
        before = None
        for t, (alpha, stump) in enumerate(zip(votes, stumps, strict=True), 1):
            least, best = _least(X, y, D)
            coin = f"round {t}: under D_{t} no stump is better than a coin. Stop, and leave this one out."
            need(least < 0.5 - 1e-9, coin)
            h = _values(X, stump)
            epsilon = D @ (h != y)
            again = " Yours is that of the round before: were the weights changed?" * np.array_equal(h, before)
            got, should = f"{brief(stump)} with error {epsilon:.4g}", f"error {least:.4g}, as of {brief(best)}"
            message = f"round {t}: another stump is better under D_{t}.{again}"
            require(epsilon <= least + 1e-9, message, tried, got, should)
            alpha_t = np.log((1 - epsilon) / epsilon) / 2
            under = f"{tried}; under D_{t}, which sums up to one, the stump has error {epsilon:.4g}"
            close(alpha, alpha_t, f"the vote of round {t}", under)
            D, before = _weights(D * np.exp(-alpha_t * y * h)), h
        least, done = _least(X, y, D)[0], len(stumps)
        early = f"you stopped after {done} of {T} rounds, although a stump with error {least:.4g} is left."
        need(done == T or least > 0.5 - 1e-9, early)

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
