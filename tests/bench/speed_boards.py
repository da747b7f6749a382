"""Measures how quickly a speed board with many entries is served on PostgreSQL. A real server answers one request at a time.

    python -m tests.bench.speed_boards [--entries 100000] [--accounts 1000000] [--requests 300]

Prints a table of p50, p95 and the slowest, compares ranks with those that plain SQL counts, and writes
var/bench/speed_boards.json. The exit status is 1 if a goal is missed or a rank is wrong.
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

import msgspec
import structlog
from rich.console import Console
from rich.table import Table as Printed
from sqlalchemy import text

from api.kit.db.database import Database
from api.practice.measurements.answer_estimates import plan_digest
from api.practice.speed_boards import ranks
from tests.api.practice.speed_boards.measuring_rig import result, write_scored
from tests.api.running_service import Service, benchmark_settings_in, running
from tests.postgres_server import PostgresServer

GOAL_MS = 30.0
BOARD = "b" * 32
SETTINGS = {"listen_addresses": "", "shared_buffers": "1GB", "random_page_cost": "1.1", "jit": "off"}
MOMENT = "timestamptz '2026-11-01 00:00:00+00'"
ACCOUNTS = f"""
    INSERT INTO account (id, email, name, password_hash, role, created_at)
    SELECT lpad(to_hex(n), 32, '0'), n || '@example.org', 'Person ' || n, '', 'account', {MOMENT}
    FROM generate_series(0, %(accounts)s - 1) AS n
"""
BOARDS = f"""
    INSERT INTO speed_board (id, slug, plan, quantity, cpu, torch, runner, gflops, gb_per_s, noise, node, created_at, measured_at)
    VALUES ('{BOARD}', 'add-one', %(plan)s, 'speed', 'c', 't', 'r', 50, 12, 0.01, 'n', {MOMENT}, {MOMENT})
"""
# The ratios have a log-normal distribution, and the standard errors lie between 0.3 and 1.5 per cent.
MEASUREMENTS = f"""
    INSERT INTO measurement (id, account_id, slug, plan, role, code, status, rank_at, attempts, pairs, asked_at, board_id,
        result, log_ratio, std_error, flag, reason, fault, review, review_reason)
    SELECT 'e' || lpad(to_hex(n), 31, '0'), lpad(to_hex(n), 32, '0'), 'add-one', %(plan)s, '', 'c', 'measured', {MOMENT}, 1, 20,
        {MOMENT}, '{BOARD}', %(result)s, 0.5 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()), 0.003 + 0.012 * random(),
        '', '', '', '', ''
    FROM generate_series(0, %(entries)s - 1) AS n
"""
ENTRIES = """
    INSERT INTO speed_entry (board_id, account_id, measurement_id, log_ratio, std_error, low, high, sessions, confirming, shown,
        measured_at)
    SELECT board_id, account_id, id, log_ratio, std_error, exp(log_ratio - 3 * sqrt(std_error ^ 2 + 0.0001)),
        exp(log_ratio + 3 * sqrt(std_error ^ 2 + 0.0001)), 2, false, true, asked_at
    FROM measurement
"""
RANK = """
    SELECT 1 + count(*) FROM speed_entry AS other, speed_entry AS own
    WHERE own.account_id = :account AND other.board_id = own.board_id AND other.low > own.high
"""
TOKENS = f"""
    INSERT INTO api_token (id, account_id, name, token_hash, hint, created_at)
    SELECT id, id, 'bench', encode(sha256(('gt_bench_' || id)::bytea), 'hex'), 'gt', {MOMENT} FROM account
    ORDER BY id LIMIT %(callers)s
"""
CALLERS = 1000
RESULT = msgspec.json.encode(result(2.0)).decode()


def main() -> None:
    """Run the benchmark once, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--accounts", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=300)
    chosen = parser.parse_args()
    Path("var/bench").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gradus-speed-") as folder:
        Path(folder).chmod(0o755)
        told = measure(Path(folder), chosen)
    Path("var/bench/speed_boards.json").write_text(json.dumps(told, indent=2) + "\n")
    sys.exit(0 if told["ok"] else 1)


