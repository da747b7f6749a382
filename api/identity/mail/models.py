"""Table letter: the outbox of mail. The text is composed only when a mail is sent, so no link is stored here. `data` (JSON)
contains the values that the text needs, and is emptied when the mail has been sent or abandoned.
"""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import SECRET, Moment, Table


class Status(StrEnum):
    """The delivery status of a mail."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


IS_QUEUED = text("status = 'queued'")


class OutboxMail(Table):
    """One mail. `account_id` is empty until the service has looked up whether the address belongs to an account."""

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
