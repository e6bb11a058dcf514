"""Checks for the code exercises of the chapter on neural networks."""

import itertools

import numpy as np
from scipy.special import expit, log_softmax, softmax

from mlcourse.models.linear.linear_separation import augmented, separator
from mlcourse.models.networks.constructed import cube
from mlcourse_homework.engine.answers import array, pair, require, two_numbers
from mlcourse_homework.engine.exercise import because, exercise, things

# --- networks that are written down ----------------------------------------------------------------


def read_layers(answer, d, n_layers):
    """The pairs (W, b) of an answer as arrays whose shapes fit: d inputs, one output."""
    pairs, rows = [], d
    form = ", ".join(f"(W{i}, b{i})" for i in range(1, n_layers + 1))
    for i, layer in enumerate(things(answer, n_layers, form), start=1):
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


@exercise
def truth_table(answer, rng):
    """``answer(y)`` returns (W1, b1), (W2, b2) of sign units with value y_i at row i of ``cube(d)``."""
    tables = [y for d in (2, 1, 3) for y in itertools.product((-1.0, 1.0), repeat=2**d)]
    tables.sort(key=lambda y: len(set(y)) == 1)  # the constants last: they teach least
    tables += [cube(d).prod(axis=1) * s for d in (4, 5, 6) for s in (-1.0, 1.0)]
    tables += [sgn(rng.random(2**d) - share) for d in (4, 5) for share in (0, 0.1, 0.5, 0.9, 1.1) for _ in range(5)]
    for y in map(np.array, tables):
        d = len(y).bit_length() - 1
        (W1, b1), (W2, b2) = read_layers(answer(y), d, 2)
        at, most = f"d = {d}, y = {y.astype(int).tolist() if d < 4 else '...'}", 2 ** (d - 1)
        hidden, N = sgn(cube(d) @ W1 + b1), W1.shape[1]
        score = (hidden @ W2 + b2)[:, 0]
        if (sgn(score) != y).any():
            require(False, f"{at}: {what_is_wrong(y, score, hidden, b2[0])}")
        waste = " One at each corner is more than needed." if N == 2 * most else ""
        waste += " Which of the two values of y is rarer?" if N in ((y > 0).sum(), (y < 0).sum()) else ""
        require(N <= most, f"{at}: the network is right, but has {N} hidden units; {most} are enough.{waste}")
    return "all 276 tables of up to three inputs and 56 larger ones at every corner, with at most 2^(d-1) hidden units."


def what_is_wrong(y, score, hidden, b2):
    """Why the signs of the scores are not y."""
    i, sums = int(np.argmax(sgn(score) != y)), score - b2
    wrong = f"at the corner {cube(len(y).bit_length() - 1)[i].tolist()} the output is {sgn(score[i]):+.0f}."
    low, high = max(sums[y < 0], default=-np.inf), min(sums[y > 0], default=np.inf)
    if low < high:
        known = slice(int(high == np.inf), 1 + int(low > -np.inf))
        ends = [f"at least {0 - high:g}", f"less than {0 - low:g}"][known]
        sums = " and ".join([f"at least {high:g} where y = +1", f"at most {low:g} where y = -1"][known])
        return (
            f"{wrong} Hidden layer and output weights are right, the output bias is not: the weighted sum of the "
            f"hidden values is {sums}. So the bias must be {' and '.join(ends)}, yours is {b2:g}."
        )
    if (score != 0).all() and (sgn(-score) == y).all():
        return f"{wrong} It is -y everywhere: if the units sit where y = -1, output weights and bias change sign."
    fires = (hidden > 0).sum(axis=0)
    if (fires != 1).any():
        unit = np.flatnonzero(fires != 1)[0]
        where = "At x_i the product x.x_i is d, at every other corner at most d - 2: put the bias between."
        return f"{wrong} Hidden unit {unit} is +1 at {fires[unit]} corners. {where}"
    return f"{wrong} Each hidden unit is +1 at one corner: have all these corners the same y, and are they all there?"


