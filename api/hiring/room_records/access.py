"""Determines who sent a request to a room, and in which role.

A candidate or an observer has come with a link, and has a cookie with a key that is valid for one room. If there is no such
cookie, the sender is the account that is signed in, which is an interviewer if it is a member of the team.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Literal, cast

from fastapi import Depends, Request
from sqlalchemy import Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import HTTPConnection

from api.hiring.room_records.models import Room, RoomParticipant
from api.hiring.teams.models import TeamMember
from api.identity.accounts.hashing import token_hash
from api.identity.accounts.models import Account
from api.identity.sessions.current_account import cookie_name, identify, is_secure
from api.identity.sessions.request_limit import RequestLimit
from api.kit.db.database import Database, hold, now
from api.kit.errors import ApiError, NotSignedIn, TooManyRequests, too_often
from api.kit.http.provided import lookup
from api.kit.ids import Id, new_id
from api.settings import Settings

RoomRole = Literal["interviewer", "candidate", "observer"]
COOKIE = "gradus_room"
# The links of a room that nobody ends stop working after this many days.
LINK_DAYS = 30
# Maximum number of people who may ever enter a room.
PEOPLE = 60


class RoomNotFound(ApiError):
    """The room does not exist, or the caller has nothing to do with it."""

    status, code = 404, "room_not_found"

    def __init__(self, message: str = "You are not in a room with this ID. Open your link again.") -> None:
        super().__init__(message)


class RoomEnded(ApiError):
    """The interview has ended, so its links no longer work."""

    status, code = 410, "room_ended"

    def __init__(self) -> None:
        super().__init__("This interview has ended.")


class RoomFull(ApiError):
    """Too many people have entered the room."""

    status, code = 409, "room_full"

    def __init__(self) -> None:
        super().__init__(f"At most {PEOPLE} people can enter a room. Ask the team to create another one.")


class RoleForbids(ApiError):
    """The caller's role in the room does not allow this."""

    status, code = 403, "role_forbids"


@dataclass(frozen=True)
class RoomCaller:
    """A person in a room. `name` is what others see."""

    room: Room
    participant: RoomParticipant
    name: str
    account_id: str | None

    @property
    def role(self) -> RoomRole:
        return cast(RoomRole, self.participant.role)

    @property
    def is_interviewer(self) -> bool:
        return self.participant.role == "interviewer"


async def caller_in(connection: HTTPConnection, room_id: str) -> RoomCaller:
    """Return who sent a request, or opened a WebSocket, to a room. Raises `NotSignedIn`, `RoomNotFound`, `RoomEnded`,
    `TooManyRequests`.
    """
    db = lookup(connection.app, Database)
    if guest := await guest_in(connection, db, room_id):
        if guest.room.ended_at is not None or guest.room.created_at < now() - timedelta(days=LINK_DAYS):
            raise RoomEnded
        if wait := lookup(connection.app, RequestLimit).take(guest.participant.id):
            raise too_often(wait)
        return guest
    identity = await identify(connection)
    if identity is None:
        raise NotSignedIn("Open your link of this room again, or sign in as a member of the team.")
    async with db.read() as session:
        member = select(TeamMember.account_id).where(
            TeamMember.team_id == Room.team_id, TeamMember.account_id == identity.account.id
        )
        room = await session.scalar(select(Room).where(Room.id == room_id, member.exists()))
        if room is None:
            raise RoomNotFound
        participant = await session.scalar(_member(room_id, identity.account.id))
    if participant is None:
        participant = await _add_member(db, room_id, identity.account)
    return RoomCaller(room, participant, identity.account.name, identity.account.id)


async def guest_in(connection: HTTPConnection, db: Database, room_id: str) -> RoomCaller | None:
    """Return the candidate or observer that this browser is in a room, or None."""
    secure = is_secure(connection, lookup(connection.app, Settings))
    key = connection.cookies.get(cookie_name(COOKIE, secure=secure))
    if not key:
        return None
    query = select(Room, RoomParticipant).join(RoomParticipant, RoomParticipant.room_id == Room.id)
    async with db.read() as session:
        mine = RoomParticipant.key_hash == token_hash(key), Room.id == room_id
        row = (await session.execute(query.where(*mine))).one_or_none()
    return RoomCaller(row[0], row[1], row[1].name, None) if row else None


def _member(room_id: str, account_id: str) -> Select[RoomParticipant]:
    return select(RoomParticipant).where(RoomParticipant.room_id == room_id, RoomParticipant.member_id == account_id)


async def _add_member(db: Database, room_id: str, account: Account) -> RoomParticipant:
    async with db.write() as session:
        await require_place(session, room_id)
        if found := await session.scalar(_member(room_id, account.id)):
            return found
        row = RoomParticipant(
            id=new_id(),
            room_id=room_id,
            role="interviewer",
            name="",
            member_id=account.id,
            key_hash=None,
            joined_at=now(),
        )
        session.add(row)
        await session.execute(update(Room).where(Room.id == room_id).values(revision=Room.revision + 1))
        return row


async def require_place(session: AsyncSession, room_id: str) -> None:
    """Raise `RoomFull` if too many people have entered the room. Until the transaction ends, nobody else can enter."""
    await hold(session, f"room people {room_id}")
    count = select(func.count()).where(RoomParticipant.room_id == room_id)
    if (await session.scalar(count) or 0) >= PEOPLE:
        raise RoomFull


async def room_caller(request: Request, room_id: Id) -> RoomCaller:
    return await caller_in(request, room_id)


def in_role(*roles: RoomRole) -> Callable[[RoomCaller], Awaitable[RoomCaller]]:
    """Return a FastAPI dependency for people in one of these roles. It raises `RoleForbids`, and what `caller_in` raises."""

    async def allowed(caller: Annotated[RoomCaller, Depends(room_caller)]) -> RoomCaller:
        if caller.role not in roles:
            raise RoleForbids(f"You are in this room as {caller.role}. Only {' and '.join(roles)} can do this.")
        return caller

    return allowed


InRoom = Annotated[RoomCaller, Depends(room_caller)]
AsInterviewer = Annotated[RoomCaller, Depends(in_role("interviewer"))]
AsWriter = Annotated[RoomCaller, Depends(in_role("interviewer", "candidate"))]
READ = (NotSignedIn, RoomNotFound, RoomEnded, RoomFull, TooManyRequests)
