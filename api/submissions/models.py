"""Tables: submission (never changed) and submission_source, apart so that lists never load code."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import Moment, Table


class Submission(Table):
    """Source sent for a challenge; kind is run, submit or scratch."""

    __tablename__ = "submission"
    __table_args__ = (
        Index(None, "account_id", "id"),
        Index(None, "account_id", "slug", "id"),
        Index(None, "account_id", "idempotency_key", unique=True),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    slug: Mapped[str] = mapped_column(String(100))
    kind: Mapped[str] = mapped_column(String(8))
    device: Mapped[str] = mapped_column(String(16))
    digest: Mapped[str] = mapped_column(String(64))
    fingerprint: Mapped[str] = mapped_column(String(64))
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(Moment)


class SubmissionSource(Table):
    """The text of a submission; `snippet` only for scratch."""

    __tablename__ = "submission_source"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"), primary_key=True)
    source: Mapped[str] = mapped_column(Text)
    snippet: Mapped[str] = mapped_column(Text)