@exercise
def max_of_four(answer, rng):
    """Three pairs (W, b): two hidden layers of relu units whose output is the largest of four inputs."""
    require(not callable(answer), "the three pairs (W1, b1), (W2, b2), (W3, b3) are expected, not a function.")
    pairs = read_layers(answer, 4, 3)
    corners = np.array(list(itertools.product((-1.0, 0.0, 2.0), repeat=4)))
    permuted = np.array(list(itertools.permutations((-4.0, -3.0, 1.0, 5.0))))
    drawn = [size * rng.normal(size=(n, 4)) for size, n in ((5, 500), (1e6, 100), (1e-3, 100))]
    Z = X = np.vstack([rng.uniform(0, 3, (300, 4)), corners, permuted, -permuted - 9, *drawn])
    for W, b in pairs[:-1]:
        Z = np.maximum(Z @ W + b, 0)
    out, largest = (Z @ pairs[-1][0] + pairs[-1][1])[:, 0], X.max(axis=1)
    wrong = np.abs(out - largest) > 1e-9 * (1 + np.abs(X).max(axis=1))
    lost = "a relu unit loses the sign, carry a number a as [a]_+ - [-a]_+."
    why = because(
        (np.allclose(out, np.abs(X).max(axis=1)), "It is the largest absolute value."),
        (np.allclose(out, X.min(axis=1)), "It is the smallest of them."),
        (np.allclose(out, X[:, :2].max(axis=1) + X[:, 2:].max(axis=1)), "It is the sum of two maxima."),
        (np.ptp(out - largest) < 1e-6, "It is right up to a constant: look at the biases."),
        (not wrong[(X >= 0).all(axis=1)].any(), f"For inputs >= 0 it is right: {lost}"),
        (np.allclose(out[(X < 0).all(axis=1)], 0), f"For inputs below 0 it gives 0: {lost}"),
    )
    i = int(wrong.argmax())
    at = f"at x = {np.round(X[i], 3).tolist()} the network gives {out[i]:.4g}, the maximum is {largest[i]:.4g}."
    require(not wrong.any(), at + why)
    widths = " and ".join(str(W.shape[1]) for W, _ in pairs[:-1])
    return f"the maximum at {len(X)} points, ties and all orders among them, with {widths} hidden units."


# --- threshold functions ---------------------------------------------------------------------------


def balanced_corners(y):
    """Two corners with y = +1 and two with -1 of one sum, or None: only threshold functions have none, up to d = 3."""
    X = cube(len(y).bit_length() - 1)
    sums = {tuple(a + b): (a, b) for a, b in itertools.combinations(X[np.array(y) > 0], 2)}
    for a, b in itertools.combinations(X[np.array(y) < 0], 2):
        if tuple(a + b) in sums:
            return [corner.tolist() for corner in (*sums[tuple(a + b)], a, b)]
    return None


