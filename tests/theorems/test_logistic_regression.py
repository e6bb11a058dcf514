"""The claims of the chapter on logistic regression, each on random instances and at its tight case."""

import itertools
import warnings

import numpy as np
import pytest
from scipy.optimize import linprog, minimize_scalar
from scipy.stats import bernoulli, multivariate_normal

from mlcourse import LogisticRegression
from mlcourse.arguments.errors import SeparableWarning
from mlcourse.data import SeparableMargin
from mlcourse.losses import exponential, hinge, log_loss, logistic, logistic_base2, squared_margin
from mlcourse.losses import perceptron_loss as perceptron_loss
from mlcourse.models.linear.linear_separation import margin, max_margin_separator
from mlcourse.models.linear.logistic_regression import likelihood_has_maximum, logistic_sgd, whitening
from mlcourse.optim.gradient import line_search_descent, newton
from mlcourse.optim.line_search import backtracking
from mlcourse.optim.objective import ChangedBasis, Function, LinearRisk
from mlcourse.testing import assert_convex, numerical_gradient

SEEDS = range(20)
BORDER = -np.log(np.e - 1)  # where ln(1 + e^-z) is one


def sigma(z):
    """The definition."""
    return 1 / (1 + np.exp(-z))


def sigma_of_package(z):
    """Minus the slope of the package's logistic loss, turned round."""
    return -logistic.derivative(-np.asarray(z))


def risk(w, Z, lam=0.0):
    """The penalised logistic risk, from its formula and the flipped points."""
    return np.logaddexp(0, -Z @ w).mean() + lam / 2 * w @ w


def gradient(w, Z, lam=0.0):
    return lam * w - sigma(-Z @ w) @ Z / len(Z)


def hessian(w, Z, lam=0.0):
    p = sigma(Z @ w)
    return Z.T @ (Z * (p * (1 - p))[:, None]) / len(Z) + lam * np.eye(Z.shape[1])


def fitted(Z, lam=0.0, **kwargs):
    """The weights of the package's homogeneous fit to the flipped points."""
    y = np.where(np.arange(len(Z)) % 2, 1, -1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SeparableWarning)
        return LogisticRegression(lam, bias=False, tol=1e-9, **kwargs).fit(y[:, None] * Z, y)


