"""Errata of the Milan notes on nearest neighbours, decision trees and consistency (lectures 3 to 5 and 9 to 11)."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from mlcourse import HistogramRule, KNearestNeighbors, theory
from mlcourse.models.trees.criteria import misclassification
from mlcourse.theory.occam import encode_tree, index_bits, is_prefix_free, kraft_sum
from mlcourse.theory.trees import boolean_trees, count_trees


def leaf(criterion, a):
    """The criterion of a leaf of weight one with the fraction a of positives."""
    a = np.atleast_1d(a)
    return criterion(np.stack([1 - a, a]))


@pytest.mark.erratum("M09", "M10")
def test_one_neighbour_fits_every_sample_without_contradictions():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 2)), rng.choice([-1, 1], size=50)
    assert KNearestNeighbors(k=1).fit(X, y).score(X, y) == 1
    twins, labels = np.array([[0.0], [0.0], [1.0]]), np.array([1, -1, 1])
    assert np.isclose(1 - KNearestNeighbors(k=1).fit(twins, labels).score(twins, labels), 1 / 3)
    with pytest.raises(ValueError, match="k"):
        KNearestNeighbors(k=0).fit(X, y)


@pytest.mark.erratum("M12")
def test_a_split_never_raises_the_training_error_and_often_leaves_it():
    gains = []
    for n, k in itertools.product(range(7), repeat=2):  # sizes of the two parts
        for a, b in itertools.product(range(n + 1), range(k + 1)):  # their positives, which add up to N+
            whole = min(a + b, n + k - a - b)
            gains.append(whole - min(a, n - a) - min(b, k - b))
    assert min(gains) == 0 and np.mean(np.array(gains) == 0) > 1 / 2  # "smaller" is false
    h = 1e-6
    slopes = [(leaf(misclassification, a + h) - leaf(misclassification, a))[0] / h for a in (1 / 2 - h, 1 / 2)]
    assert np.allclose(slopes, [1, -1])  # no derivative at one half


@pytest.mark.erratum("M32", "M34")
def test_the_number_of_trees_and_its_two_bounds():
    for M, d in itertools.product(range(3), (1, 2, 3)):
        trees = len(set(boolean_trees(M, d)))
        assert trees == theory.catalan(M) * d**M * 2 ** (M + 1) == count_trees(M, d)
    for M, d in itertools.product(range(40), (1, 2, 10, 100)):
        N, number = 2 * M + 1, count_trees(M, d)
        assert number <= 2 * (8 * d) ** M <= (2 * math.e * d) ** N  # the second is the printed one, and no equality
    assert all(math.comb(n, k) <= (math.e * n / k) ** k for n in range(1, 60) for k in range(1, n + 1))


@pytest.mark.erratum("M31")
def test_the_brackets_of_the_bound_for_all_boolean_functions():
    d, delta = 3, 0.05
    for m in (10**3, 10**5):
        right = np.sqrt(2 / m * (2**d * np.log(2) + np.log(2 / delta)))
        printed = np.sqrt(2 / m * 2**d * np.log(2) + np.log(2 / delta))
        assert np.isclose(theory.boolean_excess(m, d, delta), right) and printed > 1.9  # it never falls


@pytest.mark.erratum("M35", "M37")
def test_the_deviation_that_solves_the_weighted_union_bound():
    m, delta, bits = 60, 0.2, 11
    w = 2.0**-bits
    epsilon = theory.occam_deviation(m, w, delta)
    assert np.isclose(2 * np.exp(-2 * m * epsilon**2), delta * w)
    assert np.isclose(epsilon, np.sqrt((np.log(1 / w) + np.log(2 / delta)) / (2 * m)))
    assert np.isclose(np.log(1 / w), bits * np.log(2))  # the code length times ln 2


@pytest.mark.erratum("M36")
def test_a_prefix_code_for_trees_needs_more_bits_than_nodes():
    for d in (1, 2, 3, 4):
        words = [encode_tree(tree, d) for M in range(3) for tree in boolean_trees(M, d)]
        lengths = [3 * M + 2 + M * index_bits(d) for M in range(3) for _ in range(count_trees(M, d))]
        assert [len(word) for word in words] == lengths and is_prefix_free(words)
    assert kraft_sum([2 * M + 1 for M in range(2) for _ in range(count_trees(M, 2))]) > 1  # as many bits as nodes
    partial = sum(Fraction(count_trees(M, 4), 2 ** (5 * M + 2)) for M in range(400))
    assert partial < 1 and np.isclose(float(1 - partial), 1 / np.sqrt(np.pi * 400), rtol=1e-2)  # tends to 1
    assert theory.tree_kraft_sum(4) == 1 > theory.tree_kraft_sum(3)


@pytest.mark.erratum("M39")
def test_the_limit_of_the_risk_is_a_product():
    for eta in (0.3, 0.9):  # one point: the neighbour is there, and the limit is the risk
        chance = np.array([1 - eta, eta])
        differ = np.outer(chance, chance)[[0, 1], [1, 0]].sum()  # two independent labels
        assert np.isclose(differ, 2 * eta * (1 - eta)) and not np.isclose(differ, 2 * (eta - (1 - eta)))


@pytest.mark.erratum("M40")
def test_the_square_root_is_continuous_and_not_lipschitz():
    x = 10.0 ** -np.arange(1, 13)
    assert np.allclose(np.sqrt(x) / x, x**-0.5) and np.sqrt(x[-1]) / x[-1] > 0.9e6
    a, b = np.random.default_rng(0).random((2, 1000))
    assert (np.abs(np.sqrt(a) - np.sqrt(b)) <= np.sqrt(np.abs(a - b))).all()  # near points, near values


@pytest.mark.erratum("M42")
def test_the_diagonal_of_the_cube_and_the_number_of_its_cells():
    for d in (1, 2, 3):
        corners = np.array(list(itertools.product([-1.0, 1.0], repeat=d)))
        assert np.isclose(np.linalg.norm(corners[:, None] - corners, axis=-1).max(), 2 * np.sqrt(d))
        cells = list(itertools.product(range(8), repeat=d))  # of side epsilon = 1/4
        assert len(cells) == (2 / 0.25) ** d and (len(cells) == (2 / 0.25) ** 2) == (d == 2)


@pytest.mark.erratum("M43")
def test_the_missed_mass_is_not_concave_beyond_two_over_m():
    m = 20
    p = np.linspace(0, 1, 10_001)
    F = p * np.exp(-m * p)
    bends = np.diff(F, 2)
    assert (bends[p[1:-1] < 2 / m - 1e-3] < 0).all() and (bends[p[1:-1] > 2 / m + 1e-3] > 0).all()
    assert np.isclose(p[F.argmax()], 1 / m) and np.isclose(F.max(), 1 / (math.e * m))


@pytest.mark.erratum("M44")
def test_the_constant_four_is_right_also_between_the_integers():
    d, m = np.arange(1, 12)[:, None], np.r_[1:3000, 10**4, 10**6]
    t = m ** (1 / (d + 1))
    K = np.floor(t + 1e-9)
    bound = np.where(K == 1, 2.0, 2 / K + 2 / (math.e * m) * K**d)
    assert (bound <= 4 / t).all()
    epsilon = 2 / t
    printed = (epsilon + 2 / (math.e * m)) * 2 / epsilon**d
    assert (printed > 4 / t)[:, -1].all()  # a million points, with the bracket as it stands


@pytest.mark.erratum("M46")
def test_many_neighbours_need_exponentially_many_examples_too():
    k, epsilon = 5, 0.1
    for d in (1, 5, 10):
        m = (k / epsilon) ** (d + 1)  # fifty times as many for one more dimension
        assert np.isclose(k * m ** (-1 / (d + 1)), epsilon) and k * (m / 2) ** (-1 / (d + 1)) > epsilon
    assert (k / epsilon) ** 11 > 1e18
    k, q = np.arange(7, 202, 2)[:, None], np.linspace(1e-4, 0.5, 500)
    risk = q * binom.cdf(k // 2, k, q) + (1 - q) * binom.sf(k // 2, k, q)  # a constant posterior q
    assert (risk <= theory.majority_factor(k) * q).all() and (theory.majority_factor(k) < 1 + np.sqrt(8 / k)).all()


@pytest.mark.erratum("M47")
def test_a_fixed_share_of_the_sample_is_not_consistent():
    q = 0.4  # P(X = 0); the label is +1 there and -1 at the other point

    def risk(m, k):  # odd k; at a point with n neighbours the vote is wrong if n < k/2
        return q * binom.cdf(k // 2, m, q) + (1 - q) * binom.cdf(k // 2, m, 1 - q)

    for m in (101, 1001, 10_001):
        assert risk(m, 2 * int(np.sqrt(m) / 2) + 1) < 1e-3
        assert risk(m, 2 * int(0.45 * m) + 1) > q - 0.12
    assert np.isclose(risk(10_001, 9001), q)


@pytest.mark.erratum("M48")
def test_leaves_with_a_fixed_share_are_few_and_long_cells_do_not_learn():
    for m, c in ((100, 0.1), (1000, 0.3)):  # leaves of at least c m examples
        assert max(n for n in range(1, m + 1) if n * math.ceil(c * m) <= m) <= 1 / c
    rng, risks = np.random.default_rng(0), []
    new = rng.random((4000, 2))
    for m in (100, 10_000):
        X = rng.random((m, 2))
        y, side = np.where(X[:, 1] > 0.52, 1, -1), 1 / int(m**0.25)
        small = np.mean(HistogramRule(side).fit(X, y).predict(new) != np.where(new[:, 1] > 0.52, 1, -1))
        long = HistogramRule(side).fit(X[:, :1], y).predict(new[:, :1])  # splits on the first feature only
        risks.append((small, np.mean(long != np.where(new[:, 1] > 0.52, 1, -1))))
    (small, long), (smaller, still_long) = risks
    assert smaller < small / 2 and min(long, still_long) > 0.4


@pytest.mark.erratum("M49")
def test_one_third_is_a_limit_of_dyadic_thresholds_and_a_disc_of_boxes():
    third = Fraction(1, 3)  # X uniform on [0, 1], Y = sgn(x - 1/3)
    for n in range(1, 30):
        risk = min(abs(third - Fraction(k, 2**n)) for k in {2**n // 3, 2**n // 3 + 1})
        assert 0 < risk <= Fraction(1, 2**n)
    risks = []
    for n in (4, 16, 64, 256):  # squares of side 2/n, each with its better label; corners decide which are cut
        edge = np.linspace(-1, 1, n + 1)
        inside = edge[:, None] ** 2 + edge**2 < 0.5
        corners = inside[1:, 1:] * 1 + inside[1:, :-1] + inside[:-1, 1:] + inside[:-1, :-1]
        risks.append(np.mean((corners > 0) & (corners < 4)) / 2)  # at most half of a cut square is wrong
    assert risks[-1] < 0.02 and all(b < a for a, b in zip(risks, risks[1:], strict=False))
