"""A client of nats-server that tries again after every kind of failure, for the service and for nodes."""

import asyncio

from nats.aio.client import Client
from nats.aio.transport import TcpTransport

CLOSE_S = 1.0


class _Transport(TcpTransport):
    def __bool__(self) -> bool:
        """One that is not there yet would be replaced by nats-py's own."""
        return True

    async def wait_closed(self) -> None:
        """Where TLS does not come about, asyncio never tells that the connection has ended: it would wait for ever."""
        try:
            async with asyncio.timeout(CLOSE_S):
                await super().wait_closed()  # type: ignore[no-untyped-call]
        except TimeoutError:
            if self._bare_io_writer is not None:
                self._bare_io_writer.transport.abort()


def client() -> Client:
    """One that is not connected yet."""
    made = Client()
    made._transport = _Transport()  # type: ignore[no-untyped-call]
    return made
