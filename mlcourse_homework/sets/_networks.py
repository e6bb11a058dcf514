"""What the homework on neural networks compares answers with: slow computations, and what classical mistakes give."""

import functools

import numpy as np
from scipy.special import expit

from mlcourse.models.networks.constructed import cube
from mlcourse_homework.engine.answers import array, require
from mlcourse_homework.engine.properties import shape_of


def quietly(answer, *arguments):
    """What the answer returns; an overflow on the way is judged by what comes out."""
    with np.errstate(all="ignore"):
        return answer(*arguments)


def require_shape(value, shape, m, name):
    """A gradient should have the shape of its parameter; a sum over the m examples may be missing, or an axis left."""
    got = shape_of(value)
    why = {(m, *shape): "add over the examples"}
    if len(shape) == 2:
        why[shape[::-1]] = "it is transposed; there is a row for each input"
    if got is not None and [n for n in got if n > 1] == [n for n in shape if n > 1]:
        why.setdefault(got, "drop the extra axis")
    require(got == shape or got not in why, f"{name} has shape {got}, but {name[1]} has shape {shape}: {why.get(got)}.")
    array(value, shape, name)


def units(theta):
    """W, b and v of the units whose parameters are the rows of theta."""
    return theta[:, :-2].T.copy(), theta[:, -2].copy(), theta[:, -1].copy()


def networks(rng):
    """Points and networks (X, theta, c), small ones with integers first; a row of theta is a unit (W_j, b_j, v_j)."""
    for m, d, N in ((1, 1, 1), (1, 1, 1), (1, 2, 1), (2, 1, 2), (3, 2, 2), (5, 3, 4), (6, 4, 3)):
        draw = rng.normal if m > 3 else lambda size: rng.choice((-2.0, -1.0, 1.0, 2.0), size)
        yield draw(size=(m, d)), draw(size=(N, d + 2)), float(draw(size=1)[0]) + 0.5


def sent_back(X, W, b, v, delta, slope=lambda z: 1 - z**2, through=None):
    """The gradients for W, b, v and c if delta is the error at the output; the last two arguments plant mistakes."""
    z = np.tanh(X @ W + b)
    back = np.outer(delta, v if through is None else through) * slope(z)
    return {"dW": X.T @ back, "db": back.sum(axis=0), "dv": z.T @ delta, "dc": delta.sum()}


def gradient_mistakes(X, y, W, b, v, c):
    """What classical mistakes give for the gradients."""
    m, s, back = len(y), np.tanh(X @ W + b) @ v + c, functools.partial(sent_back, X, W, b, v)
    error = -y * expit(-y * s) / m
    return {
        f"it is m = {m} times the right one, the risk is a mean": back(m * error),
        f"it is 1/m = 1/{m} of the right one: the mean is taken twice": back(error / m),
        "the sign is turned": back(-error),
        "the error at the output is -y sigma(-y s), yours has sigma(+y s)": back(-y * expit(y * s) / m),
        "the error at the output lacks the label: it is -y sigma(-y s)": back(-expit(-y * s) / m),
        "sigma(s) - u is for labels u = 0, 1; here they are -1, +1": back((expit(s) - y) / m),
        "that belongs to the square loss": back((s - y) / m),
        "that belongs to the square loss without the factor 1/2": back(2 * (s - y) / m),
        "the slope 1 - z^2 of the hidden units is missing": back(error, np.ones_like),
        "z (1 - z) is the slope of the sigmoid, the units are tanh": back(error, lambda z: z * (1 - z)),
        "z (1 - z) / 2 is the slope of sigma(a/2), the units are tanh": back(error, lambda z: z * (1 - z) / 2),
        "the slope is taken at z instead of at the score": back(error, lambda z: 1 - np.tanh(z) ** 2),
        "the error returns through v, which is missing": back(error, through=np.ones_like(v)),
        "it is zero; this is a parameter like the others": back(0 * error),
    }


SHAPES = {  # an activation and its slope
    "linear": (lambda a: a, np.ones_like),
    "relu": (lambda a: np.maximum(a, 0), lambda a: a > 0),
    "abs": (np.abs, np.sign),
}


