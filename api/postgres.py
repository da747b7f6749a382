"""PostgreSQL's connections, thrifty with trips: what every request pays on top of its own statements is what bounds intake."""

import time
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import InvalidatePoolError

# A server that was started again has cut what lay idle meanwhile; what was in use a moment ago need not be asked.
PING_AFTER_S = 1.0
# Each statement of a reader sees what was committed before it, so it needs no BEGIN, and no ROLLBACK afterwards.
READING = {"isolation_level": "AUTOCOMMIT"}


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
