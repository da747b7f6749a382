"""Gives each test that starts a service a copy of a SQLite database with all tables. Migrations run only once per process."""

import asyncio
import atexit
import functools
import shutil
import tempfile
import threading
from pathlib import Path

from sqlalchemy import make_url

from api.kit.db.database import Database


def furnish(url: str) -> None:
    """Copy a migrated database to the path in `url`. Do nothing if that file exists, or if the URL is not for SQLite."""
    place = make_url(url)
    if place.get_backend_name() != "sqlite" or not place.database or Path(place.database).exists():
        return
    Path(place.database).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_migrated(), place.database)


@functools.cache
def _migrated() -> Path:
    """Create the migrated database file that is copied for each test. One file is enough: SQLite merges its second file, the
    WAL file, into it when the database is closed.
    """
    folder = Path(tempfile.mkdtemp(prefix="gradus-sqlite-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = folder / "gradus.db"

    async def migrate() -> None:
        database = Database(f"sqlite+aiosqlite:///{file}")
        await database.migrate()
        await database.close()

    # Run the migrations in a thread, because the calling test's event loop runs in this thread.
    made = threading.Thread(target=lambda: asyncio.run(migrate()))
    made.start()
    made.join()
    assert [path.name for path in folder.iterdir()] == [file.name]
    return file
