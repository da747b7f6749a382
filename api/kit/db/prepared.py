"""Statements that the database driver runs directly. Their SQL text is built only once, and their results are plain rows.

To read or change one row, SQLAlchemy needs ten times as long as SQLite: it builds the statement, looks up its text, and creates
an object whose changes it tracks. Use this module for the statements of requests that hundreds of users send every few seconds.

A prepared statement is part of the session's transaction, and sees the changes of the session's objects. Values are converted as
by SQLAlchemy, and errors are those of SQLAlchemy.
"""

import functools
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import psycopg
from sqlalchemy import ClauseElement, Dialect, Select, TextualSelect
from sqlalchemy.dialects.postgresql.psycopg import dialect as postgresql
from sqlalchemy.dialects.sqlite.aiosqlite import dialect as sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession
from sqlalchemy.orm import DeclarativeBase, class_mapper, make_transient_to_detached
from sqlalchemy.types import TypeDecorator, TypeEngine

from api.kit.db.transient_errors import count_if_full

Values = Mapping[str, Any]
Convert = Callable[[Any], Any]
Kind = TypeVar("Kind", bound=DeclarativeBase)
DIALECTS: dict[str, Dialect] = {
    "sqlite": sqlite(paramstyle="named"),
    "postgresql": postgresql(),  # type: ignore[no-untyped-call]
}
ERRORS = (sqlite3.Error, psycopg.Error)


class Prepared:
    """A statement whose values are bound by name. For an INSERT, `columns` are the columns that get a value. A statement that
    is text must name its result columns in their order, unless none of their values needs a conversion. The statement must not
    contain an IN list, because its text would depend on the number of values.
    """

    def __init__(self, statement: ClauseElement, *columns: str) -> None:
        self._statement, self._columns = statement, columns
        self._texts: dict[str, _Text] = {}

    async def rows(self, session: AsyncSession, **values: Any) -> list[tuple[Any, ...]]:
        """Run the statement in the session's transaction, and return its rows. A statement that changes rows may have none."""
        if session.new or session.dirty or session.deleted:
            await session.flush()
        return await self.fetch(await session.connection(), values)

    async def fetch(self, connection: AsyncConnection, values: Values) -> list[tuple[Any, ...]]:
        """Run the statement, and return its rows."""
        driver = driver_of(connection)
        if not isinstance(driver, psycopg.AsyncConnection):
            return self.converted(driver, await (await self.execute(driver, values)).fetchall())
        # SQLAlchemy must see the errors of a server that is gone, because it then discards the connections of its pool.
        text = self._text(driver)
        result = await connection.exec_driver_sql(text.sql, text.bound(values))
        return self.converted(driver, result.fetchall()) if result.returns_rows else []

    async def execute(self, driver: Any, values: Values) -> Any:
        """Run the statement on a connection of the driver, and return the driver's cursor."""
        text = self._text(driver)
        try:
            return await driver.execute(text.sql, text.bound(values))
        except ERRORS as error:
            count_if_full(error)
            raise DBAPIError.instance(text.sql, None, error, Exception, hide_parameters=True) from error

    def converted(self, driver: Any, rows: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Convert the values of the driver's rows to those of the statement's columns."""
        results = self._text(driver).results
        if not any(results):
            return [tuple(row) for row in rows]
        return [
            tuple(value if convert is None else convert(value) for convert, value in zip(results, row, strict=True))
            for row in rows
        ]

    def _text(self, driver: Any) -> "_Text":
        name = "postgresql" if isinstance(driver, psycopg.AsyncConnection) else "sqlite"
        if name not in self._texts:
            self._texts[name] = _text_of(self._statement, self._columns, DIALECTS[name])
        return self._texts[name]


@functools.cache
def prepared(statement: ClauseElement, *columns: str) -> Prepared:
    """Prepare a statement that is a constant of its module. It is prepared once."""
    return Prepared(statement, *columns)


def tracked(session: AsyncSession, kind: type[Kind], row: Sequence[Any]) -> Kind:
    """Return a row of the table as an object whose changes the session stores. `row` contains all columns of the table, in their
    order. If the session already has an object for this row, return that one.
    """
    found = detached(kind, row)
    sync = session.sync_session
    key = sync.identity_key(instance=found)
    if (known := sync.identity_map.get(key)) is not None:
        return cast(Kind, known)
    session.add(found)
    return found


def detached(kind: type[Kind], row: Sequence[Any]) -> Kind:
    """Return a row of the table as an object that belongs to no session. `row` contains all columns, in their order."""
    # The constructor would record a change of every column, which takes longer than the query.
    found = class_mapper(kind).class_manager.new_instance()
    found.__dict__.update(zip(kind.__table__.columns.keys(), row, strict=True))
    make_transient_to_detached(found)
    return found


def driver_of(connection: AsyncConnection) -> Any:
    """Return the driver's connection."""
    assert connection.sync_connection is not None, "the connection is open"
    return connection.sync_connection.connection.driver_connection


@dataclass(frozen=True)
class _Text:
    """The text of a statement in one dialect, the values of its literals, and the functions that convert values and results."""

    sql: str
    literals: dict[str, Any]
    binds: tuple[tuple[str, Convert], ...]
    results: tuple[Convert | None, ...]

    def bound(self, values: Values) -> dict[str, Any]:
        every = {**self.literals, **values}
        for name, convert in self.binds:
            every[name] = convert(every[name])
        return every


def _text_of(statement: ClauseElement, columns: tuple[str, ...], dialect: Dialect) -> _Text:
    compiled = cast(Any, statement.compile(dialect=dialect, column_keys=columns or None))
    binds = [
        (name, convert)
        for name, bind in compiled.binds.items()
        if (convert := bind.type.dialect_impl(dialect).bind_processor(dialect)) is not None
    ]
    selects = statement.selected_columns if isinstance(statement, Select | TextualSelect) else ()
    results = [_convert(column.type, dialect) for column in selects]
    return _Text(str(compiled), dict(compiled.params), tuple(binds), tuple(results))


def _convert(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    # psycopg returns values of Python's types by itself.
    if dialect.name == "postgresql" and not isinstance(kind, TypeDecorator):
        return None
    return kind.dialect_impl(dialect).result_processor(dialect, None)
