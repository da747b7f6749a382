"""Creates rooms, opens their links, and changes what is shown in them.

Every change takes place in a transaction that has locked the room (`to_change`), and increases one of its two revisions. After
the commit, the caller notifies the room's channel (`live_room.channel_of`), so that all processes tell their clients.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Challenge, ChallengeNotFound
from api.content.catalogue.service import CatalogueStore
from api.hiring.interview_rooms.schemas import CHALLENGES, NewRoom
from api.hiring.room_documents import store
from api.hiring.room_records import transcript
from api.hiring.room_records.access import LINK_DAYS, RoomCaller, RoomEnded, RoomNotFound, require_place
from api.hiring.room_records.models import Room, RoomChallenge, RoomParticipant
from api.hiring.team_catalogue.service import catalogue_of
from api.hiring.teams.membership import Membership
from api.hiring.teams.models import Team
from api.identity.accounts import candidates
from api.identity.accounts.hashing import new_token, token_hash
from api.identity.accounts.models import Account
from api.kit.db.database import hold, now
from api.kit.errors import ApiError
from api.kit.ids import new_id

PREFIX, KEY_PREFIX = "room_", "roomkey_"
ROOMS = 1000


class TooManyRooms(ApiError):
    """The team has reached the maximum number of rooms."""

    status, code = 409, "too_many_rooms"


class TooManyChallenges(ApiError):
    """The room has reached the maximum number of challenges."""

    status, code = 409, "too_many_challenges"


class BadRoomLink(ApiError):
    """No room has this link."""

    status, code = 404, "bad_room_link"


class NothingShown(ApiError):
    """No challenge is shown, so there is no code to judge and no statement to extend."""

    status, code = 409, "nothing_shown"


@dataclass(frozen=True)
class Tokens:
    """The secrets of a room's links."""

    candidate: str
    observer: str


async def create(
    session: AsyncSession, membership: Membership, wanted: NewRoom, store_of: CatalogueStore
) -> tuple[Room, Tokens]:
    """Create a room. Raises `TooManyRooms`, `ChallengeNotFound`."""
    team = membership.team
    await hold(session, f"rooms {team.id}")
    count = select(func.count()).where(Room.team_id == team.id)
    if (await session.scalar(count) or 0) >= ROOMS:
        raise TooManyRooms(f"A team has at most {ROOMS:,} rooms. Delete old ones first.")
    chosen = [await _challenge(session, store_of, team.id, name) for name in dict.fromkeys(wanted.challenges)]
    account = candidates.make(session, wanted.title[:80])
    await session.flush()
    tokens = Tokens(new_token(PREFIX), new_token(PREFIX))
    room = Room(
        id=new_id(),
        team_id=team.id,
        account_id=account.id,
        title=wanted.title,
        minutes=wanted.minutes,
        call_url=wanted.call_url,
        criteria=json.dumps(wanted.criteria),
        candidate_hash=token_hash(tokens.candidate),
        observer_hash=token_hash(tokens.observer),
        created_by=membership.account.id,
        created_at=now(),
        ended_at=None,
        position=0,
        extension="",
        timer_ends_at=None,
        revision=1,
        private_revision=1,
    )
    session.add(room)
    await session.flush()
    for position, challenge in enumerate(chosen, start=1):
        _add(session, room.id, position, challenge)
    transcript.record(session, room.id, None, "created")
    return room, tokens


async def find(session: AsyncSession, team_id: str, room_id: str) -> Room:
    """Return a room of the team, locked until the end of the transaction. Raises `RoomNotFound`."""
    query = select(Room).where(Room.id == room_id, Room.team_id == team_id)
    room: Room | None = await session.scalar(query.with_for_update())
    if room is None:
        raise RoomNotFound("This team has no room with this ID.")
    return room


def listing(team_id: str, before: str) -> Select[Room, str | None]:
    """Return a query for a team's rooms, newest first, each with the name of its creator, or None if that account is deleted."""
    query = select(Room, Account.name).outerjoin(Account, Account.id == Room.created_by)
    query = query.where(Room.team_id == team_id).order_by(Room.id.desc())
    return query.where(Room.id < before) if before else query


async def candidates_of(session: AsyncSession, rooms: Sequence[Room]) -> dict[str, list[str]]:
    """Return the names of the candidates who have entered these rooms, by the room's id."""
    query = select(RoomParticipant.room_id, RoomParticipant.name).where(
        RoomParticipant.room_id.in_([room.id for room in rooms]), RoomParticipant.role == "candidate"
    )
    names: dict[str, list[str]] = {}
    for room_id, name in await session.execute(query.order_by(RoomParticipant.id)):
        if name not in names.setdefault(room_id, []):
            names[room_id].append(name)
    return names


def replace_links(room: Room) -> Tokens:
    """Create new links. The old ones stop working. People who have entered stay in the room. Raises `RoomEnded`."""
    if room.ended_at is not None:
        raise RoomEnded
    tokens = Tokens(new_token(PREFIX), new_token(PREFIX))
    room.candidate_hash, room.observer_hash = token_hash(tokens.candidate), token_hash(tokens.observer)
    return tokens


