"""Connects a node to nats-server, where the node authenticates with its key."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from nats import errors
from nats.aio.msg import Msg
from nats.js.errors import ObjectNotFoundError

from grader.contract import nats_client, subjects
from grader.contract.errors import PackageError
from grader.contract.nkey import public_key, sign

log = logging.getLogger(__name__)
# If nats-server refuses the node for more than this many seconds, the refusal is final. The delay is needed because nats-server
# learns of a new token only after some time.
PATIENCE_S = 10.0
PAUSE_S = 0.5
ANSWER_S = 5.0
# The errors that sending a message can raise. The message may have arrived even if one of them is raised.
NATS_ERRORS = (errors.Error, TimeoutError, OSError)


@dataclass(frozen=True)
class Access:
    """What a node needs to connect: the URL of nats-server, the node's name, and the seed of the node's key."""

    url: str
    node: str
    seed: str


class Rejected(Exception):
    """The service or nats-server rejects this node. The message says why and what to do."""


class NatsConnection:
    """A connection to nats-server. `instance` identifies this run of the program; messages contain it in `headers`."""

    def __init__(self, access: Access, instance: str) -> None:
        self.access, self.instance = access, instance
        self.headers = {subjects.INSTANCE: instance}
        self._client = nats_client.client()
        self._denied = asyncio.Event()
        self._denied_since = 0.0

    async def open(self, told: Callable[[Msg], Awaitable[None]]) -> None:
        """Connect, and retry without a time limit. `told` gets each message from the node's home. Raises `Rejected`."""
        access = self.access
        # To sign with a seed, nats-py would need a package that depends on libsodium. This program signs itself
        # (`signature_cb`), and sets the attribute that nats-py would otherwise set with that package.
        self._client._public_nkey = public_key(access.seed)
        connecting = asyncio.ensure_future(
            self._client.connect(
                access.url,
                name=f"node {access.node}",
                user="by",
                password="key",
                signature_cb=lambda nonce: sign(access.seed, nonce),
                inbox_prefix=subjects.inbox(access.node),
                max_reconnect_attempts=-1,
                reconnect_time_wait=1,
                ping_interval=10,
                max_outstanding_pings=2,
                error_cb=self._troubled,
                closed_cb=self._closed,
            )
        )
        denied = asyncio.ensure_future(self.denied())
        done, _ = await asyncio.wait({connecting, denied}, return_when=asyncio.FIRST_COMPLETED)
        if denied in done:
            connecting.cancel()
            denied.result()
        denied.cancel()
        await connecting
        self._stream = self._client.jetstream()
        await self._client.subscribe(subjects.down(access.node, self.instance), cb=told)

    async def denied(self) -> None:
        """Wait until nats-server has refused the node for so long that the refusal is final, then raise `Rejected`."""
        await self._denied.wait()
        raise Rejected(
            f"nats-server does not let {self.access.node} in: its token is wrong or was revoked. "
            f"An admin makes a new one: gradus nodes token {self.access.node}"
        )

    async def ask(self, subject: str, data: bytes) -> bytes:
        """Send a message and return the answer. Raises an error of `NATS_ERRORS`."""
        reply = await self._client.request(subject, data, timeout=ANSWER_S, headers=self.headers)
        self._denied_since = 0.0
        return reply.data

    async def tell(self, subject: str, data: bytes) -> None:
        """Send a message without waiting for its arrival. Errors are ignored."""
        with suppress(*NATS_ERRORS):
            await self._client.publish(subject, data, headers=self.headers)

    async def store(self, subject: str, data: bytes, name: str) -> None:
        """Store a message in JetStream. If this is called again with the same `name`, the message is stored only once. Raises
        an error of `NATS_ERRORS`.
        """
        await self._stream.publish(subject, data, timeout=ANSWER_S, headers={"Nats-Msg-Id": name})

    async def package(self, digest: str, checksum: str) -> bytes:
        """Fetch a package from the object store. Raises `PackageError`, or an error of `NATS_ERRORS`."""
        try:
            store = await self._stream.object_store(subjects.PACKAGES)
            found = await store.get(subjects.stored(digest, checksum))
        except ObjectNotFoundError:
            raise PackageError("it is not in the object store") from None
        return found.data or b""

    async def flush(self) -> None:
        """Wait until every message has been sent. Raises an error of `NATS_ERRORS`."""
        await self._client.flush(timeout=5)

    async def close(self) -> None:
        with suppress(*NATS_ERRORS):
            await asyncio.wait_for(self._client.close(), ANSWER_S)

    async def _troubled(self, error: Exception) -> None:
        said = str(error) or type(error).__name__
        log.warning("%s", said)
        # While the client is connecting, a refusal raises no AuthorizationError: only the text of the error shows the refusal.
        if "authorization violation" in said.lower() or isinstance(error, errors.AuthorizationError):
            self._denied_since = self._denied_since or time.monotonic()
            if time.monotonic() - self._denied_since > PATIENCE_S:
                self._denied.set()

    async def _closed(self) -> None:
        self._denied.set()
