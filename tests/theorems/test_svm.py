"""The claims and algorithms of the chapter on support vector machines."""

import functools
import itertools

import numpy as np
import pytest
from scipy.optimize import linprog, minimize, nnls

from mlcourse import SVM, GaussianKernel, LinearKernel, OneVsRest, Pegasos
from mlcourse.data import FiniteLaw, GaussianPair, Moons, SeparableMargin, load_iris
from mlcourse.losses import hinge, zero_one
from mlcourse.models.kernels.dual_ascent import dual_ascent, dual_box
from mlcourse.models.kernels.gram_rows import squared_distances
from mlcourse.models.kernels.pegasos import average, drawn_batches, kernel_pegasos, pegasos
from mlcourse.models.kernels.rkhs import RKHSFunction
from mlcourse.models.kernels.svm import smo
from mlcourse.models.kernels.svm_dual import dual_objective, duality_gap, kkt_residuals, optimal_bias, primal_objective
from mlcourse.models.linear.linear_separation import margin, max_margin_separator
from mlcourse.theory import pegasos_excess, pegasos_sum, smo_gap, weights_distance

SVM = functools.partial(SVM, max_iter=100_000)  # a solver that chooses badly fails, and does not run for ever
smo, dual_ascent = (functools.partial(solver, max_iter=20_000) for solver in (smo, dual_ascent))
seeds = pytest.mark.parametrize("seed", range(5))


def separable(seed, m=20, d=2):
    rng = np.random.default_rng(seed)
    X, y = SeparableMargin(d=d, rho=0.1, bias=0.2).sample(m, rng)
    assert len(set(y)) == 2
    return X, y.astype(float), rng