def drawn(seed, m=40, d=3):
    """Points and labels drawn with logistic probabilities."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    return X, np.where(rng.random(m) < sigma(X @ rng.normal(size=d)), 1, -1), rng


def inseparable(rng, m, d, rank=None):
    """Flipped points with a positive combination that vanishes, in a space of dimension ``rank``."""
    Z = rng.normal(size=(m - 1, rank or d)) @ np.linalg.qr(rng.normal(size=(d, d)))[0][: rank or d]
    return np.vstack([Z, -rng.uniform(0.2, 1, size=m - 1) @ Z])


def separable(rng, m, d, on_the_plane):
    """Flipped points with v.Z_i >= 0 for a v, of which ``on_the_plane`` vanish; and v."""
    v, Z = rng.normal(size=d), rng.normal(size=(m, d))
    Z *= np.where(Z @ v > 0, 1, -1)[:, None]
    Z[:on_the_plane] -= np.outer(Z[:on_the_plane] @ v, v) / (v @ v)
    return Z, v


def direction_that_separates(Z):
    """Some v with Z v >= 0 and Z v != 0 among the vectors of the unit cube; None if there is none."""
    v = linprog(-Z.sum(axis=0), A_ub=-Z, b_ub=np.zeros(len(Z)), bounds=(-1, 1)).x
    return v if (Z @ v).max() > 1e-7 else None


# --- the model -------------------------------------------------------------------------------------------
@pytest.mark.claim("prop-sigmoid")
@pytest.mark.erratum("EK4")
def test_sigmoid_is_a_bijection_onto_the_open_interval_with_its_symmetry_slope_and_inverse(rng):
    z = np.sort(rng.uniform(-15, 15, size=2000))
    p = sigma_of_package(z)
    np.testing.assert_allclose(p, sigma(z), rtol=1e-14)
    assert (np.diff(p) > 0).all() and (0 < p).all() and (p < 1).all()
    np.testing.assert_allclose(sigma_of_package(-z), 1 - p, atol=1e-15)
    slope = (sigma_of_package(z + 1e-5) - sigma_of_package(z - 1e-5)) / 2e-5
    np.testing.assert_allclose(slope, p * (1 - p), atol=1e-10)
    np.testing.assert_allclose(logistic.curvature(z), p * (1 - p), atol=1e-15)
    assert (0 < p * (1 - p)).all() and (p * (1 - p) < 1 / 4).all() and logistic.curvature(0.0) == 1 / 4
    q = rng.uniform(0, 1, size=1000)  # onto: every q is a value, and the formula says where
    np.testing.assert_allclose(sigma_of_package(np.log(q / (1 - q))), q, rtol=1e-12)
    np.testing.assert_allclose(np.log(p / (1 - p)), z, atol=1e-8)
    z = np.array([40.0, 300.0, 700.0])  # the ends are approached, and not reached
    assert (0 < sigma_of_package(-z)).all() and (sigma_of_package(-z) < np.exp(-z) * (1 + 1e-12)).all()


@pytest.mark.claim("prop-logistic-erm")
@pytest.mark.parametrize("seed", SEEDS)
def test_minus_mean_log_likelihood_is_the_logistic_risk_and_the_mean_log_loss(seed):
    X, y, rng = drawn(seed)
    for w in rng.normal(size=(5, 3)):
        likelihood = bernoulli.logpmf((1 + y) // 2, sigma(X @ w)).sum()
        risks = LinearRisk(logistic, X, y)(w), log_loss(y, sigma(X @ w)).mean(), -np.log(sigma(y * (X @ w))).mean()
        assert risks == pytest.approx([-likelihood / len(y)] * 3, rel=1e-9)


@pytest.mark.claim("prop-logistic-erm")
@pytest.mark.parametrize("seed", range(5))
def test_least_risk_maximises_the_likelihood_of_labels_and_of_points_with_labels(seed):
    X, y, rng = drawn(seed)
    best = LogisticRegression(bias=False, tol=1e-10).fit(X, y).w_
    points = multivariate_normal(np.zeros(3), np.eye(3)).logpdf(X).sum()  # a law that does not involve w
    rivals = best + 10 ** rng.uniform(-3, 0.5, size=(100, 1)) * rng.normal(size=(100, 3))
    for likelihood_of_points in (0, points):

        def likelihood(w, more=likelihood_of_points):
            return bernoulli.logpmf((1 + y) // 2, sigma(X @ w)).sum() + more

        assert all(likelihood(w) < likelihood(best) for w in rivals)
        np.testing.assert_allclose(numerical_gradient(likelihood, best), 0, atol=1e-6)


# --- surrogates ------------------------------------------------------------------------------------------
SURROGATES = [
    (squared_margin, lambda z: (1 - z) ** 2),
    (hinge, lambda z: np.maximum(1 - z, 0)),
    (exponential, lambda z: np.exp(-z)),
    (logistic_base2, lambda z: np.log1p(np.exp(-z)) / np.log(2)),
]


@pytest.mark.claim("prop-surrogates")
@pytest.mark.parametrize("loss, formula", SURROGATES, ids=lambda loss: getattr(loss, "name", ""))
def test_surrogate_is_convex_above_the_step_and_bounds_the_fraction_of_mistakes(loss, formula, rng):
    z = np.concatenate([rng.uniform(-20, 20, size=5000), [0.0, -1e-12, 1e-12]])
    np.testing.assert_allclose(loss(z), formula(z), rtol=1e-12)
    assert (loss(z) >= (z <= 0)).all() and loss(0.0) == 1  # it touches the step at its corner
    assert_convex(loss, rng.uniform(-20, 20, size=(300, 2)))
    for seed in SEEDS:
        X, y, rng = drawn(seed)
        for w in (np.zeros(3), rng.normal(size=3), 0.1 * rng.normal(size=3)):
            for at_zero in (-1, 1):  # whatever sgn 0 is
                mistakes = np.where(X @ w == 0, at_zero, np.sign(X @ w)) != y
                assert mistakes.mean() <= loss(y * (X @ w)).mean() + 1e-15


@pytest.mark.claim("prop-surrogates")
@pytest.mark.erratum("EA11")
@pytest.mark.parametrize("loss, z", [(perceptron_loss, 0.0), (perceptron_loss, -0.5), (logistic, -0.5)])
def test_perceptron_and_natural_logistic_losses_are_not_above_the_step(loss, z):
    y = np.array([-1, -1, -1])
    mistakes = np.where(y * z >= 0, 1, -1) != y  # with sgn 0 = 1 all three are wrong
    assert mistakes.mean() == 1 > loss(np.full(3, z)).mean()
    rng = np.random.default_rng(1)
    z = np.concatenate([rng.uniform(-3, 3, size=20_000), BORDER + np.array([-1e-9, 1e-9]), [-1e-300, 0.0, 1e-300]])
    assert np.array_equal(logistic(z) < (z <= 0), (BORDER < z) & (z <= 0))
    assert logistic(BORDER) == pytest.approx(1, rel=1e-15)


@pytest.mark.claim("prop-logistic-calibrated")
@pytest.mark.parametrize("eta", [1e-6, 0.02, 0.3, 0.5, 0.87, 1 - 1e-4])
def test_mean_loss_is_smallest_at_the_log_odds_and_nowhere_else(eta):
    rng, best = np.random.default_rng(2), np.log(eta / (1 - eta))

    def mean_loss(s):
        return eta * logistic(s) + (1 - eta) * logistic(-s)

    s = np.concatenate([rng.uniform(-20, 20, size=1000), best + rng.uniform(-0.1, 0.1, size=1000)])
    # the excess is the entropy of eta relative to sigma(s), positive unless the two are equal
    excess = eta * np.log(eta / sigma(s)) + (1 - eta) * np.log((1 - eta) / sigma(-s))
    assert (excess > 0).all()
    np.testing.assert_allclose(mean_loss(s) - mean_loss(best), excess, atol=1e-10)
    np.testing.assert_allclose((mean_loss(s + 1e-5) - mean_loss(s - 1e-5)) / 2e-5, sigma(s) - eta, atol=1e-8)
    found = minimize_scalar(mean_loss, bracket=(best - 1, best + 1.3), tol=1e-12).x
    assert found == pytest.approx(best, abs=1e-3)


# --- derivatives -----------------------------------------------------------------------------------------
@pytest.mark.claim("prop-logistic-derivatives")
@pytest.mark.parametrize("lam", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(10))
def test_gradient_in_both_forms_and_hessian_and_the_risk_is_convex_with_gradient_of_lipschitz_constant_L(seed, lam):
    X, y, rng = drawn(seed)
    Z, F = y[:, None] * X, LinearRisk(logistic, X, y, lam)
    for w in 3 * rng.normal(size=(5, 3)):
        numerical = numerical_gradient(lambda v: risk(v, Z, lam), w)
        truth_minus_prediction = (sigma(X @ w) - (1 + y) / 2) @ X / len(y) + lam * w
        for g in (gradient(w, Z, lam), truth_minus_prediction, F.gradient(w)):
            np.testing.assert_allclose(g, numerical, atol=1e-8)
        numerical = [(gradient(w + e, Z, lam) - gradient(w - e, Z, lam)) / 2e-5 for e in 1e-5 * np.eye(3)]
        for H in (hessian(w, X, lam), F.at(w).hessian):  # of the points themselves: the labels drop out
            np.testing.assert_allclose(H, numerical, atol=1e-8)
    X, y, rng = drawn(seed)
    F = LinearRisk(logistic, X, y, lam)
    values, vectors = np.linalg.eigh(X.T @ X)
    L = values[-1] / (4 * len(y)) + lam
    pairs = 4 * rng.normal(size=(200, 2, 3))
    assert_convex(F, pairs)
    ratios = [np.linalg.norm(F.gradient(u) - F.gradient(v)) / np.linalg.norm(u - v) for u, v in pairs]
    assert max(ratios) <= L
    step = 1e-4 * vectors[:, -1]  # tight at zero, in the direction of the largest eigenvalue
    assert np.linalg.norm(F.gradient(step) - F.gradient(-step)) / 2e-4 == pytest.approx(L, rel=1e-6)


@pytest.mark.claim("prop-logistic-derivatives")
@pytest.mark.parametrize("seed", range(10))
def test_risk_is_strictly_convex_with_a_penalty_or_spanning_points_and_flat_otherwise(rng):
    y, flat = rng.choice([-1, 1], size=30), np.array([1.0, -1.0, 0.0])
    spanning = rng.normal(size=(30, 3))
    thin = spanning - np.outer(spanning @ flat, flat) / 2
    for X, lam in [(spanning, 0.0), (spanning, 0.2), (thin, 0.2)]:
        F = LinearRisk(logistic, X, y, lam)
        for u, v in 2 * rng.normal(size=(50, 2, 3)):
            assert F((u + v) / 2) < (F(u) + F(v)) / 2
            assert np.linalg.eigvalsh(F.at(u).hessian)[0] > 1e-6
    F, w = LinearRisk(logistic, thin, y), rng.normal(size=3)
    assert F(w + 5 * flat) == pytest.approx(F(w), rel=1e-12)


# --- existence -------------------------------------------------------------------------------------------
@pytest.mark.claim("thm-mle-exists")
@pytest.mark.parametrize("on_the_plane", [0, 3, 6])
@pytest.mark.parametrize("seed", range(10))
def test_a_separating_direction_leaves_no_minimiser(rng, on_the_plane):
    Z, v = separable(rng, 10, 3, on_the_plane)
    for w in 10 ** rng.uniform(-1, 1, size=(50, 1)) * rng.normal(size=(50, 3)):
        assert risk(w + v, Z) < risk(w, Z) and gradient(w, Z) @ v < 0
    y = rng.choice([-1, 1], size=10)
    y[:2] = 1, -1
    with pytest.warns(SeparableWarning):
        model = LogisticRegression(bias=False).fit(y[:, None] * Z, y)
    assert model.separable_


@pytest.mark.claim("thm-mle-exists")
@pytest.mark.parametrize("rank", [2, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_without_one_there_is_a_minimiser_and_it_is_unique_iff_the_points_span(rng, rank):
    Z = inseparable(rng, 12, 4, rank)
    assert direction_that_separates(Z) is None
    model = fitted(Z)
    w = model.w_
    assert not model.separable_ and np.linalg.norm(gradient(w, Z)) < 1e-7  # convex: a critical point is a minimum
    for u in 10 ** rng.uniform(-2, 1, size=(100, 1)) * rng.normal(size=(100, 4)):
        assert risk(w + u, Z) > risk(w, Z)
    unseen = np.linalg.svd(Z)[2][rank:]  # the directions orthogonal to all the points
    assert len(unseen) == 4 - rank
    for v in unseen:
        assert risk(w + 7 * v, Z) == pytest.approx(risk(w, Z), rel=1e-9)
    assert (np.linalg.eigvalsh(hessian(w, Z))[0] > 1e-6) == (rank == 4)


@pytest.mark.claim("thm-mle-exists")
@pytest.mark.parametrize("seed", range(100))
def test_every_small_sample_has_either_a_separating_direction_or_a_minimiser(rng):
    m, d = int(rng.integers(2, 9)), int(rng.integers(1, 4))
    Z = rng.integers(-2, 3, size=(m, d)).astype(float)
    v = direction_that_separates(Z)
    if v is not None:
        assert (Z @ v).min() > -1e-7
        assert all(risk(w + v, Z) < risk(w, Z) for w in 3 * rng.normal(size=(20, d)))
    else:
        w = fitted(Z, solver="newton").w_
        assert np.linalg.norm(gradient(w, Z)) < 1e-7


@pytest.mark.claim("thm-mle-exists")
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("lam", [1e-3, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_with_a_penalty_there_is_exactly_one_minimiser_unless_a_free_bias_sees_one_label_only(rng, lam, bias):
    Z, _ = separable(rng, 10, 3, 3)
    y = np.repeat([-1, 1], 5)
    F = LinearRisk(logistic, y[:, None] * Z, y, lam, bias)
    starts = np.vstack([np.zeros(F.d), 5 * rng.normal(size=(3, F.d))])
    ends = np.array([line_search_descent(F, w, newton, backtracking, tol=1e-10, max_iter=200).last for w in starts])
    np.testing.assert_allclose(ends, ends[[0] * 4], atol=1e-5)
    for u in 10 ** rng.uniform(-2, 1, size=(100, 1)) * rng.normal(size=(100, F.d)):
        assert F(ends[0] + u) > F(ends[0])
    assert np.linalg.eigvalsh(F.at(ends[0]).hessian)[0] > 0
    F, up = LinearRisk(logistic, rng.normal(size=(10, 2)), np.ones(10), lam=1.0, bias=True), np.array([0, 0, 1.0])
    assert all(F(w + up) < F(w) for w in 3 * rng.normal(size=(50, 3)))


# --- the certificate -------------------------------------------------------------------------------------
def newton_test(Z, w, B):
    """(largest sigma(z_i) s.Z_i over B, the weights a_i of the proof), or None if H_B s = -g has no solution."""
    z, g, m = Z @ w, gradient(w, Z), len(Z)
    H = Z[B].T @ (Z[B] * (sigma(z[B]) * sigma(-z[B]))[:, None]) / m
    s = np.linalg.lstsq(H, -g, rcond=1e-12)[0]
    if np.linalg.norm(H @ s + g) > 1e-9 * np.linalg.norm(g):
        return None
    pulls = sigma(z[B]) * (Z[B] @ s)
    a = sigma(-z) / m
    a[B] *= 1 - pulls
    return pulls.max(), a


@pytest.mark.claim("thm-certificate")
@pytest.mark.parametrize("seed", range(60))
def test_whenever_the_newton_step_is_tame_positive_weights_sum_to_zero_and_nothing_separates(rng):
    d = int(rng.integers(1, 5))
    m = int(rng.integers(d + 1, 5 * d + 5))
    Z = rng.normal(size=(m, d)) + rng.uniform(0, 1) * rng.normal(size=d)
    exists = direction_that_separates(Z) is None
    points = [np.zeros(d), *(10 ** rng.uniform(-2, 0.5, size=(15, 1)) * rng.normal(size=(15, d)))]
    for w, size in itertools.product(points, (m, max(d, m // 2))):
        found = newton_test(Z, w, rng.permutation(m)[:size])
        if found is None:
            continue
        largest, a = found
        assert np.linalg.norm(a @ Z) <= 1e-7 * np.abs(a) @ np.linalg.norm(Z, axis=1)
        if largest < 1 - 1e-9:
            assert (a > 0).all() and exists
    if exists:  # near the minimiser the step is tiny and the test succeeds
        assert newton_test(Z, fitted(Z).w_ + 1e-5, np.arange(m))[0] < 1e-2


@pytest.mark.claim("thm-certificate")
@pytest.mark.parametrize("on_the_plane", [0, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_on_separable_data_newtons_step_raises_some_score_by_more_than_one_and_the_certificate_is_strict(
    rng, on_the_plane
):
    Z, _ = separable(rng, 10, 3, on_the_plane)
    for w in 3 * rng.normal(size=(20, 3)):
        largest, _ = newton_test(Z, w, np.arange(10))
        assert largest >= 1 - 1e-6
        assert (Z @ np.linalg.solve(hessian(w, Z), -gradient(w, Z))).max() > 1
    # Two opposite examples, and one alone with its feature: the quantity is exactly one, and nothing is minimal.
    Z = np.array([[1.0, 0], [-1, 0], [0, 1]])
    assert direction_that_separates(Z) is not None
    for t in (0.0, 0.7, 3.0):
        assert newton_test(Z, np.array([0, t]), np.arange(3))[0] == pytest.approx(1, abs=1e-12)


@pytest.mark.claim("thm-certificate", "thm-mle-exists")
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("unit", [1.0, 1e-4])
def test_rounding_at_that_border_never_certifies_a_maximum(unit, bias):
    """One-hot features, one level of which has positive labels only: its weight may grow for ever, in any unit."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        level = np.concatenate([[0, 0, 1, 1, 2], rng.integers(3, size=25)])
        X, y = np.eye(3)[level] * [1, 1, unit], rng.choice([-1, 1], size=30)
        y[:4], y[level == 2] = (1, -1, 1, -1), 1
        F = LinearRisk(logistic, X, y, bias=bias)
        for w in np.linspace(0, 36, 13)[:, None] / unit * (np.arange(F.d) == 2) + 0.3 * (np.arange(F.d) == 0):
            assert not likelihood_has_maximum(F, w)
        with pytest.warns(SeparableWarning):
            LogisticRegression(bias=bias).fit(X, y)


