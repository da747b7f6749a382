"""Connects nodes on other machines through NATS. This is the service's end of the protocol in grader/contract/subjects.py.

A remote node joins one service process, its home. The dispatcher of that process treats it like a local node. Results of
attempts do not go to the home: they arrive in a stream that all processes read together, and SQL decides whether a result is
still valid. It therefore does not matter which process reads a result, or whether it is read twice.
"""

import time
from collections.abc import Sequence

import msgspec
import structlog
from msgspec.structs import replace
from nats.aio.msg import Msg

from api import VERSION
from api.judging.dispatch import verdicts
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.nodes import expected, tokens
from api.judging.nodes.join_requirements import refusal
from api.judging.nodes.listener import handle_message
from api.judging.nodes.nats_connection import Ended, NatsConnection
from api.judging.nodes.remote_nodes import RemoteNode, RemoteNodes
from api.judging.queue import service
from api.kit.ids import new_id
from api.kit.supervised_task import SupervisedTask, pause
from api.settings import Settings
from grader.content.package_cache import PackageCache
from grader.contract import subjects, transport
from grader.contract.subjects import Joined, Welcome

log = structlog.get_logger()
TICK_S = 1.0
NO_NATS = "The way to the grading nodes is interrupted: nats-server does not answer."


class NodeMessages:
    """Handles the messages that a remote node sends to its home, the service process that it has joined: heartbeats, progress,
    and the message that the node leaves.
    """

    def __init__(self, settings: Settings, dispatcher: Dispatcher, nodes: RemoteNodes) -> None:
        self._settings, self._dispatcher, self._nodes = settings, dispatcher, nodes

    async def handle(self, message: Msg) -> None:
        """Handle a message from a node. An empty message means that the node leaves. If the node has not joined this process,
        the reply is `unknown`.
        """
        remote = self._nodes.get(message.subject.rpartition(".")[2])
        if remote is None or remote.instance != _instance(message):
            if message.reply:
                await message.respond(b"unknown")
            return
        remote.seen = time.monotonic()
        if not message.data:
            await self._nodes.lose(remote)
            return
        try:
            parts = transport.all_from_node(message.data)
        except (ValueError, msgspec.MsgspecError) as error:
            log.error("node_sent_garbage", node=remote.node.name, error=str(error)[:200])
            return
        for part in parts:
            await self._handle_part(remote, message, part)

    async def _handle_part(self, remote: RemoteNode, message: Msg, part: transport.FromNode) -> None:
        if isinstance(part, transport.Heartbeat):
            await message.respond(b"known")
            await self._extend(remote, part)
        elif isinstance(part, transport.Word):
            await handle_message(self._dispatcher, remote.node, part)

    async def _extend(self, remote: RemoteNode, beat: transport.Heartbeat) -> None:
        """Extend the leases of the attempts that a node reports as running, no matter which process offered them. Tell the node
        to stop those that were lost or cancelled.
        """
        await handle_message(self._dispatcher, remote.node, replace(beat, tokens=()))
        remote.node.forget(set(beat.tokens), self._settings.lease_s)
        if not beat.tokens:
            return
        async with self._dispatcher.db.write() as session:
            held = await service.held(session, remote.node.name, beat.tokens)
            await service.extend(session, held, self._settings.lease_s)
        for token in set(beat.tokens) - set(held):
            remote.node.outbox.put_nowait(transport.Cancel("", token))


