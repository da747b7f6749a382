"""Keeps judging and measuring apart in time, because a job that runs beside a measurement makes it noisy.

Jobs never wait, because somebody waits for the verdict. A pair of runs of a measurement begins only while no job runs. If a job
begins during the pair, the pair stops at once and no longer counts; it is repeated after the job.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOOK_S = 1.0


class Lane:
    """Counts the jobs that run, and tells a measurement whether one has begun. Thread-safe. Only one measurement may use it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._disturbed = False

    @property
    def disturbed(self) -> bool:
        """Whether a job has begun since `wait_until_quiet` returned."""
        return self._disturbed

    @contextmanager
    def job(self) -> Iterator[None]:
        """Count a job during the `with` block. A pair of runs that has begun no longer counts, and no other one begins."""
        with self._changed:
            self._running += 1
            self._disturbed = True
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def wait_until_quiet(self, look: Callable[[], None]) -> None:
        """Wait until no job runs. While waiting, calls `look` every LOOK_S seconds, which may raise an exception to stop
        waiting.
        """
        while not self._quiet():
            look()

    def _quiet(self) -> bool:
        with self._changed:
            quiet = self._changed.wait_for(lambda: not self._running, LOOK_S)
            self._disturbed = not quiet
            return quiet