@pytest.mark.claim("thm-certificate")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_package_says_what_the_linear_program_says(rng):
    X, y = rng.normal(size=(10, 4)), np.repeat([-1, 1], 5)
    exists = direction_that_separates(y[:, None] * X) is None
    F = LinearRisk(logistic, X, y)
    assert all(likelihood_has_maximum(F, w) == exists for w in 2 * rng.normal(size=(5, 4)))


# --- Newton's method -------------------------------------------------------------------------------------
@pytest.mark.claim("thm-newton")
@pytest.mark.parametrize("seed", SEEDS)
def test_newton_squares_the_error_inside_its_radius_on_a_logistic_risk(seed):
    X, y, rng = drawn(seed, m=60)
    lam = rng.choice([0.0, 0.1])
    F, Z = LinearRisk(logistic, X, y, lam), y[:, None] * X
    best = line_search_descent(F, np.zeros(3), newton, backtracking, tol=1e-14, max_iter=50).last
    M, mu = np.linalg.norm(X, axis=1).max() ** 3 / (6 * np.sqrt(3)), np.linalg.eigvalsh(hessian(best, Z, lam))[0]
    for u in rng.normal(size=(30, 3)):
        e = rng.uniform(0.2, 1) * mu / (2 * M)
        w = best + e * u / np.linalg.norm(u)
        full = w - np.linalg.solve(hessian(w, Z, lam), gradient(w, Z, lam))
        np.testing.assert_allclose(w + newton(F.at(w)), full, atol=1e-10)
        assert np.linalg.norm(full - best) <= M / mu * e**2 + 1e-12 <= e / 2 + 2e-12
        assert np.linalg.norm(hessian(w, Z) - hessian(best, Z), 2) <= M * e


