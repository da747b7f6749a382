"""Measures how many judgings per second the connection over NATS can carry, and how much CPU time each judging costs.

The nodes are connected first. Then the queue is filled with one SQL transaction, so that only claims, offers, reports and
verdicts are measured. The rate counts from the first claim to the last verdict. On a machine that also does other work, the CPU
time (the sum over all processes) is more reliable than the rate.
"""

import asyncio
import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import func, insert, make_url, select, text

from api.identity.accounts.models import Account
from api.judging.nodes import tokens
from api.judging.submissions.models import IS_UNFINISHED, Judging, Status, Submission, SubmissionSource
from api.kit.db.database import Database, now
from api.kit.ids import new_id
from grader.content.package import load
from tests import postgres
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import SOURCE
from tests.live import ROOT, Live, launch
from tests.nats_server import NatsServer, nats_server

# The tests turn these settings off to be faster. A benchmark must write to the disk as in production.
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "shared_buffers": "256MB"}
PER_ACCOUNT = 5
KINDS = ("run", "apart", "submit")
APART_S = 0.06
WITHIN_S = 300.0
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


@dataclass
class Cluster:
    """The running processes of a cluster: services, nodes, nats-server and PostgreSQL."""

    home: Path
    url: str
    database: Database
    server: NatsServer
    digest: str
    services: list[Live] = field(default_factory=list)
    nodes: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    @property
    def roots(self) -> dict[str, list[int]]:
        """The ids of the measured processes, by kind. Measurements include the CPU time of all their descendants."""
        assert self.server.process is not None
        with psycopg.connect(make_url(self.url).set(drivername="postgresql").render_as_string(False)) as connection:
            server = _parent(connection.info.backend_pid)
        return {
            "service": [live.process.pid for live in self.services],
            "nodes": [node.pid for node in self.nodes],
            "nats": [self.server.process.pid],
            "postgresql": [server],
        }


@contextlib.asynccontextmanager
async def cluster(processes: int, nodes: int, slots: int) -> AsyncIterator[Cluster]:
    """Start a cluster, run the `with` block once all nodes have joined, and stop the cluster."""
    postgres.SETTINGS.update(DURABLE)
    home = Path(tempfile.mkdtemp(prefix="gradus-"))
    digest = load(write_challenge(home / "challenges")).digest
    url = postgres.database_of(home)
    with nats_server(home / "nats") as server:
        made = Cluster(home, url, Database(url), server, digest)
        try:
            await _start(made, processes, nodes, slots)
            yield made
        finally:
            for node in made.nodes:
                node.kill()
                node.wait()
            for live in made.services:
                live.stop()
            await made.database.close()
            postgres.drop(home)
            shutil.rmtree(home, ignore_errors=True)


async def _start(made: Cluster, processes: int, nodes: int, slots: int) -> None:
    settings: dict[str, Any] = {
        "database_url": made.url,
        "nats_url": made.server.url,
        "nats_users": str(made.server.users),
        "local_node": "false",
    }
    for number in range(processes):
        data = made.home / f"service-{number}"
        made.services.append(launch(data, challenges=made.home / "challenges", **settings))
    for live in made.services:
        await asyncio.to_thread(live.wait_until_ready, path="/api/health")
    for number in range(nodes):
        async with made.database.write() as session:
            token = await tokens.make(session, f"node-{number}")
        command = [sys.executable, "-m", "tests.instant_node", "--url", made.server.open_url, "--token", token]
        more = ["--data", str(made.home / f"node-{number}"), "--slots", str(slots)]
        made.nodes.append(subprocess.Popen([*command, *more], cwd=ROOT, stdout=subprocess.DEVNULL))
    # Warm up with two judgings per slot. Afterwards, all nodes have joined and have fetched the package.
    await run(made, nodes * slots * 2, "run")


async def measure(
    processes: int, nodes: int, slots: int, count: int, kinds: Sequence[str] = KINDS
) -> dict[str, dict[str, Any]]:
    """Measure each kind of submission. Return for each kind the figures that the function `run` returns.

    There are three kinds. A submission of kind "run" is only judged. One of kind "submit" also counts for the leaderboards. In
    both kinds, submissions that are offered together end together. Kind "apart" is like "run", but each submission takes a
    random time of up to `APART_S` seconds, so that nodes report the end of each one separately.
    """
    async with cluster(processes, nodes, slots) as made:
        return {kind: await run(made, count, kind) for kind in kinds}


