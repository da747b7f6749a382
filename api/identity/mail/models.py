"""Table letter: the outbox of mail. The text of a mail is composed only when the mail is sent, so this table contains no links.
`data` (JSON) contains the values that the text needs. It is emptied when the mail was sent, or will not be tried again.
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
    """One mail. If the mail was requested for an address, `account_id` is None until the service finds an account with it."""

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
