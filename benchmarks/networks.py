"""Networks against scikit-learn's: the same layers, batches, optimiser and passes, at equal test accuracy."""

import warnings

import numpy as np
import sklearn.neural_network

from benchmarks.harness import Row, compare, cpu_time
from mlcourse import MLPClassifier
from mlcourse.data import load_digits
from mlcourse.models.convolution import ConvolutionalClassifier


def digits():
    """Training and test part of the digits, grey values between 0 and 1."""
    X, y, *_ = load_digits()
    train, test = np.split(np.random.default_rng(0).permutation(len(y)), [1347])
    return X[train] / 16, y[train], X[test] / 16, y[test]


def pair(batch, seed):
    """Our and their perceptron with 64 hidden units, Adam, 50 passes; their penalty is on the sum over a batch."""
    ours = MLPClassifier(64, batch=batch, max_epochs=50, lam=1e-4 / batch, random_state=seed)
    theirs = sklearn.neural_network.MLPClassifier(
        (64,), batch_size=batch, max_iter=50, tol=0.0, n_iter_no_change=1000, random_state=seed
    )
    return ours, theirs


def rows():
    """MLP on the digits in batches of 32 and 200; then the seconds of a convolutional network, of sixty allowed."""
    X, y, X_test, y_test = digits()
    warnings.filterwarnings("ignore", message="Stochastic Optimizer: Maximum iterations")
    for batch in (32, 200):
        scores = [[model.fit(X, y).score(X_test, y_test) for model in pair(batch, seed)] for seed in range(5)]
        accuracy = np.mean(scores, axis=0)
        assert accuracy[0] > accuracy[1] - 0.005, f"less accurate: {accuracy}"
        ours, theirs = pair(batch, 0)
        name = f"MLP 64-64-10, digits, Adam, batch {batch}, {accuracy[0]:.1%} / {accuracy[1]:.1%}"
        yield compare(name, lambda: ours.fit(X, y), lambda: theirs.fit(X, y), 0.6)  # noqa: B023

    model = ConvolutionalClassifier(random_state=0)
    seconds = cpu_time(lambda: model.fit(X, y))
    accuracy = model.score(X_test, y_test)
    assert accuracy >= 0.98, f"test accuracy {accuracy:.1%}"
    yield Row(f"CNN 16-32 filters, digits, {accuracy:.1%}, against a minute", seconds, 60.0, 1.0)
