"""Provides fixtures for tests that run a service. The service's temporary folder contains a Unix socket. The operating system
limits the length of a socket's path, so the path of the folder is short.
"""

import logging
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from api.identity.accounts import hashing
from api.kit.db import database
from tests import postgres
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.mailbox import Mailbox, mailbox

SERVED = hashing._passwords, hashing._DUMMY
# httpcore tries to import sniffio, which is not installed, at each request. With this entry, the import fails at once, and
# Python does not search all folders for the module each time.
sys.modules["sniffio"] = None  # type: ignore[assignment]


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, as the service does."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def plain_logs() -> None:
    """Make structlog write log lines to stdout as JSON. With structlog's default configuration, the tests spend half a minute
    on formatting tracebacks.
    """
    shared = [structlog.contextvars.merge_contextvars, structlog.stdlib.add_log_level]
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )


@pytest.fixture(scope="session", autouse=True)
def light_passwords() -> Iterator[None]:
    """Hash passwords with argon2 as in production, but with cheap parameters. The tests register about a thousand accounts.
    With the parameters of production, each registration would take a fifth of a second.
    """
    lightly = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=64, parallelism=1),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "_passwords", lightly)
        patch.setattr(hashing, "_DUMMY", lightly.hash("nobody's"))
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_statements() -> Iterator[None]:
    """Let all databases of a test run share one SQLAlchemy dialect and one cache of compiled statements, as all requests to one
    service do. Otherwise each test compiles all its statements again, which takes longer than running them.
    """
    first: dict[bool, Engine] = {}
    made_by = database._engine

    def make(url: str, *, sqlite: bool) -> AsyncEngine:
        engine = made_by(url, sqlite=sqlite)
        of_kind = first.get(sqlite)
        # A dialect learns the version of its database when the engine first connects. Some tests create an engine that never
        # connects. The dialect of such an engine is not shared.
        if of_kind is None or of_kind.dialect.server_version_info is None:
            first[sqlite] = engine.sync_engine
            return engine
        engine.sync_engine.dialect = of_kind.dialect
        engine.sync_engine._compiled_cache = of_kind._compiled_cache
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_engine", make)
        yield


@pytest.fixture
def heavy_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the password hashing of a production service, for tests that depend on how long it takes."""
    monkeypatch.setattr(hashing, "_passwords", SERVED[0])
    monkeypatch.setattr(hashing, "_DUMMY", SERVED[1])


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder for everything that one service writes."""
    folder = Path(tempfile.mkdtemp(prefix="gradus-"))
    yield folder
    shutil.rmtree(folder)
    if postgres.WANTED:
        postgres.drop(folder)


@pytest.fixture
def box() -> Iterator[Mailbox]:
    """A mail server that stores the mail it receives."""
    with mailbox() as box:
        yield box


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A running service with the add-one challenge."""
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        yield service
