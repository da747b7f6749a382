"""Defines a clock that does not count the time in which a process waits for a processor, so that deadlines do not depend on the
machine's load.

The clock takes a sample about every TICK_S seconds. If a sample finds no task running or ready to run, the time since the
previous sample counts as idle. CPU time is not sampled but read from the kernel. The intervals between samples are random.
Otherwise, a process could wake up only when a sample is due, and so avoid being counted as idle. If a turn ends before the next
sample is due, the rest of the interval carries over to the next turn, so that many short waits count as much as a long one.
"""

import math
import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from grader.contract.wire import WireTimeout

TICK_S = 0.05
Look = Callable[[bool], float]
_chance = random.SystemRandom()


class Account(Protocol):
    """A process or a group of processes whose CPU use can be read. Methods may raise OSError or CellLost if the processes are
    gone.
    """

    def cpu_seconds(self) -> float:
        """Return the CPU seconds used so far."""

    def runs(self) -> bool | None:
        """Return whether any task of the account is running or ready to run; None if the kernel does not show it."""


class Stopwatch:
    """Measures idle and wall-clock time during turns. A turn lasts from `start` to `stop`; there may be many turns.

    `check` is called at each sample, and raises an exception to end the turn. Pass the method `look` as the deadline of `wire`
    functions. `blind` is set if a sample could not see whether tasks were ready to run: idle time may then include waiting for
    a processor.
    """

    def __init__(self, account: Account, check: Callable[[], None]) -> None:
        self._account = account
        self._check = check
        self.idle_s = 0.0
        self.blind = False
        self._wall_s = 0.0
        self._started: float | None = None
        self._step = _draw()
        self._left = self._step
        self._due = 0.0

    @property
    def wall_s(self) -> float:
        """Wall-clock seconds between start and stop, summed over all turns so far."""
        return self._wall_s + (time.monotonic() - self._started if self._started is not None else 0.0)

    def start(self) -> None:
        """Resume measuring. The next sample is due after the part of the interval that was left when the last turn ended."""
        self._started = time.monotonic()
        self._due = self._started + self._left

    def stop(self) -> None:
        """Pause measuring. The next `start` resumes it, and the totals continue from their current values."""
        self._wall_s = self.wall_s
        self._started = None
        self._left = max(0.0, self._due - time.monotonic())

    def look(self, waiting: bool = True) -> float:
        """Take a sample if one is due. Returns the seconds until the next sample is due.

        Pass `waiting=False` if the process has just sent something: it was not idle then, so the sample counts no idle time.
        """
        now = time.monotonic()
        if now >= self._due:
            runs = self._account.runs() if waiting else True
            self.blind = self.blind or runs is None
            # The planned interval is added and not the time that has passed. If the sample is late, it is this process that was
            # slow, not the one that is measured.
            self.idle_s += 0.0 if runs else self._step
            self._step = _draw()
            self._due = now + self._step
            self._check()
        return max(0.0, self._due - time.monotonic())


def _draw() -> float:
    return TICK_S * _chance.uniform(0.5, 1.5)


def patience(account: Account, *, idle_s: float, cpu_s: float = math.inf, wall_s: float = math.inf) -> Look:
    """Start a deadline for `wire` functions, and return it as a function. This function raises WireTimeout once the account has
    been idle for more than `idle_s` seconds in total, has used more than `cpu_s` seconds of CPU time, or has taken more than
    `wall_s` seconds of wall-clock time.
    """
    before: list[float] = []

    def check() -> None:
        if watch.idle_s > idle_s:
            raise WireTimeout(f"nothing happened for {idle_s:g} s")
        if watch.wall_s > wall_s:
            raise WireTimeout(f"it took longer than {wall_s:g} s")
        if cpu_s < math.inf:
            # An OSError means that the process has ended. Its socket reports that, so the error is ignored here.
            with suppress(OSError):
                before.append(account.cpu_seconds())
            if before and before[-1] - before[0] > cpu_s:
                raise WireTimeout(f"it used more than {cpu_s:g} s of CPU time")

    watch = Stopwatch(account, check)
    watch.start()
    return watch.look
