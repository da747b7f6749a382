"""Tables: participation, its items, drafts, edits and signals, and outage. Answers are where they always are (submission,
quiz_answer), of the candidate's account.
"""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import SECRET, Moment, Table

IS_RUNNING = text("finished_at IS NULL")


class Participation(Table):
    """One person's run through one version of an assessment. `number` counts the runs of an invitation. `device` is the session
    that may work on it: the newest. `finished_by` is candidate, deadline or team.
    """

    __tablename__ = "participation"
    __table_args__ = (
        Index(None, "invitation_id", "number", unique=True),
        Index(None, "account_id", unique=True),
        Index(None, "assessment_id", "id"),
        Index("ix_participation_running", "id", sqlite_where=IS_RUNNING, postgresql_where=IS_RUNNING),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    assessment_id: Mapped[str] = mapped_column(ForeignKey("assessment.id", ondelete="CASCADE"))
    version: Mapped[int]
    invitation_id: Mapped[str] = mapped_column(ForeignKey("invitation.id", ondelete="CASCADE"))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    number: Mapped[int]
    name: Mapped[str] = mapped_column(String(80))
    seed: Mapped[int] = mapped_column(BigInteger, info=SECRET)
    started_at: Mapped[datetime] = mapped_column(Moment)
    extra_s: Mapped[int]
    given_back_s: Mapped[int]
    finished_at: Mapped[datetime | None] = mapped_column(Moment)
    finished_by: Mapped[str | None] = mapped_column(String(16))
    device: Mapped[str] = mapped_column(String(32))


class ParticipationItem(Table):
    """What was drawn: a challenge (`name` is its slug) or a quiz (its topic, with the attempt once it is opened)."""

    __tablename__ = "participation_item"
    __table_args__ = (Index(None, "attempt_id"),)

    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    section_key: Mapped[str] = mapped_column(String(40))
    kind: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(100))
    digest: Mapped[str] = mapped_column(String(64))
    points: Mapped[int]
    attempt_id: Mapped[str | None] = mapped_column(ForeignKey("quiz_attempt.id", ondelete="SET NULL"))
    opened_at: Mapped[datetime | None] = mapped_column(Moment)


class ParticipationDraft(Table):
    """What is being written; `revision` is the sequence of the batch of edits that led to it."""

    __tablename__ = "participation_draft"

    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    source: Mapped[str] = mapped_column(Text)
    revision: Mapped[int]
    saved_at: Mapped[datetime] = mapped_column(Moment)


class ParticipationEdit(Table):
    """A batch of edits (JSON), in the order of `sequence`."""

    __tablename__ = "participation_edit"

    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    sequence: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment)
    events: Mapped[str] = mapped_column(Text)


class ParticipationSignal(Table):
    """Something that was noticed, as a fact: a paste of `size` characters, the page left or entered, another device. `key` is
    its sender's: what is sent again is there already.
    """

    __tablename__ = "participation_signal"
    __table_args__ = (
        Index(None, "participation_id", "id"),
        Index(None, "participation_id", "key", unique=True),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"))
    position: Mapped[int]
    kind: Mapped[str] = mapped_column(String(8))
    at: Mapped[datetime] = mapped_column(Moment)
    size: Mapped[int]
    detail: Mapped[str] = mapped_column(String(200))
    key: Mapped[str | None] = mapped_column(String(32))


class Outage(Table):
    """A stretch of time in which nobody could work, as the team reported it."""

    __tablename__ = "outage"
    __table_args__ = (Index(None, "assessment_id", "begins_at"), Index(None, "reported_by"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    assessment_id: Mapped[str] = mapped_column(ForeignKey("assessment.id", ondelete="CASCADE"))
    begins_at: Mapped[datetime] = mapped_column(Moment)
    ends_at: Mapped[datetime] = mapped_column(Moment)
    reported_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment)
