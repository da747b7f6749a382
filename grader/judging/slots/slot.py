"""A slot is a thread that judges one job at a time, in its own cell.

All slots of a node share one judge. If a team wrote the package of a job, its tests run in a separate judge instead, which
belongs to the slot and loads packages of that team only.
"""

import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from msgspec.structs import replace

from grader.contract.errors import CellLost, Fault, GraderError, Unavailable
from grader.contract.job import Judgement, Verdict
from grader.contract.transport import CLEANING, JUDGING, WAITING
from grader.hosts.core_lock import Core, reserve
from grader.hosts.gpu_lock import Tenancy
from grader.judging.candidate_turns import JobCancelled
from grader.judging.judging import Judging
from grader.judging.own_input.package import prepared
from grader.judging.pool.cells import Cell
from grader.judging.pool.judge_supervisor import JudgeSupervisor, SlotJudges
from grader.judging.pool.spare_cells import SpareCells
from grader.judging.request import JudgingRequest
from grader.judging.slots.lane import Lane
from grader.judging.slots.machine_speed import MachineSpeed
from grader.judging.slots.stages import Stages

log = logging.getLogger(__name__)

# After this many seconds without a job, a team's judge is ended, with every process that its tests have left running.
TEAM_JUDGE_IDLE_S = 60.0


@dataclass(frozen=True)
class SlotTask:
    """A request for a slot. `done` is called with the outcome: the judgement, the fault, or None if the job was cancelled."""

    request: JudgingRequest
    done: Callable[[object], None]
    stages: Stages = field(default_factory=Stages)


class Slot:
    """One thread and one cell, which judge one job at a time. `tenancy` is the GPU that is reserved for the slot, if there is
    one. While the slot judges, `lane` lets no answer be measured.
    """

    def __init__(
        self,
        name: str,
        spares: SpareCells,
        judge: JudgeSupervisor,
        speed: MachineSpeed,
        *,
        tenancy: Tenancy | None = None,
        lane: Lane | None = None,
    ) -> None:
        self.name, self._speed = name, speed
        self._tenancy = tenancy
        self._lane = lane or Lane()
        self._spares = spares
        self._judges = SlotJudges(judge)
        self._cell: Cell | None = None
        self._core: Core | None = None
        self._tasks: queue.Queue[SlotTask | None] = queue.Queue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def warm(self) -> bool:
        """Whether the slot has a cell."""
        return self._cell is not None

    @property
    def ready(self) -> bool:
        """Whether the slot has a cell, or can take one without waiting."""
        return self.warm or self._spares.ready > 0

    @property
    def problem(self) -> str:
        """Why the slot cannot judge now; empty if it can."""
        return self._spares.problem or (self._tenancy.occupied if self._tenancy else "")

    @property
    def labels(self) -> dict[str, str]:
        """What a judgement reports about the machine: its speed, and the name of its GPU if the slot has one."""
        return {"speed": f"{self._speed.value:.2f}"} | ({"gpu": self._tenancy.gpu.name} if self._tenancy else {})

    def start(self) -> None:
        """Start the thread that judges, and reserve a core for what it judges if that does not use a GPU."""
        self._core = reserve() if self._tenancy is None else None
        self._thread.start()

    def submit(self, task: SlotTask) -> None:
        """Queue a task. Its `done` is called exactly once. If the slot is closed, `done` is called immediately with
        Unavailable.
        """
        with self._lock:
            if not self._closed:
                self._tasks.put(task)
                return
        task.done(Unavailable("the slot is closed"))

    def close(self) -> None:
        """Finish the queued tasks, then end the cell."""
        with self._lock:
            self._closed = True
            self._tasks.put(None)
        self._thread.join(timeout=120.0)

    def _run(self) -> None:
        while (task := self._next()) is not None:
            judging = self._judge(task)
            self._recycle(judging)
            task.stages.ended(CLEANING)
        self._judges.end_team_judge()
        if self._cell is not None:
            self._cell.destroy()
        if self._core is not None:
            self._core.release()

    def _next(self) -> SlotTask | None:
        if self._judges.has_team_judge:
            with suppress(queue.Empty):
                return self._tasks.get(timeout=TEAM_JUDGE_IDLE_S)
            self._judges.end_team_judge()
        return self._tasks.get()

    def _judge(self, task: SlotTask) -> Judging | None:
        """Judge a task and call its `done`. Returns the judging, which the caller must clean, or None if the cell has been
        dropped.
        """
        judging = None
        outcome: object
        try:
            job = task.request.job
            cell = self._take_cell()
            cell.speed = self._speed.value
            self._fork_ahead(cell)
            judge = self._judges.judge_for(job).on(self._core.number if self._core else None)
            judging = Judging(prepared(task.request), cell, judge)
            with self._lane.job():
                task.stages.ended(WAITING)
                judged = judging.run()
            outcome = replace(self._check_gpu(judging, judged), digest=job.digest)
        except JobCancelled:
            outcome = None
        except GraderError as error:
            outcome = self._after_fault(error)
            judging = None
        except Exception as error:  # unknown errors of the grader are turned into a Fault here, and nowhere else
            outcome = self._after_fault(Fault(f"{type(error).__name__}: {error}"), cause=error)
            judging = None
        task.stages.ended(JUDGING)
        task.done(outcome)
        return judging

    def _take_cell(self) -> Cell:
        """Return the slot's cell. If there is none, or its zygote does not answer, take a spare cell. Raises Unavailable."""
        if self._cell is not None and not self._cell.host.alive():
            self._drop_cell()
        if self._cell is None:
            self._cell = self._spares.take()
            if self._core is not None:
                self._cell.host.zygote.pin(self._core.number)
        return self._cell

    def _drop_cell(self) -> None:
        """End the slot's cell in the background."""
        if self._cell is not None:
            cell, self._cell = self._cell, None
            self._spares.retire(cell)

    def _fork_ahead(self, cell: Cell) -> None:
        """Fork the cell's next child, unless one is already waiting. On a GPU, first wait until no other process uses the GPU.
        Raises Unavailable.
        """
        if self._tenancy is not None and not cell.waits:
            self._tenancy.require_empty()
        cell.fork_ahead()

    def _check_gpu(self, judging: Judging, outcome: Judgement) -> Judgement:
        """If an answer ran out of GPU memory, end its processes and wait until the GPU is free. Raises Unavailable if another
        program still uses the GPU, because that program may have used up the memory.
        """
        if self._tenancy is not None and outcome.verdict is Verdict.MLE:
            judging.clean()
            self._tenancy.require_empty()
        return outcome

    def _after_fault(self, error: GraderError, cause: Exception | None = None) -> GraderError:
        self._judges.replace_lost()
        self._drop_cell()
        if cause is not None:
            error.__cause__ = cause
        return error

    def _recycle(self, judging: Judging | None) -> None:
        """End the job's processes and fork the cell's next child, or drop the cell. Call this after `done`, so that nobody waits
        longer for the outcome.
        """
        cell = self._cell
        if judging is None or cell is None:
            return
        try:
            judging.clean()
            if cell.reusable:
                self._fork_ahead(cell)
            else:
                self._drop_cell()
        except (CellLost, Unavailable):
            self._drop_cell()
        except Exception:  # an error after the judgement ends this cell; the slot continues with another one
            log.exception("slot could not clean up; its cell is given up")
            self._judges.replace_lost()
            self._drop_cell()
