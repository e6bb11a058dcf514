"""Training a network: which descent, for how many passes over the sample, and when to stop. Letters as in ``mlp``."""

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from mlcourse.arguments import numbers
from mlcourse.base import Estimator
from mlcourse.models.networks.layers import ACTIVATIONS
from mlcourse.models.networks.network import Network, NetworkRisk
from mlcourse.optim.conjugate_gradient import conjugate_gradient
from mlcourse.optim.stochastic import adam, early_stopping, momentum, shuffled_passes, stochastic_gradient_descent
from mlcourse.trace import Iterates, returns_trace

DESCENTS = {"sgd": stochastic_gradient_descent, "momentum": momentum, "adam": adam}
GAIN = {"relu": 2.0, "leaky-relu": 2.0}  # half of the units are silent: the others must carry twice as much


def epochs(risk: NetworkRisk, w: np.ndarray, solver: str, tau: float, batch: int, rng: np.random.Generator) -> Iterator:
    """For ever: the weights at the start and after each pass over the sample (after each step of "cg")."""
    if solver == "cg":
        return conjugate_gradient.iterates(risk, w, tol=1e-9)
    m = len(risk.X)
    steps = DESCENTS[solver].iterates(risk.batch_gradient, w, tau, shuffled_passes(m, batch, rng=rng))
    return itertools.islice(steps, 0, None, -(-m // batch))


@returns_trace
def finite(iterates: Iterator) -> Iterates:
    """The same iterates; ``ValueError`` if one of them is not finite."""
    for epoch, w in enumerate(iterates):
        if not np.isfinite(w).all():
            raise ValueError(f"the weights overflow in pass {epoch}: scale the features or take a smaller tau")
        yield w
    return True


class NetworkTraining(Estimator):
    """An estimator that trains a network: hidden layers, a penalty, a descent, and when to stop it."""

    _valid = {
        "hidden": numbers.check_counts,
        "activation": numbers.check_one_of(*ACTIVATIONS),
        "lam": numbers.check_non_negative,
        "lam1": numbers.check_non_negative,
        "keep": numbers.check_tolerance,  # a unit may be certain to stay, not to go
        "solver": numbers.check_one_of(*DESCENTS, "cg"),
        "tau": numbers.check_positive,
        "batch": numbers.check_count,
        "max_epochs": numbers.check_count,
        "patience": numbers.check_optional_count,
        "validation": numbers.check_fraction,
    }
    _network: Callable[..., Network]  # with a generator as in training, where dropout draws its masks

    def __init__(
        self, hidden=(64,), activation="relu", lam=1e-4, lam1=0.0, keep=1.0, solver="adam", tau=1e-3, batch=32,
        max_epochs=200, patience=None, validation=0.1, random_state=None,
    ):  # fmt: skip
        self.hidden, self.activation, self.lam, self.lam1, self.keep = hidden, activation, lam, lam1, keep
        self.solver, self.tau, self.batch, self.max_epochs = solver, tau, batch, max_epochs
        self.patience, self.validation, self.random_state = patience, validation, random_state

    def _train(self, loss, X, y):
        """Learn ``w_``, the weights of the network, and how many passes that took.

        With ``patience`` the weights are those of least risk on a part of the sample that is held out.
        """
        rng = numbers.check_rng(self.random_state)
        network = self._network(rng)
        if self.solver == "cg" and (self.keep < 1 or self.lam1 > 0):
            raise ValueError("solver 'cg' needs a smooth objective that does not change: no dropout, no lam1")
        held_out = 0 if self.patience is None else int(np.ceil(float(self.validation) * len(X)))
        if held_out >= len(X):
            raise ValueError(f"early stopping needs examples to train on: {held_out} of {len(X)} are held out")
        start = network.initial_weights(rng, GAIN.get(self.activation, 1.0))
        test, train = np.split(rng.permutation(len(X)), [held_out]) if held_out else (None, slice(None))
        with np.errstate(over="ignore", invalid="ignore"):
            risk = NetworkRisk(network, loss, X[train], y[train], float(self.lam), float(self.lam1))
            passes = epochs(risk, start, self.solver, float(self.tau), self.batch, rng)
            if self.patience is None:
                run = finite(passes, max_iter=self.max_epochs, keep_path=False)
            else:
                ends, held_out_risk = finite.iterates(passes), NetworkRisk(self._network(), loss, X[test], y[test])
                run = early_stopping(ends, held_out_risk, self.patience, max_iter=self.max_epochs, keep_path=False)
        self.w_, self.n_epochs_, self.converged_ = run.last, run.n_steps, run.converged

    @property
    def layers_(self) -> list[tuple]:
        """The weights and biases (W, b) of each layer that has some, views of ``w_``."""
        self._require_fit()
        return [tuple(pair) for pair in self._network().parameters(self.w_) if pair]


def finite_outputs(network: Network, w: np.ndarray, X: np.ndarray) -> np.ndarray:
    """network(w, X), which must be finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        outputs = network(w, X)
    if not np.isfinite(outputs).all():
        raise ValueError("the outputs overflow: X must be of the size of the training points")
    return outputs
