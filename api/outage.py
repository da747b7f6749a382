"""Which errors of a database say nothing of what was asked: the same may go well in a moment."""

import sqlite3

import psycopg
from sqlalchemy.exc import DBAPIError

# SQLite names them in more detail, too: SQLITE_BUSY_SNAPSHOT.
OF_SQLITE = ("SQLITE_BUSY", "SQLITE_FULL")


def is_passing(error: DBAPIError) -> bool:
    """Whether the server is gone, starts again or has no room, or somebody else was in the way (a deadlock, say)."""
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorname", "").startswith(OF_SQLITE)
    return error.connection_invalidated or isinstance(cause, psycopg.OperationalError)
