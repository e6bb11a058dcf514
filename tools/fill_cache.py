"""Run the chapters that changed, several at a time, and keep what they print for the build of the book.

The build would run them one after another. A chapter that fails here is run again there, which reports it.
"""

import os
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor

ROOT = Path(__file__).resolve().parents[1]


def fill() -> None:
    """Run the notebooks of the book that the cache of the build does not know."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # the kernels share the cores
    cache = get_cache(ROOT / "_build" / ".jupyter_cache")
    os.environ.setdefault("MLCOURSE_PROGRESS", "off")  # a build of the book is nobody's homework
    for path in sorted((ROOT / "book").rglob("*.ipynb")):
        cache.add_nb_to_project(str(path))
    load_executor("local-parallel", cache).run_and_cache(timeout=180)


if __name__ == "__main__":
    fill()
