"""Checks for the code exercises of the chapter on neural networks."""

import itertools

import numpy as np
from scipy.special import expit, log_softmax, softmax

from mlcourse.models.networks.constructed import cube
from mlcourse_homework.engine.answers import array, function, pair, require
from mlcourse_homework.engine.question import Question

# --- networks that are written down ----------------------------------------------------------------


def read_layers(answer, d, n_layers):
    """The pairs (W, b) of an answer as arrays whose shapes fit: d inputs, one output."""
    form = ", ".join(f"(W{i}, b{i})" for i in range(1, n_layers + 1))
    listed = isinstance(answer, (tuple, list)) and len(answer) == n_layers
    require(listed, f"{n_layers} pairs {form} are expected, got {answer!r}.")
    pairs, rows = [], d
    for i, layer in enumerate(answer, start=1):
        W, b = pair(layer, f"(W{i}, b{i})")
        if i == n_layers and np.size(W) == rows and np.size(b) == 1:  # of one output we take any shape
            W, b = np.reshape(W, (rows, 1)), np.reshape(b, 1)
        columns = 1 if i == n_layers else np.shape(W)[1] if np.ndim(W) == 2 else np.size(b)
        what = "one row for each of the " + ("inputs" if i == 1 else "units before") + ", one column for each unit"
        require(np.shape(W) == (rows, columns), f"W{i} should have shape {(rows, columns)}, {what}; got {np.shape(W)}.")
        W, b = array(W, (rows, columns), f"W{i}"), array(b, (columns,), f"b{i}")
        require(np.isfinite(W).all() and np.isfinite(b).all(), f"W{i} and b{i} should be finite numbers.")
        pairs, rows = [*pairs, (W, b)], columns
    return pairs


def sgn(z):
    """+1 from zero on, else -1."""
    return np.where(z >= 0, 1.0, -1.0)


@Question
def truth_table(answer):
    """``answer(y)`` returns (W1, b1), (W2, b2) of sign units with value y_i at row i of ``cube(d)``."""
    answer, rng = function(answer, "truth_table(y)"), np.random.default_rng(0)
    tables = [y for d in (2, 1, 3) for y in itertools.product((-1.0, 1.0), repeat=2**d)]
    tables.sort(key=lambda y: len(set(y)) == 1)  # the constants last: they teach least
    tables += [cube(d).prod(axis=1) * s for d in (4, 5, 6) for s in (-1.0, 1.0)]
    tables += [sgn(rng.random(2**d) - share) for d in (4, 5) for share in (0, 0.1, 0.5, 0.9, 1.1) for _ in range(5)]
    for y in map(np.array, tables):
        d = len(y).bit_length() - 1
        (W1, b1), (W2, b2) = read_layers(answer(y.copy()), d, 2)
        at, most = f"d = {d}, y = {y.astype(int).tolist() if d < 4 else '...'}", 2 ** (d - 1)
        hidden, N = sgn(cube(d) @ W1 + b1), W1.shape[1]
        score = (hidden @ W2 + b2)[:, 0]
        if (sgn(score) != y).any():
            require(False, f"{at}: {what_is_wrong(y, score, hidden, b2[0])}")
        waste = " Which of the two values of y is rarer?" if N == (y > 0).sum() or N == (y < 0).sum() else ""
        waste = f" One at each corner is more than needed.{waste}" if N == 2 * most else waste
        require(N <= most, f"{at}: the network is right, but has {N} hidden units; {most} are enough.{waste}")
    return "all 276 tables of up to three inputs and 56 larger ones at every corner, with at most 2^(d-1) hidden units."


