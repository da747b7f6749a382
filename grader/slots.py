"""Slots: each judges one job at a time in a cell of its own, and all of them in one judge; what a team has written itself is
judged in a judge of the slot's own, which holds packages of this team alone.
"""

import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from grader.cells import Cell
from grader.errors import CellLost, Fault, GraderError, Unavailable
from grader.hosts import Engine, Shape
from grader.job import Job, Judgement, Policy, Verdict
from grader.judges import Judge
from grader.judging import Judging, Order
from grader.spares import Spares
from grader.stages import Stages
from grader.tenancy import Tenancy
from grader.transport import CLEANING, JUDGING, WAITING
from grader.uids import Uids

log = logging.getLogger(__name__)

JUDGE = Shape("judge", memory_mb=6144, pids=2048, cpus=0, tmp_mb=128)
# For packages of a team's own: their tests are a stranger's programs.
APART = Shape("judge", memory_mb=2048, pids=256, cpus=1.0, tmp_mb=64)
# So long without a job of that team, its judge ends, and whatever its tests have left running.
IDLE_S = 60.0


class Judges:
    """A judge, started when first wanted and again when it is lost."""

    def __init__(self, engine: Engine, uids: Uids, shape: Shape = JUDGE) -> None:
        self._engine = engine
        self._shape = shape
        self._uids = uids
        self._lock = threading.Lock()
        self._judge: Judge | None = None
        self._closed = False

    def get(self) -> Judge:
        """A judge that answers. Raises Unavailable."""
        with self._lock:
            if self._closed:
                raise Unavailable("the node is closing")
            if self._judge is not None and not self._judge.host.alive():
                self._judge.destroy()
                self._judge = None
            if self._judge is None:
                self._judge = Judge(self._engine.start(self._shape), self._uids)
            return self._judge

    def apart(self) -> "Judges":
        """Another judge, which shares nothing with this one."""
        return Judges(self._engine, self._uids, APART)

    def suspect(self) -> None:
        """Something was lost in the judge: replace it unless it answers, in the background."""
        with self._lock:
            if self._judge is None or self._judge.host.alive():
                return
            self._judge.destroy()
            self._judge = None
        threading.Thread(target=self._replace, name="judge", daemon=True).start()

    def _replace(self) -> None:
        with suppress(GraderError):
            self.get()

    def close(self) -> None:
        """End the judge, and start none again."""
        with self._lock:
            self._closed = True
            if self._judge is not None:
                self._judge.destroy()
                self._judge = None


@dataclass(frozen=True)
class Work:
    """An order and where its end is told: `done` gets the judgement, the fault, or None when it was stopped."""

    order: Order
    done: Callable[[object], None]
    stages: Stages = field(default_factory=Stages)


