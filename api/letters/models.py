"""Table letter: the outbox. What a letter says is made up when it is sent, so no link lies here; `data` (JSON) is what that
needs, and is forgotten with the sending.
"""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import SECRET, Moment, Table


class Status(StrEnum):
    """Where a letter stands."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


IS_QUEUED = text("status = 'queued'")


class Letter(Table):
    """One letter. `account_id` is empty while nobody knows whether the address belongs to an account."""

    __tablename__ = "letter"
    __table_args__ = (
        Index("ix_letter_due", "next_at", sqlite_where=IS_QUEUED, postgresql_where=IS_QUEUED),
        Index(None, "account_id"),
        Index(None, "ended_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(16))
    address: Mapped[str] = mapped_column(String(254))
    data: Mapped[str] = mapped_column(Text, info=SECRET)
    status: Mapped[str] = mapped_column(String(8))
    attempts: Mapped[int]
    error: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(Moment)
    next_at: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)
