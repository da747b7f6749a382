"""Lets candidates submit shortly before a common deadline, so that the queue is long when the deadline passes.

    python -m tests.load.deadline [--people 30] [--seconds 100] [--busy 1.0] [--scripted]

A real service with real cells serves an assessment that closes for all candidates at the same time. In the last half minute,
each candidate submits three answers that use `--busy` seconds of CPU time in addition to the tests, so the queue is still long
after the deadline. Until everything is judged, the candidates read the deadline and the end of their participations from the
service, about 30 times a second together. With `--scripted`, no containers are needed: two simulated nodes take a second and a
half per answer.

Prints when the participations ended, when the last verdict was there, how many webhooks each participation caused, how many
seconds the service added to each of them because the queue was slow, and how often one was reopened after its end. Exits with 0
if all participations ended at the same time, none was reopened, all got the same additional seconds, and each caused one
`finished` and one `judged` webhook.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.api.challenge_folders import write_challenge
from tests.api.hiring.webhooks.webhooks_rig import Receiver, receiver
from tests.api.running_service import benchmark_settings_in, running
from tests.api.scripted_node import ScriptedNode
from tests.live import ROOT, launch
from tests.load.browser import Browser, Refused
from tests.load.candidates import machine
from tests.load.taking import watched

SLUG = "scaled-dot-product-attention"
ANSWERS = 3
TAKES_S = 1.5
# Seconds to wait until the service can judge. Warming the first cell takes long on a busy machine.
WARM_S = 300.0
# How often all candidates together read their participation, in readings per second.
READINGS = 30
# This code makes an answer use CPU time when it is loaded. The answer is right, so that all of its tests are run.
SLOW = "\nimport time as _time\n_end = _time.process_time() + {busy}\nwhile _time.process_time() < _end:\n    pass\n"
ANSWER = ROOT / "challenges/architectures" / SLUG / "submissions/accepted"
OUT = ROOT / "var" / "bench" / "deadline.json"


def main() -> None:
    """Run the test once. Exit with 0 if the goals were met, otherwise with 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=100, help="from the opening until the window closes")
    parser.add_argument("--busy", type=float, default=1.0, help="seconds of CPU time that each answer uses")
    parser.add_argument("--scripted", action="store_true", help="judge nothing, but take the time for it")
    chosen = parser.parse_args()
    told = asyncio.run(scripted(chosen)) if chosen.scripted else with_cells(chosen)
    print(json.dumps(told, indent=2))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(told, indent=2) + "\n")
    raise SystemExit(0 if told["met"] else 1)


def with_cells(chosen: argparse.Namespace) -> dict[str, Any]:
    """Run the test with a service in a separate process, with a local node and real cells."""
    with tempfile.TemporaryDirectory(prefix="gradus-deadline-") as folder:
        live = launch(Path(folder), webhooks_private="true", registrations_per_hour="1000")
        try:
            live.wait_until_ready(WARM_S)
            return asyncio.run(measure(live.url, chosen))
        finally:
            live.stop()


async def scripted(chosen: argparse.Namespace) -> dict[str, Any]:
    """Run the test with a service in this process, and with simulated nodes that only wait."""
    with tempfile.TemporaryDirectory(prefix="gradus-deadline-") as folder:
        write_challenge(Path(folder) / "challenges", SLUG)
        settings = benchmark_settings_in(Path(folder), webhooks_private=True)
        async with running(settings) as service, asyncio.TaskGroup() as nodes:
            judging = [nodes.create_task(judge(await service.node(f"node-{number}"))) for number in (1, 2)]
            told = await measure(service.url, chosen)
            for task in judging:
                task.cancel()
    return told


async def judge(node: ScriptedNode) -> None:
    """Judge one answer after the other without running it, each in TAKES_S seconds, until this task is cancelled."""
    while True:
        await node.ready(other=1)
        try:
            job = await node.take()
        except TimeoutError:
            # The method `take` has waited for its whole time limit, and no job has arrived. Keep waiting.
            continue
        await asyncio.sleep(TAKES_S)
        await node.judge(job)


async def measure(url: str, chosen: argparse.Namespace) -> dict[str, Any]:
    """Let all candidates take the assessment, and wait for the webhooks with their results. Return what `report` returns."""
    host, port = urlsplit(url).hostname or "", urlsplit(url).port or 80
    owner = Browser(host, port)
    async with receiver() as hook:
        closes = datetime.now(UTC) + timedelta(seconds=chosen.seconds)
        path, tokens = await prepared(owner, chosen.people, closes, f"http://127.0.0.1:{hook.port}/hook")
        over = asyncio.Event()
        taking = [
            asyncio.create_task(take(Browser(host, port), token, Window(closes, over, chosen.people, chosen.busy)))
            for token in tokens
        ]
        await asyncio.sleep((closes - datetime.now(UTC)).total_seconds())
        rows, judged = await settled(owner, path, hook, chosen.people)
        over.set()
        clocks = await asyncio.gather(*taking)
    return {**report(rows, clocks, hook, closes), "last_verdict_after_s": judged}


