"""The remote nodes that have joined this process, and the messages that are sent to them."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog
from msgspec.structs import replace
from nats.aio.subscription import Subscription

from api.judging.dispatch import spans
from api.judging.dispatch.connected_nodes import Node
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.nodes.nats_connection import FAILED, NatsConnection
from grader.contract import subjects, transport
from grader.contract.measurement import Measure, Measured

log = structlog.get_logger()
# Seconds within which a node must acknowledge an offer. If it does not, the job counts as refused.
OFFER_S = 3.0
# An instance is one run of the node program. An instance whose name was taken by another node is refused if it tries to join
# again. This is the maximum number of such instances that are remembered.
REMEMBERED = 1000


@dataclass(eq=False)
class RemoteNode:
    """A node that has joined this process. `instance` identifies one run of the node program. `seen` is the monotonic time of
    its last message.
    """

    node: Node
    instance: str
    subscription: Subscription
    seen: float = field(default_factory=time.monotonic)
    sending: asyncio.Task[None] | None = None


class RemoteNodes:
    """Adds and removes remote nodes, and sends them offers and cancellations."""

    def __init__(self, dispatcher: Dispatcher, connection: NatsConnection) -> None:
        self._dispatcher, self._connection = dispatcher, connection
        self._nodes: dict[str, RemoteNode] = {}
        self._displaced: deque[str] = deque(maxlen=REMEMBERED)

    def get(self, name: str) -> RemoteNode | None:
        """Return the node of this name, or None if it has not joined this process."""
        return self._nodes.get(name)

    def all(self) -> list[RemoteNode]:
        return list(self._nodes.values())

    def was_displaced(self, instance: str) -> bool:
        """Return whether this instance was replaced by another node that joined with the same name."""
        return instance in self._displaced

    def runs(self, name: str, token: str) -> bool:
        """Return whether this process offered the attempt to this node and does not know yet that the attempt ended."""
        remote = self._nodes.get(name)
        return remote is not None and token in remote.node.running

    def forget_attempt(self, name: str, token: str) -> None:
        """Record that an attempt of this node ended, which frees its slot."""
        remote = self._nodes.get(name)
        if remote is not None:
            self._dispatcher.nodes.ended(remote.node, token)

    def add(self, hello: transport.Hello, instance: str, subscription: Subscription) -> None:
        """Add a node and start sending it offers."""
        remote = RemoteNode(Node(hello), instance, subscription)
        remote.sending = asyncio.create_task(self._send(remote))
        self._nodes[hello.node] = remote
        self._dispatcher.nodes.add(remote.node)

    async def displace(self, remote: RemoteNode) -> None:
        """Treat a node as lost, because another node has joined with the same name. If the lost node tries to join again, it
        is refused.
        """
        self._displaced.append(remote.instance)
        log.warning("node_name_taken", node=remote.node.name)
        await self.lose(remote)

    async def lose(self, remote: RemoteNode) -> None:
        """Remove a node and count its attempts as lost, which normally returns them to the queue."""
        log.info("node_disconnected", node=remote.node.name, judging=len(remote.node.running))
        await self.release(remote)
        await self._dispatcher.attempts.disconnected(remote.node)

    async def release(self, remote: RemoteNode) -> None:
        """Remove a node from this process, for example because it has joined another process. The attempts of the node are not
        affected.
        """
        self._nodes.pop(remote.node.name, None)
        self._dispatcher.nodes.remove(remote.node)
        if remote.sending is not None:
            remote.sending.cancel()
        with contextlib.suppress(*FAILED):
            await remote.subscription.unsubscribe()

    async def _send(self, remote: RemoteNode) -> None:
        """Send messages to a node as they arrive in its outbox; those that wait together are sent in batches. Drain messages
        are skipped, because only local nodes stop together with this process.
        """
        subject = subjects.down(remote.node.name, remote.instance)
        while True:
            messages = await subjects.all_of(remote.node.outbox)
            offers = [message for message in messages if isinstance(message, transport.Offer)]
            others = [transport.body(message) for message in messages if isinstance(message, transport.Cancel)]
            await self._offer(
                remote, subject, [ready for offer in offers if (ready := await self._ready(remote, offer))]
            )
            for message in messages:
                if isinstance(message, Measure):
                    others += await self._measure(remote, message)
            for parcel in subjects.parcels(others):
                await self._connection.publish(subject, transport.parcel(parcel))

    async def _ready(self, remote: RemoteNode, offer: transport.Offer) -> transport.Offer | None:
        """Make sure that the challenge package of an offer is stored where the node can fetch it. Return the offer with the
        checksum of the package. If the package cannot be stored, record a fault and return None.
        """
        job = offer.job
        try:
            return replace(offer, checksum=await self._connection.stored(job.digest))
        except (*FAILED, LookupError) as error:
            reason = f"{job.slug}: its package could not be stored for the nodes: {str(error) or type(error).__name__}"
            await self._dispatcher.attempts.ended_at(remote.node, transport.Fault(job.id, job.token, reason))
            return None

    async def _measure(self, remote: RemoteNode, message: Measure) -> list[bytes]:
        """Make sure that the challenge package of a measurement is stored where the node can fetch it. Return the message with
        the checksum of the package. If the package cannot be stored, record a fault and return nothing.
        """
        try:
            return [transport.body(replace(message, checksum=await self._connection.stored(message.digest)))]
        except (*FAILED, LookupError) as error:
            reason = f"its package could not be stored for the nodes: {str(error) or type(error).__name__}"
            handler = self._dispatcher.on_run_message[Measured]
            await handler(remote.node, Measured(message.id, message.token, fault=reason))
            return []

    async def _offer(self, remote: RemoteNode, subject: str, offers: Sequence[transport.Offer]) -> None:
        for parcel in subjects.parcels(map(transport.body, offers)):
            some, offers = offers[: len(parcel)], offers[len(parcel) :]
            try:
                with spans.delivering(remote.node.name, some):
                    await self._connection.request(subject, transport.parcel(parcel), OFFER_S)
            except FAILED as error:
                reason = f"the offer did not arrive: {str(error) or type(error).__name__}"
                for job in (offer.job for offer in some):
                    await self._dispatcher.attempts.ended_at(remote.node, transport.Refused(job.id, job.token, reason))
