"""Checks for the code exercises of the chapter on deep networks."""

import itertools

import numpy as np
from scipy.special import expit

from mlcourse_homework.engine.answers import array, number, pair, require
from mlcourse_homework.engine.exercise import because, exercise, known, things


def networks(rng):
    """Functions of n units, each with its n: one hidden layer, a product, a kink, an affine and a discontinuous one."""
    for n in (4, 1, 2, 6):
        W, v = rng.normal(size=(n, 5)), rng.normal(size=5)
        yield n, lambda z, W=W, v=v: np.tanh(z @ W + 0.3) @ v
    yield 3, lambda z: z[0] * z[1] - z[2] + 2.0
    yield 2, lambda z: max(z[0] - z[1], 0.0)
    yield 5, lambda z: z.sum() - 1.0
    yield 3, lambda z: float(np.count_nonzero(z) == 2)


@exercise
def mask_mean(answer, rng):
    """``answer(f, x, p)`` returns the mean of f(mask x) over all masks, each with its probability, and f(p x)."""
    form = "(mean over the masks, value at p x)"
    for (n, f), p in itertools.product(networks(rng), (0.3, 0.8, 0.5, 1.0, 0.0)):
        x = rng.normal(size=n) + np.sign(rng.normal(size=n))

        def seen(z, f=f, n=n):
            return f(array(z, (n,), "what you hand to f, one vector of units at a time,"))

        mean, scaled = pair(answer(seen, x, p), form)
        masks = np.array([*itertools.product((0, 1), repeat=n)])
        kept, values = masks.sum(axis=1), np.array([f(mask * x) for mask in masks])
        weights, turned = p**kept * (1 - p) ** (n - kept), (1 - p) ** kept * p ** (n - kept)
        right, divided = weights @ values, weights @ [f(mask * x / max(p, 1e-3)) for mask in masks]
        mean, at = array(mean, (), "the mean over the masks"), f"n = {n} units, p = {p}"
        if not np.isclose(mean, right, rtol=1e-9, atol=1e-11):
            why = known(
                mean,
                (values.mean(), "All masks have the same weight: one that keeps j of n should have p^j (1-p)^(n-j)."),
                (turned @ values, "You drop a unit with probability p; p is the probability that it is kept."),
                (weights[1:] @ values[1:], "The weights of your masks do not sum to 1: one mask is missing."),
                (divided, "You divided the kept units by p, another convention: there the test needs no factor."),
                (f(p * x), "That is the value at p x, which is only sometimes the mean."),
            )
            drawn = pair(answer(seen, x, p), form)[0] != mean
            why = " Two calls give two numbers: go through all masks, do not draw them." if drawn else why
            require(False, f"the mean over all {2**n} masks is not right.{why}", at, mean, right)
        scaled = array(scaled, (), "the value at p x")
        why = known(
            scaled,
            (p * f(x), "You multiplied the output by p; the units x are to be multiplied."),
            (f(x), "You took the units themselves, without the factor p."),
            (f((1 - p) * x), "You multiplied by 1 - p; p is the probability that a unit is kept."),
            (right, "That is the mean over the masks again."),
        )
        fits = np.isclose(scaled, f(p * x), rtol=1e-9, atol=1e-11)
        require(fits, f"the value at p x is not right.{why}", at, scaled, f(p * x))
    return "the mean over all masks and the scaled network are right for 8 functions and 5 values of p."


