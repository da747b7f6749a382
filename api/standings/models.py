"""Tables: solve (the first accepted submission of an account for a challenge), standing (what an account's solves come to on
each board) and listing (how an account wants to appear). Standings follow from solves, and solves from judgings: both can be
made anew at any time.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.db import Moment, Table


class Solve(Table):
    """`solved_at` is when the submission was received, `began_at` when the account's first one for this challenge was.
    `tries` counts what was submitted until then, that one included. `shown`: other people may see it.
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
    """`section` is empty for the overall board, `period` for all time (else 2026-11 or 2026-W47, UTC). `reached_at` is when
    the account came to these points.
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
    """Who has no row is listed under the account's name; an empty `name` means that name too."""

    __tablename__ = "listing"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    listed: Mapped[bool]
    name: Mapped[str] = mapped_column(String(80))


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