@exercise
def threshold(answer, rng):
    """``answer(y)`` says whether some sgn(w.x + b) has the value y_i at row i of ``cube(d)``."""

    def accepts(y):
        said = answer(np.array(y))
        is_truth = isinstance(said, (bool, np.bool_, int, np.integer)) and said in (0, 1)
        require(is_truth, f"True or False is expected for y = {np.array(y).astype(int).tolist()}, got {said!r}.")
        return bool(said)

    for d in (1, 2, 3):
        tables = list(itertools.product((-1.0, 1.0), repeat=2**d))
        said, corners = [accepts(y) for y in tables], [balanced_corners(y) for y in tables]
        count = f"of {d} inputs you count {sum(said)} threshold functions, there are {corners.count(None)}."
        for y, yes, found in zip(tables, said, corners, strict=True):
            table = str([int(v) for v in y])
            if yes and found:
                a, b, c, e = found
                sums = f"{a} + {b} = {c} + {e}, with +1 left and -1 right: one sum of scores, positive and negative"
                zero = "If you ask for y (w.x + b) >= 0, zero weights satisfy it; ask for >= 1."
                require(False, f"{count} You accept one that is none. {zero}", table, True, sums)
            if not yes and not found:
                bias = "There is a bias, and both may have any sign (linprog takes unknowns >= 0 by default)."
                *w, b = separator(augmented(cube(d)), y)
                why = because((len(set(y)) == 1, bias))
                require(False, f"{count} You refuse one.{why}", table, False, f"w = {np.round(w, 2)}, b = {b:.2f}")
    for d in (4, 5):
        for _ in range(10):
            w, b = 2 * rng.integers(-5, 6, size=d), 2 * int(rng.integers(-4, 4)) + 1
            require(accepts(sgn(cube(d) @ w + b)), f"d = {d}: you refuse the function of w = {w.tolist()}, b = {b}.")
            y = sgn(rng.normal(size=2**d))
            why = f"{y.astype(int).tolist()}, where two corners with +1 and two with -1 have the same sum."
            require(not accepts(y) or balanced_corners(y) is None, f"d = {d}: you accept {why}")
    return "4 of 4, 14 of 16 and 104 of 256 functions of one, two and three inputs, and some of four and five."


# --- gradients -------------------------------------------------------------------------------------

VALUES = {"tanh": np.tanh, "sigmoid": expit, "half-sigmoid": lambda a: expit(a / 2)}
SLOPES = {
    "1 - z^2": lambda z: 1 - z * z,
    "z (1 - z)": lambda z: z * (1 - z),
    "z (1 - z) / 2": lambda z: z * (1 - z) / 2,
}
SLOPE = dict(zip(VALUES, SLOPES, strict=True))
HALVES = {  # the factor 1/2 of sigma(a/2) where it does not belong, or not where it does
    ("z (1 - z) / 2", "z (1 - z)"): "twice too large: g' of sigma(a/2) carries a factor 1/2",
    ("z (1 - z)", "z (1 - z) / 2"): "half the right one: the factor 1/2 belongs to sigma(a/2)",
}
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
    for name in [name for name in SLOPES if name != own]:
        said = HALVES.get((own, name), f"made with {name}")
        yield gradients(*given, slope=SLOPES[name]), f"{said}. The derivative of {activation} is {own}"
    yield gradients(*given, slope=np.ones_like), f"made without the derivative {own} of the hidden units"
    at_z = SLOPES[own](VALUES[activation](z))
    yield gradients(*given, slope=lambda _: at_z), "made with the derivative at z = g(a) instead of at a"
    yield gradients(*given, W2_back=np.ones_like(W2)), "made without W2, through which the error returns"
    for other in [other for other in VALUES if other != activation]:
        yield gradients(*given[:-1], other), f"that of a network of {other} units"


def instances(rng):
    """Random networks and samples of several shapes, the last with scores in the hundreds."""
    for n, d, N, scale in [(5, 3, 4, 1), (1, 2, 3, 1), (7, 1, 2, 1), (4, 5, 1, 1), (6, 4, 4, 1), (6, 2, 3, 999)]:
        for activation in VALUES:
            X, y, *weights = (rng.normal(size=shape) for shape in ((n, d), n, (d, N), N, N))
            yield scale * X, y, *weights, float(rng.normal()), activation


def read_parts(answer, given, name):
    """Four arrays with the shapes of W1, b1, W2, b2."""
    *parts, b2 = things(answer, 4, "for W1, b1, W2 and b2")
    parts.append(np.reshape(b2, ()) if np.shape(b2) == (1,) else b2)
    return [array(p, np.shape(old), name + label) for p, old, label in zip(parts, given[2:6], PARTS, strict=True)]


def same(one, other):
    """Whether all parts agree up to rounding."""
    return all(np.allclose(a, b, rtol=1e-7, atol=1e-9) for a, b in zip(one, other, strict=True))


def moved(given, tau, g=None):
    """W1, b1, W2, b2 after a step tau against the gradients, or against other ones."""
    return [w - tau * part for w, part in zip(given[2:6], g or gradients(*given), strict=True)]


