"""Tables: speed_board (the board of a challenge on one kind of machine), measurement (one measuring of an answer) and speed_entry
(an account's best measured answer on a board).

An *answer* is all measurements of the same code by the same account on one board: the first one, and those that confirm it.
Entries are derived from measurements and can be recomputed at any time.
"""

import math
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from api.judging.submissions.packed_text import Packed
from api.kit.db.database import SECRET, Moment, Table


class Status(StrEnum):
    """The state of a measurement. `SAME` is a submission whose code the account has sent before: another measurement counts
    for it. `FAILED` means that the answer failed in the chain, and `FAULT` that the grader failed. `CANCELLED` means that it is
    no longer wanted, because the challenge or the verdict has changed.
    """

    WAITING = "waiting"
    RUNNING = "running"
    MEASURED = "measured"
    FAILED = "failed"
    FAULT = "fault"
    CANCELLED = "cancelled"
    SAME = "same"


class Flag(StrEnum):
    """Why a measurement does not count: the machine was too busy, or the interval is too wide, or the answer was faster than the
    machine can be, or two measurements of it disagree. A person reviews the last two.
    """

    SHARED = "shared"
    WIDE = "wide"
    FLOOR = "floor"
    DISAGREES = "disagrees"


REVIEWED_FLAGS = (Flag.FLOOR, Flag.DISAGREES)
ACCEPTED, WITHDRAWN = "accepted", "withdrawn"
# Answers that every board measures for comparison. They have no account and no place.
BASELINE, LIBRARY, BEST = "baseline", "library", "best"
# Conditions of the partial indexes below, and of queries that use these indexes. They contain no parameters (see
# api/judging/submissions/models.py).
IS_WAITING = text("status = 'waiting'")
IS_RUNNING = text("status = 'running'")
IS_LISTED = text("shown AND NOT confirming")
IS_CONFIRMING = text("confirming")


class SpeedBoard(Table):
    """The board of a challenge on one kind of machine. `plan` is the digest of what is measured: the chain, the sizes and the
    baseline. Measurements with different values of `plan`, `cpu`, `torch` or `runner` are never compared. `noise` is the noise
    floor, and `node` the node that measured last.
    """

    __tablename__ = "speed_board"
    __table_args__ = (Index(None, "slug", "plan", "cpu", "torch", "runner", unique=True),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    slug: Mapped[str] = mapped_column(String(100))
    plan: Mapped[str] = mapped_column(String(64))
    quantity: Mapped[str] = mapped_column(String(8))
    cpu: Mapped[str] = mapped_column(String(200))
    torch: Mapped[str] = mapped_column(String(100))
    runner: Mapped[str] = mapped_column(String(200))
    gflops: Mapped[float]
    gb_per_s: Mapped[float]
    noise: Mapped[float]
    node: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime] = mapped_column(Moment)
    measured_at: Mapped[datetime] = mapped_column(Moment)


class Measurement(Table):
    """One measuring of an answer. A row with a `role` measures an answer of the challenge itself and has no account. `code` is
    the digest of the answer's syntax tree, empty until it is computed. The queue is ordered by `rank_at`.

    `wanted_board_id` is the board whose answer this measurement confirms, and `board_id` the board on which it counts. `result`
    is what the node returned, as JSON. `reason` says why there is no result, for the account. `review` is the decision of a
    moderator.
    """

    __tablename__ = "measurement"
    __table_args__ = (
        Index("ix_measurement_queue", "rank_at", "id", sqlite_where=IS_WAITING, postgresql_where=IS_WAITING),
        Index("ix_measurement_running", "token", sqlite_where=IS_RUNNING, postgresql_where=IS_RUNNING),
        Index(None, "submission_id"),
        Index(None, "account_id", "slug", "code"),
        Index(None, "board_id", "account_id"),
        Index(None, "flag", "id"),
        Index(None, "same_as_id"),
        Index(None, "wanted_board_id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    submission_id: Mapped[str | None] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"))
    same_as_id: Mapped[str | None] = mapped_column(ForeignKey("measurement.id", ondelete="CASCADE"))
    slug: Mapped[str] = mapped_column(String(100))
    plan: Mapped[str] = mapped_column(String(64))
    role: Mapped[str] = mapped_column(String(8), default="")
    code: Mapped[str] = mapped_column(String(64), default="")

    status: Mapped[str] = mapped_column(String(10))
    rank_at: Mapped[datetime] = mapped_column(Moment)
    attempts: Mapped[int] = mapped_column(default=0)
    token: Mapped[str | None] = mapped_column(String(48), info=SECRET)
    node: Mapped[str | None] = mapped_column(String(100))
    pairs: Mapped[int] = mapped_column(default=0)
    half_width: Mapped[float | None]
    asked_at: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)

    wanted_board_id: Mapped[str | None] = mapped_column(ForeignKey("speed_board.id", ondelete="SET NULL"))
    board_id: Mapped[str | None] = mapped_column(ForeignKey("speed_board.id", ondelete="CASCADE"))
    log_ratio: Mapped[float | None]
    std_error: Mapped[float | None]
    result: Mapped[str | None] = mapped_column(Packed, deferred=True)
    flag: Mapped[str] = mapped_column(String(10), default="")
    reason: Mapped[str] = mapped_column(Text, default="")
    fault: Mapped[str] = mapped_column(Text, default="", info=SECRET)
    review: Mapped[str] = mapped_column(String(10), default="")
    review_reason: Mapped[str] = mapped_column(Text, default="")
    reviewed_at: Mapped[datetime | None] = mapped_column(Moment)


class SpeedEntry(Table):
    """An account's best measured answer on a board. `measurement_id` is its first measurement, and `low` and `high` are the ends
    of its interval. While the answer is measured again before it gets a place, it is `confirming`. `shown` says whether other
    accounts may see the entry.
    """

    __tablename__ = "speed_entry"
    __table_args__ = (
        Index(None, "account_id"),
        Index(None, "measurement_id"),
        Index(
            "ix_speed_entry_confirming", "board_id", "high", sqlite_where=IS_CONFIRMING, postgresql_where=IS_CONFIRMING
        ),
        Index("ix_speed_entry_low", "board_id", "low", sqlite_where=IS_LISTED, postgresql_where=IS_LISTED),
    )

    board_id: Mapped[str] = mapped_column(ForeignKey("speed_board.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    measurement_id: Mapped[str] = mapped_column(ForeignKey("measurement.id", ondelete="CASCADE"))
    log_ratio: Mapped[float]
    std_error: Mapped[float]
    low: Mapped[float]
    high: Mapped[float]
    sessions: Mapped[int]
    confirming: Mapped[bool]
    shown: Mapped[bool]
    measured_at: Mapped[datetime] = mapped_column(Moment)

    @property
    def ratio(self) -> float:
        """How many times as fast as the baseline the answer is, or how many times less memory it needs."""
        return math.exp(self.log_ratio)


Index(
    "ix_speed_entry_high",
    SpeedEntry.board_id,
    SpeedEntry.high.desc(),
    SpeedEntry.account_id,
    sqlite_where=IS_LISTED,
    postgresql_where=IS_LISTED,
)
