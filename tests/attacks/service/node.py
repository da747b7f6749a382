"""Connects to the service in the nodes' protocol, without being one of our nodes."""

import socket
import struct
from pathlib import Path
from types import TracebackType

from grader.contract import transport

WITHIN_S = 5.0


class Impostor:
    """A connection to the service's socket. It sends exactly the messages and bytes that a test passes to it."""

    def __init__(self, path: Path, name: str = "", *, slots: int = 0) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(WITHIN_S)
        self.socket.connect(str(path))
        if name:
            self.say(transport.Hello(name, "cpu", {"any": slots, "short": 0}, {}))

    def __enter__(self) -> "Impostor":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def say(self, message: transport.FromNode) -> None:
        """Send one message."""
        self.socket.sendall(transport.pack(message))

    def say_bytes(self, body: bytes, length: int | None = None) -> None:
        """Send a message of these bytes. Its header says `length`, which may differ from the real length."""
        self.socket.sendall(struct.pack(">I", len(body) if length is None else length) + body)

    def hear(self) -> transport.ToNode | None:
        """Return the service's next message, or None if the service closes the connection. Raise TimeoutError if nothing
        arrives.
        """
        try:
            return transport.receive_from_service(self.socket)
        except (ConnectionError, BrokenPipeError):
            return None

    def is_shut_out(self) -> bool:
        """Return whether the service closes the connection. Return False if it sends a message instead, or nothing in time."""
        try:
            return self.hear() is None
        except TimeoutError:
            return False
