"""What k does to the rule of the k nearest neighbours: regions in the plane, and the two errors."""

import numpy as np

from figures.drawing import Control, Interactive, Panel
from mlcourse import KNearestNeighbors
from mlcourse.data import Moons
from mlcourse.models.local.nearest_neighbors import nearest, winners

KS = [1, 3, 5, 7, 9, 13, 19, 27, 39, 59]


def samples():
    """The law, sixty points, the same as in the opening figure of the chapter, and a test sample."""
    moons = Moons(noise=0.3)
    return moons, *moons.sample(60, np.random.default_rng(4)), *moons.sample(4000, np.random.default_rng(5))


def figure():
    """The figure: a control for k."""
    moons, X, y, X_test, y_test = samples()
    models = {k: KNearestNeighbors(k=k).fit(X, y) for k in KS}
    train = {k: 1 - model.score(X, y) for k, model in models.items()}
    test = {k: 1 - model.score(X_test, y_test) for k, model in models.items()}
    plane = Panel((-2, 3), (-1.6, 2.1), "*x*₁", "*x*₂", range(-2, 4), range(-1, 3))
    votes = (y[nearest(X, plane.places(3), max(KS))[0]] + 1) // 2
    answers = 2 * winners(votes, 2) - 1  # column k - 1 is the answer of k neighbours, at each place of a grid
    curves = Panel(
        (0.85, 70), (0, 0.56), "neighbours *k*", "error", [1, 3, 9, 19, 59], [0, 0.1, 0.2, 0.3, 0.4, 0.5], log="x"
    )
    fixed = [
        curves.line([0.85, 70], [moons.bayes_risk] * 2, "curve grey dashed"),
        curves.text(66, moons.bayes_risk - 0.035, "Bayes risk", "grey", "end"),
        curves.line(KS, [*test.values()], "curve test"),
        curves.line(KS, [*train.values()], "curve train"),
        curves.text(19, 0.225, "test", "test", "end"),
        curves.text(2.2, 0.012, "training", "train"),
    ]
    ground, points = plane.ground("neg area"), plane.classes(X, y)

    def frame(k):
        region = plane.region(lambda places: answers[:, k - 1], "pos region", step=3)
        readout = f"k = {k}: training error {train[k]:.2f}, test error {test[k]:.2f}"
        return readout, [ground, region, *points], [*fixed, *curves.here(k, test[k], train[k])]

    alt = (
        "Left, sixty points of two noisy half moons and the regions of the rule. Right, training and test error "
        "against the number of neighbours: the training error starts at zero, the test error falls and rises again."
    )
    return Interactive(alt, [Control("neighbours *k*", KS, KS.index(9))], [plane, curves], frame)
