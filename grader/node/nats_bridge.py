"""Connects a node to a service over NATS (see grader/contract/subjects.py).

A node (node.py) always talks to its service over a local socket. If the service is on another machine, this bridge is at the
other end of the socket, and passes messages on over NATS. The bridge also joins the node to a service process, fetches
packages, repeats reports of outcomes until they are stored, and keeps jobs away from the node until the node has passed its
self-test.
"""

import asyncio
import logging
import socket
import threading
import uuid
from collections.abc import Coroutine
from contextlib import suppress

from msgspec.structs import replace
from nats.aio.msg import Msg

from grader.content.package_cache import PackageCache
from grader.contract import subjects, transport
from grader.contract.errors import PackageError
from grader.contract.measurement import Measure, Measured
from grader.node import selftest
from grader.node.end_reporter import EndReporter
from grader.node.fitness import Fitness
from grader.node.home import Home
from grader.node.nats_connection import NATS_ERRORS, Access, NatsConnection, Rejected

log = logging.getLogger(__name__)
FETCH_S = 30.0
NOTHING_FREE = transport.Ready(0, 0)
DRAINING = "the node drains"
CAPACITY = transport.Ready | transport.Unavailable


class NatsBridge:
    """The bridge of one node, which runs in a separate thread.

    `labels` are facts about the machine that admins see. If the bridge ended because of a rejection or an error, `refusal` says
    why. It is empty if the node ended on request.
    """

    def __init__(self, access: Access, node: socket.socket, kept: PackageCache, labels: dict[str, str]) -> None:
        self.refusal = ""
        self._access, self._socket, self._kept, self._labels = access, node, kept, labels
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._work, name="nats")
        self._capacity: transport.Ready | transport.Unavailable = NOTHING_FREE
        self._leaving = False
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start the thread, which connects to the service."""
        self._kept.keep(selftest.PACKAGE)
        self._thread.start()

    def drain(self) -> None:
        """Let the node finish its jobs, and give it no new jobs. May be called from any thread, or from a signal handler."""
        # Raised if the event loop is closed, which means that the bridge has already ended.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._drain)

    def join(self, seconds: float) -> None:
        """Wait up to `seconds` for the thread to end. Before it ends, the thread reports the outcome of every job."""
        self._thread.join(seconds)

    def _work(self) -> None:
        try:
            self._loop.run_until_complete(self._run())
        finally:
            self._loop.close()

    async def _run(self) -> None:
        self._connection = NatsConnection(self._access, uuid.uuid4().hex)
        self._fitness = Fitness(self._say, self._tell_capacity)
        self._packages = PackageFetcher(self._kept, self._connection)
        self._ends = EndReporter(self._connection, self._tell_capacity)
        self._home = Home(self._connection, self._tell_capacity)
        self._words: asyncio.Queue[transport.FromNode] = asyncio.Queue()
        reader, self._writer = await asyncio.open_unix_connection(sock=self._socket)
        try:
            await self._connection.open(self._received)
            await self._until_one_ends(reader)
        except Rejected as refused:
            self.refusal = str(refused)
        except Exception as error:  # whatever the error is, the node must end: without the bridge it gets no jobs
            log.exception("the wire to the service failed")
            self.refusal = f"The wire to the service failed: {error}"
        finally:
            self._writer.close()
            await self._connection.close()

    async def _until_one_ends(self, reader: asyncio.StreamReader) -> None:
        """Run all loops until one of them ends. `_listen` ends when the node closes its socket. The other loops end only with
        an exception.
        """
        sending = (self._send_words(), self._ends.run(), self._home.run())
        loops = (self._listen(reader), *sending, self._fitness.watch(), self._connection.denied())
        running = {asyncio.create_task(loop) for loop in loops}
        ended, going_on = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        with suppress(*NATS_ERRORS):
            await self._say_goodbye()
        for task in going_on:
            task.cancel()
        for task in ended:
            task.result()

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        while True:
            try:
                message = await transport.receive_from_node(reader)
            except (asyncio.IncompleteReadError, ConnectionError):
                return
            if isinstance(message, transport.Hello):
                versions = {**message.versions, **self._labels, "wire": subjects.WIRE}
                self._fitness.device = message.device
                self._home.hello(replace(message, versions=versions))
            elif isinstance(message, transport.Ready | transport.Unavailable):
                self._capacity = message
                self._fitness.room(message.short + message.any if isinstance(message, transport.Ready) else 0)
                self._tell_capacity()
            elif isinstance(message, transport.Heartbeat):
                tokens = tuple(token for token in message.tokens if not self._fitness.is_test(token))
                self._home.beat(replace(message, tokens=tokens))
            elif isinstance(message, transport.End):
                self._ended(message)
            elif not isinstance(message, transport.OfGate) and not self._fitness.is_test(message.token):
                self._words.put_nowait(message)

    def _tell_capacity(self) -> None:
        """Report the number of free slots to the service. While the node is leaving, or the report of an outcome is not stored
        yet, the number is reported as 0. While the node must first pass a self-test, the node is reported as unavailable.
        """
        capacity = self._capacity
        if isinstance(capacity, transport.Ready) and self._fitness.doubtful:
            capacity = transport.Unavailable(self._fitness.why)
        elif isinstance(capacity, transport.Ready) and (self._leaving or self._ends.pending):
            capacity = NOTHING_FREE
        self._words.put_nowait(capacity)

    async def _send_words(self) -> None:
        """Send queued messages, packed into parcels. If several capacity messages are queued, only the latest is sent."""
        while True:
            words = await subjects.all_of(self._words)
            for parcel in subjects.parcels(map(transport.body, _without_old_capacities(words))):
                if self._home.name:
                    await self._connection.tell(self._home.subject, transport.parcel(parcel))

    async def _received(self, message: Msg) -> None:
        """Handle a message from the home. If the home asks for confirmation, first confirm that the message has arrived."""
        if message.reply:
            await message.respond(b"here")
        for each in transport.all_to_node(message.data):
            if isinstance(each, transport.Offer) and (self._leaving or not self._packages.has(each.job.digest)):
                self._run_task(self._take(each))
            elif isinstance(each, Measure):
                self._run_task(self._measure(each))
            elif isinstance(each, transport.Offer | transport.Cancel):
                self._say(each)

    async def _take(self, offer: transport.Offer) -> None:
        job = offer.job
        if self._leaving:
            self._ended(transport.Refused(job.id, job.token, DRAINING))
        elif problem := await self._packages.fetch(job.slug, job.digest, offer.checksum):
            self._ended(transport.Fault(job.id, job.token, problem))
        else:
            self._say(offer)

    async def _measure(self, asked: Measure) -> None:
        """Pass on a request for a measurement, once the package is there. Its result is not repeated until it is stored, unlike
        a judgement: if it is lost, the service has the answer measured again.
        """
        problem = DRAINING if self._leaving else await self._packages.fetch(asked.slug, asked.digest, asked.checksum)
        if problem:
            self._words.put_nowait(Measured(asked.id, asked.token, fault=problem))
        else:
            self._say(asked)

    def _run_task(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _say(self, message: transport.ToNode) -> None:
        self._writer.write(transport.pack(message))

    def _drain(self) -> None:
        self._leaving = True
        self._say(transport.Drain())

    def _ended(self, message: transport.End) -> None:
        if not self._fitness.ended(message):
            self._ends.add(message)

    async def _say_goodbye(self) -> None:
        """Report the outcomes of all jobs, then send an empty message, which tells the home that the node has left."""
        await self._ends.finish()
        if self._home.name:
            await self._connection.tell(self._home.subject, b"")
            await self._connection.flush()


def _without_old_capacities(words: list[transport.FromNode]) -> list[transport.FromNode]:
    last = max((n for n, word in enumerate(words) if isinstance(word, CAPACITY)), default=-1)
    return [word for n, word in enumerate(words) if n == last or not isinstance(word, CAPACITY)]


class PackageFetcher:
    """Fetches packages from the object store into the cache, one at a time."""

    def __init__(self, kept: PackageCache, connection: NatsConnection) -> None:
        self._kept, self._connection = kept, connection
        self._digests: set[str] = set()
        self._fetching = asyncio.Lock()

    def has(self, digest: str) -> bool:
        """Return whether `fetch` has already succeeded for this digest since the node started."""
        return digest in self._digests

    async def fetch(self, slug: str, digest: str, checksum: str) -> str:
        """Fetch a package unless it is cached. Returns why that failed, or an empty string."""
        try:
            async with self._fetching, asyncio.timeout(FETCH_S):
                if await asyncio.to_thread(self._kept.get, digest) is None:
                    data = await self._connection.package(digest, checksum)
                    await asyncio.to_thread(self._kept.keep_fetched, digest, checksum, data)
        except (PackageError, *NATS_ERRORS) as error:
            return f"{slug}: its package could not be fetched: {str(error) or type(error).__name__}"[:500]
        self._digests.add(digest)
        return ""
