"""Which rows are about an account: its own, and all that refer to it, over any number of tables, so that they go with it;
those that name its address; and those that it wrote about others, which stay without its name. Read from the tables themselves:
a new one cannot be forgotten.
"""

from typing import Any

from sqlalchemy import Column, ColumnElement, ForeignKey, delete, false, or_, select
from sqlalchemy import Table as Described
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account
from api.db import Table

ACCOUNT = Table.metadata.tables[Account.__tablename__]


def goes_with(table: Described) -> list[ForeignKey]:
    """References by which rows of a table are deleted with the row that they refer to."""
    return [key for key in table.foreign_keys if key.ondelete == "CASCADE" and key.column.table is not table]


def addresses(table: Described) -> list[Column[Any]]:
    """Columns by which a row is about whoever owns the address in it."""
    return [column for column in table.c if column.info.get("address")]


def authors(table: Described) -> list[Column[Any]]:
    """Columns that say who wrote a row about somebody else."""
    return [column for column in table.c if column.info.get("author")]


def about(table: Described, account_id: str) -> ColumnElement[bool]:
    """The condition that a row is about this account."""
    if table is ACCOUNT:
        return ACCOUNT.c.id == account_id
    owners = [(key.parent, key.column) for key in goes_with(table)]
    ways = [
        own == account_id if other.table is ACCOUNT else own.in_(select(other).where(about(other.table, account_id)))
        for own, other in owners
    ]
    ways += [column == account_id for column in authors(table)]
    # An address counts once its letter was answered: anybody can type another's.
    own = select(ACCOUNT.c.email).where(ACCOUNT.c.id == account_id, ACCOUNT.c.email_verified_at.is_not(None))
    ways += [column == own.scalar_subquery() for column in addresses(table)]
    return or_(*ways) if ways else false()


def personal_tables() -> list[Described]:
    """Tables whose rows can be about an account, owners first."""
    found = {ACCOUNT}
    tables = Table.metadata.sorted_tables
    for table in tables:
        if addresses(table) or authors(table) or any(key.column.table in found for key in goes_with(table)):
            found.add(table)
    return [table for table in tables if table in found]


async def erase_addressed(session: AsyncSession, account_id: str) -> None:
    """Delete what is about an account by its address only; the rest goes with the account."""
    for table in personal_tables():
        if addresses(table):
            await session.execute(delete(table).where(about(table, account_id)))
