"""The claims of the chapter on Gaussian discriminant analysis, each on random instances and where tight.

Densities are SciPy's; expectations of estimates are exact, over laws with finitely many values.
"""

import itertools
import warnings

import numpy as np
import pytest
import scipy.linalg
from scipy.integrate import quad
from scipy.special import expit, ndtr
from scipy.stats import multivariate_normal, norm

from mlcourse import GaussianDiscriminant, LinearRegression
from mlcourse.data import GaussianPair
from mlcourse.models.linear.gaussian_discriminant import gaussian_log_density

SEEDS = pytest.mark.parametrize("seed", range(20))
shared_or_own = pytest.mark.parametrize("shared", [True, False], ids=["shared", "own"])


def covariance(rng, d, spread=1.0):
    """A random symmetric positive definite matrix."""
    Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return Q * np.exp(spread * rng.normal(size=d)) @ Q.T


def sample(rng, d, sizes):
    """Points of several classes of different centres and shapes, shuffled, and the classes 0..k-1."""
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    centres, shapes = 2 * rng.normal(size=(len(sizes), d)), rng.normal(size=(len(sizes), d, d))
    return centres[y] + np.einsum("ijk,ik->ij", shapes[y], rng.normal(size=(len(y), d))), y


def log_likelihood(X, y, prior, means, covariances):
    """The logarithm of the product of pi_y p_y(x) over the examples."""
    laws = [multivariate_normal(mu, Sigma) for mu, Sigma in zip(means, covariances, strict=True)]
    joint = [np.log(pi) + np.atleast_1d(law.logpdf(X)) for pi, law in zip(prior, laws, strict=True)]
    return np.choose(y, joint).sum()


def divergence(mu, Sigma, nu, Omega):
    """The Kullback-Leibler divergence of N(nu, Omega) from N(mu, Sigma): positive unless the two are equal."""
    inverse, gap = np.linalg.inv(Omega), nu - mu
    logdets = np.linalg.slogdet(Omega)[1] - np.linalg.slogdet(Sigma)[1]
    return 0.5 * (logdets + np.trace(inverse @ Sigma) - len(mu) + gap @ inverse @ gap)


def quietly_fitted(X, y, shared):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some of the samples are in a hyperplane
        return GaussianDiscriminant(shared_covariance=shared).fit(X, y)


# --- the density ----------------------------------------------------------------------------------------
@pytest.mark.algorithm("alg-gaussian-density")
@SEEDS
def test_log_density_is_that_of_the_definition_also_where_the_density_underflows(rng):
    d = int(rng.integers(1, 6))
    mu, Sigma = rng.normal(size=d), covariance(rng, d)
    L = np.linalg.cholesky(Sigma)
    for distance in (1, 30, 1000):
        X = mu + distance * rng.normal(size=(20, d)) @ L.T
        np.testing.assert_allclose(gaussian_log_density(X, mu, L), multivariate_normal(mu, Sigma).logpdf(X), rtol=1e-9)


# --- likelihood -----------------------------------------------------------------------------------------
def two_models(rng, d):
    """Two priors, and for each class two pairs of mean and covariance."""
    pairs = [(rng.normal(size=d), covariance(rng, d)) for _ in range(4)]
    return rng.uniform(0.1, 0.9, size=2), (pairs[:2], pairs[2:])


@pytest.mark.claim("prop-gda-parts")
@SEEDS
def test_the_log_likelihood_is_three_functions_of_different_parameters_unless_the_covariance_is_shared(rng):
    d, sizes = int(rng.integers(1, 4)), rng.integers(1, 8, size=2)
    X, y = sample(rng, d, sizes)
    priors, (minus, plus) = two_models(rng, d)

    def total(i, j, k):
        prior = [1 - priors[i], priors[i]]
        return log_likelihood(X, y, prior, [minus[j][0], plus[k][0]], [minus[j][1], plus[k][1]])

    def points(c, mu, Sigma):
        return multivariate_normal(mu, Sigma).logpdf(X[y == c]).sum()

    for i, j, k in itertools.product(range(2), repeat=3):
        labels = sizes[1] * np.log(priors[i]) + sizes[0] * np.log(1 - priors[i])
        assert np.isclose(total(i, j, k), labels + points(1, *plus[k]) + points(0, *minus[j]), rtol=1e-10)
        # changing one part changes the whole by the same number, whatever the other two are
        assert np.isclose(total(1, j, k) - total(0, j, k), total(1, 0, 0) - total(0, 0, 0), atol=1e-8)
        assert np.isclose(total(i, 1, k) - total(i, 0, k), total(0, 1, 0) - total(0, 0, 0), rtol=1e-8)
        assert np.isclose(total(i, j, 1) - total(i, j, 0), total(0, 0, 1) - total(0, 0, 0), rtol=1e-8)
    X, y = sample(rng, 2, [8, 9])
    own, shared = quietly_fitted(X, y, False), quietly_fitted(X, y, True)
    # the best covariance of both together is the best for neither class
    assert np.array_equal(own.mean_, shared.mean_)
    for c in (0, 1):
        assert points(c, own.mean_[c], shared.covariance_) < points(c, own.mean_[c], own.covariance_[c])


