"""Tables: solve (an account's first accepted submission for a challenge), standing (an account's points on each board), listing
(how an account appears on boards) and follow (whom an account follows).

Standings are derived from solves, and solves from judgings. Both can be recomputed at any time.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, ForeignKey, Index, String, func
from sqlalchemy.orm import Mapped, mapped_column

from api.identity.accounts.models import Account
from api.kit.db.database import OF_ANOTHER, Moment, Table


class Solve(Table):
    """An account's first accepted submission for a challenge. `solved_at` is when it was sent. `began_at` is when the account
    first sent anything for this challenge, even a run of the samples. `tries` counts the judged submissions up to and including
    the accepted one. `shown` says whether other accounts may see the solve.
    """

    __tablename__ = "solve"
    __table_args__ = (Index(None, "submission_id", unique=True),)

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100), primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"))
    section: Mapped[str] = mapped_column(String(100))
    points: Mapped[int]
    tries: Mapped[int]
    began_at: Mapped[datetime] = mapped_column(Moment)
    solved_at: Mapped[datetime] = mapped_column(Moment)
    shown: Mapped[bool]


class Standing(Table):
    """An account's points on one board. `section` is empty for the overall board. `period` is a month such as 2026-11 or a week
    such as 2026-W47, both in UTC, or empty for all time. `reached_at` is when the account sent the submission that
    brought it to these points.
    """

    __tablename__ = "standing"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    section: Mapped[str] = mapped_column(String(100), primary_key=True)
    period: Mapped[str] = mapped_column(String(8), primary_key=True)
    points: Mapped[int]
    solved: Mapped[int]
    reached_at: Mapped[datetime] = mapped_column(Moment)
    shown: Mapped[bool]


class Listing(Table):
    """How an account appears on boards. An account without a row, or with an empty `name`, appears under its own name."""

    __tablename__ = "listing"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    listed: Mapped[bool]
    name: Mapped[str] = mapped_column(String(80))


class Follow(Table):
    """An account follows another: it finds it on boards with the people that it follows. The followed account learns only how
    many follow it, so these rows are no part of its personal data.
    """

    __tablename__ = "follow"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    followed_id: Mapped[str] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, index=True, info=OF_ANOTHER
    )
    followed_at: Mapped[datetime] = mapped_column(Moment)


def shown_name() -> ColumnElement[str]:
    """Return an SQL expression for the name under which an account appears, in a query with Account and an outer join of
    Listing.
    """
    return func.coalesce(func.nullif(Listing.name, ""), Account.name)


Index(
    "ix_solve_board",
    Solve.slug,
    Solve.shown,
    Solve.points.desc(),
    Solve.solved_at,
    Solve.account_id,
)
Index(
    "ix_standing_board",
    Standing.section,
    Standing.period,
    Standing.shown,
    Standing.points.desc(),
    Standing.reached_at,
    Standing.account_id,
)