def overlapping(seed, m=30, d=2):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([-1.0, 1.0], [m // 3, m - m // 3]))
    return rng.normal(size=(m, d)) + 0.6 * y[:, None], y, rng


def feasible(y, C, rng):
    """Some alpha in [0, C] with sum_i alpha_i y_i = 0."""
    alpha = rng.uniform(0, C, size=len(y)) * (rng.random(len(y)) < 0.8)
    plus, minus = alpha[y > 0].sum(), alpha[y < 0].sum()
    return alpha * np.where(y > 0, minus, plus) / max(plus, minus)


def general_minimum(f, start, constraints):
    """What a general solver finds for a smooth f and constraints c(x) >= 0."""
    options = {"ftol": 1e-15, "maxiter": 1000}
    return minimize(f, start, constraints={"type": "ineq", "fun": constraints}, method="SLSQP", options=options)


# --- the widest street --------------------------------------------------------------------------------------
@pytest.mark.claim("prop-canonical-margin")
@seeds
def test_a_canonical_pair_has_margin_one_over_its_length(seed):
    X, y, rng = separable(seed)
    w, b = np.ones(2) + 0.05 * rng.normal(size=2), 0.2 * np.sqrt(2)
    scores = y * (X @ w + b)
    assert scores.min() > 0
    w, b = w / scores.min(), b / scores.min()
    assert np.isclose(np.min(y * (X @ w + b)), 1)
    # distances the slow way: to the nearest of many points of the line
    foot, along = -b * w / (w @ w), np.array([-w[1], w[0]]) / np.linalg.norm(w)
    line = foot + np.linspace(-4, 4, 200_001)[:, None] * along
    nearest = min(np.linalg.norm(line - x, axis=1).min() for x in X)
    assert np.isclose(nearest, 1 / np.linalg.norm(w), atol=1e-6)
    assert (np.abs(X @ w + b) >= 1 - 1e-12).all()
    edges = foot + w / (w @ w), foot - w / (w @ w)  # a point of each edge, opposite one another
    assert np.isclose(np.linalg.norm(edges[0] - edges[1]), 2 / np.linalg.norm(w))
    assert np.allclose([edge @ w + b for edge in edges], [1, -1])


@pytest.mark.claim("thm-max-margin")
@seeds
def test_the_widest_street_is_found_by_no_direction_twice_and_without_bias_is_the_shortest_vector(seed, rng):
    X, y, rng = separable(seed, d=3)
    model = SVM(1e6, tol=1e-9).fit(X, y)
    w, b = model.w_, model.b_
    assert np.min(y * (X @ w + b)) == pytest.approx(1, abs=1e-6)
    rho = 1 / np.linalg.norm(w)
    pair = np.append(w, b)
    found = general_minimum(lambda v: v[:-1] @ v[:-1] / 2, 1.5 * pair, lambda v: y * (X @ v[:-1] + v[-1]) - 1)
    np.testing.assert_allclose(pair, found.x, atol=1e-4)
    for size in (1e-3, 0.1, 1.0):
        U = w / np.linalg.norm(w) + size * rng.normal(size=(3000, 3))
        U /= np.linalg.norm(U, axis=1, keepdims=True)
        projected = U @ X.T
        margins = (projected[:, y > 0].min(axis=1) - projected[:, y < 0].max(axis=1)) / 2  # at the best b
        assert margins.max() < rho
        # strictly worse away from u*: the maximum is attained nowhere else
        assert ((rho - margins) > 1e-3 * (1 - U @ w * rho)).all()
    scores = X @ w + b
    assert scores[y > 0].min() == pytest.approx(1, abs=1e-6) and scores[y < 0].max() == pytest.approx(-1, abs=1e-6)
    X, y = SeparableMargin(d=3, rho=0.1).sample(15, rng)
    w = SVM(1e6, bias=False, tol=1e-9).fit(X, y).w_
    np.testing.assert_allclose(w, max_margin_separator(X, y), rtol=1e-5, atol=1e-6)
    assert margin(w, X, y) == pytest.approx(1 / np.linalg.norm(w), rel=1e-6)
    with_bias = SVM(1e6, tol=1e-9).fit(X, y).w_
    assert np.linalg.norm(with_bias) <= np.linalg.norm(w) + 1e-6  # more freedom, wider street


# --- multipliers and duality --------------------------------------------------------------------------------
@pytest.mark.claim("lem-farkas")
def test_exactly_one_alternative_of_farkas_holds():
    rng, seen = np.random.default_rng(0), set()
    for _ in range(200):
        A, g = rng.integers(-2, 3, size=(rng.integers(1, 6), 3)) * 1.0, rng.integers(-2, 3, size=3) * 1.0
        cone = nnls(A.T, -g)[1] < 1e-9
        free = linprog(g, A_ub=A, b_ub=np.zeros(len(A)), bounds=(-1, 1)).fun < -1e-9  # a direction as in 2
        assert cone != free
        seen.add(cone)
    assert seen == {True, False}


@pytest.mark.claim("thm-kkt")
@pytest.mark.erratum("M72")
def test_multipliers_exist_at_a_minimum_and_prove_it_but_need_affine_constraints_and_signs():
    rng = np.random.default_rng(1)
    for _ in range(40):
        A, c = rng.normal(size=(6, 3)), rng.uniform(0.1, 1, size=6)
        B, q = rng.normal(size=(3, 3)), 3 * rng.normal(size=3)
        Q = B @ B.T + 0.1 * np.eye(3)
        w = general_minimum(lambda w: w @ Q @ w / 2 - q @ w, np.zeros(3), lambda w: c - A @ w).x  # noqa: B023
        active = A @ w > c - 1e-6
        g = Q @ w - q
        left_over = nnls(A[active].T, -g)[1] if active.any() else np.linalg.norm(g)
        assert left_over < 1e-4  # necessary
        # sufficient: whatever satisfies the conditions is below all feasible points
        for v in rng.normal(size=(200, 3)):
            v = v * min(1, (c / np.maximum(A @ v, 1e-12)).min())
            assert v @ Q @ v / 2 - q @ v >= w @ Q @ w / 2 - q @ w - 1e-4
    assert nnls(np.zeros((1, 1)), np.array([-1.0]))[1] == 1.0  # min x, x^2 <= 0: no multiplier at the minimum
    # w = 0 is no minimum of w under w <= 0; only alpha = -1 makes it stationary, and its sign is wrong
    assert nnls(np.ones((1, 1)), np.array([-1.0]))[1] == 1.0


@pytest.mark.claim("thm-svm-dual")
@seeds
def test_hard_margin_duality_with_and_without_bias(seed):
    X, y, rng = separable(seed)
    model, K = SVM(1e6, tol=1e-10).fit(X, y), X @ X.T
    alpha, w, b = model.alpha_, model.w_, model.b_
    value = w @ w / 2
    for _ in range(300):  # weak duality
        assert dual_objective(feasible(y, 10 ** rng.uniform(-2, 2), rng), K, y) <= value + 1e-7
    assert dual_objective(alpha, K, y) == pytest.approx(value, rel=1e-6)
    assert alpha.sum() == pytest.approx(w @ w, rel=1e-6) and abs(alpha @ y) < 1e-8
    np.testing.assert_allclose((alpha * y) @ X, w, atol=1e-8)
    np.testing.assert_allclose(y[alpha > 0] - X[alpha > 0] @ w, b, atol=1e-5)
    # the identity of the proof, for arbitrary arguments
    for _ in range(50):
        a, u, c = feasible(y, 1.0, rng), rng.normal(size=2), rng.normal()
        v = (a * y) @ X
        right = (u - v) @ (u - v) / 2 + a @ (y * (X @ u + c) - 1)
        assert u @ u / 2 - dual_objective(a, K, y) == pytest.approx(right)
    X, y = SeparableMargin(d=3, rho=0.15).sample(12, np.random.default_rng(seed))
    model, w = SVM(1e6, bias=False, tol=1e-10).fit(X, y), max_margin_separator(X, y)
    assert [model.alpha_.sum(), 2 * dual_objective(model.alpha_, X @ X.T, y)] == pytest.approx([w @ w] * 2, rel=1e-6)
    assert abs(model.alpha_ @ y) > 1e-3  # the equation has gone


@pytest.mark.claim("thm-svm-kkt")
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [0.02, 0.5, 10.0])
def test_the_three_cases_characterise_the_solution(bias, C):
    X, y, rng = overlapping(3)
    K = X @ X.T
    model = SVM(C, bias=bias, tol=1e-10).fit(X, y)
    alpha, b = model.alpha_, model.b_
    z = y * (K @ (alpha * y) + b)
    assert (z[alpha == 0] > 1 - 1e-7).all() and (z[alpha == C] < 1 + 1e-7).all()
    np.testing.assert_allclose(z[(alpha > 0) & (alpha < C)], 1, atol=1e-7)
    assert duality_gap(alpha, b, K, y, C) == pytest.approx(0, abs=1e-6)

    def constraints(v):  # of a general solver, with slacks as variables: the same value
        return np.concatenate([y * (X @ v[:2] + bias * v[2]) - 1 + v[3:], v[3:]])

    start = np.concatenate([model.w_, [b], hinge(z) + 0.1])
    found = general_minimum(lambda v: v[:2] @ v[:2] / 2 + C * v[3:].sum(), start, constraints)
    assert primal_objective(alpha, b, K, y, C) == pytest.approx(found.fun, rel=1e-5)
    # not optimal: some condition is violated
    for _ in range(50):
        a = feasible(y, C, rng)
        assert kkt_residuals(a, rng.normal() if bias else 0.0, K, y, C).max() > 1e-3
        assert dual_objective(a, K, y) < dual_objective(alpha, K, y)


@pytest.mark.claim("thm-svm-kkt")
@pytest.mark.erratum("P27b")
def test_the_gap_is_the_sum_of_visible_pieces_and_slack_above_one_is_an_error():
    X, y, rng = overlapping(4)
    K, C = X @ X.T, 0.7
    for _ in range(200):
        a, w, b = feasible(y, C, rng), rng.normal(size=2), rng.normal()
        z, v = y * (X @ w + b), (a * y) @ X
        xi = hinge(z) + rng.exponential(size=30)
        pieces = (w - v) @ (w - v) / 2, a @ (z - 1 + xi), (C - a) @ xi
        assert min(pieces) >= 0
        assert w @ w / 2 + C * xi.sum() - dual_objective(a, K, y) == pytest.approx(sum(pieces))
    X, y, _ = overlapping(5)
    model = SVM(0.3, tol=1e-9).fit(X, y)
    assert ((hinge(y * model.decision_function(X)) > 1) == (model.predict(X) != y)).all()
    three = SVM(1e3, tol=1e-10).fit([[1, 0], [-1, 0], [1, 1]], [1, -1, 1])
    np.testing.assert_allclose(three.alpha_, [0.5, 0.5, 0.0], atol=1e-8)  # on the edge, not a support vector
    np.testing.assert_allclose(three.decision_function([[1, 1]]), 1, atol=1e-8)


# --- the bias -----------------------------------------------------------------------------------------------
@pytest.mark.claim("prop-bias-interval")
@pytest.mark.parametrize("C", [1e-3, 0.05, 1.0])
def test_the_interval_holds_all_optimal_biases_and_no_other(C):
    for seed in range(6):
        X, y, _ = overlapping(seed, m=16)
        if seed % 2:
            y = np.repeat([-1.0, 1.0], 8)  # balanced: for a small C all examples are at the bound
        K = X @ X.T
        alpha = SVM(C, tol=1e-10).fit(X, y).alpha_
        g, beta, (low, high) = y - K @ (alpha * y), alpha * y, dual_box(y, C)
        lower, upper = g[beta < high].max(), g[beta > low].min()
        assert lower <= upper + 1e-7
        least = min(primal_objective(alpha, b, K, y, C) for b in (lower, upper))
        for b in np.linspace(lower, upper, 5):
            assert primal_objective(alpha, b, K, y, C) == pytest.approx(least, abs=1e-8)
        for b in (lower - 0.1, upper + 0.1):
            assert primal_objective(alpha, b, K, y, C) > least + 1e-6 * C
        free = (alpha > 0) & (alpha < C)
        if free.any():
            np.testing.assert_allclose([*g[free], lower, upper], g[free][0], atol=1e-6)
        assert lower - 1e-7 <= optimal_bias(alpha, K @ (alpha * y), y, C) <= upper + 1e-7


@pytest.mark.claim("prop-bias-interval")
def test_two_points_have_the_interval_of_the_page_and_bad_alpha_has_none():
    X, y = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    alpha = SVM(0.1).fit(X, y).alpha_
    g = y - X @ X.T @ (alpha * y)
    np.testing.assert_allclose(g, [-0.8, 0.8])
    X, y, rng = overlapping(0)
    for _ in range(100):
        alpha = feasible(y, 1.0, rng)
        g, beta, (low, high) = y - X @ X.T @ (alpha * y), alpha * y, dual_box(y, 1.0)
        assert g[beta < high].max() > g[beta > low].min()


# --- sequential minimal optimisation -------------------------------------------------------------------------
@pytest.mark.claim("prop-smo-step")
def test_the_step_is_the_best_and_moves_the_gradient_as_said():
    X, y, rng = overlapping(1)
    K, D, C = GaussianKernel(0.7)(X), squared_distances(GaussianKernel(0.7), X, 100), 0.9
    low, high = dual_box(y, C)

    def W(beta):
        return y @ beta - beta @ K @ beta / 2

    for _ in range(100):
        beta = feasible(y, C, rng) * y
        g = y - K @ beta
        i, j = rng.choice(30, size=2, replace=False)
        room = min(high[i] - beta[i], beta[j] - low[j])
        if g[i] <= g[j] or room < 1e-9:
            continue
        e = np.eye(30)[i] - np.eye(30)[j]
        s = min(room, (g[i] - g[j]) / D[i, j])
        gains = [W(beta + t * e) - W(beta) for t in np.linspace(0, room, 200)]
        gain = W(beta + s * e) - W(beta)
        assert gain == pytest.approx(s * (g[i] - g[j]) - s**2 * D[i, j] / 2)
        assert gain >= max(gains) - 1e-12 and gain >= s * (g[i] - g[j]) / 2 - 1e-12
        if s < room:
            assert gain == pytest.approx((g[i] - g[j]) ** 2 / (2 * D[i, j]))
        change = (y - K @ (beta + s * e)) - g - s / 2 * (D[i] - D[j])
        np.testing.assert_allclose(change, change[0], atol=1e-10)


@pytest.mark.claim("prop-smo-step")
def test_no_violating_pair_iff_solution():
    X, y, rng = overlapping(2, m=12)
    K, C = X @ X.T, 1.0
    low, high = dual_box(y, C)
    best = SVM(C, tol=1e-11).fit(X, y)
    for beta in (best.alpha_ * y, *(feasible(y, C, rng) * y for _ in range(20))):
        g = y - K @ beta
        violating = (beta < high)[:, None] & (beta > low) & (g[:, None] > g + 1e-7)
        optimal = dual_objective(np.abs(beta), K, y) > dual_objective(best.alpha_, K, y) - 1e-7
        assert optimal == (not violating.any())


@pytest.mark.algorithm("alg-smo")
@pytest.mark.claim("thm-smo-gap")
@pytest.mark.parametrize("tol", [0.3, 1e-2, 1e-5])
def test_smo_stops_with_the_promised_gap(tol):
    for seed, C in itertools.product(range(4), (0.05, 1.0, 30.0)):
        X, y, _ = overlapping(seed)
        kernel = GaussianKernel(0.5)
        K, D = kernel(X), squared_distances(kernel, X, 100)
        run = smo(D, y, C, tol)
        best = SVM(C, kernel, tol=1e-10).fit(X, y)
        assert run.converged
        beta, (low, high) = run.last, dual_box(y, C)
        g = y - K @ beta
        ends = g[beta > low].min(), g[beta < high].max()
        assert ends[1] - ends[0] <= tol + 1e-9
        for b in (*ends, np.mean(ends), optimal_bias(np.abs(beta), K @ beta, y, C)):
            gap = duality_gap(np.abs(beta), b, K, y, C)
            exact = (high - beta) @ np.maximum(g - b, 0) + (beta - low) @ np.maximum(b - g, 0)
            assert gap == pytest.approx(exact, abs=1e-9 * C) and gap <= smo_gap(30, C, tol) + 1e-9
        gap = duality_gap(np.abs(beta), np.mean(ends), K, y, C)
        assert gap <= smo_gap(30, C, tol) / 2 + 1e-9
        change = beta - best.alpha_ * y
        assert np.sqrt(max(change @ K @ change, 0)) <= weights_distance(max(gap, 0)) + 1e-5


@pytest.mark.claim("thm-smo-gap")
def test_the_gap_can_be_as_large_as_promised():
    """One example of each label at the same place: beta = 0 violates by 2, and the gap is 2 C = C m tol / 2."""
    K, y, C = np.ones((2, 2)), np.array([-1.0, 1.0]), 3.0
    gap = duality_gap(np.zeros(2), 0.0, K, y, C)
    assert gap == pytest.approx(smo_gap(2, C, 2.0) / 2) == pytest.approx(2 * C)
    # the distance: one point, without bias; alpha = 0 has gap C - 0, and with C < 1 / k the optimum is w = C phi
    K, y, C = np.array([[4.0]]), np.array([1.0]), 0.1
    assert duality_gap(np.zeros(1), 0.0, K, y, C) == pytest.approx(C)
    assert C * 2 <= weights_distance(C)


@pytest.mark.algorithm("alg-smo")
def test_smo_makes_the_steps_of_the_pseudo_code():
    X, y, _ = overlapping(6)
    K = GaussianKernel(0.5)(X)
    D, C, tol = squared_distances(GaussianKernel(0.5), X, 100), 0.8, 1e-3
    path, (low, high) = smo(D, y, C, tol).path, dual_box(y, C)
    beta = np.zeros(30)
    for after in path[1:]:
        g = y - K @ beta
        rise, fall = np.where(beta < high, g, -np.inf), np.where(beta > low, g, np.inf)
        i = rise.argmax()
        violation = rise[i] - fall
        j = (violation * np.abs(violation) / D[i]).argmax()
        assert violation.max() > tol
        s = min(high[i] - beta[i], beta[j] - low[j], violation[j] / D[i, j])
        beta = beta + s * (np.eye(30)[i] - np.eye(30)[j])
        np.testing.assert_allclose(after, beta, atol=1e-9)
        beta = after
    g = y - K @ beta
    assert g[beta < high].max() - g[beta > low].min() <= tol + 1e-9


@pytest.mark.algorithm("alg-dual-ascent")
@pytest.mark.claim("prop-dual-ascent")
@pytest.mark.parametrize("tol", [0.1, 1e-6])
def test_coordinate_ascent_climbs_to_the_promised_gap(tol):
    for seed, C in itertools.product(range(4), (0.05, 1.0, 20.0)):
        X, y, _ = overlapping(seed)
        K = GaussianKernel(0.5)(X)
        run, (low, high) = dual_ascent(K, np.ones(30), y, C, tol), dual_box(y, C)
        for beta, after in itertools.pairwise(run.path):
            g, s = y - K @ beta, after - beta
            (i,) = np.flatnonzero(s)
            gain = dual_objective(np.abs(after), K, y) - dual_objective(np.abs(beta), K, y)
            assert gain == pytest.approx(s[i] * g[i] - s[i] ** 2 / 2, abs=1e-9)
            assert gain >= abs(s[i] * g[i]) / 2 - 1e-9
            moves = np.clip(beta + g, low, high) - beta
            assert gain >= (moves * g - moves**2 / 2).max() - 1e-9  # the best coordinate
            assert after[i] == pytest.approx(np.clip(beta[i] + g[i], low[i], high[i]))
        assert run.converged and duality_gap(np.abs(run.last), 0.0, K, y, C) <= smo_gap(30, C, tol) + 1e-9


@pytest.mark.claim("prop-dual-ascent")
@pytest.mark.parametrize("tol", [0.1, 1e-3])
def test_coordinate_ascent_stops_whatever_the_sample_and_its_gap_can_be_as_promised(tol):
    """Copies, points at zero, opposite labels at one place, singular Gram matrices, all prices of slack."""
    for seed, C in itertools.product(range(6), (1e-2, 1.0, 30.0)):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-2, 3, size=(25, 2)) * 1.0, rng.choice([-1.0, 1.0], size=25)
        K = X @ X.T
        run = dual_ascent(K, np.diag(K), y, C, tol)
        assert run.converged
        assert -1e-9 <= duality_gap(np.abs(run.last), 0.0, K, y, C) <= smo_gap(25, C, tol) + 1e-9
        assert run.last[~X.any(axis=1)] == pytest.approx(C * y[~X.any(axis=1)])  # zero points go to their bound
    # Far points do not see each other: from beta = 0 each misses by g = 1, and the gap is C m.
    K, y = np.eye(3), np.array([1.0, -1.0, 1.0])
    assert duality_gap(np.zeros(3), 0.0, K, y, 0.2) == pytest.approx(smo_gap(3, 0.2, 1.0))
    assert dual_ascent(K, np.ones(3), y, 0.2, tol=1.0).n_steps == 0


