"""What is counted while it happens. Each process of the service counts its own; Prometheus adds them up.

No label says who: routes are templates, and every other label has a handful of values, which are there from the start.
"""

from datetime import datetime

from prometheus_client import Counter, Histogram, disable_created_metrics
from starlette.types import Scope

from api.judging.models import Judging, Status
from grader.job import Kind, Verdict

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OTHER = "other"
ANSWERING_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
JUDGING_S = (0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900)

disable_created_metrics()  # type: ignore[no-untyped-call]
REQUESTS = Counter("gradus_http_requests", "Requests that were answered.", ["method", "route", "status"])
ANSWERING = Histogram(
    "gradus_http_answer_seconds", "From a request to the head of its answer.", ["route"], buckets=ANSWERING_S
)
SUBMISSIONS = Counter("gradus_submissions", "Submissions that were taken in.", ["kind"])
JUDGINGS = Counter("gradus_judgings", "Judgings that ended: with a verdict, without one, cancelled.", ["verdict"])
WAITED = Histogram("gradus_judging_wait_seconds", "From the queue to a node.", buckets=JUDGING_S)
JUDGED = Histogram("gradus_judging_seconds", "From a node to the verdict, of the last attempt.", buckets=JUDGING_S)
WHOLE = Histogram("gradus_judging_whole_seconds", "From the submission to its verdict.", buckets=JUDGING_S)
LOST = Counter(
    "gradus_attempts_lost", "Attempts that ended without a judgement, through no fault of an answer.", ["cause"]
)
LETTERS = Counter("gradus_letters", "Letters that were sent, or given up.", ["outcome"])
DELIVERIES = Counter("gradus_webhook_deliveries", "Messages to webhooks that arrived, or were given up.", ["outcome"])
CAUSES = ("fault", "lease", "node", "restart")
KNOWN = (
    (SUBMISSIONS, Kind),
    (JUDGINGS, (*Verdict, "none", Status.CANCELLED)),
    (LOST, CAUSES),
    (LETTERS, ("sent", "failed")),
    (DELIVERIES, ("sent", "failed")),
)
for _counter, _values in KNOWN:
    for _value in _values:
        _counter.labels(str(_value))


def answered(scope: Scope, status: int, seconds: float) -> None:
    """A request was answered; `seconds` until the head of the answer was sent."""
    method, route = template_of(scope)
    REQUESTS.labels(method, route, str(status)).inc()
    ANSWERING.labels(route).observe(seconds)


def template_of(scope: Scope) -> tuple[str, str]:
    """Method and route of a request, without anything that somebody wrote."""
    # Of a route in a router, only FastAPI's own context has the whole template; without one there was no route.
    matched = scope.get("fastapi", {}).get("effective_route_context") or scope.get("route")
    return scope["method"] if scope["method"] in METHODS else OTHER, getattr(matched, "path", OTHER)


def ended(row: Judging) -> None:
    """A judging has ended. What was cancelled took no time that says anything."""
    if row.status == Status.CANCELLED:
        JUDGINGS.labels(str(Status.CANCELLED)).inc()
        return
    JUDGINGS.labels(row.verdict or "none").inc()
    for histogram, since, until in (
        (WAITED, row.queued_at, row.started_at),
        (JUDGED, row.started_at, row.ended_at),
        (WHOLE, row.queued_at, row.ended_at),
    ):
        if (seconds := between(since, until)) is not None:
            histogram.observe(seconds)


def between(since: datetime | None, until: datetime | None) -> float | None:
    """Seconds from one moment to another, never negative; None when one is missing."""
    return max(0.0, (until - since).total_seconds()) if since and until else None
