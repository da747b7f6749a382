"""Tables: bookmark and challenge_note, each with at most one row per account and challenge."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class Bookmark(Table):
    """A challenge that an account wants to find again."""

    __tablename__ = "bookmark"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(Moment)


class ChallengeNote(Table):
    """An account's note about a challenge. An empty note is no row."""

    __tablename__ = "challenge_note"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    saved_at: Mapped[datetime] = mapped_column(Moment)
