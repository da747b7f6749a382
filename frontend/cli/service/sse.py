"""Parses server-sent events from chunks of bytes, as the HTML standard of the WHATWG describes it in «Interpreting an event
stream».
"""

from dataclasses import dataclass

from frontend.cli.failure import Failure

MAX_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class Event:
    """An event. `name` is its type, and `data` is its text."""

    name: str
    data: str


class Reader:
    """Parses a stream chunk by chunk. `last_id` is the last event id that the stream sent, and `retry_s` is the pause in
    seconds that the stream asked for before a reconnection."""

    def __init__(self) -> None:
        self.last_id, self.retry_s = "", 1.0
        self.restart()

    def restart(self) -> None:
        """Prepares the reader for a new connection. Drops an incomplete event of the old connection, and keeps `last_id`."""
        self._rest, self._first, self._after_return = b"", True, False
        self._name, self._data = "", list[str]()
        self._size = 0

    def feed(self, chunk: bytes) -> list[Event]:
        """Returns the events that this chunk completes. Raises `Failure` if an event grows too large."""
        if self._after_return and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        if chunk:
            self._after_return = chunk.endswith(b"\r")
        whole = (self._rest + chunk).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, self._rest = whole.split(b"\n")
        if len(self._rest) + self._size > MAX_BYTES:
            raise Failure("The service sends an event that is too large. Get the result with: gradus status")
        return [event for line in lines if (event := self._line(line)) is not None]

    def _line(self, raw: bytes) -> Event | None:
        text = raw.decode("utf-8", errors="replace")
        if self._first:
            text, self._first = text.removeprefix("\ufeff"), False
        if not text:
            return self._dispatched()
        field, _, value = text.partition(":")
        self._take(field, value.removeprefix(" "))
        return None

    def _take(self, field: str, value: str) -> None:
        if field == "data":
            self._data.append(value)
            self._size += len(value)
        elif field == "event":
            self._name = value
        elif field == "id" and "\0" not in value:
            self.last_id = value
        elif field == "retry" and value.isascii() and value.isdigit() and len(value) < 7:
            self.retry_s = int(value) / 1000

    def _dispatched(self) -> Event | None:
        event = Event(self._name or "message", "\n".join(self._data)) if self._data else None
        self._name, self._data, self._size = "", [], 0
        return event
