"""Checks for the code exercises of the chapter on estimating risk and choosing models."""

import numpy as np

from mlcourse_homework.engine.answers import array, number, pair, require
from mlcourse_homework.engine.exercise import because, exercise


@exercise
def my_k_fold(answer, rng):
    """``answer(m, n_folds, rng)`` returns pairs (train, test) of index arrays: shuffled, nearly equal folds."""
    for m, n_folds in [(10, 5), (11, 3), (7, 7), (100, 9), (2, 2)]:
        folds = list(answer(m, n_folds, np.random.default_rng(m)))
        case = f"for m = {m} and {n_folds} folds"
        require(len(folds) == n_folds, f"{case} you returned {len(folds)} folds.")
        pairs = [[np.asarray(part) for part in pair(fold, "(train, test)")] for fold in folds]
        whole = all(part.ndim == 1 and part.dtype.kind in "iu" for both in pairs for part in both)
        require(whole, f"{case} train and test should be one-dimensional arrays of integers, the indices of examples.")
        tested = np.sort(np.concatenate([test for _, test in pairs])).tolist()
        once = f"{case} every index from 0 to {m - 1} should be tested exactly once; tested: {tested}."
        require(tested == [*range(m)], once)
        for train, test in pairs:
            require(not np.isin(test, train).any(), f"{case} an example is trained on and tested in the same fold.")
            rest = f"{case} a fold should train on all the examples it does not test: {len(train)} + {len(test)}."
            require(sorted([*train, *test]) == [*range(m)], rest)
        sizes = [len(test) for _, test in pairs]
        require(max(sizes) - min(sizes) <= 1, f"{case} the sizes {sizes} differ by more than one.")
    first, second, again = (sorted(list(answer(50, 2, np.random.default_rng(seed)))[0][1]) for seed in (1, 2, 1))
    shuffle = "shuffle the examples with rng, the sample may be sorted by label."
    require(first != second, f"two generators gave the same folds: {shuffle}")
    require(first == again, "the same seed gave different folds: use only rng.")
    together = np.mean([any({0, 1} <= {*map(int, test)} for _, test in answer(12, 3, rng)) for _ in range(400)])
    share = f"examples 0 and 1 share one of 3 folds of 4 in {together:.0%} of 400 divisions, and should in 3/11 = 27%"
    require(abs(together - 3 / 11) < 0.1, f"{share}: all divisions are equally likely if you permute all the indices.")
    return "the folds are a shuffled partition into nearly equal parts, for five sizes."


@exercise
def my_nested(answer, rng):
    """``answer(learn, thetas, X, y, n_outer, n_inner, rng)`` returns the nested cross-validation estimate.

    ``learn(theta, X, y)`` returns a function that predicts the labels of the rows of its argument.
    """
    estimates, sizes = [], []
    for trial in range(40):
        X, y = rng.normal(size=(30, 20)), rng.choice([-1, 1], size=30)
        estimates.append(number(answer(_spied(sizes), range(20), X, y, 5, 4, rng.spawn(1)[0]), "the estimate"))
        require(0 <= estimates[-1] <= 1, f"the estimate should be a fraction of errors, got {estimates[-1]:.3f}.")
        if trial < 5:
            X[:, 7] = y * np.abs(X[:, 7])  # now one candidate is perfect
            found = float(answer(_spied([]), range(20), X, y, 5, 4, rng.spawn(1)[0]))
            perfect = f"where theta = 7 never errs the tuned algorithm should find it, but you report {found:.2f}"
            require(found < 0.02, f"{perfect}: is theta chosen by its average error over the inner folds?")
    mean = np.mean(estimates)
    coins = f"on labels that are coin flips you report {mean:.2f} on average"
    took_part = "the outer test fold took part in the choice of theta, or you report the inner minimum."
    require(mean > 0.44, f"{coins}: {took_part}")
    require(mean < 0.56, f"{coins}, more than one half.")
    outer = "with 30 examples and 5 outer folds, each of these should be tested by a predictor trained on all 24 others"
    require(sizes.count(24) >= 40 * 5, f"{outer}: learn once more after theta is chosen.")
    return f"an average of {mean:.2f} on coin flips, no test example was trained on, and a perfect candidate was found."


def _spied(sizes):
    """Learn the sign of feature theta; records the sizes, and refuses to be tested on what it was trained on."""

    def learn(theta, X, y):
        require(len(X) == len(y) and len(X) > 0, f"learn got {len(X)} points and {len(y)} labels.")
        sizes.append(len(X))
        sign, seen = 1 if X[:, theta] @ y >= 0 else -1, {row.tobytes() for row in np.asarray(X)}

        def predict(points):
            known = sum(row.tobytes() in seen for row in np.asarray(points))
            require(known == 0, f"a predictor was tested on {known} of the examples it was trained on.")
            return np.where(sign * points[:, theta] >= 0, 1, -1)

        return predict

    return learn


@exercise
def my_all_k(answer, rng):
    """``answer(D, y, ks)`` returns the leave-one-out error of k nearest neighbours for every k, ties to +1."""
    for m in (5, 12, 30):
        X, y = rng.normal(size=(m, 2)), rng.choice([-1, 1], size=m)
        D, ks = np.linalg.norm(X[:, None] - X, axis=2), [*range(1, m)]
        errors = array(answer(D, y, ks), (len(ks),), "the errors")
        for k, error in zip(ks, errors, strict=True):
            order = [np.argsort(np.where(np.arange(m) == i, np.inf, D[i]))[:k] for i in range(m)]
            truth = np.mean([(1 if y[near].sum() >= 0 else -1) != y[i] for i, near in enumerate(order)])
            why = because((k == 1 and error == 0, "Does a point vote for itself?"))
            right, where = np.isclose(error, truth), f"m = {m}, k = {k}"
            require(right, f"the leave-one-out error is {truth:.3f}, not {error:.3f}.{why}", where)
        some = array(answer(D, y, [3, 1]), (2,), "the errors for ks = [3, 1]")
        require(np.allclose(some, errors[[2, 0]]), "for ks = [3, 1] the errors should come in that order.")
    return "every k from 1 to m - 1 agrees with removing the points one by one."


@exercise
def my_one_standard_error(answer, rng):
    """``answer(risks)`` returns the index of the first candidate within one standard error of the least average."""
    for n_candidates, n_folds in [(2, 3), (5, 10), (20, 5), (50, 10)] * 10:
        risks = rng.random((n_candidates, n_folds)) + 0.6 * rng.random((n_candidates, 1))
        index = answer(risks)
        require(np.ndim(index) == 0 and np.asarray(index).dtype.kind in "iu", f"an index is expected, got {index!r}.")
        mean = risks.mean(axis=1)
        spread = risks[mean.argmin()].std(ddof=1)
        allowed = np.flatnonzero(mean <= mean.min() + spread / np.sqrt(n_folds))
        case = f"with averages {np.round(mean, 3).tolist()[:6]} and standard error {spread / np.sqrt(n_folds):.4f}"
        root = "Did you forget to divide by the root of the number of folds?"
        why = because((mean[index] <= mean.min() + spread, root))
        require(index in allowed, f"{case} candidate {index} is more than one standard error from the least.{why}")
        require(index == allowed[0], f"{case} candidate {allowed[0]} is allowed and simpler than your {index}.")
    return "the simplest candidate within one standard error, on 40 tables."
