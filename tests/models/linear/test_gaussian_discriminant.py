"""Gaussian discriminants: the fit maximises the joint likelihood; SciPy and scikit-learn agree."""

import warnings

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from mlcourse import GaussianDiscriminant
from mlcourse.arguments.errors import SingularCovarianceWarning
from mlcourse.models.linear.gaussian_discriminant import cholesky_or_floor, gaussian_log_density

shared_or_not = pytest.mark.parametrize("shared", [True, False], ids=["shared", "separate"])


def sample(seed, m=90, d=3, k=3):
    """Normal classes with means and covariances of their own."""
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(k).repeat(d + 2), rng.integers(k, size=m - k * (d + 2)))
    mixing, means = rng.normal(size=(k, d, d)), rng.normal(size=(k, d))
    return np.einsum("ijk,ik->ij", mixing[y], rng.normal(size=(m, d))) + means[y], y, rng


def fitted(X, y, shared, **settings):
    return GaussianDiscriminant(shared_covariance=shared, **settings).fit(X, y)


def quietly_fitted(X, y, shared, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SingularCovarianceWarning)
        return fitted(X, y, shared, **settings)


def covariances(model):
    k, d = model.mean_.shape
    return np.broadcast_to(model.covariance_, (k, d, d))


def log_joint(X, prior, mean, covariance):
    """ln pi_c + ln N(x; mu_c, Sigma_c) for every point and class, by SciPy."""
    parts = zip(prior, mean, covariance, strict=True)
    return np.column_stack([np.log(p) + multivariate_normal(mu, Sigma).logpdf(X) for p, mu, Sigma in parts])


def likelihood(X, y, prior, mean, covariance):
    return log_joint(X, prior, mean, covariance)[np.arange(len(y)), y].sum()


# --- the fit --------------------------------------------------------------------------------------------
def test_learned_shapes():
    X, y, _ = sample(4)
    lda, qda = fitted(X, y, True), fitted(X, y, False)
    assert lda.prior_.shape == (3,) and lda.mean_.shape == (3, 3) and lda.w_.shape == (3, 3) and lda.b_.shape == (3,)
    assert lda.covariance_.shape == (3, 3) and qda.covariance_.shape == (3, 3, 3) and not hasattr(qda, "w_")
    np.testing.assert_allclose(lda.covariance_, np.einsum("c,cij->ij", qda.prior_, qda.covariance_))


@pytest.mark.parametrize("shrinkage", [0.0, 0.3, 1.0])
@shared_or_not
def test_shrinkage_mixes_the_covariance_with_a_sphere_of_the_same_trace(shared, shrinkage):
    X, y, _ = sample(5)
    raw = covariances(fitted(X, y, shared))
    sphere = np.trace(raw, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
    shrunk = covariances(fitted(X, y, shared, shrinkage=shrinkage))
    np.testing.assert_allclose(shrunk, (1 - shrinkage) * raw + shrinkage * sphere, rtol=1e-12)


# --- densities and probabilities ------------------------------------------------------------------------
@pytest.mark.algorithm("alg-gaussian-density")
@pytest.mark.parametrize("seed", range(5))
def test_log_density_is_that_of_scipy(rng):
    d = int(rng.integers(1, 6))
    B, mu = rng.normal(size=(d, d)) * 10 ** rng.uniform(-3, 3), 10 * rng.normal(size=d)
    X = mu + rng.normal(size=(50, d)) @ B.T * rng.choice([1, 100])
    ours = gaussian_log_density(X, mu, np.linalg.cholesky(B @ B.T))
    np.testing.assert_allclose(ours, multivariate_normal(mu, B @ B.T).logpdf(X), rtol=1e-8, atol=1e-8)


@shared_or_not
@pytest.mark.parametrize("seed", range(5))
def test_probabilities_are_bayes_rule(shared, seed):
    X, y, _ = sample(seed, k=4)
    model = fitted(X, y, shared)
    joint = log_joint(X, model.prior_, model.mean_, covariances(model))
    posterior = np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True))
    np.testing.assert_allclose(model.predict_proba(X), posterior, rtol=1e-8, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), joint.argmax(axis=1))
    if shared:
        np.testing.assert_array_equal(model.predict(X), (X @ model.w_.T + model.b_).argmax(axis=1))


@pytest.mark.algorithm("alg-gda")
@shared_or_not
@pytest.mark.parametrize("k", [2, 5])
def test_probabilities_and_predictions_are_those_of_scikit_learn(shared, k):
    reference = LinearDiscriminantAnalysis(solver="lsqr") if shared else QuadraticDiscriminantAnalysis()
    for seed in range(5):
        X, y, rng = sample(seed, m=150, k=k)
        ours, theirs = fitted(X, y, shared), reference.fit(X, y)
        new = 2 * rng.normal(size=(200, 3))
        np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), rtol=1e-7, atol=1e-12)
        np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))


