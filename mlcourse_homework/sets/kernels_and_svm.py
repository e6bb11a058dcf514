"""Homework: kernels and support vector machines, from a Gram matrix to a machine that certifies itself."""

import itertools
from collections.abc import Collection

import numpy as np

from mlcourse.models.kernels.functions import GaussianKernel
from mlcourse.models.kernels.svm import SVM
from mlcourse.models.kernels.svm_dual import dual_objective, duality_gap, primal_objective
from mlcourse_homework.engine.answers import NotAttempted, array, brief, close, for_all, require, requiring, show, two
from mlcourse_homework.engine.properties import agree, finite, shape_of, single
from mlcourse_homework.engine.question import Homework

homework = Homework(__file__, "Kernels and support vector machines")
progress = homework.progress
norm = np.linalg.norm
suspects = {  # functions of two positive numbers, or of arrays of them
    "shifted": lambda x, z: (x * z - 1) ** 2,
    "power": lambda x, z: (x * z + 1) ** 1.5,
    "box": lambda x, z: np.where(np.abs(x - z) <= 1, 1.0, 0.0),
    "tent": lambda x, z: np.maximum(0, 1 - np.abs(x - z)),
    "bell": lambda x, z: np.exp(-((x - z) ** 4)),
    "cauchy": lambda x, z: 1 / (1 + (x - z) ** 2),
    "ratio": lambda x, z: np.minimum(x, z) / np.maximum(x, z),
    "gcd": lambda x, z: np.gcd(np.asarray(x, int), np.asarray(z, int)),
    "lcm": lambda x, z: np.lcm(np.asarray(x, int), np.asarray(z, int)),
}
ENOUGH = {"shifted": 2, "power": 4, "box": 3, "bell": 3, "lcm": 2}  # so many points convict these


def sample(rng, m, d=2):
    """Points that overlap and their labels, half of them negative; few points have integer coordinates."""
    y = rng.permutation(np.where(np.arange(m) % 2, -1, 1))
    X = rng.normal(size=(m, d)) + 0.7 * y[:, None]
    return np.round(X) if m <= 3 else X, y


def both(y):
    """Whether both labels occur."""
    return y.min() < 0 < y.max()


def feasible(r, y, C):
    """Dual variables in [0, C] with sum_i alpha_i y_i = 0, from numbers r in [0, 1]."""
    alpha = C * np.clip(r, 0, 1)
    plus, minus = alpha[y > 0].sum(), alpha[y < 0].sum()
    return alpha * min(plus, minus) / np.maximum(np.where(y > 0, plus, minus), 1e-300)


def told(X, K, kernel="X X^T", **others):
    """What a function of a Gram matrix was given; if the matrix is too large to be shown, the points are."""
    too_large = brief(K).startswith("an array")
    return f"K = {kernel} with {show(X=X, **others)}" if too_large else show(K=K, **others)


@homework.question(kind="value")
def q1(answer):
    """``answer`` maps each name to points whose Gram matrix has a negative eigenvalue, or to None for a kernel."""
    require(isinstance(answer, dict), f"a dictionary from names to points or None is expected, got {answer!r}.")
    if answer and all(points is ... for points in answer.values()):
        raise NotAttempted
    for name, k in suspects.items():
        points = answer.get(name, ...)
        require(points is not ..., f"nothing is said about {name}.")
        if points is None:
            require(name not in ENOUGH, f"{name} is no kernel: {ENOUGH.get(name)} points are enough to show it.")
            continue
        listed = isinstance(points, Collection) and not isinstance(points, (str, bytes)) and getattr(points, "ndim", 1)
        require(listed and 0 < len(points) <= 100, f"{name}: give None for a kernel, or a list of 1 to 100 points.")
        points = np.array([finite(x, (), f"{name}: each point") for x in points])
        require(((points > 0) & (points <= 1000)).all(), f"{name}: the points should be positive and at most 1000.")
        require(name not in ("gcd", "lcm") or (points % 1 == 0).all(), f"{name} is about whole numbers.", points)
        eigenvalues = np.linalg.eigvalsh(k(points[:, None], points))
        least, largest = eigenvalues[0], np.abs(eigenvalues).max()
        why = "Are there others, or is it a kernel?"
        if least < 0:
            why = "The smallest eigenvalue is so close to zero that it may be rounding: it counts as negative below "
            why += f"-1e-13 times {largest:.3g}, the largest in size."
        got = f"a smallest eigenvalue of {least:.3g}"
        require(least < -1e-13 * largest, f"{name}: these points do not convict it. {why}", points, got)
    return "four are kernels, and your points convict the other five."


