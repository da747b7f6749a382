"""Assigns work that occupies a node for a long time, such as a run of the authoring gate or a measurement. The work waits in SQL,
so nothing is lost if the service restarts. A node does one piece of work of a kind at a time.
"""

import asyncio
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from api.judging.dispatch.connected_nodes import Node
from api.judging.dispatch.dispatcher import Dispatcher
from api.kit.db.database import Database
from api.kit.supervised_task import SupervisedTask, pause_until
from grader.contract import transport

log = structlog.get_logger()
# After this many attempts that ended without a result, the work fails.
ATTEMPTS = 3
Work = TypeVar("Work")


@dataclass
class NodeRun(Generic[Work]):
    """Work that was assigned to a node. `id` is the id in the messages about it. `began` is the time at which it was assigned,
    as a value of `time.monotonic()`.
    """

    node: Node
    id: str
    work: Work
    began: float


class NodeRuns(SupervisedTask, ABC, Generic[Work]):
    """Assigns one kind of work to nodes. A subclass says which rows are this work, and stores its results."""

    # The types of the messages that nodes send about this work.
    heard: ClassVar[tuple[type, ...]]
    # A run counts as lost after this many seconds.
    limit_s: ClassVar[float]

    def __init__(self, db: Database, dispatcher: Dispatcher) -> None:
        super().__init__(self._run)
        self._has_ended = asyncio.Event()
        self._db, self._dispatcher = db, dispatcher
        self._runs: dict[str, NodeRun[Work]] = {}
        for kind in self.heard:
            dispatcher.on_run_message[kind] = self.on_message

    @abstractmethod
    def fits(self, node: Node) -> bool:
        """Return whether the node can do this work."""

    @abstractmethod
    async def take(self, session: AsyncSession, node: Node, token: str) -> tuple[str, Work, transport.ToNode] | None:
        """Choose the work that this node should do next, and mark it as running under this token. Returns the id in messages,
        the work and the message for the node, or None if no work waits for this node.
        """

    @abstractmethod
    async def running(self, session: AsyncSession) -> set[str]:
        """Return the tokens of all work that is marked as running."""

    @abstractmethod
    async def requeue(self, session: AsyncSession, tokens: Collection[str]) -> None:
        """Mark running work as waiting again."""

    @abstractmethod
    async def lose(self, session: AsyncSession, token: str, reason: str) -> None:
        """Requeue work whose run ended without a result, or mark it as failed after `ATTEMPTS` attempts."""

    @abstractmethod
    async def handle(self, run: NodeRun[Work], message: Any) -> bool:
        """Handle a message about a run. Returns whether the run has ended."""

    async def prepare(self) -> None:
        """Do what is necessary before waiting work can be assigned."""

    async def _run(self) -> None:
        while True:
            await self._round()
            # The next work is assigned as soon as a run ends.
            await pause_until(self._has_ended, self._dispatcher.settings.poll_s)

    async def _round(self) -> None:
        nodes = self._dispatcher.nodes.all()
        for token, run in list(self._runs.items()):
            if run.node not in nodes or time.monotonic() - run.began > self.limit_s:
                await self._give_up(token, "the node went away")
        await self._reconcile()
        await self.prepare()
        busy = {run.node.name for run in self._runs.values()}
        for node in self._dispatcher.nodes.all():
            if node.size and self.fits(node) and node.name not in busy:
                await self._assign(node)

    async def on_message(self, node: Node, message: Any) -> None:
        """Handle a node's message about a run. Messages about runs that are assigned to another node are ignored."""
        run = self._runs.get(message.token)
        if run is None or run.node is not node:
            return
        if fault := getattr(message, "fault", ""):
            log.error("node_run_fault", node=node.name, work=type(self).__name__, id=run.id, reason=fault)
            await self._give_up(message.token, fault)
        elif await self.handle(run, message):
            self._runs.pop(message.token, None)
            self._has_ended.set()

    async def _assign(self, node: Node) -> None:
        token = secrets.token_hex(12) + self._dispatcher.cluster.instance_id
        async with self._db.write() as session:
            taken = await self.take(session, node, token)
        if taken is not None:
            name, work, message = taken
            self._runs[token] = NodeRun(node, name, work, time.monotonic())
            node.outbox.put_nowait(message)

    async def _give_up(self, token: str, reason: str) -> None:
        run = self._runs.pop(token)
        run.node.outbox.put_nowait(transport.Cancel(run.id, token))
        async with self._db.write() as session:
            await self.lose(session, token, reason)

    async def _reconcile(self) -> None:
        """Requeue runs that another process of the service had assigned before it died. Cancel this process's runs whose rows
        were changed in the meantime, so that nobody waits for their results.
        """
        async with self._db.read() as session:
            running = await self.running(session)
        for token in self._runs.keys() - running:
            run = self._runs.pop(token)
            run.node.outbox.put_nowait(transport.Cancel(run.id, token))
        living = tuple(await self._dispatcher.cluster.alive() - {self._dispatcher.cluster.instance_id})
        lost = {token for token in running - self._runs.keys() if not token.endswith(living)}
        if lost:
            async with self._db.write() as session:
                await self.requeue(session, lost)
