"""Creates clients of nats-server, for the service and for nodes. A client reconnects after every kind of failure."""

import asyncio

from nats.aio.client import Client
from nats.aio.transport import TcpTransport

# Seconds that `wait_closed` waits for a connection to close before it aborts the connection.
CLOSE_S = 1.0


class _Transport(TcpTransport):
    def __bool__(self) -> bool:
        """Return true, even while the transport is not connected. Otherwise nats-py would replace this object, because it
        replaces a transport that is falsy.
        """
        return True

    async def wait_closed(self) -> None:
        """Wait at most CLOSE_S seconds for the connection to close, then abort it. After a failed TLS handshake, asyncio never
        reports that a connection has closed.
        """
        try:
            async with asyncio.timeout(CLOSE_S):
                await super().wait_closed()  # type: ignore[no-untyped-call]
        except TimeoutError:
            if self._bare_io_writer is not None:
                self._bare_io_writer.transport.abort()


def client() -> Client:
    """Create a client. It is not connected yet."""
    made = Client()
    made._transport = _Transport()  # type: ignore[no-untyped-call]
    return made
