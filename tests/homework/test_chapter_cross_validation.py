"""The checks of the exercises on cross-validation accept right answers and explain what is wrong with planted ones."""

import numpy as np
from planting import planted_tests, told, with_faults

from mlcourse_homework.chapters import cross_validation as ex


def my_k_fold(m, n_folds, rng):
    order = rng.permutation(m)
    return [(np.delete(order, np.s_[j::n_folds]), order[j::n_folds]) for j in range(n_folds)]


def folds_of(m, tests):
    return [(np.setdiff1d(np.arange(m), test), test) for test in tests]


def nested(inner_rows="outer training part", report="outer", refit=True, choose=np.argmin):
    def answer(learn, thetas, X, y, n_outer, n_inner, rng):
        def error(theta, X, y, train, test):
            return np.mean(learn(theta, X[train], y[train])(X[test]) != y[test])

        def table(X, y):
            folds = my_k_fold(len(y), n_inner, rng)
            return np.mean([[error(theta, X, y, *fold) for fold in folds] for theta in thetas], axis=1)

        errors, least = [], []
        for train, test in my_k_fold(len(y), n_outer, rng):
            averages = table(X[train], y[train]) if inner_rows != "all" else table(X, y)
            theta = thetas[choose(averages)]
            least.append(averages.min())
            errors.append(error(theta, X, y, train if refit else np.arange(len(y)), test))
        return np.mean(errors if report == "outer" else least)

    return answer


def without_learning_again(learn, thetas, X, y, n_outer, n_inner, rng):
    errors = []
    for train, test in my_k_fold(len(y), n_outer, rng):
        X_, y_, best = X[train], y[train], (2.0, None)
        inner = my_k_fold(len(train), n_inner, rng)
        for theta in thetas:
            rules = [learn(theta, X_[a], y_[a]) for a, _ in inner]
            error = np.mean([np.mean(h(X_[b]) != y_[b]) for h, (_, b) in zip(rules, inner, strict=True)])
            best = min(best, (error, rules[-1]), key=lambda pair: pair[0])
        errors.append(np.mean(best[1](X[test]) != y[test]))
    return np.mean(errors)


def by_counts_of_examples(learn, thetas, X, y, n_outer, n_inner, rng):
    wrong = np.zeros(len(y), dtype=bool)
    for train, test in my_k_fold(len(y), n_outer, rng):
        cost, inner = {}, my_k_fold(len(train), n_inner, rng)
        for theta in thetas:
            pairs = [(train[a], train[b]) for a, b in inner]
            cost[theta] = sum(np.sum(learn(theta, X[a], y[a])(X[b]) != y[b]) for a, b in pairs)
        wrong[test] = learn(min(cost, key=cost.get), X[train], y[train])(X[test]) != y[test]
    return float(wrong.mean())


@with_faults
def all_k(D, y, ks, *, first=1, tie=1):
    votes = np.cumsum(y[np.argsort(D, axis=1)[:, first:]], axis=1)[:, np.array(ks) - 1]
    return np.mean(np.where(votes == 0, tie, np.sign(votes)) != y[:, None], axis=0)


@with_faults
def rule(risks, *, scale=None, pick=0):
    mean = risks.mean(axis=1)
    spread = risks[mean.argmin()].std(ddof=1)
    divisor = np.sqrt(risks.shape[1]) if scale is None else scale
    return int(np.flatnonzero(mean <= mean.min() + spread / divisor)[pick])


RIGHT = {
    ex.my_k_fold: [my_k_fold, lambda m, K, rng: ((a.tolist(), b.tolist()) for a, b in my_k_fold(m, K, rng))],
    ex.my_nested: [nested(), by_counts_of_examples],
    ex.my_all_k: [all_k],
    ex.my_one_standard_error: [rule],
}
WRONG = {
    ex.my_k_fold: [
        (lambda m, K, rng: folds_of(m, np.array_split(np.arange(m), K)), "same folds"),
        (lambda m, K, rng: folds_of(m, rng.integers(m, size=(K, m // K))), "exactly once"),
        (lambda m, K, rng: folds_of(m, np.split(rng.permutation(m), np.arange(1, K) * (m // K))), "differ by more"),
        (lambda m, K, rng: folds_of(m, np.array_split(np.roll(range(m), rng.integers(m)), K)), "equally likely"),
        (lambda m, K, rng: [(np.arange(m), b) for _, b in my_k_fold(m, K, rng)], "trained on and tested"),
        (
            lambda m, K, rng: [(a[: len(a) // 2], b) for a, b in my_k_fold(m, K, rng)],
            "all the examples it does not test",
        ),
        (lambda m, K, rng: my_k_fold(m, K, rng)[1:], "folds"),
        (lambda m, K, rng: [test for _, test in my_k_fold(m, K, rng)], "a pair"),
        (lambda m, K, rng: my_k_fold(m, K, np.random.default_rng()), "same seed"),
        (lambda m, K, rng: [(a / 1, b / 1) for a, b in my_k_fold(m, K, rng)], "integers"),
    ],
    ex.my_nested: [
        (nested(inner_rows="all"), "took part in the choice"),
        (nested(report="inner"), "inner minimum"),
        (nested(refit=False), "it was trained on"),
        (without_learning_again, "learn once more"),
        *told("theta = 7", nested(choose=lambda averages: 0), lambda learn, thetas, X, y, n_outer, n_inner, rng: 0.5),
        (lambda learn, thetas, X, y, n_outer, n_inner, rng: [0.5], "a number"),
        (lambda learn, thetas, X, y, n_outer, n_inner, rng: 15.0, "fraction"),
    ],
    ex.my_all_k: [
        (all_k(first=0), "vote for itself"),
        (all_k(tie=-1), "the leave-one-out error is"),
        (lambda D, y, ks: all_k(D, y, sorted(ks)), "in that order"),
        (lambda D, y, ks: 0.5, "shape"),
    ],
    ex.my_one_standard_error: [
        (rule(scale=1.0), "root of the number of folds"),
        *told("is allowed and simpler", rule(pick=-1), lambda risks: int(risks.mean(axis=1).argmin())),
        (lambda risks: int(risks.mean(axis=1).argmax()), "more than one standard error"),
        (lambda risks: risks.mean(axis=1), "an index"),
    ],
}
test_right_answers, test_wrong_answers, test_functions = planted_tests(RIGHT, WRONG)
