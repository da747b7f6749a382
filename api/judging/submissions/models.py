"""Tables: submission (never changed), submission_source (separate, so that lists never load code), site_secret, node_drain,
node_token, and judging. A row of judging is one judging of a submission; the rows with the status `queued` are the queue. These
are the steps from one status to another:

queued ──claim──▶ judging ──judgement──▶ judged
  │  ▲              │ │
  │  └──lost, fault─┘ └──cancel──▶ cancelled
  └──cancel──▶ cancelled

Every step that leaves `judging` requires the token of the current attempt. A message about an earlier attempt therefore
changes nothing.
"""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from api.judging.submissions.packed_text import Packed
from api.kit.db.database import SECRET, Moment, Table


class Status(StrEnum):
    """The state of a judging."""

    QUEUED = "queued"
    JUDGING = "judging"
    JUDGED = "judged"
    CANCELLED = "cancelled"


UNFINISHED = (Status.QUEUED, Status.JUDGING)
# Conditions of the partial indexes below, and of queries that use these indexes. They contain no parameters: PostgreSQL plans a
# prepared statement for all possible values of its parameters, and such a plan cannot use a partial index.
IS_QUEUED = text("status = 'queued'")
IS_JUDGING = text("status = 'judging'")
IS_UNFINISHED = text("status IN ('queued', 'judging')")
IS_CURRENT = text("NOT superseded")
IS_WHOLE = text("judgement IS NOT NULL AND NOT thinned")
IS_JUDGE_ERROR = text("verdict = 'JE'")


class SiteSecret(Table):
    """A secret that the service creates for itself and never reveals. `value` is hexadecimal. All processes that use the
    database have the same secret.
    """

    __tablename__ = "site_secret"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(String(64), info=SECRET)


class NodeDrain(Table):
    """A drained node: a node of this name gets no jobs, even after it reconnects."""

    __tablename__ = "node_drain"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    since: Mapped[datetime] = mapped_column(Moment)


class NodeToken(Table):
    """A node on another machine that may join. If it is not connected, it is reported as missing, unless it is `elastic`, which
    means that it is started and stopped automatically. nats-server identifies the node by `public_key`; only the node has the
    private key. `device` and `seen_at` describe its last connection.
    """

    __tablename__ = "node_token"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    public_key: Mapped[str] = mapped_column(String(60), unique=True)
    created_at: Mapped[datetime] = mapped_column(Moment)
    joined_at: Mapped[datetime | None] = mapped_column(Moment)
    device: Mapped[str | None] = mapped_column(String(16))
    seen_at: Mapped[datetime | None] = mapped_column(Moment)
    elastic: Mapped[bool] = mapped_column(default=False)


class Judging(Table):
    """One judging of a submission. The queue is ordered by `rank_at`, and no attempt starts before `not_before`. `infra_faults`
    counts attempts that failed because of the grader. `seed` is set by the first claim; a judging that repeats an earlier one
    has that one's seed from the start.
    """

    __tablename__ = "judging"
    __table_args__ = (
        Index("ix_judging_queue", "device", "rank_at", "id", sqlite_where=IS_QUEUED, postgresql_where=IS_QUEUED),
        Index("ix_judging_leases", "lease_until", sqlite_where=IS_JUDGING, postgresql_where=IS_JUDGING),
        Index("ix_judging_load", "account_id", "rank_at", sqlite_where=IS_UNFINISHED, postgresql_where=IS_UNFINISHED),
        Index("uq_judging_current", "submission_id", unique=True, sqlite_where=IS_CURRENT, postgresql_where=IS_CURRENT),
        Index("ix_judging_whole", "ended_at", sqlite_where=IS_WHOLE, postgresql_where=IS_WHOLE),
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
    # The judgement that the node returned, as JSON. If `thinned` is set, the output and the exhibits (pictures drawn by tests)
    # have been removed from it, and what remains is compressed.
    judgement: Mapped[str | None] = mapped_column(Packed, deferred=True)
    thinned: Mapped[bool] = mapped_column(default=False, server_default=false())
    # The W3C traceparent of the request that caused this judging, if tracing is on.
    trace: Mapped[str | None] = mapped_column(String(55), info=SECRET)

    queued_at: Mapped[datetime] = mapped_column(Moment)
    started_at: Mapped[datetime | None] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)


# The table itself, for statements that insert or change many rows at once.
TABLE = Judging.metadata.tables["judging"]


class Submission(Table):
    """A submission of source for a challenge. `kind` is `run` (judged by the sample tests), `submit` (judged by all tests) or
    `scratch` (runs a snippet that the user wrote, and no tests).
    """

    __tablename__ = "submission"
    __table_args__ = (
        Index(None, "account_id", "id"),
        Index(None, "account_id", "slug", "id"),
        Index(None, "account_id", "idempotency_key", unique=True),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    slug: Mapped[str] = mapped_column(String(100))
    kind: Mapped[str] = mapped_column(String(8))
    device: Mapped[str] = mapped_column(String(16))
    digest: Mapped[str] = mapped_column(String(64))
    fingerprint: Mapped[str] = mapped_column(String(64))
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(Moment)


class SubmissionSource(Table):
    """The source of a submission. `snippet` is used only by scratch runs."""

    __tablename__ = "submission_source"

    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"), primary_key=True)
    source: Mapped[str] = mapped_column(Text)
    snippet: Mapped[str] = mapped_column(Text)
