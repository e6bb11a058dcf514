"""The claims of the chapter on empirical risk minimisation."""

import itertools

import numpy as np
import pytest
from scipy.stats import norm

from mlcourse import DecisionStump, Memoriser, losses
from mlcourse.data import FiniteLaw, LipschitzPosterior, NoisyThreshold
from mlcourse.losses import absolute, empirical_risk, log_loss, square, zero_one


def random_law(rng, n=4, labels=(-1, 1)):
    return FiniteLaw(rng.dirichlet(np.ones(n * len(labels))).reshape(n, len(labels)), labels=labels)


def all_samples(law, m):
    """Every sample of size m of a finite law as (points, labels, probability)."""
    cells = list(np.ndindex(law.P.shape))
    for chosen in itertools.product(cells, repeat=m):
        x, y = np.array(chosen).T
        yield x, law.labels[y], np.prod(law.P[x, y])


@pytest.mark.claim("prop-unbiased")
def test_empirical_risk_of_a_fixed_predictor_is_unbiased_with_variance_over_m():
    law, m = random_law(np.random.default_rng(0), n=3), 3
    h = np.array([0.3, -1.0, 0.8])
    risks, chances = np.array([(np.mean(square(y, h[x])), p) for x, y, p in all_samples(law, m)]).T
    losses = square(law.labels, h[:, None])
    mean, variance = (law.P * losses).sum(), (law.P * losses**2).sum() - (law.P * losses).sum() ** 2
    assert np.isclose(chances.sum(), 1) and np.isclose(chances @ risks, mean)
    assert np.isclose(chances @ (risks - mean) ** 2, variance / m)


@pytest.mark.claim("prop-erm-optimism")
@pytest.mark.parametrize("seed", range(5))
def test_erm_is_optimistic_by_enumeration_of_all_samples(rng):
    law, m = random_law(rng, n=3), 3
    cls = [np.array(h) for h in itertools.product((-1, 1), repeat=3)][: rng.integers(2, 9)]
    believed = actual = 0.0
    for x, y, p in all_samples(law, m):
        errors = [np.mean(h[x] != y) for h in cls]
        believed += p * min(errors)
        actual += p * law.risk(cls[int(np.argmin(errors))], zero_one)
    best = min(law.risk(h, zero_one) for h in cls)
    assert believed < best <= actual


@pytest.mark.claim("prop-erm-optimism", "prop-unbiased")
def test_one_predictor_leaves_no_room_for_optimism_and_a_test_set_none_at_all():
    law = random_law(np.random.default_rng(3), n=2)
    h = np.array([1, -1])
    believed = sum(p * np.mean(h[x] != y) for x, y, p in all_samples(law, 3))
    assert np.isclose(believed, law.risk(h, zero_one))
    # a learned predictor: the majority label; its expected test error given S is its true risk
    for _, y, _ in all_samples(law, 2):
        learned = np.full(2, 1 if np.sum(y) >= 0 else -1)
        expected = sum(p * np.mean(learned[u] != v) for u, v, p in all_samples(law, 2))
        assert np.isclose(expected, law.risk(learned, zero_one))


@pytest.mark.claim("prop-erm-optimism")
def test_erm_over_stumps_is_optimistic_with_room_to_spare():
    law, rng = NoisyThreshold(noise=0.3), np.random.default_rng(1)
    stumps = [DecisionStump().fit(*law.sample(20, rng)) for _ in range(500)]
    believed = [stump.risk_ for stump in stumps]
    actual = [law.risk(stump.predict) for stump in stumps[:60]]
    se = [np.std(r) / np.sqrt(len(r)) for r in (believed, actual)]
    assert np.mean(believed) + 5 * se[0] < 0.3 < np.mean(actual) - 5 * se[1]


@pytest.mark.claim("prop-memoriser")
def test_memoriser_has_no_empirical_and_full_true_risk():
    rng = np.random.default_rng(2)
    X, y = np.append(rng.random(500), 7.0)[:, None], np.append(-np.ones(500, dtype=int), 1)
    memoriser = Memoriser(elsewhere=1).fit(X, y)
    assert (memoriser.predict(X) == y).all() and (memoriser.predict(rng.random((5000, 1))) == 1).all()


