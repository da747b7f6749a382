"""Runs a turn of the candidate's process: sends one frame to the cell and reads one frame back, under limits that the node
enforces.

CPU time is read from the cell's cgroup and converted to seconds of the reference machine. Time in which no process of the cell
is running or ready to run is idle time: the answer may be idle for up to three times its CPU limit. Time in which the cell
waits for a processor does not count, so that no verdict depends on how busy the machine is.

If the candidate is at fault, a turn returns `Terminated`. If the grader or the machine is at fault, a turn raises an exception:
CellLost if the cell ended by itself, Starved if the cell gets too little of a processor.
"""

import select
from collections.abc import Callable

from grader.contract import wire
from grader.contract.errors import CellLost, Starved
from grader.contract.job import Limits, Verdict
from grader.contract.wire import Frame, Kind
from grader.hosts.machine.stopwatch import Stopwatch
from grader.hosts.zygote_client import Child
from grader.judging.pool.cells import Cell, Output
from grader.judging.pool.oom_kills import OomKills
from grader.judging.terminated import Terminated
from grader.judging.wire_budget import WireBudget

IDLE_FACTOR = 3.0
# A judging may take this many times its CPU limit in wall-clock time. This ends a judging whose cell hardly gets a processor,
# and one whose answer only makes it look that way. On a slower machine, the limits on wall-clock time and on CPU time are
# longer. The limit on idle time is the same on every machine, because sleeping takes equally long everywhere.
WALL_FACTOR = 100.0
REPLY_TREE_BYTES = 8 << 20


class JobCancelled(Exception):
    """Raised during a turn if the job of the judging was cancelled."""


class _LimitExceeded(Exception):
    """Raised to end a turn in which a limit was exceeded. `terminated` is the outcome."""

    def __init__(self, terminated: Terminated) -> None:
        self.terminated = terminated


