"""Defines a cell, which is a host in which answers run. It has a child that waits for the next job. Each child has namespaces of
its own, so nothing of a job is left for the next one.
"""

import os
import time
from contextlib import suppress

from grader.contract.errors import CellLost
from grader.contract.job import Limits
from grader.contract.wire import Caps, WireError, pending, receive
from grader.hosts.host import Host
from grader.hosts.machine.stopwatch import patience
from grader.hosts.zygote_client import Child

OUTPUT_CHUNK = 1 << 16
FLOOD_FACTOR = 64
# Creating the CUDA context of a child may take at most this many seconds of CPU time and at most this many seconds of idle
# time. Usually it takes about one second, and longer if the GPU has to wake up.
CONTEXT_S = 60.0
READY = Caps(tree=64, blob=0)
# A child that has waited this long is replaced, so that no job gets a state that is older.
WAIT_S = 600.0


class CallMeter:
    """Measures the time of the last call to the candidate's process, from the first byte sent to the last byte received.

    An answer can split a call into several turns, by calling a function of the test. What happens between these turns counts
    too, because threads of the answer can go on computing then.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._call = b""
        self._began_s = self._cpu_before_s = 0.0
        self.wall_s = self.cpu_s = 0.0

    def turn_begins(self, call: bytes) -> None:
        """Begin to measure, unless the turn belongs to the same call as the turn before it."""
        if call != self._call:
            self._call = call
            self._cpu_before_s = self._host.cpu_seconds()
            self._began_s = time.perf_counter()

    def turn_ended(self) -> None:
        """Store the time of the call up to now."""
        self.wall_s = time.perf_counter() - self._began_s
        self.cpu_s = self._host.cpu_seconds() - self._cpu_before_s


class Cell:
    """One host of role `cell`.

    `speed` is this machine's speed relative to the reference machine: CPU time is multiplied by `speed` to get CPU seconds of
    the reference machine. `meter` measures each call; None if nobody needs the times.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self.speed = 1.0
        self.meter: CallMeter | None = None
        self._children: list[Child] = []
        self._waiting: Child | None = None
        self._since = 0.0

    @property
    def reusable(self) -> bool:
        """Whether the cell may serve another job. If its children have no namespaces of their own, it serves only one."""
        return self.host.isolation == "namespaces"

    def prepare(self, limits: Limits) -> None:
        """Set the memory limit of the next job, and reset the peak of memory use. If the waiting child was forked with another
        data limit, discard that child.
        """
        before = self.host.data_bytes
        self.host.prepare(limits.memory_mb)
        if self.host.data_bytes != before and self._waiting is not None:
            self.discard(self._waiting)
            self._waiting = None
        self.host.reset_peak()

    def cpu_s(self) -> float:
        """Return the CPU seconds that the cell has used so far, converted to the reference machine. Raises CellLost."""
        return self.host.cpu_seconds() * self.speed

    @property
    def waits(self) -> bool:
        """Whether a child is already waiting for the next job."""
        return self._waiting is not None

    def fork_ahead(self) -> None:
        """Fork the next job's child now, so that the job does not have to wait for it. On a GPU, also waits until the child has
        its CUDA context. Raises CellLost.
        """
        if self._waiting is None:
            self._waiting, self._since = self._fork(), time.monotonic()

    def _fork(self) -> Child:
        host = self.host
        if not self._children:
            host.read_idle_memory()
        child = host.zygote.fork(workroot=host.workroot, data_bytes=host.data_bytes)
        self._children.append(child)
        if host.device != "cpu":
            self._await_context(child)
        return child

    def _await_context(self, child: Child) -> None:
        """Wait until the child has a CUDA context, so that creating it is not charged to a job. If that fails, raises CellLost
        with the last line that the child printed.
        """
        try:
            receive(child.sock, caps=READY, deadline=patience(self.host, idle_s=CONTEXT_S, cpu_s=CONTEXT_S))
        except WireError as error:
            said = Output(OUTPUT_CHUNK)
            said.drain(child)
            last = said.take().decode(errors="replace").strip().rpartition("\n")[2]
            raise CellLost(f"a child could make no context on its GPU: {last[:300] or error}") from error

    def child(self) -> Child:
        """Return the waiting child, or fork one. If the waiting child has died or waited for WAIT_S seconds, another one is
        forked. No job fails because of a dead child: no answer has run in it, so no answer caused its death.
        """
        if self._waiting is not None and (pending(self._waiting.sock) or time.monotonic() > self._since + WAIT_S):
            self.discard(self._waiting)
            self._waiting = None
        self.fork_ahead()
        child, self._waiting = self._waiting, None
        assert child is not None
        return child

    def discard(self, child: Child) -> None:
        """Kill a child, and with it every process in its namespaces. Raises CellLost or Unavailable if that fails."""
        self._children.remove(child)
        self.host.zygote.end(child)

    def destroy(self) -> None:
        """End the cell and every child in it."""
        with suppress(CellLost):
            self.host.destroy()
        self._waiting = None
        while self._children:
            self._children.pop().close()


class Output:
    """Collects what a child prints. Reads and counts all output, but keeps only the first `limit` bytes of each test."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.kept = bytearray()
        self.total = 0
        self.truncated = False

    def drain(self, child: Child) -> None:
        """Read the output that is available now, without waiting for more."""
        while child.output >= 0:
            try:
                chunk = os.read(child.output, OUTPUT_CHUNK)
            except BlockingIOError:
                return
            if not chunk:
                return
            self._keep(chunk)
            if self.flooding:
                return

    def _keep(self, chunk: bytes) -> None:
        self.total += len(chunk)
        room = self._limit - len(self.kept)
        self.kept += chunk[: max(0, room)]
        self.truncated = self.truncated or len(chunk) > room

    @property
    def flooding(self) -> bool:
        """Whether the judging has printed more than `most` bytes. Only an answer in an endless loop prints that much."""
        return self.total > self.most

    @property
    def most(self) -> int:
        """The limit, in bytes, on what a whole judging prints."""
        return FLOOD_FACTOR * self._limit

    def take(self) -> bytes:
        """Return the output that was kept since the last call, and start a new buffer."""
        kept, self.kept = bytes(self.kept), bytearray()
        return kept