@pytest.mark.claim("thm-newton")
def test_constants_of_newtons_theorem_are_attained():
    """With curvature mu - M|w| near zero, the step from mu/(2M) lands at minus a half of it: equality throughout."""
    for mu, M in [(1.0, 1.0), (0.3, 2.0), (5.0, 0.1)]:
        F = Function(
            lambda w, mu=mu, M=M: (mu * w**2 / 2 - M * np.abs(w) ** 3 / 6)[0],
            lambda w, mu=mu, M=M: mu * w - M * w * np.abs(w) / 2,
            lambda w, mu=mu, M=M: np.diag(mu - M * np.abs(w)),
        )
        for part in (1.0, 0.7, 0.01):
            e = part * mu / (2 * M)
            landed = e + newton(F.at([e]))[0]
            assert abs(landed) <= M / mu * e**2 * (1 + 1e-12) and M / mu * e**2 <= e / 2 * (1 + 1e-12)
            assert abs(landed) == pytest.approx(M / mu * e**2 / (2 - part), rel=1e-9)  # equality for part = 1


@pytest.mark.claim("thm-newton")
@pytest.mark.parametrize("seed", range(10))
def test_hessian_of_the_logistic_risk_is_lipschitz_with_the_constant_and_no_less(rng):
    X, y = rng.normal(size=(20, 3)), rng.choice([-1, 1], size=20)
    F, M = LinearRisk(logistic, X, y), np.linalg.norm(X, axis=1).max() ** 3 / (6 * np.sqrt(3))
    for u, v in 3 * rng.normal(size=(100, 2, 3)):
        assert np.linalg.norm(F.at(u).hessian - F.at(v).hessian, 2) <= M * np.linalg.norm(u - v)
    R, steepest = rng.uniform(0.5, 3), np.log(2 + np.sqrt(3))  # one point; |sigma''| is largest at this score
    one, w = LinearRisk(logistic, np.array([[R]]), [1]), np.array([steepest / R])
    rise = (one.at(w + 1e-4).hessian - one.at(w - 1e-4).hessian)[0, 0] / 2e-4
    assert abs(rise) == pytest.approx(R**3 / (6 * np.sqrt(3)), rel=1e-6)


