"""Defines the tables of live interviews. A room is the place of one interview. `room_documents` describes how the shared document
is stored in `room_update` and `room_snapshot`.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import AUTHOR, SECRET, Moment, Table


class Room(Table):
    """A room. `account_id` is the account of the candidate, under which everything in the room is judged; it exists from the
    start and cannot sign in.

    `position` is the challenge that is shown, or 0. `extension` is Markdown that the interviewers have added to its statement.
    `timer_ends_at` is null while no timer runs. `revision` increases with every change that all participants can see, and
    `private_revision` with every change that only interviewers can see. `criteria` (JSON) is a list of titles.
    """

    __tablename__ = "room"
    __table_args__ = (Index(None, "team_id", "id"), Index(None, "created_by"), Index(None, "account_id", unique=True))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    title: Mapped[str] = mapped_column(String(120))
    minutes: Mapped[int]
    call_url: Mapped[str] = mapped_column(String(500))
    criteria: Mapped[str] = mapped_column(Text)
    candidate_hash: Mapped[str] = mapped_column(String(64), unique=True, info=SECRET)
    observer_hash: Mapped[str] = mapped_column(String(64), unique=True, info=SECRET)
    created_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)
    position: Mapped[int]
    extension: Mapped[str] = mapped_column(Text)
    timer_ends_at: Mapped[datetime | None] = mapped_column(Moment)
    revision: Mapped[int]
    private_revision: Mapped[int]


class RoomChallenge(Table):
    """A challenge of a room. Positions begin at 1. `digest` pins the version of the challenge."""

    __tablename__ = "room_challenge"

    room_id: Mapped[str] = mapped_column(ForeignKey("room.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(String(100))
    digest: Mapped[str] = mapped_column(String(64))
    opened_at: Mapped[datetime | None] = mapped_column(Moment)


class RoomParticipant(Table):
    """A person in a room. `role` is interviewer, candidate or observer.

    An interviewer is a member of the team: `member_id` is the account, and `name` is empty, because the account has the name.
    Everybody else entered with a link: `key_hash` is the hash of the key in their cookie.
    """

    __tablename__ = "room_participant"
    __table_args__ = (Index(None, "room_id", "member_id", unique=True), Index(None, "member_id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    room_id: Mapped[str] = mapped_column(ForeignKey("room.id", ondelete="CASCADE"))
    role: Mapped[str] = mapped_column(String(12))
    name: Mapped[str] = mapped_column(String(80))
    member_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), info=AUTHOR)
    key_hash: Mapped[str | None] = mapped_column(String(64), unique=True, info=SECRET)
    joined_at: Mapped[datetime] = mapped_column(Moment)


class RoomUpdate(Table):
    """A change of a room's shared document, in the encoding of Yjs. Updates are numbered from 1 in the order in which they were
    stored, and are kept for the replay. `author_id` is null for what the service itself wrote, such as starter code.
    """

    __tablename__ = "room_update"
    __table_args__ = (Index(None, "author_id"),)

    room_id: Mapped[str] = mapped_column(ForeignKey("room.id", ondelete="CASCADE"), primary_key=True)
    sequence: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment)
    author_id: Mapped[str | None] = mapped_column(ForeignKey("room_participant.id", ondelete="SET NULL"))
    # Not text, so it cannot be part of an export.
    data: Mapped[bytes] = mapped_column(LargeBinary, info=SECRET)


class RoomSnapshot(Table):
    """The whole document after the update `sequence`, so that loading it need not apply all updates."""

    __tablename__ = "room_snapshot"

    room_id: Mapped[str] = mapped_column(ForeignKey("room.id", ondelete="CASCADE"), primary_key=True)
    sequence: Mapped[int]
    data: Mapped[bytes] = mapped_column(LargeBinary, info=SECRET)


class RoomEvent(Table):
    """Something that happened in a room, for its transcript. `detail` depends on `kind`; `transcript.py` lists the kinds."""

    __tablename__ = "room_event"
    __table_args__ = (Index(None, "room_id", "id"), Index(None, "participant_id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    room_id: Mapped[str] = mapped_column(ForeignKey("room.id", ondelete="CASCADE"))
    participant_id: Mapped[str | None] = mapped_column(ForeignKey("room_participant.id", ondelete="SET NULL"))
    kind: Mapped[str] = mapped_column(String(16))
    detail: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Moment)


class RoomNote(Table):
    """A private note of an interviewer, for the interviewers of the room."""

    __tablename__ = "room_note"
    __table_args__ = (Index(None, "room_id", "id"), Index(None, "author_id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    room_id: Mapped[str] = mapped_column(ForeignKey("room.id", ondelete="CASCADE"))
    author_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), info=AUTHOR)
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Moment)


class RoomScore(Table):
    """An interviewer's score, from 0 to 4, for a criterion of the room's rubric. `criterion` is its place in the list, from 0."""

    __tablename__ = "room_score"
    __table_args__ = (Index(None, "room_id", "criterion", "reviewer_id", unique=True), Index(None, "reviewer_id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    room_id: Mapped[str] = mapped_column(ForeignKey("room.id", ondelete="CASCADE"))
    criterion: Mapped[int]
    reviewer_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), info=AUTHOR)
    level: Mapped[int]
    given_at: Mapped[datetime] = mapped_column(Moment)
