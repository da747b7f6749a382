"""Measures the CPU time of the service per request: `python -m tests.bench.service [--requests 300]`.

The service runs in a process of its own, as `gradus serve` starts it, with its own catalogue and SQLite, without a node, and
with rate limits off. Requests arrive on loopback one after the other, except those of the last row, which arrive within 20
seconds. The yardstick is a FastAPI application with one route, which runs in another process, on the same uvicorn.

The CPU time of a row is that of the whole process during the requests, background tasks and SQLite's thread included. The cost of
the idle service is printed, too. Prints a table, and writes var/bench/service.json.
"""

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
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
WARM_UP = 60
PACED, PACED_S, IDLE_S = 300, 20.0, 5.0
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
    before = await cpu_ms(bare[0], requests, lambda _: plain.ask("GET", "/name"))
    rows = [
        {"what": what, "ms": await cpu_ms(pid, requests, request), "goal_ms": goal}
        for what, goal, request in await kinds(service[1])
    ]
    people = [await _signed_up(service[1], f"late-{number}") for number in range(PEOPLE)]
    began = cpu_s(pid)
    await asyncio.sleep(IDLE_S)
    idle_ms = 1000 * (cpu_s(pid) - began) / IDLE_S
    rows.append(
        {"what": f"{PACED} submissions within {PACED_S:.0f} s", "ms": await paced(pid, people), "goal_ms": SUBMIT}
    )
    after = await cpu_ms(bare[0], requests, lambda _: plain.ask("GET", "/name"))
    return {"bare_ms": [before, after], "idle_ms_per_s": idle_ms, "rows": rows}


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


async def cpu_ms(pid: int, requests: int, request: Request) -> float:
    """Send requests one after the other. Return the CPU time of the process in milliseconds per request."""
    for number in range(WARM_UP):
        await request(number)
    began = cpu_s(pid)
    for number in range(requests):
        await request(WARM_UP + number)
    return 1000 * (cpu_s(pid) - began) / requests


async def paced(pid: int, people: list[Browser]) -> float:
    """Send PACED submissions within PACED_S seconds. Return the CPU time of the process in milliseconds per submission."""
    turns = [asyncio.Lock() for _ in people]

    async def one(number: int) -> None:
        await asyncio.sleep(number * PACED_S / PACED)
        async with turns[number % len(people)]:
            await submit(people[number % len(people)], number)

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
    bare = sum(told["bare_ms"]) / len(told["bare_ms"])
    shown = Table(title=f"CPU of the service per request (idle: {told['idle_ms_per_s']:.1f} ms a second)")
    for name in ("request", "ms", "of the bare route", "goal, ms"):
        shown.add_column(name, justify="left" if name == "request" else "right")
    shown.add_row("a bare FastAPI route", " to ".join(f"{ms:.2f}" for ms in told["bare_ms"]), "1.0", "")
    for row in told["rows"]:
        shown.add_row(row["what"], f"{row['ms']:.2f}", f"{row['ms'] / bare:.1f}", f"{row['goal_ms']:.0f}")
    return shown


if __name__ == "__main__":
    main()
