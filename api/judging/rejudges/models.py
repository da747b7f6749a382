"""Tables: rejudge (at most one open rejudge per challenge), rejudge_item (a submission that a rejudge judges again),
own_rejudge (a rejudge of a team's own challenge), and rejudge_outcome (what an own_rejudge changes for a candidate).
"""

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, String, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table

IS_OPEN = text("state = 'open'")
IS_UNDECIDED = text("undecided")


class Rejudge(Table):
    """A rejudge of a challenge: its finished submissions are judged again. `state` is open, done or stopped, and `reason` says
    why the rejudge was stopped. Each new judging counts as soon as it has finished. Rejudges of a team's own challenge are
    different, see `OwnRejudge`.
    """

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
    """A rejudge of a team's own challenge. It judges submissions again with version
    number `version` of the challenge. `digest` is the digest of that version's content.
    `challenge_id` is None if the challenge was deleted later. `state` is trying, ready, applied or dropped. Results change only
    when the rejudge is applied; until it is applied or dropped, it is `undecided`. A challenge has at most one undecided
    rejudge. With `never_lower`, a new result counts only if it is not lower than the earlier one.
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
    never_lower: Mapped[bool] = mapped_column(default=False, server_default=false())
    started_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    ended_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))


class RejudgeItem(Table):
    """A submission that a rejudge judges again. `number` is the number of the new judging, or 0 until that judging is queued.
    `before` and `before_score` are the verdict and the score before the rejudge.
    """

    __tablename__ = "rejudge_item"
    __table_args__ = (Index(None, "rejudge_id", "number"), Index(None, "submission_id"))

    rejudge_id: Mapped[str] = mapped_column(ForeignKey("rejudge.id", ondelete="CASCADE"), primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"), primary_key=True)
    before: Mapped[str] = mapped_column(String(4))
    before_score: Mapped[int]
    number: Mapped[int]


class RejudgeOutcome(Table):
    """What a rejudge changes for one item of a participation (a candidate's run of an assessment): the item's verdict and
    score, and the total score of the participation, each before and after the rejudge. Totals include points that were given
    manually.
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
