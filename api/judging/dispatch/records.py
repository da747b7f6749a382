"""Writes the logs, metrics and trace spans of a judging.

Every log line has the field `judging`, the id of the judging. The log lines of the HTTP request and of the node have the same
field, so all lines about one judging can be found by it. If the request is traced, the field `trace_id` is present too.
"""

from datetime import datetime

import structlog

from api.judging.dispatch import spans
from api.judging.queue.claims import Claim
from api.judging.queue.service import Loss
from api.judging.submissions import metrics
from api.judging.submissions.models import Judging
from api.kit import tracing

log = structlog.get_logger()


def offered(node: str, claim: Claim, since: datetime) -> str:
    """Record that a job was offered to a node. `since` is when the claim began. Returns the trace context for the node."""
    fields = {"judging": claim.job.id, "submission": claim.submission_id, "attempt": claim.attempt}
    log.info("judging_offered", node=node, **fields, **tracing.id_of(claim.trace))
    return spans.offered(node, claim, since)


def lost(row: Judging, loss: Loss) -> None:
    """Record an attempt that ended without a judgement."""
    metrics.LOST.labels(loss.cause).inc()
    fields = {"judging": row.id, "attempt": row.attempt, "status": row.status, **tracing.id_of(row.trace)}
    log.warning("attempt_lost", **fields, reason=loss.reason)
    spans.lost(row, loss.cause)


def ended(row: Judging) -> None:
    """Record that a submission was judged or cancelled."""
    metrics.ended(row)
    took_s = metrics.seconds_between(row.queued_at, row.ended_at)
    fields = {"judging": row.id, "submission": row.submission_id, "attempt": row.attempt, "node": row.node}
    fields |= tracing.id_of(row.trace)
    log.info("judging_ended", **fields, status=row.status, verdict=row.verdict, took_s=took_s)
