"""How much a predictor leans on each feature.

Letters
    X, y    examples, best such that the model did not see them
    h       the fitted model
"""

import numpy as np

from mlcourse._checks import check_count, check_lengths, check_rng, check_rows, check_y
from mlcourse.evaluation.cross_validation import losses_of


def permutation_importance(h, X, y, n_repeats=5, rng=None, loss=None):
    """The (d, n_repeats) increases of the risk of h on (X, y) when one column of X is shuffled; near 0 if unused.

    ``loss(y, y_hat)`` is by default the zero-one loss of classifiers and the square loss of others.
    """
    X, y, rng = check_rows(X), check_y(y), check_rng(rng)
    check_lengths(X=X, y=y)
    risk = losses_of(h, loss, y, h.predict(X)).mean()
    increase = np.empty((X.shape[1], check_count("n_repeats", n_repeats)))
    for j, r in np.ndindex(increase.shape):
        shuffled = X.copy()
        shuffled[:, j] = rng.permutation(X[:, j])
        increase[j, r] = losses_of(h, loss, y, h.predict(shuffled)).mean() - risk
    return increase
