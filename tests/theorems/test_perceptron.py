"""The claims of the chapter on the perceptron, each on random instances and at its tight case."""

import itertools

import numpy as np
import pytest

from mlcourse.data import SeparableMargin, exponential_perceptron
from mlcourse.losses import perceptron_loss as perceptron_loss
from mlcourse.models.linear.linear_separation import augmented, margin, max_margin_separator, separator
from mlcourse.models.linear.perceptron import multiclass_perceptron, perceptron
from mlcourse.testing import assert_convex, assert_subgradient
from mlcourse.theory import multiclass_perceptron_bound, novikoff, novikoff_with_bias, slow_perceptron

SEEDS = range(60)


def separable(rng, **kwargs):
    d, m, rho = int(rng.integers(1, 8)), int(rng.integers(1, 40)), 10 ** rng.uniform(-1.5, -0.3)
    return SeparableMargin(d=d, rho=rho, **kwargs).sample(m, rng)


def forever(m, rng):
    return (rng.permutation(m) for _ in itertools.count())


def radius(X):
    return np.linalg.norm(X, axis=1).max()


@pytest.mark.claim("prop-distance")
def test_distance_to_hyperplane_is_the_least_distance_to_its_points(rng):
    for d in (1, 2, 5):
        w, b, x = rng.normal(size=d), rng.normal(), rng.normal(size=d)
        distance = abs(w @ x + b) / np.linalg.norm(w)
        v = rng.normal(size=(500, d))
        on_plane = v - np.outer((v @ w + b) / (w @ w), w)
        assert (np.linalg.norm(on_plane - x, axis=1) >= distance - 1e-12).all()
        foot = x - (w @ x + b) / (w @ w) * w
        assert np.isclose(w @ foot + b, 0, atol=1e-12) and np.isclose(np.linalg.norm(x - foot), distance)


@pytest.mark.claim("prop-augmentation")
@pytest.mark.erratum("M53")
@pytest.mark.parametrize("seed", range(10))
def test_constant_feature_keeps_scores_lengthens_points_and_shrinks_margins(rng):
    X, w, b = rng.normal(size=(20, 3)), rng.normal(size=3), rng.normal()
    w /= np.linalg.norm(w)
    y = np.where(X @ w + b > 0, 1, -1)
    np.testing.assert_allclose(augmented(X) @ np.append(w, b), X @ w + b)
    np.testing.assert_allclose((augmented(X) ** 2).sum(axis=1), (X**2).sum(axis=1) + 1)
    assert np.isclose(margin(np.append(w, b), augmented(X), y), (y * (X @ w + b)).min() / np.sqrt(1 + b * b))


@pytest.mark.claim("prop-separability-lp")
@pytest.mark.parametrize("seed", range(30))
def test_sample_is_separable_iff_the_linear_program_is_feasible(rng):
    X, y = separable(rng)
    assert (y * (X @ separator(X, y)) >= 1 - 1e-7).all()
    # a convex combination of the flipped points that vanishes certifies that nothing separates
    Z = rng.normal(size=(6, 3))
    weights = rng.dirichlet(np.ones(5))
    Z[-1] = -(weights @ Z[:-1])
    labels = rng.choice([-1, 1], size=6)
    assert separator(labels[:, None] * Z, labels) is None


@pytest.mark.claim("prop-shortest-is-widest")
@pytest.mark.parametrize("seed", range(30))
def test_widest_margin_belongs_to_the_shortest_vector(rng):
    X, y = separable(rng)
    w = max_margin_separator(X, y)
    rho = margin(w, X, y)
    assert np.isclose(rho, 1 / np.linalg.norm(w), rtol=1e-6) and (y * (X @ w)).min() >= 1 - 1e-6
    rivals = np.vstack([rng.normal(size=(2000, X.shape[1])), w + 0.05 * rng.normal(size=(2000, X.shape[1]))])
    margins = (rivals @ (y[:, None] * X).T).min(axis=1) / np.linalg.norm(rivals, axis=1)
    assert (margins <= rho * (1 + 1e-6)).all()


@pytest.mark.claim("prop-one-update")
def test_update_raises_its_own_score_by_the_squared_norm_and_may_break_others():
    rng = np.random.default_rng(1)
    X, y = SeparableMargin(d=4, rho=0.05).sample(100, rng)
    for tau in (0.3, 2.0):
        path = perceptron(X, y, itertools.repeat(None), tau=tau).path
        for w, after in itertools.pairwise(path):
            i = np.flatnonzero(np.isclose(X, (after - w) * np.sign(y)[:, None] / tau).all(axis=1))[0]
            assert y[i] * (w @ X[i]) <= 0
            assert np.isclose(y[i] * (after @ X[i]), y[i] * (w @ X[i]) + tau * (X[i] @ X[i]))
    # the two examples of the proof
    assert (np.array([-4, 0]) + np.array([1, 0])) @ np.array([1, 0]) == -3
    w, after = np.array([0, 1]), np.array([0, 1]) + np.array([1, -1])
    assert w @ [1, -1] <= 0 < w @ [-1, 1] and after @ [-1, 1] <= 0


