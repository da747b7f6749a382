"""Determines which rows are about an account. There are three kinds:

1. rows that refer to the account, directly or through rows of other tables,
2. rows that contain the email address of the account,
3. rows that the account wrote about other accounts.

The first two kinds are deleted with the account. Rows of the third kind are kept, without the name of the author.

All of this is derived from the table definitions, so a new table cannot be forgotten.
"""

from typing import Any

from sqlalchemy import Column, ColumnElement, ForeignKey, delete, false, or_, select
from sqlalchemy import Table as Described
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.kit.db.tables import tables

ACCOUNT = Account.metadata.tables[Account.__tablename__]


def goes_with(table: Described) -> list[ForeignKey]:
    """Return the foreign keys through which a row is about the account that the referenced row is about. Such a row is deleted
    together with the referenced one (ON DELETE CASCADE).
    """
    return [
        key
        for key in table.foreign_keys
        if key.ondelete == "CASCADE" and key.column.table is not table and not key.parent.info.get("of_another")
    ]


def addresses(table: Described) -> list[Column[Any]]:
    """Return the columns of a table that contain an email address. A row is about the account that owns the address in it."""
    return [column for column in table.c if column.info.get("address")]


def authors(table: Described) -> list[Column[Any]]:
    """Return the columns of a table that refer to the author of a row, if the row is about another account."""
    return [column for column in table.c if column.info.get("author")]


def about(table: Described, account_id: str) -> ColumnElement[bool]:
    """Build the condition that a row is about this account."""
    if table is ACCOUNT:
        return ACCOUNT.c.id == account_id
    owners = [(key.parent, key.column) for key in goes_with(table)]
    ways = [
        own == account_id if other.table is ACCOUNT else own.in_(select(other).where(about(other.table, account_id)))
        for own, other in owners
    ]
    ways += [column == account_id for column in authors(table)]
    # Only a verified address counts, because anyone can register with another person's address.
    own = select(ACCOUNT.c.email).where(ACCOUNT.c.id == account_id, ACCOUNT.c.email_verified_at.is_not(None))
    ways += [column == own.scalar_subquery() for column in addresses(table)]
    return or_(*ways) if ways else false()


def personal_tables() -> list[Described]:
    """Return the tables whose rows can be about an account. A table comes after the tables that it refers to."""
    found = {ACCOUNT}
    for table in tables():
        if addresses(table) or authors(table) or any(key.column.table in found for key in goes_with(table)):
            found.add(table)
    return [table for table in tables() if table in found]


async def erase_addressed(session: AsyncSession, account_id: str) -> None:
    """Delete the rows that contain the email address of an account. Rows that refer to the account are not deleted by this
    function. The database deletes them when the account itself is deleted.
    """
    for table in personal_tables():
        if addresses(table):
            await session.execute(delete(table).where(about(table, account_id)))
