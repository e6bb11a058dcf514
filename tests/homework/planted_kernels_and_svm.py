"""Answers to the homework on kernels and support vector machines, right and wrong."""

import math

import numpy as np
from planting import in_float32, in_lists, told, with_faults

from mlcourse.models.kernels.svm import SVM
from mlcourse_homework import kernels_and_svm as hw

verdicts, pair_step, train = hw.q1.model, hw.q7.model, hw.q8.model


def features_of_augmented(X, c):
    """All products of two of (x, sqrt c), the mixed ones with a root of two, in another order."""
    A = np.column_stack([X, np.full(len(X), math.sqrt(c))])
    i, j = np.triu_indices(A.shape[1])
    return (-A[:, i] * A[:, j] * np.where(i == j, 1, math.sqrt(2))).astype(np.float32)


@with_faults
def features(X, c, *, constant=1.0, linear=1.0, squares=1.0, mixed=2**0.5, first=True):
    i, j = np.triu_indices(X.shape[1], 1)
    straight = linear * np.sqrt(2 * c) * X * np.where(np.arange(X.shape[1]) == 0, float(first), 1.0)
    parts = [np.full((len(X), 1), constant * c), straight, squares * X**2, mixed * X[:, i] * X[:, j]]
    return np.hstack(parts)


@with_faults
def distances(K, y, *, middle=-2.0, last=1.0, power=1.0, order=(-1, 1), whole=False, own=False):
    columns = []
    for c in order:
        a = np.full(len(y), 1 / len(y)) if whole else (y == c) / (len(y) if own else np.sum(y == c))
        columns.append(np.diag(K) + middle * K @ a + last * a @ K @ a)
    return np.column_stack(columns) if power == 1 else np.column_stack(columns).clip(0) ** power


def ridge_by_centring(K, y, lam):
    m = len(y)
    H = np.eye(m) - 1 / m
    a = np.linalg.solve(H @ K @ H + lam * m / 2 * np.eye(m), y - y.mean())
    return a.tolist(), float(np.mean(y - K @ a))


def ridge_of_least_length(K, y, lam):
    """Other coefficients of the same function, where the Gram matrix is singular."""
    a, b = ridge_by_centring(K, y, lam)
    return np.linalg.pinv(K) @ (K @ np.array(a)), np.array(b)


def ridge_far_away(K, y, lam):
    """Coefficients with a large part that K does not see."""
    values, V = np.linalg.eigh(K)
    a, b = ridge_by_centring(K, y, lam)
    null = V[:, values < 1e-9 * values[-1]]
    return a + 1e4 * null.sum(axis=1), np.array([b])


def ridge_with(factor, sign=1.0):
    def answer(K, y, lam):
        m = len(y)
        system = np.block([[K + lam * factor(m) * np.eye(m), np.ones((m, 1))], [np.ones((1, m)), np.zeros((1, 1))]])
        a = np.linalg.solve(system, np.append(y, 0))
        return sign * a[:-1], a[-1]

    return answer


def ridge_without_bias(K, y, lam):
    return np.linalg.solve(K + lam * len(y) / 2 * np.eye(len(y)), y), 0.0


def ridge_with_penalised_bias(K, y, lam):
    a = ridge_without_bias(K + 1, y, lam)[0]
    return a, a.sum()


def bounds(lower=None, upper=None):
    def answer(w, b, alpha, X, y):
        z, v, total = y * (X @ w + b), (alpha * y) @ X, alpha.sum()
        one = z.min() / np.linalg.norm(w) if lower is None else lower(z, w, y, X)
        return one, np.linalg.norm(v) / total if upper is None else upper(v, alpha, y, X)

    return answer


def bounds_of_hulls(w, b, alpha, X, y):
    one = min(abs(np.dot(w, x) + b) for x in X) / math.sqrt(np.dot(w, w))
    plus, minus = (alpha[y == c] @ X[y == c] / alpha[y == c].sum() for c in (1, -1))
    return [np.float32(one), np.array(np.linalg.norm(plus - minus) / 2)]


