"""A test that draws asks for ``rng``: new for each test, from its ``seed`` where it has seeds, else from 0."""

import numpy as np
import pytest


@pytest.fixture
def seed():
    return 0


@pytest.fixture
def rng(seed):
    return np.random.default_rng(seed)
