"""Two workers on two cores: each computes with one thread, and so do the notebooks it runs; no progress is kept."""

import os
import zlib

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when NumPy is first imported
os.environ.setdefault("MLCOURSE_PROGRESS", "off")


def pytest_addoption(parser):
    parser.addoption("--sample", type=int, default=1, help="one test in so many, the same ones each time")


def pytest_collection_modifyitems(config, items):
    every = config.getoption("--sample")
    chosen = [item for item in items if zlib.crc32(item.nodeid.encode()) % every == 0 or item.path.suffix == ".ipynb"]
    items[:] = chosen  # the cells of a chapter belong together


@pytest.fixture
def seed():
    return 0


@pytest.fixture
def rng(seed):
    """New for each test that draws, from its ``seed`` where it has seeds, else from 0."""
    import numpy as np  # not before the number of threads is set

    return np.random.default_rng(seed)
