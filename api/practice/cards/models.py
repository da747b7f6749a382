"""Tables: card_state (one row per account and card), card_review (one row per grade), card_setting.

The text of a card stays in the catalogue. If a topic is removed, the rows of its cards are kept, and the cards are not shown.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class CardState(Table):
    """An account's progress with a card. `version` is incremented by each grade and each undo. `learnt_at` is the time of the
    first grade, or None. `state`, `step`, `stability` (in days) and `difficulty` (1 to 10) are values of the FSRS scheduler.
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
    """One grade that an account gave to a card. `version` is the version of the card's `CardState` after the grade. `before` is
    the schedule before the grade, as JSON; it is restored if the grade is undone.
    """

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
    """How many new cards an account wants per day."""

    __tablename__ = "card_setting"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    new_per_day: Mapped[int]
