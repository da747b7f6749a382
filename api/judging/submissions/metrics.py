"""Prometheus metrics of judgings. No label identifies a person. All label values are created at import. Otherwise a counter
would not exist until its first event, and Prometheus would not see it increase from 0 to 1.
"""

from datetime import datetime

from prometheus_client import Counter, Histogram

from api.judging.submissions.models import Judging, Status
from grader.contract.job import Kind, Verdict

JUDGING_S = (0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900)
SUBMISSIONS = Counter("gradus_submissions", "Submissions that were accepted into the queue.", ["kind"])
JUDGINGS = Counter("gradus_judgings", "Judgings that ended, by outcome.", ["verdict"])
WAITED = Histogram(
    "gradus_judging_wait_seconds", "Seconds in the queue until a node took the judging.", buckets=JUDGING_S
)
JUDGED = Histogram(
    "gradus_judging_seconds", "Seconds from a node's start of the last attempt to the verdict.", buckets=JUDGING_S
)
WHOLE = Histogram("gradus_judging_whole_seconds", "Seconds from the submission to its verdict.", buckets=JUDGING_S)
LOST = Counter(
    "gradus_attempts_lost", "Attempts that ended without a judgement, for reasons other than the answer.", ["cause"]
)
CAUSES = ("fault", "lease", "node", "restart")
for _counter, _values in ((SUBMISSIONS, Kind), (JUDGINGS, (*Verdict, "none", Status.CANCELLED)), (LOST, CAUSES)):
    for _value in _values:
        _counter.labels(str(_value))


def ended(row: Judging) -> None:
    """Count a finished judging. For a cancelled one, no durations are recorded, because they depend on when the user
    cancelled it.
    """
    if row.status == Status.CANCELLED:
        JUDGINGS.labels(str(Status.CANCELLED)).inc()
        return
    JUDGINGS.labels(row.verdict or "none").inc()
    for histogram, since, until in (
        (WAITED, row.queued_at, row.started_at),
        (JUDGED, row.started_at, row.ended_at),
        (WHOLE, row.queued_at, row.ended_at),
    ):
        if (seconds := seconds_between(since, until)) is not None:
            histogram.observe(seconds)


def seconds_between(since: datetime | None, until: datetime | None) -> float | None:
    """Return the seconds between two moments, at least 0, or None if one is missing."""
    return max(0.0, (until - since).total_seconds()) if since and until else None