async def opened_by(session: AsyncSession, token: str) -> tuple[Room, str, str]:
    """Return the room that a link opens, the role in it, and the team's name. Raises `BadRoomLink`, `RoomEnded`."""
    digest = token_hash(token)
    query = select(Room, Team.name).join(Team, Team.id == Room.team_id)
    row = (
        await session.execute(query.where((Room.candidate_hash == digest) | (Room.observer_hash == digest)))
    ).one_or_none()
    if row is None:
        raise BadRoomLink("This link opens no interview. It may be mistyped, or replaced by a newer one. Ask the team.")
    room, team = row
    if room.ended_at is not None or room.created_at < now() - timedelta(days=LINK_DAYS):
        raise RoomEnded
    return room, "candidate" if room.candidate_hash == digest else "observer", team


async def enter(session: AsyncSession, token: str, name: str) -> tuple[str, str]:
    """Enter the room that a link opens. Returns the room's id, and the key for the cookie. Raises `BadRoomLink`, `RoomEnded`,
    `RoomFull`.
    """
    room, role, _ = await opened_by(session, token)
    await require_place(session, room.id)
    key = new_token(KEY_PREFIX)
    row = RoomParticipant(
        id=new_id(),
        room_id=room.id,
        role=role,
        name=name,
        member_id=None,
        key_hash=token_hash(key),
        joined_at=now(),
    )
    session.add(row)
    room.revision += 1
    return room.id, key


async def to_change(session: AsyncSession, caller: RoomCaller) -> Room:
    """Return the caller's room, locked until the end of the transaction. Raises `RoomNotFound`, `RoomEnded`."""
    query = select(Room).where(Room.id == caller.room.id).with_for_update().execution_options(populate_existing=True)
    room: Room | None = await session.scalar(query)
    if room is None:
        raise RoomNotFound
    if room.ended_at is not None:
        raise RoomEnded
    return room


async def show(session: AsyncSession, room: Room, caller: RoomCaller, name: str, store_of: CatalogueStore) -> None:
    """Show a challenge to everybody. If the room does not have it yet, it is added. When a challenge is shown for the first time,
    its starter code is written into the shared document.

    Raises `ChallengeNotFound`, `TooManyChallenges`.
    """
    rows = (await session.scalars(challenges(room.id))).all()
    row = next((each for each in rows if each.slug == name), None)
    if row is None:
        if len(rows) >= CHALLENGES:
            raise TooManyChallenges(f"A room has at most {CHALLENGES} challenges.")
        challenge = await _challenge(session, store_of, room.team_id, name)
        row = _add(session, room.id, len(rows) + 1, challenge)
    if row.opened_at is None:
        row.opened_at = now()
        if (pinned := store_of.pinned(row.slug, row.digest)) and pinned.package.starter:
            await store.write_code(session, room.id, row.position, pinned.package.starter)
    room.position, room.extension = row.position, ""
    room.revision += 1
    transcript.record(session, room.id, caller.participant.id, "challenge", position=row.position)


def challenges(room_id: str) -> Select[RoomChallenge]:
    return select(RoomChallenge).where(RoomChallenge.room_id == room_id).order_by(RoomChallenge.position)


async def shown(session: AsyncSession, room: Room, store_of: CatalogueStore) -> Challenge:
    """Return the challenge that is shown. Raises `NothingShown`, `ChallengeNotFound`."""
    row = await session.get(RoomChallenge, (room.id, room.position))
    if row is None:
        raise NothingShown("No challenge is shown yet.")
    found = store_of.pinned(row.slug, row.digest)
    if found is None:
        raise ChallengeNotFound("This challenge is no longer available. Show another one.")
    return found


def extend(session: AsyncSession, room: Room, caller: RoomCaller, text: str) -> None:
    """Replace the extension of the statement. Raises `NothingShown`."""
    if not room.position:
        raise NothingShown("No challenge is shown yet. Show one, then extend its statement.")
    room.extension = text
    room.revision += 1
    transcript.record(session, room.id, caller.participant.id, "extension", position=room.position, text=text)


def set_timer(session: AsyncSession, room: Room, caller: RoomCaller, seconds: int) -> None:
    room.timer_ends_at = now() + timedelta(seconds=seconds) if seconds else None
    room.revision += 1
    transcript.record(session, room.id, caller.participant.id, "timer", minutes=round(seconds / 60))


def end(session: AsyncSession, room: Room, participant_id: str | None) -> None:
    """End the interview. The links stop working, and the document can no longer be changed."""
    room.ended_at, room.timer_ends_at = now(), None
    room.revision += 1
    transcript.record(session, room.id, participant_id, "ended")


async def _challenge(session: AsyncSession, store_of: CatalogueStore, team_id: str, name: str) -> Challenge:
    return (await catalogue_of(session, store_of, team_id)).get(name)


def _add(session: AsyncSession, room_id: str, position: int, challenge: Challenge) -> RoomChallenge:
    package = challenge.package
    row = RoomChallenge(room_id=room_id, position=position, slug=package.slug, digest=package.digest, opened_at=None)
    session.add(row)
    return row
