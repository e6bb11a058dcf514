"""Run every benchmark, print a table, and fail if a goal is missed."""

import os
import subprocess
import sys

ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


def main() -> int:
    """0 if every ratio is within its goal."""
    from benchmarks import (
        ensembles,
        kernels,
        linear_models,
        model_selection,
        nearest_neighbors,
        networks,
        perceptron,
        svm,
        trees,
    )

    print(f"{'task':<58} {'ours':>10} {'scikit-learn':>10}   {'ratio':>6}   goal")
    missed = 0
    benches = (perceptron, linear_models, model_selection, nearest_neighbors, trees, kernels, svm, ensembles, networks)
    for bench in benches:
        for row in bench.rows():
            print(row, flush=True)
            missed += row.ratio > row.goal
    for line in nearest_neighbors.growth():
        print(line, flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    if any(os.environ.get(name) != "1" for name in ONE_THREAD):  # must be set before NumPy is imported
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks"]
        sys.exit(subprocess.run(command, env=os.environ | ONE_THREAD).returncode)
    sys.exit(main())