class Slot:
    """One thread, one cell, one job at a time; with a `tenancy`, on the GPU of which it is the tenant."""

    def __init__(
        self, name: str, spares: Spares, judges: Judges, *, cell_uses: int, tenancy: Tenancy | None = None
    ) -> None:
        self.name = name
        self._tenancy = tenancy
        self._spares = spares
        self._judges = judges
        self._apart: tuple[str, Judges] | None = None
        self._cell_uses = cell_uses
        self._cell: Cell | None = None
        self._work: queue.Queue[Work | None] = queue.Queue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def warm(self) -> bool:
        """Whether it has a cell."""
        return self._cell is not None

    @property
    def owner(self) -> str | None:
        """Whose own its cell is; None if it serves everybody, or nobody yet."""
        cell = self._cell
        return cell.owner if cell is not None else None

    @property
    def problem(self) -> str:
        """Why it cannot judge at present; empty when it can."""
        return self._spares.problem or (self._tenancy.occupied if self._tenancy else "")

    @property
    def labels(self) -> dict[str, str]:
        """What a judgement says of where it was made."""
        return {"gpu": self._tenancy.gpu.name} if self._tenancy else {}

    def start(self) -> None:
        """Begin to take work."""
        self._thread.start()

    def submit(self, work: Work) -> None:
        """Hand over one piece of work; its `done` is called exactly once, at once and with the fault by a closed slot."""
        with self._lock:
            if not self._closed:
                self._work.put(work)
                return
        work.done(Unavailable("the slot is closed"))

    def close(self) -> None:
        """Finish what was handed over, then end the cell."""
        with self._lock:
            self._closed = True
            self._work.put(None)
        self._thread.join(timeout=120.0)

    def _run(self) -> None:
        while (work := self._next()) is not None:
            judging = self._judge(work)
            self._recycle(judging, work.order.job)
            work.stages.ended(CLEANING)
        self._end_apart()
        if self._cell is not None:
            self._cell.destroy()

    def _next(self) -> Work | None:
        if self._apart is not None:
            with suppress(queue.Empty):
                return self._work.get(timeout=IDLE_S)
            self._end_apart()
        return self._work.get()

    def _judges_for(self, job: Job) -> Judges:
        if not job.team:
            return self._judges
        if self._apart is None or self._apart[0] != job.team:
            self._end_apart()
            self._apart = job.team, self._judges.apart()
        return self._apart[1]

    def _end_apart(self) -> None:
        if self._apart is not None:
            self._apart[1].close()
            self._apart = None

    def _judge(self, work: Work) -> Judging | None:
        """Judge, tell the end, and give back the judging for cleaning (None when its cell is gone)."""
        from grader.relay import Stopped

        judging = None
        outcome: object
        try:
            job = work.order.job
            cell = self._cell_for(job)
            self._fork_ahead(cell)
            judging = Judging(work.order, cell, self._judges_for(job).get())
            work.stages.ended(WAITING)
            outcome = self._undisturbed(judging, judging.run())
        except Stopped:
            outcome = None
        except GraderError as error:
            outcome = self._after_fault(error)
            judging = None
        except Exception as error:  # the one place where an unknown fault of ours becomes a Fault
            outcome = self._after_fault(Fault(f"{type(error).__name__}: {error}"), cause=error)
            judging = None
        work.stages.ended(JUDGING)
        work.done(outcome)
        return judging

    def _fork_ahead(self, cell: Cell) -> None:
        """The next job's child, on a GPU only once nothing else is there. Raises Unavailable."""
        if self._tenancy is not None and not cell.waits:
            self._tenancy.require_empty()
        cell.fork_ahead()

    def _undisturbed(self, judging: Judging, outcome: Judgement) -> Judgement:
        """An answer that ran out of a GPU's memory is to blame if nobody else is on it. Raises Unavailable when somebody is."""
        if self._tenancy is not None and outcome.verdict is Verdict.MLE:
            judging.clean()
            self._tenancy.require_empty()
        return outcome

    def _suspect(self) -> None:
        """Something was lost: the judges are replaced unless they answer."""
        self._judges.suspect()
        if self._apart is not None:
            self._apart[1].suspect()

    def _after_fault(self, error: GraderError, cause: Exception | None = None) -> GraderError:
        self._suspect()
        self._drop_cell()
        if cause is not None:
            error.__cause__ = cause
        return error

    def _cell_for(self, job: Job) -> Cell:
        """The slot's cell if this job may use it, else a fresh one."""
        cell = self._cell
        if cell is not None and not (_may_use(cell, job) and cell.host.alive()):
            self._drop_cell()
            cell = None
        if cell is None:
            cell = self._spares.take()
            self._cell = cell
        cell.uses += 1
        if job.policy is not Policy.SHARED:
            cell.owner = job.owner
        return cell

    def _recycle(self, judging: Judging | None, job: Job) -> None:
        """After the judgement is told: clean the cell and fork the next child, or retire the cell."""
        if judging is None or self._cell is None:
            return
        try:
            judging.clean()
            worn = self._cell.uses >= self._cell_uses or job.policy is Policy.SUBMISSION
            if worn or self._cell.findings:
                self._drop_cell()
            else:
                self._fork_ahead(self._cell)
        except (CellLost, Unavailable):
            self._drop_cell()
        except Exception:  # whatever goes wrong after a judgement may cost the cell, never the slot
            log.exception("slot could not clean up; its cell is given up")
            self._suspect()
            self._drop_cell()

    def _drop_cell(self) -> None:
        if self._cell is not None:
            cell, self._cell = self._cell, None
            self._spares.retire(cell)


def _may_use(cell: Cell, job: Job) -> bool:
    """`shared` jobs meet only each other; `account` jobs only those of the same owner; `submission` nobody."""
    if job.policy is Policy.SUBMISSION:
        return cell.uses == 0
    if job.policy is Policy.ACCOUNT:
        return cell.uses == 0 or cell.owner == job.owner
    return cell.owner is None
