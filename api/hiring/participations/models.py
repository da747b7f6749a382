"""Defines the tables of participations, of their items, drafts, edits and signals, and of outages. Answers are stored in the
tables `submission` and `quiz_answer`, under the candidate's account.
"""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import SECRET, Moment, Table

IS_RUNNING = text("finished_at IS NULL")
IS_OPEN = text("is_open")


class Participation(Table):
    """One candidate's attempt at one version of an assessment. `number` is the number of the attempt among those with the same
    invitation, starting at 1. `device` is the ID of the candidate's newest session; only this session may work on the
    participation. `finished_by` is candidate, deadline or team. `is_test` is true for the test drive of a team's member, which is
    not part of the results.
    """

    __tablename__ = "participation"
    __table_args__ = (
        Index(None, "invitation_id", "number", unique=True),
        Index(None, "account_id", unique=True),
        Index(None, "assessment_id", "id"),
        Index(
            "ix_participation_running",
            "assessment_id",
            "version",
            "started_at",
            sqlite_where=IS_RUNNING,
            postgresql_where=IS_RUNNING,
        ),
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
    is_test: Mapped[bool] = mapped_column(default=False, server_default=false())


class CandidateAccount(Table):
    """An account on this site that probably belongs to the candidate. The account has the invited email address, or was signed
    in in the browser in which the candidate started or continued the assessment.
    """

    __tablename__ = "participation_beside"
    __table_args__ = (Index(None, "account_id"),)

    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)


class ParticipationItem(Table):
    """A drawn item: a challenge (`name` is its slug), a quiz (`name` is its topic), or a question of the plan (`name` is its name
    there). `attempt_id` is set once a quiz is opened, or a question that is marked like one. A follow-up follows the item at the
    position before it, and the candidate sees it only after `handed_in_at` of that item is set.
    """

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
    is_follow_up: Mapped[bool] = mapped_column(default=False, server_default=false())
    handed_in_at: Mapped[datetime | None] = mapped_column(Moment)


class ParticipationDraft(Table):
    """The current text of an answer. `revision` is the sequence number of the newest batch of edits that the text includes.
    `marked` is the code with the lines that the text is about, as JSON (see `taking.question_items.MarkedCode`), or null.
    """

    __tablename__ = "participation_draft"

    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    source: Mapped[str] = mapped_column(Text)
    revision: Mapped[int]
    saved_at: Mapped[datetime] = mapped_column(Moment)
    marked: Mapped[str | None] = mapped_column(Text)


class ParticipationEdit(Table):
    """A batch of edits to an answer. `events` contains the edits as JSON. `sequence` is the number of the batch; the batches of
    an item are ordered by it.
    """

    __tablename__ = "participation_edit"

    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    sequence: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment)
    events: Mapped[str] = mapped_column(Text)


class ParticipationSignal(Table):
    """A recorded signal. It stands for a paste of `size` characters, leaving or entering the page, a change of device, or a
    refused attempt to practise an item. `key` is unique within the participation, so that a signal that is sent again is stored
    only once.
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
    """A period whose time is given back to the candidates of an assessment. `source` is team (a member reported it) or queue
    (the service noticed that answers waited too long). While the queue is still slow, `is_open` is true, and `ends_at` is only
    provisional.
    """

    __tablename__ = "outage"
    __table_args__ = (
        Index(None, "assessment_id", "begins_at"),
        Index(None, "reported_by"),
        Index("ix_outage_open", "assessment_id", sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    assessment_id: Mapped[str] = mapped_column(ForeignKey("assessment.id", ondelete="CASCADE"))
    begins_at: Mapped[datetime] = mapped_column(Moment)
    ends_at: Mapped[datetime] = mapped_column(Moment)
    reported_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment)
    source: Mapped[str] = mapped_column(String(8), default="team")
    is_open: Mapped[bool] = mapped_column(default=False)
