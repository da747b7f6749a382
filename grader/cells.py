"""A cell as a slot uses it: a host, the child that waits ahead of the job, who may use it, and the cleaning in between."""

import os
import time
from contextlib import suppress

from grader.errors import CellLost
from grader.hosts import Host
from grader.job import Limits
from grader.uids import Uids
from grader.wire import Caps, WireError, pending, receive
from grader.zygote_client import Child

OUTPUT_CHUNK = 1 << 16
FLOOD_FACTOR = 64
# A context takes a second; a driver that is just waking the GPU up, more.
CONTEXT_S = 60.0
READY = Caps(tree=64, blob=0)


class Cell:
    """One host of role `cell`. `owner` is None until a job of policy `account` has bound it; `uses` counts jobs."""

    def __init__(self, host: Host, uids: Uids) -> None:
        self.host = host
        self.owner: str | None = None
        self.uses = 0
        self._uids = uids
        self._memory_mb = 0
        self._children: list[Child] = []
        self._waiting: Child | None = None
        self.findings: list[str] = []

    def prepare(self, limits: Limits) -> None:
        """Set a job's limits and start its accounts. A child that waits already is forked anew if they are its own."""
        if limits.memory_mb != self._memory_mb:
            before = self.host.data_bytes
            self.host.prepare(limits.memory_mb)
            self._memory_mb = limits.memory_mb
            if self.host.data_bytes != before and self._waiting is not None:
                self.discard(self._waiting)
                self._waiting = None
        self.host.reset_peak()

    @property
    def waits(self) -> bool:
        """Whether a child waits already."""
        return self._waiting is not None

    def fork_ahead(self) -> None:
        """Fork the next job's child now, so that the job does not wait for it; on a GPU, until it is ready. Raises CellLost."""
        if self._waiting is None:
            self._waiting = self._fork()

    def _fork(self) -> Child:
        uid, host = self._uids.take(), self.host
        try:
            child = host.zygote.fork(uid, workroot=host.workroot, data_bytes=host.data_bytes)
        except CellLost:
            self._uids.give_back(uid)
            raise
        self._children.append(child)
        if host.device != "cpu":
            self._await_context(child)
        return child

    def _await_context(self, child: Child) -> None:
        """What it takes to make a context is no job's time. Raises CellLost with what the child said."""
        try:
            receive(child.sock, caps=READY, deadline=time.monotonic() + CONTEXT_S)
        except WireError as error:
            said = Output(OUTPUT_CHUNK)
            said.drain(child)
            last = said.take().decode(errors="replace").strip().rpartition("\n")[2]
            raise CellLost(f"a child could make no context on its GPU: {last[:300] or error}") from error

    def child(self) -> Child:
        """A confined child that waits for BEGIN. One that has died meanwhile has seen no answer, so no answer is to blame."""
        if self._waiting is not None and pending(self._waiting.sock):
            self.discard(self._waiting)
            self._waiting = None
        self.fork_ahead()
        child, self._waiting = self._waiting, None
        assert child is not None
        return child

    def discard(self, child: Child) -> None:
        """Kill a child and everything of its uid, and empty what it could write to; traces that remain retire the cell."""
        child.close()
        self.findings += self.host.zygote.wipe(child)
        self._children.remove(child)
        self._uids.give_back(child.uid)

    def destroy(self) -> None:
        """End the cell, and with it every child that is left; only then may their uids be used again."""
        with suppress(CellLost):
            self.host.destroy()
        self._waiting = None
        while self._children:
            child = self._children.pop()
            child.close()
            self._uids.give_back(child.uid)


class Output:
    """What a child prints: the first `limit` bytes of each test are kept, everything is drained, a flood is told."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.kept = bytearray()
        self.total = 0
        self.truncated = False

    def drain(self, child: Child) -> None:
        """Read what is there now, without waiting."""
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
        """More than many times what is kept of a test: an endless printer, not a chatty answer."""
        return self.total > self.most

    @property
    def most(self) -> int:
        """Bytes that a whole judging may print."""
        return FLOOD_FACTOR * self._limit

    def take(self) -> bytes:
        """What was kept since the last take."""
        kept, self.kept = bytes(self.kept), bytearray()
        return kept
