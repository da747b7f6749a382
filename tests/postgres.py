"""Runs a real PostgreSQL for the tests, in a temporary folder that is removed when the tests end. Connections use a Unix
socket.

With GRADUS_TEST_DATABASE=postgresql, every test that asks for settings gets its own database, which is a copy of one that the
migrations created.
"""

import asyncio
import atexit
import functools
import hashlib
import os
import shutil
import tempfile
import threading
from pathlib import Path

from psycopg import sql

from api.kit.db.database import Database
from tests.postgres_server import PostgresServer

WANTED = os.environ.get("GRADUS_TEST_DATABASE", "sqlite") == "postgresql"
# The first three settings let PostgreSQL lose data if the machine crashes, and make it faster. The tests do not need the data
# afterwards.
SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "listen_addresses": "",
    "max_connections": "300",
    "shared_buffers": "64MB",
    "jit": "off",
}
_TEMPLATE = "migrated"


def database_of(folder: Path) -> str:
    """Return the URL of the database for a test's folder. The database is created on first use."""
    name = _name(folder)
    with _cluster().connect("postgres") as server:
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
            server.execute(_copy(name, _template()))
    return _cluster().url(name)


def empty_database(folder: Path, encoding: str = "UTF8") -> str:
    """Create a database without tables, and return its URL."""
    name = f"empty_{_name(folder)}"
    with _cluster().connect("postgres") as server:
        server.execute(_copy(name, "template0") + sql.SQL(" ENCODING {}").format(sql.Literal(encoding)))
    return _cluster().url(name)


def drop(folder: Path) -> None:
    """Drop the databases that were created for a test's folder."""
    with _cluster().connect("postgres") as server:
        for name in (_name(folder), f"empty_{_name(folder)}"):
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _name(folder: Path) -> str:
    return "test_" + hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]


def _copy(name: str, template: str) -> sql.Composed:
    return sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))


@functools.cache
def _template() -> str:
    """Create a database with the migrations, once per process, from which other databases are copied. Return its name."""
    with _cluster().connect("postgres") as server:
        server.execute(_copy(_TEMPLATE, "template0"))

    async def migrate() -> None:
        database = Database(_cluster().url(_TEMPLATE))
        await database.migrate()
        await database.close()

    # Run the migrations in a thread, because a test's event loop may be running in this thread.
    made = threading.Thread(target=lambda: asyncio.run(migrate()))
    made.start()
    made.join()
    return _TEMPLATE


@functools.cache
def _cluster() -> PostgresServer:
    """Create and start the PostgreSQL cluster, once per process."""
    server = PostgresServer(Path(tempfile.mkdtemp(prefix="gradus-pg-")), SETTINGS)
    atexit.register(shutil.rmtree, server.folder, ignore_errors=True)
    server.create()
    server.start()
    atexit.register(server.stop)
    return server
