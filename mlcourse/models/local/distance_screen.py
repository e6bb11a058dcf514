"""Distances by one matrix product, and how far they may be wrong: they say which points need a closer look.

Letters
    X, new   m points of R^d, and n new ones
    k        number of nearest points that are wanted
    A, B     both centred; a, b the squared lengths of their rows
    r        bound on all rounding errors, relative
"""

import numpy as np


class DistanceScreen:
    """Nearly |x - z|^2 - |z|^2 = |x|^2 - 2 x.z, for all x of X and all new z, by one matrix product.

    With x and z centred, all rounding errors (of d + 1 products and their sum, the norms, the centring, and of
    ``squares`` itself) are together below r (|x|^2 + |z|^2), r = (3 d + 15) eps. The share of |x|^2 is subtracted, so
    that only near points matter: they have |x|^2 <= 2 |z|^2 + 2 |x - z|^2, and if k of the numbers are at most t, then
    those of the k nearest points are at most t + 12 r (|z|^2 + |t|).

    Parameters: ``kind``, float32 or float64, the arithmetic; what is too large for the first gets the second.
    """

    def __init__(self, X, new, kind):
        centre, d = X.mean(axis=0), X.shape[1]
        A, B = X - centre, new - centre
        a, b = (A**2).sum(axis=1), (B**2).sum(axis=1)
        kind = np.finfo(kind if a.max() + b.max() < 1e30 and d < 10**5 else float)
        self.r, self.tiny = (3 * d + 15) * kind.eps, kind.tiny
        self.left = np.column_stack([B, np.ones(len(B))]).astype(kind.dtype)  # (n, d + 1)
        self.right = np.column_stack([-2 * A, (1 - self.r) * a]).astype(kind.dtype).T  # (d + 1, m)
        self.b = b.astype(kind.dtype)

    def candidates(self, block: slice, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Pairs (row of the block, index of a point) that hold the k nearest points of every row, in this order."""
        low = self.left[block] @ self.right  # (n, m)
        m, n_groups = low.shape[1], min(32 * k + 512, low.shape[1])
        groups = low[:, : m // n_groups * n_groups].reshape(len(low), -1, n_groups)
        kth = np.partition(groups.min(axis=1), k - 1, axis=1)[:, k - 1]  # at least k bounds of a row are below it
        limit = kth + 12 * self.r * (self.b[block] + np.abs(kth)) + 4 * self.tiny
        return np.divmod(np.flatnonzero(low <= limit[:, None]), m)