@homework.question()
def q2(answer):
    """``answer(X, c)`` returns features of the rows of X, in the rows, with phi(x).phi(z) = (x.z + c)^2."""
    rng = np.random.default_rng(2)

    def features(X, c):
        (m, d), value = X.shape, answer(X, c)
        shape, most = shape_of(value), (d + 1) * (d + 2) // 2
        fits = shape and len(shape) == 2 and shape[0] == m and 0 < shape[1] <= most
        wanted = f"for {m} points of dimension {d} a matrix with {m} rows and at most {most} columns"
        require(fits, f"{wanted} is expected, got {f'shape {shape}' if shape else repr(value)}.")
        return finite(value, shape, "the matrix of features", show(X=X, c=c))

    def products(X, Z, c):
        phi, psi = features(X, c), features(Z, c)
        require(phi.shape[1] == psi.shape[1], "the number of your features should not depend on the points.")
        return phi @ psi.T

    def culprit(d, c):
        """The first term of the expansion with a wrong coefficient."""
        X, Z = rng.normal(size=(2, 12, d))
        u, pairs = (X[:, None] * Z).reshape(-1, d), itertools.combinations(range(d), 2)
        terms = {f"2c x_{j + 1} z_{j + 1}": 2 * c * u[:, j] for j in range(d) if c}
        terms |= {f"x_{j + 1}^2 z_{j + 1}^2": u[:, j] ** 2 for j in range(d)} | {"c^2": c**2 + 0 * u[:, 0]}
        terms |= {f"2 x_{i + 1} x_{j + 1} z_{i + 1} z_{j + 1}": 2 * u[:, i] * u[:, j] for i, j in pairs}
        A, got = np.column_stack(list(terms.values())), products(X, Z, c).ravel()
        found = np.linalg.lstsq(A, got)[0]
        wrong = [(name, f) for name, f in zip(terms, found, strict=True) if abs(f - 1) > 1e-4 and (c or name != "c^2")]
        if not wrong or not np.allclose(A @ found, got, atol=1e-4):
            return ""
        name, f = wrong[0]
        return f": the term {name} " + ("is missing" if abs(f) < 1e-4 else f"has {f:.3g} times its coefficient")

    def holds(X, Z, c):
        got, want = products(X, Z, c), (X @ Z.T + c) ** 2
        lengths = [(A**2).sum(axis=1) + c for A in (X, Z)]  # of phi(x) and phi(z)
        right = (np.abs(got - want) <= 1e-6 * (1 + np.outer(*lengths))).all()
        why = "" if right else culprit(X.shape[1], c)
        require(right, f"the inner products of your features are not (x.z + c)^2{why}.", show(x=X, z=Z, c=c), got, want)

    sizes = [(1, 1), (1, 2), (2, 2), (3, 2), (5, 3), (4, 5)]
    for_all([(*rng.integers(-3, 4, (2, m, d)).astype(float), c) for m, d in sizes for c in (1.0, 2.0, 0.0, 0.5)], holds)
    return "the inner products are (x.z + c)^2, with one feature for each monomial."


@homework.question()
def q3(answer):
    """``answer(K, y)`` returns the (m, 2) squared distances of the features from the means of class -1 and class +1."""
    rng = np.random.default_rng(3)

    def holds(phi, y):
        means = np.array([phi[y == c].mean(axis=0) for c in (-1, 1)])
        want = ((phi[:, None] - means) ** 2).sum(axis=2)
        slips = {
            "the squared length of the mean is left out": want - (means**2).sum(axis=1),
            "the columns are exchanged: class -1 comes first": want[:, ::-1],
            "these are distances, not their squares": np.sqrt(want),
            "the product with the mean must be taken twice": want + phi @ means.T,
        }
        agree(answer(phi @ phi.T, y), want, "the matrix of squared distances", slips, show(features=phi, y=y))

    sizes = np.repeat([(2, 1), (2, 2), (3, 2), (4, 1), (7, 3), (20, 4)], 3, axis=0)
    labels = (np.where(np.arange(m) % 3, 1, -1) for m, _ in sizes)
    drawn = [(rng.integers(-3, 4, size) + 0.0, rng.permutation(y)) for size, y in zip(sizes, labels, strict=True)]
    for_all(drawn, holds, lambda phi, y: both(y))
    return "the distances are those of the features themselves: a classifier that knows nothing but K."