@pytest.mark.claim("lem-covariance")
@SEEDS
def test_log_determinant_plus_trace_is_least_at_s_and_nowhere_else(rng):
    d = int(rng.integers(1, 6))
    S = covariance(rng, d)

    def value(Sigma):
        return np.linalg.slogdet(Sigma)[1] + np.trace(np.linalg.inv(Sigma) @ S)

    assert np.isclose(value(S), np.log(np.linalg.det(S)) + d, rtol=1e-10)
    others = [covariance(rng, d, spread) for spread in (0.1, 1.0, 3.0) for _ in range(20)]
    bends = [np.eye(d) + size * rng.normal(size=(d, d)) for size in 10 ** rng.uniform(-3, 1, size=60)]
    others += [B @ S @ B.T for B in bends] + [t * S for t in (0.5, 0.99, 1.01, 2.0)]
    for Sigma in others:
        t = scipy.linalg.eigh(S, Sigma, eigvals_only=True)  # the numbers of the proof
        assert value(Sigma) > value(S)
        assert np.isclose(value(Sigma) - value(S), (t - 1 - np.log(t)).sum(), rtol=1e-6, atol=1e-11)


@pytest.mark.claim("thm-gda-mle")
@pytest.mark.algorithm("alg-gda")
@shared_or_own
@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("seed", range(5))
def test_the_estimates_are_the_frequencies_means_and_mean_products(shared, k, rng):
    d = int(rng.integers(1, 4))
    sizes = rng.integers(d + 2, 15, size=k)
    X, y = sample(rng, d, sizes)
    model = GaussianDiscriminant(shared_covariance=shared).fit(X, y)
    np.testing.assert_allclose(model.prior_, sizes / sizes.sum(), rtol=1e-12)
    np.testing.assert_allclose(model.mean_, [X[y == c].mean(axis=0) for c in range(k)], rtol=1e-10)
    each = [np.atleast_2d(np.cov(X[y == c].T, bias=True)) for c in range(k)]
    expected = np.average(each, axis=0, weights=sizes) if shared else each
    np.testing.assert_allclose(model.covariance_, expected, rtol=1e-9, atol=1e-12)
    L = model.factor_
    np.testing.assert_allclose(L @ L.swapaxes(1, 2), np.reshape(expected, (-1, d, d)), rtol=1e-9, atol=1e-12)
    new = 3 * rng.normal(size=(100, d))
    laws = [multivariate_normal(model.mean_[c], expected if shared else expected[c]) for c in range(k)]
    joint = np.column_stack([np.log(model.prior_[c]) + law.logpdf(new) for c, law in enumerate(laws)])
    np.testing.assert_array_equal(model.predict(new), joint.argmax(axis=1))


