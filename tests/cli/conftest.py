"""Provides a real service that runs in a thread, a fake node whose judgements the test decides, and users who run `gradus`."""

import asyncio
import itertools
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import structlog
from typer.testing import CliRunner, Result

from frontend.cli.main import app
from grader.contract import transport
from grader.contract.job import Job, Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in

WITHIN_S = 20.0
NUMBERS = itertools.count()
GOOD = "def add_one(x):\n    return x + 1\n"
BAD = "def add_one(x):\n    return x  # WRONG\n"


def as_written(job: Job) -> dict[str, Any]:
    """Return a judgement that accepts the answer unless its source contains WRONG."""
    return {"verdict": Verdict.WA if "WRONG" in job.source else Verdict.AC}


@dataclass
class Served:
    """The running service. `judgement` returns the result that the node reports for a job. While `held` is set, the node
    reports no results.
    """

    service: Service
    loop: asyncio.AbstractEventLoop
    judgement: Callable[[Job], dict[str, Any]] = as_written
    held: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        """The URL of the service."""
        return self.service.url

    def call(self, work: Any) -> Any:
        """Run a coroutine in the service's event loop, and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(WITHIN_S)

    def token(self, name: str) -> str:
        """Create an account, and return an API token for it."""
        return str(self.call(self._registered(name)))

    async def _registered(self, name: str) -> str:
        person = await self.service.person(name)
        return str((await person.http.post("/api/me/tokens", json={"name": "cli"})).json()["token"])

    async def judge_for_ever(self) -> None:
        """Run the fake node. It accepts all jobs, and reports the results that `judgement` returns."""
        node = await self.service.node()
        await node.ready()
        while True:
            try:
                message = await node.hear()
            except TimeoutError:
                continue
            if not isinstance(message, transport.Offer):
                continue
            job = message.job
            await node.say(transport.Accepted(job.id, job.token))
            while self.held.is_set():
                await asyncio.sleep(0.02)
            await node.judge(job, **self.judgement(job))
            await node.ready()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """A service that all tests of a file share."""
    folder = Path(tempfile.mkdtemp(prefix="gradus-"))
    before, silent = structlog.get_config(), (folder / "log").open("w")
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(silent), cache_logger_on_first_use=False)
    write_challenge(folder / "challenges")
    write_challenge(
        folder / "challenges", "add-two", title=r"Add two \u001b[31mred\u202e", difficulty="hard", topic="sums"
    )
    write_challenge(folder / "challenges", "wide-title", section="layers", title="全角文字の課題 für Überschriften")
    ready, done = threading.Event(), threading.Event()
    found: list[Served] = []
    thread = threading.Thread(target=lambda: asyncio.run(_serve(folder, found, ready, done)))
    thread.start()
    assert ready.wait(WITHIN_S)
    yield found[0]
    found[0].loop.call_soon_threadsafe(done.set)
    thread.join(WITHIN_S)
    structlog.configure(**before)
    silent.close()
    shutil.rmtree(folder)


async def _serve(folder: Path, found: list[Served], ready: threading.Event, done: threading.Event) -> None:
    async with running(settings_in(folder, stream_s=0.5, submissions_per_minute=1000)) as service:
        served = Served(service, asyncio.get_running_loop())
        judging = asyncio.create_task(served.judge_for_ever())
        found.append(served)
        ready.set()
        while not done.is_set():
            await asyncio.sleep(0.05)
        judging.cancel()
        with suppress(asyncio.CancelledError, EOFError, ConnectionError):
            await judging


@dataclass
class Person:
    """A user with a home folder, and with a terminal that is `columns` characters wide."""

    home: Path
    environment: dict[str, str]

    def gradus(self, *arguments: str, given: str | None = None, columns: int = 80, **more: str) -> Result:
        """Run the program `gradus` as this user. Return its exit code and output."""
        environment = {**self.environment, "COLUMNS": str(columns), **more}
        result = CliRunner().invoke(app, list(arguments), env=environment, input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        assert "\x1b" not in result.output
        return result

    def ok(self, *arguments: str, **more: Any) -> str:
        """Run a command that must succeed. Return its stdout."""
        result = self.gradus(*arguments, **more)
        assert result.exit_code == 0, result.output
        return result.stdout

    def refused(self, *arguments: str, exit_code: int, **more: Any) -> str:
        """Run a command that must fail. Return its stderr."""
        result = self.gradus(*arguments, **more)
        assert result.exit_code == exit_code, result.output
        assert "Traceback" not in result.output
        return " ".join(result.stderr.split())


@pytest.fixture
def stranger(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """A user who is not signed in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRADUS_TOKEN", raising=False)
    folders = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    yield Person(tmp_path, {**folders, "GRADUS_URL": served.url, "TERM": "dumb"})
    served.judgement = as_written
    served.held.clear()


@pytest.fixture
def person(served: Served, stranger: Person) -> Person:
    """A user with a token, who has pulled the challenge."""
    stranger.environment["GRADUS_TOKEN"] = served.token(f"ada-{next(NUMBERS)}")
    stranger.ok("pull", "add-one")
    return stranger
