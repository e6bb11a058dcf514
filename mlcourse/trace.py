"""Run an algorithm, remember its iterates, stop it.

An iterative algorithm is written as a generator: it yields its starting point and then every
iterate, and returns ``False`` if it gave up, anything else if it reached its own stopping rule.
``@returns_trace`` turns it into a function that returns a ``Trace``. How many steps to allow, whether the
path is kept and whether a progress bar is shown are questions for the driver, not for the algorithm.
"""

import functools
import itertools
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Protocol, cast

from mlcourse.arguments.door import compute, entered, is_inside
from mlcourse.arguments.kinds import argument_reader
from mlcourse.arguments.numbers import check_count

Iterates = Generator[Any, None, bool | None]  # what an algorithm is, before @returns_trace


@dataclass(frozen=True, eq=False)
class Trace:
    """What a run left behind: its iterates, their number, and whether it stopped by its own rule."""

    path: list  # start and iterates; only the last one if the path was not kept
    n_steps: int  # iterates after the start
    converged: bool

    @property
    def last(self) -> Any:
        """The last iterate."""
        return self.path[-1]


class TracedAlgorithm(Protocol):
    """What an algorithm is under ``@returns_trace``; the bare generator stays at ``iterates``."""

    iterates: Callable[..., Iterates]

    def __call__(
        self, *args: Any, max_iter: int | None = None, keep_path: bool = True, progress: bool = False, **kwargs: Any
    ) -> Trace: ...


def returns_trace(algorithm: Callable[..., Iterates]) -> TracedAlgorithm:
    """The algorithm as a function that checks its arguments and returns its ``Trace``."""
    read = argument_reader(algorithm)

    @functools.wraps(algorithm)
    def run(
        *args: Any, max_iter: int | None = None, keep_path: bool = True, progress: bool = False, **kwargs: Any
    ) -> Trace:
        if not is_inside():
            args, kwargs = read(args, kwargs)
        with entered():
            iterates = algorithm(*args, **kwargs)
            return compute(algorithm.__name__, trace_of, iterates, max_iter, keep_path, progress)

    traced = cast(TracedAlgorithm, run)
    traced.iterates = algorithm
    return traced


def trace_of(iterates: Iterates, max_iter: int | None = None, keep_path: bool = True, progress: bool = False) -> Trace:
    """The ``Trace`` of a generator of iterates, after at most ``max_iter`` steps."""
    if max_iter is not None:
        check_count("max_iter", max_iter, minimum=0)
    returned: list[bool | None] = []
    steps = _remembering(iterates, returned)
    iterate = next(steps, None)
    if returned:
        raise ValueError(f"{getattr(iterates, '__name__', 'the algorithm')} has no iterates, not even a start")
    path, n_steps = [iterate], 0
    for iterate in _with_bar(itertools.islice(steps, max_iter), max_iter, progress):
        n_steps += 1
        if keep_path:
            path.append(iterate)
    return Trace(path if keep_path else [iterate], n_steps, converged=bool(returned) and returned[0] is not False)


def _remembering(iterates, returned):
    """The same iterates; what the generator returns at its end is appended to ``returned``."""
    returned.append((yield from iterates))


def _with_bar(steps, total, wanted):
    """The steps, with a tqdm bar if one is wanted and tqdm is installed."""
    if wanted:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return steps
        return tqdm(steps, total=total)
    return steps