@pytest.mark.claim("prop-off-sample")
@pytest.mark.parametrize("n, m", [(3, 1), (5, 3), (7, 2), (9, 8)])
def test_all_consistent_classifiers_average_one_half_off_the_sample(n, m):
    truth = np.random.default_rng(n).choice([-1, 1], size=n)
    rules = np.array(list(itertools.product((-1, 1), repeat=n)))
    training = np.array([empirical_risk(zero_one, truth[:m], h[:m]) for h in rules])
    off_sample = np.array([empirical_risk(zero_one, truth[m:], h[m:]) for h in rules])
    assert (training == 0).sum() == 2 ** (n - m) and off_sample[training == 0].mean() == 0.5


@pytest.mark.claim("thm-bayes-optimal")
@pytest.mark.parametrize("seed", range(10))
def test_no_predictor_beats_bayes(seed):
    law = random_law(np.random.default_rng(seed))
    for loss, predictions in [
        (zero_one, (-1, 1)),
        (losses.CostSensitive(3, 1), (-1, 1)),
        (square, (-1, -0.2, 0.5)),
        (absolute, (-1, 0, 1)),
        (log_loss, (0.1, 0.5, 0.7)),
    ]:
        risks = [law.risk(np.array(h), loss) for h in itertools.product(predictions, repeat=4)]
        bayes = law.risk(law.bayes_predictor(loss, predictions), loss)
        assert np.isclose(bayes, min(risks)) and np.isclose(bayes, law.bayes_risk(loss, predictions))


@pytest.mark.claim("prop-bayes-zero-one")
@pytest.mark.erratum("M18")
@pytest.mark.parametrize("seed", range(10))
def test_bayes_classifier_thresholds_the_posterior_and_its_risk_is_the_area_under_the_smaller_probability(rng):
    eta, (c_fp, c_fn) = rng.random(200), rng.uniform(0.1, 5, size=2)
    loss = losses.CostSensitive(c_fp, c_fn)
    f_star = np.where(eta >= c_fp / (c_fp + c_fn), 1, -1)
    np.testing.assert_array_equal(losses.bayes_prediction(loss, eta), f_star)
    costs = np.array([losses.conditional_risk(loss, a, eta) for a in (-1, 1)])
    np.testing.assert_allclose(losses.conditional_risk(loss, f_star, eta), costs.min(axis=0))
    np.testing.assert_allclose(losses.conditional_bayes_risk(zero_one, eta), np.minimum(eta, 1 - eta))
    law = LipschitzPosterior(c=5.5, k=2)
    x = (np.arange(200_000) + 0.5) / 200_000
    assert np.isclose(np.minimum(law.eta(x), 1 - law.eta(x)).mean(), law.bayes_risk, atol=1e-9)
    assert np.isclose(law.risk(law.bayes_predict), law.bayes_risk, atol=1e-9)


@pytest.mark.claim("prop-bayes-square")
@pytest.mark.parametrize("seed", range(10))
def test_square_risk_is_the_conditional_variance_plus_the_distance_to_the_mean(rng):
    law = random_law(rng, labels=(-1.0, 0.5, 3.0))
    mean = law.conditional @ law.labels
    noise = law.marginal @ (law.conditional @ law.labels**2 - mean**2)
    for h in [mean, *rng.normal(size=(20, 4))]:
        assert np.isclose(law.risk(h, square), noise + law.marginal @ (h - mean) ** 2)


@pytest.mark.claim("prop-bayes-median-log")
@pytest.mark.parametrize("seed", range(10))
def test_median_minimises_the_absolute_and_the_posterior_the_logarithmic_loss(rng):
    labels = np.sort(rng.normal(size=5))
    law = random_law(rng, n=3, labels=labels)
    median = labels[(law.conditional.cumsum(axis=1) >= 0.5).argmax(axis=1)]
    for h in [*rng.normal(size=(50, 3)), *(median + 0.01 * rng.normal(size=(50, 3)))]:
        assert law.risk(median, absolute) <= law.risk(h, absolute) + 1e-12
    eta, q = rng.uniform(0.01, 0.99, size=50), np.linspace(0.0001, 0.9999, 9999)[:, None]
    entropy = -eta * np.log(eta) - (1 - eta) * np.log(1 - eta)
    assert (losses.conditional_risk(log_loss, q, eta) >= entropy - 1e-12).all()
    np.testing.assert_allclose(losses.conditional_risk(log_loss, eta, eta), entropy)


