"""The table weekly_challenge: which challenges each week had."""

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Table


class WeeklyChallenge(Table):
    """The challenge of one kind (correctness or scored) of an ISO week such as 2026-W47. It is stored when it is chosen, so
    that a week keeps its challenge when the catalogue changes.
    """

    __tablename__ = "weekly_challenge"

    week: Mapped[str] = mapped_column(String(8), primary_key=True)
    kind: Mapped[str] = mapped_column(String(11), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100))
