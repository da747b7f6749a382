"""The cursors of a room. A client sends the position of its cursor. The service adds the person's name, so nobody can use another
person's name.

A client's message is decoded, checked and encoded again before the other clients get it, because their editors rely on its form.
"""

import json
from dataclasses import dataclass

import msgspec
from pycrdt import Decoder, Encoder

from api.hiring.room_documents.protocol import BadMessage

GONE = "null"


class Item(msgspec.Struct):
    """The identity of a character in the document."""

    client: int
    clock: int


class Place(msgspec.Struct):
    """A place in a text, as Yjs describes it. The editors expect every field, null if there is nothing."""

    type: Item | None = None
    tname: str | None = None
    item: Item | None = None
    assoc: int = 0


class Cursor(msgspec.Struct):
    anchor: Place
    head: Place


class Client(msgspec.Struct):
    """What a client says about itself. Other fields are ignored."""

    cursor: Cursor | None = None


@dataclass
class Person:
    """Whom a cursor belongs to. `color` is the number of a colour of the web client."""

    id: str
    name: str
    role: str
    color: int


@dataclass
class _Entry:
    clock: int
    state: str
    owner: object
    person_id: str


class Presence:
    """The cursors of all clients of a room, by the number that Yjs has given the client."""

    def __init__(self) -> None:
        self._entries: dict[int, _Entry] = {}

    def accept(self, data: bytes, owner: object, person: Person) -> bytes:
        """Store what a client says about its cursor. `owner` is its connection. Returns the data for all others, or empty data
        if there is nothing new. Raises `BadMessage`.
        """
        changed = []
        for client, clock, state in _read(data):
            known = self._entries.get(client)
            if known is not None and known.person_id != person.id:
                # A client may repeat what it knows about others. Only they themselves are believed.
                continue
            if known is None and any(each.owner is owner for each in self._entries.values()):
                # A connection is one client.
                continue
            if known is None or clock > known.clock:
                self._entries[client] = _Entry(clock, _written(state, person), owner, person.id)
                changed.append(client)
        return self._encoded(changed)

    def all(self) -> bytes:
        """Return the data with all cursors, for a client that has just connected."""
        return self._encoded(list(self._entries))

    def leave(self, owner: object) -> bytes:
        """Remove the cursor of a connection. Returns the data for all others, or empty data if it had none."""
        left = [client for client, entry in self._entries.items() if entry.owner is owner]
        for client in left:
            self._entries[client].clock += 1
            self._entries[client].state = GONE
        data = self._encoded(left)
        for client in left:
            del self._entries[client]
        return data

    def _encoded(self, clients: list[int]) -> bytes:
        if not clients:
            return b""
        encoder = Encoder()
        encoder.write_var_uint(len(clients))
        for client in clients:
            entry = self._entries[client]
            encoder.write_var_uint(client)
            encoder.write_var_uint(entry.clock)
            # The encoder counts characters instead of bytes, so the JSON must be ASCII; `_written` sees to that.
            encoder.write_var_string(entry.state)
        return encoder.to_bytes()


def _read(data: bytes) -> list[tuple[int, int, str]]:
    decoder = Decoder(data)
    try:
        count = decoder.read_var_uint()
        if count > len(data):
            raise BadMessage("cursors are cut off")
        found = [(decoder.read_var_uint(), decoder.read_var_uint(), decoder.read_var_string()) for _ in range(count)]
    except (IndexError, RuntimeError, UnicodeDecodeError):
        raise BadMessage("cursors are cut off") from None
    if decoder.length != 0 or any(max(client, clock) >= 2**53 for client, clock, _ in found):
        raise BadMessage("cursors are malformed")
    return found


def _written(state: str, person: Person) -> str:
    if state == GONE:
        return GONE
    try:
        client = msgspec.json.decode(state.encode(), type=Client)
    except (msgspec.DecodeError, RecursionError):
        raise BadMessage("a cursor is malformed") from None
    user = {"id": person.id, "name": person.name, "role": person.role, "color": person.color}
    return json.dumps(msgspec.to_builtins({"cursor": client.cursor, "user": user}))