@pytest.mark.algorithm("alg-newton")
@pytest.mark.parametrize("seed", range(10))
def test_newton_with_backtracking_step_by_step_also_where_full_steps_fly_off(seed):
    X, y, rng = drawn(seed)
    lam, c1 = rng.choice([0.0, 0.01]), 1e-4
    F, Z, start = LinearRisk(logistic, X, y, lam), y[:, None] * X, 6 * rng.normal(size=3)
    run = line_search_descent(F, start, newton, backtracking, tol=1e-9, max_iter=100)
    assert run.converged and np.array_equal(run.path[0], start)
    norms = [np.linalg.norm(gradient(w, Z, lam)) for w in run.path]
    assert norms[-1] <= 1e-9 < min(norms[:-1])  # it stops at the first short gradient
    for w, after in itertools.pairwise(run.path[:6]):
        g, p, tau = gradient(w, Z, lam), np.linalg.solve(hessian(w, Z, lam), -gradient(w, Z, lam)), 1.0
        while risk(w + tau * p, Z, lam) > risk(w, Z, lam) + c1 * tau * (g @ p):
            tau /= 2
        np.testing.assert_allclose(after, w + tau * p, rtol=1e-6, atol=1e-9)
    F = LinearRisk(logistic, np.array([[1.0], [-1.0]]), [1, 1])  # full steps go from w to w - sinh w
    here = F.at([3.0])
    assert 3.0 + newton(here)[0] == pytest.approx(3 - np.sinh(3))
    run = line_search_descent(F, [3.0], newton, backtracking, tol=1e-12, max_iter=100)
    assert run.converged and abs(run.last[0]) < 1e-11
    assert run.path[1][0] == pytest.approx(3 - np.sinh(3) / 2)  # the full step raises the risk, half of it does not