@pytest.mark.claim("thm-novikoff")
@pytest.mark.algorithm("alg-perceptron")
@pytest.mark.parametrize("seed", SEEDS)
def test_novikoff(rng):
    X, y = separable(rng)
    tau = 10 ** rng.uniform(-2, 2)
    run = perceptron(X, y, forever(len(y), rng), tau=tau)
    u, R = max_margin_separator(X, y), radius(X)
    u, rho = u / np.linalg.norm(u), margin(u, X, y)
    t, path = np.arange(run.n_steps + 1), np.array(run.path)
    assert run.converged and (y * (X @ run.last) > 0).all()
    assert run.n_steps <= novikoff(R, rho)
    assert (path @ u >= t * tau * rho * (1 - 1e-9) - 1e-12).all()  # the two steps of the proof
    assert ((path**2).sum(axis=1) <= t * tau**2 * R**2 * (1 + 1e-9) + 1e-12).all()


@pytest.mark.claim("prop-novikoff-tight")
@pytest.mark.parametrize("m", [1, 2, 7, 50])
def test_novikoff_is_attained_by_orthonormal_points(m):
    rng = np.random.default_rng(m)
    y = rng.choice([-1, 1], size=m)
    X = np.eye(m + 2)[rng.permutation(m + 2)[:m]]
    assert np.isclose(margin(max_margin_separator(X, y), X, y), 1 / np.sqrt(m))
    for _ in range(5):
        assert perceptron(X, y, forever(m, rng)).n_steps == m == novikoff(1, 1 / np.sqrt(m))


@pytest.mark.claim("cor-novikoff-bias")
@pytest.mark.erratum("EK8")
@pytest.mark.parametrize("seed", SEEDS)
def test_novikoff_with_bias(rng):
    b = rng.uniform(-0.4, 0.4)
    law = SeparableMargin(d=3, rho=0.1, bias=b)
    X, y = law.sample(30, rng)
    rho = (y * (X @ law.w + b)).min()
    assert perceptron(augmented(X), y, forever(30, rng)).n_steps <= novikoff_with_bias(radius(X), rho, b)


@pytest.mark.claim("cor-novikoff-bias")
@pytest.mark.erratum("EA8", "EX3", "EK8")
@pytest.mark.parametrize(
    "X, rho", [(np.array([[1.0], [-1.0]]), 1.0), (np.array([[1, 0], [-0.5, 0.75**0.5]]), 0.75**0.5)]
)
def test_naive_bound_fails_with_a_bias_the_corrected_one_is_attained_and_its_factor_needed(X, rho):
    n_updates = perceptron(augmented(X), np.array([1, -1]), itertools.repeat(None)).n_steps
    assert novikoff(1, rho) < n_updates == novikoff_with_bias(1, rho, 0)
    X, y = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]), np.array([1, 1, 1, -1])
    w, b = np.array([1, 1, -1]) / np.sqrt(3), 1 / np.sqrt(3)
    rho = (y * (X @ w + b)).min()
    for order in itertools.permutations(range(4)):
        n_updates = perceptron(augmented(X), y, itertools.repeat(list(order))).n_steps
        assert n_updates == novikoff_with_bias(np.sqrt(3), rho, b) == 4
    assert novikoff_with_bias(np.sqrt(3), rho, 0) < 4


@pytest.mark.claim("thm-slow-perceptron")
@pytest.mark.erratum("M58")
@pytest.mark.parametrize("d", range(1, 8))
def test_slow_perceptron_in_any_order(d):
    X, y = exponential_perceptron(d)
    rng = np.random.default_rng(d)
    worst_first = np.arange(d)[::-1]
    for passes in (itertools.repeat(None), itertools.repeat(worst_first), forever(d, rng)):
        tau = 2.0 ** rng.integers(-3, 4)
        run = perceptron(X, y, passes, tau=tau, keep_path=False)
        assert run.n_steps == slow_perceptron(d) == sum(4**i for i in range(d))
        assert (run.last == tau * 2 ** np.arange(d)).all()
    shortest = max_margin_separator(X, y)
    np.testing.assert_allclose(shortest, 2.0 ** np.arange(d), rtol=1e-6)


