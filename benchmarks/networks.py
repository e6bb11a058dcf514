"""Networks against scikit-learn's: the same layers, batches, optimiser and passes, at equal test accuracy."""

import warnings

import numpy as np
import sklearn.neural_network

from benchmarks.harness import Row, benchmark, cpu_time, race
from mlcourse import MLPClassifier
from mlcourse.data import load_digits
from mlcourse.models.networks.convolution import ConvolutionalClassifier


def digits():
    """Training and test part of the digits, grey values between 0 and 1."""
    X, y, *_ = load_digits()
    train, test = np.split(np.random.default_rng(0).permutation(len(y)), [1347])
    return X[train] / 16, y[train], X[test] / 16, y[test]


def pair(batch, seed, epochs):
    """Our and their perceptron with 64 hidden units and Adam; their penalty is on the sum over a batch."""
    ours = MLPClassifier(64, batch=batch, max_epochs=epochs, lam=1e-4 / batch, random_state=seed)
    theirs = sklearn.neural_network.MLPClassifier(
        (64,), batch_size=batch, max_iter=epochs, tol=0.0, n_iter_no_change=1000, random_state=seed
    )
    return ours, theirs


@benchmark
def mlp(epochs=50, seeds=5, slack=0.005):
    """A multilayer perceptron on the digits, small and large batches."""
    X, y, X_test, y_test = digits()
    warnings.filterwarnings("ignore", message="Stochastic Optimizer: Maximum iterations")
    for batch in (32, 200):
        scores = [[model.fit(X, y).score(X_test, y_test) for model in pair(batch, s, epochs)] for s in range(seeds)]
        accuracy = np.mean(scores, axis=0)
        assert accuracy[0] > accuracy[1] - slack, f"less accurate: {accuracy}"
        ours, theirs = pair(batch, 0, epochs)
        quality = f"test accuracy {accuracy[0]:.1%}, theirs {accuracy[1]:.1%}, mean of {seeds}"
        yield race(f"mlp-{batch}", lambda: ours.fit(X, y), lambda: theirs.fit(X, y), quality)  # noqa: B023


@benchmark
def convolutional(wanted=0.98, **parameters):
    """The seconds that a convolutional network needs."""
    X, y, X_test, y_test = digits()
    model = ConvolutionalClassifier(random_state=0, **parameters)
    seconds = cpu_time(lambda: model.fit(X, y))
    accuracy = model.score(X_test, y_test)
    assert accuracy >= wanted, f"test accuracy {accuracy:.1%}"
    yield Row("cnn", seconds, None, f"test accuracy {accuracy:.1%}")