@exercise
def two_layer_gradients(answer, rng):
    """``answer(X, y, W1, b1, W2, b2, activation)`` returns the gradients with respect to W1, b1, W2, b2."""
    for given in instances(rng):
        with np.errstate(all="ignore"):
            got = read_parts(answer(*given), given, "the gradient of ")
        (n, d), activation, right = given[0].shape, given[-1], gradients(*given)
        at = f"{activation}, {n} examples, {d} inputs, {len(given[4])} units"
        safe = "are your formulas safe for scores in the hundreds? (scipy.special.expit and np.tanh are.)"
        require(all(np.isfinite(p).all() for p in got), f"{at}: not all gradients are finite numbers; {safe}")
        wrong = [i for i in (3, 2, 1, 0) if not same([got[i]], [right[i]])]  # the output first, as errors travel
        if wrong:
            i = wrong[0]
            said = [(same(got, g), text) for g, text in mistakes(*given) if same([got[i]], [g[i]])]
            off = (False, f"off by up to {np.abs(got[i] - right[i]).max():.3g}")
            text = max(reversed([off, *said]), key=lambda match: match[0])[1]  # rather one that explains all parts
            require(False, f"{at}: your gradient of {PARTS[i]} is {text}.", "", got[i], right[i])
    return "all four gradients, for three activations and six shapes, scores in the hundreds among them."


@exercise
def gradient_step(answer, rng):
    """``answer(X, y, W1, b1, W2, b2, activation, tau)`` returns W1, b1, W2, b2 after one step of gradient descent."""
    for given in instances(rng):
        tau = float(rng.uniform(0.05, 0.5))
        with np.errstate(all="ignore"):
            got = read_parts(answer(*given, tau), given, "the new ")
        new = moved(given, tau)
        if same(got, new):
            continue
        X, y, W1, b1, W2, b2, activation = given
        late = moved(given, tau, gradients(*given, W2_back=new[2]))
        later = moved(given, tau, gradients(X, y, W1, b1, *new[2:], activation))
        last = moved(given, tau, gradients(X, y, *new[:2], W2, b2, activation))
        early = " All gradients belong to the old weights: compute them before you change any."
        text = because(
            (same(got, late[:2] + new[2:]), f"the hidden weights moved along a gradient made with the new W2.{early}"),
            (same(got, later[:2] + new[2:]), f"the hidden weights moved along that at the new output weights.{early}"),
            (same(got, new[:2] + last[2:]), f"the output weights moved along that at the new hidden weights.{early}"),
            (same(got, moved(given, -tau)), "the weights moved uphill: subtract tau times the gradient."),
            (same(got, moved(given, 1.0)), "the weights moved by the gradient, without the factor tau."),
            (same(got, moved(given, tau / 2)), "the step is half the right one: the loss is (f(x) - y)^2 without 1/2."),
            (same(got, given[2:6]), "the weights are the old ones."),
            (same(got, [new[0], b1, new[2], b2]), "the biases did not move."),
        )
        i = max(i for i in range(4) if not same([got[i]], [new[i]]))
        off = f" the new {PARTS[i]} is off by up to {np.abs(got[i] - new[i]).max():.3g}."
        require(False, f"{activation}:{text or off}")
    return "all four move by -tau times their gradients at the old weights."