def what_is_wrong(y, score, hidden, b2):
    """Why the signs of the scores are not y."""
    i = int(np.argmax(sgn(score) != y))
    wrong = f"at the corner {cube(len(y).bit_length() - 1)[i].tolist()} the output is {sgn(score[i]):+.0f}."
    sums = score - b2
    low, high = max(sums[y < 0], default=-np.inf), min(sums[y > 0], default=np.inf)
    if low < high:
        sides, ends = [], []
        if high < np.inf:
            sides, ends = [f"at least {high:g} where y = +1"], [f"at least {0 - high:g}"]
        if low > -np.inf:
            sides, ends = [*sides, f"at most {low:g} where y = -1"], [*ends, f"less than {0 - low:g}"]
        return (
            f"{wrong} Hidden layer and output weights are right, the output bias is not: the weighted sum "
            f"of the hidden values is {' and '.join(sides)}. So the bias must be {' and '.join(ends)}, yours is "
            f"{b2:g}."
        )
    if (score != 0).all() and (sgn(-score) == y).all():
        return f"{wrong} It is -y everywhere: if the units sit where y = -1, output weights and bias change sign."
    fires = (hidden > 0).sum(axis=0)
    several = np.flatnonzero(fires != 1)
    if len(several):
        return (
            f"{wrong} Hidden unit {several[0]} is +1 at {fires[several[0]]} corners. At x_i the product x.x_i is "
            "d, at every other corner at most d - 2: put the bias between."
        )
    return f"{wrong} Each hidden unit is +1 at one corner: have all these corners the same y, and are they all there?"


@Question
def max_of_four(answer):
    """Three pairs (W, b): two hidden layers of relu units whose output is the largest of four inputs."""
    require(not callable(answer), "the three pairs (W1, b1), (W2, b2), (W3, b3) are expected, not a function.")
    pairs, rng = read_layers(answer, 4, 3), np.random.default_rng(1)
    corners = np.array(list(itertools.product((-1.0, 0.0, 2.0), repeat=4)))
    permuted = np.array(list(itertools.permutations((-4.0, -3.0, 1.0, 5.0))))
    X = np.vstack(
        [
            rng.uniform(0, 3, (300, 4)),
            corners,
            permuted,
            rng.normal(size=(500, 4)) * 5,
            -permuted - 9,
            rng.normal(size=(100, 4)) * 1e6,
            rng.normal(size=(100, 4)) * 1e-3,
        ]
    )
    Z = X
    for W, b in pairs[:-1]:
        Z = np.maximum(Z @ W + b, 0)
    out = (Z @ pairs[-1][0] + pairs[-1][1])[:, 0]
    wrong = np.abs(out - X.max(axis=1)) > 1e-9 * (1 + np.abs(X).max(axis=1))
    if wrong.any():
        i = np.flatnonzero(wrong)[0]
        positive = (X >= 0).all(axis=1)
        hint = (
            " For inputs >= 0 it is right. A relu unit loses the sign: carry a number a as [a]_+ - [-a]_+."
            if not wrong[positive].any()
            else " For inputs below 0 it gives 0: a relu unit loses the sign, carry a number a as [a]_+ - [-a]_+."
            if np.allclose(out[(X < 0).all(axis=1)], 0)
            else ""
        )
        hint = " It is right up to a constant: look at the biases." if np.ptp(out - X.max(axis=1)) < 1e-6 else hint
        hint = (
            " It is the sum of two maxima."
            if np.allclose(out, np.maximum(X[:, 0], X[:, 1]) + np.maximum(X[:, 2], X[:, 3]))
            else hint
        )
        hint = " It is the smallest of them." if np.allclose(out, X.min(axis=1)) else hint
        hint = " It is the largest absolute value." if np.allclose(out, np.abs(X).max(axis=1)) else hint
        shown = np.round(X[i], 3).tolist()
        require(False, f"at x = {shown} the network gives {out[i]:.4g}, the maximum is {X[i].max():.4g}.{hint}")
    widths = " and ".join(str(W.shape[1]) for W, _ in pairs[:-1])
    return f"the maximum at {len(X)} points, ties and all orders among them, with {widths} hidden units."


# --- threshold functions ---------------------------------------------------------------------------


def balanced_corners(y):
    """Two corners with y = +1 and two with y = -1 of the same sum, which no threshold function has; or None."""
    X = cube(len(y).bit_length() - 1)
    sums = {tuple(a + b): (a, b) for a, b in itertools.combinations(X[np.array(y) > 0], 2)}
    for a, b in itertools.combinations(X[np.array(y) < 0], 2):
        if tuple(a + b) in sums:
            return [corner.tolist() for corner in (*sums[tuple(a + b)], a, b)]
    return None