# --- regularised risk, kernels, leave-one-out -----------------------------------------------------------------
@pytest.mark.claim("prop-c-lambda")
@pytest.mark.erratum("P28")
@pytest.mark.parametrize("lam", [0.003, 0.1, 5.0])
def test_C_is_one_over_lambda_m_and_the_bound_on_the_norm_can_be_attained(lam):
    X, y, rng = overlapping(7)
    model = SVM(1 / (lam * 30), tol=1e-10).fit(X, y)

    def F(w, b):
        return hinge(y * (X @ w + b)).mean() + lam / 2 * w @ w

    least = F(model.w_, model.b_)
    assert least == pytest.approx(lam * primal_objective(model.alpha_, model.b_, X @ X.T, y, model.C), rel=1e-6)
    assert np.linalg.norm(model.w_) <= 1 / np.sqrt(lam) and np.mean(model.predict(X) != y) <= least
    for size in (1e-3, 0.1, 1.0):
        for w, b in zip(rng.normal(size=(100, 2)), rng.normal(size=100), strict=True):
            assert F(model.w_ + size * w, model.b_ + size * b) >= least - 1e-8
    # Two points of length r with lam >= r^2: w* = r / lam, and at lam = r^2 this is 1 / sqrt(lam).
    X, y = np.array([[2.0], [-2.0]]), np.array([1.0, -1.0])
    for lam, ratio in [(4.0, 1.0), (16.0, 0.5)]:
        w = SVM(1 / (2 * lam), bias=False, tol=1e-10).fit(X, y).w_
        assert abs(w[0]) * np.sqrt(lam) == pytest.approx(ratio)


