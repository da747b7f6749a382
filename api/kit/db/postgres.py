"""PostgreSQL connection settings that save round trips. Every round trip that a request makes besides its own statements
reduces the number of submissions that the service can accept.
"""

import time
from typing import Any

from sqlalchemy import Engine, event, text
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from api.settings import ConfigurationError

# A connection that was idle for longer than this many seconds is checked before use: if the server was restarted in the
# meantime, the connection is closed.
PING_AFTER_S = 1.0
# Execution options of readers. Each of their statements sees what was committed before it, so they need no BEGIN and no
# ROLLBACK.
READING = {"isolation_level": "AUTOCOMMIT"}
# Connection options. Without this encoding, text from a database that was created without a locale (SQL_ASCII) would arrive as
# bytes.
CONNECTING = {"client_encoding": "utf8"}
ENCODING = "UTF8"
# Makes the planner avoid sequential scans, bitmap scans and sorts, until the end of the transaction.
ALONG_INDEXES = text(
    "SELECT set_config(name, 'off', true) FROM unnest(ARRAY['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) name"
)


async def require_usable(engine: AsyncEngine) -> None:
    """Raise `ConfigurationError` if the server refuses the connection, or if the encoding of the database is not UTF-8."""
    try:
        async with engine.connect() as connection:
            encoding = (await connection.execute(text("SHOW server_encoding"))).scalar_one()
    except DBAPIError as error:
        reason = " ".join(str(error.orig).split())
        raise ConfigurationError(
            f"PostgreSQL cannot be used: {reason}. Is it started, and is GRADUS_DATABASE_URL right?"
        ) from None
    if encoding != ENCODING:
        raise ConfigurationError(
            f"the database is encoded as {encoding}, which cannot store every character. "
            f"Create another one: createdb --encoding {ENCODING} --template template0 --owner gradus gradus"
        )


def on_postgresql(session: AsyncSession) -> bool:
    """Return whether a session uses PostgreSQL (and not SQLite)."""
    return session.get_bind().dialect.name == "postgresql"


async def follow_indexes(session: AsyncSession) -> None:
    """Make PostgreSQL read through indexes, in index order, instead of scanning and sorting, until the transaction ends.

    A queue can be empty now and ten thousand rows long a moment later, but PostgreSQL updates its statistics only once a
    minute. With outdated statistics it would read and sort all rows to find the first few. That includes dead rows, which
    only an index scan marks so that later scans skip them.
    """
    if on_postgresql(session):
        await session.execute(ALONG_INDEXES)


def ping_the_idle(engine: Engine) -> None:
    """Check a connection that was idle before the pool hands it out. If its server is gone, the pool discards all of its
    older connections.
    """

    def put_back(_connection: Any, record: Any) -> None:
        record.info["idle_since"] = time.monotonic()

    def taken(connection: Any, record: Any, _proxy: Any) -> None:
        since = record.info.get("idle_since")
        if since is None or time.monotonic() - since < PING_AFTER_S:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error

    event.listen(engine, "checkin", put_back)
    event.listen(engine, "checkout", taken)
