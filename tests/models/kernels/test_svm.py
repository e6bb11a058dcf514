"""The support vector machine: optimality conditions and duality gap, scikit-learn's scores, and the odd samples."""

import functools

import numpy as np
import pytest
import sklearn.svm
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from mlcourse import SVM, GaussianKernel, LinearKernel, OneVsRest, PolynomialKernel
from mlcourse.models.kernels.dual_ascent import dual_ascent
from mlcourse.models.kernels.gram_rows import DistanceRows, GramRows, squared_distances
from mlcourse.models.kernels.structured import SpectrumKernel
from mlcourse.models.kernels.svm import movable, shrinking_smo, smo
from mlcourse.models.kernels.svm_dual import dual_objective, duality_gap, kkt_residuals, primal_objective
from mlcourse.models.linear.linear_separation import augmented, max_margin_separator

SVM = functools.partial(SVM, max_iter=100_000)  # a solver that chooses badly fails, and does not run for ever
smo, dual_ascent = (functools.partial(solver, max_iter=20_000) for solver in (smo, dual_ascent))

KERNELS = [LinearKernel(), PolynomialKernel(2, 1.0), GaussianKernel(0.3)]
each_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)


def sample(seed, m=80, d=3, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.where(X[:, 0] + X[:, 1] * X[:, 2] + noise * rng.normal(size=m) > 0.2, 1, -1)


def separable(seed, m=60):
    X = np.random.default_rng(seed).normal(size=(m, 2))
    y = np.where(X @ [1, 2] > 0.3, 1, -1)
    return X + 0.2 * y[:, None], y


def unbalanced(seed):
    X, y = sample(seed, 100)
    y[:], y[:2] = -1, 1
    return X, y


def copies(seed):
    X, y = sample(seed, 20)
    return np.tile(X, (4, 1)), np.tile(y, 4)


def conflicting(seed):
    X, y = sample(seed, 20)
    return np.tile(X, (4, 1)), np.concatenate([y, y, -y, y])


def hopeless(seed):
    X, _ = sample(seed)
    return X, np.random.default_rng(seed).permutation(np.repeat([-1, 1], 40))


SAMPLES = {
    "plain": sample,
    "separable": separable,
    "unbalanced": unbalanced,
    "copies": copies,
    "conflicting copies": conflicting,
    "hopeless": hopeless,
    "all points equal": lambda seed: (np.full((9, 2), 3.0), np.repeat([-1, 1], [3, 6])),
    "all points zero": lambda seed: (np.zeros((6, 2)), np.repeat([-1, 1], 3)),
    "two points": lambda seed: (np.array([[0.0, 1.0], [2.0, 2.0]]), np.array([-1, 1])),
    "one against many": lambda seed: (np.vstack([np.eye(5), np.full(5, 3.0)]), np.array([-1] * 5 + [1])),
    "a far origin": lambda seed: (sample(seed)[0] + 1e3, sample(seed)[1]),
}


def assert_optimal(model, X, y, tol):
    """The conditions of optimality at the learned alpha and b hold up to tol, and the gap is as claimed."""
    kernel, C, alpha = model.f_.kernel, model.C, model.alpha_
    K = kernel(X - X.mean(axis=0)) if isinstance(kernel, LinearKernel) else kernel(X)
    b = model.b_ + (model.w_ @ X.mean(axis=0) if isinstance(kernel, LinearKernel) else 0.0)
    assert model.converged_ and (alpha >= 0).all() and (alpha <= C).all()
    assert abs(alpha @ y) <= 1e-12 * len(y) * C
    rounding = 1e-13 * C * len(y) * np.abs(K).max()
    assert kkt_residuals(alpha, b, K, y, C).max() <= tol + rounding
    gap, value = duality_gap(alpha, b, K, y, C), primal_objective(alpha, b, K, y, C)
    assert -1e-9 * value <= gap <= C * len(y) * (tol + rounding) + 1e-9 * value  # thm-smo-gap
    assert model.gap_ == pytest.approx(gap, abs=1e-9 * (1 + value + C * len(y) * rounding))


PROBLEMS = [  # with (x.z + 1)^2 far from the origin no digits are left for the tolerance
    pytest.param(make, kernel, id=f"{name}-{kernel!r}")
    for name, make in SAMPLES.items()
    for kernel in KERNELS
    if name != "a far origin" or not isinstance(kernel, PolynomialKernel)
]


@pytest.mark.parametrize("make, kernel", PROBLEMS)
@pytest.mark.parametrize("C", [1e-3, 1.0, 100.0])
def test_the_conditions_of_optimality_hold(make, kernel, C):
    X, y = make(3)
    assert_optimal(SVM(C, kernel, tol=1e-4, max_iter=400_000).fit(X, y), X, y, 1e-4)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 3), st.sampled_from(KERNELS), st.floats(-3, 2))
