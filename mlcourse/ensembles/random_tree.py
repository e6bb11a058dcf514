"""A tree of a random forest as it is told: CART on a bootstrap sample, with random features in every leaf.

The estimators grow several trees together, in ``forest_growth``: the same trees if the same features are drawn.

Letters
    X, y      m points of R^d and their labels 0..k-1
    n_chosen  number of features that a leaf draws
"""

import functools
from collections.abc import Callable

import numpy as np

from mlcourse.arguments.kinds import AnyFunction, Count, Labels, Points, Seed, checks_arguments
from mlcourse.arguments.numbers import check_rng
from mlcourse.ensembles.resampling import bootstrap
from mlcourse.models.trees.cart import best_split, cart
from mlcourse.models.trees.criteria import gini
from mlcourse.models.trees.predictor import Leaf, Node


@checks_arguments
def random_tree(X: Points, y: Labels, n_chosen: Count, rng: Seed, criterion: AnyFunction = gini) -> Node | Leaf:
    """A full tree on a bootstrap sample, each leaf of which is split by its best test on a few random features."""
    generator = check_rng(rng)
    drawn = bootstrap(len(y), generator)
    split = functools.partial(best_random_split, criterion=criterion, n_chosen=n_chosen, rng=generator)
    return cart(X[drawn], y[drawn], split)


def best_random_split(
    X: np.ndarray, y: np.ndarray, criterion: Callable, n_chosen: int, rng: np.random.Generator
) -> tuple[int, float] | None:
    """The best test (j, theta) on n_chosen random features; on the others, if none of these can split."""
    shuffled = rng.permutation(X.shape[1])
    chosen, others = shuffled[:n_chosen], shuffled[n_chosen:]
    return best_split(X, y, criterion, features=chosen) or best_split(X, y, criterion, features=others)
