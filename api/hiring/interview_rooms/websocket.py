"""The WebSocket of a room: one for each open page. `room_documents` says what is sent over it.

A refused connection is accepted and then closed with a code, because a page cannot read the reason otherwise.
"""

import asyncio
import contextlib
import time

import structlog
from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from api.hiring.interview_rooms import views
from api.hiring.room_documents import protocol
from api.hiring.room_documents.connection import BAD_MESSAGE, ENDED, REFUSED, TOO_FAST, TRY_LATER, Connection
from api.hiring.room_documents.live_room import LiveRoom, channel_of
from api.hiring.room_documents.live_rooms import LiveRooms
from api.hiring.room_documents.presence import Person
from api.hiring.room_documents.protocol import BadMessage
from api.hiring.room_records import transcript
from api.hiring.room_records.access import RoomCaller, RoomEnded, caller_in
from api.identity.sessions.current_account import require_own_page
from api.judging.submissions.events import EventHub
from api.kit.db.database import Database
from api.kit.errors import ApiError, TooManyRequests
from api.kit.http.provided import lookup
from api.kit.http.throttle import Rate
from api.kit.ids import Id

log = structlog.get_logger()
router = APIRouter()
# Messages per minute of one person. Each key that is pressed makes two: a change and a cursor.
MESSAGES = 6000
# After this many seconds, it is checked again whether the person may still be here.
CHECKED_S = 60.0
_rates = Rate(MESSAGES)


@router.websocket("/rooms/{room_id}/socket")
async def room_websocket(socket: WebSocket, room_id: Id) -> None:
    """Connect a page to the document of a room."""
    try:
        require_own_page(socket)
    except ApiError:
        await socket.close()
        return
    await socket.accept()
    try:
        caller = await caller_in(socket, room_id)
    except ApiError as error:
        await socket.close(_code_of(error), error.message)
        return
    if caller.room.ended_at is not None:
        await socket.close(ENDED, RoomEnded().message)
        return
    rooms, db = lookup(socket.app, LiveRooms), lookup(socket.app, Database)
    connection = Connection(await _person(db, caller), may_write=caller.role != "observer")
    first = not rooms.is_present(room_id, caller.participant.id)
    room = await rooms.join(room_id, connection)
    deliver = asyncio.create_task(connection.deliver(socket))
    check = asyncio.create_task(_check(socket, connection, room_id))
    try:
        if first:
            await _record(db, caller, "joined")
            lookup(socket.app, EventHub).notify(channel_of(room_id))
        await _read(socket, room, connection)
    finally:
        check.cancel()
        await rooms.leave(room, connection)
        if not deliver.done():
            await _finish(deliver)
        if not rooms.is_present(room_id, caller.participant.id):
            await _record(db, caller, "left")


async def _read(socket: WebSocket, room: LiveRoom, connection: Connection) -> None:
    """Handle the messages of a client until it disconnects, or is disconnected."""
    while True:
        try:
            received = await socket.receive()
        except (WebSocketDisconnect, RuntimeError):
            return
        if received["type"] == "websocket.disconnect":
            return
        if connection.closing is not None:
            continue
        if _rates.take(connection.person.id):
            connection.close(TOO_FAST, "Too many changes in a short time.")
            continue
        try:
            data = received.get("bytes")
            if data is None:
                raise BadMessage("a message is text")
            room.receive(connection, protocol.decode(data))
        except BadMessage as error:
            log.warning("room_message_refused", room=room.id, participant=connection.person.id, reason=str(error))
            connection.close(BAD_MESSAGE, f"The connection was closed, because {error}.")


async def _finish(deliver: "asyncio.Task[None]") -> None:
    """Give a connection that was closed a moment to deliver what waits for it."""
    deliver.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await deliver


async def _check(socket: WebSocket, connection: Connection, room_id: str) -> None:
    """Close the connection if the person is no longer a member of the team, or signs out."""
    began = time.monotonic()
    while True:
        await asyncio.sleep(CHECKED_S)
        try:
            await caller_in(socket, room_id)
        except ApiError as error:
            connection.close(_code_of(error), error.message)
            return
        except Exception:
            log.exception("room_access_not_checked", room=room_id, after_s=round(time.monotonic() - began))


async def _person(db: Database, caller: RoomCaller) -> Person:
    async with db.read() as session:
        people = await views.people(session, caller.room.id)
    me = next(each for each in people if each.id == caller.participant.id)
    return Person(me.id, me.name, me.role, me.color)


async def _record(db: Database, caller: RoomCaller, kind: transcript.EventKind) -> None:
    """Add an event to the transcript. A failure is only logged, because the room may have been deleted in the meantime."""
    try:
        async with db.write() as session:
            transcript.record(session, caller.room.id, caller.participant.id, kind)
    except Exception as error:
        log.warning("room_event_not_recorded", room=caller.room.id, kind=kind, error=type(error).__name__)


def _code_of(error: ApiError) -> int:
    if isinstance(error, RoomEnded):
        return ENDED
    return TRY_LATER if isinstance(error, TooManyRequests) else REFUSED
