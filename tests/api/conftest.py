"""A service with one challenge, in a short temporary folder (a Unix socket's path must be short)."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from api.accounts import secrets
from tests import postgres
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.mailbox import Mailbox, mailbox

SERVED = secrets._passwords, secrets._DUMMY


@pytest.fixture
def anyio_backend() -> str:
    """The service runs on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def plain_logs() -> None:
    """Lines of JSON to stdout. The default of a library that nobody configured draws tracebacks for half a minute."""
    shared = [structlog.contextvars.merge_contextvars, structlog.stdlib.add_log_level]
    structlog.configure(processors=[*shared, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()])


@pytest.fixture(scope="session", autouse=True)
def light_passwords() -> Iterator[None]:
    """Passwords are hashed as they are served, but lightly: a thousand people register here, each at a fifth of a second."""
    lightly = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=64, parallelism=1),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "_passwords", lightly)
        patch.setattr(secrets, "_DUMMY", lightly.hash("nobody's"))
        yield


@pytest.fixture
def heavy_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a service hashes them: where the time that it takes matters."""
    monkeypatch.setattr(secrets, "_passwords", SERVED[0])
    monkeypatch.setattr(secrets, "_DUMMY", SERVED[1])


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
    """A mail server that keeps what it gets."""
    with mailbox() as box:
        yield box


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """The service with the add-one challenge."""
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        yield service
