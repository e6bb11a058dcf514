"""Answers to the homework on AdaBoost, right and wrong."""

import math

import numpy as np
from planting import told, with_faults
from scipy.optimize import minimize_scalar


def reweight_by_loop(D, y, h, alpha):
    new = [d * math.exp(alpha if a != b else -alpha) for d, a, b in zip(D, y, h, strict=True)]
    return [w / sum(new) for w in new], sum(new)


@with_faults
def reweight_with(D, y, h, alpha, *, sign=-1.0, change=lambda new: new / new.sum(), Z=lambda new: new.sum()):
    new = D * np.exp(sign * alpha * y * h)
    return change(new), Z(new)


def reweight_in_place(D, y, h, alpha):
    D *= np.exp(-alpha * y * h)
    return D / D.sum(), D.sum()


def unrolled_by_rounds(y, H, alpha):
    D, product = np.full(len(y), 1 / len(y)), 1.0
    for t in range(len(alpha)):
        D, Z = reweight_by_loop(D, y, H[:, t], alpha[t])
        product *= Z
    return D, product


def vote_by_search(epsilon):
    found = minimize_scalar(
        lambda a: (1 - epsilon) * math.exp(-a) + epsilon * math.exp(a), bounds=(-20, 20), options={"xatol": 1e-10}
    )
    return found.x, found.fun


def rounds_by_loop(m, edge):
    T, product = 0, 1.0
    while product > 1 / m:
        T, product = T + 1, product * math.sqrt(1 - 4 * edge**2)
    return T


def stump_by_search(X, y, D, signs=(1, -1), constant=True, columns=None, strict=True):
    best = (2.0,)
    for j in range(X.shape[1])[:columns]:
        values = sorted({*X[:, j]})
        for theta in [values[0] - 1, *values] if constant else values[:-1] or [values[0] - 1]:
            for s in signs:
                above = X[:, j] > theta if strict else X[:, j] >= theta
                error = D[np.where(above, s, -s) != y].sum()
                best = min(best, (error, j, theta, s))
    return best[1:]


def stump_by_midpoints(X, y, D):
    """All midpoints, highest first, and the last of the best ones."""
    best = (2.0, 0, -np.inf, 1)
    for j in reversed(range(X.shape[1])):
        x = np.unique(X[:, j])
        for theta in [*((x[1:] + x[:-1]) / 2)[::-1], np.inf]:
            error = D[np.where(X[:, j] > theta, 1, -1) != y].sum()
            for e, s in ((error, 1), (1 - error, -1)):
                best = (e, j, theta, s) if e <= best[0] + 1e-12 else best
    return list(best[1:])


def stump_with_ties(X, y, D):
    """The cumulated sum without a look at equal values."""
    best = (-1.0,)
    for j in range(X.shape[1]):
        order = np.argsort(X[:, j], kind="stable")
        twice = D @ y - 2 * np.append(0, np.cumsum((D * y)[order]))
        i = np.argmax(np.abs(twice))
        if abs(twice[i]) > best[0]:
            best = abs(twice[i]), j, np.append(-np.inf, X[order, j])[i], 1 if twice[i] >= 0 else -1
    return best[1:]


def boost(
    stump=stump_by_search,
    alpha=lambda e: math.log((1 - e) / e) / 2,
    sign=-1.0,
    change=True,
    perfect="alone",
    coin=0.5 - 1e-12,
    more=0,
    normalise=True,
    zero=0.0,
):
    def answer(X, y, T):
        D, votes, stumps = np.full(len(y), 1 / len(y)), [], []
        for _ in range(T + more):
            j, theta, s = stump(X, y, D)
            h = np.where(X[:, j] > theta, s, -s)
            epsilon = D[h != y].sum()
            if epsilon <= zero and perfect == "alone":
                return [1.0], [(j, theta, s)]
            if epsilon == 0 and perfect == "none":
                break
            if epsilon == 0 and perfect == "infinite":
                return [math.inf], [(j, theta, s)]
            if epsilon >= coin:
                break
            epsilon = max(epsilon, 1e-10)
            votes.append(alpha(epsilon))
            stumps.append((j, theta, s))
            if change:
                D = D * np.exp(sign * votes[-1] * y * h)
                D = D / D.sum() if normalise else D
        return votes, stumps

    return answer


