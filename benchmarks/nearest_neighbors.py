"""Nearest neighbours against scikit-learn's: the same neighbours first, then the times; and the growth with m.

Letters
    m, n, d    training points, new points, dimension
    k          neighbours
"""

import numpy as np
import sklearn.neighbors

from benchmarks.harness import compare, cpu_time
from mlcourse.models.nearest_neighbors import NearestSearch, nearest


def theirs(X, new, k, algorithm):
    """The indices that scikit-learn finds."""
    return sklearn.neighbors.NearestNeighbors(n_neighbors=k, algorithm=algorithm).fit(X).kneighbors(new)[1]


def rows():
    """10^4 normal points among 2 * 10^4, search structure built anew each time."""
    rng, m, n = np.random.default_rng(0), 20_000, 10_000
    for d, algorithm, goal in [
        (2, "auto", 1.0), (5, "auto", 1.0), (10, "brute", 1.0), (10, "auto", 1.0), (50, "brute", 1.0)
    ]:
        X, new = rng.normal(size=(m, d)), rng.normal(size=(n, d))
        for k in (5, 10):
            assert np.array_equal(nearest(X, new, k)[0], theirs(X, new, k, algorithm)), "not the same neighbours"
            yield compare(
                f"{k} nearest of {m} for {n} points, d = {d}, {algorithm}",
                lambda: nearest(X, new, k),  # noqa: B023
                lambda: theirs(X, new, k, algorithm),  # noqa: B023
                goal,
                repeats=5 if d <= 5 else 3,
            )


def growth():
    """Lines that say how the time of 2000 questions to each method grows with m: the slope in a log-log plot."""
    rng, n, sizes = np.random.default_rng(1), 2000, 2500 * 2 ** np.arange(5)
    for method, d in [("tree", 2), ("tree", 5), ("tree", 10), ("blocks", 2), ("blocks", 10), ("blocks", 50)]:
        new, seconds = rng.normal(size=(n, d)), []
        for m in sizes:
            search = NearestSearch(rng.normal(size=(m, d)), 5, method)
            seconds.append(min(cpu_time(lambda: search(new)) for _ in range(3)))  # noqa: B023
        slope, last = np.polyfit(np.log(sizes), np.log(seconds), 1)[0], np.log2(seconds[-1] / seconds[-2])
        yield (
            f"nearest by {method}, d = {d}: time grows as m^{slope:.2f} for m = {sizes[0]} to {sizes[-1]}, "
            f"as m^{last:.2f} in the last doubling"
        )
