"""Makes the single runs of measurements, each in a fresh process of one cell that nothing else uses."""

import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from grader.content.package import Package
from grader.contract.errors import CellLost, GraderError, Unavailable
from grader.contract.job import Job, Judgement, Kind
from grader.judging.judging import Judging
from grader.judging.measuring import machine
from grader.judging.measuring.machine import Machine, read_rates
from grader.judging.pool.cells import CallMeter, Cell
from grader.judging.pool.judges import Judge
from grader.judging.pool.spare_cells import SpareCells
from grader.judging.request import JudgingRequest

NOT_REUSABLE = "measuring needs cells whose jobs have namespaces of their own; run `gradus doctor` for what to do"

ON_GPU = "a node that judges on GPUs does not measure answers"


@dataclass(frozen=True)
class Run:
    """A finished run. `wall_s` and `cpu_s` are the times of the measured call, and `memory_mb` is the peak of the whole run."""

    judgement: Judgement
    wall_s: float
    cpu_s: float
    memory_mb: float

    @property
    def seconds(self) -> float:
        """The time that counts. CPU time of all threads and processes counts, so computing in parallel gains nothing."""
        return max(self.wall_s, self.cpu_s)


class MeasuringBench:
    """Holds the cell for measuring, from the first run until `release`. Not thread-safe.

    `judge` returns the judge that compares results. Methods raise JobCancelled if `cancelled()` is true, and GraderError for
    faults of the grader; the next run then gets another cell.
    """

    def __init__(self, spares: SpareCells, judge: Callable[[], Judge]) -> None:
        self._spares = spares
        self._judge = judge
        self._cell: Cell | None = None
        self._machine: Machine | None = None

    def machine(self, cancelled: Callable[[], bool]) -> Machine:
        """Measure the machine, and return the best of all its measurements so far."""
        run = self._run(JudgingRequest(machine.JOB, machine.PACKAGE, lambda *_: None, cancelled), None)
        try:
            rates = read_rates(run.judgement)
        except ValueError as error:
            raise GraderError(str(error)) from None
        if self._machine is None:
            self._machine = Machine(rates)
        self._machine.add(rates)
        return self._machine

    def run(self, package: Package, source: str, seed: int, cancelled: Callable[[], bool]) -> Run:
        """Run the test of a package that `only` has made, with an answer's source."""
        name = uuid.uuid4().hex
        job = Job(name, name, Kind.SUBMIT, package.slug, package.digest, source, "measuring", seed)
        return self._run(JudgingRequest(job, package, lambda *_: None, cancelled), self._judge())

    def release(self) -> None:
        """End the cell. The next run takes another one."""
        if self._cell is not None:
            cell, self._cell = self._cell, None
            self._spares.retire(cell)

    def prepare(self) -> Cell:
        """Return the cell, taking a spare one if there is none. Then waits until the spare cells are warm again, because
        starting a cell takes a whole processor for some seconds. Raises Unavailable if this node cannot measure.
        """
        if self._cell is not None and not self._cell.host.alive():
            self.release()
        if self._cell is None:
            self._cell = self._spares.take()
            self._spares.wait_until_warm()
            problem = "" if self._cell.reusable else NOT_REUSABLE
            problem = ON_GPU if self._cell.host.device != "cpu" else problem
            if problem:
                self.release()
                raise Unavailable(problem)
        return self._cell

    def _run(self, request: JudgingRequest, judge: Judge | None) -> Run:
        cell = self.prepare()
        # Times of a measurement are those of this machine, and so are its limits.
        cell.speed, cell.meter = 1.0, CallMeter(cell.host)
        clean = False
        try:
            judging = Judging(request, cell, judge)
            try:
                judgement = judging.run()
            finally:
                with suppress(CellLost, Unavailable):
                    judging.clean()
                    cell.fork_ahead()
                    clean = True
        finally:
            if not clean:
                self.release()
        return Run(judgement, cell.meter.wall_s, cell.meter.cpu_s, judgement.memory_mb)
