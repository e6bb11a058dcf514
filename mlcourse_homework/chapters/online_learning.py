"""Checks for the code exercises of the chapter on online learning."""

import numpy as np

from mlcourse.optim.online import Reply, regret, strongly_convex_ogd
from mlcourse.theory import ogd_regret, ogd_regret_of_step, strong_regret_exact
from mlcourse_homework.engine.answers import array, require
from mlcourse_homework.engine.exercise import exercise


@exercise
def factor(answer, rng):
    """``answer(U, G)`` returns the factor tau for which (2 U^2 / tau + tau G^2) sqrt(T) is least."""
    for U, G in np.exp(rng.uniform(-3, 3, size=(30, 2))):
        tau = array(answer(U, G), (), "the factor")
        require(tau > 0, f"for U = {U:.3g}, G = {G:.3g} your factor is {tau:.3g}; it should be positive.")
        got, least = ogd_regret_of_step(1, U, G, tau), ogd_regret(1, U, G)
        makes = f"your factor {tau:.3g} makes the bound {got:.4g} sqrt(T), but {least:.4g} sqrt(T) is possible"
        require(got <= least * (1 + 1e-9), f"for U = {U:.3g}, G = {G:.3g} {makes}: when are the two terms equal?")
    return "no other factor makes the bound smaller, for 30 pairs (U, G)."


@exercise
def slopes(answer):
    """``answer(T)`` returns T slopes in [-1, 1] on which follow the leader has a regret of at least T - 2."""
    for T in (1, 2, 3, 4, 7, 50, 1001):
        g = array(answer(T), (T,), f"slopes({T})")
        require((np.abs(g) <= 1).all(), f"for T = {T} the largest slope has size {np.abs(g).max():.3g}, above 1.")
        leader = np.concatenate([[0.0], -np.sign(np.cumsum(g))[:-1]])
        paid, best = g @ leader, -abs(g.sum())
        pays, regret = f"for T = {T} the leader pays {paid:.4g} and the best fixed u {best:.4g}", paid - best
        require(regret >= T - 2 - 1e-9, f"{pays}: the regret is {regret:.4g}, and at least {T - 2} is wanted.")
    return "the leader loses at least T - 2 to the best fixed player, for seven T."


def _opponents(rng, d, G):
    """Name and reply of each hidden opponent; the replies have length at most G."""
    fixed, past = G * _unit(rng.normal(size=d)), np.zeros(d)

    def aside(w):
        nonlocal past
        g = rng.normal(size=d)
        g = G * _unit(g - (g @ w) / max(w @ w, 1e-300) * w)
        past = past + (g := g if g @ past >= 0 else -g)
        return g

    turns = iter(range(10**6))
    return [
        ("always the same slope", lambda w: fixed.copy()),
        ("straight away from the origin", lambda w: G * _unit(w)),
        ("at a right angle to w", aside),
        ("one slope, and after 100 rounds its opposite", lambda w: fixed if next(turns) < 100 else -fixed),
        ("random slopes", lambda w: G * _unit(rng.normal(size=d))),
        ("towards a hidden point, |w - p|", lambda w: G * _unit(w - fixed / G)),
    ]


def _unit(v):
    norm = np.linalg.norm(v)
    return v / norm if norm > 0 else np.eye(len(v))[0]


@exercise
def play(answer, rng):
    """``answer(opponent, T, d, U, G)`` plays T rounds with regret at most U G sqrt(8 T) in the ball of radius U."""
    T = 300
    for d, U, G in ((1, 1.0, 1.0), (2, 0.2, 5.0), (5, 10.0, 0.3)):
        for name, reply in _opponents(rng, d, G):
            plays, gradients = [], []

            def opponent(w, reply=reply, plays=plays, gradients=gradients, d=d, U=U):
                w = array(w, (d,), "what you play")
                require(np.isfinite(w).all(), f"in round {len(plays) + 1} you played {w}: the weights must be finite.")
                require(len(plays) < T, f"you asked more than T = {T} times: one call of opponent(w) a round.")
                far = f"in round {len(plays) + 1} you played a point of length {np.linalg.norm(w):.4g}, but U = {U:g}"
                require(np.linalg.norm(w) <= U * (1 + 1e-9), f"{far}: go back into the ball after each step.")
                plays.append(w.copy())
                gradients.append(np.array(reply(w)))
                return gradients[-1].copy()

            answer(opponent, T, d, U, G)
            require(len(plays) == T, f"you played {len(plays)} rounds of {T}.")
            w, g = np.array(plays), np.array(gradients)
            got, most = np.sum(w * g) + U * np.linalg.norm(g.sum(axis=0)), ogd_regret(T, U, G)
            uphill = np.sum(np.diff(w, axis=0) * g[:-1]) > 0
            why = (
                "you move uphill; the sign of the step is minus."
                if uphill
                else "are the steps U sqrt(2) / (G sqrt(t))?"
            )
            message = f"the regret after {T} rounds is {got:.4g}, and {most:.4g} is promised: {why}"
            require(got <= most * (1 + 1e-9), message, f'the opponent "{name}", U = {U:g}, G = {G:g}')
    return "the regret stayed below U G sqrt(8 T) against six opponents in dimensions 1, 2 and 5."


@exercise
def b(answer, rng):
    """``answer(t, w, mu, G)`` returns b_t: gradients of length at most G and the largest regret for it."""
    for d, mu, G in ((1, 0.5, 2.0), (3, 2.0, 1.0), (2, 0.1, 0.7)):
        rounds = [
            Reply(lambda w, t=t, d=d, mu=mu, G=G: -array(answer(t, w, mu, G), (d,), f"b at t = {t}"), mu)
            for t in range(1, 101)
        ]
        path = strongly_convex_ogd(rounds, rng.normal(size=d), mu).path
        lengths = [np.linalg.norm(loss.gradient(w)) for loss, w in zip(rounds, path, strict=False)]
        longest, at = max(lengths), int(np.argmax(lengths)) + 1
        length = f"in round {at} the gradient mu w - b has length {longest:.4g}, and G = {G:g}."
        require(longest <= G * (1 + 1e-9), length)
        for T in (1, 2, 10, 100):
            got, most = regret(path[: T + 1], rounds[:T], path[T])[-1], strong_regret_exact(T, G, mu)
            after = f"after {T} rounds the regret is {got:.4g}, and {most:.4g} is possible (mu = {mu:g}, G = {G:g})"
            require(got >= most * (1 - 1e-9), f"{after}: is every gradient as long as it may be?")
    return "the regret was the harmonic sum times G^2 / (2 mu), more than ln(T + 1) allows."


@exercise
def most(answer, rng):
    """``answer(H, b)`` returns the largest M >= 0 with M <= H + b sqrt(M)."""
    for H, b in [(0.0, 2.0), (5.0, 0.0), (1.0, 1.0), *np.exp(rng.uniform(-4, 4, size=(30, 2)))]:
        M = array(answer(H, b), (), "M")
        where = f"for H = {H:.4g}, b = {b:.4g} your M = {M:.6g}"
        require(M >= 0, f"{where} is negative or not a number.")
        require(M <= (H + b * np.sqrt(M)) * (1 + 1e-9), f"{where} is too large: H + b sqrt(M) = {H + b * M**0.5:.6g}.")
        more = M * (1 + 1e-6) + 1e-12
        require(more > H + b * np.sqrt(more), f"{where} is not the largest: {more:.6g} satisfies the inequality too.")
    return "M = H + b sqrt(M), and nothing above satisfies the inequality, for 33 pairs (H, b)."
