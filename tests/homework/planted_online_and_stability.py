"""Answers to the homework on online learning and stability, right and wrong."""

import math

import numpy as np
from planting import in_lists, told, with_faults

norm = np.linalg.norm


def ball(w, U):
    return w if norm(w) <= U else w * (U / norm(w))


# --- q1, q2 ---------------------------------------------------------------------------------------


def scaled_in_place(w, U):
    if norm(w) > U:
        w *= U / norm(w)
    return w


@with_faults
def play(gradients, w, U, tau, *, sign=-1, first=1, keep="before", project=ball, at=lambda w, start: w):
    """Online gradient descent with the faults that the arguments describe."""
    start, plays = w, []
    for t, gradient in enumerate(gradients, start=first):
        plays += [w] * (keep != "after")
        w = project(w + sign * tau(t) * gradient(at(w, start)), U)
        plays += [w] * (keep == "after")
    return np.array(plays + [w] * (keep == "one more"))


def play_on_the_sum(gradients, w, U, tau):
    plays = [w]
    for t in range(1, len(gradients)):
        plays.append(ball(plays[-1] - tau(t) * sum(g(plays[-1]) for g in gradients[:t]), U))
    return np.array(plays)


def play_and_overwrite(gradients, w, U, tau):
    plays = []
    for t, gradient in enumerate(gradients, start=1):
        plays.append(w.copy())
        w -= tau(t) * gradient(w)
        w *= min(1, U / max(norm(w), 1e-300))
    return np.array(plays)


# --- q3 -------------------------------------------------------------------------------------------


def pays(V, g, X, y):
    return np.sum(g * V) + np.sum((y - np.sum(X * V, axis=1)) ** 2)


def best_by_descent(W, g, X, y, U):
    u, slope = np.zeros(W.shape[1]), max(2 * norm(X, 2) ** 2, norm(g.sum(axis=0)) / U, 1e-9)
    previous = u
    for t in range(1, 3000):
        v = u + (t - 1) / (t + 2) * (u - previous)
        previous, u = u, ball(v - (g.sum(axis=0) + 2 * X.T @ (X @ v - y)) / slope, U)
    return u, pays(W, g, X, y) - pays(u, g, X, y)


def best_by_ridge(W, g, X, y, U):
    b, eye = 2 * X.T @ y - g.sum(axis=0), np.eye(W.shape[1])
    alpha, beta = 1e-12, norm(b) / U + 1e-9
    for _ in range(200):
        middle = math.sqrt(alpha * beta)
        u = np.linalg.solve(2 * X.T @ X + middle * eye, b)
        alpha, beta = (middle, beta) if norm(u) > U else (alpha, middle)
    u = np.linalg.solve(2 * X.T @ X + beta * eye, b)
    return np.float32(u), pays(W, g, X, y) - pays(u, g, X, y)


def with_comparator(comparator):
    def answer(W, g, X, y, U):
        u = comparator(g, X, y, U)
        return u, pays(W, g, X, y) - pays(u, g, X, y)

    return answer


def with_regret(regret):
    def answer(W, g, X, y, U):
        u, _ = best_by_ridge(W, g, X, y, U)
        return u, regret(W, g, X, y, np.asarray(u, dtype=float))

    return answer


def projected_least_squares(g, X, y, U):
    b = 2 * X.T @ y - g.sum(axis=0)
    return ball(np.linalg.pinv(2 * X.T @ X) @ b, U) if X.any() else U * b / max(norm(b), 1e-300)


def unit(g, X, y, U):
    return best_by_ridge(g, g, X, y, 1.0)[0] if not X.any() else best_by_ridge(g, g, X, y, U)[0]


def direction_without_care(g, X, y, U):
    """For linear losses the formula, also where it is 0/0."""
    if X.any():
        return best_by_ridge(g, g, X, y, U)[0]
    with np.errstate(invalid="ignore"):
        return -U * g.sum(axis=0) / norm(g.sum(axis=0))


def shortest_if_in_the_ball(g, X, y, U):
    """The least-squares solution of Au = b if it is in the ball, whether or not Au = b."""
    u = np.linalg.pinv(2 * X.T @ X) @ (2 * X.T @ y - g.sum(axis=0))
    return u if X.any() and norm(u) <= U else best_by_ridge(g, g, X, y, U)[0]


