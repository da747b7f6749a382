"""Exchanges frames with the judge during a judging, and limits the time that the judge takes."""

from collections.abc import Callable

from grader.contract import wire
from grader.contract.errors import JudgeLost
from grader.contract.wire import Caps, Frame, Kind
from grader.hosts.machine.stopwatch import Stopwatch
from grader.judging.candidate_turns import JobCancelled
from grader.judging.pool.judges import JudgeChild

# One turn of the judge may be idle for this many seconds. Idle means that the judge's child is neither running nor waiting for
# a processor.
STUCK_S = 30.0
# The judge's turns after the answer's first reply may take this many seconds together. CPU time of the reference machine and
# idle time count. This is fifty times what the most expensive challenge needs.
BUDGET_S = 10.0
TREE_BYTES = 16 << 20


class JudgeBudgetExceeded(Exception):
    """The judge took more than BUDGET_S seconds to check the values that the answer returned."""


class JudgeTurns:
    """Exchanges frames with one child of the judge.

    Methods raise JobCancelled, WireError, WireTimeout if the child is stuck, JudgeBudgetExceeded if the turns after the
    answer's first reply take more than BUDGET_S together, and JudgeLost if the turns before that reply take more than BUDGET_S.

    `caps(tree)` limits the size of the frames that are read. A frame that would be too large to forward to the cell is not read
    at all: a team may have written the tests, so even the judge's frames are not trusted. `speed` is the machine's speed
    relative to the reference machine (see `grader.judging.slots.machine_speed`); CPU time is multiplied by it.
    """

    def __init__(
        self, judge: JudgeChild, cancelled: Callable[[], bool], caps: Callable[[int], Caps], speed: float
    ) -> None:
        self._judge = judge
        self._speed = speed
        self._caps = caps
        self._cancelled = cancelled
        self._watch = Stopwatch(judge, self._look)
        self._idle_before = 0.0
        self._replies = 0
        # Seconds that the judge used until the answer's first reply. The answer did not cause them, so BUDGET_S limits only the
        # seconds after them.
        self._before_s: float | None = None

    def send(self, kind: Kind, tree: object = None) -> None:
        """Send a frame with `tree` as its JSON part."""
        self._turn()
        try:
            wire.send(self._judge.child.sock, kind, tree, deadline=self._watch.look)
        finally:
            self._watch.stop()

    def forward(self, frame: Frame) -> None:
        """Forward a frame from the candidate's process to the judge."""
        self._replies += 1
        self._turn()
        try:
            wire.forward(self._judge.child.sock, frame, call=wire.NO_CALL, deadline=self._watch.look)
        finally:
            self._watch.stop()

    def receive(self) -> Frame:
        """Wait for the judge's next frame. The time is not charged to the candidate."""
        self._turn()
        try:
            return wire.receive(self._judge.child.sock, caps=self._caps(TREE_BYTES), deadline=self._watch.look)
        finally:
            self._watch.stop()

    def _turn(self) -> None:
        self._idle_before = self._watch.idle_s
        self._watch.start()

    def _look(self) -> None:
        if self._cancelled():
            raise JobCancelled
        if self._watch.idle_s - self._idle_before > STUCK_S:
            raise wire.WireTimeout("the judge is stuck")
        used = self._used_s()
        if used - (self._before_s or 0.0) <= BUDGET_S:
            return
        if not self._replies:
            raise JudgeLost(f"the judge took {used:.0f} s before the answer had said anything")
        raise JudgeBudgetExceeded(f"checking what the answer returned took more than {BUDGET_S:g} s")

    def _used_s(self) -> float:
        try:
            used = self._judge.cpu_seconds() * self._speed + self._watch.idle_s
        except OSError:  # the process has ended; the next read from its socket reports that
            return 0.0
        if self._replies and self._before_s is None:
            self._before_s = used
        return used
