"""Keeps a judge running: starts it when it is first needed, and replaces it when it is lost."""

import os
import threading
from contextlib import suppress

from grader.contract.errors import GraderError, Unavailable
from grader.contract.job import Job
from grader.hosts.host import Engine, Shape
from grader.judging.pool.judges import Judge

# The number of processors that the judge may use. Half a processor remains free for the node and the service.
JUDGE_CPUS = max(1.0, (os.cpu_count() or 1) - 0.5)
JUDGE = Shape("judge", memory_mb=6144, pids=2048, cpus=JUDGE_CPUS, tmp_mb=128)
# The resources of the separate judge that runs a team's own packages. This judge gets less than the shared one, because nobody
# but the team has reviewed the team's tests.
TEAM_JUDGE = Shape("judge", memory_mb=2048, pids=256, cpus=1.0, tmp_mb=64)


class JudgeSupervisor:
    """Starts, checks and replaces one judge, a container with the role and the resources of `shape`."""

    def __init__(self, engine: Engine, shape: Shape = JUDGE) -> None:
        self._engine = engine
        self._shape = shape
        self._lock = threading.Lock()
        self._judge: Judge | None = None
        self._closed = False

    def get(self) -> Judge:
        """Return the judge. If it does not answer, start another one first. Raises Unavailable."""
        with self._lock:
            if self._closed:
                raise Unavailable("the node is closing")
            if self._judge is not None and not self._judge.host.alive():
                self._judge.destroy()
                self._judge = None
            if self._judge is None:
                self._judge = Judge(self._engine.start(self._shape))
            return self._judge

    def for_team(self) -> "JudgeSupervisor":
        """Create a supervisor for a separate judge, which runs the packages of one team."""
        return JudgeSupervisor(self._engine, TEAM_JUDGE)

    def replace_if_lost(self) -> None:
        """If the judge does not answer, replace it in the background. Call this after a fault of the grader."""
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
        """End the judge. From now on `get` raises Unavailable."""
        with self._lock:
            self._closed = True
            if self._judge is not None:
                self._judge.destroy()
                self._judge = None


class SlotJudges:
    """The judges that one slot uses: the node's shared judge, and a separate judge for the packages of one team at a time."""

    def __init__(self, shared: JudgeSupervisor) -> None:
        self._shared = shared
        self._team: tuple[str, JudgeSupervisor] | None = None

    @property
    def has_team_judge(self) -> bool:
        return self._team is not None

    def judge_for(self, job: Job) -> Judge:
        """Return the judge for a job. If a team owns the job's package, this is the slot's team judge; if the team judge
        belongs to another team, it is ended and replaced. Raises Unavailable.
        """
        if not job.team:
            return self._shared.get()
        if self._team is None or self._team[0] != job.team:
            self.end_team_judge()
            self._team = job.team, self._shared.for_team()
        return self._team[1].get()

    def replace_lost(self) -> None:
        """Replace each judge that does not answer. Call this after a fault of the grader."""
        self._shared.replace_if_lost()
        if self._team is not None:
            self._team[1].replace_if_lost()

    def end_team_judge(self) -> None:
        """End the team judge, and every process that the team's tests have left running in it."""
        if self._team is not None:
            self._team[1].close()
            self._team = None
