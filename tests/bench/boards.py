"""Measures how quickly boards, profiles and feeds are served on PostgreSQL with a million accounts and 20 million judgings, and
how long it takes to update an account's standings after a judgement. A real server answers one request at a time.

    python -m tests.bench.boards [--accounts 1000000] [--solves 6] [--requests 300]

Prints a table of p50, p95 and the slowest, compares ranks with those that plain SQL counts, and writes var/bench/boards.json.
The exit status is 1 if a goal is missed.
"""

import argparse
import asyncio
import json
import logging
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import structlog
from rich.console import Console
from rich.table import Table as Printed
from sqlalchemy import text

from api.judging.submissions.models import Judging, Submission
from api.kit.db.database import Database, now
from api.kit.http.pagination import encode_cursor
from api.kit.ids import new_id
from api.practice.leaderboards import scoring
from api.practice.leaderboards.scoring import ScoreUpdater
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, benchmark_settings_in, running
from tests.bench import board_data
from tests.bench.shape import CALLERS, SLUGS, account, section, slug, token
from tests.postgres_server import PostgresServer

READ_MS, UPDATE_MS = 30.0, 10.0
SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "2GB",
    "effective_cache_size": "8GB",
    "max_wal_size": "16GB",
    "random_page_cost": "1.1",
    "jit": "off",
}
LEVELS = ("easy", "medium", "hard")
RANK = """
    SELECT 1 + count(*) FROM standing AS other, standing AS own
    WHERE own.account_id = :account AND own.section = '' AND own.period = '' AND other.section = '' AND other.period = ''
        AND other.shown AND (other.points > own.points OR (other.points = own.points AND other.reached_at < own.reached_at))
"""
# The first listed solver of each challenge.
FIRSTS = "SELECT DISTINCT ON (slug) account_id FROM solve WHERE shown ORDER BY slug, solved_at, submission_id"
Request = tuple[str, int | None]


