"""What a judging leaves in the trace of the request that asked for it:

POST /api/submissions
├─ queued      from the queue to a claim
├─ offered     the claim, by the process that made it; its trace goes to the node with the offer
│  ├─ delivered   over NATS, until the node says that it is there
│  └─ node        what the node tells afterwards: waiting for a cell, judging, cleaning
├─ lost        an attempt that ended without a judgement
├─ verdict     written down, with all that follows from it
└─ told        to whoever watches
"""

import contextlib
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from opentelemetry.trace import SpanKind

from api import tracing
from api.db import now
from api.judging.claims import Claim
from api.judging.models import Judging
from api.tracing import Told
from grader import transport

# Longer than anything at a node takes.
LONGEST_S = 3600.0


def offered(node: str, claim: Claim, since: datetime) -> str:
    """It was claimed for a node, which began at `since`; returns what the node is told."""
    if not claim.trace:
        return tracing.NONE
    told: Told = {"judging": claim.job.id, "submission": claim.submission_id, "attempt": claim.attempt}
    what: Told = {**told, "slug": claim.job.slug, "kind": str(claim.job.kind), "device": claim.job.device}
    tracing.tell("queued", claim.trace, claim.waits_since or since, since, what)
    of_lane: Told = {**what, "node": node, "lane": "short" if claim.short else "any"}
    return tracing.tell("offered", claim.trace, since, now(), of_lane, kind=SpanKind.PRODUCER)


@contextlib.contextmanager
def delivering(node: str, offers: Sequence[transport.Offer]) -> Iterator[None]:
    """A parcel of offers is on its way to a node on another machine."""
    since, failed = now(), True
    try:
        yield
        failed = False
    finally:
        for offer in offers:
            told: Told = {"judging": offer.job.id, "node": node, "together": len(offers)}
            tracing.tell("delivered", offer.trace, since, now(), told, kind=SpanKind.CLIENT, failed=failed)


def at_node(node: str, message: transport.Traced) -> None:
    """What a node tells of a job. It knows durations only, so the last of them ends now; and it may tell what it likes."""
    until = now()
    known = [each for each in message.took if each.stage in transport.STAGES][: len(transport.STAGES)]
    took = [(each.stage, timedelta(seconds=min(max(each.seconds, 0.0), LONGEST_S))) for each in known]
    moment = until - sum((long for _, long in took), timedelta())
    inner = tracing.tell("node", message.trace, moment, until, {"node": node}, kind=SpanKind.CONSUMER)
    for stage, long in took:
        tracing.tell(stage, inner, moment, moment + long, {"node": node})
        moment += long


def lost(row: Judging, cause: str) -> None:
    """An attempt has ended without a judgement."""
    until = now()
    told: Told = {"judging": row.id, "attempt": row.attempt, "cause": cause, "status": row.status}
    tracing.tell("lost", row.trace, row.started_at or until, until, told, failed=True)


def written(row: Judging, since: datetime) -> None:
    """Its verdict was committed."""
    told: Told = {"judging": row.id, "submission": row.submission_id, "attempt": row.attempt, "node": row.node or ""}
    tracing.tell("verdict", row.trace, since, now(), {**told, "verdict": row.verdict or "none"})


def told(row: Judging, since: datetime) -> None:
    """Watchers and other processes were told of its end."""
    what: Told = {"judging": row.id, "status": row.status, "verdict": row.verdict or "none"}
    tracing.tell("told", row.trace, since, now(), what)
