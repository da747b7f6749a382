"""What a judging leaves behind in logs and figures. Every line names it `judging`, as those of its request and its node do."""

import structlog

from api.judging.claims import Claim
from api.judging.models import Judging
from api.judging.service import Loss
from api.metrics import counters

log = structlog.get_logger()


def offered(node: str, claim: Claim) -> None:
    """A node gets it."""
    told = {"judging": claim.job.id, "submission": claim.submission_id, "attempt": claim.attempt}
    log.info("judging_offered", node=node, **told)


def lost(row: Judging, loss: Loss) -> None:
    """An attempt has ended without a judgement."""
    counters.LOST.labels(loss.cause).inc()
    log.warning("attempt_lost", judging=row.id, attempt=row.attempt, status=row.status, reason=loss.reason)


def ended(row: Judging) -> None:
    """It has ended: judged, or cancelled."""
    counters.ended(row)
    took_s = counters.between(row.queued_at, row.ended_at)
    told = {"judging": row.id, "submission": row.submission_id, "attempt": row.attempt, "node": row.node}
    log.info("judging_ended", **told, status=row.status, verdict=row.verdict, took_s=took_s)
