"""Compares a column with many values, in the form that each database handles fastest."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, String, any_, literal
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from api.kit.db.postgres import on_postgresql


def any_of(session: AsyncSession, column: InstrumentedAttribute[Any], values: Collection[str]) -> ColumnElement[bool]:
    """Build the condition that a text column equals one of the values.

    On PostgreSQL, the values are passed as one array parameter. The SQL text is therefore the same for any number of values:
    SQLAlchemy need not build it again, and PostgreSQL need not parse it again. SQLite has no arrays, so the condition is an IN
    list there.
    """
    if on_postgresql(session):
        return column == any_(literal(list(values), ARRAY(String)))
    return column.in_(values)
