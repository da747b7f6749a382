"""PostgreSQL's connections, thrifty with trips: what every request pays on top of its own statements is what bounds intake."""

import time
from typing import Any

from sqlalchemy import Engine, event, text
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from api.settings import ConfigurationError

# A server that was started again has cut what lay idle meanwhile; what was in use a moment ago need not be asked.
PING_AFTER_S = 1.0
# Each statement of a reader sees what was committed before it, so it needs no BEGIN, and no ROLLBACK afterwards.
READING = {"isolation_level": "AUTOCOMMIT"}
# Else a database that was made where no locale is set (SQL_ASCII) answers in bytes, which nobody expects.
CONNECTING = {"client_encoding": "utf8"}
ENCODING = "UTF8"
# Names of the planner's settings, and that they hold until the end of the transaction.
ALONG_INDEXES = text(
    "SELECT set_config(name, 'off', true) FROM unnest(ARRAY['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) name"
)


async def require_usable(engine: AsyncEngine) -> None:
    """Raises `ConfigurationError` when the server does not let us in, or would not keep what people write as they wrote it."""
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
            f"the database is encoded as {encoding}, which cannot keep every letter. "
            f"Make another: createdb --encoding {ENCODING} --template template0 --owner gradus gradus"
        )


def on_postgresql(session: AsyncSession) -> bool:
    """Whether a session is one with PostgreSQL, and not with SQLite."""
    return session.get_bind().dialect.name == "postgresql"


async def follow_indexes(session: AsyncSession) -> None:
    """Have statements of this transaction planned along indexes, in their order. A queue is empty in one moment and ten thousand
    long in the next, and PostgreSQL counts its rows once a minute: going by that, it reads and sorts all of them for the
    first few, and those that are gone with them, which only who walks along the index removes from it.
    """
    if on_postgresql(session):
        await session.execute(ALONG_INDEXES)


def ping_the_idle(engine: Engine) -> None:
    """Before a connection that has lain idle is given out, ask its server whether it is still there. If not, none that was opened
    before is given out any more.
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
