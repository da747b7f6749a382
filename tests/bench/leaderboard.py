"""Measures how quickly leaderboards with many accounts are served, by a real server on SQLite, with one request at a time.

    python -m tests.bench.leaderboard [--accounts 100000] [--solves 20] [--requests 300]

Prints the p50 and p95 of the response times for the first page of a leaderboard, a random page, and «find me». Writes
var/bench/leaderboard.json.
"""

import argparse
import asyncio
import json
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from api.identity.accounts.hashing import token_hash
from api.kit.db.database import Database
from api.kit.http.pagination import encode_cursor
from api.practice.leaderboards.scoring import POINTS
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import running, settings_in

GOAL_P95_MS = 30.0
SECTIONS, SLUGS = 12, 72
START = datetime(2026, 1, 1, tzinfo=UTC)
LEVELS = list(POINTS)


def main() -> None:
    """Run the benchmark once, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--accounts", type=int, default=100_000)
    parser.add_argument("--solves", type=int, default=20)
    parser.add_argument("--requests", type=int, default=300)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as folder:
        told = asyncio.run(measure(Path(folder), chosen))
    print(json.dumps(told, indent=2))
    target = Path("var/bench/leaderboard.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(told, indent=2) + "\n")


async def measure(folder: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    """Fill a database, serve it, and send requests. Return the response times, in ms, by kind of request."""
    for number in range(SECTIONS):
        write_challenge(folder / "challenges", slug(number), section=section(number))
    settings = settings_in(folder, **unlimited())
    db = Database(settings.database)
    await db.migrate()
    await db.close()
    began = time.perf_counter()
    fill(settings.database.partition("///")[2], chosen)
    told: dict[str, Any] = {"accounts": chosen.accounts, "solves": chosen.accounts * chosen.solves}
    told["filled_in_s"] = round(time.perf_counter() - began, 1)
    async with running(settings) as service:
        client = service.client()
        for name, path in paths(chosen).items():
            told[name] = await timed(client, path, chosen)
    told["goal_p95_ms"] = GOAL_P95_MS
    return told


def unlimited() -> dict[str, Any]:
    """Return settings that turn off the rate limits."""
    return {"requests_per_minute": 10**9, "requests_per_minute_of_an_address": 10**9}


def paths(chosen: argparse.Namespace) -> dict[str, Callable[[], tuple[str, int | None]]]:
    """Return a function for each kind of request. The function chooses a request: it returns the path and the number of the
    account that sends the request (None if it is sent without an account).
    """

    def somebody() -> int:
        return random.randrange(chosen.accounts)

    def page(points: int) -> str:
        return encode_cursor(points, START.isoformat(), "0")

    return {
        "top": lambda: ("/api/leaderboard", None),
        "any_page": lambda: (f"/api/leaderboard?cursor={page(random.randrange(100, 900, 10))}", None),
        "section_any_page": lambda: (f"/api/leaderboard?section={section(0)}&cursor={page(40)}", None),
        "challenge": lambda: (f"/api/leaderboard?challenge={slug(0)}", None),
        "month": lambda: ("/api/leaderboard?window=month", None),
        "find_me": lambda: ("/api/leaderboard/me", somebody()),
        "find_me_challenge": lambda: (f"/api/leaderboard/me?challenge={slug(0)}", somebody()),
        "profile": lambda: (f"/api/profiles/{account(somebody())}", None),
    }


async def timed(client: httpx.AsyncClient, path: Any, chosen: argparse.Namespace) -> dict[str, float]:
    """Send one kind of request repeatedly. Return p50, p95 and the slowest, in ms."""
    times = []
    for _ in range(chosen.requests):
        address, who = path()
        headers = {} if who is None else {"Authorization": f"Bearer {token(who)}"}
        began = time.perf_counter()
        answer = await client.get(address, headers=headers)
        times.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, answer.text
    times.sort()
    return {
        "p50_ms": round(times[len(times) // 2], 2),
        "p95_ms": round(times[int(0.95 * len(times))], 2),
        "max_ms": round(times[-1], 2),
    }


def slug(number: int) -> str:
    return f"challenge-{number}"


def section(number: int) -> str:
    return f"section-{number % SECTIONS}"


def account(number: int) -> str:
    return f"{number:032x}"


def token(number: int) -> str:
    return f"gt_bench_{number}"


def fill(path: str, chosen: argparse.Namespace) -> None:
    """Fill the database with accounts and their tokens, solves at random times, and the standings that result from them."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA foreign_keys=OFF")
    db.execute("PRAGMA synchronous=OFF")
    insert(db, "account", ("id", "email", "name", "password_hash", "role", "created_at"), accounts(chosen))
    insert(db, "api_token", ("id", "account_id", "name", "token_hash", "hint", "created_at"), tokens(chosen))
    columns = ("account_id", "slug", "submission_id", "section", "points", "tries", "began_at", "solved_at", "shown")
    insert(db, "solve", columns, solves(chosen))
    for board in ("''", "section"):
        for period in ("''", "substr(solved_at, 1, 7)"):
            db.execute(
                "INSERT INTO standing (account_id, section, period, points, solved, reached_at, shown) "
                f"SELECT account_id, {board}, {period}, sum(points), count(*), max(solved_at), 1 FROM solve GROUP BY 1, 2, 3"
            )
    db.commit()
    db.execute("ANALYZE")
    db.close()


def insert(db: sqlite3.Connection, table: str, columns: tuple[str, ...], rows: Iterator[tuple[Any, ...]]) -> None:
    marks = ", ".join("?" * len(columns))
    db.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)


def accounts(chosen: argparse.Namespace) -> Iterator[tuple[Any, ...]]:
    for number in range(chosen.accounts):
        yield account(number), f"{number}@example.org", f"Person {number}", "", "account", written(START)


def tokens(chosen: argparse.Namespace) -> Iterator[tuple[Any, ...]]:
    for number in range(chosen.accounts):
        yield account(number), account(number), "bench", token_hash(token(number)), "gt", written(START)


def solves(chosen: argparse.Namespace) -> Iterator[tuple[Any, ...]]:
    for number in range(chosen.accounts):
        for each in random.sample(range(SLUGS), random.randint(1, 2 * chosen.solves - 1)):
            at = written(START + timedelta(seconds=random.random() * 28_000_000))
            points = POINTS[LEVELS[each % len(LEVELS)]]
            yield account(number), slug(each), f"{number:026x}{each:06x}", section(each), points, 2, at, at, True


def written(moment: datetime) -> str:
    """Return a time in the format in which SQLAlchemy stores it in SQLite."""
    return f"{moment:%Y-%m-%d %H:%M:%S.%f}"


if __name__ == "__main__":
    main()