def small_thresholds(d):
    """A dictionary from the tables of all threshold functions of d <= 3 inputs to their weights and bias."""
    tables = {}
    for *w, b in itertools.product(range(-2, 3), repeat=d + 1):
        w, b = 2 * np.array(w), 2 * b - 1  # even sums and an odd bias: no score is zero
        tables.setdefault(tuple(sgn(cube(d) @ w + b)), (w.tolist(), b))
    for s in (-1, 1):
        tables[(float(s),) * 2**d] = ([0] * d, s)
    return tables


@Question
def threshold(answer):
    """``answer(y)`` says whether some sgn(w.x + b) has the value y_i at row i of ``cube(d)``."""
    answer, rng = function(answer, "threshold(y)"), np.random.default_rng(2)

    def verdict(y):
        said = answer(np.array(y))
        is_truth = isinstance(said, (bool, np.bool_, int, np.integer)) and said in (0, 1)
        require(is_truth, f"True or False is expected for y = {np.array(y).astype(int).tolist()}, got {said!r}.")
        return bool(said)

    for d in (1, 2, 3):
        known, tables = small_thresholds(d), list(itertools.product((-1.0, 1.0), repeat=2**d))
        said = [verdict(y) for y in tables]
        count = f"of {d} inputs you count {sum(said)} threshold functions, there are {len(known)}."
        for y, yes in zip(tables, said, strict=True):
            table = [int(v) for v in y]
            if yes and y not in known:
                a, b, c, e = balanced_corners(y)
                require(
                    False,
                    f"{count} You accept {table}. But {a} + {b} = {c} + {e}, with +1 on the left and -1 on "
                    "the right, so the same sum of scores would be positive and negative. If you ask for "
                    "y (w.x + b) >= 0, zero weights satisfy it; ask for >= 1.",
                )
            if not yes and y in known:
                w, b = known[y]
                constant = (
                    " There is a bias, and weights and bias may have any sign (linprog takes unknowns >= 0 "
                    "unless told other bounds)."
                    if len(set(y)) == 1
                    else ""
                )
                require(False, f"{count} You refuse {table}, which w = {w}, b = {b} computes.{constant}")
    for d in (4, 5):
        for _ in range(10):
            w, b = 2 * rng.integers(-5, 6, size=d), 2 * int(rng.integers(-4, 4)) + 1
            y = sgn(cube(d) @ w + b)
            require(verdict(y), f"d = {d}: you refuse the function of w = {w.tolist()}, b = {b}.")
            y = sgn(rng.normal(size=2**d))
            require(
                not verdict(y) or balanced_corners(y) is None,
                f"d = {d}: you accept {y.astype(int).tolist()}, "
                "where two corners with +1 and two with -1 have the same sum.",
            )
    return "4 of 4, 14 of 16 and 104 of 256 functions of one, two and three inputs, and some of four and five."


# --- gradients -------------------------------------------------------------------------------------

VALUES = {"tanh": np.tanh, "sigmoid": expit, "half-sigmoid": lambda a: expit(a / 2)}
SLOPES = {
    "1 - z^2": lambda z: 1 - z * z,
    "z (1 - z)": lambda z: z * (1 - z),
    "z (1 - z) / 2": lambda z: z * (1 - z) / 2,
}
SLOPE = {"tanh": "1 - z^2", "sigmoid": "z (1 - z)", "half-sigmoid": "z (1 - z) / 2"}
PARTS = ("W1", "b1", "W2", "b2")


def gradients(X, y, W1, b1, W2, b2, activation, slope=None, W2_back=None, b1_forward=None, b2_forward=None):
    """The gradients of the mean of (W2.g(W1'x + b1) + b2 - y)^2; what comes after ``activation`` plants a mistake."""
    z = VALUES[activation](X @ W1 + (b1 if b1_forward is None else b1_forward))
    g = 2 * (z @ W2 + (b2 if b2_forward is None else b2_forward) - y) / len(y)
    back = np.outer(g, W2 if W2_back is None else W2_back) * (slope or SLOPES[SLOPE[activation]])(z)
    return X.T @ back, back.sum(axis=0), z.T @ g, g.sum()


