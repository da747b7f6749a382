"""A service process's connection to nats-server: messages, the stream of ends, the store of packages."""

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable, Callable, Sequence

import msgspec
import structlog
from nats import errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js.api import ConsumerConfig, DiscardPolicy, ObjectStoreConfig, RetentionPolicy, StreamConfig
from nats.js.errors import NotFoundError, ObjectNotFoundError

from grader import dial, subjects, transport
from grader.kept import Kept

log = structlog.get_logger()
# Ends that nobody has taken in an hour were decided by their leases long ago. A full stream refuses new ones; nodes keep
# them and take no more jobs.
ENDS = StreamConfig(
    name=subjects.ENDS,
    subjects=[subjects.END_OF_ANY],
    retention=RetentionPolicy.WORK_QUEUE,
    discard=DiscardPolicy.NEW,
    max_age=3600,
    max_bytes=512 << 20,
    duplicate_window=120,
)
PACKAGES = ObjectStoreConfig(bucket=subjects.PACKAGES, max_bytes=2 << 30, ttl=30 * 24 * 3600)
# The name of what reads the stream, shared by all processes.
READERS = "service"
TAKE_S = 30
# So many parcels may be with the processes at a time: all they tell is written down before it would be told again. And so many
# turns of writing down.
UNTAKEN = 16
AT_ONCE = 2
AGAIN_S = 1.0
FAILED = (errors.Error, TimeoutError, OSError)
# The name of a node, and how it says that an attempt has ended.
Ended = tuple[str, transport.End]
Take = Callable[[Sequence[Ended]], Awaitable[None]]
Told = Callable[[Msg], Awaitable[None]]


class Post:
    """Opened anew after each end of a connection that the client does not mend itself."""

    def __init__(self, home: str, kept: Kept) -> None:
        self._home, self._kept = home, kept
        self._client = dial.client()
        self._stored: dict[str, str] = {}
        self._doubtful = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def usable(self) -> bool:
        """Whether the client still tries."""
        return not self._client.is_closed

    @property
    def connected(self) -> bool:
        """Whether the server answers at present."""
        return self._client.is_connected

    async def open(self, url: str, take: Take) -> None:
        """Connect, however long it takes, and read the ends of attempts. Raises `nats.errors.Error`."""
        self._client = dial.client()
        self._stored.clear()
        self._doubtful = False
        await self._client.connect(
            url,
            name=f"gradus {self._home}",
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            ping_interval=10,
            max_outstanding_pings=2,
            error_cb=_troubled,
            reconnected_cb=self._reconnected,
        )
        if self._client.max_payload < subjects.MOST_BYTES:
            raise ValueError(f"nats-server must carry {subjects.MOST_BYTES:,} bytes a message: set max_payload to 8MB")
        stream = self._client.jetstream()
        await stream.add_stream(ENDS)
        self._store = await stream.create_object_store(subjects.PACKAGES, config=PACKAGES)
        config = ConsumerConfig(ack_wait=TAKE_S, max_ack_pending=UNTAKEN)
        waiting: asyncio.Queue[Msg] = asyncio.Queue()
        self._tasks = [asyncio.create_task(_take_all(waiting, take)) for _ in range(AT_ONCE)]
        self._reading = await stream.subscribe(
            subjects.END_OF_ANY, queue=READERS, stream=subjects.ENDS, cb=waiting.put, manual_ack=True, config=config
        )

    async def is_forgotten(self) -> bool:
        """Whether a server that was away has come back without what was opened there: on an empty disk, say."""
        if self._doubtful and self.connected:
            try:
                found = await self._client.jetstream().consumer_info(subjects.ENDS, READERS)
            except NotFoundError:
                return True
            except (errors.Error, TimeoutError, OSError):
                return False
            self._doubtful = False
            return bool(found.config.deliver_subject != self._reading.subject)
        return False

    async def close(self) -> None:
        """End the connection."""
        for task in self._tasks:
            task.cancel()
        with contextlib.suppress(*FAILED):
            await asyncio.wait_for(self._client.close(), AGAIN_S)

    async def answer(self, subject: str, told: Told) -> None:
        """Hear messages of which one process is enough."""
        await self._client.subscribe(subject, queue=READERS, cb=_safely(told))

    async def hear(self, subject: str, told: Told) -> Subscription:
        """Hear all messages."""
        return await self._client.subscribe(subject, cb=_safely(told))

    async def tell(self, subject: str, data: bytes) -> None:
        """Send a message; whether it arrives is not known."""
        with contextlib.suppress(*FAILED):
            await self._client.publish(subject, data)

    async def ask(self, subject: str, data: bytes, seconds: float) -> bytes:
        """The answer to a message. Raises `nats.errors.Error`, `TimeoutError`."""
        return (await self._client.request(subject, data, timeout=seconds)).data

    async def stored(self, digest: str) -> str:
        """Have a package in the store; returns its checksum. Raises `LookupError`, `nats.errors.Error`."""
        if digest not in self._stored:
            data = await asyncio.to_thread(self._kept.bytes_of, digest)
            if data is None:
                raise LookupError("the service does not have this version")
            checksum = hashlib.sha256(data).hexdigest()
            name = subjects.stored(digest, checksum)
            try:
                await self._store.get_info(name)
            except ObjectNotFoundError:
                await self._store.put(name, data)
            self._stored[digest] = checksum
        return self._stored[digest]

    def forget_stored(self) -> None:
        """Look again whether a package is in the store when it is wanted next: a node could not get one."""
        self._stored.clear()

    async def _reconnected(self) -> None:
        log.info("nats_connected_again")
        self._stored.clear()
        self._doubtful = True


async def _take_all(waiting: asyncio.Queue[Msg], take: Take) -> None:
    """All that waits is written down together; if that fails, each end by itself, so that none spoils it for others. Messages
    are acknowledged once all they tell is in SQL. What comes again changes nothing there.
    """
    while True:
        read = [(message, ends) for message in await subjects.all_of(waiting) if (ends := await _read(message))]
        together = await _is_taken([end for _, ends in read for end in ends], take)
        for message, ends in read:
            good = together or all([await _is_taken([end], take) for end in ends])
            await _settle(message.ack() if good else message.nak(delay=AGAIN_S))


async def _is_taken(ends: Sequence[Ended], take: Take) -> bool:
    try:
        await take(ends)
    except Exception:  # the database, say: it is told again
        log.exception("ends_not_taken", nodes=[name for name, _ in ends])
        return False
    return True


async def _read(message: Msg) -> list[Ended]:
    """What a node tells; nothing, if it is garbage, and then it is not told again."""
    name = message.subject.rpartition(".")[2]
    try:
        return [(name, _end(said)) for said in transport.all_from_node(message.data)]
    except (ValueError, msgspec.MsgspecError) as error:
        log.error("node_sent_garbage", subject=message.subject, error=str(error)[:200])
        await _settle(message.term())
        return []


def _end(said: transport.FromNode) -> transport.End:
    if not isinstance(said, transport.End):
        raise ValueError(f"{type(said).__name__} ends nothing")
    return said


async def _settle(word: Awaitable[None]) -> None:
    """Whether nats-server hears it is not known; if not, it sends the message again."""
    with contextlib.suppress(*FAILED):
        await word


def _safely(told: Told) -> Told:
    """One message that goes wrong is logged; those after it are heard."""

    async def safe(message: Msg) -> None:
        try:
            await told(message)
        except Exception:
            log.exception("message_failed", subject=message.subject)

    return safe


async def _troubled(error: Exception) -> None:
    log.warning("nats_trouble", error=str(error) or type(error).__name__)
