"""«One of these», as each database takes it most cheaply."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, String, any_, literal
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from api.postgres import on_postgresql


def among(session: AsyncSession, column: InstrumentedAttribute[Any], values: Collection[str]) -> ColumnElement[bool]:
    """Whether a column of text is one of the values. An array keeps the statement the same however many there are, so
    that neither SQLAlchemy nor PostgreSQL reads it anew; SQLite has none.
    """
    if on_postgresql(session):
        return column == any_(literal(list(values), ARRAY(String)))
    return column.in_(values)
