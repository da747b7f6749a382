"""Nodes on other machines: this service process at its end of the wire that grader/subjects.py tells of.

To the dispatcher such a node is one of its own, as long as this process is the node's home. Ends come out of a stream which all
processes share, and count by SQL alone; so it does not matter which of them takes one, or takes it twice.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
import structlog
from msgspec.structs import replace
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from api import VERSION
from api.background import Keeper
from api.ids import new_id
from api.judging import elsewhere, service, spans, tokens, verdicts
from api.judging.dispatcher import Dispatcher
from api.judging.listener import heard
from api.judging.nodes import CPU, CUDA, Node, devices_lacking
from api.judging.post import FAILED, Ended, Post
from api.settings import Settings
from grader import subjects, transport
from grader.kept import Kept
from grader.subjects import Joined, Welcome

log = structlog.get_logger()
TICK_S = 1.0
OFFER_S = 3.0
MOST_SLOTS = 1024
REMEMBERED = 1000
NO_NATS = "The way to the grading nodes is interrupted: nats-server does not answer."


@dataclass(eq=False)
class Far:
    """A node whose home this is. `instance` is one run of its program."""

    node: Node
    instance: str
    subscription: Subscription
    seen: float = field(default_factory=time.monotonic)
    sending: asyncio.Task[None] | None = None


class Remote(Keeper):
    """Started and stopped by the app; does nothing without GRADUS_NATS_URL."""

    def __init__(self, settings: Settings, dispatcher: Dispatcher, kept: Kept) -> None:
        super().__init__(self._run)
        self.home = new_id()
        self._settings, self._dispatcher = settings, dispatcher
        self._url = settings.nats_url.get_secret_value()
        self._post = Post(self.home, kept)
        self._far: dict[str, Far] = {}
        self._displaced: deque[str] = deque(maxlen=REMEMBERED)

    def start(self) -> None:
        """Begin, if there is a server to go to."""
        if self._url:
            super().start()

    async def stop(self) -> None:
        """Leave the nodes to other processes, or to the next run of this one, with what they judge."""
        await super().stop()

    async def _run(self) -> None:
        post, nodes = self._post, self._dispatcher.nodes
        if not self._settings.local_node:
            nodes.process_reason = NO_NATS
        try:
            await post.open(self._url, self._ended)
            await post.answer(subjects.hello("*"), self._greeted)
            await post.hear(subjects.JOINED, self._moved)
            await post.hear(subjects.OVER, self._over)
            log.info("nats_connected", home=self.home)
            while post.usable and not await post.is_forgotten():
                nodes.process_reason = None if post.connected or self._settings.local_node else NO_NATS
                await self._forget_silent()
                await asyncio.sleep(TICK_S)
        finally:
            for far in list(self._far.values()):
                await self._let_go(far)
            await post.close()
        raise ConnectionError("nats-server has closed the connection, or has lost what it had stored")

    async def _forget_silent(self) -> None:
        """A node that is silent for as long as a lease is gone; unless it is we who hear nothing."""
        for far in list(self._far.values()):
            if not self._post.connected:
                far.seen = time.monotonic()
            elif time.monotonic() - far.seen > self._settings.lease_s:
                log.warning("node_silent", node=far.node.name, seconds=self._settings.lease_s)
                await self._lose(far)

    async def _greeted(self, message: Msg) -> None:
        name = message.subject.rpartition(".")[2]
        welcome = await self._welcome(name, _instance(message), message.data)
        if welcome.refused:
            log.warning("node_refused", node=name, reason=welcome.refused)
        await message.respond(msgspec.json.encode(welcome))

    async def _welcome(self, name: str, instance: str, data: bytes) -> Welcome:
        try:
            hello = transport.read_from_node(data)
        except (ValueError, msgspec.MsgspecError):
            return Welcome(refused=f"The service (Gradus {VERSION}) cannot read what this node says.", final=True)
        if refusal := _refusal(name, hello):
            return Welcome(refused=refusal, final=True)
        if instance in self._displaced:
            text = f"Another node has joined with the token of «{name}» since. Give each node a token of its own."
            return Welcome(refused=text, final=True)
        async with self._dispatcher.db.write() as session:
            if not await tokens.joined(session, name):
                text = f"The token of «{name}» was revoked. An admin makes a new one: gradus nodes token {name}"
                return Welcome(refused=text, final=True)
        assert isinstance(hello, transport.Hello)
        await self._take_in(hello, instance)
        return Welcome(home=self.home)

    async def _take_in(self, hello: transport.Hello, instance: str) -> None:
        far = self._far.get(hello.node)
        if far is not None and far.instance == instance:
            far.node.hello, far.seen = hello, time.monotonic()
            return
        if far is not None:
            await self._displace(far)
        subscription = await self._post.hear(subjects.up(self.home, hello.node), self._heard)
        far = Far(Node(hello), instance, subscription)
        far.sending = asyncio.create_task(self._send(far))
        self._far[hello.node] = far
        self._dispatcher.nodes.add(far.node)
        await self._post.tell(subjects.JOINED, msgspec.json.encode(Joined(hello.node, instance, self.home)))
        log.info("node_connected", node=hello.node, device=hello.device, slots=hello.slots, gpus=hello.gpus, far=True)

    async def _moved(self, message: Msg) -> None:
        """A node has joined; if its home was here, it is so no longer."""
        joined = msgspec.json.decode(message.data, type=Joined)
        far = self._far.get(joined.node)
        if joined.home == self.home or far is None:
            return
        if far.instance == joined.instance:
            await self._let_go(far)
        else:
            await self._displace(far)

    async def _heard(self, message: Msg) -> None:
        far = self._far.get(message.subject.rpartition(".")[2])
        if far is None or far.instance != _instance(message):
            if message.reply:
                await message.respond(b"unknown")
            return
        far.seen = time.monotonic()
        if not message.data:
            await self._lose(far)
            return
        try:
            words = transport.all_from_node(message.data)
        except (ValueError, msgspec.MsgspecError) as error:
            log.error("node_sent_garbage", node=far.node.name, error=str(error)[:200])
            return
        for said in words:
            await self._hear_out(far, message, said)

    async def _hear_out(self, far: Far, message: Msg, said: transport.FromNode) -> None:
        if isinstance(said, transport.Heartbeat):
            await message.respond(b"known")
            await self._extend(far, said)
        elif isinstance(said, transport.Word):
            await heard(self._dispatcher, far.node, said)

    async def _extend(self, far: Far, beat: transport.Heartbeat) -> None:
        """Its leases hold on, whoever gave the jobs out; what was lost or cancelled meanwhile it may stop."""
        await heard(self._dispatcher, far.node, replace(beat, tokens=()))
        far.node.forget(set(beat.tokens), self._settings.lease_s)
        if not beat.tokens:
            return
        async with self._dispatcher.db.write() as session:
            held = await service.held(session, far.node.name, beat.tokens)
            await service.extend(session, held, self._settings.lease_s)
        for token in set(beat.tokens) - set(held):
            far.node.outbox.put_nowait(transport.Cancel("", token))

    async def _send(self, far: Far) -> None:
        """All that waits goes as one. A drain is for nodes that end with this process."""
        subject = subjects.down(far.node.name, far.instance)
        while True:
            messages = await subjects.all_of(far.node.outbox)
            offers = [message for message in messages if isinstance(message, transport.Offer)]
            cancels = [transport.body(message) for message in messages if isinstance(message, transport.Cancel)]
            await self._offer(far, subject, [ready for offer in offers if (ready := await self._ready(far, offer))])
            for parcel in subjects.parcels(cancels):
                await self._post.tell(subject, transport.parcel(parcel))

    async def _ready(self, far: Far, offer: transport.Offer) -> transport.Offer | None:
        """An offer of which the package is where the node can fetch it."""
        job = offer.job
        try:
            return replace(offer, checksum=await self._post.stored(job.digest))
        except (*FAILED, LookupError) as error:
            reason = f"{job.slug}: its package could not be stored for the nodes: {str(error) or type(error).__name__}"
            await self._dispatcher.faulted(far.node, transport.Fault(job.id, job.token, reason))
            return None

    async def _offer(self, far: Far, subject: str, offers: Sequence[transport.Offer]) -> None:
        for parcel in subjects.parcels(map(transport.body, offers)):
            some, offers = offers[: len(parcel)], offers[len(parcel) :]
            try:
                with spans.delivering(far.node.name, some):
                    await self._post.ask(subject, transport.parcel(parcel), OFFER_S)
            except FAILED as error:
                reason = f"the offer did not arrive: {str(error) or type(error).__name__}"
                for job in (offer.job for offer in some):
                    await self._dispatcher.refused(far.node, transport.Refused(job.id, job.token, reason))

    async def _ended(self, ends: Sequence[Ended]) -> None:
        """Judgements first: a node that is told to stop what it has judged already says that too. The process that gave out what
        was taken here is told.
        """
        others = [f"{name} {transport.token_of(end)}" for name, end in ends if not self._runs(name, end)]
        judged = [(name, end.judgement) for name, end in ends if isinstance(end, transport.Judged)]
        for name, judgement in judged:
            self._took(name, judgement.token)
        await verdicts.write(self._dispatcher, judged)
        for name, end in ends:
            if not isinstance(end, transport.Judged):
                await self._without_judgement(name, end)
        if others:
            await self._post.tell(subjects.OVER, "\n".join(others).encode())
        self._dispatcher.look()

    async def _without_judgement(self, name: str, end: transport.Fault | transport.Refused | transport.Stopped) -> None:
        if isinstance(end, transport.Fault):
            self._post.forget_stored()
        if self._runs(name, end):
            await heard(self._dispatcher, self._far[name].node, end)
        else:
            await elsewhere.ended(self._dispatcher, name, end)

    def _runs(self, name: str, end: transport.End) -> bool:
        far = self._far.get(name)
        return far is not None and transport.token_of(end) in far.node.running

    def _took(self, name: str, token: str) -> None:
        far = self._far.get(name)
        if far is not None:
            self._dispatcher.nodes.ended(far.node, token)

    async def _over(self, message: Msg) -> None:
        """Another process took the ends of attempts that were given out here."""
        for line in message.data.decode().splitlines():
            self._took(*line.split(" ", 1))
        self._dispatcher.look()

    async def _displace(self, far: Far) -> None:
        self._displaced.append(far.instance)
        log.warning("node_name_taken", node=far.node.name)
        await self._lose(far)

    async def _lose(self, far: Far) -> None:
        """It is gone: what it was judging is queued again."""
        log.info("node_disconnected", node=far.node.name, judging=len(far.node.running))
        await self._let_go(far)
        await self._dispatcher.disconnected(far.node)

    async def _let_go(self, far: Far) -> None:
        self._far.pop(far.node.name, None)
        self._dispatcher.nodes.remove(far.node)
        if far.sending is not None:
            far.sending.cancel()
        with contextlib.suppress(*FAILED):
            await far.subscription.unsubscribe()


def _instance(message: Msg) -> str:
    return str((message.headers or {}).get(subjects.INSTANCE, ""))[:64]


def _refusal(name: str, hello: transport.FromNode) -> str:
    """Why a node that says this is not wanted; empty when it is."""
    if not isinstance(hello, transport.Hello) or hello.node != name:
        return f"A node with the token of «{name}» says that it is another one."
    theirs = hello.versions.get("wire", "none")
    if theirs != subjects.WIRE:
        has = hello.versions.get("gradus", "an older Gradus")
        return (
            f"The node ({has}) speaks version {theirs} of the wire and the service ({VERSION}) version {subjects.WIRE}. "
            "Install the same Gradus on both."
        )
    slots = list(hello.slots.values())
    if hello.device not in (CPU, CUDA) or min(slots, default=-1) < 0 or not 0 < sum(slots) <= MOST_SLOTS:
        return f"The node says that it has {hello.slots} slots on {hello.device!r}; that cannot be."
    # One that names none has said so itself, and why: it goes on looking, and gets no jobs.
    return f"{devices_lacking(hello)}: a GPU has one tenant at a time." if hello.gpus and devices_lacking(hello) else ""
