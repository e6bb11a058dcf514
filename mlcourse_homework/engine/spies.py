"""Learners and models that keep what an answer does with them, and object where it cheats."""

import copy

import numpy as np

from mlcourse.data import Standardiser
from mlcourse_homework.engine.answers import Wrong, array, require, requiring

BITS = 6  # the rows of a watched sample are numbered by as many columns of zeros and ones


class ScriptedLearner:
    """A weak learner whose rule of round t errs on the rows ``script[t]`` alone; it does AdaBoost's sums beside it."""

    def __init__(self, m, script, rng):
        self.X, self.y, self.script = np.arange(m)[:, None] * 1.0, rng.choice([-1, 1], m), script
        self.D, self.rules, self.votes, self.drawn = np.full(m, 1 / m), [], {}, []
        self.perfect, self.case = None, f"m = {m}, T = {len(script)}"
        self.case += f", rules that err on the rows {script}" * (m <= 20)

    def __call__(self, points, labels):
        """The rule of this round, for the drawn rows."""
        t, m = len(self.rules), len(self.y)
        need = requiring(self.case)
        need(self.perfect is None, "learn is called again although the rule of the round before makes no mistake.")
        need(t < len(self.script), "learn is called more than T times; lost rounds count too.")
        shapes = np.shape(points), np.shape(labels)
        got = f"got shapes {shapes[0]} and {shapes[1]}."
        need(shapes == ((m, 1), (m,)), f"learn should get m = {m} drawn rows and their labels, {got}")
        rows = np.asarray(points)[:, 0].astype(int)
        need(np.array_equal(labels, self.y[rows]), "the drawn rows and their labels are out of step.")
        self._require_drawn(rows)
        wrong = self.script[t]
        epsilon = self.D[wrong].sum()
        if not wrong:
            self.perfect = t
        elif epsilon < 1 / 2:
            self.votes[t] = np.log(1 / epsilon - 1) / 2
            self.D = self.D / np.where(np.isin(np.arange(m), wrong), 2 * epsilon, 2 * (1 - epsilon))
        self.rules.append(self._rule(wrong))
        return self.rules[-1]

    def round_of(self, rule):
        """The round in which a rule was learned, counted from 0."""
        found = [t for t, known in enumerate(self.rules) if known is rule]
        require(found, "the rules should be those that learn returned.", tried=self.case)
        return found[0]

    def _rule(self, wrong):
        def rule(points):
            rows = np.asarray(points)[:, 0].astype(int)
            return np.where(np.isin(rows, wrong), -self.y[rows], self.y[rows])

        return rule

    def _require_drawn(self, rows):
        """The rows look like independent draws from D."""
        m, t, different = len(rows), len(self.rules), len({*rows.tolist()})
        for s in self.votes:
            share, weight = np.isin(rows, self.script[s]).mean(), self.D[self.script[s]].sum()
            need = requiring(self.case, f"{share:.0%} of the draws are rows on which rule {s + 1} erred")
            likely = abs(share - weight) < 6 * np.sqrt(weight * (1 - weight) / m)
            message = f"round {t + 1}: the rows are not drawn with the weights of this round."
            need(likely, message, f"about {weight:.0%}")
        expected, need = m - ((1 - self.D) ** m).sum(), requiring(self.case)
        message = f"round {t + 1}: {different} of {m} drawn rows are different: draw with replacement."
        need(different < expected + 3 * np.sqrt(m), message, f"about {expected:.0f} different rows")
        self.drawn.append(sorted(rows.tolist()))
        anew = "draw anew in each round, and go on with the same rng."
        again = m >= 50 and self.drawn[-1] in self.drawn[:-1]
        need(not again, f"the rows of round {t + 1} are those of an earlier round: {anew}")


