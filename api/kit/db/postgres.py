"""Settings of PostgreSQL connections that save round trips to the server. The fewer round trips a request needs besides those
for its own statements, the more submissions the service can accept per second.
"""

import time
from typing import Any

from sqlalchemy import Engine, event, text
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from api.settings import ConfigurationError

# A connection that was idle for longer than this many seconds is checked before it is used again, because it may be broken: the
# server may have been restarted in the meantime.
PING_AFTER_S = 1.0
# Execution options of sessions that only read. Each statement is a transaction of its own, so no BEGIN and no ROLLBACK is sent.
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
    """Until the transaction ends, make PostgreSQL read rows in the order of an index, instead of scanning and sorting a table.

    A queue can be empty now and ten thousand rows long a moment later, but PostgreSQL updates its statistics only once a
    minute. With outdated statistics, it would read and sort all rows to find the first few. It would also read rows that were
    deleted or replaced, again and again: only an index scan marks such rows, so that later scans skip them.
    """
    if on_postgresql(session):
        await session.execute(ALONG_INDEXES)


def ping_the_idle(engine: Engine) -> None:
    """Let the engine's pool check a connection that was idle before it hands the connection out. If the check fails, the server
    was probably restarted, so the pool discards all connections that it opened before.
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