def mistakes(X, y, W1, b1, W2, b2, activation):
    """Known mistakes: for each the gradients that it gives and what to say about it."""
    given, own, z = (X, y, W1, b1, W2, b2, activation), SLOPE[activation], VALUES[activation](X @ W1 + b1)
    right = gradients(*given)
    for factor, said in {
        1 / 2: "half the right one: it belongs to the loss (f(x) - y)^2 / 2, here there is no 1/2",
        -1: "the right one with the other sign",
        2: "twice the right one",
        len(y): f"{len(y)} times the right one: the risk is a mean over the examples, not a sum",
        len(y) / 2: f"{len(y)}/2 times the right one: that of half the sum of the losses, the risk is their mean",
        0: "zero; it is a parameter like the others",
    }.items():
        yield [factor * part for part in right], said
    yield gradients(*given, b1_forward=0 * b1), "that of a network without hidden biases: a = x W1 + b1"
    yield gradients(*given, b2_forward=0.0), "that of a network without output bias: f = z.W2 + b2"
    for name, slope in SLOPES.items():
        if name != own:
            twice = (
                "twice too large: g' of sigma(a/2) carries a factor 1/2"
                if (own, name) == ("z (1 - z) / 2", "z (1 - z)")
                else "half the right one: the factor 1/2 belongs to sigma(a/2)"
                if (own, name) == ("z (1 - z)", "z (1 - z) / 2")
                else f"made with {name}"
            )
            yield gradients(*given, slope=slope), f"{twice}. The derivative of {activation} is {own}"
    yield gradients(*given, slope=np.ones_like), f"made without the derivative {own} of the hidden units"
    at_z = SLOPES[own](VALUES[activation](z))
    yield gradients(*given, slope=lambda _: at_z), "made with the derivative at z = g(a) instead of at a"
    yield gradients(*given, W2_back=np.ones_like(W2)), "made without W2, through which the error returns"
    for other in VALUES:
        if other != activation:
            yield gradients(*given[:-1], other), f"that of a network of {other} units"


def instances(rng):
    """Random networks and samples of several shapes, the last with scores in the hundreds."""
    for n, d, N, scale in [(5, 3, 4, 1), (1, 2, 3, 1), (7, 1, 2, 1), (4, 5, 1, 1), (6, 4, 4, 1), (6, 2, 3, 999)]:
        for activation in VALUES:
            yield (
                rng.normal(size=(n, d)) * scale,
                rng.normal(size=n),
                rng.normal(size=(d, N)),
                rng.normal(size=N),
                rng.normal(size=N),
                float(rng.normal()),
                activation,
            )


def copies(given):
    """The same arguments, in new arrays."""
    return [np.copy(part) if isinstance(part, np.ndarray) else part for part in given]


def read_parts(answer, given, name):
    """Four arrays with the shapes of W1, b1, W2, b2."""
    listed = isinstance(answer, (tuple, list)) and len(answer) == 4
    require(listed, f"four arrays, for W1, b1, W2 and b2, are expected, got {answer!r}.")
    shapes = [np.shape(part) for part in given[2:6]]
    b2 = np.reshape(answer[3], ()) if np.shape(answer[3]) == (1,) else answer[3]
    answer = [*answer[:3], b2]
    return [array(part, shape, f"{name}{p}") for part, shape, p in zip(answer, shapes, PARTS, strict=True)]


def close(one, other):
    """Whether two arrays agree up to rounding."""
    return np.allclose(one, other, rtol=1e-7, atol=1e-9)


def moved(given, tau):
    """W1, b1, W2, b2 after a step tau against the gradients."""
    return [w - tau * g for w, g in zip(given[2:6], gradients(*given), strict=True)]