def main() -> None:
    """Run the benchmark once, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accounts", type=int, default=1_000_000)
    parser.add_argument("--solves", type=float, default=6)
    parser.add_argument("--requests", type=int, default=300)
    chosen = parser.parse_args()
    Path("var/bench").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gradus-boards-") as folder:
        Path(folder).chmod(0o755)
        told = measure(Path(folder), chosen)
    Path("var/bench/boards.json").write_text(json.dumps(told, indent=2) + "\n")
    sys.exit(0 if told["ok"] else 1)


def measure(folder: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    """Start PostgreSQL, fill it, and measure. Return all results."""
    for number in range(SLUGS):
        write_challenge(folder / "challenges", slug(number), section=section(number), difficulty=LEVELS[number % 3])
    (folder / "postgres").mkdir()
    server = PostgresServer(folder / "postgres", SETTINGS)
    server.create()
    server.start()
    try:
        url = server.url("postgres")
        asyncio.run(migrated(url))
        told: dict[str, Any] = {"accounts": chosen.accounts, "filled": {}}
        with server.connect("postgres") as connection:
            for name, rows, seconds in board_data.fill(connection, chosen.accounts, chosen.solves - 0.5):
                print(f"{name}: {rows:,} rows in {seconds:.1f} s", flush=True)
                told["filled"][name] = {"rows": rows, "seconds": round(seconds, 1)}
        settings = benchmark_settings_in(
            folder, database_url=url, requests_per_minute=10**9, requests_per_minute_of_an_address=10**9
        )
        return told | asyncio.run(measured(settings, chosen))
    finally:
        server.stop()


async def migrated(url: str) -> None:
    db = Database(url)
    await db.migrate()
    await db.close()


async def measured(settings: Any, chosen: argparse.Namespace) -> dict[str, Any]:
    """Serve the database, send requests, and update standings."""
    random.seed(1)
    table = Printed("request", "p50 ms", "p95 ms", "slowest ms", "goal ms", title=f"{chosen.accounts:,} accounts")
    told: dict[str, Any] = {"times": {}, "ok": True}

    def add(name: str, times: list[float], goal: float) -> None:
        times.sort()
        found = [times[len(times) // 2], times[int(0.95 * len(times))], times[-1]]
        told["times"][name] = dict(zip(("p50", "p95", "slowest"), (round(each, 2) for each in found), strict=True))
        told["ok"] = told["ok"] and found[1] <= goal
        missed = "" if found[1] <= goal else " missed"
        table.add_row(name, *(f"{each:.1f}" for each in found), f"{goal:.0f}{missed}")

    async with running(settings) as service:
        # The log of requests would cost more than some of them.
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
        async with service.state.db.read() as session:
            firsts = list(await session.scalars(text(FIRSTS)))
        for name, request in requests(chosen, firsts).items():
            add(name, await timed(service.client(), request, chosen.requests), READ_MS)
        told["ranks_right"] = await ranks_right(service, chosen)
        add("update of an account's standings", await updates(service), UPDATE_MS)
        told["different"] = await different(service, chosen)
    Console().print(table)
    told["ok"] = told["ok"] and told["ranks_right"] == 1 and told["different"] == 0
    print(f"ranks equal to those counted by SQL: {told['ranks_right']:.0%}")
    print(f"accounts whose stored standings differ from those recomputed: {told['different']}")
    return told


def requests(chosen: argparse.Namespace, firsts: list[str]) -> dict[str, Callable[[], Request]]:
    """Return a function for each kind of request. The function chooses a request: it returns the path and the number of the
    account that sends the request (None if it is sent without an account).
    """

    def caller() -> int:
        return random.randrange(min(CALLERS, chosen.accounts))

    def anybody() -> str:
        return account(random.randrange(chosen.accounts))

    def page(most: int) -> str:
        moment = now() - (now() - now().replace(year=now().year - 1)) * random.random()
        return encode_cursor(10 * random.randrange(1, most), moment.isoformat(), anybody())

    return {
        "overall, first page": lambda: ("/api/leaderboard", None),
        "overall, any page": lambda: (f"/api/leaderboard?cursor={page(30)}", None),
        "section, any page": lambda: (f"/api/leaderboard?section={section(caller())}&cursor={page(12)}", None),
        "this month, any page": lambda: (f"/api/leaderboard?window=month&cursor={page(20)}", None),
        "last year's month": lambda: (f"/api/leaderboard?window={now().year - 1}-11", None),
        "popular challenge, first page": lambda: (f"/api/leaderboard?challenge={slug(0)}", None),
        "popular challenge, any page": lambda: (f"/api/leaderboard?challenge={slug(0)}&cursor={page(2)}", None),
        "any challenge this week": lambda: (f"/api/leaderboard?challenge={slug(caller() % SLUGS)}&window=week", None),
        "around me, overall": lambda: ("/api/leaderboard/me", caller()),
        "around me, section": lambda: (f"/api/leaderboard/me?section={section(caller())}", caller()),
        "around me, popular challenge": lambda: (f"/api/leaderboard/me?challenge={slug(0)}", caller()),
        "around me, people one follows": lambda: ("/api/leaderboard/me?people=following", caller()),
        "people one follows, overall": lambda: ("/api/leaderboard/following", caller()),
        "people one follows, challenge": lambda: (f"/api/leaderboard/following?challenge={slug(0)}", caller()),
        "profile": lambda: (f"/api/profiles/{shown(chosen)}", None),
        "profile of a first solver": lambda: (f"/api/profiles/{random.choice(firsts)}", None),
        "own progress": lambda: ("/api/me/progress", caller()),
        "image of a profile": lambda: (f"/api/profiles/{shown(chosen)}/embed.svg", None),
        "image of a board": lambda: ("/api/leaderboard/embed.svg", None),
        "feed, overall": lambda: ("/api/leaderboard/feed.atom", None),
        "feed, popular challenge": lambda: (f"/api/leaderboard/feed.atom?challenge={slug(0)}", None),
        "weekly challenges": lambda: ("/api/weekly", None),
    }


def shown(chosen: argparse.Namespace) -> str:
    """Choose an account that is listed: one in fifty is not."""
    return account(random.randrange(chosen.accounts // 50) * 50 + random.randrange(1, 50))


async def timed(client: httpx.AsyncClient, request: Callable[[], Request], count: int) -> list[float]:
    """Send one kind of request repeatedly. Return the response times in ms, without those of the first requests."""
    times = []
    for _ in range(count + 5):
        address, who = request()
        headers = {} if who is None else {"Authorization": f"Bearer {token(who)}"}
        began = time.perf_counter()
        answer = await client.get(address, headers=headers)
        times.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, (address, answer.text)
    return times[5:]


async def updates(service: Service) -> list[float]:
    """Store an accepted judgement of one more challenge for each caller, and update the standings in the same transaction.
    Return how long the updates took, until they were committed, in ms.
    """
    updater, times = ScoreUpdater(service.state.store), []
    for number in range(300):
        moment, own, name = now(), new_id(), slug(SLUGS - 1 - number % 20)
        common = {"account_id": account(number), "slug": name, "digest": "", "device": "cpu"}
        sent = Submission(id=own, kind="submit", fingerprint="", idempotency_key=None, created_at=moment, **common)
        judged = Judging(
            id=own, submission_id=own, number=1, status="judged", short=True, rank_at=moment, not_before=moment,
            verdict="AC", queued_at=moment, ended_at=moment, attempt=1, **common,
        )  # fmt: skip
        async with service.state.db.write() as session:
            session.add(sent)
            await session.flush()
            session.add(judged)
            await session.flush()
            began = time.perf_counter()
            await updater.judged(session, [judged])
        times.append((time.perf_counter() - began) * 1000)
    return times[5:]


async def ranks_right(service: Service, chosen: argparse.Namespace) -> float:
    """Return the share of ranks that equal those that SQL counts. Nothing has changed since the milestones were read."""
    client, right, asked = service.client(), 0, 0
    for number in random.sample(range(min(CALLERS, chosen.accounts)), 50):
        answer = await client.get("/api/leaderboard/me", headers={"Authorization": f"Bearer {token(number)}"})
        if mine := answer.json()["mine"]:
            async with service.state.db.read() as session:
                right += mine["rank"] == await session.scalar(text(RANK), {"account": account(number)})
            asked += 1
    return right / max(1, asked)


async def different(service: Service, chosen: argparse.Namespace) -> int:
    """Return of how many callers the stored solves or standings differ from those that their judgings give."""
    callers = [account(number) for number in range(min(CALLERS, chosen.accounts))]
    async with service.state.db.write() as session:
        changes = await session.begin_nested()
        found = await scoring.recompute(session, callers, service.state.store.catalogue)
        await changes.rollback()
    return len(found)


if __name__ == "__main__":
    main()