def samples(rng):
    """Samples and numbers of units, among them flat ones, equal eigenvalues, a far mean, and as many units as d."""
    for m, d, k in ((30, 5, 2), (12, 4, 1), (4, 6, 2), (20, 3, 3), (50, 8, 7)):
        yield rng.normal(size=(m, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d) * 2, k
    yield np.vstack([np.eye(4), -np.eye(4)]), 2
    yield 1e3 + rng.normal(size=(25, 4)) * [3.0, 2.0, 1.0, 0.5], 2
    yield np.outer(rng.normal(size=15), [1.0, 2.0, -1.0]) + 1.0, 2


@exercise
def linear_autoencoder(answer, rng):
    """``answer(X, k)`` returns ((W1, b1), (W2, b2)) such that (X W1 + b1) W2 + b2 is as near to X as possible."""
    for X, k in samples(rng):
        m, d = X.shape
        encoder, decoder = pair(answer(X, k), "((W1, b1), (W2, b2))")
        (W1, b1), (W2, b2) = pair(encoder, "(W1, b1) of the encoder"), pair(decoder, "(W2, b2) of the decoder")
        W1, b1 = array(W1, (d, k), "W1"), array(b1, (k,), "b1")
        W2, b2 = array(W2, (k, d), "W2"), array(b2, (d,), "b2")
        Z, P, raw = X - X.mean(axis=0), W1 @ W2, np.linalg.svd(X)[2][:k]
        eigenvalues, V = np.linalg.eigh(Z.T @ Z / m)
        least, enough = eigenvalues[: d - k].sum(), eigenvalues[: d - k].sum() + 1e-8 * eigenvalues.sum()
        rows = V[::-1, :][:k].T, V.T[::-1, :k]
        turned = any(np.allclose(np.sort(np.abs(W1)), np.sort(np.abs(wrong))) for wrong in rows)
        loss, should = np.sum(((X @ W1 + b1) @ W2 + b2 - X) ** 2) / m, f"{max(least, 0.0):.6g}, the least there is"
        why = because(
            (np.sum((Z - Z @ P) ** 2) / m <= enough, "The directions are right, the biases are not: keep the mean."),
            (np.allclose(P, V[:, :k] @ V[:, :k].T), "You keep the directions of least variance: eigh sorts upwards."),
            (np.allclose(P, raw.T @ raw), "You project on singular vectors of X itself: subtract the mean first."),
            (turned, "Eigenvectors are the columns of what eigh returns, and the rows of the last part of svd."),
            (not np.allclose(P @ P, P, atol=1e-7), "W1 W2 is not a projection: the decoder must undo the encoder."),
        )
        message = "your loss is not the sum of the discarded eigenvalues of the covariance."
        require(loss <= enough, message + why, f"m = {m}, d = {d}, k = {k}", loss, should)
    return "on 8 samples the loss is the sum of the discarded eigenvalues, the least there is."


def shifted(F, n):
    """The matrix whose n rows are the filter, one step further to the right in each."""
    return np.array([np.pad(F, (i, n - 1 - i)) for i in range(n)])


@exercise
def filter_matrix(answer, rng):
    """``answer(F, d)`` returns the matrix T with (T x)_i = sum_j F_j x_{i+j}, for every place where F fits."""
    for r, d in ((3, 7), (2, 2), (1, 4), (5, 5), (4, 12), (2, 9), (1, 1)):
        F, n = rng.normal(size=r), d - r + 1
        got, right = answer(F, d), shifted(F, n)
        got = np.asarray(got.toarray() if hasattr(got, "toarray") else got, dtype=float)  # sparse ones are welcome
        require(got.shape != (d, n) or d == n, "you give the transpose: rows belong to outputs, columns to inputs.")
        places = f"a filter of {r} fits into a signal of {d} at {n} places"
        require(got.shape == (n, d), f"{places}: a matrix of shape {(n, d)} is expected, got {got.shape}.")
        still = np.tile(right[0], (n, 1))
        why = known(
            got,
            (shifted(F[::-1], n), "You flipped the filter, as signal processing does; a layer takes F as it stands."),
            (still, "The filter does not move: row i should be row i-1 shifted by one place to the right."),
            (right[::-1], "The filter moves the wrong way."),
        )
        i = int(np.abs(got - right).max(axis=1).argmax())
        require(np.allclose(got, right), f"row {i} of the matrix is not right.{why}", places, got[i], right[i])
    return "seven filters stand in their places, one step to the right in each row."


@exercise
def filter_back(answer, rng):
    """``answer(F, g)`` returns the gradient with respect to x of a loss whose gradient in y = T x is g."""
    for r, n in ((3, 5), (1, 4), (4, 1), (2, 8), (5, 3)):
        F, g = rng.normal(size=r), rng.normal(size=n)
        at, right = f"{r} weights and {n} outputs", shifted(F, n).T @ g
        got = array(answer(F, g), right.shape, f"the gradient in x, for {at},")
        turned = "You used the filter the wrong way round: x_c went to y_i with the weight F_{c-i}."
        why = known(got, (shifted(F[::-1], n).T @ g, turned), (right[::-1], "The signal came out backwards."))
        require(np.allclose(got, right), f"the gradient in x is not right.{why}", at, got, right)
    return "it is the product with the transposed matrix, for five filters."


@exercise
def negative_sampling(answer, rng):
    """``answer(v, E, target, negatives)`` returns the loss and its gradients with respect to v and to E."""
    cases = [(0, [3, 1, 4], 1.0), (2, [5, 1, 5, 5], 1.0), (1, [1, 3], 1.0), (4, [], 1.0), (5, [0, 2, 0], 4000.0)]
    for target, drawn, size in cases:
        negatives, v, E = np.array(drawn, dtype=int), rng.normal(size=3) * size, rng.normal(size=(6, 3))
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # judged by what comes out
            got = things(answer(v, E, target, negatives), 3, "(loss, its gradient with respect to v, and to E)")
        loss, dv = array(got[0], (), "the loss"), array(got[1], v.shape, "the gradient with respect to v")
        dE, at = array(got[2], E.shape, "dE, one row for each word,"), f"target {target}, negatives {drawn}"
        finite = np.isfinite(loss) and np.isfinite(dv).all() and np.isfinite(dE).all()
        safe = "ln(1 + e^z) is np.logaddexp(0, z), and the sigmoid must not compute e^1000."
        require(finite, f"scores up to {np.abs(E @ v).max():.0f} give inf or nan: {safe}", at)
        words, sign, count = np.append(target, negatives), np.array([1.0] + [-1.0] * len(negatives)), 1 + len(drawn)
        scores, own, others = E[words] @ v, np.logaddexp(0, -E[target] @ v), np.logaddexp(0, E[negatives] @ v)
        slopes, right = -sign * expit(-sign * scores), own + others.sum()
        once = own + np.logaddexp(0, E[np.unique(negatives)] @ v).sum()
        why = known(
            loss,
            (right / count, "You took the mean over target and negatives; the loss is a sum."),
            (own + others.sum() / max(count - 1, 1), "You took the mean over the negatives; the loss is a sum."),
            (np.logaddexp(0, sign * scores).sum(), "The signs are exchanged: only the target should score high."),
            (np.logaddexp(0, -scores).sum(), "The negatives enter with the sign of the target."),
            (once, "Each different negative was counted once: a word drawn twice counts twice."),
            (own + others[negatives != target].sum(), "You left out a negative, the target: every draw counts."),
        )
        require(np.isclose(loss, right, rtol=1e-8), f"the loss is not right.{why}", at, loss, right)
        right_E, last = np.zeros_like(E), np.zeros_like(E)
        np.add.at(right_E, words, slopes[:, None] * v)
        last[words] = slopes[:, None] * v  # the last draw of a word wins, with += too
        swapped, right_v = -sign * expit(sign * scores), slopes @ E[words]
        only = np.where(np.arange(len(E))[:, None] == target, slopes[0] * v, 0)
        for name, mine, correct, *mistakes in (
            (
                "v",
                dv,
                right_v,
                (slopes[0] * E[target], "Only the target pulls in your gradient: the negatives push."),
                ((slopes * sign) @ E[words], "The negatives pull too: the slope of ln(1 + e^z) is +sigma(z)."),
                (swapped @ E[words], "sigma(z) is where 1 - sigma(z) should be."),
            ),
            (
                "E",
                dE,
                right_E,
                (last, "A word drawn twice was counted once: dE[words] += ... writes each row once, np.add.at adds."),
                (only, "Only the row of the target has a gradient."),
            ),
        ):
            step = "It has the wrong sign: is it the step of descent?"
            why = known(
                mine, (-correct, step), (correct / count, "It is the gradient of a mean, not of a sum."), *mistakes
            )
            off, right = np.abs(mine - correct).max(), np.allclose(mine, correct, rtol=1e-7, atol=1e-9)
            require(right, f"the gradient with respect to {name} is off by up to {off:.4g}.{why}", at, mine, correct)
    return "loss and both gradients are right, with words drawn twice, the target among them, and scores of hundreds."


@exercise
def leaky_gain(answer):
    """``answer(s)`` returns the gain that keeps gradients in layers of leaky relu units with slope s."""
    for s in (0.2, 0.5, 0.0, 0.01, 1.0, -1.0, 3.0):
        got, right, total = number(answer(s), "the gain"), 2 / (1 + s**2), 1 + s if s != -1 else np.nan
        why = known(
            got,
            (2.0, "That is the gain of the relu, s = 0: negative inputs pass something too."),
            (2 / total**2, "The slopes are squared before they are added, not after."),
            (2 / total, "The squared norm counts, so the slopes must be squared."),
            (1 / right, "That is the mean of the squared slopes; the gain is its inverse."),
            (right / 2, "You forgot that each sign has probability 1/2."),
            (right**0.5, "That is a standard deviation; the gain is the variance times the number of inputs."),
        )
        factor = f"the mean squared norm of the gradient is multiplied by {got / right:.4g} in each layer, not by 1."
        require(np.isclose(got, right), factor + why, f"slope {s}", got)
    return "the mean squared norm of the gradient passes every layer unchanged, also for the linear unit and for |x|."


def reach(layers):
    """How wide the inputs of one output are, by following it back: the first and the last of them."""
    first = last = 0
    for size, stride in reversed(layers):
        first, last = first * stride, last * stride + size - 1
    return last - first + 1


@exercise
def receptive_field(answer, rng):
    """``answer(layers)`` returns the width of what one output sees; ``layers`` are pairs (size, stride)."""
    fixed = [[(3, 1), (2, 2), (3, 1), (2, 2)], [(3, 1)], [(3, 1)] * 3, [(2, 2)] * 3, [(3, 1), (2, 2)], [(1, 1)], []]
    fixed += [[(5, 2), (3, 2), (1, 1), (3, 1)]]
    drawn = [[(int(a), int(min(a, b))) for a, b in rng.integers(1, 6, size=(n, 2))] for n in rng.integers(1, 7, 30)]
    for layers in fixed + drawn:
        got, right = array(answer(layers), (), "the width"), reach(layers)
        sizes, strides = np.array(layers, dtype=int).reshape(-1, 2).T
        before, after = (np.cumprod(np.append(1, way))[:-1] for way in (strides, strides[::-1]))
        overlap = "You added the sizes: neighbouring windows overlap, each layer adds size - 1"
        own = 1 + ((sizes - 1) * before * strides).sum()
        why = known(
            got,
            (1 + (sizes - 1).sum(), "You forgot the strides: after pooling, a step is a step of two pixels."),
            (sizes.sum(), f"{overlap}."),
            ((sizes * before).sum(), f"{overlap} steps."),
            (own, "A layer's own stride does not widen what it sees, only what the layers after it see."),
            (1 + ((sizes - 1) * after[::-1]).sum(), "The strides of the layers before count, not of those after."),
            (sizes.prod(), "That is the product of the sizes: windows overlap."),
        )
        require(got == right, f"one output sees {right} pixels in a row.{why}", f"(size, stride) = {layers}", got)
    return f"for {len(fixed + drawn)} stacks of layers it is what one finds by following an output back to the pixels."
