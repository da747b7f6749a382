"""Measures how many submissions per second several processes of the service accept that share one PostgreSQL.

    python -m tests.bench.intake [--processes 2] [--seconds 10]

Rate limits are off. PostgreSQL writes to the disk as in production. Each sender has its own account, and sends a submission as
soon as the last one was answered. Prints the rate and the response times, and writes var/bench/intake.json.
"""

import argparse
import asyncio
import contextlib
import json
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import Any

from tests import postgres
from tests.api.challenge_folders import write_challenge
from tests.bench.post_submission import request_of
from tests.live import Candidate, Live, service_without_node

GOAL_PER_S = 500
SENDERS = 16
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
UNBOUND = (
    "requests_per_minute",
    "requests_per_minute_of_an_address",
    "unfinished_per_account",
    "queue_limit",
    "submissions_per_minute",
    "submissions_per_challenge_a_day",
    "registrations_per_hour",
)
UNLIMITED = dict.fromkeys(UNBOUND, str(10**6))


def main() -> None:
    """Start the services, run the benchmark once, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10)
    chosen = parser.parse_args()
    postgres.SETTINGS |= DURABLE
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as folder, contextlib.ExitStack() as running:
        home = Path(folder)
        write_challenge(home / "challenges")
        more = {**UNLIMITED, "database_url": postgres.database_of(home), "versions_dir": str(home / "versions")}
        services = [
            running.enter_context(service_without_node(home / str(number), challenges=home / "challenges", **more))
            for number in range(chosen.processes)
        ]
        told = asyncio.run(measure(services, chosen.seconds))
    told = {"processes": chosen.processes, **told}
    print(json.dumps(told, indent=2))
    target = Path("var/bench/intake.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(told, indent=2) + "\n")


async def measure(services: list[Live], seconds: float) -> dict[str, Any]:
    """Send to all processes at the same time. Return the rate, the response times and the CPU time per submission."""
    tokens = [token_of(services[0].url) for _ in range(SENDERS * len(services))]
    until = time.perf_counter() + seconds
    sending = [send(services[number % len(services)].url, token, until) for number, token in enumerate(tokens)]
    used_s = sum(cpu_s(live) for live in services)
    waits = sorted(wait for each in await asyncio.gather(*sending) for wait in each)
    used_s = sum(cpu_s(live) for live in services) - used_s
    reached = round(len(waits) / seconds, 1)
    return {
        "what": "POST /api/submissions on PostgreSQL, until 201",
        "senders": len(tokens),
        "per_s": reached,
        "p50_ms": round(waits[len(waits) // 2], 1),
        "p95_ms": round(waits[int(0.95 * len(waits))], 1),
        "service_cpu_ms_each": round(1000 * used_s / len(waits), 2),
        "goal_per_s": GOAL_PER_S,
        "met": reached >= GOAL_PER_S,
        "cpus": os.cpu_count(),
        "load_average": os.getloadavg()[0],
        "python": platform.python_version(),
    }


def cpu_s(live: Live) -> float:
    """Return the CPU seconds that a service has used so far. Unlike the rate, this hardly depends on other programs."""
    fields = Path(f"/proc/{live.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def token_of(url: str) -> str:
    """Create an account, and return an API token for it."""
    person = Candidate(url)
    token: str = person.http.headers["Authorization"].removeprefix("Bearer ")
    person.http.close()
    return token


async def send(url: str, token: str, until: float) -> list[float]:
    """Send submissions one after the other until the time `until`. Return the response time of each, in ms."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    waits: list[float] = []
    while (begun := time.perf_counter()) < until:
        writer.write(request_of(token, len(waits)))
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 201"):
            raise RuntimeError(head.decode())
        await reader.readexactly(int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]))
        waits.append((time.perf_counter() - begun) * 1000)
    writer.close()
    return waits


if __name__ == "__main__":
    main()