class CandidateTurns:
    """Exchanges frames with the candidate's process, and counts how much of the judging's limits has been used."""

    def __init__(self, cell: Cell, limits: Limits, cancelled: Callable[[], bool]) -> None:
        self._cell = cell
        self._limits = limits
        self._cancelled = cancelled
        self.output = Output(limits.output_kb << 10)
        self.wire = WireBudget(limits)
        self._watch = Stopwatch(cell.host, self._look)
        self._cpu_at_start = cell.cpu_s()
        # CPU seconds at the first sample of the running turn; None before that sample. Most turns end without a sample, and
        # reading the CPU time takes as long as relaying the frames of a turn. So a call may use more than its limit by what it
        # uses until its first sample, which is at most 1.5 TICK_S away.
        self._cpu_before: float | None = None
        self._idle_before = 0.0
        self._oom_kills = OomKills(cell.host)

    def cpu_s(self) -> float:
        """Return the CPU seconds that the judging has used so far, converted to the reference machine."""
        return self._cell.cpu_s() - self._cpu_at_start

    def out_of_memory(self) -> Terminated | None:
        """Return MLE if the kernel has killed a process of the cell for lack of memory since the last call of
        `forget_out_of_memory`, otherwise None.
        """
        if not self._oom_kills.happened:
            return None
        return Terminated(Verdict.MLE, f"used more than {self._limits.memory_mb:,} MB of memory")

    def forget_out_of_memory(self) -> None:
        """Forget the processes that the kernel has killed so far. Call this after each test, so that the next test does not
        fail because of them.
        """
        self._oom_kills.forget()

    def spent(self) -> Terminated | None:
        """Return the outcome if a limit of the whole judging (time, output or values exchanged) is exceeded. Returns None
        otherwise.
        """
        return self._spent_time() or self._flood() or self.wire.exceeded()

    def _spent_time(self) -> Terminated | None:
        if self.cpu_s() > self._limits.cpu_s:
            return Terminated(Verdict.TLE, f"the submission used more than {self._limits.cpu_s:g} s of CPU time")
        if self._watch.idle_s > IDLE_FACTOR * self._limits.cpu_s:
            return self._too_long("the submission", self._limits.cpu_s, self.cpu_s())
        return None

    def _flood(self) -> Terminated | None:
        if not self.output.flooding:
            return None
        return Terminated(Verdict.OLE, f"the submission printed more than {self.output.most >> 10:,} KB")

    def turn(self, child: Child, frame: Frame, call: bytes, *, kinds: tuple[Kind, ...]) -> Frame | Terminated:
        """Send the child a frame and wait for its reply, which must be one of `kinds` and have the same call id."""
        if exceeded := self.wire.charge_call(frame):
            return exceeded
        self._cpu_before, self._idle_before = None, self._watch.idle_s
        meter = self._cell.meter
        self._watch.start()
        try:
            if meter is not None:
                meter.turn_begins(call)
            wire.forward(child.sock, frame, call=call, deadline=self._watch.look)
            reply = self._wait(child) or self._take(child, call, kinds)
            if meter is not None:
                meter.turn_ended()
            return reply
        except _LimitExceeded as over:
            # The kernel may have killed the process for lack of memory. Its socket is then not closed as long as children of
            # the process still hold the socket open.
            return self.out_of_memory() or over.terminated
        except wire.WireClosed:
            return self.ended(child)
        except wire.WireTooLarge:
            return self.wire.too_large("returned")
        except wire.WireError as error:
            return Terminated(Verdict.RE, f"the answer's process broke the protocol: {error}")
        finally:
            self._watch.stop()

    def _look(self) -> None:
        """Check the limits. The stopwatch calls this at each sample. Raises _LimitExceeded, JobCancelled or Starved."""
        if self._cancelled():
            raise JobCancelled
        if terminated := self._over_time():
            raise _LimitExceeded(terminated)
        if self._watch.wall_s * self._cell.speed > WALL_FACTOR * self._limits.cpu_s:
            raise Starved(f"the answer had {self.cpu_s():.1f} s of a processor in {self._watch.wall_s:.0f} s")

    def _over_time(self) -> Terminated | None:
        now, limit = self._cell.cpu_s(), self._limits.cpu_s_per_call
        self._cpu_before = now if self._cpu_before is None else self._cpu_before
        used = now - self._cpu_before
        if used > limit:
            return Terminated(Verdict.TLE, f"a call used more than {limit:g} s of CPU time")
        if self._watch.idle_s - self._idle_before > IDLE_FACTOR * limit:
            return self._too_long("a call", limit, used)
        return self._spent_time()

    def _too_long(self, what: str, limit: float, used: float) -> Terminated:
        """Return TLE for too much idle time. Raises Starved instead if the kernel did not show whether the cell was idle or
        waiting for a processor, and the answer used less than half of its CPU limit.
        """
        if self._watch.blind and used < limit / 2:
            raise Starved(f"{what} used {used:.1f} s of a processor in {IDLE_FACTOR * limit:g} s")
        return Terminated(Verdict.TLE, f"{what} took longer than {IDLE_FACTOR * limit:g} s")

    def _take(self, child: Child, call: bytes, kinds: tuple[Kind, ...]) -> Frame | Terminated:
        reply = wire.receive(child.sock, caps=self.wire.caps(REPLY_TREE_BYTES), deadline=self._watch.look)
        self.output.drain(child)
        exceeded = self.wire.charge(reply)
        if reply.kind not in kinds or reply.call != call:
            return Terminated(Verdict.RE, "the answer's process sent something that was not asked for")
        return exceeded or reply

    def _wait(self, child: Child) -> Terminated | None:
        """Wait until the child has sent a frame. While waiting, read the child's output and check its limits."""
        poller = select.poll()
        poller.register(child.sock, select.POLLIN)
        poller.register(child.output, select.POLLIN)
        while True:
            ready = {fd for fd, _ in poller.poll(self._watch.look() * 1000)}
            if child.output in ready:
                self._drain(child, poller)
                if terminated := self._flood():
                    return terminated
            if child.sock.fileno() in ready:
                return None

    def _drain(self, child: Child, poller: select.poll) -> None:
        before = self.output.total
        self.output.drain(child)
        if self.output.total == before:
            poller.unregister(child.output)

    def ended(self, child: Child) -> Terminated:
        """Return the outcome for a child that closed its socket. Raises CellLost if the whole cell ended for a reason other
        than lack of memory.
        """
        self.output.drain(child)
        if terminated := self.out_of_memory():
            return terminated
        try:
            ending = self._cell.host.zygote.ending(child.pid)
        except CellLost:
            if terminated := self.out_of_memory():
                return terminated
            raise
        # Lack of memory is checked again, because the kernel may have killed a process while the zygote answered.
        return self.out_of_memory() or Terminated(
            Verdict.RE, f"the answer's process {ending or 'closed its connection'}"
        )
