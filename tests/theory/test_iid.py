"""Total variation is a distance, and clear about nonsense."""

import numpy as np
import pytest

from mlcourse.theory import total_variation


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
