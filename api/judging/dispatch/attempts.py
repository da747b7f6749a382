"""Handles the end of attempts. An attempt is one node's try at judging a submission, and is identified by a token. It ends
with a judgement, because it was cancelled, or because it failed.

Every attempt that ends without a judgement is handled here. Its node may be connected to this process or to another one; in
the second case, this process knows the attempt only from SQL. Clients that watch the submission are notified after the commit.
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
        """Handle a message from a node of this process that one of its attempts ended without a judgement. The message has no
        effect on the attempt if the node is not running it.
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
        """Handle a node's message that an attempt ended which this process does not know: another process offered it, or this
        process did so before it was restarted. The message is ignored unless SQL says that the node still owns the attempt.
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
        """Count an attempt as lost because of a fault of the grader. The submitted answer did not cause the failure."""
        for each in self._nodes.all():
            each.faults += each.name == node
        log.error("judging_fault", node=node, judging=message.job_id, reason=message.reason, detail=message.detail)
        await self.lose(Loss(message.reason, counts=True, cause="fault"), Judging.token == message.token)

    async def disconnected(self, node: Node) -> None:
        """Remove a node that disconnected. Its attempts are lost at once, without waiting until their leases expire."""
        self._nodes.remove(node)
        tokens = list(node.running)
        node.running.clear()
        if tokens:
            await self.lose(Loss("the node went away"), Judging.token.in_(tokens))

    async def give_back(self, node: Node) -> None:
        """Return to the queue all attempts that a node is still running. They do not count as lost."""
        for token in list(node.running):
            node.running.pop(token, None)
            await self._release(token)

    async def lose(self, loss: Loss, *where: ColumnElement[bool]) -> None:
        """Count the attempts that meet the conditions `where` as lost. Their submissions return to the queue. After too many
        lost attempts, a submission gets the verdict JE (judge error) instead.
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
        """Finish a cancellation that is already stored in SQL: notify the clients that watch the submission, and stop the node
        that works on it.
        """
        self.publish_end(row, None)
        self._stop(row.id, row.token)

    def publish_end(self, row: Judging, judgement: Judgement | None) -> None:
        records.ended(row)
        since = now()
        self._hub.publish(row.submission_id, history.ended(row, judgement), final=True)
        self._hub.notify(row.account_id)
        spans.notified(row, since)

    def stop_here(self, judging_id: str, token: str) -> Node | None:
        """Tell the node that runs the attempt to stop, and return the node. Returns None if no node of this process runs it."""
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
