"""Routes with which the members of a team create, list and delete rooms."""

from typing import Annotated

from fastapi import APIRouter, Query, status

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.interview_rooms import service
from api.hiring.interview_rooms.schemas import NewRoom, RoomCard, RoomLinks, RoomPage
from api.hiring.interview_rooms.service import Tokens
from api.hiring.room_documents.live_room import channel_of
from api.hiring.room_records import retention
from api.hiring.room_records.access import RoomEnded, RoomNotFound
from api.hiring.room_records.models import Room
from api.hiring.teams import activity_log
from api.hiring.teams.membership import AsAuthor, AsReviewer, RoleTooLow, TeamNotFound
from api.judging.submissions.events import EventHubDep
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText
from api.settings import Settings

router = APIRouter(tags=["live interviews"], route_class=JsonRoute, prefix="/teams/{team_id}/rooms")
READ = (NotSignedIn, TeamNotFound)
WRITE = (*READ, CrossSite, RoleTooLow)
CHANGE = (*WRITE, RoomNotFound)


@router.get("", responses=errors(*READ, BadCursor))
async def list_rooms(
    membership: AsReviewer,
    db: DatabaseDep,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> RoomPage:
    """List the team's rooms, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        rows = (await session.execute(service.listing(membership.team.id, before).limit(limit + 1))).all()
        names = await service.candidates_of(session, [room for room, _ in rows])
    items = [_card(room, by, names.get(room.id, [])) for room, by in rows[:limit]]
    return RoomPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post("", status_code=201, responses=errors(*WRITE, ChallengeNotFound, service.TooManyRooms))
async def create_room(
    body: NewRoom, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep, settings: SettingsDep
) -> RoomLinks:
    """Create a room for one interview. The response contains the links for the candidate and for observers, which are shown only
    once. Members of the team enter at `/rooms/{room_id}`.
    """
    async with db.write() as session:
        room, tokens = await service.create(session, membership, body, store)
        activity_log.record(session, membership, "room.create", room.id)
    return _links(settings, room, tokens)


@router.post("/{room_id}/links", responses=errors(*CHANGE, RoomEnded))
async def replace_room_links(room_id: Id, membership: AsAuthor, db: DatabaseDep, settings: SettingsDep) -> RoomLinks:
    """Create new links for the candidate and for observers. The earlier links stop working."""
    async with db.write() as session:
        room = await service.find(session, membership.team.id, room_id)
        tokens = service.replace_links(room)
    return _links(settings, room, tokens)


@router.delete("/{room_id}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*CHANGE))
async def delete_room(room_id: Id, membership: AsAuthor, db: DatabaseDep, hub: EventHubDep) -> None:
    """Delete a room with its code, its transcript and its notes, immediately and permanently."""
    async with db.write() as session:
        room = await service.find(session, membership.team.id, room_id)
        await retention.erase(session, room)
        activity_log.record(session, membership, "room.delete", room_id)
    hub.notify(channel_of(room_id))


def _card(room: Room, created_by: str | None, candidates: list[str]) -> RoomCard:
    return RoomCard(
        id=room.id,
        title=room.title,
        minutes=room.minutes,
        created_by=created_by,
        created_at=room.created_at,
        ended_at=room.ended_at,
        candidates=candidates,
    )


def _links(settings: Settings, room: Room, tokens: Tokens) -> RoomLinks:
    # The secret is in the fragment, which browsers do not send, so it is in no log.
    at = f"{settings.url}/rooms/join#"
    return RoomLinks(room_id=room.id, candidate=at + tokens.candidate, observer=at + tokens.observer)
