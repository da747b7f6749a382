"""Table draft: one row per account and challenge."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class Draft(Table):
    """An account's draft for a challenge. `version` is incremented by each change. If a guest signed in, and the guest and the
    account had different drafts for this challenge, `previous` is the older of the two.
    """

    __tablename__ = "draft"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100), primary_key=True)
    source: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    saved_at: Mapped[datetime] = mapped_column(Moment)
    previous: Mapped[str | None] = mapped_column(Text)
    previous_saved_at: Mapped[datetime | None] = mapped_column(Moment)