@example(1, 8, 1, KERNELS[0], 0.5)  # where beta + (C - beta) > C
def test_the_conditions_hold_on_small_integer_points(seed, m, d, kernel, log_C):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-2, 3, size=(m, d)).astype(float), rng.choice([-1, 1], size=m)
    y[:2] = -1, 1
    assert_optimal(SVM(10.0**log_C, kernel, tol=1e-4, max_iter=400_000).fit(X, y), X, y, 1e-4)


@each_kernel
@pytest.mark.parametrize("C, digits", [(0.01, 1e-5), (1.0, 1e-5), (50.0, 1e-4)])
def test_the_scores_are_those_of_scikit_learn(kernel, C, digits):
    """As far as its Gram matrix in single precision allows: our duality gap is the smaller one."""
    for seed in range(4):
        X, y = sample(seed)
        new, _ = sample(seed + 100)
        ours = SVM(C, kernel, tol=1e-8).fit(X, y)
        theirs = sklearn.svm.SVC(C=C, kernel=kernel, tol=1e-8).fit(X, y)
        scores = theirs.decision_function(new)
        np.testing.assert_allclose(ours.decision_function(new), scores, atol=digits * np.abs(scores).max())
        alpha = np.zeros(len(y))
        alpha[theirs.support_] = np.abs(theirs.dual_coef_[0])
        assert ours.gap_ <= duality_gap(alpha, theirs.intercept_[0], kernel(X), y, C) + 1e-8 * C * len(y)
        np.testing.assert_allclose(ours.alpha_, alpha, atol=1e-2 * C)


# --- the steps ----------------------------------------------------------------------------------------------
@each_kernel
def test_every_step_is_feasible_and_gains(kernel):
    X, y = sample(1, m=40)
    y, C = y.astype(float), 1.5
    K, D = kernel(X), squared_distances(kernel, X, 100)
    path = smo(D, y, C).path
    values = [dual_objective(np.abs(beta), K, y) for beta in path]
    assert (np.diff(values) > 0).all() and values[0] == 0
    for before, beta in zip(path, path[1:], strict=False):
        assert (y * beta >= 0).all() and (y * beta <= C).all() and abs(beta.sum()) < 1e-12
        assert np.count_nonzero(beta != before) == 2