def anywhere_if_all_are_best(g, X, y, U):
    u = np.asarray(best_by_ridge(g, g, X, y, U)[0], dtype=float)
    return u if X.any() or g.sum(axis=0).any() else U * np.eye(len(u))[0]


def on_the_sphere(g, X, y, U):
    u = np.asarray(best_by_ridge(g, g, X, y, U)[0], dtype=float)
    return U * u / max(norm(u), 1e-300)


# --- q4, q5 ---------------------------------------------------------------------------------------


def promise(tau, U, G):
    return 2 * U**2 / tau[-1] + G**2 / 2 * sum(tau)


def promise_with_a_free_end(tau, U, G):
    """The last step leads to a point that is never played, so it may be replaced."""
    last = min([2 * U / G, *tau[-2:-1]])
    return 2 * U**2 / last + G**2 / 2 * (sum(tau[:-1]) + last)


def points_with(side):
    def answer(T, mu, G):
        w, points = 0.0, []
        for t in range(1, T + 1):
            points.append(w + side(w, t) * G / mu)
            w += (points[-1] - w) / t
        return points

    return answer


def inwards(w, t):
    return -1 if w > 0 else 1


# --- q6 -------------------------------------------------------------------------------------------


def promised_with(
    loss=lambda z: max(0.0, 1 - z),
    solve=lambda H, b: (b / 2 + math.sqrt(b * b / 4 + H)) ** 2,
    choose=min,
    average=False,
    radius=max,
    length=norm,
):
    def answer(X, y, comparators):
        R, bounds = radius([norm(x) for x in X]), []
        for u in comparators:
            H = sum(loss(label * (u @ x)) for x, label in zip(X, y, strict=True))
            bounds.append(solve(H / len(X) if average else H, length(u) * R))
        return choose(bounds)

    return answer


def promised_by(key):
    """The promise of the comparator for which key(H, b) is least."""

    def answer(X, y, comparators):
        R = norm(X, axis=1).max()
        cases = [(np.maximum(0, 1 - y * (X @ u)).sum(), norm(u) * R) for u in comparators]
        H, b = min(cases, key=lambda case: key(*case))
        return (b / 2 + math.sqrt(b * b / 4 + H)) ** 2

    return answer


def by_iteration(H, b):
    M = H + b * b + b * math.sqrt(H)
    for _ in range(300):
        M = H + b * math.sqrt(M)
    return M


# --- q7 -------------------------------------------------------------------------------------------


def pass_with(
    c=2**0.5,
    project=ball,
    early=True,
    average=lambda W: W[:-1].mean(axis=0),
    promise=None,
    sign=1,
    mean=np.mean,
    active=lambda z: z < 1,
    first=1,
):
    """One pass with the faults that the arguments describe."""

    def answer(X, y, U, R):
        W, paid = [np.zeros(X.shape[1])], []
        for t, (x, label) in enumerate(zip(X, y, strict=True), start=first):
            z = label * (x @ W[-1])
            W.append(project(W[-1] + sign * c * U / (R * math.sqrt(t)) * active(z) * label * x, U))
            paid.append(max(0.0, 1 - (z if early else label * (x @ W[-1]))))
        value = U * R * math.sqrt(8 / len(y)) if promise is None else promise(U, R, len(y))
        return average(np.array(W)), mean(paid), value

    return answer


def pass_in_lists(X, y, U, R):
    w, paid, promise = pass_with()(X, y, U, R)
    return [w.tolist(), np.float32(paid), np.array(promise)]


# --- q8, q9 ---------------------------------------------------------------------------------------


