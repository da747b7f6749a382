"""Records the trace spans of a judging. They belong to the trace of the HTTP request that caused it:

POST /api/submissions
├─ queued      from entering the queue to the claim
├─ offered     the claim, recorded by the process that claimed the job; the offer carries this span's context to the node
│  ├─ delivered   sending the offer over NATS, until the node acknowledges it
│  └─ node        reported by the node afterwards: waiting for a cell, judging, cleaning
├─ lost        an attempt that ended without a judgement
├─ verdict     storing the verdict and everything that follows from it
└─ notified    notifying the clients that watch the submission
"""

import contextlib
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from opentelemetry.trace import SpanKind

from api.judging.queue.claims import Claim
from api.judging.submissions.models import Judging
from api.kit import tracing
from api.kit.db.database import now
from api.kit.tracing import Attributes
from grader.contract import transport

# Nodes report how long each stage of a judging took. Longer values than this many seconds are replaced by it. No stage takes
# this long.
LONGEST_S = 3600.0


def offered(node: str, claim: Claim, since: datetime) -> str:
    """Record that a job was claimed between `since` and now. Returns the trace context for the node."""
    if not claim.trace:
        return tracing.NONE
    attributes: Attributes = {"judging": claim.job.id, "submission": claim.submission_id, "attempt": claim.attempt}
    what: Attributes = {**attributes, "slug": claim.job.slug, "kind": str(claim.job.kind), "device": claim.job.device}
    tracing.record_span("queued", claim.trace, claim.waits_since or since, since, what)
    of_lane: Attributes = {**what, "node": node, "lane": "short" if claim.short else "any"}
    return tracing.record_span("offered", claim.trace, since, now(), of_lane, kind=SpanKind.PRODUCER)


@contextlib.contextmanager
def delivering(node: str, offers: Sequence[transport.Offer]) -> Iterator[None]:
    """Record how long it takes to deliver a batch of offers to a node on another machine."""
    since, failed = now(), True
    try:
        yield
        failed = False
    finally:
        for offer in offers:
            attributes: Attributes = {"judging": offer.job.id, "node": node, "together": len(offers)}
            tracing.record_span("delivered", offer.trace, since, now(), attributes, kind=SpanKind.CLIENT, failed=failed)


def at_node(node: str, message: transport.Traced) -> None:
    """Record the spans that a node reports for the stages of a judging. The node sends only durations, so the last stage is
    assumed to end now. Each duration is limited to `LONGEST_S`, because nodes are not trusted.
    """
    until = now()
    known = [each for each in message.took if each.stage in transport.STAGES][: len(transport.STAGES)]
    took = [(each.stage, timedelta(seconds=min(max(each.seconds, 0.0), LONGEST_S))) for each in known]
    moment = until - sum((long for _, long in took), timedelta())
    inner = tracing.record_span("node", message.trace, moment, until, {"node": node}, kind=SpanKind.CONSUMER)
    for stage, long in took:
        tracing.record_span(stage, inner, moment, moment + long, {"node": node})
        moment += long


def lost(row: Judging, cause: str) -> None:
    """Record an attempt that ended without a judgement."""
    until = now()
    attributes: Attributes = {"judging": row.id, "attempt": row.attempt, "cause": cause, "status": row.status}
    tracing.record_span("lost", row.trace, row.started_at or until, until, attributes, failed=True)


def written(row: Judging, since: datetime) -> None:
    """Record how long it took to commit the verdict."""
    attributes: Attributes = {
        "judging": row.id,
        "submission": row.submission_id,
        "attempt": row.attempt,
        "node": row.node or "",
    }
    tracing.record_span("verdict", row.trace, since, now(), {**attributes, "verdict": row.verdict or "none"})


def notified(row: Judging, since: datetime) -> None:
    """Record how long it took to notify the clients that watch the submission, and other processes, of the outcome."""
    what: Attributes = {"judging": row.id, "status": row.status, "verdict": row.verdict or "none"}
    tracing.record_span("notified", row.trace, since, now(), what)