@pytest.mark.claim("prop-unsquared")
@seeds
def test_the_unsquared_penalty_has_a_threshold(seed):
    X, y, _ = overlapping(seed, m=8)
    K = GaussianKernel(0.5)(X)
    r = np.sqrt(y @ K @ y)

    def least(lam, power):
        """The smallest objective over a = coefficients, relative to that of f = 0, in a few hundred directions."""
        rng = np.random.default_rng(0)
        best = np.inf
        for direction in (y, *rng.normal(size=(200, 8))):
            p = direction / np.sqrt(direction @ K @ direction)
            t = np.concatenate([np.logspace(-9, 1, 60), -np.logspace(-9, 1, 60)])
            losses = hinge(y[:, None] * np.outer(K @ p, t)).sum(axis=0) + lam * np.abs(t) ** power
            best = min(best, losses.min() - 8)
        return best

    assert least(1.01 * r, 1) > -1e-9 and least(0.99 * r, 1) < 0
    assert least(1.01 * r, 2) < -1e-3 and least(100 * r, 2) < 0


@pytest.mark.claim("prop-svm-representer")
@pytest.mark.parametrize("bias", [True, False])
def test_the_kernel_machine_is_a_combination_of_its_examples(bias):
    X, y, rng = overlapping(8)
    kernel, lam = GaussianKernel(0.5), 0.02
    model = SVM(1 / (lam * 30), kernel, bias=bias, tol=1e-10).fit(X, y)
    full = RKHSFunction(X, model.alpha_ * y, kernel)
    np.testing.assert_allclose(full(X[:5] + 0.1), model.f_(X[:5] + 0.1), atol=1e-10)

    def F(f, b):
        return hinge(y * (f(X) + b)).mean() + lam / 2 * f.norm() ** 2

    least = F(model.f_, model.b_)
    for size in (1e-2, 0.3):  # functions outside the span of the sample do not help either
        for _ in range(30):
            other = RKHSFunction(3 * rng.normal(size=(4, 2)), size * rng.normal(size=4), kernel)
            assert F(model.f_ + other, model.b_ + bias * size * rng.normal()) >= least - 1e-9
    z = y * model.decision_function(X)
    np.testing.assert_allclose(model.alpha_[z < 1 - 1e-6], 1 / (lam * 30))
    assert (model.alpha_[z > 1 + 1e-6] == 0).all()


