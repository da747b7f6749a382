"""Defines the table `invitation`. Only SHA-256 hashes of tokens are stored."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, false, text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import ADDRESS, SECRET, Moment, Table

IS_OPEN = text("email <> '' AND revoked_at IS NULL")


class Invitation(Table):
    """Lets one candidate take an assessment. `email` and `name` can be empty; without an email address, the team must give the
    link to the candidate. `used_at` is when the candidate first started. `is_test` is true if a member of the team created the
    invitation to try the assessment.

    The link shown to the team, the one in the email, and the one in the reminder have separate tokens, so that a reminder does
    not invalidate the others. Tokens for emails are created when the email is sent.
    """

    __tablename__ = "invitation"
    __table_args__ = (
        Index(None, "assessment_id", "id"),
        Index(
            "uq_invitation_email", "assessment_id", "email", unique=True, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN
        ),
        Index(None, "email"),
        Index(None, "expires_at"),
        Index(None, "created_by"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    assessment_id: Mapped[str] = mapped_column(ForeignKey("assessment.id", ondelete="CASCADE"))
    email: Mapped[str] = mapped_column(String(254), info=ADDRESS)
    name: Mapped[str] = mapped_column(String(80))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True, info=SECRET)
    letter_hash: Mapped[str | None] = mapped_column(String(64), unique=True, info=SECRET)
    reminder_hash: Mapped[str | None] = mapped_column(String(64), unique=True, info=SECRET)
    extra_minutes: Mapped[int]
    time_percent: Mapped[int] = mapped_column(default=100, server_default=text("100"))
    created_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment)
    expires_at: Mapped[datetime] = mapped_column(Moment)
    sent_at: Mapped[datetime | None] = mapped_column(Moment)
    reminded_at: Mapped[datetime | None] = mapped_column(Moment)
    revoked_at: Mapped[datetime | None] = mapped_column(Moment)
    used_at: Mapped[datetime | None] = mapped_column(Moment)
    is_test: Mapped[bool] = mapped_column(default=False, server_default=false())
