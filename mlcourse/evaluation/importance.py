"""How much a fitted model h leans on each feature, seen on examples (X, y) that are best new to it."""

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_lengths, check_rows, check_y
from mlcourse.arguments.kinds import AnyFunction, Count, Fitted, Seed, checks_arguments
from mlcourse.arguments.numbers import check_rng
from mlcourse.evaluation.cross_validation import losses_of


@checks_arguments
def permutation_importance(
    h: Fitted, X: ArrayLike, y: ArrayLike, n_repeats: Count = 5, rng: Seed = None, loss: AnyFunction | None = None
) -> np.ndarray:
    """The (d, n_repeats) increases of the risk of h on (X, y) when one column of X is shuffled; near 0 if unused.

    ``loss(y, y_hat)`` is by default the zero-one loss of classifiers and the square loss of others.
    """
    X, y, rng = check_rows(X), check_y(y), check_rng(rng)
    check_lengths(X=X, y=y)
    risk = losses_of(h, loss, y, h.predict(X)).mean()
    increase = np.empty((X.shape[1], n_repeats))
    for j, r in np.ndindex(increase.shape):
        shuffled = X.copy()
        shuffled[:, j] = rng.permutation(X[:, j])
        increase[j, r] = losses_of(h, loss, y, h.predict(shuffled)).mean() - risk
    return increase
