"""Two workers on two cores: each computes with one thread, and so do the notebooks it runs; no progress is kept."""

import os
import zlib

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when NumPy is first imported
os.environ.setdefault("MLCOURSE_PROGRESS", "off")

import numpy as np  # noqa: E402
import pytest  # noqa: E402

RNG = np.random.default_rng(0)
AWKWARD = {  # points and labels 0, 1, ...
    "random": (RNG.normal(size=(50, 4)), RNG.integers(0, 3, size=50)),
    "separable": (X := RNG.normal(size=(40, 2)), (X[:, 0] > 0.1).astype(int)),
    "three regions": (X := RNG.normal(size=(60, 3)), (X[:, 0] > 0.2) + 2 * (X[:, 1] > X[:, 0])),
    "ties": (RNG.integers(-1, 2, size=(60, 4)).astype(float), RNG.integers(0, 4, size=60)),
    "equal features": (RNG.integers(0, 5, size=(30, 1)) * np.ones(3), RNG.integers(0, 2, size=30)),
    "duplicates": (np.repeat(RNG.normal(size=(8, 2)), 5, axis=0), RNG.integers(0, 2, size=40)),
    "constant": (np.ones((9, 2)), np.arange(9) % 4 % 2),
    "one feature varies": (np.column_stack([np.ones((20, 3)), RNG.integers(0, 4, size=20)]), np.arange(20) % 2),
    "exclusive or": (np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])),
    "neighbours in floating point": (np.nextafter(1.0, [[0.0], [1.0], [2.0]]), np.array([0, 1, 0])),
    "zeros of both signs": (np.array([[-0.0], [0.0], [1.0], [-1.0]]), np.array([0, 1, 0, 1])),
    "two points": (np.array([[1.0, 2], [1, 3]]), np.array([1, 0])),
}


@pytest.fixture(params=AWKWARD.values(), ids=AWKWARD)
def awkward(request):
    """Each of the samples on which two forms of one algorithm are compared."""
    return request.param


@pytest.fixture
def signs(awkward):
    """The same samples with labels -1 and +1."""
    return awkward[0], np.where(awkward[1] > 0, 1, -1)


@pytest.fixture
def seed():
    return 0


@pytest.fixture
def rng(seed):
    """New for each test that draws, from its ``seed`` where it has seeds, else from 0."""
    return np.random.default_rng(seed)


def pytest_addoption(parser):
    parser.addoption("--sample", type=int, default=1, help="one test in so many, the same ones each time")


def pytest_collection_modifyitems(config, items):
    every = config.getoption("--sample")
    chosen = [item for item in items if zlib.crc32(item.nodeid.encode()) % every == 0 or item.path.suffix == ".ipynb"]
    items[:] = chosen  # the cells of a chapter belong together
