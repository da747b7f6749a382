"""The rooms in which somebody is connected to this process."""

import asyncio
import base64
from functools import partial

from api.hiring.room_documents import store
from api.hiring.room_documents.connection import Connection
from api.hiring.room_documents.live_room import LiveRoom
from api.judging.submissions.events import EventHub
from api.kit.cluster import Cluster
from api.kit.db.database import Database

# The first word of the message that tells other processes about cursors.
CURSORS = "room_cursors"


class LiveRooms:
    """Opens a room for its first connection, and closes it after the last one."""

    def __init__(self, db: Database, hub: EventHub, cluster: Cluster) -> None:
        self._db, self._hub, self._cluster = db, hub, cluster
        self._rooms: dict[str, LiveRoom] = {}
        self._opening = asyncio.Lock()
        cluster.handlers[CURSORS] = self._cursors_from_peer

    async def join(self, room_id: str, connection: Connection) -> LiveRoom:
        """Add a connection to a room, which must exist. Returns the room."""
        async with self._opening:
            room = self._rooms.get(room_id)
            if room is None or room.over:
                async with self._db.read() as session:
                    loaded = await store.load(session, room_id)
                room = LiveRoom(room_id, self._db, self._hub, loaded, partial(self._cursors_moved, room_id))
                self._rooms[room_id] = room
                room.start()
            room.join(connection)
            return room

    async def leave(self, room: LiveRoom, connection: Connection) -> None:
        """Remove a connection. After the last one, the room's changes are stored and it is closed."""
        room.leave(connection)
        async with self._opening:
            if not room.connections:
                if self._rooms.get(room.id) is room:
                    del self._rooms[room.id]
                await room.stop()

    def is_present(self, room_id: str, person_id: str) -> bool:
        """Return whether this person is connected to this process."""
        room = self._rooms.get(room_id)
        return room is not None and any(each.person.id == person_id for each in room.connections)

    async def close(self) -> None:
        """Store the changes of all rooms."""
        for room in list(self._rooms.values()):
            await room.stop()

    def _cursors_moved(self, room_id: str, data: bytes) -> None:
        self._cluster.broadcast(CURSORS, room_id, base64.b64encode(data).decode())

    async def _cursors_from_peer(self, instance_id: str, room_id: str, data: str) -> None:
        if room := self._rooms.get(room_id):
            room.cursors_from_peer(base64.b64decode(data))