@functools.cache
def growth(n, N, activation, way):
    """The factor of the mean square in a layer with n inputs and N units, over all weights -1 and +1."""
    value, slope = SHAPES[activation]
    x, size, W = 2.0 ** np.arange(n), 3.0 ** np.arange(N), cube(n * N).reshape(-1, n, N)  # no score is zero
    a = x @ W
    if way == "forward":
        return (value(a) ** 2).mean() / (x**2).mean()
    g = (slope(a)[:, None] * (cube(N) * size)) @ W.transpose(0, 2, 1)
    return (g**2).mean() / (size**2).mean()


def dropout_mistakes(X, y, p, right):
    """What classical mistakes give for the weights of dropout."""
    m, d = X.shape
    M, r, s, t = X.T @ X / m, X.T @ y / m, np.diag((X**2).mean(axis=0)), (1 - p) / p

    def ridge(strength, matrix=s, factor=1.0):
        return np.linalg.lstsq(factor * M + strength * matrix, factor * r, rcond=None)[0]

    return {
        "these are the weights of least squares: the variance of the prediction is missing": ridge(0),
        "these are weights for dropout without the division by p": right / p,
        "these are p times the right ones; the division by p has taken care of that": p * right,
        "p and 1 - p are exchanged: p is the probability that a unit is kept": ridge(1 / t),
        "the strength p (1 - p) belongs to dropout without the division by p": ridge(p * (1 - p)),
        "the strength is (1 - p)/p, not 1 - p": ridge(1 - p),
        "the strength is (1 - p)/p, not (1 - p)/p^2": ridge(t / p),
        "the strength is (1 - p)/p, yours is half of that": ridge(t / 2),
        "each weight has its own strength, by the mean square of its feature": ridge(t, np.eye(d)),
        "the first term is a sum over the examples, the penalty a mean": ridge(t, factor=m),
        "the penalty is a sum over the examples, the first term a mean": ridge(t * m),
        "the penalty has only the diagonal of X^T X": ridge(t, M),
    }


def sgn(z, size):
    """+1 from zero on, else -1; rounding does not matter, which is small beside the size of the terms of z."""
    return np.where(z >= -1e-12 * size, 1, -1)


def why_not_counting(k, hidden, score, size, want, c, changes):
    """Why a network of sign units is wrong: k inputs are +1, and F changes its value at ``changes``."""
    low, high = max((score - c)[want < 0], default=-np.inf), min((score - c)[want > 0], default=np.inf)
    if low < high - 1e-12 * size:
        allowed = f"at least {0 - high:g} and less than {0 - low:g}"
        return f"Hidden units and v are right, c is not: it must be {allowed}; yours is {c:g}."
    if (np.abs(score) > 1e-12 * size).all() and (sgn(-score, size) == want).all():
        return "It is -F everywhere: for this F, turn the signs of v and c."
    A = np.column_stack([hidden, np.ones(len(k))])
    if np.allclose(A @ np.linalg.lstsq(A, want, rcond=None)[0], want):
        return "The hidden units are right, the output weights v are not."
    if any(len(set(sgn(score[k == n], size))) > 1 for n in k):
        return "The output differs between corners with the same k: give all inputs the same weight."
    rows = [hidden[np.argmax(k == n)] for n in range(k.max() + 1)]
    own = [n for n in range(1, len(rows)) if (rows[n] != rows[n - 1]).any()]
    return f"F changes at k = {changes.tolist()}, your hidden units change at k = {own}."


def n_labellings(Z):
    """How many sign vectors without zeros are (u.z_1, ..., u.z_m), for whole numbers, exactly.

    The signs of the others go with both signs of the last z exactly if they occur among the u with u.z = 0.
    """
    if not Z.any(axis=1).all():
        return 0
    if len(Z) == 1:
        return 2
    *_, z = Z
    i = int(np.argmax(z != 0))
    inside = np.delete(z[i] * Z[:-1] - Z[:-1, [i]] * z, i, axis=1)  # the others as functions on the u with u.z = 0
    return n_labellings(Z[:-1]) + n_labellings(inside)
