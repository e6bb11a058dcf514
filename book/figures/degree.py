"""Polynomials of growing degree on one sample: the curve, and the two errors."""

import numpy as np
from numpy.polynomial.legendre import legvander

from figures.drawing import Control, Interactive, Panel
from mlcourse import LinearRegression
from mlcourse.data import NoisyFunction
from mlcourse.losses import empirical_risk, square

DEGREES = list(range(15))
WAVE = NoisyFunction(lambda x: np.sin(2 * np.pi * x), sigma=0.3)


def features(X, p):
    """The Legendre polynomials of degree 1 to p at the points X (m, 1) of [0, 1]; the bias is the degree 0."""
    return legvander(2 * X[:, 0] - 1, max(p, 1))[:, 1:] * (p > 0)


def polynomial(X, y, p):
    """The polynomial of degree at most p of least square error on the sample."""
    model = LinearRegression().fit(features(X, p), y)
    return lambda Z: model.predict(features(Z, p))


def sample():
    """The fifteen points of the opening figure of the chapter."""
    return WAVE.sample(15, np.random.default_rng(12))


def figure():
    """The figure: a control for the degree."""
    X, y = sample()
    fits = [polynomial(X, y, p) for p in DEGREES]
    train = [empirical_risk(square, y, h(X)) for h in fits]
    true = [WAVE.risk(h) for h in fits]
    shown = np.maximum(train, 1e-4)  # the last is zero, which has no place on a logarithmic scale
    x = np.linspace(0, 1, 241)
    plane = Panel(
        (0, 1), (-2.2, 2.2), "*x*", "*y*", {0: "0", 0.25: "0.25", 0.5: "0.5", 0.75: "0.75", 1: "1"}, range(-2, 3)
    )
    curves = Panel(
        (-0.5, 14.5),
        (0.003, 300),
        "degree *p*",
        "square risk",
        range(0, 15, 2),
        {0.01: "0.01", 0.1: "0.1", 1: "1", 10: "10", 100: "100"},
        log="y",
    )
    fixed = [
        curves.line([-1, 15], [WAVE.bayes_risk] * 2, "curve grey dashed"),
        curves.text(14.2, 0.115, "Bayes risk", "grey", "end"),
        curves.line(DEGREES, true, "curve test"),
        curves.line(DEGREES, shown, "curve train"),
        curves.text(6, 1.5, "true risk", "test", "end"),
        curves.text(0.2, 0.02, "training error", "train"),
    ]

    wave, points = plane.line(x, WAVE.f(x), "curve grey dashed"), plane.points(np.column_stack([X, y]), "pos")

    def frame(p):
        readout = f"degree {p}: training error {train[p]:.3f}, true risk {plain(true[p])}"
        return (
            readout,
            [wave, plane.line(x, fits[p](x[:, None]), "curve test"), points],
            [*fixed, *curves.here(p, true[p], shown[p])],
        )

    alt = (
        "Left, fifteen noisy points on a wave and the polynomial of least squares. Right, on a logarithmic scale, "
        "training error and true risk against the degree: the first only falls, the second falls and then explodes."
    )
    return Interactive(alt, [Control("degree *p*", DEGREES, 3)], [plane, curves], frame)


def plain(risk):
    """A risk in digits: three behind the point, or two in front of zeros."""
    return f"{risk:.3f}" if risk < 10 else f"{float(f'{risk:.2g}'):,.0f}".replace(",", "\u202f")
