"""Tables: rejudge (one a challenge at a time) and rejudge_item (one submission of it, with what its verdict was before)."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import Moment, Table

IS_OPEN = text("state = 'open'")


class Rejudge(Table):
    """`state` is open, done or stopped; `reason` says why it was stopped."""

    __tablename__ = "rejudge"
    __table_args__ = (Index("uq_rejudge_open", "slug", unique=True, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100))
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)


class RejudgeItem(Table):
    """`number` is that of the judging that was made for it, 0 until its turn has come."""

    __tablename__ = "rejudge_item"
    __table_args__ = (Index(None, "rejudge_id", "number"), Index(None, "submission_id"))

    rejudge_id: Mapped[str] = mapped_column(ForeignKey("rejudge.id", ondelete="CASCADE"), primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"), primary_key=True)
    before: Mapped[str] = mapped_column(String(4))
    before_score: Mapped[int]
    number: Mapped[int]
