"""What C and gamma do to a support vector machine: street, support vectors, errors."""

import numpy as np

from figures.drawing import Control, Interactive, Panel
from mlcourse import SVM, GaussianKernel
from mlcourse.data import Moons

CS, GAMMAS = [0.1, 1, 10, 100, 1000], [0.1, 0.3, 1, 3, 10, 30]


def samples():
    """Eighty training points and a test sample."""
    moons, rng = Moons(noise=0.25), np.random.default_rng(1)
    return *moons.sample(80, rng), *moons.sample(4000, rng)


def figure():
    """The figure: controls for C and gamma."""
    X, y, X_test, y_test = samples()
    models = {(C, gamma): SVM(C, GaussianKernel(gamma), tol=1e-5).fit(X, y) for C in CS for gamma in GAMMAS}
    test = {pair: 1 - model.score(X_test, y_test) for pair, model in models.items()}
    plane = Panel((-1.8, 2.8), (-1.3, 1.9), "*x*₁", "*x*₂", range(-1, 3), range(-1, 2), markers=15)
    table = Panel(
        (-0.5, 5.5),
        (-0.5, 4.5),
        "*γ*",
        "*C*  (in the cells: test error)",
        dict(enumerate(map("{:g}".format, GAMMAS))),
        dict(enumerate(map("{:g}".format, CS))),
    )
    places = {(C, gamma): (j, i) for i, C in enumerate(CS) for j, gamma in enumerate(GAMMAS)}
    best = min(test.values())
    cells = []
    for pair, (j, i) in places.items():
        shade = {"fill-opacity": f"{0.6 * min(1, (test[pair] - best) / 0.2):.2f}"}  # the darker the worse
        cells += [
            table.boxes([(j - 0.5, j + 0.5, i - 0.5, i + 0.5)], "cell").having(shade),
            table.text(j, i - 0.08, f"{test[pair]:.2f}", "", "middle"),
        ]
    ground, points = plane.ground("neg area"), plane.classes(X, y)

    def frame(C, gamma):
        model, (j, i) = models[C, gamma], places[C, gamma]
        n, error = len(model.support_), 1 - model.score(X, y)
        readout = (
            f"C = {C:g}, γ = {gamma:g}: {n} of 80 are support vectors; training error {error:.2f}, "
            f"test error {test[C, gamma]:.2f}"
        )
        left = [
            ground,
            plane.region(model.decision_function, "pos region", step=4, tolerance=0.3),
            plane.contours(model.decision_function, [-1, 1], "curve thin ink dashed"),
            *points,
            plane.points(X[model.support_], "ring"),
        ]
        return readout, left, [*cells, table.boxes([(j - 0.46, j + 0.46, i - 0.46, i + 0.46)], "frame")]

    alt = (
        "Left, two noisy half moons, the border between the two answers, the dashed edges of the street, and rings "
        "around the support vectors. Right, a table of the test error for each pair of C and gamma."
    )
    controls = [Control("price of slack *C*", CS, 2), Control("kernel *γ*", GAMMAS, 2)]
    return Interactive(alt, controls, [plane, table], frame)
