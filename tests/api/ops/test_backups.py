"""Tests how real databases (SQLite and PostgreSQL) are copied, backed up and restored, with data that a service wrote."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect, select, text

from api.kit.db.database import Database
from api.kit.db.tables import tables
from api.ops.database import backups
from api.ops.database.copying import copy
from api.ops.database.errors import UpkeepError
from tests import postgres
from tests.api.challenge_folders import write_challenge
from tests.api.every_table import fill
from tests.api.running_service import running, settings_in

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[3]
ACCOUNTS = 3


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[str]:
    """The URL of an empty PostgreSQL database."""
    yield postgres.empty_database(tmp_path)
    postgres.drop(tmp_path)


def sqlite_url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture
async def filled(home: Path) -> str:
    """The URL of a SQLite database that a service has used."""
    write_challenge(home / "challenges")
    url = sqlite_url(home / "site.db")
    async with running(settings_in(home, database_url=url)) as service:
        for number in range(ACCOUNTS):
            person = await service.person(f"person{number}")
            await person.send(source=f"# Grüße №{number}\0\ndef add_one(x):\n    return x + 1\n".replace("\0", ""))
            await person.http.put("/api/drafts/add-one", json={"source": "x = 1", "revision": 0})
    return url


async def everything(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables."""
    db = Database(url)
    async with db.read() as session:
        found = {
            table.name: [tuple(row) for row in await session.execute(select(table).order_by(*table.primary_key))]
            for table in tables()
        }
    await db.close()
    return found


async def copied(source: str, target: str) -> dict[str, int]:
    reading, writing = Database(source), Database(target)
    try:
        return await copy(reading, writing)
    finally:
        await reading.close()
        await writing.close()


async def test_everything_goes_to_postgresql_and_back(filled: str, empty: str, tmp_path: Path) -> None:
    there = await copied(filled, empty)
    back = await copied(empty, sqlite_url(tmp_path / "back.db"))
    assert there == back
    assert (there["account"], there["submission_source"]) == (ACCOUNTS, ACCOUNTS)
    before = await everything(filled)
    assert await everything(empty) == before
    assert await everything(sqlite_url(tmp_path / "back.db")) == before


