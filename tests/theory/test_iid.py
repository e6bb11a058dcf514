"""Total variation and effective sizes as functions of numbers: vectorised, limits, and clear about nonsense."""

import numpy as np
import pytest

from mlcourse.theory import effective_size, total_variation, variance_of_mean


def test_total_variation_is_a_distance_between_0_and_1():
    rng = np.random.default_rng(0)
    for P, Q, R in rng.dirichlet(np.ones(5), size=(200, 3)):
        assert total_variation(P, P) == 0 <= total_variation(P, Q) == total_variation(Q, P) <= 1
        assert total_variation(P, R) <= total_variation(P, Q) + total_variation(Q, R) + 1e-12
    assert total_variation([1, 0], [0, 1]) == 1


@pytest.mark.parametrize(
    "P, Q, message",
    [
        ([1.0], [0.5, 0.5], "same outcomes"),
        ([0.5, 0.4], [0.5, 0.5], "sum to 1"),
        ([1.5, -0.5], [0.5, 0.5], "non-negative"),
    ],
)
def test_total_variation_refuses_what_is_no_law(P, Q, message):
    with pytest.raises(ValueError, match=message):
        total_variation(P, Q)


def test_dependence_is_vectorised_and_has_its_limits():
    n = np.array([1, 10, 10**9])
    np.testing.assert_allclose(variance_of_mean(n, 0.0, 2.0), 4 / n)
    np.testing.assert_allclose(variance_of_mean(n, 1.0), 1)
    np.testing.assert_allclose(variance_of_mean(10**12, [0.1, 0.5]), [0.1, 0.5])
    np.testing.assert_allclose(effective_size(n, 0.0), n)
    np.testing.assert_allclose(effective_size(n, 1.0), 1)
    assert variance_of_mean(3, -0.5) == pytest.approx(0, abs=1e-15)
    for c in (0.01, 0.3, -0.1):
        np.testing.assert_allclose(variance_of_mean(n[:2], c), 1 / effective_size(n[:2], c))
    assert effective_size(10**9, 0.1) < 10


@pytest.mark.parametrize("n, c", [(0, 0.1), (3, -0.6), (3, 1.1), (1, -1.5), (3, np.nan), ([2, 5], -0.5)])
def test_impossible_correlations_are_refused(n, c):
    for promise in (variance_of_mean, effective_size):
        with pytest.raises(ValueError, match="holds for"):
            promise(n, c)


@pytest.mark.parametrize("sigma, message", [(-1.0, "sigma >= 0"), (np.nan, "finite numbers")])
def test_a_standard_deviation_is_not_negative(sigma, message):
    with pytest.raises(ValueError, match=message):
        variance_of_mean(3, 0.1, sigma)
