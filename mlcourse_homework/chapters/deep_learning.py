"""Checks for the code exercises of the chapter on deep networks."""

import itertools

import numpy as np
from scipy.special import expit

from mlcourse_homework.engine.answers import array, pair, require
from mlcourse_homework.engine.exercise import exercise


def cause(got, causes):
    """The sentence that belongs to the first of the wrong values that was given, if it is one of them."""
    return next((f" {why}" for why, wrong in causes.items() if np.allclose(got, wrong, rtol=1e-7, atol=1e-12)), "")


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
    for (n, f), p in itertools.product(networks(rng), (0.3, 0.8, 0.5, 1.0, 0.0)):
        x = rng.normal(size=n) + np.sign(rng.normal(size=n))

        def seen(z, f=f, n=n):
            return f(array(z, (n,), "what you hand to f, one vector of units at a time,"))

        mean, scaled = pair(answer(seen, x, p), "(mean over the masks, value at p x)")
        mean, scaled = array(mean, (), "the mean over the masks"), array(scaled, (), "the value at p x")
        masks = np.array([*itertools.product((0, 1), repeat=n)])
        kept, values = masks.sum(axis=1), np.array([f(mask * x) for mask in masks])
        right = p**kept * (1 - p) ** (n - kept) @ values
        if not np.isclose(mean, right, rtol=1e-9, atol=1e-11):
            again = pair(answer(seen, x, p), "(mean over the masks, value at p x)")[0]
            plain = values.mean()
            why = cause(
                mean,
                {
                    "All masks have the same weight in your mean: one that keeps j of n has p^j (1-p)^(n-j).": plain,
                    "You drop a unit with probability p; p is the probability that it is kept.": (1 - p) ** kept
                    * p ** (n - kept)
                    @ values,
                    "The weights p^j (1-p)^(n-j) of your masks do not sum to 1: one of the 2^n masks is missing.": p
                    ** kept[1:]
                    * (1 - p) ** (n - kept[1:])
                    @ values[1:],
                    "You divided the kept units by p, another convention: there the test needs no factor.": p**kept
                    * (1 - p) ** (n - kept)
                    @ [f(mask * x / max(p, 1e-3)) for mask in masks],
                    "That is the value at p x, which is only sometimes the mean.": f(p * x),
                },
            )
            why = " Two calls give two numbers: go through all masks, do not draw them." if again != mean else why
            require(
                False,
                f"n = {n} units, p = {p}: the mean over all {2**n} masks is {right:.6g}, "
                f"you say {float(mean):.6g}.{why}",
            )
        why = cause(
            scaled,
            {
                "You multiplied the output by p; the units x are to be multiplied.": p * f(x),
                "You took the units themselves, without the factor p.": f(x),
                "You multiplied by 1 - p; p is the probability that a unit is kept.": f((1 - p) * x),
                "That is the mean over the masks again.": right,
            },
        )
        require(
            np.isclose(scaled, f(p * x), rtol=1e-9, atol=1e-11),
            f"n = {n}, p = {p}: the value at p x is {f(p * x):.6g}, you say {float(scaled):.6g}.{why}",
        )
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
        Z = X - X.mean(axis=0)
        eigenvalues, V = np.linalg.eigh(Z.T @ Z / m)
        least, total, P = eigenvalues[: d - k].sum(), eigenvalues.sum(), W1 @ W2
        loss = np.sum(((X @ W1 + b1) @ W2 + b2 - X) ** 2) / m
        if not loss <= least + 1e-8 * total:
            raw, rows = np.linalg.svd(X)[2][:k], (V[::-1, :][:k].T, V.T[::-1, :k])
            why = ""
            if np.sum((Z - Z @ P) ** 2) / m <= least + 1e-8 * total:
                why = " The directions are right, the biases are not: the mean of the sample must be sent to itself."
            elif np.allclose(P, V[:, :k] @ V[:, :k].T):
                why = " You keep the directions of least variance: eigh sorts the eigenvalues upwards."
            elif np.allclose(P, raw.T @ raw):
                why = " You project on singular vectors of X itself: subtract the mean first."
            elif any(np.allclose(np.sort(np.abs(W1)), np.sort(np.abs(wrong))) for wrong in rows):
                why = " Eigenvectors are the columns of what eigh returns, and the rows of the last part of svd."
            elif not np.allclose(P @ P, P, atol=1e-7):
                why = " W1 W2 is not a projection: whatever the encoder does to the codes, the decoder must undo."
            require(
                False,
                f"m = {m}, d = {d}, k = {k}: your loss is {loss:.6g}, the discarded eigenvalues of the "
                f"covariance sum to {max(least, 0.0):.6g}.{why}",
            )
    return "on 8 samples the loss is the sum of the discarded eigenvalues, the least there is."