@pytest.mark.claim("prop-loo-support")
@pytest.mark.parametrize("bias", [True, False])
@seeds
def test_only_support_vectors_are_leave_one_out_errors(seed, bias):
    X, y = Moons(noise=0.3).sample(40, np.random.default_rng(seed))
    kernel, C = GaussianKernel(1.0), 2.0
    full = SVM(C, kernel, bias=bias, tol=1e-8).fit(X, y)
    assert not bias or ((full.alpha_ > 0) & (full.alpha_ < C)).any()
    errors = 0
    for i in range(40):
        rest = np.arange(40) != i
        left = SVM(C, kernel, bias=bias, tol=1e-8).fit(X[rest], y[rest])
        if full.alpha_[i] == 0:
            np.testing.assert_allclose(left.decision_function(X), full.decision_function(X), atol=1e-5)
            assert left.predict(X[[i]])[0] == y[i]
        errors += left.predict(X[[i]])[0] != y[i]
    assert errors <= len(full.support_)


@pytest.mark.claim("prop-loo-support")
def test_all_support_vectors_can_be_leave_one_out_errors():
    """A positive and a negative example alternate on the line: everyone is a support vector, and missed if left out."""
    X, y = np.arange(6.0)[:, None], np.tile([-1, 1], 3)
    model = SVM(1e6, GaussianKernel(1.0), bias=False, tol=1e-6)
    assert len(model.fit(X, y).support_) == 6
    assert all(model.fit(X[r], y[r]).predict(X[~r])[0] != y[~r][0] for r in ~np.eye(6, dtype=bool))


