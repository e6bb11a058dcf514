"""Time two ways of doing the same thing fairly: CPU time, one BLAS thread, interleaved, best of several."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One comparison: seconds for us and for them, and the ratio that we promise not to exceed."""

    task: str
    ours: float
    theirs: float
    goal: float

    @property
    def ratio(self) -> float:
        """Our time over theirs: below one is faster."""
        return self.ours / self.theirs

    def __str__(self):
        verdict = "ok" if self.ratio <= self.goal else "MISSED"
        times = f"{self.ours:8.4f} s {self.theirs:8.4f} s"
        return f"{self.task:<58} {times}   {self.ratio:6.2f}   <= {self.goal:<5g} {verdict}"


def cpu_time(run: Callable) -> float:
    """The seconds of processor time that one call takes."""
    start = time.process_time()
    run()
    return time.process_time() - start


def compare(task: str, ours: Callable, theirs: Callable, goal: float, repeats: int = 5) -> Row:
    """The best CPU time of each over interleaved repeats."""
    best = [float("inf")] * 2
    for _ in range(repeats):
        for side, run in enumerate((ours, theirs)):
            best[side] = min(best[side], cpu_time(run))
    return Row(task, *best, goal)
