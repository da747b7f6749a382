"""Judges jobs in this process, without a service or a node. Used by the authoring gate, tests and benchmarks."""

import queue
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from grader.content.package import Package
from grader.contract.errors import GraderError
from grader.contract.job import Job, Judgement, Kind, TestResult, fresh_seed
from grader.hosts.cgroup import SHARES
from grader.hosts.containers import Engine as DockerEngine
from grader.hosts.host import Engine, Shape
from grader.hosts.processes import ProcessEngine
from grader.judging.pool.judge_supervisor import JUDGE, JudgeSupervisor
from grader.judging.pool.judges import Judge
from grader.judging.pool.spare_cells import SpareCells
from grader.judging.request import JudgingRequest
from grader.judging.slots.machine_speed import MachineSpeed
from grader.judging.slots.parts import judge_in_parts
from grader.judging.slots.slot import Slot, SlotTask

Report = Callable[[int, int, TestResult], None]


def engine(
    cells: str, image: str = "gradus-grader:latest", label: str | None = None, *, cpu_shares: int = SHARES
) -> Engine:
    """Create the engine that starts cells, which are Docker containers (`docker`) or plain processes (`process`)."""
    if cells == "process":
        return ProcessEngine()
    return DockerEngine(image=image, label=label or f"bench-{uuid.uuid4().hex[:8]}", cpu_shares=cpu_shares)


def a_job(package: Package, source: str, kind: Kind = Kind.SUBMIT, *, seed: int | None = None, **more: str) -> Job:
    """Create a job. `more` may set `owner`, `snippet` and `device`. Without `seed`, a random seed is drawn."""
    return Job(
        id=uuid.uuid4().hex,
        token=uuid.uuid4().hex,
        kind=kind,
        slug=package.slug,
        digest=package.digest,
        source=source,
        owner=more.get("owner", "workbench"),
        seed=fresh_seed() if seed is None else seed,
        snippet=more.get("snippet", ""),
        device=more.get("device", "cpu"),
    )


@dataclass(frozen=True)
class Finished:
    """The outcome of a job: a judgement, or a fault of the grader. Both are None if the job was cancelled."""

    job: Job
    judgement: Judgement | None
    fault: GraderError | None


class IdleSlots:
    """Lends slots that nobody else uses (see `Helpers`)."""

    def __init__(self, slots: Iterable[Slot]) -> None:
        self._idle = [slot for slot in slots if slot.ready]

    def borrow(self) -> Slot | None:
        """Return a slot that can start at once, or None."""
        return self._idle.pop() if self._idle else None

    def end_loan(self, slot: Slot) -> None:
        """Take a slot back."""
        self._idle.append(slot)


class Workbench:
    """A few slots that run in this process, with their cells and a judge."""

    def __init__(self, engine: Engine, *, slots: int = 2, spares: int = 0, judge: Shape = JUDGE) -> None:
        self._engine = engine
        self._judge = JudgeSupervisor(engine, judge)
        self.speed = MachineSpeed()
        self.spares = SpareCells(engine, max(spares, 1), lambda: None, self._judge.get, self.speed.measure_if_due)
        names = [f"slot-{number}" for number in range(slots)]
        self._slots = [Slot(name, self.spares, self._judge, self.speed) for name in names]

    def start(self) -> None:
        """Start cells and slots. Raises Unavailable with the reason if cells cannot be started."""
        self._engine.connect()
        self._engine.remove_leftovers()
        self.spares.start()
        for slot in self._slots:
            slot.start()

    def judge_container(self) -> Judge:
        """Return the judge. Use this to list the tests of a package (`Judge.describe`)."""
        return self._judge.get()

    def judge(self, job: Job, package: Package, report: Report = lambda *_: None) -> Judgement:
        """Judge one job as a node does, with the help of other slots if it has two parts. If the grader could not judge it, its
        fault is raised.
        """
        ended: queue.Queue[object] = queue.Queue()
        judge_in_parts(self._slots[0], JudgingRequest(job, package, report), ended.put, IdleSlots(self._slots[1:]))
        outcome = ended.get()
        if isinstance(outcome, Judgement):
            return outcome
        raise outcome if isinstance(outcome, GraderError) else GraderError("the job was stopped")

    def judge_all(
        self,
        jobs: Iterable[tuple[Job, Package]],
        report: Report = lambda *_: None,
        *,
        to_the_end: bool = True,
        tolerance_share: float = 1.0,
    ) -> Iterator[Finished]:
        """Judge many jobs, one per slot at a time, and yield each outcome as soon as it is known. No job is judged in parts.

        With `to_the_end=False`, each judging stops at the first test that fails. `tolerance_share` multiplies the tolerances of
        all comparisons.
        """
        ends: queue.Queue[tuple[Slot, Finished]] = queue.Queue()
        waiting = (
            JudgingRequest(job, package, report, to_the_end=to_the_end, tolerance_share=tolerance_share)
            for job, package in jobs
        )
        busy = sum(self._give(slot, waiting, ends) for slot in self._slots)
        while busy:
            slot, finished = ends.get()
            busy += self._give(slot, waiting, ends) - 1
            yield finished

    def _give(self, slot: Slot, waiting: Iterator[JudgingRequest], ends: "queue.Queue[tuple[Slot, Finished]]") -> int:
        """Submit the next of the `waiting` jobs to a slot. Returns 1, or 0 if no job is left."""
        request = next(waiting, None)
        if request is None:
            return 0

        def done(outcome: object) -> None:
            judgement = outcome if isinstance(outcome, Judgement) else None
            fault = outcome if isinstance(outcome, GraderError) else None
            ends.put((slot, Finished(request.job, judgement, fault)))

        slot.submit(SlotTask(request, done))
        return 1

    def close(self) -> None:
        """End the slots, the cells and the judge."""
        for slot in self._slots:
            slot.close()
        self.spares.close()
        self._judge.close()


@contextmanager
def workbench(
    cells: str = "docker", *, slots: int = 2, image: str = "gradus-grader:latest", cpu_shares: int = SHARES
) -> Iterator[Workbench]:
    """Start a workbench, and close it at the end of the `with` block."""
    bench = Workbench(engine(cells, image, cpu_shares=cpu_shares), slots=slots)
    bench.start()
    try:
        yield bench
    finally:
        bench.close()
