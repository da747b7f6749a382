"""Backs up the whole database to one file, and restores it, with SQLite's online backup or PostgreSQL's pg_dump.

A backup can be made while the service is running. It contains the data as of one moment.
"""

import contextlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import URL, create_engine, inspect, make_url

from api.ops.database.errors import UpkeepError
from api.settings import plain_environment

_SQLITE_HEAD = b"SQLite format 3\0"
_DUMP_HEAD = b"PGDMP"


def back_up(url: str, file: Path) -> int:
    """Write the database to a new file, and return the size of that file in bytes. Raises `UpkeepError`."""
    if file.exists():
        raise UpkeepError(f"{file} exists already; name a new file.")
    if not file.parent.is_dir():
        raise UpkeepError(f"there is no folder {file.parent}; make it first.")
    with _new(file) as new:
        database = make_url(url)
        if database.get_backend_name() == "sqlite":
            _copy_sqlite(_existing(database), new)
        else:
            _run(database, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={new}")
    return file.stat().st_size


def restore(url: str, file: Path) -> None:
    """Restore the database from a backup. Raises `UpkeepError` if the file is not a backup of this kind of database (SQLite or
    PostgreSQL), or if the database already contains anything that would be overwritten.
    """
    if not file.is_file():
        raise UpkeepError(f"there is no file {file}.")
    database = make_url(url)
    with file.open("rb") as opened:
        head = opened.read(len(_SQLITE_HEAD))
    if database.get_backend_name() == "sqlite":
        _restore_sqlite(database, file, head)
    elif head.startswith(_DUMP_HEAD):
        _must_be_empty(database)
        _run(
            database,
            "pg_restore",
            "--exit-on-error",
            "--single-transaction",
            "--no-owner",
            "--no-privileges",
            str(file),
        )
    else:
        raise UpkeepError(
            f"{file} is not a PostgreSQL dump; to move a SQLite database to PostgreSQL, use `gradus db copy`."
        )


def _restore_sqlite(database: URL, file: Path, head: bytes) -> None:
    if head != _SQLITE_HEAD:
        raise UpkeepError(
            f"{file} is not a SQLite database; to restore a PostgreSQL dump, set GRADUS_DATABASE_URL to a PostgreSQL database."
        )
    path = Path(database.database or "")
    if path.exists():
        raise UpkeepError(
            f"{path} exists; move it away first (with {path.name}-wal and {path.name}-shm), so that it is not lost."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with _new(path) as new:
        _copy_sqlite(file, new)


def _must_be_empty(database: URL) -> None:
    """Raise `UpkeepError` if the database contains tables. PostgreSQL itself would refuse to restore too, but its error message
    would name only one table.
    """
    engine = create_engine(database)
    try:
        tables = inspect(engine).get_table_names()
    finally:
        engine.dispose()
    if tables:
        raise UpkeepError(
            f"{database.database} is not empty ({len(tables)} tables); name an empty database, so that nothing is lost."
        )


def _existing(database: URL) -> Path:
    path = Path(database.database or "")
    if not path.is_file():
        raise UpkeepError(f"there is no database {path} yet; start the service once, or set GRADUS_DATABASE_URL.")
    return path


@contextlib.contextmanager
def _new(file: Path) -> Iterator[Path]:
    """Provide a temporary path for writing a new file, and rename it to `file` at the end. So `file` either is complete or does
    not exist. Only its owner can read it.
    """
    new = file.with_name(f".{file.name}.{os.getpid()}")
    os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield new
        with new.open("rb") as written:
            os.fsync(written.fileno())
        new.rename(file)
    finally:
        new.unlink(missing_ok=True)


def _copy_sqlite(source: Path, target: Path) -> None:
    """Copy a database page by page, even while others write to it, and check the integrity of the copy."""
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as reading,
            contextlib.closing(sqlite3.connect(target)) as writing,
        ):
            reading.backup(writing)
            problems = [row[0] for row in writing.execute("PRAGMA integrity_check")]
    except sqlite3.OperationalError as error:
        # An operational error, such as a full disk or an unreadable file, does not mean that the database is damaged.
        raise UpkeepError(f"{source} could not be copied to {target.parent}: {error}") from None
    except sqlite3.DatabaseError as error:
        problems = [str(error)]
    if problems != ["ok"]:
        raise UpkeepError(f"{source} is damaged: {problems[0]}")


def _run(database: URL, program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's client programs. The password is passed in the environment, because other users can see
    command lines.
    """
    found = shutil.which(program)
    if found is None:
        raise UpkeepError(
            f"{program} is not installed; install PostgreSQL's client programs (Debian: postgresql-client)."
        )
    plain = database.set(drivername="postgresql", password=None).render_as_string()
    secret = {"PGPASSWORD": str(database.password)} if database.password else {}
    command = [found, f"--dbname={plain}", *arguments]
    done = subprocess.run(
        command, env={**plain_environment(), **secret}, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise UpkeepError(f"{program} failed: {done.stderr.strip() or 'it does not say why'}")