@pytest.mark.claim("prop-step-invariance")
@pytest.mark.parametrize("tau", [2.0**-20, 0.5, 64.0])  # powers of two: no rounding
def test_step_size_only_rescales_the_weights(tau):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 3)), rng.choice([-1, 1], size=40)  # not separable: 300 updates are compared
    orders = [rng.permutation(40) for _ in range(200)]
    one, scaled = (perceptron(X, y, orders, tau=t, max_iter=300) for t in (1.0, tau))
    assert one.n_steps == scaled.n_steps == 300
    assert np.array_equal(tau * np.array(one.path), scaled.path)


@pytest.mark.claim("prop-perceptron-subgradient")
def test_perceptron_steps_along_a_subgradient_of_its_loss():
    rng = np.random.default_rng(4)
    for x, y in zip(rng.normal(size=(20, 3)), rng.choice([-1, 1], size=20), strict=True):
        for w in (np.zeros(3), rng.normal(size=3)):
            g = y * x * perceptron_loss.derivative(y * (w @ x))
            assert np.array_equal(g, -y * x if y * (w @ x) <= 0 else np.zeros(3))
            assert_subgradient(lambda v, x=x, y=y: perceptron_loss(y * (v @ x)), g, w, rng.normal(size=(50, 3)))
    X, y = rng.normal(size=(30, 3)), rng.choice([-1, 1], size=30)
    w = np.zeros(3)
    for x_i, y_i in zip(X, y, strict=True):
        w = w - 0.7 * y_i * x_i * perceptron_loss.derivative(y_i * (w @ x_i))
    np.testing.assert_allclose(w, perceptron(X, y, [None], tau=0.7).last)


@pytest.mark.claim("prop-perceptron-criterion")
@pytest.mark.erratum("EA6")
def test_criterion_is_the_length_times_the_mean_distance_on_the_wrong_side():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(30, 4)), rng.choice([-1, 1], size=30)

    def criterion(w):
        return perceptron_loss(y * (X @ w)).mean()

    w = rng.normal(size=4)
    wrong_side = np.where(y * (X @ w) <= 0, np.abs(X @ w) / np.linalg.norm(w), 0)
    assert np.isclose(criterion(w), np.linalg.norm(w) * wrong_side.mean())
    assert criterion(np.zeros(4)) == 0 and np.isclose(criterion(3.7 * w), 3.7 * criterion(w))
    assert_convex(criterion, rng.normal(size=(100, 2, 4)))


@pytest.mark.claim("prop-two-vectors")
@pytest.mark.erratum("EK9")
@pytest.mark.parametrize("seed", range(10))
def test_two_vectors_are_one(rng):
    X, y = separable(rng)
    orders = [rng.permutation(len(y)) for _ in range(50)]
    one = perceptron(X, y, orders)
    W = np.array(multiclass_perceptron(X, (y + 1) // 2, 2, orders).path)
    np.testing.assert_allclose(W[:, 1] - W[:, 0], one.path, atol=1e-12)
    np.testing.assert_allclose(W[:, 1], -W[:, 0], atol=1e-12)


@pytest.mark.claim("thm-multiclass-perceptron")
@pytest.mark.algorithm("alg-multiclass-perceptron")
@pytest.mark.parametrize("seed", SEEDS)
def test_multiclass_perceptron(rng):
    k, d = int(rng.integers(2, 6)), int(rng.integers(2, 6))
    U = rng.normal(size=(k, d))
    U /= np.linalg.norm(U)
    X = rng.normal(size=(400, d))
    scores = np.sort(X @ U.T, axis=1)
    X = X[scores[:, -1] - scores[:, -2] > 0.1][:60]
    y = (X @ U.T).argmax(axis=1)
    rho = (np.sort(X @ U.T, axis=1)[:, -1] - np.sort(X @ U.T, axis=1)[:, -2]).min()
    run = multiclass_perceptron(X, y, k, forever(len(y), rng), keep_path=False)
    assert run.converged and ((X @ run.last.T).argmax(axis=1) == y).all()
    assert run.n_steps <= multiclass_perceptron_bound(radius(X), rho)


@pytest.mark.claim("thm-multiclass-perceptron")
@pytest.mark.parametrize("m", [1, 4, 9])
def test_multiclass_bound_is_attained_by_orthonormal_points(m):
    y = np.arange(m) % 2
    run = multiclass_perceptron(np.eye(m), y, 2, itertools.repeat(None), keep_path=False)
    U = np.vstack([np.where(y == 0, 1, -1), np.where(y == 1, 1, -1)]) / np.sqrt(2 * m)
    rho = 2 / np.sqrt(2 * m)
    assert np.isclose(np.linalg.norm(U), 1) and np.isclose(((U[0] - U[1]) * np.where(y == 0, 1, -1)).min(), rho)
    assert run.n_steps == m == multiclass_perceptron_bound(1, rho)