def test_steps_can_be_resumed():
    X, y = sample(4)
    y, kernel = y.astype(float), GaussianKernel(1.0)
    K, D = kernel(X), squared_distances(kernel, X, 100)
    whole = smo(D, y, 10.0)
    half = smo(D, y, 10.0, max_iter=whole.n_steps // 2).last
    rest = smo(D, y, 10.0, beta=half, g=y - K @ half)
    assert not smo(D, y, 10.0, max_iter=whole.n_steps // 2).converged
    np.testing.assert_allclose(rest.last, whole.last, atol=1e-10)


def test_examples_set_aside_are_looked_at_again(monkeypatch):
    X, y = sample(5, m=200, noise=2.0)
    y, kernel = y.astype(float), GaussianKernel(0.3)
    sizes = []

    def few(beta, g, y, C):
        some = movable(beta, g, y, C)[::3]  # too few: the solution on them is wrong
        sizes.append(len(some))
        some = np.union1d(some, [np.flatnonzero(y > 0)[0], np.flatnonzero(y < 0)[0]])
        return some

    args = kernel, X, y, 100.0, 1e-4, 100, 10**6
    right = shrinking_smo(*args)
    monkeypatch.setattr("mlcourse.models.kernels.svm.movable", few)
    wrong = shrinking_smo(*args)
    assert sizes and wrong[3]
    K = kernel(X)
    values = [dual_objective(np.abs(run[0]), K, y) for run in (right, wrong)]
    assert values[0] == pytest.approx(values[1], rel=1e-5)


def test_movable_examples_are_those_in_violating_pairs(rng):
    for _ in range(50):
        y = rng.choice([-1.0, 1.0], size=8)
        y[:2] = -1, 1
        beta, g = y * rng.choice([0, 0.5, 1.0], size=8), rng.normal(size=8)
        beta[:2] = -0.5, 0.5
        low, high = np.minimum(0, y), np.maximum(0, y)
        pairs = [(i, j) for i in range(8) for j in range(8) if beta[i] < high[i] and beta[j] > low[j] and g[i] > g[j]]
        assert movable(beta, g, y, 1.0).tolist() == sorted({i for pair in pairs for i in pair})


# --- rows on demand -----------------------------------------------------------------------------------------
def test_a_small_cache_changes_nothing():
    X, y = sample(7, m=150)
    for C in (1.0, 100.0):
        large, small = (SVM(C, GaussianKernel(0.5), tol=1e-6, cache_size=size).fit(X, y) for size in (100, 0.01))
        np.testing.assert_allclose(large.decision_function(X), small.decision_function(X), atol=1e-4)
        assert_optimal(small, X, y, 1e-6)


def test_rows_are_remembered_and_the_oldest_forgotten():
    X, _ = sample(8, m=10)
    kernel, calls, two_rows = GaussianKernel(0.5), [], 2 * 10 * 8e-6

    class Counting:
        diagonal = kernel.diagonal

        def __call__(self, X, Z):
            calls.append(1)
            return kernel(X, Z)

    beta = np.arange(10.0)
    np.testing.assert_allclose(DistanceRows(kernel, X, two_rows).dot(beta), squared_distances(kernel, X, 1) @ beta)
    np.testing.assert_allclose(GramRows(kernel, X, two_rows).dot(beta), kernel(X) @ beta)
    rows, D = DistanceRows(Counting(), X, two_rows), squared_distances(kernel, X, 1)
    for i, n_calls in [(3, 1), (4, 2), (3, 2), (5, 3), (3, 3), (4, 4)]:
        np.testing.assert_allclose(rows[i], D[i], atol=1e-12)
        assert len(calls) == n_calls
    np.testing.assert_allclose(D, 2 - 2 * kernel(X), atol=1e-12)
    assert (D > 0).all()


def test_an_indefinite_kernel_is_refused():
    X, y = sample(9)
    with pytest.raises(ValueError, match="not positive semidefinite"):
        SVM(kernel=lambda x, z: -x @ z).fit(X, y)


# --- without bias -------------------------------------------------------------------------------------------
def assert_optimal_without_bias(model, X, y, tol):
    """The conditions of optimality at b = 0 hold up to tol, and hence the gap is at most tol C m."""
    K, C, alpha = model.f_.kernel(X), model.C, model.alpha_
    assert model.converged_ and model.b_ == 0.0 and (alpha >= 0).all() and (alpha <= C).all()
    rounding = 1e-13 * C * len(y) * np.abs(K).max()
    assert kkt_residuals(alpha, 0.0, K, y, C).max() <= tol + rounding
    gap, value = duality_gap(alpha, 0.0, K, y, C), primal_objective(alpha, 0.0, K, y, C)
    assert -1e-9 * value <= gap <= C * len(y) * (tol + rounding) + 1e-9 * value
    assert model.gap_ == pytest.approx(gap, abs=1e-9 * (1 + value + C * len(y) * rounding))


@each_kernel
@pytest.mark.parametrize("make", [make for name, make in SAMPLES.items() if name != "a far origin"])
@pytest.mark.parametrize("C", [1e-3, 1.0, 30.0])
def test_without_bias_the_conditions_of_optimality_hold(make, kernel, C):
    X, y = make(3)
    model = SVM(C, kernel, bias=False, tol=1e-4).fit(X, y)
    assert_optimal_without_bias(model, X, y, 1e-4)
    small = SVM(C, kernel, bias=False, tol=1e-4, cache_size=1e-3).fit(X, y)
    assert_optimal_without_bias(small, X, y, 1e-4)


@pytest.mark.parametrize("C", [0.01, 1.0])
def test_without_bias_the_weights_are_those_of_linear_svc(C):
    X, y = sample(4, m=200)
    reference = sklearn.svm.LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=10**6).fit(X, y)
    np.testing.assert_allclose(SVM(C, bias=False, tol=1e-7).fit(X, y).w_, reference.coef_[0], atol=1e-5)


def test_every_step_without_bias_is_the_best_of_all_coordinate_steps():
    X, y = sample(5, m=30)
    C, K = 2.0, GaussianKernel(0.4)(X)
    path = dual_ascent(K, K.diagonal(), y.astype(float), C, tol=1e-6).path
    for before, after in zip(path[:40], path[1:41], strict=True):
        assert np.count_nonzero(before != after) == 1
        gained = dual_objective(y * after, K, y) - dual_objective(y * before, K, y)
        for i in range(30):
            for alpha in np.linspace(0, C, 41):
                other = (y * before).copy()
                other[i] = alpha
                assert dual_objective(other, K, y) - dual_objective(y * before, K, y) <= gained + 1e-10


# --- bias, margin, constants --------------------------------------------------------------------------------
def test_the_bias_is_the_middle_of_the_optimal_interval_when_no_vector_is_free():
    """The ends of the interval by linear programming in (b, slacks), at the learned weights."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = np.repeat([-1.0, 1.0], 4)
        X = rng.normal(size=(8, 2)) + y[:, None]
        model = SVM(1e-3).fit(X, y)
        assert (model.alpha_ == 1e-3).all()
        z = X @ model.w_
        # b, xi >= 0 with y (z + b) + xi >= 1 and the least total slack
        A = -np.column_stack([y, np.eye(8)])
        least = linprog([0] + [1] * 8, A_ub=A, b_ub=y * z - 1, bounds=[(None, None)] + [(0, None)] * 8).fun
        A, limit = np.vstack([A, [0] + [1] * 8]), np.append(y * z - 1, least + 1e-9)
        free = [(None, None)] + [(0, None)] * 8
        ends = [linprog([sign] + [0] * 8, A_ub=A, b_ub=limit, bounds=free).x[0] for sign in (1, -1)]
        assert model.b_ == pytest.approx(np.mean(ends), abs=1e-6)


def test_a_large_C_gives_the_widest_margin():
    for seed in range(5):
        X, y = separable(seed)
        model = SVM(1e6, tol=1e-8).fit(X, y)
        assert (y * model.decision_function(X)).min() == pytest.approx(1, abs=1e-6)
        # the widest margin with a bias: the shortest w, by shifting the origin until the bias needs no weight
        program = minimize(
            lambda v: v[:-1] @ v[:-1] / 2,
            max_margin_separator(augmented(X), y),
            constraints={"type": "ineq", "fun": lambda v: y * (augmented(X) @ v) - 1},  # noqa: B023
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        np.testing.assert_allclose(np.append(model.w_, model.b_), program.x, rtol=1e-4, atol=1e-5)
        centre = np.append(X, np.full((len(X), 1), 1e3), axis=1)  # a bias that costs next to nothing
        w = max_margin_separator(centre, y)
        np.testing.assert_allclose(np.append(model.w_, model.b_), w * [1, 1, 1e3], rtol=1e-4)


def test_linear_weights_give_the_scores_of_the_expansion():
    X, y = sample(11)
    model = SVM().fit(X, y)
    np.testing.assert_allclose(model.f_(X) + model.b_, model.decision_function(X), atol=1e-10)
    assert not hasattr(SVM(kernel=GaussianKernel()).fit(X, y), "w_")


def test_a_shift_of_the_points_moves_only_the_bias():
    X, y = sample(12)
    near, far = (SVM(tol=1e-6).fit(X + shift, y) for shift in (0, 1e6))
    np.testing.assert_allclose(near.w_, far.w_, atol=1e-4)
    np.testing.assert_allclose(far.decision_function(X + 1e6), near.decision_function(X), atol=1e-3)


def test_points_may_be_strings_and_the_kernel_a_function():
    words, y = ["banana", "bandana", "cabana", "kiwi", "kiwano", "peach"], [1, 1, 1, -1, -1, -1]
    model = SVM(10.0, SpectrumKernel(2), tol=1e-6).fit(words, y)
    assert model.predict(["anaconda", "kiwis"]).tolist() == [1, -1]
    assert kkt_residuals(model.alpha_, model.b_, SpectrumKernel(2)(words), np.array(y), 10.0).max() <= 1e-6
    X, y = sample(15, m=20)
    by_hand = SVM(kernel=lambda x, z: np.exp(-0.5 * ((x - z) ** 2).sum()), tol=1e-8).fit(X, y)
    known = SVM(kernel=GaussianKernel(0.5), tol=1e-8).fit(X, y)
    np.testing.assert_allclose(by_hand.decision_function(X), known.decision_function(X), atol=1e-6)


# --- residuals that can fail --------------------------------------------------------------------------------
def test_each_condition_is_seen():
    """Three orthogonal unit points with z = alpha (b = 0): each case violated by a known amount."""
    K, y, C = np.eye(3), np.array([1.0, -1.0, 1.0]), 2.0
    np.testing.assert_allclose(kkt_residuals(np.array([0.0, 0.7, 2.0]), 0.0, K, y, C), [1.0, 0.3, 1.0])
    np.testing.assert_allclose(kkt_residuals(np.array([0.0, 1.0, 1.0]), 0.0, K, y, C), [1.0, 0.0, 0.0])
    assert kkt_residuals(np.array([-0.5, 1.0, 2.5]), 0.0, K, y, C) == pytest.approx([1.5, 0.0, 1.5])
    assert duality_gap(np.array([1.0, 1.0, 1.0]), 0.0, K, y, C) == pytest.approx(0.0)


# --- several classes ----------------------------------------------------------------------------------------
def test_of_the_classes_with_the_highest_score_the_last_wins():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 2)), np.repeat(["a", "b", "c"], 10)
    model = OneVsRest(SVM()).fit(X, y)
    model.classifiers_ = model.classifiers_[:1] * 2 + [model.classifiers_[2]]
    scores = model.decision_function(X)
    assert (model.predict(X) == np.where(scores[:, 2] >= scores[:, 0], "c", "b")).all() and "b" in model.predict(X)


def test_one_versus_rest_with_two_classes_is_the_binary_classifier():
    X, y = sample(14)
    both, one = OneVsRest().fit(X, y), SVM().fit(X, y)
    np.testing.assert_allclose(both.decision_function(X), one.decision_function(X))
    assert (both.predict(X) == one.predict(X)).all() and len(both.classifiers_) == 1