@shared_or_not
@pytest.mark.parametrize("seed", range(5))
def test_an_affine_change_of_the_features_changes_no_probability(shared, seed):
    X, y, rng = sample(seed)
    A, c = rng.normal(size=(3, 3)) * 10 ** rng.uniform(-3, 3, size=3), 100 * rng.normal(size=3)
    before, after = fitted(X, y, shared), fitted(X @ A + c, y, shared)
    np.testing.assert_allclose(before.predict_proba(X), after.predict_proba(X @ A + c), atol=1e-7)


@shared_or_not
@pytest.mark.parametrize("far", [1e3, 1e6, 1e100])
def test_far_points_have_probabilities_too(shared, far):
    X, y, rng = sample(6)
    model = fitted(X, y, shared)
    P = model.predict_proba(far * rng.normal(size=(50, 3)))
    assert ((0 <= P) & (P <= 1)).all()
    np.testing.assert_allclose(P.sum(axis=1), 1)


# --- singular covariances -------------------------------------------------------------------------------


DEGENERATE = {
    "constant feature": lambda X, y: np.column_stack([X, np.full(len(X), 2.0)]),
    "constant feature 0.1": lambda X, y: np.column_stack([X, np.full(len(X), 0.1)]),
    "constant feature 1e6/3": lambda X, y: np.column_stack([X, np.full(len(X), 1e6 / 3)]),
    "duplicate feature": lambda X, y: np.column_stack([X, X[:, 0]]),
    "dependent features": lambda X, y: np.column_stack([X, X @ [1.0, 2.0, 3.0]]),
    "constant in each class": lambda X, y: np.column_stack([X, 0.1 + y]),
    "nothing but a constant": lambda X, y: np.full((len(X), 2), 0.1),
}


@shared_or_not
@pytest.mark.parametrize("spoil", DEGENERATE.values(), ids=DEGENERATE)
def test_a_singular_covariance_is_said_and_predictions_stay_finite(shared, spoil):
    for seed in range(5):
        X, y, rng = sample(seed, m=60 + seed)
        Z = spoil(X, y)
        with pytest.warns(SingularCovarianceWarning, match="hyperplane"):
            model = fitted(Z, y, shared)
        assert model.singular_
        for new in (Z, Z + 1e-3 * rng.normal(size=Z.shape), 1e3 * Z):
            assert np.isfinite(model.predict_proba(new)).all()
        fixed = GaussianDiscriminant(shared, shrinkage=0.1)
        if np.ptp(Z, axis=0).any():
            assert not fixed.fit(Z, y).singular_


@pytest.mark.parametrize("spoil", list(DEGENERATE.values())[:5], ids=list(DEGENERATE)[:5])
def test_features_that_add_nothing_change_no_prediction_on_the_sample(spoil):
    for seed in range(5):
        X, y, _ = sample(seed)
        Z = spoil(X, y)
        plain, model = fitted(X, y, True), quietly_fitted(Z, y, True)
        np.testing.assert_allclose(model.predict_proba(Z), plain.predict_proba(X), atol=1e-4)


@shared_or_not
def test_fewer_points_in_a_class_than_features(shared):
    X, y = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 1.5]]), np.array([0, 1, 1])
    with pytest.warns(SingularCovarianceWarning):
        model = fitted(X, y, shared)
    assert np.isfinite(model.predict_proba(X)).all() and model.predict(X).tolist() == [0, 1, 1]


@pytest.mark.parametrize("scale", [1e-100, 1.0, 1e100])
def test_the_verdict_does_not_depend_on_the_units(scale):
    X, y, rng = sample(7)
    units = scale * 10 ** rng.uniform(-6, 6, size=3)
    assert not fitted(X * units, y, False).singular_
    assert quietly_fitted(np.column_stack([X, X[:, 0] - X[:, 1]]) * np.append(units, scale), y, False).singular_


@pytest.mark.parametrize("seed", range(10))
def test_the_factor_is_cholesky_s_or_that_of_a_slightly_larger_matrix(rng):
    B = rng.normal(size=(4, 4))
    L, singular = cholesky_or_floor(B @ B.T)
    np.testing.assert_allclose(L, np.linalg.cholesky(B @ B.T), rtol=1e-9, atol=1e-12)
    assert not singular
    B = B[:, : int(rng.integers(1, 4))]
    L, singular = cholesky_or_floor(B @ B.T)
    assert singular and np.array_equal(L, np.tril(L)) and (np.diag(L) > 0).all()
    np.testing.assert_allclose(L @ L.T, B @ B.T + 1e-10 * np.diag(np.diag(B @ B.T)), rtol=1e-9, atol=1e-13)


def test_the_warning_points_at_the_line_that_called_fit():
    with pytest.warns(SingularCovarianceWarning) as caught:
        GaussianDiscriminant().fit([[0.0], [0.0], [1.0], [1.0]], [0, 0, 1, 1])
    assert caught[0].filename == __file__


@shared_or_not
def test_squares_that_overflow_are_named_and_leave_the_model_as_it_was(shared):
    X, y, _ = sample(8)
    model = fitted(X, y, shared)
    mean = model.mean_.copy()
    with pytest.raises(ValueError, match="overflow"):
        model.fit(1e200 * X, y)
    assert np.array_equal(model.mean_, mean)
