"""Checks for the code exercises of the chapter on boosting."""

import numpy as np
from scipy.optimize import linprog
from scipy.stats import chi2

from mlcourse_homework.engine.answers import array, require
from mlcourse_homework.engine.exercise import because, exercise


@exercise
def my_adaboost(answer, rng):
    """``answer(y, weak_learner, n_rounds)`` returns the votes; ``weak_learner(D)`` the values of a rule."""
    for T in (5, 1, 2, 12):
        m = int(rng.integers(8, 30))
        y, seen, values = rng.choice([-1.0, 1.0], size=m), [], []

        def weak_learner(D, m=m, y=y, seen=seen, values=values):
            D = array(D, (m,), "what you hand to the weak learner")
            proper = (D >= 0).all() and np.isclose(D.sum(), 1)
            ask = f"its sum is {D.sum():.4g}: divide by the sum after the update."
            require(proper, f"round {len(seen) + 1}: D should be a distribution, {ask}")
            rule = rng.choice([-1.0, 1.0], size=m)
            rule = rule if D[rule != y].sum() < 1 / 2 else -rule
            if not (rule != y).any() or D[rule != y].sum() > 0.45:  # neither perfect nor a coin: err where D is least
                rule = np.where(np.arange(m) == D.argmin(), -y, y)
            seen.append(D.copy())
            values.append(rule)
            return rule.copy()

        alpha = array(answer(y, weak_learner, T), (T,), "the votes")
        require(len(seen) == T, f"the weak learner should be called once a round: {len(seen)} calls in {T} rounds.")
        require(np.allclose(seen[0], 1 / m), "the first distribution should be uniform.")
        epsilon = np.array([D[rule != y].sum() for D, rule in zip(seen, values, strict=True)])
        for t in range(1, T):
            wrong, before = values[t - 1] != y, epsilon[t - 1]
            half, at = seen[t][wrong].sum(), f"round {t + 1}"
            why = because((half < before, "The weights grow where the rule was right."))
            error = f"the rule of the round before has error {half:.4f} under your D, it should be exactly 1/2."
            require(np.isclose(half, 1 / 2), f"{at}: {error}{why}")
            D = np.where(wrong, 0.5 / before, 0.5 / (1 - before)) * seen[t - 1]
            same = "all wrong examples should be multiplied by the same factor, and all right ones"
            require(np.allclose(seen[t], D), f"{at}: {same}: start from the weights of the round before.")
        risk, product = np.exp(-y * (alpha @ np.array(values))).mean(), np.prod(2 * np.sqrt(epsilon * (1 - epsilon)))
        why = because(
            (np.allclose(np.exp(alpha), (1 - epsilon) / epsilon), "Your votes are twice the alpha_t."),
            ((alpha < 0).any(), "A vote is negative although its rule has an edge."),
        )
        message = f"the exponential risk of your vote is {risk:.4f}, the product of the Z_t is {product:.4f}."
        require(np.isclose(risk, product), f"after {T} rounds {message}{why}")
    return "every rule has error 1/2 in the next round, and the exponential risk is the product of the Z_t."


@exercise
def draw(answer, rng):
    """``answer(D, size, rng)`` returns that many independent rows with distribution D."""
    size = 3000
    for D in (np.full(4, 0.25), np.array([0.05, 0.6, 0.35]), rng.dirichlet(np.ones(8)), np.array([0.5, 0.0, 0.5])):
        rows = array(answer(D, size, np.random.default_rng(rng.integers(2**31))), (size,), "the answer")
        inside = np.isin(rows, np.arange(len(D))).all()
        require(inside, f"rows should be whole numbers from 0 to {len(D) - 1}, got {np.unique(rows)[:5].tolist()}.")
        frequency, possible = np.bincount(rows.astype(int), minlength=len(D)) / size, D > 0
        listed = f"D = {D.round(3).tolist()}, the frequencies of {size} draws are {frequency.round(3).tolist()}"
        require(frequency[~possible].sum() == 0, f"{listed}: a row of weight 0 was drawn.")
        distance = size * ((frequency - D)[possible] ** 2 / D[possible]).sum()
        require(distance < chi2.isf(1e-6, possible.sum() - 1), f"{listed}: too far apart to be chance.")
        repeats, right = np.mean(rows[1:] == rows[:-1]), D @ D
        share = f"a row equals the one before it in a share of {repeats:.2f} of the draws"
        expected = abs(repeats - right) < 6 * np.sqrt(right / size) + 0.01
        require(expected, f"{share}, independent draws do so in {right:.2f}.")
    generators = [np.random.default_rng(seed) for seed in range(200)]
    calls = np.array([array(answer(np.full(4, 0.25), 50, g), (50,), "the answer") for g in generators])
    require((calls[0] != calls[1]).any(), "two generators gave the same rows: take all random numbers from rng.")
    ratio = np.mean([np.var((calls == i).sum(axis=1)) for i in range(4)]) / (50 * 0.25 * 0.75)
    varies = f"the number of times a row is drawn varies {ratio:.1f} times as much as for independent draws."
    require(0.7 < ratio < 1.4, f"over 200 calls {varies}")
    return "the frequencies agree with four distributions, and the draws look independent."


@exercise
def worst(answer, rng):
    """``answer(M)`` returns the distribution over the rows that makes the largest edge as small as possible."""
    xor = np.array([[1.0, 1, -1, -1], [1, -1, -1, 1], [-1, -1, 1, 1], [-1, 1, 1, -1]])
    for M in (xor, *(rng.choice([-1.0, 1.0], size=rng.integers(2, 8, size=2)) for _ in range(30))):
        D = array(answer(M), (len(M),), "the answer")
        fine = (D >= -1e-9).all() and np.isclose(D.sum(), 1)
        require(fine, f"D should be a distribution over the {len(M)} rows, got {D.round(3).tolist()}.")
        m, N = M.shape
        c, A, total = np.append(np.zeros(N), -1), np.column_stack([-M, np.ones(m)]), np.append(np.ones(N), 0)
        least = linprog(c, A, np.zeros(m), [total], [1], bounds=[(0, None)] * N + [(None, None)])
        largest, possible = (D @ M).max() / 2, -least.fun / 2
        edge = f"a rule has edge {largest:.3f} under your D, but one with no edge above {possible:.3f} exists."
        require(largest <= possible + 1e-7, edge, f"M = {M.astype(int).tolist()}", D)
    return "on 31 games no distribution leaves smaller edges: it equals half the best margin."
