"""How the algorithms end, and the steps of a line search computed by hand."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from mlcourse.losses import hinge, square
from mlcourse.optim import line_search
from mlcourse.optim.conjugate_gradient import conjugate_gradient, polak_ribiere_plus
from mlcourse.optim.gradient import gradient_descent, line_search_descent, newton
from mlcourse.optim.objective import Quadratic
from mlcourse.optim.online import (
    best_comparator,
    constant_step_ogd,
    online_gradient_descent,
    online_to_batch,
    rounds,
    strongly_convex_ogd,
)
from mlcourse.optim.stochastic import adam, momentum, stochastic_gradient_descent

X, Y = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]), np.array([1.0, -1.0, 1.0])
LOSSES = rounds(square, X, Y)
PARABOLA = Quadratic(np.eye(2))  # |w|^2 / 2


@pytest.mark.parametrize(
    "run",
    [
        lambda: constant_step_ogd(LOSSES, np.zeros(2), 0.1),
        lambda: strongly_convex_ogd(LOSSES, np.zeros(2), 1.0),
        lambda: online_gradient_descent(LOSSES, np.zeros(2), 1.0, 0.1),
        lambda: stochastic_gradient_descent(lambda w, rows: w, np.ones(2), 0.1, [0, 1, 2]),
        lambda: momentum(lambda w, rows: w, np.ones(2), 0.1, [0, 1, 2]),
        lambda: adam(lambda w, rows: w, np.ones(2), 0.1, [0, 1, 2]),
    ],
)
def test_an_algorithm_that_reads_its_input_to_the_end_has_ended_by_its_own_rule(run):
    trace = run()
    assert trace.converged is True and trace.n_steps == 3 and len(trace.path) == 4


def test_gradient_descent_ends_at_a_gradient_of_the_length_of_the_tolerance_and_not_when_its_steps_run_out():
    at_once = gradient_descent(lambda w: w, [3.0, 4.0], 0.5, tol=5.0)
    assert at_once.converged is True and at_once.n_steps == 0
    halves = gradient_descent(lambda w: w, [3.0, 4.0], 0.5, tol=2.5)
    assert halves.converged is True and halves.n_steps == 1 and halves.last.tolist() == [1.5, 2.0]
    short = gradient_descent(lambda w: w, [3.0, 4.0], [0.5, 0.5], tol=0.0)
    assert short.converged is False and short.n_steps == 2
    assert gradient_descent(lambda w: w, [0.0, 0.0], 0.5).n_steps == 0  # tol is 0, and no gradient is shorter


@pytest.mark.parametrize("descent", [line_search_descent, conjugate_gradient])
def test_a_descent_ends_at_a_gradient_of_the_length_of_the_tolerance(descent):
    assert descent(PARABOLA, [3.0, 4.0], tol=5.0).n_steps == 0
    assert descent(PARABOLA, [3.0, 4.0], tol=5.0).converged is True
    assert descent(PARABOLA, [3.0, 4.0], tol=4.999).n_steps == 1


@pytest.mark.parametrize("descent", [line_search_descent, conjugate_gradient])
def test_a_descent_gives_up_when_the_search_finds_no_step(descent):
    run = descent(PARABOLA, [3.0, 4.0], search=lambda phi, *tau: None)
    assert run.converged is False and run.n_steps == 0


def test_the_first_step_that_conjugate_gradients_try_is_one_and_then_the_last_one_found():
    tried = []

    def search(phi, tau):
        tried.append(tau)
        return [0.25, 0.5, None][len(tried) - 1]

    conjugate_gradient(PARABOLA, [3.0, 4.0], search=search)
    assert tried == [1.0, 0.25, 0.5]


def test_the_part_of_the_old_direction_that_is_kept_is_never_negative():
    g = np.array([2.0])
    assert polak_ribiere_plus(np.array([1.0]), g, -g) == 0.0  # 1 (1 - 2) / 4 is negative
    assert polak_ribiere_plus(np.array([3.0]), g, -g) == pytest.approx(3 / 4)


@pytest.mark.parametrize("size", [0.1, 0.9, 3.0])
def test_newton_goes_straight_down_where_its_own_step_would_go_up(size):
    here = SimpleNamespace(gradient=np.array([size, 0.0]), hessian=-np.eye(2))
    assert newton(here).tolist() == [-size, 0.0]
    here.hessian = np.zeros((2, 2))
    assert newton(here).tolist() == [-size, 0.0]
    here.hessian = 2 * np.eye(2)
    assert newton(here) == pytest.approx([-size / 2, 0.0])


# The slopes of a parabola at 0 and tau vanish, extended as a line, at tau slope0 / (slope0 - slope).
@pytest.mark.parametrize(
    "slope, step", [(-0.75, 4), (-0.25, 2), (-0.5, 2), (-0.96, 10), (-0.9, 10), (-1.0, 10), (-2.0, 10), (0.5, 2)]
)
def test_beyond_the_bracket_the_step_grows_to_the_minimum_of_the_parabola_two_to_tenfold(slope, step):
    assert line_search._beyond(3.0, slope, -1.0) == pytest.approx(3 * step)


def ends(f, slope, a, b):
    return (a, f(a), slope(a)), (b, f(b), slope(b))


@pytest.mark.parametrize("a, b", [(0.0, 3.0), (3.0, 0.0), (-0.5, 2.0), (0.5, 1.5)])
def test_between_two_ends_the_step_is_the_minimiser_of_a_cubic(a, b):
    low, high = ends(lambda t: t**3 - 3 * t, lambda t: 3 * t**2 - 3, a, b)  # a minimum at 1
    fraction = min(max((1 - a) / (b - a), 0.1), 0.9)
    assert line_search._between(low, high) == pytest.approx(a + (b - a) * fraction)


def test_between_two_ends_the_step_stays_off_them():
    for minimum, expected in ((0.01, 0.1), (0.99, 0.9), (0.3, 0.3)):
        low, high = ends(lambda t, c=minimum: (t - c) ** 2 / 2, lambda t, c=minimum: t - c, 0.0, 1.0)
        assert line_search._between(low, high) == pytest.approx(expected)


def test_without_a_cubic_the_step_is_the_middle():
    assert line_search._between((0.0, 0.0, 0.5), (2.0, 2 / 3, 0.5)) == 1.0  # its derivative has no root
    assert line_search._between((0.0, 0.0, -1.0), (2.0, math.inf, 1.0)) == 1.0
    assert line_search._between((1.0, 0.0, -1.0), (3.0, 0.0, math.inf)) == 2.0
    assert line_search._between((0.0, 0.0, 0.0), (2.0, 0.0, 0.0)) == 1.0  # a constant


def test_armijo_and_the_curvature_conditions_hold_with_equality():
    def phi(tau):  # slope -1 at 0, as little decrease as c1 = 1/4 asks for at 1
        return (1.0, -1.0) if tau == 0 else (0.75, -0.5)

    assert line_search.armijo(phi, 1.0, c1=0.25) and not line_search.armijo(phi, 1.0, c1=0.2501)
    assert line_search.curvature(phi, 1.0, c2=0.5) and not line_search.curvature(phi, 1.0, c2=0.4999)
    assert line_search.strong_curvature(phi, 1.0, c2=0.5) and not line_search.strong_curvature(phi, 1.0, c2=0.4999)


def test_backtracking_halves_and_gives_up_after_a_hundred_trials():
    asked = []

    def uphill(tau):
        asked.append(tau)
        return (0.0, -1.0) if tau == 0 else (1.0, 1.0)

    assert line_search.backtracking(uphill) is None
    tried = [tau for tau in asked if tau]
    assert tried == [2.0**-i for i in range(100)]
    assert line_search.backtracking(lambda tau: (0.0, -1.0) if tau == 0 else (tau - 0.25, -1.0), tau=2.0) == 0.25 / 2


def test_the_average_of_the_weights_played_leaves_out_the_last():
    assert online_to_batch([np.array([1.0]), np.array([3.0]), np.array([100.0])]).tolist() == [2.0]


def test_the_best_comparator_in_the_ball_by_hand():
    # (u - 3)^2 on the line: the end of the ball, or 3 itself
    one = np.ones((2, 1))
    assert best_comparator(square, one, [3.0, 3.0], 2.0) == pytest.approx([2.0])
    assert best_comparator(square, one, [3.0, 3.0], 5.0) == pytest.approx([3.0])
    # a direction that the sample does not show stays at zero
    flat = np.array([[1.0, 1.0], [2.0, 2.0]])
    assert best_comparator(square, flat, [2.0, 4.0], 9.0) == pytest.approx([1.0, 1.0])
    assert best_comparator(square, np.zeros((2, 2)), [2.0, 4.0], 9.0) == pytest.approx([0.0, 0.0])
    # hinge: margins 2u and -u; 1 - 2u + 1 + u falls up to u = 1/2 and then rises
    assert best_comparator(hinge, [[2.0], [1.0]], [1.0, -1.0], 9.0) == pytest.approx([0.5], abs=1e-4)
    assert best_comparator(hinge, [[2.0], [1.0]], [1.0, -1.0], 0.25) == pytest.approx([0.25], abs=1e-6)