def boost_as_arrays(X, y, T):
    votes, stumps = boost(stump_by_midpoints)(X, y, T)
    return np.array(votes, dtype=np.float32), np.array(stumps, dtype=float).reshape(-1, 3)


RIGHT = {
    "q1": [
        lambda m, risk: (
            m if risk >= 1 else max(k for k in range(m) if k < m * risk)
        ),  # the largest k that leaves a positive cost for the others, or all of them
        lambda m, risk: float(min(m, math.ceil(m * risk) - 1)) if risk < 1 else np.int64(m),
        lambda m, risk: m if risk >= 1 else -math.floor(-m * risk) - 1,
    ],
    "q2": [
        reweight_by_loop,
        lambda D, y, h, alpha: [
            (w := np.where(y == h, D * np.exp(-alpha), D * np.exp(alpha))) / w.sum(),
            np.array(w.sum()),
        ],
        lambda D, y, h, alpha: tuple(np.float32(part) for part in reweight_with(D, y, h, alpha)),
    ],
    "q3": [
        unrolled_by_rounds,
        lambda y, H, alpha: [(c := np.exp(-(alpha * H).sum(1) * y)) / c.sum(), sum(c) / len(y)],
        lambda y, H, alpha: tuple(np.float32(part) for part in unrolled_by_rounds(y, H, alpha)),
    ],
    "q4": [
        vote_by_search,
        lambda e: np.array([np.arctanh(1 - 2 * e), math.sqrt(4 * e * (1 - e))]),
        lambda e: (np.float32(0.5 * math.log(1 / e - 1)), np.float32(math.sqrt(1 - (1 - 2 * e) ** 2))),
    ],
    "q5": [
        lambda edges: (math.sqrt(math.prod(1 - 4 * g * g for g in edges)), math.exp(-2 * sum(g * g for g in edges))),
        lambda edges: np.float32([np.exp(np.log1p(-4 * edges**2).sum() / 2), np.exp(-2 * edges @ edges)]),
    ],
    "q6": [
        rounds_by_loop,
        lambda m, edge: math.floor(math.log(m) / -math.log(math.sqrt(1 - 4 * edge**2))) + 1,
        lambda m, edge: np.ceil(np.log(m) / -np.log(2 * np.sqrt((0.5 - edge) * (0.5 + edge)))),
    ],
    "q7": [
        lambda T: 0.25 / np.arange(1, T + 1),
        lambda T: [0.3 * 0.5**t for t in range(T)],
        lambda T: (0.1 / np.arange(1.0, T + 1) ** 0.6).astype(np.float32),
        lambda T: 0.1 / np.sqrt(np.arange(2, T + 2)) / np.log(np.arange(2, T + 2)),
        lambda T: np.float32(0.1) * np.float32(0.9) ** np.arange(T, dtype=np.float32),
        lambda T: [0.1 ** (2 ** min(t, 20)) for t in range(1, T + 1)],
        lambda T: 1e-200 / np.arange(1, T + 1),
    ],
    "q8": [
        stump_by_search,
        stump_by_midpoints,
        lambda X, y, D: np.array(stump_by_search(X, y, D)),
        lambda X, y, D: (*np.float32(stump_by_midpoints(X, y, D)[:2]), int(stump_by_midpoints(X, y, D)[2])),
    ],
    "q9": [
        boost(),
        boost_as_arrays,
        boost(stump_by_midpoints),
        lambda X, y, T: [tuple(part) for part in boost(lambda X, y, D: list(stump_by_search(X, y, D)))(X, y, T)],
    ],
}
WRONG = {
    "q1": [
        (lambda m, risk: math.floor(m * risk), "use up the whole cost"),
        (lambda m, risk: min(m, math.floor(m * risk)), "use up the whole cost"),
        (lambda m, risk: m * risk, "a whole number"),
        (lambda m, risk: math.ceil(m * risk), "so many errors"),
        (lambda m, risk: math.ceil(m * risk) - 1, "more errors are possible"),
        (lambda m, risk: m, "so many errors cost too much"),
        *told("more errors are possible", lambda m, risk: 0, lambda m, risk: m if risk >= 1 else math.ceil(risk) - 1),
        (lambda m, risk: min(m - 1, math.ceil(m * risk) - 1), "more errors are possible"),
        (lambda m, risk: math.ceil(m * risk) - 1 if risk != 1 else m, "there are only 3 examples"),
        (lambda m, risk: math.nan, "finite number"),
        (lambda m, risk: m if risk >= 1 else max(0, math.floor(m * risk - 0.3)), "more errors are possible"),
        (lambda m, risk: m if m * risk > m - 0.3 else math.ceil(m * risk) - 1, "so many errors cost too much"),
        (lambda m, risk: m if risk >= 1 else math.ceil(m * risk - 0.1) - 1, "more errors are possible"),
        (lambda m, risk: m if risk >= 1 else min(m, math.ceil(m * risk + 0.1) - 1), "so many errors"),
    ],
    "q2": [
        (reweight_with(sign=1.0), "grow where the rule is right"),
        (reweight_with(change=lambda new: new), "sum up to one"),
        (reweight_with(Z=lambda new: 1.0), "Z, the sum of the weights before"),
        (reweight_with(Z=lambda new: new.mean()), "Z, the sum of the weights before"),
        (reweight_with(sign=-2.0), "is not right"),
        (lambda D, y, h, alpha: reweight_with(np.full(len(D), 1 / len(D)), y, h, alpha), "is not right"),
        (lambda D, y, h, alpha: reweight_with(D, 1, h, alpha), "grow where the rule is right"),
        (lambda D, y, h, alpha: reweight_with(D, y, h, alpha)[0], "a pair"),
        (lambda D, y, h, alpha: reweight_with(D, y, h, alpha)[::-1], "should be an array of shape"),
        (lambda D, y, h, alpha: ((w := D * np.exp(alpha * (y != h))) / w.sum(), w.sum()), "is not right"),
        (reweight_in_place, "changes its argument D"),
        (reweight_with(change=lambda new: new / np.linalg.norm(new)), "sum up to one"),
        (lambda D, *rest: reweight_with(np.where(D > 0, D, 1e-2), *rest), "the new D is not right"),
        (lambda D, *rest: reweight_with(np.maximum(D, 0.01), *rest), "the new D is not right"),
    ],
    "q3": [
        (lambda y, H, alpha: ((c := np.exp(-y * (H @ alpha))) / c.sum(), c.sum()), "the product of the"),
        (lambda y, H, alpha: ((c := np.exp(-y * (H @ alpha))), c.mean()), "D should sum up to one"),
        (lambda y, H, alpha: ((c := np.exp(-y * (H @ alpha))) / len(y), c.mean()), "D should sum up to one"),
        (lambda y, H, alpha: ((c := np.exp(y * (H @ alpha))) / c.sum(), c.mean()), "the sign is turned"),
        (lambda y, H, alpha: ((c := np.exp(-H @ alpha)) / c.sum(), c.mean()), "sign is turned"),
        (lambda y, H, alpha: ((c := np.exp(-y * H.sum(1))) / c.sum(), c.mean()), "is not right"),
        (lambda y, H, alpha: ((c := np.exp(-y * (H @ alpha))) / c.sum(), 1 / c.mean()), "the product of the"),
        (lambda y, H, alpha: reweight_by_loop(np.full(len(y), 1 / len(y)), y, H[:, -1], alpha[-1]), "is not right"),
        (lambda y, H, a: unrolled_by_rounds(y, H.T if len(y) == len(a) else H, a), "for T = 3 is not right"),
        (lambda y, H, alpha: np.exp(-y * (H @ alpha)).mean(), "a pair"),
        (lambda y, H, alpha: unrolled_by_rounds(y, H, abs(alpha)), "is not right"),
        (lambda y, H, alpha: unrolled_by_rounds(y, H, np.maximum(alpha, 0)), "is not right"),
    ],
    "q4": [
        (lambda e: (math.log(e / (1 - e)) / 2, 2 * math.sqrt(e * (1 - e))), "the sign is turned"),
        (lambda e: (math.log((1 - e) / e), 2 * math.sqrt(e * (1 - e))), "twice the best vote"),
        (lambda e: (math.log((1 - e) / e) / 2, math.sqrt(e * (1 - e))), "it is half"),
        (lambda e: (math.log((1 - e) / e) / 2, 4 * e * (1 - e)), "the smallest Z is not right"),
        (lambda e: (math.log((1 - e) / e) / 2, math.exp(-math.log((1 - e) / e) / 2)), "the smallest Z is not right"),
        (lambda e: (math.log2((1 - e) / e) / 2, 2 * math.sqrt(e * (1 - e))), "another vote makes Z smaller"),
        (lambda e: (abs(math.log((1 - e) / e)) / 2, 2 * math.sqrt(e * (1 - e))), "the sign is turned"),
        (lambda e: (math.log(1 / e) / 2, 2 * math.sqrt(e * (1 - e))), "another vote makes Z smaller"),
        (lambda e: (0.5 - e, 2 * math.sqrt(e * (1 - e))), "another vote makes Z smaller"),
        (lambda e: (1e4, 0.0), "far too large"),
        (lambda e: math.log((1 - e) / e) / 2, "a pair"),
    ],
    "q5": [
        (lambda g: (np.prod(1 - 4 * g**2), np.exp(-2 * (g @ g))), "the exponential risk is not right"),
        (lambda g: (np.prod(np.sqrt(1 - 4 * g**2)), np.exp(-(g @ g))), "not the best bound"),
        (lambda g: (np.prod(np.sqrt(1 - 4 * g**2)), np.exp(-4 * (g @ g))), "not an upper bound"),
        (lambda g: (np.prod(np.sqrt(1 - 4 * g**2)), np.exp(-2.1 * (g @ g))), "this c is too large"),
        (lambda g: (np.prod(np.sqrt(1 - 4 * g**2)),) * 2, "this c is too large"),
        (lambda g: (np.prod(np.sqrt(1 - 4 * g**2)), 1.0), "not the best bound"),
        (lambda g: (np.exp(-2 * (g @ g)), np.prod(np.sqrt(1 - 4 * g**2))), "the exponential risk is not right"),
        (lambda g: (np.prod(np.sqrt(1 - 4 * g**2)), np.exp(-2 * g.sum() ** 2)), "not an upper bound"),
        (lambda g: (np.prod(np.sqrt(1 - 4 * g**2)), np.exp(-2 * len(g) * g.min() ** 2)), "not the best bound"),
        (lambda g: (np.prod(np.sqrt(1 - 2 * g**2)), np.exp(-2 * (g @ g))), "the exponential risk is not right"),
        (lambda g: (np.sqrt(1 - 4 * g**2), np.exp(-2 * (g @ g))), "should be a number"),
        (lambda g: (np.prod(np.sqrt(1 - 4 * g**2)), -1.0), "not an upper bound"),
    ],
    "q6": [
        (lambda m, edge: math.ceil(math.log(m) / (2 * edge**2)), "Did you use e^(-2 T edge^2)?"),
        (lambda m, edge: math.floor(math.log(m) / (2 * edge**2)) + 1, "Did you use e^(-2 T edge^2)?"),
        (lambda m, edge: rounds_by_loop(m, edge) + 1, "a smaller number of rounds is enough"),
        *told("this is not enough", lambda m, edge: rounds_by_loop(m, edge) - 1, lambda m, edge: 1),
        (lambda m, edge: 2 * math.log(m) / -math.log(1 - 4 * edge**2), "a whole number"),
        (lambda m, edge: math.ceil(math.log(m) / -math.log(1 - 4 * edge**2)), "this is not enough"),
        (lambda m, edge: math.ceil(2 * math.log2(m) / -math.log(1 - 4 * edge**2)), "a smaller number"),
        (lambda m, edge: math.ceil(2 * math.log(m) / math.log(1 - 4 * edge**2)), "a whole number"),
        (lambda m, edge: math.ceil(m / edge), "a smaller number"),
    ],
    "q7": [
        *told("the product is below 1/2", lambda T: np.full(T, 0.1), lambda T: 0.49 / np.arange(1, T + 1)),
        *told("does not slow down", lambda T: np.full(T, 1e-4), lambda T: 0.1 / np.sqrt(np.arange(1, T + 1))),
        (lambda T: np.full(T, 1 / T) / 4, "one sequence is asked for"),
        (lambda T: 1 / np.arange(1, T + 1), "below 1/2"),
        *told("above 0", lambda T: np.zeros(T), lambda T: -0.25 / np.arange(1, T + 1), lambda T: np.full(T, np.nan)),
        *told("should be an array of shape", lambda T: 0.25 / np.arange(1, T), lambda T: 1 / (2 * T)),
        (lambda T: np.r_[np.full(min(T, 100), 0.01), np.zeros(max(T - 100, 0))], "that of round 101 is 0"),
        (lambda T: np.where(np.arange(T) % 2, 0, 0.25 / np.arange(1, T + 1)), "that of round 2 is 0"),
        (lambda T: np.where(np.arange(T) == 600, 0, 0.25 / np.arange(1, T + 1)), "that of round 601 is 0"),
        *told("does not slow down", lambda T: np.full(T, 1e-200), lambda T: 1e-170 / np.sqrt(np.arange(1, T + 1))),
        (lambda T: np.r_[0.3, np.full(T - 1, 1e-200)], "does not slow down"),
    ],
    "q8": [
        (lambda X, y, D: stump_by_search(X, y, D, signs=(1,)), "the best one with s = 1"),
        (lambda X, y, D: stump_by_search(X, y, np.ones(len(y))), "if all examples have the same weight"),
        (lambda X, y, D: stump_by_search(X, y, D, columns=1), "Look at column 1"),
        (lambda X, y, D: stump_by_search(X, y, D, constant=False), "there is a better stump"),
        (lambda X, y, D: stump_by_search(X, y, D, strict=False), "With x_j >= theta yours would be best"),
        (stump_with_ties, "no threshold fits between them"),
        (lambda X, y, D: (*(h := stump_by_search(X, y, D))[:2], -h[2]), "The opposite sign is better"),
        (lambda X, y, D: (stump_by_search(X, y, D)[0] + 1, 0.0, 1), "j should be a column"),
        (lambda X, y, D: stump_by_search(X, y, D)[1:], "a triple (j, theta, s)"),
        (lambda X, y, D: (0, math.nan, 1), "got nan"),
        (lambda X, y, D: (0, 1.5, 0), "the sign s should be"),
        (lambda X, y, D: (0, np.median(X[:, 0]), 1), "there is a better stump"),
    ],
    "q9": [
        (boost(alpha=lambda e: math.log(e / (1 - e)) / 2, sign=1.0), "the sign is turned"),
        (boost(alpha=lambda e: math.log((1 - e) / e)), "it is twice"),
        *told("were the weights changed?", boost(change=False), boost(sign=1.0)),
        (boost(normalise=False), "round 2"),
        *told("it should be returned alone", boost(perfect="capped"), boost(perfect="none")),
        (boost(perfect="infinite"), "positive finite number"),
        (boost(coin=1.0), "no stump is better than a coin"),
        (boost(coin=0.49), "although a stump with error 0.49"),
        (boost(coin=0.4999), "although a stump with error 0.4999 is left"),
        (boost(coin=0.5 - 5e-6), "although a stump with error 0.5 is left"),
        (boost(zero=0.05), "the vote of round 1 is not right"),
        (boost(more=1), "at most T = 1 rounds were asked for"),
        (boost(more=-1), "you stopped after 0 of 1 rounds"),
        (boost(lambda X, y, D: stump_by_search(X, y, D, columns=1)), "another stump is better"),
        (lambda X, y, T: boost()(X, y, T)[::-1], "a triple (j, theta, s)"),
        (lambda X, y, T: boost()(X, y, T)[0], "a pair"),
        (lambda X, y, T: (boost()(X, y, T)[0], 3), "the stumps should be a list"),
        (lambda X, y, T: ([1.0], [(0, 0.5, 1)]), "round 1: another stump is better"),
    ],
}
