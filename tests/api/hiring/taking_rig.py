"""Provides a team with an open assessment, invited candidates, and a clock that the test controls."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from api.hiring.participations import service as participations
from api.hiring.participations.deadline_sweeper import DeadlineSweeper
from api.identity.accounts import candidates
from api.identity.accounts.models import Account
from api.identity.sessions.origin import Origin
from api.identity.sign_in.service import open_session
from api.judging.queue import order
from api.kit.db import database
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Person, Service, running, settings_in
from tests.api.topic_folders import write_topic

HERE = Origin("127.0.0.1", "127.0.0.1", "test")
STARTER = "def add_one(x):\n    ...\n"


def plan_of(**more: Any) -> dict[str, Any]:
    """Return a plan of one hour with two sections: a challenge and a quiz."""
    code = {"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": "add-one"}]}
    quiz = {"key": "two", "points": 5, "choices": [{"kind": "quiz", "name": "adding"}]}
    sections = [
        {"key": "code", "title": "Code", "items": [code]},
        {"key": "quiz", "title": "Questions", "items": [quiz]},
    ]
    return {"minutes": 60, "instructions": "Take your time.", "sections": sections, **more}


@dataclass
class Clock:
    """A clock that stands still until a test sets it."""

    moment: datetime = field(default_factory=database.now)

    def __call__(self) -> datetime:
        return self.moment

    def go(self, **by: float) -> None:
        """Let time pass."""
        self.moment += timedelta(**by)

    def to(self, moment: str, **by: float) -> None:
        """Set the clock to a time from a response (ISO 8601), plus the given offset, such as `seconds=3`."""
        self.moment = datetime.fromisoformat(moment) + timedelta(**by)


@dataclass
class Rig:
    """A team that Ada owns, the assessment that was created last, and the clock."""

    service: Service
    owner: Person
    clock: Clock
    team: str
    assessment: str = ""

    @property
    def path(self) -> str:
        """The URL of the assessment."""
        return f"/api/teams/{self.team}/assessments/{self.assessment}"

    async def assess(self, **more: Any) -> None:
        """Create and open another assessment, which the rig uses from then on."""
        body = {"name": "First round", "plan": plan_of(**more)}
        made = await self.owner.http.post(f"/api/teams/{self.team}/assessments", json=body)
        assert made.status_code == 201, made.text
        self.assessment = made.json()["id"]
        opened = await self.owner.http.post(f"{self.path}/open")
        assert opened.status_code == 200, opened.text

    async def invite(self, **person: Any) -> dict[str, Any]:
        """Invite one person. Return the invitation, with its secret as `token`."""
        answer = await self.owner.http.post(f"{self.path}/invitations", json={"people": [person]})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()["items"][0]
        return {**made, "token": made["link"].rpartition("/")[2]}

    async def start(self, token: str) -> "Taker":
        """Start the assessment in a new browser, as the candidate whom this token invites."""
        taker = Taker(self.service.client())
        answer = await taker.start(token)
        assert answer.status_code in (200, 201), answer.text
        return taker

    async def watched(self) -> list[dict[str, Any]]:
        """Return the rows of the live table of participations."""
        answer = await self.owner.http.get(f"{self.path}/participations")
        assert answer.status_code == 200, answer.text
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    async def count(self, table: Any) -> int:
        """Return the number of rows of a table."""
        async with self.service.state.db.read() as session:
            return await session.scalar(select(func.count()).select_from(table)) or 0


@dataclass
class Taker:
    """The browser of a candidate."""

    http: httpx.AsyncClient

    async def start(self, token: str, **more: Any) -> httpx.Response:
        """Start the assessment, or continue it on this device."""
        return await self.http.post(f"/api/take/{token}/start", json={"name": "Eve", "honour": True, **more})

    async def state(self) -> dict[str, Any]:
        """Return the state of the participation."""
        answer = await self.http.get("/api/participation")
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    async def open(self, position: int = 1) -> dict[str, Any]:
        """Open an item and return it."""
        answer = await self.http.post(f"/api/participation/items/{position}/open")
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    async def send(self, source: str, kind: str = "submit") -> httpx.Response:
        """Send an answer to the challenge."""
        body = {"source": source, "kind": kind}
        return await self.http.post("/api/participation/items/1/submissions", json=body)

    async def save(self, source: str, sequence: int, **more: Any) -> httpx.Response:
        """Save a draft of the challenge."""
        body = {"source": source, "sequence": sequence, **more}
        return await self.http.put("/api/participation/items/1/draft", json=body)


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and the code of a refused request."""
    return answer.status_code, answer.json()["code"]


def sweeper_of(service: Service) -> DeadlineSweeper:
    """Return a sweeper for the database of this service, for tests that decide when it runs."""
    state = service.state
    return DeadlineSweeper(state.db, state.settings, state.store, state.dispatcher, state.hub)


async def candidate_of(service: Service) -> tuple[Account, str]:
    """Create a candidate. Return the account and the value of its cookie."""
    async with service.state.db.write() as session:
        account = candidates.make(session, "Eve")
        await session.flush()
        return account, await open_session(session, account, HERE, service.settings, replaces=None)


@asynccontextmanager
async def rig_in(home: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> AsyncIterator[Rig]:
    """Run the service with one challenge, one quiz and a team."""
    write_challenge(home / "challenges")
    write_topic(home / "challenges")
    clock = Clock()
    monkeypatch.setattr(participations, "now", clock)
    # The time that submissions wait in the queue is measured with the same clock.
    monkeypatch.setattr(order, "now", clock)
    # The interval between two runs of the deadline sweeper is so long that it runs only when a test runs it.
    async with running(settings_in(home, sweep_s=60, **settings)) as service:
        owner = await service.person()
        team = (await owner.http.post("/api/teams", json={"name": "Tensor people"})).json()["id"]
        yield Rig(service, owner, clock, team)
