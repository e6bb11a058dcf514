"""The same algorithms in mlxtend, a well-known package written from scratch in NumPy; left out if it is not installed.

Letters
    X, y     sample: m points of R^d and labels 0, 1 (as mlxtend wants them), or real targets
"""

import importlib.util

import numpy as np

from benchmarks.harness import benchmark, race
from benchmarks.linear_models import labelled, points
from benchmarks.networks import digits
from benchmarks.perceptron import sample
from mlcourse import Adaline, LinearRegression, LogisticRegression, MLPClassifier, Perceptron
from mlcourse.losses import logistic
from mlcourse.models.linear.logistic_regression import logistic_newton
from mlcourse.optim.objective import LinearRisk

INSTALLED = importlib.util.find_spec("mlxtend") is not None


def against_mlxtend(function):
    """A benchmark that has nothing to measure if mlxtend is not installed."""
    return benchmark(function) if INSTALLED else function


def no_more(ours, theirs, slack, what):
    """Check that our number is no larger than theirs, but for ``slack``; what was found, in words."""
    assert ours <= theirs + slack, f"{what} {ours:.4g}, theirs {theirs:.4g}"
    return f"{what} {ours:.3g}, theirs {theirs:.3g}"


@against_mlxtend
def perceptron(m=2000, n_passes=20):
    """Shuffled passes over a separable sample."""
    from mlxtend.classifier import Perceptron as Theirs

    X, y = sample(0.0, np.random.default_rng(0), m, d=20, gap=0.2)
    y = (y + 1) // 2
    ours = Perceptron(max_epochs=n_passes, shuffle=True, random_state=0)
    theirs = Theirs(eta=1.0, epochs=n_passes, random_seed=0)
    errors = [np.mean(model.fit(X, y).predict(X) != y) for model in (ours, theirs)]
    quality = no_more(*errors, 0.0, "training error")
    yield race("mlxtend-perceptron", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality, repeats=2)


@against_mlxtend
def adaline(m=2000, n_passes=10, tau=1e-3):
    """Shuffled passes, one example a step, constant step."""
    from mlxtend.classifier import Adaline as Theirs

    X, y = labelled(np.random.default_rng(0), m, d=20)
    y = (y + 1) // 2
    ours = Adaline(tau=tau, decay=False, max_epochs=n_passes, shuffle=True, random_state=0).fit(X, y)
    theirs = Theirs(eta=tau, epochs=n_passes, minibatches=m, random_seed=0).fit(X, y)
    risks = [np.mean((2 * y - 1 - X @ w - b) ** 2) for w, b in ((ours.w_, ours.b_), (theirs.w_[:, 0], theirs.b_))]
    quality = no_more(*risks, 0.01 * risks[1], "mean square loss")
    yield race("mlxtend-adaline", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality, repeats=2)


@against_mlxtend
def least_squares(m=100_000, d=50):
    """The normal equations."""
    from mlxtend.regressor import LinearRegression as Theirs

    rng = np.random.default_rng(1)
    X = points(rng, m, d, condition=10)
    y = X @ rng.normal(size=d) + rng.normal(size=m)
    ours, theirs = LinearRegression(), Theirs(method="direct")
    assert np.allclose(ours.fit(X, y).w_, theirs.fit(X, y).w_.ravel(), rtol=1e-8), "not the same weights"
    yield race("mlxtend-least-squares", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), "same weights to 10⁻⁸")


@against_mlxtend
def logistic_regression(m=10_000, d=20, steps=30):
    """To at least the risk that gradient descent reaches in a number of steps."""
    from mlxtend.classifier import LogisticRegression as Theirs

    X, y = labelled(np.random.default_rng(0), m, d)
    risk = LinearRisk(logistic, X, y, lam=1 / m, bias=True)
    least, y = risk(logistic_newton(risk, tol=1e-11).last), (y + 1) // 2
    theirs = Theirs(eta=4 / m, epochs=steps, l2_lambda=1.0, minibatches=1, random_seed=0).fit(X, y)
    their_risk = risk(np.append(theirs.w_, theirs.b_))
    ours = LogisticRegression(lam=1 / m)
    for tol in 10.0 ** -np.arange(1.0, 12.0):
        ours.set_params(tol=tol).fit(X, y)
        if risk(np.append(ours.w_, ours.b_)) <= their_risk:
            break
    gaps = [value / least - 1 for value in (risk(np.append(ours.w_, ours.b_)), their_risk)]
    quality = no_more(*gaps, 0.0, "relative excess of the risk")
    yield race("mlxtend-logistic", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality, repeats=2)


@against_mlxtend
def mlp(epochs=50, batch=32, tau=0.1, seeds=3, slack=0.005):
    """Stochastic gradient descent on the digits; mlxtend's step is for the sum over a batch, ours for the mean."""
    from mlxtend.classifier import MultiLayerPerceptron

    X, y, X_test, y_test = digits()

    def pair(seed):
        ours = MLPClassifier(64, "sigmoid", 0.0, solver="sgd", tau=tau, batch=batch, max_epochs=epochs)
        return ours.set_params(random_state=seed), MultiLayerPerceptron(
            eta=tau / batch, epochs=epochs, hidden_layers=[64], minibatches=-(-len(y) // batch), random_seed=seed
        )

    errors = np.mean([[np.mean(h.fit(X, y).predict(X_test) != y_test) for h in pair(s)] for s in range(seeds)], axis=0)
    quality = no_more(*errors, slack, "test error") + f", mean of {seeds}"
    ours, theirs = pair(0)
    yield race("mlxtend-mlp", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality, repeats=2)
