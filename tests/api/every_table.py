"""Inserts a row into every table of the service."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Boolean, Column, Connection, Float, Integer, LargeBinary, String, Table, insert

from api.judging.submissions.packed_text import Packed
from api.kit.db.database import Moment
from api.kit.db.tables import tables

MOMENT = datetime(2026, 11, 22, 8, 15, tzinfo=UTC)


def value_of(column: Column[Any], table: Table) -> Any:
    """Return a value for a column. No value is NULL. All ids, and all references to other rows, have the same value, so that
    the rows refer to each other.
    """
    kind = column.type
    if isinstance(kind, Moment):
        return MOMENT
    if isinstance(kind, Boolean):
        return False
    if isinstance(kind, Float | Integer):
        return 1
    if isinstance(kind, LargeBinary):
        return b"a"
    assert isinstance(kind, String | Packed), (table.name, column.name)
    if column.name == "id" or column.foreign_keys:
        return "1" * 8
    return "a"


def fill(connection: Connection) -> None:
    """Insert a row into every table."""
    for table in tables():
        connection.execute(insert(table), {column.name: value_of(column, table) for column in table.columns})
