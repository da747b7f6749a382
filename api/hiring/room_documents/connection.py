"""One connection of a client to a room. Messages wait in a queue until the client has read them."""

import asyncio
from dataclasses import dataclass, field

from starlette.websockets import WebSocket, WebSocketDisconnect

from api.hiring.room_documents.presence import Person

# If more than this waits for a client, it is disconnected. It then connects again, and gets only what it misses.
QUEUE_BYTES = 4 * 1024 * 1024
# Codes with which the service closes a connection. The first two mean that it is not worth trying again.
REFUSED, ENDED = 4403, 4410
BAD_MESSAGE, TOO_LARGE, TOO_FAST, FULL = 4400, 4413, 4429, 4409
# Standard codes: the client is to connect again, now or in a few seconds.
RESTART, TRY_LATER = 1012, 1013


@dataclass(eq=False)
class Connection:
    """A client. `stored` counts those of its changes of the document that are in the database."""

    person: Person
    may_write: bool
    stored: int = 0
    closing: tuple[int, str] | None = None
    _waiting: list[bytes] = field(default_factory=list)
    _size: int = 0
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def send(self, message: bytes) -> None:
        """Queue a message."""
        if self.closing is not None:
            return
        if self._size > QUEUE_BYTES:
            self.close(TRY_LATER, "The connection is too slow.")
            return
        self._waiting.append(message)
        self._size += len(message)
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Close the connection after the messages that wait. `reason` must be shorter than 120 bytes."""
        self.closing = self.closing or (code, reason)
        self._wake.set()

    async def deliver(self, socket: WebSocket) -> None:
        """Send messages until the connection is closed by either side."""
        try:
            while True:
                waiting, self._waiting, self._size = self._waiting, [], 0
                for message in waiting:
                    await socket.send_bytes(message)
                if self.closing is not None and not self._waiting:
                    await socket.close(*self.closing)
                    return
                if not self._waiting:
                    self._wake.clear()
                    await self._wake.wait()
        except (WebSocketDisconnect, RuntimeError):
            # The client has disconnected. The loop that reads its messages ends too.
            return


class Audience(set[Connection]):
    """The connections to a room."""

    def tell(self, message: bytes, but: Connection | None = None) -> None:
        for connection in self:
            if connection is not but:
                connection.send(message)

    def tell_interviewers(self, message: bytes) -> None:
        for connection in self:
            if connection.person.role == "interviewer":
                connection.send(message)

    def close(self, code: int, reason: str, but: Connection | None = None) -> None:
        for connection in self:
            if connection is not but:
                connection.close(code, reason)
