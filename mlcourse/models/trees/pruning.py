"""Smaller trees out of a grown one: its history in greedy order, and its best prunings.

A pruning keeps the root and some inner nodes, closed under parents; the children of kept nodes are its other nodes.
It is given here by the Boolean array of its inner nodes.

Letters
    t        node; ``risk[t]`` its share of the training risk if it were a leaf
    lam      price of a leaf: the cost of a pruning is its training risk + lam * its number of leaves
"""

from heapq import heapify, heappop, heappush

import numpy as np

from mlcourse.models.trees.tree_arrays import TreeArrays


def greedy_ranks(tree: TreeArrays) -> np.ndarray:
    """When greedy growth, always splitting the leaf of largest decrease, splits each node; len(tree) for a leaf."""
    rank, n_split = np.full(len(tree), len(tree)), 0
    gain = np.round(tree.decrease / (tree.impurity[0] or 1.0), 12)  # rounding shall not decide between equals
    heap = [(-gain[0], 0)]
    while heap:
        t = heappop(heap)[1]
        if tree.left[t] >= 0:
            rank[t], n_split = n_split, n_split + 1
            for child in (tree.left[t], tree.right[t]):
                heappush(heap, (-gain[child], child))
    return rank


def weakest_links(tree: TreeArrays, risk: np.ndarray) -> np.ndarray:
    """The lam at which each inner node is cut off: the smallest pruning of least cost keeps those above lam."""
    leaves, below, parent = (values.tolist() for values in branches(tree, risk))
    cut_at, lam = np.where(tree.left < 0, -np.inf, np.inf), 0.0

    def g(t):
        return (risk[t] - below[t]) / (leaves[t] - 1)

    queue = [(g(t), t) for t in np.flatnonzero(tree.left >= 0).tolist()]
    heapify(queue)
    while queue:
        strength, t = heappop(queue)
        if cut_at[t] < np.inf:
            continue
        if strength != g(t):  # its branch has changed
            heappush(queue, (g(t), t))
            continue
        lam = strength if strength > lam + 1e-12 * risk[0] else lam
        doomed, a, gained, lost = [t], parent[t], risk[t] - below[t], leaves[t] - 1
        while doomed:
            s = doomed.pop()
            if cut_at[s] == np.inf:
                cut_at[s] = lam
                doomed += [tree.left[s], tree.right[s]]
        while a >= 0:
            below[a], leaves[a], a = below[a] + gained, leaves[a] - lost, parent[a]
    return cut_at


def branches(tree: TreeArrays, risk: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For the branch below each node its number of leaves and its training risk, and the parent of each node."""
    leaves, below, parent = np.ones(len(tree), dtype=int), np.array(risk), np.full(len(tree), -1)
    for t in tree.inner_by_depth()[::-1]:
        a, b = tree.left[t], tree.right[t]
        leaves[t], below[t], parent[a], parent[b] = leaves[a] + leaves[b], below[a] + below[b], t, t
    return leaves, below, parent


def best_prunings(tree: TreeArrays, risk: np.ndarray) -> list[np.ndarray]:
    """For the branch below each node, entry i of its array is the least risk of a pruning with i + 1 leaves."""
    least = [risk[t : t + 1] for t in range(len(tree))]
    for t in np.flatnonzero(tree.left >= 0)[::-1]:
        few, many = sorted((least[tree.left[t]], least[tree.right[t]]), key=len)
        both = np.full(len(few) + len(many) - 1, np.inf)
        for i, r in enumerate(few):
            both[i : i + len(many)] = np.minimum(both[i : i + len(many)], r + many)
        least[t] = np.append(risk[t], both)
    return least


def pruned_to(tree: TreeArrays, risk: np.ndarray, n_leaves: int) -> np.ndarray:
    """The inner nodes of a pruning of least risk with that many leaves (all the leaves, if they are fewer)."""
    least, inner = best_prunings(tree, risk), np.zeros(len(tree), dtype=bool)
    waiting = [(0, min(n_leaves, len(least[0])))]
    while waiting:
        t, n = waiting.pop()
        if n > 1:
            inner[t], left, right = True, tree.left[t], tree.right[t]
            low, high = max(1, n - len(least[right])), min(n - 1, len(least[left]))  # leaves that go left
            risks = least[left][low - 1 : high] + least[right][n - high - 1 : n - low][::-1]
            n_left = low + int(risks.argmin())
            waiting += [(left, n_left), (right, n - n_left)]
    return inner
