"""What a judging leaves behind in logs, figures and traces. Every line names it `judging`, as those of its request and its node
do; and its `trace_id`, where it has one.
"""

from datetime import datetime

import structlog

from api import tracing
from api.judging import spans
from api.judging.claims import Claim
from api.judging.models import Judging
from api.judging.service import Loss
from api.metrics import counters

log = structlog.get_logger()


def offered(node: str, claim: Claim, since: datetime) -> str:
    """A node gets it; claiming began at `since`. Returns the trace for the node."""
    told = {"judging": claim.job.id, "submission": claim.submission_id, "attempt": claim.attempt}
    log.info("judging_offered", node=node, **told, **tracing.id_of(claim.trace))
    return spans.offered(node, claim, since)


def lost(row: Judging, loss: Loss) -> None:
    """An attempt has ended without a judgement."""
    counters.LOST.labels(loss.cause).inc()
    told = {"judging": row.id, "attempt": row.attempt, "status": row.status, **tracing.id_of(row.trace)}
    log.warning("attempt_lost", **told, reason=loss.reason)
    spans.lost(row, loss.cause)


def ended(row: Judging) -> None:
    """It has ended: judged, or cancelled."""
    counters.ended(row)
    took_s = counters.between(row.queued_at, row.ended_at)
    told = {"judging": row.id, "submission": row.submission_id, "attempt": row.attempt, "node": row.node}
    told |= tracing.id_of(row.trace)
    log.info("judging_ended", **told, status=row.status, verdict=row.verdict, took_s=took_s)
