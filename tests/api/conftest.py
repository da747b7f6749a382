"""A service with one challenge, in a short temporary folder (a Unix socket's path must be short)."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog

from tests import postgres
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.mailbox import Mailbox, mailbox


@pytest.fixture
def anyio_backend() -> str:
    """The service runs on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def plain_logs() -> None:
    """Lines of JSON to stdout. The default of a library that nobody configured draws tracebacks for half a minute."""
    shared = [structlog.contextvars.merge_contextvars, structlog.stdlib.add_log_level]
    structlog.configure(processors=[*shared, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()])


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
