"""Joins a node to a service process, which is then the node's home. If that process is lost, joins the node to another service
process.
"""

import asyncio
import logging
from collections.abc import Callable

import msgspec

from grader.contract import subjects, transport
from grader.contract.subjects import Welcome
from grader.node.nats_connection import NATS_ERRORS, PAUSE_S, NatsConnection, Rejected

log = logging.getLogger(__name__)


class Home:
    """Keeps a node joined to a service process, its home. Calls `joined` after each join. `name` is the home's name, empty
    while the node has no home.
    """

    def __init__(self, connection: NatsConnection, joined: Callable[[], None]) -> None:
        self._connection = connection
        self._joined = joined
        self._due = asyncio.Event()
        self._hello: transport.Hello | None = None
        self._beat = transport.Heartbeat(())
        self.name = ""

    @property
    def subject(self) -> str:
        """The NATS subject for messages to the home."""
        return subjects.up(self.name, self._connection.access.node)

    def hello(self, hello: transport.Hello) -> None:
        """Set the message with which the node joins a service process. `run` sends it."""
        self._hello = hello
        self._due.set()

    def beat(self, heartbeat: transport.Heartbeat) -> None:
        """Set the heartbeat to send next, and wake `run`. If the node has a home, `run` sends the heartbeat to this home. If
        not, `run` joins one.
        """
        self._beat = heartbeat
        self._due.set()

    async def run(self) -> None:
        """Join a service process, and send heartbeats to it. If a heartbeat is not answered, join again. Raises `Rejected`."""
        while True:
            await self._due.wait()
            self._due.clear()
            if self._hello is None:
                continue
            if self.name and not await self._answers():
                self.name = ""
            if not self.name:
                await self._join(self._hello)

    async def _answers(self) -> bool:
        try:
            beat = transport.parcel([transport.body(self._beat)])
            answer = await self._connection.ask(self.subject, beat)
        except NATS_ERRORS:
            return False
        return answer == b"known"

    async def _join(self, hello: transport.Hello) -> None:
        node = self._connection.access.node
        try:
            answer = await self._connection.ask(subjects.hello(node), transport.body(hello))
            welcome = msgspec.json.decode(answer, type=Welcome)
        except (*NATS_ERRORS, msgspec.MsgspecError) as error:
            log.warning("no service answers: %s", str(error) or type(error).__name__)
            await asyncio.sleep(PAUSE_S)
            self._due.set()
            return
        if welcome.refused:
            if welcome.final:
                raise Rejected(welcome.refused)
            log.warning("not joined: %s", welcome.refused)
            return
        self.name = welcome.home
        log.info("joined as %s", node)
        self._joined()
