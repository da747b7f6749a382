"""Defines the frames that judge, node and cell exchange: a fixed header, a JSON tree and raw bytes. Nothing is pickled.

    magic "GRD1" | kind u8 | call id 16 bytes | tree length u32 | blob length u64 | tree | blob

The receiver compares both lengths with its caps before it allocates memory. Every send and receive takes a deadline, which is a
time of `time.monotonic()` or a function (see `Deadline`). `None` means no deadline; it is used only inside containers, because
the node enforces the deadlines there. This module uses the standard library only.
"""

import json
import os
import select
import socket
import struct
import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

MAGIC = b"GRD1"
HEADER = struct.Struct(">4sB16sIQ")
NO_CALL = bytes(16)
CHUNK = 1 << 20
MAX_BUFFERS = 512

# As plain integers, because combining members of an enumeration takes longer than a system call.
_NO_WAIT, _NO_SIGNAL = int(socket.MSG_DONTWAIT), int(socket.MSG_NOSIGNAL)
# Trees are built with a limited depth, so they cannot contain themselves, and to check that takes a fifth of the encoding.
_JSON = json.JSONEncoder(separators=(",", ":"), check_circular=False)

Buffer = bytes | bytearray | memoryview
# Either an absolute time of the monotonic clock, or a function. The function returns the number of seconds after which it must
# be called again, or raises an exception if a limit is exceeded. Its argument is true if the caller is still waiting for the
# other side, and false if the other side has just sent something.
Deadline = float | Callable[[bool], float]


class Kind(IntEnum):
    """The kinds of frames. The process that runs an answer may send only LOADED, REPLY and CALLBACK. On a GPU it sends READY
    once before it receives the answer.
    """

    BEGIN = 1
    LOADED = 2
    CALL = 3
    REPLY = 4
    CALLBACK = 5
    CALLBACK_REPLY = 6
    GONE = 7
    PACKAGE = 8
    READY = 9
    START = 10
    RESULT = 11
    DONE = 12
    COMMAND = 13
    ANSWER = 14


class WireError(Exception):
    """The other side broke the protocol: wrong magic bytes, an unknown kind, a size over a cap, or a malformed tree."""


class WireTooLarge(WireError):
    """The other side announced a frame over the cap. Only the frame's header was read."""


class WireClosed(WireError):
    """The other side closed the connection."""


class WireTimeout(WireError):
    """The deadline passed."""


class Caps(NamedTuple):
    """The largest tree and blob, in bytes, that a receiver accepts."""

    tree: int = 8 << 20
    blob: int = 64 << 20


class Frame(NamedTuple):
    """A frame that was received or is to be sent. `tree` is JSON in bytes, so that a process that only forwards the frame never
    parses it.
    """

    kind: Kind
    call: bytes
    tree: Buffer
    blob: Buffer

    @property
    def size(self) -> int:
        """The size of the whole frame in bytes."""
        return HEADER.size + len(self.tree) + len(self.blob)

    def json(self) -> Any:
        """Parse the tree. Raises WireError if it is not JSON or is nested too deeply."""
        try:
            return json.loads(bytes(self.tree))
        except (ValueError, RecursionError, MemoryError) as error:
            raise WireError(f"the frame's tree is not valid JSON: {type(error).__name__}") from None


def send(
    sock: socket.socket,
    kind: Kind,
    tree: Any = None,
    blobs: Sequence[Buffer] = (),
    *,
    call: bytes = NO_CALL,
    deadline: Deadline | None = None,
) -> int:
    """Send one frame made of a tree, which must be JSON-serializable, and buffers. Returns the frame's size in bytes."""
    body = _JSON.encode(tree).encode()
    size = sum(len(blob) for blob in blobs)
    head = HEADER.pack(MAGIC, kind, call, len(body), size)
    _send_all(sock, [head + body, *blobs], deadline)
    return len(head) + len(body) + size


def forward(sock: socket.socket, frame: Frame, *, call: bytes | None = None, deadline: Deadline | None) -> None:
    """Send a received frame unchanged, except that it gets the call id `call` if one is given."""
    head = HEADER.pack(MAGIC, frame.kind, frame.call if call is None else call, len(frame.tree), len(frame.blob))
    _send_all(sock, [head, frame.tree, frame.blob], deadline)


