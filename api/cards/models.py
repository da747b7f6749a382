"""Tables: card_state (one row per account and card), card_review (the log), card_setting.

The text of a card is in the catalogue and never here: a card whose topic vanishes keeps its state and is not shown.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import Moment, Table


class CardState(Table):
    """How well an account knows a card. `version` counts changes; `learnt_at` is the first review, null before it.

    `state`, `step`, `stability` (days) and `difficulty` (1 to 10) are the scheduler's.
    """

    __tablename__ = "card_state"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    card: Mapped[str] = mapped_column(String(240), primary_key=True)
    version: Mapped[int] = mapped_column(default=0)
    suspended: Mapped[bool] = mapped_column(default=False)
    state: Mapped[int] = mapped_column(default=1)
    step: Mapped[int | None]
    stability: Mapped[float | None]
    difficulty: Mapped[float | None]
    due: Mapped[datetime] = mapped_column(Moment)
    last_review: Mapped[datetime | None] = mapped_column(Moment)
    learnt_at: Mapped[datetime | None] = mapped_column(Moment)
    added_at: Mapped[datetime] = mapped_column(Moment)


class CardReview(Table):
    """One grade given. `version` is the card's after it; `before` (JSON) is what undoing it brings back."""

    __tablename__ = "card_review"
    __table_args__ = (Index(None, "account_id", "id"), Index(None, "account_id", "card", "id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    card: Mapped[str] = mapped_column(String(240))
    rating: Mapped[int]
    version: Mapped[int]
    before: Mapped[str] = mapped_column(Text)
    reviewed_at: Mapped[datetime] = mapped_column(Moment)


class CardSetting(Table):
    """How many new cards a day an account wants."""

    __tablename__ = "card_setting"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    new_per_day: Mapped[int]