@Question
def two_layer_gradients(answer):
    """``answer(X, y, W1, b1, W2, b2, activation)`` returns the gradients with respect to W1, b1, W2, b2."""
    answer = function(answer, "two_layer_gradients(X, y, W1, b1, W2, b2, activation)")
    for given in instances(np.random.default_rng(3)):
        with np.errstate(all="ignore"):
            got = read_parts(answer(*copies(given)), given, "the gradient of ")
        activation, right = given[-1], gradients(*given)
        n, d = given[0].shape
        at = f"{activation}, {n} examples, {d} inputs, {len(given[4])} units"
        require(
            all(np.isfinite(part).all() for part in got),
            f"{at}: not all gradients are finite numbers; are your "
            "formulas safe for scores in the hundreds? (scipy.special.expit and np.tanh are.)",
        )
        for i in (3, 2, 1, 0):  # from the output back, as the error travels
            if close(got[i], right[i]):
                continue
            said = [
                (all(close(a, b) for a, b in zip(got, wrong, strict=True)), text)
                for wrong, text in mistakes(*given)
                if close(got[i], wrong[i])
            ]
            off, largest = np.abs(got[i] - right[i]).max(), np.abs(right[i]).max()
            text = f"off by up to {off:.3g}, where entries reach {largest:.3g}"
            if said:
                text = max(reversed(said), key=lambda match: match[0])[1]
            require(False, f"{at}: your gradient of {PARTS[i]} is {text}.")
    return "all four gradients, for three activations and six shapes, scores in the hundreds among them."


@Question
def gradient_step(answer):
    """``answer(X, y, W1, b1, W2, b2, activation, tau)`` returns W1, b1, W2, b2 after one step of gradient descent."""
    answer, rng = function(answer, "gradient_step(X, y, W1, b1, W2, b2, activation, tau)"), np.random.default_rng(4)
    for given in instances(rng):
        tau, old = float(rng.uniform(0.05, 0.5)), given[2:6]
        with np.errstate(all="ignore"):
            got = read_parts(answer(*copies(given), tau), given, "the new ")
        X, y, W1, b1, W2, b2, activation = given

        new = moved(given, tau)
        if all(close(a, b) for a, b in zip(got, new, strict=True)):
            continue
        late = gradients(*given, W2_back=new[2])
        later = gradients(X, y, W1, b1, new[2], new[3], activation)
        early = gradients(X, y, new[0], new[1], W2, b2, activation)
        several = "All gradients belong to the old weights: compute them before you change any."
        known = {
            f"the hidden weights moved along a gradient made with the new W2. {several}": [
                W1 - tau * late[0],
                b1 - tau * late[1],
                *new[2:],
            ],
            f"the hidden weights moved along the gradient at the new output weights. {several}": [
                W1 - tau * later[0],
                b1 - tau * later[1],
                *new[2:],
            ],
            f"the output weights moved along the gradient at the new hidden weights. {several}": [
                *new[:2],
                W2 - tau * early[2],
                b2 - tau * early[3],
            ],
            "the weights moved uphill: subtract tau times the gradient.": moved(given, -tau),
            "the weights moved by the gradient, without the factor tau.": moved(given, 1.0),
            "the step is half the right one: the loss is (f(x) - y)^2 without 1/2.": moved(given, tau / 2),
            "the weights are the old ones.": old,
            "the biases did not move.": [new[0], b1, new[2], b2],
        }
        for text, wrong in known.items():
            require(not all(close(a, b) for a, b in zip(got, wrong, strict=True)), f"{activation}: {text}")
        i = next(i for i in (3, 2, 1, 0) if not close(got[i], new[i]))
        require(False, f"{activation}: the new {PARTS[i]} is off by up to {np.abs(got[i] - new[i]).max():.3g}.")
    return "all four move by -tau times their gradients at the old weights."