class SpyModel:
    """A model of a table of accuracies, right on what it has seen and where ``right`` says so. Copies share the log."""

    def __init__(self, name, X, y, right, log):
        self.name, self.X, self.y, self.right, self.log, self.seen = name, X, y, right, log, None

    def __deepcopy__(self, memo):
        return copy.copy(self)

    def fit(self, X, y):
        """Look at the training part."""
        X, m = self._features(X, "trained"), len(self.y)
        rows, trained = numbers_of(X), f"{self.name} was trained on"
        require(np.shape(y) == (len(X),), f"{trained} {len(X)} rows with labels of shape {np.shape(y)}.")
        n, size = len({*rows.tolist()}), 3 * m // 5
        message, should = f"{trained} {len(rows)} rows, {n} of them different.", f"{size} different rows of {m}"
        require(n == len(rows) == size, message, should=should)
        require(np.array_equal(y, self.y[rows]), f"{trained} labels that are not those of its rows.")
        units, whole = Standardiser().fit(self.X[rows]), "mean and spread of the whole sample, test rows included"
        known = {
            "raw features: standardise them": self.X,
            f"features standardised with {whole}: use those of the training part": Standardiser().fit_transform(self.X),
        }
        for fault, features in known.items():
            require(not np.allclose(X[:, :-1], features[rows, :-1], atol=1e-5), f"{trained} {fault}.")
        same = np.isclose(X, units.transform(self.X)[rows], atol=1e-4).all(axis=0)
        fault = "features that are not standardised: mean 0 and standard deviation 1 in the training part."
        require(same[:-1].all(), f"{trained} {fault}")
        fault = f"a column that is not right: column {len(same) - 1} of the sample is constant."
        shift = "Shift it, and do not divide. (A standard deviation of 1e-17 is a rounding error.)"
        require(same[-1], f"{trained} {fault} {shift}")
        self.seen = units, {"name": self.name, "train": frozenset(rows.tolist()), "asked": set()}
        self.log.append(self.seen[-1])
        return self

    def predict(self, X):
        """Look at the rows; right and wrong labels, as agreed."""
        X = self._features(X, "tested")
        require(self.seen is not None, f"{self.name} was asked to predict before it was fitted.")
        units, entry = self.seen
        raw = X * units.scale_ + units.mean_
        rows = (raw[:, :BITS] > 0.5) @ 2 ** np.arange(BITS)
        if not np.allclose(X, units.transform(self.X[rows]), atol=1e-4):
            guess, tested = self.X[numbers_of(X)], f"{self.name} was tested on features that"
            own = "were standardised with the mean and spread of the test part: use those of the training part."
            require(not np.allclose(X, Standardiser().fit(guess).transform(guess), atol=1e-4), f"{tested} {own}")
            both = "standardise both parts with the mean and spread of the training part, and fit anew to each."
            raise Wrong(f"{tested} are not in the units of the rows it was trained on: {both}")
        entry["asked"] |= {*rows.tolist()}
        right = self.right[rows] | np.isin(rows, [*entry["train"]])
        return np.where(right, self.y[rows], np.where(self.y[rows] == "B", "M", "B"))

    def accuracy(self, entry):
        """The accuracy on the rows that were left out of a fit."""
        return self.right[np.isin(np.arange(len(self.y)), [*entry["train"]], invert=True)].mean()

    def _features(self, X, done):
        X = array(X, (len(X), self.X.shape[1]), f"{self.name} was {done} on something else: the features")
        require(len(X) > 0, f"{self.name} was {done} on no rows at all.")
        constant = f"Column {self.X.shape[1] - 1} of the sample is constant."
        require(np.isfinite(X).all(), f"{self.name} was {done} on features that are not finite numbers. {constant}")
        return X


def watched_sample(rng):
    """A sample whose first columns number its rows in binary, with a constant column and two of odd scales."""
    m = 2**BITS
    numbers = np.arange(m)[:, None] // 2 ** np.arange(BITS) % 2
    y = np.where(rng.random(m) < 0.6, "B", "M")
    y.setflags(write=False)
    return np.column_stack([numbers, rng.normal(1000, 30, m), rng.exponential(0.01, m), np.full(m, 0.1)]), y


def numbers_of(X):
    """The numbers of the rows, however their columns were shifted and scaled, if none of the digits is constant."""
    digits = X[:, :BITS]
    return (digits > (digits.min(axis=0) + digits.max(axis=0)) / 2) @ 2 ** np.arange(BITS)
