"""Recognizes transient database errors, after which the same request may succeed a moment later."""

import sqlite3

import psycopg
from prometheus_client import Counter
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError

# An SQLite error is transient if its name begins with one of these, such as SQLITE_BUSY or SQLITE_BUSY_SNAPSHOT.
FULL = "SQLITE_FULL"
OF_SQLITE = ("SQLITE_BUSY", FULL)
DATABASE_FULL = Counter("gradus_database_full", "Statements that failed because the database's storage was full.")


def is_passing(error: DBAPIError) -> bool:
    """Return whether an error is transient: the server is unreachable, restarting or full, or another transaction
    conflicted with this one (for example by a deadlock).
    """
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorname", "").startswith(OF_SQLITE)
    return error.connection_invalidated or isinstance(cause, psycopg.OperationalError)


def count_full(context: ExceptionContext) -> None:
    """Count an error that SQLAlchemy reports, if it means that the database's storage is full."""
    count_if_full(context.original_exception)


def count_if_full(cause: BaseException) -> None:
    """Count an error if it means that the database's storage is full. Without this metric, nobody would notice such errors in
    background tasks; those in requests are reported to the client.
    """
    if isinstance(cause, psycopg.errors.DiskFull) or getattr(cause, "sqlite_errorname", "") == FULL:
        DATABASE_FULL.inc()