@pytest.mark.claim("thm-gda-mle")
@shared_or_own
@SEEDS
def test_any_other_parameters_lose_exactly_their_divergence_from_the_estimates(shared, rng):
    d = int(rng.integers(1, 4))
    sizes = rng.integers(d + 1, 12, size=2)
    X, y = sample(rng, d, sizes)
    model = GaussianDiscriminant(shared_covariance=shared).fit(X, y)
    covariances = [model.covariance_] * 2 if shared else list(model.covariance_)
    best = log_likelihood(X, y, model.prior_, model.mean_, covariances)
    for size in 10 ** rng.uniform(-3, 0.5, size=6):
        pi = np.clip(model.prior_[1] + size * rng.normal(), 0.01, 0.99)
        bends = np.eye(d) + size * rng.normal(size=(2, d, d))
        bends = bends[[0, 0]] if shared else bends
        bent = [B @ Sigma @ B.T for B, Sigma in zip(bends, covariances, strict=True)]
        estimates = model.prior_, model.mean_, covariances
        others = np.array([1 - pi, pi]), model.mean_ + size * rng.normal(size=(2, d)), bent
        for kinds in ((0,), (1,), (2,), (0, 1, 2)):  # one kind of parameter, then all of them
            prior, means, shapes = (others[i] if i in kinds else estimates[i] for i in range(3))
            parts = zip(model.mean_, covariances, means, shapes, strict=True)
            loss = sizes @ np.log(model.prior_ / prior) + sizes @ [divergence(*part) for part in parts]
            lower = log_likelihood(X, y, prior, means, shapes)
            assert np.isclose(best - lower, loss, rtol=1e-5, atol=1e-9) and lower < best and loss > 0


@pytest.mark.claim("thm-gda-mle")
def test_a_shared_estimate_may_be_definite_where_those_of_the_classes_are_not():
    rng = np.random.default_rng(1)
    X, y = sample(rng, 3, [3, 3])  # each class in a plane of space, but not in parallel ones
    shared = GaussianDiscriminant(shared_covariance=True).fit(X, y)
    assert not shared.singular_ and np.linalg.eigvalsh(shared.covariance_)[0] > 1e-3
    assert quietly_fitted(X, y, False).singular_


@pytest.mark.claim("thm-gda-mle")
@shared_or_own
@SEEDS
def test_with_a_singular_estimate_the_likelihood_is_unbounded(shared, rng):
    d = int(rng.integers(1, 5))
    X, y = sample(rng, d, [d + 2, d + 3])
    normal = rng.normal(size=d)
    normal /= np.linalg.norm(normal)
    flat = np.full(len(y), shared) | (y == 0)  # flatten both classes, or one of them
    X[flat] -= np.outer(X[flat] @ normal, normal)
    means = [X[y == c].mean(axis=0) for c in (0, 1)]
    each = [np.atleast_2d(np.cov(X[y == c].T, bias=True)) for c in (0, 1)]
    S = np.average(each, axis=0, weights=[d + 2, d + 3]) if shared else each[0]
    eigenvalues, Q = np.linalg.eigh(S)
    assert eigenvalues[0] < 1e-12
    values, n = [], len(y) if shared else d + 2
    for epsilon in (1e-1, 1e-3, 1e-5):
        lifted = np.where(eigenvalues > 1e-12, eigenvalues, 1.0)
        lifted[0] = epsilon
        narrow = Q * lifted @ Q.T
        values.append(log_likelihood(X, y, [0.5, 0.5], means, [narrow, narrow if shared else np.eye(d)]))
    np.testing.assert_allclose(np.diff(values), n / 2 * np.log(100), rtol=1e-6)  # each step of 100 adds the same


@pytest.mark.claim("thm-gda-mle")
@pytest.mark.erratum("EK3")
@SEEDS
def test_another_mean_makes_the_matrix_larger_by_a_square_and_the_likelihood_smaller(rng):
    n, d = int(rng.integers(6, 12)), int(rng.integers(1, 4))
    X, mu = rng.normal(size=(n, d)), rng.normal(size=d)
    centre, Sigma, v = X.mean(axis=0), np.atleast_2d(np.cov(X.T, bias=True)), X.mean(axis=0) - mu
    printed = (X - mu).T @ (X - mu) / n
    np.testing.assert_allclose(printed, Sigma + np.outer(v, v), atol=1e-12)
    best = multivariate_normal(centre, Sigma).logpdf(X).sum()
    assert multivariate_normal(centre, printed).logpdf(X).sum() < best
    drop = n / 2 * np.log(1 + v @ np.linalg.inv(Sigma) @ v)
    assert np.isclose(best - multivariate_normal(mu, printed).logpdf(X).sum(), drop, rtol=1e-8)


# --- the estimated covariance ---------------------------------------------------------------------------
def values_with(mu, root, angle=0.0):
    """Three equally probable points of the plane with mean mu and covariance root root^T."""
    angles = angle + 2 * np.pi * np.arange(3) / 3
    return mu + np.sqrt(2) * np.column_stack([np.cos(angles), np.sin(angles)]) @ root.T


