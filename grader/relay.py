"""The candidate's turn: one frame into the cell, one frame out, under deadlines that the node holds.

CPU time is read from the cell's accounts, wall time is a backstop of three times as much. Whatever goes wrong here is the
candidate's doing and comes back as `Gone`; only a cell that vanished by itself raises CellLost.
"""

import select
import time
from collections.abc import Callable
from dataclasses import dataclass

from grader import wire
from grader.cells import Cell, Output
from grader.errors import CellLost
from grader.job import Limits, Verdict
from grader.wire import Caps, Frame, Kind
from grader.zygote_client import Child

TICK_S = 0.05
WALL_FACTOR = 3.0
STOOD_STILL_S = 0.5
REPLY_TREE_BYTES = 8 << 20


@dataclass(frozen=True)
class Gone:
    """The cell's child is dead, and whose fault that is: the verdict and a sentence for the candidate."""

    verdict: Verdict
    message: str


class Stopped(Exception):
    """The job was cancelled."""


class Turns:
    """Turns of one child, and what they have used of the judging's budget."""

    def __init__(self, cell: Cell, limits: Limits, cancelled: Callable[[], bool]) -> None:
        self._cell = cell
        self._limits = limits
        self._cancelled = cancelled
        # Not above what the judge accepts: it would stop reading in the middle of a frame.
        self._caps = Caps(tree=REPLY_TREE_BYTES, blob=limits.frame_mb << 20)
        self.output = Output(limits.output_kb << 10)
        self.calls = 0
        self._bytes = 0
        self._wall_left = WALL_FACTOR * limits.cpu_s
        self._deadline = 0.0
        self._cpu_at_start = cell.host.cpu_seconds()
        self._oom_before = cell.host.oom_kills()

    def cpu_s(self) -> float:
        """CPU seconds of the judging so far."""
        return self._cell.host.cpu_seconds() - self._cpu_at_start

    def out_of_memory(self) -> Gone | None:
        """Whether a process of the job was killed for lack of memory since `forget_out_of_memory`, whichever it was."""
        if self._cell.host.oom_kills() <= self._oom_before:
            return None
        return Gone(Verdict.MLE, f"used more than {self._limits.memory_mb:,} MB of memory")

    def forget_out_of_memory(self) -> None:
        """A test has ended: what follows is not blamed for it."""
        self._oom_before = self._cell.host.oom_kills()

    def spent(self) -> Gone | None:
        """The budget of the whole judging that is used up, if one is."""
        if self.cpu_s() > self._limits.cpu_s:
            return Gone(Verdict.TLE, f"the submission used more than {self._limits.cpu_s:g} s of CPU time")
        if self._wall_left <= 0:
            return Gone(Verdict.TLE, f"the submission took longer than {WALL_FACTOR * self._limits.cpu_s:g} s")
        return self._flood() or self._over_budget()

    def _flood(self) -> Gone | None:
        if not self.output.flooding:
            return None
        return Gone(Verdict.OLE, f"the submission printed more than {self.output.most >> 10:,} KB")

    def turn(self, child: Child, frame: Frame, call: bytes, *, kinds: tuple[Kind, ...]) -> Frame | Gone:
        """Give the child a frame and await its answer (one of `kinds`, under the same call id)."""
        self.calls += 1
        self._bytes += frame.size
        if refusal := self._over_budget():
            return refusal
        cpu_before, started = self._cell.host.cpu_seconds(), time.monotonic()
        allowed_s = min(WALL_FACTOR * self._limits.cpu_s_per_call, self._wall_left)
        self._deadline = started + allowed_s
        try:
            wire.forward(child.sock, frame, call=call, deadline=self._deadline)
            gone = self._wait(child, cpu_before)
            return gone or self._take(child, call, kinds)
        except wire.WireTimeout:
            # The process that was killed may have left others, which hold its socket open.
            return self.out_of_memory() or self._too_long(allowed_s)
        except wire.WireClosed:
            return self.ended(child)
        except wire.WireTooLarge:
            return Gone(Verdict.OLE, f"a call returned more than {self._limits.frame_mb} MB of values at once")
        except wire.WireError as error:
            return Gone(Verdict.RE, f"the answer's process broke the protocol: {error}")
        finally:
            self._wall_left -= time.monotonic() - started

    def _too_long(self, allowed_s: float) -> Gone:
        if allowed_s < WALL_FACTOR * self._limits.cpu_s_per_call:
            return Gone(Verdict.TLE, f"the submission took longer than {WALL_FACTOR * self._limits.cpu_s:g} s")
        return Gone(Verdict.TLE, f"a call took longer than {WALL_FACTOR * self._limits.cpu_s_per_call:g} s")

    def _over_budget(self) -> Gone | None:
        if self.calls > self._limits.calls:
            return Gone(Verdict.TLE, f"more than {self._limits.calls:,} calls in one judging")
        if self._bytes > self._limits.wire_mb << 20:
            return Gone(Verdict.OLE, f"more than {self._limits.wire_mb} MB of values in one judging")
        return None

    def _take(self, child: Child, call: bytes, kinds: tuple[Kind, ...]) -> Frame | Gone:
        reply = wire.receive(child.sock, caps=self._caps, deadline=self._deadline)
        self.output.drain(child)
        self._bytes += reply.size
        if reply.kind not in kinds or reply.call != call:
            return Gone(Verdict.RE, "the answer's process sent something that was not asked for")
        return self._over_budget() or reply

    def _wait(self, child: Child, cpu_before: float) -> Gone | None:
        """Until the child has something to say: drain what it prints, watch its CPU time and the clock."""
        poller = select.poll()
        poller.register(child.sock, select.POLLIN)
        poller.register(child.output, select.POLLIN)
        while True:
            asleep = time.monotonic()
            ready = {fd for fd, _ in poller.poll(TICK_S * 1000)}
            self._forgive(time.monotonic() - asleep - TICK_S)
            if child.output in ready:
                self._drain(child, poller)
                if gone := self._flood():
                    return gone
            if child.sock.fileno() in ready:
                return None
            if self._cancelled():
                raise Stopped
            if gone := self._over_time(cpu_before):
                return gone

    def _forgive(self, late_s: float) -> None:
        """This process, or the whole machine, stood still: the candidate's clock stood still too."""
        if late_s > STOOD_STILL_S:
            self._deadline += late_s
            self._wall_left += late_s

    def _drain(self, child: Child, poller: select.poll) -> None:
        before = self.output.total
        self.output.drain(child)
        if self.output.total == before:
            poller.unregister(child.output)

    def _over_time(self, cpu_before: float) -> Gone | None:
        now = self._cell.host.cpu_seconds()
        if now - cpu_before > self._limits.cpu_s_per_call:
            return Gone(Verdict.TLE, f"a call used more than {self._limits.cpu_s_per_call:g} s of CPU time")
        if now - self._cpu_at_start > self._limits.cpu_s:
            return Gone(Verdict.TLE, f"the submission used more than {self._limits.cpu_s:g} s of CPU time")
        if time.monotonic() > self._deadline:
            raise wire.WireTimeout("the deadline passed")
        return None

    def ended(self, child: Child) -> Gone:
        """Why a child that closed its socket is gone. Raises CellLost when the whole cell is, through no fault of its job."""
        self.output.drain(child)
        if gone := self.out_of_memory():
            return gone
        try:
            ending = self._cell.host.zygote.ending(child.pid)
        except CellLost:
            if gone := self.out_of_memory():
                return gone
            raise
        # Memory may have run out while the zygote was asked.
        return self.out_of_memory() or Gone(Verdict.RE, f"the answer's process {ending or 'closed its connection'}")
