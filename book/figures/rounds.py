"""AdaBoost round by round: the weights, the stump, the vote, and the training error below its bound."""

import numpy as np

from figures.drawing import Control, Interactive, Panel
from mlcourse import AdaBoost
from mlcourse.data import NestedSpheres
from mlcourse.ensembles.adaboost import adaboost, by_stumps

ROUNDS = list(range(1, 31))


def samples():
    """Forty points, labelled by a circle, and a test sample."""
    disc, rng = NestedSpheres(d=2), np.random.default_rng(1)
    return *disc.sample(40, rng), *disc.sample(4000, rng)


def figure():
    """The figure: a control for the round."""
    X, y, X_test, y_test = samples()
    path = adaboost(y, by_stumps(X, y), max_iter=max(ROUNDS)).path
    vote = AdaBoost(n_rounds=max(ROUNDS)).fit(X, y)
    product = np.cumprod([r.Z for r in path[1:]])
    train, test = (
        [np.mean(h != labels) for h in vote.staged_predict(points)] for points, labels in ((X, y), (X_test, y_test))
    )
    plane = Panel((-2.8, 2.8), (-2.5, 2.5), "*x*₁", "*x*₂", range(-2, 3), range(-2, 3), markers=15)
    curves = Panel((0.2, 30.8), (0, 1.02), "round *t*", "error", [1, 10, 20, 30], [0, 0.2, 0.4, 0.6, 0.8, 1])
    fixed = [
        curves.line(ROUNDS, product, "curve orange dashed"),
        curves.line(ROUNDS, test, "curve green"),
        curves.line(ROUNDS, train, "curve train"),
        curves.text(9, 0.72, "bound Z₁⋯Zₜ", "orange"),
        curves.text(26, 0.29, "test", "green"),
        curves.text(2, 0.03, "training", "train"),
    ]
    scores = list(vote.staged_scores(plane.places(2)))
    ground = plane.ground("neg area")

    def frame(t):
        D, (_, h, epsilon, alpha, Z) = path[t - 1].D, path[t]
        region = plane.region(lambda places: np.where(scores[t - 1] >= 0, 1, -1), "pos region", step=2, tolerance=0.25)
        points, rings = [], []
        for x, label, weight, is_wrong in zip(X, y, len(y) * D, h.predict(X) != y, strict=True):
            points.append(plane.weighted(x, "neg" if label < 0 else "pos", weight))
            rings.append(plane.weighted(x, "ring", max(weight, 1), visibility="visible" if is_wrong else "hidden"))
        cut = [(h.threshold_, -9), (h.threshold_, 9)] if h.feature_ == 0 else [(-9, h.threshold_), (9, h.threshold_)]
        constant = "" if np.isfinite(h.threshold_) else " (a constant rule)"
        error, bound = train[t - 1], product[t - 1]
        readout = (
            f"round {t}{constant}: ε = {epsilon:.2f}, α = {alpha:.2f}, Z = {Z:.2f}; the vote has training "
            f"error {error:.3f}, bound {bound:.2f}, test error {test[t - 1]:.2f}"
        )
        left = [ground, region, *points, *rings, plane.lines([cut], "stump")]
        return readout, left, [*fixed, *curves.here(t, bound, error)]

    alt = (
        "Left, forty points inside and outside a circle, the larger the heavier; the stump of the round is a thick "
        "line, its mistakes are ringed, and the plane is shaded by the vote so far. Right, the errors of the vote "
        "and the bound against the round."
    )
    return Interactive(alt, [Control("round *t*", ROUNDS, 5)], [plane, curves], frame)