def measure(folder: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    """Start PostgreSQL, fill it, and measure. Return all results."""
    write_scored(folder / "challenges")
    (folder / "postgres").mkdir()
    server = PostgresServer(folder / "postgres", SETTINGS)
    server.create()
    server.start()
    try:
        settings = benchmark_settings_in(
            folder,
            database_url=server.url("postgres"),
            requests_per_minute=10**9,
            requests_per_minute_of_an_address=10**9,
        )
        return asyncio.run(measured(settings, server, chosen))
    finally:
        server.stop()


async def measured(settings: Any, server: PostgresServer, chosen: argparse.Namespace) -> dict[str, Any]:
    """Fill the database, serve it, and send requests."""
    random.seed(1)
    database = Database(settings.database)
    await database.migrate()
    await database.close()
    table = Printed("request", "p50 ms", "p95 ms", "slowest ms", title=f"{chosen.entries:,} entries")
    told: dict[str, Any] = {"entries": chosen.entries, "accounts": chosen.accounts, "times": {}, "ok": True}
    async with running(settings) as service:
        # The log of requests would cost more than some of them.
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
        challenge = service.state.store.catalogue.by_slug["add-one"]
        assert challenge.scored is not None
        plan = plan_digest(challenge.scored.plan)
        await asyncio.to_thread(fill, server, plan, chosen)
        for name, request in (await requests(service, chosen)).items():
            times = sorted([await timed(service, request) for _ in range(chosen.requests)])
            found = [round(each, 2) for each in (times[len(times) // 2], times[int(0.95 * len(times))], times[-1])]
            told["times"][name] = dict(zip(("p50", "p95", "slowest"), found, strict=True))
            told["ok"] = told["ok"] and found[1] <= GOAL_MS
            table.add_row(name, *(f"{each:.1f}" for each in found))
        told["wrong_ranks"] = await wrong_ranks(service, chosen)
        told["ok"] = told["ok"] and told["wrong_ranks"] == 0
    Console().print(table)
    print(f"ranks that differ from plain SQL: {told['wrong_ranks']} of 30; goal: p95 of at most {GOAL_MS:.0f} ms")
    return told


def fill(server: PostgresServer, plan: str, chosen: argparse.Namespace) -> None:
    values = {
        "plan": plan,
        "accounts": chosen.accounts,
        "entries": chosen.entries,
        "callers": CALLERS,
        "result": RESULT,
    }
    with server.connect("postgres") as connection:
        for statement in (ACCOUNTS, TOKENS, BOARDS, MEASUREMENTS, ENTRIES):
            connection.execute(statement, values)
        connection.commit()
        connection.autocommit = True
        connection.execute("VACUUM ANALYZE")


async def requests(service: Service, chosen: argparse.Namespace) -> dict[str, Callable[[], tuple[str, int | None]]]:
    """Return functions that choose a path and the number of the account that asks for it, or None."""
    keys = []
    async with service.state.db.read() as session:
        sample = "SELECT high, account_id FROM speed_entry ORDER BY random() LIMIT 500"
        keys = [ranks.Key(row[0], row[1]) for row in await session.execute(text(sample))]

    def someone() -> int:
        return random.randrange(min(CALLERS, chosen.entries))

    board = "/api/boards/speed/add-one"
    return {
        "first page": lambda: (board, None),
        "any page": lambda: (f"{board}?cursor={ranks.cursor_of(random.choice(keys))}", None),
        "around me": lambda: (f"{board}/me", someone()),
        "an entry": lambda: (f"/api/speed-entries/e{random.randrange(chosen.entries):031x}", None),
        "a profile": lambda: (f"/api/profiles/{random.randrange(chosen.entries):032x}", None),
        "the list of boards": lambda: ("/api/boards/speed", None),
    }


async def timed(service: Service, request: Callable[[], tuple[str, int | None]]) -> float:
    """Send one request. Return how many milliseconds it took."""
    path, caller = request()
    client = service.clients[0] if service.clients else service.client()
    headers = {} if caller is None else {"Authorization": f"Bearer gt_bench_{caller:032x}"}
    began = time.perf_counter()
    answer = await client.get(path, headers=headers)
    took = 1000 * (time.perf_counter() - began)
    if answer.status_code != 200:
        raise RuntimeError(f"{path}: {answer.status_code} {answer.text[:300]}")
    return took


async def wrong_ranks(service: Service, chosen: argparse.Namespace) -> int:
    """Return how many of 30 ranks differ from those that plain SQL counts."""
    wrong = 0
    for _ in range(30):
        account_id = f"{random.randrange(chosen.entries):032x}"
        async with service.state.db.read() as session:
            place = await ranks.SpeedRanks(session, service.state.milestones).of_account(BOARD, account_id)
            wrong += place is None or place.rank != await session.scalar(text(RANK), {"account": account_id})
    return wrong


if __name__ == "__main__":
    main()
