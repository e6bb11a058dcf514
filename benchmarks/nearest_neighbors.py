"""Nearest neighbours against scikit-learn's: the same neighbours first, then the times.

Letters
    m, n, d    training points, new points, dimension
    k          neighbours
"""

import numpy as np
import sklearn.neighbors

from benchmarks.harness import Row, benchmark, interleaved
from mlcourse.models.local.nearest_neighbors import nearest

METHODS = ("kd_tree", "brute")


def theirs(X, new, k, algorithm):
    """The indices that scikit-learn finds."""
    return sklearn.neighbors.NearestNeighbors(n_neighbors=k, algorithm=algorithm).fit(X).kneighbors(new)[1]


@benchmark
def queries(m=20_000, n=10_000):
    """Normal points among normal points, search structure built anew each time, against the better of two methods."""
    rng = np.random.default_rng(0)
    for d in (2, 5, 10, 50):
        X, new = rng.normal(size=(m, d)), rng.normal(size=(n, d))
        methods = METHODS if d <= 10 else METHODS[1:]  # a tree is of no use in dimension 50
        for k in (5, 10):
            assert np.array_equal(nearest(X, new, k)[0], theirs(X, new, k, "brute")), "not the same neighbours"
            runs = [lambda a=a: theirs(X, new, k, a) for a in methods]  # noqa: B023
            ours, *others = interleaved(lambda: nearest(X, new, k), *runs)  # noqa: B023
            fastest = methods[int(np.argmin(others))]
            yield Row(f"nearest-{d}-{k}", ours, min(others), f"same neighbours; theirs: `{fastest}`")
