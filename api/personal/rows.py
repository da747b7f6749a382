"""Which rows are about an account: its own, and all that refer to it, over any number of tables, so that they go with it. Read
from the tables themselves: a new one cannot be forgotten.
"""

from sqlalchemy import ColumnElement, ForeignKey, false, or_, select
from sqlalchemy import Table as Described

from api.accounts.models import Account
from api.db import Table

ACCOUNT = Table.metadata.tables[Account.__tablename__]


def goes_with(table: Described) -> list[ForeignKey]:
    """References by which rows of a table are deleted with the row that they refer to."""
    return [key for key in table.foreign_keys if key.ondelete == "CASCADE" and key.column.table is not table]


def about(table: Described, account_id: str) -> ColumnElement[bool]:
    """The condition that a row is about this account."""
    if table is ACCOUNT:
        return ACCOUNT.c.id == account_id
    owners = [(key.parent, key.column) for key in goes_with(table)]
    ways = [
        own == account_id if other.table is ACCOUNT else own.in_(select(other).where(about(other.table, account_id)))
        for own, other in owners
    ]
    return or_(*ways) if ways else false()


def personal_tables() -> list[Described]:
    """Tables whose rows can be about an account, owners first."""
    found = {ACCOUNT}
    tables = Table.metadata.sorted_tables
    for table in tables:
        if any(key.column.table in found for key in goes_with(table)):
            found.add(table)
    return [table for table in tables if table in found]