@pytest.mark.claim("prop-covariance-bias")
@pytest.mark.erratum("EK3")
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_mean_of_the_estimated_covariance_is_short_by_one_in_n(n):
    rng = np.random.default_rng(n)
    mu, root = rng.normal(size=2), rng.normal(size=(2, 2))
    # independent, with the same mean and covariance but not with the same law
    laws = [values_with(mu, root, angle) for angle in rng.uniform(0, 2, size=n)]
    for law in laws:
        np.testing.assert_allclose(np.cov(law.T, bias=True), root @ root.T)
    estimates = [np.cov(np.array(points).T, bias=True) for points in itertools.product(*laws)]
    np.testing.assert_allclose(np.mean(estimates, axis=0), (n - 1) / n * root @ root.T, atol=1e-12)


@pytest.mark.claim("prop-covariance-bias")
@pytest.mark.parametrize("sizes", [(1, 1), (2, 2), (1, 2), (1, 1, 2)])
def test_the_mean_of_the_shared_covariance_is_short_by_one_for_each_class(sizes):
    rng = np.random.default_rng(len(sizes))
    y, root = np.repeat(np.arange(len(sizes)), sizes), rng.normal(size=(2, 2))
    laws = [values_with(mu, root) for mu in rng.normal(size=(len(sizes), 2))]
    samples = itertools.product(*(laws[c] for c in y))
    estimates = [quietly_fitted(np.array(points), y, True).covariance_ for points in samples]
    m, k = len(y), len(sizes)
    np.testing.assert_allclose(np.mean(estimates, axis=0), (m - k) / m * root @ root.T, atol=1e-12)


@pytest.mark.claim("prop-covariance-bias")
@pytest.mark.parametrize("d", [1, 3, 5])
def test_the_rank_of_the_estimates_is_at_most_the_number_of_points_less_one_per_class(d):
    rng = np.random.default_rng(d)

    def rank(Sigma):
        return np.linalg.matrix_rank(Sigma, tol=1e-9)

    for n in range(1, d + 4):
        X = rng.normal(size=(n, d))
        Sigma = np.atleast_2d(np.cov(X.T, bias=True))
        assert rank(Sigma) == min(d, n - 1)  # at most, and for points in general position exactly
        if n > 1:
            model = quietly_fitted(X, np.arange(n) % 2, True)
            assert rank(model.covariance_) == min(d, n - 2) and model.singular_ == (n - 2 < d)
        assert rank(np.cov(np.vstack([X, X]).T, bias=True)) == rank(Sigma)  # "at most": fewer if points repeat


# --- the boundary ---------------------------------------------------------------------------------------
def log_odds(X, pi, plus, minus):
    return np.log(pi / (1 - pi)) + multivariate_normal(*plus).logpdf(X) - multivariate_normal(*minus).logpdf(X)


@pytest.mark.claim("thm-lda-logistic")
@SEEDS
def test_equal_shapes_make_the_posterior_logistic_and_the_fitted_one_a_sigmoid(rng):
    d = int(rng.integers(1, 5))
    Sigma, mu_plus, mu_minus, pi = covariance(rng, d), rng.normal(size=d), rng.normal(size=d), rng.uniform(0.05, 0.95)
    w = np.linalg.inv(Sigma) @ (mu_plus - mu_minus)
    b = -0.5 * (mu_plus + mu_minus) @ w + np.log(pi / (1 - pi))
    X = 2 * rng.normal(size=(50, d))
    plus, minus = (multivariate_normal(mu, Sigma).pdf(X) for mu in (mu_plus, mu_minus))
    eta = pi * plus / (pi * plus + (1 - pi) * minus)
    np.testing.assert_allclose(eta, 1 / (1 + np.exp(-(X @ w + b))), rtol=1e-7)
    np.testing.assert_allclose(log_odds(X, pi, (mu_plus, Sigma), (mu_minus, Sigma)), X @ w + b, rtol=1e-8, atol=1e-8)
    law = GaussianPair(mu_plus, mu_minus, covariance=Sigma, prior=pi)
    np.testing.assert_allclose(law.eta(X), eta, rtol=1e-7)
    X, y = sample(rng, 3, rng.integers(4, 20, size=2))
    model = GaussianDiscriminant(shared_covariance=True).fit(X, y)
    w = np.linalg.inv(model.covariance_) @ (model.mean_[1] - model.mean_[0])
    b = -0.5 * model.mean_.sum(axis=0) @ w + np.log(model.prior_[1] / model.prior_[0])
    new = 3 * rng.normal(size=(50, 3))
    np.testing.assert_allclose(model.predict_proba(new)[:, 1], expit(new @ w + b), rtol=1e-8, atol=1e-12)


