"""Measures how fast this machine is. Limits are CPU seconds of a reference machine, so that slow nodes do not cause TLE.

A fixed piece of work (small torch operations and plain Python, as in answers) runs in a cell that no job has used yet. The
machine's speed is the CPU time of this work on the reference machine, divided by its CPU time on this machine. The CPU time of
each job is multiplied by the speed. Until a measurement succeeds, the speed counts as 1.0, which is that of the reference
machine.
"""

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from statistics import median

from grader.content.package import Info, Lock, Package
from grader.contract import logs
from grader.contract.errors import CellLost, GraderError
from grader.contract.job import Job, Kind, Limits
from grader.judging.judging import Judging
from grader.judging.pool.cells import Cell
from grader.judging.request import JudgingRequest

log = logging.getLogger(__name__)
# CPU seconds that WORK takes in a cell of the reference machine, which has two idle cores of an Intel Xeon. This is the median
# of six cells, which took 0.0072 to 0.0081 s on 2026-11-23 (measured with `python -m tests.bench.pace`). On a busy machine WORK
# takes up to twice as long.
REFERENCE_S = 0.0077
# Measured speeds are clipped to this range: a value outside the range is more likely a wrong measurement than a real machine.
SLOWEST, FASTEST = 0.2, 5.0
# A measurement is due EVERY_S seconds after the last one, or AGAIN_S seconds after one that failed. The speed in use is the
# median of the last KEPT results.
EVERY_S, KEPT = 600.0, 5
AGAIN_S = 60.0
LIMITS = Limits(cpu_s_per_call=5.0, cpu_s=5.0)
MARK = "pace:"
WORK = f"""
import time

import torch


def work():
    x = (torch.arange(4096.0).reshape(64, 64) / 4096).requires_grad_()
    y, total = x, 0
    for n in range(120):
        y = torch.tanh(y @ x + n / 100).softmax(-1)
        total += sum(i * i % 7 for i in range(400))
    y.sum().backward()
    return total


times = []
for _ in range(8):
    began = time.process_time()
    work()
    times.append(time.process_time() - began)
print("{MARK}", min(times))
"""
_INFO = Info("Pace", "", "", "easy", (), 1, "", "", (), (), limits=LIMITS)
_PACKAGE = Package("pace", "pace", _INFO, "", "", "", Lock(()), "", "", "", ())
_JOB = Job("pace", "pace", Kind.SCRATCH, "pace", "pace", WORK, "pace", 0)


class MachineSpeed:
    """The speed of this machine, measured in fresh cells. A machine with speed 0.5 is half as fast as the reference machine."""

    def __init__(self) -> None:
        self._measuring = threading.Lock()
        self._speeds: deque[float] = deque(maxlen=KEPT)
        self._due = 0.0

    @property
    def value(self) -> float:
        """The median of the last KEPT measurements; 1.0 if there are none."""
        return median(self._speeds) if self._speeds else 1.0

    @property
    def measured(self) -> float | None:
        """The median of the last KEPT measurements; None if there are none."""
        return self.value if self._speeds else None

    def measure_if_due(self, cell: Cell) -> None:
        """Measure the speed in this cell, which no job may be using. Does nothing if no measurement is due, or another thread
        is measuring. Raises CellLost.
        """
        if not self._measuring.acquire(blocking=False):
            return
        try:
            if time.monotonic() >= self._due:
                self._due = time.monotonic() + EVERY_S
                self._measure(cell)
        finally:
            self._measuring.release()

    def keep_measuring(self, inspect_one: Callable[[], None], idle: Callable[[], bool]) -> None:
        """Start a thread that calls `inspect_one` every EVERY_S seconds, unless `idle()` is false then. The speed is measured
        repeatedly because the machine's clock rate and its other load change.
        """
        threading.Thread(target=self._repeat, args=(inspect_one, idle), name="pace", daemon=True).start()

    def _repeat(self, inspect_one: Callable[[], None], idle: Callable[[], bool]) -> None:
        while True:
            time.sleep(EVERY_S)
            if idle():
                inspect_one()

    def _measure(self, cell: Cell) -> None:
        try:
            took_s = measure_cpu_s(cell)
        except CellLost:
            raise
        except (GraderError, ValueError) as error:
            self._due = time.monotonic() + AGAIN_S
            logs.tell(log, "speed_not_measured", reason=str(error), speed=self.value)
            return
        self._speeds.append(min(max(REFERENCE_S / took_s, SLOWEST), FASTEST))
        logs.tell(log, "speed_measured", cpu_s=round(took_s, 5), speed=round(self.value, 3))


def measure_cpu_s(cell: Cell) -> float:
    """Run WORK in this cell and return the CPU seconds it took. Raises CellLost, or ValueError if the reported time is not
    plausible.
    """
    judging = Judging(JudgingRequest(_JOB, _PACKAGE, lambda *_: None), cell, None)
    try:
        judgement = judging.run()
    finally:
        judging.clean()
    words = judgement.output.split()
    took_s = float(words[1]) if len(words) == 2 and words[0] == MARK else math.nan
    # The comparison is also false for NaN.
    if not 0 < took_s < math.inf:
        raise ValueError(
            f"the work ended with {judgement.verdict} {judgement.message[:200]}{judgement.output[-200:]!r}"
        )
    return took_s
