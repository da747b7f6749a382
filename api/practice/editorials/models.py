"""Tables: giving_up and hints_seen. Each has one row per account and challenge."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class GivingUp(Table):
    """When an account gave up on a challenge, which opens the editorial before the challenge is solved."""

    __tablename__ = "giving_up"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100), primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment)


class HintsSeen(Table):
    """How many hints an account has opened. Only the account itself can see this."""

    __tablename__ = "hints_seen"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100), primary_key=True)
    count: Mapped[int]