def pair_with(B=lambda m, lam, R: R**2 / lam + 1, length=1.0, flips=1, weight=1.0, moved=None, labels=None):
    def answer(m, lam, R):
        size = B(m, lam, R)
        y = np.where(np.arange(m) < (m + 1) // 2, size, -size) if labels is None else labels(m) * size
        y_new = np.where(np.arange(m) < flips, -y, y) if moved is None else np.where(np.arange(m) < 1, moved, y)
        w, w_new = (weight * length * R * np.sign(v).sum() / (lam * m) for v in (y, y_new))
        return np.full(m, length * R), y, y_new, w, w_new

    return answer


def pair_at_the_end(m, lam, R):
    """Negative points, all labels positive, the last one changes."""
    B = 10 * R**2 / lam + 3
    y, y_new = [B] * m, [B] * (m - 1) + [-B]
    return [-R] * m, y, y_new, -R / lam, -R * (m - 2) / (lam * m)


def pair_with_huge_labels(m, lam, R):
    x, y, y_new, w, w_new = pair_with(lambda m, lam, R: 1e6)(m, lam, R)
    return x, y, y_new, np.float32(w), np.array(w_new)


@with_faults
def enough_with(U, G, epsilon, *, constant=2.0, lam=lambda U, G, m: 2 * G / (U * math.sqrt(m)), rounding=math.ceil):
    m = max(1, rounding(2 * constant * (G * U / epsilon) ** 2 - 1e-9))
    return m, lam(U, G, m)


RIGHT = {
    "q1": [ball, in_lists(ball), lambda w, U: np.float32(w / max(1.0, norm(w) / U))],
    "q2": [play, lambda *given: play(*given).astype(np.float32).tolist()],
    "q3": [best_by_ridge, in_lists(best_by_descent), with_comparator(anywhere_if_all_are_best)],
    "q4": [
        promise,
        lambda tau, U, G: np.float32(2 * U * U / np.min(tau) + len(tau) * np.mean(tau) * G * G / 2),
        lambda tau, U, G: min(promise(tau, U, G), 2 * U * G * len(tau)),
        promise_with_a_free_end,
    ],
    "q5": [
        points_with(inwards),
        lambda *given: np.float32(points_with(inwards)(*given)),
        points_with(lambda w, t: -1 if w >= 0 else 1),
    ],
    "q6": [
        promised_with(),
        promised_with(solve=by_iteration),
        lambda *given: np.float32(promised_with()(*given)),
        promised_with(solve=lambda H, b: H + b * b / 2 + b * math.sqrt(H + b * b / 4)),
    ],
    "q7": [pass_in_lists, pass_with(), pass_with(active=lambda z: z <= 1)],
    "q8": [pair_at_the_end, pair_with_huge_labels, pair_with(lambda m, lam, R: R**2 / lam)],
    "q9": [
        enough_with,
        lambda U, G, epsilon: (np.int64(enough_with(U, G, epsilon)[0]), np.float32(enough_with(U, G, epsilon)[1])),
        lambda U, G, epsilon: np.array(enough_with(U, G, epsilon)),
        lambda U, G, epsilon: (max(1, math.ceil((2 * G * U / epsilon) ** 2)), epsilon / U**2),
    ],
}
WRONG = {
    "q1": [
        (lambda w, U: w * U / max(norm(w), 1e-300), "in the ball already and should stay"),
        *told("outside the ball", lambda w, U: w, lambda w, U: np.clip(w, -U, U)),
        (lambda w, U: w if norm(w) <= U else 0 * w, "not the nearest"),
        (lambda w, U: w if norm(w) <= U else w / norm(w), "two points moved apart"),
        (lambda w, U: w if norm(w) <= U else -w * U / norm(w), "not the nearest"),
        (lambda w, U: w if norm(w) <= U else w * (U / norm(w, 1)), "not the nearest"),
        (lambda w, U: np.clip(w, -U / math.sqrt(len(w)), U / math.sqrt(len(w))), "in the ball already and should stay"),
        (lambda w, U: w * (U / norm(w)) if norm(w) > 1 else w, "in the ball already"),
        (lambda w, U: w if norm(w) <= U else w * (U / norm(w)) ** 2, "not the nearest"),
        (lambda w, U: norm(w), "shape"),
        (scaled_in_place, "changes its argument w"),
        (lambda w, U: w * math.nan, "finite"),
    ],
    "q2": [
        (play(sign=1), "uphill"),
        *told("w_2 is not right", play(sign=-2), lambda gradients, w, U, tau: play(gradients, w, U, lambda t: 0.1)),
        (play(first=0), "rounds count from one"),
        (play(first=2), "looks like tau(2)"),
        (play(keep="after"), "w_1 is not right"),
        (play(project=lambda w, U: w), "outside the ball"),
        (play(project=lambda w, U: ball(w, max(U, 1.0))), "in round 2 you play outside the ball"),
        (play(project=lambda w, U: ball(w, min(U, 1.0))), "w_2 is not right"),
        (play(project=lambda w, U: w * U / max(norm(w), 1e-300)), "w_2 is not right"),
        *told("the point at which you asked", play(at=lambda w, start: start), play(at=lambda w, start: 0 * w)),
        (play(keep="one more"), "never played"),
        *told("w_1 is not right", lambda gradients, w, U, tau: play(gradients, 0 * w, U, tau)),
        (play_on_the_sum, "the point at which you asked for the gradient of round 1"),
        (play_and_overwrite, "changes its argument w"),
        (lambda gradients, w, U, tau: np.array([w] * len(gradients)), "never asked for the gradient of round 1"),
        (lambda gradients, w, U, tau: play(gradients, w, U, tau).T, "should be an array of shape"),
        (lambda gradients, w, U, tau: play(gradients, w, U, lambda t: tau(1)), "w_3 is not right"),
    ],
    "q3": [
        (with_comparator(projected_least_squares), "nearest to the least-squares weights"),
        (with_comparator(shortest_if_in_the_ball), "A u = b has no solution"),
        (with_comparator(direction_without_care), "u should consist of finite numbers"),
        (with_comparator(unit), "pays less"),
        *told("pays less", with_comparator(on_the_sphere), with_comparator(lambda g, X, y, U: 0 * g[0])),
        (with_comparator(lambda g, X, y, U: -np.asarray(best_by_ridge(g, g, X, y, U)[0])), "pays less"),
        (with_comparator(lambda g, X, y, U: -U * np.sign(g.sum(axis=0) - 2 * X.T @ y)), "not in the ball"),
        (with_comparator(lambda g, X, y, U: np.linalg.pinv(X) @ y if X.any() else -g.sum(axis=0)), "pays less"),
        (with_regret(lambda W, g, X, y, u: (pays(W, g, X, y) - pays(u, g, X, y)) / len(W)), "not an average"),
        (with_regret(lambda W, g, X, y, u: pays(u, g, X, y) - pays(W, g, X, y)), "sign is turned"),
        (with_regret(lambda W, g, X, y, u: pays(W, g, X, y)), "the regret is not right"),
        (with_regret(lambda W, g, X, y, u: np.sum(g * W) - np.sum(g @ u)), "the regret is not right"),
        (with_regret(lambda W, g, X, y, u: pays(W, g, X, y) - pays(u, g / 2, X, y)), "the regret is not right"),
        (lambda W, g, X, y, U: best_by_ridge(W, g, X, y, U)[0], "a pair"),
        (lambda W, g, X, y, U: best_by_ridge(W, g, X, y, U)[::-1], "u should be an array"),
        (lambda W, g, X, y, U: (np.zeros((1, W.shape[1])), 0.0), "shape"),
    ],
    "q4": [
        (lambda tau, U, G: U**2 / (2 * tau[-1]) + G**2 / 2 * tau.sum(), "not an upper bound"),
        (lambda tau, U, G: 2 * U**2 / tau[0] + G**2 / 2 * tau.sum(), "not an upper bound"),
        (lambda tau, U, G: 2 * U**2 / tau[-1] + G**2 * tau.sum(), "your proof can give less"),
        (lambda tau, U, G: 4 * U**2 / tau[-1] + G**2 / 2 * tau.sum(), "your proof can give less"),
        (lambda tau, U, G: 2 * U**2 / tau[max(-2, -len(tau))] + G**2 / 2 * tau.sum(), "not an upper bound"),
        (lambda tau, U, G: 2 * U**2 / tau[-1] + G**2 / 2 * (tau[1:].sum() + tau[-1]), "not an upper bound"),
        (lambda tau, U, G: 2 * U**2 / tau[-1] + G**2 / 2 * len(tau) * tau[-1], "tau = [2., 2., 1.]"),
        (lambda tau, U, G: 2 * U**2 / tau.mean() + G**2 / 2 * tau.sum(), "tau = [2. , 2. , 0.002]"),
        (lambda tau, U, G: 2 * U**2 * (1 / tau).mean() + G**2 / 2 * tau.sum(), "tau = [2., 2., 1.]"),
        (lambda tau, U, G: promise(tau, U, G) * (1 + (len(tau) > 99)), "sqrt(t) for t = 1, ..., T, T = 100,"),
        (lambda tau, U, G: U**2 / tau[-1] + G**2 / 2 * tau.sum(), "not an upper bound"),
        (lambda tau, U, G: 2 * U**2 / tau[-1] + G / 2 * tau.sum(), "bound"),
        (lambda tau, U, G: 2 * U**2 / tau[-1] + G**2 / 2 * tau.mean(), "not an upper bound"),
        (lambda tau, U, G: 2 * U**2 / tau[-1] + G**2 / 2 * (tau**2).sum(), "your proof can give less"),
        (lambda tau, U, G: U * G * math.sqrt(8 * len(tau)), "your proof can give less"),
        (lambda tau, U, G: 2 * U * G * len(tau), "your proof can give less"),
        (lambda tau, U, G: U * G * math.sqrt(len(tau)), "not an upper bound"),
        (lambda tau, U, G: 2 * U**2 / tau[-1] + G**2 / 2 * len(tau) * tau[0], "your proof can give less"),
        (lambda tau, U, G: 2 * U / tau[-1] + G**2 / 2 * tau.sum(), "bound"),
        (lambda tau, U, G: -promise(tau, U, G), "not an upper bound"),
        (lambda tau, U, G: math.inf, "finite number"),
        (lambda tau, U, G: 2 * U**2 / tau + G**2 / 2 * tau.sum(), "bound"),
    ],
    "q5": [
        *told("outside the interval", points_with(lambda w, t: 1), points_with(lambda w, t: 1 if w > 0 else -1)),
        (lambda T, mu, G: np.zeros(T), "not even above the printed bound"),
        (lambda T, mu, G: G / mu * (-1.0) ** np.arange(T), "too steep"),
        (lambda T, mu, G: np.full(T, G / mu), "as steep as it may be"),
        (lambda T, mu, G: 0.5 * np.array(points_with(inwards)(T, mu, G)), "as steep as it may be"),
        (lambda T, mu, G: 0.95 * np.array(points_with(inwards)(T, mu, G)), "above the printed bound, but not the most"),
        (lambda T, mu, G: np.array(points_with(inwards)(T, 1.0, G)), "not even above the printed bound"),
        (lambda T, mu, G: np.array(points_with(inwards)(T, 1 / mu, G)), "not even above the printed bound"),
        (lambda T, mu, G: points_with(inwards)(T + 1, mu, G), "shape"),
        (lambda T, mu, G: points_with(inwards)(T, mu, G)[::-1], "not even above the printed bound"),
        (lambda T, mu, G: np.full(T, math.nan), "finite"),
        (lambda T, mu, G: [G / mu, 0.0, -G / mu / 2][:T] + [0.0] * (T - 3), "as steep as it may be"),
    ],
    "q6": [
        (promised_with(solve=lambda H, b: H + b * b + b * math.sqrt(H)), "without splitting its root"),
        (promised_with(choose=max), "take the smallest"),
        (promised_with(average=True), "you promise less than the mistakes"),
        (promised_with(loss=lambda z: max(0.0, -z)), "you promise less than the mistakes"),
        (promised_with(loss=lambda z: float(z <= 0)), "you promise less than the mistakes"),
        (promised_with(loss=lambda z: abs(1 - z)), "the bound is not right"),
        *told("the bound is not right", promised_with(radius=min), promised_with(length=lambda u: norm(u) ** 2)),
        (promised_with(solve=lambda H, b: b / 2 + math.sqrt(b * b / 4 + H)), "you promise less than the mistakes"),
        (promised_with(solve=lambda H, b: H + b), "you promise less than the mistakes"),
        *told("another comparator promises less", promised_by(lambda H, b: b), promised_by(lambda H, b: H)),
        *told("another comparator promises less", promised_by(lambda H, b: H + b), promised_by(lambda H, b: H + b * b)),
        (promised_by(lambda H, b: H + b * b + b * math.sqrt(H)), "another comparator promises less"),
        (promised_with(solve=lambda H, b: b * b), "you promise less than the mistakes"),
        *told("not right", promised_with(solve=lambda H, b: H + b * b), promised_with(choose=np.mean)),
        (promised_with(choose=lambda bounds: bounds[0]), "the smallest"),
        (lambda X, y, comparators: math.floor(promised_with()(X, y, comparators) + 1e-9), "do not round"),
        (lambda X, y, comparators: len(y), "take the smallest bound"),
        (lambda X, y, comparators: math.inf, "finite"),
    ],
    "q7": [
        (pass_with(early=False), "predicted before it is used"),
        (pass_with(average=lambda W: W.mean(axis=0)), "never played"),
        (pass_with(average=lambda W: W[1:].mean(axis=0)), "never played"),
        (pass_with(average=lambda W: W[-1]), "which is never played"),
        (pass_with(average=lambda W: W[-2]), "the mean of w_1, ..., w_m is asked for"),
        (pass_with(c=1.0), "best c"),
        (pass_with(project=lambda w, U: w), "in the ball"),
        (pass_with(sign=-1), "w_bar is not right"),
        *told("w_bar is not right", pass_with(active=lambda z: z <= 0), pass_with(active=lambda z: True)),
        (pass_with(first=2), "are the steps"),
        (pass_with(mean=np.sum), "paid is not right"),
        (pass_with(mean=lambda paid: np.mean(np.array(paid) > 1)), "you paid less than the risk"),
        (pass_with(promise=lambda U, R, m: U * R**2 * math.sqrt(8 / m)), "the promise is not right"),
        (pass_with(promise=lambda U, R, m: U * R * math.sqrt(8 * m)), "the promise is not right"),
        (pass_with(promise=lambda U, R, m: U * R * math.sqrt(2 / m)), "half what it should be"),
        (lambda X, y, U, R: pass_with()(X, y, U, R)[:2], "3 things"),
        (lambda X, y, U, R: (pass_with()(X, y, U, R)[0][:1], *pass_with()(X, y, U, R)[1:]), "shape"),
    ],
    "q8": [
        *told("not the minimiser", pair_with(lambda m, lam, R: 0.1 * R**2 / lam), pair_with(weight=-1.0)),
        *told("can move farther", pair_with(length=0.5), pair_with(moved=0.0)),
        (pair_with(length=2.0), "too long"),
        (pair_with(flips=0), "differ in 0"),
        (pair_with(flips=2), "differ in 2"),
        *told("not the minimiser", pair_with(weight=2.0), pair_with(weight=0.5)),
        (lambda m, lam, R: (*pair_with()(m, lam, R)[:3], 2 * R / (lam * m), 0.0), "w is not the minimiser"),
        (lambda m, lam, R: (np.full(m, R), np.zeros(m), 1e6 * np.eye(m)[0], 0.0, R / lam), "can move farther"),
        (lambda m, lam, R: pair_with()(m, lam, R)[:3], "5 things"),
        (lambda m, lam, R: pair_with()(2, lam, R), "shape"),
        (lambda m, lam, R: pair_with()(m, 1.0, R), "w is not the minimiser"),
        (lambda m, lam, R: (math.nan * np.ones(m), *pair_with()(m, lam, R)[1:]), "finite"),
    ],
    "q9": [
        (enough_with(constant=4.0, lam=lambda U, G, m: math.sqrt(8 / m) * G / U), "constant 4 of the note"),
        (enough_with(constant=1.0, lam=lambda U, G, m: math.sqrt(2 / m) * G / U), "no lam"),
        (enough_with(rounding=math.floor), "no lam"),
        (lambda U, G, epsilon: (int((2 * G * U / epsilon) ** 2) + 1, epsilon / U**2), "fewer examples"),
        (lambda U, G, epsilon: np.array([enough_with(U, G, epsilon)[0] + 1, epsilon / U**2]), "fewer examples"),
        (enough_with(rounding=lambda m: math.ceil(m) + 1), "fewer examples"),
        (enough_with(rounding=lambda m: m + 0.5), "whole number"),
        (enough_with(lam=lambda U, G, m: 4 * G / (U * math.sqrt(m))), "with this lam"),
        (enough_with(lam=lambda U, G, m: 2 * U / (G * math.sqrt(m))), "with this lam"),
        (enough_with(lam=lambda U, G, m: 2 * G / U / m), "with this lam"),
        (enough_with(lam=lambda U, G, m: 2 * G / U), "with this lam"),
        (enough_with(lam=lambda U, G, m: 0.0), "positive"),
        (lambda U, G, epsilon: enough_with(U, G, epsilon)[::-1], "no lam makes"),
        (lambda U, G, epsilon: (max(1, math.ceil(2 * G * U / epsilon)), 2 * G / U), "no lam"),
        (lambda U, G, epsilon: (10**6, epsilon / U**2), "fewer examples"),
        (lambda U, G, epsilon: enough_with(U, G, epsilon)[0], "a pair"),
    ],
}
