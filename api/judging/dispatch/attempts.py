"""Handles the end of attempts. An attempt is one node's try at judging a submission, identified by its token. It ends when it
is judged or cancelled, or when it fails without a judgement.

Every attempt that ends without a judgement is handled here, whether its node is connected to this process or the attempt is
known only from SQL. The clients that watch a submission are notified only after the commit.
"""

from collections.abc import Callable, Sequence

import structlog
from sqlalchemy import ColumnElement

from api.judging.dispatch import records, spans
from api.judging.dispatch.connected_nodes import Node, Nodes
from api.judging.queue import service
from api.judging.queue.service import Loss
from api.judging.submissions import history
from api.judging.submissions.events import EventHub
from api.judging.submissions.models import Judging, Status
from api.kit.cluster import Cluster
from api.kit.db.database import Database, now
from api.settings import Settings
from grader.contract import transport
from grader.contract.job import Judgement

log = structlog.get_logger()
WithoutJudgement = transport.Fault | transport.Refused | transport.Stopped


class Attempts:
    """Ends attempts in SQL, stops nodes that still work on them, and publishes the outcome."""

    def __init__(self, settings: Settings, db: Database, nodes: Nodes, hub: EventHub, cluster: Cluster) -> None:
        self._settings, self._db, self._nodes, self._hub, self._cluster = settings, db, nodes, hub, cluster
        # Called after an attempt has ended, because its submission may be in the queue again.
        self.on_queued: Callable[[], None] = lambda: None

    async def ended_at(self, node: Node, message: WithoutJudgement) -> None:
        """Handle a connected node's message that one of its attempts ended without a judgement. If the node is not running
        that attempt, the attempt does not change.
        """
        if isinstance(message, transport.Refused):
            log.info("offer_refused", node=node.name, judging=message.job_id, reason=message.reason)
            node.hold()
        if not node.running.pop(message.token, None):
            return
        if isinstance(message, transport.Fault):
            await self.fault(node.name, message)
        else:
            await self._release(message.token)

    async def ended_elsewhere(self, node: str, message: WithoutJudgement) -> None:
        """Handle the end of an attempt that was offered by another process, or by this process before a restart. SQL decides
        whether the message is still valid.
        """
        async with self._db.read() as session:
            held = await service.held(session, node, [message.token])
        if not held:
            log.info("late_end_discarded", node=node, end=type(message).__name__.lower())
        elif isinstance(message, transport.Fault):
            await self.fault(node, message)
        else:
            await self._release(message.token)
            self.on_queued()

    async def fault(self, node: str, message: transport.Fault) -> None:
        """Record that an attempt failed because of the grader, not because of the submitted answer, and count it as lost."""
        for each in self._nodes.all():
            each.faults += each.name == node
        log.error("judging_fault", node=node, judging=message.job_id, reason=message.reason, detail=message.detail)
        await self.lose(Loss(message.reason, counts=True, cause="fault"), Judging.token == message.token)

    async def disconnected(self, node: Node) -> None:
        """Remove a node that disconnected and return its attempts to the queue immediately."""
        self._nodes.remove(node)
        tokens = list(node.running)
        node.running.clear()
        if tokens:
            await self.lose(Loss("the node went away"), Judging.token.in_(tokens))

    async def give_back(self, node: Node) -> None:
        """Return all attempts that a node is still running to the queue. They do not count as lost."""
        for token in list(node.running):
            node.running.pop(token, None)
            await self._release(token)

    async def lose(self, loss: Loss, *where: ColumnElement[bool]) -> None:
        """Count these attempts as lost. Each submission returns to the queue or, after too many failed attempts, gets the
        verdict JE (judge error).
        """
        async with self._db.write() as session:
            rows = await service.being_judged(session, *where)
            owned = {row.id: row.token for row in rows}
            rows = await service.lose(session, rows, loss, self._settings)
        for row in rows:
            if node := self._stop(row.id, owned[row.id]):
                node.hold()
        self._publish_lost(rows, loss)

    def cancel(self, row: Judging) -> None:
        """Notify the node and the clients that watch the submission that a judging was cancelled in SQL."""
        self.publish_end(row, None)
        self._stop(row.id, row.token)

    def publish_end(self, row: Judging, judgement: Judgement | None) -> None:
        records.ended(row)
        since = now()
        self._hub.publish(row.submission_id, history.ended(row, judgement), final=True)
        self._hub.notify(row.account_id)
        spans.notified(row, since)

    def stop_here(self, judging_id: str, token: str) -> Node | None:
        """If a node of this process runs the attempt, tell it to stop and return the node; otherwise return None."""
        for node in self._nodes.all():
            if node.running.pop(token, None):
                node.outbox.put_nowait(transport.Cancel(judging_id, token))
                return node
        return None

    def _stop(self, judging_id: str, token: str | None) -> Node | None:
        node = self.stop_here(judging_id, token) if token else None
        if token and node is None:
            self._cluster.broadcast("stop", judging_id, token)
        return node

    async def _release(self, token: str) -> None:
        async with self._db.write() as session:
            await service.release(session, token)

    def _publish_lost(self, rows: Sequence[Judging], loss: Loss) -> None:
        for row in rows:
            records.lost(row, loss)
            if row.status == Status.JUDGED:
                self.publish_end(row, None)
            else:
                self._hub.publish(row.submission_id, history.queued_again(row.number, row.attempt), waits=True)
        self.on_queued()