@exercise
def filter_matrix(answer, rng):
    """``answer(F, d)`` returns the matrix T with (T x)_i = sum_j F_j x_{i+j}, for every place where F fits."""
    for r, d in ((3, 7), (2, 2), (1, 4), (5, 5), (4, 12), (2, 9), (1, 1)):
        F = rng.normal(size=r)
        n = d - r + 1
        got = answer(F, d)
        got = np.asarray(got.toarray() if hasattr(got, "toarray") else got, dtype=float)  # sparse ones are welcome
        require(got.shape != (d, n) or d == n, "you give the transpose: rows belong to outputs, columns to inputs.")
        require(
            got.shape == (n, d),
            f"a filter of {r} fits into a signal of {d} at {n} places: a matrix of shape "
            f"{(n, d)} is expected, got {got.shape}.",
        )
        right = np.array([[F[c - i] if 0 <= c - i < r else 0.0 for c in range(d)] for i in range(n)])
        turned = np.array([[F[::-1][c - i] if 0 <= c - i < r else 0.0 for c in range(d)] for i in range(n)])
        why = cause(
            got,
            {
                "You flipped the filter, as signal processing does; a layer takes F as it stands.": turned,
                "The filter does not move: row i should be row i-1 shifted by one place to the right.": np.tile(
                    right[0], (n, 1)
                ),
                "The filter moves the wrong way.": right[::-1],
            },
        )
        i = int(np.abs(got - right).max(axis=1).argmax())
        require(
            np.allclose(got, right),
            f"for a filter of {r} and a signal of {d}, row {i} should be "
            f"{right[i].round(3).tolist()}, got {got[i].round(3).tolist()}.{why}",
        )
    return "seven filters stand in their places, one step to the right in each row."


@exercise
def filter_back(answer, rng):
    """``answer(F, g)`` returns the gradient with respect to x of a loss whose gradient in y = T x is g."""
    for r, n in ((3, 5), (1, 4), (4, 1), (2, 8), (5, 3)):
        F, g = rng.normal(size=r), rng.normal(size=n)
        d = n + r - 1
        got = array(answer(F, g), (d,), f"the gradient in x, for {r} weights and {n} outputs,")
        right = np.array([sum(F[c - i] * g[i] for i in range(n) if 0 <= c - i < r) for c in range(d)])
        why = cause(
            got,
            {
                "You used the filter the wrong way round: x_c went to y_i with the weight F_{c-i}.": np.convolve(
                    F[::-1], g
                ),
                "The signal came out backwards.": right[::-1],
            },
        )
        require(
            np.allclose(got, right),
            f"for {r} weights and {n} outputs the gradient should be "
            f"{right.round(3).tolist()}, got {got.round(3).tolist()}.{why}",
        )
    return "it is the product with the transposed matrix, for five filters."


@exercise
def negative_sampling(answer, rng):
    """``answer(v, E, target, negatives)`` returns the loss and its gradients with respect to v and to E."""
    cases = [(0, [3, 1, 4], 1.0), (2, [5, 1, 5, 5], 1.0), (1, [1, 3], 1.0), (4, [], 1.0), (5, [0, 2, 0], 4000.0)]
    for target, drawn, size in cases:
        negatives, v, E = np.array(drawn, dtype=int), rng.normal(size=3) * size, rng.normal(size=(6, 3))
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # judged by what comes out
            got = answer(v, E, target, negatives)
        require(
            isinstance(got, (tuple, list)) and len(got) == 3,
            "three things are expected: the loss, its gradient with respect to v, and with respect to E.",
        )
        loss, dv, dE = array(got[0], (), "the loss"), array(got[1], v.shape, "the gradient with respect to v"), got[2]
        dE = array(dE, E.shape, "the gradient with respect to E, one row for each word,")
        where = f"target {target}, negatives {drawn}"
        finite = np.isfinite(loss) and np.isfinite(dv).all() and np.isfinite(dE).all()
        require(
            finite,
            f"{where}: scores up to {np.abs(E @ v).max():.0f} give inf or nan. ln(1 + e^z) is "
            "np.logaddexp(0, z), and the sigmoid must not compute e^1000.",
        )
        words, sign = np.append(target, negatives), np.array([1.0] + [-1.0] * len(negatives))
        scores = E[words] @ v
        slopes = -sign * expit(-sign * scores)
        right, right_v, right_E = np.logaddexp(0, -sign * scores).sum(), slopes @ E[words], np.zeros_like(E)
        np.add.at(right_E, words, slopes[:, None] * v)
        count = len(words)
        why = cause(
            loss,
            {
                "You took the mean over target and negatives; the loss is a sum.": right / count,
                "You took the mean over the negatives; the loss is a sum.": np.logaddexp(0, -scores[0])
                + np.logaddexp(0, scores[1:]).sum() / max(count - 1, 1),
                "The signs are exchanged: the target should score high, the negatives low.": np.logaddexp(
                    0, sign * scores
                ).sum(),
                "The negatives enter with the sign of the target.": np.logaddexp(0, -scores).sum(),
                "Each different negative was counted once: a word drawn twice counts twice.": np.logaddexp(
                    0, -scores[0]
                )
                + np.logaddexp(0, E[np.unique(negatives)] @ v).sum(),
                "The negative that equals the target was left out: here every draw counts.": np.logaddexp(0, -scores[0])
                + np.logaddexp(0, scores[1:][negatives != target]).sum(),
            },
        )
        require(
            np.isclose(loss, right, rtol=1e-8), f"{where}: the loss is {right:.6g}, you say {float(loss):.6g}.{why}"
        )
        once = np.zeros_like(E)
        once[words] = slopes[:, None] * v  # the last draw of a word wins, with += too
        for name, mine, correct, causes in (
            (
                "v",
                dv,
                right_v,
                {
                    "Only the target pulls in your gradient: the negatives push.": slopes[0] * E[target],
                    "The negatives pull like the target: the slope of ln(1 + e^z) is +sigma(z).": (slopes * sign)
                    @ E[words],
                    "sigma(z) is where 1 - sigma(z) should be.": (-sign * expit(sign * scores)) @ E[words],
                },
            ),
            (
                "E",
                dE,
                right_E,
                {
                    "A word drawn twice was counted once: dE[words] += ... writes each row once, np.add.at adds.": once,
                    "Only the row of the target has a gradient.": np.where(
                        np.arange(len(E))[:, None] == target, slopes[0] * v, 0
                    ),
                },
            ),
        ):
            why = cause(
                mine,
                {
                    "It has the wrong sign: is it the step of descent?": -correct,
                    "It is the gradient of a mean, the loss is a sum.": correct / count,
                }
                | causes,
            )
            require(
                np.allclose(mine, correct, rtol=1e-7, atol=1e-9),
                f"{where}: the gradient with respect to {name} is off by up to "
                f"{np.abs(mine - correct).max():.4g}.{why}",
            )
    return "loss and both gradients are right, with words drawn twice, the target among them, and scores of hundreds."