def receive(sock: socket.socket, *, caps: Caps, deadline: Deadline | None) -> Frame:
    """Receive the next frame. Raises WireClosed or WireTimeout. For an invalid header, raises WireError before memory for the
    frame is allocated.
    """
    head = _receive_exactly(sock, HEADER.size, deadline)
    kind, call, tree_size, blob_size = parse_header(bytes(head), caps)
    body = memoryview(_receive_exactly(sock, tree_size + blob_size, deadline))
    return Frame(kind, call, body[:tree_size], body[tree_size:])


def parse_header(head: bytes, caps: Caps) -> tuple[Kind, bytes, int, int]:
    """Return kind, call id, tree length and blob length. Raises WireError if one of them is invalid or over its cap."""
    magic, kind, call, tree_size, blob_size = HEADER.unpack(head)
    if magic != MAGIC:
        raise WireError("bytes that are not a frame")
    if tree_size > caps.tree or blob_size > caps.blob:
        raise WireTooLarge(f"a frame of {tree_size + blob_size:,} bytes is over the limit")
    try:
        return Kind(kind), call, tree_size, blob_size
    except ValueError:
        raise WireError(f"unknown frame kind {kind}") from None


def fresh_call() -> bytes:
    """Create an unpredictable call id."""
    return os.urandom(16)


def pending(sock: socket.socket) -> bool:
    """Return whether there is something to read, or the other side has closed the connection."""
    return bool(_poll(sock, select.POLLIN, 0))


def wait_readable(sock: socket.socket, seconds: float) -> bool:
    """Wait at most `seconds` until there is something to read, or the other side has closed the connection. Returns whether
    that happened.
    """
    return bool(_poll(sock, select.POLLIN, seconds))


def _poll(sock: socket.socket, events: int, seconds: float | None) -> int:
    poller = select.poll()
    poller.register(sock, events)
    ready = poller.poll(None if seconds is None else max(0.0, seconds * 1000))
    return ready[0][1] if ready else 0


def _await(sock: socket.socket, events: int, deadline: Deadline | None) -> None:
    """Wait until the socket is ready. If the deadline is a time, raises WireTimeout when it passes. If the deadline is a
    function, returns at the latest when the function must be called again.
    """
    if deadline is None or callable(deadline):
        _poll(sock, events, deadline(True) if deadline else None)
        return
    left = deadline - time.monotonic()
    if left <= 0 or not _poll(sock, events, left):
        raise WireTimeout("the deadline passed")


def _waiting(deadline: Deadline | None) -> int:
    """Return the flag of a system call under this deadline. Without a deadline, the call itself waits, which is quicker than a
    call that returns at once and a poll before the next one.
    """
    return 0 if deadline is None else _NO_WAIT


def _send_all(sock: socket.socket, parts: Sequence[Buffer], deadline: Deadline | None) -> None:
    views = [memoryview(part).cast("B") for part in parts if len(part)]
    while views:
        try:
            sent = sock.sendmsg(views[:MAX_BUFFERS], [], _waiting(deadline) | _NO_SIGNAL)
        except (BlockingIOError, InterruptedError):
            _await(sock, select.POLLOUT, deadline)
            continue
        except (BrokenPipeError, ConnectionError):
            raise WireClosed("the peer closed the connection") from None
        views = _drop(views, sent)


def _drop(views: list[memoryview], sent: int) -> list[memoryview]:
    index = 0
    while index < len(views) and sent >= len(views[index]):
        sent -= len(views[index])
        index += 1
    rest = views[index:]
    if sent:
        rest[0] = rest[0][sent:]
    return rest


def _receive_exactly(sock: socket.socket, size: int, deadline: Deadline | None) -> bytearray:
    # The buffer grows with the bytes that arrive, so a header alone cannot make the receiver allocate a large buffer.
    buffer = bytearray(min(size, CHUNK))
    filled = 0
    while filled < size:
        if filled == len(buffer):
            buffer.extend(bytes(min(size - filled, max(len(buffer), CHUNK))))
        filled += _receive_some(sock, memoryview(buffer)[filled:], deadline)
    return buffer


def _receive_some(sock: socket.socket, into: memoryview, deadline: Deadline | None) -> int:
    while True:
        # The deadline is checked before every read, so that a sender cannot outlast it by sending one byte at a time.
        if deadline is not None and not callable(deadline) and time.monotonic() > deadline:
            raise WireTimeout("the deadline passed")
        try:
            count = sock.recv_into(into, 0, _waiting(deadline))
        except (BlockingIOError, InterruptedError):
            _await(sock, select.POLLIN, deadline)
            continue
        except ConnectionError:
            raise WireClosed("the peer closed the connection") from None
        if not count:
            raise WireClosed("the peer closed the connection")
        if callable(deadline):
            deadline(False)
        return count