class Remote(SupervisedTask):
    """Lets remote nodes join this process over NATS. Does nothing without GRADUS_NATS_URL."""

    def __init__(self, settings: Settings, dispatcher: Dispatcher, kept: PackageCache) -> None:
        super().__init__(self._run)
        self.home = new_id()
        self._settings, self._dispatcher = settings, dispatcher
        self._url = settings.nats_url.get_secret_value()
        self._connection = NatsConnection(self.home, kept)
        self._nodes = RemoteNodes(dispatcher, self._connection)
        self._messages = NodeMessages(settings, dispatcher, self._nodes)
        self._recorded_at = 0.0

    def start(self) -> None:
        """Start the loop if a NATS server is configured."""
        if self._url:
            super().start()

    async def stop(self) -> None:
        """Stop the loop. The nodes continue their attempts. They join another process of the service, or the service once it
        has been restarted.
        """
        await super().stop()

    async def _run(self) -> None:
        connection, nodes = self._connection, self._dispatcher.nodes
        if not self._settings.local_node:
            nodes.process_reason = NO_NATS
        try:
            await connection.open(self._url, self._on_ends)
            await connection.subscribe_in_group(subjects.hello("*"), self._on_hello)
            await connection.subscribe(subjects.JOINED, self._on_joined)
            await connection.subscribe(subjects.OVER, self._on_over)
            log.info("nats_connected", home=self.home)
            while connection.usable and not await connection.is_forgotten():
                nodes.process_reason = None if connection.connected or self._settings.local_node else NO_NATS
                await self._forget_silent()
                await self._record_connected()
                await pause(TICK_S)
        finally:
            for remote in self._nodes.all():
                await self._nodes.release(remote)
            await connection.close()
        raise ConnectionError("nats-server has closed the connection, or has lost what it had stored")

    async def _forget_silent(self) -> None:
        """Treat a node as lost if it has sent nothing for `lease_s` seconds. The count restarts if this process's own connection
        to NATS was down.
        """
        for remote in self._nodes.all():
            if not self._connection.connected:
                remote.seen = time.monotonic()
            elif time.monotonic() - remote.seen > self._settings.lease_s:
                log.warning("node_silent", node=remote.node.name, seconds=self._settings.lease_s)
                await self._nodes.lose(remote)

    async def _record_connected(self) -> None:
        """Record the connected nodes in the database, for the other processes and for admins."""
        nodes = self._nodes.all()
        if nodes and time.monotonic() - self._recorded_at >= expected.SEEN_EVERY_S:
            async with self._dispatcher.db.write() as session:
                await tokens.seen(session, {remote.node.name: remote.node.device for remote in nodes})
            self._recorded_at = time.monotonic()

    async def _on_hello(self, message: Msg) -> None:
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
        if wrong := refusal(name, hello):
            return Welcome(refused=wrong, final=True)
        if self._nodes.was_displaced(instance):
            text = f"Another node has joined with the token of «{name}» since. Give each node a token of its own."
            return Welcome(refused=text, final=True)
        assert isinstance(hello, transport.Hello)
        async with self._dispatcher.db.write() as session:
            if not await tokens.joined(session, name, hello.device):
                text = f"The token of «{name}» was revoked. An admin makes a new one: gradus nodes token {name}"
                return Welcome(refused=text, final=True)
        await self._add_node(hello, instance)
        return Welcome(home=self.home)

    async def _add_node(self, hello: transport.Hello, instance: str) -> None:
        remote = self._nodes.get(hello.node)
        if remote is not None and remote.instance == instance:
            remote.node.hello, remote.seen = hello, time.monotonic()
            return
        if remote is not None:
            await self._nodes.displace(remote)
        subscription = await self._connection.subscribe(subjects.up(self.home, hello.node), self._messages.handle)
        self._nodes.add(hello, instance, subscription)
        await self._connection.publish(subjects.JOINED, msgspec.json.encode(Joined(hello.node, instance, self.home)))
        log.info(
            "node_connected", node=hello.node, device=hello.device, slots=hello.slots, gpus=hello.gpus, remote=True
        )

    async def _on_joined(self, message: Msg) -> None:
        """Handle the message that a node has joined a process. If a node of this process has moved to another process, release
        it. If another machine has joined there with the name of a node of this process, treat the node of this process as lost.
        """
        joined = msgspec.json.decode(message.data, type=Joined)
        remote = self._nodes.get(joined.node)
        if joined.home == self.home or remote is None:
            return
        if remote.instance == joined.instance:
            await self._nodes.release(remote)
        else:
            await self._nodes.displace(remote)

    async def _on_ends(self, ends: Sequence[Ended]) -> None:
        """Store what nodes report about attempts that have ended, and tell the processes that offered them.

        Judgements are stored first. If a node is told to stop an attempt that it has just judged, it reports both a judgement
        and a stop for this attempt, and the judgement must win.
        """
        others = [
            f"{name} {transport.token_of(end)}"
            for name, end in ends
            if not self._nodes.runs(name, transport.token_of(end))
        ]
        judged = [(name, end.judgement) for name, end in ends if isinstance(end, transport.Judged)]
        for name, judgement in judged:
            self._nodes.forget_attempt(name, judgement.token)
        await verdicts.write(self._dispatcher, judged)
        for name, end in ends:
            if not isinstance(end, transport.Judged):
                await self._without_judgement(name, end)
        if others:
            await self._connection.publish(subjects.OVER, "\n".join(others).encode())
        self._dispatcher.look()

    async def _without_judgement(self, name: str, end: transport.Fault | transport.Refused | transport.Stopped) -> None:
        if isinstance(end, transport.Fault):
            self._connection.forget_stored()
        remote = self._nodes.get(name)
        if remote is not None and end.token in remote.node.running:
            await self._dispatcher.attempts.ended_at(remote.node, end)
        else:
            await self._dispatcher.attempts.ended_elsewhere(name, end)

    async def _on_over(self, message: Msg) -> None:
        """Forget attempts that this process offered, because another process has stored that they ended."""
        for line in message.data.decode().splitlines():
            self._nodes.forget_attempt(*line.split(" ", 1))
        self._dispatcher.look()


def _instance(message: Msg) -> str:
    return str((message.headers or {}).get(subjects.INSTANCE, ""))[:64]