async def prepared(owner: Browser, people: int, closes: datetime, hook: str) -> tuple[str, list[str]]:
    """Create a team with a webhook and an open assessment. Return the assessment's path and the tokens of the invitations."""
    account = {"email": "load@example.org", "name": "Load", "password": "ten characters"}
    await owner.ask("POST", "/api/accounts", account)
    team = (await owner.ask("POST", "/api/teams", {"name": "Load"}))["id"]
    events = ["participation.finished", "participation.judged"]
    await owner.ask("POST", f"/api/teams/{team}/webhooks", {"url": hook, "events": events})
    item = {"key": "item", "points": 10, "choices": [{"kind": "challenge", "name": SLUG}]}
    sections = [{"key": "code", "title": "Code", "items": [item]}]
    plan = {"minutes": 60, "closes_at": closes.isoformat(), "sections": sections}
    made = await owner.ask("POST", f"/api/teams/{team}/assessments", {"name": "Load", "plan": plan})
    path = f"/api/teams/{team}/assessments/{made['id']}"
    await owner.ask("POST", f"{path}/open")
    answer = await owner.ask("POST", f"{path}/invitations", {"people": [{}] * people, "letters": False})
    return path, [each["link"].rpartition("/")[2] for each in answer["items"]]


@dataclass(frozen=True)
class Window:
    """The options that are the same for all candidates. `over` is set when everything is judged."""

    closes: datetime
    over: asyncio.Event
    people: int
    busy: float


async def take(browser: Browser, token: str, window: Window) -> list[tuple[str, str | None]]:
    """Take the assessment as one candidate: start, submit answers in the last half minute, and read the state until everything
    is judged.

    For each reading, return the deadline and the time at which the participation ended (None before that).
    """
    await browser.ask("POST", f"/api/take/{token}/start", {"name": "Candidate", "honour": True})
    await browser.ask("POST", "/api/participation/items/1/open")
    source = sorted(ANSWER.glob("*.py"))[0].read_text() + SLOW.format(busy=window.busy)
    handed, seen, read_at = 0, [], 0.0
    while not window.over.is_set():
        left = (window.closes - datetime.now(UTC)).total_seconds()
        if handed < ANSWERS and left < 30 - 8 * handed:
            handed += 1
            await _hand_in(browser, f"{source}# {token} {handed}\n")
        if time.monotonic() - read_at > window.people / READINGS:
            read_at = time.monotonic()
            state = await browser.ask("GET", "/api/participation")
            seen.append((state["deadline"], state["finished_at"]))
        await asyncio.sleep(1)
    browser.close()
    return seen


async def _hand_in(browser: Browser, source: str) -> None:
    try:
        await browser.ask("POST", "/api/participation/items/1/submissions", {"source": source, "kind": "submit"})
    except Refused as refused:
        if "429" not in str(refused):
            raise


async def settled(owner: Browser, path: str, hook: Receiver, people: int) -> tuple[list[dict[str, Any]], float | None]:
    """Wait up to ten minutes until everything is judged and the webhooks have arrived.

    Return the rows of the live table, and the seconds until nothing was waiting for a verdict (None: this did not happen).
    """
    began, judged = time.monotonic(), None
    while True:
        rows = await watched(owner, path)
        passed = time.monotonic() - began
        if judged is None and all(row["finished_at"] and not row["unfinished"] for row in rows):
            judged = round(passed, 1)
        told = len(set(events_of(hook, "participation.judged").values()))
        if (judged is not None and told >= people) or passed > 600:
            return rows, judged
        await asyncio.sleep(1)


def events_of(hook: Receiver, kind: str) -> dict[str, str]:
    """Return the webhooks of a kind, as a dictionary from the webhook's id to the participation. Repeated deliveries of a
    webhook have the same id.
    """
    told = [(message.headers["webhook-id"], message.told) for message in hook.messages]
    return {identifier: each["data"]["participation_id"] for identifier, each in told if each["type"] == kind}


def report(
    rows: list[dict[str, Any]], clocks: list[list[tuple[str, str | None]]], hook: Receiver, closes: datetime
) -> dict[str, Any]:
    """Return the results over all candidates: how many participations ended at each time, how many got how many additional
    seconds, how many webhooks arrived, and under `met` whether the goals were met.
    """
    ends = Counter(row["finished_at"] for row in rows)
    finished = Counter(events_of(hook, "participation.finished").values())
    judged = Counter(events_of(hook, "participation.judged").values())
    gained = Counter(row["given_back_s"] for row in rows)
    reopened = sum(later[1] is None for seen in clocks for before, later in pairwise(seen) if before[1])
    once = {
        "people": len(rows),
        "finished_each": sorted(set(finished.values())),
        "judged_each": sorted(set(judged.values())),
    }
    met = len(ends) == len(gained) == 1 and reopened == 0 and once["finished_each"] == once["judged_each"] == [1]
    return {
        "what": "people hand in at a deadline with a long queue",
        "window_closes": closes.isoformat(),
        "ends": dict(ends),
        "seconds_gained": dict(gained),
        "finished_webhooks": sum(finished.values()),
        **once,
        "clocks_that_went_on_after_an_end": reopened,
        "met": met and len(finished) == len(rows),
        **machine(),
    }


if __name__ == "__main__":
    main()
