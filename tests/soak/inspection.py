"""Collects the evidence for the checks: from the API while the service still runs, and from the database after it has
stopped.
"""

import time
from collections.abc import Iterable, Mapping
from typing import Any

from tests.soak.book import Book
from tests.soak.ground import Ground, Rows
from tests.soak.invariants import Evidence, Row, Step
from tests.soak.storm import Hit

REJUDGE_S = 60.0


def judge_again(ground: Ground, ids: Iterable[str]) -> frozenset[str]:
    """Rejudge submissions whose process was killed by a fault, and wait for their verdicts. Return their ids."""
    wanted = frozenset(ids)
    for each in wanted:
        ground.admin.post(f"/api/submissions/{each}/rejudge").raise_for_status()
    until = time.monotonic() + REJUDGE_S
    while wanted & set(ground.unfinished()) and time.monotonic() < until:
        time.sleep(0.1)
    return wanted


def views_of(ground: Ground, book: Book) -> dict[str, dict[str, Any]]:
    """Ask the API for every submission whose id a client received. Return the API's responses by id. The response to an
    unknown id is an empty dictionary.
    """
    views = {}
    for identifier in {each for sent in book.all() for each in sent.ids}:
        answer = ground.admin.get(f"/api/submissions/{identifier}")
        views[identifier] = answer.json() if answer.status_code == 200 else {}
    return views


def killed(ground: Ground, may_be: frozenset[str]) -> list[str]:
    """Return those ids from `may_be` whose submission got the verdict RE when it was first judged."""
    with ground.database() as connection:
        query = "SELECT submission_id FROM judging WHERE verdict = 'RE' AND number = 1"
        return [row[0] for row in connection.execute(query) if row[0] in may_be]


def may_be_killed(hits: Iterable[Hit]) -> frozenset[str]:
    """Return the ids of submissions that were being judged when a fault may have killed a process that ran an answer."""
    return frozenset(each for hit in hits if hit.strike.fault.ends_children for each in hit.judging)


def evidence(
    ground: Ground, book: Book, hits: list[Hit], views: Mapping[str, Mapping[str, Any]], rejudged: frozenset[str]
) -> Evidence:
    """Collect all evidence for the checks. Call this only after the service has stopped."""
    with ground.database() as connection:
        return Evidence(
            sent=book.all(),
            views=views,
            submissions=list(connection.execute("SELECT id, idempotency_key FROM submission")),
            rows=[Row(*row) for row in connection.execute(ROWS)],
            steps=_steps(connection),
            may_be_killed=may_be_killed(hits),
            kills=sum(hit.strike.fault.ends_children and not hit.missed for hit in hits),
            rejudged=rejudged,
            integrity=ground.integrity(),
        )


ROWS = "SELECT submission_id, number, status, superseded, verdict, message FROM judging"
STEPS = """
    SELECT submission, judging, old_status, new_status, owner, applied, old_verdict, new_verdict FROM soak_step ORDER BY id
"""


def _steps(connection: Rows) -> list[Step]:
    return [Step(*row) for row in connection.execute(STEPS)]
