"""Runs one soak from start to end: the service, the clients, the faults and the checks. All waits have time limits."""

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.soak.book import Book
from tests.soak.ground import Ground, Order
from tests.soak.inspection import evidence, judge_again, killed, may_be_killed, views_of
from tests.soak.invariants import violations
from tests.soak.schedule import Strike
from tests.soak.storm import Hit, Storm
from tests.soak.watch import Memory, Watch

# Limits of the anonymous memory of one process, in MiB: MOST_MB at any time, and GROWTH_MB for the growth during the run. The
# service may hold rows of current requests, and the node may hold packages and buffers, but neither may keep data of jobs that
# have ended. Growth is only checked for a process with at least LONG_ENOUGH samples. A service that has just started uses
# 176 MiB: 125 for its modules, 15 for its routes, 20 for the catalogue.
MOST_MB = {"api": 230.0, "node": 200.0}
GROWTH_MB = 24.0
LONG_ENOUGH = 60
KEPT = Path(__file__).resolve().parents[2] / "var" / "soak-failed"


@dataclass
class Outcome:
    """The results of a soak. `rained_s` is the number of seconds during which faults happened. `attempts` says how many
    judgings needed one attempt, two attempts, and so on.
    """

    order: Order
    facts: Mapping[str, Any]
    hits: list[Hit]
    book: Book
    memory: list[Memory]
    rejudged: int
    attempts: dict[int, int]
    seconds: float
    rained_s: float
    violations: list[str]


def soak(
    ground: AbstractContextManager[Ground], order: Order, strikes: list[Strike], tell: Callable[[Storm], None]
) -> Outcome:
    """Run a soak on `ground`. Violated invariants are listed in the outcome, and raise no exception. `tell` is called twice a
    second and after every fault, to report progress.
    """
    began, book = time.monotonic(), Book()
    with ground as live:
        watch = Watch(live)
        watch.start()
        storm = Storm(live, book, order, tell)
        try:
            storm.run(strikes, began + 60 * order.minutes)
            rejudged, views = _ask(live, book, storm.hits)
        finally:
            watch.stop()
            storm.close()
            live.stop()
        found = evidence(live, book, storm.hits, views, rejudged)
        broken = [
            *violations(found),
            *(f"a client broke down: {each}" for each in storm.crowd.broken),
            *_not_recovered(storm.hits),
            *_not_all_sent(order, book),
            *(f"left behind: {each}" for each in watch.left_behind()),
            *_not_flat(watch.looked_at()),
        ]
        if broken:
            _keep(live)
        return Outcome(
            order=order,
            facts=live.facts(),
            hits=storm.hits,
            book=book,
            memory=watch.looked_at(),
            rejudged=len(rejudged),
            attempts=_attempts(live),
            seconds=time.monotonic() - began,
            rained_s=storm.rained_s,
            violations=broken,
        )


def _ask(live: Ground, book: Book, hits: list[Hit]) -> tuple[frozenset[str], dict[str, Any]]:
    """Rejudge the submissions whose process was killed by a fault. Return their ids, and the API's response for every
    submission.
    """
    spoiled = set(killed(live, may_be_killed(hits)))
    wrong = [sent.ids[0] for sent in book.all() if sent.ids and sent.verdict != sent.answer.verdict]
    rejudged = judge_again(live, (each for each in wrong if each in spoiled))
    return rejudged, views_of(live, book)


def _keep(live: Ground) -> None:
    """Copy the logs and data of a failed run to the folder KEPT."""
    KEPT.mkdir(parents=True, exist_ok=True)
    live.keep(KEPT)


def _not_recovered(hits: list[Hit]) -> list[str]:
    return [f"no recovery from {hit.strike.number}: {hit.strike.fault.name}" for hit in hits if hit.recovered_s is None]


def _not_all_sent(order: Order, book: Book) -> list[str]:
    short = order.submissions - len(book.all())
    return [f"{short} submissions were never sent"] if short else []


def _not_flat(memory: Any) -> list[str]:
    broken = []
    for each in memory:
        if max(each.seen) > MOST_MB[each.role]:
            broken.append(f"{each.role} {each.pid} used {max(each.seen):.0f} MiB")
        if len(each.seen) >= LONG_ENOUGH and each.growth_mb > GROWTH_MB:
            broken.append(f"{each.role} {each.pid} grew by {each.growth_mb:.0f} MiB")
    return broken


def _attempts(live: Ground) -> dict[int, int]:
    with live.database() as connection:
        return dict(iter(connection.execute("SELECT attempt, count(*) FROM judging GROUP BY attempt ORDER BY attempt")))
