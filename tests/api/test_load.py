"""Runs the load test at a small scale, with ten candidates and a node that returns verdicts immediately. The test makes its
report with the same code as `python -m tests.load.candidates`.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.bench.post_submission import judge_all
from tests.load.browser import Browser
from tests.load.candidates import report
from tests.load.taking import Task, Writing, invited, take_all, until_judged

pytestmark = pytest.mark.anyio
ANSWER = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A service with two challenges."""
    write_challenge(home / "challenges")
    write_challenge(home / "challenges", slug="add-two")
    async with running(settings_in(home)) as service:
        yield service


async def test_ten_candidates_at_once_lose_nothing_and_are_judged(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.load.taking.EVERY_S", 0.2)
    node = await service.node(slots=8)
    judging = asyncio.create_task(judge_all(node))
    host, port = urlsplit(service.url).hostname or "", urlsplit(service.url).port or 0
    owner = Browser(host, port)
    path, tokens = await invited(owner, ("add-one", "add-two"), 10)
    figures = await take_all(Task(host, port, ANSWER, seconds=2.0, ramp_s=0.3), tokens)
    told = report(figures, 10)
    assert (figures.errors, figures.lost, len(figures.starts), len(figures.sends)) == ([], [], 10, 10)
    assert told["drafts"] >= 10
    assert await until_judged(owner, path, 20) == (figures.answers, 0)
    judging.cancel()
    owner.close()


async def test_a_draft_that_is_not_kept_is_noticed(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Writing.save

    async def forgetful(self: Writing, browser: Browser, position: int) -> None:
        await kept(self, browser, position)
        self.source[position] += "# typed, never sent\n"

    monkeypatch.setattr(Writing, "save", forgetful)
    monkeypatch.setattr("tests.load.taking.EVERY_S", 0.1)
    host, port = urlsplit(service.url).hostname or "", urlsplit(service.url).port or 0
    owner = Browser(host, port)
    _, tokens = await invited(owner, ("add-one", "add-two"), 1)
    figures = await take_all(Task(host, port, ANSWER, seconds=0.1, ramp_s=0), tokens)
    owner.close()
    assert figures.lost
    assert not report(figures, 1)["met"]
