"""A node's end of the wire of subjects.py: between NATS and the socket on which the node itself speaks.

The node (node.py) does not know how far away its service is. This bridge joins it to a service process, and to another one
when that is gone; fetches packages; tells ends until they are stored; and gives it no jobs while there is doubt about it.
"""

import asyncio
import logging
import socket
import threading
import time
import uuid
from collections.abc import Coroutine
from contextlib import suppress

import msgspec
from msgspec.structs import replace
from nats.aio.msg import Msg

from grader import selftest, subjects, transport
from grader.errors import PackageError
from grader.fitness import Fitness
from grader.job import Job
from grader.kept import Kept
from grader.line import ANSWER_S, FAILED, PAUSE_S, Access, Line, TurnedAway
from grader.subjects import Welcome

log = logging.getLogger(__name__)
FETCH_S = 30.0
# So long an end is told again until it is stored; its lease has decided by then.
TELL_S = 120.0
NOTHING_FREE = transport.Ready(0, 0)
# One that fills a parcel by itself.
LARGEST = subjects.MOST_BYTES - 2
CAPACITY = transport.Ready | transport.Unavailable


class Bridge:
    """One node's bridge, in a thread of its own. `labels` are told to admins; `refusal` says why it ended, unless it was asked
    to.
    """

    def __init__(self, access: Access, node: socket.socket, kept: Kept, labels: dict[str, str]) -> None:
        self.refusal = ""
        self._access, self._socket, self._kept, self._labels = access, node, kept, labels
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._work, name="nats")
        self._hello: transport.Hello | None = None
        self._capacity: transport.Ready | transport.Unavailable = NOTHING_FREE
        self._beat = transport.Heartbeat(())
        self._home, self._leaving, self._untold = "", False, 0
        self._tasks: set[asyncio.Task[None]] = set()
        # Digests of packages that are here.
        self._here: set[str] = set()

    def start(self) -> None:
        """Begin to join."""
        self._kept.keep(selftest.PACKAGE)
        self._thread.start()

    def drain(self) -> None:
        """Have the node finish what it has and take nothing more; from any thread, or from a signal's handler."""
        with suppress(RuntimeError):  # it has ended already
            self._loop.call_soon_threadsafe(self._drain)

    def join(self, seconds: float) -> None:
        """Wait until everything is told."""
        self._thread.join(seconds)

    def _work(self) -> None:
        try:
            self._loop.run_until_complete(self._run())
        finally:
            self._loop.close()

    async def _run(self) -> None:
        self._line = Line(self._access, uuid.uuid4().hex)
        self._fit = Fitness(self._say, self._tell_capacity)
        self._due, self._fetching = asyncio.Event(), asyncio.Lock()
        self._ends: asyncio.Queue[transport.End] = asyncio.Queue()
        self._words: asyncio.Queue[transport.FromNode] = asyncio.Queue()
        reader, self._writer = await asyncio.open_unix_connection(sock=self._socket)
        try:
            await self._line.open(self._told)
            await self._until_one_ends(reader)
        except TurnedAway as refused:
            self.refusal = str(refused)
        except Exception as error:  # whatever it is, the node must not go on alone
            log.exception("the wire to the service failed")
            self.refusal = f"The wire to the service failed: {error}"
        finally:
            self._writer.close()
            await self._line.close()

    async def _until_one_ends(self, reader: asyncio.StreamReader) -> None:
        """Listening ends when the node has ended; everything else ends by an exception only."""
        telling = (self._speak(), self._tell_ends(), self._stay_joined())
        loops = (self._listen(reader), *telling, self._fit.watch(), self._line.denied())
        running = {asyncio.create_task(loop) for loop in loops}
        ended, going_on = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        with suppress(*FAILED):
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
                self._hello, self._fit.device = replace(message, versions=versions), message.device
                self._due.set()
            elif isinstance(message, transport.Ready | transport.Unavailable):
                self._capacity = message
                self._fit.room(message.short + message.any if isinstance(message, transport.Ready) else 0)
                self._tell_capacity()
            elif isinstance(message, transport.Heartbeat):
                tokens = tuple(token for token in message.tokens if not self._fit.is_test(token))
                self._beat = replace(message, tokens=tokens)
                self._due.set()
            elif isinstance(message, transport.End):
                self._ended(message)
            elif not isinstance(message, transport.OfGate) and not self._fit.is_test(message.token):
                self._words.put_nowait(message)

    def _tell_capacity(self) -> None:
        """Nothing is free while an end is not stored, or while there is doubt about the node."""
        told = self._capacity
        if isinstance(told, transport.Ready) and self._fit.doubtful:
            told = transport.Unavailable(self._fit.why)
        elif isinstance(told, transport.Ready) and (self._leaving or self._untold):
            told = NOTHING_FREE
        self._words.put_nowait(told)

    async def _speak(self) -> None:
        """All that waits goes as one; of what is said about capacity, the last word."""
        while True:
            words = await subjects.all_of(self._words)
            last = max((n for n, word in enumerate(words) if isinstance(word, CAPACITY)), default=-1)
            said = [word for n, word in enumerate(words) if n == last or not isinstance(word, CAPACITY)]
            for parcel in subjects.parcels(map(transport.body, said)):
                if self._home:
                    subject = subjects.up(self._home, self._access.node)
                    await self._line.tell(subject, transport.parcel(parcel))

    async def _stay_joined(self) -> None:
        """A home answers every heartbeat; who gets no answer looks for another one."""
        while True:
            await self._due.wait()
            self._due.clear()
            if self._hello is None:
                continue
            if self._home and not await self._is_known():
                self._home = ""
            if not self._home:
                await self._join(self._hello)

    async def _is_known(self) -> bool:
        try:
            beat = transport.parcel([transport.body(self._beat)])
            answer = await self._line.ask(subjects.up(self._home, self._access.node), beat)
        except FAILED:
            return False
        return answer == b"known"

    async def _join(self, hello: transport.Hello) -> None:
        try:
            answer = await self._line.ask(subjects.hello(self._access.node), transport.body(hello))
            welcome = msgspec.json.decode(answer, type=Welcome)
        except (*FAILED, msgspec.MsgspecError) as error:
            log.warning("no service answers: %s", str(error) or type(error).__name__)
            await asyncio.sleep(PAUSE_S)
            self._due.set()
            return
        if welcome.refused:
            if welcome.final:
                raise TurnedAway(welcome.refused)
            log.warning("not joined: %s", welcome.refused)
            return
        self._home = welcome.home
        log.info("joined as %s", self._access.node)
        self._tell_capacity()

    async def _told(self, message: Msg) -> None:
        """The home says something. Offers are answered as soon as they are here: they were not lost."""
        if message.reply:
            await message.respond(b"here")
        for told in transport.all_to_node(message.data):
            if isinstance(told, transport.Offer) and (self._leaving or told.job.digest not in self._here):
                self._aside(self._take(told))
            elif isinstance(told, transport.Offer | transport.Cancel):
                self._say(told)

    async def _take(self, offer: transport.Offer) -> None:
        job = offer.job
        if self._leaving:
            self._ended(transport.Refused(job.id, job.token, "the node drains"))
            return
        try:
            async with self._fetching, asyncio.timeout(FETCH_S):
                await self._fetch(job, offer.checksum)
        except (PackageError, *FAILED) as error:
            reason = f"{job.slug}: its package could not be fetched: {str(error) or type(error).__name__}"
            self._ended(transport.Fault(job.id, job.token, reason[:500]))
        else:
            self._say(offer)

    async def _fetch(self, job: Job, checksum: str) -> None:
        if await asyncio.to_thread(self._kept.get, job.digest) is None:
            data = await self._line.package(job.digest, checksum)
            await asyncio.to_thread(self._kept.fetched, job.digest, checksum, data)
        self._here.add(job.digest)

    def _aside(self, deed: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(deed)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _say(self, message: transport.ToNode) -> None:
        self._writer.write(transport.pack(message))

    def _drain(self) -> None:
        self._leaving = True
        self._say(transport.Drain())

    def _ended(self, message: transport.End) -> None:
        if not self._fit.ended(message):
            self._untold += 1
            self._ends.put_nowait(message)

    async def _tell_ends(self) -> None:
        while True:
            ends = await subjects.all_of(self._ends)
            for parcel in subjects.parcels(map(_body, ends)):
                await self._tell(transport.parcel(parcel), len(parcel))
            self._untold -= len(ends)
            for _ in ends:
                self._ends.task_done()
            if not self._untold:
                self._tell_capacity()

    async def _tell(self, data: bytes, count: int) -> None:
        name = uuid.uuid4().hex
        until = time.monotonic() + TELL_S
        while time.monotonic() < until:
            try:
                await self._line.store(subjects.end(self._access.node), data, name)
                return
            except FAILED as error:
                log.warning("an end is not stored yet: %s", str(error) or type(error).__name__)
                await asyncio.sleep(PAUSE_S)
        log.error("%d ends could not be told for %.0f s; they are judged again", count, TELL_S)

    async def _say_goodbye(self) -> None:
        """What has ended is told before the node is gone; an empty message means that it is."""
        await asyncio.wait_for(self._ends.join(), ANSWER_S)
        if self._home:
            await self._line.tell(subjects.up(self._home, self._access.node), b"")
            await self._line.flush()


def _body(message: transport.End) -> bytes:
    data = transport.body(message)
    if len(data) <= LARGEST or not isinstance(message, transport.Judged):
        return data
    reason = f"the judgement has {len(data):,} bytes, more than the wire carries ({LARGEST:,})"
    return transport.body(transport.Fault(message.judgement.job_id, transport.token_of(message), reason))