# --- large samples ---------------------------------------------------------------------------------------
@pytest.mark.claim("prop-whitening")
@pytest.mark.parametrize("seed", SEEDS)
def test_in_whitened_axes_all_curvatures_are_at_most_one_and_one_at_zero(seed):
    X, y, rng = drawn(seed, d=4)
    X = X @ rng.normal(size=(4, 4)) * 10.0 ** rng.uniform(-2, 2, size=4)
    lam = rng.choice([0.0, 0.5])
    Z = y[:, None] * X
    H0 = X.T @ X / (4 * len(y)) + lam * np.eye(4)
    Q = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    for A in (whitening(H0), whitening(H0) @ Q, np.linalg.inv(np.linalg.cholesky(H0)).T):
        np.testing.assert_allclose(A.T @ H0 @ A, np.eye(4), atol=1e-8)
        f = ChangedBasis(LinearRisk(logistic, X, y, lam), A)
        np.testing.assert_allclose(np.linalg.eigvalsh(f.at(np.zeros(4)).hessian), 1, atol=1e-8)
        for v in 10 ** rng.uniform(-1, 1.5, size=(20, 1)) * rng.normal(size=(20, 4)):
            curvatures = np.linalg.eigvalsh(A.T @ hessian(A @ v, Z, lam) @ A)
            np.testing.assert_allclose(np.linalg.eigvalsh(f.at(v).hessian), curvatures, atol=1e-8)
            assert curvatures[-1] <= 1 + 1e-8 and curvatures[0] < 1