@pytest.mark.claim("thm-lda-logistic")
@SEEDS
def test_the_log_odds_are_quadratic_and_linear_only_for_equal_shapes(rng):
    d = int(rng.integers(1, 5))
    mu_plus, mu_minus, Sigma, pi = rng.normal(size=d), rng.normal(size=d), covariance(rng, d), rng.uniform(0.05, 0.95)
    Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    others = [covariance(rng, d), 1.01 * Sigma, Q @ Sigma @ Q.T, Sigma]  # the third has the same determinant
    for other in others:
        A = np.linalg.inv(other) - np.linalg.inv(Sigma)
        strongest = np.linalg.eigh(A)[1][:, np.abs(np.linalg.eigvalsh(A)).argmax()]
        for direction in (rng.normal(size=d), strongest):
            line = rng.normal(size=d) + np.linspace(-2, 2, 9)[:, None] * direction
            values = log_odds(line, pi, (mu_plus, other), (mu_minus, Sigma))
            scale = 1e-9 * (1 + np.abs(values).max())
            np.testing.assert_allclose(np.diff(values, 3), 0, atol=10 * scale)  # degree at most two
            np.testing.assert_allclose(np.diff(values, 2), -0.25 * direction @ A @ direction, atol=10 * scale)
        assert (np.abs(np.diff(values, 2)).max() > 1e-4) == (not np.allclose(other, Sigma))


# --- risks ----------------------------------------------------------------------------------------------
def random_pair(rng, d, pi=None):
    Sigma, gap = covariance(rng, d, 0.5), rng.normal(size=d)
    mu_minus = rng.normal(size=d)
    pi = rng.uniform(0.1, 0.9) if pi is None else pi
    return GaussianPair(mu_minus + gap, mu_minus, covariance=Sigma, prior=pi), Sigma


def linear_risk(law, Sigma, u, a):
    spread = np.sqrt(u @ Sigma @ u)
    missed, false = ndtr(-(u @ law.mu_plus + a) / spread), ndtr((u @ law.mu_minus + a) / spread)
    return law.prior * missed + (1 - law.prior) * false


@pytest.mark.claim("prop-gaussian-risk")
@pytest.mark.parametrize("seed", range(8))
def test_the_risk_of_a_linear_rule_is_what_a_simulation_sees(rng):
    d, n = int(rng.integers(1, 5)), 200_000
    law, Sigma = random_pair(rng, d)
    y = np.where(rng.random(n) < law.prior, 1, -1)
    noise = rng.multivariate_normal(np.zeros(d), Sigma, size=n)
    X = np.where(y[:, None] == 1, law.mu_plus, law.mu_minus) + noise
    for u, a in [(rng.normal(size=d), rng.normal()), (-3 * rng.normal(size=d), 0.0), (law.w, law.b)]:
        risk = linear_risk(law, Sigma, u, a)
        seen = np.mean(np.where(X @ u + a >= 0, 1, -1) != y)
        assert abs(seen - risk) <= 5 * np.sqrt(risk * (1 - risk) / n)  # passes by chance but once in a million
        assert np.isclose(law.risk_of_linear(u, a), risk, rtol=1e-9)


@pytest.mark.claim("prop-gaussian-risk")
@SEEDS
def test_the_risk_on_the_line_is_the_integral_of_the_wrong_density(rng):
    law, Sigma = random_pair(rng, 1)
    plus, minus = (norm(mu[0], np.sqrt(Sigma[0, 0])) for mu in (law.mu_plus, law.mu_minus))
    u, a = rng.choice([-1, 1]) * rng.uniform(0.2, 3), rng.normal()
    left, right = (plus, law.prior), (minus, 1 - law.prior)  # errors left and right of the threshold, if u > 0
    if u < 0:
        left, right = right, left
    wrong = left[1] * quad(left[0].pdf, -np.inf, -a / u)[0] + right[1] * quad(right[0].pdf, -a / u, np.inf)[0]
    assert np.isclose(wrong, linear_risk(law, Sigma, np.array([u]), a), atol=1e-7)


