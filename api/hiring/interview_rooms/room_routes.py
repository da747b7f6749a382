"""Routes in a room: entering it, what it shows, the timer, and its end."""

from fastapi import APIRouter, Request, Response, status

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.interview_rooms import service, views
from api.hiring.interview_rooms.schemas import (
    Entered,
    NewEntry,
    NewExtension,
    NewTimer,
    RoomOffer,
    RoomToken,
    RoomView,
    ShownChallenge,
)
from api.hiring.room_documents.live_room import channel_of
from api.hiring.room_records.access import (
    COOKIE,
    LINK_DAYS,
    READ,
    AsInterviewer,
    InRoom,
    RoleForbids,
    RoomFull,
    guest_in,
)
from api.hiring.room_records.access import RoomEnded as Ended
from api.identity.sessions.current_account import cookie_name, is_secure
from api.judging.submissions.events import EventHubDep
from api.kit.errors import CrossSite, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id

router = APIRouter(tags=["live interviews"], route_class=JsonRoute)
WRITE = (CrossSite, *READ, RoleForbids)


@router.post("/room-links/read", responses=errors(CrossSite, service.BadRoomLink, Ended))
async def read_room_link(body: RoomToken, request: Request, db: DatabaseDep) -> RoomOffer:
    """Return what a link opens. Reading changes nothing."""
    async with db.read() as session:
        room, role, team = await service.opened_by(session, body.token)
    guest = await guest_in(request, db, room.id)
    name = guest.name if guest is not None and guest.role == role else None
    offer = {"room_id": room.id, "team": team, "title": room.title, "minutes": room.minutes, "role": role}
    return RoomOffer.model_validate({**offer, "entered_as": name})


@router.post("/room-links/enter", responses=errors(CrossSite, service.BadRoomLink, Ended, RoomFull))
async def enter_room(
    body: NewEntry, request: Request, response: Response, db: DatabaseDep, settings: SettingsDep, hub: EventHubDep
) -> Entered:
    """Enter a room with a link. The response sets a cookie for this room, which replaces that of another room."""
    async with db.write() as session:
        room_id, key = await service.enter(session, body.token, body.name)
    secure = is_secure(request, settings)
    name, age = cookie_name(COOKIE, secure=secure), LINK_DAYS * 86_400
    response.set_cookie(name, key, max_age=age, path="/", httponly=True, samesite="lax", secure=secure)
    hub.notify(channel_of(room_id))
    return Entered(room_id=room_id)


@router.get("/rooms/{room_id}", responses=errors(*READ))
async def get_room(room_id: Id, caller: InRoom, db: DatabaseDep, store: CatalogueStoreDep) -> RoomView:
    """Return the room: what is shown, the timer, the people, and the newest submissions."""
    async with db.read() as session:
        return await views.room(session, caller, store)


@router.post("/room-links/leave", status_code=status.HTTP_204_NO_CONTENT, responses=errors(CrossSite))
async def leave_room(request: Request, response: Response, settings: SettingsDep) -> None:
    """Delete the cookie of the room that this browser has entered with a link. The link can be opened again."""
    secure = is_secure(request, settings)
    name = cookie_name(COOKIE, secure=secure)
    response.delete_cookie(name, path="/", httponly=True, samesite="lax", secure=secure)


@router.post("/rooms/{room_id}/challenge", responses=errors(*WRITE, ChallengeNotFound, service.TooManyChallenges))
async def show_challenge(
    room_id: Id,
    body: ShownChallenge,
    caller: AsInterviewer,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    hub: EventHubDep,
) -> RoomView:
    """Show a challenge to everybody. A challenge that the room does not have yet is added. The code of each challenge is kept."""
    async with db.write() as session:
        room = await service.to_change(session, caller)
        await service.show(session, room, caller, body.name, store)
        await session.flush()
        shown = await views.room(session, caller, store)
    hub.notify(channel_of(room_id))
    return shown


@router.put("/rooms/{room_id}/extension", responses=errors(*WRITE, service.NothingShown))
async def extend_statement(
    room_id: Id, body: NewExtension, caller: AsInterviewer, db: DatabaseDep, store: CatalogueStoreDep, hub: EventHubDep
) -> RoomView:
    """Extend the statement of the challenge that is shown. Everybody sees it at once. It is removed with an empty text, or when
    another challenge is shown.
    """
    async with db.write() as session:
        service.extend(session, await service.to_change(session, caller), caller, body.text)
        await session.flush()
        shown = await views.room(session, caller, store)
    hub.notify(channel_of(room_id))
    return shown


@router.put("/rooms/{room_id}/timer", responses=errors(*WRITE))
async def set_timer(
    room_id: Id, body: NewTimer, caller: AsInterviewer, db: DatabaseDep, store: CatalogueStoreDep, hub: EventHubDep
) -> RoomView:
    """Start, change or stop the timer. Nothing happens when its time is over; it is only shown."""
    async with db.write() as session:
        service.set_timer(session, await service.to_change(session, caller), caller, body.seconds)
        await session.flush()
        shown = await views.room(session, caller, store)
    hub.notify(channel_of(room_id))
    return shown


@router.post("/rooms/{room_id}/end", responses=errors(*WRITE))
async def end_room(
    room_id: Id, caller: AsInterviewer, db: DatabaseDep, store: CatalogueStoreDep, hub: EventHubDep
) -> RoomView:
    """End the interview. The links stop working, the code can no longer be changed, and the interviewers keep the replay."""
    async with db.write() as session:
        service.end(session, await service.to_change(session, caller), caller.participant.id)
        await session.flush()
        shown = await views.room(session, caller, store)
    hub.notify(channel_of(room_id))
    return shown
