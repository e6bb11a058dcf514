"""The claims of the chapter on online learning."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

from mlcourse import theory
from mlcourse.data import FiniteLaw, SeparableMargin
from mlcourse.losses import absolute, exponential, hinge, logistic, square
from mlcourse.losses import perceptron_loss as perceptron_loss
from mlcourse.models.linear.linear_separation import margin, max_margin_separator
from mlcourse.models.linear.perceptron import perceptron
from mlcourse.optim import online
from mlcourse.optim.online import Reply, in_ball, online_gradient_descent, regret, rounds
from mlcourse.testing import assert_fails_at_most, assert_subgradient, numerical_gradient

ROOT2 = math.sqrt(2)


def unit(v):
    return v / np.linalg.norm(v) if v.any() else np.eye(len(v))[0]


def aside(rng, d, G):
    """The opponent of prop-ogd-known: orthogonal to w, lengthening the sum of the slopes."""
    past = np.zeros(d)

    def reply(w):
        nonlocal past
        g = rng.normal(size=d)
        g = G * unit(g - (g @ unit(w)) * unit(w))
        past = past + (g := g if g @ past >= 0 else -g)
        return g

    return reply


def opponents(rng, d, G):
    turns = itertools.count()
    fixed = G * unit(rng.normal(size=d))
    return [
        lambda w: G * unit(w),
        lambda w: fixed,
        lambda w: fixed if next(turns) < 30 else -fixed,
        lambda w: G * unit(rng.normal(size=d)),
        lambda w: G * rng.random() * unit(w + 0.1 * rng.normal(size=d)),
        lambda w: G * unit(w - fixed / G),
        *([aside(rng, d, G)] if d > 1 else []),
    ]


def against(opponent, T):
    """T rounds of losses that the opponent chooses when it has seen the play."""
    return [Reply(opponent) for _ in range(T)]


def worst_regrets(path, losses, U):
    """The maximum over the ball of the linearised regret after each round; exact for linear losses."""
    g = np.array([loss.g for loss in losses])
    paid = np.cumsum((g * path[: len(g)]).sum(axis=1))
    return paid + U * np.linalg.norm(np.cumsum(g, axis=0), axis=1)


def examples(rng, T, d, R):
    X = rng.normal(size=(T, d))
    X *= R * rng.random((T, 1)) / np.linalg.norm(X, axis=1, keepdims=True)
    return X, rng.choice([-1.0, 1.0], size=T)


# --- convex losses -------------------------------------------------------------------------------
@pytest.mark.claim("prop-linearise")
@pytest.mark.parametrize("loss", [hinge, square, logistic, absolute, exponential, perceptron_loss])
def test_tangents_lie_below_and_linearised_regret_above_with_equality_for_linear_losses_and_not_for_concave_ones(
    loss, rng
):
    X, y = np.round(2 * rng.normal(size=(60, 3))) / 2, rng.choice([-1.0, 1.0], size=60)  # many kinks
    losses, W = rounds(loss, X, y), np.round(rng.normal(size=(60, 3)))
    g = [play.gradient(w) for play, w in zip(losses, W, strict=True)]
    for play, w, slope in zip(losses, W, g, strict=True):
        assert_subgradient(play, slope, w, rng.normal(size=(20, 3)))
    for u in rng.normal(size=(20, 3)):
        assert regret(W, losses, u)[-1] <= np.sum(g * (W - u)) + 1e-9
    rng = np.random.default_rng(1)
    losses, W, u = [Reply(lambda w: rng.normal(size=3)) for _ in range(40)], rng.normal(size=(40, 3)), np.ones(3)
    g = [loss.gradient(w) for loss, w in zip(losses, W, strict=True)]
    assert regret(W, losses, u)[-1] == pytest.approx(np.sum(g * (W - u)))
    with pytest.raises(AssertionError):
        assert_subgradient(lambda w: -(w @ w), np.zeros(2), np.zeros(2), [np.ones(2)])


@pytest.mark.claim("lem-projection")
@pytest.mark.parametrize("d", [1, 2, 7])
def test_projection_is_nearest_obtuse_and_brings_closer(d):
    rng = np.random.default_rng(d)
    for U in (0.3, 1.0, 5.0):
        for w, u in 3 * rng.normal(size=(200, 2, d)):
            u, p = in_ball(u, U), in_ball(w, U)
            assert np.linalg.norm(p) <= U * (1 + 1e-12) and np.linalg.norm(w - p) <= np.linalg.norm(w - u) + 1e-12
            assert (w - p) @ (u - p) <= 1e-9
            assert (p - u) @ (p - u) <= (w - u) @ (w - u) - (w - p) @ (w - p) + 1e-9
            assert np.array_equal(p, w) or np.linalg.norm(w) > U
    w, p = 3 * unit(np.ones(d)), unit(np.ones(d))  # equality at u = p
    assert in_ball(w, 1.0) == pytest.approx(p) and (w - p) @ (w - p) == pytest.approx(4)


@pytest.mark.algorithm("alg-ogd")
@pytest.mark.parametrize("loss", [hinge, square])
def test_ogd_plays_first_steps_down_by_tau_over_root_t_and_comes_back(loss):
    X, y = examples(np.random.default_rng(2), 50, 3, 2.0)
    losses, U, tau = rounds(loss, X, y), 0.7, 0.4
    run = online_gradient_descent(losses, np.zeros(3), U, tau)
    assert run.n_steps == 50
    for t, (w, after) in enumerate(itertools.pairwise(run.path), start=1):
        step = w - tau / math.sqrt(t) * numerical_gradient(losses[t - 1], w)
        np.testing.assert_allclose(after, step * min(1, U / np.linalg.norm(step)), atol=1e-6)


@pytest.mark.claim("thm-ogd")
@pytest.mark.parametrize("d", [1, 2, 6])
@pytest.mark.parametrize("U, G", [(1.0, 1.0), (0.1, 7.0), (20.0, 0.01)])
def test_ogd_regret_is_below_the_promise_for_every_opponent_round_and_factor(d, U, G):
    rng, t = np.random.default_rng(3), np.arange(1, 201)
    for scale in (1.0, 0.2, 4.0):
        tau = scale * ROOT2 * U / G
        for opponent in opponents(rng, d, G):
            losses = against(opponent, 200)
            path = online_gradient_descent(losses, in_ball(rng.normal(size=d), U), U, tau).path
            assert (worst_regrets(path, losses, U) <= theory.ogd_regret_of_step(t, U, G, tau)).all()


@pytest.mark.claim("thm-ogd")
@pytest.mark.parametrize("T", [16, 17, 100, 1001, 20_000])
@pytest.mark.parametrize("U, G", [(1.0, 1.0), (0.1, 7.0)])
def test_a_patient_opponent_gets_the_ogd_constant_up_to_a_logarithm_and_its_factor_is_best(T, U, G):
    n = math.ceil(math.sqrt(2 * T))
    n += (T - n) % 2 == 0
    t = np.arange(1, T + 1)
    slopes = np.where(t > T - n, G, np.where(t % 2, -G, G * np.sqrt(t / (t + 1))))
    losses = [Reply(lambda w, g=g: [g]) for g in slopes]
    path = online_gradient_descent(losses, np.zeros(1), U, ROOT2 * U / G).path
    got = regret(path, losses, [-U])[-1]
    assert U * G * (math.sqrt(8 * T) - math.log(T) - 9) <= got <= theory.ogd_regret(T, U, G)
    assert T < 20_000 or got > 0.97 * theory.ogd_regret(T, U, G)
    for U, G in itertools.product((0.5, 3.0), (0.2, 4.0)):
        taus = ROOT2 * U / G * np.linspace(0.2, 5, 101)
        assert theory.ogd_regret_of_step(7, U, G, taus).min() >= theory.ogd_regret(7, U, G) * (1 - 1e-12)
        assert theory.ogd_regret_of_step(7, U, G, ROOT2 * U / G) == pytest.approx(theory.ogd_regret(7, U, G))


@pytest.mark.claim("prop-ogd-lower")
@pytest.mark.parametrize("T", [1, 2, 3, 8, 9])
def test_coins_make_the_mean_regret_that_of_the_walk_for_any_player_exactly_above_its_floor(T):
    U, G = 2.0, 0.5
    means = np.zeros(3)
    for signs in itertools.product((-1.0, 1.0), repeat=T):
        losses = [Reply(lambda w, s=s: [G * s]) for s in signs]
        descent = online_gradient_descent(losses, np.zeros(1), U, 1.3).path
        leader = np.concatenate([[0.7], -U * np.sign(np.cumsum(signs))[:-1]])[:, None]
        odd = np.array([[math.sin(7 * t) * sum(signs[:t])] for t in range(T)])
        means += [worst_regrets(path, losses, U)[-1] / 2**T for path in (descent, leader, odd)]
    np.testing.assert_allclose(means, U * G * theory.walk_distance(T))
    for T in [1, 2, 3, 4, 11, 50, 51]:
        k = np.arange(T + 1)
        assert theory.walk_distance(T) == pytest.approx(np.abs(2 * k - T) @ binom.pmf(k, T, 0.5))
    T = np.arange(1, 5000)
    assert (theory.walk_distance(T) >= theory.regret_floor(T, 1, 1) * (1 - 1e-12)).all()
    assert theory.walk_distance(2) == pytest.approx(theory.regret_floor(2, 1, 1))
    assert theory.ogd_regret(T, 3, 2) == pytest.approx(4 * theory.regret_floor(T, 3, 2))


@pytest.mark.claim("prop-ogd-known")
@pytest.mark.parametrize("d", [1, 2, 6])
def test_constant_steps_stay_below_the_value_of_the_game(d):
    rng, T, U, G = np.random.default_rng(4), 150, 3.0, 0.5
    tau = U / (G * math.sqrt(T))
    for opponent in opponents(rng, d, G):
        losses = against(opponent, T)
        path = online.constant_step_ogd(losses, np.zeros(d), tau).path
        assert worst_regrets(path, losses, U)[-1] <= theory.minimax_regret(T, U, G) * (1 + 1e-12)
        for u in 5 * rng.normal(size=(20, d)):  # also outside of the ball
            assert regret(path, losses, u)[-1] <= u @ u / (2 * tau) + tau / 2 * G**2 * T + 1e-9


@pytest.mark.claim("prop-ogd-known")
@pytest.mark.parametrize("d", [2, 3, 8])
def test_from_dimension_two_on_nobody_stays_below_the_value(d):
    rng, T, U, G = np.random.default_rng(5), 100, 2.0, 3.0
    value, tau = theory.minimax_regret(T, U, G), U / (G * math.sqrt(T))
    players = [
        (online_gradient_descent, np.zeros(d), U, ROOT2 * U / G),
        (online.constant_step_ogd, np.ones(d), 5.0),
        (online.strongly_convex_ogd, np.zeros(d), 0.3),
        (online.constant_step_ogd, np.zeros(d), tau),
        (online.constant_step_ogd, np.zeros(2), tau),  # in the plane the game has exactly this value
    ]
    for player, start, *constants in players:
        losses = against(aside(rng, len(start), G), T)
        worst = worst_regrets(player(losses, start, *constants).path, losses, U)[-1]
        assert worst >= value * (1 - 1e-9)
    assert worst == pytest.approx(value)


@pytest.mark.claim("prop-ogd-square")
@pytest.mark.erratum("M67")
@pytest.mark.parametrize("U, R", [(1.0, 1.0), (0.5, 2.0), (3.0, 0.1)])
def test_square_loss_gradient_is_attained_and_its_regret_below_the_promise(U, R):
    rng, T = np.random.default_rng(6), 300
    x = R * unit(rng.normal(size=3))
    steepest = rounds(square, [x], [-U * R])[0].gradient(U * x / R)
    assert np.linalg.norm(steepest) == pytest.approx(theory.square_gradient(U, R))
    X, _ = examples(rng, T, 3, R)
    labels = [rng.uniform(-U * R, U * R, size=T), U * R * np.sign(X[:, 0]), U * R * np.sign(np.sin(np.arange(T) / 20))]
    for y in labels:
        losses = rounds(square, X, y)
        path = online_gradient_descent(losses, np.zeros(3), U, 1 / (math.sqrt(8) * R**2)).path
        largest = max(np.linalg.norm(play.gradient(w)) for play, w in zip(losses, path, strict=False))
        assert largest <= theory.square_gradient(U, R)
        for n in (1, 10, T):
            u = online.best_comparator(square, X[:n], y[:n], U)
            assert regret(path[: n + 1], losses[:n], u)[-1] <= theory.square_regret(n, U, R)


# --- the perceptron ------------------------------------------------------------------------------
@pytest.mark.claim("thm-perceptron-oracle")
@pytest.mark.erratum("M68")
@pytest.mark.parametrize("seed", range(30))
def test_perceptron_mistakes_on_any_sequence(seed, rng):
    T, d, R = int(rng.integers(1, 300)), int(rng.integers(1, 6)), rng.choice([0.1, 1.0, 30.0])
    X, y = examples(rng, T, d, R)
    noise = rng.choice([0.0, 0.1, 0.5])
    y = np.where(rng.random(T) < noise, y, np.where(X[:, 0] >= 0, 1.0, -1.0))
    if seed % 3 == 0:
        order = np.argsort(y + 0.01 * X[:, 0])
        X, y = X[order], y[order]
    M, R = perceptron(X, y, [None]).n_steps, np.linalg.norm(X, axis=1).max()
    best = [online.best_comparator(hinge, X, y, b / R) for b in (0.5, 3, 9)]
    for u in [np.zeros(d), *rng.normal(size=(20, d)) / R, *best]:
        H, norm = hinge(y * (X @ u)).sum(), np.linalg.norm(u)
        sharp = theory.perceptron_oracle_sharp(H, norm, R)
        assert M <= H + norm * R * math.sqrt(M) + 1e-9
        assert M <= sharp + 1e-9 and sharp <= theory.perceptron_oracle(H, norm, R) + 1e-9


@pytest.mark.claim("thm-perceptron-oracle")
def test_oracle_bound_is_attained_contains_novikoffs_and_is_the_root_of_the_implicit_bound():
    for m in (1, 4, 25):  # orthogonal points: m mistakes, margin 1/sqrt(m), no hinge loss
        X, y = np.eye(m), np.ones(m)
        assert perceptron(X, y, [None]).n_steps == m
        assert theory.perceptron_oracle(0.0, math.sqrt(m), 1.0) == pytest.approx(m)
    X, y = np.ones((20, 1)), np.tile([1.0, -1.0], 10)  # every round is a mistake; u = 0 says so
    assert perceptron(X, y, [None]).n_steps == 20 == theory.perceptron_oracle(20.0, 0.0, 1.0)
    X, y = SeparableMargin(d=3, rho=0.1).sample(200, np.random.default_rng(7))
    w = max_margin_separator(X, y)
    rho, R = margin(w, X, y), np.linalg.norm(X, axis=1).max()
    bound = theory.perceptron_oracle(hinge(y * (X @ w)).sum().round(9), np.linalg.norm(w), R)
    assert bound == pytest.approx((R / rho) ** 2) and int(bound) == theory.novikoff(R, rho)
    H, b = np.exp(np.random.default_rng(8).uniform(-5, 5, size=(2, 1000)))
    M = theory.perceptron_oracle_sharp(H, b, 1.0)
    np.testing.assert_allclose(M, H + b * np.sqrt(M))
    assert (np.maximum(H, b**2) <= M * (1 + 1e-12)).all()


def test_a_wrong_label_raises_the_sharp_oracle_by_at_most_two_hinge_losses():
    H, b = np.exp(np.random.default_rng(9).uniform(-9, 9, size=(2, 1000)))
    raised = theory.perceptron_oracle_sharp(H + 1 + b, b, 1.0) - theory.perceptron_oracle_sharp(H, b, 1.0)
    assert (raised <= 2 * (1 + b) * (1 + 1e-6)).all() and (raised / (1 + b)).max() > 1.99


# --- strong convexity ----------------------------------------------------------------------------
@pytest.mark.claim("prop-strong-convexity")
@pytest.mark.parametrize("seed", range(10))
def test_smallest_eigenvalue_everywhere_is_the_strong_convexity(rng):
    """f(w) = w.Aw/2 + sum of ln(2 cosh w_i) has the Hessian A + diag(1/cosh^2): mu is the smallest eigenvalue of A."""
    A = rng.normal(size=(3, 3))
    A = A @ A.T + 0.2 * np.eye(3)
    mu, vectors = np.linalg.eigvalsh(A)[0], np.linalg.eigh(A)[1]

    def f(w):
        return w @ A @ w / 2 + np.logaddexp(w, -w).sum()

    def gap(u, w, mu):
        return f(u) - f(w) - (A @ w + np.tanh(w)) @ (u - w) - mu / 2 * (u - w) @ (u - w)

    for u, w in 3 * rng.normal(size=(300, 2, 3)):
        assert gap(u, w, mu) >= -1e-9
    far = 1000 * np.ones(3)  # there the second part is linear and the Hessian is A
    assert gap(far + vectors[:, 0], far, 1.01 * mu) < 0
    at_zero = mu + 1  # every eigenvalue at the origin is at least mu + 1, and yet f is not (mu + 1)-strongly convex
    assert np.linalg.eigvalsh(A + np.eye(3))[0] >= at_zero - 1e-9 and gap(far + vectors[:, 0], far, at_zero) < 0


@pytest.mark.claim("prop-strong-convexity")
@pytest.mark.erratum("M69")
@pytest.mark.parametrize("mu", [10.0, 1.0, 1e-2, 1e-6])
def test_positive_second_derivative_is_not_enough(mu):
    u = 2 / mu
    assert np.logaddexp(u, -u) < np.log(2) + mu / 2 * u**2


@pytest.mark.algorithm("alg-ogd-strong")
def test_strong_ogd_steps_by_one_over_mu_t():
    X, y = examples(np.random.default_rng(9), 60, 3, 1.0)
    losses, mu = rounds(hinge, X, y, mu=0.3), 0.3
    run = online.strongly_convex_ogd(losses, np.ones(3), mu)
    for t, (w, after) in enumerate(itertools.pairwise(run.path), start=1):
        np.testing.assert_allclose(after, w - numerical_gradient(losses[t - 1], w) / (mu * t), atol=1e-6)


@pytest.mark.claim("thm-ogd-strong")
@pytest.mark.parametrize("loss", [hinge, logistic, square])
@pytest.mark.parametrize("mu", [0.05, 1.0])
def test_strong_regret_is_logarithmic_for_every_comparator(loss, mu):
    rng, T = np.random.default_rng(10), np.arange(1, 151)
    X, y = examples(rng, 150, 3, 1.0)
    if loss is square and mu < 1:
        X = X * 0.2  # otherwise the first steps are huge; still true, but nothing to see
    losses = rounds(loss, X, y, mu)
    path = online.strongly_convex_ogd(losses, rng.normal(size=3), mu).path
    G = np.maximum.accumulate([np.linalg.norm(play.gradient(w)) for play, w in zip(losses, path, strict=False)])
    for u in [path[-1], np.zeros(3), *rng.normal(size=(20, 3))]:
        regrets, distance = regret(path, losses, u), np.array([(w - u) @ (w - u) for w in path[1:]])
        assert (regrets <= theory.strong_regret_exact(T, G, mu) - mu * T / 2 * distance + 1e-9).all()
        assert (regrets <= theory.strong_regret(T, G, mu) + 1e-9).all()


@pytest.mark.claim("prop-log-regret-exact", "thm-ogd-strong")
@pytest.mark.erratum("M73")
@pytest.mark.parametrize("d", [1, 3])
def test_parabolas_have_exactly_the_harmonic_regret_so_the_printed_logarithm_is_false(d):
    rng, mu, G = np.random.default_rng(11), 0.5, 2.0
    losses = [Reply(lambda w: G * unit(rng.normal(size=d)) - mu * w, mu) for _ in range(200)]
    path = online.strongly_convex_ogd(losses, rng.normal(size=d), mu).path
    for T in (1, 2, 17, 200):
        leader = -sum(loss.g for loss in losses[:T]) / (mu * T)
        np.testing.assert_allclose(path[T], leader, atol=1e-12)
        got = regret(path[: T + 1], losses[:T], leader)[-1]
        assert got == pytest.approx(theory.strong_regret_exact(T, G, mu))
        assert G**2 / (2 * mu) * math.log(T + 1) < got <= theory.strong_regret(T, G, mu) * (1 + 1e-12)
        for u in leader + rng.normal(size=(20, d)):  # and no comparator is better than the leader
            assert regret(path[: T + 1], losses[:T], u)[-1] <= got


# --- random examples -----------------------------------------------------------------------------
STAKES = [lambda won: np.where(won >= 2, 0.1, 1.0), lambda won: np.exp(-np.abs(won)), np.ones_like]
STAKES += [lambda won: np.where(won < 0, 1.0, 0.5)]


@pytest.mark.claim("thm-azuma")
@pytest.mark.parametrize("stake", STAKES)
@pytest.mark.parametrize("p", [0.5, 0.1])
def test_gamblers_whose_stakes_depend_on_the_past_and_fair_coins_with_azumas_exponent(stake, p):
    """Z_t = stake * coin with a coin in {0, 1} of mean p: range 1, centred given the past; all games are listed."""
    coins = np.array(list(itertools.product((0, 1), repeat=12)))
    chances = np.prod(np.where(coins == 1, p, 1 - p), axis=1)
    won = np.zeros(len(coins))
    for coin in coins.T:
        won = won + stake(won) * (coin - p)
    assert chances @ won == pytest.approx(0)
    for epsilon in np.linspace(0.1, 11, 60):
        assert chances[won >= epsilon].sum() <= theory.azuma_probability(epsilon, np.ones(12))
    m, epsilon = 4000, 200  # sum of m fair coins in {0, 1}: the exponent 2 epsilon^2 / m is right to a few per cent
    exact = binom.logsf(m / 2 + epsilon - 1, m, 0.5)
    assert exact <= math.log(theory.azuma_probability(epsilon, np.ones(m))) <= 0.85 * exact


def finite_law(seed=0, n=8):
    """A law on n points of the unit circle with labels -1, +1, and a sample of 10 n examples with its frequencies."""
    rng = np.random.default_rng(seed)
    angle, positives = 2 * np.pi * np.arange(n) / n, rng.integers(0, 11, size=n)
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    law = FiniteLaw(np.column_stack([10 - positives, positives]) / (10 * n), points=points)
    X = np.repeat(np.vstack([points, points]), np.concatenate([positives, 10 - positives]), axis=0)
    return law, X, np.repeat([1.0, -1.0], [positives.sum(), 10 * n - positives.sum()])


def risks(loss, X, y, W):
    scores = X @ np.transpose(W)
    return (loss(y[:, None], scores) if loss is square else loss(y[:, None] * scores)).mean(axis=0)


@pytest.mark.claim("thm-online-to-batch")
@pytest.mark.parametrize("delta", [0.5, 0.05])
def test_regret_becomes_risk_with_the_promised_probability(delta):
    law, X, y = finite_law()
    rng, U, m = np.random.default_rng(12), 2.0, 20
    u = online.best_comparator(hinge, X, y, U)
    violations, martingale = 0, 0
    for _ in range(1000):
        losses = rounds(hinge, *law.sample(m, rng))
        path = online_gradient_descent(losses, np.zeros(2), U, 2 * ROOT2).path
        r = regret(path, losses, u)[-1]
        average, *each = risks(hinge, X, y, [online.online_to_batch(path), *path[:-1]]) - risks(hinge, X, y, [u])
        promise = theory.batch_excess(m, delta, r, 2 * (1 + U))
        assert average <= np.mean(each) + 1e-12  # Jensen
        violations += average > promise
        martingale += np.mean(each) > promise
    assert_fails_at_most(violations, 1000, delta)
    assert_fails_at_most(martingale, 1000, delta)


@pytest.mark.claim("thm-online-to-batch")
def test_the_deviation_term_is_needed_for_a_stubborn_player():
    """Losses s w with fair signs, the play always U, u = -U: the martingale is 2U times a walk, c = 4U."""
    m, U, delta = 400, 1.0, 0.05
    k = np.arange(m + 1)  # number of positive signs
    regrets = 2 * U * (2 * k - m)  # both risks are zero, so the excess is zero: violated where regret/m < -deviation
    violated = 0 > theory.batch_excess(m, delta, regrets, 4 * U)
    chance = binom.pmf(k, m, 0.5) @ violated
    assert 0.05 * delta < chance <= delta
    assert binom.pmf(k, m, 0.5) @ (0 > theory.batch_excess(m, delta, regrets, 2 * U)) > delta  # half the range is false


@pytest.mark.claim("cor-square-batch")
@pytest.mark.parametrize("seed", range(2))
def test_one_pass_of_least_squares_keeps_its_promise(seed):
    law, X, y = finite_law(seed)
    rng, delta = np.random.default_rng(13), 0.2
    u = online.best_comparator(square, X, y, 1.0)
    violations = 0
    for _ in range(500):
        path = online_gradient_descent(rounds(square, *law.sample(10, rng)), np.zeros(2), 1.0, 1 / math.sqrt(8)).path
        excess = risks(square, X, y, [online.online_to_batch(path)]) - risks(square, X, y, [u])
        violations += excess[0] > theory.square_batch_excess(10, delta, 1.0, 1.0)
    assert_fails_at_most(violations, 500, delta)


@pytest.mark.claim("cor-square-batch")
def test_constants_of_the_square_loss_and_of_the_note():
    m, delta, U, R = 50, np.array([0.001, 0.1, 0.302, 0.7, 0.99]), 2.0, 0.5
    own = theory.square_batch_excess(m, delta, U, R)
    small = delta <= 2 / math.e
    assert (own[small] <= 12 * (U * R) ** 2 * np.sqrt(2 / m * np.log(2 / delta[small]))).all()
    printed = 16 * (U * R) ** 2 * np.sqrt(np.log(1 / delta) / m)
    assert (own[:3] <= printed[:3]).all() and (own[3:] > printed[3:]).all()
    # one example, always the same: the average is zero and the printed line is false near delta = 1
    losses = rounds(square, [[1.0]], [1.0])
    average = online.online_to_batch(online_gradient_descent(losses, np.zeros(1), 1.0, 1 / math.sqrt(8)).path)
    assert losses[0](average) - losses[0](np.ones(1)) == 1 > 16 * math.sqrt(math.log(1 / 0.997))
    assert 16 * math.sqrt(math.log(1 / math.exp(-1 / 256))) == pytest.approx(1)


@pytest.mark.claim("prop-square-batch-lower")
@pytest.mark.parametrize("m", [1, 2])
def test_no_learner_goes_below_the_floor_in_the_mean_over_all_signs_and_samples_and_its_order_is_that_of_the_promise(m):
    """All 2^(4m) laws and all samples are listed; learners in the ball: descent, the signs seen at several lengths."""
    U, R, n = 2.0, 0.5, 4 * m
    samples = list(itertools.product(range(n), repeat=m))
    means = np.zeros(4)
    for signs in itertools.product((-1.0, 1.0), repeat=n):
        s = np.array(signs)
        least = np.mean((U * R * s - R * U * s / math.sqrt(n)) ** 2)
        for seen in samples:
            losses = rounds(square, R * np.eye(n)[list(seen)], U * R * s[list(seen)])
            path = online_gradient_descent(losses, np.zeros(n), U, 1 / (math.sqrt(8) * R**2)).path
            descent = online.online_to_batch(path)
            best = U * unit(np.where(np.isin(np.arange(n), seen), s, 0.0))
            for j, w in enumerate((descent, best, 0.5 * best, U * np.ones(n) / math.sqrt(n))):
                means[j] += (np.mean((U * R * s - R * w) ** 2) - least) / (len(samples) * 2**n)
    floor = theory.square_batch_floor(m, U, R)
    assert (means >= floor * (1 - 1e-12)).all()
    if m == 1:
        assert means[1] == pytest.approx(floor)  # attained
    m = np.array([1, 7, 1000])
    np.testing.assert_allclose(theory.square_regret(m, 3, 2) / m / theory.square_batch_floor(m, 3, 2), 16 * ROOT2)
