"""A time limit for code that may not end, where the platform has one."""

import signal
import time
from contextlib import contextmanager

AGAIN = 0.2  # seconds after which a limit that was swallowed strikes again


class OutOfTime(BaseException):
    """The time is up; not an ``Exception``, so that a student's ``except Exception`` does not swallow it."""


@contextmanager
def time_limit(seconds):
    """Raise ``OutOfTime`` in the block after so many seconds; gives whether such a limit could be set.

    It needs Unix signals and the main thread: Jupyter, scripts and pytest have them, a page in the browser does not.
    """
    armed, started = True, time.monotonic()

    def strike(*_):
        if armed:
            raise OutOfTime

    try:
        before = signal.signal(signal.SIGALRM, strike)
        left, every = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        if 0 < left < seconds:  # a limit around this one comes first
            signal.setitimer(signal.ITIMER_REAL, left, AGAIN)
    except (AttributeError, ValueError, OSError):  # no such signal, another thread, no such timer
        yield False
        return
    try:
        yield True
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - started), 1e-3), every)
