"""Measures the CPU time of the service per request: `python -m tests.bench.service [--requests 300]`.

The service runs in a process of its own, as `gradus serve` starts it, with its own catalogue and SQLite, without a node, and
with rate limits off. Requests arrive on loopback one after the other, except those of the last row, which arrive within 20
seconds. The yardstick is a FastAPI application with one route, which runs in another process, on the same uvicorn. The last row
has a yardstick of its own, whose requests are as far apart: after each pause, the processor's caches are cold, for any service.

All kinds of requests take turns, and a row shows the median over its turns, because the speed of a shared machine changes within
seconds. The CPU time of a row is that of the whole process during the requests, background tasks and SQLite's thread included.
The cost of the idle service is printed, too. Prints a table, and writes var/bench/service.json.
"""

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table

from tests.bench.intake import UNLIMITED
from tests.live import ROOT, free_port, service_without_node
from tests.load.browser import Browser
from tests.load.taking import Figures, Task, Writing, invited

OUT = ROOT / "var" / "bench" / "service.json"
SLUGS = ("scaled-dot-product-attention", "rms-norm")
PEOPLE = 15
WARM_UP, TURNS = 60, 10
PACED, PACED_S, IDLE_S = 300, 20.0, 5.0
# A service that uses less CPU time in a second has no work. It was measured at 20 to 30 ms.
IDLE_MS = 60.0
# The goals in milliseconds, by row.
READ, SAVE, SUBMIT = 1.0, 3.0, 4.0
BARE = """
import sys, fastapi, uvicorn
app = fastapi.FastAPI()
@app.get("/{name}")
async def read(name: str) -> dict[str, str]:
    return {"name": name}
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), http="h11", loop="asyncio", log_config=None, access_log=False)
"""
Request = Callable[[int], Awaitable[Any]]


def main() -> None:
    """Run the benchmark once, print the table, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=300, help="how many requests of each kind")
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="gradus-bench-") as folder,
        bare_service() as bare,
        service_without_node(Path(folder), **UNLIMITED) as live,
    ):
        told = asyncio.run(measure(bare, (live.process.pid, live.url), chosen.requests))
    machine = {"cpus": os.cpu_count(), "load_average": os.getloadavg()[0], "python": platform.python_version()}
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps({**told, **machine}, indent=2) + "\n")
    Console().print(table(told))


@contextlib.contextmanager
def bare_service() -> Iterator[tuple[int, str]]:
    """Run the yardstick during the `with` block. Yield its process id and its URL."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", BARE, str(port)])
    try:
        yield process.pid, f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


async def measure(bare: tuple[int, str], service: tuple[int, str], requests: int) -> dict[str, Any]:
    """Measure all rows. Return the CPU time of each in milliseconds per request, and of the idle service in ms per second."""
    plain, pid = _browser(bare[1]), service[0]

    async def bare_route(_: int) -> Any:
        return await plain.ask("GET", "/name")

    people = [await _signed_up(service[1], f"late-{number}") for number in range(PEOPLE)]
    listed = [("a bare FastAPI route", 0.0, bare_route), *await kinds(service[1])]
    await mails_are_sent(pid)
    pids = [bare[0], *[pid] * (len(listed) - 1)]
    turns = await in_turns([(pid, request) for pid, (_, _, request) in zip(pids, listed, strict=True)], requests)
    bare_ms, *told = (statistics.median(of_row) for of_row in turns)
    rows = [
        {"what": what, "ms": ms, "bare_ms": bare_ms, "goal_ms": goal}
        for (what, goal, _), ms in zip(listed[1:], told, strict=True)
    ]
    began = cpu_s(pid)
    await asyncio.sleep(IDLE_S)
    idle_ms = 1000 * (cpu_s(pid) - began) / IDLE_S
    locks = [asyncio.Lock() for _ in people]

    async def submission(number: int) -> None:
        async with locks[number % PEOPLE]:
            await submit(people[number % PEOPLE], number)

    rows.append(
        {
            "what": f"{PACED} submissions within {PACED_S:.0f} s",
            "ms": await paced(pid, submission),
            "bare_ms": await paced(bare[0], bare_route),
            "goal_ms": SUBMIT,
        }
    )
    return {"bare_ms": bare_ms, "bare_range_ms": [min(turns[0]), max(turns[0])], "idle_ms_per_s": idle_ms, "rows": rows}


async def kinds(url: str) -> list[tuple[str, float, Request]]:
    """Return the kinds of requests that are sent one after the other, each with its goal in ms."""
    anybody, gzip = _browser(url), _browser(url, {"Accept-Encoding": "gzip"})
    page, catalogue = f"/api/challenges/{SLUGS[0]}", "/api/challenges?limit=100"
    known = _browser(url, {"If-None-Match": "*"})
    owner = await _signed_up(url, "owner")
    candidates = await _candidates(url, owner)
    people = [await _signed_up(url, f"person-{number}") for number in range(PEOPLE)]
    versions = [0] * PEOPLE
    latest = await submit(people[0], -1)

    async def draft(number: int) -> None:
        who = number % PEOPLE
        body = {"source": _source(number), "version": versions[who]}
        versions[who] = (await people[who].ask("PUT", f"/api/drafts/{SLUGS[0]}", body))["version"]

    return [
        ("GET /healthz", READ, lambda _: anybody.ask("GET", "/healthz")),
        ("GET a challenge", READ, lambda _: anybody.ask("GET", page)),
        ("GET a challenge, compressed", READ, lambda _: gzip.send("GET", page)),
        ("GET a challenge, unchanged (304)", READ, lambda _: known.send("GET", page)),
        ("GET the catalogue, 100 challenges", READ, lambda _: anybody.ask("GET", catalogue)),
        ("GET the catalogue, compressed", READ, lambda _: gzip.send("GET", catalogue)),
        ("GET the signed-in account", READ, lambda _: people[0].ask("GET", "/api/me")),
        ("GET a submission", READ, lambda _: people[0].ask("GET", f"/api/submissions/{latest}")),
        ("PUT a draft", SAVE, draft),
        ("PUT a draft in an assessment", SAVE, lambda number: candidates[number % PEOPLE].save(number)),
        ("POST a submission", SUBMIT, lambda number: submit(people[number % PEOPLE], number)),
        ("POST a submission in an assessment", SUBMIT, lambda number: candidates[number % PEOPLE].submit(number)),
    ]


