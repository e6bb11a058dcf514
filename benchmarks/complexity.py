"""Rademacher complexities by drawing signs: all draws at once against a loop over them; the same suprema first.

Letters
    m, d, n     points, features, draws
    sigma       sign vectors, one in each row (n, m)
"""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.harness import benchmark, race
from mlcourse.theory.rademacher import linear_suprema, random_signs, threshold_suprema


def coins(m, rng):
    """One vector of signs, as a loop draws it."""
    return rng.choice([-1.0, 1.0], size=m)


def best_threshold(ranked_signs):
    """The largest sum of signs times values of a rule of either direction that cuts somewhere, from ordered signs."""
    below = np.cumsum(ranked_signs)
    total = below[-1]
    return max(total - 2 * min(below.min(), 0), 2 * max(below.max(), 0) - total)


@benchmark
def linear_class(m=10_000, d=50, n=1000):
    """The ball of linear functions: the length of a sum of signed points; drawing the signs included."""
    rng = np.random.default_rng(0)
    X, some = rng.normal(size=(m, d)), random_signs(10, m, rng)
    by_product = [np.linalg.norm(sigma @ X) / m for sigma in some]
    by_sum = [np.linalg.norm((sigma[:, None] * X).sum(axis=0)) / m for sigma in some]
    assert np.allclose(linear_suprema(X, some), by_product) and np.allclose(by_product, by_sum), "not the same suprema"

    def ours():
        return linear_suprema(X, random_signs(n, m, rng)).mean()

    def products():
        return np.mean([np.linalg.norm(coins(m, rng) @ X) / m for _ in range(n)])

    def sums():
        return np.mean([np.linalg.norm((coins(m, rng)[:, None] * X).sum(axis=0)) / m for _ in range(n)])

    yield race("rademacher-linear", ours, products, "same suprema")
    yield race("rademacher-textbook", ours, sums, "same suprema", repeats=2)


@benchmark
def stumps(m=1000, d=10, n=1000):
    """Stumps on d features: every feature sorted once, for us and for the loop; trees are fitted to the signs."""
    rng = np.random.default_rng(0)
    X, sigma = rng.normal(size=(m, d)), random_signs(n, m, rng)

    def ours():
        return np.max([threshold_suprema(x, sigma, both_signs=True) for x in X.T], axis=0)

    def loop():
        orders = X.argsort(axis=0).T
        return np.array([max(best_threshold(signs[order]) for order in orders) for signs in sigma]) / m

    def trees():
        return np.array([DecisionTreeClassifier(max_depth=1).fit(X, s).predict(X) @ s for s in sigma]) / m

    assert np.allclose(ours(), loop()), "not the same suprema"
    fitted = trees()
    assert (ours() >= fitted - 1e-12).all(), "a tree agrees more with the signs"
    yield race("rademacher-stumps", ours, loop, "same suprema")
    quality = f"mean supremum {ours().mean():.3f}, of trees {fitted.mean():.3f}"
    yield race("rademacher-trees", ours, trees, quality, repeats=2)


@benchmark
def thresholds(m=10_000, n=1000):
    """Thresholds on the line; drawing the signs included."""
    rng = np.random.default_rng(0)
    x, some = rng.normal(size=m), random_signs(10, m, rng)

    def one(signs):
        return best_threshold(signs[np.argsort(x)]) / m

    assert np.allclose(threshold_suprema(x, some, both_signs=True), [one(s) for s in some]), "not the same suprema"
    yield race(
        "rademacher-thresholds",
        lambda: threshold_suprema(x, random_signs(n, m, rng), both_signs=True).mean(),
        lambda: np.mean([one(coins(m, rng)) for _ in range(n)]),
        "same suprema",
        repeats=4,
    )
