"""The transcript of a room: what happened in it, in order. It is shown beside the replay of the document."""

import json
from typing import Any, Literal

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.room_records.models import RoomEvent, RoomParticipant
from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.kit.ids import new_id

# `joined`, `left`: the first connection of a person, and the end of the last one. `challenge`: another challenge is shown
# (`position`). `extension`: the statement was extended (`text`). `run`, `submit`: the code was sent to be judged
# (`submission_id`, `position`). `timer`: the timer was set (`minutes`), or stopped (`minutes` is 0).
EventKind = Literal["created", "joined", "left", "challenge", "extension", "run", "submit", "timer", "ended"]
# Maximum number of events that a transcript shows.
SHOWN = 2000


def record(session: AsyncSession, room_id: str, participant_id: str | None, kind: EventKind, **detail: Any) -> None:
    """Add an event to the transcript."""
    event = RoomEvent(
        id=new_id(),
        room_id=room_id,
        participant_id=participant_id,
        kind=kind,
        detail=json.dumps(detail, ensure_ascii=False),
        at=now(),
    )
    session.add(event)


def events(room_id: str) -> Select[RoomEvent]:
    """Return a query for the events of a room, in order."""
    return select(RoomEvent).where(RoomEvent.room_id == room_id).order_by(RoomEvent.id).limit(SHOWN)


def people(room_id: str) -> Select[RoomParticipant, str | None]:
    """Return a query for everybody who has entered a room, each with the name of the account, or None."""
    query = select(RoomParticipant, Account.name).outerjoin(Account, Account.id == RoomParticipant.member_id)
    return query.where(RoomParticipant.room_id == room_id).order_by(RoomParticipant.joined_at, RoomParticipant.id)