async def test_many_rows_go_page_by_page(filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.ops.database.copying.AT_ONCE", 2)
    await copied(filled, sqlite_url(tmp_path / "other.db"))
    assert await everything(sqlite_url(tmp_path / "other.db")) == await everything(filled)


async def test_a_target_with_something_in_it_is_left_alone(filled: str, empty: str) -> None:
    await copied(filled, empty)
    before = await everything(empty)
    with pytest.raises(UpkeepError, match=r"not empty \(account, "):
        await copied(filled, empty)
    assert await everything(empty) == before


async def test_backup_of_sqlite_comes_back(filled: str, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    assert backups.back_up(filled, file) == file.stat().st_size
    assert file.stat().st_mode & 0o077 == 0, "nobody else may read it"
    restored = sqlite_url(tmp_path / "new" / "gradus.db")
    backups.restore(restored, file)
    assert await everything(restored) == await everything(filled)
    with pytest.raises(UpkeepError, match="move it away first"):
        backups.restore(restored, file)
    with pytest.raises(UpkeepError, match="exists already"):
        backups.back_up(filled, file)


async def test_backup_of_postgresql_comes_back(filled: str, empty: str, home: Path, tmp_path: Path) -> None:
    await copied(filled, empty)
    file = tmp_path / "backup"
    backups.back_up(empty, file)
    second = postgres.empty_database(home)
    backups.restore(second, file)
    assert await everything(second) == await everything(filled)
    with pytest.raises(UpkeepError, match=r"not empty \(\d\d tables\)"):
        backups.restore(second, file)
    assert await everything(second) == await everything(filled)
    postgres.drop(home)


async def test_a_dump_that_is_not_whole_brings_nothing_back(
    filled: str, empty: str, home: Path, tmp_path: Path
) -> None:
    await copied(filled, empty)
    whole, file = tmp_path / "whole", tmp_path / "file"
    backups.back_up(empty, whole)
    content, second = whole.read_bytes(), postgres.empty_database(home)
    middle = len(content) // 2
    flipped = content[:middle] + bytes(byte ^ 0xFF for byte in content[middle : middle + 64]) + content[middle + 64 :]
    for broken in (content[:5], content[:3000], content[:middle], content[:-1], flipped):
        file.write_bytes(broken)
        with pytest.raises(UpkeepError):
            backups.restore(second, file)
    # The rows before the damaged part were rolled back too, so the database is still empty and a restore succeeds.
    backups.restore(second, whole)
    assert await everything(second) == await everything(filled)
    postgres.drop(home)


@pytest.mark.parametrize("content", [b"", b"not a backup", b"SQLite format 3\0" + b"x" * 5000])
async def test_what_is_no_backup_is_refused_and_leaves_nothing(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "backup"
    file.write_bytes(content)
    with pytest.raises(UpkeepError, match=r"not a SQLite database|damaged"):
        backups.restore(sqlite_url(tmp_path / "gradus.db"), file)
    assert [path.name for path in tmp_path.iterdir()] == ["backup"]


async def test_a_missing_database_is_told(tmp_path: Path, empty: str) -> None:
    with pytest.raises(UpkeepError, match="there is no database"):
        backups.back_up(sqlite_url(tmp_path / "nothing.db"), tmp_path / "backup")
    (tmp_path / "other").write_bytes(b"SQLite format 3\0")
    with pytest.raises(UpkeepError, match="not a PostgreSQL dump"):
        backups.restore(empty, tmp_path / "other")
    with pytest.raises(UpkeepError, match="pg_dump failed"):
        backups.back_up(f"{empty}x", tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_full_disk_is_told_and_leaves_no_half_backup(
    kind: str, filled: str, empty: str, tmp_path: Path
) -> None:
    await copied(filled, empty)
    small, url = tmp_path / "small", filled if kind == "sqlite" else empty
    small.mkdir()
    # The script mounts a disk of 64 KiB that only its shell sees and that disappears with the shell. A process that is already
    # root must remain root, because the folder of PostgreSQL belongs to another account.
    become = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    script = 'mount -t tmpfs -o size=64k none "$1" && "${@:2}"; code=$?; ls -A "$1"; exit $code'
    told = gradus_db(
        tmp_path,
        *("backup", str(small / "backup")),
        before=("unshare", *become, "--mount", "bash", "-c", script, "-", str(small)),
        GRADUS_DATABASE_URL=url,
    )
    assert (told.returncode, told.stdout) == (2, ""), "the folder is as empty as it was"
    assert "full" in told.stderr or "No space left" in told.stderr
    assert "damaged" not in told.stderr


def gradus_db(
    folder: Path, *words: str, before: tuple[str, ...] = (), **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run `gradus db` as users do, in a separate folder. The command line begins with the words in `before`."""
    environment = {"PATH": "/usr/bin:/bin", "GRADUS_DATA_DIR": str(folder), "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    program = [*before, str(Path(sys.executable).with_name("gradus")), "db"]
    return subprocess.run(
        [*program, *words],
        cwd=folder,
        env={**environment, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_from_a_new_database_to_a_restored_one(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    assert "in a new database" in gradus_db(first, "upgrade").stdout
    assert "already" in gradus_db(first, "upgrade").stdout
    assert gradus_db(first, "backup", str(tmp_path / "file")).returncode == 0
    assert gradus_db(second, "restore", str(tmp_path / "file")).returncode == 0
    with sqlite3.connect(second / "gradus.db") as connection:
        assert connection.execute("SELECT count(*) FROM account").fetchone() == (0,)
    connection.close()
    told = gradus_db(first, "copy", "mysql://x")
    assert (told.returncode, told.stdout) == (2, "")
    assert "postgresql+psycopg://" in told.stderr


@pytest.fixture
async def brimming(tmp_path: Path) -> str:
    """The URL of a SQLite database with a row in every table."""
    url = sqlite_url(tmp_path / "gradus.db")
    database = Database(url)
    await database.migrate()
    async with database._writer.begin() as connection:
        await connection.run_sync(fill)
    await database.close()
    return url


def rows_of_every_table(url: str) -> dict[str, int]:
    """Count the rows of all tables that the database itself lists."""
    engine = create_engine(url.replace("+aiosqlite", ""))
    with engine.connect() as connection:
        names = inspect(connection).get_table_names()
        found = {name: connection.scalar(text(f'SELECT count(*) FROM "{name}"')) for name in names}
    engine.dispose()
    return found


async def test_the_command_copies_every_table_that_the_database_has(brimming: str, empty: str, tmp_path: Path) -> None:
    """The command must copy every table of the database. It runs in a separate process, which knows only the tables that the
    command itself imports.
    """
    before = rows_of_every_table(brimming)
    assert set(before.values()) == {1}
    told = gradus_db(tmp_path, "copy", empty)
    assert told.returncode == 0, told.stderr
    assert rows_of_every_table(empty) == before
    assert await everything(empty) == await everything(brimming)


async def test_tables_that_nobody_knows_are_told_and_not_left_behind(brimming: str, empty: str, tmp_path: Path) -> None:
    engine = create_engine(brimming.replace("+aiosqlite", ""))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE of_another_program (id INTEGER)"))
    engine.dispose()
    told = gradus_db(tmp_path, "copy", empty)
    assert (told.returncode, told.stdout) == (2, "")
    assert "of_another_program" in told.stderr
    assert set(rows_of_every_table(empty).values()) <= {0, 1}, "at most the version of the tables"
    assert rows_of_every_table(empty).get("account", 0) == 0