# --- Pegasos ------------------------------------------------------------------------------------------------
def objective(X, y, lam):
    return lambda w: hinge(y * (X @ w)).mean() + lam / 2 * w @ w


@pytest.mark.algorithm("alg-pegasos")
@pytest.mark.claim("prop-pegasos-form")
@pytest.mark.parametrize("lam, batch", [(0.01, 1), (0.3, 1), (5.0, 3)])
def test_pegasos_weights_are_scaled_sums_of_short_steps(lam, batch):
    X, y, rng = overlapping(9)
    rows, R = list(drawn_batches(30, batch, 200, rng)), np.linalg.norm(X, axis=1).max()
    path, total = pegasos(X, y, lam, rows).path, np.zeros(2)
    assert not path[0].any() and len(path) == 201
    for t, (w, some, after) in enumerate(zip(path, rows, path[1:], strict=False), start=1):
        v = np.mean([y[i] * X[i] if y[i] * (X[i] @ w) < 1 else 0 * X[i] for i in some], axis=0)
        total += v
        np.testing.assert_allclose(after, total / (lam * t), atol=1e-9 / lam)
        np.testing.assert_allclose(after, w - (lam * w - v) / (lam * t), atol=1e-9 / lam)
        assert np.linalg.norm(after) <= R / lam * (1 + 1e-12)
        assert np.linalg.norm(lam * w - v) <= (R if t == 1 else 2 * R) * (1 + 1e-12)
        F, u = objective(X[some], y[some], lam), w + rng.normal(size=2)
        assert F(u) >= F(w) + (lam * w - v) @ (u - w) - 1e-9


