"""Table draft: one per account and challenge. `version` counts its changes."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import Moment, Table


class Draft(Table):
    """`previous` is a draft that another one took the place of when a guest's work came to an account."""

    __tablename__ = "draft"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100), primary_key=True)
    source: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    saved_at: Mapped[datetime] = mapped_column(Moment)
    previous: Mapped[str | None] = mapped_column(Text)
    previous_saved_at: Mapped[datetime | None] = mapped_column(Moment)