@pytest.mark.claim("thm-excess-risk", "cor-plug-in")
@pytest.mark.parametrize("seed", range(10))
def test_excess_risk_identity_and_plug_in_bound(rng):
    law = random_law(rng, n=6)
    eta_hat = rng.random(6)
    for h in [np.where(eta_hat >= 0.5, 1, -1), *rng.choice([-1, 1], size=(10, 6))]:
        excess = law.risk(h, zero_one) - law.bayes_risk(zero_one, (-1, 1))
        assert np.isclose(losses.excess_risk(h, law.eta, law.marginal), excess)
    plug_in = np.where(eta_hat >= 0.5, 1, -1)
    assert losses.excess_risk(plug_in, law.eta, law.marginal) <= 2 * law.marginal @ np.abs(eta_hat - law.eta) + 1e-12


@pytest.mark.claim("cor-plug-in")
def test_the_constant_two_of_the_plug_in_bound_cannot_be_lowered():
    law = FiniteLaw([[0.0, 1.0]])  # eta = 1 at a single point
    just_below = 0.5 - 1e-9
    ratio = losses.excess_risk([-1], law.eta) / np.abs(just_below - law.eta).mean()
    assert np.isclose(ratio, 2)


@pytest.mark.claim("prop-decomposition")
@pytest.mark.parametrize("seed", range(10))
def test_parts_of_the_risk_of_erm_over_stumps_and_a_class_without_bias_error(rng):
    noise, theta = rng.uniform(0.05, 0.4), rng.uniform(0.2, 0.8)
    law = NoisyThreshold(theta=theta, noise=noise)
    X, y = law.sample(40, rng)
    small = [-np.inf, 0.3]  # two thresholds; the stumps contain both
    stump = DecisionStump().fit(X, y)
    training = [np.mean(np.where(X[:, 0] > t, 1, -1) != y) for t in small]
    assert stump.risk_ <= min(training)
    best_small = min(law.risk_of_threshold(t) for t in small)
    best_stump = law.risk_of_threshold(theta)
    variance, bias = law.risk(stump.predict) - best_stump, best_stump - law.bayes_risk
    assert variance >= -1e-9 and np.isclose(bias, 0) and best_small - law.bayes_risk >= bias
    assert np.isclose(variance + bias + law.bayes_risk, law.risk(stump.predict))
    law = FiniteLaw([[0.25, 0.25], [0.1, 0.4]])  # eta = 1/2 at the first point
    f_star, other = law.bayes_predictor(zero_one, (-1, 1)), np.array([1, 1])
    assert (f_star != other).any() and np.isclose(law.risk(other, zero_one), law.risk(f_star, zero_one))


@pytest.mark.claim("prop-regularisation-path")
@pytest.mark.parametrize("seed", range(20))
def test_more_regularisation_means_simpler_and_worse_fit_for_any_class(rng):
    X, y = NoisyThreshold(noise=0.2).sample(30, rng)
    thresholds, penalty = rng.random(30), rng.random(30)  # an arbitrary class with an arbitrary penalty
    fit = np.array([empirical_risk(zero_one, y, np.where(X[:, 0] > t, 1, -1)) for t in thresholds])
    chosen = [int(np.argmin(fit + lam * penalty)) for lam in np.sort(rng.exponential(0.3, size=40))]
    assert (np.diff(penalty[chosen]) <= 0).all() and (np.diff(fit[chosen]) >= -1e-12).all()


def test_exercise_on_two_gaussians():
    from mlcourse.data import GaussianPair

    for mu in (0.3, 1.0, 2.5):
        law = GaussianPair([mu], [-mu])
        x = np.linspace(-3, 3, 13)[:, None]
        np.testing.assert_allclose(law.eta(x), 1 / (1 + np.exp(-2 * mu * x[:, 0])))
        assert np.isclose(law.bayes_risk, norm.cdf(-mu))
