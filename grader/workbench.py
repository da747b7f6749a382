"""Judging without a service: an engine and a few slots in this process. The authoring gate, tests and benchmarks stand on it."""

import queue
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from grader.cgroup import SHARES
from grader.containers import Engine as DockerEngine
from grader.errors import GraderError
from grader.hosts import Engine, Shape
from grader.job import Job, Judgement, Kind, Policy, TestResult
from grader.judges import Judge
from grader.judging import Order
from grader.package import Package
from grader.processes import ProcessEngine
from grader.slots import JUDGE, Judges, Slot, Work
from grader.spares import Spares
from grader.uids import Uids

Report = Callable[[int, int, TestResult], None]


def engine(
    cells: str, image: str = "gradus-grader:latest", label: str | None = None, *, cpu_shares: int = SHARES
) -> Engine:
    """The engine for `docker` or `process` cells."""
    if cells == "process":
        return ProcessEngine()
    return DockerEngine(image=image, label=label or f"bench-{uuid.uuid4().hex[:8]}", cpu_shares=cpu_shares)


def a_job(package: Package, source: str, kind: Kind = Kind.SUBMIT, *, seed: int | None = None, **more: str) -> Job:
    """A job of nobody in particular. `policy`, `owner`, `snippet` and `device` may be given."""
    return Job(
        id=uuid.uuid4().hex,
        token=uuid.uuid4().hex,
        kind=kind,
        slug=package.slug,
        digest=package.digest,
        source=source,
        owner=more.get("owner", "workbench"),
        seed=seed,
        policy=Policy(more.get("policy", "shared")),
        snippet=more.get("snippet", ""),
        device=more.get("device", "cpu"),
    )


@dataclass(frozen=True)
class Finished:
    """A job's end: its judgement, or the fault of ours."""

    job: Job
    judgement: Judgement | None
    fault: GraderError | None


class Workbench:
    """Slots that judge orders as they are given; ends come back in the order in which they happen."""

    def __init__(
        self, engine: Engine, *, slots: int = 2, spares: int = 0, cell_uses: int = 500, judge: Shape = JUDGE
    ) -> None:
        uids = Uids(own=engine.own_uids)
        self._engine = engine
        self._judges = Judges(engine, uids, judge)
        self.spares = Spares(engine, uids, max(spares, 1), lambda: None, self._judges.get)
        self._slots = [Slot(f"slot-{n}", self.spares, self._judges, cell_uses=cell_uses) for n in range(slots)]

    def start(self) -> None:
        """Warm up. Raises Unavailable with the reason when cells cannot be had."""
        self._engine.connect()
        self._engine.remove_leftovers()
        self.spares.start()
        for slot in self._slots:
            slot.start()

    def judge_container(self) -> Judge:
        """The judge, for asking what a package's tests are."""
        return self._judges.get()

    def judge(self, job: Job, package: Package, report: Report = lambda *_: None) -> Judgement:
        """Judge one job. Raises the fault if it could not be judged."""
        finished = next(self.judge_all([(job, package)], report))
        if finished.judgement is None:
            raise finished.fault or GraderError("the job was stopped")
        return finished.judgement

    def judge_all(
        self, jobs: Iterable[tuple[Job, Package]], report: Report = lambda *_: None, *, to_the_end: bool = True
    ) -> Iterator[Finished]:
        """Judge many, as many at a time as there are slots; unless `to_the_end`, up to the first test that fails."""
        ends: queue.Queue[tuple[Slot, Finished]] = queue.Queue()
        waiting = (Order(job, package, report, to_the_end=to_the_end) for job, package in jobs)
        busy = sum(self._give(slot, waiting, ends) for slot in self._slots)
        while busy:
            slot, finished = ends.get()
            busy += self._give(slot, waiting, ends) - 1
            yield finished

    def _give(self, slot: Slot, waiting: Iterator[Order], ends: "queue.Queue[tuple[Slot, Finished]]") -> int:
        """Give a slot its next job; 1 if there was one."""
        order = next(waiting, None)
        if order is None:
            return 0

        def done(outcome: object) -> None:
            judgement = outcome if isinstance(outcome, Judgement) else None
            fault = outcome if isinstance(outcome, GraderError) else None
            ends.put((slot, Finished(order.job, judgement, fault)))

        slot.submit(Work(order, done))
        return 1

    def close(self) -> None:
        """End every container."""
        for slot in self._slots:
            slot.close()
        self.spares.close()
        self._judges.close()


@contextmanager
def workbench(cells: str = "docker", *, slots: int = 2, image: str = "gradus-grader:latest") -> Iterator[Workbench]:
    """A started workbench that ends with the block."""
    bench = Workbench(engine(cells, image), slots=slots)
    try:
        bench.start()
        yield bench
    finally:
        bench.close()
