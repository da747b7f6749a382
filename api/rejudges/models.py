"""Tables: rejudge (one a challenge at a time), rejudge_item (one submission of it, with what its verdict was before), own_rejudge
(one of a team's own challenge), and rejudge_outcome (what such a one changes for somebody).
"""

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import Moment, Table

IS_OPEN = text("state = 'open'")
IS_UNDECIDED = text("undecided")


class Rejudge(Table):
    """Of the catalogue: `state` is open, done or stopped, and every judging counts at once. `reason` says why it was stopped."""

    __tablename__ = "rejudge"
    __table_args__: tuple[Index, ...] = (
        Index("uq_rejudge_open", "slug", unique=True, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100))
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)


class OwnRejudge(Rejudge):
    """Of a team's own challenge, which may be deleted since, on the `version` with this `digest`: `state` is trying, ready,
    applied or dropped, and nothing counts until it is applied. One a challenge is `undecided` at a time.
    """

    __tablename__ = "own_rejudge"
    __table_args__ = (
        Index(
            "uq_own_rejudge_undecided",
            "challenge_id",
            unique=True,
            sqlite_where=IS_UNDECIDED,
            postgresql_where=IS_UNDECIDED,
        ),
        Index(None, "team_id", "id"),
        Index(None, "challenge_id", "id"),
        Index(None, "started_by"),
        Index(None, "ended_by"),
    )

    id: Mapped[str] = mapped_column(ForeignKey("rejudge.id", ondelete="CASCADE"), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    challenge_id: Mapped[str | None] = mapped_column(ForeignKey("own_challenge.id", ondelete="SET NULL"))
    digest: Mapped[str] = mapped_column(String(64))
    version: Mapped[int]
    undecided: Mapped[bool]
    started_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    ended_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))


class RejudgeItem(Table):
    """`number` is that of the judging that was made for it, 0 until its turn has come."""

    __tablename__ = "rejudge_item"
    __table_args__ = (Index(None, "rejudge_id", "number"), Index(None, "submission_id"))

    rejudge_id: Mapped[str] = mapped_column(ForeignKey("rejudge.id", ondelete="CASCADE"), primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"), primary_key=True)
    before: Mapped[str] = mapped_column(String(4))
    before_score: Mapped[int]
    number: Mapped[int]


class RejudgeOutcome(Table):
    """What an item of a participation, and the participation as a whole, came to before and comes to after. Points by hand are in
    the totals.
    """

    __tablename__ = "rejudge_outcome"
    __table_args__ = (Index(None, "participation_id"),)

    rejudge_id: Mapped[str] = mapped_column(ForeignKey("own_rejudge.id", ondelete="CASCADE"), primary_key=True)
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    verdict_before: Mapped[str | None] = mapped_column(String(4))
    verdict_after: Mapped[str | None] = mapped_column(String(4))
    score_before: Mapped[float] = mapped_column(Float)
    score_after: Mapped[float] = mapped_column(Float)
    total_before: Mapped[float] = mapped_column(Float)
    total_after: Mapped[float] = mapped_column(Float)
