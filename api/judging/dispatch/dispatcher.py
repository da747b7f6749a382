"""The dispatcher: offers queued submissions to nodes and records what the nodes report.

The dispatcher checks the queue whenever a submission arrives or a node reports free slots, and in any case every `poll_s`
seconds. A lost wake-up message therefore delays a submission but never blocks it. The rows in SQL are authoritative: an
event about a change is published only after the change is committed.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Annotated, Any

import structlog
from fastapi import Depends
from sqlalchemy import false, not_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.judging.dispatch import records
from api.judging.dispatch.attempts import Attempts
from api.judging.dispatch.connected_nodes import Node, Nodes
from api.judging.queue import claims, order, service
from api.judging.queue.claims import Capacity, ClaimPolicy, Claims
from api.judging.queue.seeds import Seeds
from api.judging.queue.service import Loss
from api.judging.submissions import history
from api.judging.submissions.events import EventHub
from api.judging.submissions.models import Judging, NodeDrain, NodeToken
from api.kit.cluster import Cluster
from api.kit.db.database import Database, now
from api.kit.http.provided import provided
from api.kit.supervised_task import SupervisedTask, pause, pause_until
from api.settings import Settings
from grader.contract import transport

log = structlog.get_logger()
HINT_EVERY_S = 1.0
Judged = Callable[[AsyncSession, Sequence[Judging]], Awaitable[None]]
RunMessageHandler = Callable[[Node, Any], Awaitable[None]]


class Dispatcher:
    """Offers queued submissions to connected nodes, and handles what nodes report about running attempts."""

    def __init__(
        self, settings: Settings, db: Database, store: CatalogueStore, hub: EventHub, cluster: Cluster
    ) -> None:
        self.settings, self.db, self.hub, self.cluster = settings, db, hub, cluster
        self.nodes = Nodes()
        self.attempts = Attempts(settings, db, self.nodes, hub, cluster)
        self.attempts.on_queued = self.wake
        # Functions that are called with newly judged rows, in the transaction that stores their judgements. Only rows whose
        # submission has the kind `submit` are passed.
        self.on_judged: list[Judged] = []
        # What handles messages of nodes about long-running work (long_running_work.py), by the type of the message.
        self.on_run_message: dict[type, RunMessageHandler] = {}
        self.store, self.seeds = store, Seeds()
        self._wake = asyncio.Event()
        self._draining = False
        self._tasks = [SupervisedTask(loop) for loop in (self._offer_loop, self._sweep, self._publish_positions)]

    async def start(self) -> None:
        """Requeue the attempts of local nodes whose service process no longer runs, then start the background tasks."""
        async with self.db.write() as session:
            await self.seeds.read(session)
        living = [Judging.token.endswith(instance_id) for instance_id in await self.cluster.alive()]
        # Nodes on other machines (`far`) continue to judge when the process that offered them the job has died, and may have
        # joined another process since. Their attempts are therefore not requeued. If such a node has died too, its leases
        # expire.
        far = Judging.node.in_(select(NodeToken.name)) if self.settings.nats_url.get_secret_value() else false()
        await self.attempts.lose(
            Loss("the service was restarted", avoid=False, cause="restart"), not_(or_(far, *living))
        )
        await self.read_drains()
        for task in self._tasks:
            task.start()

    async def stop(self) -> None:
        """Wait up to `node_drain_s` seconds for the nodes to finish their attempts. Return unfinished ones to the queue."""
        self._draining = True
        for node in self.nodes.all():
            node.outbox.put_nowait(transport.Drain())
        deadline = time.monotonic() + self.settings.node_drain_s
        while any(node.running for node in self.nodes.all()) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        for node in self.nodes.all():
            await self.attempts.give_back(node)
        for task in self._tasks:
            await task.stop()

    async def read_drains(self) -> None:
        """Read the drained nodes from SQL, because another process may have handled the admin's request."""
        async with self.db.read() as session:
            self.nodes.drain(set(await session.scalars(select(NodeDrain.name))))

    def wake(self) -> None:
        """Make this process and all others check the queue for jobs that their nodes can take."""
        self.look()
        self.cluster.broadcast("wake")

    def look(self) -> None:
        """Make this process check the queue for jobs that its nodes can take."""
        self._wake.set()

    async def _offer_loop(self) -> None:
        while True:
            await pause_until(self._wake, self.settings.poll_s)
            for node in self.nodes.all():
                # The queue is mostly empty when a node reports a free slot. A claim is a write transaction, and the verdict that
                # is stored at this moment would wait for it.
                if any(node.free) and not self._draining and await order.waits(self.db, node.device):
                    await self._offer(node)

    async def _offer(self, node: Node) -> None:
        capacity = Capacity(node.name, node.device, node.free, self.nodes.others(node), not node.running)
        store = self.store
        policy = ClaimPolicy(
            self.settings.lease_s,
            store.catalogue.known,
            store.pinned,
            self.cluster.instance_id,
            self.seeds.of,
        )
        since = now()
        async with self.db.write() as session:
            found = await claims.claim(session, capacity, policy)
        if node not in self.nodes.all():
            tokens = [claim.job.token for claim in found.claimed]
            await self.attempts.lose(Loss("the node went away"), Judging.token.in_(tokens))
        else:
            for claim in found.claimed:
                node.offer(claim, records.offered(node.name, claim, since))
        await self._publish_withdrawn(found)

    async def _publish_withdrawn(self, found: Claims) -> None:
        for submission_id in found.withdrawn:
            async with self.db.read() as session:
                row = await service.current(session, submission_id)
            if row is not None:
                self.attempts.publish_end(row, None)
        if found.withdrawn:
            self.wake()

    async def accepted(self, node: Node, message: transport.Accepted) -> None:
        """Record that a node accepted a job, and notify the clients that watch the submission."""
        if run := node.accepted(message.token):
            claim = run.claim
            self.hub.publish(claim.submission_id, history.judging(claim.number, claim.attempt))

    async def progressed(self, node: Node, message: transport.Progress) -> None:
        """Notify the clients that watch the submission that one test of a running job finished."""
        run = node.running.get(message.token)
        if run is not None:
            claim, progress = run.claim, (message.done, message.total, message.test)
            self.hub.publish(claim.submission_id, history.test_ended(claim.number, claim.attempt, progress))

    async def extend(self, node: Node, message: transport.Heartbeat) -> None:
        """Handle a node's heartbeat: store the numbers that the node reports, such as its cells and its speed, and extend the
        leases of its attempts.
        """
        tokens = [token for token in message.tokens if token in node.running]
        node.cells, node.spares = message.cells, message.spares
        node.starving, node.speed = message.starving, message.speed
        if tokens:
            async with self.db.write() as session:
                await service.extend(session, tokens, self.settings.lease_s)

    async def _sweep(self) -> None:
        while True:
            await pause(self.settings.sweep_s)
            # A lease is granted for `lease_s` seconds. One that ends more than twice that long from now can only exist because
            # the system clock was set back, so it counts as expired too. A node that is still working is not affected: each of
            # its heartbeats replaces its leases.
            over = or_(
                Judging.lease_until < now(), Judging.lease_until > now() + timedelta(seconds=2 * self.settings.lease_s)
            )
            await self.attempts.lose(Loss("its node stopped reporting", cause="lease"), over)
            await self.read_drains()

    async def _publish_positions(self) -> None:
        while True:
            await pause(HINT_EVERY_S)
            self.cluster.broadcast("sizes", self.nodes.own_sizes())
            watched = self.hub.waiting()
            if not watched:
                continue
            async with self.db.read() as session:
                places = await order.places(session)
            for submission_id in watched:
                if place := places.get(submission_id):
                    self.hub.hint(submission_id, history.waiting(self.nodes.wait(*place)))


DispatcherDep = Annotated[Dispatcher, Depends(provided(Dispatcher))]