@pytest.mark.claim("prop-pegasos-form")
def test_the_subgradient_can_be_twice_the_radius():
    """The first example pulls to the right, the second to the left, as strongly as they can."""
    X, y, lam = np.array([[1.0], [-1.0]]), np.array([1.0, 1.0]), 1.0
    path = pegasos(X, y, lam, [[0], [1]]).path
    assert abs(lam * path[1] - y[1] * X[1]) == pytest.approx(2.0)


@pytest.mark.claim("prop-strong-distance")
@pytest.mark.erratum("M83")
def test_the_excess_bounds_the_squared_distance():
    for seed, lam in itertools.product(range(4), (0.01, 0.5)):
        X, y, rng = overlapping(seed)
        F, best = objective(X, y, lam), SVM(1 / (lam * 30), bias=False, tol=1e-11).fit(X, y).w_
        for w in best + rng.normal(size=(300, 2)) * 10 ** rng.uniform(-3, 1, size=(300, 1)):
            assert lam / 2 * (w - best) @ (w - best) <= F(w) - F(best) + 1e-9
    # equality while all hinge losses stay positive: the objective is then a parabola around w*
    X, y, lam = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), 10.0
    F, best, w = objective(X, y, lam), np.array([0.1]), np.array([0.6])
    assert F(w) - F(best) == pytest.approx(lam / 2 * 0.25)


@pytest.mark.algorithm("alg-pegasos")
@pytest.mark.claim("thm-pegasos")
@pytest.mark.parametrize("lam", [0.02, 0.5])
def test_the_average_is_as_good_as_promised_on_average(lam):
    X, y, rng = overlapping(10)
    R, F = np.linalg.norm(X, axis=1).max(), objective(X, y, lam)
    least = F(SVM(1 / (lam * 30), bias=False, tol=1e-11).fit(X, y).w_)
    for T, runs in [(1, 1), (2, 200), (5, 200), (40, 100), (400, 30)]:
        draws = (drawn_batches(30, 1, T - 1, rng) for _ in range(runs))
        risks = [F(average(pegasos.iterates(X, y, lam, batches))) for batches in draws]
        assert np.mean(risks) - least <= pegasos_sum(T, lam, R)


@pytest.mark.claim("thm-pegasos")
@pytest.mark.erratum("M84")
def test_two_rounds_by_enumeration_of_all_draws_and_the_constants_of_the_pegasos_bound():
    """With T = 3 there are m^2 equally likely pairs of draws: the expectation is exact."""
    X, y, _ = overlapping(11, m=12)
    for lam in (0.05, 1.0, 20.0):
        R, F = np.linalg.norm(X, axis=1).max(), objective(X, y, lam)
        least = F(SVM(1 / (lam * 12), bias=False, tol=1e-11).fit(X, y).w_)
        pairs = itertools.product(range(12), repeat=2)
        mean = np.mean([F(np.mean(pegasos(X, y, lam, [[i], [j]]).path, axis=0)) - least for i, j in pairs])
        assert 0 < mean <= pegasos_sum(3, lam, R) < pegasos_excess(3, lam, R)
    T = np.arange(1, 2000)
    many = np.append(T, [10**6, 10**12])
    assert (pegasos_sum(many, 1, 1) < pegasos_excess(many, 1, 1)).all()
    assert (np.cumsum(1 / T) > np.log(T + 1)).all()  # without the 3/4 it would be false
    F = objective(np.array([[3.0, 4.0]]), np.ones(1), 40.0)  # one round, one example, lam >= R^2: attained
    assert F(np.zeros(2)) - F(np.array([3.0, 4.0]) / 40) == pytest.approx(pegasos_sum(1, 40.0, 5.0))


