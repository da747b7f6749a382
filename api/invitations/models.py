"""Table invitation: the right of one person to take an assessment. Secrets are stored as SHA-256 only."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import ADDRESS, SECRET, Moment, Table

IS_OPEN = text("email <> '' AND revoked_at IS NULL")


class Invitation(Table):
    """`email` and `name` may be empty: then it is a link for whoever the team gives it to. The link that the team was shown, the
    one in the letter and the one in the reminder have a token each, so that a reminder makes no other link worthless; tokens
    of letters are made when they are sent. `used_at` is the first start.
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
    created_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment)
    expires_at: Mapped[datetime] = mapped_column(Moment)
    sent_at: Mapped[datetime | None] = mapped_column(Moment)
    reminded_at: Mapped[datetime | None] = mapped_column(Moment)
    revoked_at: Mapped[datetime | None] = mapped_column(Moment)
    used_at: Mapped[datetime | None] = mapped_column(Moment)