def shares(formula):
    def answer(alpha, b, K, y, C):
        z = y * (K @ (alpha * y) + b)
        return formula(alpha, z, C)

    return answer


def shares_by_loop(alpha, b, K, y, C):
    result = []
    for i in range(len(y)):
        z = y[i] * (sum(alpha[j] * y[j] * K[i][j] for j in range(len(y))) + b)
        result.append(alpha[i] * (z - 1) if z >= 1 else (C - alpha[i]) * (1 - z))
    return result


def mean_share(alpha, b, K, y, C):
    z = y * (K @ (alpha * y) + b)
    return np.full(len(y), np.mean(alpha * (z - 1) + C * np.maximum(1 - z, 0)))


def platt_step(alpha, i, j, K, y, C):
    """The step as it is usually printed: the second variable first, between L and H."""
    errors = K @ (alpha * y) - y
    if y[i] != y[j]:
        low, high = max(0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    else:
        low, high = max(0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    eta, slope, new = K[i, i] + K[j, j] - 2 * K[i, j], y[j] * (errors[i] - errors[j]), alpha.tolist()
    new[j] = min(max(alpha[j] + slope / eta, low), high) if eta > 0 else (high if slope > 0 else low)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


def quiet(step):
    def answer(*arguments):
        with np.errstate(all="ignore"):
            return step(*arguments)

    return answer


def step_to_the_left(alpha, i, j, K, y, C):
    """Coincident points go to the lower end, whatever the slope."""
    if K[i, i] + K[j, j] - 2 * K[i, j] > 1e-12:
        return step()(alpha, i, j, K, y, C)
    beta, low, high = alpha * y, np.minimum(0, C * y), np.maximum(0, C * y)
    s = max(low[i] - beta[i], beta[j] - high[j])
    beta[i] += s
    beta[j] -= s
    return beta * y


def step_of_first_and_last(alpha, i, j, K, y, C):
    ends = (0, len(y) - 1) if i < j else (len(y) - 1, 0)
    return step()(alpha, *ends, K, y, C)


def step(sign=1.0, factor=1.0, clip=True, second=-1.0, labels=True, floor=1e-12, slope=True):
    def answer(alpha, i, j, K, y, C):
        beta, low, high = alpha * y, np.minimum(0, C * y), np.maximum(0, C * y)
        g, D = y - K @ (beta if labels else alpha), K[i, i] + K[j, j] + 2 * second * K[i, j]
        s = sign * factor * (g[i] - g[j] if slope else 2.0) / np.maximum(D, floor)
        if clip:
            s = np.clip(s, max(low[i] - beta[i], beta[j] - high[j]), min(high[i] - beta[i], beta[j] - low[j]))
        beta[i] += s
        beta[j] -= s
        return beta * y

    return answer


def only_one(alpha, i, j, K, y, C):
    new = alpha.copy()
    new[i] = np.clip(alpha[i] + (1 - y[i] * (K[i] @ (alpha * y))) / max(K[i, i], 1e-12), 0, C)
    return new


def clipped_apart(alpha, i, j, K, y, C):
    return np.clip(step(clip=False)(alpha, i, j, K, y, C), 0, C)


def movable(alpha, y, C, tol=0.0):
    """Which alpha_i y_i may grow, and which may shrink."""
    below, above = alpha < C - tol, alpha > tol
    return np.where(y > 0, below, above), np.where(y > 0, above, below)


def train_with_package(K, y, C):
    """On any vectors that have these inner products."""
    values, V = np.linalg.eigh(K)
    model = SVM(C, tol=1e-9).fit(V * np.sqrt(np.maximum(values, 0)), y)
    g, (rises, falls) = y - K @ (model.alpha_ * y), movable(model.alpha_, y, C, 1e-9 * C)
    return model.alpha_.astype(np.float32), g[rises].max(), g[falls].min()


def bias_of_the_free(K, y, C):
    alpha, low, high = train(K, y, C)
    free = (alpha > 1e-8 * C) & (alpha < C * (1 - 1e-8))
    b = (y - K @ (alpha * y))[free].mean() if free.any() else np.nan
    return alpha, b, b


def few_random_pairs(K, y, C):
    rng, alpha = np.random.default_rng(0), np.zeros(len(y))
    for _ in range(50):
        i, j = rng.choice(len(y), 2, replace=False)
        alpha = pair_step(alpha, i, j, K, y, C)
    free = (alpha > 0) & (alpha < C)
    b = (y - K @ (alpha * y))[free].mean() if free.any() else 0.0
    return alpha, b, b


def exact_comparisons(K, y, C):
    alpha = train(K, y, C)[0] * (1 - 1e-12)
    g, (rises, falls) = y - K @ (alpha * y), movable(alpha, y, C)
    return alpha, g[rises].max(), g[falls].min()


def train_without_tolerance(K, y, C):
    alpha = np.zeros(len(y))
    while True:
        g, (rises, falls) = y - K @ (alpha * y), movable(alpha, y, C)
        i, j = np.where(rises, g, -np.inf).argmax(), np.where(falls, g, np.inf).argmin()
        if g[i] - g[j] < 1e-6:
            return alpha, g[i], g[j]
        alpha = pair_step(alpha, i, j, K, y, C)


def changed(change):
    return lambda K, y, C: change(K, y, C, *train(K, y, C))


def bias_of_all(K, y, C, alpha, low, high):
    g = (y - K @ (alpha * y))[alpha > 1e-8 * C]
    return alpha, g.min(), g.max()


def pegasos(price=lambda C, m: C * m, test=lambda z: z < 1, first=1, old=lambda t: 1 - 1 / t, signed=False, add=1.0):
    def answer(K, y, C, draws):
        m, beta = len(y), np.zeros(len(y))
        for t, i in enumerate(draws, start=first):
            wanting = test(y[i] * (K[i] @ beta))
            beta = old(t) * beta
            beta[i] += add * y[i] * wanting * price(C, m) / t
        return beta if signed else beta * y

    return answer


def verdict(**changes):
    return verdicts() | changes


RIGHT = {
    "q1": [
        verdict(shifted=(0.5, 1.0), lcm=np.array([2, 3, 4]), bell=[3, 3.5, 4, 4.5, 5], box=[0.5, 1.5, 2.0, 2.5]),
        lambda: verdict(power=[0.2, 1, 2, 4], box=np.arange(1.0, 30.0)),
        verdict(power=np.arange(1, 9) / 2),
        verdict(shifted=[1, 200], power=[1, 10, 100, 1000], box=range(1, 4)),
        verdict(power=[0.05, 0.1, 0.15, 0.2]),
    ],
    "q2": [
        in_lists(features),
        features_of_augmented,
        features,
        lambda X, c: features(X.astype(np.float32), np.float32(c)),
    ],
    "q3": [distances, in_lists(distances), lambda K, y: distances(K, y).astype(np.float32)],
    "q4": [
        ridge_by_centring,
        in_float32(ridge_by_centring),
        ridge_of_least_length,
        ridge_with(lambda m: m / 2),
        ridge_far_away,
    ],
    "q5": [bounds_of_hulls, bounds(), lambda *arguments: np.array(bounds()(*arguments))],
    "q6": [
        shares_by_loop,
        shares(lambda a, z, C: a * np.maximum(z - 1, 0) + (C - a) * np.maximum(1 - z, 0)),
        shares(lambda a, z, C: np.where(z < 1, (C - a) * (1 - z), a * (z - 1)).astype(np.float32)),
    ],
    "q7": [platt_step, step(), lambda *arguments: step()(*arguments).astype(np.float32)],
    "q8": [train_with_package, in_lists(train), lambda K, y, C: [np.array(part, ndmin=1) for part in train(K, y, C)]],
    "q9": [pegasos(), in_lists(pegasos()), lambda *arguments: pegasos()(*arguments).astype(np.float32)],
}
WRONG = {
    "q1": [
        ({}, "nothing is said about shifted"),
        (dict.fromkeys(verdicts()), "shifted is no kernel: 2 points"),
        (verdict(power=None), "power is no kernel: 4 points"),
        (verdict(power=[1, 2, 3]), "Are there others, or is it a kernel?"),
        (verdict(power=[0.01, 0.02, 0.03, 0.04]), "it counts as negative below -1e-13 times 4"),
        *told("give None for a kernel, or a list", verdict(lcm=np.array(2)), verdict(lcm="12"), verdict(lcm=False)),
        (verdict(bell=None), "bell is no kernel"),
        (verdict(gcd=[2, 3, 4, 6]), "gcd: these points do not convict it"),
        (verdict(tent=[0.1, 0.5, 0.9]), "tent: these points do not convict it"),
        (verdict(ratio=[1, 2, 4], cauchy=[1, 2, 3]), "cauchy: these points do not convict it"),
        (verdict(box=[1, 1.5]), "box: these points do not convict it"),
        (verdict(shifted=[0, 1]), "positive"),
        (verdict(lcm=[1.5, 2]), "whole numbers"),
        *told("should be a number", verdict(lcm=["one", "two"]), verdict(lcm=[[1], [1, 2]])),
        (verdict(lcm=[]), "a list of 1 to 100 points"),
        ([[1, 2], None], "a dictionary"),
        (verdict(lcm=...), "nothing is said about lcm"),
    ],
    "q2": [
        *told("the term 2c x_1 z_1 is missing", features(first=False), features(linear=0.0)),
        (features(mixed=1.0), "the term 2 x_1 x_2 z_1 z_2 has 0.5 times"),
        (features(mixed=2.0), "the term 2 x_1 x_2 z_1 z_2 has 2 times"),
        (features(linear=math.sqrt(0.5)), "the term 2c x_1 z_1 has 0.5 times"),
        *told("the term c^2 is missing", features(constant=0.0), lambda X, c: features(X, c)[:, 1:]),
        (lambda X, c: np.hstack([np.full((len(X), 1), math.sqrt(c)), features(X, c)[:, 1:]]), "the term c^2 has 0.5"),
        (lambda X, c: features(X, 1.0), "(x.z + c)^2"),
        (lambda X, c: features(X, c).T, "a matrix with 1 rows"),
        (lambda X, c: np.hstack([features(X, c), 0 * X]), "at most 3 columns"),
        (lambda X, c: X, "the term 2c x_1 z_1 has"),
        (lambda X, c: [[1.0], [1.0, 2.0]], "a matrix with"),
        (lambda X, c: features(X, c) * np.nan, "finite numbers"),
        *told("(x.z + c)^2", lambda X, c: features(X, c) * (1 + 1e-5), lambda X, c: features(X - X.mean(axis=0), c)),
        (lambda X, c: (f := features(X, c))[:, f.any(axis=0)], "should not depend on the points"),
    ],
    "q3": [
        (distances(last=0.0), "the squared length of the mean is left out"),
        (distances(middle=-1.0), "taken twice"),
        (distances(power=0.5), "not their squares"),
        (distances(order=(1, -1)), "class -1 comes first"),
        *told("not right", distances(whole=True), distances(own=True), distances(middle=2.0)),
        (lambda K, y: distances(K, y) / 2, "half what it should be"),
        (lambda K, y: distances(K, y).T, "shape (3, 2), got shape (2, 3)"),
        *told("shape", lambda K, y: distances(K, y)[:, 0], lambda K, y: distances(K, y)[y > 0]),
        (lambda K, y: distances(K, y) * np.nan, "finite numbers.\n  tried: features = "),
    ],
    "q4": [
        (ridge_with(lambda m: 1.0), "K times (residuals - lam m / 2 times a) should be zero"),
        (ridge_with(lambda m: m), "the residuals are 2 times a"),
        (ridge_with(lambda m: 0.5), "times a"),
        (ridge_with(lambda m: m / 2, sign=-1.0), "the gradient with respect to f"),
        *told("the derivative with respect to b", ridge_without_bias, ridge_with_penalised_bias),
        (lambda K, y, lam: (ridge_without_bias(K, y - y.mean(), lam)[0], y.mean()), "the derivative with respect to b"),
        (lambda K, y, lam: (np.zeros(len(y)), y.mean()), "the gradient with respect to f"),
        (lambda K, y, lam: ridge_by_centring(K, y, lam)[0], "a pair (a, b)"),
        (lambda K, y, lam: ridge_by_centring(K, y, lam)[::-1], "a should be an array"),
        (lambda K, y, lam: (np.full(len(y), np.nan), 0.0), "a should consist of finite numbers.\n  tried: features = "),
        (lambda K, y, lam: (0 * y, np.nan), "b should be a finite number.\n  tried: features = "),
    ],
    "q5": [
        (bounds(lambda z, w, y, X: z.min()), "doubling (w, b) changes"),
        (bounds(lambda z, w, y, X: 1 / np.linalg.norm(w)), "doubling (w, b) changes"),
        (bounds(lambda z, w, y, X: 2 * z.min() / np.linalg.norm(w)), "twice what it should be"),
        (bounds(lambda z, w, y, X: (y * (X @ w)).min() / np.linalg.norm(w)), "the margin of (w, b) is not right"),
        (bounds(lambda z, w, y, X: z.mean() / np.linalg.norm(w)), "the margin of (w, b) is not right"),
        (bounds(lambda z, w, y, X: z.min() / (w @ w)), "doubling (w, b) changes"),
        (bounds(None, lambda v, a, y, X: np.linalg.norm(v)), "doubling alpha changes"),
        (bounds(None, lambda v, a, y, X: 2 * np.linalg.norm(v) / a.sum()), "a smaller one follows"),
        (bounds(None, lambda v, a, y, X: np.linalg.norm(v) / a.sum() / 2), "not an upper bound"),
        (bounds(None, lambda v, a, y, X: np.linalg.norm(v) / (2 * a[y > 0].sum() * len(y)) * 2), "not an upper bound"),
        (bounds(None, lambda v, a, y, X: np.linalg.norm(a @ X) / a.sum()), "a smaller one follows"),
        (bounds(None, lambda v, a, y, X: np.linalg.norm(X, axis=1).max()), "a smaller one follows"),
        (bounds(None, lambda v, a, y, X: 1 / math.sqrt(2 * max(a.sum() - v @ v / 2, 1e-9))), "a smaller one follows"),
        (bounds(None, lambda v, a, y, X: np.inf), "finite number"),
        (lambda w, *rest: (bounds()(w, *rest)[0], np.linalg.norm(w)), "doubling (w, b) changes your upper bound"),
        (lambda w, b, alpha, X, y: (alpha.max(), bounds()(w, b, alpha, X, y)[1]), "doubling alpha changes your lower"),
        (lambda *arguments: bounds()(*arguments)[::-1], "lower comes first"),
        (lambda w, b, alpha, X, y: 1.0, "a pair"),
    ],
    "q6": [
        (shares(lambda a, z, C: (C - a) * np.maximum(1 - z, 0)), "add up to P - W"),
        (shares(lambda a, z, C: a * np.maximum(z - 1, 0)), "add up to P - W"),
        (shares(lambda a, z, C: a * (z - 1)), "no share should be negative"),
        (shares(lambda a, z, C: C * np.maximum(1 - z, 0)), "add up to P - W"),
        (shares(lambda a, z, C: a * np.maximum(z - 1, 0) + a * np.maximum(1 - z, 0)), "add up to P - W"),
        (shares(lambda a, z, C: C * np.maximum(1 - z, 0) - a), "no share should be negative"),
        (shares(lambda a, z, C: a * (z - 1) + np.maximum(1 - z, 0)), "add up to P - W"),
        (lambda alpha, b, K, y, C: shares_by_loop(alpha, 0.0, K, y, C), "your z_i does not contain b"),
        (lambda alpha, b, K, y, C: shares_by_loop(alpha, -b, K, y, C), "your z_i contains -b"),
        (lambda alpha, b, K, y, C: shares_by_loop(alpha, b, K * np.outer(y, y), y, C), "add up to P - W"),
        (lambda alpha, b, K, y, C: y * np.nan, "finite numbers.\n  tried: K = "),
        (mean_share, "depend on alpha_i, z_i and C alone"),
        (lambda alpha, b, K, y, C: sum(shares_by_loop(alpha, b, K, y, C)), "shape"),
    ],
    "q7": [
        *told("gains more", step(sign=-1.0), step(slope=False), step(floor=np.inf), lambda alpha, i, j, K, y, C: alpha),
        *told("gains more", step(factor=0.5), step(factor=1.9), step(second=0.0), step_to_the_left, step(floor=0.1)),
        *told("makes W smaller", step(factor=2.5), step(second=1.0), step(labels=False)),
        (step(clip=False), "left the box"),
        *told("sum of alpha_i y_i has changed", clipped_apart, only_one),
        (lambda alpha, i, j, K, y, C: train(K, y, C)[0], "only alpha_i and alpha_j may change"),
        (lambda alpha, i, j, K, y, C: np.full(len(y), np.nan), "finite numbers.\n  tried: K = "),
        (quiet(step(floor=0.0)), "The two points coincide: K_ii + K_jj - 2 K_ij = 0"),
        (step_of_first_and_last, "only alpha_i and alpha_j may change"),
        (lambda alpha, i, j, K, y, C: step()(alpha, i, j, K, y, C)[[i, j]], "shape"),
    ],
    "q8": [
        (bias_of_the_free, "no example is free"),
        (changed(lambda K, y, C, a, low, high: (a, (low + high) / 2, (low + high) / 2)), "but there are more"),
        (changed(lambda K, y, C, a, low, high: (a, high, low)), "b_minus exceeds b_plus"),
        *told("not both optimal", changed(lambda K, y, C, a, low, high: (a, -high, -low)), changed(bias_of_all)),
        (changed(lambda K, y, C, a, low, high: (a, low - 0.5, high + 0.5)), "not both optimal"),
        (changed(lambda K, y, C, a, low, high: (a, 0.0, 0.0)), "there are more"),
        (changed(lambda K, y, C, a, low, high: (a, high)), "three things"),
        (changed(lambda K, y, C, a, low, high: (a * y, low, high)), "not in the box"),
        (changed(lambda K, y, C, a, low, high: (a / 2, low, high)), "the duality gap"),
        (changed(lambda K, y, C, a, low, high: (np.where(y > 0, 0, a), low, high)), "sum of alpha_i y_i is not zero"),
        (lambda K, y, C: train(K, y, 100 * C), "not in the box"),
        (few_random_pairs, "but there are more"),
        *told("looks free: compare with a tolerance", train_without_tolerance, exact_comparisons),
        (lambda K, y, C: train(K * np.outer(y, y), y, C), "not both optimal"),
        (lambda K, y, C: (0 * y, -1.0, 1.0), "alpha is no solution"),
        (lambda K, y, C: (np.full(len(y), np.nan), 0.0, 0.0), "finite numbers.\n  tried: K = "),
    ],
    "q9": [
        (pegasos(lambda C, m: C), "sum of the losses"),
        (pegasos(lambda C, m: 1 / C), "your lam is"),
        *told("your lam is", pegasos(lambda C, m: C * m / 2), pegasos(lambda C, m: 1 / (C * m))),
        (pegasos(test=lambda z: z <= 1), "z = 1 exactly"),
        *told("alpha is not right", pegasos(test=lambda z: z <= 0), pegasos(test=lambda z: True)),
        (pegasos(old=lambda t: 1.0), "alpha is not right"),
        (pegasos(first=2), "or your first round is not t = 1"),
        (lambda K, y, C, draws: y * np.nan, "finite numbers.\n  tried: K = "),
        *told("should not be negative", pegasos(signed=True), pegasos(add=-1.0)),
        (lambda K, y, C, draws: pegasos()(K, y, C, draws[:-1]), "alpha"),
        (lambda K, y, C, draws: train(K, y, C)[0], "zero for an example that was never drawn"),
        (lambda K, y, C, draws: pegasos()(K, y, C if len(y) < 6 else 1.0, draws), "K = X X^T with X = [["),
        (lambda K, y, C, draws: np.clip(pegasos()(K, y, C, draws), 0, C), "your lam is"),
    ],
}