@exercise
def leaky_gain(answer):
    """``answer(s)`` returns the gain that keeps gradients in layers of leaky relu units with slope s."""
    for s in (0.2, 0.5, 0.0, 0.01, 1.0, -1.0, 3.0):
        got, right, total = array(answer(s), (), "the gain"), 2 / (1 + s**2), 1 + s if s != -1 else np.nan
        why = cause(
            got,
            {
                "That is the gain of the relu, s = 0: negative inputs pass something too.": 2.0,
                "The slopes are squared before they are added, not after.": 2 / total**2,
                "The squared norm counts, so the slopes must be squared.": 2 / total,
                "That is the mean of the squared slopes; the gain is its inverse.": (1 + s**2) / 2,
                "You forgot that each sign has probability 1/2.": 1 / (1 + s**2),
                "That is a standard deviation; the gain is the variance times the number of inputs.": np.sqrt(right),
            },
        )
        require(
            np.isclose(got, right),
            f"slope {s}: with your gain {float(got):.4g} the mean squared norm of the "
            f"gradient is multiplied by {float(got) / right:.4g} in each layer, not by 1.{why}",
        )
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
    fixed = [
        [(3, 1), (2, 2), (3, 1), (2, 2)],
        [(3, 1)],
        [(3, 1)] * 3,
        [(2, 2)] * 3,
        [(3, 1), (2, 2)],
        [(1, 1)],
        [],
        [(5, 2), (3, 2), (1, 1), (3, 1)],
    ]
    drawn = [[(int(a), int(min(a, b))) for a, b in rng.integers(1, 6, size=(n, 2))] for n in rng.integers(1, 7, 30)]
    for layers in fixed + drawn:
        got, right = array(answer(list(layers)), (), "the width"), reach(layers)
        sizes, strides = np.array(layers, dtype=int).reshape(-1, 2).T
        before = np.cumprod(np.append(1, strides))[:-1]
        why = cause(
            got,
            {
                "You forgot the strides: after pooling, a step of one place is a step of two pixels.": 1
                + (sizes - 1).sum(),
                "You added the sizes: neighbouring windows overlap, each layer adds size - 1.": sizes.sum(),
                "You added the sizes: neighbouring windows overlap, each layer adds size - 1 steps.": (
                    sizes * before
                ).sum(),
                "A layer's own stride does not widen what it sees, only what the layers after it see.": 1
                + ((sizes - 1) * before * strides).sum(),
                "The strides of the layers before count, not of those after.": 1
                + ((sizes - 1) * np.cumprod(np.append(1, strides[::-1]))[:-1][::-1]).sum(),
                "That is the product of the sizes: windows overlap.": sizes.prod(),
            },
        )
        require(
            got == right,
            f"layers (size, stride) = {layers}: one output sees {right} pixels in a row, you say {float(got):g}.{why}",
        )
    return f"for {len(fixed + drawn)} stacks of layers it is what one finds by following an output back to the pixels."