@exercise
def softmax_loss(answer, rng):
    """``answer(scores, y)`` returns the mean of -ln softmax(scores_i)_{y_i} and its gradient."""
    for (n, k), scale in itertools.product([(4, 3), (1, 2), (6, 5), (3, 10), (2, 1)], [1.0, 30.0, 1e4, 1e8]):
        rows = rng.choice([1.0, -1.0, 0.0], size=(n, 1)) * (scale if scale > 1 else 0)
        scores, y = rng.normal(size=(n, k)) * scale + 10 * rows, rng.integers(k, size=n)
        with np.errstate(all="ignore"):
            value, g = pair(answer(scores, y), "(value, gradient)")
        value, g = array(value, (), "the value"), array(g, (n, k), "the gradient")
        each, e_y, at = -log_softmax(scores, axis=1)[np.arange(n), y], np.eye(k)[y], f"scores up to {scale:g}"
        right, gradient = each.mean(), (softmax(scores, axis=1) - e_y) / n
        safe = "subtract from each row its own largest score, and take no logarithm of a probability rounded to 0."
        require(np.isfinite(value), f"{at}: the value is {value}. Before you take exponentials {safe}")
        cut = "Did you add something to, or cut off, a probability that was rounded to 0? no probability is needed,"
        why = because(
            (np.isclose(value, each.sum()), "You return the sum, the mean is asked for."),
            (np.isclose(value, -right), "The sign is wrong: the loss is -ln."),
            (scale > 1 and value < right, f"{cut} the loss is ln(sum_j e^(x_j - M)) - (x_y - M), M the row's largest."),
        )
        right_value = np.isclose(value, right, rtol=1e-9, atol=1e-9)
        require(right_value, f"{at}: the value is {value:.6g}, it should be {right:.6g}.{why}")
        require(np.isfinite(g).all(), f"{at}: the gradient is not finite; subtract from each row its largest score.")
        why = because(
            (np.allclose(g, n * gradient), "n times too large: the value is a mean."),
            (np.allclose(g, -gradient), "of the wrong sign."),
            (np.allclose(g, gradient + e_y / n), "softmax / n; the 1 of the own class is not subtracted."),
            (np.allclose(g, n * gradient + e_y), "softmax; the 1 of the own class is missing, the value is a mean."),
            (not g[e_y == 0].any(), "zero in the other classes; their scores enter the sum."),
            (True, f"off by up to {np.abs(g - gradient).max():.3g}."),
        )
        require(np.allclose(g, gradient, rtol=1e-7, atol=1e-10), f"{at}: your gradient is{why}")
    return "value and gradient agree for scores up to 10^9, positive and negative."


# --- momentum --------------------------------------------------------------------------------------


def momentum_factor(tau, beta, curvature):
    """The larger modulus of the roots of z^2 - (1 + beta - tau curvature) z + beta."""
    half = (1 + beta - tau * curvature) / 2
    root = np.sqrt(complex(half * half - beta))
    return max(abs(half + root), abs(half - root))


@exercise
def fastest_momentum(answer):
    """``answer(mu, L)`` returns tau, beta with the least factor of momentum over curvatures from mu to L."""
    for mu, L in [(1.0, 100.0), (0.1, 0.9), (3.0, 3.0), (2.0, 2.5), (1e-3, 10.0)]:
        tau, beta = two_numbers(answer(mu, L), "(tau, beta)")
        kappa, curvatures = L / mu, np.linspace(mu, L, 101)
        best = (np.sqrt(kappa) - 1) / (np.sqrt(kappa) + 1)
        factors = [momentum_factor(tau, beta, curvature) for curvature in curvatures]
        worst, c = max(factors), curvatures[np.argmax(factors)]
        why = because(
            (worst >= 1, "Stable are |beta| < 1 and 0 < tau < 2 (1 + beta) / L."),
            (beta == 0 and kappa > 1, "Without momentum no step does better than (kappa - 1)/(kappa + 1)."),
            (np.isclose(beta, best), "In the complex case the modulus of both roots is the root of beta."),
        )
        message = f"along a direction of curvature {c:.3g} the error is multiplied by {worst:.4f} a step in the end."
        enough = best + 5e-3 * (1 - best)  # at a double root an error of 1e-9 in tau shows in the fifth digit
        given, got = f"mu = {mu:g}, L = {L:g}", f"tau = {tau:.4g}, beta = {beta:.4g}"
        require(worst <= enough, message + why, given, got, f"{best:.4f} is possible for all curvatures")
    return "the factor is (sqrt(kappa) - 1)/(sqrt(kappa) + 1) for five condition numbers: no choice has a smaller one."
