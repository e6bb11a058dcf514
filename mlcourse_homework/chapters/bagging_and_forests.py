"""Checks for the code exercises of the chapter on bagging and random forests."""

import itertools

import numpy as np

from mlcourse.theory import independent_vote
from mlcourse_homework.engine.answers import array, close, number, require
from mlcourse_homework.engine.exercise import exercise

MAX_EVENTS = 13


@exercise
def unique_law(answer):
    """``answer(m)`` returns the probabilities of 1, 2, ..., m different rows in a bootstrap sample of m rows."""
    for m in (1, 2, 3, 4, 5):
        got = array(answer(m), (m,), f"the law for m = {m}")
        samples = itertools.product(range(m), repeat=m)
        right = np.bincount([len(set(sample)) for sample in samples], minlength=m + 1)[1:] / m**m
        k = int(np.abs(got - right).argmax())
        have = f"of the {m**m} bootstrap samples {right[k] * m**m:.0f} have {k + 1} different rows"
        require(np.allclose(got, right, rtol=0, atol=1e-9), f"for m = {m}, {have}.", f"m = {m}", got, right)
    for m in (30, 200):
        got, u = array(answer(m), (m,), f"the law for m = {m}"), np.arange(1, m + 1)
        proper = (got >= -1e-12).all() and np.isclose(got.sum(), 1)
        require(proper, f"the probabilities should not be negative and sum to 1, not to {got.sum():.6g}.", f"m = {m}")
        missing, both = m * (1 - 1 / m) ** m, (1 - 2 / m) ** m  # both of two given rows are missing
        mean, variance = m - missing, missing + m * (m - 1) * both - missing**2
        close(got @ u, mean, "the mean of your law", f"m = {m}")
        close(got @ (u - mean) ** 2, variance, "the variance of your law", f"m = {m}")
    return "it agrees with all bootstrap samples up to m = 5, and in mean and variance at m = 30 and 200."


@exercise
def product_law(answer):
    """An array (2, ..., 2) with the law of T <= 13 events: the product identity holds, the bound for votes fails."""
    P = np.asarray(answer, dtype=float)
    T, form = P.ndim, f"an array of shape (2, ..., 2) with an odd number of axes from 3 to {MAX_EVENTS} is expected"
    require(P.shape == (2,) * T and T % 2 and 3 <= T <= MAX_EVENTS, f"{form}, got shape {P.shape}.")
    proper = (P >= -1e-15).all() and np.isclose(P.sum(), 1, rtol=0, atol=1e-9)
    ends = f"the least of yours is {P.min():.3g}, their sum {P.sum():.6g}"
    require(proper, f"probabilities are not negative and sum to 1; {ends}.")
    occur = np.indices(P.shape).reshape(T, -1)  # which events occur, for each entry
    chance = occur @ P.ravel()
    p, joint = chance[0], P[(1,) * T]
    require(np.allclose(chance, p, rtol=0, atol=1e-9), "the events should be equally likely.", "", chance)
    require(p < 1 / 2, f"each event should have a probability below 1/2, yours have {p:.4g}.")
    together = f"all {T} events should occur together with probability p^{T} = {p**T:.4g}"
    require(np.isclose(joint, p**T, rtol=1e-6, atol=0), f"{together}, yours do with {joint:.4g}.")
    vote, bound = P.ravel()[occur.sum(axis=0) > T / 2].sum(), independent_vote(T, 1 / 2 - p)
    above = f"more than half of your events occur with probability {vote:.4g}, which is not above the bound {bound:.4g}"
    require(vote > bound, f"{above} for T = {T} and p = {p:.4g}.")
    return f"the identity holds, and the vote of T = {T} errs with probability {vote:.3f}, above {bound:.3f}."


@exercise
def vote_weights(answer, rng):
    """``answer(p)`` returns weights of the votes of independent voters with errors p such that no rule errs less."""
    cases = [[0.2], [0.1, 0.4, 0.4], [0.05, 0.3, 0.3, 0.3], [0.7, 0.2, 0.4], *rng.uniform(0.02, 0.98, size=(30, 6))]
    for p in map(np.array, cases):
        alpha = array(answer(p), p.shape, "the weights")
        votes = np.array([*itertools.product((-1, 1), repeat=len(p))])
        plus = np.where(votes == 1, 1 - p, p).prod(axis=1)  # their probability given the label +1
        minus = plus[::-1]  # and given -1: the same with all votes turned
        error, least = np.where(votes @ alpha >= 0, minus, plus).sum() / 2, np.minimum(plus, minus).sum() / 2
        message = f"your vote errs with probability {error:.4f}; {least:.4f} is possible."
        require(error <= least + 1e-12, message, f"errors {np.round(p, 3).tolist()}", alpha)
    return "no rule errs less than your vote, for 34 crowds."


@exercise
def out_of_bag_error(answer, rng):
    """``answer(votes, counts, y)`` returns the error of the votes of those members that did not see an example."""
    for n_members, m in [(1, 6), (2, 5), (3, 10), (4, 30), (25, 12)] * 6:
        votes, y = rng.choice([-1, 1], size=(n_members, m)), rng.choice([-1, 1], size=m)
        counts = rng.multinomial(m, np.full(m, 1 / m), size=n_members)
        judges = [np.flatnonzero(counts[:, i] == 0) for i in range(m)]
        wrong = [(1 if votes[j, i].sum() >= 0 else -1) != y[i] for i, j in enumerate(judges) if len(j)]
        if wrong:
            got, where = number(answer(votes, counts, y), "the error"), f"{n_members} members and m = {m}"
            ask = "Are only the members with count 0 heard, examples seen by all left out, and ties counted as +1?"
            seen = f"{where}, of which {m - len(wrong)} were seen by all members"
            require(np.isclose(got, np.mean(wrong)), f"the error is not right. {ask}", seen, got, np.mean(wrong))
    return "right on 30 random bags, with ties and with examples that every member saw."
