"""Tests a database that is unavailable for a while. Requests get a clear error, and the log does not report it as a fault of
the service.
"""

import asyncio
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError, OperationalError

from api.kit.db.transient_errors import is_passing
from tests import postgres
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import SOURCE, running, settings_in
from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.anyio
ANSWER = {"slug": "add-one", "kind": "submit", "source": SOURCE}


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A PostgreSQL server that the test can stop. Its data is not in pytest's folder, because the server's user cannot read
    that folder.
    """
    with tempfile.TemporaryDirectory(prefix="gradus-pg-") as folder:
        server = PostgresServer(Path(folder), postgres.SETTINGS)
        server.create()
        server.start()
        yield server
        server.stop()


async def test_who_asks_while_it_is_away_is_told_when_to_ask_again(home: Path, server: PostgresServer) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, database_url=server.url("postgres"))) as service:
        ada = await service.person()
        server.stop()
        answers = [await ada.http.get("/api/me/tokens"), await ada.http.post("/api/submissions", json=ANSWER)]
        for answer in answers:
            told = answer.json()
            assert (answer.status_code, told["code"]) == (503, "database_unavailable")
            assert "Try again in a few seconds." in told["message"]
            assert answer.headers["Retry-After"] == "3"
        assert (await ada.http.get("/api/health")).status_code == 200
        server.start()
        async with asyncio.timeout(20):
            while (await ada.http.get("/api/me/tokens")).status_code != 200:
                await asyncio.sleep(0.1)
        assert (await ada.http.post("/api/submissions", json=ANSWER)).status_code == 201


def of_sqlite(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("as it says")
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("cause", "passing"),
    [
        (psycopg.errors.DeadlockDetected("two in a circle"), True),
        (psycopg.errors.DiskFull("no room"), True),
        (psycopg.errors.UndefinedColumn("no such column"), False),
        (psycopg.errors.UniqueViolation("twice"), False),
        (of_sqlite("SQLITE_BUSY_SNAPSHOT"), True),
        (of_sqlite("SQLITE_FULL"), True),
        (of_sqlite("SQLITE_ERROR"), False),
        (sqlite3.IntegrityError("twice"), False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
async def test_what_passes_by_itself_is_told_from_what_is_wrong(cause: Exception, passing: bool) -> None:
    error: DBAPIError = OperationalError("SELECT 1", {}, cause)
    assert is_passing(error) is passing
