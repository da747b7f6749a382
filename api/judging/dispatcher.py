"""The dispatcher: gives queued judgings to nodes and writes down what comes back.

It wakes on a new submission, on a node's Ready, and every second anyway: SQL is the truth, waking is a courtesy.
Events are published only after the commit they tell of.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import structlog
from sqlalchemy import ColumnElement, false, not_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.background import keep
from api.catalogue.service import Shelf
from api.db import Database, now
from api.events import Hub
from api.judging import claims, queue, service, spans, story, trail
from api.judging.claims import Claims, Terms, Wish
from api.judging.models import Judging, NodeDrain, NodeToken, Status
from api.judging.nodes import Node, Nodes
from api.judging.service import Loss
from api.peers import Peers
from api.settings import Settings
from grader import transport
from grader.job import Job, Judgement, Policy
from grader.package import Package

log = structlog.get_logger()
HINT_EVERY_S = 1.0
Judged = Callable[[AsyncSession, Sequence[Judging]], Awaitable[None]]
GateHeard = Callable[[Node, transport.OfGate], Awaitable[None]]


class Dispatcher:
    """Holds what the judging of this service shares; started and stopped by the app."""

    def __init__(self, settings: Settings, db: Database, shelf: Shelf, hub: Hub, peers: Peers) -> None:
        self.settings, self.db, self.hub, self.peers = settings, db, hub, peers
        self.nodes = Nodes()
        # What else is written, in the same transaction, with judgements of submissions of the kind `submit`.
        self.on_judged: list[Judged] = []
        # Who hears of runs of the authoring gate.
        self.on_gate: GateHeard | None = None
        self._shelf = shelf
        self._wake = asyncio.Event()
        self._draining = False
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Queue again what processes of this service left in judging that live no more, then begin."""
        living = [Judging.token.endswith(mark) for mark in await self.peers.alive()]
        # Nodes on other machines go on while a service is away, and may have another one.
        far = Judging.node.in_(select(NodeToken.name)) if self.settings.nats_url.get_secret_value() else false()
        await self._lose(Loss("the service was restarted", avoid=False, cause="restart"), not_(or_(far, *living)))
        await self.read_drains()
        loops = (self._offer_loop, self._sweep, self._tell_positions)
        self._tasks = [asyncio.create_task(keep(loop)) for loop in loops]

    async def stop(self) -> None:
        """Let nodes finish what they have, give back the rest, and end."""
        self._draining = True
        for node in self.nodes.all():
            node.outbox.put_nowait(transport.Drain())
        deadline = time.monotonic() + self.settings.node_drain_s
        while any(node.running for node in self.nodes.all()) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        for node in self.nodes.all():
            for token in list(node.running):
                await self._release(node, token)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def read_drains(self) -> None:
        """Which nodes get no jobs: an admin may have said so to another process."""
        async with self.db.read() as session:
            self.nodes.drain(set(await session.scalars(select(NodeDrain.name))))

    def wake(self) -> None:
        """There may be something to give out, here or at another process."""
        self.look()
        self.peers.tell("wake")

    def look(self) -> None:
        """There may be something that a node of this process can take."""
        self._wake.set()

    async def _offer_loop(self) -> None:
        while True:
            # Not `wait_for`: on Python 3.11 it swallows being cancelled in the moment of a wake-up, and `stop` waits for ever.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.settings.poll_s):
                    await self._wake.wait()
            self._wake.clear()
            for node in self.nodes.all():
                if any(node.free) and not self._draining:
                    await self._offer(node)

    async def _offer(self, node: Node) -> None:
        kept, node.kept = tuple(node.kept), set()
        wish = Wish(node.name, node.device, node.free, self.nodes.others(node), not node.running, kept)
        shelf = self._shelf
        terms = Terms(
            self.settings.lease_s,
            Policy(self.settings.node_policy),
            shelf.catalogue.by_slug.get,
            shelf.pinned,
            self.peers.mark,
        )
        since = now()
        async with self.db.write() as session:
            found = await claims.claim(session, wish, terms)
        if node not in self.nodes.all():
            tokens = [claim.job.token for claim in found.claimed]
            await self._lose(Loss("the node went away"), Judging.token.in_(tokens))
        else:
            for claim in found.claimed:
                node.offer(claim, trail.offered(node.name, claim, since))
        await self._tell_withdrawn(found)

    async def _tell_withdrawn(self, found: Claims) -> None:
        for submission_id in found.withdrawn:
            async with self.db.read() as session:
                row = await service.current(session, submission_id)
            if row is not None:
                self.tell_end(row, None)
        if found.withdrawn:
            self.wake()

    async def accepted(self, node: Node, message: transport.Accepted) -> None:
        """A node took a job up."""
        if run := node.accepted(message.token):
            claim = run.claim
            self.hub.publish(claim.submission_id, story.judging(claim.number, claim.attempt))

    async def refused(self, node: Node, message: transport.Refused) -> None:
        """A node did not take a job: the claim is undone."""
        log.info("offer_refused", node=node.name, judging=message.job_id, reason=message.reason)
        node.hold()
        if message.token in node.running:
            await self._release(node, message.token)

    async def progressed(self, node: Node, message: transport.Progress) -> None:
        """A test has ended."""
        run = node.running.get(message.token)
        if run is not None:
            claim, progress = run.claim, (message.done, message.total, message.test)
            self.hub.publish(claim.submission_id, story.test_ended(claim.number, claim.attempt, progress))

    async def faulted(self, node: Node, message: transport.Fault) -> None:
        """A node could not judge a job through our fault."""
        if node.running.pop(message.token, None):
            await self.fault(node.name, message)

    async def fault(self, name: str, message: transport.Fault) -> None:
        """An attempt that was this node's has ended through our fault."""
        for node in self.nodes.all():
            node.faults += node.name == name
        log.error("judging_fault", node=name, judging=message.job_id, reason=message.reason, detail=message.detail)
        await self._lose(Loss(message.reason, counts=True, cause="fault"), Judging.token == message.token)

    async def stopped(self, node: Node, message: transport.Stopped) -> None:
        """A node let go of a job; if nobody had cancelled it, it goes back into the queue."""
        if message.token in node.running:
            await self._release(node, message.token)

    async def disconnected(self, node: Node) -> None:
        """A node is gone: what it was judging is queued again at once."""
        self.nodes.remove(node)
        tokens = list(node.running)
        node.running.clear()
        if tokens:
            await self._lose(Loss("the node went away"), Judging.token.in_(tokens))

    async def extend(self, node: Node, message: transport.Heartbeat) -> None:
        """A node is alive: its leases hold on."""
        tokens = [token for token in message.tokens if token in node.running]
        node.cells, node.spares = message.cells, message.spares
        if tokens:
            async with self.db.write() as session:
                await service.extend(session, tokens, self.settings.lease_s)

    def cancel(self, row: Judging) -> None:
        """Tell watchers and the node that a judging was cancelled in SQL."""
        self.tell_end(row, None)
        self._stop(row.id, row.token)

    def tell_end(self, row: Judging, judgement: Judgement | None) -> None:
        """Publish the final event of a judging."""
        trail.ended(row)
        since = now()
        self.hub.publish(row.submission_id, story.ended(row, judgement), final=True)
        self.hub.stir(row.account_id)
        spans.told(row, since)

    async def _release(self, node: Node, token: str) -> None:
        node.running.pop(token, None)
        async with self.db.write() as session:
            await service.release(session, token)

    async def _lose(self, loss: Loss, *where: ColumnElement[bool]) -> None:
        async with self.db.write() as session:
            rows = await service.being_judged(session, *where)
            owned = {row.id: row.token for row in rows}
            rows = await service.lose(session, rows, loss, self.settings)
        for row in rows:
            self._silence(row.id, owned[row.id])
        self._tell_lost(rows, loss)

    def _tell_lost(self, rows: Sequence[Judging], loss: Loss) -> None:
        for row in rows:
            trail.lost(row, loss)
            if row.status == Status.JUDGED:
                self.tell_end(row, None)
            else:
                self.hub.publish(row.submission_id, story.queued_again(row.number, row.attempt), waits=True)
        self.wake()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self.settings.sweep_s)
            # A lease far ahead was given before the clock was set back: who owns it reports again at once, if it lives.
            over = or_(
                Judging.lease_until < now(), Judging.lease_until > now() + timedelta(seconds=2 * self.settings.lease_s)
            )
            await self._lose(Loss("its node stopped reporting", cause="lease"), over)
            await self.read_drains()

    def _silence(self, judging_id: str, token: str | None) -> None:
        """Whoever still works on a lost attempt may stop."""
        if node := self._stop(judging_id, token):
            node.hold()

    def _stop(self, judging_id: str, token: str | None) -> Node | None:
        node = self.stop_here(judging_id, token) if token else None
        if token and node is None:
            self.peers.tell("stop", judging_id, token)
        return node

    def stop_here(self, judging_id: str, token: str) -> Node | None:
        """Have a node of this process stop; returns which one was at it."""
        for node in self.nodes.all():
            if node.running.pop(token, None):
                node.outbox.put_nowait(transport.Cancel(judging_id, token))
                return node
        return None

    async def _tell_positions(self) -> None:
        while True:
            await asyncio.sleep(HINT_EVERY_S)
            self.peers.tell("sizes", self.nodes.own_sizes())
            watched = self.hub.waiting()
            if not watched:
                continue
            async with self.db.read() as session:
                places = await queue.places(session)
            for submission_id in watched:
                if place := places.get(submission_id):
                    self.hub.hint(submission_id, story.waiting(self.nodes.wait(*place)))

    def package(self, job: Job) -> Package | None:
        """The challenge that a job is about; None when this version is no longer at hand."""
        challenge = self._shelf.pinned(job.slug, job.digest)
        return challenge.package if challenge else None
