"""The claims of the chapter on learning from data, each on random instances and at its edge."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from mlcourse.data import FiniteLaw, OneHot, TfEncoder, TfIdfEncoder, load_corpus
from mlcourse.losses import zero_one
from mlcourse.theory import effective_size, magnified_noise, total_variation, variance_of_mean
from mlcourse.theory.vc import sine_frequency

SEEDS = range(20)


def squared_distances(Z):
    return ((Z[:, None] - Z[None]) ** 2).sum(axis=-1)


@pytest.mark.claim("prop-one-hot")
@pytest.mark.parametrize("seed", SEEDS)
def test_one_hot_distance_counts_the_differing_fields_whatever_the_codes(rng):
    X = rng.integers(0, 5, size=(12, rng.integers(1, 6)))
    twice = 2 * (X[:, None] != X[None]).sum(axis=-1)
    codes = np.array([rng.permutation(100)[:5] for _ in X.T])
    renamed = np.column_stack([code[column] for code, column in zip(codes, X.T, strict=True)])
    np.testing.assert_array_equal(squared_distances(OneHot().fit_transform(X)), twice)
    np.testing.assert_array_equal(squared_distances(OneHot().fit_transform(renamed)), twice)


@pytest.mark.claim("prop-one-hot")
@pytest.mark.parametrize("k", [2, 3, 5])
def test_integer_codes_give_any_order_of_distances_from_a_category(k):
    orders = set()
    for codes in itertools.permutations(range(k)):
        distances = [abs(code - codes[0]) for code in codes[1:]]
        if len(set(distances)) == k - 1:
            orders.add(tuple(np.argsort(distances).tolist()))
    assert len(orders) == math.factorial(k - 1)


def random_corpus(rng, n_documents):
    return [" ".join(rng.choice(list("abcdefgh"), size=rng.integers(1, 12))) for _ in range(n_documents)]


@pytest.mark.claim("prop-tf-idf")
@pytest.mark.algorithm("alg-tf-idf")
@pytest.mark.parametrize("seed", SEEDS)
def test_tf_idf_is_share_times_surprise(rng):
    documents = random_corpus(rng, n_documents=int(rng.integers(1, 9)))
    encoder, N = TfIdfEncoder(), len(documents)
    W, tf = encoder.fit_transform(documents), TfEncoder().fit_transform(documents)
    bags = [document.split() for document in documents]
    for j, word in enumerate(encoder.vocabulary_.tolist()):
        df = sum(word in bag for bag in bags)
        assert np.isclose(encoder.idf_[j], -np.log(df / N))
        assert (encoder.idf_[j] == 0) == (df == N)
        assert np.isclose(encoder.idf_[j], np.log(N)) == (df == 1)
        np.testing.assert_allclose(W[:, j], [bag.count(word) / len(bag) * np.log(N / df) for bag in bags])
    assert (encoder.idf_ >= 0).all() and (encoder.idf_ <= np.log(N) + 1e-12).all()
    np.testing.assert_allclose(tf.sum(axis=1), 1)


@pytest.mark.claim("prop-tf-idf")
@pytest.mark.parametrize("seed", SEEDS)
def test_tf_idf_forgets_order_and_length_and_loses_unknown_and_common_words(rng):
    documents = random_corpus(rng, n_documents=6)
    encoder = TfIdfEncoder().fit(documents)
    words = documents[0].split()
    rows = encoder.transform([documents[0], " ".join(rng.permutation(words)), " ".join(words * 3)])
    np.testing.assert_allclose(rows[1:], rows[:1].repeat(2, axis=0))
    row = TfEncoder().fit(documents).transform([documents[0] + " unknown" * len(words)])
    assert np.isclose(row.sum(), 1 / 2)
    again = TfIdfEncoder().fit_transform(documents[::-1])
    np.testing.assert_allclose(again[::-1], encoder.transform(documents))
    documents, _ = load_corpus()
    encoder = TfIdfEncoder().fit(documents)
    assert encoder.vocabulary_[encoder.idf_ == 0].tolist() == ["the"]


def vandermonde_determinant(x):
    """The determinant of the matrix x_i^j by exact elimination."""
    A, det = [[x_i**j for j in range(len(x))] for x_i in x], Fraction(1)
    for k in range(len(A)):
        pivot = next((i for i in range(k, len(A)) if A[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            A[k], A[pivot], det = A[pivot], A[k], -det
        det *= A[k][k]
        for row in A[k + 1 :]:
            row[:] = [r - row[k] / A[k][k] * a for r, a in zip(row, A[k], strict=True)]
    return det


@pytest.mark.claim("prop-interpolation")
@pytest.mark.parametrize("seed", SEEDS)
def test_lagrange_polynomial_is_the_only_one_through_the_points_and_none_fits_one_point_with_two_labels(rng):
    m = int(rng.integers(1, 9))
    x = [Fraction(int(v), 7) for v in rng.permutation(50)[:m]]
    y = [Fraction(int(v), 3) for v in rng.integers(-9, 10, size=m)]

    def lagrange(t):
        return sum(y[i] * math.prod((t - x[j]) / (x[i] - x[j]) for j in range(m) if j != i) for i in range(m))

    assert [lagrange(x_i) for x_i in x] == y
    # the coefficients solve a linear system whose determinant is the product of differences, not zero
    det = vandermonde_determinant(x)
    assert det == math.prod((x[j] - x[i] for i in range(m) for j in range(i + 1, m)), start=Fraction(1)) != 0
    # degree at most m - 1: differences of order m on an even grid vanish
    values = [lagrange(Fraction(t)) for t in range(100, 100 + m + 1)]
    assert sum((-1) ** k * math.comb(m, k) * v for k, v in enumerate(values)) == 0
    x, y = [Fraction(1), Fraction(2), Fraction(2)], np.array([0.0, 1.0, -1.0])
    assert vandermonde_determinant(x) == 0
    V = np.vander([1.0, 2.0, 2.0], increasing=True)
    fitted = V @ np.linalg.lstsq(V, y, rcond=None)[0]
    np.testing.assert_allclose(fitted, [0, 0, 0], atol=1e-12)  # the mean of the two labels is the best compromise


def lagrange_weights(m, t):
    """The numbers q_i(t) for the points 0, ..., m - 1: the weights of the labels in the interpolant at t."""
    return [math.prod((t - j) / Fraction(i - j) for j in range(m) if j != i) for i in range(m)]


@pytest.mark.claim("prop-magnified-noise")
@pytest.mark.parametrize("m", range(2, 31))
def test_noise_between_the_first_points_is_magnified_at_least_so_much(m):
    weights = lagrange_weights(m, Fraction(1, 2))
    assert sum(weights) == 1  # constants are reproduced
    assert [abs(q) >= Fraction(math.comb(m - 1, i), 4 * (m - 1) ** 2) for i, q in enumerate(weights)] == [True] * m
    factor = sum(q**2 for q in weights)
    assert magnified_noise(m) <= factor
    assert [abs(q) <= Fraction(math.comb(m - 1, i), 2) for i, q in enumerate(weights)] == [True] * m
    assert factor <= Fraction(4) ** (m - 2)  # so the rate 4^m is right, only the power of m is not


@pytest.mark.claim("prop-magnified-noise")
@pytest.mark.parametrize("m", [1, 2.5, np.nan, [2, 0]])
def test_an_exact_fit_needs_a_whole_number_of_points(m):
    with pytest.raises(ValueError, match="holds for"):
        magnified_noise(m)


@pytest.mark.claim("prop-magnified-noise")
@pytest.mark.parametrize("t", [0.5, 2.2, 3.0])
def test_variances_of_two_exact_fits_by_simulation(t):
    rng, m, sigma = np.random.default_rng(5), 6, 0.7
    x = np.arange(m)
    labels = np.polyval([0.1, -1, 2], x) + sigma * rng.normal(size=(100_000, m))
    weights = np.array([float(q) for q in lagrange_weights(m, Fraction(t))])
    values, broken = labels @ weights, np.array([np.interp(t, x, row) for row in labels[:20_000]])
    assert np.isclose(values.mean(), np.polyval([0.1, -1, 2], t), atol=0.02 * np.linalg.norm(weights))
    assert np.isclose(values.var(), sigma**2 * (weights**2).sum(), rtol=0.03)
    a = t - np.floor(t)
    assert np.isclose(broken.var(), sigma**2 * ((1 - a) ** 2 + a**2), rtol=0.05)


@pytest.mark.claim("prop-sine-shatters")
@pytest.mark.parametrize("m", range(1, 11))
def test_one_frequency_realises_every_labelling_in_exact_arithmetic(m):
    for y in itertools.product((-1, 1), repeat=m):
        turns = 1 + sum(10**i for i, label in enumerate(y, start=1) if label < 0)  # omega / pi, a whole number
        for i, label in enumerate(y, start=1):
            phase = Fraction(turns, 10**i) % 2  # sin(pi phase) > 0 iff 0 < phase < 1, < 0 iff 1 < phase < 2
            assert (0 < phase < Fraction(1, 9)) if label > 0 else (1 < phase < Fraction(10, 9))


@pytest.mark.claim("prop-sine-shatters")
@pytest.mark.parametrize("m", [1, 4, 7, 12, 15])
def test_the_frequency_works_in_floating_point_too(m):
    rng = np.random.default_rng(m)
    labels = itertools.product((-1, 1), repeat=m) if m < 10 else rng.choice([-1, 1], size=(2000, m))
    x = 10.0 ** -np.arange(1, m + 1)
    for y in labels:
        omega = sine_frequency(y)
        assert np.isclose(omega, np.pi * (1 + sum(10.0**i for i in range(1, m + 1) if y[i - 1] < 0)), rtol=1e-15)
        assert (np.sign(np.sin(omega * x)) == y).all()


def labellings_of_whole_numbers(m):
    """Every labelling of 1, ..., m by some sgn(sin(pi t x)), sgn 0 = +1, in exact arithmetic."""
    breaks = sorted({Fraction(j, k) for k in range(1, m + 1) for j in range(2 * k + 1)})  # where some sine vanishes
    between = [(a + b) / 2 for a, b in itertools.pairwise(breaks)]
    return {tuple(1 if t * k % 2 <= 1 else -1 for k in range(1, m + 1)) for t in breaks + between}


@pytest.mark.claim("prop-sine-shatters")
@pytest.mark.parametrize("m", range(1, 12))
def test_on_equally_spaced_points_few_labellings_are_possible(m):
    """The exercise: 1, 2, 3, 4 cannot have the labels -, -, +, -, and m points at most 2 m (m + 1) labellings."""
    found = labellings_of_whole_numbers(m)
    assert len(found) <= 2 * m * (m + 1)
    assert m != 4 or (-1, -1, 1, -1) not in found
    assert m > 3 or len(found) == 2**m


def two_laws(rng, n=3, k=2):
    return rng.dirichlet(np.ones(n * k), size=2).reshape(2, n, k)


@pytest.mark.claim("prop-shift")
@pytest.mark.parametrize("seed", SEEDS)
def test_risks_differ_by_at_most_the_total_variation_and_some_loss_attains_it(rng):
    P, Q = two_laws(rng)
    distance = total_variation(P, Q)
    events = np.array(list(itertools.product((0, 1), repeat=6))).reshape(-1, 3, 2)
    gaps = ((P - Q) * events).sum(axis=(1, 2))
    assert np.isclose(np.abs(gaps).max(), distance)  # the largest difference of a probability
    assert np.isclose(((P - Q) * (P > Q)).sum(), distance)
    losses = rng.random((1000, 3, 2))
    assert (np.abs(((P - Q) * losses).sum(axis=(1, 2))) <= distance + 1e-12).all()


@pytest.mark.claim("prop-shift")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_zero_one_loss_attains_it_with_equal_marginals_and_may_fall_short_otherwise(rng):
    marginal, (eta, eta_shifted) = rng.dirichlet(np.ones(4)), rng.random((2, 4))
    laws = [FiniteLaw(np.column_stack([marginal * (1 - e), marginal * e])) for e in (eta, eta_shifted)]
    distance = total_variation(laws[0].P, laws[1].P)
    assert np.isclose(distance, marginal @ np.abs(eta - eta_shifted))

    def gap(h):
        return laws[0].risk(np.array(h), zero_one) - laws[1].risk(np.array(h), zero_one)

    worst = np.where(eta >= eta_shifted, -1, 1)
    assert np.allclose([gap(worst), max(map(gap, itertools.product((-1, 1), repeat=4)))], distance)
    P, Q = np.array([[0.5, 0.5], [0, 0]]), np.array([[0, 0], [0.5, 0.5]])
    errors = np.array(list(itertools.product((-1, 1), repeat=2)))[:, :, None] != [-1, 1]  # of all four rules
    assert total_variation(P, Q) == 1 and np.allclose(((P - Q) * errors).sum(axis=(1, 2)), 0)


@pytest.mark.claim("prop-shift")
@pytest.mark.parametrize("delta", [0.1, 0.5, 2.0])
def test_shifted_gaussians(delta):
    """The distance of N(0, 1) and N(delta, 1) that the page uses: 2 Phi(delta / 2) - 1."""
    edges = np.linspace(-12, 14, 26_001)
    P, Q = np.diff(norm.cdf(edges)), np.diff(norm.cdf(edges - delta))
    assert np.isclose(total_variation(P / P.sum(), Q / Q.sum()), 2 * norm.cdf(delta / 2) - 1, atol=1e-6)


@pytest.mark.claim("prop-dependence")
@pytest.mark.parametrize("n, c", [(1, 0.5), (2, -1.0), (2, 0.3), (6, 0.0), (6, 0.4), (6, 1.0), (6, -0.2)])
def test_variance_of_the_mean_from_the_covariance_matrix(n, c):
    sigma, average = 1.7, np.full(n, 1 / n)
    covariance = sigma**2 * ((1 - c) * np.eye(n) + c)
    assert np.isclose(variance_of_mean(n, c, sigma), average @ covariance @ average)
    assert np.linalg.eigvalsh(covariance).min() >= -1e-12  # such losses exist


@pytest.mark.claim("prop-dependence")
@pytest.mark.parametrize("n", [1, 10, 1000])
def test_variance_of_the_mean_by_simulation(n):
    rng, (a, b) = np.random.default_rng(n), (1.8, 7.2)  # a probability for the day, then coins: correlation 1/(a+b+1)
    means = rng.binomial(n, rng.beta(a, b, size=200_000)) / n
    promised = variance_of_mean(n, c=1 / (a + b + 1), sigma=np.sqrt(0.2 * 0.8))
    assert np.isclose(means.var(), promised, rtol=0.02)


@pytest.mark.claim("prop-dependence")
@pytest.mark.parametrize("patients, r, c", [(1, 4, 0.3), (5, 1, 0.9), (4, 3, 0.6), (3, 5, 1.0), (6, 2, 0.0)])
def test_repeated_measurements_count_patients(patients, r, c):
    covariance = np.kron(np.eye(patients), (1 - c) * np.eye(r) + c)
    average = np.full(patients * r, 1 / (patients * r))
    assert np.isclose(1 / (average @ covariance @ average), patients * effective_size(r, c))
    if c > 0:
        assert patients * effective_size(r, c) <= patients / c + 1e-12
