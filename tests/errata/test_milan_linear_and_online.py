"""Errata of the Milan notes on linear classifiers, the perceptron, ridge regression and online learning (12 to 17)."""

import itertools

import numpy as np
import pytest

from mlcourse import theory
from mlcourse.losses import square, zero_one_margin
from mlcourse.models.linear.linear_separation import augmented, max_margin_separator, min_disagreement
from mlcourse.models.linear.perceptron import perceptron
from mlcourse.optim.online import in_ball, online_gradient_descent, online_to_batch, rounds


def updates(X, y, tau=1.0):
    """The weights of the perceptron after each update, in passes over the sample until nothing changes."""
    return perceptron(X, y, itertools.repeat(None), tau).path


@pytest.mark.erratum("M52")
def test_linear_classifiers_underfit_what_is_not_separable():
    four = augmented(np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]]))  # all points of the law, so that nothing is noise
    dropped, _ = min_disagreement(four, np.array([1, 1, -1, -1]))
    assert len(dropped) == 1  # the optimum as a count; the rate is 1/4, of the risk and of the training error


@pytest.mark.erratum("M54")
def test_a_zero_score_with_label_minus_one_is_counted_as_an_error_of_a_right_prediction():
    def printed_sign(z):
        return 1 if z > 0 else -1

    y, score = -1, 0.0
    assert printed_sign(score) == y and zero_one_margin(y * score) == 1  # y w.x <= 0
    for y, score in itertools.product((-1, 1), (-0.5, 0.5)):  # elsewhere the two agree
        assert (printed_sign(score) != y) == zero_one_margin(y * score)


@pytest.mark.erratum("M55", "M56g")
def test_the_perceptron_bound_is_no_equality_and_cauchy_schwarz_closes_its_proof():
    rng = np.random.default_rng(1)
    ratios = []
    for _ in range(10):
        X = rng.normal(size=(40, 3))
        X = X[np.abs(X[:, 0]) > 0.2]
        y = np.sign(X[:, 0])
        path, u = updates(X, y), max_margin_separator(X, y)  # y u.x >= 1
        M, R, w = len(path) - 1, np.linalg.norm(X, axis=1).max(), path[-1]
        assert M <= w @ u <= np.linalg.norm(w) * np.linalg.norm(u) + 1e-9
        assert np.linalg.norm(w) <= R * np.sqrt(M) + 1e-9
        ratios.append(M / (np.linalg.norm(u) * R) ** 2)
    assert max(ratios) < 1 / 2  # M = ... is false
    assert len(updates(np.eye(7), np.ones(7))) - 1 == 7  # |u|^2 R^2 = 7: attained there


def linear_game(gradients, U, G, sign=-1):
    """Losses g_t.w and weights w_1, ..., w_T of steps U sqrt(2) / (G sqrt(t)) along ``sign`` times the gradient."""
    w, played = np.zeros(gradients.shape[1]), []
    for t, g in enumerate(gradients, start=1):
        played.append(w)
        w = in_ball(w + sign * U * np.sqrt(2) / G / np.sqrt(t) * g, U)
    paid = np.einsum("td,td->t", gradients, played)
    return paid, paid.sum() + U * np.linalg.norm(gradients.sum(axis=0))  # the best u in the ball


@pytest.mark.erratum("M61")
def test_against_a_comparator_that_moves_the_regret_is_linear():
    for T in (100, 400, 1600):
        gradients = np.random.default_rng(T).choice([-1.0, 1.0], size=(T, 1))
        paid, fixed = linear_game(gradients, 1.0, 1.0)
        moving = paid.sum() + T  # u_t = -g_t loses -1 in each round
        assert fixed <= theory.ogd_regret(T, 1.0, 1.0) and moving > T / 2


@pytest.mark.erratum("M62")
def test_with_a_plus_the_regret_grows_in_proportion_to_the_rounds():
    for T in (100, 200, 400):
        gradients = np.ones((T, 1))
        (_, right), (_, printed) = (linear_game(gradients, 1.0, 1.0, sign) for sign in (-1, 1))
        assert right <= 2 and np.isclose(printed, 2 * T - 1)
    losses = rounds(square, [[1.0]] * 50, [1.0] * 50)
    path = online_gradient_descent(losses, np.zeros(1), 1.0, 0.3).path  # the minus of the package
    assert abs(path[-1][0] - 1) < 0.02


