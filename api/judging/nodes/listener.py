"""Listens on the Unix socket through which local nodes connect. Only the operating system user that runs the service may open
it. Each connection has one task that reads and one that writes.
"""

import asyncio
import contextlib
from collections.abc import Awaitable
from pathlib import Path

import msgspec
import structlog

from api.judging.dispatch import spans, verdicts
from api.judging.dispatch.connected_nodes import Node
from api.judging.dispatch.dispatcher import Dispatcher
from grader.contract import transport
from grader.contract.measurement import Measured, Measuring
from grader.contract.transport import FromNode

log = structlog.get_logger()
HELLO_WITHIN_S = 10
SEND_WITHIN_S = 30


class NodeListener:
    def __init__(self, dispatcher: Dispatcher, path: Path) -> None:
        self._dispatcher, self._path = dispatcher, path
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start listening. Replaces a socket file that an earlier process left behind."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()
        self._server = await asyncio.start_unix_server(self._connected, path=self._path, limit=1 << 20)
        self._path.chmod(0o600)

    async def stop(self) -> None:
        """Close the socket and every connection."""
        if self._server is not None:
            self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.current_task()
        assert connection is not None
        self._connections.add(connection)
        try:
            await self._serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
            pass
        except (ValueError, msgspec.MsgspecError) as error:
            log.error("node_sent_garbage", error=str(error))
        finally:
            self._connections.discard(connection)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hello = await asyncio.wait_for(transport.receive_from_node(reader), HELLO_WITHIN_S)
        if not isinstance(hello, transport.Hello):
            raise ValueError(f"a node must say hello first, not {type(hello).__name__}")
        node = Node(hello)
        if node.name in [known.name for known in self._dispatcher.nodes.all()]:
            log.warning("node_name_taken", node=node.name)
        self._dispatcher.nodes.add(node)
        log.info("node_connected", node=node.name, device=hello.device, slots=hello.slots)
        sending = asyncio.create_task(_send(node, writer))
        try:
            while True:
                await handle_message(self._dispatcher, node, await transport.receive_from_node(reader))
        finally:
            sending.cancel()
            log.info("node_disconnected", node=node.name, judging=len(node.running))
            await self._dispatcher.attempts.disconnected(node)


async def handle_message(dispatcher: Dispatcher, node: Node, message: FromNode) -> None:
    """Handle a message that a node sent after it has joined, over the socket or NATS. Raises `ValueError` for a message that is
    only allowed while a node joins.
    """
    match message:
        case transport.Ready():
            node.report(message)
            dispatcher.look()
        case transport.Unavailable():
            log.warning("node_unavailable", node=node.name, reason=message.reason)
            node.reason = message.reason
        case transport.Traced():
            spans.at_node(node.name, message)
        case transport.Proving() | transport.Proved() | Measuring() | Measured():
            if handler := dispatcher.on_run_message.get(type(message)):
                await handler(node, message)
        case _:
            await _about_a_job(dispatcher, node, message)


def _about_a_job(dispatcher: Dispatcher, node: Node, message: FromNode) -> Awaitable[None]:
    match message:
        case transport.Accepted():
            return dispatcher.accepted(node, message)
        case transport.Progress():
            return dispatcher.progressed(node, message)
        case transport.Judged():
            return verdicts.judged(dispatcher, node, message.judgement)
        case transport.Fault() | transport.Refused() | transport.Stopped():
            return dispatcher.attempts.ended_at(node, message)
        case transport.Heartbeat():
            return dispatcher.extend(node, message)
    raise ValueError(f"unexpected {type(message).__name__}")


async def _send(node: Node, writer: asyncio.StreamWriter) -> None:
    """Send messages to a node as they arrive in its outbox. A node that reads nothing for SEND_WITHIN_S seconds is
    disconnected.
    """
    try:
        while True:
            writer.write(transport.pack(await node.outbox.get()))
            await asyncio.wait_for(writer.drain(), SEND_WITHIN_S)
    except (ConnectionError, TimeoutError):
        writer.transport.abort()
