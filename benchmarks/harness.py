"""Time two ways of doing the same thing fairly: CPU time, one BLAS thread, interleaved, best of several.

A benchmark is a generator function under ``@benchmark`` that checks equal quality and yields what it measured.
Every one of them runs in a process of its own; its arguments are the sizes, so that a test can make them tiny.
"""

import importlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import numpy as np

MODULES = (
    "perceptron", "linear_models", "model_selection", "nearest_neighbors", "trees", "kernels", "svm", "ensembles",
    "networks", "complexity", "from_scratch", "growth", "limits",
)  # fmt: skip
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
SECONDS = 1.5  # repeat short runs for at least so long
KEPT = 2**22 - 2**10  # numbers: the C library keeps freed memory up to this size for the next array


@dataclass(frozen=True)
class Row:
    """What a benchmark found for one bar: our number, theirs if it is a ratio that counts, and what was equal."""

    key: str
    ours: float
    theirs: float | None
    quality: str

    @property
    def value(self) -> float:
        """Our time over theirs (below one is faster), or our number itself."""
        return self.ours if self.theirs is None else self.ours / self.theirs


@dataclass(frozen=True)
class Growth:
    """The log-log slope of a time in the number of examples m or of features d, over a range of sizes."""

    task: str
    variable: str
    sizes: list
    seconds: list
    theory: str

    @property
    def exponent(self) -> float:
        """The slope of the least-squares line."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.seconds), 1)[0])


@dataclass(frozen=True)
class Limit:
    """The least work (operations or bytes) that a task needs, its time, and what the machine can do in a second."""

    task: str
    kind: str  # "GFLOP/s" or "GB/s"
    count: str  # how the work is counted
    work: float
    seconds: float
    peak: float

    @property
    def fraction(self) -> float:
        """How much of the machine's limit is reached."""
        return self.work / self.seconds / self.peak


KINDS = {kind.__name__: kind for kind in (Row, Growth, Limit)}
BENCHMARKS: dict[str, Callable] = {}


def benchmark(function: Callable) -> Callable:
    """List the function among the benchmarks, as module.name."""
    BENCHMARKS[f"{function.__module__.rpartition('.')[2]}.{function.__name__}"] = function
    return function


def load() -> dict[str, Callable]:
    """All benchmarks by name, in order."""
    for module in MODULES:
        importlib.import_module(f"benchmarks.{module}")
    return BENCHMARKS


# --- the clock -------------------------------------------------------------------------------------


def cpu_time(run: Callable) -> float:
    """The seconds of processor time that one call takes."""
    start = time.process_time()
    run()
    return time.process_time() - start


def interleaved(*runs: Callable, repeats: int = 3) -> list[float]:
    """The best CPU time of each, in turns, at least ``repeats`` times and until ``SECONDS`` have passed."""
    best, total, done = [float("inf")] * len(runs), 0.0, 0
    while done < repeats or total < SECONDS:
        times = [cpu_time(run) for run in runs]
        best = [min(pair) for pair in zip(best, times, strict=True)]
        total, done = total + sum(times), done + 1
    return best


def race(key: str, ours: Callable, theirs: Callable, quality: str, repeats: int = 3) -> Row:
    """The row of one comparison."""
    return Row(key, *interleaved(ours, theirs, repeats=repeats), quality)


def peak_memory() -> float:
    """The most memory that this process has held so far, in GB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most * (1 if sys.platform == "darwin" else 1024) / 1e9


# --- processes -------------------------------------------------------------------------------------


def run_here(name: str, **sizes) -> Iterator:
    """Everything that one benchmark measures."""
    np.empty(KEPT)
    yield from load()[name](**sizes)


def work(name: str) -> None:
    """Run one benchmark and print what it measures, one JSON object a line."""
    for found in run_here(name):
        print(json.dumps([type(found).__name__, asdict(found)]), flush=True)


def run_apart(name: str) -> list:
    """Everything that one benchmark measures in a process of its own with one BLAS thread."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks", "--work", name]
    done = subprocess.run(command, env=os.environ | ONE_THREAD, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{name} failed:\n{done.stderr}")
    return [decoded(*json.loads(line)) for line in done.stdout.splitlines()]


def decoded(kind: str, fields: dict):
    """The object that ``work`` printed."""
    return KINDS[kind](**fields)
