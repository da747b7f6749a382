"""Tables: node_drain, node_token; and judging: one attempt to judge a submission, and its place in the queue, which its rows are.

queued ──claim──▶ judging ──judgement──▶ judged
  │  ▲              │ │
  │  └──lost, fault─┘ └──cancel──▶ cancelled
  └──cancel──▶ cancelled

Every step out of `judging` compares the attempt's token, so only the attempt that was claimed last can make it.
"""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import SECRET, Moment, Table


class Status(StrEnum):
    """Where a judging stands."""

    QUEUED = "queued"
    JUDGING = "judging"
    JUDGED = "judged"
    CANCELLED = "cancelled"


UNFINISHED = (Status.QUEUED, Status.JUDGING)
# Said as in the index, and without parameters: PostgreSQL plans a prepared statement for any values, and an index of some rows
# only would then go unused. Whoever looks for such rows says it so.
IS_QUEUED = text("status = 'queued'")
IS_JUDGING = text("status = 'judging'")
IS_UNFINISHED = text("status IN ('queued', 'judging')")
IS_CURRENT = text("NOT superseded")
IS_JUDGE_ERROR = text("verdict = 'JE'")


class NodeDrain(Table):
    """A node of this name gets no jobs, however often it connects."""

    __tablename__ = "node_drain"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    since: Mapped[datetime] = mapped_column(Moment)


class NodeToken(Table):
    """A node on another machine that may join. `public_key` is how nats-server knows it; the seed is the node's alone."""

    __tablename__ = "node_token"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    public_key: Mapped[str] = mapped_column(String(60), unique=True)
    created_at: Mapped[datetime] = mapped_column(Moment)
    joined_at: Mapped[datetime | None] = mapped_column(Moment)


class Judging(Table):
    """`rank_at` orders the queue; `not_before` delays a retry; `infra_faults` counts faults of ours."""

    __tablename__ = "judging"
    __table_args__ = (
        Index("ix_judging_queue", "rank_at", "id", sqlite_where=IS_QUEUED, postgresql_where=IS_QUEUED),
        Index("ix_judging_leases", "lease_until", sqlite_where=IS_JUDGING, postgresql_where=IS_JUDGING),
        Index("ix_judging_load", "account_id", "rank_at", sqlite_where=IS_UNFINISHED, postgresql_where=IS_UNFINISHED),
        Index("uq_judging_current", "submission_id", unique=True, sqlite_where=IS_CURRENT, postgresql_where=IS_CURRENT),
        Index("ix_judging_errors", "id", sqlite_where=IS_JUDGE_ERROR, postgresql_where=IS_JUDGE_ERROR),
        Index(None, "submission_id", "number", unique=True),
        Index(None, "account_id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    number: Mapped[int]
    superseded: Mapped[bool] = mapped_column(default=False)
    status: Mapped[str] = mapped_column(String(16))

    slug: Mapped[str] = mapped_column(String(100))
    digest: Mapped[str] = mapped_column(String(64))
    device: Mapped[str] = mapped_column(String(16))
    short: Mapped[bool]
    seed: Mapped[int | None] = mapped_column(BigInteger, info=SECRET)

    rank_at: Mapped[datetime] = mapped_column(Moment)
    not_before: Mapped[datetime] = mapped_column(Moment)
    attempt: Mapped[int] = mapped_column(default=0)
    token: Mapped[str | None] = mapped_column(String(48), unique=True, info=SECRET)
    lease_until: Mapped[datetime | None] = mapped_column(Moment)
    node: Mapped[str | None] = mapped_column(String(100))
    lane: Mapped[str | None] = mapped_column(String(8))
    avoid_node: Mapped[str | None] = mapped_column(String(100))
    infra_faults: Mapped[int] = mapped_column(default=0)

    verdict: Mapped[str | None] = mapped_column(String(4))
    score: Mapped[int] = mapped_column(default=0)
    max_score: Mapped[int] = mapped_column(default=0)
    cpu_s: Mapped[float | None]
    memory_mb: Mapped[float | None]
    message: Mapped[str] = mapped_column(Text, default="")
    judgement: Mapped[str | None] = mapped_column(Text, deferred=True)
    # The W3C traceparent of the request that asked for it, where traces are written.
    trace: Mapped[str | None] = mapped_column(String(55), info=SECRET)

    queued_at: Mapped[datetime] = mapped_column(Moment)
    started_at: Mapped[datetime | None] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)


# For statements that are made for many rows at once.
TABLE = Judging.metadata.tables["judging"]
