"""Every law keeps its word: labels follow eta, the Bayes risk is the least, margins and constants hold."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import chi2, norm

from mlcourse.data import (
    XOR,
    BinaryLaw,
    GaussianPair,
    LipschitzPosterior,
    Moons,
    NestedSpheres,
    NoisyFunction,
    NoisyThreshold,
    SeparableMargin,
    StepPosterior,
    exponential_perceptron,
)

few = settings(deadline=None, max_examples=25)

LINE = {
    "step": StepPosterior([0.2, 0.5, 0.9], [0.1, 0.8, 0.4, 0.95]),
    "one level": StepPosterior([], [0.3]),
    "threshold": NoisyThreshold(theta=0.4, noise=0.2),
    "lipschitz": LipschitzPosterior(c=4.0, k=2),
    "gaussians on the line": GaussianPair(1.0, -0.5, 0.6, prior=0.3),
}
SPACE = {
    "gaussians": GaussianPair([1.0, 0.5], [-0.3, 0.0], [[1.0, 0.4], [0.4, 0.5]], prior=0.6),
    "margin": SeparableMargin(d=5, rho=0.1, R=2.0, bias=0.3),
    "moons": Moons(noise=0.3),
    "xor": XOR(noise=0.15),
    "xor of three": XOR(noise=0.3, d=3),
    "spheres": NestedSpheres(),
}
LAWS = LINE | SPACE
every_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
line_law = pytest.mark.parametrize("law", LINE.values(), ids=LINE.keys())


def standard_error(law):
    return 0.5 / np.sqrt(law.n_monte_carlo)


@every_law
def test_labels_follow_eta(law):
    m = 20_000
    X, y = law.sample(m, np.random.default_rng(1))
    assert X.shape == (m, law.d) and X.dtype == float
    assert y.shape == (m,) and set(np.unique(y)) == {-1, 1}
    eta = law.eta(X)
    assert ((0 <= eta) & (eta <= 1)).all()
    statistic, bins = 0.0, 0
    for cell in np.array_split(np.argsort(eta, kind="stable"), 20):
        expected, variance = eta[cell].sum(), (eta[cell] * (1 - eta[cell])).sum()
        observed = (y[cell] == 1).sum()
        if variance < 1:
            assert abs(observed - expected) <= 5
        else:
            statistic, bins = statistic + (observed - expected) ** 2 / variance, bins + 1
    assert bins == 0 or statistic < chi2.isf(1e-6, bins)


@every_law
def test_same_seed_same_sample(law):
    for first, second in zip(*(law.sample(7, np.random.default_rng(3)) for _ in range(2)), strict=True):
        np.testing.assert_array_equal(first, second)


@every_law
def test_bayes_risk_is_the_mean_of_the_smaller_posterior(law):
    m = 40_000
    X, y = law.sample(m, np.random.default_rng(2))
    eta = law.eta(X)
    assert abs(np.minimum(eta, 1 - eta).mean() - law.bayes_risk) < 5 * 0.25 / np.sqrt(m)
    assert abs(np.mean(law.bayes_predict(X) != y) - law.bayes_risk) < 5 * 0.5 / np.sqrt(m)


@every_law
def test_bayes_risk_is_the_risk_of_the_bayes_classifier(law):
    tolerance = 1e-12 if law.d == 1 else 5 * standard_error(law)
    assert abs(law.risk(law.bayes_predict) - law.bayes_risk) < tolerance


@line_law
def test_risk_on_the_line_is_the_integral(law):
    def h(X):
        return np.where(np.sin(9 * X[:, 0]) + X[:, 0] > 0.6, 1, -1)

    def density(x):
        if not isinstance(law, GaussianPair):
            return 1.0
        sd = np.sqrt(law.covariance[0, 0])
        plus, minus = norm.pdf(x, law.mu_plus[0], sd), norm.pdf(x, law.mu_minus[0], sd)
        return law.prior * plus + (1 - law.prior) * minus

    n = 200_000
    edges = np.linspace(*law.support, n + 1)
    x = (edges[1:] + edges[:-1]) / 2
    error = np.where(h(x[:, None]) == 1, 1 - law.eta(x), law.eta(x)) * density(x)
    width = law.support[1] - law.support[0]
    assert law.risk(h) == pytest.approx(error.mean() * width, abs=40 * width / n)


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=6, unique=True))
@few
def test_risk_of_a_step_predictor_is_exact(cuts):
    cuts = np.sort(np.round(cuts, 3))
    cuts = cuts[np.append(True, np.diff(cuts) > 0)]
    law = LINE["lipschitz"]

    def h(X):
        return np.where(np.searchsorted(cuts, X[:, 0], side="right") % 2 == 0, -1, 1)

    ends = np.concatenate([[0], cuts, [1]])
    pieces = [quad(lambda x: law.eta([x])[0], a, b)[0] for a, b in zip(ends[:-1], ends[1:], strict=True)]
    exact = sum(
        p if i % 2 == 0 else b - a - p for i, (p, a, b) in enumerate(zip(pieces, ends[:-1], ends[1:], strict=True))
    )
    assert law.risk(h) == pytest.approx(exact, abs=1e-9)


@given(st.floats(0.05, 0.95), st.floats(0, 0.5), st.floats(-0.5, 1.5))
@example(0.5, 0.1, 1e-6)  # a switch in the outermost cell
@example(0.5, 0.1, 1 - 1e-6)
@few
def test_risk_of_a_threshold(theta, noise, s):
    law = NoisyThreshold(theta, noise)
    risk = law.risk(lambda X: np.where(X[:, 0] >= s, 1, -1))
    assert law.risk_of_threshold(s) == pytest.approx(risk, abs=1e-9)
    assert law.bayes_risk == pytest.approx(noise) == pytest.approx(law.risk_of_threshold(theta))
    assert law.eta([theta]) == 1 - noise  # sgn(0) = +1


@given(st.floats(0, 3), st.integers(1, 5))
@few
def test_lipschitz_constant_holds_and_is_attained(c, k):
    law = LipschitzPosterior(c, k)
    x = np.linspace(0, 1, 20_001)
    slope = np.abs(np.diff(law.eta(x)) / np.diff(x))
    assert slope.max() <= law.lipschitz + 1e-9
    assert slope.max() == pytest.approx(c, rel=1e-3, abs=1e-9)


@given(st.floats(0, 3), st.floats(0.05, 0.95), st.floats(0.2, 2))
@few
def test_gaussian_bayes_risk_against_quadrature(gap, prior, sd):
    law = GaussianPair(gap, 0.0, sd**2, prior)

    def smaller(x):
        return min(prior * norm.pdf(x, gap, sd), (1 - prior) * norm.pdf(x, 0, sd))

    kinks = [] if gap < 0.01 else [-law.b / law.w[0]]
    low, high = law.support
    kinks = [x for x in kinks if low < x < high]
    exact = quad(smaller, low, high, points=[0, gap, *kinks], epsabs=1e-10, limit=200)[0]
    assert law.bayes_risk == pytest.approx(exact, abs=1e-7)


def test_gaussian_pair_in_space():
    law = SPACE["gaussians"]
    delta = law.mu_plus - law.mu_minus
    assert law.Delta**2 == pytest.approx(delta @ np.linalg.inv(law.covariance) @ delta)
    even = GaussianPair(law.mu_plus, law.mu_minus, law.covariance)
    assert even.bayes_risk == pytest.approx(norm.cdf(-even.Delta / 2))
    assert law.risk_of_linear(law.w, law.b) == pytest.approx(law.bayes_risk, abs=1e-12)
    X = np.random.default_rng(5).normal(size=(50, 2))
    plus, minus = (
        np.exp(-0.5 * np.einsum("ij,jk,ik->i", X - mu, np.linalg.inv(law.covariance), X - mu))
        for mu in (law.mu_plus, law.mu_minus)
    )
    np.testing.assert_allclose(law.eta(X), law.prior * plus / (law.prior * plus + (1 - law.prior) * minus))


@given(st.integers(0, 2**32 - 1))
@few
def test_gaussian_risk_of_a_linear_rule(seed):
    rng = np.random.default_rng(seed)
    law, w, b = SPACE["gaussians"], rng.normal(size=2), rng.normal()
    risk = law.risk_of_linear(w, b)
    assert risk >= law.bayes_risk - 1e-12
    assert abs(risk - law.risk(lambda X: np.where(X @ w + b >= 0, 1, -1))) < 5 * standard_error(law)


def test_gaussian_pair_with_equal_means_is_pure_noise():
    law = GaussianPair([1, 2], [1, 2], prior=0.3)
    assert law.bayes_risk == pytest.approx(0.3)
    np.testing.assert_allclose(law.eta([[5.0, 1.0]]), 0.3)
    assert law.risk_of_linear([0, 0], 1) == pytest.approx(0.7)


@given(
    d=st.integers(1, 12),
    share=st.floats(0.001, 0.99),
    tilt=st.floats(-0.9, 0.9),
    R=st.floats(0.1, 100),
    seed=st.integers(0, 2**32 - 1),
)
@few
def test_margin_and_radius_are_guaranteed(d, share, tilt, R, seed):
    rng = np.random.default_rng(seed)
    bias = tilt * R
    rho = share * (R - abs(bias))
    law = SeparableMargin(d, rho, R, w=rng.normal(size=d), bias=bias)
    X, y = law.sample(200, rng)
    assert np.linalg.norm(law.w) == pytest.approx(1)
    assert (y * (X @ law.w + bias) >= rho).all()
    assert (np.linalg.norm(X, axis=1) <= R).all()
    assert set(y) == {-1, 1}


def test_moons_density_is_that_of_the_noisy_arc():
    law = Moons(noise=0.25)
    X = np.random.default_rng(6).uniform([-2, -1.5], [3, 2], size=(20, 2))

    def density(x, lower):
        def along(t):
            arc = np.array([np.cos(t), np.sin(t)])
            gap = x - (np.array([1, 0.5]) - arc if lower else arc)
            return np.exp(-gap @ gap / (2 * law.noise**2)) / np.pi

        return quad(along, 0, np.pi, epsabs=1e-13, limit=200)[0]

    ratio = [(p := density(x, True)) / (p + density(x, False)) for x in X]
    np.testing.assert_allclose(law.eta(X), ratio, atol=1e-8)


def test_moons_far_away_and_sharp_stay_finite():
    assert np.isfinite(Moons(noise=0.02).eta([[100.0, -50.0], [0.5, 0.25], [-1e4, 3.0]])).all()


def test_spheres_are_balanced_and_xor_is_xor():
    X, y = NestedSpheres(d=4).sample(20_000, np.random.default_rng(7))
    np.testing.assert_array_equal(y, np.where((X**2).sum(axis=1) > chi2.median(4), 1, -1))
    assert abs(y.mean()) < 5 / np.sqrt(len(y))
    corners = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) / 2
    np.testing.assert_array_equal(XOR().bayes_predict(corners), [-1, 1, 1, -1])


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_exponential_perceptron_sample(d):
    X, y = exponential_perceptron(d)
    assert X.shape == (d, d) and set(y) <= {-1, 1}
    for i in range(1, d + 1):
        assert y[i - 1] == (-1) ** (i + 1)
        row = [(-1) ** i] * (i - 1) + [(-1) ** (i + 1)] + [0] * (d - i)
        np.testing.assert_array_equal(X[i - 1], row)
    assert (y * (X @ 2.0 ** np.arange(d)) > 0).all()


def test_noisy_function():
    law = NoisyFunction(lambda x: np.sin(2 * np.pi * x), sigma=0.4)
    X, y = law.sample(50_000, np.random.default_rng(8))
    assert X.shape == (50_000, 1) and y.shape == (50_000,)
    assert np.mean((y - law.regression_function(X)) ** 2) == pytest.approx(0.16, rel=0.05)
    assert law.bayes_risk == pytest.approx(0.16) == pytest.approx(law.risk(law.regression_function))
    assert law.risk(lambda X: np.zeros(len(X))) == pytest.approx(0.16 + 1 / 2, abs=1e-12)
    assert law.risk(lambda X: X[:, 0]) == pytest.approx(0.16 + 1 / 2 + 1 / 3 + 1 / np.pi, abs=1e-12)
    step = law.risk(lambda X: np.where(X[:, 0] < 0.3, 1.0, 0.0))
    exact = quad(lambda x: (np.sin(2 * np.pi * x) - (x < 0.3)) ** 2, 0, 1, points=[0.3])[0]
    assert step == pytest.approx(0.16 + exact, abs=2**-13)
    assert NoisyFunction(lambda x: 2.0, sigma=0).sample(3, np.random.default_rng(0))[1].tolist() == [2, 2, 2]


def test_default_bayes_risk_of_a_new_law():
    class Fair(BinaryLaw):
        def _draw_x(self, m, rng):
            return rng.normal(size=(m, 1))

        def eta(self, X):
            return np.full(len(X), 0.5)

    assert Fair().bayes_risk == 0.5


@pytest.mark.parametrize(
    "build, message",
    [
        (lambda: StepPosterior([0.5], [0.1]), "one longer"),
        (lambda: StepPosterior([0.5, 0.2], [0.1, 0.2, 0.3]), "increase strictly"),
        (lambda: StepPosterior([0.5], [0.1, 1.2]), r"\[0, 1\]"),
        (lambda: StepPosterior([0.5], [0.1, np.nan]), r"\[0, 1\]"),
        (lambda: NoisyThreshold(noise=0.7), "noise must lie between 0 and 0.5"),
        (lambda: NoisyThreshold(theta=1.5), "increase strictly"),
        (lambda: LipschitzPosterior(c=10), "c must lie between"),
        (lambda: LipschitzPosterior(k=0), "k must be an integer"),
        (lambda: GaussianPair([1, 2], [1]), "same length"),
        (lambda: GaussianPair(0, 1, prior=1), "strictly between"),
        (lambda: GaussianPair([0, 1], [1, 0], [[1, 2], [2, 1]]), "positive definite"),
        (lambda: GaussianPair([0, 1], [1, 0], [[1, 2], [0, 1]]), "symmetric"),
        (lambda: GaussianPair(0, 1, -1), "positive definite"),
        (lambda: GaussianPair(0, 1, np.nan), "covariance"),
        (lambda: SPACE["gaussians"].risk_of_linear([1]), "shape"),
        (lambda: SeparableMargin(2, rho=0.8, bias=0.3), "rho must be below"),
        (lambda: SeparableMargin(2, rho=-1), "rho must be positive"),
        (lambda: SeparableMargin(2, rho=0.1, w=[0, 0]), "non-zero"),
        (lambda: SeparableMargin(0, rho=0.1), "d must be an integer"),
        (lambda: XOR(noise=-0.1), "noise must lie"),
        (lambda: Moons(noise=0), "noise must be positive"),
        (lambda: NestedSpheres(d=0), "d must be an integer"),
        (lambda: NoisyFunction(3), "must be a function"),
        (lambda: NoisyFunction(np.sin, sigma=-1), "sigma must be zero or positive"),
        (lambda: NoisyFunction(np.sin).regression_function([[1, 2]]), "one column"),
        (lambda: NoisyFunction(np.sin).risk(lambda X: X), "shape"),
        (lambda: exponential_perceptron(0), "d must be an integer"),
        (lambda: XOR().sample(0, np.random.default_rng(0)), "m must be an integer"),
        (lambda: XOR().sample(5, "seed"), "rng"),
        (lambda: XOR().eta([[1, 2, 3]]), "3 features"),
        (lambda: XOR().eta([1, 2]), "2D"),
        (lambda: NoisyThreshold().eta([np.nan]), "finite"),
        (lambda: NoisyThreshold().risk(lambda X: np.zeros(len(X))), "labels -1 and \\+1"),
        (lambda: NoisyThreshold().risk(lambda X: np.ones((len(X), 1))), "shape"),
        (lambda: XOR().risk(lambda X: X[:, 0]), "labels -1 and \\+1"),
    ],
)
def test_bad_input_is_refused(build, message):
    with pytest.raises(ValueError, match=message):
        build()


def test_a_predictor_cannot_spoil_the_monte_carlo_sample():
    def vandal(X):
        X[:] = 0
        return np.ones(len(X))

    with pytest.raises(ValueError):
        XOR().risk(vandal)
