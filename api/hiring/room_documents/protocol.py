"""The messages between a room and its clients, in the binary encoding of y-protocols.

A message begins with its type. SYNC and AWARENESS are those of y-protocols: SYNC brings the document of both sides up to date,
and AWARENESS transports cursors. Only the service sends the other two. CHANGED tells clients to read the room again. SAVED tells
a client how many of its changes, on this connection, are in the database.
"""

from dataclasses import dataclass
from typing import Literal

from pycrdt import Decoder, Encoder

SYNC, AWARENESS, CHANGED, SAVED = 0, 1, 100, 101
STATE, MISSING, UPDATE = 0, 1, 2
# Maximum size in bytes of a message about a cursor.
AWARENESS_BYTES = 2048
# What Yjs sends if there is nothing to send.
NOTHING = b"\x00\x00"


class BadMessage(Exception):
    """A client has sent something that no correct client sends. The message is the reason with which it is disconnected."""


@dataclass(frozen=True)
class Message:
    """A message of a client: `state` asks for what the client misses, `update` is a change of the document, and `awareness` is
    a cursor.
    """

    kind: Literal["state", "update", "awareness"]
    data: bytes


def decode(message: bytes) -> Message:
    """Decode a message of a client. Raises `BadMessage`."""
    decoder = Decoder(message)
    try:
        outer = decoder.read_var_uint()
        inner = decoder.read_var_uint() if outer == SYNC else None
        data = decoder.read_message()
    except (IndexError, RuntimeError):
        raise BadMessage("a message is cut off") from None
    # The decoder does not notice that a message is shorter than it says.
    if data is None or decoder.length != 0:
        raise BadMessage("a message has another length than it says")
    if outer == AWARENESS:
        if len(data) > AWARENESS_BYTES:
            raise BadMessage(f"a cursor has over {AWARENESS_BYTES} bytes")
        return Message("awareness", data)
    if inner not in (STATE, MISSING, UPDATE):
        raise BadMessage("a message is of no known type")
    _require_sound_count(data)
    return Message("state" if inner == STATE else "update", data)


def _require_sound_count(data: bytes) -> None:
    """Raise `BadMessage` if the data announces more entries than it has bytes. The library reserves memory for the announced
    number before it reads the entries: up to half a gigabyte for a message of a few bytes.
    """
    try:
        count = Decoder(data).read_var_uint()
    except (IndexError, RuntimeError):
        raise BadMessage("a change is empty") from None
    if count > len(data):
        raise BadMessage("a change announces more than it contains")


def sync(kind: int, data: bytes) -> bytes:
    """Build a SYNC message: the service's STATE, what a client is MISSING, or an UPDATE."""
    return _message(SYNC, kind) + _sized(data)


def awareness(data: bytes) -> bytes:
    return _message(AWARENESS) + _sized(data)


def changed(what: Literal["room", "private"]) -> bytes:
    """Build the message that the room has changed, or what only its interviewers can see."""
    return _message(CHANGED) + _sized(what.encode())


def saved(count: int) -> bytes:
    return _message(SAVED, count)


def _message(*numbers: int) -> bytes:
    encoder = Encoder()
    for number in numbers:
        encoder.write_var_uint(number)
    return encoder.to_bytes()


def _sized(data: bytes) -> bytes:
    return _message(len(data)) + data