@pytest.mark.claim("prop-gaussian-risk")
@pytest.mark.parametrize("seed", range(4))
def test_the_bayes_risk_at_equal_priors_is_phi_of_minus_half_the_distance_and_one_half_for_equal_classes(rng):
    law, Sigma = random_pair(rng, 2, pi=0.5)
    gap = law.mu_plus - law.mu_minus
    bayes = norm.cdf(-0.5 * np.sqrt(gap @ np.linalg.inv(Sigma) @ gap))
    assert np.isclose(law.bayes_risk, bayes) and np.isclose(linear_risk(law, Sigma, law.w, law.b), bayes)
    # it is the integral of the smaller of the two joint densities
    axis = np.linspace(-14, 14, 701)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1) + law.mu_minus
    smaller = np.minimum(*(0.5 * multivariate_normal(mu, Sigma).pdf(grid) for mu in (law.mu_plus, law.mu_minus)))
    assert np.isclose(smaller.sum() * 0.04**2, bayes, atol=1e-4)
    # and no linear rule is better
    rules = [(rng.normal(size=2), rng.normal()) for _ in range(200)]
    rules += [(law.w + 0.01 * rng.normal(size=2), law.b + 0.01 * rng.normal()) for _ in range(50)]
    assert all(linear_risk(law, Sigma, u, a) > bayes for u, a in rules)
    assert GaussianPair([1.0, 2.0], [1.0, 2.0], covariance=0.3).bayes_risk == 0.5 == norm.cdf(0)


# --- least squares --------------------------------------------------------------------------------------
@pytest.mark.claim("thm-lda-least-squares")
@SEEDS
def test_least_squares_on_labels_finds_the_direction_of_lda(rng):
    d = int(rng.integers(1, 5))
    X, y = sample(rng, d, rng.integers(d + 1, 30, size=2))
    labels, centres = 2 * y - 1, [X[y == c].mean(axis=0) for c in (0, 1)]
    centred = X - np.array(centres)[y]
    Sigma, delta = centred.T @ centred / len(y), centres[1] - centres[0]
    p, q = np.mean(y == 1), np.mean(y == 0)
    direction = np.linalg.inv(Sigma) @ delta
    w = 2 * p * q / (1 + p * q * (delta @ direction)) * direction
    ols, lda = LinearRegression().fit(X, labels), GaussianDiscriminant(shared_covariance=True).fit(X, labels)
    np.testing.assert_allclose(ols.w_, w, rtol=1e-7)
    np.testing.assert_allclose(lda.w_[1] - lda.w_[0], direction, rtol=1e-7)


@pytest.mark.claim("thm-lda-least-squares")
@pytest.mark.parametrize("seed", range(10))
def test_with_equal_classes_the_two_classifiers_agree_and_otherwise_they_need_not(rng):
    X, y = sample(rng, 3, [15, 15])
    labels = 2 * y - 1

    new = X.mean(axis=0) + 3 * rng.normal(size=(500, 3)) * X.std(axis=0)

    def scores(rows):
        """What the two classifiers take the sign of, least squares in the units of LDA."""
        ols = LinearRegression().fit(X[rows], labels[rows])
        lda = GaussianDiscriminant(shared_covariance=True).fit(X[rows], labels[rows])
        w, b = lda.w_[1] - lda.w_[0], lda.b_[1] - lda.b_[0]
        assert np.array_equal(lda.predict(new), np.where(new @ w + b >= 0, 1, -1))
        return ols.predict(new) * np.linalg.norm(w) / np.linalg.norm(ols.w_), new @ w + b

    np.testing.assert_allclose(*scores(np.full(30, True)), rtol=1e-7, atol=1e-8)
    ols, lda = scores((labels == -1) | (np.cumsum(labels == 1) <= 4))  # four positive examples are left
    assert np.ptp(ols - lda) < 1e-7 and abs(ols - lda).min() > 0.01  # parallel, at another threshold