async def run(made: Cluster, count: int, kind: str) -> dict[str, Any]:
    """Judge `count` submissions. Return the judgings per second, and the CPU time and database transactions of one judging."""
    before, committed = _processor_s(made.roots), await _committed(made.database)
    submissions = await _fill(made.database, made.digest, count, kind)
    ours = Judging.submission_id.in_(submissions[:1]) | (Judging.submission_id >= submissions[0])
    async with asyncio.timeout(WITHIN_S):
        while await _left(made.database):
            await asyncio.sleep(0.25)
    query: Any = select(func.min(Judging.started_at), func.max(Judging.ended_at), func.count())
    async with made.database.read() as session:
        began, over, told = (await session.execute(query.where(ours, Judging.verdict == "AC"))).one()
    assert told == count, f"{count - told} of {count} have no right verdict"
    seconds = (over - began).total_seconds()
    after = _processor_s(made.roots)
    spent = {name: round((after[name] - before[name]) / count * 1000, 3) for name in after}
    return {
        "judgings": count,
        "per_second": round(count / seconds, 1),
        "processor_ms": {**spent, "all": round(sum(spent.values()), 3)},
        "transactions": round((await _committed(made.database) - committed) / count, 2),
    }


async def _fill(database: Database, digest: str, count: int, kind: str) -> list[str]:
    moment = now()
    accounts: list[dict[str, Any]] = []
    submissions: list[dict[str, Any]] = []
    judgings: list[dict[str, Any]] = []
    for number in range(count):
        if number % PER_ACCOUNT == 0:
            account = new_id()
            values = {"email": f"{account}@example.org", "name": "Ada", "password_hash": "", "role": "account"}
            accounts.append({"id": account, "created_at": moment, **values})
        owner, submission = accounts[-1]["id"], new_id()
        same = {"account_id": owner, "slug": "add-one", "device": "cpu", "digest": digest}
        more = {"kind": "submit" if kind == "submit" else "run", "fingerprint": submission, "created_at": moment}
        submissions.append({"id": submission, **same, **more})
        times = {"queued_at": moment, "rank_at": moment, "not_before": moment}
        order = {"id": new_id(), "submission_id": submission, "number": 1, "status": Status.QUEUED, "short": True}
        judgings.append({**order, **same, **times, "message": ""})
    waits = [f"# wait {random.uniform(0, APART_S):.3f}\n" if kind == "apart" else "" for _ in submissions]
    sources = [
        {"submission_id": row["id"], "source": SOURCE + wait, "snippet": ""}
        for row, wait in zip(submissions, waits, strict=True)
    ]
    async with database.write() as session:
        for table, rows in (
            (Account, accounts),
            (Submission, submissions),
            (SubmissionSource, sources),
            (Judging, judgings),
        ):
            await session.execute(insert(table), rows)
        # Update the planner's statistics. In production they are current, because tables grow row by row.
        await session.execute(text("ANALYZE"))
    return [row["id"] for row in submissions]


async def _left(database: Database) -> int:
    query = select(func.count()).select_from(Judging).where(IS_UNFINISHED)
    async with database.read() as session:
        return await session.scalar(query) or 0


async def _committed(database: Database) -> int:
    query = text(
        "SELECT pg_stat_clear_snapshot(), xact_commit FROM pg_stat_database WHERE datname = current_database()"
    )
    async with database.read() as session:
        return int((await session.execute(query)).one()[1])


def _processor_s(roots: dict[str, list[int]]) -> dict[str, float]:
    return {name: sum(map(_spent_s, pids)) for name, pids in roots.items()}


def _spent_s(pid: int) -> float:
    """Return the CPU seconds of a process and all its descendants, including those that have ended."""
    folder = Path(f"/proc/{pid}")
    try:
        times = folder.joinpath("stat").read_text().rpartition(")")[2].split()[11:15]
        children = " ".join(found.read_text() for found in folder.glob("task/*/children")).split()
    except (FileNotFoundError, ProcessLookupError):  # the process has just ended
        return 0.0
    return sum(map(int, times)) * TICK_S + sum(_spent_s(int(child)) for child in children)


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
