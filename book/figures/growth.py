"""A decision tree that grows split by split: its cells, its criterion and its errors."""

import numpy as np

from figures.drawing import Control, Interactive, Panel
from mlcourse import DecisionTree
from mlcourse.data import Moons


def samples():
    """The two hundred points of the chapter's other figure, and a test sample."""
    moons = Moons(noise=0.4)
    return *moons.sample(200, np.random.default_rng(6)), *moons.sample(4000, np.random.default_rng(7))


def cells(tree, box):
    """The boxes (left, right, bottom, top) of all nodes of a tree in the plane, cut out of one box."""
    found = {0: box}
    for t in range(len(tree)):
        if tree.left[t] >= 0:
            j, theta, low, high = int(tree.feature[t]), float(tree.threshold[t]), list(found[t]), list(found[t])
            low[2 * j + 1] = high[2 * j] = theta
            found[int(tree.left[t])], found[int(tree.right[t])] = tuple(low), tuple(high)
    return found


def figure():
    """The figure: a control for the number of leaves."""
    X, y, X_test, y_test = samples()
    full = DecisionTree().fit(X, y)
    sizes = list(range(1, full.n_leaves_ + 1))
    trees = {k: full.truncated(k) for k in sizes}
    train = {k: 1 - tree.score(X, y) for k, tree in trees.items()}
    test = {k: 1 - tree.score(X_test, y_test) for k, tree in trees.items()}
    gini = {k: tree.tree_.impurity[tree.tree_.left < 0].sum() for k, tree in trees.items()}
    plane = Panel((-2, 3), (-1.6, 2.1), "*x*₁", "*x*₂", range(-2, 4), range(-1, 3), markers=13)
    last = sizes[-1]
    curves = Panel((0, last + 1), (0, 0.54), "leaves", "error", [1, *range(10, last, 10)], [0, 0.1, 0.2, 0.3, 0.4, 0.5])
    fixed = [
        curves.line(sizes, [*gini.values()], "curve green dashed"),
        curves.line(sizes, [*test.values()], "curve test"),
        curves.line(sizes, [*train.values()], "curve train"),
        curves.text(4.5, 0.32, "Gini criterion", "green"),
        curves.text(last, 0.23, "test", "test", "end"),
        curves.text(3, 0.03, "training", "train"),
    ]
    points = plane.classes(X, y)
    nodes = cells(full.tree_, (*plane.xlim, *plane.ylim))

    def frame(k):
        tree = trees[k].tree_
        boxes = cells(tree, (*plane.xlim, *plane.ylim))
        leaves = [t for t in range(len(tree)) if tree.left[t] < 0]
        sides = [[boxes[t] for t in leaves if trees[k].label_[t] == c] for c in (0, 1)]
        newest = [split_line(full, nodes, k - 2)] if k > 1 else []
        readout = (
            f"{k} {'leaf' if k == 1 else 'leaves'}: training error {train[k]:.3f}, Gini criterion "
            f"{gini[k]:.2f}, test error {test[k]:.2f}"
        )
        left = [
            plane.boxes(sides[0], "neg cells"),
            plane.boxes(sides[1], "pos cells"),
            *points,
            plane.lines(newest, "stump"),
        ]
        return readout, left, [*fixed, *curves.here(k, test[k], train[k])]

    alt = (
        "Left, two hundred points of two noisy half moons and the boxes of the tree, shaded by their answers; the "
        "newest split is a thick line. Right, training error, test error and Gini criterion against the number of "
        "leaves: the first falls to zero, the second soon rises."
    )
    return Interactive(alt, [Control("leaves", sizes, 4)], [plane, curves], frame)


def split_line(full, boxes, rank):
    """The line, inside its cell, of the split with that rank in greedy growth."""
    t = int(np.flatnonzero((full.rank_ == rank) & (full.tree_.left >= 0))[0])
    a, b, c, d = boxes[t]
    theta = full.tree_.threshold[t]
    return [(theta, c), (theta, d)] if full.tree_.feature[t] == 0 else [(a, theta), (b, theta)]
