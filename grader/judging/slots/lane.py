"""Keeps judging and measuring apart in time, because a job that runs beside a measurement makes it noisy.

Any number of jobs may run at a time, or one pair of runs of a measurement. Jobs go first: a pair starts only if no job runs or
waits, and while a pair runs, `job_waits` tells it to stop at once, because somebody waits for the verdict. It is repeated later.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOOK_S = 1.0


class Lane:
    """A lock that many jobs can hold at a time, but only one pair. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._waiting = 0
        self._measuring = False

    @property
    def job_waits(self) -> bool:
        """Whether a job waits for the pair that runs."""
        return self._measuring and self._waiting > 0

    @contextmanager
    def job(self) -> Iterator[None]:
        """Wait until no pair runs, and let none start during the `with` block."""
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: not self._measuring)
            finally:
                self._waiting -= 1
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    @contextmanager
    def pair(self, look: Callable[[], None]) -> Iterator[None]:
        """Wait until no job runs or waits, and let none start during the `with` block. While waiting, calls `look` every LOOK_S
        seconds, which may raise an exception to stop waiting.
        """
        while not self._begin():
            look()
        try:
            yield
        finally:
            with self._changed:
                self._measuring = False
                self._changed.notify_all()

    def _begin(self) -> bool:
        with self._changed:
            if not self._changed.wait_for(self._quiet, LOOK_S):
                return False
            self._measuring = True
            return True

    def _quiet(self) -> bool:
        return not (self._running or self._waiting or self._measuring)
