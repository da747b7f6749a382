"""A room in which somebody is connected to this process: its document, its connections, and the order of work.

A client's change is applied to the document in memory, then stored, and only then sent to the other clients. So a change that
others can see is always in the database. A change that is not stored yet is still in the client that made it, and this client
sends it again after it has reconnected. The service tells each client how many of its changes are stored (`protocol.saved`).

Other processes may store changes of the same room. They send a notification with `EventHub.notify`, and this process then reads
the changes from SQL. If a notification is lost, the changes are read at most LOOK_S seconds later.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from sqlalchemy import select

from api.hiring.room_documents import protocol, store
from api.hiring.room_documents.connection import ENDED, FULL, RESTART, TOO_LARGE, TRY_LATER, Audience, Connection
from api.hiring.room_documents.presence import Presence
from api.hiring.room_documents.protocol import BadMessage, Message
from api.hiring.room_documents.store import Loaded
from api.hiring.room_records.models import Room
from api.judging.submissions.events import EventHub
from api.kit.db.database import Database

log = structlog.get_logger()
# Maximum number of connections to one room of one process.
CONNECTIONS = 40
# At least this often, the room is read from SQL, in seconds.
LOOK_S = 5.0


def channel_of(room_id: str) -> str:
    """Return the name of the channel of `EventHub` that is notified about changes of a room."""
    return f"room {room_id}"


@dataclass(frozen=True)
class _Change:
    """A change that is not stored yet. `new` is empty if it contains nothing that the document did not have."""

    connection: Connection
    new: bytes


class LiveRoom:
    """One room. `cursors_moved` is called with the data of cursors that other processes must know."""

    def __init__(
        self, room_id: str, db: Database, hub: EventHub, loaded: Loaded, cursors_moved: Callable[[bytes], None]
    ) -> None:
        self.id, self._db, self._hub, self._cursors_moved = room_id, db, hub, cursors_moved
        self._document, self._sequence, self._size = loaded.document, loaded.sequence, loaded.size
        self._snapshot = loaded.sequence
        self._revisions: tuple[int, int] | None = None
        self.connections = Audience()
        self._presence = Presence()
        self._changes: list[_Change] = []
        self._has_changes, self._turn = asyncio.Event(), asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self.over = False

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._store_changes()), asyncio.create_task(self._follow())]

    async def stop(self) -> None:
        """Store the last changes, and end."""
        if not self.over:
            with contextlib.suppress(Exception):
                await self._store()
        self.over = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def join(self, connection: Connection) -> None:
        """Add a connection, and begin to bring both sides up to date."""
        if len(self.connections) >= CONNECTIONS:
            connection.close(FULL, "Too many people are in this room.")
            return
        self.connections.add(connection)
        connection.send(protocol.sync(protocol.STATE, self._document.state()))
        if cursors := self._presence.all():
            connection.send(protocol.awareness(cursors))

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._cursors(self._presence.leave(connection), connection)

    def receive(self, connection: Connection, message: Message) -> None:
        """Handle a message of a client. Raises `BadMessage`."""
        if message.kind == "state":
            connection.send(protocol.sync(protocol.MISSING, self._document.missing(message.data)))
        elif message.kind == "awareness":
            self._cursors(self._presence.accept(message.data, connection, connection.person), connection)
        elif connection.may_write and not self.over:
            self._change(connection, message.data)

    def cursors_from_peer(self, data: bytes) -> None:
        """Send the clients of this process the cursors of a client of another process."""
        self.connections.tell(protocol.awareness(data))

    def _cursors(self, data: bytes, sender: Connection) -> None:
        if data:
            self.connections.tell(protocol.awareness(data), sender)
            self._cursors_moved(data)

    def _change(self, connection: Connection, update: bytes) -> None:
        if self._size + len(update) > store.DOCUMENT_BYTES:
            connection.close(TOO_LARGE, "The document of this room is full.")
            return
        try:
            new = self._document.apply_foreign(update)
        except BadMessage:
            # The document may contain what must not be in it. Everybody connects again, and it is loaded from SQL.
            self._end(RESTART, "The document is loaded again.", connection)
            raise
        # Changes that are never stored count too, so that a client cannot fill the memory with them.
        self._size += len(update)
        self._changes.append(_Change(connection, new))
        self._has_changes.set()

    async def _store_changes(self) -> None:
        while not self.over:
            await self._has_changes.wait()
            self._has_changes.clear()
            try:
                await self._store()
            except Exception:
                log.exception("room_not_stored", room=self.id)
                self._end(TRY_LATER, "The document could not be saved. Nothing in your editor is lost.")

    async def _store(self) -> None:
        """Store the changes that wait, then send them to all others."""
        async with self._turn:
            changes, self._changes = self._changes, []
            updates = [(each.connection.person.id, each.new) for each in changes if each.new]
            if updates:
                async with self._db.write() as session:
                    if await session.scalar(select(Room.ended_at).where(Room.id == self.id)) is not None:
                        self._end(ENDED, "The interview has ended.")
                        return
                    others, last = await store.append(session, self.id, self._sequence, updates)
                self._apply(others)
                self._sequence = last
            for change in changes:
                change.connection.stored += 1
                if change.new:
                    self.connections.tell(protocol.sync(protocol.UPDATE, change.new), change.connection)
            for connection in {each.connection for each in changes}:
                connection.send(protocol.saved(connection.stored))
            if updates and not self._db.in_place:
                self._hub.notify(channel_of(self.id))
            await self._store_snapshot()

    async def _store_snapshot(self) -> None:
        # Only while nothing waits to be stored, because the snapshot must not contain what has no number.
        if self._sequence - self._snapshot >= store.SNAPSHOT_EVERY and not self._changes:
            self._snapshot, whole = self._sequence, self._document.whole()
            try:
                async with self._db.write() as session:
                    await store.store_snapshot(session, self.id, self._snapshot, whole)
            except Exception as error:
                # Another process may store a snapshot at the same time. A missing snapshot only makes loading slower.
                log.warning("room_snapshot_not_stored", room=self.id, error=type(error).__name__)

    def _apply(self, others: list[store.Stored]) -> None:
        for each in others:
            self._sequence = each.sequence
            self._size += len(each.data)
            if new := self._document.apply(each.data):
                self.connections.tell(protocol.sync(protocol.UPDATE, new))

    async def _follow(self) -> None:
        """Read what others have changed, whenever there is something, until the room ends."""
        while not self.over:
            with self._hub.watch(channel_of(self.id), self.id, waits=False) as channel:
                while not self.over and not channel.cut:
                    try:
                        await self._look()
                    except Exception:
                        log.exception("room_not_read", room=self.id)
                    await channel.changed(LOOK_S)

    async def _look(self) -> None:
        async with self._turn, self._db.read() as session:
            self._apply(await store.after(session, self.id, self._sequence))
            query = select(Room.revision, Room.private_revision, Room.ended_at).where(Room.id == self.id)
            row = (await session.execute(query)).one_or_none()
        if row is None or row.ended_at is not None:
            self._end(ENDED, "The interview has ended.")
            return
        before, self._revisions = self._revisions, (row.revision, row.private_revision)
        if before is None or before[0] != row.revision:
            self.connections.tell(protocol.changed("room"))
        if before is None or before[1] != row.private_revision:
            self.connections.tell_interviewers(protocol.changed("private"))

    def _end(self, code: int, reason: str, but: Connection | None = None) -> None:
        """Close every connection. The next one that comes loads the room from SQL."""
        self.over = True
        self.connections.close(code, reason, but)