@Question
def softmax_loss(answer):
    """``answer(scores, y)`` returns the mean of -ln softmax(scores_i)_{y_i} and its gradient."""
    answer, rng = function(answer, "softmax_loss(scores, y)"), np.random.default_rng(5)
    for (n, k), scale in itertools.product([(4, 3), (1, 2), (6, 5), (3, 10), (2, 1)], [1.0, 30.0, 1e4, 1e8]):
        rows = rng.choice([1.0, -1.0, 0.0], size=(n, 1)) * (scale if scale > 1 else 0)
        scores, y = rng.normal(size=(n, k)) * scale + 10 * rows, rng.integers(k, size=n)
        with np.errstate(all="ignore"):
            value, g = pair(answer(scores.copy(), y.copy()), "(value, gradient)")
        value, g = array(value, (), "the value"), array(g, (n, k), "the gradient")
        each, e_y, at = -log_softmax(scores, axis=1)[np.arange(n), y], np.eye(k)[y], f"scores up to {scale:g}"
        right, gradient = each.mean(), (softmax(scores, axis=1) - e_y) / n
        require(
            np.isfinite(value),
            f"{at}: the value is {value}. Subtract from each row its own largest score before "
            "you take exponentials, and do not take the logarithm of a probability that may be rounded to 0.",
        )
        if not np.isclose(value, right, rtol=1e-9, atol=1e-9):
            hint = (
                " You return the sum, the mean is asked for."
                if np.isclose(value, each.sum())
                else " The sign is wrong: the loss is -ln."
                if np.isclose(value, -right)
                else " Did you add something to, or cut off, a probability that was rounded to 0? The loss is "
                "ln(sum_j e^(x_j - M)) - (x_y - M), with M the largest score of the row: no probability is needed."
                if scale > 1 and value < right
                else ""
            )
            require(False, f"{at}: the value is {value:.6g}, it should be {right:.6g}.{hint}")
        require(np.isfinite(g).all(), f"{at}: the gradient is not finite; subtract from each row its largest score.")
        if not np.allclose(g, gradient, rtol=1e-7, atol=1e-10):
            hint = (
                "n times too large: the value is a mean"
                if np.allclose(g, n * gradient)
                else "of the wrong sign"
                if np.allclose(g, -gradient)
                else "softmax / n; the 1 of the own class is not subtracted"
                if np.allclose(g, gradient + e_y / n)
                else "softmax; the 1 of the own class is not subtracted, and the value is a mean"
                if np.allclose(g, n * gradient + e_y)
                else "zero in the other classes; their scores enter the sum"
                if not g[e_y == 0].any()
                else f"off by up to {np.abs(g - gradient).max():.3g}"
            )
            require(False, f"{at}: your gradient is {hint}.")
    return "value and gradient agree for scores up to 10^9, positive and negative."


# --- momentum --------------------------------------------------------------------------------------


def momentum_factor(tau, beta, curvature):
    """The larger modulus of the roots of z^2 - (1 + beta - tau curvature) z + beta."""
    half = (1 + beta - tau * curvature) / 2
    root = np.sqrt(complex(half * half - beta))
    return max(abs(half + root), abs(half - root))


@Question
def fastest_momentum(answer):
    """``answer(mu, L)`` returns tau, beta with the least factor of momentum over curvatures from mu to L."""
    answer = function(answer, "fastest_momentum(mu, L)")
    for mu, L in [(1.0, 100.0), (0.1, 0.9), (3.0, 3.0), (2.0, 2.5), (1e-3, 10.0)]:
        tau, beta = pair(answer(mu, L), "(tau, beta)")
        tau, beta = float(array(tau, (), "tau")), float(array(beta, (), "beta"))
        kappa, at, curvatures = L / mu, f"mu = {mu:g}, L = {L:g}", np.linspace(mu, L, 101)
        best = (np.sqrt(kappa) - 1) / (np.sqrt(kappa) + 1)
        factors = [momentum_factor(tau, beta, curvature) for curvature in curvatures]
        worst = max(factors)
        hint = ""
        if worst >= 1:
            hint = " Stable are |beta| < 1 and 0 < tau < 2 (1 + beta) / L."
        elif beta == 0 and kappa > 1:
            hint = " Without momentum no step does better than (kappa - 1)/(kappa + 1)."
        elif np.isclose(beta, best):
            hint = " In the complex case the modulus of both roots is the root of beta."
        enough = best + 5e-3 * (1 - best)  # at a double root an error of 1e-9 in tau shows in the fifth digit
        require(
            worst <= enough,
            f"{at}: with tau = {tau:.4g}, beta = {beta:.4g} the error along a direction of "
            f"curvature {curvatures[np.argmax(factors)]:.3g} is multiplied by {worst:.4f} a step, in the long run; "
            f"{best:.4f} is possible for all curvatures.{hint}",
        )
    return "the factor is (sqrt(kappa) - 1)/(sqrt(kappa) + 1) for five condition numbers: no choice has a smaller one."