@pytest.mark.erratum("M63")
def test_the_telescoping_sum_of_the_proof():
    rng, T = np.random.default_rng(4), 9
    D, tau = rng.random(T + 2), np.sort(rng.random(T + 2))[::-1]  # D[t] stands for |w_t - u|^2 / 2
    total = sum((D[t] - D[t + 1]) / tau[t] for t in range(1, T + 1))
    middle = sum(D[t + 1] * (1 / tau[t + 1] - 1 / tau[t]) for t in range(1, T))
    assert np.isclose(total, D[1] / tau[1] + middle - D[T + 1] / tau[T])
    assert not np.isclose(total, D[1] / tau[T] - D[T] / tau[T])  # with eta_t first, and 1/eta_t - 1/eta_t = 0


@pytest.mark.erratum("M64")
def test_the_sum_of_inverse_roots_exceeds_the_printed_integral_for_every_T():
    T = np.arange(1, 10_001)
    sums = np.cumsum(T**-0.5)
    printed = 2 * np.sqrt(T) - 2
    assert (sums > printed + 0.5).all() and printed[0] == 0 and (sums <= 2 * np.sqrt(T)).all()


@pytest.mark.erratum("M66")
def test_the_average_regret_is_of_the_order_of_the_gradient_and_not_of_its_square():
    U, G, T = 1.0, 0.01, 1000
    gradients = G * np.random.default_rng(5).choice([-1.0, 1.0], size=(T, 1))
    worst = linear_game(gradients, U, G)[1] / T
    assert U * G**2 * np.sqrt(8 / T) < worst <= U * G * np.sqrt(8 / T)


@pytest.mark.erratum("M74")
def test_the_printed_online_to_batch_bound_is_false_near_one_and_its_chain_gives_fourteen_or_twelve():
    q = 8 * np.sqrt(2) / (16 - 4 * np.sqrt(2))
    assert round(np.exp(-(q**2)), 3) == 0.302 and round(np.exp(-1 / 256), 3) == 0.996

    def printed(m, delta):
        return 16 * np.sqrt(np.log(1 / delta) / m)  # U = R = 1

    for delta in (0.302, 0.1, 1e-6):
        assert theory.square_batch_excess(50, delta, 1, 1) <= printed(50, delta)
    assert theory.square_batch_excess(50, 0.303, 1, 1) > printed(50, 0.303)
    losses = rounds(square, [[1.0]], [1.0])  # one example, always the same
    w = online_to_batch(online_gradient_descent(losses, np.zeros(1), 1.0, 8**-0.5).path)
    excess = losses[0](w) - losses[0](np.ones(1))
    assert excess == 1 > printed(1, 0.9965) and printed(1, 0.996) > 1
    # in units of (UX)^2 / sqrt(m): the regret, and Azuma for the losses paid, in [0, 4], and those of u, each delta/2
    for delta in (2 / np.e, 0.1, 1e-4):
        q = np.sqrt(2 * np.log(2 / delta))
        fixed = 4 * np.sqrt(np.log(2 / delta) / 2)  # Hoeffding, range 4
        crude = 4 * np.sqrt(2 * np.log(2 / delta))  # differences in [-4, 4]
        assert 8 * np.sqrt(2) + crude + fixed <= 14 * q + 1e-12
        assert 8 * np.sqrt(2) + fixed + fixed <= 12 * q + 1e-12  # the range, not its double
    q, late = np.sqrt(2 * np.log(2 / 0.9)), np.log(2 / 0.9)  # beyond 2/e the regret is more than 8 q
    assert 8 * np.sqrt(2) + 4 * np.sqrt(2 * late) + 4 * np.sqrt(late / 2) > 14 * q
    assert 12 * np.sqrt(2) + 4 / np.sqrt(2) > 16  # the constants of the notes, added up
