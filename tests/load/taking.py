"""Simulates candidates who take an assessment. They start, open an item, save drafts, submit, open a second item and finish."""

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

from tests.load.browser import Browser

# Average seconds between two drafts of a candidate. Each pause is random, between 0.5 and 1.5 times this value.
EVERY_S = 5.0
EDITS = 15


@dataclass(frozen=True)
class Task:
    """The options that are the same for all candidates. Each candidate starts within `ramp_s` seconds, writes for `seconds`
    seconds, and submits `answer`.
    """

    host: str
    port: int
    answer: str
    seconds: float
    ramp_s: float


@dataclass
class Figures:
    """The measurements. Times are in milliseconds."""

    saves: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    sends: list[float] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    answers: int = 0
    errors: list[str] = field(default_factory=list)


async def take(task: Task, token: str, number: int, figures: Figures) -> None:
    """Take the assessment as one candidate. An exception is recorded as an error."""
    browser = Browser(task.host, task.port)
    chance = random.Random(number)
    try:
        await asyncio.sleep(chance.uniform(0, task.ramp_s))
        await _take(browser, task, token, Writing(task, number, chance, figures))
    except Exception as error:
        figures.errors.append(f"candidate {number}: {type(error).__name__}: {error}"[:300])
    finally:
        browser.close()


@dataclass
class Writing:
    """The text that a candidate has written so far for each item, and how often it was saved."""

    task: Task
    number: int
    chance: random.Random
    figures: Figures
    source: dict[int, str] = field(default_factory=dict)
    sequence: dict[int, int] = field(default_factory=dict)

    async def save(self, browser: Browser, position: int) -> None:
        """Add a few lines to an item's text, save it as a draft, and measure how long saving takes."""
        before = self.source.get(position, f"# candidate {self.number}\n{self.task.answer}")
        edits = []
        for step in range(EDITS):
            text = f"# {self.chance.randrange(10**6)}\n"
            edits.append({"t_ms": step * 300, "from": len(before), "to": len(before), "text": text})
            before += text
        sequence = self.sequence.get(position, 0) + 1
        body = {"source": before, "sequence": sequence, "edits": edits, "signals": []}
        began = time.perf_counter()
        await browser.ask("PUT", f"/api/participation/items/{position}/draft", body)
        self.figures.saves.append((time.perf_counter() - began) * 1000)
        self.source[position], self.sequence[position] = before, sequence

    async def compare(self, browser: Browser) -> None:
        """Read the stored drafts as another device would. Record those that differ from the text that was saved."""
        for position, source in self.source.items():
            kept = (await browser.ask("POST", f"/api/participation/items/{position}/open"))["draft"]
            if (kept["source"], kept["revision"]) != (source, self.sequence[position]):
                self.figures.lost.append(f"candidate {self.number}, item {position}, revision {kept['revision']}")


async def _take(browser: Browser, task: Task, token: str, writing: Writing) -> None:
    began = time.perf_counter()
    await browser.ask("POST", f"/api/take/{token}/start", {"name": f"Candidate {writing.number}", "honour": True})
    writing.figures.starts.append((time.perf_counter() - began) * 1000)
    await browser.ask("POST", "/api/participation/items/1/open")
    until = time.monotonic() + task.seconds
    submit_at = time.monotonic() + task.seconds * writing.chance.uniform(0.2, 0.8)
    position = 1
    while time.monotonic() < until:
        await writing.save(browser, position)
        if position == 1 and time.monotonic() > submit_at:
            await _submit(browser, writing)
            await browser.ask("POST", "/api/participation/items/2/open")
            position = 2
        await asyncio.sleep(EVERY_S * writing.chance.uniform(0.5, 1.5))
    if position == 1:
        await _submit(browser, writing)
    await writing.compare(browser)
    await browser.ask("POST", "/api/participation/finish")
    # The service submits the last draft of each item automatically.
    writing.figures.answers += len(writing.source)


async def _submit(browser: Browser, writing: Writing) -> None:
    body = {"source": writing.source[1], "kind": "submit"}
    began = time.perf_counter()
    await browser.ask("POST", "/api/participation/items/1/submissions", body)
    writing.figures.sends.append((time.perf_counter() - began) * 1000)


async def take_all(task: Task, tokens: list[str]) -> Figures:
    """Let all candidates take the assessment at the same time. Return the measurements."""
    figures = Figures()
    await asyncio.gather(*(take(task, token, number, figures) for number, token in enumerate(tokens)))
    return figures


async def until_judged(owner: Browser, path: str, seconds: float) -> tuple[int, int]:
    """Wait at most `seconds` until everything is judged. Return how many answers were judged, and how many were not."""
    until = time.monotonic() + seconds
    while True:
        rows = await watched(owner, path)
        unfinished = sum(row["unfinished"] for row in rows)
        if unfinished == 0 or time.monotonic() > until:
            return sum(row["sent"] for row in rows) - unfinished, unfinished
        await asyncio.sleep(2)


async def watched(owner: Browser, path: str) -> list[dict[str, Any]]:
    """Return all rows of the live table of participations, from all of its pages."""
    rows: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = await owner.ask("GET", f"{path}/participations?limit=100&cursor={cursor}")
        rows += page["items"]
        if not (cursor := page["next_cursor"] or ""):
            return rows


async def invited(owner: Browser, challenges: tuple[str, str], people: int) -> tuple[str, list[str]]:
    """Create a team, an open assessment of two challenges, and invitations for `people` candidates. Return the assessment's
    path and the tokens of the invitations.
    """
    account = {"email": "load@example.org", "name": "Load", "password": "ten characters"}
    await owner.ask("POST", "/api/accounts", account)
    team = (await owner.ask("POST", "/api/teams", {"name": "Load"}))["id"]
    sections = [
        {"key": f"part-{number}", "title": "Code", "items": [_item(number, slug)]}
        for number, slug in enumerate(challenges, start=1)
    ]
    plan = {"minutes": 120, "recorded": ["edits", "pastes", "focus", "devices"], "sections": sections}
    path = f"/api/teams/{team}/assessments"
    made = await owner.ask("POST", path, json.loads(json.dumps({"name": "Load", "plan": plan})))
    path = f"{path}/{made['id']}"
    await owner.ask("POST", f"{path}/open")
    answer = await owner.ask("POST", f"{path}/invitations", {"people": [{}] * people, "letters": False})
    return path, [each["link"].rpartition("/")[2] for each in answer["items"]]


def _item(number: int, slug: str) -> dict[str, Any]:
    return {"key": f"item-{number}", "points": 10, "choices": [{"kind": "challenge", "name": slug}]}