@pytest.mark.algorithm("alg-logistic-sgd")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("lam", [0.0, 0.2])
def test_sgd_moves_by_prediction_minus_truth_times_the_point_in_a_new_order_in_each_pass(seed, lam):
    X, y, _ = drawn(seed, m=12)
    tau, passes, u = 0.7, 4, (1 + y) / 2
    run = logistic_sgd(LinearRisk(logistic, X, y, lam), tau, passes, np.random.default_rng(99))
    w, order = np.zeros(3), np.random.default_rng(99)
    for k in range(passes):
        for i in order.permutation(12):
            w = w - tau / (1 + k) * ((sigma(w @ X[i]) - u[i]) * X[i] + lam * w)
    np.testing.assert_allclose(run.last, w, rtol=1e-10)
    assert run.n_steps == passes * 12 and run.converged
    seen = []

    class Watched(LinearRisk):
        def batch_gradient(self, w, rows):
            seen.extend(rows)
            return super().batch_gradient(w, rows)

    X, y, _ = drawn(0, m=15)
    logistic_sgd(Watched(logistic, X, y), 0.1, 3, np.random.default_rng(0))
    passes = np.reshape(seen, (3, 15))
    assert (np.sort(passes, axis=1) == np.arange(15)).all() and len({tuple(order) for order in passes}) == 3


