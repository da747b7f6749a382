"""A node's connection to nats-server: with the node's key, for as long as the server wants it."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from nats import errors
from nats.aio.msg import Msg
from nats.js.errors import ObjectNotFoundError

from grader import dial, subjects
from grader.errors import PackageError
from grader.nkey import public_key, sign

log = logging.getLogger(__name__)
# A token that was made a moment ago may not have reached the server.
PATIENCE_S = 10.0
PAUSE_S = 0.5
ANSWER_S = 5.0
# What may go wrong with a message. It may have arrived all the same.
FAILED = (errors.Error, TimeoutError, OSError)


@dataclass(frozen=True)
class Access:
    """Where nats-server is, and who the node is there."""

    url: str
    node: str
    seed: str


class TurnedAway(Exception):
    """The service or the server does not want this node; the message says why and what to do."""


class Line:
    """One run's connection. `headers` name the run in every message."""

    def __init__(self, access: Access, instance: str) -> None:
        self.access, self.instance = access, instance
        self.headers = {subjects.INSTANCE: instance}
        self._client = dial.client()
        self._denied = asyncio.Event()
        self._denied_since = 0.0

    async def open(self, told: Callable[[Msg], Awaitable[None]]) -> None:
        """Connect, however long it takes; `told` gets what the home says. Raises `TurnedAway`."""
        access = self.access
        # The client signs with keys only through a package that needs libsodium; what it would set is set here.
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
        """Raises `TurnedAway` once the server does not let the node in."""
        await self._denied.wait()
        raise TurnedAway(
            f"nats-server does not let {self.access.node} in: its token is wrong or was revoked. "
            f"An admin makes a new one: gradus nodes token {self.access.node}"
        )

    async def ask(self, subject: str, data: bytes) -> bytes:
        """The answer to a message. Raises what is in `FAILED`."""
        reply = await self._client.request(subject, data, timeout=ANSWER_S, headers=self.headers)
        self._denied_since = 0.0
        return reply.data

    async def tell(self, subject: str, data: bytes) -> None:
        """Send a message; whether it arrives is not known."""
        with suppress(*FAILED):
            await self._client.publish(subject, data, headers=self.headers)

    async def store(self, subject: str, data: bytes, name: str) -> None:
        """Send a message that is stored once, however often it is sent. Raises what is in `FAILED`."""
        await self._stream.publish(subject, data, timeout=ANSWER_S, headers={"Nats-Msg-Id": name})

    async def package(self, digest: str, checksum: str) -> bytes:
        """A package of the object store. Raises `PackageError` and what is in `FAILED`."""
        try:
            store = await self._stream.object_store(subjects.PACKAGES)
            found = await store.get(subjects.stored(digest, checksum))
        except ObjectNotFoundError:
            raise PackageError("it is not in the object store") from None
        return found.data or b""

    async def flush(self) -> None:
        """Until what was told has left. Raises what is in `FAILED`."""
        await self._client.flush(timeout=5)

    async def close(self) -> None:
        """End the connection."""
        with suppress(*FAILED):
            await asyncio.wait_for(self._client.close(), ANSWER_S)

    async def _troubled(self, error: Exception) -> None:
        said = str(error) or type(error).__name__
        log.warning("%s", said)
        # While it connects, the client has no other name for it.
        if "authorization violation" in said.lower() or isinstance(error, errors.AuthorizationError):
            self._denied_since = self._denied_since or time.monotonic()
            if time.monotonic() - self._denied_since > PATIENCE_S:
                self._denied.set()

    async def _closed(self) -> None:
        self._denied.set()