@homework.question()
def q4(answer):
    """``answer(K, y, lam)`` returns the coefficients a and the bias b of ridge regression with a kernel."""
    rng = np.random.default_rng(4)

    def holds(phi, y, lam):
        (m, n), K, size = phi.shape, phi @ phi.T, 1e-4 * (1 + np.abs(y).max())
        (a, b), tried = two(answer(K, y, lam), "(a, b)"), show(features=phi, y=y, lam=lam)
        a, b = finite(a, (m,), "a", tried), finite(single(b), (), "b", tried)
        r = y - K @ a - b
        zero = "the derivative with respect to b is not zero: the residuals y - K a - b should have mean zero."
        require(abs(r.mean()) < size, zero, tried, f"a mean of {r.mean():.4g}, with {show(a=a, b=b)}")
        v, times = r - lam * m / 2 * a, r @ a / max(a @ a, 1e-300)
        multiple = f", and the residuals are {times:.4g} times a" * np.allclose(r, times * a, rtol=1e-4, atol=size)
        flat = "the gradient with respect to f is not zero: K times (residuals - lam m / 2 times a) should be zero."
        should = f"zero; so it is if the residuals are {lam * m / 2:.4g} times a"
        require(norm(phi.T @ v) < m / 2 * size, flat, tried, f"{brief(K @ v)}{multiple}", should)
        A = np.column_stack([phi, np.ones(m)])
        system = np.vstack([A, np.sqrt(lam * m / 2) * np.eye(n + 1)[:-1]])
        w = np.linalg.lstsq(system, np.append(y, np.zeros(n)))[0]
        close(K @ a + b, A @ w, "the vector of fitted values", tried, rtol=1e-4, atol=size)

    drawn = [
        (rng.integers(-2, 3, (m, d)).astype(float), rng.integers(-3, 4, m) + 1.0, lam)
        for m, d in ((1, 1), (2, 1), (3, 2), (6, 3), (12, 20))
        for lam in (1.0, 0.1, 4.0)
    ]
    for_all(drawn, holds)
    return "both derivatives vanish, and the fitted values are those of ridge regression on the features themselves."


@homework.question()
def q5(answer):
    """``answer(w, b, alpha, X, y)`` returns a lower and an upper bound on the best margin."""
    rng = np.random.default_rng(5)

    def bounds(*arguments):
        pair = two(answer(*arguments), "(lower, upper)")
        return [float(finite(bound, (), "each part of (lower, upper)")) for bound in pair]

    def instance(X, r, w, b):
        y = np.where(X @ w + b > 0, 1, -1)
        return w, b, feasible(r, y, 2.0), X, y

    def valid(X, r, w, b):
        apart = len(w) == X.shape[1] and w.any() and (np.abs(X @ w + b) > 1e-6).all()
        return apart and instance(X, r, w, b)[2].any()

    def holds(*numbers):
        w, b, alpha, X, y = instance(*numbers)
        own, tried = bounds(w, b, alpha, X, y), show(w=w, b=b, alpha=alpha, X=X, y=y)
        for name, doubled in (("(w, b)", (2 * w, 2 * b, alpha)), ("alpha", (w, b, 2 * alpha))):
            for which, one, other in zip(("lower", "upper"), own, bounds(*doubled, X, y), strict=True):
                changed = f"doubling {name} changes your {which} bound"
                unlike = f"{changed}, but nothing about the sample or the hyperplane."
                require(np.isclose(one, other, rtol=1e-5), unlike, tried, f"{one:.6g}, and then {other:.6g}")
        length, total, (lower, upper) = norm((alpha * y) @ X), alpha.sum(), own
        margin, least = (y * (X @ w + b)).min() / norm(w), length / total
        exchanged = np.allclose([upper, lower], [margin, least]) and not np.isclose(margin, least)
        require(not exchanged, "the two bounds are exchanged: lower comes first, then upper.", tried, own)
        close(lower, margin, "the margin of (w, b)", tried)
        tried += f"; ||v|| = {length:.4g}, sum of alpha = {total:.4g}"
        false = "this is not an upper bound for every sample with this ||v|| and this sum of alpha."
        pair = f"two points at distance {2 * least:.4g}, with equal alpha, have both, and their best margin is half the"
        require(upper >= least * (1 - 1e-6) - 1e-9, false, tried, upper, f"{pair} distance")
        large = "this bound holds here, but a smaller one follows from ||v|| and the sum of alpha."
        require(upper <= least * (1 + 1e-6) + 1e-9, large, tried, upper)

    few = [(np.array([[0.0], [2 * h]]), np.ones(2), np.array([s]), -s * h) for h in (2.0, 1.0, 0.5) for s in (1.0, 3.0)]
    drawn = [
        (rng.integers(-3, 4, (m, d)) + 0.5, rng.random(m), rng.integers(1, 4, d) + 0.0, rng.integers(-2, 3) + 0.25)
        for m, d in ((2, 2), (3, 1), (3, 2), (6, 2), (10, 3), (20, 4))
        for _ in range(5)
    ]
    for_all([numbers for numbers in few + drawn if valid(*numbers)], holds, valid)
    return "a true bound from each side, each the best of its kind; at the widest street they meet."