async def mails_are_sent(pid: int) -> None:
    """Wait until the service has sent the mails of all new accounts, and is idle. Otherwise they would count for other rows."""
    for _ in range(60):
        began = cpu_s(pid)
        await asyncio.sleep(1)
        if 1000 * (cpu_s(pid) - began) < IDLE_MS:
            return


async def in_turns(kinds: list[tuple[int, Request]], requests: int) -> list[list[float]]:
    """Send requests of each kind to the process with this id, one after the other, TURNS times a part of them. Return the CPU
    time of the process in milliseconds per request, for each kind a list with one figure per turn.
    """
    for _, request in kinds:
        for number in range(WARM_UP):
            await request(number)
    each = max(1, requests // TURNS)
    figures: list[list[float]] = [[] for _ in kinds]
    for turn in range(TURNS):
        for of_kind, (pid, request) in zip(figures, kinds, strict=True):
            began = cpu_s(pid)
            for number in range(each):
                await request(WARM_UP + turn * each + number)
            of_kind.append(1000 * (cpu_s(pid) - began) / each)
    return figures


async def paced(pid: int, request: Request) -> float:
    """Send PACED requests within PACED_S seconds. Return the CPU time of the process in milliseconds per request."""

    async def one(number: int) -> None:
        await asyncio.sleep(number * PACED_S / PACED)
        await request(number)

    began = cpu_s(pid)
    await asyncio.gather(*(one(number) for number in range(PACED)))
    return 1000 * (cpu_s(pid) - began) / PACED


def cpu_s(pid: int) -> float:
    """Return the CPU seconds that a process has used so far, all of its threads together."""
    # On Linux, this is the id of the CPU-time clock of another process (see clock_getcpuclockid). /proc counts in 10 ms.
    return time.clock_gettime((~pid << 3) | 2)


async def submit(person: Browser, number: int) -> str:
    """Submit an answer. Return the id of the submission."""
    body = {"slug": SLUGS[0], "kind": "submit", "source": _source(number)}
    identifier: str = (await person.ask("POST", "/api/submissions", body))["id"]
    return identifier


class _Candidate:
    def __init__(self, browser: Browser, number: int) -> None:
        self._browser = browser
        task = Task(browser.host, browser.port, _source(number), 0, 0)
        self._writing = Writing(task, number, random.Random(number), Figures())

    async def save(self, _: int) -> None:
        await self._writing.save(self._browser, 1)

    async def submit(self, number: int) -> None:
        body = {"source": _source(number), "kind": "submit"}
        await self._browser.ask("POST", "/api/participation/items/1/submissions", body)


async def _candidates(url: str, owner: Browser) -> list[_Candidate]:
    """Let candidates start an assessment and open its first item."""
    _, tokens = await invited(owner, SLUGS, PEOPLE)
    browsers = [_browser(url) for _ in tokens]
    for number, (browser, token) in enumerate(zip(browsers, tokens, strict=True)):
        await browser.ask("POST", f"/api/take/{token}/start", {"name": f"Candidate {number}", "honour": True})
        await browser.ask("POST", "/api/participation/items/1/open")
    return [_Candidate(browser, number) for number, browser in enumerate(browsers)]


async def _signed_up(url: str, name: str) -> Browser:
    browser = _browser(url)
    account = {"email": f"{name}@example.org", "name": name, "password": "ten characters"}
    await browser.ask("POST", "/api/accounts", account)
    return browser


def _browser(url: str, headers: dict[str, str] | None = None) -> Browser:
    address = urlsplit(url)
    return Browser(address.hostname or "", address.port or 80, headers=headers or {})


def _source(number: int) -> str:
    return f"# {number}\n" + "def attention(q, k, v):\n    return q\n" * 30


def table(told: dict[str, Any]) -> Table:
    """Build the table of CPU milliseconds per request, and of their ratio to the bare route."""
    shown = Table(title=f"CPU of the service per request (idle: {told['idle_ms_per_s']:.1f} ms a second)")
    for name in ("request", "ms", "of the bare route", "goal, ms"):
        shown.add_column(name, justify="left" if name == "request" else "right")
    low, high = told["bare_range_ms"]
    shown.add_row(f"a bare FastAPI route ({low:.2f} to {high:.2f})", f"{told['bare_ms']:.2f}", "1.0", "")
    for row in told["rows"]:
        shown.add_row(row["what"], f"{row['ms']:.2f}", f"{row['ms'] / row['bare_ms']:.1f}", f"{row['goal_ms']:.0f}")
    return shown


if __name__ == "__main__":
    main()
