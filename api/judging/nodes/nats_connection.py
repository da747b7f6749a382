"""The connection of a service process to nats-server. It publishes and receives messages, reads the stream of attempt results,
and stores challenge packages for nodes.
"""

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

from grader.content.package_cache import PackageCache
from grader.contract import nats_client, subjects, transport

log = structlog.get_logger()
# The stream of attempt results. A message is dropped after an hour: by then, the lease of its attempt has long expired, and the
# submission was judged again or got a judge error. A full stream refuses new messages. Nodes then keep their results, and
# accept no more jobs.
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
# The name of the stream's durable consumer, which all processes of the service share.
READERS = "service"
ACK_WAIT_S = 30
# If a message is not acknowledged within ACK_WAIT_S seconds, nats-server sends it again. At most MAX_UNACKNOWLEDGED messages
# are delivered and not yet acknowledged, few enough that all of them can be stored within that time. WRITERS is the number of
# tasks that store messages.
MAX_UNACKNOWLEDGED = 16
WRITERS = 2
RETRY_S = 1.0
FAILED = (errors.Error, TimeoutError, OSError)
# The name of a node, and the message in which the node reports that one of its attempts ended.
Ended = tuple[str, transport.End]
Take = Callable[[Sequence[Ended]], Awaitable[None]]
Handler = Callable[[Msg], Awaitable[None]]


class NatsConnection:
    """The connection to nats-server. If it breaks, the client reconnects automatically. If `usable` is False, the client has
    given up, and `open` must be called again.
    """

    def __init__(self, home: str, kept: PackageCache) -> None:
        self._home, self._kept = home, kept
        self._client = nats_client.client()
        self._stored: dict[str, str] = {}
        self._doubtful = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def usable(self) -> bool:
        """Whether the client is connected or still trying to connect."""
        return not self._client.is_closed

    @property
    def connected(self) -> bool:
        """Whether the connection is up."""
        return self._client.is_connected

    async def open(self, url: str, take: Take) -> None:
        """Connect to nats-server, and start to pass attempt results to `take`, which stores them. If the connection breaks, the
        client tries to reconnect without a time limit. Raises `nats.errors.Error`. Raises `ValueError` if the server's limit
        for the size of a message is too low.
        """
        self._client = nats_client.client()
        self._stored.clear()
        self._doubtful = False
        await self._client.connect(
            url,
            name=f"gradus {self._home}",
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            ping_interval=10,
            max_outstanding_pings=2,
            error_cb=_on_error,
            reconnected_cb=self._reconnected,
        )
        if self._client.max_payload < subjects.MOST_BYTES:
            raise ValueError(
                f"nats-server must accept messages of {subjects.MOST_BYTES:,} bytes: set max_payload to 8MB"
            )
        stream = self._client.jetstream()
        await stream.add_stream(ENDS)
        self._store = await stream.create_object_store(subjects.PACKAGES, config=PACKAGES)
        config = ConsumerConfig(ack_wait=ACK_WAIT_S, max_ack_pending=MAX_UNACKNOWLEDGED)
        waiting: asyncio.Queue[Msg] = asyncio.Queue()
        self._tasks = [asyncio.create_task(_write_ends(waiting, take)) for _ in range(WRITERS)]
        self._reading = await stream.subscribe(
            subjects.END_OF_ANY, queue=READERS, stream=subjects.ENDS, cb=waiting.put, manual_ack=True, config=config
        )

    async def is_forgotten(self) -> bool:
        """Return whether the server lost the stream or its consumer, for example because it restarted with an empty disk."""
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
        for task in self._tasks:
            task.cancel()
        with contextlib.suppress(*FAILED):
            await asyncio.wait_for(self._client.close(), RETRY_S)

    async def subscribe_in_group(self, subject: str, handler: Handler) -> None:
        """Subscribe in a queue group, so that each message reaches only one process of the service."""
        await self._client.subscribe(subject, queue=READERS, cb=_logging_errors(handler))

    async def subscribe(self, subject: str, handler: Handler) -> Subscription:
        """Subscribe so that each message reaches every process of the service."""
        return await self._client.subscribe(subject, cb=_logging_errors(handler))

    async def publish(self, subject: str, data: bytes) -> None:
        """Publish a message without waiting for delivery. Connection errors are ignored."""
        with contextlib.suppress(*FAILED):
            await self._client.publish(subject, data)

    async def request(self, subject: str, data: bytes, seconds: float) -> bytes:
        """Send a request and return the response. Raises `nats.errors.Error`, `TimeoutError`."""
        return (await self._client.request(subject, data, timeout=seconds)).data

    async def stored(self, digest: str) -> str:
        """Upload the package with this digest to the object store unless it is there already, and return its SHA-256 checksum.
        Raises `nats.errors.Error`. Raises `LookupError` if the service does not have this version of the challenge.
        """
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
        """Forget which packages are in the object store, so that `stored` looks again. Called after a node has reported a
        fault, because the node may have been unable to fetch a package.
        """
        self._stored.clear()

    async def _reconnected(self) -> None:
        log.info("nats_connected_again")
        self._stored.clear()
        self._doubtful = True


async def _write_ends(waiting: asyncio.Queue[Msg], take: Take) -> None:
    """Store messages as they arrive; those that wait together are stored in one call. If that call fails, each result is stored
    separately, so that one bad result does not affect the others. A message is acknowledged only after all its results are in
    SQL. Storing a result twice does no harm.
    """
    while True:
        read = [(message, ends) for message in await subjects.all_of(waiting) if (ends := await _read(message))]
        together = await _is_taken([end for _, ends in read for end in ends], take)
        for message, ends in read:
            good = together or all([await _is_taken([end], take) for end in ends])
            await _acknowledge(message.ack() if good else message.nak(delay=RETRY_S))


async def _is_taken(ends: Sequence[Ended], take: Take) -> bool:
    try:
        await take(ends)
    except Exception:  # For example, the database is unreachable. nats-server sends the message again later.
        log.exception("ends_not_taken", nodes=[name for name, _ in ends])
        return False
    return True


async def _read(message: Msg) -> list[Ended]:
    """Return the results in a node's message. If the message is unreadable, return an empty list, and tell nats-server not to
    deliver the message again.
    """
    name = message.subject.rpartition(".")[2]
    try:
        return [(name, _end(said)) for said in transport.all_from_node(message.data)]
    except (ValueError, msgspec.MsgspecError) as error:
        log.error("node_sent_garbage", subject=message.subject, error=str(error)[:200])
        await _acknowledge(message.term())
        return []


def _end(said: transport.FromNode) -> transport.End:
    if not isinstance(said, transport.End):
        raise ValueError(f"{type(said).__name__} ends nothing")
    return said


async def _acknowledge(word: Awaitable[None]) -> None:
    """Send an acknowledgement, and ignore connection errors. If the acknowledgement is lost, nats-server sends the message
    again.
    """
    with contextlib.suppress(*FAILED):
        await word


def _logging_errors(handler: Handler) -> Handler:
    """Wrap a handler so that an exception is logged and later messages are still handled."""

    async def safe(message: Msg) -> None:
        try:
            await handler(message)
        except Exception:
            log.exception("message_failed", subject=message.subject)

    return safe


async def _on_error(error: Exception) -> None:
    log.warning("nats_trouble", error=str(error) or type(error).__name__)