@homework.question()
def q6(answer):
    """``answer(alpha, b, K, y, C)`` returns the share of each example in the duality gap."""
    rng = np.random.default_rng(6)

    def holds(X, y, r, b, C, equation):
        K, alpha = X @ X.T, feasible(r, y, C) if equation else C * np.clip(r, 0, 1)
        z = y * (K @ (alpha * y) + b)
        tried = f"{told(X, K, alpha=alpha, b=b, y=y, C=C)}, so z = {brief(z)}"
        got = finite(answer(alpha, b, K, y, C), y.shape, "the vector of shares", tried)
        want, *slips = (alpha * (z - 1) + C * np.maximum(1 - z, 0) for z in (z, z - b * y, z - 2 * b * y))
        size, need = 1e-6 * (1 + want.max()), requiring(tried, got)
        for slip, name in zip(slips, ("does not contain b", "contains -b"), strict=True):
            same = np.abs(got - slip).max() < size < np.abs(got - want).max()
            need(not same, f"your z_i {name}: it is y_i (w.phi(x_i) + b).", want)
        need((got >= -size).all(), "no share should be negative.")
        P, W, total = primal_objective(alpha, b, K, y, C), dual_objective(alpha, K, y), got.sum()
        right, gap = abs(total - (P - W)) < size * len(y), f"P - W = {P:.6g} - {W:.6g} = {P - W:.6g}"
        require(right, "the shares should add up to P - W.", tried, f"{brief(got)}, together {total:.6g}", gap)
        i = int(np.abs(got - want).argmax())
        alone = f"a share should depend on alpha_i, z_i and C alone: look at example {i}."
        need(abs(got - want)[i] < size, f"they add up to the gap, but {alone}", want)

    drawn = [
        (*sample(rng, m, 1 + m // 3), rng.choice([0, 0.4, 1.0], m), rng.integers(-2, 3) * 0.5, C, True)
        for m in (2, 2, 3, 5, 8, 15)
        for C in (1.0, 0.25, 3.0)
    ]
    without = [(*sample(rng, m), rng.random(m), 0.0, 2.0, False) for m in (1, 3, 8)]
    for_all(drawn + without, holds)
    for C in (0.3, 5.0):
        (X, y), kernel = sample(rng, 20), GaussianKernel(0.5)
        model = SVM(C, kernel, tol=1e-9).fit(X, y)
        most = np.abs(finite(answer(model.alpha_, model.b_, kernel(X), y, C), y.shape, "the vector of shares")).max()
        require(most < 1e-5, f"at a solution for C = {C} all shares are zero, yours are up to {most:.3g}.")
    return "they add up to the gap, none is negative, and at a solution all are zero."


@homework.question()
def q7(answer):
    """``answer(alpha, i, j, K, y, C)`` returns alpha after the best feasible move of alpha_i and alpha_j."""
    rng = np.random.default_rng(7)

    def holds(X, y, r, C, n):
        m, K, alpha = len(y), X @ X.T, feasible(r, y, C)
        i, j = n % m, (n + 1 + n // m % (m - 1)) % m  # any two, by a number
        tried, coincide = told(X, K, alpha=alpha, i=i, j=j, y=y, C=C), bool(K[i, i] + K[j, j] == 2 * K[i, j])
        why = " The two points coincide: K_ii + K_jj - 2 K_ij = 0, and 0/0 is no number." * coincide
        new = finite(answer(alpha, i, j, K, y, C), (m,), "the new alpha", tried, why) + 0.0
        need = requiring(tried, f"alpha = {brief(new)}")
        need(np.allclose(np.delete(new - alpha, [i, j]), 0, atol=1e-6 * C), "only alpha_i and alpha_j may change.")
        rule = "the two move together if the labels differ, and against each other if they agree."
        need(abs((new - alpha) @ y) < 1e-6 * C, f"the sum of alpha_i y_i has changed: {rule}")
        need(((new >= -1e-6 * C) & (new <= C * (1 + 1e-6))).all(), f"alpha has left the box [0, {C:g}].")
        line = alpha + np.linspace(-C, C, 2001)[:, None] * (y[i] * np.eye(m)[i] - y[j] * np.eye(m)[j])
        inside = ((line > -1e-12) & (line < C + 1e-12)).all(axis=1)
        line = np.clip(line[inside], 0, C)  # all moves that are allowed, on a grid
        values = line.sum(axis=1) - np.einsum("ti,ij,tj->t", line * y, K, line * y) / 2
        best, value, before = values.argmax(), dual_objective(new, K, y), dual_objective(alpha, K, y)
        got = f"alpha_i = {new[i]:.4g} and alpha_j = {new[j]:.4g} with W = {value:.6g}"
        better = f"alpha_i = {line[best, i]:.4g} and alpha_j = {line[best, j]:.4g} have W = {values[best]:.6g}"
        need, should = requiring(tried, got), f"{better}; before the move W = {before:.6g}"
        need(value > before - 1e-6 * (1 + abs(before)), "your move makes W smaller.", should)
        need(value > values[best] - 1e-6 * (1 + abs(value)), "another move that is allowed gains more.", should)

    drawn = [
        (*sample(rng, m), rng.choice([0, 0.3, 1.0], m), C, n)
        for m in (2, 2, 3, 3, 4, 6, 10)
        for C in (1.0, 0.25, 4.0)
        for n in (0, rng.integers(m * (m - 1)))
    ]
    small = [(0.05 * X, y, r, 100.0, n) for X, y, r, C, n in drawn[-18:]]  # the parabola is flat, and the box large
    equal = [(np.ones((2, 1)), np.array([1, -1]), np.zeros(2), 1.0, n) for n in (0, 1)]
    equal += [(np.ones((3, 1)), np.array([1, 1, -1]), np.array([0.5, 0, 0.5]), 1.0, n) for n in range(6)]
    for_all(drawn + small + equal, holds, lambda X, y, r, C, n: len(y) > 1)
    return "the constraints are kept, and no other move of the two has a larger W."


@homework.question()
def q8(answer):
    """``answer(K, y, C)`` returns a solution alpha of the dual and the ends b_minus, b_plus of the optimal biases."""
    rng = np.random.default_rng(8)

    def holds(X, y, C, gamma):
        K, near = GaussianKernel(gamma)(X) if gamma else X @ X.T, 1e-6 * C
        tried = told(X, K, f"exp(-{gamma} |x_i - x_j|^2)" if gamma else "X X^T", y=y, C=C)
        got = answer(K, y, C)
        listed = isinstance(got, (tuple, list)) and len(got) == 3
        require(listed, f"three things are expected, alpha, b_minus and b_plus, got {got!r}.")
        alpha, low, high = finite(got[0], y.shape, "alpha", tried), *(array(single(b), (), "a bias") for b in got[1:])
        need = requiring(tried, f"{show(alpha=alpha)}, biases from {low:.4g} to {high:.4g}")
        need(((alpha > -near) & (alpha < C + near)).all(), f"alpha is not in the box [0, {C:g}].")
        need(abs(alpha @ y) < near * len(y), "the sum of alpha_i y_i is not zero.")
        breaks = np.sort(y - K @ (alpha * y))  # the objective is linear in b between these
        P = np.array([primal_objective(alpha, b, K, y, C) for b in breaks])
        gap, flat = P.min() - dual_objective(alpha, K, y), breaks[P < P.min() + near]
        need(gap < 1e-3, f"alpha is no solution: with the best b the duality gap is {gap:.4g}.")
        first, last, free = flat[0], flat[-1], np.any((alpha > near) & (alpha < C - near))
        biases = f"from {first:.4g} to {last:.4g}" + " (no example is free here)" * (not free)
        advice = "An alpha that misses 0 or C by rounding looks free: compare with a tolerance."
        inside = first - 1e-3 < min(low, high) and max(low, high) < last + 1e-3
        need(inside, "alpha is a solution, but the two biases are not both optimal.", biases)
        need(low < high + 1e-3, f"alpha is a solution, but b_minus exceeds b_plus. {advice}", biases)
        more = f"alpha is a solution and your biases are optimal, but there are more. {advice}"
        need(low < first + 1e-3 and high > last - 1e-3, more, biases)

    few = [([[-1], [1]], [-1, 1], C) for C in (0.1, 1.0, 0.4)]
    few += [
        ([[0, 0], [1, 1], [0, 1], [1, 0.5]], [1, 1, -1, -1], 0.1),
        ([[1], [1], [3]], [1, -1, 1], 0.5),
        ([[0.3, 1.8], [0.9, 0.1], [-0.2, -0.5], [2, -1], [-1.2, -0.6]], [1, 1, -1, 1, -1], 0.7),
    ]
    few = [(np.array(X, dtype=float), np.array(y), C, 0) for X, y, C in few]
    prices = ((1.0, 0), (0.02, 0), (8.0, 0.5))
    drawn = [(*sample(rng, m), C, gamma) for m in (3, 4, 5, 6, 9, 14, 25) for C, gamma in prices]
    for_all(few + drawn, holds, lambda X, y, C, gamma: both(y))
    return "on every sample the gap is closed, and you found all optimal biases, also where no example is free."


@homework.question()
def q9(answer):
    """``answer(K, y, C, draws)`` returns alpha with w = sum_i alpha_i y_i phi(x_i) after these rounds of Pegasos."""
    rng = np.random.default_rng(9)

    def run(X, y, C, draws):  # in the features themselves: how often each example counted, and the smallest |z - 1|
        v, lam, counts, tie = np.zeros(X.shape[1]), 1 / (C * len(y)), np.zeros(len(y)), np.inf
        for t, i in enumerate(draws % len(y)):
            z = y[i] * (X[i] @ v) / (lam * max(t, 1))
            tie, counts[i], v = min(tie, abs(z - 1)), counts[i] + (z < 1), v + y[i] * X[i] * (z < 1)
        return counts, tie

    def holds(X, y, C, numbers):
        draws, K, m = numbers % len(y), X @ X.T, len(y)
        tried, counts = told(X, K, y=y, C=C, draws=draws), run(X, y, C, draws)[0]
        got = finite(answer(K, y, C, draws), y.shape, "alpha", tried)
        need = requiring(tried, got)
        need((got >= 0).all(), "alpha_i should not be negative: the label y_i is not part of it.")
        need(np.allclose(np.delete(got, draws), 0), "alpha_i should be zero for an example that was never drawn.")
        lam = 1 / got.max() if len(draws) == 1 and got.any() else 1 / (C * m)
        paris = ", which belongs to the sum of the losses" * bool(np.isclose(lam * C, 1) and m > 1)
        first = f"after one round alpha_i = 1/lam for the example drawn, so your lam is {lam:.4g}{paris}, or your first"
        law = "lam (|w|^2 / 2 + C sum of losses) = F(w)"
        need(np.isclose(lam * C * m, 1, rtol=1e-5), f"{first} round is not t = 1.", law)
        close(got, C * m * counts / len(draws), "alpha", tried)

    drawn = [
        (*sample(rng, m), C, rng.integers(m, size=T))
        for m, T in ((3, 1), (4, 1), (4, 3), (4, 6), (6, 15), (10, 60))
        for C in (0.5, 0.1, 3.0)
    ]
    for_all(drawn, holds, lambda *parts: run(*parts)[1] > 1e-6)
    tie = {"K": np.ones((1, 1)), "y": np.ones(1, dtype=int), "C": 1.0, "draws": np.zeros(2, dtype=int)}
    exact = finite(answer(*tie.values()), (1,), "alpha")
    message = "in the second round z = 1 exactly: the hinge is zero, nothing is added."
    require(np.isclose(exact[0], 0.5), message, show(**tie), exact, "alpha = [0.5]")
    X, y = sample(rng, 10)
    alpha = run(X, y, 1.0, np.tile(np.arange(10), 50))[0] / 50
    gap = duality_gap(alpha, 0.0, X @ X.T, y, 1.0)
    return f"the same weights as in the features. After 50 passes over 10 examples the duality gap is {gap:.2g}."