@pytest.mark.algorithm("alg-kernel-pegasos")
@pytest.mark.parametrize("batch", [1, 4])
def test_kernel_pegasos_is_pegasos_in_feature_space(batch):
    X, y, rng = overlapping(12)
    rows, lam = list(drawn_batches(30, batch, 150, rng)), 0.07
    betas = np.array(kernel_pegasos(LinearKernel()(X), y, lam, rows).path)
    np.testing.assert_allclose(betas @ X, pegasos(X, y, lam, rows).path, atol=1e-9)
    K, hits = GaussianKernel(0.5)(X), np.zeros(30)
    path = kernel_pegasos(K, y, lam, rows).path
    for t, (beta, some, after) in enumerate(zip(path, rows, path[1:], strict=False), start=1):
        for i in some:
            hits[i] += y[i] * (K[i] @ beta) < 1
        np.testing.assert_allclose(after, y * hits / (lam * t * batch), atol=1e-10)


@pytest.mark.algorithm("alg-kernel-pegasos")
def test_kernel_pegasos_approaches_the_exact_machine():
    X, y, _ = overlapping(13)
    kernel, lam = GaussianKernel(0.5), 0.05
    exact = SVM(1 / (lam * 30), kernel, bias=False, tol=1e-9).fit(X, y).f_
    model = Pegasos(lam, n_steps=20_000, kernel=kernel, bias=False, random_state=0).fit(X, y)
    assert (model.f_ - exact).norm() <= np.sqrt(2 / lam * pegasos_sum(20_000, lam, 1.0))
    assert np.abs(model.f_(X) - exact(X)).max() < 0.1


# --- calibration, consistency, several classes ----------------------------------------------------------------
@pytest.mark.claim("prop-hinge-calibration")
def test_zero_one_excess_is_at_most_hinge_excess_and_may_equal_it(rng):
    for _ in range(2000):
        law = FiniteLaw(rng.dirichlet(np.ones(8)).reshape(4, 2))
        s = rng.normal(size=4) * 10 ** rng.uniform(-3, 1) * (rng.random(4) < 0.9)
        minus, plus = law.P.T
        bayes, least = np.where(plus >= minus, 1, -1), law.bayes_risk(zero_one, (-1, 1))
        risk, risk_of_bayes = ((plus * hinge(f) + minus * hinge(-f)).sum() for f in (s, bayes))
        assert risk_of_bayes == pytest.approx(2 * least) and risk >= risk_of_bayes - 1e-12
        assert law.risk(np.where(s >= 0, 1, -1), zero_one) - least <= risk - risk_of_bayes + 1e-12
    for eta in (0.0, 0.2, 0.49):  # score 0 is predicted +1, and f* = -1
        law = FiniteLaw([[1 - eta, eta]])
        grid = np.linspace(-5, 5, 2001)  # of scores at the only point; 0 is the middle one
        hinge_risk = eta * hinge(grid) + (1 - eta) * hinge(-grid)
        zero_one_excess = law.risk(np.array([1]), zero_one) - law.bayes_risk(zero_one, (-1, 1))
        assert grid[1000] == 0 and zero_one_excess == pytest.approx(hinge_risk[1000] - hinge_risk.min())


@pytest.mark.claim("thm-svm-consistent")
def test_the_gaussian_machine_approaches_the_bayes_risk_when_lambda_vanishes_slowly(rng):
    """Two Gaussians on the line, far from symmetric; a constant lambda does not get there."""
    law = GaussianPair(1.0, -1.0, prior=0.75)

    def excess(m, lam):
        model = SVM(1 / (lam * m), GaussianKernel(0.2), bias=False, tol=0.01)
        return np.mean([law.risk(model.fit(*law.sample(m, rng)).predict) for _ in range(10)]) - law.bayes_risk

    few, many, constant = excess(25, 0.3 / 5), excess(600, 0.3 / np.sqrt(600)), excess(600, 3.0)
    assert 0 < many < 0.01 and many < few / 3 and constant > 4 * many


@pytest.mark.claim("prop-one-vs-rest")
def test_all_errors_are_errors_of_a_binary_machine(rng):
    for k in (2, 3, 5):
        scores, y = rng.normal(size=(5000, k)), rng.integers(k, size=5000)
        scores[np.arange(5000), y] += 2
        signs = np.where(y[:, None] == np.arange(k), 1, -1)
        wrong, binary = scores.argmax(axis=1) != y, signs * scores <= 0
        assert (wrong <= binary.sum(axis=1)).all() and wrong.mean() <= binary.mean(axis=0).sum()
        alone = binary.sum(axis=1) == 1
        assert (wrong & alone).any() and (~wrong & alone).any()  # one mistake may cost the answer, or not


@pytest.mark.algorithm("alg-one-vs-rest")
def test_one_versus_rest_asks_one_question_for_each_class():
    X, y, _, names = load_iris()
    one, model = SVM(1.0, tol=1e-6), OneVsRest(SVM(1.0, tol=1e-6)).fit(X, y)
    scores = np.transpose([one.fit(X, np.where(y == c, 1, -1)).decision_function(X) for c in np.unique(y)])
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-6)
    assert (model.predict(X) == np.unique(y)[scores.argmax(axis=1)]).all() and len(names) == 3