# --- separable data --------------------------------------------------------------------------------------
@pytest.mark.claim("thm-limit-margin")
@pytest.mark.parametrize("seed", range(10))
def test_as_the_penalty_vanishes_the_weights_grow_and_the_margin_becomes_the_widest(rng):
    d, m = int(rng.integers(2, 5)), int(rng.integers(5, 40))
    X, y = SeparableMargin(d=d, rho=0.1).sample(m, rng)
    Z, u = y[:, None] * X, max_margin_separator(X, y)
    widest = margin(u, X, y)
    lengths, margins, angles = [], [], []
    for lam in 10.0 ** -np.arange(0, 13, 2):
        w = LogisticRegression(lam, "newton", bias=False, tol=1e-13, max_iter=500).fit(X, y).w_
        assert np.linalg.norm(gradient(w, Z, lam)) <= 1e-3 * lam * np.linalg.norm(w)  # the minimiser indeed
        lengths.append(np.linalg.norm(w))
        margins.append((Z @ w).min() / lengths[-1])
        angles.append(w @ u / lengths[-1] / np.linalg.norm(u))
        if margins[-1] >= 0:
            assert -1e-9 <= widest - margins[-1] <= np.log(2 * m) / lengths[-1]
    assert (np.diff(lengths) > 0).all() and lengths[-1] > 20 * lengths[0]
    assert margins[-1] >= 0.95 * widest and margins[0] < margins[-1]
    assert angles[-1] > max(0.99, angles[0])  # there is one direction of widest margin, and w turns to it


@pytest.mark.claim("thm-limit-margin")
@pytest.mark.parametrize("lam", [1e-8, 1e-12, 1e-16])
def test_the_rate_of_the_margin_cannot_be_improved_by_more_than_a_factor_two(lam):
    """Ten thousand examples pull one way a little, one pulls the other way a lot; (1, 0) has the widest margin, one."""
    Z, m = np.vstack([np.tile([1.0, 1.0], (10_000, 1)), [[1.0, -10.0]]]), 10_001
    w = np.array([1.0, 0.0])
    for _ in range(100):
        step = np.linalg.solve(hessian(w, Z, lam), gradient(w, Z, lam))
        w = w - step / max(1, np.linalg.norm(step))
    assert np.linalg.norm(gradient(w, Z, lam)) < 1e-3 * lam
    length = np.linalg.norm(w)
    assert np.log(2 * m) / 2 < (1 - (Z @ w).min() / length) * length <= np.log(2 * m)


@pytest.mark.parametrize("seed", range(5))
def test_exercise_on_the_speed_at_which_the_weights_run_away(rng):
    m = int(rng.integers(1, 40))
    X, y = SeparableMargin(d=2, rho=0.1).sample(m, rng)
    widest = margin(max_margin_separator(X, y), X, y)
    for lam in (0.9, 0.1, 1e-4, 1e-8, 1e-12):
        Z, c = y[:, None] * X, np.log(1 / lam) / widest
        length = np.linalg.norm(fitted(Z, lam, solver="newton", max_iter=500).w_)
        assert c - np.log(m * (2 + c**2)) / widest <= length <= np.sqrt(c**2 + 2)
    assert 0.4 < length / c < 1  # and so it grows like the logarithm
